/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Elastic forces of linear tets, eight at a time.
 *
 * Symbols: F = Σ_k (x_k − x_0) g_kᵀ deformation gradient, g_k gradient of corner k at rest, V volume × fill.
 *   corotate  Müller & Gross: P = R (2μ (S−I) + λ tr(S−I) I), S = sym(RᵀF); f_k = −V P g_k
 *             lazily: R as it was while that is near enough
 *   green     O'Brien & Hodgins, self-consistent form: E = ½(FᵀF − I), Ė = ½(FᵀḞ + ḞᵀF),
 *             T = λ tr(E) I + 2μE + φ tr(Ė) I + 2ψĖ, f_k = −V F T g_k; and a volume term ½κ max(0, J₀ − det F)²,
 *             zero until a tet has lost three quarters of its volume: Green strain alone has no objection to
 *             being turned inside out, this has, and it is still the gradient of an energy. */

#include "body/kernel_internal.h"
#include "body/models.h"

/* Share of its volume below which a tet of the Green model pushes back, and with what modulus × (λ+2μ). */
static const lt_real VOLUME_FLOOR = (lt_real)0.25;
static const lt_real VOLUME_MODULUS = 2;

/* Columns of [vector of corner 1, 2, 3] − [corner 0], as m[3 * column + row]. */
static inline void gather_edges(lt_r8 out[9], const uint32_t *nodes, const lt_real *vectors) {
    lt_r8 first[3];
    lt_r8_gather3(first, vectors, nodes);
    for (int corner = 0; corner < 3; corner++) {
        lt_r8_gather3(out + 3 * corner, vectors, nodes + (corner + 1) * LT_GROUP);
        for (int row = 0; row < 3; row++)
            out[3 * corner + row] = lt_r8_sub(out[3 * corner + row], first[row]);
    }
}

static inline void load_gradients(lt_r8 g[9], const lt_real *gradients) {
    for (int i = 0; i < 9; i++)
        g[i] = lt_r8_load(gradients + i * LT_GROUP);
}

/* out = edges · gradients: column c is Σ_k edge_k g_k[c]. */
static inline void gradient_of(lt_r8 out[9], const lt_r8 edges[9], const lt_r8 g[9]) {
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            lt_r8 sum = lt_r8_mul(edges[row], g[column]);
            sum = lt_r8_mad(sum, edges[3 + row], g[3 + column]);
            out[3 * column + row] = lt_r8_mad(sum, edges[6 + row], g[6 + column]);
        }
}

/* out = m a for one vector. */
static inline void multiply_vector(lt_r8 out[3], const lt_r8 m[9], const lt_r8 *a) {
    for (int row = 0; row < 3; row++) {
        lt_r8 sum = lt_r8_mul(m[row], a[0]);
        sum = lt_r8_mad(sum, m[3 + row], a[1]);
        out[row] = lt_r8_mad(sum, m[6 + row], a[2]);
    }
}

/* Forces −V P g_k on corners 1, 2, 3 and their opposite on corner 0, added in the order of the tets. */
static inline void scatter_forces(lt_real *force, const uint32_t *nodes, const lt_r8 stress[9],
                                  const lt_r8 g[9], lt_r8 volume) {
    lt_real lanes[12][LT_GROUP];
    lt_r8 rest[3] = {lt_r8_splat(0), lt_r8_splat(0), lt_r8_splat(0)};
    for (int k = 0; k < 3; k++) {
        lt_r8 f[3];
        multiply_vector(f, stress, g + 3 * k);
        for (int row = 0; row < 3; row++) {
            f[row] = lt_r8_mul(f[row], volume);
            rest[row] = lt_r8_add(rest[row], f[row]);
            lt_r8_store(lanes[3 + 3 * k + row], lt_r8_sub(lt_r8_splat(0), f[row]));
        }
    }
    for (int row = 0; row < 3; row++)
        lt_r8_store(lanes[row], rest[row]);
    for (int lane = 0; lane < LT_GROUP; lane++)
        for (int corner = 0; corner < 4; corner++) {
            lt_real *p = force + 4 * (size_t)nodes[corner * LT_GROUP + lane];
            p[0] += lanes[3 * corner][lane];
            p[1] += lanes[3 * corner + 1][lane];
            p[2] += lanes[3 * corner + 2][lane];
        }
}

/* Forces likewise, corner by corner. */
static inline void scatter_stress(lt_real *force, const uint32_t *nodes, const lt_r8 stress[9],
                                  const lt_r8 g[9], lt_r8 volume) {
    lt_r8 zero = lt_r8_splat(0), first[3] = {zero, zero, zero};
    for (int corner = 0; corner < 3; corner++) {
        lt_r8 f[3];
        multiply_vector(f, stress, g + 3 * corner);
        for (int row = 0; row < 3; row++) {
            f[row] = lt_r8_mul(f[row], volume);
            first[row] = lt_r8_add(first[row], f[row]);
            f[row] = lt_r8_sub(zero, f[row]);
        }
        lt_r8_scatter_add3(force, nodes + (corner + 1) * LT_GROUP, f);
    }
    lt_r8_scatter_add3(force, nodes, first);
}

static inline lt_r8 determinant(const lt_r8 f[9]) {
    lt_r8 cross[3];
    lt_cross3_wide(cross, f + 3, f + 6);
    return lt_dot3_wide(f, cross);
}

static uint32_t count_inverted(lt_r8 det, lt_r8 volume) {
    lt_r8 zero = lt_r8_splat(0);
    uint32_t bits = lt_r8m_bits(lt_r8m_and(lt_r8_less_equal(det, zero), lt_r8_less(zero, volume)));
    return (uint32_t)__builtin_popcount(bits);
}

/* T = λ tr(E) I + 2μE for the symmetric E; returns the energy density ½λ tr² + μ|E|². */
static inline lt_r8 isotropic_stress(lt_r8 t[9], const lt_r8 e[9], lt_real lambda, lt_real mu) {
    lt_r8 trace = lt_r8_add(lt_r8_add(e[0], e[4]), e[8]);
    lt_r8 pressure = lt_r8_mul(lt_r8_splat(lambda), trace);
    lt_r8 squares = lt_r8_splat(0);
    for (int i = 0; i < 9; i++) {
        t[i] = lt_r8_mul(lt_r8_splat(2 * mu), e[i]);
        squares = lt_r8_mad(squares, e[i], e[i]);
        if (i % 4 == 0) t[i] = lt_r8_add(t[i], pressure);
    }
    lt_r8 half = lt_r8_splat((lt_real)0.5);
    return lt_r8_add(lt_r8_mul(lt_r8_mul(pressure, trace), half), lt_r8_mul(lt_r8_splat(mu), squares));
}

static inline void multiply(lt_r8 out[9], const lt_r8 a[9], const lt_r8 b[9]) {
    for (int column = 0; column < 3; column++)
        multiply_vector(out + 3 * column, a, b + 3 * column);
}

/* e = ½(b + bᵀ) − I */
static inline void symmetric_minus_identity(lt_r8 e[9], const lt_r8 b[9]) {
    lt_r8 half = lt_r8_splat((lt_real)0.5), one = lt_r8_splat(1);
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            lt_r8 both = lt_r8_add(b[3 * column + row], b[3 * row + column]);
            e[3 * column + row] = lt_r8_mul(half, both);
        }
    for (int i = 0; i < 9; i += 4)
        e[i] = lt_r8_sub(e[i], one);
}

/* Gradients in the world's frame. */
static inline void store_rotated(lt_real *out, const lt_r8 r[9], const lt_r8 g[9]) {
    for (int k = 0; k < 3; k++) {
        lt_r8 turned[3];
        multiply_vector(turned, r, g + 3 * k);
        for (int row = 0; row < 3; row++)
            lt_r8_store(out + (3 * k + row) * LT_GROUP, turned[row]);
    }
}

/* One group of a pass over rotations. */
static inline void corotate_group(lt_element_work *work, uint32_t group) {
    const lt_elements *elements = work->elements;
    const uint32_t *nodes = elements->nodes + 4 * LT_GROUP * (size_t)group;
    const lt_real *turns = work->turns + 4 * LT_GROUP * (size_t)group;
    lt_r8 edges[9], g[9], f[9], r[9], q[4], b[9], e[9], t[9], stress[9];
    lt_r8 volume = lt_r8_load(elements->volumes + LT_GROUP * (size_t)group);
    gather_edges(edges, nodes, work->x);
    load_gradients(g, elements->gradients + 9 * LT_GROUP * (size_t)group);
    gradient_of(f, edges, g);
    for (int i = 0; i < 4; i++)
        q[i] = lt_r8_load(turns + i * LT_GROUP);
    if (work->turned_by) lt_quaternion_turn_world_wide(q, work->turned_by);
    uint32_t unsettled = (work->near ? lt_polar_newton_near : lt_polar_newton)(r, q, f);
    if (unsettled) lt_settle_by_svd(r, q, f, unsettled);
    for (int i = 0; i < 4 && work->turns_out; i++)
        lt_r8_store(work->turns_out + (4 * (size_t)group + (size_t)i) * LT_GROUP, q[i]);
    lt_transposed_product_wide(b, r, f);
    symmetric_minus_identity(e, b);
    lt_r8 density = isotropic_stress(t, e, work->lambda, work->mu);
    multiply(stress, r, t);
    if (work->force) scatter_stress(work->force, nodes, stress, g, volume);
    work->energy += lt_sum_lanes(lt_r8_mul(density, volume));
    work->inverted_count += count_inverted(determinant(f), volume);
    if (work->rotated) store_rotated(work->rotated + 9 * LT_GROUP * (size_t)group, r, g);
}

static void corotate(lt_element_work *work) {
    uint32_t count = work->groups ? work->group_count : work->elements->group_count;
    work->inverted_count = 0;
    work->energy = 0;
    for (uint32_t i = 0; i < count; i++)
        corotate_group(work, work->groups ? work->groups[i] : i);
}

static void sum_turns(const lt_real *turns, uint32_t group_count, double out[4]) {
    LT_ASSERT(group_count > 0);
    lt_r8 zero = lt_r8_splat(0), sum[4] = {zero, zero, zero, zero};
    lt_real lanes[4][LT_GROUP];
    for (uint32_t group = 0; group < group_count; group++) {
        lt_r8 q[4], along = zero;
        for (int k = 0; k < 4; k++) {
            q[k] = lt_r8_load(turns + (4 * (size_t)group + (size_t)k) * LT_GROUP);
            along = lt_r8_mad(along, sum[k], q[k]);
        }
        lt_r8m opposite = lt_r8_less(along, zero);
        for (int k = 0; k < 4; k++)
            sum[k] = lt_r8_add(sum[k], lt_r8_select(opposite, lt_r8_sub(zero, q[k]), q[k]));
    }
    for (int k = 0; k < 4; k++)
        lt_r8_store(lanes[k], sum[k]);
    memset(out, 0, 4 * sizeof *out);
    for (int lane = 0; lane < LT_GROUP; lane++) {
        double along = 0;
        for (int k = 0; k < 4; k++)
            along += out[k] * (double)lanes[k][lane];
        for (int k = 0; k < 4; k++)
            out[k] += along < 0 ? -(double)lanes[k][lane] : (double)lanes[k][lane];
    }
}

/* σ = λ tr(D) I + μ (D + Dᵀ) of the gradient D, the stress that a small change of the positions makes. */
static inline void linear_stress(lt_r8 stress[9], const lt_r8 d[9], lt_r8 lambda, lt_r8 mu) {
    lt_r8 pressure = lt_r8_mul(lambda, lt_r8_add(lt_r8_add(d[0], d[4]), d[8]));
    for (int column = 0; column < 3; column++)
        for (int row = 0; row <= column; row++) {
            lt_r8 both = lt_r8_mul(mu, lt_r8_add(d[3 * column + row], d[3 * row + column]));
            if (row == column) both = lt_r8_add(both, pressure);
            stress[3 * column + row] = stress[3 * row + column] = both;
        }
}

/* y += K x by the rotations that are stored, at 6 to 7 ns a tet where an assembled product takes 5.4 and assembling 76. */
static void multiply_stiffness(const lt_stiffness_work *work) {
    const lt_elements *elements = work->elements;
    lt_r8 zero = lt_r8_splat(0);
    for (uint32_t group = 0; group < elements->group_count; group++) {
        const uint32_t *nodes = elements->nodes + 4 * LT_GROUP * (size_t)group;
        lt_r8 edges[9], h[9], d[9], stress[9], first[3] = {zero, zero, zero};
        lt_r8 volume = lt_r8_load(elements->volumes + LT_GROUP * (size_t)group);
        gather_edges(edges, nodes, work->x);
        load_gradients(h, work->rotated + 9 * LT_GROUP * (size_t)group);
        gradient_of(d, edges, h);
        linear_stress(stress, d, lt_r8_mul(lt_r8_splat(work->lambda), volume),
                      lt_r8_mul(lt_r8_splat(work->mu), volume));
        for (int corner = 0; corner < 3; corner++) {
            lt_r8 f[3];
            multiply_vector(f, stress, h + 3 * corner);
            for (int row = 0; row < 3; row++)
                first[row] = lt_r8_sub(first[row], f[row]);
            lt_r8_scatter_add3(work->y, nodes + (corner + 1) * LT_GROUP, f);
        }
        lt_r8_scatter_add3(work->y, nodes, first);
    }
}

/* The part of K's diagonal block that one corner of eight tets has, V ((λ + μ) h hᵀ + μ |h|² I), added to the nodes. */
static inline void scatter_diagonal(lt_real *blocks, const uint32_t *nodes, const lt_r8 h[3], lt_r8 both,
                                    lt_r8 mu) {
    lt_real lanes[6][LT_GROUP];
    lt_r8 square = lt_r8_mul(mu, lt_dot3_wide(h, h));
    for (int column = 0, at = 0; column < 3; column++)
        for (int row = 0; row <= column; row++, at++) {
            lt_r8 value = lt_r8_mul(both, lt_r8_mul(h[row], h[column]));
            lt_r8_store(lanes[at], row == column ? lt_r8_add(value, square) : value);
        }
    for (int lane = 0; lane < LT_GROUP; lane++) {
        lt_real *block = blocks + (size_t)LT_BLOCK_STRIDE * nodes[lane];
        for (int column = 0, at = 0; column < 3; column++)
            for (int row = 0; row <= column; row++, at++) {
                block[4 * column + row] += lanes[at][lane];
                if (row < column) block[4 * row + column] += lanes[at][lane];
            }
    }
}

static void add_stiffness_diagonal(const lt_stiffness_work *work) {
    const lt_elements *elements = work->elements;
    for (uint32_t group = 0; group < elements->group_count; group++) {
        const uint32_t *nodes = elements->nodes + 4 * LT_GROUP * (size_t)group;
        lt_r8 h[9], first[3];
        lt_r8 volume = lt_r8_load(elements->volumes + LT_GROUP * (size_t)group);
        lt_r8 mu = lt_r8_mul(lt_r8_splat(work->mu), volume);
        lt_r8 both = lt_r8_add(lt_r8_mul(lt_r8_splat(work->lambda), volume), mu);
        load_gradients(h, work->rotated + 9 * LT_GROUP * (size_t)group);
        for (int row = 0; row < 3; row++)
            first[row] = lt_r8_sub(lt_r8_splat(0), lt_r8_add(lt_r8_add(h[row], h[3 + row]), h[6 + row]));
        scatter_diagonal(work->y, nodes, first, both, mu);
        for (int corner = 0; corner < 3; corner++)
            scatter_diagonal(work->y, nodes + (corner + 1) * LT_GROUP, h + 3 * corner, both, mu);
    }
}

/* Rotations within the slack of where they would converge to stay, others go there. Returns the bits of those; b = RᵀF. */
static inline uint32_t follow(lt_r8 r[9], lt_r8 q[4], lt_r8 b[9], const lt_r8 f[9], lt_r8 det,
                              lt_real slack) {
    lt_r8 w[3], nearest[4];
    lt_rotation_of_wide(r, q);
    lt_transposed_product_wide(b, r, f);
    lt_r8m close = lt_r8_less_equal(lt_polar_turn_wide(w, b), lt_r8_splat(slack * slack));
    lt_r8m stays = lt_r8m_and(close, lt_r8_less(lt_r8_splat(0), det));
    uint32_t turned = ~lt_r8m_bits(stays) & 0xff;
    if (!turned) return 0;
    for (int i = 0; i < 4; i++)
        nearest[i] = q[i];
    uint32_t unsettled = lt_polar_newton(r, nearest, f);
    if (unsettled) lt_settle_by_svd(r, nearest, f, unsettled);
    for (int i = 0; i < 4; i++)
        q[i] = lt_r8_select(stays, q[i], nearest[i]);
    /* By the quaternions in any case: they are all that is saved. */
    lt_rotation_of_wide(r, q);
    lt_transposed_product_wide(b, r, f);
    return turned;
}

static void corotate_lazily(lt_element_work *work) {
    const lt_elements *elements = work->elements;
    work->inverted_count = 0;
    for (uint32_t i_group = 0; i_group < work->group_count; i_group++) {
        uint32_t group = work->groups[i_group];
        const uint32_t *nodes = elements->nodes + 4 * LT_GROUP * (size_t)group;
        lt_r8 edges[9], g[9], f[9], r[9], q[4], b[9], e[9], t[9], stress[9];
        lt_r8 volume = lt_r8_load(elements->volumes + LT_GROUP * (size_t)group);
        gather_edges(edges, nodes, work->x);
        load_gradients(g, elements->gradients + 9 * LT_GROUP * (size_t)group);
        gradient_of(f, edges, g);
        for (int i = 0; i < 4; i++)
            q[i] = lt_r8_load(work->turns + (4 * (size_t)group + (size_t)i) * LT_GROUP);
        lt_r8 det = determinant(f);
        uint32_t turned = follow(r, q, b, f, det, work->slack);
        for (int i = 0; i < 4 && work->turns_out && turned; i++)
            lt_r8_store(work->turns_out + (4 * (size_t)group + (size_t)i) * LT_GROUP, q[i]);
        if (work->turned) work->turned[group] = (uint8_t)turned;
        symmetric_minus_identity(e, b);
        isotropic_stress(t, e, work->lambda, work->mu);
        multiply(stress, r, t);
        if (work->force) scatter_forces(work->force, nodes, stress, g, volume);
        work->inverted_count += count_inverted(det, volume);
        if (work->rotated && (turned || work->rotate_all))
            store_rotated(work->rotated + 9 * LT_GROUP * (size_t)group, r, g);
    }
}

/* stress += κ min(0, det F − J₀) cof(F); returns the energy density. */
static inline lt_r8 add_volume_term(lt_r8 stress[9], const lt_r8 f[9], lt_r8 det, lt_real modulus) {
    lt_r8 zero = lt_r8_splat(0);
    lt_r8 lack = lt_r8_min(zero, lt_r8_sub(det, lt_r8_splat(VOLUME_FLOOR)));
    lt_r8 pressure = lt_r8_mul(lt_r8_splat(modulus), lack);
    for (int column = 0; column < 3; column++) {
        lt_r8 cofactor[3];
        lt_cross3_wide(cofactor, f + 3 * ((column + 1) % 3), f + 3 * ((column + 2) % 3));
        for (int row = 0; row < 3; row++)
            stress[3 * column + row] = lt_r8_mad(stress[3 * column + row], cofactor[row], pressure);
    }
    return lt_r8_mul(lt_r8_mul(pressure, lack), lt_r8_splat((lt_real)0.5));
}

/* Gershgorin: no eigenvalue of c = FᵀF is larger than its largest row sum. */
static inline lt_r8 largest_row_sum(const lt_r8 c[9]) {
    lt_r8 zero = lt_r8_splat(0), largest = zero;
    for (int row = 0; row < 3; row++) {
        lt_r8 sum = zero;
        for (int column = 0; column < 3; column++) {
            lt_r8 value = c[3 * column + row];
            sum = lt_r8_add(sum, lt_r8_max(value, lt_r8_sub(zero, value)));
        }
        largest = lt_r8_max(largest, sum);
    }
    return largest;
}

static inline lt_real largest_lane(lt_r8 value) {
    lt_real lanes[LT_GROUP], largest = 0;
    lt_r8_store(lanes, value);
    for (int lane = 0; lane < LT_GROUP; lane++)
        largest = lt_max_r(largest, lanes[lane]);
    return largest;
}

static void green(lt_element_work *work) {
    const lt_elements *elements = work->elements;
    const lt_real modulus = VOLUME_MODULUS * (work->lambda + 2 * work->mu);
    work->inverted_count = 0;
    work->energy = 0;
    work->stretch_squared = 0;
    for (uint32_t group = 0; group < elements->group_count; group++) {
        const uint32_t *nodes = elements->nodes + 4 * LT_GROUP * (size_t)group;
        lt_r8 edges[9], g[9], f[9], rate[9], c[9], e[9], t[9], viscous[9], stress[9];
        lt_r8 half = lt_r8_splat((lt_real)0.5), one = lt_r8_splat(1);
        lt_r8 volume = lt_r8_load(elements->volumes + LT_GROUP * (size_t)group);
        load_gradients(g, elements->gradients + 9 * LT_GROUP * (size_t)group);
        gather_edges(edges, nodes, work->x);
        gradient_of(f, edges, g);
        lt_transposed_product_wide(c, f, f);
        for (int i = 0; i < 9; i++)
            e[i] = lt_r8_mul(half, i % 4 == 0 ? lt_r8_sub(c[i], one) : c[i]);
        lt_r8 density = isotropic_stress(t, e, work->lambda, work->mu);
        if (work->viscosity > 0) {
            lt_r8 product[9];
            gather_edges(edges, nodes, work->v);
            gradient_of(rate, edges, g);
            lt_transposed_product_wide(product, f, rate);
            for (int column = 0; column < 3; column++)
                for (int row = 0; row < 3; row++)
                    e[3 * column + row] =
                        lt_r8_mul(half, lt_r8_add(product[3 * column + row], product[3 * row + column]));
            isotropic_stress(viscous, e, work->lambda * work->viscosity, work->mu * work->viscosity);
            for (int i = 0; i < 9; i++)
                t[i] = lt_r8_add(t[i], viscous[i]);
        }
        multiply(stress, f, t);
        lt_r8 det = determinant(f);
        density = lt_r8_add(density, add_volume_term(stress, f, det, modulus));
        if (work->force) scatter_forces(work->force, nodes, stress, g, volume);
        work->energy += lt_sum_lanes(lt_r8_mul(density, volume));
        work->inverted_count += count_inverted(det, volume);
        work->stretch_squared = lt_max_r(work->stretch_squared, largest_lane(largest_row_sum(c)));
    }
}

extern const lt_element_kernels LT_KERNEL(lt_element_kernels);
const lt_element_kernels LT_KERNEL(lt_element_kernels) = {
    corotate, corotate_lazily, green, multiply_stiffness, add_stiffness_diagonal, sum_turns};
