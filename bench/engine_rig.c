/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "engine_internal.h"

#include "core/os.h"

static double size_of(lt_surface_view view) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < view.vertex_count; i++)
        box = lt_box_add_point(box, view.positions[i]);
    lt_vec3 sides = lt_v3_sub(box.hi, box.lo);
    return (double)lt_max_f(sides.x, lt_max_f(sides.y, sides.z));
}

double lt_engine_size(const lt_engine_rig *rig, uint32_t body) {
    return size_of(lt_body_surface(rig->built.world, rig->built.bodies[body]));
}

static void measure_bodies(lt_engine_rig *rig) {
    rig->body_count = (uint32_t)rig->scene.bodies.count;
    rig->size_min = INFINITY;
    double mass = 0;
    for (uint32_t i = 0; i < rig->body_count; i++) {
        double size = lt_engine_size(rig, i);
        rig->size_min = lt_min_d(rig->size_min, size);
        rig->size_max = lt_max_d(rig->size_max, size);
        mass += (double)lt_body_mass(rig->built.world, rig->built.bodies[i]);
    }
    rig->weight = mass * (double)lt_v3_length(rig->scene.gravity);
}

/* As each method wants its bodies: cells for cell-box, the quick trees for sphere-tree. */
static lt_status prepare(lt_scene *scene, const lt_engine_rig_def *def, lt_error *error) {
    scene->method = def->method;
    scene->sphere_method = LT_SPHERES_OCTREE;
    scene->seed = def->seed;
    scene->thread_count = def->thread_count ? def->thread_count : 1;
    if (def->awake) scene->sleeping = false;
    return def->method == LT_METHOD_CELL_BOX ? lt_scene_put_on_lattices(scene, error) : LT_OK;
}

lt_status lt_engine_rig_create(lt_engine_rig *rig, const lt_engine_rig_def *def,
                               const lt_allocator *allocator, lt_error *error) {
    *rig = (lt_engine_rig){.allocator = *allocator};
    lt_status status = lt_engine_scene_make(&rig->scene, def->scene, allocator, error);
    if (status == LT_OK) status = prepare(&rig->scene, def, error);
    if (status == LT_OK) {
        lt_world_def world = lt_scene_world_def(&rig->scene);
        world.allocator = *allocator;
        world.clock_ns = def->clock_ns;
        if (def->simd_levels) world.simd_level = def->simd_levels - 1;
        lt_engine_set_policy(&world, def->policy);
        status = lt_scene_build(&rig->built, &rig->scene, &world, error);
    }
    if (status == LT_OK && def->judged) status = lt_judge_scene(&rig->judge, &rig->built, error);
    if (status == LT_OK)
        measure_bodies(rig);
    else
        lt_engine_rig_free(rig);
    return status;
}

void lt_engine_rig_free(lt_engine_rig *rig) {
    lt_judge_destroy(rig->judge);
    LT_DELETE(&rig->allocator, rig->snapshot, rig->snapshot_capacity, uint8_t);
    lt_scene_world_free(&rig->built);
    lt_scene_free(&rig->scene);
    *rig = (lt_engine_rig){0};
}

lt_report lt_engine_rig_step(lt_engine_rig *rig, lt_budget budget) {
    lt_scene_advance(&rig->built, rig->step++);
    lt_report report = lt_world_step(rig->built.world, rig->scene.dt, budget);
    if (rig->judge) lt_judge_step(rig->judge);
    return report;
}

lt_status lt_engine_rig_keep(lt_engine_rig *rig, lt_error *error) {
    rig->snapshot_size = lt_world_snapshot_size(rig->built.world);
    if (rig->snapshot_size > rig->snapshot_capacity) {
        LT_DELETE(&rig->allocator, rig->snapshot, rig->snapshot_capacity, uint8_t);
        rig->snapshot_capacity = 2 * rig->snapshot_size;
        rig->snapshot = LT_NEW(&rig->allocator, rig->snapshot_capacity, uint8_t);
        if (!rig->snapshot) return lt_fail(error, LT_STATUS_MEMORY, "out of memory for a snapshot");
    }
    lt_world_snapshot(rig->built.world, rig->snapshot, rig->snapshot_size);
    rig->snapshot_step = rig->step;
    return LT_OK;
}

lt_status lt_engine_rig_return(lt_engine_rig *rig, lt_error *error) {
    rig->step = rig->snapshot_step;
    return lt_world_restore(rig->built.world, rig->snapshot, rig->snapshot_size, error);
}

bool lt_engine_is_pinned(const lt_engine_rig *rig, uint32_t body) {
    const lt_scene_pin *pins = rig->scene.pins.items;
    for (size_t i = 0; i < rig->scene.pins.count; i++)
        if (pins[i].body_index == body) return true;
    return false;
}

lt_dvec3 lt_engine_center(const lt_engine_rig *rig, uint32_t body) {
    return lt_d3_from_v3(lt_body_center(rig->built.world, rig->built.bodies[body]));
}

lt_budget lt_engine_units(uint64_t units) {
    return units == LT_UNLIMITED ? lt_budget_unlimited() : lt_budget_collision_units(units);
}

double lt_engine_seconds(uint64_t begin) {
    return 1e-9 * (double)(lt_os_thread_cpu_ns() - begin);
}
