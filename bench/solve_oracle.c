/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "solve_oracle.h"

#include "core/polar.h"

#include <string.h>

enum { MOST_ROUNDS = 200, MOST_HALVINGS = 30, DAMPED_FROM = 20 };
static const double TOLERANCE = 1e-8, NEAR = 1e-6;

/* ---- one tet ---- */

static lt_dmat3 gradient_of(const lt_oracle_tet *tet, const lt_dvec3 *vectors, const lt_dvec3 *add,
                            double by) {
    lt_dmat3 f = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        lt_dvec3 p = vectors[tet->nodes[i]], g = tet->gradients[i];
        if (add) p = lt_d3_mad(p, add[tet->nodes[i]], by);
        f.c0 = lt_d3_mad(f.c0, p, g.x);
        f.c1 = lt_d3_mad(f.c1, p, g.y);
        f.c2 = lt_d3_mad(f.c2, p, g.z);
    }
    return f;
}

static lt_dmat3 turned_back(lt_dmat3 r, lt_dmat3 f) {
    return lt_dm3_mul(lt_dm3_transpose(r), f);
}

static lt_dmat3 symmetric_part(lt_dmat3 a) {
    return lt_dm3_scale(lt_dm3_add(a, lt_dm3_transpose(a)), 0.5);
}

/* V-less energy of a symmetric strain. */
static double density(const lt_oracle_tet *tet, lt_dmat3 strain) {
    double trace = lt_dm3_trace(strain);
    return tet->mu * lt_dm3_norm_squared(strain) + tet->lambda / 2 * trace * trace;
}

static lt_dmat3 stress(const lt_oracle_tet *tet, lt_dmat3 strain) {
    return lt_dm3_add(lt_dm3_scale(strain, 2 * tet->mu),
                      lt_dm3_scale(lt_dm3_identity(), tet->lambda * lt_dm3_trace(strain)));
}

static lt_dmat3 strain_of(lt_dmat3 r, lt_dmat3 f) {
    return lt_dm3_sub(symmetric_part(turned_back(r, f)), lt_dm3_identity());
}

/* Eigenvectors (columns) and eigenvalues of a symmetric matrix, by Jacobi's rotations. */
static void find_eigen(lt_dmat3 a, double values[3], double vectors[3][3]) {
    double m[3][3] = {{a.c0.x, a.c1.x, a.c2.x}, {a.c0.y, a.c1.y, a.c2.y}, {a.c0.z, a.c1.z, a.c2.z}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            vectors[i][k] = i == k;
    for (int turn = 0; turn < 30; turn++) {
        int p = turn % 3 == 2 ? 1 : 0, q = turn % 3 == 0 ? 1 : 2;
        if (m[p][q] == 0) continue;
        double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
            double kp = m[k][p], kq = m[k][q];
            m[k][p] = c * kp - s * kq;
            m[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; k++) {
            double pk = m[p][k], qk = m[q][k], vp = vectors[k][p], vq = vectors[k][q];
            m[p][k] = c * pk - s * qk;
            m[q][k] = s * pk + c * qk;
            vectors[k][p] = c * vp - s * vq;
            vectors[k][q] = s * vp + c * vq;
        }
    }
    for (int i = 0; i < 3; i++)
        values[i] = m[i][i];
}

/* How stress answers a change of the gradient: R (2 mu e + lambda tr e + [Q a]) with e and [a] the symmetric and the skew part of
 * R'dF. Q = 2 mu + 2 (lambda tr(S - I) - 2 mu) (tr S - S)^-1 is what turning costs: pressed tets have it negative. */
typedef struct response {
    lt_dmat3 r, q;
} response;

static response response_of(const lt_oracle_tet *tet, lt_dmat3 f, bool positive) {
    response out = {.r = lt_polar_by_svd(f)};
    lt_dmat3 s = symmetric_part(turned_back(out.r, f));
    double trace = lt_dm3_trace(s), values[3], w[3][3], c = tet->lambda * (trace - 3) - 2 * tet->mu;
    find_eigen(s, values, w);
    lt_dmat3 sum = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        double gap = lt_max_d(trace - values[i], 1e-9), q = 2 * tet->mu + 2 * c / gap;
        if (positive) q = lt_max_d(q, 0);
        lt_dvec3 e = {w[0][i], w[1][i], w[2][i]};
        sum = lt_dm3_add(
            sum, (lt_dmat3){lt_d3_scale(e, q * e.x), lt_d3_scale(e, q * e.y), lt_d3_scale(e, q * e.z)});
    }
    out.q = sum;
    return out;
}

static lt_dmat3 respond(const lt_oracle_tet *tet, const response *h, lt_dmat3 df) {
    lt_dmat3 a = turned_back(h->r, df), strain = symmetric_part(a);
    lt_dvec3 axial = {(a.c1.z - a.c2.y) / 2, (a.c2.x - a.c0.z) / 2, (a.c0.y - a.c1.x) / 2};
    lt_dvec3 t = lt_dm3_mul_vec(h->q, axial);
    lt_dmat3 skew = {{0, t.z, -t.y}, {-t.z, 0, t.x}, {t.y, -t.x, 0}};
    return lt_dm3_mul(h->r, lt_dm3_add(stress(tet, strain), skew));
}

/* ---- couplings ---- */

typedef struct coupling_terms {
    lt_dvec3 normal, u, w; /* w: spring and damper that hold */
    double gain, push;     /* impulse that pushes, below 0: none */
    bool contact;
} coupling_terms;

static lt_dvec3 from_real(lt_rvec3 a) {
    return (lt_dvec3){(double)a.x, (double)a.y, (double)a.z};
}

static lt_dvec3 gather(const lt_oracle *o, uint32_t body, const lt_anchor *anchor, const lt_dvec3 *v) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < anchor->count; i++)
        sum = lt_d3_mad(sum, v[o->node_begin[body] + anchor->ids[i]], (double)anchor->weights[i]);
    return sum;
}

static lt_dvec3 across(lt_dvec3 normal, lt_dvec3 a) {
    return lt_d3_mad(a, normal, -lt_d3_dot(normal, a));
}

static coupling_terms terms_of(const lt_oracle *o, const lt_coupling *c, const lt_dvec3 *v) {
    double k = (double)c->stiffness, dt = o->dt;
    coupling_terms t = {.normal = from_real(c->normal), .contact = c->kind == LT_COUPLING_CONTACT};
    t.gain = dt * (dt * k + (double)c->damping);
    t.u = lt_d3_sub(gather(o, c->body_a, &c->a, v), from_real(c->partner_velocity));
    if (c->body_b != LT_NONE) t.u = lt_d3_sub(t.u, gather(o, c->body_b, &c->b, v));
    lt_dvec3 stretch = from_real(t.contact ? c->stick : c->offset);
    t.w = lt_d3_mad(lt_d3_scale(stretch, dt * k), t.u, t.gain);
    if (!t.contact) return t;
    t.w = across(t.normal, t.w);
    t.push = dt * k * (double)c->depth - t.gain * lt_d3_dot(t.normal, t.u);
    return t;
}

static double coupling_sum(const coupling_terms *t, double bound) {
    double length = lt_d3_length(t->w);
    if (!(t->gain > 0)) return 0;
    if (!t->contact) return length * length / (2 * t->gain);
    double push = lt_max_d(0, t->push);
    double hold = length <= bound ? length * length / 2 : bound * (length - bound / 2);
    return (push * push / 2 + hold) / t->gain;
}

/* The impulse on a is less this. */
static lt_dvec3 coupling_slope(const coupling_terms *t, double bound) {
    if (!t->contact) return t->w;
    double length = lt_d3_length(t->w);
    lt_dvec3 hold = length > bound ? lt_d3_scale(t->w, bound / length) : t->w;
    return lt_d3_mad(hold, t->normal, -lt_max_d(0, t->push));
}

static lt_dmat3 outer(lt_dvec3 a, double by) {
    return (lt_dmat3){lt_d3_scale(a, by * a.x), lt_d3_scale(a, by * a.y), lt_d3_scale(a, by * a.z)};
}

static lt_dmat3 coupling_gains(const coupling_terms *t, double bound) {
    lt_dmat3 all = lt_dm3_scale(lt_dm3_identity(), t->gain);
    if (!t->contact) return all;
    lt_dmat3 out = outer(t->normal, t->push > 0 ? t->gain : 0);
    double length = lt_d3_length(t->w);
    if (!(bound > 0)) return out;
    lt_dmat3 hold = lt_dm3_sub(all, outer(t->normal, t->gain));
    if (length > bound) {
        hold = lt_dm3_sub(hold, outer(lt_d3_scale(t->w, 1 / length), t->gain));
        hold = lt_dm3_scale(hold, bound / length);
    }
    return lt_dm3_add(out, hold);
}

/* Nodes of both sides with their weights, in one list. */
typedef struct touched {
    uint32_t nodes[2 * LT_ANCHOR_MOST];
    double weights[2 * LT_ANCHOR_MOST];
    uint32_t count;
} touched;

static touched touched_by(const lt_oracle *o, const lt_coupling *c) {
    touched t = {.count = 0};
    for (uint32_t i = 0; i < c->a.count; i++) {
        t.nodes[t.count] = o->node_begin[c->body_a] + c->a.ids[i];
        t.weights[t.count++] = (double)c->a.weights[i];
    }
    for (uint32_t i = 0; c->body_b != LT_NONE && i < c->b.count; i++) {
        t.nodes[t.count] = o->node_begin[c->body_b] + c->b.ids[i];
        t.weights[t.count++] = -(double)c->b.weights[i];
    }
    return t;
}

/* ---- the sum and its derivatives ---- */

void lt_oracle_set_bounds(lt_oracle *o, const lt_dvec3 *v) {
    for (uint32_t i = 0; i < o->coupling_count; i++) {
        coupling_terms t = terms_of(o, &o->couplings[i], v);
        o->bounds[i] = (double)o->couplings[i].friction * lt_max_d(0, t.push);
    }
}

double lt_oracle_elastic(const lt_oracle *o, const lt_dvec3 *x) {
    double sum = 0;
    for (uint32_t i = 0; i < o->tet_count; i++) {
        const lt_oracle_tet *tet = &o->tets[i];
        lt_dmat3 f = gradient_of(tet, x, NULL, 0);
        sum += tet->volume * density(tet, strain_of(lt_polar_by_svd(f), f));
    }
    return sum;
}

double lt_oracle_sum(const lt_oracle *o, const lt_dvec3 *v) {
    double sum = 0, dt = o->dt;
    for (uint32_t i = 0; i < o->node_count; i++) {
        lt_dvec3 load = lt_d3_mad(lt_d3_scale(o->v[i], o->mass[i]), o->force[i], dt);
        sum += (1 + o->drag[i] * dt) / 2 * o->mass[i] * lt_d3_length_squared(v[i]) - lt_d3_dot(load, v[i]);
    }
    for (uint32_t i = 0; i < o->tet_count; i++) {
        const lt_oracle_tet *tet = &o->tets[i];
        lt_dmat3 f = gradient_of(tet, o->x, v, dt);
        sum += tet->volume * density(tet, strain_of(lt_polar_by_svd(f), f));
        if (tet->damping > 0) {
            lt_dmat3 rate = symmetric_part(turned_back(o->held[i], gradient_of(tet, v, NULL, 0)));
            sum += tet->volume * tet->damping * dt * density(tet, rate);
        }
    }
    for (uint32_t i = 0; i < o->coupling_count; i++) {
        coupling_terms t = terms_of(o, &o->couplings[i], v);
        sum += coupling_sum(&t, o->bounds[i]);
    }
    return sum;
}

static void add_stress(const lt_oracle_tet *tet, lt_dmat3 p, double by, lt_dvec3 *out) {
    for (int i = 0; i < 4; i++)
        out[tet->nodes[i]] =
            lt_d3_mad(out[tet->nodes[i]], lt_dm3_mul_vec(p, tet->gradients[i]), tet->volume * by);
}

static void clear_pinned(const lt_oracle *o, lt_dvec3 *out) {
    for (uint32_t i = 0; i < o->node_count; i++)
        if (o->pinned[i]) out[i] = (lt_dvec3){0, 0, 0};
}

static void add_to_touched(const lt_oracle *o, const lt_coupling *c, lt_dvec3 value, lt_dvec3 *out) {
    touched at = touched_by(o, c);
    for (uint32_t k = 0; k < at.count; k++)
        out[at.nodes[k]] = lt_d3_mad(out[at.nodes[k]], value, at.weights[k]);
}

void lt_oracle_gradient(const lt_oracle *o, const lt_dvec3 *v, lt_dvec3 *out) {
    double dt = o->dt;
    for (uint32_t i = 0; i < o->node_count; i++) {
        lt_dvec3 load = lt_d3_mad(lt_d3_scale(o->v[i], o->mass[i]), o->force[i], dt);
        out[i] = lt_d3_sub(lt_d3_scale(v[i], (1 + o->drag[i] * dt) * o->mass[i]), load);
    }
    for (uint32_t i = 0; i < o->tet_count; i++) {
        const lt_oracle_tet *tet = &o->tets[i];
        lt_dmat3 f = gradient_of(tet, o->x, v, dt), r = lt_polar_by_svd(f);
        add_stress(tet, lt_dm3_mul(r, stress(tet, strain_of(r, f))), dt, out);
        if (tet->damping > 0) {
            lt_dmat3 rate = symmetric_part(turned_back(o->held[i], gradient_of(tet, v, NULL, 0)));
            add_stress(tet, lt_dm3_mul(o->held[i], stress(tet, rate)), dt * tet->damping, out);
        }
    }
    for (uint32_t i = 0; i < o->coupling_count; i++) {
        coupling_terms t = terms_of(o, &o->couplings[i], v);
        add_to_touched(o, &o->couplings[i], coupling_slope(&t, o->bounds[i]), out);
    }
    clear_pinned(o, out);
}

/* The rotations of damping turn nothing: their stress answers by its symmetric part alone. */
static response damping_response(const lt_oracle *o, uint32_t tet) {
    return (response){.r = o->held[tet], .q = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
}

void lt_oracle_curve(const lt_oracle *o, const lt_dvec3 *v, const lt_dvec3 *d, bool positive, lt_dvec3 *out) {
    double dt = o->dt;
    for (uint32_t i = 0; i < o->node_count; i++)
        out[i] = lt_d3_scale(d[i], (1 + o->drag[i] * dt) * o->mass[i]);
    for (uint32_t i = 0; i < o->tet_count; i++) {
        const lt_oracle_tet *tet = &o->tets[i];
        response h = response_of(tet, gradient_of(tet, o->x, v, dt), positive), held = damping_response(o, i);
        lt_dmat3 df = gradient_of(tet, d, NULL, 0);
        add_stress(tet, respond(tet, &h, df), dt * dt, out);
        if (tet->damping > 0) add_stress(tet, respond(tet, &held, df), dt * tet->damping, out);
    }
    for (uint32_t i = 0; i < o->coupling_count; i++) {
        const lt_coupling *c = &o->couplings[i];
        coupling_terms t = terms_of(o, c, v);
        lt_dvec3 u = gather(o, c->body_a, &c->a, d);
        if (c->body_b != LT_NONE) u = lt_d3_sub(u, gather(o, c->body_b, &c->b, d));
        add_to_touched(o, c, lt_dm3_mul_vec(coupling_gains(&t, o->bounds[i]), u), out);
    }
    clear_pinned(o, out);
}

/* ---- the matrix ---- */

static bool link_all(lt_oracle *o) {
    bool ok = true;
    lt_skyline_begin(&o->matrix);
    for (uint32_t i = 0; i < o->tet_count; i++)
        for (int k = 0; k < 16; k++)
            ok = ok && lt_skyline_link(&o->matrix, o->tets[i].nodes[k / 4], o->tets[i].nodes[k % 4]);
    for (uint32_t i = 0; i < o->coupling_count; i++) {
        touched t = touched_by(o, &o->couplings[i]);
        for (uint32_t k = 0; k < t.count * t.count; k++)
            ok = ok && lt_skyline_link(&o->matrix, t.nodes[k / t.count], t.nodes[k % t.count]);
    }
    return ok;
}

static void add_block(lt_oracle *o, uint32_t node, uint32_t other, lt_dmat3 block) {
    if (!o->pinned[node] && !o->pinned[other]) lt_skyline_add(&o->matrix, node, other, block);
}

/* Blocks of one tet: column by column of the change of one corner. */
static void add_tet(lt_oracle *o, const lt_oracle_tet *tet, const response *h, double by) {
    const lt_dvec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 4; k++) {
        lt_dmat3 blocks[4];
        for (int axis = 0; axis < 3; axis++) {
            lt_dvec3 g = tet->gradients[k], e = axes[axis];
            lt_dmat3 df = {lt_d3_scale(e, g.x), lt_d3_scale(e, g.y), lt_d3_scale(e, g.z)};
            lt_dmat3 p = respond(tet, h, df);
            for (int i = 0; i < 4; i++) {
                lt_dvec3 f = lt_d3_scale(lt_dm3_mul_vec(p, tet->gradients[i]), tet->volume * by);
                *(axis == 0 ? &blocks[i].c0 : axis == 1 ? &blocks[i].c1 : &blocks[i].c2) = f;
            }
        }
        for (int i = 0; i < 4; i++)
            add_block(o, tet->nodes[i], tet->nodes[k], blocks[i]);
    }
}

static void assemble(lt_oracle *o, const lt_dvec3 *v, bool positive) {
    double dt = o->dt;
    lt_skyline_clear(&o->matrix);
    for (uint32_t node = 0; node < o->node_count; node++) {
        double m = o->pinned[node] ? 1 : (1 + o->drag[node] * dt) * o->mass[node];
        lt_skyline_add(&o->matrix, node, node, lt_dm3_scale(lt_dm3_identity(), m));
    }
    for (uint32_t i = 0; i < o->tet_count; i++) {
        const lt_oracle_tet *tet = &o->tets[i];
        response h = response_of(tet, gradient_of(tet, o->x, v, dt), positive), held = damping_response(o, i);
        add_tet(o, tet, &h, dt * dt);
        if (tet->damping > 0) add_tet(o, tet, &held, dt * tet->damping);
    }
    for (uint32_t i = 0; i < o->coupling_count; i++) {
        coupling_terms t = terms_of(o, &o->couplings[i], v);
        lt_dmat3 gains = coupling_gains(&t, o->bounds[i]);
        touched at = touched_by(o, &o->couplings[i]);
        for (uint32_t a = 0; a < at.count; a++)
            for (uint32_t b = 0; b < at.count; b++)
                add_block(o, at.nodes[a], at.nodes[b], lt_dm3_scale(gains, at.weights[a] * at.weights[b]));
    }
}

lt_status lt_oracle_direction(lt_oracle *o, const lt_dvec3 *v, lt_error *error) {
    if (!lt_skyline_is_laid_out(&o->matrix)) {
        if (!link_all(o)) return lt_fail(error, LT_STATUS_MEMORY, "oracle: no memory for the order of rows");
        lt_status status = lt_skyline_lay_out(&o->matrix, error);
        if (status != LT_OK) return status;
    }
    lt_oracle_gradient(o, v, o->gradient);
    assemble(o, v, false);
    bool ok = lt_skyline_factor(&o->matrix);
    if (!ok) {
        assemble(o, v, true);
        ok = lt_skyline_factor(&o->matrix);
    }
    if (!ok) return lt_fail(error, LT_STATUS_INVALID, "oracle: the matrix of a step is not positive");
    for (uint32_t i = 0; i < o->node_count; i++)
        o->direction[i] = lt_d3_neg(o->gradient[i]);
    lt_skyline_solve(&o->matrix, o->direction);
    return LT_OK;
}

/* ---- angular momentum ---- */

static lt_dvec3 end_place(const lt_oracle *o, const lt_dvec3 *v, uint32_t node) {
    return lt_d3_mad(o->x[node], v[node], o->dt);
}

static lt_oracle_end end_of(const lt_oracle *o, const lt_dvec3 *v, uint32_t body) {
    lt_oracle_end out = {.inertia = lt_dm3_scale(lt_dm3_identity(), 0)};
    for (uint32_t i = o->node_begin[body]; i < o->node_begin[body + 1]; i++) {
        out.center = lt_d3_mad(out.center, end_place(o, v, i), o->mass[i]);
        out.velocity = lt_d3_mad(out.velocity, v[i], o->mass[i]);
        out.mass += o->mass[i];
        out.held = out.held || o->pinned[i];
    }
    out.center = lt_d3_scale(out.center, 1 / out.mass);
    out.velocity = lt_d3_scale(out.velocity, 1 / out.mass);
    for (uint32_t i = o->node_begin[body]; i < o->node_begin[body + 1]; i++) {
        lt_dvec3 arm = lt_d3_sub(end_place(o, v, i), out.center);
        lt_dmat3 own = lt_dm3_scale(lt_dm3_identity(), o->mass[i] * lt_d3_length_squared(arm));
        out.inertia = lt_dm3_add(out.inertia, lt_dm3_sub(own, outer(arm, o->mass[i])));
    }
    return out;
}

/* dt K v' of the damping, which has a moment about where nodes are at the end. */
static void find_damping(const lt_oracle *o, const lt_dvec3 *v, lt_dvec3 *out) {
    memset(out, 0, o->node_count * sizeof *out);
    for (uint32_t i = 0; i < o->tet_count; i++) {
        const lt_oracle_tet *tet = &o->tets[i];
        if (!(tet->damping > 0)) continue;
        lt_dmat3 rate = symmetric_part(turned_back(o->held[i], gradient_of(tet, v, NULL, 0)));
        add_stress(tet, lt_dm3_mul(o->held[i], stress(tet, rate)), o->dt * tet->damping, out);
    }
}

/* What implicit Euler gets of nodes: moments of changes of momentum about where they are at the end. */
static void add_moments_of_nodes(lt_oracle *o, const lt_dvec3 *v, const lt_dvec3 *damping) {
    for (uint32_t b = 0; b < o->body_count; b++) {
        lt_oracle_end *end = &o->ends[b];
        for (uint32_t i = o->node_begin[b]; i < o->node_begin[b + 1]; i++) {
            lt_dvec3 turning = lt_d3_cross(lt_d3_sub(v[i], end->velocity), o->came[i]);
            end->lost = lt_d3_mad(end->lost, turning, -o->dt * o->mass[i]);
            lt_dvec3 arm = lt_d3_sub(end_place(o, v, i), end->center);
            end->lost = lt_d3_add(end->lost, lt_d3_cross(arm, damping[i]));
        }
    }
}

/* Between two bodies moments are about one place for both: else both together get some. */
static void add_moments_of_couplings(lt_oracle *o, const lt_dvec3 *v) {
    for (uint32_t i = 0; i < o->coupling_count; i++) {
        const lt_coupling *c = &o->couplings[i];
        if (c->body_b == LT_NONE) continue;
        lt_oracle_end *a = &o->ends[c->body_a], *b = &o->ends[c->body_b];
        coupling_terms t = terms_of(o, c, v);
        lt_dvec3 impulse = lt_d3_neg(coupling_slope(&t, o->bounds[i]));
        lt_dvec3 apart =
            lt_d3_mad(lt_d3_sub(gather(o, c->body_a, &c->a, o->x), gather(o, c->body_b, &c->b, o->x)),
                      lt_d3_sub(gather(o, c->body_a, &c->a, v), gather(o, c->body_b, &c->b, v)), o->dt);
        lt_dvec3 way = lt_d3_scale(lt_d3_sub(a->velocity, b->velocity), o->dt);
        lt_dvec3 of_a = lt_d3_mad(lt_d3_scale(apart, -0.5), way, a->mass / (a->mass + b->mass));
        lt_dvec3 of_b = lt_d3_mad(lt_d3_scale(apart, -0.5), way, b->mass / (a->mass + b->mass));
        a->lost = lt_d3_add(a->lost, lt_d3_cross(of_a, impulse));
        b->lost = lt_d3_add(b->lost, lt_d3_cross(of_b, impulse));
    }
}

/* See the header. `scratch` is lost. */
static void set_spins(lt_oracle *o, const lt_dvec3 *v, lt_dvec3 *scratch) {
    for (uint32_t b = 0; b < o->body_count; b++)
        o->ends[b] = end_of(o, v, b);
    find_damping(o, v, scratch);
    add_moments_of_nodes(o, v, scratch);
    add_moments_of_couplings(o, v);
    for (uint32_t b = 0; b < o->body_count; b++) {
        const lt_oracle_end *end = &o->ends[b];
        if (end->held) continue;
        lt_dvec3 spin = lt_dm3_mul_vec(lt_dm3_inverse(end->inertia), end->lost);
        for (uint32_t i = o->node_begin[b]; i < o->node_begin[b + 1]; i++)
            o->v[i] = lt_d3_add(o->came[i], lt_d3_cross(spin, lt_d3_sub(end_place(o, v, i), end->center)));
    }
}

/* ---- the solve ---- */

/* |a| in the metric of inverse masses: of momenta what speeds are in that of masses. */
static double momentum_norm(const lt_oracle *o, const lt_dvec3 *a) {
    double sum = 0;
    for (uint32_t i = 0; i < o->node_count; i++)
        if (!o->pinned[i]) sum += lt_d3_length_squared(a[i]) / o->mass[i];
    return sqrt(sum);
}

double lt_oracle_distance(const lt_oracle *o, const lt_dvec3 *a, const lt_dvec3 *b) {
    double sum = 0;
    for (uint32_t i = 0; i < o->node_count; i++)
        if (!o->pinned[i]) sum += o->mass[i] * lt_d3_length_squared(lt_d3_sub(a[i], b[i]));
    return sqrt(sum);
}

static void start(lt_oracle *o) {
    memcpy(o->v, o->came, o->node_count * sizeof *o->v);
    for (uint32_t i = 0; i < o->node_count; i++) {
        lt_dvec3 fall = lt_d3_mad(o->v[i], o->force[i], o->dt / o->mass[i]);
        o->fall[i] = o->pinned[i] ? o->target[i] : lt_d3_scale(fall, 1 / (1 + o->drag[i] * o->dt));
        o->solution[i] = o->fall[i];
    }
}

/* What residuals are compared with: momenta of the fall, what springs and contacts do to it, and a speed of 1e-4 extents a step, below
 * which rounding would be all that there is to judge. */
static double reference_of(lt_oracle *o) {
    double sum = 0, mass = 0;
    lt_dvec3 lo = o->x[0], hi = o->x[0];
    for (uint32_t i = 0; i < o->node_count; i++) {
        sum += o->mass[i] *
               (lt_d3_length_squared(o->fall[i]) + o->dt * o->dt * lt_d3_length_squared(o->gravity));
        mass += o->mass[i];
        lo = lt_d3_min(lo, o->x[i]);
        hi = lt_d3_max(hi, o->x[i]);
    }
    lt_oracle_set_bounds(o, o->fall);
    lt_oracle_gradient(o, o->fall, o->gradient);
    return sqrt(sum) + momentum_norm(o, o->gradient) + 1e-4 * sqrt(mass) * lt_d3_distance(lo, hi) / o->dt;
}

/* Goes down along the direction: whole, or half, and so on. Near the end it goes the whole way: rounding hides who is lower. */
static void go_down(lt_oracle *o) {
    double slope = 0, here = lt_oracle_sum(o, o->solution), step = 1, scale = 0;
    for (uint32_t i = 0; i < o->node_count; i++) {
        slope += lt_d3_dot(o->gradient[i], o->direction[i]);
        scale += o->mass[i] * lt_d3_length_squared(o->solution[i]);
    }
    for (int halving = 0; halving < MOST_HALVINGS; halving++, step /= 2) {
        for (uint32_t i = 0; i < o->node_count; i++)
            o->trial[i] = lt_d3_mad(o->solution[i], o->direction[i], step);
        double there = lt_oracle_sum(o, o->trial);
        if (o->residual < NEAR || there <= here + 1e-4 * step * slope + 1e-13 * (fabs(here) + scale)) break;
    }
    memcpy(o->solution, o->trial, o->node_count * sizeof *o->trial);
}

/* Bounds that answer to what they make would swing between two states for ever: from some round on they go half of the way. */
static void damp_bounds(lt_oracle *o) {
    for (uint32_t i = 0; i < o->coupling_count; i++) {
        if (o->rounds > DAMPED_FROM) o->bounds[i] = (o->bounds[i] + o->bounds_before[i]) / 2;
        o->bounds_before[i] = o->bounds[i];
    }
}

lt_status lt_oracle_solve(lt_oracle *o, lt_error *error) {
    start(o);
    lt_skyline_begin(&o->matrix); /* couplings are others */
    double reference = reference_of(o);
    for (o->rounds = 0; o->rounds < MOST_ROUNDS; o->rounds++) {
        lt_oracle_set_bounds(o, o->solution);
        set_spins(o, o->solution, o->direction);
        lt_oracle_gradient(o, o->solution, o->gradient);
        o->residual = reference > 0 ? momentum_norm(o, o->gradient) / reference : 0;
        if (o->residual <= TOLERANCE) break;
        damp_bounds(o);
        lt_status status = lt_oracle_direction(o, o->solution, error);
        if (status != LT_OK) return status;
        go_down(o);
    }
    return LT_OK;
}

/* ---- life ---- */

static lt_dvec3 rest_of(const lt_soft *soft, uint32_t node) {
    const double *p = soft->carrier.rest + 3 * (size_t)node;
    return lt_d3_scale((lt_dvec3){p[0], p[1], p[2]}, (double)soft->scale);
}

static void fill_tet(lt_oracle_tet *out, const lt_soft *soft, uint32_t tet, uint32_t node_begin,
                     double *mass) {
    const uint32_t *nodes = soft->carrier.tets + 4 * (size_t)tet;
    double e = (double)soft->material.young, nu = (double)soft->material.poisson;
    lt_dvec3 origin = rest_of(soft, nodes[0]);
    lt_dmat3 edges = {lt_d3_sub(rest_of(soft, nodes[1]), origin), lt_d3_sub(rest_of(soft, nodes[2]), origin),
                      lt_d3_sub(rest_of(soft, nodes[3]), origin)};
    lt_dmat3 rows = lt_dm3_transpose(lt_dm3_inverse(edges)); /* its columns are the gradients */
    out->gradients[1] = rows.c0;
    out->gradients[2] = rows.c1;
    out->gradients[3] = rows.c2;
    out->gradients[0] = lt_d3_neg(lt_d3_add(rows.c0, lt_d3_add(rows.c1, rows.c2)));
    out->volume = lt_dm3_determinant(edges) / 6 * (double)soft->carrier.fill[tet];
    out->lambda = e * nu / ((1 + nu) * (1 - 2 * nu));
    out->mu = e / (2 * (1 + nu));
    out->damping = (double)soft->material.stiffness_damping;
    for (int i = 0; i < 4; i++) {
        out->nodes[i] = node_begin + nodes[i];
        mass[out->nodes[i]] += out->volume * (double)soft->material.density / 4;
    }
}

static void fill_constants(lt_oracle *o, const lt_soft *bodies) {
    lt_oracle_tet *tet = o->tets;
    for (uint32_t b = 0; b < o->body_count; b++) {
        for (uint32_t i = 0; i < bodies[b].carrier.tet_count; i++)
            fill_tet(tet++, &bodies[b], i, o->node_begin[b], o->mass);
        for (uint32_t i = o->node_begin[b]; i < o->node_begin[b + 1]; i++)
            o->drag[i] = (double)bodies[b].material.mass_damping;
    }
}

lt_status lt_oracle_create(lt_oracle *out, const lt_soft *bodies, uint32_t body_count,
                           uint32_t coupling_capacity, const lt_allocator *allocator, lt_error *error) {
    lt_oracle o = {.body_count = body_count, .coupling_capacity = coupling_capacity};
    o.allocator = allocator ? *allocator : lt_allocator_default();
    o.node_begin = LT_NEW(allocator, body_count + 1, uint32_t);
    for (uint32_t b = 0; o.node_begin && b < body_count; b++) {
        o.node_begin[b + 1] = o.node_begin[b] + bodies[b].carrier.node_count;
        o.tet_count += bodies[b].carrier.tet_count;
    }
    size_t n = o.node_count = o.node_begin ? o.node_begin[body_count] : 0;
    bool ok = o.node_begin && (o.tets = LT_NEW(allocator, o.tet_count, lt_oracle_tet)) &&
              (o.held = LT_NEW(allocator, o.tet_count, lt_dmat3)) &&
              (o.mass = LT_NEW(allocator, n, double)) && (o.drag = LT_NEW(allocator, n, double)) &&
              (o.pinned = LT_NEW(allocator, n, uint8_t)) &&
              (o.ends = LT_NEW(allocator, body_count, lt_oracle_end)) &&
              (o.bounds = LT_NEW(allocator, coupling_capacity, double)) &&
              (o.bounds_before = LT_NEW(allocator, coupling_capacity, double)) &&
              lt_skyline_create(&o.matrix, o.node_count, allocator);
    lt_dvec3 **const vectors[] = {&o.x,        &o.came, &o.v,        &o.force,     &o.target,
                                  &o.solution, &o.fall, &o.gradient, &o.direction, &o.trial};
    for (size_t i = 0; i < LT_COUNT_OF(vectors); i++)
        ok = ok && (*vectors[i] = LT_NEW(allocator, n, lt_dvec3));
    *out = o;
    if (!ok) {
        lt_oracle_free(out);
        return lt_fail(error, LT_STATUS_MEMORY, "oracle: no memory for %zu nodes", n);
    }
    fill_constants(out, bodies);
    return LT_OK;
}

void lt_oracle_free(lt_oracle *o) {
    if (!o->allocator.release) return;
    const lt_allocator *a = &o->allocator;
    size_t n = o->node_count;
    lt_dvec3 *const vectors[] = {o->x,        o->came, o->v,        o->force,     o->target,
                                 o->solution, o->fall, o->gradient, o->direction, o->trial};
    for (size_t i = 0; i < LT_COUNT_OF(vectors); i++)
        LT_DELETE(a, vectors[i], n, lt_dvec3);
    LT_DELETE(a, o->tets, o->tet_count, lt_oracle_tet);
    LT_DELETE(a, o->held, o->tet_count, lt_dmat3);
    LT_DELETE(a, o->mass, n, double);
    LT_DELETE(a, o->drag, n, double);
    LT_DELETE(a, o->pinned, n, uint8_t);
    LT_DELETE(a, o->ends, o->body_count, lt_oracle_end);
    LT_DELETE(a, o->bounds, o->coupling_capacity, double);
    LT_DELETE(a, o->bounds_before, o->coupling_capacity, double);
    LT_DELETE(a, o->node_begin, o->body_count + 1, uint32_t);
    lt_skyline_free(&o->matrix);
    *o = (lt_oracle){0};
}

/* Of a body that nothing holds: the chord to where its nodes were a step ago, less their velocity. Implicit Euler of rotations accelerates
 * from chord to chord: from velocities alone, centrifugal forces of a spinning body are half too small. What tumbles has its angular
 * momentum half a step ago, not its spin. Added to the velocities of the nodes from `begin` on. */
static void add_chords(lt_oracle *o, uint32_t begin, uint32_t count) {
    lt_dvec3 center = {0, 0, 0}, momentum = {0, 0, 0};
    lt_dmat3 inertia = lt_dm3_scale(lt_dm3_identity(), 0);
    double mass = 0;
    for (uint32_t i = begin; i < begin + count; i++) {
        center = lt_d3_mad(center, o->x[i], o->mass[i]);
        mass += o->mass[i];
        if (o->pinned[i]) return;
    }
    center = lt_d3_scale(center, 1 / mass);
    for (uint32_t i = begin; i < begin + count; i++) {
        lt_dvec3 arm = lt_d3_sub(o->x[i], center);
        momentum = lt_d3_mad(momentum, lt_d3_cross(arm, o->came[i]), o->mass[i]);
        lt_dmat3 own = lt_dm3_scale(lt_dm3_identity(), o->mass[i] * lt_d3_length_squared(arm));
        inertia = lt_dm3_add(inertia, lt_dm3_sub(own, outer(arm, o->mass[i])));
    }
    lt_dmat3 inverse = lt_dm3_inverse(inertia);
    lt_dvec3 spin = lt_dm3_mul_vec(inverse, momentum);
    lt_dvec3 drift =
        lt_dm3_mul_vec(inverse, lt_d3_cross(spin, momentum)); /* of the spin, backwards, without torque */
    lt_dvec3 half = lt_d3_scale(lt_d3_mad(spin, drift, o->dt / 2), -o->dt / 2);
    double whole = sqrt(1 + lt_d3_length_squared(half));
    const double q[4] = {half.x / whole, half.y / whole, half.z / whole, 1 / whole};
    lt_dmat3 back = lt_matrix_from_quaternion(q);
    for (uint32_t i = begin; i < begin + count; i++) {
        lt_dvec3 arm = lt_d3_sub(o->x[i], center);
        lt_dvec3 chord = lt_d3_scale(lt_d3_sub(arm, lt_dm3_mul_vec(back, arm)), 1 / o->dt);
        o->came[i] = lt_d3_add(o->came[i], lt_d3_sub(chord, lt_d3_cross(spin, arm)));
    }
}

static void load_body(lt_oracle *o, const lt_soft *soft, uint32_t begin) {
    for (uint32_t i = 0; i < soft->carrier.node_count; i++) {
        uint32_t node = begin + i;
        o->x[node] = from_real(lt_node_get(soft->x, i));
        o->came[node] = from_real(lt_node_get(soft->v, i));
        o->force[node] = lt_d3_mad(from_real(lt_node_get(soft->force, i)), o->gravity, o->mass[node]);
        o->pinned[node] = soft->pinned[i] != 0;
        lt_dvec3 way = lt_d3_sub(from_real(lt_node_get(soft->pin_target, i)), o->x[node]);
        o->target[node] = lt_d3_scale(way, 1 / o->dt);
    }
    add_chords(o, begin, soft->carrier.node_count);
}

void lt_oracle_load(lt_oracle *o, const lt_soft *bodies, const lt_coupling *couplings,
                    uint32_t coupling_count, lt_dvec3 gravity, double dt) {
    LT_ASSERT(coupling_count <= o->coupling_capacity);
    o->couplings = couplings;
    o->coupling_count = coupling_count;
    o->gravity = gravity;
    o->dt = dt;
    lt_skyline_begin(&o->matrix);
    for (uint32_t b = 0; b < o->body_count; b++)
        load_body(o, &bodies[b], o->node_begin[b]);
    for (uint32_t i = 0; i < o->tet_count; i++)
        o->held[i] = lt_polar_by_svd(gradient_of(&o->tets[i], o->x, NULL, 0));
    memcpy(o->v, o->came, o->node_count * sizeof *o->v);
}
