/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/enclose.h"
#include "core/hash.h"
#include "enclose_checks.h"
#include "mesh/generate.h"

/* Encloses, checks all that must hold, and leaves the enclosure to the caller. */
static bool enclose(lt_surface *surface, uint32_t target, uint32_t rounds, lt_enclosure *out) {
    lt_enclose_def def = lt_enclose_def_default();
    lt_error error = {0};
    def.target_tets = target;
    def.rounds = rounds;
    if (lt_enclose(surface, &def, out, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return false;
    }
    check_enclosure(surface, out, rounds ? def.min_dihedral : 59.9);
    CHECK_NEAR(out->mesh.tet_count / (double)target, 1.0, 0.2);
    return true;
}

static void check_figure(lt_surface *surface, uint32_t target, double plain_ratio, double ratio) {
    lt_enclosure e;
    double volume = lt_surface_volume(surface);
    if (enclose(surface, target, 0, &e)) {
        CHECK(!e.is_sheet);
        CHECK_NEAR(e.solid_volume / volume, 1.0, 1e-9);
        CHECK(e.carrier_volume >= volume && e.carrier_volume < plain_ratio * volume);
        lt_enclosure_free(&e);
    }
    if (enclose(surface, target, 6, &e)) {
        CHECK(e.carrier_volume >= volume && e.carrier_volume < ratio * volume);
        lt_enclosure_free(&e);
    }
    lt_surface_free(surface);
}

static void figures_are_contained(void) {
    lt_surface surface;
    CHECK_FATAL(lt_generate_bear(&surface, 800, NULL, NULL) == LT_OK);
    check_figure(&surface, 400, 3.0, 3.0);
    CHECK_FATAL(lt_generate_letter(&surface, 'E', 600, NULL, NULL) == LT_OK);
    check_figure(&surface, 300, 4.5, 4.5);
    CHECK_FATAL(lt_generate_torus(&surface, 1.0, 0.3, 24, NULL, NULL) == LT_OK);
    check_figure(&surface, 300, 4.5, 4.5);
}

int main(void) {
    RUN(figures_are_contained);
    return check_finish();
}
