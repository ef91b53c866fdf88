# A set of numbers below 64 as one word: member n is bit n. Mostly they are cards.

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline int scorpion_lowest(unsigned __int64 set) {
        unsigned long place; _BitScanForward64(&place, set); return (int)place;
    }
    static inline int scorpion_highest(unsigned __int64 set) {
        unsigned long place; _BitScanReverse64(&place, set); return (int)place;
    }
    #else
    #define scorpion_lowest(set) __builtin_ctzll(set)
    #define scorpion_highest(set) (63 - __builtin_clzll(set))
    #endif
    #if defined(__POPCNT__) || defined(__aarch64__)
    #define scorpion_count(set) __builtin_popcountll(set)
    #else
    static inline int scorpion_count(unsigned long long set) {
        set = set - ((set >> 1) & 0x5555555555555555ULL);
        set = (set & 0x3333333333333333ULL) + ((set >> 2) & 0x3333333333333333ULL);
        set = (set + (set >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((set * 0x0101010101010101ULL) >> 56);
    }
    #endif
    """
    int lowest "scorpion_lowest"(uint64_t set) noexcept nogil    # the lowest member; there has to be one
    int highest "scorpion_highest"(uint64_t set) noexcept nogil  # the highest, likewise
    int count "scorpion_count"(uint64_t set) noexcept nogil      # how many members


cdef inline uint64_t bit(int member) noexcept nogil:
    """The set of one member."""
    return <uint64_t>1 << member


cdef inline int take_lowest(uint64_t* set_) noexcept nogil:
    """Take the lowest member out of a set that has one."""
    cdef int member = lowest(set_[0])
    set_[0] &= set_[0] - 1
    return member
