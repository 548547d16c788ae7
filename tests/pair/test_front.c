/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Fronts and their pool under thousands of splits, drops and beginnings: no entry has two places, none is lost, whatever was dropped
 * whole; what is saved comes back; what is damaged is refused; validators find what was planted. */

#include "bound/bound.h"
#include "check.h"

#include "bound/shape_tree_fixture.h"
#include "failing_allocator.h"
#include "pair/front.h"

#include "core/hash.h"

enum { FIRST = 2, FRONTS = 7, CAPACITY = 600, LARGER = 800, MOST_BYTES = 1 << 16 };

static soft_fixture bodies[2];
static lt_shape_tree trees[2];
static lt_front_pool pool;

static const lt_pair pairs[FRONTS] = {
    {0, LT_PAIR_BODIES, 1},   {0, LT_PAIR_OBSTACLE, 0}, {1, LT_PAIR_OBSTACLE, 0}, {0, LT_PAIR_BODIES, 1},
    {0, LT_PAIR_OBSTACLE, 1}, {0, LT_PAIR_BODIES, 1},   {1, LT_PAIR_OBSTACLE, 1}};
static uint32_t roots[FRONTS]; /* 0: there is none */

static lt_front_trees trees_of(const lt_pair *pair) {
    const lt_shape_tree *a = &trees[pair->a];
    if (pair->kind == LT_PAIR_OBSTACLE) return (lt_front_trees){{a, a}, {NULL, NULL}};
    return (lt_front_trees){{a, &trees[pair->b]}, {&trees[pair->b], a}};
}

static void make_trees(void) {
    lt_random random = lt_random_seed(2);
    lt_error error = {0};
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_FATAL(shape_fixture(&bodies[i], 4, &random));
        CHECK_FATAL(lt_shape_tree_create(&trees[i], &bodies[i].carrier, &bodies[i].skin, NULL, &error) ==
                    LT_OK);
    }
}

static void free_trees(void) {
    for (uint32_t i = 0; i < 2; i++) {
        lt_shape_tree_free(&trees[i]);
        fixture_free(&bodies[i]);
    }
}

/* ---- fronts that are split by hand ---- */

/* Entries of all fronts, each with how often it was met. */
static uint32_t seen[LARGER];

static uint32_t see(uint32_t entry) {
    CHECK(entry >= FIRST && entry < pool.used);
    if (entry >= LARGER) return 0;
    CHECK_COUNT(seen[entry]++, 0);
    const lt_entry *e = &pool.entries[entry];
    return lt_entry_is_inner(e) ? 1 + see(e->child) + see(e->child + 1) : 1;
}

static uint32_t live_entries(void) {
    uint32_t count = 0;
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < FRONTS; i++)
        if (roots[i]) count += see(roots[i]) + see(roots[i] + 1);
    return count;
}

/* Walks down a front to an entry that is not inner, or, with luck, stops above. */
static uint32_t random_entry(uint32_t front, bool may_stop, lt_random *random, uint32_t *direction) {
    *direction = pairs[front].kind == LT_PAIR_OBSTACLE ? 0 : lt_random_below(random, 2);
    uint32_t entry = roots[front] + *direction;
    while (lt_entry_is_inner(&pool.entries[entry]) && (!may_stop || lt_random_below(random, 4) > 0))
        entry = pool.entries[entry].child + lt_random_below(random, 2);
    return entry;
}

static uint32_t half(const lt_shape_tree *tree, uint32_t node, uint32_t which) {
    return which ? tree->nodes[node].right : node + 1;
}

/* False: there was no room, or nothing to split. */
static bool split(uint32_t front, lt_random *random) {
    uint32_t direction, entry = random_entry(front, false, random, &direction);
    lt_front_trees t = trees_of(&pairs[front]);
    const lt_shape_tree *skin = t.skin[direction], *solid = t.solid[direction];
    lt_entry parent = pool.entries[entry];
    bool can_skin = skin->nodes[parent.skin].right != 0;
    bool can_solid = solid && solid->nodes[parent.solid].right != 0;
    if (!can_skin && !can_solid) return true;
    bool by_skin = can_skin && (!can_solid || lt_random_below(random, 2));
    uint32_t child = lt_front_take(&pool);
    if (!child) return false;
    for (uint32_t i = 0; i < 2; i++) {
        lt_entry *e = &pool.entries[child + i];
        CHECK(e->child == 0 && e->until == LT_ALWAYS && e->active == LT_NEVER);
        e->skin = by_skin ? half(skin, parent.skin, i) : parent.skin;
        e->solid = by_skin ? parent.solid : half(solid, parent.solid, i);
        e->until = random_d(random, parent.until > 0 ? parent.until : 0, 1);
        e->active = lt_random_below(random, 2) ? LT_NEVER : random_d(random, 0, 1);
        e->nearness = lt_random_range(random, -1, 1);
    }
    pool.entries[entry].child = child;
    return true;
}

/* What inner entries say follows from those below. */
static void renew(uint32_t entry) {
    lt_entry *e = &pool.entries[entry];
    if (!lt_entry_is_inner(e)) return;
    renew(e->child);
    renew(e->child + 1);
    const lt_entry *a = &pool.entries[e->child], *b = a + 1;
    e->until = lt_min_d(a->until, b->until);
    e->active = lt_min_d(a->active, b->active);
}

static void begin_front(uint32_t front) {
    roots[front] = lt_front_begin(&pool, &pairs[front]);
    if (!roots[front]) return;
    for (uint32_t i = 0; i < 2; i++) {
        const lt_entry *e = &pool.entries[roots[front] + i];
        CHECK(e->skin == 0 && e->child == 0 && e->until == LT_ALWAYS);
        CHECK_COUNT(e->solid, pairs[front].kind == LT_PAIR_OBSTACLE ? LT_NONE : 0);
    }
}

static void change(lt_random *random) {
    uint32_t front = lt_random_below(random, FRONTS), what = lt_random_below(random, 240), direction;
    if (!roots[front])
        begin_front(front);
    else if (what < 232)
        split(front, random);
    else if (what < 238)
        lt_front_drop_children(&pool, random_entry(front, true, random, &direction));
    else if (what < 239)
        lt_front_forget(&pool, roots[front], &pairs[front]);
    else {
        lt_front_drop(&pool, roots[front]);
        roots[front] = 0;
    }
    for (uint32_t i = 0; i < 2 && roots[front]; i++)
        renew(roots[front] + i);
    const char *flaw = lt_validate_front(&pool, roots[front]);
    if (flaw) CHECK_FAIL_MESSAGE("%s", flaw);
}

/* All that is not in a front can be taken, by twos, and is no place of another; then it is given back. */
static void check_nothing_is_lost(void) {
    static uint32_t taken[LARGER];
    uint32_t live = live_entries(), count = 0;
    for (uint32_t first = lt_front_take(&pool); first; first = lt_front_take(&pool)) {
        CHECK_FATAL(count < LARGER / 2 && first + 1 < LARGER && first % 2 == 0);
        CHECK(seen[first]++ == 0 && seen[first + 1]++ == 0);
        taken[count++] = first;
    }
    CHECK_COUNT(live + 2 * count, pool.capacity - FIRST);
    CHECK_COUNT(lt_front_take(&pool), 0);
    while (count > 0)
        lt_front_drop(&pool, taken[--count]);
    CHECK_COUNT(live_entries(), live);
}

static void make_pool(uint32_t capacity) {
    pool = (lt_front_pool){0};
    CHECK_FATAL(lt_front_pool_reserve(&pool, capacity, NULL));
    memset(roots, 0, sizeof roots);
}

static void free_pool(void) {
    lt_allocator allocator = lt_allocator_default();
    lt_front_pool_free(&pool, &allocator);
}

static void nothing_is_lost(void) {
    lt_random random = lt_random_seed(3);
    lt_allocator allocator = lt_allocator_default();
    pool = (lt_front_pool){0};
    memset(roots, 0, sizeof roots);
    CHECK_FATAL(lt_front_pool_reserve(&pool, CAPACITY - 1, &allocator));
    CHECK_COUNT(pool.capacity, CAPACITY);
    uint32_t full = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        change(&random);
        CHECK(live_entries() <= pool.capacity - FIRST);
        full += live_entries() + 40 > pool.capacity;
        if (i % 97 == 0) check_nothing_is_lost();
        if (i == 15000) CHECK_FATAL(lt_front_pool_reserve(&pool, LARGER, &allocator));
    }
    CHECK(full > 100); /* the capacity was reached */
    free_pool();
}

/* ---- capacity ---- */

static void a_full_pool_refuses(void) {
    lt_random random = lt_random_seed(4);
    make_pool(20);
    begin_front(0);
    while (split(0, &random)) {
    }
    CHECK_COUNT(live_entries(), pool.capacity - FIRST);
    begin_front(1);
    CHECK_COUNT(roots[1], 0);
    CHECK_COUNT(live_entries(), pool.capacity - FIRST);
    lt_front_forget(&pool, roots[0], &pairs[0]);
    CHECK_COUNT(live_entries(), 2);
    begin_front(1);
    CHECK(roots[1] != 0);
    check_nothing_is_lost();
    free_pool();
}

/* Entries keep their places; where memory is out nothing has changed. */
static void reserving_keeps_entries(void) {
    lt_random random = lt_random_seed(5);
    failing memory = failing_after(1);
    lt_allocator allocator = failing_allocator(&memory);
    pool = (lt_front_pool){0};
    memset(roots, 0, sizeof roots);
    CHECK_FATAL(lt_front_pool_reserve(&pool, 100, &allocator));
    begin_front(0);
    for (uint32_t i = 0; i < 30; i++)
        split(0, &random);
    static lt_entry kept[LARGER];
    memcpy(kept, pool.entries, pool.used * sizeof *kept);
    lt_front_pool before = pool;
    CHECK(!lt_front_pool_reserve(&pool, 200, &allocator));
    CHECK(memcmp(&pool, &before, sizeof pool) == 0);
    CHECK(lt_front_pool_reserve(&pool, 50, &allocator) && pool.capacity == 100);
    memory.allowed = 1;
    CHECK(lt_front_pool_reserve(&pool, 200, &allocator));
    CHECK(pool.capacity == 200 && memcmp(kept, pool.entries, pool.used * sizeof *kept) == 0);
    check_nothing_is_lost();
    lt_front_pool_free(&pool, &allocator);
    CHECK_COUNT(memory.blocks_out, 0);
    CHECK_COUNT(memory.bytes_out, 0);
}

/* ---- as state ---- */

static void visit(lt_stream *s, uint32_t front, uint64_t *count) {
    lt_front_trees t = trees_of(&pairs[front]);
    lt_front_visit(s, &pool, roots[front], &pairs[front], &t, count);
}

static uint64_t hash_of(uint32_t front) {
    uint64_t count = 0;
    lt_stream s = lt_stream_hash(LT_HASH_SEED);
    visit(&s, front, &count);
    return s.hash;
}

static size_t save(uint8_t *bytes, uint32_t front) {
    uint64_t counts[2] = {0, 0};
    lt_stream measure = lt_stream_measure(), s = lt_stream_save(bytes, MOST_BYTES);
    visit(&measure, front, &counts[0]);
    visit(&s, front, &counts[1]);
    CHECK_COUNT(s.used, measure.used);
    CHECK(s.used <= MOST_BYTES);
    return s.used;
}

static bool passes(const uint8_t *bytes, size_t size, uint32_t front) {
    uint64_t count = 0;
    lt_stream check = lt_stream_check(bytes, size, NULL);
    visit(&check, front, &count);
    return lt_stream_passed(&check);
}

static void load(const uint8_t *bytes, size_t size, uint32_t front) {
    uint64_t count = 0;
    lt_stream s = lt_stream_load(bytes, size);
    visit(&s, front, &count);
    CHECK_COUNT(s.used, size);
}

static void make_fronts(lt_random *random) {
    make_pool(CAPACITY);
    for (uint32_t i = 0; i < FRONTS; i++) {
        begin_front(i);
        for (uint32_t k = 0; k < 12; k++)
            split(i, random);
        renew(roots[i]);
        renew(roots[i] + 1);
    }
}

/* Into the same front after it went another way, and into a pool where all places are others. */
static void what_is_saved_comes_back(void) {
    static uint8_t bytes[MOST_BYTES];
    lt_random random = lt_random_seed(6);
    make_fronts(&random);
    uint32_t changed = 0;
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t front = round % FRONTS;
        if (!roots[front]) begin_front(front);
        if (!roots[front]) continue; /* the pool is full */
        uint64_t before = hash_of(front);
        uint32_t live = live_entries();
        size_t size = save(bytes, front);
        CHECK(passes(bytes, size, front) && !passes(bytes, size - 1, front));
        for (uint32_t k = 0; k < 5; k++)
            split(front, &random);
        renew(roots[front]);
        renew(roots[front] + 1);
        if (live_entries() > live) {
            CHECK(hash_of(front) != before);
            changed++;
        }
        load(bytes, size, front);
        CHECK(hash_of(front) == before);
        CHECK_COUNT(live_entries(), live);
        CHECK(lt_validate_front(&pool, roots[front]) == NULL);
        check_nothing_is_lost();
        for (uint32_t k = 0; k < 20; k++)
            change(&random);
    }
    CHECK(changed > 50);
    free_pool();
}

/* A front that does not fit into the pool beside those that were visited before is refused. */
static void what_does_not_fit_is_refused(void) {
    static uint8_t bytes[MOST_BYTES];
    lt_random random = lt_random_seed(7);
    make_fronts(&random);
    size_t size = save(bytes, 0);
    memset(seen, 0, sizeof seen);
    uint64_t own = see(roots[0]) + see(roots[0] + 1);
    for (uint64_t before = 0; before < CAPACITY; before++) {
        uint64_t count = before;
        lt_stream check = lt_stream_check(bytes, size, NULL);
        visit(&check, 0, &count);
        CHECK(lt_stream_passed(&check) == (before + own + FIRST <= CAPACITY));
    }
    free_pool();
}

/* Every entry that has some below is split in halves. */
static bool covers(const lt_front_trees *t, uint32_t entry, uint32_t direction) {
    const lt_entry *e = &pool.entries[entry];
    if (!lt_entry_is_inner(e)) return true;
    for (uint32_t i = 0; i < 2; i++) {
        const lt_entry *c = &pool.entries[e->child + i];
        bool by_skin = c->solid == e->solid && c->skin == half(t->skin[direction], e->skin, i);
        bool by_solid =
            t->solid[direction] && c->skin == e->skin && c->solid == half(t->solid[direction], e->solid, i);
        if (!(by_skin || by_solid) || !covers(t, e->child + i, direction)) return false;
    }
    return true;
}

static bool covers_pair(uint32_t front) {
    lt_front_trees t = trees_of(&pairs[front]);
    const lt_entry *root = &pool.entries[roots[front]];
    bool obstacle = pairs[front].kind == LT_PAIR_OBSTACLE;
    if (root->skin != 0 || root->solid != (obstacle ? LT_NONE : 0)) return false;
    if (!obstacle && (root[1].skin != 0 || root[1].solid != 0 || !covers(&t, roots[front] + 1, 1)))
        return false;
    return covers(&t, roots[front], 0);
}

/* Whatever one word becomes: refused, or a front that a validator passes and that covers its pair. */
static void damaged_fronts_are_sound_or_refused(void) {
    static uint8_t bytes[MOST_BYTES];
    lt_random random = lt_random_seed(8);
    uint32_t refused = 0, taken = 0;
    make_fronts(&random);
    for (uint32_t front = 0; front < 2; front++) {
        size_t size = save(bytes, front);
        for (uint32_t round = 0; round < 4000; round++) {
            size_t at = lt_random_below(&random, (uint32_t)size);
            uint8_t kept = bytes[at];
            bytes[at] ^= (uint8_t)(1u << lt_random_below(&random, 8));
            if (passes(bytes, size, front)) {
                taken++;
                load(bytes, size, front);
                CHECK(lt_validate_front(&pool, roots[front]) == NULL && covers_pair(front));
            } else {
                refused++;
            }
            bytes[at] = kept;
        }
    }
    CHECK(refused > 500 && taken > 500);
    check_nothing_is_lost();
    free_pool();
}

/* ---- the validator ---- */

static void expect_flaw(const char *part) {
    const char *flaw = lt_validate_front(&pool, roots[0]);
    CHECK(flaw != NULL);
    if (flaw) CHECK_CONTAINS(flaw, part);
}

static void validators_find_damage(void) {
    lt_random random = lt_random_seed(9);
    make_fronts(&random);
    CHECK(lt_validate_front(&pool, 0) == NULL && lt_validate_front(&pool, roots[0]) == NULL);
    lt_entry *root = &pool.entries[roots[0]];
    CHECK_FATAL(lt_entry_is_inner(root));
    const lt_entry kept = *root;
    root->until += 2;
    expect_flaw("lasts longer");
    *root = kept;
    root->active = 2 * LT_NEVER;
    expect_flaw("lasts longer");
    *root = kept;
    root->child++;
    expect_flaw("side by side");
    *root = kept;
    root->child = (pool.used + 1) & ~1u;
    CHECK(lt_validate_front(&pool, roots[0]) != NULL);
    *root = kept;
    root->child = roots[0]; /* its own */
    root->until = lt_min_d(root->until, pool.entries[roots[0] + 1].until);
    CHECK(lt_validate_front(&pool, roots[0]) != NULL);
    *root = kept;
    CHECK(lt_validate_front(&pool, roots[0]) == NULL);
    root->child = pool.capacity;
    expect_flaw("in use");
    *root = kept;
    free_pool();
}

int main(void) {
    RUN(make_trees);
    RUN(nothing_is_lost);
    RUN(a_full_pool_refuses);
    RUN(reserving_keeps_entries);
    RUN(what_is_saved_comes_back);
    RUN(what_does_not_fit_is_refused);
    RUN(damaged_fronts_are_sound_or_refused);
    RUN(validators_find_damage);
    RUN(free_trees);
    return check_finish();
}
