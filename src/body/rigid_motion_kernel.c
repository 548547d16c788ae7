/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Passes over the nodes of a body that its rigid motion asks for: some ten in a step of a body that deforms. See rigid_passes.h.
 *
 * Sums take a node at a time, its three components in the lanes of four doubles: nothing is left over at the end, and the order of sums
 * is that of rows. What is not summed takes eight nodes at a time, in reals. */

#include "body/rigid_passes.h"

/* ---- a node at a time ---- */

static inline uint32_t node_of(const lt_node_pass *pass, uint32_t row) {
    return pass->nodes ? pass->nodes[row] : row;
}

static inline lt_d4 load_node(const lt_real *vectors, uint32_t node) {
    return lt_d4_of_r4(lt_r4_load(vectors + 4 * (size_t)node));
}

static inline lt_d4 center_of(const lt_node_pass *pass) {
    const double c[4] = {(double)pass->center.x, (double)pass->center.y, (double)pass->center.z, 0};
    return lt_d4_load(c);
}

/* (z, x, y) of a × b */
static inline lt_d4 cross_zxy(lt_d4 a, lt_d4 b) {
    return lt_d4_sub(lt_d4_mul(a, lt_d4_yzx(b)), lt_d4_mul(lt_d4_yzx(a), b));
}

static inline void store_xyz(double out[3], lt_d4 a) {
    double lanes[4];
    lt_d4_store(lanes, a);
    out[0] = lanes[0], out[1] = lanes[1], out[2] = lanes[2];
}

static inline void store_zxy(double out[3], lt_d4 a) {
    double lanes[4];
    lt_d4_store(lanes, a);
    out[2] = lanes[0], out[0] = lanes[1], out[1] = lanes[2];
}

static void sum(const lt_node_pass *pass, lt_node_sums *out) {
    lt_d4 zero = lt_d4_splat(0), center = center_of(pass), first = zero, squares = zero, mixed = zero,
          linear = zero, angular = zero;
    double mass = 0, apart[3];
    for (uint32_t row = 0; row < pass->count; row++) {
        uint32_t node = node_of(pass, row);
        double m = (double)pass->mass[node];
        lt_d4 weight = lt_d4_splat(m), v = load_node(pass->v, node);
        lt_d4 r = lt_d4_sub(load_node(pass->x, node), center), moment = lt_d4_mul(weight, r);
        mass += m;
        first = lt_d4_add(first, moment);
        squares = lt_d4_mad(squares, moment, r);
        mixed = lt_d4_mad(mixed, moment, lt_d4_yzx(r));
        linear = lt_d4_mad(linear, weight, v);
        angular = lt_d4_add(angular, cross_zxy(moment, v));
    }
    out->mass = mass;
    store_xyz(out->first, first);
    store_xyz(out->second, squares);
    store_xyz(apart, mixed);
    out->second[3] = apart[0], out->second[4] = apart[2], out->second[5] = apart[1];
    store_xyz(out->linear, linear);
    store_zxy(out->angular, angular);
}

static void sum_forces(const lt_node_pass *pass, double out[LT_RIGID]) {
    lt_d4 center = center_of(pass), linear = lt_d4_splat(0), angular = linear;
    for (uint32_t row = 0; row < pass->count; row++) {
        uint32_t node = node_of(pass, row);
        lt_d4 force = load_node(pass->force, node);
        linear = lt_d4_add(linear, force);
        angular = lt_d4_add(angular, cross_zxy(lt_d4_sub(load_node(pass->x, node), center), force));
    }
    store_xyz(out, linear);
    store_zxy(out + 3, angular);
}

static double kinetic(const lt_node_pass *pass) {
    lt_d4 total = lt_d4_splat(0);
    double lanes[3];
    for (uint32_t row = 0; row < pass->count; row++) {
        uint32_t node = node_of(pass, row);
        lt_d4 v = load_node(pass->v, node);
        total = lt_d4_mad(total, lt_d4_mul(v, v), lt_d4_splat((double)pass->mass[node]));
    }
    store_xyz(lanes, total);
    return (lanes[0] + lanes[1] + lanes[2]) / 2;
}

static double power(const lt_node_pass *pass) {
    lt_d4 total = lt_d4_splat(0);
    double lanes[3];
    for (uint32_t row = 0; row < pass->count; row++)
        total = lt_d4_mad(total, load_node(pass->rows, row), load_node(pass->force, node_of(pass, row)));
    store_xyz(lanes, total);
    return lanes[0] + lanes[1] + lanes[2];
}

typedef struct map4 {
    lt_r4 columns[4];
} map4;

static inline map4 load_map4(const lt_plain_map *map) {
    map4 out;
    for (int i = 0; i < 4; i++) {
        const lt_real lanes[4] = {map->columns[i][0], map->columns[i][1], map->columns[i][2], 0};
        out.columns[i] = lt_r4_load(lanes);
    }
    return out;
}

static inline lt_r4 map4_at(const map4 *map, const lt_r4 offset[3]) {
    lt_r4 value = map->columns[3];
    for (int k = 0; k < 3; k++)
        value = lt_r4_mad(value, map->columns[k], offset[k]);
    return value;
}

static void sum_added(const lt_node_pass *pass, const lt_plain_map *rigid, const lt_plain_map *arm,
                      double out[LT_RIGID]) {
    map4 motion = load_map4(rigid), turned = load_map4(arm);
    lt_d4 linear = lt_d4_splat(0), angular = linear;
    for (uint32_t row = 0; row < pass->count; row++) {
        uint32_t node = node_of(pass, row);
        const lt_real *x = pass->x + 4 * (size_t)node;
        const lt_r4 offset[3] = {lt_r4_splat(x[0] - pass->center.x), lt_r4_splat(x[1] - pass->center.y),
                                 lt_r4_splat(x[2] - pass->center.z)};
        lt_r4 more = lt_r4_sub(lt_r4_load(pass->rows + 4 * (size_t)row), map4_at(&motion, offset));
        lt_d4 p = lt_d4_mul(lt_d4_of_r4(more), lt_d4_splat((double)pass->mass[node]));
        linear = lt_d4_add(linear, p);
        angular = lt_d4_add(angular, cross_zxy(lt_d4_of_r4(map4_at(&turned, offset)), p));
    }
    store_xyz(out, linear);
    store_zxy(out + 3, angular);
}

/* A spin that is rounded once for all nodes would be momentum, 3e-8 of it in every step. */
static void give(const lt_node_pass *pass, const double motion[LT_RIGID]) {
    LT_ASSERT(pass->count > 0);
    const double u[4] = {motion[0], motion[1], motion[2], 0}, w[4] = {motion[4], motion[5], motion[3], 0};
    lt_d4 center = center_of(pass), speed = lt_d4_load(u), spin_yzx = lt_d4_load(w),
          spin_zxy = lt_d4_yzx(spin_yzx);
    for (uint32_t row = 0; row < pass->count; row++) {
        uint32_t node = node_of(pass, row);
        lt_real *v = pass->v + 4 * (size_t)node;
        lt_d4 yzx = lt_d4_yzx(lt_d4_sub(load_node(pass->x, node), center)), zxy = lt_d4_yzx(yzx);
        lt_d4 more = lt_d4_sub(lt_d4_mad(speed, spin_yzx, zxy), lt_d4_mul(spin_zxy, yzx));
        lt_r4_store(v, lt_r4_of_d4(lt_d4_add(load_node(pass->v, node), more)));
    }
}

/* ---- eight nodes at a time ---- */

enum { LANES = 8 };

/* The last group names its last node over and over: what is stored twice is the same. */
typedef struct group {
    uint32_t rows[LANES], nodes[LANES];
} group;

static inline group group_at(const lt_node_pass *pass, uint32_t begin) {
    LT_ASSERT(begin < pass->count);
    group g;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t row = begin + lane, last = pass->count - 1;
        g.rows[lane] = row < last ? row : last;
        g.nodes[lane] = node_of(pass, g.rows[lane]);
    }
    return g;
}

typedef struct map8 {
    lt_r8 columns[4][3];
} map8;

static inline map8 load_map8(const lt_plain_map *map) {
    map8 out;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            out.columns[i][k] = lt_r8_splat(map->columns[i][k]);
    return out;
}

static inline void map8_at(lt_r8 out[3], const map8 *map, const lt_r8 offset[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = map->columns[3][k];
        for (int i = 0; i < 3; i++)
            out[k] = lt_r8_mad(out[k], map->columns[i][k], offset[i]);
    }
}

static inline void offsets_of(lt_r8 out[3], const lt_node_pass *pass, const lt_r8 x[3]) {
    out[0] = lt_r8_sub(x[0], lt_r8_splat(pass->center.x));
    out[1] = lt_r8_sub(x[1], lt_r8_splat(pass->center.y));
    out[2] = lt_r8_sub(x[2], lt_r8_splat(pass->center.z));
}

static lt_real fastest(const lt_node_pass *pass) {
    lt_r8 most = lt_r8_splat(0);
    lt_real lanes[LANES], square = 0;
    for (uint32_t begin = 0; begin < pass->count; begin += LANES) {
        group g = group_at(pass, begin);
        lt_r8 v[3];
        lt_r8_gather3(v, pass->v, g.nodes);
        most = lt_r8_max(lt_r8_mad(lt_r8_mad(lt_r8_mul(v[0], v[0]), v[1], v[1]), v[2], v[2]), most);
    }
    lt_r8_store(lanes, most);
    for (int lane = 0; lane < LANES; lane++)
        square = lt_max_r(square, lanes[lane]);
    return lt_sqrt_r(square);
}

static inline void map_group(lt_r8 out[3], const lt_node_pass *pass, const group *g, const map8 *map) {
    lt_r8 x[3], offset[3];
    lt_r8_gather3(x, pass->x, g->nodes);
    offsets_of(offset, pass, x);
    map8_at(out, map, offset);
}

static void set_rows(const lt_node_pass *pass, const lt_plain_map *by) {
    map8 map = load_map8(by);
    for (uint32_t begin = 0; begin < pass->count; begin += LANES) {
        group g = group_at(pass, begin);
        lt_r8 value[3];
        map_group(value, pass, &g, &map);
        lt_r8_scatter3(pass->rows, g.rows, value);
    }
}

/* rows = what `from` has there + sign · the map; sign ±1: products with it are exact. */
static inline void set_sums(const lt_node_pass *pass, const lt_real *from, bool is_of_rows,
                            const lt_plain_map *by, lt_real sign) {
    map8 map = load_map8(by);
    for (uint32_t begin = 0; begin < pass->count; begin += LANES) {
        group g = group_at(pass, begin);
        lt_r8 value[3], v[3];
        map_group(value, pass, &g, &map);
        lt_r8_gather3(v, from, is_of_rows ? g.rows : g.nodes);
        for (int k = 0; k < 3; k++)
            value[k] = lt_r8_mad(v[k], value[k], lt_r8_splat(sign));
        lt_r8_scatter3(pass->rows, g.rows, value);
    }
}

static void add_to_rows(const lt_node_pass *pass, const lt_plain_map *by) {
    set_sums(pass, pass->rows, true, by, 1);
}

static void set_rows_apart(const lt_node_pass *pass, const lt_plain_map *by) {
    set_sums(pass, pass->v, false, by, -1);
}

static void carry(const lt_node_pass *pass, const lt_carry_maps *maps, lt_real dt) {
    map8 rigid = load_map8(&maps->rigid), turn = load_map8(&maps->turn), bent = load_map8(&maps->bent);
    lt_r8 step = lt_r8_splat(dt);
    for (uint32_t begin = 0; begin < pass->count; begin += LANES) {
        group g = group_at(pass, begin);
        lt_r8 x[3], offset[3], v[3], with_all[3], bending[3], turned[3], more[3];
        lt_r8_gather3(x, pass->x, g.nodes);
        lt_r8_gather3(v, pass->rows, g.rows);
        offsets_of(offset, pass, x);
        map8_at(with_all, &rigid, offset);
        map8_at(more, &bent, offset);
        for (int k = 0; k < 3; k++)
            bending[k] = lt_r8_sub(v[k], with_all[k]);
        map8_at(turned, &turn, bending);
        for (int k = 0; k < 3; k++) {
            x[k] = lt_r8_add(lt_r8_mad(x[k], v[k], step), more[k]);
            x[k] = lt_r8_mad(x[k], turned[k], step);
            v[k] = lt_r8_add(bending[k], turned[k]);
        }
        lt_r8_scatter3(pass->x, g.nodes, x);
        lt_r8_scatter3(pass->v, g.nodes, v);
    }
}

/* ---- two nodes at a time ---- */

static inline lt_r8 size_of(lt_r8 a) {
    return lt_r8_max(a, lt_r8_sub(lt_r8_splat(0), a));
}

static void check_some(lt_motion_check *check, const lt_real *x, const lt_real *before, const lt_real *v,
                       size_t count) {
    lt_r8 worst = lt_r8_splat(0), largest = worst, poison = worst;
    lt_real lanes[3][LANES];
    for (size_t i = 0; i + LANES <= count; i += LANES) {
        lt_r8 at = lt_r8_load(x + i), speed = lt_r8_load(v + i);
        worst = lt_r8_max(size_of(lt_r8_sub(at, lt_r8_load(before + i))), worst);
        largest = lt_r8_max(lt_r8_max(size_of(at), size_of(speed)), largest);
        poison = lt_r8_add(poison, lt_r8_add(lt_r8_sub(at, at), lt_r8_sub(speed, speed)));
    }
    lt_r8_store(lanes[0], worst);
    lt_r8_store(lanes[1], largest);
    lt_r8_store(lanes[2], poison);
    for (int lane = 0; lane < LANES; lane++) {
        check->worst = lt_max_r(check->worst, lanes[0][lane]);
        check->largest = lt_max_r(check->largest, lanes[1][lane]);
        check->poison += lanes[2][lane];
    }
}

static void check(lt_motion_check *check, const lt_real *x, const lt_real *before, const lt_real *v,
                  uint32_t count) {
    size_t even = 4 * (size_t)(count - count % 2);
    check_some(check, x, before, v, even);
    if (count % 2 == 0) return;
    lt_real last[3][LANES] = {{0}};
    memcpy(last[0], x + even, 4 * sizeof *x);
    memcpy(last[1], before + even, 4 * sizeof *x);
    memcpy(last[2], v + even, 4 * sizeof *x);
    check_some(check, last[0], last[1], last[2], LANES);
}

extern const lt_motion_kernels LT_KERNEL(lt_motion_kernels);
const lt_motion_kernels LT_KERNEL(lt_motion_kernels) = {.sum = sum,
                                                        .sum_forces = sum_forces,
                                                        .sum_added = sum_added,
                                                        .kinetic = kinetic,
                                                        .power = power,
                                                        .fastest = fastest,
                                                        .set_rows = set_rows,
                                                        .add_to_rows = add_to_rows,
                                                        .set_rows_apart = set_rows_apart,
                                                        .carry = carry,
                                                        .give = give,
                                                        .check = check};
