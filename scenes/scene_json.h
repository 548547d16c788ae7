/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Scenes as JSON: what docs/scenes.md describes. A scene that is written and read again is the same scene, bit for bit, in
 * all that a world is built from.
 *
 *   json_reader         text to values with lines
 *   scene_keys          the tables of keys, with their places and ranges
 *   scene_json_read.c   values to a scene, by the tables
 *   scene_json_write.c  a scene to text, by the same tables
 *
 * Reading refuses whatever it does not know or cannot use, before anything is built, with file, line and key:
 * "my.json:12: bodies[3].model: "corotationl" is not a model; did you mean corotational?" It takes at most
 * LT_SCENE_MEMORY_FACTOR times the size of the file and LT_SCENE_MEMORY_BASE bytes, the scene included. */

#ifndef LITHE_SCENES_SCENE_JSON_H
#define LITHE_SCENES_SCENE_JSON_H

#include "scenes/json_writer.h"
#include "scenes/scene.h"

/* Files are written as of this version, and read from the first on. Before version 2 what belongs to one method stood in
 * the world itself. */
#define LT_SCENE_VERSION       2
#define LT_SCENE_VERSION_FIRST 1
#define LT_SCENE_FILE_MAX      (64u << 20)
#define LT_SCENE_MEMORY_FACTOR 192
#define LT_SCENE_MEMORY_BASE   16384
/* Most shapes; most bodies, obstacles, pins and handles, each. */
#define LT_SCENE_SHAPES_MAX 1024
#define LT_SCENE_ITEMS_MAX  65536

/* Fills *out; free it with lt_scene_free. `name` stands for the text in messages. Nothing is looked up in the file system:
 * paths stay as they are written. *out is empty unless LT_OK is returned. */
lt_status lt_scene_from_json(lt_scene *out, const char *name, const void *bytes, size_t size,
                             const lt_allocator *allocator, lt_error *error);
/* The same for a file. Paths in it are relative to its folder, which the scene remembers; a name without a folder that is
 * not there is looked for where lt_find_mesh looks. */
lt_status lt_scene_load(lt_scene *out, const char *path, const lt_allocator *allocator, lt_error *error);
/* Whether the name ends in .json. */
bool lt_scene_is_file(const char *name);
/* A file or a built-in scene, by the name. */
lt_status lt_scene_open(lt_scene *out, const char *name, const lt_allocator *allocator, lt_error *error);

/* One JSON object; call lt_json_finish afterwards. LT_STATUS_INVALID for scenes whose pins, handles or bodies name what is
 * not there. */
lt_status lt_scene_write_json(lt_json *json, const lt_scene *scene, lt_error *error);

#endif
