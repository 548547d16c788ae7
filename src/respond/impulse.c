/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "respond/impulse.h"

lt_impulse_params lt_impulse_params_default(lt_simd_level level) {
    return (lt_impulse_params){.friction = (lt_real)0.5,
                               .cap = (lt_real)0.1,
                               .correction_count = 3,
                               .looks_back = true,
                               .hulls = true,
                               .damping = 1,
                               .tangential = (lt_real)0.1,
                               .kernels = lt_box_kernels_for(level)};
}

/* ---- sides ---- */

/* One of the two that touch. */
typedef struct side {
    const lt_cell_motion *motion; /* NULL: cannot be moved */
    lt_anchor anchor;
    lt_rvec3 velocity; /* of the point */
} side;

static void set_nodes(side *s, const lt_cell_motion *motion, uint32_t box) {
    s->motion = motion;
    s->anchor.count = LT_CELL_CORNERS;
    memcpy(s->anchor.ids, motion->boxes->layout->nodes + 8 * (size_t)box, 8 * sizeof *s->anchor.ids);
}

/* The place of a corner of the tight box. */
static void corner_place(lt_real place[3], const lt_cell_layout *layout, uint32_t box, uint32_t corner) {
    LT_ASSERT(box < layout->box_count);
    for (uint32_t axis = 0; axis < 3; axis++)
        place[axis] = (lt_real)lt_cell_tight(layout, box, corner >> axis & 1 ? axis + 3 : axis);
}

/* The place of the centre. */
static void center_place(lt_real place[3], const lt_cell_layout *layout, uint32_t box) {
    LT_ASSERT(box < layout->box_count);
    lt_real lo[3];
    corner_place(lo, layout, box, 0);
    corner_place(place, layout, box, LT_CELL_CORNERS - 1);
    for (int axis = 0; axis < 3; axis++)
        place[axis] = (lo[axis] + place[axis]) / 2;
}

static void hold_at(side *s, const lt_real place[3]) {
    lt_trilinear_weights(s->anchor.weights, place);
    s->velocity = lt_anchor_gather(&s->anchor, s->motion->v);
}

/* A point made up of corners. */
static side hold_by_shares(const lt_cell_motion *motion, uint32_t box, const float shares[8]) {
    side s = {0};
    set_nodes(&s, motion, box);
    for (uint32_t corner = 0; corner < LT_CELL_CORNERS; corner++) {
        if (shares[corner] == 0) continue;
        lt_real place[3], weights[8];
        corner_place(place, motion->boxes->layout, box, corner);
        lt_trilinear_weights(weights, place);
        for (uint32_t j = 0; j < LT_CELL_CORNERS; j++)
            s.anchor.weights[j] += (lt_real)shares[corner] * weights[j];
    }
    s.velocity = lt_anchor_gather(&s.anchor, motion->v);
    return s;
}

/* A corner or the centre. */
static side hold_by_corner(const lt_cell_motion *motion, uint32_t box, uint32_t corner) {
    side s = {0};
    lt_real place[3];
    set_nodes(&s, motion, box);
    if (corner == LT_TOUCH_CENTER)
        center_place(place, motion->boxes->layout, box);
    else
        corner_place(place, motion->boxes->layout, box, corner);
    hold_at(&s, place);
    return s;
}

/* A point that lies in the box: looked for from its middle on. False: not found. */
static bool hold_by_place(side *s, const lt_cell_motion *motion, uint32_t box, lt_rvec3 point) {
    lt_real place[3];
    *s = (side){0};
    set_nodes(s, motion, box);
    center_place(place, motion->boxes->layout, box);
    bool found = lt_cell_locate(place, motion->x, s->anchor.ids, point, (lt_real)motion->boxes->cell_size);
    hold_at(s, place);
    return found;
}

static lt_real inverse_mass_of(const side *s) {
    lt_real sum = 0;
    for (uint32_t j = 0; s->motion && j < LT_CELL_CORNERS; j++)
        sum += s->anchor.weights[j] * s->anchor.weights[j] * s->motion->inverse_mass[s->anchor.ids[j]];
    return sum;
}

/* How far the farthest node goes by an impulse of 1. */
static lt_real farthest_node(const side *s) {
    lt_real most = 0;
    for (uint32_t j = 0; s->motion && j < LT_CELL_CORNERS; j++) {
        lt_real way = s->anchor.weights[j] * s->motion->inverse_mass[s->anchor.ids[j]];
        most = lt_max_r(most, way < 0 ? -way : way);
    }
    return most;
}

static void add_velocity(const side *s, lt_rvec3 impulse, lt_real sign) {
    for (uint32_t j = 0; s->motion && j < LT_CELL_CORNERS; j++) {
        uint32_t node = s->anchor.ids[j];
        lt_node_add(s->motion->v, node, impulse, sign * s->anchor.weights[j] * s->motion->inverse_mass[node]);
    }
}

static void move_node(const lt_cell_motion *motion, uint32_t node, lt_rvec3 way, lt_real weight) {
    if (weight == 0) return;
    lt_node_add(motion->x, node, way, weight);
    for (uint32_t k = 0; k < 3; k++)
        motion->nodes[4 * (size_t)node + k] = (float)motion->x[4 * (size_t)node + k];
    lt_cell_boxes_moved(motion->boxes, node);
}

static void add_position(const side *s, lt_rvec3 way, lt_real sign) {
    for (uint32_t j = 0; s->motion && j < LT_CELL_CORNERS; j++) {
        uint32_t node = s->anchor.ids[j];
        move_node(s->motion, node, way, sign * s->anchor.weights[j] * s->motion->inverse_mass[node]);
    }
}

/* ---- the answer ---- */

/* Of a contact that is approached: normal impulse, and friction that stops sliding or is bounded. */
static lt_rvec3 contact_impulse(const lt_impulse_params *p, lt_rvec3 u, lt_rvec3 normal, lt_real inverse_mass,
                                lt_real friction) {
    lt_real u_n = lt_r3_dot(u, normal);
    if (!(u_n < 0)) return (lt_rvec3){0, 0, 0};
    lt_real j = -(1 + p->restitution) * u_n / inverse_mass;
    lt_rvec3 u_t = lt_r3_mad(u, normal, -u_n), impulse = lt_r3_scale(normal, j);
    lt_real slide = lt_r3_length(u_t), j_t = lt_min_r(friction * j, slide / inverse_mass);
    return slide > 0 ? lt_r3_mad(impulse, u_t, -j_t / slide) : impulse;
}

/* `miss` is how far the two places that are held are apart. */
static bool answer(const lt_impulse_params *p, const side *inner, const side *outer, lt_vec3 n, lt_real reach,
                   lt_real friction, lt_real miss, lt_impulse_counts *counts) {
    const lt_real farthest = 4;
    lt_real w = inverse_mass_of(inner) + inverse_mass_of(outer);
    lt_rvec3 normal = lt_r3_from_v3(n), u = lt_r3_sub(inner->velocity, outer->velocity);
    if (!(w > 0 && w < (lt_real)1e30) || !lt_r3_is_finite(u)) {
        counts->immovable++;
        return false;
    }
    lt_real most = lt_max_r(farthest_node(inner), farthest_node(outer));
    lt_real share = most > farthest * w ? farthest * w / most : 1;
    lt_rvec3 impulse = lt_r3_scale(contact_impulse(p, u, normal, w, friction), share);
    lt_rvec3 way = lt_r3_scale(normal, share * reach / w);
    add_velocity(inner, impulse, 1);
    add_velocity(outer, impulse, -1);
    add_position(inner, way, 1);
    add_position(outer, way, -1);
    counts->angular_error += (double)(miss * lt_r3_length(impulse));
    counts->impulse = lt_r3_add(counts->impulse, impulse);
    counts->corrections += reach > 0;
    return true;
}

/* (8) and (9): every node for itself. Returns the impulse that this was. */
static lt_rvec3 answer_side_as_printed(const lt_impulse_params *p, const side *s, lt_rvec3 normal,
                                       lt_real way, bool approach) {
    lt_rvec3 sum = {0, 0, 0};
    for (uint32_t j = 0; j < LT_CELL_CORNERS; j++) {
        uint32_t node = s->anchor.ids[j];
        if (!(s->motion->inverse_mass[node] > 0)) continue;
        lt_rvec3 v = lt_node_get(s->motion->v, node), v_n = lt_r3_scale(normal, lt_r3_dot(v, normal));
        lt_rvec3 changed = lt_r3_scale(lt_r3_sub(v, v_n), 1 - p->tangential);
        changed = approach ? lt_r3_mad(changed, v_n, 1 - p->damping) : v;
        sum = lt_r3_mad(sum, lt_r3_sub(changed, v), 1 / s->motion->inverse_mass[node]);
        lt_node_set(s->motion->v, node, changed);
        move_node(s->motion, node, normal, way);
    }
    return sum;
}

static bool answer_as_printed(const lt_impulse_params *p, const side *inner, const side *outer,
                              const lt_box_touch *touch, lt_impulse_counts *counts) {
    lt_rvec3 normal = lt_r3_from_v3(touch->normal);
    bool approach = lt_r3_dot(lt_r3_sub(inner->velocity, outer->velocity), normal) < 0;
    lt_real half = (lt_real)touch->depth / 2;
    if (!(inverse_mass_of(inner) + inverse_mass_of(outer) > 0)) {
        counts->immovable++;
        return false;
    }
    counts->impulse = lt_r3_add(counts->impulse, answer_side_as_printed(p, inner, normal, half, approach));
    answer_side_as_printed(p, outer, normal, -half, approach);
    counts->corrections++;
    return true;
}

/* What the inner box got since `before` is what the second one got, or the opposite. */
static void turn_impulse(lt_impulse_counts *counts, lt_rvec3 before, uint32_t inner) {
    if (inner == 0) counts->impulse = lt_r3_sub(before, lt_r3_sub(counts->impulse, before));
}

bool lt_impulse_resolve(const lt_impulse_params *params, const lt_cell_motion *a, uint32_t box_a,
                        const lt_cell_motion *b, uint32_t box_b, const lt_box_touch *touch,
                        lt_impulse_counts *counts) {
    const lt_cell_motion *motions[2] = {a, b};
    const uint32_t boxes[2] = {box_a, box_b};
    uint32_t out = touch->outer, in = 1 - out;
    side inner, outer;
    bool found = true, hulls = touch->corner == LT_TOUCH_HULL;
    if (hulls) {
        inner = hold_by_shares(motions[in], boxes[in], touch->shares[in]);
        outer = hold_by_shares(motions[out], boxes[out], touch->shares[out]);
    } else {
        inner = hold_by_corner(motions[in], boxes[in], touch->corner);
        found =
            hold_by_place(&outer, motions[out], boxes[out], lt_anchor_gather(&inner.anchor, motions[in]->x));
    }
    counts->unlocated += !found;
    counts->hulls += hulls;
    lt_rvec3 before = counts->impulse;
    bool moved;
    if (params->as_printed) {
        moved = answer_as_printed(params, &inner, &outer, touch, counts);
        turn_impulse(counts, before, in);
        return moved;
    }
    lt_real cell_size = (lt_real)lt_min_f(a->boxes->cell_size, b->boxes->cell_size);
    lt_real reach = lt_min_r((lt_real)touch->depth - params->slack * cell_size, params->cap * cell_size);
    reach = lt_max_r(reach, 0);
    lt_real miss = lt_r3_distance(lt_anchor_gather(&inner.anchor, motions[in]->x),
                                  lt_anchor_gather(&outer.anchor, motions[out]->x));
    moved = answer(params, &inner, &outer, touch->normal, reach, found ? params->friction : 0, miss, counts);
    turn_impulse(counts, before, in);
    return moved;
}

bool lt_impulse_against(const lt_impulse_params *params, const lt_cell_motion *motion, uint32_t box,
                        const float shares[8], lt_vec3 normal, float depth, lt_vec3 velocity,
                        lt_impulse_counts *counts) {
    side inner = hold_by_shares(motion, box, shares), outer = {.velocity = lt_r3_from_v3(velocity)};
    lt_real reach = lt_min_r((lt_real)depth, params->cap * (lt_real)motion->boxes->cell_size);
    reach = lt_min_r(reach, (lt_real)depth - params->slack * (lt_real)motion->boxes->cell_size);
    return answer(params, &inner, &outer, normal, lt_max_r(reach, 0), params->friction, 0, counts);
}

/* ---- pairs ---- */

bool lt_impulse_look(lt_box_touch *touch, const lt_impulse_params *params, const lt_cell_motion *a,
                     uint32_t box_a, const lt_cell_motion *b, uint32_t box_b, uint32_t *units) {
    uint32_t before = a->boxes->refreshed_count + b->boxes->refreshed_count;
    const lt_cell_box *first = lt_cell_box_get(a->boxes, box_a), *second = lt_cell_box_get(b->boxes, box_b);
    uint32_t refreshed = a->boxes->refreshed_count + b->boxes->refreshed_count - before;
    if (a->boxes == b->boxes) refreshed /= 2; /* counted twice */
    *units += refreshed * LT_CELL_BOX_UNITS;
    if (!lt_box_touch_find(touch, first, second, params->hulls, params->kernels, units)) return false;
    if (params->faces) lt_box_touch_face(touch, first, second, params->kernels);
    if (lt_v3_dot(params->out, params->out) > 0) lt_box_touch_known(touch, first, second, params->out);
    return true;
}

/* m */
static float left_alone(const lt_impulse_params *p, const lt_cell_motion *a, const lt_cell_motion *b) {
    return (float)p->slack * lt_min_f(a->boxes->cell_size, b->boxes->cell_size);
}

/* Of a corner or the centre it is known, others are looked for from the middle on. */
void lt_impulse_place(lt_real place[3], const lt_cell_motion *motion, uint32_t box, uint32_t which,
                      const lt_box_touch *touch) {
    const lt_cell_layout *layout = motion->boxes->layout;
    if (touch->corner < LT_CELL_CORNERS && which != touch->outer) {
        corner_place(place, layout, box, touch->corner);
        return;
    }
    center_place(place, layout, box);
    if (touch->corner == LT_TOUCH_CENTER && which != touch->outer) return;
    lt_cell_locate(place, motion->x, layout->nodes + 8 * (size_t)box, lt_r3_from_v3(touch->point),
                   (lt_real)motion->boxes->cell_size);
}

uint32_t lt_impulse_part(const lt_impulse_params *params, const lt_cell_motion *a, uint32_t box_a,
                         const lt_cell_motion *b, uint32_t box_b, const lt_box_touch *found,
                         lt_impulse_counts *counts) {
    lt_box_touch touch = *found;
    bool touching = true;
    uint32_t units = 0;
    counts->touched++;
    counts->touch = touch;
    for (uint32_t i = 0; touching && i < params->correction_count; i++) {
        bool shallow = touch.depth <= left_alone(params, a, b);
        if (shallow && i > 0) break;
        counts->deepest = lt_max_f(counts->deepest, touch.depth);
        units += LT_IMPULSE_UNITS;
        if (!lt_impulse_resolve(params, a, box_a, b, box_b, &touch, counts) || shallow) break;
        if (i + 1 < params->correction_count || params->looks_back)
            touching = lt_impulse_look(&touch, params, a, box_a, b, box_b, &units);
    }
    touching = touching && touch.depth > left_alone(params, a, b);
    counts->unfinished += touching;
    if (touching) counts->deepest_left = lt_max_f(counts->deepest_left, touch.depth);
    return units;
}
