/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The sub-commands of the program. Each takes the words after its name and returns an exit code of
 * options.h. */

#ifndef LITHE_APPS_COMMANDS_H
#define LITHE_APPS_COMMANDS_H

/* X(name, about) */
#define LT_COMMAND_LIST(X)                                                                                   \
    X(run, "simulate a scene; report every step, record pictures")                                           \
    X(replay, "repeat a run that was saved, to the bit")                                                     \
    X(demo, "simulate a scene at several budgets, side by side")                                             \
    X(scenes, "list the built-in scenes")                                                                    \
    X(info, "say what a mesh or a baked shape contains")                                                     \
    X(bake, "turn a surface or a tet mesh into a shape")                                                     \
    X(bench, "measure, and check the measurements against their bars")

#define LT_COMMAND_DECLARE(name, about) int lt_command_##name(int word_count, char **words);
LT_COMMAND_LIST(LT_COMMAND_DECLARE)
#undef LT_COMMAND_DECLARE

#endif
