/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Leaves of a front: at most LT_SKIN_LEAF samples in at most LT_SOLID_LEAF tets, or against an obstacle.
 *
 * A sample is held by the tet in which its least weight is largest: inside that is the tet that it is in, outside the nearest one, as far
 * as it may get in the step. Which tets can hold it is decided by boxes; how deep it is, when all leaves are tested, by the rest
 * distance (lt_depth_at_rest), as the reference method has it. */

#include "detect/front_search.h"

#include <math.h>

enum {
    BLOCK_UNITS = 8,   /* of eight samples against the boxes of eight tets */
    TET_UNITS = 8,     /* of eight samples in a tet */
    TOUCH_UNITS = 100, /* of the depth of a sample by the rest distance */
    OBSTACLE_POINT_UNITS = 16
};

/* Least weight with which a sample still counts as held: affine weights reach beyond a tet as far as the sample can come. */
static const float LEAST_WEIGHT = -0.25f;
static const float MOST_REACH = 2; /* edges */
/* What is farther outside at rest than so many margins is far in all but tets that are crushed to half: it is found when it is nearer. */
static const float STEEPEST = 2;

extern const lt_leaf_kernels lt_leaf_kernels_scalar, lt_leaf_kernels_wide4, lt_leaf_kernels_avx2;

const lt_leaf_kernels *lt_leaf_kernels_for(lt_simd_level level) {
    LT_ASSERT((unsigned)level < LT_LEVEL_COUNT);
    static const lt_leaf_kernels *const table[LT_LEVEL_COUNT] = LT_LEVEL_TABLE(lt_leaf_kernels);
    return table[level];
}

static const lt_shape_node *skin_node(const lt_front_search *s, uint32_t direction, uint32_t node) {
    return lt_shape_node_at(lt_skin_side(s, direction)->boxes->tree, node);
}

uint32_t lt_front_leaf_worst(const lt_front_search *search, const lt_entry *entry, uint32_t direction) {
    uint32_t points = lt_shape_node_points(skin_node(search, direction, entry->skin));
    if (search->obstacle) return OBSTACLE_POINT_UNITS * points;
    const lt_body_boxes *other = lt_solid_side(search, direction)->boxes;
    uint32_t tets = lt_shape_node_tets(lt_shape_node_at(other->tree, entry->solid));
    return lt_body_tets_worst(other, entry->solid) +
           lt_block_count(points) * (BLOCK_UNITS * lt_block_count(tets) + TET_UNITS * tets) +
           TOUCH_UNITS * points;
}

uint32_t lt_front_any_leaf_worst(void) {
    uint32_t blocks = LT_SOLID_LEAF / LT_BLOCK, samples = lt_max_u32(LT_SKIN_LEAF, LT_TET_SAMPLES);
    return LT_SOLID_BLOCK_UNITS * blocks + TOUCH_UNITS * samples +
           lt_block_count(samples) * (BLOCK_UNITS * blocks + TET_UNITS * LT_SOLID_LEAF);
}

/* The leaf joins those of its skin leaf; the first of them voids what older searches found. */
static void note_leaf(lt_front_search *s, const lt_entry *entry, uint32_t direction, float reach,
                      float least_wanted) {
    lt_skin_look *look = &s->memory->skins[direction][entry->skin];
    const lt_shape_node *n = skin_node(s, direction, entry->skin);
    if (look->turn != s->memory->turn) {
        *look = (lt_skin_look){.turn = s->memory->turn};
        uint32_t begin = LT_BLOCK * n->skin_block;
        for (uint32_t i = begin; i < begin + LT_BLOCK * lt_block_count(lt_shape_node_points(n)); i++) {
            s->memory->tets[direction][i] = LT_NONE;
            s->memory->least[direction][i] = least_wanted;
        }
    }
    look->reach = lt_max_f(look->reach, reach);
    if (s->leaf_count == s->memory->open_capacity) return;
    s->memory->leaves[s->leaf_count] = (lt_tested_leaf){entry->skin, entry->solid, direction, look->first};
    look->first = ++s->leaf_count;
}

/* Samples of a block that some tet holds: lanes behind the last sample repeat it, and do not count. */
static uint32_t held_of(const lt_front_search *s, uint32_t direction, const lt_shape_node *skin,
                        uint32_t block) {
    uint32_t count = 0, end = LT_BLOCK * skin->skin_block + lt_shape_node_points(skin);
    for (uint32_t i = LT_BLOCK * block; i < lt_min_u32(end, LT_BLOCK * (block + 1)); i++)
        count += s->memory->tets[direction][i] != LT_NONE;
    return count;
}

/* Samples of one block of the skin leaf in all tets of the solid leaf. A sample that is held for the first time will be asked how deep it is:
 * that is paid now. */
static uint32_t hold_block(lt_front_search *s, uint32_t direction, const lt_shape_node *skin, uint32_t block,
                           const lt_shape_node *solid, const lt_solid_block *tets, float margin) {
    const lt_skin_block *samples = &lt_skin_side(s, direction)->boxes->skin_blocks[block];
    const uint32_t *ids = lt_solid_side(s, direction)->boxes->tree->tets;
    lt_box near = lt_box_inflate(samples->box, margin);
    uint32_t units = 0;
    uint32_t before = held_of(s, direction, skin, block);
    for (uint32_t i = 0, begin = solid->tet_begin; begin < solid->tet_end; i++, begin += LT_BLOCK)
        units +=
            BLOCK_UNITS + TET_UNITS * s->kernels->hold_samples(s->memory->tets[direction] + LT_BLOCK * block,
                                                               s->memory->least[direction] + LT_BLOCK * block,
                                                               samples, &near, &tets[i], ids + begin);
    return units + TOUCH_UNITS * (held_of(s, direction, skin, block) - before);
}

uint32_t lt_front_leaf_test(lt_front_search *search, const lt_entry *entry, uint32_t direction, float reach) {
    const lt_shape_node *skin = skin_node(search, direction, entry->skin);
    uint32_t points = lt_shape_node_points(skin), units = 0;
    search->tested += points;
    if (search->obstacle) { /* touches are paid likewise */
        note_leaf(search, entry, direction, reach, 0);
        return OBSTACLE_POINT_UNITS * points;
    }
    const lt_front_side *other = lt_solid_side(search, direction);
    float edge = (float)other->collider->soft->mean_edge, margin = reach + search->quantum;
    note_leaf(search, entry, direction, reach, LEAST_WEIGHT - 2 * lt_min_f(margin, MOST_REACH * edge) / edge);
    const lt_shape_node *solid = lt_shape_node_at(other->boxes->tree, entry->solid);
    const lt_solid_block *tets = lt_body_tets(other->boxes, entry->solid, &units);
    for (uint32_t i = 0; i < lt_block_count(points); i++)
        units += hold_block(search, direction, skin, skin->skin_block + i, solid, tets, margin);
    return units;
}

float lt_front_weight(const lt_front_search *search, uint32_t direction, uint32_t lane, uint32_t tet) {
    const lt_body_boxes *other = lt_solid_side(search, direction)->boxes;
    lt_vec3 p = lt_body_sample(lt_skin_side(search, direction)->boxes, lane);
    lt_dvec3 corners[4];
    double weights[4];
    for (int k = 0; k < 4; k++) {
        const float *x =
            other->soft->nodes + 4 * (size_t)other->soft->carrier.tets[4 * (size_t)tet + (size_t)k];
        corners[k] = (lt_dvec3){x[0], x[1], x[2]};
    }
    if (!lt_barycentric_weights(weights, corners, lt_d3_from_v3(p))) return -3e38f;
    return (float)lt_least_weight(weights);
}

bool lt_front_was_tested_with(const lt_front_search *search, uint32_t direction, uint32_t skin,
                              uint32_t solid) {
    if (!lt_front_was_tested(search, direction, skin)) return false;
    uint32_t at = search->memory->skins[direction][skin].first;
    while (at && search->memory->leaves[at - 1].solid != solid)
        at = search->memory->leaves[at - 1].next;
    return at != 0;
}

/* ---- touches ---- */

static lt_vec3 mean_velocity(const lt_soft *soft, const uint32_t *ids, const float *weights) {
    lt_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const float *v = soft->node_velocities + 4 * (size_t)ids[k];
        sum = lt_v3_mad(sum, (lt_vec3){v[0], v[1], v[2]}, weights[k]);
    }
    return sum;
}

/* A sample that is farther away than its own velocity brings it in the step, and its leaf may move before it is tested again, is no
 * contact: boxes of velocities say no more of it than that it may be one. */
static bool comes_near(const lt_front_search *s, const lt_touch *touch, lt_vec3 velocity, float most) {
    float approach = s->dt * lt_max_f(0, -lt_v3_dot(velocity, touch->normal)) + s->margin + s->quantum;
    return touch->depth + lt_min_f(approach, most) > 0;
}

static lt_vec3 velocity_of(const lt_front_side *side, uint32_t point) {
    const lt_skin *skin = side->collider->skin;
    return mean_velocity(side->collider->soft, skin->ids + 4 * (size_t)point,
                         skin->weights + 4 * (size_t)point);
}

static bool touch_obstacle(const lt_front_search *s, uint32_t lane, float margin, lt_touch *touch) {
    const lt_front_side *side = lt_skin_side(s, 0);
    lt_vec3 at = lt_body_sample(side->boxes, lane);
    lt_obstacle_hit hit = lt_obstacle_distance(s->obstacle, at);
    if (!(hit.distance < margin)) return false;
    touch->normal = hit.normal;
    touch->depth = -hit.distance;
    lt_vec3 own = velocity_of(side, touch->point), other = lt_obstacle_velocity(s->obstacle, at);
    return comes_near(s, touch, lt_v3_sub(own, other), margin);
}

static bool touch_body(const lt_front_search *s, uint32_t direction, uint32_t lane, float margin,
                       lt_touch *touch) {
    uint32_t held = s->memory->tets[direction][lane];
    const lt_collider *other = lt_solid_side(s, direction)->collider;
    const uint32_t *tet = other->soft->carrier.tets + 4 * (size_t)held;
    lt_dvec3 corners[4];
    double weights[4];
    for (int k = 0; k < 4; k++) {
        lt_rvec3 x = lt_node_get(other->soft->x, tet[k]);
        corners[k] = (lt_dvec3){x.x, x.y, x.z};
    }
    lt_vec3 at = lt_body_sample(lt_skin_side(s, direction)->boxes, lane);
    if (!lt_barycentric_weights(weights, corners, lt_d3_from_v3(at))) return false;
    lt_dvec3 rest = lt_pull_back(&other->soft->carrier, held, weights);
    lt_vec3 gradient;
    float depth = lt_depth_in_rest(other, rest, &gradient);
    if (depth * (float)other->soft->scale < -STEEPEST * margin) return false;
    touch->depth = lt_depth_from_rest(other, held, corners, depth, gradient, &touch->normal);
    if (!(touch->depth + margin > 0)) return false;
    touch->other.tet = held;
    for (int k = 0; k < 4; k++)
        touch->other.weights[k] = (float)weights[k];
    lt_vec3 own = velocity_of(lt_skin_side(s, direction), touch->point);
    lt_vec3 moving = mean_velocity(other->soft, tet, touch->other.weights);
    return comes_near(s, touch, lt_v3_sub(own, moving), margin);
}

bool lt_front_touch(const lt_front_search *search, uint32_t direction, uint32_t skin, uint32_t place,
                    lt_touch *touch) {
    const lt_front_side *side = lt_skin_side(search, direction);
    const lt_skin_look *look = &search->memory->skins[direction][skin];
    LT_ASSERT(look->turn == search->memory->turn);
    uint32_t lane = lt_shape_lane(skin_node(search, direction, skin), place);
    if (!search->obstacle && search->memory->tets[direction][lane] == LT_NONE) return false;
    float margin = look->reach + search->quantum, scale = side->collider->skin->scale;
    *touch = (lt_touch){.body = side->body,
                        .point = side->boxes->tree->points[place],
                        .own = {.tet = LT_NONE},
                        .other = {.tet = LT_NONE},
                        .area = side->boxes->tree->areas[place] * scale * scale};
    return search->obstacle ? touch_obstacle(search, lane, margin, touch)
                            : touch_body(search, direction, lane, margin, touch);
}
