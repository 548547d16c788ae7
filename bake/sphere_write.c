/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Binding a sphere tree to the carrier of a shape: where every sphere stands in the blocks, what it hangs on, which leaves own
 * what. Offline. */

#include "bake/rest_tree.h"
#include "bake/sphere_write_internal.h"

/* ---- places ---- */

static uint32_t count_blocks(const lt_rest_tree *rest) {
    uint32_t blocks = 1;
    for (uint32_t i = 0; i < rest->sphere_count; i++)
        blocks += rest->spheres[i].child_count > 0;
    return blocks;
}

static void place_spheres(lt_sphere_writing *w) {
    uint32_t next = 1;
    w->place[0] = 0;
    w->parents[0] = LT_NONE;
    for (size_t i = 0; i < lt_writing_nodes(w); i++)
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

/* Rounded to float, a sphere must still hold its pieces. */
static double widened(const lt_rest_sphere *s) {
    double far = fabs(s->center.x) + fabs(s->center.y) + fabs(s->center.z) + s->radius;
    return s->radius + 4 * 1.2e-7 * far;
}

static void fill_balls(lt_sphere_writing *w) {
    for (uint32_t node = 0; node < lt_writing_nodes(w); node++)
        lt_writing_set_ball(w, node, LT_BALL_RADIUS, -1);
    for (uint32_t i = 0; i < w->rest->sphere_count; i++) {
        const lt_rest_sphere *s = &w->rest->spheres[i];
        uint32_t node = w->place[i];
        lt_writing_set_ball(w, node, LT_BALL_X, s->center.x);
        lt_writing_set_ball(w, node, LT_BALL_Y, s->center.y);
        lt_writing_set_ball(w, node, LT_BALL_Z, s->center.z);
        lt_writing_set_ball(w, node, LT_BALL_RADIUS, widened(s));
        lt_writing_set_ball(w, node, LT_BALL_ERROR, s->error);
        lt_writing_set_ball(w, node, LT_BALL_OWN_ERROR, s->own_error);
        lt_writing_set_ball(w, node, LT_BALL_AREA,
                            s->area > 0 ? s->area : 3.14159265358979 * s->radius * s->radius);
    }
}

/* ---- for people, and for the paper ---- */

/* The four carrier nodes nearest to the centre; the last repeats where there are fewer. */
static void find_nearest(lt_sphere_writing *w) {
    for (uint32_t i = 0; i < w->rest->sphere_count; i++) {
        double reach[4] = {1e300, 1e300, 1e300, 1e300};
        uint32_t found[4] = {0, 0, 0, 0};
        for (uint32_t node = 0; node < w->carrier->node_count; node++) {
            double d = lt_d3_distance(lt_rest_node(w->carrier, node), w->rest->spheres[i].center);
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
    X(leaves, (size_t)LT_LANES * w->block_count, uint32_t)                                                   \
    X(components, w->skin->point_count, uint32_t)

static bool take_tables(lt_sphere_writing *w) {
    const lt_rest_tree *rest = w->rest;
    bool all = true;
#define TAKE(name, count, type) all = (w->name = LT_NEW(w->allocator, count, type)) && all;
    TABLES(TAKE)
#undef TAKE
    w->hangs = LT_ARRAY_OF(w->allocator, lt_sphere_hang);
    return all;
}

static void free_tables(lt_sphere_writing *w) {
    const lt_rest_tree *rest = w->rest;
#define GIVE_BACK(name, count, type) LT_DELETE(w->allocator, w->name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
    LT_DELETE(w->allocator, w->near_leaves, (size_t)w->leaf_count * w->mask_words, uint32_t);
    lt_array_free(&w->hangs);
}

/* ---- chunks ---- */

static void add_header(lt_shape_builder *builder, const lt_sphere_writing *w) {
    const lt_rest_tree *rest = w->rest;
    uint32_t header[LT_SPHERE_HEADER_SIZE] = {rest->branching, rest->layered, w->leaf_count, w->mask_words};
    uint32_t parts[LT_PART_COUNT][LT_PART_NODES];
    float figures[LT_SPHERE_LEVELS_MAX][LT_LEVEL_FIGURES];
    lt_find_frame(w->carrier, header + LT_SPHERE_HEADER_FRAME);
    lt_find_parts(parts, w->carrier);
    memcpy(header + LT_SPHERE_HEADER_PARTS, parts, sizeof parts);
    for (uint32_t level = 0; level < rest->level_count; level++)
        measure_level(rest, level, figures[level]);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_HEADER, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(LT_SPHERE_HEADER_SIZE), header);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_SELF_GAP, LT_SHAPE_TYPE_F32, LT_SHAPE_DIMS(1),
                         &w->self_gap);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_FIGURES, LT_SHAPE_TYPE_F32,
                         LT_SHAPE_DIMS(rest->level_count, LT_LEVEL_FIGURES), figures);
}

static void add_relations(lt_shape_builder *builder, const lt_sphere_writing *w) {
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_NEAR, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(w->leaf_count, w->mask_words), w->near_leaves);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_COMPONENTS, LT_SHAPE_TYPE_U32,
                         LT_SHAPE_DIMS(w->component_count), w->components);
}

static void add_tables(lt_shape_builder *builder, const lt_sphere_writing *w) {
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
                         LT_SHAPE_DIMS(w->point_begin[lt_writing_nodes(w)]), w->points);
    lt_shape_builder_add(builder, LT_CHUNK_SPHERE_LEAVES, LT_SHAPE_TYPE_U32, LT_SHAPE_DIMS(blocks, LT_LANES),
                         w->leaves);
}

/* Tables that need no memory of their own. */
static lt_status fill_tables(lt_sphere_writing *w, lt_error *error) {
    if (!take_tables(w))
        return lt_fail(error, LT_STATUS_MEMORY, "no memory to bind a tree of %u spheres",
                       w->rest->sphere_count);
    place_spheres(w);
    fill_balls(w);
    find_nearest(w);
    return LT_OK;
}

lt_status lt_sphere_tree_write(lt_shape_builder *builder, const lt_rest_tree *rest, const lt_carrier *carrier,
                               const lt_skin *skin, const lt_allocator *allocator, lt_error *error) {
    lt_sphere_writing w = {.rest = rest,
                           .carrier = carrier,
                           .skin = skin,
                           .allocator = allocator,
                           .block_count = count_blocks(rest)};
    lt_status status = fill_tables(&w, error);
    if (status == LT_OK) status = lt_sphere_write_hangs(&w, error);
    if (status == LT_OK) status = lt_sphere_write_rows(builder, &w, error);
    if (status == LT_OK) status = lt_sphere_write_leaves(&w, error);
    if (status == LT_OK) {
        add_header(builder, &w);
        add_relations(builder, &w);
        add_tables(builder, &w);
    }
    free_tables(&w);
    return status;
}
