/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A cloud of points that boxes are asked for: which of you are in here? Points are hashed once; tets, triangles or whatever
 * else has a box is then taken over them, one after the other (papers/001 after Teschner et al. 2003: many elements ask few
 * points). Points may have a reach of their own: then a box is asked grown by the reach of each.
 *
 *     entries of the hash    |  row y=3 z=7: cells x = 2, 3, 4  |  row y=4 z=7 …
 *     blocks of eight points |  in the same order: the points of a block are tested at once
 *
 * With the hash that keeps neighbours together the cells of a row are one run of entries; with Teschner's each cell is a row.
 * Rows of different cells may share buckets: who passes the box is asked for its cell, so that nobody comes twice.
 *
 * Points are of kinds (whose they are), and one kind may be left out: a body does not ask for its own points.
 * A walk over a box can stop after any block of eight and go on later. Workload: 10⁵ boxes of some ten cells a cycle, two or
 * three points in each. */

#ifndef LITHE_DETECT_CLOUD_H
#define LITHE_DETECT_CLOUD_H

#include "core/simd.h"
#include "mesh/spatial_hash.h"

typedef struct lt_cloud {
    lt_spatial_hash hash;
    lt_vec3 *positions; /* [capacity] by item */
    float *reaches;     /* [capacity] by item */
    float *kinds;       /* [capacity] by item: whole numbers */
    uint32_t *items;    /* [capacity] what an item stands for: the caller's number */
    float *blocks;      /* [capacity / 8 + 1][5][8] x, y, z, reach, kind by entry, in blocks of eight */
    uint32_t *owners;   /* [capacity] items[] by entry */
    uint32_t capacity, count;
    uint32_t sorted; /* entries whose columns are there */
    float longest_reach;
    lt_allocator allocator;
} lt_cloud;

/* Where a walk over a box stands. */
typedef struct lt_cloud_walk {
    uint32_t row; /* LT_NONE: it is through */
    uint32_t at;  /* blocks of the row that are passed */
} lt_cloud_walk;

/* Points in `box`, grown by `share` of their reach; of one kind only, or of all kinds but one. */
typedef struct lt_cloud_question {
    lt_box box;
    float share;
    float only, but; /* LT_CLOUD_ANY: no matter */
    uint32_t enough; /* a walk stops where it has so many, or, of the last eight, up to seven more */
} lt_cloud_question;

#define LT_CLOUD_ANY (-1.0f)

enum { LT_CLOUD_VISITS = 32 }; /* a walk stops after so many rows and blocks of eight in any case */

typedef struct lt_cloud_kernels {
    /* Entries that the question is about, from where the walk stands; `out` has room for enough + 7. Returns their number. */
    uint32_t (*find)(uint32_t *out, const lt_cloud *cloud, const lt_cloud_question *question,
                     lt_cloud_walk *walk);
} lt_cloud_kernels;

const lt_cloud_kernels *lt_cloud_kernels_for(lt_simd_level level);

lt_status lt_cloud_reserve(lt_cloud *cloud, uint32_t capacity, const lt_allocator *allocator,
                           lt_error *error);
void lt_cloud_free(lt_cloud *cloud);

/* Empties it. */
void lt_cloud_clear(lt_cloud *cloud);
/* False when it is full. */
bool lt_cloud_add(lt_cloud *cloud, uint32_t item, uint32_t kind, lt_vec3 position, float reach);
/* After the last was added: sorts them into cells, a cursor; at most `grant` elements a step. */
void lt_cloud_begin(lt_cloud *cloud, float cell_size, lt_spatial_function function);
void lt_cloud_step(lt_cloud *cloud, uint32_t grant);
static inline bool lt_cloud_is_done(const lt_cloud *cloud) {
    return lt_spatial_hash_is_done(&cloud->hash) && cloud->sorted == cloud->hash.entry_count;
}
/* All steps of `grant` after begin at once, on many threads, with the same result; of a cloud that is not empty. Returns how many steps that are; before, that
 * many at most (points that are no numbers save some). */
uint32_t lt_cloud_build(lt_cloud *cloud, uint32_t grant, lt_tasks *tasks);
uint32_t lt_cloud_step_count(const lt_cloud *cloud, uint32_t grant);
enum { LT_CLOUD_BLOCK = 5 * 8 };
static inline float *lt_cloud_value(const lt_cloud *cloud, uint32_t entry, uint32_t column) {
    return cloud->blocks + LT_CLOUD_BLOCK * (size_t)(entry / 8) + 8 * column + entry % 8;
}

/* A text on what is wrong with one that is sorted; NULL: nothing is. */
const char *lt_validate_cloud(const lt_cloud *cloud);

#endif
