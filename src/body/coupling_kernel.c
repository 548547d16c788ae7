/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Couplings eight at a time: relative velocities, impulses, slopes of searches, and what impulses add up to on rigid things. See
 * coupling_law.h. Sums over couplings are in double, lane by lane and then over the lanes: one order at every level. */

#include "body/coupling_law.h"

/* ---- lanes ---- */

static inline void load3(lt_r8 out[3], const lt_lanes3 from) {
    for (int k = 0; k < 3; k++)
        out[k] = lt_r8_load(from[k]);
}
static inline void store3(lt_lanes3 to, const lt_r8 value[3]) {
    for (int k = 0; k < 3; k++)
        lt_r8_store(to[k], value[k]);
}
static inline lt_r8 dot3(const lt_r8 a[3], const lt_r8 b[3]) {
    return lt_r8_mad(lt_r8_mad(lt_r8_mul(a[0], b[0]), a[1], b[1]), a[2], b[2]);
}

typedef double sums8[LT_LANES_OF_GROUP];

static inline void add_lanes(sums8 sums, lt_r8 value) {
    lt_lanes lanes;
    lt_r8_store(lanes, value);
    for (int lane = 0; lane < LT_LANES_OF_GROUP; lane++)
        sums[lane] += (double)lanes[lane];
}
static inline double sum_of(const sums8 s) {
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

/* ---- nodes ---- */

static inline void gather_slots(lt_r8 out[3], const lt_coupling_slot *slots, uint32_t count,
                                const lt_real *vectors) {
    for (uint32_t i = 0; i < count; i++) {
        lt_r8 v[3], weight = lt_r8_load(slots[i].weights);
        lt_r8_gather3(v, vectors, slots[i].rows);
        for (int k = 0; k < 3; k++)
            out[k] = lt_r8_mad(out[k], v[k], weight);
    }
}

/* J v */
static inline void gather_group(lt_r8 out[3], const lt_coupling_set *set, const lt_coupling_group *g,
                                const lt_real *vectors) {
    out[0] = out[1] = out[2] = lt_r8_splat(0);
    gather_slots(out, set->slots + g->slot_begin, g->slot_count, vectors);
}

/* v += Jᵀ value */
static inline void scatter_group(const lt_coupling_set *set, const lt_coupling_group *g, lt_real *vectors,
                                 const lt_r8 value[3]) {
    const lt_coupling_slot *slots = set->slots + g->slot_begin;
    for (uint32_t i = 0; i < g->slot_count; i++) {
        lt_r8 part[3], weight = lt_r8_load(slots[i].weights);
        for (int k = 0; k < 3; k++)
            part[k] = lt_r8_mul(value[k], weight);
        lt_r8_scatter_add3(vectors, slots[i].rows, part);
    }
}

/* ---- the law ---- */

typedef struct law {
    lt_r8 normal[3], hold[3], gain, push, friction;
    lt_r8m tether;
} law;

static inline law law_of(const lt_coupling_group *g) {
    law c = {.gain = lt_r8_load(g->gain), .push = lt_r8_load(g->push), .friction = lt_r8_load(g->friction)};
    load3(c.normal, g->normal);
    load3(c.hold, g->hold);
    c.tether = lt_r8_less_equal(lt_r8_splat(LT_NO_LIMIT), c.friction);
    return c;
}

/* Along the normal, cut at zero. */
static inline lt_r8 push_of(const law *c, const lt_r8 u[3]) {
    lt_r8 push = lt_r8_sub(c->push, lt_r8_mul(c->gain, dot3(c->normal, u)));
    return lt_r8_max(push, lt_r8_splat(0));
}

/* The spring and damper: across the normal for contacts, in all directions for tethers. */
static inline void hold_of(lt_r8 out[3], const law *c, const lt_r8 u[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = lt_r8_mad(c->hold[k], u[k], c->gain);
    lt_r8 along = dot3(c->normal, out);
    for (int k = 0; k < 3; k++)
        out[k] = lt_r8_sub(out[k], lt_r8_mul(c->normal[k], along));
}

static inline lt_r8 bound_of(const law *c, lt_r8 push) {
    return lt_r8_select(c->tether, lt_r8_splat(LT_NO_LIMIT), lt_r8_mul(c->friction, push));
}

/* Friction within its bound. */
typedef struct held {
    lt_r8 push, bound;
    lt_r8 w[3];    /* of the spring and damper, not cut */
    lt_r8 length;  /* |w| where it slides, else 1 */
    lt_r8m slides; /* |w| is over the bound */
} held;

static inline held held_within(const law *c, const lt_r8 u[3], lt_r8 push, lt_r8 bound) {
    held h = {.push = push, .bound = bound};
    hold_of(h.w, c, u);
    lt_r8 square = dot3(h.w, h.w);
    h.slides = lt_r8_less(lt_r8_mul(bound, bound), square);
    h.length = lt_r8_sqrt(lt_r8_select(h.slides, square, lt_r8_splat(1)));
    return h;
}

static inline held held_at(const law *c, const lt_r8 u[3]) {
    lt_r8 push = push_of(c, u);
    return held_within(c, u, push, bound_of(c, push));
}

static inline void impulse_of(lt_r8 out[3], const law *c, const held *h) {
    lt_r8 share = lt_r8_select(h->slides, lt_r8_div(h->bound, h->length), lt_r8_splat(1));
    for (int k = 0; k < 3; k++)
        out[k] = lt_r8_sub(lt_r8_mul(c->normal[k], h->push), lt_r8_mul(h->w[k], share));
}

/* How much impulse answers a change of u: g both ways of tethers, nothing of a contact that does not push. */
static inline void gains_of(lt_r8 out[2], const law *c, const held *h) {
    lt_r8 zero = lt_r8_splat(0), all = lt_r8_select(lt_r8_less(zero, h->push), c->gain, zero);
    all = lt_r8_select(c->tether, c->gain, all);
    out[0] = all;
    out[1] = lt_r8_mul(all, lt_r8_select(h->slides, lt_r8_div(h->bound, h->length), lt_r8_splat(1)));
}

/* ---- passes over all ---- */

static void look(const lt_coupling_set *set, const lt_real *v) {
    for (uint32_t i = 0; i < set->group_count; i++) {
        lt_coupling_group *g = &set->groups[i];
        lt_r8 u[3];
        gather_group(u, set, g, v);
        for (int k = 0; k < 3; k++)
            lt_r8_store(g->u[k], lt_r8_sub(u[k], lt_r8_load(g->partner[k])));
    }
}

static void answer(const lt_coupling_set *set, lt_real *r) {
    for (uint32_t i = 0; i < set->group_count; i++) {
        lt_coupling_group *g = &set->groups[i];
        law c = law_of(g);
        lt_r8 u[3], impulse[3];
        load3(u, g->u);
        held h = held_at(&c, u);
        impulse_of(impulse, &c, &h);
        lt_r8_store(g->bound, h.bound);
        store3(g->impulse, impulse);
        scatter_group(set, g, r, impulse);
    }
}

static void begin_line(const lt_coupling_set *set, const lt_real *p, double *slope, double *curvature) {
    sums8 along = {0}, bent = {0};
    for (uint32_t i = 0; i < set->group_count; i++) {
        lt_coupling_group *g = &set->groups[i];
        law c = law_of(g);
        lt_r8 u[3], change[3], impulse[3], gains[2];
        gather_group(change, set, g, p);
        store3(g->change, change);
        load3(u, g->u);
        load3(impulse, g->impulse);
        lt_r8 normal = dot3(c.normal, change);
        held h = held_at(&c, u);
        gains_of(gains, &c, &h);
        lt_r8 more = lt_r8_mul(lt_r8_sub(gains[0], gains[1]), lt_r8_mul(normal, normal));
        add_lanes(bent, lt_r8_mad(more, gains[1], dot3(change, change)));
        add_lanes(along, dot3(impulse, change));
    }
    *slope = -sum_of(along);
    *curvature = sum_of(bent);
}

static double slope_at(const lt_coupling_set *set, lt_real t) {
    sums8 along = {0};
    for (uint32_t i = 0; i < set->group_count; i++) {
        const lt_coupling_group *g = &set->groups[i];
        law c = law_of(g);
        lt_r8 u[3], change[3], impulse[3], bound = lt_r8_load(g->bound);
        load3(change, g->change);
        for (int k = 0; k < 3; k++)
            u[k] = lt_r8_mad(lt_r8_load(g->u[k]), change[k], lt_r8_splat(t));
        held h = held_within(&c, u, push_of(&c, u), bound);
        impulse_of(impulse, &c, &h);
        add_lanes(along, dot3(impulse, change));
    }
    return -sum_of(along);
}

static void advance(const lt_coupling_set *set, lt_real t) {
    for (uint32_t i = 0; i < set->group_count; i++) {
        lt_coupling_group *g = &set->groups[i];
        for (int k = 0; k < 3; k++)
            lt_r8_store(g->u[k], lt_r8_mad(lt_r8_load(g->u[k]), lt_r8_load(g->change[k]), lt_r8_splat(t)));
    }
}

static void gather(const lt_coupling_set *set, uint32_t group, const lt_real *v, lt_lanes3 a,
                   lt_lanes3 both) {
    LT_ASSERT(group < set->group_count);
    const lt_coupling_group *g = &set->groups[group];
    const lt_coupling_slot *slots = set->slots + g->slot_begin;
    LT_ASSERT(g->a_slots <= g->slot_count && g->slot_begin + g->slot_count <= set->slot_capacity);
    lt_r8 sum[3] = {lt_r8_splat(0), lt_r8_splat(0), lt_r8_splat(0)};
    gather_slots(sum, slots, g->a_slots, v);
    store3(a, sum);
    gather_slots(sum, slots + g->a_slots, g->slot_count - g->a_slots, v);
    store3(both, sum);
}

static void gains_at(const lt_coupling_set *set, uint32_t group, lt_lanes normal, lt_lanes across) {
    LT_ASSERT(group < set->group_count);
    const lt_coupling_group *g = &set->groups[group];
    law c = law_of(g);
    lt_r8 u[3], gains[2];
    load3(u, g->u);
    held h = held_at(&c, u);
    gains_of(gains, &c, &h);
    lt_r8_store(normal, gains[0]);
    lt_r8_store(across, gains[1]);
}

/* ---- rigid things ---- */

static inline lt_r8m lanes_of(const lt_coupling_run *run) {
    LT_ASSERT(run->begin < run->end && run->end <= LT_LANES_OF_GROUP);
    static const lt_lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    lt_r8 lane = lt_r8_load(numbers);
    return lt_r8m_and(lt_r8_less_equal(lt_r8_splat((lt_real)run->begin), lane),
                      lt_r8_less(lane, lt_r8_splat((lt_real)run->end)));
}

static inline void rigid_velocity(lt_r8 out[3], const double motion[LT_RIGID], const lt_r8 arm[3]) {
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        lt_r8 v = lt_r8_mad(lt_r8_splat((lt_real)motion[k]), lt_r8_splat((lt_real)motion[3 + l]), arm[m]);
        out[k] = lt_r8_sub(v, lt_r8_mul(lt_r8_splat((lt_real)motion[3 + m]), arm[l]));
    }
}

enum { MOMENTS = 21, POINTS = 10 };

/* Of one pair, lane by lane. */
typedef struct pair_sums {
    sums8 wrench[LT_RIGID];
    lt_lanes moments[MOMENTS]; /* of single directions, the lower half by rows */
    lt_lanes points[POINTS];   /* of gains in all directions: 1, x, y, z, xx, yy, zz, xy, xz, yz */
} pair_sums;

static inline void add_to(lt_lanes sum, lt_r8 value) {
    lt_r8_store(sum, lt_r8_add(lt_r8_load(sum), value));
}

static inline void cross3(lt_r8 out[3], const lt_r8 a[3], const lt_r8 b[3]) {
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = lt_r8_sub(lt_r8_mul(a[l], b[m]), lt_r8_mul(a[m], b[l]));
    }
}

static inline void add_wrench(pair_sums *s, const lt_r8 arm[3], const lt_r8 impulse[3]) {
    lt_r8 moment[3];
    cross3(moment, arm, impulse);
    for (int k = 0; k < 3; k++) {
        add_lanes(s->wrench[k], impulse[k]);
        add_lanes(s->wrench[3 + k], moment[k]);
    }
}

static inline void add_direction(pair_sums *s, const lt_r8 arm[3], const lt_r8 direction[3], lt_r8 gain) {
    lt_r8 row[LT_RIGID] = {direction[0], direction[1], direction[2]};
    cross3(row + 3, arm, direction);
    for (int i = 0, at = 0; i < LT_RIGID; i++) {
        lt_r8 part = lt_r8_mul(gain, row[i]);
        for (int j = 0; j <= i; j++, at++)
            add_to(s->moments[at], lt_r8_mul(part, row[j]));
    }
}

static inline void add_point(pair_sums *s, const lt_r8 arm[3], lt_r8 gain) {
    lt_r8 x = lt_r8_mul(gain, arm[0]), y = lt_r8_mul(gain, arm[1]), z = lt_r8_mul(gain, arm[2]);
    const lt_r8 parts[POINTS] = {gain,
                                 x,
                                 y,
                                 z,
                                 lt_r8_mul(x, arm[0]),
                                 lt_r8_mul(y, arm[1]),
                                 lt_r8_mul(z, arm[2]),
                                 lt_r8_mul(x, arm[1]),
                                 lt_r8_mul(x, arm[2]),
                                 lt_r8_mul(y, arm[2])};
    for (int i = 0; i < POINTS; i++)
        add_to(s->points[i], parts[i]);
}

static double sum_lanes(const lt_lanes lanes) {
    sums8 sums;
    for (int lane = 0; lane < LT_LANES_OF_GROUP; lane++)
        sums[lane] = (double)lanes[lane];
    return sum_of(sums);
}

/* A gain in all directions at a point: [1, −[r]; [r], [r][r]ᵀ] of the sums. */
static void add_moments(lt_block6 *out, const pair_sums *s) {
    double p[POINTS];
    for (int i = 0; i < POINTS; i++)
        p[i] = sum_lanes(s->points[i]);
    lt_block6 m = {{{p[0]},
                    {0, p[0]},
                    {0, 0, p[0]},
                    {0, -p[3], p[2], p[5] + p[6]},
                    {p[3], 0, -p[1], -p[7], p[4] + p[6]},
                    {-p[2], p[1], 0, -p[8], -p[9], p[4] + p[5]}}};
    for (int i = 0, at = 0; i < LT_RIGID; i++)
        for (int j = 0; j <= i; j++, at++)
            m.at[i][j] += sum_lanes(s->moments[at]);
    for (int i = 0; i < LT_RIGID; i++)
        for (int j = 0; j <= i; j++)
            out->at[i][j] += m.at[i][j];
    lt_mirror6(out);
}

static void end_pair(lt_rigid_pair *pair, const pair_sums *s, lt_look how) {
    for (int k = 0; k < LT_RIGID; k++)
        pair->wrench[k] = sum_of(s->wrench[k]);
    if (how == LT_LOOK_WRENCH) return;
    memset(&pair->moments, 0, sizeof pair->moments);
    add_moments(&pair->moments, s);
}

/* Impulses of the run's lanes; other lanes keep theirs, and add nothing. */
static inline void look_at_run(lt_coupling_group *g, const lt_coupling_run *run, const lt_rigid_pair *pair,
                               pair_sums *s, lt_look how) {
    lt_r8m mine = lanes_of(run);
    law c = law_of(g);
    lt_r8 u[3], arm[3], impulse[3], gains[2], zero = lt_r8_splat(0);
    load3(arm, g->arm);
    rigid_velocity(u, pair->motion, arm);
    for (int k = 0; k < 3; k++)
        u[k] = lt_r8_add(lt_r8_load(g->u[k]), u[k]);
    held h = held_at(&c, u);
    impulse_of(impulse, &c, &h);
    lt_r8_store(g->bound, lt_r8_select(mine, h.bound, lt_r8_load(g->bound)));
    for (int k = 0; k < 3; k++) {
        lt_r8_store(g->impulse[k], lt_r8_select(mine, impulse[k], lt_r8_load(g->impulse[k])));
        impulse[k] = lt_r8_select(mine, impulse[k], zero);
    }
    add_wrench(s, arm, impulse);
    if (how == LT_LOOK_WRENCH) return;
    gains_of(gains, &c, &h);
    if (how == LT_LOOK_HELD) gains[0] = lt_r8_select(lt_r8_less(zero, gains[0]), gains[0], c.gain);
    lt_r8 across = lt_r8_select(mine, gains[1], zero), normal = lt_r8_select(mine, gains[0], zero);
    add_point(s, arm, across);
    add_direction(s, arm, c.normal, lt_r8_sub(normal, across));
    lt_r8m slides = lt_r8m_and(h.slides, lt_r8_less(zero, across));
    if (how == LT_LOOK_SECANT || !lt_r8m_bits(slides)) return;
    for (int k = 0; k < 3; k++)
        h.w[k] = lt_r8_div(h.w[k], h.length);
    add_direction(s, arm, h.w, lt_r8_select(slides, lt_r8_sub(zero, across), zero));
}

static void look_rigid(const lt_coupling_set *set, lt_rigid_pair *pairs, uint32_t pair_count, lt_look how) {
    pair_sums sums;
    for (uint32_t i = 0; i < set->run_count; i++) {
        const lt_coupling_run *run = &set->runs[i];
        LT_ASSERT(run->pair < pair_count && run->group < set->group_count);
        (void)pair_count;
        if (i == 0 || run->pair != run[-1].pair) memset(&sums, 0, sizeof sums);
        look_at_run(&set->groups[run->group], run, &pairs[run->pair], &sums, how);
        if (i + 1 == set->run_count || run[1].pair != run->pair) end_pair(&pairs[run->pair], &sums, how);
    }
}

/* ---- closing steps ---- */

/* What a step is answered with: the gains of the law, by the secant of friction, and those of a contact that pushes where `change` could
 * bring it to that. */
typedef struct closing {
    law c;
    lt_r8 arm[3], along, across;
    lt_r8m mine, near;
} closing;

static inline closing closing_of(const lt_coupling_group *g, const lt_coupling_run *run,
                                 const lt_rigid_pair *pair, const lt_r8 change[3]) {
    closing k = {.c = law_of(g), .mine = lanes_of(run)};
    lt_r8 u[3], gains[2], zero = lt_r8_splat(0);
    load3(k.arm, g->arm);
    rigid_velocity(u, pair->motion, k.arm);
    for (int i = 0; i < 3; i++)
        u[i] = lt_r8_add(lt_r8_load(g->u[i]), u[i]);
    lt_r8 most = dot3(k.c.normal, change);
    held h = held_at(&k.c, u);
    gains_of(gains, &k.c, &h);
    lt_r8 raw = lt_r8_sub(k.c.push, lt_r8_mul(k.c.gain, dot3(k.c.normal, u)));
    most = lt_r8_mul(k.c.gain, lt_r8_max(most, lt_r8_sub(zero, most)));
    lt_r8m could = lt_r8_less(zero, lt_r8_add(raw, most));
    k.near = lt_r8m_and(k.mine, lt_r8m_and(could, lt_r8_less_equal(gains[0], zero)));
    k.along = lt_r8_select(k.near, k.c.gain, gains[0]);
    k.across = lt_r8_select(k.near, k.c.gain, gains[1]);
    return k;
}

/* The farther of what was looked at before and of what the pair's step changes, along the normal. */
static inline void farther(lt_r8 out[3], const lt_coupling_group *g, const lt_r8 before[3],
                           const lt_rigid_pair *pair) {
    lt_r8 arm[3], normal[3], change[3], zero = lt_r8_splat(0);
    load3(arm, g->arm);
    load3(normal, g->normal);
    rigid_velocity(change, pair->step, arm);
    lt_r8 was = dot3(normal, before), is = dot3(normal, change);
    lt_r8m less = lt_r8_less(lt_r8_max(is, lt_r8_sub(zero, is)), lt_r8_max(was, lt_r8_sub(zero, was)));
    for (int axis = 0; axis < 3; axis++)
        out[axis] = lt_r8_select(less, before[axis], change[axis]);
}

static bool look_near(const lt_coupling_set *set, lt_rigid_pair *pairs, bool again) {
    pair_sums sums;
    uint32_t fresh = 0;
    const lt_r8 zero = lt_r8_splat(0);
    for (uint32_t i = 0; i < set->run_count; i++) {
        const lt_coupling_run *run = &set->runs[i];
        lt_coupling_group *g = &set->groups[run->group];
        lt_rigid_pair *pair = &pairs[run->pair];
        lt_r8 before[3] = {zero, zero, zero}, change[3], arm[3], gain[2];
        if (i == 0 || run->pair != run[-1].pair) memset(&sums, 0, sizeof sums);
        if (again) load3(before, g->change);
        farther(change, g, before, pair);
        load3(arm, g->arm);
        closing was = closing_of(g, run, pair, before), is = closing_of(g, run, pair, change);
        gain[0] = lt_r8_select(is.near, is.c.gain, zero);
        gain[1] = lt_r8_select(was.near, is.c.gain, zero);
        for (int axis = 0; axis < 3; axis++)
            lt_r8_store(g->change[axis], lt_r8_select(is.mine, change[axis], lt_r8_load(g->change[axis])));
        add_point(&sums, arm, again ? lt_r8_sub(gain[0], gain[1]) : gain[0]);
        fresh |= lt_r8m_bits(lt_r8_less(gain[1], gain[0]));
        if (i + 1 == set->run_count || run[1].pair != run->pair) add_moments(&pair->moments, &sums);
    }
    return fresh != 0;
}

/* λ − G J step, of the run's lanes. */
static inline void close_run(lt_coupling_group *g, const lt_coupling_run *run, const lt_rigid_pair *pair,
                             pair_sums *s) {
    lt_r8 before[3], change[3], impulse[3], zero = lt_r8_splat(0);
    load3(before, g->change);
    closing k = closing_of(g, run, pair, before);
    rigid_velocity(change, pair->step, k.arm);
    lt_r8 normal = lt_r8_mul(lt_r8_sub(k.along, k.across), dot3(k.c.normal, change));
    for (int i = 0; i < 3; i++) {
        lt_r8 answer = lt_r8_mad(lt_r8_mul(change[i], k.across), k.c.normal[i], normal);
        impulse[i] = lt_r8_load(g->impulse[i]);
        impulse[i] = lt_r8_select(k.mine, lt_r8_sub(impulse[i], answer), impulse[i]);
        lt_r8_store(g->impulse[i], impulse[i]);
        impulse[i] = lt_r8_select(k.mine, impulse[i], zero);
    }
    add_wrench(s, k.arm, impulse);
}

static void close_rigid(const lt_coupling_set *set, lt_rigid_pair *pairs) {
    pair_sums sums;
    for (uint32_t i = 0; i < set->run_count; i++) {
        const lt_coupling_run *run = &set->runs[i];
        lt_rigid_pair *pair = &pairs[run->pair];
        if (i == 0 || run->pair != run[-1].pair) memset(&sums, 0, sizeof sums);
        close_run(&set->groups[run->group], run, pair, &sums);
        if (i + 1 == set->run_count || run[1].pair != run->pair) end_pair(pair, &sums, LT_LOOK_WRENCH);
    }
}

/* ---- u by rigid motions ---- */

static inline void move_runs(const lt_coupling_set *set, const lt_rigid_pair *pairs, bool set_them) {
    for (uint32_t i = 0; i < set->run_count; i++) {
        const lt_coupling_run *run = &set->runs[i];
        lt_coupling_group *g = &set->groups[run->group];
        lt_r8m mine = lanes_of(run);
        lt_r8 arm[3], v[3];
        load3(arm, g->arm);
        rigid_velocity(v, pairs[run->pair].motion, arm);
        for (int k = 0; k < 3; k++) {
            lt_r8 before = lt_r8_load(g->u[k]);
            lt_r8 after = set_them ? lt_r8_sub(v[k], lt_r8_load(g->partner[k])) : lt_r8_add(before, v[k]);
            lt_r8_store(g->u[k], lt_r8_select(mine, after, before));
        }
    }
}

static void set_rigid(const lt_coupling_set *set, const lt_rigid_pair *pairs) {
    move_runs(set, pairs, true);
}

static void add_rigid(const lt_coupling_set *set, const lt_rigid_pair *pairs) {
    move_runs(set, pairs, false);
}

extern const lt_coupling_kernels LT_KERNEL(lt_coupling_kernels);
const lt_coupling_kernels LT_KERNEL(lt_coupling_kernels) = {look,      answer,      begin_line, slope_at,
                                                            advance,   gather,      gains_at,   look_rigid,
                                                            look_near, close_rigid, set_rigid,  add_rigid};
