/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Charts: well-formed whatever they are given, and everything where its value says. */

#define _POSIX_C_SOURCE 200809L

#include "core/hash.h"
#include "core/os.h"
#include "core/random.h"
#include "core/utf8.h"
#include "picture/svg.h"
#include "picture_test.h"

/* ---- a small checker of XML: enough for what the writer may write ---- */

typedef struct checker {
    const char *at;
    const char *problem; /* NULL: none so far */
    char open[32][16];
    int depth;
} checker;

static void complain(checker *c, const char *problem) {
    if (!c->problem) c->problem = problem;
}

static void read_name(checker *c, char name[16]) {
    int length = 0;
    while ((*c->at >= 'a' && *c->at <= 'z') || (*c->at >= 'A' && *c->at <= 'Z') || *c->at == '-' ||
           (length > 0 && *c->at >= '0' && *c->at <= '9')) {
        if (length < 15) name[length++] = *c->at;
        c->at++;
    }
    name[length] = 0;
    if (length == 0) complain(c, "a name is missing");
}

/* One character of text or of an attribute. */
static void read_character(checker *c) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    if (*c->at == '&') {
        for (size_t i = 0; i < LT_COUNT_OF(entities); i++)
            if (strncmp(c->at, entities[i], strlen(entities[i])) == 0) {
                c->at += strlen(entities[i]);
                return;
            }
        complain(c, "a bare &");
    }
    size_t length = lt_utf8_length((const uint8_t *)c->at);
    if (length == 0) complain(c, "not UTF-8");
    if ((uint8_t)*c->at < 0x20 && *c->at != '\n' && *c->at != '\t') complain(c, "a control character");
    c->at += length ? length : 1;
}

static int longest_digits(const char *text, size_t length) {
    int longest = 0, run = 0;
    for (size_t i = 0; i < length; i++) {
        run = text[i] >= '0' && text[i] <= '9' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

/* name="value"; positions are finite and not wild. */
static void read_attribute(checker *c) {
    char name[16];
    read_name(c, name);
    if (c->at[0] != '=' || c->at[1] != '"') {
        complain(c, "an attribute without a quoted value");
        return;
    }
    c->at += 2;
    const char *value = c->at;
    while (*c->at && *c->at != '"') {
        if (*c->at == '<') complain(c, "< in an attribute");
        read_character(c);
    }
    size_t length = (size_t)(c->at - value);
    if (*c->at) c->at++;
    static const char *const numeric[] = {"x",  "y",  "x1",    "y1",     "x2", "y2",
                                          "cx", "cy", "width", "height", "d"};
    for (size_t i = 0; i < LT_COUNT_OF(numeric); i++) {
        if (strcmp(name, numeric[i]) != 0) continue;
        if (strspn(value, "0123456789.- MLZ") < length) complain(c, "a number that is not finite");
        if (length == 0 && strcmp(name, "d") != 0) complain(c, "an empty number");
        if (longest_digits(value, length) > 5) complain(c, "a number far beyond the picture");
    }
}

static void read_tag(checker *c) {
    char name[16];
    bool closing = c->at[1] == '/';
    c->at += closing ? 2 : 1;
    read_name(c, name);
    if (closing) {
        if (c->depth == 0 || strcmp(c->open[c->depth - 1], name) != 0)
            complain(c, "a tag closed that is not open");
        if (c->depth > 0) c->depth--;
    }
    while (*c->at == ' ' && !c->problem) {
        c->at++;
        read_attribute(c);
    }
    bool alone = *c->at == '/';
    if (alone) c->at++;
    if (*c->at == '>')
        c->at++;
    else
        complain(c, "a tag without its end");
    if (closing || alone) return;
    if (c->depth == 32)
        complain(c, "nested too deeply");
    else
        memcpy(c->open[c->depth++], name, sizeof name);
}

/* NULL, or what is wrong. */
static const char *find_problem(const char *text) {
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ";
    if (strncmp(text, head, strlen(head)) != 0) return "no XML declaration and <svg> at the beginning";
    checker c = {.at = text + strlen(head) - strlen("<svg ")};
    while (*c.at && !c.problem) {
        if (*c.at == '<')
            read_tag(&c);
        else
            read_character(&c);
        if (c.depth == 0 && strcmp(c.at, "\n") != 0) complain(&c, "something after the end, or no end");
        if (c.depth == 0) break;
    }
    if (c.depth != 0) complain(&c, "tags left open");
    return c.problem;
}

static void checker_finds_what_is_wrong(void) {
#define DOCUMENT(inside) "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg a=\"b\">" inside "</svg>\n"
    CHECK(find_problem(DOCUMENT("<g><line x=\"1.5\"/>a &amp; b</g>")) == NULL);
    static const char *const wrong[] = {DOCUMENT("<g>"),          DOCUMENT("</g>"),
                                        DOCUMENT("<g></h>"),      DOCUMENT("a & b"),
                                        DOCUMENT("<g x=1></g>"),  DOCUMENT("<g x=\"nan\"/>"),
                                        DOCUMENT("<g y=\"\"/>"),  DOCUMENT("\x01"),
                                        DOCUMENT("\xff"),         DOCUMENT("<g x=\"inf\"/>"),
                                        DOCUMENT("</svg><svg>"),  DOCUMENT("<g x=\"1\""),
                                        DOCUMENT("<g x=\"<\"/>"), DOCUMENT("<g x=\"123456\"/>"),
                                        "<svg></svg>\n"};
    for (size_t i = 0; i < LT_COUNT_OF(wrong); i++)
        CHECK(find_problem(wrong[i]) != NULL);
#undef DOCUMENT
}

/* ---- charts ---- */

/* The chart as text ended by 0, checked; the caller frees the array. */
static const char *text_of(const lt_chart *chart, lt_array *bytes) {
    lt_error error = {0};
    *bytes = LT_ARRAY_OF(NULL, char);
    if (lt_chart_svg(chart, bytes, &error) != LT_OK || !lt_array_push(bytes, "")) {
        fprintf(stderr, "no chart: %s\n", error.message);
        exit(2);
    }
    const char *problem = find_problem(bytes->items);
    CHECK(problem == NULL);
    if (problem) fprintf(stderr, "%s\n", problem);
    return bytes->items;
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* The plot: the picture within the picture. */
typedef struct plot {
    double x, y, width, height;
} plot;

static plot find_plot(const char *text) {
    plot p = {0};
    const char *at = strstr(text, "<svg x=");
    CHECK(at && sscanf(at, "<svg x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &p.x, &p.y, &p.width,
                       &p.height) == 4);
    return p;
}

static const double five[] = {0, 2.5, 5, 7.5, 10}, values[] = {1, 3, 2, 5, 4}, lower[] = {0, 2, 1, 4, 3},
                    upper[] = {2, 4, 3, 6, 5};

static lt_chart_series plain_series(lt_chart_mark mark) {
    return (lt_chart_series){.name = "s", .x = five, .y = values, .point_count = 5, .mark = mark};
}

static void line_goes_through_its_points(void) {
    lt_chart_series series = plain_series(LT_CHART_LINE_AND_POINTS);
    lt_chart chart = {
        .x = {.lo = 0, .hi = 10}, .y = {.lo = 0, .hi = 8}, .series = &series, .series_count = 1};
    lt_array bytes;
    const char *text = text_of(&chart, &bytes);
    plot p = find_plot(text);
    CHECK(p.width > 400 && p.height > 300 && p.x + p.width < 640 && p.y + p.height < 400);
    const char *path = strstr(text, " d=\"M"), *circle = text;
    CHECK_FATAL(path != NULL);
    path += strlen(" d=\"");
    for (int i = 0; i < 5; i++) {
        double x, y, cx, cy;
        int read;
        CHECK_FATAL(sscanf(path, i ? "L%lf %lf%n" : "M%lf %lf%n", &x, &y, &read) == 2);
        path += read;
        CHECK_NEAR(x, five[i] / 10 * p.width, 0.0051);
        CHECK_NEAR(y, p.height - values[i] / 8 * p.height, 0.0051);
        circle = strstr(circle + 1, "<circle");
        CHECK_FATAL(circle && sscanf(circle, "<circle cx=\"%lf\" cy=\"%lf\"", &cx, &cy) == 2);
        CHECK_NEAR(cx, p.x + x, 0.0151);
        CHECK_NEAR(cy, p.y + y, 0.0151);
    }
    CHECK(*path == '"');
    lt_array_free(&bytes);
}

/* 1, 10, 100 and 1000 lie at equal distances; what a logarithm cannot show breaks the line. */
static void log_axes_space_decades_evenly(void) {
    const double x[] = {1, 10, 100, 0, 1000, NAN, 10, 1000}, y[] = {0.01, 0.1, 1, 1, -2, 1, 0.1, 1};
    lt_chart_series series = {.x = x, .y = y, .point_count = 8, .mark = LT_CHART_LINE};
    lt_chart chart = {.x = {.log = true}, .y = {.log = true}, .series = &series, .series_count = 1};
    lt_array bytes;
    const char *text = text_of(&chart, &bytes);
    plot p = find_plot(text);
    double at[10];
    const char *path = strstr(text, " d=\"M");
    CHECK_FATAL(path && sscanf(path, " d=\"M%lf %lfL%lf %lfL%lf %lfM%lf %lfL%lf %lf\"", &at[0], &at[1],
                               &at[2], &at[3], &at[4], &at[5], &at[6], &at[7], &at[8], &at[9]) == 10);
    const double wanted_x[] = {0, 1, 2, 1, 3}, wanted_y[] = {2, 1, 0, 1, 0};
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(at[2 * i], wanted_x[i] / 3 * p.width, 0.0051);
        CHECK_NEAR(at[2 * i + 1], wanted_y[i] / 2 * p.height, 0.0051);
    }
    lt_array_free(&bytes);
}

/* Bars 2.5 wide over 0 to 10, standing on 0, which the axis has though no value is near it. */
static void bars_stand_on_zero(void) {
    const double heights[] = {100, 110, 90, 120};
    lt_chart_series series = {.name = "n", .x = five, .y = heights, .point_count = 4, .mark = LT_CHART_BARS};
    lt_chart chart = {.series = &series, .series_count = 1};
    lt_array bytes;
    const char *text = text_of(&chart, &bytes);
    plot p = find_plot(text);
    const char *at = strstr(text, "<svg x=");
    for (int i = 0; i < 4; i++) {
        double x, y, width, height;
        at = strstr(at + 1, "<rect");
        CHECK_FATAL(at && sscanf(at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y, &width,
                                 &height) == 4);
        CHECK_NEAR(x, i * p.width / 4, 0.0051);
        CHECK_NEAR(width, p.width / 4, 0.0051);
        CHECK_NEAR(height, heights[i] / 120 * p.height, 0.0051);
        CHECK_NEAR(y + height, p.height, 0.0101);
    }
    lt_array_free(&bytes);
}

/* There along the upper ends, back along the lower; a gap makes two pieces. */
static void band_is_closed_on_both_sides_of_a_gap(void) {
    double ends[5];
    memcpy(ends, upper, sizeof ends);
    lt_chart_series series = plain_series(LT_CHART_LINE);
    series.band_lo = lower;
    series.band_hi = ends;
    lt_chart chart = {.series = &series, .series_count = 1};
    lt_array bytes;
    const char *text = text_of(&chart, &bytes);
    const char *band = strstr(text, "fill-opacity=\"0.18\" d=\"");
    CHECK_FATAL(band != NULL);
    int corners = 0;
    for (band = strchr(band, 'M'); *band != '"'; band++)
        corners += *band == 'M' || *band == 'L';
    CHECK_COUNT(corners, 10);
    CHECK(band[-1] == 'Z');
    lt_array_free(&bytes);
    ends[1] = INFINITY; /* one point, then three */
    text = text_of(&chart, &bytes);
    CHECK_COUNT(count_of(text, "Z"), 2);
    lt_array_free(&bytes);
    series.mark = LT_CHART_BAND_ONLY;
    series.y = NULL;
    text = text_of(&chart, &bytes);
    CHECK_COUNT(count_of(text, "<path"), 1);
    lt_array_free(&bytes);
}

static void texts_and_legend_are_there(void) {
    lt_chart_series series[3] = {plain_series(LT_CHART_LINE), plain_series(LT_CHART_POINTS),
                                 plain_series(LT_CHART_LINE)};
    series[0].name = "a<b & \"c\">";
    series[1].name = "\xc2\xb5s \xff\x01 \xef\xbf\xbf";
    series[2].name = NULL;
    series[2].dashed = true;
    series[2].color = 1;
    const lt_chart chart = {.title = "T & <t>",
                            .x = {.label = "along"},
                            .y = {.label = "up"},
                            .series = series,
                            .series_count = 3};
    lt_array bytes;
    const char *text = text_of(&chart, &bytes);
    CHECK_CONTAINS(text, ">a&lt;b &amp; \"c\"&gt;</text>");
    CHECK_CONTAINS(text, ">\xc2\xb5s \xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd</text>");
    CHECK_CONTAINS(text, "<title>T &amp; &lt;t&gt;</title>");
    CHECK_CONTAINS(text, ">along</text>");
    CHECK_CONTAINS(text, ">up</text>");
    CHECK_CONTAINS(text, ">10</text>");
    CHECK_COUNT(count_of(text, "stroke-dasharray"), 1);
    CHECK_COUNT(count_of(text, "<circle"), 5 + 1);              /* and one in the legend */
    CHECK_COUNT(count_of(text, "fill=\"#3f86c9\""), 1 + 1 + 1); /* the first, its sample, the third */
    lt_array_free(&bytes);
}

/* Beyond a chosen range nothing is drawn as a point, and positions stay small. */
static void values_beyond_the_axis_are_cut_off(void) {
    const double x[] = {0, 1, 2, 3}, y[] = {0.5, 1e200, -1e200, 0.5};
    lt_chart_series series = {.x = x, .y = y, .point_count = 4, .mark = LT_CHART_LINE_AND_POINTS};
    lt_chart chart = {
        .x = {.lo = 0, .hi = 2.5}, .y = {.lo = 0, .hi = 1}, .series = &series, .series_count = 1};
    lt_array bytes;
    const char *text = text_of(&chart, &bytes);
    CHECK_COUNT(count_of(text, "<circle"), 1);
    CHECK_COUNT(count_of(strstr(text, " d=\"M"), "L"), 3);
    CHECK(strstr(text, "00000000") == NULL);
    lt_array_free(&bytes);
}

/* Whatever the values: well-formed, and the same text when written again. */
static void any_chart_is_well_formed(void) {
    static const double odd[] = {0.0,    -0.0,   NAN,    INFINITY, -INFINITY, 1e308,
                                 -1e308, 5e-324, 1e-300, 1.0,      -1.0};
    lt_random random = lt_random_seed(4);
    for (int round = 0; round < 300; round++) {
        double data[4][8];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 8; j++)
                data[i][j] = lt_random_below(&random, 3) ? (double)lt_random_range(&random, -5, 9)
                                                         : odd[lt_random_below(&random, LT_COUNT_OF(odd))];
        lt_chart_series series = {.name = round % 3 ? "s" : NULL,
                                  .x = data[0],
                                  .y = data[1],
                                  .point_count = lt_random_below(&random, 8),
                                  .mark = (lt_chart_mark)lt_random_below(&random, 4)};
        if (round % 2) {
            series.band_lo = data[2];
            series.band_hi = data[3];
        }
        lt_chart chart = {.title = round % 5 ? "t" : NULL,
                          .x = {.log = round & 4, .from_zero = round & 8},
                          .y = {.log = round & 16, .from_zero = round & 32},
                          .series = &series,
                          .series_count = round % 7 != 0};
        lt_array first, second;
        text_of(&chart, &first);
        text_of(&chart, &second);
        CHECK(first.count == second.count && memcmp(first.items, second.items, first.count) == 0);
        lt_array_free(&first);
        lt_array_free(&second);
    }
}

/* The same on every machine. When the look is changed on purpose, look at it, then put the new number. */
static void chart_is_the_same_everywhere(void) {
    lt_chart_series series[3] = {plain_series(LT_CHART_LINE_AND_POINTS), plain_series(LT_CHART_LINE),
                                 plain_series(LT_CHART_BARS)};
    series[0].band_lo = lower;
    series[0].band_hi = upper;
    series[1].dashed = true;
    series[2].point_count = 4;
    const lt_chart chart = {.title = "all",
                            .x = {.label = "x", .lo = 0.5, .hi = 20, .log = true},
                            .y = {.label = "y", .from_zero = true},
                            .series = series,
                            .series_count = 3};
    lt_array bytes;
    text_of(&chart, &bytes);
    CHECK_COUNT(lt_hash_bytes(LT_HASH_SEED, bytes.items, bytes.count), 11854747951251102735u);
    lt_array_free(&bytes);
}

static void charts_that_make_no_sense_are_refused(void) {
    lt_chart_series series = plain_series(LT_CHART_LINE);
    const lt_chart good = {.series = &series, .series_count = 1};
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    lt_error error;
    lt_chart chart = good;
    chart.y = (lt_chart_axis){.lo = 2, .hi = 1};
    CHECK(lt_chart_svg(&chart, &bytes, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "the y axis from 2 to 1");
    chart = good;
    chart.x = (lt_chart_axis){.lo = 0, .hi = 1, .log = true};
    CHECK(lt_chart_svg(&chart, &bytes, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "the x axis");
    chart = good;
    chart.width = 50;
    CHECK(lt_chart_svg(&chart, &bytes, &error) == LT_STATUS_INVALID);
    chart = good;
    series.y = NULL;
    CHECK(lt_chart_svg(&chart, &bytes, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "series 0");
    series = plain_series(LT_CHART_LINE);
    series.band_lo = lower;
    CHECK(lt_chart_svg(&chart, &bytes, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "band");
    CHECK_COUNT(bytes.count, 0);
    lt_array_free(&bytes);
}

static void out_of_memory_leaks_nothing(void) {
    const lt_chart_series series = plain_series(LT_CHART_LINE);
    const lt_chart chart = {.title = "t", .series = &series, .series_count = 1};
    lt_status status = LT_STATUS_MEMORY;
    int successes = 0;
    for (; status != LT_OK && successes < 100; successes++) {
        failing_allocator failing = {0, successes};
        lt_allocator allocator = failing_as_allocator(&failing);
        lt_array bytes = LT_ARRAY_OF(&allocator, char);
        status = lt_chart_svg(&chart, &bytes, NULL);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && bytes.count == 0));
        lt_array_free(&bytes);
        CHECK_COUNT(failing.live_bytes, 0);
    }
    CHECK(status == LT_OK && successes > 2);
}

static void file_holds_the_chart(void) {
    const lt_chart_series series = plain_series(LT_CHART_LINE);
    const lt_chart chart = {.series = &series, .series_count = 1};
    lt_array bytes;
    lt_error error;
    uint8_t *read;
    size_t size;
    text_of(&chart, &bytes);
    CHECK(lt_chart_write(&chart, scratch_path("chart.svg"), NULL, &error) == LT_OK);
    CHECK_FATAL(lt_os_read_file(scratch_path("chart.svg"), NULL, &read, &size, &error) == LT_OK);
    CHECK(size == bytes.count - 1 && memcmp(read, bytes.items, size) == 0);
    lt_release(NULL, read, size, 1);
    CHECK(lt_chart_write(&chart, scratch_path("no/chart.svg"), NULL, &error) != LT_OK);
    CHECK_CONTAINS(error.message, "no/chart.svg");
    lt_array_free(&bytes);
    remove_scratch();
}

static void bins_count_each_value_once(void) {
    const double edges[] = {0, 1, 2, 5}, samples[] = {0, 0.5, 1, 1.99, 2, 4.9, 5, 5.1, -0.1, NAN};
    double counts[3];
    CHECK_COUNT(lt_chart_count_bins(samples, LT_COUNT_OF(samples), edges, counts, 3), 3);
    CHECK(counts[0] == 2 && counts[1] == 2 && counts[2] == 3);
    CHECK_COUNT(lt_chart_count_bins(samples, LT_COUNT_OF(samples), edges, counts, 0), LT_COUNT_OF(samples));
}

int main(void) {
    RUN(checker_finds_what_is_wrong);
    RUN(line_goes_through_its_points);
    RUN(log_axes_space_decades_evenly);
    RUN(bars_stand_on_zero);
    RUN(band_is_closed_on_both_sides_of_a_gap);
    RUN(texts_and_legend_are_there);
    RUN(values_beyond_the_axis_are_cut_off);
    RUN(any_chart_is_well_formed);
    RUN(chart_is_the_same_everywhere);
    RUN(charts_that_make_no_sense_are_refused);
    RUN(out_of_memory_leaks_nothing);
    RUN(file_holds_the_chart);
    RUN(bins_count_each_value_once);
    return check_finish();
}
