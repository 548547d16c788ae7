/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Broad phase: who could touch whom.
 *
 *   boxes ─► strips ─► sort ─► obstacles ─► bodies ─► self ─► order ─► merge
 *
 * No comparison sort: bodies fall into strips, and pairs are ordered by slots, which are small numbers. A pair is one
 * 64-bit key while it is sorted: a, kind, b from the highest bits down, the order of the list. */

#include "detect/broad_parts.h"

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
    PHASE_MERGE,
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

/* ---- keys ---- */

#define KIND_SHIFT  30
#define SECOND_MASK ((1u << KIND_SHIFT) - 1)

static uint64_t make_key(uint32_t first, lt_pair_kind kind, uint32_t second) {
    return (uint64_t)first << 32 | (uint64_t)kind << KIND_SHIFT | second;
}
static uint32_t key_first(uint64_t key) {
    return (uint32_t)(key >> 32);
}
static uint32_t key_second(uint64_t key) {
    return (uint32_t)key & SECOND_MASK;
}
static lt_pair_kind key_kind(uint64_t key) {
    return (lt_pair_kind)((uint32_t)key >> KIND_SHIFT);
}

static bool wants(uint32_t group_a, uint32_t mask_a, uint32_t group_b, uint32_t mask_b) {
    return (group_a & mask_b) != 0 && (group_b & mask_a) != 0;
}

static void add_found(lt_broad *b, uint32_t first, lt_pair_kind kind, uint32_t second) {
    if (b->found_count == b->list->capacity) {
        b->dropped++;
        return;
    }
    b->found[b->found_count++] = make_key(first, kind, second);
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

static void fit_boxes(lt_broad *b) {
    lt_box begins = lt_box_empty();
    for (uint32_t i = 0; i < b->input.collider_count; i++) {
        const lt_collider *c = &b->input.colliders[i];
        b->boxes[i] = c->in_use ? lt_box_inflate(c->box, c->reach) : lt_box_empty();
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

/* A mesh has no closed form: all are tested. */
static uint32_t find_near(lt_broad *b, const lt_obstacle *o) {
    if (o->kind != LT_OBSTACLE_MESH) {
        lt_broad_solid solid = solid_of(o, b->input.dt);
        return lt_broad_kernels_for(b->input.level)->near_solid(b->hits, &b->sorted, &solid);
    }
    for (uint32_t at = 0; at < b->sorted.count; at++)
        b->hits[at] = at;
    return b->sorted.count;
}

static void meet_obstacle(lt_broad *b, uint32_t index) {
    const lt_obstacle *o = &b->input.obstacles[index];
    if (!o->in_use) return;
    bool still =
        lt_v3_dot(o->velocity, o->velocity) == 0 && lt_v3_dot(o->angular_velocity, o->angular_velocity) == 0;
    uint32_t count = find_near(b, o);
    for (uint32_t i = 0; i < count; i++) {
        const lt_broad_item *item = &b->items[b->hits[i]];
        if (item->asleep || !wants(item->group, item->mask, o->group, o->mask)) continue;
        const lt_collider *c = &b->input.colliders[item->body];
        float sweep = still ? 0 : lt_obstacle_sweep(o, c->box, b->input.dt);
        if (lt_obstacle_may_touch(o, c->box, c->reach + sweep + margin_of(c)))
            add_found(b, item->body, LT_PAIR_OBSTACLE, index);
    }
}

/* ---- bodies ---- */

static lt_box box_in_column(const lt_box_columns *c, uint32_t at) {
    return (lt_box){{c->lo[0][at], c->lo[1][at], c->lo[2][at]}, {c->hi[0][at], c->hi[1][at], c->hi[2][at]}};
}

/* The box in place `at` against those that begin behind it. */
static void meet_bodies(lt_broad *b, uint32_t at, const lt_broad_kernels *kernels) {
    const lt_broad_item *x = &b->items[at];
    lt_box box = box_in_column(&b->sorted, at);
    uint32_t count = kernels->overlapping(b->hits, &b->sorted, at + 1, x->strip_end, box);
    for (uint32_t i = 0; i < count; i++) {
        const lt_broad_item *y = &b->items[b->hits[i]];
        if (x->asleep && y->asleep) continue; /* their contacts rest as they do */
        if (!wants(x->group, x->mask, y->group, y->mask)) continue;
        add_found(b, lt_min_u32(x->body, y->body), LT_PAIR_BODIES, lt_max_u32(x->body, y->body));
    }
}

static uint32_t bodies_cost(const lt_broad *b) {
    return 1 + (b->items[b->next].strip_end - b->next) / LT_GROUP;
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
        b->ordered[b->first_ends[key_first(keys[i])]++] = keys[i];
}

/* By a counting sort of two digits, the lower one first. Those of a kind are in order of b after it; and the kinds come
 * in their order into the second one, which keeps the order they come in. */
static void order_pairs(lt_broad *b) {
    uint32_t body_found = b->body_found;
    const uint64_t *bodies = b->found + b->obstacle_found, *self = bodies + body_found;
    sum_counts(b->second_ends, b->input.collider_count);
    sum_counts(b->first_ends, b->input.collider_count);
    for (uint32_t i = 0; i < body_found; i++)
        b->by_second[b->second_ends[key_second(bodies[i])]++] = bodies[i];
    fill_by_first(b, self, b->found_count - b->obstacle_found - body_found);
    fill_by_first(b, b->by_second, body_found);
    fill_by_first(b, b->found, b->obstacle_found);
}

/* Pairs that were there before keep their turn and progress; new ones begin a round of their own. */
static void merge(lt_broad *b) {
    lt_pair_list *list = b->list;
    uint32_t old_count = list->count, old = 0;
    memcpy(b->old_pairs, list->pairs, old_count * sizeof *list->pairs);
    memcpy(b->old_turns, list->turns, old_count * sizeof *list->turns);
    for (uint32_t i = 0; i < b->found_count; i++) {
        uint64_t key = b->ordered[i], old_key = UINT64_MAX;
        for (; old < old_count; old++) {
            const lt_pair *p = &b->old_pairs[old];
            old_key = make_key(p->a, p->kind, p->b);
            if (old_key >= key) break;
        }
        bool had = old < old_count && old_key == key;
        list->pairs[i] = had ? b->old_pairs[old]
                             : (lt_pair){.a = key_first(key), .kind = key_kind(key), .b = key_second(key)};
        list->turns[i] = had ? b->old_turns[old] : (lt_turn){0};
    }
    list->count = b->found_count;
    list->dropped = b->dropped;
}

/* ---- the cursor ---- */

/* How many pieces a phase has. */
static uint32_t piece_count(const lt_broad *b) {
    if (b->phase == PHASE_OBSTACLES) return b->input.obstacle_count;
    return b->phase == PHASE_BODIES ? b->sorted.count : 1;
}

static uint32_t piece_cost(const lt_broad *b) {
    switch (b->phase) {
    case PHASE_BODIES: return bodies_cost(b);
    case PHASE_ORDER: return 1 + b->input.collider_count + b->found_count;
    case PHASE_MERGE: return 1 + b->found_count + b->list->count;
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
    case PHASE_BODIES: meet_bodies(b, b->next, lt_broad_kernels_for(b->input.level)); break;
    case PHASE_SELF: meet_self(b); break;
    case PHASE_ORDER: order_pairs(b); break;
    default: merge(b); break;
    }
}

/* To the next piece, past phases that have none. */
static void go_on(lt_broad *b) {
    b->next++;
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
        do_piece(b);
        go_on(b);
        spent += cost;
    }
    return spent;
}

size_t lt_broad_scratch(uint32_t collider_count, uint32_t pair_capacity) {
    enum { TAKES = 17 }; /* each rounded up to a line */
    size_t columns = (7 * sizeof(float)) * ((size_t)collider_count + PADDING);
    size_t a_body = sizeof(lt_box) + 4 * sizeof(uint32_t) + sizeof(lt_broad_item);
    size_t a_pair = 3 * sizeof(uint64_t) + sizeof(lt_pair) + sizeof(lt_turn);
    return columns + a_body * collider_count + a_pair * pair_capacity + TAKES * 64;
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

bool lt_broad_begin(lt_broad *broad, const lt_broad_input *input, lt_pair_list *list, lt_arena *arena) {
    uint32_t bodies = input->collider_count, pairs = list->capacity;
    LT_ASSERT(bodies <= SECOND_MASK && input->obstacle_count <= SECOND_MASK);
    *broad = (lt_broad){.input = *input,
                        .list = list,
                        .boxes = LT_TAKE(arena, bodies, lt_box),
                        .strip_ends = LT_TAKE(arena, bodies, uint32_t),
                        .items = LT_TAKE(arena, bodies, lt_broad_item),
                        .hits = LT_TAKE(arena, bodies, uint32_t),
                        .found = LT_TAKE(arena, pairs, uint64_t),
                        .by_second = LT_TAKE(arena, pairs, uint64_t),
                        .ordered = LT_TAKE(arena, pairs, uint64_t),
                        .first_ends = LT_TAKE(arena, bodies, uint32_t),
                        .second_ends = LT_TAKE(arena, bodies, uint32_t),
                        .old_pairs = LT_TAKE(arena, pairs, lt_pair),
                        .old_turns = LT_TAKE(arena, pairs, lt_turn)};
    return take_columns(&broad->sorted, bodies, arena) && broad->boxes && broad->strip_ends && broad->items &&
           broad->hits && broad->found && broad->by_second && broad->ordered && broad->first_ends &&
           broad->second_ends && broad->old_pairs && broad->old_turns;
}

lt_cursor lt_broad_cursor(lt_broad *broad) {
    return (lt_cursor){broad, peek, step};
}
