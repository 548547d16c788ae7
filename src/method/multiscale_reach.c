/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How far answers may push a body beyond its way: as far as what hits it would have gone on. A body at rest that is hit by
 * something fast, or by one that was hit, gets to places that are not near its way; pairs must be known of there, or it goes
 * through whoever stands there and nobody looks.
 *
 *   obstacles that move ──► bodies that they may reach ──► whom these may reach, ring by ring
 *
 * Over the gap between their boxes nothing is passed on. What more rings would add is a blow through more than RINGS bodies that
 * do not touch, in one step. */

#include "method/multiscale_work.h"

enum { RINGS = 4 };

static bool moves(const lt_collider *c) {
    return c->in_use && !c->asleep;
}

static void reach_by_obstacles(lt_method_step *step) {
    for (uint32_t o = 0; o < step->obstacle_count; o++) {
        const lt_obstacle *obstacle = &step->obstacles[o];
        if (!obstacle->in_use || !obstacle->moving) continue;
        for (uint32_t i = 0; i < step->collider_count; i++) {
            lt_collider *c = &step->colliders[i];
            if (!moves(c)) continue;
            const lt_obstacle *seen = lt_obstacle_seen(c, step->obstacles, o);
            float sweep = lt_obstacle_sweep(seen, c->box, step->dt);
            if (sweep > c->reach && lt_obstacle_may_touch(seen, c->box, c->reach + sweep)) c->reach = sweep;
        }
    }
}

static float gap_between(lt_box a, lt_box b) {
    lt_vec3 gap = lt_v3_max(lt_v3_sub(a.lo, b.hi), lt_v3_sub(b.lo, a.hi));
    return lt_v3_length(lt_v3_max(gap, (lt_vec3){0, 0, 0}));
}

static bool pass_on(const lt_collider *from, lt_collider *to, float little) {
    float reach = from->reach - gap_between(from->box, to->box);
    if (!moves(to) || !(reach > to->reach + little)) return false;
    to->reach = reach;
    return true;
}

/* Returns whether anybody reaches farther than before. */
static bool grow_ring(lt_multi_work *w) {
    lt_method_step *step = w->step;
    lt_broad_input input = {.colliders = step->colliders,
                            .collider_count = step->collider_count,
                            .dt = step->dt,
                            .level = step->level};
    lt_broad broad;
    bool grew = false;
    if (!lt_broad_begin_keys(&broad, &input, w->method->memory.pairs.capacity, step->arena)) return false;
    lt_spend_fully(step->meter, LT_STAGE_BROAD, lt_broad_cursor(&broad));
    for (uint32_t i = 0; i < broad.found_count; i++) {
        lt_collider *a = &step->colliders[lt_pair_key_a(broad.ordered[i])];
        lt_collider *b = &step->colliders[lt_pair_key_b(broad.ordered[i])];
        grew = pass_on(a, b, w->separation) || grew;
        grew = pass_on(b, a, w->separation) || grew;
    }
    return grew;
}

static float longest_reach(const lt_method_step *step) {
    float longest = 0;
    for (uint32_t i = 0; i < step->collider_count; i++)
        if (moves(&step->colliders[i])) longest = lt_max_f(longest, step->colliders[i].reach);
    return longest;
}

size_t lt_multi_reach_scratch(uint32_t collider_count, uint32_t pair_capacity) {
    return lt_broad_scratch(collider_count, pair_capacity);
}

void lt_multi_grow_reaches(lt_multi_work *w) {
    lt_method_step *step = w->step;
    size_t mark = lt_arena_mark(step->arena);
    reach_by_obstacles(step);
    if (longest_reach(step) > 4 * w->separation)
        for (int ring = 0; ring < RINGS && grow_ring(w); ring++)
            lt_arena_rewind(step->arena, mark);
    lt_arena_rewind(step->arena, mark);
}
