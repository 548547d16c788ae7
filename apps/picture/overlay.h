/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What is drawn over the shaded picture: contact markers and the caption. Internal to the rasteriser. */

#ifndef LITHE_PICTURE_OVERLAY_H
#define LITHE_PICTURE_OVERLAY_H

#include "picture/shade.h"

void lt_overlay_draw(const lt_scene_view *scene, const lt_picture *picture, const lt_color_tables *tables,
                     lt_image *linear);

#endif
