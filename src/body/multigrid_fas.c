/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Algorithm 1 of papers/003 (§3.2–4.1): V-cycles of the full approximation scheme over the levels of a front, the solver of
 * multigrid bodies in mode paper. Levels are whole, one equation (1) each, A of all their used tets:
 *
 *   for levels from the finest to the last but one           relax twice on active nodes; of the next coarser one, at
 *                                                            interior nodes,  x̃ = R̃ x,  b = R (b − A x) + A x̃      (4)
 *   on the coarsest                                          conjugate gradients
 *   for levels back to the finest                            interface nodes: x = P x; active ones: x += P (x − x̃), of
 *                                                            interior coarse nodes only (5); relax twice
 *
 * R = Pᵀ of active nodes; interface nodes have residual 0. Front nodes have b by (3), and start by (6).
 *
 * As printed: what above is. Corrected in both modes, because there is nothing to be had as printed:
 *   O1   b by (3) has the total force, elastic forces at the present x and drag included; with external forces alone a body at
 *        rest would be pulled to the origin
 *   O2   the loop leaves x and b of front nodes of the coarsest level unset: there are none, the front is never coarser than
 *        the level before (O3)
 *   O5   meshes that are larger than the solid: masses and stiffness by fill, all levels weigh the same
 *
 * The unknown is the change of velocity against the start, x = x₀ + Δt (v₀ + e): what interface and interior nodes are is linear
 * in front nodes and holds for x₀ as well, so every line reads the same in e, pins are e = 0, and in float nothing is lost to
 * the distance from the origin. The start (6) has what gravity gives to a body without pins, so that one in free fall needs no
 * cycle.
 *
 * Where the front is the finest level the answer is that of the default (multigrid_system.c). On partial fronts levels' equations
 * have no common energy, and front nodes that move without those that hang on them let cycles diverge. So each is looked at. One
 * that leaves more than there was is undone, and cycles go on with what else spec 4.3 asks for: changes of coarse front nodes
 * correct finer ones, too. Of one that still does harm that share is taken which leaves least; where it gains nothing the body
 * goes with what it has. (To stop at the last good cycle is no way out: a body whose forces are not solved for goes on as it
 * moved, and gains energy.) The residual in the report is that of the front's equations, followers where their front nodes put
 * them. Momentum is balanced after it as after any solve. Islands with couplings take the default: the paper's contacts are
 * constraints that come after the motion, and its cycle knows no others.
 *
 * Measured on a bear of 6 levels, 2,998 nodes in all; 5 full fronts, 60 partial ones each, to 1e-3 in 60 cycles at most:
 *
 *                                   1 m, ν 0.3     1 m, ν 0.45    0.1 m, ν 0.3   0.1 m, ν 0.45
 *   full: residual after a cycle    0.22           0.60           0.50           0.59
 *   partial: diverge as printed     3              59             59             59
 *     with changes of front nodes   0              39             0              44
 *     get there, guarded            55             55             59             55
 *     worst residual, guarded       0.05           0.03           0.01           0.05 */

#include "body/implicit.h"

#include <string.h>

enum { SWEEPS = 2, COARSEST_ITERATIONS = 200 };
static const lt_real COARSEST_TOLERANCE = (lt_real)1e-6;
static const lt_real LEAST_GAIN = (lt_real)0.99; /* a cut cycle that leaves more than this is the last */

typedef struct fas fas;
struct fas {
    const lt_soft *soft;
    const lt_system *system;
    const lt_sparse_kernels *kernels;
    /* [node_count][4], of all levels */
    lt_real *x;           /* e of the head comment */
    lt_real *b;           /* of active nodes */
    lt_real *corrections; /* x̃ of active nodes on the way down, x − x̃ on the way up; 0 elsewhere */
    lt_real *product, *sum;
    /* x − x̃ of a level, which finer nodes are to follow: as printed, or with front nodes */
    void (*find_corrections)(const fas *f, uint32_t level);
};

/* ---- vectors of all levels ---- */

static void multiply(const fas *f, lt_real *y, const uint32_t *nodes, uint32_t count) {
    f->kernels->multiply_rows(y, &f->soft->carrier.pattern, f->system->blocks, f->x, nodes, count);
}

/* Interface and idle nodes: interior ones of the next coarser level may hang on either. */
static void interpolate_inactive(const fas *f, uint32_t level) {
    LT_ASSERT(level < f->soft->carrier.ladder.level_count);
    const lt_carrier *carrier = &f->soft->carrier;
    for (uint32_t node = carrier->ladder.node_begin[level]; node < carrier->ladder.node_begin[level + 1];
         node++)
        if (f->soft->grid->kinds[node] < LT_NODE_FRONT)
            lt_r4_store(f->x + 4 * (size_t)node, lt_prolong(carrier, node, f->x));
}

static void restrict_solution(const fas *f, uint32_t level) {
    LT_ASSERT(level < f->soft->carrier.ladder.level_count);
    const lt_multigrid *g = f->soft->grid;
    for (uint32_t i = g->active.begin[level]; i < g->active.begin[level + 1]; i++) {
        uint32_t node = g->active.items[i];
        if (g->kinds[node] == LT_NODE_INTERIOR)
            lt_r4_store(f->x + 4 * (size_t)node, lt_gather_below(&f->soft->carrier, node, f->x));
    }
}

/* Puts front nodes where the rows say, and all others where these take them. */
static void set_rows(const fas *f, const lt_real *rows) {
    const lt_multigrid *g = f->soft->grid;
    uint32_t level_count = lt_level_count(f->soft);
    for (uint32_t row = 0; row < g->row_count; row++)
        lt_r4_store(f->x + 4 * (size_t)g->nodes[row], lt_r4_load(rows + 4 * (size_t)row));
    for (uint32_t level = level_count - 1; level-- > 0;)
        interpolate_inactive(f, level);
    for (uint32_t level = 1; level < level_count; level++)
        restrict_solution(f, level);
}

static void get_rows(const fas *f, lt_real *rows) {
    for (uint32_t row = 0; row < f->soft->grid->row_count; row++)
        lt_r4_store(rows + 4 * (size_t)row, lt_r4_load(f->x + 4 * (size_t)f->soft->grid->nodes[row]));
}

/* ---- the equations ---- */

/* Of a node in the matrix of its whole level. */
static lt_real whole_mass(const lt_soft *soft, uint32_t node) {
    LT_ASSERT(node < soft->carrier.node_count);
    return node < soft->carrier.ladder.node_begin[1] ? soft->mass[node] : soft->grid->level_mass[node];
}

/* Elastic forces at the present positions, every used tet counting whole. */
static void find_elastic(const fas *f, lt_real *force, lt_simd_level level) {
    const lt_soft *soft = f->soft;
    memset(force, 0, 4 * (size_t)soft->carrier.node_count * sizeof *force);
    lt_element_work work = {.elements = &soft->elements,
                            .groups = soft->grid->groups,
                            .group_count = soft->grid->used_group_count,
                            .x = soft->x,
                            .lambda = soft->lambda,
                            .mu = soft->mu,
                            .turns = soft->turns,
                            .slack = LT_TURN_SLACK,
                            .force = force};
    lt_element_kernels_for(level)->corotate_lazily(&work);
}

/* (3) over Δt, less what the start makes of it: b = M v + Δt (f_ext + M g + f_el) − A v₀. */
static void set_loads(const fas *f, const lt_advance *advance, const lt_real *start) {
    const lt_soft *soft = f->soft;
    const lt_multigrid *g = soft->grid;
    set_rows(f, start);
    multiply(f, f->product, g->nodes, g->row_count);
    find_elastic(f, f->sum, advance->level);
    for (uint32_t row = 0; row < g->row_count; row++) {
        uint32_t node = g->nodes[row];
        lt_real mass = whole_mass(soft, node);
        lt_rvec3 force = lt_r3_add(lt_node_get(soft->force, node), lt_node_get(f->sum, node));
        force =
            lt_r3_mad(force, advance->gravity, mass - soft->mass[node]); /* `force` has that of its mass */
        lt_rvec3 b = lt_r3_mad(lt_r3_scale(lt_node_get(soft->v, node), mass), force, advance->dt);
        b = lt_r3_sub(b, lt_node_get(f->product, node));
        lt_r4_store(f->b + 4 * (size_t)node, lt_r4_splat(0));
        if (!soft->pinned[node]) lt_node_set(f->b, node, b);
    }
}

static void invert_diagonals(const fas *f) {
    const lt_soft *soft = f->soft;
    const lt_multigrid *g = soft->grid;
    for (uint32_t i = 0; i < g->active.begin[lt_level_count(soft)]; i++) {
        uint32_t node = g->active.items[i];
        lt_real *inverse = f->system->grid->inverse + (size_t)LT_BLOCK_STRIDE * node;
        if (soft->pinned[node])
            memset(inverse, 0, LT_BLOCK_STRIDE * sizeof *inverse);
        else
            lt_block_invert(inverse, f->system->blocks +
                                         (size_t)LT_BLOCK_STRIDE * soft->carrier.pattern.diagonal[node]);
    }
}

/* What the equations of the front leave; its squared size. Followers have to be where the front puts them. */
static lt_real find_defects(const fas *f, lt_real *r) {
    const lt_multigrid *g = f->soft->grid;
    multiply(f, f->product, g->nodes, g->row_count);
    for (uint32_t row = 0; row < g->row_count; row++) {
        size_t at = 4 * (size_t)g->nodes[row];
        lt_r4 defect = lt_r4_sub(lt_r4_load(f->b + at), lt_r4_load(f->product + at));
        lt_r4_store(r + 4 * (size_t)row, f->soft->pinned[g->nodes[row]] ? lt_r4_splat(0) : defect);
    }
    return f->kernels->dot(r, r, g->row_count);
}

/* ---- the cycle ---- */

static void relax(const fas *f, uint32_t level, bool backward) {
    LT_ASSERT(level < f->soft->carrier.ladder.level_count);
    const lt_multigrid *g = f->soft->grid;
    uint32_t begin = g->active.begin[level], count = g->active.begin[level + 1] - begin;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        f->kernels->relax_rows(f->x, &f->soft->carrier.pattern, f->system->blocks, f->system->grid->inverse,
                               f->b, g->active.items + begin, count, backward);
}

/* (4): the equations of interior nodes of the next coarser level. */
static void go_down(const fas *f, uint32_t level) {
    LT_ASSERT(level < f->soft->carrier.ladder.level_count);
    const lt_multigrid *g = f->soft->grid;
    const lt_ladder *ladder = &f->soft->carrier.ladder;
    const uint32_t *fine = g->active.items + g->active.begin[level];
    const uint32_t *coarse = g->active.items + g->active.begin[level + 1];
    uint32_t fine_count = g->active.begin[level + 1] - g->active.begin[level];
    uint32_t coarse_count = g->active.begin[level + 2] - g->active.begin[level + 1];
    relax(f, level, false);
    multiply(f, f->product, fine, fine_count);
    memset(f->product + 4 * (size_t)ladder->node_begin[level + 1], 0,
           4 * (size_t)(ladder->node_begin[level + 2] - ladder->node_begin[level + 1]) * sizeof(lt_real));
    for (uint32_t i = 0; i < fine_count; i++) {
        size_t at = 4 * (size_t)fine[i];
        if (f->soft->pinned[fine[i]]) continue; /* what holds it is no load */
        lt_restrict(&f->soft->carrier, fine[i], f->product,
                    lt_r4_sub(lt_r4_load(f->b + at), lt_r4_load(f->product + at)));
    }
    restrict_solution(f, level + 1);
    multiply(f, f->sum, coarse, coarse_count);
    for (uint32_t i = 0; i < coarse_count; i++) {
        size_t at = 4 * (size_t)coarse[i];
        lt_r4_store(f->corrections + at, lt_r4_load(f->x + at));
        if (g->kinds[coarse[i]] == LT_NODE_INTERIOR)
            lt_r4_store(f->b + at, lt_r4_add(lt_r4_load(f->product + at), lt_r4_load(f->sum + at)));
    }
}

static void apply_coarsest(void *context, lt_real *y, const lt_real *x) {
    const fas *f = context;
    const lt_ladder *ladder = &f->soft->carrier.ladder;
    uint32_t first = ladder->node_begin[ladder->level_count - 1];
    size_t before = 4 * (size_t)first; /* vectors are those of all nodes, and end with these */
    f->kernels->multiply(y - before, &f->soft->carrier.pattern, f->system->blocks, x - before, first,
                         ladder->node_begin[ladder->level_count]);
}

/* Vectors of conjugate gradients lie in those of all nodes, at the end; `diagonal` is of no other use here. */
static void solve_coarsest(fas *f) {
    const lt_ladder *ladder = &f->soft->carrier.ladder;
    size_t first = ladder->node_begin[ladder->level_count - 1];
    lt_cg cg = {.row_count = (uint32_t)lt_coarsest_node_count(f->soft),
                .kernels = f->kernels,
                .apply = apply_coarsest,
                .context = f,
                .inverse_diagonal = f->system->grid->inverse + LT_BLOCK_STRIDE * first,
                .x = f->x + 4 * first,
                .r = f->b + 4 * first,
                .z = f->sum + 4 * first,
                .p = f->system->grid->diagonal + 4 * first,
                .q = f->product + 4 * first,
                .tolerance = COARSEST_TOLERANCE,
                .max_iterations = COARSEST_ITERATIONS};
    lt_cg_begin(&cg, 1);
    cg.reference = cg.rz;
    while (lt_cg_step(&cg))
        continue;
}

static void find_all_corrections(const fas *f, uint32_t level) {
    LT_ASSERT(level < f->soft->carrier.ladder.level_count);
    const lt_multigrid *g = f->soft->grid;
    for (uint32_t i = g->active.begin[level]; i < g->active.begin[level + 1]; i++) {
        size_t at = 4 * (size_t)g->active.items[i];
        lt_r4_store(f->corrections + at, lt_r4_sub(lt_r4_load(f->x + at), lt_r4_load(f->corrections + at)));
    }
}

/* As printed: front nodes stand for themselves, and correct no others. */
static void find_interior_corrections(const fas *f, uint32_t level) {
    LT_ASSERT(level < f->soft->carrier.ladder.level_count);
    const lt_multigrid *g = f->soft->grid;
    find_all_corrections(f, level);
    for (uint32_t i = g->active.begin[level]; i < g->active.begin[level + 1]; i++)
        if (g->kinds[g->active.items[i]] == LT_NODE_FRONT)
            lt_r4_store(f->corrections + 4 * (size_t)g->active.items[i], lt_r4_splat(0));
}

/* (5) */
static void go_up(const fas *f, uint32_t level) {
    LT_ASSERT(level < f->soft->carrier.ladder.level_count);
    const lt_multigrid *g = f->soft->grid;
    f->find_corrections(f, level + 1);
    interpolate_inactive(f, level);
    for (uint32_t i = g->active.begin[level]; i < g->active.begin[level + 1]; i++) {
        uint32_t node = g->active.items[i];
        lt_real *x = f->x + 4 * (size_t)node;
        if (f->soft->pinned[node]) continue;
        lt_r4_store(x, lt_r4_add(lt_r4_load(x), lt_prolong(&f->soft->carrier, node, f->corrections)));
    }
    relax(f, level, true);
}

static void run_cycle(fas *f) {
    uint32_t coarsest = lt_level_count(f->soft) - 1;
    for (uint32_t level = 0; level < coarsest; level++)
        go_down(f, level);
    solve_coarsest(f);
    for (uint32_t level = coarsest; level-- > 0;)
        go_up(f, level);
}

/* ---- solving ---- */

/* (6): as gravity would have it; what pins hold goes where they want. */
static void start(const lt_implicit *s, const lt_member *member) {
    const lt_soft *soft = member->soft;
    lt_real dt = s->advance->dt, drag = 1 / (1 + (lt_real)soft->material.mass_damping * dt);
    lt_rvec3 gained = soft->pin_count == 0 ? lt_r3_scale(s->advance->gravity, dt) : (lt_rvec3){0, 0, 0};
    if (soft->pin_count > 0) drag = 1;
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_rvec3 v = lt_r3_scale(lt_r3_add(lt_node_get(soft->v, node), gained), drag);
        if (soft->pinned[node])
            v = lt_r3_scale(lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x, node)),
                            1 / dt);
        lt_node_set(lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member), row, v);
    }
}

static fas begin(const lt_implicit *s, const lt_member *member) {
    const lt_grid_system *grid = member->system.grid;
    fas f = {.soft = member->soft,
             .system = &member->system,
             .kernels = s->kernels,
             .x = grid->value,
             .b = grid->residual,
             .corrections = grid->change,
             .product = grid->product,
             .sum = grid->left,
             .find_corrections = find_interior_corrections};
    size_t size = 4 * (size_t)member->soft->carrier.node_count * sizeof(lt_real);
    invert_diagonals(&f);
    set_loads(&f, s->advance, lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member));
    memset(f.x, 0, size);
    memset(f.corrections, 0, size);
    return f;
}

/* Where an iteration stands: rows, what is left there, and its squared size. */
typedef struct state {
    lt_real *rows, *left;
    lt_real size;
} state;

/* From `old` towards `new`, as far as leaves least: what is left is linear in the way. False: nowhere. */
static bool go_part_of_way(const fas *f, state *old, const state *new) {
    uint32_t row_count = f->soft->grid->row_count;
    size_t count = 4 * (size_t)row_count;
    for (size_t i = 0; i < count; i++) {
        new->rows[i] -= old->rows[i];
        new->left[i] -= old->left[i];
    }
    lt_real way =
        -f->kernels->dot(old->left, new->left, row_count) / f->kernels->dot(new->left, new->left, row_count);
    if (!(way > 0 && way < 1)) return false;
    for (size_t i = 0; i < count; i++) {
        old->rows[i] += way * new->rows[i];
        old->left[i] += way * new->left[i];
    }
    lt_real size = f->kernels->dot(old->left, old->left, row_count), before = old->size;
    old->size = size;
    return size < LEAST_GAIN * LEAST_GAIN * before;
}

/* One cycle from `now`. One as printed that does harm is undone, and the next ones have front nodes' changes, too; of these as
 * much is taken as does good. False: it is of no use to go on. */
static bool take_cycle(fas *f, state *now, state *next) {
    run_cycle(f);
    get_rows(f, next->rows);
    set_rows(f, next->rows);
    next->size = find_defects(f, next->left);
    if (next->size < now->size) {
        state taken = *next;
        *next = *now;
        *now = taken;
        return true;
    }
    bool printed = f->find_corrections == find_interior_corrections;
    bool useful = printed || go_part_of_way(f, now, next);
    f->find_corrections = find_all_corrections;
    set_rows(f, now->rows);
    return useful;
}

/* The squared size of what gravity gives in a step: nothing has to be more exact than a share of it. */
static lt_real size_of_fall(const fas *f, const lt_advance *advance) {
    lt_real masses = 0;
    for (uint32_t row = 0; row < f->soft->grid->row_count; row++) {
        lt_real mass = whole_mass(f->soft, f->soft->grid->nodes[row]);
        masses += mass * mass;
    }
    return masses * advance->dt * advance->dt * lt_r3_length_squared(advance->gravity);
}

bool lt_fas_serves(const lt_island *island) {
    const lt_soft *soft = island->members[0].soft;
    return island->coupling_count == 0 && soft->grid && soft->as_printed;
}

typedef struct lt_fas {
    fas f;
    state now, next;
    lt_real reference;
    bool useful; /* the last cycle was */
} lt_fas;

size_t lt_fas_scratch(void) {
    return sizeof(lt_fas);
}

bool lt_fas_take(lt_island *island, lt_arena *arena) {
    island->fas = lt_fas_serves(island) ? LT_TAKE(arena, 1, lt_fas) : NULL;
    return island->fas || !lt_fas_serves(island);
}

void lt_fas_begin(lt_implicit *s) {
    lt_fas *solve = s->island->fas;
    lt_member *member = &s->island->members[0];
    lt_real *const *vectors = s->island->vectors;
    start(s, member);
    lt_system_fill(member->soft, &member->system, member->soft->x, NULL, vectors[LT_VECTOR_PRODUCT],
                   s->advance->level);
    *solve = (lt_fas){.f = begin(s, member), .useful = true};
    solve->now = (state){.rows = vectors[LT_VECTOR_PLACES], .left = vectors[LT_VECTOR_RESIDUAL]};
    solve->next = (state){.rows = vectors[LT_VECTOR_DIRECTION], .left = vectors[LT_VECTOR_PRECONDITIONED]};
    memset(solve->now.rows, 0, 4 * (size_t)s->island->row_count * sizeof(lt_real));
    solve->now.size = find_defects(&solve->f, solve->now.left);
    solve->reference = lt_max_r(solve->now.size, size_of_fall(&solve->f, s->advance));
}

bool lt_fas_goes_on(const lt_implicit *s) {
    const lt_fas *solve = s->island->fas;
    return solve->useful && s->iterations < s->max_iterations &&
           solve->now.size > s->tolerance * s->tolerance * solve->reference;
}

void lt_fas_cycle(lt_implicit *s) {
    lt_fas *solve = s->island->fas;
    solve->useful = take_cycle(&solve->f, &solve->now, &solve->next);
    s->iterations++;
}

void lt_fas_end(lt_implicit *s) {
    lt_fas *solve = s->island->fas;
    const lt_member *member = &s->island->members[0];
    size_t count = 4 * (size_t)s->island->row_count;
    for (size_t i = 0; i < count; i++)
        s->island->vectors[LT_VECTOR_VELOCITY][i] += solve->now.rows[i];
    s->residual = solve->reference > 0 ? lt_sqrt_r(solve->now.size / solve->reference) : 0;
    member->soft->grid->mended = solve->f.find_corrections != find_interior_corrections;
    memset(solve->f.corrections, 0, 4 * (size_t)member->soft->carrier.node_count * sizeof(lt_real));
}
