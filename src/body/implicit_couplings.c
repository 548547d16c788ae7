/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The couplings of an island as its stages look at them: eight at a time, made once a step, given back at its end. See
 * coupling_law.h. */

#include "body/implicit.h"

extern const lt_coupling_kernels lt_coupling_kernels_scalar, lt_coupling_kernels_wide4,
    lt_coupling_kernels_avx2;

const lt_coupling_kernels *lt_coupling_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_coupling_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_coupling_kernels);
    return table[level];
}

/* ---- memory ---- */

static uint32_t most_nodes(const lt_soft *bodies, const uint32_t *indices, uint32_t count) {
    uint32_t most = 4;
    for (uint32_t i = 0; i < count; i++)
        if (bodies[indices[i]].grid) most = LT_ANCHOR_MOST;
    return most;
}

/* Every island may have a group that is not full. */
size_t lt_couplings_scratch(const lt_soft *bodies, const uint32_t *indices, uint32_t count,
                            uint32_t coupling_capacity) {
    size_t slots = 2 * (size_t)most_nodes(bodies, indices, count),
           groups = coupling_capacity / LT_LANES_OF_GROUP + count;
    return groups * (sizeof(lt_coupling_group) + slots * sizeof(lt_coupling_slot)) +
           (groups + coupling_capacity) * sizeof(lt_coupling_run) + 3 * 64 * (size_t)count + 192;
}

/* What a group of so many couplings has of slots. */
typedef struct group_shape {
    uint32_t count, a_slots, b_slots;
} group_shape;

static void add_to_shape(group_shape *shape, const lt_coupling *c) {
    shape->count++;
    shape->a_slots = lt_max_u32(shape->a_slots, c->a.count);
    if (c->member_b != LT_NONE) shape->b_slots = lt_max_u32(shape->b_slots, c->b.count);
}

bool lt_couplings_take(const lt_advance *advance, lt_island *island) {
    lt_coupling_set set = {0};
    group_shape shape = {0};
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &advance->couplings[island->couplings[i]];
        if (!lt_is_implicit_pair(lt_coupling_sides(island, c))) continue;
        add_to_shape(&shape, c);
        set.count++;
        if (shape.count < LT_LANES_OF_GROUP) continue;
        set.slot_count += shape.a_slots + shape.b_slots;
        shape = (group_shape){0};
    }
    set.slot_count += shape.a_slots + shape.b_slots;
    set.group_count = (set.count + LT_LANES_OF_GROUP - 1) / LT_LANES_OF_GROUP;
    set.groups = LT_TAKE(advance->arena, set.group_count, lt_coupling_group);
    set.slots = LT_TAKE(advance->arena, set.slot_count, lt_coupling_slot);
    set.runs = LT_TAKE(advance->arena, set.group_count + set.count, lt_coupling_run);
    island->set = LT_TAKE(advance->arena, 1, lt_coupling_set);
    if (!set.groups || !set.slots || !set.runs || !island->set) return false;
    *island->set = set;
    return true;
}

/* ---- filling ---- */

static void put_anchor(lt_coupling_slot *slots, uint32_t lane, const lt_anchor *anchor, const uint32_t *rows,
                       lt_real sign) {
    for (uint32_t i = 0; i < anchor->count; i++) {
        slots[i].rows[lane] = rows[i];
        slots[i].weights[lane] = sign * anchor->weights[i];
    }
}

static void put_coupling(const lt_implicit *s, lt_coupling_group *g, uint32_t lane, uint32_t index) {
    const lt_coupling *c = &s->advance->couplings[index];
    lt_sides sides = lt_coupling_sides(s->island, c);
    lt_coupling_slot *slots = s->island->set->slots + g->slot_begin;
    bool tether = c->kind == LT_COUPLING_TETHER;
    const lt_rvec3 none = {0, 0, 0};
    lt_real dt = s->advance->dt;
    lt_lanes_set(g->normal, lane, tether ? none : c->normal);
    lt_lanes_set(g->hold, lane, lt_r3_scale(tether ? c->offset : c->stick, dt * c->stiffness));
    lt_lanes_set(g->partner, lane, c->partner_velocity);
    lt_lanes_set(g->arm, lane, lt_r3_sub(lt_coupling_point(c, sides), sides.a->center));
    g->gain[lane] = dt * (dt * c->stiffness + c->damping);
    g->push[lane] = tether ? 0 : dt * c->stiffness * c->depth;
    g->friction[lane] = tether ? LT_NO_LIMIT : c->friction;
    g->couplings[lane] = index;
    put_anchor(slots, lane, &c->a, c->rows_a, 1);
    if (sides.b) put_anchor(slots + g->a_slots, lane, &c->b, c->rows_b, -1);
}

/* Groups without what is in them, and their slots. */
static void lay_out(const lt_implicit *s, const uint32_t *indices) {
    lt_coupling_set *set = s->island->set;
    uint32_t slot = 0;
    for (uint32_t i = 0; i < set->group_count; i++) {
        group_shape shape = {0};
        uint32_t begin = i * LT_LANES_OF_GROUP, end = lt_min_u32(begin + LT_LANES_OF_GROUP, set->count);
        for (uint32_t k = begin; k < end; k++)
            add_to_shape(&shape, &s->advance->couplings[indices[k]]);
        memset(&set->groups[i], 0, sizeof set->groups[i]);
        set->groups[i].count = shape.count;
        set->groups[i].slot_begin = slot;
        set->groups[i].a_slots = shape.a_slots;
        set->groups[i].slot_count = shape.a_slots + shape.b_slots;
        slot += shape.a_slots + shape.b_slots;
    }
    LT_ASSERT(slot == set->slot_count);
    memset(set->slots, 0, slot * sizeof *set->slots);
}

/* Couplings of other kinds of bodies leave the list: [set->count]. */
static uint32_t *list_implicit(const lt_implicit *s) {
    const lt_island *island = s->island;
    uint32_t count = 0;
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[island->couplings[i]];
        if (!lt_is_implicit_pair(lt_coupling_sides(island, c))) continue;
        island->listed[count++] = island->couplings[i];
    }
    LT_ASSERT(count == island->set->count);
    return island->listed;
}

void lt_couplings_fill(const lt_implicit *s) {
    const uint32_t *indices = list_implicit(s);
    lay_out(s, indices);
    for (uint32_t i = 0; i < s->island->set->count; i++)
        put_coupling(s, &s->island->set->groups[i / LT_LANES_OF_GROUP], i % LT_LANES_OF_GROUP, indices[i]);
}

/* ---- giving back ---- */

/* Friction's spring at the end of the step: drag = −(k τ' + c u_t). None where the contact does not push. */
static lt_rvec3 stick_of(const lt_coupling *c, lt_real dt, lt_rvec3 u) {
    const lt_rvec3 none = {0, 0, 0};
    if (c->kind == LT_COUPLING_TETHER) return c->stick;
    if (!(lt_r3_dot(c->normal, c->impulse) > 0) || !(c->stiffness > 0)) return none;
    lt_rvec3 held = lt_r3_mad(lt_r3_scale(lt_across_normal(c->normal, c->impulse), 1 / dt),
                              lt_across_normal(c->normal, u), c->damping);
    return lt_r3_scale(held, -1 / c->stiffness);
}

void lt_couplings_settle(const lt_implicit *s) {
    for (uint32_t i = 0; i < s->island->set->count; i++) {
        const lt_coupling_group *g = &s->island->set->groups[i / LT_LANES_OF_GROUP];
        uint32_t lane = i % LT_LANES_OF_GROUP;
        lt_coupling *c = &s->advance->couplings[g->couplings[lane]];
        c->impulse = lt_lanes_get(g->impulse, lane);
        c->stick = stick_of(c, s->advance->dt, lt_lanes_get(g->u, lane));
    }
}
