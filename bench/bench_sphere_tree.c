/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench sphere-tree`: how good trees are, how fast they are traversed, what a budget buys (papers/000). */

#include "sphere_parts.h"

lt_status lt_experiment_sphere_tree(lt_bench *bench, lt_error *error) {
    return lt_sphere_crowd(bench, error);
}
