/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* 70,000 surface points in a carrier of 1,000 nodes, against a bare loop of 128-bit loads over the same
 * arrays. */

#include "core_parts.h"

lt_status lt_core_embedding(lt_bench *bench, lt_error *error) {
    (void)error;
    lt_bench_check_absent(bench, "core.embedding-times-bare-loads", "<", 1.5,
                          "the embedding kernel is not part of this build");
    return LT_OK;
}
