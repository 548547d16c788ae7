/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The rigid stage: what six unknowns a body can do about the couplings of an island. With z the change of the rigid motions,
 *
 *   ½ zᵀW z − load·z + Σ couplings (u + J z)            is lowered by Newton's method (implicit_newton.c), each step by
 *
 *   (W + Σ Jᵀ G J) Δ = slope,   G = across·(I − s sᵀ) + (normal − across) n nᵀ     s: where friction slides to
 *
 * Couplings of a pair share their place for both bodies, so that a 6×6 sum about the centre of a stands for all of them: bodies cost
 * by pairs, couplings by some sixty products each.
 *
 * Pins are springs of PIN_WEIGHT times the body's mass: one node lets it swing, three hold it still. */

#include "body/implicit.h"

#include "core/polar.h"

#include <string.h>

enum { SPIN_ROUNDS = 3 /* of the mean spin of a step */ };
static const double PIN_WEIGHT = 1e9;
/* What is left of φ to be gained that ends Newton, over what forces or the first step do. Before iterations it is a place to begin at,
 * which they go on from (of 1e-2, 1e-4 and 1e-10 the errors of a heap and of eight bears are the same at every cut, and the last takes
 * twice the rounds of the first); behind them it is multiplied by the stiffness of contacts; where nothing follows it is a speed to
 * creep at. */
static const double SETTLED_BEFORE = 1e-6, SETTLED_BEHIND = 1e-10, SETTLED_ALONE = 1e-12;

/* ---- masses and momenta ---- */

/* `moving` gets what pinned nodes came with, load what they are to go with. */
static void pull_to_pins(const lt_member *member, lt_real dt, double moving[LT_RIGID]) {
    const lt_soft *soft = member->soft;
    lt_rigid_row *rigid = member->rigid;
    if (soft->pin_count == 0) return;
    double weight = PIN_WEIGHT * rigid->inertia.at[0][0] / soft->pin_count;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        if (!soft->pinned[node]) continue;
        lt_rvec3 x = lt_node_get(soft->x, node);
        double arm[3], speed[3], v[3];
        lt_unpack_r3(arm, lt_r3_sub(x, member->center));
        lt_unpack_r3(speed, lt_r3_scale(lt_r3_sub(lt_node_get(soft->pin_target, node), x), 1 / dt));
        lt_unpack_r3(v, lt_node_get(soft->v, node));
        lt_add_point6(&rigid->weight, arm, weight);
        lt_add_force6(rigid->load, arm, speed, weight);
        lt_add_force6(moving, arm, v, weight);
    }
}

/* Sums over nodes, about the centre. */
typedef struct node_sums {
    double mass, first[3], second[6]; /* of m, m r, and m times xx, yy, zz, xy, xz, yz */
    double linear[3], angular[3];     /* of m v */
} node_sums;

static node_sums sum_nodes(const lt_member *member) {
    const lt_soft *soft = member->soft;
    node_sums sum = {0};
    double cx = (double)member->center.x, cy = (double)member->center.y, cz = (double)member->center.z;
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        const lt_real *p = soft->x + 4 * (size_t)node, *v = soft->v + 4 * (size_t)node;
        double m = (double)soft->mass[node], x = (double)p[0] - cx, y = (double)p[1] - cy,
               z = (double)p[2] - cz;
        double mx = m * x, my = m * y, mz = m * z, u[3] = {(double)v[0], (double)v[1], (double)v[2]};
        sum.mass += m;
        sum.first[0] += mx, sum.first[1] += my, sum.first[2] += mz;
        sum.second[0] += mx * x, sum.second[1] += my * y, sum.second[2] += mz * z;
        sum.second[3] += mx * y, sum.second[4] += mx * z, sum.second[5] += my * z;
        sum.linear[0] += m * u[0], sum.linear[1] += m * u[1], sum.linear[2] += m * u[2];
        sum.angular[0] += my * u[2] - mz * u[1];
        sum.angular[1] += mz * u[0] - mx * u[2];
        sum.angular[2] += mx * u[1] - my * u[0];
    }
    return sum;
}

static lt_block6 inertia_of(const node_sums *s) {
    const double *f = s->first, *q = s->second;
    lt_block6 m = {{{s->mass, 0, 0, 0, f[2], -f[1]},
                    {0, s->mass, 0, -f[2], 0, f[0]},
                    {0, 0, s->mass, f[1], -f[0], 0},
                    {0, -f[2], f[1], q[1] + q[2], -q[3], -q[4]},
                    {f[2], 0, -f[0], -q[3], q[0] + q[2], -q[5]},
                    {-f[1], f[0], 0, -q[4], -q[5], q[0] + q[1]}}};
    return m;
}

/* What acts from outside over Δt; gravity is a part of `force`. */
static void add_forces(const lt_implicit *s, const lt_member *member, double out[LT_RIGID]) {
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        double arm[3], force[3];
        lt_unpack_r3(arm, lt_r3_sub(lt_node_get(member->soft->x, node), member->center));
        lt_unpack_r3(force, lt_node_get(member->soft->force, node));
        lt_add_force6(out, arm, force, (double)s->advance->dt);
    }
}

static void weigh(const lt_implicit *s, const lt_member *member) {
    const lt_soft *soft = member->soft;
    lt_rigid_row *rigid = member->rigid;
    double moving[LT_RIGID], drag = 1 + soft->material.mass_damping * (double)s->advance->dt;
    node_sums sums = sum_nodes(member);
    *rigid = (lt_rigid_row){.inertia = inertia_of(&sums)};
    add_forces(s, member, rigid->own);
    for (int k = 0; k < 3; k++) {
        s->island->rigid->scale += rigid->own[k] * rigid->own[k] / sums.mass;
        rigid->own[k] += sums.linear[k] + member->due.linear[k];
        rigid->own[3 + k] += sums.angular[k] + member->due.angular[k];
        moving[k] = drag * sums.linear[k];
        moving[3 + k] = drag * sums.angular[k];
    }
    for (int i = 0; i < LT_RIGID; i++)
        for (int j = 0; j < LT_RIGID; j++)
            rigid->weight.at[i][j] = drag * rigid->inertia.at[i][j];
    memcpy(rigid->load, rigid->own, sizeof rigid->load);
    pull_to_pins(member, s->advance->dt, moving);
    lt_mirror6(&rigid->weight);
    lt_solve6(&rigid->weight, rigid->before, moving);
    memcpy(rigid->motion, rigid->before, sizeof rigid->motion);
}

/* ---- pairs ---- */

static void begin_pair(lt_rigid_level *level, const lt_island *island, lt_sides of) {
    lt_rigid_pair *pair = &level->pairs[level->pair_count++];
    *pair = (lt_rigid_pair){.a = (uint32_t)(of.a - island->members), .b = LT_NONE};
    if (!of.b) return;
    pair->b = (uint32_t)(of.b - island->members);
    lt_unpack_r3(pair->shift,
                 lt_r3_sub(of.a->center, lt_soft_seen_from(of.a->soft, of.b->soft, of.b->center)));
}

static bool is_of_pair(const lt_rigid_pair *pair, const lt_island *island, lt_sides of) {
    return &island->members[pair->a] == of.a &&
           (pair->b == LT_NONE ? !of.b : &island->members[pair->b] == of.b);
}

/* Couplings come pair by pair, mostly. */
static void list_pairs(const lt_implicit *s) {
    const lt_island *island = s->island;
    lt_rigid_level *level = island->rigid;
    lt_coupling_set *set = island->set;
    level->pair_count = 0;
    set->run_count = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t group = i / LT_LANES_OF_GROUP, lane = i % LT_LANES_OF_GROUP;
        lt_sides of = lt_staged_sides(island, &s->advance->couplings[set->groups[group].couplings[lane]]);
        const lt_rigid_pair *last = level->pair_count ? &level->pairs[level->pair_count - 1] : NULL;
        bool same = last && is_of_pair(last, island, of);
        if (!same) begin_pair(level, island, of);
        if (!same || lane == 0)
            set->runs[set->run_count++] =
                (lt_coupling_run){.group = group, .pair = level->pair_count - 1, .begin = lane};
        set->runs[set->run_count - 1].end = lane + 1;
    }
}

/* ---- looking at couplings ---- */

enum { BEFORE, DELTA };

static const double *motion_of(const lt_rigid_level *level, uint32_t member, int which) {
    if (member == LT_NONE) return NULL;
    return which == BEFORE ? level->rows[member].before : level->rows[member].delta;
}

/* What the sides of every pair move by, as a sees it. */
static void set_pair_motions(lt_rigid_level *level, int which) {
    for (uint32_t p = 0; p < level->pair_count; p++) {
        lt_rigid_pair *pair = &level->pairs[p];
        lt_relative_motion(pair->motion, pair, motion_of(level, pair->a, which),
                           motion_of(level, pair->b, which));
    }
}

void lt_rigid_sum_wrenches(const lt_implicit *s) {
    const lt_island *island = s->island;
    lt_rigid_level *level = island->rigid;
    for (uint32_t m = 0; m < island->member_count; m++)
        memset(level->rows[m].wrench, 0, sizeof level->rows[m].wrench);
    for (uint32_t p = 0; p < level->pair_count; p++) {
        const lt_rigid_pair *pair = &level->pairs[p];
        double other[LT_RIGID];
        for (int k = 0; k < LT_RIGID; k++)
            level->rows[pair->a].wrench[k] += pair->wrench[k];
        if (pair->b == LT_NONE) continue;
        lt_shift_wrench(other, pair, pair->wrench);
        for (int k = 0; k < LT_RIGID; k++)
            level->rows[pair->b].wrench[k] -= other[k];
    }
}

void lt_rigid_look(const lt_implicit *s, lt_look how) {
    lt_rigid_level *level = s->island->rigid;
    set_pair_motions(level, DELTA);
    s->couplings->look_rigid(s->island->set, level->pairs, level->pair_count, how);
    lt_rigid_sum_wrenches(s);
}

/* Downwards: load − W z + what couplings give. */
void lt_rigid_find_slopes(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        if (!lt_is_implicit(&s->island->members[m])) continue;
        lt_rigid_row *r = &s->island->rigid->rows[m];
        double pulled[LT_RIGID];
        lt_multiply6(pulled, &r->weight, r->delta);
        for (int k = 0; k < LT_RIGID; k++)
            r->slope[k] = r->load[k] - pulled[k] + r->wrench[k];
    }
}

/* ---- the stages ---- */

void lt_rigid_begin(const lt_implicit *s) {
    lt_rigid_level *level = s->island->rigid;
    level->scale = 0;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        if (lt_is_implicit(member)) {
            weigh(s, member);
            continue;
        }
        level->rows[m] = (lt_rigid_row){0};
        for (int k = 0; k < LT_RIGID; k++)
            level->rows[m].weight.at[k][k] = 1;
    }
    list_pairs(s);
    lt_rigid_plan(s->island);
}

/* The rotation that a step of this spin makes: about its axis, by 2 atan(½ |spin| Δt). */
static void turn_by(lt_rigid_row *rigid, double dt) {
    double half[3], square = 1;
    for (int k = 0; k < 3; k++) {
        half[k] = rigid->motion[3 + k] * dt / 2;
        square += half[k] * half[k];
    }
    double inverse = 1 / sqrt(square);
    for (int k = 0; k < 3; k++)
        rigid->turned_by[k] = half[k] * inverse;
    rigid->turned_by[3] = inverse;
}

/* Where the rigid motion takes nodes in a step: an exact rotation, displacements times `factor`. */
static lt_motion_map displacement_map(const lt_rigid_row *rigid, double dt, double factor) {
    lt_dmat3 r =
        lt_dm3_scale(lt_dm3_sub(lt_matrix_from_quaternion(rigid->turned_by), lt_dm3_identity()), factor);
    const double *m = rigid->motion;
    return (lt_motion_map){{lt_r4_of(r.c0.x, r.c0.y, r.c0.z), lt_r4_of(r.c1.x, r.c1.y, r.c1.z),
                            lt_r4_of(r.c2.x, r.c2.y, r.c2.z)},
                           lt_r4_of(factor * dt * m[0], factor * dt * m[1], factor * dt * m[2])};
}

/* An exact rotation about the centre moves pins by its second order: all of the body goes where they do. */
static void shift_to_pins(const lt_implicit *s, const lt_member *member, lt_motion_map *map) {
    const lt_soft *soft = member->soft;
    lt_rvec3 sum = {0, 0, 0};
    if (soft->pin_count == 0) return;
    for (uint32_t node = 0; node < soft->carrier.node_count; node++) {
        if (!soft->pinned[node]) continue;
        lt_rvec3 way = lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x, node));
        lt_rvec3 moved = lt_r4_xyz(lt_motion_at(map, soft, node, member->center));
        sum = lt_r3_add(sum, lt_r3_sub(lt_r3_scale(way, 1 / s->advance->dt), moved));
    }
    sum = lt_r3_scale(sum, 1 / (lt_real)soft->pin_count);
    map->shift = lt_r4_add(map->shift, lt_r4_of((double)sum.x, (double)sum.y, (double)sum.z));
}

/* Velocities that take every node where the rigid motion does. */
static void set_velocities(const lt_implicit *s, const lt_member *member) {
    const lt_soft *soft = member->soft;
    lt_real *v = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member);
    lt_real dt = s->advance->dt;
    lt_motion_map map = displacement_map(member->rigid, (double)dt, 1 / (double)dt);
    shift_to_pins(s, member, &map);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_r4_store(v + 4 * (size_t)row, lt_motion_at(&map, soft, node, member->center));
        if (!soft->pinned[node]) continue;
        lt_rvec3 way = lt_r3_sub(lt_node_get(soft->pin_target, node), lt_node_get(soft->x, node));
        lt_node_set(v, row, lt_r3_scale(way, 1 / dt));
    }
}

/* u of every coupling with the motions that members came with. */
static void set_relative_velocities(const lt_implicit *s) {
    set_pair_motions(s->island->rigid, BEFORE);
    s->couplings->set_rigid(s->island->set, s->island->rigid->pairs);
}

static bool is_alone(const lt_implicit *s) {
    bool alone = false;
    for (uint32_t m = 0; m < s->island->member_count; m++)
        alone = alone || (lt_is_implicit(&s->island->members[m]) && s->island->members[m].rigid_alone);
    return alone;
}

static bool leaves_out(const lt_implicit *s) {
    bool some = false;
    for (uint32_t m = 0; m < s->island->member_count; m++)
        some = some || s->island->members[m].left_out;
    return some;
}

void lt_rigid_start(lt_implicit *s) {
    lt_rigid_level *level = s->island->rigid;
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        lt_rigid_row *r = &level->rows[m];
        double kept[LT_RIGID];
        lt_multiply6(kept, &r->weight, r->before);
        for (int k = 0; k < LT_RIGID; k++)
            r->load[k] -= kept[k];
    }
    set_relative_velocities(s);
    lt_newton_begin(s, is_alone(s) ? SETTLED_ALONE : SETTLED_BEFORE);
}

void lt_rigid_place(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        lt_rigid_row *r = member->rigid;
        if (!lt_is_implicit(member)) continue;
        for (int k = 0; k < LT_RIGID; k++)
            r->motion[k] = r->before[k] + r->delta[k];
        turn_by(r, s->advance->dt);
        set_velocities(s, member);
    }
}

void lt_rigid_run(lt_implicit *s) {
    lt_rigid_start(s);
    while (!s->newton.ended)
        lt_newton_round(s);
    lt_rigid_place(s);
}

/* Momentum of the velocities as they are, with drag. */
static void find_momentum(const lt_implicit *s, const lt_member *member, double out[LT_RIGID]) {
    const lt_soft *soft = member->soft;
    const lt_real *v = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member);
    double drag = 1 + soft->material.mass_damping * (double)s->advance->dt;
    memset(out, 0, LT_RIGID * sizeof *out);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        double arm[3], speed[3];
        lt_unpack_r3(arm, lt_r3_sub(lt_node_get(soft->x, node), member->center));
        lt_unpack_r3(speed, lt_node_get(v, row));
        lt_add_force6(out, arm, speed, drag * soft->mass[node]);
    }
}

static void add_motion(const lt_implicit *s, const lt_member *member) {
    lt_real *v = lt_member_rows(s->island->vectors[LT_VECTOR_VELOCITY], member);
    lt_motion_map map = lt_motion_map_of(member->rigid->delta);
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_r4 change = lt_motion_at(&map, member->soft, node, member->center);
        lt_r4_store(v + 4 * (size_t)row, lt_r4_add(lt_r4_load(v + 4 * (size_t)row), change));
    }
}

/* Where couplings act at the end of the step, from centres that have gone on as they came: there the moments of an implicit step are.
 * One place for both sides, at the velocity of the lighter one rather. (With arms as they are at the beginning a bear that lands is
 * turned wrongly by 7 % of all that its landing does.) */
static void move_arms(const lt_implicit *s) {
    const lt_island *island = s->island;
    const lt_coupling_set *set = island->set;
    lt_lanes3 by_a, both;
    for (uint32_t i = 0; i < set->run_count; i++) {
        const lt_coupling_run *run = &set->runs[i];
        const lt_rigid_pair *pair = &island->rigid->pairs[run->pair];
        const lt_rigid_row *a = &island->rigid->rows[pair->a];
        lt_coupling_group *g = &set->groups[run->group];
        double from[3] = {a->before[0], a->before[1], a->before[2]};
        lt_real other = pair->b == LT_NONE ? 0 : (lt_real)0.5; /* of the point: a − ½ (a − b) */
        if (run->begin == 0)
            s->couplings->gather(set, run->group, island->vectors[LT_VECTOR_VELOCITY], by_a, both);
        if (pair->b != LT_NONE) {
            const lt_rigid_row *b = &island->rigid->rows[pair->b];
            double share = a->inertia.at[0][0] / (a->inertia.at[0][0] + b->inertia.at[0][0]);
            for (int k = 0; k < 3; k++)
                from[k] += share * (b->before[k] - from[k]);
        }
        for (int k = 0; k < 3; k++)
            for (uint32_t lane = run->begin; lane < run->end; lane++) {
                lt_real gone = by_a[k][lane] - other * both[k][lane] - (lt_real)from[k];
                g->arm[k][lane] += s->advance->dt * gone;
            }
    }
}

/* A body with pins has no momentum of its own to keep: what they hold is not known. */
void lt_rigid_begin_finish(lt_implicit *s) {
    move_arms(s);
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        lt_rigid_row *r = member->rigid;
        double found[LT_RIGID];
        memset(r->load, 0, sizeof r->load);
        if (!lt_is_implicit(member) || member->soft->pin_count > 0) continue;
        find_momentum(s, member, found);
        for (int k = 0; k < LT_RIGID; k++)
            r->load[k] = r->own[k] - found[k];
    }
    lt_newton_begin(s, leaves_out(s) ? SETTLED_ALONE : SETTLED_BEHIND);
}

void lt_rigid_finish(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        lt_rigid_row *r = member->rigid;
        if (!lt_is_implicit(member) || member->soft->pin_count > 0) continue;
        /* Whatever Newton left: the change that has exactly the momentum of the impulses. */
        double given[LT_RIGID];
        for (int k = 0; k < LT_RIGID; k++)
            given[k] = r->load[k] + r->wrench[k];
        lt_solve6(&r->weight, r->delta, given);
        add_motion(s, member);
    }
}

void lt_rigid_settle(const lt_implicit *s) {
    set_pair_motions(s->island->rigid, DELTA);
    s->couplings->add_rigid(s->island->set, s->island->rigid->pairs);
    lt_couplings_settle(s);
}

static void turn_vector(double out[3], const double q[4], const double v[3], double sign) {
    lt_dvec3 axis = {sign * q[0], sign * q[1], sign * q[2]}, from = {v[0], v[1], v[2]};
    lt_dvec3 twice = lt_d3_scale(lt_d3_cross(axis, from), 2);
    lt_dvec3 to = lt_d3_add(lt_d3_mad(from, twice, q[3]), lt_d3_cross(axis, twice));
    out[0] = to.x, out[1] = to.y, out[2] = to.z;
}

/* Spin that has the body's angular momentum where it is now: its inertia has turned with it. */
static void spin_after(const lt_rigid_row *r, const double angular[3], double spin[3]) {
    lt_block6 inertia = {{{0}}};
    double turned[LT_RIGID] = {0}, answer[LT_RIGID];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia.at[i][j] = r->inertia.at[3 + i][3 + j];
    turn_vector(turned, r->turned_by, angular, -1);
    lt_solve6(&inertia, answer, turned);
    turn_vector(spin, r->turned_by, answer, 1);
}

/* What a ladder remembers of its nodes are vectors of the world. */
static void turn_memory(const lt_member *member) {
    const lt_soft *soft = member->soft;
    lt_real *const memory[3] = {soft->offset, soft->settled, soft->gain};
    lt_motion_map turn = lt_turn_map_of(member->rigid->turned_by);
    for (int i = 0; i < 3; i++)
        for (uint32_t node = 0; node < soft->carrier.node_count; node++)
            lt_r4_store(memory[i] + 4 * (size_t)node, lt_turned_by_map(&turn, lt_node_get(memory[i], node)));
}

/* The spin changes while a body turns: by the one it begins with alone a tumbling body gained 30 % of its energy in 600 steps. */
void lt_rigid_move(const lt_implicit *s, const lt_member *member) {
    lt_soft *soft = member->soft;
    lt_rigid_row *r = member->rigid;
    lt_real dt = s->advance->dt;
    double given[LT_RIGID], begin[LT_RIGID], after[LT_RIGID], drag = r->weight.at[0][0] / r->inertia.at[0][0];
    for (int k = 0; k < LT_RIGID; k++)
        given[k] = r->own[k] + r->wrench[k];
    lt_solve6(&r->weight, r->motion, given);
    turn_by(r, dt);
    memcpy(begin, r->motion, sizeof begin);
    memcpy(after, r->motion, sizeof after);
    for (int k = 3; k < LT_RIGID; k++)
        given[k] /= drag;
    for (int round = 0; round < SPIN_ROUNDS; round++) {
        spin_after(r, given + 3, after + 3);
        for (int k = 3; k < LT_RIGID; k++)
            r->motion[k] = (begin[k] + after[k]) / 2;
        turn_by(r, dt);
    }
    spin_after(r, given + 3, after + 3);
    lt_motion_map map = displacement_map(r, (double)dt, 1), moving = lt_motion_map_of(after);
    lt_rvec3 center = {member->center.x + (lt_real)((double)dt * after[0]),
                       member->center.y + (lt_real)((double)dt * after[1]),
                       member->center.z + (lt_real)((double)dt * after[2])};
    for (uint32_t row = 0; row < member->row_count; row++) {
        uint32_t node = lt_row_node(member->nodes, row);
        lt_real *x = soft->x + 4 * (size_t)node;
        lt_r4_store(x, lt_r4_add(lt_r4_load(x), lt_motion_at(&map, soft, node, member->center)));
        lt_r4_store(soft->v + 4 * (size_t)node, lt_motion_at(&moving, soft, node, center));
    }
    if (soft->grid) turn_memory(member);
}
