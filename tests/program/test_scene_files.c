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

/* Along the direction that is up in pictures otherwise, from both sides, and a hair beside it. */
static void cameras_may_look_straight_down(void) {
    static const char *const eyes[] = {"0, 3, 0", "0, -3, 0", "0.0001, 3, 0"};
    for (size_t i = 0; i < sizeof eyes / sizeof eyes[0]; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "{\"lithe_scene\": 1, \"camera\": {\"eye\": [%s], \"target\": [0, 0, 0]},\n"
                 " \"obstacles\": [{\"kind\": \"box\", \"half_extents\": [1, 1, 1]}]}",
                 eyes[i]);
        write_text("s.json", text);
        check_run("run @s.json --steps 1 --record @a.png --size 64x48", 0, "1 step");
        CHECK(ends_as_png("a.png"));
        clear_folder();
    }
    write_text("s.json", "{\"lithe_scene\": 1, \"camera\": {\"eye\": [1, 1, 1], \"target\": [0, 0, 0],\n"
                         " \"fov_degrees\": 151}}");
    check_run("run @s.json --steps 1", 1, "s.json:2: camera.fov_degrees: 151 is out of range");
    clear_folder();
}

/* Longer than what is generated at once, too, and as long as they are: the last two differ. */
static void capsules_of_any_length_are_drawn(void) {
    static const char *const lengths[] = {"0", "1e-12", "0.9", "0.6"};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "{\"lithe_scene\": 1, \"camera\": {\"eye\": [0, 0, 4], \"target\": [0, 0, 0]},\n"
                 " \"obstacles\": [{\"kind\": \"capsule\", \"radius\": 0.01, \"half_length\": %s}]}",
                 lengths[i]);
        write_text("s.json", text);
        check_run(i % 2 ? "run @s.json --steps 1 --record @a.png --size 64x48"
                        : "run @s.json --steps 1 --record @b.png --size 64x48",
                  0, "1 step");
        CHECK(ends_as_png(i % 2 ? "a.png" : "b.png"));
    }
    check_differ("a.png", "b.png");
    clear_folder();
}

/* Paths are relative to the folder of the file, as written: joined only to open what they name. */
static void a_written_scene_finds_its_meshes(void) {
    static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                               "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    static const char *const parts[] = {"\"path\": \"../cube.obj\"", "\"path\": \"beside.obj\""};
    static char text[1 << 14];
    char sub[256], read[17], again[17];
    path_in(sub, sizeof sub, "sub");
    CHECK_FATAL(mkdir(sub, 0700) == 0);
    write_text("cube.obj", cube);
    write_text("sub/beside.obj", cube);
    write_text("sub/q.json",
               "{\"lithe_scene\": 1, \"shapes\": {\"cube\": {\n"
               "  \"surface\": {\"kind\": \"file\", \"path\": \"../cube.obj\", \"height\": 0.1},\n"
               "  \"carrier\": {\"kind\": \"enclosed\", \"tets\": 50}}},\n"
               " \"bodies\": [{\"shape\": \"cube\"}],\n"
               " \"obstacles\": [{\"kind\": \"mesh\", \"resolution\": 8, \"position\": [0, -0.2, 0],\n"
               "  \"surface\": {\"kind\": \"file\", \"path\": \"beside.obj\", \"height\": 0.1}}]}");
    check_run("run @sub/q.json --steps 2", 0, "2 steps");
    summary_hash(read);
    CHECK_COUNT((unsigned)run("scenes @sub/q.json --json @sub/p.json"), 0);
    read_text("sub/p.json", text, sizeof text);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        CHECK_CONTAINS(text, parts[i]);
    check_run("run @sub/p.json --steps 2", 0, "2 steps");
    summary_hash(again);
    CHECK(strcmp(read, again) == 0);
    static const char *const files[] = {"sub/q.json", "sub/p.json", "sub/beside.obj"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[256];
        path_in(path, sizeof path, files[i]);
        unlink(path);
    }
    rmdir(sub);
    clear_folder();
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(a_written_scene_runs_to_the_same_hash);
    RUN(what_is_wrong_is_named);
    RUN(a_scene_of_nothing_runs_and_is_drawn);
    RUN(a_written_scene_finds_its_meshes);
    RUN(cameras_may_look_straight_down);
    RUN(capsules_of_any_length_are_drawn);
    return finish_program();
}
