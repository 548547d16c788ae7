/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Stage 1 of the implicit step, of one body: elastic forces where its rigid motion and last step's deformation lead, and what is linear
 * of φ about that place.
 *
 * Workload: once a step; a pass over the tets with their rotations, a product, some passes over nodes. */

#include "body/rest_factor.h"
#include "body/rigid_motion.h"
#include "core/polar.h"

#include <string.h>

/* The rotation of the body as a whole: the mean of those of its tets. */
static void find_turn(lt_real turn[9], const lt_soft *soft, lt_simd_level level) {
    double q[4], square = 0;
    lt_element_kernels_for(level)->sum_turns(soft->turns, soft->elements.group_count, q);
    for (uint32_t k = 0; k < 4; k++)
        square += q[k] * q[k];
    for (uint32_t k = 0; k < 4; k++)
        q[k] = square > 0 ? q[k] / sqrt(square) : k == 3;
    lt_dmat3 m = lt_matrix_from_quaternion(q);
    const lt_dvec3 columns[3] = {m.c0, m.c1, m.c2};
    for (int i = 0; i < 9; i++)
        turn[i] = (lt_real)lt_d3_get(columns[i / 3], i % 3);
}

/* Deformation velocity that the body came with; none of pinned nodes. */
static void find_deformation(const lt_implicit *s, const lt_member *member) {
    const lt_soft *soft = member->soft;
    lt_real *out = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_DIRECTION), member);
    lt_rigid_find_deformation(s, member, out);
    for (uint32_t row = 0; row < member->row_count && soft->pin_count > 0; row++)
        if (soft->pinned[lt_row_node(member->nodes, row)]) lt_node_set(out, row, (lt_rvec3){0, 0, 0});
}

/* x + Δt (rigid motion + deformation velocity). */
static void find_places(const lt_implicit *s, const lt_member *member) {
    lt_real *out = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_PLACES), member);
    const lt_real *v = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_VELOCITY), member);
    const lt_real *d = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_DIRECTION), member);
    lt_r4 dt = lt_r4_splat(s->advance->dt);
    for (size_t i = 0; i < 4 * (size_t)member->row_count; i += 4) {
        lt_r4 speed = lt_r4_add(lt_r4_load(v + i), lt_r4_load(d + i));
        lt_r4_store(out + i, lt_r4_mad(lt_r4_load(member->soft->x + i), speed, dt));
    }
}

/* BASE = M v_n + Δt (f + f_el), without what A takes of it. */
static void load_member(const lt_implicit *s, const lt_member *member, const lt_real *elastic) {
    const lt_soft *soft = member->soft;
    lt_real *base = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_BASE), member);
    lt_r4 dt = lt_r4_splat(s->advance->dt);
    bool carried = lt_is_carried(member);
    lt_motion_map chord = {0};
    if (carried) chord = lt_rigid_chord(member->rigid, (double)s->advance->dt);
    for (uint32_t row = 0; row < member->row_count; row++) {
        size_t node = 4 * (size_t)lt_row_node(member->nodes, row), at = 4 * (size_t)row;
        lt_r4 force = lt_r4_add(lt_r4_load(soft->force + node), lt_r4_load(elastic + at));
        lt_r4 v = lt_r4_load(soft->v + node);
        if (carried) v = lt_r4_add(v, lt_motion_at(&chord, soft, (uint32_t)(node / 4), member->center));
        lt_r4 momentum = lt_r4_mul(v, lt_r4_splat(soft->mass[node / 4]));
        lt_r4_store(base + at, lt_r4_mad(momentum, force, dt));
    }
}

/* What a body has too much of: BASE loses that momentum, DIRECTION and PRODUCT shrink. */
static void keep_share(const lt_implicit *s, const lt_member *member, lt_real share) {
    lt_real *base = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_BASE), member);
    lt_real *d = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_DIRECTION), member);
    lt_real *product = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_PRODUCT), member);
    if (share == 1) return;
    for (size_t i = 0; i < 4 * (size_t)member->row_count; i++) {
        base[i] -= (1 - share) * member->soft->mass[i / 4] * d[i];
        d[i] *= share;
        product[i] *= share;
    }
}

/* Forces are linear about the places x_p: with d = v_p − v, BASE += Δt² K d − (1 + αΔt) M v; stiffness damping acts on what differs from
 * the rigid motion alone. PRODUCT = A d. */
static void begin_member(const lt_implicit *s, lt_member *member) {
    lt_soft *soft = member->soft;
    lt_real dt = s->advance->dt;
    lt_real *elastic = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_PRODUCT), member);
    lt_real *base = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_BASE), member);
    const lt_real *v = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_VELOCITY), member);
    const lt_real *d = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_DIRECTION), member);
    const double *q = member->rigid->turned_by;
    const lt_real turned_by[4] = {(lt_real)q[0], (lt_real)q[1], (lt_real)q[2], (lt_real)q[3]};
    find_places(s, member);
    double energy =
        lt_system_fill(soft, &member->system, lt_member_rows(lt_implicit_vector(s, LT_VECTOR_PLACES), member),
                       turned_by, elastic, s->advance->level);
    energy += (double)dt * (double)s->kernels->dot(elastic, d, member->row_count);
    if (member->factor) find_turn(member->turn, soft, s->advance->level);
    load_member(s, member, elastic);
    lt_soft_multiply_stiffness(soft, &member->system, elastic, d, s->advance->level);
    energy += (double)dt * (double)dt / 2 * (double)s->kernels->dot(elastic, d, member->row_count);
    lt_r4 square = lt_r4_splat(dt * dt), stiffness = lt_r4_splat(member->system.stiffness_factor);
    for (uint32_t node = 0; node < member->row_count; node++) {
        size_t at = 4 * (size_t)node;
        lt_r4 mass = lt_r4_splat(member->system.mass_factor * soft->mass[node]),
              pull = lt_r4_load(elastic + at);
        lt_r4 kept = lt_r4_sub(lt_r4_load(base + at), lt_r4_mul(mass, lt_r4_load(v + at)));
        lt_r4_store(base + at, lt_r4_mad(kept, pull, square));
        lt_r4_store(elastic + at, lt_r4_mad(lt_r4_mul(mass, lt_r4_load(d + at)), pull, stiffness));
    }
    keep_share(s, member, lt_energy_share(s, member, energy));
}

/* Of a ladder forces are linear about where it is. */
static void begin_grid_member(const lt_implicit *s, lt_member *member) {
    lt_real *product = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_PRODUCT), member);
    lt_real *base = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_BASE), member);
    const lt_real *v = lt_member_rows(lt_implicit_vector(s, LT_VECTOR_VELOCITY), member);
    lt_system_fill(member->soft, &member->system, member->soft->x, NULL, product, s->advance->level);
    load_member(s, member, product);
    lt_soft_multiply(member->soft, &member->system, product, v, s->advance->level);
    for (size_t i = 0; i < 4 * (size_t)member->row_count; i++)
        base[i] -= product[i];
    lt_soft_multiply(member->soft, &member->system, product,
                     lt_member_rows(lt_implicit_vector(s, LT_VECTOR_DIRECTION), member), s->advance->level);
}

void lt_implicit_deform(const lt_implicit *s, lt_member *member) {
    LT_ASSERT(lt_deforms(member));
    find_deformation(s, member);
    (member->soft->grid ? begin_grid_member : begin_member)(s, member);
}
