/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Some lattices in one place, and lists of pairs of their boxes. */

#ifndef LITHE_TESTS_BOX_CROWD_H
#define LITHE_TESTS_BOX_CROWD_H

#include "check.h"

#include "bound/cell_fixture.h"
#include "detect/boxes.h"

enum { BODIES = 5, BODY_PAIRS = BODIES * (BODIES + 1) / 2, PAIRS_MOST = 400000 };

typedef struct crowd {
    cell_fixture *fixtures[BODIES];
    lt_cell_boxes *bodies[BODIES];
    lt_body_pair pairs[BODY_PAIRS];
    uint32_t body_count;
    lt_box_search_input input;
} crowd;

static inline void make_crowd(crowd *c, const cell_options *options, uint32_t body_count) {
    memset(c, 0, sizeof *c);
    c->body_count = body_count;
    for (uint32_t i = 0; i < body_count; i++) {
        c->fixtures[i] = cells_make(options[i]);
        c->bodies[i] = &c->fixtures[i]->boxes;
    }
    uint32_t count = 0;
    for (uint32_t a = 0; a < body_count; a++)
        for (uint32_t b = a; b < body_count; b++)
            c->pairs[count++] = (lt_body_pair){a, b};
    c->input = (lt_box_search_input){
        .bodies = c->bodies, .pairs = c->pairs, .pair_count = count, .level = lt_simd_best()};
}

static inline void free_crowd(crowd *c) {
    for (uint32_t i = 0; i < BODIES; i++)
        if (c->fixtures[i]) cells_free(c->fixtures[i]);
}

static inline void scatter(crowd *c, lt_random *random, float spread, float noise) {
    for (uint32_t i = 0; i < BODIES && c->fixtures[i]; i++) {
        float at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = lt_random_range(random, -spread, spread);
        cells_place(c->fixtures[i], random, (lt_vec3){at[0], at[1], at[2]}, noise);
    }
}

/* ---- lists ---- */

typedef struct pair_list {
    lt_box_pair pairs[PAIRS_MOST];
    uint32_t count;
} pair_list;

static pair_list found, expected, again;

static inline int compare_pairs(const void *x, const void *y) {
    return memcmp(x, y, sizeof(lt_box_pair)); /* any order does */
}

static inline bool same_set(pair_list *x, pair_list *y) {
    qsort(x->pairs, x->count, sizeof *x->pairs, compare_pairs);
    qsort(y->pairs, y->count, sizeof *y->pairs, compare_pairs);
    return x->count == y->count && memcmp(x->pairs, y->pairs, x->count * sizeof *x->pairs) == 0;
}

static inline uint64_t search_all(pair_list *out, const crowd *c, const lt_box_pair *from) {
    lt_box_search search;
    uint64_t units = 0;
    uint32_t cost;
    out->count = 0;
    lt_box_search_begin(&search, &c->input, from);
    do {
        uint32_t count;
        cost = lt_box_search_step(&search, 1000000, out->pairs + out->count, PAIRS_MOST - out->count, &count);
        out->count += count;
        units += cost;
    } while (cost > 0);
    CHECK(search.done);
    return units;
}

static const cell_options MIXED[BODIES] = {
    {.size = {6, 5, 7}, .hole_percent = 20, .twin_percent = 20, .tight = true, .seed = 1},
    {.size = {9, 9, 9}, .shell = true, .seed = 2},
    {.size = {1, 1, 1}, .seed = 3},
    {.size = {4, 4, 4}, .twin_percent = 100, .tight = true, .seed = 4},
    {.size = {12, 1, 3}, .tight = true, .seed = 5}};

static const cell_options FEW[3] = {{.size = {3, 3, 5}, .tight = true, .seed = 1},
                                    {.size = {6, 2, 2}, .twin_percent = 30, .seed = 2},
                                    {.size = {2, 2, 2}, .seed = 3}};

static inline bool is_turned(const pair_list *ring, const pair_list *whole, uint32_t by) {
    bool same = ring->count == whole->count;
    for (uint32_t i = 0; same && i < whole->count; i++)
        same = memcmp(&ring->pairs[i], &whole->pairs[(i + by) % whole->count], sizeof *whole->pairs) == 0;
    return same;
}

#endif
