/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The validator of a world finds nothing in worlds as steps leave them, and every flaw that is put into one. */

#include "method/memory.h"
#include "world/scenes.h"
#include "world/world.h"

static busy_shapes shapes;

/* A world with some contacts and pairs. */
static busy begin(void) {
    lt_world_def def = test_world_def();
    busy b = make_busy(&def, &shapes);
    for (uint64_t i = 0; i < 20; i++) {
        step_busy(&b, i, lt_budget_unlimited());
        CHECK(lt_validate_world(b.world) == NULL);
    }
    const lt_memory *memory = b.world->method_state;
    CHECK(memory->contacts.count > 2 && memory->pairs.count > 2);
    return b;
}

static void check_flaw(const lt_world *world, const char *word) {
    const char *flaw = lt_validate_world(world);
    CHECK(flaw && strstr(flaw, word));
}

static void finds_contacts_out_of_order(void) {
    busy b = begin();
    lt_contact_list *list = &((lt_memory *)b.world->method_state)->contacts;
    lt_contact_record first = list->records[0];
    list->records[0] = list->records[1];
    check_flaw(b.world, "order");
    list->records[1] = first;
    check_flaw(b.world, "order");
    list->records[1] = list->records[0];
    list->records[0] = first;
    CHECK(lt_validate_world(b.world) == NULL);
    lt_world_destroy(b.world);
}

static void finds_contacts_beyond_the_room(void) {
    busy b = begin();
    lt_contact_list *list = &((lt_memory *)b.world->method_state)->contacts;
    uint32_t capacity = list->capacity;
    list->capacity = list->count - 1;
    check_flaw(b.world, "room");
    list->capacity = capacity;
    lt_world_destroy(b.world);
}

static void finds_contacts_of_another_pair(void) {
    busy b = begin();
    lt_pair_table *pairs = &((lt_memory *)b.world->method_state)->pairs;
    for (uint32_t place = 0; place < pairs->count; place++) {
        lt_pair_slot *slot = lt_pair_slot_at(pairs, place);
        slot->contact_end++;
        check_flaw(b.world, "another pair");
        slot->contact_end--;
        slot->contact_begin++;
        check_flaw(b.world, "another pair");
        slot->contact_begin--;
    }
    CHECK(lt_validate_world(b.world) == NULL);
    lt_world_destroy(b.world);
}

static void finds_a_slot_out_of_place(void) {
    busy b = begin();
    lt_pair_table *pairs = &((lt_memory *)b.world->method_state)->pairs;
    lt_pair_slot_at(pairs, 1)->place = 0;
    check_flaw(b.world, "pair table");
    lt_pair_slot_at(pairs, 1)->place = 1;
    CHECK(lt_validate_world(b.world) == NULL);
    lt_world_destroy(b.world);
}

int main(void) {
    shapes = make_busy_shapes();
    RUN(finds_contacts_out_of_order);
    RUN(finds_contacts_beyond_the_room);
    RUN(finds_contacts_of_another_pair);
    RUN(finds_a_slot_out_of_place);
    drop_busy_shapes(&shapes);
    return check_finish();
}
