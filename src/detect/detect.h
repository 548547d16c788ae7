/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Seam of detect/: from volumes to candidate pairs to touches.
 *
 *   collider   what detection sees of a body: its points now, its boxes, whom it may meet
 *   obstacle   something solid of infinite mass, known by its signed distance
 *   pair       two bodies, one body with itself, or a body and an obstacle, whose boxes overlap; kept over steps
 *              with its turn and how far its points have been tested
 *   touch      one point inside (or about to be inside) the other side: what respond/ makes a contact of
 *
 * Depth of a point inside a body: the point is pulled back to the body at rest by the weights of the tet that holds
 * it, and the rest surface's distance there is divided by how much the tet stretches its gradient. So the surface
 * decides, not the cage, however fat the cage is. */

#ifndef LITHE_DETECT_DETECT_H
#define LITHE_DETECT_DETECT_H

#include "bound/bound.h"
#include "bound/cell_boxes.h"
#include "detect/traverse.h"
#include "pair/table.h"

struct lt_moving_surface;
struct lt_obstacle;

typedef struct lt_collider {
    bool in_use;
    bool asleep;
    bool self_collision;
    uint32_t group, mask;
    float friction;
    float significance;
    const lt_soft *soft;
    const lt_skin *skin;
    lt_vec3 *points; /* [skin->point_count] surface positions, while points_fresh; NULL: of a lattice */
    lt_tet_boxes tet_boxes; /* while fresh; of a lattice none */
    lt_cell_boxes cells;    /* of a lattice, where the method wants them; cells.layout NULL: none */
    lt_spheres spheres;     /* of a shape with a sphere tree; spheres.tree NULL: it has none */
    const uint32_t *
        parts; /* [LT_PART_COUNT][LT_PART_NODES] of the method's tree (attachment.c); NULL: those of the spheres, if any */
    float parts_radius; /* of the body at rest, unscaled; with parts */
    /* Of a shape with a multiscale tree (moving_surface.h), where the method wants it; NULL: it has none */
    struct lt_moving_surface *surface;
    struct lt_obstacle
        *obstacles;    /* [obstacle_count] as its frame sees them in this step; NULL: as they are */
    bool lost_contact; /* a contact with another body ended in this step: whoever sleeps on it wakes */
    float held_back;   /* m/s, that its fastest node would have gone in this step if it had not been held */
    bool points_fresh; /* points are those of the nodes now */
    bool fresh;        /* points and tet boxes are */
    lt_box box;        /* holds the surface; like points and all bounds in the frame of the body */
    lt_vec3 velocity;  /* of the mean node, for priorities and margins */
    float reach;       /* m, fastest node × dt: how far anything of it gets in this step */
    float spread;      /* m, likewise, beyond what the mean node gets */
} lt_collider;

static inline bool lt_collider_is_of_cells(const lt_collider *collider) {
    return collider->soft->carrier.cell_count > 0;
}

/* Points and tet boxes of a body of tets, piece by piece. */
typedef struct lt_refresh {
    lt_collider *collider;
    const lt_embed_kernels *kernels;
    bool points_only; /* tet boxes are not wanted: against obstacles */
    bool boxes_only;  /* points are not: who asks places those that it needs */
    uint32_t next_point, next_group;
} lt_refresh;
/* Cost 0 when the collider is as fresh as wanted. */
lt_piece lt_refresh_peek(const lt_refresh *refresh);
/* One piece. */
void lt_refresh_step(lt_refresh *refresh);
/* All at once, outside any budget: for bodies that are added, restored or fall asleep. */
void lt_collider_refresh(lt_collider *collider, const lt_embed_kernels *kernels);
/* Area that a surface point stands for, m². */
static inline float lt_collider_point_area(const lt_collider *collider, uint32_t point) {
    LT_ASSERT(point < collider->skin->point_count);
    float scale = collider->skin->scale;
    return collider->skin->areas[point] * scale * scale;
}
/* The nodes have moved. */
static inline void lt_collider_outdate(lt_collider *collider) {
    collider->points_fresh = collider->fresh = false;
    lt_spheres_outdate(&collider->spheres);
}
/* A text on what is wrong with it between two steps; NULL: nothing is. */
const char *lt_validate_collider(const lt_collider *collider);
/* Box, mean velocity, reach and spread for a step of dt. */
void lt_collider_measure(lt_collider *collider, float dt, const lt_bound_kernels *kernels);

/* All bodies that move: measured, and outdated. */
typedef struct lt_measuring {
    lt_collider *colliders;
    uint32_t collider_count;
    float dt;
    const lt_bound_kernels *kernels;
    lt_tasks *tasks;      /* NULL: none */
    uint32_t next, begin; /* of what is granted */
} lt_measuring;
lt_cursor lt_measuring_cursor(lt_measuring *measuring);

/* Distance to the surface of a grid, and its gradient, for contacts that are still to come. Beyond the grid
 * lt_distance_grid_sample gives a lower bound; a contact must not begin before the surface is reached, so here the way to
 * the grid is added: exact straight above a face, never less than the distance. */
float lt_distance_to_meet(const lt_distance_grid *grid, lt_vec3 point, lt_vec3 *gradient);

/* ---- obstacles ---- */

typedef struct lt_obstacle {
    bool in_use;
    lt_obstacle_kind kind;
    float radius, half_length;
    lt_vec3 half_extents;
    lt_vec3 local_normal;  /* plane */
    lt_distance_grid grid; /* mesh */
    uint32_t group, mask;
    float friction;
    void *user_data;
    /* Pose now, and where the caller wants it at the end of the next step: positions are offsets from the origin */
    double origin[3];
    lt_vec3 position, target_position;
    lt_quat rotation, target_rotation;
    lt_vec3 axes[3]; /* local x, y, z in the world, of the pose now */
    bool moving;
    lt_vec3 velocity, angular_velocity; /* over the coming step */
    /* Output of the last step */
    lt_vec3 force, torque;
} lt_obstacle;

typedef struct lt_obstacle_hit {
    float distance; /* signed; negative inside */
    lt_vec3 normal; /* unit, outward, world */
} lt_obstacle_hit;

/* The obstacle with its positions as offsets from another origin; distances there are as fine as those near the world's origin. */
lt_obstacle lt_obstacle_from(const lt_obstacle *obstacle, const double origin[3]);
/* Adds the load on an obstacle that was seen so to its own. */
void lt_obstacle_add_load(lt_obstacle *obstacle, const lt_obstacle *seen);
/* An obstacle of a pair as the frame of its body sees it: every place that is compared with it is in that frame. */
static inline lt_obstacle *lt_obstacle_at(const lt_collider *body, lt_obstacle *obstacles, uint32_t index) {
    return (body->obstacles ? body->obstacles : obstacles) + index;
}
static inline const lt_obstacle *lt_obstacle_seen(const lt_collider *body, const lt_obstacle *obstacles,
                                                  uint32_t index) {
    return (body->obstacles ? body->obstacles : obstacles) + index;
}

lt_obstacle_hit lt_obstacle_distance(const lt_obstacle *obstacle, lt_vec3 point);
/* How far along a ray (`along` is of unit length) its surface is met, from either side; INFINITY: not before the limit. Meshes
 * are met where their grid of distances is zero; pieces of them thinner than a sixteenth of a cell may be missed. */
double lt_obstacle_meet(const lt_obstacle *obstacle, lt_dvec3 from, lt_dvec3 along, double limit,
                        lt_vec3 *normal);
/* Velocity of the obstacle's material at a point. */
lt_vec3 lt_obstacle_velocity(const lt_obstacle *obstacle, lt_vec3 point);
/* How far anything in the box is from it, at least; below 0: some of it may be inside. */
float lt_obstacle_gap(const lt_obstacle *obstacle, lt_box box);
/* Whether anything in the box, grown by `margin`, may touch it: conservative. */
bool lt_obstacle_may_touch(const lt_obstacle *obstacle, lt_box box, float margin);
/* How far its material gets within the box in a step of dt at its velocities now, at most: what a margin must allow. */
float lt_obstacle_sweep(const lt_obstacle *obstacle, lt_box box, float dt);
/* A text on what is wrong with it between two steps; NULL: nothing is. */
const char *lt_validate_obstacle(const lt_obstacle *obstacle);
/* Puts it at a pose at once. */
void lt_obstacle_place(lt_obstacle *obstacle, lt_vec3 position, lt_quat rotation);
/* Velocities for a step of dt from the pose now to the target; then, after the step, the pose is the target. */
void lt_obstacle_plan(lt_obstacle *obstacle, float dt);
void lt_obstacle_arrive(lt_obstacle *obstacle);

/* ---- pairs ---- */

/* Points a pair has to test in a full round. */
uint32_t lt_pair_point_count(const lt_pair *pair, const lt_collider *colliders);

typedef struct lt_broad_input {
    const lt_collider *colliders;
    uint32_t collider_count;
    const lt_obstacle *obstacles;
    uint32_t obstacle_count;
    bool self_collision;
    float dt; /* s, of the step for which pairs are wanted */
    lt_simd_level level;
} lt_broad_input;

/* Boxes by coordinate, for tests of eight at once; eight empty ones follow the last. */
typedef struct lt_box_columns {
    float *lo[3], *hi[3]; /* [count + 8] grown by reach and by what spheres stand out */
    float *slack;         /* [count + 8] m, how much farther an obstacle is still near */
    uint32_t count;
} lt_box_columns;

/* Of the body in a place of the columns: what decides whom it may meet. */
typedef struct lt_broad_item {
    uint32_t body;
    uint32_t group, mask;
    uint32_t strip_end; /* places behind this one and before here may overlap it along the axis */
    bool asleep;
} lt_broad_item;

/* The broad phase as a cursor. Bodies are sorted by where their boxes begin along the axis on which they are spread
 * farthest: into as many strips as there are bodies, by counting. Every box is then tested against those that begin
 * behind it, up to the strip in which it ends. What was found is brought in order by counting, too, and in one last
 * piece the table is renewed: pairs that were there before keep their slots. Until then it is untouched.
 *
 * Made for some thousand bodies: the pairs tested are n² times the share of the axis that a body covers, eight in a
 * nanosecond or two. For 256 in a heap an eighth of the time that a hash of cells took. */
typedef struct lt_broad {
    lt_broad_input input;
    lt_pair_table *table; /* NULL: keys are all that is wanted */
    uint32_t capacity;    /* pairs */
    /* Scratch */
    lt_box *boxes;         /* [collider_count] by slot */
    uint32_t *strip_ends;  /* [collider_count] */
    lt_box_columns sorted; /* bodies in use, by strip */
    lt_broad_item *items;  /* [sorted.count] */
    uint64_t *hits;        /* [collider_count / 64] bits of places */
    uint64_t *found;       /* [capacity] keys: of obstacle pairs, then body pairs, then self pairs */
    uint64_t *by_second;   /* [capacity] body pairs sorted by b */
    uint64_t *ordered;     /* [capacity] all keys that were found, as they rise: [found_count] at the end */
    uint32_t *first_ends;  /* [collider_count] how many pairs with that a, then where they end */
    uint32_t *second_ends; /* [collider_count] how many body pairs with that b, likewise */
    /* State */
    uint32_t phase;
    uint32_t next;
    double origin[3]; /* of boxes and columns */
    int axis;
    float strip_origin, strips_a_metre;
    uint32_t obstacle_found, body_found, found_count;
    uint32_t dropped;
} lt_broad;

/* False: too little scratch. */
bool lt_broad_begin(lt_broad *broad, const lt_broad_input *input, lt_pair_table *table, lt_arena *arena);
/* For those that keep nothing of a pair: at the end they read `ordered`, which is the arena's. */
bool lt_broad_begin_keys(lt_broad *broad, const lt_broad_input *input, uint32_t capacity, lt_arena *arena);
lt_cursor lt_broad_cursor(lt_broad *broad);
/* Bytes of arena lt_broad_begin takes at most. */
size_t lt_broad_scratch(uint32_t collider_count, uint32_t pair_capacity);

/* ---- touches ---- */

/* A place of a body, held by one of its tets, cells, parts or frames (attachment.c), so that it moves with the body. */
enum { LT_FRAME_COUNT = LT_PART_NODES };
#define LT_FRAME (UINT32_MAX - LT_FRAME_COUNT) /* LT_FRAME + 0 … 3 */
#define LT_PART  (LT_FRAME - LT_PART_COUNT)    /* LT_PART + 0 … 7 */
typedef struct lt_attachment {
    uint32_t tet; /* or a cell of a lattice, a part or frame */
    /* Of a tet or part: sum 1; of a frame: u, 0; of a cell: the place in it, 0. None is beyond LT_ATTACHMENT_WEIGHT_MAX */
    float weights[4];
} lt_attachment;
#define LT_ATTACHMENT_WEIGHT_MAX 1e6f

/* Whether the body has that tet, part or frame. */
bool lt_holder_exists(const lt_collider *collider, uint32_t holder);
/* Holds a place as it is now by a tet or frame; false: that is flat, or much too far away. */
bool lt_attach_at(lt_attachment *hold, const lt_collider *collider, uint32_t holder, lt_vec3 place);
/* Holds the middle of a part, and says where that is. */
lt_vec3 lt_attach_part(lt_attachment *hold, const lt_collider *collider, uint32_t part);
/* The nodes and weights through which a force at the held place acts. */
void lt_anchor_attachment(lt_anchor *out, const lt_attachment *hold, const lt_collider *collider);
static inline lt_anchor lt_attachment_anchor(const lt_attachment *hold, const lt_collider *collider) {
    lt_anchor anchor;
    lt_anchor_attachment(&anchor, hold, collider);
    return anchor;
}
/* The same for any place, as exactly as can be; false: flat. */
bool lt_anchor_at(lt_anchor *out, const lt_collider *collider, uint32_t holder, lt_dvec3 place);
/* And of one that was the held place once, `depth` below a surface with that normal: `moved` is what parts them since. Where that
 * brought it out of the surface, the anchor is where it will meet it again. */
bool lt_anchor_follow(lt_anchor *out, lt_rvec3 *moved, const lt_collider *collider, const lt_attachment *hold,
                      lt_rvec3 point, lt_rvec3 normal, lt_real depth);

typedef struct lt_touch {
    uint32_t body;  /* whose point it is */
    uint32_t point; /* of its surface; LT_NONE: the place that `own` holds */
    lt_attachment own;
    lt_attachment
        other;      /* of the other body: the tet that holds the point; its tet is LT_NONE for obstacles */
    lt_vec3 normal; /* unit, out of the other side */
    float depth;    /* > 0 inside */
    float area;     /* m² of the surface that it stands for, at rest */
    float
        apart; /* > 0: two places, this far apart, that only must not come nearer: no friction, along the line between them */
    uint32_t approximate; /* 1: of a search that was cut short; 0 */
} lt_touch;

/* Tests points against another body's (or the same body's) tets. */
typedef struct lt_point_query {
    const lt_collider *points_of;
    const lt_collider *tets_of; /* the same for self-collision: tets near the point's own are left out */
    uint32_t body;              /* index of points_of, for the touch */
    const lt_bound_kernels *kernels;
} lt_point_query;

/* Units of testing one point; 1 when its box test already says no. */
uint32_t lt_point_query_cost(const lt_point_query *query, uint32_t point);
/* True when the point is inside the other surface, or could be at the end of the step. */
bool lt_point_query_test(const lt_point_query *query, uint32_t point, lt_touch *touch);
/* The same against an obstacle; `margin` is how far apart they still count. */
bool lt_obstacle_test(const lt_collider *points_of, uint32_t body, uint32_t point,
                      const lt_obstacle *obstacle, float margin, lt_touch *touch);

/* Self-collision. Neighbours touch at all times; and around a point its own surface is always near, so that only what was far
 * from it at rest can collide: `rest` is where a place in the tet was then. */
bool lt_tets_share_node(const uint32_t *a, const uint32_t *b);
bool lt_is_far_at_rest(const lt_collider *collider, uint32_t point, uint32_t tet, lt_dvec3 rest);

/* Where a place in a tet was at rest, in units of the shape. */
lt_dvec3 lt_pull_back(const lt_carrier *carrier, uint32_t tet, const double weights[4]);
/* How deep a place that was at `rest` is below the surface there, and the gradient of that, in units of the shape (outside below 0). */
float lt_depth_in_rest(const lt_collider *collider, lt_dvec3 rest, lt_vec3 *gradient);
/* That depth as it is now, and the way out, in a tet whose corners are there now. */
float lt_depth_from_rest(const lt_collider *collider, uint32_t tet, const lt_dvec3 corners[4], float depth,
                         lt_vec3 gradient, lt_vec3 *normal);
/* Depth of a place that was at `rest`, in a tet whose corners are there now, and the way out: by the surface at rest. */
float lt_depth_at_rest(const lt_collider *collider, uint32_t tet, const lt_dvec3 corners[4], lt_dvec3 rest,
                       lt_vec3 *normal);

/* ---- spheres ---- */

/* A body's spheres, or an obstacle, as the traversal sees them. */
typedef struct lt_sphere_side {
    lt_collider *collider;       /* NULL: the obstacle */
    const lt_obstacle *obstacle; /* NULL: the body */
    const lt_sphere_kernels *kernels;
    bool as_printed; /* spheres are updated as the paper prints it */
} lt_sphere_side;

/* A tree to look at, not to traverse: it has no state and refreshes nothing. */
lt_tree lt_spheres_tree(const lt_spheres *spheres);
/* A tree whose state is `side`, which must outlive it; refreshes the root. */
lt_tree lt_sphere_side_tree(lt_sphere_side *side);
/* Of two bodies, of a body with an obstacle, and of a body with itself. */
lt_tree_test lt_spheres_against_spheres, lt_spheres_against_obstacle;
lt_tree_measure lt_spheres_gap;
lt_tree_bounds lt_spheres_bounds;
bool lt_spheres_may_collide(const void *side, uint32_t x, uint32_t y);

#endif
