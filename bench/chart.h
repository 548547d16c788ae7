/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Pictures of what was measured: they go to out/, which is made when it is not there. */

#ifndef LITHE_BENCH_CHART_H
#define LITHE_BENCH_CHART_H

#include "apps/picture/svg.h"

/* Writes out/NAME.svg. */
lt_status lt_bench_chart(const lt_chart *chart, const char *name, lt_error *error);

#endif
