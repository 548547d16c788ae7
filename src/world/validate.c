/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What must hold of a world between two steps. Test builds (LITHE_VALIDATE) look at it after every step; a flaw fails as an assert
 * does. Each container has its validator beside itself: here they are called, in the order in which a step relies on them. */

#include "world/world.h"

const char *lt_validate_world(const lt_world *world) {
    return world->method->validate(world->method_state);
}
