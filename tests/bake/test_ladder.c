/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What bake says of ladders, against the definitions: by looking at every node and every tet. */

#include "bake/icosahedral.h"
#include "bake/skin_write.h"
#include "ladder_fixture.h"
#include "mesh/closest.h"

/* ---- rows ---- */

static void check_row(const ladder_shape *s, uint32_t node, uint32_t tet, const float w[4], bool reproduces) {
    lt_dvec3 p = {0};
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += (double)w[k];
        p = lt_d3_mad(p, s->mesh.positions[lt_tet_at(&s->mesh, tet)[k]], (double)w[k]);
    }
    CHECK_NEAR(sum, 1, 1e-6);
    if (reproduces)
        CHECK_NEAR(lt_d3_distance(p, s->mesh.positions[node]), 0, 1e-5);
    else
        for (int k = 0; k < 4; k++)
            CHECK(w[k] >= -0.5f - 1e-6f);
}

static double distance_to_tet(const ladder_shape *s, uint32_t tet, lt_dvec3 p) {
    double w[4], nearest = INFINITY;
    if (lt_holding_tet(w, &s->mesh, &tet, 1, 1, p) == tet && lt_least_weight(w) >= 0) return 0;
    for (int face = 0; face < 4; face++) {
        lt_dvec3 corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = s->mesh.positions[lt_tet_at(&s->mesh, tet)[(face + 1 + k) % 4]];
        nearest = lt_min_d(nearest, lt_closest_on_triangle(p, corners).distance_squared);
    }
    return sqrt(nearest);
}

/* Whether no tet of the level is nearer than the one of the row. */
static bool is_nearest(const ladder_shape *s, uint32_t node, uint32_t tet, uint32_t level) {
    lt_dvec3 p = s->mesh.positions[node];
    double nearest = INFINITY;
    for (uint32_t t = s->ladder->tet_begin[level]; t < s->ladder->tet_begin[level + 1]; t++)
        nearest = lt_min_d(nearest, distance_to_tet(s, t, p));
    CHECK(tet >= s->ladder->tet_begin[level] && tet < s->ladder->tet_begin[level + 1]);
    return distance_to_tet(s, tet, p) <= nearest + 1e-7;
}

/* Returns how many rows are of tets that are not the nearest: of nodes between limbs, where the nearest may be another limb's. */
static uint32_t check_rows(const ladder_shape *s, bool reproduces) {
    const lt_ladder *l = s->ladder;
    uint32_t farther = 0;
    for (uint32_t level = 0; level < l->level_count; level++)
        for (uint32_t node = l->node_begin[level]; node < l->node_begin[level + 1]; node++) {
            if (level + 1 < l->level_count) {
                check_row(s, node, l->above_tets[node], l->above_weights + 4 * (size_t)node, reproduces);
                farther += !is_nearest(s, node, l->above_tets[node], level + 1);
            }
            if (level == 0) continue;
            uint32_t row = node - l->node_begin[1];
            check_row(s, node, l->below_tets[row], l->below_weights + 4 * (size_t)row, reproduces);
            farther += !is_nearest(s, node, l->below_tets[row], level - 1);
        }
    return farther;
}

/* ---- forest and cascade ---- */

static void check_parents(const ladder_shape *s) {
    const lt_ladder *l = s->ladder;
    for (uint32_t node = 0; node < l->node_begin[l->level_count - 1]; node++) {
        const uint32_t *tet = lt_tet_at(&s->mesh, l->above_tets[node]);
        double nearest = INFINITY;
        bool is_corner = false;
        for (int k = 0; k < 4; k++) {
            nearest = lt_min_d(nearest, lt_d3_distance(s->mesh.positions[tet[k]], s->mesh.positions[node]));
            is_corner |= tet[k] == l->parents[node];
        }
        CHECK(is_corner);
        CHECK_NEAR(lt_d3_distance(s->mesh.positions[l->parents[node]], s->mesh.positions[node]), nearest, 0);
    }
}

static void define_rings(const ladder_shape *s, uint8_t *rings) {
    for (uint32_t t = 0; t < s->mesh.tet_count; t++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                if (i != j)
                    rings[lt_tet_at(&s->mesh, t)[i] * (size_t)s->mesh.node_count +
                          lt_tet_at(&s->mesh, t)[j]] = 1;
}

/* links[a][b]: b is in C(a), by the four sentences of the paper in their order. */
static void define_cascade(const ladder_shape *s, uint8_t *rings, uint8_t *links) {
    const lt_ladder *l = s->ladder;
    size_t n = s->mesh.node_count;
    define_rings(s, rings);
    memcpy(links, rings, n * n);
    for (uint32_t child = 0; child < l->node_begin[l->level_count - 1]; child++)
        for (uint32_t k = 0; k < l->node_begin[l->level_count - 1]; k++)
            for (int c = 0; c < 4 && rings[child * n + k]; c++)
                links[l->parents[child] * n + lt_tet_at(&s->mesh, l->above_tets[k])[c]] = 1;
    for (uint32_t node = l->node_begin[1]; node < n; node++)
        for (int c = 0; c < 4; c++)
            links[node * n + l->parents[lt_tet_at(&s->mesh, l->below_tets[node - l->node_begin[1]])[c]]] = 1;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < a; b++)
            links[a * n + b] = links[b * n + a] = links[a * n + b] | links[b * n + a];
}

static void check_cascade(const ladder_shape *s) {
    const lt_ladder *l = s->ladder;
    size_t n = s->mesh.node_count;
    uint8_t *rings = LT_NEW(NULL, n * n, uint8_t), *links = LT_NEW(NULL, n * n, uint8_t);
    define_cascade(s, rings, links);
    for (uint32_t a = 0; a < n; a++) {
        uint32_t at = l->cascade_begin[a];
        for (uint32_t b = 0; b < n; b++)
            if (a != b && links[a * n + b]) CHECK(at < l->cascade_begin[a + 1] && l->cascade[at++] == b);
        CHECK_COUNT(at, l->cascade_begin[a + 1]);
    }
    LT_DELETE(NULL, rings, n * n, uint8_t);
    LT_DELETE(NULL, links, n * n, uint8_t);
}

static void given_meshes_follow_the_definitions(void) {
    ladder_shape s;
    CHECK_FATAL(bake_balls(&s, 3, 1.3, false));
    CHECK_COUNT(check_rows(&s, true), 0);
    check_parents(&s);
    check_cascade(&s);
    lt_shape_release(s.shape);
}

/* ---- weight ---- */

static double solid_of_level(const ladder_shape *s, uint32_t level) {
    double sum = 0;
    for (uint32_t t = s->ladder->tet_begin[level]; t < s->ladder->tet_begin[level + 1]; t++) {
        CHECK(s->carrier.fill[t] > 0.1f && s->carrier.fill[t] <= 1);
        sum += (double)s->carrier.fill[t] * volume_of_tet(s, t);
    }
    return sum;
}

static void check_weights(const ladder_shape *s, double solid) {
    for (uint32_t level = 0; level < s->ladder->level_count; level++)
        CHECK_NEAR(solid_of_level(s, level), solid, 1e-6 * solid);
}

/* Pieces in every tet of the finest level sum to what it weighs. In coarser ones samples and the floor of fills make a
 * difference: `coarse` of all at most. */
static void check_pieces(const ladder_shape *s, double solid, double coarse) {
    const lt_ladder *l = s->ladder;
    double *sums = LT_NEW(NULL, s->mesh.tet_count, double), total = 0;
    for (uint32_t i = 0; i < l->piece_count; i++) {
        total += (double)l->piece_volumes[i];
        for (uint32_t level = 0; level < l->level_count; level++)
            sums[l->piece_tets[(size_t)i * l->level_count + level]] += (double)l->piece_volumes[i];
    }
    CHECK_NEAR(total, solid, 1e-6 * solid);
    for (uint32_t level = 0; level < l->level_count; level++) {
        double off = 0;
        for (uint32_t t = l->tet_begin[level]; t < l->tet_begin[level + 1]; t++) {
            double weight = (double)s->carrier.fill[t] * volume_of_tet(s, t);
            if (level == 0) CHECK_NEAR(sums[t], weight, 1e-6 * weight);
            off += fabs(sums[t] - weight);
        }
        CHECK(off <= 2 * coarse * solid);
    }
    LT_DELETE(NULL, sums, s->mesh.tet_count, double);
}

static void balls_weigh_what_is_in_them(void) {
    ladder_shape s;
    lt_surface sphere;
    CHECK_FATAL(lt_generate_icosphere(&sphere, 0.7, 2, NULL, NULL) == LT_OK && bake_balls(&s, 3, 1.0, true));
    check_weights(&s, lt_surface_volume(&sphere));
    check_pieces(&s, lt_surface_volume(&sphere), 0.06);
    lt_surface_free(&sphere);
    lt_shape_release(s.shape);
}

/* Blocks of one size are full on every level: what patch tests need. */
static void full_levels_are_full(void) {
    lt_tet_mesh meshes[3];
    lt_bake_level levels[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t cells[3] = {4u >> i, 4u >> i, 4u >> i};
        CHECK_FATAL(lt_generate_tet_block(&meshes[i], (lt_dvec3){0.3, 0.3, 0.3}, cells, LT_TET_SPLIT_FIVE,
                                          NULL, NULL) == LT_OK);
        levels[i] = level_of(&meshes[i]);
    }
    lt_bake_ladder_def def = lt_bake_ladder_def_default();
    lt_shape *shape = NULL;
    ladder_shape s;
    def.levels = levels;
    def.level_count = 3;
    CHECK_FATAL(lt_bake_ladder(&def, &shape, NULL, NULL) == LT_OK && read_ladder(&s, shape));
    for (uint32_t t = 0; t < s.mesh.tet_count; t++)
        CHECK(s.carrier.fill[t] == 1);
    check_pieces(&s, 0.027, 0.02);
    CHECK_COUNT(check_rows(&s, true), 0);
    lt_shape_release(s.shape);
    for (uint32_t i = 0; i < 3; i++)
        lt_tet_mesh_free(&meshes[i]);
}

/* ---- enclosures ---- */

/* On the finest level, and within it. */
static void check_surface(const ladder_shape *s, const lt_bake_surface_notes *notes) {
    lt_skin skin;
    lt_carrier finest = lt_carrier_finest(&s->carrier);
    CHECK_COUNT(finest.ladder.level_count, 0);
    CHECK(finest.node_count == notes->node_count && finest.tet_count == notes->tet_count);
    CHECK(finest.pattern.row_count == finest.node_count);
    CHECK_FATAL(lt_skin_read(&skin, s->shape, &finest, NULL) == LT_OK);
    for (size_t i = 0; i < 4 * (size_t)skin.point_count; i++)
        CHECK(skin.weights[i] >= -1e-5f && skin.ids[i] < finest.node_count);
}

static void a_bear_follows_the_definitions(void) {
    ladder_shape s;
    lt_bake_surface_notes notes;
    CHECK_FATAL(bake_bear(&s, &notes));
    CHECK_COUNT(notes.copy_count, 0);
    CHECK_COUNT(notes.level_count, 3);
    CHECK(notes.piece_count == s.ladder->piece_count && notes.tet_count == s.ladder->tet_begin[1]);
    CHECK(check_rows(&s, true) <= 3);
    check_parents(&s);
    check_cascade(&s);
    check_weights(&s, notes.solid_volume);
    check_pieces(&s, notes.solid_volume, 0.06);
    check_surface(&s, &notes);
    lt_shape_release(s.shape);
}

int main(void) {
    RUN(given_meshes_follow_the_definitions);
    RUN(balls_weigh_what_is_in_them);
    RUN(full_levels_are_full);
    RUN(a_bear_follows_the_definitions);
    return check_finish();
}
