/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The node that is farthest along a direction, eight at a time, against one after the other, on every SIMD level. */

#include "check.h"
#include "core/random.h"
#include "method/multiscale_plane.h"

enum { MOST = 67, STRIDE = 72 };

static float along(const float *columns, uint32_t node, lt_vec3 d) {
    return columns[node] * d.x + columns[STRIDE + node] * d.y + columns[2 * STRIDE + node] * d.z;
}

/* The first of the farthest. */
static uint32_t farthest_of(const lt_node_columns *c, uint32_t count, lt_vec3 d, float *most) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        float from = along(c->from, i, d);
        float here = c->to == c->from ? from : from + (along(c->to, i, d) - from) * c->share;
        if (i > 0 && !(here > *most)) continue;
        *most = here;
        found = i;
    }
    return found;
}

/* Coordinates are whole numbers, so that many are equal. */
static void fill(float *columns, uint32_t count, lt_random *random) {
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < STRIDE; i++)
            columns[k * STRIDE + i] = i < count ? (float)lt_random_below(random, 9) - 4 : columns[k * STRIDE];
}

static void kernels_find_the_first_of_the_farthest(void) {
    static float from[3 * STRIDE], to[3 * STRIDE];
    lt_random random = lt_random_seed(5);
    for (uint32_t count = 1; count <= MOST; count++)
        for (int trial = 0; trial < 6; trial++) {
            fill(from, count, &random);
            fill(to, count, &random);
            const lt_node_columns c = {from, trial % 2 ? to : from, STRIDE, 0.25f};
            lt_vec3 d = {lt_random_range(&random, -1, 1), lt_random_range(&random, -1, 1),
                         (float)(trial > 3)};
            float most = 0, expected = 0;
            uint32_t first = farthest_of(&c, count, d, &expected);
            for (int level = 0; level <= (int)lt_simd_best(); level++) {
                CHECK_COUNT(lt_farthest_kernel_for((lt_simd_level)level)(&c, count, d, &most), first);
                CHECK(most == expected);
            }
        }
}

int main(void) {
    RUN(kernels_find_the_first_of_the_farthest);
    return check_finish();
}
