/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* State said once: one function per owner visits what it consists of, and the stream that it is given does with each value what
 * its mode says.
 *
 *   mode      a verb does                                 the owner
 *   MEASURE   counts the bytes                            stays as it is
 *   SAVE      writes them                                 stays as it is
 *   CHECK     reads them into a draft, judges them        stays as it is
 *   LOAD      reads them into the owner                   becomes what was saved
 *   HASH      mixes the value into a hash                 stays as it is
 *
 * CHECK comes before LOAD, over the same bytes: LOAD cannot fail, so that damaged bytes change nothing. In both of them verbs write
 * where they are pointed to; a visit therefore takes the address of a draft from LT_STREAM_RECORD or lt_stream_block, which in the
 * other modes is the owner itself:
 *
 *   void visit_spring(lt_stream *s, spring *live) {
 *       spring draft, *now = LT_STREAM_RECORD(s, live, &draft);
 *       lt_stream_u32(s, &now->node);
 *       lt_stream_float(s, &now->force);
 *       lt_stream_expect(s, now->node < node_count && lt_is_finite(now->force));
 *   }
 *
 * After a failure all values read are 0, so that what follows has something to look at; loops over a count that was read end there.
 * Hashes are those of the values in the order of the visit. Values that do not decide the future, and those that another
 * one repeats, are visited as unhashed.
 *
 * Bytes are of this build and this machine: files have chunks (shape/). */

#ifndef LITHE_CORE_STREAM_H
#define LITHE_CORE_STREAM_H

#include "core/hash.h"
#include "core/memory.h"

#include <string.h>

typedef enum lt_stream_mode {
    LT_STREAM_MEASURE,
    LT_STREAM_SAVE,
    LT_STREAM_CHECK,
    LT_STREAM_LOAD,
    LT_STREAM_HASH
} lt_stream_mode;

typedef struct lt_stream {
    lt_stream_mode mode;
    bool failed;       /* CHECK: bytes or scratch are missing, or what the bytes say cannot be */
    bool unhashed;     /* HASH: values are passed over */
    const uint8_t *in; /* CHECK, LOAD: [size] */
    uint8_t *out;      /* SAVE: [size] */
    size_t size;
    size_t used; /* bytes so far; SAVE: of those that there is room for and the others */
    uint64_t hash;
    lt_arena *drafts; /* CHECK: for blocks */
    size_t draft_mark;
    bool in_block;
} lt_stream;

lt_stream lt_stream_measure(void);
/* `used` above `capacity` at the end: there was too little room, and bytes are missing. */
lt_stream lt_stream_save(void *out, size_t capacity);
lt_stream lt_stream_check(const void *bytes, size_t size, lt_arena *drafts);
lt_stream lt_stream_load(const void *bytes, size_t size);
lt_stream lt_stream_hash(uint64_t hash);

/* ---- what a visit may ask ---- */

static inline bool lt_stream_reads(const lt_stream *s) {
    return s->mode == LT_STREAM_CHECK || s->mode == LT_STREAM_LOAD;
}
static inline bool lt_stream_checks(const lt_stream *s) {
    return s->mode == LT_STREAM_CHECK;
}
/* What is derived from the state is to be made again. */
static inline bool lt_stream_loads(const lt_stream *s) {
    return s->mode == LT_STREAM_LOAD;
}
static inline bool lt_stream_hashes(const lt_stream *s) {
    return s->mode == LT_STREAM_HASH;
}
/* What must hold of values just read. */
static inline void lt_stream_expect(lt_stream *s, bool holds) {
    if (s->mode == LT_STREAM_CHECK && !holds) s->failed = true;
}
/* The check is over: every byte was read and nothing is wrong. */
static inline bool lt_stream_passed(const lt_stream *s) {
    return s->mode == LT_STREAM_CHECK && !s->failed && s->used == s->size;
}

/* Values between these two are saved, not hashed. */
static inline void lt_stream_begin_unhashed(lt_stream *s) {
    LT_ASSERT(!s->unhashed);
    s->unhashed = true;
}
static inline void lt_stream_end_unhashed(lt_stream *s) {
    LT_ASSERT(s->unhashed);
    s->unhashed = false;
}

/* ---- drafts ---- */

/* The record itself, in CHECK the draft, which is zeroed. */
static inline void *lt_stream_record(const lt_stream *s, void *live, void *draft, size_t size) {
    return s->mode == LT_STREAM_CHECK ? memset(draft, 0, size) : live;
}
#define LT_STREAM_RECORD(stream, live, draft)                                                                \
    ((__typeof__(draft))lt_stream_record(stream, live, draft, sizeof *(draft)))

/* ---- single values ---- */

/* `size` bytes at `value`, for values of which any bytes are one; what is hashed is up to the verb. */
static inline void lt_stream_raw(lt_stream *s, void *value, size_t size) {
    const size_t at = s->used;
    if (s->mode == LT_STREAM_HASH) return;
    s->used += size;
    if (s->mode == LT_STREAM_MEASURE) return;
    if (s->mode == LT_STREAM_SAVE) {
        if (at <= s->size && size <= s->size - at) memcpy(s->out + at, value, size);
    } else if (s->failed || size > s->size - at) {
        s->failed = true;
        s->used = at;
        memset(value, 0, size);
    } else {
        memcpy(value, s->in + at, size);
    }
}

/* Hashed as its bytes: no padding, no bools, no pointers. */
static inline void lt_stream_bytes(lt_stream *s, void *values, size_t size) {
    if (s->mode == LT_STREAM_HASH && !s->unhashed) s->hash = lt_hash_bytes(s->hash, values, size);
    lt_stream_raw(s, values, size);
}

static inline void lt_stream_mix(lt_stream *s, uint64_t value) {
    if (s->mode == LT_STREAM_HASH && !s->unhashed) s->hash = lt_hash_u64(s->hash, value);
}

static inline void lt_stream_u32(lt_stream *s, uint32_t *value) {
    lt_stream_mix(s, *value);
    lt_stream_raw(s, value, sizeof *value);
}

static inline void lt_stream_u64(lt_stream *s, uint64_t *value) {
    lt_stream_mix(s, *value);
    lt_stream_raw(s, value, sizeof *value);
}

/* Two values with one hash. */
static inline void lt_stream_two_u32(lt_stream *s, uint32_t *high, uint32_t *low) {
    lt_stream_mix(s, (uint64_t)*high << 32 | *low);
    lt_stream_raw(s, high, sizeof *high);
    lt_stream_raw(s, low, sizeof *low);
}

static inline void lt_stream_float(lt_stream *s, float *value) {
    lt_stream_bytes(s, value, sizeof *value);
}

static inline void lt_stream_double(lt_stream *s, double *value) {
    lt_stream_bytes(s, value, sizeof *value);
}

/* One hash for all of them. */
static inline void lt_stream_floats(lt_stream *s, float *values, size_t count) {
    lt_stream_bytes(s, values, count * sizeof *values);
}

/* Of something whose places are offsets from it, m; hashed where it is not 0: hashes of what is near the world's origin are those of
 * its offsets. One farther away than `most` fails. */
void lt_stream_origin(lt_stream *s, double origin[3], double most);

/* As a byte; one that is neither 0 nor 1 fails, and is never looked at as a bool. */
void lt_stream_bool(lt_stream *s, bool *value);

/* As 32 bits; one that is not below `count` fails and is read as 0. */
uint32_t lt_stream_enum(lt_stream *s, uint32_t value, uint32_t count);
#define LT_STREAM_ENUM(stream, value, count)                                                                 \
    (*(value) = (__typeof__(*(value)))lt_stream_enum(stream, (uint32_t) * (value), count))

/* How many of something follow: at most `most`, or it fails and is 0. Not hashed: what follows is. */
void lt_stream_count(lt_stream *s, uint32_t *count, uint32_t most);

/* A value that must be what it was: what the bytes are of, who is in which place. Not hashed. */
void lt_stream_same(lt_stream *s, uint64_t value);

/* ---- blocks ---- */

/* Part of a block that is packed in its own way (core/pack.h); bytes from its beginning, multiples of 16. */
typedef struct lt_stream_piece {
    size_t begin, end;
    size_t back; /* what resembles it is so far before; 0: nothing does */
} lt_stream_piece;

/* The block itself, in CHECK a draft from the arena, until lt_stream_end_block; not one in another. NULL: too little scratch. */
void *lt_stream_begin_block(lt_stream *s, void *live, size_t size);
void lt_stream_end_block(lt_stream *s);

/* Pieces cover the block, one after the other; hashed as its bytes. */
void lt_stream_packed(lt_stream *s, void *block, const lt_stream_piece *pieces, uint32_t piece_count);

/* ---- judging what was read ---- */

static inline bool lt_is_finite(float value) {
    return value - value == 0;
}

/* Whether all are from -limit to limit; NaN is not. */
bool lt_reals_are_within(const lt_real *values, size_t count, lt_real limit);
/* Whether all are 0 or 1. */
bool lt_flags_are_sound(const uint8_t *flags, size_t count);

#endif
