/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Geomview's OFF, after the manual's chapter on it, as text:
 *
 *     [ST][C][N]OFF     <vertices> <faces> [<edges>]     on the same line or the next; the word may be absent
 *     <x> <y> <z> …                                      one line a vertex: colour and the like are skipped
 *     <corners> <a> <b> <c> … …                          one line a face, its colour skipped; long ones may
 *                                                        go on in the next line
 *
 * # begins a comment. Faces of one or two corners draw points and lines and are counted, not kept. Binary
 * files and points of other dimensions (BINARY, 4OFF, nOFF) are refused. */

#include "io/read_internal.h"

typedef struct off_reader {
    lt_scanner scanner;
    lt_surface_builder surface;
    int64_t vertex_count, face_count;
    uint32_t short_face_count;
} off_reader;

/* The letters before OFF, each at most once and in this order. */
static bool is_header(lt_word word) {
    static const char *const prefixes[] = {"ST", "C", "N"};
    for (size_t i = 0; i < LT_COUNT_OF(prefixes); i++) {
        size_t length = strlen(prefixes[i]);
        if (word.size > length && memcmp(word.bytes, prefixes[i], length) == 0) {
            word.bytes += length;
            word.size -= length;
        }
    }
    return lt_word_is(word, "OFF");
}

static bool ends_in_off(lt_word word) {
    return word.size > 3 && memcmp(word.bytes + word.size - 3, "OFF", 3) == 0;
}

static lt_status read_header_word(lt_scanner *scanner) {
    lt_scan_space(scanner);
    const uint8_t *first = scanner->at;
    lt_word word = lt_scan_word(scanner);
    if (is_header(word)) {
        lt_scan_space(scanner);
        first = scanner->at;
        if (lt_word_is(lt_scan_word(scanner), "BINARY"))
            return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED, "binary OFF is not read: save it as text");
    } else if (ends_in_off(word)) {
        return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED,
                            "%.*s is not read: OFF, COFF, NOFF and STOFF are, in three dimensions",
                            (int)lt_min_u64(word.size, 12), (const char *)word.bytes);
    }
    scanner->at = first;
    return LT_OK;
}

/* Each vertex takes "0 0 0" and a line end, each face "1 0" and one; the last line needs no end. */
static lt_status read_counts(off_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    if (!lt_scan_integer(scanner, &reader->vertex_count) || !lt_scan_integer(scanner, &reader->face_count))
        return lt_scan_fail_expected(scanner, "OFF, or the numbers of vertices and faces");
    lt_scan_next_line(scanner);
    if (reader->vertex_count < 0 || reader->face_count < 0)
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "announces a negative number of vertices or faces");
    uint64_t room = lt_scan_remaining(scanner) + 1;
    uint64_t vertices = (uint64_t)reader->vertex_count, faces = (uint64_t)reader->face_count;
    if (vertices > room / sizeof "0 0 0" || faces > (room - vertices * sizeof "0 0 0") / sizeof "1 0")
        return lt_scan_fail(scanner, LT_STATUS_FORMAT,
                            "announces %llu vertices and %llu faces, more than the file can hold",
                            (unsigned long long)vertices, (unsigned long long)faces);
    if (faces == 0)
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "no faces: %llu vertices alone make no surface",
                            (unsigned long long)vertices);
    return LT_OK;
}

static lt_status read_vertices(off_reader *reader) {
    if (!lt_array_reserve(&reader->surface.positions, (size_t)reader->vertex_count))
        return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
    lt_status status = LT_OK;
    for (int64_t i = 0; status == LT_OK && i < reader->vertex_count; i++) {
        lt_scan_space(&reader->scanner);
        status = lt_read_vertex(&reader->scanner, &reader->surface);
        if (status == LT_OK) lt_scan_next_line(&reader->scanner);
    }
    return status;
}

static lt_status read_corner(off_reader *reader, lt_polygon *polygon) {
    lt_scanner *scanner = &reader->scanner;
    int64_t corner;
    lt_scan_space(scanner);
    if (!lt_scan_integer(scanner, &corner))
        return lt_scan_fail_expected(scanner, "the vertex number of a face");
    if (corner < 0 || corner >= reader->vertex_count)
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "vertex %lld, but there are only %lld, from 0",
                            (long long)corner, (long long)reader->vertex_count);
    if (!lt_polygon_add(polygon, (uint32_t)corner, &reader->surface.triangles))
        return lt_read_no_memory(scanner->name, scanner->error);
    return LT_OK;
}

static lt_status read_face(off_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    int64_t count;
    lt_polygon polygon;
    polygon.count = 0;
    lt_scan_space(scanner);
    if (!lt_scan_integer(scanner, &count))
        return lt_scan_fail_expected(scanner, "the number of corners of a face");
    if (count < 1)
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "a face of %lld corners", (long long)count);
    lt_status status = LT_OK;
    for (int64_t i = 0; status == LT_OK && i < count; i++)
        status = read_corner(reader, &polygon);
    if (status != LT_OK) return status;
    lt_scan_next_line(scanner);
    reader->short_face_count += count < 3;
    return lt_surface_builder_end_polygon(&reader->surface, &polygon, scanner);
}

static lt_status read_faces(off_reader *reader) {
    uint64_t most = lt_scan_remaining(&reader->scanner) / (sizeof "3 0 0 0" - 1);
    if (!lt_array_reserve(&reader->surface.triangles,
                          3 * (size_t)lt_min_u64(most, (uint64_t)reader->face_count)))
        return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
    lt_status status = LT_OK;
    for (int64_t i = 0; status == LT_OK && i < reader->face_count; i++)
        status = read_face(reader);
    if (status == LT_OK && reader->surface.triangles.count == 0)
        return lt_fail(reader->scanner.error, LT_STATUS_INVALID,
                       "%s: no faces of three corners or more among %lld", reader->scanner.name,
                       (long long)reader->face_count);
    return status;
}

lt_status lt_read_off(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_mesh_content_begin(out, size, name, error);
    if (status != LT_OK) return status;
    off_reader reader = {.scanner = lt_scanner_make(bytes, size, name, error),
                         .surface = lt_surface_builder_make(allocator)};
    reader.scanner.comment = '#';
    status = read_header_word(&reader.scanner);
    if (status == LT_OK) status = read_counts(&reader);
    if (status == LT_OK) status = read_vertices(&reader);
    if (status == LT_OK) status = read_faces(&reader);
    status = lt_surface_builder_end(&reader.surface, status, out, name, error);
    if (status == LT_OK) out->skipped_cell_count = reader.short_face_count;
    return status;
}
