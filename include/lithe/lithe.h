/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Everything a user of the runtime library sees. Offline baking is in lithe/bake.h, scenes in lithe/scene.h. */

#ifndef LITHE_LITHE_H
#define LITHE_LITHE_H

#include "lithe/base.h"
#include "lithe/budget.h"
#include "lithe/collision.h"
#include "lithe/debug_draw.h"
#include "lithe/mesh_file.h"
#include "lithe/query.h"
#include "lithe/report.h"
#include "lithe/shape.h"
#include "lithe/tasks.h"
#include "lithe/world.h"

#endif
