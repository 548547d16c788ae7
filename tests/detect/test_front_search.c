/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The search of a pair against brute force, on deformed bodies of all kinds and on all kinds of obstacles: every sample that is inside is
 * found, as deep and in the same tet; what is said to be apart is; no piece takes more than it said. Cut after any piece the front
 * holds, and gone on with it ends as if it had not been cut. */

#include "bound/bound.h"
#include "check.h"

#include "bound/shape_tree_fixture.h"
#include "core/hash.h"
#include "detect/front_search.h"

enum { PAIRS = 2 * SHAPE_KINDS * SHAPE_KINDS, STEPS = 12, MOST_SAMPLES = 4096, ENTRIES = 60000, SMALL = 64 };

static const float DT = 1.0f / 60;

typedef struct part {
    soft_fixture f;
    lt_shape_tree tree;
    lt_body_boxes boxes;
    /* Its clock, as the engine has it */
    lt_vec3 mean, from[2048];
    double base;
    lt_clock_reading clock;
} part;

static part parts[2];
static lt_obstacle *obstacle; /* NULL: of two bodies */
static lt_front_pool pool;
static lt_search_memory memory;
static uint32_t roots;
static lt_vec3 pair_from;
static double pair_base;
static const lt_pair pair_of_bodies = {0, LT_PAIR_BODIES, 1}, pair_with_obstacle = {0, LT_PAIR_OBSTACLE, 0};

static const lt_pair *the_pair(void) {
    return obstacle ? &pair_with_obstacle : &pair_of_bodies;
}
static uint32_t directions(void) {
    return obstacle ? 1 : 2;
}

/* ---- bodies ---- */

static void make_part(part *p, uint32_t kind, lt_random *random) {
    lt_error error = {0};
    CHECK_FATAL(shape_fixture(&p->f, kind, random));
    CHECK_FATAL(lt_shape_tree_create(&p->tree, &p->f.carrier, &p->f.skin, NULL, &error) == LT_OK);
    CHECK_FATAL(lt_body_boxes_create(&p->boxes, &p->tree, NULL, &error) == LT_OK);
    CHECK_FATAL(p->f.carrier.node_count <= LT_COUNT_OF(p->from) && p->tree.point_count <= MOST_SAMPLES);
}

static void free_part(part *p) {
    lt_body_boxes_free(&p->boxes);
    lt_shape_tree_free(&p->tree);
    fixture_free(&p->f);
}

/* Turned, a little stretched and shaken, somewhere near the middle, with velocities of a turn and of noise. */
static void put_part(part *p, double near, lt_random *random) {
    affine a = random_rigid(random, near);
    a.m.c0 = lt_d3_scale(a.m.c0, random_d(random, 0.8, 1.2));
    fixture_move(&p->f, move_affine, &a);
    fixture_shake(&p->f, random, 0.005);
    lt_dvec3 all = random_d3(random, 2), spin = random_d3(random, 2);
    for (uint32_t i = 0; i < p->f.carrier.node_count; i++) {
        lt_rvec3 x = lt_node_get(p->f.soft.x, i);
        lt_dvec3 arm = lt_d3_sub((lt_dvec3){(double)x.x, (double)x.y, (double)x.z}, a.t);
        lt_dvec3 v = lt_d3_add(lt_d3_add(all, lt_d3_cross(spin, arm)), random_d3(random, 0.1));
        lt_node_set(p->f.soft.v, i, (lt_rvec3){(lt_real)v.x, (lt_real)v.y, (lt_real)v.z});
    }
    fixture_refresh(&p->f);
}

/* A step of their own velocities. */
static void move_part(part *p, lt_random *random) {
    double share = random_d(random, 0, 0.5);
    for (uint32_t i = 0; i < p->f.carrier.node_count; i++)
        lt_node_add(p->f.soft.x, i, lt_node_get(p->f.soft.v, i), (lt_real)(share * (double)DT));
    fixture_shake(&p->f, random, 1e-4);
}

static lt_vec3 node_at(const part *p, uint32_t node) {
    const float *x = p->f.soft.nodes + 4 * (size_t)node;
    return (lt_vec3){x[0], x[1], x[2]};
}

/* As engine_bodies.c reads it. */
static void read_part(part *p) {
    lt_dvec3 sum = {0, 0, 0};
    float most = 0;
    uint32_t count = p->f.carrier.node_count;
    for (uint32_t i = 0; i < count; i++)
        sum = lt_d3_mad(sum, lt_d3_from_v3(node_at(p, i)), 1.0 / count);
    p->mean = lt_v3_from_d3(sum);
    for (uint32_t i = 0; i < count; i++)
        most = lt_max_f(most, lt_v3_distance(lt_v3_sub(node_at(p, i), p->mean), p->from[i]));
    most = most * (1 + 2 * p->f.skin.overhang) + 1e-6f * (float)p->f.soft.size;
    if (!lt_clock_read(&p->clock, &p->base, most, 0.01f * (float)p->f.soft.mean_edge)) return;
    for (uint32_t i = 0; i < count; i++)
        p->from[i] = lt_v3_sub(node_at(p, i), p->mean);
}

static float fastest(const part *p) {
    float most = 0;
    for (uint32_t i = 0; i < p->f.carrier.node_count; i++) {
        const float *v = p->f.soft.node_velocities + 4 * (size_t)i;
        most = lt_max_f(most, lt_v3_length((lt_vec3){v[0], v[1], v[2]}));
    }
    return most;
}

/* ---- searches ---- */

static lt_clock_reading read_pair(float quantum) {
    lt_clock_reading r;
    lt_vec3 other = obstacle ? obstacle->position : parts[1].mean;
    lt_vec3 way = lt_v3_sub(other, parts[0].mean);
    if (lt_clock_read(&r, &pair_base, lt_v3_distance(way, pair_from), 0.5f * quantum)) pair_from = way;
    r = lt_clock_add(r, parts[0].clock);
    return obstacle ? r : lt_clock_add(r, parts[1].clock);
}

static lt_front_side side_of(part *p, uint32_t body) {
    return (lt_front_side){&p->f.collider, &p->boxes, body};
}

static lt_front_search make_search(lt_simd_level level) {
    float edge = (float)parts[0].f.soft.mean_edge, size = (float)parts[0].f.soft.size,
          speed = fastest(&parts[0]);
    if (!obstacle) {
        edge = lt_min_f(edge, (float)parts[1].f.soft.mean_edge);
        size = lt_min_f(size, (float)parts[1].f.soft.size);
        speed += fastest(&parts[1]);
    }
    float margin = 9.81f * DT * DT + 5e-4f * size;
    for (uint32_t i = 0; i < directions(); i++) {
        read_part(&parts[i]);
        lt_body_boxes_begin(&parts[i].boxes, &parts[i].f.soft, &parts[i].f.skin, level);
    }
    lt_front_search s = {.kernels = lt_leaf_kernels_for(level),
                         .pool = &pool,
                         .memory = &memory,
                         .sides = {side_of(&parts[0], 0)},
                         .obstacle = obstacle,
                         .roots = roots,
                         .dt = DT,
                         .reach = speed * DT + margin,
                         .margin = margin,
                         .quantum = 0.02f * edge,
                         .speculation = 0.5f * edge,
                         .allowed = LT_UNLIMITED};
    if (!obstacle) s.sides[1] = side_of(&parts[1], 1);
    s.clock = read_pair(s.quantum);
    return s;
}

/* So many pieces, one at a time; no piece takes more than it says. Returns how many there were. */
static uint32_t search_pieces(lt_front_search *s, uint32_t most) {
    lt_cursor cursor = lt_front_search_cursor(s);
    uint32_t pieces = 0;
    for (; pieces < most; pieces++) {
        lt_piece piece = cursor.peek(cursor.state);
        if (piece.cost == 0) break;
        uint32_t units = cursor.step(cursor.state, piece.cost);
        if (units == 0 || units > piece.cost)
            CHECK_FAIL_MESSAGE("a piece takes %u units, not 1 to %u", units, piece.cost);
        if (units == 0) break;
    }
    return pieces;
}

static void check_front(void) {
    const char *flaw = lt_validate_front(&pool, roots);
    if (flaw) CHECK_FAIL_MESSAGE("%s", flaw);
}

static uint32_t search_fully(lt_front_search *s) {
    lt_front_search_begin(s);
    uint32_t pieces = search_pieces(s, UINT32_MAX);
    CHECK(!lt_front_is_open(s));
    return pieces;
}

static void begin_pair(uint32_t capacity) {
    const lt_vec3 far = {1e6f, 0, 0};
    lt_front_pool_free(&pool, &parts[0].tree.allocator);
    CHECK_FATAL(lt_front_pool_reserve(&pool, capacity, &parts[0].tree.allocator));
    roots = lt_front_begin(&pool, the_pair());
    pair_from = far;
    pair_base = 0;
    for (int i = 0; i < 2; i++) {
        parts[i].base = 0;
        memset(parts[i].from, 0, sizeof parts[i].from);
    }
}

static void make_pair(uint32_t kind_a, uint32_t kind_b, double near, lt_random *random) {
    const uint32_t kinds[2] = {kind_a, kind_b};
    uint32_t lanes = 0, nodes = 0;
    for (uint32_t i = 0; i < 2; i++) {
        make_part(&parts[i], kinds[i], random);
        put_part(&parts[i], near, random);
        lanes = lt_max_u32(lanes, LT_BLOCK * parts[i].tree.skin_block_count);
        nodes = lt_max_u32(nodes, parts[i].tree.node_count);
    }
    CHECK_FATAL(lt_search_memory_reserve(&memory, ENTRIES, lanes, nodes, &parts[0].tree.allocator));
    begin_pair(ENTRIES);
}

static void free_pair(void) {
    lt_front_pool_free(&pool, &parts[0].tree.allocator);
    lt_search_memory_free(&memory, &parts[0].tree.allocator);
    free_part(&parts[0]);
    free_part(&parts[1]);
}

/* ---- brute force ---- */

/* The entry that is in charge of a sample and a tet: of those that cover the pair the one without any below. */
static const lt_entry *entry_for(uint32_t direction, uint32_t place, uint32_t tet_place) {
    const lt_shape_tree *skin = &parts[direction].tree, *solid = &parts[1 - direction].tree;
    const lt_entry *e = &pool.entries[roots + direction];
    while (lt_entry_is_inner(e)) {
        const lt_entry *a = &pool.entries[e->child];
        const lt_shape_node *n = lt_shape_node_at(skin, a->skin);
        bool in_a = place >= n->point_begin && place < n->point_end;
        if (!obstacle && in_a) {
            const lt_shape_node *t = lt_shape_node_at(solid, a->solid);
            in_a = tet_place >= t->tet_begin && tet_place < t->tet_end;
        }
        e = in_a ? a : a + 1;
    }
    return e;
}

static lt_point_query query_of(uint32_t direction) {
    return (lt_point_query){&parts[direction].f.collider, &parts[1 - direction].f.collider, direction,
                            lt_bound_kernels_for(lt_simd_best())};
}

/* Whether a place is inside the other side, by looking through all of it; the touch says how. */
static bool is_inside(uint32_t direction, uint32_t place, lt_touch *touch) {
    const part *p = &parts[direction];
    uint32_t point = p->tree.points[place];
    if (obstacle) return lt_obstacle_test(&p->f.collider, 0, point, obstacle, 0, touch);
    lt_point_query q = query_of(direction);
    if (!lt_point_query_test(&q, point, touch) || !(touch->depth > 0)) return false;
    const float *w = touch->other.weights;
    return lt_min_f(lt_min_f(w[0], w[1]), lt_min_f(w[2], w[3])) >= 0; /* in the tet, not before it */
}

/* Which of two tets holds a sample is rounding where it is in the face between them. */
static void check_same(const lt_front_search *s, uint32_t direction, uint32_t place, const lt_touch *expected,
                       const lt_touch *found) {
    float edge = (float)parts[direction].f.soft.mean_edge;
    CHECK(found->point == expected->point && found->body == expected->body);
    if (found->other.tet != expected->other.tet) {
        const lt_shape_tree *tree = &parts[direction].tree;
        uint32_t lane = lt_shape_lane(lt_shape_node_at(tree, lt_shape_skin_leaf(tree, place)), place);
        float one = lt_front_weight(s, direction, lane, found->other.tet);
        float other = lt_front_weight(s, direction, lane, expected->other.tet);
        CHECK_NEAR(one, other, 1e-3);
        return;
    }
    CHECK_NEAR(found->depth, expected->depth, 1e-4 * (double)edge + 1e-6);
    CHECK(lt_v3_distance(found->normal, expected->normal) < 1e-2f);
    for (int k = 0; k < 4 && !obstacle; k++)
        CHECK_NEAR(found->other.weights[k], expected->other.weights[k], 1e-3);
}

/* Every sample that is inside is in a leaf that was tested and touches; `stale`: leaves may stand since an earlier step. Returns how
 * many are inside. */
static uint32_t check_inside(const lt_front_search *s, bool stale) {
    uint32_t inside = 0, missed = 0;
    for (uint32_t d = 0; d < directions(); d++) {
        const lt_shape_tree *tree = &parts[d].tree;
        for (uint32_t place = 0; place < tree->point_count; place++) {
            lt_touch expected, found;
            if (!is_inside(d, place, &expected)) continue;
            inside++;
            uint32_t tet_place = obstacle ? 0 : parts[1 - d].tree.tet_places[expected.other.tet];
            const lt_entry *e = entry_for(d, place, tet_place);
            missed += !lt_entry_is_tested_leaf(e);
            uint32_t leaf = lt_shape_skin_leaf(tree, place);
            if (stale && !lt_front_was_tested_with(s, d, leaf, e->solid)) continue;
            if (lt_front_was_tested(s, d, leaf) && lt_front_touch(s, d, leaf, place, &found))
                check_same(s, d, place, &expected, &found);
            else
                missed++;
        }
    }
    if (missed) CHECK_FAIL_MESSAGE("%u of %u samples inside are missed", missed, inside);
    return inside;
}

/* ---- what is apart ---- */

/* How near a place is to a tet, at most: to its corners and its middle. */
static double distance_to_tet(const part *p, uint32_t tet, lt_vec3 at) {
    lt_vec3 middle = {0, 0, 0};
    double least = 1e30;
    for (int k = 0; k < 4; k++) {
        lt_vec3 corner = node_at(p, p->f.carrier.tets[4 * (size_t)tet + (size_t)k]);
        least = lt_min_d(least, (double)lt_v3_distance(corner, at));
        middle = lt_v3_mad(middle, corner, 0.25f);
    }
    return lt_min_d(least, (double)lt_v3_distance(middle, at));
}

static double distance_of(uint32_t direction, const lt_entry *e) {
    const part *p = &parts[direction], *other = &parts[1 - direction];
    const lt_shape_node *n = lt_shape_node_at(&p->tree, e->skin);
    double least = 1e30;
    for (uint32_t i = n->point_begin; i < n->point_end; i++) {
        lt_vec3 at = p->f.collider.points[p->tree.points[i]];
        if (obstacle) {
            least = lt_min_d(least, (double)lt_obstacle_distance(obstacle, at).distance);
            continue;
        }
        const lt_shape_node *t = lt_shape_node_at(&other->tree, e->solid);
        for (uint32_t k = t->tet_begin; k < t->tet_end; k++)
            least = lt_min_d(least, distance_to_tet(other, other->tree.tets[k], at));
    }
    return least;
}

/* Entries that are apart stand until they can have met: they are at least as far from each other as that is away. Returns how many. */
static uint32_t check_apart(const lt_front_search *s, uint32_t direction, const lt_entry *e) {
    if (lt_entry_is_inner(e))
        return check_apart(s, direction, &pool.entries[e->child]) +
               check_apart(s, direction, &pool.entries[e->child] + 1);
    if (lt_entry_is_tested_leaf(e) || e->until == LT_ALWAYS || e->until == LT_NEVER) return 0;
    double gap = e->until - s->clock.now, distance = distance_of(direction, e);
    if (gap > 0 && !(distance >= gap - 1e-5))
        CHECK_FAIL_MESSAGE("an entry that is apart for %g m is %g m away", gap, distance);
    return 1;
}

static uint32_t check_all_apart(const lt_front_search *s) {
    uint32_t count = 0;
    for (uint32_t d = 0; d < directions(); d++)
        count += check_apart(s, d, &pool.entries[roots + d]);
    return count;
}

/* ---- one step, and many ---- */

typedef struct tally {
    uint32_t inside, apart, pieces;
} tally;

static void check_step(tally *t, bool stale) {
    lt_front_search s = make_search(lt_simd_best());
    t->pieces += search_fully(&s);
    t->inside += check_inside(&s, stale);
    lt_front_search_end(&s);
    CHECK(!s.out_of_room);
    t->apart += check_all_apart(&s);
    check_front();
}

static void check_steps(tally *t, lt_random *random) {
    check_step(t, false);
    for (uint32_t i = 0; i < STEPS; i++) {
        for (uint32_t k = 0; k < directions(); k++)
            move_part(&parts[k], random);
        check_step(t, true);
    }
}

static void everything_inside_is_found(void) {
    lt_random random = lt_random_seed(61);
    tally t = {0, 0, 0};
    obstacle = NULL;
    for (uint32_t i = 0; i < PAIRS; i++) {
        make_pair(i % SHAPE_KINDS, (i / SHAPE_KINDS) % SHAPE_KINDS, i % 3 ? 0.25 : 0.1, &random);
        check_steps(&t, &random);
        free_pair();
    }
    printf("bodies: %u inside, %u apart, %u pieces\n", t.inside, t.apart, t.pieces);
    CHECK(t.inside > 5000 && t.apart > 5000);
}

/* ---- obstacles ---- */

static void make_obstacle(lt_obstacle *o, lt_obstacle_kind kind, lt_distance_grid grid, lt_random *random) {
    *o = (lt_obstacle){.in_use = true,
                       .kind = kind,
                       .radius = 0.2f,
                       .half_length = 0.2f,
                       .half_extents = {0.2f, 0.1f, 0.3f},
                       .local_normal = {0, 1, 0},
                       .grid = grid,
                       .group = 1,
                       .mask = UINT32_MAX};
    lt_obstacle_place(o, random_v3(random, 0.2f), random_quat(random));
}

/* A mesh: the surface of a body. */
static void obstacles_are_met_alike(void) {
    lt_random random = lt_random_seed(62);
    lt_obstacle o;
    tally t = {0, 0, 0};
    for (uint32_t i = 0; i < 6 * SHAPE_KINDS; i++) {
        soft_fixture mesh;
        obstacle = NULL;
        CHECK_FATAL(shape_fixture(&mesh, 4, &random));
        make_pair(i % SHAPE_KINDS, 4, 0.2, &random);
        make_obstacle(&o, (lt_obstacle_kind)(i % 5), mesh.skin.distance, &random);
        obstacle = &o;
        begin_pair(ENTRIES);
        check_steps(&t, &random);
        free_pair();
        fixture_free(&mesh);
    }
    printf("obstacles: %u inside, %u apart, %u pieces\n", t.inside, t.apart, t.pieces);
    CHECK(t.inside > 1000 && t.apart > 500);
    obstacle = NULL;
}

/* ---- cuts ---- */

typedef struct best_touch {
    bool found;
    float weight;
    lt_touch touch;
} best_touch;

static uint64_t hash_of_front(void) {
    uint64_t count = 0;
    const lt_shape_tree *a = &parts[0].tree, *b = obstacle ? NULL : &parts[1].tree;
    const lt_front_trees trees = {{a, obstacle ? a : b}, {b, obstacle ? NULL : a}};
    lt_stream s = lt_stream_hash(LT_HASH_SEED);
    lt_front_visit(&s, &pool, roots, the_pair(), &trees, &count);
    return s.hash;
}

/* What this search found is added to what there is: of one sample the better one counts. */
static void add_touches(best_touch *best[2], const lt_front_search *s) {
    for (uint32_t d = 0; d < directions(); d++)
        for (uint32_t place = 0; place < parts[d].tree.point_count; place++) {
            uint32_t leaf = lt_shape_skin_leaf(&parts[d].tree, place);
            lt_touch touch;
            if (!lt_front_was_tested(s, d, leaf) || !lt_front_touch(s, d, leaf, place, &touch)) continue;
            uint32_t lane = lt_shape_lane(lt_shape_node_at(&parts[d].tree, leaf), place);
            float weight = obstacle ? 0 : lt_front_weight(s, d, lane, touch.other.tet);
            if (!best[d][place].found || weight > best[d][place].weight)
                best[d][place] = (best_touch){true, weight, touch};
        }
}

static best_touch uncut[2][MOST_SAMPLES], cut[2][MOST_SAMPLES];

/* Of what is inside nothing is lost. Before a tet, how far a skin leaf can come is the most of the leaves it was tested in, and the best tet
 * that of one search: at the edge of it a touch may be one or none. */
static bool is_inside_tet(const best_touch *t) {
    return t->found && t->touch.depth > 0 && t->weight >= 0;
}

static void check_touches_agree(uint32_t pieces) {
    uint32_t wrong = 0;
    for (uint32_t d = 0; d < directions(); d++)
        for (uint32_t place = 0; place < parts[d].tree.point_count; place++) {
            const best_touch *a = &uncut[d][place], *b = &cut[d][place];
            if (!is_inside_tet(a) && !is_inside_tet(b)) continue;
            wrong += a->found != b->found || a->weight != b->weight || a->touch.depth != b->touch.depth;
        }
    if (wrong) CHECK_FAIL_MESSAGE("cut after %u pieces %u samples end in another way", pieces, wrong);
}

/* Cut after so many pieces, then gone on with in the same state of the bodies. False: there are no more pieces. */
static bool check_cut(uint32_t pieces, uint64_t expected) {
    best_touch *best[2] = {cut[0], cut[1]};
    memset(cut, 0, sizeof cut);
    begin_pair(ENTRIES);
    lt_front_search s = make_search(lt_simd_best());
    lt_front_search_begin(&s);
    bool more = search_pieces(&s, pieces) == pieces && lt_front_is_open(&s);
    add_touches(best, &s);
    lt_front_search_end(&s);
    check_front();
    check_all_apart(&s);
    lt_front_search again = s;
    search_fully(&again);
    add_touches(best, &again);
    lt_front_search_end(&again);
    check_front();
    if (hash_of_front() != expected) CHECK_FAIL_MESSAGE("cut after %u pieces the front is another", pieces);
    check_touches_agree(pieces);
    return more;
}

static void check_cuts(uint32_t stride) {
    best_touch *best[2] = {uncut[0], uncut[1]};
    memset(uncut, 0, sizeof uncut);
    begin_pair(ENTRIES);
    lt_front_search s = make_search(lt_simd_best());
    search_fully(&s);
    add_touches(best, &s);
    lt_front_search_end(&s);
    uint64_t expected = hash_of_front();
    for (uint32_t pieces = 0; check_cut(pieces, expected); pieces += stride) {
    }
}

static void cuts_lose_nothing(void) {
    lt_random random = lt_random_seed(63);
    lt_obstacle o;
    for (uint32_t i = 0; i < 10; i++) {
        obstacle = NULL;
        make_pair(i % 5, 4 - i % 5, 0.15, &random);
        check_cuts(1 + i % 3);
        make_obstacle(&o, (lt_obstacle_kind)(i % 4), (lt_distance_grid){0}, &random);
        obstacle = &o;
        check_cuts(1);
        free_pair();
    }
    obstacle = NULL;
}

/* The allowance of a search ends it as well, at the first piece that reaches it. */
static void allowances_end_searches(void) {
    lt_random random = lt_random_seed(64);
    obstacle = NULL;
    make_pair(4, 3, 0.1, &random);
    for (uint32_t allowed = 1; allowed < 40000; allowed += 1 + allowed / 3) {
        begin_pair(ENTRIES);
        lt_front_search s = make_search(lt_simd_best());
        s.allowed = allowed;
        lt_front_search_begin(&s);
        search_pieces(&s, UINT32_MAX);
        CHECK(s.used >= allowed || !lt_front_is_open(&s));
        lt_front_search_end(&s);
        check_front();
    }
    free_pair();
}

/* ---- room, widths ---- */

/* A pool that is full leaves entries open: nothing inside is said to be apart. */
static void a_full_pool_hides_nothing(void) {
    lt_random random = lt_random_seed(65);
    obstacle = NULL;
    make_pair(4, 4, 0.05, &random);
    begin_pair(SMALL);
    lt_front_search s = make_search(lt_simd_best());
    lt_front_search_begin(&s);
    search_pieces(&s, UINT32_MAX);
    lt_front_search_end(&s);
    CHECK(s.out_of_room);
    check_front();
    check_all_apart(&s);
    for (uint32_t place = 0; place < parts[0].tree.point_count; place++) {
        lt_touch touch;
        if (!is_inside(0, place, &touch)) continue;
        const lt_entry *e = entry_for(0, place, parts[1].tree.tet_places[touch.other.tet]);
        CHECK(lt_entry_is_tested_leaf(e) || !(e->until > s.clock.now));
    }
    free_pair();
}

static uint64_t hash_of_search(lt_simd_level level) {
    begin_pair(ENTRIES);
    lt_front_search s = make_search(level);
    search_fully(&s);
    uint64_t hash = lt_hash_u64(LT_HASH_SEED, s.used);
    for (uint32_t d = 0; d < 2; d++)
        for (uint32_t place = 0; place < parts[d].tree.point_count; place++) {
            uint32_t leaf = lt_shape_skin_leaf(&parts[d].tree, place);
            lt_touch touch;
            if (!lt_front_was_tested(&s, d, leaf) || !lt_front_touch(&s, d, leaf, place, &touch)) continue;
            hash = lt_hash_u64(lt_hash_bytes(hash, &touch.depth, sizeof touch.depth), touch.other.tet);
        }
    lt_front_search_end(&s);
    return lt_hash_u64(hash, hash_of_front());
}

static void widths_find_the_same(void) {
    lt_random random = lt_random_seed(66);
    obstacle = NULL;
    for (uint32_t i = 0; i < 10; i++) {
        make_pair(2 + i % 3, 4, 0.15, &random);
        uint64_t scalar = hash_of_search(LT_LEVEL_SCALAR);
        for (uint32_t level = 1; level <= (uint32_t)lt_simd_best(); level++)
            CHECK(hash_of_search((lt_simd_level)level) == scalar);
        free_pair();
    }
}

int main(void) {
    RUN(everything_inside_is_found);
    RUN(obstacles_are_met_alike);
    RUN(cuts_lose_nothing);
    RUN(allowances_end_searches);
    RUN(a_full_pool_hides_nothing);
    RUN(widths_find_the_same);
    return check_finish();
}
