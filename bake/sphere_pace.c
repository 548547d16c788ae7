/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/sphere_pace.h"

static const lt_sphere_pace paces[] = {
    [LT_EFFORT_FULL] = {.samples = 24000,
                        .trials = 64,
                        .cells = 112,
                        .balls_most = 10000,
                        .vertices_most = 60000,
                        .points_most = 16384,
                        .candidates_most = 320,
                        .groups_most = 160,
                        .root_runs = 24,
                        .root_finals = 4,
                        .split_rounds = 4,
                        .settle_steps = 40,
                        .polish_steps = 60,
                        .refine_rounds = 6,
                        .refine_plain_rounds = 3,
                        .refine_steps = 80,
                        .tolerance = 0.02,
                        .own_tolerance = 0.04,
                        .questions_most = 12000},
    [LT_EFFORT_QUICK] = {.samples = 4000,
                         .trials = 0,
                         .cells = 56,
                         .balls_most = 800,
                         .vertices_most = 60000,
                         .points_most = 4096,
                         .candidates_most = 96,
                         .groups_most = 48,
                         .few_directions = true,
                         .root_runs = 1,
                         .split_rounds = 4,
                         .settle_steps = 20,
                         .polish_steps = 20,
                         .refine_rounds = 3,
                         .refine_plain_rounds = 2,
                         .refine_steps = 30,
                         .tolerance = 0.06,
                         .own_tolerance = 0.15,
                         .questions_most = 200},
};

const lt_sphere_pace *lt_sphere_pace_of(lt_bake_effort effort) {
    return &paces[effort];
}
