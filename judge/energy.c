/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Energies by the law of each model, in double, from nodes and materials alone; of a material that is too stiff for the step by the
 * stiffness that the step has in its place (lt_body_young).
 *
 *   corotational, multigrid  V (mu |S - I|^2 + lambda/2 tr(S - I)^2),  F = R S, R the rotation nearest to F
 *   explicit-fem             V (mu |E|^2 + lambda/2 tr(E)^2 + (lambda + 2 mu) min(0, det F - 1/4)^2),  E = (F'F - I)/2
 *   lattice-springs          k/2 (l - L)^2 of 28 springs a cell: k = 2/15 E h fill along edges and faces' diagonals, 1/10 through
 *                            the middle; and 1.3 E h^3 fill sum g(s) of the singular values s of the mean gradient, the least with
 *                            the sign of det F: g = (1/2 - s)^2/2 from 0 to 1/2, its tangent below 0
 *
 * V is the volume at rest times the solid share. Of a ladder the finest mesh stands for all of them: nodes that follow
 * coarser ones are where those put them. Nodes have a quarter of the mass of a tet, an eighth of that of a cell. */

#include "core/polar.h"
#include "judge/judge_internal.h"

/* ---- masses ---- */

static lt_dvec3 rest_of(const lt_judge_body *body, uint32_t node) {
    const double *p = body->carrier.rest + 3 * (size_t)node;
    return lt_d3_scale((lt_dvec3){p[0], p[1], p[2]}, body->scale);
}

/* Edges from corner 0 at rest; a sixth of the determinant is the volume. */
static lt_dmat3 rest_edges(const lt_judge_body *body, const uint32_t *tet) {
    lt_dvec3 origin = rest_of(body, tet[0]);
    return (lt_dmat3){lt_d3_sub(rest_of(body, tet[1]), origin), lt_d3_sub(rest_of(body, tet[2]), origin),
                      lt_d3_sub(rest_of(body, tet[3]), origin)};
}

static void share_mass(lt_judge_body *body, const uint32_t *corners, uint32_t count, double volume) {
    for (uint32_t i = 0; i < count; i++)
        body->masses[corners[i]] += volume * (double)body->material.density / count;
}

void lt_judge_weigh(lt_judge_body *body) {
    const lt_carrier *c = &body->carrier;
    double edge = c->cell_size * body->scale;
    for (uint32_t i = 0; i < c->tet_count; i++) {
        const uint32_t *tet = c->tets + 4 * (size_t)i;
        share_mass(body, tet, 4, lt_dm3_determinant(rest_edges(body, tet)) / 6 * c->fill[i]);
    }
    for (uint32_t i = 0; i < c->cell_count; i++)
        share_mass(body, c->cells + 8 * (size_t)i, 8, edge * edge * edge * c->cell_fill[i]);
}

/* ---- tets ---- */

typedef struct lame {
    double lambda, mu;
} lame;

static lame lame_of(const lt_judge_body *body) {
    double e = body->young, nu = (double)body->material.poisson;
    return (lame){e * nu / ((1 + nu) * (1 - 2 * nu)), e / (2 * (1 + nu))};
}

/* mu |E|^2 + lambda/2 tr(E)^2 */
static double isotropic_density(lame l, lt_dmat3 strain) {
    double trace = lt_dm3_trace(strain);
    return l.mu * lt_dm3_norm_squared(strain) + l.lambda / 2 * trace * trace;
}

static double corotated_density(lame l, lt_dmat3 f) {
    lt_dmat3 s = lt_dm3_mul(lt_dm3_transpose(lt_polar_by_svd(f)), f);
    lt_dmat3 both = lt_dm3_scale(lt_dm3_add(s, lt_dm3_transpose(s)), 0.5);
    return isotropic_density(l, lt_dm3_sub(both, lt_dm3_identity()));
}

static double green_density(lame l, lt_dmat3 f) {
    lt_dmat3 c = lt_dm3_mul(lt_dm3_transpose(f), f);
    double lack = lt_min_d(0, lt_dm3_determinant(f) - 0.25);
    return isotropic_density(l, lt_dm3_scale(lt_dm3_sub(c, lt_dm3_identity()), 0.5)) +
           (l.lambda + 2 * l.mu) * lack * lack;
}

static lt_dvec3 node_of(const lt_judge_body *body, uint32_t node) {
    return lt_d3_from_v3(body->nodes[node]);
}

static double elastic_of_tets(const lt_judge_body *body) {
    const lt_carrier *c = &body->carrier;
    lame l = lame_of(body);
    double sum = 0;
    for (uint32_t i = 0; i < c->tet_count; i++) {
        const uint32_t *tet = c->tets + 4 * (size_t)i;
        lt_dmat3 rest = rest_edges(body, tet);
        lt_dvec3 origin = node_of(body, tet[0]);
        lt_dmat3 edges = {lt_d3_sub(node_of(body, tet[1]), origin), lt_d3_sub(node_of(body, tet[2]), origin),
                          lt_d3_sub(node_of(body, tet[3]), origin)};
        lt_dmat3 f = lt_dm3_mul(edges, lt_dm3_inverse(rest));
        double density = body->model == LT_MODEL_EXPLICIT_FEM ? green_density(l, f) : corotated_density(l, f);
        sum += density * lt_dm3_determinant(rest) / 6 * c->fill[i];
    }
    return sum;
}

/* ---- cells ---- */

static double elastic_of_springs(const lt_judge_body *body, const uint32_t *corners, double edge) {
    double sum = 0;
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = i + 1; k < 8; k++) {
            uint32_t axes = i ^ k, count = (axes & 1) + (axes >> 1 & 1) + (axes >> 2);
            double share = count == 3 ? 1.0 / 10 : 2.0 / 15;
            double stretch = lt_d3_distance(node_of(body, corners[i]), node_of(body, corners[k])) -
                             edge * sqrt((double)count);
            sum += share / 2 * stretch * stretch;
        }
    return sum * edge; /* times Young's modulus and fill */
}

static lt_dmat3 mean_gradient(const lt_judge_body *body, const uint32_t *corners, double edge) {
    lt_dvec3 columns[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            columns[axis] =
                lt_d3_mad(columns[axis], node_of(body, corners[i]), (i >> axis & 1 ? 0.25 : -0.25) / edge);
    return (lt_dmat3){columns[0], columns[1], columns[2]};
}

/* Eigenvalues of a symmetric matrix, descending: the roots of its characteristic polynomial as cosines. */
static void find_eigenvalues(double out[3], lt_dmat3 a) {
    const double third = 2.0943951023931953; /* 2 pi / 3 */
    double mean = lt_dm3_trace(a) / 3;
    lt_dmat3 b = lt_dm3_sub(a, lt_dm3_scale(lt_dm3_identity(), mean));
    double spread = sqrt(lt_dm3_norm_squared(b) / 6);
    double half = spread > 0 ? lt_dm3_determinant(b) / (2 * spread * spread * spread) : 0;
    double angle = acos(half < -1 ? -1 : half > 1 ? 1 : half) / 3;
    for (int i = 0; i < 3; i++)
        out[i] = mean + 2 * spread * cos(angle + (i == 0 ? 0 : i == 1 ? -third : third));
}

static double elastic_of_fold(const lt_judge_body *body, const uint32_t *corners, double edge) {
    lt_dmat3 f = mean_gradient(body, corners, edge);
    double squares[3], sum = 0;
    find_eigenvalues(squares, lt_dm3_mul(lt_dm3_transpose(f), f));
    for (int i = 0; i < 3; i++) {
        double s = sqrt(lt_max_d(0, squares[i]));
        if (i == 2 && lt_dm3_determinant(f) < 0) s = -s;
        sum += s >= 0.5 ? 0 : s >= 0 ? (0.5 - s) * (0.5 - s) / 2 : (0.25 - s) / 2;
    }
    return 1.3 * sum * edge * edge * edge; /* times Young's modulus and fill */
}

static double elastic_of_cells(const lt_judge_body *body) {
    const lt_carrier *c = &body->carrier;
    double edge = c->cell_size * body->scale, sum = 0;
    for (uint32_t i = 0; i < c->cell_count; i++) {
        const uint32_t *corners = c->cells + 8 * (size_t)i;
        sum += (elastic_of_springs(body, corners, edge) + elastic_of_fold(body, corners, edge)) *
               c->cell_fill[i];
    }
    return sum * (double)body->material.young;
}

double lt_judge_elastic(const lt_judge_body *body) {
    if (body->model == LT_MODEL_LATTICE_MATCHING) return 0; /* not counted: its regions are the model's own */
    return body->carrier.cell_count ? elastic_of_cells(body) : elastic_of_tets(body);
}

/* ---- sums ---- */

typedef struct sums {
    double mass, height;
} sums;

static void add_nodes(const lt_judge *judge, const lt_judge_body *body, lt_judgement *out, sums *total) {
    lt_dvec3 gravity = lt_d3_from_v3(judge->gravity), moment = {0, 0, 0};
    double mass = 0;
    for (uint32_t node = 0; node < body->carrier.node_count; node++) {
        lt_dvec3 v = lt_d3_from_v3(body->velocities[node]);
        double m = body->masses[node], squared = lt_d3_dot(v, v);
        out->kinetic += m / 2 * squared;
        if (m > 0) out->speed_max = lt_max_d(out->speed_max, sqrt(squared));
        moment = lt_d3_mad(moment, node_of(body, node), m);
        mass += m;
    }
    out->potential -= lt_d3_dot(gravity, moment);
    lt_dvec3 up = lt_d3_normalize_or(lt_d3_scale(gravity, -1), (lt_dvec3){0, 1, 0});
    total->height += lt_d3_dot(up, moment) / mass;
    total->mass += mass;
}

void lt_judge_sum_energy(lt_judge *judge, lt_judgement *out) {
    sums total = {0, 0};
    uint32_t count = 0;
    out->not_counted = judge->excluded;
    for (size_t i = 0; i < judge->bodies.count; i++) {
        const lt_judge_body *body = lt_judge_body_at(judge, i);
        if (body->model == LT_MODEL_LATTICE_MATCHING) out->not_counted |= LT_JUDGE_UNCOUNTED_MATCHING;
        if (body->model == LT_MODEL_MULTIGRID) out->not_counted |= LT_JUDGE_UNCOUNTED_LADDER;
        if (!body->is_finite) continue;
        add_nodes(judge, body, out, &total);
        out->elastic += lt_judge_elastic(body);
        count++;
    }
    out->height_mean = count ? total.height / count : 0;
    out->speed_mean = total.mass > 0 ? sqrt(2 * out->kinetic / total.mass) : 0;
    out->work = judge->work;
    out->energy = out->kinetic + out->elastic + out->potential - out->work;
}

/* ---- obstacles ---- */

/* The vector of the turn from one rotation to another: twice the vector part of q1 q0*, which for a step is near enough. */
static lt_dvec3 turn_between(lt_quat from, lt_quat to) {
    lt_dmat3 r = lt_dm3_mul(lt_matrix_from_quat(to), lt_dm3_transpose(lt_matrix_from_quat(from)));
    double q[4];
    lt_quaternion_from_matrix(q, r);
    return lt_d3_scale((lt_dvec3){q[0], q[1], q[2]}, q[3] < 0 ? -2 : 2);
}

double lt_judge_work_of(const lt_judge_obstacle *obstacle, const lt_world *world) {
    lt_vec3 force, torque;
    const lt_obstacle_state *now = &obstacle->state, *before = &obstacle->before;
    lt_obstacle_load(world, obstacle->id, &force, &torque);
    lt_dvec3 way = lt_d3_sub(lt_d3_from_v3(now->position), lt_d3_from_v3(before->position));
    lt_dvec3 turn = turn_between(before->rotation, now->rotation);
    return -lt_d3_dot(lt_d3_from_v3(force), way) - lt_d3_dot(lt_d3_from_v3(torque), turn);
}
