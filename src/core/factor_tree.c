/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Supernodes of a factor, from a pattern and an order:
 *
 *   elimination tree (Liu 1990), in postorder ──► columns with the same rows are groups ──► children merge into parents where a
 *   solve gets cheaper ──► groups side by side, wide ones cut into supernodes
 *
 * Places are ranks in the order of elimination. They are given twice: in postorder of the tree of columns, so that columns with the
 * same rows are side by side, and in postorder of the tree of groups after merging. */

#include "core/factor_internal.h"

enum {
    /* Nodes of a supernode at most. Half of the square on top of a panel is zeros that are kept: 16 nodes of 48 columns keep it
     * small, and an update is read and written once per 48 columns */
    WIDEST = 16,
    /* Reals that a solve would read in the time that it takes to begin with a supernode: what a merge saves */
    SUPERNODE_REALS = 150,
    /* Zeros that merges may add to a factor altogether, as a share of its blocks: no order can make it grow beyond */
    ZERO_PERCENT = 50
};

/* ---- the tree ---- */

/* The parent of a column is the first row below its diagonal. */
static void build_tree(lt_factor_maker *m) {
    const lt_sparse_pattern *p = m->pattern;
    LT_ASSERT(p->row_begin[0] == 0);
    lt_factor_fill_none(m->parent, m->node_count);
    lt_factor_fill_none(m->ancestor, m->node_count);
    for (uint32_t i = 0; i < m->node_count; i++)
        for (uint32_t e = p->row_begin[m->order[i]]; e < p->row_begin[m->order[i] + 1]; e++) {
            uint32_t column = m->place[p->columns[e]];
            while (column < i) {
                uint32_t above = m->ancestor[column];
                m->ancestor[column] = i;
                if (above == LT_NONE) m->parent[column] = i;
                column = above; /* LT_NONE ends it */
            }
        }
}

/* turned[k] is the item that comes k-th when children come before parents and each family stays together. */
static uint32_t walk_tree(lt_factor_maker *m, const uint32_t *parent, uint32_t count) {
    lt_factor_fill_none(m->child, count);
    for (uint32_t i = count; i-- > 0;)
        if (parent[i] != LT_NONE) {
            m->sibling[i] = m->child[parent[i]];
            m->child[parent[i]] = i;
        }
    uint32_t done = 0;
    for (uint32_t root = 0; root < count; root++) {
        if (parent[root] != LT_NONE) continue;
        uint32_t depth = 0;
        m->walk[depth++] = root;
        while (depth > 0) {
            uint32_t item = m->walk[depth - 1], child = m->child[item];
            if (child == LT_NONE) {
                m->turned[done++] = item;
                depth--;
            } else {
                m->child[item] = m->sibling[child];
                m->walk[depth++] = child;
            }
        }
    }
    return done;
}

/* Renumbers columns in postorder. */
static void put_in_postorder(lt_factor_maker *m) {
    uint32_t done = walk_tree(m, m->parent, m->node_count);
    LT_ASSERT(done == m->node_count);
    for (uint32_t i = 0; i < done; i++)
        m->turned[i] = m->order[m->turned[i]];
    memcpy(m->order, m->turned, done * sizeof m->order[0]);
    lt_factor_fill_places(m);
    build_tree(m);
}

/* Row i of L has what is on the ways up the tree from its columns in the matrix to i. */
static void count_rows_below(lt_factor_maker *m) {
    const lt_sparse_pattern *p = m->pattern;
    uint32_t *mark = m->ancestor;
    lt_factor_fill_none(mark, m->node_count);
    memset(m->below, 0, m->node_count * sizeof m->below[0]);
    m->exact_count = m->node_count;
    for (uint32_t i = 0; i < m->node_count; i++) {
        mark[i] = i;
        for (uint32_t e = p->row_begin[m->order[i]]; e < p->row_begin[m->order[i] + 1]; e++)
            for (uint32_t c = m->place[p->columns[e]]; c < i && mark[c] != i; c = m->parent[c]) {
                mark[c] = i;
                m->below[c]++;
                m->exact_count++;
            }
    }
}

/* ---- groups of columns ---- */

/* A column whose rows are those of the one before without itself is in its group. A group is numbered by its last column. */
static void group_columns(lt_factor_maker *m) {
    for (uint32_t end = m->node_count; end > 0;) {
        uint32_t last = end - 1, begin = last;
        while (begin > 0 && m->parent[begin - 1] == begin && m->below[begin - 1] == m->below[begin] + 1)
            begin--;
        for (uint32_t i = begin; i < end; i++) {
            m->group[i] = last;
            m->width[i] = 0;
        }
        m->width[last] = end - begin;
        end = begin;
    }
}

/* Whether reading the zeros that the parent gets by a child costs less than a supernode more, and there may be as many. */
static bool merge_pays(lt_factor_maker *m, uint32_t child, uint32_t into) {
    size_t apart =
        lt_factor_blocks(m->width[child], m->below[child]) + lt_factor_blocks(m->width[into], m->below[into]);
    size_t zeros = lt_factor_blocks((size_t)m->width[child] + m->width[into], m->below[into]) - apart;
    if (9 * zeros > SUPERNODE_REALS || 100 * (m->zero_count + zeros) > ZERO_PERCENT * m->exact_count)
        return false;
    m->zero_count += zeros;
    return true;
}

/* Children of what was merged become children: they come later in the list and are looked at, too. */
static void merge_children(lt_factor_maker *m, uint32_t into) {
    uint32_t *last = &m->child[into];
    while (*last != LT_NONE) {
        uint32_t child = *last;
        if (!merge_pays(m, child, into)) {
            last = &m->sibling[child];
            continue;
        }
        LT_ASSERT(child < into && m->width[child] > 0);
        m->width[into] += m->width[child];
        m->width[child] = 0;
        m->turned[child] = into;
        uint32_t *end = &m->child[child];
        while (*end != LT_NONE)
            end = &m->sibling[*end];
        *end = m->sibling[child];
        *last = m->child[child];
    }
}

static void merge_groups(lt_factor_maker *m) {
    lt_factor_fill_none(m->child, m->node_count);
    lt_factor_fill_none(m->sibling, m->node_count);
    lt_factor_fill_none(m->turned, m->node_count); /* into which a group was merged */
    for (uint32_t g = 0; g < m->node_count; g++) {
        if (m->width[g] == 0) continue;
        merge_children(m, g);
        if (m->parent[g] == LT_NONE) continue;
        uint32_t above = m->group[m->parent[g]];
        m->sibling[g] = m->child[above];
        m->child[above] = g;
    }
    for (uint32_t i = m->node_count; i-- > 0;) /* a group is merged into one of a higher number */
        if (m->turned[m->group[i]] != LT_NONE) m->group[i] = m->group[m->turned[m->group[i]]];
}

/* ---- supernodes ---- */

/* Groups in postorder of their own tree, the columns of each side by side. */
static void number_groups(lt_factor_maker *m) {
    uint32_t *above = m->ancestor, *begin = m->walk;
    for (uint32_t i = 0; i < m->node_count;
         i++) /* columns that are no group hang on theirs and come before it */
        above[i] = m->group[i] != i          ? m->group[i]
                   : m->parent[i] == LT_NONE ? LT_NONE
                                             : m->group[m->parent[i]];
    walk_tree(m, above, m->node_count);
    uint32_t at = 0;
    for (uint32_t k = 0; k < m->node_count; k++)
        if (m->group[m->turned[k]] == m->turned[k]) {
            begin[m->turned[k]] = at;
            at += m->width[m->turned[k]];
        }
    LT_ASSERT(at == m->node_count); /* widths of groups sum to that */
    memcpy(m->turned, m->order, m->node_count * sizeof m->order[0]);
    for (uint32_t i = 0; i < m->node_count; i++) /* ascending: within a group as before */
        m->order[begin[m->group[i]]++] = m->turned[i];
    memcpy(m->ancestor, m->group, m->node_count * sizeof m->group[0]);
    for (uint32_t i = 0; i < m->node_count;
         i++) /* labels by place now; the number of a group is what it was */
        m->turned[i] = m->place[m->order[i]];
    for (uint32_t i = 0; i < m->node_count; i++)
        m->group[i] = m->ancestor[m->turned[i]];
    lt_factor_fill_places(m);
}

/* Cuts a group of `width` columns into supernodes of nearly the same width, each with the later ones among its rows. */
static void cut_group(lt_factor_maker *m, uint32_t begin, uint32_t width, uint32_t below) {
    uint32_t parts = (width + WIDEST - 1) / WIDEST;
    for (uint32_t k = 0; k < parts; k++) {
        uint32_t first = begin + (uint32_t)((uint64_t)width * k / parts);
        uint32_t end = begin + (uint32_t)((uint64_t)width * (k + 1) / parts);
        lt_factor_supernode *s = &m->supernodes[m->supernode_count];
        *s = (lt_factor_supernode){.column_begin = first,
                                   .column_count = end - first,
                                   .row_count = below + begin + width - end,
                                   .parent = LT_NONE,
                                   .first_child = LT_NONE,
                                   .next_sibling = LT_NONE};
        s->stride = (uint32_t)lt_align_up(3 * ((size_t)s->column_count + s->row_count), 8);
        for (uint32_t i = first; i < end; i++)
            m->supernode[i] = m->supernode_count;
        m->supernode_count++;
    }
}

static void cut_groups(lt_factor_maker *m) {
    for (uint32_t begin = 0; begin < m->node_count;) {
        uint32_t group = m->group[begin], width = m->width[group];
        LT_ASSERT(width > 0 && m->group[begin + width - 1] == group);
        cut_group(m, begin, width, m->below[group]);
        begin += width;
    }
}

void lt_factor_find_supernodes(lt_factor_maker *m) {
    lt_factor_fill_places(m);
    build_tree(m);
    put_in_postorder(m);
    count_rows_below(m);
    group_columns(m);
    merge_groups(m);
    number_groups(m);
    cut_groups(m);
}
