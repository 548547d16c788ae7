/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Corners are joined by a union-find over (piece, corner): two corners are only ever joined when they stand for
 * the same node of the lattice, so a root is a node of the mesh. A piece that no triangle enters and that has
 * no inside voxel (its voxels are touched beyond the tet only) is dropped before anything is joined: it would
 * join what it should not. */

#include "bake/copies.h"

#include "bake/stencil.h"

#include <math.h>
#include <string.h>

enum { PIECE_LIMIT = 255 }; /* pieces of one tet that are told apart: a label is a byte */

/* A triangle in a tet of the lattice. */
typedef struct touch {
    uint32_t tet, triangle, piece;
} touch;

typedef struct building {
    lt_copies *out;
    const lt_surface *surface;
    bool is_split;
    lt_array touches;        /* touch, by tet */
    lt_array piece_is_solid; /* uint8_t, the piece has an inside voxel; later: is alive */
    uint32_t *roots;         /* [piece_count][4] union-find of corners */
    uint16_t *stack;         /* scratch of the flood */
    uint8_t *scratch;        /* labels of one tet */
} building;

/* ---- which tets, which pieces ---- */

static bool note_touch(void *context, uint32_t triangle, uint32_t tet) {
    building *b = context;
    touch t = {tet, triangle, 0};
    b->out->slots[tet] = 0;
    return lt_array_push(&b->touches, &t);
}

/* By tet, keeping the order of triangles: a counting sort over the slots of the tets that are kept. */
static bool sort_touches(building *b) {
    lt_copies *c = b->out;
    size_t count = b->touches.count, kept_count = c->kept.count;
    touch *from = b->touches.items, *to = LT_NEW(&c->allocator, count, touch);
    uint32_t *places = LT_NEW(&c->allocator, kept_count + 1, uint32_t);
    bool ok = to && places;
    if (ok) {
        for (size_t i = 0; i < count; i++)
            places[c->slots[from[i].tet] + 1]++;
        for (size_t k = 0; k < kept_count; k++)
            places[k + 1] += places[k];
        for (size_t i = 0; i < count; i++)
            to[places[c->slots[from[i].tet]]++] = from[i];
        memcpy(from, to, count * sizeof(touch));
    }
    LT_DELETE(&c->allocator, to, count, touch);
    LT_DELETE(&c->allocator, places, kept_count + 1, uint32_t);
    return ok;
}

static size_t first_voxel(const lt_copies *c, uint32_t tet) {
    uint32_t cube[3];
    lt_lattice_cube_place(c->lattice, tet / LT_LATTICE_TYPES, cube);
    uint32_t n = c->resolution;
    return lt_voxel_at(c->voxels, n * cube[0], n * cube[1], n * cube[2]);
}

/* Labels the component of entry `seed` within the tet; true when it has an inside voxel. */
static bool flood_piece(building *b, const lt_tet_stencil *s, const uint8_t *classes, uint16_t seed,
                        uint8_t label) {
    uint32_t depth = 0;
    bool has_inside = false;
    b->stack[depth++] = seed;
    b->scratch[seed] = label;
    while (depth > 0) {
        uint16_t entry = b->stack[--depth];
        has_inside |= classes[s->offsets[entry]] == LT_VOXEL_INSIDE;
        for (int k = 0; k < 6; k++) {
            uint16_t next = s->neighbours[6 * (size_t)entry + (size_t)k];
            if (next == LT_NO_ENTRY || b->scratch[next] || !lt_voxel_is_solid(classes[s->offsets[next]]))
                continue;
            b->scratch[next] = label;
            b->stack[depth++] = next;
        }
    }
    return has_inside;
}

/* Labels the pieces of a tet in b->scratch; `solid` gets which have inside voxels. Returns how many. */
static uint32_t label_pieces(building *b, uint32_t tet, uint8_t solid[PIECE_LIMIT]) {
    const lt_tet_stencil *s = &b->out->stencils[tet % LT_LATTICE_TYPES];
    const uint8_t *classes = b->out->voxels->classes + first_voxel(b->out, tet);
    uint32_t count = 0;
    memset(b->scratch, 0, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        if (b->scratch[i] || !lt_voxel_is_solid(classes[s->offsets[i]])) continue;
        if (count == 0 || (b->is_split && count < PIECE_LIMIT)) solid[count++] = 0;
        solid[count - 1] |= flood_piece(b, s, classes, (uint16_t)i, (uint8_t)count);
    }
    return count;
}

/* Keeps a tet that is touched or has a piece with an inside voxel. */
static bool keep_tet(building *b, uint32_t tet) {
    lt_copies *c = b->out;
    uint8_t solid[PIECE_LIMIT];
    uint32_t count = label_pieces(b, tet, solid);
    bool is_kept = c->slots[tet] != LT_NONE;
    for (uint32_t i = 0; i < count; i++)
        is_kept |= solid[i];
    if (!is_kept) return true;
    if (count == 0) solid[count++] = 0; /* touched at a face only, beyond its voxels */
    uint32_t label_count = c->stencils[tet % LT_LATTICE_TYPES].count;
    size_t begin = c->labels.count;
    uint32_t end = (uint32_t)b->piece_is_solid.count + count;
    c->slots[tet] = (uint32_t)c->kept.count;
    uint8_t *labels = lt_array_grow(&c->labels, label_count),
            *pieces = lt_array_grow(&b->piece_is_solid, count);
    if (!labels || !pieces || !lt_array_push(&c->kept, &tet) || !lt_array_push(&c->label_begins, &begin) ||
        !lt_array_push(&c->piece_begins, &end))
        return false;
    memcpy(labels, b->scratch, label_count);
    memcpy(pieces, solid, count);
    return true;
}

static bool cube_has_solid(const lt_copies *c, const uint32_t cube[3]) {
    uint32_t n = c->resolution;
    for (uint32_t z = n * cube[2]; z < n * cube[2] + n; z++)
        for (uint32_t y = n * cube[1]; y < n * cube[1] + n; y++) {
            const uint8_t *row = c->voxels->classes + lt_voxel_at(c->voxels, n * cube[0], y, z);
            for (uint32_t x = 0; x < n; x++)
                if (lt_voxel_is_solid(row[x])) return true;
        }
    return false;
}

static bool find_pieces(building *b, uint8_t *cube_is_solid) {
    lt_copies *c = b->out;
    const lt_lattice *l = c->lattice;
    const uint32_t strides[3] = {1, l->counts[0], l->counts[0] * l->counts[1]};
    uint32_t zero = 0, cube[3];
    for (uint32_t i = 0; i < l->cube_count; i++) {
        lt_lattice_cube_place(l, i, cube);
        cube_is_solid[i] = cube_has_solid(c, cube);
    }
    if (!lt_array_push(&c->piece_begins, &zero)) return false;
    for (uint32_t i = 0; i < l->cube_count; i++) {
        lt_lattice_cube_place(l, i, cube);
        for (uint32_t t = 0; t < LT_LATTICE_TYPES; t++) {
            uint32_t axis = t / 4, tet = LT_LATTICE_TYPES * i + t;
            if (cube[axis] + 1 >= l->counts[axis]) continue;
            bool may_be_solid = cube_is_solid[i] || cube_is_solid[i + strides[axis]];
            if ((may_be_solid || c->slots[tet] != LT_NONE) && !keep_tet(b, tet)) return false;
        }
    }
    c->piece_count = (uint32_t)b->piece_is_solid.count;
    return true;
}

/* ---- which piece a triangle belongs to ---- */

typedef struct polygon {
    lt_dvec3 points[8];
    int count;
} polygon;

static void clip_by_plane(polygon *p, lt_dvec3 normal, double offset) {
    polygon cut = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        lt_dvec3 a = p->points[i], b = p->points[(i + 1) % p->count];
        double da = lt_d3_dot(normal, a) - offset, db = lt_d3_dot(normal, b) - offset;
        if (da <= 0) cut.points[cut.count++] = a;
        if ((da < 0 && db > 0) || (da > 0 && db < 0))
            cut.points[cut.count++] = lt_d3_mad(a, lt_d3_sub(b, a), da / (da - db));
    }
    *p = cut;
}

/* The middle of the part of the triangle in the tet; of the whole triangle when rounding leaves nothing. */
static lt_dvec3 middle_in_tet(const lt_dvec3 triangle[3], const lt_dvec3 tet[4]) {
    polygon p = {{triangle[0], triangle[1], triangle[2]}, 3};
    for (int k = 0; k < 4 && p.count > 0; k++) {
        const uint8_t *f = lt_tet_face_corners[k];
        lt_dvec3 normal = lt_d3_cross(lt_d3_sub(tet[f[1]], tet[f[0]]), lt_d3_sub(tet[f[2]], tet[f[0]]));
        clip_by_plane(&p, normal, lt_d3_dot(normal, tet[f[0]]));
    }
    if (p.count == 0) p = (polygon){{triangle[0], triangle[1], triangle[2]}, 3};
    lt_dvec3 sum = {0, 0, 0};
    for (int i = 0; i < p.count; i++)
        sum = lt_d3_add(sum, p.points[i]);
    return lt_d3_scale(sum, 1.0 / p.count);
}

/* The label of the solid voxel of the tet that is nearest to the point; 1 when it has none at all. */
static uint8_t nearest_label(const lt_copies *c, uint32_t tet, const uint8_t *labels, lt_dvec3 point) {
    const lt_tet_stencil *s = &c->stencils[tet % LT_LATTICE_TYPES];
    uint32_t cube[3];
    lt_lattice_cube_place(c->lattice, tet / LT_LATTICE_TYPES, cube);
    double d[3], nearest = INFINITY;
    int place[3];
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = (lt_d3_get(point, axis) - lt_d3_get(c->voxels->origin, axis)) / c->voxels->size -
                  (double)(c->resolution * cube[axis]);
        place[axis] = (int)floor(d[axis]);
    }
    uint16_t entry = lt_stencil_entry(c, (int)(tet % LT_LATTICE_TYPES), place);
    if (entry != LT_NO_ENTRY && labels[entry]) return labels[entry];
    uint8_t best = 1;
    for (uint32_t i = 0; i < s->count; i++) {
        double sum = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            double away = s->places[3 * i + axis] + 0.5 - d[axis];
            sum += away * away;
        }
        if (labels[i] && sum < nearest) {
            nearest = sum;
            best = labels[i];
        }
    }
    return best;
}

static void assign_touches(building *b) {
    lt_copies *c = b->out;
    touch *touches = b->touches.items;
    uint8_t *is_alive = b->piece_is_solid.items;
    const uint32_t *piece_begins = c->piece_begins.items;
    for (size_t i = 0; i < b->touches.count; i++) {
        uint32_t slot = c->slots[touches[i].tet];
        uint32_t piece = piece_begins[slot];
        if (piece_begins[slot + 1] - piece > 1) {
            lt_dvec3 triangle[3], tet[4];
            lt_triangle_corners(b->surface, touches[i].triangle, triangle);
            lt_lattice_tet_positions(c->lattice, c->types, touches[i].tet, tet);
            const uint8_t *labels =
                (const uint8_t *)c->labels.items + ((const size_t *)c->label_begins.items)[slot];
            piece += nearest_label(c, touches[i].tet, labels, middle_in_tet(triangle, tet)) - 1u;
        }
        touches[i].piece = piece;
        is_alive[piece] = 1;
    }
}

/* ---- joining ---- */

static uint32_t find_root(uint32_t *roots, uint32_t i) {
    while (roots[i] != i) {
        roots[i] = roots[roots[i]];
        i = roots[i];
    }
    return i;
}

/* The lower index stays root, so that the order of joins does not matter. */
static void join(uint32_t *roots, uint32_t i, uint32_t j) {
    i = find_root(roots, i);
    j = find_root(roots, j);
    if (i < j)
        roots[j] = i;
    else
        roots[i] = j;
}

static uint32_t neighbour_slot(const lt_copies *c, uint32_t tet, int k) {
    const lt_lattice_type *type = &c->types[tet % LT_LATTICE_TYPES];
    uint32_t cube[3];
    lt_lattice_cube_place(c->lattice, tet / LT_LATTICE_TYPES, cube);
    for (int axis = 0; axis < 3; axis++) {
        cube[axis] += (uint32_t)(int)type->neighbour_cubes[k][axis];
        if (cube[axis] >= c->lattice->counts[axis]) return LT_NONE;
    }
    return c->slots[LT_LATTICE_TYPES * lt_lattice_cube(c->lattice, cube[0], cube[1], cube[2]) +
                    type->neighbour_types[k]];
}

/* Joins the corners that two pieces in neighbouring tets have at the face between them. */
static void join_pieces(building *b, uint32_t tet, int k, uint32_t piece, uint32_t other) {
    const lt_lattice_type *type = &b->out->types[tet % LT_LATTICE_TYPES];
    const lt_lattice_type *other_type = &b->out->types[type->neighbour_types[k]];
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4 && i != (uint32_t)k; j++) {
            bool is_same = true;
            for (int axis = 0; axis < 3; axis++)
                is_same &= type->corners[i][axis] ==
                           other_type->corners[j][axis] + 2 * type->neighbour_cubes[k][axis];
            if (is_same) join(b->roots, 4 * piece + i, 4 * other + j);
        }
}

static void join_across_face(building *b, uint32_t slot, int k) {
    lt_copies *c = b->out;
    uint32_t tet = ((const uint32_t *)c->kept.items)[slot], other = neighbour_slot(c, tet, k);
    if (other == LT_NONE || other < slot) return; /* from the lower side only */
    const size_t *begins = c->label_begins.items;
    const uint32_t *piece_begins = c->piece_begins.items;
    const uint8_t *labels = c->labels.items, *is_alive = b->piece_is_solid.items;
    const lt_tet_stencil *s = &c->stencils[tet % LT_LATTICE_TYPES];
    uint32_t last = LT_NONE, last_other = LT_NONE;
    if (!b->is_split) { /* joined whether they share a voxel or not */
        join_pieces(b, tet, k, piece_begins[slot], piece_begins[other]);
        return;
    }
    for (uint32_t i = 0; i < s->face_pair_counts[k]; i++) {
        uint8_t here = labels[begins[slot] + s->face_pairs[k][2 * i]];
        uint8_t there = labels[begins[other] + s->face_pairs[k][2 * i + 1]];
        if (!here || !there) continue;
        uint32_t p = piece_begins[slot] + here - 1, q = piece_begins[other] + there - 1;
        if ((p == last && q == last_other) || !is_alive[p] || !is_alive[q]) continue;
        join_pieces(b, tet, k, p, q);
        last = p;
        last_other = q;
    }
}

static int shared_corner_count(building *b, uint32_t p, uint32_t q) {
    int count = 0;
    for (uint32_t i = 0; i < 4; i++)
        count += find_root(b->roots, 4 * p + i) == find_root(b->roots, 4 * q + i);
    return count;
}

/* Makes one of copies of a tet that share three corners, until there are none. */
static void merge_copies(building *b) {
    const uint32_t *begins = b->out->piece_begins.items;
    const uint8_t *is_alive = b->piece_is_solid.items;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t slot = 0; slot < b->out->kept.count; slot++)
            for (uint32_t p = begins[slot]; p < begins[slot + 1]; p++)
                for (uint32_t q = p + 1; q < begins[slot + 1]; q++) {
                    if (!is_alive[p] || !is_alive[q] || shared_corner_count(b, p, q) != 3) continue;
                    for (uint32_t i = 0; i < 4; i++)
                        join(b->roots, 4 * p + i, 4 * q + i);
                    changed = true;
                }
    }
}

static bool join_all(building *b) {
    lt_copies *c = b->out;
    b->roots = LT_NEW(&c->allocator, 4 * (size_t)c->piece_count, uint32_t);
    if (!b->roots) return false;
    for (uint32_t i = 0; i < 4 * c->piece_count; i++)
        b->roots[i] = i;
    for (uint32_t slot = 0; slot < c->kept.count; slot++)
        for (int k = 0; k < 4; k++)
            join_across_face(b, slot, k);
    merge_copies(b);
    return true;
}

/* ---- the mesh ---- */

/* Numbers the pieces that are alive; merged ones get the number of the first. */
static bool number_tets(building *b, uint32_t *tet_count) {
    lt_copies *c = b->out;
    const uint32_t *begins = c->piece_begins.items;
    const uint8_t *is_alive = b->piece_is_solid.items;
    c->piece_tets = LT_NEW(&c->allocator, c->piece_count, uint32_t);
    if (!c->piece_tets) return false;
    uint32_t count = 0, cell_count = 0;
    for (size_t slot = 0; slot < c->kept.count; slot++) {
        uint32_t before = count;
        for (uint32_t p = begins[slot]; p < begins[slot + 1]; p++) {
            c->piece_tets[p] = LT_NONE;
            for (uint32_t q = begins[slot]; q < p && is_alive[p]; q++)
                if (is_alive[q] && shared_corner_count(b, p, q) == 4) c->piece_tets[p] = c->piece_tets[q];
            if (is_alive[p] && c->piece_tets[p] == LT_NONE) c->piece_tets[p] = count++;
        }
        cell_count += count > before;
    }
    c->copy_count = count - cell_count;
    *tet_count = count;
    return true;
}

static void write_tet(building *b, uint32_t *numbers, uint32_t slot, uint32_t piece) {
    lt_copies *c = b->out;
    uint32_t tet = c->piece_tets[piece], cell = ((const uint32_t *)c->kept.items)[slot];
    lt_dvec3 positions[4];
    lt_lattice_tet_positions(c->lattice, c->types, cell, positions);
    c->tet_cells[tet] = cell;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t node = numbers[find_root(b->roots, 4 * piece + i)];
        c->mesh.tets[4 * (size_t)tet + i] = node;
        c->mesh.positions[node] = positions[i];
    }
}

static lt_status write_mesh(building *b, lt_error *error) {
    lt_copies *c = b->out;
    uint32_t tet_count = 0, node_count = 0;
    uint32_t *numbers = LT_NEW(&c->allocator, 4 * (size_t)c->piece_count, uint32_t);
    if (!numbers || !number_tets(b, &tet_count)) {
        LT_DELETE(&c->allocator, numbers, 4 * (size_t)c->piece_count, uint32_t);
        return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    }
    for (uint32_t i = 0; i < 4 * c->piece_count; i++) /* a root has the lowest index of its set */
        if (c->piece_tets[i / 4] != LT_NONE && find_root(b->roots, i) == i) numbers[i] = node_count++;
    lt_status status = lt_tet_mesh_allocate(&c->mesh, node_count, tet_count, &c->allocator, error);
    if (status == LT_OK) c->tet_cells = LT_NEW(&c->allocator, tet_count, uint32_t);
    if (status == LT_OK && !c->tet_cells) status = lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    const uint32_t *begins = c->piece_begins.items;
    for (uint32_t slot = 0; slot < c->kept.count && status == LT_OK; slot++)
        for (uint32_t p = begins[slot]; p < begins[slot + 1]; p++)
            if (c->piece_tets[p] != LT_NONE) write_tet(b, numbers, slot, p);
    LT_DELETE(&c->allocator, numbers, 4 * (size_t)c->piece_count, uint32_t);
    return status;
}

static bool write_owned(building *b) {
    lt_copies *c = b->out;
    const touch *touches = b->touches.items;
    size_t count = b->touches.count;
    c->owned.row_count = c->mesh.tet_count;
    c->owned.item_count = (uint32_t)count;
    c->owned.offsets = LT_NEW(&c->allocator, (size_t)c->mesh.tet_count + 2, uint32_t);
    c->owned.items = LT_NEW(&c->allocator, count, uint32_t);
    if (!c->owned.offsets || !c->owned.items) return false;
    uint32_t *ends = c->owned.offsets + 1; /* of each row, once it is filled */
    for (size_t i = 0; i < count; i++)
        ends[c->piece_tets[touches[i].piece] + 1]++;
    for (uint32_t t = 0; t < c->mesh.tet_count; t++)
        ends[t + 1] += ends[t];
    for (size_t i = 0; i < count; i++)
        c->owned.items[ends[c->piece_tets[touches[i].piece]]++] = touches[i].triangle;
    return true;
}

static lt_status build(building *b, uint8_t *cube_is_solid, lt_error *error) {
    lt_copies *c = b->out;
    bool ok = lt_lattice_each_touch(c->lattice, c->types, b->surface, note_touch, b) &&
              find_pieces(b, cube_is_solid) && sort_touches(b);
    if (ok) assign_touches(b);
    if (!ok || !join_all(b)) return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    lt_status status = write_mesh(b, error);
    if (status == LT_OK && !write_owned(b))
        status = lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    return status;
}

static uint32_t longest_stencil(const lt_copies *c) {
    uint32_t longest = 0;
    for (int t = 0; t < LT_LATTICE_TYPES; t++)
        longest = lt_max_u32(longest, c->stencils[t].count);
    return longest;
}

lt_status lt_copies_build(lt_copies *out, const lt_lattice *lattice, const lt_voxels *voxels,
                          uint32_t resolution, const lt_surface *surface, bool is_split,
                          const lt_allocator *allocator, lt_error *error) {
    *out = (lt_copies){.lattice = lattice, .voxels = voxels, .resolution = resolution};
    out->allocator = allocator ? *allocator : lt_allocator_default();
    const lt_allocator *a = &out->allocator;
    lt_lattice_types(out->types);
    out->kept = LT_ARRAY_OF(a, uint32_t);
    out->label_begins = LT_ARRAY_OF(a, size_t);
    out->labels = LT_ARRAY_OF(a, uint8_t);
    out->piece_begins = LT_ARRAY_OF(a, uint32_t);
    building b = {.out = out, .surface = surface, .is_split = is_split};
    b.touches = LT_ARRAY_OF(a, touch);
    b.piece_is_solid = LT_ARRAY_OF(a, uint8_t);
    size_t slot_count = LT_LATTICE_TYPES * (size_t)lattice->cube_count;
    bool ok = lt_stencils_build(out);
    uint32_t longest = longest_stencil(out);
    out->slots = LT_NEW(a, slot_count, uint32_t);
    b.stack = LT_NEW(a, longest, uint16_t);
    b.scratch = LT_NEW(a, longest, uint8_t);
    uint8_t *cube_is_solid = LT_NEW(a, lattice->cube_count, uint8_t);
    lt_status status = LT_OK;
    if (!ok || !out->slots || !b.stack || !b.scratch || !cube_is_solid) {
        status = lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    } else {
        for (size_t i = 0; i < slot_count; i++)
            out->slots[i] = LT_NONE;
        status = build(&b, cube_is_solid, error);
    }
    LT_DELETE(a, b.roots, 4 * (size_t)out->piece_count, uint32_t);
    LT_DELETE(a, b.stack, longest, uint16_t);
    LT_DELETE(a, b.scratch, longest, uint8_t);
    LT_DELETE(a, cube_is_solid, lattice->cube_count, uint8_t);
    lt_array_free(&b.touches);
    lt_array_free(&b.piece_is_solid);
    if (status != LT_OK) lt_copies_free(out);
    return status;
}

void lt_copies_free(lt_copies *copies) {
    const lt_allocator *a = &copies->allocator;
    if (!copies->lattice) return;
    lt_stencils_free(copies);
    LT_DELETE(a, copies->slots, LT_LATTICE_TYPES * (size_t)copies->lattice->cube_count, uint32_t);
    LT_DELETE(a, copies->piece_tets, copies->piece_count, uint32_t);
    LT_DELETE(a, copies->tet_cells, copies->mesh.tet_count, uint32_t);
    LT_DELETE(a, copies->owned.offsets, (size_t)copies->owned.row_count + 2, uint32_t);
    LT_DELETE(a, copies->owned.items, copies->owned.item_count, uint32_t);
    lt_tet_mesh_free(&copies->mesh);
    lt_array_free(&copies->kept);
    lt_array_free(&copies->label_begins);
    lt_array_free(&copies->labels);
    lt_array_free(&copies->piece_begins);
    *copies = (lt_copies){0};
}

uint32_t lt_copies_at(const lt_copies *copies, lt_dvec3 point) {
    double slack;
    uint32_t cell = lt_lattice_locate(copies->lattice, point, &slack), slot = copies->slots[cell], cube[3];
    if (slot == LT_NONE) return LT_NONE;
    int place[3];
    lt_lattice_cube_place(copies->lattice, cell / LT_LATTICE_TYPES, cube);
    for (int axis = 0; axis < 3; axis++) {
        double at = (lt_d3_get(point, axis) - lt_d3_get(copies->voxels->origin, axis)) / copies->voxels->size;
        place[axis] = (int)floor(at) - (int)(copies->resolution * cube[axis]);
    }
    uint16_t entry = lt_stencil_entry(copies, (int)(cell % LT_LATTICE_TYPES), place);
    if (entry == LT_NO_ENTRY) return LT_NONE;
    uint8_t label =
        ((const uint8_t *)copies->labels.items)[((const size_t *)copies->label_begins.items)[slot] + entry];
    if (!label) return LT_NONE;
    return copies->piece_tets[((const uint32_t *)copies->piece_begins.items)[slot] + label - 1u];
}

bool lt_copies_share_node(const lt_copies *copies, uint32_t tet, const uint32_t nodes[4]) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (lt_tet_at(&copies->mesh, tet)[i] == nodes[j]) return true;
    return false;
}
