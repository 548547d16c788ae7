/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Intersection tests against an oracle that shares nothing with them.
 *
 * Oracle: hulls of P and Q meet if and only if zero is in the hull of all differences p - q, and by
 * Caratheodory then in a point, segment, triangle or tet of differences that is not degenerate. All of them
 * are tried, in integers. Coordinates in -2..2 make touching, coplanar and degenerate sets abound; a second
 * run shifts and stretches the same integers to where double determinants round. */

#include "check.h"
#include "core/random.h"
#include "mesh/exact_tets.h"
#include "scenes/generate.h"
#include "shapes.h"

typedef struct ivec {
    int64_t x, y, z;
} ivec;

static ivec icross(ivec a, ivec b) {
    return (ivec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static int64_t idot(ivec a, ivec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static ivec isub(ivec a, ivec b) {
    return (ivec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static bool is_zero(ivec a) {
    return a.x == 0 && a.y == 0 && a.z == 0;
}

static int collect_differences(const ivec *p, int p_count, const ivec *q, int q_count, ivec d[16]) {
    int count = 0;
    for (int i = 0; i < p_count; i++) {
        for (int j = 0; j < q_count; j++) {
            ivec difference = isub(p[i], q[j]);
            bool known = false;
            for (int k = 0; k < count && !known; k++)
                known = is_zero(isub(d[k], difference));
            if (!known) d[count++] = difference;
        }
    }
    return count;
}

static bool zero_in_segment(ivec a, ivec b) {
    return is_zero(icross(a, b)) && idot(a, b) <= 0;
}

static bool zero_in_triangle(ivec a, ivec b, ivec c) {
    ivec n = icross(isub(b, a), isub(c, a));
    return !is_zero(n) && idot(n, a) == 0 && idot(n, icross(a, b)) >= 0 && idot(n, icross(b, c)) >= 0 &&
           idot(n, icross(c, a)) >= 0;
}

static int8_t triple_sign[16][16][16];

/* Fills the signs of det(d[i], d[j], d[k]) for i < j < k; true when a smaller simplex has zero in it. */
static bool zero_in_small_simplex(const ivec *d, int count) {
    for (int i = 0; i < count; i++) {
        if (is_zero(d[i])) return true;
        for (int j = i + 1; j < count; j++) {
            if (zero_in_segment(d[i], d[j])) return true;
            ivec n = icross(d[i], d[j]);
            for (int k = j + 1; k < count; k++) {
                int64_t det = idot(n, d[k]);
                triple_sign[i][j][k] = (int8_t)((det > 0) - (det < 0));
                if (det == 0 && zero_in_triangle(d[i], d[j], d[k])) return true;
            }
        }
    }
    return false;
}

/* Zero is inside the tet when the four tets made with it have no opposite signs and are not all flat. */
static bool zero_in_tet(int i, int j, int k, int l) {
    int s[4] = {triple_sign[j][k][l], -triple_sign[i][k][l], triple_sign[i][j][l], -triple_sign[i][j][k]};
    bool plus = false, minus = false;
    for (int n = 0; n < 4; n++) {
        plus |= s[n] > 0;
        minus |= s[n] < 0;
    }
    return plus != minus;
}

static bool hulls_meet(const ivec *p, int p_count, const ivec *q, int q_count) {
    ivec d[16];
    int count = collect_differences(p, p_count, q, q_count, d);
    if (zero_in_small_simplex(d, count)) return true;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++)
                for (int l = k + 1; l < count; l++)
                    if (zero_in_tet(i, j, k, l)) return true;
    return false;
}

/* The pair of sets as the library sees it: (p_count, q_count) picks the function. */
static bool library_says(const lt_dvec3 *p, int p_count, const lt_dvec3 *q, int q_count) {
    switch (10 * p_count + q_count) {
    case 12: return lt_exact_point_segment(p[0], q);
    case 13: return lt_exact_point_triangle(p[0], q);
    case 14: return lt_exact_point_tet(p[0], q);
    case 22: return lt_exact_segment_segment(p, q);
    case 23: return lt_exact_segment_triangle(p, q);
    case 33: return lt_exact_triangle_triangle(p, q);
    case 34: return lt_exact_triangle_tet(p, q);
    default: return exact_tet_tet(p, q);
    }
}

static const int pairs[8][2] = {{1, 2}, {1, 3}, {1, 4}, {2, 2}, {2, 3}, {3, 3}, {3, 4}, {4, 4}};

static ivec random_point(lt_random *random, int range) {
    uint32_t n = 2 * (uint32_t)range + 1;
    ivec p;
    p.x = (int64_t)lt_random_below(random, n) - range;
    p.y = (int64_t)lt_random_below(random, n) - range;
    p.z = (int64_t)lt_random_below(random, n) - range;
    return p;
}

/* An affine map with integer coefficients keeps the answer and makes coordinates of 16 digits: exact in
 * double, their determinants not. */
static lt_dvec3 shear(ivec p) {
    return lt_d3_make((double)(1000000007 * p.x + 99999989 * p.y + 3 * p.z + 400000000000001),
                      (double)(-77777777 * p.x + 2000000011 * p.y + 5 * p.z + 300000000000007),
                      (double)(7 * p.x + 11 * p.y + 123456789 * p.z - 500000000000009));
}

static lt_dvec3 plain(ivec p) {
    return lt_d3_make((double)p.x, (double)p.y, (double)p.z);
}

static void compare_with_oracle(int range, int rounds, lt_dvec3 (*map)(ivec), uint64_t seed) {
    lt_random random = lt_random_seed(seed);
    for (int kind = 0; kind < 8; kind++) {
        int p_count = pairs[kind][0], q_count = pairs[kind][1], wrong = 0, hits = 0;
        for (int n = 0; n < rounds; n++) {
            ivec p[4], q[4];
            lt_dvec3 p_mapped[4], q_mapped[4];
            for (int i = 0; i < p_count; i++)
                p_mapped[i] = map(p[i] = random_point(&random, range));
            for (int i = 0; i < q_count; i++)
                q_mapped[i] = map(q[i] = random_point(&random, range));
            bool expected = hulls_meet(p, p_count, q, q_count);
            hits += expected;
            wrong += library_says(p_mapped, p_count, q_mapped, q_count) != expected;
            if (p_count == q_count) wrong += library_says(q_mapped, q_count, p_mapped, p_count) != expected;
        }
        if (wrong) CHECK_FAIL_MESSAGE("%d-%d points: %d wrong", p_count, q_count, wrong);
        CHECK(wrong == 0);
        CHECK(hits > 0 && hits < rounds);
    }
}

static void agrees_on_small_integers(void) {
    compare_with_oracle(1, 8000, plain, 1);
    compare_with_oracle(2, 14000, plain, 2);
}

static void agrees_where_determinants_round(void) {
    compare_with_oracle(2, 8000, shear, 3);
}

static void agrees_on_sparse_touching(void) {
    compare_with_oracle(5, 3000, plain, 4);
}

static void answers_by_hand(void) {
    const lt_dvec3 t[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const lt_dvec3 through[2] = {{1, 1, 1}, {1, 1, -1}}, touching[2] = {{2, 2, 0}, {2, 2, 5}};
    const lt_dvec3 above[2] = {{1, 1, 1e-60}, {1, 1, 1}}, in_plane[2] = {{-1, 1, 0}, {5, 1, 0}};
    const lt_dvec3 beside[2] = {{3, 3, 0}, {5, 1, 0}};
    CHECK(lt_exact_segment_triangle(through, t));
    CHECK(lt_exact_segment_triangle(touching, t));
    CHECK(!lt_exact_segment_triangle(above, t));
    CHECK(lt_exact_segment_triangle(in_plane, t));
    CHECK(!lt_exact_segment_triangle(beside, t));
    const lt_dvec3 tet[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const lt_dvec3 turned[4] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
    CHECK(lt_exact_point_tet((lt_dvec3){0.25, 0.25, 0.5}, tet));
    CHECK(lt_exact_point_tet((lt_dvec3){0.25, 0.25, 0.5}, turned));
    CHECK(!lt_exact_point_tet((lt_dvec3){0.25, 0.25, 0.5000000000000001}, tet));
}

/* ---- crossings of a closed mesh ---- */

static uint32_t count_crossings(const lt_surface *surface, const lt_dvec3 e[2], uint32_t first_id) {
    const uint32_t e_ids[2] = {first_id, first_id + 1};
    uint32_t count = 0;
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        const uint32_t *ids = lt_triangle_at(surface, i);
        lt_dvec3 t[3];
        double parameter = -1;
        for (int k = 0; k < 3; k++)
            t[k] = lt_d3_from_v3(surface->positions[ids[k]]);
        if (!lt_exact_edge_pierces_triangle(e, e_ids, t, ids, &parameter)) continue;
        count++;
        CHECK(parameter >= 0 && parameter <= 1);
    }
    return count;
}

/* From a point inside a convex mesh every way out crosses once, from outside to outside 0 or 2 times. Ends lie
 * on a grid that has the vertices, edge middles and face planes of the meshes on its lines. */
static void check_parity(const lt_surface *surface, const lt_dvec3 *inside, int inside_count, int reach,
                         uint32_t first_id) {
    int wrong = 0, crossing = 0;
    for (int i = 0; i < inside_count; i++) {
        for (int x = -reach; x <= reach; x += 1) {
            for (int y = -reach; y <= reach; y += 1) {
                lt_dvec3 out[4] = {{x, y, reach}, {x, -reach, y}, {reach, x, y}, {-x, -y, -reach}};
                for (int k = 0; k < 4; k++) {
                    const lt_dvec3 outward[2] = {inside[i], out[k]};
                    const lt_dvec3 past[2] = {out[k], out[(k + 1) % 4]};
                    wrong += count_crossings(surface, outward, first_id) != 1;
                    uint32_t count = count_crossings(surface, past, first_id);
                    wrong += count != 0 && count != 2;
                    crossing += count == 2;
                }
            }
        }
    }
    CHECK_COUNT(wrong, 0);
    CHECK(crossing > 10);
}

static void closed_meshes_are_crossed_evenly(void) {
    const lt_dvec3 in_box[3] = {{0, 0, 0}, {1, 1, 1}, {1, 0, -1}};
    const lt_dvec3 in_icosahedron[2] = {{0, 0, 0}, {4, 0, 0}};
    lt_surface box = box_surface(), icosahedron = icosahedron_surface();
    check_parity(&box, in_box, 3, 4, 8);
    check_parity(&icosahedron, in_icosahedron, 2, 9, 12);
    /* The same with ids that come before those of the mesh. */
    for (uint32_t i = 0; i < 36; i++)
        box.triangles[i] += 5;
    lt_vec3 shifted[13] = {{0}};
    memcpy(shifted + 5, box.positions, 8 * sizeof(lt_vec3));
    lt_surface renumbered = box;
    renumbered.positions = shifted;
    check_parity(&renumbered, in_box, 3, 4, 1);
    lt_surface_free(&box);
    lt_surface_free(&icosahedron);
}

/* A closed loop of edges crosses a closed mesh an even number of times, wherever its corners lie: on
 * vertices, edges and faces of the box too. */
static void loops_cross_evenly(void) {
    lt_surface a = box_surface();
    lt_random random = lt_random_seed(5);
    uint32_t odd = 0, total = 0;
    for (int n = 0; n < 400; n++) {
        lt_dvec3 loop[3];
        uint32_t ids[3] = {100, 101, 102}, count = 0;
        for (int k = 0; k < 3; k++)
            loop[k] = plain(random_point(&random, 4));
        for (int k = 0; k < 3; k++) {
            const lt_dvec3 e[2] = {loop[k], loop[(k + 1) % 3]};
            const uint32_t e_ids[2] = {ids[k], ids[(k + 1) % 3]};
            for (uint32_t i = 0; i < a.triangle_count; i++) {
                const uint32_t *t_ids = lt_triangle_at(&a, i);
                const lt_dvec3 t[3] = {lt_d3_from_v3(a.positions[t_ids[0]]),
                                       lt_d3_from_v3(a.positions[t_ids[1]]),
                                       lt_d3_from_v3(a.positions[t_ids[2]])};
                count += lt_exact_edge_pierces_triangle(e, e_ids, t, t_ids, NULL);
            }
        }
        odd += count & 1;
        total += count;
    }
    CHECK_COUNT(odd, 0);
    CHECK(total > 200);
    lt_surface_free(&a);
}

static void shared_vertices_do_not_pierce(void) {
    const lt_dvec3 t[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, e[2] = {{1, 1, 1}, {1, 1, -3}};
    const uint32_t ids[3] = {3, 4, 5}, apart[2] = {6, 7}, shared[2] = {6, 4}, same[3] = {3, 4, 3};
    double parameter = 0;
    CHECK(lt_exact_edge_pierces_triangle(e, apart, t, ids, &parameter));
    CHECK_NEAR(parameter, 0.25, 1e-15);
    CHECK(!lt_exact_edge_pierces_triangle(e, shared, t, ids, NULL));
    CHECK(!lt_exact_edge_pierces_triangle(e, apart, t, same, NULL));
}

/* Points on the nodes, edges and faces of a block's tets, and in them: exactly one tet holds each that is not on the boundary. */
static void one_of_many_tets_holds_a_point(void) {
    lt_tet_mesh mesh;
    lt_random random = lt_random_seed(9);
    CHECK_FATAL(lt_generate_tet_block(&mesh, (lt_dvec3){4, 4, 4}, (const uint32_t[3]){4, 4, 4},
                                      LT_TET_SPLIT_SIX, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < 100; i++) {
        double step = i % 3 ? 0.5 : 0.125; /* many are on planes of the cells and their diagonals */
        lt_dvec3 p = {1 + step * lt_random_below(&random, 4), 1 + step * lt_random_below(&random, 4),
                      1 + step * lt_random_below(&random, 4)};
        uint32_t holders = 0;
        for (uint32_t tet = 0; tet < mesh.tet_count; tet++) {
            const uint32_t *nodes = lt_tet_at(&mesh, tet);
            const lt_dvec3 corners[4] = {mesh.positions[nodes[0]], mesh.positions[nodes[1]],
                                         mesh.positions[nodes[2]], mesh.positions[nodes[3]]};
            bool is_inside = lt_exact_point_inside_tet(p, mesh.node_count + i, corners, nodes);
            CHECK(!is_inside || lt_exact_point_tet(p, corners));
            holders += is_inside;
        }
        CHECK_COUNT(holders, 1);
    }
    lt_tet_mesh_free(&mesh);
}

int main(void) {
    RUN(answers_by_hand);
    RUN(agrees_on_small_integers);
    RUN(agrees_where_determinants_round);
    RUN(agrees_on_sparse_touching);
    RUN(closed_meshes_are_crossed_evenly);
    RUN(loops_cross_evenly);
    RUN(shared_vertices_do_not_pierce);
    RUN(one_of_many_tets_holds_a_point);
    return check_finish();
}
