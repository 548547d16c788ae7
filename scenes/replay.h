/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A run on record: which scene, with which options, and for each step where its budget cut it and what the world was like
 * afterwards. With that a run whose budgets were times is run again bit for bit. As a file it is text:
 *
 *     lithe-replay 1
 *     library 0.1.0 float
 *     word drop                                   what `lithe run` was given, as far as it decides anything:
 *     word --method=sphere-tree                   the scene, then options with their values
 *     start 8c16b8dd0d10ab2f                      hash of the world before the first step
 *     step 1 0 120 35 0 64 0 31 0 0 limit 0 hash 02e1f7a94cb8d35e
 *     end 1                                       how many steps there are
 *
 * The numbers of a step are lt_cuts.units in the order of LT_STAGE_LIST. Lines are in this order, words are the rest of their
 * line, and nothing else is read: whatever differs is refused with its line. */

#ifndef LITHE_SCENES_REPLAY_H
#define LITHE_SCENES_REPLAY_H

#include "core/memory.h"
#include "lithe/budget.h"

enum { LT_REPLAY_WORD_ROOM = 1024, LT_REPLAY_WORDS_MAX = 64 };

/* Reading takes at most so many times the size of the file, and so many bytes more; files are at most so large: a million
 * steps and more. */
#define LT_REPLAY_MEMORY_FACTOR 8
#define LT_REPLAY_MEMORY_BASE   (4 * LT_REPLAY_WORDS_MAX * LT_REPLAY_WORD_ROOM)
#define LT_REPLAY_FILE_MAX      (256u << 20)

typedef struct lt_replay_word {
    char text[LT_REPLAY_WORD_ROOM];
} lt_replay_word;

typedef struct lt_replay_step {
    lt_cuts cuts;
    uint64_t hash; /* after it */
} lt_replay_step;

typedef struct lt_replay {
    lt_array words; /* lt_replay_word, the scene first */
    lt_array steps; /* lt_replay_step */
    uint64_t start_hash;
} lt_replay;

/* Empty. Free it with lt_replay_free; that is safe on zeroed ones. */
lt_replay lt_replay_begin(const lt_allocator *allocator);
void lt_replay_free(lt_replay *replay);
/* Words that are empty, too long, too many or have a line break are refused. */
lt_status lt_replay_add_word(lt_replay *replay, const char *text, lt_error *error);
lt_status lt_replay_add_step(lt_replay *replay, const lt_cuts *cuts, uint64_t hash, lt_error *error);

static inline const char *lt_replay_word_at(const lt_replay *replay, size_t index) {
    return ((const lt_replay_word *)replay->words.items)[index].text;
}
static inline const lt_replay_step *lt_replay_step_at(const lt_replay *replay, size_t index) {
    return (const lt_replay_step *)replay->steps.items + index;
}

/* The whole file or nothing. */
lt_status lt_replay_write(const lt_replay *replay, const char *path, lt_error *error);
/* On failure *out is zeroed and the error names the line. Records of another version of the library, or of another precision,
 * are LT_STATUS_VERSION: their bits are others. */
lt_status lt_replay_read(lt_replay *out, const uint8_t *bytes, size_t size, const char *name,
                         const lt_allocator *allocator, lt_error *error);

#endif
