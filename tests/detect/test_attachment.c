/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Places of a body, held by tets, parts and frames: weights sum to one and reproduce the place; a place moves with the body
 * under any affine map; parts are all over it. */

#include "bound/sphere_fixture.h"

static sphere_fixture block, plate, torus, small;

static lt_vec3 place_of(const lt_collider *c, const lt_attachment *hold) {
    lt_anchor anchor = lt_attachment_anchor(hold, c);
    return lt_v3_from_r3(lt_anchor_gather(&anchor, c->soft->x));
}

static lt_vec3 random_place(lt_random *random, lt_box box, float beyond) {
    lt_vec3 half = lt_v3_scale(lt_v3_sub(box.hi, box.lo), 0.5f), p = lt_box_center(box);
    float *out[3] = {&p.x, &p.y, &p.z};
    for (int k = 0; k < 3; k++)
        *out[k] += (1 + beyond) * lt_v3_get(half, k) * (float)lt_random_range(random, -1, 1);
    return p;
}

static double sum_of_weights(const lt_anchor *anchor) {
    double sum = 0;
    for (uint32_t i = 0; i < anchor->count; i++)
        sum += (double)anchor->weights[i];
    return sum;
}

/* Held at rest or bent, by every frame and by some tets. */
static void check_places(sphere_fixture *f, lt_random *random, double most_weight) {
    const lt_collider *c = &f->body.collider;
    float size = lt_v3_distance(c->box.lo, c->box.hi);
    for (uint32_t k = 0; k < LT_FRAME_COUNT + 4; k++) {
        uint32_t holder = k < LT_FRAME_COUNT ? LT_FRAME + k : k % c->soft->carrier.tet_count;
        lt_vec3 place = random_place(random, c->box, 0.2f);
        lt_attachment hold;
        lt_anchor anchor;
        CHECK(lt_holder_exists(c, holder));
        CHECK(lt_attach_at(&hold, c, holder, place));
        CHECK(lt_v3_distance(place, place_of(c, &hold)) < 1e-4f * size);
        CHECK(lt_anchor_at(&anchor, c, holder, lt_d3_from_v3(place)));
        CHECK(fabs(sum_of_weights(&anchor) - 1) < 1e-5);
        CHECK(lt_v3_distance(place, lt_v3_from_r3(lt_anchor_gather(&anchor, c->soft->x))) < 1e-5f * size);
        for (uint32_t i = 0; k < LT_FRAME_COUNT && i < anchor.count; i++)
            CHECK(fabs((double)anchor.weights[i]) < most_weight); /* all over the body: no lever is long */
    }
}

static void places_are_reproduced(void) {
    lt_random random = lt_random_seed(11);
    sphere_fixture *all[] = {&block, &plate, &torus};
    for (uint32_t i = 0; i < LT_COUNT_OF(all); i++)
        for (int round = 0; round < 8; round++) {
            affine x = random_rigid(&random, 1);
            fixture_move(&all[i]->body, move_affine, &x);
            check_places(all[i], &random, all[i] == &block ? 2 : 20); /* out of what is flat they are */
        }
}

/* A place of a frame, held at one pose and looked at after another: where the same affine map takes it. */
static void places_move_with_the_body(void) {
    lt_random random = lt_random_seed(12);
    const lt_collider *c = &torus.body.collider;
    for (int round = 0; round < 8; round++) {
        affine none = translation(0, 0, 0), moved = random_rigid(&random, 2);
        fixture_move(&torus.body, move_affine, &none);
        lt_vec3 place = random_place(&random, c->box, 0.2f);
        lt_attachment hold;
        CHECK(lt_attach_at(&hold, c, LT_FRAME + (uint32_t)round % LT_FRAME_COUNT, place));
        fixture_move(&torus.body, move_affine, &moved);
        lt_dvec3 wanted = move_affine(&moved, lt_d3_from_v3(place));
        CHECK(lt_d3_distance(wanted, lt_d3_from_v3(place_of(c, &hold))) < 1e-4);
    }
}

/* Every node is nearer to the middle of some part than a good part of the body's size. */
static void parts_are_all_over_the_body(void) {
    sphere_fixture *all[] = {&block, &plate, &torus};
    for (uint32_t i = 0; i < LT_COUNT_OF(all); i++) {
        const lt_collider *c = &all[i]->body.collider;
        affine none = translation(0, 0, 0);
        fixture_move(&all[i]->body, move_affine, &none);
        float worst = 0, size = lt_v3_distance(c->box.lo, c->box.hi);
        for (uint32_t node = 0; node < c->soft->carrier.node_count; node++) {
            float least = size;
            for (uint32_t part = 0; part < LT_PART_COUNT; part++) {
                lt_attachment hold;
                lt_vec3 middle = lt_attach_part(&hold, c, part);
                CHECK(lt_holder_exists(c, hold.tet));
                CHECK(lt_v3_distance(middle, place_of(c, &hold)) == 0);
                least = lt_min_f(least, lt_v3_distance(middle, lt_v3_from_r3(lt_node_get(c->soft->x, node))));
            }
            worst = lt_max_f(worst, least);
        }
        CHECK(worst < 0.36f * size);
    }
}

/* One cell has eight nodes for eight parts of four, and its frames still hold. Flat, nothing does. */
static void few_nodes_and_flat_bodies(void) {
    const lt_collider *c = &small.body.collider;
    affine none = translation(0, 0, 0), flat = none;
    fixture_move(&small.body, move_affine, &none);
    lt_random random = lt_random_seed(13);
    check_places(&small, &random, 2);
    flat.m.c1 = (lt_dvec3){0, 0, 0};
    fixture_move(&small.body, move_affine, &flat);
    lt_attachment hold;
    lt_anchor anchor;
    CHECK(!lt_attach_at(&hold, c, LT_FRAME, (lt_vec3){0, 1, 0}));
    CHECK(!lt_attach_at(&hold, c, 0, (lt_vec3){0, 1, 0}));
    CHECK(!lt_anchor_at(&anchor, c, LT_FRAME, (lt_dvec3){0, 1, 0}));
    CHECK(!lt_holder_exists(c, LT_NONE) && !lt_holder_exists(c, c->soft->carrier.tet_count));
}

static void make_bodies(void) {
    tree_options one = {.depth = 1};
    CHECK_FATAL(sphere_block(&block, (lt_dvec3){1, 1, 1}, 3, 3, 3, (fixture_options){0}, one));
    CHECK_FATAL(sphere_block(&plate, (lt_dvec3){1, 0.1, 1}, 4, 1, 4, (fixture_options){0}, one));
    CHECK_FATAL(sphere_torus(&torus, 0.4, 0.12, 12, one));
    CHECK_FATAL(sphere_block(&small, (lt_dvec3){1, 1, 1}, 1, 1, 1, (fixture_options){0}, one));
}

int main(void) {
    RUN(make_bodies);
    RUN(places_are_reproduced);
    RUN(places_move_with_the_body);
    RUN(parts_are_all_over_the_body);
    RUN(few_nodes_and_flat_bodies);
    sphere_fixture_free(&block);
    sphere_fixture_free(&plate);
    sphere_fixture_free(&torus);
    sphere_fixture_free(&small);
    return check_finish();
}
