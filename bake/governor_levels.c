/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Governors of coarser levels, for boxes above the cut of the finest (papers/003 §5.4.1; bound/multiscale.h has what they are for).
 *
 * A triangle belongs, on every level, to the coarse tet that holds the middle of its finest tet: one of those that the nodes of that
 * hang on (the rows of the ladder know limbs apart), the one in which it lies deepest. Any choice is right, for what it is wrong by is
 * measured in every step; this one is narrow.
 *
 * Workload: a bear of 6 levels, 51,000 pieces: 0.1 s. */

#include "bake/governors.h"

#include "bound/bound.h"

#include <string.h>

/* A coarse tet within one box. */
typedef struct coarse_governor {
    uint32_t tet;
    float lo[4], hi[4]; /* of the weights */
} coarse_governor;

enum { GOVERNORS_MOST = 64 }; /* as bake_tree.c allows */

typedef struct leveling {
    lt_governed *out;
    const lt_carrier *carrier; /* all levels */
    uint32_t level;
    uint32_t *tet_homes;    /* [tets of the finest level] coarse tet; LT_NONE: not known yet */
    uint32_t *homes;        /* [triangle_count] coarse tet */
    float *weights;         /* [triangle_count][3][4] of its corners in that */
    uint32_t *numbers;      /* [tets of all levels] among governors; LT_NONE: none yet */
    uint32_t *first_sample; /* [tets of all levels] latest of its list in `links`; LT_NONE: none */
    lt_array links;         /* sample_link */
    coarse_governor found[GOVERNORS_MOST];
    uint32_t found_count;
} leveling;

/* A finest node that a coarse tet needs; lists from the latest to the first. */
typedef struct sample_link {
    uint32_t node, before;
    float weights[3];
} sample_link;

/* ---- where a triangle belongs ---- */

static lt_dvec3 rest_of(const leveling *l, uint32_t node) {
    const double *x = l->carrier->rest + 3 * (size_t)node;
    return (lt_dvec3){x[0], x[1], x[2]};
}

static bool weights_in_tet(double out[4], const leveling *l, uint32_t tet, lt_dvec3 p) {
    lt_dvec3 corners[4];
    for (size_t k = 0; k < 4; k++)
        corners[k] = rest_of(l, l->carrier->tets[4 * (size_t)tet + k]);
    return lt_barycentric_weights(out, corners, p);
}

/* The tet of the level that holds a node of the finest. */
static uint32_t tet_above(const leveling *l, uint32_t node) {
    const lt_ladder *ladder = &l->carrier->ladder;
    return l->level == 1 ? ladder->above_tets[node]
                         : ladder->far_tets[lt_ladder_far_begin(ladder, 0, l->level) + node];
}

/* Of the tets that four nodes hang on, the one in which their middle lies deepest. */
static uint32_t home_of_nodes(const leveling *l, const uint32_t nodes[4]) {
    lt_dvec3 middle = {0, 0, 0};
    double deepest = -1e300;
    uint32_t best = tet_above(l, nodes[0]);
    for (int k = 0; k < 4; k++)
        middle = lt_d3_mad(middle, rest_of(l, nodes[k]), 0.25);
    for (int k = 0; k < 4; k++) {
        uint32_t tet = tet_above(l, nodes[k]);
        double w[4];
        if (!weights_in_tet(w, l, tet, middle)) continue;
        double depth = lt_min_d(lt_min_d(w[0], w[1]), lt_min_d(w[2], w[3]));
        if (depth > deepest) best = tet;
        deepest = lt_max_d(deepest, depth);
    }
    return best;
}

/* Of a triangle that spans several tets: by the nodes of its first corner. */
static uint32_t home_of_triangle(leveling *l, uint32_t triangle) {
    uint32_t tet = ((const uint32_t *)l->out->triangle_tets.items)[triangle];
    const uint32_t *corners = (const uint32_t *)l->out->triangles.items + 3 * (size_t)triangle;
    if (tet == LT_NONE) return home_of_nodes(l, ((const lt_cut_point *)l->out->points.items)[corners[0]].ids);
    if (l->tet_homes[tet] == LT_NONE)
        l->tet_homes[tet] = home_of_nodes(l, l->carrier->tets + 4 * (size_t)tet);
    return l->tet_homes[tet];
}

/* ---- samples ---- */

/* The sample of a node in a tet, made where there is none; NULL: out of memory, or the tet is flat. */
static const sample_link *sample_of(leveling *l, uint32_t tet, uint32_t node) {
    const sample_link *links = l->links.items;
    for (uint32_t at = l->first_sample[tet]; at != LT_NONE; at = links[at].before)
        if (links[at].node == node) return &links[at];
    double w[4];
    if (!weights_in_tet(w, l, tet, rest_of(l, node))) return NULL;
    sample_link fresh = {node, l->first_sample[tet], {(float)w[1], (float)w[2], (float)w[3]}};
    l->first_sample[tet] = (uint32_t)l->links.count;
    if (!lt_array_push(&l->links, &fresh)) return NULL;
    return (const sample_link *)l->links.items + l->links.count - 1;
}

/* Weights of a point in a coarse tet, by those of the nodes that it hangs on: what is measured is measured of these. */
static bool weigh_point(leveling *l, float out[4], uint32_t tet, const lt_cut_point *point) {
    double w[4] = {1, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        if (point->weights[i] == 0) continue;
        const sample_link *sample = sample_of(l, tet, point->ids[i]);
        if (!sample) return false;
        for (int k = 0; k < 3; k++)
            w[k + 1] += (double)point->weights[i] * (double)sample->weights[k];
    }
    w[0] -= w[1] + w[2] + w[3];
    for (int k = 0; k < 4; k++)
        out[k] = (float)w[k];
    return true;
}

static bool place_triangles(leveling *l) {
    const uint32_t *triangles = l->out->triangles.items;
    const lt_cut_point *points = l->out->points.items;
    memset(l->tet_homes, 0xff, l->carrier->ladder.tet_begin[1] * sizeof *l->tet_homes);
    for (uint32_t i = 0; i < l->out->triangle_tets.count; i++) {
        l->homes[i] = home_of_triangle(l, i);
        for (size_t k = 0; k < 3; k++)
            if (!weigh_point(l, l->weights + 12 * (size_t)i + 4 * k, l->homes[i],
                             &points[triangles[3 * (size_t)i + k]]))
                return false;
    }
    return true;
}

/* ---- governors of a box ---- */

static coarse_governor *find_governor(leveling *l, uint32_t tet, const float weights[4]) {
    uint32_t at = 0;
    while (at < l->found_count && l->found[at].tet != tet)
        at++;
    if (at == l->out->governors_max) return NULL;
    if (at == l->found_count) {
        coarse_governor *fresh = &l->found[l->found_count++];
        fresh->tet = tet;
        memcpy(fresh->lo, weights, sizeof fresh->lo);
        memcpy(fresh->hi, weights, sizeof fresh->hi);
    }
    return &l->found[at];
}

/* False: there are more than a box may have. */
static bool find_governors(leveling *l, const lt_multiscale_node *node) {
    l->found_count = 0;
    for (uint32_t i = 3 * node->first; i < 3 * (node->first + node->count); i++) {
        const float *weights = l->weights + 4 * (size_t)i;
        coarse_governor *found = find_governor(l, l->homes[i / 3], weights);
        if (!found) return false;
        for (int k = 0; k < 4; k++) {
            found->lo[k] = lt_min_f(found->lo[k], weights[k]);
            found->hi[k] = lt_max_f(found->hi[k], weights[k]);
        }
    }
    return true;
}

/* ---- writing ---- */

static bool write_samples(leveling *l, uint32_t tet) {
    const sample_link *links = l->links.items;
    for (uint32_t at = l->first_sample[tet]; at != LT_NONE; at = links[at].before)
        if (!lt_array_push(&l->out->samples, &links[at].node) ||
            !lt_array_push(&l->out->sample_weights, links[at].weights))
            return false;
    uint32_t end = (uint32_t)l->out->samples.count;
    return lt_array_push(&l->out->sample_begin, &end);
}

/* Intervals are widened by what rounding may take of a weight. */
static bool write_record(leveling *l, const coarse_governor *found) {
    float *numbers = lt_array_grow(&l->out->records, 1);
    uint32_t *number = &l->numbers[found->tet];
    if (!numbers) return false;
    if (*number == LT_NONE) {
        *number = (uint32_t)l->out->governors.count;
        if (!lt_array_push(&l->out->governors, &found->tet) || !write_samples(l, found->tet)) return false;
    }
    for (int k = 0; k < 4; k++) {
        numbers[k] = found->lo[k] - lt_bound_slack(lt_max_f(1, fabsf(found->lo[k])));
        numbers[4 + k] = found->hi[k] + lt_bound_slack(lt_max_f(1, fabsf(found->hi[k])));
    }
    return lt_array_push(&l->out->record_governors, number);
}

static bool write_group(leveling *l, uint32_t above, uint32_t column, uint32_t width) {
    uint32_t node = ((const uint32_t *)l->out->above.items)[above];
    lt_multiscale_group group = {.first = (uint32_t)l->out->records.count};
    uint32_t *numbers = l->out->level_groups.items;
    numbers[(size_t)above * width + column] = (uint32_t)l->out->groups.count;
    for (uint32_t i = 0; i < l->found_count; i++)
        if (!write_record(l, &l->found[i])) return false;
    group.points = (uint32_t)l->out->records.count;
    return lt_array_push(&l->out->groups, &group) && lt_array_push(&l->out->group_nodes, &node);
}

/* Boxes within bunches are found from points. */
static bool has_group(const lt_governed *out, uint32_t node) {
    const lt_multiscale_link *link = (const lt_multiscale_link *)out->links.items + node;
    return link->bunch == LT_NONE ||
           ((const lt_multiscale_bunch *)out->bunches.items)[link->bunch].node == node;
}

static bool write_level(leveling *l, uint32_t width) {
    const uint32_t *above = l->out->above.items;
    const lt_multiscale_node *nodes = l->out->nodes.items;
    if (!place_triangles(l)) return false;
    for (uint32_t i = 0; i < l->out->above.count; i++)
        if (has_group(l->out, above[i]) && find_governors(l, &nodes[above[i]]) &&
            !write_group(l, i, l->level - 1, width))
            return false;
    return true;
}

/* ---- all of it ---- */

#define TABLES(X)                                                                                            \
    X(tet_homes, l->carrier->ladder.tet_begin[1], uint32_t)                                                  \
    X(homes, l->out->triangle_tets.count, uint32_t)                                                          \
    X(weights, 12 * l->out->triangle_tets.count, float)                                                      \
    X(numbers, l->carrier->tet_count, uint32_t)                                                              \
    X(first_sample, l->carrier->tet_count, uint32_t)

static bool take_tables(leveling *l, const lt_allocator *allocator) {
    bool all = true;
    l->links = LT_ARRAY_OF(allocator, sample_link);
#define TAKE(name, count, type)                                                                              \
    all = (l->name = LT_NEW(allocator, count, type)) && all;                                                 \
    if (l->name) memset(l->name, 0xff, (count) * sizeof(type));
    TABLES(TAKE)
#undef TAKE
    return all;
}

static void free_tables(leveling *l, const lt_allocator *allocator) {
    lt_array_free(&l->links);
#define GIVE_BACK(name, count, type) LT_DELETE(allocator, l->name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
}

/* The row that ends the groups goes behind those that come now. */
static bool write_levels(leveling *l, uint32_t width) {
    lt_governed *out = l->out;
    uint32_t zero = 0, *numbers = lt_array_grow(&out->level_groups, out->above.count * width);
    out->groups.count--;
    out->finest[0] = (uint32_t)out->groups.count;
    out->finest[1] = (uint32_t)out->records.count;
    out->finest[2] = (uint32_t)out->governors.count;
    if (!numbers || !lt_array_push(&out->sample_begin, &zero)) return false;
    memset(numbers, 0xff, out->above.count * width * sizeof *numbers);
    for (l->level = 1; l->level <= width; l->level++)
        if (!write_level(l, width)) return false;
    lt_multiscale_group end = {(uint32_t)out->records.count, (uint32_t)out->records.count};
    return lt_array_push(&out->groups, &end);
}

lt_status lt_governed_add_levels(lt_governed *governed, const lt_carrier *carrier,
                                 const lt_allocator *allocator, lt_error *error) {
    uint32_t level_count = carrier->ladder.level_count;
    if (level_count < 3 || governed->above.count == 0) return LT_OK;
    LT_ASSERT(governed->governors_max <= GOVERNORS_MOST);
    leveling l = {.out = governed, .carrier = carrier};
    bool ok = take_tables(&l, allocator) && write_levels(&l, level_count - 2);
    free_tables(&l, allocator);
    if (ok) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory for governors of %u levels", level_count);
}
