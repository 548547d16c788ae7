/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* TetGen's pair of files, after section 5 of its manual:
 *
 *     X.node   <points> <dimension 3> <attributes> <markers>     then lines   <number> <x> <y> <z> …
 *     X.ele    <tets> <nodes per tet 4|10> <attributes>          then lines   <number> <a> <b> <c> <d> …
 *
 * Numbers run up from 0 or 1, as the first point says. Attributes, markers and mid-edge nodes are stepped
 * over with the rest of their line; # begins a comment. */

#include "io/read_internal.h"

typedef struct tetgen_reader {
    lt_scanner scanner;
    lt_cell_builder cells;
    int64_t first_number;
    lt_mesh_content *out;
} tetgen_reader;

static lt_status scan_integer_or_fail(lt_scanner *scanner, int64_t *value, const char *wanted) {
    return lt_scan_integer(scanner, value) ? LT_OK : lt_scan_fail_expected(scanner, wanted);
}

/* The first line of either file. Each of the rows it announces takes at least `row_bytes`. */
static lt_status read_head(lt_scanner *scanner, int64_t *count, int64_t *width, const char *wanted,
                           size_t row_bytes) {
    lt_scan_space(scanner);
    lt_status status = scan_integer_or_fail(scanner, count, wanted);
    if (status == LT_OK) status = scan_integer_or_fail(scanner, width, wanted);
    if (status != LT_OK) return status;
    if (*count < 1) return lt_scan_fail(scanner, LT_STATUS_INVALID, "the file announces no rows");
    if ((uint64_t)*count > (lt_scan_remaining(scanner) + 1) / row_bytes)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "announces %lld rows, more than the file can hold",
                            (long long)*count);
    lt_scan_next_line(scanner);
    return LT_OK;
}

static lt_status check_number(const lt_scanner *scanner, int64_t number, int64_t due) {
    if (number == due) return LT_OK;
    return lt_scan_fail(scanner, LT_STATUS_FORMAT, "row number %lld where %lld is due", (long long)number,
                        (long long)due);
}

static lt_status read_node(tetgen_reader *reader, int64_t index) {
    lt_scanner *scanner = &reader->scanner;
    int64_t number;
    lt_scan_space(scanner);
    lt_status status = scan_integer_or_fail(scanner, &number, "the number of a node");
    if (status != LT_OK) return status;
    if (index == 0) reader->first_number = number == 0 ? 0 : 1;
    status = check_number(scanner, number, reader->first_number + index);
    if (status != LT_OK) return status;
    double x[3];
    for (int k = 0; k < 3; k++)
        if (!lt_scan_real(scanner, &x[k]))
            return lt_scan_fail_expected(scanner, "three coordinates of a node");
    lt_dvec3 node = {x[0], x[1], x[2]};
    if (!lt_d3_is_finite(node))
        return lt_scan_fail(scanner, LT_STATUS_INVALID, "a coordinate is not a finite number");
    if (!lt_array_push(&reader->cells.nodes, &node)) return lt_read_no_memory(scanner->name, scanner->error);
    lt_scan_next_line(scanner);
    return LT_OK;
}

static lt_status read_nodes(tetgen_reader *reader) {
    int64_t count, dimension;
    lt_status status = read_head(&reader->scanner, &count, &dimension, "the numbers of points and dimensions",
                                 sizeof "0 0 0 0");
    if (status != LT_OK) return status;
    if (dimension != 3)
        return lt_scan_fail(&reader->scanner, LT_STATUS_INVALID, "points of dimension %lld: 3 is needed",
                            (long long)dimension);
    if (!lt_array_reserve(&reader->cells.nodes, (size_t)count))
        return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
    for (int64_t i = 0; status == LT_OK && i < count; i++)
        status = read_node(reader, i);
    return status;
}

static lt_status read_tet(tetgen_reader *reader, int64_t index) {
    lt_scanner *scanner = &reader->scanner;
    int64_t number;
    lt_scan_space(scanner);
    lt_status status = scan_integer_or_fail(scanner, &number, "the number of a tet");
    if (status == LT_OK) status = check_number(scanner, number, reader->first_number + index);
    if (status != LT_OK) return status;
    uint32_t *tet = lt_array_grow(&reader->cells.tets, 4);
    if (!tet) return lt_read_no_memory(scanner->name, scanner->error);
    for (int k = 0; k < 4; k++) {
        status = scan_integer_or_fail(scanner, &number, "four nodes of a tet");
        if (status != LT_OK) return status;
        number -= reader->first_number;
        if (number < 0 || (uint64_t)number >= reader->cells.nodes.count)
            return lt_scan_fail(scanner, LT_STATUS_INVALID,
                                "tet %lld: node %lld, but the nodes are %lld to %lld", (long long)index,
                                (long long)(number + reader->first_number), (long long)reader->first_number,
                                (long long)(reader->first_number + (int64_t)reader->cells.nodes.count - 1));
        tet[k] = (uint32_t)number;
    }
    lt_scan_next_line(scanner);
    return LT_OK;
}

static lt_status read_tets(tetgen_reader *reader) {
    int64_t count, width;
    lt_status status = read_head(&reader->scanner, &count, &width, "the numbers of tets and of nodes per tet",
                                 sizeof "0 0 0 0 0");
    if (status != LT_OK) return status;
    if (width != 4 && width != 10)
        return lt_scan_fail(&reader->scanner, LT_STATUS_INVALID, "tets of %lld nodes: 4 or 10 are read",
                            (long long)width);
    if (!lt_array_reserve(&reader->cells.tets, 4 * (size_t)count))
        return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
    for (int64_t i = 0; status == LT_OK && i < count; i++)
        status = read_tet(reader, i);
    if (width == 10) reader->out->higher_order_count = (uint32_t)count;
    return status;
}

static lt_scanner scanner_of(const uint8_t *bytes, size_t size, const char *name, const char *suffix,
                             lt_error *error) {
    lt_scanner scanner = lt_scanner_make(bytes, size, name, error);
    scanner.suffix = suffix;
    scanner.comment = '#';
    return scanner;
}

lt_status lt_read_tetgen(lt_mesh_content *out, const uint8_t *node_bytes, size_t node_size,
                         const uint8_t *ele_bytes, size_t ele_size, const char *name,
                         const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_mesh_content_begin(out, node_size > ele_size ? node_size : ele_size, name, error);
    if (status != LT_OK) return status;
    tetgen_reader reader = {.cells = lt_cell_builder_make(allocator), .out = out};
    reader.scanner = scanner_of(node_bytes, node_size, name, ".node", error);
    status = read_nodes(&reader);
    reader.scanner = scanner_of(ele_bytes, ele_size, name, ".ele", error);
    if (status == LT_OK) status = read_tets(&reader);
    return lt_cell_builder_end(&reader.cells, status, out, name, error);
}
