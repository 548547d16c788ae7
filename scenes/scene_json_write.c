/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Items that a file may leave out are left out where they are as lt_scene_add_… makes them, but for the world's, which are
 * all written: a file that is written is also a list of what can be set. */

#include "core/base.h"
#include "scenes/scene_json.h"
#include "scenes/scene_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_table(lt_json *json, const lt_key_table *table, const void *item, const void *usual);

/* ---- values ---- */

/* In one line, whatever the layout. */
static void write_reals(lt_json *json, const float *reals, size_t count) {
    lt_json_layout layout = json->layout;
    json->layout = LT_JSON_ONE_LINE;
    lt_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        lt_json_float(json, reals[i]);
    lt_json_end_array(json);
    json->layout = layout;
}

static void write_place(lt_json *json, const double *place) {
    lt_json_layout layout = json->layout;
    json->layout = LT_JSON_ONE_LINE;
    lt_json_begin_array(json);
    for (size_t i = 0; i < 3; i++)
        lt_json_double(json, place[i]);
    lt_json_end_array(json);
    json->layout = layout;
}

static void write_counts(lt_json *json, const uint32_t *counts, size_t count) {
    lt_json_layout layout = json->layout;
    json->layout = LT_JSON_ONE_LINE;
    lt_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        lt_json_u64(json, counts[i]);
    lt_json_end_array(json);
    json->layout = layout;
}

static void write_choice(lt_json *json, const lt_name_list *list, uint32_t index) {
    LT_ASSERT(index < list->count);
    lt_json_string(json, list->names[index]);
}

static void write_value(lt_json *json, const lt_scene_key *key, const void *field, const void *usual) {
    uint32_t choice;
    switch (key->type) {
    case LT_KEY_THRESHOLD:
        if (isinf(*(const float *)field)) {
            lt_json_string(json, "nowhere");
            return;
        }
        lt_json_float(json, *(const float *)field);
        return;
    case LT_KEY_REAL: lt_json_float(json, *(const float *)field); return;
    case LT_KEY_VECTOR: write_reals(json, field, 3); return;
    case LT_KEY_PLACE: write_place(json, field); return;
    case LT_KEY_ROTATION: write_reals(json, field, 4); return;
    case LT_KEY_COUNT: lt_json_u64(json, *(const uint32_t *)field); return;
    case LT_KEY_COUNTS: write_counts(json, field, 3); return;
    case LT_KEY_UNITS: lt_json_u64(json, *(const uint64_t *)field); return;
    case LT_KEY_FLAG: lt_json_bool(json, *(const bool *)field); return;
    case LT_KEY_CHOICE:
        memcpy(&choice, field, sizeof choice);
        write_choice(json, key->choices, choice);
        return;
    case LT_KEY_TEXT: lt_json_string(json, field); return;
    case LT_KEY_LETTER: lt_json_string(json, (const char[2]){*(const char *)field, 0}); return;
    case LT_KEY_OBJECT: write_table(json, key->table, field, usual); return;
    case LT_KEY_OWN: return;
    }
}

/* ---- objects by their tables ---- */

static bool lists_differ(const lt_key_list *list, const void *item, const void *usual);

/* Something that reading would not find by itself. The first kind of everything that may be left out is none. */
static bool is_told(const lt_scene_key *key, const void *item, const void *usual) {
    const char *field = (const char *)item + key->offset,
               *other = usual ? (const char *)usual + key->offset : NULL;
    if (key->type == LT_KEY_OWN) return false;
    if (key->type == LT_KEY_UNITS && *(const uint64_t *)(const void *)field == LT_UNLIMITED) return false;
    if (key->is_required || !usual) return true;
    if (key->type != LT_KEY_OBJECT) return memcmp(field, other, lt_key_size(key)) != 0;
    return key->table->kinds ? lt_key_kind(key->table, field) != 0
                             : lists_differ(&key->table->common, field, other);
}

static bool lists_differ(const lt_key_list *list, const void *item, const void *usual) {
    for (uint32_t i = 0; i < list->count; i++)
        if (is_told(&list->keys[i], item, usual)) return true;
    return false;
}

static void write_list(lt_json *json, const lt_key_list *list, const void *item, const void *usual) {
    for (uint32_t i = 0; i < list->count; i++) {
        const lt_scene_key *key = &list->keys[i];
        if (!is_told(key, item, usual)) continue;
        lt_json_key(json, key->name);
        write_value(json, key, (const char *)item + key->offset,
                    usual ? (const char *)usual + key->offset : NULL);
    }
}

/* The members only: the caller begins and ends the object. */
static void write_members(lt_json *json, const lt_key_table *table, const void *item, const void *usual) {
    uint32_t kind = lt_key_kind(table, item);
    if (table->kinds) {
        lt_json_key(json, "kind");
        write_choice(json, table->kinds, kind);
        write_list(json, &table->of_kind[kind], item, usual);
    }
    write_list(json, &table->common, item, usual);
}

static void write_table(lt_json *json, const lt_key_table *table, const void *item, const void *usual) {
    lt_json_begin_object(json);
    write_members(json, table, item, usual);
    lt_json_end_object(json);
}

/* ---- lists ---- */

/* As it is called, or what it is made of and its number. */
static void name_shape(char *text, size_t capacity, const lt_scene *scene, uint32_t index) {
    static const char *const surfaces[] = {
#define NAME_ENTRY(NAME, text) text,
        LT_SURFACE_RECIPE_LIST(NAME_ENTRY)};
    static const char *const carriers[] = {LT_CARRIER_RECIPE_LIST(NAME_ENTRY)
#undef NAME_ENTRY
    };
    const lt_scene_shape *shape = (const lt_scene_shape *)scene->shapes.items + index;
    const char *kind = shape->surface.kind != LT_SURFACE_RECIPE_NONE ? surfaces[shape->surface.kind]
                                                                     : carriers[shape->carrier.kind];
    if (shape->name[0])
        snprintf(text, capacity, "%s", shape->name);
    else
        snprintf(text, capacity, "%s-%u", kind, index);
}

static void write_shapes(lt_json *json, const lt_scene *scene) {
    const lt_scene_shape *shapes = scene->shapes.items, usual = {0};
    lt_json_key(json, "shapes");
    lt_json_begin_object(json);
    for (uint32_t i = 0; i < scene->shapes.count; i++) {
        char name[sizeof usual.name];
        name_shape(name, sizeof name, scene, i);
        lt_json_key(json, name);
        write_table(json, &lt_keys_shape, &shapes[i], &usual);
    }
    lt_json_end_object(json);
}

/* What belongs to bodies, each item with the index of its body at `offset`. */
typedef struct body_items {
    const char *key;
    const lt_key_table *table;
    const char *items;
    size_t count, size, offset;
    const void *usual;
    bool in_order; /* of bodies, as files have them: then the next item is the next body's that has any */
    size_t next;
} body_items;

static uint32_t body_of(const body_items *list, size_t i) {
    uint32_t body;
    memcpy(&body, list->items + i * list->size + list->offset, sizeof body);
    return body;
}

static bool are_in_order(const body_items *list) {
    for (size_t i = 1; i < list->count; i++)
        if (body_of(list, i - 1) > body_of(list, i)) return false;
    return true;
}

static void set_items(body_items *list, const lt_array *items, size_t size, size_t offset) {
    list->items = items->items;
    list->count = items->count;
    list->size = size;
    list->offset = offset;
    list->in_order = are_in_order(list);
}

static void write_items_of(lt_json *json, body_items *list, uint32_t body) {
    bool any = false;
    size_t i = list->in_order ? list->next : 0;
    for (; i < list->count; i++) {
        if (body_of(list, i) != body) {
            if (list->in_order) break;
            continue;
        }
        if (!any) lt_json_key(json, list->key), lt_json_begin_array(json);
        any = true;
        write_table(json, list->table, list->items + i * list->size, list->usual);
    }
    list->next = i;
    if (any) lt_json_end_array(json);
}

static void write_bodies(lt_json *json, const lt_scene *scene, lt_scene_body usual) {
    const lt_scene_body *bodies = scene->bodies.items;
    const lt_scene_pin usual_pin = {0};
    const lt_scene_handle usual_handle = {0};
    body_items pins = {.key = "pins", .table = &lt_keys_pin, .usual = &usual_pin};
    body_items handles = {.key = "handles", .table = &lt_keys_handle, .usual = &usual_handle};
    set_items(&pins, &scene->pins, sizeof usual_pin, offsetof(lt_scene_pin, body_index));
    set_items(&handles, &scene->handles, sizeof usual_handle, offsetof(lt_scene_handle, body_index));
    lt_json_key(json, "bodies");
    lt_json_begin_array(json);
    for (uint32_t i = 0; i < scene->bodies.count; i++) {
        char name[sizeof((lt_scene_shape *)0)->name];
        usual.color_index = i;
        lt_json_begin_object(json);
        name_shape(name, sizeof name, scene, bodies[i].shape_index);
        lt_json_key(json, "shape");
        lt_json_string(json, name);
        write_members(json, &lt_keys_body, &bodies[i], &usual);
        write_items_of(json, &pins, i);
        write_items_of(json, &handles, i);
        lt_json_end_object(json);
    }
    lt_json_end_array(json);
}

static void write_obstacles(lt_json *json, const lt_scene *scene, const lt_scene_obstacle *usual) {
    const lt_scene_obstacle *obstacles = scene->obstacles.items;
    lt_json_key(json, "obstacles");
    lt_json_begin_array(json);
    for (size_t i = 0; i < scene->obstacles.count; i++)
        write_table(json, &lt_keys_obstacle, &obstacles[i], usual);
    lt_json_end_array(json);
}

/* ---- the whole ---- */

static lt_status check_indices(const lt_scene *scene, lt_error *error) {
    const lt_scene_body *bodies = scene->bodies.items;
    const lt_scene_pin *pins = scene->pins.items;
    const lt_scene_handle *handles = scene->handles.items;
    bool is_sound = !scene->out_of_memory;
    for (size_t i = 0; i < scene->bodies.count; i++)
        is_sound = is_sound && bodies[i].shape_index < scene->shapes.count;
    for (size_t i = 0; i < scene->pins.count; i++)
        is_sound = is_sound && pins[i].body_index < scene->bodies.count;
    for (size_t i = 0; i < scene->handles.count; i++)
        is_sound = is_sound && handles[i].body_index < scene->bodies.count;
    if (is_sound) return LT_OK;
    return lt_fail(error, LT_STATUS_INVALID,
                   "scene %s: a body, pin or handle names what is not there; it cannot be written",
                   scene->name);
}

lt_status lt_scene_write_json(lt_json *json, const lt_scene *scene, lt_error *error) {
    lt_status status = check_indices(scene, error);
    lt_scene usual = lt_scene_empty("", NULL);
    lt_scene_body body = *lt_scene_add_body(&usual, 0, (lt_vec3){0, 0, 0});
    lt_scene_obstacle obstacle = *lt_scene_add_obstacle(&usual, LT_OBSTACLE_PLANE, (lt_vec3){0, 0, 0});
    lt_scene_free(&usual);
    if (status != LT_OK) return status;
    lt_json_begin_object(json);
    lt_json_key(json, "lithe_scene");
    lt_json_u64(json, LT_SCENE_VERSION);
    write_members(json, &lt_keys_scene, scene, NULL);
    if (scene->camera.chosen) {
        lt_json_key(json, "camera");
        write_table(json, &lt_keys_camera, &scene->camera, NULL);
    }
    write_shapes(json, scene);
    write_bodies(json, scene, body);
    write_obstacles(json, scene, &obstacle);
    lt_json_end_object(json);
    return LT_OK;
}
