/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the program knows of sphere trees: bake, info, run and demo ($LITHE_PROGRAM; skipped without). Trees are
 * octrees of slender things, whose grid of distances is small: the sanitizers make everything else slow.
 *
 * labels: data */

#include "run_program.h"

/* A needle of 1 m. */
static const char *const needle_msh =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 0.06 0\n"
    "4 0 0 0.06\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
static const char *const needle_obj = "v 0 0 0\nv 1 0 0\nv 0 0.06 0\nv 0 0 0.06\n"
                                      "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void wrong_values_are_named(void) {
    check_run("run two-balls --mode print", 2, "--mode print: must be safe or paper");
    check_run("run two-balls --order random", 2, "--order random: must be best-first, fifo or depth-first");
    check_run("run two-balls --tolerance -1", 2, "--tolerance -1: must be 0 to 1000");
    check_run("run two-balls --tolerance near", 2, "--tolerance near: not a number");
    check_run("run two-balls --front-cache -1", 2, "--front-cache -1: must be 0 to 16777216");
    check_run("run two-balls --show balls", 2, "--show balls: must be spheres");
    check_run("run two-balls --sphere-method best", 2, "--sphere-method best: must be medial or octree");
    check_run("demo nothing", 2, "there is no scene \"nothing\"");
    check_run("demo --collision-budgets 50us,,none", 2, "--collision-budgets 50us,,none: \"\": not a budget");
    check_run("demo --collision-budgets 5", 2, "\"5\": a budget needs a unit");
    check_run("demo --collision-budgets 0,0,0,0,0,0,0,0,0", 2, "more than 8");
    check_run("demo --size 32x32", 2, "each side must be 64");
    write_text("needle.msh", needle_msh);
    check_run("bake @needle.msh -o @a.lithe --spheres 6", 2, "--spheres 6: must be 0 to 5, or none");
    check_run("bake @needle.msh -o @a.lithe --spheres all", 2, "--spheres all: must be 0 to 5, or none");
    check_run("bake @needle.msh -o @a.lithe --branching 1", 2, "--branching 1: must be 2 to 8");
    check_run("bake @needle.msh -o @a.lithe --sphere-method x", 2, "must be medial or octree");
    CHECK(clear_folder() == 1);
}

/* Options of one method are not silently without meaning for another. */
static void other_methods_refuse(void) {
    check_run("run two-balls --mode paper", 2,
              "--mode paper is for all methods but reference, and this is that; give --method sphere-tree");
    check_run("run two-balls --order fifo", 2, "--order is for the method sphere-tree");
    check_run("run two-balls --tolerance 0.01", 2, "--tolerance is for the method sphere-tree");
    check_run("run two-balls --front-cache 99", 2, "--front-cache is for the method sphere-tree");
    check_run("run two-balls --show spheres", 2, "--show spheres is for the method sphere-tree");
    check_run("run two-balls --sphere-method octree", 2, "--sphere-method is for the method sphere-tree");
    check_run("run pair --mode paper --order fifo", 2, "--order is for mode safe");
    check_run("run pair --mode paper --front-cache 99", 2, "--front-cache is for mode safe");
}

static void bake_adds_a_tree_that_info_tells_of(void) {
    write_text("needle.msh", needle_msh);
    check_run("bake @needle.msh -o @a.lithe --spheres 2 --sphere-method octree --distance-cells 8", 0,
              "sphere tree");
    CHECK_CONTAINS(out_text, "up to 8 children each, wrapped");
    check_run("info @a.lithe", 0, "\n    0      1 ");
    CHECK_CONTAINS(out_text, "\n    2      ");
    CHECK(strstr(out_text, "\n    3      ") == NULL);
    check_run("info @a.lithe --json -", 0, "\"layered\": false");
    CHECK_CONTAINS(out_text, "\"branching\": 8");
    CHECK_CONTAINS(out_text, "\"longest_side\": 1,");
    CHECK_CONTAINS(out_text, "\"worst_own_error_percent\": ");
    check_run("bake @needle.msh -o @b.lithe --spheres none --json -", 0, "\"sphere_tree\": null");
    check_run("info @b.lithe --json -", 0, "\"sphere_tree\": null");
    /* A shape gets another tree, and stays what it was otherwise. */
    check_run("bake @b.lithe -o @c.lithe --spheres 1 --branching 3 --layered --sphere-method octree --json -",
              0, "\"layered\": true");
    CHECK_CONTAINS(out_text, "\"branching\": 3");
    check_run("info @c.lithe", 0, "\n    1      ");
    CHECK_CONTAINS(out_text, "tets                  1\n");
    clear_folder();
}

/* What the default method needs and nothing else; an option about the tree asks for one. */
static void spheres_are_made_when_they_are_asked_for(void) {
    write_text("needle.msh", needle_msh);
    check_run("bake @needle.msh -o @a.lithe --distance-cells 8 --json -", 0, "\"sphere_tree\": null");
    check_run("bake @a.lithe -o @b.lithe --sphere-method octree --json -", 0, "\"branching\": 8");
    check_run("info @b.lithe", 0, "\n    3      ");
    clear_folder();
}

static void bake_refuses_what_has_no_meaning(void) {
    write_text("needle.msh", needle_msh);
    check_run("bake @needle.msh -o @a.lithe --spheres none --layered", 2, "--layered is about the tree");
    check_run("bake @needle.msh -o @a.lithe --spheres none --branching 2", 2,
              "--branching is about the tree");
    check_run("bake @needle.msh -o @a.lithe --spheres none --spheres-out @a.sph", 2,
              "--spheres-out is about");
    check_run("bake @needle.msh -o @a.lithe --spheres-in @a.sph --branching 2", 2,
              "--branching is for spheres");
    check_run("bake @needle.msh -o @a.lithe --spheres none", 0, "a.lithe");
    check_run("bake @a.lithe -o @b.lithe --spheres none", 2, "is a shape already: say what it is to get");
    check_run("bake @a.lithe -o @b.lithe", 2, "--spheres 3 or --tree");
    check_run("bake @a.lithe -o @b.lithe --tets 100", 2, "--tets is for surfaces, and");
    check_run("bake @a.lithe -o @b.lithe --embedding rigid-links", 2, "--embedding is for meshes, and");
    check_run("bake @a.lithe -o @b.lithe --distance-cells 9", 2, "--distance-cells is for meshes, and");
    check_run("bake @a.lithe -o @b.lithe --surface @x.obj", 2, "--surface is for tet meshes, and");
    check_run("bake @a.lithe -o @b.lithe --spheres-in @absent.sph", 1, "absent.sph");
    CHECK(!exists("b.lithe"));
    clear_folder();
}

/* Two balls that cover the needle, one in the other: kept as they are. */
static void spheres_go_through_files(void) {
    static char text[1 << 14];
    write_text("needle.obj", needle_obj);
    write_text("two.sph", "2 2\n0.5 0 0 0.7\n0.5 0 0 0.6\n0 0 0 0\n");
    check_run("bake @needle.obj -o @a.lithe --tets 20 --distance-cells 8 --spheres-in @two.sph --spheres-out "
              "@a.sph",
              0, "2 spheres, 1 leaves");
    CHECK(read_text("a.sph", text, sizeof text) > 0);
    CHECK_CONTAINS(text, "2 2\n0.5 0 0 0.");
    write_text("bad.sph", "2 2\n0.5 0 zero 0.7\n");
    check_run("bake @a.lithe -o @b.lithe --spheres-in @bad.sph", 1, "bad.sph:2: ");
    CHECK(!exists("b.lithe"));
    clear_folder();
}

static void runs_take_the_options(void) {
    check_run("run cantilever --method sphere-tree --sphere-method octree --steps 2 --order depth-first "
              "--tolerance 0.01 --front-cache 1000 "
              "--size 64x48 --show spheres --record @a.png",
              0, "cantilever: 2 steps");
    CHECK(ends_as_png("a.png"));
    check_run("run cantilever --method sphere-tree --sphere-method octree --steps 2 --mode paper --json -", 0,
              "\"imbalance\": ");
    CHECK(strstr(out_text, "\"substeps\": 0,") == NULL); /* the paper's model is explicit */
    CHECK(clear_folder() == 1);
}

static void demo_compares_budgets(void) {
    check_run("demo cantilever --sphere-method octree --steps 2 --size 64x64 --record-every 1 --record "
              "@a.png --record "
              "@a.apng --collision-budgets 0,500units,none --json @a.json",
              0, "cantilever: 1 bodies, 2 steps at each of 3 budgets");
    CHECK_CONTAINS(out_text, "\n  0   ");
    CHECK_CONTAINS(out_text, "\n  500units ");
    CHECK_CONTAINS(out_text, "\n  none  ");
    CHECK(ends_as_png("a.png"));
    CHECK(ends_as_png("a.apng"));
    static char text[1 << 14];
    read_text("a.json", text, sizeof text);
    CHECK_CONTAINS(text, "\"collision_budget\": \"500units\"");
    CHECK_CONTAINS(text, "\"gap_error_max\": ");
    CHECK(clear_folder() == 3);
    check_run("demo cantilever --sphere-method octree --steps 1 --budgets 0,none --json -", 0,
              "\"collision_budget\": \"none\"");
    CHECK_CONTAINS(err_text, "lithe demo: --budgets is now --collision-budgets: taken as before");
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(wrong_values_are_named);
    RUN(other_methods_refuse);
    RUN(bake_adds_a_tree_that_info_tells_of);
    RUN(spheres_are_made_when_they_are_asked_for);
    RUN(bake_refuses_what_has_no_meaning);
    RUN(spheres_go_through_files);
    RUN(runs_take_the_options);
    RUN(demo_compares_budgets);
    return finish_program();
}
