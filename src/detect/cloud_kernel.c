/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which points of a cloud are in a box: row by row of its cells, eight points at once. */

#include "detect/cloud.h"

/* The rows of cells that a box covers: runs of cells along x, or single cells where the hash does not keep them together. */
typedef struct rows {
    lt_spatial_cell lo;
    uint32_t x_count, y_count, row_count, run;
    bool everything; /* so many rows that it is cheaper to look at all entries, as one row */
} rows;

static inline uint64_t cells_between(int32_t lo, int32_t hi) {
    return (uint64_t)((int64_t)hi - lo + 1);
}

static inline rows rows_of(const lt_spatial_hash *hash, lt_box box) {
    lt_spatial_cell lo = lt_spatial_cell_of(hash, box.lo), hi = lt_spatial_cell_of(hash, box.hi);
    uint64_t most = 1 + hash->entry_count / 4;
    uint64_t x = cells_between(lo.x, hi.x), y = cells_between(lo.y, hi.y), z = cells_between(lo.z, hi.z);
    bool runs = hash->input.function == LT_SPATIAL_LINEAR;
    rows r = {.lo = lo, .everything = x > most || y > most || z > most || x * y * z > most};
    r.x_count = runs || r.everything ? 1 : (uint32_t)x;
    r.y_count = r.everything ? 1 : (uint32_t)y;
    r.run = runs ? (uint32_t)x : 1;
    r.row_count = r.everything ? 1 : r.x_count * r.y_count * (uint32_t)z;
    return r;
}

/* Rows have numbers, and cells follow from them: beyond the last there may be no cell. */
static inline void next_row(const rows *r, uint32_t at[3]) {
    if (++at[0] < r->x_count) return;
    at[0] = 0;
    if (++at[1] < r->y_count) return;
    at[1] = 0;
    at[2]++;
}

static void begin_rows(const rows *r, uint32_t row, uint32_t at[3]) {
    at[0] = at[1] = at[2] = 0;
    if (row == 0 || row >= r->row_count) return;
    at[0] = row % r->x_count;
    at[1] = row / r->x_count % r->y_count;
    at[2] = row / (r->x_count * r->y_count);
}

/* Entries of a row. A run that goes beyond the last bucket goes on at the first: then everything counts as part of it, which
 * is rare and harmless, since entries are asked for their cells. */
typedef struct span {
    uint32_t begin, end;
} span;

static inline span span_of(const lt_spatial_hash *hash, const rows *r, lt_spatial_cell cell) {
    uint32_t first = lt_spatial_bucket_of(hash, cell), last = first + r->run - 1;
    if (r->everything || last >= hash->bucket_count) return (span){0, hash->entry_count};
    return (span){first ? hash->bucket_ends[first - 1] : 0, hash->bucket_ends[last]};
}

static inline bool is_of_row(const rows *r, lt_spatial_cell first, lt_spatial_cell cell) {
    int64_t x = (int64_t)cell.x - first.x;
    return r->everything || (cell.y == first.y && cell.z == first.z && x >= 0 && x < (int64_t)r->run);
}

/* ---- eight at once ---- */

typedef struct wide_question {
    lt_f8 lo[3], hi[3], share, but, first, last;
} wide_question;

static inline wide_question widen(const lt_cloud_question *q) {
    bool any = q->only < 0;
    return (wide_question){{lt_f8_splat(q->box.lo.x), lt_f8_splat(q->box.lo.y), lt_f8_splat(q->box.lo.z)},
                           {lt_f8_splat(q->box.hi.x), lt_f8_splat(q->box.hi.y), lt_f8_splat(q->box.hi.z)},
                           lt_f8_splat(q->share),
                           lt_f8_splat(q->but),
                           lt_f8_splat(any ? 0 : q->only),
                           lt_f8_splat(any ? 1e30f : q->only)};
}

static inline uint32_t inside_bits(const float *block, const wide_question *q) {
    lt_f8 reach = lt_f8_mul(q->share, lt_f8_load(block + 24)), kind = lt_f8_load(block + 32);
    lt_f8m in = lt_f8m_or(lt_f8_less(kind, q->but), lt_f8_less(q->but, kind));
    in = lt_f8m_and(in, lt_f8m_and(lt_f8_less_equal(q->first, kind), lt_f8_less_equal(kind, q->last)));
    for (int k = 0; k < 3; k++) {
        lt_f8 p = lt_f8_load(block + 8 * k);
        in = lt_f8m_and(in, lt_f8_less_equal(lt_f8_sub(q->lo[k], reach), p));
        in = lt_f8m_and(in, lt_f8_less_equal(p, lt_f8_add(q->hi[k], reach)));
    }
    return lt_f8m_bits(in);
}

/* The first and the last block of a row have entries of other rows, too. */
static inline uint32_t find_in_block(uint32_t *out, const lt_cloud *cloud, const rows *r,
                                     lt_spatial_cell first, const wide_question *q, span s, uint32_t block) {
    uint32_t bits = inside_bits(cloud->blocks + LT_CLOUD_BLOCK * (size_t)block, q), found = 0, at = 8 * block;
    if (s.begin > at) bits &= 0xffu << (s.begin - at);
    if (s.end - at < 8) bits &= (1u << (s.end - at)) - 1;
    for (; bits; bits &= bits - 1) {
        uint32_t entry = at + (uint32_t)__builtin_ctz(bits);
        if (is_of_row(r, first, cloud->hash.entries[entry].cell)) out[found++] = entry;
    }
    return found;
}

static rows rows_of_question(const lt_cloud *cloud, const lt_cloud_question *q) {
    float longest = q->share * cloud->longest_reach;
    lt_box box = {{q->box.lo.x - longest, q->box.lo.y - longest, q->box.lo.z - longest},
                  {q->box.hi.x + longest, q->box.hi.y + longest, q->box.hi.z + longest}};
    bool ordered = box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z;
    if (!ordered || cloud->hash.entry_count == 0) return (rows){.row_count = 0};
    return rows_of(&cloud->hash, box);
}

static uint32_t find(uint32_t *out, const lt_cloud *cloud, const lt_cloud_question *question,
                     lt_cloud_walk *walk) {
    rows r = rows_of_question(cloud, question);
    wide_question wide = widen(question);
    uint32_t found = 0, seen = 0, enough = question->enough;
    uint32_t at[3];
    begin_rows(&r, walk->row, at);
    for (; walk->row < r.row_count; walk->row++, walk->at = 0, next_row(&r, at)) {
        lt_spatial_cell cell = {r.lo.x + (int32_t)at[0], r.lo.y + (int32_t)at[1], r.lo.z + (int32_t)at[2]};
        span s = span_of(&cloud->hash, &r, cell);
        uint32_t first = s.begin / 8, block = first + walk->at,
                 end = s.begin < s.end ? (s.end + 7) / 8 : first;
        for (seen++; block < end && found < enough && seen < LT_CLOUD_VISITS; seen++, block++)
            found += find_in_block(out + found, cloud, &r, cell, &wide, s, block);
        if (block < end || seen >= LT_CLOUD_VISITS) {
            walk->at = block - first;
            return found;
        }
    }
    walk->row = LT_NONE;
    return found;
}

extern const lt_cloud_kernels LT_KERNEL(lt_cloud_kernels);
const lt_cloud_kernels LT_KERNEL(lt_cloud_kernels) = {find};
