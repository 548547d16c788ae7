/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe scenes`: the built-in scenes, a line each; or one of them, or of a file, as the JSON that `lithe run` reads. */

#include "commands.h"
#include "json_output.h"
#include "options.h"
#include "scene_file.h"

#include <stdio.h>

static void write_scene(lt_json *json, const lt_scene_entry *entry, const lt_scene *scene) {
    lt_json_begin_object(json);
    lt_json_put_string(json, "name", entry->name);
    lt_json_put_string(json, "about", entry->about);
    lt_json_put_u64(json, "bodies", scene->bodies.count);
    lt_json_put_u64(json, "obstacles", scene->obstacles.count);
    lt_json_put_u64(json, "steps", scene->steps);
    lt_json_put_double(json, "dt", (double)scene->dt);
    lt_json_put_string(json, "method", lt_method_name(scene->method));
    lt_json_end_object(json);
}

static lt_status list_scenes(lt_json_output *output, lt_error *error) {
    uint32_t count;
    const lt_scene_entry *entries = lt_scene_list(&count);
    lt_json_begin_array(&output->json);
    for (uint32_t i = 0; i < count; i++) {
        lt_scene scene;
        lt_status status = lt_scene_make(&scene, entries[i].name, NULL, error);
        if (status != LT_OK) return status;
        if (!lt_json_output_is_stdout(output)) printf("%-18s%s\n", entries[i].name, entries[i].about);
        write_scene(&output->json, &entries[i], &scene);
        lt_scene_free(&scene);
    }
    lt_json_end_array(&output->json);
    return LT_OK;
}

int lt_command_scenes(int word_count, char **words) {
    const char *json_path = NULL, *name = NULL;
    const lt_option options[] = {{"--json", "FILE", "the list, or the scene, as JSON; - for standard output",
                                  LT_OPTION_TEXT, .target = &json_path}};
    const lt_usage usage = {
        "scenes",
        "[SCENE]",
        "Lists the built-in scenes; with a name, writes that scene as JSON, to change it and "
        "run it.",
        NULL,
        options,
        LT_COUNT_OF(options),
        0,
        1};
    lt_parsed parsed = lt_options_parse(&usage, word_count, words, &name);
    if (parsed != LT_PARSED_OK) return parsed == LT_PARSED_HELP ? EXIT_OK : EXIT_USAGE;
    lt_scene scene = {0};
    int code = name ? lt_open_scene(&scene, "scenes", name) : EXIT_OK;
    if (code != EXIT_OK) return code;
    lt_error error = {0};
    lt_json_output output;
    lt_json_output_begin(&output, name && !json_path ? "-" : json_path, LT_JSON_INDENTED);
    lt_status status =
        name ? lt_scene_write_json(&output.json, &scene, &error) : list_scenes(&output, &error);
    lt_scene_free(&scene);
    if (status != LT_OK)
        lt_json_output_drop(&output);
    else
        status = lt_json_output_end(&output, &error);
    return status == LT_OK ? EXIT_OK : lt_say_failed("scenes", "%s", error.message);
}
