# The table of seen positions: whole keys, so that no two positions are ever confused.
#
# Nodes are kept in the order in which they were first seen, in chunks that never
# move; an open-addressed index of node numbers finds them by key. A key is compared
# in full (position.pxd says what it holds), so the error probability is zero.

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from scorpion.engine.position cimport Key, same_key

cdef enum:
    CHUNK_BITS = 10
    CHUNK = 1 << CHUNK_BITS
    FIRST_SLOTS = 1 << 11

cdef extern from *:
    """
    #define SCORPION_NO_NODE 0xFFFFFFFFu
    """
    uint32_t NO_NODE "SCORPION_NO_NODE"

cdef enum:
    MOST_NODES = (1 << 30) - 1  # two bits of a frontier's entry say what is left to do

cdef struct Node:
    Key key
    uint32_t parent  # the node it was first reached from; NO_NODE at the root
    uint32_t next    # entry in its bucket of the frontier

cdef struct Table:
    Node** chunks
    uint32_t* slots      # node number + 1, 0 for free
    uint64_t slot_mask
    uint64_t chunk_count
    uint64_t chunk_room  # how many chunk pointers fit
    uint32_t size
    uint32_t kept        # the first so many nodes stay when it is emptied
    uint64_t bytes       # all that is allocated now
    uint64_t limit       # and may be at most


cdef inline uint64_t mixed(const Key* key) noexcept nogil:
    """A hash of the key (multiply and fold, as in splitmix64): where to look, never proof."""
    cdef uint64_t h = key.first * <uint64_t>0x9E3779B97F4A7C15
    h = (h ^ (h >> 32) ^ key.second) * <uint64_t>0xBF58476D1CE4E5B9
    h = (h ^ (h >> 29) ^ key.based) * <uint64_t>0x94D049BB133111EB
    return h ^ (h >> 31)


cdef inline Node* node_at(const Table* t, uint32_t number) noexcept nogil:
    return &t.chunks[number >> CHUNK_BITS][number & (CHUNK - 1)]


cdef inline bint open_table(Table* t, uint64_t limit) noexcept nogil:
    """Set up an empty table that never allocates more than ``limit`` bytes."""
    t.chunks = NULL
    t.slots = NULL
    t.chunk_count = t.chunk_room = t.size = t.kept = 0
    t.bytes = 0
    t.limit = limit
    t.slot_mask = FIRST_SLOTS - 1
    if FIRST_SLOTS * sizeof(uint32_t) > limit:
        return False
    t.slots = <uint32_t*>calloc(FIRST_SLOTS, sizeof(uint32_t))
    if t.slots == NULL:
        return False
    t.bytes = FIRST_SLOTS * sizeof(uint32_t)
    return True


cdef inline void close_table(Table* t) noexcept nogil:
    cdef uint64_t which
    for which in range(t.chunk_count):
        free(t.chunks[which])
    free(t.chunks)
    free(t.slots)
    t.chunks = NULL
    t.slots = NULL
    t.chunk_count = 0


cdef inline void empty_table(Table* t) noexcept nogil:
    """Forget every node but those kept, and free no memory."""
    memset(t.slots, 0, (t.slot_mask + 1) * sizeof(uint32_t))
    t.size = t.kept
    enter_all(t, t.slots, t.slot_mask)


cdef inline void enter_all(const Table* t, uint32_t* slots, uint64_t mask) noexcept nogil:
    """Enter every node into an empty index."""
    cdef uint64_t place
    cdef uint32_t number
    for number in range(t.size):
        place = mixed(&node_at(t, number).key) & mask
        while slots[place]:
            place = (place + 1) & mask
        slots[place] = number + 1


cdef inline bint grow_slots(Table* t) noexcept nogil:
    """Double the index, if the limit leaves room for the old and the new side by side."""
    cdef uint64_t slots = 2 * (t.slot_mask + 1)
    cdef uint32_t* grown
    if t.bytes + slots * sizeof(uint32_t) > t.limit:
        return False
    grown = <uint32_t*>calloc(slots, sizeof(uint32_t))
    if grown == NULL:
        return False
    enter_all(t, grown, slots - 1)
    free(t.slots)
    t.slots = grown
    t.bytes += slots * sizeof(uint32_t) // 2
    t.slot_mask = slots - 1
    return True


cdef inline bint grow_nodes(Table* t) noexcept nogil:
    cdef uint64_t room
    cdef Node** chunks
    if t.chunk_count == t.chunk_room:
        room = 2 * t.chunk_room if t.chunk_room else 16
        # Both arrays may live at once while the pointers are moved.
        if t.bytes + room * sizeof(Node*) > t.limit:
            return False
        chunks = <Node**>realloc(t.chunks, room * sizeof(Node*))
        if chunks == NULL:
            return False
        t.bytes += (room - t.chunk_room) * sizeof(Node*)
        t.chunks = chunks
        t.chunk_room = room
    if t.bytes + CHUNK * sizeof(Node) > t.limit:
        return False
    t.chunks[t.chunk_count] = <Node*>malloc(CHUNK * sizeof(Node))
    if t.chunks[t.chunk_count] == NULL:
        return False
    t.chunk_count += 1
    t.bytes += CHUNK * sizeof(Node)
    return True


cdef enum Found:
    SEEN
    ADDED
    NO_MEMORY


cdef inline Found add(Table* t, const Key* key, uint32_t parent, uint32_t* number) noexcept nogil:
    """Look the key up, and enter it as a new node if it is not there."""
    cdef uint64_t place
    cdef uint32_t slot
    cdef Node* node
    if t.size >= t.slot_mask - (t.slot_mask >> 2):
        # Three quarters full: grow; without memory for that, fill up to 15 of 16.
        if not grow_slots(t) and t.size >= t.slot_mask - (t.slot_mask >> 4):
            return NO_MEMORY
    place = mixed(key) & t.slot_mask
    while True:
        slot = t.slots[place]
        if slot == 0:
            break
        if same_key(&node_at(t, slot - 1).key, key):
            number[0] = slot - 1
            return SEEN
        place = (place + 1) & t.slot_mask
    if t.size >> CHUNK_BITS == t.chunk_count and not grow_nodes(t):
        return NO_MEMORY
    if t.size == MOST_NODES:
        return NO_MEMORY
    number[0] = t.size
    t.size += 1
    t.slots[place] = t.size
    node = node_at(t, t.size - 1)
    node.key = key[0]
    node.parent = parent
    return ADDED
