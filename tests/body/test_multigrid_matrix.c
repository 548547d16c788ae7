/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Products with the matrix of a front against what they stand for, on fronts by chance: every tet by its share, and what hangs on
 * others by its corners, in double and one after the other. */

#include "bench/whole/whole.h"
#include "ladder_fixture.h"

static const uint32_t CELLS[4] = {5, 4, 3, 2};
static const double DT = 1 / 60.0;
enum { FRONTS = 40 };

typedef struct product {
    lt_arena arena;
    lt_system system;
    lt_real *x, *b, *y;
    double (*values)[3], (*sums)[3]; /* of all nodes: of x, and of the product */
} product;

static void begin(product *p, lt_soft *soft) {
    size_t rows = soft->grid->row_count;
    lt_arena_reset(&p->arena);
    CHECK_FATAL(lt_soft_build_system(soft, &p->system, (lt_real)DT, lt_simd_best(), &p->arena));
    p->x = LT_TAKE(&p->arena, 4 * rows, lt_real);
    p->b = LT_TAKE(&p->arena, 4 * rows, lt_real);
    p->y = LT_TAKE(&p->arena, 4 * rows, lt_real);
    CHECK_FATAL(p->x && p->b && p->y);
}

static void change_front(lt_soft *soft, lt_random *random) {
    uint32_t first = soft->carrier.ladder.node_begin[1], count = soft->carrier.node_count - first;
    for (int k = 0; k < 4; k++)
        soft->refined[first + lt_random_below(random, count)] = (uint8_t)(lt_random_unit(random) < 0.3f);
    lt_front_update(soft);
}

/* From coarse to fine: every corner of T⁺ is of a coarser level. */
static void spread(const product *p, const lt_soft *soft) {
    const lt_multigrid *g = soft->grid;
    for (uint32_t level = lt_level_count(soft); level-- > 0;)
        for (uint32_t node = soft->carrier.ladder.node_begin[level];
             node < soft->carrier.ladder.node_begin[level + 1]; node++)
            for (uint32_t k = 0; k < 3; k++) {
                double sum = 0;
                for (uint32_t c = 0; g->kinds[node] == LT_NODE_INTERFACE && c < 4; c++)
                    sum += (double)lt_above_weights(&soft->carrier, node)[c] *
                           p->values[lt_above_corners(&soft->carrier, node)[c]][k];
                if (g->kinds[node] == LT_NODE_FRONT) sum = (double)p->x[4 * (size_t)g->rows[node] + k];
                p->values[node][k] = sum;
                p->sums[node][k] = 0;
            }
}

static void add_tet(const product *p, const lt_soft *soft, uint32_t tet, double factor) {
    const lt_real *rotated = p->system.rotated + 9 * LT_GROUP * (size_t)(tet / LT_GROUP) + tet % LT_GROUP;
    const uint32_t *corners = soft->carrier.tets + 4 * (size_t)tet;
    double h[4][3] = {{0}},
           volume = factor * (double)soft->grid->shares[tet] * (double)soft->elements.volumes[tet];
    double vl = volume * (double)soft->lambda, vm = volume * (double)soft->mu;
    for (int c = 1; c < 4; c++)
        for (int k = 0; k < 3; k++) {
            h[c][k] = (double)rotated[(3 * (c - 1) + k) * LT_GROUP];
            h[0][k] -= h[c][k];
        }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const double *v = p->values[corners[j]];
            double hj_v = h[j][0] * v[0] + h[j][1] * v[1] + h[j][2] * v[2];
            double hi_v = h[i][0] * v[0] + h[i][1] * v[1] + h[i][2] * v[2];
            double hi_hj = h[i][0] * h[j][0] + h[i][1] * h[j][1] + h[i][2] * h[j][2];
            for (int k = 0; k < 3; k++)
                p->sums[corners[i]][k] += vl * h[i][k] * hj_v + vm * (h[j][k] * hi_v + hi_hj * v[k]);
        }
}

/* From fine to coarse. */
static void gather(const product *p, const lt_soft *soft) {
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        for (uint32_t c = 0; soft->grid->kinds[node] == LT_NODE_INTERFACE && c < 4; c++)
            for (int k = 0; k < 3; k++)
                p->sums[lt_above_corners(&soft->carrier, node)[c]][k] +=
                    (double)lt_above_weights(&soft->carrier, node)[c] * p->sums[node][k];
}

static void find_product(const product *p, const lt_soft *soft) {
    spread(p, soft);
    for (uint32_t tet = 0; tet < soft->carrier.tet_count; tet++)
        if (soft->grid->shares[tet] > 0)
            add_tet(p, soft, tet, DT * DT + DT * (double)soft->material.stiffness_damping);
    gather(p, soft);
    for (uint32_t row = 0; row < soft->grid->row_count; row++)
        for (uint32_t k = 0; k < 3; k++)
            p->sums[soft->grid->nodes[row]][k] += (1 + DT * (double)soft->material.mass_damping) *
                                                  (double)soft->mass[soft->grid->nodes[row]] *
                                                  (double)p->x[4 * (size_t)row + k];
}

/* How far rows from `first` on are from b − sign × the product, relative to the product. */
static double distance_of(const product *p, const lt_soft *soft, uint32_t first, double sign, double b) {
    double off = 0, size = 0;
    for (uint32_t row = first; row < soft->grid->row_count; row++)
        for (uint32_t k = 0; k < 3; k++) {
            double s = p->sums[soft->grid->nodes[row]][k];
            double d = b * (double)p->b[4 * (size_t)row + k] + sign * s - (double)p->y[4 * (size_t)row + k];
            off += d * d;
            size += s * s;
        }
    return size > 0 ? sqrt(off / size) : 0;
}

static void fill(lt_real *vectors, lt_random *random, uint32_t first, uint32_t rows) {
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t k = 0; k < 4; k++)
            vectors[4 * (size_t)row + k] =
                row < first || k == 3 ? 0 : (lt_real)lt_random_range(random, -1, 1);
}

static void check_products(product *p, lt_soft *soft, lt_random *random) {
    const lt_multigrid *g = soft->grid;
    uint32_t rows = g->row_count, above = g->row_begin[1];
    lt_simd_level level = lt_simd_best();
    const double near = by_build(3e-6, 1e-13);
    fill(p->b, random, 0, rows);
    fill(p->x, random, 0, rows);
    find_product(p, soft);
    lt_soft_multiply(soft, &p->system, p->y, p->x, level);
    CHECK_NEAR(distance_of(p, soft, 0, 1, 0), 0, near);
    lt_grid_defect(soft, &p->system, p->y, p->b, p->x, LT_FINEST_ALL, level);
    CHECK_NEAR(distance_of(p, soft, 0, -1, 1), 0, near);
    lt_grid_defect(soft, &p->system, p->y, p->b, p->x, LT_FINEST_UNWANTED, level);
    CHECK_NEAR(distance_of(p, soft, above, -1, 1), 0, near);
    fill(p->x, random, above, rows);
    find_product(p, soft);
    lt_grid_defect(soft, &p->system, p->y, p->b, p->x, LT_FINEST_STILL, level);
    CHECK_NEAR(distance_of(p, soft, 0, -1, 1), 0, near);
}

static void products_are_those_of_the_energy(void) {
    ladder_fixture f;
    lt_random random = lt_random_seed(11);
    product p = {0};
    uint32_t near = 0, mixed = 0;
    ladder_make(&f, CELLS, 4);
    lt_soft_def def = plain_def(LT_MODEL_MULTIGRID);
    def.refine_threshold = 0.1f;
    lt_soft soft;
    CHECK_FATAL(lt_soft_create(&soft, &f.carrier, &def, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_arena_reserve(&p.arena, NULL, (size_t)32 << 20));
    p.values = calloc(f.carrier.node_count, sizeof *p.values);
    p.sums = calloc(f.carrier.node_count, sizeof *p.sums);
    CHECK_FATAL(p.values && p.sums);
    for (int front = 0; front < FRONTS; front++) {
        if (front % 10 == 9)
            lt_front_set_level(&soft, (uint32_t)front / 10 % 3);
        else
            change_front(&soft, &random);
        begin(&p, &soft);
        check_products(&p, &soft, &random);
        near += soft.grid->near_count > 0;
        mixed += !lt_front_is_even(&soft);
    }
    CHECK(near > 10 && mixed > 20 && mixed < FRONTS);
    free(p.values);
    free(p.sums);
    lt_arena_free(&p.arena);
    lt_soft_free(&soft);
    ladder_free(&f);
}

int main(void) {
    RUN(products_are_those_of_the_energy);
    return check_finish();
}
