/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies of which it is not decided in a step where they meet, where a plane between all their nodes is not enough: parts of one that come
 * near parts of the other (multiscale_divide.c), with planes between those. (Of a body and an obstacle: multiscale_ground.c.)
 *
 *   before the answer   parts that overlap as the step begins, or are near each other, or would meet, stand in for contacts that are not
 *                       known: in the middle between them their approach ends, as if they met at one place that both hold. They push with
 *                       the others, so what is pressed on another stops, or rolls, and need not stand still until it is decided. For this
 *                       step alone: they are in no list of contacts, but in what bodies exchange
 *   after it            the step passes only so far that planes stay between those that were apart, and others get hardly deeper. Half
 *                       of it passes for those that overlap and were not decided before, either: else they would hang in the air
 *
 * Tets are wider than the surfaces in them: it is no proof that surfaces stay apart, but what two parts can still do is little. Two
 * bunnies on ten budgets, 170 steps each: 9 to 27 steps crossed on most before; now one meeting on two of them, parted after 1 to 6 steps.
 *
 * Workload: 30 to 80 pairs of parts of 20 nodes are looked at, 10 to 40 come near, 5 overlap: 130 us, and 25 for the
 * plane between all nodes. */

#include "method/multiscale_plane.h"

/* Of the step, that passes whatever parts do, of bodies that no plane is between: where some parts overlap, and where all are apart. */
static const float LEAST = 0.5f, LEAST_APART = 1.0f / 32;
/* Separations that what stands in leaves between parts, if there is as much; more than planes must keep (multiscale_plane.c). */
static const float KEPT = 0.75f;
/* Where a plane is between all nodes, and two parts are not farther apart than that many times as far, parts tell no more than all nodes. */
static const float TELLS_MORE = 2;
/* Separations: who is nearer than that may be pushed together. */
static const float NEAR_BY = 8;
/* Of the size of the smaller body: farther apart than that, answers do not push two together that would stay apart by themselves. */
static const float PUSHED = 0.02f;
/* A place outside a tet by more than that many times its size is not held by it. */
static const double FARTHEST = 2;

enum {
    MOST_PAIRS = 32,      /* of bodies, in a step */
    MOST_LOOKED_AT = 160, /* pairs of parts of two bodies: boxes around their ways overlap */
    MOST = 48,            /* of them, that come near each other */
    MOST_STAND_INS = 12,  /* and of these */
    USUAL_STAND_INS = 10, /* where a plane is between all nodes */
};
/* Of a node of a part, for its box; of two parts that are near each other, and of a node of theirs. */
enum { NODE_UNITS = 4, NEAR_UNITS = 40, NEAR_NODE_UNITS = 8 };
/* Of a node of two bodies, when it is looked whether a plane is enough. */
enum { ENOUGH_NODE_UNITS = 4 };

/* ---- who ---- */

static bool moves(const lt_multi_work *w, uint32_t body) {
    return w->motions[body].from != NULL;
}

static bool is_wanted(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_multi_outcome *outcome = &w->outcomes[index];
    if (w->method->options.multiscale.pending != LT_PENDING_CLAMP || pair->kind == LT_PAIR_SELF) return false;
    if (outcome->done && !outcome->by_long) return false;
    if (pair->kind == LT_PAIR_OBSTACLE) return moves(w, pair->a) && !lt_multi_is_pushed(w, pair->a);
    return !lt_multi_is_overlapping(pair) && (moves(w, pair->a) || moves(w, pair->b));
}

static lt_box start_of(const lt_multi_work *w, uint32_t body) {
    return moves(w, body) ? w->motions[body].start : w->step->colliders[body].box;
}

static float size_of(const lt_multi_work *w, const lt_pair *pair) {
    return (float)lt_min_r(w->step->softs[pair->a].size, w->step->softs[pair->b].size);
}

/* Between boxes that are apart is a plane. Who touched, or is not known to be apart, may be wanted. */
static bool is_expected(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_multi_outcome *outcome = &w->outcomes[index];
    if (!is_wanted(w, index) || pair->kind == LT_PAIR_OBSTACLE) return is_wanted(w, index);
    return lt_box_overlap(start_of(w, pair->a), start_of(w, pair->b)) &&
           (outcome->held_begin < outcome->held_end || lt_multi_known(pair) != LT_MULTI_APART);
}

/* ---- boxes around parts ---- */

typedef struct part_boxes {
    const lt_multi_parts *parts;
    lt_box at[LT_MULTI_PARTS], swept[LT_MULTI_PARTS]; /* as the step begins; all the way */
} part_boxes;

static lt_vec3 node_of(const float *nodes, uint32_t node) {
    return (lt_vec3){nodes[4 * (size_t)node], nodes[4 * (size_t)node + 1], nodes[4 * (size_t)node + 2]};
}

static void find_boxes(part_boxes *b, const lt_couple *c, int side, float margin) {
    for (uint32_t p = 0; p < b->parts->count; p++) {
        lt_box from = lt_box_empty(), to = lt_box_empty();
        for (uint32_t i = b->parts->begin[p]; i < b->parts->begin[p + 1]; i++) {
            from = lt_box_add_point(from, node_of(c->from[side], b->parts->nodes[i]));
            to = lt_box_add_point(to, node_of(c->to[side], b->parts->nodes[i]));
        }
        b->at[p] = lt_box_inflate(from, 0.5f * c->overhang);
        b->swept[p] = lt_box_inflate(lt_box_union(from, to), 0.5f * c->overhang + margin);
    }
}

/* ---- what stands in ---- */

/* The tet of a part that holds a place best, where nodes are. */
static bool hold_place(lt_attachment *out, const lt_multi_parts *parts, uint32_t part,
                       const lt_carrier *carrier, const float *nodes, lt_vec3 place) {
    double best = -FARTHEST;
    out->tet = LT_NONE;
    for (uint32_t i = parts->tet_begin[part]; i < parts->tet_begin[part + 1]; i++) {
        lt_dvec3 corners[4];
        double weights[4], least = 1;
        for (int k = 0; k < 4; k++)
            corners[k] = lt_d3_from_v3(node_of(nodes, carrier->tets[4 * (size_t)parts->tets[i] + (size_t)k]));
        if (!lt_barycentric_weights(weights, corners, lt_d3_from_v3(place))) continue;
        for (int k = 0; k < 4; k++)
            least = lt_min_d(least, weights[k]);
        if (!(least > best)) continue;
        best = least;
        out->tet = parts->tets[i];
        for (int k = 0; k < 4; k++)
            out->weights[k] = (float)weights[k];
    }
    return out->tet != LT_NONE;
}

static lt_vec3 middle_of_overlap(lt_box a, lt_box b) {
    lt_box both = {{lt_max_f(a.lo.x, b.lo.x), lt_max_f(a.lo.y, b.lo.y), lt_max_f(a.lo.z, b.lo.z)},
                   {lt_min_f(a.hi.x, b.hi.x), lt_min_f(a.hi.y, b.hi.y), lt_min_f(a.hi.z, b.hi.z)}};
    return lt_box_center(both);
}

static bool stand_in(lt_multi_work *w, const lt_pair *pair, const lt_couple *c, const part_boxes boxes[2],
                     const lt_near *near, float farther) {
    const uint32_t parts[2] = {near->a, near->b}, bodies[2] = {pair->a, pair->b};
    lt_vec3 place = middle_of_overlap(boxes[0].at[near->a], boxes[1].at[near->b]);
    lt_attachment sides[2];
    for (int i = 0; i < 2; i++)
        if (!hold_place(&sides[i], boxes[i].parts, parts[i], &w->step->softs[bodies[i]].carrier, c->from[i],
                        place))
            return false;
    lt_multi_contact contact = {
        .pair = *pair, .own = sides[0], .other = sides[1], .normal = near->plane.normal, .target = -farther};
    return lt_multi_add_coarse(w, contact, parts);
}

/* ---- two bodies ---- */

static bool keeps(const lt_multi_work *w, const lt_pair *pair, lt_couple c, const lt_near *near,
                  float share) {
    c.shares[0] = c.shares[1] = share;
    lt_couple_take_parts(&c, w->method->bodies[pair->a].parts, near->a, w->method->bodies[pair->b].parts,
                         near->b);
    return lt_couple_keeps(&c, &near->plane, lt_multi_allowed_depth(w, pair, near->plane.depth));
}

/* Most are apart along one of the directions that are known. */
static lt_plane plane_between(const lt_couple *c, const lt_vec3 *directions, uint32_t count) {
    lt_plane best = {.depth = INFINITY};
    for (uint32_t i = 0; i < count; i++) {
        lt_vec3 unit = lt_v3_normalize_or(directions[i], directions[0]), way;
        float depth = lt_couple_depth(c, unit, &way);
        if (depth < best.depth) best = (lt_plane){unit, depth};
    }
    return best.depth <= 0 ? best : lt_couple_find_plane(c, best.normal, directions, count);
}

/* Whether two parts may come near each other, if they are pushed a little farther than they would go. */
static bool comes_near(const lt_multi_work *w, const lt_couple *c, const lt_plane *plane) {
    lt_couple end = *c;
    lt_vec3 way;
    end.shares[0] = end.shares[1] = 1;
    return lt_max_f(plane->depth, lt_couple_depth(&end, plane->normal, &way)) > -NEAR_BY * w->separation;
}

static void look_at_two(lt_multi_work *w, lt_multi_outcome *outcome, const lt_couple *whole,
                        const part_boxes boxes[2], uint32_t p, uint32_t q, lt_vec3 push) {
    lt_couple c = *whole;
    lt_box a = boxes[0].at[p], b = boxes[1].at[q];
    lt_root apart = lt_root_of_boxes(a, b);
    const lt_vec3 directions[] = {apart.normal, outcome->plane.normal, push,
                                  lt_v3_sub(lt_box_center(a), lt_box_center(b))};
    lt_couple_take_parts(&c, boxes[0].parts, p, boxes[1].parts, q);
    lt_plane plane = apart.depth < -NEAR_BY * w->separation
                         ? (lt_plane){apart.normal, apart.depth}
                         : plane_between(&c, directions, LT_COUNT_OF(directions));
    if (!(plane.depth < INFINITY) || !comes_near(w, &c, &plane)) return; /* a node that is nowhere */
    outcome->near_is_whole = outcome->near_end - outcome->near_begin < MOST;
    if (!outcome->near_is_whole) return;
    outcome->near_says_more = outcome->near_says_more &&
                              (outcome->plane.depth > 0 || plane.depth < TELLS_MORE * outcome->plane.depth);
    w->near[w->near_count++] = (lt_near){(uint8_t)p, (uint8_t)q, plane};
    outcome->near_end = w->near_count;
}

/* Pairs of parts. */
static uint32_t usually_looked_at(const lt_multi_outcome *outcome) {
    return outcome->plane.depth > 0 ? 80 : 60;
}

/* Returns how many pairs of parts were looked at. */
static uint32_t list_near(lt_multi_work *w, uint32_t index, const lt_couple *c, const part_boxes boxes[2]) {
    lt_multi_outcome *outcome = &w->outcomes[index];
    lt_vec3 push = lt_multi_push_of_contacts(w, index);
    uint32_t count = 0;
    outcome->near_begin = outcome->near_end = w->near_count;
    outcome->has_near = outcome->near_says_more = true;
    outcome->near_is_whole = boxes[0].parts->count > 0 && boxes[1].parts->count > 0;
    for (uint32_t p = 0; p < boxes[0].parts->count; p++)
        for (uint32_t q = 0; outcome->near_is_whole && q < boxes[1].parts->count; q++) {
            if (!lt_box_overlap(boxes[0].swept[p], boxes[1].swept[q])) continue;
            outcome->near_is_whole = count < MOST_LOOKED_AT;
            if (outcome->near_is_whole) look_at_two(w, outcome, c, boxes, p, q, push);
            count += outcome->near_is_whole;
        }
    return count;
}

/* m that two parts may approach each other in the step, if that must be said: those that overlap hardly; others that are near, or would meet, as
 * far as they are apart. Where they get is not known before the answer. */
static bool must_stop(const lt_multi_work *w, const lt_pair *pair, const lt_couple *c, const lt_near *near,
                      float *farther) {
    float depth = near->plane.depth;
    *farther = depth > 0 ? lt_multi_allowed_depth(w, pair, depth) - depth
                         : lt_max_f(0, -depth - KEPT * w->separation);
    return depth > -NEAR_BY * w->separation || !keeps(w, pair, *c, near, 1);
}

/* The deepest of those that were not looked at. */
static uint32_t next_deepest(const lt_multi_work *w, const lt_multi_outcome *outcome, bool looked[MOST]) {
    uint32_t best = LT_NONE;
    for (uint32_t i = outcome->near_begin; i < outcome->near_end; i++)
        if (!looked[i - outcome->near_begin] &&
            (best == LT_NONE || w->near[i].plane.depth > w->near[best].plane.depth))
            best = i;
    if (best != LT_NONE) looked[best - outcome->near_begin] = true;
    return best;
}

static void add_stand_ins(lt_multi_work *w, const lt_pair *pair, const lt_multi_outcome *outcome,
                          const lt_couple *c, const part_boxes boxes[2]) {
    bool looked[MOST] = {false};
    uint32_t count = 0, next;
    float farther;
    while (count < MOST_STAND_INS && (next = next_deepest(w, outcome, looked)) != LT_NONE)
        if (must_stop(w, pair, c, &w->near[next], &farther))
            count += stand_in(w, pair, c, boxes, &w->near[next], farther);
}

/* Returns how many pairs of parts were looked at. */
static uint32_t look_at_parts(lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_multi_outcome *outcome = &w->outcomes[index];
    part_boxes boxes[2] = {{.parts = w->method->bodies[pair->a].parts},
                           {.parts = w->method->bodies[pair->b].parts}};
    lt_couple c = lt_couple_of(w, pair, 0, 0);
    for (int side = 0; side < 2; side++)
        find_boxes(&boxes[side], &c, side, 0.5f * NEAR_BY * w->separation);
    uint32_t count = list_near(w, index, &c, boxes);
    add_stand_ins(w, pair, outcome, &c, boxes);
    return count;
}

/* Parts that overlap do so all the time two bodies touch, since tets are wider than surfaces. Who was decided just now can wait for a step. */
static float least_of(const lt_multi_work *w, const lt_pair *pair, const lt_multi_outcome *outcome) {
    for (uint32_t i = outcome->near_begin; i < outcome->near_end && lt_multi_undecided_steps(pair) > 0; i++)
        if (w->near[i].plane.depth > 0) return LEAST;
    return LEAST_APART;
}

float lt_multi_near_share(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_multi_outcome *outcome = &w->outcomes[index];
    lt_couple c = lt_couple_of(w, pair, 0, 0);
    float share = 1, least = least_of(w, pair, outcome);
    for (uint32_t i = outcome->near_begin; i < outcome->near_end; i++)
        while (share >= least && !keeps(w, pair, c, &w->near[i], share))
            share *= 0.5f;
    if (share >= least) return share;
    return outcome->plane.depth > 0 ? least : 0;
}

/* Contacts with which it was foreseen where bodies get may be let go by now. */
static void free_bodies(const lt_multi_work *w, const lt_pair *pair) {
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, pair);
    for (uint32_t i = 0; i < count; i++)
        if (moves(w, bodies[i]) && w->motions[bodies[i]].is_touched) lt_multi_free_body(w, bodies[i]);
}

/* Whether the plane between all nodes is enough, wherever they get, and however answers push them. */
static bool is_enough(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_multi_outcome *outcome = &w->outcomes[index];
    if (outcome->plane.depth > -PUSHED * size_of(w, pair)) return false;
    lt_couple c = lt_couple_of(w, pair, 1, 1);
    return lt_couple_keeps(&c, &outcome->plane, lt_multi_allowed_depth(w, pair, outcome->plane.depth));
}

/* ---- cursors ---- */

/* Pairs one after the other: planes as the step begins, parts before the answer. */
typedef struct nearing {
    lt_multi_work *work;
    bool (*is_next)(const lt_multi_work *work, uint32_t index);
    uint32_t next;   /* pair */
    uint32_t looked; /* pairs, at parts of which it was */
} nearing;

/* Of looking whether the plane is enough, and for it, if it is not known. */
static uint32_t plane_units(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    if (pair->kind == LT_PAIR_OBSTACLE)
        return w->outcomes[index].has_near_parts ? lt_multi_stand_on_units(w, index)
                                                 : lt_multi_ground_units(w, index);
    uint32_t of_node = ENOUGH_NODE_UNITS + (w->outcomes[index].has_plane ? 0 : LT_MULTI_PLANE_UNITS);
    return 1 + of_node * (lt_soft_own_count(&w->step->softs[pair->a]) +
                          lt_soft_own_count(&w->step->softs[pair->b]));
}

static uint32_t box_units(const lt_multi_work *w, const lt_pair *pair) {
    const lt_multi_parts *a = w->method->bodies[pair->a].parts, *b = w->method->bodies[pair->b].parts;
    return NODE_UNITS * (a->begin[a->count] + b->begin[b->count]);
}

/* Of two parts. */
static uint32_t near_units(const lt_multi_work *w, const lt_pair *pair) {
    const lt_multi_parts *a = w->method->bodies[pair->a].parts, *b = w->method->bodies[pair->b].parts;
    uint32_t nodes =
        a->begin[a->count] / lt_max_u32(1, a->count) + b->begin[b->count] / lt_max_u32(1, b->count);
    return NEAR_UNITS + NEAR_NODE_UNITS * nodes;
}

static void find_next(nearing *n) {
    uint32_t count = n->work->method->memory.pairs.count;
    while (n->next < count && !n->is_next(n->work, n->next))
        n->next++;
}

static lt_piece peek(const void *state) {
    const nearing *n = state;
    const lt_pair_table *pairs = &n->work->method->memory.pairs;
    if (n->next == pairs->count) return (lt_piece){LT_WORK_ROOT, 0, 0};
    return (lt_piece){LT_WORK_ROOT, plane_units(n->work, n->next), 0};
}

static void find_plane(const lt_multi_work *w, uint32_t index) {
    lt_multi_outcome *outcome = &w->outcomes[index];
    if (!outcome->has_plane) outcome->plane = lt_multi_find_plane(w, index);
    outcome->has_plane = true;
}

static uint32_t step_planes(void *state, uint32_t grant) {
    nearing *n = state;
    uint32_t units = peek(n).cost;
    (void)grant; /* in any case */
    if (lt_worded_pair_at(&n->work->method->memory.pairs, n->next)->kind == LT_PAIR_OBSTACLE)
        lt_multi_find_ground(n->work, n->next);
    else
        find_plane(n->work, n->next);
    n->next++;
    find_next(n);
    return units;
}

/* Returns what looking at parts took. */
static uint32_t part_bodies(nearing *n, uint32_t index) {
    lt_multi_work *w = n->work;
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    find_plane(w, index);
    if (is_enough(w, index) || n->looked == MOST_PAIRS) return 0;
    n->looked++;
    return box_units(w, pair) + near_units(w, pair) * look_at_parts(w, index);
}

static uint32_t step_parts(void *state, uint32_t grant) {
    nearing *n = state;
    lt_multi_work *w = n->work;
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, n->next);
    uint32_t units = peek(n).cost;
    (void)grant; /* it was set aside */
    free_bodies(w, pair);
    uint32_t before = w->contact_count;
    if (pair->kind == LT_PAIR_OBSTACLE)
        lt_multi_stand_on(w, n->next);
    else
        units += part_bodies(n, n->next);
    w->outcomes[n->next].has_coarse = w->contact_count > before;
    w->step->report->held += w->contact_count > before;
    n->next++;
    find_next(n);
    return units;
}

/* Whether parts of two bodies will be looked at, if they are not decided. Where no plane was looked for, boxes tell. */
static bool needs_parts(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    if (w->outcomes[index].has_plane) return !is_enough(w, index);
    if (pair->kind != LT_PAIR_BODIES || !is_wanted(w, index)) return false;
    lt_box near = lt_box_inflate(start_of(w, pair->a), PUSHED * size_of(w, pair));
    return lt_box_overlap(near, start_of(w, pair->b));
}

/* Planes that are not known are set aside with what bodies take. */
uint64_t lt_multi_near_units(const lt_multi_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    uint64_t units = 0;
    for (uint32_t i = 0, count = 0; i < pairs->count; i++) {
        if (w->outcomes[i].has_plane || w->outcomes[i].has_near_parts) units += plane_units(w, i);
        if (count == MOST_PAIRS || !needs_parts(w, i)) continue;
        units += box_units(w, lt_worded_pair_at(pairs, i)) +
                 usually_looked_at(&w->outcomes[i]) * near_units(w, lt_worded_pair_at(pairs, i));
        count++;
    }
    return units;
}

uint64_t lt_multi_coarse_units(const lt_multi_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        count += lt_multi_stand_count(&w->outcomes[i]);
        if (needs_parts(w, i)) count += w->outcomes[i].plane.depth > 0 ? MOST_STAND_INS : USUAL_STAND_INS;
    }
    return (uint64_t)count * (LT_MULTI_ROW_UNITS + LT_MULTI_EXIT_UNITS + LT_MULTI_EMIT_UNITS);
}

size_t lt_multi_near_scratch(void) {
    return MOST_PAIRS * MOST * sizeof(lt_near) + 64;
}

/* Without any limit all are decided: also when such a step is repeated. */
static bool is_limited(const lt_meter *meter) {
    if (meter->cuts) return meter->cuts->contact_limit > 0;
    return meter->limit_units != LT_UNLIMITED || meter->deadline_ns != LT_UNLIMITED;
}

void lt_multi_find_planes(lt_multi_work *w) {
    if (!is_limited(w->step->meter)) return;
    nearing n = {.work = w, .is_next = is_expected};
    find_next(&n);
    lt_spend_fully(w->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&n, peek, step_planes});
}

void lt_multi_find_near(lt_multi_work *w) {
    nearing n = {.work = w, .is_next = is_wanted};
    lt_give_back(w->step->meter, LT_WORK_ROOT, w->near_reserved); /* now it is spent */
    w->near = LT_TAKE(w->step->arena, MOST_PAIRS * MOST, lt_near);
    find_next(&n);
    if (w->near)
        lt_spend_fully(w->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&n, peek, step_parts});
    else
        w->step->report->problems |= LT_PROBLEM_SCRATCH;
}
