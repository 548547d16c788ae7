/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Vertices of a surface against obstacles that stand and that move: those of all vertices, none too late, cut
 * anywhere. */

#include "detect/query_obstacle.h"

#include "check.h"

#include "bench/whole/whole.h"
#include "detect/deformed.h"

enum { CAPACITY = 4096, SAMPLES = 40 };

typedef struct scene {
    tree_fixture f;
    lt_multiscale boxes;
    lt_feature_owners owners;
    lt_obstacle obstacle;
    lt_obstacle_query query;
    lt_obstacle_meeting meetings[CAPACITY];
    float *from, *to;
} scene;

static scene *scene_make(void) {
    scene *s = LT_NEW(NULL, 1, scene);
    bool made = ball_in_block(&s->f, 3, 3, 0) &&
                lt_multiscale_create(&s->boxes, &s->f.tree, &s->f.carrier, LT_BOUND_DUAL, lt_simd_best(),
                                     NULL, NULL) == LT_OK &&
                lt_feature_owners_create(&s->owners, s->f.tree.triangles, s->f.tree.triangle_count,
                                         s->f.tree.point_count, NULL, NULL) == LT_OK;
    CHECK(made);
    s->from = LT_NEW(NULL, 4 * (size_t)s->f.carrier.node_count, float);
    s->to = LT_NEW(NULL, 4 * (size_t)s->f.carrier.node_count, float);
    s->query = (lt_obstacle_query){.body = &s->boxes,
                                   .owners = &s->owners,
                                   .obstacle = &s->obstacle,
                                   .meetings = s->meetings,
                                   .capacity = CAPACITY};
    return s;
}

static void scene_free(scene *s) {
    LT_DELETE(NULL, s->from, 4 * (size_t)s->f.carrier.node_count, float);
    LT_DELETE(NULL, s->to, 4 * (size_t)s->f.carrier.node_count, float);
    lt_feature_owners_free(&s->owners);
    lt_multiscale_free(&s->boxes);
    tree_fixture_free(&s->f);
    LT_DELETE(NULL, s, 1, scene);
}

/* One of the closed forms, somewhere near; it may move, and turn on its way. */
static void place_obstacle(scene *s, lt_random *random, bool moves, bool turns) {
    lt_obstacle *o = &s->obstacle;
    *o = (lt_obstacle){.in_use = true,
                       .kind = (lt_obstacle_kind)lt_random_below(random, LT_OBSTACLE_MESH),
                       .radius = 0.3f,
                       .half_length = 0.4f,
                       .half_extents = {0.2f, 0.3f, 0.4f},
                       .local_normal = {0.6f, 0, 0.8f}};
    lt_vec3 at = random_v3(random, 0.6f);
    lt_quat rotation = random_quat(random);
    lt_obstacle_place(o, at, rotation);
    o->moving = moves;
    o->target_position = lt_v3_add(at, random_v3(random, moves ? 0.3f : 0));
    if (turns) o->target_rotation.x += 0.1f;
}

static void begin(scene *s, lt_random *random) {
    deform_nodes(s->from, s->to, &s->f.carrier, (motion_kind)lt_random_below(random, MOTION_COUNT), 0.3,
                 random);
    lt_multiscale_begin(&s->boxes, s->from, s->to, box_of_motion(s->from, s->to, s->f.carrier.node_count));
    lt_multiscale_fit(&s->boxes);
    lt_obstacle_query_begin(&s->query);
}

static int by_point(const void *x, const void *y) {
    const lt_obstacle_meeting *a = x, *b = y;
    return (a->point > b->point) - (a->point < b->point);
}

/* The distance of a vertex at a time, from an obstacle that goes straight and does not turn. */
static double distance_at(const scene *s, uint32_t point, double time) {
    lt_vec3 a = lt_multiscale_position(&s->boxes, point, 0), b = lt_multiscale_position(&s->boxes, point, 1);
    lt_obstacle o = s->obstacle;
    float t = (float)time;
    lt_vec3 way = lt_v3_sub(o.target_position, o.position);
    if (o.moving) lt_obstacle_place(&o, lt_v3_mad(o.position, way, t), o.rotation);
    return (double)lt_obstacle_distance(&o, lt_v3_mad(a, lt_v3_sub(b, a), t)).distance;
}

/* `m` NULL: it does not meet. Returns whether it came too near before that. */
static bool is_late(const scene *s, uint32_t point, const lt_obstacle_meeting *m) {
    for (int i = 0; i <= SAMPLES; i++) {
        double time = (double)i / SAMPLES;
        if (m && time >= (double)m->time) return false;
        if (distance_at(s, point, time) < (double)s->query.separation - 1e-5) return true;
    }
    return false;
}

static void vertices_meet_obstacles_in_time(void) {
    lt_random random = lt_random_seed(1);
    scene *s = scene_make();
    uint32_t met = 0, late = 0, wrong = 0, inside = 0;
    for (uint32_t round = 0; round < rounds_of(24); round++) {
        bool moves = round & 1, turns = round & 2;
        place_obstacle(s, &random, moves, turns);
        s->query.separation = round & 4 ? 0.02f : 0;
        begin(s, &random);
        lt_obstacle_query_run(&s->query);
        CHECK_COUNT(s->query.dropped_count, 0);
        lt_multiscale_refit_whole(&s->boxes, NULL);
        qsort(s->meetings, s->query.meeting_count, sizeof *s->meetings, by_point);
        uint32_t next = 0;
        for (uint32_t point = 0; point < s->f.tree.point_count; point++) {
            lt_obstacle_meeting m;
            bool found = next < s->query.meeting_count && s->meetings[next].point == point;
            bool meets = lt_obstacle_query_test(&s->query, point, &m);
            wrong += found != meets || (found && memcmp(&m, &s->meetings[next], sizeof m) != 0);
            if (!(moves && turns)) late += is_late(s, point, meets ? &m : NULL);
            inside += meets && m.distance < -1e-3f;
            if (meets) CHECK_NEAR(lt_v3_length(m.normal), 1, 1e-4);
            next += found;
        }
        met += s->query.meeting_count;
    }
    CHECK(met > 100 && inside > 0);
    CHECK_COUNT(wrong, 0);
    CHECK_COUNT(late, 0);
    scene_free(s);
}

/* By hand: a plane that comes up at 0.5 a step, vertices that come down by 0.25 from 0.3 above it: at time
 * 0.4. */
static void a_plane_that_comes_up(void) {
    scene *s = scene_make();
    s->obstacle = (lt_obstacle){.kind = LT_OBSTACLE_PLANE, .local_normal = {0, 1, 0}};
    double lowest = 1e300;
    for (uint32_t i = 0; i < s->f.carrier.node_count; i++) {
        const double *r = s->f.carrier.rest + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            s->from[4 * i + (uint32_t)k] = s->to[4 * i + (uint32_t)k] = (float)r[k];
        s->to[4 * i + 1] -= 0.25f;
    }
    lt_multiscale_begin(&s->boxes, s->from, s->to, box_of_motion(s->from, s->to, s->f.carrier.node_count));
    lt_multiscale_refit_whole(&s->boxes, NULL);
    for (uint32_t i = 0; i < s->f.tree.point_count; i++)
        lowest = lt_min_d(lowest, (double)lt_multiscale_position(&s->boxes, i, 0).y);
    lt_obstacle_place(&s->obstacle, (lt_vec3){0, (float)lowest - 0.3f, 0}, (lt_quat){0, 0, 0, 1});
    s->obstacle.moving = true;
    s->obstacle.target_position.y += 0.5f;
    lt_obstacle_query_begin(&s->query);
    lt_obstacle_query_run(&s->query);
    CHECK_FATAL(s->query.meeting_count > 0);
    double first = 1;
    for (uint32_t i = 0; i < s->query.meeting_count; i++) {
        first = lt_min_d(first, (double)s->meetings[i].time);
        CHECK_NEAR(s->meetings[i].normal.y, 1, 1e-6);
    }
    CHECK_NEAR(first, 0.4, 1e-3);
    scene_free(s);
}

static void pieces_are_the_whole(void) {
    lt_random random = lt_random_seed(2), same;
    scene *s = scene_make();
    lt_obstacle_meeting *whole = LT_NEW(NULL, CAPACITY, lt_obstacle_meeting);
    uint32_t met = 0;
    for (int round = 0; round < 4; round++) {
        place_obstacle(s, &random, true, true);
        same = random;
        begin(s, &random);
        lt_obstacle_query_run(&s->query);
        uint32_t count = s->query.meeting_count;
        memcpy(whole, s->meetings, count * sizeof *whole);
        begin(s, &same);
        for (lt_piece next; (next = lt_obstacle_query_peek(&s->query)).cost > 0;) {
            CHECK_COUNT(lt_obstacle_query_step(&s->query, next.cost - 1), 0);
            CHECK_COUNT(lt_obstacle_query_step(&s->query, next.cost), next.cost);
        }
        CHECK_COUNT(s->query.meeting_count, count);
        CHECK(memcmp(whole, s->meetings, count * sizeof *whole) == 0);
        met += count;
    }
    CHECK(met > 0);
    LT_DELETE(NULL, whole, CAPACITY, lt_obstacle_meeting);
    scene_free(s);
}

int main(void) {
    RUN(vertices_meet_obstacles_in_time);
    RUN(a_plane_that_comes_up);
    RUN(pieces_are_the_whole);
    return check_finish();
}
