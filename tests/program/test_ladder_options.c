/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the program refuses of ladders and of the model multigrid, and with which words ($LITHE_PROGRAM; skipped without). */

#include "run_program.h"

static const char *const cube_obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static void numbers_of_levels_are_refused(void) {
    write_text("cube.obj", cube_obj);
    const char *const wrong[] = {"0", "1", "13", "99", "4294967296"};
    for (int i = 0; i < 5; i++) {
        char line[120], part[60];
        snprintf(line, sizeof line, "bake @cube.obj -o @a.lithe --carrier ladder --levels %s", wrong[i]);
        snprintf(part, sizeof part, "--levels %s: must be 2 to 12", wrong[i]);
        check_run(line, 2, part);
    }
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --levels -1", 2, "--levels -1: ");
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --levels nan", 2, "--levels nan: ");
    CHECK(!exists("a.lithe"));
    clear_folder();
}

/* Before anything is enclosed. */
static void a_coarsest_that_is_no_coarser_is_refused(void) {
    write_text("cube.obj", cube_obj);
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --levels 2 --tets 100 --coarsest 100", 1,
              "level 1 is to have 100 tets, and level 0, which must be finer, 100");
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --levels 3 --tets 100 --coarsest 200", 1,
              "which must be finer");
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --levels 12 --tets 30 --coarsest 25", 1,
              "which must be finer");
    CHECK(!exists("a.lithe"));
    clear_folder();
}

static void models_without_a_ladder_say_how_to_bake(void) {
    check_run("run drop --model multigrid --steps 1", 1, "bake it with --carrier ladder");
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(numbers_of_levels_are_refused);
    RUN(a_coarsest_that_is_no_coarser_is_refused);
    RUN(models_without_a_ladder_say_how_to_bake);
    return finish_program();
}
