/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "core/stream.h"

#include "core/pack.h"

lt_stream lt_stream_measure(void) {
    return (lt_stream){.mode = LT_STREAM_MEASURE};
}

lt_stream lt_stream_save(void *out, size_t capacity) {
    return (lt_stream){.mode = LT_STREAM_SAVE, .out = out, .size = capacity};
}

lt_stream lt_stream_check(const void *bytes, size_t size, lt_arena *drafts) {
    return (lt_stream){.mode = LT_STREAM_CHECK, .in = bytes, .size = size, .drafts = drafts};
}

lt_stream lt_stream_load(const void *bytes, size_t size) {
    return (lt_stream){.mode = LT_STREAM_LOAD, .in = bytes, .size = size};
}

lt_stream lt_stream_hash(uint64_t hash) {
    return (lt_stream){.mode = LT_STREAM_HASH, .hash = hash};
}

/* ---- single values ---- */

void lt_stream_bool(lt_stream *s, bool *value) {
    uint8_t byte = lt_stream_reads(s) ? 0 : *value;
    lt_stream_mix(s, byte);
    lt_stream_raw(s, &byte, sizeof byte);
    lt_stream_expect(s, byte <= 1);
    if (lt_stream_reads(s)) *value = byte == 1;
}

void lt_stream_origin(lt_stream *s, double origin[3], double most) {
    if (lt_stream_hashes(s) && origin[0] == 0 && origin[1] == 0 && origin[2] == 0) return;
    lt_stream_bytes(s, origin, 3 * sizeof *origin);
    for (int k = 0; k < 3; k++)
        lt_stream_expect(s, origin[k] >= -most && origin[k] <= most);
}

uint32_t lt_stream_enum(lt_stream *s, uint32_t value, uint32_t count) {
    lt_stream_u32(s, &value);
    lt_stream_expect(s, value < count);
    return lt_stream_checks(s) && value >= count ? 0 : value;
}

void lt_stream_count(lt_stream *s, uint32_t *count, uint32_t most) {
    lt_stream_raw(s, count, sizeof *count);
    lt_stream_expect(s, *count <= most);
    if (s->failed) *count = 0;
}

void lt_stream_same(lt_stream *s, uint64_t value) {
    uint64_t saved = value;
    lt_stream_raw(s, &saved, sizeof saved);
    lt_stream_expect(s, saved == value);
}

/* ---- blocks ---- */

void *lt_stream_begin_block(lt_stream *s, void *live, size_t size) {
    LT_ASSERT(!s->in_block);
    s->in_block = true;
    if (s->mode != LT_STREAM_CHECK) return live;
    s->draft_mark = lt_arena_mark(s->drafts);
    void *draft = s->failed ? NULL : lt_arena_take(s->drafts, size, 1);
    s->failed = !draft;
    return draft;
}

void lt_stream_end_block(lt_stream *s) {
    LT_ASSERT(s->in_block);
    s->in_block = false;
    if (s->mode == LT_STREAM_CHECK) lt_arena_rewind(s->drafts, s->draft_mark);
}

static void visit_piece(lt_stream *s, void *block, const lt_packed_quads *quads) {
    if (s->mode == LT_STREAM_MEASURE || (s->mode == LT_STREAM_SAVE && s->used > s->size)) {
        s->used += lt_packed_size(block, quads);
    } else if (s->mode == LT_STREAM_SAVE) {
        s->used += lt_pack(block, quads, s->out + s->used, s->size - s->used);
    } else if (!s->failed) {
        size_t used = lt_unpack(block, quads, s->in + s->used, s->size - s->used);
        s->failed = used == SIZE_MAX;
        s->used += s->failed ? 0 : used;
    }
}

void lt_stream_packed(lt_stream *s, void *block, const lt_stream_piece *pieces, uint32_t piece_count) {
    size_t covered = 0;
    for (uint32_t i = 0; i < piece_count; i++) {
        const lt_stream_piece *p = &pieces[i];
        LT_ASSERT(p->begin == covered && (p->begin | p->end | p->back) % LT_QUAD_BYTES == 0);
        covered = p->end;
        lt_packed_quads quads = {p->begin / LT_QUAD_BYTES, p->end / LT_QUAD_BYTES, p->back / LT_QUAD_BYTES};
        if (s->mode != LT_STREAM_HASH) visit_piece(s, block, &quads);
    }
    if (s->mode == LT_STREAM_HASH && !s->unhashed) s->hash = lt_hash_bytes(s->hash, block, covered);
}

/* ---- judging what was read ---- */

bool lt_reals_are_within(const lt_real *values, size_t count, lt_real limit) {
    bool within = true;
    for (size_t i = 0; i < count; i++)
        within &= (values[i] >= -limit) & (values[i] <= limit);
    return within;
}

bool lt_flags_are_sound(const uint8_t *flags, size_t count) {
    uint8_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= flags[i];
    return any <= 1;
}
