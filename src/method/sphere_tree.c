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

#include "method/draw.h"
#include "method/sphere_search.h"

/* ---- fronts that are kept ---- */

/* Work on all fronts at once, done in any case. */
typedef struct front_work {
    lt_work work;
    uint32_t cost;                                               /* 0: it is done */
    void (*run)(lt_sphere_tree_method *m, lt_method_step *step); /* NULL: it is only charged */
    lt_sphere_tree_method *method;
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
    if (w->run) w->run(w->method, w->step);
    w->cost = 0;
    return cost;
}

static void forget_fronts(lt_sphere_tree_method *m) {
    for (uint32_t i = 0; i < m->memory.pairs.count; i++) {
        lt_kept_front *front = &lt_sphere_pair_at(m, i)->front;
        lt_front_cache_forget(&m->cache, front);
        front->idle = 0;
    }
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

/* Slots keep their fronts. Matching these with a new list of pairs, as before there were slots, is charged still: so budgets cut
 * where they did. After the motion all fronts will be measured. */
static void begin_fronts(lt_sphere_tree_method *m, lt_method_step *step) {
    if (!lt_keeps_fronts(m)) return;
    front_work w = {LT_WORK_BROAD, 1 + m->memory.pairs.count / 2, NULL, m, step};
    lt_spend_fully(step->meter, LT_STAGE_BROAD, (lt_cursor){&w, peek_fronts, work_on_fronts});
    lt_reserve(step->meter, all_motion_cost(step));
}

static void move_fronts(lt_sphere_tree_method *m, lt_method_step *step) {
    lt_body_motion *motions = LT_TAKE(step->arena, step->collider_count, lt_body_motion);
    if (!motions) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        forget_fronts(m);
        return;
    }
    for (uint32_t i = 0; i < step->collider_count; i++)
        if (step->colliders[i].in_use) motions[i] = lt_body_motion_of(&step->colliders[i]);
    for (uint32_t i = 0; i < m->memory.pairs.count; i++) {
        const lt_pair *pair = lt_pair_at(&m->memory.pairs, i);
        if (pair->kind != LT_PAIR_BODIES) continue;
        lt_front_cache_move(&m->cache, &lt_sphere_pair_at(m, i)->front, &motions[pair->a], &motions[pair->b]);
    }
}

static void end_fronts(lt_sphere_tree_method *m, lt_method_step *step) {
    if (!lt_keeps_fronts(m)) return;
    front_work w = {LT_WORK_BOUND, all_motion_cost(step), move_fronts, m, step};
    lt_spend_fully(step->meter, LT_STAGE_RESPOND, (lt_cursor){&w, peek_fronts, work_on_fronts});
}

/* ---- the hooks ---- */

static bool take_search(lt_search *s, lt_sphere_tree_method *m, lt_method_step *step) {
    uint32_t contacts = m->memory.contacts.capacity, pairs = m->memory.pairs.capacity;
    *s = (lt_search){
        .method = m,
        .step = step,
        .heap = LT_TAKE(step->arena, pairs, uint32_t),
        .members = {LT_TAKE(step->arena, pairs, uint32_t), LT_TAKE(step->arena, pairs, uint32_t)},
        .pool = LT_TAKE(step->arena, step->capacities.sphere_pairs, lt_front_pair),
        .records = LT_TAKE(step->arena, lt_keeps_fronts(m) ? step->capacities.sphere_pairs : 1, uint32_t)};
    m->penalty.couplings = LT_TAKE(step->arena, (size_t)contacts + step->capacities.couplings, lt_coupling);
    m->penalty.contact_of = LT_TAKE(step->arena, contacts, uint32_t);
    return lt_listing_take(&s->list, &m->memory, step->arena) && s->heap && s->members[0] && s->members[1] &&
           s->pool && s->records && m->penalty.couplings && m->penalty.contact_of &&
           lt_front_scratch_take(&s->scratch, step->colliders, step->collider_count,
                                 step->capacities.sphere_pairs, step->arena) &&
           (m->options.mode != LT_MODE_PAPER ||
            lt_averaging_take(&s->averaging, step->colliders, step->collider_count, step->dt, step->arena));
}

static void before_motion(void *state, lt_method_step *step) {
    lt_sphere_tree_method *m = state;
    m->penalty = (lt_penalty){.obstacles_only = m->options.mode == LT_MODE_PAPER};
    lt_search s;
    if (!take_search(&s, m, step)) {
        step->report->problems |= LT_PROBLEM_SCRATCH;
        return;
    }
    s.contacts = s.reserved = lt_stage_reserve(&m->memory, step);
    lt_stage_boxes(step);
    lt_stage_pairs(&m->memory, step);
    begin_fronts(m, step);
    lt_search_pairs(&s);
    lt_stage_contacts(&m->memory, &s.list, s.contact_limit, step);
    lt_stage_respond(&m->memory, &m->penalty, step);
    if (m->options.mode == LT_MODE_PAPER)
        step->report->imbalance = lt_averaging_hand_over(&s.averaging, step->softs, step->colliders);
}

static void after_motion(void *state, lt_method_step *step) {
    lt_sphere_tree_method *m = state;
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

static void begin_pair(void *memory, uint32_t slot) {
    lt_sphere_tree_method *m = memory;
    ((lt_sphere_pair *)lt_pair_method_of(&m->memory.pairs, slot))->front = LT_NO_FRONT;
}

static void release_pair(void *memory, uint32_t slot) {
    lt_sphere_tree_method *m = memory;
    lt_sphere_pair *own = lt_pair_method_of(&m->memory.pairs, slot);
    lt_front_cache_forget(&m->cache, &own->front);
}

/* Fronts are hashed behind all turns. */
static void visit_pair(lt_stream *s, const lt_memory_visit *visit, const lt_pair *pair, lt_turn *turn,
                       void *kept) {
    lt_sphere_tree_method *m = (lt_sphere_tree_method *)visit->memory;
    lt_sphere_pair *own = kept;
    lt_memory_visit_turn(s, pair, turn, &own->had_turn, &own->wait, &turn->harm);
    lt_stream_expect(s, own->had_turn <= 1 && own->wait <= LT_LONGEST_WAIT);
    if (lt_stream_hashes(s) || s->failed || !lt_keeps_fronts(m)) return;
    const lt_collider *colliders = visit->world ? visit->world->colliders : NULL;
    lt_front_cache_visit(s, &m->cache, &own->front, pair, colliders, visit->count);
}

static uint64_t hash_state(const void *state, uint64_t hash) {
    const lt_sphere_tree_method *m = state;
    hash = lt_memory_hash(state, hash);
    for (uint32_t i = 0; lt_keeps_fronts(m) && i < m->memory.pairs.count; i++)
        hash = lt_front_cache_hash(&m->cache, &lt_sphere_pair_at(m, i)->front, hash);
    return hash;
}

/* How far it moved is not known. */
static void displace_body(void *state, uint32_t body) {
    lt_sphere_tree_method *m = state;
    for (uint32_t i = 0; i < m->memory.pairs.count; i++)
        if (lt_pair_is_of_body(lt_pair_at(&m->memory.pairs, i), body))
            lt_front_cache_forget(&m->cache, &lt_sphere_pair_at(m, i)->front);
}

static void destroy(void *state) {
    lt_sphere_tree_method *m = state;
    if (m) lt_front_cache_free(&m->cache, &m->memory.allocator);
    lt_memory_destroy(state);
}

static lt_status create(void **state, const lt_method_options *options, const lt_allocator *allocator,
                        lt_error *error) {
    static const lt_memory_rules rules = {feature_is_sound, sizeof(lt_sphere_pair), visit_pair, begin_pair,
                                          release_pair};
    lt_status status = lt_memory_create(state, sizeof(lt_sphere_tree_method), &rules, allocator, error);
    if (status != LT_OK) return status;
    lt_sphere_tree_method *m = *state;
    m->options = *options;
    /* The spheres of mode paper do not hold the surface: how far they are apart proves nothing. */
    uint32_t records = options->mode == LT_MODE_SAFE ? options->sphere_tree.front_cache_capacity : 0;
    status = lt_front_cache_create(&m->cache, records, &m->memory.allocator, error);
    if (status == LT_OK) return LT_OK;
    destroy(m);
    *state = NULL;
    return status;
}

static const char *refuse(const lt_collider *collider) {
    const lt_sphere_tree *tree = collider->spheres.tree;
    if (lt_collider_is_of_cells(collider)) return lt_refuse_cells(collider);
    if (lt_refuse_ladders(collider)) return lt_refuse_ladders(collider);
    if (tree && tree->block_count > 1) return NULL;
    if (tree)
        return "its sphere tree is a single sphere, which tells nothing of the surface; bake it with a depth "
               "of 1 or more";
    return "its shape has no sphere tree; bake it with one (lithe bake --spheres, or lt_bake_spheres)";
}

static size_t scratch(const void *state, const lt_capacities *capacities, const lt_collider *colliders,
                      uint32_t collider_count) {
    const lt_sphere_tree_method *m = state;
    size_t queue = capacities->sphere_pairs;
    return lt_memory_scratch(state, capacities, colliders, collider_count) +
           capacities->pairs * 2 * sizeof(uint32_t) + queue * (sizeof(lt_front_pair) + sizeof(uint32_t)) +
           7 * 64 + lt_front_scratch_size(colliders, collider_count, capacities->sphere_pairs) +
           (lt_keeps_fronts(m) ? collider_count * sizeof(lt_body_motion) + 2 * 64 : 0) +
           lt_averaging_scratch(colliders, collider_count);
}

static void draw_spheres(const void *state, const lt_collider *collider, const lt_debug_draw *draw) {
    (void)state;
    lt_draw_spheres(draw, &collider->spheres);
}

extern const lt_method_verbs lt_method_sphere_tree;
const lt_method_verbs lt_method_sphere_tree = {
    .method = LT_METHOD_SPHERE_TREE,
    .has_paper = true,
    .bounds = LT_BOUNDS_SPHERES,
    .rest = &lt_rest_by_velocities,
    .draw = draw_spheres,
    .create = create,
    .destroy = destroy,
    .reserve = lt_memory_reserve,
    .refuse = refuse,
    .scratch = scratch,
    .before_motion = before_motion,
    .after_motion = after_motion,
    .forget_body = lt_memory_forget_body,
    .forget_obstacle = lt_memory_forget_obstacle,
    .displace_body = displace_body,
    .shift_body = lt_memory_shift_body,
    .contacts = lt_memory_contacts,
    .pairs = lt_memory_pairs,
    .waited = lt_memory_waited,
    .validate = lt_memory_validate,
    .hash = hash_state,
    .state_size = lt_memory_state_size,
    .save = lt_memory_save,
    .restore = lt_memory_restore,
};
