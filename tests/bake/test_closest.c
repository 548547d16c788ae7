/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Closest points by their optimality conditions, which are necessary and sufficient for convex sets; the tree
 * against loops over all triangles. */

#include "bake/triangle_tree.h"
#include "check.h"
#include "core/random.h"
#include "mesh/closest.h"
#include "mesh/exact.h"
#include "mesh/shapes.h"

static lt_dvec3 random_point(lt_random *random, float range) {
    lt_dvec3 p;
    p.x = lt_random_range(random, -range, range);
    p.y = lt_random_range(random, -range, range);
    p.z = lt_random_range(random, -range, range);
    return p;
}

/* A grid of 3^3 points makes repeated and collinear corners common. */
static lt_dvec3 random_corner(lt_random *random, bool on_grid) {
    lt_dvec3 p = random_point(random, on_grid ? 1.5f : 1);
    return on_grid ? lt_d3_make(floor(p.x + 0.5), floor(p.y + 0.5), floor(p.z + 0.5)) : p;
}

static bool weights_agree_with_feature(const lt_closest_point *c) {
    static const uint8_t used[7] = {1, 2, 4, 3, 6, 5, 7};
    double sum = 0;
    bool good = true;
    for (int k = 0; k < 3; k++) {
        sum += c->weights[k];
        good &= c->weights[k] >= 0 && ((used[c->feature] >> k) & 1 || c->weights[k] == 0);
    }
    return good && fabs(sum - 1) < 1e-15;
}

static void point_of_triangle_is_optimal(void) {
    lt_random random = lt_random_seed(1);
    int bad = 0, features[7] = {0};
    for (int n = 0; n < 20000; n++) {
        lt_dvec3 t[3], p = random_corner(&random, n & 2), sum = {0};
        for (int k = 0; k < 3; k++)
            t[k] = random_corner(&random, n & 1);
        lt_closest_point c = lt_closest_on_triangle(p, t);
        features[c.feature]++;
        for (int k = 0; k < 3; k++) {
            bad += lt_d3_dot(lt_d3_sub(p, c.point), lt_d3_sub(t[k], c.point)) > 1e-13;
            sum = lt_d3_mad(sum, t[k], c.weights[k]);
        }
        bad += lt_d3_distance(sum, c.point) > 1e-14 || !weights_agree_with_feature(&c);
        bad += fabs(lt_d3_length_squared(lt_d3_sub(p, c.point)) - c.distance_squared) > 1e-14;
    }
    CHECK_COUNT(bad, 0);
    for (int k = 0; k < 7; k++)
        CHECK(features[k] > 500);
}

static void point_of_segment_by_hand(void) {
    const lt_dvec3 s[2] = {{1, 0, 0}, {5, 0, 0}}, dot[2] = {{1, 2, 3}, {1, 2, 3}};
    lt_closest_point c = lt_closest_on_segment((lt_dvec3){2, 3, 4}, s);
    CHECK(c.feature == LT_FEATURE_EDGE_01 && c.point.x == 2 && c.weights[1] == 0.25);
    CHECK_NEAR(c.distance_squared, 25, 0);
    CHECK(lt_closest_on_segment((lt_dvec3){0, 3, 4}, s).feature == LT_FEATURE_VERTEX_0);
    CHECK(lt_closest_on_segment((lt_dvec3){7, 3, 4}, s).feature == LT_FEATURE_VERTEX_1);
    CHECK_NEAR(lt_closest_on_segment((lt_dvec3){1, 2, 5}, dot).distance_squared, 4, 0);
}

static void pair_of_segments_is_optimal(void) {
    lt_random random = lt_random_seed(2);
    int bad = 0, inside = 0;
    for (int n = 0; n < 20000; n++) {
        lt_dvec3 a[2], b[2];
        for (int k = 0; k < 2; k++) {
            a[k] = random_corner(&random, n & 1);
            b[k] = random_corner(&random, n & 1);
        }
        lt_closest_pair c = lt_closest_segments(a, b);
        lt_dvec3 d = lt_d3_sub(c.points[1], c.points[0]);
        for (int k = 0; k < 2; k++) {
            bad += lt_d3_dot(d, lt_d3_sub(a[k], c.points[0])) > 1e-12;
            bad += lt_d3_dot(d, lt_d3_sub(b[k], c.points[1])) < -1e-12;
        }
        lt_dvec3 on_a = lt_d3_mad(a[0], lt_d3_sub(a[1], a[0]), c.parameters[0]);
        lt_dvec3 on_b = lt_d3_mad(b[0], lt_d3_sub(b[1], b[0]), c.parameters[1]);
        bad += lt_d3_distance(on_a, c.points[0]) > 1e-15 || lt_d3_distance(on_b, c.points[1]) > 1e-15;
        bad += fabs(lt_d3_length_squared(d) - c.distance_squared) > 1e-14;
        inside += c.parameters[0] > 0 && c.parameters[0] < 1 && c.parameters[1] > 0 && c.parameters[1] < 1;
    }
    CHECK_COUNT(bad, 0);
    CHECK(inside > 2000);
}

/* ---- the tree ---- */

typedef struct tree_case {
    lt_surface surface;
    lt_triangle_tree tree;
} tree_case;

static void begin_case(tree_case *c, lt_surface surface) {
    c->surface = surface;
    CHECK(lt_triangle_tree_build(&c->tree, &c->surface, NULL, NULL) == LT_OK);
}

static void end_case(tree_case *c) {
    lt_triangle_tree_free(&c->tree);
    lt_surface_free(&c->surface);
}

static void tree_is_well_formed(void) {
    for (uint32_t n = 3; n <= 20; n++) {
        tree_case c;
        uint8_t seen[800] = {0};
        begin_case(&c, torus_surface(n));
        CHECK(lt_validate_triangle_tree(&c.tree));
        for (uint32_t i = 0; i < c.tree.triangle_count; i++)
            seen[c.tree.triangles[i]]++;
        for (uint32_t i = 0; i < c.tree.triangle_count; i++)
            CHECK(seen[i] == 1);
        end_case(&c);
    }
}

static void damaged_tree_is_noticed(void) {
    tree_case c;
    begin_case(&c, torus_surface(6));
    lt_tree_node *leaf = &c.tree.nodes[c.tree.node_count - 1];
    float kept = leaf->box.hi.x;
    leaf->box.hi.x = leaf->box.lo.x;
    CHECK(!lt_validate_triangle_tree(&c.tree));
    leaf->box.hi.x = kept;
    c.tree.nodes[0].right++;
    CHECK(!lt_validate_triangle_tree(&c.tree));
    c.tree.nodes[0].right--;
    CHECK(lt_validate_triangle_tree(&c.tree));
    end_case(&c);
}

/* The same surface gives the same tree, and a surface whose triangles are all alike is split too. */
static void tree_is_reproducible(void) {
    tree_case a, b;
    begin_case(&a, torus_surface(12));
    begin_case(&b, torus_surface(12));
    CHECK_COUNT(a.tree.node_count, b.tree.node_count);
    CHECK(memcmp(a.tree.triangles, b.tree.triangles, sizeof(uint32_t) * a.tree.triangle_count) == 0);
    CHECK(memcmp(a.tree.nodes, b.tree.nodes, sizeof(lt_tree_node) * a.tree.node_count) == 0);
    for (uint32_t i = 3; i < 3 * b.surface.triangle_count; i++)
        b.surface.triangles[i] = b.surface.triangles[i % 3];
    lt_triangle_tree_free(&b.tree);
    CHECK(lt_triangle_tree_build(&b.tree, &b.surface, NULL, NULL) == LT_OK);
    CHECK(lt_validate_triangle_tree(&b.tree));
    end_case(&a);
    end_case(&b);
}

static uint32_t closest_by_loop(const lt_surface *surface, lt_dvec3 p, double limit, double *best) {
    uint32_t found = LT_NONE;
    *best = limit * limit;
    for (uint32_t i = 0; i < surface->triangle_count; i++) {
        lt_dvec3 t[3];
        lt_triangle_corners(surface, i, t);
        double d = lt_closest_on_triangle(p, t).distance_squared;
        if (d < *best || (d == *best && found == LT_NONE)) {
            *best = d;
            found = i;
        }
    }
    return found;
}

static void closest_agrees_with_loop(lt_surface surface, float range) {
    tree_case c;
    begin_case(&c, surface);
    lt_random random = lt_random_seed(3);
    int wrong = 0, none = 0;
    for (int n = 0; n < 400; n++) {
        lt_dvec3 p = random_point(&random, range);
        if (n & 1) p = lt_d3_make(floor(p.x), floor(p.y), floor(p.z)); /* many ties */
        double limit = n % 3 == 0 ? 1 : INFINITY, best;
        uint32_t expected = closest_by_loop(&c.surface, p, limit, &best), triangle = 0;
        lt_closest_point closest = {.feature = LT_FEATURE_FACE};
        bool found = lt_triangle_tree_closest(&c.tree, p, limit, &triangle, &closest);
        wrong += found != (expected != LT_NONE);
        if (found) wrong += triangle != expected || closest.distance_squared != best;
        none += !found;
    }
    CHECK_COUNT(wrong, 0);
    CHECK(none > 10 && none < 200);
    end_case(&c);
}

static void closest_triangle(void) {
    closest_agrees_with_loop(torus_surface(20), 4);
    closest_agrees_with_loop(box_surface(), 6);
    closest_agrees_with_loop(icosahedron_surface(), 15);
}

static void bound_is_inclusive(void) {
    tree_case c;
    begin_case(&c, box_surface());
    uint32_t triangle;
    lt_closest_point closest;
    CHECK(lt_triangle_tree_closest(&c.tree, (lt_dvec3){5, 0, 0}, 3, &triangle, &closest));
    CHECK(!lt_triangle_tree_closest(&c.tree, (lt_dvec3){5, 0, 0}, 2.999999, &triangle, &closest));
    end_case(&c);
}

typedef struct hit_list {
    uint8_t seen[2000];
    uint32_t count;
} hit_list;

static bool note_hit(void *context, uint32_t triangle, double parameter) {
    hit_list *hits = context;
    CHECK(parameter >= 0 && parameter <= 1);
    hits->seen[triangle]++;
    hits->count++;
    return true;
}

static bool hit_by_loop(const lt_surface *surface, const lt_dvec3 s[2], uint32_t triangle, double *at) {
    lt_dvec3 t[3];
    const uint32_t ids[2] = {surface->vertex_count, surface->vertex_count + 1};
    lt_triangle_corners(surface, triangle, t);
    return lt_exact_edge_pierces_triangle(s, ids, t, lt_triangle_at(surface, triangle), at);
}

static int compare_hits(const tree_case *c, const lt_dvec3 s[2], int *any) {
    hit_list hits = {{0}, 0};
    uint32_t expected_count = 0;
    double at;
    int wrong = 0;
    lt_triangle_tree_each_hit(&c->tree, s, note_hit, &hits);
    for (uint32_t i = 0; i < c->surface.triangle_count; i++) {
        bool hit = hit_by_loop(&c->surface, s, i, &at);
        wrong += hits.seen[i] != hit;
        expected_count += hit;
    }
    wrong += hits.count != expected_count;
    *any += hits.count > 0;
    return wrong;
}

static void hits_agree_with_loop(lt_surface surface, float range) {
    tree_case c;
    begin_case(&c, surface);
    lt_random random = lt_random_seed(4);
    int wrong = 0, any = 0;
    for (int n = 0; n < 300; n++) {
        lt_dvec3 s[2] = {random_point(&random, range), random_point(&random, range)};
        for (int k = 0; k < 2 && (n & 1); k++) /* along axes, through vertices, in planes of faces */
            s[k] = lt_d3_make(floor(s[k].x), floor(s[k].y), floor(s[0].z));
        wrong += compare_hits(&c, s, &any);
    }
    CHECK_COUNT(wrong, 0);
    CHECK(any > 20);
    end_case(&c);
}

static void segment_hits(void) {
    hits_agree_with_loop(torus_surface(20), 4);
    hits_agree_with_loop(box_surface(), 4);
    hits_agree_with_loop(icosahedron_surface(), 12);
}

static bool note_overlap(void *context, uint32_t triangle) {
    ((hit_list *)context)->seen[triangle]++;
    return ++((hit_list *)context)->count < 50;
}

static void overlaps_agree_with_loop(void) {
    tree_case c;
    begin_case(&c, torus_surface(20));
    lt_random random = lt_random_seed(5);
    int wrong = 0, stopped = 0;
    for (int n = 0; n < 300; n++) {
        lt_box box = lt_box_add_point(lt_box_empty(), lt_v3_from_d3(random_point(&random, 3)));
        box = lt_box_inflate(box, lt_random_range(&random, 0, 1));
        hit_list hits = {{0}, 0};
        lt_triangle_tree_each_overlap(&c.tree, box, note_overlap, &hits);
        stopped += hits.count == 50;
        for (uint32_t i = 0; i < c.surface.triangle_count && hits.count < 50; i++) {
            lt_box own = lt_box_empty();
            for (int k = 0; k < 3; k++)
                own = lt_box_add_point(own, c.surface.positions[lt_triangle_at(&c.surface, i)[k]]);
            wrong += hits.seen[i] != lt_box_overlap(own, box);
        }
        wrong += hits.count > 50;
    }
    CHECK_COUNT(wrong, 0);
    CHECK(stopped > 10 && stopped < 250);
    end_case(&c);
}

static void empty_surface_has_nothing(void) {
    tree_case c;
    lt_surface empty;
    CHECK(lt_surface_allocate(&empty, 0, 0, NULL, NULL) == LT_OK);
    begin_case(&c, empty);
    const lt_dvec3 s[2] = {{0, 0, 0}, {1, 1, 1}};
    uint32_t triangle;
    lt_closest_point closest;
    CHECK(!lt_triangle_tree_closest(&c.tree, s[0], INFINITY, &triangle, &closest));
    hit_list hits = {{0}, 0};
    lt_triangle_tree_each_hit(&c.tree, s, note_hit, &hits);
    CHECK_COUNT(hits.count, 0);
    end_case(&c);
}

static void memory_runs_out_cleanly(void) {
    lt_surface surface = box_surface();
    for (int grants = 0; grants < 4; grants++) {
        scarce_memory memory = {.grants = grants};
        lt_allocator allocator = scarce_allocator(&memory);
        lt_triangle_tree tree;
        lt_error error = {0};
        lt_status status = lt_triangle_tree_build(&tree, &surface, &allocator, &error);
        CHECK(status == (grants < 3 ? LT_STATUS_MEMORY : LT_OK));
        if (status != LT_OK) CHECK(tree.nodes == NULL && tree.triangles == NULL && error.message[0]);
        lt_triangle_tree_free(&tree);
        CHECK(scarce_is_whole(&memory));
    }
    lt_surface_free(&surface);
}

int main(void) {
    RUN(point_of_segment_by_hand);
    RUN(point_of_triangle_is_optimal);
    RUN(pair_of_segments_is_optimal);
    RUN(tree_is_well_formed);
    RUN(damaged_tree_is_noticed);
    RUN(tree_is_reproducible);
    RUN(closest_triangle);
    RUN(bound_is_inclusive);
    RUN(segment_hits);
    RUN(overlaps_agree_with_loop);
    RUN(empty_surface_has_nothing);
    RUN(memory_runs_out_cleanly);
    return check_finish();
}
