/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"
#include "core/random.h"
#include "failing_allocator.h"
#include "mesh/distance_grid.h"

/* ---- surfaces made by hand; all are soups: no two triangles share a vertex ---- */

typedef struct soup {
    lt_array corners; /* lt_vec3 [triangle][3] */
} soup;

static soup soup_begin(void) {
    return (soup){LT_ARRAY_OF(NULL, lt_vec3)};
}

static void soup_add(soup *s, lt_vec3 a, lt_vec3 b, lt_vec3 c) {
    lt_vec3 *corners = lt_array_grow(&s->corners, 3);
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

static lt_surface soup_finish(soup *s) {
    lt_surface surface;
    uint32_t count = (uint32_t)s->corners.count;
    lt_surface_allocate(&surface, count, count / 3, NULL, NULL);
    memcpy(surface.positions, s->corners.items, count * sizeof(lt_vec3));
    for (uint32_t i = 0; i < count; i++)
        surface.triangles[i] = i;
    lt_array_free(&s->corners);
    return surface;
}

static lt_vec3 on_sphere(lt_vec3 p, lt_vec3 centre, float radius) {
    return lt_v3_mad(centre, lt_v3_normalize_or(p, (lt_vec3){1, 0, 0}), radius);
}

/* An octahedron whose faces are cut into n² triangles and blown up; faces in `mask` only. */
static void soup_add_sphere(soup *s, int n, lt_vec3 centre, float radius, unsigned mask) {
    for (int face = 0; face < 8; face++) {
        float sx = face & 1 ? -1.0f : 1.0f, sy = face & 2 ? -1.0f : 1.0f, sz = face & 4 ? -1.0f : 1.0f;
        bool turned = sx * sy * sz < 0;
        if (!(mask >> face & 1)) continue;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n - i; j++)
                for (int half = 0; half < (j + i + 1 < n ? 2 : 1); half++) {
                    int corner[3][2] = {{i + half, j + half}, {i + 1, j}, {i, j + 1}};
                    lt_vec3 p[3];
                    for (int c = 0; c < 3; c++) {
                        float u = (float)corner[c][0], v = (float)corner[c][1];
                        p[c] = on_sphere((lt_vec3){sx * u, sy * v, sz * ((float)n - u - v)}, centre, radius);
                    }
                    bool flip = turned != (half == 1);
                    soup_add(s, p[0], p[flip ? 2 : 1], p[flip ? 1 : 2]);
                }
    }
}

static lt_surface make_sphere(int n, lt_vec3 centre, float radius) {
    soup s = soup_begin();
    soup_add_sphere(&s, n, centre, radius, 0xff);
    return soup_finish(&s);
}

static void soup_add_quad(soup *s, lt_vec3 a, lt_vec3 b, lt_vec3 c, lt_vec3 d) {
    soup_add(s, a, b, c);
    soup_add(s, a, c, d);
}

static lt_surface make_box(lt_vec3 lo, lt_vec3 hi) {
    soup s = soup_begin();
    lt_vec3 v[8];
    for (int i = 0; i < 8; i++)
        v[i] = (lt_vec3){i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z};
    soup_add_quad(&s, v[0], v[2], v[3], v[1]);
    soup_add_quad(&s, v[4], v[5], v[7], v[6]);
    soup_add_quad(&s, v[0], v[1], v[5], v[4]);
    soup_add_quad(&s, v[2], v[6], v[7], v[3]);
    soup_add_quad(&s, v[0], v[4], v[6], v[2]);
    soup_add_quad(&s, v[1], v[3], v[7], v[5]);
    return soup_finish(&s);
}

static lt_vec3 torus_point(int i, int j, int n, float big, float tube) {
    double u = 6.283185307179586 * (i % n) / n, v = 6.283185307179586 * (j % n) / n;
    double r = big + tube * cos(v);
    return (lt_vec3){(float)(r * cos(u)), (float)(r * sin(u)), (float)(tube * sin(v))};
}

static lt_surface make_torus(int n, float big, float tube) {
    soup s = soup_begin();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            soup_add_quad(&s, torus_point(i, j, n, big, tube), torus_point(i + 1, j, n, big, tube),
                          torus_point(i + 1, j + 1, n, big, tube), torus_point(i, j + 1, n, big, tube));
    return soup_finish(&s);
}

/* ---- closed forms ---- */

typedef double exact_distance(lt_vec3 p);

static const lt_vec3 sphere_centre = {-3, 2, -5};
static double sphere_exact(lt_vec3 p) {
    return (double)lt_v3_distance(p, sphere_centre) - 1.5;
}

static const lt_vec3 box_lo = {-2, -1, -0.5f}, box_hi = {-1, 1, 1};
static double box_exact(lt_vec3 p) {
    lt_vec3 nearest = lt_v3_min(lt_v3_max(p, box_lo), box_hi);
    double outside = lt_v3_distance(p, nearest);
    if (outside > 0) return outside;
    lt_vec3 a = lt_v3_sub(p, box_lo), b = lt_v3_sub(box_hi, p), m = lt_v3_min(a, b);
    return -(double)lt_min_f(m.x, lt_min_f(m.y, m.z));
}

static double torus_exact(lt_vec3 p) {
    double r = sqrt((double)p.x * p.x + (double)p.y * p.y) - 1.0;
    return sqrt(r * r + (double)p.z * p.z) - 0.4;
}

static lt_distance_grid build_grid(lt_surface *surface, uint32_t cells) {
    lt_distance_grid grid;
    lt_error error = {0};
    lt_distance_grid_options options = {.cells = cells};
    CHECK(lt_distance_grid_build(surface, &options, NULL, &grid, &error) == LT_OK);
    if (error.status) fprintf(stderr, "%s\n", error.message);
    lt_surface_free(surface);
    return grid;
}

static lt_vec3 random_in_grid(lt_random *random, const lt_distance_grid_header *h, float beyond) {
    float p[3];
    for (int axis = 0; axis < 3; axis++) {
        float length = h->cell_size * (float)(h->size[axis] - 1);
        p[axis] = lt_random_range(random, h->origin[axis] - beyond * length,
                                  h->origin[axis] + (1 + beyond) * length);
    }
    return (lt_vec3){p[0], p[1], p[2]};
}

/* 20,000 random points: sign wherever the surface is a quarter cell away, value within `tolerance` cells near
 * the surface and within a cell everywhere (medial axes are blunt). */
static void check_against(const lt_distance_grid *grid, exact_distance *exact, double tolerance) {
    lt_random random = lt_random_seed(11);
    double h = grid->header.cell_size, worst_near = 0, worst = 0;
    uint32_t wrong_signs = 0, inside = 0;
    for (int i = 0; i < 20000; i++) {
        lt_vec3 p = random_in_grid(&random, &grid->header, 0);
        float distance;
        lt_distance_grid_sample(grid, p, &distance, NULL);
        double want = exact(p), error = fabs(distance - want);
        inside += want < 0;
        wrong_signs += fabs(want) > 0.25 * h && (distance < 0) != (want < 0);
        if (fabs(want) < 2 * h && error > worst_near) worst_near = error;
        if (error > worst) worst = error;
    }
    CHECK(inside > 1000);
    CHECK_COUNT(wrong_signs, 0);
    CHECK_NEAR(worst_near / h, 0, tolerance);
    CHECK_NEAR(worst / h, 0, 1);
}

static lt_dvec3 node_position(const lt_distance_grid_header *g, size_t node) {
    double h = g->cell_size;
    return (lt_dvec3){g->origin[0] + h * (double)(node % g->size[0]),
                      g->origin[1] + h * (double)(node / g->size[0] % g->size[1]),
                      g->origin[2] + h * (double)(node / g->size[0] / g->size[1])};
}

/* How much too far a node's closest triangle may be, in cells, where sweeps found it: 0.07 was the most seen,
 * with triangles smaller than cells. */
static const double sweep_error = 0.1;

/* Node values have no interpolation error: what is left is how far facets are from the smooth surface
 * (`sag`) and the error of the sweeps. */
static void check_nodes(const lt_distance_grid *grid, exact_distance *exact, double sag) {
    double worst = 0;
    for (size_t node = 0; node < lt_distance_grid_value_count(&grid->header); node++) {
        lt_vec3 p = lt_v3_from_d3(node_position(&grid->header, node));
        double error = fabs(grid->values[node] - exact(p));
        if (error > worst) worst = error;
    }
    CHECK_NEAR(worst, 0, sag + sweep_error * grid->header.cell_size);
}

static void sphere_matches_its_closed_form(void) {
    lt_surface surface = make_sphere(24, sphere_centre, 1.5f);
    CHECK_COUNT(surface.triangle_count, 8 * 24 * 24);
    lt_distance_grid grid = build_grid(&surface, 24);
    CHECK_COUNT(grid.header.open_edge_count, 0);
    check_against(&grid, sphere_exact, 0.1);
    /* The largest facets are amid the 8 faces: edge √2/24 blown up by √3, 0.153; sag edge²/6r = 0.0026. */
    check_nodes(&grid, sphere_exact, 0.0026);
    lt_distance_grid_free(&grid);
}

static void box_matches_its_closed_form(void) {
    /* 20 cells: faces fall on nodes. 19: they do not. */
    static const uint32_t cells[] = {20, 19};
    for (size_t i = 0; i < LT_COUNT_OF(cells); i++) {
        lt_surface surface = make_box(box_lo, box_hi);
        lt_distance_grid grid = build_grid(&surface, cells[i]);
        CHECK_COUNT(grid.header.open_edge_count, 0);
        check_against(&grid, box_exact, 0.5);
        check_nodes(&grid, box_exact, 0);
        lt_distance_grid_free(&grid);
    }
}

static void torus_matches_its_closed_form(void) {
    lt_surface surface = make_torus(48, 1, 0.4f);
    lt_distance_grid grid = build_grid(&surface, 28);
    CHECK_COUNT(grid.header.open_edge_count, 0);
    check_against(&grid, torus_exact, 0.2);
    /* A 48-gon of radius 1.4 around, one of 0.4 across: 1.8 (1 - cos(π/48)). */
    check_nodes(&grid, torus_exact, 0.0039);
    lt_distance_grid_free(&grid);
}

/* By barycentric coordinates from the Gram matrix, else by the ends and feet of the edges. */
static double oracle_distance(lt_dvec3 p, const lt_vec3 *t) {
    lt_dvec3 v[3] = {lt_d3_from_v3(t[0]), lt_d3_from_v3(t[1]), lt_d3_from_v3(t[2])};
    lt_dvec3 e = lt_d3_sub(v[1], v[0]), f = lt_d3_sub(v[2], v[0]), d = lt_d3_sub(p, v[0]);
    double ee = lt_d3_dot(e, e), ef = lt_d3_dot(e, f), ff = lt_d3_dot(f, f), best = 1e300;
    double de = lt_d3_dot(d, e), df = lt_d3_dot(d, f), determinant = ee * ff - ef * ef;
    double s = (ff * de - ef * df) / determinant, r = (ee * df - ef * de) / determinant;
    if (s >= 0 && r >= 0 && s + r <= 1) best = lt_d3_distance(p, lt_d3_mad(lt_d3_mad(v[0], e, s), f, r));
    for (int c = 0; c < 3; c++) {
        lt_dvec3 a = v[c], b = v[(c + 1) % 3], ab = lt_d3_sub(b, a);
        double foot = lt_d3_dot(lt_d3_sub(p, a), ab) / lt_d3_dot(ab, ab);
        best = lt_min_d(best, lt_d3_distance(p, a));
        if (foot > 0 && foot < 1) best = lt_min_d(best, lt_d3_distance(p, lt_d3_mad(a, ab, foot)));
    }
    return best;
}

static void check_nodes_against_all_triangles(int n, uint32_t cells) {
    lt_surface surface = make_sphere(n, sphere_centre, 1.5f);
    lt_distance_grid_options options = {.cells = cells};
    lt_distance_grid grid;
    CHECK_FATAL(lt_distance_grid_build(&surface, &options, NULL, &grid, NULL) == LT_OK);
    double h = grid.header.cell_size, worst_in_band = 0, least = 0, most = 0;
    for (size_t node = 0; node < lt_distance_grid_value_count(&grid.header); node++) {
        lt_dvec3 p = node_position(&grid.header, node);
        double exact = 1e300;
        for (uint32_t i = 0; i < surface.vertex_count; i += 3)
            exact = lt_min_d(exact, oracle_distance(p, surface.positions + i));
        double error = (fabs((double)grid.values[node]) - exact) / h;
        least = lt_min_d(least, error);
        most = lt_max_d(most, error);
        if (exact < 1.5 * h) worst_in_band = lt_max_d(worst_in_band, fabs(error));
    }
    CHECK_NEAR(worst_in_band, 0, 1e-6);
    CHECK_NEAR(least, 0, 1e-5); /* never too near */
    CHECK_NEAR(most, 0, sweep_error);
    lt_distance_grid_free(&grid);
    lt_surface_free(&surface);
}

static void nodes_know_their_closest_triangle(void) {
    check_nodes_against_all_triangles(4, 11); /* triangles larger than cells */
    check_nodes_against_all_triangles(9, 7);  /* and smaller */
}

/* ---- samples ---- */

/* Central differences over steps that stay within one cell, and outside over any. */
static void gradient_is_the_derivative(void) {
    lt_surface surface = make_sphere(12, sphere_centre, 1.5f);
    lt_distance_grid grid = build_grid(&surface, 16);
    lt_random random = lt_random_seed(12);
    float h = grid.header.cell_size, step = 0.02f * h;
    uint32_t compared = 0;
    for (int i = 0; i < 4000; i++) {
        lt_vec3 p = random_in_grid(&random, &grid.header, 0.5f), gradient;
        float q[3] = {p.x, p.y, p.z}, distance;
        lt_distance_grid_sample(&grid, p, &distance, &gradient);
        for (int axis = 0; axis < 3; axis++) {
            float cell = (q[axis] - grid.header.origin[axis]) / h, in_cell = cell - floorf(cell);
            if (in_cell < 0.05f || in_cell > 0.95f) continue;
            float ends[2];
            for (int side = 0; side < 2; side++) {
                float r[3] = {q[0], q[1], q[2]};
                r[axis] += side ? step : -step;
                lt_distance_grid_sample(&grid, (lt_vec3){r[0], r[1], r[2]}, &ends[side], NULL);
            }
            CHECK_NEAR(lt_v3_get(gradient, axis), (ends[1] - ends[0]) / (2 * step), 2e-3);
            compared++;
        }
        CHECK(lt_v3_length(gradient) < 1.8f);
    }
    CHECK(compared > 8000);
    lt_vec3 gradient;
    float distance;
    lt_distance_grid_sample(&grid, (lt_vec3){-3 + 1.5f, 2, -5}, &distance, &gradient);
    CHECK_NEAR(gradient.x, 1, 0.05);
    lt_distance_grid_free(&grid);
}

static void far_points_get_a_lower_bound(void) {
    lt_surface surface = make_torus(24, 1, 0.4f);
    lt_distance_grid grid = build_grid(&surface, 24);
    lt_random random = lt_random_seed(13);
    for (int i = 0; i < 5000; i++) {
        lt_vec3 p = random_in_grid(&random, &grid.header, i < 2500 ? 0.3f : 20);
        float distance;
        lt_distance_grid_sample(&grid, p, &distance, NULL);
        double exact = torus_exact(p);
        /* Facets lie inside the torus, up to the sag of a 24-gon of radius 1.4; and interpolation blurs. */
        if (exact > 0.5) CHECK(distance <= exact + 0.03 && distance > 0.6 * exact);
    }
    lt_distance_grid_free(&grid);
}

static void no_point_gives_a_nan(void) {
    lt_surface surface = make_box(box_lo, box_hi);
    lt_distance_grid grid = build_grid(&surface, 10);
    static const float values[] = {NAN, INFINITY, -INFINITY, 3.4e38f, -3.4e38f, 1e-45f, -0.0f, -1.5f, 1e19f};
    for (size_t i = 0; i < LT_COUNT_OF(values); i++)
        for (size_t j = 0; j < LT_COUNT_OF(values); j++)
            for (size_t k = 0; k < LT_COUNT_OF(values); k++) {
                float distance;
                lt_vec3 gradient;
                lt_distance_grid_sample(&grid, (lt_vec3){values[i], values[j], values[k]}, &distance,
                                        &gradient);
                CHECK(isfinite(distance) && lt_v3_is_finite(gradient));
            }
    lt_distance_grid_free(&grid);
}

/* ---- bad and open surfaces ---- */

static void degenerate_triangles_do_no_harm(void) {
    soup s = soup_begin();
    soup_add_sphere(&s, 12, sphere_centre, 1.5f, 0xff);
    lt_vec3 p = on_sphere((lt_vec3){1, 2, 3}, sphere_centre, 1.5f);
    lt_vec3 q = on_sphere((lt_vec3){1, 2.2f, 3}, sphere_centre, 1.49f);
    soup_add(&s, p, p, p);
    soup_add(&s, p, q, q);
    soup_add(&s, p, lt_v3_scale(lt_v3_add(p, q), 0.5f), q);
    lt_surface surface = soup_finish(&s);
    lt_distance_grid grid = build_grid(&surface, 30);
    lt_random random = lt_random_seed(14);
    for (int i = 0; i < 3000; i++) {
        lt_vec3 x = random_in_grid(&random, &grid.header, 0);
        float distance;
        lt_distance_grid_sample(&grid, x, &distance, NULL);
        CHECK_NEAR(distance, sphere_exact(x), 0.05);
    }
    lt_distance_grid_free(&grid);
}

/* A sphere without one of its 8 faces. By symmetry the winding number of the rest at the centre is 7/8; on
 * the axis of the hole it falls to 1/2 somewhere in the hole, and is near 0 outside. */
static void open_surfaces_have_an_inside(void) {
    soup s = soup_begin();
    soup_add_sphere(&s, 12, (lt_vec3){0, 0, 0}, 1, 0xfe);
    lt_surface surface = soup_finish(&s);
    lt_distance_grid grid = build_grid(&surface, 20);
    CHECK_COUNT(grid.header.open_edge_count, 3 * 12);
    lt_random random = lt_random_seed(15);
    uint32_t inside = 0;
    for (int i = 0; i < 3000; i++) {
        lt_vec3 x = random_in_grid(&random, &grid.header, 0);
        float distance, radius = lt_v3_length(x);
        lt_distance_grid_sample(&grid, x, &distance, NULL);
        bool before_hole = x.x > -0.2f && x.y > -0.2f && x.z > -0.2f;
        if (radius < 0.93f && !before_hole) CHECK(distance < 0);
        if (radius > 1.07f && !before_hole) CHECK(distance > 0);
        if (x.x + x.y + x.z > 1.74f) CHECK(distance > 0);
        inside += distance < 0;
    }
    CHECK(inside > 500);
    float distance;
    lt_distance_grid_sample(&grid, (lt_vec3){0.02f, 0.03f, 0.01f}, &distance, NULL);
    CHECK_NEAR(distance, -1, 0.1);
    lt_distance_grid_free(&grid);
}

/* Sign at every node against the winding number summed right there. */
static double brute_force_winding(const lt_surface *s, lt_dvec3 p) {
    double sum = 0;
    for (uint32_t i = 0; i < s->vertex_count; i += 3) {
        lt_dvec3 a = lt_d3_sub(lt_d3_from_v3(s->positions[i]), p);
        lt_dvec3 b = lt_d3_sub(lt_d3_from_v3(s->positions[i + 1]), p);
        lt_dvec3 c = lt_d3_sub(lt_d3_from_v3(s->positions[i + 2]), p);
        double la = lt_d3_length(a), lb = lt_d3_length(b), lc = lt_d3_length(c);
        sum += atan2(lt_d3_dot(a, lt_d3_cross(b, c)),
                     la * lb * lc + lt_d3_dot(a, b) * lc + lt_d3_dot(b, c) * la + lt_d3_dot(c, a) * lb);
    }
    return sum / 6.283185307179586;
}

static void check_signs_of_nodes(lt_surface *surface, uint32_t cells) {
    lt_distance_grid grid;
    lt_distance_grid_options options = {.cells = cells, .padding = 1};
    CHECK_FATAL(lt_distance_grid_build(surface, &options, NULL, &grid, NULL) == LT_OK);
    uint32_t wrong = 0;
    for (size_t node = 0; node < lt_distance_grid_value_count(&grid.header); node++) {
        double winding = brute_force_winding(surface, node_position(&grid.header, node));
        float value = grid.values[node];
        bool clear = fabs(winding - 0.5) > 1e-6 && fabsf(value) > 1e-3f * grid.header.cell_size;
        wrong += clear && (value < 0) != (winding > 0.5);
    }
    CHECK_COUNT(wrong, 0);
    lt_distance_grid_free(&grid);
    lt_surface_free(surface);
}

/* Overlapping, nested, turned, open and torn at once: random big triangles between proper spheres. */
static void signs_are_winding_numbers_whatever_the_surface(void) {
    lt_random random = lt_random_seed(16);
    for (int round = 0; round < 4; round++) {
        soup s = soup_begin();
        soup_add_sphere(&s, 4, (lt_vec3){0, 0, 0}, 1, 0xff);
        soup_add_sphere(&s, 3, (lt_vec3){0.5f, 0.1f, -0.2f}, 0.9f, round & 1 ? 0xff : 0x7b);
        soup_add_sphere(&s, 2, (lt_vec3){0.1f, 0, 0.1f}, -0.4f, 0xff);
        for (int i = 0; i < 6 * round; i++) {
            lt_vec3 p[3];
            for (int c = 0; c < 3; c++)
                p[c] = (lt_vec3){lt_random_range(&random, -1, 1), lt_random_range(&random, -1, 1),
                                 lt_random_range(&random, -1, 1)};
            soup_add(&s, p[0], p[1], p[2]);
        }
        lt_surface surface = soup_finish(&s);
        check_signs_of_nodes(&surface, 11);
    }
    lt_surface sheet = make_box((lt_vec3){-1, -1, 0}, (lt_vec3){1, 1, 0.003f}); /* thinner than a cell */
    check_signs_of_nodes(&sheet, 16);
}

/* A box whose top has a sliver of 5e-6 cells along the grid plane x = 0.5: lines in that plane cross only
 * it, and a line that slips through would join inside and outside. */
static void slivers_are_not_slipped_through(void) {
    soup s = soup_begin();
    float d = 3e-7f, x[4] = {0, 0.5f - d, 0.5f + d, 1}, top = 0.8f;
    for (int i = 0; i < 3; i++) {
        soup_add_quad(&s, (lt_vec3){x[i], 0, top}, (lt_vec3){x[i + 1], 0, top}, (lt_vec3){x[i + 1], 1, top},
                      (lt_vec3){x[i], 1, top});
        soup_add_quad(&s, (lt_vec3){x[i], 0, 0}, (lt_vec3){x[i], 1, 0}, (lt_vec3){x[i + 1], 1, 0},
                      (lt_vec3){x[i + 1], 0, 0});
        soup_add_quad(&s, (lt_vec3){x[i], 0, 0}, (lt_vec3){x[i + 1], 0, 0}, (lt_vec3){x[i + 1], 0, top},
                      (lt_vec3){x[i], 0, top});
        soup_add_quad(&s, (lt_vec3){x[i], 1, 0}, (lt_vec3){x[i], 1, top}, (lt_vec3){x[i + 1], 1, top},
                      (lt_vec3){x[i + 1], 1, 0});
    }
    soup_add_quad(&s, (lt_vec3){0, 0, 0}, (lt_vec3){0, 0, top}, (lt_vec3){0, 1, top}, (lt_vec3){0, 1, 0});
    soup_add_quad(&s, (lt_vec3){1, 0, 0}, (lt_vec3){1, 1, 0}, (lt_vec3){1, 1, top}, (lt_vec3){1, 0, top});
    lt_surface surface = soup_finish(&s);
    CHECK_NEAR(lt_surface_volume(&surface), 0.8, 1e-6);
    check_signs_of_nodes(&surface, 8);
}

static void unusable_surfaces_are_refused(void) {
    lt_error error;
    lt_distance_grid grid;
    lt_surface empty = {0};
    CHECK(lt_distance_grid_build(&empty, NULL, NULL, &grid, &error) == LT_STATUS_INVALID);
    lt_surface point = make_box((lt_vec3){1, 1, 1}, (lt_vec3){1, 1, 1});
    CHECK(lt_distance_grid_build(&point, NULL, NULL, &grid, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "size 0");
    lt_surface_free(&point);
    lt_surface far = make_box((lt_vec3){1e7f, 0, 0}, (lt_vec3){1e7f + 4, 4, 4});
    CHECK(lt_distance_grid_build(&far, NULL, NULL, &grid, &error) == LT_STATUS_INVALID);
    CHECK(grid.values == NULL);
    lt_surface_free(&far);
    lt_surface box = make_box(box_lo, box_hi);
    lt_distance_grid_options options = {.cells = 5000};
    CHECK(lt_distance_grid_build(&box, &options, NULL, &grid, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "5000 cells");
    lt_surface_free(&box);
    soup s = soup_begin();
    for (int i = 0; i < 4000; i++)
        soup_add(&s, (lt_vec3){(float)i, 0, 0}, (lt_vec3){(float)i, 400, 0}, (lt_vec3){(float)i, 0, 4000});
    lt_surface blinds = soup_finish(&s);
    CHECK(lt_distance_grid_build(&blinds, NULL, NULL, &grid, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "12000 open edges");
    lt_surface_free(&blinds);
}

static void flat_surfaces_are_possible(void) {
    soup s = soup_begin();
    soup_add(&s, (lt_vec3){0, 0, 0}, (lt_vec3){1, 0, 0}, (lt_vec3){0, 1, 0});
    lt_surface surface = soup_finish(&s);
    lt_distance_grid grid = build_grid(&surface, 20);
    float distance;
    lt_distance_grid_sample(&grid, (lt_vec3){0.25f, 0.25f, 0.1f}, &distance, NULL);
    CHECK_NEAR(distance, 0.1, 1e-6);
    lt_distance_grid_sample(&grid, (lt_vec3){0.25f, 0.25f, -0.1f}, &distance, NULL);
    CHECK_NEAR(fabsf(distance), 0.1, 1e-6);
    lt_distance_grid_free(&grid);
}

static void views_are_checked(void) {
    lt_surface surface = make_box(box_lo, box_hi);
    lt_distance_grid grid = build_grid(&surface, 10), view;
    lt_error error;
    uint64_t count = lt_distance_grid_value_count(&grid.header);
    CHECK(sizeof(lt_distance_grid_header) == 32);
    CHECK(lt_distance_grid_view(&grid.header, grid.values, count, "x", &view, &error) == LT_OK);
    float a, b;
    lt_distance_grid_sample(&grid, (lt_vec3){-1.2f, 0.3f, 0.1f}, &a, NULL);
    lt_distance_grid_sample(&view, (lt_vec3){-1.2f, 0.3f, 0.1f}, &b, NULL);
    CHECK(a == b && a < 0);
    lt_distance_grid_free(&view);
    CHECK(lt_distance_grid_view(&grid.header, grid.values, count - 1, "x", &view, &error) ==
          LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "x: a distance grid");
    lt_distance_grid_header bad = grid.header;
    bad.size[1] = 1;
    CHECK(lt_distance_grid_view(&bad, grid.values, count, "x", &view, &error) == LT_STATUS_INVALID);
    bad = grid.header;
    bad.cell_size = NAN;
    CHECK(lt_distance_grid_view(&bad, grid.values, count, "x", &view, &error) == LT_STATUS_INVALID);
    grid.owned[count / 2] = NAN;
    CHECK(lt_distance_grid_view(&grid.header, grid.values, count, "x", &view, &error) == LT_STATUS_INVALID);
    lt_distance_grid_free(&grid);
}

static void refused_memory_leaks_nothing(void) {
    soup s = soup_begin();
    soup_add_sphere(&s, 2, (lt_vec3){0, 0, 0}, 1, 0xfe);
    lt_surface surface = soup_finish(&s);
    lt_distance_grid_options options = {.cells = 4};
    lt_status status = LT_STATUS_MEMORY;
    int allowed = 0;
    for (; status != LT_OK && allowed < 50; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_distance_grid grid;
        status = lt_distance_grid_build(&surface, &options, &allocator, &grid, NULL);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && grid.values == NULL && f.blocks_out == 0));
        lt_distance_grid_free(&grid);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(status == LT_OK && allowed > 8);
    lt_surface_free(&surface);
}

int main(void) {
    RUN(sphere_matches_its_closed_form);
    RUN(box_matches_its_closed_form);
    RUN(torus_matches_its_closed_form);
    RUN(nodes_know_their_closest_triangle);
    RUN(gradient_is_the_derivative);
    RUN(far_points_get_a_lower_bound);
    RUN(no_point_gives_a_nan);
    RUN(degenerate_triangles_do_no_harm);
    RUN(open_surfaces_have_an_inside);
    RUN(signs_are_winding_numbers_whatever_the_surface);
    RUN(slivers_are_not_slipped_through);
    RUN(unusable_surfaces_are_refused);
    RUN(flat_surfaces_are_possible);
    RUN(views_are_checked);
    RUN(refused_memory_leaks_nothing);
    return check_finish();
}
