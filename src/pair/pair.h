/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two things that may touch: two bodies, a body and an obstacle, or a body and itself. */

#ifndef LITHE_PAIR_PAIR_H
#define LITHE_PAIR_PAIR_H

#include "core/base.h"

typedef enum lt_pair_kind { LT_PAIR_SELF, LT_PAIR_BODIES, LT_PAIR_OBSTACLE, LT_PAIR_KIND_COUNT } lt_pair_kind;

/* Of two bodies a is the lower one, of a body with itself b is a. */
typedef struct lt_pair {
    uint32_t a; /* body */
    lt_pair_kind kind;
    uint32_t b; /* body or obstacle */
} lt_pair;

static inline bool lt_pair_is_same(const lt_pair *x, const lt_pair *y) {
    return x->a == y->a && x->kind == y->kind && x->b == y->b;
}
static inline bool lt_pair_is_of_body(const lt_pair *pair, uint32_t body) {
    return pair->a == body || (pair->kind != LT_PAIR_OBSTACLE && pair->b == body);
}
static inline bool lt_pair_is_of_obstacle(const lt_pair *pair, uint32_t obstacle) {
    return pair->kind == LT_PAIR_OBSTACLE && pair->b == obstacle;
}

/* ---- keys: the order of pairs is by a, then kind, then b ---- */

enum { LT_PAIR_KIND_SHIFT = 30 };
#define LT_PAIR_INDEX_MAX ((1u << LT_PAIR_KIND_SHIFT) - 1) /* of b */

static inline uint64_t lt_pair_make_key(uint32_t a, lt_pair_kind kind, uint32_t b) {
    LT_ASSERT(kind < LT_PAIR_KIND_COUNT && b <= LT_PAIR_INDEX_MAX);
    return (uint64_t)a << 32 | (uint64_t)kind << LT_PAIR_KIND_SHIFT | b;
}
static inline uint64_t lt_pair_key(const lt_pair *pair) {
    return lt_pair_make_key(pair->a, pair->kind, pair->b);
}
static inline uint32_t lt_pair_key_a(uint64_t key) {
    return (uint32_t)(key >> 32);
}
static inline uint32_t lt_pair_key_b(uint64_t key) {
    return (uint32_t)key & LT_PAIR_INDEX_MAX;
}
static inline lt_pair_kind lt_pair_key_kind(uint64_t key) {
    return (lt_pair_kind)((uint32_t)key >> LT_PAIR_KIND_SHIFT);
}
static inline lt_pair lt_pair_of_key(uint64_t key) {
    return (lt_pair){.a = lt_pair_key_a(key), .kind = lt_pair_key_kind(key), .b = lt_pair_key_b(key)};
}

#endif
