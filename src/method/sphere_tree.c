/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Method sphere-tree (papers/000): interruptible traversal of sphere trees over a reduced model.
 *
 *   boxes ──► broad phase ──► pairs, worst first: refresh ⇄ traverse, cut anywhere ──► front to contacts ──► couplings
 *
 *   boxes, broad   always done (one box per body: the root test), charged to the budget
 *   pairs          each is traversed from its roots to its leaves, or to where the budget ends; whatever front it then
 *                  has is its answer. Spheres are refreshed when first looked at, once per step for all pairs. With a
 *                  cache of fronts, what an earlier turn tested is taken from there while nothing can have changed
 *   the others     pairs that had no turn in this step keep their contacts, predicted. Turns come in rounds, short enough
 *                  that each has one while it is worth something: where the budget has ended, a turn is an answer with
 *                  the roots, who do not come nearer
 *   response       always done: it was reserved
 *
 * A front proves something wherever it was cut: no overlap, the surfaces do not meet; an overlap, the solids are at least
 * gap_error near. Bodies that are inside one another without touching are found by one point of each connected part.
 *
 * Mode paper: first in first out, spheres updated as printed, forces averaged per node of the carrier and held over the
 * step (respond/averaging.c), no self-collision. Obstacles, which the paper does not have, are as in mode safe. */

#include "method/stages.h"

#include <string.h>

enum { LONGEST_WAIT = 32 }; /* steps that are looked ahead at most */

typedef struct sphere_tree {
    lt_memory memory; /* first: see memory.h */
    lt_method_options options;
    lt_penalty penalty; /* of one step, between the hooks */
} sphere_tree;

/* Contacts of a pair from before. */
typedef struct held_range {
    uint32_t begin, count;
} held_range;

/* Everything of one step that pairs share. */
typedef struct search {
    sphere_tree *method;
    lt_method_step *step;
    lt_contact_harvest harvest;
    lt_tested *tested; /* per pair */
    held_range *held;  /* per pair, its contacts from before */
    uint32_t *heap;
    uint32_t *members[2]; /* indices of pairs with obstacles, and of the others */
    uint32_t member_counts[2];
    lt_front_pair *pool;
    uint32_t *records; /* of queued pairs, where fronts are kept */
    lt_front_scratch scratch;
    lt_averaging averaging;
    uint32_t contact_limit; /* most contacts that the budget lets us answer */
    uint64_t contacts;      /* that there may be, held and found */
    uint64_t reserved;      /* of these, whose response is set aside */
    uint32_t detail;        /* level of the spheres on which contacts are added up */
    uint32_t round;         /* steps until every pair has had a turn */
    uint64_t search_units;  /* for turns of bodies in one step, where rounds are long */
    uint32_t served;        /* pairs that had a turn in this step */
    uint32_t pending;       /* pairs of spheres left unrefined, and pairs of bodies without a turn */
} search;

/* ---- fronts that are kept ---- */

static bool keeps_fronts(const sphere_tree *m) {
    return m->memory.cache.capacity > 0;
}

/* Work on all fronts at once, done in any case. */
typedef struct front_work {
    lt_work work;
    uint32_t cost; /* 0: it is done */
    void (*run)(sphere_tree *m, lt_method_step *step);
    sphere_tree *method;
    lt_method_step *step;
} front_work;

static lt_piece peek_fronts(const void *state) {
    const front_work *w = state;
    return (lt_piece){w->work, w->cost, 0};
}

static uint32_t work_on_fronts(void *state, uint32_t grant) {
    (void)grant; /* one piece */
    front_work *w = state;
    uint32_t cost = w->cost;
    w->run(w->method, w->step);
    w->cost = 0;
    return cost;
}

static void match_fronts(sphere_tree *m, lt_method_step *step) {
    lt_kept_front *scratch = LT_TAKE(step->arena, m->memory.cache.front_capacity, lt_kept_front);
    if (scratch) {
        lt_front_cache_match(&m->memory.cache, &m->memory.pairs, scratch);
        return;
    }
    step->report->problems |= LT_PROBLEM_SCRATCH;
    lt_front_cache_clear(&m->memory.cache, &m->memory.pairs);
}

static uint32_t motion_cost(const lt_collider *c) {
    if (!c->in_use) return 0;
    return c->asleep ? 1 : 1 + c->soft->carrier.node_count / 4;
}

static uint32_t all_motion_cost(const lt_method_step *step) {
    uint32_t cost = 1;
    for (uint32_t i = 0; i < step->collider_count; i++)
        cost += motion_cost(&step->colliders[i]);
    return cost;
}

/* The list of pairs is new; and after the motion all will be measured. */
static void begin_fronts(sphere_tree *m, lt_method_step *step) {
    if (!keeps_fronts(m)) return;
    front_work w = {LT_WORK_BROAD, 1 + m->memory.pairs.count / 2, match_fronts, m, step};
    lt_spend_fully(step->meter, LT_STAGE_BROAD, (lt_cursor){&w, peek_fronts, work_on_fronts});
    lt_reserve(step->meter, all_motion_cost(step));
}

static void move_fronts(sphere_tree *m, lt_method_step *step) {
    lt_body_motion *motions = LT_TAKE(step->arena, step->collider_count, lt_body_motion);
    if (!motions) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        lt_front_cache_clear(&m->memory.cache, &m->memory.pairs);
        return;
    }
    for (uint32_t i = 0; i < step->collider_count; i++)
        if (step->colliders[i].in_use) motions[i] = lt_body_motion_of(&step->colliders[i]);
    lt_front_cache_move(&m->memory.cache, motions);
}

static void end_fronts(sphere_tree *m, lt_method_step *step) {
    if (!keeps_fronts(m)) return;
    front_work w = {LT_WORK_BOUND, all_motion_cost(step), move_fronts, m, step};
    lt_spend_fully(step->meter, LT_STAGE_RESPOND, (lt_cursor){&w, peek_fronts, work_on_fronts});
}

/* ---- one pair ---- */

typedef struct pair_search {
    search *search;
    lt_sphere_side sides[2];
    lt_traverse traverse;
    uint64_t front_reserved;    /* units set aside for its answer */
    uint32_t contacts_reserved; /* and contacts */
    uint32_t records_reserved;  /* and records, with those that may live on */
    uint32_t units_a_pair;      /* of the answer, at most */
    uint32_t root_contacts, most_sums;
    uint32_t held_count;   /* contacts from before that may live on */
    uint64_t units, spent; /* of its turn: what it may take, and has; the first piece it may in any case */
} pair_search;

/* Steps until the next turn, if that takes as long as this one did. */
static uint32_t wait_of(const lt_turn *turn) {
    return lt_min_u32(lt_max_u32(turn->age, 1), LONGEST_WAIT);
}

/* Most spheres that contacts of a front can be added up on: down to a level, since a sphere may be in the front beside those
 * under it, with others of the second tree. */
static uint32_t most_sums(const lt_sphere_tree *tree, uint32_t detail) {
    uint32_t most = 1, of_level = 1;
    for (uint32_t level = 1; level <= lt_min_u32(detail, tree->level_count - 1); level++) {
        of_level *= tree->branching;
        most += of_level;
    }
    return most;
}

/* There may be more contacts than before, or less: no more are answered than the limit says. */
static void expect_contacts(search *s, uint64_t more, uint64_t less) {
    s->contacts += more - less;
    uint64_t wanted = lt_min_u64(s->contacts, s->contact_limit);
    if (wanted > s->reserved) lt_reserve_contacts(s->step->meter, wanted - s->reserved);
    if (wanted < s->reserved) lt_give_back_contacts(s->step->meter, s->reserved - wanted);
    s->reserved = wanted;
}

/* Most contacts of the front as it is. Boxes may speak for some of its spheres, in the place of one at least. */
static uint32_t most_contacts(const pair_search *p) {
    const lt_traverse *t = &p->traverse;
    bool bodies = p->sides[1].collider && !t->self;
    if (lt_traverse_is_new(t)) return p->root_contacts;
    return lt_min_u32(t->used_nodes, p->most_sums) + (bodies ? p->root_contacts - 1 : 0);
}

static void set_aside(pair_search *p) {
    const lt_traverse *t = &p->traverse;
    lt_meter *meter = p->search->step->meter;
    uint64_t pairs = t->queued_count + t->found_count;
    uint32_t contacts = most_contacts(p);
    uint64_t front = LT_FRONT_UNITS + pairs * p->units_a_pair + LT_FRONT_CONTACT_UNITS * (uint64_t)contacts;
    uint32_t records = contacts + p->held_count;
    if (lt_traverse_is_new(t)) front += LT_FRONT_CONTACT_UNITS * (uint64_t)p->held_count;
    if (contacts != p->contacts_reserved) expect_contacts(p->search, contacts, p->contacts_reserved);
    lt_give_back(meter, LT_WORK_KEEP, LT_LISTING_UNITS * (uint64_t)p->records_reserved);
    lt_reserve_work(meter, LT_WORK_KEEP, LT_LISTING_UNITS * (uint64_t)records);
    lt_give_back(meter, LT_WORK_FRONT, p->front_reserved);
    lt_reserve_work(meter, LT_WORK_FRONT, front);
    p->records_reserved = records;
    p->front_reserved = front;
    p->contacts_reserved = contacts;
}

static lt_piece peek_pair(const void *state) {
    const pair_search *p = state;
    uint32_t contact = p->traverse.used_nodes < p->most_sums ? LT_FRONT_CONTACT_UNITS + LT_CONTACT_UNITS : 0;
    lt_piece next = lt_traverse_peek(&p->traverse, p->units_a_pair + contact);
    if (p->spent > 0 && p->spent + next.cost > p->units) next.cost = 0;
    return next;
}

static uint32_t step_pair(void *state, uint32_t grant) {
    pair_search *p = state;
    uint64_t left = p->units > p->spent ? p->units - p->spent : 0;
    uint32_t most = (uint32_t)lt_min_u64(grant, lt_max_u64(left, peek_pair(p).cost));
    uint32_t spent = lt_traverse_step(&p->traverse, most);
    p->spent += spent;
    set_aside(p);
    return spent;
}

/* How far the two sides can come towards each other until the pair has its next turn: contacts that are still to come are
 * made now, and their depths follow the motion until then. */
static float margin_of(const lt_method_step *step, const lt_pair *pair, uint32_t wait) {
    float waits = (float)wait;
    const lt_collider *a = &step->colliders[pair->a];
    if (pair->kind == LT_PAIR_SELF) return 0;
    if (pair->kind == LT_PAIR_BODIES) {
        const lt_collider *b = &step->colliders[pair->b];
        return waits * (lt_v3_distance(a->velocity, b->velocity) * step->dt + a->spread + b->spread);
    }
    return waits * (a->reach + lt_obstacle_sweep(&step->obstacles[pair->b], a->box, step->dt)) +
           1e-3f * (float)a->soft->size;
}

/* Where there is not room for a contact per sphere of the front, contacts of a pair are added up on coarser spheres. Against
 * obstacles at least on the eight of the first level: what stands on one point falls over. */
static uint32_t detail_of(const search *s, const lt_pair *pair) {
    bool crowded = s->contact_limit < s->method->memory.pairs.count;
    return pair->kind == LT_PAIR_OBSTACLE && !crowded ? lt_max_u32(1, s->detail) : s->detail;
}

/* Held contacts that a front leaves open live on; in rounds of cut turns only those with obstacles, which are measured anew in
 * every step: others would grow old without bound. */
static bool may_be_kept(const search *s, const lt_pair *pair) {
    return s->round == 1 || pair->kind == LT_PAIR_OBSTACLE;
}

static void begin_pair(pair_search *p, search *s, uint32_t index) {
    const lt_pair *pair = &s->method->memory.pairs.pairs[index];
    const lt_sphere_kernels *kernels = lt_sphere_kernels_for(s->step->level);
    const lt_method_options *options = &s->method->options;
    bool printed = options->mode == LT_MODE_PAPER, obstacle = pair->kind == LT_PAIR_OBSTACLE;
    lt_collider *a = &s->step->colliders[pair->a], *b = obstacle ? NULL : &s->step->colliders[pair->b];
    float significance = b ? lt_max_f(a->significance, b->significance) : a->significance;
    p->search = s;
    p->sides[0] = (lt_sphere_side){a, NULL, kernels, printed};
    p->sides[1] = (lt_sphere_side){b, obstacle ? &s->step->obstacles[pair->b] : NULL, kernels, printed};
    p->front_reserved = 0;
    p->contacts_reserved = p->records_reserved = 0;
    p->held_count = may_be_kept(s, pair) ? s->held[index].count : 0;
    p->units_a_pair = LT_FRONT_UNITS + (obstacle ? LT_FRONT_POINT_UNITS * a->spheres.tree->most_points : 0);
    p->root_contacts = lt_box_contacts(pair, detail_of(s, pair));
    p->most_sums = most_sums(a->spheres.tree, detail_of(s, pair));
    p->units = LT_UNLIMITED;
    p->spent = 0;
    lt_traverse *t = &p->traverse; /* its state is begun with it */
    t->self = pair->kind == LT_PAIR_SELF;
    t->memory = (lt_front_memory){0};
    t->test = obstacle ? lt_spheres_against_obstacle : lt_spheres_against_spheres;
    t->may_collide = lt_spheres_may_collide;
    t->order = printed ? LT_ORDER_FIFO : options->order;
    t->margin = printed ? 0 : margin_of(s->step, pair, wait_of(&s->method->memory.pairs.turns[index]));
    t->tolerance = options->tolerance / lt_max_f(significance, 1e-6f);
    t->pool = s->pool;
    t->capacity = options->queue_capacity;
    t->uses = s->scratch.uses;
    t->node_count = LT_LANES * a->spheres.tree->block_count;
}

/* The trees point to the sides, so these must be where they stay. */
static void begin_traverse(pair_search *p) {
    p->traverse.a = lt_sphere_side_tree(&p->sides[0]);
    p->traverse.b = p->traverse.self ? p->traverse.a : lt_sphere_side_tree(&p->sides[1]);
    float bound = lt_sphere_now(&p->sides[0].collider->spheres, LT_NOW_OWN_ERROR, 0);
    if (p->sides[1].collider) bound += lt_sphere_now(&p->sides[1].collider->spheres, LT_NOW_OWN_ERROR, 0);
    lt_traverse_begin(&p->traverse, bound);
}

/* ---- its answer ---- */

typedef struct answer {
    lt_front front;
    uint64_t reserved; /* units */
    bool given;
} answer;

static lt_piece peek_answer(const void *state) {
    const answer *a = state;
    const lt_traverse *t = a->front.traverse;
    return (lt_piece){LT_WORK_FRONT, a->given ? 0 : LT_FRONT_UNITS * (1 + t->queued_count + t->found_count),
                      0};
}

static uint32_t give_answer(void *state, uint32_t grant) {
    (void)grant; /* it was set aside */
    answer *a = state;
    a->given = true;
    uint32_t cost = LT_FRONT_UNITS + lt_front_respond(&a->front);
    LT_ASSERT(cost <= a->reserved);
    return cost;
}

static lt_front front_of(search *s, pair_search *p, const lt_pair *pair, uint32_t index) {
    held_range held = s->held[index];
    return (lt_front){.traverse = &p->traverse,
                      .pair = *pair,
                      .colliders = s->step->colliders,
                      .obstacles = s->step->obstacles,
                      .margin = p->traverse.margin,
                      .detail = detail_of(s, pair),
                      .held = s->method->memory.contacts.records + held.begin,
                      .held_count = p->held_count,
                      .scratch = &s->scratch,
                      .harvest = &s->harvest,
                      .log = s->step->used};
}

static lt_front respond_to_front(search *s, pair_search *p, const lt_pair *pair, uint32_t index) {
    answer a = {.front = front_of(s, p, pair, index), .reserved = p->front_reserved};
    uint64_t most = (uint64_t)p->contacts_reserved + p->held_count;
    lt_spend_fully(s->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&a, peek_answer, give_answer});
    LT_ASSERT(a.front.contacts <= most);
    if (s->method->options.mode == LT_MODE_PAPER && pair->kind == LT_PAIR_BODIES)
        lt_averaging_add(&s->averaging, &p->traverse, pair, s->step->colliders);
    return a.front;
}

/* The contacts from before stay, and so does what was set aside for them. */
static void leave_held(search *s, uint32_t index) {
    s->tested[index] = (lt_tested){0, 0};
    expect_contacts(s, s->held[index].count, 0);
}

/* What was set aside for held contacts gives way to what the answer needs. */
static void settle_reserve(search *s, const pair_search *p, uint32_t index, const lt_front *front) {
    lt_meter *meter = s->step->meter;
    lt_give_back(meter, LT_WORK_FRONT, p->front_reserved);
    lt_give_back(meter, LT_WORK_KEEP, LT_LISTING_UNITS * (uint64_t)p->records_reserved);
    lt_reserve_work(meter, LT_WORK_KEEP, LT_LISTING_UNITS * front->contacts);
    expect_contacts(s, front->contacts, (uint64_t)p->contacts_reserved + s->held[index].count);
}

static void report_front(search *s, const pair_search *p, const lt_front *front) {
    lt_report *report = s->step->report;
    report->tested += p->traverse.tested;
    s->pending += p->traverse.queued_count;
    report->level = lt_max_u64(report->level, front->deepest_level);
    report->gap_error = lt_max_d(report->gap_error, (double)front->gap_error);
    if (p->traverse.full) report->problems |= LT_PROBLEM_QUEUE_CAPACITY;
}

/* ---- containment ---- */

static bool holds_box(lt_box outer, lt_box inner) {
    return lt_box_contains(outer, inner.lo) && lt_box_contains(outer, inner.hi);
}

static lt_piece peek_refresh(const void *state) {
    return lt_refresh_peek(state);
}

static uint32_t step_refresh(void *state, uint32_t grant) {
    (void)grant; /* one piece at a time */
    lt_refresh *refresh = state;
    uint32_t cost = lt_refresh_peek(refresh).cost;
    lt_refresh_step(refresh);
    return cost;
}

/* One point of every connected part of `inner` against the tets of `outer`: how many are inside. */
static uint32_t find_contained(search *s, const lt_pair *pair, uint32_t inner_index, uint32_t outer_index,
                               uint32_t feature) {
    lt_collider *inner = &s->step->colliders[inner_index], *outer = &s->step->colliders[outer_index];
    if (!holds_box(outer->box, inner->box)) return 0;
    const lt_embed_kernels *kernels = lt_embed_kernels_for(s->step->level);
    lt_refresh r = {.collider = outer, .kernels = kernels};
    if (!lt_spend(s->step->meter, LT_STAGE_EMBED, (lt_cursor){&r, peek_refresh, step_refresh})) {
        s->pending++;
        return 0;
    }
    uint32_t found = 0;
    const lt_sphere_tree *tree = inner->spheres.tree;
    lt_point_query query = {inner, outer, inner_index, lt_bound_kernels_for(s->step->level)};
    for (uint32_t i = 0; i < tree->component_count; i++) {
        uint32_t point = tree->components[i];
        lt_touch touch;
        lt_embed_positions(kernels, inner->points, inner->skin, inner->soft->nodes, point, point + 1);
        if (!lt_point_query_test(&query, point, &touch) || !(touch.depth > 0)) continue;
        touch.area = lt_ball(tree, LT_BALL_AREA, 0) * inner->spheres.scale * inner->spheres.scale;
        lt_harvest_add(&s->harvest, pair, feature + i, &touch);
        expect_contacts(s, 1, 0);
        lt_reserve_work(s->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS);
        found++;
    }
    return found;
}

/* Features beyond the spheres of a: parts of a inside b, then parts of b inside a. */
static uint32_t find_containment(search *s, const lt_pair *pair) {
    const lt_sphere_tree *a = s->step->colliders[pair->a].spheres.tree;
    uint32_t feature = LT_LANES * a->block_count;
    uint32_t found = find_contained(s, pair, pair->a, pair->b, feature); /* first: both spend */
    return found + find_contained(s, pair, pair->b, pair->a, feature + a->component_count);
}

/* ---- all pairs ---- */

static bool has_search(const search *s, const lt_pair *pair) {
    if (pair->kind != LT_PAIR_SELF) return true;
    return s->method->options.mode == LT_MODE_SAFE &&
           s->step->colliders[pair->a].spheres.tree->mask_words > 0;
}

/* Lets the traversal use what is kept, and keep more; true when there was something. */
static bool use_front(search *s, pair_search *p, uint32_t index) {
    lt_front_cache *cache = &s->method->memory.cache;
    bool bodies = s->method->memory.pairs.pairs[index].kind == LT_PAIR_BODIES;
    if (!keeps_fronts(s->method) || !bodies || !lt_front_cache_opens(cache, index)) return false;
    p->traverse.memory =
        (lt_front_memory){cache, &cache->fronts[index], lt_spheres_gap, lt_spheres_bounds, s->records};
    return cache->fronts[index].root != LT_NONE;
}

/* Whatever answers with its roots may keep what it holds. */
static void reserve_held(search *s) {
    if (s->round > 1) return;
    for (uint32_t i = 0; i < s->method->memory.pairs.count; i++) {
        lt_reserve_work(s->step->meter, LT_WORK_FRONT, LT_FRONT_CONTACT_UNITS * (uint64_t)s->held[i].count);
        lt_reserve_work(s->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS * (uint64_t)s->held[i].count);
    }
}

static void give_back_held(search *s, uint32_t index) {
    if (s->round > 1) return;
    lt_give_back(s->step->meter, LT_WORK_FRONT, LT_FRONT_CONTACT_UNITS * (uint64_t)s->held[index].count);
    lt_give_back(s->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS * (uint64_t)s->held[index].count);
}

/* A turn begins. */
static void open_turn(search *s, uint32_t index) {
    lt_pair *pair = &s->method->memory.pairs.pairs[index];
    give_back_held(s, index);
    s->tested[index] = (lt_tested){0, UINT32_MAX};
    s->served++;
    pair->next = 1;
    pair->left = wait_of(&s->method->memory.pairs.turns[index]);
}

/* Contacts with an obstacle are measured anew in every step, wherever they were found. A front that was cut knows of two
 * places that must not come nearer; if it took the place of contacts that carry, the body would sink a little with every
 * turn. */
static bool stands_on_held(const search *s, uint32_t index) {
    const lt_pair_list *pairs = &s->method->memory.pairs;
    return pairs->pairs[index].kind == LT_PAIR_OBSTACLE && s->held[index].count > 0 &&
           pairs->turns[index].age <= LONGEST_WAIT;
}

/* Traverses as far as the budget and `units` go and answers; false when the budget ended. */
static bool serve_pair(search *s, uint32_t index, uint64_t units) {
    const lt_pair *pair = &s->method->memory.pairs.pairs[index];
    open_turn(s, index);
    if (!has_search(s, pair)) return true;
    pair_search p;
    begin_pair(&p, s, index);
    bool was_kept = use_front(s, &p, index);
    p.units = units;
    begin_traverse(&p);
    set_aside(&p);
    lt_stage stage = pair->kind == LT_PAIR_OBSTACLE ? LT_STAGE_OBSTACLES : LT_STAGE_DETECT;
    bool more = lt_spend(s->step->meter, stage, (lt_cursor){&p, peek_pair, step_pair});
    /* From within, spheres of the surface push the wrong way: what is inside is answered by its depth alone. */
    bool decided = more && p.traverse.queued_count == 0 && pair->kind == LT_PAIR_BODIES &&
                   s->method->options.mode == LT_MODE_SAFE;
    lt_front front = {0};
    if (p.traverse.queued_count > 0 && stands_on_held(s, index))
        leave_held(s, index);
    else if (!decided || find_containment(s, pair) == 0)
        front = respond_to_front(s, &p, pair, index);
    settle_reserve(s, &p, index, &front);
    report_front(s, &p, &front);
    if (was_kept) lt_front_cache_judge(&s->method->memory.cache, index, &p.traverse);
    return more;
}

/* A turn for which nothing was left: the front is the two roots. */
typedef struct root_answer {
    search *search;
    uint32_t index;
    bool given;
} root_answer;

static lt_piece peek_root(const void *state) {
    return (lt_piece){LT_WORK_ROOT, ((const root_answer *)state)->given ? 0 : 2 * LT_FRONT_UNITS, 0};
}

static uint32_t give_root(void *state, uint32_t grant) {
    (void)grant; /* it was set aside */
    root_answer *r = state;
    search *s = r->search;
    const lt_pair *pair = &s->method->memory.pairs.pairs[r->index];
    pair_search p;
    begin_pair(&p, s, r->index);
    begin_traverse(&p);
    lt_front front = front_of(s, &p, pair, r->index);
    uint32_t cost = LT_FRONT_UNITS + lt_front_respond(&front);
    settle_reserve(s, &p, r->index, &front);
    report_front(s, &p, &front);
    r->given = true;
    return cost;
}

static void answer_with_roots(search *s, uint32_t index) {
    const lt_pair *pair = &s->method->memory.pairs.pairs[index];
    open_turn(s, index);
    if (!has_search(s, pair) || pair->kind == LT_PAIR_SELF) return;
    root_answer root = {s, index, false};
    lt_spend_fully(s->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&root, peek_root, give_root});
}

/* What answers with the roots take at most, each with `contacts` that it may make. */
static void reserve_roots(search *s, uint64_t count, uint32_t contacts) {
    lt_meter *meter = s->step->meter;
    lt_reserve_work(meter, LT_WORK_ROOT, (2 * LT_FRONT_UNITS + LT_FRONT_CONTACT_UNITS * contacts) * count);
    lt_reserve_work(meter, LT_WORK_KEEP, LT_LISTING_UNITS * contacts * count);
    expect_contacts(s, contacts * count, 0);
}

static void give_back_root(search *s, uint32_t contacts) {
    lt_meter *meter = s->step->meter;
    lt_give_back(meter, LT_WORK_ROOT, 2 * LT_FRONT_UNITS + LT_FRONT_CONTACT_UNITS * contacts);
    lt_give_back(meter, LT_WORK_KEEP, LT_LISTING_UNITS * contacts);
    expect_contacts(s, 0, contacts);
}

/* Everything that scales with the budget follows from how many contacts it can answer: contacts a pair may have on average,
 * and the level of spheres that gives no more; in how many steps all pairs have their turns, and how long these are. An
 * answer with the roots takes as long as several contacts, so that turns in any case are not more than a tenth of these. */
enum { TURN_SHARE = 10, URGENT_SHARE = 20, LEAST_TURNS = 8 };

static void choose_limits(search *s) {
    enum { LEAST_CONTACTS = 16, UNITS_A_TURN = 1600, SEARCH_UNITS_A_CONTACT = 20 };
    uint32_t pairs = lt_max_u32(1, s->method->memory.pairs.count);
    s->contact_limit = lt_meter_limit(s->step->meter, LT_CONTACT_UNITS, LEAST_CONTACTS);
    uint32_t quota = s->contact_limit / pairs;
    s->detail = quota >= 64 ? LT_SPHERE_LEVELS_MAX : quota >= 16 ? 2 : quota >= 3 ? 1 : 0;
    s->round = 1;
    if (s->contact_limit == UINT32_MAX) return;
    uint64_t budget = 5 * LT_CONTACT_UNITS / 2 * (uint64_t)s->contact_limit;
    uint64_t by_units = 1 + (uint64_t)UNITS_A_TURN * pairs / budget;
    uint64_t by_turns = (uint64_t)TURN_SHARE * pairs / s->contact_limit;
    uint64_t by_pairs = (pairs + LEAST_TURNS - 1) / LEAST_TURNS; /* a few have their turns in every step */
    s->round = (uint32_t)lt_min_u64(by_pairs, lt_max_u64(by_units, by_turns));
    s->search_units = (uint64_t)SEARCH_UNITS_A_CONTACT * s->contact_limit;
}

/* The contacts that are held, of every pair. */
static void find_held(search *s) {
    const lt_pair_list *pairs = &s->method->memory.pairs;
    const lt_contact_list *contacts = &s->method->memory.contacts;
    memset(s->tested, 0, pairs->count * sizeof *s->tested);
    memset(s->held, 0, pairs->count * sizeof *s->held);
    uint32_t i = 0;
    for (uint32_t at = 0; at < contacts->count; at++) {
        const lt_contact_record *r = &contacts->records[at];
        while (i < pairs->count && lt_pair_comes_before(&pairs->pairs[i], r))
            i++;
        if (i == pairs->count) break;
        if (!lt_contact_is_of_pair(r, &pairs->pairs[i])) continue;
        if (s->held[i].count++ == 0) s->held[i].begin = at;
    }
}

/* Nothing is held, and what was found out is no longer good. In a pair of this method `next` says whether it ever had a turn,
 * `left` for how many steps what was found then is good. */
static bool is_urgent(const void *context, uint32_t index) {
    const search *s = context;
    const lt_pair *pair = &s->method->memory.pairs.pairs[index];
    const lt_turn *turn = &s->method->memory.pairs.turns[index];
    return s->held[index].count == 0 && (!pair->next || turn->age > pair->left);
}

static float harm_of(const void *context, uint32_t index) {
    const search *s = context;
    return lt_pair_harm(s->step, &s->method->memory.pairs.pairs[index]);
}

/* Units of one turn of bodies: twice the mean of what is left for this step's, since many pairs are soon decided. */
static uint64_t units_of_turn(const search *s, uint32_t least, uint32_t served) {
    if (s->round == 1) return LT_UNLIMITED;
    uint64_t spent = lt_min_u64(s->step->meter->spent.units[LT_STAGE_DETECT], s->search_units);
    uint32_t left = lt_max_u32(1, served < least ? least - served : least);
    return 2 * (s->search_units - spent) / left + LT_LANES;
}

enum { WITH_OBSTACLES, WITH_BODIES };

static void sort_kinds(search *s) {
    const lt_pair_list *pairs = &s->method->memory.pairs;
    for (uint32_t i = 0; i < pairs->count; i++) {
        int kind = pairs->pairs[i].kind == LT_PAIR_OBSTACLE ? WITH_OBSTACLES : WITH_BODIES;
        s->members[kind][s->member_counts[kind]++] = i;
    }
}

/* Turns of one kind of pairs: some in any case, more of them while the budget lasts. Of bodies these are this step's part of
 * the round; at obstacles, where what is held is measured anew in every step, only what is urgent. */
static void serve_kind(search *s, int kind) {
    lt_pair_list *pairs = &s->method->memory.pairs;
    bool obstacles = kind == WITH_OBSTACLES;
    uint32_t count = s->member_counts[kind], part = (count + s->round - 1) / s->round, served = 0;
    lt_scheduler scheduler;
    lt_rounds rounds = {.window = s->round == 1 ? UINT32_MAX : 2 * part,
                        .members = s->members[kind],
                        .member_count = count,
                        .is_urgent = obstacles ? is_urgent : NULL,
                        .harm = harm_of,
                        .context = s};
    lt_scheduler_begin_rounds(&scheduler, pairs->turns, s->heap, pairs->count, &rounds);
    uint32_t urgent =
        lt_min_u32(lt_max_u32(LEAST_TURNS / 2, s->contact_limit / URGENT_SHARE), scheduler.urgent_count);
    uint32_t least = lt_min_u32(count, (obstacles ? 0 : part) + urgent);
    const lt_pair any = {.kind = obstacles ? LT_PAIR_OBSTACLE : LT_PAIR_BODIES};
    uint32_t root_contacts = lt_box_contacts(&any, detail_of(s, &any));
    reserve_roots(s, least, root_contacts);
    bool more = true;
    for (uint32_t i = lt_scheduler_next(&scheduler); i != LT_NONE && (more || served < least);
         i = lt_scheduler_next(&scheduler)) {
        if (served < least) give_back_root(s, root_contacts);
        if (more)
            more = serve_pair(s, i, obstacles ? LT_UNLIMITED : units_of_turn(s, least, served));
        else
            answer_with_roots(s, i);
        lt_scheduler_done(&scheduler);
        served++;
    }
}

/* Obstacles first, within half of the budget: they cost little, and a body that falls through the floor is lost. Then
 * bodies. Each kind has its turn once: cuts could not tell two apart. */
static void search_pairs(search *s) {
    lt_pair_list *pairs = &s->method->memory.pairs;
    choose_limits(s);
    expect_contacts(s, 0, 0);
    lt_reserve_work(s->step->meter, LT_WORK_KEEP, lt_stage_contacts_units(pairs->count, 0));
    find_held(s);
    sort_kinds(s);
    reserve_held(s);
    lt_share whole = lt_meter_begin_share(s->step->meter, 0.5);
    serve_kind(s, WITH_OBSTACLES);
    lt_meter_end_share(s->step->meter, whole);
    serve_kind(s, WITH_BODIES);
    lt_scheduler_end(pairs->turns, pairs->count);
    s->step->report->pending += s->pending + pairs->count - s->served;
}

/* ---- the hooks ---- */

static bool take_search(search *s, sphere_tree *m, lt_method_step *step, lt_contact_scratch *merging) {
    uint32_t contacts = m->memory.contacts.capacity, pairs = m->memory.pairs.capacity;
    *s = (search){
        .method = m,
        .step = step,
        .harvest = {.records = LT_TAKE(step->arena, contacts, lt_contact_record), .capacity = contacts},
        .tested = LT_TAKE(step->arena, pairs, lt_tested),
        .held = LT_TAKE(step->arena, pairs, held_range),
        .heap = LT_TAKE(step->arena, pairs, uint32_t),
        .members = {LT_TAKE(step->arena, pairs, uint32_t), LT_TAKE(step->arena, pairs, uint32_t)},
        .pool = LT_TAKE(step->arena, m->options.queue_capacity, lt_front_pair),
        .records = LT_TAKE(step->arena, keeps_fronts(m) ? m->options.queue_capacity : 1, uint32_t)};
    m->penalty.couplings = LT_TAKE(step->arena, (size_t)contacts + step->extra_capacity, lt_coupling);
    m->penalty.contact_of = LT_TAKE(step->arena, contacts, uint32_t);
    return s->harvest.records && s->tested && s->held && s->heap && s->members[0] && s->members[1] &&
           s->pool && s->records && lt_contact_scratch_take(merging, contacts, step->arena) &&
           m->penalty.couplings && m->penalty.contact_of &&
           lt_front_scratch_take(&s->scratch, step->colliders, step->collider_count,
                                 m->options.queue_capacity, step->arena) &&
           (m->options.mode != LT_MODE_PAPER ||
            lt_averaging_take(&s->averaging, step->colliders, step->collider_count, step->dt, step->arena));
}

static void before_motion(void *state, lt_method_step *step) {
    sphere_tree *m = state;
    m->penalty = (lt_penalty){.obstacles_only = m->options.mode == LT_MODE_PAPER};
    search s;
    lt_contact_scratch merging;
    if (!take_search(&s, m, step, &merging)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        return;
    }
    s.contacts = s.reserved = lt_stage_reserve(&m->memory, step);
    lt_stage_boxes(step);
    lt_stage_pairs(&m->memory, step);
    begin_fronts(m, step);
    search_pairs(&s);
    lt_stage_contacts(&m->memory, &s.harvest, s.tested, s.contact_limit, &merging, step);
    lt_stage_respond(&m->memory, &m->penalty, step);
    if (m->options.mode == LT_MODE_PAPER)
        step->report->imbalance = lt_averaging_hand_over(&s.averaging, step->softs, step->colliders);
}

static void after_motion(void *state, lt_method_step *step) {
    sphere_tree *m = state;
    end_fronts(m, step);
    lt_stage_collect(&m->memory, &m->penalty, step);
    m->penalty = (lt_penalty){0};
}

/* ---- verbs ---- */

/* A feature is a sphere of the first body, or a connected part that is inside the other body. */
static bool feature_is_sound(const lt_method_step *world, const lt_contact_record *c) {
    const lt_sphere_tree *a = world->colliders[c->a].spheres.tree;
    uint32_t nodes = LT_LANES * a->block_count;
    if (c->kind != LT_PAIR_BODIES) return c->feature < nodes;
    if (c->feature < nodes) return c->touch.body == c->a;
    const lt_sphere_tree *b = world->colliders[c->b].spheres.tree;
    return c->touch.point != LT_NONE && c->feature - nodes < a->component_count + b->component_count;
}

static bool pair_is_sound(const lt_method_step *world, const lt_pair *pair) {
    (void)world;
    return pair->next <= 1 && pair->left <= LONGEST_WAIT;
}

static lt_status create(void **state, const lt_method_options *options, const lt_allocator *allocator,
                        lt_error *error) {
    static const lt_memory_rules rules = {feature_is_sound, pair_is_sound};
    lt_status status = lt_memory_create(state, sizeof(sphere_tree), &rules, options, allocator, error);
    if (status != LT_OK) return status;
    sphere_tree *m = *state;
    m->options = *options;
    /* The spheres of mode paper do not hold the surface: how far they are apart proves nothing. */
    uint32_t records = options->mode == LT_MODE_SAFE ? options->front_cache_capacity : 0;
    status = lt_front_cache_create(&m->memory.cache, records, options->pair_capacity, allocator, error);
    if (status == LT_OK) return LT_OK;
    lt_memory_destroy(m);
    *state = NULL;
    return status;
}

static const char *refuse(const lt_collider *collider) {
    const lt_sphere_tree *tree = collider->spheres.tree;
    if (tree && tree->block_count > 1) return NULL;
    if (tree)
        return "its sphere tree is a single sphere, which tells nothing of the surface; bake it with a depth "
               "of 1 or more";
    return "its shape has no sphere tree; bake it with one (lithe bake --spheres, or lt_bake_spheres)";
}

static size_t scratch(const void *state, const lt_collider *colliders, uint32_t collider_count,
                      uint32_t extra_capacity) {
    const sphere_tree *m = state;
    uint32_t queue = m->options.queue_capacity;
    return lt_memory_scratch(state, colliders, collider_count, extra_capacity) +
           m->memory.pairs.capacity * (sizeof(held_range) + 2 * sizeof(uint32_t)) +
           queue * (sizeof(lt_front_pair) + sizeof(uint32_t)) + 7 * 64 +
           lt_front_scratch_size(colliders, collider_count, queue) +
           m->memory.cache.front_capacity * sizeof(lt_kept_front) +
           (keeps_fronts(m) ? collider_count * sizeof(lt_body_motion) + 2 * 64 : 0) +
           lt_averaging_scratch(colliders, collider_count);
}

extern const lt_method_verbs lt_method_sphere_tree;
const lt_method_verbs lt_method_sphere_tree = {LT_METHOD_SPHERE_TREE,
                                               create,
                                               lt_memory_destroy,
                                               lt_memory_reserve,
                                               refuse,
                                               scratch,
                                               before_motion,
                                               after_motion,
                                               lt_memory_forget_body,
                                               lt_memory_forget_obstacle,
                                               lt_memory_displace_body,
                                               lt_memory_contacts,
                                               lt_memory_hash,
                                               lt_memory_state_size,
                                               lt_memory_save,
                                               lt_memory_restore};
