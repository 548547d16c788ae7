/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes of a body over the tree of its shape, whatever the nodes do: they hold the surface and its velocities, samples are where the
 * surface is, maps of tets give weights; nothing outlasts a step, nothing takes more than was said; the same bits by every width. */

#include "bound/body_boxes.h"
#include "check.h"

#include "bound/shape_tree_fixture.h"
#include "failing_allocator.h"

enum { ROUNDS = 3, MOTIONS = 5, MOST_BYTES = 1 << 24 };

static soft_fixture f;
static lt_shape_tree tree;
static lt_body_boxes boxes;

/* Turned, stretched and shaken by up to the size of a tet; one in five is pressed flat. */
static void move_fixture(lt_random *random, uint32_t round) {
    affine a = random_rigid(random, 3);
    a.m.c1 = lt_d3_scale(a.m.c1, random_d(random, 0.3, 2));
    if (round % 5 == 4) a.m.c2 = (lt_dvec3){0, 0, 0};
    fixture_move(&f, move_affine, &a);
    if (round % 5 < 3) fixture_shake(&f, random, round % 5 == 0 ? 0.2 : 0.02);
    for (uint32_t i = 0; i < f.carrier.node_count; i++) {
        lt_dvec3 v = random_d3(random, 4);
        lt_node_set(f.soft.v, i, (lt_rvec3){(lt_real)v.x, (lt_real)v.y, (lt_real)v.z});
    }
    fixture_refresh(&f);
}

static void begin(lt_simd_level level) {
    lt_body_boxes_begin(&boxes, &f.soft, &f.skin, level);
}

static void for_all_motions(void (*check)(lt_random *random)) {
    lt_random random = lt_random_seed(17);
    for (uint32_t i = 0; i < ROUNDS * SHAPE_KINDS; i++) {
        lt_error error = {0};
        CHECK_FATAL(shape_fixture(&f, i % SHAPE_KINDS, &random));
        CHECK_FATAL(lt_shape_tree_create(&tree, &f.carrier, &f.skin, NULL, &error) == LT_OK);
        CHECK_FATAL(lt_body_boxes_create(&boxes, &tree, NULL, &error) == LT_OK);
        for (uint32_t k = 0; k < MOTIONS; k++) {
            move_fixture(&random, k);
            check(&random);
        }
        lt_body_boxes_free(&boxes);
        lt_shape_tree_free(&tree);
        fixture_free(&f);
    }
}

static bool holds(const lt_box *box, lt_vec3 p) {
    return p.x >= box->lo.x && p.y >= box->lo.y && p.z >= box->lo.z && p.x <= box->hi.x && p.y <= box->hi.y &&
           p.z <= box->hi.z;
}

/* ---- solid ---- */

static lt_vec3 velocity_of_point(uint32_t point) {
    lt_dvec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const float *v = f.soft.node_velocities + 4 * (size_t)f.skin.ids[4 * (size_t)point + (size_t)k];
        sum = lt_d3_mad(sum, (lt_dvec3){v[0], v[1], v[2]},
                        (double)f.skin.weights[4 * (size_t)point + (size_t)k]);
    }
    return lt_v3_from_d3(sum);
}

/* All of the surface under the node, not its samples alone. */
static void check_solid(const lt_shape_node *n, const lt_moving_box *box) {
    lt_box speed = lt_box_inflate(box->speed, 1e-5f); /* rounding: some metres a second */
    uint32_t outside = 0, faster = 0;
    for (uint32_t p = 0; p < f.skin.point_count; p++) {
        uint32_t place = tree.tet_places[f.skin.tets[p]];
        if (place < n->tet_begin || place >= n->tet_end) continue;
        outside += !holds(&box->at, f.collider.points[p]);
        faster += !holds(&speed, velocity_of_point(p));
    }
    for (uint32_t i = 4 * n->tet_begin; i < 4 * n->tet_end; i++) {
        const float *x = f.soft.nodes + 4 * (size_t)f.carrier.tets[4 * (size_t)tree.tets[i / 4] + i % 4];
        outside += !holds(&box->at, (lt_vec3){x[0], x[1], x[2]});
    }
    CHECK_COUNT(outside, 0);
    CHECK_COUNT(faster, 0);
}

static void check_solids(lt_random *random) {
    begin(lt_simd_best());
    for (uint32_t i = 0; i < 3 * tree.node_count; i++) { /* in any order, some more than once */
        uint32_t node = lt_random_below(random, tree.node_count), units = 0, again = 0;
        const lt_moving_box *box = lt_body_solid(&boxes, node, &units);
        CHECK(units <= lt_body_solid_worst(&boxes, node));
        check_solid(lt_shape_node_at(&tree, node), box);
        lt_body_solid(&boxes, node, &again);
        CHECK_COUNT(again, 0);
    }
}

static void solids_hold_the_surface(void) {
    for_all_motions(check_solids);
}

/* ---- skin ---- */

static void check_skin_leaf(uint32_t node) {
    const lt_shape_node *n = lt_shape_node_at(&tree, node);
    uint32_t units = 0;
    const lt_box *box = lt_body_skin(&boxes, node, &units);
    CHECK(units > 0 && units <= lt_body_skin_worst(&boxes, node));
    units = 0;
    lt_body_skin(&boxes, node, &units);
    CHECK_COUNT(units, 0);
    for (uint32_t i = n->point_begin; i < n->point_end; i++) {
        lt_vec3 at = lt_body_sample(&boxes, lt_shape_lane(n, i));
        CHECK_NEAR(lt_v3_distance(at, f.collider.points[tree.points[i]]), 0, 3e-6);
        CHECK(holds(box, at));
    }
    for (uint32_t i = 0; i < lt_block_count(lt_shape_node_points(n)); i++) {
        const lt_skin_block *block = &boxes.skin_blocks[n->skin_block + i];
        uint32_t count = lt_min_u32(LT_BLOCK, lt_shape_node_points(n) - LT_BLOCK * i);
        for (uint32_t k = count; k < LT_BLOCK; k++)
            for (int axis = 0; axis < 3; axis++)
                CHECK(block->at[axis][k] == block->at[axis][count - 1]);
    }
}

static void check_skins(lt_random *random) {
    (void)random;
    begin(lt_simd_best());
    uint32_t before = LT_NONE;
    for (uint32_t i = 0; i < tree.point_count; i++) {
        uint32_t leaf = lt_shape_skin_leaf(&tree, i);
        if (leaf != before) check_skin_leaf(leaf);
        before = leaf;
    }
}

static void samples_are_on_the_surface(void) {
    for_all_motions(check_skins);
}

/* ---- tets ---- */

typedef struct tet_corners {
    lt_dvec3 at[4];
    double size, volume6; /* the longest edge, six times the volume */
} tet_corners;

static tet_corners corners_of(uint32_t tet) {
    tet_corners c = {.size = 0};
    for (int k = 0; k < 4; k++) {
        const float *x = f.soft.nodes + 4 * (size_t)f.carrier.tets[4 * (size_t)tet + (size_t)k];
        c.at[k] = (lt_dvec3){x[0], x[1], x[2]};
        for (int i = 0; i < k; i++)
            c.size = lt_max_d(c.size, lt_d3_distance(c.at[i], c.at[k]));
    }
    lt_dvec3 a = lt_d3_sub(c.at[1], c.at[0]), b = lt_d3_sub(c.at[2], c.at[0]),
             d = lt_d3_sub(c.at[3], c.at[0]);
    c.volume6 = lt_d3_dot(a, lt_d3_cross(b, d));
    return c;
}

/* Differences of floats are exact to their last bits; a product of three of them, over the volume, is what weights are made of. */
static void check_weights(const lt_solid_block *block, uint32_t lane, const tet_corners *c,
                          lt_random *random) {
    double weights[4], shape = fabs(c->volume6) / (c->size * c->size * c->size);
    if (shape < 1e-3) return; /* its weights are rounding */
    lt_dvec3 p = c->at[0];
    for (int k = 1; k < 4; k++)
        p = lt_d3_mad(p, lt_d3_sub(c->at[k], c->at[0]), random_d(random, -0.5, 1));
    lt_vec3 at = lt_v3_from_d3(p);
    CHECK_FATAL(lt_barycentric_weights(weights, c->at, lt_d3_from_v3(at)));
    const float away[3] = {at.x - block->origin[0][lane], at.y - block->origin[1][lane],
                           at.z - block->origin[2][lane]};
    for (int k = 0; k < 3; k++) {
        double weight = 0;
        for (int axis = 0; axis < 3; axis++)
            weight += (double)block->rows[k][axis][lane] * (double)away[axis];
        CHECK_NEAR(weight, weights[k + 1], 1e-5 / shape);
    }
}

static void check_lane(const lt_solid_block *block, uint32_t lane, uint32_t tet, lt_random *random) {
    tet_corners c = corners_of(tet);
    bool is_empty = block->lo[0][lane] > block->hi[0][lane];
    if (fabs(c.volume6) > 1e-5 * c.size * c.size * c.size) CHECK(!is_empty); /* less is rounding */
    for (int k = 0; k < 9; k++)
        CHECK(lt_is_finite(block->rows[k / 3][k % 3][lane]));
    if (is_empty) return;
    const lt_box box = {{block->lo[0][lane], block->lo[1][lane], block->lo[2][lane]},
                        {block->hi[0][lane], block->hi[1][lane], block->hi[2][lane]}};
    for (int k = 0; k < 4; k++)
        CHECK(holds(&box, lt_v3_from_d3(c.at[k])));
    check_weights(block, lane, &c, random);
}

static void check_solid_leaf(uint32_t node, lt_random *random) {
    const lt_shape_node *n = lt_shape_node_at(&tree, node);
    uint32_t units = 0, again = 0, count = lt_shape_node_tets(n);
    const lt_solid_block *blocks = lt_body_tets(&boxes, node, &units);
    lt_body_tets(&boxes, node, &again);
    CHECK(units > 0 && units <= lt_body_tets_worst(&boxes, node) && again == 0);
    for (uint32_t i = 0; i < LT_BLOCK * lt_block_count(count); i++) {
        const lt_solid_block *block = &blocks[i / LT_BLOCK];
        if (i < count)
            check_lane(block, i % LT_BLOCK, tree.tets[n->tet_begin + i], random);
        else
            CHECK(block->lo[0][i % LT_BLOCK] > block->hi[0][i % LT_BLOCK]);
    }
}

static void check_tets(lt_random *random) {
    begin(lt_simd_best());
    uint32_t before = LT_NONE;
    for (uint32_t i = 0; i < tree.tet_count; i++) {
        if (tree.solid_leaves[i] != before) check_solid_leaf(tree.solid_leaves[i], random);
        before = tree.solid_leaves[i];
    }
}

static void tets_give_weights(void) {
    for_all_motions(check_tets);
}

/* All nodes in a plane, to the bit: no tet holds anything. */
static void flat_tets_hold_nothing(void) {
    lt_random random = lt_random_seed(3);
    lt_error error = {0};
    CHECK_FATAL(shape_fixture(&f, 4, &random));
    CHECK_FATAL(lt_shape_tree_create(&tree, &f.carrier, &f.skin, NULL, &error) == LT_OK);
    CHECK_FATAL(lt_body_boxes_create(&boxes, &tree, NULL, &error) == LT_OK);
    affine a = {lt_dm3_identity(), {0, 0, 0.7}};
    a.m.c2 = (lt_dvec3){0, 0, 0};
    fixture_move(&f, move_affine, &a);
    begin(lt_simd_best());
    for (uint32_t i = 0; i < tree.tet_count; i++) {
        uint32_t units = 0, leaf = tree.solid_leaves[i];
        const lt_shape_node *n = lt_shape_node_at(&tree, leaf);
        const lt_solid_block *block = lt_body_tets(&boxes, leaf, &units) + (i - n->tet_begin) / LT_BLOCK;
        CHECK(block->lo[0][(i - n->tet_begin) % LT_BLOCK] > block->hi[0][(i - n->tet_begin) % LT_BLOCK]);
    }
    lt_body_boxes_free(&boxes);
    lt_shape_tree_free(&tree);
    fixture_free(&f);
}

/* ---- steps ---- */

/* A new step makes all anew, also where the stamps begin again. */
static void check_begin(lt_random *random) {
    for (int round = 0; round < 2; round++) {
        uint32_t units = 0;
        begin(lt_simd_best());
        lt_body_solid(&boxes, 0, &units);
        if (round) boxes.stamp = UINT32_MAX;
        for (uint32_t i = 0; i < tree.node_count; i++)
            if (round) boxes.solid_stamps[i] = 1;
        fixture_shake(&f, random, 0.3);
        begin(lt_simd_best());
        units = 0;
        check_solid(lt_shape_node_at(&tree, 0), lt_body_solid(&boxes, 0, &units));
        CHECK(units > 0);
    }
}

static void a_step_begins_anew(void) {
    for_all_motions(check_begin);
}

/* ---- widths ---- */

static uint8_t bits[LT_LEVEL_COUNT][MOST_BYTES];

static size_t add_bits(uint8_t *out, size_t at, const void *from, size_t size) {
    if (at + size > MOST_BYTES) {
        CHECK_FAIL_MESSAGE("no room for all bits");
        return at;
    }
    memcpy(out + at, from, size);
    return at + size;
}

static size_t all_bits(uint8_t *out) {
    size_t at = 0;
    uint32_t units = 0;
    for (uint32_t i = 0; i < tree.node_count; i++) {
        const lt_shape_node *n = lt_shape_node_at(&tree, i);
        at = add_bits(out, at, lt_body_solid(&boxes, i, &units), sizeof(lt_moving_box));
        if (lt_shape_solid_leaf(&tree, tree.tets[n->tet_begin]) == i)
            at = add_bits(out, at, lt_body_tets(&boxes, i, &units),
                          lt_block_count(lt_shape_node_tets(n)) * sizeof(lt_solid_block));
    }
    return add_bits(out, at, &units, sizeof units);
}

static void check_widths(lt_random *random) {
    (void)random;
    for (uint32_t level = 0; level <= (uint32_t)lt_simd_best(); level++) {
        begin((lt_simd_level)level);
        size_t size = all_bits(bits[level]);
        CHECK(size > 0 && memcmp(bits[level], bits[0], size) == 0);
    }
}

static void widths_give_the_same_bits(void) {
    for_all_motions(check_widths);
}

static void memory_may_run_out(void) {
    lt_random random = lt_random_seed(8);
    lt_error error = {0};
    failing memory = failing_after(0);
    lt_allocator allocator = failing_allocator(&memory);
    CHECK_FATAL(shape_fixture(&f, 2, &random));
    CHECK_FATAL(lt_shape_tree_create(&tree, &f.carrier, &f.skin, NULL, &error) == LT_OK);
    CHECK(lt_body_boxes_create(&boxes, &tree, &allocator, &error) == LT_STATUS_MEMORY);
    lt_body_boxes_free(&boxes);
    memory.allowed = 1;
    CHECK(lt_body_boxes_create(&boxes, &tree, &allocator, &error) == LT_OK);
    lt_body_boxes_free(&boxes);
    CHECK_COUNT(memory.blocks_out, 0);
    CHECK_COUNT(memory.bytes_out, 0);
    lt_shape_tree_free(&tree);
    fixture_free(&f);
}

int main(void) {
    RUN(solids_hold_the_surface);
    RUN(samples_are_on_the_surface);
    RUN(tets_give_weights);
    RUN(flat_tets_hold_nothing);
    RUN(a_step_begins_anew);
    RUN(widths_give_the_same_bits);
    RUN(memory_may_run_out);
    return check_finish();
}
