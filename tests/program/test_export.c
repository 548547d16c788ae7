/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe run --export`: every format leaves the files it should, and they agree on where vertices are. */

#include "program/run_program.h"

#include <stdint.h>

enum { BALL_VERTICES = 642 };

static char bytes[3][1 << 16];

/* The vertices of a binary PLY file; NULL when it is none. */
static const char *ply_vertices(char *file, const char *name) {
    static const char end[] = "end_header\n";
    CHECK(read_text(name, file, sizeof bytes[0]) > BALL_VERTICES * 12);
    char *header = strstr(file, end);
    CHECK(header && strstr(file, "element vertex 642\n"));
    return header ? header + strlen(end) : NULL;
}

static void ply_has_every_state(void) {
    check_run("run two-balls --steps 6 --export-every 3 --export @ --format ply", 0,
              "exported   3 states of 2 bodies");
    static const char *const names[] = {"body-000-000000.ply", "body-000-000003.ply", "body-000-000006.ply",
                                        "body-001-000000.ply", "body-001-000003.ply", "body-001-000006.ply"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK(exists(names[i]));
    check_differ(names[0], names[1]);
    check_differ(names[1], names[2]);
}

/* Beside the PLY files of the same run: header of 32 bytes, then 642 vertices for each of three states. */
static void pc2_has_the_vertices_of_ply(void) {
    check_run("run two-balls --steps 6 --export-every 3 --export @ --format pc2", 0, "exported   3 states");
    size_t state = BALL_VERTICES * 12;
    CHECK(read_text("body-001.pc2", bytes[0], sizeof bytes[0]) == 32 + 3 * state);
    uint32_t counts[2];
    memcpy(&counts[0], bytes[0] + 16, 4);
    memcpy(&counts[1], bytes[0] + 28, 4);
    CHECK(memcmp(bytes[0], "POINTCACHE2", 12) == 0 && counts[0] == BALL_VERTICES && counts[1] == 3);
    static const char *const names[] = {"body-001-000000.ply", "body-001-000003.ply", "body-001-000006.ply"};
    for (size_t i = 0; i < 3; i++) {
        const char *vertices = ply_vertices(bytes[1], names[i]);
        CHECK(vertices && memcmp(vertices, bytes[0] + 32 + i * state, state) == 0);
    }
    CHECK(read_text("body-001.obj", bytes[2], sizeof bytes[2]) > 0 && strstr(bytes[2], "\nf "));
}

static void vtu_has_lists_with_times(void) {
    check_run("run two-balls --steps 2 --export @ --export-carrier", 0, "exported   3 states");
    CHECK(exists("body-001-000002.vtu") && exists("carrier-001-000002.vtu"));
    read_text("bodies.pvd", bytes[0], sizeof bytes[0]);
    CHECK_CONTAINS(bytes[0], "file=\"body-001-000002.vtu\"");
    CHECK_CONTAINS(bytes[0], "timestep=\"0\"");
    CHECK_CONTAINS(bytes[0], "</VTKFile>");
    read_text("carriers.pvd", bytes[0], sizeof bytes[0]);
    CHECK_CONTAINS(bytes[0], "file=\"carrier-000-000001.vtu\"");
}

/* A triangle of STL is 50 bytes, behind 84; tets of a Gmsh file are read back by the program itself. */
static void stl_and_msh_are_read_back(void) {
    check_run("run two-balls --steps 1 --export @ --format stl", 0, "exported   2 states");
    CHECK(read_text("body-001-000001.stl", bytes[0], sizeof bytes[0]) == 84 + 1280 * 50);
    check_run("info @body-001-000001.stl", 0, "1280");
    check_run("run two-balls --steps 1 --export @ --format msh", 0, "exported   2 states");
    check_run("info @carrier-001-000001.msh", 0, "309");
}

static void exporting_changes_nothing(void) {
    check_run("run two-balls --steps 30 --json @with.json --export @", 0, "hash");
    check_run("run two-balls --steps 30", 0, "hash");
    char *hash = strstr(out_text, "hash");
    char line[64] = "";
    if (hash) snprintf(line, sizeof line, "%.32s", hash);
    check_run("run two-balls --steps 30 --export @", 0, line);
}

static void what_makes_no_sense_is_refused(void) {
    check_run("run two-balls --steps 1 --format ply", 2, "give --export DIR too");
    check_run("run two-balls --steps 1 --export-every 2", 2, "give --export DIR too");
    check_run("run two-balls --steps 1 --export @ --format pc2 --export-carrier", 2, "for the format vtu");
    check_run("run two-balls --steps 1 --export @ --format x3d", 2, "--format");
    check_run("run two-balls --steps 1 --export @none/none", 1, "cannot make this folder");
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(ply_has_every_state);
    RUN(pc2_has_the_vertices_of_ply);
    clear_folder();
    RUN(vtu_has_lists_with_times);
    RUN(stl_and_msh_are_read_back);
    RUN(exporting_changes_nothing);
    clear_folder();
    RUN(what_makes_no_sense_is_refused);
    return finish_program();
}
