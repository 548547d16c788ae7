/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A body and an obstacle that stands still, of which it is not decided in a step where they meet: parts of the body (multiscale_divide.c) that
 * come near it stand in for contacts that are not known, each by the point of the surface that would get deepest. They push with all other
 * contacts, so that what falls on a floor stops there, and what rests on it carries what lies on top, while nobody has had the time to
 * look at surfaces. (Held by the box around it alone, less time passed for a body that came down, and for all that touched it: heaps hung in
 * the air.) For this step alone: they are in no list of contacts, but in what bodies and obstacles exchange.
 *
 *   parts whose boxes come near ──► of each the node that gets deepest: the surface of the obstacle there, as a plane ──► of that part the
 *   point of the skin that gets deepest behind it ──► a contact
 *
 * Workload: 64 parts of 25 nodes and 200 points, some 10 of them near a floor: 30 us. */

#include "method/multiscale_plane.h"

/* Separations that a box may be deeper in an obstacle than it was: of what it is around it tells little. What answers leave of an approach
 * must not hold who is answered. */
static const float SLACK = 4;
/* Separations: who comes nearer than that may be pushed there by others. */
static const float NEAR_BY = 8;

enum { STANDS_MOST = 8, PART_UNITS = 4, NODE_UNITS = 2, POINT_UNITS = 2 };

float lt_multi_allowed_in_obstacle(const lt_multi_work *w, const lt_pair *pair, float before) {
    float known =
        lt_root_is_known(lt_words_of(pair)->next) ? lt_root_known_depth(lt_words_of(pair)->next) : 0;
    float deepest = lt_max_f(known + SLACK * w->separation, before + lt_multi_tremble(w, pair));
    return deepest + w->method->bodies[pair->a].parts->room;
}

/* A body on its way. */
typedef struct standing {
    const lt_multi_parts *parts;
    const lt_skin *skin;
    const lt_obstacle *obstacle;
    const float *from, *to; /* [][4] nodes */
} standing;

/* A point of it behind a plane, as the step ends. */
typedef struct stand {
    uint32_t part, point;
    lt_vec3 normal;
    float level; /* of the obstacle's surface, along the normal */
    float depth; /* -INFINITY: there is none */
} stand;

static lt_vec3 node_of(const float *nodes, uint32_t node) {
    return (lt_vec3){nodes[4 * (size_t)node], nodes[4 * (size_t)node + 1], nodes[4 * (size_t)node + 2]};
}

static lt_box box_of_part(const standing *s, uint32_t part) {
    lt_box box = lt_box_empty();
    for (uint32_t i = s->parts->begin[part]; i < s->parts->begin[part + 1]; i++) {
        box = lt_box_add_point(box, node_of(s->from, s->parts->nodes[i]));
        box = lt_box_add_point(box, node_of(s->to, s->parts->nodes[i]));
    }
    return box;
}

/* Behind the surface that is nearest as the step begins: through a thin obstacle the other side would be nearer as it ends. */
static stand plane_of_part(const standing *s, uint32_t part) {
    stand best = {.part = part, .depth = -INFINITY};
    for (uint32_t i = s->parts->begin[part]; i < s->parts->begin[part + 1]; i++) {
        uint32_t node = s->parts->nodes[i];
        lt_obstacle_hit hit = lt_obstacle_distance(s->obstacle, node_of(s->from, node));
        float level = lt_v3_dot(hit.normal, node_of(s->from, node)) - hit.distance;
        float depth = level - lt_v3_dot(hit.normal, node_of(s->to, node));
        if (depth > best.depth) best = (stand){part, LT_NONE, hit.normal, level, depth};
    }
    return best;
}

/* The point that gets deepest behind the plane. */
static void find_point(stand *out, const standing *s) {
    out->depth = -INFINITY;
    for (uint32_t i = s->parts->point_begin[out->part]; i < s->parts->point_begin[out->part + 1]; i++) {
        size_t at = 4 * (size_t)s->parts->points[i];
        lt_vec3 place = {0, 0, 0};
        for (size_t k = 0; k < 4; k++)
            place = lt_v3_mad(place, node_of(s->to, s->skin->ids[at + k]), s->skin->weights[at + k]);
        float depth = out->level - lt_v3_dot(out->normal, place);
        if (!(depth > out->depth)) continue;
        out->depth = depth;
        out->point = s->parts->points[i];
    }
}

/* Keeps the deepest, the deepest first; of those that are alike the first. */
static uint32_t keep(stand *kept, uint32_t count, const stand *next) {
    uint32_t at = count;
    while (at > 0 && kept[at - 1].depth < next->depth)
        at--;
    if (at == STANDS_MOST) return count;
    if (count < STANDS_MOST) count++;
    for (uint32_t i = count - 1; i > at; i--)
        kept[i] = kept[i - 1];
    kept[at] = *next;
    return count;
}

static void add_stand(lt_multi_work *w, const lt_pair *pair, const stand *s, const lt_skin *skin) {
    const uint32_t parts[2] = {s->part, LT_NONE};
    lt_multi_contact c = {.pair = *pair,
                          .own = {.tet = skin->tets[s->point]},
                          .other = {.tet = LT_NONE},
                          .normal = lt_v3_normalize_or(s->normal, s->normal),
                          .level = s->level};
    for (size_t k = 0; k < 4; k++)
        c.own.weights[k] = skin->weights[4 * (size_t)s->point + k];
    lt_multi_add_coarse(w, c, parts);
}

/* Bits of parts with contacts that are known: they push there. */
static uint64_t known_parts(const lt_multi_work *w, const lt_pair *pair, const lt_multi_parts *parts) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < w->contact_count; i++) {
        uint32_t part = LT_MULTI_PARTS;
        if (lt_pair_is_same(&w->contacts[i].pair, pair)) part = parts->of_tet[w->contacts[i].own.tet];
        if (part < LT_MULTI_PARTS) bits |= (uint64_t)1 << part;
    }
    return bits;
}

static standing standing_of(const lt_multi_work *w, const lt_pair *pair) {
    return (standing){w->method->bodies[pair->a].parts, w->step->colliders[pair->a].skin,
                      lt_step_obstacle(w->step, pair), w->motions[pair->a].from,
                      w->step->softs[pair->a].nodes};
}

void lt_multi_find_ground(lt_multi_work *w, uint32_t index) {
    lt_multi_outcome *outcome = &w->outcomes[index];
    standing s = standing_of(w, lt_worded_pair_at(&w->method->memory.pairs, index));
    outcome->has_near_parts = true;
    outcome->near_parts = 0;
    for (uint32_t p = 0; p < s.parts->count; p++)
        if (lt_obstacle_may_touch(s.obstacle, box_of_part(&s, p), NEAR_BY * w->separation))
            outcome->near_parts |= (uint64_t)1 << p;
}

uint32_t lt_multi_ground_units(const lt_multi_work *w, uint32_t index) {
    const lt_multi_parts *parts =
        w->method->bodies[lt_worded_pair_at(&w->method->memory.pairs, index)->a].parts;
    return 1 + PART_UNITS * parts->count + NODE_UNITS * parts->begin[parts->count];
}

static uint32_t count_bits(uint64_t bits) {
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

uint32_t lt_multi_stand_count(const lt_multi_outcome *outcome) {
    return lt_min_u32(STANDS_MOST, count_bits(outcome->near_parts));
}

void lt_multi_stand_on(lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    if (!w->outcomes[index].has_near_parts) lt_multi_find_ground(w, index);
    standing s = standing_of(w, pair);
    float margin = NEAR_BY * w->separation;
    stand kept[STANDS_MOST];
    uint64_t bits = w->outcomes[index].near_parts & ~known_parts(w, pair, s.parts);
    uint32_t count = 0;
    for (; bits; bits &= bits - 1) {
        stand next = plane_of_part(&s, (uint32_t)__builtin_ctzll(bits));
        if (!(next.depth > -margin)) continue;
        find_point(&next, &s);
        if (next.depth > -margin && next.depth < 1e30f) count = keep(kept, count, &next);
    }
    for (uint32_t i = 0; i < count; i++)
        add_stand(w, pair, &kept[i], s.skin);
}

uint32_t lt_multi_stand_on_units(const lt_multi_work *w, uint32_t index) {
    const lt_multi_parts *parts =
        w->method->bodies[lt_worded_pair_at(&w->method->memory.pairs, index)->a].parts;
    uint32_t near = count_bits(w->outcomes[index].near_parts), count = lt_max_u32(1, parts->count);
    uint64_t in_all = (uint64_t)POINT_UNITS * parts->point_begin[parts->count] +
                      (uint64_t)NODE_UNITS * parts->begin[parts->count];
    return 1 + (uint32_t)(in_all * near / count);
}
