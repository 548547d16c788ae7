/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A scene that is run again and again: from its beginning, or from a moment that was kept. */

#ifndef LITHE_BENCH_SCENE_RIG_H
#define LITHE_BENCH_SCENE_RIG_H

#include "bench.h"

#include "scenes/scene.h"

/* A scene with some method, and a moment of it to go back to. */
typedef struct lt_scene_rig {
    lt_scene scene;
    lt_scene_world built;
    uint8_t *snapshot;
    size_t snapshot_size;
    lt_allocator allocator;
} lt_scene_rig;

/* The scene `letters`; in a hurry 98 of them, of four kinds. */
lt_status lt_scene_letters(lt_scene *scene, lt_bench *bench, lt_error *error);

/* A built-in scene whose bodies never sleep. `def`: mode, clock and the like; NULL: defaults. */
lt_status lt_scene_rig_create(lt_scene_rig *rig, lt_bench *bench, const char *scene, lt_method method,
                              const lt_world_def *def, lt_error *error);
/* A scene that the caller has made, which it takes over in any case; whether bodies sleep is the scene's. */
lt_status lt_scene_rig_build(lt_scene_rig *rig, lt_bench *bench, const lt_scene *scene, lt_method method,
                             const lt_world_def *def, lt_error *error);
/* Safe on zeroed ones. */
void lt_scene_rig_free(lt_scene_rig *rig);
lt_report lt_scene_rig_step(const lt_scene_rig *rig, lt_budget budget);
/* The moment to go back to. */
lt_status lt_scene_rig_keep(lt_scene_rig *rig, lt_error *error);
lt_status lt_scene_rig_return(lt_scene_rig *rig, lt_error *error);

#endif
