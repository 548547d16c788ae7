/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The alphabet: every letter one closed piece with its holes, of the size and count asked for. */

#include "core/random.h"
#include "generate_checks.h"
#include "scenes/implicit.h"

static void letters_are_solid_and_have_their_holes(void) {
    double total = 0.0;
    for (char letter = 'A'; letter <= 'Z'; letter++) {
        int holes = letter == 'B' ? 2 : strchr("ADOPQR", letter) ? 1 : 0;
        char name[2] = {letter, 0};
        lt_surface s;
        CHECK_FATAL(lt_generate_letter(&s, letter, LT_LETTER_TRIANGLES, NULL, NULL) == LT_OK);
        check_solid(&s, name, 2 - 2 * holes, 1);
        CHECK_NEAR(s.triangle_count, LT_LETTER_TRIANGLES, 0.05 * LT_LETTER_TRIANGLES);
        CHECK(worst_triangle(&s) > 0.3);
        lt_box box = lt_surface_box(&s);
        CHECK_NEAR(box.lo.y, 0.0, 0.015);
        CHECK_NEAR(box.hi.y, 1.0, 0.015);
        CHECK_NEAR(box.lo.x + box.hi.x, 0.0, 0.02);
        total += s.triangle_count;
        lt_surface_free(&s);
    }
    CHECK_NEAR(total / 26.0, LT_LETTER_TRIANGLES, 0.01 * LT_LETTER_TRIANGLES);
}

/* L is two capsules that share the ball at its corner; their union is measured by throwing points. */
static void letter_has_the_volume_of_its_strokes(void) {
    lt_surface s;
    CHECK_FATAL(lt_generate_letter(&s, 'L', 8000, NULL, NULL) == LT_OK);
    const double r = 0.075, width = 0.52 * 0.85;
    lt_dvec3 corner = {-0.5 * width, r, 0.0}, top = {-0.5 * width, 1.0 - r, 0.0},
             right = {0.5 * width, r, 0.0};
    lt_random random = lt_random_seed(3);
    uint32_t hits = 0, tries = 100000;
    for (uint32_t i = 0; i < tries; i++) {
        lt_dvec3 p = {(width + 2 * r) * (lt_random_unit(&random) - 0.5), lt_random_unit(&random),
                      2 * r * (lt_random_unit(&random) - 0.5)};
        hits += lt_distance_to_cone(p, corner, top, r, r) < 0.0 ||
                lt_distance_to_cone(p, corner, right, r, r) < 0.0;
    }
    double volume = (width + 2 * r) * 2 * r * hits / tries;
    CHECK_NEAR(lt_surface_volume(&s) / volume, 1.0, 0.02);
    lt_surface_free(&s);
}

/* The narrow inside of a V, where projection squeezes triangles: 0.02 before they are mended. */
static void narrow_creases_have_no_slivers(void) {
    lt_surface s;
    CHECK_FATAL(lt_generate_letter(&s, 'V', 1600, NULL, NULL) == LT_OK);
    check_solid(&s, "V", 2, 1);
    CHECK(worst_triangle(&s) > 0.08);
    lt_surface_free(&s);
}

int main(void) {
    RUN(letters_are_solid_and_have_their_holes);
    RUN(letter_has_the_volume_of_its_strokes);
    RUN(narrow_creases_have_no_slivers);
    return check_finish();
}
