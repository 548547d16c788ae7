/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `bench reach`. Private to bench/bench_reach.c and bench/reach_*.c. */

#ifndef LITHE_BENCH_REACH_INTERNAL_H
#define LITHE_BENCH_REACH_INTERNAL_H

#include "bench.h"

lt_status lt_reach_files(lt_bench *bench, lt_error *error);
lt_status lt_reach_snapshot(lt_bench *bench, lt_error *error);

#endif
