/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/self_internal.h"

#include <string.h>

enum {
    SPANNING_BIT = 0, /* in P: to be tested against all, which have it in Q */
    PAIR_BITS = 2,    /* from here on; bit 1 is free */
    LANES = LT_SELF_BLOCK
};

/* ---- memory ---- */

lt_self_def lt_self_def_default(void) {
    return (lt_self_def){LT_SELF_SAFE, LT_SELF_BITS_MAX};
}

static size_t whole_blocks(uint32_t count) {
    return ((size_t)count + LANES - 1) / LANES * LANES;
}

/* Eight blocks each. */
static uint32_t rows_of_blocks(const lt_self_tets *t) {
    return (t->block_count + LANES - 1) / LANES;
}

/* One list for making and freeing. */
#define COLUMNS(X, name, count)                                                                              \
    X(name.lo[0], count, float)                                                                              \
    X(name.lo[1], count, float)                                                                              \
    X(name.lo[2], count, float)                                                                              \
    X(name.hi[0], count, float)                                                                              \
    X(name.hi[1], count, float)                                                                              \
    X(name.hi[2], count, float)
#define TABLES(X)                                                                                            \
    X(motions, s->tets->tet_count, lt_tet_motion)                                                            \
    X(boxes, s->tets->tet_count, lt_box)                                                                     \
    X(open, s->tets->near_stride, uint64_t)                                                                  \
    X(measured, s->tets->near_stride, uint64_t)                                                              \
    X(open_nodes, s->tets->node_count, uint8_t)                                                              \
    X(group_motions, s->tets->group_count, lt_group_motion)                                                  \
    X(spreads, s->tets->node_count, double)                                                                  \
    X(deviations, s->tets->node_count, double)                                                               \
    COLUMNS(X, place_boxes, LANES *(size_t)s->tets->block_count)                                             \
    COLUMNS(X, block_boxes, whole_blocks(s->tets->block_count))                                              \
    COLUMNS(X, row_boxes, whole_blocks(rows_of_blocks(s->tets)))                                             \
    X(marks, 2 * (size_t)s->word_count * lt_self_row_count(s->tets), uint64_t)

lt_status lt_self_create(lt_self *out, const lt_self_tets *tets, const lt_self_def *def,
                         const lt_allocator *allocator, lt_error *error) {
    lt_self *s = out;
    *s = (lt_self){.tets = tets,
                   .def = def ? *def : lt_self_def_default(),
                   .allocator = allocator ? *allocator : lt_allocator_default()};
    LT_ASSERT(s->def.mask_bits == 1 || (s->def.mask_bits % 64 == 0 && s->def.mask_bits <= LT_SELF_BITS_MAX));
    s->word_count = (s->def.mask_bits + 63) / 64;
    s->phase = LT_SELF_DONE;
    bool all = true;
#define TAKE(name, count, type) all = (s->name = LT_NEW(&s->allocator, count, type)) && all;
    TABLES(TAKE)
#undef TAKE
    if (all) return LT_OK;
    lt_self_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the marks of %u tets", tets->tet_count);
}

void lt_self_free(lt_self *self) {
    lt_self *s = self;
    if (!s->tets) return;
#define GIVE_BACK(name, count, type) LT_DELETE(&s->allocator, s->name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
    *s = (lt_self){0};
}

/* ---- marks ---- */

static void set_bits(lt_self *s, uint32_t row, uint32_t bit, bool p, bool q) {
    LT_ASSERT(row < lt_self_row_count(s->tets));
    uint64_t *words = s->marks + 2 * (size_t)s->word_count * row, mask = (uint64_t)1 << (bit % 64);
    if (p) words[bit / 64] |= mask;
    if (q) words[s->word_count + bit / 64] |= mask;
}

/* Pairs have bits in turn: no two the same while there are few. */
static void mark_pair(lt_self *s, uint32_t a, uint32_t b) {
    LT_ASSERT(a < s->tets->tet_count);
    LT_ASSERT(b < s->tets->tet_count);
    bool one_bit = s->def.mask_bits == 1;
    uint32_t bit = PAIR_BITS + (one_bit ? 0 : s->marked_count % (s->def.mask_bits - PAIR_BITS));
    set_bits(s, lt_min_u32(a, b), bit, true, one_bit || a == b);
    set_bits(s, lt_max_u32(a, b), bit, one_bit || a == b, true);
    s->marked_count++;
}

/* ---- gradients ---- */

static lt_dmat3 gradient_at(const lt_self_tets *t, const float *nodes, uint32_t tet) {
    LT_ASSERT(tet < t->tet_count);
    const uint32_t *n = t->nodes + 4 * (size_t)tet;
    lt_dvec3 o = lt_self_node_at(nodes, n[0]);
    return lt_dm3_mul((lt_dmat3){lt_d3_sub(lt_self_node_at(nodes, n[1]), o),
                                 lt_d3_sub(lt_self_node_at(nodes, n[2]), o),
                                 lt_d3_sub(lt_self_node_at(nodes, n[3]), o)},
                      t->inverses[tet]);
}

/* |f - g| at the end where it is larger: no vector is changed more than by that, at any time. */
static double distance_of(const lt_dmat3 f[2], const lt_dmat3 g[2]) {
    double start = lt_dm3_norm_squared(lt_dm3_sub(f[0], g[0]));
    double end = lt_dm3_norm_squared(lt_dm3_sub(f[1], g[1]));
    return sqrt(start > end ? start
                            : end); /* NaN of either: no comparison below is true of it, or its tets' */
}

static lt_box box_of(const lt_self *s, uint32_t tet) {
    LT_ASSERT(tet < s->tets->tet_count);
    lt_box box = lt_box_empty();
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t node = s->tets->nodes[4 * (size_t)tet + k];
        lt_vec3 from = lt_v3_from_d3(lt_self_node_at(s->from, node));
        lt_vec3 to = lt_v3_sub(lt_v3_from_d3(lt_self_node_at(s->to, node)), s->drift);
        box = lt_box_add_point(lt_box_add_point(box, from), to);
    }
    return lt_box_inflate(box, 0.5f * s->separation + 2 * s->slack);
}

static bool is_finite(const lt_dmat3 *m) {
    return lt_d3_is_finite(lt_d3_add(lt_d3_add(m->c0, m->c1), m->c2));
}

/* Without a place that is a number a tet may meet anything, and nothing else is to suffer from it. */
static void give_up_tet(lt_self *s, uint32_t tet) {
    LT_ASSERT(tet < s->tets->tet_count);
    s->motions[tet] = (lt_tet_motion){.sign = 0};
    s->boxes[tet] = lt_box_empty();
    set_bits(s, tet, SPANNING_BIT, true, true);
}

static void measure_tet(lt_self *s, uint32_t tet) {
    LT_ASSERT(tet < s->tets->tet_count);
    lt_tet_motion *m = &s->motions[tet];
    m->gradients[0] = gradient_at(s->tets, s->from, tet);
    m->gradients[1] = gradient_at(s->tets, s->to, tet);
    m->stretch = lt_self_stretch(m->gradients, &m->sign);
    if (!(m->stretch * (double)s->tets->shortest[tet] > lt_self_rounding(s)))
        m->sign = 0; /* as good as flat */
    s->boxes[tet] = box_of(s, tet);
    if (!is_finite(&m->gradients[0]) || !is_finite(&m->gradients[1])) give_up_tet(s, tet);
}

/* ---- around a node ---- */

static void measure_node(lt_self *s, uint32_t node) {
    LT_ASSERT(node < s->tets->node_count);
    const lt_self_tets *t = s->tets;
    uint32_t begin = t->ring_begin[node], end = t->ring_begin[node + 1];
    if (begin == end) return;
    lt_dmat3 mean[2] = {s->motions[t->rings[begin] / 4].gradients[0],
                        s->motions[t->rings[begin] / 4].gradients[1]};
    for (uint32_t i = begin + 1; i < end; i++)
        for (int k = 0; k < 2; k++)
            mean[k] = lt_dm3_add(mean[k], s->motions[t->rings[i] / 4].gradients[k]);
    for (int k = 0; k < 2; k++)
        mean[k] = lt_dm3_scale(mean[k], 1.0 / (end - begin));
    double spread = 0;
    for (uint32_t i = begin; i < end; i++) {
        lt_tet_motion *m = &s->motions[t->rings[i] / 4];
        double apart = distance_of(m->gradients, mean);
        m->apart[t->rings[i] % 4] = apart;
        spread = lt_max_d(spread, apart);
    }
    int8_t sign;
    double stretch = lt_self_stretch(mean, &sign);
    s->spreads[node] = spread;
    double spare = lt_self_rounding(s) / (double)t->ring_shortest[node];
    s->deviations[node] = stretch > 0 ? (spread + spare) / stretch + 1e-9 : 1e300;
}

/* ---- two tets ---- */

static void load_pair(lt_tet_pair *pair, const lt_self *s, uint32_t a, uint32_t b) {
    const uint32_t *na = s->tets->nodes + 4 * (size_t)a, *nb = s->tets->nodes + 4 * (size_t)b;
    uint32_t order_a[4] = {0, 1, 2, 3}, order_b[4] = {0, 1, 2, 3};
    /* Only pairs that touch at rest share nodes. */
    pair->shared_count = s->phase == LT_SELF_TOUCHES ? lt_tet_pair_order(na, nb, order_a, order_b) : 0;
    for (int k = 0; k < 4; k++) {
        pair->a[0][k] = lt_self_node_at(s->from, na[order_a[k]]);
        pair->a[1][k] = lt_self_node_at(s->to, na[order_a[k]]);
        pair->b[0][k] = lt_self_node_at(s->from, nb[order_b[k]]);
        pair->b[1][k] = lt_self_node_at(s->to, nb[order_b[k]]);
    }
}

/* By what is known of the two at rest. */
static bool is_settled_by_direction(const lt_self *s, const lt_near_pair *near) {
    lt_tet_pair pair;
    load_pair(&pair, s, near->a, near->b);
    double gap = pair.shared_count ? lt_self_rounding(s) : lt_self_gap(s);
    return lt_tet_pair_is_still_apart(&pair, &s->motions[near->a], &s->motions[near->b], near->direction,
                                      gap);
}

static bool is_settled_by_plane(lt_self *s, uint32_t a, uint32_t b) {
    LT_ASSERT(a < s->tets->tet_count);
    LT_ASSERT(b < s->tets->tet_count);
    lt_tet_pair pair;
    load_pair(&pair, s, a, b);
    s->plane_count++;
    return lt_tet_pair_stays_apart(&pair, &s->motions[a], &s->motions[b],
                                   pair.shared_count ? lt_self_rounding(s) : lt_self_gap(s));
}

static bool is_touch_settled(const lt_self *s, const lt_near_pair *pair) {
    const lt_tet_motion *a = &s->motions[pair->a], *b = &s->motions[pair->b];
    double stretch = lt_max_d(a->stretch, b->stretch);
    double shortest = (double)lt_min_f(s->tets->shortest[pair->a], s->tets->shortest[pair->b]);
    double spare = (double)pair->margin * stretch - distance_of(a->gradients, b->gradients);
    return spare * shortest > lt_self_rounding(s) + 1e-9 * stretch * shortest;
}

/* m is how far they are apart at rest; F and G differ on the way from the one to the tet between, and to the
 * other. */
static bool is_second_settled(const lt_self *s, const lt_near_pair *pair, uint32_t between) {
    const lt_tet_motion *m = &s->motions[between];
    double a = distance_of(s->motions[pair->a].gradients, m->gradients);
    double b = distance_of(s->motions[pair->b].gradients, m->gradients);
    double path = (double)pair->margin / (double)pair->needed * (1 + 1e-6);
    double gap = (double)pair->margin * m->stretch - lt_max_d(a, b) * path;
    return gap > lt_self_gap(s) + 1e-9 * path * m->stretch;
}

/* ---- near pairs ---- */

/* What pairs listed at a tet need at least. */
static double second_need(const lt_self *s, uint32_t tet) {
    LT_ASSERT(tet < s->tets->tet_count);
    const lt_tet_motion *m = &s->motions[tet];
    const uint32_t *nodes = s->tets->nodes + 4 * (size_t)tet;
    double apart = 0;
    for (int k = 0; k < 4; k++) { /* around others nothing is measured, and nobody open touches it there */
        double at = s->open_nodes[nodes[k]] ? m->apart[k] + s->spreads[nodes[k]] : 0;
        apart = lt_max_d(apart, at);
    }
    if (!(m->stretch > 0)) return 1e300;
    return (apart + lt_self_gap(s) / (double)s->tets->second_paths[tet]) / m->stretch + 1e-9;
}

static void begin_phase(lt_self *s, lt_self_phase phase) {
    s->phase = phase;
    s->next = s->next_pair = s->pending_rows = s->pending_blocks = 0;
    s->pending = 0;
}

/* Near ones that are not settled by the group of either. */
static bool is_pair_open(const lt_self *s, const lt_near_pair *pair) {
    return lt_self_has_bit(s->open, pair->a) && lt_self_has_bit(s->open, pair->b);
}

static void mark_face(lt_self *s, const lt_near_pair *pair) {
    if (!is_pair_open(s, pair)) return;
    int8_t sign = s->motions[pair->a].sign;
    if (sign == 0 || sign != s->motions[pair->b].sign) mark_pair(s, pair->a, pair->b);
}

/* The phase FACES: pairs that share a face, those that overlap at rest, tets by themselves. Where all is settled only those that
 * overlap at rest. */
static uint32_t face_item_count(const lt_self *s) {
    const lt_self_tets *t = s->tets;
    return t->always_count + (s->open_count ? t->face_count + t->tet_count : 0);
}

static void mark_face_item(lt_self *s, uint32_t item) {
    const lt_self_tets *t = s->tets;
    uint32_t faces = s->open_count ? t->face_count : 0;
    if (item < faces) {
        mark_face(s, &t->faces[item]);
    } else if (item - faces < t->always_count) {
        mark_pair(s, t->always[item - faces].a, t->always[item - faces].b);
    } else {
        uint32_t tet = item - faces - t->always_count;
        if (lt_self_has_bit(s->open, tet) && s->motions[tet].sign == 0) mark_pair(s, tet, tet);
    }
}

/* Where the next portion of items of `units` each ends. */
static uint32_t portion_end(const lt_self *s, uint32_t units, uint32_t count) {
    return s->next + lt_min_u32(LT_SELF_PORTION / units, count - s->next);
}

static uint32_t face_cost(const lt_self *s) {
    return (s->next == 0) + 2 * (portion_end(s, 2, face_item_count(s)) - s->next);
}

/* A phase without items is one piece, too. */
static void mark_faces(lt_self *s) {
    uint32_t end = portion_end(s, 2, face_item_count(s));
    for (uint32_t item = s->next; item < end; item++)
        mark_face_item(s, item);
    s->next = lt_max_u32(end, 1);
}

/* The next pair of a list that is not settled by where it is listed; false: there is none, and `next` has
 * passed all. */
static bool find_touch(lt_self *s) {
    const lt_self_tets *t = s->tets;
    for (; s->next < t->node_count; s->next++) {
        if (!s->open_nodes[s->next]) continue;
        uint32_t at = lt_max_u32(s->next_pair, t->touch_begin[s->next]);
        if (at < t->touch_begin[s->next + 1] && !(s->deviations[s->next] < (double)t->touches[at].needed)) {
            s->next_pair = at;
            return true;
        }
    }
    return false;
}

/* Of pairs listed at a tet that are open both touch it at open nodes. */
static bool find_second(lt_self *s) {
    const lt_self_tets *t = s->tets;
    for (; s->next < t->tet_count; s->next++) {
        if (!lt_self_has_bit(s->measured, s->next)) continue;
        uint32_t at = lt_max_u32(s->next_pair, t->second_begin[s->next]);
        if (at == t->second_begin[s->next]) s->need = second_need(s, s->next);
        if (at < t->second_begin[s->next + 1] && !(s->need < (double)t->seconds[at].needed)) {
            s->next_pair = at;
            return true;
        }
    }
    return false;
}

static bool is_near_settled(const lt_self *s, const lt_near_pair *pair) {
    if (!is_pair_open(s, pair)) return true;
    if (s->phase == LT_SELF_TOUCHES) return is_touch_settled(s, pair);
    return !lt_box_overlap(s->boxes[pair->a], s->boxes[pair->b]) || is_second_settled(s, pair, s->next);
}

/* Two pieces where need be, so that each costs what it was said to: gradients, then (`pending`) a plane. */
static void look_at_near(lt_self *s) {
    const lt_near_pair *pairs = s->phase == LT_SELF_TOUCHES ? s->tets->touches : s->tets->seconds;
    const lt_near_pair *pair = &pairs[s->next_pair];
    if (!s->pending) {
        s->looked_count++;
        s->pending = !is_near_settled(s, pair) && !is_settled_by_direction(s, pair);
    } else {
        s->pending = 0;
        if (!is_settled_by_plane(s, pair->a, pair->b)) mark_pair(s, pair->a, pair->b);
    }
    s->next_pair += !s->pending;
}

/* ---- far pairs ---- */

static void set_column(const lt_self_columns *c, size_t at, lt_box box) {
    for (int k = 0; k < 3; k++) {
        c->lo[k][at] = lt_v3_get(box.lo, k);
        c->hi[k][at] = lt_v3_get(box.hi, k);
    }
}

/* Those of 64 tets that are settled by their groups: nothing is known of them yet. */
static uint64_t boxless_of(const lt_self *s, uint32_t word) {
    uint32_t count = lt_min_u32(64, s->tets->tet_count - 64 * word);
    return ~s->measured[word] & (~(uint64_t)0 >> (64 - count));
}

static void find_boxes(lt_self *s, uint32_t word) {
    for (uint64_t left = boxless_of(s, word); left; left &= left - 1) {
        uint32_t tet = 64 * word + (uint32_t)__builtin_ctzll(left);
        s->boxes[tet] = box_of(s, tet);
    }
}

static lt_box box_at(const lt_self_columns *c, size_t at) {
    return (lt_box){{c->lo[0][at], c->lo[1][at], c->lo[2][at]}, {c->hi[0][at], c->hi[1][at], c->hi[2][at]}};
}

static lt_box box_of_row(const lt_self *s, uint32_t row) {
    LT_ASSERT(row < lt_self_row_count(s->tets));
    lt_box box = lt_box_empty();
    for (size_t block = LANES * (size_t)row; block < LANES * ((size_t)row + 1); block++)
        box = lt_box_union(box, box_at(&s->block_boxes, block));
    return box;
}

static void place_block(lt_self *s, uint32_t block) {
    const lt_self_tets *t = s->tets;
    lt_box all = lt_box_empty();
    for (uint32_t place = LANES * block; block < t->block_count && place < LANES * (block + 1); place++) {
        lt_box box = place < t->tet_count ? s->boxes[t->places[place]] : lt_box_empty();
        set_column(&s->place_boxes, place, box);
        all = lt_box_union(all, box);
    }
    set_column(&s->block_boxes, block, all);
}

static void place_row(lt_self *s, uint32_t row) {
    for (uint32_t block = LANES * row; block < LANES * (row + 1); block++)
        place_block(s, block);
    set_column(&s->row_boxes, row, box_of_row(s, row));
}

/* Behind the last one, to a multiple of eight. */
static void place_empty_rows(lt_self *s) {
    for (uint32_t row = rows_of_blocks(s->tets); row < whole_blocks(rows_of_blocks(s->tets)); row++)
        set_column(&s->row_boxes, row, lt_box_empty());
}

/* The phase PLACES: boxes of 64 tets each where any are missing, then rows of blocks, 64 places each. */
static uint32_t box_item_count(const lt_self *s) {
    return s->boxless_count ? (s->tets->tet_count + 63) / 64 : 0;
}

static uint32_t place_item_count(const lt_self *s) {
    return box_item_count(s) + rows_of_blocks(s->tets);
}

static uint32_t place_item_cost(const lt_self *s, uint32_t item) {
    uint32_t boxes = box_item_count(s);
    if (item < boxes) return LT_SELF_BOX_UNITS * (uint32_t)__builtin_popcountll(boxless_of(s, item));
    uint32_t first = LANES * LANES * (item - boxes);
    return LT_SELF_PLACE_UNITS * lt_min_u32(LANES * LANES, s->tets->tet_count - first);
}

/* The next portion of them: where it ends, and its cost. */
static uint32_t place_portion(const lt_self *s, uint32_t *cost) {
    uint32_t end = s->next, count = place_item_count(s);
    *cost = s->next == 0;
    for (; end < count && *cost < LT_SELF_PORTION; end++)
        *cost += place_item_cost(s, end);
    return end;
}

static uint32_t place_cost(const lt_self *s) {
    uint32_t cost;
    place_portion(s, &cost);
    return cost;
}

static void place_boxes(lt_self *s) {
    uint32_t cost, end = place_portion(s, &cost), boxes = box_item_count(s);
    if (s->next == 0) place_empty_rows(s);
    for (uint32_t item = s->next; item < end; item++)
        if (item < boxes)
            find_boxes(s, item);
        else
            place_row(s, item - boxes);
    s->next = lt_max_u32(end, 1);
}

/* Which of eight boxes from `first` on overlap another. */
static inline uint32_t overlapping(const lt_self_columns *c, size_t first, const lt_self_columns *others,
                                   size_t other) {
    lt_f8m meets = lt_f8_less_equal(lt_f8_load(c->lo[0] + first), lt_f8_splat(others->hi[0][other]));
    meets =
        lt_f8m_and(meets, lt_f8_less_equal(lt_f8_splat(others->lo[0][other]), lt_f8_load(c->hi[0] + first)));
    for (int k = 1; k < 3; k++) {
        lt_f8 lo = lt_f8_splat(others->lo[k][other]), hi = lt_f8_splat(others->hi[k][other]);
        meets = lt_f8m_and(meets, lt_f8_less_equal(lt_f8_load(c->lo[k] + first), hi));
        meets = lt_f8m_and(meets, lt_f8_less_equal(lo, lt_f8_load(c->hi[k] + first)));
    }
    return lt_f8m_bits(meets);
}

/* Eight bits of a row, those from 8 i on. */
static inline uint32_t eight_of(const uint64_t *row, uint32_t i) {
    return (uint32_t)(row[i / 8] >> (i % 8 * LANES)) & 255;
}

/* The far pairs of two blocks whose boxes overlap: of tets of either that reach into the box of the other. */
static void compare_tets(lt_self *s, uint32_t block) {
    LT_ASSERT(block < s->tets->block_count);
    const lt_self_tets *t = s->tets;
    const lt_self_columns *c = &s->place_boxes;
    size_t own = LANES * (size_t)s->next, other = LANES * (size_t)block;
    uint32_t reached = overlapping(c, other, &s->block_boxes, s->next);
    uint32_t reaching = reached ? overlapping(c, own, &s->block_boxes, block) : 0;
    s->other_block = block;
    for (; reaching; reaching &= reaching - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(reaching);
        uint32_t far = reached & eight_of(t->far_bits + (own + lane) * t->near_stride, block);
        if (far) s->pending |= (uint64_t)(far & overlapping(c, other, c, own + lane)) << (LANES * lane);
    }
}

/* The blocks of a row that the one at hand overlaps. */
static void compare_blocks(lt_self *s, uint32_t row) {
    LT_ASSERT(row < lt_self_row_count(s->tets));
    const lt_self_tets *t = s->tets;
    uint32_t far = eight_of(t->far_blocks + (size_t)s->next * t->block_stride, row);
    s->row = row;
    if (far)
        s->pending_blocks = far & overlapping(&s->block_boxes, LANES * (size_t)row, &s->block_boxes, s->next);
}

/* The next eight rows of blocks against the one at hand, or on to the next one. Bodies of one mesh have few rows: one after the other. */
static void compare_rows(lt_self *s) {
    bool by_eight = s->tets->group_count > 0;
    uint32_t own = s->next / LANES, first = lt_max_u32(s->next_pair, by_eight ? own / LANES * LANES : own);
    if (first >= rows_of_blocks(s->tets)) {
        s->next++;
        s->next_pair = 0;
        return;
    }
    s->next_pair = first + (by_eight ? LANES : 1);
    if (!by_eight) {
        compare_blocks(s, first);
        return;
    }
    s->pending_rows = overlapping(&s->row_boxes, first, &s->block_boxes, s->next);
    if (own > first) s->pending_rows &= ~0u << (own - first); /* rows before were compared with this one */
}

static void compare_pending_row(lt_self *s) {
    uint32_t row = s->next_pair - LANES + (uint32_t)__builtin_ctz(s->pending_rows);
    s->pending_rows &= s->pending_rows - 1;
    compare_blocks(s, row);
}

/* The two tets that are pending. */
static void find_pending(const lt_self *s, uint32_t tets[2]) {
    uint32_t bit = (uint32_t)__builtin_ctzll(s->pending);
    tets[0] = s->tets->places[LANES * s->next + bit / LANES];
    tets[1] = s->tets->places[LANES * s->other_block + bit % LANES];
}

/* Who was settled by its group is measured now. */
static uint32_t pending_cost(const lt_self *s) {
    uint32_t tets[2], cost = LT_SELF_PLANE_UNITS;
    find_pending(s, tets);
    for (int i = 0; i < 2; i++)
        if (!lt_self_has_bit(s->measured, tets[i])) cost += LT_SELF_TET_UNITS;
    return cost;
}

static void look_at_pending(lt_self *s) {
    uint32_t tets[2];
    find_pending(s, tets);
    for (int i = 0; i < 2; i++) {
        if (lt_self_has_bit(s->measured, tets[i])) continue;
        measure_tet(s, tets[i]);
        s->measured[tets[i] / 64] |= (uint64_t)1 << (tets[i] % 64);
    }
    uint32_t a = tets[0], b = tets[1];
    s->pending &= s->pending - 1;
    if (!is_settled_by_plane(s, a, b)) mark_pair(s, a, b);
}

static uint32_t compare_cost(const lt_self *s) {
    return s->pending_blocks ? LT_SELF_BOXES_UNITS : LT_SELF_BLOCK_UNITS;
}

/* Boxes while no pair is pending and they fit; at least one piece. Returns their cost. */
static uint32_t compare_boxes(lt_self *s, uint32_t grant) {
    uint32_t spent = 0;
    do {
        spent += compare_cost(s);
        if (s->pending_blocks) {
            uint32_t lane = (uint32_t)__builtin_ctz(s->pending_blocks);
            s->pending_blocks &= s->pending_blocks - 1;
            compare_tets(s, LANES * s->row + lane);
        } else if (s->pending_rows) {
            compare_pending_row(s);
        } else {
            compare_rows(s);
        }
    } while (s->pending == 0 && s->next < s->tets->block_count && grant - spent >= compare_cost(s));
    return spent;
}

/* ---- the cursor ---- */

/* A body that falls does not move against itself; what is added to the end of all motions is no matter as
 * long as it is the same. */
static lt_vec3 mean_motion(const lt_self *s) {
    uint32_t count = lt_max_u32(s->tets->node_count, 1);
    lt_vec3 mean = lt_v3_from_d3(lt_d3_scale(s->motion_sum, 1.0 / (double)count));
    return lt_v3_is_finite(mean) ? mean : (lt_vec3){0, 0, 0};
}

/* The phase CLEARED: rows of marks, then nodes. */
static uint32_t clear_item_count(const lt_self *s) {
    return lt_self_row_count(s->tets) + s->tets->node_count;
}

static void clear_rows(lt_self *s, uint32_t begin, uint32_t end) {
    size_t words = 2 * (size_t)s->word_count;
    memset(s->marks + words * begin, 0, words * (end - begin) * sizeof *s->marks);
}

static void add_motions(lt_self *s, uint32_t begin, uint32_t end) {
    for (uint32_t node = begin; node < end; node++)
        s->motion_sum =
            lt_d3_add(s->motion_sum, lt_d3_sub(lt_self_node_at(s->to, node), lt_self_node_at(s->from, node)));
}

static uint32_t clear_cost(const lt_self *s) {
    return (s->next == 0) + portion_end(s, 1, clear_item_count(s)) - s->next;
}

static void clear_portion(lt_self *s) {
    uint32_t rows = lt_self_row_count(s->tets), end = portion_end(s, 1, clear_item_count(s));
    if (s->next < rows) clear_rows(s, s->next, lt_min_u32(end, rows));
    if (end > rows) add_motions(s, lt_max_u32(s->next, rows) - rows, end - rows);
    s->next = end;
    if (end == clear_item_count(s)) s->drift = mean_motion(s);
}

static bool is_paper(const lt_self *s) {
    return s->def.lemma == LT_SELF_PAPER;
}

static bool find_measured(lt_self *s) {
    while (s->next < s->tets->tet_count && !lt_self_has_bit(s->measured, s->next))
        s->next++;
    return s->next < s->tets->tet_count;
}

static bool find_open_node(lt_self *s) {
    while (s->next < s->tets->node_count && !s->open_nodes[s->next])
        s->next++;
    return s->next < s->tets->node_count;
}

static bool has_more(lt_self *s) {
    switch (s->phase) {
    case LT_SELF_CLEARED: return s->next < clear_item_count(s);
    case LT_SELF_GROUPS:
    case LT_SELF_OPENED: return s->next < s->tets->group_count;
    case LT_SELF_TETS: return find_measured(s);
    case LT_SELF_NODES: return find_open_node(s);
    case LT_SELF_FACES: return !is_paper(s) && s->next < lt_max_u32(face_item_count(s), 1);
    case LT_SELF_TOUCHES: return !is_paper(s) && find_touch(s);
    case LT_SELF_SECONDS: return find_second(s);
    case LT_SELF_PLACES: return s->next < lt_max_u32(place_item_count(s), 1);
    case LT_SELF_BLOCKS: return s->next < s->tets->block_count;
    case LT_SELF_DONE: break;
    }
    return true;
}

/* Goes on to the phase that has something to do. */
static void find_phase(lt_self *s) {
    while (!has_more(s))
        begin_phase(s, s->phase + 1);
}

void lt_self_begin(lt_self *self, const float *from, const float *to, float separation, float slack) {
    lt_self *s = self;
    s->from = from;
    s->to = to;
    s->separation = separation > 0 ? separation : 0;
    s->slack = slack;
    s->drift = (lt_vec3){0, 0, 0};
    s->motion_sum = (lt_dvec3){0, 0, 0};
    s->marked_count = s->looked_count = s->plane_count = 0;
    s->finished = false;
    s->next_row = 0;
    if (s->tets->group_count == 0) lt_self_open_all(s);
    begin_phase(s, LT_SELF_CLEARED);
}

uint32_t lt_self_begin_cost(const lt_self *self) {
    return 1 + lt_min_u32(LT_SELF_PORTION, clear_item_count(self));
}

uint32_t lt_self_cost(const lt_self *self) {
    const lt_self_tets *t = self->tets;
    switch (self->phase) {
    case LT_SELF_CLEARED: return clear_cost(self);
    case LT_SELF_GROUPS: return lt_self_group_cost(self);
    case LT_SELF_OPENED: return lt_self_open_cost(self);
    case LT_SELF_TETS: return LT_SELF_TET_UNITS;
    case LT_SELF_NODES:
        return LT_SELF_RING_UNITS * (1 + t->ring_begin[self->next + 1] - t->ring_begin[self->next]);
    case LT_SELF_FACES: return face_cost(self);
    case LT_SELF_TOUCHES:
    case LT_SELF_SECONDS: return self->pending ? LT_SELF_PLANE_UNITS : LT_SELF_PAIR_UNITS;
    case LT_SELF_PLACES: return place_cost(self);
    case LT_SELF_BLOCKS: return self->pending ? pending_cost(self) : compare_cost(self);
    case LT_SELF_DONE: break;
    }
    return 0;
}

/* Returns the cost, which is what it was said to be: repeated up to a number of units, the same is done. */
static uint32_t do_piece(lt_self *s, uint32_t cost, uint32_t grant) {
    switch (s->phase) {
    case LT_SELF_CLEARED: clear_portion(s); break;
    case LT_SELF_GROUPS: lt_self_measure_group(s); break;
    case LT_SELF_OPENED: lt_self_open_groups(s); break;
    case LT_SELF_TETS: measure_tet(s, s->next++); break;
    case LT_SELF_NODES: measure_node(s, s->next++); break;
    case LT_SELF_FACES: mark_faces(s); break;
    case LT_SELF_TOUCHES:
    case LT_SELF_SECONDS: look_at_near(s); break;
    case LT_SELF_PLACES: place_boxes(s); break;
    case LT_SELF_BLOCKS:
        if (!s->pending) return compare_boxes(s, grant);
        look_at_pending(s);
        break;
    case LT_SELF_DONE: break;
    }
    return cost;
}

uint32_t lt_self_step(lt_self *self, uint32_t grant) {
    uint32_t spent = 0;
    for (uint32_t cost; (cost = lt_self_cost(self)) > 0 && cost <= grant - spent;) {
        spent += do_piece(self, cost, grant - spent);
        find_phase(self);
    }
    return spent;
}

static void gather_row(lt_self *s, uint32_t row, const lt_mark_source *source) {
    LT_ASSERT(row < lt_self_row_count(s->tets));
    uint32_t words = 2 * s->word_count;
    uint64_t *out = s->marks + (size_t)words * row;
    for (uint32_t i = 0; i < source->count; i++) {
        const uint64_t *in = s->marks + (size_t)words * s->tets->sources[source->first + i];
        for (uint32_t k = 0; k < words; k++)
            out[k] |= in[k];
    }
}

/* Tets and what spans several of them, then boxes, children before parents. */
static void finish_row(lt_self *s, uint32_t row) {
    if (row <= s->tets->tet_count)
        set_bits(s, row, SPANNING_BIT, row == lt_self_spanning_row(s->tets), true);
    else
        gather_row(s, row, &s->tets->boxes[row - s->tets->tet_count - 1]);
}

static uint32_t finish_end(const lt_self *s) {
    uint32_t left = lt_self_row_count(s->tets) - s->next_row;
    return s->next_row + lt_min_u32(LT_SELF_PORTION / LT_SELF_ROW_UNITS, left);
}

uint32_t lt_self_finish_cost(const lt_self *self) {
    return LT_SELF_ROW_UNITS * (finish_end(self) - self->next_row);
}

void lt_self_finish_step(lt_self *self) {
    lt_self *s = self;
    LT_ASSERT(s->phase == LT_SELF_DONE);
    for (uint32_t end = finish_end(s); s->next_row < end; s->next_row++)
        finish_row(s, s->next_row);
    s->finished = s->next_row == lt_self_row_count(s->tets);
}
