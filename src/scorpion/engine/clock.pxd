# The clock, and work that is done in slices so that one can listen to the world between.

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #ifdef _WIN32
    #include <windows.h>
    static double scorpion_clock(void) {
        LARGE_INTEGER now, rate;
        QueryPerformanceCounter(&now);
        QueryPerformanceFrequency(&rate);
        return (double)now.QuadPart / (double)rate.QuadPart;
    }
    #else
    #include <time.h>
    static double scorpion_clock(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    """
    double clock "scorpion_clock"() noexcept nogil  # seconds from some fixed time

# Goes on with some work until the clock shows ``until``, and says whether it has to be
# called again; ``done`` is how far it is, as progress is told.
ctypedef bint (*Work)(void* work, double until, uint64_t* done) noexcept nogil
