/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The ring of pairs. Four rows, each within what is looked at in the one before it; in every row things come in ascending
 * order, so that a place of the ring is four numbers, and a ring that begins in the middle is a matter of where rows begin
 * (first lap) and end (second lap). Between two pieces the state is settled: the next thing is a row to be tested, or a
 * pair. */

#include "detect/boxes.h"
#include "detect/broad_parts.h"

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

static lt_box_columns box_columns(const lt_cell_boxes *boxes) {
    lt_box_columns c = {.count = boxes->layout->box_count};
    memcpy(c.lo, boxes->lo, sizeof c.lo);
    memcpy(c.hi, boxes->hi, sizeof c.hi);
    return c;
}

static lt_box_columns brick_columns(const lt_cell_boxes *boxes) {
    lt_box_columns c = {.count = boxes->layout->brick_count};
    memcpy(c.lo, boxes->brick_lo, sizeof c.lo);
    memcpy(c.hi, boxes->brick_hi, sizeof c.hi);
    return c;
}

/* What a row is of, given those before it. */
static void set_range(const lt_box_search *s, uint32_t depth, lt_box_row *row) {
    const lt_cell_layout *a = first_of(s)->layout, *b = second_of(s)->layout;
    const lt_box_row *rows = s->rows;
    switch (depth) {
    case LT_ROW_BRICKS_A:
        row->next = 0;
        row->end = a->brick_count;
        break;
    case LT_ROW_BRICKS_B:
        row->next = is_self(s) ? rows[LT_ROW_BRICKS_A].at : 0;
        row->end = b->brick_count;
        break;
    case LT_ROW_BOXES_A:
        row->next = a->brick_begin[rows[LT_ROW_BRICKS_A].at];
        row->end = a->brick_begin[rows[LT_ROW_BRICKS_A].at + 1];
        break;
    default:
        row->next = b->brick_begin[rows[LT_ROW_BRICKS_B].at];
        row->end = b->brick_begin[rows[LT_ROW_BRICKS_B].at + 1];
        if (is_self(s)) row->next = lt_max_u32(row->next, rows[LT_ROW_BOXES_A].at + 1);
    }
}

/* Whether all rows before this one stand where the ring begins: then this one does not go beyond that. */
static bool is_on_edge(const lt_box_search *s, uint32_t depth) {
    if (s->pair != s->from_pair || !s->from_within) return false;
    for (uint32_t row = 0; row < depth; row++)
        if (s->rows[row].at != s->from_values[row]) return false;
    return true;
}

/* Where the ring begins what stood there is taken as found, not tested again: however little is granted, a search that was
 * cut goes on. If it does not overlap any more the last row finds nothing. */
static void open_row(lt_box_search *s, uint32_t depth) {
    for (;; depth++) {
        lt_box_row *row = &s->rows[depth];
        bool is_last = depth == LT_ROW_BOXES_B;
        set_range(s, depth, row);
        row->bits = 0;
        s->depth = depth;
        if (!is_on_edge(s, depth)) return;
        uint32_t edge = s->from_values[depth];
        if (s->lap == 1) {
            row->end = lt_min_u32(row->end, edge + !is_last);
            return;
        }
        row->next = lt_max_u32(row->next, edge + !is_last);
        if (is_last) return;
        row->at = edge;
    }
}

/* The box that those of a row are tested against. */
static lt_box box_against(const lt_box_search *s, uint32_t depth) {
    switch (depth) {
    case LT_ROW_BRICKS_A: return second_of(s)->box;
    case LT_ROW_BRICKS_B: return lt_cell_boxes_brick(first_of(s), s->rows[LT_ROW_BRICKS_A].at);
    case LT_ROW_BOXES_A: return lt_cell_boxes_brick(second_of(s), s->rows[LT_ROW_BRICKS_B].at);
    default: return lt_cell_boxes_aabb(first_of(s), s->rows[LT_ROW_BOXES_A].at);
    }
}

static uint32_t word_length(const lt_box_row *row) {
    return lt_min_u32(row->end - row->next, LT_WORD_BITS);
}

static void test_word(lt_box_search *s) {
    lt_box_row *row = &s->rows[s->depth];
    uint32_t length = word_length(row);
    row->first = row->next;
    row->next += length;
    s->kernels->overlapping(&row->bits, &s->columns[s->depth], row->first, row->next,
                            box_against(s, s->depth));
    s->tested += length;
    if (s->depth == LT_ROW_BOXES_B && is_self(s)) {
        const lt_cell_layout *layout = first_of(s)->layout;
        uint32_t brick = s->rows[LT_ROW_BRICKS_B].at;
        uint64_t skips = lt_cell_skips(layout, s->rows[LT_ROW_BOXES_A].at, brick);
        row->bits &= ~(skips >> (row->first - layout->brick_begin[brick]));
    }
}

static void take_bit(lt_box_row *row) {
    row->at = row->first + (uint32_t)__builtin_ctzll(row->bits);
    row->bits &= row->bits - 1;
}

/* ---- pairs of bodies ---- */

static void open_bodies(lt_box_search *s) {
    s->columns[LT_ROW_BRICKS_A] = brick_columns(first_of(s));
    s->columns[LT_ROW_BRICKS_B] = brick_columns(second_of(s));
    s->columns[LT_ROW_BOXES_A] = box_columns(first_of(s));
    s->columns[LT_ROW_BOXES_B] = box_columns(second_of(s));
    open_row(s, LT_ROW_BRICKS_A);
}

/* The second lap ends within the pair in which the first began, or before it. */
static void next_bodies(lt_box_search *s) {
    uint32_t lap_end = s->lap == 0 ? s->input.pair_count : s->from_pair + s->from_within;
    s->pair++;
    if (s->pair >= lap_end && s->lap == 0) {
        s->lap = 1;
        s->pair = 0;
        lap_end = s->from_pair + s->from_within;
    }
    s->done = s->pair >= lap_end;
    if (!s->done) open_bodies(s);
}

/* Goes on to where the next piece is: rows that have ended are left, what was found in a row opens the next one. */
static void settle(lt_box_search *s) {
    while (!s->done) {
        lt_box_row *row = &s->rows[s->depth];
        if (row->bits && s->depth == LT_ROW_BOXES_B) return;
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
    const uint32_t values[LT_ROW_COUNT] = {a->bricks[from->a], b->bricks[from->b], from->a, from->b};
    memcpy(s->from_values, values, sizeof values);
    s->from_within = true;
}

void lt_box_search_begin(lt_box_search *search, const lt_box_search_input *input, const lt_box_pair *from) {
    *search = (lt_box_search){.input = *input, .kernels = lt_broad_kernels_for(input->level)};
    for (uint32_t i = 0; i < input->pair_count; i++) {
        LT_ASSERT(input->pairs[i].a <= input->pairs[i].b);
        LT_ASSERT(lt_cell_boxes_cost(input->bodies[input->pairs[i].a]) == 0);
        LT_ASSERT(lt_cell_boxes_cost(input->bodies[input->pairs[i].b]) == 0);
    }
    if (from) set_from(search, from);
    if (from) search->from = *from;
    search->done = input->pair_count == 0;
    if (search->done) return;
    open_bodies(search);
    settle(search);
}

static bool pair_is_next(const lt_box_search *s) {
    return s->depth == LT_ROW_BOXES_B && s->rows[LT_ROW_BOXES_B].bits;
}

static uint32_t next_cost(const lt_box_search *s) {
    if (s->done) return 0;
    if (pair_is_next(s)) return LT_BOX_PAIR_UNITS;
    return (word_length(&s->rows[s->depth]) + 7) / 8 * 8 + LT_ROW_UNITS;
}

lt_piece lt_box_search_peek(const lt_box_search *search) {
    return (lt_piece){.work = LT_WORK_TRAVERSE, .cost = next_cost(search)};
}

uint32_t lt_box_search_step(lt_box_search *search, uint32_t grant, lt_box_pair *out, uint32_t capacity,
                            uint32_t *count) {
    lt_box_search *s = search;
    uint32_t spent = 0, found = 0;
    for (uint32_t cost; (cost = next_cost(s)) > 0 && cost <= grant - spent; spent += cost) {
        if (!pair_is_next(s)) {
            test_word(s);
        } else if (found < capacity) {
            lt_box_row *row = &s->rows[LT_ROW_BOXES_B];
            take_bit(row);
            out[found++] = (lt_box_pair){bodies_of(s).a, bodies_of(s).b, s->rows[LT_ROW_BOXES_A].at, row->at};
        } else {
            break;
        }
        settle(s);
    }
    *count = found;
    return spent;
}

lt_box_pair lt_box_search_place(const lt_box_search *search) {
    const lt_box_search *s = search;
    if (s->done) return s->from;
    const lt_cell_layout *a = first_of(s)->layout, *b = second_of(s)->layout;
    const lt_box_row *row = &s->rows[s->depth];
    uint32_t value = row->bits ? row->first + (uint32_t)__builtin_ctzll(row->bits) : row->next;
    lt_box_pair place = {bodies_of(s).a, bodies_of(s).b, 0, 0};
    switch (s->depth) {
    case LT_ROW_BRICKS_A:
        place.a = a->brick_begin[value];
        place.b = is_self(s) ? place.a : 0;
        break;
    case LT_ROW_BRICKS_B:
        place.a = a->brick_begin[s->rows[LT_ROW_BRICKS_A].at];
        place.b = b->brick_begin[value];
        break;
    case LT_ROW_BOXES_A:
        place.a = value;
        place.b = b->brick_begin[s->rows[LT_ROW_BRICKS_B].at];
        break;
    default: place.a = s->rows[LT_ROW_BOXES_A].at; place.b = value;
    }
    return place;
}
