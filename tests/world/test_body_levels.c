/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* lt_body_levels against its meaning: which nodes that move by themselves move a vertex, tried one by one. */

#include "bake/ladder_fixture.h"
#include "body/multigrid.h"
#include "world/fixture.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct leveled {
    ladder_shape ladder;
    lt_shape *shape;
    lt_world *world;
    lt_body_id body;
    lt_soft *soft;
    uint32_t vertex_count;
    uint8_t *levels;                   /* [vertex_count] as answered */
    uint8_t *truth;                    /* [vertex_count] as tried */
    uint8_t *node_levels, *node_truth; /* [node_count] likewise */
    lt_vec3 *resting;                  /* [vertex_count] */
    lt_real *x;                        /* [node_count][4] as it was */
} leveled;

/* The model is for the method multiscale, and that is for shapes with trees of boxes. */
static lt_shape *bake_tree(const lt_shape *shape) {
    lt_shape *out = NULL;
    lt_error error = {0};
    lt_bake_tree_def def = lt_bake_tree_def_default();
    if (lt_bake_tree(shape, &def, &out, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    return out;
}

static bool make(leveled *s, lt_model model, float threshold) {
    *s = (leveled){0};
    if (!bake_balls(&s->ladder, 4, 1.0, false)) return false;
    lt_world_def world = test_world_def();
    world.method = LT_METHOD_MULTISCALE;
    s->world = make_world(&world);
    lt_body_def def = lt_body_def_default();
    def.shape = s->shape = bake_tree(s->ladder.shape);
    def.model = model;
    def.refine_threshold = threshold;
    lt_error error = {0};
    s->body = lt_world_add_body(s->world, &def, &error);
    if (s->body.index_plus_one == 0) CHECK_FAIL_MESSAGE("%s", error.message);
    if (s->body.index_plus_one == 0) return false;
    s->soft = lt_soft_at(s->world, 0);
    s->vertex_count = lt_body_surface(s->world, s->body).vertex_count;
    s->levels = calloc(s->vertex_count, 1);
    s->truth = calloc(s->vertex_count, 1);
    s->node_levels = calloc(s->soft->carrier.node_count, 1);
    s->node_truth = calloc(s->soft->carrier.node_count, 1);
    s->resting = calloc(s->vertex_count, sizeof *s->resting);
    s->x = calloc(4 * (size_t)s->soft->carrier.node_count, sizeof *s->x);
    return s->levels && s->truth && s->node_levels && s->node_truth && s->resting && s->x;
}

static void end(leveled *s) {
    free(s->levels);
    free(s->truth);
    free(s->node_levels);
    free(s->node_truth);
    free(s->resting);
    free(s->x);
    lt_world_destroy(s->world);
    lt_shape_release(s->shape);
    lt_shape_release(s->ladder.shape);
}

static void put_back(leveled *s) {
    memcpy(s->soft->x, s->x, 4 * (size_t)s->soft->carrier.node_count * sizeof *s->x);
    lt_soft_follow(s->soft);
}

/* Who goes along with a node of a level that was pushed. */
static void see_who_moved(leveled *s, uint32_t level) {
    lt_surface_view view = lt_body_surface(s->world, s->body);
    for (uint32_t i = 0; i < s->vertex_count; i++)
        if (fabsf(view.positions[i].x - s->resting[i].x) > 1e-5f) s->truth[i] = (uint8_t)level;
    for (uint32_t i = 0; i < s->soft->carrier.node_count; i++)
        if (fabs((double)(s->soft->x[4 * (size_t)i] - s->x[4 * (size_t)i])) > 1e-5)
            s->node_truth[i] = (uint8_t)level;
}

/* Pushes one front node after the other, 1 m, from coarse to fine. */
static void try_all(leveled *s) {
    lt_soft *soft = s->soft;
    const uint32_t *begin = soft->carrier.ladder.node_begin;
    memcpy(s->x, soft->x, 4 * (size_t)soft->carrier.node_count * sizeof *s->x);
    memcpy(s->resting, lt_body_surface(s->world, s->body).positions, s->vertex_count * sizeof *s->resting);
    memset(s->truth, UINT8_MAX, s->vertex_count);
    memset(s->node_truth, UINT8_MAX, soft->carrier.node_count);
    for (uint32_t level = lt_level_count(soft); level-- > 0;)
        for (uint32_t node = begin[level]; node < begin[level + 1]; node++) {
            if (soft->grid->kinds[node] != LT_NODE_FRONT) continue;
            soft->x[4 * (size_t)node] += 1;
            lt_soft_follow(soft);
            see_who_moved(s, level);
            put_back(s);
        }
}

static uint32_t count_of(const leveled *s, uint32_t level) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->vertex_count; i++)
        count += s->levels[i] == level;
    return count;
}

/* The coarsest mesh is for the solver alone. */
static void one_level_moves_all_where_the_threshold_says_so(void) {
    for (int coarse = 0; coarse < 2; coarse++) {
        leveled s;
        CHECK_FATAL(make(&s, LT_MODEL_MULTIGRID, coarse ? HUGE_VALF : 0));
        run(s.world, 2);
        CHECK_COUNT(lt_body_levels(s.world, s.body, NULL), 4);
        CHECK_COUNT(lt_body_levels(s.world, s.body, s.levels), 4);
        CHECK_COUNT(count_of(&s, coarse ? 2 : 0), s.vertex_count);
        end(&s);
    }
}

static void bodies_of_one_mesh_have_one_level(void) {
    leveled s;
    CHECK_FATAL(make(&s, LT_MODEL_COROTATIONAL, 0.05f));
    memset(s.levels, 7, s.vertex_count);
    CHECK_COUNT(lt_body_levels(s.world, s.body, s.levels), 1);
    CHECK_COUNT(count_of(&s, 0), s.vertex_count);
    end(&s);
}

/* Refined on one side, further and further: three of the levels move some of the surface in the end. */
static void levels_are_those_of_the_nodes_that_move_a_vertex(void) {
    leveled s;
    CHECK_FATAL(make(&s, LT_MODEL_MULTIGRID, 0.05f));
    const lt_ladder *ladder = &s.soft->carrier.ladder;
    lt_front_set_level(s.soft, 3);
    for (uint32_t level = 3; level > 0; level--) {
        uint32_t farthest = ladder->node_begin[level];
        for (uint32_t node = farthest; node < ladder->node_begin[level + 1]; node++)
            if (s.soft->grid->kinds[node] >= LT_NODE_FRONT &&
                s.soft->x[4 * (size_t)node] > s.soft->x[4 * (size_t)farthest])
                farthest = node;
        s.soft->refined[farthest] = 1;
        lt_front_update(s.soft);
        lt_soft_follow(s.soft);
        const char *flaw = lt_front_flaw(s.soft);
        CHECK(flaw == NULL);
        try_all(&s);
        lt_body_levels(s.world, s.body, s.levels);
        CHECK_COUNT(lt_soft_levels(s.soft, s.node_levels), 4);
        CHECK(memcmp(s.levels, s.truth, s.vertex_count) == 0);
        CHECK(memcmp(s.node_levels, s.node_truth, s.soft->carrier.node_count) == 0);
    }
    CHECK(count_of(&s, 0) > 0 && count_of(&s, 1) > 0 && count_of(&s, 2) > 0);
    end(&s);
}

int main(void) {
    RUN(one_level_moves_all_where_the_threshold_says_so);
    RUN(bodies_of_one_mesh_have_one_level);
    RUN(levels_are_those_of_the_nodes_that_move_a_vertex);
    return check_finish();
}
