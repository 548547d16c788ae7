/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "export.h"

#include "io/write.h"
#include "picture/folder.h"
#include "picture/write_series.h"
#include "world/world.h"

#include <stdio.h>

enum { NAME_SIZE = 64, PATH_SIZE = LT_FOLDER_SIZE + NAME_SIZE };

/* One body's point cache. */
typedef struct body_cache {
    lt_pc2 pc2;
    char path[PATH_SIZE];
} body_cache;

/* A list of VTU files. */
typedef struct file_list {
    lt_pvd pvd;
    char path[PATH_SIZE];
} file_list;

struct lt_exporter {
    lt_export_def def;
    char folder[LT_FOLDER_SIZE];
    body_cache *caches;         /* [body count] */
    file_list bodies, carriers; /* vtu */
    lt_array positions;         /* lt_vec3, of nodes */
    lt_array wide_positions;    /* lt_dvec3, of nodes */
    lt_array velocities;        /* lt_vec3, of vertices or nodes */
    uint32_t state_count;
    lt_allocator allocator;
};

static uint32_t body_count(const lt_exporter *exporter) {
    return (uint32_t)exporter->def.scene_world->scene->bodies.count;
}

static void path_of(char path[PATH_SIZE], const lt_exporter *exporter, const char *name) {
    snprintf(path, PATH_SIZE, "%s/%s", exporter->folder, name);
}

static void name_of_state(char name[NAME_SIZE], const char *stem, uint32_t body, uint64_t step,
                          const char *ending) {
    snprintf(name, NAME_SIZE, "%s-%03u-%06llu.%s", stem, body, (unsigned long long)step, ending);
}

/* Where the vectors of `count` points go; NULL when memory is out. */
static lt_vec3 *room_for(lt_array *vectors, uint32_t count) {
    vectors->count = 0;
    return lt_array_grow(vectors, count);
}

static lt_status no_memory(const lt_exporter *exporter, lt_error *error) {
    return lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory while exporting", exporter->folder);
}

/* The surface of a body as it is now: arrays that must be neither changed nor freed. */
static lt_surface surface_of(const lt_exporter *exporter, uint32_t body) {
    const lt_scene_world *scene_world = exporter->def.scene_world;
    lt_surface_view view =
        lt_body_surface_from(scene_world->world, scene_world->bodies[body], scene_world->scene->origin);
    return (lt_surface){.positions = (lt_vec3 *)view.positions,
                        .triangles = (uint32_t *)view.triangles,
                        .vertex_count = view.vertex_count,
                        .triangle_count = view.triangle_count,
                        .allocator = exporter->allocator};
}

static uint32_t slot_of(const lt_exporter *exporter, uint32_t body) {
    const lt_scene_world *scene_world = exporter->def.scene_world;
    lt_body_id id = scene_world->bodies[body];
    return lt_slots_find(&scene_world->world->body_slots, id.index_plus_one, id.generation);
}

/* The mesh that moves, or the finest of a ladder. */
static lt_carrier carrier_of(const lt_exporter *exporter, uint32_t body) {
    return lt_carrier_finest(&lt_soft_at(exporter->def.scene_world->world, slot_of(exporter, body))->carrier);
}

/* Where the nodes of a carrier are, and how they move; false when memory is out. */
static bool get_nodes(lt_exporter *exporter, uint32_t body, const lt_carrier *carrier) {
    const lt_scene_world *scene_world = exporter->def.scene_world;
    lt_vec3 *positions = room_for(&exporter->positions, carrier->node_count);
    lt_vec3 *velocities = room_for(&exporter->velocities, carrier->node_count);
    if (!positions || !velocities) return false;
    LT_ASSERT(lt_body_node_count(scene_world->world, scene_world->bodies[body]) == carrier->node_count);
    lt_body_get_nodes_from(scene_world->world, scene_world->bodies[body], scene_world->scene->origin,
                           positions, velocities);
    return true;
}

/* ---- vtu ---- */

static lt_status write_listed(lt_exporter *exporter, file_list *list, const char *name, uint32_t body,
                              double time, const lt_vtu_grid *grid, lt_error *error) {
    char path[PATH_SIZE];
    path_of(path, exporter, name);
    lt_status status = lt_write_vtu(path, grid, &exporter->allocator, error);
    if (status == LT_OK) status = lt_pvd_add(&list->pvd, time, body, name, error);
    return status;
}

/* Through the anchors that forces go through, too: with rigid links, those of the points that they hang on. */
static bool gather_velocities(lt_exporter *exporter, uint32_t body) {
    uint32_t slot = slot_of(exporter, body);
    const lt_world *world = exporter->def.scene_world->world;
    const lt_skin *skin = &lt_body_record(world, slot)->skin;
    lt_vec3 *velocities = room_for(&exporter->velocities, skin->point_count);
    for (uint32_t i = 0; velocities && i < skin->point_count; i++) {
        lt_anchor anchor = lt_embed_anchor(skin, i);
        velocities[i] = lt_v3_from_r3(lt_anchor_gather(&anchor, lt_soft_at(world, slot)->v));
    }
    return velocities != NULL;
}

static lt_status write_surface(lt_exporter *exporter, uint32_t body, uint64_t step, double time,
                               lt_error *error) {
    char name[NAME_SIZE];
    lt_surface surface = surface_of(exporter, body);
    if (!gather_velocities(exporter, body)) return no_memory(exporter, error);
    lt_vtu_field velocity = {"velocity", exporter->velocities.items, 3};
    lt_vtu_grid grid = {.points = surface.positions,
                        .corners = surface.triangles,
                        .point_count = surface.vertex_count,
                        .cell_count = surface.triangle_count,
                        .cell = LT_VTU_TRIANGLE,
                        .point_fields = &velocity,
                        .point_field_count = 1};
    name_of_state(name, "body", body, step, "vtu");
    return write_listed(exporter, &exporter->bodies, name, body, time, &grid, error);
}

static lt_status write_carrier(lt_exporter *exporter, uint32_t body, uint64_t step, double time,
                               lt_error *error) {
    char name[NAME_SIZE];
    lt_carrier carrier = carrier_of(exporter, body);
    if (!get_nodes(exporter, body, &carrier)) return no_memory(exporter, error);
    bool has_cells = carrier.cell_count > 0;
    lt_vtu_field velocity = {"velocity", exporter->velocities.items, 3};
    lt_vtu_field fill = {"fill", has_cells ? carrier.cell_fill : carrier.fill, 1};
    lt_vtu_grid grid = {.points = exporter->positions.items,
                        .corners = has_cells ? carrier.cells : carrier.tets,
                        .point_count = carrier.node_count,
                        .cell_count = has_cells ? carrier.cell_count : carrier.tet_count,
                        .cell = has_cells ? LT_VTU_LATTICE_CELL : LT_VTU_TET,
                        .point_fields = &velocity,
                        .point_field_count = 1,
                        .cell_fields = &fill,
                        .cell_field_count = fill.values ? 1 : 0};
    name_of_state(name, "carrier", body, step, "vtu");
    return write_listed(exporter, &exporter->carriers, name, body, time, &grid, error);
}

static lt_status begin_list(lt_exporter *exporter, file_list *list, const char *name, lt_error *error) {
    path_of(list->path, exporter, name);
    return lt_pvd_begin(&list->pvd, list->path, error);
}

static lt_status begin_vtu(lt_exporter *exporter, lt_error *error) {
    lt_status status = begin_list(exporter, &exporter->bodies, "bodies.pvd", error);
    if (status == LT_OK && exporter->def.carriers)
        status = begin_list(exporter, &exporter->carriers, "carriers.pvd", error);
    return status;
}

/* ---- pc2, ply, stl and msh ---- */

static lt_status begin_cache(lt_exporter *exporter, uint32_t body, lt_error *error) {
    char name[NAME_SIZE], path[PATH_SIZE];
    body_cache *cache = &exporter->caches[body];
    lt_surface surface = surface_of(exporter, body);
    snprintf(name, sizeof name, "body-%03u.obj", body);
    path_of(path, exporter, name);
    lt_status status = lt_write_obj(path, &surface, NULL, error);
    snprintf(name, sizeof name, "body-%03u.pc2", body);
    path_of(cache->path, exporter, name);
    return status == LT_OK ? lt_pc2_begin(&cache->pc2, cache->path, surface.vertex_count, error) : status;
}

static lt_status write_plain_surface(lt_exporter *exporter, uint32_t body, uint64_t step, lt_error *error) {
    char name[NAME_SIZE], path[PATH_SIZE];
    lt_surface surface = surface_of(exporter, body);
    bool is_stl = exporter->def.format == LT_EXPORT_STL;
    name_of_state(name, "body", body, step, is_stl ? "stl" : "ply");
    path_of(path, exporter, name);
    return is_stl ? lt_write_stl(path, &surface, LT_MESH_BINARY, error) : lt_write_ply(path, &surface, error);
}

static lt_status write_tets(lt_exporter *exporter, uint32_t body, uint64_t step, lt_error *error) {
    char name[NAME_SIZE], path[PATH_SIZE];
    lt_carrier carrier = carrier_of(exporter, body);
    name_of_state(name, "carrier", body, step, "msh");
    path_of(path, exporter, name);
    if (carrier.cell_count > 0)
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "%s: body %u is carried by cells, and these files are for tets; use --format vtu "
                       "--export-carrier",
                       path, body);
    exporter->wide_positions.count = 0;
    lt_dvec3 *wide = lt_array_grow(&exporter->wide_positions, carrier.node_count);
    if (!wide || !get_nodes(exporter, body, &carrier)) return no_memory(exporter, error);
    const lt_vec3 *positions = exporter->positions.items;
    for (uint32_t i = 0; i < carrier.node_count; i++)
        wide[i] = lt_d3_from_v3(positions[i]);
    lt_tet_mesh mesh = {.positions = wide,
                        .tets = (uint32_t *)carrier.tets,
                        .node_count = carrier.node_count,
                        .tet_count = carrier.tet_count,
                        .allocator = exporter->allocator};
    return lt_write_msh(path, &mesh, NULL, 0, NULL, LT_MESH_BINARY, error);
}

/* ---- all ---- */

static lt_status begin(lt_exporter *exporter, lt_error *error) {
    bool made;
    lt_status status = lt_make_folder(exporter->folder, exporter->def.folder, &made, error);
    if (status == LT_OK && exporter->def.format == LT_EXPORT_VTU) status = begin_vtu(exporter, error);
    if (exporter->def.format != LT_EXPORT_PC2) return status;
    for (uint32_t body = 0; status == LT_OK && body < body_count(exporter); body++)
        status = begin_cache(exporter, body, error);
    return status;
}

lt_status lt_export_begin(lt_exporter **out, const lt_export_def *def, const lt_allocator *allocator,
                          lt_error *error) {
    *out = NULL;
    lt_exporter *exporter = LT_NEW(allocator, 1, lt_exporter);
    if (!exporter) return lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory", def->folder);
    exporter->def = *def;
    exporter->allocator = allocator ? *allocator : lt_allocator_default();
    exporter->positions = LT_ARRAY_OF(allocator, lt_vec3);
    exporter->wide_positions = LT_ARRAY_OF(allocator, lt_dvec3);
    exporter->velocities = LT_ARRAY_OF(allocator, lt_vec3);
    exporter->caches = LT_NEW(allocator, body_count(exporter), body_cache);
    lt_status status = exporter->caches ? begin(exporter, error)
                                        : lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory", def->folder);
    if (status == LT_OK)
        *out = exporter;
    else
        lt_export_end(exporter);
    return status;
}

static lt_status write_body(lt_exporter *exporter, uint32_t body, uint64_t step, double time,
                            lt_error *error) {
    lt_status status;
    switch (exporter->def.format) {
    case LT_EXPORT_PC2:
        return lt_pc2_add(&exporter->caches[body].pc2, surface_of(exporter, body).positions,
                          &exporter->allocator, error);
    case LT_EXPORT_PLY:
    case LT_EXPORT_STL: return write_plain_surface(exporter, body, step, error);
    case LT_EXPORT_MSH: return write_tets(exporter, body, step, error);
    default:
        status = write_surface(exporter, body, step, time, error);
        if (status == LT_OK && exporter->def.carriers)
            status = write_carrier(exporter, body, step, time, error);
        return status;
    }
}

lt_status lt_export_state(lt_exporter *exporter, uint64_t step, double time, lt_error *error) {
    lt_status status = LT_OK;
    for (uint32_t body = 0; status == LT_OK && body < body_count(exporter); body++)
        status = write_body(exporter, body, step, time, error);
    exporter->state_count += status == LT_OK;
    return status;
}

uint32_t lt_export_state_count(const lt_exporter *exporter) {
    return exporter->state_count;
}

void lt_export_end(lt_exporter *exporter) {
    if (!exporter) return;
    lt_allocator allocator = exporter->allocator;
    LT_DELETE(&allocator, exporter->caches, body_count(exporter), body_cache);
    lt_array_free(&exporter->positions);
    lt_array_free(&exporter->wide_positions);
    lt_array_free(&exporter->velocities);
    LT_DELETE(&allocator, exporter, 1, lt_exporter);
}
