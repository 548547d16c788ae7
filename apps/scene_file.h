/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#ifndef LITHE_APPS_SCENE_FILE_H
#define LITHE_APPS_SCENE_FILE_H

#include "scenes/scene_json.h"

/* Opens the scene that a command was given; EXIT_OK, or the exit code after saying why not: a name that no scene has is wrong
 * usage, a file that is missing or wrong has failed. */
int lt_open_scene(lt_scene *out, const char *command, const char *name);

/* lt_scene_build for commands that have called lt_interrupt_catch: Ctrl-C ends the baking of shapes, too, with
 * LT_STATUS_CANCELLED. */
lt_status lt_build_scene(lt_scene_world *out, const lt_scene *scene, const lt_world_def *def,
                         lt_error *error);

#endif
