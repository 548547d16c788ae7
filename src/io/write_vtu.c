/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* VTU: XML that names the arrays, then "_" and the arrays themselves, each behind its size in bytes as UInt64. The
 * arrays are in the order in which the XML names them; add_array counts what put_array will write. */

#include "io/write_internal.h"

/* Corner k of VTK's hexahedron, which goes around two opposite faces, is this corner of a lattice's cell. */
static const uint32_t hexahedron_corners[8] = {0, 1, 3, 2, 4, 5, 7, 6};

static uint8_t vtk_type(lt_vtu_cell cell) {
    return cell == LT_VTU_TRIANGLE ? 5 : cell == LT_VTU_TET ? 10 : 12;
}

static lt_status check(const char *path, const lt_vtu_grid *grid, lt_error *error) {
    uint64_t corner_count = (uint64_t)grid->cell_count * (uint32_t)grid->cell;
    if (grid->cell_count == 0) return lt_fail(error, LT_STATUS_INVALID, "%s: no cells", path);
    if (corner_count > INT32_MAX || grid->point_count > INT32_MAX)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "%s: more points or corners than Int32 can number",
                       path);
    for (uint32_t i = 0; i < grid->point_count; i++)
        if (!lt_v3_is_finite(grid->points[i]))
            return lt_fail(error, LT_STATUS_INVALID, "%s: point %u: a coordinate is not finite", path, i);
    for (uint64_t i = 0; i < corner_count; i++)
        if (grid->corners[i] >= grid->point_count)
            return lt_fail(error, LT_STATUS_INVALID, "%s: cell %u: point index %u of %u points", path,
                           (uint32_t)(i / (uint32_t)grid->cell), grid->corners[i], grid->point_count);
    return LT_OK;
}

/* ---- the XML ---- */

static bool add_array(lt_array *xml, uint64_t *offset, const char *type, const char *name,
                      uint32_t component_count, uint64_t size) {
    uint64_t at = *offset;
    *offset += 8 + size;
    return lt_append_text(xml,
                          "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\" "
                          "format=\"appended\" offset=\"%llu\"/>\n",
                          type, name, component_count, (unsigned long long)at);
}

static bool add_fields(lt_array *xml, uint64_t *offset, const char *element, const lt_vtu_field *fields,
                       uint32_t field_count, uint32_t count) {
    bool ok = lt_append_text(xml, "<%s>\n", element);
    for (uint32_t i = 0; ok && i < field_count; i++)
        ok = add_array(xml, offset, "Float32", fields[i].name, fields[i].component_count,
                       4 * (uint64_t)count * fields[i].component_count);
    return ok && lt_append_text(xml, "</%s>\n", element);
}

static bool add_xml(lt_array *xml, uint64_t *size, const lt_vtu_grid *grid) {
    uint64_t cells = grid->cell_count;
    return lt_append_text(xml,
                          "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                          "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
                          "<Piece NumberOfPoints=\"%u\" NumberOfCells=\"%u\">\n",
                          grid->point_count, grid->cell_count) &&
           add_fields(xml, size, "PointData", grid->point_fields, grid->point_field_count,
                      grid->point_count) &&
           add_fields(xml, size, "CellData", grid->cell_fields, grid->cell_field_count, grid->cell_count) &&
           lt_append_text(xml, "<Points>\n") &&
           add_array(xml, size, "Float32", "Points", 3, 12 * (uint64_t)grid->point_count) &&
           lt_append_text(xml, "</Points>\n<Cells>\n") &&
           add_array(xml, size, "Int32", "connectivity", 1, 4 * cells * (uint32_t)grid->cell) &&
           add_array(xml, size, "Int32", "offsets", 1, 4 * cells) &&
           add_array(xml, size, "UInt8", "types", 1, cells) &&
           lt_append_text(xml, "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
}

/* ---- the arrays ---- */

static uint8_t *put_fields(uint8_t *to, const lt_vtu_field *fields, uint32_t field_count, uint32_t count) {
    for (uint32_t i = 0; i < field_count; i++) {
        size_t value_count = (size_t)count * fields[i].component_count;
        to = lt_put_u64(to, 4 * value_count);
        for (size_t k = 0; k < value_count; k++)
            to = lt_put_float(to, fields[i].values[k]);
    }
    return to;
}

static uint8_t *put_cells(uint8_t *to, const lt_vtu_grid *grid) {
    uint32_t corner_count = (uint32_t)grid->cell;
    to = lt_put_u64(to, 4 * (uint64_t)grid->cell_count * corner_count);
    for (uint32_t i = 0; i < grid->cell_count; i++)
        for (uint32_t k = 0; k < corner_count; k++)
            to = lt_put_u32(
                to,
                grid->corners[(size_t)i * corner_count + (corner_count == 8 ? hexahedron_corners[k] : k)]);
    to = lt_put_u64(to, 4 * (uint64_t)grid->cell_count);
    for (uint32_t i = 0; i < grid->cell_count; i++)
        to = lt_put_u32(to, (i + 1) * corner_count);
    to = lt_put_u64(to, grid->cell_count);
    memset(to, vtk_type(grid->cell), grid->cell_count);
    return to + grid->cell_count;
}

static uint8_t *put_arrays(uint8_t *to, const lt_vtu_grid *grid) {
    to = put_fields(to, grid->point_fields, grid->point_field_count, grid->point_count);
    to = put_fields(to, grid->cell_fields, grid->cell_field_count, grid->cell_count);
    to = lt_put_u64(to, 12 * (uint64_t)grid->point_count);
    return put_cells(lt_put_points(to, grid->points, grid->point_count), grid);
}

lt_status lt_write_vtu(const char *path, const lt_vtu_grid *grid, const lt_allocator *allocator,
                       lt_error *error) {
    lt_status status = check(path, grid, error);
    if (status != LT_OK) return status;
    lt_array bytes = LT_ARRAY_OF(allocator, char);
    uint64_t size = 0;
    bool ok = add_xml(&bytes, &size, grid) && size <= SIZE_MAX;
    uint8_t *to = ok ? lt_array_grow(&bytes, (size_t)size) : NULL;
    if (to) {
        uint8_t *end = put_arrays(to, grid);
        LT_ASSERT((uint64_t)(end - to) == size);
        (void)end;
    }
    ok = to && lt_append_text(&bytes, "\n</AppendedData>\n</VTKFile>\n");
    return lt_write_array(path, &bytes, ok, error);
}
