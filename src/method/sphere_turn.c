/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The turn of one pair: traversed from the roots, or from what is kept, as far as it goes, and answered with the front that it then
 * has.
 *
 *   set aside ──► refresh ⇄ traverse, piece by piece ──► one inside the other? ──► front to contacts ──► settle
 *       ▲                      │
 *       └── what the front would take as it is now
 *
 * Before a piece starts there is room for the largest answer that it may lead to, so that a turn ends within the budget wherever
 * it is cut. What is held of the pair was set aside before, and gives way to what the answer needs. */

#include "method/sphere_search.h"

/* ---- one pair ---- */

typedef struct pair_search {
    lt_search *search;
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
    return lt_min_u32(lt_max_u32(turn->age, 1), LT_LONGEST_WAIT);
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
void lt_expect_contacts(lt_search *s, uint64_t more, uint64_t less) {
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
    if (contacts != p->contacts_reserved) lt_expect_contacts(p->search, contacts, p->contacts_reserved);
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
    return waits * (a->reach + lt_obstacle_sweep(lt_step_obstacle(step, pair), a->box, step->dt)) +
           1e-3f * (float)a->soft->size;
}

/* Where there is not room for a contact per sphere of the front, contacts of a pair are added up on coarser spheres. Against
 * obstacles at least on the eight of the first level: what stands on one point falls over. */
uint32_t lt_detail_of(const lt_search *s, const lt_pair *pair) {
    bool crowded = s->contact_limit < s->method->memory.pairs.count;
    return pair->kind == LT_PAIR_OBSTACLE && !crowded ? lt_max_u32(1, s->detail) : s->detail;
}

/* Held contacts that a front leaves open live on; in rounds of cut turns only those with obstacles, which are measured anew in
 * every step: others would grow old without bound. */
static bool may_be_kept(const lt_search *s, const lt_pair *pair) {
    return s->round == 1 || pair->kind == LT_PAIR_OBSTACLE;
}

static void begin_pair(pair_search *p, lt_search *s, uint32_t index) {
    const lt_pair *pair = lt_pair_at(&s->method->memory.pairs, index);
    const lt_sphere_kernels *kernels = lt_sphere_kernels_for(s->step->level);
    const lt_method_options *options = &s->method->options;
    bool printed = options->mode == LT_MODE_PAPER, obstacle = pair->kind == LT_PAIR_OBSTACLE;
    lt_collider *a = &s->step->colliders[pair->a], *b = obstacle ? NULL : &s->step->colliders[pair->b];
    float significance = b ? lt_max_f(a->significance, b->significance) : a->significance;
    p->search = s;
    p->sides[0] = (lt_sphere_side){a, NULL, kernels, printed};
    p->sides[1] = (lt_sphere_side){b, obstacle ? lt_step_obstacle(s->step, pair) : NULL, kernels, printed};
    p->front_reserved = 0;
    p->contacts_reserved = p->records_reserved = 0;
    p->held_count = may_be_kept(s, pair) ? lt_held_count(s, index) : 0;
    p->units_a_pair = LT_FRONT_UNITS + (obstacle ? LT_FRONT_POINT_UNITS * a->spheres.tree->most_points : 0);
    p->root_contacts = lt_box_contacts(pair, lt_detail_of(s, pair));
    p->most_sums = most_sums(a->spheres.tree, lt_detail_of(s, pair));
    p->units = LT_UNLIMITED;
    p->spent = 0;
    lt_traverse *t = &p->traverse; /* its state is begun with it */
    t->self = pair->kind == LT_PAIR_SELF;
    t->memory = (lt_front_memory){0};
    t->test = obstacle ? lt_spheres_against_obstacle : lt_spheres_against_spheres;
    t->may_collide = lt_spheres_may_collide;
    t->order = printed ? LT_ORDER_FIFO : options->sphere_tree.order;
    t->margin =
        printed ? 0 : margin_of(s->step, pair, wait_of(lt_pair_turn_at(&s->method->memory.pairs, index)));
    t->tolerance = options->sphere_tree.error_tolerance / lt_max_f(significance, 1e-6f);
    t->pool = s->pool;
    t->capacity = s->step->capacities.sphere_pairs;
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

static lt_front front_of(lt_search *s, pair_search *p, const lt_pair *pair, uint32_t index) {
    uint32_t held = lt_pair_slot_at(&s->method->memory.pairs, index)->contact_begin;
    return (lt_front){.traverse = &p->traverse,
                      .pair = *pair,
                      .colliders = s->step->colliders,
                      .obstacles = s->step->obstacles,
                      .margin = p->traverse.margin,
                      .detail = lt_detail_of(s, pair),
                      .held = s->method->memory.contacts.records + held,
                      .held_count = p->held_count,
                      .scratch = &s->scratch,
                      .harvest = &s->list.harvest,
                      .log = s->step->used};
}

static lt_front respond_to_front(lt_search *s, pair_search *p, const lt_pair *pair, uint32_t index) {
    answer a = {.front = front_of(s, p, pair, index), .reserved = p->front_reserved};
    uint64_t most = (uint64_t)p->contacts_reserved + p->held_count;
    lt_spend_fully(s->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&a, peek_answer, give_answer});
    LT_ASSERT(a.front.contacts <= most);
    if (s->method->options.mode == LT_MODE_PAPER && pair->kind == LT_PAIR_BODIES)
        lt_averaging_add(&s->averaging, &p->traverse, pair, s->step->colliders);
    return a.front;
}

/* The contacts from before stay, and so does what was set aside for them. */
static void leave_held(lt_search *s, uint32_t index) {
    s->list.tested[index] = (lt_tested){.count = 0};
    lt_expect_contacts(s, lt_held_count(s, index), 0);
}

/* What was set aside for held contacts gives way to what the answer needs. */
static void settle_reserve(lt_search *s, const pair_search *p, uint32_t index, const lt_front *front) {
    lt_meter *meter = s->step->meter;
    lt_give_back(meter, LT_WORK_FRONT, p->front_reserved);
    lt_give_back(meter, LT_WORK_KEEP, LT_LISTING_UNITS * (uint64_t)p->records_reserved);
    lt_reserve_work(meter, LT_WORK_KEEP, LT_LISTING_UNITS * front->contacts);
    lt_expect_contacts(s, front->contacts, (uint64_t)p->contacts_reserved + lt_held_count(s, index));
}

static void report_front(lt_search *s, const pair_search *p, const lt_front *front) {
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

/* One point of every connected part of a body against the tets of another. */
typedef struct part_search {
    lt_search *search;
    const lt_pair *pair;
    lt_point_query query;
    const lt_embed_kernels *kernels;
    uint32_t feature; /* of the first part */
    uint32_t next, found;
} part_search;

static uint32_t part_count(const part_search *p) {
    return p->query.points_of->spheres.tree->component_count;
}

static uint32_t next_point(const part_search *p) {
    return p->query.points_of->spheres.tree->components[p->next];
}

/* Brings the next point to where it is now. */
static void place_part(const part_search *p) {
    const lt_collider *inner = p->query.points_of;
    if (p->next == part_count(p)) return;
    lt_embed_positions(p->kernels, inner->points, inner->skin, inner->soft->nodes, next_point(p),
                       next_point(p) + 1);
}

static lt_piece peek_part(const void *state) {
    const part_search *p = state;
    bool done = p->next == part_count(p);
    return (lt_piece){LT_WORK_POINT_TET, done ? 0 : lt_point_query_cost(&p->query, next_point(p)),
                      LT_CONTACT_UNITS};
}

static uint32_t test_part(void *state, uint32_t grant) {
    (void)grant; /* one piece at a time */
    part_search *p = state;
    const lt_spheres *spheres = &p->query.points_of->spheres;
    uint32_t cost = peek_part(p).cost;
    lt_touch touch;
    if (lt_point_query_test(&p->query, next_point(p), &touch) && touch.depth > 0) {
        touch.area = lt_ball(spheres->tree, LT_BALL_AREA, 0) * spheres->scale * spheres->scale;
        lt_harvest_add(&p->search->list.harvest, p->pair, p->feature + p->next, &touch);
        lt_expect_contacts(p->search, 1, 0);
        lt_reserve_work(p->search->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS);
        p->found++;
    }
    p->next++;
    place_part(p);
    return cost;
}

/* How many parts of `inner` are inside `outer`; those that were looked at, when the budget ends. */
static uint32_t find_contained(lt_search *s, const lt_pair *pair, uint32_t inner_index, uint32_t outer_index,
                               uint32_t feature) {
    lt_collider *inner = &s->step->colliders[inner_index], *outer = &s->step->colliders[outer_index];
    if (!holds_box(outer->box, inner->box)) return 0;
    lt_meter *meter = s->step->meter;
    lt_refresh r = {.collider = outer, .kernels = lt_embed_kernels_for(s->step->level)};
    part_search parts = {.search = s,
                         .pair = pair,
                         .query = {inner, outer, inner_index, lt_bound_kernels_for(s->step->level)},
                         .kernels = r.kernels,
                         .feature = feature};
    if (!lt_spend(meter, LT_STAGE_EMBED, (lt_cursor){&r, peek_refresh, step_refresh})) {
        s->pending++;
        return 0;
    }
    place_part(&parts);
    if (!lt_spend(meter, LT_STAGE_EMBED, (lt_cursor){&parts, peek_part, test_part})) s->pending++;
    return parts.found;
}

/* Features beyond the spheres of a: parts of a inside b, then parts of b inside a. */
static uint32_t find_containment(lt_search *s, const lt_pair *pair) {
    const lt_sphere_tree *a = s->step->colliders[pair->a].spheres.tree;
    uint32_t feature = LT_LANES * a->block_count;
    uint32_t found = find_contained(s, pair, pair->a, pair->b, feature); /* first: both spend */
    return found + find_contained(s, pair, pair->b, pair->a, feature + a->component_count);
}

/* ---- turns ---- */

static bool has_search(const lt_search *s, const lt_pair *pair) {
    if (pair->kind != LT_PAIR_SELF) return true;
    return s->method->options.mode == LT_MODE_SAFE &&
           s->step->colliders[pair->a].spheres.tree->mask_words > 0;
}

/* Lets the traversal use what is kept, and keep more; true when there was something. */
static bool use_front(lt_search *s, pair_search *p, uint32_t index) {
    lt_kept_front *front = &lt_sphere_pair_at(s->method, index)->front;
    bool bodies = lt_pair_at(&s->method->memory.pairs, index)->kind == LT_PAIR_BODIES;
    if (!lt_keeps_fronts(s->method) || !bodies || !lt_front_cache_opens(front)) return false;
    p->traverse.memory =
        (lt_front_memory){&s->method->cache, front, lt_spheres_gap, lt_spheres_bounds, s->records};
    return front->root != LT_NONE;
}

/* Whatever answers with its roots may keep what it holds. */
void lt_reserve_held(lt_search *s) {
    if (s->round > 1) return;
    for (uint32_t i = 0; i < s->method->memory.pairs.count; i++) {
        lt_reserve_work(s->step->meter, LT_WORK_FRONT,
                        LT_FRONT_CONTACT_UNITS * (uint64_t)lt_held_count(s, i));
        lt_reserve_work(s->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS * (uint64_t)lt_held_count(s, i));
    }
}

static void give_back_held(lt_search *s, uint32_t index) {
    if (s->round > 1) return;
    lt_give_back(s->step->meter, LT_WORK_FRONT, LT_FRONT_CONTACT_UNITS * (uint64_t)lt_held_count(s, index));
    lt_give_back(s->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS * (uint64_t)lt_held_count(s, index));
}

/* A turn begins. */
static void open_turn(lt_search *s, uint32_t index) {
    lt_sphere_pair *own = lt_sphere_pair_at(s->method, index);
    give_back_held(s, index);
    s->list.tested[index] = (lt_tested){.count = UINT32_MAX};
    s->served++;
    own->had_turn = 1;
    own->wait = wait_of(lt_pair_turn_at(&s->method->memory.pairs, index));
}

/* Contacts with an obstacle are measured anew in every step, wherever they were found. A front that was cut knows of two
 * places that must not come nearer; if it took the place of contacts that carry, the body would sink a little with every
 * turn. That is for crowds, where turns are short and far between: who has several contacts a pair would go on standing on
 * what was found when it was turned another way. */
static bool stands_on_held(const lt_search *s, uint32_t index) {
    const lt_pair_table *pairs = &s->method->memory.pairs;
    return lt_is_crowd(s) && lt_pair_at(pairs, index)->kind == LT_PAIR_OBSTACLE &&
           lt_held_count(s, index) > 0 && lt_pair_turn_at(pairs, index)->age <= LT_LONGEST_WAIT;
}

/* Traverses as far as the budget and `units` go and answers; false when the budget ended. */
bool lt_serve_pair(lt_search *s, uint32_t index, uint64_t units) {
    const lt_pair *pair = lt_pair_at(&s->method->memory.pairs, index);
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
    if (was_kept) lt_front_cache_judge(&s->method->cache, p.traverse.memory.front, &p.traverse);
    return more;
}

/* A turn for which nothing was left: the front is the two roots. */
typedef struct root_answer {
    lt_search *search;
    uint32_t index;
    bool given;
} root_answer;

static lt_piece peek_root(const void *state) {
    return (lt_piece){LT_WORK_ROOT, ((const root_answer *)state)->given ? 0 : 2 * LT_FRONT_UNITS, 0};
}

static uint32_t give_root(void *state, uint32_t grant) {
    (void)grant; /* it was set aside */
    root_answer *r = state;
    lt_search *s = r->search;
    const lt_pair *pair = lt_pair_at(&s->method->memory.pairs, r->index);
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

void lt_answer_with_roots(lt_search *s, uint32_t index) {
    const lt_pair *pair = lt_pair_at(&s->method->memory.pairs, index);
    open_turn(s, index);
    if (!has_search(s, pair) || pair->kind == LT_PAIR_SELF) return;
    root_answer root = {s, index, false};
    lt_spend_fully(s->step->meter, LT_STAGE_CONTACTS, (lt_cursor){&root, peek_root, give_root});
}
