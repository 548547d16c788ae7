/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The judge: what became of the bodies of a world, found from outside.
 *
 *   judge.c      bodies, obstacles and the start; one check as a list of steps
 *   solid.c      one body as the judge has it: surface, tree, nodes, masses
 *   crossings.c  triangles that meet: of two bodies, of one body with itself
 *   depth.c      points of one body that are inside another one, and how far
 *   obstacles.c  points below obstacles, bodies that are lost
 *   energy.c     kinetic and elastic energy by the law of each model; work of moved obstacles
 *   scene.c      a judge for a scene (judge/scene.h)
 *
 * Nothing here asks a method, its contacts, its depths or its bounds: positions come from lt_body_surface and
 * lt_body_get_nodes, solids from the shapes, and which triangles meet is decided by exact tests. What is asked of the
 * library changes no state, so a run that is judged has the same bits as one that is not. Memory is taken when bodies
 * are added and when surfaces meet for the first time; nothing is taken in a step.
 *
 * `src/` never includes this folder. docs/judge.md has the definitions for users. */

#ifndef LITHE_JUDGE_JUDGE_H
#define LITHE_JUDGE_JUDGE_H

#include "lithe/world.h"

typedef unsigned long long lt_judge_uint;
typedef double lt_judge_double;

/* Size of a body: the longest side of the box of its surface as the judge began. Surfaces of two bodies are compared where
 * their groups and masks let them meet. X(type, name):
 *   depth            m: the deepest point of one body inside another, to the nearest point of the other's surface. Points are the
 *                    vertices of the surface, and the middles of the tets or cells that lie inside it at rest
 *   depth_share      the same over the size of the smaller of the two, the largest of all pairs
 *   depth_a, depth_b the pair of depth_share, as indices into the order in which bodies were added; 0, 0: none
 *   overlapping      pairs of bodies with a point inside            intersecting   pairs of bodies whose surfaces meet (touching counts)
 *   crossings        pairs of triangles of two bodies that meet     self_crossings the same of one body, without a vertex in common, and
 *                                                                                  whose tets or cells share no node
 *   folded           the same, whose tets or cells share a node
 *   below            m: the deepest vertex inside an obstacle, or corner of a box or mesh obstacle inside a body
 *   below_share      over the size of the body, the largest
 *   lost             bodies that are one of the next four
 *   not_finite       bodies with a position or velocity that is not a finite number: they are left out of all the rest
 *   sunken           bodies with more than half of their vertices inside one obstacle
 *   passed           bodies of which more than half has gone through an obstacle and out on its other side
 *   away             bodies farther from the start's box than ten times its longest side
 *   kinetic elastic potential   J, of all bodies; potential is 0 at the origin
 *   work             J done so far on the bodies by obstacles that moved (force on the obstacle times its way, and torques)
 *   energy           kinetic + elastic + potential - work
 *   energy_excess    energy less that at the start: above 0 is energy from nothing
 *   energy_rise      energy less the least of all checks so far: what contacts have stored and give back is in it
 *   energy_share     energy_rise over the sum of m |g| size and the kinetic energy at the start; NaN where that is 0
 *   speed_max        m/s, of the fastest node                        speed_mean    m/s, root of 2 kinetic / mass
 *   height_mean      m, of the centres of mass against gravity (without gravity: along y)
 *   not_counted      bits of lt_judge_uncounted: what energy does not contain */
#define LT_JUDGE_LIST(X)                                                                                     \
    X(double, depth)                                                                                         \
    X(double, depth_share)                                                                                   \
    X(uint, depth_a)                                                                                         \
    X(uint, depth_b)                                                                                         \
    X(uint, overlapping)                                                                                     \
    X(uint, intersecting)                                                                                    \
    X(uint, crossings)                                                                                       \
    X(uint, self_crossings)                                                                                  \
    X(uint, folded)                                                                                          \
    X(double, below)                                                                                         \
    X(double, below_share)                                                                                   \
    X(uint, lost)                                                                                            \
    X(uint, not_finite)                                                                                      \
    X(uint, sunken)                                                                                          \
    X(uint, passed)                                                                                          \
    X(uint, away)                                                                                            \
    X(double, kinetic)                                                                                       \
    X(double, elastic)                                                                                       \
    X(double, potential)                                                                                     \
    X(double, work)                                                                                          \
    X(double, energy)                                                                                        \
    X(double, energy_excess)                                                                                 \
    X(double, energy_rise)                                                                                   \
    X(double, energy_share)                                                                                  \
    X(double, speed_max)                                                                                     \
    X(double, speed_mean)                                                                                    \
    X(double, height_mean)                                                                                   \
    X(uint, not_counted)

typedef struct lt_judgement {
#define LT_JUDGE_FIELD(type, name) lt_judge_##type name;
    LT_JUDGE_LIST(LT_JUDGE_FIELD)
#undef LT_JUDGE_FIELD
} lt_judgement;

/* What energy does not contain. Forces of the caller and pins that are moved do work that cannot be read from a world:
 * whoever uses them says so with lt_judge_exclude. */
#define LT_JUDGE_UNCOUNTED_LIST(X)                                                                           \
    X(MATCHING, "lattice-matching") /* elastic energy of the model is not computed */                        \
    X(LADDER, "ladder")             /* multigrid: energies of the finest mesh, as its nodes follow */        \
    X(HANDLES, "handles")           /* their springs, and the work of moving them */                         \
    X(PINS, "pins")                 /* moved by the caller */                                                \
    X(FORCES, "forces")             /* of the caller */

typedef enum lt_judge_uncounted {
#define LT_JUDGE_UNCOUNTED_INDEX(NAME, text) LT_JUDGE_INDEX_##NAME,
    LT_JUDGE_UNCOUNTED_LIST(LT_JUDGE_UNCOUNTED_INDEX) LT_JUDGE_UNCOUNTED_COUNT,
#undef LT_JUDGE_UNCOUNTED_INDEX
#define LT_JUDGE_UNCOUNTED_BIT(NAME, text) LT_JUDGE_UNCOUNTED_##NAME = 1 << LT_JUDGE_INDEX_##NAME,
    LT_JUDGE_UNCOUNTED_LIST(LT_JUDGE_UNCOUNTED_BIT)
#undef LT_JUDGE_UNCOUNTED_BIT
} lt_judge_uncounted;

typedef struct lt_judge lt_judge;

/* The world must outlive the judge. Gravity is that of the world's def: changing it later makes energies wrong. */
lt_status lt_judge_create(lt_judge **out, lt_world *world, lt_vec3 gravity, const lt_allocator *allocator,
                          lt_error *error);
void lt_judge_destroy(lt_judge *judge);
/* A body with the def that it was added to the world with; an obstacle likewise, whose mesh is copied. Bodies that are
 * removed from the world must not be judged any more. */
lt_status lt_judge_add_body(lt_judge *judge, lt_body_id body, const lt_body_def *def, lt_error *error);
lt_status lt_judge_add_obstacle(lt_judge *judge, lt_obstacle_id obstacle, const lt_obstacle_def *def,
                                lt_error *error);
/* Bits of lt_judge_uncounted that no check can find out. */
void lt_judge_exclude(lt_judge *judge, uint32_t uncounted);
/* Once, after all was added: sizes, the start's box and energy. */
lt_status lt_judge_begin(lt_judge *judge, lt_error *error);
/* After every step of the world: the work of obstacles that moved. Takes no more than a look at each obstacle. */
void lt_judge_step(lt_judge *judge);
/* The state as it is now. LT_STATUS_MEMORY is all that can go wrong. */
lt_status lt_judge_check(lt_judge *judge, lt_judgement *out, lt_error *error);
/* Energies, speeds, heights and how many bodies are not finite, all else 0: for whoever looks at every step. */
void lt_judge_energies(lt_judge *judge, lt_judgement *out);
/* Of every field the larger of two; `is_first`: there is no worst yet. A NaN gives way. */
void lt_judge_keep_worst(lt_judgement *worst, const lt_judgement *now, bool is_first);
/* "handles, pins": the names of the bits, or "nothing". */
void lt_judge_name_uncounted(uint32_t uncounted, char *text, size_t capacity);

#endif
