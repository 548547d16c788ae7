/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* VTU files that `lithe run --export` writes, opened by VTK through Python (python3-vtk9): counts, kinds of cells, places and
 * velocities are what the run had. Skipped where there is no VTK. */

#include "program/run_program.h"

enum { NO_VTK = 77 };

static char found[1 << 16];

/* What VTK finds in the files of a list goes to `found`; the exit code. */
static int open_in_vtk(const char *list) {
    static const char *const pythons[] = {"python3", "/usr/bin/python3"}; /* Debian's has Debian's VTK */
    int code = NO_VTK;
    for (size_t i = 0; i < 2 && code == NO_VTK; i++) {
        char command[1024];
        snprintf(command, sizeof command, "%s tests/program/vtk_counts.py %s/%s > %s/found.txt 2> %s/err.txt",
                 pythons[i], folder, list, folder, folder);
        int status = system(command);
        code = status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (code == 127) code = NO_VTK;
    }
    read_text("found.txt", found, sizeof found);
    read_text("err.txt", err_text, sizeof err_text);
    return code;
}

/* The line of a file: time, counts, kind of cells, sums of coordinates and velocities. */
static void check_file(const char *name, double want_time, unsigned points, unsigned cells, int kind,
                       double want_place, double want_velocity) {
    double time = -1, place = 0, velocity = 0;
    unsigned got_points = 0, got_cells = 0;
    int got_kind = 0;
    const char *line = strstr(found, name);
    int read = line ? sscanf(line + strlen(name), "%lf %u %u %d %lf %lf", &time, &got_points, &got_cells,
                             &got_kind, &place, &velocity)
                    : 0;
    CHECK(read == 6 && got_points == points && got_cells == cells && got_kind == kind);
    CHECK_NEAR(time, want_time, 1e-6);
    CHECK_NEAR(place, want_place, 0.01);
    CHECK_NEAR(velocity, want_velocity, 0.01);
}

/* Two balls fly 1 m/s towards each other for 0.1 s: a ball of 642 vertices in 1,280 tets at x = 0.12, another at 0.88. */
static void balls_are_where_they_fly(void) {
    check_run("run two-balls --steps 6 --export-every 3 --export @ --export-carrier", 0, "exported");
    int code = open_in_vtk("bodies.pvd");
    if (code != 0) CHECK_FAIL_MESSAGE("VTK: exit %d: %s", code, err_text);
    check_file("body-000-000000.vtu", 0, 642, 1280, 5, 642 * 0.12, 642);
    check_file("body-001-000000.vtu", 0, 642, 1280, 5, 642 * 0.88, -642);
    check_file("body-001-000006.vtu", 0.1, 642, 1280, 5, 642 * 0.78, -642);
    CHECK(open_in_vtk("carriers.pvd") == 0);
    check_file("carrier-001-000003.vtu", 0.05, 309, 1280, 10, 309 * 0.83, -309);
}

/* Cells of lattices, hexahedra to VTK (12). */
static void cells_are_read(void) {
    check_run("run teapots --steps 1 --export @ --format msh", 1, "carried by cells");
    check_run("run teapots --steps 1 --export @ --export-carrier", 0, "exported");
    int code = open_in_vtk("carriers.pvd");
    if (code != 0) CHECK_FAIL_MESSAGE("VTK: exit %d: %s", code, err_text);
    CHECK_CONTAINS(found, "1386 682 12 ");
    CHECK_CONTAINS(found, "1094 520 12 ");
    CHECK(!strstr(found, "nan") && !strstr(found, " -1 "));
}

int main(void) {
    if (!begin_program()) return check_finish();
    write_text("none.pvd", "<VTKFile/>");
    if (open_in_vtk("none.pvd") == NO_VTK) {
        check_skip("there is no VTK for Python; python3-vtk9 has it");
        return finish_program();
    }
    RUN(balls_are_where_they_fly);
    clear_folder();
    RUN(cells_are_read);
    return finish_program();
}
