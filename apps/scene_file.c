/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scene_file.h"

#include "commands.h"
#include "interrupt.h"
#include "options.h"

int lt_open_scene(lt_scene *out, const char *command, const char *name) {
    lt_error error = {0};
    lt_status status = lt_scene_open(out, name, NULL, &error);
    if (status == LT_OK) return EXIT_OK;
    bool is_wrong_name = status == LT_STATUS_NOT_FOUND && !lt_scene_is_file(name);
    return (is_wrong_name ? lt_say_usage : lt_say_failed)(command, "%s", error.message);
}

static bool goes_on(void *context, const char *stage, float share) {
    (void)context;
    (void)stage;
    (void)share;
    return !lt_interrupt_asked();
}

lt_status lt_build_scene(lt_scene_world *out, const lt_scene *scene, const lt_world_def *def,
                         lt_error *error) {
    return lt_scene_build_watched(out, scene, def, goes_on, NULL, error);
}
