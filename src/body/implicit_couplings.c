/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The couplings of an island as its stages look at them: eight at a time, made once a step, given back at its end. See
 * coupling_law.h.
 *
 * In a whole step that is a coupling both of whose sides are moved by the stages. In the rest of a step whose sub-steps were cut it is one
 * of whose sides either is: the other is an implicit body, which has not moved yet and counts as of infinite mass. Where that is
 * side a, the coupling is that of side b, with all directions turned. */

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
    for (uint32_t i = 0; i < count; i++) {
        const lt_soft *soft = &bodies[indices[i]];
        most = lt_max_u32(most, soft->grid ? LT_ANCHOR_MOST : lt_model_is_of_cells(soft->model) ? 8 : 4);
    }
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

/* For all couplings of the island: which of them are there is known when they are filled. */
bool lt_couplings_take(const lt_advance *advance, lt_island *island) {
    uint32_t most = 0, groups = (island->coupling_count + LT_LANES_OF_GROUP - 1) / LT_LANES_OF_GROUP;
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &advance->couplings[island->couplings[i]];
        most = lt_max_u32(most, lt_max_u32(c->a.count, c->member_b == LT_NONE ? 0 : c->b.count));
    }
    lt_coupling_set set = {.slot_capacity = 2 * most * groups};
    set.groups = LT_TAKE(advance->arena, groups, lt_coupling_group);
    set.slots = LT_TAKE(advance->arena, set.slot_capacity, lt_coupling_slot);
    set.runs = LT_TAKE(advance->arena, (size_t)groups + island->coupling_count, lt_coupling_run);
    island->set = LT_TAKE(advance->arena, 1, lt_coupling_set);
    if (!set.groups || !set.slots || !set.runs || !island->set) return false;
    *island->set = set;
    return true;
}

/* ---- filling ---- */

lt_sides lt_staged_sides(const lt_island *island, const lt_coupling *c) {
    lt_sides sides = lt_coupling_sides(island, c);
    if (!lt_is_implicit(sides.a)) return (lt_sides){sides.b, NULL};
    return (lt_sides){sides.a, lt_is_implicit(sides.b) ? sides.b : NULL};
}

/* Directions are those of side b. */
static bool is_turned(const lt_island *island, const lt_coupling *c) {
    return !lt_is_implicit(lt_coupling_sides(island, c).a);
}

static bool is_staged(const lt_implicit *s, lt_sides sides) {
    return lt_is_implicit_pair(sides) ||
           (s->elapsed > 0 && (lt_is_implicit(sides.a) || lt_is_implicit(sides.b)));
}

static void put_anchor(lt_coupling_slot *slots, uint32_t lane, const lt_anchor *anchor, const uint32_t *rows,
                       lt_real sign) {
    LT_ASSERT(lane < LT_LANES_OF_GROUP && anchor->count <= LT_ANCHOR_MOST);
    for (uint32_t i = 0; i < anchor->count; i++) {
        slots[i].rows[lane] = rows[i];
        slots[i].weights[lane] = sign * anchor->weights[i];
    }
}

/* The law at the end of sub-steps, of the sides that go on. `stick` is that of now. */
static void move_law(const lt_implicit *s, lt_coupling_group *g, uint32_t lane, const lt_coupling *c,
                     lt_sides sides) {
    lt_real push = s->advance->dt * c->stiffness_used;
    lt_rvec3 moved = lt_coupling_displacement(c, sides, s->elapsed), hold = lt_lanes_get(g->hold, lane),
             partner = lt_lanes_get(g->partner, lane);
    if (c->kind == LT_COUPLING_TETHER)
        hold = lt_r3_mad(hold, moved, push);
    else
        g->push[lane] -= push * lt_r3_dot(c->normal, moved);
    if (sides.b && !lt_is_implicit(sides.b))
        partner = lt_r3_add(partner, lt_anchor_gather(&c->b, sides.b->soft->v));
    if (!lt_is_implicit(sides.a)) {
        partner = lt_r3_sub(lt_anchor_gather(&c->a, sides.a->soft->v), partner);
        lt_lanes_set(g->normal, lane, lt_r3_neg(lt_lanes_get(g->normal, lane)));
        hold = lt_r3_neg(hold);
    }
    lt_lanes_set(g->hold, lane, hold);
    lt_lanes_set(g->partner, lane, partner);
}

/* From the centre of the first side that takes part; the point is in the frame of side a. */
static lt_rvec3 arm_of(const lt_coupling *c, lt_sides sides, lt_sides of) {
    lt_rvec3 point = lt_coupling_point(c, sides);
    return lt_r3_sub(lt_soft_seen_from(of.a->soft, sides.a->soft, point), of.a->center);
}

static void put_coupling(const lt_implicit *s, lt_coupling_group *g, uint32_t lane, uint32_t index) {
    const lt_coupling *c = &s->advance->couplings[index];
    lt_sides sides = lt_coupling_sides(s->island, c), of = lt_staged_sides(s->island, c);
    lt_coupling_slot *slots = s->island->set->slots + g->slot_begin;
    bool tether = c->kind == LT_COUPLING_TETHER;
    const lt_rvec3 none = {0, 0, 0};
    lt_real dt = s->advance->dt;
    LT_ASSERT(of.a && lane < g->count);
    lt_lanes_set(g->normal, lane, tether ? none : c->normal);
    lt_lanes_set(g->hold, lane, lt_r3_scale(tether ? c->offset : c->stick, dt * c->stiffness_used));
    lt_lanes_set(g->partner, lane, c->partner_velocity);
    lt_lanes_set(g->arm, lane, arm_of(c, sides, of));
    g->gain[lane] = dt * (dt * c->stiffness_used + c->damping_used);
    g->push[lane] = tether ? 0 : dt * c->stiffness_used * c->depth;
    g->friction[lane] = tether ? LT_NO_LIMIT : c->friction;
    g->couplings[lane] = index;
    if (s->elapsed > 0) move_law(s, g, lane, c, sides);
    if (is_turned(s->island, c))
        put_anchor(slots, lane, &c->b, c->rows_b, 1);
    else
        put_anchor(slots, lane, &c->a, c->rows_a, 1);
    if (of.b) put_anchor(slots + g->a_slots, lane, &c->b, c->rows_b, -1);
}

static void add_to_shape(const lt_implicit *s, lt_coupling_group *g, uint32_t index) {
    const lt_coupling *c = &s->advance->couplings[index];
    uint32_t first = is_turned(s->island, c) ? c->b.count : c->a.count;
    uint32_t second = lt_staged_sides(s->island, c).b ? c->b.count : 0;
    LT_ASSERT(first > 0 && g->count < LT_LANES_OF_GROUP);
    uint32_t b_slots = lt_max_u32(g->slot_count - g->a_slots, second);
    g->a_slots = lt_max_u32(g->a_slots, first);
    g->slot_count = g->a_slots + b_slots;
    g->count++;
}

/* Groups without what is in them, and their slots. */
static void lay_out(const lt_implicit *s, const uint32_t *indices) {
    lt_coupling_set *set = s->island->set;
    uint32_t slot = 0;
    set->group_count = (set->count + LT_LANES_OF_GROUP - 1) / LT_LANES_OF_GROUP;
    for (uint32_t i = 0; i < set->group_count; i++) {
        lt_coupling_group *g = &set->groups[i];
        uint32_t begin = i * LT_LANES_OF_GROUP, end = lt_min_u32(begin + LT_LANES_OF_GROUP, set->count);
        memset(g, 0, sizeof *g);
        for (uint32_t k = begin; k < end; k++)
            add_to_shape(s, g, indices[k]);
        g->slot_begin = slot;
        slot += g->slot_count;
    }
    LT_ASSERT(slot <= set->slot_capacity);
    memset(set->slots, 0, slot * sizeof *set->slots);
}

void lt_couplings_fill(const lt_implicit *s) {
    lt_island *island = s->island;
    lt_coupling_set *set = island->set;
    set->count = 0;
    for (uint32_t i = 0; i < island->coupling_count; i++) {
        const lt_coupling *c = &s->advance->couplings[island->couplings[i]];
        if (is_staged(s, lt_coupling_sides(island, c))) island->listed[set->count++] = island->couplings[i];
    }
    lay_out(s, island->listed);
    for (uint32_t i = 0; i < set->count; i++)
        put_coupling(s, &set->groups[i / LT_LANES_OF_GROUP], i % LT_LANES_OF_GROUP, island->listed[i]);
}

/* ---- giving back ---- */

/* Friction's spring at the end of the step: drag = −(k τ' + c u_t). None where the contact does not push. */
static lt_rvec3 stick_of(const lt_coupling *c, lt_rvec3 impulse, lt_real dt, lt_rvec3 u) {
    const lt_rvec3 none = {0, 0, 0};
    if (c->kind == LT_COUPLING_TETHER) return c->stick;
    if (!(lt_r3_dot(c->normal, impulse) > 0) || !(c->stiffness_used > 0)) return none;
    lt_rvec3 held = lt_r3_mad(lt_r3_scale(lt_across_normal(c->normal, impulse), 1 / dt),
                              lt_across_normal(c->normal, u), c->damping_used);
    return lt_r3_scale(held, -1 / c->stiffness_used);
}

/* What sides that wait get besides the impulse at their own point. */
static void hand_over_moment(const lt_implicit *s, const lt_coupling *c, lt_rvec3 impulse) {
    lt_sides sides = lt_coupling_sides(s->island, c);
    lt_rvec3 point = lt_coupling_point(c, sides);
    if (!lt_is_implicit(sides.a)) lt_coupling_add_moment(sides.a, &c->a, point, impulse, 1);
    if (sides.b && !lt_is_implicit(sides.b))
        lt_coupling_add_moment(sides.b, &c->b, lt_soft_seen_from(sides.b->soft, sides.a->soft, point),
                               lt_r3_neg(impulse), 1);
}

/* What the spring of a contact does over the step. What its damper and friction take is lost, and no spring gives it back. */
static lt_real spring_work(const lt_coupling *c, lt_rvec3 impulse, lt_real dt, lt_rvec3 u) {
    lt_real along = lt_r3_dot(c->normal, u), push = lt_r3_dot(c->normal, impulse);
    if (c->kind == LT_COUPLING_TETHER || !(push > 0)) return 0;
    return (push + dt * c->damping_used * along) * along;
}

void lt_couplings_settle(const lt_implicit *s) {
    for (uint32_t i = 0; i < s->island->set->count; i++) {
        const lt_coupling_group *g = &s->island->set->groups[i / LT_LANES_OF_GROUP];
        uint32_t lane = i % LT_LANES_OF_GROUP;
        lt_coupling *c = &s->advance->couplings[g->couplings[lane]];
        lt_rvec3 impulse = lt_lanes_get(g->impulse, lane), u = lt_lanes_get(g->u, lane);
        if (is_turned(s->island, c)) {
            impulse = lt_r3_neg(impulse);
            u = lt_r3_neg(u);
        }
        c->work = spring_work(c, impulse, s->advance->dt, u);
        c->stick = stick_of(c, impulse, s->advance->dt, u);
        if (s->elapsed > 0) {
            hand_over_moment(s, c, impulse);
            impulse = lt_r3_add(c->impulse, impulse);
        }
        c->impulse = impulse;
    }
}
