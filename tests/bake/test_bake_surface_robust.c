/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bad surfaces and options, the same bytes twice, cancelling at every stage, refused memory. */

#include "check.h"
#include "core/memory.h"
#include "core/os.h"
#include "failing_allocator.h"
#include "scenes/generate.h"
#include "surface_samples.h"

#include <math.h>

/* Status and message of a bake that must fail; nothing is handed out. */
static void check_refused(const lt_bake_surface_def *def, lt_status status, const char *part) {
    lt_shape *shape = (lt_shape *)(uintptr_t)1;
    lt_error error = {0};
    CHECK(lt_bake_surface(def, &shape, NULL, &error) == status);
    CHECK(shape == NULL);
    CHECK_CONTAINS(error.message, part);
}

static void bad_surfaces_are_refused(void) {
    lt_surface surface = tets_of(1.0f, 0.0f, false);
    lt_bake_surface_def def = def_of(&surface, 40);
    def.name = "thing.obj";
    surface.positions[2].y = NAN;
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    check_refused(&def, LT_STATUS_INVALID, "vertex 2");
    surface.positions[2].y = INFINITY;
    check_refused(&def, LT_STATUS_INVALID, "vertex 2");
    surface.positions[2].y = 1.0f;
    surface.triangles[4] = 4;
    check_refused(&def, LT_STATUS_INVALID, "triangle 1");
    surface.triangles[4] = 1;
    def.triangle_count = 0;
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    def.triangle_count = 4;
    def.positions = NULL;
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    def.positions = &surface.positions[0].x;
    for (int i = 0; i < 4; i++)
        surface.positions[i] = (lt_vec3){(float)i, 0, 0};
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    for (int i = 0; i < 4; i++)
        surface.positions[i] = (lt_vec3){1, 2, 3};
    check_refused(&def, LT_STATUS_INVALID, "thing.obj: ");
    free_tets(&surface);
}

static void bad_options_are_refused(void) {
    lt_surface surface = tets_of(1.0f, 0.0f, false);
    const lt_bake_surface_def good = def_of(&surface, 40);
    lt_bake_surface_def def = good;
    def.target_tets = 3;
    check_refused(&def, LT_STATUS_INVALID, "8 to 2000000 tets, not 3");
    def.target_tets = 10000000;
    check_refused(&def, LT_STATUS_INVALID, "not 10000000");
    def = good;
    def.min_dihedral = 0.5f;
    check_refused(&def, LT_STATUS_INVALID, "dihedral");
    def.min_dihedral = 50.0f;
    check_refused(&def, LT_STATUS_INVALID, "dihedral");
    def.min_dihedral = NAN;
    check_refused(&def, LT_STATUS_INVALID, "dihedral");
    def = good;
    def.rounds = 101;
    check_refused(&def, LT_STATUS_INVALID, "rounds");
    def = good;
    def.distance_resolution = 5000;
    check_refused(&def, LT_STATUS_INVALID, "1 to 1024 cells, not 5000");
    def.distance_resolution = 0;
    check_refused(&def, LT_STATUS_INVALID, "not 0");
    free_tets(&surface);
}

/* ---- the same bytes, cancelling, memory ---- */

static void the_same_input_gives_the_same_bytes(void) {
    lt_surface surface;
    CHECK_FATAL(lt_generate_bear(&surface, 600, NULL, NULL) == LT_OK);
    static const char *const paths[2] = {"bake_surface_a.lithe", "bake_surface_b.lithe"};
    uint8_t *bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        lt_bake_surface_def def = def_of(&surface, 60);
        lt_shape *shape;
        CHECK(lt_bake_surface(&def, &shape, NULL, NULL) == LT_OK);
        CHECK(lt_shape_save(shape, paths[i], NULL) == LT_OK);
        lt_shape_release(shape);
        CHECK(lt_os_read_file(paths[i], NULL, &bytes[i], &sizes[i], NULL) == LT_OK);
        remove(paths[i]);
    }
    CHECK(sizes[0] > 0 && sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
    lt_release(NULL, bytes[0], sizes[0], 1);
    lt_release(NULL, bytes[1], sizes[1], 1);
    lt_surface_free(&surface);
}

/* Every stage in the order of its first call; the bake is cancelled at that call of stage `cancel_at`. */
typedef struct patience {
    char stages[16][64];
    int stage_count, cancel_at;
} patience;

static bool lose_patience(void *context, const char *stage, float share) {
    patience *p = context;
    CHECK(share >= 0.0f && share <= 1.0f);
    for (int i = 0; i < p->stage_count; i++)
        if (strcmp(p->stages[i], stage) == 0) return true;
    if (p->stage_count < 16) snprintf(p->stages[p->stage_count++], 64, "%s", stage);
    return p->stage_count != p->cancel_at + 1;
}

static lt_status bake_with_patience(const lt_surface *surface, patience *p, lt_error *error) {
    failing counting = failing_after(1 << 30);
    lt_bake_surface_def def = def_of(surface, 40);
    def.progress = lose_patience;
    def.progress_context = p;
    def.allocator = failing_allocator(&counting);
    lt_shape *shape;
    lt_status status = lt_bake_surface(&def, &shape, NULL, error);
    CHECK((shape != NULL) == (status == LT_OK));
    lt_shape_release(shape);
    CHECK(counting.blocks_out == 0 && counting.bytes_out == 0);
    return status;
}

static void every_stage_can_be_cancelled(void) {
    lt_surface surface = tets_of(1.0f, 0.0f, false);
    patience whole = {.cancel_at = -2};
    lt_error error = {0};
    CHECK(bake_with_patience(&surface, &whole, &error) == LT_OK);
    CHECK_COUNT(whole.stage_count, 8); /* repair, inside, size, lay out, pull in, fill, prove, embed */
    CHECK(strcmp(whole.stages[0], "repair") == 0 && strcmp(whole.stages[7], "embed") == 0);
    for (int i = 0; i < whole.stage_count; i++) {
        patience p = {.cancel_at = i};
        CHECK(bake_with_patience(&surface, &p, &error) == LT_STATUS_CANCELLED);
        CHECK_COUNT(p.stage_count, i + 1); /* nobody was asked again */
        CHECK_CONTAINS(error.message, "cancelled");
    }
    free_tets(&surface);
}

/* Every request up to the fortieth, then ever fewer: all of them would take a minute. */
static void refused_memory_leaks_nothing(void) {
    lt_surface surface = tets_of(1.0f, 0.0f, false);
    bool done = false;
    for (int allowed = 0; !done && allowed < 100000; allowed += allowed < 40 ? 1 : allowed / 3) {
        failing f = failing_after(allowed);
        lt_bake_surface_def def = def_of(&surface, 40);
        def.rounds = 1;
        def.distance_resolution = 2;
        def.allocator = failing_allocator(&f);
        lt_shape *shape;
        lt_error error = {0};
        lt_status status = lt_bake_surface(&def, &shape, NULL, &error);
        CHECK(status == LT_OK || status == LT_STATUS_MEMORY);
        CHECK((shape != NULL) == (status == LT_OK));
        lt_shape_release(shape);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
        done = status == LT_OK;
    }
    CHECK(done);
    free_tets(&surface);
}

int main(void) {
    RUN(bad_surfaces_are_refused);
    RUN(bad_options_are_refused);
    RUN(the_same_input_gives_the_same_bytes);
    RUN(every_stage_can_be_cancelled);
    RUN(refused_memory_leaks_nothing);
    return check_finish();
}
