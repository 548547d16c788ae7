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
    LT_ASSERT(cell < def->cell_count);
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

/* How far two boxes are apart at rest, in cells: there they are axis-aligned, the place and the tight box in it. */
static double gap_at_rest(const lt_cell_layout *layout, const uint32_t *places, uint32_t a, uint32_t b) {
    LT_ASSERT(a < layout->box_count);
    LT_ASSERT(b < layout->box_count);
    double squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        double at_a = lt_cell_place_along(places[layout->cells[a]], axis),
               at_b = lt_cell_place_along(places[layout->cells[b]], axis);
        uint32_t lo = (uint32_t)axis, hi = lo + 3;
        double gap_ab =
            at_b + (double)lt_cell_tight(layout, b, lo) - (at_a + (double)lt_cell_tight(layout, a, hi));
        double gap_ba =
            at_a + (double)lt_cell_tight(layout, a, lo) - (at_b + (double)lt_cell_tight(layout, b, hi));
        double gap = lt_max_d(0, lt_max_d(gap_ab, gap_ba));
        squares += gap * gap;
    }
    return sqrt(squares);
}

static bool are_near(uint32_t place_a, uint32_t place_b) {
    for (int axis = 0; axis < 3; axis++) {
        uint32_t a = lt_cell_place_along(place_a, axis), b = lt_cell_place_along(place_b, axis);
        if (a + 1 < b || b + 1 < a) return false;
    }
    return true;
}

/* Also how near those are that may meet. Touching counts as overlap. */
static uint64_t find_skips(lt_cell_layout *layout, const uint32_t *places, uint32_t box, uint32_t brick) {
    LT_ASSERT(box < layout->box_count);
    LT_ASSERT(brick < layout->brick_count);
    const double slack = 1e-6;
    uint64_t bits = 0;
    uint32_t begin = layout->brick_begin[brick];
    for (uint32_t other = lt_max_u32(begin, box + 1); other < layout->brick_begin[brick + 1]; other++) {
        if (!are_near(places[layout->cells[box]], places[layout->cells[other]])) continue;
        double gap = gap_at_rest(layout, places, box, other);
        if (gap <= slack || shares_node(layout->nodes + 8 * (size_t)box, layout->nodes + 8 * (size_t)other))
            bits |= (uint64_t)1 << (other - begin);
        else
            layout->rest_gap = lt_min_f(layout->rest_gap, (float)gap);
    }
    return bits;
}

/* The words of a block, if any box of it is to be left out. */
static bool add_block(lt_cell_layout *layout, lt_array *blocks, lt_array *skips, const uint32_t *places,
                      uint32_t first, uint32_t second) {
    LT_ASSERT(first < layout->brick_count);
    uint32_t begin = layout->brick_begin[first], count = layout->brick_begin[first + 1] - begin;
    uint64_t words[LT_BRICK_BOXES], any = 0;
    for (uint32_t i = 0; i < count; i++)
        any |= words[i] = find_skips(layout, places, begin + i, second);
    lt_brick_block block = {second, (uint32_t)skips->count};
    if (!any) return true;
    for (uint32_t i = 0; i < count; i++)
        if (!lt_array_push(skips, &words[i])) return false;
    return lt_array_push(blocks, &block);
}

/* Bricks around a brick and itself, those before it left out: ascending, since coordinates decide the order. */
static bool add_blocks(lt_cell_layout *layout, lt_array *blocks, lt_array *skips, const uint64_t *keys,
                       const uint32_t *places, uint32_t first) {
    LT_ASSERT(first <= layout->brick_count);
    uint32_t own = brick_of_key(keys[layout->brick_begin[first]]);
    for (uint32_t around = 0; around < 27; around++) {
        uint32_t x = (own & 255) + around % 3, y = (own >> 8 & 255) + around / 3 % 3,
                 z = (own >> 16) + around / 9;
        if (x < 1 || y < 1 || z < 1 || x > 256 || y > 256 || z > 256) continue;
        uint32_t wanted = (x - 1) | (y - 1) << 8 | (z - 1) << 16;
        if (wanted < own) continue;
        for (uint32_t brick = find_brick(layout, keys, wanted);
             brick < layout->brick_count && brick_of_key(keys[layout->brick_begin[brick]]) == wanted; brick++)
            if (brick >= first && !add_block(layout, blocks, skips, places, first, brick)) return false;
    }
    return true;
}

static bool fill_skips(lt_cell_layout *out, const uint64_t *keys, const uint32_t *places) {
    lt_array blocks = LT_ARRAY_OF(&out->allocator, lt_brick_block),
             skips = LT_ARRAY_OF(&out->allocator, uint64_t);
    bool fits = true;
    for (uint32_t brick = 0; brick < out->brick_count && fits; brick++) {
        fits = add_blocks(out, &blocks, &skips, keys, places, brick);
        out->block_begin[brick + 1] = (uint32_t)blocks.count;
    }
    size_t count;
    out->blocks = fits ? lt_array_take(&blocks, &count) : NULL;
    out->skips = out->blocks ? lt_array_take(&skips, &out->skip_count) : NULL;
    lt_array_free(&blocks);
    lt_array_free(&skips);
    return out->skips != NULL;
}

/* ---- corners ---- */

static lt_vec3 corner_at_rest(const lt_cell_layout *layout, const uint32_t *places, uint32_t box,
                              uint32_t corner) {
    LT_ASSERT(box < layout->box_count);
    uint32_t place = places[layout->cells[box]];
    float at[3];
    for (uint32_t axis = 0; axis < 3; axis++)
        at[axis] = (float)lt_cell_place_along(place, (int)axis) +
                   lt_cell_tight(layout, box, corner >> axis & 1 ? axis + 3 : axis);
    return (lt_vec3){at[0], at[1], at[2]};
}

/* Corners of `other` that are near one of `box` that counts do not: that one stands for them. */
static void share_corners(lt_cell_layout *layout, const uint32_t *places, uint32_t box, uint32_t other) {
    LT_ASSERT(box < layout->box_count);
    const float near = LT_CORNER_NEAR;
    for (uint32_t i = 0; i < LT_CELL_CORNERS; i++) {
        if (!(layout->corners[box] >> i & 1)) continue;
        lt_vec3 at = corner_at_rest(layout, places, box, i);
        for (uint32_t j = 0; j < LT_CELL_CORNERS; j++) {
            lt_vec3 way = lt_v3_sub(corner_at_rest(layout, places, other, j), at);
            if (!(layout->corners[other] >> j & 1) || !(lt_v3_length(way) < near)) continue;
            layout->corners[other] &= (uint8_t) ~(1u << j);
            layout->names[8 * (size_t)other + j] = lt_corner_name(box, i);
        }
    }
}

/* In the order of boxes: what a box has left when its turn comes is what counts. Neighbours are those that share a node. */
static void fill_corners(lt_cell_layout *out, const uint32_t *places) {
    memset(out->corners, 255, out->box_count);
    for (uint32_t i = 0; i < LT_CELL_CORNERS * out->box_count; i++)
        out->names[i] = lt_corner_name(i / LT_CELL_CORNERS, i % LT_CELL_CORNERS);
    for (uint32_t box = 0; box < out->box_count; box++) {
        uint32_t own = out->bricks[box], row = box - out->brick_begin[own];
        for (uint32_t i = out->block_begin[own]; i < out->block_begin[own + 1]; i++) {
            uint64_t bits = out->skips[out->blocks[i].begin + row];
            for (; bits; bits &= bits - 1) {
                uint32_t other = out->brick_begin[out->blocks[i].brick] + (uint32_t)__builtin_ctzll(bits);
                if (shares_node(out->nodes + 8 * (size_t)box, out->nodes + 8 * (size_t)other))
                    share_corners(out, places, box, other);
            }
        }
    }
}

/* ---- the shape at rest ---- */

static size_t rest_size(const lt_cell_layout *layout) {
    return 32 * ((size_t)layout->node_count + 1) / 2;
}

/* Row 0 … 3 of a node, four floats. */
static float *rest_of(const lt_cell_layout *layout, uint32_t node, int row) {
    return layout->rest + 32 * (size_t)(node / 2) + 8 * (size_t)row + 4 * (node % 2);
}

/* Nodes that a box hangs on, in cells; then relative to their mean, and each number four times. */
static void fill_rest(lt_cell_layout *out, const uint32_t *places) {
    double sums[3] = {0, 0, 0};
    for (uint32_t box = 0; box < out->box_count; box++)
        for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++) {
            uint32_t node = out->nodes[8 * (size_t)box + corner];
            if (*rest_of(out, node, 3) > 0) continue;
            for (int axis = 0; axis < 3; axis++) {
                uint32_t at = lt_cell_place_along(places[out->cells[box]], axis) + (corner >> axis & 1);
                *rest_of(out, node, axis) = (float)at;
                sums[axis] += at;
            }
            *rest_of(out, node, 3) = 1;
            out->rest_count += 1;
        }
    for (uint32_t node = 0; node < out->node_count; node++)
        for (int row = 0; row < 4; row++) {
            float *rest = rest_of(out, node, row), weight = *rest_of(out, node, 3);
            float mean = row < 3 ? (float)(sums[row] / (double)out->rest_count) : 0;
            float value = weight > 0 ? *rest - mean : 0;
            for (int k = 0; k < 4; k++)
                rest[k] = value;
        }
}

/* The centre of a cell is the mean of its nodes. */
static uint32_t find_middle(const lt_cell_layout *layout) {
    uint32_t middle = 0;
    float least = INFINITY;
    for (uint32_t box = 0; box < layout->box_count; box++) {
        float square = 0;
        for (int axis = 0; axis < 3; axis++) {
            float sum = 0;
            for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++)
                sum += *rest_of(layout, layout->nodes[8 * (size_t)box + corner], axis);
            square += sum * sum;
        }
        if (square < least) {
            least = square;
            middle = box;
        }
    }
    return middle;
}

/* ---- memory ---- */

static bool allocate(lt_cell_layout *out) {
    const lt_allocator *a = &out->allocator;
    out->cells = LT_NEW(a, out->box_count, uint32_t);
    out->nodes = LT_NEW(a, 64 * (size_t)out->group_count, uint32_t);
    out->tight = LT_NEW(a, 48 * (size_t)out->group_count, float);
    out->masks = LT_NEW(a, out->box_count, uint8_t);
    out->corners = LT_NEW(a, out->box_count, uint8_t);
    out->names = LT_NEW(a, LT_CELL_CORNERS * (size_t)out->box_count, uint32_t);
    out->bricks = LT_NEW(a, out->box_count, uint32_t);
    out->brick_begin = LT_NEW(a, (size_t)out->brick_count + 1, uint32_t);
    out->block_begin = LT_NEW(a, (size_t)out->brick_count + 1, uint32_t);
    out->rest = LT_NEW(a, rest_size(out), float);
    return out->rest && out->cells && out->nodes && out->tight && out->masks && out->corners && out->names &&
           out->bricks && out->brick_begin && out->block_begin;
}

void lt_cell_layout_free(lt_cell_layout *layout) {
    const lt_allocator *a = &layout->allocator;
    if (layout->blocks)
        LT_DELETE(a, layout->blocks, layout->block_begin[layout->brick_count], lt_brick_block);
    LT_DELETE(a, layout->skips, layout->skip_count, uint64_t);
    LT_DELETE(a, layout->rest, rest_size(layout), float);
    LT_DELETE(a, layout->cells, layout->box_count, uint32_t);
    LT_DELETE(a, layout->nodes, 64 * (size_t)layout->group_count, uint32_t);
    LT_DELETE(a, layout->tight, 48 * (size_t)layout->group_count, float);
    LT_DELETE(a, layout->masks, layout->box_count, uint8_t);
    LT_DELETE(a, layout->corners, layout->box_count, uint8_t);
    LT_DELETE(a, layout->names, LT_CELL_CORNERS * (size_t)layout->box_count, uint32_t);
    LT_DELETE(a, layout->bricks, layout->box_count, uint32_t);
    LT_DELETE(a, layout->brick_begin, (size_t)layout->brick_count + 1, uint32_t);
    LT_DELETE(a, layout->block_begin, (size_t)layout->brick_count + 1, uint32_t);
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
    out->rest_gap = 1;
    if (!allocate(out)) return false;
    fill_boxes(out, def, keys);
    fill_bricks(out, keys);
    fill_rest(out, def->places);
    out->middle = find_middle(out);
    if (!fill_skips(out, keys, def->places)) return false;
    fill_corners(out, def->places);
    return true;
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
