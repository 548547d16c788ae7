/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Broad phase: who could touch whom.
 *
 *   boxes ─► strips ─► sort ─► obstacles ─► bodies ─► self ─► order ─► renew
 *
 * No comparison sort: bodies fall into strips, and pairs are ordered by slots, which are small numbers. A pair is one
 * 64-bit key while it is sorted: a, kind, b from the highest bits down, the order of the list. */

#include "detect/broad_internal.h"

#include <string.h>

/* In this order pairs are found, so that at the capacity the floor goes last: what falls through it is lost. */
enum {
    PHASE_BOXES,
    PHASE_STRIPS,
    PHASE_SORT,
    PHASE_OBSTACLES,
    PHASE_BODIES,
    PHASE_SELF,
    PHASE_ORDER,
    PHASE_RENEW,
    PHASE_DONE
};

/* Columns are read this far beyond the last box. */
enum { PADDING = LT_GROUP };

extern const lt_broad_kernels lt_broad_kernels_scalar, lt_broad_kernels_wide4, lt_broad_kernels_avx2;

const lt_broad_kernels *lt_broad_kernels_for(lt_simd_level level) {
    static const lt_broad_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_broad_kernels);
    return table[level];
}

uint32_t lt_pair_point_count(const lt_pair *pair, const lt_collider *colliders) {
    uint32_t count = colliders[pair->a].skin->point_count;
    return pair->kind == LT_PAIR_BODIES ? count + colliders[pair->b].skin->point_count : count;
}

static uint32_t lowest_bit(uint64_t bits) {
    return (uint32_t)__builtin_ctzll(bits);
}

static bool wants(uint32_t group_a, uint32_t mask_a, uint32_t group_b, uint32_t mask_b) {
    return (group_a & mask_b) != 0 && (group_b & mask_a) != 0;
}

static void add_found(lt_broad *b, uint32_t first, lt_pair_kind kind, uint32_t second) {
    if (b->found_count == b->capacity) {
        b->dropped++;
        return;
    }
    b->found[b->found_count++] = lt_pair_make_key(first, kind, second);
    b->first_ends[first]++;
    if (kind == LT_PAIR_BODIES) b->second_ends[second]++;
}

/* Counts become where each begins; filling moves that to where it ends. */
static void sum_counts(uint32_t *counts, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t here = counts[i];
        counts[i] = sum;
        sum += here;
    }
}

/* ---- strips ---- */

static float axis_of(lt_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Also false for NaN: such a body meets nobody. */
static bool box_is_ordered(lt_box box) {
    return box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z;
}

/* Rises with x or stays: what begins before another ends is in no later strip than that end. */
static uint32_t strip_of(const lt_broad *b, float x) {
    float strip = (x - b->strip_origin) * b->strips_a_metre;
    if (!(strip > 0)) return 0; /* NaN, too: of 0 × infinity */
    uint32_t last = b->input.collider_count - 1;
    return strip < (float)last ? (uint32_t)strip : last;
}

static void choose_axis(lt_broad *b, lt_box begins) {
    lt_vec3 spread = lt_v3_sub(begins.hi, begins.lo);
    b->axis = spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2;
    b->strip_origin = axis_of(begins.lo, b->axis);
    b->strips_a_metre = (float)b->input.collider_count / axis_of(spread, b->axis);
}

/* Leaves push on each other although the surfaces do not meet yet. Without the overhang a body that has come to rest on another
 * would lose it, fall for a step, and be thrown back. */
static float grown_by(const lt_collider *c) {
    return c->reach + c->spheres.overhang;
}

/* Boxes are in the frame of the first body, those of others rounded. Rounding never changes the order of coordinates: boxes that overlap
 * in a frame of their own do here. */
static void choose_origin(lt_broad *b) {
    memset(b->origin, 0, sizeof b->origin);
    for (uint32_t i = 0; i < b->input.collider_count; i++) {
        if (!b->input.colliders[i].in_use) continue;
        memcpy(b->origin, b->input.colliders[i].soft->origin, sizeof b->origin);
        return;
    }
}

static lt_box box_of(const lt_broad *b, const lt_collider *c) {
    lt_box box = lt_box_inflate(c->box, grown_by(c));
    return (lt_box){lt_offset_seen(b->origin, c->soft->origin, box.lo),
                    lt_offset_seen(b->origin, c->soft->origin, box.hi)};
}

static void fit_boxes(lt_broad *b) {
    lt_box begins = lt_box_empty();
    choose_origin(b);
    for (uint32_t i = 0; i < b->input.collider_count; i++) {
        const lt_collider *c = &b->input.colliders[i];
        b->boxes[i] = c->in_use ? box_of(b, c) : lt_box_empty();
        b->strip_ends[i] = b->first_ends[i] = b->second_ends[i] = 0;
        if (box_is_ordered(b->boxes[i])) begins = lt_box_add_point(begins, b->boxes[i].lo);
    }
    choose_axis(b, begins);
}

static void count_strips(lt_broad *b) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->input.collider_count; i++) {
        if (!box_is_ordered(b->boxes[i])) continue;
        b->strip_ends[strip_of(b, axis_of(b->boxes[i].lo, b->axis))]++;
        count++;
    }
    sum_counts(b->strip_ends, b->input.collider_count);
    b->sorted.count = count;
}

static void put_in_column(const lt_broad *b, uint32_t at, lt_box box, float slack) {
    const float lo[3] = {box.lo.x, box.lo.y, box.lo.z}, hi[3] = {box.hi.x, box.hi.y, box.hi.z};
    for (int k = 0; k < 3; k++) {
        b->sorted.lo[k][at] = lo[k];
        b->sorted.hi[k][at] = hi[k];
    }
    b->sorted.slack[at] = slack;
}

static float margin_of(const lt_collider *c) {
    return 0.02f * (float)c->soft->size;
}

/* The wide test of obstacles rounds otherwise than the plain one: by less than this at coordinates so large. */
static float rounding_at(lt_box box) {
    lt_vec3 far = lt_v3_max(lt_v3_neg(box.lo), box.hi);
    return 4e-6f * lt_max_f(lt_max_f(far.x, far.y), far.z);
}

static void sort_boxes(lt_broad *b) {
    for (uint32_t i = 0; i < b->input.collider_count; i++) {
        lt_box box = b->boxes[i];
        if (!box_is_ordered(box)) continue;
        const lt_collider *c = &b->input.colliders[i];
        uint32_t at = b->strip_ends[strip_of(b, axis_of(box.lo, b->axis))]++;
        put_in_column(b, at, box, margin_of(c) + rounding_at(box));
        b->items[at] = (lt_broad_item){.body = i, .group = c->group, .mask = c->mask, .asleep = c->asleep};
    }
    for (uint32_t at = 0; at < b->sorted.count; at++)
        b->items[at].strip_end = b->strip_ends[strip_of(b, b->sorted.hi[b->axis][at])];
    for (uint32_t at = b->sorted.count; at < b->sorted.count + PADDING; at++)
        put_in_column(b, at, lt_box_empty(), 0);
}

/* ---- obstacles ---- */

static lt_broad_solid solid_of(const lt_obstacle *o, float dt) {
    lt_broad_solid s = {.is_plane = o->kind == LT_OBSTACLE_PLANE, .position = o->position};
    for (int k = 0; k < 3; k++)
        s.axes[k] = o->axes[k];
    s.normal = lt_v3_add(
        lt_v3_add(lt_v3_scale(o->axes[0], o->local_normal.x), lt_v3_scale(o->axes[1], o->local_normal.y)),
        lt_v3_scale(o->axes[2], o->local_normal.z));
    if (o->kind == LT_OBSTACLE_BOX) s.half_extents = o->half_extents;
    if (o->kind == LT_OBSTACLE_CAPSULE) s.half_extents.y = o->half_length;
    if (o->kind == LT_OBSTACLE_SPHERE || o->kind == LT_OBSTACLE_CAPSULE) s.radius = o->radius;
    s.shift = dt * lt_v3_length(o->velocity);
    s.turn = dt * lt_v3_length(o->angular_velocity);
    return s;
}

/* Into hits, as bits. A mesh has no closed form: all are tested. */
static void find_near(lt_broad *b, const lt_obstacle *o) {
    if (o->kind != LT_OBSTACLE_MESH) {
        lt_obstacle seen = lt_obstacle_from(o, b->origin);
        lt_broad_solid solid = solid_of(&seen, b->input.dt);
        lt_broad_kernels_for(b->input.level)->near_solid(b->hits, &b->sorted, &solid);
        return;
    }
    for (uint32_t at = 0; at < b->sorted.count; at += LT_WORD_BITS) {
        uint32_t left = b->sorted.count - at;
        b->hits[at / LT_WORD_BITS] = left < LT_WORD_BITS ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
    }
}

static void meet_obstacle(lt_broad *b, uint32_t index) {
    const lt_obstacle *o = &b->input.obstacles[index];
    if (!o->in_use) return;
    bool still =
        lt_v3_dot(o->velocity, o->velocity) == 0 && lt_v3_dot(o->angular_velocity, o->angular_velocity) == 0;
    find_near(b, o);
    for (uint32_t word = 0; word < lt_word_count(b->sorted.count); word++)
        for (uint64_t bits = b->hits[word]; bits; bits &= bits - 1) {
            const lt_broad_item *item = &b->items[word * LT_WORD_BITS + lowest_bit(bits)];
            if (item->asleep || !wants(item->group, item->mask, o->group, o->mask)) continue;
            const lt_collider *c = &b->input.colliders[item->body];
            const lt_obstacle *seen = lt_obstacle_seen(c, b->input.obstacles, index);
            float sweep = still ? 0 : lt_obstacle_sweep(seen, c->box, b->input.dt);
            if (lt_obstacle_may_touch(seen, c->box, c->reach + sweep + margin_of(c)))
                add_found(b, item->body, LT_PAIR_OBSTACLE, index);
        }
}

/* ---- bodies ---- */

static lt_box box_in_column(const lt_box_columns *c, uint32_t at) {
    return (lt_box){{c->lo[0][at], c->lo[1][at], c->lo[2][at]}, {c->hi[0][at], c->hi[1][at], c->hi[2][at]}};
}

/* Two places in one number, the earlier one above. Candidates are listed before they are looked at, four bits of a word
 * at a time whether there are four or not: a loop of unknown length costs more to leave than to run. */
enum { CANDIDATES = 512, CANDIDATE_ROOM = CANDIDATES + LT_WORD_BITS + 3 };

static uint32_t list_candidates(uint64_t *out, uint32_t count, uint64_t bits, uint64_t candidate) {
    const uint64_t guard = (uint64_t)1 << (LT_WORD_BITS - 1); /* where no bit is left */
    while (bits)
        for (int i = 0; i < 4; i++) {
            out[count] = candidate + lowest_bit(bits | guard);
            count += bits != 0;
            bits &= bits - 1;
        }
    return count;
}

/* Bodies of two frames are a size apart at least (world/frames.c): it is rounding that their boxes overlap. */
static bool share_frame(const lt_broad *b, uint32_t x, uint32_t y) {
    lt_dvec3 between = lt_soft_offset_between(b->input.colliders[x].soft, b->input.colliders[y].soft);
    return between.x == 0 && between.y == 0 && between.z == 0;
}

static void meet_candidates(lt_broad *b, const uint64_t *candidates, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const lt_broad_item *x = &b->items[candidates[i] >> 32], *y = &b->items[(uint32_t)candidates[i]];
        if (x->asleep && y->asleep) continue; /* their contacts rest as they do */
        if (!share_frame(b, x->body, y->body)) continue;
        if (!wants(x->group, x->mask, y->group, y->mask)) continue;
        add_found(b, lt_min_u32(x->body, y->body), LT_PAIR_BODIES, lt_max_u32(x->body, y->body));
    }
}

static uint32_t body_cost(const lt_broad *b, uint32_t at) {
    return 1 + (b->items[at].strip_end - at) / LT_GROUP;
}

/* Boxes from the next place on, each against those that begin behind it, while the grant lasts; returns the cost. */
static uint32_t meet_bodies(lt_broad *b, uint32_t grant) {
    const lt_broad_kernels *kernels = lt_broad_kernels_for(b->input.level);
    uint64_t candidates[CANDIDATE_ROOM];
    uint32_t count = 0, spent = 0, at = b->next;
    for (; at < b->sorted.count && body_cost(b, at) <= grant - spent; at++) {
        uint32_t behind = at + 1, strip_end = b->items[at].strip_end;
        kernels->overlapping(b->hits, &b->sorted, behind, strip_end, box_in_column(&b->sorted, at));
        for (uint32_t word = 0; word < lt_word_count(strip_end - behind); word++) {
            uint64_t first = (uint64_t)at << 32 | (behind + word * LT_WORD_BITS);
            count = list_candidates(candidates, count, b->hits[word], first);
            if (count < CANDIDATES) continue;
            meet_candidates(b, candidates, count);
            count = 0;
        }
        spent += body_cost(b, at);
    }
    meet_candidates(b, candidates, count);
    b->next = at;
    return spent;
}

static void meet_self(lt_broad *b) {
    for (uint32_t i = 0; i < b->input.collider_count && b->input.self_collision; i++) {
        const lt_collider *c = &b->input.colliders[i];
        if (c->in_use && !c->asleep && c->self_collision) add_found(b, i, LT_PAIR_SELF, i);
    }
}

/* ---- order ---- */

static void fill_by_first(lt_broad *b, const uint64_t *keys, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        b->ordered[b->first_ends[lt_pair_key_a(keys[i])]++] = keys[i];
}

/* By a counting sort of two digits, the lower one first. Those of a kind are in order of b after it; and the kinds come
 * in their order into the second one, which keeps the order they come in. */
static void order_pairs(lt_broad *b) {
    uint32_t body_found = b->body_found;
    const uint64_t *bodies = b->found + b->obstacle_found, *self = bodies + body_found;
    sum_counts(b->second_ends, b->input.collider_count);
    sum_counts(b->first_ends, b->input.collider_count);
    for (uint32_t i = 0; i < body_found; i++)
        b->by_second[b->second_ends[lt_pair_key_b(bodies[i])]++] = bodies[i];
    fill_by_first(b, self, b->found_count - b->obstacle_found - body_found);
    fill_by_first(b, b->by_second, body_found);
    fill_by_first(b, b->found, b->obstacle_found);
}

/* Pairs that were there before keep their slots. */
static void renew(lt_broad *b) {
    if (!b->table) return;
    lt_pair_table_renew(b->table, b->ordered, b->found_count);
    b->table->dropped = b->dropped;
}

/* ---- the cursor ---- */

/* How many pieces a phase has. */
static uint32_t piece_count(const lt_broad *b) {
    if (b->phase == PHASE_OBSTACLES) return b->input.obstacle_count;
    return b->phase == PHASE_BODIES ? b->sorted.count : 1;
}

/* A body passed, a pair or eight boxes are a unit. */
static uint32_t piece_cost(const lt_broad *b) {
    switch (b->phase) {
    case PHASE_BODIES: return body_cost(b, b->next);
    case PHASE_ORDER: return 1 + b->input.collider_count + b->found_count;
    case PHASE_RENEW: return 1 + b->found_count + (b->table ? b->table->count : 0);
    case PHASE_DONE: return 0;
    default: return 1 + b->input.collider_count;
    }
}

static void do_piece(lt_broad *b) {
    switch (b->phase) {
    case PHASE_BOXES: fit_boxes(b); break;
    case PHASE_STRIPS: count_strips(b); break;
    case PHASE_SORT: sort_boxes(b); break;
    case PHASE_OBSTACLES: meet_obstacle(b, b->next); break;
    case PHASE_SELF: meet_self(b); break;
    case PHASE_ORDER: order_pairs(b); break;
    default: renew(b); break;
    }
    b->next++;
}

/* To a phase that has pieces left. */
static void enter_next_phase(lt_broad *b) {
    while (b->phase != PHASE_DONE && b->next >= piece_count(b)) {
        if (b->phase == PHASE_OBSTACLES) b->obstacle_found = b->found_count;
        if (b->phase == PHASE_BODIES) b->body_found = b->found_count - b->obstacle_found;
        b->phase++;
        b->next = 0;
    }
}

static lt_piece peek(const void *state) {
    return (lt_piece){LT_WORK_BROAD, piece_cost(state), 0};
}

static uint32_t step(void *state, uint32_t grant) {
    lt_broad *b = state;
    uint32_t spent = 0;
    for (uint32_t cost = piece_cost(b); cost && cost <= grant - spent; cost = piece_cost(b)) {
        if (b->phase == PHASE_BODIES) {
            spent += meet_bodies(b, grant - spent);
        } else {
            do_piece(b);
            spent += cost;
        }
        enter_next_phase(b);
    }
    return spent;
}

size_t lt_broad_scratch(uint32_t collider_count, uint32_t pair_capacity) {
    enum { TAKES = 17 }; /* each rounded up to a line */
    size_t columns = (7 * sizeof(float)) * ((size_t)collider_count + PADDING);
    size_t a_body = sizeof(lt_box) + 3 * sizeof(uint32_t) + sizeof(lt_broad_item);
    size_t a_pair = 3 * sizeof(uint64_t);
    return columns + a_body * collider_count + a_pair * pair_capacity +
           sizeof(uint64_t) * lt_word_count(collider_count) + TAKES * 64;
}

static bool take_columns(lt_box_columns *c, uint32_t count, lt_arena *arena) {
    bool ok = true;
    for (int k = 0; k < 3; k++) {
        c->lo[k] = LT_TAKE(arena, (size_t)count + PADDING, float);
        c->hi[k] = LT_TAKE(arena, (size_t)count + PADDING, float);
        ok = ok && c->lo[k] && c->hi[k];
    }
    c->slack = LT_TAKE(arena, (size_t)count + PADDING, float);
    return ok && c->slack;
}

bool lt_broad_begin_keys(lt_broad *broad, const lt_broad_input *input, uint32_t capacity, lt_arena *arena) {
    uint32_t bodies = input->collider_count;
    LT_ASSERT(bodies <= LT_PAIR_INDEX_MAX && input->obstacle_count <= LT_PAIR_INDEX_MAX);
    *broad = (lt_broad){.input = *input,
                        .capacity = capacity,
                        .boxes = LT_TAKE(arena, bodies, lt_box),
                        .strip_ends = LT_TAKE(arena, bodies, uint32_t),
                        .items = LT_TAKE(arena, bodies, lt_broad_item),
                        .hits = LT_TAKE(arena, lt_word_count(bodies), uint64_t),
                        .found = LT_TAKE(arena, capacity, uint64_t),
                        .by_second = LT_TAKE(arena, capacity, uint64_t),
                        .ordered = LT_TAKE(arena, capacity, uint64_t),
                        .first_ends = LT_TAKE(arena, bodies, uint32_t),
                        .second_ends = LT_TAKE(arena, bodies, uint32_t)};
    return take_columns(&broad->sorted, bodies, arena) && broad->boxes && broad->strip_ends && broad->items &&
           broad->hits && broad->found && broad->by_second && broad->ordered && broad->first_ends &&
           broad->second_ends;
}

bool lt_broad_begin(lt_broad *broad, const lt_broad_input *input, lt_pair_table *table, lt_arena *arena) {
    bool begun = lt_broad_begin_keys(broad, input, table->capacity, arena);
    broad->table = table;
    return begun;
}

lt_cursor lt_broad_cursor(lt_broad *broad) {
    return (lt_cursor){broad, peek, step};
}
