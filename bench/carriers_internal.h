/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The parts of `bench carriers`, and the one measured bake they share. Private to bench/carriers_*.c. */

#ifndef LITHE_BENCH_CARRIERS_INTERNAL_H
#define LITHE_BENCH_CARRIERS_INTERNAL_H

#include "bench.h"

#include "lithe/bake.h"
#include "mesh/mesh.h"

enum { LT_CARRIERS_TARGET = 2000 }; /* tets, wherever figures are compared */

lt_status lt_carriers_files(lt_bench *bench, lt_error *error);
lt_status lt_carriers_fit(lt_bench *bench, lt_error *error);
lt_status lt_carriers_fingers(lt_bench *bench, lt_error *error);
lt_status lt_carriers_store(lt_bench *bench, lt_error *error);

/* An allocator that knows how much is out. */
typedef struct lt_memory_meter {
    lt_allocator inner;
    size_t out, peak; /* bytes */
} lt_memory_meter;

/* Must stay where it is until the shape is released, which lives in memory of the meter. */
typedef struct lt_measured_bake {
    lt_shape *shape;       /* release it */
    lt_memory_meter meter; /* its peak is the most that was out at once, the shape included */
    lt_bake_surface_notes notes;
    double seconds;        /* processor time of the thread: one core, whatever else runs */
    double wall_seconds;   /* the same by the clock on the wall */
    double least_dihedral; /* degrees */
    double filled_volume;  /* m³, of the tets times their fill: mass over density */
} lt_measured_bake;

/* With the default options but for the target. */
lt_status lt_measure_bake(lt_measured_bake *out, const lt_surface *surface, const char *name, uint32_t target,
                          const lt_allocator *allocator, lt_error *error);
/* The row of a bake. */
void lt_bench_bake_row(lt_bench *bench, const char *label, const lt_measured_bake *bake);

#endif
