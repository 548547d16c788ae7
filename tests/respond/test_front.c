/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From fronts to contacts, wherever they were cut: pushes are symmetric, areas are shared out, what is undecided neither
 * pushes nor pulls, and no cut pushes much more than the whole would.
 * labels: golden wasm */

#include "bound/sphere_fixture.h"
#include "core/hash.h"
#include "respond/respond.h"

enum { POOL = 8192, CONTACTS = 2048 };

/* Two bodies (or a body and an obstacle) and everything that answering takes. */
typedef struct meeting {
    lt_collider colliders[2];
    lt_obstacle obstacle;
    lt_sphere_side sides[2];
    lt_traverse traverse;
    lt_front front;
    lt_front_scratch scratch;
    lt_contact_harvest harvest;
    lt_arena arena;
} meeting;

static lt_front_pair pool[POOL];
static lt_contact_record records[CONTACTS], held_records[CONTACTS];

/* Fresh from the nodes; nothing traversed yet. `second` NULL: against m->obstacle. */
static void begin(meeting *m, const sphere_fixture *first, const sphere_fixture *second, float margin) {
    const lt_sphere_kernels *kernels = lt_sphere_kernels_for(lt_simd_best());
    bool obstacle = second == NULL;
    m->colliders[0] = first->body.collider;
    if (second) m->colliders[1] = second->body.collider;
    for (int i = 0; i < 2 - obstacle; i++)
        lt_spheres_outdate(&m->colliders[i].spheres);
    m->sides[0] = (lt_sphere_side){&m->colliders[0], NULL, kernels, false};
    m->sides[1] = obstacle ? (lt_sphere_side){NULL, &m->obstacle, kernels, false}
                           : (lt_sphere_side){&m->colliders[1], NULL, kernels, false};
    m->traverse = (lt_traverse){.test = obstacle ? lt_spheres_against_obstacle : lt_spheres_against_spheres,
                                .may_collide = lt_spheres_may_collide,
                                .order = LT_ORDER_BEST_FIRST,
                                .margin = margin,
                                .pool = pool,
                                .capacity = POOL};
    m->traverse.a = lt_sphere_side_tree(&m->sides[0]);
    m->traverse.b = lt_sphere_side_tree(&m->sides[1]);
    lt_traverse_begin(&m->traverse, 100);
    if (!m->arena.capacity) {
        CHECK_FATAL(lt_arena_reserve(&m->arena, NULL, lt_front_scratch_size(m->colliders, 2, POOL)));
        CHECK_FATAL(lt_front_scratch_take(&m->scratch, m->colliders, 2, POOL, &m->arena));
    }
}

static bool advance(meeting *m) {
    lt_piece piece = lt_traverse_peek(&m->traverse, 1);
    if (piece.cost == 0) return false;
    lt_traverse_step(&m->traverse, piece.cost);
    return true;
}

/* The spheres of the harness are copies that share their memory: their stamps must not be older than these. */
static void keep_stamps(sphere_fixture *first, sphere_fixture *second, const meeting *m) {
    first->body.collider.spheres.stamp = m->colliders[0].spheres.stamp;
    if (second) second->body.collider.spheres.stamp = m->colliders[1].spheres.stamp;
}

static void respond(meeting *m, float margin, uint32_t held_count) {
    m->harvest = (lt_contact_harvest){.records = records, .capacity = CONTACTS};
    m->front = (lt_front){
        .traverse = &m->traverse,
        .pair = {0, m->sides[1].obstacle ? LT_PAIR_OBSTACLE : LT_PAIR_BODIES, m->sides[1].obstacle ? 0 : 1},
        .colliders = m->colliders,
        .obstacles = &m->obstacle,
        .margin = margin,
        .detail = LT_SPHERE_LEVELS_MAX,
        .held = held_records,
        .held_count = held_count,
        .scratch = &m->scratch,
        .harvest = &m->harvest};
    uint32_t cost = lt_front_respond(&m->front);
    uint32_t pairs = m->traverse.found_count + m->traverse.queued_count;
    if (m->sides[1].obstacle)
        CHECK(cost >= LT_FRONT_UNITS * pairs);
    else
        CHECK(cost >= LT_FRONT_UNITS * pairs &&
              cost <= LT_FRONT_UNITS * pairs + LT_FRONT_CONTACT_UNITS * lt_max_u32(pairs, m->front.contacts));
    CHECK_COUNT(m->front.contacts, m->harvest.count);
}

static lt_vec3 held_place(const lt_collider *c, const lt_attachment *hold) {
    lt_anchor anchor = lt_attachment_anchor(hold, c);
    return lt_v3_from_r3(lt_anchor_gather(&anchor, c->soft->x));
}

/* The sphere that a contact is of: places of the boxes are the root's. */
static uint32_t node_of(const lt_contact_record *r) {
    return r->feature < LT_LANES ? 0 : r->feature;
}

/* How far two boxes are apart, by their eight corners. */
static float gap_of_boxes(lt_box a, lt_box b) {
    float gap = 0;
    for (int axis = 0; axis < 3; axis++) {
        gap = lt_max_f(gap, lt_v3_get(a.lo, axis) - lt_v3_get(b.hi, axis));
        gap = lt_max_f(gap, lt_v3_get(b.lo, axis) - lt_v3_get(a.hi, axis));
    }
    return gap;
}

/* What must hold of all contacts between two bodies; returns Σ area × depth × normal of those that push. */
static lt_dvec3 check_contacts(const meeting *m, float margin) {
    lt_dvec3 sum = {0, 0, 0};
    uint32_t wrong = 0, pulls = 0;
    float gap = gap_of_boxes(m->colliders[0].box, m->colliders[1].box);
    for (uint32_t i = 0; i < m->harvest.count; i++) {
        const lt_contact_record *r = &m->harvest.records[i];
        const lt_touch *t = &r->touch;
        const lt_spheres *s = &m->colliders[0].spheres;
        float most = lt_ball(s->tree, LT_BALL_AREA, node_of(r)) * s->scale * s->scale;
        wrong += !(fabsf(lt_v3_length(t->normal) - 1) < 1e-5f) || t->body != 0 || t->point != LT_NONE;
        wrong += !(t->area > 0 && t->area <= most * 1.001f); /* shared out, not multiplied */
        /* One place on both bodies; or, while nothing is certain, two with the normal along the line between them. */
        lt_vec3 between =
            lt_v3_sub(held_place(&m->colliders[0], &t->own), held_place(&m->colliders[1], &t->other));
        wrong += t->apart > 0 ? !(lt_v3_dot(between, t->normal) > 0.9999f * t->apart - 1e-6f) || t->depth > 0
                              : !(lt_v3_length(between) < 1e-4f);
        wrong += !(t->depth > -margin - 1e-6f);
        pulls += t->approximate && t->depth < 0 && t->depth != -gap; /* boxes may come on until they touch */
        if (t->depth > 0) sum = lt_d3_mad(sum, lt_d3_from_v3(t->normal), (double)(t->area * t->depth));
    }
    CHECK_COUNT(wrong, 0);
    CHECK_COUNT(pulls, 0);
    return sum;
}

static void put(sphere_fixture *f, double x, double y, double z) {
    affine to = translation(x, y, z);
    fixture_move(&f->body, move_affine, &to);
}

static void pose(sphere_fixture *a, sphere_fixture *b, lt_random *random, double reach) {
    affine x = random_rigid(random, 0.05), y = random_rigid(random, reach);
    fixture_move(&a->body, move_affine, &x);
    fixture_move(&b->body, move_affine, &y);
}

/* ---- tests ---- */

static sphere_fixture block, torus;
static meeting met;

/* Contacts have the resultant of the pairs they were added up from; seen from the other body it is the opposite. */
static void pushes_add_up_and_are_symmetric(void) {
    sphere_fixture *a = &block, *b = &torus;
    meeting *m = &met;
    lt_random random = lt_random_seed(1);
    uint32_t pushing = 0;
    uint64_t hash = LT_HASH_SEED;
    for (int round = 0; round < 20; round++) {
        lt_vec3 pushes[2];
        double size = 0;
        pose(a, b, &random, 0.6);
        for (int side = 0; side < 2; side++) {
            sphere_fixture *first = side ? b : a, *second = side ? a : b;
            begin(m, first, second, 0.01f);
            while (advance(m)) {
            }
            respond(m, 0.01f, 0);
            lt_dvec3 sum = check_contacts(m, 0.01f);
            CHECK(lt_d3_distance(sum, lt_d3_from_v3(m->front.push)) <= 1e-3 * m->front.push_size + 1e-12);
            CHECK_COUNT(m->front.undecided, 0);
            pushes[side] = m->front.push;
            size = m->front.push_size;
            keep_stamps(first, second, m);
        }
        pushing += size > 0;
        hash = lt_hash_bytes(hash, pushes, sizeof pushes);
        CHECK((double)lt_v3_length(lt_v3_add(pushes[0], pushes[1])) <= 1e-4 * size + 1e-12);
    }
    CHECK(pushing > 10);
    check_golden("pushes", hash);
}

static int compare_ratios(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

/* The largest push of any cut against the final one, over 60 poses: at most twice in the median, four times at p90. */
static void no_cut_explodes(void) {
    sphere_fixture *a = &block, *b = &torus;
    meeting *m = &met;
    enum { POSES = 60 };
    lt_random random = lt_random_seed(2);
    double ratios[POSES];
    uint32_t count = 0;
    for (int tries = 0; count < POSES && tries < 400; tries++) {
        pose(a, b, &random, 0.5);
        begin(m, a, b, 0);
        double most = 0;
        do {
            respond(m, 0, 0);
            check_contacts(m, 0);
            most = lt_max_d(most, (double)lt_v3_length(m->front.push));
            for (int k = 0; k < 7; k++)
                advance(m);
        } while (advance(m));
        respond(m, 0, 0);
        double final = (double)lt_v3_length(m->front.push);
        keep_stamps(a, b, m);
        if (m->traverse.found_count < 100 || !(final > 0)) continue; /* hardly touching */
        ratios[count++] = most / final;
    }
    CHECK_COUNT(count, POSES);
    qsort(ratios, count, sizeof *ratios, compare_ratios);
    printf("largest push of a cut over the final one: median %.2f, p90 %.2f, worst %.2f\n", ratios[count / 2],
           ratios[count * 9 / 10], ratios[count - 1]);
    CHECK(ratios[count / 2] <= 2);
    CHECK(ratios[count * 9 / 10] <= 4);
}

/* A contact finds itself again by its feature: no cut makes two of one. Boxes that face each other answer for undecided
 * spheres beside others of the front, the root among them. */
static void no_cut_makes_two_contacts_of_one_feature(void) {
    static uint8_t seen[POOL];
    meeting *m = &met;
    uint32_t twice = 0, boxed = 0;
    for (int side = 0; side < 2; side++) {
        sphere_fixture *a = side ? &torus : &block, *b = side ? &block : &torus;
        for (int place = 0; place < 12; place++) {
            put(a, 0, 0, 0);
            put(b, 0, 0, 0);
            float reach = a->body.collider.box.hi.x - b->body.collider.box.lo.x;
            put(b, (double)reach + 0.02 * (1 - place), 0.1, 0.05); /* overlap more and more */
            begin(m, a, b, 0.05f);
            do {
                respond(m, 0.05f, 0);
                memset(seen, 0, sizeof seen);
                for (uint32_t i = 0; i < m->harvest.count; i++)
                    twice += seen[m->harvest.records[i].feature]++ > 0;
                boxed += m->traverse.tested > 0 && seen[1];
            } while (advance(m));
            keep_stamps(a, b, m);
        }
    }
    CHECK_COUNT(twice, 0);
    CHECK(boxed > 10);
}

/* Roots of bodies whose boxes overlap: nothing is certain, they must not come nearer, at places spread over where they face
 * each other. */
static void roots_only_resist(void) {
    sphere_fixture *a = &block, *b = &torus;
    meeting *m = &met;
    put(a, 0, 0, 0);
    put(b, 0.7, 0.1, 0.05);
    begin(m, a, b, 0);
    respond(m, 0, 0);
    check_contacts(m, 0);
    CHECK_COUNT(m->front.undecided, 1);
    CHECK_COUNT(m->front.overlapping, 1);
    CHECK_COUNT(m->harvest.count, 4);
    lt_vec3 mean = {0, 0, 0};
    for (uint32_t i = 0; i < m->harvest.count; i++) {
        const lt_touch *t = &m->harvest.records[i].touch;
        CHECK(t->depth == 0 && t->apart == 0 && t->approximate);
        lt_vec3 place = held_place(&m->colliders[0], &t->own);
        CHECK(lt_box_contains(m->colliders[0].box, place) && lt_box_contains(m->colliders[1].box, place));
        mean = lt_v3_mad(mean, place, 0.25f);
    }
    CHECK(lt_v3_distance(mean, held_place(&m->colliders[0], &m->harvest.records[0].touch.own)) > 0.05f);
    CHECK(m->front.push_size == 0);
    m->harvest.count = 0;
    m->front.detail = 0; /* room for one contact only */
    lt_front_respond(&m->front);
    CHECK_COUNT(m->harvest.count, 1);
    CHECK(lt_v3_distance(mean, held_place(&m->colliders[0], &m->harvest.records[0].touch.own)) < 1e-5f);
    keep_stamps(a, b, m);
}

/* Boxes that are apart may come on until they touch, and prove that nothing meets. */
static void boxes_that_are_apart_may_touch(void) {
    sphere_fixture *a = &block, *b = &torus;
    meeting *m = &met;
    put(a, 0, 0, 0);
    put(b, 0, 0, 0);
    float reach = a->body.collider.box.hi.y - b->body.collider.box.lo.y;
    put(b, 0.05, (double)reach + 0.02, 0);
    begin(m, a, b, 0.05f);
    respond(m, 0.05f, 0);
    check_contacts(m, 0.05f);
    CHECK_COUNT(m->front.overlapping, 0);
    CHECK(m->front.gap_error == 0);
    CHECK_COUNT(m->harvest.count, 4);
    for (uint32_t i = 0; i < m->harvest.count; i++) {
        const lt_touch *t = &m->harvest.records[i].touch;
        CHECK(fabsf(t->depth + 0.02f) < 1e-5f && t->normal.y == -1);
        CHECK(fabsf(held_place(&m->colliders[0], &t->own).y - m->colliders[0].box.hi.y) < 1e-5f);
    }
    keep_stamps(a, b, m);
    begin(m, a, b, 0.01f);
    respond(m, 0.01f, 0);
    CHECK_COUNT(m->harvest.count, 0); /* farther than they get */
    keep_stamps(a, b, m);
}

/* Against the floor every part of the body is held, as far above it as the box lets it come down. */
static void parts_stand_on_a_floor(void) {
    sphere_fixture *a = &block;
    meeting *m = &met;
    m->obstacle = (lt_obstacle){.in_use = true, .kind = LT_OBSTACLE_PLANE, .local_normal = {0, 1, 0}};
    lt_obstacle_place(&m->obstacle, (lt_vec3){0, 0, 0}, (lt_quat){0, 0, 0, 1});
    put(a, 0, 0, 0);
    put(a, 0, 0.03 - (double)a->body.collider.box.lo.y, 0);
    begin(m, a, NULL, 0.05f);
    respond(m, 0.05f, 0);
    CHECK_COUNT(m->harvest.count, LT_PART_COUNT);
    CHECK_COUNT(m->front.overlapping, 0);
    for (uint32_t i = 0; i < m->harvest.count; i++) {
        const lt_touch *t = &m->harvest.records[i].touch;
        float height = held_place(&m->colliders[0], &t->own).y;
        CHECK(fabsf(t->depth + 0.03f) < 1e-5f && fabsf(t->apart - (height - 0.03f)) < 1e-5f);
    }
    keep_stamps(a, NULL, m);
}

/* Places of the boxes stay together while one of them is near, and go when the boxes part. */
static void places_of_boxes_stay_or_go_together(void) {
    sphere_fixture *a = &block, *b = &torus;
    meeting *m = &met;
    put(a, 0, 0, 0);
    put(b, 0.7, 0.1, 0.05);
    begin(m, a, b, 0);
    respond(m, 0, 0);
    CHECK_COUNT(m->harvest.count, 4);
    memcpy(held_records, records, 4 * sizeof *held_records);
    for (uint32_t i = 0; i < 4; i++)
        held_records[i].depth = i == 2 ? 0.001f : -1;
    respond(m, 0, 4);
    CHECK_COUNT(m->harvest.count, 4);
    for (uint32_t i = 0; i < m->harvest.count; i++)
        CHECK_COUNT(m->harvest.records[i].age, 1);
    held_records[2].depth = -1;
    respond(m, 0, 4);
    CHECK_COUNT(m->harvest.count, 4);
    for (uint32_t i = 0; i < m->harvest.count; i++)
        CHECK_COUNT(m->harvest.records[i].age, 0);
    keep_stamps(a, b, m);
}

/* What was found under a sphere that is undecided now lives on, once; what the front has decided replaces it. */
static void held_contacts_stand_for_what_is_undecided(void) {
    sphere_fixture *a = &block, *b = &torus;
    meeting *m = &met;
    lt_random random = lt_random_seed(3);
    pose(a, b, &random, 0.3);
    begin(m, a, b, 0);
    while (advance(m)) {
    }
    respond(m, 0, 0);
    uint32_t held = m->harvest.count, kept = 0;
    CHECK(held > 5);
    memcpy(held_records, records, held * sizeof *held_records);
    for (uint32_t i = 0; i < held; i++) {
        held_records[i].depth = held_records[i].touch.depth;
        kept += held_records[i].depth >= 0;
    }
    keep_stamps(a, b, m);
    begin(m, a, b, 0);
    respond(m, 0, held); /* the roots: all that was there is under them, and the rest of the body is a box */
    CHECK_COUNT(m->harvest.count, kept + 4);
    for (uint32_t i = 0; i < m->harvest.count; i++)
        CHECK_COUNT(m->harvest.records[i].age, m->harvest.records[i].feature >= LT_LANES);
    while (advance(m)) {
    }
    respond(m, 0, held);
    CHECK_COUNT(m->harvest.count, held);
    for (uint32_t i = 0; i < m->harvest.count; i++)
        CHECK(m->harvest.records[i].age == 0 && m->harvest.records[i].is_new);
    keep_stamps(a, b, m);
}

static void coincident_bodies_have_directions(void) {
    meeting *m = &met;
    sphere_fixture a, b;
    CHECK_FATAL(
        sphere_block(&a, (lt_dvec3){1, 1, 1}, 1, 1, 1, (fixture_options){0}, (tree_options){.depth = 1}));
    CHECK_FATAL(
        sphere_block(&b, (lt_dvec3){1, 1, 1}, 1, 1, 1, (fixture_options){0}, (tree_options){.depth = 1}));
    begin(m, &a, &b, 0);
    do {
        respond(m, 0, 0);
        check_contacts(m, 0);
        CHECK(lt_v3_is_finite(m->front.push) && m->front.push_size - m->front.push_size == 0);
    } while (advance(m));
    respond(m, 0, 0);
    check_contacts(m, 0);
    CHECK(m->front.push_size > 0);
    sphere_fixture_free(&a);
    sphere_fixture_free(&b);
}

/* Coarser contacts are fewer and push the same. */
static void detail_changes_no_resultant(void) {
    sphere_fixture *a = &block, *b = &torus;
    meeting *m = &met;
    lt_random random = lt_random_seed(4);
    pose(a, b, &random, 0.3);
    begin(m, a, b, 0);
    while (advance(m)) {
    }
    uint32_t before = UINT32_MAX;
    double size = 0;
    lt_vec3 push = {0, 0, 0};
    for (uint32_t detail = 3; detail-- > 0;) {
        respond(m, 0, 0);
        m->harvest.count = 0;
        m->front.detail = detail;
        lt_front_respond(&m->front);
        CHECK(m->harvest.count > 0 && m->harvest.count <= before);
        before = m->harvest.count;
        if (detail == 2) push = m->front.push, size = m->front.push_size;
        CHECK((double)lt_v3_distance(push, m->front.push) <= 1e-5 * size);
        lt_dvec3 sum = {0, 0, 0};
        for (uint32_t i = 0; i < m->harvest.count; i++) {
            const lt_touch *t = &m->harvest.records[i].touch;
            if (t->depth > 0) sum = lt_d3_mad(sum, lt_d3_from_v3(t->normal), (double)(t->area * t->depth));
        }
        CHECK(lt_d3_distance(sum, lt_d3_from_v3(push)) <= 1e-3 * size);
    }
    CHECK_COUNT(before, 1);
    keep_stamps(a, b, m);
}

/* Contacts with a floor are on the body and as deep as they say; nothing of the body is deeper than all of them. */
static void obstacle_contacts_are_where_they_say(void) {
    sphere_fixture *a = &block;
    meeting *m = &met;
    m->obstacle = (lt_obstacle){.in_use = true, .kind = LT_OBSTACLE_PLANE, .local_normal = {0, 1, 0}};
    lt_obstacle_place(&m->obstacle, (lt_vec3){0, 0, 0}, (lt_quat){0, 0, 0, 1});
    lt_random random = lt_random_seed(5);
    const float margin = 0.01f;
    for (int round = 0; round < 10; round++) {
        affine x = random_rigid(&random, 0);
        x.t.y = 0.5;
        fixture_move(&a->body, move_affine, &x);
        begin(m, a, NULL, margin);
        do {
            respond(m, margin, 0);
            uint32_t wrong = 0;
            for (uint32_t i = 0; i < m->harvest.count; i++) {
                const lt_touch *t = &m->harvest.records[i].touch;
                lt_vec3 p = t->point == LT_NONE ? held_place(&m->colliders[0], &t->own)
                                                : m->colliders[0].points[t->point];
                wrong += !(fabsf(p.y + t->depth - t->apart) < 1e-4f) || t->normal.y != 1 ||
                         !(t->depth > -margin - 1e-4f);
                wrong += t->approximate && t->depth < -1e-4f - lt_max_f(0, m->colliders[0].box.lo.y);
            }
            CHECK_COUNT(wrong, 0);
        } while (advance(m));
        float lowest = 1, deepest = -1;
        for (uint32_t i = 0; i < a->body.skin.point_count; i++)
            lowest = lt_min_f(lowest, a->body.collider.points[i].y);
        respond(m, margin, 0);
        for (uint32_t i = 0; i < m->harvest.count; i++)
            deepest = lt_max_f(deepest, m->harvest.records[i].touch.depth);
        if (lowest < -0.05f) CHECK(m->harvest.count > 0 && deepest > 0 && deepest <= -lowest + 0.02f);
        if (lowest > margin + 0.02f) CHECK_COUNT(m->harvest.count, 0);
        keep_stamps(a, NULL, m);
    }
}

int main(void) {
    if (!sphere_block(&block, (lt_dvec3){1, 1, 1}, 2, 2, 2, (fixture_options){0},
                      (tree_options){.depth = 2}) ||
        !sphere_torus(&torus, 0.5, 0.25, 8, (tree_options){.depth = 2}))
        return 1;
    RUN(pushes_add_up_and_are_symmetric);
    RUN(no_cut_explodes);
    RUN(no_cut_makes_two_contacts_of_one_feature);
    RUN(roots_only_resist);
    RUN(boxes_that_are_apart_may_touch);
    RUN(parts_stand_on_a_floor);
    RUN(places_of_boxes_stay_or_go_together);
    RUN(held_contacts_stand_for_what_is_undecided);
    RUN(coincident_bodies_have_directions);
    RUN(detail_changes_no_resultant);
    RUN(obstacle_contacts_are_where_they_say);
    sphere_fixture_free(&block);
    sphere_fixture_free(&torus);
    lt_arena_free(&met.arena);
    return check_finish();
}
