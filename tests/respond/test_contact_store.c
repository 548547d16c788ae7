/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The store of a contact: what bodies have put into its spring, and all that it gives back. A cube on a floor, by the loop that a world
 * runs: detection, memory, couplings, motion, what comes back. */

#include "check.h"

#include "body/models.h"
#include "body/rest_factor.h"
#include "embed/soft_fixture.h"
#include "respond/run_penalty.h"

enum { MOST = 64, SLOTS = 3 };
static const float DT = 0.01f;

typedef struct scene {
    soft_fixture cube;
    lt_collider collider;
    lt_obstacle floor;
    lt_pair pair;
    lt_pair_table pairs;
    lt_tested tested[SLOTS];
    lt_contact_record records[MOST], harvested[MOST], fresh[MOST];
    lt_contact_key keys[MOST], spare_keys[MOST];
    lt_contact_list contacts;
    lt_contact_harvest harvest;
    lt_rest_factors factors;
    lt_arena arena, motion_arena;
    lt_coupling couplings[MOST];
    uint32_t contact_of[MOST];
    lt_penalty penalty;
    double gravity, granted; /* J that contacts had when a pair began to touch */
} scene;

static scene s;

static void make_scene(double bottom, double gravity) {
    memset(&s, 0, sizeof s);
    CHECK_FATAL(fixture_block(&s.cube, (lt_dvec3){1, 1, 1}, 2, 2, 2, (fixture_options){0}));
    affine up = translation(0, bottom, 0);
    fixture_move(&s.cube, move_affine, &up);
    s.collider = s.cube.collider;
    s.floor =
        (lt_obstacle){.in_use = true, .kind = LT_OBSTACLE_PLANE, .local_normal = {0, 1, 0}, .friction = 0.3f};
    lt_obstacle_place(&s.floor, (lt_vec3){0, 0, 0}, (lt_quat){0, 0, 0, 1});
    s.pair = (lt_pair){.a = 0, .kind = LT_PAIR_OBSTACLE, .b = 0};
    s.pairs = lt_pair_table_make(0);
    CHECK_FATAL(lt_pair_table_reserve(&s.pairs, SLOTS, NULL));
    lt_pair_table_append(&s.pairs, &s.pair);
    s.contacts = (lt_contact_list){.records = s.records, .capacity = MOST};
    s.harvest = (lt_contact_harvest){s.harvested, 0, MOST, 0};
    s.factors = lt_rest_factors_make(NULL);
    s.gravity = gravity;
    uint32_t awake = 0;
    CHECK_FATAL(lt_rest_factors_add(&s.factors, &s.cube.soft, NULL) == LT_OK);
    size_t bytes = lt_advance_scratch(&s.cube.soft, &awake, 1, MOST, &s.factors);
    CHECK_FATAL(lt_arena_reserve(&s.motion_arena, NULL, bytes));
    CHECK_FATAL(lt_arena_reserve(&s.arena, NULL, lt_penalty_scratch(&s.collider, 1, MOST)));
}

static void free_scene(void) {
    lt_rest_factors_free(&s.factors);
    fixture_free(&s.cube);
    lt_pair_table_free(&s.pairs, NULL);
    lt_arena_free(&s.arena);
    lt_arena_free(&s.motion_arena);
}

/* Contacts of the points from `begin` on, `count` of them looked at; then what is remembered. */
static uint32_t detect(uint32_t begin, uint32_t count, uint32_t limit) {
    s.collider = s.cube.collider;
    for (uint32_t i = begin; i < begin + count; i++) {
        lt_touch touch;
        if (lt_obstacle_test(&s.collider, 0, i, &s.floor, 0, &touch))
            lt_harvest_add(&s.harvest, &s.pair, i, &touch);
    }
    s.tested[0] = (lt_tested){.begin = begin, .count = count};
    uint32_t dropped = lt_contacts_update(&s.contacts, &s.harvest, &s.pairs, s.tested, &s.collider, limit,
                                          &(lt_contact_scratch){s.fresh, s.keys, s.spare_keys});
    s.harvest.count = 0;
    return dropped;
}

static void detect_all(void) {
    detect(0, s.cube.skin.point_count, UINT32_MAX);
}

static void respond(void) {
    s.penalty = (lt_penalty){.contacts = &s.contacts,
                             .colliders = &s.collider,
                             .collider_count = 1,
                             .obstacles = &s.floor,
                             .dt = DT,
                             .couplings = s.couplings,
                             .contact_of = s.contact_of,
                             .capacity = MOST};
    run_penalty(&s.penalty, &s.arena, 1000);
    for (uint32_t i = 0; i < s.contacts.count; i++)
        if (s.records[i].is_new && s.records[i].is_first) s.granted += (double)s.records[i].store;
}

static void move(void) {
    uint32_t awake = 0;
    lt_advance advance = {.bodies = &s.cube.soft,
                          .factors = &s.factors,
                          .awake = &awake,
                          .awake_count = 1,
                          .couplings = s.couplings,
                          .coupling_count = s.penalty.coupling_count,
                          .gravity = {0, (lt_real)-s.gravity, 0},
                          .dt = (lt_real)DT,
                          .level = lt_simd_best(),
                          .arena = &s.motion_arena};
    lt_soft_plan(&s.cube.soft, (lt_real)DT);
    lt_rest_factors_update(&s.factors, &s.cube.soft, &awake, 1, (lt_real)DT, lt_simd_best());
    lt_arena_reset(&s.motion_arena);
    CHECK(lt_advance_run(&advance));
    lt_penalty_collect(&s.penalty, &s.floor);
    fixture_refresh(&s.cube);
}

static void step(void) {
    detect_all();
    respond();
    move();
}

static double stored(void) {
    double sum = 0;
    for (uint32_t i = 0; i < s.contacts.count; i++)
        sum += lt_max_d(0, (double)s.records[i].store);
    return sum;
}

static double body_energy(void) {
    const lt_soft *soft = &s.cube.soft;
    double sum = lt_soft_kinetic_energy(soft) + lt_soft_elastic_energy(soft);
    for (uint32_t node = 0; node < soft->carrier.node_count; node++)
        sum += (double)soft->mass[node] * s.gravity * (double)soft->x[4 * (size_t)node + 1];
    return sum;
}

static void shift_cube(double by) {
    for (uint32_t node = 0; node < s.cube.carrier.node_count; node++)
        lt_node_add(s.cube.soft.x, node, (lt_rvec3){0, (lt_real)by, 0}, 1);
    fixture_refresh(&s.cube);
}

/* ---- from outside ---- */

/* What the cube and the springs under it have together never grows, but by what springs have that a pair begins with. A floor that rises
 * all at once makes contacts deep that hold little. */
static void a_spring_gives_no_more_than_was_put_in(void) {
    make_scene(0.2, 9.81);
    double weight_times_size = (double)s.cube.soft.total_mass * s.gravity, fall = 0.2 * weight_times_size;
    double left = body_energy(), highest = 0, most_stored = 0;
    bool has_risen = false;
    for (int at = 0; at < 300; at++) {
        if (at == 150) {
            double before = body_energy();
            shift_cube(-0.1);
            left += body_energy() - before;
            has_risen = true;
        }
        double granted = s.granted;
        step();
        left += s.granted - granted;
        double now = body_energy() + stored();
        if (now > left + 1e-3 * fall) CHECK_FAIL_MESSAGE("step %d: %g J too much", at, now - left);
        left = lt_min_d(left, now);
        most_stored = lt_max_d(most_stored, stored());
        if (has_risen) highest = lt_max_d(highest, (double)s.cube.collider.box.lo.y);
    }
    CHECK(most_stored > 0.01 * fall); /* it was pressed */
    CHECK(highest < 0.1);             /* and not thrown by what it was put into */
    CHECK(lt_soft_kinetic_energy(&s.cube.soft) < 5e-3 * fall);
    free_scene();
}

/* Released, a contact gives what it has at most, and a spring that has nothing does not push at all. */
static void what_is_released_is_gone(void) {
    make_scene(-0.02, 0);
    detect_all();
    respond();
    double given = stored();
    CHECK(given > 0 && s.contacts.count == 9);
    CHECK_NEAR(s.granted / given, 1, 1e-6);
    move();
    for (int at = 0; at < 40; at++)
        step();
    CHECK(s.contacts.count == 0);
    CHECK(s.cube.collider.box.lo.y > 0.01f && body_energy() > 0 && body_energy() <= given);
    free_scene();
    make_scene(-0.02, 0);
    detect_all();
    respond();
    for (uint32_t i = 0; i < s.contacts.count; i++)
        s.records[i].store = 0;
    for (int at = 0; at < 5; at++)
        step();
    CHECK(body_energy() < 1e-9 * given && s.contacts.count == 9);
    free_scene();
}

/* ---- what springs do ---- */

static uint32_t coupling_of(uint32_t record) {
    uint32_t found = LT_NONE;
    for (uint32_t i = 0; i < s.penalty.coupling_count; i++)
        if (s.contact_of[i] == record) found = i;
    if (found == LT_NONE) CHECK_FAIL_MESSAGE("contact %u has no coupling", record);
    return found == LT_NONE ? 0 : found;
}

/* Found: ½ k d². Pressed: what the body lost. Released: less by what it got, and never below nothing. */
static void work_goes_into_the_store_and_out_of_it(void) {
    make_scene(-0.02, 0);
    detect_all();
    respond();
    lt_coupling *c = &s.couplings[coupling_of(0)];
    double begin = (double)c->stiffness * 0.02 * 0.02 / 2, next = (double)s.records[1].store;
    CHECK_NEAR(s.records[0].store / begin, 1, 1e-4);
    static const double works[] = {-3, -0.5, 1, 1e9};
    double expected = begin;
    for (size_t i = 0; i < LT_COUNT_OF(works); i++) {
        for (uint32_t k = 0; k < s.penalty.coupling_count; k++)
            s.couplings[k].work = 0;
        s.couplings[coupling_of(0)].work = (lt_real)works[i];
        lt_penalty_collect(&s.penalty, &s.floor);
        expected = lt_max_d(0, expected - works[i]);
        CHECK_NEAR(s.records[0].store / (begin + 3.5), expected / (begin + 3.5), 1e-6);
        CHECK_NEAR(s.records[1].store / next, 1, 1e-6);
        if (i % 2)
            detect_all();
        else
            detect(0, 0, UINT32_MAX); /* kept: nobody looked */
        respond();
        c = &s.couplings[coupling_of(0)];
        double k = (double)c->stiffness, gain = (double)DT * ((double)DT * k + (double)c->damping);
        double push = (double)DT * k * (double)c->depth;
        CHECK(push * push / (4 * gain) <= 1.0001 * expected); /* all that it can give in a step */
    }
    CHECK(s.couplings[coupling_of(0)].depth == 0);
    free_scene();
}

/* ---- entries that go and come ---- */

static const lt_contact_record *record_of(uint32_t feature) {
    for (uint32_t i = 0; i < s.contacts.count; i++)
        if (s.records[i].feature == feature) return &s.records[i];
    return NULL;
}

/* Its neighbour in the pair inherits; with the last one all is gone, and who comes then begins anew. */
static void what_goes_leaves_its_store_to_its_pair(void) {
    make_scene(-0.02, 0);
    detect_all();
    respond();
    uint32_t count = s.contacts.count, first = s.records[0].feature, last = s.records[count - 1].feature;
    double begin = (double)s.records[0].store;
    for (uint32_t i = 0; i < count; i++)
        s.records[i].store = (float)(i + 1);
    double sum = stored();
    s.records[0].ended = true;
    detect(0, 0, UINT32_MAX);
    CHECK(s.contacts.count == count - 1 && !record_of(first));
    CHECK_NEAR(stored(), sum, 1e-5 * sum);
    CHECK_NEAR(s.records[0].store, 1 + 2, 1e-6);
    s.records[s.contacts.count - 1].ended = true;
    detect(0, 0, UINT32_MAX);
    CHECK(s.contacts.count == count - 2 && !record_of(last));
    CHECK_NEAR(s.records[s.contacts.count - 1].store, (double)count + (double)count - 1, 1e-5);
    /* The place of the first is taken again: all share, and none has what nobody put in. */
    detect_all();
    respond();
    CHECK(s.contacts.count == count && record_of(first) && record_of(first)->is_new);
    CHECK_NEAR(stored(), sum, 1e-5 * sum);
    CHECK_NEAR(record_of(first)->store, sum / count, 1e-5 * sum);
    shift_cube(1);
    detect_all();
    CHECK_COUNT(s.contacts.count, 0);
    shift_cube(-1);
    detect_all();
    respond();
    CHECK_NEAR(record_of(first)->store / begin, 1, 1e-3);
    free_scene();
}

/* Those that give way take their stores with them; the others have theirs. */
static void a_full_list_gives_nothing_away(void) {
    make_scene(-0.02, 0);
    detect_all();
    respond();
    for (uint32_t i = 0; i < s.contacts.count; i++)
        s.records[i].store = (float)(i + 1);
    double sum = stored();
    lt_contact_record before[MOST];
    memcpy(before, s.records, sizeof before);
    uint32_t count = s.contacts.count;
    CHECK_COUNT(detect(0, s.cube.skin.point_count, 4), count - 4);
    CHECK_COUNT(s.contacts.count, 4);
    CHECK(stored() < sum);
    for (uint32_t i = 0; i < count; i++) {
        const lt_contact_record *r = record_of(before[i].feature);
        if (r) CHECK_NEAR(r->store, before[i].store, 0);
    }
    sum = stored();
    detect_all();
    respond();
    CHECK_COUNT(s.contacts.count, count);
    CHECK_NEAR(stored(), sum, 1e-5 * sum);
    free_scene();
}

int main(void) {
    RUN(a_spring_gives_no_more_than_was_put_in);
    RUN(what_is_released_is_gone);
    RUN(work_goes_into_the_store_and_out_of_it);
    RUN(what_goes_leaves_its_store_to_its_pair);
    RUN(a_full_list_gives_nothing_away);
    return check_finish();
}
