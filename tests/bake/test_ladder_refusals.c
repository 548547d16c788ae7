/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Ladders that cannot be, with the reason; memory that runs out; and surfaces without an inside. */

#include "bake/icosahedral.h"
#include "enclose_shapes.h"
#include "failing_allocator.h"
#include "ladder_fixture.h"

/* Blocks of side 1 with `cells` along each side. */
typedef struct blocks {
    lt_tet_mesh meshes[13];
    lt_bake_level levels[13];
    lt_bake_ladder_def def;
} blocks;

static void make_blocks(blocks *b, const uint32_t *cells, uint32_t count) {
    *b = (blocks){.def = lt_bake_ladder_def_default()};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t counts[3] = {cells[i], cells[i], cells[i]};
        CHECK(lt_generate_tet_block(&b->meshes[i], (lt_dvec3){1, 1, 1}, counts, LT_TET_SPLIT_FIVE, NULL,
                                    NULL) == LT_OK);
        b->levels[i] = level_of(&b->meshes[i]);
    }
    b->def.name = "blocks";
    b->def.levels = b->levels;
    b->def.level_count = count;
    b->def.distance_resolution = 4;
}

static void free_blocks(blocks *b) {
    for (int i = 0; i < 13; i++)
        lt_tet_mesh_free(&b->meshes[i]);
}

static void check_blocks_refused(const blocks *b, const char *part) {
    lt_shape *shape = NULL;
    lt_error error = {0};
    CHECK(lt_bake_ladder(&b->def, &shape, NULL, &error) == LT_STATUS_INVALID);
    CHECK(!shape && error.status == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, part);
    CHECK_CONTAINS(error.message, "blocks");
}

static void wrong_levels_are_refused(void) {
    static const uint32_t falling[13] = {3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const uint32_t rising[3] = {3, 1, 2};
    blocks b;
    make_blocks(&b, falling, 13);
    check_blocks_refused(&b, "2 to 12 levels, not 13");
    b.def.level_count = 1;
    check_blocks_refused(&b, "2 to 12 levels, not 1");
    b.def.level_count = 4;
    check_blocks_refused(&b, "level 3 has 5 tets, and level 2, which must be finer, has 5");
    b.def.level_count = 3;
    b.levels[1].tet_count = 0;
    check_blocks_refused(&b, "level 1: there are no tets");
    b.levels[1] = level_of(&b.meshes[1]);
    b.meshes[2].tets[2] = 77;
    check_blocks_refused(&b, "level 2: tet 0 names node 77");
    free_blocks(&b);
    make_blocks(&b, rising, 3);
    check_blocks_refused(&b, "level 2 has 40 tets, and level 1, which must be finer, has 5");
    free_blocks(&b);
}

static void levels_that_do_not_hold_the_surface_are_refused(void) {
    static const uint32_t cells[3] = {3, 2, 1};
    blocks b;
    make_blocks(&b, cells, 3);
    for (uint32_t node = 0; node < b.meshes[1].node_count; node++)
        b.meshes[1].positions[node].y *= 0.999;
    check_blocks_refused(&b, "level 1 does not hold vertex ");
    CHECK(b.meshes[0].positions[12].y == 1); /* the first node at the top, and of the surface */
    check_blocks_refused(&b, "vertex 12 of the surface, at 0 1 0");
    free_blocks(&b);
}

static void a_def_from_elsewhere_is_refused(void) {
    lt_bake_ladder_def def = {0};
    lt_shape *shape = NULL;
    lt_error error = {0};
    CHECK(lt_bake_ladder(&def, &shape, NULL, &error) == LT_STATUS_INVALID && !shape);
    CHECK_CONTAINS(error.message, "lt_bake_ladder_def_default");
}

/* ---- of surfaces ---- */

static lt_bake_surface_def ball_def(const lt_surface *surface) {
    lt_bake_surface_def def = lt_bake_surface_def_default();
    def.name = "ball";
    def.positions = &surface->positions->x;
    def.triangles = surface->triangles;
    def.vertex_count = surface->vertex_count;
    def.triangle_count = surface->triangle_count;
    def.carrier = LT_CARRIER_LADDER;
    def.rounds = 2;
    def.distance_resolution = 4;
    return def;
}

static void check_ball_refused(const lt_bake_surface_def *def, const char *part) {
    lt_shape *shape = NULL;
    lt_error error = {0};
    CHECK(lt_bake_surface(def, &shape, NULL, &error) == LT_STATUS_INVALID && !shape);
    CHECK_CONTAINS(error.message, part);
    CHECK_CONTAINS(error.message, "ball: ");
}

static void wrong_options_are_refused(void) {
    static const uint32_t targets[2] = {60, 7};
    lt_surface ball;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1, 1, NULL, NULL) == LT_OK);
    lt_bake_surface_def def = ball_def(&ball);
    def.embedding = LT_EMBEDDING_RIGID_LINKS;
    check_ball_refused(&def, "rigid links");
    def = ball_def(&ball);
    def.ladder_levels = 1;
    check_ball_refused(&def, "2 to 12 levels, not 1");
    def.ladder_levels = 13;
    check_ball_refused(&def, "2 to 12 levels, not 13");
    def.ladder_levels = 2;
    def.target_tets = 85;
    check_ball_refused(&def, "level 1 is to have 85 tets, and level 0, which must be finer, 85");
    def.level_tets = targets;
    check_ball_refused(&def, "level 1: enclose: the target must be 8 to");
    lt_surface_free(&ball);
}

/* In equal ratios between the two that are given. */
static void levels_are_chosen_between_finest_and_coarsest(void) {
    lt_surface ball;
    lt_shape *shape = NULL;
    lt_bake_surface_notes notes;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1, 2, NULL, NULL) == LT_OK);
    lt_bake_surface_def def = ball_def(&ball);
    def.target_tets = 900;
    def.coarsest_tets = 100;
    def.ladder_levels = 3;
    CHECK(lt_bake_surface(&def, &shape, &notes, NULL) == LT_OK);
    CHECK_COUNT(notes.level_count, 3);
    CHECK_COUNT(notes.target_tets, 900);
    static const double wanted[3] = {900, 300, 100};
    for (int level = 0; level < 3; level++)
        CHECK_NEAR(notes.level_tets[level], wanted[level], 0.3 * wanted[level]);
    lt_shape_release(shape);
    lt_surface_free(&ball);
}

static void sheets_weigh_the_same_on_all_levels(void) {
    static const uint32_t targets[3] = {300, 120, 50};
    lt_surface sheet;
    ladder_shape s;
    lt_bake_surface_notes notes;
    CHECK_FATAL(make_sheet(&sheet, 8, 0));
    bool ok = bake_enclosures(&s, &sheet, targets, 3, &notes);
    lt_surface_free(&sheet);
    CHECK_FATAL(ok);
    CHECK(notes.is_sheet);
    double weights[3] = {0}, pieces = 0;
    for (int level = 0; level < 3; level++)
        for (uint32_t t = s.ladder->tet_begin[level]; t < s.ladder->tet_begin[level + 1]; t++)
            weights[level] += (double)s.carrier.fill[t] * volume_of_tet(&s, t);
    for (uint32_t i = 0; i < s.ladder->piece_count; i++)
        pieces += (double)s.ladder->piece_volumes[i];
    CHECK_NEAR(weights[1], weights[0], 1e-6 * weights[0]);
    CHECK_NEAR(weights[2], weights[0], 1e-6 * weights[0]);
    CHECK_NEAR(pieces, weights[0], 1e-6 * weights[0]);
    lt_shape_release(s.shape);
}

/* ---- memory and progress ---- */

static void every_refused_request_is_survived(void) {
    static const uint32_t cells[2] = {2, 1};
    blocks b;
    make_blocks(&b, cells, 2);
    lt_shape *shape = NULL;
    int refused = 0;
    for (;; refused++) {
        failing f = failing_after(refused);
        lt_error error = {0};
        b.def.allocator = failing_allocator(&f);
        lt_status status = lt_bake_ladder(&b.def, &shape, NULL, &error);
        if (status == LT_OK) {
            lt_shape_release(shape);
            CHECK(f.blocks_out == 0 && f.bytes_out == 0);
            break;
        }
        CHECK(status == LT_STATUS_MEMORY && error.status == LT_STATUS_MEMORY && !shape);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
    }
    CHECK(refused > 60);
    free_blocks(&b);
}

static bool stop_joining(void *context, const char *stage, float share) {
    (void)share;
    *(int *)context += strcmp(stage, "joining levels") == 0;
    return strcmp(stage, "joining levels") != 0;
}

static void baking_can_be_cancelled(void) {
    static const uint32_t targets[2] = {60, 20};
    lt_surface ball;
    lt_shape *shape = NULL;
    lt_error error = {0};
    int calls = 0;
    CHECK_FATAL(lt_generate_icosphere(&ball, 1, 1, NULL, NULL) == LT_OK);
    lt_bake_surface_def def = ball_def(&ball);
    def.level_tets = targets;
    def.ladder_levels = 2;
    def.progress = stop_joining;
    def.progress_context = &calls;
    CHECK(lt_bake_surface(&def, &shape, NULL, &error) == LT_STATUS_CANCELLED && !shape);
    CHECK_COUNT(calls, 1);
    lt_surface_free(&ball);
}

int main(void) {
    RUN(wrong_levels_are_refused);
    RUN(levels_that_do_not_hold_the_surface_are_refused);
    RUN(a_def_from_elsewhere_is_refused);
    RUN(wrong_options_are_refused);
    RUN(levels_are_chosen_between_finest_and_coarsest);
    RUN(sheets_weigh_the_same_on_all_levels);
    RUN(every_refused_request_is_survived);
    RUN(baking_can_be_cancelled);
    return check_finish();
}
