/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "solve_internal.h"

#include "bench/whole/whole.h"

#include "body/models.h"
#include "core/os.h"
#include "scenes/generate.h"
#include "scenes/list.h"

#include <string.h>

const uint32_t lt_solve_cuts[LT_SOLVE_CUTS] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, LT_CUT_FULL};

static const float SOLVER_TOLERANCE = 5e-4f; /* the default of bodies */
enum { PRODUCTS = 8, UNIT_REPETITIONS = 20, TURN_ROUNDS = 3 };

/* A product without a matrix takes so much more than one with the assembled one, measured once where both were there: 6.7 to 5.0 us. */

/* ---- shapes ---- */

static lt_status bake_block(lt_shape **out, lt_dvec3 size, const uint32_t cells[3],
                            const lt_allocator *allocator, lt_error *error) {
    lt_tet_mesh mesh;
    lt_status status = lt_generate_tet_block(&mesh, size, cells, LT_TET_SPLIT_FIVE, allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < mesh.node_count; i++)
        mesh.positions[i] = lt_d3_mad(mesh.positions[i], size, -0.5);
    lt_surface none = {0};
    lt_bake_tets_def def = lt_bake_def_of(&mesh, &none);
    if (allocator) def.allocator = *allocator;
    status = lt_bake_tets(&def, out, NULL, error);
    lt_tet_mesh_free(&mesh);
    return status;
}

lt_status lt_solve_make_shape(lt_shape **out, lt_solve_shape shape, const lt_allocator *allocator,
                              lt_error *error) {
    const uint32_t bar[3] = {20, 4, 4}, cube[3] = {4, 4, 4}, block[3] = {3, 3, 3};
    lt_scene_shape recipe = {.name = "solve"};
    char path[LT_SCENE_PATH];
    *out = NULL;
    switch (shape) {
    case LT_SOLVE_BAR: return bake_block(out, (lt_dvec3){1, 0.2, 0.2}, bar, allocator, error);
    case LT_SOLVE_CUBE: return bake_block(out, (lt_dvec3){1, 1, 1}, cube, allocator, error);
    case LT_SOLVE_BLOCK: return bake_block(out, (lt_dvec3){1, 1, 1}, block, allocator, error);
    case LT_SOLVE_BEAR:
        recipe.surface = lt_figure_surface(LT_SURFACE_RECIPE_BEAR, 1, 2000);
        recipe.carrier = lt_enclosed_carrier(880);
        break;
    case LT_SOLVE_SCAN:
        if (!lt_find_mesh("bunny_closed_35000.ply", path))
            return lt_fail(error, LT_STATUS_NOT_FOUND,
                           "no bunny_closed_35000.ply in $LITHE_MESHES or ../shared/meshes");
        recipe.surface = lt_figure_surface(LT_SURFACE_RECIPE_FILE, 1, 0);
        memcpy(recipe.surface.path, path, sizeof path);
        recipe.carrier = lt_enclosed_carrier(297);
        break;
    default:
        recipe.surface = lt_figure_surface(LT_SURFACE_RECIPE_POT, 1, 2000);
        recipe.carrier = lt_enclosed_carrier(320);
    }
    return lt_recipe_shape(out, &recipe, allocator, error);
}

/* ---- bodies ---- */

lt_solve_rig_def lt_solve_rig_def_of(lt_solve_shape shape, uint32_t body_count, double size, double young) {
    return (lt_solve_rig_def){.shape = shape,
                              .body_count = body_count,
                              .size = size,
                              .young = young,
                              .density = 1000,
                              .poisson = 0.4,
                              .dt = 1.0 / 60};
}

static lt_status create_body(lt_soft *out, const lt_solve_rig *rig, const lt_solve_rig_def *def,
                             lt_error *error) {
    lt_soft_def soft = {.model = LT_MODEL_COROTATIONAL,
                        .rotation = lt_dm3_identity(),
                        .scale = def->size,
                        .max_substeps = 64,
                        .max_iterations = 500,
                        .tolerance = SOLVER_TOLERANCE};
    soft.material = (lt_material){.young = (float)def->young,
                                  .poisson = (float)def->poisson,
                                  .density = (float)def->density,
                                  .friction = 0.5f};
    return lt_soft_create(out, &rig->carrier, &soft, &rig->allocator, error);
}

static lt_status reserve(lt_solve_rig *rig, lt_error *error) {
    size_t loads = (size_t)rig->body_count * rig->carrier.node_count;
    size_t scratch =
        lt_advance_scratch(rig->bodies, rig->awake, rig->body_count, LT_SOLVE_COUPLINGS, &rig->factors);
    rig->couplings = LT_NEW(&rig->allocator, LT_SOLVE_COUPLINGS, lt_coupling);
    rig->loads = LT_NEW(&rig->allocator, loads, lt_real);
    rig->tasks = lt_tasks_create(1, NULL, &rig->allocator);
    if (!rig->couplings || !rig->loads || !rig->tasks ||
        !lt_arena_reserve(&rig->arena, &rig->allocator, scratch + (1u << 20)))
        return lt_fail(error, LT_STATUS_MEMORY, "solve: no memory for %u bodies", rig->body_count);
    return lt_oracle_create(&rig->oracle, rig->bodies, rig->body_count, LT_SOLVE_COUPLINGS, &rig->allocator,
                            error);
}

lt_status lt_solve_rig_create(lt_solve_rig *rig, const lt_solve_rig_def *def, const lt_allocator *allocator,
                              lt_error *error) {
    *rig = (lt_solve_rig){
        .size = def->size, .gravity = 9.81, .floor = -1e30, .dt = def->dt, .allocator = *allocator};
    rig->factors = lt_rest_factors_make(allocator);
    lt_status status = lt_solve_make_shape(&rig->shape, def->shape, allocator, error);
    if (status == LT_OK) status = lt_carrier_read_finest(&rig->carrier, rig->shape, error);
    lt_tet_mesh mesh = lt_carrier_mesh(&rig->carrier);
    if (status == LT_OK) status = lt_tet_boundary_of(&rig->boundary, &mesh, allocator, error);
    while (status == LT_OK && rig->body_count < def->body_count) {
        status = create_body(&rig->bodies[rig->body_count], rig, def, error);
        if (status != LT_OK) break;
        status = lt_rest_factors_add(&rig->factors, &rig->bodies[rig->body_count], error);
        rig->awake[rig->body_count] = rig->body_count;
        rig->body_count++;
    }
    if (status == LT_OK) status = reserve(rig, error);
    if (status != LT_OK) lt_solve_rig_free(rig);
    return status;
}

void lt_solve_rig_free(lt_solve_rig *rig) {
    if (!rig->allocator.release) return;
    lt_oracle_free(&rig->oracle);
    LT_DELETE(&rig->allocator, rig->loads, (size_t)rig->body_count * rig->carrier.node_count, lt_real);
    LT_DELETE(&rig->allocator, rig->couplings, LT_SOLVE_COUPLINGS, lt_coupling);
    for (uint32_t i = 0; i < rig->body_count; i++)
        lt_soft_free(&rig->bodies[i]);
    lt_rest_factors_free(&rig->factors);
    lt_arena_free(&rig->arena);
    lt_tasks_destroy(rig->tasks);
    lt_tet_boundary_free(&rig->boundary);
    if (rig->shape) lt_shape_release(rig->shape);
    *rig = (lt_solve_rig){0};
}

void lt_solve_settle_turns(lt_solve_rig *rig) {
    const lt_element_kernels *kernels = lt_element_kernels_for(lt_simd_best());
    for (uint32_t i = 0; i < rig->body_count; i++) {
        lt_soft *soft = &rig->bodies[i];
        lt_element_work work = {.elements = &soft->elements,
                                .x = soft->x,
                                .lambda = soft->lambda,
                                .mu = soft->mu,
                                .turns = soft->turns,
                                .turns_out = soft->turns};
        for (int round = 0; round < TURN_ROUNDS; round++)
            kernels->corotate(&work);
    }
}

/* ---- contacts ---- */

/* As respond/penalty.c has it: s² / (dt² W) with W = sum of |w| load / m, a fifth of critical damping. */
static void stiffen(lt_solve_rig *rig) {
    lt_real dt = (lt_real)rig->dt;
    uint32_t nodes = rig->carrier.node_count;
    memset(rig->loads, 0, (size_t)rig->body_count * nodes * sizeof *rig->loads);
    for (uint32_t i = 0; i < rig->coupling_count; i++) {
        const lt_coupling *c = &rig->couplings[i];
        for (uint32_t k = 0; k < c->a.count; k++)
            rig->loads[(size_t)c->body_a * nodes + c->a.ids[k]] += c->a.weights[k];
        for (uint32_t k = 0; c->body_b != LT_NONE && k < c->b.count; k++)
            rig->loads[(size_t)c->body_b * nodes + c->b.ids[k]] += c->b.weights[k];
    }
    for (uint32_t i = 0; i < rig->coupling_count; i++) {
        lt_coupling *c = &rig->couplings[i];
        lt_real w = 0;
        for (uint32_t k = 0; k < c->a.count; k++)
            w += c->a.weights[k] * rig->loads[(size_t)c->body_a * nodes + c->a.ids[k]] /
                 rig->bodies[c->body_a].mass[c->a.ids[k]];
        for (uint32_t k = 0; c->body_b != LT_NONE && k < c->b.count; k++)
            w += c->b.weights[k] * rig->loads[(size_t)c->body_b * nodes + c->b.ids[k]] /
                 rig->bodies[c->body_b].mass[c->b.ids[k]];
        c->stiffness = LT_FIRMNESS * LT_FIRMNESS / (dt * dt * w);
        c->damping = (lt_real)0.4 * lt_sqrt_r(c->stiffness / w);
    }
}

/* Whatever may be there before the step ends. */
static void add_contact(lt_solve_rig *rig, lt_coupling contact, double depth, double margin) {
    if (depth + margin < 0 || rig->coupling_count == LT_SOLVE_COUPLINGS) return;
    contact.kind = LT_COUPLING_CONTACT;
    contact.normal = (lt_rvec3){0, 1, 0};
    contact.depth = (lt_real)depth;
    contact.friction = (lt_real)0.5;
    rig->couplings[rig->coupling_count++] = contact;
}

void lt_solve_find_contacts(lt_solve_rig *rig) {
    const lt_soft *soft = &rig->bodies[0];
    const lt_surface *faces = &rig->boundary.surface;
    double dt = rig->dt;
    rig->coupling_count = 0;
    for (uint32_t i = 0; i < 3 * faces->triangle_count && rig->floor > -1e29; i++) {
        lt_coupling c = {.body_a = 0, .body_b = LT_NONE, .a.count = 3};
        for (uint32_t k = 0; k < 3; k++) {
            c.a.ids[k] = rig->boundary.vertex_nodes[faces->triangles[3 * (i / 3) + k]];
            c.a.weights[k] = (lt_real)(k == i % 3 ? 2.0 / 3 : 1.0 / 6);
        }
        double height = (double)lt_anchor_gather(&c.a, soft->x).y,
               speed = (double)lt_anchor_gather(&c.a, soft->v).y;
        add_contact(rig, c, rig->floor - height, 1.5 * dt * lt_max_d(0, -speed) + rig->gravity * dt * dt / 2);
    }
    stiffen(rig);
}

/* Node (i, j, k) of a cube of 4 cells a side has the number i + 5 (j + 5 k); layer j of y. */
void lt_solve_find_stack_contacts(lt_solve_rig *rig) {
    rig->coupling_count = 0;
    for (uint32_t body = 0; body < rig->body_count; body++)
        for (uint32_t i = 0; i < 25; i++) {
            uint32_t low = i % 5 + 25 * (i / 5), high = low + 20;
            lt_coupling c = {.body_a = body, .body_b = body ? body - 1 : LT_NONE, .a.count = 1};
            c.a.ids[0] = low;
            c.a.weights[0] = 1;
            c.b = (lt_anchor){.ids = {high}, .weights = {1}, .count = body > 0};
            lt_rvec3 x = lt_node_get(rig->bodies[body].x, low), v = lt_node_get(rig->bodies[body].v, low);
            double below = rig->floor, speed = (double)v.y;
            if (body) {
                below = (double)lt_node_get(rig->bodies[body - 1].x, high).y;
                speed -= (double)lt_node_get(rig->bodies[body - 1].v, high).y;
            }
            add_contact(rig, c, below - (double)x.y, 1.5 * rig->dt * lt_max_d(0, -speed) + 0.003 * rig->size);
        }
    stiffen(rig);
}

/* ---- steps ---- */

void lt_solve_follow_oracle(lt_solve_rig *rig) {
    const lt_oracle *o = &rig->oracle;
    for (uint32_t b = 0; b < rig->body_count; b++)
        for (uint32_t i = 0; i < rig->carrier.node_count; i++) {
            uint32_t node = o->node_begin[b] + i;
            lt_dvec3 v = o->solution[node], x = lt_d3_mad(o->x[node], v, rig->dt);
            lt_node_set(rig->bodies[b].x, i, (lt_rvec3){(lt_real)x.x, (lt_real)x.y, (lt_real)x.z});
            lt_node_set(rig->bodies[b].v, i, (lt_rvec3){(lt_real)v.x, (lt_real)v.y, (lt_real)v.z});
        }
}

double lt_solve_step(lt_solve_rig *rig, uint32_t cut) {
    lt_rest_factors_update(&rig->factors, rig->bodies, rig->awake, rig->body_count, (lt_real)rig->dt,
                           lt_simd_best());
    lt_advance advance = {.max_iterations = cut == LT_CUT_FULL ? 0 : cut,
                          .rigid_alone = cut == 0,
                          .factors = &rig->factors,
                          .bodies = rig->bodies,
                          .awake = rig->awake,
                          .awake_count = rig->body_count,
                          .couplings = rig->couplings,
                          .coupling_count = rig->coupling_count,
                          .gravity = {0, (lt_real)-rig->gravity, 0},
                          .dt = (lt_real)rig->dt,
                          .level = lt_simd_best(),
                          .tasks = rig->tasks,
                          .arena = &rig->arena};
    for (uint32_t i = 0; i < rig->body_count; i++)
        lt_soft_plan(&rig->bodies[i], (lt_real)rig->dt);
    lt_arena_reset(&rig->arena);
    uint64_t begin = lt_os_thread_cpu_ns();
    bool ok = lt_advance_run(&advance);
    uint64_t end = lt_os_thread_cpu_ns();
    LT_ASSERT(ok);
    (void)ok;
    return (double)(end - begin) * 1e-3;
}

/* ---- states ---- */

bool lt_solve_keep(const lt_solve_rig *rig, lt_solve_state *out) {
    *out = (lt_solve_state){.coupling_count = rig->coupling_count, .allocator = rig->allocator};
    for (uint32_t i = 0; i < rig->body_count; i++)
        out->size += rig->bodies[i].state_size;
    out->bytes = LT_NEW(&out->allocator, out->size, uint8_t);
    out->couplings = LT_NEW(&out->allocator, out->coupling_count, lt_coupling);
    if (!out->bytes || !out->couplings) {
        lt_solve_state_free(out);
        return false;
    }
    uint8_t *at = out->bytes;
    for (uint32_t i = 0; i < rig->body_count; at += rig->bodies[i++].state_size)
        memcpy(at, rig->bodies[i].memory, rig->bodies[i].state_size);
    memcpy(out->couplings, rig->couplings, rig->coupling_count * sizeof *rig->couplings);
    return true;
}

void lt_solve_return(lt_solve_rig *rig, const lt_solve_state *state) {
    const uint8_t *at = state->bytes;
    for (uint32_t i = 0; i < rig->body_count; at += rig->bodies[i++].state_size) {
        lt_soft *soft = &rig->bodies[i];
        memcpy(soft->memory, at, soft->state_size);
        memset(soft->force, 0, 4 * (size_t)soft->carrier.node_count * sizeof *soft->force);
        lt_soft_publish(soft);
    }
    rig->coupling_count = state->coupling_count;
    memcpy(rig->couplings, state->couplings, state->coupling_count * sizeof *rig->couplings);
}

void lt_solve_state_free(lt_solve_state *state) {
    if (!state->allocator.release) return;
    LT_DELETE(&state->allocator, state->bytes, state->size, uint8_t);
    LT_DELETE(&state->allocator, state->couplings, state->coupling_count, lt_coupling);
    *state = (lt_solve_state){0};
}

/* ---- the unit of time ---- */

double lt_solve_unit_time(lt_solve_unit *unit) {
    lt_soft *soft = &unit->rig.bodies[0];
    uint64_t begin = lt_os_thread_cpu_ns();
    for (int k = 0; k < PRODUCTS; k++)
        lt_soft_multiply(soft, &unit->system, unit->y, soft->x, lt_simd_best());
    return (double)(lt_os_thread_cpu_ns() - begin) * 1e-3 / PRODUCTS;
}

static void add_unit_row(lt_bench *bench, lt_solve_unit *unit) {
    double best = 1e30;
    for (int i = 0; i < UNIT_REPETITIONS; i++)
        best = lt_min_d(best, lt_solve_unit_time(unit));
    lt_bench_row_begin(bench, "unit: product with the bear's matrix");
    lt_bench_number(bench, "tets", unit->rig.carrier.tet_count);
    lt_bench_number(bench, "nodes", unit->rig.carrier.node_count);
    lt_bench_number(bench, "unit_us", best);
    lt_bench_text(bench, "how", "eight tets at a time");
}

lt_status lt_solve_unit_create(lt_solve_unit *unit, lt_bench *bench, lt_error *error) {
    lt_solve_rig_def def = lt_solve_rig_def_of(LT_SOLVE_BEAR, 1, 0.1, 1e5);
    *unit = (lt_solve_unit){0};
    lt_status status = lt_solve_rig_create(&unit->rig, &def, &bench->allocator, error);
    if (status != LT_OK) return status;
    lt_solve_rig *rig = &unit->rig;
    unit->y = LT_TAKE(&rig->arena, 4 * (size_t)rig->carrier.node_count, lt_real);
    if (unit->y &&
        lt_soft_build_system(&rig->bodies[0], &unit->system, (lt_real)rig->dt, lt_simd_best(), &rig->arena)) {
        add_unit_row(bench, unit);
        return LT_OK;
    }
    lt_solve_unit_free(unit);
    return lt_fail(error, LT_STATUS_MEMORY, "solve: no memory for a matrix");
}

void lt_solve_unit_free(lt_solve_unit *unit) {
    lt_solve_rig_free(&unit->rig);
    *unit = (lt_solve_unit){0};
}
