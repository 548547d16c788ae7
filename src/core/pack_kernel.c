/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Packing and unpacking, group by group. Where bytes of a register can be moved about at will a quad is one move, else it is two
 * pairs of words, each shifted together; 16 KB of positions take 1 µs in the first way and 3 µs in the second. */

#include "core/pack.h"

#include <string.h>

enum { GROUP = 4 };

/* ---- a quad: two pairs of words ---- */

#if defined(LT_SIMD_AVX2)

typedef lt_b16 quad;

/* By the lengths of two words: from where each of eight bytes comes, 0x80 where it is 0. */
static const uint64_t packed_pair[16] = {
    0x8080808080808080u, 0x8080808080800100u, 0x8080808080020100u, 0x8080808003020100u,
    0x8080808080800504u, 0x8080808005040100u, 0x8080800504020100u, 0x8080050403020100u,
    0x8080808080060504u, 0x8080800605040100u, 0x8080060504020100u, 0x8006050403020100u,
    0x8080808007060504u, 0x8080070605040100u, 0x8007060504020100u, 0x0706050403020100u};
static const uint64_t unpacked_pair[16] = {
    0x8080808080808080u, 0x8080808080800100u, 0x8080808080020100u, 0x8080808003020100u,
    0x8080010080808080u, 0x8080030280800100u, 0x8080040380020100u, 0x8080050403020100u,
    0x8002010080808080u, 0x8004030280800100u, 0x8005040380020100u, 0x8006050403020100u,
    0x0302010080808080u, 0x0504030280800100u, 0x0605040380020100u, 0x0706050403020100u};

typedef struct layout {
    uint32_t sizes[2]; /* bytes of each pair */
    quad pack, unpack;
} layout;

static inline quad quad_load(const void *bytes) {
    return lt_b16_load(bytes);
}

static inline void quad_store(void *bytes, quad q) {
    lt_b16_store(bytes, q);
}

static inline quad quad_zero(void) {
    return lt_b16_pair(0, 0);
}

static inline quad quad_xor(quad a, quad b) {
    return lt_b16_xor(a, b);
}

static inline quad quad_or(quad a, quad b) {
    return lt_b16_or(a, b);
}

/* `any` has every bit that a quad of the group has. */
static inline uint32_t codes_of(quad any) {
    return lt_b16_word_codes(any);
}

static inline void make_moves(layout *l, uint32_t codes) {
    const uint64_t second = 0x0808080808080808u; /* the second pair is in the upper half */
    l->pack = lt_b16_pair(packed_pair[codes & 15], packed_pair[codes >> 4] | second);
    l->unpack = lt_b16_pair(unpacked_pair[codes & 15], unpacked_pair[codes >> 4] | second);
}

static inline void put_quad(uint8_t *out, quad q, const layout *l) {
    quad packed = lt_b16_shuffle(q, l->pack);
    uint64_t low = lt_b16_low(packed), high = lt_b16_high(packed);
    memcpy(out, &low, sizeof low);
    memcpy(out + l->sizes[0], &high, sizeof high);
}

static inline quad get_quad(const uint8_t *bytes, const layout *l) {
    uint64_t low, high;
    memcpy(&low, bytes, sizeof low);
    memcpy(&high, bytes + l->sizes[0], sizeof high);
    return lt_b16_shuffle(lt_b16_pair(low, high), l->unpack);
}

#else

typedef struct quad {
    uint64_t pairs[2];
} quad;

typedef struct layout {
    uint32_t sizes[2];  /* bytes of each pair */
    uint32_t shifts[2]; /* bits of the first word of each pair */
    uint64_t masks[4];  /* of words */
} layout;

static const uint32_t mask_of_code[4] = {0, 0xffff, 0xffffff, 0xffffffff};

/* Compilers make one load or one store of these where bytes are in this order. */
static inline uint64_t get_pair(const uint8_t *bytes) {
    uint64_t pair = 0;
    for (int i = 0; i < 8; i++)
        pair |= (uint64_t)bytes[i] << (8 * i);
    return pair;
}

static inline void put_pair(uint8_t *bytes, uint64_t pair) {
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(pair >> (8 * i));
}

static inline quad quad_load(const void *bytes) {
    quad q;
    memcpy(&q, bytes, sizeof q);
    return q;
}

static inline void quad_store(void *bytes, quad q) {
    memcpy(bytes, &q, sizeof q);
}

static inline quad quad_zero(void) {
    return (quad){{0, 0}};
}

static inline quad quad_xor(quad a, quad b) {
    return (quad){{a.pairs[0] ^ b.pairs[0], a.pairs[1] ^ b.pairs[1]}};
}

static inline quad quad_or(quad a, quad b) {
    return (quad){{a.pairs[0] | b.pairs[0], a.pairs[1] | b.pairs[1]}};
}

static inline uint32_t word_code(uint32_t word) {
    return (word > 0) + (word > 0xffff) + (word > 0xffffff);
}

static inline uint32_t pair_codes(uint64_t pair) {
    return word_code((uint32_t)pair) | word_code((uint32_t)(pair >> 32)) << 2;
}

/* `any` has every bit that a quad of the group has. */
static inline uint32_t codes_of(quad any) {
    if ((any.pairs[0] | any.pairs[1]) == 0) return 0;
    return pair_codes(any.pairs[0]) | pair_codes(any.pairs[1]) << 4;
}

static inline void make_moves(layout *l, uint32_t codes) {
    for (uint32_t k = 0; k < 4; k++)
        l->masks[k] = mask_of_code[codes >> (2 * k) & 3];
    for (uint32_t k = 0; k < 2; k++)
        l->shifts[k] = 8 * ((codes >> (4 * k) & 3) + ((codes >> (4 * k) & 3) > 0));
}

static inline void put_quad(uint8_t *out, quad q, const layout *l) {
    put_pair(out, (uint32_t)q.pairs[0] | q.pairs[0] >> 32 << l->shifts[0]);
    put_pair(out + l->sizes[0], (uint32_t)q.pairs[1] | q.pairs[1] >> 32 << l->shifts[1]);
}

static inline quad get_quad(const uint8_t *bytes, const layout *l) {
    uint64_t a = get_pair(bytes), b = get_pair(bytes + l->sizes[0]);
    return (quad){{(a & l->masks[0]) | (a >> l->shifts[0] & l->masks[1]) << 32,
                   (b & l->masks[2]) | (b >> l->shifts[1] & l->masks[3]) << 32}};
}

#endif

/* ---- a group: one to four quads with lanes of the same lengths ---- */

static const uint8_t size_of_pair[16] = {0, 2, 3, 4, 2, 4, 5, 6, 3, 5, 6, 7, 4, 6, 7, 8};

static inline uint32_t quad_size(uint32_t codes) {
    return size_of_pair[codes & 15] + size_of_pair[codes >> 4];
}

static inline layout layout_of(uint32_t codes) {
    layout l = {.sizes = {size_of_pair[codes & 15], size_of_pair[codes >> 4]}};
    make_moves(&l, codes);
    return l;
}

/* What the quads of a group resemble: nothing; quads of which some may be before the block; quads in it. */
typedef enum likeness { LIKE_NOTHING, LIKE_SOME, LIKE_QUADS } likeness;

static inline quad quad_at(const void *block, size_t at) {
    return quad_load((const uint8_t *)block + at * LT_QUAD_BYTES);
}

static inline quad quad_like(const void *block, size_t at, size_t back, likeness like) {
    if (like == LIKE_NOTHING || (like == LIKE_SOME && (back == 0 || at < back))) return quad_zero();
    return quad_at(block, at - back);
}

static inline quad difference(const void *block, size_t at, size_t back, likeness like) {
    return quad_xor(quad_at(block, at), quad_like(block, at, back, like));
}

/* With a constant count and likeness all of these are straight code. */
static inline uint32_t group_codes(const void *block, size_t at, size_t back, uint32_t count, likeness like) {
    quad any = quad_zero();
    for (uint32_t k = 0; k < count; k++)
        any = quad_or(any, difference(block, at + k, back, like));
    return codes_of(any);
}

/* Returns its size; all LT_PACKED_GROUP_MAX bytes may be written. */
static inline uint32_t put_group(uint8_t *out, const void *block, size_t at, size_t back, uint32_t count,
                                 likeness like) {
    uint32_t codes = group_codes(block, at, back, count, like), size = quad_size(codes);
    out[0] = (uint8_t)codes;
    if (codes == 0) return 1;
    layout l = layout_of(codes);
    for (uint32_t k = 0; k < count; k++)
        put_quad(out + 1 + k * size, difference(block, at + k, back, like), &l);
    return 1 + count * size;
}

/* Returns its size; all LT_PACKED_GROUP_MAX bytes may be read. */
static inline uint32_t get_group(void *block, size_t at, size_t back, uint32_t count, likeness like,
                                 const uint8_t *bytes) {
    uint32_t size = quad_size(bytes[0]);
    layout l = layout_of(bytes[0]);
    for (uint32_t k = 0; k < count; k++) {
        quad q = quad_xor(get_quad(bytes + 1 + k * size, &l), quad_like(block, at + k, back, like));
        quad_store((uint8_t *)block + (at + k) * LT_QUAD_BYTES, q);
    }
    return 1 + count * size;
}

static inline likeness likeness_at(const lt_packed_quads *quads, size_t at) {
    if (quads->back == 0) return LIKE_NOTHING;
    return at >= quads->back ? LIKE_QUADS : LIKE_SOME;
}

/* ---- all ---- */

static size_t packed_size(const void *block, const lt_packed_quads *quads) {
    size_t size = 0, end = quads->end, back = quads->back;
    for (size_t at = quads->begin; at < end; at += GROUP) {
        uint32_t count = (uint32_t)lt_min_u64(GROUP, end - at);
        likeness like = likeness_at(quads, at);
        uint32_t codes = count < GROUP || like == LIKE_SOME ? group_codes(block, at, back, count, LIKE_SOME)
                         : like == LIKE_QUADS               ? group_codes(block, at, back, GROUP, LIKE_QUADS)
                                              : group_codes(block, at, back, GROUP, LIKE_NOTHING);
        size += 1 + count * (size_t)quad_size(codes);
    }
    return size;
}

/* Whole groups of one likeness, while there is room for whatever comes. Returns where it stopped. */
static inline size_t pack_most(const void *block, const lt_packed_quads *quads, size_t at, uint8_t *out,
                               size_t capacity, size_t *used, likeness like) {
    const size_t back = quads->back;
    size_t size = *used;
    for (; quads->end - at >= GROUP && capacity - size >= LT_PACKED_GROUP_MAX; at += GROUP)
        size += put_group(out + size, block, at, back, GROUP, like);
    *used = size;
    return at;
}

static size_t pack(const void *block, const lt_packed_quads *quads, uint8_t *out, size_t capacity) {
    size_t used = 0;
    for (size_t at = quads->begin; at < quads->end;) {
        likeness like = likeness_at(quads, at);
        if (like == LIKE_QUADS && used <= capacity)
            at = pack_most(block, quads, at, out, capacity, &used, LIKE_QUADS);
        else if (like == LIKE_NOTHING && used <= capacity)
            at = pack_most(block, quads, at, out, capacity, &used, LIKE_NOTHING);
        if (at == quads->end) break;
        uint8_t group[LT_PACKED_GROUP_MAX];
        uint32_t count = (uint32_t)lt_min_u64(GROUP, quads->end - at);
        uint32_t size = put_group(group, block, at, quads->back, count, LIKE_SOME);
        if (used <= capacity && size <= capacity - used) memcpy(out + used, group, size);
        used += size;
        at += count;
    }
    return used;
}

static inline size_t unpack_most(void *block, const lt_packed_quads *quads, size_t at, const uint8_t *bytes,
                                 size_t size, size_t *used, likeness like) {
    const size_t back = quads->back;
    size_t read = *used;
    for (; quads->end - at >= GROUP && size - read >= LT_PACKED_GROUP_MAX; at += GROUP)
        read += get_group(block, at, back, GROUP, like, bytes + read);
    *used = read;
    return at;
}

static size_t unpack(void *block, const lt_packed_quads *quads, const uint8_t *bytes, size_t size) {
    size_t used = 0;
    for (size_t at = quads->begin; at < quads->end;) {
        likeness like = likeness_at(quads, at);
        if (like == LIKE_QUADS)
            at = unpack_most(block, quads, at, bytes, size, &used, LIKE_QUADS);
        else if (like == LIKE_NOTHING)
            at = unpack_most(block, quads, at, bytes, size, &used, LIKE_NOTHING);
        if (at == quads->end) break;
        if (used == size) return SIZE_MAX;
        uint8_t group[LT_PACKED_GROUP_MAX] = {0};
        uint32_t count = (uint32_t)lt_min_u64(GROUP, quads->end - at);
        size_t group_size = 1 + count * (size_t)quad_size(bytes[used]);
        if (group_size > size - used) return SIZE_MAX;
        memcpy(group, bytes + used, group_size);
        used += get_group(block, at, quads->back, count, LIKE_SOME, group);
        at += count;
    }
    return used;
}

extern const lt_pack_kernels LT_KERNEL(lt_pack_kernels);
const lt_pack_kernels LT_KERNEL(lt_pack_kernels) = {packed_size, pack, unpack};
