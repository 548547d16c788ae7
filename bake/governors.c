/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/governors.h"

#include "bound/bound.h"

#include <string.h>

/* What is known of a tet within one box. */
typedef struct governor {
    uint32_t tet;
    float lo[4], hi[4]; /* of the weights */
    uint32_t points[2]; /* the first two that differ */
    uint32_t count;     /* of points that differ, 3: more than two */
} governor;

enum { ABOVE = 1, ON_CUT = 2 };

typedef struct governing {
    /* Input */
    const lt_cut_surface *split;
    const lt_halving_tree *tree;
    const lt_carrier *carrier;
    const lt_skin *skin;
    uint32_t governors_max;
    /* Governors of one box */
    lt_array found;     /* governor */
    uint32_t *slots;    /* [tet_count] place in `found` */
    uint32_t *seen_for; /* [tet_count] the box it was found for last */
    uint32_t box;
    /* Places, by node of the halving tree */
    uint8_t *sides;         /* ABOVE, ON_CUT, or 0: below */
    uint32_t *places;       /* number of a node */
    uint32_t *at;           /* [node_count] node at a place */
    uint32_t *queue;        /* [node_count] */
    uint32_t *root_at;      /* [place_count] bunch that begins at a triangle */
    uint32_t used;          /* places that are taken */
    uint32_t *tet_governor; /* [tet_count] number among governors; LT_NONE: none yet */
    uint32_t *new_points;   /* [split->point_count] number of a point; LT_NONE: none yet */
    uint32_t *guest_of;     /* [split->point_count] bunch it is listed for */
    lt_governed *out;
} governing;

static const lt_halving *halving(const governing *g, uint32_t node) {
    return g->tree->nodes + node;
}
static const lt_cut_piece *piece_at(const governing *g, uint32_t place) {
    return g->split->pieces + g->tree->order[place];
}
static bool is_small(const governing *g, uint32_t node) {
    return halving(g, node)->count <= LT_BUNCH_TRIANGLES;
}
static bool is_bunch_root(const governing *g, uint32_t node) {
    uint32_t parent = halving(g, node)->parent;
    return is_small(g, node) && (parent == LT_NONE || !is_small(g, parent));
}

/* ---- governors of a box ---- */

/* Weights of a point on the corners of a tet; false when it hangs on other nodes as well. */
static bool weights_in(float out[4], const lt_cut_point *point, const uint32_t *tet) {
    for (int k = 0; k < 4; k++)
        out[k] = 0;
    for (int k = 0; k < 4; k++) {
        int corner = 0;
        if (point->weights[k] == 0) continue;
        while (corner < 4 && tet[corner] != point->ids[k])
            corner++;
        if (corner == 4) return false;
        out[corner] += point->weights[k];
    }
    return true;
}

static void add_to_governor(governor *found, uint32_t point, const float weights[4]) {
    for (int k = 0; k < 4; k++) {
        found->lo[k] = lt_min_f(found->lo[k], weights[k]);
        found->hi[k] = lt_max_f(found->hi[k], weights[k]);
    }
    for (uint32_t i = 0; i < lt_min_u32(found->count, 2); i++)
        if (found->points[i] == point) return;
    if (found->count < 2) found->points[found->count] = point;
    if (found->count < 3) found->count++;
}

/* False: out of memory. */
static bool govern_point(governing *g, uint32_t tet, uint32_t point, const float weights[4]) {
    if (g->seen_for[tet] != g->box) {
        governor fresh = {.tet = tet, .lo = {9, 9, 9, 9}, .hi = {-9, -9, -9, -9}};
        for (int k = 0; k < 4; k++)
            fresh.lo[k] = fresh.hi[k] = weights[k];
        g->seen_for[tet] = g->box;
        g->slots[tet] = (uint32_t)g->found.count;
        if (!lt_array_push(&g->found, &fresh)) return false;
    }
    add_to_governor((governor *)g->found.items + g->slots[tet], point, weights);
    return true;
}

/* A corner belongs to the tet of its piece, or, where that is not enough to say where it is, to its own. */
static bool govern_corner(governing *g, const lt_cut_piece *piece, uint32_t point) {
    const lt_cut_point *p = g->split->points + point;
    float weights[4];
    if (piece->tet != LT_NONE && weights_in(weights, p, g->carrier->tets + 4 * (size_t)piece->tet))
        return govern_point(g, piece->tet, point, weights);
    uint32_t own = g->skin->tets[point]; /* cuts are on the tet of their piece */
    weights_in(weights, p, g->carrier->tets + 4 * (size_t)own);
    return govern_point(g, own, point, weights);
}

static bool find_governors(governing *g, uint32_t node) {
    const lt_halving *n = halving(g, node);
    g->found.count = 0;
    g->box++;
    for (uint32_t i = n->first; i < n->first + n->count; i++)
        for (int k = 0; k < 3; k++)
            if (!govern_corner(g, piece_at(g, i), piece_at(g, i)->corners[k])) return false;
    return true;
}

/* ---- the cut ---- */

/* Children come behind their parents: one way through is from the root down. */
static bool find_cut(governing *g) {
    for (uint32_t node = 0; node < g->tree->node_count; node++) {
        uint32_t parent = halving(g, node)->parent;
        if (parent != LT_NONE && g->sides[parent] != ABOVE) continue;
        if (!find_governors(g, node)) return false;
        bool is_cut = halving(g, node)->child == LT_NONE || g->found.count <= g->governors_max;
        g->sides[node] = is_cut ? ON_CUT : ABOVE;
        g->out->cut_count += is_cut;
    }
    return true;
}

/* ---- numbers ---- */

static void place(governing *g, uint32_t node) {
    g->places[node] = g->used;
    g->at[g->used++] = node;
}

static void place_children(governing *g, uint32_t node) {
    place(g, halving(g, node)->child);
    place(g, halving(g, node)->child + 1);
}

/* All below the root of a bunch, level by level, in one row: what is placed is at once the queue. */
static void place_bunch(governing *g, uint32_t root) {
    if (halving(g, root)->child == LT_NONE) return;
    uint32_t next = g->used;
    place_children(g, root);
    for (; next < g->used; next++)
        if (halving(g, g->at[next])->child != LT_NONE) place_children(g, g->at[next]);
}

/* Above the cut level by level, a bunch that is met in one row. */
static void place_top(governing *g) {
    uint32_t begin = 0, end = 0;
    g->queue[end++] = 0;
    place(g, 0);
    while (begin < end) {
        uint32_t node = g->queue[begin++];
        if (g->sides[node] != ABOVE) continue;
        if (is_small(g, node)) {
            place_bunch(g, node);
            continue;
        }
        place_children(g, node);
        g->queue[end++] = halving(g, node)->child;
        g->queue[end++] = halving(g, node)->child + 1;
    }
}

/* Below one node of the cut, pair after pair, depth first. */
static void place_below(governing *g, uint32_t top) {
    uint32_t depth = 0;
    g->queue[depth++] = top;
    while (depth > 0) {
        uint32_t node = g->queue[--depth];
        if (is_small(g, node)) {
            place_bunch(g, node);
            continue;
        }
        place_children(g, node);
        g->queue[depth++] = halving(g, node)->child + 1;
        g->queue[depth++] = halving(g, node)->child;
    }
}

static void place_all(governing *g) {
    place_top(g);
    uint32_t top_count = g->used;
    for (uint32_t i = 0; i < top_count; i++) {
        uint32_t node = g->at[i], parent = halving(g, node)->parent;
        bool is_within_bunch = parent != LT_NONE && is_small(g, parent);
        if (g->sides[node] == ON_CUT && !is_within_bunch) place_below(g, node);
    }
    LT_ASSERT(g->used == g->tree->node_count);
}

static bool write_nodes(governing *g) {
    uint32_t count = g->tree->node_count;
    lt_multiscale_node *nodes = lt_array_grow(&g->out->nodes, count);
    lt_multiscale_link *links = lt_array_grow(&g->out->links, count);
    if (!nodes || !links) return false;
    for (uint32_t i = 0; i < count; i++) {
        const lt_halving *n = halving(g, g->at[i]);
        nodes[i] =
            (lt_multiscale_node){n->child == LT_NONE ? LT_NONE : g->places[n->child], n->first, n->count};
        links[i] =
            (lt_multiscale_link){n->parent == LT_NONE ? LT_NONE : g->places[n->parent], LT_NONE, LT_NONE};
    }
    for (uint32_t i = count; i-- > 0;)
        if (g->sides[g->at[i]] == ABOVE && !lt_array_push(&g->out->above, &i)) return false;
    return true;
}

/* ---- records ---- */

/* Intervals are widened by what rounding may take of a weight. */
static bool write_record(governing *g, const governor *found) {
    float *numbers = lt_array_grow(&g->out->records, 1), slack = lt_bound_slack(1);
    uint32_t *number = &g->tet_governor[found->tet];
    if (!numbers) return false;
    if (*number == LT_NONE) {
        *number = (uint32_t)g->out->governors.count;
        if (!lt_array_push(&g->out->governors, &found->tet)) return false;
    }
    const uint32_t *tet = g->carrier->tets + 4 * (size_t)found->tet;
    if (found->count <= 2) {
        weights_in(numbers, g->split->points + found->points[0], tet);
        weights_in(numbers + 4, g->split->points + found->points[found->count - 1], tet);
    }
    for (int k = 0; k < 4 && found->count > 2; k++) {
        numbers[k] = found->lo[k] - slack;
        numbers[4 + k] = found->hi[k] + slack;
    }
    return lt_array_push(&g->out->record_governors, number);
}

/* Intervals first, then points. */
static bool write_group(governing *g, uint32_t at) {
    lt_multiscale_link *links = g->out->links.items;
    lt_multiscale_group group = {.first = (uint32_t)g->out->records.count};
    if (!find_governors(g, g->at[at])) return false;
    const governor *found = g->found.items;
    for (int pass = 0; pass < 2; pass++) {
        group.points = pass == 0 ? group.first : (uint32_t)g->out->records.count;
        for (size_t i = 0; i < g->found.count; i++)
            if ((found[i].count <= 2) == (pass == 1) && !write_record(g, &found[i])) return false;
    }
    links[at].group = (uint32_t)g->out->groups.count;
    return lt_array_push(&g->out->groups, &group) && lt_array_push(&g->out->group_nodes, &at);
}

static bool write_groups(governing *g) {
    uint32_t count = g->tree->node_count;
    for (int below = 0; below < 2; below++)
        for (uint32_t at = 0; at < count; at++) {
            uint32_t node = g->at[at];
            bool has_group = below ? g->sides[node] == 0 && (!is_small(g, node) || is_bunch_root(g, node))
                                   : g->sides[node] == ON_CUT;
            if (has_group && !write_group(g, at)) return false;
        }
    lt_multiscale_group end = {(uint32_t)g->out->records.count, (uint32_t)g->out->records.count};
    return lt_array_push(&g->out->groups, &end);
}

/* ---- the surface ---- */

/* The number of a corner in a bunch whose points begin at `first`; LT_NONE: out of memory. */
static uint32_t number_point(governing *g, uint32_t point, uint32_t first, uint32_t bunch) {
    uint32_t *number = &g->new_points[point], vertex = point < g->skin->point_count ? point : LT_NONE;
    if (*number == LT_NONE) {
        *number = (uint32_t)g->out->points.count;
        if (!lt_array_push(&g->out->points, g->split->points + point) ||
            !lt_array_push(&g->out->vertices, &vertex))
            return LT_NONE;
    } else if (*number < first && g->guest_of[point] != bunch) {
        g->guest_of[point] = bunch;
        if (!lt_array_push(&g->out->guests, number)) return LT_NONE;
    }
    return *number;
}

static bool write_triangle(governing *g, const lt_cut_piece *piece, uint32_t first_point, uint32_t bunch) {
    uint32_t corners[3];
    for (int k = 0; k < 3; k++)
        if ((corners[k] = number_point(g, piece->corners[k], first_point, bunch)) == LT_NONE) return false;
    return lt_array_push(&g->out->triangles, corners) && lt_array_push(&g->out->triangle_tets, &piece->tet) &&
           lt_array_push(&g->out->parents, &piece->parent);
}

/* Marks all nodes of a bunch; returns how many are below its root. */
static uint32_t mark_bunch(governing *g, uint32_t root, uint32_t number) {
    const lt_multiscale_node *nodes = g->out->nodes.items;
    lt_multiscale_link *links = g->out->links.items;
    uint32_t below = nodes[root].child, count = below == LT_NONE ? 0 : 2;
    links[root].bunch = number;
    for (uint32_t i = 0; i < count; i++) { /* they lie level by level, and grow the row as they are met */
        links[below + i].bunch = number;
        if (nodes[below + i].child != LT_NONE) count += 2;
    }
    return count;
}

static bool write_bunch(governing *g, uint32_t root) {
    const lt_halving *n = halving(g, root);
    uint32_t number = (uint32_t)g->out->bunches.count;
    lt_multiscale_bunch bunch = {.node = g->places[root],
                                 .below_count = mark_bunch(g, g->places[root], number),
                                 .first_point = (uint32_t)g->out->points.count,
                                 .first_guest = (uint32_t)g->out->guests.count};
    for (uint32_t i = n->first; i < n->first + n->count; i++)
        if (!write_triangle(g, piece_at(g, i), bunch.first_point, number)) return false;
    return lt_array_push(&g->out->bunches, &bunch);
}

/* Bunches in the order of their triangles; the root of the one that begins at a triangle is noted there
 * first. */
static bool write_surface(governing *g) {
    uint32_t *root_at = g->root_at;
    for (uint32_t node = 0; node < g->tree->node_count; node++)
        if (is_bunch_root(g, node)) root_at[halving(g, node)->first] = node;
    for (uint32_t at = 0; at < g->tree->place_count; at += halving(g, root_at[at])->count)
        if (!write_bunch(g, root_at[at])) return false;
    lt_multiscale_bunch end = {.node = LT_NONE,
                               .first_point = (uint32_t)g->out->points.count,
                               .first_guest = (uint32_t)g->out->guests.count};
    return lt_array_push(&g->out->bunches, &end);
}

/* ---- memory ---- */

#define LISTS(X)                                                                                             \
    X(nodes, sizeof(lt_multiscale_node))                                                                     \
    X(links, sizeof(lt_multiscale_link))                                                                     \
    X(above, sizeof(uint32_t))                                                                               \
    X(groups, sizeof(lt_multiscale_group))                                                                   \
    X(group_nodes, sizeof(uint32_t))                                                                         \
    X(records, LT_RECORD_NUMBERS * sizeof(float))                                                            \
    X(record_governors, sizeof(uint32_t))                                                                    \
    X(governors, sizeof(uint32_t))                                                                           \
    X(bunches, sizeof(lt_multiscale_bunch))                                                                  \
    X(guests, sizeof(uint32_t))                                                                              \
    X(points, sizeof(lt_cut_point))                                                                          \
    X(vertices, sizeof(uint32_t))                                                                            \
    X(triangles, 3 * sizeof(uint32_t))                                                                       \
    X(triangle_tets, sizeof(uint32_t))                                                                       \
    X(parents, sizeof(uint32_t))                                                                             \
    X(level_groups, sizeof(uint32_t))                                                                        \
    X(sample_begin, sizeof(uint32_t))                                                                        \
    X(samples, sizeof(uint32_t))                                                                             \
    X(sample_weights, 3 * sizeof(float))

/* Last column: what all bytes are at first. */
#define TABLES(X)                                                                                            \
    X(slots, g->carrier->tet_count, uint32_t, 0)                                                             \
    X(seen_for, g->carrier->tet_count, uint32_t, 0)                                                          \
    X(tet_governor, g->carrier->tet_count, uint32_t, 0xff)                                                   \
    X(new_points, g->split->point_count, uint32_t, 0xff)                                                     \
    X(guest_of, g->split->point_count, uint32_t, 0xff)                                                       \
    X(sides, g->tree->node_count, uint8_t, 0)                                                                \
    X(places, g->tree->node_count, uint32_t, 0)                                                              \
    X(at, g->tree->node_count, uint32_t, 0)                                                                  \
    X(queue, g->tree->node_count, uint32_t, 0)                                                               \
    X(root_at, g->tree->place_count, uint32_t, 0)

static bool take_tables(governing *g, const lt_allocator *allocator) {
    bool all = true;
    g->found = LT_ARRAY_OF(allocator, governor);
#define TAKE(name, count, type, byte)                                                                        \
    all = (g->name = LT_NEW(allocator, count, type)) && all;                                                 \
    if (g->name) memset(g->name, byte, (count) * sizeof(type));
    TABLES(TAKE)
#undef TAKE
    return all;
}

static void free_tables(governing *g, const lt_allocator *allocator) {
    lt_array_free(&g->found);
#define GIVE_BACK(name, count, type, byte) LT_DELETE(allocator, g->name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
}

/* ---- all of it ---- */

/* Points of the skin hang on nodes of the tet they say, or nothing here would be true. */
static lt_status check_skin(const governing *g, lt_error *error) {
    for (uint32_t point = 0; point < g->skin->point_count; point++) {
        float weights[4];
        if (!weights_in(weights, g->split->points + point,
                        g->carrier->tets + 4 * (size_t)g->skin->tets[point]))
            return lt_fail(error, LT_STATUS_INVALID,
                           "surface vertex %u hangs on nodes that are not those of tet %u; bake it again",
                           point, g->skin->tets[point]);
    }
    return LT_OK;
}

static bool build(governing *g) {
    if (!find_cut(g)) return false;
    place_all(g);
    return write_nodes(g) && write_groups(g) && write_surface(g);
}

lt_status lt_governed_build(lt_governed *out, const lt_cut_surface *split, const lt_halving_tree *tree,
                            const lt_carrier *carrier, const lt_skin *skin, uint32_t governors_max,
                            const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(tree->place_count == split->piece_count);
    *out = (lt_governed){.spanning_count = split->spanning_count, .governors_max = governors_max};
#define MAKE(name, size) out->name = lt_array_make(allocator, size);
    LISTS(MAKE)
#undef MAKE
    governing g = {.split = split,
                   .tree = tree,
                   .carrier = carrier,
                   .skin = skin,
                   .governors_max = governors_max,
                   .out = out};
    lt_status status = check_skin(&g, error);
    if (status == LT_OK && !(take_tables(&g, allocator) && build(&g)))
        status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for a tree over %u triangles",
                         split->piece_count);
    free_tables(&g, allocator);
    if (status != LT_OK) lt_governed_free(out);
    return status;
}

void lt_governed_free(lt_governed *governed) {
#define FREE(name, size) lt_array_free(&governed->name);
    LISTS(FREE)
#undef FREE
    *governed = (lt_governed){0};
}
