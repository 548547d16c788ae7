/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/icosahedral.h"
#include "core/random.h"
#include "enclose_checks.h"
#include "enclose_shapes.h"

/* The plain lattice and the one pulled in, whose volumes are within these factors of the solid's. */
static void check_figure(lt_surface *surface, uint32_t target, double plain_ratio, double ratio) {
    lt_enclosure e;
    double volume = lt_surface_volume(surface);
    if (enclose_coarsely(surface, target, 0, &e)) {
        CHECK(!e.is_sheet);
        CHECK_NEAR(e.mesh.tet_count / (double)target, 1.0, 0.15);
        CHECK_NEAR(e.solid_volume / volume, 1.0, 1e-9);
        CHECK_NEAR(e.carrier_volume / e.lattice_volume, 1.0, 1e-9);
        CHECK(e.carrier_volume >= volume && e.carrier_volume < plain_ratio * volume);
        lt_enclosure_free(&e);
    }
    if (enclose_coarsely(surface, target, 4, &e)) {
        CHECK_NEAR(e.mesh.tet_count / (double)target, 1.0, 0.25);
        CHECK(e.carrier_volume >= volume && e.carrier_volume < ratio * volume);
        lt_enclosure_free(&e);
    }
    lt_surface_free(surface);
}

static void figures_are_contained(void) {
    lt_surface surface;
    CHECK_FATAL(lt_generate_bear(&surface, 600, NULL, NULL) == LT_OK);
    check_figure(&surface, 160, 3.0, 1.6);
    CHECK_FATAL(lt_generate_letter(&surface, 'E', 400, NULL, NULL) == LT_OK);
    check_figure(&surface, 160, 10.0, 2.5);
    CHECK_FATAL(lt_generate_torus(&surface, 1.0, 0.3, 16, NULL, NULL) == LT_OK);
    check_figure(&surface, 150, 8.0, 2.0);
}

static void random_solids_are_contained(void) {
    lt_random random = lt_random_seed(7);
    for (int i = 0; i < 2; i++) {
        lt_surface part, whole = {0};
        for (int k = 0; k < 3; k++) {
            lt_vec3 offset = {lt_random_range(&random, -1, 1), lt_random_range(&random, -1, 1),
                              lt_random_range(&random, -1, 1)};
            bool is_ball = lt_random_below(&random, 2);
            CHECK_FATAL((is_ball ? lt_generate_icosphere(&part, 1.0, 1, NULL, NULL)
                                 : lt_generate_torus(&part, 1.0, 0.4, 12, NULL, NULL)) == LT_OK);
            CHECK_FATAL(append_surface(&whole, &part, lt_random_range(&random, 0.1f, 1.0f), offset, false));
            lt_surface_free(&part);
        }
        lt_enclosure e;
        if (enclose_coarsely(&whole, 100 + lt_random_below(&random, 100), 3, &e)) {
            CHECK(!e.is_sheet);
            lt_enclosure_free(&e);
        }
        lt_surface_free(&whole);
    }
}

/* From the least target on; positions far from the origin, where floats are coarse. */
static void targets_are_met(void) {
    const uint32_t targets[] = {8, 20, 60, 300};
    lt_surface ball, moved = {0};
    CHECK_FATAL(lt_generate_icosphere(&ball, 0.5, 2, NULL, NULL) == LT_OK);
    CHECK_FATAL(append_surface(&moved, &ball, 1.0f, (lt_vec3){1000, -2000, 500}, false));
    for (size_t i = 0; i < LT_COUNT_OF(targets); i++) {
        lt_enclosure e;
        if (!enclose_coarsely(&moved, targets[i], 2, &e)) continue;
        double off = fabs(e.mesh.tet_count / (double)targets[i] - 1.0);
        CHECK(off <= (targets[i] < 50 ? 1.0 : 0.2));
        lt_enclosure_free(&e);
    }
    lt_surface_free(&ball);
    lt_surface_free(&moved);
}

int main(void) {
    RUN(figures_are_contained);
    RUN(random_solids_are_contained);
    RUN(targets_are_met);
    return check_finish();
}
