/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The stages in order. Each leaves the carrier around the surface; the last proves it. Should the proof fail
 * (a triangle went to the wrong one of two copies), the work is done again in a way that leaves less room for
 * it. */

#include "bake/enclose.h"

#include "bake/cell_size.h"
#include "bake/fill.h"
#include "bake/pull_in.h"
#include "bake/walk.h"
#include "mesh/exact.h"

#include <math.h>
#include <string.h>

/* Voxels of the two grids: to tell inside from outside, and to tell pieces apart. */
#define COARSE_VOXELS 3e6
#define FINE_VOXELS   6.4e7
#define FINEST        32u
#define COARSEST      4u
/* Tets before warping for each that is left after it, and of those the share that is left in the end. */
#define WARP_SURPLUS 1.28
#define PEEL_SHARE   0.975
/* How often the size of cells is chosen anew because of copies, and the share by which the count may be off. */
#define LAYOUT_ATTEMPTS 3
#define COUNT_TOLERANCE 0.08

/* In the order in which they are tried, until one is proved. */
typedef enum way_of_work {
    WAY_PLAIN,
    WAY_CAREFUL,        /* nodes where copies hang together stay where they are */
    WAY_WITHOUT_COPIES, /* containment does not depend on voxels at all */
    WAY_COUNT
} way_of_work;

typedef struct work {
    /* Input */
    const lt_surface *surface;
    const lt_enclose_def *def;
    const lt_allocator *allocator;
    /* State */
    lt_solid solid;
    lt_voxels coarse, fine;
    lt_lattice lattice;
    lt_copies copies;
    lt_pull pull;
    double lattice_volume;
} work;

lt_enclose_def lt_enclose_def_default(void) {
    return (lt_enclose_def){
        .target_tets = 2000, .min_dihedral = 18.0f, .rounds = 14, .resolution = FINEST, .seed = 1};
}

static lt_status check_def(const lt_enclose_def *def, lt_error *error) {
    if (def->target_tets < LT_ENCLOSE_LEAST_TETS || def->target_tets > LT_ENCLOSE_MOST_TETS)
        return lt_fail(error, LT_STATUS_INVALID,
                       "enclose: the target must be %d to %d tets, not %u: a body "
                       "needs some hundred to bend, some thousand to bend well",
                       LT_ENCLOSE_LEAST_TETS, LT_ENCLOSE_MOST_TETS, def->target_tets);
    if (!(def->min_dihedral >= 1.0f && def->min_dihedral <= 45.0f))
        return lt_fail(error, LT_STATUS_INVALID,
                       "enclose: the least dihedral must be 1 to 45 degrees, not %g",
                       (double)def->min_dihedral);
    if (def->rounds > 100)
        return lt_fail(error, LT_STATUS_INVALID, "enclose: the rounds of pulling in must be 0 to 100, not %u",
                       def->rounds);
    if (def->resolution < COARSEST || def->resolution > FINEST || def->resolution % 2 != 0)
        return lt_fail(error, LT_STATUS_INVALID, "enclose: voxels a cell must be even, %u to %u, not %u",
                       COARSEST, FINEST, def->resolution);
    return LT_OK;
}

static lt_status report(const work *w, const char *stage, float share, lt_error *error) {
    if (w->def->progress && !w->def->progress(w->def->progress_context, stage, share))
        return lt_fail(error, LT_STATUS_CANCELLED, "enclose: cancelled while %s", stage);
    return LT_OK;
}

/* ---- solid ---- */

/* Some voxels for each tet wanted. */
static lt_status find_solid(work *w, lt_error *error) {
    const lt_enclose_def *def = w->def;
    double most = lt_min_d(COARSE_VOXELS, 2e4 + 1.5 * def->target_tets * def->resolution * def->resolution);
    lt_status status = report(w, "finding the inside", 0, error);
    if (status == LT_OK) status = lt_solid_find(&w->solid, &w->coarse, w->surface, most, w->allocator, error);
    return status;
}

/* ---- lattice and copies ---- */

static uint32_t choose_resolution(const lt_lattice *l, uint32_t n) {
    while (n > COARSEST && (double)l->cube_count * n * n * n > FINE_VOXELS)
        n -= 2;
    return n;
}

/* The tets of the placed lattice, warped; what is left of them is what counts. */
static lt_status lay_out(work *w, way_of_work way, lt_error *error) {
    lt_status status = report(w, "laying out tets", 0, error);
    if (status != LT_OK) return status;
    uint32_t n = choose_resolution(&w->lattice, w->def->resolution);
    w->fine.origin = w->lattice.origin;
    w->fine.size = w->lattice.size / n;
    for (int axis = 0; axis < 3; axis++)
        w->fine.counts[axis] = n * w->lattice.counts[axis];
    status = lt_voxels_build(&w->fine, &w->solid, false, w->allocator, error);
    if (status == LT_OK) status = report(w, "laying out tets", 0.5f, error);
    lt_surface surface = lt_solid_surface(&w->solid);
    if (status == LT_OK)
        status = lt_copies_build(&w->copies, &w->lattice, &w->fine, n, &surface, way != WAY_WITHOUT_COPIES,
                                 w->allocator, error);
    lt_pull_params params = {w->def->min_dihedral, w->def->seed, way == WAY_CAREFUL};
    if (status == LT_OK) w->lattice_volume = lt_tet_mesh_volume(&w->copies.mesh);
    if (status == LT_OK) status = lt_pull_begin(&w->pull, &w->copies, &w->solid, &params, error);
    if (status == LT_OK && w->def->rounds > 0) status = lt_pull_warp(&w->pull, error);
    return status;
}

static void forget_layout(work *w) {
    lt_pull_free(&w->pull);
    lt_copies_free(&w->copies);
    lt_voxels_free(&w->fine);
}

/* Copies come on top of what the search for a size counted: when they are many, cells are made larger. The
 * best of what was tried is kept; counts jump where the lattice fits the surface by chance. */
static lt_status lay_out_to_target(work *w, way_of_work way, lt_error *error) {
    lt_status status = report(w, "choosing the size of cells", 0, error);
    lt_surface surface = lt_solid_surface(&w->solid);
    lt_lattice best = {0};
    double wanted = w->def->target_tets * (w->def->rounds > 0 ? WARP_SURPLUS : 1.0), best_error = INFINITY;
    for (int attempt = 0; attempt < LAYOUT_ATTEMPTS && status == LT_OK; attempt++) {
        uint32_t target = (uint32_t)lt_max_d(1.0, wanted + 0.5);
        status = lt_cell_size_find(&w->lattice, &surface, &w->coarse, target, w->allocator, error);
        if (status == LT_OK) status = lay_out(w, way, error);
        if (status != LT_OK) return status;
        double left = (double)w->copies.mesh.tet_count - w->pull.peeled_count;
        double ratio = PEEL_SHARE * left / w->def->target_tets;
        if (fabs(ratio - 1.0) < COUNT_TOLERANCE) return LT_OK;
        if (fabs(ratio - 1.0) < best_error) {
            best_error = fabs(ratio - 1.0);
            best = w->lattice;
        }
        wanted /= ratio;
        forget_layout(w);
    }
    w->lattice = best;
    return status == LT_OK ? lay_out(w, way, error) : status;
}

/* ---- result ---- */

/* The tets that are left and the nodes they use, in their order. */
static lt_status take_mesh(const work *w, lt_enclosure *out, lt_error *error) {
    const lt_tet_mesh *mesh = &w->copies.mesh;
    uint32_t *numbers = LT_NEW(w->allocator, mesh->node_count, uint32_t);
    if (!numbers) return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    uint32_t tet_count = 0, node_count = 0;
    for (uint32_t t = 0; t < mesh->tet_count; t++) {
        if (!w->pull.is_alive[t]) continue;
        for (int k = 0; k < 4; k++)
            numbers[lt_tet_at(mesh, t)[k]] = 1;
        tet_count++;
    }
    for (uint32_t n = 0; n < mesh->node_count; n++)
        numbers[n] = numbers[n] ? node_count++ : LT_NONE;
    lt_status status = lt_tet_mesh_allocate(&out->mesh, node_count, tet_count, w->allocator, error);
    if (status == LT_OK) {
        uint32_t *corner = out->mesh.tets;
        for (uint32_t n = 0; n < mesh->node_count; n++)
            if (numbers[n] != LT_NONE) out->mesh.positions[numbers[n]] = mesh->positions[n];
        for (uint32_t t = 0; t < mesh->tet_count; t++)
            for (int k = 0; k < 4 && w->pull.is_alive[t]; k++)
                *corner++ = numbers[lt_tet_at(mesh, t)[k]];
    }
    LT_DELETE(w->allocator, numbers, mesh->node_count, uint32_t);
    return status;
}

/* Numbers of the tets that are left change; those of nodes do not, which the fill relies on. */
static void drop_dead_tets(work *w, lt_tet_mesh *view, uint32_t *tets) {
    const lt_tet_mesh *mesh = &w->copies.mesh;
    *view = *mesh;
    view->tets = tets;
    view->tet_count = 0;
    for (uint32_t t = 0; t < mesh->tet_count; t++)
        if (w->pull.is_alive[t])
            memcpy(tets + 4 * (size_t)view->tet_count++, lt_tet_at(mesh, t), 4 * sizeof(uint32_t));
}

static lt_status take_fill(work *w, lt_enclosure *out, lt_error *error) {
    size_t corner_count = 4 * (size_t)w->copies.mesh.tet_count;
    uint32_t *tets = LT_NEW(w->allocator, corner_count, uint32_t);
    out->fill = LT_NEW(w->allocator, out->mesh.tet_count, float);
    if (tets && out->fill) {
        lt_tet_mesh view;
        drop_dead_tets(w, &view, tets);
        if (out->is_sheet)
            for (uint32_t t = 0; t < out->mesh.tet_count; t++)
                out->fill[t] = 1.0f;
        else
            lt_fill_compute(out->fill, &view, &w->copies, out->solid_volume);
    }
    bool ok = tets && out->fill;
    LT_DELETE(w->allocator, tets, corner_count, uint32_t);
    return ok ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
}

/* The first tet that has a vertex's triangle in its list and the vertex inside: right unless copies overlap. */
static void guess_vertex_tets(const work *w, uint32_t *vertex_tets) {
    uint32_t number = 0;
    for (uint32_t t = 0; t < w->copies.mesh.tet_count; t++) {
        if (!w->pull.is_alive[t]) continue;
        lt_dvec3 corners[4];
        for (int k = 0; k < 4; k++)
            corners[k] = w->copies.mesh.positions[lt_tet_at(&w->copies.mesh, t)[k]];
        const uint32_t *list = w->pull.lists[t].items;
        for (size_t i = 0; i < w->pull.lists[t].count; i++)
            for (int k = 0; k < 3 && list[i] < w->surface->triangle_count; k++) {
                uint32_t vertex = lt_triangle_at(w->surface, list[i])[k];
                if (vertex_tets[vertex] == LT_NONE &&
                    lt_exact_point_tet(lt_d3_from_v3(w->surface->positions[vertex]), corners))
                    vertex_tets[vertex] = number;
            }
        number++;
    }
}

static lt_status take_vertex_tets(const work *w, lt_enclosure *out, lt_error *error) {
    lt_tet_adjacency adjacency;
    lt_walk walk = {0};
    out->vertex_count = w->surface->vertex_count;
    out->vertex_tets = LT_NEW(w->allocator, out->vertex_count, uint32_t);
    if (!out->vertex_tets) return lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    for (uint32_t v = 0; v < out->vertex_count; v++)
        out->vertex_tets[v] = LT_NONE;
    guess_vertex_tets(w, out->vertex_tets);
    lt_status status = lt_tet_adjacency_build(&adjacency, &out->mesh, w->allocator, error);
    if (status != LT_OK) return status;
    if (!lt_walk_begin(&walk, w->surface, &out->mesh, &adjacency, w->allocator) ||
        !lt_vertex_tets_settle(&walk, out->vertex_tets))
        status = lt_fail(error, LT_STATUS_MEMORY, "enclose: out of memory");
    lt_walk_free(&walk);
    lt_tet_adjacency_free(&adjacency);
    return status;
}

static lt_status take_result(work *w, lt_enclosure *out, lt_error *error) {
    out->is_sheet = w->fine.inside_region_count == 0;
    out->solid_volume = out->is_sheet ? 0.0 : lt_solid_volume(&w->solid, &w->fine);
    out->lattice_volume = w->lattice_volume;
    out->cell_size = w->lattice.size;
    out->voxels_a_cell = w->copies.resolution;
    out->copy_count = w->copies.copy_count;
    out->inside_out_count = w->fine.inside_out_region_count;
    out->moved_node_count = w->pull.moved_count;
    out->peeled_tet_count = w->pull.peeled_count;
    for (uint32_t cap = 0; cap < w->solid.cap_count; cap++)
        out->cap_count += w->solid.cap_begins[cap + 1] > w->solid.cap_begins[cap];
    lt_status status = take_mesh(w, out, error);
    if (status == LT_OK) status = take_fill(w, out, error);
    if (status == LT_OK) status = take_vertex_tets(w, out, error);
    if (status == LT_OK) out->carrier_volume = lt_tet_mesh_volume(&out->mesh);
    return status;
}

static lt_status pull_in(work *w, lt_error *error) {
    lt_status status = LT_OK;
    for (uint32_t round = 0; round < w->def->rounds && status == LT_OK; round++) {
        status = report(w, "pulling in", (float)round / (float)w->def->rounds, error);
        if (status == LT_OK) status = lt_pull_round(&w->pull, error);
    }
    return status;
}

/* The careful way begins with the lattice that the plain one found. */
static lt_status enclose_once(work *w, way_of_work way, lt_enclosure *out, lt_error *error) {
    out->allocator = w->allocator ? *w->allocator : lt_allocator_default();
    lt_status status = way == WAY_CAREFUL ? lay_out(w, way, error) : lay_out_to_target(w, way, error);
    if (status == LT_OK) status = pull_in(w, error);
    if (status == LT_OK) status = report(w, "filling and proving", 0, error);
    if (status == LT_OK) status = take_result(w, out, error);
    out->is_glued = way == WAY_WITHOUT_COPIES;
    forget_layout(w);
    if (status != LT_OK) lt_enclosure_free(out);
    return status;
}

lt_status lt_enclose(const lt_surface *surface, const lt_enclose_def *def, lt_enclosure *out,
                     lt_error *error) {
    *out = (lt_enclosure){0};
    lt_status status = lt_surface_check(surface, "enclose", error);
    if (status == LT_OK) status = check_def(def, error);
    if (status != LT_OK) return status;
    work w = {.surface = surface, .def = def, .allocator = def->allocator};
    status = find_solid(&w, error);
    for (int way = 0; way < WAY_COUNT && status == LT_OK; way++) {
        status = enclose_once(&w, (way_of_work)way, out, error);
        if (status != LT_OK) break;
        status = lt_enclosure_verify(surface, out, w.allocator, error);
        if (status == LT_OK) break;
        lt_enclosure_free(out);
        if (status == LT_STATUS_INVALID && way + 1 < WAY_COUNT) status = LT_OK;
    }
    lt_voxels_free(&w.coarse);
    lt_solid_free(&w.solid);
    return status;
}

void lt_enclosure_free(lt_enclosure *enclosure) {
    const lt_allocator *a = &enclosure->allocator;
    LT_DELETE(a, enclosure->fill, enclosure->mesh.tet_count, float);
    LT_DELETE(a, enclosure->vertex_tets, enclosure->vertex_count, uint32_t);
    lt_tet_mesh_free(&enclosure->mesh);
    *enclosure = (lt_enclosure){0};
}
