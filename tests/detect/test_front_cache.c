/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Fronts that are kept over steps, against brute force: however far the bodies moved and bent, whatever was cut before,
 * whatever meets lies under exactly one pair of the front, whose spheres are fresh. */

#include "detect/front_cache.h"
#include "detect/traversal.h"

enum { RECORDS = 20000 };

/* Two bodies and what is kept of them. */
typedef struct couple {
    sphere_fixture bodies[2];
    lt_dvec3 *offsets[2]; /* [node_count] how far nodes are from where the rigid motion has them */
    affine places[2];
    lt_dvec3 homes[2]; /* what their translation comes back to */
    lt_front_cache cache;
    lt_kept_front front;
    traversal s;
    oracle oracle; /* its paths are those of the trees, whatever moves */
    lt_random random;
} couple;

static couple c;

static lt_front_memory memory_of(couple *w) {
    static uint32_t records[POOL];
    return (lt_front_memory){&w->cache, &w->front, lt_spheres_gap, lt_spheres_bounds, records};
}

static void keep_nothing(couple *w, uint32_t capacity) {
    lt_front_cache_free(&w->cache, NULL);
    CHECK(lt_front_cache_create(&w->cache, capacity, NULL, NULL) == LT_OK);
    w->front = LT_NO_FRONT;
}

/* ---- motion ---- */

static affine small_turn(lt_random *random, double angle) {
    lt_dvec3 w = random_d3(random, angle);
    double squared = lt_d3_length_squared(w), scale = 1 / (1 + 0.25 * squared);
    lt_dmat3 turn = lt_dm3_identity();
    lt_dvec3 *columns[3] = {&turn.c0, &turn.c1, &turn.c2};
    for (int k = 0; k < 3; k++) { /* Cayley: a rotation whatever the angle */
        lt_dvec3 e = *columns[k], across = lt_d3_cross(w, e);
        *columns[k] = lt_d3_mad(lt_d3_mad(e, across, scale), lt_d3_cross(w, across), 0.5 * scale);
    }
    return (affine){turn, {0, 0, 0}};
}

static void place(couple *w, int body) {
    sphere_fixture *f = &w->bodies[body];
    for (uint32_t i = 0; i < f->body.carrier.node_count; i++) {
        const double *r = f->body.carrier.rest + 3 * (size_t)i;
        lt_dvec3 p =
            lt_d3_add(move_affine(&w->places[body], (lt_dvec3){r[0], r[1], r[2]}), w->offsets[body][i]);
        lt_node_set(f->body.soft.x, i, (lt_rvec3){(lt_real)p.x, (lt_real)p.y, (lt_real)p.z});
    }
    fixture_refresh(&f->body);
}

/* About `share` of the size; turned, too, and bent where `bends`. What strays comes back. */
static void move_body(couple *w, int body, double share, bool bends) {
    lt_soft *soft = &w->bodies[body].body.soft;
    affine *at = &w->places[body];
    size_t bytes = 4 * (size_t)soft->carrier.node_count * sizeof(lt_real);
    memcpy(soft->x_before, soft->x, bytes);
    at->m = lt_dm3_mul(small_turn(&w->random, 0.4 * share).m, at->m);
    at->t = lt_d3_mad(at->t, lt_d3_sub(w->homes[body], at->t), 0.5 * share);
    at->t = lt_d3_add(at->t, random_d3(&w->random, 0.8 * share));
    for (uint32_t i = 0; i < soft->carrier.node_count && bends; i++)
        w->offsets[body][i] =
            lt_d3_add(lt_d3_scale(w->offsets[body][i], 0.9), random_d3(&w->random, 0.1 * share));
    place(w, body);
}

static void move_both(couple *w, double share, bool bends) {
    lt_body_motion motions[2];
    for (int i = 0; i < 2; i++) {
        move_body(w, i, share, bends);
        motions[i] = lt_body_motion_of(&w->bodies[i].body.collider);
    }
    lt_front_cache_move(&w->cache, &w->front, &motions[0], &motions[1]);
}

static uint32_t records_below(const lt_front_cache *cache, uint32_t record) {
    uint32_t count = 1;
    for (uint32_t i = cache->records[record].first_child; i != LT_NONE; i = cache->records[i].next)
        count += records_below(cache, i);
    return count;
}

static uint32_t count_records(const couple *w) {
    return w->front.root == LT_NONE ? 0 : records_below(&w->cache, w->front.root);
}

/* Turned somehow, the block about where the torus is: their surfaces meet. */
static void stand_together(couple *w, uint64_t seed) {
    const lt_dvec3 middles[2] = {{0.5, 0.5, 0.5}, {0, 0, 0}};
    w->random = lt_random_seed(seed);
    for (int i = 0; i < 2; i++) {
        affine *at = &w->places[i];
        *at = random_rigid(&w->random, 0.2);
        at->t = w->homes[i] = lt_d3_sub(at->t, lt_dm3_mul_vec(at->m, middles[i]));
        memset(w->offsets[i], 0, w->bodies[i].body.carrier.node_count * sizeof(lt_dvec3));
        place(w, i);
    }
}

/* ---- checks ---- */

static void begin_kept(couple *w, lt_order order, float margin) {
    w->s.t.memory = memory_of(w);
    begin(&w->s, &w->bodies[0], &w->bodies[1], order, margin, POOL);
}

static uint32_t stale_pairs(const traversal *s) {
    uint32_t stale = 0, bucket;
    for (uint32_t i = lt_front_next(&s->t, LT_NONE, &bucket); i != LT_NONE;
         i = lt_front_next(&s->t, i, &bucket)) {
        const lt_front_pair *p = &s->t.pool[i];
        stale += !lt_spheres_fresh(&s->a->body.collider.spheres, lt_block_of(p->a));
        stale += !lt_spheres_fresh(&s->b->body.collider.spheres, lt_block_of(p->b));
    }
    return stale;
}

/* Pairs of leaves with more than one pair of the front above them, or none where surfaces meet; pairs that are stale. */
static uint32_t wrong_front(const traversal *s, const oracle *o) {
    uint32_t wrong = mark_front(s).twice + stale_pairs(s);
    for (uint32_t i = 0; i < o->count; i++) {
        const path *p = &o->paths[i];
        uint32_t found = 0;
        for (uint32_t k = 0; k < p->length; k++)
            found += in_front[p->a[k]][p->b[k]];
        wrong += found > 1 || (o->pieces_meet[i] && found != 1);
    }
    return wrong;
}

typedef struct tally {
    uint64_t wrong, meeting, replayed, tested, cuts;
} tally;

static tally add_tally(tally a, tally b) {
    return (tally){a.wrong + b.wrong, a.meeting + b.meeting, a.replayed + b.replayed, a.tested + b.tested,
                   a.cuts + b.cuts};
}

/* Pairs of the front that are not leaf against leaf. */
static uint32_t coarse_pairs(const traversal *s) {
    uint32_t coarse = 0, bucket;
    for (uint32_t i = lt_front_next(&s->t, LT_NONE, &bucket); i != LT_NONE;
         i = lt_front_next(&s->t, i, &bucket))
        coarse += !is_leaf(s->a, s->t.pool[i].a) || !is_leaf(s->b, s->t.pool[i].b);
    return coarse;
}

/* One turn, looked at after every `every` pieces, and given up after `most`. */
static void take_turn(couple *w, lt_order order, float margin, uint32_t every, uint32_t most, tally *sum) {
    begin_kept(w, order, margin);
    oracle *o = &w->oracle;
    find_meetings(o, &w->s);
    begin_kept(w, order, margin); /* the oracle has refreshed all */
    for (uint32_t i = 0; i < o->count; i++)
        sum->meeting += o->pieces_meet[i];
    uint32_t pieces = 0;
    for (bool more = true; more && pieces < most; pieces++) {
        if (pieces % every == 0) sum->wrong += wrong_front(&w->s, o), sum->cuts++;
        more = advance(&w->s);
    }
    sum->wrong += wrong_front(&w->s, o);
    if (most == UINT32_MAX) sum->wrong += coarse_pairs(&w->s);
    sum->replayed += w->s.t.replayed;
    sum->tested += w->s.t.tested / LT_LANES;
}

/* Some turns are cut short, some looked at after every piece; margins change. */
static tally wander(couple *w, double share, int steps, bool bends, uint32_t capacity) {
    tally sum = {0, 0, 0, 0, 0};
    keep_nothing(w, capacity);
    for (int step = 0; step < steps; step++) {
        move_both(w, share, bends);
        float margin = step % 4 == 3 ? 0.03f : step % 4 == 1 ? 0.01f : 0;
        uint32_t most = step % 5 == 4 ? lt_random_below(&w->random, 200) : UINT32_MAX;
        uint32_t every = step % 20 == 7 ? 1 : step % 5 == 4 ? 20 : UINT32_MAX;
        take_turn(w, (lt_order)(step / 7 % LT_ORDER_COUNT), margin, every, most, &sum);
    }
    return sum;
}

static void whatever_meets_is_under_one_pair(void) {
    const double shares[] = {0.001, 0.01, 0.03, 0.1};
    for (uint32_t i = 0; i < LT_COUNT_OF(shares); i++) {
        stand_together(&c, 11 + i);
        tally bent = wander(&c, shares[i], 36, true, RECORDS);
        tally rigid = wander(&c, shares[i], 14, false, RECORDS);
        tally all = add_tally(bent, rigid);
        CHECK_COUNT(all.wrong, 0);
        CHECK(all.meeting > 1000 && all.cuts > 300 && all.tested > 500);
        printf("%4.1f %%: %llu expansions tested, %llu from records; %llu pairs of leaves met, %llu cuts\n",
               100 * shares[i], (unsigned long long)all.tested, (unsigned long long)all.replayed,
               (unsigned long long)all.meeting, (unsigned long long)all.cuts);
        CHECK(shares[i] > 0.002 || all.replayed > 3 * all.tested);
    }
}

/* Straight towards each other, or past each other, everything as far as it is said to move: where the bound is tight. */
static void what_comes_straight_on_is_found(void) {
    uint64_t met = 0, replayed = 0;
    for (int way = 0; way < 4; way++) {
        stand_together(&c, 71 + (uint64_t)way);
        keep_nothing(&c, RECORDS);
        lt_dvec3 towards =
            lt_d3_scale(lt_d3_normalize_or(random_d3(&c.random, 1), (lt_dvec3){1, 0, 0}), 0.02);
        c.places[1].t = lt_d3_mad(c.places[1].t, towards, -70);
        tally sum = {0, 0, 0, 0, 0};
        for (int step = 0; step < 60; step++) {
            c.places[1].t = lt_d3_add(c.places[1].t, towards);
            move_both(&c, 0, false);
            if (step % 3 == 0) take_turn(&c, LT_ORDER_BEST_FIRST, 0, UINT32_MAX, UINT32_MAX, &sum);
        }
        CHECK_COUNT(sum.wrong, 0);
        met += sum.meeting;
        replayed += sum.replayed;
    }
    CHECK(met > 300 && replayed > 150);
}

static void any_capacity_will_do(void) {
    const uint32_t capacities[] = {1, 2, 7, 30, 80, 150};
    uint64_t meeting = 0;
    for (uint32_t i = 0; i < LT_COUNT_OF(capacities); i++) {
        stand_together(&c, 31 + i);
        tally all = wander(&c, 0.004, 10, true, capacities[i]);
        CHECK_COUNT(all.wrong, 0);
        CHECK(c.cache.used <= capacities[i]);
        CHECK(capacities[i] < 7 || all.replayed > 0);
        meeting += all.meeting;
    }
    CHECK(meeting > 500);
}

/* Rigid links turn away from where nodes would have them: twice their length, whatever the nodes do. */
static void links_are_allowed_for(void) {
    sphere_fixture plain = c.bodies[0]; /* its place is lent, and it comes back to it */
    sphere_fixture *linked = &c.bodies[0];
    CHECK_FATAL(sphere_block(linked, (lt_dvec3){1, 1, 1}, 2, 2, 2, (fixture_options){.rigid_links = true},
                             (tree_options){.depth = 2}));
    stand_together(&c, 51);
    CHECK(linked->body.skin.longest_link > 0);
    CHECK_COUNT(wander(&c, 0.01, 20, true, RECORDS).wrong, 0);
    linked->body.skin.longest_link = 0;
    begin_kept(&c, LT_ORDER_BEST_FIRST, 0);
    run_all(&c.s);
    uint32_t first = c.s.t.a.children[0];
    refresh_spheres(linked, lt_simd_best());
    for (int k = 0; k < 3; k++) /* the root of the torus goes so far away that all is apart */
        c.bodies[1].body.collider.spheres.now[k * LT_LANES] = 9;
    float free = lt_spheres_gap(&c.s.t.a, first, &c.s.t.b, 0, 0).apart;
    linked->body.skin.longest_link = 0.25f;
    CHECK_NEAR(lt_spheres_gap(&c.s.t.a, first, &c.s.t.b, 0, 0).apart, free - 0.5f, 1e-5);
    sphere_fixture_free(linked);
    c.bodies[0] = plain;
}

/* ---- work ---- */

/* What does not move at all is not tested a second time, and only what the front needs is refreshed. */
static void what_rests_is_not_tested_again(void) {
    stand_together(&c, 61);
    c.places[1].t.x += 0.8; /* not with all that they have */
    place(&c, 1);
    keep_nothing(&c, RECORDS);
    begin_kept(&c, LT_ORDER_BEST_FIRST, 0);
    uint64_t first = run_all(&c.s), tested = c.s.t.tested;
    uint32_t found = c.s.t.found_count;
    mark_front(&c.s);
    static uint8_t before[NODES_MAX][NODES_MAX];
    memcpy(before, in_front, sizeof before);
    begin_kept(&c, LT_ORDER_BEST_FIRST, 0);
    uint64_t second = run_all(&c.s);
    mark_front(&c.s);
    CHECK(tested > 100 && found > 20 && c.s.t.tested == 0);
    CHECK(memcmp(before, in_front, sizeof before) == 0);
    CHECK(second < first);
    begin_kept(&c, LT_ORDER_BEST_FIRST,
               0.02f); /* a margin that was not looked for: what is nearer is tested */
    run_all(&c.s);
    CHECK(c.s.t.tested > 0 && c.s.t.found_count > found);
}

/* Bodies that fly side by side do not come nearer. */
static void common_motion_counts_for_nothing(void) {
    stand_together(&c, 62);
    keep_nothing(&c, RECORDS);
    begin_kept(&c, LT_ORDER_BEST_FIRST, 0);
    run_all(&c.s);
    lt_body_motion motions[2];
    for (int i = 0; i < 2; i++) {
        lt_soft *soft = &c.bodies[i].body.soft;
        memcpy(soft->x_before, soft->x, 4 * (size_t)soft->carrier.node_count * sizeof(lt_real));
        c.places[i].t = lt_d3_add(c.places[i].t, (lt_dvec3){3, 4, 0});
        place(&c, i);
        motions[i] = lt_body_motion_of(&c.bodies[i].body.collider);
    }
    lt_front_cache_move(&c.cache, &c.front, &motions[0], &motions[1]);
    CHECK_NEAR(motions[0].mean.x, 3, 1e-5);
    CHECK_NEAR(motions[1].mean.y, 4, 1e-5);
    CHECK(c.front.moved > 0 && c.front.moved < 1e-3);
}

/* A node that runs ahead moves what hangs on it by no more than reach; skins that overhang, by their weights. */
static void motion_is_that_of_the_fastest_node(void) {
    stand_together(&c, 63);
    soft_fixture *f = &c.bodies[0].body;
    memcpy(f->soft.x_before, f->soft.x, 4 * (size_t)f->carrier.node_count * sizeof(lt_real));
    lt_node_add(f->soft.x, 5, (lt_rvec3){0, 0.27f, 0}, 1);
    lt_body_motion moved = lt_body_motion_of(&f->collider);
    float mean = 0.27f / (float)f->carrier.node_count;
    CHECK_NEAR(moved.mean.y, mean, 1e-6);
    CHECK_NEAR(moved.reach, (1 + 2 * f->skin.overhang) * (0.27f - mean), 1e-5);
    f->collider.asleep = true;
    CHECK(lt_body_motion_of(&f->collider).reach == 0);
    f->collider.asleep = false;
}

/* Bodies that go apart leave nothing to look at, and do not cost records for ever. */
static void what_has_gone_apart_is_merged(void) {
    stand_together(&c, 64);
    keep_nothing(&c, RECORDS);
    for (int step = 0; step < 40; step++) {
        c.places[1].t.x += 0.06;
        move_both(&c, 0.0005, false);
        begin_kept(&c, LT_ORDER_BEST_FIRST, 0);
        run_all(&c.s);
    }
    CHECK(c.s.t.found_count == 0 && c.s.t.tested / LT_LANES + c.s.t.replayed <= 3);
    CHECK(count_records(&c) <= 11);
}

/* ---- records ---- */

/* Dropped records are used again, down to the last child. */
static void what_is_forgotten_is_used_again(void) {
    lt_kept_front fronts[3];
    keep_nothing(&c, 6);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t root = lt_front_cache_take(&c.cache, LT_NONE, 0);
        fronts[i] = (lt_kept_front){.root = root, .moved = i + 1};
        CHECK(root != LT_NONE && lt_front_cache_take(&c.cache, root, 3) != LT_NONE);
    }
    CHECK(lt_front_cache_take(&c.cache, LT_NONE, 0) == LT_NONE);
    lt_front_cache_forget(&c.cache, &fronts[1]);
    CHECK(fronts[1].root == LT_NONE && fronts[1].moved == 0);
    CHECK(lt_front_cache_child(&c.cache, fronts[2].root, 3) != LT_NONE);
    CHECK(lt_front_cache_take(&c.cache, LT_NONE, 0) !=
          LT_NONE); /* the root that was dropped, then its child */
    CHECK(lt_front_cache_take(&c.cache, LT_NONE, 0) != LT_NONE);
    CHECK(lt_front_cache_take(&c.cache, LT_NONE, 0) == LT_NONE);
    lt_front_cache_forget(&c.cache, &fronts[0]);
    lt_front_cache_forget(&c.cache, &fronts[2]);
    lt_front_cache_forget(&c.cache, &fronts[2]); /* it has none */
    for (int i = 0; i < 4; i++)
        CHECK(lt_front_cache_take(&c.cache, LT_NONE, 0) != LT_NONE);
    CHECK(lt_front_cache_take(&c.cache, LT_NONE, 0) == LT_NONE);
}

/* Nothing is below a record when nothing is below every lane that came near: lanes without a record may be anything. */
static void emptiness_goes_up_when_all_lanes_are(void) {
    keep_nothing(&c, 4);
    lt_front_record *r = c.cache.records;
    uint32_t root = lt_front_cache_take(&c.cache, LT_NONE, 0),
             middle = lt_front_cache_take(&c.cache, root, 6);
    r[root].near = 1 << 6;
    r[middle].near = 1 << 2 | 1 << 5;
    r[root].until = 9;
    r[middle].until = 7;
    uint32_t first = lt_front_cache_take(&c.cache, middle, 2);
    r[first].empty_until = 5;
    lt_front_cache_close(&c.cache, first);
    CHECK(r[middle].empty_until == LT_NOT_EMPTY);
    uint32_t second = lt_front_cache_take(&c.cache, middle, 5);
    lt_front_cache_close(&c.cache, first);
    CHECK(r[middle].empty_until == LT_NOT_EMPTY && r[root].empty_until == LT_NOT_EMPTY);
    r[second].empty_until = 3;
    lt_front_cache_close(&c.cache, second);
    CHECK(r[middle].empty_until == 3 && r[root].empty_until == 3);
    r[first].empty_until = r[second].empty_until = 20;
    lt_front_cache_close(&c.cache, first);
    CHECK(r[middle].empty_until == 7 && r[root].empty_until == 7);
    lt_front_cache_keep_lanes(&c.cache, middle, 1 << 5);
    CHECK(lt_front_cache_child(&c.cache, middle, 2) == LT_NONE);
    CHECK(lt_front_cache_child(&c.cache, middle, 5) == second);
}

/* Where most is tested anew a front is forgotten, and the next turns are taken without. */
static void what_does_not_pay_rests(void) {
    keep_nothing(&c, 3);
    CHECK(lt_front_cache_opens(&c.front));
    c.front.root = lt_front_cache_take(&c.cache, LT_NONE, 0);
    lt_front_cache_judge(&c.cache, &c.front, &(lt_traverse){.replayed = 20, .tested = 10 * LT_LANES});
    CHECK(c.front.root != LT_NONE && lt_front_cache_opens(&c.front));
    lt_front_cache_judge(&c.cache, &c.front, &(lt_traverse){.replayed = 19, .tested = 10 * LT_LANES});
    uint32_t rest = 0;
    while (!lt_front_cache_opens(&c.front))
        rest++;
    CHECK(rest > 4 && rest < 40 && c.front.root == LT_NONE);
}

/* A body that explodes is not followed. */
static void what_explodes_is_forgotten(void) {
    keep_nothing(&c, 3);
    lt_body_motion motions[2] = {{{0, 0, 0}, 1e19f, 0}, {{0, 0, 0}, 0, 0}};
    c.front.root = lt_front_cache_take(&c.cache, LT_NONE, 0);
    lt_front_cache_move(&c.cache, &c.front, &motions[0], &motions[1]);
    CHECK(c.front.root == LT_NONE && c.front.moved == 0);
    c.front.root = lt_front_cache_take(&c.cache, LT_NONE, 0);
    motions[1].mean.x = NAN;
    lt_front_cache_move(&c.cache, &c.front, &motions[0], &motions[1]);
    CHECK(c.front.root == LT_NONE);
}

static bool make_couple(void) {
    if (!sphere_block(&c.bodies[0], (lt_dvec3){1, 1, 1}, 2, 2, 2, (fixture_options){0},
                      (tree_options){.depth = 2}) ||
        !sphere_torus(&c.bodies[1], 0.5, 0.25, 8, (tree_options){.depth = 2, .branching = 6}))
        return false;
    for (int i = 0; i < 2; i++)
        c.offsets[i] = LT_NEW(NULL, c.bodies[i].body.carrier.node_count, lt_dvec3);
    begin(&c.s, &c.bodies[0], &c.bodies[1], LT_ORDER_FIFO, 0, POOL);
    c.oracle = make_oracle(&c.s);
    return c.offsets[0] && c.offsets[1];
}

int main(void) {
    if (!make_couple()) return 1;
    RUN(whatever_meets_is_under_one_pair);
    RUN(what_comes_straight_on_is_found);
    RUN(any_capacity_will_do);
    RUN(what_rests_is_not_tested_again);
    RUN(common_motion_counts_for_nothing);
    RUN(motion_is_that_of_the_fastest_node);
    RUN(what_has_gone_apart_is_merged);
    RUN(what_is_forgotten_is_used_again);
    RUN(emptiness_goes_up_when_all_lanes_are);
    RUN(what_does_not_pay_rests);
    RUN(what_explodes_is_forgotten);
    RUN(links_are_allowed_for);
    lt_front_cache_free(&c.cache, NULL);
    drop_oracle(&c.oracle);
    for (int i = 0; i < 2; i++) {
        LT_DELETE(NULL, c.offsets[i], c.bodies[i].body.carrier.node_count, lt_dvec3);
        sphere_fixture_free(&c.bodies[i]);
    }
    return check_finish();
}
