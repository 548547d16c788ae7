/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Groups of neighbouring points, merged two by two until as many are left as there may be spheres.
 *
 * Of every group it is known what each candidate centre would need to cover it; of two groups together that is, element
 * by element, the larger. A group's cost is the least need over all candidates. */

#include "bake/sphere_split.h"

#include <string.h>

typedef struct merging {
    float needs[LT_MERGE_GROUPS][LT_SPLIT_CANDIDATES];
    float costs[LT_MERGE_GROUPS];                  /* LT_NONE's: dead */
    float pairs[LT_MERGE_GROUPS][LT_MERGE_GROUPS]; /* cost of two together, first < second */
    uint32_t into[LT_MERGE_GROUPS];                /* the group it was merged into, or itself */
    uint32_t group_count, live_count;
    float seed_distances[LT_SPLIT_POINTS];
    uint32_t groups[LT_SPLIT_POINTS]; /* of points */
} merging;

/* Seeds as far from each other as can be; points belong to the nearest. */
static void form_groups(merging *m, lt_split *split) {
    const lt_split_points *points = &split->points;
    uint32_t most = split->field->pace->groups_most, seed = lt_random_below(&split->random, points->count);
    for (uint32_t i = 0; i < points->count; i++)
        m->seed_distances[i] = INFINITY;
    for (m->group_count = 0; m->group_count < most; m->group_count++) {
        float farthest = 0;
        uint32_t next = seed;
        for (uint32_t i = 0; i < points->count; i++) {
            float x = points->x[i] - points->x[seed], y = points->y[i] - points->y[seed];
            float z = points->z[i] - points->z[seed], d = x * x + y * y + z * z;
            if (d < m->seed_distances[i]) {
                m->seed_distances[i] = d;
                m->groups[i] = m->group_count;
            }
            if (m->seed_distances[i] > farthest) farthest = m->seed_distances[i], next = i;
        }
        if (farthest == 0) break; /* all points are seeds */
        seed = next;
    }
    m->group_count = lt_min_u32(m->group_count + 1, most);
}

static void measure_needs(merging *m, const lt_split *split) {
    const lt_split_points *points = &split->points;
    memset(m->needs, 0, sizeof(m->needs));
    for (uint32_t i = 0; i < points->count; i++) {
        float *needs = m->needs[m->groups[i]];
        for (uint32_t c = 0; c < split->candidate_count; c++) {
            float x = points->x[i] - split->candidates[c].x, y = points->y[i] - split->candidates[c].y;
            float z = points->z[i] - split->candidates[c].z, d = x * x + y * y + z * z;
            needs[c] = d > needs[c] ? d : needs[c];
        }
    }
    for (uint32_t g = 0; g < m->group_count; g++)
        for (uint32_t c = 0; c < split->candidate_count; c++)
            m->needs[g][c] = sqrtf(m->needs[g][c]) + split->candidate_values[c];
}

static float cost_together(const merging *m, uint32_t a, uint32_t b, uint32_t candidate_count) {
    float least[LT_POLISH_LANES];
    for (int k = 0; k < LT_POLISH_LANES; k++)
        least[k] = 3e38f;
    for (uint32_t c = 0; c < candidate_count; c += LT_POLISH_LANES)
        for (uint32_t k = 0; k < LT_POLISH_LANES; k++) {
            float p = m->needs[a][c + k], q = m->needs[b][c + k], need = p > q ? p : q;
            least[k] = need < least[k] ? need : least[k];
        }
    for (int k = 1; k < LT_POLISH_LANES; k++)
        least[0] = lt_min_f(least[0], least[k]);
    return lt_max_f(least[0], 0);
}

static double fourth(double x) {
    return x * x * x * x;
}

/* What merging two groups adds to the score. */
static double price(const merging *m, uint32_t a, uint32_t b) {
    return fourth(m->pairs[a][b]) - fourth(m->costs[a]) - fourth(m->costs[b]);
}

static void merge_groups(merging *m, uint32_t a, uint32_t b, const lt_split *split) {
    for (uint32_t c = 0; c < split->candidate_count; c++)
        m->needs[a][c] = lt_max_f(m->needs[a][c], m->needs[b][c]);
    m->costs[a] = m->pairs[a][b];
    m->into[b] = a;
    m->live_count--;
    for (uint32_t g = 0; g < m->group_count; g++) {
        if (m->into[g] != g || g == a) continue;
        float together = cost_together(m, a, g, split->candidate_count);
        m->pairs[lt_min_u32(a, g)][lt_max_u32(a, g)] = together;
    }
}

static void merge_cheapest(merging *m, const lt_split *split) {
    double least = INFINITY;
    uint32_t first = 0, second = 0;
    for (uint32_t a = 0; a < m->group_count; a++) {
        if (m->into[a] != a) continue;
        for (uint32_t b = a + 1; b < m->group_count; b++) {
            if (m->into[b] != b) continue;
            double p = price(m, a, b);
            if (p >= least) continue;
            least = p;
            first = a, second = b;
        }
    }
    merge_groups(m, first, second, split);
}

/* The candidate that needs least for the group. */
static uint32_t best_candidate(const merging *m, uint32_t group, uint32_t candidate_count) {
    uint32_t best = 0;
    for (uint32_t c = 1; c < candidate_count; c++)
        if (m->needs[group][c] < m->needs[group][best]) best = c;
    return best;
}

static void take_result(const merging *m, lt_split *split) {
    uint32_t spheres[LT_MERGE_GROUPS];
    split->sphere_count = 0;
    for (uint32_t g = 0; g < m->group_count; g++) {
        if (m->into[g] != g) continue;
        lt_vec3 center = split->candidates[best_candidate(m, g, split->candidate_count)];
        split->spheres[split->sphere_count] = (lt_polish_sphere){.center = lt_d3_from_v3(center)};
        spheres[g] = split->sphere_count++;
    }
    for (uint32_t i = 0; i < split->points.count; i++) {
        uint32_t g = m->groups[i];
        while (m->into[g] != g)
            g = m->into[g];
        split->points.owners[i] = (uint8_t)spheres[g];
    }
}

lt_status lt_split_merge(lt_split *split, const lt_allocator *allocator, lt_error *error) {
    LT_ASSERT(split->points.count > 0 && split->candidate_count > 0 &&
              split->candidate_count % LT_POLISH_LANES == 0);
    merging *m = LT_NEW(allocator, 1, merging);
    if (!m) return lt_fail(error, LT_STATUS_MEMORY, "sphere tree: no memory to merge points");
    form_groups(m, split);
    measure_needs(m, split);
    m->live_count = m->group_count;
    for (uint32_t a = 0; a < m->group_count; a++) {
        m->into[a] = a;
        m->costs[a] = cost_together(m, a, a, split->candidate_count);
    }
    for (uint32_t a = 0; a < m->group_count; a++)
        for (uint32_t b = a + 1; b < m->group_count; b++)
            m->pairs[a][b] = cost_together(m, a, b, split->candidate_count);
    while (m->live_count > split->sphere_most)
        merge_cheapest(m, split);
    take_result(m, split);
    LT_DELETE(allocator, m, 1, merging);
    return LT_OK;
}
