/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Where the time goes: tens of thousands of tried moves, each against the thousand triangles around a node. A
 * plane per boundary face sorts out nearly all of them by their vertices, and the triangle that forbade the
 * last move is asked first; only the few that are left take an exact test.
 *
 * Rounding never decides containment: the planes keep a margin, and what is within it goes to the exact test
 * (sweeps) or stays in the list (distribution). */

#include "bake/pull_in.h"

#include "mesh/exact.h"

#include <math.h>
#include <string.h>

/* ---- begin and end ---- */

static bool fill_lists(lt_pull *p) {
    const lt_rows *owned = &p->copies->owned;
    for (uint32_t t = 0; t < p->copies->mesh.tet_count; t++) {
        p->is_alive[t] = 1;
        p->lists[t] = LT_ARRAY_OF(&p->allocator, uint32_t);
    }
    for (uint32_t t = 0; t < p->copies->mesh.tet_count; t++) {
        uint32_t count = lt_rows_count(owned, t);
        if (count == 0) continue;
        void *items = lt_array_grow(&p->lists[t], count);
        if (!items) return false;
        memcpy(items, lt_rows_at(owned, t), count * sizeof(uint32_t));
    }
    return true;
}

static bool allocate_state(lt_pull *p) {
    const lt_allocator *a = &p->allocator;
    uint32_t tet_count = p->copies->mesh.tet_count, node_count = p->copies->mesh.node_count;
    p->star.triangles = LT_ARRAY_OF(a, lt_star_triangle);
    p->star.vertices = LT_ARRAY_OF(a, lt_dvec3);
    p->star.vertex_bits = LT_ARRAY_OF(a, uint64_t);
    p->lists = LT_NEW(a, tet_count, lt_array);
    p->is_alive = LT_NEW(a, tet_count, uint8_t);
    p->steps = LT_NEW(a, node_count, double);
    p->blockers = LT_NEW(a, node_count, uint32_t);
    p->triangle_stamps = LT_NEW(a, p->surface.triangle_count, uint32_t);
    p->triangle_places = LT_NEW(a, p->surface.triangle_count, uint32_t);
    p->vertex_stamps = LT_NEW(a, p->surface.vertex_count, uint32_t);
    p->vertex_places = LT_NEW(a, p->surface.vertex_count, uint32_t);
    return p->lists && p->is_alive && p->steps && p->blockers && p->triangle_stamps && p->triangle_places &&
           p->vertex_stamps && p->vertex_places && fill_lists(p);
}

/* cos x by its series, for 0 to 45 degrees: the C library's bits differ between systems. */
static double cosine_of_degrees(double degrees) {
    double x = degrees * (3.14159265358979323846 / 180.0), s = x * x, sum = 1.0;
    for (int k = 16; k > 0; k -= 2)
        sum = 1.0 - s / (k * (k - 1.0)) * sum;
    return sum;
}

lt_status lt_pull_begin(lt_pull *out, lt_copies *copies, const lt_solid *solid, const lt_pull_params *params,
                        lt_error *error) {
    *out = (lt_pull){.copies = copies, .solid = solid, .surface = lt_solid_surface(solid)};
    out->allocator = copies->allocator;
    out->random = lt_random_seed(params->seed);
    out->max_cosine = cosine_of_degrees(params->min_dihedral);
    out->is_careful = params->is_careful;
    const lt_lattice *l = copies->lattice;
    double far = lt_d3_length(l->origin) + l->size * ((double)l->counts[0] + l->counts[1] + l->counts[2]);
    out->margin = 1e-9 * l->size + 1e-14 * far;
    lt_status status = lt_tet_adjacency_build(&out->adjacency, &copies->mesh, &out->allocator, error);
    if (status == LT_OK && !allocate_state(out))
        status = lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    if (status != LT_OK) {
        lt_pull_free(out);
        return status;
    }
    for (uint32_t n = 0; n < copies->mesh.node_count; n++) {
        out->steps[n] = 0.5 * l->size;
        out->blockers[n] = LT_NONE;
    }
    return LT_OK;
}

void lt_pull_free(lt_pull *pull) {
    if (!pull->copies) return;
    const lt_allocator *a = &pull->allocator;
    uint32_t tet_count = pull->copies->mesh.tet_count, node_count = pull->copies->mesh.node_count;
    for (uint32_t t = 0; t < tet_count && pull->lists; t++)
        if (pull->lists[t].items) lt_array_free(&pull->lists[t]);
    LT_DELETE(a, pull->lists, tet_count, lt_array);
    LT_DELETE(a, pull->is_alive, tet_count, uint8_t);
    LT_DELETE(a, pull->steps, node_count, double);
    LT_DELETE(a, pull->blockers, node_count, uint32_t);
    LT_DELETE(a, pull->triangle_stamps, pull->surface.triangle_count, uint32_t);
    LT_DELETE(a, pull->triangle_places, pull->surface.triangle_count, uint32_t);
    LT_DELETE(a, pull->vertex_stamps, pull->surface.vertex_count, uint32_t);
    LT_DELETE(a, pull->vertex_places, pull->surface.vertex_count, uint32_t);
    if (pull->star.triangles.items) lt_array_free(&pull->star.triangles);
    if (pull->star.vertices.items) lt_array_free(&pull->star.vertices);
    if (pull->star.vertex_bits.items) lt_array_free(&pull->star.vertex_bits);
    lt_tet_adjacency_free(&pull->adjacency);
    *pull = (lt_pull){0};
}

/* ---- the star of a node ---- */

static int corner_of(const uint32_t tet[4], uint32_t node) {
    for (int k = 0; k < 3; k++)
        if (tet[k] == node) return k;
    return 3;
}

/* Adds the boundary faces at the node of one tet; false when there are too many. */
static bool add_faces(lt_pull *p, uint32_t t) {
    lt_star *s = &p->star;
    const uint32_t *tet = lt_tet_at(&p->copies->mesh, t);
    for (int k = 0; k < 4; k++) {
        if (tet[k] == s->node || p->adjacency.neighbours[4 * (size_t)t + (size_t)k] != LT_NONE) continue;
        if (s->face_count == LT_STAR_LIMIT) return false;
        const uint8_t *f = lt_tet_face_corners[k];
        int at = tet[f[0]] == s->node ? 0 : tet[f[1]] == s->node ? 1 : 2;
        s->faces[s->face_count++] = (lt_star_face){tet[f[(at + 1) % 3]], tet[f[(at + 2) % 3]]};
    }
    return true;
}

/* Tets and boundary faces; false when there are too many. */
static bool gather_tets(lt_pull *p, uint32_t node) {
    lt_star *s = &p->star;
    s->node = node;
    s->tet_count = s->face_count = 0;
    const uint32_t *tets = lt_rows_at(&p->adjacency.node_tets, node);
    for (uint32_t i = 0; i < lt_rows_count(&p->adjacency.node_tets, node); i++) {
        if (!p->is_alive[tets[i]]) continue;
        if (s->tet_count == LT_STAR_LIMIT || !add_faces(p, tets[i])) return false;
        s->tets[s->tet_count++] = tets[i];
    }
    return true;
}

/* Bits of the star's other tets that are copies of the same tet of the lattice as tet i. */
static uint64_t twins_of(const lt_pull *p, uint32_t i) {
    const uint32_t *cells = p->copies->tet_cells, *tets = p->star.tets;
    uint64_t twins = 0;
    for (uint32_t j = 0; j < p->star.tet_count; j++)
        twins |= (uint64_t)(j != i && cells[tets[j]] == cells[tets[i]]) << j;
    return twins;
}

/* Which tets hang together: what is in one group before a move of the node is in it after. */
static void find_groups(lt_pull *p) {
    lt_star *s = &p->star;
    for (uint32_t i = 0; i < s->tet_count; i++) {
        s->groups[i] = (uint64_t)1 << i;
        for (uint32_t j = 0; j < s->tet_count; j++)
            for (size_t k = 0; k < 4; k++)
                if (p->adjacency.neighbours[4 * (size_t)s->tets[i] + k] == s->tets[j])
                    s->groups[i] |= (uint64_t)1 << j;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < s->tet_count; i++)
            for (uint32_t j = 0; j < s->tet_count; j++)
                if ((s->groups[i] >> j & 1) && (s->groups[i] | s->groups[j]) != s->groups[i]) {
                    s->groups[i] |= s->groups[j];
                    changed = true;
                }
    }
    s->has_twins = false;
    for (uint32_t i = 0; i < s->tet_count; i++)
        s->has_twins |= (twins_of(p, i) & s->groups[i]) != 0;
}

/* The place of a vertex in the star, LT_NONE when memory is out. */
static uint32_t place_vertex(lt_pull *p, uint32_t vertex) {
    if (p->vertex_stamps[vertex] == p->stamp) return p->vertex_places[vertex];
    lt_dvec3 position = lt_d3_from_v3(p->surface.positions[vertex]);
    uint64_t none = 0;
    if (!lt_array_push(&p->star.vertices, &position) || !lt_array_push(&p->star.vertex_bits, &none))
        return LT_NONE;
    p->vertex_stamps[vertex] = p->stamp;
    p->vertex_places[vertex] = (uint32_t)p->star.vertices.count - 1;
    return p->vertex_places[vertex];
}

static bool place_triangle(lt_pull *p, uint32_t triangle, uint64_t bit) {
    if (p->triangle_stamps[triangle] == p->stamp) {
        ((lt_star_triangle *)p->star.triangles.items)[p->triangle_places[triangle]].tets |= bit;
        return true;
    }
    lt_star_triangle entry = {.triangle = triangle, .tets = bit};
    for (int k = 0; k < 3; k++) {
        entry.vertices[k] = place_vertex(p, lt_triangle_at(&p->surface, triangle)[k]);
        if (entry.vertices[k] == LT_NONE) return false;
    }
    p->triangle_stamps[triangle] = p->stamp;
    p->triangle_places[triangle] = (uint32_t)p->star.triangles.count;
    return lt_array_push(&p->star.triangles, &entry);
}

/* The triangles in the lists of the star's tets, each once. False: out of memory. */
static bool gather_triangles(lt_pull *p) {
    lt_star *s = &p->star;
    s->triangles.count = s->vertices.count = s->vertex_bits.count = 0;
    p->stamp++;
    for (uint32_t i = 0; i < s->tet_count; i++) {
        const lt_array *list = &p->lists[s->tets[i]];
        for (size_t j = 0; j < list->count; j++)
            if (!place_triangle(p, ((const uint32_t *)list->items)[j], (uint64_t)1 << i)) return false;
    }
    return true;
}

/* ---- quality ---- */

/* The largest cosine of the six dihedrals; 2 when the volume is not positive. */
static double worst_cosine(const lt_dvec3 x[4]) {
    lt_dvec3 normals[4];
    if (!(lt_tet_volume(x[0], x[1], x[2], x[3]) > 0)) return 2.0;
    for (int k = 0; k < 4; k++) {
        const uint8_t *f = lt_tet_face_corners[k];
        lt_dvec3 n = lt_d3_cross(lt_d3_sub(x[f[1]], x[f[0]]), lt_d3_sub(x[f[2]], x[f[0]]));
        normals[k] = lt_d3_scale(n, 1.0 / lt_d3_length(n));
    }
    double worst = -1.0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            worst = lt_max_d(worst, -lt_d3_dot(normals[i], normals[j]));
    return worst;
}

/* Of all tets of the star, with the node at y; stops looking once it is above `limit`. */
static double star_cosine(const lt_pull *p, lt_dvec3 y, double limit) {
    const lt_tet_mesh *mesh = &p->copies->mesh;
    double worst = -1.0;
    for (uint32_t i = 0; i < p->star.tet_count && worst <= limit; i++) {
        const uint32_t *tet = lt_tet_at(mesh, p->star.tets[i]);
        lt_dvec3 x[4];
        for (int k = 0; k < 4; k++)
            x[k] = mesh->positions[tet[k]];
        x[corner_of(tet, p->star.node)] = y;
        worst = lt_max_d(worst, worst_cosine(x));
    }
    return worst;
}

/* ---- sweeps ---- */

/* Whether a triangle touches one of the tets swept by the boundary faces. */
static bool is_swept(lt_pull *p, uint32_t triangle, uint64_t faces, lt_dvec3 y) {
    const lt_dvec3 *positions = p->copies->mesh.positions;
    lt_dvec3 corners[3];
    lt_triangle_corners(&p->surface, triangle, corners);
    for (uint32_t f = 0; f < p->star.face_count; f++) {
        if (!(faces >> f & 1)) continue;
        const lt_dvec3 tet[4] = {positions[p->star.node], y, positions[p->star.faces[f].a],
                                 positions[p->star.faces[f].b]};
        if (!lt_exact_triangle_tet(corners, tet)) continue;
        p->star.blocked_face = f;
        return true;
    }
    return false;
}

/* Sets bit f of every vertex that is not clearly inside of face f, before and after the move. The swept tet is
 * beyond the new plane when the face moves inwards, beyond the old one when it moves outwards. */
static void mark_vertices(lt_pull *p, lt_dvec3 y) {
    const lt_star *s = &p->star;
    const lt_dvec3 *positions = p->copies->mesh.positions, *vertices = s->vertices.items;
    uint64_t *bits = s->vertex_bits.items;
    size_t count = s->vertices.count;
    memset(bits, 0, count * sizeof(uint64_t));
    for (uint32_t f = 0; f < s->face_count; f++) {
        lt_dvec3 x = positions[s->node], a = positions[s->faces[f].a], b = positions[s->faces[f].b];
        lt_dvec3 normal = lt_d3_cross(lt_d3_sub(a, y), lt_d3_sub(b, y)), at = y;
        if (lt_d3_dot(normal, lt_d3_sub(x, y)) <= 0) {
            normal = lt_d3_cross(lt_d3_sub(a, x), lt_d3_sub(b, x));
            at = x;
        }
        double limit = lt_d3_dot(normal, at) - p->margin * lt_d3_length(normal);
        for (size_t v = 0; v < count; v++)
            bits[v] |= (uint64_t) !(lt_d3_dot(normal, vertices[v]) < limit) << f;
    }
}

/* Whether nothing is swept when the node goes to y. */
static bool sweep_is_free(lt_pull *p, lt_dvec3 y) {
    lt_star *s = &p->star;
    uint32_t *blocker = &p->blockers[s->node];
    if (*blocker != LT_NONE && p->triangle_stamps[*blocker] == p->stamp &&
        is_swept(p, *blocker, ~(uint64_t)0, y))
        return false;
    mark_vertices(p, y);
    const lt_star_triangle *triangles = s->triangles.items;
    const uint64_t *bits = s->vertex_bits.items;
    for (size_t i = 0; i < s->triangles.count; i++) {
        const uint32_t *v = triangles[i].vertices;
        uint64_t faces = bits[v[0]] | bits[v[1]] | bits[v[2]];
        if (faces && is_swept(p, triangles[i].triangle, faces, y)) {
            *blocker = triangles[i].triangle;
            return false;
        }
    }
    return true;
}

/* ---- distribution ---- */

/* Sets the low four bits of every vertex: beyond which faces of the tet it clearly is. */
static void mark_beyond(lt_pull *p, uint32_t t) {
    const lt_star *s = &p->star;
    const uint32_t *tet = lt_tet_at(&p->copies->mesh, t);
    const lt_dvec3 *x = p->copies->mesh.positions, *vertices = s->vertices.items;
    uint64_t *bits = s->vertex_bits.items;
    memset(bits, 0, s->vertices.count * sizeof(uint64_t));
    for (int k = 0; k < 4; k++) {
        const uint8_t *f = lt_tet_face_corners[k];
        lt_dvec3 o = x[tet[f[0]]];
        lt_dvec3 normal = lt_d3_cross(lt_d3_sub(x[tet[f[1]]], o), lt_d3_sub(x[tet[f[2]]], o));
        double limit = lt_d3_dot(normal, o) + p->margin * lt_d3_length(normal);
        for (size_t v = 0; v < s->vertices.count; v++)
            bits[v] |= (uint64_t)(lt_d3_dot(normal, vertices[v]) > limit) << k;
    }
}

/* Gives the triangles of the star to the tets they now touch: all that no face plane keeps apart. A triangle
 * never changes to another group, nor to another copy of a tet that has it. */
static bool distribute(lt_pull *p) {
    lt_star *s = &p->star;
    const lt_star_triangle *triangles = s->triangles.items;
    for (uint32_t i = 0; i < s->tet_count; i++) {
        lt_array *list = &p->lists[s->tets[i]];
        const uint64_t self = (uint64_t)1 << i, twins = twins_of(p, i), *bits = s->vertex_bits.items;
        const uint64_t group = s->groups[i];
        mark_beyond(p, s->tets[i]);
        list->count = 0;
        for (size_t j = 0; j < s->triangles.count; j++) {
            const lt_star_triangle *t = &triangles[j];
            if (bits[t->vertices[0]] & bits[t->vertices[1]] & bits[t->vertices[2]]) continue;
            if (!(t->tets & group) || ((t->tets & twins & group) && !(t->tets & self))) continue;
            if (!lt_array_push(list, &t->triangle)) return false;
        }
    }
    return true;
}

/* ---- moves ---- */

static lt_dvec3 random_direction(lt_random *random) {
    for (;;) {
        lt_dvec3 d;
        d.x = lt_random_range(random, -1, 1);
        d.y = lt_random_range(random, -1, 1);
        d.z = lt_random_range(random, -1, 1);
        double length = lt_d3_length_squared(d);
        if (length > 0.01 && length < 1.0) return lt_d3_scale(d, 1.0 / sqrt(length));
    }
}

/* Of the carrier's volume, six times: outward. */
static lt_dvec3 volume_gradient(const lt_pull *p) {
    const lt_dvec3 *positions = p->copies->mesh.positions, x = positions[p->star.node];
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t f = 0; f < p->star.face_count; f++)
        sum = lt_d3_add(sum, lt_d3_cross(lt_d3_sub(positions[p->star.faces[f].a], x),
                                         lt_d3_sub(positions[p->star.faces[f].b], x)));
    return sum;
}

/* In cells: from how far nodes are brought to the surface, and how far beyond it; and the cosine of the least
 * dihedral (26 degrees) that is left to later moves. */
#define WARP_REACH  0.3
#define WARP_BEYOND 0.12
#define WARP_COSINE 0.9
enum { DIRECTION_COUNT = 8, SLIDE_COUNT = 4, HALVING_COUNT = 4 };
#define SLIDE_AWAY 0.05

/* Goes as far along `direction` as halving `*step` allows; whether it went anywhere. */
static bool go_along(lt_pull *p, lt_dvec3 direction, double *step) {
    lt_dvec3 *x = &p->copies->mesh.positions[p->star.node];
    p->star.blocked_face = LT_NONE;
    for (int i = 0; i <= HALVING_COUNT; i++, *step *= 0.5) {
        lt_dvec3 y = lt_d3_mad(*x, direction, *step);
        if (star_cosine(p, y, p->max_cosine) > p->max_cosine || !sweep_is_free(p, y)) continue;
        *x = y;
        return true;
    }
    return false;
}

/* The direction without its part against what forbade the last move: the plane through the other two nodes of the
 * face that met a triangle, and the corner of the triangle that is farthest out. */
static lt_dvec3 slide(const lt_pull *p, lt_dvec3 direction) {
    const lt_star *s = &p->star;
    if (s->blocked_face == LT_NONE) return direction;
    const lt_dvec3 *positions = p->copies->mesh.positions;
    lt_dvec3 a = positions[s->faces[s->blocked_face].a], b = positions[s->faces[s->blocked_face].b];
    lt_dvec3 corners[3],
        out = lt_d3_cross(lt_d3_sub(a, positions[s->node]), lt_d3_sub(b, positions[s->node]));
    lt_triangle_corners(&p->surface, p->blockers[s->node], corners);
    int farthest = 0;
    for (int k = 1; k < 3; k++)
        if (lt_d3_dot(out, corners[k]) > lt_d3_dot(out, corners[farthest])) farthest = k;
    lt_dvec3 normal = lt_d3_cross(lt_d3_sub(a, corners[farthest]), lt_d3_sub(b, corners[farthest]));
    normal = lt_d3_normalize_or(normal, (lt_dvec3){0, 0, 0});
    return lt_d3_mad(direction, normal,
                     (double)SLIDE_AWAY * fabs(lt_d3_dot(direction, normal)) - lt_d3_dot(direction, normal));
}

/* Moves a node of the boundary to where the carrier is smaller. */
static bool pull_node(lt_pull *p) {
    const double size = p->copies->lattice->size;
    double *best_step = &p->steps[p->star.node];
    bool has_moved = false, is_blocked = false;
    double reached = 0;
    lt_dvec3 down = lt_d3_neg(volume_gradient(p)), direction = down; /* the same wherever the node is */
    down = lt_d3_normalize_or(down, (lt_dvec3){0, 0, 0});
    if (lt_d3_length_squared(down) == 0) return false;
    for (int i = 0; i < DIRECTION_COUNT; i++) {
        if (i == 0)
            direction = down;
        else if (is_blocked && i <= SLIDE_COUNT)
            direction = slide(p, direction);
        else
            direction = lt_d3_add(lt_d3_scale(down, i % 2 ? 1.0 : 0.5), random_direction(&p->random));
        direction = lt_d3_normalize_or(direction, down);
        if (!(lt_d3_dot(direction, down) > 0.05)) continue;
        double step = *best_step;
        is_blocked = !go_along(p, direction, &step);
        if (is_blocked) continue;
        has_moved = true;
        reached = lt_max_d(reached, step);
    }
    *best_step = has_moved ? lt_min_d(2.0 * reached, 0.5 * size) : lt_max_d(0.3 * *best_step, 0.004 * size);
    return has_moved;
}

/* Moves an inner node to where the least dihedral around it is larger. */
static bool relax_node(lt_pull *p) {
    const lt_tet_mesh *mesh = &p->copies->mesh;
    lt_dvec3 *x = &mesh->positions[p->star.node], middle = {0, 0, 0};
    double before = star_cosine(p, *x, 2.0), step = 0.2 * p->copies->lattice->size;
    bool has_moved = false;
    for (uint32_t i = 0; i < p->star.tet_count; i++)
        for (int k = 0; k < 4; k++)
            middle = lt_d3_add(middle, mesh->positions[lt_tet_at(mesh, p->star.tets[i])[k]]);
    middle = lt_d3_scale(middle, 0.25 / p->star.tet_count);
    for (int i = 0; i < 8; i++) {
        lt_dvec3 y = i < 2 ? lt_d3_mad(*x, lt_d3_sub(middle, *x), i == 0 ? 1.0 : 0.5)
                           : lt_d3_mad(*x, random_direction(&p->random), step);
        double cosine = star_cosine(p, y, before);
        step *= 0.75;
        if (!(cosine < before - 1e-3)) continue;
        *x = y;
        before = cosine;
        has_moved = true;
    }
    return has_moved;
}

/* Moves an inner node that is near the surface a little beyond it: tets outside of it that had a sliver of solid
 * then have nothing, and can be peeled. */
static bool warp_node(lt_pull *p) {
    const double size = p->copies->lattice->size;
    lt_dvec3 *x = &p->copies->mesh.positions[p->star.node];
    uint32_t triangle;
    lt_closest_point closest;
    if (!lt_triangle_tree_closest(&p->solid->tree, *x, WARP_REACH * size, &triangle, &closest)) return false;
    lt_dvec3 out = lt_d3_sub(closest.point, *x);
    if (!lt_voxel_is_solid(p->copies->voxels->classes[lt_voxel_of(p->copies->voxels, *x)]))
        out = lt_d3_neg(out);
    out = lt_d3_normalize_or(out, (lt_dvec3){0, 0, 0});
    lt_dvec3 way = lt_d3_sub(lt_d3_mad(closest.point, out, WARP_BEYOND * size), *x);
    for (double share = 1.0; share > 0.6; share -= 0.1) {
        lt_dvec3 y = lt_d3_mad(*x, way, share);
        if (star_cosine(p, y, WARP_COSINE) > WARP_COSINE) continue;
        *x = y;
        return true;
    }
    return false;
}

static bool visit_node(lt_pull *p, uint32_t node, bool is_warping) {
    if (!gather_tets(p, node) || p->star.tet_count == 0) return true;
    if (is_warping && p->star.face_count > 0) return true;
    find_groups(p);
    if (p->is_careful && p->star.has_twins) return true;
    if (!gather_triangles(p)) return false;
    bool has_moved = is_warping ? warp_node(p) : p->star.face_count > 0 ? pull_node(p) : relax_node(p);
    p->moved_count += has_moved;
    return !has_moved || distribute(p);
}

/* ---- peeling ---- */

/* Whether a tet that no triangle touches is in the solid: all of it is, or nothing. Solid of another copy does
 * not count. */
static bool is_in_solid(const lt_pull *p, const uint32_t tet[4], const lt_dvec3 x[4]) {
    lt_dvec3 middle = lt_d3_scale(lt_d3_add(lt_d3_add(x[0], x[1]), lt_d3_add(x[2], x[3])), 0.25);
    uint8_t voxel_class = p->copies->voxels->classes[lt_voxel_of(p->copies->voxels, middle)];
    if (voxel_class == LT_VOXEL_OUTSIDE) return false;
    if (voxel_class == LT_VOXEL_INSIDE) {
        uint32_t owner = lt_copies_at(p->copies, middle);
        return p->copies->copy_count == 0 || owner == LT_NONE || lt_copies_share_node(p->copies, owner, tet);
    }
    return lt_winding_number_fast(&p->solid->winding, middle, 4.0) > 0.5;
}

static bool is_empty(const lt_pull *p, uint32_t t) {
    const uint32_t *tet = lt_tet_at(&p->copies->mesh, t), *list = p->lists[t].items;
    lt_dvec3 x[4], corners[3];
    for (int k = 0; k < 4; k++)
        x[k] = p->copies->mesh.positions[tet[k]];
    for (size_t i = 0; i < p->lists[t].count; i++) {
        lt_triangle_corners(&p->surface, list[i], corners);
        if (lt_exact_triangle_tet(corners, x)) return false;
    }
    return !is_in_solid(p, tet, x);
}

static void peel(lt_pull *p, uint32_t t) {
    uint32_t *neighbours = p->adjacency.neighbours;
    p->is_alive[t] = 0;
    p->lists[t].count = 0;
    p->peeled_count++;
    for (size_t k = 0; k < 4; k++) {
        uint32_t other = neighbours[4 * (size_t)t + k];
        if (other == LT_NONE) continue;
        for (size_t j = 0; j < 4; j++)
            if (neighbours[4 * (size_t)other + j] == t) neighbours[4 * (size_t)other + j] = LT_NONE;
    }
}

/* One layer at a time would do; going on within a pass is as good. */
static void peel_boundary(lt_pull *p) {
    for (uint32_t t = 0; t < p->copies->mesh.tet_count; t++) {
        bool is_outer = false;
        for (size_t k = 0; k < 4; k++)
            is_outer |= p->adjacency.neighbours[4 * (size_t)t + k] == LT_NONE;
        if (p->is_alive[t] && is_outer && is_empty(p, t)) peel(p, t);
    }
}

static lt_status visit_all(lt_pull *p, bool is_warping, lt_error *error) {
    for (uint32_t n = 0; n < p->copies->mesh.node_count; n++)
        if (!visit_node(p, n, is_warping)) return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    peel_boundary(p);
    return LT_OK;
}

lt_status lt_pull_warp(lt_pull *pull, lt_error *error) {
    return visit_all(pull, true, error);
}

lt_status lt_pull_round(lt_pull *pull, lt_error *error) {
    return visit_all(pull, false, error);
}
