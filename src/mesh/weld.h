/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Vertices in exactly the same place, found by sorting: O(n) whatever the input, no tolerance. */

#ifndef LITHE_MESH_WELD_H
#define LITHE_MESH_WELD_H

#include "core/memory.h"
#include "core/vec.h"

/* first_of[i] becomes the lowest index whose position equals that of i; zeros of both signs are equal. The
 * positions are finite. False when memory is out. */
bool lt_weld_positions(uint32_t *first_of, const lt_vec3 *positions, uint32_t count,
                       const lt_allocator *allocator);

#endif
