/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"

#include "bake/adjacency.h"
#include "bake/icosahedral.h"
#include "bake/repair_checks.h"
#include "bake/simplify.h"
#include "bake/simplify_internal.h"
#include "failing_allocator.h"
#include "mesh/shapes.h"
#include "scenes/generate.h"

static bool simplify_to(const lt_surface *in, uint32_t count, double max_error, lt_surface *out,
                        lt_simplify_report *report) {
    lt_error error = {0};
    lt_simplify_params params = {count, max_error};
    lt_status status = lt_simplify(in, &params, out, report, NULL, &error);
    CHECK(status == LT_OK);
    if (status != LT_OK) fprintf(stderr, "%s\n", error.message);
    return status == LT_OK;
}

/* The vertices are some of the input's, in its order. */
static bool is_part_of(const lt_surface *out, const lt_surface *in) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < in->vertex_count && at < out->vertex_count; i++)
        at += memcmp(&in->positions[i], &out->positions[at], sizeof(lt_vec3)) == 0;
    return at == out->vertex_count;
}

/* What repair finds in it, which must be nothing to mend. */
static lt_repair_report inspect(const lt_surface *surface) {
    lt_surface repaired;
    lt_repair_report report;
    lt_error error = {0};
    if (lt_repair(surface, &repaired, &report, NULL, &error) != LT_OK) abort();
    CHECK(same_surface(surface, &repaired));
    lt_surface_free(&repaired);
    return report;
}

static void check_topology(const lt_surface *in, const lt_surface *out) {
    lt_repair_report before = inspect(in), after = inspect(out);
    for (int kind = LT_REPAIR_HOLE; kind < LT_REPAIR_CROSSING; kind++)
        if (kind != LT_REPAIR_BOUNDARY) CHECK_COUNT(after.findings[kind].count, before.findings[kind].count);
    lt_repair_report_free(&before);
    lt_repair_report_free(&after);
}

static void generated_shapes_keep_their_form(void) {
    static const struct {
        uint32_t count;
        double volume_kept;
    } rows[] = {{600, 0.97}, {400, 0.93}, {500, 0.95}};
    lt_surface shapes[3];
    CHECK_FATAL(lt_generate_icosphere(&shapes[0], 1.0, 4, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_generate_bear(&shapes[1], 4000, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_generate_torus(&shapes[2], 1.0, 0.3, 48, NULL, NULL) == LT_OK);
    for (int i = 0; i < 3; i++) {
        lt_surface out;
        lt_simplify_report report;
        if (simplify_to(&shapes[i], rows[i].count, 0, &out, &report)) {
            CHECK(report.is_reached);
            CHECK(out.triangle_count <= rows[i].count && out.triangle_count + 4 >= rows[i].count);
            CHECK_COUNT(report.attempts[report.attempt_count - 1].triangle_count, out.triangle_count);
            double kept = lt_surface_volume(&out) / lt_surface_volume(&shapes[i]);
            CHECK(kept > rows[i].volume_kept && kept < 1.01);
            CHECK(is_part_of(&out, &shapes[i]));
            check_topology(&shapes[i], &out);
            lt_surface_free(&out);
        }
        lt_surface_free(&shapes[i]);
    }
}

/* A box of 6 x 8 x 8 cells is twelve triangles, at no error at all. */
static void flat_sides_cost_no_error(void) {
    lt_surface box, out;
    lt_simplify_report report;
    const uint32_t divisions[3] = {6, 8, 8};
    CHECK_FATAL(lt_generate_box(&box, (lt_vec3){1, 2, 2}, divisions, NULL, NULL) == LT_OK);
    if (simplify_to(&box, 0, 1e-4, &out, &report)) {
        CHECK_COUNT(out.triangle_count, 12);
        CHECK_COUNT(out.vertex_count, 8);
        CHECK_NEAR(lt_surface_volume(&out), lt_surface_volume(&box), 1e-5);
        CHECK(report.is_reached && report.attempts[0].error <= 1e-4);
        lt_surface_free(&out);
    }
    lt_surface_free(&box);
}

/* The error is a share of the size: of a ball of diameter 2, a hundredth is 0.02; vertices stay on the sphere,
 * so the middles of triangles are in it by no more than about that (the error of record is a mean). */
static void the_error_is_kept(void) {
    lt_surface ball, out;
    lt_simplify_report report;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.0, 4, NULL, NULL) == LT_OK);
    if (simplify_to(&ball, 0, 0.01, &out, &report)) {
        double deepest = 0;
        for (uint32_t i = 0; i < out.triangle_count; i++) {
            lt_dvec3 t[3];
            lt_triangle_corners(&out, i, t);
            lt_dvec3 middle = lt_d3_scale(lt_d3_add(lt_d3_add(t[0], t[1]), t[2]), 1.0 / 3);
            deepest = lt_max_d(deepest, 1 - lt_d3_length(middle));
        }
        CHECK(out.triangle_count < 1200);
        CHECK(deepest < 0.06);
        CHECK(report.attempts[0].error <= 0.01);
        lt_surface_free(&out);
    }
    lt_surface_free(&ball);
}

static int64_t euler_of(const lt_surface *surface) {
    lt_surface_adjacency adjacency;
    if (lt_surface_adjacency_build(&adjacency, surface, NULL, NULL) != LT_OK) abort();
    int64_t euler = (int64_t)surface->vertex_count - adjacency.edge_count + surface->triangle_count;
    lt_surface_adjacency_free(&adjacency);
    return euler;
}

/* A torus of six triangles (14 are the fewest), cannot be: what comes is what can. */
static void targets_too_small_are_made_milder(void) {
    lt_surface torus, out;
    lt_simplify_report report;
    CHECK_FATAL(lt_generate_torus(&torus, 1.0, 0.3, 24, NULL, NULL) == LT_OK);
    if (simplify_to(&torus, 6, 0, &out, &report)) {
        CHECK(!report.is_reached && report.attempt_count > 1);
        CHECK(report.attempts[0].refusal != LT_SIMPLIFY_REFUSED_NONE);
        CHECK(out.triangle_count >= 14 && out.triangle_count < torus.triangle_count / 4);
        CHECK(euler_of(&out) == 0);
        check_topology(&torus, &out);
        lt_surface_free(&out);
    }
    lt_surface_free(&torus);
}

/* Blades thinner than the error vanish, flatten or come out inside out: whatever is given must be none of it. */
static void thin_pieces_stay_pieces(void) {
    static const uint32_t counts[] = {100, 120, 200, 300, 500};
    lt_grass_params grass = lt_grass_params_default();
    lt_surface blades, out;
    grass.blade_count = 40;
    CHECK_FATAL(lt_generate_grass(&blades, &grass, NULL, NULL) == LT_OK);
    uint32_t given = 0;
    for (size_t i = 0; i < LT_COUNT_OF(counts); i++) {
        lt_simplify_params params = {counts[i], 0};
        lt_simplify_report report;
        lt_error error = {0};
        lt_status status = lt_simplify(&blades, &params, &out, &report, NULL, &error);
        CHECK(!report.is_reached && report.attempt_count > 1);
        if (status == LT_OK) check_topology(&blades, &out);
        if (status != LT_OK) CHECK_CONTAINS(error.message, "each of 6 results was refused");
        given += status == LT_OK;
        lt_surface_free(&out);
    }
    CHECK(given > 0);
    lt_surface_free(&blades);
}

/* Holes of three edges close when one of their edges is collapsed: boundaries are then left alone. */
static void holes_stay_holes(void) {
    lt_surface ball, out;
    lt_simplify_report report;
    bool had_closed = false;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.0, 3, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < 12; i++)
        drop_triangle(&ball, 90 * i);
    for (uint32_t count = 400; count >= 100; count /= 2) {
        if (!simplify_to(&ball, count, 0, &out, &report)) continue;
        check_topology(&ball, &out);
        CHECK(out.triangle_count <= count);
        had_closed = had_closed || report.attempts[0].refusal == LT_SIMPLIFY_REFUSED_HOLES;
        lt_surface_free(&out);
    }
    CHECK(had_closed);
    lt_surface_free(&ball);
}

static void more_than_there_are_changes_nothing(void) {
    lt_surface box = box_surface(), out;
    lt_simplify_report report;
    if (simplify_to(&box, 4000000000u, 0, &out, &report)) {
        CHECK(same_surface(&box, &out));
        CHECK(report.is_reached);
        lt_surface_free(&out);
    }
    lt_surface_free(&box);
}

/* ---- folds ---- */

enum { SIDE = 8 };

/* A flat square of side SIDE in cells of two triangles, facing up. */
static lt_surface make_grid(void) {
    lt_surface grid;
    if (lt_surface_allocate(&grid, (SIDE + 1) * (SIDE + 1), 2 * SIDE * SIDE, NULL, NULL) != LT_OK) abort();
    for (uint32_t i = 0; i < grid.vertex_count; i++)
        grid.positions[i] = (lt_vec3){(float)(i % (SIDE + 1)), (float)(i / (SIDE + 1)), 0};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t a = i % SIDE + i / SIDE * (SIDE + 1), b = a + 1, c = a + SIDE + 2, d = a + SIDE + 1;
        const uint32_t cell[6] = {a, b, c, a, c, d};
        memcpy(grid.triangles + 6 * i, cell, sizeof cell);
    }
    return grid;
}

static uint32_t count_folds(const lt_fold_test *test, const lt_surface *surface) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        lt_dvec3 t[3];
        lt_triangle_corners(surface, i, t);
        count += lt_is_folded(test, t);
    }
    return count;
}

/* Inner vertices pushed over their neighbours: once nothing faces down and the outline is what it was, the
 * triangles cover the square once, so their area is its area. */
static void folds_are_undone(void) {
    lt_random random = lt_random_seed(21);
    lt_surface grid = make_grid();
    lt_triangle_tree tree;
    CHECK_FATAL(lt_triangle_tree_build(&tree, &grid, NULL, NULL) == LT_OK);
    lt_fold_test test = {&tree, 0.01};
    uint32_t all_folds = 0;
    for (int round = 0; round < 40; round++) {
        lt_surface folded = copy_with_room(&grid, 0, 0);
        for (uint32_t i = 0; i < folded.vertex_count; i++) {
            uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
            if (x == 0 || y == 0 || x == SIDE || y == SIDE || lt_random_below(&random, 12)) continue;
            folded.positions[i].x += lt_random_unit(&random) * 2.6f - 1.3f;
            folded.positions[i].y += lt_random_unit(&random) * 2.6f - 1.3f;
        }
        uint32_t triangle_count = folded.triangle_count;
        all_folds += count_folds(&test, &folded);
        CHECK(lt_unfold(&test, &folded, NULL, NULL) == LT_OK);
        CHECK_COUNT(count_folds(&test, &folded), 0);
        CHECK_NEAR(lt_surface_area(&folded), SIDE * SIDE, 1e-4);
        folded.triangle_count = triangle_count; /* of the allocation */
        lt_surface_free(&folded);
    }
    CHECK(all_folds > 50);
    lt_triangle_tree_free(&tree);
    lt_surface_free(&grid);
}

/* A tube of three flat sides along z: round it go circles of three edges that are no triangle. */
static lt_surface make_tube(void) {
    static const float corners[3][2] = {{4, 0}, {-2, 3}, {-2, -3}};
    lt_surface tube;
    if (lt_surface_allocate(&tube, 3 * (SIDE + 1), 6 * SIDE, NULL, NULL) != LT_OK) abort();
    for (uint32_t i = 0; i < tube.vertex_count; i++)
        tube.positions[i] = (lt_vec3){corners[i % 3][0], corners[i % 3][1], (float)(i / 3)};
    for (uint32_t i = 0; i < 3 * SIDE; i++) {
        uint32_t a = i, b = i / 3 * 3 + (i + 1) % 3, c = b + 3, d = a + 3;
        const uint32_t cell[6] = {a, b, c, a, c, d};
        memcpy(tube.triangles + 6 * i, cell, sizeof cell);
    }
    return tube;
}

static void check_unpinched(lt_surface *folded, const lt_fold_test *test, uint32_t hole_count) {
    lt_surface repaired;
    lt_repair_report report;
    uint32_t triangle_count = folded->triangle_count;
    CHECK(lt_unfold(test, folded, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_repair(folded, &repaired, &report, NULL, NULL) == LT_OK);
    CHECK_COUNT(repaired.triangle_count, folded->triangle_count);
    CHECK_COUNT(count_found(&report, LT_REPAIR_OVERFULL), 0);
    CHECK_COUNT(count_found(&report, LT_REPAIR_PINCH), 0);
    CHECK_COUNT(count_found(&report, LT_REPAIR_HOLE), hole_count);
    CHECK(euler_of(&repaired) == 2 - (int64_t)hole_count);
    lt_repair_report_free(&report);
    lt_surface_free(&repaired);
    folded->triangle_count = triangle_count; /* of the allocation */
    lt_surface_free(folded);
}

/* Worse than can be undone: still nothing pinches, the square stays one sheet and the tube a tube. */
static void unfolding_never_pinches(void) {
    lt_random random = lt_random_seed(22);
    lt_surface surfaces[2] = {make_grid(), make_tube()};
    for (uint32_t s = 0; s < 2; s++) {
        lt_triangle_tree tree;
        CHECK_FATAL(lt_triangle_tree_build(&tree, &surfaces[s], NULL, NULL) == LT_OK);
        lt_fold_test test = {&tree, 0.01};
        for (int round = 0; round < 60; round++) {
            lt_surface folded = copy_with_room(&surfaces[s], 0, 0);
            for (uint32_t i = 0; i < folded.vertex_count; i++) {
                if (lt_random_below(&random, 3)) continue;
                float by = lt_random_unit(&random) * 5 - 2.5f;
                folded.positions[i] = lt_v3_add(folded.positions[i],
                                                s == 0 ? (lt_vec3){by, by * by - 2, 0} : (lt_vec3){0, 0, by});
            }
            check_unpinched(&folded, &test, s == 0 ? 1 : 2);
        }
        lt_triangle_tree_free(&tree);
        lt_surface_free(&surfaces[s]);
    }
}

/* An arrowhead cut along the wrong diagonal: a flip, and nothing else, gives back its area of 3. */
static void wrong_diagonals_are_flipped(void) {
    static const int points[4][3] = {{0, 0, 0}, {4, -3, 0}, {1, 0, 0}, {4, 3, 0}};
    static const uint32_t right[2][3] = {{0, 1, 2}, {0, 2, 3}}, wrong[2][3] = {{0, 1, 3}, {1, 2, 3}};
    lt_surface arrow = surface_from(points, 4, right, 2), folded = surface_from(points, 4, wrong, 2);
    lt_triangle_tree tree;
    CHECK_FATAL(lt_triangle_tree_build(&tree, &arrow, NULL, NULL) == LT_OK);
    lt_fold_test test = {&tree, 0.01};
    CHECK_COUNT(count_folds(&test, &folded), 1);
    CHECK(lt_unfold(&test, &folded, NULL, NULL) == LT_OK);
    CHECK_COUNT(folded.triangle_count, 2);
    CHECK_NEAR(lt_surface_area(&folded), 3, 1e-6);
    lt_triangle_tree_free(&tree);
    lt_surface_free(&folded);
    lt_surface_free(&arrow);
}

/* A triangle turned round is a fold wherever it is, unless the original has such a side near. */
static void folds_are_told_from_thin_parts(void) {
    lt_surface grid = make_grid(), both = copy_with_room(&grid, 0, 0);
    lt_triangle_tree tree;
    turn_all(&both);
    both =
        join_surfaces(both, copy_with_room(&grid, 0, 0), 1, (lt_vec3){0, 0, 0.1f}); /* down at 0, up at 0.1 */
    CHECK_FATAL(lt_triangle_tree_build(&tree, &both, NULL, NULL) == LT_OK);
    lt_dvec3 up[3] = {{2, 2, 0.02}, {3, 2, 0.02}, {2, 3, 0.02}};
    lt_fold_test near_test = {&tree, 0.05}, far_test = {&tree, 0.09};
    CHECK(lt_is_folded(&near_test, up)); /* the part that faces up is 0.08 away */
    CHECK(!lt_is_folded(&far_test, up));
    for (int k = 0; k < 3; k++)
        up[k].z = 0.07;
    CHECK(!lt_is_folded(&near_test, up));
    up[2] = up[1];
    CHECK(lt_is_folded(&near_test, up)); /* no area, no side */
    lt_triangle_tree_free(&tree);
    lt_surface_free(&both);
    lt_surface_free(&grid);
}

/* Two triangles back to back on an edge of a box go, both of them. */
static void fins_are_dropped(void) {
    lt_surface box = box_surface(), finned = copy_with_room(&box, 1, 2);
    static const uint32_t fin[6] = {0, 1, 8, 8, 1, 0};
    lt_triangle_tree tree;
    finned.positions[8] = (lt_vec3){0, -3, -3};
    memcpy(finned.triangles + 36, fin, sizeof fin);
    CHECK_FATAL(lt_triangle_tree_build(&tree, &box, NULL, NULL) == LT_OK);
    lt_fold_test test = {&tree, 0.1};
    CHECK(lt_unfold(&test, &finned, NULL, NULL) == LT_OK);
    CHECK_COUNT(finned.triangle_count, 12);
    CHECK(memcmp(finned.triangles, box.triangles, 36 * sizeof(uint32_t)) == 0);
    finned.triangle_count = 14;
    lt_triangle_tree_free(&tree);
    lt_surface_free(&finned);
    lt_surface_free(&box);
}

/* ---- refusals ---- */

static void check_refused(const lt_surface *in, uint32_t count, double max_error, const char *message) {
    lt_surface out;
    lt_error error = {0};
    lt_simplify_params params = {count, max_error};
    CHECK(lt_simplify(in, &params, &out, NULL, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, message);
    CHECK(out.positions == NULL && out.triangle_count == 0);
}

static void bad_parameters_are_refused(void) {
    lt_surface box = box_surface();
    check_refused(&box, 0, 0, "neither a number of triangles nor an error");
    check_refused(&box, 4, -0.1, "an error of -0.1: it is a share of the size");
    check_refused(&box, 4, 1.5, "an error of 1.5");
    check_refused(&box, 4, NAN, "from 0 to 1");
    box.positions[5].z = NAN;
    check_refused(&box, 4, 0, "vertex 5");
    lt_surface_free(&box);
}

/* 2,000 single triangles cannot become ten, and no milder target of six is near enough. */
static void what_cannot_be_says_why(void) {
    lt_surface dust;
    CHECK_FATAL(lt_surface_allocate(&dust, 6000, 2000, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < 6000; i++) {
        dust.positions[i] = (lt_vec3){(float)(i / 3) + (i % 3 == 1 ? 0.2f : 0), i % 3 == 2 ? 0.2f : 0, 0};
        dust.triangles[i] = i;
    }
    check_refused(&dust, 10, 0, "because it changes the number of components (there are ");
    lt_surface_free(&dust);
}

static void failing_memory_is_survived(void) {
    lt_surface ball, out;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1.0, 2, NULL, NULL) == LT_OK);
    lt_status status = LT_STATUS_MEMORY;
    int allowed = 0;
    for (; status == LT_STATUS_MEMORY && allowed < 300; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_simplify_params params = {100, 0};
        lt_error error = {0};
        status = lt_simplify(&ball, &params, &out, NULL, &allocator, &error);
        CHECK(status == LT_OK || (error.message[0] != 0 && out.positions == NULL));
        lt_surface_free(&out);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(status == LT_OK && allowed > 20);
    lt_surface_free(&ball);
}

static void a_build_without_says_what_is_missing(void) {
    lt_surface box = box_surface(), out;
    lt_simplify_params params = {6, 0};
    lt_error error = {0};
    CHECK(lt_simplify(&box, &params, &out, NULL, NULL, &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "libmeshoptimizer-dev");
    CHECK(out.positions == NULL);
    lt_surface_free(&box);
}

int main(void) {
    RUN(folds_are_undone);
    RUN(unfolding_never_pinches);
    RUN(wrong_diagonals_are_flipped);
    RUN(folds_are_told_from_thin_parts);
    RUN(fins_are_dropped);
    if (!lt_simplify_is_supported()) {
        RUN(a_build_without_says_what_is_missing);
        check_skip("built without meshoptimizer");
        return check_finish();
    }
    RUN(generated_shapes_keep_their_form);
    RUN(flat_sides_cost_no_error);
    RUN(the_error_is_kept);
    RUN(targets_too_small_are_made_milder);
    RUN(thin_pieces_stay_pieces);
    RUN(holes_stay_holes);
    RUN(more_than_there_are_changes_nothing);
    RUN(bad_parameters_are_refused);
    RUN(what_cannot_be_says_why);
    RUN(failing_memory_is_survived);
    return check_finish();
}
