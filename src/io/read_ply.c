/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* PLY 1.0, after Turk's 1994 description. A header lists elements and their properties; the data follows in
 * that order. Wanted are x, y, z of "vertex" and the list vertex_indices (or vertex_index) of "face"; all
 * else is stepped over by its type. ASCII data is read as words, whatever its lines. */

#include "io/read_internal.h"

#include <math.h>

enum { ELEMENTS_MAX = 32, PROPERTIES_MAX = 256 };

typedef enum ply_type {
    TYPE_NONE,
    TYPE_I8,
    TYPE_U8,
    TYPE_I16,
    TYPE_U16,
    TYPE_I32,
    TYPE_U32,
    TYPE_F32,
    TYPE_F64
} ply_type;
typedef enum ply_role { ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS, ROLE_OTHER } ply_role;
typedef enum ply_element_kind { ELEMENT_OTHER, ELEMENT_VERTEX, ELEMENT_FACE } ply_element_kind;

typedef struct ply_property {
    ply_type count_type; /* of lists; TYPE_NONE for a single value */
    ply_type type;
    ply_role role;
} ply_property;

typedef struct ply_element {
    ply_element_kind kind;
    uint64_t row_count;
    uint32_t first_property;
    uint32_t property_count;
} ply_element;

typedef struct ply_reader {
    lt_scanner scanner;
    bool ascii;
    ply_element elements[ELEMENTS_MAX];
    uint32_t element_count;
    ply_property properties[PROPERTIES_MAX];
    uint32_t property_count;
    uint64_t vertex_count; /* as declared */
    bool has_vertices, has_faces;
    lt_surface_builder surface;
    /* Where reading stands, for messages about binary data. */
    const char *row_name;
    uint64_t row;
} ply_reader;

/* ---- header ---- */

static ply_type type_of(lt_word word) {
    static const struct {
        const char *name;
        ply_type type;
    } names[] = {{"char", TYPE_I8},   {"int8", TYPE_I8},     {"uchar", TYPE_U8},   {"uint8", TYPE_U8},
                 {"short", TYPE_I16}, {"int16", TYPE_I16},   {"ushort", TYPE_U16}, {"uint16", TYPE_U16},
                 {"int", TYPE_I32},   {"int32", TYPE_I32},   {"uint", TYPE_U32},   {"uint32", TYPE_U32},
                 {"float", TYPE_F32}, {"float32", TYPE_F32}, {"double", TYPE_F64}, {"float64", TYPE_F64}};
    for (size_t i = 0; i < LT_COUNT_OF(names); i++)
        if (lt_word_is(word, names[i].name)) return names[i].type;
    return TYPE_NONE;
}

static size_t type_size(ply_type type) {
    static const uint8_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

static lt_status read_format(ply_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_word format = lt_scan_word(scanner), version = lt_scan_word(scanner);
    reader->ascii = lt_word_is(format, "ascii");
    scanner->big_endian = lt_word_is(format, "binary_big_endian");
    if (!reader->ascii && !scanner->big_endian && !lt_word_is(format, "binary_little_endian"))
        return lt_scan_fail(scanner, LT_STATUS_FORMAT,
                            "the format must be ascii, binary_little_endian or binary_big_endian");
    if (!lt_word_is(version, "1.0"))
        return lt_scan_fail(scanner, LT_STATUS_VERSION, "only PLY version 1.0 can be read");
    return LT_OK;
}

static lt_status read_element(ply_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_word name = lt_scan_word(scanner);
    int64_t count;
    if (!lt_scan_integer(scanner, &count) || count < 0)
        return lt_scan_fail_expected(scanner, "the number of rows of an element");
    if (reader->element_count == ELEMENTS_MAX)
        return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED, "more than %d elements", ELEMENTS_MAX);
    ply_element *element = &reader->elements[reader->element_count++];
    *element = (ply_element){.row_count = (uint64_t)count, .first_property = reader->property_count};
    bool vertex = lt_word_is(name, "vertex"), face = lt_word_is(name, "face");
    if ((vertex && reader->has_vertices) || (face && reader->has_faces))
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "a second element of that name");
    if (lt_word_is(name, "tristrips") && count > 0)
        return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED, "triangle strips cannot be read: save as faces");
    element->kind = vertex ? ELEMENT_VERTEX : face ? ELEMENT_FACE : ELEMENT_OTHER;
    reader->has_vertices |= vertex;
    reader->has_faces |= face;
    if (vertex) reader->vertex_count = (uint64_t)count;
    return LT_OK;
}

static ply_role role_of(lt_word name, ply_element_kind kind, bool is_list) {
    if (kind == ELEMENT_FACE && is_list &&
        (lt_word_is(name, "vertex_indices") || lt_word_is(name, "vertex_index")))
        return ROLE_CORNERS;
    if (kind != ELEMENT_VERTEX || is_list || name.size != 1 || name.bytes[0] < 'x' || name.bytes[0] > 'z')
        return ROLE_OTHER;
    return (ply_role)(ROLE_X + (name.bytes[0] - 'x'));
}

static lt_status read_property(ply_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    if (reader->element_count == 0)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "a property before the first element");
    if (reader->property_count == PROPERTIES_MAX)
        return lt_scan_fail(scanner, LT_STATUS_UNSUPPORTED, "more than %d properties", PROPERTIES_MAX);
    ply_element *element = &reader->elements[reader->element_count - 1];
    ply_property property = {0};
    lt_word type = lt_scan_word(scanner);
    bool is_list = lt_word_is(type, "list");
    if (is_list) {
        property.count_type = type_of(lt_scan_word(scanner));
        type = lt_scan_word(scanner);
    }
    property.type = type_of(type);
    if (property.type == TYPE_NONE || (is_list && property.count_type == TYPE_NONE))
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "not a type of PLY 1.0");
    if (property.count_type >= TYPE_F32)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "the length of a list must have a whole-number type");
    property.role = role_of(lt_scan_word(scanner), element->kind, is_list);
    for (uint32_t i = 0; i < element->property_count; i++)
        if (property.role != ROLE_OTHER &&
            reader->properties[element->first_property + i].role == property.role)
            return lt_scan_fail(scanner, LT_STATUS_FORMAT, "a second property of that name");
    reader->properties[reader->property_count++] = property;
    element->property_count++;
    return LT_OK;
}

static lt_status read_header_lines(ply_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    bool has_format = false;
    lt_status status = LT_OK;
    while (status == LT_OK) {
        lt_scan_next_line(scanner);
        if (scanner->at == scanner->end)
            return lt_scan_fail(scanner, LT_STATUS_FORMAT, "the header has no end_header");
        lt_word word = lt_scan_word(scanner);
        if (lt_word_is(word, "end_header")) break;
        if (lt_word_is(word, "comment") || lt_word_is(word, "obj_info") || word.size == 0) continue;
        if (lt_word_is(word, "format")) {
            status = read_format(reader);
            has_format = true;
        } else if (lt_word_is(word, "element")) {
            status = read_element(reader);
        } else if (lt_word_is(word, "property")) {
            status = read_property(reader);
        } else {
            scanner->at = word.bytes;
            status = lt_scan_fail_expected(scanner, "format, element, property, comment or end_header");
        }
    }
    if (status == LT_OK && !has_format)
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "the header has no format line");
    lt_scan_next_line(scanner);
    return status;
}

static bool element_has_role(const ply_reader *reader, ply_element_kind kind, ply_role role) {
    for (uint32_t e = 0; e < reader->element_count; e++)
        for (uint32_t i = 0; i < reader->elements[e].property_count; i++)
            if (reader->elements[e].kind == kind &&
                reader->properties[reader->elements[e].first_property + i].role == role)
                return true;
    return false;
}

static lt_status read_header(ply_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    if (!lt_word_is(lt_scan_word(scanner), "ply"))
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "a PLY file begins with the line \"ply\"");
    lt_status status = read_header_lines(reader);
    if (status != LT_OK) return status;
    for (ply_role role = ROLE_X; role <= ROLE_Z; role++)
        if (!element_has_role(reader, ELEMENT_VERTEX, role))
            return lt_fail(scanner->error, LT_STATUS_INVALID, "%s: no vertices with x, y and z",
                           scanner->name);
    if (!element_has_role(reader, ELEMENT_FACE, ROLE_CORNERS))
        return lt_fail(scanner->error, LT_STATUS_INVALID,
                       "%s: no faces with vertex_indices: points alone make no surface", scanner->name);
    if (reader->vertex_count >= LT_NONE)
        return lt_fail(scanner->error, LT_STATUS_FORMAT, "%s: more vertices than the file can hold",
                       scanner->name);
    return LT_OK;
}

/* ---- data ---- */

static lt_status fail_at_row(const ply_reader *reader, lt_status status, const char *problem) {
    const lt_scanner *scanner = &reader->scanner;
    if (reader->ascii)
        return lt_scan_fail(scanner, status, "%s %llu: %s", reader->row_name, (unsigned long long)reader->row,
                            problem);
    return lt_fail(scanner->error, status, "%s: %s %llu: %s", scanner->name, reader->row_name,
                   (unsigned long long)reader->row, problem);
}

static double load_value(const uint8_t *bytes, ply_type type, bool big) {
    switch (type) {
    case TYPE_I8: return (int8_t)bytes[0];
    case TYPE_U8: return bytes[0];
    case TYPE_I16: return (int16_t)lt_load_u16(bytes, big);
    case TYPE_U16: return lt_load_u16(bytes, big);
    case TYPE_I32: return (int32_t)lt_load_u32(bytes, big);
    case TYPE_U32: return lt_load_u32(bytes, big);
    case TYPE_F32: return lt_load_f32(bytes, big);
    case TYPE_F64: return lt_load_f64(bytes, big);
    case TYPE_NONE: break;
    }
    return 0;
}

/* False when the file ends, or has something else, where a value is due. */
static bool read_value(ply_reader *reader, ply_type type, double *value) {
    lt_scanner *scanner = &reader->scanner;
    if (reader->ascii) return lt_scan_next_real(scanner, value);
    const uint8_t *bytes = lt_scan_bytes(scanner, type_size(type));
    if (!bytes) return false;
    *value = load_value(bytes, type, scanner->big_endian);
    return true;
}

static lt_status fail_at_value(const ply_reader *reader) {
    if (reader->ascii && reader->scanner.at < reader->scanner.end)
        return lt_scan_fail_expected(&reader->scanner, "a number");
    return fail_at_row(reader, LT_STATUS_FORMAT, "the file ends inside it");
}

static lt_status skip_values(ply_reader *reader, ply_type type, uint64_t count) {
    if (!reader->ascii) {
        uint64_t size = type_size(type);
        if (count > lt_scan_remaining(&reader->scanner) / size) return fail_at_value(reader);
        lt_scan_bytes(&reader->scanner, (size_t)(count * size));
        return LT_OK;
    }
    double ignored;
    for (uint64_t i = 0; i < count; i++)
        if (!read_value(reader, type, &ignored)) return fail_at_value(reader);
    return LT_OK;
}

static lt_status read_list_count(ply_reader *reader, const ply_property *property, uint64_t *count) {
    double value;
    if (!read_value(reader, property->count_type, &value)) return fail_at_value(reader);
    if (!(value >= 0 && value < 4294967296.0) || value != floor(value))
        return fail_at_row(reader, LT_STATUS_FORMAT, "the length of a list is not a whole number from 0 up");
    *count = (uint64_t)value;
    return LT_OK;
}

/* Nearly all faces of nearly all binary files: a length of one byte, which is 3, and three indices of four bytes.
 * False, with nothing taken, when this one is another, or ends too early, or has an index out of range. */
static bool take_triangle(ply_reader *reader, const ply_property *property) {
    enum { SIZE = 1 + 3 * 4 };
    lt_scanner *scanner = &reader->scanner;
    if (reader->ascii || property->count_type != TYPE_U8) return false;
    if (property->type != TYPE_I32 && property->type != TYPE_U32) return false;
    if (lt_scan_remaining(scanner) < SIZE || scanner->at[0] != 3) return false;
    uint64_t limit = lt_min_u64(reader->vertex_count, (uint64_t)INT32_MAX + 1);
    uint32_t corners[3];
    for (int k = 0; k < 3; k++) {
        corners[k] = lt_load_u32(scanner->at + 1 + 4 * k, scanner->big_endian);
        if (corners[k] >= limit) return false;
    }
    lt_array *triangles = &reader->surface.triangles;
    if (!lt_array_make_room(triangles, 3)) return false;
    memcpy((uint32_t *)triangles->items + triangles->count, corners, sizeof corners);
    triangles->count += 3;
    scanner->at += SIZE;
    return true;
}

static lt_status read_corners(ply_reader *reader, const ply_property *property) {
    if (take_triangle(reader, property)) return LT_OK;
    uint64_t count = 0;
    lt_status status = read_list_count(reader, property, &count);
    if (status != LT_OK) return status;
    if (count < 3) return fail_at_row(reader, LT_STATUS_INVALID, "a face needs three corners");
    double limit = (double)reader->vertex_count;
    lt_polygon polygon;
    polygon.count = 0;
    for (uint64_t i = 0; i < count; i++) {
        double index;
        if (!read_value(reader, property->type, &index)) return fail_at_value(reader);
        if (!(index >= 0 && index < limit))
            return fail_at_row(reader, LT_STATUS_INVALID, "a vertex index is out of range");
        if (index != floor(index))
            return fail_at_row(reader, LT_STATUS_INVALID, "a vertex index is not whole");
        if (!lt_polygon_add(&polygon, (uint32_t)index, &reader->surface.triangles))
            return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
    }
    return lt_surface_builder_end_polygon(&reader->surface, &polygon, &reader->scanner);
}

/* One row of any element; coordinates go to x[3] by their role. */
static lt_status read_row(ply_reader *reader, const ply_element *element, double *x) {
    const ply_property *properties = reader->properties + element->first_property;
    for (uint32_t i = 0; i < element->property_count; i++) {
        const ply_property *property = &properties[i];
        lt_status status = LT_OK;
        uint64_t count = 1;
        if (property->role <= ROLE_Z) {
            if (!read_value(reader, property->type, &x[property->role])) return fail_at_value(reader);
        } else if (property->role == ROLE_CORNERS) {
            status = read_corners(reader, property);
        } else {
            if (property->count_type != TYPE_NONE) status = read_list_count(reader, property, &count);
            if (status == LT_OK) status = skip_values(reader, property->type, count);
        }
        if (status != LT_OK) return status;
    }
    return LT_OK;
}

/* The least bytes a row of the element can take. The last ASCII value needs no blank after it. */
static uint64_t least_row_size(const ply_reader *reader, const ply_element *element) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < element->property_count; i++) {
        const ply_property *property = &reader->properties[element->first_property + i];
        ply_type first = property->count_type != TYPE_NONE ? property->count_type : property->type;
        size += reader->ascii ? 2 : type_size(first);
    }
    return size;
}

static lt_status read_vertices(ply_reader *reader, const ply_element *element) {
    if (!lt_array_reserve(&reader->surface.positions, (size_t)element->row_count))
        return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
    lt_vec3 *positions = reader->surface.positions.items;
    for (reader->row = 0; reader->row < element->row_count; reader->row++) {
        double x[3] = {0, 0, 0};
        lt_status status = read_row(reader, element, x);
        if (status != LT_OK) return status;
        lt_vec3 position = {(float)x[0], (float)x[1], (float)x[2]};
        if (!lt_v3_is_finite(position))
            return fail_at_row(reader, LT_STATUS_INVALID, "a coordinate is not a finite float");
        positions[reader->row] = position;
    }
    reader->surface.positions.count = (size_t)element->row_count;
    return LT_OK;
}

/* Room for the faces as triangles, as far as the rest of the file can hold them; most files are just that. */
static bool reserve_triangles(ply_reader *reader, const ply_element *element) {
    uint64_t least_size = least_row_size(reader, element);
    for (uint32_t i = 0; i < element->property_count; i++) {
        const ply_property *property = &reader->properties[element->first_property + i];
        if (property->role == ROLE_CORNERS) least_size += 3 * (reader->ascii ? 2 : type_size(property->type));
    }
    uint64_t most = lt_scan_remaining(&reader->scanner) / least_size;
    return lt_array_reserve(&reader->surface.triangles, 3 * (size_t)lt_min_u64(most, element->row_count));
}

static lt_status read_other_rows(ply_reader *reader, const ply_element *element) {
    if (element->kind == ELEMENT_FACE && !reserve_triangles(reader, element))
        return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
    double ignored[3];
    lt_status status = LT_OK;
    for (reader->row = 0; status == LT_OK && reader->row < element->row_count; reader->row++)
        status = read_row(reader, element, ignored);
    return status;
}

static lt_status read_elements(ply_reader *reader) {
    static const char *const row_names[] = {"row", "vertex", "face"};
    lt_status status = LT_OK;
    for (uint32_t e = 0; status == LT_OK && e < reader->element_count; e++) {
        const ply_element *element = &reader->elements[e];
        uint64_t row_size = least_row_size(reader, element);
        reader->row_name = row_names[element->kind];
        reader->row = 0;
        if (row_size == 0) continue;
        if (element->row_count > (lt_scan_remaining(&reader->scanner) + reader->ascii) / row_size)
            return lt_fail(reader->scanner.error, LT_STATUS_FORMAT,
                           "%s: announces %llu rows of element %u, more than the file can hold",
                           reader->scanner.name, (unsigned long long)element->row_count, e);
        status = element->kind == ELEMENT_VERTEX ? read_vertices(reader, element)
                                                 : read_other_rows(reader, element);
    }
    return status;
}

lt_status lt_read_ply(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_mesh_content_begin(out, size, name, error);
    if (status != LT_OK) return status;
    ply_reader reader = {.scanner = lt_scanner_make(bytes, size, name, error),
                         .surface = lt_surface_builder_make(allocator)};
    status = read_header(&reader);
    if (status == LT_OK) status = read_elements(&reader);
    return lt_surface_builder_end(&reader.surface, status, out, name, error);
}
