/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Symmetric sparse matrices of 3×3 blocks, and preconditioned conjugate gradients.
 *
 * Rows are stored whole (both halves of the symmetric pattern): a product then writes each row once, in one
 * order, on any number of threads. Vectors are [row_count][4] lt_real, the fourth lane zero, so that a block is
 * three 4-wide columns and a product is three broadcast multiply-adds.
 *
 *   pattern (shape): row_begin, columns             values (scratch of one step): blocks
 *   ┌ row i ┐ columns[row_begin[i] … row_begin[i+1]), ascending, the diagonal included */

#ifndef LITHE_CORE_SPARSE_H
#define LITHE_CORE_SPARSE_H

#include "core/memory.h"
#include "core/simd.h"
#include "core/vec.h"

enum { LT_BLOCK_STRIDE = 12 }; /* reals of a block: three columns of four */

typedef struct lt_sparse_pattern {
    const uint32_t *row_begin; /* [row_count + 1] */
    const uint32_t *columns;   /* [row_begin[row_count]] */
    const uint32_t *diagonal;  /* [row_count] entry of the diagonal block */
    uint32_t row_count;
} lt_sparse_pattern;

typedef struct lt_sparse_kernels {
    /* y = A x for rows [begin, end). y may not alias x. */
    void (*multiply)(lt_real *y, const lt_sparse_pattern *pattern, const lt_real *blocks, const lt_real *x,
                     uint32_t begin, uint32_t end);
    /* z_i = D_i r_i with one block per row. */
    void (*multiply_diagonal)(lt_real *z, const lt_real *blocks, const lt_real *r, uint32_t row_count);
    /* Σ a_i b_i, eight lanes in one fixed order. */
    lt_real (*dot)(const lt_real *a, const lt_real *b, uint32_t row_count);
    /* x += s p;  r -= s q */
    void (*advance)(lt_real *x, lt_real *r, const lt_real *p, const lt_real *q, lt_real s,
                    uint32_t row_count);
    /* p = z + s p */
    void (*redirect)(lt_real *p, const lt_real *z, lt_real s, uint32_t row_count);
    /* x = s x */
    void (*scale)(lt_real *x, lt_real s, uint32_t row_count);
    /* Of some rows, `rows` [count] and one after the other, in vectors and blocks of all: y = A x; */
    void (*multiply_rows)(lt_real *y, const lt_sparse_pattern *pattern, const lt_real *blocks,
                          const lt_real *x, const uint32_t *rows, uint32_t count);
    /* d = b − A x with diagonal blocks of their own, [row_count]; */
    void (*defect_rows)(lt_real *d, const lt_sparse_pattern *pattern, const lt_real *blocks,
                        const lt_real *diagonal, const lt_real *b, const lt_real *x, const uint32_t *rows,
                        uint32_t count);
    /* and Gauss-Seidel, x_i = D_i (b_i − Σ_{j≠i} A_ij x_j), with inverses of those blocks, forth or back. */
    void (*relax_rows)(lt_real *x, const lt_sparse_pattern *pattern, const lt_real *blocks,
                       const lt_real *inverse, const lt_real *b, const uint32_t *rows, uint32_t count,
                       bool backward);
    /* Sums of a row before its diagonal or, `after`, behind it: Σ A_ij x_j; */
    void (*sum_half_rows)(lt_real *sums, const lt_sparse_pattern *pattern, const lt_real *blocks,
                          const lt_real *x, const uint32_t *rows, uint32_t count, bool after);
    /* and sweeps that take half as many products, one forth after one back and so on: a sweep forth has not come to what is
     * behind the diagonal when it looks at a row, so that the last sweep back (or zero, where x is zero) has its sum.
     * x_i = D_i (b_i − own_i − other_i), with own_i the half that it has passed, which it writes. `rows` ascend. */
    void (*relax_half_rows)(lt_real *x, const lt_sparse_pattern *pattern, const lt_real *blocks,
                            const lt_real *inverse, const lt_real *b, lt_real *own, const lt_real *other,
                            const uint32_t *rows, uint32_t count, bool backward);
} lt_sparse_kernels;

const lt_sparse_kernels *lt_sparse_kernels_for(lt_simd_level level);

/* out (one block) = inverse of a symmetric positive definite block; the identity where it is singular. */
void lt_block_invert(lt_real out[LT_BLOCK_STRIDE], const lt_real block[LT_BLOCK_STRIDE]);

/* Conjugate gradients as a cursor: begin, then step (one iteration) until it returns false. x is a valid
 * approximation after every step. */
typedef struct lt_cg {
    /* Input */
    uint32_t row_count;
    const lt_sparse_kernels *kernels;
    void (*apply)(void *context, lt_real *y, const lt_real *x); /* y = A x, A symmetric positive definite */
    void *context;
    const lt_real *inverse_diagonal; /* [row_count] blocks */
    /* z = B r, B symmetric positive definite and the same in every iteration; NULL: the inverse diagonal */
    void (*precondition)(void *context, lt_real *z, const lt_real *r);
    lt_real *x;        /* [row_count][4]: start in, solution out */
    lt_real tolerance; /* relative to the reference, both squared norms in the preconditioner's metric */
    uint32_t max_iterations;
    /* Scratch, from the caller: [row_count][4] each; r holds the right-hand side at begin */
    lt_real *r, *z, *p, *q;
    /* State */
    lt_real rz, reference;
    uint32_t iterations;
} lt_cg;

/* `reference` > 0 is the squared size that the residual is compared with; 0: that of the right-hand side. */
void lt_cg_begin(lt_cg *cg, lt_real reference);
bool lt_cg_step(lt_cg *cg);

/* A text on what is wrong with it; NULL: nothing is. Rows ascend and have their diagonal. */
const char *lt_validate_pattern(const lt_sparse_pattern *pattern);

/* √(residual / reference), 0 when the reference is 0. */
static inline lt_real lt_cg_residual(const lt_cg *cg) {
    return cg->reference > 0 && cg->rz > 0 ? lt_sqrt_r(cg->rz / cg->reference) : 0;
}

#endif
