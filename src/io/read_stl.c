/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* STL, after 3D Systems' StereoLithography Interface Specification. Every triangle brings its own corners;
 * corners in exactly the same place become one vertex, numbered as they first appear. Normals, colours and
 * attribute bytes are stepped over.
 *
 *   binary  80 bytes of anything, the number of triangles, 50 bytes each: normal, corners, attribute
 *   text    solid … facet normal x y z, outer loop, vertex x y z, …, endloop, endfacet … endsolid
 *
 * Many binary files begin with "solid" too, so the size decides first: a file of exactly the bytes that its
 * number of triangles takes is binary. (As text its number would be above 500 million: no text can be both.)
 * Of the others, those that begin with "solid" are text. Bytes after the last binary triangle are ignored. */

#include "io/read_internal.h"
#include "mesh/weld.h"

enum { HEAD_SIZE = 84, TRIANGLE_SIZE = 50 };

typedef struct stl_reader {
    lt_scanner scanner;
    lt_surface_builder surface;
} stl_reader;

static uint64_t binary_size(const uint8_t *bytes) {
    return HEAD_SIZE + TRIANGLE_SIZE * (uint64_t)lt_load_u32(bytes + HEAD_SIZE - 4, false);
}

/* ---- binary ---- */

static lt_status read_triangle(stl_reader *reader, const uint8_t *record, lt_vec3 *positions,
                               uint32_t *corners, uint32_t index) {
    for (uint32_t k = 0; k < 3; k++) {
        const uint8_t *at = record + 12 + 12 * k; /* after the normal */
        lt_vec3 p = {lt_load_f32(at, false), lt_load_f32(at + 4, false), lt_load_f32(at + 8, false)};
        if (!lt_v3_is_finite(p))
            return lt_fail(reader->scanner.error, LT_STATUS_INVALID,
                           "%s: triangle %u: a coordinate is not a finite float", reader->scanner.name,
                           index);
        positions[k] = p;
        corners[k] = 3 * index + k;
    }
    return LT_OK;
}

static lt_status read_binary(stl_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    size_t size = (size_t)(scanner->end - scanner->begin);
    if (size < HEAD_SIZE)
        return lt_fail(scanner->error, LT_STATUS_FORMAT,
                       "%s: neither \"solid\" nor the %d bytes a binary STL begins with", scanner->name,
                       HEAD_SIZE);
    uint64_t needed = binary_size(scanner->begin);
    uint32_t count = lt_load_u32(scanner->begin + HEAD_SIZE - 4, false);
    if (needed > size)
        return lt_fail(scanner->error, LT_STATUS_FORMAT,
                       "%s: announces %u triangles, which take %llu bytes, but the file has %zu",
                       scanner->name, count, (unsigned long long)needed, size);
    if (count == 0) return LT_OK;
    lt_vec3 *positions = lt_array_grow(&reader->surface.positions, 3 * (size_t)count);
    uint32_t *corners = lt_array_grow(&reader->surface.triangles, 3 * (size_t)count);
    if (!positions || !corners) return lt_read_no_memory(scanner->name, scanner->error);
    lt_status status = LT_OK;
    for (uint32_t i = 0; status == LT_OK && i < count; i++)
        status = read_triangle(reader, scanner->begin + HEAD_SIZE + (size_t)i * TRIANGLE_SIZE,
                               positions + 3 * (size_t)i, corners + 3 * (size_t)i, i);
    return status;
}

/* ---- text ---- */

/* In any case of letters: "SOLID" is seen too. `wanted` is in lower case. */
static bool word_is(lt_word word, const char *wanted) {
    if (word.size != strlen(wanted)) return false;
    for (size_t i = 0; i < word.size; i++)
        if ((word.bytes[i] | 0x20) != (uint8_t)wanted[i]) return false;
    return true;
}

/* The next word, wherever it is, when it is the wanted one; else the scanner stays before it. */
static bool scan_word(lt_scanner *scanner, const char *wanted) {
    lt_scan_space(scanner);
    const uint8_t *first = scanner->at;
    if (word_is(lt_scan_word(scanner), wanted)) return true;
    scanner->at = first;
    return false;
}

static lt_status read_loop(stl_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_polygon polygon;
    polygon.count = 0;
    if (!scan_word(scanner, "outer") || !scan_word(scanner, "loop"))
        return lt_scan_fail_expected(scanner, "\"outer loop\"");
    while (scan_word(scanner, "vertex")) {
        uint32_t corner = (uint32_t)reader->surface.positions.count;
        lt_status status = lt_read_vertex(scanner, &reader->surface);
        if (status != LT_OK) return status;
        if (!lt_polygon_add(&polygon, corner, &reader->surface.triangles))
            return lt_read_no_memory(scanner->name, scanner->error);
    }
    if (!scan_word(scanner, "endloop")) return lt_scan_fail_expected(scanner, "\"vertex\" or \"endloop\"");
    if (polygon.count < 3)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "a facet needs three vertices and has %u",
                            (uint32_t)polygon.count);
    return lt_surface_builder_end_polygon(&reader->surface, &polygon, scanner);
}

/* The normal is not looked at: it follows from the corners, and writers disagree about it. */
static lt_status read_facet(stl_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    if (!scan_word(scanner, "normal")) return lt_scan_fail_expected(scanner, "\"normal\"");
    for (int k = 0; k < 3; k++) {
        lt_scan_space(scanner);
        lt_scan_word(scanner);
    }
    lt_status status = read_loop(reader);
    if (status == LT_OK && !scan_word(scanner, "endfacet"))
        status = lt_scan_fail_expected(scanner, "\"endfacet\"");
    return status;
}

/* Solids one after the other; their names, which end with their lines, are those of groups. */
static lt_status read_text(stl_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_status status = LT_OK;
    for (lt_scan_space(scanner); status == LT_OK && scanner->at < scanner->end; lt_scan_space(scanner)) {
        if (!scan_word(scanner, "solid")) return lt_scan_fail_expected(scanner, "\"solid\"");
        status = lt_read_group_name(scanner, &reader->surface);
        lt_scan_next_line(scanner);
        while (status == LT_OK && scan_word(scanner, "facet"))
            status = read_facet(reader);
        if (status == LT_OK && !scan_word(scanner, "endsolid"))
            status = lt_scan_fail_expected(scanner, "\"facet\" or \"endsolid\"");
        if (status == LT_OK) lt_scan_next_line(scanner);
    }
    return status;
}

/* ---- both ---- */

/* Leaves one vertex of those in one place, in the order of first appearance. */
static lt_status weld(lt_surface_builder *surface, const char *name, lt_error *error) {
    lt_vec3 *positions = surface->positions.items;
    uint32_t *corners = surface->triangles.items;
    uint32_t count = (uint32_t)surface->positions.count, kept = 0;
    const lt_allocator *allocator = &surface->positions.allocator;
    uint32_t *number_of = LT_NEW(allocator, count, uint32_t);
    bool complete = number_of && lt_weld_positions(number_of, positions, count, allocator);
    for (uint32_t i = 0; complete && i < count; i++) {
        if (number_of[i] == i) positions[kept] = positions[i];
        number_of[i] = number_of[i] == i ? kept++ : number_of[number_of[i]];
    }
    for (size_t i = 0; complete && i < surface->triangles.count; i++)
        corners[i] = number_of[corners[i]];
    LT_DELETE(allocator, number_of, count, uint32_t);
    if (!complete) return lt_read_no_memory(name, error);
    surface->positions.count = kept;
    return LT_OK;
}

lt_status lt_read_stl(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_mesh_content_begin(out, size, name, error);
    if (status != LT_OK) return status;
    stl_reader reader = {.scanner = lt_scanner_make(bytes, size, name, error),
                         .surface = lt_surface_builder_make(allocator)};
    lt_scanner ahead = reader.scanner;
    bool exact_size = size >= HEAD_SIZE && binary_size(bytes) == size;
    status = !exact_size && scan_word(&ahead, "solid") ? read_text(&reader) : read_binary(&reader);
    if (status == LT_OK && reader.surface.triangles.count == 0)
        status = lt_fail(error, LT_STATUS_INVALID, "%s: no triangles", name);
    if (status == LT_OK) status = weld(&reader.surface, name, error);
    return lt_surface_builder_end(&reader.surface, status, out, name, error);
}
