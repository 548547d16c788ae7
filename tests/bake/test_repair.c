/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "check.h"

#include "bake/icosahedral.h"
#include "bake/repair_checks.h"
#include "failing_allocator.h"
#include "mesh/exact.h"
#include "mesh/shapes.h"
#include "scenes/generate.h"

/* Repairs and frees the surface given; false, with the failure counted, when it was refused. */
static bool repair_and_free(lt_surface *in, lt_surface *out, lt_repair_report *report) {
    lt_error error = {0};
    lt_status status = lt_repair(in, out, report, NULL, &error);
    CHECK(status == LT_OK);
    if (status != LT_OK) fprintf(stderr, "%s\n", error.message);
    lt_surface_free(in);
    return status == LT_OK;
}

static void free_both(lt_surface *surface, lt_repair_report *report) {
    lt_surface_free(surface);
    lt_repair_report_free(report);
}

/* ---- what is mended ---- */

static void clean_surfaces_stay_as_they_are(void) {
    lt_surface shapes[] = {box_surface(), icosahedron_surface(), torus_surface(12)};
    for (size_t i = 0; i < LT_COUNT_OF(shapes); i++) {
        lt_surface in = copy_with_room(&shapes[i], 0, 0), out;
        lt_repair_report report;
        if (repair_and_free(&in, &out, &report)) {
            CHECK(same_surface(&out, &shapes[i]));
            for (int kind = 0; kind < LT_REPAIR_KIND_COUNT; kind++)
                CHECK_COUNT(report.findings[kind].count, kind == LT_REPAIR_COMPONENT);
            CHECK(report.is_closed && report.is_oriented && !report.crossings_cut_short);
            for (uint32_t t = 0; t < out.triangle_count; t++)
                CHECK_COUNT(report.source_triangles[t], t);
            for (uint32_t v = 0; v < out.vertex_count; v++)
                CHECK_COUNT(report.source_vertices[v], v);
            free_both(&out, &report);
        }
        lt_surface_free(&shapes[i]);
    }
}

/* Every triangle with corners of its own: 36 vertices, 28 too many; the fourth, corner 0 of triangle 1, is
 * the first that is in a place seen before. Zeros of both signs: the box moved by 2 has them. */
static void soup_is_welded(void) {
    lt_surface box = box_surface(), soup, out;
    lt_repair_report report;
    CHECK_FATAL(lt_surface_allocate(&soup, 36, 12, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < 36; i++) {
        lt_vec3 p = box.positions[box.triangles[i]];
        soup.positions[i] = (lt_vec3){p.x < 0 ? (i % 2 ? -0.0f : 0.0f) : 4, p.y, p.z};
        soup.triangles[i] = i;
    }
    if (repair_and_free(&soup, &out, &report)) {
        CHECK_COUNT(out.vertex_count, 8);
        CHECK_COUNT(out.triangle_count, 12);
        CHECK_FOUND(&report, WELDED, 28, 3);
        CHECK(report.is_closed && report.is_oriented);
        CHECK_NEAR(lt_surface_volume(&out), 64, 1e-4);
        CHECK_COUNT(report.source_vertices[2], 2);
        CHECK_COUNT(report.source_vertices[3], 5); /* corners 3 and 4 are those of 0 and 2 */
        free_both(&out, &report);
    }
    lt_surface_free(&box);
}

/* Triangle 12 names a vertex twice, 13 two vertices in one place, 14 is on a line exactly; 15 is off the line
 * by the last bit and stays. */
static void triangles_without_area_go(void) {
    lt_surface box = box_surface(), in = copy_with_room(&box, 5, 4), out;
    lt_repair_report report;
    static const uint32_t more[12] = {0, 1, 1, 0, 1, 8, 9, 10, 11, 9, 10, 12};
    const lt_vec3 points[5] = {
        box.positions[1], {10, 10, 10}, {11, 11, 11}, {17, 17, 17}, {17, 17, nextafterf(17, 18)}};
    memcpy(in.triangles + 36, more, sizeof more);
    memcpy(in.positions + 8, points, sizeof points);
    if (repair_and_free(&in, &out, &report)) {
        CHECK_FOUND(&report, DEGENERATE, 3, 12);
        CHECK_FOUND(&report, WELDED, 1, 8);
        CHECK_FOUND(&report, UNUSED, 1, 11);
        CHECK_COUNT(out.triangle_count, 13);
        CHECK_COUNT(out.vertex_count, 11);
        CHECK_COUNT(report.source_triangles[12], 15);
        CHECK_COUNT(report.source_vertices[8], 9);
        free_both(&out, &report);
    }
    lt_surface_free(&box);
}

/* Triangles 12 and 13 repeat triangle 5, turned round and the other way round; 14 repeats triangle 0. */
static void duplicates_go_whatever_their_orientation(void) {
    lt_surface box = box_surface(), in = copy_with_room(&box, 0, 3), out;
    lt_repair_report report;
    for (uint32_t k = 0; k < 3; k++) {
        in.triangles[36 + k] = box.triangles[15 + (k + 1) % 3];
        in.triangles[39 + k] = box.triangles[15 + 2 - k];
        in.triangles[42 + k] = box.triangles[k];
    }
    if (repair_and_free(&in, &out, &report)) {
        CHECK(same_surface(&out, &box));
        CHECK_FOUND(&report, DUPLICATE, 3, 12);
        CHECK_FOUND(&report, OPPOSITE, 1, 13);
        CHECK_COUNT(count_found(&report, LT_REPAIR_FLIPPED), 0);
        free_both(&out, &report);
    }
    lt_surface_free(&box);
}

static void unused_vertices_go(void) {
    lt_surface box = box_surface(), in = copy_with_room(&box, 2, 0), out;
    lt_repair_report report;
    memmove(in.positions + 4, in.positions + 3, 5 * sizeof(lt_vec3)); /* an unused one at 3, one at 9 */
    in.positions[3] = (lt_vec3){9, 9, 9};
    in.positions[9] = (lt_vec3){9, 9, 9};
    for (uint32_t i = 0; i < 36; i++)
        in.triangles[i] += in.triangles[i] >= 3;
    if (repair_and_free(&in, &out, &report)) {
        CHECK(same_surface(&out, &box));
        CHECK_FOUND(&report, UNUSED, 1, 3);
        CHECK_FOUND(&report, WELDED, 1, 9);
        CHECK_COUNT(report.source_vertices[3], 4);
        free_both(&out, &report);
    }
    lt_surface_free(&box);
}

/* ---- orientation ---- */

static void the_minority_is_flipped(void) {
    lt_surface box = box_surface(), in = copy_with_room(&box, 0, 0), out;
    lt_repair_report report;
    turn_triangle(&in, 4);
    turn_triangle(&in, 7);
    if (repair_and_free(&in, &out, &report)) {
        CHECK_FOUND(&report, FLIPPED, 2, 4);
        CHECK_COUNT(count_found(&report, LT_REPAIR_TURNED), 0);
        CHECK(report.is_oriented);
        CHECK_NEAR(lt_surface_volume(&out), 64, 1e-9);
        free_both(&out, &report);
    }
    lt_surface_free(&box);
}

/* Inside out but for one triangle: that one is the minority, then all are turned; it has come full circle. */
static void surfaces_inside_out_are_turned(void) {
    lt_surface box = box_surface(), in = copy_with_room(&box, 0, 0), out;
    lt_repair_report report;
    turn_all(&in);
    turn_triangle(&in, 0);
    if (repair_and_free(&in, &out, &report)) {
        CHECK(same_surface(&out, &box));
        CHECK_FOUND(&report, TURNED, 1, 0);
        CHECK_FOUND(&report, FLIPPED, 11, 1);
        free_both(&out, &report);
    }
    lt_surface_free(&box);
}

/* Boxes of sides 4, 2 and 1 in each other, every combination of signs given, and what is right. */
static void cavities_stay_and_solids_are_turned(void) {
    static const struct {
        int given[3], right[3];
    } rows[] = {
        {{1, 1, 1}, {1, 1, 1}},    {{1, -1, 1}, {1, -1, 1}},   {{1, -1, -1}, {1, -1, 1}},
        {{-1, -1, 1}, {1, -1, 1}}, {{-1, -1, -1}, {1, -1, 1}}, {{1, 1, -1}, {1, 1, -1}},
        {{-1, 1, 1}, {1, 1, 1}},   {{-1, 1, -1}, {1, 1, -1}},
    };
    for (size_t row = 0; row < LT_COUNT_OF(rows); row++) {
        lt_surface boxes[3] = {box_surface(), box_surface(), box_surface()}, out;
        double volume = 0;
        uint32_t turned = 0, cavities = 0;
        for (int i = 0; i < 3; i++) {
            if (rows[row].given[i] < 0) turn_all(&boxes[i]);
            turned += rows[row].given[i] != rows[row].right[i];
            cavities += rows[row].right[i] < 0;
            volume += rows[row].right[i] * 64 / (double)(1 << 3 * i);
        }
        /* The smallest first, so that the order of the input is not that of the nesting. */
        lt_surface two = join_surfaces(boxes[2], boxes[1], 2, (lt_vec3){0, 0, 0});
        lt_surface in = join_surfaces(boxes[0], two, 0.25f, (lt_vec3){0, 0, 0});
        lt_repair_report report;
        if (!repair_and_free(&in, &out, &report)) continue;
        CHECK_COUNT(count_found(&report, LT_REPAIR_TURNED), turned);
        CHECK_COUNT(count_found(&report, LT_REPAIR_CAVITY), cavities);
        CHECK_COUNT(count_found(&report, LT_REPAIR_FLIPPED), 12 * turned);
        CHECK_COUNT(count_found(&report, LT_REPAIR_COMPONENT), 3);
        CHECK_NEAR(lt_surface_volume(&out), volume, 1e-4);
        free_both(&out, &report);
    }
}

/* 700 boxes in each other, all inside out: half are cavities, until there were too many crossings. */
static void shells_by_the_hundred_come_to_an_end(void) {
    enum { COUNT = 700 };
    lt_surface box = box_surface(), in, out;
    lt_repair_report report;
    CHECK_FATAL(lt_surface_allocate(&in, 8 * COUNT, 12 * COUNT, NULL, NULL) == LT_OK);
    turn_all(&box);
    for (uint32_t i = 0; i < 8 * COUNT; i++)
        in.positions[i] = lt_v3_scale(box.positions[i % 8], 1 + (float)(i / 8));
    for (uint32_t i = 0; i < 36 * COUNT; i++)
        in.triangles[i] = box.triangles[i % 36] + i / 36 * 8;
    if (repair_and_free(&in, &out, &report)) {
        uint32_t turned = count_found(&report, LT_REPAIR_TURNED);
        CHECK_COUNT(turned + count_found(&report, LT_REPAIR_CAVITY), COUNT);
        CHECK(turned > COUNT / 2 && turned < COUNT * 3 / 4);
        CHECK_COUNT(report.findings[LT_REPAIR_TURNED].first[0],
                    0); /* the innermost, the last one looked at */
        CHECK(report.is_closed && report.is_oriented);
        free_both(&out, &report);
    }
    lt_surface_free(&box);
}

/* Beside each other, nothing is a cavity, though one box is in the other's shadow. */
static void pieces_beside_each_other_are_turned(void) {
    lt_surface first = box_surface(), second = box_surface(), out;
    lt_repair_report report;
    turn_all(&second);
    lt_surface in = join_surfaces(first, second, 0.5f, (lt_vec3){-5, 0, 0});
    if (repair_and_free(&in, &out, &report)) {
        CHECK_FOUND(&report, TURNED, 1, 12);
        CHECK_COUNT(count_found(&report, LT_REPAIR_CAVITY), 0);
        CHECK_NEAR(lt_surface_volume(&out), 72, 1e-4);
        free_both(&out, &report);
    }
}

/* A box without its top is nearly a solid and is turned; a sheet, here a flat roof of side 10 and height 1
 * that faces down, is none and is not. */
static void open_pieces_are_turned_when_there_is_no_doubt(void) {
    lt_surface in = box_surface(), out;
    lt_repair_report report;
    turn_all(&in);
    drop_triangle(&in, 7);
    drop_triangle(&in, 6);
    if (repair_and_free(&in, &out, &report)) {
        CHECK_FOUND(&report, TURNED, 1, 0);
        CHECK_FOUND(&report, HOLE, 1, 2);
        CHECK(lt_surface_volume(&out) > 0);
        free_both(&out, &report);
    }
    static const int points[5][3] = {{0, 0, 5}, {10, 0, 5}, {10, 10, 5}, {0, 10, 5}, {5, 5, 6}};
    static const uint32_t roof[4][3] = {{1, 0, 4}, {2, 1, 4}, {3, 2, 4}, {0, 3, 4}};
    lt_surface sheet = surface_from(points, 5, roof, 4);
    in = copy_with_room(&sheet, 0, 0);
    if (repair_and_free(&in, &out, &report)) {
        CHECK(same_surface(&out, &sheet));
        CHECK_FOUND(&report, BOUNDARY, 4, 0);
        free_both(&out, &report);
    }
    lt_surface_free(&sheet);
}

/* Five triangles in a strip with a half turn. */
static void moebius_strips_are_left(void) {
    static const int points[5][3] = {{0, 0, 0}, {4, 0, 1}, {6, 3, 0}, {2, 6, 2}, {-2, 3, 1}};
    static const uint32_t strip[5][3] = {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 0}, {4, 0, 1}};
    lt_surface moebius = surface_from(points, 5, strip, 5), in = copy_with_room(&moebius, 0, 0), out;
    lt_repair_report report;
    if (repair_and_free(&in, &out, &report)) {
        CHECK(same_surface(&out, &moebius));
        CHECK_FOUND(&report, UNORIENTABLE, 1, 0);
        CHECK_FOUND(&report, HOLE, 1, 0);
        CHECK_COUNT(report.holes[0].edge_count, 5);
        CHECK(!report.is_oriented);
        free_both(&out, &report);
    }
    lt_surface_free(&moebius);
}

/* ---- what is only reported ---- */

static void check_holes(uint32_t first_dropped, uint32_t second_dropped, uint32_t hole_count,
                        uint32_t first_edge_count) {
    lt_surface in = box_surface(), out;
    lt_repair_report report;
    drop_triangle(&in, second_dropped);
    drop_triangle(&in, first_dropped);
    if (!repair_and_free(&in, &out, &report)) return;
    CHECK_COUNT(count_found(&report, LT_REPAIR_HOLE), hole_count);
    CHECK_COUNT(report.hole_count, hole_count);
    CHECK_COUNT(report.holes[0].edge_count, first_edge_count);
    uint32_t edges = 0;
    for (uint32_t i = 0; i < report.hole_count; i++)
        edges += report.holes[i].edge_count;
    CHECK_COUNT(count_found(&report, LT_REPAIR_BOUNDARY), edges);
    CHECK_COUNT(report.findings[LT_REPAIR_HOLE].first[0], report.holes[0].edge[0]);
    CHECK_COUNT(report.findings[LT_REPAIR_HOLE].first[1], report.holes[0].edge[1]);
    CHECK(!report.is_closed && report.is_oriented);
    free_both(&out, &report);
}

/* Triangles 0 and 1 share an edge; 0 (0 2 3) and 4 (0 1 5) only vertex 0, where the boundary
 * crosses from one to the other; 0 and 11 (1 7 5) nothing. */
static void holes_are_counted_each(void) {
    check_holes(0, 1, 1, 4);
    check_holes(0, 4, 1, 6);
    check_holes(0, 11, 2, 3);
}

/* Two tets on one edge (0 1), and two that touch in vertex 0 alone. */
static void overfull_edges_and_pinches_are_named(void) {
    static const int points[7][3] = {{0, 0, 0},  {0, 0, 4},   {4, 0, 0},  {4, 4, 0},
                                     {-4, 0, 0}, {-4, -4, 0}, {-4, 0, -4}};
    static const uint32_t on_edge[8][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2},
                                           {0, 1, 4}, {0, 5, 1}, {0, 4, 5}, {1, 5, 4}};
    static const uint32_t in_vertex[8][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2},
                                             {0, 6, 4}, {0, 5, 6}, {0, 4, 5}, {6, 5, 4}};
    lt_surface in = surface_from(points, 7, on_edge, 8), out;
    lt_repair_report report;
    if (repair_and_free(&in, &out, &report)) {
        CHECK_FOUND(&report, OVERFULL, 1, 0);
        CHECK_COUNT(report.findings[LT_REPAIR_OVERFULL].first[1], 1);
        CHECK_COUNT(count_found(&report, LT_REPAIR_PINCH), 0);
        CHECK_COUNT(count_found(&report, LT_REPAIR_HOLE), 0);
        CHECK_COUNT(count_found(&report, LT_REPAIR_COMPONENT), 1);
        CHECK(report.is_closed && report.is_oriented);
        CHECK_NEAR(lt_surface_volume(&out), 64.0 / 6 * 2, 1e-9); /* both outwards, however they came */
        free_both(&out, &report);
    }
    in = surface_from(points, 7, in_vertex, 8);
    if (repair_and_free(&in, &out, &report)) {
        CHECK_FOUND(&report, PINCH, 1, 0);
        CHECK_COUNT(count_found(&report, LT_REPAIR_OVERFULL), 0);
        free_both(&out, &report);
    }
}

static uint32_t count_crossings_of_all_pairs(const lt_surface *s, uint32_t first[2]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->triangle_count; i++)
        for (uint32_t j = i + 1; j < s->triangle_count; j++) {
            lt_dvec3 a[3], b[3];
            bool share = false;
            for (int k = 0; k < 9; k++)
                share |= lt_triangle_at(s, i)[k / 3] == lt_triangle_at(s, j)[k % 3];
            for (int k = 0; k < 3; k++) {
                a[k] = lt_d3_from_v3(s->positions[lt_triangle_at(s, i)[k]]);
                b[k] = lt_d3_from_v3(s->positions[lt_triangle_at(s, j)[k]]);
            }
            if (share || !lt_exact_triangle_triangle(a, b)) continue;
            if (count++ > 0) continue;
            first[0] = i;
            first[1] = j;
        }
    return count;
}

/* Random triangles on a coarse grid of points: touching and coplanar pairs among them. */
static void crossings_agree_with_all_pairs(void) {
    lt_random random = lt_random_seed(8);
    for (int round = 0; round < 30; round++) {
        lt_surface in, out;
        CHECK_FATAL(lt_surface_allocate(&in, 120, 60, NULL, NULL) == LT_OK);
        for (uint32_t i = 0; i < 120; i++)
            in.positions[i] =
                (lt_vec3){(float)lt_random_below(&random, 20), (float)lt_random_below(&random, 20),
                          (float)lt_random_below(&random, round % 2 ? 20 : 2)};
        for (uint32_t i = 0; i < 180; i++)
            in.triangles[i] = lt_random_below(&random, 120);
        lt_repair_report report;
        if (!repair_and_free(&in, &out, &report)) continue;
        uint32_t first[2] = {LT_NONE, LT_NONE};
        uint32_t count = count_crossings_of_all_pairs(&out, first);
        CHECK_COUNT(count_found(&report, LT_REPAIR_CROSSING), count);
        CHECK_COUNT(report.findings[LT_REPAIR_CROSSING].first[0], first[0]);
        CHECK_COUNT(report.findings[LT_REPAIR_CROSSING].first[1], first[1]);
        CHECK(!report.crossings_cut_short);
        free_both(&out, &report);
    }
}

/* 8,000 triangles in one place, each crossing nearly all others: the search must end. */
static void crossings_without_end_are_cut_short(void) {
    enum { COUNT = 8000 };
    lt_random random = lt_random_seed(5);
    lt_surface in, out;
    CHECK_FATAL(lt_surface_allocate(&in, 3 * COUNT, COUNT, NULL, NULL) == LT_OK);
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        in.positions[i] =
            (lt_vec3){lt_random_unit(&random), lt_random_unit(&random), lt_random_unit(&random)};
        in.triangles[i] = i;
    }
    lt_repair_report report;
    if (!repair_and_free(&in, &out, &report)) return;
    CHECK(report.crossings_cut_short);
    CHECK(count_found(&report, LT_REPAIR_CROSSING) > 100000);
    free_both(&out, &report);
}

/* ---- properties ---- */

/* Adds dirt that repair must undo: split vertices, repeated, flipped and degenerate triangles, unused
 * vertices. */
static lt_surface make_dirty(const lt_surface *clean, lt_random *random, uint32_t dirt) {
    lt_surface s = copy_with_room(clean, 2 * dirt, 2 * dirt);
    uint32_t vertices = clean->vertex_count, triangles = clean->triangle_count;
    for (uint32_t i = 0; i < 2 * dirt; i++) {
        uint32_t corner = lt_random_below(random, 3 * triangles);
        s.positions[vertices] = s.positions[s.triangles[corner]];
        if (i % 2) s.triangles[corner] = vertices; /* else it stays unused */
        vertices++;
    }
    for (uint32_t i = 0; i < dirt; i++) {
        uint32_t source = lt_random_below(random, triangles), turn = lt_random_below(random, 6);
        uint32_t *twin = s.triangles + 3 * (size_t)(triangles + i);
        for (uint32_t k = 0; k < 3; k++)
            twin[k] = s.triangles[3 * (size_t)source + (turn < 3 ? turn + k : turn + 3 - k) % 3];
        uint32_t *flat = s.triangles + 3 * (size_t)(triangles + dirt + i);
        flat[0] = flat[1] = twin[0];
        flat[2] = lt_random_below(random, vertices);
    }
    for (uint32_t i = 0; i < dirt; i++)
        turn_triangle(&s, lt_random_below(random, triangles));
    return s;
}

static void check_sources(const lt_surface *in, const lt_surface *out, const lt_repair_report *report) {
    bool right = true;
    for (uint32_t t = 0; t < out->triangle_count; t++) {
        right = right && (t == 0 || report->source_triangles[t] > report->source_triangles[t - 1]);
        const uint32_t *source = lt_triangle_at(in, report->source_triangles[t]);
        for (int k = 0; k < 3; k++) {
            lt_vec3 p = out->positions[lt_triangle_at(out, t)[k]];
            bool found = false;
            for (int j = 0; j < 3; j++)
                found |= memcmp(&p, &in->positions[source[j]], sizeof p) == 0;
            right = right && found;
        }
    }
    for (uint32_t v = 0; v < out->vertex_count; v++)
        right = right &&
                memcmp(&out->positions[v], &in->positions[report->source_vertices[v]], sizeof(lt_vec3)) == 0;
    CHECK(right);
}

static void check_dirty(lt_surface *clean, uint64_t seed) {
    lt_random random = lt_random_seed(seed);
    uint32_t dirt = clean->triangle_count / 20;
    lt_surface dirty = make_dirty(clean, &random, dirt), out, again;
    lt_repair_report report, second;
    lt_error error;
    CHECK_FATAL(lt_repair(&dirty, &out, &report, NULL, &error) == LT_OK);
    CHECK_COUNT(out.triangle_count, clean->triangle_count);
    CHECK_COUNT(out.vertex_count, clean->vertex_count);
    CHECK_COUNT(count_found(&report, LT_REPAIR_DEGENERATE), dirt);
    CHECK_COUNT(count_found(&report, LT_REPAIR_DUPLICATE), dirt);
    CHECK_COUNT(count_found(&report, LT_REPAIR_WELDED), 2 * dirt);
    CHECK(count_found(&report, LT_REPAIR_FLIPPED) > 0 && count_found(&report, LT_REPAIR_FLIPPED) <= dirt);
    CHECK(report.is_closed && report.is_oriented);
    CHECK_NEAR(lt_surface_volume(&out), lt_surface_volume(clean), 1e-9);
    CHECK_NEAR(lt_surface_area(&out), lt_surface_area(clean), 1e-9);
    check_sources(&dirty, &out, &report);
    CHECK_FATAL(lt_repair(&out, &again, &second, NULL, &error) == LT_OK);
    CHECK(same_surface(&out, &again));
    for (int kind = 0; kind < LT_REPAIR_KIND_COUNT; kind++)
        CHECK_COUNT(second.findings[kind].count, kind <= LT_REPAIR_TURNED ? 0 : report.findings[kind].count);
    free_both(&out, &report);
    free_both(&again, &second);
    lt_surface_free(&dirty);
    lt_surface_free(clean);
}

static void dirt_on_generated_shapes_is_undone(void) {
    lt_surface s;
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    knot.triangle_count = 2000;
    CHECK_FATAL(lt_generate_icosphere(&s, 1.0, 3, NULL, NULL) == LT_OK);
    check_dirty(&s, 1);
    CHECK_FATAL(lt_generate_torus_knot(&s, &knot, NULL, NULL) == LT_OK);
    check_dirty(&s, 2);
    CHECK_FATAL(lt_generate_letter(&s, 'B', 1500, NULL, NULL) == LT_OK);
    check_dirty(&s, 3);
    CHECK_FATAL(lt_generate_torus(&s, 1.0, 0.3, 24, NULL, NULL) == LT_OK);
    check_dirty(&s, 4);
}

/* Random soups: whatever comes out, repairing it again changes nothing but the counts of what is gone. */
static void repairing_twice_changes_nothing(void) {
    lt_random random = lt_random_seed(11);
    for (int round = 0; round < 60; round++) {
        lt_surface in, once, twice;
        uint32_t vertices = 4 + lt_random_below(&random, 30), side = 2 + lt_random_below(&random, 6);
        CHECK_FATAL(lt_surface_allocate(&in, vertices, 60, NULL, NULL) == LT_OK);
        for (uint32_t i = 0; i < vertices; i++)
            in.positions[i] =
                (lt_vec3){(float)lt_random_below(&random, side), (float)lt_random_below(&random, side),
                          (float)lt_random_below(&random, side)};
        for (uint32_t i = 0; i < 180; i++)
            in.triangles[i] = lt_random_below(&random, vertices);
        lt_repair_report first, second;
        lt_status status = lt_repair(&in, &once, &first, NULL, NULL);
        lt_surface_free(&in);
        if (status != LT_OK) continue;
        CHECK_FATAL(lt_repair(&once, &twice, &second, NULL, NULL) == LT_OK);
        CHECK(same_surface(&once, &twice));
        for (int kind = LT_REPAIR_CAVITY; kind < LT_REPAIR_KIND_COUNT; kind++)
            CHECK_COUNT(second.findings[kind].count, first.findings[kind].count);
        free_both(&once, &first);
        free_both(&twice, &second);
    }
}

/* ---- refusals ---- */

static void nothing_left_is_refused_with_the_reason(void) {
    static const int line[3][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    static const uint32_t both[2][3] = {{0, 1, 2}, {1, 1, 2}};
    lt_surface in = surface_from(line, 3, both, 2), out;
    lt_repair_report report;
    lt_error error = {0};
    CHECK(lt_repair(&in, &out, &report, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "no triangle is left after repair: all 2");
    CHECK_CONTAINS(error.message, "triangle 0");
    CHECK(out.positions == NULL && out.triangle_count == 0 && report.holes == NULL);
    in.triangles[4] = 7;
    CHECK(lt_repair(&in, &out, &report, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "triangle 1: vertex index 7");
    in.triangles[4] = 0;
    in.positions[2].y = INFINITY;
    CHECK(lt_repair(&in, &out, NULL, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "vertex 2");
    lt_surface_free(&in);
}

static void failing_memory_is_survived(void) {
    lt_surface first = box_surface(), second = box_surface(), out;
    turn_all(&second);
    lt_surface in = join_surfaces(first, second, 0.5f, (lt_vec3){0, 0, 0});
    drop_triangle(&in, 20);
    lt_status status = LT_STATUS_MEMORY;
    int allowed = 0;
    for (; status == LT_STATUS_MEMORY && allowed < 200; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_repair_report report;
        lt_error error = {0};
        status = lt_repair(&in, &out, &report, &allocator, &error);
        CHECK(status == LT_OK || error.message[0] != 0);
        CHECK(status == LT_OK || (out.positions == NULL && report.source_triangles == NULL));
        free_both(&out, &report);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(status == LT_OK && allowed > 20);
    lt_surface_free(&in);
}

int main(void) {
    RUN(clean_surfaces_stay_as_they_are);
    RUN(soup_is_welded);
    RUN(triangles_without_area_go);
    RUN(duplicates_go_whatever_their_orientation);
    RUN(unused_vertices_go);
    RUN(the_minority_is_flipped);
    RUN(surfaces_inside_out_are_turned);
    RUN(cavities_stay_and_solids_are_turned);
    RUN(shells_by_the_hundred_come_to_an_end);
    RUN(pieces_beside_each_other_are_turned);
    RUN(open_pieces_are_turned_when_there_is_no_doubt);
    RUN(moebius_strips_are_left);
    RUN(holes_are_counted_each);
    RUN(overfull_edges_and_pinches_are_named);
    RUN(crossings_agree_with_all_pairs);
    RUN(crossings_without_end_are_cut_short);
    RUN(dirt_on_generated_shapes_is_undone);
    RUN(repairing_twice_changes_nothing);
    RUN(nothing_left_is_refused_with_the_reason);
    RUN(failing_memory_is_survived);
    return check_finish();
}
