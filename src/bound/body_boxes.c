/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bound/body_boxes.h"

#include "bound/bound.h"

#include <string.h>

extern const lt_body_kernels lt_body_kernels_scalar, lt_body_kernels_wide4, lt_body_kernels_avx2;

const lt_body_kernels *lt_body_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_body_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_body_kernels);
    return table[level];
}

/* ---- life ---- */

static void lay_out(lt_body_boxes *b, lt_carver *c) {
    uint32_t nodes = b->tree->node_count;
    b->solid_stamps = lt_carve(c, nodes, sizeof *b->solid_stamps);
    b->skin_stamps = lt_carve(c, nodes, sizeof *b->skin_stamps);
    b->tet_stamps = lt_carve(c, nodes, sizeof *b->tet_stamps);
    b->solids = lt_carve(c, nodes, sizeof *b->solids);
    b->skins = lt_carve(c, nodes, sizeof *b->skins);
    b->skin_blocks = lt_carve(c, b->tree->skin_block_count, sizeof *b->skin_blocks);
    b->solid_blocks = lt_carve(c, b->tree->solid_block_count, sizeof *b->solid_blocks);
}

lt_status lt_body_boxes_create(lt_body_boxes *out, const lt_shape_tree *tree, const lt_allocator *allocator,
                               lt_error *error) {
    *out = (lt_body_boxes){.tree = tree, .allocator = allocator ? *allocator : lt_allocator_default()};
    lt_carver measure = {0};
    lay_out(out, &measure);
    out->memory_size = measure.used;
    out->memory = lt_allocate(&out->allocator, 1, out->memory_size);
    if (!out->memory) {
        *out = (lt_body_boxes){0};
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for the boxes of a body");
    }
    lt_carver carver = {.memory = out->memory};
    lay_out(out, &carver);
    return LT_OK;
}

void lt_body_boxes_free(lt_body_boxes *boxes) {
    if (boxes->memory) lt_release(&boxes->allocator, boxes->memory, 1, boxes->memory_size);
    *boxes = (lt_body_boxes){0};
}

/* Stamps begin anew where their numbers end. */
void lt_body_boxes_begin(lt_body_boxes *boxes, const lt_soft *soft, const lt_skin *skin,
                         lt_simd_level level) {
    LT_ASSERT(boxes->tree && soft->carrier.tet_count == boxes->tree->tet_count);
    boxes->soft = soft;
    boxes->skin = skin;
    boxes->kernels = lt_body_kernels_for(level);
    if (++boxes->stamp != 0) return;
    memset(boxes->solid_stamps, 0, boxes->tree->node_count * sizeof *boxes->solid_stamps);
    memset(boxes->skin_stamps, 0, boxes->tree->node_count * sizeof *boxes->skin_stamps);
    memset(boxes->tet_stamps, 0, boxes->tree->node_count * sizeof *boxes->tet_stamps);
    boxes->stamp = 1;
}

/* ---- solid ---- */

/* Surface outside its tets is as far outside as the body's box allows for; its velocity likewise. */
static void make_from_governors(lt_body_boxes *b, const lt_shape_node *n, lt_moving_box *out) {
    const uint32_t *ids = b->tree->governors + n->governor_begin;
    b->kernels->box_of_nodes(out, b->soft->nodes, b->soft->node_velocities, ids,
                             n->governor_end - n->governor_begin);
    out->at = lt_body_box(b->skin, out->at);
    float beyond = b->skin->overhang * lt_v3_distance(out->speed.hi, out->speed.lo);
    if (beyond > 0) out->speed = lt_box_inflate(out->speed, beyond);
}

static bool is_fresh(const lt_body_boxes *b, uint32_t node) {
    return b->solid_stamps[node] == b->stamp;
}

/* What a box takes if it is made from its own governors, at most. */
static uint32_t direct_units(const lt_body_boxes *b, uint32_t node) {
    return is_fresh(b, node) ? 0 : lt_body_solid_worst(b, node);
}

const lt_moving_box *lt_body_solid(lt_body_boxes *boxes, uint32_t node, uint32_t *units) {
    LT_ASSERT(boxes->stamp > 0);
    const lt_shape_node *n = lt_shape_node_at(boxes->tree, node);
    lt_moving_box *out = &boxes->solids[node];
    if (is_fresh(boxes, node)) return out;
    uint32_t direct = lt_body_solid_worst(boxes, node);
    if (n->right && direct_units(boxes, node + 1) + direct_units(boxes, n->right) + LT_BOX_UNITS < direct) {
        const lt_moving_box *a = lt_body_solid(boxes, node + 1, units);
        const lt_moving_box *c = lt_body_solid(boxes, n->right, units);
        *out = (lt_moving_box){lt_box_union(a->at, c->at), lt_box_union(a->speed, c->speed)};
        *units += LT_BOX_UNITS;
    } else {
        make_from_governors(boxes, n, out);
        *units += direct;
    }
    boxes->solid_stamps[node] = boxes->stamp;
    return out;
}

/* ---- skin ---- */

/* Rigid links turn with their triangle, which the kernel knows of; it writes where the point is by number. */
static lt_vec3 place_link(const lt_body_boxes *b, uint32_t point) {
    lt_vec3 out[1];
    lt_skin one = *b->skin;
    one.ids += 4 * (size_t)point;
    one.weights += 4 * (size_t)point;
    one.offsets += 4 * (size_t)point;
    lt_embed_positions(lt_embed_kernels_for(LT_LEVEL_SCALAR), out, &one, b->soft->nodes, 0, 1);
    return out[0];
}

static lt_vec3 place_point(const lt_body_boxes *b, uint32_t point) {
    LT_ASSERT(point < b->skin->point_count);
    if (b->skin->offsets) return place_link(b, point);
    const uint32_t *ids = b->skin->ids + 4 * (size_t)point;
    const float *weights = b->skin->weights + 4 * (size_t)point;
    lt_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const float *q = b->soft->nodes + 4 * (size_t)ids[k];
        sum = lt_v3_mad(sum, (lt_vec3){q[0], q[1], q[2]}, weights[k]);
    }
    return sum;
}

static void place_samples(lt_body_boxes *b, const lt_shape_node *n, uint32_t begin, lt_skin_block *out) {
    uint32_t count = lt_min_u32(LT_BLOCK, n->point_end - begin);
    lt_vec3 at = {0, 0, 0};
    out->box = lt_box_empty();
    for (uint32_t k = 0; k < LT_BLOCK; k++) {
        if (k < count) at = place_point(b, b->tree->points[begin + k]);
        out->at[0][k] = at.x;
        out->at[1][k] = at.y;
        out->at[2][k] = at.z;
        out->box = lt_box_add_point(out->box, at);
    }
}

const lt_box *lt_body_skin(lt_body_boxes *boxes, uint32_t node, uint32_t *units) {
    const lt_shape_node *n = lt_shape_node_at(boxes->tree, node);
    LT_ASSERT(boxes->stamp > 0 && lt_is_skin_leaf(n));
    lt_box *out = &boxes->skins[node];
    if (boxes->skin_stamps[node] == boxes->stamp) return out;
    *out = lt_box_empty();
    for (uint32_t i = 0; i < lt_block_count(lt_shape_node_points(n)); i++) {
        lt_skin_block *block = &boxes->skin_blocks[n->skin_block + i];
        place_samples(boxes, n, n->point_begin + LT_BLOCK * i, block);
        *out = lt_box_union(*out, block->box);
    }
    *units += lt_body_skin_worst(boxes, node);
    boxes->skin_stamps[node] = boxes->stamp;
    return out;
}

/* ---- tets ---- */

const lt_solid_block *lt_body_tets(lt_body_boxes *boxes, uint32_t node, uint32_t *units) {
    const lt_shape_node *n = lt_shape_node_at(boxes->tree, node);
    LT_ASSERT(boxes->stamp > 0 && lt_is_solid_leaf(n));
    lt_solid_block *out = &boxes->solid_blocks[n->solid_block];
    if (boxes->tet_stamps[node] == boxes->stamp) return out;
    for (uint32_t i = 0, begin = n->tet_begin; begin < n->tet_end; i++, begin += LT_BLOCK)
        boxes->kernels->place_tets(&out[i], boxes->soft->nodes, boxes->soft->carrier.tets,
                                   boxes->tree->tets + begin, lt_min_u32(LT_BLOCK, n->tet_end - begin));
    *units += lt_body_tets_worst(boxes, node);
    boxes->tet_stamps[node] = boxes->stamp;
    return out;
}
