/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Whether two tets meet, flat ones too: the oracle of folded bodies, held against answers of others (truth/truth_intersection.c). */

#ifndef LITHE_TESTS_EXACT_TETS_H
#define LITHE_TESTS_EXACT_TETS_H

#include "mesh/exact.h"

/* A face of one reaches into the other, or all of the other lies within. */
static inline bool exact_tet_tet(const lt_dvec3 a[4], const lt_dvec3 b[4]) {
    for (int k = 0; k < 4; k++) {
        const lt_dvec3 face[3] = {a[(k + 1) % 4], a[(k + 2) % 4], a[(k + 3) % 4]};
        if (lt_exact_triangle_tet(face, b)) return true;
    }
    return lt_exact_point_tet(b[0], a);
}

#endif
