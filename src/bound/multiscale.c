/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bound/multiscale.h"
#include "bound/bound.h"

extern const lt_multiscale_kernels lt_multiscale_kernels_scalar, lt_multiscale_kernels_wide4,
    lt_multiscale_kernels_avx2;

const lt_multiscale_kernels *lt_multiscale_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_multiscale_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_multiscale_kernels);
    return table[level];
}

/* ---- memory ---- */

/* Of coarse levels only where these are used. */
static uint32_t prepared_total(const lt_multiscale *m) {
    return m->levels.nodes ? lt_multiscale_governor_total(m->tree) : m->tree->governor_count;
}

/* One list for making and freeing. */
#define TABLES(X)                                                                                            \
    X(paired, 8 * (size_t)m->node_count, float)                                                              \
    X(signed_nodes, 16 * (size_t)m->node_count, float)                                                       \
    X(prepared, 16 * (size_t)LT_GOVERNOR_VECTORS * prepared_total(m), float)                                 \
    X(stamps, m->tree->node_count, uint32_t)                                                                 \
    X(bunch_stamps, m->tree->bunch_count, uint32_t)                                                          \
    X(boxes, LT_MULTISCALE_BOX_LANES *(size_t)m->tree->node_count, float)                                    \
    X(positions, 8 * (size_t)m->tree->point_count, float)

/* Nodes of the finest level, and of the coarse ones that are used. */
static uint32_t node_end(const lt_multiscale *m) {
    if (!m->levels.nodes) return m->node_count;
    return m->levels.are_coarse ? m->levels.end_node : m->levels.node_count;
}

lt_status lt_multiscale_create(lt_multiscale *out, const lt_multiscale_tree *tree, const lt_carrier *carrier,
                               lt_multiscale_bound bound, lt_simd_level level, const lt_allocator *allocator,
                               lt_error *error) {
    *out = (lt_multiscale){.tree = tree,
                           .tets = carrier->tets,
                           .kernels = lt_multiscale_kernels_for(level),
                           .bound = bound,
                           .node_count = carrier->node_count,
                           .end_count = 1,
                           .stamp = 1,
                           .allocator = allocator ? *allocator : lt_allocator_default()};
    lt_multiscale *m = out;
    bool all = lt_multiscale_levels_create(m, carrier);
#define TAKE(name, count, type) all = (m->name = LT_NEW(&m->allocator, count, type)) && all;
    TABLES(TAKE)
#undef TAKE
    /* Nothing is there to be done before the first begin. */
    m->next_node = node_end(m);
    m->next_governor = tree->governor_count;
    m->next_cut = tree->cut_count;
    m->next_above = tree->above_count;
    m->is_chosen = true;
    if (all) return LT_OK;
    lt_multiscale_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for a tree of %u boxes", tree->node_count);
}

void lt_multiscale_free(lt_multiscale *m) {
    if (!m->tree) return;
#define GIVE_BACK(name, count, type) LT_DELETE(&m->allocator, m->name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
    lt_multiscale_levels_free(m);
    *m = (lt_multiscale){0};
}

/* ---- a step ---- */

static void restart_stamps(lt_multiscale *m) {
    memset(m->stamps, 0, m->tree->node_count * sizeof(uint32_t));
    memset(m->bunch_stamps, 0, m->tree->bunch_count * sizeof(uint32_t));
    if (m->levels.nodes) memset(m->levels.prepared, 0, prepared_total(m) * sizeof(uint32_t));
    m->stamp = m->whole_stamp = 0;
}

/* A side of a box is the sum of a coordinate L and at most three differences D of coordinates, times weights:
 * its rounding is below 3u L + 13u D with u = eps / 2, that of a point below 5u L; 16u (L + D) is more than
 * both. Weights of points outside the tets are greater by twice the overhang. */
void lt_multiscale_begin(lt_multiscale *m, const float *from, const float *to, lt_box box_of_nodes) {
    if (m->stamp == UINT32_MAX) restart_stamps(m);
    m->stamp++;
    m->from = from;
    m->to = to ? to : from;
    m->end_count = to ? 2 : 1;
    m->next_node = m->next_governor = m->next_cut = m->next_above = 0;
    m->is_chosen = !m->levels.nodes;
    m->fitted_count = m->evaluated_count = 0;
    lt_vec3 far = lt_v3_max(lt_v3_neg(box_of_nodes.lo), box_of_nodes.hi);
    lt_vec3 most = lt_v3_add(far, lt_v3_sub(box_of_nodes.hi, box_of_nodes.lo));
    m->slack = lt_bound_slack((1 + 2 * m->tree->overhang) * lt_max_f(lt_max_f(most.x, most.y), most.z));
    m->levels.slack = m->tree->level_reach * m->slack;
}

static uint32_t records_cost(const lt_multiscale *m, uint32_t group) {
    LT_ASSERT(group < m->tree->group_count + m->tree->level_group_count);
    const lt_multiscale_group *g = m->tree->groups + group;
    return LT_MULTISCALE_MERGE_UNITS + LT_MULTISCALE_RECORD_UNITS * m->end_count * (g[1].first - g->first);
}

/* With what is to be prepared for it, where not all is. */
static uint32_t group_cost(const lt_multiscale *m, uint32_t group) {
    LT_ASSERT(group < m->tree->group_count + m->tree->level_group_count);
    return records_cost(m, group) + (m->levels.are_coarse ? lt_multiscale_prepare_cost(m, group) : 0);
}

static uint32_t cut_count(const lt_multiscale *m) {
    return m->levels.are_coarse ? m->levels.cut_count : m->tree->cut_count;
}
static uint32_t cut_group(const lt_multiscale *m, uint32_t at) {
    return m->levels.are_coarse ? m->levels.cut[at] : at;
}
static uint32_t above_count(const lt_multiscale *m) {
    return m->levels.are_coarse ? m->levels.above_count : m->tree->above_count;
}
/* Who hangs on coarse levels has governors prepared one by one. */
static uint32_t governors_left(const lt_multiscale *m) {
    return m->levels.are_coarse ? 0 : m->tree->governor_count - m->next_governor;
}
static uint32_t choice_cost(const lt_multiscale *m) {
    return LT_MULTISCALE_LEVEL_UNITS * m->levels.node_count;
}

uint32_t lt_multiscale_cost(const lt_multiscale *m) {
    if (!m->is_chosen) return choice_cost(m);
    if (m->next_node < node_end(m)) return LT_MULTISCALE_NODE_UNITS;
    if (governors_left(m) > 0) return LT_MULTISCALE_GOVERNOR_UNITS * m->end_count;
    if (m->next_cut < cut_count(m)) return group_cost(m, cut_group(m, m->next_cut));
    return m->next_above < above_count(m) ? LT_MULTISCALE_MERGE_UNITS : 0;
}

/* How many of `left` things of equal cost fit into a grant. */
static uint32_t that_fit(uint32_t grant, uint32_t cost, uint32_t left) {
    return lt_min_u32(grant / cost, left);
}

static uint32_t step_row_of_nodes(lt_multiscale *m, uint32_t grant, uint32_t end) {
    uint32_t count = that_fit(grant, LT_MULTISCALE_NODE_UNITS, end - m->next_node);
    m->kernels->take_nodes(m, m->next_node, m->next_node + count);
    m->next_node += count;
    return LT_MULTISCALE_NODE_UNITS * count;
}

static uint32_t step_nodes(lt_multiscale *m, uint32_t grant) {
    uint32_t spent = 0, finest = m->levels.nodes ? m->levels.node_count : m->node_count;
    if (m->next_node < finest) spent = step_row_of_nodes(m, grant, finest);
    if (m->next_node < finest || node_end(m) == finest) return spent;
    m->next_node = lt_max_u32(m->next_node, m->levels.first_node);
    return spent + step_row_of_nodes(m, grant - spent, node_end(m));
}

static uint32_t step_choice(lt_multiscale *m, uint32_t grant) {
    if (m->is_chosen || choice_cost(m) > grant) return 0;
    lt_multiscale_choose_cut(m);
    m->is_chosen = true;
    return choice_cost(m);
}

static uint32_t step_governors(lt_multiscale *m, uint32_t grant) {
    uint32_t cost = LT_MULTISCALE_GOVERNOR_UNITS * m->end_count;
    uint32_t count = that_fit(grant, cost, governors_left(m));
    m->kernels->prepare[m->bound](m, m->next_governor, m->next_governor + count);
    m->next_governor += count;
    return cost * count;
}

static uint32_t step_cut(lt_multiscale *m, uint32_t grant) {
    uint32_t end = m->next_cut, spent = 0;
    for (; end < m->tree->cut_count && group_cost(m, end) <= grant - spent; end++)
        spent += group_cost(m, end);
    m->kernels->fit[m->bound](m, m->next_cut, end);
    m->next_cut = end;
    return spent;
}

static void fit_group(lt_multiscale *m, uint32_t group) {
    LT_ASSERT(group < m->tree->group_count + m->tree->level_group_count);
    if (m->levels.are_coarse) lt_multiscale_prepare(m, group);
    m->kernels->fit[m->bound](m, group, group + 1);
}

/* The same, one by one. */
static uint32_t step_coarse_cut(lt_multiscale *m, uint32_t grant) {
    uint32_t spent = 0;
    for (uint32_t cost; m->next_cut < m->levels.cut_count; m->next_cut++, spent += cost) {
        uint32_t group = m->levels.cut[m->next_cut];
        cost = group_cost(m, group);
        if (cost > grant - spent) break;
        fit_group(m, group);
    }
    return spent;
}

static uint32_t step_above(lt_multiscale *m, uint32_t grant) {
    const uint32_t *above = m->levels.are_coarse ? m->levels.above : m->tree->above;
    uint32_t count = that_fit(grant, LT_MULTISCALE_MERGE_UNITS, above_count(m) - m->next_above);
    m->kernels->merge(m, above + m->next_above, count);
    m->next_above += count;
    return LT_MULTISCALE_MERGE_UNITS * count;
}

uint32_t lt_multiscale_step(lt_multiscale *m, uint32_t grant) {
    uint32_t spent = step_choice(m, grant);
    if (!m->is_chosen) return spent;
    spent += step_nodes(m, grant - spent);
    if (m->next_node < node_end(m)) return spent;
    spent += step_governors(m, grant - spent);
    if (governors_left(m) > 0) return spent;
    spent += m->levels.are_coarse ? step_coarse_cut(m, grant - spent) : step_cut(m, grant - spent);
    if (m->next_cut < cut_count(m)) return spent;
    return spent + step_above(m, grant - spent);
}

/* ---- on demand ---- */

static uint32_t bunch_cost(const lt_multiscale *m, uint32_t bunch) {
    LT_ASSERT(bunch < m->tree->bunch_count);
    const lt_multiscale_bunch *b = m->tree->bunches + bunch;
    uint32_t points = b[1].first_point - b->first_point + b[1].first_guest - b->first_guest;
    return LT_MULTISCALE_POINT_UNITS * points + LT_MULTISCALE_TRIANGLE_UNITS * m->tree->nodes[b->node].count;
}

static void evaluate_bunch(lt_multiscale *m, uint32_t bunch) {
    LT_ASSERT(bunch < m->tree->bunch_count);
    const lt_multiscale_bunch *b = m->tree->bunches + bunch;
    uint32_t below = m->tree->nodes[b->node].child;
    m->kernels->evaluate(m, b->first_point, b[1].first_point);
    m->kernels->evaluate_listed(m, m->tree->guests + b->first_guest, b[1].first_guest - b->first_guest);
    m->kernels->fit_bunches(m, bunch, bunch + 1);
    m->bunch_stamps[bunch] = m->stamps[b->node] = m->stamp;
    for (uint32_t i = 0; i < b->below_count; i++)
        m->stamps[below + i] = m->stamp;
    m->evaluated_count++;
}

static uint32_t group_of(const lt_multiscale *m, uint32_t node) {
    LT_ASSERT(node < m->tree->node_count);
    return m->levels.are_coarse ? m->levels.groups[node] : m->tree->links[node].group;
}

uint32_t lt_multiscale_refresh_cost(const lt_multiscale *m, uint32_t node) {
    LT_ASSERT(node < m->tree->node_count);
    if (lt_multiscale_box_is_fresh(m, node)) return 0;
    uint32_t group = group_of(m, node);
    return group != LT_NONE ? group_cost(m, group) : bunch_cost(m, m->tree->links[node].bunch);
}

void lt_multiscale_refresh(lt_multiscale *m, uint32_t node) {
    LT_ASSERT(node < m->tree->node_count);
    if (lt_multiscale_box_is_fresh(m, node)) return;
    LT_ASSERT(m->is_chosen && m->next_above == above_count(m));
    uint32_t group = group_of(m, node);
    if (group == LT_NONE) {
        evaluate_bunch(m, m->tree->links[node].bunch);
        return;
    }
    fit_group(m, group);
    m->fitted_count++;
}

uint32_t lt_multiscale_open_cost(const lt_multiscale *m, uint32_t node) {
    LT_ASSERT(node < m->tree->node_count);
    uint32_t bunch = m->tree->links[node].bunch, child = m->tree->nodes[node].child;
    if (bunch != LT_NONE) return lt_multiscale_bunch_is_fresh(m, bunch) ? 0 : bunch_cost(m, bunch);
    return lt_multiscale_refresh_cost(m, child) + lt_multiscale_refresh_cost(m, child + 1);
}

void lt_multiscale_open(lt_multiscale *m, uint32_t node) {
    LT_ASSERT(node < m->tree->node_count);
    uint32_t bunch = m->tree->links[node].bunch, child = m->tree->nodes[node].child;
    if (bunch == LT_NONE) {
        lt_multiscale_refresh(m, child);
        lt_multiscale_refresh(m, child + 1);
    } else if (!lt_multiscale_bunch_is_fresh(m, bunch)) {
        evaluate_bunch(m, bunch);
    }
}

/* ---- validator ---- */

/* lo + (-hi) is at most 0 along every axis, and no number is missing. */
static bool is_box(const float *lanes) {
    for (int k = 0; k < 3; k++)
        if (!(lanes[k] + lanes[4 + k] <= 0)) return false;
    return true;
}

static bool holds_child(const lt_multiscale *m, uint32_t node, uint32_t child) {
    const float *own = lt_multiscale_lanes(m, node), *of_child = lt_multiscale_lanes(m, child);
    for (int k = 0; k < LT_MULTISCALE_BOX_LANES; k++)
        if (!(own[k] <= of_child[k])) return false;
    return true;
}

const char *lt_validate_multiscale(const lt_multiscale *m) {
    const lt_multiscale_tree *tree = m->tree;
    if (m->next_cut > tree->group_count + tree->level_group_count || m->next_above > tree->node_count)
        return "a cursor is beyond what there is to fit";
    for (uint32_t node = 0; node < tree->node_count; node++) {
        if (m->stamps[node] > m->stamp) return "a box is of a step to come";
        if (m->stamps[node] == m->stamp && !is_box(lt_multiscale_lanes(m, node)))
            return "a fitted box is turned inside out";
    }
    /* Above the cut boxes are those of their children, as long as these are what they were then. */
    for (uint32_t i = 0; i < m->next_above && !m->levels.are_coarse; i++) {
        uint32_t node = tree->above[i], child = tree->nodes[node].child;
        if (!holds_child(m, node, child) || !holds_child(m, node, child + 1))
            return "a box above the cut does not hold its children";
    }
    return NULL;
}
