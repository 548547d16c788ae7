/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "detect/self_parts.h"

#include "mesh/select.h"

#include <string.h>

enum {
    SPANNING_BIT = 0,  /* in P: to be tested against all, which have it in Q */
    UNREACHED_BIT = 1, /* in P and Q */
    PAIR_BITS = 2,     /* from here on */
    LANES = 8
};

/* ---- memory ---- */

lt_self_def lt_self_def_default(void) {
    return (lt_self_def){LT_SELF_SAFE, LT_SELF_BITS_MAX};
}

/* One list for making and freeing. */
#define TABLES(X)                                                                                            \
    X(motions, s->tets->tet_count, lt_tet_motion)                                                            \
    X(boxes, s->tets->tet_count, lt_box)                                                                     \
    X(spreads, s->tets->node_count, double)                                                                  \
    X(deviations, s->tets->node_count, double)                                                               \
    X(sorted.lo[0], (size_t)s->tets->tet_count + LANES, float)                                               \
    X(sorted.lo[1], (size_t)s->tets->tet_count + LANES, float)                                               \
    X(sorted.lo[2], (size_t)s->tets->tet_count + LANES, float)                                               \
    X(sorted.hi[0], (size_t)s->tets->tet_count + LANES, float)                                               \
    X(sorted.hi[1], (size_t)s->tets->tet_count + LANES, float)                                               \
    X(sorted.hi[2], (size_t)s->tets->tet_count + LANES, float)                                               \
    X(sorted.tets, s->tets->tet_count, uint32_t)                                                             \
    X(keys, s->tets->tet_count, uint64_t)                                                                    \
    X(other_keys, s->tets->tet_count, uint64_t)                                                              \
    X(marks, 2 * (size_t)s->word_count * lt_self_row_count(s->tets), uint64_t)

lt_status lt_self_create(lt_self *out, const lt_self_tets *tets, const lt_self_def *def,
                         const lt_allocator *allocator, lt_error *error) {
    lt_self *s = out;
    *s = (lt_self){.tets = tets,
                   .def = def ? *def : lt_self_def_default(),
                   .allocator = allocator ? *allocator : lt_allocator_default()};
    LT_ASSERT(s->def.mask_bits == 1 || (s->def.mask_bits % 64 == 0 && s->def.mask_bits <= LT_SELF_BITS_MAX));
    s->word_count = (s->def.mask_bits + 63) / 64;
    s->phase = LT_SELF_DONE;
    bool all = true;
#define TAKE(name, count, type) all = (s->name = LT_NEW(&s->allocator, count, type)) && all;
    TABLES(TAKE)
#undef TAKE
    if (all) return LT_OK;
    lt_self_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the marks of %u tets", tets->tet_count);
}

void lt_self_free(lt_self *self) {
    lt_self *s = self;
    if (!s->tets) return;
#define GIVE_BACK(name, count, type) LT_DELETE(&s->allocator, s->name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
    *s = (lt_self){0};
}

/* ---- marks ---- */

static void set_bits(lt_self *s, uint32_t row, uint32_t bit, bool p, bool q) {
    uint64_t *words = s->marks + 2 * (size_t)s->word_count * row, mask = (uint64_t)1 << (bit % 64);
    if (p) words[bit / 64] |= mask;
    if (q) words[s->word_count + bit / 64] |= mask;
}

/* Pairs have bits in turn: no two the same while there are few. */
static void mark_pair(lt_self *s, uint32_t a, uint32_t b) {
    bool one_bit = s->def.mask_bits == 1;
    uint32_t bit = PAIR_BITS + (one_bit ? 0 : s->marked_count % (s->def.mask_bits - PAIR_BITS));
    set_bits(s, lt_min_u32(a, b), bit, true, one_bit || a == b);
    set_bits(s, lt_max_u32(a, b), bit, one_bit || a == b, true);
    s->marked_count++;
}

/* ---- gradients ---- */

/* What lies in tets is found with rounding. Where tets touch they must part by more at their farther corners,
 * or they could as well overlap. */
static double rounding_of(const lt_self *s) {
    return 4 * (double)s->slack;
}

static double gap_of(const lt_self *s) {
    return (double)s->separation + rounding_of(s);
}

static lt_dvec3 node_at(const float *nodes, uint32_t node) {
    const float *x = nodes + 4 * (size_t)node;
    return (lt_dvec3){(double)x[0], (double)x[1], (double)x[2]};
}

static lt_dmat3 gradient_at(const lt_self_tets *t, const float *nodes, uint32_t tet) {
    const uint32_t *n = t->nodes + 4 * (size_t)tet;
    lt_dvec3 o = node_at(nodes, n[0]);
    return lt_dm3_mul((lt_dmat3){lt_d3_sub(node_at(nodes, n[1]), o), lt_d3_sub(node_at(nodes, n[2]), o),
                                 lt_d3_sub(node_at(nodes, n[3]), o)},
                      t->inverses[tet]);
}

/* |f - g| at the end where it is larger: no vector is changed more than by that, at any time. */
static double distance_of(const lt_dmat3 f[2], const lt_dmat3 g[2]) {
    double start = lt_dm3_norm_squared(lt_dm3_sub(f[0], g[0]));
    double end = lt_dm3_norm_squared(lt_dm3_sub(f[1], g[1]));
    return sqrt(start > end ? start
                            : end); /* NaN of either: no comparison below is true of it, or its tets' */
}

/* The least Bernstein coefficient of the determinant over time, by size, and the sign that all have; 0: they
 * differ. */
static double determinant_of(const lt_dmat3 f[2], int8_t *sign) {
    lt_dmat3 c0 = lt_dm3_cofactor(f[0]), c1 = lt_dm3_cofactor(f[1]);
    double d[4] = {lt_d3_dot(f[0].c0, c0.c0), 0, 0, lt_d3_dot(f[1].c0, c1.c0)};
    d[1] = (lt_d3_dot(f[1].c0, c0.c0) + lt_d3_dot(f[1].c1, c0.c1) + lt_d3_dot(f[1].c2, c0.c2)) / 3;
    d[2] = (lt_d3_dot(f[0].c0, c1.c0) + lt_d3_dot(f[0].c1, c1.c1) + lt_d3_dot(f[0].c2, c1.c2)) / 3;
    double least = lt_min_d(lt_min_d(d[0], d[1]), lt_min_d(d[2], d[3]));
    double most = lt_max_d(lt_max_d(d[0], d[1]), lt_max_d(d[2], d[3]));
    bool finite = d[0] + d[1] + d[2] + d[3] < 1e300; /* not when one is NaN */
    *sign = 0;
    double size = lt_dm3_norm_squared(f[0]) + lt_dm3_norm_squared(f[1]), slack = 1e-12 * size * sqrt(size);
    if (finite && least > slack) *sign = 1;
    if (finite && most < -slack) *sign = -1;
    return *sign > 0 ? least : *sign < 0 ? -most : 0;
}

/* σ₃ = d / (σ₁σ₂), and σ₁σ₂ ≤ (|F|² - σ₃²) / 2: any lower bound of σ₃ gives a better one. */
static double stretch_of(const lt_dmat3 f[2], int8_t *sign) {
    double determinant = determinant_of(f, sign), bound = 0;
    double size = lt_max_d(lt_dm3_norm_squared(f[0]), lt_dm3_norm_squared(f[1]));
    if (*sign == 0) return 0;
    for (int i = 0; i < 5; i++)
        bound = 2 * determinant / (size - bound * bound);
    return bound * (1 - 1e-9);
}

static lt_box box_of(const lt_self *s, uint32_t tet) {
    lt_box box = lt_box_empty();
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t node = s->tets->nodes[4 * (size_t)tet + k];
        lt_vec3 from = lt_v3_from_d3(node_at(s->from, node));
        lt_vec3 to = lt_v3_sub(lt_v3_from_d3(node_at(s->to, node)), s->drift);
        box = lt_box_add_point(lt_box_add_point(box, from), to);
    }
    return lt_box_inflate(box, 0.5f * s->separation + 2 * s->slack);
}

static bool is_finite(const lt_dmat3 *m) {
    return lt_d3_is_finite(lt_d3_add(lt_d3_add(m->c0, m->c1), m->c2));
}

/* Without a place that is a number a tet may meet anything, and nothing else is to suffer from it. */
static void give_up_tet(lt_self *s, uint32_t tet) {
    s->motions[tet] = (lt_tet_motion){.sign = 0};
    s->boxes[tet] = lt_box_empty();
    set_bits(s, tet, SPANNING_BIT, true, true);
}

static void measure_tet(lt_self *s, uint32_t tet) {
    lt_tet_motion *m = &s->motions[tet];
    m->gradients[0] = gradient_at(s->tets, s->from, tet);
    m->gradients[1] = gradient_at(s->tets, s->to, tet);
    m->stretch = stretch_of(m->gradients, &m->sign);
    if (!(m->stretch * (double)s->tets->shortest[tet] > rounding_of(s))) m->sign = 0; /* as good as flat */
    s->boxes[tet] = box_of(s, tet);
    if (!is_finite(&m->gradients[0]) || !is_finite(&m->gradients[1])) give_up_tet(s, tet);
}

/* ---- around a node ---- */

static void measure_node(lt_self *s, uint32_t node) {
    const lt_self_tets *t = s->tets;
    uint32_t begin = t->ring_begin[node], end = t->ring_begin[node + 1];
    if (begin == end) return;
    lt_dmat3 mean[2] = {s->motions[t->rings[begin] / 4].gradients[0],
                        s->motions[t->rings[begin] / 4].gradients[1]};
    for (uint32_t i = begin + 1; i < end; i++)
        for (int k = 0; k < 2; k++)
            mean[k] = lt_dm3_add(mean[k], s->motions[t->rings[i] / 4].gradients[k]);
    for (int k = 0; k < 2; k++)
        mean[k] = lt_dm3_scale(mean[k], 1.0 / (end - begin));
    double spread = 0;
    for (uint32_t i = begin; i < end; i++) {
        lt_tet_motion *m = &s->motions[t->rings[i] / 4];
        double apart = distance_of(m->gradients, mean);
        m->apart[t->rings[i] % 4] = apart;
        spread = lt_max_d(spread, apart);
    }
    int8_t sign;
    double stretch = stretch_of(mean, &sign);
    s->spreads[node] = spread;
    double spare = rounding_of(s) / (double)t->ring_shortest[node];
    s->deviations[node] = stretch > 0 ? (spread + spare) / stretch + 1e-9 : 1e300;
}

/* ---- two tets ---- */

static void load_pair(lt_tet_pair *pair, const lt_self *s, uint32_t a, uint32_t b) {
    const uint32_t *na = s->tets->nodes + 4 * (size_t)a, *nb = s->tets->nodes + 4 * (size_t)b;
    uint32_t order_a[4], order_b[4];
    pair->shared_count = lt_tet_pair_order(na, nb, order_a, order_b);
    for (int k = 0; k < 4; k++) {
        pair->a[0][k] = node_at(s->from, na[order_a[k]]);
        pair->a[1][k] = node_at(s->to, na[order_a[k]]);
        pair->b[0][k] = node_at(s->from, nb[order_b[k]]);
        pair->b[1][k] = node_at(s->to, nb[order_b[k]]);
    }
}

/* By what is known of the two at rest. */
static bool is_settled_by_direction(const lt_self *s, const lt_near_pair *near) {
    lt_tet_pair pair;
    load_pair(&pair, s, near->a, near->b);
    double gap = pair.shared_count ? rounding_of(s) : gap_of(s);
    return lt_tet_pair_is_still_apart(&pair, &s->motions[near->a], &s->motions[near->b], near->direction,
                                      gap);
}

static bool is_settled_by_plane(lt_self *s, uint32_t a, uint32_t b) {
    lt_tet_pair pair;
    load_pair(&pair, s, a, b);
    s->plane_count++;
    return lt_tet_pair_stays_apart(&pair, &s->motions[a], &s->motions[b],
                                   pair.shared_count ? rounding_of(s) : gap_of(s));
}

static bool is_touch_settled(const lt_self *s, const lt_near_pair *pair) {
    const lt_tet_motion *a = &s->motions[pair->a], *b = &s->motions[pair->b];
    double stretch = lt_max_d(a->stretch, b->stretch);
    double shortest = (double)lt_min_f(s->tets->shortest[pair->a], s->tets->shortest[pair->b]);
    double spare = (double)pair->margin * stretch - distance_of(a->gradients, b->gradients);
    return spare * shortest > rounding_of(s) + 1e-9 * stretch * shortest;
}

/* m is how far they are apart at rest; F and G differ on the way from the one to the tet between, and to the
 * other. */
static bool is_second_settled(const lt_self *s, const lt_near_pair *pair, uint32_t between) {
    const lt_tet_motion *m = &s->motions[between];
    double a = distance_of(s->motions[pair->a].gradients, m->gradients);
    double b = distance_of(s->motions[pair->b].gradients, m->gradients);
    double path = (double)pair->margin / (double)pair->needed * (1 + 1e-6);
    double gap = (double)pair->margin * m->stretch - lt_max_d(a, b) * path;
    return gap > gap_of(s) + 1e-9 * path * m->stretch;
}

/* ---- near pairs ---- */

/* What pairs listed at a tet need at least. */
static double second_need(const lt_self *s, uint32_t tet) {
    const lt_tet_motion *m = &s->motions[tet];
    const uint32_t *nodes = s->tets->nodes + 4 * (size_t)tet;
    double apart = 0;
    for (int k = 0; k < 4; k++) {
        double at = m->apart[k] + s->spreads[nodes[k]];
        apart = lt_max_d(apart, at);
    }
    if (!(m->stretch > 0)) return 1e300;
    return (apart + gap_of(s) / (double)s->tets->second_paths[tet]) / m->stretch + 1e-9;
}

static void begin_phase(lt_self *s, lt_self_phase phase) {
    s->phase = phase;
    s->next = s->next_pair = s->pending = 0;
}

static void mark_faces(lt_self *s) {
    const lt_self_tets *t = s->tets;
    for (uint32_t i = 0; i < t->face_count; i++) {
        const lt_near_pair *pair = &t->faces[i];
        int8_t sign = s->motions[pair->a].sign;
        if (sign == 0 || sign != s->motions[pair->b].sign) mark_pair(s, pair->a, pair->b);
    }
    for (uint32_t i = 0; i < t->always_count; i++)
        mark_pair(s, t->always[i].a, t->always[i].b);
    for (uint32_t tet = 0; tet < t->tet_count; tet++)
        if (s->motions[tet].sign == 0) mark_pair(s, tet, tet);
}

/* The next pair of a list that is not settled by where it is listed; false: there is none, and `next` has
 * passed all. */
static bool find_touch(lt_self *s) {
    const lt_self_tets *t = s->tets;
    for (; s->next < t->node_count; s->next++) {
        uint32_t at = lt_max_u32(s->next_pair, t->touch_begin[s->next]);
        if (at < t->touch_begin[s->next + 1] && !(s->deviations[s->next] < (double)t->touches[at].needed)) {
            s->next_pair = at;
            return true;
        }
    }
    return false;
}

static bool find_second(lt_self *s) {
    const lt_self_tets *t = s->tets;
    for (; s->next < t->tet_count; s->next++) {
        uint32_t at = lt_max_u32(s->next_pair, t->second_begin[s->next]);
        if (at == t->second_begin[s->next]) s->need = second_need(s, s->next);
        if (at < t->second_begin[s->next + 1] && !(s->need < (double)t->seconds[at].needed)) {
            s->next_pair = at;
            return true;
        }
    }
    return false;
}

static bool is_near_settled(const lt_self *s, const lt_near_pair *pair) {
    if (s->phase == LT_SELF_TOUCHES) return is_touch_settled(s, pair);
    return !lt_box_overlap(s->boxes[pair->a], s->boxes[pair->b]) || is_second_settled(s, pair, s->next);
}

/* Two pieces where need be, so that each costs what it was said to: gradients, then (`pending`) a plane. */
static void look_at_near(lt_self *s) {
    const lt_near_pair *pairs = s->phase == LT_SELF_TOUCHES ? s->tets->touches : s->tets->seconds;
    const lt_near_pair *pair = &pairs[s->next_pair];
    if (!s->pending) {
        s->looked_count++;
        s->pending = !is_near_settled(s, pair) && !is_settled_by_direction(s, pair);
    } else {
        s->pending = 0;
        if (!is_settled_by_plane(s, pair->a, pair->b)) mark_pair(s, pair->a, pair->b);
    }
    s->next_pair += !s->pending;
}

/* ---- the sweep ---- */

static float coordinate(lt_vec3 v, int axis) {
    return lt_v3_get(v, axis % 3);
}

static int longest_axis(const lt_self *s) {
    lt_box all = lt_box_empty();
    for (uint32_t tet = 0; tet < s->tets->tet_count; tet++)
        all = lt_box_union(all, s->boxes[tet]);
    lt_vec3 d = lt_v3_sub(all.hi, all.lo);
    return d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
}

/* By the upper half, eight bits at a time; equal ones stay in order. */
static void sort_keys(uint64_t *keys, uint64_t *other, uint32_t count) {
    for (int shift = 32; shift < 64; shift += 8) {
        uint32_t begins[257] = {0};
        for (uint32_t i = 0; i < count; i++)
            begins[(keys[i] >> shift & 255) + 1]++;
        for (int k = 0; k < 256; k++)
            begins[k + 1] += begins[k];
        for (uint32_t i = 0; i < count; i++)
            other[begins[keys[i] >> shift & 255]++] = keys[i];
        uint64_t *swap = keys;
        keys = other;
        other = swap;
    }
}

static void sort_tets(lt_self *s) {
    uint32_t count = s->tets->tet_count;
    lt_self_columns *c = &s->sorted;
    s->axis = longest_axis(s);
    for (uint32_t tet = 0; tet < count; tet++)
        s->keys[tet] = (uint64_t)lt_order_of_float(coordinate(s->boxes[tet].lo, s->axis)) << 32 | tet;
    sort_keys(s->keys, s->other_keys, count);
    for (uint32_t i = 0; i < count + LANES; i++)
        for (int k = 0; k < 3; k++) {
            const lt_box *box = i < count ? &s->boxes[(uint32_t)s->keys[i]] : NULL;
            c->lo[k][i] = box ? coordinate(box->lo, s->axis + k) : 3.2e38f;
            c->hi[k][i] = box ? coordinate(box->hi, s->axis + k) : -3.2e38f;
        }
    for (uint32_t i = 0; i < count; i++)
        c->tets[i] = (uint32_t)s->keys[i];
}

/* Eight places from `first` on whose boxes overlap that of a place before them. */
static uint32_t overlapping(const lt_self_columns *c, uint32_t place, uint32_t first) {
    lt_f8m meets = lt_f8_less_equal(lt_f8_load(c->lo[0] + first), lt_f8_splat(c->hi[0][place]));
    for (int k = 1; k < 3; k++) {
        meets =
            lt_f8m_and(meets, lt_f8_less_equal(lt_f8_load(c->lo[k] + first), lt_f8_splat(c->hi[k][place])));
        meets =
            lt_f8m_and(meets, lt_f8_less_equal(lt_f8_splat(c->lo[k][place]), lt_f8_load(c->hi[k] + first)));
    }
    return lt_f8m_bits(meets);
}

/* Those of the bits whose tets are not near at rest. */
static uint32_t without_near(const lt_self *s, uint32_t place, uint32_t first, uint32_t bits) {
    const uint64_t *near = s->tets->near_bits + (size_t)s->tets->near_stride * s->sorted.tets[place];
    uint32_t out = bits;
    for (; bits; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits), tet = s->sorted.tets[first + lane];
        if (near[tet / 64] >> (tet % 64) & 1) out &= ~(1u << lane);
    }
    return out;
}

static void look_at_pending(lt_self *s) {
    uint32_t lane = (uint32_t)__builtin_ctz(s->pending);
    uint32_t a = s->sorted.tets[s->next], b = s->sorted.tets[s->next_pair - LANES + lane];
    s->pending &= s->pending - 1;
    if (!is_settled_by_plane(s, a, b)) mark_pair(s, a, b);
}

/* Blocks of the place at hand while nothing is pending and they fit; at least one. Returns their cost. */
static uint32_t sweep(lt_self *s, uint32_t grant) {
    uint32_t spent = 0, count = s->tets->tet_count;
    do {
        uint32_t first = lt_max_u32(s->next_pair, s->next + 1);
        if (first >= count || !(s->sorted.lo[0][first] <= s->sorted.hi[0][s->next])) {
            s->next++;
            s->next_pair = 0;
        } else {
            s->next_pair = first + LANES;
            s->pending = without_near(s, s->next, first, overlapping(&s->sorted, s->next, first));
        }
        spent += LT_SELF_BLOCK_UNITS;
    } while (s->pending == 0 && s->next < count && grant - spent >= LT_SELF_BLOCK_UNITS);
    return spent;
}

/* ---- the cursor ---- */

/* A body that falls does not move against itself; what is added to the end of all motions is no matter as
 * long as it is the same. */
static lt_vec3 mean_motion(const lt_self *s) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t node = 0; node < s->tets->node_count; node++)
        sum = lt_d3_add(sum, lt_d3_sub(node_at(s->to, node), node_at(s->from, node)));
    lt_vec3 mean = lt_v3_from_d3(lt_d3_scale(sum, 1.0 / (double)lt_max_u32(s->tets->node_count, 1)));
    return lt_v3_is_finite(mean) ? mean : (lt_vec3){0, 0, 0};
}

static bool is_paper(const lt_self *s) {
    return s->def.lemma == LT_SELF_PAPER;
}

/* Goes on to the phase that has something to do. */
static void find_phase(lt_self *s) {
    if (s->phase == LT_SELF_TETS && s->next == s->tets->tet_count) begin_phase(s, LT_SELF_NODES);
    if (s->phase == LT_SELF_NODES && s->next == s->tets->node_count) begin_phase(s, LT_SELF_FACES);
    if (s->phase == LT_SELF_FACES && (is_paper(s) || s->next == 1)) begin_phase(s, LT_SELF_TOUCHES);
    if (s->phase == LT_SELF_TOUCHES && (is_paper(s) || !find_touch(s))) begin_phase(s, LT_SELF_SECONDS);
    if (s->phase == LT_SELF_SECONDS && !find_second(s)) begin_phase(s, LT_SELF_SORT);
    if (s->phase == LT_SELF_SORT && s->next == 1) begin_phase(s, LT_SELF_SWEEP);
    if (s->phase == LT_SELF_SWEEP && s->next == s->tets->tet_count) begin_phase(s, LT_SELF_DONE);
}

void lt_self_begin(lt_self *self, const float *from, const float *to, float separation, float slack) {
    lt_self *s = self;
    uint32_t row_count = lt_self_row_count(s->tets);
    s->from = from;
    s->to = to;
    s->separation = separation > 0 ? separation : 0;
    s->slack = slack;
    s->drift = mean_motion(s);
    s->marked_count = s->looked_count = s->plane_count = 0;
    s->finished = false;
    memset(s->marks, 0, 2 * (size_t)s->word_count * row_count * sizeof *s->marks);
    begin_phase(s, LT_SELF_TETS);
    find_phase(s);
}

uint32_t lt_self_cost(const lt_self *self) {
    const lt_self_tets *t = self->tets;
    switch (self->phase) {
    case LT_SELF_TETS: return LT_SELF_TET_UNITS;
    case LT_SELF_NODES:
        return LT_SELF_RING_UNITS * (1 + t->ring_begin[self->next + 1] - t->ring_begin[self->next]);
    case LT_SELF_FACES: return 1 + 2 * (t->face_count + t->always_count + t->tet_count);
    case LT_SELF_TOUCHES:
    case LT_SELF_SECONDS: return self->pending ? LT_SELF_PLANE_UNITS : LT_SELF_PAIR_UNITS;
    case LT_SELF_SORT: return 1 + LT_SELF_SORT_UNITS * t->tet_count;
    case LT_SELF_SWEEP: return self->pending ? LT_SELF_PLANE_UNITS : LT_SELF_BLOCK_UNITS;
    case LT_SELF_DONE: break;
    }
    return 0;
}

/* Returns the cost, which is what it was said to be: repeated up to a number of units, the same is done. */
static uint32_t do_piece(lt_self *s, uint32_t cost, uint32_t grant) {
    switch (s->phase) {
    case LT_SELF_TETS: measure_tet(s, s->next++); break;
    case LT_SELF_NODES: measure_node(s, s->next++); break;
    case LT_SELF_FACES:
        mark_faces(s);
        s->next = 1;
        break;
    case LT_SELF_TOUCHES:
    case LT_SELF_SECONDS: look_at_near(s); break;
    case LT_SELF_SORT:
        sort_tets(s);
        s->next = 1;
        break;
    case LT_SELF_SWEEP:
        if (!s->pending) return sweep(s, grant);
        look_at_pending(s);
        break;
    case LT_SELF_DONE: break;
    }
    return cost;
}

uint32_t lt_self_step(lt_self *self, uint32_t grant) {
    uint32_t spent = 0;
    for (uint32_t cost; (cost = lt_self_cost(self)) > 0 && cost <= grant - spent;) {
        spent += do_piece(self, cost, grant - spent);
        find_phase(self);
    }
    return spent;
}

static lt_piece peek_self(const void *state) {
    return (lt_piece){LT_WORK_HASH, lt_self_cost(state), 0};
}

static uint32_t step_self(void *state, uint32_t grant) {
    return lt_self_step(state, grant);
}

lt_cursor lt_self_cursor(lt_self *self) {
    return (lt_cursor){self, peek_self, step_self};
}

/* Tets that the sweep did not come to. What was not looked at before it marks all. */
static void mark_unreached(lt_self *s) {
    if (s->phase == LT_SELF_DONE) return;
    bool swept = s->phase == LT_SELF_SWEEP;
    for (uint32_t i = swept ? s->next : 0; i < s->tets->tet_count; i++)
        set_bits(s, swept ? s->sorted.tets[i] : i, UNREACHED_BIT, true, true);
}

static void gather_row(lt_self *s, uint32_t row, const lt_mark_source *source) {
    uint32_t words = 2 * s->word_count;
    uint64_t *out = s->marks + (size_t)words * row;
    for (uint32_t i = 0; i < source->count; i++) {
        const uint64_t *in = s->marks + (size_t)words * s->tets->sources[source->first + i];
        for (uint32_t k = 0; k < words; k++)
            out[k] |= in[k];
    }
}

void lt_self_finish(lt_self *self) {
    lt_self *s = self;
    if (s->finished) return;
    mark_unreached(s);
    for (uint32_t row = 0; row <= s->tets->tet_count; row++)
        set_bits(s, row, SPANNING_BIT, row == lt_self_spanning_row(s->tets), true);
    for (uint32_t i = 0; i < s->tets->box_count; i++)
        gather_row(s, s->tets->tet_count + 1 + i, &s->tets->boxes[i]);
    s->phase = LT_SELF_DONE;
    s->finished = true;
}

void lt_self_mark(lt_self *self) {
    while (lt_self_step(self, UINT32_MAX))
        continue;
    lt_self_finish(self);
}
