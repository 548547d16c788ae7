/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* liblithe-scenes: scenes as data. A scene says what stands in a world, of which shapes, and how obstacles and handles are
 * moved; the built-in ones have names, others are JSON (docs/scenes.md). Shapes are made when the scene is built, so this
 * stands on liblithe-bake.
 *
 *     lt_scene *scene;
 *     lt_scene_world run;
 *     if (lt_scene_create("stack", NULL, &scene, &error) == LT_OK && lt_scene_build(&run, scene, NULL, &error) == LT_OK)
 *         for (uint64_t step = 0; step < 240; step++) {
 *             lt_scene_advance(&run, step);
 *             lt_world_step(run.world, lt_scene_describe(scene).dt, lt_budget_collision_us(2000));
 *         }
 *
 * A scene belongs to one thread at a time while it is built; different ones are independent. */

#ifndef LITHE_SCENE_H
#define LITHE_SCENE_H

#include "lithe/bake.h"
#include "lithe/world.h"

LT_EXTERN_C_BEGIN

typedef struct lt_scene lt_scene;

/* ---- the built-in scenes ---- */

LT_API uint32_t lt_scene_builtin_count(void);
/* `index` below the count; otherwise a caller's bug, and "". One line each. */
LT_API const char *lt_scene_builtin_name(uint32_t index);
LT_API const char *lt_scene_builtin_about(uint32_t index);

/* ---- a scene ---- */

/* The built-in scene of that name, or the file of that path, which ends in .json. Paths in a file are relative to its folder;
 * the meshes that they name are read when the scene is built. An unknown name is LT_STATUS_NOT_FOUND and says which are near;
 * a file that is refused says the line and the key. `allocator` may be NULL. *out is NULL unless LT_OK is returned. */
LT_API lt_status lt_scene_create(const char *name, const lt_allocator *allocator, lt_scene **out,
                                 lt_error *error);
/* From JSON in memory; `name` stands for it in messages, and the scene is called so when it does not say its own name. Paths
 * in it are relative to the current folder. */
LT_API lt_status lt_scene_create_from_json(const char *name, const void *text, size_t size,
                                           const lt_allocator *allocator, lt_scene **out, lt_error *error);
/* NULL is allowed. */
LT_API void lt_scene_destroy(lt_scene *scene);

/* The texts live as long as the scene. */
typedef struct lt_scene_info {
    const char *name, *caption;
    float dt;       /* s, that a step is to be given */
    uint32_t steps; /* that a run has if nobody says otherwise */
    uint32_t body_count, obstacle_count, handle_count;
    lt_method method;
} lt_scene_info;
LT_API lt_scene_info lt_scene_describe(const lt_scene *scene);

/* Writes the scene as JSON, ended by 0, where that has room, and returns its length without the 0; call it with NULL and 0
 * first. Read again, it is the same scene bit for bit. 0 when memory is out. */
LT_API size_t lt_scene_to_json(const lt_scene *scene, char *text, size_t capacity);

/* ---- its world ---- */

struct lt_surface;

/* A scene that has been set up. The scene must stay alive and unchanged while this is used. */
typedef struct lt_scene_world {
    const lt_scene *scene;
    lt_world *world;
    lt_body_id *bodies;                   /* [body_count] */
    lt_obstacle_id *obstacles;            /* [obstacle_count] */
    lt_handle_id *handles;                /* [handle_count] */
    lt_vec3 *handle_starts;               /* [handle_count], where their targets began */
    lt_shape **shapes;                    /* private */
    struct lt_surface *obstacle_surfaces; /* private */
    lt_allocator allocator;
} lt_scene_world;

/* The defaults, and what the scene says: for a caller that changes something before lt_scene_build. */
LT_API lt_world_def lt_scene_world_def(const lt_scene *scene);
/* `def` as lt_scene_world_def gives it (NULL), or as the caller wants it; gravity, method, self_collision, sleeping and the
 * two capacities are the scene's in any case. Bakes its shapes: from milliseconds to a minute, once on a machine: with the default
 * allocator they are kept in the process and in the user's cache folder ($LITHE_CACHE chooses another one or switches that off;
 * docs/scenes.md). */
LT_API lt_status lt_scene_build(lt_scene_world *out, const lt_scene *scene, const lt_world_def *def,
                                lt_error *error);
/* The same, with a word now and then of what is being baked; false from `progress` (NULL: nobody) ends it with LT_STATUS_CANCELLED,
 * and nothing is left. */
LT_API lt_status lt_scene_build_watched(lt_scene_world *out, const lt_scene *scene, const lt_world_def *def,
                                        lt_bake_progress *progress, void *progress_context, lt_error *error);
/* Safe on zeroed and already freed ones. The scene is not destroyed with it. */
LT_API void lt_scene_world_free(lt_scene_world *scene_world);
/* Before step number `step` (from 0): moves obstacles and handles to where they will be at its end. A function of the step
 * alone, so that a run restored from a snapshot goes on as it did. */
LT_API void lt_scene_advance(const lt_scene_world *scene_world, uint64_t step);

LT_EXTERN_C_END

#endif
