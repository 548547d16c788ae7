/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/simplify.h"

#include "bake/repair_internal.h"
#include "bake/simplify_internal.h"

#include <string.h>

/* Of one attempt. */
typedef struct target {
    uint32_t triangle_count; /* 0: as few as the error allows */
    double max_error;        /* share of the longest side */
    bool keeps_boundary;     /* boundary vertices are left alone */
} target;

#ifdef LITHE_HAVE_MESHOPTIMIZER

#include <meshoptimizer.h>

bool lt_simplify_is_supported(void) {
    return true;
}

/* Collapses edges of `in` into `indices` [triangle_count][3]; returns how many triangles are left, and the
 * error reached, as a share of the longest side. */
static uint32_t collapse_edges(const lt_surface *in, const target *wanted, uint32_t *indices, double *error) {
    float reached = 0;
    size_t count = meshopt_simplify(indices, in->triangles, 3 * (size_t)in->triangle_count,
                                    &in->positions[0].x, in->vertex_count, sizeof(lt_vec3),
                                    3 * (size_t)wanted->triangle_count, (float)wanted->max_error,
                                    wanted->keeps_boundary ? meshopt_SimplifyLockBorder : 0, &reached);
    *error = reached;
    return (uint32_t)(count / 3);
}

#else

bool lt_simplify_is_supported(void) {
    return false;
}

static uint32_t collapse_edges(const lt_surface *in, const target *wanted, uint32_t *indices, double *error) {
    (void)wanted;
    memcpy(indices, in->triangles, 3 * (size_t)in->triangle_count * sizeof *indices);
    *error = 0;
    return in->triangle_count;
}

#endif

const char *lt_simplify_refusal_text(lt_simplify_refusal refusal) {
    static const char *const texts[] = {"nothing",
                                        "folds",
                                        "has degenerate or duplicate triangles",
                                        "has new edges of three triangles or more",
                                        "has new pinched vertices",
                                        "changes the number of components",
                                        "changes the number of holes",
                                        "changes the number of handles",
                                        "has pieces inside out"};
    LT_ASSERT(refusal < LT_COUNT_OF(texts));
    return texts[refusal];
}

typedef struct simplify {
    const lt_surface *in;
    const lt_allocator *allocator;
    lt_triangle_tree tree;   /* of the input */
    lt_repair_report before; /* on the input */
    uint32_t *indices;       /* [triangle_count][3] of the attempt at hand */
    uint32_t *number_of;     /* [vertex_count] */
    double side;             /* the longest of the box */
} simplify;

/* ---- the surface of an attempt ---- */

static lt_status make_surface(simplify *s, uint32_t triangle_count, lt_surface *out, lt_error *error) {
    uint32_t vertex_count = 0;
    memset(s->number_of, 0, s->in->vertex_count * sizeof *s->number_of);
    for (size_t i = 0; i < 3 * (size_t)triangle_count; i++)
        s->number_of[s->indices[i]] = 1;
    for (uint32_t i = 0; i < s->in->vertex_count; i++)
        s->number_of[i] = s->number_of[i] ? vertex_count++ : LT_NONE;
    lt_status status = lt_surface_allocate(out, vertex_count, triangle_count, s->allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < s->in->vertex_count; i++)
        if (s->number_of[i] != LT_NONE) out->positions[s->number_of[i]] = s->in->positions[i];
    for (size_t i = 0; i < 3 * (size_t)triangle_count; i++)
        out->triangles[i] = s->number_of[s->indices[i]];
    return LT_OK;
}

/* ---- pinches ---- */

static uint32_t count_of(const lt_repair_report *report, lt_repair_kind kind) {
    return report->findings[kind].count;
}

static void refuse(lt_simplify_attempt *attempt, lt_simplify_refusal refusal, uint32_t element) {
    if (attempt->refusal != LT_SIMPLIFY_REFUSED_NONE) return;
    attempt->refusal = refusal;
    attempt->element = element;
}

/* Twice the number of handles, by Euler: V - E + F = 2 components - 2 handles - holes, and E follows from 3 F
 * sides of edges. Only where no edge has three triangles. */
static int64_t twice_handles(const lt_surface *surface, const lt_repair_report *report) {
    int64_t faces = surface->triangle_count, boundary = count_of(report, LT_REPAIR_BOUNDARY);
    int64_t euler = (int64_t)surface->vertex_count + faces - (3 * faces + boundary) / 2;
    return 2 * (int64_t)count_of(report, LT_REPAIR_COMPONENT) - count_of(report, LT_REPAIR_HOLE) - euler;
}

/* `after` is what lt_repair says of `out`. */
static void compare_reports(const simplify *s, const lt_surface *out, const lt_repair_report *after,
                            lt_simplify_attempt *attempt) {
    const lt_repair_report *before = &s->before;
    uint32_t dropped = count_of(after, LT_REPAIR_DEGENERATE) + count_of(after, LT_REPAIR_DUPLICATE);
    if (dropped > 0) refuse(attempt, LT_SIMPLIFY_REFUSED_DEGENERATE, dropped);
    if (count_of(after, LT_REPAIR_OVERFULL) > count_of(before, LT_REPAIR_OVERFULL))
        refuse(attempt, LT_SIMPLIFY_REFUSED_EDGES, count_of(after, LT_REPAIR_OVERFULL));
    if (count_of(after, LT_REPAIR_PINCH) > count_of(before, LT_REPAIR_PINCH))
        refuse(attempt, LT_SIMPLIFY_REFUSED_PINCHES, count_of(after, LT_REPAIR_PINCH));
    if (count_of(after, LT_REPAIR_COMPONENT) != count_of(before, LT_REPAIR_COMPONENT))
        refuse(attempt, LT_SIMPLIFY_REFUSED_COMPONENTS, count_of(after, LT_REPAIR_COMPONENT));
    if (count_of(after, LT_REPAIR_HOLE) != count_of(before, LT_REPAIR_HOLE))
        refuse(attempt, LT_SIMPLIFY_REFUSED_HOLES, count_of(after, LT_REPAIR_HOLE));
    if (count_of(before, LT_REPAIR_OVERFULL) == 0 &&
        twice_handles(out, after) != twice_handles(s->in, before))
        refuse(attempt, LT_SIMPLIFY_REFUSED_HANDLES, (uint32_t)(twice_handles(out, after) / 2));
    if (count_of(after, LT_REPAIR_TURNED) > 0)
        refuse(attempt, LT_SIMPLIFY_REFUSED_INSIDE_OUT, count_of(after, LT_REPAIR_TURNED));
}

static lt_status inspect(const lt_surface *surface, lt_repair_report *report, const lt_allocator *allocator,
                         lt_error *error) {
    lt_surface_adjacency adjacency;
    lt_status status = lt_surface_adjacency_build(&adjacency, surface, allocator, error);
    if (status == LT_OK) status = lt_repair_inspect(surface, &adjacency, report, error);
    lt_surface_adjacency_free(&adjacency);
    return status;
}

/* ---- one attempt ---- */

static lt_fold_test fold_test_of(const simplify *s, const lt_simplify_attempt *attempt) {
    return (lt_fold_test){&s->tree, attempt->error * s->side};
}

static lt_status check_attempt(const simplify *s, const lt_surface *out, lt_simplify_attempt *attempt,
                               lt_error *error) {
    lt_fold_test test = fold_test_of(s, attempt);
    for (uint32_t i = 0; i < out->triangle_count && attempt->refusal == LT_SIMPLIFY_REFUSED_NONE; i++) {
        lt_dvec3 corners[3];
        lt_triangle_corners(out, i, corners);
        if (lt_is_folded(&test, corners)) refuse(attempt, LT_SIMPLIFY_REFUSED_FOLD, i);
    }
    if (attempt->refusal != LT_SIMPLIFY_REFUSED_NONE) return LT_OK;
    lt_repair_report after;
    lt_surface repaired;
    lt_status status = lt_repair(out, &repaired, &after, s->allocator, error);
    if (status == LT_OK) compare_reports(s, out, &after, attempt);
    lt_surface_free(&repaired);
    lt_repair_report_free(&after);
    return status;
}

/* The indices of the attempt, with all vertices of the input. */
static lt_status unfold_attempt(simplify *s, lt_simplify_attempt *attempt, lt_error *error) {
    lt_fold_test test = fold_test_of(s, attempt);
    lt_surface view = *s->in;
    view.triangles = s->indices;
    view.triangle_count = attempt->triangle_count;
    lt_status status = lt_unfold(&test, &view, s->allocator, error);
    attempt->triangle_count = view.triangle_count;
    return status;
}

static lt_status try_target(simplify *s, const target *wanted, lt_surface *out, lt_simplify_attempt *attempt,
                            lt_error *error) {
    *attempt = (lt_simplify_attempt){.wanted_count = wanted->triangle_count, .element = LT_NONE};
    attempt->triangle_count = collapse_edges(s->in, wanted, s->indices, &attempt->error);
    lt_status status = unfold_attempt(s, attempt, error);
    if (status == LT_OK && attempt->triangle_count == 0) {
        refuse(attempt, LT_SIMPLIFY_REFUSED_COMPONENTS, 0);
        return LT_OK;
    }
    if (status == LT_OK) status = make_surface(s, attempt->triangle_count, out, error);
    if (status == LT_OK) status = check_attempt(s, out, attempt, error);
    if (status != LT_OK || attempt->refusal != LT_SIMPLIFY_REFUSED_NONE) lt_surface_free(out);
    return status;
}

/* A hole that closed is kept open by leaving boundaries alone; else half as many triangles more, and half the
 * error. */
static void make_milder(target *wanted, const lt_simplify_params *params, const lt_simplify_attempt *attempt,
                        uint32_t most) {
    if (attempt->refusal == LT_SIMPLIFY_REFUSED_HOLES && !wanted->keeps_boundary) {
        wanted->keeps_boundary = true;
        return;
    }
    uint64_t count = lt_max_u32(wanted->triangle_count, attempt->triangle_count);
    if (params->triangle_count > 0)
        wanted->triangle_count = (uint32_t)lt_min_u64(count + (count + 1) / 2, most);
    if (params->max_error > 0) wanted->max_error = lt_min_d(wanted->max_error, attempt->error) / 2;
}

static lt_status try_targets(simplify *s, const lt_simplify_params *params, lt_surface *out,
                             lt_simplify_report *report, lt_error *error) {
    target wanted = {lt_min_u32(params->triangle_count, s->in->triangle_count),
                     params->max_error > 0 ? params->max_error : 1, false};
    lt_simplify_attempt *attempt = report->attempts;
    for (; report->attempt_count < LT_SIMPLIFY_ATTEMPTS; attempt++) {
        report->attempt_count++;
        lt_status status = try_target(s, &wanted, out, attempt, error);
        if (status != LT_OK) return status;
        if (attempt->refusal == LT_SIMPLIFY_REFUSED_NONE) {
            report->is_reached = params->triangle_count > 0
                                     ? attempt->triangle_count <= params->triangle_count
                                     : wanted.max_error == params->max_error;
            return LT_OK;
        }
        make_milder(&wanted, params, attempt, s->in->triangle_count);
    }
    attempt--;
    return lt_fail(error, LT_STATUS_INVALID,
                   "the surface cannot be simplified as asked: each of %d results was refused, the mildest, "
                   "of %u triangles, because it %s (%s %u); ask for more triangles or repair it first",
                   LT_SIMPLIFY_ATTEMPTS, attempt->triangle_count, lt_simplify_refusal_text(attempt->refusal),
                   attempt->refusal == LT_SIMPLIFY_REFUSED_FOLD ? "triangle" : "there are", attempt->element);
}

/* ---- all of it ---- */

static lt_status check_params(const lt_simplify_params *params, lt_error *error) {
    if (!(params->max_error >= 0 && params->max_error <= 1))
        return lt_fail(error, LT_STATUS_INVALID, "an error of %g: it is a share of the size, from 0 to 1",
                       params->max_error);
    if (params->triangle_count == 0 && params->max_error == 0)
        return lt_fail(error, LT_STATUS_INVALID, "neither a number of triangles nor an error to simplify to");
    return LT_OK;
}

static double longest_side(const lt_surface *surface) {
    lt_box box = lt_surface_box(surface);
    lt_dvec3 size = lt_d3_sub(lt_d3_from_v3(box.hi), lt_d3_from_v3(box.lo));
    return lt_max_d(size.x, lt_max_d(size.y, size.z));
}

static lt_status run(const lt_surface *in, const lt_simplify_params *params, lt_surface *out,
                     lt_simplify_report *report, const lt_allocator *allocator, lt_error *error) {
    simplify s = {.in = in, .allocator = allocator, .before = lt_repair_report_make(allocator)};
    s.side = longest_side(in);
    s.indices = LT_NEW(allocator, 3 * (size_t)in->triangle_count, uint32_t);
    s.number_of = LT_NEW(allocator, in->vertex_count, uint32_t);
    lt_status status = LT_OK;
    if (!s.indices || !s.number_of)
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory to simplify %u triangles", in->triangle_count);
    if (status == LT_OK) status = lt_triangle_tree_build(&s.tree, in, allocator, error);
    if (status == LT_OK) status = inspect(in, &s.before, allocator, error);
    if (status == LT_OK) status = try_targets(&s, params, out, report, error);
    LT_DELETE(allocator, s.indices, 3 * (size_t)in->triangle_count, uint32_t);
    LT_DELETE(allocator, s.number_of, in->vertex_count, uint32_t);
    lt_triangle_tree_free(&s.tree);
    lt_repair_report_free(&s.before);
    return status;
}

lt_status lt_simplify(const lt_surface *in, const lt_simplify_params *params, lt_surface *out,
                      lt_simplify_report *report, const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(in && params && out && in != out);
    lt_simplify_report own;
    if (!report) report = &own;
    *out = (lt_surface){0};
    *report = (lt_simplify_report){0};
    if (!lt_simplify_is_supported())
        return lt_fail(error, LT_STATUS_UNSUPPORTED,
                       "simplifying needs meshoptimizer, which this build has not found: install "
                       "libmeshoptimizer-dev (Debian's name) and build again");
    lt_status status = check_params(params, error);
    if (status == LT_OK) status = lt_surface_check(in, "surface", error);
    if (status == LT_OK) status = run(in, params, out, report, allocator, error);
    if (status != LT_OK) lt_surface_free(out);
    return status;
}
