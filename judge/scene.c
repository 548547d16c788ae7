/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "judge/scene.h"

static lt_status add_all(lt_judge *judge, const lt_scene_world *w, lt_error *error) {
    lt_status status = LT_OK;
    for (size_t i = 0; i < w->scene->bodies.count && status == LT_OK; i++) {
        lt_body_def def = lt_scene_body_def(w, i);
        status = lt_judge_add_body(judge, w->bodies[i], &def, error);
    }
    for (size_t i = 0; i < w->scene->obstacles.count && status == LT_OK; i++) {
        lt_obstacle_def def = lt_scene_obstacle_def(w, i);
        status = lt_judge_add_obstacle(judge, w->obstacles[i], &def, error);
    }
    return status;
}

lt_status lt_judge_scene(lt_judge **out, const lt_scene_world *w, lt_error *error) {
    lt_status status = lt_judge_create(out, w->world, w->scene->gravity, &w->allocator, error);
    if (status != LT_OK) return status;
    status = add_all(*out, w, error);
    if (w->scene->handles.count > 0) lt_judge_exclude(*out, LT_JUDGE_UNCOUNTED_HANDLES);
    if (status == LT_OK) status = lt_judge_begin(*out, error);
    if (status == LT_OK) return LT_OK;
    lt_judge_destroy(*out);
    *out = NULL;
    return status;
}
