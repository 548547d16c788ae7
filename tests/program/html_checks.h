/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Whether a page is well formed, and needs nothing but itself. */

#ifndef LITHE_TESTS_PROGRAM_HTML_CHECKS_H
#define LITHE_TESTS_PROGRAM_HTML_CHECKS_H

#include "check.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TAG_DEPTH = 64, TAG_SIZE = 24 };

/* Elements that are open. */
typedef struct open_tags {
    char names[TAG_DEPTH][TAG_SIZE];
    int depth;
} open_tags;

static bool is_void(const char *name) {
    static const char *const names[] = {"!doctype", "meta", "img", "br", "wbr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* To behind the >, with quotes respected; NULL when there is none, or a < in between. */
static const char *tag_end(const char *at) {
    bool quoted = false;
    for (; *at; at++) {
        if (*at == '"') quoted = !quoted;
        if (*at == '>' && !quoted) return at + 1;
        if (*at == '<') return NULL;
    }
    return NULL;
}

/* `at` is behind the <. Returns what comes after the tag, or NULL. */
static const char *take_tag(open_tags *open, const char *at) {
    bool closing = *at == '/';
    char name[TAG_SIZE];
    const char *begin = at + closing, *end = tag_end(at);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, " />\n"), begin);
    if (!end || name[0] == 0) return NULL;
    if (closing) return open->depth > 0 && strcmp(open->names[--open->depth], name) == 0 ? end : NULL;
    if (is_void(name) || end[-2] == '/') return end;
    if (open->depth == TAG_DEPTH) return NULL;
    memcpy(open->names[open->depth++], name, sizeof name);
    return strcmp(name, "style") == 0 ? strstr(end, "</style>") : end;
}

static bool is_entity(const char *at) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (strncmp(at, entities[i], strlen(entities[i])) == 0) return true;
    return false;
}

/* Every tag is closed in its turn, no < or & stands for itself. */
static void check_well_formed(const char *page) {
    open_tags open = {.depth = 0};
    for (const char *at = page; *at;) {
        const char *before = at;
        if (*at == '<')
            at = take_tag(&open, at + 1);
        else if (*at == '>' || (*at == '&' && !is_entity(at)))
            at = NULL;
        else
            at++;
        if (!at) {
            CHECK_FAIL_MESSAGE("not well formed, %d deep: %.80s", open.depth, before);
            return;
        }
    }
    CHECK_COUNT(open.depth, 0);
}

/* No script, and nothing from elsewhere: the name of SVG's namespace is only a name. */
static void check_alone(const char *page) {
    static const char *const foreign[] = {"https:", "<script", "<link", "@import", "url(", "<iframe"};
    static const char *const sources[] = {"http:", "src=\"", "href=\""};
    static const char *const allowed[] = {"http://www.w3.org/2000/svg\"", "src=\"data:image/png;base64,",
                                          "href=\"#"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (strstr(page, foreign[i])) CHECK_FAIL_MESSAGE("the page has %s", foreign[i]);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (const char *at = strstr(page, sources[i]); at; at = strstr(at + 1, sources[i]))
            if (strncmp(at, allowed[i], strlen(allowed[i])) != 0)
                CHECK_FAIL_MESSAGE("the page has %.60s", at);
}

#endif
