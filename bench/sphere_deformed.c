/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Do moved spheres still cover the moved surface? Random turns, twists, bends and stretches of a body, all at once; points
 * of the surface in no sphere of a level are counted, with the bounds of mode safe and with the update as printed. */

#include "sphere_internal.h"

#include "scenes/trigonometry.h"

enum { DEFORMATIONS = 1000, SAMPLES = 1000 };

typedef struct deformation {
    double twist, bend; /* radians a metre */
    lt_vec3 stretch;
    lt_quat turn;
} deformation;

static deformation random_deformation(lt_random *random) {
    return (deformation){.twist = (double)lt_random_range(random, -6, 6),
                         .bend = (double)lt_random_range(random, -4, 4),
                         .stretch = {lt_random_range(random, 0.6f, 1.6f), lt_random_range(random, 0.6f, 1.6f),
                                     lt_random_range(random, 0.6f, 1.6f)},
                         .turn = lt_random_turn(random)};
}

/* Stretched, twisted about y, then bent in the plane of x and y; the turn comes with the pose. */
static lt_vec3 deform(const deformation *d, lt_vec3 p) {
    double s, c;
    p = lt_v3_mul(p, d->stretch);
    lt_sin_cos(d->twist * (double)p.y, &s, &c);
    double x = c * (double)p.x - s * (double)p.z, z = s * (double)p.x + c * (double)p.z;
    lt_sin_cos(d->bend * (double)p.y, &s, &c);
    return (lt_vec3){(float)(x * c), (float)((double)p.y + x * s), (float)z};
}

static void refresh_all(lt_sphere_side *side) {
    lt_spheres_outdate(&side->collider->spheres);
    lt_tree tree = lt_sphere_side_tree(side);
    for (uint32_t block = 1; block < side->collider->spheres.tree->block_count; block++)
        tree.refresh(tree.state, block);
}

static bool is_covered(const lt_spheres *s, lt_vec3 p, uint32_t level) {
    const lt_sphere_tree *tree = s->tree;
    for (uint32_t block = 0; block < tree->block_count && tree->levels[block] <= level; block++)
        for (uint32_t lane = 0; lane < LT_LANES; lane++) {
            uint32_t node = block * LT_LANES + lane;
            if (tree->levels[block] < level && tree->children[node] != LT_NONE) continue;
            float r = lt_sphere_now(s, LT_NOW_RADIUS, node);
            if (r >= 0 && lt_v3_distance(p, lt_sphere_center(s, node)) <= r) return true;
        }
    return false;
}

/* Samples that are not covered at some level. */
static uint32_t count_uncovered(const lt_collider *c, lt_random random) {
    const lt_skin *skin = c->skin;
    uint32_t uncovered = 0;
    for (int i = 0; i < SAMPLES; i++) {
        const uint32_t *corner = skin->triangles + 3 * (size_t)lt_random_below(&random, skin->triangle_count);
        float u = lt_random_unit(&random), v = lt_random_unit(&random);
        if (u + v > 1) {
            u = 1 - u;
            v = 1 - v;
        }
        lt_vec3 p = lt_v3_scale(c->points[corner[0]], 1 - u - v);
        p = lt_v3_mad(lt_v3_mad(p, c->points[corner[1]], u), c->points[corner[2]], v);
        bool covered = true;
        for (uint32_t level = 0; level < c->spheres.tree->level_count && covered; level++)
            covered = is_covered(&c->spheres, p, level);
        uncovered += !covered;
    }
    return uncovered;
}

lt_status lt_sphere_deformed(lt_bench *bench, lt_error *error) {
    lt_rig rig;
    lt_status status = lt_rig_create(&rig, LT_RIG_BUNNY, LT_RIG_BUNNY, bench->quick, error);
    if (status != LT_OK) return status;
    lt_random random = lt_random_seed(3);
    lt_vec3 *rest = rig.rest[0], *moved = LT_NEW(&rig.allocator, rig.node_counts[0], lt_vec3);
    int deformations = bench->quick ? DEFORMATIONS / 20 : DEFORMATIONS;
    double uncovered[2] = {0, 0};
    for (int i = 0; i < deformations && moved; i++) {
        deformation d = random_deformation(&random);
        lt_rig_pose pose = {.rotations = {d.turn, {0, 0, 0, 1}}, .distance = 1};
        for (uint32_t n = 0; n < rig.node_counts[0]; n++)
            moved[n] = deform(&d, rest[n]);
        rig.rest[0] = moved;
        lt_rig_place(&rig, &pose);
        lt_collider *c = lt_rig_collider(&rig, 0);
        lt_embed_positions(lt_embed_kernels_for(lt_simd_best()), c->points, c->skin, c->soft->nodes, 0,
                           c->skin->point_count);
        for (int printed = 0; printed < 2; printed++) {
            lt_sphere_side side = {
                .collider = c, .kernels = lt_sphere_kernels_for(lt_simd_best()), .as_printed = printed};
            refresh_all(&side);
            uncovered[printed] += count_uncovered(c, random);
        }
    }
    rig.rest[0] = rest;
    lt_bench_row_begin(bench, "coverage of moved spheres");
    lt_bench_number(bench, "deformations", deformations);
    lt_bench_number(bench, "samples", (double)deformations * SAMPLES);
    lt_bench_number(bench, "uncovered", uncovered[0]);
    lt_bench_number(bench, "uncovered_as_printed", uncovered[1]);
    lt_bench_number(bench, "as_printed_%", 100 * uncovered[1] / ((double)deformations * SAMPLES));
    lt_bench_check_value(bench, "sphere-tree.uncovered-when-deformed", uncovered[0], "==", 0);
    if (!moved) status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for nodes");
    LT_DELETE(&rig.allocator, moved, rig.node_counts[0], lt_vec3);
    lt_rig_free(&rig);
    return status;
}
