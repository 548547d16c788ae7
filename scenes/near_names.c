/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "scenes/near_names.h"

#include <string.h>

#define NAME_MAX_LENGTH 63
#define SUGGESTIONS     3

static uint32_t cut_length(const char *name) {
    size_t length = strlen(name);
    return length < NAME_MAX_LENGTH ? (uint32_t)length : NAME_MAX_LENGTH;
}

/* Rows of the table of prefix distances: the one being filled, and the two before it. */
uint32_t lt_name_distance(const char *a, const char *b) {
    uint32_t a_length = cut_length(a), b_length = cut_length(b);
    uint32_t rows[3][NAME_MAX_LENGTH + 1];
    for (uint32_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            uint32_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = lt_min_u32(best, lt_min_u32(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = lt_min_u32(best, two_above[j - 2] + 1);
            row[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

/* 0 for a name that begins with what was typed, else the edits; LT_NONE when too far. */
static uint32_t rank(const char *typed, const char *name) {
    uint32_t typed_length = cut_length(typed);
    if (typed_length > 0 && strncmp(typed, name, typed_length) == 0) return 0;
    uint32_t distance = lt_name_distance(typed, name);
    return distance <= lt_max_u32(1, typed_length / 3) ? distance : LT_NONE;
}

static void append(char *text, const char *part) {
    memcpy(text + strlen(text), part, strlen(part) + 1);
}

/* Names are whole: those for which there is no room are "another". */
static void join(const char *const *names, const uint32_t *picks, uint32_t count, char *text,
                 size_t capacity) {
    static const char or_another[] = " or another";
    for (uint32_t i = 0; i < count; i++) {
        const char *name = names[picks ? picks[i] : i], *joint = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        size_t after = strlen(text) + strlen(joint) + strlen(name);
        size_t ending = i + 1 < count ? sizeof or_another : 1;
        if (after + ending > capacity) {
            if (strlen(text) + sizeof or_another <= capacity) append(text, or_another + (i == 0 ? 4 : 0));
            return;
        }
        append(text, joint);
        append(text, name);
    }
}

void lt_near_names(const char *name, const char *const *names, uint32_t count, char *text, size_t capacity) {
    uint32_t picks[SUGGESTIONS], pick_count = 0;
    if (capacity == 0) return;
    text[0] = 0;
    for (uint32_t wanted = 0; wanted <= NAME_MAX_LENGTH / 3 && pick_count < SUGGESTIONS; wanted++)
        for (uint32_t i = 0; i < count && pick_count < SUGGESTIONS; i++)
            if (rank(name, names[i]) == wanted) picks[pick_count++] = i;
    join(names, pick_count ? picks : NULL, pick_count ? pick_count : count, text, capacity);
}
