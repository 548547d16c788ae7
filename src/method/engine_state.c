/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The engine as state: clocks of bodies, then contacts and pairs, each pair with its clock and its front. Trees and boxes are made again. */

#include "method/engine.h"

/* A contact is of a sample, found in a leaf, or a coarse one. */
static bool feature_is_sound(const lt_method_step *world, const lt_contact_record *c) {
    uint32_t points = lt_pair_point_count(&(lt_pair){c->a, c->kind, c->b}, world->colliders);
    if (c->kind == LT_PAIR_SELF) return false;
    uint32_t coarse = c->kind == LT_PAIR_OBSTACLE ? world->colliders[c->a].soft->carrier.node_count
                                                  : (uint32_t)LT_PART_COUNT;
    if (c->touch.point == LT_NONE) /* coarse, or a support */
        return c->feature >= points && c->feature < points + coarse && c->touch.approximate;
    bool second = c->kind == LT_PAIR_BODIES && c->touch.body == c->b;
    uint32_t begin = second ? world->colliders[c->a].skin->point_count : 0;
    return c->feature == begin + c->touch.point && !c->touch.approximate;
}

static void release_pair(void *memory, uint32_t slot) {
    lt_engine *e = memory;
    lt_engine_pair *own = lt_pair_method_of(&e->memory.pairs, slot);
    if (own->roots) lt_front_drop(&e->pool, own->roots);
    own->roots = 0;
}

static void begin_pair(void *memory, uint32_t slot) {
    lt_engine *e = memory;
    lt_engine_pair *own = lt_pair_method_of(&e->memory.pairs, slot);
    const lt_pair *pair = &e->memory.pairs.slots[slot].pair;
    own->level = 1;
    if (pair->kind != LT_PAIR_SELF) own->roots = lt_front_begin(&e->pool, pair);
}

static lt_front_trees trees_of(const lt_engine *e, const lt_pair *pair) {
    const lt_shape_tree *a = &e->bodies[pair->a].shape->tree;
    if (pair->kind == LT_PAIR_OBSTACLE) return (lt_front_trees){{a, a}, {NULL, NULL}};
    const lt_shape_tree *b = &e->bodies[pair->b].shape->tree;
    return (lt_front_trees){{a, b}, {b, a}};
}

static void visit_pair(lt_stream *s, const lt_memory_visit *visit, const lt_pair *pair, lt_turn *turn,
                       void *kept) {
    lt_engine *e = (lt_engine *)visit->memory;
    lt_engine_pair *own = kept;
    bool has_front = own->roots != 0;
    lt_memory_visit_turn(s, pair, turn, &own->has_snapshot, NULL, &turn->harm);
    lt_stream_double(s, &own->base);
    lt_stream_float(s, &own->level);
    lt_stream_expect(s, lt_is_finite(own->level));
    lt_stream_floats(s, &own->from.x, 3);
    lt_stream_bool(s, &has_front);
    lt_stream_expect(s, own->has_snapshot <= 1 && own->base - own->base == 0 && lt_v3_is_finite(own->from));
    lt_stream_expect(s, !has_front || pair->kind != LT_PAIR_SELF);
    if (lt_stream_loads(s) && !has_front && own->roots) { /* there was no room for it */
        lt_front_drop(&e->pool, own->roots);
        own->roots = 0;
    }
    if (!has_front || s->failed) return;
    const lt_front_trees trees = trees_of(e, pair);
    lt_front_visit(s, &e->pool, own->roots, pair, &trees, visit->count);
}

const lt_memory_rules lt_engine_rules = {feature_is_sound, sizeof(lt_engine_pair), visit_pair, begin_pair,
                                         release_pair};

static void visit_clock(lt_stream *s, lt_engine_body *b) {
    double base = b->base;
    lt_stream_double(s, &base);
    bool is_still = b->is_still;
    lt_stream_bool(s, &is_still);
    lt_stream_expect(s, base - base == 0);
    if (lt_stream_loads(s)) {
        b->base = base;
        b->is_still = is_still;
        b->is_read = false;
    }
    for (uint32_t i = 0; i < b->node_count && !s->failed; i++) {
        lt_vec3 draft, *at = LT_STREAM_RECORD(s, (lt_vec3 *)(b->from + 4 * (size_t)i), &draft);
        lt_stream_floats(s, &at->x, 3);
        lt_stream_expect(s, lt_v3_is_finite(*at));
    }
}

static void visit_engine(lt_stream *s, lt_engine *e, const lt_method_step *world) {
    uint32_t step = e->step;
    lt_stream_u32(s, &step);
    if (lt_stream_loads(s)) e->step = step;
    for (uint32_t i = 0; i < e->body_count && !s->failed; i++)
        if (e->bodies[i].shape) visit_clock(s, &e->bodies[i]);
    lt_memory_visit_all(s, &e->memory, world);
}

size_t lt_engine_state_size(const void *state) {
    lt_stream s = lt_stream_measure();
    visit_engine(&s, (lt_engine *)state, NULL); /* only looked at */
    return s.used;
}

void lt_engine_save(const void *state, uint8_t *bytes) {
    lt_stream s = lt_stream_save(bytes, SIZE_MAX); /* the caller has measured */
    visit_engine(&s, (lt_engine *)state, NULL);
}

bool lt_engine_restore(void *state, const uint8_t *bytes, size_t size, const lt_method_step *world) {
    lt_stream check = lt_stream_check(bytes, size, NULL), load = lt_stream_load(bytes, size);
    visit_engine(&check, state, world);
    if (!lt_stream_passed(&check)) return false;
    visit_engine(&load, state, world);
    return true;
}

uint64_t lt_engine_hash(const void *state, uint64_t hash) {
    lt_stream s = lt_stream_hash(hash);
    visit_engine(&s, (lt_engine *)state, NULL); /* only looked at */
    return s.hash;
}

const char *lt_engine_validate(const void *state) {
    const lt_engine *e = state;
    const char *flaw = lt_memory_validate(state);
    for (uint32_t i = 0; i < e->memory.pairs.count && !flaw; i++)
        flaw = lt_validate_front(&e->pool, lt_engine_pair_at(e, i)->roots);
    return flaw;
}
