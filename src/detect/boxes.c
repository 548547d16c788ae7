/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The ring of pairs. Two rows of bricks, the second within what is looked at in the first, and a block of boxes within that; in
 * all of them things come in ascending order, so that a place of the ring is four numbers, and a ring that begins in the
 * middle is a matter of where rows begin (first lap) and end (second lap). Between two pieces the state is settled: the
 * next thing is a row or a block to be tested, or a pair. */

#include "detect/boxes.h"
#include "detect/broad_internal.h"

static lt_body_pair bodies_of(const lt_box_search *s) {
    return s->input.pairs[s->pair];
}
static const lt_cell_boxes *first_of(const lt_box_search *s) {
    return s->input.bodies[bodies_of(s).a];
}
static const lt_cell_boxes *second_of(const lt_box_search *s) {
    return s->input.bodies[bodies_of(s).b];
}
static bool is_self(const lt_box_search *s) {
    return bodies_of(s).a == bodies_of(s).b;
}

/* ---- rows ---- */

static lt_box_columns brick_columns(const lt_cell_boxes *boxes) {
    lt_box_columns c = {.count = boxes->layout->brick_count};
    memcpy(c.lo, boxes->brick_lo, sizeof c.lo);
    memcpy(c.hi, boxes->brick_hi, sizeof c.hi);
    return c;
}

/* Whether all rows before this one stand where the ring begins: then this one does not go beyond that. */
static bool is_on_edge(const lt_box_search *s, uint32_t depth) {
    if (s->pair != s->from_pair || !s->from_within) return false;
    for (uint32_t row = 0; row < depth; row++)
        if (s->rows[row].at != s->from_bricks[row]) return false;
    return true;
}

static void open_block(lt_box_search *s) {
    const lt_cell_layout *a = first_of(s)->layout, *b = second_of(s)->layout;
    uint32_t brick_a = s->rows[LT_ROW_BRICKS_A].at, brick_b = s->rows[LT_ROW_BRICKS_B].at;
    s->depth = LT_ROW_COUNT;
    s->block.a = a->brick_begin[brick_a];
    s->block.b = b->brick_begin[brick_b];
    s->block.count_a = a->brick_begin[brick_a + 1] - s->block.a;
    s->block.count_b = b->brick_begin[brick_b + 1] - s->block.b;
    s->block.row = 0;
    s->block.tested = false;
}

/* Where the ring begins bricks that stood there are taken as found, not tested again. If they do not overlap any more the
 * block finds nothing. */
static void open_row(lt_box_search *s, uint32_t depth) {
    for (; depth < LT_ROW_COUNT; depth++) {
        lt_box_row *row = &s->rows[depth];
        row->next = depth == LT_ROW_BRICKS_B && is_self(s) ? s->rows[LT_ROW_BRICKS_A].at : 0;
        row->end = (depth == LT_ROW_BRICKS_A ? first_of(s) : second_of(s))->layout->brick_count;
        row->bits = 0;
        s->depth = depth;
        if (!is_on_edge(s, depth)) return;
        uint32_t edge = s->from_bricks[depth];
        if (s->lap == 1) {
            row->end = lt_min_u32(row->end, edge + 1);
            return;
        }
        row->next = lt_max_u32(row->next, edge + 1);
        row->at = edge;
    }
    open_block(s);
}

static uint32_t word_length(const lt_box_row *row) {
    return lt_min_u32(row->end - row->next, LT_WORD_BITS);
}

/* Bricks of a against the whole of b, bricks of b against the one of a. */
static void test_word(lt_box_search *s) {
    lt_box_row *row = &s->rows[s->depth];
    bool is_first = s->depth == LT_ROW_BRICKS_A;
    lt_box_columns columns = brick_columns(is_first ? first_of(s) : second_of(s));
    lt_box against =
        is_first ? second_of(s)->box : lt_cell_boxes_brick(first_of(s), s->rows[LT_ROW_BRICKS_A].at);
    against = lt_box_inflate(against, s->input.margin);
    uint32_t length = word_length(row);
    row->first = row->next;
    row->next += length;
    s->kernels->overlapping(&row->bits, &columns, row->first, row->next, against);
    s->tested += length;
}

static void take_bit(lt_box_row *row) {
    row->at = row->first + (uint32_t)__builtin_ctzll(row->bits);
    row->bits &= row->bits - 1;
}

/* ---- blocks ---- */

/* Bits at and above a place that may be 64. */
static uint64_t bits_from(uint32_t place) {
    return place < 64 ? UINT64_MAX << place : 0;
}

static void leave_out_neighbours(lt_box_search *s) {
    lt_box_block *block = &s->block;
    const uint64_t *skips =
        lt_cell_block_skips(first_of(s)->layout, s->rows[LT_ROW_BRICKS_A].at, s->rows[LT_ROW_BRICKS_B].at);
    for (uint32_t i = 0; i < block->count_a && skips; i++)
        block->bits[i] &= ~skips[i];
    for (uint32_t i = 0; i < block->count_a && block->a == block->b; i++)
        block->bits[i] &= bits_from(i + 1);
}

/* On the edge: the first lap begins at the place, the second ends before it. */
static void trim_block(lt_box_search *s) {
    uint32_t row = s->from.a - s->block.a, bit = s->from.b - s->block.b;
    for (uint32_t i = 0; i < s->block.count_a; i++) {
        uint64_t before = i < row ? UINT64_MAX : i > row ? 0 : ~bits_from(bit);
        s->block.bits[i] &= s->lap == 0 ? ~before : before;
    }
}

static void test_block(lt_box_search *s) {
    lt_box_block *block = &s->block;
    lt_box within = lt_cell_boxes_brick(second_of(s), s->rows[LT_ROW_BRICKS_B].at);
    uint32_t tested = s->block_kernels->overlapping_block(block->bits, first_of(s), block->a,
                                                          block->a + block->count_a, second_of(s), block->b,
                                                          block->b + block->count_b, within, s->input.margin);
    s->tested += block->count_a + (uint64_t)tested * block->count_b;
    if (is_self(s)) leave_out_neighbours(s);
    if (is_on_edge(s, LT_ROW_COUNT)) trim_block(s);
    block->tested = true;
}

/* To the next row with something to look at; false: there is none. */
static bool settle_block(lt_box_block *block) {
    while (block->row < block->count_a && !block->bits[block->row])
        block->row++;
    return block->row < block->count_a;
}

/* ---- pairs of bodies ---- */

/* The second lap ends within the pair in which the first began, or before it. */
static void next_bodies(lt_box_search *s) {
    uint32_t lap_end = s->lap == 0 ? s->input.pair_count : s->from_pair + s->from_within;
    s->pair++;
    if (s->pair >= lap_end && s->lap == 0 && !s->input.one_lap) {
        s->lap = 1;
        s->pair = 0;
        lap_end = s->from_pair + s->from_within;
    }
    s->done = s->pair >= lap_end;
    if (!s->done) open_row(s, LT_ROW_BRICKS_A);
}

/* Goes on to where the next piece is: what has ended is left, what was found in a row opens the next one. */
static void settle(lt_box_search *s) {
    while (!s->done) {
        if (s->depth == LT_ROW_COUNT) {
            if (!s->block.tested || settle_block(&s->block)) return;
            s->depth--;
            continue;
        }
        lt_box_row *row = &s->rows[s->depth];
        if (row->bits) {
            take_bit(row);
            open_row(s, s->depth + 1);
        } else if (row->next < row->end) {
            return;
        } else if (s->depth > 0) {
            s->depth--;
        } else {
            next_bodies(s);
        }
    }
}

/* ---- the ring ---- */

static bool comes_before(lt_body_pair x, const lt_box_pair *y) {
    return x.a != y->body_a ? x.a < y->body_a : x.b < y->body_b;
}

static void set_from(lt_box_search *s, const lt_box_pair *from) {
    const lt_box_search_input *in = &s->input;
    uint32_t lo = 0, hi = in->pair_count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (comes_before(in->pairs[middle], from))
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo == in->pair_count) return; /* of bodies that are not there any more */
    s->pair = s->from_pair = lo;
    if (in->pairs[lo].a != from->body_a || in->pairs[lo].b != from->body_b) return;
    const lt_cell_layout *a = first_of(s)->layout, *b = second_of(s)->layout;
    if (from->a >= a->box_count || from->b >= b->box_count || (is_self(s) && from->b < from->a)) return;
    s->from_bricks[LT_ROW_BRICKS_A] = a->bricks[from->a];
    s->from_bricks[LT_ROW_BRICKS_B] = b->bricks[from->b];
    s->from_within = true;
}

void lt_box_search_begin(lt_box_search *search, const lt_box_search_input *input, const lt_box_pair *from) {
    search->input = *input;
    search->kernels = lt_broad_kernels_for(input->level);
    search->block_kernels = lt_box_kernels_for(input->level);
    search->from = (lt_box_pair){0};
    search->from_pair = search->pair = search->lap = 0;
    search->from_within = false;
    search->tested = 0;
    for (uint32_t i = 0; i < input->pair_count; i++) {
        LT_ASSERT(input->pairs[i].a <= input->pairs[i].b);
        LT_ASSERT(lt_cell_boxes_cost(input->bodies[input->pairs[i].a]) == 0);
        LT_ASSERT(lt_cell_boxes_cost(input->bodies[input->pairs[i].b]) == 0);
    }
    if (from) search->from = *from;
    if (from) set_from(search, from);
    search->done = input->pair_count == 0;
    if (search->done) return;
    open_row(search, LT_ROW_BRICKS_A);
    settle(search);
}

static bool pair_is_next(const lt_box_search *s) {
    return s->depth == LT_ROW_COUNT && s->block.tested;
}

static uint32_t next_cost(const lt_box_search *s) {
    if (s->done) return 0;
    if (pair_is_next(s)) return LT_BOX_PAIR_UNITS;
    if (s->depth == LT_ROW_COUNT) return LT_BLOCK_UNITS + s->block.count_a * (2 + (s->block.count_b + 7) / 8);
    return (word_length(&s->rows[s->depth]) + 7) / 8 * 8 + LT_ROW_UNITS;
}

lt_piece lt_box_search_peek(const lt_box_search *search) {
    return (lt_piece){.work = LT_WORK_TRAVERSE, .cost = next_cost(search)};
}

static lt_box_pair next_pair(const lt_box_search *s) {
    const lt_box_block *block = &s->block;
    return (lt_box_pair){bodies_of(s).a, bodies_of(s).b, block->a + block->row,
                         block->b + (uint32_t)__builtin_ctzll(block->bits[block->row])};
}

static lt_box_pair take_pair(lt_box_search *s) {
    lt_box_pair pair = next_pair(s);
    s->block.bits[s->block.row] &= s->block.bits[s->block.row] - 1;
    return pair;
}

uint32_t lt_box_search_step(lt_box_search *search, uint32_t grant, lt_box_pair *out, uint32_t capacity,
                            uint32_t *count) {
    lt_box_search *s = search;
    uint32_t spent = 0, found = 0;
    for (uint32_t cost; found < capacity && (cost = next_cost(s)) > 0 && cost <= grant - spent;) {
        if (pair_is_next(s))
            out[found++] = take_pair(s);
        else if (s->depth == LT_ROW_COUNT)
            test_block(s);
        else
            test_word(s);
        spent += cost;
        settle(s);
    }
    *count = found;
    return spent;
}

lt_box_pair lt_box_search_place(const lt_box_search *search) {
    const lt_box_search *s = search;
    if (s->done) return s->from;
    if (pair_is_next(s)) return next_pair(s);
    lt_box_pair place = {bodies_of(s).a, bodies_of(s).b, s->block.a, s->block.b};
    if (s->depth == LT_ROW_COUNT) return s->lap == 0 && is_on_edge(s, LT_ROW_COUNT) ? s->from : place;
    const lt_cell_layout *a = first_of(s)->layout, *b = second_of(s)->layout;
    const lt_box_row *row = &s->rows[s->depth];
    if (s->depth == LT_ROW_BRICKS_A) {
        place.a = a->brick_begin[row->next];
        place.b = is_self(s) ? place.a : 0;
    } else {
        place.a = a->brick_begin[s->rows[LT_ROW_BRICKS_A].at];
        place.b = b->brick_begin[row->next];
    }
    return place;
}
