/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The judge against brute force: every pair of triangles, every vertex by its winding number, every distance over all
 * triangles; and its predicate, through its own tree, against labels by an outside exact kernel: $LITHE_TRUTH/intersection,
 * or ../shared/truth/intersection. */

#include "bake/winding.h"
#include "core/random.h"
#include "judge/judge_fixture.h"
#include "mesh/exact.h"

static const lt_vec3 NO_GRAVITY = {0, 0, 0};

/* ---- brute force ---- */

static uint64_t count_crossings(const lt_judge_surface *a, const lt_judge_surface *b) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < a->mesh.triangle_count; i++)
        for (uint32_t k = a == b ? i + 1 : 0; k < b->mesh.triangle_count; k++) {
            const uint32_t *s = lt_triangle_at(&a->mesh, i), *t = lt_triangle_at(&b->mesh, k);
            bool shared = false;
            for (int x = 0; x < 9 && a == b; x++)
                shared = shared || s[x / 3] == t[x % 3];
            lt_dvec3 p[3], q[3];
            lt_judge_corners(a, i, p);
            lt_judge_corners(b, k, q);
            count += !shared && lt_exact_triangle_triangle(p, q);
        }
    return count;
}

static double distance_to(const lt_judge_surface *surface, lt_dvec3 p) {
    double nearest = INFINITY;
    for (uint32_t i = 0; i < surface->mesh.triangle_count; i++) {
        lt_dvec3 t[3];
        lt_judge_corners(surface, i, t);
        nearest = lt_min_d(nearest, lt_closest_on_triangle(p, t).distance_squared);
    }
    return sqrt(nearest);
}

/* Odd winding is inside: what parity says of surfaces that go through themselves, too. */
static bool winds_oddly(const lt_judge_surface *surface, lt_dvec3 p) {
    return (long)floor(fabs(lt_winding_number(&surface->mesh, p)) + 0.5) % 2 != 0;
}

static double depth_in(const lt_judge_body *a, const lt_judge_body *b) {
    double deepest = 0;
    for (uint32_t v = 0; v < a->surface.mesh.vertex_count; v++) {
        lt_dvec3 p = lt_d3_from_v3(a->surface.mesh.positions[v]);
        if (winds_oddly(&b->surface, p)) deepest = lt_max_d(deepest, distance_to(&b->surface, p));
    }
    for (uint32_t i = 0; i < a->inner_count; i++) {
        lt_dvec3 p = lt_judge_middle(a, a->inner[i]);
        if (winds_oddly(&b->surface, p)) deepest = lt_max_d(deepest, distance_to(&b->surface, p));
    }
    return deepest;
}

/* Two bodies whose nodes are shaken: by a little they are rough, by much they go through themselves. */
static void check_against_brute_force(uint64_t seed) {
    lt_random random = lt_random_seed(seed);
    judged j = judged_begin(NO_GRAVITY);
    judged_add(&j, judged_body(ball_shape(0.5, 3), (lt_vec3){0, 0, 0}));
    judged_add(&j, judged_body(torus_shape(0.5, 0.2, 14), (lt_vec3){0, 0, 0}));
    judged_ready(&j);
    float shake = seed % 3 == 0 ? 0.0f : seed % 3 == 1 ? 0.05f : 0.25f;
    for (uint32_t body = 0; body < 2; body++) {
        uint32_t count = lt_body_node_count(j.world, j.bodies[body]);
        lt_vec3 *nodes = calloc(count, sizeof *nodes);
        lt_body_get_nodes(j.world, j.bodies[body], nodes, NULL);
        lt_vec3 by = {lt_random_range(&random, -0.8f, 0.8f), lt_random_range(&random, -0.3f, 0.3f), 0};
        for (uint32_t i = 0; i < count; i++) {
            nodes[i] = lt_v3_add(nodes[i], by);
            nodes[i].x += shake * lt_random_range(&random, -1, 1);
            nodes[i].y += shake * lt_random_range(&random, -1, 1);
            nodes[i].z += shake * lt_random_range(&random, -1, 1);
        }
        CHECK(lt_body_set_nodes(j.world, j.bodies[body], nodes, NULL, NULL) == LT_OK);
        free(nodes);
    }
    lt_judgement out = judged_look(&j);
    const lt_judge_body *a = lt_judge_body_at(j.judge, 0), *b = lt_judge_body_at(j.judge, 1);
    CHECK(a->surface.is_closed && b->surface.is_closed);
    CHECK_COUNT(out.crossings, count_crossings(&a->surface, &b->surface));
    CHECK_COUNT(out.self_crossings + out.folded,
                count_crossings(&a->surface, &a->surface) + count_crossings(&b->surface, &b->surface));
    CHECK_NEAR(out.depth, lt_max_d(depth_in(a, b), depth_in(b, a)), 1e-9);
    judged_end(&j);
}

static void bodies_agree_with_brute_force(void) {
    for (uint64_t seed = 1; seed <= 24; seed++)
        check_against_brute_force(seed);
}

/* ---- points exactly on edges, corners and faces; open surfaces ---- */

/* Every direction of a closed surface gives one answer for points off it, whatever they line up with. */
static void parity_is_right_in_line_with_edges_and_corners(void) {
    judged j = judged_begin(NO_GRAVITY);
    judged_add(&j, judged_body(cube_shape(2, 2), (lt_vec3){0, 0, 0}));
    judged_ready(&j);
    const lt_judge_surface *s = &lt_judge_body_at(j.judge, 0)->surface;
    for (int i = 0; i < 7 * 7 * 7; i++) {
        lt_dvec3 p = {0.5 * (i % 7) - 1.5, 0.5 * (i / 7 % 7) - 1.5, 0.5 * (i / 49) - 1.5};
        double largest = lt_max_d(fabs(p.x), lt_max_d(fabs(p.y), fabs(p.z)));
        if (largest != 1) CHECK(lt_judge_is_inside(s, p) == (largest < 1));
    }
    judged_end(&j);
}

static void open_surface_is_voted_on(void) {
    lt_surface box;
    lt_judge_surface open;
    const uint32_t divisions[3] = {3, 3, 3};
    CHECK_FATAL(lt_generate_box(&box, (lt_vec3){1, 1, 1}, divisions, NULL, NULL) == LT_OK);
    box.triangle_count -= 1;
    CHECK_FATAL(lt_judge_surface_create(&open, &box, NULL, NULL) == LT_OK);
    CHECK(!open.is_closed);
    lt_random random = lt_random_seed(7);
    for (int i = 0; i < 500; i++) {
        lt_dvec3 p = {lt_random_range(&random, -1.5f, 1.5f), lt_random_range(&random, -1.5f, 1.5f), 0};
        p.z = lt_random_range(&random, -1.5f, 1.5f);
        double largest = lt_max_d(fabs(p.x), lt_max_d(fabs(p.y), fabs(p.z)));
        CHECK(lt_judge_is_inside(&open, p) == (largest < 1));
    }
    lt_judge_surface_free(&open);
    box.triangle_count += 1;
    lt_surface_free(&box);
}

/* ---- pairs of triangles ---- */

static bool meet(lt_judge *judge, const lt_vec3 p[6]) {
    uint32_t corners[3] = {0, 1, 2};
    lt_judge_surface surfaces[2];
    for (int i = 0; i < 2; i++) {
        lt_surface mesh = {
            .positions = (lt_vec3 *)p + 3 * i, .triangles = corners, .vertex_count = 3, .triangle_count = 1};
        CHECK(lt_judge_surface_create(&surfaces[i], &mesh, NULL, NULL) == LT_OK);
    }
    CHECK(lt_judge_cross(judge, &surfaces[0], &surfaces[1]));
    for (int i = 0; i < 2; i++)
        lt_judge_surface_free(&surfaces[i]);
    return judge->hits.count > 0;
}

static void made_pairs_of_triangles(void) {
    judged j = judged_begin(NO_GRAVITY);
    const struct {
        lt_vec3 p[6];
        bool meets;
    } cases[] = {
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2f, 0.2f, -1}, {0.2f, 0.2f, 1}, {0.9f, 0.9f, 1}}, true},
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.6f, 0.6f, -1}, {0.6f, 0.6f, 1}, {0.9f, 0.9f, 1}}, false},
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}}, true},       /* a corner */
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2f, 0.2f, 0}, {1, 1, 0}, {1, 2, 0}}, true}, /* in one plane */
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2f, 0.2f, 1e-30f}, {1, 1, 1}, {1, 2, 1}}, false},
        {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5f, 0.5f, 0}, {0.5f, 0.5f, 0}, {3, 3, 3}},
         true}}; /* a segment */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(meet(j.judge, cases[i].p) == cases[i].meets);
    judged_end(&j);
}

static void truth_of_an_outside_kernel(void) {
    const char *root = getenv("LITHE_TRUTH");
    char path[1024];
    snprintf(path, sizeof path, "%s/intersection/tritri-random.csv", root ? root : "../shared/truth");
    FILE *file = fopen(path, "r");
    if (!file) {
        check_skip("the file of labels is absent; set LITHE_TRUTH to the folder that holds intersection/");
        return;
    }
    judged j = judged_begin(NO_GRAVITY);
    lt_vec3 p[6];
    int label, row_count = 0, wrong_count = 0;
    for (;; row_count++) {
        int read = 0;
        for (int i = 0; i < 6; i++)
            read += fscanf(file, "%f,%f,%f,", &p[i].x, &p[i].y, &p[i].z);
        if (read != 18 || fscanf(file, "%d", &label) != 1) break;
        wrong_count += meet(j.judge, p) != (label == 1);
    }
    fclose(file);
    printf("tritri-random.csv: %d rows, %d wrong\n", row_count, wrong_count);
    CHECK_COUNT(row_count, 5000);
    CHECK_COUNT(wrong_count, 0);
    judged_end(&j);
}

int main(void) {
    RUN(bodies_agree_with_brute_force);
    RUN(parity_is_right_in_line_with_edges_and_corners);
    RUN(open_surface_is_voted_on);
    RUN(made_pairs_of_triangles);
    RUN(truth_of_an_outside_kernel);
    return check_finish();
}
