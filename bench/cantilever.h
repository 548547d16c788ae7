/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Static answers of a bar that is clamped at its least x and loaded by gravity, through the corotational model's own
 * matrix and forces. Shared by the tests and the benchmark, so that both speak of the same numbers.
 *
 *   cantilever_linear       K(rest) u = f, conjugate gradients; optionally refined with residuals in double
 *   cantilever_equilibrium  f + f_el(x) = 0 by Newton's method on the model's forces and matrix
 *   cantilever_truth        the answers of an outside program: mesh by Gmsh, nodal displacements by CalculiX */

#ifndef LITHE_BENCH_CANTILEVER_H
#define LITHE_BENCH_CANTILEVER_H

#include "bake/carrier_write.h"
#include "bench/assembled.h"
#include "body/models.h"
#include "io/mesh_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct cantilever {
    lt_shape *shape;
    lt_soft soft;
    lt_system system;
    lt_real *inverse_diagonal; /* [node_count] blocks */
    lt_real *vectors[6];       /* [node_count][4] each: x, r, z, p, q of the solver, elastic forces */
    double *displacement;      /* [node_count][3]: the answer */
    double *residual;          /* [node_count][3] */
    size_t entry_count;
    double relative_residual; /* of the last solve, in double */
    uint32_t iterations;      /* of all solves */
} cantilever;

static inline void cantilever_free(cantilever *c) {
    size_t nodes = c->soft.carrier.node_count, groups = c->soft.elements.group_count;
    if (c->soft.memory) {
        LT_DELETE(NULL, c->system.blocks, LT_BLOCK_STRIDE * c->entry_count, lt_real);
        LT_DELETE(NULL, c->system.rotated, 9 * LT_GROUP * groups, lt_real);
        LT_DELETE(NULL, c->inverse_diagonal, LT_BLOCK_STRIDE * nodes, lt_real);
        LT_DELETE(NULL, c->displacement, 3 * nodes, double);
        LT_DELETE(NULL, c->residual, 3 * nodes, double);
        for (int i = 0; i < 6; i++)
            LT_DELETE(NULL, c->vectors[i], 4 * nodes, lt_real);
        lt_soft_free(&c->soft);
    }
    lt_shape_release(c->shape);
    *c = (cantilever){0};
}

static inline bool cantilever_allocate(cantilever *c) {
    size_t nodes = c->soft.carrier.node_count;
    c->entry_count = c->soft.carrier.pattern.row_begin[nodes];
    c->system.blocks = LT_NEW(NULL, LT_BLOCK_STRIDE * c->entry_count, lt_real);
    c->system.rotated = LT_NEW(NULL, 9 * (size_t)LT_GROUP * c->soft.elements.group_count, lt_real);
    c->inverse_diagonal = LT_NEW(NULL, LT_BLOCK_STRIDE * nodes, lt_real);
    c->displacement = LT_NEW(NULL, 3 * nodes, double);
    c->residual = LT_NEW(NULL, 3 * nodes, double);
    bool ok = c->system.blocks && c->system.rotated && c->inverse_diagonal && c->displacement && c->residual;
    for (int i = 0; i < 6; i++) {
        c->vectors[i] = LT_NEW(NULL, 4 * nodes, lt_real);
        ok = ok && c->vectors[i];
    }
    return ok;
}

/* Pins the nodes whose x is the least. */
static inline void cantilever_clamp(lt_soft *soft) {
    double least = INFINITY;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        least = fmin(least, soft->carrier.rest[3 * (size_t)node]);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        if (soft->carrier.rest[3 * (size_t)node] > least + 1e-9 * (double)soft->size) continue;
        soft->pinned[node] = 1;
        soft->pin_count++;
        lt_node_set(soft->pin_target, node, lt_node_get(soft->x, node));
    }
}

/* False when memory is out or the mesh is bad. Young's modulus and Poisson's ratio are taken as double: 0.3 is no
 * float, and seven digits are compared. */
static inline bool cantilever_create(cantilever *c, const lt_tet_mesh *mesh, double young, double poisson,
                                     double density) {
    *c = (cantilever){0};
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_carrier carrier;
    lt_soft_def def = {
        .model = LT_MODEL_COROTATIONAL,
        .material = {.young = (float)young, .poisson = (float)poisson, .density = (float)density},
        .rotation = lt_dm3_identity(),
        .scale = 1,
        .max_iterations = 1000,
        .tolerance = 1e-6f};
    bool ok = lt_carrier_write(&builder, mesh, NULL, NULL, NULL) == LT_OK;
    ok = lt_shape_builder_finish(&builder, "cantilever", &c->shape, NULL) == LT_OK && ok;
    ok = ok && lt_carrier_read(&carrier, c->shape, NULL) == LT_OK;
    ok = ok && lt_soft_create(&c->soft, &carrier, &def, NULL, NULL) == LT_OK && cantilever_allocate(c);
    if (!ok) {
        cantilever_free(c);
        return false;
    }
    c->soft.lambda = (lt_real)(young * poisson / ((1 + poisson) * (1 - 2 * poisson)));
    c->soft.mu = (lt_real)(young / (2 * (1 + poisson)));
    cantilever_clamp(&c->soft);
    return true;
}

static inline void cantilever_apply(void *context, lt_real *y, const lt_real *x) {
    const cantilever *c = context;
    lt_sparse_kernels_for(lt_simd_best())
        ->multiply(y, &c->soft.carrier.pattern, c->system.blocks, x, 0, c->soft.carrier.node_count);
}

/* Assembles K and the elastic forces at the present x, and the preconditioner, zero at the clamp. */
static inline void cantilever_assemble(cantilever *c) {
    assembled_fill(&c->soft, 0, 1, c->system.blocks, c->system.rotated, c->vectors[5], lt_simd_best());
    for (uint32_t node = 0; node < c->soft.carrier.node_count; node++) {
        lt_real *block = c->inverse_diagonal + (size_t)LT_BLOCK_STRIDE * node;
        if (c->soft.pinned[node])
            memset(block, 0, LT_BLOCK_STRIDE * sizeof *block);
        else
            lt_block_invert(block, c->system.blocks +
                                       (size_t)LT_BLOCK_STRIDE * c->soft.carrier.pattern.diagonal[node]);
    }
}

/* vectors[0] = K⁻¹ vectors[1], which is lost. */
static inline void cantilever_solve(cantilever *c, double tolerance) {
    memset(c->vectors[0], 0, 4 * (size_t)c->soft.carrier.node_count * sizeof(lt_real));
    lt_cg cg = {.row_count = c->soft.carrier.node_count,
                .kernels = lt_sparse_kernels_for(lt_simd_best()),
                .apply = cantilever_apply,
                .context = c,
                .inverse_diagonal = c->inverse_diagonal,
                .x = c->vectors[0],
                .r = c->vectors[1],
                .z = c->vectors[2],
                .p = c->vectors[3],
                .q = c->vectors[4],
                .tolerance = (lt_real)tolerance,
                .max_iterations = 20000};
    lt_cg_begin(&cg, 0);
    while (lt_cg_step(&cg)) {
    }
    c->iterations += cg.iterations;
}

/* out −= V (λ tr(H) I + μ (H + Hᵀ)) g_k at the corners of one tet, H = Σ u_k g_kᵀ: its force at rest, in double,
 * from the numbers that the model works with. */
static inline void cantilever_element_force(const cantilever *c, uint32_t tet, double *out) {
    const lt_elements *elements = &c->soft.elements;
    size_t group = tet / LT_GROUP, lane = tet % LT_GROUP;
    const uint32_t *corners = c->soft.carrier.tets + 4 * (size_t)tet;
    double g[4][3] = {{0}}, h[3][3] = {{0}}, trace = 0;
    for (size_t i = 0; i < 9; i++) {
        g[1 + i / 3][i % 3] = (double)elements->gradients[(9 * group + i) * LT_GROUP + lane];
        g[0][i % 3] -= g[1 + i / 3][i % 3];
    }
    for (int i = 0; i < 36; i++) /* corner, row, column */
        h[i / 3 % 3][i % 3] +=
            c->displacement[3 * (size_t)corners[i / 9] + (size_t)(i / 3 % 3)] * g[i / 9][i % 3];
    for (int i = 0; i < 3; i++)
        trace += h[i][i];
    double volume = (double)elements->volumes[group * LT_GROUP + lane];
    for (int corner = 0; corner < 4; corner++)
        for (int row = 0; row < 3; row++) {
            double sum = (double)c->soft.lambda * trace * g[corner][row];
            for (int column = 0; column < 3; column++)
                sum += (double)c->soft.mu * (h[row][column] + h[column][row]) * g[corner][column];
            out[3 * (size_t)corners[corner] + (size_t)row] -= volume * sum;
        }
}

/* Writes f − K u, element by element in double, divided by its largest entry, to vectors[1]; returns the divisor. The
 * matrix itself would not do: its float sums differ from K by as much as bending is softer than stretching. */
static inline double cantilever_residual(cantilever *c, lt_dvec3 gravity) {
    const lt_soft *soft = &c->soft;
    const double g[3] = {gravity.x, gravity.y, gravity.z};
    double largest = 0, *out = c->residual;
    for (size_t i = 0; i < 3 * (size_t)soft->carrier.node_count; i++)
        out[i] = (double)soft->mass[i / 3] * g[i % 3];
    for (uint32_t tet = 0; tet < soft->carrier.tet_count; tet++)
        cantilever_element_force(c, tet, out);
    for (size_t i = 0; i < 3 * (size_t)soft->carrier.node_count; i++) {
        if (soft->pinned[i / 3]) out[i] = 0;
        largest = fmax(largest, fabs(out[i]));
    }
    for (size_t i = 0; i < 3 * (size_t)soft->carrier.node_count; i++)
        c->vectors[1][4 * (i / 3) + i % 3] = (lt_real)(largest > 0 ? out[i] / largest : 0);
    return largest;
}

/* Linear elasticity at rest. With `refinements` 0 it is one plain solve in lt_real; each refinement solves for what
 * is left, measured in double. */
static inline void cantilever_linear(cantilever *c, lt_dvec3 gravity, double tolerance, int refinements) {
    size_t nodes = c->soft.carrier.node_count;
    c->iterations = 0;
    memset(c->displacement, 0, 3 * nodes * sizeof *c->displacement);
    cantilever_assemble(c);
    double load = 0;
    for (int round = 0; round <= refinements; round++) {
        double scale = cantilever_residual(c, gravity);
        if (round == 0) load = scale;
        cantilever_solve(c, tolerance);
        for (size_t i = 0; i < 3 * nodes; i++)
            c->displacement[i] += scale * (double)c->vectors[0][4 * (i / 3) + i % 3];
    }
    c->relative_residual = cantilever_residual(c, gravity) / load;
}

/* The corotational equilibrium, from where the nodes are, in `steps` steps of Newton. Small loads leave a residual of
 * roundings: positions hold them less well than forces. */
static inline void cantilever_equilibrium(cantilever *c, lt_dvec3 gravity, int steps) {
    lt_soft *soft = &c->soft;
    size_t nodes = soft->carrier.node_count;
    lt_rvec3 g = {(lt_real)gravity.x, (lt_real)gravity.y, (lt_real)gravity.z};
    c->iterations = 0;
    for (int step = 0; step < steps; step++) {
        cantilever_assemble(c);
        for (uint32_t node = 0; node < nodes; node++)
            lt_node_set(c->vectors[1], node,
                        soft->pinned[node]
                            ? (lt_rvec3){0, 0, 0}
                            : lt_r3_mad(lt_node_get(c->vectors[5], node), g, soft->mass[node]));
        cantilever_solve(c, 1e-12);
        for (uint32_t node = 0; node < nodes; node++)
            lt_node_add(soft->x, node, lt_node_get(c->vectors[0], node), 1);
    }
    for (size_t i = 0; i < 3 * nodes; i++)
        c->displacement[i] = (double)soft->x[4 * (i / 3) + i % 3] - soft->carrier.rest[i];
}

/* ---- the answers of others: $LITHE_TRUTH/fem-cantilever, ../shared/truth ---- */

enum { CANTILEVER_ROWS = 64 };

typedef struct cantilever_truth {
    uint32_t row_count;
    uint32_t nodes[CANTILEVER_ROWS]; /* from 1, as in the mesh */
    char text[CANTILEVER_ROWS][3][32];
    double u[CANTILEVER_ROWS][3];
} cantilever_truth;

/* Rows of a node number and three values; everything else in the file is a heading. */
static inline void cantilever_read_rows(cantilever_truth *truth, FILE *file) {
    char line[256];
    while (truth->row_count < CANTILEVER_ROWS && fgets(line, sizeof line, file)) {
        uint32_t row = truth->row_count;
        if (sscanf(line, "%u %31s %31s %31s", &truth->nodes[row], truth->text[row][0], truth->text[row][1],
                   truth->text[row][2]) != 4)
            continue;
        for (int k = 0; k < 3; k++)
            truth->u[row][k] = strtod(truth->text[row][k], NULL);
        truth->row_count++;
    }
}

/* False when the files are not there, or are not what they should be. */
static inline bool cantilever_load(cantilever *c, cantilever_truth *truth) {
    const char *folder = getenv("LITHE_TRUTH");
    char path[1024];
    *truth = (cantilever_truth){0};
    snprintf(path, sizeof path, "%s/fem-cantilever/static1.dat", folder ? folder : "../shared/truth");
    FILE *file = fopen(path, "r");
    if (!file) return false;
    cantilever_read_rows(truth, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/fem-cantilever/bar.msh2", folder ? folder : "../shared/truth");
    lt_mesh_file mesh = {0};
    bool ok = lt_mesh_file_load(path, NULL, &mesh, NULL) == LT_OK && mesh.unused_node_count == 0;
    const lt_tet_mesh tets = lt_mesh_file_tets(&mesh);
    ok = ok && cantilever_create(c, &tets, 1e7, 0.3, 1000);
    lt_mesh_file_free(&mesh);
    for (uint32_t i = 0; ok && i < truth->row_count; i++) /* the rows are those of the free end */
        ok = truth->nodes[i] >= 1 && truth->nodes[i] <= c->soft.carrier.node_count &&
             fabs(c->soft.carrier.rest[3 * (size_t)(truth->nodes[i] - 1)] - 1) < 1e-9;
    return ok && truth->row_count > 0;
}

typedef struct cantilever_comparison {
    uint32_t read;         /* values, three a row */
    uint32_t other_digits; /* that are not printed as the truth is */
    double worst;          /* relative to the largest displacement */
    double mean;           /* of u_z over the free end, relative to the truth's */
} cantilever_comparison;

/* The displacements times `factor` against the truth. */
static inline cantilever_comparison cantilever_compare(const cantilever *c, const cantilever_truth *truth,
                                                       double factor) {
    cantilever_comparison result = {0};
    double largest = 0, mean = 0, expected = 0;
    for (uint32_t i = 0; i < truth->row_count; i++)
        for (int k = 0; k < 3; k++)
            largest = fmax(largest, fabs(truth->u[i][k]));
    for (uint32_t i = 0; i < truth->row_count; i++)
        for (int k = 0; k < 3; k++) {
            double found = factor * c->displacement[3 * (size_t)(truth->nodes[i] - 1) + (size_t)k];
            char digits[64];
            snprintf(digits, sizeof digits, "%.6E", found);
            result.read++;
            result.other_digits += strcmp(digits, truth->text[i][k]) != 0;
            result.worst = fmax(result.worst, fabs(found - truth->u[i][k]) / largest);
            mean += k == 2 ? found : 0;
            expected += k == 2 ? truth->u[i][k] : 0;
        }
    result.mean = mean / expected - 1;
    return result;
}

static const lt_dvec3 cantilever_weight = {0, 0, -9.81};

#endif
