/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bound/cell_boxes.h"
#include "bound/bound.h"

extern const lt_cell_kernels lt_cell_kernels_scalar, lt_cell_kernels_wide4, lt_cell_kernels_avx2;

const lt_cell_kernels *lt_cell_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_cell_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_cell_kernels);
    return table[level];
}

/* Tests of eight may begin at the last one. */
static size_t box_stride(const lt_cell_layout *layout) {
    return 8 * (size_t)layout->group_count + 8;
}
static size_t brick_stride(const lt_cell_layout *layout) {
    return lt_align_up(layout->brick_count, 8) + 8;
}

static void place_columns(lt_cell_boxes *out) {
    float *at = out->columns;
    for (int axis = 0; axis < 3; axis++) {
        out->lo[axis] = at;
        out->hi[axis] = at + box_stride(out->layout);
        at += 2 * box_stride(out->layout);
        out->brick_lo[axis] = at;
        out->brick_hi[axis] = at + brick_stride(out->layout);
        at += 2 * brick_stride(out->layout);
    }
}

lt_status lt_cell_boxes_create(lt_cell_boxes *out, const lt_cell_layout *layout, float cell_size,
                               bool as_printed, lt_simd_level level, const lt_allocator *allocator,
                               lt_error *error) {
    LT_ASSERT(cell_size > 0);
    *out = (lt_cell_boxes){.layout = layout,
                           .kernels = lt_cell_kernels_for(level),
                           .cell_size = cell_size,
                           .as_printed = as_printed,
                           .stamp = 1,
                           .oldest_stamp = 1,
                           .next_group = layout->group_count,
                           .next_brick = layout->brick_count,
                           .box = lt_box_empty(),
                           .allocator = allocator ? *allocator : lt_allocator_default()};
    out->column_count = 6 * (box_stride(layout) + brick_stride(layout));
    out->columns = LT_NEW(allocator, out->column_count, float);
    out->node_stamps = LT_NEW(allocator, layout->node_count, uint32_t);
    out->full = LT_NEW(allocator, layout->box_count, lt_cell_box);
    if (out->columns && out->node_stamps && out->full) {
        place_columns(out);
        return LT_OK;
    }
    lt_cell_boxes_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "cell boxes: no memory for a body of %u boxes",
                   layout->box_count);
}

void lt_cell_boxes_free(lt_cell_boxes *boxes) {
    const lt_allocator *a = &boxes->allocator;
    LT_DELETE(a, boxes->columns, boxes->column_count, float);
    if (boxes->layout) {
        LT_DELETE(a, boxes->node_stamps, boxes->layout->node_count, uint32_t);
        LT_DELETE(a, boxes->full, boxes->layout->box_count, lt_cell_box);
    }
    *boxes = (lt_cell_boxes){0};
}

/* ---- a step ---- */

static void restart_stamps(lt_cell_boxes *boxes) {
    memset(boxes->node_stamps, 0, boxes->layout->node_count * sizeof(uint32_t));
    for (uint32_t box = 0; box < boxes->layout->box_count; box++)
        boxes->full[box].stamp = 0;
    boxes->stamp = 0;
}

void lt_cell_boxes_begin(lt_cell_boxes *boxes, const float *nodes, lt_box box_of_nodes) {
    boxes->nodes = nodes;
    if (boxes->stamp > UINT32_MAX / 2) restart_stamps(boxes); /* far more than a step can move */
    boxes->oldest_stamp = ++boxes->stamp;
    boxes->next_group = boxes->next_brick = 0;
    boxes->refreshed_count = 0;
    boxes->box = lt_box_empty();
    /* Corrections within the step move nodes by less than a cell beyond their box. */
    lt_vec3 far = lt_v3_max(lt_v3_neg(box_of_nodes.lo), box_of_nodes.hi);
    boxes->slack = lt_bound_slack(lt_max_f(lt_max_f(far.x, far.y), far.z) + boxes->cell_size);
}

uint32_t lt_cell_boxes_cost(const lt_cell_boxes *boxes) {
    if (boxes->next_group < boxes->layout->group_count) return LT_CELL_GROUP_UNITS;
    return boxes->next_brick < boxes->layout->brick_count ? LT_BRICK_UNITS : 0;
}

static void fit_bricks(lt_cell_boxes *boxes, uint32_t count) {
    uint32_t begin = boxes->next_brick, end = begin + count;
    boxes->kernels->fit_bricks(boxes, begin, end);
    for (uint32_t brick = begin; brick < end; brick++)
        boxes->box = lt_box_union(boxes->box, lt_cell_boxes_brick(boxes, brick));
    boxes->next_brick = end;
}

uint32_t lt_cell_boxes_step(lt_cell_boxes *boxes, uint32_t grant) {
    const lt_cell_layout *layout = boxes->layout;
    uint32_t groups = lt_min_u32(grant / LT_CELL_GROUP_UNITS, layout->group_count - boxes->next_group);
    boxes->kernels->fit_groups(boxes, boxes->next_group, boxes->next_group + groups);
    boxes->next_group += groups;
    uint32_t spent = LT_CELL_GROUP_UNITS * groups;
    if (boxes->next_group < layout->group_count) return spent;
    uint32_t bricks = lt_min_u32((grant - spent) / LT_BRICK_UNITS, layout->brick_count - boxes->next_brick);
    fit_bricks(boxes, bricks);
    return spent + LT_BRICK_UNITS * bricks;
}

/* ---- boxes on demand ---- */

bool lt_cell_box_is_fresh(const lt_cell_boxes *boxes, uint32_t box) {
    LT_ASSERT(box < boxes->layout->box_count);
    uint32_t stamp = boxes->full[box].stamp, stale = stamp < boxes->oldest_stamp;
    const uint32_t *nodes = boxes->layout->nodes + 8 * (size_t)box;
    for (int corner = 0; corner < LT_CELL_CORNERS; corner++)
        stale |= boxes->node_stamps[nodes[corner]] > stamp;
    return !stale;
}

const lt_cell_box *lt_cell_box_get(lt_cell_boxes *boxes, uint32_t box) {
    LT_ASSERT(box < boxes->layout->box_count);
    lt_cell_box *full = &boxes->full[box];
    if (lt_cell_box_is_fresh(boxes, box)) return full;
    if (boxes->as_printed)
        boxes->kernels->fit_box_as_printed(boxes, box, full);
    else
        boxes->kernels->fit_box(boxes, box, full);
    full->stamp = boxes->stamp;
    boxes->refreshed_count++;
    return full;
}

bool lt_cell_box_corners(lt_vec3 corners[8], const lt_soft *soft, const lt_skin *skin, uint32_t cell,
                         bool whole) {
    LT_ASSERT(cell < soft->carrier.cell_count);
    static const float whole_cell[6] = {0, 0, 0, 1, 1, 1};
    const uint32_t *nodes = soft->carrier.cells + LT_CELL_CORNERS * (size_t)cell;
    const float *box = skin->cell_boxes ? skin->cell_boxes + 6 * (size_t)cell : NULL;
    if (!box || box[0] > box[3]) return false;
    if (whole) box = whole_cell;
    for (uint32_t c = 0; c < LT_CELL_CORNERS; c++) {
        lt_real place[3], weights[LT_CELL_CORNERS];
        for (uint32_t axis = 0; axis < 3; axis++)
            place[axis] = box[c >> axis & 1 ? axis + 3 : axis];
        lt_trilinear_weights(weights, place);
        corners[c] = (lt_vec3){0, 0, 0};
        for (uint32_t j = 0; j < LT_CELL_CORNERS; j++) {
            const float *at = soft->nodes + 4 * (size_t)nodes[j];
            corners[c] = lt_v3_mad(corners[c], (lt_vec3){at[0], at[1], at[2]}, (float)weights[j]);
        }
    }
    return true;
}

/* ---- validator ---- */

static bool brick_holds_boxes(const lt_cell_boxes *b, uint32_t brick) {
    for (uint32_t box = b->layout->brick_begin[brick]; box < b->layout->brick_begin[brick + 1]; box++)
        for (int k = 0; k < 3; k++)
            if (!(b->brick_lo[k][brick] <= b->lo[k][box] && b->hi[k][box] <= b->brick_hi[k][brick]))
                return false;
    return true;
}

const char *lt_validate_cell_boxes(const lt_cell_boxes *boxes) {
    const lt_cell_layout *layout = boxes->layout;
    if (boxes->next_group > layout->group_count || boxes->next_brick > layout->brick_count)
        return "a cursor is beyond what there is to fit";
    if (boxes->oldest_stamp > boxes->stamp) return "a step began after now";
    for (uint32_t box = 0; box < layout->box_count; box++)
        if (boxes->full[box].stamp > boxes->stamp) return "a box is of a step to come";
    for (uint32_t brick = 0; brick < boxes->next_brick; brick++)
        if (!brick_holds_boxes(boxes, brick)) return "a brick does not hold its boxes";
    return NULL;
}
