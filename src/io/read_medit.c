/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Medit's .mesh as text, after Frey's report on it (INRIA 0253) and the readers of libMeshb:
 *
 *     MeshVersionFormatted <1 … 4>
 *     Dimension 3
 *     Vertices      <count>    then   <x> <y> <z> <reference>
 *     Triangles     <count>    then   <a> <b> <c> <reference>            counted from 1
 *     Tetrahedra    <count>    then   <a> <b> <c> <d> <reference>
 *     …             any other section: its numbers are stepped over
 *     End
 *
 * Numbers are read as words, whatever their lines; # begins a comment. A reference that is not in the line of
 * its last corner is taken as left out, which some writers do, and so is End. The versions differ in how wide
 * numbers are in binary files alone (.meshb), which are refused. */

#include "io/read_internal.h"

typedef struct medit_reader {
    lt_scanner scanner;
    lt_cell_builder cells;
    bool has_vertices;
    lt_mesh_content *out;
} medit_reader;

/* A section of cells. Of those of higher order the corners come first. */
typedef struct medit_section {
    const char *name;
    uint8_t corner_count; /* 3: triangles, 4: quads or, with is_tet, tets; 0: cells that are not taken */
    uint8_t node_count;
    bool is_tet;
} medit_section;

static const medit_section sections[] = {
    {"Triangles", 3, 3, false},   {"Quadrilaterals", 4, 4, false},   {"Tetrahedra", 4, 4, true},
    {"TrianglesP2", 3, 6, false}, {"QuadrilateralsQ2", 4, 9, false}, {"TetrahedraP2", 4, 10, true},
    {"Edges", 0, 2, false},       {"Hexahedra", 0, 8, false},        {"Prisms", 0, 6, false},
    {"Pentahedra", 0, 6, false},  {"Pyramids", 0, 5, false},         {"EdgesP2", 0, 3, false},
    {"HexahedraQ2", 0, 27, false}};

static lt_status no_memory(const medit_reader *reader) {
    return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
}

/* The number of rows of a section, each of which takes at least `row_bytes`. */
static lt_status read_count(medit_reader *reader, int64_t *count, size_t row_bytes) {
    lt_scanner *scanner = &reader->scanner;
    if (!lt_scan_next_integer(scanner, count) || *count < 0)
        return lt_scan_fail_expected(scanner, "the number of rows of a section");
    if ((uint64_t)*count > (lt_scan_remaining(scanner) + 1) / row_bytes)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "announces %lld rows, more than the file can hold",
                            (long long)*count);
    return LT_OK;
}

/* What is left of a row: its reference, where the line has one. */
static lt_status skip_reference(lt_scanner *scanner) {
    double ignored;
    lt_scan_blanks(scanner);
    if (lt_scan_at_line_end(scanner) || lt_scan_real(scanner, &ignored)) return LT_OK;
    return lt_scan_fail_expected(scanner, "the reference of a row");
}

static lt_status read_vertex(medit_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    double x[3];
    for (int k = 0; k < 3; k++)
        if (!lt_scan_next_real(scanner, &x[k])) return lt_scan_fail_expected(scanner, "a coordinate");
    lt_dvec3 node = {x[0], x[1], x[2]};
    if (!lt_d3_is_finite(node))
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "a coordinate is not a finite number");
    if (!lt_array_push(&reader->cells.nodes, &node)) return no_memory(reader);
    return skip_reference(scanner);
}

static lt_status read_vertices(medit_reader *reader) {
    int64_t count;
    if (reader->has_vertices)
        return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "a second section Vertices");
    reader->has_vertices = true;
    lt_status status = read_count(reader, &count, sizeof "0 0 0");
    if (status == LT_OK && !lt_array_reserve(&reader->cells.nodes, (size_t)count)) status = no_memory(reader);
    for (int64_t i = 0; status == LT_OK && i < count; i++)
        status = read_vertex(reader);
    return status;
}

static lt_status read_corners(medit_reader *reader, const medit_section *section, uint32_t *corners) {
    lt_scanner *scanner = &reader->scanner;
    for (uint32_t k = 0; k < section->node_count; k++) {
        int64_t number;
        if (!lt_scan_next_integer(scanner, &number))
            return lt_scan_fail_expected(scanner, "the vertex number of a cell");
        if (number < 1 || (uint64_t)number > reader->cells.nodes.count)
            return lt_scan_fail(scanner, LT_STATUS_INVALID, "vertex %lld, but there are only %zu, from 1",
                                (long long)number, reader->cells.nodes.count);
        if (k < section->corner_count) corners[k] = (uint32_t)(number - 1);
    }
    return skip_reference(scanner);
}

static bool push_cell(medit_reader *reader, const medit_section *section, const uint32_t *corners) {
    if (section->is_tet) {
        uint32_t *tet = lt_array_grow(&reader->cells.tets, 4);
        if (tet) memcpy(tet, corners, 4 * sizeof *tet);
        return tet != NULL;
    }
    lt_polygon polygon;
    memcpy(polygon.corners, corners, section->corner_count * sizeof *corners);
    polygon.count = section->corner_count;
    return lt_cell_builder_end_polygon(&reader->cells, &polygon);
}

static lt_status read_cells(medit_reader *reader, const medit_section *section) {
    int64_t count;
    if (!reader->has_vertices)
        return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "%s come before Vertices", section->name);
    lt_status status = read_count(reader, &count, 2 * (size_t)section->node_count);
    for (int64_t i = 0; status == LT_OK && i < count; i++) {
        uint32_t corners[4];
        status = read_corners(reader, section, corners);
        if (status == LT_OK && !push_cell(reader, section, corners)) status = no_memory(reader);
    }
    if (status == LT_OK && section->node_count > section->corner_count)
        reader->out->higher_order_count += (uint32_t)count;
    return status;
}

static bool is_letter(uint8_t c) {
    return (uint8_t)((c | 0x20) - 'a') < 26;
}

/* To the next keyword, counting the words on the way. */
static uint64_t skip_numbers(lt_scanner *scanner) {
    uint64_t count = 0;
    for (lt_scan_space(scanner); scanner->at < scanner->end && !is_letter(*scanner->at);
         lt_scan_space(scanner)) {
        lt_scan_word(scanner);
        count++;
    }
    return count;
}

static const medit_section *find_section(lt_word word) {
    for (size_t i = 0; i < LT_COUNT_OF(sections); i++)
        if (lt_word_is(word, sections[i].name)) return &sections[i];
    return NULL;
}

static lt_status read_section(medit_reader *reader, lt_word word) {
    const medit_section *section = find_section(word);
    if (lt_word_is(word, "Vertices")) return read_vertices(reader);
    if (section && section->corner_count > 0) return read_cells(reader, section);
    uint64_t words = skip_numbers(&reader->scanner); /* a count, then rows with their references */
    if (section && words > 0)
        reader->out->skipped_cell_count += (uint32_t)((words - 1) / (section->node_count + 1u));
    return LT_OK;
}

static lt_status read_sections(medit_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_status status = LT_OK;
    while (status == LT_OK) {
        lt_scan_space(scanner);
        if (scanner->at == scanner->end) break;
        if (!is_letter(*scanner->at)) return lt_scan_fail_expected(scanner, "the name of a section");
        lt_word word = lt_scan_word(scanner);
        if (lt_word_is(word, "End")) break;
        status = read_section(reader, word);
    }
    return status;
}

/* Binary files begin with a 1 of four bytes, in either order. */
static bool is_binary(const lt_scanner *scanner) {
    return (size_t)(scanner->end - scanner->begin) >= 4 &&
           (lt_load_u32(scanner->begin, false) == 1 || lt_load_u32(scanner->begin, true) == 1);
}

/* The keyword, and the number after it. */
static lt_status read_head_row(lt_scanner *scanner, const char *keyword, int64_t *value) {
    lt_scan_space(scanner);
    const uint8_t *first = scanner->at;
    if (!lt_word_is(lt_scan_word(scanner), keyword)) {
        scanner->at = first;
        return lt_scan_fail_expected(scanner, keyword);
    }
    return lt_scan_next_integer(scanner, value) ? LT_OK : lt_scan_fail_expected(scanner, "a whole number");
}

static lt_status read_head(lt_scanner *scanner) {
    int64_t version, dimension;
    if (is_binary(scanner))
        return lt_fail(scanner->error, LT_STATUS_UNSUPPORTED,
                       "%s: binary Medit files (.meshb) are not read: save it as text, .mesh", scanner->name);
    lt_status status = read_head_row(scanner, "MeshVersionFormatted", &version);
    if (status != LT_OK) return status;
    if (version < 1 || version > 4)
        return lt_scan_fail(scanner, LT_STATUS_VERSION, "Medit's version %lld is not read: 1 to 4 are",
                            (long long)version);
    status = read_head_row(scanner, "Dimension", &dimension);
    if (status != LT_OK) return status;
    if (dimension != 3)
        return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED, "points of dimension %lld: 3 is needed",
                            (long long)dimension);
    return LT_OK;
}

lt_status lt_read_medit(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                        const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_mesh_content_begin(out, size, name, error);
    if (status != LT_OK) return status;
    medit_reader reader = {.scanner = lt_scanner_make(bytes, size, name, error),
                           .cells = lt_cell_builder_make(allocator),
                           .out = out};
    reader.scanner.comment = '#';
    status = read_head(&reader.scanner);
    if (status == LT_OK) status = read_sections(&reader);
    return lt_cell_builder_end(&reader.cells, status, out, name, error);
}
