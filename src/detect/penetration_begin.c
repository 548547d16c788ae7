/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The collision cycle: its memory, and what it takes over when it begins: who takes part, where their nodes are, how far ahead
 * is looked, who may meet whom (penetration.h has the plan). */

#include "detect/penetration.h"

#include <string.h>

/* ---- memory ---- */

static void free_arrays(lt_cycle *c) {
    const lt_allocator *a = &c->allocator;
    LT_DELETE(a, c->nodes, 4 * (size_t)c->node_capacity, float);
    LT_DELETE(a, c->velocities, 4 * (size_t)c->node_capacity, float);
    LT_DELETE(a, c->points, c->point_capacity, lt_vec3);
    LT_DELETE(a, c->point_velocities, c->point_capacity, lt_vec3);
    LT_DELETE(a, c->middles, c->point_capacity, lt_vec3);
    LT_DELETE(a, c->strays, c->point_capacity, float);
    LT_DELETE(a, c->body_of_point, c->point_capacity, uint32_t);
    LT_DELETE(a, c->first_found, c->point_capacity, uint32_t);
    LT_DELETE(a, c->found, c->found_capacity, lt_found);
    LT_DELETE(a, c->open, c->found_capacity, uint32_t);
    LT_DELETE(a, c->edges, c->edge_capacity, lt_border_edge);
    LT_DELETE(a, c->bodies, c->body_capacity, lt_cycle_body);
    LT_DELETE(a, c->pairs, c->pair_capacity, lt_pair);
    LT_DELETE(a, c->body_of_slot, c->body_capacity, uint32_t);
    LT_DELETE(a, c->partner_begin, (size_t)c->body_capacity + 1, uint32_t);
    LT_DELETE(a, c->partners, 2 * (size_t)c->pair_capacity, uint32_t);
    LT_DELETE(a, c->meets_itself, c->body_capacity, bool);
    lt_cloud_free(&c->near_points);
    for (int i = 0; i < LT_CYCLE_LEVELS; i++)
        lt_cloud_free(&c->paths[i]);
    lt_cloud_free(&c->border_edges);
    lt_cycle_ahead_free(&c->ahead, a);
}

void lt_cycle_free(lt_cycle *cycle) {
    free_arrays(cycle);
    *cycle = (lt_cycle){.phase = LT_CYCLE_DONE};
}

/* Returns how many tets, or triangles, there are. */
static uint32_t count_elements(lt_cycle *c, const lt_collider *colliders, uint32_t collider_count) {
    uint32_t tets = 0, triangles = 0;
    for (uint32_t i = 0; i < collider_count; i++) {
        if (!colliders[i].in_use) continue;
        c->node_capacity += colliders[i].soft->carrier.node_count;
        c->point_capacity += colliders[i].skin->point_count;
        tets += colliders[i].soft->carrier.tet_count;
        triangles += colliders[i].skin->triangle_count;
    }
    return lt_max_u32(tets, triangles);
}

static bool allocate_arrays(lt_cycle *c) {
    const lt_allocator *a = &c->allocator;
    c->nodes = LT_NEW(a, 4 * (size_t)c->node_capacity, float);
    c->velocities = LT_NEW(a, 4 * (size_t)c->node_capacity, float);
    c->points = LT_NEW(a, c->point_capacity, lt_vec3);
    c->point_velocities = LT_NEW(a, c->point_capacity, lt_vec3);
    c->middles = LT_NEW(a, c->point_capacity, lt_vec3);
    c->strays = LT_NEW(a, c->point_capacity, float);
    c->body_of_point = LT_NEW(a, c->point_capacity, uint32_t);
    c->first_found = LT_NEW(a, c->point_capacity, uint32_t);
    c->found = LT_NEW(a, c->found_capacity, lt_found);
    c->open = LT_NEW(a, c->found_capacity, uint32_t);
    c->edges = LT_NEW(a, c->edge_capacity, lt_border_edge);
    c->bodies = LT_NEW(a, c->body_capacity, lt_cycle_body);
    c->pairs = LT_NEW(a, c->pair_capacity, lt_pair);
    c->body_of_slot = LT_NEW(a, c->body_capacity, uint32_t);
    c->partner_begin = LT_NEW(a, (size_t)c->body_capacity + 1, uint32_t);
    c->partners = LT_NEW(a, 2 * (size_t)c->pair_capacity, uint32_t);
    c->meets_itself = LT_NEW(a, c->body_capacity, bool);
    return c->nodes && c->velocities && c->points && c->point_velocities && c->middles && c->strays &&
           c->body_of_point && c->first_found && c->found && c->open && c->edges && c->bodies && c->pairs &&
           c->body_of_slot && c->partner_begin && c->partners && c->meets_itself;
}

/* Edges to points outside are those at the rim of what is inside: not many more than points. */
static bool fits(const lt_cycle *needed, const lt_cycle *c) {
    return needed->node_capacity <= c->node_capacity && needed->point_capacity <= c->point_capacity &&
           needed->body_capacity <= c->body_capacity && needed->found_capacity <= c->found_capacity &&
           c->nodes;
}

/* An obstacle brings pairs alone: the cycle under way goes on. Both arrays or none: they share a capacity. */
static bool grow_pairs(lt_cycle *c, uint32_t capacity, const lt_allocator *allocator) {
    if (capacity <= c->pair_capacity) return true;
    uint32_t *partners = LT_NEW(allocator, 2 * (size_t)capacity, uint32_t);
    lt_pair *pairs = partners ? LT_ENLARGE(allocator, c->pairs, c->pair_capacity, capacity, lt_pair) : NULL;
    if (!pairs) {
        LT_DELETE(allocator, partners, 2 * (size_t)capacity, uint32_t);
        return false;
    }
    memcpy(partners, c->partners, 2 * (size_t)c->pair_capacity * sizeof *partners);
    LT_DELETE(allocator, c->partners, 2 * (size_t)c->pair_capacity, uint32_t);
    c->pairs = pairs;
    c->partners = partners;
    c->pair_capacity = capacity;
    return true;
}

lt_status lt_cycle_reserve(lt_cycle *cycle, const lt_collider *colliders, uint32_t collider_count,
                           uint32_t found_capacity, uint32_t pair_capacity, const lt_allocator *allocator,
                           lt_error *error) {
    lt_cycle made = {.phase = LT_CYCLE_DONE,
                     .allocator = *allocator,
                     .found_capacity = found_capacity,
                     .edge_capacity = 2 * found_capacity,
                     .pair_capacity = pair_capacity,
                     .body_capacity = collider_count};
    uint32_t elements = count_elements(&made, colliders, collider_count);
    lt_status status = LT_OK;
    if (fits(&made, cycle)) {
        if (grow_pairs(cycle, pair_capacity, allocator)) return LT_OK;
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u pairs of a collision cycle", pair_capacity);
    }
    if (!allocate_arrays(&made) || !lt_cycle_ahead_reserve(&made.ahead, elements, allocator))
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for a collision cycle of %u nodes and %u points",
                         made.node_capacity, made.point_capacity);
    if (status == LT_OK) status = lt_cloud_reserve(&made.near_points, made.point_capacity, allocator, error);
    for (int i = 0; i < LT_CYCLE_LEVELS && status == LT_OK; i++)
        status = lt_cloud_reserve(&made.paths[i], made.point_capacity + (i ? 0 : found_capacity), allocator,
                                  error);
    if (status == LT_OK) status = lt_cloud_reserve(&made.border_edges, made.edge_capacity, allocator, error);
    lt_cycle *old = status == LT_OK ? cycle : &made;
    free_arrays(old);
    if (status == LT_OK) *cycle = made;
    return status;
}

/* ---- beginning ---- */

static bool is_faster(const lt_cycle_body *a, const lt_cycle_body *b) {
    return a->speed != b->speed ? a->speed > b->speed : a->slot < b->slot;
}

/* Shell's: in place, and nobody is equal. */
static void sort_by_speed(lt_cycle_body *bodies, uint32_t count) {
    uint32_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            lt_cycle_body b = bodies[i];
            uint32_t at = i;
            for (; at >= gap && is_faster(&b, &bodies[at - gap]); at -= gap)
                bodies[at] = bodies[at - gap];
            bodies[at] = b;
        }
}

/* Bodies of pairs take part, by slot, or the fastest first. */
static void choose_bodies(lt_cycle *c) {
    const lt_cycle_input *in = &c->input;
    for (uint32_t i = 0; i < in->collider_count; i++)
        c->body_of_slot[i] = LT_NONE;
    for (uint32_t i = 0; i < in->pair_count; i++) {
        c->body_of_slot[in->pairs[i].a] = 0;
        if (in->pairs[i].kind == LT_PAIR_BODIES) c->body_of_slot[in->pairs[i].b] = 0;
    }
    c->body_count = 0;
    for (uint32_t i = 0; i < in->collider_count; i++) {
        if (c->body_of_slot[i] == LT_NONE) continue;
        float speed = in->colliders[i].reach / in->dt;
        c->bodies[c->body_count++] =
            (lt_cycle_body){.slot = i, .speed = speed, .velocity = in->colliders[i].velocity};
    }
    if (in->fast_first) sort_by_speed(c->bodies, c->body_count);
    lt_cycle_number(c);
}

/* What is found now has to do until the next cycle is through. */
static float horizon_of(const lt_cycle_input *in) {
    return (float)(2 * lt_max_u32(in->latency, 1) - 1) * in->dt;
}

void lt_cycle_number(lt_cycle *cycle) {
    lt_cycle *c = cycle;
    c->node_count = c->point_count = c->tet_count = c->triangle_count = 0;
    for (uint32_t i = 0; i < c->body_count; i++) {
        lt_cycle_body *b = &c->bodies[i];
        const lt_collider *collider = &c->input.colliders[b->slot];
        c->body_of_slot[b->slot] = i;
        b->first_node = c->node_count;
        b->first_point = c->point_count;
        b->first_tet = c->tet_count;
        b->first_triangle = c->triangle_count;
        c->node_count += collider->soft->carrier.node_count;
        c->point_count += collider->skin->point_count;
        c->tet_count += collider->soft->carrier.tet_count;
        c->triangle_count += collider->skin->triangle_count;
        for (uint32_t k = b->first_point; k < c->point_count; k++)
            c->body_of_point[k] = i;
    }
}

/* How far ahead of a point is looked at most: as far as there are some hundred points of a body like its own on the way, and two
 * edges in any case. In a clump where everything is fast all points would else be asked for by all triangles. */
static float farthest_of(const lt_collider *collider) {
    const double points_on_the_way = 256;
    lt_vec3 size = lt_v3_sub(collider->box.hi, collider->box.lo);
    double volume = (double)size.x * (double)size.y * (double)size.z;
    double cube = volume * points_on_the_way / lt_max_u32(1, collider->skin->point_count);
    double side = lt_max_d(1e-12, (double)lt_max_f(size.x, lt_max_f(size.y, size.z)));
    for (int i = 0; i < 24; i++)
        side -= (side - cube / (side * side)) / 3; /* Newton, towards the cube root */
    return lt_max_f((float)side, 2 * (float)collider->soft->mean_edge);
}

static void bound_bodies(lt_cycle *c) {
    for (uint32_t i = 0; i < c->body_count; i++) {
        lt_cycle_body *b = &c->bodies[i];
        const lt_collider *collider = &c->input.colliders[b->slot];
        b->skin = lt_cycle_skin(collider);
        b->farthest = farthest_of(collider);
        b->margin = b->skin + (1 + LT_CYCLE_MORE) * c->horizon * b->speed;
        b->box = lt_box_inflate(collider->box, lt_max_f(b->margin, lt_cycle_growth(c, b)));
    }
}

static uint32_t copy_nodes(lt_cycle *c) {
    for (uint32_t i = 0; i < c->body_count; i++) {
        const lt_soft *soft = c->input.colliders[c->bodies[i].slot].soft;
        size_t begin = 4 * (size_t)c->bodies[i].first_node,
               size = 4 * (size_t)soft->carrier.node_count * sizeof(float);
        memcpy(c->nodes + begin, soft->nodes, size);
        if (!c->input.live) memcpy(c->velocities + begin, soft->node_velocities, size);
    }
    return 1 + c->node_count / 4;
}

uint32_t lt_cycle_refresh(lt_cycle *cycle) {
    lt_cycle *c = cycle;
    uint32_t cost = copy_nodes(c);
    lt_cycle_ahead_forget(&c->ahead);
    for (uint32_t i = 0; i < c->body_count; i++) {
        const lt_cycle_body *b = &c->bodies[i];
        const lt_skin *skin = c->input.colliders[b->slot].skin;
        lt_embed_positions(c->input.kernels, c->points + b->first_point, skin,
                           c->nodes + 4 * (size_t)b->first_node, 0, skin->point_count);
    }
    return cost + c->point_count;
}

/* Pairs of bodies and of bodies with themselves, as lists of partners by body. */
void lt_cycle_partner(lt_cycle *cycle) {
    lt_cycle *c = cycle;
    c->pair_count = lt_min_u32(c->input.pair_count, c->pair_capacity);
    if (c->input.pairs != c->pairs) memcpy(c->pairs, c->input.pairs, c->pair_count * sizeof *c->pairs);
    c->input.pairs = c->pairs;
    memset(c->partner_begin, 0, ((size_t)c->body_count + 1) * sizeof *c->partner_begin);
    memset(c->meets_itself, 0, c->body_count * sizeof *c->meets_itself);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < c->pair_count; i++) {
            const lt_pair *p = &c->pairs[i];
            if (p->kind == LT_PAIR_OBSTACLE) continue;
            uint32_t a = c->body_of_slot[p->a], b = c->body_of_slot[p->b];
            if (a == b && !c->bodies[a].folds) continue;
            c->meets_itself[a] |= a == b;
            if (pass == 0) {
                c->partner_begin[a]++;
                if (a != b) c->partner_begin[b]++;
            } else {
                c->partners[--c->partner_begin[a]] = b;
                if (a != b) c->partners[--c->partner_begin[b]] = a;
            }
        }
        uint32_t sum = 0;
        for (uint32_t i = 0; pass == 0 && i <= c->body_count; i++) {
            sum += c->partner_begin[i];
            c->partner_begin[i] = sum;
        }
    }
}

static uint32_t find_folds(lt_cycle *c) {
    uint32_t cost = 0;
    for (uint32_t i = 0; i < c->input.pair_count; i++) {
        if (c->input.pairs[i].kind != LT_PAIR_SELF) continue;
        lt_cycle_body *b = &c->bodies[c->body_of_slot[c->input.pairs[i].a]];
        b->folds = lt_cycle_may_fold(c, b);
        cost += c->input.colliders[b->slot].soft->carrier.node_count;
    }
    return cost;
}

uint32_t lt_cycle_take_over(lt_cycle *cycle, const lt_cycle_input *input) {
    lt_cycle *c = cycle;
    c->input = *input;
    choose_bodies(c);
    c->horizon = horizon_of(input);
    bound_bodies(c);
    uint32_t cost = input->live ? lt_cycle_refresh(c) : copy_nodes(c);
    cost += find_folds(c);
    lt_cycle_partner(c);
    return cost + input->collider_count / 8 + input->pair_count;
}
