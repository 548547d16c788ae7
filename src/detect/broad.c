/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Broad phase: who could touch whom. */

#include "detect/detect.h"

#include <string.h>

/* In this order pairs are found, so that at the capacity the floor goes last: what falls through it is lost. */
enum { PHASE_BOXES, PHASE_OBSTACLES, PHASE_HASH, PHASE_PAIRS, PHASE_SELF, PHASE_MERGE, PHASE_DONE };
enum { PAIR_BATCH = 32 };

uint32_t lt_pair_point_count(const lt_pair *pair, const lt_collider *colliders) {
    uint32_t count = colliders[pair->a].skin->point_count;
    return pair->kind == LT_PAIR_BODIES ? count + colliders[pair->b].skin->point_count : count;
}

static bool wants(uint32_t group_a, uint32_t mask_a, uint32_t group_b, uint32_t mask_b) {
    return (group_a & mask_b) != 0 && (group_b & mask_a) != 0;
}

static void add_found(lt_broad *b, uint32_t first, lt_pair_kind kind, uint32_t second) {
    if (b->found_count == b->list->capacity) {
        b->dropped++;
        return;
    }
    b->found[b->found_count++] = (lt_pair){.a = first, .kind = kind, .b = second};
}

static void add_body_pair(lt_broad *b, lt_spatial_pair pair) {
    uint32_t first = lt_min_u32(pair.a, pair.b), second = lt_max_u32(pair.a, pair.b);
    const lt_collider *ca = &b->input.colliders[first], *cb = &b->input.colliders[second];
    if (ca->asleep && cb->asleep) return; /* their contacts rest as they do */
    if (wants(ca->group, ca->mask, cb->group, cb->mask)) add_found(b, first, LT_PAIR_BODIES, second);
}

/* Boxes of bodies as the hash wants them, and a cell as large as they are on average. */
static uint32_t step_boxes(lt_broad *b) {
    double size = 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < b->input.collider_count; i++) {
        const lt_collider *c = &b->input.colliders[i];
        b->boxes[i] = c->in_use ? lt_box_inflate(c->box, c->reach) : lt_box_empty();
        if (!c->in_use) continue;
        size += (double)lt_v3_length(lt_v3_sub(c->box.hi, c->box.lo));
        used++;
    }
    float cell = used && size > 0 ? (float)(size / used) : 1;
    lt_spatial_input input = {
        .boxes = b->boxes, .item_count = b->input.collider_count, .cell_size = cell, .cell_limit = 64};
    lt_spatial_hash_begin(b->hash, &input);
    b->phase = PHASE_OBSTACLES;
    return 1 + b->input.collider_count;
}

static uint32_t step_hash(lt_broad *b, uint32_t grant) {
    uint32_t cost = lt_spatial_hash_step(b->hash, grant / LT_SPATIAL_HASH_ELEMENT_UNITS);
    if (lt_spatial_hash_is_done(b->hash)) {
        lt_spatial_pairs_begin(&b->pairs, b->hash);
        b->phase = PHASE_PAIRS;
    }
    return lt_max_u32(cost, 1);
}

static uint32_t step_pairs(lt_broad *b, uint32_t grant) {
    lt_spatial_pair batch[PAIR_BATCH];
    uint32_t count = 0;
    uint32_t cost = lt_spatial_pairs_step(&b->pairs, b->hash, grant / LT_SPATIAL_PAIRS_ELEMENT_UNITS, batch,
                                          PAIR_BATCH, &count);
    for (uint32_t i = 0; i < count; i++)
        add_body_pair(b, batch[i]);
    if (b->pairs.done) b->phase = PHASE_SELF;
    return lt_max_u32(cost, 1);
}

/* One body against all obstacles. */
static uint32_t step_obstacles(lt_broad *b) {
    if (b->next == b->input.collider_count) {
        b->phase = PHASE_HASH;
        return 1;
    }
    uint32_t body = b->next++;
    const lt_collider *c = &b->input.colliders[body];
    if (!c->in_use || c->asleep) return 1;
    for (uint32_t i = 0; i < b->input.obstacle_count; i++) {
        const lt_obstacle *o = &b->input.obstacles[i];
        if (!o->in_use || !wants(c->group, c->mask, o->group, o->mask)) continue;
        float margin = c->reach + lt_obstacle_sweep(o, c->box, b->input.dt) + 0.02f * (float)c->soft->size;
        if (lt_obstacle_may_touch(o, c->box, margin)) add_found(b, body, LT_PAIR_OBSTACLE, i);
    }
    return 1 + b->input.obstacle_count;
}

static uint32_t step_self(lt_broad *b) {
    for (uint32_t i = 0; i < b->input.collider_count && b->input.self_collision; i++) {
        const lt_collider *c = &b->input.colliders[i];
        if (c->in_use && !c->asleep && c->self_collision) add_found(b, i, LT_PAIR_SELF, i);
    }
    b->phase = PHASE_MERGE;
    return 1 + b->input.collider_count;
}

static int compare_pairs(const lt_pair *x, const lt_pair *y) {
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static void sift_down(lt_pair *pairs, uint32_t at, uint32_t count) {
    for (uint32_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        if (child + 1 < count && compare_pairs(&pairs[child], &pairs[child + 1]) < 0) child++;
        if (compare_pairs(&pairs[at], &pairs[child]) >= 0) return;
        lt_pair swap = pairs[at];
        pairs[at] = pairs[child];
        pairs[child] = swap;
    }
}

/* Heap sort: in place, no worst case, no allocation. */
static void sort_pairs(lt_pair *pairs, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(pairs, i, count);
    for (uint32_t end = count; end-- > 1;) {
        lt_pair swap = pairs[0];
        pairs[0] = pairs[end];
        pairs[end] = swap;
        sift_down(pairs, 0, end);
    }
}

/* Pairs that were there before keep their turn and progress; new ones begin a round of their own. */
static void merge(lt_broad *b) {
    lt_pair_list *list = b->list;
    sort_pairs(b->found, b->found_count);
    for (uint32_t i = 0, old = 0; i < b->found_count; i++) {
        while (old < list->count && compare_pairs(&list->pairs[old], &b->found[i]) < 0)
            old++;
        b->found_turns[i] = (lt_turn){0};
        if (old < list->count && compare_pairs(&list->pairs[old], &b->found[i]) == 0) {
            b->found[i] = list->pairs[old];
            b->found_turns[i] = list->turns[old];
        }
    }
    memcpy(list->pairs, b->found, b->found_count * sizeof *list->pairs);
    memcpy(list->turns, b->found_turns, b->found_count * sizeof *list->turns);
    list->count = b->found_count;
    list->dropped = b->dropped;
}

static lt_piece peek(const void *state) {
    const lt_broad *b = state;
    uint32_t cost = 0;
    switch (b->phase) {
    case PHASE_BOXES:
    case PHASE_SELF: cost = 1 + b->input.collider_count; break;
    case PHASE_HASH: cost = LT_SPATIAL_HASH_ELEMENT_UNITS; break;
    case PHASE_PAIRS: cost = LT_SPATIAL_PAIRS_ELEMENT_UNITS; break;
    case PHASE_OBSTACLES: cost = 1 + b->input.obstacle_count; break;
    case PHASE_MERGE: cost = 1 + b->found_count + b->list->count; break;
    default: break;
    }
    return (lt_piece){LT_WORK_BROAD, cost, 0};
}

static uint32_t step(void *state, uint32_t grant) {
    lt_broad *b = state;
    uint32_t cost;
    switch (b->phase) {
    case PHASE_BOXES: return step_boxes(b);
    case PHASE_HASH: return step_hash(b, grant);
    case PHASE_PAIRS: return step_pairs(b, grant);
    case PHASE_OBSTACLES: return step_obstacles(b);
    case PHASE_SELF: return step_self(b);
    default:
        cost = 1 + b->found_count + b->list->count;
        merge(b);
        b->phase = PHASE_DONE;
        return cost;
    }
}

size_t lt_broad_scratch(uint32_t collider_count, uint32_t pair_capacity) {
    return sizeof(lt_box) * collider_count + (sizeof(lt_pair) + sizeof(lt_turn)) * (size_t)pair_capacity +
           4 * 64;
}

bool lt_broad_begin(lt_broad *broad, const lt_broad_input *input, lt_pair_list *list, lt_spatial_hash *hash,
                    lt_arena *arena) {
    *broad = (lt_broad){.input = *input, .list = list, .hash = hash};
    broad->boxes = LT_TAKE(arena, input->collider_count, lt_box);
    broad->found = LT_TAKE(arena, list->capacity, lt_pair);
    broad->found_turns = LT_TAKE(arena, list->capacity, lt_turn);
    return broad->boxes && broad->found && broad->found_turns;
}

lt_cursor lt_broad_cursor(lt_broad *broad) {
    return (lt_cursor){broad, peek, step};
}
