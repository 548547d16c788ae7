/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "pair/front.h"

#include <string.h>

enum {
    FIRST = 2,    /* entries 0 and 1 stand for "none" */
    DEEPEST = 128 /* more than two trees of 2^32 tets have levels */
};

bool lt_front_pool_reserve(lt_front_pool *pool, uint32_t capacity, const lt_allocator *allocator) {
    capacity = lt_max_u32(FIRST, (capacity + 1) & ~1u);
    if (capacity <= pool->capacity) return true;
    lt_entry *entries = LT_ENLARGE(allocator, pool->entries, pool->capacity, capacity, lt_entry);
    if (!entries) return false;
    pool->entries = entries;
    pool->capacity = capacity;
    pool->used = lt_max_u32(pool->used, FIRST);
    return true;
}

void lt_front_pool_free(lt_front_pool *pool, const lt_allocator *allocator) {
    LT_DELETE(allocator, pool->entries, pool->capacity, lt_entry);
    *pool = (lt_front_pool){0};
}

void lt_front_drop(lt_front_pool *pool, uint32_t first) {
    LT_ASSERT(first >= FIRST && first % 2 == 0 && first < pool->used);
    pool->entries[first].skin = pool->free_pair;
    pool->free_pair = first;
}

void lt_front_drop_children(lt_front_pool *pool, uint32_t entry) {
    LT_ASSERT(entry >= FIRST && entry < pool->used);
    lt_entry *e = &pool->entries[entry];
    if (!lt_entry_is_inner(e)) return;
    lt_front_drop(pool, e->child);
    e->child = 0;
}

/* Children of what was dropped whole are dropped when it is taken. */
static uint32_t take_dropped(lt_front_pool *pool) {
    uint32_t first = pool->free_pair;
    pool->free_pair = pool->entries[first].skin;
    lt_front_drop_children(pool, first);
    lt_front_drop_children(pool, first + 1);
    return first;
}

uint32_t lt_front_take(lt_front_pool *pool) {
    uint32_t first = 0;
    if (pool->free_pair)
        first = take_dropped(pool);
    else if (pool->used + 2 <= pool->capacity) {
        first = pool->used;
        pool->used += 2;
    }
    if (first)
        pool->entries[first] = pool->entries[first + 1] = (lt_entry){.until = LT_ALWAYS, .active = LT_NEVER};
    return first;
}

static void set_root(lt_entry *root, const lt_pair *pair) {
    *root = (lt_entry){
        .solid = pair->kind == LT_PAIR_OBSTACLE ? LT_NONE : 0, .until = LT_ALWAYS, .active = LT_NEVER};
}

uint32_t lt_front_begin(lt_front_pool *pool, const lt_pair *pair) {
    uint32_t roots = lt_front_take(pool);
    if (!roots) return 0;
    set_root(&pool->entries[roots], pair);
    set_root(&pool->entries[roots + 1], pair);
    return roots;
}

void lt_front_forget(lt_front_pool *pool, uint32_t roots, const lt_pair *pair) {
    for (uint32_t i = roots; i < roots + 2; i++) {
        lt_front_drop_children(pool, i);
        set_root(&pool->entries[i], pair);
    }
}

/* ---- as state ---- */

static void visit_numbers(lt_stream *s, lt_entry *e) {
    lt_stream_two_u32(s, &e->skin, &e->solid);
    lt_stream_float(s, &e->nearness);
    lt_stream_double(s, &e->until);
    lt_stream_double(s, &e->active);
}

/* Where an entry is in its front: NULL above a root. */
typedef struct place_in_front {
    const lt_entry *parent;
    uint32_t which; /* of the parent's children */
    int direction;
    uint32_t depth;
} place_in_front;

/* Whether a child is that half of its parent. */
static bool is_half(const lt_shape_tree *tree, uint32_t parent, uint32_t child, uint32_t which) {
    uint32_t right = tree->nodes[parent].right;
    return right && child == (which ? right : parent + 1);
}

/* A root covers everything, children what their parent does, and none lasts less than it. */
static bool covers(const lt_entry *e, const place_in_front *at, const lt_front_trees *trees) {
    const lt_shape_tree *skin = trees->skin[at->direction], *solid = trees->solid[at->direction];
    const lt_entry *p = at->parent;
    if (!p) return e->skin == 0 && e->solid == (solid ? 0 : LT_NONE);
    if (e->until < p->until || e->active < p->active) return false;
    if (e->solid == p->solid) return is_half(skin, p->skin, e->skin, at->which);
    return solid && e->skin == p->skin && is_half(solid, p->solid, e->solid, at->which);
}

static bool is_sound(const lt_entry *e, const place_in_front *at, const lt_front_trees *trees) {
    bool finite = lt_is_finite(e->nearness) && e->until - e->until == 0 && e->active - e->active == 0;
    return finite && at->depth <= DEEPEST && covers(e, at, trees);
}

/* One entry and all below; `live` is LT_NONE where the stream only checks. */
static void visit_entry(lt_stream *s, lt_front_pool *pool, uint32_t live, const place_in_front *at,
                        const lt_front_trees *trees, uint64_t *count) {
    lt_entry draft = {0};
    lt_entry *e = live == LT_NONE ? &draft : &pool->entries[live];
    bool has_children = lt_entry_is_inner(e);
    visit_numbers(s, e);
    lt_stream_bool(s, &has_children);
    lt_stream_mix(s, has_children);
    *count += 1;
    if (lt_stream_checks(s) && !s->failed)
        lt_stream_expect(s, *count + FIRST <= pool->capacity && is_sound(e, at, trees));
    if (!has_children || s->failed) return;
    uint32_t child = live == LT_NONE ? LT_NONE : e->child;
    if (lt_stream_loads(s)) {
        child = lt_front_take(pool);
        LT_ASSERT(child != 0);
        e->child = child;
    }
    for (uint32_t i = 0; i < 2 && !s->failed; i++) {
        const place_in_front below = {e, i, at->direction, at->depth + 1};
        visit_entry(s, pool, child == LT_NONE ? LT_NONE : child + i, &below, trees, count);
    }
}

void lt_front_visit(lt_stream *stream, lt_front_pool *pool, uint32_t roots, const lt_pair *pair,
                    const lt_front_trees *trees, uint64_t *count) {
    uint32_t first = lt_stream_checks(stream) ? LT_NONE : roots;
    LT_ASSERT(first != 0);
    if (lt_stream_loads(stream)) lt_front_forget(pool, first, pair);
    for (int direction = 0; direction < (pair->kind == LT_PAIR_OBSTACLE ? 1 : 2); direction++) {
        const place_in_front at = {.direction = direction};
        visit_entry(stream, pool, first == LT_NONE ? LT_NONE : first + (uint32_t)direction, &at, trees,
                    count);
    }
}

/* ---- validator ---- */

static const char *check_entry(const lt_front_pool *pool, uint32_t entry, uint32_t depth) {
    if (entry >= pool->used) return "an entry is beyond those in use";
    if (depth > DEEPEST) return "a front is deeper than two trees";
    const lt_entry *e = &pool->entries[entry];
    if (!lt_entry_is_inner(e)) return NULL;
    if (e->child % 2) return "children do not stand side by side";
    if (e->child + 1 >= pool->used) return "an entry is beyond those in use";
    const lt_entry *a = &pool->entries[e->child], *b = a + 1;
    if (e->until > a->until || e->until > b->until || e->active > a->active || e->active > b->active)
        return "an entry lasts longer than those below";
    const char *flaw = check_entry(pool, e->child, depth + 1);
    return flaw ? flaw : check_entry(pool, e->child + 1, depth + 1);
}

const char *lt_validate_front(const lt_front_pool *pool, uint32_t roots) {
    if (!roots) return NULL;
    const char *flaw = check_entry(pool, roots, 0);
    return flaw ? flaw : check_entry(pool, roots + 1, 0);
}
