/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bound/shape_tree.h"

#include "core/heap.h"

#include <string.h>

/* ---- while it is made ---- */

typedef struct keyed {
    float key;
    uint32_t item;
} keyed;

/* Equal keys come by their items: the order is the same on every machine. */
static bool comes_later(const keyed *x, const keyed *y) {
    return x->key != y->key ? x->key > y->key : x->item > y->item;
}
LT_HEAP(keyed, keyed, comes_later)

typedef struct maker {
    lt_shape_tree *tree;
    const lt_carrier *carrier;
    const lt_skin *skin;
    lt_vec3 *centers;       /* [tet_count] at rest */
    keyed *order;           /* [tet_count] scratch of a split */
    uint32_t *marks;        /* [carrier nodes] the tree's node + 1 that has it as a governor */
    uint32_t *sample_begin; /* [tet_count + 1] in `samples` */
    uint32_t *samples;      /* [skin points] by tet, each tet's samples first */
    uint32_t *sample_count; /* [tet_count] */
    float *sample_areas;    /* [skin points] beside `samples` */
    float *distances;       /* [skin points] scratch: to the nearest sample so far */
    uint32_t points_placed;
    bool out_of_memory;
} maker;

static lt_vec3 center_at_rest(const lt_carrier *carrier, uint32_t tet) {
    LT_ASSERT(tet < carrier->tet_count);
    lt_dvec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const double *p = carrier->rest + 3 * (size_t)carrier->tets[4 * (size_t)tet + (size_t)k];
        sum = lt_d3_mad(sum, (lt_dvec3){p[0], p[1], p[2]}, 0.25);
    }
    return lt_v3_from_d3(sum);
}

/* ---- samples ---- */

/* Points of the skin by the tet that holds them. */
static void sort_points_by_tet(maker *m) {
    uint32_t tets = m->carrier->tet_count, *begin = m->sample_begin;
    memset(begin, 0, (tets + 1) * sizeof *begin);
    for (uint32_t i = 0; i < m->skin->point_count; i++)
        begin[m->skin->tets[i]]++;
    for (uint32_t t = 0, sum = 0; t <= tets; t++) {
        uint32_t count = t < tets ? begin[t] : 0;
        begin[t] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < m->skin->point_count; i++)
        m->samples[begin[m->skin->tets[i]]++] = i;
    for (uint32_t t = tets; t > 0; t--)
        begin[t] = begin[t - 1];
    begin[0] = 0;
}

static uint32_t farthest(const float *distances, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin < end);
    uint32_t best = begin;
    for (uint32_t i = begin + 1; i < end; i++)
        if (distances[i] > distances[best]) best = i;
    return best;
}

static void swap_samples(maker *m, uint32_t i, uint32_t j) {
    uint32_t point = m->samples[i];
    float distance = m->distances[i];
    m->samples[i] = m->samples[j];
    m->samples[j] = point;
    m->distances[i] = m->distances[j];
    m->distances[j] = distance;
}

/* Points [begin, end) are of one tet: its samples come first, farthest first. */
static void sample_tet(maker *m, uint32_t tet) {
    uint32_t begin = m->sample_begin[tet], end = m->sample_begin[tet + 1];
    const lt_vec3 *rest = m->skin->rest;
    for (uint32_t i = begin; i < end; i++)
        m->distances[i] = lt_v3_distance(rest[m->samples[i]], m->centers[tet]);
    uint32_t kept = begin;
    while (kept < end && kept < begin + LT_TET_SAMPLES) {
        swap_samples(m, kept, farthest(m->distances, kept, end));
        lt_vec3 at = rest[m->samples[kept]];
        for (uint32_t i = kept + 1; i < end; i++) {
            float distance = lt_v3_distance(rest[m->samples[i]], at);
            m->distances[i] = kept == begin ? distance : lt_min_f(m->distances[i], distance);
        }
        kept++;
    }
    m->sample_count[tet] = kept - begin;
}

/* Every point's area goes to the nearest sample of its tet. */
static void share_areas(maker *m, uint32_t tet) {
    uint32_t begin = m->sample_begin[tet], end = m->sample_begin[tet + 1];
    uint32_t kept = begin + m->sample_count[tet];
    for (uint32_t i = begin; i < kept; i++)
        m->sample_areas[i] = 0;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t nearest = begin;
        float least = 3e38f;
        for (uint32_t k = begin; k < kept; k++) {
            float d = lt_v3_distance(m->skin->rest[m->samples[i]], m->skin->rest[m->samples[k]]);
            if (d < least) {
                least = d;
                nearest = k;
            }
        }
        m->sample_areas[nearest] += m->skin->areas[m->samples[i]];
    }
}

/* ---- nodes ---- */

/* Tets [begin, end) in the order of their centres along the longest side of the box of these. */
static void sort_tets(maker *m, uint32_t begin, uint32_t end) {
    lt_box box = lt_box_empty();
    for (uint32_t i = begin; i < end; i++)
        box = lt_box_add_point(box, m->centers[m->tree->tets[i]]);
    lt_vec3 size = lt_v3_sub(box.hi, box.lo);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (uint32_t i = begin; i < end; i++)
        m->order[i] = (keyed){lt_v3_get(m->centers[m->tree->tets[i]], axis), m->tree->tets[i]};
    keyed_sort(m->order + begin, end - begin);
    for (uint32_t i = begin; i < end; i++)
        m->tree->tets[i] = m->order[i].item;
}

static bool make_room_for_governors(maker *m, uint32_t count) {
    lt_shape_tree *t = m->tree;
    uint32_t needed = t->governor_count + count;
    if (needed <= t->governor_capacity) return true;
    uint32_t larger = lt_max_u32(needed, 2 * t->governor_capacity);
    uint32_t *governors = LT_ENLARGE(&t->allocator, t->governors, t->governor_capacity, larger, uint32_t);
    if (!governors) return false;
    t->governors = governors;
    t->governor_capacity = larger;
    return true;
}

static void add_governor(maker *m, uint32_t node, uint32_t id) {
    if (m->marks[id] == node + 1) return;
    m->marks[id] = node + 1;
    m->tree->governors[m->tree->governor_count++] = id;
}

/* The nodes of its tets, and those on which points of these hang: rigid links have the nodes of a triangle that may be of another tet. */
static bool list_governors(maker *m, uint32_t node) {
    lt_shape_tree *t = m->tree;
    lt_shape_node *n = &t->nodes[node];
    uint32_t most = 4 * lt_shape_node_tets(n);
    for (uint32_t i = n->tet_begin; i < n->tet_end && m->skin->offsets; i++)
        most += 3 * (m->sample_begin[t->tets[i] + 1] - m->sample_begin[t->tets[i]]);
    if (!make_room_for_governors(m, lt_min_u32(most, m->carrier->node_count))) return false;
    n->governor_begin = t->governor_count;
    for (uint32_t i = n->tet_begin; i < n->tet_end; i++) {
        uint32_t tet = t->tets[i];
        for (size_t k = 0; k < 4; k++)
            add_governor(m, node, m->carrier->tets[4 * (size_t)tet + k]);
        for (uint32_t p = m->sample_begin[tet]; p < m->sample_begin[tet + 1] && m->skin->offsets; p++)
            for (size_t k = 0; k < 3; k++)
                add_governor(m, node, m->skin->ids[4 * (size_t)m->samples[p] + k]);
    }
    n->governor_end = t->governor_count;
    return true;
}

/* Samples of the tets of a node that is not split. */
static void place_points(maker *m, const lt_shape_node *n) {
    lt_shape_tree *t = m->tree;
    for (uint32_t i = n->tet_begin; i < n->tet_end; i++) {
        uint32_t tet = t->tets[i], begin = m->sample_begin[tet];
        for (uint32_t k = begin; k < begin + m->sample_count[tet]; k++) {
            t->points[m->points_placed] = m->samples[k];
            t->areas[m->points_placed] = m->sample_areas[k];
            t->point_places[m->samples[k]] = m->points_placed++;
        }
    }
}

static uint32_t samples_of(const maker *m, uint32_t begin, uint32_t end) {
    uint32_t sum = 0;
    for (uint32_t i = begin; i < end; i++)
        sum += m->sample_count[m->tree->tets[i]];
    return sum;
}

/* Depth of the recursion: log2 of the tets. */
static void make_node(maker *m, uint32_t begin, uint32_t end) {
    lt_shape_tree *t = m->tree;
    uint32_t node = t->node_count++;
    t->nodes[node] = (lt_shape_node){.tet_begin = begin, .tet_end = end, .point_begin = m->points_placed};
    if (!list_governors(m, node)) {
        m->out_of_memory = true;
        return;
    }
    bool is_leaf = end - begin <= LT_SOLID_LEAF && samples_of(m, begin, end) <= LT_SKIN_LEAF;
    if (is_leaf || end - begin == 1) {
        place_points(m, &t->nodes[node]);
    } else {
        uint32_t middle = begin + (end - begin) / 2;
        sort_tets(m, begin, end);
        make_node(m, begin, middle);
        if (!m->out_of_memory) t->nodes[node].right = t->node_count;
        if (!m->out_of_memory) make_node(m, middle, end);
    }
    t->nodes[node].point_end = m->points_placed;
    t->nodes[node].end = t->node_count;
}

/* ---- life ---- */

static bool allocate_maker(maker *m) {
    const lt_allocator *allocator = &m->tree->allocator;
    uint32_t tets = m->carrier->tet_count, points = m->skin->point_count;
    m->centers = LT_NEW(allocator, tets, lt_vec3);
    m->order = LT_NEW(allocator, tets, keyed);
    m->marks = LT_NEW(allocator, m->carrier->node_count, uint32_t);
    m->sample_begin = LT_NEW(allocator, (size_t)tets + 1, uint32_t);
    m->sample_count = LT_NEW(allocator, tets, uint32_t);
    m->samples = LT_NEW(allocator, points, uint32_t);
    m->sample_areas = LT_NEW(allocator, points, float);
    m->distances = LT_NEW(allocator, points, float);
    return m->centers && m->order && m->marks && m->sample_begin && m->sample_count && m->samples &&
           m->sample_areas && m->distances;
}

static void free_maker(maker *m) {
    const lt_allocator *allocator = &m->tree->allocator;
    uint32_t tets = m->carrier->tet_count, points = m->skin->point_count;
    LT_DELETE(allocator, m->centers, tets, lt_vec3);
    LT_DELETE(allocator, m->order, tets, keyed);
    LT_DELETE(allocator, m->marks, m->carrier->node_count, uint32_t);
    LT_DELETE(allocator, m->sample_begin, (size_t)tets + 1, uint32_t);
    LT_DELETE(allocator, m->sample_count, tets, uint32_t);
    LT_DELETE(allocator, m->samples, points, uint32_t);
    LT_DELETE(allocator, m->sample_areas, points, float);
    LT_DELETE(allocator, m->distances, points, float);
}

static bool allocate_tree(lt_shape_tree *t, const lt_carrier *carrier, const lt_skin *skin) {
    const lt_allocator *allocator = &t->allocator;
    t->tet_count = carrier->tet_count;
    t->skin_point_count = skin->point_count;
    t->governor_capacity = 8 * carrier->tet_count;
    t->nodes = LT_NEW(allocator, 2 * (size_t)carrier->tet_count, lt_shape_node);
    t->tets = LT_NEW(allocator, carrier->tet_count, uint32_t);
    t->tet_places = LT_NEW(allocator, carrier->tet_count, uint32_t);
    t->points = LT_NEW(allocator, skin->point_count, uint32_t);
    t->areas = LT_NEW(allocator, skin->point_count, float);
    t->point_places = LT_NEW(allocator, skin->point_count, uint32_t);
    t->governors = LT_NEW(allocator, t->governor_capacity, uint32_t);
    t->skin_leaves = LT_NEW(allocator, skin->point_count, uint32_t);
    t->solid_leaves = LT_NEW(allocator, carrier->tet_count, uint32_t);
    t->carrier_node_count = carrier->node_count;
    t->node_corners = LT_NEW(allocator, carrier->node_count, uint32_t);
    return t->node_corners && t->skin_leaves && t->solid_leaves && t->nodes && t->tets && t->tet_places &&
           t->points && t->areas && t->point_places && t->governors;
}

void lt_shape_tree_free(lt_shape_tree *tree) {
    const lt_allocator *allocator = &tree->allocator;
    if (!tree->tet_count) return;
    LT_DELETE(allocator, tree->nodes, 2 * (size_t)tree->tet_count, lt_shape_node);
    LT_DELETE(allocator, tree->tets, tree->tet_count, uint32_t);
    LT_DELETE(allocator, tree->tet_places, tree->tet_count, uint32_t);
    LT_DELETE(allocator, tree->points, tree->skin_point_count, uint32_t);
    LT_DELETE(allocator, tree->areas, tree->skin_point_count, float);
    LT_DELETE(allocator, tree->point_places, tree->skin_point_count, uint32_t);
    LT_DELETE(allocator, tree->governors, tree->governor_capacity, uint32_t);
    LT_DELETE(allocator, tree->node_corners, tree->carrier_node_count, uint32_t);
    LT_DELETE(allocator, tree->skin_leaves, tree->skin_point_count, uint32_t);
    LT_DELETE(allocator, tree->solid_leaves, tree->tet_count, uint32_t);
    *tree = (lt_shape_tree){0};
}

/* The first leaves down every path get blocks; those below one have none. */
static void note_skin_leaf(lt_shape_tree *t, uint32_t node) {
    lt_shape_node *n = &t->nodes[node];
    n->skin_block = t->skin_block_count;
    t->skin_block_count += lt_block_count(lt_shape_node_points(n));
    for (uint32_t i = n->point_begin; i < n->point_end; i++)
        t->skin_leaves[i] = node;
}
static void note_solid_leaf(lt_shape_tree *t, uint32_t node) {
    lt_shape_node *n = &t->nodes[node];
    n->solid_block = t->solid_block_count;
    t->solid_block_count += lt_block_count(lt_shape_node_tets(n));
    for (uint32_t i = n->tet_begin; i < n->tet_end; i++)
        t->solid_leaves[i] = node;
}

static void note_leaves(lt_shape_tree *t) {
    uint32_t skin_end = 0, solid_end = 0; /* nodes before are below a leaf */
    for (uint32_t node = 0; node < t->node_count; node++) {
        const lt_shape_node *n = &t->nodes[node];
        if (node >= skin_end && lt_is_skin_leaf(n)) {
            note_skin_leaf(t, node);
            skin_end = n->end;
        }
        if (node >= solid_end && lt_is_solid_leaf(n)) {
            note_solid_leaf(t, node);
            solid_end = n->end;
        }
    }
}

/* ---- parts ---- */

static lt_vec3 node_at_rest(const lt_carrier *carrier, uint32_t node) {
    const double *p = carrier->rest + 3 * (size_t)node;
    return (lt_vec3){(float)p[0], (float)p[1], (float)p[2]};
}

static lt_box box_at_rest(const maker *m, const lt_shape_node *n) {
    lt_box box = lt_box_empty();
    for (uint32_t i = n->governor_begin; i < n->governor_end; i++)
        box = lt_box_add_point(box, node_at_rest(m->carrier, m->tree->governors[i]));
    return box;
}

/* Its four governors nearest to its middle; of fewer, some come again. */
static void choose_middle(const maker *m, const lt_shape_node *n, uint32_t *out) {
    lt_vec3 middle = lt_box_center(box_at_rest(m, n));
    float nearest[LT_PART_NODES];
    uint32_t count = 0;
    for (uint32_t i = n->governor_begin; i < n->governor_end; i++) {
        uint32_t node = m->tree->governors[i], at = lt_min_u32(count, LT_PART_NODES);
        float distance = lt_v3_distance(node_at_rest(m->carrier, node), middle);
        while (at > 0 && distance < nearest[at - 1])
            at--;
        for (uint32_t k = lt_min_u32(count, LT_PART_NODES - 1); k > at; k--) {
            nearest[k] = nearest[k - 1];
            out[k] = out[k - 1];
        }
        if (at == LT_PART_NODES) continue;
        nearest[at] = distance;
        out[at] = node;
        count = lt_min_u32(count + 1, LT_PART_NODES);
    }
    for (uint32_t k = count; k < LT_PART_NODES; k++)
        out[k] = out[k - count];
}

/* The node with most tets is split until there are eight; a tree of fewer leaves has some of them again. */
static void choose_parts(const maker *m) {
    lt_shape_tree *t = m->tree;
    uint32_t chosen[LT_PART_COUNT] = {0}, count = 1;
    while (count < LT_PART_COUNT) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < count; i++)
            if (lt_shape_node_tets(&t->nodes[chosen[i]]) > lt_shape_node_tets(&t->nodes[chosen[best]]))
                best = i;
        uint32_t right = t->nodes[chosen[best]].right;
        if (!right) break;
        chosen[best]++;
        chosen[count++] = right;
    }
    for (uint32_t i = 0; i < LT_PART_COUNT; i++)
        choose_middle(m, &t->nodes[chosen[i % count]], t->parts + LT_PART_NODES * (size_t)i);
    lt_box box = box_at_rest(m, &t->nodes[0]);
    t->radius = 0.5f * lt_v3_distance(box.lo, box.hi);
    for (uint32_t i = 0; i < t->point_count; i++)
        t->area += t->areas[i];
}

/* Directions are the 26 neighbours of a cube in a grid of them. */
static void choose_extremes(const maker *m) {
    uint32_t count = 0;
    for (int i = 0; i < 27; i++) {
        lt_vec3 along = {(float)(i % 3 - 1), (float)(i / 3 % 3 - 1), (float)(i / 9 - 1)};
        float most = -3e38f;
        if (i == 13) continue; /* the cube itself */
        for (uint32_t node = 0; node < m->carrier->node_count; node++) {
            float far = lt_v3_dot(along, node_at_rest(m->carrier, node));
            if (far > most) m->tree->extremes[count] = node;
            most = lt_max_f(most, far);
        }
        count++;
    }
    LT_ASSERT(count == LT_EXTREMES);
}

static void make_tree(maker *m) {
    lt_shape_tree *t = m->tree;
    for (uint32_t i = 0; i < t->tet_count; i++) {
        m->centers[i] = center_at_rest(m->carrier, i);
        t->tets[i] = i;
    }
    for (uint32_t i = 0; i < t->skin_point_count; i++)
        t->point_places[i] = LT_NONE;
    sort_points_by_tet(m);
    for (uint32_t i = 0; i < t->tet_count; i++) {
        sample_tet(m, i);
        share_areas(m, i);
    }
    make_node(m, 0, t->tet_count);
    t->point_count = m->points_placed;
    for (uint32_t i = 0; i < t->tet_count; i++)
        t->tet_places[t->tets[i]] = i;
    note_leaves(t);
    choose_parts(m);
    choose_extremes(m);
    for (uint32_t i = 4 * t->tet_count; i-- > 0;)
        t->node_corners[m->carrier->tets[i]] = i;
}

lt_status lt_shape_tree_create(lt_shape_tree *out, const lt_carrier *carrier, const lt_skin *skin,
                               const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(carrier->tet_count > 0 && skin->corner_count == 4);
    *out = (lt_shape_tree){.shape = carrier->shape,
                           .allocator = allocator ? *allocator : lt_allocator_default()};
    maker m = {.tree = out, .carrier = carrier, .skin = skin};
    bool made = allocate_tree(out, carrier, skin) && allocate_maker(&m);
    if (made) make_tree(&m);
    free_maker(&m);
    if (made && !m.out_of_memory) {
        LT_VALIDATE(lt_validate_shape_tree(out, carrier));
        return LT_OK;
    }
    lt_shape_tree_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the tree of a shape of %u tets",
                   carrier->tet_count);
}

/* ---- validator ---- */

static const char *check_children(const lt_shape_tree *t, uint32_t node) {
    const lt_shape_node *n = &t->nodes[node];
    if (n->right == 0) return NULL;
    if (n->right <= node || n->right >= t->node_count) return "a child comes before its parent";
    const lt_shape_node *a = &t->nodes[node + 1], *b = &t->nodes[n->right];
    if (a->tet_begin != n->tet_begin || a->tet_end != b->tet_begin || b->tet_end != n->tet_end)
        return "the tets of children are not those of their parent";
    if (a->point_begin != n->point_begin || a->point_end != b->point_begin || b->point_end != n->point_end)
        return "the points of children are not those of their parent";
    if (a->end != n->right || b->end != n->end) return "the nodes below are not those of the children";
    return NULL;
}

const char *lt_validate_shape_tree(const lt_shape_tree *tree, const lt_carrier *carrier) {
    if (tree->node_count == 0 || tree->nodes[0].tet_end != carrier->tet_count)
        return "the root does not have all tets";
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const char *flaw = check_children(tree, i);
        if (flaw) return flaw;
        if (tree->nodes[i].governor_end > tree->governor_count) return "governors beyond their list";
    }
    for (uint32_t i = 0; i < tree->tet_count; i++)
        if (tree->tets[tree->tet_places[i]] != i) return "a tet is not in its place";
    for (uint32_t i = 0; i < tree->point_count; i++)
        if (tree->point_places[tree->points[i]] != i) return "a point is not in its place";
    return NULL;
}
