/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Frames of several pictures: where each pixel goes, what captions may and may not touch. */

#define _POSIX_C_SOURCE 200809L

#include "picture/panels.h"
#include "picture/record.h"
#include "picture_test.h"

enum { WIDTH = 33, HEIGHT = 21, GAP = 4, CAPTION = 11, PAGE = 0xf4, INK = 0x1c };

/* Letters of 1 x 1 dots: a gap of 4, captions 11 high, the title (dots of 2) 24. */
static lt_panels *make_panels(const char *title) {
    const lt_panels_def def = {.columns = 2, .rows = 2, .width = WIDTH, .height = HEIGHT, .title = title};
    lt_panels *panels;
    lt_error error;
    if (lt_panels_create(&panels, &def, NULL, &error) != LT_OK) exit(2);
    return panels;
}

typedef struct area {
    uint32_t left, top, right, bottom; /* the last two just beyond */
} area;

static area area_of(uint32_t left, uint32_t top, uint32_t width, uint32_t height) {
    return (area){left, top, left + width, top + height};
}
static bool is_in(area a, uint32_t x, uint32_t y) {
    return x >= a.left && x < a.right && y >= a.top && y < a.bottom;
}

static uint32_t count_ink(const lt_image *frame, area where) {
    uint32_t count = 0;
    for (uint32_t y = where.top; y < where.bottom; y++)
        for (uint32_t x = where.left; x < where.right; x++)
            count += lt_image_pixel(frame, x, y)[0] == INK;
    return count;
}

static area whole(const lt_image *frame) {
    return area_of(0, 0, frame->width, frame->height);
}

static uint32_t count_different(const lt_image *frame, const lt_image *image, uint32_t left, uint32_t top) {
    uint32_t count = 0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            count += memcmp(lt_image_pixel(frame, left + x, top + y), lt_image_pixel(image, x, y), 3) != 0;
    return count;
}

static void panels_lie_on_their_grid(void) {
    for (int titled = 0; titled < 2; titled++) {
        lt_panels *panels = make_panels(titled ? "T" : NULL);
        uint32_t x, y, above = titled ? 24 : 0;
        lt_panels_size(panels, &x, &y);
        CHECK_COUNT(x, GAP + 2 * (WIDTH + GAP));
        CHECK_COUNT(y, GAP + above + 2 * (CAPTION + HEIGHT + GAP));
        lt_panels_corner(panels, 0, &x, &y);
        CHECK(x == GAP && y == GAP + above + CAPTION);
        lt_panels_corner(panels, 3, &x, &y);
        CHECK(x == GAP + WIDTH + GAP && y == GAP + above + 2 * CAPTION + HEIGHT + GAP);
        lt_panels_destroy(panels);
    }
    const lt_panels_def odd = {
        .columns = 1, .rows = 1, .width = 21, .height = 12}; /* 29 x 31 before rounding */
    lt_panels *panels;
    uint32_t width, height;
    CHECK_FATAL(lt_panels_create(&panels, &odd, NULL, NULL) == LT_OK);
    lt_panels_size(panels, &width, &height);
    CHECK(width == 30 && height == 32);
    lt_panels_destroy(panels);
}

/* Two pictures in a frame for four: each is where it belongs, the rest is paper but for the captions' dots. A
 * capital I is 3 + 5 + 3 dots, a T 5 + 6. */
static void frame_holds_pictures_captions_and_paper(void) {
    lt_panels *panels = make_panels("T");
    lt_image first = test_image(WIDTH, HEIGHT, 1), second = test_image(WIDTH, HEIGHT, 5);
    lt_error error;
    lt_panels_begin(panels);
    CHECK(lt_panels_put(panels, 0, &first, "II", &error) == LT_OK);
    CHECK(lt_panels_put(panels, 3, &second, NULL, &error) == LT_OK);
    const lt_image *frame = lt_panels_end(panels);
    uint32_t x0, y0, x3, y3, elsewhere = 0;
    lt_panels_corner(panels, 0, &x0, &y0);
    lt_panels_corner(panels, 3, &x3, &y3);
    CHECK_COUNT(count_different(frame, &first, x0, y0), 0);
    CHECK_COUNT(count_different(frame, &second, x3, y3), 0);
    CHECK_COUNT(count_ink(frame, area_of(x0, y0 - CAPTION, WIDTH, CAPTION)), 2 * 11);
    CHECK_COUNT(count_ink(frame, area_of(GAP, GAP, 12, 14)), 4 * 11); /* dots of 2 x 2 */
    for (uint32_t y = 0; y < frame->height; y++)
        for (uint32_t x = 0; x < frame->width; x++) {
            bool known = is_in(area_of(x0, y0 - CAPTION, WIDTH, CAPTION + HEIGHT), x, y) ||
                         is_in(area_of(x3, y3, WIDTH, HEIGHT), x, y) ||
                         is_in(area_of(GAP, GAP, 12, 14), x, y);
            elsewhere += !known && lt_image_pixel(frame, x, y)[0] != PAGE;
        }
    CHECK_COUNT(elsewhere, 0);
    lt_panels_begin(panels); /* the next frame begins with its title alone */
    CHECK_COUNT(count_ink(lt_panels_end(panels), whole(frame)), 4 * 11);
    CHECK_COUNT(lt_image_pixel(frame, x0, y0)[0], PAGE);
    lt_image_free(&first);
    lt_image_free(&second);
    lt_panels_destroy(panels);
}

/* 33 pixels hold five letters of 6 and 5 dots: the sixth and the second line are left out, and a caption put
 * again takes the place of the first. */
static void captions_keep_to_their_room(void) {
    lt_panels *panels = make_panels(NULL);
    lt_image image = test_image(WIDTH, HEIGHT, 0);
    for (size_t i = 0; i < lt_image_value_count(&image); i++)
        image.bytes[i] = 200;
    lt_panels_begin(panels);
    CHECK(lt_panels_put(panels, 1, &image, "IIIIIIIII\nII", NULL) == LT_OK);
    const lt_image *frame = lt_panels_end(panels);
    CHECK_COUNT(count_ink(frame, whole(frame)), 5 * 11);
    CHECK_COUNT(count_ink(frame, area_of(GAP + WIDTH + GAP, GAP, WIDTH, CAPTION)), 5 * 11);
    lt_panels_begin(panels);
    CHECK(lt_panels_put(panels, 1, &image, "IIIII", NULL) == LT_OK);
    CHECK(lt_panels_put(panels, 1, &image, "I", NULL) == LT_OK);
    CHECK_COUNT(count_ink(lt_panels_end(panels), whole(frame)), 11);
    lt_panels_begin(panels); /* a legend: 21 pixels hold two lines */
    CHECK(lt_panels_put_text(panels, 2, "I\nII\nIII", NULL) == LT_OK);
    uint32_t x, y;
    lt_panels_corner(panels, 2, &x, &y);
    CHECK_COUNT(count_ink(lt_panels_end(panels), area_of(x, y, WIDTH, HEIGHT)), 3 * 11);
    lt_image_free(&image);
    lt_panels_destroy(panels);
}

/* 44 letters fit a panel of any width that has a dot for them: the size of letters follows. */
static void letters_grow_with_the_panel(void) {
    const struct {
        uint32_t width, letters, gap;
    } cases[] = {{264, 0, 4}, {527, 0, 4}, {528, 0, 8}, {528, 88, 4}, {40, 0, 4}, {40, UINT32_MAX, 4}};
    for (size_t i = 0; i < LT_COUNT_OF(cases); i++) {
        const lt_panels_def def = {.columns = 1,
                                   .rows = 1,
                                   .width = cases[i].width,
                                   .height = 8,
                                   .caption_letters = cases[i].letters};
        lt_panels *panels;
        uint32_t x, y;
        CHECK_FATAL(lt_panels_create(&panels, &def, NULL, NULL) == LT_OK);
        lt_panels_corner(panels, 0, &x, &y);
        CHECK_COUNT(x, cases[i].gap);
        lt_panels_destroy(panels);
    }
}

static void what_does_not_fit_is_refused(void) {
    const lt_panels_def bad[] = {{.columns = 0, .rows = 1, .width = 8, .height = 8},
                                 {.columns = 1, .rows = 0, .width = 8, .height = 8},
                                 {.columns = 1, .rows = 1, .width = 8, .height = 0},
                                 {.columns = 3, .rows = 1, .width = 4000, .height = 8},
                                 {.columns = UINT32_MAX, .rows = 1, .width = UINT32_MAX, .height = 8},
                                 {.columns = 1, .rows = 1, .width = 8, .height = 8, .caption_lines = 101}};
    lt_panels *panels;
    lt_error error;
    for (size_t i = 0; i < LT_COUNT_OF(bad); i++) {
        CHECK(lt_panels_create(&panels, &bad[i], NULL, &error) == LT_STATUS_INVALID);
        CHECK(panels == NULL);
    }
    panels = make_panels(NULL);
    lt_image image = test_image(WIDTH + 1, HEIGHT, 0), right_size = test_image(WIDTH, HEIGHT, 0);
    lt_panels_begin(panels);
    CHECK(lt_panels_put(panels, 0, &image, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "34 x 21");
    CHECK(lt_panels_put(panels, 4, &right_size, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "panel 4");
    CHECK(lt_panels_put_text(panels, 4, "x", &error) == LT_STATUS_INVALID);
    CHECK(lt_panels_put(panels, 0, NULL, NULL, &error) == LT_STATUS_INVALID);
    CHECK_COUNT(count_ink(lt_panels_end(panels), area_of(0, 0, 78, 76)), 0);
    lt_image_free(&image);
    lt_image_free(&right_size);
    lt_panels_destroy(panels);
    lt_panels_destroy(NULL);
}

static void out_of_memory_leaks_nothing(void) {
    const lt_panels_def def = {.columns = 2, .rows = 1, .width = 8, .height = 8};
    for (int successes = 0; successes < 3; successes++) {
        failing_allocator failing = {0, successes};
        lt_allocator allocator = failing_as_allocator(&failing);
        lt_panels *panels;
        lt_status status = lt_panels_create(&panels, &def, &allocator, NULL);
        CHECK(status == (successes < 2 ? LT_STATUS_MEMORY : LT_OK));
        lt_panels_destroy(panels);
        CHECK_COUNT(failing.live_bytes, 0);
    }
}

/* A frame goes into a recorder made for its size. */
static void frames_can_be_recorded(void) {
    lt_panels *panels = make_panels("two budgets");
    lt_recorder *recorder;
    lt_error error;
    uint32_t width, height;
    lt_panels_size(panels, &width, &height);
    CHECK_FATAL(lt_record_begin(&recorder, scratch_path("run.png"), width, height, 30, NULL, &error) ==
                LT_OK);
    for (uint32_t frame = 0; frame < 2; frame++) {
        lt_image image = test_image(WIDTH, HEIGHT, frame);
        lt_panels_begin(panels);
        CHECK(lt_panels_put(panels, frame, &image, "200 us", &error) == LT_OK);
        CHECK(lt_record_frame(recorder, lt_panels_end(panels), &error) == LT_OK);
        lt_image_free(&image);
    }
    CHECK(lt_record_end(recorder, &error) == LT_OK);
    CHECK(path_exists(scratch_path("run-00000.png")) && path_exists(scratch_path("run-00001.png")));
    lt_panels_destroy(panels);
    remove_scratch();
}

int main(void) {
    RUN(panels_lie_on_their_grid);
    RUN(frame_holds_pictures_captions_and_paper);
    RUN(captions_keep_to_their_room);
    RUN(letters_grow_with_the_panel);
    RUN(what_does_not_fit_is_refused);
    RUN(out_of_memory_leaks_nothing);
    RUN(frames_can_be_recorded);
    return check_finish();
}
