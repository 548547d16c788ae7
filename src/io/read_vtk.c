/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* VTK's legacy files, after the chapter on file formats of its user's guide; .vtu and .vtp are another format.
 *
 *     # vtk DataFile Version <x.y>
 *     <title>
 *     ASCII | BINARY                         BINARY: values in big-endian bytes after the line of their head
 *     DATASET POLYDATA | UNSTRUCTURED_GRID
 *     POINTS <count> <type>                  and the points
 *     POLYGONS | CELLS … <a> <b>             lists of cells:
 *         up to 4.x    a cells in b numbers  <length> <point> … each
 *         5.x          OFFSETS <type>        a numbers: where each cell begins, and the end of the last
 *                      CONNECTIVITY <type>   b numbers: the points of all cells
 *     CELL_TYPES <count>                     and one number a cell
 *     CELL_DATA, POINT_DATA                  here reading ends
 *
 * FIELD, and METADATA between them and after each array of a FIELD, are stepped over. As in VTK, words may be in
 * upper or lower case. The types of cells come after the cells: a cursor waits where the lists begin, so that cells
 * and types are walked side by side and nothing is stored twice. */

#include "io/read_internal.h"

typedef struct vtk_type {
    const char *name;
    uint8_t size;
    char kind; /* i: signed, u: unsigned, f: floating point, b: bits, s: strings */
} vtk_type;

/* vtkIdType is written as int; long as it is on 64-bit systems other than Windows. */
static const vtk_type types[] = {
    {"float", 4, 'f'},          {"double", 8, 'f'},        {"int", 4, 'i'},
    {"unsigned_int", 4, 'u'},   {"vtkIdType", 4, 'i'},     {"long", 8, 'i'},
    {"unsigned_long", 8, 'u'},  {"vtktypeint64", 8, 'i'},  {"vtktypeuint64", 8, 'u'},
    {"vtktypeint32", 4, 'i'},   {"vtktypeuint32", 4, 'u'}, {"short", 2, 'i'},
    {"unsigned_short", 2, 'u'}, {"char", 1, 'i'},          {"unsigned_char", 1, 'u'},
    {"signed_char", 1, 'i'},    {"bit", 1, 'b'},           {"string", 1, 's'}};

static const vtk_type *const int_type = &types[2];

/* A row of numbers, and how many of them are still to come. */
typedef struct vtk_values {
    lt_scanner scanner;
    const vtk_type *type;
    bool ascii;
    uint64_t left;
} vtk_values;

/* One list of cells. Up to 4.x lengths and points are one row of numbers. */
typedef struct vtk_cells {
    uint64_t count;
    bool has_offsets;
    uint64_t offset; /* where the next cell begins */
    vtk_values offsets;
    vtk_values points;
} vtk_cells;

typedef struct vtk_reader {
    lt_scanner scanner;
    lt_cell_builder cells;
    bool ascii;
    bool has_offsets; /* of version 5 */
    bool is_grid;     /* UNSTRUCTURED_GRID */
    bool has_points;
    bool has_list;  /* of a grid: `list` waits for its types */
    vtk_cells list; /* of a grid */
    lt_mesh_content *out;
} vtk_reader;

/* ---- values ---- */

static lt_status no_memory(const vtk_reader *reader) {
    return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
}

static lt_status fail_at_value(const vtk_values *values, const char *wanted) {
    if (values->ascii) return lt_scan_fail_expected(&values->scanner, wanted);
    return lt_scan_fail(&values->scanner, LT_STATUS_FORMAT, "expected %s: cut short or damaged", wanted);
}

static int64_t load_whole(const uint8_t *bytes, const vtk_type *type) {
    bool is_signed = type->kind == 'i';
    switch (type->size) {
    case 1: return is_signed ? (int8_t)bytes[0] : bytes[0];
    case 2: return is_signed ? (int16_t)lt_load_u16(bytes, true) : lt_load_u16(bytes, true);
    case 4: return is_signed ? (int32_t)lt_load_u32(bytes, true) : (int64_t)lt_load_u32(bytes, true);
    default: return (int64_t)lt_load_u64(bytes, true);
    }
}

/* A number from 0 up; `wanted` is for the message. */
static lt_status next_count(vtk_values *values, uint64_t *count, const char *wanted) {
    int64_t value = -1;
    if (values->left == 0)
        return lt_scan_fail(&values->scanner, LT_STATUS_FORMAT, "cells of more numbers than announced");
    values->left--;
    if (values->ascii) {
        if (!lt_scan_next_integer(&values->scanner, &value)) return fail_at_value(values, wanted);
    } else {
        const uint8_t *bytes = lt_scan_bytes(&values->scanner, values->type->size);
        if (!bytes) return fail_at_value(values, wanted);
        value = load_whole(bytes, values->type);
    }
    if (value < 0)
        return lt_scan_fail(&values->scanner, LT_STATUS_INVALID, "%s is negative, or beyond 63 bits", wanted);
    *count = (uint64_t)value;
    return LT_OK;
}

static bool next_real(vtk_reader *reader, const vtk_type *type, double *value) {
    if (reader->ascii) return lt_scan_next_real(&reader->scanner, value);
    const uint8_t *bytes = lt_scan_bytes(&reader->scanner, type->size);
    if (!bytes) return false;
    if (type->kind != 'f')
        *value = (double)load_whole(bytes, type);
    else
        *value = type->size == 4 ? (double)lt_load_f32(bytes, true) : lt_load_f64(bytes, true);
    return true;
}

static lt_status scan_type(lt_scanner *scanner, const vtk_type **type) {
    const uint8_t *first = scanner->at;
    lt_word word = lt_scan_word(scanner);
    for (size_t i = 0; i < LT_COUNT_OF(types); i++)
        if (lt_word_is_ignoring_case(word, types[i].name)) {
            *type = &types[i];
            return LT_OK;
        }
    scanner->at = first;
    lt_scan_blanks(scanner);
    return lt_scan_fail_expected(scanner, "the type of numbers, such as float or vtktypeint64");
}

/* A number in the head of a section, from 0 up. */
static lt_status scan_count(lt_scanner *scanner, uint64_t *count) {
    int64_t value;
    if (!lt_scan_integer(scanner, &value) || value < 0)
        return lt_scan_fail_expected(scanner, "a number from 0 up");
    *count = (uint64_t)value;
    return LT_OK;
}

/* Whether `count` numbers can be in the rest of the file. */
static lt_status check_room(const vtk_reader *reader, uint64_t count, const vtk_type *type) {
    uint64_t room = lt_scan_remaining(&reader->scanner);
    uint64_t most = reader->ascii ? (room + 1) / 2 : type->kind == 'b' ? 8 * room : room / type->size;
    if (count <= most) return LT_OK;
    return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT,
                        "announces %llu numbers, more than the file can hold", (unsigned long long)count);
}

/* Steps over `count` numbers, after the line of their head. */
static lt_status skip_values(vtk_reader *reader, uint64_t count, const vtk_type *type) {
    lt_scanner *scanner = &reader->scanner;
    if (!reader->ascii) {
        lt_scan_bytes(scanner, (size_t)(type->kind == 'b' ? (count + 7) / 8 : count * type->size));
        return LT_OK;
    }
    double ignored;
    for (uint64_t i = 0; i < count; i++)
        if (!lt_scan_next_real(scanner, &ignored)) return lt_scan_fail_expected(scanner, "a number");
    return LT_OK;
}

/* Leaves a cursor at `count` numbers that begin with the next line, and steps over them. */
static lt_status take_values(vtk_reader *reader, vtk_values *values, uint64_t count, const vtk_type *type) {
    lt_scan_next_line(&reader->scanner);
    lt_status status = check_room(reader, count, type);
    if (status != LT_OK) return status;
    *values = (vtk_values){.scanner = reader->scanner, .type = type, .ascii = reader->ascii, .left = count};
    if (!reader->ascii) values->scanner.line = 0;
    return skip_values(reader, count, type);
}

/* ---- points ---- */

static lt_status read_point(vtk_reader *reader, const vtk_type *type) {
    lt_scanner *scanner = &reader->scanner;
    double x[3];
    for (int k = 0; k < 3; k++)
        if (!next_real(reader, type, &x[k])) return lt_scan_fail_expected(scanner, "a coordinate");
    lt_dvec3 node = {x[0], x[1], x[2]};
    if (!lt_d3_is_finite(node))
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "point %zu: a coordinate is not a finite number",
                            reader->cells.nodes.count);
    return lt_array_push(&reader->cells.nodes, &node) ? LT_OK : no_memory(reader);
}

static lt_status read_points(vtk_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    const vtk_type *type = NULL;
    uint64_t count = 0;
    if (reader->has_points) return lt_scan_fail(scanner, LT_STATUS_FORMAT, "a second section POINTS");
    reader->has_points = true;
    lt_status status = scan_count(scanner, &count);
    if (status == LT_OK) status = scan_type(scanner, &type);
    if (status != LT_OK) return status;
    if (type->kind == 'b' || type->kind == 's')
        return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED, "points as %s", type->name);
    lt_scan_next_line(scanner);
    status = check_room(reader, lt_min_u64(count, UINT32_MAX) * 3, type);
    if (status == LT_OK && !lt_array_reserve(&reader->cells.nodes, (size_t)count)) status = no_memory(reader);
    for (uint64_t i = 0; status == LT_OK && i < count; i++)
        status = read_point(reader, type);
    return status;
}

/* ---- cells ---- */

/* OFFSETS or CONNECTIVITY of version 5. */
static lt_status take_array(vtk_reader *reader, const char *keyword, vtk_values *values, uint64_t count) {
    lt_scanner *scanner = &reader->scanner;
    const vtk_type *type = NULL;
    lt_scan_space(scanner);
    const uint8_t *first = scanner->at;
    if (!lt_word_is_ignoring_case(lt_scan_word(scanner), keyword)) {
        scanner->at = first;
        return lt_scan_fail_expected(scanner, keyword);
    }
    lt_status status = scan_type(scanner, &type);
    if (status != LT_OK) return status;
    if (type->kind != 'i' && type->kind != 'u')
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "%s as %s: whole numbers are due", keyword,
                            type->name);
    return take_values(reader, values, count, type);
}

/* A list of cells, stepped over; the scanner stands after its keyword. */
static lt_status take_list(vtk_reader *reader, vtk_cells *list) {
    lt_scanner *scanner = &reader->scanner;
    uint64_t first = 0, second = 0;
    *list = (vtk_cells){.has_offsets = reader->has_offsets};
    lt_status status = scan_count(scanner, &first);
    if (status == LT_OK) status = scan_count(scanner, &second);
    if (status != LT_OK) return status;
    if (!reader->has_offsets) {
        list->count = first;
        return take_values(reader, &list->points, second, int_type);
    }
    if (first == 0) { /* an empty list may be without its arrays */
        lt_scan_next_line(scanner);
        return LT_OK;
    }
    list->count = first - 1;
    status = take_array(reader, "OFFSETS", &list->offsets, first);
    if (status == LT_OK) status = take_array(reader, "CONNECTIVITY", &list->points, second);
    uint64_t begin = 0;
    if (status == LT_OK) status = next_count(&list->offsets, &begin, "the offset of a cell");
    if (status == LT_OK && begin != 0)
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "OFFSETS begin with %llu: 0 is due",
                            (unsigned long long)begin);
    return status;
}

static lt_status next_length(vtk_cells *list, uint64_t *length) {
    if (!list->has_offsets) return next_count(&list->points, length, "the number of points of a cell");
    uint64_t end = 0;
    lt_status status = next_count(&list->offsets, &end, "the offset of a cell");
    if (status != LT_OK) return status;
    if (end < list->offset)
        return lt_scan_fail(&list->offsets.scanner, LT_STATUS_INVALID, "OFFSETS fall from %llu to %llu",
                            (unsigned long long)list->offset, (unsigned long long)end);
    *length = end - list->offset;
    list->offset = end;
    return LT_OK;
}

static lt_status next_point(const vtk_reader *reader, vtk_cells *list, uint32_t *point) {
    uint64_t value = 0;
    lt_status status = next_count(&list->points, &value, "a point of a cell");
    if (status != LT_OK) return status;
    if (value >= reader->cells.nodes.count)
        return lt_scan_fail(&list->points.scanner, LT_STATUS_INVALID,
                            "point %llu, but there are only %zu, from 0", (unsigned long long)value,
                            reader->cells.nodes.count);
    *point = (uint32_t)value;
    return LT_OK;
}

/* Of cells that are not taken: polyhedra have other numbers among their points. */
static lt_status skip_points(vtk_cells *list, uint64_t count) {
    uint64_t ignored;
    lt_status status = LT_OK;
    for (uint64_t i = 0; status == LT_OK && i < count; i++)
        status = next_count(&list->points, &ignored, "a point of a cell");
    return status;
}

static lt_status read_polygon(vtk_reader *reader, vtk_cells *list, uint64_t length, bool is_pixel) {
    lt_polygon polygon;
    polygon.count = 0;
    lt_status status = LT_OK;
    for (uint64_t i = 0; status == LT_OK && i < length; i++) {
        uint32_t point = 0;
        status = next_point(reader, list, &point);
        if (status == LT_OK && !lt_polygon_add(&polygon, point, &reader->cells.triangles))
            status = no_memory(reader);
    }
    if (status != LT_OK) return status;
    if (is_pixel) { /* row by row, not around */
        uint32_t third = polygon.corners[2];
        polygon.corners[2] = polygon.corners[3];
        polygon.corners[3] = third;
    }
    return lt_cell_builder_end_polygon(&reader->cells, &polygon) ? LT_OK : no_memory(reader);
}

/* Triangles of three points in a row, every other one turned: `before` is taken by place, not by age. */
static lt_status read_strip(vtk_reader *reader, vtk_cells *list, uint64_t length) {
    uint32_t before[2] = {0, 0}, point = 0;
    lt_status status = LT_OK;
    reader->cells.split_polygon_count += length > 3;
    for (uint64_t i = 0; status == LT_OK && i < length; i++) {
        status = next_point(reader, list, &point);
        if (status != LT_OK) return status;
        uint32_t *triangle = i >= 2 ? lt_array_grow(&reader->cells.triangles, 3) : NULL;
        if (i >= 2 && !triangle) return no_memory(reader);
        if (triangle) {
            triangle[0] = before[0];
            triangle[1] = before[1];
            triangle[2] = point;
        }
        before[i % 2] = point;
    }
    return status;
}

static lt_status read_tet(vtk_reader *reader, vtk_cells *list) {
    uint32_t *tet = lt_array_grow(&reader->cells.tets, 4);
    if (!tet) return no_memory(reader);
    lt_status status = LT_OK;
    for (int k = 0; status == LT_OK && k < 4; k++)
        status = next_point(reader, list, &tet[k]);
    return status;
}

enum {
    VTK_TRIANGLE_STRIP = 6,
    VTK_POLYGON = 7,
    VTK_PIXEL = 8,
};

/* What is known of the types that are taken; of those of higher order the corners come first. */
typedef struct vtk_cell_type {
    uint8_t type;
    uint8_t corner_count; /* 0: all points */
    uint8_t node_count;   /* 0: any number from corner_count on */
    bool is_tet;
} vtk_cell_type;

static const vtk_cell_type *find_cell_type(uint64_t type) {
    static const vtk_cell_type known[] = {{5, 3, 3, false},
                                          {VTK_TRIANGLE_STRIP, 0, 0, false},
                                          {VTK_POLYGON, 0, 0, false},
                                          {9, 4, 4, false},
                                          {VTK_PIXEL, 4, 4, false},
                                          {10, 4, 4, true},
                                          {22, 3, 6, false},
                                          {23, 4, 8, false},
                                          {24, 4, 10, true},
                                          {28, 4, 9, false},
                                          {34, 3, 7, false},
                                          {69, 3, 0, false},
                                          {70, 4, 0, false},
                                          {71, 4, 0, true},
                                          {76, 3, 0, false},
                                          {77, 4, 0, false},
                                          {78, 4, 0, true}};
    for (size_t i = 0; i < LT_COUNT_OF(known); i++)
        if (known[i].type == type) return &known[i];
    return NULL;
}

/* The points of one cell, whose length was just read. */
static lt_status read_cell(vtk_reader *reader, vtk_cells *list, uint64_t length, uint64_t type) {
    const vtk_cell_type *known = find_cell_type(type);
    if (!known || (known->corner_count == 0 && length < 3)) {
        reader->out->skipped_cell_count++;
        return skip_points(list, length);
    }
    uint64_t corner_count = known->corner_count ? known->corner_count : length;
    if (length < corner_count || (known->node_count && length != known->node_count))
        return lt_scan_fail(&list->points.scanner, LT_STATUS_FORMAT, "a cell of type %llu with %llu points",
                            (unsigned long long)type, (unsigned long long)length);
    lt_status status = known->is_tet ? read_tet(reader, list)
                       : type == VTK_TRIANGLE_STRIP
                           ? read_strip(reader, list, length)
                           : read_polygon(reader, list, corner_count, type == VTK_PIXEL);
    reader->out->higher_order_count += length > corner_count;
    return status == LT_OK ? skip_points(list, length - corner_count) : status;
}

/* All cells of a list: each of the type that `cell_types` has next, or all of one type where that is NULL. */
static lt_status read_list(vtk_reader *reader, vtk_cells *list, vtk_values *cell_types, uint64_t type) {
    lt_status status = LT_OK;
    if (!reader->has_points)
        return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "cells without POINTS before them");
    for (uint64_t i = 0; status == LT_OK && i < list->count; i++) {
        uint64_t length = 0;
        status = next_length(list, &length);
        if (status == LT_OK && cell_types) status = next_count(cell_types, &type, "the type of a cell");
        if (status == LT_OK) status = read_cell(reader, list, length, type);
    }
    if (status == LT_OK && list->points.left > 0)
        return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "the cells leave %llu numbers over",
                            (unsigned long long)list->points.left);
    return status;
}

static lt_status read_cell_types(vtk_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    uint64_t count = 0;
    vtk_values cell_types;
    if (!reader->has_list) return lt_scan_fail(scanner, LT_STATUS_FORMAT, "CELL_TYPES without CELLS before");
    reader->has_list = false;
    lt_status status = scan_count(scanner, &count);
    if (status != LT_OK) return status;
    if (count != reader->list.count)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "%llu CELL_TYPES of %llu CELLS",
                            (unsigned long long)count, (unsigned long long)reader->list.count);
    status = take_values(reader, &cell_types, count, int_type);
    return status == LT_OK ? read_list(reader, &reader->list, &cell_types, 0) : status;
}

/* ---- sections ---- */

/* Lines up to an empty one. Names of components are one a line, and any of them may be empty. */
static void skip_metadata(lt_scanner *scanner, uint64_t components) {
    for (;;) {
        lt_scan_next_line(scanner);
        lt_scan_blanks(scanner);
        if (lt_scan_at_line_end(scanner)) return;
        if (!lt_word_is_ignoring_case(lt_scan_word(scanner), "COMPONENT_NAMES")) continue;
        for (uint64_t i = 0; i < components && scanner->at < scanner->end; i++)
            lt_scan_next_line(scanner);
    }
}

/* Where they come next; an array of that name would have its numbers in the same line. */
static void skip_metadata_of_array(lt_scanner *scanner, uint64_t components) {
    lt_scanner before = *scanner;
    lt_scan_space(scanner);
    bool found = lt_word_is_ignoring_case(lt_scan_word(scanner), "METADATA");
    lt_scan_blanks(scanner);
    if (found && lt_scan_at_line_end(scanner))
        skip_metadata(scanner, components);
    else
        *scanner = before;
}

/* Arrays of other data: <name> <components> <tuples> <type>, the values, and METADATA or not. */
static lt_status skip_field(vtk_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    uint64_t array_count = 0, components = 0, tuples = 0;
    lt_scan_word(scanner); /* its name */
    lt_status status = scan_count(scanner, &array_count);
    for (uint64_t i = 0; status == LT_OK && i < array_count; i++) {
        const vtk_type *type = NULL;
        vtk_values ignored;
        lt_scan_next_line(scanner);
        lt_scan_space(scanner);
        lt_scan_word(scanner);
        status = scan_count(scanner, &components);
        if (status == LT_OK) status = scan_count(scanner, &tuples);
        if (status == LT_OK) status = scan_type(scanner, &type);
        if (status != LT_OK) return status;
        if (type->kind == 's')
            return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED,
                                "a field of strings: save without field data");
        if (components > UINT32_MAX || tuples > UINT32_MAX) components = tuples = UINT32_MAX;
        status = take_values(reader, &ignored, components * tuples, type);
        if (status == LT_OK) skip_metadata_of_array(scanner, components);
    }
    return status;
}

static lt_status read_poly_list(vtk_reader *reader, lt_word word, bool *known) {
    static const struct {
        const char *name;
        uint64_t type;
    } lists[] = {
        {"VERTICES", 2}, {"LINES", 4}, {"POLYGONS", VTK_POLYGON}, {"TRIANGLE_STRIPS", VTK_TRIANGLE_STRIP}};
    for (size_t i = 0; i < LT_COUNT_OF(lists); i++) {
        if (!lt_word_is_ignoring_case(word, lists[i].name)) continue;
        vtk_cells list;
        *known = true;
        lt_status status = take_list(reader, &list);
        return status == LT_OK ? read_list(reader, &list, NULL, lists[i].type) : status;
    }
    return LT_OK;
}

static lt_status read_section(vtk_reader *reader, lt_word word) {
    lt_scanner *scanner = &reader->scanner;
    if (lt_word_is_ignoring_case(word, "POINTS")) return read_points(reader);
    if (lt_word_is_ignoring_case(word, "FIELD")) return skip_field(reader);
    if (lt_word_is_ignoring_case(word, "METADATA")) {
        skip_metadata(scanner, 3); /* of the points */
        return LT_OK;
    }
    if (reader->is_grid && lt_word_is_ignoring_case(word, "CELL_TYPES")) return read_cell_types(reader);
    if (reader->is_grid && lt_word_is_ignoring_case(word, "CELLS")) {
        if (reader->has_list) return lt_scan_fail(scanner, LT_STATUS_FORMAT, "a second section CELLS");
        reader->has_list = true;
        return take_list(reader, &reader->list);
    }
    bool known = false;
    lt_status status = reader->is_grid ? LT_OK : read_poly_list(reader, word, &known);
    if (status != LT_OK || known) return status;
    scanner->at = word.bytes;
    return lt_scan_fail_expected(scanner, reader->is_grid ? "POINTS, CELLS or CELL_TYPES"
                                                          : "POINTS, POLYGONS or TRIANGLE_STRIPS");
}

static lt_status read_sections(vtk_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_status status = LT_OK;
    while (status == LT_OK) {
        lt_scan_space(scanner);
        if (scanner->at == scanner->end) break;
        lt_word word = lt_scan_word(scanner);
        if (lt_word_is_ignoring_case(word, "CELL_DATA") || lt_word_is_ignoring_case(word, "POINT_DATA"))
            break;
        status = read_section(reader, word);
    }
    if (status == LT_OK && reader->has_list)
        return lt_fail(scanner->error, LT_STATUS_FORMAT, "%s: CELLS without CELL_TYPES", scanner->name);
    return status;
}

/* ---- head ---- */

static lt_status read_version(vtk_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    static const char mark[] = "# vtk DataFile Version";
    double version;
    lt_scan_space(scanner);
    if (lt_scan_remaining(scanner) < sizeof mark - 1 || memcmp(scanner->at, mark, sizeof mark - 1) != 0)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "a VTK file begins with \"%s\"", mark);
    scanner->at += sizeof mark - 1;
    if (!lt_scan_real(scanner, &version)) return lt_scan_fail_expected(scanner, "the version");
    if (!(version >= 1 && version < 6))
        return lt_scan_fail(scanner, LT_STATUS_VERSION, "version %g is not read: 1.0 to 5.1 are", version);
    reader->has_offsets = version >= 5;
    lt_scan_next_line(scanner);
    lt_scan_next_line(scanner); /* the title */
    return LT_OK;
}

static lt_status read_dataset(vtk_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_scan_space(scanner);
    const uint8_t *first = scanner->at;
    if (!lt_word_is_ignoring_case(lt_scan_word(scanner), "DATASET")) {
        scanner->at = first;
        return lt_scan_fail_expected(scanner, "DATASET");
    }
    lt_word word = lt_scan_word(scanner);
    reader->is_grid = lt_word_is_ignoring_case(word, "UNSTRUCTURED_GRID");
    if (!reader->is_grid && !lt_word_is_ignoring_case(word, "POLYDATA"))
        return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED,
                            "DATASET %.*s is not read: POLYDATA and UNSTRUCTURED_GRID are",
                            (int)lt_min_u64(word.size, 40), (const char *)word.bytes);
    return LT_OK;
}

static lt_status read_head(vtk_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_status status = read_version(reader);
    if (status != LT_OK) return status;
    lt_scan_space(scanner);
    const uint8_t *first = scanner->at;
    lt_word word = lt_scan_word(scanner);
    reader->ascii = lt_word_is_ignoring_case(word, "ASCII");
    if (!reader->ascii && !lt_word_is_ignoring_case(word, "BINARY")) {
        scanner->at = first;
        return lt_scan_fail_expected(scanner, "ASCII or BINARY");
    }
    status = read_dataset(reader);
    if (!reader->ascii) scanner->line = 0;
    return status;
}

lt_status lt_read_vtk(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_mesh_content_begin(out, size, name, error);
    if (status != LT_OK) return status;
    vtk_reader reader = {.scanner = lt_scanner_make(bytes, size, name, error),
                         .cells = lt_cell_builder_make(allocator),
                         .out = out};
    status = read_head(&reader);
    if (status == LT_OK) status = read_sections(&reader);
    return lt_cell_builder_end(&reader.cells, status, out, name, error);
}
