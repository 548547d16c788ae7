/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scene_rig.h"

lt_status lt_scene_letters(lt_scene *scene, lt_bench *bench, lt_error *error) {
    enum { QUICK_KINDS = 4, QUICK_LETTERS = 98 };
    lt_status status = lt_scene_make(scene, "letters", &bench->allocator, error);
    if (status != LT_OK || !bench->quick) return status;
    lt_scene_body *bodies = scene->bodies.items;
    scene->shapes.count = QUICK_KINDS;
    scene->bodies.count = QUICK_LETTERS;
    for (size_t i = 0; i < scene->bodies.count; i++)
        bodies[i].shape_index %= QUICK_KINDS;
    return LT_OK;
}

lt_status lt_scene_rig_build(lt_scene_rig *rig, lt_bench *bench, const lt_scene *scene, lt_method method,
                             const lt_world_def *def, lt_error *error) {
    *rig = (lt_scene_rig){.scene = *scene, .allocator = bench->allocator};
    rig->scene.method = method;
    lt_status status = lt_scene_build(&rig->built, &rig->scene, def, error);
    if (status != LT_OK) lt_scene_rig_free(rig);
    return status;
}

lt_status lt_scene_rig_create(lt_scene_rig *rig, lt_bench *bench, const char *scene, lt_method method,
                              const lt_world_def *def, lt_error *error) {
    lt_scene made;
    *rig = (lt_scene_rig){0};
    lt_status status = lt_scene_make(&made, scene, &bench->allocator, error);
    made.sleeping = false;
    return status == LT_OK ? lt_scene_rig_build(rig, bench, &made, method, def, error) : status;
}

void lt_scene_rig_free(lt_scene_rig *rig) {
    LT_DELETE(&rig->allocator, rig->snapshot, rig->snapshot_size, uint8_t);
    lt_scene_world_free(&rig->built);
    lt_scene_free(&rig->scene);
    *rig = (lt_scene_rig){0};
}

lt_report lt_scene_rig_step(const lt_scene_rig *rig, lt_budget budget) {
    return lt_world_step(rig->built.world, rig->scene.dt, budget);
}

lt_status lt_scene_rig_keep(lt_scene_rig *rig, lt_error *error) {
    LT_DELETE(&rig->allocator, rig->snapshot, rig->snapshot_size, uint8_t);
    rig->snapshot_size = lt_world_snapshot_size(rig->built.world);
    rig->snapshot = LT_NEW(&rig->allocator, rig->snapshot_size, uint8_t);
    if (!rig->snapshot) return lt_fail(error, LT_STATUS_MEMORY, "out of memory for a snapshot");
    lt_world_snapshot(rig->built.world, rig->snapshot, rig->snapshot_size);
    return LT_OK;
}

lt_status lt_scene_rig_return(lt_scene_rig *rig, lt_error *error) {
    return lt_world_restore(rig->built.world, rig->snapshot, rig->snapshot_size, error);
}
