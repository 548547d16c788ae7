/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe bench EXPERIMENT --html FILE` writes a page that is well formed, needs nothing else, and says what was measured and
 * what was not; and says so where it cannot. A page with charts and frames is looked at in test_bench_quick.c, where one is made
 * in any case. */

#include "program/bench_checks.h" /* first: it asks for more of the system */

#include "apps/html.c"
#include "program/html_checks.h"

static char page[1 << 22];

static void reach_has_a_page(void) {
    CHECK_COUNT(run("bench reach --quick --html @report.html --json -"), 0);
    check_says("reach.obj-read-mb-per-s", "\"pass\": null"); /* the one does not keep the other away */
    CHECK_FATAL(read_text("report.html", page, sizeof page) > 2000);
    check_well_formed(page);
    check_alone(page);
    static const char *const parts[] = {"<!doctype html>",
                                        "<code>lithe bench reach --quick</code>",
                                        "calibration ",
                                        "A quick run",
                                        "0 of 7 checks failed; not measured: 4.",
                                        "3: needs the large mesh: no --quick",
                                        "<h2>reach</h2>",
                                        "how fast they are read, repaired and written; snapshots",
                                        "reach.obj-read-mb-per-s",
                                        "reach.ply-read-mb-per-s",
                                        "reach.ply-read-repaired-written-s",
                                        "&gt;= 100<",
                                        "binary PLY, from memory",
                                        "a ring, made",
                                        "@media (prefers-color-scheme:dark)",
                                        "name=\"viewport\""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_part(page, parts[i]);
    CHECK(!strstr(page, ">nan") && !strstr(page, ">inf"));
}

/* Before anything is measured. */
static void what_cannot_be_written_is_named(void) {
    check_run("bench all --html @no-such-folder/report.html", 1,
              "no-such-folder/report.html: there is no folder");
    check_run("bench all --html @", 1, "this is a folder");
    check_run("bench all --html=", 1, "--html needs the name of a file");
    check_run("bench all --html -", 2, "a page goes to a file");
    check_run("bench all --html", 2, "--html");
    check_run("bench raech --quick --html @report.html", 2, "did you mean reach");
    check_run("bench reach --quick --html /dev/full", 1, "/dev/full");
}

/* Where it writes a file there is a folder. Rows in JSON would pass for all there are. */
static void an_experiment_that_fails_is_told(void) {
    CHECK_FATAL(mkdir("lithe-bench-reach.obj", 0700) == 0);
    check_run("bench reach --quick --html @report.html --json @report.json", 1,
              "reach: lithe-bench-reach.obj");
    rmdir("lithe-bench-reach.obj");
    CHECK(!exists("report.json"));
    CHECK_FATAL(read_text("report.html", page, sizeof page) > 2000);
    check_well_formed(page);
    check_part(page, "Ended early: <code>reach</code>: lithe-bench-reach.obj");
    check_part(page, "This experiment ended early");
    check_part(page, "<b>ended early:</b> lithe-bench-reach.obj");
}

static void out_is_made(void) {
    CHECK_COUNT(run("bench reach --quick --html out/report.html"), 0);
    CHECK(exists("out/report.html"));
    CHECK(unlink("out/report.html") == 0 && rmdir("out") == 0);
}

static void help_names_it(void) {
    check_run("bench --help", 0, "--html FILE");
}

/* ---- what the page is written with ---- */

static const char *text_of(lt_html *html) {
    CHECK(!html->out_of_memory);
    CHECK(lt_array_push(&html->bytes, ""));
    return html->bytes.items;
}

static void check_same_text(const char *text, const char *expected) {
    if (strcmp(text, expected) != 0) CHECK_FAIL_MESSAGE("%s, not %s", text, expected);
}

static void texts_are_escaped(void) {
    lt_html html = lt_html_begin(NULL);
    lt_html_text(&html, "a<b> & \"c\" 'd'\x01\xc3\xa9");
    lt_html_element(&html, "p", "</p>");
    lt_html_key(&html, "a_<");
    lt_html_format(&html, "%d<%s ", 3, "&");
    lt_html_number(&html, 218700, 4);
    lt_html_text(&html, " ");
    lt_html_number(&html, 0.123456, 4);
    check_same_text(text_of(&html),
                    "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\xEF\xBF\xBD\xc3\xa9<p>&lt;/p&gt;</p>"
                    "a_<wbr>&lt;3&lt;&amp; 218700 0.1235");
    lt_html_free(&html);
}

/* RFC 4648, section 10. */
static void base64_is_that_of_the_rfc(void) {
    static const char *const words[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"},
                                           {"\xfb\xff\xbf", "+/+/"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char expected[64];
        lt_html html = lt_html_begin(NULL);
        lt_html_png(&html, (const uint8_t *)words[i][0], strlen(words[i][0]));
        snprintf(expected, sizeof expected, "data:image/png;base64,%s", words[i][1]);
        check_same_text(text_of(&html), expected);
        lt_html_free(&html);
    }
}

int main(void) {
    RUN(texts_are_escaped);
    RUN(base64_is_that_of_the_rfc);
    if (!begin_program()) return check_finish();
    if (chdir(folder) == 0) {
        RUN(help_names_it);
        RUN(reach_has_a_page);
        RUN(what_cannot_be_written_is_named);
        RUN(an_experiment_that_fails_is_told);
        RUN(out_is_made);
    }
    return finish_program();
}
