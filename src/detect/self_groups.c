/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Tets that move nearly as one are settled as one: while a coarse mesh moves a body, or it flies as a whole, near tets need not be
 * looked at.
 *
 * A group is 64 tets side by side; its surroundings are they and all that is near one of them. In a step an affine map G, t is fitted to
 * some of the nodes there, and the deviation D of all of them from it is measured at both ends. Whatever was fitted, and whatever moves
 * the nodes, every point X of a tet there is within D of G X + t at all times. With σ the least that G stretches
 *
 *     |x - y| ≥ σ |X - Y| - 2 D
 *
 * is more than the separation for all pairs that share no node if it is for those that are nearest to each other at rest. Gradients
 * differ from G by at most D Σ|∇λ| (`gradient_reach`): that settles those that share nodes, as their distance from the mean around a
 * node does (self.h), and with less than σ no tet turns inside out.
 *
 * Who is in a group that is not settled is *open*: a near pair is looked at if both are. Soundness hangs neither on the front of a
 * ladder nor on how groups are chosen; there is one set of them for all levels, so that nothing can be missed between levels (spec O9).
 *
 * Workload: a knot of 5,455 tets in 86 groups on a ladder. While it flies all are settled; where it lies on itself none is, and
 * that is told from the fitted nodes alone. */

#include "detect/self_internal.h"

#include <string.h>

enum { FITTED_MOST = 24 };

/* ---- at rest ---- */

static uint32_t end_of(const lt_self_tets *t, uint32_t group) {
    return lt_min_u32(LT_SELF_GROUP * (group + 1), t->tet_count);
}

static uint64_t *around(const lt_self_tets *t, uint32_t group) {
    return t->surroundings + (size_t)t->near_stride * group;
}

static void add_row(uint64_t *out, const uint64_t *row, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        out[i] |= row[i];
}

static void set_bit(uint64_t *row, uint32_t i) {
    row[i / 64] |= (uint64_t)1 << (i % 64);
}

static void fill_surroundings(const lt_self_tets *t) {
    for (uint32_t place = 0; place < t->tet_count; place++) {
        uint32_t tet = t->places[place];
        uint64_t *row = around(t, place / LT_SELF_GROUP);
        set_bit(row, tet);
        add_row(row, t->near_bits + (size_t)t->near_stride * tet, t->near_stride);
    }
}

/* Those nodes of a tet that have no stamp yet are written where there is room for them; returns how many. */
static uint32_t take_nodes(const lt_self_tets *t, uint32_t tet, uint32_t *stamps, uint32_t stamp,
                           uint32_t *out) {
    LT_ASSERT(tet < t->tet_count);
    uint32_t count = 0;
    for (size_t k = 4 * (size_t)tet; k < 4 * ((size_t)tet + 1); k++) {
        if (stamps[t->nodes[k]] == stamp) continue;
        stamps[t->nodes[k]] = stamp;
        if (out) out[count] = t->nodes[k];
        count++;
    }
    return count;
}

/* Without `out` they are counted only. Returns the sum. */
static uint32_t fill_samples(const lt_self_tets *t, uint32_t *stamps, uint32_t *out) {
    uint32_t sum = 0;
    memset(stamps, 0, t->node_count * sizeof *stamps);
    for (uint32_t group = 0; group < t->group_count; group++) {
        t->groups[group].first_sample = sum;
        for (uint32_t i = LT_SELF_GROUP * group; i < end_of(t, group); i++)
            sum += take_nodes(t, t->places[i], stamps, group + 1, out ? out + sum : NULL);
        t->groups[group].own_count = sum - t->groups[group].first_sample;
        for (uint32_t tet = 0; tet < t->tet_count; tet++)
            if (lt_self_has_bit(around(t, group), tet))
                sum += take_nodes(t, tet, stamps, group + 1, out ? out + sum : NULL);
    }
    t->groups[t->group_count].first_sample = sum;
    return sum;
}

static uint32_t sample_count(const lt_self_group *group) {
    return group[1].first_sample - group->first_sample;
}

/* Some samples are enough to fit to: all are measured. */
static void prepare_fit(const lt_self_tets *t, lt_self_group *group) {
    const uint32_t *samples = t->samples + group->first_sample;
    uint32_t count = sample_count(group), fitted = 0;
    lt_dmat3 sum = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    group->fit_stride = 1 + (count - 1) / FITTED_MOST;
    group->middle = (lt_dvec3){0, 0, 0};
    for (uint32_t i = 0; i < count; i += group->fit_stride, fitted++)
        group->middle = lt_d3_add(group->middle, t->rest[samples[i]]);
    group->middle = lt_d3_scale(group->middle, 1.0 / fitted);
    for (uint32_t i = 0; i < count; i += group->fit_stride) {
        lt_dvec3 d = lt_d3_sub(t->rest[samples[i]], group->middle);
        sum = lt_dm3_add(sum, (lt_dmat3){lt_d3_scale(d, d.x), lt_d3_scale(d, d.y), lt_d3_scale(d, d.z)});
    }
    group->fit = lt_dm3_inverse(sum);
}

/* Σ|∇λ|: rows of the inverse, and what they sum to. */
static double gradient_reach_of(const lt_dmat3 *inverse) {
    lt_dmat3 rows = lt_dm3_transpose(*inverse);
    lt_dvec3 first = lt_d3_add(lt_d3_add(rows.c0, rows.c1), rows.c2);
    return lt_d3_length(first) + lt_d3_length(rows.c0) + lt_d3_length(rows.c1) + lt_d3_length(rows.c2);
}

static void note_shapes(const lt_self_tets *t, uint32_t group) {
    LT_ASSERT(group <= t->group_count);
    lt_self_group *g = &t->groups[group];
    g->gradient_reach = 0;
    g->touch_need = g->near_gap = g->shortest = 1e300;
    for (uint32_t tet = 0; tet < t->tet_count; tet++) {
        if (!lt_self_has_bit(around(t, group), tet)) continue;
        g->gradient_reach = lt_max_d(g->gradient_reach, gradient_reach_of(&t->inverses[tet]));
        g->shortest = lt_min_d(g->shortest, (double)t->shortest[tet]);
    }
}

static void note_least(double *least, float value) {
    *least = lt_min_d(*least, (double)value);
}

/* `group_of` is [tet_count]. */
static void note_pairs(const lt_self_tets *t, const uint32_t *group_of) {
    for (uint32_t i = 0; i < t->touch_count; i++) {
        const lt_near_pair *pair = &t->touches[i];
        note_least(&t->groups[group_of[pair->a]].touch_need, pair->needed);
        note_least(&t->groups[group_of[pair->b]].touch_need, pair->needed);
    }
    for (uint32_t i = 0; i < t->second_count; i++) {
        const lt_near_pair *pair = &t->seconds[i];
        note_least(&t->groups[group_of[pair->a]].near_gap, pair->margin);
        note_least(&t->groups[group_of[pair->b]].near_gap, pair->margin);
    }
}

static bool build(lt_self_tets *t, uint32_t *stamps, uint32_t *group_of) {
    fill_surroundings(t);
    t->sample_count = fill_samples(t, stamps, NULL);
    t->samples = LT_NEW(&t->allocator, t->sample_count, uint32_t);
    if (!t->samples) return false;
    fill_samples(t, stamps, t->samples);
    for (uint32_t group = 0; group < t->group_count; group++) {
        prepare_fit(t, &t->groups[group]);
        note_shapes(t, group);
    }
    for (uint32_t place = 0; place < t->tet_count; place++)
        group_of[t->places[place]] = place / LT_SELF_GROUP;
    note_pairs(t, group_of);
    return true;
}

lt_status lt_self_groups_create(lt_self_tets *tets, lt_error *error) {
    lt_self_tets *t = tets;
    uint32_t count = (t->tet_count + LT_SELF_GROUP - 1) / LT_SELF_GROUP;
    uint32_t *stamps = LT_NEW(&t->allocator, t->node_count, uint32_t);
    uint32_t *group_of = LT_NEW(&t->allocator, t->tet_count, uint32_t);
    t->group_count = count;
    t->groups = LT_NEW(&t->allocator, (size_t)count + 1, lt_self_group);
    t->surroundings = LT_NEW(&t->allocator, (size_t)t->near_stride * count, uint64_t);
    bool all = stamps && group_of && t->groups && t->surroundings && build(t, stamps, group_of);
    LT_DELETE(&t->allocator, stamps, t->node_count, uint32_t);
    LT_DELETE(&t->allocator, group_of, t->tet_count, uint32_t);
    if (all) return LT_OK;
    lt_self_groups_free(t);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for groups of %u tets", t->tet_count);
}

void lt_self_groups_free(lt_self_tets *tets) {
    lt_self_tets *t = tets;
    LT_DELETE(&t->allocator, t->groups, (size_t)t->group_count + 1, lt_self_group);
    LT_DELETE(&t->allocator, t->surroundings, (size_t)t->near_stride * t->group_count, uint64_t);
    LT_DELETE(&t->allocator, t->samples, t->sample_count, uint32_t);
    t->groups = NULL;
    t->surroundings = NULL;
    t->samples = NULL;
    t->group_count = t->sample_count = 0;
}

/* ---- how a group moves ---- */

static lt_dvec3 from_middle(const lt_self *s, const lt_self_group *group, uint32_t sample) {
    return lt_d3_sub(s->tets->rest[s->tets->samples[sample]], group->middle);
}

/* The mean of the fitted nodes goes to *at. */
static lt_dmat3 fit_map(const lt_self *s, const lt_self_group *group, const float *nodes, lt_dvec3 *at) {
    const uint32_t *samples = s->tets->samples;
    lt_dvec3 origin = lt_self_node_at(nodes, samples[group->first_sample]), sum = {0, 0, 0};
    lt_dmat3 products = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    uint32_t fitted = 0;
    for (uint32_t i = group->first_sample; i < group[1].first_sample; i += group->fit_stride, fitted++) {
        lt_dvec3 x = lt_d3_sub(lt_self_node_at(nodes, samples[i]), origin), d = from_middle(s, group, i);
        sum = lt_d3_add(sum, x);
        products.c0 = lt_d3_mad(products.c0, x, d.x);
        products.c1 = lt_d3_mad(products.c1, x, d.y);
        products.c2 = lt_d3_mad(products.c2, x, d.z);
    }
    *at = lt_d3_mad(origin, sum, 1.0 / fitted);
    return lt_dm3_mul(products, group->fit);
}

/* How far every so manieth node around it is from where it should be, at either end; 1e300 where that is no number. */
static double deviation_of(const lt_self *s, const lt_self_group *group, const lt_group_motion *m,
                           uint32_t stride) {
    double most = 0, sum = 0;
    for (uint32_t i = group->first_sample; i < group[1].first_sample; i += stride) {
        lt_dvec3 d = from_middle(s, group, i);
        for (int end = 0; end < 2; end++) {
            lt_dvec3 x = lt_d3_sub(lt_self_node_at(end ? s->to : s->from, s->tets->samples[i]), m->at[end]);
            double off = lt_d3_length_squared(lt_d3_sub(x, lt_dm3_mul_vec(m->maps[end], d)));
            most = lt_max_d(most, off);
            sum += off; /* knows of those that compare with nothing */
        }
    }
    return sum < 1e300 ? sqrt(most) * (1 + 1e-9) : 1e300;
}

/* Those that share nodes as around a node, others by their distance. */
static bool is_settled(const lt_self *s, const lt_self_group *g, double stretch, double deviation) {
    double apart = g->gradient_reach * deviation, rounding = lt_self_rounding(s);
    return stretch > 0 && (stretch - apart) * g->shortest > rounding &&
           (apart + rounding / g->shortest) / stretch + 1e-9 < g->touch_need &&
           stretch * g->near_gap * (1 - 1e-9) > 2 * deviation + lt_self_gap(s);
}

/* Two pieces: those that the fitted nodes tell of are not measured further. */
void lt_self_measure_group(lt_self *s) {
    const lt_self_group *g = &s->tets->groups[s->next];
    lt_group_motion *m = &s->group_motions[s->next];
    bool all = s->pending != 0;
    int8_t sign;
    for (int end = 0; !all && end < 2; end++)
        m->maps[end] = fit_map(s, g, end ? s->to : s->from, &m->at[end]);
    if (!all) m->stretch = lt_self_stretch(m->maps, &sign);
    m->is_settled = is_settled(s, g, m->stretch, deviation_of(s, g, m, all ? 1 : g->fit_stride));
    s->pending = !all && m->is_settled;
    s->next += !s->pending;
}

uint32_t lt_self_group_cost(const lt_self *s) {
    const lt_self_group *g = &s->tets->groups[s->next];
    uint32_t count = sample_count(g), fitted = (count - 1) / g->fit_stride + 1;
    return s->pending ? LT_SELF_SAMPLE_UNITS * count : LT_SELF_FIT_UNITS + 2 * LT_SELF_SAMPLE_UNITS * fitted;
}

/* ---- what is open ---- */

static uint32_t bit_count(const uint64_t *row, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (uint32_t)__builtin_popcountll(row[i]);
    return sum;
}

static void open_group(lt_self *s, uint32_t group) {
    const lt_self_tets *t = s->tets;
    const lt_self_group *g = &t->groups[group];
    for (uint32_t place = LT_SELF_GROUP * group; place < end_of(t, group); place++)
        set_bit(s->open, t->places[place]);
    for (uint32_t i = 0; i < g->own_count; i++)
        s->open_nodes[t->samples[g->first_sample + i]] = 1;
    add_row(s->measured, around(t, group), t->near_stride);
    s->open_count++;
}

static void open_none(lt_self *s) {
    const lt_self_tets *t = s->tets;
    memset(s->open, 0, t->near_stride * sizeof *s->open);
    memset(s->measured, 0, t->near_stride * sizeof *s->measured);
    memset(s->open_nodes, 0, t->node_count);
    s->open_count = 0;
}

static uint32_t open_units(const lt_self *s) {
    return 1 + s->tets->near_stride / 4;
}

/* Groups of the next portion. */
static uint32_t open_portion(const lt_self *s) {
    return lt_min_u32(lt_max_u32(1, LT_SELF_PORTION / open_units(s)), s->tets->group_count - s->next);
}

void lt_self_open_groups(lt_self *s) {
    const lt_self_tets *t = s->tets;
    if (s->next == 0) open_none(s);
    for (uint32_t end = s->next + open_portion(s); s->next < end; s->next++)
        if (!s->group_motions[s->next].is_settled) open_group(s, s->next);
    if (s->next == t->group_count) s->boxless_count = t->tet_count - bit_count(s->measured, t->near_stride);
}

void lt_self_open_all(lt_self *s) {
    memset(s->open, 0xff, s->tets->near_stride * sizeof *s->open);
    memset(s->measured, 0xff, s->tets->near_stride * sizeof *s->measured);
    memset(s->open_nodes, 1, s->tets->node_count);
    s->open_count = 1;
    s->boxless_count = 0;
}

uint32_t lt_self_open_cost(const lt_self *s) {
    const lt_self_tets *t = s->tets;
    uint32_t cost = open_portion(s) * open_units(s);
    return s->next ? cost : 1 + cost + (t->tet_count + t->node_count) / 2;
}
