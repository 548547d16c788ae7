/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What of a body follows from its material: masses, moduli, stiffness of springs, rate of regions, masses and ties of levels. Each is a
 * function of the shape, the material that the body was made of and the one that it has: how many it had between makes no
 * difference, and a snapshot needs the six numbers only. Nothing is allocated, so that nothing can fail.
 *
 * Regions of lattice-matching keep the half-width, and the masses, that the first material gave them: goals do not depend on how
 * heavy all of it is. Made anew they would take memory while a snapshot is restored. */

#include "body/multigrid.h"

#include <string.h>

static bool in_range(float value, float lo, float hi) {
    return value >= lo && value <= hi; /* false for NaN */
}

lt_status lt_material_check(const lt_material *m, lt_error *error) {
    if (!in_range(m->young, 1e-3f, 1e13f))
        return lt_fail(error, LT_STATUS_INVALID, "young %g Pa: give 1e-3 to 1e13", m->young);
    if (!in_range(m->poisson, 0, 0.49f))
        return lt_fail(error, LT_STATUS_INVALID,
                       "poisson %g: give 0 to 0.49 (0.5 cannot be compressed at all)", m->poisson);
    if (!in_range(m->density, 1e-3f, 1e6f))
        return lt_fail(error, LT_STATUS_INVALID, "density %g kg/m³: give 1e-3 to 1e6", m->density);
    if (!in_range(m->mass_damping, 0, 1e4f) || !in_range(m->stiffness_damping, 0, 1e2f))
        return lt_fail(error, LT_STATUS_INVALID,
                       "mass_damping %g, stiffness_damping %g: neither may be negative", m->mass_damping,
                       m->stiffness_damping);
    if (!in_range(m->friction, 0, 100))
        return lt_fail(error, LT_STATUS_INVALID, "friction %g: give 0 to 100", m->friction);
    return LT_OK;
}

/* ---- masses ---- */

/* Of the finest level alone where there are several: lt_front_update weighs those. */
static void weigh_tets(lt_soft *s, double scale) {
    const lt_carrier *c = &s->carrier;
    uint32_t count = c->ladder.level_count ? c->ladder.tet_begin[1] : c->tet_count;
    double total_mass = 0;
    for (uint32_t tet = 0; tet < count; tet++) {
        const uint32_t *t = c->tets + 4 * (size_t)tet;
        lt_dvec3 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = lt_carrier_rest(c, t[k], scale);
        lt_dmat3 edges = {lt_d3_sub(p[1], p[0]), lt_d3_sub(p[2], p[0]), lt_d3_sub(p[3], p[0])};
        double filled = lt_dm3_determinant(edges) / 6 * c->fill[tet];
        for (int k = 0; k < 4; k++)
            s->mass[t[k]] += (lt_real)(filled * s->material.density / 4);
        total_mass += filled * s->material.density;
    }
    s->total_mass = (lt_real)total_mass;
}

static void weigh_cells(lt_soft *s, double scale) {
    double edge = s->carrier.cell_size * scale, full = s->material.density * edge * edge * edge;
    double total_mass = 0;
    for (uint32_t cell = 0; cell < s->carrier.cell_count; cell++) {
        double mass = full * s->carrier.cell_fill[cell];
        for (uint32_t corner = 0; corner < 8; corner++)
            s->mass[s->carrier.cells[8 * (size_t)cell + corner]] += (lt_real)(mass / 8);
        total_mass += mass;
    }
    s->total_mass = (lt_real)total_mass;
}

/* Nodes of no tet and no cell would have no mass: give them a share that is never felt. */
static void weigh_lonely_nodes(lt_soft *s) {
    for (uint32_t node = 0; node < s->carrier.node_count; node++)
        if (s->mass[node] <= 0)
            s->mass[node] = s->total_mass / (lt_real)s->carrier.node_count * (lt_real)1e-3;
}

void lt_soft_weigh(lt_soft *soft, double scale) {
    LT_ASSERT(soft->mass && scale > 0);
    memset(soft->mass, 0, soft->carrier.node_count * sizeof *soft->mass);
    if (soft->carrier.cell_count > 0)
        weigh_cells(soft, scale);
    else
        weigh_tets(soft, scale);
    weigh_lonely_nodes(soft);
}

/* ---- stiffness ---- */

void lt_soft_stiffen(lt_soft *soft) {
    double e = (double)soft->young, nu = soft->material.poisson;
    soft->lambda = (lt_real)(e * nu / ((1 + nu) * (1 - 2 * nu)));
    soft->mu = (lt_real)(e / (2 * (1 + nu)));
}

static void set_young(lt_soft *soft, float young) {
    LT_ASSERT(young > 0 && young <= soft->material.young);
    if (young == soft->young) return;
    soft->young = young;
    lt_soft_stiffen(soft);
    if (soft->grid) soft->grid->assembled = false;
}

void lt_soft_soften(lt_soft *soft, lt_real dt) {
    double size = (double)soft->size, ratio = size * size / (3 * (double)dt * (double)dt);
    double most = LT_STIFFEST * (double)soft->material.density * ratio;
    LT_ASSERT(dt > 0);
    if (lt_soft_is_explicit(soft)) return;
    set_young(soft, (double)soft->material.young > most ? (float)most : soft->material.young);
}

/* ---- all of it ---- */

void lt_soft_set_material(lt_soft *soft, const lt_material *material) {
    LT_ASSERT(lt_material_check(material, NULL) == LT_OK);
    if (memcmp(&soft->material, material, sizeof *material) == 0) return;
    soft->material = *material;
    soft->young = material->young;
    lt_soft_stiffen(soft);
    lt_soft_weigh(soft, (double)soft->scale);
    if (soft->model == LT_MODEL_LATTICE_SPRINGS) lt_springs_stiffen(soft);
    if (soft->model == LT_MODEL_LATTICE_MATCHING) lt_matching_stiffen(soft);
    if (soft->grid) lt_multigrid_weigh(soft);
}

void lt_soft_visit_material(lt_stream *s, lt_soft *soft) {
    _Static_assert(sizeof(lt_material) == 6 * sizeof(float), "compared and hashed as its bytes: no padding");
    lt_material material = soft->material;
    float young = soft->young;
    bool as_made = memcmp(&material, &soft->made_of, sizeof material) == 0, whole = young == material.young;
    if (as_made) lt_stream_begin_unhashed(s);
    lt_stream_bytes(s, &material, sizeof material);
    if (as_made) lt_stream_end_unhashed(s);
    if (whole) lt_stream_begin_unhashed(s);
    lt_stream_float(s, &young);
    if (whole) lt_stream_end_unhashed(s);
    if (lt_stream_checks(s))
        lt_stream_expect(s, !s->failed && lt_material_check(&material, NULL) == LT_OK && young > 0 &&
                                young <= material.young);
    if (!lt_stream_loads(s)) return;
    lt_soft_set_material(soft, &material);
    set_young(soft, young);
}
