/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Runs the built program ($LITHE_PROGRAM; skipped without) and looks at exit codes, messages and files.
 *
 * labels: data */

#include "run_program.h"

#include "lithe/report.h"

/* ---- tests ---- */

static void help_and_version(void) {
    check_run("--help", 0, "Usage: lithe COMMAND");
    check_run("--version", 0, LT_VERSION);
    check_run("run --help", 0, "--collision-budget B");
    check_run("scenes --help", 0, "--json FILE");
    check_run("info --help", 0, "Usage: lithe info FILE");
    check_run("bake --help", 0, "-o, --out OUT.lithe");
    check_run("bench --help", 0, "--quick");
    check_run("bench --help", 0, "tet-hash");
    check_run("demo --help", 0, "--collision-budgets LIST");
}

static void wrong_usage_exits_2_and_names_it(void) {
    check_run("rnu demo", 2, "did you mean run?");
    check_run("run", 2, "SCENE is missing");
    check_run("run dmeo", 2, "did you mean demo?");
    check_run("run demo demo", 2, "one argument too many: demo");
    check_run("run demo --stepz 3", 2, "no option --stepz; did you mean --steps?");
    check_run("run demo --steps", 2, "--steps needs a value");
    check_run("run demo --steps --json", 2, "--steps needs a value");
    check_run("run demo --steps 0", 2, "--steps 0: must be 1");
    check_run("run demo --steps 1.5", 2, "not a whole number");
    check_run("run demo --dt nan", 2, "--dt nan: not a number");
    check_run("run demo --dt 2", 2, "--dt 2: must be");
    check_run("run demo --collision-budget -5us", 2, "--collision-budget -5us: a budget cannot be negative");
    check_run("run demo --collision-budget 5", 2, "needs a unit");
    check_run("run demo --collision-budget 5parsecs", 2, "not a budget");
    check_run("run demo --collision-budget 1.5units", 2, "not a budget");
    check_run("run demo --size 80", 2, "like 1280x720");
    check_run("run demo --size 8x99999", 2, "each side must be");
    check_run("run demo --model jelly", 2, "--model jelly: must be corotational, explicit-fem");
    check_run("run demo --contacts=yes", 2, "--contacts takes no value");
    check_run("bench nothing", 2, "did you mean");
    check_run("bench tet-hsh", 2, "did you mean tet-hash?");
    check_run("bake @a.msh", 2, "-o OUT.lithe");
    check_run("scenes demo more", 2, "one argument too many: more");
    check_run("scenes nothing", 2, "there is no scene \"nothing\"; did you mean demo, ");
    CHECK(strstr(err_text, " or another?") != NULL);
}

/* Before anything is done, and with the input as it was. */
static void outputs_are_looked_at_first(void) {
    static const char mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    write_text("tet.obj", mesh);
    check_run("bake @tet.obj -o @./tet.obj", 2, "would write over what is read");
    check_run("bake @tet.obj -o @a.lithe --json @tet.obj", 2, "--json");
    check_run("bake @tet.obj -o @no/a.lithe", 1, "there is no folder");
    read_text("tet.obj", out_text, sizeof out_text);
    CHECK(strcmp(out_text, mesh) == 0);
    check_run("scenes rest --json @rest.json", 0, "");
    check_run("run @rest.json --steps 1 --json @./rest.json", 2, "would write over what is read");
    check_run("run @rest.json --steps 1 --save @rest.json", 2, "--save");
    check_run("run rest --steps 1 --json @a --save @a", 2, "--json and --save name the same file");
    check_run("run rest --steps 1 --json @a.json --save @no/r.txt", 1, "there is no folder");
    CHECK(!exists("a.json"));
    check_run("run rest --steps 1 --json /dev/null --save /dev/null", 0, "1 steps");
    /* What fails at the end all the same takes nothing else along. */
    check_run("run rest --steps 1 --json @a.json --save /dev/full", 1, "/dev/full");
    CHECK(exists("a.json"));
    clear_folder();
}

/* A pipe that nobody writes to would be waited for. */
static void pipes_are_refused(void) {
    char path[256];
    path_in(path, sizeof path, "pipe.vtk");
    CHECK_FATAL(mkfifo(path, 0600) == 0);
    check_run("info @pipe.vtk", 1, "not a regular file");
    check_run("bake @pipe.vtk -o @a.lithe", 1, "not a regular file");
    clear_folder();
}

static void scenes_are_listed(void) {
    check_run("scenes", 0, "cantilever");
    check_run("scenes --json -", 0, "\"name\": \"demo\"");
    CHECK(out_text[0] == '[');
}

static int count_lines(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void run_writes_a_line_per_step(void) {
    check_run("run cantilever --steps 3 --json - --diagnostics", 0, "\"step\": 3");
    CHECK_COUNT(count_lines(out_text), 3);
#define CHECK_KEY(type, name) CHECK_CONTAINS(out_text, "\"" #name "\": ");
    LT_REPORT_LIST(CHECK_KEY)
    LT_DIAGNOSTICS_LIST(CHECK_KEY)
#undef CHECK_KEY
    CHECK_CONTAINS(out_text, "\"stages\": {\"embed\": ");
    CHECK_CONTAINS(err_text, "cantilever: 3 steps");
    check_run("run cantilever --steps 2 --json @steps.jsonl", 0, "hash");
    static char text[1 << 16];
    read_text("steps.jsonl", text, sizeof text);
    CHECK_COUNT(count_lines(text), 2);
    CHECK(strstr(text, "\"energy\"") == NULL);
    CHECK(clear_folder() == 1);
}

static void budgets_are_taken(void) {
    check_run("run explicit --steps 2 --json - --collision-budget 500us", 0, "\"budget_us\": 500,");
    check_run("run explicit --steps 2 --json - --collision-budget 2ms", 0, "\"budget_us\": 2000,");
    check_run("run explicit --steps 2 --json - --collision-budget none", 0, "\"budget_us\": -1,");
    check_run("run explicit --steps 2 --collision-budget 20000units", 0, "2 steps");
    check_run("run explicit --steps 2 --json - --collision-budget 0", 0, "\"budget_us\": 0,");
}

/* A run by the old name is the same run, and says the new one; nothing is said of the new one. */
static void old_budget_name_keeps_its_meaning(void) {
    check_run("run stack --steps 12 --collision-budget 5000units --json @new.json --save @new.txt", 0,
              "cut by");
    CHECK(strstr(err_text, "collision-budget") == NULL);
    char hash[17], old_hash[17];
    summary_hash(hash);
    check_run("run stack --steps 12 --budget 5000units --save @old.txt", 0, "cut by");
    summary_hash(old_hash);
    CHECK(strcmp(hash, old_hash) == 0);
    CHECK_CONTAINS(err_text, "lithe run: --budget is now --collision-budget: taken as before, for collisions "
                             "alone; in a later version it will mean the whole step\n");
    check_same("new.txt", "old.txt");
    check_run("run explicit --steps 2 --json - --budget=2ms", 0, "\"budget_us\": 2000,");
    CHECK_CONTAINS(err_text, "is now --collision-budget");
    check_run("run explicit --budget", 2, "--collision-budget needs a value");
    check_run("replay @old.txt --budget 2ms", 2, "--budget: that is as recorded");
    CHECK(clear_folder() == 3);
}

static void pictures_are_whole(void) {
    check_run(
        "run explicit --steps 4 --size 64x48 --record @a.png --record @a.apng --record-every 2 --contacts", 0,
        "4 steps");
    CHECK(ends_as_png("a.png"));
    CHECK(ends_as_png("a.apng"));
    CHECK(clear_folder() == 2);
}

/* Contacts by age need no method of their own; with --contacts they keep their forces. */
static void contacts_are_shown_by_age(void) {
    check_run("run explicit --show ages", 2,
              "--show ages: must be spheres, contacts, boxes, opened, marks or resolution");
    check_run("run stack --steps 4 --size 64x48 --record @a.png", 0, "4 steps");
    check_run("run stack --steps 4 --size 64x48 --record @b.png --show contacts", 0, "4 steps");
    check_run("run stack --steps 4 --size 64x48 --record @c.png --show contacts --contacts", 0, "4 steps");
    CHECK(ends_as_png("b.png"));
    check_differ("a.png", "b.png");
    check_differ("b.png", "c.png");
    CHECK(clear_folder() == 3);
}

/* Boxes of cells, tight ones and whole cells, are three different pictures. */
static void boxes_are_shown(void) {
    check_run("run stack --show boxes", 2,
              "--show boxes is for the methods cell-box and multiscale, and this is reference");
    check_run("demo --show boxes", 2, "--show boxes: must be spheres or contacts");
    check_run("run stack --grid-boxes", 2, "--grid-boxes is for the method cell-box");
    check_run("run teapots --steps 1 --size 64x48 --record @a.png", 0, "1 steps");
    check_run("run teapots --steps 1 --size 64x48 --record @b.png --show boxes", 0, "1 steps");
    check_run("run teapots --steps 1 --size 64x48 --record @c.png --show boxes --grid-boxes", 0, "1 steps");
    CHECK(ends_as_png("b.png"));
    check_differ("a.png", "b.png");
    check_differ("b.png", "c.png");
    CHECK(clear_folder() == 3);
}

static void failures_leave_nothing(void) {
    check_run("run explicit --steps 2 --size 64x48 --record @a.apng --record @a.gif", 1, "a.gif");
    CHECK(clear_folder() == 0);
    check_run("run explicit --steps 2 --json @no/such/folder.json", 1, "folder.json");
    CHECK(clear_folder() == 0);
    check_run("info @absent.obj", 1, "absent.obj");
    check_run("bake @absent.msh -o @a.lithe", 1, "absent.msh");
    CHECK(clear_folder() == 0);
}

/* Ctrl-C after the first line of a run that would last for ever: the film ends well, the exit code says
 * it. */
static void interrupt_ends_a_run_cleanly(void) {
    int ends[2];
    char first[1];
    CHECK_FATAL(pipe(ends) == 0);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = start("run explicit --steps 100000000 --size 64x48 --record @long.apng --json -", ends[1]);
    close(ends[1]);
    CHECK(read(ends[0], first, 1) == 1);
    kill(child, SIGINT);
    char rest[4096];
    while (read(ends[0], rest, sizeof rest) > 0)
        continue;
    close(ends[0]);
    CHECK(finish(child) == 1);
    CHECK_CONTAINS(err_text, "stopped after");
    CHECK(ends_as_png("long.apng"));
    CHECK(clear_folder() == 1);
}

static const char *const cube_obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n";
static const char *const tet_msh =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
    "4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";

static void info_tells_of_meshes(void) {
    write_text("cube.obj", cube_obj);
    check_run("info @cube.obj --json -", 0, "\"closed\": true");
    CHECK_CONTAINS(out_text, "\"triangles\": 12");
    CHECK_CONTAINS(out_text, "\"volume\": 1");
    CHECK_CONTAINS(out_text, "\"area\": 6");
    CHECK_CONTAINS(out_text, "\"components\": 1");
    write_text("one.msh", tet_msh);
    check_run("info @one.msh", 0, "tet mesh");
    CHECK_CONTAINS(out_text, "0.166667");
    CHECK_CONTAINS(out_text, "54.7356"); /* the smallest dihedral of the corner tet: atan(sqrt 2) */
    write_text("bad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 9\n");
    check_run("info @bad.obj", 1, "bad.obj");
    clear_folder();
}

static void bake_makes_a_shape_that_info_reads(void) {
    write_text("one.msh", tet_msh);
    check_run("bake @one.msh -o @one.lithe --spheres none", 0, "one.lithe");
    check_run("info @one.lithe --json -", 0, "\"chunks\": [");
    CHECK_CONTAINS(out_text, "\"kind\": \"shape\"");
    check_run("bake @one.msh -o @two.lithe --spheres none --embedding rigid-links --json -", 0,
              "\"turned_tets\": 0");
    write_text("cube.obj", cube_obj);
    check_run("bake @one.msh -o @three.lithe --spheres none --surface @cube.obj", 0,
              "4 surface vertices lie outside");
    write_text("broken.lithe",
               "not a shape at all, but long enough to be looked at, or so it seems to me, no?");
    check_run("info @broken.lithe", 1, "broken.lithe");
    clear_folder();
}

/* ---- any surface ---- */

static bool same_bytes(const char *a, const char *b) {
    static char texts[2][1 << 22];
    size_t size = read_text(a, texts[0], sizeof texts[0]);
    return size > 0 && size + 1 < sizeof texts[0] && read_text(b, texts[1], sizeof texts[1]) == size &&
           memcmp(texts[0], texts[1], size) == 0;
}

static void bake_makes_a_shape_of_any_surface(void) {
    write_text("cube.obj", cube_obj);
    check_run("bake @cube.obj -o @cube.lithe --tets 60 --spheres none --distance-cells 8", 0,
              "of 60 asked for");
    CHECK_CONTAINS(out_text, "cube.obj: 8 vertices, 12 triangles, closed");
    CHECK_CONTAINS(out_text, "times the solid's 1\n");
    check_run("bake @cube.obj -o @again.lithe --tets 60 --spheres none --distance-cells 8 --json -", 0,
              "\"target_tets\": 60");
    CHECK(out_text[0] == '{');
    CHECK_CONTAINS(out_text, "\"what\": \"components\"");
    CHECK_CONTAINS(out_text, "\"solid_volume\": 1");
    CHECK(same_bytes("cube.lithe", "again.lithe"));
    check_run(
        "bake @cube.obj -o @again.lithe --tets 60 --spheres none --distance-cells 8 --rounds 0 --seed 7", 0,
        "nodes");
    CHECK(!same_bytes("cube.lithe", "again.lithe"));
    check_run(
        "bake @cube.obj -o @links.lithe --tets 60 --spheres none --embedding rigid-links --distance-cells 8 "
        "--dihedral 10 --carrier tet",
        0, "nodes");
    check_run("info @links.lithe", 0, "rigid-links");
    check_run("info @cube.lithe --json -", 0, "\"outside_vertices\": 0");
    CHECK_CONTAINS(out_text, "\"carrier_volume\": ");
    CHECK_CONTAINS(out_text, "\"fill_min\": ");
    CHECK_CONTAINS(out_text, "\"carrier_components\": 1");
    check_run("bake @cube.obj -o @usual.lithe --distance-cells 8 --json -", 0, "\"target_tets\": 400");
    CHECK_CONTAINS(out_text, "\"sphere_tree\": null");
    CHECK_CONTAINS(out_text, "\"multiscale_tree\": null");
    check_run("info @cube.lithe", 0, "mass_at_1000          1000\n");
    clear_folder();
}

static void bake_makes_a_lattice_that_info_reads(void) {
    write_text("cube.obj", cube_obj);
    check_run("bake @cube.obj -o @lattice.lithe --carrier lattice --cells 60 --distance-cells 8", 0,
              "asked for");
    CHECK_CONTAINS(out_text, "triangles, cut at faces of cells");
    check_run("bake @cube.obj -o @lattice.lithe --carrier lattice --cell-size 0.6 --fill --distance-cells 8 "
              "--json -",
              0, "\"carrier\": \"lattice\"");
    CHECK_CONTAINS(out_text, "\"whole_triangles\": 12,");
    check_run("info @lattice.lithe --json -", 0, "\"embedding\": \"trilinear\"");
    CHECK_CONTAINS(out_text, "\"carrier_components\": 1");
    CHECK_CONTAINS(out_text, "\"box_share\": ");
    check_run("bake @lattice.lithe -o @tree.lithe --spheres 3", 1, "this is a lattice");
}

static void bake_says_what_is_wrong_with_a_surface(void) {
    write_text("open.off", "OFF\n6 6 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 0 0\n9 9 9\n"
                           "3 0 2 1\n3 4 1 3\n3 0 3 2\n3 0 2 1\n3 1 1 2\n3 0 1 2\n");
    check_run("bake @open.off -o @a.lithe --spheres none --tets 60 --distance-cells 8", 0,
              "note: the surface has 1 hole");
    CHECK_CONTAINS(out_text, "welded vertices                     1, first: input vertex 4");
    CHECK_CONTAINS(out_text, "unused vertices                     1, first: input vertex 5");
    CHECK_CONTAINS(out_text, "degenerate triangles                1, first: input triangle 4");
    CHECK_CONTAINS(out_text, "duplicate triangles                 2, first: input triangle 3");
    CHECK_CONTAINS(out_text, "duplicates of the other orientation 1, first: input triangle 5");
    check_run("info @open.off", 0, "holes                               1, first: edge 1-2");
    CHECK_CONTAINS(out_text, "duplicate triangles                 2, first: input triangle 3");
    check_run("info @open.off --json -", 0, "\"what\": \"welded vertices\"");
    write_text("sheet.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                            "vertex 0 1 0\nendloop\nendfacet\nendsolid x\n");
    check_run("bake @sheet.stl -o @a.lithe --spheres none --tets 40 --distance-cells 8", 0,
              "nothing is inside");
    CHECK_CONTAINS(out_text, "volume of the carrier");
    write_text("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    check_run("bake @flat.obj -o @b.lithe", 1, "flat.obj: ");
    check_run("info @flat.obj", 0, "refused");
    CHECK(!exists("b.lithe"));
    clear_folder();
}

static void bad_bake_options_are_named(void) {
    write_text("cube.obj", cube_obj);
    write_text("one.msh", tet_msh);
    check_run("bake @cube.obj", 2, "-o OUT.lithe");
    check_run("bake @cube.obj -o @a.lithe --tets 3", 2, "--tets 3: must be 8 to 2000000");
    check_run("bake @cube.obj -o @a.lithe --tets 10000000", 2, "--tets 10000000: must be");
    check_run("bake @cube.obj -o @a.lithe --tets many", 2, "--tets many: not a");
    check_run("bake @cube.obj -o @a.lithe --dihedral 0.5", 2, "--dihedral 0.5: must be");
    check_run("bake @cube.obj -o @a.lithe --dihedral 46", 2, "--dihedral 46: must be");
    check_run("bake @cube.obj -o @a.lithe --dihedral nan", 2, "--dihedral nan: ");
    check_run("bake @cube.obj -o @a.lithe --rounds 101", 2, "--rounds 101: must be");
    check_run("bake @cube.obj -o @a.lithe --rounds -1", 2, "--rounds -1: ");
    check_run("bake @cube.obj -o @a.lithe --seed -1", 2, "--seed -1: ");
    check_run("bake @cube.obj -o @a.lithe --seed 1e99", 2, "--seed 1e99: ");
    check_run("bake @cube.obj -o @a.lithe --distance-cells 0", 2, "--distance-cells 0: must be 1 to 1024");
    check_run("bake @cube.obj -o @a.lithe --embedding glue", 2, "--embedding glue: must be");
    check_run("bake @cube.obj -o @a.lithe --carrier lattice --tets 100", 2,
              "--tets is for a carrier of tets");
    check_run("bake @cube.obj -o @a.lithe --carrier lattice --spheres 2", 2, "--spheres is for a carrier of");
    check_run("bake @cube.obj -o @a.lithe --carrier lattice --cells 0", 2, "--cells 0: must be 1 to 200000");
    check_run("bake @cube.obj -o @a.lithe --carrier lattice --cells 9 --cell-size 1", 2, "give one of them");
    check_run("bake @cube.obj -o @a.lithe --fill", 2, "add --carrier lattice");
    check_run("bake @one.msh -o @a.lithe --carrier lattice", 2, "--carrier is for surfaces");
    check_run("bake @cube.obj -o @a.lithe --levels 3", 2, "--levels is for a ladder: add --carrier ladder");
    check_run("bake @cube.obj -o @a.lithe --carrier lattice --coarsest 9", 2, "--coarsest is for a ladder");
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --levels 1", 2, "--levels 1: must be 2 to 12");
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --coarsest 7", 2, "--coarsest 7: must be 8 to");
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --cells 9", 2, "--cells is for a lattice");
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --embedding rigid-links", 2,
              "leave out --embedding");
    check_run("bake @one.msh -o @a.lithe --carrier ladder", 2, "--carrier is for surfaces");
    check_run("bake @cube.obj -o @a.lithe --carrier rope", 2, "--carrier rope: must be");
    check_run("bake @cube.obj -o @a.lithe --surface @cube.obj", 2, "--surface is for tet meshes");
    check_run("bake @one.msh -o @a.lithe --tets 100", 2, "--tets is for surfaces");
    check_run("bake @one.msh -o @a.lithe --rounds 1", 2, "--rounds is for surfaces");
    check_run("bake @one.msh -o @a.lithe --seed 1", 2, "--seed is for surfaces");
    check_run("bake @one.msh -o @a.lithe --dihedral 20", 2, "--dihedral is for surfaces");
    CHECK(clear_folder() == 2);
}

/* The first number after a key that comes after `place`; -1 without. */
static long number_after(const char *place, const char *key) {
    const char *at = strstr(out_text, place);
    if (at) at = strstr(at, key);
    return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

/* Counts are those of the finest level, which is what a body has. */
static void bake_makes_a_ladder_that_info_reads(void) {
    clear_folder();
    const char *few = "--levels 2 --coarsest 30 --tets 100 --distance-cells 8 --spheres none";
    char words[400];
    write_text("cube.obj", cube_obj);
    snprintf(words, sizeof words, "bake @cube.obj -o @ladder.lithe --carrier ladder %s", few);
    check_run(words, 0, "level 1, the coarsest");
    CHECK_CONTAINS(out_text, "pieces of the solid");
    snprintf(words, sizeof words, "bake @cube.obj -o @again.lithe --carrier ladder --json - --tree %s", few);
    check_run(words, 0, "\"carrier\": \"ladder\"");
    check_run("info @ladder.lithe", 0, "level 0, the finest");
    check_run("info @ladder.lithe --json -", 0, "\"ladder\": {");
    CHECK(number_after("\"levels\"", "\"tets\": ") > 50);
    CHECK(number_after("{", "\"nodes\": ") == number_after("\"levels\"", "\"nodes\": "));
    CHECK(number_after("{", "\"tets\": ") == number_after("\"levels\"", "\"tets\": "));
    CHECK_CONTAINS(out_text, "\"carrier_components\": 1");
    check_run("bake @cube.obj -o @a.lithe --carrier ladder --tets 80", 1,
              "level 1 is to have 81 tets, and level 0, which must be finer, 80");
    CHECK(clear_folder() == 3);
}

static void a_full_disk_is_said(void) {
    write_text("cube.obj", cube_obj);
    if (access("/dev/full", W_OK) != 0) return;
    check_run("bake @cube.obj -o /dev/full --spheres none --tets 20 --distance-cells 4", 1, "/dev/full");
    check_run("bake @cube.obj -o @no/such/a.lithe --spheres none --tets 20 --distance-cells 4", 1,
              "no/such/a.lithe");
    CHECK(clear_folder() == 1);
}

/* True once the child has a handler for SIGINT: its mask of caught signals says so. */
static bool catches_interrupt(pid_t child) {
    char path[64], line[256];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "SigCgt: %llx", &caught) == 1) break;
    if (file) fclose(file);
    return caught >> (SIGINT - 1) & 1;
}

static void interrupt_ends_a_bake_with_nothing_written(void) {
    int status;
    write_text("cube.obj", cube_obj);
    pid_t child = start("bake @cube.obj -o @a.lithe --tets 30000 --rounds 100 --json @a.json", -1);
    bool ready = false;
    while (!(ready = catches_interrupt(child)) && waitpid(child, &status, WNOHANG) == 0)
        continue;
    CHECK_FATAL(ready);
    kill(child, SIGINT);
    CHECK(finish(child) == 1);
    CHECK_CONTAINS(err_text, "stopped; ");
    CHECK_CONTAINS(err_text, "a.lithe was not written");
    CHECK(clear_folder() == 1);
}

/* The carrier alone takes minutes; nothing of the run is left. */
static void interrupt_ends_the_baking_of_a_scene(void) {
    int status;
    write_text("slow.json", "{\"lithe_scene\": 2, \"shapes\": {\"bear\": {\"surface\": {\"kind\": \"bear\", "
                            "\"height\": 1, \"triangles\": 4000},"
                            " \"carrier\": {\"kind\": \"enclosed\", \"tets\": 60000, \"rounds\": 100}}},"
                            " \"bodies\": [{\"shape\": \"bear\"}]}");
    pid_t child = start("run @slow.json --json @a.jsonl --record @a.png", -1);
    bool ready = false;
    while (!(ready = catches_interrupt(child)) && waitpid(child, &status, WNOHANG) == 0)
        continue;
    CHECK_FATAL(ready);
    kill(child, SIGINT);
    CHECK(finish(child) == 1);
    CHECK_CONTAINS(err_text, "stopped while shapes were baked");
    CHECK(clear_folder() == 1);
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(help_and_version);
    RUN(wrong_usage_exits_2_and_names_it);
    RUN(outputs_are_looked_at_first);
    RUN(pipes_are_refused);
    RUN(scenes_are_listed);
    RUN(run_writes_a_line_per_step);
    RUN(budgets_are_taken);
    RUN(old_budget_name_keeps_its_meaning);
    RUN(pictures_are_whole);
    RUN(contacts_are_shown_by_age);
    RUN(boxes_are_shown);
    RUN(failures_leave_nothing);
    RUN(interrupt_ends_a_run_cleanly);
    RUN(info_tells_of_meshes);
    RUN(bake_makes_a_shape_that_info_reads);
    RUN(bake_makes_a_shape_of_any_surface);
    RUN(bake_makes_a_lattice_that_info_reads);
    RUN(bake_makes_a_ladder_that_info_reads);
    RUN(bake_says_what_is_wrong_with_a_surface);
    RUN(bad_bake_options_are_named);
    RUN(a_full_disk_is_said);
    RUN(interrupt_ends_a_bake_with_nothing_written);
    RUN(interrupt_ends_the_baking_of_a_scene);
    return finish_program();
}
