/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/read_internal.h"

void lt_mesh_content_free(lt_mesh_content *content) {
    const lt_allocator *allocator =
        content->surface.triangle_count ? &content->surface.allocator : &content->tets.allocator;
    lt_mesh_groups_free(&content->groups, content->surface.triangle_count, content->tets.tet_count,
                        allocator);
    lt_surface_free(&content->surface);
    lt_tet_mesh_free(&content->tets);
    *content = (lt_mesh_content){0};
}

lt_status lt_read_no_memory(const char *name, lt_error *error) {
    return lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory while reading", name);
}

lt_status lt_mesh_content_begin(lt_mesh_content *out, size_t size, const char *name, lt_error *error) {
    LT_ASSERT(out && name);
    *out = (lt_mesh_content){0};
    if (size >= UINT32_MAX) return lt_fail(error, LT_STATUS_UNSUPPORTED, "%s: 4 GiB or more", name);
    return LT_OK;
}

lt_surface_builder lt_surface_builder_make(const lt_allocator *allocator) {
    return (lt_surface_builder){.positions = LT_ARRAY_OF(allocator, lt_vec3),
                                .triangles = LT_ARRAY_OF(allocator, uint32_t),
                                .groups = lt_group_builder_make(allocator)};
}

lt_status lt_read_vertex(lt_scanner *scanner, lt_surface_builder *builder) {
    double x[3];
    for (int k = 0; k < 3; k++)
        if (!lt_scan_real(scanner, &x[k]))
            return lt_scan_fail_expected(scanner, "three coordinates of a vertex");
    lt_vec3 position = {(float)x[0], (float)x[1], (float)x[2]};
    if (!lt_v3_is_finite(position))
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "a coordinate is not a finite float");
    if (!lt_array_push(&builder->positions, &position))
        return lt_read_no_memory(scanner->name, scanner->error);
    return LT_OK;
}

lt_status lt_surface_builder_end_polygon(lt_surface_builder *builder, lt_polygon *polygon,
                                         const lt_scanner *scanner) {
    builder->split_polygon_count += polygon->count > 3;
    if (!lt_polygon_end(polygon, builder->positions.items, builder->positions.count, &builder->triangles))
        return lt_read_no_memory(scanner->name, scanner->error);
    return LT_OK;
}

lt_status lt_read_group_name(lt_scanner *scanner, lt_surface_builder *builder) {
    const uint8_t *end = scanner->at;
    uint32_t group;
    while (end < scanner->end && *end != '\n' && *end != '\r')
        end++;
    bool ok = lt_group_find(&builder->groups, scanner->at, (size_t)(end - scanner->at), &group) &&
              lt_group_begin_run(&builder->groups.triangle_runs, builder->triangles.count / 3, group);
    return ok ? LT_OK : lt_read_no_memory(scanner->name, scanner->error);
}

static lt_status take_surface(lt_surface_builder *builder, lt_mesh_content *out, const char *name,
                              lt_error *error) {
    LT_ASSERT(builder->triangles.count % 3 == 0 && builder->positions.count < LT_NONE);
    size_t vertex_count = 0, index_count = 0;
    lt_surface *surface = &out->surface;
    surface->allocator = builder->positions.allocator;
    surface->positions = lt_array_take(&builder->positions, &vertex_count);
    surface->vertex_count = (uint32_t)vertex_count;
    if (surface->positions) surface->triangles = lt_array_take(&builder->triangles, &index_count);
    surface->triangle_count = (uint32_t)(index_count / 3);
    out->split_polygon_count = builder->split_polygon_count;
    if (!surface->triangles ||
        !lt_group_builder_finish(&builder->groups, &out->groups, surface->triangle_count, 0))
        return lt_read_no_memory(name, error);
    return lt_surface_check(surface, name, error);
}

lt_status lt_surface_builder_end(lt_surface_builder *builder, lt_status status, lt_mesh_content *out,
                                 const char *name, lt_error *error) {
    if (status == LT_OK) status = take_surface(builder, out, name, error);
    if (status != LT_OK) lt_mesh_content_free(out);
    lt_array_free(&builder->positions);
    lt_array_free(&builder->triangles);
    lt_group_builder_free(&builder->groups);
    return status;
}

/* Numbers the nodes that `indices` uses in their order, LT_NONE for the others; returns how many. */
static uint32_t number_used(uint32_t *number_of, size_t node_count, const lt_array *indices) {
    const uint32_t *index = indices->items;
    for (size_t i = 0; i < node_count; i++)
        number_of[i] = LT_NONE;
    for (size_t i = 0; i < indices->count; i++) {
        LT_ASSERT(index[i] < node_count);
        number_of[index[i]] = 0;
    }
    uint32_t used = 0;
    for (size_t i = 0; i < node_count; i++)
        if (number_of[i] != LT_NONE) number_of[i] = used++;
    return used;
}

static void renumber(uint32_t *to, const lt_array *indices, const uint32_t *number_of) {
    const uint32_t *index = indices->items;
    for (size_t i = 0; i < indices->count; i++)
        to[i] = number_of[index[i]];
}

static lt_status fill_tets(lt_mesh_content *out, const lt_array *nodes, const lt_array *tets,
                           uint32_t *number_of, lt_error *error) {
    uint32_t used = number_used(number_of, nodes->count, tets);
    lt_status status =
        lt_tet_mesh_allocate(&out->tets, used, (uint32_t)(tets->count / 4), &nodes->allocator, error);
    if (status != LT_OK) return status;
    const lt_dvec3 *position = nodes->items;
    for (size_t i = 0; i < nodes->count; i++)
        if (number_of[i] != LT_NONE) out->tets.positions[number_of[i]] = position[i];
    renumber(out->tets.tets, tets, number_of);
    out->unused_node_count = (uint32_t)nodes->count - used;
    out->turned_tet_count = lt_tet_mesh_orient(&out->tets);
    return LT_OK;
}

static lt_status fill_surface(lt_mesh_content *out, const lt_array *nodes, const lt_array *triangles,
                              uint32_t *number_of, lt_error *error) {
    uint32_t used = number_used(number_of, nodes->count, triangles);
    lt_status status =
        lt_surface_allocate(&out->surface, used, (uint32_t)(triangles->count / 3), &nodes->allocator, error);
    if (status != LT_OK) return status;
    const lt_dvec3 *position = nodes->items;
    for (size_t i = 0; i < nodes->count; i++)
        if (number_of[i] != LT_NONE) out->surface.positions[number_of[i]] = lt_v3_from_d3(position[i]);
    renumber(out->surface.triangles, triangles, number_of);
    return LT_OK;
}

lt_cell_builder lt_cell_builder_make(const lt_allocator *allocator) {
    return (lt_cell_builder){.nodes = LT_ARRAY_OF(allocator, lt_dvec3),
                             .tets = LT_ARRAY_OF(allocator, uint32_t),
                             .triangles = LT_ARRAY_OF(allocator, uint32_t),
                             .groups = lt_group_builder_make(allocator)};
}

/* Cut where its corners are: as places of an array of their own, then numbered as nodes again. */
static bool end_short_polygon(lt_cell_builder *builder, lt_polygon *polygon) {
    lt_vec3 positions[LT_POLYGON_CORNERS];
    uint32_t corners[LT_POLYGON_CORNERS], count = (uint32_t)polygon->count;
    const lt_dvec3 *nodes = builder->nodes.items;
    size_t first = builder->triangles.count;
    for (uint32_t i = 0; i < count; i++) {
        LT_ASSERT(polygon->corners[i] < builder->nodes.count);
        corners[i] = polygon->corners[i];
        positions[i] = lt_v3_from_d3(nodes[corners[i]]);
        polygon->corners[i] = i;
    }
    bool ok = lt_polygon_end(polygon, positions, count, &builder->triangles);
    uint32_t *index = builder->triangles.items;
    for (size_t i = first; i < builder->triangles.count; i++)
        index[i] = corners[index[i]];
    return ok;
}

bool lt_cell_builder_end_polygon(lt_cell_builder *builder, lt_polygon *polygon) {
    builder->split_polygon_count += polygon->count > 3;
    if (polygon->count <= LT_POLYGON_CORNERS) return end_short_polygon(builder, polygon);
    return lt_polygon_end(polygon, NULL, 0, &builder->triangles);
}

static lt_status take_cells(lt_mesh_content *out, lt_cell_builder *builder, const char *name,
                            lt_error *error) {
    const lt_array *nodes = &builder->nodes, *tets = &builder->tets, *triangles = &builder->triangles;
    LT_ASSERT(tets->count % 4 == 0 && triangles->count % 3 == 0 && nodes->count < LT_NONE);
    if (tets->count == 0 && triangles->count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s: no tets and no triangles (%zu nodes, %u other cells)",
                       name, nodes->count, out->skipped_cell_count);
    uint32_t *number_of = LT_NEW(&nodes->allocator, nodes->count, uint32_t);
    lt_status status = number_of ? LT_OK : lt_read_no_memory(name, error);
    if (status == LT_OK && tets->count > 0) status = fill_tets(out, nodes, tets, number_of, error);
    if (status == LT_OK && triangles->count > 0)
        status = fill_surface(out, nodes, triangles, number_of, error);
    LT_DELETE(&nodes->allocator, number_of, nodes->count, uint32_t);
    if (status == LT_OK && tets->count > 0) status = lt_tet_mesh_check(&out->tets, name, error);
    if (status == LT_OK && triangles->count > 0) status = lt_surface_check(&out->surface, name, error);
    if (status == LT_OK && !lt_group_builder_finish(&builder->groups, &out->groups,
                                                    out->surface.triangle_count, out->tets.tet_count))
        status = lt_read_no_memory(name, error);
    out->split_polygon_count = builder->split_polygon_count;
    return status;
}

lt_status lt_cell_builder_end(lt_cell_builder *builder, lt_status status, lt_mesh_content *out,
                              const char *name, lt_error *error) {
    if (status == LT_OK) status = take_cells(out, builder, name, error);
    if (status != LT_OK) lt_mesh_content_free(out);
    lt_array_free(&builder->nodes);
    lt_array_free(&builder->tets);
    lt_array_free(&builder->triangles);
    lt_group_builder_free(&builder->groups);
    return status;
}
