/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies, and the parts of the method that handle them, driven piece by piece. */

#include "sphere_internal.h"

#include "core/polar.h"
#include "scenes/shape_cache.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>

/* ---- shapes ---- */

enum { RIG_TETS = 500 };

static const char *const FILES[LT_RIG_SHAPES] = {"bunny_closed_35000.ply", "armadillo_52000.ply"};

const char *lt_rig_shape_name(lt_rig_shape shape) {
    return shape == LT_RIG_BUNNY ? "bunny" : "armadillo";
}

bool lt_rig_is_scan(lt_rig_shape shape) {
    char path[LT_SCENE_PATH];
    return lt_find_mesh(FILES[shape], path);
}

lt_surface_recipe lt_rig_surface(lt_rig_shape shape, bool quick) {
    lt_surface_recipe recipe = {.kind =
                                    shape == LT_RIG_BUNNY ? LT_SURFACE_RECIPE_BEAR : LT_SURFACE_RECIPE_SHOE,
                                .size = {0.3f, 0.3f, 0},
                                .triangles = quick ? 2000 : 8000};
    if (quick || !lt_rig_is_scan(shape)) return recipe;
    recipe.kind = LT_SURFACE_RECIPE_FILE;
    snprintf(recipe.path, sizeof recipe.path, "%s", FILES[shape]);
    return recipe;
}

static lt_status make_shape(lt_shape **out, lt_rig_shape shape, bool quick, lt_error *error) {
    lt_allocator allocator = lt_allocator_default();
    lt_scene_shape recipe = {.surface = lt_rig_surface(shape, quick),
                             .carrier = {.kind = LT_CARRIER_RECIPE_ENCLOSED, .cells = {RIG_TETS, 0, 0}}};
    lt_bake_spheres_def def = lt_bake_spheres_def_default();
    if (quick) def.method = LT_SPHERES_OCTREE;
    lt_shape *plain = NULL;
    lt_status status = lt_recipe_shape(&plain, &recipe, &allocator, error);
    if (status == LT_OK) status = lt_shape_cache_spheres(out, plain, &def, error);
    lt_shape_release(plain);
    return status;
}

/* ---- bodies ---- */

lt_collider *lt_rig_collider(const lt_rig *rig, int body) {
    return lt_collider_at(rig->world, rig->bodies[body].index_plus_one - 1);
}

static lt_status make_world(lt_rig *rig, lt_error *error) {
    lt_world_def def = lt_world_def_default();
    def.method = LT_METHOD_SPHERE_TREE;
    def.gravity = (lt_vec3){0, 0, 0};
    def.self_collision = def.sleeping = false;
    lt_status status = lt_world_create(&def, &rig->world, error);
    for (int i = 0; i < 2 && status == LT_OK; i++) {
        lt_body_def body = lt_body_def_default();
        body.shape = rig->shapes[i];
        body.model = LT_MODEL_EXPLICIT_FEM; /* keeps momentum to the last bits, whatever a solver leaves */
        body.material.mass_damping = 0;
        body.position.x = (float)i; /* apart, until they are placed */
        rig->bodies[i] = lt_world_add_body(rig->world, &body, error);
        if (rig->bodies[i].index_plus_one == 0) status = error ? error->status : LT_STATUS_INVALID;
    }
    return status;
}

static bool take_memory(lt_rig *rig) {
    uint32_t most = 0;
    for (int i = 0; i < 2; i++) {
        rig->node_counts[i] = lt_body_node_count(rig->world, rig->bodies[i]);
        most = lt_max_u32(most, rig->node_counts[i]);
        rig->rest[i] = LT_NEW(&rig->allocator, rig->node_counts[i], lt_vec3);
        if (!rig->rest[i]) return false;
        lt_body_get_nodes(rig->world, rig->bodies[i], rig->rest[i], NULL);
        for (uint32_t n = 0; n < rig->node_counts[i]; n++)
            rig->rest[i][n].x -= (float)i;
    }
    rig->placed = LT_NEW(&rig->allocator, most, lt_vec3);
    rig->pool = LT_NEW(&rig->allocator, LT_RIG_POOL, lt_front_pair);
    rig->records = LT_NEW(&rig->allocator, LT_RIG_RECORDS, lt_contact_record);
    const lt_collider *colliders = lt_collider_at(rig->world, 0);
    size_t size = lt_front_scratch_size(colliders, 2, LT_RIG_POOL);
    return rig->placed && rig->pool && rig->records && lt_arena_reserve(&rig->arena, &rig->allocator, size) &&
           lt_front_scratch_take(&rig->scratch, colliders, 2, LT_RIG_POOL, &rig->arena);
}

lt_status lt_rig_create(lt_rig *rig, lt_rig_shape a, lt_rig_shape b, bool quick, lt_error *error) {
    lt_error own_error; /* adding a body reports through the error alone */
    if (!error) error = &own_error;
    *rig = (lt_rig){.allocator = lt_allocator_default()};
    lt_status status = make_shape(&rig->shapes[0], a, quick, error);
    if (status == LT_OK) status = make_shape(&rig->shapes[1], b, quick, error);
    if (status == LT_OK) status = make_world(rig, error);
    if (status == LT_OK && !take_memory(rig))
        status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for two bodies");
    if (status != LT_OK) lt_rig_free(rig);
    return status;
}

void lt_rig_free(lt_rig *rig) {
    for (int i = 0; i < 2; i++) {
        LT_DELETE(&rig->allocator, rig->rest[i], rig->node_counts[i], lt_vec3);
        lt_shape_release(rig->shapes[i]);
    }
    LT_DELETE(&rig->allocator, rig->placed, lt_max_u32(rig->node_counts[0], rig->node_counts[1]), lt_vec3);
    LT_DELETE(&rig->allocator, rig->pool, LT_RIG_POOL, lt_front_pair);
    LT_DELETE(&rig->allocator, rig->records, LT_RIG_RECORDS, lt_contact_record);
    lt_arena_free(&rig->arena);
    if (rig->world) lt_world_destroy(rig->world);
    *rig = (lt_rig){0};
}

/* ---- poses ---- */

void lt_rig_place(lt_rig *rig, const lt_rig_pose *pose) {
    for (int i = 0; i < 2; i++) {
        lt_dmat3 turn = lt_matrix_from_quat(pose->rotations[i]);
        lt_vec3 at = lt_v3_scale(pose->direction, i == 0 ? 0 : pose->distance);
        for (uint32_t n = 0; n < rig->node_counts[i]; n++)
            rig->placed[n] =
                lt_v3_add(lt_v3_from_d3(lt_dm3_mul_vec(turn, lt_d3_from_v3(rig->rest[i][n]))), at);
        lt_body_set_nodes(rig->world, rig->bodies[i], rig->placed, NULL, NULL);
        lt_collider_measure(lt_rig_collider(rig, i), 0, lt_bound_kernels_for(lt_simd_best()));
    }
}

lt_quat lt_random_turn(lt_random *random) {
    lt_quat q;
    float length;
    do {
        q = (lt_quat){lt_random_range(random, -1, 1), lt_random_range(random, -1, 1),
                      lt_random_range(random, -1, 1), lt_random_range(random, -1, 1)};
        length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    } while (length > 1 || length < 0.1f);
    return (lt_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

static uint32_t leaf_pairs(lt_rig *rig, const lt_rig_pose *pose) {
    lt_rig_place(rig, pose);
    lt_rig_begin(rig, LT_ORDER_FIFO, true);
    while (lt_rig_step(rig, 1u << 20)) {
    }
    return rig->traverse.found_count;
}

/* Farther apart there are fewer pairs, all in all; where there is none between 200 and 500 another pose is tried. */
lt_rig_pose lt_rig_slight_pose(lt_rig *rig, lt_random *random) {
    for (;;) {
        lt_quat way = lt_random_turn(random);
        lt_rig_pose pose = {.rotations = {lt_random_turn(random), lt_random_turn(random)},
                            .direction =
                                lt_v3_normalize_or((lt_vec3){way.x, way.y, way.z}, (lt_vec3){1, 0, 0})};
        float near_distance = 0, far_distance = 0.8f;
        for (int i = 0; i < 24; i++) {
            pose.distance = 0.5f * (near_distance + far_distance);
            uint32_t pairs = leaf_pairs(rig, &pose);
            if (pairs >= 200 && pairs <= 500) return pose;
            if (pairs > 500)
                near_distance = pose.distance;
            else
                far_distance = pose.distance;
        }
    }
}

lt_rig_pose lt_rig_overlap_pose(void) {
    return (lt_rig_pose){.rotations = {{0, 0, 0, 1}, lt_quat_turn((lt_vec3){1, 2, 3}, 3)},
                         .direction = {1, 0, 0},
                         .distance = 0.003f};
}

/* ---- the method by hand ---- */

void lt_rig_begin(lt_rig *rig, lt_order order, bool stale) {
    const lt_sphere_kernels *kernels = lt_sphere_kernels_for(lt_simd_best());
    float bound = 0;
    for (int i = 0; i < 2; i++) {
        lt_collider *collider = lt_rig_collider(rig, i);
        if (stale) lt_spheres_outdate(&collider->spheres);
        rig->sides[i] = (lt_sphere_side){.collider = collider, .kernels = kernels};
    }
    rig->traverse = (lt_traverse){.a = lt_sphere_side_tree(&rig->sides[0]),
                                  .b = lt_sphere_side_tree(&rig->sides[1]),
                                  .test = lt_spheres_against_spheres,
                                  .may_collide = lt_spheres_may_collide,
                                  .order = order,
                                  .pool = rig->pool,
                                  .capacity = LT_RIG_POOL,
                                  .memory = rig->memory};
    for (int i = 0; i < 2; i++)
        bound += lt_sphere_now(&rig->sides[i].collider->spheres, LT_NOW_OWN_ERROR, 0);
    lt_traverse_begin(&rig->traverse, bound);
}

uint32_t lt_rig_step(lt_rig *rig, uint32_t grant) {
    uint32_t cost = lt_traverse_peek(&rig->traverse, 0).cost;
    return cost ? lt_traverse_step(&rig->traverse, lt_max_u32(cost, grant)) : 0;
}

lt_front lt_rig_answer(lt_rig *rig) {
    lt_contact_harvest harvest = {.records = rig->records, .capacity = LT_RIG_RECORDS};
    lt_front front = {.traverse = &rig->traverse,
                      .pair = {.a = 0, .kind = LT_PAIR_BODIES, .b = 1},
                      .colliders = lt_collider_at(rig->world, 0),
                      .detail = LT_SPHERE_LEVELS_MAX,
                      .scratch = &rig->scratch,
                      .harvest = &harvest};
    lt_front_respond(&front);
    front.harvest = NULL;
    return front;
}
