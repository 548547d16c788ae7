/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/sphere_file.h"

#include "bake/rest_tree.h"
#include "core/os.h"
#include "io/text_scanner.h"

#include <stdio.h>

/* Coordinates beyond it lose too much when they are squared. */
#define FARTHEST 1e15

/* ---- reading ---- */

typedef struct reader {
    lt_scanner scanner;
    int64_t levels, branching;
    lt_array places;  /* of uint32_t: the sphere at a place of the full tree, LT_NONE where there is none */
    lt_array spheres; /* of lt_rest_sphere */
} reader;

static lt_status read_head(reader *r) {
    lt_scanner *scanner = &r->scanner;
    lt_scan_space(scanner);
    if (!lt_scan_integer(scanner, &r->levels) || !lt_scan_integer(scanner, &r->branching))
        return lt_scan_fail_expected(scanner, "the number of levels and the most children of a sphere");
    if (r->levels < 1 || r->levels > LT_SPHERE_LEVELS_MAX)
        return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED, "%lld levels: 1 to %d are read",
                            (long long)r->levels, LT_SPHERE_LEVELS_MAX);
    if (r->branching < 1 || r->branching > LT_SPHERE_BRANCHING_MAX)
        return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED, "%lld children a sphere: 1 to %d are read",
                            (long long)r->branching, LT_SPHERE_BRANCHING_MAX);
    lt_scan_next_line(scanner);
    return LT_OK;
}

static lt_status read_numbers(reader *r, double values[4]) {
    static const char *const names[4] = {"the x of a sphere", "the y of a sphere", "the z of a sphere",
                                         "the radius of a sphere"};
    lt_scan_space(&r->scanner);
    for (int i = 0; i < 4; i++) {
        if (!lt_scan_real(&r->scanner, &values[i])) return lt_scan_fail_expected(&r->scanner, names[i]);
        if (!(fabs(values[i]) <= FARTHEST))
            return lt_scan_fail(&r->scanner, LT_STATUS_INVALID, "%s is not finite, or beyond %g", names[i],
                                FARTHEST);
    }
    return LT_OK;
}

/* The sphere above a place; the root has none. */
static uint32_t parent_of(const reader *r, size_t place) {
    return place == 0 ? LT_NONE : ((const uint32_t *)r->places.items)[(place - 1) / (size_t)r->branching];
}

static lt_status add_sphere(reader *r, uint32_t level, const double values[4]) {
    size_t place = r->places.count;
    uint32_t parent = parent_of(r, place), index = values[3] > 0 ? (uint32_t)r->spheres.count : LT_NONE;
    if (index != LT_NONE && place > 0 && parent == LT_NONE)
        return lt_scan_fail(&r->scanner, LT_STATUS_INVALID, "a sphere below a place without one");
    if (index == LT_NONE && place == 0)
        return lt_scan_fail(&r->scanner, LT_STATUS_INVALID,
                            "the first sphere, which holds all others, has no radius");
    bool ok = lt_array_push(&r->places, &index);
    if (ok && index != LT_NONE) {
        lt_rest_sphere sphere = {.center = {values[0], values[1], values[2]},
                                 .radius = values[3],
                                 .parent = parent,
                                 .level = level};
        ok = lt_array_push(&r->spheres, &sphere);
    }
    if (!ok)
        return lt_fail(r->scanner.error, LT_STATUS_MEMORY, "%s: no memory for its spheres", r->scanner.name);
    if (index == LT_NONE || parent == LT_NONE) return LT_OK;
    lt_rest_sphere *up = (lt_rest_sphere *)r->spheres.items + parent;
    if (up->child_count++ == 0) up->first_child = index;
    return LT_OK;
}

static lt_status read_spheres(reader *r) {
    lt_status status = LT_OK;
    uint64_t in_level = 1;
    for (uint32_t level = 0; level < r->levels; level++, in_level *= (uint64_t)r->branching)
        for (uint64_t i = 0; i < in_level; i++) {
            double values[4];
            status = read_numbers(r, values);
            if (status == LT_OK) status = add_sphere(r, level, values);
            if (status != LT_OK) return status;
            lt_scan_next_line(&r->scanner);
        }
    return LT_OK;
}

lt_status lt_sphere_list_parse(lt_sphere_list *out, const uint8_t *bytes, size_t size, const char *name,
                               const lt_allocator *allocator, lt_error *error) {
    *out = (lt_sphere_list){.allocator = allocator ? *allocator : lt_allocator_default()};
    reader r = {.scanner = lt_scanner_make(bytes, size, name, error)};
    r.places = LT_ARRAY_OF(&out->allocator, uint32_t);
    r.spheres = LT_ARRAY_OF(&out->allocator, lt_rest_sphere);
    lt_status status = read_head(&r);
    if (status == LT_OK) status = read_spheres(&r);
    if (status == LT_OK) {
        size_t count;
        out->spheres = lt_array_take(&r.spheres, &count);
        out->sphere_count = (uint32_t)count;
        out->branching = (uint32_t)r.branching;
        if (!out->spheres) status = lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for its spheres", name);
    }
    lt_array_free(&r.places);
    lt_array_free(&r.spheres);
    if (status == LT_OK)
        out->level_count = out->spheres[out->sphere_count - 1].level + 1;
    else
        lt_sphere_list_free(out);
    return status;
}

lt_status lt_sphere_list_read(lt_sphere_list *out, const char *path, const lt_allocator *allocator,
                              lt_error *error) {
    uint8_t *bytes;
    size_t size;
    *out = (lt_sphere_list){0};
    lt_status status = lt_os_read_file(path, allocator, &bytes, &size, error);
    if (status != LT_OK) return status;
    status = lt_sphere_list_parse(out, bytes, size, path, allocator, error);
    lt_release(allocator, bytes, size, 1);
    return status;
}

void lt_sphere_list_free(lt_sphere_list *list) {
    LT_DELETE(&list->allocator, list->spheres, list->sphere_count, lt_rest_sphere);
    *list = (lt_sphere_list){0};
}

/* ---- writing ---- */

enum { LINE_ROOM = 128 };

/* 17 digits tell all doubles apart. The C library may be set to write a comma. */
static bool append_sphere(lt_array *text, const lt_rest_sphere *sphere) {
    char line[LINE_ROOM] = "0 0 0 0\n";
    int length = 8;
    if (sphere)
        length = snprintf(line, sizeof line, "%.17g %.17g %.17g %.17g\n", sphere->center.x, sphere->center.y,
                          sphere->center.z, sphere->radius);
    char *to = lt_array_grow(text, (size_t)length);
    for (int i = 0; to && i < length; i++)
        to[i] = line[i] == ',' ? '.' : line[i];
    return to != NULL;
}

/* One level's lines: for every place, a sphere or LT_NONE, the places below it in the same way. */
static bool append_level(lt_array *text, const lt_rest_tree *tree, const lt_array *places, lt_array *below) {
    const uint32_t *spheres = places->items;
    bool ok = true;
    for (size_t i = 0; ok && i < places->count; i++) {
        const lt_rest_sphere *sphere = spheres[i] == LT_NONE ? NULL : &tree->spheres[spheres[i]];
        ok = append_sphere(text, sphere);
        for (uint32_t k = 0; ok && k < tree->branching; k++) {
            uint32_t child = sphere && k < sphere->child_count ? sphere->first_child + k : LT_NONE;
            ok = lt_array_push(below, &child);
        }
    }
    return ok;
}

lt_status lt_sphere_file_write(const char *path, const lt_rest_tree *tree, lt_error *error) {
    if (tree->sphere_count == 0) return lt_fail(error, LT_STATUS_INVALID, "%s: no spheres to write", path);
    lt_array text = LT_ARRAY_OF(&tree->allocator, char), levels[2];
    levels[0] = LT_ARRAY_OF(&tree->allocator, uint32_t);
    levels[1] = LT_ARRAY_OF(&tree->allocator, uint32_t);
    char head[LINE_ROOM];
    uint32_t root = 0;
    int length = snprintf(head, sizeof head, "%u %u\n", tree->level_count, tree->branching);
    char *to = lt_array_grow(&text, (size_t)length);
    if (to) memcpy(to, head, (size_t)length);
    bool ok = to && lt_array_push(&levels[0], &root);
    for (uint32_t level = 0; ok && level < tree->level_count; level++) {
        lt_array *below = &levels[(level + 1) % 2];
        below->count = 0;
        ok = append_level(&text, tree, &levels[level % 2], below);
    }
    lt_status status = ok ? lt_os_write_file(path, text.items, text.count, error)
                          : lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory while writing", path);
    lt_array_free(&text);
    lt_array_free(&levels[0]);
    lt_array_free(&levels[1]);
    return status;
}
