/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The traversal against brute force, cut after every piece of work: in any order, with any room, the front is a cut of
 * the tree of pairs, so that whatever meets lies under exactly one of its pairs.
 * labels: golden wasm */

#include "bake/rest_tree.h"
#include "core/hash.h"
#include "detect/traversal.h"

/* ---- two bodies ---- */

static sphere_fixture block, torus;

static bool make_two(void) {
    return sphere_block(&block, (lt_dvec3){1, 1, 1}, 2, 2, 2, (fixture_options){0},
                        (tree_options){.depth = 2}) &&
           sphere_torus(&torus, 0.5, 0.25, 8, (tree_options){.depth = 2, .branching = 6});
}

static void grow(lt_rest_sphere *sphere, double radius) {
    double more = lt_max_d(0, radius - sphere->radius);
    sphere->radius += more;
    sphere->error += more;
    sphere->own_error += more;
}

/* Leaves larger than they need be: they stick out of the spheres above them. */
static bool puff_leaves(sphere_fixture *f) {
    for (uint32_t i = 0; i < f->rest.sphere_count; i++)
        if (f->rest.spheres[i].child_count == 0) grow(&f->rest.spheres[i], 1.5 * f->rest.spheres[i].radius);
    return bind_spheres(f);
}

/* Every sphere as large as it takes to hold its children's. */
static bool make_layers(sphere_fixture *f) {
    for (uint32_t i = f->rest.sphere_count; i-- > 1;) {
        const lt_rest_sphere *s = &f->rest.spheres[i];
        lt_rest_sphere *above = &f->rest.spheres[s->parent];
        grow(above, lt_d3_distance(s->center, above->center) + s->radius + 1e-5);
    }
    f->rest.layered = true;
    return bind_spheres(f);
}

/* Near each other, somehow turned; now and then deformed. */
static void pose_two(sphere_fixture *a, sphere_fixture *b, lt_random *random, bool deformed) {
    affine x = random_rigid(random, 0.1), y = random_rigid(random, 0.6);
    fixture_move(&a->body, move_affine, &x);
    fixture_move(&b->body, move_affine, &y);
    if (!deformed) return;
    fixture_shake(&a->body, random, 0.1);
    fixture_shake(&b->body, random, 0.1);
}

static void cut_everywhere(traversal *s, const oracle *o, uint32_t *cuts) {
    uint32_t wrong = 0, lost_level = 0;
    float worst = 1e30f;
    double mean = 1e30;
    uint32_t level = 0;
    do {
        front_facts facts = mark_front(s);
        wrong += wrong_paths(o) + facts.twice + !facts.finite;
        wrong += facts.count != s->t.queued_count + s->t.found_count;
        wrong += facts.worst_bound > worst; /* more work, never a looser bound */
        worst = facts.worst_bound;
        if (s->t.order == LT_ORDER_FIFO && s->t.queued_count) { /* a level completed: finer on the mean */
            const lt_front_pair *next = &s->t.pool[s->t.heads[0]];
            uint32_t now = s->a->tree.levels[lt_block_of(next->a)] + s->b->tree.levels[lt_block_of(next->b)];
            lost_level += now > level && facts.mean_error > mean * 1.0001;
            if (now > level) mean = facts.mean_error;
            level = now;
        }
        ++*cuts;
    } while (advance(s));
    CHECK_COUNT(wrong, 0);
    CHECK_COUNT(lost_level, 0);
    CHECK_COUNT(wrong_leaves(o), 0);
}

static void every_cut_is_a_cut(void) {
    traversal s = {0};
    lt_random random = lt_random_seed(1);
    uint32_t meeting = 0, cuts = 0, found = 0;
    for (int round = 0; round < 6; round++) {
        pose_two(&block, &torus, &random, round % 2);
        float margin = round < 3 ? 0 : 0.05f;
        begin(&s, &block, &torus, LT_ORDER_FIFO, margin, POOL);
        oracle o = make_oracle(&s);
        for (int order = 0; order < LT_ORDER_COUNT; order++) {
            begin(&s, &block, &torus, (lt_order)order, margin, POOL);
            cut_everywhere(&s, &o, &cuts);
        }
        found += s.t.found_count;
        for (uint32_t i = 0; i < o.count; i++)
            meeting += o.pieces_meet[i];
        drop_oracle(&o);
    }
    CHECK(meeting > 50 && cuts > 500 && found > 200);
}

static uint64_t fronts = LT_HASH_SEED; /* of all that were found uninterrupted */

/* Uninterrupted, all orders find the same with the same work. Returns how many pairs of leaves that touch were not
 * found, because their spheres stick out of those above them. */
static uint32_t missed_leaves(uint32_t *touching) {
    static uint8_t first[NODES_MAX][NODES_MAX];
    traversal s = {0}, best = {0};
    lt_random random = lt_random_seed(2);
    uint32_t missed = 0, nb = torus.tree.leaf_count;
    *touching = 0;
    for (int round = 0; round < 12; round++) {
        pose_two(&block, &torus, &random, false);
        uint64_t units = 0;
        for (int order = 0; order < LT_ORDER_COUNT; order++) {
            begin(&s, &block, &torus, (lt_order)order, 0, POOL);
            uint64_t now = run_all(&s);
            CHECK(s.t.queued_count == 0 && !s.t.full);
            mark_front(&s);
            if (order == 0) memcpy(first, in_front, sizeof first), best = s, units = now;
            if (order == 0) fronts = lt_hash_u64(lt_hash_bytes(fronts, first, sizeof first), units);
            CHECK(memcmp(first, in_front, sizeof first) == 0);
            CHECK(now == units && s.t.tested == best.t.tested && s.t.found_count == best.t.found_count);
        }
        refresh_spheres(&block, lt_simd_best());
        refresh_spheres(&torus, lt_simd_best());
        for (uint32_t i = 0; i < block.tree.leaf_count * nb; i++) {
            uint32_t x = leaf_node(&block, i / nb), y = leaf_node(&torus, i % nb);
            bool touch = near(&block, x, &torus, y, 0);
            *touching += touch;
            missed += touch && !in_front[x][y];
            CHECK(touch || !in_front[x][y]);
        }
    }
    return missed;
}

/* ---- many tests at once ---- */

typedef struct front_copy {
    lt_traverse t;
    lt_front_pair pairs[POOL];
    uint32_t pair_count, uses[NODES_MAX];
} front_copy;

static void copy_front(front_copy *out, const traversal *s) {
    uint32_t bucket;
    out->t = s->t;
    out->pair_count = 0;
    for (uint32_t i = lt_front_next(&s->t, LT_NONE, &bucket); i != LT_NONE;
         i = lt_front_next(&s->t, i, &bucket))
        out->pairs[out->pair_count++] = s->t.pool[i];
}

static uint32_t front_differences(const front_copy *x, const front_copy *y) {
    uint32_t wrong = x->pair_count != y->pair_count;
    for (uint32_t i = 0; i < x->pair_count && !wrong; i++)
        wrong += x->pairs[i].a != y->pairs[i].a || x->pairs[i].b != y->pairs[i].b ||
                 x->pairs[i].bound != y->pairs[i].bound;
    wrong += memcmp(x->uses, y->uses, sizeof x->uses) != 0 || x->t.used_nodes != y->t.used_nodes;
    wrong += x->t.queued_count != y->t.queued_count || x->t.found_count != y->t.found_count;
    wrong += x->t.used != y->t.used || x->t.full != y->t.full || x->t.tested != y->t.tested;
    return wrong + (x->t.high_water != y->t.high_water);
}

/* How often a node is the first of a pair, counted. */
static uint32_t wrong_uses(const front_copy *x) {
    static uint32_t uses[NODES_MAX];
    uint32_t used_nodes = 0;
    memset(uses, 0, sizeof uses);
    for (uint32_t i = 0; i < x->pair_count; i++)
        used_nodes += uses[x->pairs[i].a]++ == 0;
    return (used_nodes != x->t.used_nodes) + (memcmp(uses, x->uses, sizeof uses) != 0);
}

/* Up to `units` of work in pieces no larger than `grant`, or just as large as they must be. */
static void run_in_pieces(front_copy *out, traversal *s, uint64_t units, uint32_t grant, bool in_rows) {
    memset(out->uses, 0, sizeof out->uses);
    s->t.uses = out->uses;
    s->t.node_count = LT_LANES * s->a->tree.block_count;
    if (!in_rows) s->t.a.test_rows = NULL;
    lt_traverse_begin(&s->t, 1e3f);
    for (uint64_t spent = 0;;) {
        uint32_t cost = lt_traverse_peek(&s->t, 1).cost;
        if (cost == 0 || spent + cost > units) break;
        spent += lt_traverse_step(&s->t, (uint32_t)lt_min_u64(lt_max_u32(cost, grant), units - spent));
    }
    copy_front(out, s);
}

/* However many tests a grant allows at once, through whichever function, the front is what it is one by one. */
static void rows_are_what_single_tests_are(void) {
    static front_copy one, many, singly;
    traversal s = {0};
    lt_random random = lt_random_seed(12);
    uint32_t wrong = 0, full = 0, found = 0;
    for (int round = 0; round < 60; round++) {
        lt_order order = (lt_order)(round / 3 % LT_ORDER_COUNT);
        uint32_t capacity = round % 2 ? POOL : 40 + lt_random_below(&random, 1500);
        uint64_t units = round % 4 < 2 ? 1000000000 : 20000 + lt_random_below(&random, 20000);
        float tolerance = round % 5 ? 0 : 0.2f;
        front_copy *copies[3] = {&one, &many, &singly};
        pose_two(&block, &torus, &random, false);
        for (int i = 0; i < 3; i++) {
            bool swapped = round % 3 == 0;
            begin(&s, swapped ? &torus : &block, swapped ? &block : &torus, order, 0.02f, capacity);
            s.t.tolerance = tolerance;
            run_in_pieces(copies[i], &s, units, i == 0 ? 0 : i == 1 ? 1000000 : 100, i < 2);
        }
        wrong += front_differences(&one, &many) + front_differences(&one, &singly) + wrong_uses(&one);
        full += one.t.full;
        found += one.t.found_count;
    }
    CHECK_COUNT(wrong, 0);
    CHECK(full > 5 && found > 2000);
}

static void orders_agree(void) {
    uint32_t touching, missed = missed_leaves(&touching);
    CHECK(touching > 300);
    printf("%u of %u pairs of leaves stick out of spheres above them\n", missed, touching);
}

static void orders_agree_where_leaves_stick_out(void) {
    uint32_t touching;
    CHECK_FATAL(puff_leaves(&block) && puff_leaves(&torus));
    CHECK(missed_leaves(&touching) > 20);
}

static void layered_trees_find_what_brute_force_finds(void) {
    uint32_t touching;
    CHECK_FATAL(make_layers(&block) && make_layers(&torus));
    CHECK_COUNT(missed_leaves(&touching), 0);
    CHECK(touching > 300);
    check_golden("fronts", fronts);
}

/* ---- room ---- */

static void any_capacity_gives_a_cut(void) {
    traversal s = {0};
    lt_random random = lt_random_seed(3);
    pose_two(&block, &torus, &random, true);
    begin(&s, &block, &torus, LT_ORDER_FIFO, 0, POOL);
    oracle o = make_oracle(&s);
    begin(&s, &block, &torus, LT_ORDER_FIFO, 0, POOL);
    run_all(&s);
    uint32_t all = s.t.found_count, enough = 0;
    CHECK(all > 30 && s.t.high_water >= all);
    for (uint32_t capacity = 1; capacity < 3 * all; capacity += capacity < 20 ? 1 : 1 + capacity / 8)
        for (int order = 0; order < LT_ORDER_COUNT; order++) {
            begin(&s, &block, &torus, (lt_order)order, 0, capacity);
            run_all(&s);
            front_facts facts = mark_front(&s);
            CHECK(facts.count <= capacity && s.t.high_water <= capacity);
            CHECK_COUNT(wrong_paths(&o), 0);
            CHECK(s.t.full == (s.t.queued_count > 0));
            enough += !s.t.full;
            if (!s.t.full) CHECK_COUNT(wrong_leaves(&o), 0);
            if (capacity == 1) CHECK(s.t.full && facts.count == 1);
        }
    CHECK(enough > 3);
    drop_oracle(&o);
}

/* Pairs whose overlap proves enough are not refined, and nothing else is left. */
static void a_tolerance_stops_early(void) {
    traversal s = {0};
    lt_random random = lt_random_seed(4);
    pose_two(&block, &torus, &random, false);
    begin(&s, &block, &torus, LT_ORDER_FIFO, 0, POOL);
    oracle o = make_oracle(&s);
    uint64_t before = UINT64_MAX;
    for (float tolerance = 0.1f; tolerance < 4; tolerance *= 1.3f) {
        begin(&s, &block, &torus, LT_ORDER_BEST_FIRST, 0, POOL);
        s.t.tolerance = tolerance;
        uint64_t units = run_all(&s);
        CHECK(units <= before);
        before = units;
        mark_front(&s);
        CHECK_COUNT(wrong_paths(&o), 0);
        CHECK_COUNT(s.t.queued_count, 0);
        uint32_t bucket, coarse = 0;
        for (uint32_t i = lt_front_next(&s.t, LT_NONE, &bucket); i != LT_NONE;
             i = lt_front_next(&s.t, i, &bucket)) {
            const lt_front_pair *p = &s.t.pool[i];
            coarse += !(is_leaf(&block, p->a) && is_leaf(&torus, p->b)) && p->bound > tolerance;
        }
        CHECK_COUNT(coarse, 0);
    }
    CHECK(before < 2000); /* at last next to nothing is looked at */
    drop_oracle(&o);
}

/* ---- odd trees ---- */

static void single_spheres_are_found_at_once(void) {
    sphere_fixture a, b;
    traversal s = {0};
    CHECK_FATAL(
        sphere_block(&a, (lt_dvec3){1, 1, 1}, 1, 1, 1, (fixture_options){0}, (tree_options){.depth = 0}));
    CHECK_FATAL(
        sphere_block(&b, (lt_dvec3){1, 1, 1}, 1, 1, 1, (fixture_options){0}, (tree_options){.depth = 2}));
    begin(&s, &a, &a, LT_ORDER_BEST_FIRST, 0, POOL); /* with itself there is nothing to look at */
    CHECK(run_all(&s) == 0 && s.t.found_count == 0 && s.t.queued_count == 0 && !s.t.full);
    begin(&s, &b, &a, LT_ORDER_BEST_FIRST, 0, POOL); /* leaves of one against the one sphere of the other */
    oracle o = make_oracle(&s);
    uint32_t cuts = 0;
    begin(&s, &b, &a, LT_ORDER_BEST_FIRST, 0, POOL);
    cut_everywhere(&s, &o, &cuts);
    CHECK(s.t.found_count == b.tree.leaf_count);
    drop_oracle(&o);
    sphere_fixture_free(&b);
    CHECK_FATAL(
        sphere_block(&b, (lt_dvec3){1, 1, 1}, 1, 1, 1, (fixture_options){0}, (tree_options){.depth = 0}));
    begin(&s, &a, &b, LT_ORDER_BEST_FIRST, 0, 1);
    CHECK(run_all(&s) == 0 && s.t.found_count == 1 && s.t.queued_count == 0 && !s.t.full);
    sphere_fixture_free(&a);
    sphere_fixture_free(&b);
}

/* One body in the very place of another: all centres coincide in pairs, keys are still numbers. */
static void coincident_bodies_are_traversed(void) {
    sphere_fixture a, b;
    traversal s = {0};
    CHECK_FATAL(
        sphere_block(&a, (lt_dvec3){1, 1, 1}, 1, 1, 1, (fixture_options){0}, (tree_options){.depth = 2}));
    CHECK_FATAL(
        sphere_block(&b, (lt_dvec3){1, 1, 1}, 1, 1, 1, (fixture_options){0}, (tree_options){.depth = 2}));
    begin(&s, &a, &b, LT_ORDER_BEST_FIRST, 0, POOL);
    oracle o = make_oracle(&s);
    begin(&s, &a, &b, LT_ORDER_BEST_FIRST, 0, POOL);
    run_all(&s);
    CHECK(mark_front(&s).finite);
    CHECK_COUNT(wrong_paths(&o), 0);
    CHECK_COUNT(wrong_leaves(&o), 0);
    for (uint32_t leaf = 0; leaf < a.tree.leaf_count; leaf++)
        CHECK(in_front[leaf_node(&a, leaf)][leaf_node(&b, leaf)]);
    drop_oracle(&o);
    sphere_fixture_free(&a);
    sphere_fixture_free(&b);
}

/* Far apart, or flat: no pair is left as soon as the first children are seen. */
static void what_is_apart_has_no_front(void) {
    traversal s = {0};
    affine away = translation(2.1, 0, 0);
    fixture_move(&torus.body, move_affine, &away);
    begin(&s, &block, &torus, LT_ORDER_BEST_FIRST, 0, POOL);
    run_all(&s);
    CHECK(s.t.queued_count == 0 && s.t.found_count == 0 && mark_front(&s).count == 0);
}

/* ---- a body with itself ---- */

static bool masked(const sphere_fixture *f, uint32_t i, uint32_t j) {
    return f->tree.near_at_rest[(size_t)i * f->tree.mask_words + j / 32] >> (j % 32) & 1;
}

/* Meetings of surface pieces whose leaves may collide, that are not under exactly one pair of the front. */
static uint32_t wrong_self_pairs(const traversal *s, const oracle *o, uint32_t *meeting) {
    const sphere_fixture *f = s->a;
    uint32_t wrong = 0, count = f->tree.leaf_count;
    *meeting = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            if (!o->pieces_meet[i * count + j] || masked(f, i, j)) continue;
            uint32_t found = 0;
            for (uint32_t x = leaf_node(f, i); x != LT_NONE; x = parent_of(f, x))
                for (uint32_t y = leaf_node(f, j); y != LT_NONE; y = parent_of(f, y))
                    found += in_front[x][y] + (x != y ? in_front[y][x] : 0);
            wrong += found != 1;
            ++*meeting;
        }
    return wrong;
}

static void bodies_meet_themselves_only_where_they_bend(void) {
    sphere_fixture f;
    traversal s = {0};
    CHECK_FATAL(sphere_block(&f, (lt_dvec3){0.2, 2, 0.2}, 1, 12, 1, (fixture_options){0},
                             (tree_options){.depth = 3}));
    CHECK(LT_LANES * f.tree.block_count <= NODES_MAX && f.tree.self_gap > 0);
    lt_random random = lt_random_seed(5);
    for (int round = 0; round < 5; round++) { /* at rest, wherever it is: next to no work, nothing found */
        affine a = random_rigid(&random, 3);
        fixture_move(&f.body, move_affine, &a);
        begin(&s, &f, &f, LT_ORDER_BEST_FIRST, 0, POOL);
        run_all(&s);
        CHECK(s.t.found_count == 0 && s.t.queued_count == 0);
        CHECK(s.t.tested < 20 * LT_LANES * LT_LANES);
    }
    uint32_t met = 0;
    for (double rate = 2.7; rate < 3.5;
         rate += 0.2) { /* bent to a ring: its ends meet when it is 6.2 rad long */
        warp ring = {rate, true};
        fixture_move(&f.body, move_warp, &ring);
        begin(&s, &f, &f, LT_ORDER_BEST_FIRST, 0, POOL);
        oracle o = make_oracle(&s);
        for (int order = 0; order < LT_ORDER_COUNT; order++) {
            uint32_t wrong = 0, meeting = 0;
            begin(&s, &f, &f, (lt_order)order, 0, POOL);
            for (bool more = true; more;) {
                more = advance(&s) && advance(&s) && advance(&s);
                front_facts facts = mark_front(&s);
                wrong += wrong_self_pairs(&s, &o, &meeting) + facts.twice;
            }
            CHECK_COUNT(wrong, 0);
            CHECK_COUNT(s.t.queued_count, 0);
            CHECK(rate < 2.8 ? meeting == 0 : rate < 3.3 || meeting > 0);
            CHECK(meeting == 0 || s.t.found_count > 0);
            met += meeting;
        }
        drop_oracle(&o);
    }
    CHECK(met > 10);
    sphere_fixture_free(&f);
}

/* ---- obstacles ---- */

/* Leaves that reach a floor or a ball, by definition, against those found; every cut has one sphere above each. */
static void obstacles_are_met_by_the_leaves_that_reach_them(void) {
    sphere_fixture f;
    CHECK_FATAL(sphere_torus(&f, 0.5, 0.25, 8, (tree_options){.depth = 2}));
    lt_random random = lt_random_seed(6);
    for (int round = 0; round < 12; round++) {
        lt_obstacle obstacle = {.in_use = true,
                                .kind = round % 2 ? LT_OBSTACLE_SPHERE : LT_OBSTACLE_PLANE,
                                .radius = 0.4f,
                                .local_normal = {0, 1, 0}};
        lt_obstacle_place(&obstacle, (lt_vec3){0.1f, -0.2f, 0}, (lt_quat){0, 0, 0, 1});
        affine a = random_rigid(&random, 0.2);
        fixture_move(&f.body, move_affine, &a);
        if (round > 6) fixture_shake(&f.body, &random, 0.05);
        traversal s = {.sides = {{0}, {.obstacle = &obstacle}}};
        const float margin = 0.02f;
        begin(&s, &f, NULL, (lt_order)(round % LT_ORDER_COUNT), margin, POOL);
        uint32_t uncovered = 0;
        do {
            mark_front(&s);
            for (uint32_t leaf = 0; leaf < f.tree.leaf_count; leaf++) {
                uint32_t node = leaf_node(&f, leaf), above = 0;
                bool reaches = false;
                for (uint32_t i = f.tree.point_begin[node]; i < f.tree.point_begin[node + 1]; i++) {
                    lt_vec3 p = f.body.collider.points[f.tree.points[i]];
                    reaches = reaches || lt_obstacle_distance(&obstacle, p).distance < margin;
                }
                for (uint32_t x = node; x != LT_NONE; x = parent_of(&f, x))
                    above += in_front[x][0];
                uncovered += above > 1 || (reaches && above != 1);
            }
        } while (advance(&s));
        CHECK_COUNT(uncovered, 0);
        CHECK(s.t.found_count > 0 && s.t.queued_count == 0);
        for (uint32_t leaf = 0; leaf < f.tree.leaf_count; leaf++) { /* and no leaf that stays away */
            uint32_t node = leaf_node(&f, leaf);
            const lt_spheres *spheres = &f.body.collider.spheres;
            if (!in_front[node][0]) continue;
            float distance = lt_obstacle_distance(&obstacle, lt_sphere_center(spheres, node)).distance;
            CHECK(distance < lt_sphere_now(spheres, LT_NOW_RADIUS, node) + margin);
        }
    }
    sphere_fixture_free(&f);
}

int main(void) {
    if (!make_two()) return 1;
    RUN(orders_agree);
    RUN(orders_agree_where_leaves_stick_out);
    RUN(every_cut_is_a_cut);
    RUN(rows_are_what_single_tests_are);
    RUN(any_capacity_gives_a_cut);
    RUN(layered_trees_find_what_brute_force_finds);
    RUN(a_tolerance_stops_early);
    RUN(single_spheres_are_found_at_once);
    RUN(coincident_bodies_are_traversed);
    RUN(what_is_apart_has_no_front);
    RUN(bodies_meet_themselves_only_where_they_bend);
    RUN(obstacles_are_met_by_the_leaves_that_reach_them);
    sphere_fixture_free(&block);
    sphere_fixture_free(&torus);
    return check_finish();
}
