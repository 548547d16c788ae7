/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the papers print (docs/papers.md has their full names), and where ours stands in the rows of bench/. Figures in quotes
 * are theirs, as printed. That rows have these names is looked at where the tests run an experiment. */

#include "report_papers.h"

/* Ours as it is, as a share of another cell of its row, and as so many a second of something in microseconds. */
#define CELL(paper, label, key)                                                                              \
    { (paper), (label), (key), NULL, 1 }
#define SHARE(paper, label, key, over, factor)                                                               \
    { (paper), (label), (key), (over), (factor) }
#define PER_SECOND(paper, label, key_us)                                                                     \
    { (paper), (label), NULL, (key_us), 1e6 }
#define ABSENT(paper)                                                                                        \
    { (paper), NULL, NULL, NULL, 1 }

/* ---- papers/000: sphere trees ---- */

#define TREE_LINE(what, label, pairs, leaves, rate)                                                          \
    {                                                                                                        \
        what,                                                                                                \
            {CELL(pairs, label, "pending"), CELL(leaves, label, "exact"),                                    \
             PER_SECOND(rate, label, "frame_us")},                                                           \
            NULL                                                                                             \
    }

static const lt_paper_line tree_lines[] = {
    TREE_LINE("dragons, 0.0001 s", "armadillo-armadillo, 100 us", "3", "0", "60"),
    TREE_LINE("dragons, 0.001 s", "armadillo-armadillo, 1000 us", "17", "0", "60"),
    TREE_LINE("dragons, 0.01 s", "armadillo-armadillo, 10000 us", "30", "0", "42"),
    TREE_LINE("dragons, 0.1 s", "armadillo-armadillo, 100000 us", "41", "6", "35"),
    TREE_LINE("dragons, 1 s", "armadillo-armadillo, 1e+06 us", "1345", "30", "25"),
    TREE_LINE("bunnies, 0.0001 s", "bunny-bunny, 100 us", "3", "0", "52"),
    TREE_LINE("bunnies, 0.001 s", "bunny-bunny, 1000 us", "25", "0", "48"),
    TREE_LINE("bunnies, 0.01 s", "bunny-bunny, 10000 us", "44", "0", "37"),
    TREE_LINE("bunnies, 0.1 s", "bunny-bunny, 100000 us", "61", "11", "30"),
    TREE_LINE("bunnies, 1 s", "bunny-bunny, 1e+06 us", "1405", "36", "22"),
    TREE_LINE("bunny and dragon, 0.0001 s", "bunny-armadillo, 100 us", "3", "0", "56"),
    TREE_LINE("bunny and dragon, 0.001 s", "bunny-armadillo, 1000 us", "21", "0", "51"),
    TREE_LINE("bunny and dragon, 0.01 s", "bunny-armadillo, 10000 us", "33", "0", "42"),
    TREE_LINE("bunny and dragon, 0.1 s", "bunny-armadillo, 100000 us", "52", "12", "33"),
    TREE_LINE("bunny and dragon, 1 s", "bunny-armadillo, 1e+06 us", "1387", "28", "23")};

#define TREE_PICTURE(what, label, spheres)                                                                   \
    { what, {CELL(spheres, label, "exact"), CELL(NULL, label, "gap_error_mm")}, NULL }

static const lt_paper_line tree_pictures[] = {
    TREE_PICTURE("a, 0.0001 s", "bunny-bunny, 100 us", "inner spheres"),
    TREE_PICTURE("b, 0.001 s", "bunny-bunny, 1000 us", "inner spheres"),
    TREE_PICTURE("c, 0.01 s", "bunny-bunny, 10000 us", "inner spheres"),
    TREE_PICTURE("d, 0.1 s", "bunny-bunny, 100000 us", "leaves")};

/* ---- papers/001: hashed tets ---- */

#define PLATES "plates, a third of the peak"
#define GRASS  "grass, a third of the peak"

static const lt_paper_line hash_times[] = {
    {"20 plates, no limit", {CELL("120", PLATES, "peak_ms")}, "theirs: frame 700; ours: the peak"},
    {"20 plates, limited", {CELL("40", PLATES, "limit_ms")}, "a third in both"},
    {"a sneaker on grass, no limit", {CELL(NULL, GRASS, "peak_ms")}, "theirs: a curve without figures"},
    {"a sneaker on grass, limited", {CELL("15", GRASS, "limit_ms")}, "ours: a third of the peak"}};

static const lt_paper_line hash_limits[] = {
    {"plates: overshoot, % of the limit",
     {SHARE("less than 5", PLATES, "p99_us", "limit_ms", 0.1)},
     "ours: 99 of 100 steps, disturbed ones apart where there are others"},
    {"sneaker: overshoot, % of the limit",
     {SHARE("less than 5", GRASS, "p99_us", "limit_ms", 0.1)},
     "ours: 99 of 100 steps, disturbed ones apart where there are others"},
    {"plates, 4 frames a cycle: fallen plates",
     {CELL("robust", "plates, latency 4", "fallen")},
     "up to four frames in the paper"},
    {"plates, 4 frames a cycle: height, of settled",
     {CELL(NULL, "plates, latency 4", "of_settled")},
     "no figure in the paper"},
    {"plates, every second step: jitter, mm/s",
     {CELL(NULL, "plates, every second step", "jitter_mm_s")},
     "theirs: hard to maintain, see the video"},
    {"plates, 2 frames a cycle: jitter, mm/s",
     {CELL(NULL, "plates, latency 2", "jitter_mm_s")},
     "no figure in the paper"},
    {"fast ball, 2 frames a cycle: tori swallowed",
     {CELL("none", "tori and ball, near, latency 2", "swallowed")},
     "their scene is not described; ours: 25 tori, 10 m/s"},
    {"fast ball: breaks at so many frames",
     {CELL("more than 2", "tori and ball, near, breaks at", "latency")},
     NULL},
    {"viewers who tell the limited film", {ABSENT("difficult")}, "not repeated: it needs viewers"}};

/* ---- papers/002: boxes of cells ---- */

#define CELLS_LINE(what, label, triangles, cells, ms, remark)                                                \
    {                                                                                                        \
        what,                                                                                                \
            {CELL(triangles, label, "triangles"), CELL(cells, label, "cells"), CELL(ms, label, "mean_ms")},  \
            remark                                                                                           \
    }

static const lt_paper_line cell_lines[] = {
    CELLS_LINE("teapots", "teapots", "12640", "1204", "1.7", "with self-collision"),
    CELLS_LINE("alphabets", "letters, no limit", "2265744", "11661", "279", "1014 letters"),
    CELLS_LINE("happy Buddha", "fold", "293000", "988", "0.3", "ours: a generated lizard, folded"),
    CELLS_LINE("bunnies", "five-bunnies", "347250", "6900", "0.5", "with self-collision")};

#define GAP_LINE(what, label, ms)                                                                            \
    {                                                                                                        \
        what,                                                                                                \
            {CELL(ms, label, "median_ms"), CELL(NULL, label, "teapots_mm"), CELL(NULL, label, "floor_mm")},  \
            NULL                                                                                             \
    }

static const lt_paper_line cell_gaps[] = {
    GAP_LINE("boxes as large as cells", "teapots at rest, grid boxes", "1.7"),
    GAP_LINE("boxes around the surface", "teapots at rest, tight boxes", "1.7")};

static const lt_paper_line cell_rest[] = {
    {"figure 8: letters in a bin, mean ms",
     {CELL("279", "letters, no limit", "mean_ms")},
     "curve: see the charts"},
    {"figure 10: folding on itself, mean ms", {CELL("0.3", "fold", "mean_ms")}, "curve: see the charts"},
    {"updating a box for each of 293 000 triangles, ms",
     {ABSENT("more than 1000")},
     "not measured: nothing here has a box a triangle"},
    {"time per collision as they grow in number",
     {ABSENT("relatively constant")},
     "not measured: time per step is"}};

/* ---- papers/003: trees over dense surfaces ---- */

#define KNOT_LINE(what, label, ms, times, ours_over)                                                         \
    { what, {CELL(ms, label, "ms"), CELL(times, label, ours_over)}, NULL }

static const lt_paper_line fine_table[] = {
    KNOT_LINE("full BVH", "table 2, full refit", "282.5", "6.7", "times_ours"),
    KNOT_LINE("hash grid", "table 2, hash of triangles", "111.9", "2.6", "times_ours"),
    KNOT_LINE("without k-DOP", "table 2, without intervals", "314.8", "7.4", "times_printed"),
    KNOT_LINE("without sorting", "table 2, without preparation", "62.4", "1.5", "times_printed"),
    KNOT_LINE("theirs, as printed", "table 2, as printed", "42.4", "1", "times_printed"),
    {"theirs, 1: refit", {CELL("21.6", "table 2, as printed", "fit_ms")}, NULL},
    {"theirs, 2: tet hashing", {CELL("2.8", "table 2, as printed", "tets_ms")}, NULL},
    {"theirs, 3: query", {CELL("18.0", "table 2, as printed", "query_ms")}, NULL},
    KNOT_LINE("ours", "table 2, as it is", "42.4", "1", "times_ours"),
    {"ours, 1: refit", {CELL("21.6", "table 2, as it is", "fit_ms")}, NULL},
    {"ours, 2: tets", {CELL("2.8", "table 2, as it is", "tets_ms")}, NULL},
    {"ours, 3: query", {CELL("18.0", "table 2, as it is", "query_ms")}, NULL}};

static const lt_paper_line fine_dragon[] = {
    {"forward dynamics", {CELL("50", "poke, dynamics", "mean_ms")}, NULL},
    {"tets by spatial hashing", {CELL("15", "poke, tet-hash", "mean_ms")}, NULL},
    {"update of the BVH", {CELL("20", "poke, refit", "mean_ms")}, NULL},
    {"self-collision query, least",
     {CELL("5", "poke, query-free", "mean_ms")},
     "ours: steps without contacts"},
    {"self-collision query, most",
     {CELL("25", "poke, query-in-contact", "mean_ms")},
     "ours: mean of steps with contacts"},
    {"collision response, at most",
     {CELL("250", "poke, response", "mean_ms")},
     "ours: mean of steps with contacts"},
    {"frames a second", {ABSENT("8 to 15")}, "not measured as such: the parts are above"}};

/* ---- papers/003: adaptive multigrid ---- */

#define BEARS_LINE(what, label, forward, total)                                                              \
    { what, {PER_SECOND(forward, label, "forward_us"), PER_SECOND(total, label, "total_us")}, NULL }

static const lt_paper_line grid_lines[] = {
    BEARS_LINE("1 bear, CG", "one bear of 1 m, CG", "15.3", "3.07"),
    BEARS_LINE("1 bear, multigrid", "one bear of 1 m, full multigrid", "17.8", "3.37"),
    BEARS_LINE("1 bear, adaptive", "one bear of 1 m, adaptive", "383.2", "58.2"),
    BEARS_LINE("8 bears, CG", "eight bears of 1 m, CG", "1.89", "0.40"),
    {"8 bears, multigrid", {ABSENT("2.15"), ABSENT("0.36")}, "not measured: of one bear only"},
    BEARS_LINE("8 bears, adaptive", "eight bears of 1 m, adaptive", "26.7", "2.98"),
    {"8 bears, adaptive, near rest",
     {ABSENT(NULL), PER_SECOND("12", "eight bears of 1 m, adaptive", "rest_total_us")},
     NULL},
    BEARS_LINE("1 bear of 0.1 m, CG", "one bear of 0.1 m, CG", "15.3", "3.07"),
    BEARS_LINE("1 bear of 0.1 m, adaptive", "one bear of 0.1 m, adaptive", "383.2", "58.2"),
    BEARS_LINE("8 bears of 0.1 m, CG", "eight bears of 0.1 m, CG", "1.89", "0.40"),
    BEARS_LINE("8 bears of 0.1 m, adaptive", "eight bears of 0.1 m, adaptive", "26.7", "2.98")};

#define GAIN_LINE(what, label, forward, total)                                                               \
    { what, {CELL(forward, label, "forward_times"), CELL(total, label, "total_times")}, NULL }

static const lt_paper_line grid_gains[] = {
    GAIN_LINE("1 bear", "one bear of 1 m, adaptive against CG", "25.0", "19.0"),
    GAIN_LINE("8 bears", "eight bears of 1 m, adaptive against CG", "14.1", "7.5"),
    GAIN_LINE("1 bear of 0.1 m", "one bear of 0.1 m, adaptive against CG", "25.0", "19.0"),
    GAIN_LINE("8 bears of 0.1 m", "eight bears of 0.1 m, adaptive against CG", "14.1", "7.5")};

/* ---- all ---- */

#define LINES(lines) (lines), (uint32_t)LT_COUNT_OF(lines)

static const lt_paper_table tables[] = {
    {"sphere-tree",
     "Mendoza and O'Sullivan 2005, table 1: interactions at critical times",
     "Theirs: Pentium 4, 3.0 GHz; sizes of meshes and steps are not given. Ours: an armadillo for the "
     "dragon, generated figures where the scans are not at hand, a step of 1/1000 s; frames are whole "
     "steps. Their table contradicts itself where a frame is shorter than the time that interrupted it: "
     "trends compare, values do not.",
     {{"pairs left", LT_PAPER_AS_IS},
      {"collisions of leaves", LT_PAPER_AS_IS},
      {"frames a second", LT_PAPER_RATE}},
     LINES(tree_lines)},
    {"sphere-tree",
     "Mendoza and O'Sullivan 2005, figure 9: spheres that answer at critical times",
     "Theirs: four pictures. Ours: contacts answered by leaves, and the proved error of what is not.",
     {{"leaves", LT_PAPER_AS_IS}, {"gap error, mm", LT_PAPER_AS_IS}, {NULL, LT_PAPER_AS_IS}},
     LINES(tree_pictures)},
    {"tet-hash",
     "Gissler, Schmedding and Teschner 2009, figure 4: collision handling with and without a limit",
     "Theirs: Core 2, 2.13 GHz, one thread; sizes of the scenes are not given.",
     {{"ms", LT_PAPER_TIME}, {NULL, LT_PAPER_AS_IS}, {NULL, LT_PAPER_AS_IS}},
     LINES(hash_times)},
    {"tet-hash",
     "Gissler, Schmedding and Teschner 2009: limits kept, latency, plausibility",
     "Theirs: Core 2, 2.13 GHz. Sentences where there are no figures.",
     {{"result", LT_PAPER_AS_IS}, {NULL, LT_PAPER_AS_IS}, {NULL, LT_PAPER_AS_IS}},
     LINES(hash_limits)},
    {"cell-box",
     "Jung, Hong and Choi 2011, table 1: collision handling",
     "Theirs: Pentium D, 3.0 GHz, mean of a frame. Ours: mean of the steps in contact, of all steps for "
     "the letters.",
     {{"triangles", LT_PAPER_AS_IS}, {"cells", LT_PAPER_AS_IS}, {"ms", LT_PAPER_TIME}},
     LINES(cell_lines)},
    {"cell-box",
     "Jung, Hong and Choi 2011, figure 7: a teapot on a teapot",
     "Theirs: pictures, an apparent large gap with boxes as large as cells and none visible with tight "
     "ones.",
     {{"ms", LT_PAPER_TIME},
      {"gap between teapots, mm", LT_PAPER_AS_IS},
      {"gap to the floor, mm", LT_PAPER_AS_IS}},
     LINES(cell_gaps)},
    {"cell-box",
     "Jung, Hong and Choi 2011, figures 8 and 10, and what the text says",
     "Theirs: Pentium D, 3.0 GHz.",
     {{"ms", LT_PAPER_TIME}, {NULL, LT_PAPER_AS_IS}, {NULL, LT_PAPER_AS_IS}},
     LINES(cell_rest)},
    {"multiscale",
     "Otaduy, Germann, Redon and Gross 2007, table 2: self-collision of a knot",
     "Theirs: dual 3.2 GHz; 42254 triangles, 558 tets; 23.6 frames a second. Ours: a generated knot of "
     "these sizes. Ratios are to the method whole: the first two to ours, the next two to theirs as "
     "printed.",
     {{"ms", LT_PAPER_TIME}, {"times the method", LT_PAPER_AS_IS}, {NULL, LT_PAPER_AS_IS}},
     LINES(fine_table)},
    {"multiscale",
     "Otaduy, Germann, Redon and Gross 2007, section 6: the parts of a frame of the dragon",
     "Theirs: dual 3.2 GHz; 13480 triangles, 2552 tets. Ours: an armadillo (or a lizard) of these sizes in "
     "the dragon's place, poked by a bear.",
     {{"ms", LT_PAPER_TIME}, {NULL, LT_PAPER_AS_IS}, {NULL, LT_PAPER_AS_IS}},
     LINES(fine_dragon)},
    {"multigrid",
     "Otaduy, Germann, Redon and Gross 2007, table 1: solvers",
     "Theirs: dual 3.2 GHz; bears of 6 meshes, 85 to 6418 tets, of a size that is not given. Ours: 1 m "
     "high where nothing else is said, and 0.1 m, which is much stiffer.",
     {{"forward updates a second", LT_PAPER_RATE}, {"steps a second", LT_PAPER_RATE}, {NULL, LT_PAPER_AS_IS}},
     LINES(grid_lines)},
    {"multigrid",
     "Otaduy, Germann, Redon and Gross 2007, table 1: adaptive against conjugate gradients",
     "Theirs: quotients of their table; about 10 in their text. Ours: both in this run.",
     {{"forward, times", LT_PAPER_AS_IS}, {"in all, times", LT_PAPER_AS_IS}, {NULL, LT_PAPER_AS_IS}},
     LINES(grid_gains)}};

const lt_paper_table *lt_paper_tables(uint32_t *count) {
    *count = (uint32_t)LT_COUNT_OF(tables);
    return tables;
}
