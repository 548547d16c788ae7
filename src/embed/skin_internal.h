/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What only skins on cells have, for skin.c. Private to this folder. */

#ifndef LITHE_EMBED_SKIN_INTERNAL_H
#define LITHE_EMBED_SKIN_INTERNAL_H

#include "embed/embed.h"

/* The chunks that only a skin on cells has, and what must hold of it beyond what holds of all; see trilinear.c. */
lt_status lt_skin_read_cells(lt_skin *skin, uint32_t cell_count, const lt_shape *shape, lt_error *error);
lt_status lt_skin_check_cells(const lt_skin *skin, const lt_carrier *carrier, const char *name,
                              lt_error *error);

#endif
