/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/read_refusals.h"

#define FORMAT_2   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define FORMAT_4   "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES_2    "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define TET_2      "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n"
#define ELEMENTS   "$Elements\n"
#define FLAT_NODES "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n"

static void broken_files_are_refused(void) {
    static const refusal rows[] = {
        {"", LT_STATUS_VERSION, "sample:1: a Gmsh file begins with $MeshFormat"},
        {"$NOD\n1\n", LT_STATUS_VERSION, "format 1.0 cannot be read"},
        {"$MeshFormat\n4.0 0 8\n", LT_STATUS_VERSION,
         "sample:2: Gmsh format 4 cannot be read: save as 2.2 or 4.1"},
        {"$MeshFormat\n4.1 0 4\n", LT_STATUS_VERSION, "sample:2: numbers of 4 bytes"},
        {"$MeshFormat\n4.1 0\n", LT_STATUS_FORMAT, "sample:2: expected version, kind and size"},
        {"$MeshFormat\n2.2 1 8\n\x02\x02\x02\x02\n$EndMeshFormat", LT_STATUS_FORMAT,
         "mark of the byte order"},
        {"$MeshFormat\n4.1 0 8\n", LT_STATUS_FORMAT, "$EndMeshFormat is not where it is due"},
        {FORMAT_2, LT_STATUS_FORMAT, "sample: no $Nodes"},
        {FORMAT_2 NODES_2, LT_STATUS_FORMAT, "sample: no $Elements"},
        {FORMAT_2 "what", LT_STATUS_FORMAT, "sample:4: expected the $ of a section, found \"what\""},
        {FORMAT_2 TET_2, LT_STATUS_FORMAT, "sample:4: $Elements without $Nodes before it"},
        {FORMAT_2 NODES_2 NODES_2, LT_STATUS_FORMAT, "sample:11: a second $Nodes"},
        {FORMAT_2 NODES_2 TET_2 TET_2, LT_STATUS_FORMAT, "a second $Elements"},
        {FORMAT_2 "$Nodes\n99999999\n1 0 0 0\n", LT_STATUS_FORMAT,
         "sample:5: announces 99999999 nodes, more than"},
        {FORMAT_4 "$Nodes\n1 99999999999 1 2\n", LT_STATUS_FORMAT,
         "sample:5: announces 99999999999 nodes, more than"},
        {FORMAT_4 "$Nodes\n1 1 1 1\n3 1 0 2\n1\n2\n0 0 0\n1 1 1\n", LT_STATUS_FORMAT,
         "more nodes than announced"},
        {FORMAT_4 "$Nodes\n1 2 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n", LT_STATUS_FORMAT, "its blocks hold 1"},
        {FORMAT_4 "$Nodes\n1 2 1 1\n7 1 0 1\n1\n0 0 0\n$EndNodes\n", LT_STATUS_FORMAT,
         "head of a block of nodes"},
        {FORMAT_2 "$Nodes\n1\n1 0 0 nan\n", LT_STATUS_INVALID,
         "sample:6: node 0: a coordinate is not a finite"},
        {FORMAT_2 "$Nodes\n1\n1 0 0 b\n", LT_STATUS_FORMAT, "sample:6: expected a coordinate, found \"b\""},
        {FORMAT_2 "$Nodes\n2\n1 0 0 0\n1 0 0 1\n$EndNodes\n", LT_STATUS_INVALID, "two nodes have the tag 1"},
        {FORMAT_2 "$Nodes\n1\n1 0 0 0\n2 1 1 1\n$EndNodes\n", LT_STATUS_FORMAT,
         "$EndNodes is not where it is due"},
        {FORMAT_2 NODES_2 ELEMENTS "1\n1 4 0 1 2 3 5\n$EndElements\n", LT_STATUS_INVALID,
         "sample:13: an element uses node 5, which is not there"},
        {FORMAT_2 NODES_2 ELEMENTS "99999999999\n1 4 0 1 2 3 4\n$EndElements\n", LT_STATUS_FORMAT,
         "sample:14: expected tag, type and number of tags of an element, found \"$EndElements\""},
        {FORMAT_2 NODES_2 ELEMENTS "0\n$EndElements\n", LT_STATUS_INVALID,
         "no tets and no triangles (4 nodes, 0"},
        {FORMAT_2 NODES_2 ELEMENTS "1\n1 15 0 1\n$EndElements\n", LT_STATUS_INVALID,
         "(4 nodes, 1 other cells)"},
        {FORMAT_2 FLAT_NODES TET_2, LT_STATUS_INVALID, "sample: tet 0: volume 0 is not positive"},
        {FORMAT_2 "$Comment\nno end\n", LT_STATUS_FORMAT, "$EndComment is not where it is due"}};
    check_refusals(SAMPLE_MSH, rows, LT_COUNT_OF(rows));
}

static void unknown_cells_are_skipped_and_counted_in_text(void) {
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_MSH,
                                 FORMAT_2 NODES_2 ELEMENTS
                                 "3\n1 200 1 0 7 7 7 7 7 7 7\n2 3 0 1 2 3 4\n"
                                 "3 4 2 0 0 1 2 3 4\n$EndElements\n$Other\n1 2 3\n$EndOther\n",
                                 NULL) == LT_OK);
    CHECK_COUNT(file.skipped_cell_count, 2);
    CHECK_COUNT(file.tets.tet_count, 1);
    CHECK_NEAR(lt_tet_mesh_volume(&file.tets), 1.0 / 6, 1e-15);
    lt_mesh_content_free(&file);
}

static void unknown_cells_in_binary_are_refused(void) {
    sample s;
    CHECK_FATAL(sample_make(&s, 6));
    const uint8_t block[] = {1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}; /* the block of one line: type 1 */
    size_t at = s.size;
    while (at-- > 0 && memcmp(s.bytes + at, block, sizeof block) != 0) {
    }
    s.bytes[at] = 200;
    lt_mesh_content file;
    lt_error error = {0};
    CHECK(lt_read_msh(&file, s.bytes, s.size, "sample", NULL, &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "elements of type 200");
    CHECK_CONTAINS(error.message, "sample: byte ");
}

static void nodes_without_a_tet_are_left_out(void) {
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_MSH,
                                 FORMAT_2
                                 "$Nodes\n6\n9 5 5 5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n8 7 7 7\n4 0 0 1\n"
                                 "$EndNodes\n$Elements\n2\n1 4 0 1 2 3 4\n2 2 0 9 8 1\n$EndElements\n",
                                 NULL) == LT_OK);
    CHECK_COUNT(file.unused_node_count, 2);
    CHECK_COUNT(file.tets.node_count, 4);
    CHECK(file.tets.positions[3].z == 1);
    CHECK_COUNT(file.surface.vertex_count, 3);
    CHECK(file.surface.positions[0].x == 5 && file.surface.positions[1].x == 0 &&
          file.surface.positions[2].x == 7);
    const uint32_t *t = lt_triangle_at(&file.surface, 0);
    CHECK(t[0] == 0 && t[1] == 2 && t[2] == 1);
    lt_mesh_content_free(&file);
}

/* A descending order of many tags goes through the sort; each tet then finds its own nodes. */
static void many_tags_in_any_order_are_found(void) {
    enum { TETS = 300 };
    static char text[100000];
    int length = sprintf(text, FORMAT_2 "$Nodes\n%d\n", 4 * TETS);
    for (int i = 0; i < 4 * TETS; i++) {
        int scrambled = (i * 7919) % (4 * TETS), tet = scrambled / 4, k = scrambled % 4;
        length += sprintf(text + length, "%d %d %d %d\n", 3 * scrambled + 5, tet + (k == 1), k == 2, k == 3);
    }
    length += sprintf(text + length, "$EndNodes\n$Elements\n%d\n", TETS);
    for (int i = 0; i < TETS; i++)
        length += sprintf(text + length, "%d 4 0 %d %d %d %d\n", i, 12 * i + 5, 12 * i + 8, 12 * i + 11,
                          12 * i + 14);
    sprintf(text + length, "$EndElements\n");
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_MSH, text, NULL) == LT_OK);
    CHECK_COUNT(file.tets.tet_count, TETS);
    CHECK_COUNT(file.turned_tet_count, 0);
    for (uint32_t i = 0; i < TETS; i++)
        CHECK(file.tets.positions[lt_tet_at(&file.tets, i)[0]].x == i);
    CHECK_NEAR(lt_tet_mesh_volume(&file.tets), TETS / 6.0, 1e-9);
    lt_mesh_content_free(&file);
}

int main(void) {
    RUN(broken_files_are_refused);
    RUN(unknown_cells_are_skipped_and_counted_in_text);
    RUN(unknown_cells_in_binary_are_refused);
    RUN(nodes_without_a_tet_are_left_out);
    RUN(many_tags_in_any_order_are_found);
    return check_finish();
}
