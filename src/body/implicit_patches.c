/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Contacts in the preconditioner: couplings that push, merged to a few patches a pair, by an exact correction of low rank.
 *
 *   B = (P + Jᵀ D J)⁻¹ = P⁻¹ − P⁻¹ Jᵀ C⁻¹ J P⁻¹,   C = D⁻¹ + J P⁻¹ Jᵀ
 *
 * J is the mean of a patch's couplings by their gains, D their sum along its normal and across it. P⁻¹ between the nodes that J
 * touches is known at rest (rest_columns.h) and turned with the bodies, so that C costs no solve. Merged contacts are a preconditioner,
 * never the law: residuals and searches go by each coupling. They serve the first three iterations alone: where contacts
 * come and go after those, a patch whose contacts have gone holds its nodes 400 times as fast as anything does (incline: 77 iterations
 * at worst with patches for the whole solve, 32 with three). With twelve most solves are shorter, bear 3.6 iterations a step for 5.3, drop
 * 7.5 for 8.3, jelly 61 products to 10 % for 72 to 76, eight cubes 114 to 3 % for 133; but one of the cubes that lie on a floor (`lithe bench
 * solve --only range/resting`) then rises by 2.4 % of weight times size, where 1 % is allowed and three have 0.4. Tried with all iterations:
 * D as it is after each, C made anew from J P⁻¹ Jᵀ where a gain has changed twofold (incline 2.8 a step for 3.0, jelly 79 products),
 * and all let go with the first that changes so (jelly 76).
 *
 * Workload: one to some ten bodies: a bear of 930 tets on a floor comes in one iteration to what took four. Patches are 8 or 4 a
 * pair, as many as leave no body more than 24 and the island no more than 32; islands with more go without. In a heap of 16
 * bodies 8 a pair took 28 iterations where there were 36, and no fewer than eight to 1 % if they were made anew in each: what pushes and
 * what slides changes there from iteration to iteration.
 *
 * Tried for islands with more, by pairs, in the whole solve: block sweeps forth and back over C in place of its factor (what they make of
 * B is positive, since their matrix is above C), blocks of C alone over the most pairs a body has, and the factor. Iterations and time, heap
 * and eight bears, without: 27.4, 1.99 ms and 15.4, 0.88 ms; sweeps with 4 patches a pair 20.8, 2.51 and 11.4, 1.03; by the three heaviest
 * nodes of each side 20.3, 2.27 and 10.8, 1.04. Every correction takes a second solve: sweeps and C for nothing would leave 3 % at most.
 * In the first steps of these scenes blocks alone took 27 and 32 iterations of 33 and 35, the factor 27 and 27: none took less time.
 *
 * Tall stacks, eight cubes of 320 tets: the same sweeps, from the floor up and back, to 3 % in 102 products where the factor takes 113,
 * four cubes 39 and 40, two 4.6 and 3.2: not worth a second way. Sweeps over bodies, one after the other in contact order, with its contacts, by a
 * direction of its own and a search: 16 of them, a sweep up and down, leave 18 % of eight cubes, 64 leave 14 %, 500 leave 3 %. What
 * presses on a cube is made by those above, one body at a time.
 */

#include "body/implicit.h"
#include "body/rest_factor.h"

#include <string.h>

enum {
    PATCHES_A_PAIR = 8,
    FEWEST_A_PAIR = 4, /* two a pair of eight bears cost a third more than they saved */
    PATCHES_A_BODY = 24,
    DIMENSIONS = 3
};
/* Across the normal a patch answers with this share of its gain at least: D stays invertible where friction slides. */
static const lt_real LEAST_ACROSS = (lt_real)1e-2;

/* ---- memory ---- */

static size_t matrix_reals(size_t patches) {
    size_t n = DIMENSIONS * patches;
    return n * (n + 1) / 2;
}

size_t lt_patches_scratch(uint32_t body_count, uint32_t node_count, uint32_t coupling_capacity,
                          uint32_t most_nodes) {
    size_t a_coupling = 2 * (size_t)most_nodes * sizeof(lt_patch_node) + 4 * sizeof(lt_real) +
                        sizeof(uint32_t) + sizeof(lt_patch) +
                        matrix_reals(LT_PATCHES_MOST) / LT_PATCHES_MOST * sizeof(lt_real) + sizeof(lt_real);
    return coupling_capacity * a_coupling + node_count * sizeof(uint32_t) +
           body_count * (sizeof(lt_patch_set) + 8 * 64 + 4 * LT_LANES_OF_GROUP * sizeof(lt_real));
}

bool lt_patches_take(lt_island *island, lt_arena *arena) {
    const lt_coupling_set *set = island->set;
    uint32_t count = island->coupling_count, capacity = lt_min_u32(LT_PATCHES_MOST, count);
    size_t nodes = LT_LANES_OF_GROUP * (size_t)set->slot_capacity,
           groups = (count + LT_LANES_OF_GROUP - 1) / LT_LANES_OF_GROUP;
    island->patches = LT_TAKE(arena, 1, lt_patch_set);
    if (!island->patches) return false;
    *island->patches = (lt_patch_set){
        .patches = LT_TAKE(arena, capacity, lt_patch),
        .nodes = LT_TAKE(arena, nodes, lt_patch_node),
        .marks = LT_TAKE(arena, island->row_count, uint32_t),
        .gains = (lt_coupling_gains *)LT_TAKE(arena, groups, lt_coupling_gains),
        .pair_begin = LT_TAKE(arena, (size_t)count + 1, uint32_t),
        .matrix = LT_TAKE(arena, matrix_reals(capacity), lt_real),
        .answer = LT_TAKE(arena, DIMENSIONS * (size_t)capacity, lt_real),
    };
    const lt_patch_set *p = island->patches;
    return p->patches && p->nodes && p->marks && p->gains && p->pair_begin && p->matrix && p->answer;
}

/* ---- which couplings are one patch ---- */

static lt_real gain_of(const lt_patch_set *p, uint32_t coupling) {
    return p->gains[coupling / LT_LANES_OF_GROUP].normal[coupling % LT_LANES_OF_GROUP];
}

static lt_rvec3 arm_of(const lt_coupling_set *set, uint32_t coupling) {
    return lt_lanes_get(set->groups[coupling / LT_LANES_OF_GROUP].arm, coupling % LT_LANES_OF_GROUP);
}

/* Those that push, pair by pair, into `listed`. */
static void list_pushing(const lt_implicit *s) {
    const lt_island *island = s->island;
    const lt_coupling_set *set = island->set;
    lt_patch_set *p = island->patches;
    uint32_t count = 0, pair = 0;
    for (uint32_t i = 0; i < set->group_count; i++)
        s->couplings->gains(set, i, p->gains[i].normal, p->gains[i].across);
    for (uint32_t i = 0; i < set->run_count; i++) {
        const lt_coupling_run *run = &set->runs[i];
        while (pair <= run->pair)
            p->pair_begin[pair++] = count;
        for (uint32_t lane = run->begin; lane < run->end; lane++)
            if (p->gains[run->group].normal[lane] > 0)
                island->listed[count++] = LT_LANES_OF_GROUP * run->group + lane;
    }
    p->pair_begin[pair] = count;
}

static uint32_t pushing_of(const lt_patch_set *p, uint32_t pair) {
    LT_ASSERT(p->pair_begin[pair] <= p->pair_begin[pair + 1]);
    return p->pair_begin[pair + 1] - p->pair_begin[pair];
}

/* Whether so many patches a pair leave no body and not the island with too many. */
static bool may_have(const lt_island *island, uint32_t a_pair) {
    const lt_rigid_level *level = island->rigid;
    uint32_t all = 0;
    for (uint32_t m = 0; m < island->member_count; m++)
        level->rows[m].patch_count = 0;
    for (uint32_t i = 0; i < level->pair_count; i++) {
        const lt_rigid_pair *pair = &level->pairs[i];
        uint32_t count = lt_min_u32(a_pair, pushing_of(island->patches, i));
        all += count;
        uint32_t of_a = level->rows[pair->a].patch_count += count;
        uint32_t of_b = pair->b == LT_NONE ? 0 : (level->rows[pair->b].patch_count += count);
        if (all > LT_PATCHES_MOST || of_a > PATCHES_A_BODY || of_b > PATCHES_A_BODY) return false;
    }
    return true;
}

/* Couplings [begin, end) of the list, and the box of their arms. */
typedef struct range {
    uint32_t begin, end;
    int axis; /* the longest of the box */
    lt_real middle, extent;
} range;

static range range_of(const lt_island *island, uint32_t begin, uint32_t end) {
    range r = {.begin = begin, .end = end};
    for (int axis = 0; axis < DIMENSIONS; axis++) {
        lt_real low = LT_LARGEST, high = -LT_LARGEST;
        for (uint32_t i = begin; i < end; i++) {
            lt_rvec3 arm = arm_of(island->set, island->listed[i]);
            lt_real at = axis == 0 ? arm.x : axis == 1 ? arm.y : arm.z;
            low = lt_min_r(low, at);
            high = lt_max_r(high, at);
        }
        if (!(high - low > r.extent)) continue;
        r.axis = axis;
        r.extent = high - low;
        r.middle = (low + high) / 2;
    }
    return r;
}

/* Those below the middle of the box come first; returns where the others begin. */
static uint32_t part(const lt_island *island, const range *r) {
    uint32_t at = r->begin;
    for (uint32_t i = r->begin; i < r->end; i++) {
        uint32_t coupling = island->listed[i];
        lt_rvec3 arm = arm_of(island->set, coupling);
        if (!((r->axis == 0 ? arm.x : r->axis == 1 ? arm.y : arm.z) < r->middle)) continue;
        island->listed[i] = island->listed[at];
        island->listed[at++] = coupling;
    }
    return at;
}

/* Halves the longest range until there are so many, or all are points. Returns their number. */
static uint32_t split_pair(const lt_island *island, uint32_t pair, uint32_t most, range out[PATCHES_A_PAIR]) {
    const lt_patch_set *p = island->patches;
    uint32_t count = 1;
    if (pushing_of(p, pair) == 0) return 0;
    out[0] = range_of(island, p->pair_begin[pair], p->pair_begin[pair + 1]);
    while (count < most) {
        uint32_t longest = 0;
        for (uint32_t i = 1; i < count; i++)
            if (out[i].extent > out[longest].extent) longest = i;
        if (!(out[longest].extent > 0)) break;
        uint32_t middle = part(island, &out[longest]), end = out[longest].end;
        if (middle == out[longest].begin || middle == end) break; /* as near as floats are */
        out[longest] = range_of(island, out[longest].begin, middle);
        out[count++] = range_of(island, middle, end);
    }
    return count;
}

/* ---- one patch ---- */

static void add_node(lt_patch_set *p, lt_patch_side *side, uint32_t row, lt_real weight) {
    LT_ASSERT(row != LT_NONE && side->begin <= side->end);
    uint32_t at = p->marks[row];
    if (at < side->begin || at >= side->end || p->nodes[at].row != row) {
        at = side->end++;
        p->nodes[at] = (lt_patch_node){row, 0};
        p->marks[row] = at;
    }
    p->nodes[at].weight += weight;
}

/* Nodes of one side of the range's couplings that have columns, weights of sum 1, of side b −1; none of members that do not deform. */
static void gather_side(const lt_implicit *s, const range *r, bool is_b, uint32_t member,
                        lt_patch_side *side) {
    const lt_island *island = s->island;
    const lt_coupling_set *set = island->set;
    const lt_rest_columns *columns;
    lt_patch_set *p = island->patches;
    lt_real sum = 0;
    side->member = member;
    side->begin = side->end = p->node_count;
    if (member == LT_NONE || !lt_deforms(&island->members[member])) return;
    const lt_member *body = &island->members[member];
    lt_rest_factor_columns(s->advance->factors, body->factor, &columns);
    for (uint32_t i = r->begin; i < r->end; i++) {
        const lt_coupling_group *g = &set->groups[island->listed[i] / LT_LANES_OF_GROUP];
        uint32_t lane = island->listed[i] % LT_LANES_OF_GROUP;
        uint32_t begin = is_b ? g->a_slots : 0, end = is_b ? g->slot_count : g->a_slots;
        for (uint32_t k = begin; k < end; k++) {
            const lt_coupling_slot *slot = &set->slots[g->slot_begin + k];
            lt_real weight = gain_of(p, island->listed[i]) * slot->weights[lane];
            if (weight == 0 || columns->slots[slot->rows[lane] - body->row] == LT_NONE) continue;
            add_node(p, side, slot->rows[lane], weight);
            sum += weight;
        }
    }
    p->node_count = side->end;
    if (is_b) sum = -sum;
    for (uint32_t i = side->begin; i < side->end && sum > 0; i++)
        p->nodes[i].weight /= sum;
}

static void add_patch(const lt_implicit *s, const lt_rigid_pair *pair, const range *r) {
    const lt_island *island = s->island;
    lt_patch_set *p = island->patches;
    LT_ASSERT(p->count < LT_PATCHES_MOST && r->begin < r->end);
    lt_patch *patch = &p->patches[p->count];
    lt_rvec3 normal = {0, 0, 0};
    *patch = (lt_patch){.along = 0};
    for (uint32_t i = r->begin; i < r->end; i++) {
        uint32_t group = island->listed[i] / LT_LANES_OF_GROUP, lane = island->listed[i] % LT_LANES_OF_GROUP;
        normal = lt_r3_mad(normal, lt_lanes_get(island->set->groups[group].normal, lane),
                           p->gains[group].normal[lane]);
        patch->along += p->gains[group].normal[lane];
        patch->across += p->gains[group].across[lane];
    }
    patch->across = lt_max_r(patch->across, LEAST_ACROSS * patch->along);
    lt_real length = lt_sqrt_r(lt_r3_length_squared(normal));
    patch->normal = length > 0 ? lt_r3_scale(normal, 1 / length) : normal; /* none: of tethers */
    gather_side(s, r, false, pair->a, &patch->sides[0]);
    gather_side(s, r, true, pair->b, &patch->sides[1]);
    p->count++;
}

/* ---- C ---- */

typedef lt_real block3[DIMENSIONS][DIMENSIONS];

/* P⁻¹ between the nodes of two sides of one member, at rest. */
static void sum_columns(const lt_implicit *s, const lt_member *member, const lt_patch_side *a,
                        const lt_patch_side *b, block3 out) {
    const lt_patch_set *p = s->island->patches;
    const lt_rest_columns *columns;
    const lt_real *g = lt_rest_factor_columns(s->advance->factors, member->factor, &columns);
    memset(out, 0, sizeof(block3));
    for (uint32_t i = a->begin; i < a->end; i++) {
        uint32_t row = columns->slots[p->nodes[i].row - member->row];
        for (uint32_t j = b->begin; j < b->end; j++) {
            uint32_t column = columns->slots[p->nodes[j].row - member->row];
            bool transposed;
            const lt_real *block = lt_rest_columns_block(g, row, column, &transposed);
            lt_real weight = p->nodes[i].weight * p->nodes[j].weight;
            for (int k = 0; k < DIMENSIONS; k++)
                for (int l = 0; l < DIMENSIONS; l++)
                    out[k][l] += weight * block[transposed ? 3 * l + k : 3 * k + l];
        }
    }
}

/* out += share R m Rᵀ, R by columns. */
static void add_turned(block3 out, const block3 m, const lt_real r[9], lt_real share) {
    block3 half;
    for (int i = 0; i < DIMENSIONS; i++)
        for (int j = 0; j < DIMENSIONS; j++)
            half[i][j] = r[i] * m[0][j] + r[3 + i] * m[1][j] + r[6 + i] * m[2][j];
    for (int i = 0; i < DIMENSIONS; i++)
        for (int j = 0; j < DIMENSIONS; j++)
            out[i][j] += share * (half[i][0] * r[j] + half[i][1] * r[3 + j] + half[i][2] * r[6 + j]);
}

static void link_patches(const lt_implicit *s, const lt_patch *a, const lt_patch *b, block3 out) {
    memset(out, 0, sizeof(block3));
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const lt_patch_side *one = &a->sides[i], *other = &b->sides[j];
            if (one->member != other->member || one->begin == one->end || other->begin == other->end)
                continue;
            const lt_member *member = &s->island->members[one->member];
            block3 rest;
            sum_columns(s, member, one, other, rest);
            add_turned(out, rest, member->turn, lt_precondition_share(member));
        }
}

/* D⁻¹ = (1/along − 1/across) n nᵀ + 1/across */
static void add_inverse_gains(block3 out, const lt_patch *patch) {
    const lt_real n[DIMENSIONS] = {patch->normal.x, patch->normal.y, patch->normal.z};
    lt_real across = 1 / patch->across, more = 1 / patch->along - across;
    for (int i = 0; i < DIMENSIONS; i++)
        for (int j = 0; j < DIMENSIONS; j++)
            out[i][j] += more * n[i] * n[j] + (i == j ? across : 0);
}

/* Column k of a lower triangle, from its diagonal on. */
static lt_real *column_of(const lt_patch_set *p, uint32_t k) {
    LT_ASSERT(k < DIMENSIONS * p->count);
    uint32_t n = DIMENSIONS * p->count;
    return p->matrix + (size_t)k * n - (size_t)k * (k + 1) / 2 + k;
}

static void fill_matrix(const lt_implicit *s) {
    const lt_patch_set *p = s->island->patches;
    for (uint32_t a = 0; a < p->count; a++)
        for (uint32_t b = 0; b <= a; b++) {
            block3 block;
            link_patches(s, &p->patches[a], &p->patches[b], block);
            if (a == b) add_inverse_gains(block, &p->patches[a]);
            for (uint32_t column = 0; column < DIMENSIONS; column++)
                for (uint32_t row = a == b ? column : 0; row < DIMENSIONS; row++) {
                    uint32_t k = DIMENSIONS * b + column;
                    column_of(p, k)[DIMENSIONS * a + row - k] = block[row][column];
                }
        }
}

/* L Lᵀ in place; patches that share no body leave zeros, which are passed over. False: not positive definite in this precision. */
static bool factor_matrix(const lt_patch_set *p) {
    uint32_t n = DIMENSIONS * p->count;
    for (uint32_t k = 0; k < n; k++) {
        lt_real *own = column_of(p, k);
        if (!(own[0] > 0)) return false;
        lt_real inverse = 1 / lt_sqrt_r(own[0]);
        for (uint32_t i = 0; i < n - k; i++)
            own[i] *= inverse;
        for (uint32_t j = k + 1; j < n; j++) {
            lt_real *other = column_of(p, j), factor = own[j - k];
            if (factor == 0) continue;
            for (uint32_t i = 0; i < n - j; i++)
                other[i] -= factor * own[j - k + i];
        }
    }
    return true;
}

static void solve_matrix(const lt_patch_set *p) {
    uint32_t n = DIMENSIONS * p->count;
    LT_ASSERT(p->count > 0);
    lt_real *y = p->answer;
    for (uint32_t k = 0; k < n; k++) {
        const lt_real *own = column_of(p, k);
        y[k] /= own[0];
        for (uint32_t i = 1; i < n - k; i++)
            y[k + i] -= own[i] * y[k];
    }
    for (uint32_t k = n; k-- > 0;) {
        const lt_real *own = column_of(p, k);
        for (uint32_t i = 1; i < n - k; i++)
            y[k] -= own[i] * y[k + i];
        y[k] /= own[0];
    }
}

/* ---- outside ---- */

/* Every body that deforms needs columns: without those of one the correction would hold it as if it were of infinite mass. */
static bool all_have_columns(const lt_implicit *s) {
    for (uint32_t m = 0; m < s->island->member_count; m++) {
        const lt_member *member = &s->island->members[m];
        const lt_rest_columns *columns;
        if (!lt_deforms(member)) continue;
        if (!member->factor) return false;
        lt_rest_factor_columns(s->advance->factors, member->factor, &columns);
        if (columns->count == 0) return false;
    }
    return true;
}

bool lt_patches_may_be(const lt_implicit *s) {
    return s->island->set->count > 0 && s->island->rigid->pair_count <= LT_PATCHES_MOST &&
           all_have_columns(s);
}

void lt_patches_build(const lt_implicit *s) {
    const lt_island *island = s->island;
    lt_patch_set *p = island->patches;
    uint32_t a_pair = PATCHES_A_PAIR;
    p->count = p->node_count = 0;
    if (island->set->count == 0 || island->rigid->pair_count > LT_PATCHES_MOST || !all_have_columns(s))
        return;
    list_pushing(s);
    while (a_pair >= FEWEST_A_PAIR && !may_have(island, a_pair))
        a_pair /= 2;
    if (a_pair < FEWEST_A_PAIR) return;
    memset(p->marks, 0xff, island->row_count * sizeof *p->marks);
    for (uint32_t i = 0; i < island->rigid->pair_count; i++) {
        range ranges[PATCHES_A_PAIR];
        uint32_t count = split_pair(island, i, a_pair, ranges);
        for (uint32_t k = 0; k < count; k++)
            add_patch(s, &island->rigid->pairs[i], &ranges[k]);
    }
    fill_matrix(s);
    if (!factor_matrix(p)) p->count = 0;
}

void lt_patches_drop(const lt_implicit *s) {
    s->island->patches->count = 0;
}

void lt_patches_correct(const lt_implicit *s, lt_real *out, const lt_real *r, const lt_real *z) {
    const lt_patch_set *p = s->island->patches;
    memcpy(out, r, lt_implicit_bytes(s));
    for (uint32_t i = 0; i < p->count; i++) {
        lt_r4 sum = lt_r4_splat(0);
        for (uint32_t k = p->patches[i].sides[0].begin; k < p->patches[i].sides[1].end; k++)
            sum =
                lt_r4_mad(sum, lt_r4_load(z + 4 * (size_t)p->nodes[k].row), lt_r4_splat(p->nodes[k].weight));
        lt_rvec3 moved = lt_r4_xyz(sum);
        p->answer[3 * i] = moved.x, p->answer[3 * i + 1] = moved.y, p->answer[3 * i + 2] = moved.z;
    }
    solve_matrix(p);
    for (uint32_t i = 0; i < p->count; i++) {
        const lt_real *y = p->answer + DIMENSIONS * (size_t)i;
        lt_rvec3 pull = {y[0], y[1], y[2]};
        for (uint32_t k = p->patches[i].sides[0].begin; k < p->patches[i].sides[1].end; k++)
            lt_node_add(out, p->nodes[k].row, pull, -p->nodes[k].weight);
    }
}
