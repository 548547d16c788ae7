/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/front_search.h"

#include "core/hash.h"

#include <math.h>
#include <string.h>

enum {
    GAP_UNITS = 8,       /* of the gap of two boxes over the step */
    OBSTACLE_UNITS = 16, /* of a box against an obstacle, twice */
    INNER_UNITS = 4,     /* of an inner entry on its way through the heap and back */
    COLLAPSE_STEPS = 8
};

/* ---- order ---- */

/* Bits of floats above 0 rise with their values; the upper ones are half octaves. */
static uint32_t bucket_of(const lt_front_search *s, float nearness) {
    enum { HALF_OCTAVE = 22, MIDDLE = LT_OPEN_BUCKETS / 2 };
    float ratio = lt_max_f(nearness, 0) / s->quantum + 1e-9f, one = 1;
    uint32_t bits, origin;
    memcpy(&bits, &ratio, sizeof bits);
    memcpy(&origin, &one, sizeof origin);
    int bucket = (int)(bits >> HALF_OCTAVE) - (int)(origin >> HALF_OCTAVE) + MIDDLE;
    return bucket < 0 ? 0 : bucket >= LT_OPEN_BUCKETS ? LT_OPEN_BUCKETS - 1 : (uint32_t)bucket;
}

static void push_open(lt_front_search *s, uint32_t entry, uint32_t direction) {
    lt_open_queue *q = &s->memory->queue;
    uint32_t bucket = bucket_of(s, s->pool->entries[entry].nearness), item = q->free;
    if (!item && q->used == s->memory->open_capacity) {
        s->out_of_room = true;
        return;
    }
    if (item)
        q->free = s->memory->open[item - 1].next;
    else
        item = ++q->used;
    s->memory->open[item - 1] = (lt_open_entry){entry, direction, q->first[bucket]};
    q->first[bucket] = item;
    q->filled |= (uint64_t)1 << bucket;
    q->count++;
}

static uint32_t first_bucket(const lt_open_queue *q) {
    LT_ASSERT(q->filled != 0);
    return LT_OPEN_BUCKETS - 1 - (uint32_t)__builtin_clzll(q->filled);
}

static const lt_open_entry *nearest_open(const lt_front_search *s) {
    const lt_open_queue *q = &s->memory->queue;
    return &s->memory->open[q->first[first_bucket(q)] - 1];
}

static lt_open_entry pop_open(lt_front_search *s) {
    lt_open_queue *q = &s->memory->queue;
    uint32_t bucket = first_bucket(q), item = q->first[bucket];
    lt_open_entry out = s->memory->open[item - 1];
    q->first[bucket] = out.next;
    if (!out.next) q->filled &= ~((uint64_t)1 << bucket);
    s->memory->open[item - 1].next = q->free;
    q->free = item;
    q->count--;
    return out;
}

static bool has_expired(const lt_front_search *s, const lt_entry *e) {
    return !(e->until > s->clock.now + (double)s->reach) || !(e->active > s->clock.now);
}

static const lt_shape_node *skin_node(const lt_front_search *s, const lt_entry *e, uint32_t direction) {
    return lt_shape_node_at(lt_skin_side(s, direction)->boxes->tree, e->skin);
}
static const lt_shape_node *solid_node(const lt_front_search *s, const lt_entry *e, uint32_t direction) {
    return lt_shape_node_at(lt_solid_side(s, direction)->boxes->tree, e->solid);
}
static bool is_leaf(const lt_front_search *s, const lt_entry *e, uint32_t direction) {
    return lt_is_skin_leaf(skin_node(s, e, direction)) &&
           (s->obstacle || lt_is_solid_leaf(solid_node(s, e, direction)));
}

/* ---- the gap over the step ---- */

/* Least gap over the step, the gap now, and how far both can come towards each other. */
typedef struct step_gap {
    float least, now, reach;
} step_gap;

/* Negative: boxes overlap by so much along the axis where they do least. */
static float gap_between(lt_vec3 apart) {
    float most = lt_max_f(apart.x, lt_max_f(apart.y, apart.z));
    return most <= 0 ? most : lt_v3_length(lt_v3_max(apart, (lt_vec3){0, 0, 0}));
}

static step_gap gap_of_boxes(const lt_front_search *s, const lt_box *a, const lt_box *speed_a,
                             const lt_moving_box *b) {
    const lt_vec3 zero = {0, 0, 0}, cap = {s->speculation, s->speculation, s->speculation};
    lt_vec3 up = lt_v3_scale(lt_v3_max(lt_v3_sub(speed_a->hi, b->speed.lo), zero), s->dt);
    lt_vec3 down = lt_v3_scale(lt_v3_max(lt_v3_sub(b->speed.hi, speed_a->lo), zero), s->dt);
    lt_vec3 below = lt_v3_sub(b->at.lo, a->hi), above = lt_v3_sub(a->lo, b->at.hi);
    up = lt_v3_min(up, cap);
    down = lt_v3_min(down, cap);
    return (step_gap){gap_between(lt_v3_max(lt_v3_sub(below, up), lt_v3_sub(above, down))) - s->margin,
                      gap_between(lt_v3_max(below, above)), lt_v3_length(lt_v3_max(up, down)) + s->margin};
}

/* How fast anything with velocities in the box can come along a direction. */
static float speed_along(const lt_box *speed, lt_vec3 direction) {
    lt_vec3 most = lt_v3_max(lt_v3_mul(speed->lo, direction), lt_v3_mul(speed->hi, direction));
    return lt_max_f(0, most.x + most.y + most.z);
}

static step_gap gap_to_obstacle(const lt_front_search *s, const lt_box *a, const lt_box *speed) {
    float now = lt_obstacle_gap(s->obstacle, *a), along;
    if (s->obstacle->kind == LT_OBSTACLE_PLANE) {
        lt_vec3 normal = lt_obstacle_distance(s->obstacle, lt_box_center(*a)).normal;
        along = speed_along(speed, lt_v3_neg(normal));
    } else {
        along = lt_v3_length(lt_v3_max(lt_v3_max(speed->hi, lt_v3_neg(speed->lo)), (lt_vec3){0, 0, 0}));
    }
    float reach = along * s->dt + s->margin;
    return (step_gap){now - reach, now, reach};
}

/* Skin leaves by their samples, all else by what holds the whole surface. */
static step_gap look_at(lt_front_search *s, const lt_entry *e, uint32_t direction, uint32_t *units) {
    lt_body_boxes *boxes = lt_skin_side(s, direction)->boxes;
    const lt_moving_box *whole = lt_body_solid(boxes, e->skin, units);
    const lt_box *at = &whole->at;
    if (lt_is_skin_leaf(skin_node(s, e, direction))) at = lt_body_skin(boxes, e->skin, units);
    if (s->obstacle) {
        *units += OBSTACLE_UNITS;
        return gap_to_obstacle(s, at, &whole->speed);
    }
    *units += GAP_UNITS;
    return gap_of_boxes(s, at, &whole->speed,
                        lt_body_solid(lt_solid_side(s, direction)->boxes, e->solid, units));
}

static uint32_t look_worst(const lt_front_search *s, const lt_entry *e, uint32_t direction) {
    const lt_body_boxes *boxes = lt_skin_side(s, direction)->boxes;
    uint32_t units = lt_body_solid_worst(boxes, e->skin);
    if (lt_is_skin_leaf(skin_node(s, e, direction))) units += lt_body_skin_worst(boxes, e->skin);
    if (s->obstacle) return units + OBSTACLE_UNITS;
    return units + GAP_UNITS + lt_body_solid_worst(lt_solid_side(s, direction)->boxes, e->solid);
}

/* ---- entries ---- */

static void set_apart(lt_front_search *s, uint32_t entry, float gap) {
    lt_entry *e = &s->pool->entries[entry];
    lt_front_drop_children(s->pool, entry);
    e->until = s->clock.look + (double)lt_max_f(gap, 0);
    e->active = LT_NEVER;
}

/* An expired entry is apart or goes on the heap. An inner one is not looked at: those below it are. Returns the units. */
static uint32_t examine(lt_front_search *s, uint32_t entry, uint32_t direction) {
    lt_entry *e = &s->pool->entries[entry];
    uint32_t units = 1;
    if (!has_expired(s, e)) return units;
    if (lt_shape_node_points(skin_node(s, e, direction)) == 0) {
        e->until = LT_NEVER;
        return units;
    }
    if (!lt_entry_is_inner(e)) {
        step_gap gap = look_at(s, e, direction, &units);
        s->tested++;
        e->nearness = -gap.least;
        if (gap.least > 0) {
            set_apart(s, entry, gap.now);
            return units;
        }
        if (is_leaf(s, e, direction)) e->child = LT_ENTRY_LEAF;
    }
    push_open(s, entry, direction);
    return units;
}

static uint32_t examine_worst(const lt_front_search *s, uint32_t entry, uint32_t direction) {
    const lt_entry *e = &s->pool->entries[entry];
    if (!has_expired(s, e) || lt_entry_is_inner(e)) return 1;
    return 1 + look_worst(s, e, direction);
}

static float extent_of(lt_box box) {
    return lt_v3_distance(box.lo, box.hi);
}

/* The larger side is split; a leaf is not. */
static bool splits_skin(lt_front_search *s, const lt_entry *e, uint32_t direction, uint32_t *units) {
    if (s->obstacle || lt_is_solid_leaf(solid_node(s, e, direction))) return true;
    if (lt_is_skin_leaf(skin_node(s, e, direction))) return false;
    const lt_moving_box *a = lt_body_solid(lt_skin_side(s, direction)->boxes, e->skin, units);
    const lt_moving_box *b = lt_body_solid(lt_solid_side(s, direction)->boxes, e->solid, units);
    return extent_of(a->at) >= extent_of(b->at);
}

/* Gives an entry two children that cover it; false: there is no room. */
static bool split(lt_front_search *s, uint32_t entry, uint32_t direction, uint32_t *units) {
    uint32_t child = lt_front_take(s->pool);
    if (!child) {
        s->out_of_room = true;
        return false;
    }
    lt_entry *e = &s->pool->entries[entry], *below = &s->pool->entries[child];
    bool by_skin = splits_skin(s, e, direction, units);
    const lt_shape_node *n = by_skin ? skin_node(s, e, direction) : solid_node(s, e, direction);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t node = i == 0 ? (by_skin ? e->skin : e->solid) + 1 : n->right;
        below[i].skin = by_skin ? node : e->skin;
        below[i].solid = by_skin ? e->solid : node;
        below[i].nearness = e->nearness;
    }
    e->child = child;
    return true;
}

/* The clock's next mark of the pair's grid. */
static double next_mark(const lt_front_search *s) {
    double quantum = (double)s->quantum;
    return (floor(s->clock.now / quantum) + 1) * quantum;
}

static uint32_t test_leaf(lt_front_search *s, lt_entry *e, uint32_t direction) {
    uint32_t units = 0;
    step_gap gap = look_at(s, e, direction, &units); /* boxes are there: it was examined */
    units += lt_front_leaf_test(s, e, direction, gap.reach);
    e->until = LT_NEVER;
    e->active = next_mark(s);
    return units;
}

/* Boxes of both sides, to see which one is split, and both children, whose samples may be looked at for the first time. */
static uint32_t split_worst(const lt_front_search *s, const lt_entry *e, uint32_t direction) {
    uint32_t look = look_worst(s, e, direction), leaf = LT_BOX_UNITS + LT_SAMPLE_UNITS * LT_SKIN_LEAF;
    return 3 * look + 2 * (1 + leaf);
}

static uint32_t pop_worst(const lt_front_search *s, const lt_open_entry *top) {
    const lt_entry *e = &s->pool->entries[top->entry];
    if (lt_entry_is_inner(e))
        return INNER_UNITS + examine_worst(s, e->child, top->direction) +
               examine_worst(s, e->child + 1, top->direction);
    if (is_leaf(s, e, top->direction))
        return look_worst(s, e, top->direction) + lt_front_leaf_worst(s, e, top->direction);
    return INNER_UNITS + split_worst(s, e, top->direction);
}

static uint32_t pop(lt_front_search *s) {
    const lt_open_entry top = pop_open(s);
    lt_entry *e = &s->pool->entries[top.entry];
    uint32_t units = INNER_UNITS;
    if (e->child == LT_ENTRY_LEAF) return test_leaf(s, e, top.direction);
    if (!lt_entry_is_inner(e)) {
        if (is_leaf(s, e, top.direction)) return test_leaf(s, e, top.direction); /* a root, or restored */
        if (!split(s, top.entry, top.direction, &units)) return units;
    }
    uint32_t child = s->pool->entries[top.entry].child;
    if (s->visited_count < s->memory->open_capacity) s->memory->visited[s->visited_count++] = top.entry;
    units += examine(s, child, top.direction);
    return units + examine(s, child + 1, top.direction);
}

/* ---- the cursor ---- */

/* More than any piece can take: while there is so much left, nobody asks what the next one takes. */
static uint32_t any_worst(const lt_front_search *s) {
    uint32_t solids = 0;
    for (uint32_t d = 0; d < (s->obstacle ? 1u : 2u); d++)
        solids += lt_body_solid_worst(s->sides[d].boxes, 0) + LT_BOX_UNITS + LT_SAMPLE_UNITS * LT_SKIN_LEAF;
    return INNER_UNITS + 4 * (GAP_UNITS + OBSTACLE_UNITS + solids) + lt_front_any_leaf_worst();
}

static lt_piece peek(const void *state) {
    const lt_front_search *s = state;
    lt_work work = s->obstacle ? LT_WORK_OBSTACLE : LT_WORK_POINT_TET;
    if (!lt_front_is_open(s) || s->used >= s->allowed) return (lt_piece){work, 0, 0};
    return (lt_piece){work, s->repeats ? 1 : pop_worst(s, nearest_open(s)), s->contact_units};
}

static bool fits(const lt_front_search *s, uint32_t spent, uint32_t grant) {
    if (s->repeats) return spent < grant;
    return (uint64_t)spent + s->any_worst <= grant || spent + pop_worst(s, nearest_open(s)) <= grant;
}

static uint32_t step(void *state, uint32_t grant) {
    lt_front_search *s = state;
    uint32_t spent = 0;
    while (lt_front_is_open(s) && s->used < s->allowed) {
        if (!fits(s, spent, grant)) break;
        uint32_t units = pop(s);
        spent += units;
        s->used += units;
    }
    return spent;
}

lt_cursor lt_front_search_cursor(lt_front_search *search) {
    return (lt_cursor){search, peek, step};
}

void lt_front_search_begin(lt_front_search *search) {
    LT_ASSERT(search->roots && search->quantum > 0);
    search->visited_count = search->leaf_count = 0;
    search->used = search->tested = 0;
    search->out_of_room = false;
    search->any_worst = any_worst(search);
    memset(&search->memory->queue, 0, sizeof search->memory->queue);
    if (++search->memory->turn == 0) search->memory->turn = 1;
    for (uint32_t direction = 0; direction < (search->obstacle ? 1u : 2u); direction++) {
        uint32_t root = search->roots + direction;
        if (has_expired(search, &search->pool->entries[root])) push_open(search, root, direction);
    }
}

/* Whether two siblings that are apart are to be one entry again. */
static bool folds(const lt_front_search *s, const lt_entry *a, const lt_entry *b) {
    if (lt_entry_is_inner(a) || lt_entry_is_inner(b) || a->active < LT_NEVER || b->active < LT_NEVER)
        return false;
    if (!(a->until > s->clock.now + (double)s->reach) || !(b->until > s->clock.now + (double)s->reach))
        return false;
    uint64_t key = lt_hash_u64(lt_hash_u64(a->skin, b->skin), (uint64_t)a->solid << 32 | b->solid);
    return (key + s->phase) % COLLAPSE_STEPS == 0;
}

void lt_front_search_end(lt_front_search *search) {
    for (uint32_t i = search->visited_count; i-- > 0;) {
        uint32_t entry = search->memory->visited[i];
        lt_entry *e = &search->pool->entries[entry];
        if (!lt_entry_is_inner(e)) continue;
        const lt_entry *a = &search->pool->entries[e->child], *b = a + 1;
        e->until = lt_min_d(a->until, b->until);
        e->active = lt_min_d(a->active, b->active);
        if (folds(search, a, b)) lt_front_drop_children(search->pool, entry);
    }
}

/* The solid box of a node holds its surface as well. */
static void add_open_boxes(const lt_front_search *s, const lt_open_entry *open, lt_box boxes[2],
                           uint32_t *units) {
    const lt_entry *e = &s->pool->entries[open->entry];
    uint32_t d = open->direction;
    boxes[d] = lt_box_union(boxes[d], lt_body_solid(s->sides[d].boxes, e->skin, units)->at);
    if (s->obstacle) return;
    boxes[1 - d] = lt_box_union(boxes[1 - d], lt_body_solid(s->sides[1 - d].boxes, e->solid, units)->at);
}

bool lt_front_open_boxes(lt_front_search *search, lt_box boxes[2], uint32_t *units) {
    const lt_search_memory *m = search->memory;
    boxes[0] = boxes[1] = lt_box_empty();
    for (uint32_t bucket = 0; bucket < LT_OPEN_BUCKETS; bucket++)
        for (uint32_t i = m->queue.first[bucket]; i; i = m->open[i - 1].next)
            add_open_boxes(search, &m->open[i - 1], boxes, units);
    return lt_front_is_open(search);
}

/* ---- memory ---- */

bool lt_search_memory_reserve(lt_search_memory *memory, uint32_t entries, uint32_t lanes, uint32_t skins,
                              const lt_allocator *allocator) {
    lt_search_memory larger = *memory;
    larger.open_capacity = lt_max_u32(entries, memory->open_capacity);
    larger.lane_capacity = lt_max_u32(lanes, memory->lane_capacity);
    larger.skin_capacity = lt_max_u32(skins, memory->skin_capacity);
    if (larger.open_capacity == memory->open_capacity && larger.lane_capacity == memory->lane_capacity &&
        larger.skin_capacity == memory->skin_capacity && memory->open)
        return true;
    larger.turn = 0;
    larger.open = LT_NEW(allocator, larger.open_capacity, lt_open_entry);
    larger.visited = LT_NEW(allocator, larger.open_capacity, uint32_t);
    larger.leaves = LT_NEW(allocator, larger.open_capacity, lt_tested_leaf);
    bool made = larger.open && larger.visited && larger.leaves;
    for (int d = 0; d < 2; d++) {
        larger.tets[d] = LT_NEW(allocator, larger.lane_capacity, uint32_t);
        larger.least[d] = LT_NEW(allocator, larger.lane_capacity, float);
        larger.skins[d] = LT_NEW(allocator, larger.skin_capacity, lt_skin_look);
        made = made && larger.tets[d] && larger.least[d] && larger.skins[d];
    }
    lt_search_memory_free(made ? memory : &larger, allocator);
    if (made) *memory = larger;
    return made;
}

void lt_search_memory_free(lt_search_memory *memory, const lt_allocator *allocator) {
    LT_DELETE(allocator, memory->open, memory->open_capacity, lt_open_entry);
    LT_DELETE(allocator, memory->visited, memory->open_capacity, uint32_t);
    LT_DELETE(allocator, memory->leaves, memory->open_capacity, lt_tested_leaf);
    for (int d = 0; d < 2; d++) {
        LT_DELETE(allocator, memory->tets[d], memory->lane_capacity, uint32_t);
        LT_DELETE(allocator, memory->least[d], memory->lane_capacity, float);
        LT_DELETE(allocator, memory->skins[d], memory->skin_capacity, lt_skin_look);
    }
    *memory = (lt_search_memory){0};
}
