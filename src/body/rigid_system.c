/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The matrix of the rigid stage: blocks of 6×6 by members, those between two of them where there is a pair.
 *
 * It is factored in an order of least degree, ties by member: fixed by the island alone, so that the same bodies in the same places give
 * the same bits. A heap of 16 bodies with some 30 pairs fills in to about 70 blocks. Beyond LT_RIGID_DIRECT members, or where it
 * fills in too much, conjugate gradients with the diagonal blocks take its place.
 *
 * In double: a light body on a heavy one, with contacts 400 times as stiff as its mass, is what this stage is there for. */

#include "body/implicit.h"

#include <string.h>

enum {
    LT_RIGID_DIRECT = 128, /* most members that are factored */
    MAX_GRADIENTS =
        48 /* iterations in place of a factor, and one a member: so far one end of a row is from the other */
};
static const double GRADIENTS_TO = 1e-9; /* of the energy to be gained, that they may leave */

/* ---- scratch ---- */

static uint32_t words_of(uint32_t member_count) {
    return (member_count + 63) / 64;
}

static uint32_t block_capacity_of(uint32_t member_count) {
    uint32_t all = member_count > 2 ? (member_count - 1) * member_count / 2 : 1;
    return member_count + lt_min_u32(all, 8 * member_count + 32);
}

static bool carve(lt_rigid_level *level, uint32_t members, uint32_t couplings, lt_arena *arena) {
    bool direct = members <= LT_RIGID_DIRECT;
    uint32_t blocks = direct ? block_capacity_of(members) : members;
    *level = (lt_rigid_level){.rows = LT_TAKE(arena, members, lt_rigid_row),
                              .pairs = LT_TAKE(arena, couplings, lt_rigid_pair),
                              .direct = direct,
                              .blocks = LT_TAKE(arena, blocks, lt_block6),
                              .block_capacity = blocks};
    bool ok = level->rows && level->pairs && level->blocks;
    for (int i = 0; i < 3; i++) {
        level->vectors[i] = (double(*)[LT_RIGID])LT_TAKE(arena, LT_RIGID * (size_t)members, double);
        ok = ok && level->vectors[i];
    }
    if (!direct) return ok;
    level->order = LT_TAKE(arena, 2 * (size_t)members, uint32_t);
    level->column_begin = LT_TAKE(arena, (size_t)members + 1 + blocks, uint32_t);
    level->places = LT_TAKE(arena, (size_t)members * members, uint32_t);
    level->links = LT_TAKE(arena, (size_t)members * words_of(members), uint64_t);
    ok = ok && level->order && level->column_begin && level->places && level->links;
    if (!ok) return false;
    level->positions = level->order + members;
    level->column_rows = level->column_begin + members + 1;
    return true;
}

size_t lt_rigid_scratch(uint32_t members, uint32_t couplings) {
    size_t blocks = members <= LT_RIGID_DIRECT ? block_capacity_of(members) : members;
    size_t table = lt_min_u32(members, LT_RIGID_DIRECT);
    return sizeof(lt_rigid_level) +
           members * (sizeof(lt_rigid_row) + 3 * LT_RIGID * sizeof(double) + 3 * sizeof(uint32_t)) +
           couplings * sizeof(lt_rigid_pair) + blocks * (sizeof(lt_block6) + sizeof(uint32_t)) +
           table * table * sizeof(uint32_t) + table * words_of((uint32_t)table) * sizeof(uint64_t) + 16 * 64;
}

bool lt_rigid_take(lt_island *island, lt_arena *arena) {
    island->rigid = LT_TAKE(arena, 1, lt_rigid_level);
    if (!island->rigid || !carve(island->rigid, island->member_count, island->coupling_count, arena))
        return false;
    for (uint32_t m = 0; m < island->member_count; m++)
        island->members[m].rigid = &island->rigid->rows[m];
    return true;
}

/* ---- the factor ---- */

static uint32_t *place_of(lt_rigid_level *level, uint32_t member_count, uint32_t a, uint32_t b) {
    return &level->places[(size_t)lt_min_u32(a, b) * member_count + lt_max_u32(a, b)];
}

static uint32_t count_links(const uint64_t *links, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++)
        count += (uint32_t)__builtin_popcountll(links[w]);
    return count;
}

static void link_members(lt_rigid_level *level, uint32_t member_count) {
    uint32_t words = words_of(member_count);
    memset(level->links, 0, (size_t)member_count * words * sizeof *level->links);
    for (uint32_t p = 0; p < level->pair_count; p++) {
        uint32_t a = level->pairs[p].a, b = level->pairs[p].b;
        if (b == LT_NONE || a == b) continue;
        level->links[(size_t)a * words + b / 64] |= 1ull << b % 64;
        level->links[(size_t)b * words + a / 64] |= 1ull << a % 64;
    }
}

/* Of those that are left, the one with the fewest neighbours, the lowest of such. */
static uint32_t next_eliminated(const lt_rigid_level *level, uint32_t member_count) {
    uint32_t words = words_of(member_count), best = LT_NONE, least = UINT32_MAX;
    for (uint32_t m = 0; m < member_count; m++) {
        if (level->positions[m] != LT_NONE) continue;
        uint32_t degree = count_links(level->links + (size_t)m * words, words);
        if (degree >= least) continue;
        least = degree;
        best = m;
    }
    return best;
}

/* Its neighbours become each other's. */
static void eliminate(lt_rigid_level *level, uint32_t member_count, uint32_t member) {
    uint32_t words = words_of(member_count);
    const uint64_t *own = level->links + (size_t)member * words;
    for (uint32_t other = 0; other < member_count; other++) {
        if (!(own[other / 64] >> other % 64 & 1)) continue;
        uint64_t *links = level->links + (size_t)other * words;
        for (uint32_t w = 0; w < words; w++)
            links[w] |= own[w];
        links[other / 64] &= ~(1ull << other % 64);
        links[member / 64] &= ~(1ull << member % 64);
    }
}

/* The order, and which blocks there are; not direct where there are too many. */
void lt_rigid_plan(const lt_island *island) {
    lt_rigid_level *level = island->rigid;
    uint32_t count = island->member_count, words = words_of(count), block = count;
    if (!level->direct) return;
    link_members(level, count);
    for (uint32_t m = 0; m < count; m++)
        level->positions[m] = LT_NONE;
    for (size_t i = 0; i < (size_t)count * count; i++)
        level->places[i] = LT_NONE;
    for (uint32_t position = 0; position < count; position++) {
        uint32_t member = next_eliminated(level, count);
        const uint64_t *own = level->links + (size_t)member * words;
        level->order[position] = member;
        level->positions[member] = position;
        level->column_begin[position] = block;
        for (uint32_t other = 0; other < count; other++) {
            if (!(own[other / 64] >> other % 64 & 1)) continue;
            if (block == level->block_capacity) {
                level->direct = false;
                return;
            }
            level->column_rows[block] = other;
            *place_of(level, count, member, other) = block++;
        }
        eliminate(level, count, member);
    }
    level->column_begin[count] = block;
}

static lt_block6 *block_at(const lt_rigid_level *level, uint32_t index) {
    LT_ASSERT(index < level->block_capacity);
    return &level->blocks[index];
}

/* S T, T what relative_motion does to b: columns of spin get the shift. */
static void shift_columns(lt_block6 *to, const lt_block6 *from, const double shift[3]) {
    double(*out)[LT_RIGID] = to->at;
    const double(*s)[LT_RIGID] = (const double(*)[LT_RIGID])from->at;
    for (int i = 0; i < LT_RIGID; i++) {
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            out[i][k] = s[i][k];
            /* spin k moves along m by shift l, along l by −shift m */
            out[i][3 + k] = s[i][3 + k] + s[i][m] * shift[l] - s[i][l] * shift[m];
        }
    }
}

static void add_block(lt_block6 *out, const lt_block6 *in, double factor, bool transposed) {
    for (int i = 0; i < LT_RIGID; i++)
        for (int j = 0; j < LT_RIGID; j++)
            out->at[i][j] += factor * (transposed ? in->at[j][i] : in->at[i][j]);
}

static void transpose6(lt_block6 *block) {
    double(*m)[LT_RIGID] = block->at;
    for (int i = 0; i < LT_RIGID; i++)
        for (int j = 0; j < i; j++) {
            double value = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = value;
        }
}

/* Tᵀ S T */
static void shift_both(lt_block6 *out, const lt_block6 *s, const double shift[3]) {
    lt_block6 half;
    shift_columns(&half, s, shift);
    transpose6(&half);
    shift_columns(out, &half, shift);
}

static void fill_blocks(const lt_island *island) {
    lt_rigid_level *level = island->rigid;
    uint32_t count = island->member_count;
    uint32_t end = level->direct ? level->column_begin[count] : count;
    memset(level->blocks, 0, end * sizeof *level->blocks);
    for (uint32_t m = 0; m < count; m++)
        if (lt_is_implicit(&island->members[m])) *block_at(level, m) = level->rows[m].weight;
    for (uint32_t p = 0; p < level->pair_count; p++) {
        const lt_rigid_pair *pair = &level->pairs[p];
        lt_block6 other;
        if (pair->a == pair->b) continue; /* a body in touch with itself moves as one */
        add_block(block_at(level, pair->a), &pair->moments, 1, false);
        if (pair->b == LT_NONE) continue;
        shift_both(&other, &pair->moments, pair->shift);
        add_block(block_at(level, pair->b), &other, 1, false);
        if (!level->direct) continue;
        shift_columns(&other, &pair->moments, pair->shift); /* row a, column b */
        bool b_first = level->positions[pair->b] < level->positions[pair->a];
        add_block(block_at(level, *place_of(level, count, pair->a, pair->b)), &other, -1, !b_first);
    }
}

/* X L⁻ᵀ for one row of a column. */
static void scale_row(lt_block6 *x, const lt_block6 *factor) {
    for (int i = 0; i < LT_RIGID; i++)
        lt_solve_lower6(factor, x->at[i]);
}

/* out −= X Yᵀ */
static void subtract_product(lt_block6 *out, const lt_block6 *x, const lt_block6 *y) {
    for (int i = 0; i < LT_RIGID; i++)
        for (int j = 0; j < LT_RIGID; j++)
            out->at[i][j] -= lt_dot6(x->at[i], y->at[j]);
}

static void factor_column(lt_rigid_level *level, uint32_t count, uint32_t position) {
    uint32_t begin = level->column_begin[position], end = level->column_begin[position + 1];
    lt_block6 *pivot = block_at(level, level->order[position]);
    lt_factor6(pivot);
    for (uint32_t i = begin; i < end; i++)
        scale_row(block_at(level, i), pivot);
    for (uint32_t i = begin; i < end; i++) {
        uint32_t row = level->column_rows[i];
        const lt_block6 *x = block_at(level, i);
        subtract_product(block_at(level, row), x, x);
        for (uint32_t j = begin; j < i; j++) {
            uint32_t other = level->column_rows[j];
            const lt_block6 *y = block_at(level, j);
            lt_block6 *target = block_at(level, *place_of(level, count, row, other));
            if (level->positions[row] < level->positions[other])
                subtract_product(target, y, x);
            else
                subtract_product(target, x, y);
        }
    }
}

static void factor_blocks(const lt_island *island) {
    lt_rigid_level *level = island->rigid;
    uint32_t count = island->member_count;
    if (!level->direct) {
        for (uint32_t m = 0; m < count; m++)
            lt_factor6(block_at(level, m));
        return;
    }
    for (uint32_t position = 0; position < count; position++)
        factor_column(level, count, position);
}

static void solve_direct(lt_rigid_level *level, uint32_t count) {
    for (uint32_t m = 0; m < count; m++)
        memcpy(level->rows[m].step, level->rows[m].slope, sizeof level->rows[m].step);
    for (uint32_t position = 0; position < count; position++) {
        double *own = level->rows[level->order[position]].step;
        lt_solve_lower6(block_at(level, level->order[position]), own);
        for (uint32_t i = level->column_begin[position]; i < level->column_begin[position + 1]; i++) {
            double pulled[LT_RIGID], *other = level->rows[level->column_rows[i]].step;
            lt_multiply6(pulled, block_at(level, i), own);
            for (int k = 0; k < LT_RIGID; k++)
                other[k] -= pulled[k];
        }
    }
    for (uint32_t position = count; position-- > 0;) {
        double *own = level->rows[level->order[position]].step;
        for (uint32_t i = level->column_begin[position]; i < level->column_begin[position + 1]; i++) {
            const double *other = level->rows[level->column_rows[i]].step;
            const lt_block6 *x = block_at(level, i);
            for (int k = 0; k < LT_RIGID; k++)
                for (int l = 0; l < LT_RIGID; l++)
                    own[k] -= x->at[l][k] * other[l];
        }
        lt_solve_upper6(block_at(level, level->order[position]), own);
    }
}

/* ---- in place of a factor ---- */

/* out = (W + Σ Jᵀ G J) in. */
static void multiply_rows(const lt_island *island, double (*out)[LT_RIGID], double (*in)[LT_RIGID]) {
    const lt_rigid_level *level = island->rigid;
    for (uint32_t m = 0; m < island->member_count; m++)
        lt_multiply6(out[m], &level->rows[m].weight, in[m]);
    for (uint32_t p = 0; p < level->pair_count; p++) {
        const lt_rigid_pair *pair = &level->pairs[p];
        double motion[LT_RIGID], wrench[LT_RIGID], other[LT_RIGID];
        lt_relative_motion(motion, pair, in[pair->a], pair->b == LT_NONE ? NULL : in[pair->b]);
        lt_multiply6(wrench, &pair->moments, motion);
        for (int k = 0; k < LT_RIGID; k++)
            out[pair->a][k] += wrench[k];
        if (pair->b == LT_NONE) continue;
        lt_shift_wrench(other, pair, wrench);
        for (int k = 0; k < LT_RIGID; k++)
            out[pair->b][k] -= other[k];
    }
}

/* z = the diagonal blocks' answer to r, where z is another; returns r·z. */
static double precondition_rows(const lt_island *island, double (*z)[LT_RIGID]) {
    const lt_rigid_level *level = island->rigid;
    double sum = 0;
    for (uint32_t m = 0; m < island->member_count; m++) {
        memcpy(z[m], level->rows[m].slope, sizeof z[m]);
        lt_solve_lower6(block_at(level, m), z[m]);
        lt_solve_upper6(block_at(level, m), z[m]);
        sum += lt_dot6(z[m], level->rows[m].slope);
    }
    return sum;
}

uint32_t lt_rigid_most_gradients(const lt_island *island) {
    return MAX_GRADIENTS + island->member_count;
}

/* Uses slopes up: they are found anew after each step. */
static uint32_t solve_by_gradients(const lt_island *island) {
    lt_rigid_level *level = island->rigid;
    uint32_t count = island->member_count;
    double(*p)[LT_RIGID] = level->vectors[0], (*q)[LT_RIGID] = level->vectors[1],
    (*z)[LT_RIGID] = level->vectors[2];
    for (uint32_t m = 0; m < count; m++)
        memset(level->rows[m].step, 0, sizeof level->rows[m].step);
    double size = precondition_rows(island, p), first = size;
    uint32_t done = 0;
    for (; done < lt_rigid_most_gradients(island) && size > GRADIENTS_TO * first; done++) {
        double curvature = 0;
        multiply_rows(island, q, p);
        for (uint32_t m = 0; m < count; m++)
            curvature += lt_dot6(p[m], q[m]);
        if (!(curvature > 0)) break;
        for (uint32_t m = 0; m < count; m++)
            for (int k = 0; k < LT_RIGID; k++) {
                level->rows[m].step[k] += size / curvature * p[m][k];
                level->rows[m].slope[k] -= size / curvature * q[m][k];
            }
        double next = precondition_rows(island, z), turn = next / size;
        for (uint32_t m = 0; m < count; m++)
            for (int k = 0; k < LT_RIGID; k++)
                p[m][k] = z[m][k] + turn * p[m][k];
        size = next;
    }
    return done;
}

uint32_t lt_rigid_solve(const lt_island *island) {
    fill_blocks(island);
    factor_blocks(island);
    if (!island->rigid->direct) return solve_by_gradients(island);
    solve_direct(island->rigid, island->member_count);
    return 0;
}
