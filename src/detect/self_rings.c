/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Tets at rest: who is near whom, by what margin, and which boxes of the tree hold more than one of them. */

#include "detect/self_internal.h"

#include <stdlib.h>
#include <string.h>

/* Two tets that share a node, seen from the first. */
typedef struct neighbour {
    uint32_t tet;
    float own_reach, other_reach; /* from what is shared to the farthest corner of the one and of the other */
} neighbour;

/* A pair with what it is listed at: a node or a tet. */
typedef struct listed_pair {
    uint32_t place;
    lt_near_pair pair;
} listed_pair;

typedef struct builder {
    lt_self_tets *out;
    uint32_t *governor_of;     /* [carrier tets] LT_NONE: holds no surface */
    uint32_t *neighbour_begin; /* [tet_count + 1] */
    uint32_t *stamps;          /* [tet_count] */
    float *paths;              /* [tet_count] of second neighbours: the way through the best tet between */
    uint32_t *between;         /* [tet_count] that tet */
    lt_array neighbours, found, faces, always, touches, seconds, boxes, sources;
    bool out_of_memory;
} builder;

static void push(builder *b, lt_array *array, const void *item) {
    if (!lt_array_push(array, item)) b->out_of_memory = true;
}

/* ---- tets and rings ---- */

static float shortest_edge(const builder *b, const uint32_t *nodes) {
    double least = 1e300;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            least = lt_min_d(least, lt_d3_distance(b->out->rest[nodes[i]], b->out->rest[nodes[k]]));
    return (float)least;
}

static void fill_tets(builder *b, const lt_carrier *carrier) {
    lt_self_tets *t = b->out;
    for (uint32_t i = 0; i < carrier->tet_count; i++)
        b->governor_of[i] = LT_NONE;
    for (uint32_t i = 0; i < t->tet_count; i++) {
        const uint32_t *nodes = carrier->tets + 4 * (size_t)t->tree->governors[i];
        b->governor_of[t->tree->governors[i]] = i;
        memcpy(t->nodes + 4 * (size_t)i, nodes, 4 * sizeof *nodes);
        t->shortest[i] = shortest_edge(b, nodes);
        double tolerance = 1e-5 * (double)t->shortest[i];
        t->rest_tolerance = i == 0 ? tolerance : lt_min_d(t->rest_tolerance, tolerance);
        lt_dvec3 o = b->out->rest[nodes[0]];
        t->inverses[i] = lt_dm3_inverse((lt_dmat3){lt_d3_sub(b->out->rest[nodes[1]], o),
                                                   lt_d3_sub(b->out->rest[nodes[2]], o),
                                                   lt_d3_sub(b->out->rest[nodes[3]], o)});
    }
}

static void fill_rings(lt_self_tets *t) {
    uint32_t *begin = t->ring_begin;
    for (uint32_t i = 0; i < 4 * t->tet_count; i++)
        begin[t->nodes[i]]++;
    for (uint32_t node = 0, sum = 0; node <= t->node_count; node++) {
        uint32_t count = begin[node];
        begin[node] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < 4 * t->tet_count; i++)
        t->rings[begin[t->nodes[i]]++] = i;
    for (uint32_t node = t->node_count; node > 0; node--)
        begin[node] = begin[node - 1];
    begin[0] = 0;
    for (uint32_t node = 0; node < t->node_count; node++) {
        float least = 3e38f;
        for (uint32_t i = begin[node]; i < begin[node + 1]; i++)
            least = lt_min_f(least, t->shortest[t->rings[i] / 4]);
        t->ring_shortest[node] = least;
    }
}

static void set_near(lt_self_tets *t, uint32_t a, uint32_t b) {
    t->near_bits[(size_t)t->near_stride * a + b / 64] |= (uint64_t)1 << (b % 64);
    t->near_bits[(size_t)t->near_stride * b + a / 64] |= (uint64_t)1 << (a % 64);
}

static bool is_near(const lt_self_tets *t, uint32_t a, uint32_t b) {
    return t->near_bits[(size_t)t->near_stride * a + b / 64] >> (b % 64) & 1;
}

/* ---- tets that share nodes ---- */

static void corners_at_rest(const builder *b, uint32_t tet, const uint32_t order[4], lt_dvec3 out[4]) {
    for (int k = 0; k < 4; k++)
        out[k] = b->out->rest[b->out->nodes[4 * (size_t)tet + order[k]]];
}

static double farthest_from(const lt_dvec3 corners[4], lt_dvec3 place) {
    double most = 0;
    for (int k = 0; k < 4; k++)
        most = lt_max_d(most, lt_d3_distance(corners[k], place));
    return most;
}

static double volume_on(const lt_dvec3 *face, lt_dvec3 x) {
    return lt_d3_dot(lt_d3_cross(lt_d3_sub(face[1], face[0]), lt_d3_sub(face[2], face[0])),
                     lt_d3_sub(x, face[0]));
}

/* The pair goes to the list of its kind. */
static void list_pair(builder *b, uint32_t t, uint32_t u, const lt_dvec3 ct[4], const lt_dvec3 cu[4],
                      uint32_t shared_count, uint32_t shared_node) {
    lt_near_pair pair = {.a = t, .b = u};
    lt_hull_gap gap;
    if (shared_count == 3 && volume_on(ct, ct[3]) * volume_on(ct, cu[3]) < 0) {
        push(b, &b->faces, &pair);
    } else if (shared_count < 3 && lt_tet_pair_gap(&gap, ct, cu, shared_count, LT_EFFORT_AT_REST)) {
        /* Of an edge: gradients agree along it, and 2 r < m (σ - r). */
        double m = gap.margin * (1 - 1e-6);
        pair.margin = (float)m;
        pair.direction = lt_v3_from_d3(gap.direction);
        pair.needed = (float)(shared_count == 2 ? m / (2 + m) : m);
        push(b, &b->touches, &(listed_pair){shared_node, pair});
    } else {
        push(b, &b->always, &pair);
    }
}

static void meet(builder *b, uint32_t t, uint32_t u) {
    lt_self_tets *out = b->out;
    uint32_t order_t[4], order_u[4];
    uint32_t count =
        lt_tet_pair_order(out->nodes + 4 * (size_t)t, out->nodes + 4 * (size_t)u, order_t, order_u);
    lt_dvec3 ct[4], cu[4];
    corners_at_rest(b, t, order_t, ct);
    corners_at_rest(b, u, order_u, cu);
    neighbour n = {u, 3e38f, 3e38f};
    for (uint32_t k = 0; k < count; k++) {
        n.own_reach = lt_min_f(n.own_reach, (float)farthest_from(ct, ct[k]));
        n.other_reach = lt_min_f(n.other_reach, (float)farthest_from(cu, cu[k]));
    }
    push(b, &b->neighbours, &n);
    if (u < t) return;
    list_pair(b, t, u, ct, cu, count, out->nodes[4 * (size_t)t + order_t[0]]);
    set_near(out, t, u);
}

static void find_neighbours(builder *b) {
    lt_self_tets *out = b->out;
    for (uint32_t t = 0; t < out->tet_count; t++) {
        b->stamps[t] = t + 1;
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t node = out->nodes[4 * (size_t)t + k];
            for (uint32_t i = out->ring_begin[node]; i < out->ring_begin[node + 1]; i++) {
                uint32_t u = out->rings[i] / 4;
                if (b->stamps[u] == t + 1) continue;
                b->stamps[u] = t + 1;
                meet(b, t, u);
            }
        }
        b->neighbour_begin[t + 1] = (uint32_t)b->neighbours.count;
    }
}

/* ---- tets that both touch a third ---- */

static void offer_way(builder *b, uint32_t t, uint32_t u, uint32_t through, float path) {
    if (u <= t || is_near(b->out, t, u)) return;
    uint32_t stamp = b->out->tet_count + 1 + t;
    if (b->stamps[u] != stamp) {
        b->stamps[u] = stamp;
        b->paths[u] = 3e38f;
        push(b, &b->found, &u);
    }
    if (path >= b->paths[u]) return;
    b->paths[u] = path;
    b->between[u] = through;
}

static void list_seconds_of(builder *b, uint32_t t) {
    static const uint32_t in_order[4] = {0, 1, 2, 3};
    const uint32_t *found = b->found.items;
    lt_dvec3 ct[4], cu[4];
    corners_at_rest(b, t, in_order, ct);
    for (size_t i = 0; i < b->found.count; i++) {
        uint32_t u = found[i];
        lt_near_pair pair = {.a = t, .b = u};
        lt_hull_gap gap;
        corners_at_rest(b, u, in_order, cu);
        set_near(b->out, t, u);
        if (!lt_tet_pair_gap(&gap, ct, cu, 0, LT_EFFORT_AT_REST)) {
            push(b, &b->always, &pair);
            continue;
        }
        pair.margin = (float)(gap.margin * (1 - 1e-6));
        pair.direction = lt_v3_from_d3(gap.direction);
        pair.needed = pair.margin / b->paths[u] * (1 - 1e-6f);
        push(b, &b->seconds, &(listed_pair){b->between[u], pair});
        float *shortest = &b->out->second_paths[b->between[u]];
        *shortest = *shortest > 0 ? lt_min_f(*shortest, b->paths[u]) : b->paths[u];
    }
    b->found.count = 0;
}

static void find_seconds(builder *b) {
    const neighbour *n = b->neighbours.items;
    for (uint32_t t = 0; t < b->out->tet_count; t++) {
        for (uint32_t i = b->neighbour_begin[t]; i < b->neighbour_begin[t + 1]; i++)
            for (uint32_t k = b->neighbour_begin[n[i].tet]; k < b->neighbour_begin[n[i].tet + 1]; k++)
                offer_way(b, t, n[k].tet, n[i].tet, n[i].own_reach + n[k].other_reach);
        list_seconds_of(b, t);
    }
}

/* ---- lists in order ---- */

static int by_need(const void *x, const void *y) {
    const listed_pair *a = x, *b = y;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    if (a->pair.needed != b->pair.needed) return a->pair.needed < b->pair.needed ? -1 : 1;
    if (a->pair.a != b->pair.a) return a->pair.a < b->pair.a ? -1 : 1;
    return (a->pair.b > b->pair.b) - (a->pair.b < b->pair.b);
}

/* `begin` is [place_count + 1]. */
static void sort_list(lt_array *listed, lt_near_pair *pairs, uint32_t *begin, uint32_t place_count) {
    listed_pair *items = listed->items;
    if (listed->count > 1) qsort(items, listed->count, sizeof *items, by_need);
    for (size_t i = 0; i < listed->count; i++) {
        pairs[i] = items[i].pair;
        begin[items[i].place + 1] = (uint32_t)i + 1;
    }
    for (uint32_t place = 0; place < place_count; place++)
        begin[place + 1] = lt_max_u32(begin[place + 1], begin[place]);
}

/* ---- blocks ---- */

/* As the tree has their triangles; those that hold none (only corners of what spans) come last. */
static void fill_places(builder *b) {
    lt_self_tets *t = b->out;
    uint32_t count = 0;
    memset(b->stamps, 0, t->tet_count * sizeof *b->stamps);
    for (uint32_t i = 0; i < t->tree->triangle_count + t->tet_count; i++) {
        bool listed = i < t->tree->triangle_count;
        uint32_t tet = listed ? t->tree->triangle_tets[i] : i - t->tree->triangle_count;
        if (listed) tet = tet == LT_NONE ? LT_NONE : b->governor_of[tet];
        if (tet == LT_NONE || b->stamps[tet]) continue;
        b->stamps[tet] = 1;
        t->places[count++] = tet;
    }
}

static void fill_far(builder *b) {
    lt_self_tets *t = b->out;
    for (uint32_t i = 0; i < t->tet_count; i++)
        for (uint32_t k = i + 1; k < t->tet_count; k++) {
            uint32_t block = k / LT_SELF_BLOCK;
            if (is_near(t, t->places[i], t->places[k])) continue;
            t->far_bits[(size_t)t->near_stride * i + k / 64] |= (uint64_t)1 << (k % 64);
            t->far_blocks[(size_t)t->block_stride * (i / LT_SELF_BLOCK) + block / 64] |= (uint64_t)1
                                                                                         << (block % 64);
        }
}

/* ---- boxes of several tets ---- */

static uint32_t row_of_triangle(const builder *b, uint32_t triangle) {
    uint32_t tet = b->out->tree->triangle_tets[triangle];
    return tet == LT_NONE ? lt_self_spanning_row(b->out) : b->governor_of[tet];
}

static uint32_t add_box(builder *b, const uint32_t *rows, uint32_t count) {
    lt_mark_source source = {(uint32_t)b->sources.count, count};
    for (uint32_t i = 0; i < count; i++)
        push(b, &b->sources, &rows[i]);
    push(b, &b->boxes, &source);
    return b->out->tet_count + (uint32_t)b->boxes.count;
}

static void find_rows(builder *b) {
    const lt_multiscale_tree *tree = b->out->tree;
    for (uint32_t node = tree->node_count; node-- > 0;) {
        const lt_multiscale_node *n = tree->nodes + node;
        uint32_t rows[LT_LEAF_TRIANGLES], count = n->child == LT_NONE ? n->count : 2;
        bool same = true;
        for (uint32_t i = 0; i < count; i++) {
            rows[i] = n->child == LT_NONE ? row_of_triangle(b, n->first + i) : b->out->rows[n->child + i];
            same &= rows[i] == rows[0];
        }
        b->out->rows[node] = same ? rows[0] : add_box(b, rows, count);
    }
}

/* ---- memory ---- */

#define FIRST_TABLES(X)                                                                                      \
    X(nodes, 4 * (size_t)t->tet_count, uint32_t)                                                             \
    X(inverses, t->tet_count, lt_dmat3)                                                                      \
    X(shortest, t->tet_count, float)                                                                         \
    X(ring_shortest, t->node_count, float)                                                                   \
    X(ring_begin, (size_t)t->node_count + 1, uint32_t)                                                       \
    X(rings, 4 * (size_t)t->tet_count, uint32_t)                                                             \
    X(touch_begin, (size_t)t->node_count + 1, uint32_t)                                                      \
    X(second_begin, (size_t)t->tet_count + 1, uint32_t)                                                      \
    X(second_paths, t->tet_count, float)                                                                     \
    X(near_bits, (size_t)t->near_stride * t->tet_count, uint64_t)                                            \
    X(places, t->tet_count, uint32_t)                                                                        \
    X(far_bits, (size_t)t->near_stride * t->tet_count, uint64_t)                                             \
    X(far_blocks, (size_t)t->block_stride * t->block_count, uint64_t)                                        \
    X(rows, t->tree->node_count, uint32_t)
/* Whose sizes are known in the end. */
#define LAST_TABLES(X)                                                                                       \
    X(faces, t->face_count, lt_near_pair)                                                                    \
    X(always, t->always_count, lt_near_pair)                                                                 \
    X(touches, t->touch_count, lt_near_pair)                                                                 \
    X(seconds, t->second_count, lt_near_pair)                                                                \
    X(boxes, t->box_count, lt_mark_source)                                                                   \
    X(sources, t->source_count, uint32_t)
#define SCRATCH(X)                                                                                           \
    X(governor_of, carrier->tet_count, uint32_t)                                                             \
    X(neighbour_begin, (size_t)t->tet_count + 1, uint32_t)                                                   \
    X(stamps, t->tet_count, uint32_t)                                                                        \
    X(paths, t->tet_count, float)                                                                            \
    X(between, t->tet_count, uint32_t)
#define SCRATCH_ARRAYS(X)                                                                                    \
    X(neighbours, neighbour)                                                                                 \
    X(found, uint32_t)                                                                                       \
    X(faces, lt_near_pair)                                                                                   \
    X(always, lt_near_pair)                                                                                  \
    X(touches, listed_pair)                                                                                  \
    X(seconds, listed_pair)                                                                                  \
    X(boxes, lt_mark_source)                                                                                 \
    X(sources, uint32_t)

static bool take_first(lt_self_tets *t) {
    bool all = true;
#define TAKE(name, count, type) all = (t->name = LT_NEW(&t->allocator, count, type)) && all;
    FIRST_TABLES(TAKE)
    return all;
}

static bool take_last(lt_self_tets *t, const builder *b) {
    bool all = true;
    t->face_count = (uint32_t)b->faces.count;
    t->always_count = (uint32_t)b->always.count;
    t->touch_count = (uint32_t)b->touches.count;
    t->second_count = (uint32_t)b->seconds.count;
    t->box_count = (uint32_t)b->boxes.count;
    t->source_count = (uint32_t)b->sources.count;
    LAST_TABLES(TAKE)
#undef TAKE
    return all;
}

static void keep_items(void *out, const lt_array *array) {
    if (array->count > 0) memcpy(out, array->items, array->count * array->item_size);
}

static bool build(lt_self_tets *t, builder *b, const lt_carrier *carrier) {
    fill_tets(b, carrier);
    fill_rings(t);
    find_neighbours(b);
    if (!b->out_of_memory) find_seconds(b);
    if (!b->out_of_memory) find_rows(b);
    if (b->out_of_memory || !take_last(t, b)) return false;
    fill_places(b);
    fill_far(b);
    sort_list(&b->touches, t->touches, t->touch_begin, t->node_count);
    sort_list(&b->seconds, t->seconds, t->second_begin, t->tet_count);
    keep_items(t->faces, &b->faces);
    keep_items(t->always, &b->always);
    keep_items(t->boxes, &b->boxes);
    keep_items(t->sources, &b->sources);
    return true;
}

lt_status lt_self_tets_create(lt_self_tets *out, const lt_multiscale_tree *tree, const lt_carrier *carrier,
                              const lt_allocator *allocator, lt_error *error) {
    *out = (lt_self_tets){.tree = tree,
                          .rest = (const lt_dvec3 *)carrier->rest,
                          .node_count = carrier->node_count,
                          .tet_count = tree->governor_count,
                          .block_count = (tree->governor_count + LT_SELF_BLOCK - 1) / LT_SELF_BLOCK,
                          .near_stride = (tree->governor_count + 63) / 64,
                          .allocator = allocator ? *allocator : lt_allocator_default()};
    lt_self_tets *t = out;
    t->block_stride = (t->block_count + 63) / 64;
    const lt_allocator *a = &t->allocator;
    builder b = {.out = out};
#define BEGIN(name, type) b.name = LT_ARRAY_OF(a, type);
    SCRATCH_ARRAYS(BEGIN)
#undef BEGIN
    bool all = take_first(t);
#define TAKE(name, count, type) all = (b.name = LT_NEW(a, count, type)) && all;
    SCRATCH(TAKE)
#undef TAKE
    all = all && build(t, &b, carrier);
#define GIVE_BACK(name, count, type) LT_DELETE(a, b.name, count, type);
    SCRATCH(GIVE_BACK)
#undef GIVE_BACK
#define END(name, type) lt_array_free(&b.name);
    SCRATCH_ARRAYS(END)
#undef END
    if (all) return LT_OK;
    lt_self_tets_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the pairs of %u tets", tree->governor_count);
}

void lt_self_tets_free(lt_self_tets *tets) {
    lt_self_tets *t = tets;
    if (!t->tree) return;
#define GIVE_BACK(name, count, type) LT_DELETE(&t->allocator, t->name, count, type);
    FIRST_TABLES(GIVE_BACK)
    LAST_TABLES(GIVE_BACK)
#undef GIVE_BACK
    lt_self_groups_free(t);
    *t = (lt_self_tets){0};
}
