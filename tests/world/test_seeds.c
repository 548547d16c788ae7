/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Thirty-one violations of preconditions and invariants, one at a time, each in a process of its own: an assert or a validator has to
 * stop it. The same calls without the violation have to come to their end, or nothing would be shown.
 *
 * Seeds of worlds are put between two steps, as a stray write would, and found by what every step of a test build ends with. */

#include "core/heap.h"
#include "core/scheduler.h"
#include "core/stream.h"
#include "core/tasks.h"
#include "core/union_find.h"
#include "method/memory.h"
#include "world/scenes.h"
#include "world/world.h"

#include <sys/wait.h>
#include <unistd.h>

enum { CAUGHT = 42, ENDED = 0 };

static void catch_flaw(const char *condition, const char *file, int line) {
    printf("    %s:%d: %s\n", file, line, condition);
    fflush(stdout);
    _exit(CAUGHT);
}

/* ---- memory ---- */

static void more_items_than_an_array_has(bool seeded) {
    lt_array array = LT_ARRAY_OF(NULL, uint32_t);
    uint32_t item = 1;
    lt_array_push(&array, &item);
    if (seeded) array.count = array.capacity + 1;
    lt_array_push(&array, &item);
}

static void more_used_of_an_arena_than_there_is(bool seeded) {
    lt_arena arena = {0};
    lt_arena_reserve(&arena, NULL, 256);
    if (seeded) arena.used = 512;
    LT_TAKE(&arena, 1, uint32_t);
}

static void an_arena_wound_forward(bool seeded) {
    lt_arena arena = {0};
    lt_arena_reserve(&arena, NULL, 256);
    LT_TAKE(&arena, 1, uint32_t);
    size_t mark = lt_arena_mark(&arena);
    if (seeded) lt_arena_reset(&arena);
    lt_arena_rewind(&arena, mark);
}

static void an_arena_that_grows_in_use(bool seeded) {
    lt_arena arena = {0};
    lt_arena_reserve(&arena, NULL, 256);
    if (seeded) LT_TAKE(&arena, 1, uint32_t);
    lt_arena_reserve(&arena, NULL, 512);
}

/* ---- ids, heaps, sets, turns, loops ---- */

static void a_slot_given_back_twice(bool seeded) {
    lt_slots slots;
    lt_slots_init(&slots, NULL);
    uint32_t slot = lt_slots_take(&slots);
    lt_slots_give_back(&slots, slot);
    if (seeded) lt_slots_give_back(&slots, slot);
}

static void an_id_beyond_the_last(bool seeded) {
    lt_slots slots;
    lt_slots_init(&slots, NULL);
    lt_slots_take(&slots);
    lt_slots_generation(&slots, seeded);
}

static bool is_greater(const uint32_t *x, const uint32_t *y) {
    return *x > *y;
}
LT_HEAP(numbers, uint32_t, is_greater)

static void one_more_taken_from_a_heap_than_put(bool seeded) {
    uint32_t items[4], count = 0, item = 7;
    numbers_push(items, &count, &item);
    if (seeded) numbers_drop(items, &count);
    numbers_drop(items, &count);
}

static void sets_in_a_ring(bool seeded) {
    uint32_t root[3] = {0, 1, 2};
    lt_sets_join(root, 0, 1);
    if (seeded) root[0] = 1;
    lt_sets_find(root, 0);
}

static void a_turn_ended_that_nobody_has(bool seeded) {
    lt_turn turn = {0};
    uint32_t heap[1];
    lt_scheduler scheduler;
    lt_scheduler_begin(&scheduler, (lt_turns){&turn, NULL, !seeded}, heap);
    lt_scheduler_done(&scheduler);
}

static void do_nothing(void *context, uint32_t begin, uint32_t end, uint32_t chunk) {
    (void)context, (void)begin, (void)end, (void)chunk;
}

static void a_loop_in_chunks_of_nothing(bool seeded) {
    lt_tasks_for(NULL, 8, seeded ? 0 : 4, do_nothing, NULL);
}

static void hashing_resumed_that_was_not_stopped(bool seeded) {
    lt_stream stream = lt_stream_hash(1);
    if (!seeded) lt_stream_begin_unhashed(&stream);
    lt_stream_end_unhashed(&stream);
}

/* ---- budgets ---- */

typedef struct work {
    lt_meter *meter;
    uint32_t left, cost, reserve;
} work;

static lt_piece peek_work(const void *state) {
    const work *w = state;
    return (lt_piece){LT_WORK_TRAVERSE, w->left ? 10 : 0, 5};
}

static uint32_t step_work(void *state, uint32_t grant) {
    work *w = state;
    (void)grant;
    w->left--;
    lt_reserve(w->meter, w->reserve);
    return w->cost;
}

/* A piece that may cost 10 and set 5 aside, of 15 that there are. */
static void spend(uint32_t cost, uint32_t reserve) {
    lt_meter meter;
    lt_budget budget = lt_budget_collision_units(15);
    work w = {&meter, 1, cost, reserve};
    lt_meter_init(&meter, (lt_clock){0});
    lt_meter_begin(&meter, &budget, LT_UNLIMITED);
    lt_spend(&meter, LT_STAGE_DETECT, (lt_cursor){&w, peek_work, step_work});
}

static void spending_past_the_grant(bool seeded) {
    spend(seeded ? 11 : 10, 0);
}
static void answers_beyond_what_was_announced(bool seeded) {
    spend(10, seeded ? 6 : 5);
}
static void work_that_costs_nothing(bool seeded) {
    spend(!seeded, 0);
}

static void more_given_back_than_set_aside(bool seeded) {
    lt_meter meter;
    lt_meter_init(&meter, (lt_clock){0});
    lt_reserve(&meter, 5);
    lt_give_back(&meter, LT_WORK_RESPOND, seeded ? 6 : 5);
}

/* ---- surfaces, fronts, contacts ---- */

static void a_triangle_beyond_the_last(bool seeded) {
    lt_surface surface;
    lt_surface_allocate(&surface, 3, 1, NULL, NULL);
    lt_triangle_at(&surface, seeded);
}

static void a_front_that_lost_a_pair(bool seeded) {
    lt_front_pair pool[4];
    lt_traverse t = {.pool = pool, .capacity = 4, .free = LT_NONE};
    for (int i = 0; i < LT_BUCKETS; i++)
        t.heads[i] = LT_NONE;
    if (seeded) t.queued_count = t.used = 1;
    LT_VALIDATE(lt_validate_traverse(&t));
}

static void add_contact(float depth, uint32_t count) {
    lt_contact_record records[2];
    lt_contact_harvest harvest = {records, count, 2, 0};
    lt_pair pair = {.a = 0, .b = 1, .kind = LT_PAIR_BODIES};
    lt_touch touch = {.normal = {0, 1, 0}, .depth = depth};
    lt_harvest_add(&harvest, &pair, 0, &touch);
}

static void a_depth_that_is_no_number(bool seeded) {
    add_contact(seeded ? NAN : 0.01f, 0);
}
static void more_contacts_than_a_step_has_room_for(bool seeded) {
    add_contact(0.01f, seeded ? 3 : 0);
}

/* ---- worlds ---- */

static busy_shapes shapes;

static busy begin(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    for (uint64_t i = 0; i < 20; i++)
        step_busy(&b, i, lt_budget_unlimited());
    return b;
}

/* The last act of a step. */
static void look(const busy *b) {
    LT_VALIDATE(lt_validate_world(b->world));
}

static void a_velocity_that_is_no_number(bool seeded) {
    busy b = begin();
    if (seeded) lt_soft_at(b.world, 1)->v[5] = (lt_real)NAN;
    look(&b);
}

static void a_node_beyond_the_last(bool seeded) {
    busy b = begin();
    const lt_soft *soft = lt_soft_at(b.world, 1);
    lt_soft_inverse_mass(soft, soft->carrier.node_count - !seeded);
}

static void a_pin_that_was_not_counted(bool seeded) {
    busy b = begin();
    if (seeded) lt_soft_at(b.world, 1)->pinned[0] ^= 1;
    look(&b);
}

static void a_body_that_is_out_of_its_box(bool seeded) {
    busy b = begin();
    lt_box *box = &lt_collider_at(b.world, 1)->box;
    if (seeded) box->lo.x = box->hi.x + 1;
    look(&b);
}

static void a_body_that_was_removed_and_collides(bool seeded) {
    busy b = begin();
    lt_world_remove_body(b.world, b.bodies[3]);
    if (seeded) lt_collider_at(b.world, 3)->in_use = true;
    look(&b);
}

static void free_slots_in_a_ring(bool seeded) {
    busy b = begin();
    lt_world_remove_body(b.world, b.bodies[3]);
    lt_slot *slots = b.world->body_slots.slots.items;
    if (seeded) slots[3].next_free = 4;
    look(&b);
}

static void an_obstacle_that_is_sheared(bool seeded) {
    busy b = begin();
    if (seeded) lt_obstacle_record(b.world, 1)->axes[0] = lt_obstacle_record(b.world, 1)->axes[1];
    look(&b);
}

static void a_handle_that_holds_nothing(bool seeded) {
    busy b = begin();
    lt_handle *handle = b.world->handles.items;
    if (seeded) handle->vertex = 1u << 20;
    look(&b);
}

static void contacts_that_changed_places(bool seeded) {
    busy b = begin();
    lt_contact_record *records = ((lt_memory *)b.world->method_state)->contacts.records, first = records[0];
    if (seeded) records[0] = records[1], records[1] = first;
    look(&b);
}

static void a_contact_too_many(bool seeded) {
    busy b = begin();
    lt_contact_list *list = &((lt_memory *)b.world->method_state)->contacts;
    if (seeded) list->capacity = list->count - 1;
    look(&b);
}

static void pairs_that_changed_places(bool seeded) {
    busy b = begin();
    uint32_t *order = ((lt_memory *)b.world->method_state)->pairs.order, first = order[0];
    if (seeded) order[0] = order[1], order[1] = first;
    look(&b);
}

static void units_that_no_stage_has_used(bool seeded) {
    busy b = begin();
    b.world->meter.used_units += seeded;
    look(&b);
}

typedef struct seed {
    const char *name;
    void (*plant)(bool seeded);
} seed;

#define SEED(name)                                                                                           \
    { #name, name }
static const seed seeds[] = {SEED(more_items_than_an_array_has),
                             SEED(more_used_of_an_arena_than_there_is),
                             SEED(an_arena_wound_forward),
                             SEED(an_arena_that_grows_in_use),
                             SEED(a_slot_given_back_twice),
                             SEED(an_id_beyond_the_last),
                             SEED(one_more_taken_from_a_heap_than_put),
                             SEED(sets_in_a_ring),
                             SEED(a_turn_ended_that_nobody_has),
                             SEED(a_loop_in_chunks_of_nothing),
                             SEED(hashing_resumed_that_was_not_stopped),
                             SEED(spending_past_the_grant),
                             SEED(answers_beyond_what_was_announced),
                             SEED(work_that_costs_nothing),
                             SEED(more_given_back_than_set_aside),
                             SEED(a_triangle_beyond_the_last),
                             SEED(a_front_that_lost_a_pair),
                             SEED(a_depth_that_is_no_number),
                             SEED(more_contacts_than_a_step_has_room_for),
                             SEED(a_velocity_that_is_no_number),
                             SEED(a_node_beyond_the_last),
                             SEED(a_pin_that_was_not_counted),
                             SEED(a_body_that_is_out_of_its_box),
                             SEED(a_body_that_was_removed_and_collides),
                             SEED(free_slots_in_a_ring),
                             SEED(an_obstacle_that_is_sheared),
                             SEED(a_handle_that_holds_nothing),
                             SEED(contacts_that_changed_places),
                             SEED(a_contact_too_many),
                             SEED(pairs_that_changed_places),
                             SEED(units_that_no_stage_has_used)};
_Static_assert(LT_COUNT_OF(seeds) >= 30, "thirty are asked for");

/* How a process ends that does it. */
static int outcome_of(const seed *s, bool seeded) {
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        lt_set_assert_handler(catch_flaw);
        s->plant(seeded);
        _exit(ENDED);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

int main(void) {
#if !defined(LITHE_ASSERTS) || !defined(LITHE_VALIDATE)
    printf("asserts and validators are off in this build\n");
    return 77;
#endif
    uint32_t caught = 0;
    shapes = make_busy_shapes();
    for (size_t i = 0; i < LT_COUNT_OF(seeds); i++) {
        int with = outcome_of(&seeds[i], true), without = outcome_of(&seeds[i], false);
        printf("%s: %s\n", seeds[i].name, with == CAUGHT ? "caught" : "MISSED");
        CHECK(with == CAUGHT);
        CHECK(without == ENDED);
        caught += with == CAUGHT;
    }
    printf("%u of %zu seeds caught\n", caught, LT_COUNT_OF(seeds));
    drop_busy_shapes(&shapes);
    return check_finish();
}
