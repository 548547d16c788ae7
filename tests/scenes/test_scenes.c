/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"
#include "core/vec.h"
#include "scenes/list.h"
#include "scenes/scene.h"
#include "scenes/shape_cache.h"

/* ---- an allocator that refuses after a while, and counts what is out ----
 *
 * labels: data */

typedef struct miser {
    lt_allocator inner;
    uint64_t left;
    int64_t outstanding;
} miser;

static void *miser_allocate(void *context, size_t size, size_t alignment) {
    miser *m = context;
    if (m->left == 0) return NULL;
    m->left--;
    m->outstanding++;
    return m->inner.allocate(m->inner.context, size, alignment);
}

static void miser_release(void *context, void *memory, size_t size) {
    miser *m = context;
    m->outstanding--;
    m->inner.release(m->inner.context, memory, size);
}

/* ---- scenes ---- */

static bool surfaces_are_finite(const lt_scene_world *scene_world) {
    for (size_t b = 0; b < scene_world->scene->bodies.count; b++) {
        lt_surface_view view = lt_body_surface(scene_world->world, scene_world->bodies[b]);
        for (uint32_t i = 0; i < view.vertex_count; i++)
            if (!lt_v3_is_finite(view.positions[i])) return false;
    }
    return true;
}

static uint64_t hash_after(const char *name, uint64_t steps) {
    lt_error error = {0};
    lt_scene scene;
    lt_scene_world scene_world;
    uint64_t hash = 0;
    if (lt_scene_make(&scene, name, NULL, &error) != LT_OK) return 0;
    if (lt_scene_build(&scene_world, &scene, NULL, &error) == LT_OK) {
        for (uint64_t step = 0; step < steps; step++) {
            lt_scene_advance(&scene_world, step);
            lt_world_step(scene_world.world, scene.dt, lt_budget_unlimited());
        }
        CHECK(surfaces_are_finite(&scene_world));
        hash = lt_world_hash(scene_world.world);
        lt_scene_world_free(&scene_world);
    } else {
        CHECK_FAIL_MESSAGE("scene %s: %s", name, error.message);
    }
    lt_scene_free(&scene);
    return hash;
}

/* The quick ones; test_all_scenes.c has the rest. */
static void scenes_are_built_and_move(void) {
    const char *names[] = {"cantilever", "explicit", "stack", "incline", "moving-obstacle"};
    uint64_t last = 0;
    for (size_t i = 0; i < 5; i++) {
        uint64_t hash = hash_after(names[i], 2);
        CHECK(hash != 0 && hash != last);
        last = hash;
    }
}

static void every_scene_can_be_made(void) {
    uint32_t count;
    const lt_scene_entry *entries = lt_scene_list(&count);
    CHECK(count >= 12);
    for (uint32_t i = 0; i < count; i++) {
        lt_scene scene;
        CHECK(entries[i].about[0] != 0);
        CHECK_FATAL(lt_scene_make(&scene, entries[i].name, NULL, NULL) == LT_OK);
        CHECK(scene.bodies.count > 0 && scene.steps > 0 && scene.dt > 0.0f);
        lt_scene_free(&scene);
    }
}

static void a_scene_gives_the_same_bits_every_time(void) {
    CHECK(hash_after("moving-obstacle", 5) == hash_after("moving-obstacle", 5));
}

static void unknown_scene_names_its_neighbours(void) {
    lt_scene scene;
    lt_error error;
    CHECK(lt_scene_make(&scene, "dmeo", NULL, &error) == LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "did you mean demo?");
}

static void broken_references_are_refused(void) {
    lt_error error;
    lt_scene_world scene_world;
    lt_carrier_recipe bar = {.kind = LT_CARRIER_RECIPE_BLOCK, .size = {1, 0.05f, 0.05f}, .cells = {4, 1, 1}};
    lt_scene scene = lt_scene_empty("broken", NULL);
    lt_scene_add_shape(&scene, (lt_surface_recipe){0}, bar);
    lt_scene_add_body(&scene, 7, (lt_vec3){0, 0, 0});
    CHECK(lt_scene_build(&scene_world, &scene, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "body 0: there is no shape 7");
    ((lt_scene_body *)scene.bodies.items)->shape_index = 0;
    lt_scene_add_pin(&scene, 3, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1});
    CHECK(lt_scene_build(&scene_world, &scene, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "names body 3");
    ((lt_scene_pin *)scene.pins.items)->body_index = 0;
    ((lt_scene_pin *)scene.pins.items)->lo.x = 0.9f;
    CHECK(lt_scene_build(&scene_world, &scene, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "holds no node");
    CHECK(scene_world.world == NULL);
    lt_scene_free(&scene);
}

static void what_is_refused_is_named(void) {
    lt_error error;
    lt_scene_world scene_world;
    lt_carrier_recipe bar = {.kind = LT_CARRIER_RECIPE_BLOCK, .size = {1, 0.05f, 0.05f}, .cells = {4, 1, 1}};
    lt_scene scene = lt_scene_empty("broken", NULL);
    lt_scene_add_shape(&scene, (lt_surface_recipe){0}, bar);
    for (int i = 0; i < 3; i++)
        lt_scene_add_body(&scene, 0, (lt_vec3){0, (float)i, 0});
    ((lt_scene_body *)scene.bodies.items)[2].scale = -1;
    CHECK(lt_scene_build(&scene_world, &scene, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "scene broken: body 2: scale -1");
    ((lt_scene_body *)scene.bodies.items)[2].scale = 1;
    scene.mode = LT_MODE_PAPER;
    CHECK(lt_scene_build(&scene_world, &scene, NULL, &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "mode paper");
    lt_scene_free(&scene);
}

static void an_enclosed_carrier_without_a_surface_is_refused(void) {
    lt_error error;
    lt_shape *shape;
    lt_scene_shape recipe = {.carrier = {.kind = LT_CARRIER_RECIPE_ENCLOSED, .cells = {40, 0, 0}}};
    CHECK(lt_recipe_shape(&shape, &recipe, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "needs a surface");
    CHECK(shape == NULL);
}

static void what_was_baked_is_not_baked_again(void) {
    lt_scene_shape recipe = {.surface = {.kind = LT_SURFACE_RECIPE_SPHERE, .size = {0.1f, 0, 0}},
                             .carrier = {.kind = LT_CARRIER_RECIPE_ENCLOSED, .cells = {8, 0, 0}}};
    lt_shape *first, *again, *other, *elsewhere;
    miser m = {.inner = lt_allocator_default(), .left = UINT64_MAX};
    lt_allocator allocator = {miser_allocate, miser_release, &m};
    CHECK_FATAL(lt_recipe_shape(&first, &recipe, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_recipe_shape(&again, &recipe, NULL, NULL) == LT_OK);
    CHECK(first == again);
    CHECK_FATAL(lt_recipe_shape(&elsewhere, &recipe, &allocator, NULL) == LT_OK);
    CHECK(elsewhere != first && lt_shape_hash(elsewhere) == lt_shape_hash(first));
    recipe.carrier.cells[0] = 16;
    CHECK_FATAL(lt_recipe_shape(&other, &recipe, NULL, NULL) == LT_OK);
    CHECK(other != first);
    lt_shape *shapes[] = {first, again, other, elsewhere};
    for (int i = 0; i < 4; i++)
        lt_shape_release(shapes[i]);
    CHECK(m.outstanding == 0); /* nothing of a passing allocator is kept */
    lt_shape_cache_clear();
}

static uint64_t cells_of(const lt_shape *shape) {
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++)
        if (strcmp(lt_shape_chunk_at(shape, i).name, "carrier.cells") == 0)
            return lt_shape_chunk_at(shape, i).dims[0];
    return 0;
}

/* A cube of 0.2 m: cells of 0.1 m are 2 × 2 × 2 at least, however the grid lies; in a shell of cells of 0.05 m the middle
 * is left out. */
static void lattices_are_made_as_asked_for(void) {
    lt_scene_shape recipe = {
        .surface = {.kind = LT_SURFACE_RECIPE_BOX, .size = {0.1f, 0.1f, 0.1f}, .cells = 2},
        .carrier = {.kind = LT_CARRIER_RECIPE_LATTICE, .size = {0.1f, 0, 0}}};
    lt_shape *coarse, *again, *shell, *filled, *counted;
    CHECK_FATAL(lt_recipe_shape(&coarse, &recipe, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_recipe_shape(&again, &recipe, NULL, NULL) == LT_OK);
    CHECK(coarse == again);
    CHECK(cells_of(coarse) >= 8 && cells_of(coarse) <= 27);
    recipe.carrier.size.x = 0.04f;
    CHECK_FATAL(lt_recipe_shape(&shell, &recipe, NULL, NULL) == LT_OK);
    recipe.carrier.is_filled = true;
    CHECK_FATAL(lt_recipe_shape(&filled, &recipe, NULL, NULL) == LT_OK);
    CHECK(cells_of(shell) > cells_of(coarse));
    CHECK(cells_of(filled) > cells_of(shell));
    recipe.carrier = (lt_carrier_recipe){.kind = LT_CARRIER_RECIPE_LATTICE, .cells = {150, 0, 0}};
    CHECK_FATAL(lt_recipe_shape(&counted, &recipe, NULL, NULL) == LT_OK);
    CHECK_NEAR(cells_of(counted), 150, 50);
    lt_shape *shapes[] = {coarse, again, shell, filled, counted};
    for (int i = 0; i < 5; i++)
        lt_shape_release(shapes[i]);
    lt_shape_cache_clear();
    recipe.surface.kind = LT_SURFACE_RECIPE_NONE;
    lt_error error;
    CHECK(lt_recipe_shape(&coarse, &recipe, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "needs a surface");
}

static uint64_t levels_of(const lt_shape *shape) {
    for (uint32_t i = 0; i < lt_shape_chunk_count(shape); i++)
        if (strcmp(lt_shape_chunk_at(shape, i).name, "ladder.levels") == 0)
            return lt_shape_chunk_at(shape, i).dims[0];
    return 0;
}

static void ladders_are_made_as_asked_for(void) {
    lt_scene_shape recipe = {
        .surface = {.kind = LT_SURFACE_RECIPE_BOX, .size = {0.1f, 0.1f, 0.1f}, .cells = 2},
        .carrier = lt_ladder_carrier(3, 16, 150)};
    lt_shape *three, *again, *two, *coarser;
    CHECK_FATAL(lt_recipe_shape(&three, &recipe, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_recipe_shape(&again, &recipe, NULL, NULL) == LT_OK);
    CHECK(three == again);
    CHECK_COUNT(levels_of(three), 3);
    recipe.carrier = lt_ladder_carrier(2, 16, 150);
    CHECK_FATAL(lt_recipe_shape(&two, &recipe, NULL, NULL) == LT_OK);
    CHECK_COUNT(levels_of(two), 2);
    recipe.carrier = lt_ladder_carrier(2, 40, 150);
    CHECK_FATAL(lt_recipe_shape(&coarser, &recipe, NULL, NULL) == LT_OK);
    CHECK(coarser != two && lt_shape_hash(coarser) != lt_shape_hash(two));
    lt_shape *shapes[] = {three, again, two, coarser};
    for (int i = 0; i < 4; i++)
        lt_shape_release(shapes[i]);
    lt_shape_cache_clear();
    recipe.surface.kind = LT_SURFACE_RECIPE_NONE;
    lt_error error;
    CHECK(lt_recipe_shape(&three, &recipe, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "a ladder as carrier needs a surface");
}

static void surfaces_are_scaled_and_centred(void) {
    lt_surface surface;
    lt_surface_recipe bear = {.kind = LT_SURFACE_RECIPE_BEAR, .size = {0, 0.3f, 0}, .triangles = 2000};
    CHECK_FATAL(lt_recipe_surface(&surface, &bear, NULL, NULL) == LT_OK);
    lt_box box = lt_surface_box(&surface);
    CHECK_NEAR(box.hi.y - box.lo.y, 0.3, 1e-6);
    CHECK_NEAR(box.hi.x + box.lo.x, 0.0, 1e-6);
    CHECK_NEAR(box.hi.y + box.lo.y, 0.0, 1e-6);
    lt_surface_free(&surface);
}

/* ---- motion ---- */

static lt_vec3 obstacle_after(lt_motion motion, uint64_t step) {
    lt_scene scene = lt_scene_empty("motion", NULL);
    lt_scene_world scene_world;
    lt_vec3 position = {NAN, NAN, NAN};
    scene.dt = 0.25f;
    lt_scene_obstacle *ball = lt_scene_add_obstacle(&scene, LT_OBSTACLE_SPHERE, (lt_vec3){1, 2, 3});
    ball->radius = 0.5f;
    ball->motion = motion;
    lt_carrier_recipe block = {
        .kind = LT_CARRIER_RECIPE_BLOCK, .size = {1, 0.05f, 0.05f}, .cells = {4, 1, 1}};
    lt_scene_add_body(&scene, lt_scene_add_shape(&scene, (lt_surface_recipe){0}, block), (lt_vec3){50, 0, 0});
    if (lt_scene_build(&scene_world, &scene, NULL, NULL) == LT_OK) {
        lt_scene_advance(&scene_world, step);
        lt_world_step(scene_world.world, scene.dt, lt_budget_unlimited());
        position = lt_obstacle_get(scene_world.world, scene_world.obstacles[0]).position;
        lt_scene_world_free(&scene_world);
    }
    lt_scene_free(&scene);
    return position;
}

static void check_place(lt_vec3 a, double x, double y, double z) {
    CHECK_NEAR(a.x, x, 1e-5);
    CHECK_NEAR(a.y, y, 1e-5);
    CHECK_NEAR(a.z, z, 1e-5);
}

/* Step s ends at (s + 1) / 4 s; the obstacle begins at (1, 2, 3). */
static void obstacles_follow_their_motion(void) {
    lt_motion linear = {.kind = LT_MOTION_LINEAR, .vector = {2, 0, 0}, .begin = 0.5f, .end = 1.5f};
    check_place(obstacle_after(linear, 0), 1, 2, 3);
    check_place(obstacle_after(linear, 3), 2, 2, 3);
    check_place(obstacle_after(linear, 30), 3, 2, 3);
    lt_motion swing = {.kind = LT_MOTION_OSCILLATE, .vector = {0, 0.5f, 0}, .period = 2.0f};
    check_place(obstacle_after(swing, 1), 1, 2.5, 3); /* a quarter */
    check_place(obstacle_after(swing, 3), 1, 2, 3);   /* a half */
    check_place(obstacle_after(swing, 5), 1, 1.5, 3); /* three quarters */
    lt_motion circle = {.kind = LT_MOTION_CIRCLE, .vector = {0, 1, 0}, .axis = {0, 0, 1}, .period = 2.0f};
    check_place(obstacle_after(circle, 1), 2, 3,
                3); /* from below the centre, counter-clockwise: to its right */
    check_place(obstacle_after(circle, 3), 1, 4, 3);
    check_place(obstacle_after(circle, 7), 1, 2, 3);
}

/* ---- memory ---- */

static void a_failing_allocator_leaks_nothing(void) {
    for (uint64_t allowed = 0; allowed < 6; allowed++) {
        miser m = {.inner = lt_allocator_default(), .left = allowed};
        lt_allocator allocator = {miser_allocate, miser_release, &m};
        lt_scene scene;
        lt_error error = {0};
        lt_status status = lt_scene_make(&scene, "explicit", &allocator, &error);
        CHECK(status == (allowed < 3 ? LT_STATUS_MEMORY : LT_OK)); /* floor, shape, body: three lists */
        if (status == LT_OK) lt_scene_free(&scene);
        CHECK(m.outstanding == 0);
    }
}

static void a_failing_allocator_fails_the_build_cleanly(void) {
    lt_scene scene = lt_scene_empty("small", NULL);
    lt_carrier_recipe block = {
        .kind = LT_CARRIER_RECIPE_BLOCK, .size = {0.42f, 0.03f, 0.03f}, .cells = {8, 1, 1}};
    lt_surface_recipe bar = {.kind = LT_SURFACE_RECIPE_BOX, .size = {0.2f, 0.01f, 0.01f}, .cells = 4};
    lt_scene_add_floor(&scene, 0.0f);
    lt_scene_add_body(&scene, lt_scene_add_shape(&scene, bar, block), (lt_vec3){0, 1, 0});
    lt_scene_add_handle(&scene, 0, (lt_vec3){0, 1.1f, 0}, 100.0f);
    lt_status status = LT_STATUS_MEMORY;
    uint64_t allowed = 0;
    for (; status == LT_STATUS_MEMORY && allowed < 2000; allowed += 1 + allowed / 8) {
        miser m = {.inner = lt_allocator_default(), .left = allowed};
        lt_world_def def = lt_world_def_default();
        def.allocator = (lt_allocator){miser_allocate, miser_release, &m};
        lt_scene_world scene_world;
        lt_error error = {0};
        status = lt_scene_build(&scene_world, &scene, &def, &error);
        if (status == LT_OK) lt_scene_world_free(&scene_world);
        CHECK(m.outstanding == 0);
    }
    CHECK(status == LT_OK);
    CHECK(allowed > 10);
    lt_scene_free(&scene);
}

int main(void) {
    RUN(every_scene_can_be_made);
    RUN(scenes_are_built_and_move);
    RUN(a_scene_gives_the_same_bits_every_time);
    RUN(unknown_scene_names_its_neighbours);
    RUN(broken_references_are_refused);
    RUN(what_is_refused_is_named);
    RUN(an_enclosed_carrier_without_a_surface_is_refused);
    RUN(what_was_baked_is_not_baked_again);
    RUN(lattices_are_made_as_asked_for);
    RUN(ladders_are_made_as_asked_for);
    RUN(surfaces_are_scaled_and_centred);
    RUN(obstacles_follow_their_motion);
    RUN(a_failing_allocator_leaks_nothing);
    RUN(a_failing_allocator_fails_the_build_cleanly);
    return check_finish();
}
