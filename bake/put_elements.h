/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What the generated shapes share: refusals, counts, quads, rings and prisms. Of bake/icosahedral.c and scenes/generate_*.c. */

#ifndef LITHE_BAKE_PUT_ELEMENTS_H
#define LITHE_BAKE_PUT_ELEMENTS_H

#include "core/base.h"

#include <math.h>

/* Between 1e-10 and 1e10, so that squares and cubes of it are still good floats. */
static inline lt_status lt_check_length(const char *shape, const char *what, double value, lt_error *error) {
    if (value >= 1e-10 && value <= 1e10) return LT_OK;
    return lt_fail(error, LT_STATUS_INVALID, "%s: the %s must be between 1e-10 and 1e10, not %g", shape, what,
                   value);
}

static inline lt_status lt_check_count(const char *shape, const char *what, uint32_t value, uint32_t lo,
                                       uint32_t hi, lt_error *error) {
    if (value >= lo && value <= hi) return LT_OK;
    return lt_fail(error, LT_STATUS_INVALID, "%s: the number of %s must be %u to %u, not %u", shape, what, lo,
                   hi, value);
}

static inline lt_status lt_check_torus(const char *shape, double major_radius, double minor_radius,
                                       lt_error *error) {
    lt_status status = lt_check_length(shape, "major radius", major_radius, error);
    if (status == LT_OK) status = lt_check_length(shape, "minor radius", minor_radius, error);
    if (status == LT_OK && !(minor_radius < major_radius))
        status =
            lt_fail(error, LT_STATUS_INVALID, "%s: the minor radius %g must be below the major radius %g",
                    shape, minor_radius, major_radius);
    return status;
}

static inline uint32_t lt_round_to_count(double value, uint32_t least, uint32_t most) {
    double rounded = floor(value + 0.5);
    return rounded > most ? most : rounded > least ? (uint32_t)rounded : least;
}

/* `cells` along the longer of x and z, the nearest to square along the other, one in y. */
static inline void lt_plate_cells(double size_x, double size_z, uint32_t cells, uint32_t divisions[3]) {
    double longer = size_x > size_z ? size_x : size_z;
    divisions[0] = lt_round_to_count(cells * size_x / longer, 1, cells);
    divisions[1] = 1;
    divisions[2] = lt_round_to_count(cells * size_z / longer, 1, cells);
}

/* Corners counter-clockwise seen from outside. `flip` takes the other diagonal. */
static inline uint32_t *lt_put_quad(uint32_t *corner, const uint32_t quad[4], bool flip) {
    uint32_t s = flip ? 1 : 0;
    corner[0] = quad[s], corner[1] = quad[s + 1], corner[2] = quad[s + 2];
    corner[3] = quad[s], corner[4] = quad[s + 2], corner[5] = quad[(s + 3) & 3];
    return corner + 6;
}

/* The wall between two rings of `count` vertices each, seen from outside with `second` above `first` and
 * both running to the right. */
static inline uint32_t *lt_put_ring_wall(uint32_t *corner, uint32_t first, uint32_t second, uint32_t count) {
    for (uint32_t s = 0; s < count; s++) {
        uint32_t t = s + 1 < count ? s + 1 : 0;
        corner = lt_put_quad(corner, (uint32_t[4]){first + s, first + t, second + t, second + s}, s & 1);
    }
    return corner;
}

static inline uint32_t *lt_put_tet(uint32_t *tet, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    tet[0] = a, tet[1] = b, tet[2] = c, tet[3] = d;
    return tet + 4;
}

/* Three tets between the triangle a b c of one ring, which begins at `front`, and that of the next. A side is
 * cut from its lower number in front to its higher one behind, so that prisms beside each other agree. Signs
 * of volumes are as they come. */
static inline uint32_t *lt_put_prism(uint32_t *tet, uint32_t a, uint32_t b, uint32_t c, uint32_t front,
                                     uint32_t behind) {
    uint32_t swap;
    if (a > b) swap = a, a = b, b = swap;
    if (b > c) swap = b, b = c, c = swap;
    if (a > b) swap = a, a = b, b = swap;
    tet = lt_put_tet(tet, front + a, front + b, front + c, behind + c);
    tet = lt_put_tet(tet, front + a, front + b, behind + b, behind + c);
    return lt_put_tet(tet, front + a, behind + a, behind + b, behind + c);
}

#endif
