/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the program knows of multiscale trees: bake and info ($LITHE_PROGRAM; skipped without). */

#include "run_program.h"

/* Two tets face to face, and a triangle through that face. */
static const char *const pair_msh =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
    "4 0 0 1\n5 0 0 -1\n$EndNodes\n$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 1 3 2 5\n$EndElements\n";
static const char *const flap_obj = "v 0.2 0.2 0.1\nv 0.4 0.2 -0.1\nv 0.2 0.4 -0.1\nf 1 2 3\n";
static const char *const large_obj = "v 0.2 0.2 0.1\nv 4 0.2 -0.1\nv 0.2 4 -0.1\nf 1 2 3\n";

static void bake_adds_a_tree_that_info_tells_of(void) {
    write_text("pair.msh", pair_msh);
    write_text("flap.obj", flap_obj);
    check_run("bake @pair.msh --surface @flap.obj -o @a.lithe --tree --spheres none --distance-cells 4", 0,
              "1 boxes, 1 deep, over 3 pieces of 1 triangles");
    CHECK_CONTAINS(out_text, "1 boxes from 2 records of 2 tets, at most 2 a box");
    CHECK(strstr(out_text, "span") == NULL);
    check_run("info @a.lithe", 0, "multiscale tree");
    check_run("info @a.lithe --json -", 0, "\"cut_records\": 2");
    CHECK_CONTAINS(out_text, "\"sphere_tree\": null");
    clear_folder();
}

static void shapes_get_a_tree_and_keep_the_rest(void) {
    write_text("pair.msh", pair_msh);
    check_run("bake @pair.msh -o @a.lithe --spheres 1 --sphere-method octree --distance-cells 4 --json -", 0,
              "\"multiscale_tree\": null");
    check_run("bake @a.lithe -o @b.lithe --tree --json -", 0, "\"pieces\": 6");
    CHECK(strstr(out_text, "\"sphere_tree\": null") == NULL);
    check_run("bake @b.lithe -o @c.lithe --spheres none --tree", 0, "multiscale tree");
    clear_folder();
}

static void what_leaves_the_carrier_is_said(void) {
    write_text("pair.msh", pair_msh);
    write_text("large.obj", large_obj);
    check_run("bake @pair.msh --surface @large.obj -o @a.lithe --tree --spheres none --distance-cells 4", 0,
              "1 triangles that leave the carrier");
    clear_folder();
}

static void bake_refuses_what_has_no_meaning(void) {
    write_text("pair.msh", pair_msh);
    check_run("bake @pair.msh -o @a.lithe --tree --embedding rigid-links", 2, "leave out --embedding");
    check_run("bake @flap.obj -o @a.lithe --tree --carrier lattice", 2, "--tree is for a carrier of tets");
    check_run("bake @pair.msh -o @a.lithe --spheres none --embedding rigid-links --distance-cells 4", 0,
              "a.lithe");
    check_run("bake @a.lithe -o @b.lithe --tree", 1, "barycentric");
    CHECK(!exists("b.lithe"));
    clear_folder();
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(bake_adds_a_tree_that_info_tells_of);
    RUN(shapes_get_a_tree_and_keep_the_rest);
    RUN(what_leaves_the_carrier_is_said);
    RUN(bake_refuses_what_has_no_meaning);
    return finish_program();
}
