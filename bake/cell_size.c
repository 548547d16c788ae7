/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Counts fall with the size of cells, but not steadily: a lattice that happens to fit has fewer tets. So the
 * best of all that were tried is kept, not the last. The centred lattice has a node at the middle of the box,
 * so it never has fewer than 24 tets; a second one, with the middle of a tet there, serves small targets. */

#include "bake/cell_size.h"

#include <math.h>
#include <string.h>

typedef struct search {
    const lt_surface *surface;
    const lt_voxels *voxels;
    const lt_allocator *allocator;
    lt_lattice_type types[LT_LATTICE_TYPES];
    lt_box box;
    uint32_t target;
    bool is_aside; /* with the middle of a tet at the middle of the box */
    lt_lattice best;
    double best_error;
    uint8_t *marks; /* of the lattice that is being counted */
    uint32_t mark_count;
} search;

static bool mark(void *context, uint32_t triangle, uint32_t tet) {
    (void)triangle;
    search *s = context;
    s->mark_count += !s->marks[tet];
    s->marks[tet] = 1;
    return true;
}

static uint32_t count_inside(const search *s, const lt_lattice *l) {
    uint32_t count = 0, cube[3];
    for (uint32_t i = 0; i < l->cube_count; i++) {
        lt_lattice_cube_place(l, i, cube);
        for (uint32_t t = 0; t < LT_LATTICE_TYPES; t++) {
            if (s->marks[LT_LATTICE_TYPES * i + t] || cube[t / 4] + 1 >= l->counts[t / 4]) continue;
            lt_dvec3 corners[4], sum = {0, 0, 0};
            lt_lattice_tet_positions(l, s->types, LT_LATTICE_TYPES * i + t, corners);
            for (int k = 0; k < 4; k++)
                sum = lt_d3_add(sum, corners[k]);
            lt_dvec3 middle = lt_d3_scale(sum, 0.25);
            count += s->voxels->classes[lt_voxel_of(s->voxels, middle)] == LT_VOXEL_INSIDE;
        }
    }
    return count;
}

/* Aside: even counts put a corner at the middle of the box; from there to the middle of a tet it is a quarter
 * of a cube along one axis and a half along another. */
static bool place(const search *s, lt_lattice *l, double size) {
    if (!s->is_aside) return lt_lattice_place(l, s->box, size);
    if (!lt_lattice_place(l, lt_box_inflate(s->box, (float)(0.5 * size)), size)) return false;
    lt_dvec3 shift = {0, 0.25, 0.5};
    for (int axis = 0; axis < 3; axis++)
        l->counts[axis] += l->counts[axis] % 2;
    l->cube_count = l->counts[0] * l->counts[1] * l->counts[2];
    lt_dvec3 middle = lt_d3_scale(lt_d3_add(lt_d3_from_v3(s->box.lo), lt_d3_from_v3(s->box.hi)), 0.5);
    lt_dvec3 cubes = lt_d3_make(0.5 * l->counts[0], 0.5 * l->counts[1], 0.5 * l->counts[2]);
    l->origin = lt_d3_mad(middle, lt_d3_sub(shift, cubes), size);
    return true;
}

/* How many tets a lattice of this size has; UINT32_MAX when it has too many cubes. False: out of memory. */
static bool count_tets(search *s, double size, uint32_t *count) {
    lt_lattice l;
    *count = UINT32_MAX;
    if (!place(s, &l, size)) return true;
    size_t mark_space = LT_LATTICE_TYPES * (size_t)l.cube_count;
    s->marks = LT_NEW(s->allocator, mark_space, uint8_t);
    if (!s->marks) return false;
    s->mark_count = 0;
    lt_lattice_each_touch(&l, s->types, s->surface, mark, s);
    *count = s->mark_count + count_inside(s, &l);
    LT_DELETE(s->allocator, s->marks, mark_space, uint8_t);
    double error = fabs(*count / (double)s->target - 1.0);
    if (error < s->best_error) {
        s->best_error = error;
        s->best = l;
    }
    return true;
}

/* Sizes between which the count passes the target; *lo has at least the target, or is as small as can be. */
static bool bracket(search *s, double *lo, double *hi) {
    uint32_t count;
    lt_dvec3 extent = lt_d3_from_v3(lt_v3_sub(s->box.hi, s->box.lo));
    double size = lt_max_d(extent.x, lt_max_d(extent.y, extent.z));
    *lo = *hi = size;
    if (!count_tets(s, size, &count)) return false;
    if (count < s->target) {
        for (int i = 0; i < 40 && count < s->target; i++) {
            *hi = *lo;
            *lo *= 0.7;
            if (!count_tets(s, *lo, &count)) return false;
        }
    } else {
        for (int i = 0; i < 8 && count >= s->target; i++) {
            *lo = *hi;
            *hi *= 1.4;
            if (!count_tets(s, *hi, &count)) return false;
        }
    }
    return true;
}

static bool bisect(search *s) {
    double lo, hi;
    uint32_t count;
    if (!bracket(s, &lo, &hi)) return false;
    for (int i = 0; i < 10 && s->best_error > 0.01; i++) {
        double middle = sqrt(lo * hi);
        if (!count_tets(s, middle, &count)) return false;
        *(count >= s->target ? &lo : &hi) = middle;
    }
    return true;
}

lt_status lt_cell_size_find(lt_lattice *out, const lt_surface *surface, const lt_voxels *voxels,
                            uint32_t target, const lt_allocator *allocator, lt_error *error) {
    search s = {.surface = surface, .voxels = voxels, .allocator = allocator, .target = target};
    *out = (lt_lattice){0};
    s.box = lt_surface_box(surface);
    s.best_error = INFINITY;
    lt_lattice_types(s.types);
    lt_vec3 extent = lt_v3_sub(s.box.hi, s.box.lo);
    if (!(extent.x > 0 || extent.y > 0 || extent.z > 0))
        return lt_fail(error, LT_STATUS_INVALID, "enclose: the surface is a single point");
    bool ok = bisect(&s);
    if (ok && s.best_error > 0.15) {
        s.is_aside = true;
        ok = bisect(&s);
    }
    if (!ok) return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    if (s.best.cube_count == 0)
        return lt_fail(error, LT_STATUS_INVALID, "enclose: the surface is too long and thin for a lattice");
    *out = s.best;
    return LT_OK;
}
