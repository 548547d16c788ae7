/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The order of boxes, bricks, who never meets whom against brute force, and what is refused. */

#include "check.h"

#include "bound/cell_fixture.h"
#include "failing_allocator.h"

static bool share_node(const cell_fixture *f, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++)
            if (f->cells[8 * a + i] == f->cells[8 * b + j]) return true;
    return false;
}

static bool overlap_at_rest(const cell_fixture *f, uint32_t a, uint32_t b) {
    for (int axis = 0; axis < 3; axis++) {
        float x = (float)lt_cell_place_along(f->places[a], axis),
              y = (float)lt_cell_place_along(f->places[b], axis);
        if (x + f->tight[6 * a + 3 + (uint32_t)axis] < y + f->tight[6 * b + (uint32_t)axis] - 1e-5f ||
            y + f->tight[6 * b + 3 + (uint32_t)axis] < x + f->tight[6 * a + (uint32_t)axis] - 1e-5f)
            return false;
    }
    return true;
}

static void compare_bricks(const cell_fixture *f) {
    const lt_cell_layout *l = &f->layout;
    CHECK_COUNT(l->brick_begin[l->brick_count], l->box_count);
    for (uint32_t brick = 0; brick < l->brick_count; brick++) {
        uint32_t begin = l->brick_begin[brick], end = l->brick_begin[brick + 1];
        CHECK(begin < end && end - begin <= LT_BRICK_BOXES);
        for (uint32_t box = begin; box < end; box++) {
            CHECK_COUNT(l->bricks[box], brick);
            uint32_t apart = f->places[l->cells[box]] ^ f->places[l->cells[begin]];
            CHECK((apart & ~(3u | 3u << 10 | 3u << 20)) == 0);
        }
    }
}

static void compare_skips(const cell_fixture *f, uint32_t *skipped) {
    const lt_cell_layout *l = &f->layout;
    for (uint32_t a = 0; a < l->box_count; a++)
        for (uint32_t b = a + 1; b < l->box_count; b++) {
            uint32_t brick = l->bricks[b];
            bool skips = lt_cell_skips(l, a, brick) >> (b - l->brick_begin[brick]) & 1;
            uint32_t cell_a = l->cells[a], cell_b = l->cells[b];
            CHECK(skips == (share_node(f, cell_a, cell_b) || overlap_at_rest(f, cell_a, cell_b)));
            *skipped += skips;
        }
}

static float gap_at_rest(const cell_fixture *f, uint32_t a, uint32_t b) {
    float squares = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        float x = (float)lt_cell_place_along(f->places[a], (int)axis),
              y = (float)lt_cell_place_along(f->places[b], (int)axis);
        float gap = lt_max_f(y + f->tight[6 * b + axis] - x - f->tight[6 * a + 3 + axis],
                             x + f->tight[6 * a + axis] - y - f->tight[6 * b + 3 + axis]);
        squares += gap > 0 ? gap * gap : 0;
    }
    return sqrtf(squares);
}

/* The least gap of those that may collide, one cell at most; those that are proved by it are all of them. */
static void compare_gap(const cell_fixture *f) {
    const lt_cell_layout *l = &f->layout;
    float least = 1;
    for (uint32_t a = 0; a < l->box_count; a++)
        for (uint32_t b = a + 1; b < l->box_count; b++) {
            uint32_t brick = l->bricks[b];
            if (lt_cell_skips(l, a, brick) >> (b - l->brick_begin[brick]) & 1) continue;
            least = lt_min_f(least, gap_at_rest(f, l->cells[a], l->cells[b]));
        }
    CHECK_NEAR(l->rest_gap, least, 1e-5);
}

static lt_vec3 corner_at_rest(const cell_fixture *f, uint32_t cell, uint32_t corner) {
    float at[3];
    for (uint32_t axis = 0; axis < 3; axis++)
        at[axis] = (float)lt_cell_place_along(f->places[cell], (int)axis) +
                   f->tight[6 * cell + axis + (corner >> axis & 1 ? 3 : 0)];
    return (lt_vec3){at[0], at[1], at[2]};
}

/* Every corner counts, or one of a neighbour does that is near, by whose name it is known; and no two that are near both do. */
static void compare_corners(const cell_fixture *f) {
    const lt_cell_layout *l = &f->layout;
    for (uint32_t i = 0; i < 8 * l->box_count; i++) {
        uint32_t a = l->cells[i / 8], near = 0;
        for (uint32_t j = 0; j < 8 * l->box_count; j++) {
            uint32_t b = l->cells[j / 8];
            if (a == b || !(l->corners[j / 8] >> j % 8 & 1) || !share_node(f, a, b)) continue;
            lt_vec3 way = lt_v3_sub(corner_at_rest(f, a, i % 8), corner_at_rest(f, b, j % 8));
            near += lt_v3_length(way) < LT_CORNER_NEAR;
        }
        CHECK((l->corners[i / 8] >> i % 8 & 1) == (near == 0));
        uint32_t box = l->names[i] >> 4, corner = l->names[i] & 15;
        lt_vec3 way = lt_v3_sub(corner_at_rest(f, a, i % 8), corner_at_rest(f, l->cells[box], corner));
        CHECK(l->corners[box] >> corner & 1);
        CHECK(lt_v3_length(way) < LT_CORNER_NEAR &&
              (near > 0 || l->names[i] == lt_corner_name(i / 8, i % 8)));
    }
}

static void layouts_are_those_of_brute_force(void) {
    static const cell_options options[] = {
        {.size = {1, 1, 1}},
        {.size = {9, 9, 1}, .tight = true},
        {.size = {7, 6, 9}, .hole_percent = 40, .twin_percent = 30, .tight = true, .masks = true, .seed = 2},
        {.size = {4, 4, 4}, .twin_percent = 100, .seed = 3}, /* 128 boxes in one brick's place */
        {.size = {9, 9, 9}, .shell = true, .seed = 4}};
    uint32_t skipped = 0;
    for (size_t i = 0; i < LT_COUNT_OF(options); i++) {
        cell_fixture *f = cells_make(options[i]);
        static bool seen[CELLS_MOST];
        memset(seen, 0, sizeof seen);
        CHECK_COUNT(f->layout.box_count, f->cell_count);
        for (uint32_t box = 0; box < f->layout.box_count; box++) {
            uint32_t cell = f->layout.cells[box];
            CHECK(!seen[cell]);
            seen[cell] = true;
            CHECK(memcmp(f->layout.nodes + 8 * box, f->cells + 8 * cell, 32) == 0);
            CHECK(f->layout.masks[box] == (f->masks[cell] ? f->masks[cell] : 63));
            for (uint32_t side = 0; side < 6; side++)
                CHECK(lt_cell_tight(&f->layout, box, side) == f->tight[6 * cell + side]);
        }
        compare_bricks(f);
        compare_skips(f, &skipped);
        compare_gap(f);
        compare_corners(f);
        cells_free(f);
    }
    CHECK(skipped > 5000);
}

static void cells_without_surface_have_no_box(void) {
    cell_fixture *f = cells_make((cell_options){.size = {3, 3, 3}});
    lt_cell_layout layout;
    f->tight[6 * 5] = 2;
    f->tight[6 * 7 + 4] = NAN;
    lt_cell_layout_def def = cells_def(f);
    CHECK(lt_cell_layout_create(&layout, &def, NULL, NULL) == LT_OK);
    CHECK_COUNT(layout.box_count, 25);
    for (uint32_t box = 0; box < layout.box_count; box++)
        CHECK(layout.cells[box] != 5 && layout.cells[box] != 7);
    lt_cell_layout_free(&layout);
    lt_cell_layout_free(&layout);
    def.tight = NULL; /* grid boxes: all of them */
    def.masks = NULL;
    CHECK(lt_cell_layout_create(&layout, &def, NULL, NULL) == LT_OK);
    CHECK(layout.box_count == 27 && layout.masks[0] == 63 && lt_cell_tight(&layout, 26, 5) == 1);
    lt_cell_layout_free(&layout);
    cells_free(f);
}

static void an_empty_lattice_is_one_too(void) {
    lt_cell_layout layout;
    lt_cell_boxes boxes;
    lt_cell_layout_def def = {0};
    CHECK(lt_cell_layout_create(&layout, &def, NULL, NULL) == LT_OK);
    CHECK(lt_cell_boxes_create(&boxes, &layout, 1, false, lt_simd_best(), NULL, NULL) == LT_OK);
    lt_cell_boxes_begin(&boxes, NULL, (lt_box){{0, 0, 0}, {0, 0, 0}});
    lt_cell_boxes_fit(&boxes);
    CHECK_COUNT(lt_cell_boxes_cost(&boxes), 0);
    CHECK(boxes.box.lo.x > boxes.box.hi.x);
    lt_cell_boxes_free(&boxes);
    lt_cell_layout_free(&layout);
}

static void a_node_that_is_none_is_refused(void) {
    cell_fixture *f = cells_make((cell_options){.size = {2, 2, 2}});
    lt_cell_layout layout;
    lt_error error;
    f->cells[8 * 6 + 3] = f->node_count;
    lt_cell_layout_def def = cells_def(f);
    CHECK(lt_cell_layout_create(&layout, &def, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "corner 3 of cell 6 is node 27 of 27");
    CHECK(layout.nodes == NULL && layout.box_count == 0);
    cells_free(f);
}

static void memory_that_is_out_leaves_nothing(void) {
    cell_fixture *f = cells_make((cell_options){.size = {5, 5, 5}, .tight = true});
    lt_cell_layout_def def = cells_def(f);
    int refused = 0;
    for (int allowed = 0;; allowed++) {
        failing limited = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&limited);
        lt_cell_layout layout;
        lt_cell_boxes boxes = {0};
        lt_error error;
        lt_status status = lt_cell_layout_create(&layout, &def, &allocator, &error);
        if (status == LT_OK)
            status = lt_cell_boxes_create(&boxes, &layout, 1, false, LT_LEVEL_SCALAR, &allocator, &error);
        CHECK(status == LT_OK || (status == LT_STATUS_MEMORY && boxes.full == NULL));
        lt_cell_boxes_free(&boxes);
        lt_cell_layout_free(&layout);
        CHECK(limited.blocks_out == 0 && limited.bytes_out == 0);
        if (status == LT_OK) break;
        CHECK_CONTAINS(error.message, "no memory");
        refused++;
    }
    CHECK(refused > 10);
    cells_free(f);
}

int main(void) {
    RUN(layouts_are_those_of_brute_force);
    RUN(cells_without_surface_have_no_box);
    RUN(an_empty_lattice_is_one_too);
    RUN(a_node_that_is_none_is_refused);
    RUN(memory_that_is_out_leaves_nothing);
    return check_finish();
}
