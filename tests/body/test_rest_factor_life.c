/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Factors of mass and stiffness at rest through their life: when one is made anew, by paid work, shared by worlds, when it is let go,
 * and what is left where memory runs out. */

#include "body/rest_factor_fixture.h"
#include "failing_allocator.h"

/* ---- when it is made ---- */

static void it_is_made_anew_where_the_step_leaves_its_range(void) {
    crowd c = crowd_make();
    lt_rest_factors factors = lt_rest_factors_make(NULL);
    lt_soft_def def = middle_def();
    for (int i = 0; i < 3; i++)
        add(&factors, crowd_add(&c, 0, &def));
    CHECK(lt_rest_factor_of(&factors, &c.bodies[0]) == NULL); /* not before its numbers are there */
    uint64_t units = update(&factors, c.bodies, 3, STEP), hash;
    CHECK(units > 0); /* once, for three bodies */
    const lt_rest_factor *factor = lt_rest_factor_of(&factors, &c.bodies[2]);
    CHECK_FATAL(factor);
    hash = hash_of(factor);
    const double within[4] = {STEP, 1.08 * STEP, 0.93 * STEP, STEP};
    for (int i = 0; i < 4; i++)
        CHECK_COUNT(update(&factors, c.bodies, 3, within[i]), 0);
    CHECK(hash_of(factor) == hash);
    CHECK_COUNT(update(&factors, c.bodies, 3, 1.1 * STEP), units);
    CHECK(hash_of(factor) != hash);
    CHECK_COUNT(update(&factors, c.bodies, 3, 0.9 * STEP), units);
    CHECK_COUNT(update(&factors, c.bodies, 3, STEP), units);
    CHECK(hash_of(factor) == hash);
    lt_rest_factors_free(&factors);
    crowd_free(&c);
}

/* ---- where work is limited ---- */

/* Steps until the body's numbers of that dt are whole. No step is longer than its grant and a piece; all of them together are what
 * the factor takes, and the last leaves the values that are made without a limit. */
static void it_is_made_by_paid_work(void) {
    lt_soft_def def = middle_def();
    for (int pins = 0; pins < 2; pins++) {
        crowd c = crowd_make();
        lt_rest_factors whole = lt_rest_factors_make(NULL);
        lt_soft *soft = crowd_add(&c, 0, &def);
        if (pins) pin_first(soft, 3);
        add(&whole, soft);
        uint64_t units = update(&whole, c.bodies, 1, STEP), hash = hash_of(lt_rest_factor_of(&whole, soft));
        lt_rest_factors_remove(&whole, soft);
        const uint64_t grants[] = {1,         17,        1000,  LT_FACTOR_PIECE_UNITS,
                                   units / 2, units - 1, units, 3 * units};
        for (size_t i = 0; i < LT_COUNT_OF(grants); i++) {
            lt_rest_factors factors = lt_rest_factors_make(NULL);
            factors.units_a_step = grants[i];
            add(&factors, soft);
            const lt_rest_factor *factor = (const lt_rest_factor *)factors.factors.items + soft->factor;
            uint64_t piece = lt_rest_piece_units((const lt_rest_plan *)factors.plans.items + factor->plan),
                     paid = 0, steps = 0, before = 0;
            CHECK_COUNT(lt_rest_factor_units(&factors, factor), units);
            for (; !lt_rest_factor_of(&factors, soft) && steps <= units; steps++) {
                paid += update(&factors, c.bodies, 1, STEP);
                CHECK(factors.maker.spent - before <= grants[i] + piece);
                CHECK(factors.maker.spent >= lt_min_u64(paid, units) && factors.maker.spent <= units);
                before = factors.maker.spent;
            }
            CHECK_COUNT(paid, units);
            CHECK_COUNT(steps, (units + grants[i] - 1) / grants[i]);
            CHECK(hash_of(lt_rest_factor_of(&factors, soft)) == hash);
            CHECK_COUNT(update(&factors, c.bodies, 1, STEP), 0);
            lt_rest_factors_remove(&factors, soft);
            lt_rest_factors_free(&factors);
        }
        lt_rest_factors_free(&whole);
        crowd_free(&c);
    }
}

static void the_old_one_serves_until_then(void) {
    crowd c = crowd_make();
    lt_rest_factors factors = lt_rest_factors_make(NULL);
    lt_soft_def def = middle_def();
    lt_soft *soft = crowd_add(&c, 0, &def);
    factors.units_a_step = 100000000;
    add(&factors, soft);
    uint64_t units = update(&factors, c.bodies, 1, STEP), hash = hash_of(lt_rest_factor_of(&factors, soft));
    factors.units_a_step = units / 2 + 1;
    /* Another step: two steps later there are others, and both are kept. */
    CHECK_COUNT(update(&factors, c.bodies, 1, STEP / 2), units / 2 + 1);
    CHECK(hash_of(lt_rest_factor_of(&factors, soft)) == hash);
    CHECK(update(&factors, c.bodies, 1, STEP / 2) > 0);
    uint64_t half_hash = hash_of(lt_rest_factor_of(&factors, soft));
    CHECK(half_hash != hash);
    CHECK_COUNT(update(&factors, c.bodies, 1, STEP), 0);
    CHECK(hash_of(lt_rest_factor_of(&factors, soft)) == hash);
    CHECK_COUNT(update(&factors, c.bodies, 1, STEP / 2), 0);
    CHECK(hash_of(lt_rest_factor_of(&factors, soft)) == half_hash);
    /* What is begun is finished, whatever dt is meanwhile. */
    update(&factors, c.bodies, 1, 2 * STEP);
    CHECK(update(&factors, c.bodies, 1, STEP / 2) > 0);
    CHECK_COUNT(update(&factors, c.bodies, 1, 2 * STEP), 0);
    /* Another material, and back; other pins, that it does not serve for. */
    hash = hash_of(lt_rest_factor_of(&factors, soft));
    soft->material.young *= 8;
    add(&factors, soft);
    CHECK(soft->last_factor != LT_NONE && hash_of(lt_rest_factor_of(&factors, soft)) == hash);
    update(&factors, c.bodies, 1, 2 * STEP);
    CHECK(hash_of(lt_rest_factor_of(&factors, soft)) == hash);
    update(&factors, c.bodies, 1, 2 * STEP);
    CHECK(hash_of(lt_rest_factor_of(&factors, soft)) != hash);
    soft->material.young /= 8;
    add(&factors, soft);
    CHECK_COUNT(update(&factors, c.bodies, 1, 2 * STEP), 0);
    CHECK(hash_of(lt_rest_factor_of(&factors, soft)) == hash);
    pin_first(soft, 2);
    add(&factors, soft);
    CHECK(lt_rest_factor_of(&factors, soft) == NULL && soft->last_factor == LT_NONE);
    lt_rest_factors_remove(&factors, soft);
    CHECK_COUNT(used_count(&factors), 0);
    CHECK_COUNT(plan_count(&factors), 0);
    lt_rest_factors_free(&factors);
    crowd_free(&c);
}

/* A larger body that is added in the middle moves the scratch; the one whose factor it is may go. */
static void work_goes_on_while_bodies_come_and_go(void) {
    crowd c = crowd_make();
    lt_rest_factors factors = lt_rest_factors_make(NULL);
    lt_soft_def def = middle_def();
    lt_soft *small = crowd_add(&c, 1, &def), *large = crowd_add(&c, 0, &def);
    add(&factors, small);
    uint64_t units = update(&factors, c.bodies, 1, STEP), hash = hash_of(lt_rest_factor_of(&factors, small));
    lt_rest_factors_free(&factors);
    small->factor = LT_NONE;
    for (uint64_t grant = units / 9; grant < units; grant += units / 9) {
        factors = lt_rest_factors_make(NULL);
        factors.units_a_step = grant;
        add(&factors, small);
        update(&factors, c.bodies, 1, STEP);
        add(&factors, large);
        factors.units_a_step = 100 * units;
        update(&factors, c.bodies, 2, STEP);
        CHECK(hash_of(lt_rest_factor_of(&factors, small)) == hash && lt_rest_factor_of(&factors, large));
        factors.units_a_step = grant;
        update(&factors, c.bodies, 2, 3 * STEP);
        lt_rest_factors_remove(&factors, small);
        lt_rest_factors_remove(&factors, large);
        CHECK_COUNT(factors.maker.factor, LT_NONE);
        lt_rest_factors_free(&factors);
    }
    crowd_free(&c);
}

/* ---- between worlds ---- */

/* What one has made the other finds, and pays for: what it uses in which step is what it would use alone. */
static void worlds_share_numbers(void) {
    crowd c = crowd_make();
    lt_soft_def def = middle_def();
    lt_soft *first = crowd_add(&c, 0, &def), *second = crowd_add(&c, 0, &def);
    lt_rest_factors a = lt_rest_factors_make(NULL), b = lt_rest_factors_make(NULL);
    add(&a, first);
    uint64_t units = update(&a, c.bodies, 1, STEP), hash = hash_of(lt_rest_factor_of(&a, first));
    b.units_a_step = units / 3 + 1;
    add(&b, second);
    for (int step = 0; step < 3; step++) {
        const uint32_t awake[1] = {1};
        CHECK(lt_rest_factor_of(&b, second) == NULL);
        uint64_t paid = lt_rest_factors_update(&b, c.bodies, awake, 1, (lt_real)STEP, lt_simd_best());
        CHECK(paid > units / 4 && paid <= units / 3 + 1 && b.maker.found);
    }
    const lt_rest_factor *of_a = lt_rest_factor_of(&a, first), *of_b = lt_rest_factor_of(&b, second);
    CHECK_FATAL(of_a && of_b);
    CHECK(of_a->values == of_b->values && lt_rest_factor_plan(&a, of_a) == lt_rest_factor_plan(&b, of_b));
    /* One goes on to others; those of the other stay. */
    CHECK_COUNT(update(&a, c.bodies, 1, 2 * STEP), units);
    CHECK(hash_of(lt_rest_factor_of(&a, first)) != hash && hash_of(lt_rest_factor_of(&b, second)) == hash);
    CHECK_COUNT(update(&a, c.bodies, 1, STEP), units);
    CHECK(lt_rest_factor_of(&a, first)->values == lt_rest_factor_of(&b, second)->values);
    lt_rest_factors_free(&a);
    CHECK(hash_of(lt_rest_factor_of(&b, second)) == hash);
    /* Nobody has them any more, but the shape. */
    lt_rest_factors_free(&b);
    crowd_free(&c);
}

/* ---- when it is let go ---- */

static void it_is_let_go_with_its_last_body(void) {
    failing f = failing_after(1000);
    lt_allocator allocator = failing_allocator(&f);
    crowd c = crowd_make_with(&allocator);
    lt_rest_factors factors = lt_rest_factors_make(&allocator);
    lt_soft_def def = middle_def();
    for (int i = 0; i < 2; i++)
        add(&factors, crowd_add(&c, 0, &def));
    add(&factors, crowd_add(&c, 1, &def));
    update(&factors, c.bodies, 3, STEP);
    size_t all = f.bytes_out;
    lt_rest_factors_remove(&factors, &c.bodies[0]);
    CHECK_COUNT(f.bytes_out, all);
    CHECK(c.bodies[0].factor == LT_NONE && lt_rest_factor_of(&factors, &c.bodies[1]));
    lt_rest_factors_remove(&factors, &c.bodies[1]);
    size_t one = f.bytes_out;
    CHECK(one < all);
    CHECK_COUNT(plan_count(&factors), 1);
    CHECK(lt_rest_factor_of(&factors, &c.bodies[2]));
    /* Others come and go in the same places, materials change from step to step. */
    for (int i = 0; i < 20; i++) {
        c.bodies[i % 2].material.young = 1000.0f * (float)(1 << i);
        add(&factors, &c.bodies[i % 2]);
        update(&factors, c.bodies, 3, STEP);
        CHECK(used_count(&factors) <= 3);
    }
    CHECK(factors.factors.count <= 4 && factors.plans.count <= 2);
    for (int i = 0; i < 3; i++)
        lt_rest_factors_remove(&factors, &c.bodies[i]);
    CHECK_COUNT(used_count(&factors), 0);
    CHECK_COUNT(plan_count(&factors), 0);
    lt_rest_factors_remove(&factors, &c.bodies[0]); /* has none */
    lt_rest_factors_free(&factors);
    crowd_free(&c);
    CHECK_COUNT(f.blocks_out, 0);
    CHECK_COUNT(f.bytes_out, 0);
}

/* ---- where memory runs out ---- */

/* Three bodies, each asked for until it has its own. What fails changes nothing, and can be asked for again. */
static bool run_with(int allowed) {
    failing f = failing_after(1000);
    lt_allocator allocator = failing_allocator(&f);
    crowd c = crowd_make_with(&allocator);
    f.allowed = allowed;
    lt_rest_factors factors = lt_rest_factors_make(&allocator);
    lt_soft_def def = middle_def();
    lt_error error;
    bool failed = false;
    crowd_add(&c, 1, &def);
    crowd_add(&c, 0, &def);
    crowd_add(&c, 0, &def)->material.young *= 8;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t before = used_count(&factors), plans = plan_count(&factors);
        lt_status status = lt_rest_factors_add(&factors, &c.bodies[i], &error);
        if (status == LT_OK) continue;
        CHECK(status == LT_STATUS_MEMORY && error.message[0]);
        CHECK_COUNT(c.bodies[i].factor, LT_NONE);
        CHECK_COUNT(used_count(&factors), before);
        CHECK_COUNT(plan_count(&factors), plans);
        failed = true;
        f.allowed = 1000;
        add(&factors, &c.bodies[i]);
    }
    CHECK_COUNT(used_count(&factors), 3);
    CHECK_COUNT(plan_count(&factors), 2);
    /* A change of material that fails leaves the body with what it had. */
    uint32_t had = c.bodies[1].factor;
    f.allowed = 0;
    c.bodies[1].material.young *= 64;
    CHECK(lt_rest_factors_add(&factors, &c.bodies[1], &error) == LT_STATUS_MEMORY);
    CHECK_COUNT(c.bodies[1].factor, had);
    update(&factors, c.bodies, 3, STEP); /* takes no memory */
    for (uint32_t i = 0; i < 3; i++)
        CHECK(lt_rest_factor_of(&factors, &c.bodies[i]));
    lt_rest_factors_free(&factors);
    crowd_free(&c);
    CHECK_COUNT(f.blocks_out, 0);
    CHECK_COUNT(f.bytes_out, 0);
    return failed;
}

static void every_allocation_may_fail(void) {
    int allowed = 0;
    while (allowed < 1000 && run_with(allowed))
        allowed++;
    printf("%d allocations\n", allowed);
    CHECK(allowed >= 10 && allowed < 1000);
}

int main(void) {
    RUN(it_is_made_anew_where_the_step_leaves_its_range);
    RUN(it_is_made_by_paid_work);
    RUN(the_old_one_serves_until_then);
    RUN(work_goes_on_while_bodies_come_and_go);
    RUN(worlds_share_numbers);
    RUN(it_is_let_go_with_its_last_body);
    RUN(every_allocation_may_fail);
    return check_finish();
}
