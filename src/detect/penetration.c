/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The collision cycle: its memory, its phases, and the queries of points (penetration.h has the plan). Depths are in
 * penetration_depth.c. */

#include "detect/penetration.h"

#include <string.h>

/* ---- memory ---- */

enum { CELLS_OF_A_TET = 12, CELLS_OF_A_TRIANGLE = 8 };

static void free_arrays(lt_cycle *c) {
    const lt_allocator *a = &c->allocator;
    LT_DELETE(a, c->nodes, 4 * (size_t)c->node_capacity, float);
    LT_DELETE(a, c->points, c->point_capacity, lt_vec3);
    LT_DELETE(a, c->tet_boxes, c->tet_capacity, lt_box);
    LT_DELETE(a, c->tet_items, c->tet_capacity, uint32_t);
    LT_DELETE(a, c->triangle_boxes, c->triangle_capacity, lt_box);
    LT_DELETE(a, c->triangle_items, c->triangle_capacity, uint32_t);
    LT_DELETE(a, c->first_found, (size_t)c->point_capacity + 1, uint32_t);
    LT_DELETE(a, c->found, c->found_capacity, lt_found);
    LT_DELETE(a, c->open, c->found_capacity, uint32_t);
    LT_DELETE(a, c->candidates, c->candidate_capacity, uint32_t);
    LT_DELETE(a, c->bodies, c->body_capacity, lt_cycle_body);
    LT_DELETE(a, c->pairs, c->pair_capacity, lt_pair);
    LT_DELETE(a, c->body_of_slot, c->body_capacity, uint32_t);
    LT_DELETE(a, c->partner_begin, (size_t)c->body_capacity + 1, uint32_t);
    LT_DELETE(a, c->partners, 2 * (size_t)c->pair_capacity, uint32_t);
    lt_spatial_hash_free(&c->tets);
    lt_spatial_hash_free(&c->triangles);
}

void lt_cycle_free(lt_cycle *cycle) {
    free_arrays(cycle);
    *cycle = (lt_cycle){.phase = LT_CYCLE_DONE};
}

static void count_elements(lt_cycle *c, const lt_collider *colliders, uint32_t collider_count) {
    for (uint32_t i = 0; i < collider_count; i++) {
        if (!colliders[i].in_use) continue;
        c->node_capacity += colliders[i].soft->carrier.node_count;
        c->point_capacity += colliders[i].skin->point_count;
        c->tet_capacity += colliders[i].soft->carrier.tet_count;
        c->triangle_capacity += colliders[i].skin->triangle_count;
    }
}

static bool allocate_arrays(lt_cycle *c) {
    const lt_allocator *a = &c->allocator;
    c->nodes = LT_NEW(a, 4 * (size_t)c->node_capacity, float);
    c->points = LT_NEW(a, c->point_capacity, lt_vec3);
    c->tet_boxes = LT_NEW(a, c->tet_capacity, lt_box);
    c->tet_items = LT_NEW(a, c->tet_capacity, uint32_t);
    c->triangle_boxes = LT_NEW(a, c->triangle_capacity, lt_box);
    c->triangle_items = LT_NEW(a, c->triangle_capacity, uint32_t);
    c->first_found = LT_NEW(a, (size_t)c->point_capacity + 1, uint32_t);
    c->found = LT_NEW(a, c->found_capacity, lt_found);
    c->open = LT_NEW(a, c->found_capacity, uint32_t);
    c->candidates = LT_NEW(a, c->candidate_capacity, uint32_t);
    c->bodies = LT_NEW(a, c->body_capacity, lt_cycle_body);
    c->pairs = LT_NEW(a, c->pair_capacity, lt_pair);
    c->body_of_slot = LT_NEW(a, c->body_capacity, uint32_t);
    c->partner_begin = LT_NEW(a, (size_t)c->body_capacity + 1, uint32_t);
    c->partners = LT_NEW(a, 2 * (size_t)c->pair_capacity, uint32_t);
    return c->nodes && c->points && c->tet_boxes && c->tet_items && c->triangle_boxes && c->triangle_items &&
           c->first_found && c->found && c->open && c->candidates && c->bodies && c->pairs &&
           c->body_of_slot && c->partner_begin && c->partners;
}

lt_status lt_cycle_reserve(lt_cycle *cycle, const lt_collider *colliders, uint32_t collider_count,
                           uint32_t found_capacity, uint32_t pair_capacity, const lt_allocator *allocator,
                           lt_error *error) {
    lt_cycle made = {.phase = LT_CYCLE_DONE,
                     .allocator = *allocator,
                     .found_capacity = found_capacity,
                     .pair_capacity = pair_capacity,
                     .body_capacity = collider_count};
    count_elements(&made, colliders, collider_count);
    made.candidate_capacity = lt_max_u32(made.tet_capacity, made.triangle_capacity);
    if (made.node_capacity <= cycle->node_capacity && made.point_capacity <= cycle->point_capacity &&
        made.tet_capacity <= cycle->tet_capacity && made.triangle_capacity <= cycle->triangle_capacity &&
        made.body_capacity <= cycle->body_capacity && cycle->nodes)
        return LT_OK;
    lt_status status = LT_OK;
    if (!allocate_arrays(&made))
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for a collision cycle of %u tets and %u points",
                         made.tet_capacity, made.point_capacity);
    if (status == LT_OK)
        status = lt_spatial_hash_reserve(&made.tets, made.tet_capacity,
                                         CELLS_OF_A_TET * made.tet_capacity + 64, allocator, error);
    if (status == LT_OK)
        status = lt_spatial_hash_reserve(&made.triangles, made.triangle_capacity,
                                         CELLS_OF_A_TRIANGLE * made.triangle_capacity + 64, allocator, error);
    lt_cycle *old = status == LT_OK ? cycle : &made;
    free_arrays(old);
    if (status == LT_OK) *cycle = made;
    return status;
}

/* ---- beginning ---- */

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
        uint32_t at = c->body_count++;
        for (; in->fast_first && at > 0 && c->bodies[at - 1].speed < speed; at--)
            c->bodies[at] = c->bodies[at - 1];
        c->bodies[at] = (lt_cycle_body){.slot = i, .speed = speed};
    }
    lt_cycle_number(c);
}

/* Points are noted as far from a surface as they can come until the next cycle is through, and by a part of the size of
 * the tets in any case: what rests must not lose its contacts by a hair. */
static float margin_of(const lt_cycle *c, const lt_collider *collider) {
    float waits = (float)(2 * lt_max_u32(c->input.latency, 1) - 1);
    return waits * collider->reach + 0.1f * (float)collider->soft->mean_edge;
}

/* Live: how far anything of a body gets while the cycle lasts, with something to spare. */
static float growth_of(const lt_cycle *c, const lt_cycle_body *b) {
    return c->input.live ? 1.5f * (float)lt_max_u32(c->input.latency, 1) * b->speed * c->input.dt : 0;
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
        b->first_triangle_item = b->end_triangle_item = 0;
        c->node_count += collider->soft->carrier.node_count;
        c->point_count += collider->skin->point_count;
        c->tet_count += collider->soft->carrier.tet_count;
        c->triangle_count += collider->skin->triangle_count;
    }
}

static void bound_bodies(lt_cycle *c) {
    for (uint32_t i = 0; i < c->body_count; i++) {
        lt_cycle_body *b = &c->bodies[i];
        const lt_collider *collider = &c->input.colliders[b->slot];
        b->margin = margin_of(c, collider);
        b->box = lt_box_inflate(collider->box, lt_max_f(b->margin, growth_of(c, b)));
    }
}

static uint32_t copy_nodes(lt_cycle *c) {
    for (uint32_t i = 0; i < c->body_count; i++) {
        const lt_soft *soft = c->input.colliders[c->bodies[i].slot].soft;
        memcpy(c->nodes + 4 * (size_t)c->bodies[i].first_node, soft->nodes,
               4 * (size_t)soft->carrier.node_count * sizeof(float));
    }
    return 1 + c->node_count / 4;
}

uint32_t lt_cycle_refresh(lt_cycle *cycle) {
    lt_cycle *c = cycle;
    uint32_t cost = copy_nodes(c);
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
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < c->pair_count; i++) {
            const lt_pair *p = &c->pairs[i];
            if (p->kind == LT_PAIR_OBSTACLE) continue;
            uint32_t a = c->body_of_slot[p->a], b = c->body_of_slot[p->b];
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

static void settle_phase(lt_cycle *c);

uint32_t lt_cycle_begin(lt_cycle *cycle, const lt_cycle_input *input) {
    lt_cycle *c = cycle;
    c->input = *input;
    choose_bodies(c);
    lt_cycle_partner(c);
    bound_bodies(c);
    uint32_t cost = input->live ? lt_cycle_refresh(c) : copy_nodes(c);
    c->tet_item_count = c->triangle_item_count = 0;
    c->found_count = c->inside_end = c->inside_count = c->obstacle_count = c->dropped_count = 0;
    c->open_count = c->reached = c->layer = 0;
    c->element_count = c->later_elements = 0;
    c->phase = c->body_count ? LT_CYCLE_EMBED : LT_CYCLE_DONE;
    c->next = c->sub = c->body = 0;
    settle_phase(c);
    return cost + input->collider_count / 8 + input->pair_count;
}

/* ---- what the phases ask ---- */

static const lt_collider *collider_of(const lt_cycle *c, const lt_cycle_body *b) {
    return &c->input.colliders[b->slot];
}

lt_dvec3 lt_cycle_node(const lt_cycle *cycle, const lt_cycle_body *body, uint32_t node) {
    const float *p = cycle->nodes + 4 * ((size_t)body->first_node + node);
    return (lt_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

uint32_t lt_cycle_body_of_point(const lt_cycle *cycle, uint32_t point) {
    uint32_t lo = 0, hi = cycle->body_count;
    while (hi - lo > 1) {
        uint32_t middle = (lo + hi) / 2;
        if (cycle->bodies[middle].first_point <= point)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

static uint32_t body_of_tet(const lt_cycle *c, uint32_t tet) {
    uint32_t lo = 0, hi = c->body_count;
    while (hi - lo > 1) {
        uint32_t middle = (lo + hi) / 2;
        if (c->bodies[middle].first_tet <= tet)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

/* Moves on to the body that the next element belongs to. */
static const lt_cycle_body *body_at(lt_cycle *c, uint32_t (*first)(const lt_cycle_body *)) {
    while (c->body + 1 < c->body_count && first(&c->bodies[c->body + 1]) <= c->next)
        c->body++;
    return &c->bodies[c->body];
}

static uint32_t first_point(const lt_cycle_body *b) {
    return b->first_point;
}
static uint32_t first_tet(const lt_cycle_body *b) {
    return b->first_tet;
}
static uint32_t first_triangle(const lt_cycle_body *b) {
    return b->first_triangle;
}

static bool near_a_partner(const lt_cycle *c, uint32_t body, lt_box box) {
    for (uint32_t i = c->partner_begin[body]; i < c->partner_begin[body + 1]; i++)
        if (lt_box_overlap(c->bodies[c->partners[i]].box, box)) return true;
    return false;
}

/* How many a point may be inside of, or near to. */
static uint32_t partners_near(const lt_cycle *c, uint32_t body, lt_vec3 p, float margin) {
    lt_box box = lt_box_inflate((lt_box){p, p}, margin);
    uint32_t count = 0;
    for (uint32_t i = c->partner_begin[body]; i < c->partner_begin[body + 1]; i++)
        count += lt_box_overlap(c->bodies[c->partners[i]].box, box);
    return count;
}

static bool is_partner(const lt_cycle *c, uint32_t body, uint32_t other) {
    for (uint32_t i = c->partner_begin[body]; i < c->partner_begin[body + 1]; i++)
        if (c->partners[i] == other) return true;
    return false;
}

static lt_found *add_found(lt_cycle *c, const lt_found *found) {
    if (c->found_count == c->found_capacity) {
        c->dropped_count++;
        return NULL;
    }
    c->found[c->found_count] = *found;
    return &c->found[c->found_count++];
}

/* ---- phases ---- */

enum { POINTS_A_PIECE = 64, HASH_ELEMENTS_A_PIECE = 64 };

static void embed_piece(lt_cycle *c) {
    const lt_cycle_body *b = body_at(c, first_point);
    const lt_skin *skin = collider_of(c, b)->skin;
    uint32_t begin = c->next - b->first_point, end = lt_min_u32(begin + POINTS_A_PIECE, skin->point_count);
    lt_embed_positions(c->input.kernels, c->points + b->first_point, skin,
                       c->nodes + 4 * (size_t)b->first_node, begin, end);
    c->next = b->first_point + end;
}

/* A point of a body against an obstacle, as it was: response looks at where it is. */
static void meet_obstacle(lt_cycle *c) {
    const lt_pair *p = &c->pairs[c->next];
    const lt_cycle_body *b = &c->bodies[c->body_of_slot[p->a]];
    uint32_t point = b->first_point + c->sub++;
    const lt_obstacle *o = &c->input.obstacles[p->b];
    float waits = (float)(1 + lt_max_u32(c->input.latency, 1));
    float margin = b->margin + waits * lt_obstacle_sweep(o, b->box, c->input.dt);
    lt_obstacle_hit hit = lt_obstacle_distance(o, c->points[point]);
    if (hit.distance < margin)
        add_found(c, &(lt_found){.point = point,
                                 .other = p->b,
                                 .tet = LT_NONE,
                                 .normal = hit.normal,
                                 .depth = -hit.distance,
                                 .status = LT_FOUND_OBSTACLE});
    if (c->sub == collider_of(c, b)->skin->point_count) c->next++, c->sub = 0;
}

static void bound_tet(lt_cycle *c) {
    const lt_cycle_body *b = body_at(c, first_tet);
    const uint32_t *tet = collider_of(c, b)->soft->carrier.tets + 4 * (size_t)(c->next - b->first_tet);
    lt_box box = lt_box_empty();
    for (int k = 0; k < 4; k++) {
        const float *p = c->nodes + 4 * ((size_t)b->first_node + tet[k]);
        box = lt_box_add_point(box, (lt_vec3){p[0], p[1], p[2]});
    }
    box = lt_box_inflate(box, growth_of(c, b));
    if (near_a_partner(c, c->body, box)) {
        c->tet_items[c->tet_item_count] = c->next;
        c->tet_boxes[c->tet_item_count++] = box;
    }
    c->next++;
}

static void bound_triangle(lt_cycle *c) {
    const lt_cycle_body *b = body_at(c, first_triangle);
    const uint32_t *t = collider_of(c, b)->skin->triangles + 3 * (size_t)(c->next - b->first_triangle);
    lt_box box = lt_box_empty();
    for (int k = 0; k < 3; k++)
        box = lt_box_add_point(box, c->points[b->first_point + t[k]]);
    box = lt_box_inflate(box, growth_of(c, b));
    /* Boxes of bodies have their own margin only: points are near within the margins of both. */
    if (near_a_partner(c, c->body, lt_box_inflate(box, b->margin))) {
        if (b->end_triangle_item == 0) c->bodies[c->body].first_triangle_item = c->triangle_item_count;
        c->bodies[c->body].end_triangle_item = c->triangle_item_count + 1;
        c->triangle_items[c->triangle_item_count] = c->next;
        c->triangle_boxes[c->triangle_item_count++] = box;
    }
    c->next++;
}

static float mean_size(const lt_box *boxes, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        lt_vec3 size = lt_v3_sub(boxes[i].hi, boxes[i].lo);
        sum += (double)lt_max_f(size.x, lt_max_f(size.y, size.z));
    }
    float mean = count ? (float)(sum / count) : 0;
    return mean > 1e-20f && mean < 1e20f ? mean : 1;
}

static void begin_hash(lt_cycle *c, lt_spatial_hash *hash, const lt_box *boxes, uint32_t count) {
    lt_spatial_input input = {.boxes = boxes,
                              .item_count = count,
                              .cell_size = mean_size(boxes, count),
                              .function = c->input.function};
    lt_spatial_hash_begin(hash, &input);
}

/* Where few are large among many that are small, they cover more cells than there is room for: of larger cells there is. */
static void hash_piece(lt_spatial_hash *hash) {
    static const float LARGEST_CELL = 1e30f;
    lt_spatial_hash_step(hash, HASH_ELEMENTS_A_PIECE);
    if (!hash->dropped_count || hash->input.cell_size > LARGEST_CELL) return;
    lt_spatial_input input = hash->input;
    input.cell_size *= 2;
    lt_spatial_hash_begin(hash, &input);
}

/* ---- query ---- */

static bool shares_node(const uint32_t *a, const uint32_t *b) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (a[i] == b[j]) return true;
    return false;
}

/* Whether a body already has this point, among those found for it so far. */
static bool is_found(const lt_cycle *c, uint32_t point, uint32_t other) {
    for (uint32_t i = c->first_found[point]; i < c->found_count; i++)
        if (c->found[i].other == other) return true;
    return false;
}

/* Own surfaces are always near: only what was far at rest can collide. */
static bool is_far_at_rest(const lt_collider *collider, uint32_t point, uint32_t tet, lt_dvec3 rest) {
    const lt_carrier *carrier = &collider->soft->carrier;
    const uint32_t *t = carrier->tets + 4 * (size_t)tet;
    const double *p = carrier->rest + 3 * (size_t)t[0], *q = carrier->rest + 3 * (size_t)t[1];
    double edge = lt_d3_distance((lt_dvec3){p[0], p[1], p[2]}, (lt_dvec3){q[0], q[1], q[2]});
    return lt_d3_distance(rest, lt_d3_from_v3(collider->skin->rest[point])) >= edge;
}

/* A point in a tet is inside the body when the surface at rest says so; where carrier and surface are one it always does.
 * Says where it is in the tet, and guesses how deep. */
static bool point_in_tet(const lt_cycle *c, uint32_t body, uint32_t point, uint32_t other, uint32_t tet,
                         lt_found *out) {
    static const double INSIDE = -1e-9;
    const lt_cycle_body *b = &c->bodies[body], *o = &c->bodies[other];
    const lt_collider *collider = collider_of(c, o);
    const uint32_t *t = collider->soft->carrier.tets + 4 * (size_t)tet;
    uint32_t own = point - b->first_point;
    if (body == other && shares_node(collider->soft->carrier.tets + 4 * (size_t)collider->skin->tets[own], t))
        return false;
    lt_dvec3 corners[4];
    double w[4];
    for (int k = 0; k < 4; k++)
        corners[k] = lt_cycle_node(c, o, t[k]);
    if (!lt_barycentric_weights(w, corners, lt_d3_from_v3(c->points[point]))) return false;
    if (!(w[0] >= INSIDE && w[1] >= INSIDE && w[2] >= INSIDE && w[3] >= INSIDE)) return false;
    lt_dvec3 rest = lt_pull_back(&collider->soft->carrier, tet, w);
    if (body == other && !is_far_at_rest(collider, own, tet, rest)) return false;
    lt_found f = {.point = point, .other = other, .tet = tet, .layer = LT_NONE, .status = LT_FOUND_GUESSED};
    float depth = lt_depth_at_rest(collider, tet, corners, rest, &f.normal);
    float cell = collider->skin->distance.header.cell_size * (float)collider->soft->scale;
    if (depth < -0.5f * cell) return false;
    f.depth = lt_max_f(0, depth);
    for (int k = 0; k < 4; k++)
        f.weights[k] = (float)w[k];
    *out = f;
    return true;
}

static uint32_t query_cost(const lt_cycle *c) {
    lt_vec3 p = c->points[c->next];
    lt_spatial_range range =
        lt_spatial_bucket(&c->tets, lt_spatial_bucket_of(&c->tets, lt_spatial_cell_of(&c->tets, p)));
    return 4 + (uint32_t)(range.end - range.begin) + c->tets.large_count;
}

/* Tets that may hold the point, as items in c->candidates; returns how many. */
static uint32_t candidates_at(lt_cycle *c, lt_vec3 p) {
    uint32_t count = lt_spatial_hash_at_point(&c->tets, p, c->candidates, c->candidate_capacity);
    return lt_min_u32(count, c->candidate_capacity);
}

/* Of several tets of a body that hold the point the first counts. */
static void query_point(lt_cycle *c) {
    uint32_t point = c->next++, body = c->body;
    c->first_found[point] = c->found_count;
    lt_vec3 p = c->points[point];
    if (!partners_near(c, body, p, 0)) return;
    uint32_t count = candidates_at(c, p);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = c->candidates[i];
        if (!lt_box_contains(c->tet_boxes[item], p)) continue;
        uint32_t tet = c->tet_items[item], other = body_of_tet(c, tet);
        if (!is_partner(c, body, other) || is_found(c, point, other)) continue;
        lt_found f;
        if (point_in_tet(c, body, point, other, tet - c->bodies[other].first_tet, &f)) add_found(c, &f);
    }
}

bool lt_cycle_retest(lt_cycle *cycle, lt_found *found) {
    lt_cycle *c = cycle;
    if (found->status == LT_FOUND_GONE) return false;
    uint32_t point = found->point, body = lt_cycle_body_of_point(c, point),
             first = c->bodies[found->other].first_tet;
    lt_found now = *found;
    bool inside = point_in_tet(c, body, point, found->other, found->tet, &now);
    uint32_t count = inside ? 0 : candidates_at(c, c->points[point]);
    for (uint32_t i = 0; i < count && !inside; i++) {
        uint32_t tet = c->tet_items[c->candidates[i]];
        inside = body_of_tet(c, tet) == found->other &&
                 point_in_tet(c, body, point, found->other, tet - first, &now);
    }
    now.told = found->told;
    if (inside && found->layer == LT_NONE) *found = now;
    if (inside) return true;
    found->status = LT_FOUND_GONE;
    found->layer = LT_NONE;
    found->other = LT_NONE; /* so that nobody takes it for a neighbour inside */
    return false;
}

/* ---- the cursor ---- */

static void end_query(lt_cycle *c) {
    c->first_found[c->point_count] = c->found_count;
    c->inside_end = c->found_count;
    c->inside_count = c->found_count - c->obstacle_count;
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

static void enter(lt_cycle *c, lt_cycle_phase phase) {
    c->phase = phase;
    c->next = c->sub = c->body = 0;
    if (phase == LT_CYCLE_TETS) c->obstacle_count = c->found_count;
    if (phase == LT_CYCLE_HASH_TETS) begin_hash(c, &c->tets, c->tet_boxes, c->tet_item_count);
    if (phase == LT_CYCLE_HASH_TRIANGLES)
        begin_hash(c, &c->triangles, c->triangle_boxes, c->triangle_item_count);
    if (phase == LT_CYCLE_TRIANGLES) end_query(c);
    if (phase == LT_CYCLE_BORDER) c->next = c->obstacle_count;
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
    case LT_CYCLE_TETS: return c->next < c->tet_count;
    case LT_CYCLE_HASH_TETS: return !lt_spatial_hash_is_done(&c->tets);
    case LT_CYCLE_QUERY: return c->next < c->point_count;
    case LT_CYCLE_TRIANGLES: return c->next < c->triangle_count;
    case LT_CYCLE_HASH_TRIANGLES: return !lt_spatial_hash_is_done(&c->triangles);
    case LT_CYCLE_MARGIN: return !c->input.live && c->next < c->point_count;
    case LT_CYCLE_BORDER: return c->next < c->inside_end;
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
    if (c->phase == LT_CYCLE_QUERY || c->phase == LT_CYCLE_MARGIN) body_at(c, first_point);
}

static void spread_next(lt_cycle *c) {
    lt_found *f = &c->found[c->open[c->next++]];
    bool inside = !c->input.live || lt_cycle_retest(c, f);
    if (inside && lt_cycle_spread(c, f, c->layer)) c->reached++;
    if (c->next == c->open_count) end_layer(c);
}

static void find_border(lt_cycle *c) {
    lt_found *f = &c->found[c->next++];
    if (!c->input.live || lt_cycle_retest(c, f)) lt_cycle_border(c, f);
}

static void do_element(lt_cycle *c) {
    c->later_elements += c->phase > LT_CYCLE_OBSTACLES;
    switch (c->phase) {
    case LT_CYCLE_EMBED: embed_piece(c); break;
    case LT_CYCLE_OBSTACLES: meet_obstacle(c); break;
    case LT_CYCLE_TETS: bound_tet(c); break;
    case LT_CYCLE_HASH_TETS: hash_piece(&c->tets); break;
    case LT_CYCLE_QUERY: query_point(c); break;
    case LT_CYCLE_TRIANGLES: bound_triangle(c); break;
    case LT_CYCLE_HASH_TRIANGLES: hash_piece(&c->triangles); break;
    case LT_CYCLE_MARGIN: lt_cycle_margin(c, c->next++); break;
    case LT_CYCLE_BORDER: find_border(c); break;
    case LT_CYCLE_SPREAD: spread_next(c); break;
    default: break;
    }
    c->element_count++;
    settle_phase(c);
}

/* Costs of an element, at most. Whatever may find contacts sets them aside. */
static lt_piece piece_of(const lt_cycle *c, uint32_t reserve) {
    enum {
        OBSTACLE_UNITS = 8,
        BOUND_UNITS = 4,
        NEAR_UNITS = 24,
        BORDER_UNITS = 144,
        SPREAD_UNITS = 16,
        LEAST_UNITS = 4
    };
    bool margin = c->phase == LT_CYCLE_MARGIN;
    uint32_t near = 0;
    if (margin || c->phase == LT_CYCLE_QUERY)
        near = partners_near(c, c->body, c->points[c->next], margin ? c->bodies[c->body].margin : 0);
    switch (c->phase) {
    case LT_CYCLE_EMBED: return (lt_piece){LT_WORK_EMBED, POINTS_A_PIECE, 0};
    case LT_CYCLE_OBSTACLES: return (lt_piece){LT_WORK_OBSTACLE, OBSTACLE_UNITS, reserve};
    case LT_CYCLE_TETS:
    case LT_CYCLE_TRIANGLES: return (lt_piece){LT_WORK_BOUND, BOUND_UNITS, 0};
    case LT_CYCLE_HASH_TETS:
    case LT_CYCLE_HASH_TRIANGLES:
        return (lt_piece){LT_WORK_HASH, HASH_ELEMENTS_A_PIECE * LT_SPATIAL_HASH_ELEMENT_UNITS, 0};
    case LT_CYCLE_QUERY:
        return (lt_piece){LT_WORK_POINT_TET, near ? query_cost(c) : LEAST_UNITS, near * reserve};
    case LT_CYCLE_MARGIN: return (lt_piece){LT_WORK_PIERCE, near ? NEAR_UNITS : LEAST_UNITS, near * reserve};
    case LT_CYCLE_BORDER: return (lt_piece){LT_WORK_PIERCE, BORDER_UNITS, 0};
    case LT_CYCLE_SPREAD: return (lt_piece){LT_WORK_SPREAD, SPREAD_UNITS, 0};
    default: return (lt_piece){LT_WORK_HASH, 0, 0};
    }
}

lt_piece lt_cycle_peek(const lt_cycle *cycle, uint32_t reserve) {
    return piece_of(cycle, reserve);
}

uint32_t lt_cycle_step(lt_cycle *cycle, uint32_t grant) {
    uint32_t spent = 0;
    lt_piece piece = piece_of(cycle, 0);
    lt_work work = piece.work;
    while (piece.cost && piece.work == work && spent + piece.cost <= grant) {
        spent += piece.cost;
        do_element(cycle);
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
    for (; c->phase == LT_CYCLE_EMBED && (phase > LT_CYCLE_EMBED || done < element_count); done++)
        do_element(c);
    if (phase == LT_CYCLE_EMBED) return;
    c->phase = LT_CYCLE_OBSTACLES;
    c->found_count = obstacle_found;
    c->next = next;
    c->sub = sub;
    if (phase == LT_CYCLE_OBSTACLES && next < c->pair_count && c->pairs[next].kind == LT_PAIR_OBSTACLE) {
        c->sub = lt_min_u32(sub, c->input.colliders[c->pairs[next].a].skin->point_count - 1);
    } else {
        enter(c, LT_CYCLE_TETS);
        settle_phase(c);
        for (uint64_t i = 0; i < later_elements && !lt_cycle_is_done(c); i++)
            do_element(c);
    }
    for (uint32_t i = 0; i < c->found_count; i++)
        c->found[i].told = c->found[i].status + 1; /* whoever saved had been told */
    c->element_count = element_count;
    c->later_elements = later_elements;
}
