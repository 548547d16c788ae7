/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Contacts of surfaces on tets: those of all pairs of features, of two bodies and of one with itself,
 * whatever the nodes do; cut anywhere and gone on with, the same. */

#include "detect/query.h"

#include "check.h"

#include "bench/whole/whole.h"
#include "detect/deformed.h"
#include "failing_allocator.h"
#include "mesh/exact.h"

enum { CAPACITY = 1 << 16 };

/* A body that is moved by hand. */
typedef struct mover {
    const tree_fixture *f;
    lt_multiscale boxes;
    lt_feature_owners owners;
    lt_self_tets tets;
    lt_self self;
    float *from, *to;
    uint32_t *edges; /* [edge_count][2], the lower point first */
    uint32_t edge_count;
    lt_box *point_boxes, *face_boxes, *edge_boxes; /* of the motion; room for three a triangle each */
} mover;

static int by_points(const void *x, const void *y) {
    const uint32_t *a = x, *b = y;
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

static void find_edges(mover *v) {
    const lt_multiscale_tree *t = &v->f->tree;
    uint32_t count = 0;
    v->edges = LT_NEW(NULL, 6 * (size_t)t->triangle_count, uint32_t);
    for (uint32_t i = 0; i < 3 * t->triangle_count; i++) {
        uint32_t p = t->triangles[i], q = t->triangles[i % 3 == 2 ? i - 2 : i + 1];
        v->edges[2 * i] = lt_min_u32(p, q);
        v->edges[2 * i + 1] = lt_max_u32(p, q);
    }
    qsort(v->edges, 3 * (size_t)t->triangle_count, 2 * sizeof(uint32_t), by_points);
    for (uint32_t i = 0; i < 3 * t->triangle_count; i++)
        if (i == 0 || by_points(v->edges + 2 * i, v->edges + 2 * i - 2) != 0) {
            memmove(v->edges + 2 * count, v->edges + 2 * i, 2 * sizeof(uint32_t));
            count++;
        }
    v->edge_count = count;
}

static bool mover_make(mover *v, const tree_fixture *f, const lt_self_def *def) {
    memset(v, 0, sizeof *v);
    v->f = f;
    v->from = LT_NEW(NULL, 4 * (size_t)f->carrier.node_count, float);
    v->to = LT_NEW(NULL, 4 * (size_t)f->carrier.node_count, float);
    lt_box **boxes[3] = {&v->point_boxes, &v->face_boxes, &v->edge_boxes};
    for (int i = 0; i < 3; i++)
        *boxes[i] = LT_NEW(NULL, 3 * (size_t)f->tree.triangle_count, lt_box);
    find_edges(v);
    return lt_multiscale_create(&v->boxes, &f->tree, &f->carrier, LT_BOUND_DUAL, lt_simd_best(), NULL,
                                NULL) == LT_OK &&
           lt_feature_owners_create(&v->owners, f->tree.triangles, f->tree.triangle_count,
                                    f->tree.point_count, NULL, NULL) == LT_OK &&
           lt_self_tets_create(&v->tets, &f->tree, &f->carrier, NULL, NULL) == LT_OK &&
           lt_self_create(&v->self, &v->tets, def, NULL, NULL) == LT_OK;
}

static void mover_free(mover *v) {
    LT_DELETE(NULL, v->from, 4 * (size_t)v->f->carrier.node_count, float);
    LT_DELETE(NULL, v->to, 4 * (size_t)v->f->carrier.node_count, float);
    LT_DELETE(NULL, v->edges, 6 * (size_t)v->f->tree.triangle_count, uint32_t);
    lt_box *boxes[3] = {v->point_boxes, v->face_boxes, v->edge_boxes};
    for (int i = 0; i < 3; i++)
        LT_DELETE(NULL, boxes[i], 3 * (size_t)v->f->tree.triangle_count, lt_box);
    lt_self_free(&v->self);
    lt_self_tets_free(&v->tets);
    lt_feature_owners_free(&v->owners);
    lt_multiscale_free(&v->boxes);
}

static void begin_step(mover *v, bool moves) {
    lt_multiscale_begin(&v->boxes, v->from, moves ? v->to : NULL,
                        box_of_motion(v->from, moves ? v->to : v->from, v->f->carrier.node_count));
    lt_multiscale_fit(&v->boxes);
}

static void mark(mover *v, bool moves, float separation) {
    lt_self_begin(&v->self, v->from, moves ? v->to : v->from, separation, v->boxes.slack);
    lt_self_mark(&v->self);
}

/* ---- all pairs of features ---- */

typedef struct oracle {
    const mover *a, *b;
    float separation;
    lt_meeting *meetings;
    uint32_t count;
} oracle;

static lt_box box_of_points(const mover *v, const uint32_t *points, int count) {
    lt_box box = lt_box_empty();
    for (int k = 0; k < count; k++)
        for (uint32_t end = 0; end < 2; end++)
            box = lt_box_add_point(box, lt_multiscale_position(&v->boxes, points[k], end));
    return lt_box_inflate(box, 1e-6f);
}

static void find_boxes(const mover *v) {
    const lt_multiscale_tree *t = &v->f->tree;
    for (uint32_t i = 0; i < t->point_count; i++)
        v->point_boxes[i] = box_of_points(v, &i, 1);
    for (uint32_t i = 0; i < t->triangle_count; i++)
        v->face_boxes[i] = box_of_points(v, t->triangles + 3 * i, 3);
    for (uint32_t i = 0; i < v->edge_count; i++)
        v->edge_boxes[i] = box_of_points(v, v->edges + 2 * i, 2);
}

static void ask(oracle *o, lt_meeting *m, const uint32_t *points, const mover *first, const mover *second) {
    lt_ccd_query q = {.kind = m->kind == LT_MEET_EDGES ? LT_CCD_EDGE_EDGE : LT_CCD_VERTEX_FACE};
    uint32_t of_first = m->kind == LT_MEET_EDGES ? 2 : 1;
    for (uint32_t k = 0; k < 4; k++) {
        const lt_multiscale *side = k < of_first ? &first->boxes : &second->boxes;
        lt_ccd_set_point(&q, (int)k, lt_multiscale_position(side, points[k], 0),
                         lt_multiscale_position(side, points[k], 1));
        for (uint32_t i = 0; o->a == o->b && i < of_first && k >= of_first; i++)
            if (points[i] == points[k]) return;
    }
    lt_ccd_result r;
    double separation = o->a == o->b ? 0 : (double)o->separation;
    if (!lt_ccd_test(&q, separation, &r)) return;
    memcpy(m->points, points, sizeof m->points);
    m->time = (float)r.time;
    CHECK_FATAL(o->count < CAPACITY);
    o->meetings[o->count++] = *m;
}

static void ask_vertices(oracle *o, const mover *first, const mover *second, lt_meeting_kind kind) {
    const lt_multiscale_tree *s = &second->f->tree;
    for (uint32_t point = 0; point < first->f->tree.point_count; point++)
        for (uint32_t face = 0; face < s->triangle_count; face++) {
            lt_box near = lt_box_inflate(first->point_boxes[point], o->separation);
            if (!lt_box_overlap(near, second->face_boxes[face])) continue;
            uint32_t points[4] = {point, s->triangles[3 * face], s->triangles[3 * face + 1],
                                  s->triangles[3 * face + 2]};
            lt_meeting m = {.kind = kind};
            ask(o, &m, points, first, second);
        }
}

static void ask_edges(oracle *o) {
    for (uint32_t i = 0; i < o->a->edge_count; i++)
        for (uint32_t k = o->a == o->b ? i + 1 : 0; k < o->b->edge_count; k++) {
            if (!lt_box_overlap(lt_box_inflate(o->a->edge_boxes[i], o->separation), o->b->edge_boxes[k]))
                continue;
            uint32_t points[4] = {o->a->edges[2 * i], o->a->edges[2 * i + 1], o->b->edges[2 * k],
                                  o->b->edges[2 * k + 1]};
            lt_meeting m = {.kind = LT_MEET_EDGES};
            ask(o, &m, points, o->a, o->b);
        }
}

/* All points must be evaluated. */
static void ask_all(oracle *o) {
    o->count = 0;
    find_boxes(o->a);
    find_boxes(o->b);
    ask_vertices(o, o->a, o->b, LT_MEET_VERTEX_FACE);
    if (o->a != o->b) ask_vertices(o, o->b, o->a, LT_MEET_FACE_VERTEX);
    ask_edges(o);
}

/* ---- sets of contacts ---- */

/* With itself a face and a vertex are a vertex and a face, and of two edges the lower comes first. */
static void make_canonical(lt_meeting *meetings, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lt_meeting *m = &meetings[i];
        if (m->kind == LT_MEET_FACE_VERTEX) m->kind = LT_MEET_VERTEX_FACE;
        if (m->kind != LT_MEET_EDGES || by_points(m->points, m->points + 2) < 0) continue;
        for (int k = 0; k < 2; k++) {
            uint32_t swap = m->points[k];
            m->points[k] = m->points[k + 2];
            m->points[k + 2] = swap;
        }
    }
}

static int by_features(const void *x, const void *y) {
    const lt_meeting *a = x, *b = y;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    for (int k = 0; k < 4; k++)
        if (a->points[k] != b->points[k]) return a->points[k] < b->points[k] ? -1 : 1;
    return 0;
}

/* In order, and each once; returns how many there are. `self`: not NULL, of this surface with itself; what
 * touches at rest is left out. */
static uint32_t sort_meetings(lt_meeting *meetings, uint32_t count, const lt_self_tets *self) {
    uint32_t kept = 0;
    if (self) make_canonical(meetings, count);
    if (count > 1) qsort(meetings, count, sizeof *meetings, by_features);
    for (uint32_t i = 0; i < count; i++)
        if ((kept == 0 || by_features(&meetings[kept - 1], &meetings[i]) != 0) &&
            !(self && lt_meets_at_rest(self, &meetings[i])))
            meetings[kept++] = meetings[i];
    return kept;
}

typedef struct difference {
    uint32_t missing, extra, late;
} difference;

/* Both sorted. */
static difference compare(const lt_meeting *found, uint32_t found_count, const lt_meeting *all,
                          uint32_t all_count) {
    difference d = {0};
    for (uint32_t i = 0, k = 0; i < found_count || k < all_count;) {
        int order = i == found_count ? 1 : k == all_count ? -1 : by_features(&found[i], &all[k]);
        if (order == 0) d.late += fabsf(found[i].time - all[k].time) > 1e-6f;
        d.extra += order < 0;
        d.missing += order > 0;
        if (order <= 0) i++;
        if (order >= 0) k++;
    }
    return d;
}

/* ---- configurations ---- */

typedef struct arena {
    tree_fixture f;
    mover a, b;
    lt_query query;
    oracle o;
    bool has_doubles; /* triangles that are there twice */
} arena;

static bool arena_make(arena *s, int kind, uint32_t cells, const lt_self_def *def) {
    lt_surface surface = {0};
    bool made = kind == 0   ? make_ball(&surface, 1, 0.42)
                : kind == 1 ? make_ball(&surface, 1, 0.56)
                : kind == 2 ? make_open_and_double(&surface)
                            : true;
    memset(s, 0, sizeof *s);
    made = made &&
           tree_fixture_of(&s->f, shape_in_block(kind == 3 ? NULL : &surface, cells), kind == 3 ? 1 : 0) &&
           mover_make(&s->a, &s->f, def) && mover_make(&s->b, &s->f, def);
    if (kind != 3) lt_surface_free(&surface);
    s->has_doubles = kind == 2;
    s->query = (lt_query){.a = &s->a.boxes,
                          .b = &s->b.boxes,
                          .owners_a = &s->a.owners,
                          .owners_b = &s->b.owners,
                          .may_meet = lt_ccd_may_meet_for(lt_simd_best()),
                          .meetings = LT_NEW(NULL, CAPACITY, lt_meeting),
                          .capacity = CAPACITY};
    s->o = (oracle){.a = &s->a, .b = &s->b, .meetings = LT_NEW(NULL, CAPACITY, lt_meeting)};
    return made;
}

static void arena_free(arena *s) {
    LT_DELETE(NULL, s->query.meetings, CAPACITY, lt_meeting);
    LT_DELETE(NULL, s->o.meetings, CAPACITY, lt_meeting);
    mover_free(&s->a);
    mover_free(&s->b);
    tree_fixture_free(&s->f);
}

static void be_with_itself(arena *s) {
    s->query.b = s->query.a;
    s->query.owners_b = s->query.owners_a;
    s->query.self = &s->a.self;
    s->o.b = s->o.a;
}

/* The query, then all pairs. */
static difference compare_step(arena *s) {
    bool self = s->query.a == s->query.b;
    lt_query_begin(&s->query);
    lt_query_run(&s->query);
    CHECK_COUNT(s->query.dropped_count, 0);
    lt_multiscale_refit_whole(&s->a.boxes, NULL);
    if (!self) lt_multiscale_refit_whole(&s->b.boxes, NULL);
    ask_all(&s->o);
    const lt_self_tets *surface = self ? &s->a.tets : NULL;
    uint32_t found = sort_meetings(s->query.meetings, s->query.meeting_count, surface);
    uint32_t all = sort_meetings(s->o.meetings, s->o.count, surface);
    if (!s->has_doubles) CHECK_COUNT(found, s->query.meeting_count); /* none is there twice, or at rest */
    return compare(s->query.meetings, found, s->o.meetings, all);
}

static void two_bodies_meet_as_all_their_features_do(void) {
    for (int kind = 0; kind < 4; kind++) {
        lt_random random = lt_random_seed((uint64_t)kind);
        arena s;
        CHECK_FATAL(arena_make(&s, kind, 2, NULL));
        uint32_t met = 0;
        for (uint32_t round = 0; round < rounds_of(3); round++) {
            double reach = round == 2 ? 30 : 0.25;
            deform_nodes(s.a.from, s.a.to, &s.f.carrier, (motion_kind)(round % MOTION_COUNT), reach, &random);
            deform_nodes(s.b.from, s.b.to, &s.f.carrier, MOTION_NOISE, reach, &random);
            s.query.separation = s.o.separation = round % 2 ? 0.01f : 0;
            begin_step(&s.a, true);
            begin_step(&s.b, true);
            difference d = compare_step(&s);
            CHECK_COUNT(d.missing, 0);
            CHECK_COUNT(d.extra, 0);
            CHECK_COUNT(d.late, 0);
            met += s.query.meeting_count > 0;
        }
        CHECK(met > 0);
        arena_free(&s);
    }
}

static void a_body_meets_itself_as_all_its_features_do(void) {
    uint32_t met[MOTION_COUNT] = {0};
    for (int kind = 0; kind < 4; kind++) {
        lt_random random = lt_random_seed(13 + (uint64_t)kind);
        arena s;
        CHECK_FATAL(arena_make(&s, kind, 2, NULL));
        be_with_itself(&s);
        for (uint32_t round = 0; round < rounds_of(kind == 0 ? MOTION_COUNT : 1); round++) {
            motion_kind which = (motion_kind)((round + (uint32_t)kind) % MOTION_COUNT);
            deform_nodes(s.a.from, s.a.to, &s.f.carrier, which, 1, &random);
            begin_step(&s.a, true);
            mark(&s.a, true, 0);
            difference d = compare_step(&s);
            CHECK_COUNT(d.missing, 0);
            CHECK_COUNT(d.extra, 0);
            CHECK_COUNT(d.late, 0);
            met[which] += s.query.meeting_count > 0;
        }
        arena_free(&s);
    }
    for (int which = 0; which < MOTION_COUNT; which++)
        if (met[which] == 0) CHECK_FAIL_MESSAGE("nothing meets in motions of kind %d", which);
}

/* The paper's lemma says nothing of neighbours, and its masks of nothing but pairs that are apart at rest. */
static void the_lemma_as_printed_loses_contacts(void) {
    static const uint32_t bits[] = {1, 256};
    uint32_t all = 0, lost[2] = {0};
    for (int i = 0; i < 2; i++) {
        lt_random random = lt_random_seed(20);
        lt_self_def def = {LT_SELF_PAPER, bits[i]};
        arena s;
        CHECK_FATAL(arena_make(&s, 0, 2, &def));
        be_with_itself(&s);
        all = 0;
        for (uint32_t round = 0; round < rounds_of(3); round++) {
            deform_nodes(s.a.from, s.a.to, &s.f.carrier, (motion_kind)(round % MOTION_COUNT), 1, &random);
            begin_step(&s.a, true);
            mark(&s.a, true, 0);
            difference d = compare_step(&s);
            CHECK_COUNT(d.extra, 0);
            lost[i] += d.missing;
            all += s.o.count;
        }
        arena_free(&s);
    }
    printf("as printed: %u contacts of %u lost by flags, %u by masks\n", lost[0], all, lost[1]);
    CHECK(lost[0] > 0 && lost[1] >= lost[0]);
}

/* ---- separation ---- */

/* Two ends of a bar that come near each other without touching. */
static void a_body_keeps_a_distance_from_itself(void) {
    lt_random random = lt_random_seed(30);
    arena s;
    CHECK_FATAL(arena_make(&s, 0, 3, NULL));
    be_with_itself(&s);
    uint32_t met = 0, touching = 0;
    for (uint32_t round = 0; round < 2; round++) {
        deform_nodes(s.a.from, s.a.to, &s.f.carrier, MOTION_FOLD, 1, &random);
        for (int with = 0; with < 2; with++) {
            s.query.separation = with ? 0.05f : 0;
            begin_step(&s.a, true);
            mark(&s.a, true, s.query.separation);
            lt_query_begin(&s.query);
            lt_query_run(&s.query);
            *(with ? &met : &touching) += s.query.meeting_count;
            for (uint32_t i = 0; i < s.query.meeting_count; i++)
                CHECK_NEAR(lt_max_f(s.query.meetings[i].distance, s.query.separation), s.query.separation,
                           1e-4);
        }
    }
    CHECK(met > touching && touching > 0);
    arena_free(&s);
}

/* ---- cut anywhere ---- */

static bool is_under(const lt_multiscale_tree *t, uint32_t node, uint32_t triangle) {
    return triangle - t->nodes[node].first < t->nodes[node].count;
}

/* Whether two triangles are among what is left. */
static bool is_left(const lt_query *q, const lt_multiscale_tree *t, uint32_t a, uint32_t b) {
    bool self = q->a == q->b;
    for (uint32_t i = 0; i < q->pair_count; i++) {
        uint32_t x = q->pairs[i].a, y = q->pairs[i].b;
        if ((is_under(t, x, a) && is_under(t, y, b)) || (self && is_under(t, x, b) && is_under(t, y, a)))
            return true;
    }
    for (uint32_t i = 0; i < q->candidate_count; i++) {
        bool left = i >= q->filtered_count || q->kept >> i & 1;
        if (left && ((q->candidates[i].a == a && q->candidates[i].b == b) ||
                     (self && q->candidates[i].a == b && q->candidates[i].b == a)))
            return true;
    }
    return false;
}

/* Piece by piece; now and then all that the whole finds is found or left. */
static void check_pieces(arena *s, bool moves, const lt_meeting *whole, uint32_t whole_count) {
    const lt_multiscale_tree *t = &s->f.tree;
    bool self = s->query.a == s->query.b;
    begin_step(&s->a, moves);
    if (!self) begin_step(&s->b, moves);
    lt_query_begin(&s->query);
    uint32_t lost = 0, pieces = 0;
    for (lt_piece next; (next = lt_query_peek(&s->query)).cost > 0; pieces++) {
        CHECK_COUNT(lt_query_step(&s->query, next.cost - 1), 0);
        CHECK_COUNT(lt_query_step(&s->query, next.cost), next.cost);
        for (uint32_t i = s->query.meeting_count; pieces % 61 == 0 && i < whole_count; i++)
            lost += !is_left(&s->query, t, whole[i].a, whole[i].b);
    }
    CHECK(lt_query_is_done(&s->query));
    CHECK_COUNT(lost, 0);
    CHECK(pieces > 100);
    CHECK_COUNT(s->query.meeting_count, whole_count);
    CHECK(memcmp(s->query.meetings, whole, whole_count * sizeof *whole) == 0);
}

/* Motions until something meets; what does is kept in o. Returns how much. */
static uint32_t meet_somewhere(arena *s, bool moves, lt_random *random) {
    uint32_t count = 0;
    for (int i = 0; i < 20 && count == 0; i++) {
        deform_nodes(s->a.from, s->a.to, &s->f.carrier, MOTION_PINCH, 0.2, random);
        deform_nodes(s->b.from, s->b.to, &s->f.carrier, MOTION_NOISE, 0.2, random);
        begin_step(&s->a, moves);
        begin_step(&s->b, moves);
        mark(&s->a, moves, 0);
        lt_query_begin(&s->query);
        lt_query_run(&s->query);
        count = s->query.meeting_count;
    }
    CHECK(count > 0);
    memcpy(s->o.meetings, s->query.meetings, count * sizeof *s->o.meetings);
    return count;
}

static void pieces_are_the_whole(void) {
    for (int kind = 0; kind < 4; kind++) { /* two bodies or one, moving or not */
        bool self = kind & 1, moves = kind < 2;
        lt_random random = lt_random_seed(40 + (uint64_t)kind);
        arena s;
        CHECK_FATAL(arena_make(&s, 1, 2, NULL));
        if (self) be_with_itself(&s);
        uint32_t count = meet_somewhere(&s, moves, &random);
        check_pieces(&s, moves, s.o.meetings, count);
        s.query.capacity = count / 2; /* no room for all: the first are kept, the others counted */
        lt_query_begin(&s.query);
        lt_query_run(&s.query);
        CHECK_COUNT(s.query.dropped_count, count - count / 2);
        CHECK(memcmp(s.query.meetings, s.o.meetings, (count / 2) * sizeof *s.o.meetings) == 0);
        s.query.capacity = CAPACITY;
        arena_free(&s);
    }
}

/* What comes next is known beforehand: that another query of the same bodies opens a box meanwhile changes nothing that is found. */
static void queries_of_the_same_bodies_take_turns(void) {
    lt_random random = lt_random_seed(47);
    arena s;
    CHECK_FATAL(arena_make(&s, 1, 2, NULL));
    uint32_t count = meet_somewhere(&s, true, &random);
    lt_meeting *meetings = LT_NEW(NULL, CAPACITY, lt_meeting);
    lt_query other = s.query;
    other.meetings = meetings;
    begin_step(&s.a, true);
    begin_step(&s.b, true);
    lt_query_begin(&s.query);
    lt_query_begin(&other);
    for (uint32_t turn = 0; !lt_query_is_done(&s.query) || !lt_query_is_done(&other); turn++) {
        lt_query *q = turn % 3 == 0 ? &s.query : &other;
        uint32_t cost = lt_query_peek(q).cost;
        CHECK_COUNT(lt_query_step(q, cost), cost);
    }
    CHECK_COUNT(s.query.meeting_count, count);
    CHECK_COUNT(other.meeting_count, count);
    CHECK(memcmp(s.query.meetings, s.o.meetings, count * sizeof *meetings) == 0);
    CHECK(memcmp(other.meetings, s.o.meetings, count * sizeof *meetings) == 0);
    LT_DELETE(NULL, meetings, CAPACITY, lt_meeting);
    arena_free(&s);
}

/* ---- nothing moves ---- */

static int by_triangles(const void *x, const void *y) {
    const lt_meeting *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

static void triangles_that_stand_still_cross(void) {
    for (int self = 0; self < 2; self++) {
        lt_random random = lt_random_seed(50);
        arena s;
        CHECK_FATAL(arena_make(&s, 0, 2, NULL));
        if (self) be_with_itself(&s);
        lt_query all = s.query;
        all.meetings = s.o.meetings;
        uint32_t crossing = 0;
        for (uint32_t round = 0; round < 3; round++) {
            deform_nodes(s.a.from, s.a.to, &s.f.carrier, (motion_kind)round, 0.3, &random);
            deform_nodes(s.b.from, s.b.to, &s.f.carrier, MOTION_NOISE, 0.3, &random);
            begin_step(&s.a, false);
            begin_step(&s.b, false);
            mark(&s.a, false, 0);
            lt_query_begin(&s.query);
            lt_query_run(&s.query);
            lt_multiscale_refit_whole(&s.a.boxes, NULL);
            lt_multiscale_refit_whole(&s.b.boxes, NULL);
            all.meeting_count = all.dropped_count = 0;
            for (uint32_t a = 0; a < s.f.tree.triangle_count; a++)
                for (uint32_t b = self ? a + 1 : 0; b < s.f.tree.triangle_count; b++)
                    lt_query_test_triangles(&all, a, b);
            if (s.query.meeting_count > 1)
                qsort(s.query.meetings, s.query.meeting_count, sizeof(lt_meeting), by_triangles);
            CHECK_COUNT(s.query.meeting_count, all.meeting_count);
            CHECK(memcmp(s.query.meetings, all.meetings, all.meeting_count * sizeof(lt_meeting)) == 0);
            crossing += all.meeting_count;
        }
        CHECK(crossing > 0);
        arena_free(&s);
    }
}

static void all_levels_find_the_same(void) {
    lt_random random = lt_random_seed(70);
    arena s;
    CHECK_FATAL(arena_make(&s, 0, 2, NULL));
    deform_nodes(s.a.from, s.a.to, &s.f.carrier, MOTION_PINCH, 0.3, &random);
    deform_nodes(s.b.from, s.b.to, &s.f.carrier, MOTION_NOISE, 0.3, &random);
    for (int level = 0; level < LT_LEVEL_COUNT; level++) {
        if ((int)lt_simd_best() < level) continue;
        s.query.may_meet = lt_ccd_may_meet_for((lt_simd_level)level);
        s.a.boxes.kernels = s.b.boxes.kernels = lt_multiscale_kernels_for((lt_simd_level)level);
        begin_step(&s.a, true);
        begin_step(&s.b, true);
        lt_query_begin(&s.query);
        lt_query_run(&s.query);
        CHECK(s.query.meeting_count > 0);
        if (level == 0) {
            s.o.count = s.query.meeting_count;
            memcpy(s.o.meetings, s.query.meetings, s.o.count * sizeof(lt_meeting));
        }
        CHECK_COUNT(s.query.meeting_count, s.o.count);
        CHECK(memcmp(s.query.meetings, s.o.meetings, s.o.count * sizeof(lt_meeting)) == 0);
    }
    arena_free(&s);
}

/* ---- what a contact says ---- */

/* At its time the two places that the weights name are where they are said to be, and the normal leads from b
 * to a. */
static void contacts_name_places(void) {
    lt_random random = lt_random_seed(60);
    arena s;
    CHECK_FATAL(arena_make(&s, 0, 2, NULL));
    s.query.separation = 0.02f;
    deform_nodes(s.a.from, s.a.to, &s.f.carrier, MOTION_TWIST, 0.3, &random);
    deform_nodes(s.b.from, s.b.to, &s.f.carrier, MOTION_NOISE, 0.3, &random);
    begin_step(&s.a, true);
    begin_step(&s.b, true);
    lt_query_begin(&s.query);
    lt_query_run(&s.query);
    CHECK(s.query.meeting_count > 10);
    for (uint32_t i = 0; i < s.query.meeting_count; i++) {
        const lt_meeting *m = &s.query.meetings[i];
        lt_dvec3 places[2] = {{0, 0, 0}, {0, 0, 0}};
        double sums[2] = {0, 0};
        for (uint32_t k = 0; k < 4; k++) {
            bool first = k < (m->kind == LT_MEET_EDGES ? 2u : 1u),
                 of_b = first == (m->kind == LT_MEET_FACE_VERTEX);
            const lt_multiscale *side = of_b ? &s.b.boxes : &s.a.boxes;
            lt_dvec3 x = lt_d3_from_v3(lt_multiscale_position(side, m->points[k], 0));
            lt_dvec3 y = lt_d3_from_v3(lt_multiscale_position(side, m->points[k], 1));
            lt_dvec3 at = lt_d3_mad(x, lt_d3_sub(y, x), (double)m->time);
            places[of_b] = lt_d3_mad(places[of_b], at, (double)m->weights[k]);
            sums[of_b] += (double)m->weights[k];
        }
        lt_dvec3 way = lt_d3_sub(places[0], places[1]);
        CHECK_NEAR(sums[0], 1, 1e-5);
        CHECK_NEAR(sums[1], 1, 1e-5);
        CHECK_NEAR(lt_d3_length(way), m->distance, 1e-5);
        CHECK_NEAR(lt_v3_length(m->normal), 1, 1e-5);
        if (m->distance > 0.01f) CHECK(lt_d3_dot(way, lt_d3_from_v3(m->normal)) > 0.9 * (double)m->distance);
    }
    arena_free(&s);
}

/* Of every vertex and edge exactly one triangle is the owner. */
static void features_have_one_owner(void) {
    arena s;
    CHECK_FATAL(arena_make(&s, 2, 2, NULL));
    const lt_multiscale_tree *t = &s.f.tree;
    uint32_t vertices = 0, edges = 0, used = 0;
    uint8_t *is_used = LT_NEW(NULL, t->point_count, uint8_t);
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        vertices += (uint32_t)__builtin_popcount(s.a.owners.bits[i] & 7u);
        edges += (uint32_t)__builtin_popcount(s.a.owners.bits[i] & 56u);
        for (uint32_t k = 0; k < 3; k++)
            is_used[t->triangles[3 * i + k]] = 1;
    }
    for (uint32_t i = 0; i < t->point_count; i++)
        used += is_used[i];
    CHECK_COUNT(vertices, used);
    CHECK_COUNT(edges, s.a.edge_count);
    LT_DELETE(NULL, is_used, t->point_count, uint8_t);
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status == LT_STATUS_MEMORY && allowed < 9; allowed++) {
        failing out = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&out);
        lt_feature_owners owners;
        status = lt_feature_owners_create(&owners, t->triangles, t->triangle_count, t->point_count,
                                          &allocator, NULL);
        lt_feature_owners_free(&owners);
        CHECK_COUNT(out.blocks_out, 0);
    }
    CHECK(status == LT_OK);
    arena_free(&s);
}

int main(void) {
    RUN(two_bodies_meet_as_all_their_features_do);
    RUN(a_body_meets_itself_as_all_its_features_do);
    RUN(the_lemma_as_printed_loses_contacts);
    RUN(a_body_keeps_a_distance_from_itself);
    RUN(pieces_are_the_whole);
    RUN(queries_of_the_same_bodies_take_turns);
    RUN(triangles_that_stand_still_cross);
    RUN(all_levels_find_the_same);
    RUN(contacts_name_places);
    RUN(features_have_one_owner);
    return check_finish();
}
