/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Lattices that cannot be made: bad options, a progress function that cancels, memory that runs out. */

#include "bake/cells.h"
#include "scenes/generate.h"

#include "bake/icosahedral.h"
#include "check.h"
#include "enclose_shapes.h"
#include "failing_allocator.h"

static void bad_options_are_refused(void) {
    lt_surface s;
    lt_cells c;
    lt_error error;
    lt_cells_def def = lt_cells_def_default();
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 1, NULL, NULL) == LT_OK);
    def.target_cells = 0;
    CHECK(lt_cells_build(&s, &def, &c, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "cells");
    def = lt_cells_def_default();
    def.cell_size = -1;
    CHECK(lt_cells_build(&s, &def, &c, &error) == LT_STATUS_INVALID);
    def = lt_cells_def_default();
    def.resolution = 3;
    CHECK(lt_cells_build(&s, &def, &c, &error) == LT_STATUS_INVALID);
    def = lt_cells_def_default();
    def.cell_size = 1e-4;
    CHECK(lt_cells_build(&s, &def, &c, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "larger cells");
    CHECK(c.mesh.cells == NULL && c.surface.positions == NULL);
    lt_surface_free(&s);
}

static bool stop_at(void *context, const char *stage, float share) {
    (void)share;
    return strcmp(stage, context) != 0;
}

static void progress_can_cancel(void) {
    static const char *const stages[] = {"finding the inside", "choosing the size of cells",
                                         "cutting the surface", "laying out cells"};
    lt_surface s;
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 1, NULL, NULL) == LT_OK);
    for (size_t i = 0; i < LT_COUNT_OF(stages); i++) {
        lt_cells c;
        lt_cells_def def = lt_cells_def_default();
        def.target_cells = 10;
        def.progress = stop_at;
        def.progress_context = (void *)stages[i];
        CHECK(lt_cells_build(&s, &def, &c, NULL) == LT_STATUS_CANCELLED);
    }
    lt_surface_free(&s);
}

static void failing_memory_leaks_nothing(void) {
    lt_surface s = {0};
    CHECK_FATAL(append_box(&s, (lt_vec3){-1, -1, -1}, (lt_vec3){1, 1, 1}, 1));
    for (int allowed = 0;; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_cells c;
        lt_cells_def def = lt_cells_def_default();
        def.cell_size = 1.5;
        def.target_cells = 1;
        def.resolution = 4;
        def.allocator = &allocator;
        lt_error error = {0};
        lt_status status = lt_cells_build(&s, &def, &c, &error);
        if (status == LT_OK) lt_cells_free(&c);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
        if (status == LT_OK) break;
        CHECK(status == LT_STATUS_MEMORY);
        CHECK_FATAL(allowed < 1000);
    }
    lt_surface_free(&s);
}

int main(void) {
    RUN(bad_options_are_refused);
    RUN(progress_can_cancel);
    RUN(failing_memory_leaks_nothing);
    return check_finish();
}
