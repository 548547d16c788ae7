/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Triangles are rasterised by halving boxes of voxels until they miss the triangle or are single, so that a
 * large triangle costs its area, not its box. Regions are flooded by runs along x; the runs of a region are
 * kept until it has its class. */

#include "bake/inside.h"

#include "bake/cap_holes.h"

#include <math.h>

/* ---- the solid ---- */

lt_status lt_solid_build(lt_solid *out, const lt_surface *surface, const lt_allocator *allocator,
                         lt_error *error) {
    *out = (lt_solid){.given = surface};
    out->allocator = allocator ? *allocator : lt_allocator_default();
    lt_status status =
        lt_cap_holes(&out->capped, &out->cap_begins, &out->cap_count, surface, &out->allocator, error);
    if (status == LT_OK) status = lt_triangle_tree_build(&out->tree, surface, &out->allocator, error);
    if (status == LT_OK) status = lt_winding_tree_build(&out->winding, &out->tree, &out->allocator, error);
    if (status != LT_OK) lt_solid_free(out);
    return status;
}

static void free_cap_begins(lt_solid *solid) {
    LT_DELETE(&solid->allocator, solid->cap_begins, (size_t)solid->cap_count + 1, uint32_t);
    solid->cap_begins = NULL;
}

void lt_solid_free(lt_solid *solid) {
    lt_winding_tree_free(&solid->winding);
    lt_triangle_tree_free(&solid->tree);
    lt_surface_free(&solid->capped);
    free_cap_begins(solid);
    *solid = (lt_solid){0};
}

/* ---- rasterising ---- */

/* Do the projections of the triangle (relative to the box's centre) on `axis` miss the box? */
static bool is_separating(const lt_dvec3 t[3], lt_dvec3 axis, lt_dvec3 half) {
    double reach = half.x * fabs(axis.x) + half.y * fabs(axis.y) + half.z * fabs(axis.z);
    double a = lt_d3_dot(t[0], axis), b = lt_d3_dot(t[1], axis), c = lt_d3_dot(t[2], axis);
    return lt_min_d(a, lt_min_d(b, c)) > reach || lt_max_d(a, lt_max_d(b, c)) < -reach;
}

/* Separating axes: three of the box, one of the triangle, nine of edge pairs. */
static bool triangle_touches_box(const lt_dvec3 corners[3], lt_dvec3 centre, lt_dvec3 half) {
    static const lt_dvec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    lt_dvec3 t[3], edges[3];
    for (int i = 0; i < 3; i++)
        t[i] = lt_d3_sub(corners[i], centre);
    for (int i = 0; i < 3; i++)
        edges[i] = lt_d3_sub(t[(i + 1) % 3], t[i]);
    for (int i = 0; i < 3; i++)
        if (is_separating(t, units[i], half)) return false;
    if (is_separating(t, lt_d3_cross(edges[0], edges[1]), half)) return false;
    for (int i = 0; i < 9; i++)
        if (is_separating(t, lt_d3_cross(units[i / 3], edges[i % 3]), half)) return false;
    return true;
}

typedef struct voxel_box {
    uint32_t lo[3], hi[3]; /* inclusive */
} voxel_box;

static bool touches_voxels(const lt_dvec3 corners[3], const voxel_box *b) {
    double centre[3], half[3];
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = 0.5 * ((double)b->lo[axis] + b->hi[axis] + 1.0);
        half[axis] = 0.5 * ((double)b->hi[axis] - b->lo[axis] + 1.0) + 1e-6;
    }
    return triangle_touches_box(corners, lt_d3_make(centre[0], centre[1], centre[2]),
                                lt_d3_make(half[0], half[1], half[2]));
}

/* The voxels around the triangle, whose corners become coordinates in voxels. */
static voxel_box box_around(const lt_voxels *v, lt_dvec3 corners[3]) {
    voxel_box box;
    for (int i = 0; i < 3; i++)
        corners[i] = lt_d3_scale(lt_d3_sub(corners[i], v->origin), 1.0 / v->size);
    lt_dvec3 lo = lt_d3_min(corners[0], lt_d3_min(corners[1], corners[2]));
    lt_dvec3 hi = lt_d3_max(corners[0], lt_d3_max(corners[1], corners[2]));
    for (int axis = 0; axis < 3; axis++) {
        double last = (double)v->counts[axis] - 1.0;
        box.lo[axis] = (uint32_t)lt_max_d(0.0, lt_min_d(last, floor(lt_d3_get(lo, axis) - 1e-6)));
        box.hi[axis] = (uint32_t)lt_max_d(0.0, lt_min_d(last, floor(lt_d3_get(hi, axis) + 1e-6)));
    }
    return box;
}

static int longest_axis(const voxel_box *b) {
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (b->hi[axis] - b->lo[axis] > b->hi[longest] - b->lo[longest]) longest = axis;
    return longest;
}

typedef void voxel_visit(lt_voxels *v, uint32_t x, uint32_t y, uint32_t z, void *context);

/* Visits every voxel the triangle touches. Each halving leaves one box on the stack: at most 3 * 32. */
static void rasterise(lt_voxels *v, const lt_surface *surface, uint32_t triangle, voxel_visit *visit,
                      void *context) {
    voxel_box stack[100];
    int depth = 0;
    lt_dvec3 corners[3];
    lt_triangle_corners(surface, triangle, corners);
    stack[depth++] = box_around(v, corners);
    while (depth > 0) {
        voxel_box box = stack[--depth];
        if (!touches_voxels(corners, &box)) continue;
        int axis = longest_axis(&box);
        uint32_t lo = box.lo[axis], hi = box.hi[axis], middle = lo + (hi - lo) / 2;
        if (lo == hi) {
            visit(v, box.lo[0], box.lo[1], box.lo[2], context);
            continue;
        }
        stack[depth] = stack[depth + 1] = box;
        stack[depth].hi[axis] = middle;
        stack[depth + 1].lo[axis] = middle + 1;
        depth += 2;
    }
}

static void mark_touched(lt_voxels *v, uint32_t x, uint32_t y, uint32_t z, void *context) {
    (void)context;
    v->classes[lt_voxel_at(v, x, y, z)] = LT_VOXEL_TOUCHED;
}

static void mark_cap(lt_voxels *v, uint32_t x, uint32_t y, uint32_t z, void *context) {
    (void)context;
    uint8_t *voxel_class = &v->classes[lt_voxel_at(v, x, y, z)];
    if (*voxel_class != LT_VOXEL_TOUCHED) *voxel_class = LT_VOXEL_CAP;
}

/* ---- regions ---- */

typedef struct run {
    uint32_t first, last, y, z;
} run;

/* Claims the runs of unknown voxels of row (y, z) that reach into [first, last]. */
static bool claim_runs(lt_voxels *v, lt_array *runs, uint32_t first, uint32_t last, uint32_t y, uint32_t z) {
    uint8_t *row = v->classes + lt_voxel_at(v, 0, y, z);
    while (first > 0 && row[first] == LT_VOXEL_UNKNOWN && row[first - 1] == LT_VOXEL_UNKNOWN)
        first--;
    for (uint32_t x = first; x <= last; x++) {
        if (row[x] != LT_VOXEL_UNKNOWN) continue;
        run r = {x, x, y, z};
        for (; x < v->counts[0] && row[x] == LT_VOXEL_UNKNOWN; x++)
            row[x] = LT_VOXEL_OUTSIDE;
        r.last = x - 1;
        if (!lt_array_push(runs, &r)) return false;
    }
    return true;
}

/* The whole region of an unknown voxel, as outside for now. */
static bool flood(lt_voxels *v, lt_array *runs, uint32_t x, uint32_t y, uint32_t z) {
    runs->count = 0;
    if (!claim_runs(v, runs, x, x, y, z)) return false;
    for (size_t i = 0; i < runs->count; i++) {
        run r = ((const run *)runs->items)[i];
        if (r.y > 0 && !claim_runs(v, runs, r.first, r.last, r.y - 1, r.z)) return false;
        if (r.y + 1 < v->counts[1] && !claim_runs(v, runs, r.first, r.last, r.y + 1, r.z)) return false;
        if (r.z > 0 && !claim_runs(v, runs, r.first, r.last, r.y, r.z - 1)) return false;
        if (r.z + 1 < v->counts[2] && !claim_runs(v, runs, r.first, r.last, r.y, r.z + 1)) return false;
    }
    return true;
}

static lt_dvec3 run_point(const lt_voxels *v, const run *r, double x) {
    return lt_d3_mad(v->origin, lt_d3_make(x + 0.5, r->y + 0.5, r->z + 0.5), v->size);
}

/* The centre of the voxel that is nearest to the middle of all. */
static lt_dvec3 middle_voxel(const lt_voxels *v, const run *runs, size_t run_count) {
    lt_dvec3 sum = {0, 0, 0}, best = {0, 0, 0};
    double total = 0, nearest = INFINITY;
    for (size_t i = 0; i < run_count; i++) {
        double length = (double)runs[i].last - runs[i].first + 1.0;
        sum = lt_d3_mad(sum, run_point(v, &runs[i], 0.5 * ((double)runs[i].first + runs[i].last)), length);
        total += length;
    }
    lt_dvec3 middle = lt_d3_scale(sum, 1.0 / total);
    for (size_t i = 0; i < run_count; i++) {
        double x = floor((middle.x - v->origin.x) / v->size);
        x = lt_max_d(runs[i].first, lt_min_d(runs[i].last, x));
        lt_dvec3 p = run_point(v, &runs[i], x);
        double distance = lt_d3_length_squared(lt_d3_sub(p, middle));
        if (distance < nearest) {
            nearest = distance;
            best = p;
        }
    }
    return best;
}

static void classify_region(lt_voxels *v, const lt_solid *solid, const run *runs, size_t run_count) {
    lt_dvec3 p = middle_voxel(v, runs, run_count);
    double winding = lt_winding_number_fast(&solid->winding, p, 4.0);
    if (fabs(fabs(winding) - 0.5) < 0.1) winding = lt_winding_number(solid->given, p);
    v->inside_out_region_count += winding < -0.5;
    if (!(winding > 0.5)) return;
    v->inside_region_count++;
    for (size_t i = 0; i < run_count; i++) {
        uint8_t *row = v->classes + lt_voxel_at(v, 0, runs[i].y, runs[i].z);
        for (uint32_t x = runs[i].first; x <= runs[i].last; x++)
            row[x] = LT_VOXEL_INSIDE;
    }
}

/* The first voxel is outside: the grid has a rim. */
static bool classify_regions(lt_voxels *v, const lt_solid *solid, const lt_allocator *allocator) {
    lt_array runs = LT_ARRAY_OF(allocator, run);
    bool ok = flood(v, &runs, 0, 0, 0);
    for (uint32_t z = 0; z < v->counts[2] && ok; z++)
        for (uint32_t y = 0; y < v->counts[1] && ok; y++)
            for (uint32_t x = 0; x < v->counts[0] && ok; x++) {
                if (v->classes[lt_voxel_at(v, x, y, z)] != LT_VOXEL_UNKNOWN) continue;
                ok = flood(v, &runs, x, y, z);
                if (ok) classify_region(v, solid, runs.items, runs.count);
            }
    lt_array_free(&runs);
    return ok;
}

/* ---- caps ---- */

/* What a cap's voxels say about it. */
typedef struct cap_facts {
    bool is_seen;        /* some voxel is touched by the cap only */
    bool borders_inside; /* some such voxel has an inside one beside it */
} cap_facts;

static void look_around(lt_voxels *v, uint32_t x, uint32_t y, uint32_t z, void *context) {
    cap_facts *facts = context;
    if (v->classes[lt_voxel_at(v, x, y, z)] != LT_VOXEL_CAP) return;
    facts->is_seen = true;
    const uint32_t place[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            uint32_t next[3] = {x, y, z};
            next[axis] = (uint32_t)((int)place[axis] + side);
            if (next[axis] < v->counts[axis])
                facts->borders_inside |=
                    v->classes[lt_voxel_at(v, next[0], next[1], next[2])] == LT_VOXEL_INSIDE;
        }
}

/* Moves the triangles of the caps that are kept to the front; vertices stay. */
static void drop_useless_caps(lt_voxels *v, lt_solid *solid) {
    uint32_t *triangles = solid->capped.triangles;
    uint32_t kept_end = solid->given->triangle_count;
    for (uint32_t cap = 0; cap < solid->cap_count; cap++) {
        uint32_t begin = solid->cap_begins[cap], end = solid->cap_begins[cap + 1];
        cap_facts facts = {0};
        for (uint32_t t = begin; t < end && !facts.borders_inside; t++)
            rasterise(v, &solid->capped, t, look_around, &facts);
        bool is_kept = facts.borders_inside || !facts.is_seen;
        solid->cap_begins[cap] = kept_end;
        if (!is_kept) continue;
        for (uint32_t i = 3 * begin; i < 3 * end; i++)
            triangles[3 * (size_t)kept_end + i - 3 * begin] = triangles[i];
        kept_end += end - begin;
    }
    solid->cap_begins[solid->cap_count] = kept_end;
}

static void settle_caps(lt_voxels *v, const lt_solid *solid) {
    for (uint32_t t = solid->given->triangle_count; t < lt_solid_surface(solid).triangle_count; t++)
        rasterise(v, &solid->capped, t, mark_touched, NULL);
    for (size_t i = 0; i < v->count; i++)
        if (v->classes[i] == LT_VOXEL_CAP) v->classes[i] = LT_VOXEL_OUTSIDE;
}

/* ---- all of it ---- */

/* Of a touched voxel: by what is known of the six around it, a half when nothing is. */
static double share_inside(const lt_voxels *v, size_t i) {
    const size_t strides[3] = {1, v->counts[0], (size_t)v->counts[0] * v->counts[1]};
    int inside = 0, outside = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) { /* the rim is not touched: neighbours exist */
            uint8_t beside = v->classes[side ? i + strides[axis] : i - strides[axis]];
            inside += beside == LT_VOXEL_INSIDE;
            outside += beside == LT_VOXEL_OUTSIDE;
        }
    return inside + outside > 0 ? (double)inside / (inside + outside) : 0.5;
}

static void measure(lt_voxels *v) {
    double inside = 0, touched = 0, cell = v->size * v->size * v->size;
    for (size_t i = 0; i < v->count && v->inside_region_count > 0; i++) {
        inside += v->classes[i] == LT_VOXEL_INSIDE;
        if (v->classes[i] != LT_VOXEL_TOUCHED) continue;
        inside += share_inside(v, i);
        touched += 1.0;
    }
    v->solid_volume = inside * cell;
    v->touched_volume = touched * cell;
}

lt_status lt_voxels_build(lt_voxels *voxels, lt_solid *solid, bool decides_caps,
                          const lt_allocator *allocator, lt_error *error) {
    voxels->allocator = allocator ? *allocator : lt_allocator_default();
    voxels->count = voxels->counts[0] * ((size_t)voxels->counts[1] * voxels->counts[2]);
    voxels->inside_region_count = voxels->inside_out_region_count = 0;
    voxels->classes = LT_NEW(&voxels->allocator, voxels->count, uint8_t);
    if (!voxels->classes) return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory for voxels");
    for (uint32_t t = 0; t < solid->given->triangle_count; t++)
        rasterise(voxels, &solid->capped, t, mark_touched, NULL);
    for (uint32_t t = solid->given->triangle_count; t < lt_solid_surface(solid).triangle_count; t++)
        rasterise(voxels, &solid->capped, t, decides_caps ? mark_cap : mark_touched, NULL);
    if (!classify_regions(voxels, solid, &voxels->allocator)) {
        lt_voxels_free(voxels);
        return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory for voxels");
    }
    if (decides_caps) {
        drop_useless_caps(voxels, solid);
        settle_caps(voxels, solid);
    }
    measure(voxels);
    return LT_OK;
}

void lt_voxels_free(lt_voxels *voxels) {
    LT_DELETE(&voxels->allocator, voxels->classes, voxels->count, uint8_t);
    voxels->classes = NULL;
    voxels->count = 0;
}

size_t lt_voxel_of(const lt_voxels *voxels, lt_dvec3 point) {
    uint32_t place[3];
    for (int axis = 0; axis < 3; axis++) {
        double at = floor((lt_d3_get(point, axis) - lt_d3_get(voxels->origin, axis)) / voxels->size);
        place[axis] = (uint32_t)lt_max_d(0.0, lt_min_d(at, (double)voxels->counts[axis] - 1.0));
    }
    return lt_voxel_at(voxels, place[0], place[1], place[2]);
}

/* ---- finding the solid ---- */

/* With a rim of one voxel and more. */
static void place_around(lt_voxels *v, lt_box box, double most) {
    lt_dvec3 extent = lt_d3_from_v3(lt_v3_sub(box.hi, box.lo));
    double size = lt_max_d(extent.x, lt_max_d(extent.y, extent.z));
    for (int i = 0; i < 250; i++) {
        double next = 0.95 * size;
        double count = (extent.x / next + 4) * (extent.y / next + 4) * (extent.z / next + 4);
        if (count > most) break;
        size = next;
    }
    v->size = size;
    for (int axis = 0; axis < 3; axis++)
        v->counts[axis] = (uint32_t)floor(lt_d3_get(extent, axis) / size) + 4;
    lt_dvec3 middle = lt_d3_mad(lt_d3_from_v3(box.lo), extent, 0.5);
    v->origin = lt_d3_mad(middle, lt_d3_make(v->counts[0], v->counts[1], v->counts[2]), -0.5 * size);
}

static lt_status check_extent(const lt_surface *surface, lt_box box, lt_error *error) {
    if (box.lo.x == box.hi.x && box.lo.y == box.hi.y && box.lo.z == box.hi.z)
        return lt_fail(error, LT_STATUS_INVALID, "enclose: the surface is a single point");
    if (!(lt_surface_area(surface) > 0.0))
        return lt_fail(error, LT_STATUS_INVALID,
                       "enclose: no triangle has an area: the surface is all in a line");
    return LT_OK;
}

lt_status lt_solid_find(lt_solid *solid, lt_voxels *voxels, const lt_surface *surface, double most,
                        const lt_allocator *allocator, lt_error *error) {
    lt_box box = lt_surface_box(surface);
    *voxels = (lt_voxels){0};
    lt_status status = lt_solid_build(solid, surface, allocator, error);
    if (status == LT_OK) status = check_extent(surface, box, error);
    if (status == LT_OK) {
        place_around(voxels, box, most);
        status = lt_voxels_build(voxels, solid, true, allocator, error);
    }
    if (status == LT_OK && voxels->inside_region_count == 0 && voxels->inside_out_region_count > 0)
        status = lt_fail(error, LT_STATUS_INVALID,
                         "enclose: the surface is inside out: all %u closed-off regions "
                         "have a negative winding number; turn the triangles round",
                         voxels->inside_out_region_count);
    if (status == LT_OK) return LT_OK;
    lt_voxels_free(voxels);
    lt_solid_free(solid);
    return status;
}

double lt_solid_volume(const lt_solid *solid, const lt_voxels *voxels) {
    lt_surface surface = lt_solid_surface(solid);
    double by_voxels = voxels->solid_volume, by_surface = lt_surface_volume(&surface);
    double uncertain = 0.005 * by_voxels + 0.15 * voxels->touched_volume;
    return fabs(by_surface - by_voxels) < uncertain ? by_surface : by_voxels;
}
