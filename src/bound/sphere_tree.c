/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Reading a sphere tree from a shape, and what is done to the spheres of a body one at a time: the root, the paper's
 * own update. Blocks are refreshed by sphere_kernel.c. */

#include "bound/bound.h"
#include "bound/sphere_chunks.h"
#include "core/polar.h"

extern const lt_sphere_kernels lt_sphere_kernels_scalar, lt_sphere_kernels_wide4, lt_sphere_kernels_avx2;

const lt_sphere_kernels *lt_sphere_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_sphere_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_sphere_kernels);
    return table[level];
}

/* ---- reading ---- */

bool lt_sphere_tree_exists(const lt_shape *shape) {
    return lt_shape_has(shape, LT_CHUNK_SPHERE_BALLS);
}

static lt_status read_header(lt_sphere_tree *out, const lt_shape *shape, lt_error *error) {
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SPHERE_HEADER_SIZE);
    const uint32_t *header = lt_shape_u32(shape, LT_CHUNK_SPHERE_HEADER, &dims, error);
    if (!header) return error->status;
    out->branching = header[LT_SPHERE_HEADER_BRANCHING];
    out->layered = header[LT_SPHERE_HEADER_LAYERED] != 0;
    out->leaf_count = header[LT_SPHERE_HEADER_LEAVES];
    out->mask_words = header[LT_SPHERE_HEADER_MASK_WORDS];
    out->frame = header + LT_SPHERE_HEADER_FRAME;
    out->parts = header + LT_SPHERE_HEADER_PARTS;
    dims = LT_SHAPE_DIMS(1);
    const float *gap = lt_shape_f32(shape, LT_CHUNK_SPHERE_SELF_GAP, &dims, error);
    if (!gap) return error->status;
    out->self_gap = *gap;
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, LT_LEVEL_FIGURES);
    out->level_figures = lt_shape_f32(shape, LT_CHUNK_SPHERE_FIGURES, &dims, error);
    if (!out->level_figures) return error->status;
    out->level_count = (uint32_t)lt_min_u64(dims.size[0], UINT32_MAX);
    return LT_OK;
}

/* Every chunk of one length: its view, or an error that names it. */
#define READ(view, function, chunk, ...)                                                                     \
    do {                                                                                                     \
        lt_shape_dims wanted = LT_SHAPE_DIMS(__VA_ARGS__);                                                   \
        if (!((view) = function(shape, chunk, &wanted, error))) return error->status;                        \
    } while (0)

static lt_status read_views(lt_sphere_tree *out, const lt_shape *shape, lt_error *error) {
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, LT_BALL_FIELDS, LT_LANES);
    if (!(out->balls = lt_shape_f32(shape, LT_CHUNK_SPHERE_BALLS, &dims, error))) return error->status;
    uint64_t blocks = dims.size[0];
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY, LT_LANES);
    if (!(out->row_nodes = lt_shape_u32(shape, LT_CHUNK_SPHERE_ROW_NODES, &dims, error)))
        return error->status;
    uint64_t rows = dims.size[0];
    if (blocks == 0 || blocks >= LT_NONE / LT_LANES || rows >= LT_NONE / LT_LANES)
        return lt_fail(error, LT_STATUS_INVALID, "shape '%s': a sphere tree of %llu blocks and %llu rows",
                       lt_shape_name(shape), (unsigned long long)blocks, (unsigned long long)rows);
    READ(out->children, lt_shape_u32, LT_CHUNK_SPHERE_CHILDREN, blocks, LT_LANES);
    READ(out->parents, lt_shape_u32, LT_CHUNK_SPHERE_PARENTS, blocks);
    READ(out->levels, lt_shape_u32, LT_CHUNK_SPHERE_LEVELS, blocks);
    READ(out->row_begin, lt_shape_u32, LT_CHUNK_SPHERE_ROW_BEGIN, blocks + 1);
    READ(out->row_terms, lt_shape_f32, LT_CHUNK_SPHERE_ROW_TERMS, rows, LT_TERM_FIELDS, LT_LANES);
    READ(out->tets, lt_shape_u32, LT_CHUNK_SPHERE_TETS, blocks, LT_LANES);
    READ(out->nearest, lt_shape_u32, LT_CHUNK_SPHERE_NEAREST, blocks, 4, LT_LANES);
    READ(out->point_begin, lt_shape_u32, LT_CHUNK_SPHERE_POINT_BEGIN, blocks * LT_LANES + 1);
    READ(out->leaves, lt_shape_u32, LT_CHUNK_SPHERE_LEAVES, blocks, LT_LANES);
    READ(out->near_at_rest, lt_shape_u32, LT_CHUNK_SPHERE_NEAR, out->leaf_count, out->mask_words);
    dims = LT_SHAPE_DIMS(LT_SHAPE_ANY);
    if (!(out->components = lt_shape_u32(shape, LT_CHUNK_SPHERE_COMPONENTS, &dims, error)))
        return error->status;
    out->component_count = (uint32_t)lt_min_u64(dims.size[0], UINT32_MAX);
    out->block_count = (uint32_t)blocks;
    out->row_count = (uint32_t)rows;
    return LT_OK;
}

/* Block 0 is the root's; every other block is the children's of exactly one node of an earlier block. */
static bool is_a_tree(const lt_sphere_tree *tree) {
    uint32_t inner = 0;
    if (tree->parents[0] != LT_NONE || tree->levels[0] != 0) return false;
    for (uint32_t node = 0; node < tree->block_count * LT_LANES; node++) {
        uint32_t block = tree->children[node];
        if (block == LT_NONE) continue;
        if (block <= lt_block_of(node) || block >= tree->block_count || tree->parents[block] != node)
            return false;
        if (tree->levels[block] != tree->levels[lt_block_of(node)] + 1) return false;
        if (lt_ball(tree, LT_BALL_RADIUS, node) < 0) return false;
        inner++;
    }
    for (uint32_t lane = 1; lane < LT_LANES; lane++)
        if (!(lt_ball(tree, LT_BALL_RADIUS, lane) < 0)) return false;
    return inner + 1 == tree->block_count && !(lt_ball(tree, LT_BALL_RADIUS, 0) < 0);
}

/* Of centres and sizes in units of the shape, and of weights: the square of a product of two such numbers is still a float. */
static const float LARGEST_NUMBER = 1e9f;

static bool all_within(const float *values, size_t count) {
    bool within = true; /* NaN is not */
    for (size_t i = 0; i < count; i++)
        within = within && values[i] <= LARGEST_NUMBER && values[i] >= -LARGEST_NUMBER;
    return within;
}

/* Errors, areas, weights and lengths are at least zero: a negative one is taken off a radius, and a sphere that falls below zero would
 * be an empty lane from then on. */
static bool sizes_are_sound(const lt_sphere_tree *tree) {
    for (uint32_t node = 0; node < LT_LANES * tree->block_count; node++) {
        if (lt_ball(tree, LT_BALL_RADIUS, node) < 0) continue;
        for (int field = LT_BALL_ERROR; field < LT_BALL_FIELDS; field++)
            if (lt_ball(tree, field, node) < 0) return false;
    }
    return true;
}

static bool numbers_are_sound(const lt_sphere_tree *tree) {
    return tree->self_gap - tree->self_gap == 0 && /* FLT_MAX is sound: no two leaves are apart at rest */
           all_within(tree->balls, (size_t)LT_BALL_FIELDS * LT_LANES * tree->block_count) &&
           all_within(tree->row_terms, (size_t)LT_TERM_FIELDS * LT_LANES * tree->row_count) &&
           sizes_are_sound(tree);
}

static bool all_below(const uint32_t *values, size_t count, uint32_t limit, bool none_allowed) {
    for (size_t i = 0; i < count; i++)
        if (values[i] >= limit && !(none_allowed && values[i] == LT_NONE)) return false;
    return true;
}

static bool is_ascending(const uint32_t *begins, size_t count, uint32_t end) {
    if (begins[0] != 0 || begins[count] != end) return false;
    for (size_t i = 0; i < count; i++)
        if (begins[i] > begins[i + 1]) return false;
    return true;
}

static void count_points(lt_sphere_tree *tree) {
    for (size_t node = 0; node < (size_t)LT_LANES * tree->block_count; node++)
        tree->most_points =
            lt_max_u32(tree->most_points, tree->point_begin[node + 1] - tree->point_begin[node]);
}

static bool rows_are_sound(lt_sphere_tree *tree, const lt_carrier *carrier) {
    if (!is_ascending(tree->row_begin, tree->block_count, tree->row_count)) return false;
    for (uint32_t block = 0; block < tree->block_count; block++) {
        uint32_t rows = tree->row_begin[block + 1] - tree->row_begin[block];
        if (block > 0 && rows == 0) return false;
        tree->widest = lt_max_u32(tree->widest, rows);
    }
    return all_below(tree->row_nodes, (size_t)LT_LANES * tree->row_count, carrier->node_count, false);
}

static bool indices_are_sound(lt_sphere_tree *tree, const lt_carrier *carrier, const lt_skin *skin,
                              uint32_t listed_points) {
    size_t nodes = (size_t)LT_LANES * tree->block_count;
    return rows_are_sound(tree, carrier) && is_ascending(tree->point_begin, nodes, listed_points) &&
           all_below(tree->points, listed_points, skin->point_count, false) &&
           all_below(tree->components, tree->component_count, skin->point_count, false) &&
           all_below(tree->tets, nodes, carrier->tet_count, false) &&
           all_below(tree->nearest, 4 * nodes, carrier->node_count, false) &&
           all_below(tree->frame, 3, carrier->node_count, false) &&
           all_below(tree->parts, LT_PART_COUNT * LT_PART_NODES, carrier->node_count, false) &&
           all_below(tree->leaves, nodes, tree->leaf_count, true) &&
           (tree->mask_words == 0 || tree->mask_words == (tree->leaf_count + 31) / 32);
}

lt_status lt_sphere_tree_read(lt_sphere_tree *out, const lt_shape *shape, const lt_carrier *carrier,
                              const lt_skin *skin, lt_error *error) {
    lt_error local;
    if (!error) error = &local;
    *out = (lt_sphere_tree){0};
    lt_status status = read_header(out, shape, error);
    if (status == LT_OK) status = read_views(out, shape, error);
    if (status != LT_OK) return status;
    lt_shape_dims dims = LT_SHAPE_DIMS(LT_SHAPE_ANY);
    if (!(out->points = lt_shape_u32(shape, LT_CHUNK_SPHERE_POINTS, &dims, error))) return error->status;
    uint32_t listed = (uint32_t)lt_min_u64(dims.size[0], UINT32_MAX);
    if (is_a_tree(out) && numbers_are_sound(out) && indices_are_sound(out, carrier, skin, listed)) {
        count_points(out);
        return LT_OK;
    }
    return lt_fail(error, LT_STATUS_INVALID, "shape '%s': its sphere tree is damaged; bake it again",
                   lt_shape_name(shape));
}

/* ---- a body's spheres ---- */

static float worst_leaf_error(const lt_sphere_tree *tree) {
    float worst = 0;
    for (uint32_t node = 0; node < LT_LANES * tree->block_count; node++)
        if (tree->leaves[node] != LT_NONE) worst = lt_max_f(worst, lt_ball(tree, LT_BALL_ERROR, node));
    return worst;
}

lt_status lt_spheres_create(lt_spheres *out, const lt_sphere_tree *tree, float scale,
                            const lt_allocator *allocator, lt_error *error) {
    *out = (lt_spheres){
        .tree = tree, .scale = scale, .overhang = 0.5f * scale * worst_leaf_error(tree), .stamp = 1};
    size_t lanes = (size_t)LT_LANES * tree->block_count;
    out->now = LT_NEW(allocator, LT_NOW_FIELDS * lanes, float);
    out->turns = LT_NEW(allocator, 4 * lanes, float);
    out->stamps = LT_NEW(allocator, tree->block_count, uint32_t);
    out->gathered = LT_NEW(allocator, (size_t)3 * LT_LANES * tree->widest, float);
    if (out->now && out->turns && out->stamps && (out->gathered || tree->widest == 0)) return LT_OK;
    lt_spheres_free(out, allocator);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a tree of %u blocks", tree->block_count);
}

void lt_spheres_free(lt_spheres *spheres, const lt_allocator *allocator) {
    if (!spheres->tree) return;
    size_t lanes = (size_t)LT_LANES * spheres->tree->block_count;
    LT_DELETE(allocator, spheres->now, LT_NOW_FIELDS * lanes, float);
    LT_DELETE(allocator, spheres->turns, 4 * lanes, float);
    LT_DELETE(allocator, spheres->stamps, spheres->tree->block_count, uint32_t);
    LT_DELETE(allocator, spheres->gathered, (size_t)3 * LT_LANES * spheres->tree->widest, float);
    *spheres = (lt_spheres){0};
}

uint32_t lt_spheres_refresh_cost(const lt_spheres *spheres, uint32_t block) {
    LT_ASSERT(block < spheres->tree->block_count);
    const lt_sphere_tree *tree = spheres->tree;
    enum { UNITS_A_ROW = 4, UNITS_A_BLOCK = 4 };
    if (block == 0) return UNITS_A_BLOCK * LT_LANES;
    return LT_LANES * (UNITS_A_BLOCK + UNITS_A_ROW * (tree->row_begin[block + 1] - tree->row_begin[block]));
}

static void set_now(lt_spheres *s, uint32_t node, int field, float value) {
    LT_ASSERT(node < LT_LANES * s->tree->block_count);
    s->now[((size_t)lt_block_of(node) * LT_NOW_FIELDS + (size_t)field) * LT_LANES + lt_lane_of(node)] = value;
}

/* Three orthogonal unit vectors from three points; the axes of the world where they are on a line. */
static lt_dmat3 frame_of(lt_dvec3 a, lt_dvec3 b, lt_dvec3 c) {
    lt_dvec3 x = lt_d3_normalize_or(lt_d3_sub(b, a), (lt_dvec3){0, 0, 0});
    lt_dvec3 z = lt_d3_normalize_or(lt_d3_cross(x, lt_d3_sub(c, a)), (lt_dvec3){0, 0, 0});
    if (lt_d3_length_squared(z) < 0.5) return lt_dm3_identity();
    return (lt_dmat3){x, lt_d3_cross(z, x), z};
}

static void turn_root(lt_spheres *s, const lt_carrier *carrier, const float *nodes) {
    lt_dvec3 rest[3], now[3];
    for (int k = 0; k < 3; k++) {
        uint32_t node = s->tree->frame[k];
        const double *r = carrier->rest + 3 * (size_t)node;
        const float *p = nodes + 4 * (size_t)node;
        rest[k] = (lt_dvec3){r[0], r[1], r[2]};
        now[k] = (lt_dvec3){(double)p[0], (double)p[1], (double)p[2]};
    }
    lt_dmat3 turn =
        lt_dm3_mul(frame_of(now[0], now[1], now[2]), lt_dm3_transpose(frame_of(rest[0], rest[1], rest[2])));
    double q[4];
    lt_quaternion_from_matrix(q, turn);
    for (int k = 0; k < 4; k++)
        s->turns[k * LT_LANES] = (float)q[k];
}

void lt_spheres_refresh_root(lt_spheres *spheres, const lt_carrier *carrier, lt_box box, const float *nodes) {
    lt_vec3 center = lt_v3_scale(lt_v3_add(box.lo, box.hi), 0.5f);
    float radius = lt_v3_distance(box.hi, center);
    radius += lt_bound_slack(lt_max_f(lt_max_f(fabsf(center.x), fabsf(center.y)), fabsf(center.z)) + radius);
    const float values[LT_NOW_FIELDS] = {center.x,   center.y,   center.z,  radius,
                                         2 * radius, 2 * radius, 2 * radius};
    for (int field = 0; field < LT_NOW_FIELDS; field++)
        set_now(spheres, 0, field, values[field]);
    for (uint32_t lane = 1; lane < LT_LANES; lane++)
        set_now(spheres, lane, LT_NOW_RADIUS, LT_EMPTY_RADIUS);
    turn_root(spheres, carrier, nodes);
    spheres->stamps[0] = spheres->stamp;
}

/* ---- as printed ---- */

static lt_vec3 scaled_rest(const lt_carrier *carrier, uint32_t node, float scale) {
    LT_ASSERT(node < carrier->node_count);
    const double *p = carrier->rest + 3 * (size_t)node;
    return (lt_vec3){(float)p[0] * scale, (float)p[1] * scale, (float)p[2] * scale};
}

/* c' = c + mean displacement of the nearest nodes, r' = r × the largest ratio of their distances from the centre. */
static void update_as_printed(lt_spheres *s, const lt_carrier *carrier, const float *nodes, uint32_t node) {
    LT_ASSERT(node < LT_LANES * s->tree->block_count);
    const lt_sphere_tree *tree = s->tree;
    float scale = s->scale, radius = scale * lt_ball(tree, LT_BALL_RADIUS, node), ratio = 0;
    lt_vec3 rest = {scale * lt_ball(tree, LT_BALL_X, node), scale * lt_ball(tree, LT_BALL_Y, node),
                    scale * lt_ball(tree, LT_BALL_Z, node)};
    const uint32_t *nearest = tree->nearest + (size_t)4 * LT_LANES * lt_block_of(node) + lt_lane_of(node);
    lt_vec3 center = rest, from[4], to[4];
    for (int k = 0; k < 4; k++) {
        const float *p = nodes + 4 * (size_t)nearest[k * LT_LANES];
        from[k] = scaled_rest(carrier, nearest[k * LT_LANES], scale);
        to[k] = (lt_vec3){p[0], p[1], p[2]};
        center = lt_v3_mad(center, lt_v3_sub(to[k], from[k]), 0.25f);
    }
    for (int k = 0; k < 4; k++) {
        float before = lt_v3_distance(from[k], rest);
        if (before > 1e-6f * radius) ratio = lt_max_f(ratio, lt_v3_distance(to[k], center) / before);
    }
    if (!(ratio > 0)) ratio = 1;
    const float values[LT_NOW_FIELDS] = {center.x,
                                         center.y,
                                         center.z,
                                         ratio * radius,
                                         ratio * scale * lt_ball(tree, LT_BALL_ERROR, node),
                                         ratio * scale * lt_ball(tree, LT_BALL_OWN_ERROR, node),
                                         0};
    for (int field = 0; field < LT_NOW_FIELDS; field++)
        set_now(s, node, field, values[field]);
}

void lt_spheres_refresh_as_printed(lt_spheres *spheres, const lt_carrier *carrier, const float *nodes,
                                   uint32_t block) {
    LT_ASSERT(block < spheres->tree->block_count);
    for (uint32_t node = LT_LANES * block; node < LT_LANES * (block + 1); node++) {
        if (lt_ball(spheres->tree, LT_BALL_RADIUS, node) < 0)
            set_now(spheres, node, LT_NOW_RADIUS, LT_EMPTY_RADIUS);
        else
            update_as_printed(spheres, carrier, nodes, node);
    }
    spheres->stamps[block] = spheres->stamp;
}

/* ---- validator ---- */

static const char *flaw_of_sphere(const lt_spheres *s, uint32_t node) {
    bool empty = lt_ball(s->tree, LT_BALL_RADIUS, node) < 0;
    float radius = lt_sphere_now(s, LT_NOW_RADIUS, node);
    if (empty) return radius < 0 ? NULL : "an empty lane has a sphere";
    if (!(radius >= 0)) return "a sphere has no radius";
    return lt_v3_is_finite(lt_sphere_center(s, node)) ? NULL : "a sphere is nowhere";
}

const char *lt_validate_spheres(const lt_spheres *spheres) {
    const lt_sphere_tree *tree = spheres->tree;
    for (uint32_t block = 0; block < tree->block_count; block++) {
        uint32_t parent = tree->parents[block];
        if (spheres->stamps[block] > spheres->stamp) return "a sphere is of a step to come";
        if ((block == 0) != (parent == LT_NONE)) return "a block has no parent";
        if (block > 0 && (lt_block_of(parent) >= block || tree->children[parent] != block))
            return "a block is not the child of its parent";
        if (!lt_spheres_fresh(spheres, block)) continue;
        for (uint32_t lane = 0; lane < LT_LANES; lane++) {
            const char *flaw = flaw_of_sphere(spheres, LT_LANES * block + lane);
            if (flaw) return flaw;
        }
    }
    return NULL;
}
