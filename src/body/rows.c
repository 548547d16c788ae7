/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The view that others have of a body: its nodes as floats, and which of them are rows of its system, that is, move by themselves. Without a
 * ladder all do. */

#include "body/multigrid.h"

void lt_soft_publish(lt_soft *soft) {
#ifdef LITHE_DOUBLE
    for (size_t i = 0; i < 4 * (size_t)soft->carrier.node_count; i++) {
        soft->nodes[i] = (float)soft->x[i];
        soft->node_velocities[i] = (float)soft->v[i];
    }
#else
    (void)soft;
#endif
}

uint32_t lt_soft_row_count(const lt_soft *soft) {
    return soft->grid ? soft->grid->row_count : soft->carrier.node_count;
}
const uint32_t *lt_soft_row_nodes(const lt_soft *soft) {
    return soft->grid ? soft->grid->nodes : NULL;
}
const uint32_t *lt_soft_node_rows(const lt_soft *soft) {
    return soft->grid ? soft->grid->rows : NULL;
}
