/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One body as the judge has it. What does not change is copied or retained as the body is added; what moves is read from
 * the world before every check. */

#include "embed/embed.h"
#include "judge/judge_internal.h"
#include "mesh/weld.h"

#include <string.h>

/* ---- surfaces ---- */

/* Counts the triangles of every edge by the first of equal edges. */
static bool find_closed(lt_judge_surface *surface, const lt_allocator *allocator) {
    const lt_surface *mesh = &surface->mesh;
    uint32_t count = 3 * mesh->triangle_count;
    uint32_t(*keys)[3] = lt_allocate(allocator, count, sizeof *keys);
    uint32_t *first = LT_NEW(allocator, count, uint32_t), *uses = LT_NEW(allocator, count, uint32_t);
    bool ok = keys && first && uses;
    for (uint32_t i = 0; ok && i < count; i++) {
        const uint32_t *t = lt_triangle_at(mesh, i / 3);
        uint32_t a = t[i % 3], b = t[(i + 1) % 3];
        keys[i][0] = lt_min_u32(a, b);
        keys[i][1] = lt_max_u32(a, b);
    }
    ok = ok && lt_first_of_equal(first, (const uint32_t(*)[3])keys, count, allocator);
    for (uint32_t i = 0; ok && i < count; i++)
        uses[first[i]]++;
    surface->is_closed = ok && count > 0;
    for (uint32_t i = 0; ok && i < count; i++)
        surface->is_closed = surface->is_closed && uses[i] % 2 == 0;
    lt_release(allocator, keys, count, sizeof *keys);
    LT_DELETE(allocator, first, count, uint32_t);
    LT_DELETE(allocator, uses, count, uint32_t);
    return ok;
}

static bool weld(lt_surface *mesh, const lt_allocator *allocator) {
    uint32_t *first = LT_NEW(allocator, mesh->vertex_count, uint32_t);
    bool ok = first && lt_weld_positions(first, mesh->positions, mesh->vertex_count, allocator);
    for (uint32_t i = 0; ok && i < 3 * mesh->triangle_count; i++)
        mesh->triangles[i] = first[mesh->triangles[i]];
    LT_DELETE(allocator, first, mesh->vertex_count, uint32_t);
    return ok;
}

void lt_judge_surface_free(lt_judge_surface *surface) {
    if (surface->tree.surface) {
        LT_DELETE(&surface->tree.allocator, surface->boxes, surface->tree.triangle_count, lt_box);
        lt_triangle_tree_free(&surface->tree);
    }
    lt_surface_free(&surface->mesh);
    *surface = (lt_judge_surface){0};
}

lt_status lt_judge_surface_create(lt_judge_surface *out, const lt_surface *surface,
                                  const lt_allocator *allocator, lt_error *error) {
    *out = (lt_judge_surface){0};
    lt_status status =
        lt_surface_allocate(&out->mesh, surface->vertex_count, surface->triangle_count, allocator, error);
    if (status != LT_OK) return status;
    memcpy(out->mesh.positions, surface->positions, surface->vertex_count * sizeof(lt_vec3));
    memcpy(out->mesh.triangles, surface->triangles, 3 * (size_t)surface->triangle_count * sizeof(uint32_t));
    if (!weld(&out->mesh, allocator) || !find_closed(out, allocator))
        status = lt_fail(error, LT_STATUS_MEMORY, "judge: no memory for a surface of %u triangles",
                         surface->triangle_count);
    if (status == LT_OK) status = lt_triangle_tree_build(&out->tree, &out->mesh, allocator, error);
    if (status == LT_OK && !(out->boxes = LT_NEW(allocator, surface->triangle_count, lt_box)))
        status = lt_fail(error, LT_STATUS_MEMORY, "judge: no memory for the boxes of %u triangles",
                         surface->triangle_count);
    if (status != LT_OK) return lt_judge_surface_free(out), status;
    lt_judge_surface_update(out);
    return LT_OK;
}

static lt_box box_of(const lt_surface *mesh, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(mesh, triangle);
    const lt_vec3 *p = mesh->positions;
    return (lt_box){lt_v3_min(lt_v3_min(p[t[0]], p[t[1]]), p[t[2]]),
                    lt_v3_max(lt_v3_max(p[t[0]], p[t[1]]), p[t[2]])};
}

void lt_judge_surface_update(lt_judge_surface *surface) {
    for (uint32_t i = 0; i < surface->tree.triangle_count; i++)
        surface->boxes[i] = box_of(&surface->mesh, surface->tree.triangles[i]);
    surface->box = lt_surface_box(&surface->mesh);
    lt_triangle_tree_refit(&surface->tree);
}

/* ---- the carrier ---- */

static uint32_t corner_count(const lt_judge_body *body) {
    return body->carrier.cell_count ? 8 : 4;
}
static uint32_t element_count(const lt_judge_body *body) {
    return body->carrier.cell_count ? body->carrier.cell_count : body->carrier.tet_count;
}
static const uint32_t *element_at(const lt_judge_body *body, uint32_t element) {
    return (body->carrier.cell_count ? body->carrier.cells : body->carrier.tets) +
           corner_count(body) * (size_t)element;
}

lt_dvec3 lt_judge_middle(const lt_judge_body *body, uint32_t element) {
    const uint32_t *corners = element_at(body, element);
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < corner_count(body); i++)
        sum = lt_d3_add(sum, lt_d3_from_v3(body->nodes[corners[i]]));
    return lt_d3_scale(sum, 1.0 / corner_count(body));
}

static bool shares_node(const lt_judge_body *body, uint32_t a, uint32_t b) {
    const uint32_t *x = element_at(body, a), *y = element_at(body, b);
    for (uint32_t i = 0; i < corner_count(body); i++)
        for (uint32_t k = 0; k < corner_count(body); k++)
            if (x[i] == y[k]) return true;
    return false;
}

bool lt_judge_share_node(const lt_judge_body *body, uint32_t a, uint32_t b) {
    const uint32_t *s = lt_triangle_at(&body->surface.mesh, a), *t = lt_triangle_at(&body->surface.mesh, b);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (shares_node(body, body->point_elements[s[i]], body->point_elements[t[k]])) return true;
    return false;
}

/* Carriers stand out of the surfaces that they enclose: middles outside are of nothing. At rest, in the shape's own
 * frame. */
static lt_status find_inner(lt_judge_body *body, const lt_surface *rest, const lt_allocator *allocator,
                            lt_error *error) {
    lt_judge_surface still;
    lt_status status = lt_judge_surface_create(&still, rest, allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t node = 0; node < body->carrier.node_count; node++) {
        const double *p = body->carrier.rest + 3 * (size_t)node;
        body->nodes[node] = (lt_vec3){(float)p[0], (float)p[1], (float)p[2]};
    }
    for (uint32_t i = 0; i < element_count(body); i++)
        if (lt_judge_is_inside(&still, lt_judge_middle(body, i))) body->inner[body->inner_count++] = i;
    lt_judge_surface_free(&still);
    return LT_OK;
}

/* ---- the body ---- */

static bool allocate_body(lt_judge_body *body, const lt_skin *skin, const lt_allocator *allocator) {
    uint32_t node_count = body->carrier.node_count;
    body->nodes = LT_NEW(allocator, node_count, lt_vec3);
    body->velocities = LT_NEW(allocator, node_count, lt_vec3);
    body->masses = LT_NEW(allocator, node_count, double);
    body->inner = LT_NEW(allocator, element_count(body), uint32_t);
    body->sets = LT_NEW(allocator, skin->point_count, uint32_t);
    body->sides = LT_NEW(allocator, skin->point_count, uint8_t);
    body->met = LT_NEW(allocator, skin->triangle_count, uint8_t);
    body->trails = LT_ARRAY_OF(allocator, lt_judge_trail);
    return body->nodes && body->velocities && body->masses && body->inner && body->sets && body->sides &&
           body->met;
}

void lt_judge_body_free(lt_judge_body *body, const lt_allocator *allocator) {
    if (!body) return;
    uint32_t node_count = body->carrier.node_count;
    LT_DELETE(allocator, body->nodes, node_count, lt_vec3);
    LT_DELETE(allocator, body->velocities, node_count, lt_vec3);
    LT_DELETE(allocator, body->masses, node_count, double);
    LT_DELETE(allocator, body->inner, element_count(body), uint32_t);
    LT_DELETE(allocator, body->sets, body->surface.mesh.vertex_count, uint32_t);
    LT_DELETE(allocator, body->sides, body->surface.mesh.vertex_count, uint8_t);
    LT_DELETE(allocator, body->met, body->surface.mesh.triangle_count, uint8_t);
    lt_array_free(&body->trails);
    lt_judge_surface_free(&body->surface);
    lt_shape_release(body->shape);
    LT_DELETE(allocator, body, 1, lt_judge_body);
}

static lt_status fill_body(lt_judge_body *body, lt_world *world, const lt_allocator *allocator,
                           lt_error *error) {
    lt_skin skin;
    lt_status status = lt_carrier_read_finest(&body->carrier, body->shape, error);
    if (status == LT_OK) status = lt_skin_read(&skin, body->shape, &body->carrier, error);
    if (status != LT_OK) return status;
    lt_surface rest = lt_skin_surface(&skin);
    /* The counts that memory is given back by come first. */
    status = lt_judge_surface_create(&body->surface, &rest, allocator, error);
    if (status != LT_OK) return status;
    if (!allocate_body(body, &skin, allocator))
        return lt_fail(error, LT_STATUS_MEMORY, "judge: no memory for a body");
    if (lt_body_node_count(world, body->id) != body->carrier.node_count)
        return lt_fail(error, LT_STATUS_INVALID, "judge: a body of %u nodes was added with a shape of %u",
                       lt_body_node_count(world, body->id), body->carrier.node_count);
    body->point_elements = skin.tets;
    status = find_inner(body, &rest, allocator, error);
    if (status == LT_OK) lt_judge_weigh(body);
    return status;
}

lt_status lt_judge_body_create(lt_judge_body **out, lt_world *world, lt_body_id id, const lt_body_def *def,
                               const lt_allocator *allocator, lt_error *error) {
    lt_judge_body *body = *out = LT_NEW(allocator, 1, lt_judge_body);
    if (!body) return lt_fail(error, LT_STATUS_MEMORY, "judge: no memory for a body");
    *body = (lt_judge_body){.id = id,
                            .shape = lt_shape_retain(def->shape),
                            .material = def->material,
                            .young = (double)def->material.young,
                            .model = def->model,
                            .group = def->collision_group,
                            .mask = def->collision_mask,
                            .scale = def->scale};
    lt_status status = fill_body(body, world, allocator, error);
    if (status == LT_OK) return LT_OK;
    lt_judge_body_free(body, allocator);
    *out = NULL;
    return status;
}

static bool all_finite(const lt_vec3 *vectors, uint32_t count) {
    float poison = 0;
    for (uint32_t i = 0; i < count; i++)
        poison +=
            (vectors[i].x - vectors[i].x) + (vectors[i].y - vectors[i].y) + (vectors[i].z - vectors[i].z);
    return poison == 0;
}

void lt_judge_check_finite(lt_judge_body *body) {
    const lt_surface *mesh = &body->surface.mesh;
    body->is_finite = all_finite(mesh->positions, mesh->vertex_count) &&
                      all_finite(body->nodes, body->carrier.node_count) &&
                      all_finite(body->velocities, body->carrier.node_count);
}

void lt_judge_body_update(lt_judge_body *body, lt_world *world, const double from[3]) {
    lt_surface_view view = lt_body_surface_from(world, body->id, from);
    LT_ASSERT(view.vertex_count == body->surface.mesh.vertex_count);
    memcpy(body->surface.mesh.positions, view.positions, view.vertex_count * sizeof(lt_vec3));
    lt_body_get_nodes_from(world, body->id, from, body->nodes, body->velocities);
    body->young = (double)lt_body_young(world, body->id);
    lt_judge_check_finite(body);
    if (body->is_finite) lt_judge_surface_update(&body->surface);
}
