/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Fronts of the model multigrid: what they promise after any refinement, pins, anchors, thresholds. */

#include "ladder_fixture.h"

static const uint32_t CELLS[4] = {5, 4, 3, 2};

static lt_soft make_body(const ladder_fixture *f, float threshold) {
    lt_soft soft;
    lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
    def.refine_threshold = threshold;
    if (lt_soft_create(&soft, &f->carrier, &def, NULL, NULL) != LT_OK) exit(1);
    return soft;
}

static double mass_of(const lt_soft *soft) {
    double sum = 0;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        sum += (double)soft->mass[node];
    return sum;
}

/* Every level weighs the same, and what the solid does. */
static void levels_weigh_the_same(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft soft = make_body(&f, 0);
    for (uint32_t level = 0; level < 3; level++) {
        lt_front_set_level(&soft, level);
        CHECK(lt_front_flaw(&soft) == NULL);
        CHECK_COUNT(soft.grid->row_count,
                    f.carrier.ladder.node_begin[level + 1] - f.carrier.ladder.node_begin[level]);
        CHECK_NEAR(mass_of(&soft) / 54, 1, 1e-5);
        CHECK_NEAR((double)soft.total_mass / 54, 1, 1e-5);
    }
    lt_soft_free(&soft);
    ladder_free(&f);
}

/* Six hundred times some nodes more, or fewer, wherever: all that the front promises holds, and the same bits come out however
 * it was got to. */
static void random_fronts_are_sound(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft soft = make_body(&f, 0.1f), anew = make_body(&f, 0.1f);
    lt_random random = lt_random_seed(3);
    uint32_t begin = f.carrier.ladder.node_begin[1], count = f.carrier.node_count - begin, least = UINT32_MAX,
             most = 0;
    for (int i = 0; i < 600; i++) {
        for (int k = 0; k < 4; k++)
            soft.refined[begin + lt_random_below(&random, count)] = (uint8_t)(lt_random_unit(&random) < 0.3f);
        for (int again = 0; again < 2; again++) { /* once more: it comes out the same, and is left alone */
            lt_front_update(&soft);
            const char *flaw = lt_front_flaw(&soft);
            if (flaw) CHECK_FAIL_MESSAGE("front %d: %s", i, flaw);
        }
        memcpy(anew.refined, soft.refined, f.carrier.node_count);
        if (i % 20 == 0) lt_front_set_level(&anew, 0);
        memcpy(anew.refined, soft.refined, f.carrier.node_count);
        lt_front_update(&anew);
        CHECK(memcmp(anew.mass, soft.mass, f.carrier.node_count * sizeof(lt_real)) == 0);
        CHECK(memcmp(anew.grid->shares, soft.grid->shares, f.carrier.tet_count * sizeof(lt_real)) == 0);
        least = lt_min_u32(least, soft.grid->row_count);
        most = lt_max_u32(most, soft.grid->row_count);
    }
    CHECK(least < 250 && most > 300);
    lt_soft_free(&soft);
    lt_soft_free(&anew);
    ladder_free(&f);
}

/* Nodes of the finest level that are pinned are in the front, wherever they are, and stay there. */
static void pins_are_in_the_front(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft soft = make_body(&f, 1e9f);
    uint32_t rows = soft.grid->row_count;
    for (uint32_t node = 0; node < 60; node += 20) {
        soft.pinned[node] = 1;
        soft.pin_count++;
    }
    lt_soft_pins_changed(&soft);
    CHECK(lt_front_flaw(&soft) == NULL);
    CHECK(soft.grid->kinds[40] == LT_NODE_FRONT && soft.grid->row_count > rows);
    lt_multigrid_adapt(&soft, (lt_real)(1 / 60.0));
    CHECK(soft.grid->kinds[40] == LT_NODE_FRONT);
    memset(soft.pinned, 0, f.carrier.node_count);
    soft.pin_count = 0;
    for (int i = 0; i < 80; i++)
        lt_multigrid_adapt(&soft, (lt_real)(1 / 60.0));
    CHECK_COUNT(soft.grid->row_count, rows);
    lt_soft_free(&soft);
    ladder_free(&f);
}

/* By nodes that move by themselves, sixteen at most, and the same point; a uniform motion is felt in full. */
static void anchors_give_their_point(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft soft = make_body(&f, 0.1f);
    lt_random random = lt_random_seed(9);
    uint32_t begin = f.carrier.ladder.node_begin[1], count = f.carrier.node_count - begin, full = 0;
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 3; k++)
            soft.refined[begin + lt_random_below(&random, count)] = (uint8_t)(lt_random_unit(&random) < 0.4f);
        lt_front_update(&soft);
        for (uint32_t row = 0; row < soft.grid->row_count; row++)
            soft.x[4 * (size_t)soft.grid->nodes[row]] += (lt_real)lt_random_range(&random, -0.01f, 0.01f);
        lt_soft_follow(&soft);
        for (uint32_t tet = 0; tet < f.carrier.ladder.tet_begin[1]; tet += 7) {
            lt_anchor anchor = {.count = 4};
            for (uint32_t k = 0; k < 4; k++) {
                anchor.ids[k] = f.carrier.tets[4 * (size_t)tet + k];
                anchor.weights[k] = (lt_real)(0.1 + 0.1 * k);
            }
            lt_anchor moving = lt_soft_resolve(&soft, &anchor);
            lt_rvec3 off = lt_r3_sub(lt_anchor_gather(&moving, soft.x), lt_anchor_gather(&anchor, soft.x));
            double sum = 0;
            for (uint32_t k = 0; k < moving.count; k++) {
                sum += (double)moving.weights[k];
                CHECK(soft.grid->kinds[moving.ids[k]] == LT_NODE_FRONT);
            }
            CHECK(moving.count <= LT_ANCHOR_MOST);
            CHECK_NEAR(sum, 1, 1e-5);
            CHECK_NEAR((double)lt_r3_length(off), 0, 1e-6);
            CHECK(lt_anchor_inverse_mass(&anchor, &soft) > 0);
            full += moving.count > 8;
        }
    }
    CHECK(full > 20);
    lt_soft_free(&soft);
    ladder_free(&f);
}

/* Tets of the finest level by what moves them: themselves, or the tets of the front that their nodes hang on. */
static void patches_are_what_moves(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft soft = make_body(&f, 0);
    const lt_ladder *ladder = &f.carrier.ladder;
    for (uint32_t level = 0; level < 3; level++) {
        uint32_t astray = 0;
        lt_front_set_level(&soft, level);
        for (uint32_t tet = 0; tet < ladder->tet_begin[1]; tet++) {
            uint32_t patch = lt_soft_patch(&soft, tet);
            astray += level == 0 ? patch != tet
                                 : patch < ladder->tet_begin[level] || patch >= ladder->tet_begin[level + 1];
        }
        CHECK_COUNT(astray, 0);
    }
    lt_soft_free(&soft);
    ladder_free(&f);
}

/* None and all: a threshold of 0 keeps everything refined, an infinite one nothing, whatever happens. */
static void thresholds_at_their_ends(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    const lt_ladder *l = &f.carrier.ladder;
    for (int i = 0; i < 2; i++) {
        lt_soft soft = make_body(&f, i ? INFINITY : 0);
        for (uint32_t row = 0; row < soft.grid->row_count; row += 3)
            soft.x[4 * (size_t)soft.grid->nodes[row]] += (lt_real)0.02;
        lt_soft_follow(&soft);
        CHECK(!lt_multigrid_adapt(&soft, (lt_real)(1 / 60.0)));
        CHECK_COUNT(soft.grid->row_count, i ? l->node_begin[3] - l->node_begin[2] : l->node_begin[1]);
        lt_soft_free(&soft);
    }
    ladder_free(&f);
}

/* A bump on one side is refined there, and let go once it is gone; nothing jumps. */
static void bumps_are_refined_and_let_go(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft soft = make_body(&f, 0.02f), at_rest = make_body(&f, 0.02f);
    uint32_t coarse = soft.grid->row_count;
    for (int i = 0; i < 6; i++) {
        for (uint32_t row = 0; row < soft.grid->row_count; row++) {
            uint32_t node = soft.grid->nodes[row];
            const double *r = f.carrier.rest + 3 * (size_t)node;
            double d = lt_d3_distance((lt_dvec3){r[0], r[1], r[2]}, (lt_dvec3){0.3, 0.15, 0.1});
            soft.x[4 * (size_t)node] = (lt_real)(r[0] - 0.05 * exp(-d * d / 0.005));
        }
        lt_soft_follow(&soft);
        bool changed = lt_multigrid_adapt(&soft, (lt_real)(1 / 60.0));
        CHECK(lt_front_flaw(&soft) == NULL);
        CHECK(soft.grid->jump < (lt_real)by_build(1e-6, 1e-12));
        if (i < 1) CHECK(changed);
    }
    CHECK(soft.grid->row_count > coarse + 100 && soft.grid->row_count < f.carrier.ladder.node_begin[1]);
    for (int i = 0; i < 80; i++) { /* errors are remembered */
        memcpy(soft.x, at_rest.x, 4 * (size_t)f.carrier.node_count * sizeof(lt_real));
        lt_multigrid_adapt(&soft, (lt_real)(1 / 60.0));
    }
    CHECK_COUNT(soft.grid->row_count, coarse);
    lt_soft_free(&soft);
    lt_soft_free(&at_rest);
    ladder_free(&f);
}

static uint32_t fine_count(const lt_soft *soft) {
    return soft->grid->active.begin[1];
}

/* Who is hit is fine there in the next step, down to the finest level, and stays so for some; a push as of what rests does nothing. */
static void hits_are_refined_at_once(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft soft = make_body(&f, 0.2f);
    const lt_anchor corner = {{soft.grid->row_count - 1}, {1}, 1};
    const lt_real dt = (lt_real)(1 / 60.0);
    lt_soft_strike(&soft, &corner, 0, dt);
    CHECK(!lt_multigrid_adapt(&soft, dt) && fine_count(&soft) == 0);
    lt_soft_strike(&soft, &corner, 3, dt);
    CHECK(lt_multigrid_adapt(&soft, dt));
    uint32_t fine = fine_count(&soft);
    CHECK(fine > 10 && fine < f.carrier.ladder.node_begin[1] && lt_front_flaw(&soft) == NULL);
    for (int i = 0; i < 5; i++)
        lt_multigrid_adapt(&soft, dt);
    CHECK_COUNT(fine_count(&soft), fine);
    for (int i = 0; i < 100; i++)
        lt_multigrid_adapt(&soft, dt);
    CHECK_COUNT(fine_count(&soft), 0);
    lt_soft_free(&soft);
    ladder_free(&f);
}

/* A small bump that stays is let go: everything stays where it is at first, and gets to where it hangs in some steps. */
static void offsets_fade(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 4);
    lt_soft soft = make_body(&f, 0.2f), all = make_body(&f, 0);
    size_t bytes = f.carrier.node_count, reals = 4 * bytes * sizeof(lt_real);
    memcpy(soft.refined, all.refined, bytes);
    lt_front_update(&soft);
    const uint32_t bent = 40;
    soft.x[4 * bent] += (lt_real)0.01;
    lt_soft_follow(&soft);
    lt_real *x = malloc(reals);
    memcpy(x, soft.x, reals);
    for (int i = 0; i < 200 && soft.grid->kinds[bent] == LT_NODE_FRONT; i++) {
        lt_multigrid_adapt(&soft, (lt_real)(1 / 60.0));
        CHECK(soft.grid->jump < (lt_real)by_build(1e-6, 1e-12));
    }
    CHECK(soft.grid->kinds[bent] < LT_NODE_FRONT);
    CHECK_NEAR((double)soft.x[4 * bent], (double)x[4 * bent], by_build(1e-6, 1e-12));
    lt_real off = soft.offset[4 * bent];
    CHECK((double)off > 0.004);
    for (int i = 0; i < 600; i++)
        lt_multigrid_adapt(&soft, (lt_real)(1 / 60.0));
    lt_soft_follow(&soft);
    CHECK(soft.offset[4 * bent] == 0);
    CHECK_NEAR((double)(x[4 * bent] - soft.x[4 * bent]), (double)off, 2e-4);
    free(x);
    lt_soft_free(&soft);
    lt_soft_free(&all);
    ladder_free(&f);
}

/* A shape of one mesh is refused, with what to do. */
static void one_mesh_is_refused(void) {
    ladder_fixture f;
    ladder_make(&f, CELLS, 2);
    lt_carrier finest = lt_carrier_finest(&f.carrier);
    lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
    lt_soft soft;
    lt_error error;
    CHECK(lt_soft_create(&soft, &finest, &def, NULL, &error) == LT_STATUS_UNSUPPORTED);
    CHECK(strstr(error.message, "--carrier ladder") != NULL);
    ladder_free(&f);
}

int main(void) {
    RUN(levels_weigh_the_same);
    RUN(random_fronts_are_sound);
    RUN(pins_are_in_the_front);
    RUN(anchors_give_their_point);
    RUN(patches_are_what_moves);
    RUN(thresholds_at_their_ends);
    RUN(bumps_are_refined_and_let_go);
    RUN(hits_are_refined_at_once);
    RUN(offsets_fade);
    RUN(one_mesh_is_refused);
    return check_finish();
}
