/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Gmsh 2.2, after the file format chapter of its manual (read_msh.c has its outline). Tags of nodes and elements count
 * from 1; elements come in two blocks of one type each. Text and binary differ in how one node and one element are
 * put. */

#include "io/write_internal.h"

enum { TRIANGLE_TYPE = 2, TET_TYPE = 4, TRIANGLE_TAG = 1, TET_TAG = 2, TAG_COUNT = 2 };

typedef struct msh_writer {
    lt_array bytes; /* char */
    lt_write_form form;
    uint32_t element_count; /* written */
} msh_writer;

static bool append_head(msh_writer *writer) {
    uint8_t one[4];
    lt_put_u32(one, 1); /* tells a reader the order of bytes */
    if (writer->form == LT_WRITE_TEXT)
        return lt_append_text(&writer->bytes, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    return lt_append_text(&writer->bytes, "$MeshFormat\n2.2 1 8\n") &&
           lt_append_bytes(&writer->bytes, one, sizeof one) &&
           lt_append_text(&writer->bytes, "\n$EndMeshFormat\n");
}

static bool append_node(msh_writer *writer, uint32_t tag, lt_dvec3 p) {
    if (writer->form == LT_WRITE_TEXT) {
        char x[LT_NUMBER_ROOM], y[LT_NUMBER_ROOM], z[LT_NUMBER_ROOM];
        lt_format_double(x, p.x);
        lt_format_double(y, p.y);
        lt_format_double(z, p.z);
        return lt_append_text(&writer->bytes, "%u %s %s %s\n", tag, x, y, z);
    }
    uint8_t bytes[4 + 3 * 8];
    lt_put_double(lt_put_double(lt_put_double(lt_put_u32(bytes, tag), p.x), p.y), p.z);
    return lt_append_bytes(&writer->bytes, bytes, sizeof bytes);
}

static bool append_nodes(msh_writer *writer, const lt_tet_mesh *mesh) {
    bool ok = lt_append_text(&writer->bytes, "$Nodes\n%u\n", mesh->node_count);
    for (uint32_t i = 0; ok && i < mesh->node_count; i++)
        ok = append_node(writer, i + 1, mesh->positions[i]);
    return ok && lt_append_text(&writer->bytes, "%s$EndNodes\n", writer->form == LT_WRITE_TEXT ? "" : "\n");
}

static bool append_element(msh_writer *writer, uint32_t type, uint32_t tag, const uint32_t *corners,
                           uint32_t corner_count) {
    uint32_t number = ++writer->element_count;
    if (writer->form == LT_WRITE_TEXT) {
        bool ok = lt_append_text(&writer->bytes, "%u %u %d %u %u", number, type, TAG_COUNT, tag, tag);
        for (uint32_t k = 0; ok && k < corner_count; k++)
            ok = lt_append_text(&writer->bytes, " %u", corners[k] + 1);
        return ok && lt_append_text(&writer->bytes, "\n");
    }
    uint8_t bytes[4 * (1 + TAG_COUNT + 4)];
    uint8_t *to = lt_put_u32(lt_put_u32(lt_put_u32(bytes, number), tag), tag);
    for (uint32_t k = 0; k < corner_count; k++)
        to = lt_put_u32(to, corners[k] + 1);
    return lt_append_bytes(&writer->bytes, bytes, (size_t)(to - bytes));
}

static bool append_block(msh_writer *writer, uint32_t type, uint32_t tag, const uint32_t *corners,
                         uint32_t corner_count, uint32_t count) {
    bool ok = true;
    if (writer->form == LT_WRITE_BINARY && count > 0) {
        uint8_t head[12];
        lt_put_u32(lt_put_u32(lt_put_u32(head, type), count), TAG_COUNT);
        ok = lt_append_bytes(&writer->bytes, head, sizeof head);
    }
    for (uint32_t i = 0; ok && i < count; i++)
        ok = append_element(writer, type, tag, corners + (size_t)corner_count * i, corner_count);
    return ok;
}

static lt_status check(const char *path, const lt_tet_mesh *mesh, const uint32_t *triangles,
                       uint32_t triangle_count, lt_error *error) {
    lt_status status = lt_tet_mesh_check(mesh, path, error);
    if (status != LT_OK) return status;
    if (mesh->node_count > INT32_MAX || (uint64_t)mesh->tet_count + triangle_count > INT32_MAX)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "%s: more nodes or elements than Gmsh's int can number",
                       path);
    for (size_t i = 0; i < 3 * (size_t)triangle_count; i++)
        if (triangles[i] >= mesh->node_count)
            return lt_fail(error, LT_STATUS_INVALID, "%s: triangle %zu: node index %u of %u nodes", path,
                           i / 3, triangles[i], mesh->node_count);
    return LT_OK;
}

lt_status lt_write_msh(const char *path, const lt_tet_mesh *mesh, const uint32_t *triangles,
                       uint32_t triangle_count, lt_write_form form, lt_error *error) {
    lt_status status = check(path, mesh, triangles, triangle_count, error);
    if (status != LT_OK) return status;
    msh_writer writer = {.bytes = LT_ARRAY_OF(&mesh->allocator, char), .form = form};
    bool ok = append_head(&writer) && append_nodes(&writer, mesh) &&
              lt_append_text(&writer.bytes, "$Elements\n%u\n", mesh->tet_count + triangle_count) &&
              append_block(&writer, TRIANGLE_TYPE, TRIANGLE_TAG, triangles, 3, triangle_count) &&
              append_block(&writer, TET_TYPE, TET_TAG, mesh->tets, 4, mesh->tet_count) &&
              lt_append_text(&writer.bytes, "%s$EndElements\n", form == LT_WRITE_TEXT ? "" : "\n");
    return lt_write_array(path, &writer.bytes, ok, error);
}
