/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/scene_json.h"

#include "core/os.h"
#include "core/vec.h"
#include "scenes/json_reader.h"
#include "scenes/near_names.h"
#include "scenes/scene_keys.h"
#include "scenes/scene_size.h"
#include "world/world.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_FOV 35.0f

/* Where in the file a value stands: "bodies[3].material" is made of these when something is wrong. */
typedef struct place {
    const struct place *parent; /* NULL: the whole file */
    const char *key;            /* NULL: an item of a list */
    size_t index;
} place;

typedef struct reader {
    const char *name;
    lt_scene *scene;
    lt_error *error;
    lt_scene_size *made, *bodies; /* by all shapes and obstacles; in all bodies */
} reader;

/* ---- faults ---- */

static size_t print_place(const place *at, char *text, size_t capacity) {
    if (!at->parent) return 0;
    size_t used = print_place(at->parent, text, capacity);
    if (used + 1 >= capacity) return used;
    int length = at->key ? snprintf(text + used, capacity - used, "%s%.40s", used ? "." : "", at->key)
                         : snprintf(text + used, capacity - used, "[%zu]", at->index);
    return length < 0 ? used : used + (size_t)length;
}

static bool is_control(char c) {
    return (unsigned char)c < 0x20 || c == 0x7f;
}

static bool has_control(const char *text) {
    for (; *text; text++)
        if (is_control(*text)) return true;
    return false;
}

/* Keys and values are quoted in messages, which go to terminals. */
static void hide_control(char *text) {
    for (; *text; text++)
        if (is_control(*text)) *text = '?';
}

static lt_status fail(const reader *r, const place *at, const lt_json_value *value, const char *format, ...)
    LT_PRINTF_FORMAT(4, 5);
static lt_status fail(const reader *r, const place *at, const lt_json_value *value, const char *format, ...) {
    char message[220], path[120] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    print_place(at, path, sizeof path);
    hide_control(message);
    hide_control(path);
    return lt_fail(r->error, LT_STATUS_INVALID, "%s:%u: %s%s%s", r->name, value->line, path,
                   path[0] ? ": " : "", message);
}

static lt_status fail_type(const reader *r, const place *at, const lt_json_value *value, const char *wanted) {
    return fail(r, at, value, "give %s, not %s", wanted, lt_json_type_name(value->type));
}

static lt_status fail_range(const reader *r, const place *at, const lt_json_value *value,
                            const lt_scene_key *key) {
    if (!isfinite(value->of.number))
        return fail(r, at, value, "no such large number can be used: give %.10g to %.10g", key->lo, key->hi);
    return fail(r, at, value, "%.10g is out of range: give %.10g to %.10g", value->of.number, key->lo,
                key->hi);
}

static lt_status fail_name(const reader *r, const place *at, const lt_json_value *value,
                           const lt_name_list *list) {
    char near_names[150];
    lt_near_names(value->of.text, list->names, list->count, near_names, sizeof near_names);
    return fail(r, at, value, "\"%.40s\" is not %s; did you mean %s?", value->of.text, list->what,
                near_names);
}

/* ---- values ---- */

static lt_status read_real(const reader *r, const place *at, const lt_json_value *value,
                           const lt_scene_key *key, float *out) {
    if (value->type != LT_JSON_NUMBER) return fail_type(r, at, value, "a number");
    if (!(value->of.number >= key->lo && value->of.number <= key->hi)) return fail_range(r, at, value, key);
    *out = (float)value->of.number;
    return LT_OK;
}

static lt_status read_units(const reader *r, const place *at, const lt_json_value *value,
                            const lt_scene_key *key, uint64_t *out) {
    if (value->type != LT_JSON_NUMBER) return fail_type(r, at, value, "a whole number");
    if (!(value->of.number >= key->lo && value->of.number <= key->hi)) return fail_range(r, at, value, key);
    if (value->of.number != floor(value->of.number))
        return fail(r, at, value, "%.10g is not a whole number", value->of.number);
    *out = (uint64_t)value->of.number;
    return LT_OK;
}

static lt_status read_count(const reader *r, const place *at, const lt_json_value *value,
                            const lt_scene_key *key, uint32_t *out) {
    uint64_t units;
    lt_status status = read_units(r, at, value, key, &units);
    if (status == LT_OK) *out = (uint32_t)units;
    return status;
}

/* The items of a list of exactly so many. */
static lt_status read_list_of(const reader *r, const place *at, const lt_json_value *value, size_t count,
                              const lt_json_value **items) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, "a list of %zu numbers", count);
    if (value->type != LT_JSON_ARRAY) return fail_type(r, at, value, wanted);
    size_t found = 0;
    for (const lt_json_value *item = value->of.first; item; item = item->next, found++)
        if (found < count) items[found] = item;
    return found == count ? LT_OK : fail(r, at, value, "give %s, not %zu", wanted, found);
}

static lt_status read_reals(const reader *r, const place *at, const lt_json_value *value,
                            const lt_scene_key *key, float *out, size_t count) {
    const lt_json_value *items[4];
    LT_ASSERT(count <= LT_COUNT_OF(items));
    lt_status status = read_list_of(r, at, value, count, items);
    for (size_t i = 0; i < count && status == LT_OK; i++)
        status = read_real(r, &(place){at, NULL, i}, items[i], key, &out[i]);
    return status;
}

static lt_status read_place(const reader *r, const place *at, const lt_json_value *value,
                            const lt_scene_key *key, double *out) {
    const lt_json_value *items[3];
    float rounded;
    lt_status status = read_list_of(r, at, value, 3, items);
    for (size_t i = 0; i < 3 && status == LT_OK; i++) {
        status = read_real(r, &(place){at, NULL, i}, items[i], key, &rounded);
        if (status == LT_OK) out[i] = items[i]->of.number;
    }
    return status;
}

static lt_status read_counts(const reader *r, const place *at, const lt_json_value *value,
                             const lt_scene_key *key, uint32_t *out) {
    const lt_json_value *items[3];
    lt_status status = read_list_of(r, at, value, 3, items);
    for (size_t i = 0; i < 3 && status == LT_OK; i++)
        status = read_count(r, &(place){at, NULL, i}, items[i], key, &out[i]);
    return status;
}

static lt_status read_text(const reader *r, const place *at, const lt_json_value *value,
                           const lt_scene_key *key, char *out) {
    size_t capacity = (size_t)key->hi;
    if (value->type != LT_JSON_STRING) return fail_type(r, at, value, "a string");
    if (strlen(value->of.text) >= capacity) return fail(r, at, value, "give at most %zu bytes", capacity - 1);
    if (key->is_required && value->of.text[0] == 0)
        return fail(r, at, value, "give a string that is not empty");
    if (has_control(value->of.text)) return fail(r, at, value, "control characters cannot be used");
    snprintf(out, capacity, "%s", value->of.text);
    return LT_OK;
}

static lt_status read_choice(const reader *r, const place *at, const lt_json_value *value,
                             const lt_name_list *list, uint32_t *out) {
    if (value->type != LT_JSON_STRING) return fail_type(r, at, value, "a string");
    for (*out = 0; *out < list->count; ++*out)
        if (strcmp(value->of.text, list->names[*out]) == 0) return LT_OK;
    return fail_name(r, at, value, list);
}

static lt_status read_letter(const reader *r, const place *at, const lt_json_value *value, char *out) {
    if (value->type != LT_JSON_STRING) return fail_type(r, at, value, "a letter");
    *out = value->of.text[0];
    bool is_letter = *out >= 'A' && *out <= 'Z' && value->of.text[1] == 0;
    return is_letter ? LT_OK : fail(r, at, value, "give one letter, A to Z");
}

static lt_status read_threshold(const reader *r, const place *at, const lt_json_value *value,
                                const lt_scene_key *key, float *out) {
    if (value->type != LT_JSON_STRING) return read_real(r, at, value, key, out);
    *out = HUGE_VALF;
    return strcmp(value->of.text, "nowhere") == 0 ? LT_OK
                                                  : fail(r, at, value, "give a number or \"nowhere\"");
}

/* ---- objects by their tables ---- */

static lt_status read_object(const reader *r, const place *at, const lt_json_value *value,
                             const lt_key_table *table, void *target);

typedef struct turn {
    lt_vec3 axis;
    float degrees;
} turn;

/* Four numbers, or an axis and an angle. */
static lt_status read_rotation(const reader *r, const place *at, const lt_json_value *value,
                               const lt_scene_key *key, lt_quat *out) {
    static const lt_scene_key keys[] = {
        {.name = "axis", .type = LT_KEY_VECTOR, .is_required = true, .lo = -1e6, .hi = 1e6},
        {.name = "degrees",
         .type = LT_KEY_REAL,
         .is_required = true,
         .offset = offsetof(turn, degrees),
         .lo = -36000,
         .hi = 36000}};
    static const lt_key_table table = {.common = {keys, LT_COUNT_OF(keys)}};
    turn by = {0};
    lt_status status;
    if (value->type == LT_JSON_OBJECT) {
        status = read_object(r, at, value, &table, &by);
        if (status == LT_OK && !(lt_v3_length(by.axis) > 1e-6f))
            status = fail(r, at, value, "the axis has no direction");
        if (status == LT_OK) *out = lt_quat_turn(by.axis, (double)by.degrees);
    } else {
        status = read_reals(r, at, value, key, &out->x, 4);
    }
    if (status == LT_OK && !lt_quat_is_rotation(*out))
        status = fail(r, at, value, "not a rotation: none is [0, 0, 0, 1]");
    return status;
}

static lt_status read_by_key(const reader *r, const place *at, const lt_json_value *value,
                             const lt_scene_key *key, void *target) {
    void *field = (char *)target + key->offset;
    uint32_t choice;
    lt_status status = LT_OK;
    switch (key->type) {
    case LT_KEY_REAL: return read_real(r, at, value, key, field);
    case LT_KEY_THRESHOLD: return read_threshold(r, at, value, key, field);
    case LT_KEY_VECTOR: return read_reals(r, at, value, key, field, 3);
    case LT_KEY_PLACE: return read_place(r, at, value, key, field);
    case LT_KEY_ROTATION: return read_rotation(r, at, value, key, field);
    case LT_KEY_COUNT: return read_count(r, at, value, key, field);
    case LT_KEY_COUNTS: return read_counts(r, at, value, key, field);
    case LT_KEY_UNITS: return read_units(r, at, value, key, field);
    case LT_KEY_FLAG:
        if (value->type != LT_JSON_BOOL) return fail_type(r, at, value, "true or false");
        return *(bool *)field = value->of.is_true, LT_OK;
    case LT_KEY_CHOICE:
        status = read_choice(r, at, value, key->choices, &choice);
        if (status == LT_OK) memcpy(field, &choice, sizeof choice);
        return status;
    case LT_KEY_TEXT: return read_text(r, at, value, key, field);
    case LT_KEY_LETTER: return read_letter(r, at, value, field);
    case LT_KEY_OBJECT: return read_object(r, at, value, key->table, field);
    case LT_KEY_OWN: break;
    }
    return status;
}

static const lt_scene_key *find_key(const lt_key_list *list, const char *name) {
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->keys[i].name, name) == 0) return &list->keys[i];
    return NULL;
}

static lt_status fail_unknown(const reader *r, const place *at, const lt_json_value *member,
                              const lt_key_list *lists, uint32_t list_count, bool has_kind) {
    const char *names[LT_KEY_TABLE_KEYS_MAX];
    char near_names[150];
    uint32_t count = 0;
    if (has_kind) names[count++] = "kind";
    for (uint32_t l = 0; l < list_count; l++)
        for (uint32_t i = 0; i < lists[l].count && count < LT_COUNT_OF(names); i++)
            names[count++] = lists[l].keys[i].name;
    lt_near_names(member->key, names, count, near_names, sizeof near_names);
    if (count == 0) return fail(r, at, member, "no key has a meaning here");
    return fail(r, at, member, "there is no such key here; did you mean %s?", near_names);
}

static lt_status check_required(const reader *r, const place *at, const lt_json_value *object,
                                const lt_key_list *list) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->keys[i].is_required && !lt_json_member(object, list->keys[i].name))
            return fail(r, at, object, "the key \"%s\" is missing", list->keys[i].name);
    return LT_OK;
}

static lt_status read_kind(const reader *r, const place *at, const lt_json_value *object,
                           const lt_key_table *table, void *target, uint32_t *kind) {
    const lt_json_value *value = lt_json_member(object, "kind");
    if (!value) return fail(r, at, object, "the key \"kind\" is missing");
    lt_status status = read_choice(r, &(place){at, "kind", 0}, value, table->kinds, kind);
    if (status == LT_OK) memcpy((char *)target + table->kind_offset, kind, sizeof *kind);
    return status;
}

/* All keys but those of type LT_KEY_OWN, which are only known to be known; what is not there keeps its value. */
static lt_status read_object(const reader *r, const place *at, const lt_json_value *value,
                             const lt_key_table *table, void *target) {
    if (value->type != LT_JSON_OBJECT) return fail_type(r, at, value, "an object");
    uint32_t kind = 0;
    lt_status status = table->kinds ? read_kind(r, at, value, table, target, &kind) : LT_OK;
    if (status != LT_OK) return status;
    const lt_key_list lists[2] = {table->common, table->kinds ? table->of_kind[kind] : (lt_key_list){0}};
    for (const lt_json_value *member = value->of.first; member; member = member->next) {
        if (table->kinds && strcmp(member->key, "kind") == 0) continue;
        place here = {at, member->key, 0};
        const lt_scene_key *key = find_key(&lists[0], member->key);
        if (!key) key = find_key(&lists[1], member->key);
        status = key ? read_by_key(r, &here, member, key, target)
                     : fail_unknown(r, &here, member, lists, 2, table->kinds != NULL);
        if (status != LT_OK) return status;
    }
    status = check_required(r, at, value, &lists[0]);
    return status == LT_OK ? check_required(r, at, value, &lists[1]) : status;
}

/* ---- what tables cannot say ---- */

static lt_status check_torus(const reader *r, const place *at, const lt_json_value *value, lt_vec3 size) {
    return size.y < size.x ? LT_OK : fail(r, at, value, "tube_radius must be below radius");
}

static lt_status check_size(const reader *r, const place *at, const lt_json_value *value, double count,
                            double limit, const char *what) {
    return count <= limit ? LT_OK
                          : fail(r, at, value, "that makes %.0f %s: give less, at most %.0f can be made",
                                 count, what, limit);
}

/* Of one shape or obstacle, and with all before it. */
static lt_status check_made(const reader *r, const place *at, const lt_json_value *value,
                            lt_scene_size size) {
    lt_scene_size *all = r->made;
    *all = lt_scene_size_add(*all, size);
    lt_status status = check_size(r, at, value, size.tets, LT_SCENE_SHAPE_TETS_MAX, "tets");
    if (status == LT_OK)
        status = check_size(r, at, value, size.triangles, LT_SCENE_SHAPE_TRIANGLES_MAX, "triangles");
    if (status == LT_OK)
        status = check_size(r, at, value, all->tets, LT_SCENE_ALL_TETS_MAX, "tets with those before it");
    if (status == LT_OK)
        status = check_size(r, at, value, all->triangles, LT_SCENE_ALL_TRIANGLES_MAX,
                            "triangles with those before it");
    if (status == LT_OK)
        status = check_size(r, at, value, all->grid_cells, LT_SCENE_GRID_CELLS_MAX,
                            "cells of distance grids with those before it");
    return status;
}

static lt_status check_bodies(const reader *r, const place *at, const lt_json_value *value,
                              const lt_scene_shape *shape) {
    *r->bodies = lt_scene_size_add(*r->bodies, lt_scene_size_of_shape(shape));
    lt_status status =
        check_size(r, at, value, r->bodies->tets, LT_SCENE_BODY_TETS_MAX, "tets in all bodies so far");
    return status == LT_OK ? check_size(r, at, value, r->bodies->triangles, LT_SCENE_BODY_TRIANGLES_MAX,
                                        "triangles in all bodies so far")
                           : status;
}

static bool is_made_around(lt_carrier_recipe_kind kind) {
    return kind == LT_CARRIER_RECIPE_ENCLOSED || kind == LT_CARRIER_RECIPE_LADDER ||
           kind == LT_CARRIER_RECIPE_LATTICE;
}

static lt_status check_shape(const reader *r, const place *at, const lt_json_value *value,
                             const lt_scene_shape *shape) {
    const lt_surface_recipe *surface = &shape->surface;
    const lt_carrier_recipe *carrier = &shape->carrier;
    lt_status status = LT_OK;
    if (surface->kind == LT_SURFACE_RECIPE_TORUS) status = check_torus(r, at, value, surface->size);
    if (status == LT_OK && carrier->kind == LT_CARRIER_RECIPE_TORUS)
        status = check_torus(r, at, value, carrier->size);
    if (status != LT_OK) return status;
    if (is_made_around(carrier->kind) && surface->kind == LT_SURFACE_RECIPE_NONE)
        return fail(r, at, value, "a carrier of this kind is made around a surface: give one");
    if (carrier->kind == LT_CARRIER_RECIPE_KNOT && surface->kind != LT_SURFACE_RECIPE_KNOT)
        return fail(r, at, value, "a knot as carrier needs a knot as surface");
    if (carrier->kind == LT_CARRIER_RECIPE_BAKED && surface->kind != LT_SURFACE_RECIPE_NONE)
        return fail(r, at, value, "a baked shape has its own surface: give none");
    return check_made(r, at, value, lt_scene_size_of_shape(shape));
}

static lt_status check_obstacle(const reader *r, const place *at, const lt_json_value *value,
                                const lt_scene_obstacle *obstacle) {
    if (obstacle->kind == LT_OBSTACLE_PLANE && !(lt_v3_length(obstacle->normal) > 1e-5f))
        return fail(r, at, value, "the normal has no direction");
    if (obstacle->kind != LT_OBSTACLE_MESH) return LT_OK;
    if (obstacle->surface.kind == LT_SURFACE_RECIPE_NONE)
        return fail(r, at, value, "a mesh needs a surface of another kind than none");
    lt_status status = LT_OK;
    if (obstacle->surface.kind == LT_SURFACE_RECIPE_TORUS)
        status = check_torus(r, at, value, obstacle->surface.size);
    return status == LT_OK ? check_made(r, at, value, lt_scene_size_of_obstacle(obstacle)) : status;
}

/* ---- lists ---- */

/* NULL values are empty lists. */
static lt_status check_list(const reader *r, const place *at, const lt_json_value *value, lt_json_type type,
                            size_t limit) {
    size_t count = 0;
    if (!value) return LT_OK;
    if (value->type != type) return fail_type(r, at, value, lt_json_type_name(type));
    for (const lt_json_value *item = value->of.first; item; item = item->next)
        count++;
    return count <= limit ? LT_OK : fail(r, at, value, "%zu are too many: give at most %zu", count, limit);
}

static const lt_json_value *first_of(const lt_json_value *list) {
    return list ? list->of.first : NULL;
}

static lt_status read_shape(const reader *r, const place *at, const lt_json_value *value) {
    lt_scene_shape shape = {0};
    if (value->key[0] == 0 || strlen(value->key) >= sizeof shape.name)
        return fail(r, at, value, "the name of a shape must have 1 to %zu bytes", sizeof shape.name - 1);
    if (has_control(value->key))
        return fail(r, at, value, "control characters cannot be used in the name of a shape");
    lt_status status = read_object(r, at, value, &lt_keys_shape, &shape);
    if (status == LT_OK) status = check_shape(r, at, value, &shape);
    if (status != LT_OK) return status;
    snprintf(shape.name, sizeof shape.name, "%s", value->key);
    r->scene->out_of_memory |= !lt_array_push(&r->scene->shapes, &shape);
    return LT_OK;
}

static lt_status find_shape(const reader *r, const place *at, const lt_json_value *value, uint32_t *index) {
    const lt_scene_shape *shapes = r->scene->shapes.items;
    const char *names[LT_SCENE_SHAPES_MAX];
    if (value->type != LT_JSON_STRING) return fail_type(r, at, value, "the name of a shape");
    uint32_t count = (uint32_t)r->scene->shapes.count;
    for (*index = 0; *index < count; ++*index) {
        names[*index] = shapes[*index].name;
        if (strcmp(value->of.text, shapes[*index].name) == 0) return LT_OK;
    }
    if (count == 0) return fail(r, at, value, "there are no shapes; give some under \"shapes\"");
    return fail_name(r, at, value, &(lt_name_list){"a shape of this file", names, count});
}

static lt_status read_pins(const reader *r, const place *at, const lt_json_value *list, uint32_t body_index) {
    size_t index = 0;
    lt_status status = check_list(r, at, list, LT_JSON_ARRAY, LT_SCENE_ITEMS_MAX - r->scene->pins.count);
    for (const lt_json_value *v = status == LT_OK ? first_of(list) : NULL; v && status == LT_OK;
         v = v->next) {
        place here = {at, NULL, index++};
        lt_scene_pin pin = {.body_index = body_index};
        status = read_object(r, &here, v, &lt_keys_pin, &pin);
        bool is_box = pin.lo.x <= pin.hi.x && pin.lo.y <= pin.hi.y && pin.lo.z <= pin.hi.z;
        if (status == LT_OK && !is_box) status = fail(r, &here, v, "lo must not be above hi");
        if (status == LT_OK) *lt_scene_add_pin(r->scene, body_index, pin.lo, pin.hi) = pin;
    }
    return status;
}

static lt_status read_handles(const reader *r, const place *at, const lt_json_value *list,
                              uint32_t body_index) {
    size_t index = 0;
    lt_status status = check_list(r, at, list, LT_JSON_ARRAY, LT_SCENE_ITEMS_MAX - r->scene->handles.count);
    for (const lt_json_value *v = status == LT_OK ? first_of(list) : NULL; v && status == LT_OK;
         v = v->next) {
        lt_scene_handle handle = {.body_index = body_index};
        status = read_object(r, &(place){at, NULL, index++}, v, &lt_keys_handle, &handle);
        if (status == LT_OK) *lt_scene_add_handle(r->scene, body_index, handle.point, 0) = handle;
    }
    return status;
}

static lt_status read_body(const reader *r, const place *at, const lt_json_value *value) {
    uint32_t body_index = (uint32_t)r->scene->bodies.count, shape = 0;
    if (value->type != LT_JSON_OBJECT) return fail_type(r, at, value, "an object");
    const lt_json_value *name = lt_json_member(value, "shape");
    if (!name) return fail(r, at, value, "the key \"shape\" is missing");
    place at_shape = {at, "shape", 0};
    lt_status status = find_shape(r, &at_shape, name, &shape);
    if (status == LT_OK)
        status = check_bodies(r, &at_shape, name, (const lt_scene_shape *)r->scene->shapes.items + shape);
    if (status != LT_OK) return status;
    lt_scene_body *body = lt_scene_add_body(r->scene, shape, (lt_vec3){0, 0, 0});
    status = read_object(r, at, value, &lt_keys_body, body);
    if (status == LT_OK)
        status = read_pins(r, &(place){at, "pins", 0}, lt_json_member(value, "pins"), body_index);
    if (status == LT_OK)
        status = read_handles(r, &(place){at, "handles", 0}, lt_json_member(value, "handles"), body_index);
    return status;
}

static lt_status read_obstacle(const reader *r, const place *at, const lt_json_value *value) {
    lt_scene_obstacle *obstacle = lt_scene_add_obstacle(r->scene, LT_OBSTACLE_PLANE, (lt_vec3){0, 0, 0});
    lt_status status = read_object(r, at, value, &lt_keys_obstacle, obstacle);
    return status == LT_OK ? check_obstacle(r, at, value, obstacle) : status;
}

/* ---- the whole ---- */

static lt_status read_camera(const reader *r, const place *at, const lt_json_value *value) {
    lt_scene_camera *camera = &r->scene->camera;
    if (!value) return LT_OK;
    *camera = (lt_scene_camera){.chosen = true, .fov_degrees = DEFAULT_FOV};
    lt_status status = read_object(r, at, value, &lt_keys_camera, camera);
    if (status == LT_OK && !(lt_v3_distance(camera->eye, camera->target) > 1e-6f))
        status = fail(r, at, value, "eye and target are the same point");
    return status;
}

/* Before anything else: keys of another version would only be called unknown. */
static lt_status read_version(const reader *r, const place *root, const lt_json_value *value,
                              const lt_key_table **keys) {
    if (value->type != LT_JSON_OBJECT) return fail_type(r, root, value, "an object");
    const lt_json_value *version = lt_json_member(value, "lithe_scene");
    if (!version)
        return fail(r, root, value, "the key \"lithe_scene\" is missing: a scene says \"lithe_scene\": %d",
                    LT_SCENE_VERSION);
    double number = version->type == LT_JSON_NUMBER ? version->of.number : 0;
    *keys = number == LT_SCENE_VERSION ? &lt_keys_scene : &lt_keys_scene_1;
    if (number == LT_SCENE_VERSION || number == LT_SCENE_VERSION_FIRST) return LT_OK;
    fail(r, &(place){root, "lithe_scene", 0}, version, "this program reads versions %d and %d only",
         LT_SCENE_VERSION_FIRST, LT_SCENE_VERSION);
    return LT_STATUS_VERSION;
}

typedef lt_status read_item(const reader *r, const place *at, const lt_json_value *value);

/* A list of one kind of thing at the top of the file; shapes are an object, and known by their keys. */
static lt_status read_list(const reader *r, const place *root, const lt_json_value *file, const char *key,
                           lt_json_type type, size_t limit, read_item *read) {
    place at = {root, key, 0};
    size_t index = 0;
    const lt_json_value *list = lt_json_member(file, key);
    lt_status status = check_list(r, &at, list, type, limit);
    for (const lt_json_value *v = status == LT_OK ? first_of(list) : NULL; v && status == LT_OK; v = v->next)
        status = read(r, &(place){&at, v->key, index++}, v);
    return status;
}

static lt_status read_scene(const reader *r, const lt_json_value *file) {
    const place root = {0};
    const lt_key_table *keys = NULL;
    lt_status status = read_version(r, &root, file, &keys);
    if (status == LT_OK) status = read_object(r, &root, file, keys, r->scene);
    if (status == LT_OK && r->scene->mode == LT_MODE_PAPER && r->scene->method == LT_METHOD_REFERENCE)
        status = fail(r, &(place){&root, "world", 0}, lt_json_member(file, "world"),
                      "the method reference has no mode paper");
    if (status == LT_OK)
        status = read_camera(r, &(place){&root, "camera", 0}, lt_json_member(file, "camera"));
    if (status == LT_OK)
        status = read_list(r, &root, file, "shapes", LT_JSON_OBJECT, LT_SCENE_SHAPES_MAX, read_shape);
    if (status == LT_OK)
        status = read_list(r, &root, file, "bodies", LT_JSON_ARRAY, LT_SCENE_ITEMS_MAX, read_body);
    if (status == LT_OK)
        status = read_list(r, &root, file, "obstacles", LT_JSON_ARRAY, LT_SCENE_ITEMS_MAX, read_obstacle);
    return status;
}

/* "folder/pile.json" is called pile. */
static void name_after_file(char *name, size_t capacity, const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    snprintf(name, capacity, "%.*s", (int)(dot && dot > base ? dot - base : (ptrdiff_t)strlen(base)), base);
    hide_control(name);
}

lt_status lt_scene_from_json(lt_scene *out, const char *name, const void *bytes, size_t size,
                             const lt_allocator *allocator, lt_error *error) {
    lt_json_document document;
    *out = (lt_scene){0};
    if (size > LT_SCENE_FILE_MAX)
        return lt_fail(error, LT_STATUS_FORMAT, "%s: a scene file may have at most 64 MiB", name);
    lt_status status = lt_json_read(&document, name, bytes, size, allocator, error);
    if (status != LT_OK) return status;
    *out = lt_scene_empty("", allocator);
    name_after_file(out->name, sizeof out->name, name);
    lt_scene_size made = {0}, bodies = {0};
    status = read_scene(&(reader){name, out, error, &made, &bodies}, document.root);
    if (out->out_of_memory) status = lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory", name);
    lt_json_document_free(&document);
    if (status != LT_OK) {
        lt_scene_free(out);
        *out = (lt_scene){0};
        if (error) error->status = status;
    }
    return status;
}

/* ---- files ---- */

/* "folder/pile.json" is in "folder/". */
static lt_status remember_folder(lt_scene *scene, const char *path, lt_error *error) {
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash + 1 - path) : 0;
    if (length >= sizeof scene->folder)
        return lt_fail(error, LT_STATUS_INVALID, "%.80s…: the name of the folder is too long", path);
    memcpy(scene->folder, path, length);
    scene->folder[length] = 0;
    return LT_OK;
}

lt_status lt_scene_load(lt_scene *out, const char *path, const lt_allocator *allocator, lt_error *error) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    *out = (lt_scene){0};
    lt_status status = lt_os_read_file_up_to(path, LT_SCENE_FILE_MAX, allocator, &bytes, &size, error);
    if (status != LT_OK) return status;
    status = lt_scene_from_json(out, path, bytes, size, allocator, error);
    lt_release(allocator, bytes, size, 1);
    if (status == LT_OK) status = remember_folder(out, path, error);
    if (status != LT_OK) lt_scene_free(out);
    return status;
}

bool lt_scene_is_file(const char *name) {
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

lt_status lt_scene_open(lt_scene *out, const char *name, const lt_allocator *allocator, lt_error *error) {
    return (lt_scene_is_file(name) ? lt_scene_load : lt_scene_make)(out, name, allocator, error);
}
