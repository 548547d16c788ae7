/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* lithe/mesh_file.h as a user of the library has it: files, memory, named groups, and back. Files are written beside this
 * program. */

#include "lithe/mesh_file.h"

#include "check.h"
#include "core/os.h"
#include "failing_allocator.h"

static const char *program;

/* Three triangles of a square and a tip; the second group stands in two places. */
static const char grouped_obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 1\n"
                                  "f 1 2 3\ng floor one \nf 1 3 4\no tip\nf 1 2 5\ng floor one\nf 2 3 5 4\n";

static lt_status from_text(lt_mesh_file *out, const char *name, const char *text, lt_error *error) {
    return lt_mesh_file_from_memory(text, strlen(text), name, NULL, out, error);
}

static void check_grouped(const lt_mesh_file *mesh) {
    static const uint32_t expected[] = {LT_MESH_NO_GROUP, 0, 1, 0, 0};
    CHECK_COUNT(mesh->surface_vertex_count, 5);
    CHECK_FATAL(mesh->surface_triangle_count == 5 && mesh->group_count == 2 && mesh->triangle_groups);
    CHECK(strcmp(mesh->group_names[0], "floor one") == 0 && strcmp(mesh->group_names[1], "tip") == 0);
    CHECK(memcmp(mesh->triangle_groups, expected, sizeof expected) == 0);
    CHECK(mesh->tet_groups == NULL && mesh->tets == NULL && mesh->node_positions == NULL);
    CHECK(mesh->surface_positions[3 * 4 + 2] == 1.0f);
}

static void groups_of_an_obj_have_their_names(void) {
    lt_mesh_file mesh;
    lt_error error = {0};
    CHECK_FATAL(from_text(&mesh, "a.obj", grouped_obj, &error) == LT_OK);
    check_grouped(&mesh);
    CHECK_COUNT(mesh.split_polygon_count, 1);
    lt_mesh_file_free(&mesh);
    lt_mesh_file_free(&mesh);
    CHECK(mesh.surface_positions == NULL && mesh.group_names == NULL);
}

static void groups_of_a_text_stl_are_its_solids(void) {
    static const char facet[] =
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 %d\nendloop\nendfacet\n";
    char text[1000], one[200], two[200];
    lt_mesh_file mesh;
    lt_error error = {0};
    snprintf(one, sizeof one, facet, 0);
    snprintf(two, sizeof two, facet, 1);
    snprintf(text, sizeof text, "solid left\n%s%sendsolid left\nsolid\n%sendsolid\nsolid right\n%sendsolid\n",
             one, two, one, two);
    CHECK_FATAL(from_text(&mesh, "a.stl", text, &error) == LT_OK);
    static const uint32_t expected[] = {0, 0, LT_MESH_NO_GROUP, 1};
    CHECK_FATAL(mesh.surface_triangle_count == 4 && mesh.group_count == 2);
    CHECK(memcmp(mesh.triangle_groups, expected, sizeof expected) == 0);
    CHECK(strcmp(mesh.group_names[1], "right") == 0);
    lt_mesh_file_free(&mesh);
}

static const char nodes_2[] = "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n";

static void check_physical(const char *text) {
    lt_mesh_file mesh;
    lt_error error = {0};
    if (from_text(&mesh, "a.msh", text, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    CHECK_FATAL(mesh.tet_count == 2 && mesh.surface_triangle_count == 2 && mesh.group_count == 2);
    CHECK(strcmp(mesh.group_names[0], "wall \"a\"") == 0 && strcmp(mesh.group_names[1], "flesh") == 0);
    CHECK_FATAL(mesh.tet_groups && mesh.triangle_groups);
    CHECK(mesh.tet_groups[0] == LT_MESH_NO_GROUP && mesh.tet_groups[1] == 1);
    CHECK(mesh.triangle_groups[0] == 0 && mesh.triangle_groups[1] == LT_MESH_NO_GROUP);
    CHECK_COUNT(mesh.turned_tet_count, 0);
    lt_mesh_file_free(&mesh);
}

/* The tag 7 is a surface's and a volume's; that of the volume has no name. */
static void groups_of_gmsh_are_its_physical_names(void) {
    char text[2000];
    const char names[] =
        "$PhysicalNames\n3\n2 7 \"wall \"a\"\"\n3 9 \"flesh\"\n0 9 \"  \"\n$EndPhysicalNames\n";
    snprintf(text, sizeof text,
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n%s%s$Elements\n4\n1 2 2 7 1 1 2 3\n2 2 2 9 1 1 2 4\n"
             "3 4 2 7 1 1 2 3 4\n4 4 3 9 1 0 2 3 4 5\n$EndElements\n",
             names, nodes_2);
    check_physical(text);
    snprintf(text, sizeof text,
             "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n%s"
             "$Entities\n1 1 2 2\n1 0 0 0 1 9\n1 0 0 0 1 1 1 0 2 1 -1\n"
             "5 0 0 0 1 1 1 2 3 -7 1 1\n6 0 0 0 1 1 1 0 0\n5 0 0 0 1 1 1 1 7 0\n6 0 0 0 1 1 1 1 9 2 5 "
             "-6\n$EndEntities\n"
             "$Nodes\n1 5 1 5\n3 5 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"
             "$Elements\n4 4 1 4\n2 5 2 1\n1 1 2 3\n2 6 2 1\n2 1 2 4\n3 5 4 1\n3 1 2 3 4\n3 6 4 1\n4 2 3 4 "
             "5\n$EndElements\n",
             names);
    check_physical(text);
}

static void damaged_names_are_refused_with_their_line(void) {
    static const struct {
        const char *section, *message;
    } rows[] = {
        {"$PhysicalNames\n1\n2 7 wall\n$EndPhysicalNames\n", "a.msh:6: expected the name of a physical"},
        {"$PhysicalNames\nx\n$EndPhysicalNames\n", "a.msh:5: expected the number of physical names"},
        {"$PhysicalNames\n2\n2 7 \"a\"\n$EndPhysicalNames\n", "a.msh:7: expected dimension and tag"},
        {"$PhysicalNames\n1\n2 7 \"a\"\n$EndPhysicalNames\n$Entities\n9 0 0 0\n$EndEntities\n",
         "expected an entity"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600];
        lt_mesh_file mesh;
        lt_error error = {0};
        snprintf(text, sizeof text, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n%s", rows[i].section);
        CHECK(from_text(&mesh, "a.msh", text, &error) == LT_STATUS_FORMAT);
        CHECK_CONTAINS(error.message, rows[i].message);
        CHECK(mesh.surface_triangles == NULL);
    }
}

static bool same_mesh(const lt_mesh_file *a, const lt_mesh_file *b) {
    return a->surface_vertex_count == b->surface_vertex_count &&
           a->surface_triangle_count == b->surface_triangle_count && a->node_count == b->node_count &&
           a->tet_count == b->tet_count && a->group_count == b->group_count &&
           (a->surface_vertex_count == 0 ||
            (memcmp(a->surface_positions, b->surface_positions, 12 * (size_t)a->surface_vertex_count) == 0 &&
             memcmp(a->surface_triangles, b->surface_triangles, 12 * (size_t)a->surface_triangle_count) ==
                 0)) &&
           (a->tet_count == 0 ||
            (memcmp(a->node_positions, b->node_positions, 24 * (size_t)a->node_count) == 0 &&
             memcmp(a->tets, b->tets, 16 * (size_t)a->tet_count) == 0));
}

static lt_status save_and_load(lt_mesh_file *out, const lt_mesh_file *mesh, const char *ending,
                               lt_mesh_form form, lt_error *error) {
    char path[600];
    snprintf(path, sizeof path, "%s-out%s", program, ending);
    lt_status status = lt_mesh_file_save(mesh, path, form, error);
    if (status == LT_OK) status = lt_mesh_file_load(path, NULL, out, error);
    remove(path);
    return status;
}

static void what_was_written_reads_back_bit_for_bit(void) {
    static const struct {
        const char *ending;
        lt_mesh_form form;
        bool has_groups;
    } rows[] = {{".obj", LT_MESH_BINARY, true},
                {".obj", LT_MESH_TEXT, true},
                {".ply", LT_MESH_BINARY, false},
                {".msh", LT_MESH_BINARY, true},
                {".MSH", LT_MESH_TEXT, true}};
    lt_mesh_file mesh, back;
    lt_error error = {0};
    CHECK_FATAL(from_text(&mesh, "a.obj", grouped_obj, &error) == LT_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (save_and_load(&back, &mesh, rows[i].ending, rows[i].form, &error) != LT_OK)
            CHECK_FAIL_MESSAGE("%s: %s", rows[i].ending, error.message);
        if (rows[i].has_groups) check_grouped(&back);
        if (!rows[i].has_groups) back.group_count = mesh.group_count;
        CHECK(same_mesh(&mesh, &back));
        if (!rows[i].has_groups) back.group_count = 0;
        lt_mesh_file_free(&back);
    }
    CHECK(save_and_load(&back, &mesh, ".stl", LT_MESH_TEXT, &error) == LT_OK);
    CHECK_COUNT(back.surface_triangle_count, 5);
    lt_mesh_file_free(&back);
    lt_mesh_file_free(&mesh);
}

/* Arrays of the caller's: two tets in a group each, and a surface beside them. */
static void tets_and_surface_go_into_one_gmsh_file(void) {
    double nodes[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.1, 1, 1, 1};
    uint32_t tets[] = {0, 1, 2, 3, 1, 2, 3, 4}, triangles[] = {0, 1, 2}, groups[] = {1, 0},
             none[] = {LT_MESH_NO_GROUP};
    float vertices[] = {9, 0, 0, 9, 1, 0.3f, 9, 0, 1};
    const char *names[] = {"b", "a"};
    lt_mesh_file mesh = {.surface_positions = vertices,
                         .surface_triangles = triangles,
                         .surface_vertex_count = 3,
                         .surface_triangle_count = 1,
                         .node_positions = nodes,
                         .node_count = 5,
                         .tets = tets,
                         .tet_count = 2,
                         .group_names = names,
                         .group_count = 2,
                         .tet_groups = groups};
    for (int form = LT_MESH_BINARY; form <= LT_MESH_TEXT; form++) {
        lt_mesh_file back;
        lt_error error = {0};
        if (save_and_load(&back, &mesh, ".msh", (lt_mesh_form)form, &error) != LT_OK)
            CHECK_FAIL_MESSAGE("%s", error.message);
        CHECK(same_mesh(&mesh, &back));
        CHECK_FATAL(back.group_count == 2 && back.tet_groups && !back.triangle_groups);
        CHECK(strcmp(back.group_names[back.tet_groups[0]], "a") == 0);
        lt_vec3 lo, hi;
        lt_mesh_file_bounds(&back, &lo, &hi);
        CHECK(lo.x == 0 && hi.x == 9 && hi.z == 1);
        lt_mesh_file_free(&back);
    }
    mesh.triangle_groups = none;
    lt_error error = {0};
    char path[600];
    snprintf(path, sizeof path, "%s-out.vtu", program);
    CHECK(lt_mesh_file_save(&mesh, path, LT_MESH_BINARY, &error) == LT_OK);
    CHECK(lt_os_file_exists(path));
    remove(path);
}

static void what_cannot_be_written_is_said(void) {
    lt_mesh_file mesh, empty = {0};
    lt_error error = {0};
    CHECK_FATAL(from_text(&mesh, "a.obj", grouped_obj, &error) == LT_OK);
    CHECK(lt_mesh_file_save(&mesh, "a.off", LT_MESH_BINARY, &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "a.off: not a format that is written: give .obj");
    CHECK(lt_mesh_file_save(&mesh, "a.ply", LT_MESH_TEXT, &error) == LT_STATUS_UNSUPPORTED);
    CHECK(lt_mesh_file_save(&empty, "a.ply", LT_MESH_BINARY, &error) == LT_STATUS_INVALID);
    mesh.triangle_groups[3] = 2;
    CHECK(lt_mesh_file_save(&mesh, "a.obj", LT_MESH_TEXT, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "triangle 3: group 2 of 2");
    mesh.surface_triangles[4] = 5;
    CHECK(lt_mesh_file_save(&mesh, "a.obj", LT_MESH_TEXT, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "triangle 1");
    lt_mesh_file_free(&mesh);
    double nodes[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    uint32_t tet[] = {0, 1, 2, 3};
    lt_mesh_file tets = {.node_positions = nodes, .node_count = 4, .tets = tet, .tet_count = 1};
    CHECK(lt_mesh_file_save(&tets, "a.stl", LT_MESH_BINARY, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, ".msh and .vtu hold tets");
    CHECK(!lt_os_file_exists("a.obj") && !lt_os_file_exists("a.stl") && !lt_os_file_exists("a.ply"));
}

static void what_cannot_be_read_is_said(void) {
    lt_mesh_file mesh;
    lt_error error = {0};
    CHECK(from_text(&mesh, "mesh", "hello", &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "mesh: not a mesh format known here");
    CHECK(from_text(&mesh, "a.ele", "1 4 0\n0 0 1 2 3\n", &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "lt_mesh_file_from_tetgen");
    CHECK(lt_mesh_file_from_memory(NULL, 0, "a.obj", NULL, &mesh, &error) == LT_STATUS_FORMAT);
    CHECK_CONTAINS(error.message, "a.obj: the file is empty");
    CHECK(lt_mesh_file_load("tests", NULL, &mesh, &error) != LT_OK);
    CHECK_CONTAINS(error.message, "tests: ");
    CHECK(mesh.surface_triangles == NULL && mesh.tets == NULL);
    const char node[] = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", ele[] = "1 4 0\n0 0 1 2 3\n",
               bad[] = "1 4 0\n0 0 1 2 9\n";
    lt_mesh_bytes nodes = {node, sizeof node - 1};
    CHECK_FATAL(lt_mesh_file_from_tetgen(nodes, (lt_mesh_bytes){ele, sizeof ele - 1}, "a", NULL, &mesh,
                                         &error) == LT_OK);
    CHECK_COUNT(mesh.tet_count, 1);
    lt_mesh_file_free(&mesh);
    CHECK(lt_mesh_file_from_tetgen(nodes, (lt_mesh_bytes){bad, sizeof bad - 1}, "a", NULL, &mesh, &error) !=
          LT_OK);
    CHECK_CONTAINS(error.message, "a.ele:2");
}

/* Every request for memory fails once, with many groups among them; nothing is left behind, whoever frees. */
static void memory_that_is_refused_is_said(void) {
    static char text[20000];
    size_t length = (size_t)snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    for (int i = 0; i < 700; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "g part%d\nf 1 2 3\n", i % 500);
    lt_status status = LT_STATUS_MEMORY;
    int allowed = 0;
    for (; status == LT_STATUS_MEMORY && allowed < 200; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_mesh_file mesh;
        status = lt_mesh_file_from_memory(text, length, "a.obj", &allocator, &mesh, NULL);
        if (status == LT_OK) {
            CHECK_COUNT(mesh.group_count, 500);
            CHECK(strcmp(mesh.group_names[499], "part499") == 0);
            CHECK_COUNT(mesh.triangle_groups[699], 199);
        }
        lt_mesh_file_free(&mesh);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(status == LT_OK && allowed > 10);
}

int main(int argument_count, char **arguments) {
    program = argument_count > 0 ? arguments[0] : "mesh_file";
    RUN(groups_of_an_obj_have_their_names);
    RUN(groups_of_a_text_stl_are_its_solids);
    RUN(groups_of_gmsh_are_its_physical_names);
    RUN(damaged_names_are_refused_with_their_line);
    RUN(what_was_written_reads_back_bit_for_bit);
    RUN(tets_and_surface_go_into_one_gmsh_file);
    RUN(what_cannot_be_written_is_said);
    RUN(what_cannot_be_read_is_said);
    RUN(memory_that_is_refused_is_said);
    return check_finish();
}
