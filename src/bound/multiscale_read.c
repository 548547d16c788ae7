/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Reading a multiscale tree from a shape. All that later code relies on is checked here: what is no tree, no
 * cut, or names what is not there is refused. That records hold their points is not: baking sees to it, and
 * the seal of the shape keeps it. */

#include "bound/multiscale_chunks.h"

bool lt_multiscale_tree_exists(const lt_shape *shape) {
    return lt_shape_has(shape, LT_CHUNK_MULTISCALE_NODES);
}

/* ---- views ---- */

/* The view of a chunk whose first dimension is `count` (LT_SHAPE_ANY: whatever it is; it is put there).
 * False: error says why. */
static bool view(const void **out, const lt_shape *shape, const char *chunk, lt_shape_type type,
                 uint64_t *count, uint64_t width, lt_error *error) {
    lt_shape_dims dims = width == 1 ? LT_SHAPE_DIMS(*count) : LT_SHAPE_DIMS(*count, width);
    *out = lt_shape_data(shape, chunk, type, &dims, error);
    if (!*out) return false;
    *count = dims.size[0];
    if (*count < LT_NONE / 8) return true;
    lt_fail(error, LT_STATUS_INVALID, "shape '%s': chunk '%s' is too large for a tree", lt_shape_name(shape),
            chunk);
    return false;
}

#define VIEW(field, chunk, TYPE, count, width)                                                               \
    view((const void **)&out->field, shape, LT_CHUNK_MULTISCALE_##chunk, LT_SHAPE_TYPE_##TYPE, &(count),     \
         width, error)

static lt_status read_views(lt_multiscale_tree *out, const lt_shape *shape, lt_error *error) {
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_MULTISCALE_HEADER_SIZE);
    const uint32_t *header = lt_shape_u32(shape, LT_CHUNK_MULTISCALE_HEADER, &dims, error);
    if (!header) return error->status;
    uint64_t nodes = LT_SHAPE_ANY, above = LT_SHAPE_ANY, groups = LT_SHAPE_ANY, records = LT_SHAPE_ANY,
             governors = LT_SHAPE_ANY, bunches = LT_SHAPE_ANY, guests = LT_SHAPE_ANY, points = LT_SHAPE_ANY,
             triangles = LT_SHAPE_ANY, bunch_rows, group_rows;
    bool ok = VIEW(nodes, NODES, U32, nodes, 3) && VIEW(links, LINKS, U32, nodes, 3) &&
              VIEW(above, ABOVE, U32, above, 1) && VIEW(group_nodes, GROUP_NODES, U32, groups, 1) &&
              VIEW(records, RECORDS, F32, records, 8) &&
              VIEW(record_governors, RECORD_GOVERNORS, U32, records, 1) &&
              VIEW(governors, GOVERNORS, U32, governors, 1) && VIEW(bunches, BUNCHES, U32, bunches, 4) &&
              VIEW(guests, GUESTS, U32, guests, 1) && VIEW(ids, IDS, U32, points, 4) &&
              VIEW(weights, WEIGHTS, F32, points, 4) && VIEW(vertices, VERTICES, U32, points, 1) &&
              VIEW(triangles, TRIANGLES, U32, triangles, 3) &&
              VIEW(triangle_tets, TRIANGLE_TETS, U32, triangles, 1) &&
              VIEW(parents, PARENTS, U32, triangles, 1);
    group_rows = groups + 1;
    bunch_rows = bunches;
    if (!ok || !VIEW(groups, GROUPS, U32, group_rows, 2)) return error->status;
    out->node_count = (uint32_t)nodes;
    out->above_count = (uint32_t)above;
    out->group_count = (uint32_t)groups;
    out->record_count = (uint32_t)records;
    out->governor_count = (uint32_t)governors;
    out->bunch_count = bunch_rows ? (uint32_t)bunch_rows - 1 : 0; /* the last row is the end */
    out->guest_count = (uint32_t)guests;
    out->point_count = (uint32_t)points;
    out->triangle_count = (uint32_t)triangles;
    out->cut_count = header[LT_MULTISCALE_HEADER_CUT];
    out->spanning_count = header[LT_MULTISCALE_HEADER_SPANNING];
    out->governors_max = header[LT_MULTISCALE_HEADER_GOVERNORS_MAX];
    return LT_OK;
}

/* ---- is it a tree? ---- */

static bool children_are_sound(const lt_multiscale_tree *t, uint32_t node) {
    const lt_multiscale_node *n = t->nodes + node;
    if (n->child == LT_NONE) return n->count > 0 && n->count <= LT_LEAF_TRIANGLES;
    if (n->child <= node || n->child >= t->node_count - 1) return false;
    const lt_multiscale_node *a = n + (n->child - node), *b = a + 1;
    return t->links[n->child].parent == node && t->links[n->child + 1].parent == node &&
           a->first == n->first && a->count < n->count && b->first == n->first + a->count &&
           a->count + b->count == n->count;
}

/* Parents come before, so that the way up ends. */
static bool is_too_deep(const lt_multiscale_tree *t, uint32_t leaf) {
    uint32_t depth = 0;
    for (uint32_t node = leaf; node != 0 && depth <= LT_MULTISCALE_DEPTH_MAX; depth++)
        node = t->links[node].parent;
    return depth > LT_MULTISCALE_DEPTH_MAX;
}

/* Whoever is named by a parent names it; whoever is not the root has one. */
static bool is_a_tree(const lt_multiscale_tree *t) {
    if (t->triangle_count == 0 || t->node_count == 0 || t->links[0].parent != LT_NONE) return false;
    if (t->nodes[0].first != 0 || t->nodes[0].count != t->triangle_count) return false;
    for (uint32_t i = 0; i < t->node_count; i++) {
        if (!children_are_sound(t, i)) return false;
        if (i == 0) continue;
        uint32_t parent = t->links[i].parent;
        if (parent >= i) return false;
        uint32_t child = t->nodes[parent].child;
        if (child == LT_NONE || (child != i && child + 1 != i)) return false;
        if (t->nodes[i].child == LT_NONE && is_too_deep(t, i)) return false;
    }
    return true;
}

/* ---- bunches ---- */

static bool is_bunch_root(const lt_multiscale_tree *t, uint32_t node) {
    uint32_t parent = t->links[node].parent;
    return t->nodes[node].count <= LT_BUNCH_TRIANGLES &&
           (parent == LT_NONE || t->nodes[parent].count > LT_BUNCH_TRIANGLES);
}

/* A node is in the bunch of its parent, and in the row of what is below the root of that; *below_count counts
 * those. */
static bool is_in_its_bunch(const lt_multiscale_tree *t, uint32_t node, uint64_t *below_count) {
    uint32_t bunch = t->links[node].bunch;
    if (t->nodes[node].count > LT_BUNCH_TRIANGLES) return bunch == LT_NONE;
    if (bunch >= t->bunch_count) return false;
    const lt_multiscale_bunch *b = t->bunches + bunch;
    if (is_bunch_root(t, node)) return b->node == node;
    (*below_count)++;
    uint32_t below = t->nodes[b->node].child;
    return bunch == t->links[t->links[node].parent].bunch && node >= below && node - below < b->below_count;
}

/* Every corner in the bunch is one of its points or guests: else it would be used without being evaluated. */
static bool corners_are_listed(const lt_multiscale_tree *t, const lt_multiscale_bunch *b) {
    const lt_multiscale_node *n = t->nodes + b->node;
    for (size_t i = 3 * (size_t)n->first; i < 3 * ((size_t)n->first + n->count); i++) {
        uint32_t point = t->triangles[i], guest = b->first_guest;
        if (point >= b->first_point && point < b[1].first_point) continue;
        while (guest < b[1].first_guest && t->guests[guest] != point)
            guest++;
        if (guest == b[1].first_guest) return false;
    }
    return true;
}

static bool guests_are_from_before(const lt_multiscale_tree *t, const lt_multiscale_bunch *b) {
    for (uint32_t i = b->first_guest; i < b[1].first_guest; i++)
        if (t->guests[i] >= b->first_point) return false;
    return true;
}

static bool bunches_are_sound(const lt_multiscale_tree *t) {
    const lt_multiscale_bunch *last = t->bunches + t->bunch_count;
    uint64_t listed = 0, below_count = 0;
    uint32_t first = 0;
    if (t->bunch_count == 0 || t->bunches[0].first_point != 0 || t->bunches[0].first_guest != 0) return false;
    if (last->first_point != t->point_count || last->first_guest != t->guest_count) return false;
    for (const lt_multiscale_bunch *b = t->bunches; b < last; b++) {
        if (b->node >= t->node_count || !is_bunch_root(t, b->node) || t->nodes[b->node].first != first)
            return false;
        if (b->first_point > b[1].first_point || b->first_guest > b[1].first_guest) return false;
        if (b[1].first_point > t->point_count || b[1].first_guest > t->guest_count) return false;
        if (!corners_are_listed(t, b) || !guests_are_from_before(t, b)) return false;
        first += t->nodes[b->node].count;
        listed += b->below_count;
    }
    for (uint32_t i = 0; i < t->node_count; i++)
        if (!is_in_its_bunch(t, i, &below_count)) return false;
    return first == t->triangle_count && listed == below_count; /* so that rows hold nobody else */
}

/* ---- the cut ---- */

static bool is_above(const lt_multiscale_tree *t, uint32_t node) {
    uint32_t lo = 0, hi = t->above_count; /* descending */
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (t->above[middle] == node) return true;
        if (t->above[middle] > node)
            lo = middle + 1;
        else
            hi = middle;
    }
    return false;
}

static bool hangs_on_above(const lt_multiscale_tree *t, uint32_t node) {
    return node == 0 || is_above(t, t->links[node].parent);
}

/* Those above have two children each, all of whom are above or on the cut: by number, as the root is the only
 * one without a parent, and all other parents are above. */
static bool cut_is_a_cut(const lt_multiscale_tree *t) {
    if (t->cut_count > t->group_count || t->cut_count != t->above_count + 1) return false;
    for (uint32_t i = 0; i < t->above_count; i++) {
        uint32_t node = t->above[i];
        if (node >= t->node_count || (i > 0 && node >= t->above[i - 1])) return false;
        if (t->nodes[node].child == LT_NONE || t->links[node].group != LT_NONE || !hangs_on_above(t, node))
            return false;
    }
    for (uint32_t i = 0; i < t->cut_count; i++)
        if (!hangs_on_above(t, t->group_nodes[i])) return false;
    return true;
}

static bool groups_are_sound(const lt_multiscale_tree *t) {
    for (uint32_t g = 0; g < t->group_count; g++) {
        uint32_t node = t->group_nodes[g], end = t->groups[g + 1].first;
        if (node >= t->node_count || t->links[node].group != g) return false;
        if (g > 0 && g != t->cut_count && node <= t->group_nodes[g - 1]) return false;
        if (t->groups[g].first > t->groups[g].points || t->groups[g].points > end) return false;
        if (t->groups[g].first == end || end > t->record_count) return false;
    }
    return t->groups[0].first == 0 && t->groups[t->group_count].first == t->record_count;
}

/* Whoever is asked for below the cut can be fitted: from records, or as a part of a bunch. */
static bool all_can_be_fitted(const lt_multiscale_tree *t) {
    for (uint32_t i = 0; i < t->node_count; i++) {
        uint32_t group = t->links[i].group;
        if (group == LT_NONE ? t->links[i].bunch == LT_NONE && !is_above(t, i)
                             : group >= t->group_count || t->group_nodes[group] != i)
            return false;
    }
    return true;
}

/* ---- tets of triangles ---- */

static bool is_governor(const lt_multiscale_tree *t, uint32_t tet) {
    for (uint32_t i = 0; i < t->governor_count; i++)
        if (t->governors[i] == tet) return true;
    return false;
}

static bool governs(const lt_multiscale_tree *t, uint32_t group, uint32_t tet) {
    for (uint32_t i = t->groups[group].first; i < t->groups[group + 1].first; i++)
        if (t->governors[t->record_governors[i]] == tet) return true;
    return false;
}

/* What a triangle lies in is a governor, nearly always of its box on the cut: others have no marks. Those that
 * lie in none are counted. */
static bool triangle_tets_are_sound(const lt_multiscale_tree *t) {
    uint32_t spanning_count = 0;
    for (uint32_t group = 0; group < t->cut_count; group++) {
        const lt_multiscale_node *n = t->nodes + t->group_nodes[group];
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            uint32_t tet = t->triangle_tets[i];
            spanning_count += tet == LT_NONE;
            if (tet != LT_NONE && !governs(t, group, tet) && !is_governor(t, tet)) return false;
        }
    }
    return spanning_count == t->spanning_count;
}

/* ---- indices and numbers ---- */

static bool all_below(const uint32_t *values, size_t count, uint32_t limit, bool none_allowed) {
    for (size_t i = 0; i < count; i++)
        if (values[i] >= limit && !(none_allowed && values[i] == LT_NONE)) return false;
    return true;
}

static bool records_are_sound(const lt_multiscale_tree *t) {
    for (size_t i = 0; i < LT_RECORD_NUMBERS * (size_t)t->record_count; i++)
        if (!(fabsf(t->records[i]) < 1e6f)) return false;
    return true;
}

/* Numbers are finite, and the weights of every point sum to 1 as well as float can. */
static bool weights_are_sound(lt_multiscale_tree *t) {
    for (uint32_t point = 0; point < t->point_count; point++) {
        double sum = 0, size = 0, negative = 0;
        for (size_t k = 4 * (size_t)point; k < 4 * ((size_t)point + 1); k++) {
            double w = (double)t->weights[k];
            sum += w;
            size += fabs(w);
            negative -= lt_min_d(w, 0);
        }
        if (!(fabs(sum - 1) <= 1e-6 * lt_max_d(size, 1) && size < 1e6)) return false;
        t->overhang = lt_max_f(t->overhang, (float)negative);
    }
    return true;
}

static bool indices_are_sound(const lt_multiscale_tree *t, const lt_carrier *carrier, const lt_skin *skin) {
    return t->governor_count <= carrier->tet_count &&
           all_below(t->record_governors, t->record_count, t->governor_count, false) &&
           all_below(t->governors, t->governor_count, carrier->tet_count, false) &&
           all_below(t->guests, t->guest_count, t->point_count, false) &&
           all_below(t->ids, 4 * (size_t)t->point_count, carrier->node_count, false) &&
           all_below(t->vertices, t->point_count, skin->point_count, true) &&
           all_below(t->triangles, 3 * (size_t)t->triangle_count, t->point_count, false) &&
           all_below(t->triangle_tets, t->triangle_count, carrier->tet_count, true) &&
           all_below(t->parents, t->triangle_count, skin->triangle_count, false);
}

lt_status lt_multiscale_tree_read(lt_multiscale_tree *out, const lt_shape *shape, const lt_carrier *carrier,
                                  const lt_skin *skin, lt_error *error) {
    lt_error local;
    if (!error) error = &local;
    *out = (lt_multiscale_tree){0};
    lt_status status = read_views(out, shape, error);
    if (status == LT_OK && lt_shape_has(shape, LT_CHUNK_MULTISCALE_FINEST))
        status = lt_multiscale_levels_read(out, shape, carrier, error);
    if (status != LT_OK) {
        *out = (lt_multiscale_tree){0};
        return status;
    }
    if (is_a_tree(out) && indices_are_sound(out, carrier, skin) && bunches_are_sound(out) &&
        groups_are_sound(out) && cut_is_a_cut(out) && all_can_be_fitted(out) &&
        triangle_tets_are_sound(out) && records_are_sound(out) && weights_are_sound(out) &&
        lt_multiscale_levels_are_sound(out, carrier))
        return LT_OK;
    *out = (lt_multiscale_tree){0};
    return lt_fail(error, LT_STATUS_INVALID, "shape '%s': its multiscale tree is damaged; bake it again",
                   lt_shape_name(shape));
}
