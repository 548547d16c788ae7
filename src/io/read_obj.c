/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Wavefront OBJ, after appendix B1 of its Advanced Visualizer manual: v, f, and the names that o and g give
 * to the faces after them; every other line is stepped over. Faces may name vertices that come later in the file (negative numbers may not). */

#include "io/read_internal.h"

typedef struct obj_reader {
    lt_scanner scanner;
    lt_surface_builder surface;
    uint64_t furthest; /* the greatest vertex number named before its vertex, and where; 0: none */
    uint32_t furthest_line;
} obj_reader;

/* "12/3/4": only the vertex number counts, but what follows it must look like more numbers. */
static bool scan_corner(lt_scanner *scanner, int64_t *number) {
    lt_scan_blanks(scanner);
    const uint8_t *first = scanner->at;
    if (!lt_scan_leading_integer(scanner, number)) return false;
    while (scanner->at < scanner->end && *scanner->at == '/') {
        scanner->at++;
        if (scanner->at < scanner->end && *scanner->at == '-') scanner->at++;
        while (scanner->at < scanner->end && (uint8_t)(*scanner->at - '0') < 10)
            scanner->at++;
    }
    if (scanner->at == scanner->end || *scanner->at <= ' ' || strchr("\\#", *scanner->at)) return true;
    scanner->at = first;
    return false;
}

static lt_status resolve_corner(obj_reader *reader, int64_t number, uint32_t *corner) {
    uint64_t count = reader->surface.positions.count;
    if (number == 0)
        return lt_scan_fail(&reader->scanner, LT_STATUS_INVALID, "vertex 0: OBJ counts vertices from 1");
    if (number < 0 && (uint64_t)-number > count)
        return lt_scan_fail(&reader->scanner, LT_STATUS_INVALID, "vertex %lld, but only %llu come before",
                            (long long)number, (unsigned long long)count);
    if (number > UINT32_MAX - 1)
        return lt_scan_fail(&reader->scanner, LT_STATUS_INVALID, "vertex %lld is beyond 32 bits",
                            (long long)number);
    if (number > 0 && (uint64_t)number > count && (uint64_t)number > reader->furthest) {
        reader->furthest = (uint64_t)number;
        reader->furthest_line = reader->scanner.line;
    }
    *corner = (uint32_t)(number > 0 ? number - 1 : (int64_t)count + number);
    return LT_OK;
}

static lt_status read_face(obj_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_polygon polygon;
    polygon.count = 0;
    for (lt_scan_blanks(scanner); !lt_scan_at_line_end(scanner); lt_scan_blanks(scanner)) {
        int64_t number;
        uint32_t corner = 0;
        if (!scan_corner(scanner, &number))
            return lt_scan_fail_expected(scanner, "the vertex number of a face");
        lt_status status = resolve_corner(reader, number, &corner);
        if (status != LT_OK) return status;
        if (!lt_polygon_add(&polygon, corner, &reader->surface.triangles))
            return lt_read_no_memory(scanner->name, scanner->error);
    }
    if (polygon.count < 3)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "a face needs three corners and has %u",
                            (uint32_t)polygon.count);
    return lt_surface_builder_end_polygon(&reader->surface, &polygon, scanner);
}

static bool keyword_is(const lt_scanner *scanner, char letter) {
    return lt_scan_remaining(scanner) >= 2 && scanner->at[0] == letter &&
           (scanner->at[1] == ' ' || scanner->at[1] == '\t');
}

static lt_status read_lines(obj_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_status status = LT_OK;
    while (status == LT_OK && scanner->at < scanner->end) {
        lt_scan_blanks(scanner);
        bool vertex = keyword_is(scanner, 'v'), face = keyword_is(scanner, 'f');
        bool group = keyword_is(scanner, 'g') || keyword_is(scanner, 'o');
        scanner->at += vertex || face || group;
        if (vertex) status = lt_read_vertex(scanner, &reader->surface);
        if (face) status = read_face(reader);
        if (group) status = lt_read_group_name(scanner, &reader->surface);
        if (status == LT_OK) lt_scan_next_line(scanner);
    }
    return status;
}

static lt_status check_file(obj_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    if (reader->furthest > reader->surface.positions.count) {
        scanner->line = reader->furthest_line;
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "vertex %llu, but the file has only %zu",
                            (unsigned long long)reader->furthest, reader->surface.positions.count);
    }
    if (reader->surface.triangles.count == 0)
        return lt_fail(scanner->error, LT_STATUS_INVALID, "%s: no faces: %zu vertices alone make no surface",
                       scanner->name, reader->surface.positions.count);
    return LT_OK;
}

lt_status lt_read_obj(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_mesh_content_begin(out, size, name, error);
    if (status != LT_OK) return status;
    if (size >= 2 && (memcmp(bytes, "\xFE\xFF", 2) == 0 || memcmp(bytes, "\xFF\xFE", 2) == 0))
        return lt_fail(error, LT_STATUS_FORMAT, "%s: UTF-16 text: save it as UTF-8", name);
    obj_reader reader = {.scanner = lt_scanner_make(bytes, size, name, error),
                         .surface = lt_surface_builder_make(allocator)};
    reader.scanner.comment = '#';
    reader.scanner.joins_lines = true;
    status = read_lines(&reader);
    if (status == LT_OK) status = check_file(&reader);
    return lt_surface_builder_end(&reader.surface, status, out, name, error);
}
