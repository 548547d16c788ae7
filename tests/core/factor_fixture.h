/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Matrices to be factored: patterns whose fill is known or can be found on a dense table, values beside which a dense copy in
 * double is kept, and a dense Cholesky factor to hold answers against. */

#ifndef LITHE_TESTS_CORE_FACTOR_FIXTURE_H
#define LITHE_TESTS_CORE_FACTOR_FIXTURE_H

#include "check.h"
#include "core/factor.h"
#include "core/random.h"
#include "factor_alone.h"
#include "scenes/generate.h"

enum { NODE_MAX = 128, SIZE_MAX_FACTOR = 3 * NODE_MAX };

typedef struct matrix {
    bool linked[NODE_MAX][NODE_MAX];
    uint32_t row_begin[NODE_MAX + 1], diagonal[NODE_MAX];
    uint32_t columns[NODE_MAX * NODE_MAX];
    lt_sparse_pattern pattern;
    lt_real blocks[NODE_MAX * NODE_MAX * LT_BLOCK_STRIDE];
    double dense[SIZE_MAX_FACTOR][SIZE_MAX_FACTOR], root[SIZE_MAX_FACTOR][SIZE_MAX_FACTOR];
    lt_tet_mesh mesh; /* of a tet block; empty else */
} matrix;

/* ---- patterns ---- */

typedef enum shape {
    EMPTY,
    ONE_NODE,
    CHAIN,
    STAR,
    COMPLETE,
    GRID,
    RANDOM_GRAPH,
    PARTS,
    TET_BLOCK,
    SHAPE_COUNT
} shape;

static const char *const shape_names[SHAPE_COUNT] = {"empty", "one node", "chain", "star",     "complete",
                                                     "grid",  "random",   "parts", "tet block"};

static inline void link_nodes(matrix *m, uint32_t i, uint32_t j) {
    m->linked[i][j] = m->linked[j][i] = true;
}

static inline void link_tets(matrix *m) {
    lt_error error;
    const uint32_t cells[3] = {4, 3, 3};
    lt_status status =
        lt_generate_tet_block(&m->mesh, (lt_dvec3){4, 3, 3}, cells, LT_TET_SPLIT_FIVE, NULL, &error);
    CHECK_FATAL(status == LT_OK && m->mesh.node_count <= NODE_MAX);
    for (uint32_t t = 0; t < m->mesh.tet_count; t++)
        for (int k = 0; k < 16; k++)
            link_nodes(m, m->mesh.tets[4 * (size_t)t + (size_t)(k / 4)],
                       m->mesh.tets[4 * (size_t)t + (size_t)(k % 4)]);
}

static inline bool nodes_are_linked(shape kind, uint32_t i, uint32_t j, lt_random *random) {
    switch (kind) {
    case CHAIN: return i == j + 1;
    case STAR: return j == 0;
    case COMPLETE: return true;
    case GRID: return i - j == 9 || (i - j == 1 && i % 9 != 0);
    case RANDOM_GRAPH: return lt_random_below(random, 12) == 0;
    case PARTS: return i % 4 == j % 4 && lt_random_below(random, 3) == 0;
    default: return false;
    }
}

static inline uint32_t shape_nodes(shape kind) {
    static const uint32_t counts[SHAPE_COUNT] = {0, 1, 40, 30, 37, 81, 70, 45, 80};
    return counts[kind];
}

static inline void list_columns(matrix *m, uint32_t node_count) {
    uint32_t entry = 0;
    for (uint32_t i = 0; i < node_count; i++) {
        m->row_begin[i] = entry;
        for (uint32_t j = 0; j < node_count; j++) {
            if (!m->linked[i][j]) continue;
            if (i == j) m->diagonal[i] = entry;
            m->columns[entry++] = j;
        }
    }
    m->row_begin[node_count] = entry;
    m->pattern = (lt_sparse_pattern){m->row_begin, m->columns, m->diagonal, node_count};
}

/* The same one every time: what was there before is gone. */
static inline matrix *make_matrix(shape kind) {
    static matrix m;
    lt_tet_mesh_free(&m.mesh);
    memset(&m, 0, sizeof m);
    lt_random random = lt_random_seed(kind);
    uint32_t node_count = shape_nodes(kind);
    if (kind == TET_BLOCK) link_tets(&m);
    for (uint32_t i = 0; i < node_count; i++) {
        m.linked[i][i] = true;
        for (uint32_t j = 0; j < i; j++)
            if (nodes_are_linked(kind, i, j, &random)) link_nodes(&m, i, j);
    }
    list_columns(&m, node_count);
    return &m;
}

/* A block of 20 × 4 × 4 bricks, 1,600 tets: too large for a dense matrix. Of one list of columns at a time. */
typedef struct large_pattern {
    uint32_t *row_begin, *columns, *diagonal;
    lt_sparse_pattern pattern;
} large_pattern;

static inline large_pattern make_large_pattern(void) {
    enum { NODES = 21 * 5 * 5 };
    static bool linked[NODES][NODES];
    const uint32_t cells[3] = {20, 4, 4};
    large_pattern p = {calloc(NODES + 1, sizeof(uint32_t)),
                       malloc(NODES * 40 * sizeof(uint32_t)),
                       calloc(NODES, sizeof(uint32_t)),
                       {0}};
    lt_tet_mesh mesh;
    lt_error error;
    if (lt_generate_tet_block(&mesh, (lt_dvec3){5, 1, 1}, cells, LT_TET_SPLIT_FIVE, NULL, &error) != LT_OK)
        abort();
    for (uint32_t k = 0; k < 16 * mesh.tet_count; k++)
        linked[mesh.tets[4 * (k / 16) + k % 4]][mesh.tets[4 * (k / 16) + k / 4 % 4]] = true;
    uint32_t entry = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        for (uint32_t j = 0; j < NODES; j++) {
            if (i == j) p.diagonal[i] = entry;
            if (linked[i][j]) p.columns[entry++] = j;
        }
        p.row_begin[i + 1] = entry;
    }
    p.pattern = (lt_sparse_pattern){p.row_begin, p.columns, p.diagonal, NODES};
    lt_tet_mesh_free(&mesh);
    return p;
}

static inline void free_large_pattern(large_pattern *p) {
    free(p->row_begin);
    free(p->columns);
    free(p->diagonal);
}

/* ---- values ---- */

static inline uint32_t entry_of(const matrix *m, uint32_t row, uint32_t column) {
    for (uint32_t e = m->row_begin[row]; e < m->row_begin[row + 1]; e++)
        if (m->columns[e] == column) return e;
    return LT_NONE;
}

/* Blocks from the dense matrix, and the dense one as they are: rounded. */
static inline void round_blocks(matrix *m) {
    for (uint32_t i = 0; i < m->pattern.row_count; i++)
        for (uint32_t e = m->row_begin[i]; e < m->row_begin[i + 1]; e++)
            for (uint32_t k = 0; k < 9; k++) {
                double *value = &m->dense[3 * i + k % 3][3 * m->columns[e] + k / 3];
                m->blocks[(size_t)LT_BLOCK_STRIDE * e + 4 * (k / 3) + k % 3] = (lt_real)*value;
                *value = (double)(lt_real)*value;
            }
}

/* Σ over links of (N u)(N u)ᵀ with random N of 6 × 6, and a little on the diagonal: of all signs, not dominant, condition some
 * hundred. */
static inline void fill_random(matrix *m, uint64_t seed) {
    lt_random random = lt_random_seed(seed);
    memset(m->dense, 0, sizeof m->dense);
    for (uint32_t i = 0; i < m->pattern.row_count; i++)
        for (uint32_t j = 0; j <= i; j++) {
            if (!m->linked[i][j]) continue;
            double n[6][6];
            for (int k = 0; k < 36; k++)
                n[k / 6][k % 6] = (double)lt_random_range(&random, -1, 1);
            for (uint32_t k = 0; k < 36; k++) {
                uint32_t a = k / 6, b = k % 6;
                uint32_t row = a < 3 ? 3 * i + a : 3 * j + a - 3, column = b < 3 ? 3 * i + b : 3 * j + b - 3;
                for (int l = 0; l < 6; l++)
                    m->dense[row][column] += n[a][l] * n[b][l];
            }
        }
    for (uint32_t i = 0; i < 3 * m->pattern.row_count; i++)
        m->dense[i][i] += 0.3;
    round_blocks(m);
}

static inline lt_dvec3 node_of(const matrix *m, uint32_t tet, int corner) {
    return m->mesh.positions[m->mesh.tets[4 * (size_t)tet + (size_t)corner]];
}

/* Gradients of the four weights in a tet; its volume. */
static inline double tet_gradients(const matrix *m, uint32_t tet, double g[4][3]) {
    lt_dvec3 origin = node_of(m, tet, 0), edges[3];
    for (int k = 0; k < 3; k++)
        edges[k] = lt_d3_sub(node_of(m, tet, k + 1), origin);
    double six = lt_d3_dot(lt_d3_cross(edges[0], edges[1]), edges[2]);
    for (int c = 0; c < 3; c++)
        g[0][c] = 0;
    for (int k = 0; k < 3; k++) {
        lt_dvec3 face = lt_d3_cross(edges[(k + 1) % 3], edges[(k + 2) % 3]);
        const double parts[3] = {face.x / six, face.y / six, face.z / six};
        for (int c = 0; c < 3; c++) {
            g[k + 1][c] = parts[c];
            g[0][c] -= parts[c];
        }
    }
    return six / 6;
}

/* M + s K of linear elasticity on the tet block, Young's modulus 1, Poisson's ratio 0.4, density 1, lumped masses. */
static inline void fill_elastic(matrix *m, double s) {
    const double lambda = 0.4 / (1.4 * 0.2), mu = 1 / 2.8;
    memset(m->dense, 0, sizeof m->dense);
    for (uint32_t t = 0; t < m->mesh.tet_count; t++) {
        double g[4][3], volume = tet_gradients(m, t, g);
        const uint32_t *tet = m->mesh.tets + 4 * (size_t)t;
        for (uint32_t k = 0; k < 16; k++) {
            uint32_t a = k / 4, b = k % 4;
            double dot = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
            for (uint32_t r = 0; r < 3; r++)
                for (uint32_t c = 0; c < 3; c++)
                    m->dense[3 * tet[a] + r][3 * tet[b] + c] +=
                        s * volume *
                            (lambda * g[a][r] * g[b][c] + mu * g[a][c] * g[b][r] + (r == c) * mu * dot) +
                        (a == b && r == c ? volume / 4 : 0);
        }
    }
}

/* ---- dense answers ---- */

static inline bool factor_dense(matrix *m) {
    uint32_t size = 3 * m->pattern.row_count;
    for (uint32_t j = 0; j < size; j++)
        for (uint32_t i = j; i < size; i++) {
            double sum = m->dense[i][j];
            for (uint32_t k = 0; k < j; k++)
                sum -= m->root[i][k] * m->root[j][k];
            if (i == j && !(sum > 0)) return false;
            m->root[i][j] = i == j ? sqrt(sum) : sum / m->root[j][j];
        }
    return true;
}

/* x = A⁻¹ x */
static inline void solve_dense(const matrix *m, double *x) {
    uint32_t size = 3 * m->pattern.row_count;
    for (uint32_t i = 0; i < size; i++) {
        for (uint32_t k = 0; k < i; k++)
            x[i] -= m->root[i][k] * x[k];
        x[i] /= m->root[i][i];
    }
    for (uint32_t i = size; i-- > 0;) {
        for (uint32_t k = i + 1; k < size; k++)
            x[i] -= m->root[k][i] * x[k];
        x[i] /= m->root[i][i];
    }
}

static inline double largest_of(const double *x, uint32_t size) {
    double largest = 0;
    for (uint32_t i = 0; i < size; i++)
        largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
    return largest;
}

/* ---- a factor with its memory ---- */

typedef struct factor {
    lt_factor_plan plan;
    lt_factor_work work;
    lt_real *values, *work_scratch, *scratch, *scratch8;
} factor;

static inline lt_real *new_reals(size_t count) {
    lt_real *reals = malloc((count + 1) * sizeof *reals);
    for (size_t i = 0; i <= count; i++)
        reals[i] = (lt_real)1e9; /* what nobody has written is not zero */
    return reals;
}

static inline factor plan_pattern(const lt_sparse_pattern *pattern, const uint32_t *order) {
    factor f = {0};
    lt_error error;
    CHECK(lt_factor_plan_make(&f.plan, pattern, order, NULL, &error) == LT_OK);
    f.values = new_reals(lt_factor_value_count(&f.plan));
    f.work_scratch = new_reals(lt_factor_work_count(&f.plan));
    f.scratch = new_reals(lt_factor_solve_count(&f.plan, LT_FACTOR_SIDES));
    f.scratch8 = new_reals(lt_factor_solve8_count(&f.plan));
    return f;
}

static inline factor plan_factor(const matrix *m, const uint32_t *order) {
    return plan_pattern(&m->pattern, order);
}

static inline bool run_factor(factor *f, const matrix *m, lt_real pivot_floor, lt_simd_level level) {
    lt_factor_begin(&f->work, &f->plan, m->blocks, f->values, f->work_scratch);
    f->work.pivot_floor = pivot_floor;
    for (uint32_t steps = 0; lt_factor_step(&f->work, NULL, level); steps++)
        if (steps > 100000) return false;
    return lt_factor_is_done(&f->work);
}

static inline void free_factor(factor *f) {
    lt_factor_plan_free(&f->plan);
    free(f->values);
    free(f->work_scratch);
    free(f->scratch);
    free(f->scratch8);
}

static inline void fill_vector(lt_real *x, uint32_t node_count, uint64_t seed) {
    lt_random random = lt_random_seed(seed);
    for (uint32_t i = 0; i < 4 * node_count; i++)
        x[i] = i % 4 == 3 ? 0 : (lt_real)lt_random_range(&random, -2, 2) / 3;
}

/* Springs between nodes and a little to the ground. */
static inline lt_real *make_springs(const lt_sparse_pattern *p) {
    lt_real *blocks = new_reals((size_t)p->row_begin[p->row_count] * LT_BLOCK_STRIDE);
    for (uint32_t i = 0; i < p->row_count; i++)
        for (uint32_t e = p->row_begin[i]; e < p->row_begin[i + 1]; e++) {
            bool own = p->columns[e] == i;
            double value = own ? 0.01 + (double)(p->row_begin[i + 1] - p->row_begin[i] - 1) : -1;
            for (uint32_t k = 0; k < LT_BLOCK_STRIDE; k++)
                blocks[(size_t)LT_BLOCK_STRIDE * e + k] = k % 5 == 0 && k < 11 ? (lt_real)value : 0;
        }
    return blocks;
}

#endif
