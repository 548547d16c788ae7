/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies, or a body and an obstacle that stands still, of which it is not decided in a step where they meet, as lt_world_def.multiscale.pending
 * says. Two bodies are looked at along the direction in which they are least deep in each other as the step begins, by their nodes
 * (multiscale_plane.c): where they are apart along it a plane must stay between them all the way, which may turn; else they may get
 * hardly deeper. A body may get no deeper in an obstacle than when they were decided last, or met, by the box around it.
 *
 *   clamp     less time passes for them than the step has (multiscale_slow.c), and for those who would run into them. Where they are near
 *             each other their approach ends
 *   penalty   the deeper, the more of the approach ends, and nothing is moved
 *   ignore    nothing
 *
 * In a step that was cut two bodies that were decided are held likewise: what few contacts leave out was not looked for again. What was
 * met tells more there (multiscale_seen.c). Those that are in each other are not held when it is known where they cross: they must come out.
 *
 * All parts of it are done in any case: their units are set aside as the step begins. */

#include "method/multiscale_plane.h"

#include <string.h>

/* Separations that a box may be deeper in an obstacle than it was: of what it is around it tells little. */
static const float SLACK = 4;
/* Of the size of the smaller body: penalty takes half of the approach of those that deep. */
static const float HALF = 0.02f;

/* Of the step, that passes for those that touch each other where no plane is between them: on turns that take tens of steps they would
 * stand still in the air. Contacts that are known hold them there. Less, where it is decided what they meet. */
static const float LEAST = 0.25f, LEAST_DECIDED = 0.03f;

/* Of a node of two bodies, beside that of finding their plane. */
enum { SAFE_NODE_UNITS = 4 };

/* ---- holding ---- */

typedef struct holding {
    lt_multi_work *work;
    lt_root_push *pushes; /* [collider_count] */
    float *shares;        /* [collider_count] of the step that may pass */
    lt_plane *planes;     /* [pair_count] as the step begins; with an obstacle: as deep as they may be */
    lt_vec3 *places;      /* [pair_count] with an obstacle: where they are deepest */
    bool *is_held;        /* [pair_count] */
    float *pair_shares;   /* [pair_count] of the step, that can pass before anything that was met touches */
    bool *is_near; /* [pair_count] as the step begins: who is not goes on as fast when it is looked at */
    lt_box *ways;  /* [collider_count] around bodies all the way, after the answer */
    uint32_t next; /* pair; then all */
} holding;

static bool clamps(const lt_multi_work *w) {
    return w->method->options.multiscale.pending == LT_PENDING_CLAMP;
}

static bool moves(const lt_multi_work *w, uint32_t body) {
    return w->motions[body].from != NULL;
}

static bool is_looked_at(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    if (w->complete || w->method->options.multiscale.pending == LT_PENDING_IGNORE) return false;
    if (pair->kind == LT_PAIR_OBSTACLE)
        return !w->outcomes[index].done && moves(w, pair->a) && !lt_multi_is_pushed(w, pair->a);
    return pair->kind == LT_PAIR_BODIES && (!lt_multi_is_overlapping(pair) || !w->outcomes[index].is_parted);
}

static bool is_safe(const lt_multi_work *w, const lt_pair *pair, const lt_plane *begin, float share_a,
                    float share_b) {
    lt_couple c = lt_couple_of(w, pair, share_a, share_b);
    return lt_couple_keeps(&c, begin, lt_multi_allowed_depth(w, pair, begin->depth));
}

/* As much as may pass for both, a power of two, at most `most`. */
static float safe_share(const lt_multi_work *w, const lt_pair *pair, const lt_plane *begin, float most) {
    enum { HALVINGS = 4 };
    float share = most;
    for (int i = 0; i < HALVINGS; i++, share *= 0.5f)
        if (is_safe(w, pair, begin, share, share)) return share;
    lt_couple c = lt_couple_of(w, pair, 1, 1);
    lt_vec3 way;
    float allowed = lt_multi_allowed_depth(w, pair, begin->depth),
          depth = lt_couple_depth(&c, begin->normal, &way);
    float left = depth > begin->depth ? (allowed - begin->depth) / (depth - begin->depth) : 0;
    return lt_max_f(0, lt_min_f(left, share));
}

static bool has_contacts(const lt_multi_work *w, const lt_pair *pair) {
    for (uint32_t i = 0; i < w->contact_count; i++)
        if (lt_pair_is_same(&w->contacts[i].pair, pair)) return true;
    return false;
}

/* Of those that are decided it is known what was met: that tells, too, where they touch that no plane is between, or tets but not the
 * surfaces touch. A turn that took several steps was about other ways. Of others parts tell more than all nodes, where those overlap. */
static float share_of(const lt_multi_work *w, uint32_t index, const lt_plane *begin, float seen) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_multi_outcome *outcome = &w->outcomes[index];
    bool is_known = outcome->done && outcome->has_seen, overlaps = begin->depth > 0;
    bool is_whole = outcome->has_near && outcome->near_is_whole && outcome->near_says_more;
    float share = overlaps && (is_known || is_whole) ? 0 : safe_share(w, pair, begin, 1);
    if (share < 1 && is_whole) share = lt_max_f(share, lt_multi_near_share(w, index));
    if (overlaps && outcome->has_near && !is_whole)
        share = lt_min_f(lt_max_f(share, LEAST), lt_multi_near_share(w, index));
    return share < 1 && is_known ? lt_max_f(share, seen) : share;
}

/* An obstacle that moves would come after who is held, and through it. */
static void hold(holding *h, uint32_t index, float share) {
    uint32_t bodies[2],
        count = lt_multi_pair_bodies(bodies, lt_worded_pair_at(&h->work->method->memory.pairs, index));
    h->is_held[index] = share < 1;
    if (lt_multi_is_pushed(h->work, bodies[0]) || lt_multi_is_pushed(h->work, bodies[count - 1])) share = 1;
    for (uint32_t i = 0; i < count; i++)
        h->shares[bodies[i]] = lt_min_f(h->shares[bodies[i]], share);
    h->work->step->report->held += h->is_held[index] && !h->work->outcomes[index].has_coarse;
}

/* By the box around the body: no deeper than when they were decided last, or met. */
static void look_at_obstacle(holding *h, uint32_t index) {
    const lt_multi_work *w = h->work;
    lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_obstacle *obstacle = lt_step_obstacle(w->step, pair);
    lt_box from = w->motions[pair->a].start, to = lt_multi_box_at_end(w, pair->a);
    lt_root root = lt_root_over_step(from, to, obstacle, w->step->dt);
    float before = lt_root_before_step(from, obstacle).depth;
    if (!lt_root_is_known(lt_words_of(pair)->next)) lt_words_of(pair)->next = lt_root_know(before);
    before = lt_max_f(before, root.depth - (float)lt_root_pursuit(&root, from, to, obstacle, w->step->dt));
    float allowed = lt_multi_allowed_in_obstacle(w, pair, before);
    h->planes[index] = (lt_plane){root.normal, allowed};
    h->places[index] = root.point;
    if (root.depth > allowed && root.depth < 1e30f)
        hold(h, index, lt_max_f(0, (allowed - before) / (root.depth - before)));
    h->is_near[index] = allowed - before <= SLACK * w->separation;
}

static float least_of(const lt_multi_work *w, uint32_t index, float depth) {
    const lt_multi_outcome *outcome = &w->outcomes[index];
    if (outcome->has_near || depth <= 0 ||
        !has_contacts(w, lt_worded_pair_at(&w->method->memory.pairs, index)))
        return 0;
    return outcome->has_seen ? LEAST_DECIDED : LEAST;
}

/* Between boxes that are apart all the way nodes are, too, whatever share of it passes. Who rests is apart if as much passes for both. */
static lt_plane plane_of_boxes(const holding *h, const lt_pair *pair) {
    lt_root root = lt_root_of_boxes(h->ways[pair->a], h->ways[pair->b]);
    return (lt_plane){root.normal, root.depth};
}

static void look_at(holding *h, uint32_t index) {
    const lt_multi_work *w = h->work;
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    if (pair->kind == LT_PAIR_OBSTACLE) {
        look_at_obstacle(h, index);
        return;
    }
    bool is_clear = w->outcomes[index].rests && lt_multi_stays_clear(w, index, 0);
    if (is_clear || !lt_box_overlap(h->ways[pair->a], h->ways[pair->b])) {
        h->planes[index] = plane_of_boxes(h, pair);
        h->pair_shares[index] = 1;
        return;
    }
    h->planes[index] =
        w->outcomes[index].has_plane ? w->outcomes[index].plane : lt_multi_find_plane(w, index);
    h->is_near[index] = h->planes[index].depth > -w->separation;
    const lt_multi_outcome *outcome = &w->outcomes[index];
    if (outcome->done && outcome->has_seen && !outcome->by_long)
        h->pair_shares[index] = lt_multi_seen_share(w, pair, outcome);
    float share = share_of(w, index, &h->planes[index], h->pair_shares[index]);
    hold(h, index, lt_max_f(share, least_of(w, index, h->planes[index].depth)));
}

/* Who is not held meets those who are, where they would not be: as much passes for both. Returns whether it is less than before. */
static bool spread(holding *h, uint32_t index) {
    const lt_multi_work *w = h->work;
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    const lt_plane *p = &h->planes[index];
    if (pair->kind != LT_PAIR_BODIES || !is_looked_at(w, index)) return false;
    float *a = &h->shares[pair->a], *b = &h->shares[pair->b], least = lt_min_f(*a, *b);
    if (*a == *b || !moves(w, pair->a) || !moves(w, pair->b)) return false;
    if (!lt_box_overlap(h->ways[pair->a], h->ways[pair->b])) return false;
    bool touches = has_contacts(w, pair) || w->outcomes[index].has_near || w->outcomes[index].rests;
    if (p->depth <= 0 ? is_safe(w, pair, p, *a, *b) : !touches) return false;
    *a = *b = p->depth <= 0 ? safe_share(w, pair, p, least) : least;
    return true;
}

static void spread_shares(holding *h) {
    bool any = true;
    for (uint32_t pass = 0; any && pass < h->work->step->collider_count; pass++) {
        any = false;
        for (uint32_t i = 0; i < h->work->method->memory.pairs.count; i++)
            any = spread(h, i) || any;
    }
}

/* ---- after that ---- */

static lt_root root_of(const holding *h, uint32_t index) {
    const lt_multi_work *w = h->work;
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    lt_root root = {.normal = h->planes[index].normal};
    lt_vec3 way;
    if (pair->kind == LT_PAIR_OBSTACLE) {
        root.point = h->places[index];
        root.depth =
            lt_root_after_step(lt_multi_box_at_end(w, pair->a), lt_step_obstacle(w->step, pair)).depth;
        return root;
    }
    lt_couple c = lt_couple_of(w, pair, 1, 1);
    root.depth = lt_couple_depth(&c, root.normal, &way);
    return root;
}

static void end_approach(holding *h, uint32_t index) {
    const lt_multi_work *w = h->work;
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    uint32_t bodies[2], count = lt_multi_pair_bodies(bodies, pair);
    lt_real size = lt_min_r(w->step->softs[bodies[0]].size, w->step->softs[bodies[count - 1]].size);
    lt_root root = root_of(h, index);
    lt_real excess = lt_max_r(0, (lt_real)(root.depth - h->planes[index].depth));
    lt_real share = clamps(w) ? 1 : excess / (excess + (lt_real)HALF * size);
    lt_rvec3 impulse = lt_root_answer(w->step, h->pushes, pair, &root, share, 0);
    w->outcomes[index].impulse = lt_r3_add(w->outcomes[index].impulse, impulse);
    if (pair->kind == LT_PAIR_OBSTACLE)
        lt_load_obstacle(lt_step_obstacle(w->step, pair), root.point,
                         lt_v3_scale(lt_v3_from_r3(impulse), 1 / w->step->dt));
}

/* Who was decided and goes no farther than was looked is apart when the step ends, although it was cut. */
static void note_apart(const holding *h) {
    lt_multi_work *w = h->work;
    for (uint32_t i = 0; i < w->method->memory.pairs.count; i++) {
        const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, i);
        if (pair->kind != LT_PAIR_BODIES || !is_looked_at(w, i) || lt_multi_is_overlapping(pair)) continue;
        float a = h->shares[pair->a], b = h->shares[pair->b];
        bool pushed = h->pushes[pair->a].moves || h->pushes[pair->b].moves;
        w->outcomes[i].is_apart = a == b && a <= h->pair_shares[i] && !pushed && clamps(w);
    }
}

static void hold_all(holding *h) {
    lt_multi_work *w = h->work;
    if (clamps(w)) {
        spread_shares(h);
        if (!lt_multi_slow_bodies(w, h->shares)) w->step->report->problems |= LT_PROBLEM_SCRATCH;
    }
    for (uint32_t i = 0; i < w->method->memory.pairs.count; i++)
        if (h->is_held[i] && (h->is_near[i] || !clamps(w))) end_approach(h, i);
    note_apart(h);
    for (uint32_t i = 0; i < w->step->collider_count; i++) {
        if (!h->pushes[i].moves) continue;
        lt_root_move(&h->pushes[i], &w->step->softs[i]);
        lt_soft_follow(&w->step->softs[i]);
    }
}

/* ---- the cursor: pairs are looked at, then bodies held ---- */

static uint32_t units_of_pair(const lt_multi_work *w, uint32_t index) {
    const lt_pair *pair = lt_worded_pair_at(&w->method->memory.pairs, index);
    uint32_t nodes = lt_soft_own_count(&w->step->softs[pair->a]);
    uint32_t of_node = SAFE_NODE_UNITS + (w->outcomes[index].has_plane ? 0 : LT_MULTI_PLANE_UNITS);
    if (pair->kind == LT_PAIR_OBSTACLE) return 2 * LT_ROOT_UNITS + nodes;
    return pair->kind == LT_PAIR_BODIES ? of_node * (nodes + lt_soft_own_count(&w->step->softs[pair->b])) : 0;
}

static uint32_t cost_of_next(const holding *h) {
    const lt_multi_work *w = h->work;
    uint32_t pairs = w->method->memory.pairs.count;
    if (h->next < pairs && is_looked_at(w, h->next))
        return 1 + units_of_pair(w, h->next) + lt_multi_seen_units(&w->outcomes[h->next]);
    if (h->next < pairs) return 1;
    return h->next == pairs ? 1 + pairs + w->step->collider_count : 0;
}

static lt_piece peek(const void *state) {
    return (lt_piece){LT_WORK_ROOT, cost_of_next(state), 0};
}

static uint32_t step(void *state, uint32_t grant) {
    holding *h = state;
    uint32_t cost = cost_of_next(h);
    (void)grant; /* it was set aside */
    if (h->next == h->work->method->memory.pairs.count)
        hold_all(h);
    else if (is_looked_at(h->work, h->next))
        look_at(h, h->next);
    h->next++;
    return cost;
}

uint64_t lt_multi_bodies_units(const lt_multi_work *w) {
    const lt_pair_table *pairs = &w->method->memory.pairs;
    uint64_t units = 1 + 2 * (uint64_t)pairs->count + w->step->collider_count;
    for (uint32_t i = 0; i < pairs->count; i++)
        units += units_of_pair(w, i);
    return units;
}

size_t lt_multi_bodies_scratch(uint32_t collider_count, uint32_t pair_capacity) {
    return collider_count * (sizeof(lt_root_push) + sizeof(float) + sizeof(lt_box)) +
           pair_capacity * (sizeof(lt_plane) + sizeof(lt_vec3) + sizeof(float) + 2 * sizeof(bool)) + 11 * 64 +
           lt_multi_slow_scratch(collider_count);
}

static bool begin(holding *h, lt_arena *arena) {
    uint32_t bodies = h->work->step->collider_count, pairs = h->work->method->memory.pairs.count;
    h->pushes = LT_TAKE(arena, bodies, lt_root_push);
    h->shares = LT_TAKE(arena, bodies, float);
    h->planes = LT_TAKE(arena, pairs, lt_plane);
    h->places = LT_TAKE(arena, pairs, lt_vec3);
    h->is_held = LT_TAKE(arena, pairs, bool);
    h->is_near = LT_TAKE(arena, pairs, bool);
    h->pair_shares = LT_TAKE(arena, pairs, float);
    h->ways = LT_TAKE(arena, bodies, lt_box);
    if (!h->pushes || !h->shares || !h->planes || !h->places || !h->is_held || !h->is_near ||
        !h->pair_shares || !h->ways)
        return false;
    memset(h->pushes, 0, bodies * sizeof *h->pushes);
    memset(h->is_held, 0, pairs * sizeof *h->is_held);
    memset(h->is_near, 0, pairs * sizeof *h->is_near);
    memset(h->pair_shares, 0, pairs * sizeof *h->pair_shares);
    lt_multi_count_pairs(h->work, h->pushes);
    for (uint32_t i = 0; i < bodies; i++) {
        h->shares[i] = 1;
        h->ways[i] = h->work->step->colliders[i].box;
        if (moves(h->work, i))
            h->ways[i] = lt_box_union(h->work->motions[i].start, lt_multi_box_at_end(h->work, i));
    }
    return true;
}

static bool any_is_held(const lt_multi_work *w) {
    for (uint32_t i = 0; i < w->step->collider_count; i++)
        if (moves(w, i) && w->motions[i].part_share < 1) return true;
    for (uint32_t i = 0; i < w->method->memory.pairs.count; i++)
        if (is_looked_at(w, i)) return true;
    return false;
}

void lt_multi_hold_bodies(lt_multi_work *w) {
    holding h = {.work = w};
    size_t mark = lt_arena_mark(w->step->arena);
    if (!any_is_held(w)) return;
    if (begin(&h, w->step->arena))
        lt_spend_fully(w->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&h, peek, step});
    else
        w->step->report->problems |= LT_PROBLEM_SCRATCH;
    lt_arena_rewind(w->step->arena, mark);
}
