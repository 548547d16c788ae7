/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "mesh/mesh.h"

const uint8_t lt_tet_face_corners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
const uint8_t lt_tet_edge_corners[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

lt_status lt_surface_allocate(lt_surface *out, uint32_t vertex_count, uint32_t triangle_count,
                              const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){.vertex_count = vertex_count,
                        .triangle_count = triangle_count,
                        .allocator = allocator ? *allocator : lt_allocator_default()};
    out->positions = LT_NEW(&out->allocator, vertex_count, lt_vec3);
    out->triangles = LT_NEW(&out->allocator, 3 * (size_t)triangle_count, uint32_t);
    if (out->positions && out->triangles) return LT_OK;
    lt_surface_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a surface of %u vertices and %u triangles",
                   vertex_count, triangle_count);
}

lt_status lt_tet_mesh_allocate(lt_tet_mesh *out, uint32_t node_count, uint32_t tet_count,
                               const lt_allocator *allocator, lt_error *error) {
    *out = (lt_tet_mesh){.node_count = node_count,
                         .tet_count = tet_count,
                         .allocator = allocator ? *allocator : lt_allocator_default()};
    out->positions = LT_NEW(&out->allocator, node_count, lt_dvec3);
    out->tets = LT_NEW(&out->allocator, 4 * (size_t)tet_count, uint32_t);
    if (out->positions && out->tets) return LT_OK;
    lt_tet_mesh_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a mesh of %u nodes and %u tets", node_count,
                   tet_count);
}

lt_status lt_cell_mesh_allocate(lt_cell_mesh *out, uint32_t node_count, uint32_t cell_count,
                                const lt_allocator *allocator, lt_error *error) {
    *out = (lt_cell_mesh){.node_count = node_count,
                          .cell_count = cell_count,
                          .allocator = allocator ? *allocator : lt_allocator_default()};
    out->positions = LT_NEW(&out->allocator, node_count, lt_dvec3);
    out->cells = LT_NEW(&out->allocator, 8 * (size_t)cell_count, uint32_t);
    out->places = LT_NEW(&out->allocator, cell_count, uint32_t);
    out->fill = LT_NEW(&out->allocator, cell_count, float);
    if (out->positions && out->cells && out->places && out->fill) return LT_OK;
    lt_cell_mesh_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a lattice of %u nodes and %u cells", node_count,
                   cell_count);
}

void lt_surface_free(lt_surface *surface) {
    LT_DELETE(&surface->allocator, surface->positions, surface->vertex_count, lt_vec3);
    LT_DELETE(&surface->allocator, surface->triangles, 3 * (size_t)surface->triangle_count, uint32_t);
    *surface = (lt_surface){0};
}

void lt_tet_mesh_free(lt_tet_mesh *mesh) {
    LT_DELETE(&mesh->allocator, mesh->positions, mesh->node_count, lt_dvec3);
    LT_DELETE(&mesh->allocator, mesh->tets, 4 * (size_t)mesh->tet_count, uint32_t);
    *mesh = (lt_tet_mesh){0};
}

void lt_cell_mesh_free(lt_cell_mesh *mesh) {
    LT_DELETE(&mesh->allocator, mesh->positions, mesh->node_count, lt_dvec3);
    LT_DELETE(&mesh->allocator, mesh->cells, 8 * (size_t)mesh->cell_count, uint32_t);
    LT_DELETE(&mesh->allocator, mesh->places, mesh->cell_count, uint32_t);
    LT_DELETE(&mesh->allocator, mesh->fill, mesh->cell_count, float);
    *mesh = (lt_cell_mesh){0};
}

lt_status lt_surface_check(const lt_surface *surface, const char *name, lt_error *error) {
    if (surface->vertex_count == 0 || surface->triangle_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s: the surface has no triangles", name);
    for (uint32_t i = 0; i < surface->vertex_count; i++)
        if (!lt_v3_is_finite(surface->positions[i]))
            return lt_fail(error, LT_STATUS_INVALID, "%s: vertex %u: a coordinate is not a finite number",
                           name, i);
    for (uint32_t i = 0; i < surface->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (lt_triangle_at(surface, i)[k] >= surface->vertex_count)
                return lt_fail(error, LT_STATUS_INVALID,
                               "%s: triangle %u: vertex index %u, but there are only %u vertices", name, i,
                               lt_triangle_at(surface, i)[k], surface->vertex_count);
    return LT_OK;
}

static double volume_of_tet(const lt_tet_mesh *mesh, uint32_t index) {
    const uint32_t *t = lt_tet_at(mesh, index);
    return lt_tet_volume(mesh->positions[t[0]], mesh->positions[t[1]], mesh->positions[t[2]],
                         mesh->positions[t[3]]);
}

lt_status lt_tet_mesh_check(const lt_tet_mesh *mesh, const char *name, lt_error *error) {
    if (mesh->node_count == 0 || mesh->tet_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s: the mesh has no tets", name);
    for (uint32_t i = 0; i < mesh->node_count; i++)
        if (!lt_d3_is_finite(mesh->positions[i]))
            return lt_fail(error, LT_STATUS_INVALID, "%s: node %u: a coordinate is not a finite number", name,
                           i);
    for (uint32_t i = 0; i < mesh->tet_count; i++) {
        for (int k = 0; k < 4; k++)
            if (lt_tet_at(mesh, i)[k] >= mesh->node_count)
                return lt_fail(error, LT_STATUS_INVALID,
                               "%s: tet %u: node index %u, but there are only %u nodes", name, i,
                               lt_tet_at(mesh, i)[k], mesh->node_count);
        double volume = volume_of_tet(mesh, i);
        if (!(volume > 0))
            return lt_fail(error, LT_STATUS_INVALID, "%s: tet %u: volume %g is not positive", name, i,
                           volume);
    }
    return LT_OK;
}

uint32_t lt_tet_mesh_orient(lt_tet_mesh *mesh) {
    uint32_t turned = 0;
    for (uint32_t i = 0; i < mesh->tet_count; i++) {
        if (!(volume_of_tet(mesh, i) < 0)) continue;
        uint32_t *t = mesh->tets + 4 * (size_t)i;
        uint32_t swap = t[2];
        t[2] = t[3];
        t[3] = swap;
        turned++;
    }
    return turned;
}

lt_box lt_surface_box(const lt_surface *surface) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < surface->vertex_count; i++)
        box = lt_box_add_point(box, surface->positions[i]);
    return box;
}

double lt_surface_volume(const lt_surface *surface) {
    double six_volumes = 0;
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        const uint32_t *t = lt_triangle_at(surface, i);
        lt_dvec3 a = lt_d3_from_v3(surface->positions[t[0]]);
        lt_dvec3 b = lt_d3_from_v3(surface->positions[t[1]]);
        lt_dvec3 c = lt_d3_from_v3(surface->positions[t[2]]);
        six_volumes += lt_d3_dot(a, lt_d3_cross(b, c));
    }
    return six_volumes / 6;
}

double lt_surface_area(const lt_surface *surface) {
    double twice_area = 0;
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        const uint32_t *t = lt_triangle_at(surface, i);
        lt_dvec3 a = lt_d3_from_v3(surface->positions[t[0]]);
        lt_dvec3 ab = lt_d3_sub(lt_d3_from_v3(surface->positions[t[1]]), a);
        lt_dvec3 ac = lt_d3_sub(lt_d3_from_v3(surface->positions[t[2]]), a);
        twice_area += lt_d3_length(lt_d3_cross(ab, ac));
    }
    return twice_area / 2;
}

double lt_tet_volume(lt_dvec3 a, lt_dvec3 b, lt_dvec3 c, lt_dvec3 d) {
    return lt_d3_dot(lt_d3_sub(b, a), lt_d3_cross(lt_d3_sub(c, a), lt_d3_sub(d, a))) / 6;
}

double lt_tet_mesh_volume(const lt_tet_mesh *mesh) {
    double volume = 0;
    for (uint32_t i = 0; i < mesh->tet_count; i++)
        volume += volume_of_tet(mesh, i);
    return volume;
}
