/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The collision cycle: its memory, its beginning, and the cursor (penetration.h has the plan). What tets and triangles find is
 * in penetration_query.c, depths are in penetration_depth.c, what is done ahead of the cursor in penetration_ahead.c. */

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
    if (made.node_capacity <= cycle->node_capacity && made.point_capacity <= cycle->point_capacity &&
        made.body_capacity <= cycle->body_capacity && cycle->nodes)
        return LT_OK;
    lt_status status = LT_OK;
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

float lt_cycle_growth(const lt_cycle *cycle, const lt_cycle_body *body) {
    const lt_cycle_input *in = &cycle->input;
    return in->live ? 1.5f * (float)lt_max_u32(in->latency, 1) * body->speed * in->dt : 0;
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

static void settle_phase(lt_cycle *c);

uint32_t lt_cycle_begin(lt_cycle *cycle, const lt_cycle_input *input) {
    lt_cycle *c = cycle;
    c->input = *input;
    choose_bodies(c);
    c->horizon = horizon_of(input);
    bound_bodies(c);
    uint32_t cost = input->live ? lt_cycle_refresh(c) : copy_nodes(c);
    cost += find_folds(c);
    lt_cycle_partner(c);
    c->found_count = c->inside_end = c->inside_count = c->obstacle_count = c->dropped_count = 0;
    c->edge_count = 0;
    c->open_count = c->reached = c->layer = 0;
    c->element_count = c->later_elements = 0;
    c->phase = c->body_count ? LT_CYCLE_EMBED : LT_CYCLE_DONE;
    c->next = c->sub = c->body = 0;
    c->walk = (lt_cloud_walk){0, 0};
    c->marks = c->level = 0;
    lt_cycle_ahead_forget(&c->ahead);
    c->ahead.most = 0;
    settle_phase(c);
    return cost + input->collider_count / 8 + input->pair_count;
}

/* ---- what the phases ask ---- */

static const lt_collider *collider_of(const lt_cycle *c, const lt_cycle_body *b) {
    return &c->input.colliders[b->slot];
}

/* Moves on to the body that the next point belongs to. */
static const lt_cycle_body *body_at_next(lt_cycle *c) {
    while (c->body + 1 < c->body_count && c->bodies[c->body + 1].first_point <= c->next)
        c->body++;
    return &c->bodies[c->body];
}

bool lt_cycle_near_a_partner(const lt_cycle *cycle, uint32_t body, lt_box box) {
    for (uint32_t i = cycle->partner_begin[body]; i < cycle->partner_begin[body + 1]; i++)
        if (lt_box_overlap(cycle->bodies[cycle->partners[i]].box, box)) return true;
    return false;
}

lt_found *lt_cycle_add(lt_cycle *cycle, const lt_found *found) {
    lt_cycle *c = cycle;
    if (c->found_count == c->found_capacity) {
        c->dropped_count++;
        return NULL;
    }
    c->found[c->found_count] = *found;
    return &c->found[c->found_count++];
}

/* ---- phases ---- */

enum { POINTS_A_PIECE = 64, HASH_ELEMENTS_A_PIECE = 64, UNITS_A_POINT = 2 };

/* The velocity that leads, in the horizon, to where a point may be: that of its body on the whole lasts, swinging and turning
 * beside it for one step only. Blades of grass that whip would else be everywhere. */
static lt_vec3 lasting_velocity(const lt_cycle *c, const lt_cycle_body *b, lt_vec3 v) {
    const float swing_steps = 1;
    float share = lt_min_f(1, swing_steps * c->input.dt / c->horizon);
    lt_vec3 lasting = lt_v3_mad(b->velocity, lt_v3_sub(v, b->velocity), share);
    float way = c->horizon * lt_v3_length(lasting);
    return way > b->farthest ? lt_v3_scale(lasting, b->farthest / way) : lasting;
}

static void embed_piece(lt_cycle *c) {
    const lt_cycle_body *b = body_at_next(c);
    const lt_skin *skin = collider_of(c, b)->skin;
    uint32_t begin = c->next - b->first_point, end = lt_min_u32(begin + POINTS_A_PIECE, skin->point_count);
    lt_embed_positions(c->input.kernels, c->points + b->first_point, skin,
                       c->nodes + 4 * (size_t)b->first_node, begin, end);
    /* Of a link that of the point that it turns around. */
    c->input.kernels->barycentric(c->point_velocities + b->first_point, skin,
                                  c->velocities + 4 * (size_t)b->first_node, begin, end);
    for (uint32_t i = b->first_point + begin; i < b->first_point + end; i++)
        c->point_velocities[i] = lasting_velocity(c, b, c->point_velocities[i]);
    c->next = b->first_point + end;
}

/* A point of a body against an obstacle, as it was: response looks at where it is. */
static void meet_obstacle(lt_cycle *c) {
    const lt_pair *p = &c->pairs[c->next];
    const lt_cycle_body *b = &c->bodies[c->body_of_slot[p->a]];
    uint32_t point = b->first_point + c->sub++;
    const lt_obstacle *o = &c->input.obstacles[p->b];
    lt_obstacle_hit hit = lt_obstacle_distance(o, c->points[point]);
    float margin = b->skin + c->horizon / c->input.dt * lt_obstacle_sweep(o, b->box, c->input.dt);
    /* As it was told in mode paper, where velocities are not copied: as fast as anything of the body. */
    lt_vec3 v = c->input.live ? lt_v3_scale(hit.normal, -b->speed) : c->point_velocities[point];
    if (hit.distance < margin + c->horizon * lt_cycle_haste(v, hit.normal))
        lt_cycle_add(c, &(lt_found){.point = point,
                                    .other = p->b,
                                    .tet = LT_NONE,
                                    .normal = hit.normal,
                                    .depth = -hit.distance,
                                    .next = LT_NONE,
                                    .status = LT_FOUND_OBSTACLE});
    if (c->sub == collider_of(c, b)->skin->point_count) c->next++, c->sub = 0;
}

/* Cells somewhat larger than the edges of the tets: what asks is about as large. From 1 to 2.2 times it makes no difference. */
static float cell_size_of(const lt_cycle *c) {
    double sum = 0, count = 0;
    for (uint32_t i = 0; i < c->body_count; i++) {
        const lt_soft *soft = collider_of(c, &c->bodies[i])->soft;
        sum += soft->carrier.tet_count * (double)soft->mean_edge;
        count += soft->carrier.tet_count;
    }
    return count > 0 ? (float)(1.5 * sum / count) : 0;
}

/* Points that no partner's box comes near are left out. */
static void choose_points(lt_cycle *c) {
    const lt_cycle_body *b = body_at_next(c);
    uint32_t end = b->first_point + collider_of(c, b)->skin->point_count;
    float reach = lt_cycle_growth(c, b);
    end = lt_min_u32(end, c->next + POINTS_A_PIECE);
    for (; c->next < end; c->next++) {
        lt_vec3 p = c->points[c->next];
        c->first_found[c->next] = LT_NONE;
        if (lt_cycle_near_a_partner(c, c->body, lt_box_inflate((lt_box){p, p}, reach)))
            lt_cloud_add(&c->near_points, c->next, c->body, p, reach);
    }
}

static uint32_t level_of(const lt_cycle *c, float reach) {
    uint32_t level = LT_CYCLE_SLOW;
    for (float longest = c->cell_size; level + 1 < LT_CYCLE_LEVELS && reach > longest; longest *= 4)
        level++;
    return level;
}

/* From half-way everything that a point may come to is as far as half of its way, and what it may stray. */
static void add_path(lt_cycle *c, const lt_cycle_body *b, uint32_t point) {
    lt_vec3 v = c->point_velocities[point], middle = lt_v3_mad(c->points[point], v, 0.5f * c->horizon);
    float stray = (0.5f + LT_CYCLE_MORE) * c->horizon * lt_v3_length(v), reach = b->skin + stray;
    c->middles[point] = middle;
    c->strays[point] = stray;
    if (lt_cycle_near_a_partner(c, c->body, lt_box_inflate((lt_box){middle, middle}, reach)))
        lt_cloud_add(&c->paths[level_of(c, reach)], point, c->body, middle, reach);
}

/* What is inside looks for the surface that it came through. */
static void choose_paths(lt_cycle *c) {
    const lt_cycle_body *b = body_at_next(c);
    uint32_t end = b->first_point + collider_of(c, b)->skin->point_count;
    end = lt_min_u32(end, c->next + POINTS_A_PIECE);
    for (; c->next < end; c->next++) {
        add_path(c, b, c->next);
        for (uint32_t i = c->first_found[c->next]; i != LT_NONE; i = c->found[i].next)
            if (c->found[i].nearest_squared > 0)
                lt_cloud_add(&c->paths[LT_CYCLE_INSIDE], c->next, c->found[i].other, c->points[c->next],
                             (float)sqrt(c->found[i].nearest_squared));
    }
}

/* ---- the cursor ---- */

static void end_query(lt_cycle *c) {
    c->inside_end = c->found_count;
    c->inside_count = c->found_count - c->obstacle_count;
}

static void begin_edges(lt_cycle *c) {
    lt_cloud_clear(&c->border_edges);
    for (uint32_t i = 0; i < c->body_count; i++)
        c->bodies[i].edges = lt_box_empty();
}

/* By its middle; of the kind of what it pierces. Live: of a point that has come out since, none. */
static void add_edge(lt_cycle *c, uint32_t edge) {
    const lt_border_edge *e = &c->edges[edge];
    const lt_found *f = &c->found[e->found];
    if (f->status == LT_FOUND_GONE) return;
    lt_vec3 p = c->points[f->point], q = c->points[e->to], d = lt_v3_sub(p, q);
    float growth = lt_cycle_growth(c, &c->bodies[c->body_of_point[f->point]]);
    float half = 0.5f * lt_max_f(fabsf(d.x), lt_max_f(fabsf(d.y), fabsf(d.z)));
    lt_box box = lt_box_inflate(lt_box_add_point((lt_box){p, p}, q), growth);
    lt_box *all = &c->bodies[f->other].edges;
    *all = lt_box_union(*all, box);
    lt_cloud_add(&c->border_edges, edge, f->other, lt_v3_scale(lt_v3_add(p, q), 0.5f),
                 1.0001f * half + growth);
}

/* All of them first, then the hash; `sub` says that it has begun. */
static void add_edges(lt_cycle *c) {
    uint32_t end = lt_min_u32(c->edge_count, c->next + HASH_ELEMENTS_A_PIECE);
    while (c->next < end)
        add_edge(c, c->next++);
    if (c->next < c->edge_count) return;
    lt_cloud_begin(&c->border_edges, c->cell_size, c->input.function);
    c->sub = 1;
}

static bool is_open(const lt_found *f) {
    return f->layer == LT_NONE && f->status != LT_FOUND_GONE;
}

static void begin_spread(lt_cycle *c) {
    c->open_count = 0;
    c->layer = c->reached = 0;
    for (uint32_t i = c->obstacle_count; i < c->inside_end; i++)
        if (is_open(&c->found[i])) c->open[c->open_count++] = i;
}

static void begin_paths(lt_cycle *c) {
    float cell = c->cell_size;
    lt_cloud_begin(&c->paths[LT_CYCLE_INSIDE], cell, c->input.function);
    for (int i = LT_CYCLE_SLOW; i < LT_CYCLE_LEVELS; i++, cell *= 4)
        lt_cloud_begin(&c->paths[i], cell, c->input.function);
}

/* The first that is not sorted yet; NULL: all are. */
static lt_cloud *unsorted_paths(const lt_cycle *c) {
    for (int i = 0; i < LT_CYCLE_LEVELS; i++)
        if (!lt_cloud_is_done(&c->paths[i])) return (lt_cloud *)&c->paths[i];
    return NULL;
}

static bool has_paths(const lt_cycle *c) {
    uint32_t count = 0;
    for (int i = 0; i < LT_CYCLE_LEVELS; i++)
        count += c->paths[i].count;
    return count > 0;
}

static void enter(lt_cycle *c, lt_cycle_phase phase) {
    c->phase = phase;
    c->next = c->sub = c->body = 0;
    c->walk = (lt_cloud_walk){0, 0};
    c->marks = c->level = 0;
    lt_cycle_ahead_forget(&c->ahead);
    if (phase == LT_CYCLE_POINTS) {
        c->obstacle_count = c->found_count;
        c->cell_size = cell_size_of(c);
        lt_cloud_clear(&c->near_points);
        for (int i = 0; i < LT_CYCLE_LEVELS; i++)
            lt_cloud_clear(&c->paths[i]);
    }
    if (phase == LT_CYCLE_HASH_POINTS) lt_cloud_begin(&c->near_points, c->cell_size, c->input.function);
    if (phase == LT_CYCLE_PATHS) end_query(c);
    if (phase == LT_CYCLE_HASH_PATHS) begin_paths(c);
    if (phase == LT_CYCLE_EDGES) c->next = c->obstacle_count;
    if (phase == LT_CYCLE_HASH_EDGES) begin_edges(c);
    if (phase == LT_CYCLE_SPREAD) begin_spread(c);
}

/* A layer is through: what it reached is there for the next. The rest keeps its guess when nothing was reached. */
static void end_layer(lt_cycle *c) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < c->open_count; i++)
        if (is_open(&c->found[c->open[i]])) c->open[left++] = c->open[i];
    bool stuck = c->reached == 0;
    for (uint32_t i = 0; stuck && i < left; i++)
        c->found[c->open[i]].status = LT_FOUND_LEFT;
    c->open_count = stuck ? 0 : left;
    c->layer++;
    c->reached = 0;
    c->next = 0;
}

static bool phase_has_more(const lt_cycle *c) {
    switch (c->phase) {
    case LT_CYCLE_EMBED: return !c->input.live && c->next < c->point_count;
    case LT_CYCLE_OBSTACLES: return c->next < c->pair_count;
    case LT_CYCLE_POINTS: return c->next < c->point_count;
    case LT_CYCLE_HASH_POINTS: return !lt_cloud_is_done(&c->near_points);
    case LT_CYCLE_TETS: return c->marks || (c->near_points.count && c->next < c->tet_count);
    case LT_CYCLE_PATHS: return !c->input.live && c->next < c->point_count;
    case LT_CYCLE_HASH_PATHS: return unsorted_paths(c) != NULL;
    case LT_CYCLE_TRIANGLES: return c->marks || (has_paths(c) && c->next < c->triangle_count);
    case LT_CYCLE_EDGES: return c->next < c->found_count;
    case LT_CYCLE_HASH_EDGES: return c->edge_count && (!c->sub || !lt_cloud_is_done(&c->border_edges));
    case LT_CYCLE_PIERCE: return c->marks || (c->edge_count && c->next < c->triangle_count);
    case LT_CYCLE_BORDER: return c->next < c->edge_count;
    case LT_CYCLE_SPREAD: return c->open_count > 0;
    default: return false;
    }
}

/* Nothing is left to do in phases without elements: they end at once. */
static void settle_phase(lt_cycle *c) {
    for (;;) {
        while (c->phase == LT_CYCLE_OBSTACLES && c->next < c->pair_count &&
               c->pairs[c->next].kind != LT_PAIR_OBSTACLE)
            c->next++;
        if (c->phase == LT_CYCLE_DONE || phase_has_more(c)) break;
        enter(c, (lt_cycle_phase)(c->phase + 1));
    }
}

static void settle_next(lt_cycle *c) {
    lt_found *f = &c->found[c->next];
    lt_cycle_merge_answer(f, lt_cycle_take_answer(c));
    lt_cycle_merge_edges(c, c->next++);
}

static void spread_next(lt_cycle *c) {
    lt_found *f = &c->found[c->open[c->next]];
    lt_cycle_merge_answer(f, lt_cycle_take_answer(c));
    if (f->layer != LT_NONE) c->reached++;
    if (++c->next == c->open_count) end_layer(c);
}

/* Edges of a point inside follow each other. */
static uint32_t border_end(const lt_cycle *c, uint32_t begin) {
    uint32_t end = begin;
    while (end < c->edge_count && c->edges[end].found == c->edges[begin].found)
        end++;
    return end;
}

static void find_border(lt_cycle *c) {
    lt_found *f = &c->found[c->edges[c->next].found];
    uint32_t end = border_end(c, c->next);
    if (!c->input.live || lt_cycle_retest(c, f)) lt_cycle_border(c, f, c->next, end);
    c->next = end;
}

static void mark_row(lt_cycle *c) {
    lt_cycle_row row = lt_cycle_take_row(c);
    c->body = row.body;
    c->row_begin = row.begin;
    c->next = row.end;
    c->marks = row.marks;
    c->level = lt_cycle_next_level(c, 0);
}

/* Behind a batch: on in the same cloud, in the next, or with the next that is marked. */
static void walk_behind(lt_cycle *c, const lt_cycle_batch *batch) {
    c->marks &= ~0u << batch->element;
    c->walk = batch->walk;
    c->level = batch->level;
    if (c->walk.row != LT_NONE) return;
    c->walk = (lt_cloud_walk){0, 0};
    c->level = lt_cycle_next_level(c, c->level + 1);
    if (c->level < LT_CYCLE_LEVELS) return;
    c->marks &= c->marks - 1;
    c->level = lt_cycle_next_level(c, 0);
}

/* The first that is marked goes on, and so on, at most so many batches. Returns how many. */
static uint64_t walk_on(lt_cycle *c, uint64_t most) {
    uint64_t passed = lt_cycle_take_batch(c, most);
    if (passed == 0 && !lt_cycle_merge(c)) return 1;
    c->ahead.asked = false;
    walk_behind(c, lt_cycle_batch_now(c));
    return lt_max_u64(passed, 1);
}

/* Who has many partners is asked for each of them: eight cost as much as the rest. */
static uint32_t partner_share(const lt_cycle *c) {
    uint32_t most = c->partner_begin[c->body + 1] - c->partner_begin[c->body];
    if (c->body + 1 < c->body_count) /* the next element may be of the next body */
        most = lt_max_u32(most, c->partner_begin[c->body + 2] - c->partner_begin[c->body + 1]);
    return 1 + most / 8;
}

/* Triangles around a point that was found. */
static uint32_t fan_of(const lt_cycle *c, uint32_t found) {
    uint32_t point = c->found[found].point;
    const lt_cycle_body *b = &c->bodies[c->body_of_point[point]];
    const lt_skin *skin = collider_of(c, b)->skin;
    return skin->fan_begin[point - b->first_point + 1] - skin->fan_begin[point - b->first_point];
}

/* Costs of an element, at most. Whatever may find contacts sets them aside. */
static lt_piece piece_of(const lt_cycle *c, uint32_t reserve) {
    enum {
        OBSTACLE_UNITS = 8,
        MARK_UNITS = 3 * LT_CYCLE_ROW,
        TET_UNITS = 48,
        TRIANGLE_UNITS = 64,
        SETTLE_UNITS = 16,
        SPREAD_UNITS = 4,
        FAN_UNITS = 3,
        EDGE_UNITS = 12
    };
    bool walks = c->phase == LT_CYCLE_TETS || c->phase == LT_CYCLE_TRIANGLES || c->phase == LT_CYCLE_PIERCE;
    if (walks && !c->marks) return (lt_piece){LT_WORK_BOUND, MARK_UNITS * partner_share(c), 0};
    switch (c->phase) {
    case LT_CYCLE_EMBED: return (lt_piece){LT_WORK_EMBED, POINTS_A_PIECE, 0};
    case LT_CYCLE_OBSTACLES: return (lt_piece){LT_WORK_OBSTACLE, OBSTACLE_UNITS, reserve};
    case LT_CYCLE_POINTS:
    case LT_CYCLE_PATHS:
        return (lt_piece){LT_WORK_BOUND, POINTS_A_PIECE * UNITS_A_POINT * partner_share(c), 0};
    case LT_CYCLE_HASH_POINTS:
    case LT_CYCLE_HASH_PATHS:
    case LT_CYCLE_HASH_EDGES:
        return (lt_piece){LT_WORK_HASH, HASH_ELEMENTS_A_PIECE * LT_SPATIAL_HASH_ELEMENT_UNITS, 0};
    case LT_CYCLE_TETS: return (lt_piece){LT_WORK_POINT_TET, TET_UNITS, reserve};
    case LT_CYCLE_TRIANGLES:
    case LT_CYCLE_PIERCE: return (lt_piece){LT_WORK_PIERCE, TRIANGLE_UNITS, 0};
    case LT_CYCLE_EDGES:
        return (lt_piece){LT_WORK_SPREAD, SETTLE_UNITS + FAN_UNITS * fan_of(c, c->next), reserve};
    case LT_CYCLE_BORDER:
        return (lt_piece){LT_WORK_SPREAD, EDGE_UNITS * (1 + border_end(c, c->next) - c->next), 0};
    case LT_CYCLE_SPREAD:
        return (lt_piece){LT_WORK_SPREAD, SPREAD_UNITS + FAN_UNITS * fan_of(c, c->open[c->next]), 0};
    default: return (lt_piece){LT_WORK_HASH, 0, 0};
    }
}

/* A piece of a cloud; or all of it, if so many may be done, on many threads. Returns how many were. */
static uint64_t sort_cloud(lt_cycle *c, lt_cloud *cloud, uint64_t most) {
    enum { WORTH_IT = 4096 }; /* points: fewer are not worth waking anybody */
    bool begins = cloud->hash.phase == LT_SPATIAL_MEASURE && cloud->hash.walk.item == 0;
    if (c->ahead.most && begins && cloud->count >= WORTH_IT &&
        lt_cloud_step_count(cloud, HASH_ELEMENTS_A_PIECE) <= most)
        return lt_cloud_build(cloud, HASH_ELEMENTS_A_PIECE, c->input.tasks);
    lt_cloud_step(cloud, HASH_ELEMENTS_A_PIECE);
    return 1;
}

/* At most so many of a row that is marked or of a cloud, else one. Returns how many. */
static uint64_t do_elements(lt_cycle *c, uint64_t most) {
    uint64_t count = 1;
    bool later = c->phase > LT_CYCLE_OBSTACLES;
    if (c->marks) {
        for (count = 0; c->marks && count < most;)
            count += walk_on(c, most - count);
    } else {
        switch (c->phase) {
        case LT_CYCLE_EMBED: embed_piece(c); break;
        case LT_CYCLE_OBSTACLES: meet_obstacle(c); break;
        case LT_CYCLE_POINTS: choose_points(c); break;
        case LT_CYCLE_HASH_POINTS: count = sort_cloud(c, &c->near_points, most); break;
        case LT_CYCLE_PATHS: choose_paths(c); break;
        case LT_CYCLE_HASH_PATHS: count = sort_cloud(c, unsorted_paths(c), most); break;
        case LT_CYCLE_TETS:
        case LT_CYCLE_TRIANGLES:
        case LT_CYCLE_PIERCE: mark_row(c); break;
        case LT_CYCLE_EDGES: settle_next(c); break;
        case LT_CYCLE_HASH_EDGES:
            if (c->sub)
                count = sort_cloud(c, &c->border_edges, most);
            else
                add_edges(c);
            break;
        case LT_CYCLE_BORDER: find_border(c); break;
        case LT_CYCLE_SPREAD: spread_next(c); break;
        default: break;
        }
    }
    c->element_count += count;
    if (later) c->later_elements += count;
    if (!c->marks) settle_phase(c);
    return count;
}

lt_piece lt_cycle_peek(const lt_cycle *cycle, uint32_t reserve) {
    return piece_of(cycle, reserve);
}

uint32_t lt_cycle_step(lt_cycle *cycle, uint32_t grant) {
    uint32_t spent = 0;
    lt_piece piece = piece_of(cycle, 0);
    lt_work work = piece.work;
    lt_cycle_ahead_allow(cycle, grant);
    while (piece.cost && piece.work == work && spent + piece.cost <= grant) {
        spent += piece.cost * (uint32_t)do_elements(cycle, (grant - spent) / piece.cost);
        piece = piece_of(cycle, 0);
    }
    return spent;
}

void lt_cycle_redo(lt_cycle *cycle, lt_cycle_phase phase, uint64_t element_count, uint64_t later_elements,
                   uint32_t obstacle_found, uint32_t next, uint32_t sub) {
    lt_cycle *c = cycle;
    c->phase = LT_CYCLE_EMBED;
    c->next = c->sub = c->body = c->found_count = 0;
    uint64_t done = 0;
    while (c->phase == LT_CYCLE_EMBED && (phase > LT_CYCLE_EMBED || done < element_count))
        done += do_elements(c, 1);
    if (phase == LT_CYCLE_EMBED) return;
    c->phase = LT_CYCLE_OBSTACLES;
    c->found_count = obstacle_found;
    c->next = next;
    c->sub = sub;
    if (phase == LT_CYCLE_OBSTACLES && next < c->pair_count && c->pairs[next].kind == LT_PAIR_OBSTACLE) {
        c->sub = lt_min_u32(sub, c->input.colliders[c->pairs[next].a].skin->point_count - 1);
    } else {
        enter(c, LT_CYCLE_POINTS);
        settle_phase(c);
        for (done = 0; done < later_elements && !lt_cycle_is_done(c);)
            done += do_elements(c, later_elements - done);
    }
    for (uint32_t i = 0; i < c->found_count; i++) /* whoever saved had been told */
        c->found[i].told = lt_found_is_told(&c->found[i]) ? c->found[i].status + 1 : 0;
    c->element_count = element_count;
    c->later_elements = later_elements;
}
