/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "multiscale_internal.h"

#include "bake/adjacency.h"
#include "lithe/bake.h"
#include "scenes/scene.h"

#include <string.h>

/* ---- shapes ---- */

void lt_fine_shape_free(lt_fine_shape *dense) {
    LT_DELETE(&dense->allocator, dense->plain_ids, 4 * (size_t)dense->tree.point_count, uint32_t);
    LT_DELETE(&dense->allocator, dense->plain_weights, 4 * (size_t)dense->tree.point_count, float);
    lt_self_tets_free(&dense->tets);
    lt_multiscale_order_free(&dense->order);
    lt_feature_owners_free(&dense->owners);
    lt_shape_release(dense->shape);
    *dense = (lt_fine_shape){0};
}

static lt_status read_shape(lt_fine_shape *d, lt_error *error) {
    lt_status status = lt_carrier_read_finest(&d->carrier, d->shape, error);
    if (status == LT_OK) status = lt_skin_read(&d->skin, d->shape, &d->carrier, error);
    if (status == LT_OK) status = lt_multiscale_tree_read(&d->tree, d->shape, &d->carrier, &d->skin, error);
    if (status == LT_OK) status = lt_multiscale_order_create(&d->order, &d->tree, &d->allocator, error);
    if (status != LT_OK) return status;
    lt_surface surface = lt_skin_surface(&d->skin);
    d->box = lt_surface_box(&surface);
    status = lt_feature_owners_create(&d->owners, d->tree.triangles, d->tree.triangle_count,
                                      d->tree.point_count, &d->allocator, error);
    if (status == LT_OK) status = lt_self_tets_create(&d->tets, &d->tree, &d->carrier, &d->allocator, error);
    return status;
}

lt_status lt_fine_shape_take(lt_fine_shape *out, lt_bench *bench, lt_shape *shape, lt_error *error) {
    lt_bake_tree_def def = lt_bake_tree_def_default();
    def.allocator = bench->allocator;
    *out = (lt_fine_shape){.allocator = bench->allocator};
    lt_status status = lt_bake_tree(shape, &def, &out->shape, error);
    lt_shape_release(shape);
    if (status == LT_OK) status = read_shape(out, error);
    if (status != LT_OK) lt_fine_shape_free(out);
    return status;
}

lt_status lt_fine_shape_of(lt_fine_shape *out, lt_bench *bench, const lt_tet_mesh *carrier,
                           const lt_surface *surface, lt_error *error) {
    lt_bake_tets_def def = lt_bake_def_of(carrier, surface);
    lt_shape *shape;
    def.allocator = bench->allocator;
    def.distance_resolution = 8; /* not used here */
    *out = (lt_fine_shape){0};
    lt_status status = lt_bake_tets(&def, &shape, NULL, error);
    return status == LT_OK ? lt_fine_shape_take(out, bench, shape, error) : status;
}

/* Every triangle in four, at the middles of its edges. */
static lt_status subdivide(lt_surface *out, const lt_surface *in, const lt_allocator *allocator,
                           lt_error *error) {
    lt_surface_adjacency links;
    lt_status status = lt_surface_adjacency_build(&links, in, allocator, error);
    if (status != LT_OK) return status;
    uint32_t vertices = in->vertex_count;
    status = lt_surface_allocate(out, vertices + links.edge_count, 4 * in->triangle_count, allocator, error);
    if (status == LT_OK) {
        memcpy(out->positions, in->positions, vertices * sizeof(lt_vec3));
        for (uint32_t i = 0; i < links.edge_count; i++)
            out->positions[vertices + i] = lt_v3_scale(
                lt_v3_add(in->positions[links.edges[2 * i]], in->positions[links.edges[2 * i + 1]]), 0.5f);
        for (uint32_t i = 0; i < in->triangle_count; i++) {
            const uint32_t *v = lt_triangle_at(in, i), *e = links.triangle_edges + 3 * (size_t)i;
            uint32_t m0 = vertices + e[0], m1 = vertices + e[1], m2 = vertices + e[2];
            const uint32_t four[12] = {v[0], m0, m2, v[1], m1, m0, v[2], m2, m1, m0, m1, m2};
            memcpy(out->triangles + 12 * (size_t)i, four, sizeof four);
        }
    }
    lt_surface_adjacency_free(&links);
    return status;
}

lt_status lt_fine_shape_subdivide(lt_fine_shape *out, lt_bench *bench, const lt_fine_shape *coarse,
                                  uint32_t times, lt_error *error) {
    const lt_carrier *carrier = &coarse->carrier;
    lt_tet_mesh tets = {.positions = (lt_dvec3 *)carrier->rest,
                        .tets = (uint32_t *)carrier->tets,
                        .node_count = carrier->node_count,
                        .tet_count = carrier->tet_count};
    lt_surface surface = lt_skin_surface(&coarse->skin), finer;
    lt_status status = LT_OK;
    *out = (lt_fine_shape){0};
    for (uint32_t i = 0; i < times && status == LT_OK; i++) {
        status = subdivide(&finer, &surface, &bench->allocator, error);
        if (i > 0) lt_surface_free(&surface);
        surface = finer;
    }
    if (status != LT_OK) return status;
    status = lt_fine_shape_of(out, bench, &tets, &surface, error);
    if (times > 0) lt_surface_free(&surface);
    return status;
}

/* One tet around a box. */
static lt_status surround(lt_tet_mesh *out, lt_box box, const lt_allocator *allocator, lt_error *error) {
    static const uint32_t corners[4] = {0, 1, 2, 3};
    lt_status status = lt_tet_mesh_allocate(out, 4, 1, allocator, error);
    if (status != LT_OK) return status;
    lt_dvec3 size = lt_d3_from_v3(lt_v3_sub(box.hi, box.lo));
    lt_dvec3 corner = lt_d3_mad(lt_d3_from_v3(box.lo), size, -0.1);
    for (uint32_t k = 0; k < 4; k++) {
        out->positions[k] = corner;
        if (k > 0) (&out->positions[k].x)[k - 1] += 4 * lt_max_d(size.x, lt_max_d(size.y, size.z));
        out->tets[k] = corners[k];
    }
    return LT_OK;
}

/* From the one tet to those of the carrier. */
static lt_status hang_points(lt_fine_shape *plain, const lt_fine_shape *dense, lt_error *error) {
    uint32_t count = plain->tree.point_count;
    plain->plain_ids = LT_NEW(&plain->allocator, 4 * (size_t)count, uint32_t);
    plain->plain_weights = LT_NEW(&plain->allocator, 4 * (size_t)count, float);
    if (!plain->plain_ids || !plain->plain_weights)
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u points", count);
    for (uint32_t i = 0; i < count; i++) {
        lt_anchor anchor = lt_embed_anchor(&dense->skin, plain->tree.vertices[i]);
        for (uint32_t k = 0; k < 4; k++) {
            plain->plain_ids[4 * (size_t)i + k] = anchor.ids[k];
            plain->plain_weights[4 * (size_t)i + k] = (float)anchor.weights[k];
        }
    }
    plain->tree.ids = plain->plain_ids;
    plain->tree.weights = plain->plain_weights;
    plain->carrier = dense->carrier;
    return LT_OK;
}

lt_status lt_fine_shape_plain(lt_fine_shape *out, lt_bench *bench, const lt_fine_shape *dense,
                              lt_error *error) {
    lt_tet_mesh tet = {0};
    lt_surface surface = lt_skin_surface(&dense->skin);
    *out = (lt_fine_shape){0};
    lt_status status = surround(&tet, dense->box, &bench->allocator, error);
    if (status == LT_OK) status = lt_fine_shape_of(out, bench, &tet, &surface, error);
    lt_tet_mesh_free(&tet);
    if (status != LT_OK) return status;
    status = hang_points(out, dense, error);
    if (status != LT_OK) lt_fine_shape_free(out);
    return status;
}

uint32_t lt_fine_cut_records(const lt_fine_shape *dense) {
    return dense->tree.groups[dense->tree.cut_count].first;
}

void lt_fine_shape_numbers(lt_bench *bench, const lt_fine_shape *dense) {
    lt_bench_number(bench, "triangles", dense->skin.triangle_count);
    lt_bench_number(bench, "pieces", dense->tree.triangle_count);
    lt_bench_number(bench, "tets", dense->carrier.tet_count);
    lt_bench_number(bench, "cut_records", lt_fine_cut_records(dense));
    lt_bench_number(bench, "spanning", dense->tree.spanning_count);
}

/* ---- bodies ---- */

lt_status lt_fine_body_create(lt_fine_body *out, const lt_fine_shape *dense, const lt_multiscale_tree *tree,
                              lt_multiscale_bound bound, const lt_self_def *def, lt_error *error) {
    const lt_allocator *allocator = &dense->allocator;
    size_t lanes = 4 * (size_t)dense->carrier.node_count;
    *out = (lt_fine_body){.dense = dense, .allocator = *allocator};
    lt_status status = lt_multiscale_create(&out->boxes, tree ? tree : &dense->tree, &dense->carrier, bound,
                                            lt_simd_best(), allocator, error);
    if (status == LT_OK) status = lt_self_create(&out->self, &dense->tets, def, allocator, error);
    out->from = LT_NEW(allocator, lanes, float);
    out->to = LT_NEW(allocator, lanes, float);
    if (status == LT_OK && (!out->from || !out->to))
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory for %u nodes", dense->carrier.node_count);
    if (status != LT_OK) lt_fine_body_free(out);
    return status;
}

void lt_fine_body_free(lt_fine_body *body) {
    if (!body->dense) return;
    size_t lanes = 4 * (size_t)body->dense->carrier.node_count;
    LT_DELETE(&body->allocator, body->from, lanes, float);
    LT_DELETE(&body->allocator, body->to, lanes, float);
    lt_self_free(&body->self);
    lt_multiscale_free(&body->boxes);
    *body = (lt_fine_body){0};
}

void lt_fine_body_measure(lt_fine_body *body) {
    body->box = lt_box_empty();
    for (size_t i = 0; i < body->dense->carrier.node_count; i++) {
        body->box = lt_box_add_point(
            body->box, (lt_vec3){body->from[4 * i], body->from[4 * i + 1], body->from[4 * i + 2]});
        body->box =
            lt_box_add_point(body->box, (lt_vec3){body->to[4 * i], body->to[4 * i + 1], body->to[4 * i + 2]});
    }
}

void lt_fine_body_follow(lt_fine_body *body, const lt_fine_body *other) {
    size_t bytes = 4 * (size_t)body->dense->carrier.node_count * sizeof(float);
    memcpy(body->from, other->from, bytes);
    memcpy(body->to, other->to, bytes);
    body->box = other->box;
}

void lt_fine_body_move(lt_fine_body *body, lt_fine_motion *motion, uint32_t frame) {
    motion(body->from, body, (double)frame / LT_FINE_FRAMES);
    motion(body->to, body, (double)(frame + 1) / LT_FINE_FRAMES);
    lt_fine_body_measure(body);
}

/* ---- pairs ---- */

lt_status lt_fine_pair_create(lt_fine_pair *out, lt_fine_body *a, lt_fine_body *b, lt_error *error) {
    *out = (lt_fine_pair){.a = a, .b = b, .allocator = a->allocator};
    out->query = (lt_query){.a = &a->boxes,
                            .b = &b->boxes,
                            .owners_a = &a->dense->owners,
                            .owners_b = &b->dense->owners,
                            .may_meet = lt_ccd_may_meet_for(lt_simd_best()),
                            .meetings = LT_NEW(&out->allocator, LT_FINE_MEETINGS, lt_meeting),
                            .capacity = LT_FINE_MEETINGS};
    if (!out->query.meetings) return lt_fail(error, LT_STATUS_MEMORY, "no memory for contacts");
    return lt_query_front_create(&out->front, LT_FINE_FRONT_PAIRS, &out->allocator, error);
}

lt_status lt_fine_pair_reserve_hash(lt_fine_pair *pair, lt_error *error) {
    uint32_t count = pair->a->dense->tree.triangle_count;
    pair->triangle_boxes = LT_NEW(&pair->allocator, count, lt_box);
    if (!pair->triangle_boxes) return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u boxes", count);
    return lt_spatial_hash_reserve(&pair->hash, count, 16 * count, &pair->allocator, error);
}

void lt_fine_pair_free(lt_fine_pair *pair) {
    if (!pair->a) return;
    LT_DELETE(&pair->allocator, pair->query.meetings, LT_FINE_MEETINGS, lt_meeting);
    LT_DELETE(&pair->allocator, pair->triangle_boxes, pair->a->dense->tree.triangle_count, lt_box);
    lt_spatial_hash_free(&pair->hash);
    lt_query_front_free(&pair->front);
    *pair = (lt_fine_pair){0};
}

/* ---- ways ---- */

double lt_fine_lap_us(uint64_t *since_ns) {
    uint64_t now = lt_os_now_ns(), before = *since_ns;
    *since_ns = now;
    return 1e-3 * (double)(now - before);
}

static void begin_boxes(lt_fine_body *body) {
    lt_multiscale_begin(&body->boxes, body->from, body->to, body->box);
}

static void mark_tets(lt_fine_pair *p) {
    lt_self_begin(&p->a->self, p->a->from, p->a->to, p->query.separation, p->a->boxes.slack);
    lt_self_mark(&p->a->self);
}

/* Trees that are made otherwise of the same shape have none. */
static const lt_multiscale_order *order_of(const lt_fine_body *body) {
    return body->boxes.tree == &body->dense->tree ? &body->dense->order : NULL;
}

static void fit_boxes(lt_fine_body *body, lt_fine_way way) {
    begin_boxes(body);
    if (way == LT_FINE_REFIT)
        lt_multiscale_refit_whole(&body->boxes, order_of(body));
    else
        lt_multiscale_fit(&body->boxes);
}

/* Evaluates the surface and boxes its triangles; returns the mean of their longest sides. */
static float box_triangles(lt_fine_pair *p) {
    lt_multiscale *m = &p->a->boxes;
    const lt_multiscale_tree *tree = m->tree;
    double sum = 0;
    begin_boxes(p->a);
    m->kernels->take_nodes(m, 0, m->node_count);
    m->kernels->evaluate(m, 0, tree->point_count);
    for (uint32_t i = 0; i < tree->triangle_count; i++) {
        const uint32_t *corners = tree->triangles + 3 * (size_t)i;
        lt_box box = lt_box_empty();
        for (uint32_t k = 0; k < 6; k++)
            box = lt_box_add_point(box, lt_multiscale_position(m, corners[k % 3], k / 3));
        lt_vec3 d = lt_v3_sub(box.hi, box.lo);
        sum += (double)lt_max_f(lt_max_f(d.x, d.y), d.z);
        p->triangle_boxes[i] = box;
    }
    return (float)(sum / tree->triangle_count);
}

static lt_ccd_surface surface_of(const lt_multiscale *m) {
    return (lt_ccd_surface){.start = (const lt_vec3 *)m->positions,
                            .end = (const lt_vec3 *)(m->positions + 4),
                            .triangles = m->tree->triangles,
                            .stride = 8};
}

void lt_fine_test_pairs(lt_fine_pair *pair, const lt_spatial_pair *pairs, uint32_t count) {
    lt_query *q = &pair->query;
    lt_ccd_surface a = surface_of(q->a), b = surface_of(q->b);
    for (uint32_t first = 0; first < count; first += LT_QUERY_BATCH) {
        lt_ccd_pair batch[LT_QUERY_BATCH];
        uint32_t batch_count = lt_min_u32(LT_QUERY_BATCH, count - first);
        uint64_t kept = 0;
        for (uint32_t i = 0; i < batch_count; i++) {
            lt_spatial_pair p = pairs[first + i];
            bool swap = q->a == q->b && p.b < p.a;
            batch[i] = swap ? (lt_ccd_pair){p.b, p.a} : (lt_ccd_pair){p.a, p.b};
        }
        q->may_meet(&kept, &a, &b, batch, batch_count, q->separation);
        for (; kept; kept &= kept - 1) {
            lt_ccd_pair found = batch[__builtin_ctzll(kept)];
            lt_query_test_triangles(q, found.a, found.b);
        }
    }
}

/* Cells of twice the mean of the sides: the quickest of one to four times. */
static lt_fine_times step_hash(lt_fine_pair *p) {
    lt_fine_times t = {0};
    uint64_t watch = lt_os_now_ns();
    lt_spatial_input input = {.boxes = p->triangle_boxes,
                              .item_count = p->a->dense->tree.triangle_count,
                              .cell_size = 2 * box_triangles(p)};
    lt_spatial_pairs cursor;
    lt_spatial_pair pairs[1024];
    lt_spatial_hash_begin(&p->hash, &input);
    lt_spatial_hash_build(&p->hash, NULL);
    t.fit_us = lt_fine_lap_us(&watch);
    p->query.meeting_count = p->query.dropped_count = 0;
    lt_spatial_pairs_begin(&cursor, &p->hash);
    while (!cursor.done) {
        uint32_t count;
        lt_spatial_pairs_step(&cursor, &p->hash, 1u << 20, pairs, LT_COUNT_OF(pairs), &count);
        lt_fine_test_pairs(p, pairs, count);
    }
    t.query_us = lt_fine_lap_us(&watch);
    t.whole_us = t.fit_us + t.tets_us + t.query_us;
    return t;
}

lt_fine_times lt_fine_step(lt_fine_pair *pair, lt_fine_way way) {
    bool self = pair->a == pair->b, marks = self && (way == LT_FINE_MULTISCALE || way == LT_FINE_FRONT);
    lt_fine_times t = {0};
    pair->query.self = marks ? &pair->a->self : NULL;
    pair->query.front = way == LT_FINE_FRONT ? &pair->front : NULL;
    if (way == LT_FINE_HASH) return step_hash(pair);
    uint64_t watch = lt_os_now_ns();
    fit_boxes(pair->a, way);
    if (!self) fit_boxes(pair->b, way);
    t.fit_us = lt_fine_lap_us(&watch);
    if (marks) mark_tets(pair);
    t.tets_us = lt_fine_lap_us(&watch);
    lt_query_begin(&pair->query);
    lt_query_run(&pair->query);
    t.query_us = lt_fine_lap_us(&watch);
    t.whole_us = t.fit_us + t.tets_us + t.query_us;
    return t;
}

/* Every one of them with the front of the step before: of the two lists of a front a query writes the other one. */
lt_fine_times lt_fine_time_step(lt_fine_pair *pair, lt_fine_way way, uint32_t repetitions) {
    lt_query_front before = pair->front;
    lt_fine_times best = lt_fine_step(pair, way);
    for (uint32_t i = 1; i < repetitions; i++) {
        pair->front = before;
        lt_fine_times t = lt_fine_step(pair, way);
        if (t.whole_us < best.whole_us) best = t;
    }
    return best;
}
