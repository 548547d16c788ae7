/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The plain sphere tree: cubes halved along all axes, a sphere around each part that triangles may touch (Hubbard
 * 1996, "Approximating polyhedra with spheres for time-critical collision detection", where it is the baseline). With
 * fewer children than eight the two parts whose common box is smallest are joined until it fits.
 *
 * Triangles go by their boxes; a sphere that gets none of them in the end is dropped by the covering pass. */

#include "bake/rest_tree.h"
#include "bake/sphere_internal.h"

typedef struct part {
    lt_dvec3 lo, hi;
} part;

typedef struct octree {
    /* Input */
    const lt_surface *surface;
    const lt_sphere_options *options;
    /* State */
    lt_array parts;   /* of part, one a sphere */
    lt_array ranges;  /* of size_t, one a sphere and one more: where its triangles begin */
    lt_array members; /* of uint32_t, triangles */
    /* Output */
    lt_array *spheres;
} octree;

static part octant_of(const part *whole, uint32_t octant) {
    lt_dvec3 middle = lt_d3_scale(lt_d3_add(whole->lo, whole->hi), 0.5);
    part p = {whole->lo, middle};
    if (octant & 1) p.lo.x = middle.x, p.hi.x = whole->hi.x;
    if (octant & 2) p.lo.y = middle.y, p.hi.y = whole->hi.y;
    if (octant & 4) p.lo.z = middle.z, p.hi.z = whole->hi.z;
    return p;
}

static bool touches(const part *p, const lt_surface *surface, uint32_t triangle) {
    lt_dvec3 t[3];
    lt_triangle_corners(surface, triangle, t);
    lt_dvec3 lo = lt_d3_min(t[0], lt_d3_min(t[1], t[2])), hi = lt_d3_max(t[0], lt_d3_max(t[1], t[2]));
    return lo.x <= p->hi.x && lo.y <= p->hi.y && lo.z <= p->hi.z && hi.x >= p->lo.x && hi.y >= p->lo.y &&
           hi.z >= p->lo.z;
}

static part join(const part *a, const part *b) {
    return (part){lt_d3_min(a->lo, b->lo), lt_d3_max(a->hi, b->hi)};
}

/* Joins parts until at most `most` are left. */
static uint32_t join_parts(part *parts, uint32_t count, uint32_t most) {
    while (count > most) {
        uint32_t first = 0, second = 1;
        double least = INFINITY;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = i + 1; j < count; j++) {
                part both = join(&parts[i], &parts[j]);
                double size = lt_d3_distance(both.lo, both.hi);
                if (size >= least) continue;
                least = size;
                first = i, second = j;
            }
        parts[first] = join(&parts[first], &parts[second]);
        parts[second] = parts[--count];
    }
    return count;
}

static bool push_sphere(octree *o, const part *p, uint32_t parent, uint32_t level) {
    double radius = 0.5 * lt_d3_distance(p->lo, p->hi);
    lt_rest_sphere sphere = {.center = lt_d3_scale(lt_d3_add(p->lo, p->hi), 0.5),
                             .radius = radius,
                             .error = radius,
                             .parent = parent,
                             .level = level};
    return lt_array_push(o->spheres, &sphere) && lt_array_push(&o->parts, p);
}

/* The triangles of sphere `index` that touch the part become the newest sphere's. */
static bool push_members(octree *o, uint32_t index, const part *p) {
    size_t begin = ((const size_t *)o->ranges.items)[index],
           end = ((const size_t *)o->ranges.items)[index + 1];
    for (size_t i = begin; i < end; i++) {
        uint32_t triangle = ((const uint32_t *)o->members.items)[i];
        if (touches(p, o->surface, triangle) && !lt_array_push(&o->members, &triangle)) return false;
    }
    return lt_array_push(&o->ranges, &o->members.count);
}

static uint32_t touched_octants(const octree *o, uint32_t index, const part *whole, part parts[8]) {
    const size_t *ranges = o->ranges.items;
    const uint32_t *members = o->members.items;
    uint32_t count = 0;
    for (uint32_t octant = 0; octant < 8; octant++) {
        part p = octant_of(whole, octant);
        size_t i = ranges[index];
        while (i < ranges[index + 1] && !touches(&p, o->surface, members[i]))
            i++;
        if (i < ranges[index + 1]) parts[count++] = p;
    }
    return count;
}

static bool split(octree *o, uint32_t index) {
    part whole = ((const part *)o->parts.items)[index], parts[8];
    uint32_t count = touched_octants(o, index, &whole, parts);
    count = join_parts(parts, count, o->options->branching);
    lt_rest_sphere *parent = (lt_rest_sphere *)o->spheres->items + index;
    parent->first_child = (uint32_t)o->spheres->count;
    parent->child_count = count;
    uint32_t level = parent->level + 1;
    for (uint32_t i = 0; i < count; i++)
        if (!push_sphere(o, &parts[i], index, level) || !push_members(o, index, &parts[i])) return false;
    return true;
}

static bool begin(octree *o) {
    lt_box box = lt_surface_box(o->surface);
    lt_dvec3 lo = lt_d3_from_v3(box.lo), hi = lt_d3_from_v3(box.hi), size = lt_d3_sub(hi, lo);
    double half = 0.5 * lt_max_d(size.x, lt_max_d(size.y, size.z));
    lt_dvec3 middle = lt_d3_mad(lo, size, 0.5), corner = {half, half, half};
    part whole = {lt_d3_sub(middle, corner), lt_d3_add(middle, corner)};
    for (uint32_t t = 0; t < o->surface->triangle_count; t++)
        if (!lt_array_push(&o->members, &t)) return false;
    size_t zero = 0;
    return lt_array_push(&o->ranges, &zero) && lt_array_push(&o->ranges, &o->members.count) &&
           push_sphere(o, &whole, LT_NONE, 0);
}

lt_status lt_sphere_propose_octree(lt_array *spheres, const lt_surface *surface,
                                   const lt_sphere_options *options, lt_error *error) {
    octree o = {.surface = surface, .options = options, .spheres = spheres};
    o.parts = LT_ARRAY_OF(&options->allocator, part);
    o.ranges = LT_ARRAY_OF(&options->allocator, size_t);
    o.members = LT_ARRAY_OF(&options->allocator, uint32_t);
    bool ok = begin(&o);
    for (uint32_t i = 0; ok && i < spheres->count; i++)
        if (((const lt_rest_sphere *)spheres->items)[i].level < options->depth) ok = split(&o, i);
    lt_array_free(&o.parts);
    lt_array_free(&o.ranges);
    lt_array_free(&o.members);
    return ok ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory for its octree");
}
