/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Continuous tests on motions whose answer is known by hand, and on all that is degenerate. Random ones against brute
 * force are in test_ccd_random.c, outside truths in tests/truth/truth_ccd.c.
 *
 * labels: wasm */

#include "check.h"
#include "detect/ccd.h"

static const lt_ccd_effort plenty = {.tolerance = 1e-7, .time_tolerance = 1e-4, .box_limit = 1u << 18};

/* The face of all that falls below: in z = 0, the origin is its middle. */
#define FACE                                                                                                 \
    {-1, -1, 0}, {2, -1, 0}, {                                                                               \
        -1, 2, 0                                                                                             \
    }

static lt_ccd_query still(lt_ccd_kind kind, const lt_dvec3 points[4]) {
    lt_ccd_query query = {.kind = kind};
    for (int k = 0; k < 4; k++)
        query.start[k] = query.end[k] = points[k];
    return query;
}

/* A vertex that goes from one place to another over the face at rest. */
static lt_ccd_query falling(lt_dvec3 from, lt_dvec3 to) {
    lt_ccd_query query = still(LT_CCD_VERTEX_FACE, (const lt_dvec3[4]){{0, 0, 0}, FACE});
    query.start[0] = from;
    query.end[0] = to;
    return query;
}

/* An edge along x from -1 to 1, at rest in z = 0, and a second one that goes by `motion`. */
static lt_ccd_query crossing(lt_dvec3 b0, lt_dvec3 b1, lt_dvec3 motion) {
    lt_ccd_query query = still(LT_CCD_EDGE_EDGE, (const lt_dvec3[4]){{-1, 0, 0}, {1, 0, 0}, b0, b1});
    query.end[2] = lt_d3_add(b0, motion);
    query.end[3] = lt_d3_add(b1, motion);
    return query;
}

/* Both tests: no hit. */
static void check_apart(const lt_ccd_query *query, double separation) {
    lt_ccd_result result;
    CHECK(!lt_ccd_test(query, separation, &result));
    CHECK(!result.hit && result.outcome == LT_CCD_APART && result.time == 1 && result.distance == INFINITY);
    CHECK(!lt_ccd_inclusion(query, separation, &plenty, &result));
    CHECK(!result.hit && result.outcome == LT_CCD_APART && result.time == 1 && result.distance == INFINITY);
}

/* Both tests: a hit at `time`, not later, and little earlier. */
static lt_ccd_result check_hit(const lt_ccd_query *query, double separation, double time) {
    lt_ccd_result result, oracle;
    CHECK(lt_ccd_inclusion(query, separation, &plenty, &oracle));
    CHECK(oracle.outcome == LT_CCD_MEET && oracle.time <= time);
    CHECK_NEAR(oracle.time, time, 2e-4);
    CHECK(lt_ccd_test(query, separation, &result));
    CHECK(result.hit && result.outcome == LT_CCD_MEET && result.time <= time);
    CHECK_NEAR(result.time, time, 1e-6);
    CHECK_NEAR(result.distance, separation, 1e-6);
    CHECK_NEAR(lt_d3_length(result.normal), 1, 1e-12);
    bool of_edges = query->kind == LT_CCD_EDGE_EDGE;
    CHECK_NEAR(result.weights[0] + (of_edges ? result.weights[1] : 0), 1, 1e-12);
    CHECK_NEAR((of_edges ? 0 : result.weights[1]) + result.weights[2] + result.weights[3], 1, 1e-12);
    return result;
}

static void check_vector(lt_dvec3 a, double x, double y, double z, double tolerance) {
    CHECK_NEAR(a.x, x, tolerance);
    CHECK_NEAR(a.y, y, tolerance);
    CHECK_NEAR(a.z, z, tolerance);
}

static void vertex_falls_on_face(void) {
    lt_ccd_query down = falling((lt_dvec3){0, 0, 3}, (lt_dvec3){0, 0, -1});
    lt_ccd_result hit = check_hit(&down, 0, 0.75);
    check_vector(hit.normal, 0, 0, 1, 1e-7);
    for (int k = 1; k < 4; k++)
        CHECK_NEAR(hit.weights[k], 1.0 / 3, 1e-7);
    CHECK_COUNT(hit.box_count, 0);
    lt_ccd_query up = falling((lt_dvec3){0.5, 0.25, -1}, (lt_dvec3){0.5, 0.25, 1});
    hit = check_hit(&up, 0, 0.5);
    check_vector(hit.normal, 0, 0, -1, 1e-7);
    CHECK_NEAR(hit.weights[2], 0.5, 1e-7);
    CHECK_NEAR(hit.weights[3], 1.25 / 3, 1e-7);
}

static void separation_is_kept(void) {
    lt_ccd_query down = falling((lt_dvec3){0, 0, 3}, (lt_dvec3){0, 0, -1});
    check_vector(check_hit(&down, 0.5, 2.5 / 4).normal, 0, 0, 1, 1e-7);
    lt_ccd_query beside =
        falling((lt_dvec3){-1.5, -1, 1}, (lt_dvec3){-1.5, -1, -1}); /* half a metre off a corner */
    check_apart(&beside, 0);
    check_apart(&beside, 0.4999);
    /* Within 0.625 of the corner while |z| <= 0.375. */
    check_vector(check_hit(&beside, 0.625, 0.3125).normal, -0.8, 0, 0.6, 1e-4);
    lt_ccd_query over = falling((lt_dvec3){-3, 0, 0.25}, (lt_dvec3){3, 0, 0.25});
    check_apart(&over, 0.2499);
    check_hit(&over, 0.3125, 1.8125 / 6); /* 0.1875 before the edge x = -1 */
}

static void vertex_passes_beside_face(void) {
    check_apart(&(lt_ccd_query[]){falling((lt_dvec3){1, 1, 3}, (lt_dvec3){1, 1, -1})}[0], 0);
    check_apart(&(lt_ccd_query[]){falling((lt_dvec3){-1.0001, 0, 3}, (lt_dvec3){-1.0001, 0, -1})}[0], 0);
    check_apart(&(lt_ccd_query[]){falling((lt_dvec3){0, 0, 1}, (lt_dvec3){0, 0, 0.001})}[0], 0);
    /* In the plane of the face, towards it and past it */
    check_apart(&(lt_ccd_query[]){falling((lt_dvec3){-3, -2, 0}, (lt_dvec3){3, -2, 0})}[0], 0);
    check_vector(
        check_hit(&(lt_ccd_query[]){falling((lt_dvec3){-3, 0, 0}, (lt_dvec3){1, 0, 0})}[0], 0, 0.5).normal,
        -1, 0, 0, 1e-6);
}

static void borders_belong_to_face(void) {
    check_hit(&(lt_ccd_query[]){falling((lt_dvec3){-1, -1, 1}, (lt_dvec3){-1, -1, -1})}[0], 0, 0.5);
    check_hit(&(lt_ccd_query[]){falling((lt_dvec3){0.5, 0.5, 1}, (lt_dvec3){0.5, 0.5, -1})}[0], 0, 0.5);
    check_hit(&(lt_ccd_query[]){falling((lt_dvec3){0, 0, 1}, (lt_dvec3){0, 0, 0})}[0], 0,
              1); /* at the very end */
    check_hit(&(lt_ccd_query[]){falling((lt_dvec3){0, 0, 0}, (lt_dvec3){0, 0, 1})}[0], 0, 0);
}

/* The corners go at -10, 4 and 12 while the vertex in the middle rests: their mean is at -1 + 2t. Corner by corner the
 * motion is many times that, and one direction proves little. */
static void face_turns_as_it_comes(void) {
    lt_ccd_query query = falling((lt_dvec3){0, 0, 0}, (lt_dvec3){0, 0, 0});
    const double speeds[3] = {-10, 4, 12};
    for (int k = 0; k < 3; k++) {
        query.start[k + 1].z = -1;
        query.end[k + 1].z = -1 + speeds[k];
    }
    lt_ccd_result hit = check_hit(&query, 0, 0.5);
    CHECK(hit.advance_count <= 6);
    CHECK_COUNT(hit.box_count, 0);
    /* Of the plane z = -1 + speed/2 at the corners: slopes (3.5 - -4.5 - …)/3 along x and y */
    double along_x = (speeds[1] - speeds[0]) / 2 / 3, along_y = (speeds[2] - speeds[0]) / 2 / 3;
    double length = sqrt(1 + along_x * along_x + along_y * along_y);
    check_vector(hit.normal, -along_x / length, -along_y / length, 1 / length, 1e-5);
}

static void edges_cross(void) {
    lt_ccd_query query = crossing((lt_dvec3){0.5, -1, 2}, (lt_dvec3){0.5, 3, 2}, (lt_dvec3){0, 0, -4});
    lt_ccd_result hit = check_hit(&query, 0, 0.5);
    check_vector(hit.normal, 0, 0, -1, 1e-7); /* out of the second, which came from above */
    CHECK_NEAR(hit.weights[0], 0.25, 1e-7);
    CHECK_NEAR(hit.weights[1], 0.75, 1e-7);
    CHECK_NEAR(hit.weights[2], 0.75, 1e-7);
    CHECK_NEAR(hit.weights[3], 0.25, 1e-7);
    check_hit(&query, 1, 0.25);
    query = crossing((lt_dvec3){1.01, -1, 2}, (lt_dvec3){1.01, 3, 2}, (lt_dvec3){0, 0, -4});
    check_apart(&query, 0.0099);
    query = crossing((lt_dvec3){1, 0, 2}, (lt_dvec3){1, 3, 2}, (lt_dvec3){0, 0, -4}); /* end on end */
    check_hit(&query, 0, 0.5);
}

static void parallel_edges(void) {
    lt_ccd_query query = crossing((lt_dvec3){-3, 0, 1}, (lt_dvec3){0, 0, 1}, (lt_dvec3){0, 0, -2});
    check_vector(check_hit(&query, 0, 0.5).normal, 0, 0, -1, 1e-6);
    query = crossing((lt_dvec3){-3, 0, 1}, (lt_dvec3){-1.5, 0, 1}, (lt_dvec3){0, 0, -2});
    check_apart(&query, 0.25);
    query =
        crossing((lt_dvec3){-3, 0, 0.001}, (lt_dvec3){0, 0, 0.001}, (lt_dvec3){5, 0, 0}); /* slides along */
    check_apart(&query, 0.0009);
    query = crossing((lt_dvec3){-3, 0, 0}, (lt_dvec3){-2, 0, 0}, (lt_dvec3){2, 0, 0}); /* on one line */
    check_vector(check_hit(&query, 0, 0.5).normal, 1, 0, 0, 1e-6);
    query = crossing((lt_dvec3){-3, 0, 0}, (lt_dvec3){-2, 0, 0}, (lt_dvec3){-2, 0, 0});
    check_apart(&query, 0.5);
    query =
        crossing((lt_dvec3){-3, 0, 0}, (lt_dvec3){0, 0, 0}, (lt_dvec3){0, 1, 0}); /* overlap from the start */
    check_vector(check_hit(&query, 0, 0).normal, 0, 1, 0, 1e-12);
}

static void nothing_moves(void) {
    lt_ccd_query query = falling((lt_dvec3){0, 0, 1}, (lt_dvec3){0, 0, 1});
    check_apart(&query, 0);
    check_apart(&query, 0.999);
    check_hit(&query, 1, 0);
    query = falling((lt_dvec3){0.25, 0.5, 0}, (lt_dvec3){0.25, 0.5, 0});
    lt_ccd_result hit = check_hit(&query, 0, 0);
    CHECK_NEAR(fabs(hit.normal.z), 1, 1e-12);
    query = crossing((lt_dvec3){0, -1, 0}, (lt_dvec3){0, 1, 0}, (lt_dvec3){0, 0, 0});
    check_hit(&query, 0, 0);
    query = crossing((lt_dvec3){-3, 0, 0}, (lt_dvec3){0, 0, 0}, (lt_dvec3){0, 0, 0});
    check_hit(&query, 0, 0);
    query = crossing((lt_dvec3){2, 0, 0}, (lt_dvec3){3, 0, 0}, (lt_dvec3){0, 0, 0});
    check_apart(&query, 0.999);
}

/* Faces that are segments or points, edges that are points. */
static void flat_parts(void) {
    for (int kind = 0; kind < 2; kind++) {
        lt_ccd_query points = {.kind = (lt_ccd_kind)kind};
        int first_count = kind == LT_CCD_VERTEX_FACE ? 1 : 2;
        for (int k = 0; k < first_count; k++) {
            points.start[k] = (lt_dvec3){-1, 0, 0};
            points.end[k] = (lt_dvec3){1, 0, 0};
        }
        check_vector(check_hit(&points, 0, 0.5).normal, -1, 0, 0, 1e-9);
        check_hit(&points, 0.5, 0.25);
        for (int k = 0; k < first_count; k++)
            points.end[k] = (lt_dvec3){1, 0.5, 0};
        check_apart(&points, 0.2);
        for (int k = 0; k < 4; k++)
            points.start[k] = points.end[k] = (lt_dvec3){7, 7, 7};
        CHECK(check_hit(&points, 0, 0).normal.z == 1); /* no side to name: up */
    }
    lt_ccd_query line = {.kind = LT_CCD_VERTEX_FACE,
                         .start = {{0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                         .end = {{0.5, 0, -1}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}}};
    check_vector(check_hit(&line, 0, 0.5).normal, 0, 0, 1, 1e-6);
    line.start[0].x = line.end[0].x = 2.01;
    check_apart(&line, 0.0099);
}

static void check_invalid(const lt_ccd_query *query) {
    lt_ccd_result results[2];
    CHECK(lt_ccd_test(query, 0, &results[0]));
    CHECK(lt_ccd_inclusion(query, 0, &plenty, &results[1]));
    for (int i = 0; i < 2; i++) {
        CHECK(results[i].hit && results[i].outcome == LT_CCD_INVALID && results[i].time == 0);
        CHECK(lt_d3_length(results[i].normal) == 1 && results[i].distance == 0 && results[i].weights[3] == 0);
    }
}

static void what_is_no_number(void) {
    const double values[] = {NAN, INFINITY, -INFINITY, 1e71, -1e308};
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < 24; i++)
            for (size_t v = 0; v < LT_COUNT_OF(values); v++) {
                lt_ccd_query query = falling((lt_dvec3){0, 0, 3}, (lt_dvec3){0, 0, 2});
                query.kind = (lt_ccd_kind)kind;
                lt_dvec3 *point = i < 12 ? &query.start[i / 3] : &query.end[i / 3 - 4];
                *(i % 3 == 0 ? &point->x : i % 3 == 1 ? &point->y : &point->z) = values[v];
                check_invalid(&query);
            }
}

static void separations_out_of_range(void) {
    lt_ccd_query query = falling((lt_dvec3){0, 0, 3}, (lt_dvec3){0, 0, 1});
    lt_ccd_result result;
    const double none[] = {NAN, -1, -INFINITY, 0};
    for (size_t i = 0; i < LT_COUNT_OF(none); i++)
        check_apart(&query, none[i]);
    CHECK(lt_ccd_test(&query, INFINITY, &result) && result.time == 0 && result.outcome == LT_CCD_MEET);
    CHECK(lt_ccd_test(&query, 1e200, &result) && result.time == 0);
}

/* So small that products vanish: no proof, so a hit; and nothing that is not finite. */
static void sizes_at_the_limit(void) {
    const double scales[] = {1e-320, 1e-200, 1e-120, 1e-60, 1e-20, 1, 1e30, 1e69};
    for (size_t i = 0; i < LT_COUNT_OF(scales); i++) {
        lt_ccd_query down = falling((lt_dvec3){0, 0, 3}, (lt_dvec3){0, 0, -1});
        lt_ccd_query turning = falling((lt_dvec3){1, 1, 3}, (lt_dvec3){0.9, 1, -1});
        for (int k = 0; k < 4; k++) {
            down.start[k] = lt_d3_scale(down.start[k], scales[i]);
            down.end[k] = lt_d3_scale(down.end[k], scales[i]);
            turning.start[k] = lt_d3_scale(turning.start[k], scales[i]);
            turning.end[k] = lt_d3_scale(turning.end[k], scales[i]);
        }
        lt_ccd_result result;
        CHECK(lt_ccd_test(&down, 0, &result) && result.time <= 0.75);
        CHECK_NEAR(lt_d3_length(result.normal), 1, 1e-12);
        CHECK(scales[i] < 1e-60 || fabs(result.time - 0.75) < 1e-6);
        CHECK(!lt_ccd_test(&turning, 0, &result) || scales[i] < 1e-60);
    }
}

/* Differences of coordinates are all that counts, and these are exact here. */
static void far_from_the_origin(void) {
    lt_ccd_query near = falling((lt_dvec3){0.25, 0.5, 3}, (lt_dvec3){0, 0.25, -1}), far = near;
    const lt_dvec3 place = {1048576, -2097152, 524288};
    for (int k = 0; k < 4; k++) {
        far.start[k] = lt_d3_add(far.start[k], place);
        far.end[k] = lt_d3_add(far.end[k], place);
    }
    lt_ccd_result a, b;
    CHECK(lt_ccd_test(&near, 0.125, &a) && lt_ccd_test(&far, 0.125, &b));
    CHECK(a.time == b.time && a.distance == b.distance && a.normal.x == b.normal.x &&
          a.weights[2] == b.weights[2]);
}

static void points_of_floats(void) {
    lt_ccd_query query = {.kind = LT_CCD_VERTEX_FACE};
    lt_ccd_set_point(&query, 0, (lt_vec3){0.1f, 0, 1}, (lt_vec3){0.1f, 0, -1});
    lt_ccd_set_point(&query, 1, (lt_vec3){-1, -1, 0}, (lt_vec3){-1, -1, 0});
    lt_ccd_set_point(&query, 2, (lt_vec3){2, -1, 0}, (lt_vec3){2, -1, 0});
    lt_ccd_set_point(&query, 3, (lt_vec3){-1, 2, 0}, (lt_vec3){-1, 2, 0});
    check_hit(&query, 0, 0.5);
}

/* What is not looked at counts as a hit, at the earliest time left, and is said to be undecided. */
static void subdivision_that_runs_out(void) {
    lt_ccd_query query = falling((lt_dvec3){1.001, 1.001, 3}, (lt_dvec3){0.49, 0.52, -1});
    lt_ccd_result result;
    CHECK(!lt_ccd_inclusion(&query, 0, &plenty, &result) && result.box_count > 8);
    uint32_t enough = result.box_count;
    double last_time = 0;
    for (uint32_t limit = 0; limit < enough; limit++) {
        lt_ccd_effort effort = {.tolerance = 1e-7, .box_limit = limit};
        CHECK(lt_ccd_inclusion(&query, 0, &effort, &result));
        CHECK(result.hit && result.outcome == LT_CCD_UNDECIDED && result.box_count == limit);
        CHECK(result.time >= 0 && result.time <= 1);
        last_time = result.time;
    }
    CHECK(last_time > 0);
    lt_ccd_effort effort = {.from = 0.25, .tolerance = 1e-7, .box_limit = 0};
    CHECK(lt_ccd_inclusion(&query, 0, &effort, &result) && result.time == 0.25);
}

static void subdivision_from_a_time(void) {
    lt_ccd_query query = falling((lt_dvec3){0, 0, 3}, (lt_dvec3){0, 0, -1});
    lt_ccd_effort effort = plenty;
    lt_ccd_result result;
    effort.from = 0.8; /* after it has passed */
    CHECK(!lt_ccd_inclusion(&query, 0, &effort, &result));
    effort.from = 0.6;
    CHECK(lt_ccd_inclusion(&query, 0, &effort, &result));
    CHECK_NEAR(result.time, 0.75, 2e-4);
    effort.from = 1;
    CHECK(!lt_ccd_inclusion(&query, 0, &effort, &result));
    CHECK(lt_ccd_inclusion(&query, 1.5, &effort, &result) && result.time == 1);
}

int main(void) {
    RUN(vertex_falls_on_face);
    RUN(separation_is_kept);
    RUN(vertex_passes_beside_face);
    RUN(borders_belong_to_face);
    RUN(face_turns_as_it_comes);
    RUN(edges_cross);
    RUN(parallel_edges);
    RUN(nothing_moves);
    RUN(flat_parts);
    RUN(what_is_no_number);
    RUN(separations_out_of_range);
    RUN(sizes_at_the_limit);
    RUN(far_from_the_origin);
    RUN(points_of_floats);
    RUN(subdivision_that_runs_out);
    RUN(subdivision_from_a_time);
    return check_finish();
}
