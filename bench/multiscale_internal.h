/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `bench multiscale`. Private to bench/multiscale_*.c.
 *
 *   lt_fine_shape  a dense surface on few tets, with all that is made of it once
 *   lt_fine_body   one body of it, moved by hand: where its nodes are at both ends of a step
 *   lt_fine_pair   two bodies, or one and itself: where their surfaces meet in the step
 *
 * A step is done in one of several ways (lt_fine_way) by the library's own parts; time is taken around each of them. */

#ifndef LITHE_BENCH_MULTISCALE_INTERNAL_H
#define LITHE_BENCH_MULTISCALE_INTERNAL_H

#include "bench.h"

#include "bench/whole/whole.h"
#include "core/os.h"
#include "detect/query.h"
#include "measure.h"
#include "mesh/mesh.h"
#include "mesh/spatial_hash.h"

enum { LT_FINE_FRAMES = 120, LT_FINE_MEETINGS = 1 << 18, LT_FINE_FRONT_PAIRS = 1 << 17 };

lt_status lt_fine_knot_frames(lt_bench *bench, lt_error *error);
lt_status lt_fine_bunny_frames(lt_bench *bench, lt_error *error);
lt_status lt_fine_table(lt_bench *bench, lt_error *error);
lt_status lt_fine_sets(lt_bench *bench, lt_error *error);
lt_status lt_fine_ccd_truth(lt_bench *bench, lt_error *error);
lt_status lt_fine_ccd_time(lt_bench *bench, lt_error *error);
lt_status lt_fine_response(lt_bench *bench, lt_error *error);
lt_status lt_fine_poke(lt_bench *bench, lt_error *error);
lt_status lt_fine_limits(lt_bench *bench, lt_error *error);
lt_status lt_fine_fall(lt_bench *bench, lt_error *error);

/* ---- shapes ---- */

typedef struct lt_fine_shape {
    lt_shape *shape;
    lt_carrier carrier;
    lt_skin skin;
    lt_multiscale_tree tree;
    lt_multiscale_order order; /* of its boxes */
    lt_feature_owners owners;
    lt_self_tets tets;
    lt_box box; /* of the surface at rest */
    /* Of a plain one: what points hang on, in the order of its tree */
    uint32_t *plain_ids;  /* [point_count][4] */
    float *plain_weights; /* [point_count][4] */
    lt_allocator allocator;
} lt_fine_shape;

/* Takes the shape over, in any case. It must stay where it is. On failure *out is zeroed. */
lt_status lt_fine_shape_take(lt_fine_shape *out, lt_bench *bench, lt_shape *shape, lt_error *error);
/* Safe on zeroed ones. */
void lt_fine_shape_free(lt_fine_shape *dense);
/* A surface on the tets of a carrier. */
lt_status lt_fine_shape_of(lt_fine_shape *out, lt_bench *bench, const lt_tet_mesh *carrier,
                           const lt_surface *surface, lt_error *error);
/* The same surface on the same tets, every triangle in four, `times` over. */
lt_status lt_fine_shape_subdivide(lt_fine_shape *out, lt_bench *bench, const lt_fine_shape *coarse,
                                  uint32_t times, lt_error *error);
/* The same surface, its triangles whole, in a tree that knows nothing of tets: for LT_FINE_REFIT and LT_FINE_HASH only, moved
 * by the nodes of the same carrier. `dense` must outlive it. */
lt_status lt_fine_shape_plain(lt_fine_shape *out, lt_bench *bench, const lt_fine_shape *dense,
                              lt_error *error);
/* Triangles of the surface before it was cut at tets, pieces, tets, records of the cut. */
void lt_fine_shape_numbers(lt_bench *bench, const lt_fine_shape *dense);
/* Records of the boxes that are fitted in every step. */
uint32_t lt_fine_cut_records(const lt_fine_shape *dense);

/* ---- bodies ---- */

typedef struct lt_fine_body {
    const lt_fine_shape *dense;
    lt_multiscale boxes;
    lt_self self;
    float *from, *to; /* [node_count][4] */
    lt_box box;       /* of both */
    double place;     /* for its motion to know */
    lt_allocator allocator;
} lt_fine_body;

/* `dense` must outlive it. `tree` NULL: that of the shape. `def` NULL: defaults. On failure *out is zeroed. */
lt_status lt_fine_body_create(lt_fine_body *out, const lt_fine_shape *dense, const lt_multiscale_tree *tree,
                              lt_multiscale_bound bound, const lt_self_def *def, lt_error *error);
void lt_fine_body_free(lt_fine_body *body);
/* After nodes were written. */
void lt_fine_body_measure(lt_fine_body *body);

static inline lt_dvec3 lt_fine_rest(const lt_fine_body *body, uint32_t node) {
    const double *x = body->dense->carrier.rest + 3 * (size_t)node;
    return (lt_dvec3){x[0], x[1], x[2]};
}
static inline void lt_fine_put(float *nodes, uint32_t node, lt_dvec3 x) {
    nodes[4 * (size_t)node] = (float)x.x;
    nodes[4 * (size_t)node + 1] = (float)x.y;
    nodes[4 * (size_t)node + 2] = (float)x.z;
    nodes[4 * (size_t)node + 3] = 0;
}

/* ---- pairs, and ways to find where they meet ---- */

typedef enum lt_fine_way {
    LT_FINE_MULTISCALE, /* tets marked (of a body with itself), the cut fitted, the rest on demand */
    LT_FINE_FRONT,      /* the same, but the query begins where that of the step before ended */
    LT_FINE_REFIT,      /* the whole tree refitted from the triangles up; every box may meet every other */
    LT_FINE_HASH        /* boxes of all triangles in a spatial hash */
} lt_fine_way;

typedef struct lt_fine_pair {
    lt_fine_body *a, *b; /* the same: with itself */
    lt_query query;
    lt_query_front front;
    /* Of the hash */
    lt_box *triangle_boxes; /* [triangle_count of a] */
    lt_spatial_hash hash;
    lt_allocator allocator;
} lt_fine_pair;

typedef struct lt_fine_times {
    double fit_us, tets_us, query_us, whole_us;
} lt_fine_times;

lt_status lt_fine_pair_create(lt_fine_pair *out, lt_fine_body *a, lt_fine_body *b, lt_error *error);
/* Room for LT_FINE_HASH, of a body with itself. */
lt_status lt_fine_pair_reserve_hash(lt_fine_pair *pair, lt_error *error);
void lt_fine_pair_free(lt_fine_pair *pair);
/* One step; contacts are in the query. */
lt_fine_times lt_fine_step(lt_fine_pair *pair, lt_fine_way way);
/* Tests of triangles, as of a query: for ways that find pairs elsewhere. Of one surface in any order. */
void lt_fine_test_pairs(lt_fine_pair *pair, const lt_spatial_pair *pairs, uint32_t count);
/* Since the last lap. */
double lt_fine_lap_us(uint64_t *since_ns);
/* The least of some. */
lt_fine_times lt_fine_time_step(lt_fine_pair *pair, lt_fine_way way, uint32_t repetitions);

/* ---- Embree, in builds that have it ---- */

typedef struct lt_fine_embree lt_fine_embree;

bool lt_fine_embree_exists(void);
/* Refits trees of its own over the triangles of a pair, which must outlive it. */
lt_status lt_fine_embree_create(lt_fine_embree **out, lt_fine_pair *pair, lt_error *error);
/* NULL is allowed. */
void lt_fine_embree_free(lt_fine_embree *embree);
/* One step; contacts are in the query of the pair. */
lt_fine_times lt_fine_embree_step(lt_fine_embree *embree);

/* ---- the bodies of this bench ---- */

/* Where the nodes are at a time from 0 to 1. */
typedef void lt_fine_motion(float *nodes, const lt_fine_body *body, double time);

/* A trefoil of 42,254 triangles on tets that follow its tube; few triangles when quick. */
lt_status lt_fine_knot(lt_fine_shape *out, lt_bench *bench, lt_error *error);
/* It sways and turns, and is then pressed flat until its strands lie on each other. */
lt_fine_motion lt_fine_knot_motion;
/* The bunny's scan on about 1,000 tets, or, where it is not there, a generated bear of as many triangles. */
lt_status lt_fine_bunny(lt_fine_shape *out, lt_bench *bench, lt_error *error);
/* What lt_fine_bunny is. */
const char *lt_fine_bunny_name(void);

/* Puts a body where another is. */
void lt_fine_body_follow(lt_fine_body *body, const lt_fine_body *other);
/* Moves a body from frame to frame + 1 of LT_FINE_FRAMES. */
void lt_fine_body_move(lt_fine_body *body, lt_fine_motion *motion, uint32_t frame);

#endif
