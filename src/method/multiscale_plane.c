/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The direction along which two bodies are least deep in each other. Surfaces lie in tets: where a plane is between the nodes of two
 * bodies they are apart, whatever is or is not known of their surfaces. That which is farthest from both is found by E. G. Gilbert,
 * D. W. Johnson and S. S. Keerthi, 1988: nodes of one less nodes of the other are points of a body that holds 0 where they overlap; of
 * those that are nearest to 0 up to four are kept. Where they overlap directions are: that between their boxes, that in which contacts
 * push, that between their middles, and what these get to when they are turned away from the nodes that are deepest, some times.
 *
 * Workload: two bodies of 100 to 1,600 nodes, some 16 directions. Nodes of a body are taken into columns once a pair, and looked at
 * eight at a time. */

#include "method/multiscale_plane.h"

extern lt_farthest_kernel lt_farthest_node_scalar, lt_farthest_node_wide4, lt_farthest_node_avx2;

lt_farthest_kernel *lt_farthest_kernel_for(lt_simd_level level) {
    static lt_farthest_kernel *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_farthest_node);
    return table[level];
}

enum { TURNS = 12, MIRRORED = 4 };

/* Separations that stay between two with a plane between them, if that is more than half of what there is. What stands in for their contacts
 * keeps more (multiscale_near.c): what answers leave of an approach must not hold who is answered. */
static const float KEPT = 0.25f;
/* Separations that others may get deeper in a step: bodies that rest tremble. */
static const float TREMBLE = 0.1f;

static lt_vec3 node_of(const float *nodes, uint32_t node) {
    return (lt_vec3){nodes[4 * (size_t)node], nodes[4 * (size_t)node + 1], nodes[4 * (size_t)node + 2]};
}

static uint32_t node_at(const lt_couple *c, int side, uint32_t index) {
    return c->nodes[side] ? c->nodes[side][index] : index;
}

static lt_vec3 node_now(const lt_couple *c, int side, uint32_t index) {
    uint32_t node = node_at(c, side, index);
    lt_vec3 from = node_of(c->from[side], node), to = node_of(c->to[side], node);
    return lt_v3_mad(from, lt_v3_sub(to, from), c->shares[side]);
}

static lt_vec3 farthest(const lt_couple *c, int side, lt_vec3 direction, float *most) {
    if (!c->nodes[side])
        return node_now(c, side, c->farthest(&c->columns[side], c->count[side], direction, most));
    lt_vec3 found = node_now(c, side, 0);
    *most = lt_v3_dot(direction, found);
    for (uint32_t i = 1; i < c->count[side]; i++) {
        lt_vec3 place = node_now(c, side, i);
        float along = lt_v3_dot(direction, place);
        if (!(along > *most)) continue;
        *most = along;
        found = place;
    }
    return found;
}

/* How deep they are along a direction, and the way between the nodes that are deepest. */
float lt_couple_depth(const lt_couple *c, lt_vec3 direction, lt_vec3 *way) {
    float of_a, of_b;
    lt_vec3 a = farthest(c, 0, lt_v3_neg(direction), &of_a), b = farthest(c, 1, direction, &of_b);
    *way = lt_v3_sub(a, b);
    return of_a + of_b + c->overhang;
}

static float overhang_of(const lt_skin *skin, lt_box box) {
    return lt_body_box(skin, box).hi.x - box.hi.x;
}

static const float *fill_columns(float *columns, size_t stride, const float *nodes, uint32_t count) {
    for (size_t i = 0; i < stride; i++)
        for (size_t k = 0; k < 3; k++)
            columns[k * stride + i] = nodes[4 * (i < count ? i : 0) + k];
    return columns;
}

/* Of a share of the way both ends are needed, of none or all of it one is enough. */
static lt_node_columns take_columns(const lt_multi_work *w, const lt_couple *c, int side) {
    size_t stride = lt_couple_stride(c->count[side]);
    float *at = w->couple_columns + (size_t)side * (LT_COUPLE_COLUMNS / 2) * w->couple_stride;
    bool ends = c->shares[side] == 1, between = c->shares[side] > 0 && !ends;
    const float *from = fill_columns(at, stride, ends ? c->to[side] : c->from[side], c->count[side]);
    const float *to = between ? fill_columns(at + 3 * stride, stride, c->to[side], c->count[side]) : from;
    return (lt_node_columns){from, to, stride, c->shares[side]};
}

lt_couple lt_couple_of(const lt_multi_work *w, const lt_pair *pair, float share_a, float share_b) {
    lt_couple c = {.shares = {share_a, share_b}, .farthest = lt_farthest_kernel_for(w->step->level)};
    const uint32_t bodies[2] = {pair->a, pair->b};
    for (int i = 0; i < 2; i++) {
        const lt_soft *soft = &w->step->softs[bodies[i]];
        const lt_collider *collider = &w->step->colliders[bodies[i]];
        c.to[i] = soft->nodes;
        c.from[i] = w->motions[bodies[i]].from ? w->motions[bodies[i]].from : soft->nodes;
        c.count[i] = lt_soft_own_count(soft); /* the surface hangs on these */
        c.overhang += overhang_of(collider->skin, collider->box);
        c.columns[i] = take_columns(w, &c, i);
    }
    return c;
}

void lt_couple_take_parts(lt_couple *c, const lt_multi_parts *a, uint32_t part_a, const lt_multi_parts *b,
                          uint32_t part_b) {
    const lt_multi_parts *parts[2] = {a, b};
    const uint32_t which[2] = {part_a, part_b};
    for (int i = 0; i < 2; i++) {
        uint32_t begin = parts[i]->begin[which[i]];
        c->nodes[i] = parts[i]->nodes + begin;
        c->count[i] = parts[i]->begin[which[i] + 1] - begin;
    }
}

/* ---- the plane that is farthest from both: Gilbert, Johnson & Keerthi 1988 ---- */

/* Differences of nodes of a and b. */
typedef struct simplex {
    lt_dvec3 points[4];
    uint32_t count;
} simplex;

/* Weights of the point nearest to 0 in the plane of up to four points, by elimination; false: they are flat. */
static bool solve_weights(double weights[4], const lt_dvec3 *p, uint32_t count) {
    double m[3][4], sum = 0;
    uint32_t n = count - 1;
    for (uint32_t i = 0; i < n; i++) {
        lt_dvec3 side = lt_d3_sub(p[i + 1], p[0]);
        for (uint32_t k = 0; k < n; k++)
            m[i][k] = lt_d3_dot(side, lt_d3_sub(p[k + 1], p[0]));
        m[i][n] = -lt_d3_dot(side, p[0]);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!(m[i][i] > 0)) return false;
        for (uint32_t row = 0; row < n; row++)
            for (uint32_t k = n + 1; row != i && k-- > i;)
                m[row][k] -= m[i][k] * (m[row][i] / m[i][i]);
    }
    for (uint32_t i = 0; i < n; i++)
        sum += weights[i + 1] = m[i][n] / m[i][i];
    weights[0] = 1 - sum;
    return true;
}

/* The nearest point to 0 of some of the points, none of which can be left out. */
static bool nearest_of(const simplex *s, uint32_t which, simplex *part, lt_dvec3 *nearest) {
    double weights[4] = {1};
    part->count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (which >> i & 1) part->points[part->count++] = s->points[i];
    if (!solve_weights(weights, part->points, part->count)) return false;
    *nearest = (lt_dvec3){0, 0, 0};
    for (uint32_t i = 0; i < part->count; i++) {
        if (!(weights[i] > 0)) return false;
        *nearest = lt_d3_mad(*nearest, part->points[i], weights[i]);
    }
    return true;
}

/* Leaves only the points that the nearest one to 0 is between. */
static lt_dvec3 reduce(simplex *s) {
    simplex part, best = *s;
    lt_dvec3 at, nearest = s->points[0];
    double least = INFINITY;
    for (uint32_t which = 1; which < 1u << s->count; which++) {
        if (!nearest_of(s, which, &part, &at) || !(lt_d3_dot(at, at) < least)) continue;
        least = lt_d3_dot(at, at);
        nearest = at;
        best = part;
    }
    *s = best;
    return nearest;
}

static lt_vec3 unit_of(lt_dvec3 v) {
    return lt_v3_from_d3(lt_d3_scale(v, 1 / lt_d3_length(v)));
}

/* From a direction on; what it leaves is never deeper along its normal than `best` was. */
static void find_apart(const lt_couple *c, lt_vec3 direction, lt_plane *best) {
    simplex s = {.count = 0};
    for (int turn = 0; turn <= TURNS; turn++) {
        lt_vec3 way;
        float depth = lt_couple_depth(c, direction, &way);
        if (depth < best->depth) *best = (lt_plane){direction, depth};
        if (s.count == 4) return; /* they overlap */
        s.points[s.count++] = lt_d3_from_v3(way);
        lt_dvec3 nearest = reduce(&s);
        double far = lt_d3_length(nearest);
        if (s.count == 4 || !(far > 0) || (double)-best->depth > 0.99 * far - (double)c->overhang) return;
        direction = unit_of(nearest);
    }
}

/* Of those that overlap: a direction is mirrored at what is deepest along it, as along that they are not apart. */
static void mirror(const lt_couple *c, lt_vec3 direction, lt_plane *best) {
    float length = lt_v3_length(direction);
    if (!(length > 0)) return;
    lt_vec3 unit = lt_v3_scale(direction, 1 / length), way;
    for (int turn = 0; turn <= MIRRORED; turn++) {
        float depth = lt_couple_depth(c, unit, &way), far = lt_v3_length(way);
        if (depth < best->depth) *best = (lt_plane){unit, depth};
        if (depth <= 0 || !(far > 0)) return;
        way = lt_v3_scale(way, 1 / far);
        unit = lt_v3_mad(unit, way, -2 * lt_v3_dot(unit, way));
        unit = lt_v3_normalize_or(unit, unit);
    }
}

lt_plane lt_couple_find_plane(const lt_couple *c, lt_vec3 first, const lt_vec3 *others, uint32_t count) {
    lt_plane best = {.depth = INFINITY};
    find_apart(c, first, &best);
    if (best.depth > 0) mirror(c, best.normal, &best);
    for (uint32_t i = 0; i < count && best.depth > 0; i++)
        mirror(c, others[i], &best);
    return best;
}

/* Of the last step, and those that are known by now. */
lt_vec3 lt_multi_push_of_contacts(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_multi_outcome *outcome = &w->outcomes[index];
    lt_vec3 sum = {0, 0, 0};
    for (uint32_t i = outcome->held_begin; i < outcome->held_end; i++)
        sum = lt_v3_add(sum, w->method->memory.contacts.records[i].normal);
    for (uint32_t i = 0; i < w->contact_count; i++)
        if (lt_pair_is_same(&w->contacts[i].pair, pair)) sum = lt_v3_add(sum, w->contacts[i].normal);
    return sum;
}

lt_plane lt_multi_find_plane(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_couple c = lt_couple_of(w, pair, 0, 0);
    lt_box a = w->step->colliders[pair->a].box, b = w->step->colliders[pair->b].box;
    const lt_vec3 others[] = {lt_multi_push_of_contacts(w, index),
                              lt_v3_sub(lt_box_center(a), lt_box_center(b))};
    return lt_couple_find_plane(&c, lt_root_of_boxes(a, b).normal, others, LT_COUNT_OF(others));
}

/* ---- all the way ---- */

/* The farthest that nodes of a side get along a plane that turns while they go, in the middle of the three Bernstein coefficients. */
static float middle_of(const lt_couple *c, int side, lt_vec3 begin, lt_vec3 end) {
    float most = -INFINITY;
    for (uint32_t i = 0; i < c->count[side]; i++) {
        lt_vec3 from = node_of(c->from[side], node_at(c, side, i)), to = node_now(c, side, i);
        most = lt_max_f(most, 0.5f * (lt_v3_dot(begin, to) + lt_v3_dot(end, from)));
    }
    return most;
}

/* Whether a plane stays between them all the way, which may turn from one to the other. */
static bool stays_apart(const lt_couple *c, lt_vec3 begin, lt_vec3 end) {
    float of_a = middle_of(c, 0, lt_v3_neg(begin), lt_v3_neg(end)), of_b = middle_of(c, 1, begin, end);
    return of_a + of_b + c->overhang <= 0;
}

bool lt_couple_keeps(const lt_couple *c, const lt_plane *begin, float allowed) {
    lt_vec3 way;
    lt_plane end = {begin->normal, lt_couple_depth(c, begin->normal, &way)};
    if (end.depth <= allowed) return true;
    find_apart(c, begin->normal, &end);
    if (end.depth > 0 && begin->depth > 0) mirror(c, begin->normal, &end);
    return end.depth <= allowed && (begin->depth > 0 || stays_apart(c, begin->normal, end.normal));
}

/* ---- how deep two may get ---- */

float lt_multi_tremble(const lt_multi_work *w, const lt_pair *pair) {
    float waited = 1 + (float)lt_multi_undecided_steps(pair);
    return TREMBLE * w->separation / (waited * waited);
}

float lt_multi_allowed_depth(const lt_multi_work *w, const lt_pair *pair, float begin) {
    float room = 0.5f * (w->method->bodies[pair->a].parts->room + w->method->bodies[pair->b].parts->room);
    if (begin > 0) return lt_max_f(room, begin + lt_multi_tremble(w, pair));
    return room > 0 ? room : lt_max_f(0.5f * begin, -KEPT * w->separation);
}
