/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes of a ladder: whatever the front is and wherever nodes are, they hold the surface; the cut is one, moves with the front, and
 * comes out the same whatever was before it; what follows a coarse level is fitted for little.
 * labels: golden */

#include "body/multigrid.h"
#include "bound/bound.h"

#include "check.h"

#include "bake/ladder_tree_fixture.h"
#include "bench/whole/whole.h"
#include "core/hash.h"
#include "failing_allocator.h"

static const uint32_t CELLS[4] = {8, 5, 3, 2};
enum { LEVELS = 4 };

/* A ball that hangs on a multigrid body. */
typedef struct gummy {
    tree_fixture f;
    lt_soft soft;
    float *from, *to; /* [node_count][4] */
    lt_multiscale m;
} gummy;

static lt_status make_boxes(lt_multiscale *m, const gummy *g, lt_multiscale_bound bound,
                            lt_simd_level level) {
    return lt_multiscale_create(m, &g->f.tree, &g->f.carrier, bound, level, NULL, NULL);
}

static void gummy_make(gummy *g, lt_multiscale_bound bound) {
    const lt_soft_def def = {.model = LT_MODEL_MULTIGRID,
                             .material = {.young = 1e5f, .poisson = 0.3f, .density = 1000},
                             .rotation = lt_dm3_identity(),
                             .scale = 1,
                             .max_iterations = 100,
                             .tolerance = 1e-3f,
                             .refine_threshold = 0.1f};
    CHECK_FATAL(ball_in_ladder(&g->f, 3, CELLS, LEVELS, 0));
    CHECK_FATAL(lt_soft_create(&g->soft, &g->f.carrier, &def, NULL, NULL) == LT_OK);
    g->from = LT_NEW(NULL, 4 * (size_t)g->f.carrier.node_count, float);
    g->to = LT_NEW(NULL, 4 * (size_t)g->f.carrier.node_count, float);
    CHECK_FATAL(make_boxes(&g->m, g, bound, lt_simd_best()) == LT_OK);
}

static void gummy_free(gummy *g) {
    lt_multiscale_free(&g->m);
    LT_DELETE(NULL, g->from, 4 * (size_t)g->f.carrier.node_count, float);
    LT_DELETE(NULL, g->to, 4 * (size_t)g->f.carrier.node_count, float);
    lt_soft_free(&g->soft);
    tree_fixture_free(&g->f);
}

/* ---- fronts and motions ---- */

/* Some nodes refined, around some place or anywhere; sometimes none, sometimes all. */
static void choose_front(gummy *g, lt_random *random) {
    const lt_ladder *ladder = &g->f.carrier.ladder;
    uint32_t kind = lt_random_below(random, 5);
    if (kind < 2) {
        lt_front_set_level(&g->soft, kind ? LEVELS - 2 : lt_random_below(random, LEVELS - 1));
        return;
    }
    lt_dvec3 middle = random_d3(random, 1);
    double radius = random_d(random, 0.1, 0.9);
    memset(g->soft.refined, 0, g->f.carrier.node_count);
    for (uint32_t node = ladder->node_begin[1]; node < ladder->node_begin[LEVELS - 1]; node++) {
        bool is_near = lt_d3_distance(((const lt_dvec3 *)g->f.carrier.rest)[node], middle) < radius;
        g->soft.refined[node] = kind == 2 ? lt_random_below(random, 12) == 0 : is_near;
    }
    lt_front_update(&g->soft);
}

/* Nodes that move by themselves anywhere, the others follow, some beside where they hang. */
static void place_nodes(gummy *g, float *out, lt_random *random) {
    lt_soft *s = &g->soft;
    affine a = random_rigid(random, lt_random_below(random, 4) ? 1 : 100);
    double noise = lt_random_below(random, 3) ? random_d(random, 0, 0.2) : 0;
    double beside = lt_random_below(random, 3) ? 0 : random_d(random, 0, 0.05);
    if (lt_random_below(random, 4) == 0) a.m.c0 = lt_d3_scale(a.m.c0, random_d(random, -2, 2));
    for (uint32_t i = 0; i < g->f.carrier.node_count; i++) {
        lt_dvec3 x =
            lt_d3_add(move_affine(&a, ((const lt_dvec3 *)g->f.carrier.rest)[i]), random_d3(random, noise));
        lt_dvec3 off = random_d3(random, beside);
        lt_node_set(s->x, i, (lt_rvec3){(lt_real)x.x, (lt_real)x.y, (lt_real)x.z});
        lt_node_set(s->offset, i, (lt_rvec3){(lt_real)off.x, (lt_real)off.y, (lt_real)off.z});
    }
    lt_soft_follow(s);
    memcpy(out, s->nodes, 4 * (size_t)g->f.carrier.node_count * sizeof(float));
}

static lt_box box_of_nodes(const float *nodes, uint32_t count) {
    lt_box box = lt_box_empty();
    for (size_t i = 0; i < count; i++)
        box = lt_box_add_point(box, (lt_vec3){nodes[4 * i], nodes[4 * i + 1], nodes[4 * i + 2]});
    return box;
}

static void begin(lt_multiscale *m, const gummy *g, bool moves) {
    uint32_t count = g->f.carrier.node_count;
    lt_box box = lt_box_union(box_of_nodes(g->from, count), box_of_nodes(g->to, count));
    lt_multiscale_begin(m, g->from, moves ? g->to : NULL, box);
}

/* ---- boxes hold the surface ---- */

static lt_dvec3 point_at(const gummy *g, uint32_t point, double time) {
    lt_dvec3 sum = {0, 0, 0};
    for (size_t k = 4 * (size_t)point; k < 4 * ((size_t)point + 1); k++) {
        const float *a = g->from + 4 * (size_t)g->f.tree.ids[k], *b = g->to + 4 * (size_t)g->f.tree.ids[k];
        lt_dvec3 x = {(1 - time) * (double)a[0] + time * (double)b[0],
                      (1 - time) * (double)a[1] + time * (double)b[1],
                      (1 - time) * (double)a[2] + time * (double)b[2]};
        sum = lt_d3_mad(sum, x, (double)g->f.tree.weights[k]);
    }
    return sum;
}

static bool holds(lt_box box, lt_dvec3 p) {
    return p.x >= (double)box.lo.x && p.x <= (double)box.hi.x && p.y >= (double)box.lo.y &&
           p.y <= (double)box.hi.y && p.z >= (double)box.lo.z && p.z <= (double)box.hi.z;
}

/* Points that boxes of their triangles do not hold at a time. */
static uint32_t count_outside(const gummy *g, double time) {
    const lt_multiscale_tree *t = &g->f.tree;
    uint32_t outside = 0;
    for (uint32_t node = 0; node < t->node_count; node++) {
        if (!lt_multiscale_box_is_fresh(&g->m, node) || t->links[node].bunch != LT_NONE) continue;
        const lt_multiscale_node *n = t->nodes + node;
        for (uint32_t i = 3 * n->first; i < 3 * (n->first + n->count); i++)
            outside += !holds(lt_multiscale_box(&g->m, node), point_at(g, t->triangles[i], time));
    }
    return outside;
}

/* Every leaf is below one box that was fitted from a group or is one. */
static void check_cut(const gummy *g) {
    const lt_multiscale_tree *t = &g->f.tree;
    const lt_multiscale_levels *l = &g->m.levels;
    uint32_t wrong = 0;
    bool *on_cut = LT_NEW(NULL, t->node_count, bool);
    for (uint32_t i = 0; l->are_coarse && i < l->cut_count; i++)
        on_cut[t->group_nodes[l->cut[i]]] = true;
    for (uint32_t i = 0; !l->are_coarse && i < t->cut_count; i++)
        on_cut[t->group_nodes[i]] = true;
    for (uint32_t leaf = 0; leaf < t->node_count; leaf++) {
        uint32_t met = 0;
        if (t->nodes[leaf].child != LT_NONE) continue;
        for (uint32_t node = leaf; node != LT_NONE; node = t->links[node].parent)
            met += on_cut[node];
        wrong += met != 1;
    }
    CHECK_COUNT(wrong, 0);
    CHECK(lt_multiscale_box_is_fresh(&g->m, 0));
    LT_DELETE(NULL, on_cut, t->node_count, bool);
}

static void check_boxes(gummy *g, lt_random *random, bool moves) {
    uint32_t outside = 0;
    begin(&g->m, g, moves);
    lt_multiscale_fit(&g->m);
    check_cut(g);
    for (int opened = 0; opened < 2; opened++) {
        outside += count_outside(g, 0);
        if (moves) outside += count_outside(g, 1) + count_outside(g, random_d(random, 0, 1));
        for (uint32_t node = 0; node < g->f.tree.node_count; node++)
            if (g->f.tree.links[node].bunch == LT_NONE) lt_multiscale_open(&g->m, node);
    }
    CHECK_COUNT(outside, 0);
}

static void boxes_hold_the_surface(void) {
    const lt_multiscale_bound bounds[2] = {LT_BOUND_DUAL, LT_BOUND_EXACT};
    lt_random random = lt_random_seed(1);
    uint32_t coarse = 0;
    for (int b = 0; b < 2; b++) {
        gummy g;
        gummy_make(&g, bounds[b]);
        for (int round = 0; round < 20; round++) {
            choose_front(&g, &random);
            place_nodes(&g, g.from, &random);
            place_nodes(&g, g.to, &random);
            lt_multiscale_follow(&g.m, &g.soft);
            check_boxes(&g, &random, round % 4 != 0);
            coarse += g.m.levels.are_coarse;
        }
        gummy_free(&g);
    }
    CHECK(coarse > 20);
}

/* Nodes that no front knows of: of a way that was taken down before the front changed, or put there by somebody. */
static void fronts_that_are_wrong_do_no_harm(void) {
    lt_random random = lt_random_seed(2);
    gummy g;
    gummy_make(&g, LT_BOUND_DUAL);
    for (int round = 0; round < 12; round++) {
        choose_front(&g, &random);
        place_nodes(&g, g.from, &random);
        choose_front(&g, &random);
        place_nodes(&g, g.to, &random);
        if (round % 2) choose_front(&g, &random);
        if (round % 3 == 0) lt_front_set_level(&g.soft, LEVELS - 2);
        lt_multiscale_follow(&g.m, &g.soft);
        for (size_t i = 0; round % 4 == 3 && i < 4 * (size_t)g.f.carrier.node_count; i++)
            g.to[i] += (float)random_d(&random, -1, 1);
        check_boxes(&g, &random, true);
    }
    gummy_free(&g);
}

/* ---- what it costs ---- */

static uint64_t fit_units(lt_multiscale *m, const gummy *g) {
    uint64_t units = 0;
    begin(m, g, true);
    for (uint32_t spent; (spent = lt_multiscale_step(m, UINT32_MAX)) > 0;)
        units += spent;
    return units;
}

static double volume_of_cut(const lt_multiscale *m) {
    double sum = 0;
    bool coarse = m->levels.are_coarse;
    for (uint32_t i = 0; i < (coarse ? m->levels.cut_count : m->tree->cut_count); i++) {
        lt_vec3 d;
        lt_box box = lt_multiscale_box(m, m->tree->group_nodes[coarse ? m->levels.cut[i] : i]);
        d = lt_v3_sub(box.hi, box.lo);
        sum += (double)d.x * (double)d.y * (double)d.z;
    }
    return sum;
}

/* A body that only turns is fitted from its coarsest level, for a fraction; its root stays what it is. */
static void coarse_fronts_cost_little(void) {
    lt_random random = lt_random_seed(3);
    gummy g;
    gummy_make(&g, LT_BOUND_DUAL);
    affine a = random_rigid(&random, 1);
    for (uint32_t i = 0; i < g.f.carrier.node_count; i++) {
        lt_dvec3 x = move_affine(&a, ((const lt_dvec3 *)g.f.carrier.rest)[i]);
        const float node[4] = {(float)x.x, (float)x.y, (float)x.z, 0};
        memcpy(g.from + 4 * (size_t)i, node, sizeof node);
        memcpy(g.to + 4 * (size_t)i, node, sizeof node);
    }
    uint64_t fine = fit_units(&g.m, &g);
    lt_box root = lt_multiscale_box(&g.m, 0);
    double volume = volume_of_cut(&g.m);
    CHECK(!g.m.levels.are_coarse);
    lt_front_set_level(&g.soft, LEVELS - 2);
    lt_multiscale_follow(&g.m, &g.soft);
    uint64_t coarse = fit_units(&g.m, &g);
    lt_box wide = lt_multiscale_box(&g.m, 0);
    CHECK(g.m.levels.are_coarse && 2 * coarse < fine);
    CHECK(lt_v3_distance(wide.lo, root.lo) < 0.4f && lt_v3_distance(wide.hi, root.hi) < 0.4f);
    printf("level %d: %u boxes instead of %u, %u units instead of %u, %.2f times the volume\n", LEVELS - 2,
           g.m.levels.cut_count, g.f.tree.cut_count, (unsigned)coarse, (unsigned)fine,
           volume_of_cut(&g.m) / volume);
    lt_multiscale_follow(&g.m, NULL);
    CHECK(fit_units(&g.m, &g) == fine);
    gummy_free(&g);
}

/* ---- the same whatever was before ---- */

static bool same_boxes(const lt_multiscale *a, const lt_multiscale *b) {
    return memcmp(a->boxes, b->boxes, 32 * (size_t)a->tree->node_count) == 0;
}

/* Cut anywhere, and with other fronts before it: the same boxes for the same units. */
static void units_and_histories_change_nothing(void) {
    lt_random random = lt_random_seed(4);
    gummy g;
    gummy_make(&g, LT_BOUND_DUAL);
    for (int round = 0; round < 8; round++) {
        lt_multiscale fresh;
        CHECK_FATAL(make_boxes(&fresh, &g, LT_BOUND_DUAL, (lt_simd_level)(round % 2)) == LT_OK);
        choose_front(&g, &random);
        place_nodes(&g, g.from, &random);
        place_nodes(&g, g.to, &random);
        lt_multiscale_follow(&g.m, &g.soft);
        lt_multiscale_follow(&fresh, &g.soft);
        memset(g.m.boxes, 0, 32 * (size_t)g.f.tree.node_count);
        uint64_t units = fit_units(&g.m, &g), in_pieces = 0;
        begin(&fresh, &g, true);
        for (uint32_t cost; (cost = lt_multiscale_cost(&fresh)) > 0;) {
            CHECK_COUNT(lt_multiscale_step(&fresh, cost - 1), 0);
            uint32_t grant = cost + lt_random_below(&random, 200);
            uint32_t spent = lt_multiscale_step(&fresh, grant);
            CHECK(spent >= cost && spent <= grant);
            in_pieces += spent;
        }
        CHECK(units == in_pieces && same_boxes(&g.m, &fresh));
        for (uint32_t node = 0; node < g.f.tree.node_count; node++) {
            CHECK_COUNT(lt_multiscale_open_cost(&g.m, node), lt_multiscale_open_cost(&fresh, node));
            lt_multiscale_open(&g.m, node);
            lt_multiscale_open(&fresh, node);
            CHECK_COUNT(lt_multiscale_open_cost(&fresh, node), 0);
        }
        CHECK(same_boxes(&g.m, &fresh));
        lt_multiscale_free(&fresh);
    }
    gummy_free(&g);
}

/* Exactly representable, so that nothing but bounds is hashed. */
static void boxes_have_one_hash(void) {
    gummy g;
    gummy_make(&g, LT_BOUND_DUAL);
    lt_front_set_level(&g.soft, LEVELS - 2);
    for (uint32_t i = 0; i < g.f.carrier.node_count; i++)
        for (size_t k = 0; k < 3; k++) {
            double x = g.f.carrier.rest[3 * (size_t)i + k];
            g.from[4 * (size_t)i + k] = (float)x;
            g.to[4 * (size_t)i + k] = (float)(x + x * x / 8);
        }
    lt_multiscale_follow(&g.m, &g.soft);
    begin(&g.m, &g, true);
    lt_multiscale_fit(&g.m);
    CHECK(g.m.levels.are_coarse);
    for (uint32_t node = 0; node < g.f.tree.node_count; node++)
        lt_multiscale_open(&g.m, node);
    check_golden("coarse_boxes", lt_hash_bytes(LT_HASH_SEED, g.m.boxes, 32 * (size_t)g.f.tree.node_count));
    gummy_free(&g);
}

static void memory_may_run_out_anywhere(void) {
    gummy g;
    gummy_make(&g, LT_BOUND_DUAL);
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; status != LT_OK && allowed < 100; allowed++) {
        failing counted = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&counted);
        lt_multiscale m;
        status = lt_multiscale_create(&m, &g.f.tree, &g.f.carrier, LT_BOUND_DUAL, LT_LEVEL_SCALAR, &allocator,
                                      NULL);
        if (status == LT_OK) lt_multiscale_free(&m);
        CHECK_COUNT(counted.blocks_out, 0);
    }
    CHECK(status == LT_OK);
    gummy_free(&g);
}

int main(void) {
    RUN(boxes_hold_the_surface);
    RUN(fronts_that_are_wrong_do_no_harm);
    RUN(coarse_fronts_cost_little);
    RUN(units_and_histories_change_nothing);
    RUN(boxes_have_one_hash);
    RUN(memory_may_run_out_anywhere);
    return check_finish();
}
