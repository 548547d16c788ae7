/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the files of the judge share. Private to this folder. */

#ifndef LITHE_JUDGE_JUDGE_INTERNAL_H
#define LITHE_JUDGE_JUDGE_INTERNAL_H

#include "bake/triangle_tree.h"
#include "body/body.h"
#include "judge/judge.h"
#include "mesh/closest.h"

/* A surface that moves, with a tree over its triangles. Vertices that are equal at rest (a lattice cuts its surface along
 * cells) are one vertex here: what is closed at rest stays closed. */
typedef struct lt_judge_surface {
    lt_surface mesh; /* positions as they are now; of equal vertices only the first is used */
    lt_triangle_tree tree;
    lt_box *boxes;  /* [triangle_count] of triangles, now, in the order of the tree's leaves */
    lt_box box;     /* of all vertices, now */
    bool is_closed; /* every edge has an even number of triangles: parity has no direction */
} lt_judge_surface;

enum { LT_JUDGE_SAMPLES = 64 }; /* vertices of a body that are followed through obstacles */

/* Where a sample was outside an obstacle for the last time. */
typedef struct lt_judge_trail {
    lt_vec3 position, normal; /* in the obstacle's frame; the normal out of it */
    bool was_inside;          /* since then */
    bool passed;
} lt_judge_trail;

typedef struct lt_judge_body {
    lt_body_id id;
    lt_shape *shape;    /* retained */
    lt_carrier carrier; /* the finest mesh of a ladder */
    lt_material material;
    double young; /* Pa, that the last step computed with */
    lt_model model;
    uint32_t group, mask;
    double scale;
    double size; /* m, as the judge began */
    lt_judge_surface surface;
    const uint32_t *point_elements; /* [vertex_count] the tet or cell that holds the vertex */
    lt_vec3 *nodes, *velocities;    /* [node_count] */
    double *masses;                 /* [node_count] kg */
    uint32_t *inner;                /* [inner_count] elements whose middles are inside the surface at rest */
    uint32_t inner_count;
    uint32_t *sets;  /* [vertex_count] of depth.c */
    uint8_t *met;    /* [triangle_count] triangles that meet the other surface of a pair */
    uint8_t *sides;  /* [vertex_count] of a set: not known, outside, inside */
    lt_array trails; /* of lt_judge_trail [obstacle_count][LT_JUDGE_SAMPLES] */
    bool is_finite;  /* positions and velocities, now */
} lt_judge_body;

typedef struct lt_judge_obstacle {
    lt_obstacle_id id;
    uint32_t group, mask;
    lt_judge_surface local;          /* mesh: in its own frame; else empty */
    lt_obstacle_state state, before; /* now; after the last step */
} lt_judge_obstacle;

struct lt_judge {
    lt_world *world;
    lt_vec3 gravity;
    double from[3]; /* the origin of the def that was added first: all places are offsets from it */
    lt_allocator allocator;
    lt_array bodies;    /* of lt_judge_body * */
    lt_array obstacles; /* of lt_judge_obstacle */
    lt_array hits;      /* of uint32_t[2]: triangles of a pair that meet */
    lt_box start;       /* of all bodies, and of obstacles that have an end */
    uint32_t excluded;
    bool has_begun;
    double work, energy_at_start, energy_least, energy_scale;
};

static inline bool lt_judge_may_meet(uint32_t group_a, uint32_t mask_a, uint32_t group_b, uint32_t mask_b) {
    return (group_a & mask_b) != 0 && (group_b & mask_a) != 0;
}
static inline lt_judge_body *lt_judge_body_at(const lt_judge *judge, size_t index) {
    return ((lt_judge_body **)judge->bodies.items)[index];
}
/* Three corners in double. */
static inline void lt_judge_corners(const lt_judge_surface *surface, uint32_t triangle, lt_dvec3 corners[3]) {
    lt_triangle_corners(&surface->mesh, triangle, corners);
}

/* ---- judge.c: the two halves of a check ---- */

void lt_judge_read(lt_judge *judge);
lt_status lt_judge_look(lt_judge *judge, lt_judgement *out, lt_error *error);

/* ---- solid.c ---- */

/* Copies and welds; safe to free in any case. */
lt_status lt_judge_surface_create(lt_judge_surface *out, const lt_surface *surface,
                                  const lt_allocator *allocator, lt_error *error);
void lt_judge_surface_free(lt_judge_surface *surface);
/* After positions were written. */
void lt_judge_surface_update(lt_judge_surface *surface);
lt_status lt_judge_body_create(lt_judge_body **out, lt_world *world, lt_body_id id, const lt_body_def *def,
                               const lt_allocator *allocator, lt_error *error);
void lt_judge_body_free(lt_judge_body *body, const lt_allocator *allocator);
/* Reads the world. */
void lt_judge_body_update(lt_judge_body *body, lt_world *world, const double from[3]);
/* After nodes or surface were written. */
void lt_judge_check_finite(lt_judge_body *body);
/* The middle of a tet or cell, as its nodes are now. */
lt_dvec3 lt_judge_middle(const lt_judge_body *body, uint32_t element);
/* Do the tets or cells that hold the two triangles share a node? */
bool lt_judge_share_node(const lt_judge_body *body, uint32_t a, uint32_t b);

/* ---- depth.c ---- */

/* Is the point inside, by parity? Of a surface that is closed in any one direction, of others in two of three. */
bool lt_judge_is_inside(const lt_judge_surface *surface, lt_dvec3 point);
/* To the nearest point of the surface; 0 without triangles. */
double lt_judge_distance(const lt_judge_surface *surface, lt_dvec3 point);
/* The deepest point of `a` inside `b`; `met` of a is filled when `meets`. */
double lt_judge_depth_in(lt_judge_body *a, const lt_judge_body *b, bool meets);

/* ---- crossings.c ---- */

/* Pairs of triangles that meet, into judge->hits, of a and of b. False: out of memory. */
bool lt_judge_cross(lt_judge *judge, const lt_judge_surface *a, const lt_judge_surface *b);
/* The same of a surface with itself, without pairs that have a vertex in common. */
bool lt_judge_cross_itself(lt_judge *judge, const lt_judge_surface *surface);

/* ---- obstacles.c ---- */

/* Its state as the world has it. */
void lt_judge_obstacle_update(lt_judge_obstacle *obstacle, const lt_world *world, const double from[3]);
lt_box lt_judge_obstacle_box(const lt_judge_obstacle *obstacle); /* empty: a plane */
/* Depths below obstacles, and who is lost. False: out of memory. */
bool lt_judge_look_below(lt_judge *judge, lt_judgement *out);

/* ---- energy.c ---- */

void lt_judge_weigh(lt_judge_body *body);
double lt_judge_elastic(const lt_judge_body *body);
void lt_judge_sum_energy(lt_judge *judge, lt_judgement *out);
/* Of one obstacle from where it was to where it is, with the load of the step. */
double lt_judge_work_of(const lt_judge_obstacle *obstacle, const lt_world *world);

#endif
