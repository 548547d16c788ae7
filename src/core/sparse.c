/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/sparse.h"

extern const lt_sparse_kernels lt_sparse_kernels_scalar, lt_sparse_kernels_wide4, lt_sparse_kernels_avx2;

const lt_sparse_kernels *lt_sparse_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_sparse_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_sparse_kernels);
    return table[level];
}

/* In double: the determinant of a block of size 1e13 is beyond float, that of 1e-13 below. */
void lt_block_invert(lt_real out[LT_BLOCK_STRIDE], const lt_real block[LT_BLOCK_STRIDE]) {
    lt_dmat3 m = {
        {block[0], block[1], block[2]}, {block[4], block[5], block[6]}, {block[8], block[9], block[10]}};
    double determinant = lt_dm3_determinant(m);
    lt_dmat3 inverse = determinant > 0 ? lt_dm3_inverse(m) : lt_dm3_identity();
    const lt_dvec3 columns[3] = {inverse.c0, inverse.c1, inverse.c2};
    for (int j = 0; j < 3; j++) {
        out[4 * j] = (lt_real)columns[j].x;
        out[4 * j + 1] = (lt_real)columns[j].y;
        out[4 * j + 2] = (lt_real)columns[j].z;
        out[4 * j + 3] = 0;
    }
}

/* Preconditioned residual and its size rᵀBr. */
static lt_real precondition(lt_cg *cg) {
    if (cg->precondition)
        cg->precondition(cg->context, cg->z, cg->r);
    else
        cg->kernels->multiply_diagonal(cg->z, cg->inverse_diagonal, cg->r, cg->row_count);
    return cg->kernels->dot(cg->r, cg->z, cg->row_count);
}

void lt_cg_begin(lt_cg *cg, lt_real reference) {
    cg->iterations = 0;
    cg->reference = reference > 0 ? reference : precondition(cg);
    cg->apply(cg->context, cg->q, cg->x);
    for (size_t i = 0; i < 4 * (size_t)cg->row_count; i++)
        cg->r[i] -= cg->q[i];
    cg->rz = precondition(cg);
    for (size_t i = 0; i < 4 * (size_t)cg->row_count; i++)
        cg->p[i] = cg->z[i];
}

bool lt_cg_step(lt_cg *cg) {
    lt_real goal = cg->tolerance * cg->tolerance * cg->reference;
    if (!(cg->rz > goal) || cg->iterations >= cg->max_iterations) return false;
    cg->apply(cg->context, cg->q, cg->p);
    lt_real curvature = cg->kernels->dot(cg->p, cg->q, cg->row_count);
    if (!(curvature > 0)) return false; /* rounding has eaten the direction: x is as good as it gets */
    cg->kernels->advance(cg->x, cg->r, cg->p, cg->q, cg->rz / curvature, cg->row_count);
    lt_real before = cg->rz;
    cg->rz = precondition(cg);
    cg->kernels->redirect(cg->p, cg->z, cg->rz / before, cg->row_count);
    cg->iterations++;
    return cg->rz > goal && cg->iterations < cg->max_iterations;
}

static const char *flaw_of_row(const lt_sparse_pattern *p, uint32_t row) {
    uint32_t begin = p->row_begin[row], end = p->row_begin[row + 1];
    if (begin >= end) return "a row has no entries";
    for (uint32_t i = begin; i < end; i++) {
        if (p->columns[i] >= p->row_count) return "a column is beyond the last row";
        if (i > begin && p->columns[i] <= p->columns[i - 1]) return "columns of a row do not ascend";
    }
    if (p->diagonal[row] < begin || p->diagonal[row] >= end) return "a diagonal is outside its row";
    return p->columns[p->diagonal[row]] == row ? NULL : "a diagonal is not on the diagonal";
}

const char *lt_validate_pattern(const lt_sparse_pattern *pattern) {
    const char *flaw = pattern->row_begin[0] == 0 ? NULL : "rows do not begin at 0";
    for (uint32_t row = 0; row < pattern->row_count && !flaw; row++)
        flaw = flaw_of_row(pattern, row);
    return flaw;
}
