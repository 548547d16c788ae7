/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Gmsh, formats 2.0 to 2.2 and 4.1, after the file format chapter of its manual. A file is a row of
 * sections $Name … $EndName; wanted are $MeshFormat, $Nodes and $Elements, in that order, and before these, where they are
 * there, $PhysicalNames and ($Entities of 4.1, which says what is in them).
 *
 *     2.2   nodes: count, then <tag x y z>                elements: count, then <tag type tags… nodes…>
 *           (binary elements come in blocks of one type)
 *     4.1   nodes: in blocks, all tags, then all points   elements: in blocks of one type, <tag nodes…>
 *
 * ASCII and binary differ only in how one value is read, so both go through next_int, next_size, next_real.
 * Node tags need be neither dense nor in order: they are sorted (a heap: no crafted order makes it slow) and
 * found by bisection, unless they are consecutive, as they nearly always are. */

#include "core/heap.h"
#include "io/msh_groups.h"
#include "io/read_internal.h"

typedef struct node_tag {
    uint64_t tag;
    uint32_t index;
} node_tag;

typedef struct msh_reader {
    lt_scanner scanner;
    bool ascii;
    bool version_4;
    bool has_nodes, has_elements;
    bool tags_consecutive; /* tags[i] == {first + i, i} */
    lt_array tags;         /* node_tag, by tag once complete */
    lt_array names;        /* lt_msh_group, of physical groups */
    lt_array entities;     /* lt_msh_group, of entities in them */
    uint32_t group;        /* of the elements that are read */
    lt_cell_builder cells;
    lt_mesh_content *out;
} msh_reader;

/* ---- values ---- */

static bool next_int(msh_reader *reader, int64_t *value) {
    if (reader->ascii) return lt_scan_next_integer(&reader->scanner, value);
    const uint8_t *bytes = lt_scan_bytes(&reader->scanner, 4);
    if (bytes) *value = (int32_t)lt_load_u32(bytes, reader->scanner.big_endian);
    return bytes != NULL;
}

/* A size_t of format 4.1; values beyond 62 bits count as malformed. */
static bool next_size(msh_reader *reader, uint64_t *value) {
    if (reader->ascii) {
        int64_t number;
        if (!lt_scan_next_integer(&reader->scanner, &number) || number < 0) return false;
        *value = (uint64_t)number;
        return true;
    }
    const uint8_t *bytes = lt_scan_bytes(&reader->scanner, 8);
    if (!bytes) return false;
    *value = lt_load_u64(bytes, reader->scanner.big_endian);
    return *value >> 62 == 0;
}

static bool next_real(msh_reader *reader, double *value) {
    if (reader->ascii) return lt_scan_next_real(&reader->scanner, value);
    const uint8_t *bytes = lt_scan_bytes(&reader->scanner, 8);
    if (bytes) *value = lt_load_f64(bytes, reader->scanner.big_endian);
    return bytes != NULL;
}

/* A tag: an int in format 2, a size_t in format 4. */
static bool next_tag(msh_reader *reader, uint64_t *tag) {
    if (reader->version_4) return next_size(reader, tag);
    int64_t value;
    if (!next_int(reader, &value) || value < 0) return false;
    *tag = (uint64_t)value;
    return true;
}

static lt_status fail_at_value(const msh_reader *reader, const char *wanted) {
    if (reader->ascii) return lt_scan_fail_expected(&reader->scanner, wanted);
    return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "expected %s: cut short or damaged", wanted);
}

static lt_status no_memory(const msh_reader *reader) {
    return lt_read_no_memory(reader->scanner.name, reader->scanner.error);
}

/* ---- nodes ---- */

static lt_status reserve_nodes(msh_reader *reader, uint64_t count) {
    uint64_t least = reader->ascii ? sizeof "1 0 0 0" : (reader->version_4 ? 8 : 4) + 24;
    if (count > (lt_scan_remaining(&reader->scanner) + 1) / least)
        return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT,
                            "announces %llu nodes, more than the file can hold", (unsigned long long)count);
    bool ok = lt_array_reserve(&reader->cells.nodes, (size_t)count) &&
              lt_array_reserve(&reader->tags, (size_t)count);
    return ok ? LT_OK : no_memory(reader);
}

static lt_status read_tag(msh_reader *reader) {
    node_tag entry = {.index = (uint32_t)reader->tags.count};
    if (!next_tag(reader, &entry.tag)) return fail_at_value(reader, "the tag of a node");
    return lt_array_push(&reader->tags, &entry) ? LT_OK : no_memory(reader);
}

static lt_status read_point(msh_reader *reader, uint32_t parameter_count) {
    double x[6];
    for (uint32_t k = 0; k < 3 + parameter_count; k++)
        if (!next_real(reader, &x[k])) return fail_at_value(reader, "a coordinate");
    lt_dvec3 node = {x[0], x[1], x[2]};
    if (!lt_d3_is_finite(node))
        return lt_scan_fail(&reader->scanner, LT_STATUS_INVALID,
                            "node %zu: a coordinate is not a finite number", reader->cells.nodes.count);
    return lt_array_push(&reader->cells.nodes, &node) ? LT_OK : no_memory(reader);
}

static lt_status read_nodes_2(msh_reader *reader) {
    int64_t count;
    if (!lt_scan_next_integer(&reader->scanner, &count) || count < 0)
        return lt_scan_fail_expected(&reader->scanner, "the number of nodes");
    if (!reader->ascii) lt_scan_next_line(&reader->scanner);
    lt_status status = reserve_nodes(reader, (uint64_t)count);
    for (int64_t i = 0; status == LT_OK && i < count; i++) {
        status = read_tag(reader);
        if (status == LT_OK) status = read_point(reader, 0);
    }
    return status;
}

static lt_status read_node_block(msh_reader *reader, uint64_t total) {
    int64_t dimension, entity, parametric;
    uint64_t count;
    if (!next_int(reader, &dimension) || !next_int(reader, &entity) || !next_int(reader, &parametric) ||
        !next_size(reader, &count) || dimension < 0 || dimension > 3)
        return fail_at_value(reader, "the head of a block of nodes");
    if (count > total - reader->cells.nodes.count)
        return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "the blocks hold more nodes than announced");
    lt_status status = LT_OK;
    for (uint64_t i = 0; status == LT_OK && i < count; i++)
        status = read_tag(reader);
    for (uint64_t i = 0; status == LT_OK && i < count; i++)
        status = read_point(reader, parametric ? (uint32_t)dimension : 0);
    return status;
}

/* Block count, number of items, least and greatest tag: the head of $Nodes and $Elements in 4.1. */
static lt_status read_head_4(msh_reader *reader, uint64_t *block_count, uint64_t *item_count) {
    uint64_t least_tag, greatest_tag;
    if (!next_size(reader, block_count) || !next_size(reader, item_count) || !next_size(reader, &least_tag) ||
        !next_size(reader, &greatest_tag))
        return fail_at_value(reader, "the four numbers at the head of the section");
    return LT_OK;
}

static lt_status read_nodes_4(msh_reader *reader) {
    uint64_t block_count, total;
    lt_status status = read_head_4(reader, &block_count, &total);
    if (status == LT_OK) status = reserve_nodes(reader, total);
    for (uint64_t b = 0; status == LT_OK && b < block_count; b++)
        status = read_node_block(reader, total);
    if (status == LT_OK && reader->cells.nodes.count != total)
        status =
            lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "announces %llu nodes, but its blocks hold %zu",
                         (unsigned long long)total, reader->cells.nodes.count);
    return status;
}

static bool has_greater_tag(const node_tag *x, const node_tag *y) {
    return x->tag > y->tag;
}

LT_HEAP(tags, node_tag, has_greater_tag)

static lt_status order_tags(msh_reader *reader) {
    node_tag *tags = reader->tags.items;
    size_t count = reader->tags.count;
    bool sorted = true;
    for (size_t i = 1; sorted && i < count; i++)
        sorted = tags[i - 1].tag < tags[i].tag;
    if (!sorted) tags_sort(tags, count);
    reader->tags_consecutive = sorted;
    for (size_t i = 1; i < count; i++) {
        if (tags[i - 1].tag == tags[i].tag)
            return lt_scan_fail(&reader->scanner, LT_STATUS_INVALID, "two nodes have the tag %llu",
                                (unsigned long long)tags[i].tag);
        reader->tags_consecutive &= tags[i].tag == tags[0].tag + i;
    }
    return LT_OK;
}

static uint32_t node_of_tag(const msh_reader *reader, uint64_t tag) {
    const node_tag *tags = reader->tags.items;
    size_t count = reader->tags.count;
    if (count == 0 || tag < tags[0].tag || tag > tags[count - 1].tag) return LT_NONE;
    if (reader->tags_consecutive) return (uint32_t)(tag - tags[0].tag);
    size_t lo = 0, hi = count; /* tags[lo].tag <= tag < tags[hi].tag */
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (tags[middle].tag <= tag)
            lo = middle;
        else
            hi = middle;
    }
    return tags[lo].tag == tag ? tags[lo].index : LT_NONE;
}

/* ---- elements ---- */

/* Nodes of each element type, 0 where this reader does not know it. */
static uint32_t nodes_of_type(int64_t type) {
    static const uint8_t counts[] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                     8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
    if (type == 92) return 64;
    if (type == 93) return 125;
    return type >= 0 && type < (int64_t)LT_COUNT_OF(counts) ? counts[type] : 0;
}

/* 4 for tets, 3 for triangles, of any order: their corners come first. 0 for the others. */
static uint32_t corners_of_type(int64_t type) {
    switch (type) {
    case 4:
    case 11:
    case 29:
    case 30:
    case 31: return 4;
    case 2:
    case 9:
    case 20:
    case 21:
    case 22:
    case 23:
    case 24:
    case 25: return 3;
    default: return 0;
    }
}

static lt_status skip_words(msh_reader *reader, uint64_t count) {
    uint64_t ignored;
    for (uint64_t i = 0; i < count; i++)
        if (!next_tag(reader, &ignored)) return fail_at_value(reader, "a number of an element");
    return LT_OK;
}

/* The last cell is in the present group. */
static bool note_group(msh_reader *reader, uint32_t corner_count) {
    lt_cell_builder *cells = &reader->cells;
    return corner_count == 4
               ? lt_group_begin_run(&cells->groups.tet_runs, cells->tets.count / 4 - 1, reader->group)
               : lt_group_begin_run(&cells->groups.triangle_runs, cells->triangles.count / 3 - 1,
                                    reader->group);
}

/* The node tags of one element; the scanner stands at the first. */
static lt_status read_cell(msh_reader *reader, int64_t type) {
    uint32_t corner_count = corners_of_type(type), node_count = nodes_of_type(type);
    if (corner_count == 0) {
        reader->out->skipped_cell_count++;
        if (reader->ascii && node_count == 0) {
            lt_scan_next_line(&reader->scanner);
            return LT_OK;
        }
        return skip_words(reader, node_count);
    }
    uint32_t *cell =
        lt_array_grow(corner_count == 4 ? &reader->cells.tets : &reader->cells.triangles, corner_count);
    if (!cell || !note_group(reader, corner_count)) return no_memory(reader);
    for (uint32_t k = 0; k < corner_count; k++) {
        uint64_t tag;
        if (!next_tag(reader, &tag)) return fail_at_value(reader, "a node of an element");
        cell[k] = node_of_tag(reader, tag);
        if (cell[k] == LT_NONE)
            return lt_scan_fail(&reader->scanner, LT_STATUS_INVALID,
                                "an element uses node %llu, which is not there", (unsigned long long)tag);
    }
    reader->out->higher_order_count += node_count > corner_count;
    return skip_words(reader, node_count - corner_count);
}

static lt_status check_type(const msh_reader *reader, int64_t type) {
    if (reader->ascii || nodes_of_type(type) != 0) return LT_OK;
    return lt_scan_fail(&reader->scanner, LT_STATUS_UNSUPPORTED,
                        "elements of type %lld: save in ASCII to skip them", (long long)type);
}

static uint32_t group_of_type(const msh_reader *reader, int64_t type, int64_t physical) {
    return lt_msh_groups_find(&reader->names, (int64_t)corners_of_type(type) - 1, physical);
}

static lt_status read_element_ascii_2(msh_reader *reader) {
    int64_t tag, type, tag_count, physical = 0;
    if (!next_int(reader, &tag) || !next_int(reader, &type) || !next_int(reader, &tag_count) || tag_count < 0)
        return fail_at_value(reader, "tag, type and number of tags of an element");
    for (int64_t i = 0; i < tag_count; i++)
        if (!next_int(reader, i ? &tag : &physical)) return fail_at_value(reader, "a tag of an element");
    reader->group = group_of_type(reader, type, physical);
    return read_cell(reader, type);
}

static lt_status read_element_block_2(msh_reader *reader, int64_t *left) {
    int64_t type, count, tag_count;
    if (!next_int(reader, &type) || !next_int(reader, &count) || !next_int(reader, &tag_count) || count < 1 ||
        count > *left || tag_count < 0)
        return fail_at_value(reader, "the head of a block of elements");
    lt_status status = check_type(reader, type);
    for (int64_t i = 0; status == LT_OK && i < count; i++) {
        int64_t ignored, physical = 0; /* the first is the element's own tag */
        for (int64_t k = 0; k < 1 + tag_count; k++)
            if (!next_int(reader, k == 1 ? &physical : &ignored))
                return fail_at_value(reader, "a tag of an element");
        reader->group = group_of_type(reader, type, physical);
        status = read_cell(reader, type);
    }
    *left -= count;
    return status;
}

static lt_status read_elements_2(msh_reader *reader) {
    int64_t left;
    if (!lt_scan_next_integer(&reader->scanner, &left) || left < 0)
        return lt_scan_fail_expected(&reader->scanner, "the number of elements");
    if (!reader->ascii) lt_scan_next_line(&reader->scanner);
    lt_status status = LT_OK;
    while (status == LT_OK && left > 0) {
        if (reader->ascii) {
            status = read_element_ascii_2(reader);
            left--;
        } else {
            status = read_element_block_2(reader, &left);
        }
    }
    return status;
}

static lt_status read_element_block_4(msh_reader *reader) {
    int64_t dimension, entity, type;
    uint64_t count, tag;
    if (!next_int(reader, &dimension) || !next_int(reader, &entity) || !next_int(reader, &type) ||
        !next_size(reader, &count))
        return fail_at_value(reader, "the head of a block of elements");
    lt_status status = check_type(reader, type);
    reader->group = lt_msh_groups_find(&reader->entities, dimension, entity);
    for (uint64_t i = 0; status == LT_OK && i < count; i++) {
        if (!next_size(reader, &tag)) return fail_at_value(reader, "the tag of an element");
        status = read_cell(reader, type);
    }
    return status;
}

static lt_status read_elements_4(msh_reader *reader) {
    uint64_t block_count, element_count;
    lt_status status = read_head_4(reader, &block_count, &element_count);
    for (uint64_t b = 0; status == LT_OK && b < block_count; b++)
        status = read_element_block_4(reader);
    return status;
}

/* ---- names ---- */

/* "name", the rest of the line. */
static lt_status read_name(msh_reader *reader, lt_msh_group *entry) {
    lt_scanner *scanner = &reader->scanner;
    lt_scan_blanks(scanner);
    const uint8_t *end = scanner->at;
    while (end < scanner->end && *end != '\n' && *end != '\r')
        end++;
    while (end > scanner->at && end[-1] != '"')
        end--;
    if (end < scanner->at + 2 || scanner->at[0] != '"')
        return lt_scan_fail_expected(scanner, "the name of a physical group in quotes");
    bool ok =
        lt_group_find(&reader->cells.groups, scanner->at + 1, (size_t)(end - scanner->at) - 2, &entry->group);
    ok = ok && (entry->group == LT_NONE || lt_array_push(&reader->names, entry));
    lt_scan_next_line(scanner);
    return ok ? LT_OK : no_memory(reader);
}

/* Text in binary files, too. */
static lt_status read_names_section(msh_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    int64_t count;
    lt_status status = LT_OK;
    if (!lt_scan_next_integer(scanner, &count) || count < 0)
        return lt_scan_fail_expected(scanner, "the number of physical names");
    for (int64_t i = 0; status == LT_OK && i < count; i++) {
        lt_msh_group entry;
        if (!lt_scan_next_integer(scanner, &entry.dimension) || !lt_scan_next_integer(scanner, &entry.tag))
            return lt_scan_fail_expected(scanner, "dimension and tag of a physical group");
        status = read_name(reader, &entry);
    }
    lt_msh_groups_sort(&reader->names);
    return status;
}

/* Tag, point or box, physical groups, and the entities around it. Of several groups with names the first counts. */
static lt_status read_entity(msh_reader *reader, int64_t dimension) {
    lt_msh_group entry = {.dimension = dimension, .group = LT_NONE};
    int64_t physical;
    uint64_t count;
    double ignored;
    bool ok = next_int(reader, &entry.tag);
    for (int k = 0; ok && k < (dimension == 0 ? 3 : 6); k++)
        ok = next_real(reader, &ignored);
    ok = ok && next_size(reader, &count);
    for (uint64_t i = 0; ok && i < count; i++) {
        ok = next_int(reader, &physical);
        if (ok && entry.group == LT_NONE) /* below 0 where the entity is turned around */
            entry.group = lt_msh_groups_find(&reader->names, dimension, physical < 0 ? -physical : physical);
    }
    ok = ok && (dimension == 0 || next_size(reader, &count));
    for (uint64_t i = 0; ok && dimension > 0 && i < count; i++)
        ok = next_int(reader, &physical);
    if (!ok) return fail_at_value(reader, "an entity");
    return entry.group == LT_NONE || lt_array_push(&reader->entities, &entry) ? LT_OK : no_memory(reader);
}

static lt_status read_entities_section(msh_reader *reader) {
    uint64_t counts[4];
    lt_status status = LT_OK;
    for (int dimension = 0; dimension < 4; dimension++)
        if (!next_size(reader, &counts[dimension])) return fail_at_value(reader, "the numbers of entities");
    for (int dimension = 0; dimension < 4; dimension++)
        for (uint64_t i = 0; status == LT_OK && i < counts[dimension]; i++)
            status = read_entity(reader, dimension);
    lt_msh_groups_sort(&reader->entities);
    return status;
}

/* ---- sections ---- */

static lt_status read_byte_order(msh_reader *reader) {
    const uint8_t *bytes = lt_scan_bytes(&reader->scanner, 4);
    if (!bytes || (lt_load_u32(bytes, false) != 1 && lt_load_u32(bytes, true) != 1))
        return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "the mark of the byte order is not 1");
    reader->scanner.big_endian = lt_load_u32(bytes, true) == 1;
    reader->scanner.line = 0;
    return LT_OK;
}

static lt_status read_format(msh_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_scan_space(scanner);
    if (!lt_word_is(lt_scan_word(scanner), "$MeshFormat"))
        return lt_scan_fail(
            scanner, LT_STATUS_VERSION,
            "a Gmsh file begins with $MeshFormat (format 1.0 cannot be read: save as 2.2 or 4.1)");
    double version;
    int64_t binary, size;
    lt_scan_space(scanner);
    if (!lt_scan_real(scanner, &version) || !lt_scan_integer(scanner, &binary) ||
        !lt_scan_integer(scanner, &size))
        return lt_scan_fail_expected(scanner, "version, kind and size of numbers");
    reader->version_4 = version == 4.1;
    if (!reader->version_4 && !(version >= 2.0 && version <= 2.2))
        return lt_scan_fail(scanner, LT_STATUS_VERSION, "Gmsh format %g cannot be read: save as 2.2 or 4.1",
                            version);
    if (size != 8)
        return lt_scan_fail(scanner, LT_STATUS_VERSION, "numbers of %lld bytes cannot be read",
                            (long long)size);
    reader->ascii = binary == 0;
    lt_scan_next_line(scanner);
    return reader->ascii ? LT_OK : read_byte_order(reader);
}

/* Where "$End" and the section's name stand next; NULL when nowhere. */
static const uint8_t *find_end(const lt_scanner *scanner, lt_word name) {
    const uint8_t *at = scanner->at;
    while ((at = memchr(at, '$', (size_t)(scanner->end - at))) != NULL) {
        if ((size_t)(scanner->end - at) >= 4 + name.size && memcmp(at, "$End", 4) == 0 &&
            memcmp(at + 4, name.bytes, name.size) == 0)
            return at;
        at++;
    }
    return NULL;
}

/* To the line after "$EndName"; `exactly` when nothing but blanks may come before it. */
static lt_status end_section(msh_reader *reader, lt_word name, bool exactly) {
    lt_scanner *scanner = &reader->scanner;
    if (exactly) lt_scan_space(scanner);
    const uint8_t *end = find_end(scanner, name);
    if (!end || (exactly && end != scanner->at))
        return lt_scan_fail(scanner, LT_STATUS_FORMAT, "$End%.*s is not where it is due",
                            name.size < 40 ? (int)name.size : 40, (const char *)name.bytes);
    for (; scanner->at < end; scanner->at++)
        scanner->line += scanner->line && *scanner->at == '\n';
    lt_scan_next_line(scanner);
    return LT_OK;
}

static lt_status read_nodes_section(msh_reader *reader) {
    if (reader->has_nodes) return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "a second $Nodes");
    reader->has_nodes = true;
    lt_scan_next_line(&reader->scanner);
    lt_status status = reader->version_4 ? read_nodes_4(reader) : read_nodes_2(reader);
    return status == LT_OK ? order_tags(reader) : status;
}

static lt_status read_elements_section(msh_reader *reader) {
    if (!reader->has_nodes)
        return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "$Elements without $Nodes before it");
    if (reader->has_elements) return lt_scan_fail(&reader->scanner, LT_STATUS_FORMAT, "a second $Elements");
    reader->has_elements = true;
    lt_scan_next_line(&reader->scanner);
    return reader->version_4 ? read_elements_4(reader) : read_elements_2(reader);
}

static lt_status read_section(msh_reader *reader, lt_word name) {
    bool names = lt_word_is(name, "PhysicalNames"), entities = lt_word_is(name, "Entities");
    if (!reader->has_nodes && (names || (entities && reader->version_4 && reader->names.count > 0))) {
        lt_scan_next_line(&reader->scanner);
        lt_status status = names ? read_names_section(reader) : read_entities_section(reader);
        return status == LT_OK ? end_section(reader, name, true) : status;
    }
    if (lt_word_is(name, "Nodes") || lt_word_is(name, "Elements")) {
        bool nodes = lt_word_is(name, "Nodes");
        lt_status status = nodes ? read_nodes_section(reader) : read_elements_section(reader);
        return status == LT_OK ? end_section(reader, name, true) : status;
    }
    return end_section(reader, name, false);
}

static lt_status read_sections(msh_reader *reader) {
    lt_scanner *scanner = &reader->scanner;
    lt_word format = {(const uint8_t *)"MeshFormat", 10};
    lt_status status = end_section(reader, format, true);
    while (status == LT_OK) {
        lt_scan_space(scanner);
        if (scanner->at == scanner->end) break;
        lt_word word = lt_scan_word(scanner);
        if (word.size < 2 || word.bytes[0] != '$') {
            scanner->at = word.bytes;
            return lt_scan_fail_expected(scanner, "the $ of a section");
        }
        status = read_section(reader, (lt_word){word.bytes + 1, word.size - 1});
    }
    if (status == LT_OK && !reader->has_elements)
        return lt_fail(scanner->error, LT_STATUS_FORMAT, "%s: no $%s", scanner->name,
                       reader->has_nodes ? "Elements" : "Nodes");
    return status;
}

lt_status lt_read_msh(lt_mesh_content *out, const uint8_t *bytes, size_t size, const char *name,
                      const lt_allocator *allocator, lt_error *error) {
    lt_status status = lt_mesh_content_begin(out, size, name, error);
    if (status != LT_OK) return status;
    msh_reader reader = {.scanner = lt_scanner_make(bytes, size, name, error),
                         .tags = LT_ARRAY_OF(allocator, node_tag),
                         .names = LT_ARRAY_OF(allocator, lt_msh_group),
                         .entities = LT_ARRAY_OF(allocator, lt_msh_group),
                         .cells = lt_cell_builder_make(allocator),
                         .out = out};
    status = read_format(&reader);
    if (status == LT_OK) status = read_sections(&reader);
    lt_array_free(&reader.tags);
    lt_array_free(&reader.names);
    lt_array_free(&reader.entities);
    return lt_cell_builder_end(&reader.cells, status, out, name, error);
}
