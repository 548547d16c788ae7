/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A judge for a scene that has been built: all its bodies and obstacles, begun. */

#ifndef LITHE_JUDGE_SCENE_H
#define LITHE_JUDGE_SCENE_H

#include "judge/judge.h"
#include "scenes/scene.h"

/* Before the first step. *out is NULL unless LT_OK is returned. */
lt_status lt_judge_scene(lt_judge **out, const lt_scene_world *scene_world, lt_error *error);

#endif
