/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A binary tree of boxes over a dense surface, refitted from the few tets that carry it (papers/003 §5.1–5.2,
 * spec O6, O7, O10, O11).
 *
 *   lt_multiscale_tree   as stored in a shape: the surface cut at the faces of its tets, the tree, and for some nodes what
 *                        they hang on (views into chunks)
 *   lt_multiscale        one body: boxes around what the surface does between two positions of its nodes
 *
 *                 root                        above     fitted from their children
 *                /    \
 *             ──•──────•──  the cut           on it     the coarsest boxes with at most eight governors: fitted from their
 *              / \    / \                               records, all of them in every step; their number hangs on the tets,
 *             •   •  •   •  below                       not on the triangles
 *            /▲\ /▲\                          below     fitted from their records when somebody asks
 *                        bunches              ▲         at most 32 triangles: evaluated exactly, all at once, when somebody asks
 *
 * A governor is a tet that holds some of the surface in a box, with the interval [a, b] of each of its
 * barycentric weights there. A coordinate of a point is Σ w_i x_i with Σ w = 1, so for any m
 *
 *     Σ w_i x_i = m + Σ w_i (x_i − m)  ≥  m + Σ (a_i max(x_i − m, 0) + b_i min(x_i − m, 0))
 *
 * With m the second smallest of the x_i this is (8) of the paper; the greatest of it over m in {x_i} is the
 * exact minimum of the linear program. m and the eight differences are the same for all boxes: a tet is
 * prepared once a step, as nine vectors of the lanes (x, y, z, 0, −x, −y, −z, 0), and one record is eight
 * multiply-adds for all six sides. Where a governor holds one point or two, the record is those points.
 *
 * A box is kept as the least of these lanes, (lo, 0, −hi, 0): the union of two is their least.
 *
 * Made for 1,000 tets under 40,000 to 1,000,000 triangles of which few in a hundred are looked at in a step.
 *
 * Everything is widened by what rounding can let out: 8 eps of the largest coordinate and of how far nodes
 * are apart.
 *
 * Of a ladder, whose finest mesh mostly follows coarser ones (body/multigrid.h), boxes above the cut have records of coarser
 * levels, too, and the cut moves up to the coarsest boxes that the level at hand has at most eight governors of (papers/003 §5.4,
 * O9 to O11):
 *
 *                 •        levels say so      boxes from tets of level 3: all below follows them
 *              ──•─•──
 *               / \ \ \     level 0            the cut from above, where the finest mesh moves by itself
 *
 * A point hangs on nodes of the finest mesh, x = Σ w_i x_i, and is bounded as if it hung on the coarse tet T that it lies in at
 * rest. What that is wrong by is measured, not assumed: with c_i the weights of node i in T, and A the positions of its corners,
 *
 *     |x − Σ_i w_i A c_i|  ≤  Σ|w_i| max_i |x_i − A c_i|
 *
 * over the few finest nodes (samples) that carry what T governs. So boxes hold the surface wherever nodes are, whoever has put
 * them there: levels decide how narrow boxes are and what they cost, not whether they are right. */

#ifndef LITHE_BOUND_MULTISCALE_H
#define LITHE_BOUND_MULTISCALE_H

#include "body/body.h"
#include "embed/embed.h"

enum {
    LT_GOVERNORS_MAX = 8,         /* of a box on the cut, unless it is a leaf */
    LT_BUNCH_TRIANGLES = 32,      /* at most */
    LT_LEAF_TRIANGLES = 4,        /* at most */
    LT_MULTISCALE_DEPTH_MAX = 63, /* of leaves below the root: stacks rely on it. Halving gets to 30 */
    LT_GOVERNOR_VECTORS = 9,      /* of eight lanes, per tet and end of the step */
    LT_RECORD_NUMBERS = 8,        /* a[4], b[4]; or the weights of two points */
    LT_MULTISCALE_BOX_LANES = 8   /* lo x, y, z, 0, −hi x, y, z, 0 */
};

/* ---- bound to a carrier ---- */

typedef struct lt_multiscale_node {
    uint32_t
        child; /* the first of two in a row, which come behind it; LT_NONE: a leaf, four triangles at most */
    uint32_t first, count; /* of triangles */
} lt_multiscale_node;

/* What is seldom asked of a node. */
typedef struct lt_multiscale_link {
    uint32_t parent; /* LT_NONE: the root */
    uint32_t group;  /* of records; LT_NONE: it has none */
    uint32_t bunch;  /* that it is in; LT_NONE: it has more triangles than a bunch */
} lt_multiscale_link;

/* Records of one node: intervals from `first` on, then points up to the next group's first. */
typedef struct lt_multiscale_group {
    uint32_t first, points;
} lt_multiscale_group;

/* A node of at most 32 triangles below one of more. The nodes below it lie in a row from its child on. Its
 * points are those from `first_point` to the next bunch's, and guests, which belong to bunches before it. */
typedef struct lt_multiscale_bunch {
    uint32_t node, below_count, first_point, first_guest;
} lt_multiscale_bunch;

typedef struct lt_multiscale_tree {
    /* Tree */
    const lt_multiscale_node *nodes; /* [node_count]; the root is 0, children come behind their parents */
    const lt_multiscale_link *links; /* [node_count] */
    const uint32_t *above;           /* [above_count] nodes above the cut, descending */
    /* What boxes hang on */
    const lt_multiscale_group
        *groups;                      /* [group_count + 1] those of the cut first; then below it, ascending */
    const uint32_t *group_nodes;      /* [group_count] ascending on the cut, and below it */
    const float *records;             /* [record_count][8] */
    const uint32_t *record_governors; /* [record_count] */
    const uint32_t *governors;        /* [governor_count] tets of the carrier that hold surface */
    /* The same of coarser levels of a ladder, behind them in the same arrays; counts below are of the finest alone. Groups are of
     * boxes above the cut, and have intervals only */
    const uint32_t *
        level_groups; /* [above_count][level_width] of a box above and level 1, 2, …; LT_NONE: it has more governors of that */
    const uint32_t *sample_begin; /* [level_governor_count + 1] */
    const uint32_t *samples;      /* nodes of the finest level that carry what a coarse tet governs */
    const float
        *sample_weights;  /* [..][3] of corners 1 to 3 of that tet; the sum with that of corner 0 is 1 */
    uint32_t level_width; /* 0: none of this */
    uint32_t level_group_count, level_record_count, level_governor_count, sample_count;
    float level_reach; /* largest sum of sizes of weights of a sample or record */
    /* The surface, in the order of the leaves */
    const lt_multiscale_bunch *bunches; /* [bunch_count + 1] in the order of their triangles */
    const uint32_t *guests;             /* [guest_count] */
    const uint32_t *ids;                /* [point_count][4] */
    const float *weights;               /* [point_count][4] */
    const uint32_t *vertices;           /* [point_count] the skin's point; LT_NONE: made by a cut */
    const uint32_t *triangles;          /* [triangle_count][3] */
    const uint32_t *triangle_tets;      /* [triangle_count] LT_NONE: it spans several */
    const uint32_t *parents;            /* [triangle_count] the skin's triangle that it is a piece of */
    uint32_t node_count, above_count, group_count, cut_count, record_count, governor_count;
    uint32_t bunch_count, guest_count, point_count, triangle_count;
    uint32_t spanning_count; /* triangles that no one tet holds: what is said of tets is not true of them */
    uint32_t governors_max;  /* of a box on the cut that is no leaf */
    float overhang;          /* largest sum of negative weights of a point, as a positive number */
} lt_multiscale_tree;

/* True when the shape has a tree. */
bool lt_multiscale_tree_exists(const lt_shape *shape);
/* Finds and checks the chunks; nothing later has to look at an index again. */
lt_status lt_multiscale_tree_read(lt_multiscale_tree *out, const lt_shape *shape, const lt_carrier *carrier,
                                  const lt_skin *skin, lt_error *error);

static inline bool lt_multiscale_is_on_cut(const lt_multiscale_tree *tree, uint32_t node) {
    LT_ASSERT(node < tree->node_count);
    return tree->links[node].group < tree->cut_count;
}

/* Governors of all levels. */
static inline uint32_t lt_multiscale_governor_total(const lt_multiscale_tree *tree) {
    return tree->governor_count + tree->level_governor_count;
}

/* The nodes and weights through which a force at a point acts. */
static inline lt_anchor lt_multiscale_anchor(const lt_multiscale_tree *tree, uint32_t point) {
    LT_ASSERT(point < tree->point_count);
    lt_anchor anchor = {.count = 4};
    for (size_t k = 0; k < 4; k++) {
        anchor.ids[k] = tree->ids[4 * (size_t)point + k];
        anchor.weights[k] = tree->weights[4 * (size_t)point + k];
    }
    return anchor;
}

/* ---- as it is now ---- */

/* How a box is found from its governors. */
typedef enum lt_multiscale_bound {
    LT_BOUND_DUAL, /* the paper's (8), the default: exact for most */
    LT_BOUND_EXACT, /* the least that weights within their intervals allow: some 5 % narrower, twice the time */
    LT_BOUND_TETS, /* the boxes of the governors themselves: for comparison */
    LT_BOUND_COUNT
} lt_multiscale_bound;

/* Units of work, per end of the step where said. */
enum {
    LT_MULTISCALE_NODE_UNITS = 2,     /* a node of the carrier taken over */
    LT_MULTISCALE_GOVERNOR_UNITS = 4, /* a tet prepared, an end */
    LT_MULTISCALE_RECORD_UNITS = 3,   /* a record, an end */
    LT_MULTISCALE_MERGE_UNITS = 2,    /* a box from its children */
    LT_MULTISCALE_POINT_UNITS = 3,    /* a point evaluated */
    LT_MULTISCALE_TRIANGLE_UNITS = 3, /* the box of a triangle, and its share of those above it */
    LT_MULTISCALE_SAMPLE_UNITS = 2,   /* how far a node is from where a coarse tet takes it, both ends */
    LT_MULTISCALE_LEVEL_UNITS = 1 /* the level of a node: the same whether or not the cut is another one */
};

typedef struct lt_multiscale_kernels lt_multiscale_kernels;

/* Of a ladder: which level moves what, and the cut that follows from it. All of it is derived from `nodes` alone. */
typedef struct lt_multiscale_levels {
    uint8_t *
        nodes; /* [node_count] of the finest level: that of the tet it hangs on, 0: moves by itself. NULL: there is one mesh */
    bool are_new;       /* the cut is still that of others */
    bool are_coarse;    /* some box is fitted from a coarse level: else all is as if there was one mesh */
    uint8_t *governors; /* [governor_count] the finest of the corners */
    uint8_t *boxes;     /* [tree->node_count] the finest of what is in it; on the cut of the tree and above */
    uint32_t *groups; /* [tree->node_count] that a box is fitted from; LT_NONE: from its children or points */
    uint32_t *cut;    /* [cut_count] groups */
    uint32_t *above;  /* [above_count] boxes above that, descending */
    uint32_t *prepared; /* [governors of all levels] when one was */
    uint32_t node_count, cut_count, above_count;
    uint32_t first_node, end_node; /* of coarse levels that are used */
    uint32_t node_begin[LT_LADDER_MOST + 1];
    float slack; /* m, what rounding may take beside that of the finest level */
} lt_multiscale_levels;

typedef struct lt_multiscale {
    /* Constants */
    const lt_multiscale_tree *tree;
    const uint32_t *tets; /* of the carrier */
    const lt_multiscale_kernels *kernels;
    lt_multiscale_bound bound;
    uint32_t node_count; /* of the carrier */
    /* Input of a step */
    const float *from, *to; /* [node_count][4] */
    uint32_t end_count;     /* 1: the nodes stand still, 2: they go from one place to another */
    float slack;            /* m, what rounding may take */
    lt_multiscale_levels levels;
    /* State */
    uint32_t stamp; /* of this step */
    uint32_t next_node, next_governor, next_cut, next_above;
    bool is_chosen;      /* the cut */
    float *paired;       /* [node_count][8] x, y, z, 0 of both ends */
    float *signed_nodes; /* [node_count][2][8] x, y, z, 0, −x, −y, −z, 0 at either end */
    float *prepared;     /* [governors of all levels][2][9][8] */
    uint32_t *stamps;    /* [tree->node_count] when a box was fitted */
    uint32_t
        *bunch_stamps;    /* [bunch_count] when a bunch was evaluated: another thing than the box around it */
    uint32_t whole_stamp; /* when all of the tree was refitted at once, as no step does (bench/whole) */
    /* Output */
    float *boxes;     /* [tree->node_count][8] lo x, y, z, 0, −hi x, y, z, 0 */
    float *positions; /* [point_count][8] x, y, z, 0 of both ends: valid in bunches that are evaluated */
    uint32_t fitted_count, evaluated_count; /* boxes on demand and bunches in this step */
    lt_allocator allocator;
} lt_multiscale;

struct lt_multiscale_kernels {
    /* Nodes [begin, end) of the carrier into `paired` and `signed_nodes`. */
    void (*take_nodes)(lt_multiscale *m, uint32_t begin, uint32_t end);
    /* Governors [begin, end). */
    void (*prepare[LT_BOUND_COUNT])(lt_multiscale *m, uint32_t begin, uint32_t end);
    /* What is fitted from a prepared governor of a coarse level is widened by how far its samples are from where it takes them. */
    void (*widen)(lt_multiscale *m, uint32_t governor);
    /* The boxes of groups [begin, end). */
    void (*fit[LT_BOUND_COUNT])(lt_multiscale *m, uint32_t begin, uint32_t end);
    /* Boxes from those of their children: of nodes[0 … count − 1], one after the other. */
    void (*merge)(lt_multiscale *m, const uint32_t *nodes, uint32_t count);
    /* Points [begin, end), and listed ones. */
    void (*evaluate)(lt_multiscale *m, uint32_t begin, uint32_t end);
    void (*evaluate_listed)(lt_multiscale *m, const uint32_t *points, uint32_t count);
    /* All boxes of bunches [begin, end) from their points. */
    void (*fit_bunches)(lt_multiscale *m, uint32_t begin, uint32_t end);
};

const lt_multiscale_kernels *lt_multiscale_kernels_for(lt_simd_level level);

/* Tree and carrier must outlive it. */
lt_status lt_multiscale_create(lt_multiscale *out, const lt_multiscale_tree *tree, const lt_carrier *carrier,
                               lt_multiscale_bound bound, lt_simd_level level, const lt_allocator *allocator,
                               lt_error *error);
void lt_multiscale_free(lt_multiscale *m);

/* From the next begin on boxes of a ladder are fitted from the levels that its front is on now; NULL: from the finest, as at first.
 * Whatever nodes are given then, boxes hold the surface; where they do not follow the front they are wide. Bodies of one mesh, and
 * bounds for comparison, take no notice. */
void lt_multiscale_follow(lt_multiscale *m, const lt_soft *soft);

/* A step from nodes to nodes, all within `box_of_nodes`: all is stale. `to` NULL: they stand still. Nodes are
 * [node_count][4] and are read until the cursor has ended. */
void lt_multiscale_begin(lt_multiscale *m, const float *from, const float *to, lt_box box_of_nodes);
/* Chooses the cut, takes nodes over, prepares tets, fits the cut and what is above while that fits into `grant`; returns the
 * units, 0 when nothing is left or the grant is less than lt_multiscale_cost. */
uint32_t lt_multiscale_step(lt_multiscale *m, uint32_t grant);
/* Units of the next piece; 0: the root and all down to the cut are fitted. */
uint32_t lt_multiscale_cost(const lt_multiscale *m);

/* A text on what is wrong with boxes that are fitted; NULL: nothing is. */
const char *lt_validate_multiscale(const lt_multiscale *m);

/* ---- on demand, once the cursor has ended ---- */

static inline bool lt_multiscale_box_is_fresh(const lt_multiscale *m, uint32_t node) {
    LT_ASSERT(node < m->tree->node_count);
    return m->stamps[node] == m->stamp || m->whole_stamp == m->stamp;
}
static inline bool lt_multiscale_bunch_is_fresh(const lt_multiscale *m, uint32_t bunch) {
    LT_ASSERT(bunch < m->tree->bunch_count);
    return m->bunch_stamps[bunch] == m->stamp || m->whole_stamp == m->stamp;
}
/* Units of lt_multiscale_refresh; 0: the box is fresh. */
uint32_t lt_multiscale_refresh_cost(const lt_multiscale *m, uint32_t node);
/* Fits the box of any node, whatever is stale above it: from its records, or by evaluating the bunch it is
 * in. */
void lt_multiscale_refresh(lt_multiscale *m, uint32_t node);
/* Units of lt_multiscale_open, or more where tets that two boxes have in common are yet to be prepared; 0: it is open. */
uint32_t lt_multiscale_open_cost(const lt_multiscale *m, uint32_t node);
/* Before its children are looked at, or the triangle of a leaf: a node within a bunch evaluates the bunch
 * (its own box may become narrower by that), another one fits its children. */
void lt_multiscale_open(lt_multiscale *m, uint32_t node);

/* ---- of a ladder (multiscale_levels.c) ---- */

/* Memory; nothing to do where tree or carrier have one mesh. False: there is none. */
bool lt_multiscale_levels_create(lt_multiscale *m, const lt_carrier *carrier);
void lt_multiscale_levels_free(lt_multiscale *m);
/* The cut, where it is another one. */
void lt_multiscale_choose_cut(lt_multiscale *m);
/* Units of preparing the governors of a group that are not prepared yet; doing so. */
uint32_t lt_multiscale_prepare_cost(const lt_multiscale *m, uint32_t group);
void lt_multiscale_prepare(lt_multiscale *m, uint32_t group);

static inline const float *lt_multiscale_lanes(const lt_multiscale *m, uint32_t node) {
    LT_ASSERT(node < m->tree->node_count);
    return m->boxes + LT_MULTISCALE_BOX_LANES * (size_t)node;
}
static inline lt_box lt_multiscale_box(const lt_multiscale *m, uint32_t node) {
    LT_ASSERT(node < m->tree->node_count);
    const float *b = lt_multiscale_lanes(m, node);
    return (lt_box){{b[0], b[1], b[2]}, {-b[4], -b[5], -b[6]}};
}
/* Of a point in a bunch that is evaluated; `end` 0: from, 1: to (the same where the nodes stand still). */
static inline lt_vec3 lt_multiscale_position(const lt_multiscale *m, uint32_t point, uint32_t end) {
    LT_ASSERT(point < m->tree->point_count);
    const float *p = m->positions + 8 * (size_t)point + 4 * (size_t)end;
    return (lt_vec3){p[0], p[1], p[2]};
}

#endif
