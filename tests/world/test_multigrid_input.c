/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What worlds take of multigrid bodies: shapes, methods and thresholds that cannot be are refused with what to do, those at their
 * ends mean something, and significance decides where there is detail. */

#include "method/ladder_world.h"

static lt_shape *shape;

/* ---- refused ---- */

static lt_error refused(lt_method method, const lt_body_def *def) {
    lt_world_def wd = test_world_def();
    lt_error error = {0};
    wd.method = method;
    lt_world *world = make_world(&wd);
    CHECK_COUNT(lt_world_add_body(world, def, &error).index_plus_one, 0);
    CHECK_COUNT(lt_world_body_count(world), 0);
    lt_world_destroy(world);
    return error;
}

static void other_methods_say_which_takes_it(void) {
    static const lt_method methods[] = {LT_METHOD_REFERENCE, LT_METHOD_TET_HASH};
    lt_body_def def = multigrid_def(shape, (lt_vec3){0, 1, 0});
    for (uint32_t i = 0; i < LT_COUNT_OF(methods); i++) {
        lt_error error = refused(methods[i], &def);
        CHECK(error.status == LT_STATUS_UNSUPPORTED);
        CHECK_CONTAINS(error.message, lt_method_name(methods[i]));
        CHECK_CONTAINS(error.message, "multigrid, which is for the method multiscale; take corotational");
    }
    CHECK_CONTAINS(refused(LT_METHOD_CELL_BOX, &def).message, "--carrier lattice");
    CHECK(refused(LT_METHOD_SPHERE_TREE, &def).status != LT_OK); /* its shape has no spheres either */
}

static void shapes_of_one_mesh_say_how_to_bake(void) {
    lt_shape *plain = cube_with_boxes(0.2, 2);
    lt_body_def def = multigrid_def(plain, (lt_vec3){0, 1, 0});
    lt_error error = refused(LT_METHOD_MULTISCALE, &def);
    CHECK(error.status == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "the model multigrid needs a ladder of meshes");
    CHECK_CONTAINS(error.message, "--carrier ladder");
    lt_shape_release(plain);
}

static void thresholds_that_are_none_are_refused(void) {
    const float none[] = {-0.1f, -HUGE_VALF, NAN};
    for (uint32_t i = 0; i < LT_COUNT_OF(none); i++) {
        lt_body_def def = multigrid_def(shape, (lt_vec3){0, 1, 0});
        def.refine_threshold = none[i];
        lt_error error = refused(LT_METHOD_MULTISCALE, &def);
        CHECK(error.status == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message, "refine_threshold");
        CHECK_CONTAINS(error.message, "give 0 (all is refined) or more");
    }
}

/* ---- thresholds at their ends ---- */

/* A cube that falls and is pulled at; how many nodes moved by themselves, at least and at most. */
static void run_threshold(float threshold, uint32_t *least, uint32_t *most) {
    lt_world_def def = multiscale_world_def();
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_def bd = multigrid_def(shape, (lt_vec3){0, 0.12f, 0});
    bd.velocity = (lt_vec3){0, -2, 0};
    bd.refine_threshold = threshold;
    lt_body_id body = add_body_def(world, &bd);
    lt_world_add_handle(world, body, 0, (lt_vec3){-0.3f, 0.3f, 0}, 500, NULL);
    *least = UINT32_MAX;
    *most = 0;
    for (int step = 0; step < 12; step++) {
        CHECK(run(world, 1).momentum_error <= 1e-6);
        CHECK(world_is_finite(world) && fronts_are_sound(world));
        *least = lt_min_u32(*least, front_size(world, 0));
        *most = lt_max_u32(*most, front_size(world, 0));
    }
    lt_world_destroy(world);
}

static void thresholds_at_their_ends_mean_all_and_none(void) {
    uint32_t least, most;
    run_threshold(0, &least, &most);
    CHECK(least == 125 && most == 125);
    run_threshold(1e-38f, &least, &most);
    CHECK(most >= 125);
    run_threshold(0.02f, &least, &most);
    CHECK(least == 64 && most > 80);
    const float coarse[] = {HUGE_VALF, 3e38f, 1e30f, 1e20f};
    for (uint32_t i = 0; i < LT_COUNT_OF(coarse); i++) {
        run_threshold(coarse[i], &least, &most);
        CHECK(least == 64 && most == 64);
    }
}

/* ---- significance ---- */

static float what_the_body_says(void *context, lt_body_id body, void *user_data) {
    (void)context;
    (void)body;
    return *(const float *)user_data;
}

/* Two equal cubes far from each other, pulled the same way; how many nodes they come to. */
static uint64_t pull_two(float significances[2], bool asks, float threshold, uint32_t sizes[2]) {
    lt_world_def def = multiscale_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    if (asks) def.significance = what_the_body_says;
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < 2; i++) {
        lt_body_def bd = multigrid_def(shape, (lt_vec3){3 * (float)i, 0, 0});
        bd.refine_threshold = threshold;
        bd.user_data = &significances[i];
        lt_body_id body = add_body_def(world, &bd);
        lt_world_add_handle(world, body, 0, (lt_vec3){3 * (float)i - 0.2f, -0.2f, -0.1f}, 300, NULL);
    }
    for (int step = 0; step < 10; step++) {
        run(world, 1);
        CHECK(world_is_finite(world) && fronts_are_sound(world));
    }
    for (uint32_t i = 0; i < 2; i++)
        sizes[i] = front_size(world, i);
    uint64_t hash = lt_world_hash(world);
    lt_world_destroy(world);
    return hash;
}

static void significant_bodies_have_more_detail(void) {
    uint32_t sizes[2], plain[2];
    pull_two((float[2]){1, 10}, true, 0.1f, sizes);
    printf("%u and %u nodes of 125\n", sizes[0], sizes[1]);
    CHECK(sizes[1] > sizes[0] + 10);
    /* Ten times as significant is a tenth of the threshold. */
    pull_two((float[2]){1, 1}, false, 0.01f, plain);
    CHECK_COUNT(plain[1], sizes[1]);
    pull_two((float[2]){0.5f, 2}, true, 0.02f, sizes);
    pull_two((float[2]){1, 1}, false, 0.04f, plain);
    CHECK_COUNT(sizes[0], plain[0]);
    pull_two((float[2]){1, 1}, false, 0.01f, plain);
    CHECK_COUNT(sizes[1], plain[1]);
}

static void nobody_asked_is_everybody_the_same(void) {
    uint32_t sizes[2];
    uint64_t silent = pull_two((float[2]){7, 7}, false, 0.02f, sizes);
    CHECK(pull_two((float[2]){1, 1}, true, 0.02f, sizes) == silent);
    CHECK(pull_two((float[2]){NAN, 1}, true, 0.02f, sizes) == silent);
    CHECK(pull_two((float[2]){1, 4}, true, 0.02f, sizes) != silent);
}

/* Answers that are none: there is a least and a most, and thresholds at their ends stay. */
static void any_answer_will_do(void) {
    uint32_t sizes[2];
    pull_two((float[2]){0, -3}, true, 0.02f, sizes);
    CHECK(sizes[0] == 64 && sizes[1] == 64);
    pull_two((float[2]){-HUGE_VALF, 1e-30f}, true, 0.02f, sizes);
    CHECK(sizes[0] == 64 && sizes[1] == 64);
    pull_two((float[2]){HUGE_VALF, 1e4f}, true, 0.02f, sizes);
    CHECK(sizes[0] >= 125 && sizes[0] == sizes[1]);
    pull_two((float[2]){HUGE_VALF, 0}, true, HUGE_VALF, sizes);
    CHECK(sizes[0] == 64 && sizes[1] == 64);
    pull_two((float[2]){HUGE_VALF, 0}, true, 0, sizes);
    CHECK(sizes[0] == 125 && sizes[1] == 125);
}

int main(void) {
    shape = small_ladder();
    RUN(other_methods_say_which_takes_it);
    RUN(shapes_of_one_mesh_say_how_to_bake);
    RUN(thresholds_that_are_none_are_refused);
    RUN(thresholds_at_their_ends_mean_all_and_none);
    RUN(significant_bodies_have_more_detail);
    RUN(nobody_asked_is_everybody_the_same);
    RUN(any_answer_will_do);
    lt_shape_release(shape);
    return check_finish();
}
