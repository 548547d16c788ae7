/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What lithe/scene.h hands out: a scene in a block of its own, so that its fields stay private. */

#include "lithe/scene.h"

#include "scenes/scene.h"
#include "scenes/scene_json.h"

#include <string.h>

static const lt_scene_entry *entry_at(uint32_t index) {
    static const lt_scene_entry none = {"", "", NULL};
    uint32_t count;
    const lt_scene_entry *entries = lt_scene_list(&count);
    return LT_REQUIRE(index < count) ? &entries[index] : &none;
}

uint32_t lt_scene_builtin_count(void) {
    uint32_t count;
    lt_scene_list(&count);
    return count;
}

const char *lt_scene_builtin_name(uint32_t index) {
    return entry_at(index)->name;
}

const char *lt_scene_builtin_about(uint32_t index) {
    return entry_at(index)->about;
}

/* Moves the scene, if it could be made, into a block of its own. */
static lt_status hand_out(lt_scene **out, lt_scene *made, lt_status status, const char *name,
                          const lt_allocator *allocator, lt_error *error) {
    *out = status == LT_OK ? LT_NEW(allocator, 1, lt_scene) : NULL;
    if (*out) {
        **out = *made;
    } else if (status == LT_OK) {
        lt_scene_free(made);
        return lt_fail(error, LT_STATUS_MEMORY, "scene %s: out of memory", name);
    }
    return status;
}

lt_status lt_scene_create(const char *name, const lt_allocator *allocator, lt_scene **out, lt_error *error) {
    lt_scene made;
    lt_status status = lt_scene_open(&made, name, allocator, error);
    return hand_out(out, &made, status, name, allocator, error);
}

lt_status lt_scene_create_from_json(const char *name, const void *text, size_t size,
                                    const lt_allocator *allocator, lt_scene **out, lt_error *error) {
    lt_scene made;
    lt_status status = lt_scene_from_json(&made, name, text, size, allocator, error);
    return hand_out(out, &made, status, name, allocator, error);
}

void lt_scene_destroy(lt_scene *scene) {
    if (!scene) return;
    lt_allocator allocator = scene->shapes.allocator;
    lt_scene_free(scene);
    LT_DELETE(&allocator, scene, 1, lt_scene);
}

lt_scene_info lt_scene_describe(const lt_scene *scene) {
    return (lt_scene_info){.name = scene->name,
                           .caption = scene->caption,
                           .dt = scene->dt,
                           .steps = scene->steps,
                           .body_count = (uint32_t)scene->bodies.count,
                           .obstacle_count = (uint32_t)scene->obstacles.count,
                           .handle_count = (uint32_t)scene->handles.count,
                           .method = scene->method};
}

size_t lt_scene_to_json(const lt_scene *scene, char *text, size_t capacity) {
    lt_array bytes = LT_ARRAY_OF(&scene->shapes.allocator, char);
    lt_json json = lt_json_to_array(&bytes, LT_JSON_INDENTED);
    bool ok = lt_scene_write_json(&json, scene, NULL) == LT_OK && lt_json_finish(&json, NULL) == LT_OK;
    size_t length = ok ? bytes.count : 0;
    if (ok && length < capacity) {
        memcpy(text, bytes.items, length);
        text[length] = 0;
    }
    lt_array_free(&bytes);
    return length;
}
