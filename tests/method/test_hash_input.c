/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The method tet-hash at its edges, in both modes: bodies inside out, collapsed to a point, stretched over or apart by a
 * million cells, of a micron and of a thousand kilometres, swallowed whole, untidy surfaces, no budget for ever. Steps end,
 * their work is bounded, nothing is allocated, and the report says what is left.
 * labels: wasm */

#include "failing_allocator.h"
#include "method/couple.h"

static lt_shape *cube, *coarse, *ball, *pebble;

static lt_world_def hash_def(lt_mode mode) {
    lt_world_def def = test_world_def();
    def.method = LT_METHOD_TET_HASH;
    def.mode = mode;
    return def;
}

static couple hash_couple(lt_mode mode, lt_shape *first, lt_shape *second, lt_vec3 place) {
    lt_world_def def = hash_def(mode);
    return make_couple(&def, first, second, place, 1);
}

static lt_report check_step(lt_world *world, lt_budget budget) {
    lt_report report = lt_world_step(world, STEP_DT, budget);
    CHECK(report_is_consistent(world, &report) && world_is_finite(world));
    CHECK_COUNT(unsound_contacts_of(world, false), 0);
    CHECK_COUNT(report.allocations, 0);
    CHECK_COUNT(report.interrupted, report.pending > 0);
    return report;
}

/* Without a limit, on a little, on nothing. */
static lt_budget some_budget(uint32_t step) {
    return step % 3 == 0 ? lt_budget_unlimited() : lt_budget_collision_units(step % 3 == 1 ? 5000 : 0);
}

/* ---- nodes anywhere ---- */

typedef lt_vec3 place_node(lt_vec3 node, lt_vec3 center);

static void place_nodes(lt_world *world, lt_body_id body, place_node *place) {
    lt_vec3 nodes[256], center = lt_body_center(world, body);
    uint32_t count = lt_body_node_count(world, body);
    CHECK_FATAL(count <= 256);
    lt_body_get_nodes(world, body, nodes, NULL);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = place(nodes[i], center);
    CHECK(lt_body_set_nodes(world, body, nodes, NULL, NULL) == LT_OK);
}

static lt_vec3 mirrored(lt_vec3 node, lt_vec3 center) {
    return (lt_vec3){2 * center.x - node.x, node.y, node.z};
}

static lt_vec3 collapsed(lt_vec3 node, lt_vec3 center) {
    (void)node;
    return center;
}

static lt_vec3 flattened(lt_vec3 node, lt_vec3 center) {
    return (lt_vec3){node.x, center.y, node.z};
}

/* Half of it a million edges away. */
static lt_vec3 stretched(lt_vec3 node, lt_vec3 center) {
    return (lt_vec3){node.x + (node.x > center.x ? 1e5f : 0), node.y, node.z};
}

static void ruined_bodies_do_no_harm(void) {
    place_node *const ways[] = {mirrored, collapsed, flattened, stretched};
    for (int mode = 0; mode < LT_MODE_COUNT; mode++)
        for (uint32_t way = 0; way < LT_COUNT_OF(ways); way++)
            for (int both = 0; both < 2; both++) {
                couple c = hash_couple((lt_mode)mode, cube, cube, (lt_vec3){0.15f, 0.02f, 0.01f});
                uint64_t sound = check_step(c.world, lt_budget_unlimited()).units;
                place_nodes(c.world, c.b, ways[way]);
                if (both) place_nodes(c.world, c.a, ways[way]);
                for (uint32_t i = 0; i < 12; i++) {
                    lt_report report = check_step(c.world, some_budget(i));
                    CHECK(report.units < 20 * sound); /* however many cells they cover, or none */
                    if (i == 0 && ways[way] == mirrored) CHECK(report.contacts > 5 && report.inverted > 0);
                }
                lt_world_destroy(c.world);
            }
}

/* ---- places ---- */

/* Two more at a distance of a million edges are met, too, and change neither what the others find nor what that takes. */
static void bodies_far_apart_take_no_more(void) {
    lt_vec3 place = {0.16f, 0.02f, 0.01f};
    for (int mode = 0; mode < LT_MODE_COUNT; mode++) {
        couple near = hash_couple((lt_mode)mode, cube, cube, place),
               both = hash_couple((lt_mode)mode, cube, cube, place);
        for (int i = 0; i < 2; i++)
            add_body(both.world, cube, (lt_vec3){1e5f + (i ? 0.125f : 0), 0, 0});
        lt_report one = check_step(near.world, lt_budget_unlimited()),
                  two = check_step(both.world, lt_budget_unlimited());
        CHECK(one.contacts > 5 && two.contacts > one.contacts + 5);
        CHECK(two.units > one.units && two.units < 3 * one.units);
        uint32_t count, all;
        const lt_contact *alone = lt_world_contacts(near.world, &count),
                         *list = lt_world_contacts(both.world, &all);
        for (uint32_t i = 0; i < count; i++) /* they are in the first slots, so they come first */
            CHECK(i < all && memcmp(&alone[i], &list[i], sizeof *alone) == 0);
        lt_world_destroy(near.world);
        lt_world_destroy(both.world);
    }
}

static uint32_t contacts_of_points(const lt_world *world, lt_body_id body) {
    uint32_t count, points = 0;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++)
        points += contacts[i].body_a.index_plus_one == body.index_plus_one;
    return points;
}

/* A pebble in the middle of a block, all of it in one tet and so in a cell or two: every point of it is found, cycles end at any
 * budget though no edge pierces a surface, and it is pushed out. */
static void what_is_swallowed_is_pushed_out(void) {
    for (int mode = 0; mode < LT_MODE_COUNT; mode++)
        for (uint64_t units = 6000; units <= 24000; units *= 4) {
            couple c = hash_couple((lt_mode)mode, coarse, pebble, (lt_vec3){0.04f, 0.01f, 0.005f});
            uint32_t points = lt_body_surface(c.world, c.b).vertex_count, ended = 0;
            lt_report report = check_step(c.world, lt_budget_unlimited());
            CHECK_COUNT(contacts_of_points(c.world, c.b), points);
            CHECK(mode == LT_MODE_SAFE ||
                  report.approximate == points); /* as printed: no depth but by edges */
            CHECK(report.depth_max > 0.05 && report.interrupted == 0);
            for (int i = 0; i < 160; i++)
                ended += !check_step(c.world, lt_budget_collision_units(units)).interrupted;
            CHECK(ended >= 10);
            lt_vec3 apart = lt_v3_sub(lt_body_center(c.world, c.b), lt_body_center(c.world, c.a));
            CHECK(lt_v3_length(apart) > 0.09f);
            lt_world_destroy(c.world);
        }
}

static void coincident_bodies_are_sound(void) {
    for (int mode = 0; mode < LT_MODE_COUNT; mode++) {
        couple c = hash_couple((lt_mode)mode, cube, cube, (lt_vec3){0, 0, 0});
        for (uint32_t i = 0; i < 30; i++)
            check_step(c.world, some_budget(i));
        lt_world_destroy(c.world);
    }
}

static void any_scale_works(void) {
    lt_world_def def = hash_def(LT_MODE_SAFE);
    check_any_scale_works(&def, cube, ball);
}

/* ---- surfaces ---- */

/* A block of 0.2 m with a surface of its own: 8 corners, 12 triangles; untidy: two points more in no triangle, three triangles
 * once or twice more. */
static lt_shape *boxed_shape(bool untidy) {
    static const uint32_t triangles[3 * 15] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4,
                                               1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6,
                                               1, 3, 5, 3, 7, 5, 0, 1, 4, 0, 1, 4, 3, 7, 5};
    lt_vec3 positions[10];
    for (uint32_t i = 0; i < 10; i++)
        positions[i] = i < 8 ? (lt_vec3){i & 1 ? 0.19f : 0.01f, i & 2 ? 0.19f : 0.01f, i & 4 ? 0.19f : 0.01f}
                             : (lt_vec3){0.1f, 0.1f, 0.1f};
    lt_tet_mesh mesh;
    const uint32_t cells[3] = {2, 2, 2};
    lt_shape *shape = NULL;
    lt_error error = {0};
    if (lt_generate_tet_block(&mesh, (lt_dvec3){0.2, 0.2, 0.2}, cells, LT_TET_SPLIT_SIX, NULL, NULL) != LT_OK)
        return NULL;
    lt_bake_tets_def def = lt_bake_tets_def_default();
    def.node_positions = &mesh.positions[0].x;
    def.tets = mesh.tets;
    def.node_count = mesh.node_count;
    def.tet_count = mesh.tet_count;
    def.surface_positions = &positions[0].x;
    def.surface_triangles = triangles;
    def.surface_vertex_count = untidy ? 10 : 8;
    def.surface_triangle_count = untidy ? 15 : 12;
    if (lt_bake_tets(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_tet_mesh_free(&mesh);
    return shape;
}

/* Points that belong to nothing are at most near something, and do nothing to the others. What is there twice has edges
 * there twice: they count double where depths are averaged, no more. */
static void untidy_surfaces_find_the_like(void) {
    lt_shape *tidy = boxed_shape(false), *untidy = boxed_shape(true);
    CHECK_FATAL(tidy && untidy);
    for (int mode = 0; mode < LT_MODE_COUNT; mode++) {
        lt_vec3 place = {0.07f, 0.1f, 0.06f};
        couple c = hash_couple((lt_mode)mode, tidy, tidy, place),
               d = hash_couple((lt_mode)mode, untidy, untidy, place);
        check_step(c.world, lt_budget_unlimited());
        check_step(d.world, lt_budget_unlimited());
        uint32_t count, all, alike = 0, isolated = 0;
        const lt_contact *x = lt_world_contacts(c.world, &count), *y = lt_world_contacts(d.world, &all);
        CHECK_COUNT(count, 2);
        for (uint32_t i = 0; i < all; i++) {
            isolated += y[i].feature_a >= 8;
            for (uint32_t k = 0; k < count; k++)
                alike += x[k].body_a.index_plus_one == y[i].body_a.index_plus_one &&
                         x[k].feature_a == y[i].feature_a && fabsf(x[k].depth - y[i].depth) < 0.015f &&
                         lt_v3_dot(x[k].normal, y[i].normal) > 0.8f;
        }
        CHECK_COUNT(alike, count);
        CHECK_COUNT(all, count + isolated);
        CHECK_COUNT(isolated, mode == LT_MODE_SAFE ? 4 : 0); /* 0.01 m outside */
        for (uint32_t i = 0; i < 30; i++)
            check_step(d.world, some_budget(i));
        lt_world_destroy(c.world);
        lt_world_destroy(d.world);
    }
    lt_shape_release(tidy);
    lt_shape_release(untidy);
}

/* ---- no budget ---- */

/* For ever: every step says that it did not get through, work stays what must be done in any case, and memory what it was. */
static void no_budget_for_ever(void) {
    for (int mode = 0; mode < LT_MODE_COUNT; mode++) {
        failing counted = failing_after(1 << 30);
        lt_world_def def = hash_def((lt_mode)mode);
        def.allocator = failing_allocator(&counted);
        couple c = make_couple(&def, cube, ball, (lt_vec3){0.17f, 0.02f, 0.01f}, 1);
        lt_report full = check_step(c.world, lt_budget_unlimited()), report = {0};
        int asked = counted.allowed;
        size_t bytes = counted.bytes_out;
        uint64_t most_units = 0;
        CHECK(full.contacts > 3 && full.interrupted == 0 && full.useful_units > 0);
        for (uint32_t i = 0; i < 500; i++) {
            report = check_step(c.world, lt_budget_collision_units(0));
            CHECK(report.interrupted && report.pending > 0);
            CHECK_COUNT(report.cuts.units[LT_STAGE_DETECT], 0);
            CHECK_COUNT(report.exact, 0); /* those that are held get older */
            CHECK(report.contacts == 0 || report.age_max == i + 1);
            most_units = lt_max_u64(most_units, report.units);
        }
        CHECK(most_units <= full.units - full.cuts.units[LT_STAGE_DETECT] + full.cuts.units[LT_STAGE_EMBED]);
        CHECK_COUNT(counted.bytes_out, bytes);
        CHECK(counted.allowed == asked);
        lt_world_destroy(c.world);
        CHECK_COUNT(counted.blocks_out, 0);
    }
}

int main(void) {
    cube = cube_shape(0.2, 2);
    coarse = cube_shape(0.2, 1);
    ball = ball_shape(0.12, 1);
    pebble = ball_shape(0.01, 2);
    RUN(ruined_bodies_do_no_harm);
    RUN(bodies_far_apart_take_no_more);
    RUN(what_is_swallowed_is_pushed_out);
    RUN(coincident_bodies_are_sound);
    RUN(any_scale_works);
    RUN(untidy_surfaces_find_the_like);
    RUN(no_budget_for_ever);
    lt_shape_release(cube);
    lt_shape_release(coarse);
    lt_shape_release(ball);
    lt_shape_release(pebble);
    return check_finish();
}
