/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Whether a lattice has left its shape so far that it can touch itself. Let every node that carries surface be within d of where a
 * rigid motion of the shape at rest has it. What is embedded is a convex combination of nodes, so it is within d, too; and
 * boxes that are g apart at rest are at least g − 2d apart now. Those that are not apart at rest never collide, others that
 * share no node are a cell apart, or what the layout found (separate pieces in one cell).
 *
 * Any rotation proves it; the one that fits best proves most. Looking at all nodes costs a tenth of looking at all boxes. */

#include "bound/cell_boxes.h"
#include "core/polar.h"

/* The best rotation, its columns times the size of a cell, twice side by side. */
static lt_cell_frame frame_of(const lt_cell_boxes *boxes) {
    lt_cell_frame frame;
    float sums[4][4];
    boxes->kernels->sum_shape(sums, boxes);
    lt_dmat3 moment = {{(double)sums[0][0], (double)sums[0][1], (double)sums[0][2]},
                       {(double)sums[1][0], (double)sums[1][1], (double)sums[1][2]},
                       {(double)sums[2][0], (double)sums[2][1], (double)sums[2][2]}};
    lt_dmat3 r = lt_polar_by_svd(moment);
    const lt_dvec3 axes[3] = {r.c0, r.c1, r.c2};
    for (int axis = 0; axis < 3; axis++) {
        const double column[4] = {axes[axis].x, axes[axis].y, axes[axis].z, 0};
        for (int lane = 0; lane < 8; lane++)
            frame.columns[axis][lane] = (float)((double)boxes->cell_size * column[lane % 4]);
    }
    for (int lane = 0; lane < 8; lane++)
        frame.mean[lane] = sums[3][lane % 4] / boxes->layout->rest_count;
    return frame;
}

float lt_cell_boxes_deviation(const lt_cell_boxes *boxes) {
    lt_cell_frame frame = frame_of(boxes);
    float squares[4];
    boxes->kernels->miss_shape(squares, boxes, &frame);
    float most = squares[0] + squares[1] + squares[2];
    return most < 1e30f ? sqrtf(most) + 8 * boxes->slack : INFINITY; /* not a number: nothing is proved */
}

bool lt_cell_boxes_may_meet(const lt_cell_boxes *boxes) {
    return !(2 * lt_cell_boxes_deviation(boxes) < boxes->layout->rest_gap * boxes->cell_size);
}
