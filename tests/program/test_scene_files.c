/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Scenes written by the program, read again, changed and broken ($LITHE_PROGRAM; skipped without). */

#include "run_program.h"

static void a_written_scene_runs_to_the_same_hash(void) {
    static const char *const scenes[] = {"rest", "incline", "moving-obstacle"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        char line[200], built_in[17], from_file[17];
        snprintf(line, sizeof line, "scenes %s --json @s.json", scenes[i]);
        CHECK_COUNT((unsigned)run(line), 0);
        snprintf(line, sizeof line, "run %s --steps 12", scenes[i]);
        check_run(line, 0, "12 steps");
        summary_hash(built_in);
        check_run("run @s.json --steps 12", 0, "12 steps");
        summary_hash(from_file);
        CHECK(strcmp(built_in, from_file) == 0);
    }
    clear_folder();
}

static void what_is_wrong_is_named(void) {
    write_text("s.json", "{\n  \"lithe_scene\": 1,\n  \"gravty\": [0, -1, 0]\n}\n");
    check_run("run @s.json", 1, "s.json:3: gravty");
    write_text("s.json", "{\"lithe_scene\": 1,,}");
    check_run("run @s.json", 1, "s.json:1:");
    write_text("s.json", "");
    check_run("run @s.json", 1, "s.json");
    check_run("run @none.json", 1, "none.json");
    check_run("scenes @none.json", 1, "none.json");
    clear_folder();
}

/* Nothing to look at is no reason to fail. */
static void a_scene_of_nothing_runs_and_is_drawn(void) {
    write_text("s.json", "{\"lithe_scene\": 1}");
    check_run("run @s.json --steps 2 --record @a.png --size 64x48", 0, "2 steps");
    CHECK(ends_as_png("a.png"));
    write_text("s.json", "{\"lithe_scene\": 1, \"obstacles\": [{\"kind\": \"plane\"}]}");
    check_run("run @s.json --steps 2 --close --record @b.png --size 64x48", 0, "2 steps");
    CHECK(ends_as_png("b.png"));
    check_run("run @s.json --steps 2 --export @. --format pc2", 0, "0 bodies");
    clear_folder();
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(a_written_scene_runs_to_the_same_hash);
    RUN(what_is_wrong_is_named);
    RUN(a_scene_of_nothing_runs_and_is_drawn);
    return finish_program();
}
