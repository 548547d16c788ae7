/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What is exactly equal, found by sorting: O(n) whatever the input, no tolerance. */

#ifndef LITHE_MESH_WELD_H
#define LITHE_MESH_WELD_H

#include "core/memory.h"
#include "core/vec.h"

/* first_of[i] becomes the lowest index whose three keys equal those of i. False when memory is out. */
bool lt_first_of_equal(uint32_t *first_of, const uint32_t (*keys)[3], uint32_t count,
                       const lt_allocator *allocator);

/* first_of[i] becomes the lowest index whose position equals that of i; zeros of both signs are equal. The
 * positions are finite. False when memory is out. */
bool lt_weld_positions(uint32_t *first_of, const lt_vec3 *positions, uint32_t count,
                       const lt_allocator *allocator);

#endif
