/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `bench sphere-tree`, and the pair of bodies that several of them look at. Private to bench/sphere_*.c. */

#ifndef LITHE_BENCH_SPHERE_INTERNAL_H
#define LITHE_BENCH_SPHERE_INTERNAL_H

#include "bench.h"

#include "core/random.h"
#include "respond/respond.h"
#include "scenes/scene.h"

lt_status lt_sphere_crowd(lt_bench *bench, lt_error *error);
lt_status lt_sphere_quality(lt_bench *bench, lt_error *error);
lt_status lt_sphere_table(lt_bench *bench, lt_error *error);
lt_status lt_sphere_speed(lt_bench *bench, lt_error *error);
lt_status lt_sphere_order(lt_bench *bench, lt_error *error);
lt_status lt_sphere_deformed(lt_bench *bench, lt_error *error);
lt_status lt_sphere_kept(lt_bench *bench, lt_error *error);

/* A scan where it is to be had, else a generated figure; 0.3 m high. */
typedef enum lt_rig_shape { LT_RIG_BUNNY, LT_RIG_ARMADILLO, LT_RIG_SHAPES } lt_rig_shape;
const char *lt_rig_shape_name(lt_rig_shape shape);
/* `quick`: always the figure, and a coarse one. */
lt_surface_recipe lt_rig_surface(lt_rig_shape shape, bool quick);
bool lt_rig_is_scan(lt_rig_shape shape);

/* Two bodies in a world without gravity, and all that the method uses to handle them: its own parts, driven by hand. */
typedef struct lt_rig {
    lt_world *world;
    lt_body_id bodies[2];
    lt_vec3 *rest[2], *placed; /* nodes */
    uint32_t node_counts[2];
    lt_sphere_side sides[2];
    lt_traverse traverse;
    lt_front_memory memory; /* zero: no front is kept */
    lt_front_pair *pool;
    lt_contact_record *records;
    lt_shape *shapes[2];
    lt_front_scratch scratch;
    lt_arena arena;
    lt_allocator allocator;
} lt_rig;

enum { LT_RIG_POOL = 65536, LT_RIG_RECORDS = 4096 };

/* Shapes have the standard tree and are baked once in a process. */
lt_status lt_rig_create(lt_rig *rig, lt_rig_shape a, lt_rig_shape b, bool quick, lt_error *error);
lt_collider *lt_rig_collider(const lt_rig *rig, int body);
/* Safe on zeroed ones. */
void lt_rig_free(lt_rig *rig);

typedef struct lt_rig_pose {
    lt_quat rotations[2];
    lt_vec3 direction; /* unit, of b from a */
    float distance;    /* m */
} lt_rig_pose;
void lt_rig_place(lt_rig *rig, const lt_rig_pose *pose);
/* Turned at random, and as far apart that the trees have between 200 and 500 pairs of leaves that touch. */
lt_rig_pose lt_rig_slight_pose(lt_rig *rig, lt_random *random);
/* The one nearly where the other is. */
lt_rig_pose lt_rig_overlap_pose(void);
lt_quat lt_random_turn(lt_random *random);

/* The front at the roots; `stale`: all spheres have to be refreshed. */
void lt_rig_begin(lt_rig *rig, lt_order order, bool stale);
/* One piece, or what fits into `grant`; returns its cost, 0 at the end. */
uint32_t lt_rig_step(lt_rig *rig, uint32_t grant);
/* What the front says now. */
lt_front lt_rig_answer(lt_rig *rig);

#endif
