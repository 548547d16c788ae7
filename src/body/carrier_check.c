/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Preconditions that carriers of tets and of cells share. */

#include "body/models.h"

bool lt_all_below(const uint32_t *values, uint64_t count, uint64_t limit) {
    for (uint64_t i = 0; i < count; i++)
        if (values[i] >= limit) return false;
    return true;
}

lt_status lt_carrier_check_nodes(const lt_carrier *c, const char *name, lt_error *error) {
    for (size_t i = 0; i < 3 * (size_t)c->node_count; i++)
        if (!(c->rest[i] - c->rest[i] == 0))
            return lt_fail(error, LT_STATUS_INVALID, "shape '%s': node %zu is not finite", name, i / 3);
    return LT_OK;
}
