/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Trilinear maps: of eight boxes at once for their AABBs, of one box, its coordinates side by side, for all the rest.
 * The map is done axis by axis: eight corners of the cell become eight corners of the box in three sweeps over four edges
 * each, half of what eight sums of eight products take. */

#include "bound/cell_boxes.h"

/* ---- AABBs ---- */

/* A coordinate of the nodes of eight cells becomes that of the corners of their boxes. `tight` is [6][8]. */
static inline void map_eight(lt_f8 p[8], const float *tight) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        lt_f8 lo = lt_f8_load(tight + 8 * axis), hi = lt_f8_load(tight + 24 + 8 * axis);
        for (uint32_t edge = 0; edge < 4; edge++) {
            uint32_t begin = lt_cell_edge_begin(axis, edge), end = begin | 1u << axis;
            lt_f8 from = p[begin], along = lt_f8_sub(p[end], from);
            p[begin] = lt_f8_mad(from, along, lo);
            p[end] = lt_f8_mad(from, along, hi);
        }
    }
}

/* Nodes of eight cells, the same corner side by side. */
static inline void gather(float out[3][8][8], const uint32_t *ids, const float *nodes) {
    for (uint32_t lane = 0; lane < 8; lane++)
        for (uint32_t corner = 0; corner < 8; corner++) {
            const float *p = nodes + 4 * (size_t)ids[8 * lane + corner];
            out[0][corner][lane] = p[0];
            out[1][corner][lane] = p[1];
            out[2][corner][lane] = p[2];
        }
}

static void fit_groups(lt_cell_boxes *boxes, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    const lt_cell_layout *layout = boxes->layout;
    lt_f8 slack = lt_f8_splat(boxes->slack);
    for (uint32_t group = begin; group < end; group++) {
        float gathered[3][8][8];
        gather(gathered, layout->nodes + 64 * (size_t)group, boxes->nodes);
        for (int axis = 0; axis < 3; axis++) {
            lt_f8 p[8];
            for (int corner = 0; corner < 8; corner++)
                p[corner] = lt_f8_load(gathered[axis][corner]);
            map_eight(p, layout->tight + 48 * (size_t)group);
            lt_f8 lo = p[0], hi = p[0];
            for (int corner = 1; corner < 8; corner++) {
                lo = lt_f8_min(lo, p[corner]);
                hi = lt_f8_max(hi, p[corner]);
            }
            lt_f8_store(boxes->lo[axis] + 8 * (size_t)group, lt_f8_sub(lo, slack));
            lt_f8_store(boxes->hi[axis] + 8 * (size_t)group, lt_f8_add(hi, slack));
        }
    }
}

/* ---- bricks ---- */

typedef struct range {
    float lo, hi;
} range;

static inline range range_of_lanes(lt_f8 los, lt_f8 his) {
    float lo[8], hi[8];
    lt_f8_store(lo, los);
    lt_f8_store(hi, his);
    range r = {lo[0], hi[0]};
    for (int i = 1; i < 8; i++)
        r = (range){lt_min_f(r.lo, lo[i]), lt_max_f(r.hi, hi[i])};
    return r;
}

/* Blocks of eight, the last of which begins early enough to be full: a minimum does not mind boxes that come twice. */
static range range_of(const float *lo, const float *hi, uint32_t count) {
    if (count >= 8) {
        lt_f8 los = lt_f8_load(lo), his = lt_f8_load(hi);
        for (uint32_t block = 1; block < (count + 7) / 8; block++) {
            uint32_t at = lt_min_u32(8 * block, count - 8);
            los = lt_f8_min(los, lt_f8_load(lo + at));
            his = lt_f8_max(his, lt_f8_load(hi + at));
        }
        return range_of_lanes(los, his);
    }
    range r = {lo[0], hi[0]};
    for (uint32_t i = 1; i < count; i++)
        r = (range){lt_min_f(r.lo, lo[i]), lt_max_f(r.hi, hi[i])};
    return r;
}

static void fit_bricks(lt_cell_boxes *boxes, uint32_t begin, uint32_t end) {
    LT_ASSERT(begin <= end);
    const uint32_t *first = boxes->layout->brick_begin;
    for (uint32_t brick = begin; brick < end; brick++)
        for (int axis = 0; axis < 3; axis++) {
            uint32_t from = first[brick];
            range r = range_of(boxes->lo[axis] + from, boxes->hi[axis] + from, first[brick + 1] - from);
            boxes->brick_lo[axis][brick] = r.lo;
            boxes->brick_hi[axis][brick] = r.hi;
        }
}

/* ---- one box ---- */

static inline void map_corners(const lt_cell_boxes *boxes, uint32_t box, lt_cell_box *out) {
    LT_ASSERT(box < boxes->layout->box_count);
    const uint32_t *ids = boxes->layout->nodes + 8 * (size_t)box;
    lt_f4 p[8], sum = lt_f4_splat(0);
    for (int corner = 0; corner < 8; corner++)
        p[corner] = lt_f4_load(boxes->nodes + 4 * (size_t)ids[corner]);
    for (uint32_t axis = 0; axis < 3; axis++) {
        lt_f4 lo = lt_f4_splat(lt_cell_tight(boxes->layout, box, axis));
        lt_f4 hi = lt_f4_splat(lt_cell_tight(boxes->layout, box, axis + 3));
        for (uint32_t edge = 0; edge < 4; edge++) {
            uint32_t begin = lt_cell_edge_begin(axis, edge), end = begin | 1u << axis;
            lt_f4 from = p[begin], along = lt_f4_sub(p[end], from);
            p[begin] = lt_f4_mad(from, along, lo);
            p[end] = lt_f4_mad(from, along, hi);
        }
    }
    for (int corner = 0; corner < 8; corner++) {
        float lanes[4];
        lt_f4_store(lanes, p[corner]);
        for (int axis = 0; axis < 3; axis++)
            out->corners[axis][corner] = lanes[axis];
        sum = lt_f4_add(sum, p[corner]);
    }
    float mean[4];
    lt_f4_store(mean, lt_f4_mul(sum, lt_f4_splat(0.125f)));
    out->center = (lt_vec3){mean[0], mean[1], mean[2]};
}

/* The corners of a face whose diagonals give its normal: N = (c[1] − c[2]) × (c[3] − c[0]), outward at rest. Face 3 has
 * those of (3) of the paper: 2, 6, 3, 7. */
static const uint8_t FACES[LT_CELL_FACES][4] = {{0, 4, 2, 6}, {1, 3, 5, 7}, {0, 1, 4, 5},
                                                {2, 6, 3, 7}, {0, 2, 1, 3}, {4, 5, 6, 7}};

/* Faces whose diagonals span less than this share of a cell's square have no normal (J5). */
static const float LEAST_AREA = 1e-9f;
/* n · p is never larger. */
static const float EVERYTHING = 3e38f;

typedef struct wide_v3 {
    lt_f8 x, y, z;
} wide_v3;

/* One diagonal of every face, from corner `from` to corner `to` of it; lanes without a face stay zero. */
static inline wide_v3 diagonals(const lt_cell_box *box, int from, int to) {
    float d[3][8] = {{0}};
    for (int axis = 0; axis < 3; axis++)
        for (int face = 0; face < LT_CELL_FACES; face++)
            d[axis][face] = box->corners[axis][FACES[face][to]] - box->corners[axis][FACES[face][from]];
    return (wide_v3){lt_f8_load(d[0]), lt_f8_load(d[1]), lt_f8_load(d[2])};
}

static inline wide_v3 cross(wide_v3 a, wide_v3 b) {
    return (wide_v3){lt_f8_sub(lt_f8_mul(a.y, b.z), lt_f8_mul(a.z, b.y)),
                     lt_f8_sub(lt_f8_mul(a.z, b.x), lt_f8_mul(a.x, b.z)),
                     lt_f8_sub(lt_f8_mul(a.x, b.y), lt_f8_mul(a.y, b.x))};
}

/* Unit normals of all faces, 0 where there is none; returns bits of the faces that have one. */
static inline uint32_t fit_normals(wide_v3 *out, const lt_cell_box *box, float cell_size) {
    wide_v3 n = cross(diagonals(box, 2, 1), diagonals(box, 0, 3));
    lt_f8 length = lt_f8_sqrt(lt_f8_mad(lt_f8_mad(lt_f8_mul(n.x, n.x), n.y, n.y), n.z, n.z));
    lt_f8 least = lt_f8_splat(LEAST_AREA * cell_size * cell_size);
    lt_f8m valid = lt_f8m_and(lt_f8_less(least, length), lt_f8_less(length, lt_f8_splat(1e18f)));
    lt_f8 zero = lt_f8_splat(0), one = lt_f8_splat(1),
          scale = lt_f8_div(one, lt_f8_select(valid, length, one));
    out->x = lt_f8_select(valid, lt_f8_mul(n.x, scale), zero);
    out->y = lt_f8_select(valid, lt_f8_mul(n.y, scale), zero);
    out->z = lt_f8_select(valid, lt_f8_mul(n.z, scale), zero);
    return lt_f8m_bits(valid);
}

/* How far the corners reach along every normal. */
static inline lt_f8 reach_along(const lt_cell_box *box, wide_v3 n) {
    lt_f8 reach = lt_f8_splat(-EVERYTHING);
    for (int corner = 0; corner < 8; corner++) {
        lt_f8 x = lt_f8_mul(n.x, lt_f8_splat(box->corners[0][corner]));
        lt_f8 xy = lt_f8_mad(x, n.y, lt_f8_splat(box->corners[1][corner]));
        reach = lt_f8_max(reach, lt_f8_mad(xy, n.z, lt_f8_splat(box->corners[2][corner])));
    }
    return reach;
}

/* Lanes whose normal is 0 get an offset that everything is behind. */
static inline void store_planes(lt_cell_box *box, uint32_t first, wide_v3 n, lt_f8 offset) {
    lt_f8 zero = lt_f8_splat(0), squares = lt_f8_mad(lt_f8_mad(lt_f8_mul(n.x, n.x), n.y, n.y), n.z, n.z);
    lt_f8_store(box->planes[0] + first, n.x);
    lt_f8_store(box->planes[1] + first, n.y);
    lt_f8_store(box->planes[2] + first, n.z);
    lt_f8_store(box->planes[3] + first,
                lt_f8_select(lt_f8_less(zero, squares), offset, lt_f8_splat(EVERYTHING)));
}

/* The world's axes stand in for the faces that have no normal. */
static void add_slabs(lt_cell_box *box, lt_f8 slack) {
    static const float x[8] = {-1, 1}, y[8] = {0, 0, -1, 1}, z[8] = {0, 0, 0, 0, -1, 1};
    wide_v3 n = {lt_f8_load(x), lt_f8_load(y), lt_f8_load(z)};
    store_planes(box, LT_CELL_SLABS, n, lt_f8_add(reach_along(box, n), slack));
    box->plane_count = LT_CELL_PLANES;
}

static const uint32_t ALL_FACES = 63;

/* Offsets are widened by twice the slack: for the corners as for AABBs, and for n · p. */
static void fit_box(const lt_cell_boxes *boxes, uint32_t box, lt_cell_box *out) {
    LT_ASSERT(box < boxes->layout->box_count);
    wide_v3 n;
    lt_f8 slack = lt_f8_splat(2 * boxes->slack);
    map_corners(boxes, box, out);
    uint32_t valid = fit_normals(&n, out, boxes->cell_size);
    store_planes(out, 0, n, lt_f8_add(reach_along(out, n), slack));
    out->plane_count = LT_CELL_FACES;
    if (valid != ALL_FACES) add_slabs(out, slack);
    uint32_t push = boxes->layout->masks[box] & valid;
    out->push = push ? push : ALL_FACES << LT_CELL_SLABS;
}

/* (4)–(6): of the two planes through a diagonal of the face the one that is farther in, which leaves a corner outside. */
static void fit_box_as_printed(const lt_cell_boxes *boxes, uint32_t box, lt_cell_box *out) {
    LT_ASSERT(box < boxes->layout->box_count);
    wide_v3 n;
    map_corners(boxes, box, out);
    uint32_t valid = fit_normals(&n, out, boxes->cell_size);
    store_planes(out, 0, n, lt_f8_splat(0));
    for (uint32_t face = 0; face < LT_CELL_FACES; face++) {
        lt_vec3 normal = lt_cell_box_normal(out, face);
        float bn_2 = lt_v3_dot(normal, lt_cell_box_corner(out, FACES[face][0]));
        float bn_6 = lt_v3_dot(normal, lt_cell_box_corner(out, FACES[face][1]));
        if (valid >> face & 1) out->planes[3][face] = bn_2 - bn_6 < 0 ? bn_2 : bn_6;
        if (!valid) out->planes[3][face] = -EVERYTHING; /* a point: it holds nothing */
    }
    out->plane_count = LT_CELL_FACES;
    out->push = valid ? valid : ALL_FACES;
}

/* ---- the shape at rest ---- */

/* Two nodes side by side; the last of an odd number twice, where the shape at rest has zeros. */
static inline lt_f8 load_two(const lt_cell_boxes *boxes, uint32_t node) {
    float both[8];
    if (node + 1 < boxes->layout->node_count) return lt_f8_load(boxes->nodes + 4 * (size_t)node);
    memcpy(both, boxes->nodes + 4 * (size_t)node, 4 * sizeof(float));
    memcpy(both + 4, both, 4 * sizeof(float));
    return lt_f8_load(both);
}

static inline lt_f8 first_twice(const lt_cell_boxes *boxes) {
    float both[8];
    memcpy(both, boxes->nodes, 4 * sizeof(float));
    memcpy(both + 4, boxes->nodes, 4 * sizeof(float));
    return lt_f8_load(both);
}

static void sum_shape(float sums[4][4], const lt_cell_boxes *boxes) {
    lt_f8 first = first_twice(boxes), rows[4];
    for (int row = 0; row < 4; row++)
        rows[row] = lt_f8_splat(0);
    for (uint32_t node = 0; node < boxes->layout->node_count; node += 2) {
        const float *rest = boxes->layout->rest + 16 * (size_t)node;
        lt_f8 way = lt_f8_sub(load_two(boxes, node), first);
        for (int row = 0; row < 4; row++)
            rows[row] = lt_f8_mad(rows[row], way, lt_f8_load(rest + 8 * row));
    }
    for (int row = 0; row < 4; row++) {
        float lanes[8];
        lt_f8_store(lanes, rows[row]);
        for (int k = 0; k < 4; k++)
            sums[row][k] = lanes[k] + lanes[k + 4];
    }
}

static void miss_shape(float squares[4], const lt_cell_boxes *boxes, const lt_cell_frame *frame) {
    lt_f8 first = lt_f8_add(first_twice(boxes), lt_f8_load(frame->mean)), most = lt_f8_splat(0);
    lt_f8 columns[3] = {lt_f8_load(frame->columns[0]), lt_f8_load(frame->columns[1]),
                        lt_f8_load(frame->columns[2])};
    float lanes[8];
    for (uint32_t node = 0; node < boxes->layout->node_count; node += 2) {
        const float *rest = boxes->layout->rest + 16 * (size_t)node;
        lt_f8 there = lt_f8_mul(columns[0], lt_f8_load(rest));
        there = lt_f8_mad(there, columns[1], lt_f8_load(rest + 8));
        there = lt_f8_mad(there, columns[2], lt_f8_load(rest + 16));
        lt_f8 miss = lt_f8_sub(lt_f8_sub(load_two(boxes, node), first), there);
        most = lt_f8_max(most, lt_f8_mul(lt_f8_mul(miss, miss), lt_f8_load(rest + 24)));
    }
    lt_f8_store(lanes, most);
    for (int k = 0; k < 4; k++)
        squares[k] = lanes[k] > lanes[k + 4] ? lanes[k] : lanes[k + 4];
}

extern const lt_cell_kernels LT_KERNEL(lt_cell_kernels);
const lt_cell_kernels LT_KERNEL(lt_cell_kernels) = {fit_groups,         fit_bricks, fit_box,
                                                    fit_box_as_printed, sum_shape,  miss_shape};
