/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The order of boxes, and who never meets whom. Nine in ten overlapping pairs of a body with itself are neighbours in the
 * lattice: kept as words of bits they cost one operation for a whole row of a brick. */

#include "bound/cell_boxes.h"
#include "core/heap.h"

/* ---- order ---- */

/* Brick (z, y, x), place in the brick (z, y, x), cell: all that decides the order, so that no two are equal. */
static uint64_t order_key(uint32_t place, uint32_t cell) {
    uint64_t brick = 0, within = 0;
    for (int axis = 2; axis >= 0; axis--) {
        uint32_t at = lt_cell_place_along(place, axis);
        brick = brick << 8 | at / LT_BRICK_SIDE;
        within = within << 2 | at % LT_BRICK_SIDE;
    }
    return brick << 38 | within << 32 | cell;
}
static uint32_t brick_of_key(uint64_t key) {
    return (uint32_t)(key >> 38);
}

static bool key_is_above(const uint64_t *x, const uint64_t *y) {
    return *x > *y;
}
LT_HEAP(keys, uint64_t, key_is_above)

static bool has_surface(const lt_cell_layout_def *def, uint32_t cell) {
    if (!def->tight) return true;
    const float *t = def->tight + 6 * (size_t)cell;
    return t[0] <= t[3] && t[1] <= t[4] && t[2] <= t[5]; /* false for NaN */
}

static uint32_t sort_cells(uint64_t *keys, const lt_cell_layout_def *def) {
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < def->cell_count; cell++)
        if (has_surface(def, cell)) keys[count++] = order_key(def->places[cell], cell);
    keys_sort(keys, count);
    return count;
}

/* A brick ends where the next begins, and after 64 boxes: where many cells have the same place it is cut. */
static bool begins_brick(const uint64_t *keys, uint32_t box, uint32_t begin) {
    return box == 0 || box - begin == LT_BRICK_BOXES ||
           brick_of_key(keys[box]) != brick_of_key(keys[box - 1]);
}

static uint32_t count_bricks(const uint64_t *keys, uint32_t box_count) {
    uint32_t count = 0;
    for (uint32_t box = 0, begin = 0; box < box_count; box++)
        if (begins_brick(keys, box, begin)) {
            begin = box;
            count++;
        }
    return count;
}

static void fill_bricks(lt_cell_layout *out, const uint64_t *keys) {
    uint32_t count = 0;
    for (uint32_t box = 0, begin = 0; box < out->box_count; box++) {
        if (begins_brick(keys, box, begin)) out->brick_begin[count++] = begin = box;
        out->bricks[box] = count - 1;
    }
    out->brick_begin[count] = out->box_count;
}

/* Lanes beyond the last box are copies of it. */
static void fill_boxes(lt_cell_layout *out, const lt_cell_layout_def *def, const uint64_t *keys) {
    static const float grid_box[6] = {0, 0, 0, 1, 1, 1};
    for (uint32_t lane = 0; lane < 8 * out->group_count; lane++) {
        uint32_t box = lt_min_u32(lane, out->box_count - 1), cell = (uint32_t)keys[box];
        const float *tight = def->tight ? def->tight + 6 * (size_t)cell : grid_box;
        memcpy(out->nodes + 8 * (size_t)lane, def->cells + 8 * (size_t)cell, 8 * sizeof(uint32_t));
        for (uint32_t side = 0; side < 6; side++)
            out->tight[(size_t)(lane / 8) * 48 + 8 * side + lane % 8] = tight[side];
        uint8_t mask = def->masks ? def->masks[cell] & 63u : 0;
        out->masks[box] = mask ? mask : 63u;
        out->cells[box] = cell;
    }
}

/* ---- who never meets whom ---- */

/* Where bricks of these coordinates begin, or would. */
static uint32_t find_brick(const lt_cell_layout *layout, const uint64_t *keys, uint32_t wanted) {
    uint32_t lo = 0, hi = layout->brick_count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (brick_of_key(keys[layout->brick_begin[middle]]) < wanted)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static bool shares_node(const uint32_t *a, const uint32_t *b) {
    for (int i = 0; i < LT_CELL_CORNERS; i++)
        for (int j = 0; j < LT_CELL_CORNERS; j++)
            if (a[i] == b[j]) return true;
    return false;
}

/* At rest boxes are axis-aligned: in units of cells, the place and the tight box in it. Touching counts. */
static bool overlap_at_rest(const lt_cell_layout *layout, const uint32_t *places, uint32_t a, uint32_t b) {
    const double slack = 1e-6;
    for (int axis = 0; axis < 3; axis++) {
        double at_a = lt_cell_place_along(places[layout->cells[a]], axis),
               at_b = lt_cell_place_along(places[layout->cells[b]], axis);
        uint32_t lo = (uint32_t)axis, hi = lo + 3;
        double gap_ab =
            at_b + (double)lt_cell_tight(layout, b, lo) - (at_a + (double)lt_cell_tight(layout, a, hi));
        double gap_ba =
            at_a + (double)lt_cell_tight(layout, a, lo) - (at_b + (double)lt_cell_tight(layout, b, hi));
        if (gap_ab > slack || gap_ba > slack) return false;
    }
    return true;
}

static bool are_near(uint32_t place_a, uint32_t place_b) {
    for (int axis = 0; axis < 3; axis++) {
        uint32_t a = lt_cell_place_along(place_a, axis), b = lt_cell_place_along(place_b, axis);
        if (a + 1 < b || b + 1 < a) return false;
    }
    return true;
}

static uint64_t find_skips(const lt_cell_layout *layout, const uint32_t *places, uint32_t box,
                           uint32_t brick) {
    uint64_t bits = 0;
    uint32_t begin = layout->brick_begin[brick];
    for (uint32_t other = lt_max_u32(begin, box + 1); other < layout->brick_begin[brick + 1]; other++) {
        if (!are_near(places[layout->cells[box]], places[layout->cells[other]])) continue;
        if (shares_node(layout->nodes + 8 * (size_t)box, layout->nodes + 8 * (size_t)other) ||
            overlap_at_rest(layout, places, box, other))
            bits |= (uint64_t)1 << (other - begin);
    }
    return bits;
}

/* Bricks around the box's own and its own, those before it left out: ascending, since coordinates decide the order. */
static bool add_skips(lt_cell_layout *layout, lt_array *skips, const uint64_t *keys, const uint32_t *places,
                      uint32_t box) {
    uint32_t own = brick_of_key(keys[box]);
    for (uint32_t around = 0; around < 27; around++) {
        uint32_t x = (own & 255) + around % 3, y = (own >> 8 & 255) + around / 3 % 3,
                 z = (own >> 16) + around / 9;
        if (x < 1 || y < 1 || z < 1 || x > 256 || y > 256 || z > 256) continue;
        uint32_t wanted = (x - 1) | (y - 1) << 8 | (z - 1) << 16;
        if (wanted < own) continue;
        for (uint32_t brick = find_brick(layout, keys, wanted);
             brick < layout->brick_count && brick_of_key(keys[layout->brick_begin[brick]]) == wanted;
             brick++) {
            lt_brick_bits found = {find_skips(layout, places, box, brick), brick};
            if (found.bits && !lt_array_push(skips, &found)) return false;
        }
    }
    return true;
}

static bool fill_skips(lt_cell_layout *out, const uint64_t *keys, const uint32_t *places) {
    lt_array skips = LT_ARRAY_OF(&out->allocator, lt_brick_bits);
    for (uint32_t box = 0; box < out->box_count; box++) {
        if (!add_skips(out, &skips, keys, places, box)) {
            lt_array_free(&skips);
            return false;
        }
        out->skip_begin[box + 1] = (uint32_t)skips.count;
    }
    size_t count;
    out->skips = lt_array_take(&skips, &count);
    if (!out->skips) lt_array_free(&skips);
    return out->skips != NULL;
}

/* ---- memory ---- */

static bool allocate(lt_cell_layout *out) {
    const lt_allocator *a = &out->allocator;
    out->cells = LT_NEW(a, out->box_count, uint32_t);
    out->nodes = LT_NEW(a, 64 * (size_t)out->group_count, uint32_t);
    out->tight = LT_NEW(a, 48 * (size_t)out->group_count, float);
    out->masks = LT_NEW(a, out->box_count, uint8_t);
    out->bricks = LT_NEW(a, out->box_count, uint32_t);
    out->brick_begin = LT_NEW(a, (size_t)out->brick_count + 1, uint32_t);
    out->skip_begin = LT_NEW(a, (size_t)out->box_count + 1, uint32_t);
    return out->cells && out->nodes && out->tight && out->masks && out->bricks && out->brick_begin &&
           out->skip_begin;
}

void lt_cell_layout_free(lt_cell_layout *layout) {
    const lt_allocator *a = &layout->allocator;
    if (layout->skips) LT_DELETE(a, layout->skips, layout->skip_begin[layout->box_count], lt_brick_bits);
    LT_DELETE(a, layout->cells, layout->box_count, uint32_t);
    LT_DELETE(a, layout->nodes, 64 * (size_t)layout->group_count, uint32_t);
    LT_DELETE(a, layout->tight, 48 * (size_t)layout->group_count, float);
    LT_DELETE(a, layout->masks, layout->box_count, uint8_t);
    LT_DELETE(a, layout->bricks, layout->box_count, uint32_t);
    LT_DELETE(a, layout->brick_begin, (size_t)layout->brick_count + 1, uint32_t);
    LT_DELETE(a, layout->skip_begin, (size_t)layout->box_count + 1, uint32_t);
    *layout = (lt_cell_layout){0};
}

static lt_status check_def(const lt_cell_layout_def *def, lt_error *error) {
    for (uint32_t cell = 0; cell < def->cell_count; cell++)
        for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++) {
            uint32_t node = def->cells[8 * (size_t)cell + corner];
            if (node >= def->node_count)
                return lt_fail(error, LT_STATUS_INVALID,
                               "cell boxes: corner %u of cell %u is node %u of %u: bake the lattice again",
                               corner, cell, node, def->node_count);
        }
    return LT_OK;
}

static bool build(lt_cell_layout *out, const lt_cell_layout_def *def, uint64_t *keys) {
    out->box_count = sort_cells(keys, def);
    out->group_count = (out->box_count + 7) / 8;
    out->brick_count = count_bricks(keys, out->box_count);
    out->node_count = def->node_count;
    if (!allocate(out)) return false;
    fill_boxes(out, def, keys);
    fill_bricks(out, keys);
    return fill_skips(out, keys, def->places);
}

lt_status lt_cell_layout_create(lt_cell_layout *out, const lt_cell_layout_def *def,
                                const lt_allocator *allocator, lt_error *error) {
    *out = (lt_cell_layout){0};
    lt_status status = check_def(def, error);
    if (status != LT_OK) return status;
    out->allocator = allocator ? *allocator : lt_allocator_default();
    uint64_t *keys = LT_NEW(allocator, def->cell_count, uint64_t);
    bool built = keys && build(out, def, keys);
    LT_DELETE(allocator, keys, def->cell_count, uint64_t);
    if (built) return LT_OK;
    lt_cell_layout_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "cell boxes: no memory for a layout of %u cells",
                   def->cell_count);
}
