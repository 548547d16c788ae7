/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Stage 2 of the implicit step, and the search that ends stage 1: along last step's deformation and then along conjugate directions,
 * always as far as φ goes down. φ is a quadratic function of v but for couplings, which are looked at anew in every iteration: what
 * pushes and what slides is no set that could be wrong for a whole solve.
 *
 * Directions are those of Polak and Ribière, which begin anew by themselves where the set of pushing couplings has changed. Of
 * friction the bound is that of the last look.
 *
 * Everything here is a piece of the cursor (implicit_cursor.c). Velocities change in searches only, so that an iteration that is cut
 * before its search leaves them as they were.
 *
 * Workload: some 0 to 10 iterations of an island where time is short, to the tolerance where it is not. An iteration is one product,
 * one preconditioner and two passes over couplings. */

#include "body/implicit.h"

#include <string.h>

/* Iterations that go by diagonals gain little each, and long: of the energy that ends others. */
static const double SLOW_SHARE = 0.01;

/* PRODUCT = A DIRECTION of the body. */
void lt_implicit_multiply(const lt_implicit *s, const lt_member *member) {
    if (lt_deforms(member))
        lt_soft_multiply(
            member->soft, &member->system, lt_member_rows(lt_implicit_vector(s, LT_VECTOR_PRODUCT), member),
            lt_member_rows(lt_implicit_vector(s, LT_VECTOR_DIRECTION), member), s->advance->level);
}

/* What residuals are measured against, at least: what gravity does in a step. Of a body that nothing holds falling answers it,
 * whatever the stiffness, and no preconditioner need be asked. */
static lt_real reference_size(const lt_implicit *s) {
    lt_real square = lt_r3_length_squared(s->advance->gravity), sum = 0, dt = s->advance->dt;
    for (uint32_t m = 0; m < s->island->member_count; m++)
        if (lt_is_implicit(&s->island->members[m])) sum += s->island->members[m].soft->total_mass;
    return sum * dt * dt * square;
}

static bool lacks_factor(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        if (lt_deforms(member) && !member->factor && !member->soft->grid) return true;
    }
    return false;
}

/* ---- stage 1, behind its last member ---- */

/* Of a multigrid body that nothing holds and nothing touches, the way its last solve went is followed: nearly the same in every step. */
bool lt_implicit_follows_gains(const lt_implicit *s) {
    const lt_member *member = &s->island->members[0];
    if (s->island->member_count > 1 || s->island->coupling_count > 0 || !member->soft->grid) return false;
    return member->soft->pin_count == 0;
}

uint32_t lt_implicit_give_back(const lt_implicit *s) {
    uint32_t looks = 0;
    lt_implicit_look(s);
    lt_implicit_residual(s); /* bounds */
    lt_implicit_search(s, 1, &looks);
    if (lt_implicit_follows_gains(s)) {
        const lt_member *member = &s->island->members[0];
        lt_grid_last_gain(member->soft, lt_implicit_vector(s, LT_VECTOR_DIRECTION));
        lt_implicit_multiply(s, member);
        lt_implicit_search(s, LT_NO_LIMIT, &looks);
    }
    lt_implicit_residual(s);
    return looks;
}

/* ---- stage 2 ---- */

void lt_implicit_start(lt_implicit *s) {
    lt_real *z = lt_implicit_vector(s, LT_VECTOR_PRECONDITIONED);
    s->size = s->kernels->dot(lt_implicit_vector(s, LT_VECTOR_RESIDUAL), z, s->island->row_count);
    s->reference = lt_max_r(reference_size(s), s->size);
    s->enough = (double)(s->tolerance * s->tolerance * s->reference);
    s->gain = (double)s->size;
    if (lacks_factor(s)) s->enough *= SLOW_SHARE;
    memcpy(lt_implicit_vector(s, LT_VECTOR_DIRECTION), z, lt_implicit_bytes(s));
    s->idle = (double)s->size <= s->enough ? 2 : 0;
}

uint32_t lt_implicit_iterate(lt_implicit *s) {
    uint32_t looks = 0;
    s->gain = lt_implicit_search(s, LT_NO_LIMIT, &looks);
    s->gained += s->gain;
    s->idle = s->gain <= s->enough ? s->idle + 1 : 0;
    s->iterations++;
    return looks;
}

/* Ends where φ hardly falls any more, twice, over what gravity gives or what the first residual may: residuals would say too much
 * where contacts are stiffer than all that they are preconditioned by. */
bool lt_implicit_goes_on(const lt_implicit *s) {
    return s->idle < 2 && s->iterations < s->max_iterations;
}

/* Of RESIDUAL and what is PRECONDITIONED of the one before. */
void lt_implicit_look_across(lt_implicit *s) {
    lt_implicit_residual(s);
    s->across = s->kernels->dot(lt_implicit_vector(s, LT_VECTOR_RESIDUAL),
                                lt_implicit_vector(s, LT_VECTOR_PRECONDITIONED), s->island->row_count);
}

void lt_implicit_redirect(lt_implicit *s) {
    const uint32_t rows = s->island->row_count;
    const lt_real *z = lt_implicit_vector(s, LT_VECTOR_PRECONDITIONED);
    lt_real next = s->kernels->dot(lt_implicit_vector(s, LT_VECTOR_RESIDUAL), z, rows);
    lt_real turn = s->size > 0 ? lt_max_r(0, (next - s->across) / s->size) : 0;
    s->kernels->redirect(lt_implicit_vector(s, LT_VECTOR_DIRECTION), z, turn, rows);
    s->size = next;
}

void lt_implicit_judge(lt_implicit *s) {
    lt_real left = (lt_real)lt_max_d(0, s->gain);
    s->residual = s->reference > 0 ? lt_sqrt_r(left / s->reference) : 0;
    if (s->idle < 2) s->residual = lt_max_r(s->residual, s->tolerance * (lt_real)1.001); /* it was cut */
    if (s->idle < 2 && s->iterations == 0) s->residual = 1; /* what they would gain is not known */
}
