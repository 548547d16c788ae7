/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Collision only: the contacts are those of brute force, with itself, between bodies and standing still; weights on nodes lead
 * to the points; obstacles by hand; the same bits at every level.
 * labels: golden */

#include "check.h"

#include "core/hash.h"
#include "world/collide_fixture.h"
#include "world/world.h"

static meeting_key found_keys[COLLIDE_CAPACITY], all_keys[COLLIDE_CAPACITY];

static lt_collision_def roomy_def(void) {
    lt_collision_def def = lt_collision_def_default();
    def.contact_capacity = COLLIDE_CAPACITY;
    return def;
}

/* ---- brute force ---- */

static uint32_t compare_with_force(collide_scene *s, bool moves, float separation) {
    uint32_t total = 0;
    for (uint32_t a = 0; a < s->body_count; a++)
        for (uint32_t b = a; b < s->body_count; b++) {
            uint32_t found = collide_found(found_keys, s, a, b);
            uint32_t all = collide_by_force(all_keys, s, a, b, moves, separation);
            CHECK_COUNT(found, all);
            CHECK(found == all && memcmp(found_keys, all_keys, all * sizeof *all_keys) == 0);
            total += all;
        }
    return total;
}

static void contacts_are_those_of_brute_force(void) {
    static const double radii[] = {0.42, 0.56};
    static const float separations[] = {0, 0.01f};
    for (int kind = 0; kind < 4; kind++) {
        lt_random random = lt_random_seed(100 + (uint64_t)kind);
        lt_collision_def def = roomy_def();
        def.separation = separations[kind / 2];
        collide_scene s;
        CHECK_FATAL(collide_make(&s, 2, radii[kind % 2], 2, &def));
        uint32_t met = 0;
        for (uint32_t round = 0; round < rounds_of(2); round++) {
            motion_kind which = (motion_kind)((round + 3 * (uint32_t)kind / 2) % MOTION_COUNT);
            deform_all(&s, which, 0.3, &random);
            set_all(&s, true);
            lt_report report = lt_collision_find(s.collision, lt_budget_unlimited());
            CHECK_COUNT(report.interrupted, 0);
            CHECK_COUNT(report.dropped, 0);
            CHECK_COUNT(report.allocations, 0);
            CHECK_COUNT(report.step, round + 1);
            uint32_t count = compare_with_force(&s, true, def.separation);
            CHECK_COUNT(report.contacts, count);
            CHECK_COUNT(report.exact + report.approximate, count);
            CHECK(report.tested >= count);
            met += count;
        }
        CHECK(met > 100);
        collide_free(&s);
    }
}

/* Apart by more than a tenth of their size, at every side: it is the separation that makes them meet. */
static void a_separation_reaches_far(void) {
    lt_collision_def def = roomy_def();
    def.separation = 0.4f;
    def.self_collision = false;
    collide_scene s;
    CHECK_FATAL(collide_make(&s, 2, 0.42, 1, &def));
    for (int axis = 0; axis < 6; axis += 2) { /* x, z, and y the other way */
        for (uint32_t i = 0; i < 8 * s.f.carrier.node_count; i++) {
            uint32_t body = i % 2, at = i / 2;
            double x = at % 4 < 3 ? s.f.carrier.rest[3 * (at / 4) + at % 4] : NAN;
            if (body == 1 && at % 4 == (uint32_t)axis % 3) x += axis < 3 ? 1.15 : -1.15;
            s.from[body][at] = (float)x;
            s.to[body][at] = (float)x + (body == 1 ? 0.01f : 0);
        }
        set_all(&s, true);
        lt_collision_find(s.collision, lt_budget_unlimited());
        uint32_t found = collide_found(found_keys, &s, 0, 1);
        CHECK_COUNT(found, collide_by_force(all_keys, &s, 0, 1, true, def.separation));
        CHECK(found > 0 && memcmp(found_keys, all_keys, found * sizeof *all_keys) == 0);
    }
    collide_free(&s);
}

/* Both ends the same, or no end at all: triangles that cross, at no particular time. */
static void what_stands_still_crosses(void) {
    lt_random random = lt_random_seed(7);
    lt_collision_def def = roomy_def();
    collide_scene s;
    CHECK_FATAL(collide_make(&s, 2, 0.42, 2, &def));
    deform_all(&s, MOTION_PINCH, 0.3, &random);
    for (int with_end = 0; with_end < 2; with_end++) {
        for (uint32_t i = 0; with_end && i < 2; i++)
            memcpy(s.to[i], s.from[i], 4 * sizeof(float) * s.f.carrier.node_count);
        set_all(&s, with_end);
        lt_report report = lt_collision_find(s.collision, lt_budget_unlimited());
        uint32_t count;
        const lt_collision_contact *contacts = lt_collision_contacts(s.collision, &count);
        CHECK_COUNT(report.contacts, count);
        CHECK(count > 10);
        CHECK_COUNT(compare_with_force(&s, false, 0), count);
        for (uint32_t i = 0; i < count; i++) {
            double sum = 0;
            for (uint32_t k = 0; k < contacts[i].a.node_count; k++)
                sum += (double)contacts[i].a.weights[k];
            CHECK(contacts[i].kind == LT_COLLISION_CROSSING && contacts[i].time == 0);
            CHECK_NEAR(sum, 1, 1e-6);
        }
    }
    collide_free(&s);
}

/* ---- weights ---- */

static lt_dvec3 place_at(const collide_scene *s, lt_body_id body, const lt_collision_point *p, double time,
                         double *sum) {
    uint32_t index = body.index_plus_one - 1;
    lt_dvec3 at = {0, 0, 0};
    *sum = 0;
    for (uint32_t k = 0; k < p->node_count; k++) {
        const float *x = s->from[index] + 4 * (size_t)p->nodes[k],
                    *y = s->to[index] + 4 * (size_t)p->nodes[k];
        lt_dvec3 from = {(double)x[0], (double)x[1], (double)x[2]},
                 to = {(double)y[0], (double)y[1], (double)y[2]};
        at = lt_d3_mad(at, lt_d3_mad(from, lt_d3_sub(to, from), time), (double)p->weights[k]);
        *sum += (double)p->weights[k];
    }
    return at;
}

static bool are_of_one_tet(const lt_carrier *carrier, const lt_collision_point *p) {
    for (uint32_t tet = 0; tet < carrier->tet_count; tet++) {
        uint32_t held = 0;
        for (uint32_t k = 0; k < p->node_count; k++)
            for (uint32_t i = 0; i < 4; i++)
                held += carrier->tets[4 * (size_t)tet + i] == p->nodes[k];
        if (held == p->node_count) return true;
    }
    return false;
}

/* Σ w x of both sides differ by distance × normal, and within a carrier all of a side hangs on one tet. */
static void weights_lead_to_the_points(void) {
    for (int outside = 0; outside < 2; outside++) {
        lt_random random = lt_random_seed(60);
        lt_collision_def def = roomy_def();
        def.separation = 0.02f;
        collide_scene s;
        CHECK_FATAL(collide_make(&s, 2, outside ? 0.56 : 0.42, 2, &def));
        CHECK((s.f.tree.spanning_count > 0) == outside);
        uint32_t most_nodes = 0, far = 0;
        for (uint32_t round = 0; round < 2; round++) {
            deform_all(&s, round % 2 ? MOTION_TWIST : MOTION_FOLD, 0.5, &random);
            set_all(&s, true);
            lt_collision_find(s.collision, lt_budget_unlimited());
            uint32_t count;
            const lt_collision_contact *contacts = lt_collision_contacts(s.collision, &count);
            CHECK(count > 10);
            for (uint32_t i = 0; i < count; i++) {
                const lt_collision_contact *c = &contacts[i];
                double sum_a, sum_b;
                if (c->kind == LT_COLLISION_CROSSING) continue; /* a body that stands still, with itself */
                lt_dvec3 a = place_at(&s, c->body_a, &c->a, (double)c->time, &sum_a);
                lt_dvec3 b = place_at(&s, c->body_b, &c->b, (double)c->time, &sum_b);
                lt_dvec3 apart = lt_d3_scale(lt_d3_from_v3(c->normal), (double)c->distance);
                CHECK_NEAR(sum_a, 1, 1e-6);
                CHECK_NEAR(sum_b, 1, 1e-6);
                CHECK_NEAR(lt_d3_distance(lt_d3_sub(a, b), apart), 0, 2e-6 + 1e-3 * (double)c->distance);
                CHECK_NEAR(lt_d3_distance(a, lt_d3_from_v3(c->position)), 0, 1e-6);
                CHECK_NEAR(lt_v3_length(c->normal), 1, 1e-5);
                CHECK(c->time >= 0 && c->time <= 1 && c->distance >= 0);
                CHECK(c->a.node_count > 0 && c->a.triangle < s.f.skin.triangle_count);
                CHECK(outside ||
                      (are_of_one_tet(&s.f.carrier, &c->a) && are_of_one_tet(&s.f.carrier, &c->b)));
                most_nodes = lt_max_u32(most_nodes, lt_max_u32(c->a.node_count, c->b.node_count));
                far += c->distance > 0.01f;
            }
        }
        CHECK(far > 10);
        CHECK(outside ? most_nodes > 4 : most_nodes <= 4);
        collide_free(&s);
    }
}

/* ---- obstacles ---- */

/* By hand: a plane that comes up by 0.5, vertices that come down by 0.25 from 0.3 above it: at time 0.4. */
static void a_plane_comes_up(void) {
    lt_collision_def def = roomy_def();
    collide_scene s;
    CHECK_FATAL(collide_make(&s, 1, 0.42, 2, &def));
    float lowest = 1e30f;
    for (uint32_t i = 0; i < s.f.carrier.node_count; i++)
        for (uint32_t k = 0; k < 4; k++) {
            s.from[0][4 * i + k] = k < 3 ? (float)s.f.carrier.rest[3 * i + k] : NAN;
            s.to[0][4 * i + k] = s.from[0][4 * i + k] - (k == 1 ? 0.25f : 0);
        }
    for (uint32_t i = 0; i < s.f.skin.point_count; i++)
        lowest = lt_min_f(lowest, s.f.skin.rest[i].y);
    set_all(&s, true);
    lt_obstacle_def plane = lt_obstacle_def_default();
    int here;
    plane.user_data = &here;
    lt_obstacle_id id = lt_collision_add_obstacle(s.collision, &plane, NULL);
    lt_collision_motion way = {{0, lowest - 0.3f, 0}, {0, lowest + 0.2f, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}};
    CHECK(lt_collision_set_obstacle(s.collision, id, &way, NULL) == LT_OK);
    CHECK(lt_collision_obstacle_data(s.collision, id) == &here);
    lt_report report = lt_collision_find(s.collision, lt_budget_unlimited());
    uint32_t count;
    const lt_collision_contact *contacts = lt_collision_contacts(s.collision, &count);
    CHECK_COUNT(report.contacts, count);
    CHECK_FATAL(count > 0);
    double first = 1;
    for (uint32_t i = 0; i < count; i++) {
        const lt_collision_contact *c = &contacts[i];
        double sum;
        lt_dvec3 at = place_at(&s, c->body_a, &c->a, (double)c->time, &sum);
        first = lt_min_d(first, (double)c->time);
        CHECK(c->kind == LT_COLLISION_OBSTACLE && c->body_b.index_plus_one == 0);
        CHECK(c->obstacle.index_plus_one == id.index_plus_one && c->b.node_count == 0);
        CHECK_NEAR(c->normal.y, 1, 1e-6);
        CHECK_NEAR(at.y - ((double)lowest - 0.3 + 0.5 * (double)c->time), c->distance, 1e-5);
    }
    CHECK_NEAR(first, 0.4, 1e-3);
    CHECK_NEAR(report.depth_max, 0, 1e-3);
    /* It begins inside: the depth is told. */
    way.start_position.y = way.end_position.y = lowest + 0.1f;
    CHECK(lt_collision_set_obstacle(s.collision, id, &way, NULL) == LT_OK);
    CHECK_NEAR(lt_collision_find(s.collision, lt_budget_unlimited()).depth_max, 0.1, 1e-4);
    lt_collision_remove_obstacle(s.collision, id);
    CHECK_COUNT(lt_collision_find(s.collision, lt_budget_unlimited()).contacts, 0);
    collide_free(&s);
}

/* Without pairs and turns: every vertex of body 0. */
static uint32_t obstacle_by_force(const collide_scene *s, const lt_obstacle *obstacle, float separation) {
    lt_obstacle_meeting meeting;
    lt_surface_parts parts;
    lt_surface_parts_def parts_def = {0};
    lt_moving_surface surface;
    lt_moving_surface_def def = {false, lt_self_def_default(), lt_simd_best()};
    if (lt_surface_parts_create(&parts, s->f.shape, &s->f.carrier, &s->f.skin, &parts_def, NULL, NULL) !=
        LT_OK)
        return 0;
    lt_moving_surface_create(&surface, &parts, &s->f.carrier, &def, NULL, NULL);
    lt_moving_surface_begin(&surface, s->from[0], s->to[0],
                            box_of_motion(s->from[0], s->to[0], s->f.carrier.node_count));
    lt_multiscale_fit(&surface.boxes);
    lt_obstacle_query query = {
        .body = &surface.boxes, .owners = &parts.owners, .obstacle = obstacle, .separation = separation};
    lt_obstacle_query_begin(&query);
    lt_multiscale_refit_whole(&surface.boxes, NULL);
    uint32_t count = 0;
    for (uint32_t point = 0; point < parts.tree.point_count; point++)
        count += lt_obstacle_query_test(&query, point, &meeting);
    lt_moving_surface_free(&surface);
    lt_surface_parts_free(&parts);
    return count;
}

/* Any kind, anywhere near, moving and turning: as many contacts as a query of the body alone finds. */
static void obstacles_are_not_missed(void) {
    lt_random random = lt_random_seed(21);
    lt_collision_def def = roomy_def();
    def.self_collision = false;
    def.separation = 0.05f;
    collide_scene s;
    CHECK_FATAL(collide_make(&s, 1, 0.42, 2, &def));
    lt_surface mesh;
    CHECK_FATAL(make_large_box(&mesh));
    uint32_t met = 0, missed = 0;
    for (uint32_t round = 0; round < 20; round++) {
        lt_obstacle_def o = lt_obstacle_def_default();
        o.kind = (lt_obstacle_kind)(round % LT_OBSTACLE_KIND_COUNT);
        o.radius = 0.2f;
        o.normal = (lt_vec3){0.6f, 0, 0.8f};
        o.half_extents = (lt_vec3){0.2f, 0.1f, 0.3f};
        o.mesh_positions = mesh.positions;
        o.mesh_triangles = mesh.triangles;
        o.mesh_vertex_count = mesh.vertex_count;
        o.mesh_triangle_count = mesh.triangle_count;
        o.mesh_resolution = 8;
        lt_collision_motion way = {random_v3(&random, 1.2f), random_v3(&random, 1.2f), random_quat(&random),
                                   random_quat(&random)};
        if (round % 3 == 0) way.end_rotation = way.start_rotation;
        lt_obstacle_id id = lt_collision_add_obstacle(s.collision, &o, NULL);
        deform_all(&s, MOTION_NOISE, 0.3, &random);
        set_all(&s, true);
        CHECK(lt_collision_set_obstacle(s.collision, id, &way, NULL) == LT_OK);
        uint64_t found = lt_collision_find(s.collision, lt_budget_unlimited()).contacts;
        lt_obstacle obstacle;
        CHECK(lt_obstacle_make(&obstacle, &o, NULL, NULL) == LT_OK);
        lt_obstacle_place(&obstacle, way.start_position, way.start_rotation);
        obstacle.target_position = way.end_position;
        obstacle.target_rotation = way.end_rotation;
        obstacle.moving = true;
        uint32_t all = obstacle_by_force(&s, &obstacle, def.separation);
        missed += found != all;
        met += all > 0;
        lt_distance_grid_free(&obstacle.grid);
        lt_collision_remove_obstacle(s.collision, id);
    }
    CHECK_COUNT(missed, 0);
    CHECK(met > 7 && met < 20);
    lt_surface_free(&mesh);
    collide_free(&s);
}

/* ---- who meets whom ---- */

static uint32_t contacts_between(collide_scene *s, uint32_t a, uint32_t b) {
    return collide_found(found_keys, s, a, b);
}

static void groups_and_switches_are_kept(void) {
    for (int which = 0; which < 4; which++) {
        lt_random random = lt_random_seed(4);
        lt_collision_def def = roomy_def();
        def.self_collision = which != 1;
        collide_scene s;
        CHECK_FATAL(collide_make(&s, 1, 0.42, 2, &def));
        lt_collision_body_def body = lt_collision_body_def_default();
        body.shape = s.f.shape;
        body.self_collision = which != 2;
        body.collision_mask = which == 3 ? 2 : UINT32_MAX;
        body.user_data = &s;
        s.bodies[1] = lt_collision_add_body(s.collision, &body, NULL);
        CHECK(lt_collision_body_data(s.collision, s.bodies[1]) == &s);
        CHECK_COUNT(lt_collision_node_count(s.collision, s.bodies[1]), s.f.carrier.node_count);
        s.body_count = 2;
        s.from[1] = LT_NEW(NULL, 4 * (size_t)s.f.carrier.node_count, float);
        s.to[1] = LT_NEW(NULL, 4 * (size_t)s.f.carrier.node_count, float);
        for (uint32_t i = 0; i < 2; i++)
            deform_nodes(s.from[i], s.to[i], &s.f.carrier, MOTION_NOISE, 0.1, &random);
        set_all(&s, true);
        lt_collision_find(s.collision, lt_budget_unlimited());
        CHECK((contacts_between(&s, 0, 0) > 0) == (which != 1));
        CHECK((contacts_between(&s, 1, 1) > 0) == (which == 0 || which == 3));
        CHECK((contacts_between(&s, 0, 1) > 0) == (which != 3));
        collide_free(&s);
    }
}

/* A slot that is used again is another body; who is gone leaves no contacts. */
static void bodies_come_and_go(void) {
    lt_random random = lt_random_seed(5);
    lt_collision_def def = roomy_def();
    collide_scene s;
    CHECK_FATAL(collide_make(&s, 3, 0.42, 2, &def));
    deform_all(&s, MOTION_NOISE, 0.2, &random);
    set_all(&s, true);
    lt_collision_find(s.collision, lt_budget_unlimited());
    uint32_t before = contacts_between(&s, 0, 2), count;
    CHECK(before > 0 && contacts_between(&s, 0, 1) > 0);
    lt_body_id old = s.bodies[1];
    lt_collision_remove_body(s.collision, old);
    lt_collision_contacts(s.collision, &count);
    CHECK_COUNT(count, 0); /* the interval is over */
    lt_collision_find(s.collision, lt_budget_unlimited());
    CHECK_COUNT(contacts_between(&s, 0, 1), 0);
    CHECK_COUNT(contacts_between(&s, 0, 2), before); /* they keep their positions */
    s.bodies[1] = add_collision_body(s.collision, s.f.shape);
    CHECK(s.bodies[1].index_plus_one == old.index_plus_one && s.bodies[1].generation != old.generation);
    CHECK(set_body(&s, 1, true, NULL) == LT_OK);
    lt_report report = lt_collision_find(s.collision, lt_budget_unlimited());
    CHECK_COUNT(compare_with_force(&s, true, 0), report.contacts);
    collide_free(&s);
}

/* ---- levels ---- */

static void all_levels_find_the_same(void) {
    uint64_t hashes[LT_LEVEL_COUNT];
    for (uint32_t level = 0; level < LT_LEVEL_COUNT; level++) {
        lt_random random = lt_random_seed(70);
        lt_collision_def def = roomy_def();
        def.simd_level = level;
        def.separation = 0.01f;
        collide_scene s;
        CHECK_FATAL(collide_make(&s, 2, 0.42, 2, &def));
        hashes[level] = LT_HASH_SEED;
        for (uint32_t round = 0; round < 2; round++) {
            deform_all(&s, MOTION_PINCH, 0.3, &random);
            set_all(&s, true);
            lt_report report = lt_collision_find(s.collision, lt_budget_unlimited());
            uint32_t count;
            const lt_collision_contact *contacts = lt_collision_contacts(s.collision, &count);
            CHECK(count > 0);
            hashes[level] = lt_hash_u64(hashes[level], report.units);
            hashes[level] = lt_hash_bytes(hashes[level], contacts, count * sizeof *contacts);
        }
        CHECK(hashes[level] == hashes[0]);
        collide_free(&s);
    }
    check_golden("collision-only", hashes[0]);
}

int main(void) {
    RUN(contacts_are_those_of_brute_force);
    RUN(a_separation_reaches_far);
    RUN(what_stands_still_crosses);
    RUN(weights_lead_to_the_points);
    RUN(a_plane_comes_up);
    RUN(obstacles_are_not_missed);
    RUN(groups_and_switches_are_kept);
    RUN(bodies_come_and_go);
    RUN(all_levels_find_the_same);
    return check_finish();
}
