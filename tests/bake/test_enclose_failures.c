/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Enclosing gives up cleanly: at every request for memory, and whenever the caller says so. */

#include "bake/enclose.h"
#include "check.h"
#include "enclose_shapes.h"
#include "failing_allocator.h"

static bool is_zeroed(const lt_enclosure *e) {
    return !e->mesh.positions && !e->mesh.tets && !e->fill && !e->vertex_tets && e->mesh.tet_count == 0;
}

/* A box without its last two triangles: small, and open, so that a cap is made too. */
static bool make_open_box(lt_surface *out) {
    *out = (lt_surface){0};
    return append_box(out, (lt_vec3){0, 0, 0}, (lt_vec3){1, 2, 1}, 1);
}

static lt_enclose_def small_def(void) {
    lt_enclose_def def = lt_enclose_def_default();
    def.target_tets = 24;
    def.rounds = 1;
    def.resolution = 4;
    return def;
}

static void every_refused_request_is_survived(void) {
    lt_surface box;
    CHECK_FATAL(make_open_box(&box));
    uint32_t whole = box.triangle_count;
    box.triangle_count = whole - 2;
    int allowed = 0, step = 1;
    for (;; allowed += step) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_enclose_def def = small_def();
        lt_enclosure e;
        lt_error error = {0};
        def.allocator = &allocator;
        lt_status status = lt_enclose(&box, &def, &e, &error);
        if (status == LT_OK) {
            lt_enclosure_free(&e);
            CHECK_COUNT(f.blocks_out, 0);
            CHECK_COUNT(f.bytes_out, 0);
            break;
        }
        CHECK(status == LT_STATUS_MEMORY && is_zeroed(&e) && error.message[0] != 0);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
        if (check_failures > 0) break;
        if (allowed > 60) step = 1 + allowed / 12; /* the later ones are growing lists, all alike */
    }
    CHECK(allowed > 80);
    box.triangle_count = whole;
    lt_surface_free(&box);
}

typedef struct patience {
    int calls, limit;
    const char *last_stage;
} patience;

static bool be_patient(void *context, const char *stage, float share) {
    patience *p = context;
    CHECK(share >= 0.0f && share <= 1.0f);
    p->last_stage = stage;
    return p->calls++ < p->limit;
}

static void cancelling_leaves_nothing(void) {
    lt_surface box;
    CHECK_FATAL(make_open_box(&box));
    for (int limit = 0;; limit++) {
        failing f = failing_after(1 << 30);
        lt_allocator allocator = failing_allocator(&f);
        patience p = {.limit = limit};
        lt_enclose_def def = small_def();
        lt_enclosure e;
        lt_error error = {0};
        def.allocator = &allocator;
        def.progress = be_patient;
        def.progress_context = &p;
        lt_status status = lt_enclose(&box, &def, &e, &error);
        if (status == LT_OK) lt_enclosure_free(&e);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
        if (status == LT_OK) {
            CHECK(limit >= 5); /* the stages: inside, size, layout, pulling in, proving */
            break;
        }
        CHECK(status == LT_STATUS_CANCELLED && is_zeroed(&e));
        CHECK_CONTAINS(error.message, p.last_stage);
        CHECK_FATAL(limit < 100);
    }
    lt_surface_free(&box);
}

int main(void) {
    RUN(every_refused_request_is_survived);
    RUN(cancelling_leaves_nothing);
    return check_finish();
}
