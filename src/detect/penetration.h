/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One collision cycle (papers/001): which points of whose surfaces are inside which other bodies, and how deep, found by
 * spatial hashing and by what edges pierce, as one cursor that may be spread over any number of steps.
 *
 *   COPY ──► EMBED ──► OBSTACLES ──► POINTS ──► HASH_POINTS ──► TETS ──► PATHS ──► HASH_PATHS
 *              ──► TRIANGLES ──► EDGES ──► HASH_EDGES ──► PIERCE ──► BORDER ──► SPREAD ──► DONE
 *
 *   TETS       are taken over the hashed points (cloud.h): a point in a tet of another body is inside that body, if its surface
 *              says so, too; its depth is guessed from the body at rest, to be better than nothing until it is known
 *   TRIANGLES  likewise, over where points are half-way to the next cycle: each point near a surface, from within or without,
 *              is told the nearest triangle that it may come to
 *   EDGES      points outside, but near, get a contact with a depth below zero: it is there before they meet. Points inside
 *              that face what is nearest have come through that. Of the others the edges to neighbours outside are listed
 *   PIERCE     triangles over the hashed edges: where the edges leave the surface
 *   BORDER     says how deep the points inside are that these edges belong to, and which way is out
 *   SPREAD     from those to the points farther in, layer by layer; a layer sees the layers before it only, so that the
 *              result does not depend on the order. What no layer reaches (a body swallowed whole) keeps its guess
 *
 * All of it is about the moment of COPY: nodes are copied in one piece, so that a cycle that takes ten steps has the same
 * depths, bit for bit, as one that takes one. What has happened since is the response's business (it follows both sides).
 *
 * As the paper has it (`live`) there is no copy: whatever is looked at is where it is in that step. Points are hashed with how
 * far their bodies get while a cycle lasts, whether they are still inside is asked again before their depth is, and PATHS to
 * TRIANGLES are left out (erratum G2).
 *
 * A body that is nearly as it was at rest does not meet itself. Bodies that no box of another comes near take no part; of the others only points in such a box are hashed.
 *
 * What TETS, TRIANGLES, EDGES, PIERCE and SPREAD ask is one thing, what they do with the answers another:
 *
 *   probing    costs nearly all of the time, changes nothing and does not depend on how far merging has come: what is known
 *              already only spares questions whose answers would be refused
 *   merging    takes answers in the order of the elements
 *
 * An element is probed and merged at once, or, when a step is granted enough and there are threads, many are probed ahead of
 * the cursor on all of them, and merged when it gets there. Costs, cuts and results are the same to the bit: the cursor is. */

#ifndef LITHE_DETECT_PENETRATION_H
#define LITHE_DETECT_PENETRATION_H

#include "core/tasks.h"
#include "detect/cloud.h"
#include "detect/detect.h"

typedef enum lt_cycle_phase {
    LT_CYCLE_EMBED,
    LT_CYCLE_OBSTACLES,
    LT_CYCLE_POINTS,
    LT_CYCLE_HASH_POINTS,
    LT_CYCLE_TETS,
    LT_CYCLE_PATHS,
    LT_CYCLE_HASH_PATHS,
    LT_CYCLE_TRIANGLES,
    LT_CYCLE_EDGES,
    LT_CYCLE_HASH_EDGES,
    LT_CYCLE_PIERCE,
    LT_CYCLE_BORDER,
    LT_CYCLE_SPREAD,
    LT_CYCLE_DONE
} lt_cycle_phase;

/* A body that takes part, as it was. Its nodes, points, tets and triangles have numbers in the cycle. */
typedef struct lt_cycle_body {
    uint32_t slot;
    uint32_t first_node, first_point, first_tet, first_triangle;
    lt_box box;       /* of the surface, grown by the margin */
    lt_box edges;     /* of others, that may pierce it */
    uint32_t folds;   /* 1: it may meet itself */
    float margin;     /* of anything of it, at most */
    float skin;       /* m: how far apart points and surfaces are noted in any case */
    float farthest;   /* m: how far ahead of its points is looked at most */
    float speed;      /* m/s, of the fastest node */
    lt_vec3 velocity; /* of the mean node */
} lt_cycle_body;

typedef enum lt_found_status {
    LT_FOUND_GUESSED, /* inside; depth not known yet */
    LT_FOUND_BORDER,  /* depth from edges that pierce the surface */
    LT_FOUND_SPREAD,  /* depth from neighbours */
    LT_FOUND_LEFT,    /* nothing reached it: the guess stays */
    LT_FOUND_NEAR,    /* outside, within the margin */
    LT_FOUND_OBSTACLE,
    LT_FOUND_SOUGHT, /* outside, near something; the nearest triangle is not known yet */
    LT_FOUND_GONE    /* live: has come out since; or it was not near after all */
} lt_found_status;

/* A point and the body (or obstacle) that it is in or near to. */
typedef struct lt_found {
    uint32_t point;         /* of the cycle */
    uint32_t other;         /* body of the cycle, or obstacle */
    uint32_t next;          /* of the same point; LT_NONE: the last */
    uint32_t tet;           /* of the other's carrier */
    float weights[4];       /* of the point in it */
    lt_vec3 normal;         /* out of the other */
    float depth;            /* < 0: outside */
    uint32_t layer;         /* of BORDER 0, of SPREAD 1 and more; LT_NONE: not known yet */
    uint32_t status;        /* lt_found_status */
    uint32_t emitted;       /* 1 + the status last told to the response; 0: none yet */
    uint32_t triangle;      /* of the other, the nearest so far; LT_NONE: none is near */
    double nearest_squared; /* m² from there; before: as far as is looked */
} lt_found;

/* Whether it is anything for the response, yet or still. */
static inline bool lt_found_is_emitted(const lt_found *found) {
    return found->status != LT_FOUND_GONE && found->status != LT_FOUND_SOUGHT;
}

/* An edge from a point inside to a neighbour outside. */
typedef struct lt_border_edge {
    uint32_t found;    /* the point inside */
    uint32_t to;       /* the point outside, of the cycle */
    uint32_t triangle; /* of the other, where it leaves it for the last time; LT_NONE: nowhere so far */
    double parameter;  /* there, along the edge */
} lt_border_edge;

typedef struct lt_cycle_input {
    const lt_collider
        *colliders; /* alive while the cycle runs; only what belongs to the shape is read after begin */
    uint32_t collider_count;
    const lt_obstacle *obstacles;
    const lt_pair *pairs; /* of the broad phase: who may meet whom */
    uint32_t pair_count;
    float dt;
    uint32_t latency;    /* steps that this cycle may take: how far ahead margins look */
    bool fast_first;     /* points of fast bodies come first */
    bool live;           /* positions as they are in every step: lt_cycle_refresh */
    bool smooth_normals; /* depths as the paper prints them: by edges only, normals interpolated */
    lt_spatial_function function;
    const lt_embed_kernels *kernels;
    const lt_cloud_kernels *cloud_kernels;
    lt_tasks *tasks; /* NULL: nothing is probed ahead */
} lt_cycle_input;

/* Clouds that triangles ask: points inside, where they are, of the kind of what they are in; then paths: a box is asked grown by the longest reach of a cloud, so few fast points must not be among many slow ones.
 * Reaches of a cloud, and its cells, are at most four times those of the one before. */
enum { LT_CYCLE_INSIDE, LT_CYCLE_SLOW, LT_CYCLE_LEVELS = LT_CYCLE_SLOW + 3 };

/* ---- what was probed, and is to be merged ---- */

/* Of a point, or an edge, that an element asked about. */
typedef struct lt_cycle_hit {
    uint32_t item;           /* TETS, TRIANGLES: the point; PIERCE: the edge; EDGES: a neighbour outside */
    uint32_t left;           /* TETS: points of the batch behind this one */
    double distance_squared; /* TRIANGLES: m² from the point; TETS: within which its surface is looked for */
    double other;            /* TRIANGLES: m², a bound below that, rough; PIERCE: parameter along the edge */
} lt_cycle_hit;

/* Where a point is in a tet, and how deep by the body at rest. */
typedef struct lt_cycle_guess {
    float weights[4];
    lt_vec3 normal;
    float depth;
} lt_cycle_guess;

/* What one look into a cloud gave, or one point of EDGES or SPREAD. */
typedef struct lt_cycle_batch {
    lt_cloud_walk walk; /* behind it */
    uint32_t hit_end;   /* its hits end, and those of the next begin */
    uint16_t misses;    /* batches of its row without a hit from here on, this one included */
    uint8_t element;    /* of the row */
    uint8_t level;
} lt_cycle_batch;

/* Batches in the order in which the cursor gets to them. One that has no room for the next ends there. */
typedef struct lt_cycle_chunk {
    lt_cycle_batch *batches; /* [LT_CYCLE_CHUNK_BATCHES] */
    lt_cycle_hit *hits;      /* [LT_CYCLE_CHUNK_HITS] */
    lt_cycle_guess *guesses; /* [LT_CYCLE_CHUNK_HITS] of TETS */
    lt_found *answers;       /* [LT_CYCLE_CHUNK_ELEMENTS] of EDGES and SPREAD, by batch */
    uint32_t batch_count, hit_count;
} lt_cycle_chunk;

/* Elements of a body in a row: those that are near a partner at all are marked at once. */
typedef struct lt_cycle_row {
    uint32_t body, begin, end;
    uint32_t marks;
} lt_cycle_row;

enum {
    LT_CYCLE_ROW = 16,
    LT_CYCLE_POINTS_ASKED = 16, /* at a time, and up to seven more */
    LT_CYCLE_CHUNK_ELEMENTS = 128,
    LT_CYCLE_CHUNK_ROWS = LT_CYCLE_CHUNK_ELEMENTS / LT_CYCLE_ROW,
    LT_CYCLE_CHUNK_BATCHES = 12 * LT_CYCLE_CHUNK_ELEMENTS,
    LT_CYCLE_CHUNK_HITS = 4 * LT_CYCLE_CHUNK_ELEMENTS,
    LT_CYCLE_CHUNKS_AHEAD = 64,   /* at most, */
    LT_CYCLE_CHUNKS_WORTH_IT = 8, /* and at least: less is not worth waking anybody */
    LT_CYCLE_CHUNK_UNITS = 4096 /* what a chunk costs, roughly: no step does much more than it was granted */
};

typedef struct lt_cycle_ahead {
    /* Memory, fixed by reserve */
    lt_cycle_chunk *chunks; /* [chunk_capacity + 1] the last one is for what is merged at once */
    lt_cycle_row *rows;     /* [chunk_capacity × LT_CYCLE_CHUNK_ROWS] */
    uint32_t chunk_capacity;
    /* State */
    bool asked;         /* a batch is being merged */
    uint32_t most;      /* chunks to probe at once in this step; 0: none */
    uint32_t count, at; /* rows, or points of EDGES and SPREAD, that were probed; the next of them */
    uint32_t chunk;     /* that the batch is of, */
    uint32_t batch;     /* the one behind it, */
    uint32_t hit;       /* and its first hit that is not merged */
} lt_cycle_ahead;

typedef struct lt_cycle {
    /* Memory, fixed by reserve */
    float *nodes;              /* [node_capacity][4] the copy */
    float *velocities;         /* [node_capacity][4] likewise */
    lt_vec3 *points;           /* [point_capacity] */
    lt_vec3 *point_velocities; /* [point_capacity] */
    lt_vec3 *middles;          /* [point_capacity] where points are half-way, */
    float *strays;             /* [point_capacity] and how far from there they may be on the way */
    uint32_t *body_of_point;   /* [point_capacity] */
    uint32_t *first_found;     /* [point_capacity] inside or near something: the newest; LT_NONE: none */
    lt_found *found;           /* [found_capacity] */
    uint32_t *open;            /* [found_capacity] of SPREAD: without a depth yet */
    lt_border_edge *edges;     /* [edge_capacity] by found */
    lt_cycle_body *bodies;     /* [body_capacity] */
    lt_pair *pairs;            /* [pair_capacity] */
    uint32_t *body_of_slot;    /* [body_capacity] */
    uint32_t *partner_begin;   /* [body_capacity + 1] */
    uint32_t *partners;        /* [2 × pair_capacity] whom a body may meet, by body */
    bool *meets_itself;        /* [body_capacity] */
    lt_cloud near_points;      /* those that may be inside anything */
    lt_cloud
        paths[LT_CYCLE_LEVELS]; /* points that may meet anything, half-way; fast ones apart from the others */
    lt_cloud border_edges;      /* by their middles */
    lt_cycle_ahead ahead;
    uint32_t node_capacity, point_capacity, found_capacity, edge_capacity, body_capacity, pair_capacity;
    lt_allocator allocator;
    /* Input */
    lt_cycle_input input;
    /* State */
    lt_cycle_phase phase;
    uint32_t next, sub; /* element of the phase; of OBSTACLES pair and point */
    uint32_t row_begin; /* of TETS, TRIANGLES and PIERCE: the first of the elements in a row, */
    uint32_t marks;     /* those of them that are still to be taken over the cloud, */
    lt_cloud_walk walk; /* and where in it the first of them is, */
    uint32_t level;     /* and in which */
    uint32_t body;      /* whose element that is */
    uint32_t layer;     /* of SPREAD */
    uint32_t open_count, reached;
    float cell_size;         /* m, of the first cloud */
    float horizon;           /* s, until the next cycle is through at the latest */
    uint64_t element_count;  /* done so far: enough to do it all again */
    uint64_t later_elements; /* since OBSTACLES */
    /* Output */
    uint32_t body_count, pair_count;
    uint32_t node_count, point_count, tet_count, triangle_count; /* of bodies that take part */
    uint32_t inside_count; /* found by TETS: found [obstacle_count, inside_end) */
    uint32_t obstacle_count, inside_end;
    uint32_t found_count, edge_count;
    uint32_t dropped_count; /* did not fit */
} lt_cycle;

/* How far apart points and surfaces are noted in any case: what rests must not lose its contacts by a hair. */
static inline float lt_cycle_skin(const lt_collider *collider) {
    return 0.1f * (float)collider->soft->mean_edge;
}

lt_status lt_cycle_reserve(lt_cycle *cycle, const lt_collider *colliders, uint32_t collider_count,
                           uint32_t found_capacity, uint32_t pair_capacity, const lt_allocator *allocator,
                           lt_error *error);
void lt_cycle_free(lt_cycle *cycle);

/* Copies the nodes of all bodies that take part. Returns its cost. */
uint32_t lt_cycle_begin(lt_cycle *cycle, const lt_cycle_input *input);
/* Live: positions of now, in every step but the one in which it began. Returns its cost. */
uint32_t lt_cycle_refresh(lt_cycle *cycle);
/* Cost 0 when done. `reserve` is what answering one contact takes. */
lt_piece lt_cycle_peek(const lt_cycle *cycle, uint32_t reserve);
uint32_t lt_cycle_step(lt_cycle *cycle, uint32_t grant);

static inline bool lt_cycle_is_done(const lt_cycle *cycle) {
    return cycle->phase == LT_CYCLE_DONE;
}

/* ---- in snapshots ---- */

size_t lt_cycle_state_size(const lt_cycle *cycle);
void lt_cycle_save(const lt_cycle *cycle, uint8_t *bytes);
uint64_t lt_cycle_hash(const lt_cycle *cycle, uint64_t hash);
/* Whether the bytes are of a cycle that can have been in this world: of `world` colliders, obstacles and kernels are read. */
bool lt_cycle_is_sound(lt_cycle *cycle, const uint8_t *bytes, size_t size, const lt_cycle_input *world,
                       uint32_t obstacle_count);
/* Of bytes that are sound. */
void lt_cycle_restore(lt_cycle *cycle, const uint8_t *bytes, const lt_cycle_input *world);

/* ---- inside: beginning (penetration_begin.c), and doing it again ---- */

/* Who takes part, and where they are. Returns its cost. */
uint32_t lt_cycle_take_over(lt_cycle *cycle, const lt_cycle_input *input);

/* First elements of the bodies in their order, and the counts; whom each may meet. */
void lt_cycle_number(lt_cycle *cycle);
void lt_cycle_partner(lt_cycle *cycle);
/* From a cycle that has just begun to where it was. */
void lt_cycle_redo(lt_cycle *cycle, lt_cycle_phase phase, uint64_t element_count, uint64_t later_elements,
                   uint32_t obstacle_found, uint32_t next, uint32_t sub);

/* ---- inside: elements over the clouds (penetration_query.c) ----
 *
 * Tets and triangles come in rows of sixteen: first those are marked that are near a partner at all, then each of these is taken
 * over the cloud, from where a walk stands; the walk is through when its row is LT_NONE. */

/* Bits of those elements of the phase that are to be taken over the cloud. */
uint32_t lt_cycle_mark(const lt_cycle *cycle, const lt_cycle_row *row);

/* What this chunk itself has found to be near: a point that is known already will be known to be as near as that when the
 * cursor gets behind it. The newest of those that share a place. */
enum { LT_CYCLE_NEARER = 256 };
typedef struct lt_cycle_nearer {
    uint32_t found[LT_CYCLE_NEARER]; /* its number plus one; 0: none */
    double distance_squared[LT_CYCLE_NEARER];
} lt_cycle_nearer;

typedef struct lt_cycle_asking {
    uint32_t body, element;
    uint32_t level;          /* of TRIANGLES: cloud */
    lt_cloud_walk walk;      /* moved on */
    lt_cycle_nearer *nearer; /* NULL: none */
} lt_cycle_asking;

/* One look into the cloud of the phase, appended to a chunk that has room; for the element at a place of its row. */
void lt_cycle_probe(const lt_cycle *cycle, lt_cycle_asking *asking, uint32_t place, lt_cycle_chunk *out);
/* Of the batch that is being merged, for the first element that is marked. False: a contact was found, and there may be another;
 * for one was set aside. */
bool lt_cycle_merge(lt_cycle *cycle);
/* Live: whether a point is still inside the other; else it is gone. */
bool lt_cycle_retest(lt_cycle *cycle, lt_found *found);

/* Whether the body can meet itself (penetration_self.c), from its nodes. */
bool lt_cycle_may_fold(const lt_cycle *cycle, const lt_cycle_body *body);
lt_dvec3 lt_cycle_node(const lt_cycle *cycle, const lt_cycle_body *body, uint32_t node);
bool lt_cycle_near_a_partner(const lt_cycle *cycle, uint32_t body, lt_box box);
/* How fast something at a velocity, seen from the other, comes against the normal out of that, and a part of its speed more: ways
 * are not straight. */
#define LT_CYCLE_MORE 0.25f
static inline float lt_cycle_haste(lt_vec3 velocity, lt_vec3 normal) {
    return lt_max_f(0, -lt_v3_dot(velocity, normal)) + LT_CYCLE_MORE * lt_v3_length(velocity);
}
/* Live: how far anything of a body gets while the cycle lasts, with something to spare. */
static inline float lt_cycle_growth(const lt_cycle *cycle, const lt_cycle_body *body) {
    const lt_cycle_input *in = &cycle->input;
    return in->live ? 1.5f * (float)lt_max_u32(in->latency, 1) * body->speed * in->dt : 0;
}
/* NULL, and counted, when there is no room. */
lt_found *lt_cycle_add(lt_cycle *cycle, const lt_found *found);
/* Who has this point inside or near; NULL: it is neither. */
lt_found *lt_cycle_found_of(const lt_cycle *cycle, uint32_t point, uint32_t other);

/* ---- inside: ahead of the cursor (penetration_ahead.c) ---- */

bool lt_cycle_ahead_reserve(lt_cycle_ahead *ahead, uint32_t element_count, const lt_allocator *allocator);
void lt_cycle_ahead_free(lt_cycle_ahead *ahead, const lt_allocator *allocator);
/* How much a step with such a grant may probe at once. */
void lt_cycle_ahead_allow(lt_cycle *cycle, uint32_t grant);
/* What was probed is not so any more. */
void lt_cycle_ahead_forget(lt_cycle_ahead *ahead);
/* The next row of the phase. */
lt_cycle_row lt_cycle_take_row(lt_cycle *cycle);
/* Goes on with the batch that is being merged, or else with the next of the first element that is marked. Returns how many
 * were passed, at most so many: if not one of those that were probed has a hit the cursor is behind them, else it is 0. */
uint64_t lt_cycle_take_batch(lt_cycle *cycle, uint64_t most);
/* What the next point of EDGES or SPREAD is to become; it is `batch` of `chunk`. */
const lt_found *lt_cycle_take_answer(lt_cycle *cycle);
/* Triangles are taken over all clouds that hold anything, the others over one: from this one on; LT_CYCLE_LEVELS: no more. */
static inline uint32_t lt_cycle_next_level(const lt_cycle *cycle, uint32_t level) {
    if (cycle->phase != LT_CYCLE_TRIANGLES) return level ? LT_CYCLE_LEVELS : 0;
    while (level < LT_CYCLE_LEVELS && cycle->paths[level].count == 0)
        level++;
    return level;
}

static inline const lt_cycle_chunk *lt_cycle_chunk_now(const lt_cycle *cycle) {
    return &cycle->ahead.chunks[cycle->ahead.chunk];
}
static inline const lt_cycle_batch *lt_cycle_batch_now(const lt_cycle *cycle) {
    return &lt_cycle_chunk_now(cycle)->batches[cycle->ahead.batch - 1];
}

/* ---- inside: depths (penetration_depth.c) ---- */

/* Of a point whose nearest triangle is known: a contact ahead, or the depth of one that faces what it came through; else its
 * edges to points outside are listed. False: there is no room for them. */
bool lt_cycle_probe_settle(lt_cycle *cycle, uint32_t found, lt_cycle_chunk *out);
/* Depth from neighbours up to the layer, if any has one. Both change nothing of the cycle but live, when a point may be gone. */
void lt_cycle_probe_spread(lt_cycle *cycle, uint32_t found, lt_cycle_chunk *out);
/* Takes over what was found out. */
void lt_cycle_merge_answer(lt_found *found, const lt_found *answer);
void lt_cycle_merge_edges(lt_cycle *cycle, uint32_t found);
/* Depth of a point inside by those of the edges [begin, end) that pierce the other's surface. */
void lt_cycle_border(lt_cycle *cycle, lt_found *found, uint32_t begin, uint32_t end);

#endif
