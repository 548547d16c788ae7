/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One body without a world: the linear system of its first step, and cycles on it one by one. */

#include "multigrid_internal.h"

#include "bench/whole/whole.h"
#include "core/polar.h"
#include "core/random.h"
#include "lithe/bake.h"
#include "scenes/list.h"

#include <string.h>

static const double DT = 1 / 60.0;

/* ---- ladders ---- */

static void turn_surface(lt_surface *surface, uint32_t seed) {
    lt_random random = lt_random_seed(seed);
    lt_vec3 axis = {lt_random_range(&random, -1, 1), lt_random_range(&random, -1, 1),
                    lt_random_range(&random, -1, 1)};
    lt_quat q = lt_quat_turn(axis, 90.0 * (double)lt_random_unit(&random));
    const double parts[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    lt_dmat3 turn = lt_matrix_from_quaternion(parts);
    for (uint32_t i = 0; i < surface->vertex_count; i++)
        surface->positions[i] = lt_v3_from_d3(lt_dm3_mul_vec(turn, lt_d3_from_v3(surface->positions[i])));
}

lt_status lt_seed_ladder_bake(lt_seed_ladder *out, lt_bench *bench, uint32_t seed, lt_error *error) {
    lt_surface_recipe recipe = lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 1, bench->quick ? 3000 : 27648);
    lt_surface surface;
    *out = (lt_seed_ladder){0};
    lt_status status = lt_recipe_surface(&surface, &recipe, &bench->allocator, error);
    if (status != LT_OK) return status;
    if (seed > 0) turn_surface(&surface, seed);
    lt_bake_surface_def def = lt_bake_surface_def_of(&surface);
    def.carrier = LT_CARRIER_LADDER;
    def.ladder_levels = bench->quick ? 4 : 6;
    def.coarsest_tets = bench->quick ? 60 : 85;
    def.target_tets = bench->quick ? 800 : 6418;
    def.seed += seed;
    def.allocator = bench->allocator;
    status = lt_bake_surface(&def, &out->shape, NULL, error);
    lt_surface_free(&surface);
    if (status == LT_OK) status = lt_carrier_read(&out->carrier, out->shape, error);
    if (status == LT_OK) {
        lt_carrier finest = lt_carrier_finest(&out->carrier);
        status = lt_skin_read(&out->skin, out->shape, &finest, error);
    }
    if (status != LT_OK) lt_seed_ladder_free(out);
    return status;
}

void lt_seed_ladder_free(lt_seed_ladder *ladder) {
    lt_shape_release(ladder->shape);
    *ladder = (lt_seed_ladder){0};
}

/* ---- a bent body ---- */

/* What the scene's bears are made of. */
static lt_material material_of_bears(lt_bench *bench) {
    lt_scene scene = lt_scene_empty("bears", bench ? &bench->allocator : NULL);
    lt_scene_drop_bears(&scene, 1, 1);
    const lt_scene_body *body = scene.bodies.items;
    lt_material material = scene.out_of_memory ? lt_body_def_default().material : body->material;
    lt_scene_free(&scene);
    return material;
}

lt_status lt_bent_create(lt_bent *bent, const lt_seed_ladder *ladder, float height, float poisson,
                         lt_error *error) {
    const uint32_t index = 0;
    lt_soft_def def = {.model = LT_MODEL_MULTIGRID,
                       .material = material_of_bears(NULL),
                       .rotation = lt_dm3_identity(),
                       .scale = (double)height,
                       .max_substeps = 1,
                       .max_iterations = 1000,
                       .tolerance = LT_BEARS_TOLERANCE};
    *bent = (lt_bent){.level = lt_simd_best()};
    if (poisson > 0) def.material.poisson = poisson;
    lt_status status = lt_soft_create(&bent->soft, &ladder->carrier, &def, NULL, error);
    if (status != LT_OK) return status;
    size_t size = lt_advance_scratch(&bent->soft, &index, 1, 8, NULL) +
                  (LT_SOLVE_VECTORS + 1) * 4 * sizeof(lt_real) * ((size_t)bent->soft.carrier.node_count + 64);
    if (lt_arena_reserve(&bent->arena, NULL, size)) return LT_OK;
    lt_bent_free(bent);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the system of a ladder");
}

void lt_bent_free(lt_bent *bent) {
    lt_arena_free(&bent->arena);
    if (bent->soft.memory) lt_soft_free(&bent->soft);
    *bent = (lt_bent){0};
}

/* By a tenth of its height, and a wave along it: nodes of whatever front there is. */
static void bend(lt_soft *soft) {
    double scale = (double)soft->scale;
    for (uint32_t row = 0; row < soft->grid->row_count; row++) {
        uint32_t node = soft->grid->nodes[row];
        const double *r = soft->carrier.rest + 3 * (size_t)node;
        double along = r[1] + 0.5, wave = along - 0.5 * along * along * along;
        lt_node_set(soft->x, node,
                    (lt_rvec3){(lt_real)(scale * (r[0] + 0.1 * along * along)), (lt_real)(scale * r[1]),
                               (lt_real)(scale * (r[2] + 0.05 * wave))});
    }
    lt_soft_follow(soft);
}

/* Every vertex of the lowest part of the surface at rest touches something, or as many as there is room for. */
static void find_contacts(lt_bent *bent, const lt_skin *skin) {
    float lowest = 1e30f;
    for (uint32_t i = 0; i < skin->point_count; i++)
        lowest = lt_min_f(lowest, skin->rest[i].y);
    bent->contact_count = 0;
    for (uint32_t i = 0; i < skin->point_count && bent->contact_count < LT_SOLVE_CONTACTS; i++) {
        if (skin->rest[i].y > lowest + 0.03f) continue;
        lt_anchor anchor = lt_embed_anchor(skin, i);
        bent->contacts[bent->contact_count++] = lt_soft_resolve(&bent->soft, &anchor);
    }
}

/* g = s²/W, W = Σ |w| B/m as respond/penalty.c has it: all contacts of a node together do not pull harder than that. */
static void weigh_contacts(lt_bent *bent, double firmness, lt_real *loads) {
    const lt_soft *soft = &bent->soft;
    memset(loads, 0, soft->carrier.node_count * sizeof *loads);
    for (uint32_t i = 0; i < bent->contact_count; i++)
        for (uint32_t k = 0; k < bent->contacts[i].count; k++)
            loads[bent->contacts[i].ids[k]] += (lt_real)fabs((double)bent->contacts[i].weights[k]);
    for (uint32_t i = 0; i < bent->contact_count; i++) {
        const lt_anchor *a = &bent->contacts[i];
        lt_real w = 0;
        for (uint32_t k = 0; k < a->count; k++)
            w += (lt_real)fabs((double)a->weights[k]) * loads[a->ids[k]] *
                 lt_soft_inverse_mass(soft, a->ids[k]);
        bent->gains[i] = (lt_real)firmness * LT_FIRMNESS * LT_FIRMNESS / w;
    }
}

static void build_cycle(lt_bent *bent) {
    lt_vcycle_begin(&bent->soft, &bent->system);
    for (uint32_t i = 0; i < bent->contact_count; i++) {
        lt_real gains[9] = {0};
        gains[0] = gains[4] = gains[8] = bent->gains[i];
        lt_vcycle_add(&bent->soft, &bent->system, &bent->contacts[i], gains);
    }
    lt_vcycle_ready(&bent->soft, &bent->system, bent->level);
}

lt_status lt_bent_prepare(lt_bent *bent, const lt_skin *skin, double firmness, lt_error *error) {
    lt_soft *soft = &bent->soft;
    uint32_t rows = soft->grid->row_count;
    lt_real beta = (lt_real)soft->material.stiffness_damping, alpha = (lt_real)soft->material.mass_damping,
            dt = (lt_real)DT;
    bend(soft);
    lt_arena_reset(&bent->arena);
    lt_real *loads = LT_TAKE(&bent->arena, soft->carrier.node_count, lt_real);
    bool ok = loads && lt_soft_build_system(soft, &bent->system, dt, bent->level, &bent->arena);
    for (int i = 0; i < LT_SOLVE_VECTORS; i++) {
        bent->vectors[i] = LT_TAKE(&bent->arena, 4 * (size_t)rows, lt_real);
        ok = ok && bent->vectors[i];
    }
    if (!ok) return lt_fail(error, LT_STATUS_MEMORY, "no memory for the system of %u rows", rows);
    for (int i = 0; i < LT_SOLVE_VECTORS; i++)
        memset(bent->vectors[i], 0, 4 * (size_t)rows * sizeof(lt_real));
    lt_grid_assemble(soft, &bent->system, 1 + alpha * dt, dt * dt + beta * dt, bent->vectors[0], bent->level);
    for (size_t i = 0; i < 4 * (size_t)rows; i++)
        bent->vectors[0][i] *= dt;
    bent->contact_count = 0;
    if (firmness > 0) {
        find_contacts(bent, skin);
        weigh_contacts(bent, firmness, loads);
    }
    build_cycle(bent);
    return LT_OK;
}

/* ---- cycles ---- */

static void apply(void *context, lt_real *y, const lt_real *x) {
    const lt_bent *bent = context;
    const uint32_t *rows = bent->soft.grid->rows;
    lt_soft_multiply(&bent->soft, &bent->system, y, x, bent->level);
    for (uint32_t i = 0; i < bent->contact_count; i++) {
        const lt_anchor *a = &bent->contacts[i];
        lt_rvec3 u = {0, 0, 0};
        for (uint32_t k = 0; k < a->count; k++)
            u = lt_r3_mad(u, lt_node_get(x, rows[a->ids[k]]), a->weights[k]);
        for (uint32_t k = 0; k < a->count; k++)
            lt_node_add(y, rows[a->ids[k]], u, bent->gains[i] * a->weights[k]);
    }
}

static void precondition(void *context, lt_real *z, const lt_real *r) {
    const lt_bent *bent = context;
    lt_vcycle_run(&bent->soft, &bent->system, z, r, bent->level);
}

static double length_of(const lt_real *vectors, uint32_t rows) {
    double sum = 0;
    for (size_t i = 0; i < 4 * (size_t)rows; i++)
        sum += (double)vectors[i] * (double)vectors[i];
    return sqrt(sum);
}

lt_bent_solve lt_bent_run(lt_bent *bent, double tolerance, uint32_t most_cycles) {
    uint32_t rows = bent->soft.grid->row_count;
    lt_real *load = bent->vectors[0], *left = bent->vectors[2];
    memset(bent->vectors[1], 0, 4 * (size_t)rows * sizeof(lt_real));
    memcpy(left, load, 4 * (size_t)rows * sizeof(lt_real));
    lt_cg cg = {.row_count = rows,
                .kernels = lt_sparse_kernels_for(bent->level),
                .apply = apply,
                .precondition = precondition,
                .context = bent,
                .x = bent->vectors[1],
                .r = left,
                .z = bent->vectors[3],
                .p = bent->vectors[4],
                .q = bent->vectors[5],
                .max_iterations = most_cycles};
    double whole = length_of(load, rows);
    lt_cg_begin(&cg, 0);
    while (length_of(left, rows) > tolerance * whole && lt_cg_step(&cg))
        continue;
    double energy = (double)lt_cg_residual(&cg);
    apply(bent, cg.q, cg.x);
    for (size_t i = 0; i < 4 * (size_t)rows; i++)
        left[i] = load[i] - cg.q[i];
    lt_bent_solve solve = {.cycles = cg.iterations, .left = length_of(left, rows) / whole};
    double root = 1.0 / lt_max_d(1, cg.iterations);
    solve.fall = pow(1 / solve.left, root);
    solve.energy_fall = pow(1 / energy, root);
    return solve;
}
