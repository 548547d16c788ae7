/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two fingers a fraction of a cell apart: whatever leads from level to level stays in its finger, though the carriers of the
 * two overlap and nodes of one lie in tets of the other. */

#include "bake/ladder.h"
#include "check.h"
#include "enclose_shapes.h"

enum { LEFT = 1, RIGHT = 2 };

typedef struct fingers {
    lt_surface surface;
    lt_ladder_build build;
    uint8_t *node_sides; /* [mesh.node_count] of whose finger: LEFT, RIGHT, both, or 0: the palm */
} fingers;

/* Nodes that hold vertices of a finger well above the palm, for the size of the level's cells. */
static void mark_sides(fingers *f, uint32_t level) {
    const lt_ladder_level *l = &f->build.levels[level];
    double volume = lt_tet_mesh_volume(&l->mesh) / l->mesh.tet_count;
    float height = 0.2f + 5 * (float)cbrt(volume);
    for (uint32_t v = 0; v < f->surface.vertex_count; v++) {
        if (f->surface.positions[v].y < height) continue;
        for (int k = 0; k < 4; k++)
            f->node_sides[f->build.ladder.node_begin[level] + lt_tet_at(&l->mesh, l->vertex_tets[v])[k]] |=
                f->surface.positions[v].x < 0 ? LEFT : RIGHT;
    }
}

static bool make(fingers *f, float gap) {
    static const uint32_t targets[3] = {420, 190, 110};
    lt_enclose_def def = lt_enclose_def_default();
    lt_error error = {0};
    def.rounds = 3;
    def.resolution = 32;
    *f = (fingers){.build = {.surface = &f->surface, .name = "fingers", .clamps = true}};
    bool ok = make_fingers(&f->surface, gap) &&
              lt_ladder_enclose(&f->build, &def, targets, 3, &error) == LT_OK &&
              lt_ladder_finish(&f->build, &error) == LT_OK;
    if (!ok) CHECK_FAIL_MESSAGE("%s", error.message);
    f->node_sides = LT_NEW(NULL, f->build.mesh.node_count, uint8_t);
    for (uint32_t level = 0; level < 3 && ok; level++)
        mark_sides(f, level);
    return ok;
}

static void end(fingers *f) {
    LT_DELETE(NULL, f->node_sides, f->build.mesh.node_count, uint8_t);
    lt_ladder_free(&f->build);
    lt_surface_free(&f->surface);
}

/* The fingers of all its corners. */
static int sides_of_tet(const fingers *f, uint32_t tet) {
    int sides = 0;
    for (int k = 0; k < 4; k++)
        sides |= f->node_sides[lt_tet_at(&f->build.mesh, tet)[k]];
    return sides;
}

/* Nodes of one finger hang on tets that are not of the other; returns how many nodes there were. */
static uint32_t check_rows(const fingers *f) {
    const lt_ladder *l = &f->build.ladder;
    uint32_t count = 0;
    for (uint32_t node = 0; node < f->build.mesh.node_count; node++) {
        int other = (LEFT | RIGHT) & ~f->node_sides[node];
        if (f->node_sides[node] == 0) continue;
        CHECK(other != 0);
        count++;
        if (node < l->node_begin[l->level_count - 1])
            CHECK((sides_of_tet(f, l->above_tets[node]) & other) == 0);
        if (node >= l->node_begin[1])
            CHECK((sides_of_tet(f, l->below_tets[node - l->node_begin[1]]) & other) == 0);
    }
    return count;
}

static void check_pieces(const fingers *f) {
    const lt_ladder *l = &f->build.ladder;
    double of_side[4] = {0};
    for (uint32_t piece = 0; piece < l->piece_count; piece++) {
        int sides = 0;
        for (uint32_t level = 0; level < l->level_count; level++)
            sides |= sides_of_tet(f, l->piece_tets[(size_t)piece * l->level_count + level]);
        of_side[sides] += (double)l->piece_volumes[piece];
    }
    CHECK_NEAR(of_side[LEFT | RIGHT], 0, 0);
    CHECK(of_side[LEFT] > 0.4 && of_side[RIGHT] > 0.4); /* of 0.75 each */
}

static void check_gap(float gap) {
    fingers f;
    if (make(&f, gap)) {
        CHECK(!f.build.is_glued);
        CHECK(f.build.levels[1].overlaps && f.build.levels[2].overlaps);
        CHECK(check_rows(&f) > 150);
        check_pieces(&f);
    }
    end(&f);
}

static void fingers_stay_apart_on_all_levels(void) {
    check_gap(0.16f);
    check_gap(0.24f);
}

int main(void) {
    RUN(fingers_stay_apart_on_all_levels);
    return check_finish();
}
