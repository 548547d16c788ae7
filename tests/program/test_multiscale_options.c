/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Options of `lithe run` that are for the method multiscale ($LITHE_PROGRAM; skipped without). */

#include "run_program.h"

static void wrong_values_are_named(void) {
    check_run("run two-balls --pending wait", 2, "--pending wait: must be clamp, penalty or ignore");
    check_run("run two-balls --separation -1", 2, "--separation -1: must be 0 to 1000");
}

static void other_methods_refuse(void) {
    check_run("run two-balls --pending clamp", 2, "--pending is for the method multiscale");
    check_run("run two-balls --method tet-hash --separation 0.01", 2,
              "--separation is for the method multiscale");
}

static void other_methods_refuse_pictures(void) {
    check_run("run two-balls --show resolution", 2,
              "is for the model multigrid, and no body of two-balls has it");
    check_run("run two-balls --show marks", 2, "--show marks is for the method multiscale");
    check_run("run two-balls --show opened", 2, "--show opened is for the method multiscale");
    check_run("run teapots --show boxes --box-level 2", 2, "--box-level is for the method multiscale");
    check_run("run teapots --show boxes --tet-boxes", 2, "--tet-boxes is for the method multiscale");
    check_run("run explicit --method multiscale --box-level 65", 2, "--box-level 65: must be 0 to 64");
    check_run("run explicit --method multiscale --box-level 2", 2,
              "--box-level chooses which boxes are shown; give --show boxes too");
    check_run("run explicit --method multiscale --tet-boxes --show marks", 2,
              "--tet-boxes chooses which boxes are shown; give --show boxes too");
}

static void draw(const char *options, const char *name) {
    char line[256];
    snprintf(line, sizeof line,
             "run explicit --model corotational --method multiscale --size 64x48 --close %s --record @%s",
             options, name);
    check_run(line, 0, "explicit: ");
    CHECK(ends_as_png(name));
}

/* No boxes, those of the cut, the root's and those of whole tets are different pictures, and so is the scene's camera. */
static void boxes_are_shown(void) {
    draw("--steps 1", "none.png");
    draw("--steps 1 --show boxes", "cut.png");
    draw("--steps 1 --show boxes --box-level 0", "root.png");
    draw("--steps 1 --show boxes --box-level 64", "leaves.png");
    draw("--steps 1 --show boxes --tet-boxes", "tets.png");
    check_differ("none.png", "cut.png");
    check_differ("cut.png", "root.png");
    check_differ("cut.png", "leaves.png");
    check_differ("cut.png", "tets.png");
    check_run(
        "run explicit --model corotational --method multiscale --size 64x48 --steps 1 --record @far.png", 0,
        "1 steps");
    check_differ("none.png", "far.png");
    CHECK(clear_folder() == 6);
}

/* Of the summary: the state at the end. */
static void read_hash(char hash[32]) {
    const char *at = strstr(out_text, "hash");
    snprintf(hash, 32, "%s", at ? at : "");
}

/* In the air nothing is looked at below the cut. */
static void nothing_is_opened_in_the_air(void) {
    draw("--steps 1", "air.png");
    draw("--steps 1 --show opened", "opened.png");
    check_same("air.png", "opened.png");
    CHECK(clear_folder() == 2);
}

/* Where the block meets the floor something is opened. No picture changes the run. */
static void pictures_change_no_run(void) {
    static const char *const shows[] = {"opened", "boxes", "marks"};
    char plain[32], shown[32];
    draw("--steps 18 --record-every 6", "plain.png");
    read_hash(plain);
    CHECK(strlen(plain) > 20);
    for (int i = 0; i < 3; i++) {
        char options[64], name[32];
        snprintf(options, sizeof options, "--steps 18 --record-every 6 --show %s", shows[i]);
        snprintf(name, sizeof name, "%s.png", shows[i]);
        draw(options, name);
        read_hash(shown);
        CHECK(strcmp(shown, plain) == 0);
        check_differ("plain.png", name);
    }
    CHECK(clear_folder() == 4);
}

/* With a separation that tets across the block have not, they are marked; a usual one marks nothing in the air. */
static void marks_are_shown(void) {
    draw("--steps 1 --show marks", "few.png");
    draw("--steps 1 --show marks --separation 0.05", "many.png");
    draw("--steps 1 --separation 0.05", "plain.png");
    check_differ("few.png", "many.png");
    check_differ("many.png", "plain.png");
    CHECK(clear_folder() == 3);
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(wrong_values_are_named);
    RUN(other_methods_refuse);
    RUN(other_methods_refuse_pictures);
    RUN(boxes_are_shown);
    RUN(nothing_is_opened_in_the_air);
    RUN(marks_are_shown);
    RUN(pictures_change_no_run);
    return finish_program();
}
