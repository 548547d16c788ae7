/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* In the frame of a cube's centre, in half voxels, a voxel spans d - 1 … d + 1 with odd d on each axis, and the
 * half of a tet that lies in the cube is u >= v >= |w| with u towards the face, v towards the edge. Choosing u
 * largest and |w| smallest, the open voxel reaches into it when some v in between is left. */

#include "bake/stencil.h"

#include <stdlib.h>

static bool reaches(int u, int v, int w) {
    int least_w = abs(w) > 1 ? abs(w) - 1 : 0;
    int least = v - 1 > least_w ? v - 1 : least_w, most = v < u ? v + 1 : u + 1;
    return least < most;
}

/* Whether the voxel at `place` (along axis up to 2 n, else up to n) reaches into a tet of this type. */
static bool voxel_reaches(const lt_lattice_type *type, int n, const int place[3]) {
    int third = 3 - type->axis - type->side_axis, along = place[type->axis];
    int u = along < n ? 2 * along + 1 - n : -(2 * (along - n) + 1 - n);
    int v = type->side * (2 * place[type->side_axis] + 1 - n), w = 2 * place[third] + 1 - n;
    return u > 0 && reaches(u, v, w);
}

static size_t entry_index(const lt_lattice_type *type, int n, const int place[3]) {
    int third = 3 - type->axis - type->side_axis;
    return (size_t)((place[type->axis] * n + place[type->side_axis]) * n + place[third]);
}

uint16_t lt_stencil_entry(const lt_copies *copies, int type_index, const int place[3]) {
    const lt_lattice_type *type = &copies->types[type_index];
    int n = (int)copies->resolution;
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] < 0 || place[axis] >= (axis == type->axis ? 2 * n : n)) return LT_NO_ENTRY;
    return copies->stencils[type_index].entries[entry_index(type, n, place)];
}

/* Calls with every place of the type's box; counts entries when `s->places` is NULL, else fills them. */
static void scan_places(lt_tet_stencil *s, const lt_lattice_type *type, int n, const lt_voxels *voxels) {
    int ends[3] = {n, n, n}, place[3];
    ends[type->axis] = 2 * n;
    uint32_t count = 0;
    for (place[2] = 0; place[2] < ends[2]; place[2]++)
        for (place[1] = 0; place[1] < ends[1]; place[1]++)
            for (place[0] = 0; place[0] < ends[0]; place[0]++) {
                bool is_in = voxel_reaches(type, n, place);
                if (s->places) {
                    s->entries[entry_index(type, n, place)] = is_in ? (uint16_t)count : LT_NO_ENTRY;
                    if (is_in) {
                        for (int axis = 0; axis < 3; axis++)
                            s->places[3 * count + (uint32_t)axis] = (int16_t)place[axis];
                        s->offsets[count] = (int32_t)lt_voxel_at(voxels, (uint32_t)place[0],
                                                                 (uint32_t)place[1], (uint32_t)place[2]);
                    }
                }
                count += is_in;
            }
    s->count = count;
}

static bool fill_entries(lt_copies *c, int t) {
    lt_tet_stencil *s = &c->stencils[t];
    int n = (int)c->resolution;
    scan_places(s, &c->types[t], n, c->voxels);
    s->offsets = LT_NEW(&c->allocator, s->count, int32_t);
    s->neighbours = LT_NEW(&c->allocator, 6 * (size_t)s->count, uint16_t);
    s->entries = LT_NEW(&c->allocator, 2 * (size_t)(n * n * n), uint16_t);
    s->places = LT_NEW(&c->allocator, 3 * (size_t)s->count, int16_t);
    if (!s->offsets || !s->neighbours || !s->entries || !s->places) return false;
    scan_places(s, &c->types[t], n, c->voxels);
    for (uint32_t i = 0; i < 6 * s->count; i++) {
        int place[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            place[axis] = s->places[3 * (i / 6) + axis] + (i % 6 / 2 == axis ? (i % 2 ? 1 : -1) : 0);
        s->neighbours[i] = lt_stencil_entry(c, t, place);
    }
    return true;
}

/* The voxels that reach into the tet and into its neighbour across face k. */
static void scan_face(lt_copies *c, int t, int k) {
    lt_tet_stencil *s = &c->stencils[t];
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        int place[3];
        for (uint32_t axis = 0; axis < 3; axis++)
            place[axis] = s->places[3 * i + axis] - c->types[t].neighbour_cubes[k][axis] * (int)c->resolution;
        uint16_t there = lt_stencil_entry(c, c->types[t].neighbour_types[k], place);
        if (there == LT_NO_ENTRY) continue;
        if (s->face_pairs[k]) {
            s->face_pairs[k][2 * count] = (uint16_t)i;
            s->face_pairs[k][2 * count + 1] = there;
        }
        count++;
    }
    s->face_pair_counts[k] = count;
}

bool lt_stencils_build(lt_copies *copies) {
    for (int t = 0; t < LT_LATTICE_TYPES; t++)
        if (!fill_entries(copies, t)) return false;
    for (int t = 0; t < LT_LATTICE_TYPES; t++)
        for (int k = 0; k < 4; k++) {
            lt_tet_stencil *s = &copies->stencils[t];
            scan_face(copies, t, k);
            s->face_pairs[k] = LT_NEW(&copies->allocator, 2 * (size_t)s->face_pair_counts[k], uint16_t);
            if (!s->face_pairs[k]) return false;
            scan_face(copies, t, k);
        }
    return true;
}

void lt_stencils_free(lt_copies *copies) {
    size_t n = copies->resolution;
    for (int t = 0; t < LT_LATTICE_TYPES; t++) {
        lt_tet_stencil *s = &copies->stencils[t];
        LT_DELETE(&copies->allocator, s->offsets, s->count, int32_t);
        LT_DELETE(&copies->allocator, s->neighbours, 6 * (size_t)s->count, uint16_t);
        LT_DELETE(&copies->allocator, s->entries, 2 * n * n * n, uint16_t);
        LT_DELETE(&copies->allocator, s->places, 3 * (size_t)s->count, int16_t);
        for (int k = 0; k < 4; k++)
            LT_DELETE(&copies->allocator, s->face_pairs[k], 2 * (size_t)s->face_pair_counts[k], uint16_t);
        *s = (lt_tet_stencil){0};
    }
}
