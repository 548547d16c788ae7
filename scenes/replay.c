/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/replay.h"

#include "core/os.h"
#include "io/text_scanner.h"

#include <inttypes.h>
#include <stdio.h>

static const int64_t FORMAT_VERSION = 1;

static const char *precision(void) {
    return sizeof(lt_real) == sizeof(double) ? "double" : "float";
}

lt_replay lt_replay_begin(const lt_allocator *allocator) {
    return (lt_replay){.words = LT_ARRAY_OF(allocator, lt_replay_word),
                       .steps = LT_ARRAY_OF(allocator, lt_replay_step)};
}

void lt_replay_free(lt_replay *replay) {
    if (replay->words.item_size) lt_array_free(&replay->words);
    if (replay->steps.item_size) lt_array_free(&replay->steps);
    *replay = (lt_replay){0};
}

static lt_status add_bytes(lt_replay *replay, const char *bytes, size_t size, lt_error *error) {
    lt_replay_word word = {{0}};
    if (size == 0 || size >= sizeof word.text)
        return lt_fail(error, LT_STATUS_INVALID, "a word of a replay has 1 to %d bytes, and this one %zu",
                       LT_REPLAY_WORD_ROOM - 1, size);
    if (replay->words.count == LT_REPLAY_WORDS_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "a replay has at most %d words", LT_REPLAY_WORDS_MAX);
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == '\0')
            return lt_fail(error, LT_STATUS_INVALID, "a word of a replay has a line break or a zero byte");
    memcpy(word.text, bytes, size);
    if (!lt_array_push(&replay->words, &word))
        return lt_fail(error, LT_STATUS_MEMORY, "replay: out of memory");
    return LT_OK;
}

lt_status lt_replay_add_word(lt_replay *replay, const char *text, lt_error *error) {
    return add_bytes(replay, text, strlen(text), error);
}

lt_status lt_replay_add_step(lt_replay *replay, const lt_cuts *cuts, uint64_t hash, lt_error *error) {
    lt_replay_step step = {*cuts, hash};
    if (!lt_array_push(&replay->steps, &step))
        return lt_fail(error, LT_STATUS_MEMORY, "replay: out of memory");
    return LT_OK;
}

/* ---- writing ---- */

static bool append(lt_array *text, const char *bytes, size_t size) {
    char *at = lt_array_grow(text, size);
    if (at) memcpy(at, bytes, size);
    return at != NULL;
}

static bool append_word(lt_array *text, const char *word) {
    return append(text, "word ", 5) && append(text, word, strlen(word)) && append(text, "\n", 1);
}

static bool append_step(lt_array *text, size_t number, const lt_replay_step *step) {
    char line[64 + 24 * (LT_STAGE_COUNT + 3)];
    int length = snprintf(line, sizeof line, "step %zu", number);
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        length += snprintf(line + length, sizeof line - (size_t)length, " %" PRIu64, step->cuts.units[stage]);
    length += snprintf(line + length, sizeof line - (size_t)length,
                       " limit %" PRIu64 " hash %016" PRIx64 "\n", step->cuts.contact_limit, step->hash);
    return append(text, line, (size_t)length);
}

static bool append_all(lt_array *text, const lt_replay *replay) {
    char line[100];
    int length = snprintf(line, sizeof line, "lithe-replay %d\nlibrary %s %s\n", (int)FORMAT_VERSION,
                          lt_version(), precision());
    bool enough = append(text, line, (size_t)length);
    for (size_t i = 0; i < replay->words.count && enough; i++)
        enough = append_word(text, lt_replay_word_at(replay, i));
    length = snprintf(line, sizeof line, "start %016" PRIx64 "\n", replay->start_hash);
    enough = enough && append(text, line, (size_t)length);
    for (size_t i = 0; i < replay->steps.count && enough; i++)
        enough = append_step(text, i + 1, lt_replay_step_at(replay, i));
    length = snprintf(line, sizeof line, "end %zu\n", replay->steps.count);
    return enough && append(text, line, (size_t)length);
}

lt_status lt_replay_write(const lt_replay *replay, const char *path, lt_error *error) {
    lt_array text = LT_ARRAY_OF(&replay->words.allocator, char);
    lt_status status = append_all(&text, replay)
                           ? lt_os_write_file(path, text.items, text.count, error)
                           : lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory for the replay", path);
    lt_array_free(&text);
    return status;
}

/* ---- reading ---- */

static bool read_keyword(lt_scanner *s, const char *keyword) {
    lt_scanner before = *s;
    if (lt_word_is(lt_scan_word(s), keyword)) return true;
    *s = before;
    return false;
}

/* To the next line; false when something is left in this one. */
static bool end_line(lt_scanner *s) {
    lt_scan_blanks(s);
    if (!lt_scan_at_line_end(s)) return false;
    lt_scan_next_line(s);
    return true;
}

/* Sixteen digits, as they are written. */
static bool read_hash(lt_scanner *s, uint64_t *hash) {
    lt_word word = lt_scan_word(s);
    *hash = 0;
    for (size_t i = 0; i < word.size; i++) {
        uint8_t c = word.bytes[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
        *hash = *hash << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return word.size == 16;
}

static bool read_count(lt_scanner *s, uint64_t *count) {
    int64_t value;
    if (!lt_scan_integer(s, &value) || value < 0) return false;
    *count = (uint64_t)value;
    return true;
}

static lt_status read_head(lt_scanner *s) {
    int64_t version;
    if (!read_keyword(s, "lithe-replay") || !lt_scan_integer(s, &version))
        return lt_scan_fail(s, LT_STATUS_FORMAT,
                            "this is no replay: it does not begin with \"lithe-replay\"");
    if (version != FORMAT_VERSION)
        return lt_scan_fail(s, LT_STATUS_VERSION, "a replay of version %lld, and this program reads %lld",
                            (long long)version, (long long)FORMAT_VERSION);
    if (!end_line(s) || !read_keyword(s, "library")) return lt_scan_fail_expected(s, "library");
    if (!lt_word_is(lt_scan_word(s), lt_version()) || !lt_word_is(lt_scan_word(s), precision()))
        return lt_scan_fail(
            s, LT_STATUS_VERSION,
            "recorded with another library than this one, which is %s %s: the bits differ; record the "
            "run again",
            lt_version(), precision());
    return end_line(s) ? LT_OK : lt_scan_fail_expected(s, "the end of the line");
}

static lt_status read_words(lt_scanner *s, lt_replay *replay) {
    while (read_keyword(s, "word")) {
        lt_error error;
        if (s->at < s->end && *s->at == ' ') s->at++;
        const uint8_t *begin = s->at;
        while (s->at < s->end && *s->at != '\n')
            s->at++;
        lt_status status = add_bytes(replay, (const char *)begin, (size_t)(s->at - begin), &error);
        if (status != LT_OK)
            return lt_scan_fail(s, status == LT_STATUS_INVALID ? LT_STATUS_FORMAT : status, "%s",
                                error.message);
        lt_scan_next_line(s);
    }
    return replay->words.count ? LT_OK : lt_scan_fail_expected(s, "word");
}

static lt_status read_step(lt_scanner *s, lt_replay *replay) {
    lt_replay_step step = {{{0}, 0}, 0};
    uint64_t number;
    if (!read_count(s, &number) || number != replay->steps.count + 1)
        return lt_scan_fail(s, LT_STATUS_FORMAT, "expected step %zu", replay->steps.count + 1);
    for (int stage = 0; stage < LT_STAGE_COUNT; stage++)
        if (!read_count(s, &step.cuts.units[stage])) return lt_scan_fail_expected(s, "units of a stage");
    if (!read_keyword(s, "limit") || !read_count(s, &step.cuts.contact_limit))
        return lt_scan_fail_expected(s, "limit and a number");
    if (!read_keyword(s, "hash") || !read_hash(s, &step.hash))
        return lt_scan_fail(s, LT_STATUS_FORMAT, "expected hash and 16 hexadecimal digits");
    if (!end_line(s)) return lt_scan_fail_expected(s, "the end of the line");
    return lt_replay_add_step(replay, &step.cuts, step.hash, s->error);
}

static lt_status read_all(lt_scanner *s, lt_replay *replay) {
    uint64_t count;
    lt_status status = read_head(s);
    if (status == LT_OK) status = read_words(s, replay);
    if (status != LT_OK) return status;
    if (!read_keyword(s, "start") || !read_hash(s, &replay->start_hash) || !end_line(s))
        return lt_scan_fail(s, LT_STATUS_FORMAT, "expected start and 16 hexadecimal digits");
    while (status == LT_OK && read_keyword(s, "step"))
        status = read_step(s, replay);
    if (status != LT_OK) return status;
    if (!read_keyword(s, "end"))
        return lt_scan_fail(s, LT_STATUS_FORMAT,
                            "expected a step or the end: the file is cut off or damaged");
    if (!read_count(s, &count) || count != replay->steps.count || !end_line(s))
        return lt_scan_fail(s, LT_STATUS_FORMAT, "the end does not count the %zu steps before it",
                            replay->steps.count);
    return lt_scan_remaining(s) == 0 ? LT_OK : lt_scan_fail(s, LT_STATUS_FORMAT, "something follows the end");
}

lt_status lt_replay_read(lt_replay *out, const uint8_t *bytes, size_t size, const char *name,
                         const lt_allocator *allocator, lt_error *error) {
    lt_scanner scanner = lt_scanner_make(bytes, size, name, error);
    *out = lt_replay_begin(allocator);
    lt_status status = read_all(&scanner, out);
    if (status != LT_OK) lt_replay_free(out);
    return status;
}
