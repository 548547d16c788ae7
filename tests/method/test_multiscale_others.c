/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Turns with obstacles and with other bodies on a part of what they cost: they go on from step to step and end, nothing that touches is
 * lost meanwhile, and momentum is kept. Cut anywhere, restored anywhere; whoever has gone, been put elsewhere or waits for another.
 *
 * labels: threaded heavy */

#include "method/long_cuts.h"
#include "world/world.h"

static lt_shape *knot, *cube, *ball;

typedef lt_world *maker(uint32_t threads);

/* What is run on a part of what it costs. */
typedef struct setting {
    const char *name;
    maker *make;
    uint32_t steps;
    float push;        /* N, on the first body along x, on the second against it */
    uint32_t parts[2]; /* of the cost of the dearest step: what a step has */
    uint32_t longest;  /* steps that a pair may be undecided */
} setting;

static lt_world_def def_of(uint32_t threads, float gravity) {
    lt_world_def def = multiscale_world_def();
    def.gravity = (lt_vec3){0, -gravity, 0};
    def.thread_count = threads;
    return def;
}

static lt_body_def body_at(lt_shape *shape, lt_vec3 position, lt_vec3 velocity, float young) {
    lt_body_def bd = lt_body_def_default();
    bd.shape = shape;
    bd.position = position;
    bd.velocity = velocity;
    bd.self_collision = false;
    bd.material.young = young;
    bd.material.mass_damping = 0;
    return bd;
}

static lt_body_id add_at(lt_world *world, lt_shape *shape, lt_vec3 position, float young) {
    lt_body_def bd = body_at(shape, position, (lt_vec3){0, 0, 0}, young);
    return add_body_def(world, &bd);
}

/* A knot that lies on the floor after some steps. */
static lt_world *make_lying(uint32_t threads) {
    lt_world_def def = def_of(threads, 9.81f);
    lt_world *world = make_world(&def);
    lt_body_id body = add_at(world, knot, (lt_vec3){0, 0, 0}, 1e5f);
    lt_obstacle_def floor = lt_obstacle_def_default();
    floor.position.y = surface_low(world, body).y - 0.002f;
    add_obstacle_def(world, &floor);
    return world;
}

/* Two soft things that come together in the air. */
static lt_world *make_pressed(uint32_t threads, lt_shape *shape, float half, float damping) {
    lt_world_def def = def_of(threads, 0);
    lt_world *world = make_world(&def);
    lt_body_def bodies[2] = {
        body_at(shape, (lt_vec3){-half, 0, 0}, (lt_vec3){0.06f, 0, 0}, 1e3f),
        body_at(shape, (lt_vec3){half, 0.05f, 0.03f}, (lt_vec3){-0.06f, 0, 0}, 1e3f),
    };
    for (int i = 0; i < 2; i++) {
        bodies[i].material.mass_damping = damping;
        add_body_def(world, &bodies[i]);
    }
    return world;
}

/* Damped, so that those that are pushed together stay so: they sprang apart after one turn, or two. */
static lt_world *make_meeting(uint32_t threads) {
    return make_pressed(threads, cube, 0.101f, 16);
}

/* Small ones, for many cuts: on the floor, and two that meet. */
static lt_world *make_small_lying(uint32_t threads) {
    lt_world_def def = def_of(threads, 9.81f);
    lt_world *world = make_world(&def);
    add_at(world, ball, (lt_vec3){0, 0.1005f, 0}, 1e4f);
    add_floor(world);
    return world;
}

static lt_world *make_small_meeting(uint32_t threads) {
    return make_pressed(threads, ball, 0.0945f, 0);
}

/* Three cubes, one on the other, on the floor: a pair of four of which every two have a body in common. */
static lt_world *make_stack(uint32_t threads) {
    lt_world_def def = def_of(threads, 9.81f);
    lt_world *world = make_world(&def);
    for (uint32_t i = 0; i < 3; i++)
        add_at(world, cube, (lt_vec3){0.01f * (float)i, 0.101f + 0.202f * (float)i, 0.02f * (float)(i % 2)},
               1e5f);
    add_floor(world);
    return world;
}

static lt_multi_method *method_of(const lt_world *world) {
    return world->method_state;
}

static const lt_multi_long *turn_of(const lt_world *world) {
    return method_of(world)->bodies[0].others;
}

/* Whether the turn that was under way is over, after a step. (What it took may be what the last one did, to the unit.) */
static bool has_ended(const lt_multi_long *own, bool was_begun, uint32_t age) {
    return was_begun && !(own->is_begun && own->age == age + 1);
}

static uint32_t count_contacts(const lt_world *world) {
    uint32_t count;
    lt_world_contacts(world, &count);
    return count;
}

static lt_report step_pushed(lt_world *world, float push, lt_budget budget) {
    for (uint32_t i = 0; push != 0 && i < 2; i++)
        lt_body_add_force(world, lt_world_body_at(world, i), (lt_vec3){i ? -push : push, 0, 0});
    return lt_world_step(world, STEP_DT, budget);
}

/* The dearest step is one of those in which they come to touch. */
enum { WHOLE_STEPS = 12 };

/* Units of the dearest step when nothing is cut; in the end there are contacts. */
static uint64_t whole_step(const setting *s) {
    lt_world *world = s->make(1);
    uint64_t most = 0;
    for (uint32_t i = 0; i < WHOLE_STEPS; i++) {
        lt_report report = step_pushed(world, s->push, lt_budget_unlimited());
        CHECK(report.interrupted == 0);
        most = lt_max_u64(most, report.units);
    }
    CHECK(count_contacts(world) > 0);
    lt_world_destroy(world);
    return most;
}

/* ---- turns end ---- */

typedef struct run_tally {
    uint32_t turns, longest, late;          /* that ended, steps of one, that took longer than they may */
    uint32_t oldest;                        /* steps that a pair was not decided */
    uint32_t begun;                         /* steps after which one was under way */
    uint32_t least_contacts, most_contacts; /* in the last third */
    double momentum;
} run_tally;

/* A turn may take as many steps as its cost is of the least that a step had for it, and one more. */
static void note_turn(run_tally *t, const lt_multi_long *own, uint64_t least) {
    t->turns++;
    t->longest = lt_max_u32(t->longest, own->last_steps);
    t->late += own->last_steps > (own->whole_units + least - 1) / least + 1;
}

/* The depth that a pair whose turns are long is allowed by its boxes; 0: it is another, or not known. */
static uint32_t allowed_depth(const lt_world *world, const lt_pair *pair) {
    const lt_pair_table *pairs = &method_of(world)->memory.pairs;
    uint32_t place = lt_pair_table_place(pairs, pair);
    if (place == LT_NONE || !lt_multi_is_long(lt_worded_pair_at(pairs, place))) return 0;
    return lt_pair_words_at(pairs, place)->next;
}

static run_tally run_on(const setting *s, uint64_t units) {
    lt_world *world = s->make(1);
    const lt_multi_long *own = turn_of(world);
    run_tally t = {.least_contacts = UINT32_MAX};
    uint64_t least = UINT64_MAX, spent = 0;
    for (uint32_t i = 0; i < s->steps; i++) {
        uint64_t known = own->whole_units;
        lt_pair pair = own->pair;
        bool was_begun = own->is_begun;
        uint32_t allowed = was_begun ? allowed_depth(world, &pair) : 0, age = own->age;
        lt_report report = step_pushed(world, s->push, lt_budget_collision_units(units));
        bool ended = own->whole_units != known || has_ended(own, was_begun, age);
        uint32_t still_allowed = allowed_depth(world, &pair);
        if (ended && allowed && still_allowed) CHECK(allowed == still_allowed);
        if (ended && own->last_steps > 1 && least < UINT64_MAX) note_turn(&t, own, least);
        if (ended) least = UINT64_MAX;
        if (!ended && own->is_begun && own->units > spent && spent > 0)
            least = lt_min_u64(least, own->units - spent);
        spent = own->is_begun ? own->units : 0;
        t.begun += own->is_begun;
        t.oldest = lt_max_u32(t.oldest, (uint32_t)report.latency);
        t.momentum = lt_max_d(t.momentum, report.momentum_error);
        if (3 * i > 2 * s->steps) {
            t.least_contacts = lt_min_u32(t.least_contacts, count_contacts(world));
            t.most_contacts = lt_max_u32(t.most_contacts, count_contacts(world));
        }
        CHECK(report.units <= units + units / 20 && report.allocations == 0);
        CHECK(report_is_consistent(world, &report));
        CHECK_COUNT(unsound_contacts_of(world, false), 0);
    }
    CHECK(world_is_finite(world));
    lt_world_destroy(world);
    return t;
}

static void print_tally(const char *name, uint64_t units, const run_tally *t) {
    printf("%-8s %8llu units: %2u turns, the longest %2u steps, late %u, undecided %2u steps, begun %u, "
           "contacts %u to %u, "
           "momentum %.1e\n",
           name, (unsigned long long)units, t->turns, t->longest, t->late, t->oldest, t->begun,
           t->least_contacts, t->most_contacts, t->momentum);
}

static void check_turns(const setting *s) {
    uint64_t whole = whole_step(s);
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t units = whole / s->parts[i];
        run_tally t = run_on(s, units);
        print_tally(s->name, units, &t);
        CHECK(t.turns >= 2 && t.longest > 1 && t.begun > 5);
        CHECK_COUNT(t.late, 0);
        /* No longer than a turn takes, which may be as long as its cost is of what a step has: none was late. */
        CHECK(t.oldest <= lt_max_u32(s->longest, t.longest));
        CHECK(t.momentum <= 1e-6);
    }
}

/* On a 20th to a 40th of what the dearest step takes. */
static void turns_end(void) {
    const setting settings[] = {
        {"floor", make_lying, 48, 0, {27, 32}, 22},
        {"bodies", make_meeting, 60, 8, {28, 40}, 8},
        {"stack", make_stack, 36, 0, {20, 40}, 22},
    };
    for (uint32_t i = 0; i < 3; i++)
        check_turns(&settings[i]);
}

/* ---- nothing is lost ---- */

static bool is_listed(const lt_world *world, const lt_contact_record *wanted) {
    const lt_contact_list *list = &method_of(world)->memory.contacts;
    for (uint32_t i = 0; i < list->count; i++)
        if (lt_contact_compare(&list->records[i], wanted) == 0) return true;
    return false;
}

/* What a turn with the floor has found so far. */
typedef struct found {
    uint32_t count;
    lt_contact_record records[1024];
} found;

static void note_found(found *f, const lt_world *world) {
    const lt_contact_list *list = &method_of(world)->memory.contacts;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->records[i].age == 0 && list->records[i].kind == LT_PAIR_OBSTACLE && f->count < 1024)
            f->records[f->count++] = list->records[i];
}

/* Turns with the floor that ended, those of them with others between, and contacts that they found. */
typedef struct kept_tally {
    uint32_t turns, older, kept, lost;
} kept_tally;

static lt_world *make_lying_with_itself(void) {
    lt_world_def def = def_of(1, 9.81f);
    def.sleeping = false;
    lt_world *world = make_world(&def);
    lt_body_id body = add_body(world, knot, (lt_vec3){0, 0, 0});
    lt_obstacle_def floor = lt_obstacle_def_default();
    floor.position.y = surface_low(world, body).y - 0.002f;
    add_obstacle_def(world, &floor);
    return world;
}

static void note_kept(kept_tally *t, const lt_world *world, const found *f) {
    const lt_multi_long *own = turn_of(world);
    t->turns++;
    t->older += own->last_age + 1 > own->last_steps;
    for (uint32_t k = 0; k < f->count; k++) {
        bool listed = is_listed(world, &f->records[k]);
        t->kept += listed;
        t->lost += !listed;
    }
}

static void find_and_keep(kept_tally *t, uint64_t units) {
    static found f;
    lt_world *world = make_lying_with_itself();
    const lt_multi_long *own = turn_of(world);
    f.count = 0;
    for (uint32_t i = 0; i < 120; i++) {
        bool was_begun = own->is_begun;
        uint32_t age = own->age;
        uint64_t dropped = lt_world_step(world, STEP_DT, lt_budget_collision_units(units)).dropped;
        bool ended = has_ended(own, was_begun, age);
        if (!was_begun || dropped > 0) f.count = 0;
        if (ended) note_kept(t, world, &f);
        if (ended) f.count = 0;
        note_found(&f, world);
    }
    lt_world_destroy(world);
}

/* With itself in between: when a turn with the floor ends, all that it found in any of its steps is a contact. */
static void what_a_turn_finds_stays(void) {
    kept_tally t = {0};
    for (uint64_t units = 60000; units <= 130000; units += 5000)
        find_and_keep(&t, units);
    printf("%u turns, %u of them with others between, %u contacts kept, %u lost\n", t.turns, t.older, t.kept,
           t.lost);
    CHECK(t.turns > 6 && t.older > 4 && t.kept > 15);
    CHECK_COUNT(t.lost, 0);
}

/* ---- cut anywhere ---- */

static bool is_sound(const lt_world *world) {
    const lt_multi_method *m = method_of(world);
    const lt_contact_list *list = &m->memory.contacts;
    bool sound = true;
    for (uint32_t i = 0; i < m->body_capacity; i++) {
        const lt_multi_long *own = m->bodies[i].others;
        if (!own) continue;
        bool bodies = own->is_begun && own->pair.kind == LT_PAIR_BODIES;
        sound = sound && bodies == (own->second != NULL) && own->paid <= own->units;
        sound = sound && (!own->is_begun || (own->pair.a == i && own->way.lent_to == LT_NONE));
        if (bodies)
            sound = sound && own->second == &m->bodies[own->pair.b].others->way && own->second->lent_to == i;
        if (own->way.lent_to == LT_NONE) continue;
        const lt_multi_long *lender = m->bodies[own->way.lent_to].others;
        sound = sound && lender && lender->second == &own->way;
    }
    for (uint32_t i = 1; i < list->count; i++)
        sound = sound && lt_contact_compare(&list->records[i - 1], &list->records[i]) < 0;
    return sound;
}

/* After some steps in which turns became long ones: from the unit before one begins to its end. */
static void cut_long_turn(const char *name, maker *make, uint32_t in_query) {
    lt_world *world = make(1), *twin = make(1);
    long_cuts tally = {.turn_of = turn_of, .is_sound = is_sound};
    run(world, 2);
    lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
    saved s = save_world(world);
    cut_everywhere(world, twin, &s, (const uint32_t[]){16, 56}, &tally);
    printf("%s: %u different cuts, %u of them in the query\n", name, tally.cuts, tally.in_query);
    CHECK(tally.in_query >= in_query && tally.cuts - tally.in_query > 10);
    drop_saved(&s);
    lt_world_destroy(world);
    lt_world_destroy(twin);
}

static void any_cut_leaves_a_sound_state(void) {
    cut_long_turn("floor", make_small_lying, 8);
    cut_long_turn("bodies", make_small_meeting, 25);
}

/* A recorded step ends turns where they ended, and goes on with them, on any number of threads. */
static void cuts_and_threads_repeat_them(void) {
    lt_world *world = make_stack(1), *twin = make_stack(3);
    uint32_t begun = 0;
    for (uint64_t i = 0; i < 32; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(220000 + 70000 * (i % 4)));
        lt_world_step(twin, STEP_DT, lt_budget_cuts(&report.cuts));
        CHECK(lt_world_hash(world) == lt_world_hash(twin) && is_sound(world));
        for (uint32_t k = 0; k < 3; k++)
            begun += method_of(world)->bodies[k].others->is_begun;
    }
    CHECK(begun > 4);
    lt_world_destroy(world);
    lt_world_destroy(twin);
}

/* ---- what goes away meanwhile ---- */

/* Where a turn of that kind is under way. */
static lt_world *with_turn(lt_pair_kind kind, uint32_t *body) {
    bool bodies = kind == LT_PAIR_BODIES;
    lt_world *world = bodies ? make_stack(1) : make_lying(1);
    for (uint32_t i = 0; i < 100; i++) {
        lt_world_step(world, STEP_DT, lt_budget_collision_units(bodies ? 200000 : 60000));
        for (*body = 0; *body < lt_world_body_count(world); ++*body) {
            const lt_multi_long *own = method_of(world)->bodies[*body].others;
            if (own->is_begun && own->pair.kind == kind) return world;
        }
    }
    CHECK_FAIL_MESSAGE("no turn of kind %d is ever under way", (int)kind);
    *body = 0;
    return world;
}

static void check_goes_on(lt_world *world) {
    for (int i = 0; i < 4; i++) {
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(300000));
        CHECK(is_sound(world) && world_is_finite(world) && report_is_consistent(world, &report));
    }
    lt_world_destroy(world);
}

static void who_goes_away_ends_its_turn(void) {
    uint32_t body;
    for (uint32_t side = 0; side < 2; side++) {
        lt_world *world = with_turn(LT_PAIR_BODIES, &body);
        const lt_multi_long *own = method_of(world)->bodies[body].others;
        uint32_t other = own->pair.b;
        lt_world_remove_body(world, lt_world_body_at(world, side ? other : body));
        CHECK(is_sound(world));
        if (side)
            CHECK(!own->is_begun);
        else
            CHECK(method_of(world)->bodies[other].others->way.lent_to == LT_NONE);
        check_goes_on(world);
    }
    lt_world *world = with_turn(LT_PAIR_OBSTACLE, &body);
    lt_world_remove_obstacle(world, lt_world_obstacle_at(world, 0));
    CHECK(!method_of(world)->bodies[body].others->is_begun);
    check_goes_on(world);
}

/* Put elsewhere: what was under way is about another place. */
static void who_is_put_elsewhere_ends_its_turn(void) {
    static lt_vec3 nodes[1024];
    uint32_t body;
    lt_world *world = with_turn(LT_PAIR_BODIES, &body);
    const lt_multi_long *own = method_of(world)->bodies[body].others;
    lt_body_id other = lt_world_body_at(world, own->pair.b);
    CHECK(lt_body_node_count(world, other) <= 1024);
    lt_body_get_nodes(world, other, nodes, NULL);
    for (uint32_t i = 0; i < lt_body_node_count(world, other); i++)
        nodes[i].y += 2;
    CHECK(lt_body_set_nodes(world, other, nodes, NULL, NULL) == LT_OK);
    CHECK(!own->is_begun && is_sound(world));
    check_goes_on(world);
    world = with_turn(LT_PAIR_OBSTACLE, &body);
    own = method_of(world)->bodies[body].others;
    uint64_t spent = own->units;
    lt_world_move_obstacle(world, lt_world_obstacle_at(world, 0), (lt_vec3){0, -0.01f, 0},
                           (lt_quat){0, 0, 0, 1});
    lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
    lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
    CHECK(spent > 0 && !own->is_begun);
    check_goes_on(world);
}

/* ---- a moving obstacle ---- */

/* A plate comes up, with the knot on it, on a part of what that costs: it does not go through it. */
static lt_world *make_lift(lt_obstacle_id *plate, float *low) {
    lt_world_def def = def_of(1, 9.81f);
    lt_world *world = make_world(&def);
    lt_body_id body = add_at(world, knot, (lt_vec3){0, 0, 0}, 1e5f);
    lt_obstacle_def box = lt_obstacle_def_default();
    box.kind = LT_OBSTACLE_BOX;
    box.half_extents = (lt_vec3){0.5f, 0.05f, 0.5f};
    *low = surface_low(world, body).y - 0.001f;
    box.position.y = *low - 0.05f;
    *plate = add_obstacle_def(world, &box);
    return world;
}

static void a_plate_comes_up(void) {
    lt_obstacle_id plate, same;
    float low;
    lt_world *world = make_lift(&plate, &low), *twin = make_lift(&same, &low);
    uint32_t begun = 0, turns = 0;
    for (uint32_t i = 1; i <= 24; i++) {
        uint64_t known = turn_of(world)->whole_units;
        float level = low + 0.001f * (float)i;
        saved s = save_world(world);
        CHECK(load_world(twin, &s) == LT_OK);
        drop_saved(&s);
        lt_world_move_obstacle(world, plate, (lt_vec3){0, level - 0.05f, 0}, (lt_quat){0, 0, 0, 1});
        lt_world_move_obstacle(twin, same, (lt_vec3){0, level - 0.05f, 0}, (lt_quat){0, 0, 0, 1});
        lt_world_step(world, STEP_DT, lt_budget_collision_units(100000));
        lt_world_step(twin, STEP_DT, lt_budget_collision_units(100000));
        CHECK(lt_world_hash(world) == lt_world_hash(twin));
        begun += turn_of(world)->is_begun;
        turns += turn_of(world)->whole_units != known;
        CHECK(surface_low(world, lt_world_body_at(world, 0)).y > level - 0.005f);
    }
    printf("plate: %u turns, under way after %u steps\n", turns, begun);
    CHECK(begun > 5 && turns > 2);
    lt_world_destroy(world);
    lt_world_destroy(twin);
}

int main(void) {
    knot = make_knot(0.2, 1200);
    cube = cube_with_boxes(0.2, 4);
    ball = ball_with_boxes(0.1, 2);
    RUN(turns_end);
    RUN(what_a_turn_finds_stays);
    RUN(any_cut_leaves_a_sound_state);
    RUN(cuts_and_threads_repeat_them);
    RUN(who_goes_away_ends_its_turn);
    RUN(who_is_put_elsewhere_ends_its_turn);
    RUN(a_plate_comes_up);
    lt_shape_release(knot);
    lt_shape_release(cube);
    lt_shape_release(ball);
    return check_finish();
}
