/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Plans of factors: orders and their fill against elimination on a dense table, the validator on every pattern and on plans that
 * were damaged, memory that runs out at every request.
 *
 * labels: golden */

#include "core/factor_fixture.h"
#include "core/hash.h"
#include "failing_allocator.h"

/* ---- orders ---- */

/* Eliminates on a dense table, in this order or, where `order` is NULL, always a node of least degree, the first one; blocks of L. */
static size_t eliminate(const matrix *m, const uint32_t *order) {
    static bool linked[NODE_MAX][NODE_MAX];
    bool done[NODE_MAX] = {false};
    uint32_t n = m->pattern.row_count;
    size_t blocks = 0;
    memcpy(linked, m->linked, sizeof linked);
    for (uint32_t step = 0; step < n; step++) {
        uint32_t best = LT_NONE, least = UINT32_MAX;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t degree = 0;
            for (uint32_t j = 0; j < n; j++)
                degree += linked[i][j] && !done[j];
            if (done[i] || (order ? order[step] != i : degree >= least)) continue;
            best = i;
            least = degree; /* itself included */
        }
        done[best] = true;
        blocks += least;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                if (!done[i] && !done[j] && linked[i][best] && linked[best][j]) linked[i][j] = true;
    }
    return blocks;
}

static void orders_fill_in_little(void) {
    for (int kind = EMPTY; kind < SHAPE_COUNT; kind++) {
        matrix *m = make_matrix((shape)kind);
        uint32_t order[NODE_MAX], again[NODE_MAX], n = m->pattern.row_count;
        lt_error error;
        CHECK(lt_factor_order(order, &m->pattern, NULL, &error) == LT_OK);
        CHECK(lt_factor_order(again, &m->pattern, NULL, &error) == LT_OK);
        CHECK(memcmp(order, again, n * sizeof order[0]) == 0);
        size_t fill = eliminate(m, order), exact = eliminate(m, NULL);
        printf("%s: %zu blocks of L, exact minimum degree %zu\n", shape_names[kind], fill, exact);
        CHECK((double)fill <= 1.1 * (double)exact);
        factor f = plan_factor(m, order);
        CHECK_COUNT(f.plan.exact_count, fill);
        free_factor(&f);
    }
}

/* A tree has no fill: as many blocks as nodes and links. Parts of which each is complete have none either. */
static void orders_of_trees_fill_in_nothing(void) {
    const shape trees[] = {CHAIN, STAR};
    for (size_t k = 0; k < LT_COUNT_OF(trees); k++) {
        matrix *m = make_matrix(trees[k]);
        factor f = plan_factor(m, NULL);
        CHECK_COUNT(f.plan.exact_count, 2 * m->pattern.row_count - 1);
        free_factor(&f);
    }
    matrix *m = make_matrix(COMPLETE);
    factor f = plan_factor(m, NULL);
    CHECK_COUNT(f.plan.exact_count, 37 * 38 / 2);
    CHECK_COUNT(f.plan.padded_count, f.plan.exact_count);
    CHECK_COUNT(f.plan.supernode_count, 3); /* of 12, 12 and 13: none is wider than 16 */
    free_factor(&f);
}

/* What is baked with one machine is what another would bake. */
static void orders_are_the_same_everywhere(void) {
    uint64_t hash = LT_HASH_SEED;
    for (int kind = EMPTY; kind < SHAPE_COUNT; kind++) {
        matrix *m = make_matrix((shape)kind);
        uint32_t order[NODE_MAX];
        lt_error error;
        CHECK(lt_factor_order(order, &m->pattern, NULL, &error) == LT_OK);
        for (uint32_t i = 0; i < m->pattern.row_count; i++)
            hash = lt_hash_u64(hash, order[i]);
    }
#ifndef LITHE_DOUBLE
    check_golden("factor-orders", hash);
#endif
}

/* ---- plans ---- */

static void shuffle(uint32_t *order, uint32_t count, uint64_t seed) {
    lt_random random = lt_random_seed(seed);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i-- > 1;) {
        uint32_t other = lt_random_below(&random, i + 1), item = order[i];
        order[i] = order[other];
        order[other] = item;
    }
}

static void plans_are_sound_in_any_order(void) {
    for (int kind = EMPTY; kind < SHAPE_COUNT; kind++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            matrix *m = make_matrix((shape)kind);
            uint32_t order[NODE_MAX];
            shuffle(order, m->pattern.row_count, seed);
            factor f = plan_factor(m, seed ? order : NULL);
            CHECK(lt_validate_factor_plan(&f.plan, &m->pattern));
            if (seed) CHECK_COUNT(f.plan.exact_count, eliminate(m, order));
            CHECK(f.plan.padded_count >= f.plan.exact_count);
            CHECK(100 * f.plan.padded_count <= 150 * f.plan.exact_count); /* ZERO_PERCENT of factor.c */
            free_factor(&f);
        }
}

/* Writes into a plan's arrays, which the plan itself never changes. */
static void damage(lt_factor_plan *plan, int kind) {
    lt_factor_supernode *supernodes = (lt_factor_supernode *)plan->supernodes;
    uint32_t *rows = (uint32_t *)plan->rows, *order = (uint32_t *)plan->order;
    lt_factor_entry *entries = (lt_factor_entry *)plan->entries;
    lt_factor_run *runs = (lt_factor_run *)plan->runs;
    uint32_t child = supernodes[plan->supernode_count - 1].first_child;
    switch (kind) {
    case 0: order[0] = order[1]; break;
    case 1: supernodes[0].column_count++; break;
    case 2: supernodes[0].stride += 8; break;
    case 3: rows[0] = rows[1]; break;
    case 4: supernodes[child].parent = child + 1 < plan->supernode_count - 1 ? child + 1 : LT_NONE; break;
    case 5: runs[0].into++; break;
    case 6: supernodes[plan->supernode_count - 1].first_child = LT_NONE; break;
    case 7: entries[0].offset += 3; break;
    case 8: entries[1] = entries[0]; break;
    case 9: supernodes[child].update_begin = plan->update_count; break;
    case 10: plan->value_count++; break;
    case 11: plan->numeric_units++; break;
    case 12: supernodes[1].panel_begin = 0; break;
    case 13: /* two children of one parent in one place */
        for (uint32_t k = 0; k < plan->supernode_count; k++)
            supernodes[k].update_begin = 0;
        break;
    default: break;
    }
}

static void the_validator_sees_damage(void) {
    for (int kind = 0; kind <= 14; kind++) {
        matrix *m = make_matrix(TET_BLOCK);
        factor f = plan_factor(m, NULL);
        damage(&f.plan, kind);
        CHECK(lt_validate_factor_plan(&f.plan, &m->pattern) == (kind == 14));
        free_factor(&f);
    }
}

static void what_is_no_permutation_is_refused(void) {
    matrix *m = make_matrix(GRID);
    uint32_t order[NODE_MAX];
    for (int kind = 0; kind < 2; kind++) {
        shuffle(order, m->pattern.row_count, 7);
        order[3] = kind ? order[4] : m->pattern.row_count;
        lt_factor_plan plan;
        lt_error error;
        CHECK(lt_factor_plan_make(&plan, &m->pattern, order, NULL, &error) == LT_STATUS_INVALID);
        CHECK_CONTAINS(error.message, "81 nodes");
        CHECK(plan.memory == NULL);
        lt_factor_plan_free(&plan);
    }
}

static void no_memory_is_an_error_and_leaks_nothing(void) {
    matrix *m = make_matrix(TET_BLOCK);
    int refused = 0;
    for (int allowed = 0;; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_factor_plan plan;
        lt_error error;
        lt_status status = lt_factor_plan_make(&plan, &m->pattern, NULL, &allocator, &error);
        if (status == LT_OK) CHECK_COUNT(f.blocks_out, 1);
        lt_factor_plan_free(&plan);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
        if (status == LT_OK) break;
        CHECK(status == LT_STATUS_MEMORY);
        refused++;
    }
    CHECK(refused >= 4); /* the maker, the order, its elements, the plan */
}

/* Exact minimum degree, the first node of those with the least, leaves 8,308 blocks. */
static void a_bar_of_tets_has_a_small_factor(void) {
    large_pattern p = make_large_pattern();
    factor f = plan_pattern(&p.pattern, NULL);
    CHECK(lt_validate_factor_plan(&f.plan, &p.pattern));
    CHECK(f.plan.exact_count <= 1.1 * 8308);
    CHECK(f.plan.supernode_count * 3 < f.plan.node_count); /* merging has done something */
    CHECK(lt_factor_value_count(&f.plan) < 130000);
    CHECK(f.plan.solve_units < 12000);
    free_factor(&f);
    free_large_pattern(&p);
}

int main(void) {
    RUN(orders_fill_in_little);
    RUN(orders_of_trees_fill_in_nothing);
    RUN(orders_are_the_same_everywhere);
    RUN(a_bar_of_tets_has_a_small_factor);
    RUN(plans_are_sound_in_any_order);
    RUN(the_validator_sees_damage);
    RUN(what_is_no_permutation_is_refused);
    RUN(no_memory_is_an_error_and_leaks_nothing);
    return check_finish();
}
