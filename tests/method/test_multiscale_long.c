/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A knot that folds up in flight, on a half, a quarter and a tenth of what a turn with itself costs: turns go on from step to step and
 * end, what they find is answered, and meanwhile the surface does not get into itself. Cut anywhere, restored anywhere.
 *
 * labels: heavy */

#include "method/long_cuts.h"
#include "world/world.h"

static lt_shape *knot;
static uint64_t whole; /* units of a turn */

/* It flies along x, and from above and below it comes together at 2 m/s. */
static lt_world *make_folding(lt_pending pending) {
    lt_world_def def = multiscale_world_def();
    def.gravity = (lt_vec3){0, 0, 0};
    def.multiscale.pending = pending;
    lt_world *world = make_world(&def);
    lt_body_def bd = lt_body_def_default();
    bd.shape = knot;
    bd.material.young = 1e4f;
    bd.material.stiffness_damping = 0.01f;
    bd.material.mass_damping = 0;
    bd.velocity = (lt_vec3){0.5f, 0, 0};
    add_body_def(world, &bd);
    lt_soft *soft = lt_soft_at(world, 0);
    for (size_t i = 0; i < soft->carrier.node_count; i++)
        soft->v[4 * i + 1] -= soft->x[4 * i + 1] / (lt_real)0.09;
    lt_soft_publish(soft);
    return world;
}

static const lt_multi_long *long_of(const lt_world *world) {
    return ((const lt_multi_method *)world->method_state)->bodies[0].own;
}

static bool is_on(const lt_world *world) {
    const lt_pair_table *pairs = &((const lt_multi_method *)world->method_state)->memory.pairs;
    return pairs->count > 0 && lt_multi_is_long(lt_worded_pair_at(pairs, 0));
}

/* The pieces that the surface is cut into at tets, which are what moves and meets; and a box around each. Those of tets side by side
 * are left out: of slivers it is rounding that tells. */
typedef struct pieces {
    const uint32_t *triangles, *tets, *corners; /* of the carrier */
    lt_dvec3 *points;
    lt_box *boxes;
} pieces;

static bool cross(const pieces *p, uint32_t a, uint32_t b) {
    const uint32_t *x = p->triangles + 3 * (size_t)a, *y = p->triangles + 3 * (size_t)b;
    lt_dvec3 s[3], t[3];
    if (lt_tets_share_node(p->corners + 4 * (size_t)p->tets[a], p->corners + 4 * (size_t)p->tets[b]))
        return false;
    for (int c = 0; c < 3; c++) {
        s[c] = p->points[x[c]];
        t[c] = p->points[y[c]];
    }
    return lt_exact_triangle_triangle(s, t);
}

static void place_pieces(pieces *p, lt_world *world, const lt_multiscale_tree *tree) {
    for (uint32_t i = 0; i < tree->point_count; i++) {
        lt_anchor anchor = lt_multiscale_anchor(tree, i);
        p->points[i] = lt_d3_from_v3(lt_v3_from_r3(lt_anchor_gather(&anchor, lt_soft_at(world, 0)->x)));
    }
    for (uint32_t i = 0; i < tree->triangle_count; i++) {
        p->boxes[i] = lt_box_empty();
        for (uint32_t c = 0; c < 3; c++)
            p->boxes[i] = lt_box_add_point(p->boxes[i], lt_v3_from_d3(p->points[tree->triangles[3 * i + c]]));
    }
}

/* Of all pairs of pieces. */
static uint32_t count_self_crossings(lt_world *world) {
    enum { MOST = 16384 };
    static lt_dvec3 points[MOST];
    static lt_box boxes[MOST];
    const lt_multiscale_tree *tree = &lt_collider_at(world, 0)->surface->parts->tree;
    pieces p = {tree->triangles, tree->triangle_tets, lt_soft_at(world, 0)->carrier.tets, points, boxes};
    uint32_t count = 0;
    CHECK(tree->triangle_count <= MOST && tree->point_count <= MOST && tree->spanning_count == 0);
    if (tree->triangle_count > MOST || tree->point_count > MOST) return 1;
    place_pieces(&p, world, tree);
    for (uint32_t i = 0; i < tree->triangle_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (lt_box_overlap(boxes[i], boxes[k])) count += cross(&p, i, k);
    return count;
}

static uint32_t count_self_contacts(const lt_world *world) {
    uint32_t count, found = 0;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++)
        found += contacts[i].body_a.index_plus_one == contacts[i].body_b.index_plus_one;
    return found;
}

/* Units of boxes, marks and query of the last step, all at once. */
static uint64_t turn_units(lt_world *world) {
    enum { NODES = 256 };
    static float from[4 * NODES];
    static lt_query query;
    lt_moving_surface *surface = lt_collider_at(world, 0)->surface;
    const lt_soft *soft = lt_soft_at(world, 0);
    float separation = 1e-3f * (float)soft->size;
    lt_box box = lt_box_empty();
    uint64_t units = 0;
    CHECK(soft->carrier.node_count <= NODES);
    for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
        for (uint32_t k = 0; k < 4; k++)
            from[4 * i + k] = (float)soft->x_before[4 * i + k];
        box = lt_box_add_point(box, (lt_vec3){from[4 * i], from[4 * i + 1], from[4 * i + 2]});
        box = lt_box_add_point(box, lt_v3_from_r3(lt_node_get(soft->x, i)));
    }
    lt_moving_surface_begin(surface, from, soft->nodes, box);
    while (lt_moving_surface_peek(surface, LT_SURFACE_MARKED).cost > 0)
        units += lt_moving_surface_step(surface, separation, UINT32_MAX);
    lt_moving_surface_query(&query, surface, surface);
    query.separation = separation;
    query.may_meet = lt_ccd_may_meet_for(LT_LEVEL_SCALAR);
    query.capacity = 0;
    lt_query_begin(&query);
    for (uint32_t spent = 1; spent > 0; units += spent)
        spent = lt_query_step(&query, UINT32_MAX);
    return units;
}

/* What the dearest turn of the fold costs when nothing is cut. */
static uint64_t whole_turn(void) {
    lt_world *world = make_folding(LT_PENDING_CLAMP);
    uint64_t most = 0, contacts = 0;
    for (int i = 0; i < 10; i++) {
        lt_report report = run(world, 1);
        CHECK(report.interrupted == 0 && report.held == 0);
        contacts += count_self_contacts(world);
        most = lt_max_u64(most, turn_units(world));
    }
    CHECK(contacts > 0);
    CHECK_COUNT(count_self_crossings(world), 0);
    lt_world_destroy(world);
    return most;
}

/* ---- the fold on a part of that ---- */

typedef struct fold {
    uint32_t turns;          /* that ended */
    uint32_t longest;        /* steps of one */
    uint32_t late;           /* that took longer than they may */
    uint32_t first_contact;  /* step */
    uint32_t crossings;      /* of all steps that were looked at */
    uint64_t held;           /* steps */
    double momentum, energy; /* the worst */
} fold;

/* A turn may take as many steps as its cost is of the least that a step had for it, and one more. */
static void note_turn(fold *f, const lt_multi_long *own, uint64_t least) {
    uint64_t most = (own->whole_units + least - 1) / least + 1;
    f->turns++;
    f->longest = lt_max_u32(f->longest, own->last_steps);
    f->late += own->last_steps > most;
}

static fold fold_on(uint64_t units, lt_pending pending, uint32_t steps) {
    lt_world *world = make_folding(pending);
    const lt_multi_long *own = long_of(world);
    fold f = {.first_contact = LT_NONE};
    double start = 0;
    uint64_t least = UINT64_MAX, spent_before = 0;
    for (uint32_t i = 0; i < steps; i++) {
        uint32_t known_steps = own->last_steps;
        uint64_t known_units = own->whole_units;
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(units));
        if (i == 0) start = report.energy;
        bool ended = own->last_steps != known_steps || own->whole_units != known_units;
        if (ended && own->last_steps > 1 && least < UINT64_MAX) note_turn(&f, own, least);
        if (ended) least = UINT64_MAX;
        if (!ended && own->is_begun && own->units > spent_before && spent_before > 0)
            least = lt_min_u64(least, own->units - spent_before);
        spent_before = own->is_begun ? own->units : 0;
        uint32_t contacts = count_self_contacts(world);
        if (contacts > 0) f.first_contact = lt_min_u32(f.first_contact, i + 1);
        f.held += report.held;
        f.momentum = lt_max_d(f.momentum, report.momentum_error);
        f.energy = lt_max_d(f.energy, report.energy / start);
        if (i % 20 == 19) f.crossings += count_self_crossings(world);
        CHECK(report.units <= units + units / 50 && report.allocations == 0);
        CHECK((report.pending > 0) == (report.latency > 0) && (report.pending == 0 || report.interrupted));
    }
    CHECK(world_is_finite(world));
    CHECK_COUNT(unsound_contacts_of(world, false), 0);
    lt_world_destroy(world);
    return f;
}

static void print_fold(const char *name, uint64_t units, const fold *f) {
    printf(
        "%-8s %8llu units: %2u turns, the longest %2u steps, contact in step %3d, held %3llu, crossings %4u, "
        "momentum %.1e, energy %.3f\n",
        name, (unsigned long long)units, f->turns, f->longest, (int)f->first_contact,
        (unsigned long long)f->held, f->crossings, f->momentum, f->energy);
}

static void turns_end_and_nothing_passes_through(void) {
    const uint32_t parts[] = {2, 4, 10}, steps[] = {40, 40, 80};
    for (uint32_t i = 0; i < 3; i++) {
        fold f = fold_on(whole / parts[i], LT_PENDING_CLAMP, steps[i]);
        print_fold("clamp", whole / parts[i], &f);
        CHECK(f.turns >= 2);
        CHECK_COUNT(f.late, 0);
        CHECK(f.first_contact <= steps[i]);
        CHECK_COUNT(f.crossings, 0);
        CHECK(f.held > 0 && f.momentum <= 1e-6 && f.energy <= 1.01);
    }
}

/* The same without a hold: turns end, and find contacts, but late. */
static void pending_is_as_it_is_said(void) {
    uint64_t units = whole / 4;
    for (int pending = LT_PENDING_PENALTY; pending < LT_PENDING_COUNT; pending++) {
        fold f = fold_on(units, (lt_pending)pending, 30);
        print_fold(pending == LT_PENDING_PENALTY ? "penalty" : "ignore", units, &f);
        CHECK(f.turns >= 1 && f.late == 0 && f.first_contact <= 30 && f.momentum <= 1e-6);
        CHECK((f.held > 0) == (pending == LT_PENDING_PENALTY));
    }
}

/* ---- cut anywhere ---- */

static bool is_sound(const lt_world *world) {
    const lt_multi_long *own = long_of(world);
    bool phase = !own->is_begun || own->phase == LT_TURN_BODIES || own->phase == LT_TURN_QUERY;
    return phase && (!is_on(world) || own->has_known) && own->paid <= own->units;
}

static void any_cut_leaves_a_sound_state(void) {
    lt_world *world = make_folding(LT_PENDING_CLAMP), *twin = make_folding(LT_PENDING_CLAMP);
    long_cuts tally = {.turn_of = long_of, .is_sound = is_sound};
    for (int start = 0; start < 3; start++) {
        step_many(world, 8, lt_budget_collision_units(300000));
        saved s = save_world(world);
        for (uint64_t units = 10000; units < 800000; units += 1 + units / 8)
            cut_at(world, twin, &s, units, &tally);
        CHECK(load_world(world, &s) == LT_OK);
        drop_saved(&s);
    }
    printf("%u cuts, %u of them in the query\n", tally.cuts, tally.in_query);
    CHECK(tally.cuts > 15 && tally.in_query > 5);
    lt_world_destroy(world);
    lt_world_destroy(twin);
}

/* A small ring, from where its turn begins to its end. */
static void a_small_turn_is_cut_everywhere(void) {
    lt_shape *big = knot;
    knot = with_boxes(torus_shape(0.2, 0.06, 6));
    lt_world *world = make_folding(LT_PENDING_CLAMP), *twin = make_folding(LT_PENDING_CLAMP);
    long_cuts tally = {.turn_of = long_of, .is_sound = is_sound};
    lt_world_step(world, STEP_DT, lt_budget_collision_units(0));
    saved s = save_world(world);
    CHECK(is_on(world));
    cut_everywhere(world, twin, &s, (const uint32_t[]){200, 10}, &tally);
    printf("%u different cuts of a small one\n", tally.cuts);
    CHECK(tally.cuts > 100);
    drop_saved(&s);
    lt_world_destroy(world);
    lt_world_destroy(twin);
    lt_shape_release(knot);
    knot = big;
}

/* A recorded step ends turns where they ended, and goes on with them. */
static void cuts_repeat_long_turns(void) {
    lt_world *world = make_folding(LT_PENDING_CLAMP);
    for (uint64_t i = 0; i < 12; i++) {
        saved s = save_world(world);
        lt_report report = lt_world_step(world, STEP_DT, lt_budget_collision_units(whole / (2 + i % 5)));
        uint64_t hash = lt_world_hash(world);
        CHECK(load_world(world, &s) == LT_OK);
        lt_world_step(world, STEP_DT, lt_budget_cuts(&report.cuts));
        CHECK(lt_world_hash(world) == hash);
        drop_saved(&s);
    }
    CHECK(long_of(world)->whole_units > 0);
    lt_world_destroy(world);
}

/* With all the time there is it is decided at once, whatever was under way. */
static void a_whole_turn_makes_up_for_it(void) {
    lt_world *world = make_folding(LT_PENDING_CLAMP);
    lt_report report = step_many(world, 7, lt_budget_collision_units(100000));
    CHECK(report.pending == 1 && is_on(world));
    report = run(world, 1);
    CHECK(report.pending == 0 && report.latency == 0 && report.held == 0);
    CHECK(!is_on(world) && !long_of(world)->has_known);
    report = run(world, 1);
    CHECK(report.interrupted == 0 && report.exact == report.contacts);
    lt_world_destroy(world);
}

int main(void) {
    knot = make_knot(0.2, 1200);
    whole = whole_turn();
    RUN(turns_end_and_nothing_passes_through);
    RUN(pending_is_as_it_is_said);
    RUN(any_cut_leaves_a_sound_state);
    RUN(a_small_turn_is_cut_everywhere);
    RUN(cuts_repeat_long_turns);
    RUN(a_whole_turn_makes_up_for_it);
    lt_shape_release(knot);
    return check_finish();
}
