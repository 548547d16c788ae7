/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The cut of a tree of boxes over a ladder (papers/003 §5.4.2, spec O10, O11): from the root down, the first boxes that have records of
 * the level they need, which is the finest that moves anything in them. Where that is the finest level of all, or where so few
 * triangles hang on so many tets that there are no records, it is the cut of the tree.
 *
 * What is below such a box is fitted from the level that it needs itself, or, if there are no records of that, from that of the
 * box above it; from the cut of the tree on down from tets of the finest level, which are prepared where somebody asks.
 *
 * Invariant: all but `nodes` follows from `nodes`; a body that was restored has the same cut, and pays the same for it.
 *
 * Workload: a bear of 3,850 finest governors and 512 boxes on the cut of the tree; on its second coarsest mesh 115 boxes from 226 tets. Eight
 * such bears, one core: 210 us each where all is fine, 110, 80, 50 and 31 us where levels 1 to 4 move them; levels of nodes 3 us, and
 * choosing 17 us where they are others, which take its model 500. */

#include "bound/multiscale.h"

#include <string.h>

/* ---- memory ---- */

#define TABLES(X)                                                                                            \
    X(nodes, l->node_count, uint8_t)                                                                         \
    X(governors, m->tree->governor_count, uint8_t)                                                           \
    X(boxes, m->tree->node_count, uint8_t)                                                                   \
    X(groups, m->tree->node_count, uint32_t)                                                                 \
    X(cut, m->tree->cut_count, uint32_t)                                                                     \
    X(above, m->tree->above_count, uint32_t)                                                                 \
    X(prepared, lt_multiscale_governor_total(m->tree), uint32_t)

bool lt_multiscale_levels_create(lt_multiscale *m, const lt_carrier *carrier) {
    lt_multiscale_levels *l = &m->levels;
    bool all = true;
    if (m->tree->level_width == 0 || carrier->ladder.level_count == 0 || m->bound == LT_BOUND_TETS)
        return true;
    l->node_count = carrier->ladder.node_begin[1];
    memcpy(l->node_begin, carrier->ladder.node_begin, sizeof l->node_begin);
#define TAKE(name, count, type) all = (l->name = LT_NEW(&m->allocator, count, type)) && all;
    TABLES(TAKE)
#undef TAKE
    for (uint32_t node = 0; all && node < m->tree->node_count; node++)
        l->groups[node] = m->tree->links[node].group;
    return all;
}

void lt_multiscale_levels_free(lt_multiscale *m) {
    lt_multiscale_levels *l = &m->levels;
#define GIVE_BACK(name, count, type) LT_DELETE(&m->allocator, l->name, count, type);
    TABLES(GIVE_BACK)
#undef GIVE_BACK
}

/* ---- which level a box needs ---- */

void lt_multiscale_follow(lt_multiscale *m, const lt_soft *soft) {
    lt_multiscale_levels *l = &m->levels;
    if (!l->nodes) return;
    LT_ASSERT(!soft || lt_soft_own_count(soft) == l->node_count);
    l->are_new = lt_soft_hang_levels(soft, l->nodes, l->node_count) || l->are_new;
}

static void find_governor_levels(const lt_multiscale *m) {
    const lt_multiscale_levels *l = &m->levels;
    for (uint32_t i = 0; i < m->tree->governor_count; i++) {
        const uint32_t *tet = m->tets + 4 * (size_t)m->tree->governors[i];
        uint8_t finest = l->nodes[tet[0]];
        for (int k = 1; k < 4; k++)
            finest = l->nodes[tet[k]] < finest ? l->nodes[tet[k]] : finest;
        l->governors[i] = finest;
    }
}

/* Those on the cut of the tree by their governors, those above by their children, which come before them in the list. */
static void find_box_levels(const lt_multiscale *m) {
    const lt_multiscale_levels *l = &m->levels;
    const lt_multiscale_tree *t = m->tree;
    for (uint32_t group = 0; group < t->cut_count; group++) {
        uint8_t finest = UINT8_MAX;
        for (uint32_t i = t->groups[group].first; i < t->groups[group + 1].first; i++) {
            uint8_t level = l->governors[t->record_governors[i]];
            finest = level < finest ? level : finest;
        }
        l->boxes[t->group_nodes[group]] = finest;
    }
    for (uint32_t i = 0; i < t->above_count; i++) {
        const uint8_t *children = l->boxes + t->nodes[t->above[i]].child;
        l->boxes[t->above[i]] = children[0] < children[1] ? children[0] : children[1];
    }
}

/* ---- the cut ---- */

/* The group of a box above the cut of the tree and a level; LT_NONE: it has none. */
static uint32_t group_at(const lt_multiscale_tree *t, uint32_t row, uint32_t level) {
    return level == 0 || level > t->level_width ? LT_NONE
                                                : t->level_groups[(size_t)row * t->level_width + level - 1];
}

/* A box has at most as many governors as the one above it: what that is fitted from there is for this, too. The level of a box that has
 * a group becomes that of the group. */
static uint32_t choose_group(const lt_multiscale *m, uint32_t row, uint32_t parent) {
    const lt_multiscale_levels *l = &m->levels;
    uint32_t node = m->tree->above[row], group = group_at(m->tree, row, l->boxes[node]);
    if (group != LT_NONE || parent == LT_NONE || l->groups[parent] == LT_NONE) return group;
    l->boxes[node] = l->boxes[parent];
    return group_at(m->tree, row, l->boxes[node]);
}

/* Boxes at or below one that has a group have their level marked by that; `boxes` is read no more. */
static bool is_covered(const lt_multiscale *m, uint32_t node) {
    LT_ASSERT(node < m->tree->node_count || node == LT_NONE);
    return node != LT_NONE && m->levels.boxes[node] == UINT8_MAX;
}

static void cut_above(lt_multiscale *m) {
    lt_multiscale_levels *l = &m->levels;
    const lt_multiscale_tree *t = m->tree;
    uint32_t finest = t->level_width;
    l->cut_count = l->above_count = 0;
    for (uint32_t row = t->above_count; row-- > 0;) { /* from the root down */
        uint32_t node = t->above[row], parent = t->links[node].parent;
        l->groups[node] = choose_group(m, row, parent);
    }
    for (uint32_t row = t->above_count; row-- > 0;) {
        uint32_t node = t->above[row];
        bool covered = is_covered(m, t->links[node].parent);
        if (!covered && l->groups[node] != LT_NONE) {
            l->cut[l->cut_count++] = l->groups[node];
            finest = lt_min_u32(finest, l->boxes[node]);
        }
        if (covered || l->groups[node] != LT_NONE) l->boxes[node] = UINT8_MAX;
    }
    for (uint32_t row = 0; row < t->above_count; row++)
        if (!is_covered(m, t->above[row])) l->above[l->above_count++] = t->above[row];
    l->are_coarse = l->cut_count > 0;
    l->first_node = l->node_begin[finest];
    l->end_node = l->node_begin[t->level_width + 1];
}

void lt_multiscale_choose_cut(lt_multiscale *m) {
    lt_multiscale_levels *l = &m->levels;
    if (!l->are_new) return;
    l->are_new = false;
    find_governor_levels(m);
    find_box_levels(m);
    cut_above(m);
    for (uint32_t group = 0; group < m->tree->cut_count; group++)
        if (!is_covered(m, m->tree->links[m->tree->group_nodes[group]].parent))
            l->cut[l->cut_count++] = group;
}

/* ---- governors ---- */

static uint32_t sample_count(const lt_multiscale_tree *t, uint32_t governor) {
    if (governor < t->governor_count) return 0;
    const uint32_t *begin = t->sample_begin + (governor - t->governor_count);
    return begin[1] - begin[0];
}

uint32_t lt_multiscale_prepare_cost(const lt_multiscale *m, uint32_t group) {
    LT_ASSERT(group < m->tree->group_count + m->tree->level_group_count);
    const lt_multiscale_tree *t = m->tree;
    uint32_t cost = 0;
    for (uint32_t i = t->groups[group].first; i < t->groups[group + 1].first; i++) {
        uint32_t governor = t->record_governors[i];
        if (m->levels.prepared[governor] == m->stamp) continue;
        cost += LT_MULTISCALE_GOVERNOR_UNITS * m->end_count +
                LT_MULTISCALE_SAMPLE_UNITS * sample_count(t, governor);
    }
    return cost;
}

void lt_multiscale_prepare(lt_multiscale *m, uint32_t group) {
    LT_ASSERT(group < m->tree->group_count + m->tree->level_group_count);
    const lt_multiscale_tree *t = m->tree;
    for (uint32_t i = t->groups[group].first; i < t->groups[group + 1].first; i++) {
        uint32_t governor = t->record_governors[i];
        if (m->levels.prepared[governor] == m->stamp) continue;
        m->levels.prepared[governor] = m->stamp;
        m->kernels->prepare[m->bound](m, governor, governor + 1);
        if (governor >= t->governor_count) m->kernels->widen(m, governor);
    }
}
