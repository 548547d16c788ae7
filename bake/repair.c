/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/repair_internal.h"
#include "mesh/exact.h"
#include "mesh/weld.h"

/* What passes from step to step. */
typedef struct repair {
    const lt_surface *in;
    lt_surface *out;
    lt_repair_report *report;
    const lt_allocator *allocator;
    uint32_t *vertex_of; /* [in->vertex_count] the vertex that stands for it */
    uint32_t *number_of; /* [in->vertex_count] of those that stand, their number in `out` */
    uint32_t *kept;     /* [in->triangle_count] the first kept_count are the triangles that stay, ascending */
    uint32_t *first_of; /* [in->triangle_count] */
    uint32_t (*keys)[3]; /* [in->triangle_count] the corners of a kept triangle, ascending */
    uint32_t kept_count;
} repair;

const char *lt_repair_kind_text(lt_repair_kind kind) {
    static const char *const texts[] = {
#define KIND_TEXT(name, text, element) text,
        LT_REPAIR_FINDINGS(KIND_TEXT)
#undef KIND_TEXT
    };
    LT_ASSERT(kind < LT_REPAIR_KIND_COUNT);
    return texts[kind];
}

const char *lt_repair_kind_element(lt_repair_kind kind) {
    static const char *const elements[] = {
#define KIND_ELEMENT(name, text, element) element,
        LT_REPAIR_FINDINGS(KIND_ELEMENT)
#undef KIND_ELEMENT
    };
    LT_ASSERT(kind < LT_REPAIR_KIND_COUNT);
    return elements[kind];
}

lt_repair_report lt_repair_report_make(const lt_allocator *allocator) {
    lt_repair_report report = {.allocator = allocator ? *allocator : lt_allocator_default()};
    for (int i = 0; i < LT_REPAIR_KIND_COUNT; i++)
        report.findings[i] = (lt_repair_finding){0, {LT_NONE, LT_NONE}};
    return report;
}

void lt_repair_report_free(lt_repair_report *report) {
    LT_DELETE(&report->allocator, report->source_triangles, report->triangle_count, uint32_t);
    LT_DELETE(&report->allocator, report->source_vertices, report->vertex_count, uint32_t);
    LT_DELETE(&report->allocator, report->holes, report->hole_count, lt_repair_hole);
    *report = (lt_repair_report){0};
}

/* ---- weld ---- */

static bool weld(repair *r) {
    if (!lt_weld_positions(r->vertex_of, r->in->positions, r->in->vertex_count, r->allocator)) return false;
    for (uint32_t i = 0; i < r->in->vertex_count; i++)
        if (r->vertex_of[i] != i) lt_repair_count(r->report, LT_REPAIR_WELDED, i, LT_NONE);
    return true;
}

/* ---- degenerate triangles ---- */

/* Three points are on a line exactly when one of them is between the others. */
static bool has_no_area(const lt_dvec3 t[3]) {
    for (int k = 0; k < 3; k++) {
        const lt_dvec3 others[2] = {t[(k + 1) % 3], t[(k + 2) % 3]};
        if (lt_exact_point_segment(t[k], others)) return true;
    }
    return false;
}

static bool is_degenerate(const repair *r, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(r->in, triangle), *vertex_of = r->vertex_of;
    if (vertex_of[t[0]] == vertex_of[t[1]] || vertex_of[t[1]] == vertex_of[t[2]] ||
        vertex_of[t[2]] == vertex_of[t[0]])
        return true;
    lt_dvec3 corners[3];
    lt_triangle_corners(r->in, triangle, corners);
    return has_no_area(corners);
}

static void drop_degenerate(repair *r) {
    for (uint32_t i = 0; i < r->in->triangle_count; i++)
        if (is_degenerate(r, i))
            lt_repair_count(r->report, LT_REPAIR_DEGENERATE, i, LT_NONE);
        else
            r->kept[r->kept_count++] = i;
}

/* ---- duplicate triangles ---- */

/* As lt_sort_corners, in the vertices that stand. */
static bool sort_corners(const repair *r, uint32_t triangle, uint32_t key[3]) {
    const uint32_t *t = lt_triangle_at(r->in, triangle);
    const uint32_t corners[3] = {r->vertex_of[t[0]], r->vertex_of[t[1]], r->vertex_of[t[2]]};
    return lt_sort_corners(corners, key);
}

static bool drop_duplicates(repair *r) {
    for (uint32_t i = 0; i < r->kept_count; i++)
        sort_corners(r, r->kept[i], r->keys[i]);
    if (!lt_first_of_equal(r->first_of, (const uint32_t(*)[3])r->keys, r->kept_count, r->allocator))
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->kept_count; i++) {
        uint32_t key[3], triangle = r->kept[i], first = r->first_of[i];
        if (first == i) {
            r->first_of[i] = triangle; /* by its number in the input, as r->kept moves up */
            r->kept[count++] = triangle;
            continue;
        }
        lt_repair_count(r->report, LT_REPAIR_DUPLICATE, triangle, LT_NONE);
        if (sort_corners(r, triangle, key) != sort_corners(r, r->first_of[first], key))
            lt_repair_count(r->report, LT_REPAIR_OPPOSITE, triangle, LT_NONE);
    }
    r->kept_count = count;
    return true;
}

static lt_status check_something_is_left(const repair *r, lt_error *error) {
    if (r->kept_count > 0) return LT_OK;
    const lt_repair_finding *degenerate = &r->report->findings[LT_REPAIR_DEGENERATE];
    return lt_fail(
        error, LT_STATUS_INVALID,
        "no triangle is left after repair: all %u of the surface are degenerate (triangle %u names "
        "a point twice or has no area); was it scaled to nothing or rounded?",
        degenerate->count, degenerate->first[0]);
}

/* ---- the new surface ---- */

/* Numbers the vertices that kept triangles use, in their order; returns how many. */
static uint32_t number_vertices(repair *r) {
    for (uint32_t i = 0; i < r->kept_count; i++)
        for (int k = 0; k < 3; k++)
            r->number_of[r->vertex_of[lt_triangle_at(r->in, r->kept[i])[k]]] = 1;
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->in->vertex_count; i++) {
        if (r->number_of[i]) {
            r->number_of[i] = count++;
            continue;
        }
        r->number_of[i] = LT_NONE;
        if (r->vertex_of[i] == i) lt_repair_count(r->report, LT_REPAIR_UNUSED, i, LT_NONE);
    }
    return count;
}

static void fill_surface(const repair *r) {
    for (uint32_t i = 0; i < r->in->vertex_count; i++) {
        if (r->number_of[i] == LT_NONE) continue;
        r->out->positions[r->number_of[i]] = r->in->positions[i];
        r->report->source_vertices[r->number_of[i]] = i;
    }
    for (uint32_t i = 0; i < r->kept_count; i++) {
        for (int k = 0; k < 3; k++)
            r->out->triangles[3 * (size_t)i + k] =
                r->number_of[r->vertex_of[lt_triangle_at(r->in, r->kept[i])[k]]];
        r->report->source_triangles[i] = r->kept[i];
    }
}

static lt_status no_memory(const lt_surface *in, lt_error *error) {
    return lt_fail(error, LT_STATUS_MEMORY, "no memory to repair a surface of %u triangles",
                   in->triangle_count);
}

static lt_status make_surface(repair *r, lt_error *error) {
    lt_repair_report *report = r->report;
    report->vertex_count = number_vertices(r);
    report->triangle_count = r->kept_count;
    report->source_vertices = LT_NEW(&report->allocator, report->vertex_count, uint32_t);
    report->source_triangles = LT_NEW(&report->allocator, report->triangle_count, uint32_t);
    if (!report->source_vertices || !report->source_triangles) return no_memory(r->in, error);
    lt_status status =
        lt_surface_allocate(r->out, report->vertex_count, report->triangle_count, r->allocator, error);
    if (status == LT_OK) fill_surface(r);
    return status;
}

static lt_status mend(const lt_surface *in, lt_surface *out, lt_repair_report *report,
                      const lt_allocator *allocator, lt_error *error) {
    uint32_t vertices = in->vertex_count, triangles = in->triangle_count;
    repair r = {.in = in, .out = out, .report = report, .allocator = allocator};
    r.vertex_of = LT_NEW(allocator, vertices, uint32_t);
    r.number_of = LT_NEW(allocator, vertices, uint32_t);
    r.kept = LT_NEW(allocator, triangles, uint32_t);
    r.first_of = LT_NEW(allocator, triangles, uint32_t);
    r.keys = lt_allocate(allocator, triangles, sizeof *r.keys);
    bool complete = r.vertex_of && r.number_of && r.kept && r.first_of && r.keys && weld(&r);
    if (complete) drop_degenerate(&r);
    complete = complete && drop_duplicates(&r);
    lt_status status = complete ? check_something_is_left(&r, error) : no_memory(in, error);
    if (status == LT_OK) status = make_surface(&r, error);
    LT_DELETE(allocator, r.vertex_of, vertices, uint32_t);
    LT_DELETE(allocator, r.number_of, vertices, uint32_t);
    LT_DELETE(allocator, r.kept, triangles, uint32_t);
    LT_DELETE(allocator, r.first_of, triangles, uint32_t);
    lt_release(allocator, r.keys, triangles, sizeof *r.keys);
    return status;
}

/* ---- all of it ---- */

/* The adjacency is built anew after flipping: it numbers the edges of a triangle by its corners. */
static lt_status orient_and_inspect(lt_surface *surface, lt_repair_report *report,
                                    const lt_allocator *allocator, lt_error *error) {
    lt_surface_adjacency adjacency;
    lt_triangle_tree tree = {0};
    lt_status status = lt_surface_adjacency_build(&adjacency, surface, allocator, error);
    if (status != LT_OK) return status;
    status = lt_triangle_tree_build(&tree, surface, allocator, error);
    if (status == LT_OK) status = lt_repair_orient(surface, &adjacency, &tree, report, error);
    lt_surface_adjacency_free(&adjacency);
    if (status == LT_OK) status = lt_surface_adjacency_build(&adjacency, surface, allocator, error);
    if (status == LT_OK) status = lt_repair_inspect(surface, &adjacency, report, error);
    if (status == LT_OK) lt_repair_find_crossings(&tree, report);
    lt_surface_adjacency_free(&adjacency);
    lt_triangle_tree_free(&tree);
    return status;
}

lt_status lt_repair(const lt_surface *in, lt_surface *out, lt_repair_report *report,
                    const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(in && out && in != out);
    lt_repair_report own;
    lt_repair_report *target = report ? report : &own;
    *out = (lt_surface){0};
    *target = lt_repair_report_make(allocator);
    lt_status status = lt_surface_check(in, "surface", error);
    if (status == LT_OK) status = mend(in, out, target, allocator, error);
    if (status == LT_OK) status = orient_and_inspect(out, target, allocator, error);
    if (status != LT_OK) lt_surface_free(out);
    if (status != LT_OK || !report) lt_repair_report_free(target);
    return status;
}
