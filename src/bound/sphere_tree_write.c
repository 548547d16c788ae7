/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Binding a sphere tree to the carrier of a shape: which nodes every sphere hangs on and how strongly (γ), which tet
 * holds its centre, which surface points a leaf owns, which leaves are near each other at rest. Offline.
 *
 * A corner of a piece lies in a triangle whose vertices hang on nodes; it hangs on all of theirs, by weights that are
 * as exact as the surface's own. So the bounds hold for the surface as it is drawn, not for samples of it. */

#include "bound/bound.h"
#include "bound/sphere_chunks.h"
#include "core/union_find.h"

#include <string.h>

/* Leaves nearer than this share of their radii at rest never collide: close folds are missed, undeformed parts are
 * never looked at. */
static const double NEAR_SHARE = 0.25;
enum { SUPPORT_DIRECTIONS = 14 };
static const lt_vec3 support_directions[SUPPORT_DIRECTIONS] = {
    {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0}, {0, 0, 1},   {0, 0, -1},  {1, 1, 1},
    {1, 1, -1}, {1, -1, 1}, {1, -1, -1}, {-1, 1, 1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}};
enum { MASKED_LEAVES_MAX = 4096 }; /* beyond, the table of near leaves would be larger than the tree */

typedef struct hang { /* one node a sphere hangs on */
    uint32_t node;
    float gamma, center;
} hang;

typedef struct writing {
    const lt_rest_tree *rest;
    const lt_carrier *carrier;
    const lt_skin *skin;
    const lt_allocator *allocator;
    /* Places */
    uint32_t *place; /* [sphere_count] node of a sphere */
    uint32_t block_count;
    uint32_t leaf_count;
    uint32_t *leaf_spheres; /* [leaf_count] */
    /* Pieces by sphere of one level, sorted */
    uint32_t *order;       /* [piece_count] */
    uint32_t *order_begin; /* [sphere_count + 1] */
    uint32_t *owner;       /* [piece_count] sphere of the level at hand */
    /* Per node of the carrier, for the sphere at hand */
    double *center_weight, *gamma;
    uint32_t *touched_count, *touched, *corner_nodes;
    double *corner_weights;
    /* Output */
    lt_array hangs;       /* hang, by sphere */
    uint32_t *hang_begin; /* [sphere_count + 1] */
    float *balls;
    uint32_t *children, *parents, *levels, *row_begin, *tets, *nearest, *point_begin, *points, *leaves;
} writing;

static size_t node_count_of(const writing *w) {
    return (size_t)LT_LANES * w->block_count;
}

static lt_dvec3 rest_node(const lt_carrier *carrier, uint32_t node) {
    const double *p = carrier->rest + 3 * (size_t)node;
    return (lt_dvec3){p[0], p[1], p[2]};
}

/* ---- places ---- */

static uint32_t count_blocks(const lt_rest_tree *rest) {
    uint32_t blocks = 1;
    for (uint32_t i = 0; i < rest->sphere_count; i++)
        blocks += rest->spheres[i].child_count > 0;
    return blocks;
}

static void place_spheres(writing *w) {
    uint32_t next = 1;
    w->place[0] = 0;
    w->parents[0] = LT_NONE;
    for (size_t i = 0; i < node_count_of(w); i++)
        w->children[i] = w->leaves[i] = LT_NONE;
    for (uint32_t i = 0; i < w->rest->sphere_count; i++) {
        const lt_rest_sphere *s = &w->rest->spheres[i];
        if (s->child_count == 0) {
            w->leaves[w->place[i]] = w->leaf_count;
            w->leaf_spheres[w->leaf_count++] = i;
            continue;
        }
        for (uint32_t k = 0; k < s->child_count; k++)
            w->place[s->first_child + k] = next * LT_LANES + k;
        w->children[w->place[i]] = next;
        w->parents[next] = w->place[i];
        w->levels[next] = s->level + 1;
        next++;
    }
}

static void set_ball(writing *w, uint32_t node, int field, double value) {
    w->balls[((size_t)lt_block_of(node) * LT_BALL_FIELDS + (size_t)field) * LT_LANES + lt_lane_of(node)] =
        (float)value;
}

/* Rounded to float, a sphere must still hold its pieces. */
static double widened(const lt_rest_sphere *s) {
    double far = fabs(s->center.x) + fabs(s->center.y) + fabs(s->center.z) + s->radius;
    return s->radius + 4 * 1.2e-7 * far;
}

static void fill_balls(writing *w) {
    for (uint32_t node = 0; node < node_count_of(w); node++)
        set_ball(w, node, LT_BALL_RADIUS, -1);
    for (uint32_t i = 0; i < w->rest->sphere_count; i++) {
        const lt_rest_sphere *s = &w->rest->spheres[i];
        uint32_t node = w->place[i];
        set_ball(w, node, LT_BALL_X, s->center.x);
        set_ball(w, node, LT_BALL_Y, s->center.y);
        set_ball(w, node, LT_BALL_Z, s->center.z);
        set_ball(w, node, LT_BALL_RADIUS, widened(s));
        set_ball(w, node, LT_BALL_ERROR, s->error);
        set_ball(w, node, LT_BALL_OWN_ERROR, s->own_error);
        set_ball(w, node, LT_BALL_AREA, s->area > 0 ? s->area : 3.14159265358979 * s->radius * s->radius);
    }
}

/* ---- what a sphere hangs on ---- */

/* Pieces by the ancestor of their leaf on a level (or the leaf itself where it is higher up): order, order_begin. */
static void sort_pieces(writing *w, uint32_t level) {
    const lt_rest_tree *rest = w->rest;
    memset(w->order_begin, 0, (rest->sphere_count + (size_t)1) * sizeof *w->order_begin);
    for (uint32_t i = 0; i < rest->piece_count; i++) {
        uint32_t sphere = rest->pieces[i].leaf;
        while (rest->spheres[sphere].level > level)
            sphere = rest->spheres[sphere].parent;
        w->owner[i] = sphere;
        w->order_begin[sphere + 1]++;
    }
    for (uint32_t i = 0; i < rest->sphere_count; i++)
        w->order_begin[i + 1] += w->order_begin[i];
    for (uint32_t i = rest->piece_count; i-- > 0;)
        w->order[--w->order_begin[w->owner[i] + 1]] = i;
    /* The counts moved one place down while they were used up; they are the begins of the next sphere now. */
    for (uint32_t i = 0; i < rest->sphere_count; i++)
        w->order_begin[i] = w->order_begin[i + 1];
    w->order_begin[rest->sphere_count] = rest->piece_count;
}

/* Weights of a piece's corner on the carrier: up to twelve nodes. Returns how many. */
static uint32_t hang_corner(writing *w, const lt_sphere_piece *piece, int corner) {
    uint32_t count = 0;
    for (int v = 0; v < 3; v++) {
        double share = piece->corners[corner][v];
        if (share == 0) continue;
        size_t point = w->skin->triangles[3 * (size_t)piece->triangle + (size_t)v];
        for (size_t k = 4 * point; k < 4 * point + 4; k++) {
            double weight = share * (double)w->skin->weights[k];
            if (weight == 0) continue;
            uint32_t i = 0;
            while (i < count && w->corner_nodes[i] != w->skin->ids[k])
                i++;
            if (i == count) {
                w->corner_nodes[count] = w->skin->ids[k];
                w->corner_weights[count++] = 0;
            }
            w->corner_weights[i] += weight;
        }
    }
    return count;
}

static double link_length(const writing *w, const lt_sphere_piece *piece) {
    double longest = 0;
    for (int v = 0; v < 3 && w->skin->offsets; v++) {
        const float *o =
            w->skin->offsets + 4 * (size_t)w->skin->triangles[3 * (size_t)piece->triangle + (size_t)v];
        longest = lt_max_d(longest, sqrt((double)o[0] * (double)o[0] + (double)o[1] * (double)o[1] +
                                         (double)o[2] * (double)o[2]));
    }
    return longest;
}

static void touch(writing *w, uint32_t *count, uint32_t node) {
    if (w->touched_count[node] == 0 && w->gamma[node] < 0) {
        w->touched[(*count)++] = node;
        w->gamma[node] = 0;
    }
}

static void sort_ids(uint32_t *ids, uint32_t count) {
    for (uint32_t gap = count / 2; gap > 0;
         gap /= 2) /* Shell's: lists are short, and nearly all of them are sorted */
        for (uint32_t i = gap; i < count; i++)
            for (uint32_t j = i; j >= gap && ids[j - gap] > ids[j]; j -= gap) {
                uint32_t swap = ids[j];
                ids[j] = ids[j - gap];
                ids[j - gap] = swap;
            }
}

/* γ of every node over the corners of the sphere's pieces; returns false when memory is out. */
static bool hang_sphere(writing *w, uint32_t sphere) {
    const lt_rest_sphere *s = &w->rest->spheres[sphere];
    uint32_t node = w->place[sphere], touched = 0, corners = 0;
    double weights[4] = {1, 0, 0, 0}, hull = 1, link = 0;
    lt_tet_mesh mesh = lt_carrier_mesh(w->carrier);
    uint32_t tet = lt_holding_tet(weights, &mesh, NULL, mesh.tet_count, 0, s->center);
    if (tet == LT_NONE) tet = 0;
    w->tets[node] = tet;
    for (int k = 0; k < 4; k++) {
        uint32_t id = w->carrier->tets[4 * (size_t)tet + (size_t)k];
        touch(w, &touched, id);
        w->center_weight[id] += weights[k];
    }
    for (uint32_t i = w->order_begin[sphere]; i < w->order_begin[sphere + 1]; i++) {
        const lt_sphere_piece *piece = &w->rest->pieces[w->order[i]];
        link = lt_max_d(link, link_length(w, piece));
        for (int corner = 0; corner < 3; corner++, corners++) {
            uint32_t count = hang_corner(w, piece, corner);
            double sum = 0;
            for (uint32_t k = 0; k < count; k++) {
                uint32_t id = w->corner_nodes[k];
                touch(w, &touched, id);
                w->gamma[id] = lt_max_d(w->gamma[id], fabs(w->corner_weights[k] - w->center_weight[id]));
                w->touched_count[id]++;
                sum += fabs(w->corner_weights[k]);
            }
            hull = lt_max_d(hull, sum);
        }
    }
    set_ball(w, node, LT_BALL_HULL, hull * (1 + 1e-6));
    set_ball(w, node, LT_BALL_LINK, 2 * link * (1 + 1e-6));
    sort_ids(w->touched, touched);
    bool enough = true;
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t id = w->touched[i];
        double c = w->center_weight[id], gamma = w->gamma[id];
        if (w->touched_count[id] < corners) gamma = lt_max_d(gamma, fabs(c));
        gamma = gamma * (1 + 1e-6) + 1e-9; /* rounding to float must not make it smaller */
        hang h = {id, (float)(w->touched_count[id] ? gamma : -gamma), (float)c};
        if (w->touched_count[id] || c != 0) enough = enough && lt_array_push(&w->hangs, &h);
        w->gamma[id] = -1;
        w->center_weight[id] = 0;
        w->touched_count[id] = 0;
    }
    w->hang_begin[sphere + 1] = (uint32_t)w->hangs.count;
    return enough;
}

static bool hang_spheres(writing *w) {
    for (uint32_t i = 0; i < w->carrier->node_count; i++)
        w->gamma[i] = -1;
    for (uint32_t level = 0; level < w->rest->level_count; level++) {
        sort_pieces(w, level);
        for (uint32_t i = w->rest->level_begin[level]; i < w->rest->level_begin[level + 1]; i++)
            if (!hang_sphere(w, i)) return false;
    }
    return true;
}

/* ---- rows of blocks ---- */

/* The root needs none: its ball is that of the body's box. */
static uint32_t rows_of_block(const writing *w, uint32_t first, uint32_t count) {
    uint32_t rows = 0;
    for (uint32_t i = first; i < first + count; i++)
        rows = lt_max_u32(rows, w->hang_begin[i + 1] - w->hang_begin[i]);
    return rows;
}

static void fill_lane(const writing *w, uint32_t sphere, uint32_t lane, uint32_t rows, uint32_t *nodes,
                      float *terms) {
    const hang *hangs = (const hang *)w->hangs.items + w->hang_begin[sphere];
    uint32_t count = w->hang_begin[sphere + 1] - w->hang_begin[sphere];
    lt_dvec3 mean = {0, 0, 0};
    double total = 0;
    uint32_t spare = hangs[0].node;
    for (uint32_t i = 0; i < count; i++) {
        double gamma = fabs((double)hangs[i].gamma);
        mean = lt_d3_mad(mean, rest_node(w->carrier, hangs[i].node), gamma);
        total += gamma;
        if (hangs[i].gamma >= 0)
            spare = hangs[i].node; /* a repeated node must not count for the hull otherwise */
    }
    mean = lt_d3_scale(mean, 1 / lt_max_d(total, 1e-300));
    for (uint32_t row = 0; row < rows; row++) {
        float *t = terms + (size_t)LT_TERM_FIELDS * LT_LANES * row + lane;
        nodes[(size_t)LT_LANES * row + lane] = row < count ? hangs[row].node : spare;
        if (row >= count) continue;
        lt_dvec3 d = lt_d3_sub(rest_node(w->carrier, hangs[row].node), mean);
        t[LT_LANES * LT_TERM_GAMMA] = hangs[row].gamma;
        t[LT_LANES * LT_TERM_CENTER] = hangs[row].center;
        t[LT_LANES * LT_TERM_X] = (float)d.x;
        t[LT_LANES * LT_TERM_Y] = (float)d.y;
        t[LT_LANES * LT_TERM_Z] = (float)d.z;
    }
}

static lt_status add_rows(lt_shape_builder *builder, writing *w, lt_error *error) {
    const lt_rest_tree *rest = w->rest;
    w->row_begin[0] = w->row_begin[1] = 0;
    for (uint32_t i = 0; i < rest->sphere_count; i++) {
        const lt_rest_sphere *s = &rest->spheres[i];
        if (s->child_count == 0) continue;
        uint32_t block = w->children[w->place[i]];
        w->row_begin[block + 1] = w->row_begin[block] + rows_of_block(w, s->first_child, s->child_count);
    }
    size_t rows = w->row_begin[w->block_count];
    uint32_t *nodes = LT_NEW(w->allocator, rows * LT_LANES, uint32_t);
    float *terms = LT_NEW(w->allocator, rows * LT_LANES * LT_TERM_FIELDS, float);
    lt_status status = LT_OK;
    if (rows && !(nodes && terms))
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory to bind a sphere tree");
    for (uint32_t i = 0; i < rest->sphere_count && status == LT_OK; i++) {
        const lt_rest_sphere *s = &rest->spheres[i];
        if (s->child_count == 0) continue;
        uint32_t block = w->children[w->place[i]];
        size_t begin = w->row_begin[block], count = w->row_begin[block + 1] - begin;
        for (uint32_t lane = 0; lane < LT_LANES; lane++) {
            uint32_t child = s->first_child + (lane < s->child_count ? lane : 0);
            fill_lane(w, child, lane, (uint32_t)count, nodes + begin * LT_LANES,
                      terms + begin * LT_LANES * LT_TERM_FIELDS);
        }
    }
    if (status == LT_OK) {
        lt_shape_builder_add(builder, LT_CHUNK_SPHERE_ROW_NODES, LT_SHAPE_TYPE_U32,
                             LT_SHAPE_DIMS(rows, LT_LANES), nodes);
        lt_shape_builder_add(builder, LT_CHUNK_SPHERE_ROW_TERMS, LT_SHAPE_TYPE_F32,
                             LT_SHAPE_DIMS(rows, LT_TERM_FIELDS, LT_LANES), terms);
    }
    LT_DELETE(w->allocator, nodes, rows * LT_LANES, uint32_t);
    LT_DELETE(w->allocator, terms, rows * LT_LANES * LT_TERM_FIELDS, float);
    return status;
}

/* ---- the rest ---- */

/* The four carrier nodes nearest to the centre; the last repeats where there are fewer. */
static void find_nearest(writing *w) {
    for (uint32_t i = 0; i < w->rest->sphere_count; i++) {
        double reach[4] = {1e300, 1e300, 1e300, 1e300};
        uint32_t found[4] = {0, 0, 0, 0};
        for (uint32_t node = 0; node < w->carrier->node_count; node++) {
            double d = lt_d3_distance(rest_node(w->carrier, node), w->rest->spheres[i].center);
            int at = 4;
            for (; at > 0 && d < reach[at - 1]; at--)
                if (at < 4) {
                    reach[at] = reach[at - 1];
                    found[at] = found[at - 1];
                }
            if (at == 4) continue;
            reach[at] = d;
            found[at] = node;
        }
        uint32_t *out =
            w->nearest + (size_t)4 * LT_LANES * lt_block_of(w->place[i]) + lt_lane_of(w->place[i]);
        for (int k = 0; k < 4; k++)
            out[k * LT_LANES] = reach[k] < 1e300 ? found[k] : found[0];
    }
}

/* Every surface point belongs to the first leaf that has it as a corner. */
static void assign_points(const writing *w, uint32_t *leaf_of_point) {
    const lt_rest_tree *rest = w->rest;
    for (uint32_t p = 0; p < w->skin->point_count; p++)
        leaf_of_point[p] = LT_NONE;
    for (uint32_t i = 0; i < rest->piece_count; i++)
        for (int corner = 0; corner < 3; corner++)
            for (int v = 0; v < 3; v++) {
                uint32_t point = w->skin->triangles[3 * (size_t)rest->pieces[i].triangle + (size_t)v];
                if (rest->pieces[i].corners[corner][v] == 1 && leaf_of_point[point] == LT_NONE)
                    leaf_of_point[point] = w->place[rest->pieces[i].leaf];
            }
}

/* Of a leaf's points those count that are farthest along an axis or a diagonal: what meets an obstacle first is one of
 * them or near one, and the cost of a step does not depend on how many points a surface has. The others lose their leaf. */
static void keep_farthest(const writing *w, uint32_t *leaf_of_point, uint32_t *farthest, float *reach) {
    size_t nodes = node_count_of(w);
    for (size_t i = 0; i < nodes * SUPPORT_DIRECTIONS; i++) {
        farthest[i] = LT_NONE;
        reach[i] = -3e38f;
    }
    for (uint32_t p = 0; p < w->skin->point_count; p++) {
        if (leaf_of_point[p] == LT_NONE) continue;
        for (size_t d = 0; d < SUPPORT_DIRECTIONS; d++) {
            size_t at = (size_t)leaf_of_point[p] * SUPPORT_DIRECTIONS + d;
            float along = lt_v3_dot(w->skin->rest[p], support_directions[d]);
            if (along <= reach[at]) continue;
            reach[at] = along;
            farthest[at] = p;
        }
    }
    for (uint32_t p = 0; p < w->skin->point_count; p++) {
        if (leaf_of_point[p] == LT_NONE) continue;
        bool counts = false;
        for (size_t d = 0; d < SUPPORT_DIRECTIONS; d++)
            counts = counts || farthest[(size_t)leaf_of_point[p] * SUPPORT_DIRECTIONS + d] == p;
        if (!counts) leaf_of_point[p] = LT_NONE;
    }
}

/* Points by leaf: point_begin, points. */
static void list_points(writing *w, const uint32_t *leaf_of_point) {
    size_t nodes = node_count_of(w);
    uint32_t total = 0;
    for (uint32_t p = 0; p < w->skin->point_count; p++)
        if (leaf_of_point[p] != LT_NONE) {
            w->point_begin[leaf_of_point[p] + 1]++;
            total++;
        }
    for (size_t i = 0; i < nodes; i++)
        w->point_begin[i + 1] += w->point_begin[i];
    for (uint32_t p = w->skin->point_count; p-- > 0;)
        if (leaf_of_point[p] != LT_NONE) w->points[--w->point_begin[leaf_of_point[p] + 1]] = p;
    for (size_t i = 0; i < nodes; i++)
        w->point_begin[i] = w->point_begin[i + 1];
    w->point_begin[nodes] = total;
}

static float mark_near_leaves(const writing *w, uint32_t *mask, uint32_t words) {
    double least = 1e30;
    for (uint32_t i = 0; i < w->leaf_count && words; i++)
        for (uint32_t j = 0; j < w->leaf_count; j++) {
            const lt_rest_sphere *a = &w->rest->spheres[w->leaf_spheres[i]],
                                 *b = &w->rest->spheres[w->leaf_spheres[j]];
            double gap = lt_d3_distance(a->center, b->center) - a->radius - b->radius;
            if (i == j || gap < NEAR_SHARE * (a->radius + b->radius))
                mask[(size_t)i * words + j / 32] |= 1u << (j % 32);
            else
                least = lt_min_d(least, gap);
        }
    return (float)(least * (1 - 1e-6));
}

/* One point of every connected part; `out` [point_count] serves as flags first. */
static uint32_t find_components(const lt_skin *skin, uint32_t *sets, uint32_t *out) {
    lt_sets_begin(sets, skin->point_count);
    for (size_t i = 0; i < 3 * (size_t)skin->triangle_count; i++)
        lt_sets_join(sets, skin->triangles[i - i % 3], skin->triangles[i]);
    for (uint32_t p = 0; p < skin->point_count; p++)
        out[p] = 0;
    for (size_t i = 0; i < 3 * (size_t)skin->triangle_count; i += 3)
        out[lt_sets_find(sets, skin->triangles[i])] = 1;
    uint32_t count = 0;
    for (uint32_t p = 0; p < skin->point_count; p++)
        if (out[p]) out[count++] = p;
    return count;
}

/* Three nodes as far apart as they can be found. */
static void find_frame(const lt_carrier *carrier, uint32_t frame[3]) {
    frame[0] = frame[1] = frame[2] = 0;
    double most = -1;
    for (int pass = 0; pass < 2; pass++, most = -1)
        for (uint32_t i = 0; i < carrier->node_count; i++) {
            double d = lt_d3_distance(rest_node(carrier, i), rest_node(carrier, frame[1 - pass]));
            if (d <= most) continue;
            most = d;
            frame[pass] = i;
        }
    lt_dvec3 a = rest_node(carrier, frame[0]), along = lt_d3_sub(rest_node(carrier, frame[1]), a);
    most = -1;
    for (uint32_t i = 0; i < carrier->node_count; i++) {
        double d = lt_d3_length(lt_d3_cross(along, lt_d3_sub(rest_node(carrier, i), a)));
        if (d <= most) continue;
        most = d;
        frame[2] = i;
    }
}

static void measure_level(const lt_rest_tree *rest, uint32_t level, float figures[LT_LEVEL_FIGURES]) {
    double sum[LT_LEVEL_FIGURES] = {0};
    for (uint32_t i = 0; i < rest->level_begin[level + 1]; i++) {
        const lt_rest_sphere *s = &rest->spheres[i];
        if (s->level < level && s->child_count > 0) continue;
        sum[LT_LEVEL_SPHERES]++;
        sum[LT_LEVEL_MEAN_ERROR] += s->error;
        sum[LT_LEVEL_WORST_ERROR] = lt_max_d(sum[LT_LEVEL_WORST_ERROR], s->error);
        sum[LT_LEVEL_MEAN_OWN_ERROR] += s->own_error;
        sum[LT_LEVEL_WORST_OWN_ERROR] = lt_max_d(sum[LT_LEVEL_WORST_OWN_ERROR], s->own_error);
        sum[LT_LEVEL_MEAN_RADIUS] += s->radius;
    }
    double count = sum[LT_LEVEL_SPHERES];
    sum[LT_LEVEL_MEAN_ERROR] /= count;
    sum[LT_LEVEL_MEAN_OWN_ERROR] /= count;
    sum[LT_LEVEL_MEAN_RADIUS] /= count;
    for (int i = 0; i < LT_LEVEL_FIGURES; i++)
        figures[i] = (float)sum[i];
}

/* ---- memory ---- */

/* One list for making and freeing. */
#define TABLES(X)                                                                                            \
    X(place, rest->sphere_count, uint32_t)                                                                   \
    X(leaf_spheres, rest->sphere_count, uint32_t)                                                            \
    X(order, rest->piece_count, uint32_t)                                                                    \
    X(order_begin, rest->sphere_count + (size_t)1, uint32_t)                                                 \
    X(owner, rest->piece_count, uint32_t)                                                                    \
    X(center_weight, w->carrier->node_count, double)                                                         \
    X(gamma, w->carrier->node_count, double)                                                                 \
    X(touched_count, w->carrier->node_count, uint32_t)                                                       \
    X(touched, w->carrier->node_count, uint32_t)                                                             \
    X(corner_nodes, 12, uint32_t)                                                                            \
    X(corner_weights, 12, double)                                                                            \
    X(hang_begin, rest->sphere_count + (size_t)1, uint32_t)                                                  \
    X(balls, (size_t)LT_BALL_FIELDS *LT_LANES * w->block_count, float)                                       \
    X(children, (size_t)LT_LANES * w->block_count, uint32_t)                                                 \
    X(parents, w->block_count, uint32_t)                                                                     \
    X(levels, w->block_count, uint32_t)                                                                      \
    X(row_begin, w->block_count + (size_t)1, uint32_t)                                                       \
    X(tets, (size_t)LT_LANES * w->block_count, uint32_t)                                                     \
    X(nearest, (size_t)4 * LT_LANES * w->block_count, uint32_t)                                              \
    X(point_begin, (size_t)LT_LANES * w->block_count + 1, uint32_t)                                          \
    X(points, w->skin->point_count, uint32_t)                                                                \
    X(leaves, (size_t)LT_LANES * w->block_count, uint32_t)

static bool take_tables(writing *w) {
    const lt_rest_tree *rest = w->rest;
    bool all = true;
#define TAKE(name, count, type) all = (w->name = LT_NEW(w->allocator, count, type)) && all;
    TABLES(TAKE)
#undef TAKE
    w->hangs = LT_ARRAY_OF(w->allocator, hang);
    return all;
}

static void free_tables(writing *w) {
    const lt_rest_tree *rest = w->rest;
#define GIVE_BACK(name, count, type) LT_DELETE(w->allocator, w->name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
    lt_array_free(&w->hangs);
}

static void add_tables(lt_shape_builder *builder, const writing *w) {
    uint64_t blocks = w->block_count;
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_BALLS, LT_SHAPE_TYPE_F32,
                         LT_SHAPE_DIMS(blocks, LT_BALL_FIELDS, LT_LANES), w->balls);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_CHILDREN, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(blocks, LT_LANES), w->children);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_PARENTS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(blocks),
                         w->parents);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_LEVELS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(blocks),
                         w->levels);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_ROW_BEGIN, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(blocks + 1),
                         w->row_begin);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_TETS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(blocks, LT_LANES),
                         w->tets);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_NEAREST, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(blocks, 4, LT_LANES), w->nearest);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_POINT_BEGIN, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(blocks * LT_LANES + 1), w->point_begin);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_POINTS, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(w->point_begin[node_count_of(w)]), w->points);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_LEAVES, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(blocks, LT_LANES),
                         w->leaves);
}

static void add_header(lt_shape_builder *builder, const writing *w, uint32_t words, float gap) {
    const lt_rest_tree *rest = w->rest;
    uint32_t header[LT_SPHERE_HEADER_SIZE] = {rest->branching, rest->layered, w->leaf_count, words};
    uint32_t parts[LT_PART_COUNT][LT_PART_NODES];
    float figures[LT_SPHERE_LEVELS_MAX][LT_LEVEL_FIGURES];
    find_frame(w->carrier, header + LT_SPHERE_HEADER_FRAME);
    lt_find_parts(parts, w->carrier);
    memcpy(header + LT_SPHERE_HEADER_PARTS, parts, sizeof parts);
    for (uint32_t level = 0; level < rest->level_count; level++)
        measure_level(rest, level, figures[level]);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_HEADER, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(LT_SPHERE_HEADER_SIZE), header);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_SELF_GAP, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(1), &gap);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_FIGURES, LT_SHAPE_TYPE_F32,
                         LT_SHAPE_DIMS(rest->level_count, LT_LEVEL_FIGURES), figures);
}

/* What needs tables of its own: points by leaf, components, near leaves. */
static lt_status add_relations(lt_shape_builder *builder, writing *w, lt_error *error) {
    uint32_t words = w->leaf_count <= MASKED_LEAVES_MAX ? (w->leaf_count + 31) / 32 : 0;
    size_t mask_size = (size_t)w->leaf_count * words, points = w->skin->point_count;
    uint32_t *mask = LT_NEW(w->allocator, mask_size, uint32_t);
    uint32_t *by_point = LT_NEW(w->allocator, points, uint32_t);
    uint32_t *components = LT_NEW(w->allocator, points, uint32_t);
    size_t supports = node_count_of(w) * SUPPORT_DIRECTIONS;
    uint32_t *farthest = LT_NEW(w->allocator, supports, uint32_t);
    float *reach = LT_NEW(w->allocator, supports, float);
    lt_status status = LT_OK;
    if ((mask_size && !mask) || !by_point || !components || !farthest || !reach)
        status = lt_fail(error, LT_STATUS_MEMORY, "no memory to bind a sphere tree");
    if (status == LT_OK) {
        assign_points(w, by_point);
        keep_farthest(w, by_point, farthest, reach);
        list_points(w, by_point);
        add_header(builder, w, words, mark_near_leaves(w, mask, words));
        lt_shape_builder_add(builder, LT_CHUNK_SPHERE_NEAR, LT_SHAPE_TYPE_U32,
                             LT_SHAPE_DIMS(w->leaf_count, words), mask);
        uint32_t count = find_components(w->skin, by_point, components);
        lt_shape_builder_add(builder, LT_CHUNK_SPHERE_COMPONENTS, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(count),
                             components);
    }
    LT_DELETE(w->allocator, mask, mask_size, uint32_t);
    LT_DELETE(w->allocator, by_point, points, uint32_t);
    LT_DELETE(w->allocator, components, points, uint32_t);
    LT_DELETE(w->allocator, farthest, supports, uint32_t);
    LT_DELETE(w->allocator, reach, supports, float);
    return status;
}

lt_status lt_sphere_tree_write(lt_shape_builder *builder, const lt_rest_tree *rest, const lt_carrier *carrier,
                               const lt_skin *skin, const lt_allocator *allocator, lt_error *error) {
    writing tables = {.rest = rest,
                      .carrier = carrier,
                      .skin = skin,
                      .allocator = allocator,
                      .block_count = count_blocks(rest)};
    writing *w = &tables;
    lt_status status = LT_OK;
    if (take_tables(w)) {
        place_spheres(w);
        fill_balls(w);
        find_nearest(w);
    } else {
        status =
            lt_fail(error, LT_STATUS_MEMORY, "no memory to bind a tree of %u spheres", rest->sphere_count);
    }
    if (status == LT_OK && !hang_spheres(w))
        status =
            lt_fail(error, LT_STATUS_MEMORY, "no memory to bind a tree of %u spheres", rest->sphere_count);
    if (status == LT_OK) status = add_rows(builder, w, error);
    if (status == LT_OK) status = add_relations(builder, w, error);
    if (status == LT_OK) add_tables(builder, w);
    free_tables(w);
    return status;
}
