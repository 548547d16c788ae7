/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Gmsh 2.2, after the file format chapter of its manual (read_msh.c has its outline). Tags of nodes and elements count
 * from 1; elements come in two blocks of one type each. Text and binary differ in how one node and one element are
 * put. */

#include "io/write_internal.h"

enum { TRIANGLE_TYPE = 2, TET_TYPE = 4, TRIANGLE_TAG = 1, TET_TAG = 2, TAG_COUNT = 2, CORNERS_MAX = 4 };

typedef struct msh_writer {
    lt_array bytes; /* char */
    lt_mesh_form form;
    uint32_t element_count;       /* written */
    const lt_mesh_groups *groups; /* NULL: none */
} msh_writer;

/* Elements of one type. */
typedef struct msh_block {
    uint32_t type, tag, corner_count, count;
    const uint32_t *corners; /* [count][corner_count] */
    const uint32_t *groups;  /* [count], or NULL */
} msh_block;

static bool append_head(msh_writer *writer) {
    uint8_t one[4];
    lt_put_u32(one, 1); /* tells a reader the order of bytes */
    if (writer->form == LT_MESH_TEXT)
        return lt_append_text(&writer->bytes, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    return lt_append_text(&writer->bytes, "$MeshFormat\n2.2 1 8\n") &&
           lt_append_bytes(&writer->bytes, one, sizeof one) &&
           lt_append_text(&writer->bytes, "\n$EndMeshFormat\n");
}

static bool append_node(msh_writer *writer, uint32_t tag, lt_dvec3 p) {
    if (writer->form == LT_MESH_TEXT) {
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
    return ok && lt_append_text(&writer->bytes, "%s$EndNodes\n", writer->form == LT_MESH_TEXT ? "" : "\n");
}

/* "dimension tag "name"", a line a group; a quote in a name would end it. */
static bool append_names(msh_writer *writer, int dimension) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < writer->groups->count; i++) {
        ok = lt_append_text(&writer->bytes, "%d %u \"", dimension, i + 1);
        for (const char *c = writer->groups->names[i]; ok && *c; c++)
            ok = lt_append_bytes(&writer->bytes, *c == '"' ? "'" : c, 1);
        ok = ok && lt_append_text(&writer->bytes, "\"\n");
    }
    return ok;
}

static bool append_groups(msh_writer *writer) {
    const lt_mesh_groups *groups = writer->groups;
    if (!groups) return true;
    uint32_t dimension_count = (groups->triangle_groups != NULL) + (groups->tet_groups != NULL);
    return lt_append_text(&writer->bytes, "$PhysicalNames\n%u\n", dimension_count * groups->count) &&
           (!groups->triangle_groups || append_names(writer, 2)) &&
           (!groups->tet_groups || append_names(writer, 3)) &&
           lt_append_text(&writer->bytes, "$EndPhysicalNames\n");
}

/* Of groups by their numbers, 0 for none; without groups of the type. */
static uint32_t physical_tag(const msh_writer *writer, const msh_block *block, uint32_t index) {
    LT_ASSERT(index < block->count);
    if (!writer->groups) return block->tag;
    return block->groups && block->groups[index] != LT_MESH_NO_GROUP ? block->groups[index] + 1 : 0;
}

static bool append_element(msh_writer *writer, const msh_block *block, uint32_t index) {
    uint32_t number = ++writer->element_count, tag = block->tag, corner_count = block->corner_count;
    uint32_t physical = physical_tag(writer, block, index);
    const uint32_t *corners = block->corners + (size_t)corner_count * index;
    if (writer->form == LT_MESH_TEXT) {
        bool ok =
            lt_append_text(&writer->bytes, "%u %u %d %u %u", number, block->type, TAG_COUNT, physical, tag);
        for (uint32_t k = 0; ok && k < corner_count; k++)
            ok = lt_append_text(&writer->bytes, " %u", corners[k] + 1);
        return ok && lt_append_text(&writer->bytes, "\n");
    }
    uint8_t bytes[4 * (1 + TAG_COUNT + CORNERS_MAX)];
    uint8_t *to = lt_put_u32(lt_put_u32(lt_put_u32(bytes, number), physical), tag);
    for (uint32_t k = 0; k < CORNERS_MAX && k < corner_count; k++) /* gcc does not see that it is */
        to = lt_put_u32(to, corners[k] + 1);
    return lt_append_bytes(&writer->bytes, bytes, (size_t)(to - bytes));
}

static bool append_block(msh_writer *writer, const msh_block *block) {
    bool ok = true;
    if (writer->form == LT_MESH_BINARY && block->count > 0) {
        uint8_t head[12];
        lt_put_u32(lt_put_u32(lt_put_u32(head, block->type), block->count), TAG_COUNT);
        ok = lt_append_bytes(&writer->bytes, head, sizeof head);
    }
    for (uint32_t i = 0; ok && i < block->count; i++)
        ok = append_element(writer, block, i);
    return ok;
}

static lt_status check(const char *path, const lt_tet_mesh *mesh, const uint32_t *triangles,
                       uint32_t triangle_count, lt_error *error) {
    lt_status status = mesh->tet_count ? lt_tet_mesh_check(mesh, path, error) : LT_OK;
    if (status != LT_OK) return status;
    if (mesh->tet_count == 0 && triangle_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "%s: there are neither tets nor triangles to write", path);
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
                       uint32_t triangle_count, const lt_mesh_groups *groups, lt_mesh_form form,
                       lt_error *error) {
    lt_status status = check(path, mesh, triangles, triangle_count, error);
    if (status != LT_OK) return status;
    msh_writer writer = {.bytes = LT_ARRAY_OF(&mesh->allocator, char),
                         .form = form,
                         .groups = groups && (groups->triangle_groups || groups->tet_groups) ? groups : NULL};
    msh_block triangle_block = {TRIANGLE_TYPE,  TRIANGLE_TAG, 3,
                                triangle_count, triangles,    groups ? groups->triangle_groups : NULL};
    msh_block tet_block = {TET_TYPE,        TET_TAG,    4,
                           mesh->tet_count, mesh->tets, groups ? groups->tet_groups : NULL};
    bool ok = append_head(&writer) && append_groups(&writer) && append_nodes(&writer, mesh) &&
              lt_append_text(&writer.bytes, "$Elements\n%u\n", mesh->tet_count + triangle_count) &&
              append_block(&writer, &triangle_block) && append_block(&writer, &tet_block) &&
              lt_append_text(&writer.bytes, "%s$EndElements\n", form == LT_MESH_TEXT ? "" : "\n");
    return lt_write_array(path, &writer.bytes, ok, error);
}
