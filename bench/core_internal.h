/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `bench core`, one for each line of figures the foundation is held to. Private to
 * bench/core_*.c. */

#ifndef LITHE_BENCH_CORE_INTERNAL_H
#define LITHE_BENCH_CORE_INTERNAL_H

#include "bench.h"

lt_status lt_core_cantilever(lt_bench *bench, lt_error *error);
lt_status lt_core_embedding(lt_bench *bench, lt_error *error);
lt_status lt_core_step(lt_bench *bench, lt_error *error);
lt_status lt_core_memory(lt_bench *bench, lt_error *error);
lt_status lt_core_admission(lt_bench *bench, lt_error *error);
lt_status lt_core_overshoot(lt_bench *bench, lt_error *error);
lt_status lt_core_rest(lt_bench *bench, lt_error *error);
lt_status lt_core_fixed(lt_bench *bench, lt_error *error);
lt_status lt_core_snapshot(lt_bench *bench, lt_error *error);
lt_status lt_core_judge(lt_bench *bench, lt_error *error);

#endif
