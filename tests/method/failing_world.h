/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A world whose memory runs out after any number of allocations: refused or made, nothing is left behind. */

#ifndef LITHE_TESTS_METHOD_FAILING_WORLD_H
#define LITHE_TESTS_METHOD_FAILING_WORLD_H

#include "failing_allocator.h"
#include "world/fixture.h"

static inline void check_memory_may_run_out(lt_world_def def, lt_shape *shape) {
    bool made = false;
    for (int allowed = 0; !made && allowed < 400; allowed++) {
        failing out = failing_after(allowed);
        def.allocator = failing_allocator(&out);
        lt_world *world = NULL;
        lt_error error = {0};
        if (lt_world_create(&def, &world, &error) == LT_OK) {
            lt_body_def bd = lt_body_def_default();
            bd.shape = shape;
            if (def.method == LT_METHOD_CELL_BOX) bd.model = LT_MODEL_LATTICE_MATCHING;
            made = lt_world_add_body(world, &bd, &error).index_plus_one != 0;
            CHECK(made || error.status == LT_STATUS_MEMORY);
            lt_world_step(world, STEP_DT, lt_budget_unlimited());
            lt_world_destroy(world);
        } else {
            CHECK(error.status == LT_STATUS_MEMORY && !world);
        }
        CHECK_COUNT(out.blocks_out, 0);
        CHECK_COUNT(out.bytes_out, 0);
    }
    CHECK(made);
}

#endif
