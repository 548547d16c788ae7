/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The public front of the readers and writers. What a reader made is handed over array by array, nothing is copied; what is
 * to be written is looked at first, since it may come from anywhere. */

#include "io/mesh_file.h"

#include "io/read.h"
#include "io/write.h"

#include <string.h>

/* ---- in ---- */

static void hand_over(lt_mesh_file *out, const lt_mesh_content *content, lt_status status) {
    *out = (lt_mesh_file){0};
    if (status != LT_OK) return;
    const lt_surface *surface = &content->surface;
    const lt_tet_mesh *tets = &content->tets;
    *out = (lt_mesh_file){.surface_positions = surface->positions ? &surface->positions->x : NULL,
                          .surface_triangles = surface->triangles,
                          .node_positions = tets->positions ? &tets->positions->x : NULL,
                          .tets = tets->tets,
                          .surface_vertex_count = surface->vertex_count,
                          .surface_triangle_count = surface->triangle_count,
                          .node_count = tets->node_count,
                          .tet_count = tets->tet_count,
                          .group_names = content->groups.names,
                          .triangle_groups = content->groups.triangle_groups,
                          .tet_groups = content->groups.tet_groups,
                          .group_count = content->groups.count,
                          .split_polygon_count = content->split_polygon_count,
                          .skipped_cell_count = content->skipped_cell_count,
                          .higher_order_count = content->higher_order_count,
                          .turned_tet_count = content->turned_tet_count,
                          .unused_node_count = content->unused_node_count,
                          .allocator = surface->triangle_count ? surface->allocator : tets->allocator};
}

lt_status lt_mesh_file_load(const char *path, const lt_allocator *allocator, lt_mesh_file *out,
                            lt_error *error) {
    lt_mesh_content content;
    if (!LT_REQUIRE(path != NULL)) return LT_STATUS_INVALID;
    lt_status status = lt_read_mesh(&content, path, allocator, error);
    hand_over(out, &content, status);
    return status;
}

lt_status lt_mesh_file_from_memory(const void *bytes, size_t size, const char *name,
                                   const lt_allocator *allocator, lt_mesh_file *out, lt_error *error) {
    lt_mesh_content content;
    if (!LT_REQUIRE(name != NULL && (bytes != NULL || size == 0))) return LT_STATUS_INVALID;
    lt_status status = lt_read_mesh_bytes(&content, bytes, size, name, allocator, error);
    hand_over(out, &content, status);
    return status;
}

lt_status lt_mesh_file_from_tetgen(lt_mesh_bytes node, lt_mesh_bytes ele, const char *name,
                                   const lt_allocator *allocator, lt_mesh_file *out, lt_error *error) {
    lt_mesh_content content;
    if (!LT_REQUIRE(name != NULL && node.bytes != NULL && ele.bytes != NULL)) return LT_STATUS_INVALID;
    lt_status status =
        lt_read_tetgen(&content, node.bytes, node.size, ele.bytes, ele.size, name, allocator, error);
    hand_over(out, &content, status);
    return status;
}

lt_surface lt_mesh_file_take_surface(lt_mesh_file *mesh) {
    lt_surface surface = lt_mesh_file_surface(mesh);
    LT_DELETE(&mesh->allocator, mesh->triangle_groups, mesh->surface_triangle_count, uint32_t);
    mesh->triangle_groups = NULL;
    mesh->surface_positions = NULL;
    mesh->surface_triangles = NULL;
    mesh->surface_vertex_count = mesh->surface_triangle_count = 0;
    return surface;
}

lt_tet_mesh lt_mesh_file_take_tets(lt_mesh_file *mesh) {
    lt_tet_mesh tets = lt_mesh_file_tets(mesh);
    LT_DELETE(&mesh->allocator, mesh->tet_groups, mesh->tet_count, uint32_t);
    mesh->tet_groups = NULL;
    mesh->node_positions = NULL;
    mesh->tets = NULL;
    mesh->node_count = mesh->tet_count = 0;
    return tets;
}

static lt_mesh_groups groups_of(const lt_mesh_file *mesh) {
    return (lt_mesh_groups){mesh->group_names, mesh->triangle_groups, mesh->tet_groups, mesh->group_count};
}

void lt_mesh_file_free(lt_mesh_file *mesh) {
    lt_mesh_groups groups = groups_of(mesh);
    lt_mesh_groups_free(&groups, mesh->surface_triangle_count, mesh->tet_count, &mesh->allocator);
    lt_surface surface = lt_mesh_file_surface(mesh);
    lt_tet_mesh tets = lt_mesh_file_tets(mesh);
    lt_surface_free(&surface);
    lt_tet_mesh_free(&tets);
    *mesh = (lt_mesh_file){0};
}

void lt_mesh_file_bounds(const lt_mesh_file *mesh, lt_vec3 *lo, lt_vec3 *hi) {
    lt_surface surface = lt_mesh_file_surface(mesh);
    lt_box box = lt_surface_box(&surface);
    const double *node = mesh->node_positions;
    for (uint32_t i = 0; i < mesh->node_count; i++, node += 3)
        box = lt_box_add_point(box, (lt_vec3){(float)node[0], (float)node[1], (float)node[2]});
    if (mesh->surface_vertex_count == 0 && mesh->node_count == 0) box = (lt_box){{0, 0, 0}, {0, 0, 0}};
    *lo = box.lo;
    *hi = box.hi;
}

/* ---- out ---- */

static lt_status check_groups(const uint32_t *groups, uint32_t count, const char *element,
                              const lt_mesh_file *mesh, const char *path, lt_error *error) {
    for (uint32_t i = 0; groups && i < count; i++)
        if (groups[i] >= mesh->group_count && groups[i] != LT_MESH_NO_GROUP)
            return lt_fail(error, LT_STATUS_INVALID, "%s: %s %u: group %u of %u", path, element, i, groups[i],
                           mesh->group_count);
    return LT_OK;
}

/* Empty parts are allowed, but not both of them. */
static lt_status check_mesh(const lt_mesh_file *mesh, const char *path, lt_error *error) {
    lt_surface surface = lt_mesh_file_surface(mesh);
    lt_tet_mesh tets = lt_mesh_file_tets(mesh);
    if (surface.triangle_count == 0 && tets.tet_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s: there are neither triangles nor tets to write", path);
    lt_status status = surface.triangle_count ? lt_surface_check(&surface, path, error) : LT_OK;
    if (status == LT_OK && tets.tet_count) status = lt_tet_mesh_check(&tets, path, error);
    if (status == LT_OK)
        status = check_groups(mesh->triangle_groups, surface.triangle_count, "triangle", mesh, path, error);
    return status == LT_OK ? check_groups(mesh->tet_groups, tets.tet_count, "tet", mesh, path, error)
                           : status;
}

static lt_status save_vtu(const lt_mesh_file *mesh, const char *path, lt_error *error) {
    lt_surface surface = lt_mesh_file_surface(mesh);
    lt_vtu_grid grid = {.points = surface.positions,
                        .corners = surface.triangles,
                        .point_count = surface.vertex_count,
                        .cell_count = surface.triangle_count,
                        .cell = LT_VTU_TRIANGLE};
    if (mesh->tet_count == 0) return lt_write_vtu(path, &grid, &mesh->allocator, error);
    lt_vec3 *points = LT_NEW(&mesh->allocator, mesh->node_count, lt_vec3);
    if (!points) return lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory while writing", path);
    const double *node = mesh->node_positions;
    for (uint32_t i = 0; i < mesh->node_count; i++, node += 3)
        points[i] = (lt_vec3){(float)node[0], (float)node[1], (float)node[2]};
    grid = (lt_vtu_grid){.points = points,
                         .corners = mesh->tets,
                         .point_count = mesh->node_count,
                         .cell_count = mesh->tet_count,
                         .cell = LT_VTU_TET};
    lt_status status = lt_write_vtu(path, &grid, &mesh->allocator, error);
    LT_DELETE(&mesh->allocator, points, mesh->node_count, lt_vec3);
    return status;
}

/* Nodes of the tets, then vertices of the surface: read back, both are what they were. */
static lt_status save_msh(const lt_mesh_file *mesh, const char *path, lt_mesh_form form, lt_error *error) {
    uint64_t node_count = (uint64_t)mesh->node_count + mesh->surface_vertex_count;
    if (node_count > INT32_MAX)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "%s: more nodes than Gmsh's int can number", path);
    lt_tet_mesh nodes = lt_mesh_file_tets(mesh);
    size_t corner_count = 3 * (size_t)mesh->surface_triangle_count;
    nodes.node_count = (uint32_t)node_count;
    nodes.positions = LT_NEW(&mesh->allocator, nodes.node_count, lt_dvec3);
    uint32_t *corners = LT_NEW(&mesh->allocator, corner_count, uint32_t);
    lt_status status = LT_OK;
    if (!nodes.positions || !corners)
        status = lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory while writing", path);
    if (status == LT_OK) {
        const lt_vec3 *vertices = lt_mesh_file_surface(mesh).positions;
        if (mesh->node_count)
            memcpy(nodes.positions, mesh->node_positions, mesh->node_count * sizeof(lt_dvec3));
        for (uint32_t i = 0; i < mesh->surface_vertex_count; i++)
            nodes.positions[mesh->node_count + i] = lt_d3_from_v3(vertices[i]);
        for (size_t i = 0; i < corner_count; i++)
            corners[i] = mesh->node_count + mesh->surface_triangles[i];
        lt_mesh_groups groups = groups_of(mesh);
        status = lt_write_msh(path, &nodes, corners, mesh->surface_triangle_count, &groups, form, error);
    }
    LT_DELETE(&mesh->allocator, nodes.positions, nodes.node_count, lt_dvec3);
    LT_DELETE(&mesh->allocator, corners, corner_count, uint32_t);
    return status;
}

typedef enum save_format { SAVE_OBJ, SAVE_PLY, SAVE_STL, SAVE_MSH, SAVE_VTU, SAVE_FORMAT_COUNT } save_format;

static save_format format_of(const char *path) {
    static const char *const endings[] = {".obj ", ".ply ", ".stl ", ".msh ", ".vtu "};
    int format = 0;
    while (format < SAVE_FORMAT_COUNT && !lt_path_ends_with(path, endings[format]))
        format++;
    return (save_format)format;
}

static lt_status check_format(save_format format, const lt_mesh_file *mesh, const char *path,
                              lt_mesh_form form, lt_error *error) {
    if (format == SAVE_FORMAT_COUNT)
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "%s: not a format that is written: give .obj, .ply, .stl, .msh or .vtu", path);
    if (form == LT_MESH_TEXT && (format == SAVE_PLY || format == SAVE_VTU))
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "%s: written in binary only; .obj, .stl and .msh can be text", path);
    if (mesh->surface_triangle_count == 0 && format != SAVE_MSH && format != SAVE_VTU)
        return lt_fail(error, LT_STATUS_INVALID,
                       "%s: has tets only, and this format holds surfaces; .msh and .vtu hold tets", path);
    return LT_OK;
}

lt_status lt_mesh_file_save(const lt_mesh_file *mesh, const char *path, lt_mesh_form form, lt_error *error) {
    save_format format = format_of(path);
    lt_surface surface = lt_mesh_file_surface(mesh);
    lt_mesh_groups groups = groups_of(mesh);
    lt_status status = check_mesh(mesh, path, error);
    if (status == LT_OK) status = check_format(format, mesh, path, form, error);
    if (status != LT_OK) return status;
    switch (format) {
    case SAVE_OBJ: return lt_write_obj(path, &surface, &groups, error);
    case SAVE_PLY: return lt_write_ply(path, &surface, error);
    case SAVE_STL: return lt_write_stl(path, &surface, form, error);
    case SAVE_MSH: return save_msh(mesh, path, form, error);
    default: return save_vtu(mesh, path, error);
    }
}
