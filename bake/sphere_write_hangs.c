/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Which nodes every sphere hangs on and how strongly (γ), first as lists by sphere, then as rows of eight lanes.
 *
 * A corner of a piece lies in a triangle whose vertices hang on nodes; it hangs on all of theirs, by weights that are
 * as exact as the surface's own. So the bounds hold for the surface as it is drawn, not for samples of it. */

#include "bake/rest_tree.h"
#include "bake/skin_write.h"
#include "bake/sphere_write_internal.h"

#include <string.h>

/* ---- what a sphere hangs on ---- */

/* Pieces by the ancestor of their leaf on a level (or the leaf itself where it is higher up): order, order_begin. */
static void sort_pieces(lt_sphere_writing *w, uint32_t level) {
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
static uint32_t hang_corner(lt_sphere_writing *w, const lt_sphere_piece *piece, int corner) {
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

static double link_length(const lt_sphere_writing *w, const lt_sphere_piece *piece) {
    double longest = 0;
    for (int v = 0; v < 3 && w->skin->offsets; v++) {
        const float *o =
            w->skin->offsets + 4 * (size_t)w->skin->triangles[3 * (size_t)piece->triangle + (size_t)v];
        longest = lt_max_d(longest, sqrt((double)o[0] * (double)o[0] + (double)o[1] * (double)o[1] +
                                         (double)o[2] * (double)o[2]));
    }
    return longest;
}

static void touch(lt_sphere_writing *w, uint32_t *count, uint32_t node) {
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

/* The centre hangs on the tet that holds it, or comes nearest to that. */
static void hang_center(lt_sphere_writing *w, uint32_t sphere, uint32_t *touched) {
    double weights[4] = {1, 0, 0, 0};
    lt_tet_mesh mesh = lt_carrier_mesh(w->carrier);
    uint32_t tet = lt_holding_tet(weights, &mesh, NULL, mesh.tet_count, 0, w->rest->spheres[sphere].center);
    if (tet == LT_NONE) tet = 0;
    w->tets[w->place[sphere]] = tet;
    for (int k = 0; k < 4; k++) {
        uint32_t id = w->carrier->tets[4 * (size_t)tet + (size_t)k];
        touch(w, touched, id);
        w->center_weight[id] += weights[k];
    }
}

/* γ over the corners of the sphere's pieces, where a node has to do with them; their hull and links. */
static void hang_pieces(lt_sphere_writing *w, uint32_t sphere, uint32_t *touched) {
    double hull = 1, link = 0;
    for (uint32_t i = w->order_begin[sphere]; i < w->order_begin[sphere + 1]; i++) {
        const lt_sphere_piece *piece = &w->rest->pieces[w->order[i]];
        link = lt_max_d(link, link_length(w, piece));
        for (int corner = 0; corner < 3; corner++) {
            uint32_t count = hang_corner(w, piece, corner);
            double sum = 0;
            for (uint32_t k = 0; k < count; k++) {
                uint32_t id = w->corner_nodes[k];
                touch(w, touched, id);
                w->gamma[id] = lt_max_d(w->gamma[id], fabs(w->corner_weights[k] - w->center_weight[id]));
                w->touched_count[id]++;
                sum += fabs(w->corner_weights[k]);
            }
            hull = lt_max_d(hull, sum);
        }
    }
    lt_writing_set_ball(w, w->place[sphere], LT_BALL_HULL, hull * (1 + 1e-6));
    lt_writing_set_ball(w, w->place[sphere], LT_BALL_LINK, 2 * link * (1 + 1e-6));
}

/* Lists the node for a sphere of so many corners, and clears it for the next. A corner that does not hang on it is as far from
 * the centre's weight as that is from 0. */
static bool list_node(lt_sphere_writing *w, uint32_t id, uint32_t corners) {
    double c = w->center_weight[id], gamma = w->gamma[id];
    bool hangs = w->touched_count[id] > 0;
    if (w->touched_count[id] < corners) gamma = lt_max_d(gamma, fabs(c));
    gamma = gamma * (1 + 1e-6) + 1e-9; /* rounding to float must not make it smaller */
    lt_sphere_hang h = {id, (float)(hangs ? gamma : -gamma), (float)c};
    w->gamma[id] = -1;
    w->center_weight[id] = 0;
    w->touched_count[id] = 0;
    return !(hangs || c != 0) || lt_array_push(&w->hangs, &h);
}

/* False when memory is out. */
static bool hang_sphere(lt_sphere_writing *w, uint32_t sphere) {
    uint32_t touched = 0, corners = 3 * (w->order_begin[sphere + 1] - w->order_begin[sphere]);
    bool enough = true;
    hang_center(w, sphere, &touched);
    hang_pieces(w, sphere, &touched);
    sort_ids(w->touched, touched);
    for (uint32_t i = 0; i < touched; i++)
        enough = list_node(w, w->touched[i], corners) && enough;
    w->hang_begin[sphere + 1] = (uint32_t)w->hangs.count;
    return enough;
}

lt_status lt_sphere_write_hangs(lt_sphere_writing *w, lt_error *error) {
    bool enough = true;
    for (uint32_t i = 0; i < w->carrier->node_count; i++)
        w->gamma[i] = -1;
    for (uint32_t level = 0; level < w->rest->level_count && enough; level++) {
        sort_pieces(w, level);
        for (uint32_t i = w->rest->level_begin[level]; i < w->rest->level_begin[level + 1] && enough; i++)
            enough = hang_sphere(w, i);
    }
    if (enough) return LT_OK;
    return lt_fail(error, LT_STATUS_MEMORY, "no memory to bind a tree of %u spheres", w->rest->sphere_count);
}

/* ---- rows of blocks ---- */

/* The root needs none: its ball is that of the body's box. */
static uint32_t rows_of_block(const lt_sphere_writing *w, uint32_t first, uint32_t count) {
    uint32_t rows = 0;
    for (uint32_t i = first; i < first + count; i++)
        rows = lt_max_u32(rows, w->hang_begin[i + 1] - w->hang_begin[i]);
    return rows;
}

static void fill_lane(const lt_sphere_writing *w, uint32_t sphere, uint32_t lane, uint32_t rows,
                      uint32_t *nodes, float *terms) {
    const lt_sphere_hang *hangs = (const lt_sphere_hang *)w->hangs.items + w->hang_begin[sphere];
    uint32_t count = w->hang_begin[sphere + 1] - w->hang_begin[sphere];
    lt_dvec3 mean = {0, 0, 0};
    double total = 0;
    uint32_t spare = hangs[0].node;
    for (uint32_t i = 0; i < count; i++) {
        double gamma = fabs((double)hangs[i].gamma);
        mean = lt_d3_mad(mean, lt_rest_node(w->carrier, hangs[i].node), gamma);
        total += gamma;
        if (hangs[i].gamma >= 0)
            spare = hangs[i].node; /* a repeated node must not count for the hull otherwise */
    }
    mean = lt_d3_scale(mean, 1 / lt_max_d(total, 1e-300));
    for (uint32_t row = 0; row < rows; row++) {
        float *t = terms + (size_t)LT_TERM_FIELDS * LT_LANES * row + lane;
        nodes[(size_t)LT_LANES * row + lane] = row < count ? hangs[row].node : spare;
        if (row >= count) continue;
        lt_dvec3 d = lt_d3_sub(lt_rest_node(w->carrier, hangs[row].node), mean);
        t[LT_LANES * LT_TERM_GAMMA] = hangs[row].gamma;
        t[LT_LANES * LT_TERM_CENTER] = hangs[row].center;
        t[LT_LANES * LT_TERM_X] = (float)d.x;
        t[LT_LANES * LT_TERM_Y] = (float)d.y;
        t[LT_LANES * LT_TERM_Z] = (float)d.z;
    }
}

lt_status lt_sphere_write_rows(lt_shape_builder *builder, lt_sphere_writing *w, lt_error *error) {
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
