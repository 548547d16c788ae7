/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Places of a body: inside or near one of its tets, or anywhere about it, held by a frame.
 *
 * A body has eight parts (bound/sphere_write_frames.c), four nodes in the middle of each. A frame is one node of every part, so
 * nodes all over the body rather than of its tips. A place has the smallest weights that are affine in where they rest,
 *
 *   w_i = 1/8 + D_i · u     D_i: rest position of node i from the mean of the eight, in radii of the root
 *
 * so Σ w = 1, three numbers say it all, and the four frames of a body spread what acts on it over 32 nodes. The middle of
 * a part is a place, too. */

#include "detect/detect.h"

#include <string.h>

/* ---- frames ---- */

typedef struct frame {
    uint32_t nodes[LT_PART_COUNT];
    lt_dvec3 rest[LT_PART_COUNT]; /* from their mean, in radii of the root */
} frame;

/* Those of the method's own tree, or of the tree of spheres. */
static const uint32_t *parts_of(const lt_collider *c) {
    return c->parts ? c->parts : c->spheres.tree->parts;
}
static double radius_of(const lt_collider *c) {
    return (double)(c->parts ? c->parts_radius : lt_ball(c->spheres.tree, LT_BALL_RADIUS, 0));
}

static frame frame_of(const lt_collider *c, uint32_t which) {
    const uint32_t *parts = parts_of(c);
    frame out;
    lt_dvec3 mean = {0, 0, 0};
    for (uint32_t i = 0; i < LT_PART_COUNT; i++) {
        out.nodes[i] =
            parts[LT_PART_NODES * i + (which + i) % LT_PART_NODES]; /* a plate's are not all on one side */
        const double *rest = c->soft->carrier.rest + 3 * (size_t)out.nodes[i];
        out.rest[i] = (lt_dvec3){rest[0], rest[1], rest[2]};
        mean = lt_d3_mad(mean, out.rest[i], 1.0 / LT_PART_COUNT);
    }
    double radius = radius_of(c);
    for (uint32_t i = 0; i < LT_PART_COUNT; i++)
        out.rest[i] = lt_d3_scale(lt_d3_sub(out.rest[i], mean), 1 / radius);
    return out;
}

static lt_dvec3 position_of(const lt_collider *c, uint32_t node) {
    lt_rvec3 x = lt_node_get(c->soft->x, node);
    return (lt_dvec3){x.x, x.y, x.z};
}

/* The u of a place: Σ (1/n + D_i · u) x_i = place. */
static bool find_in_frame(lt_dvec3 *u, const frame *f, const lt_collider *c, lt_dvec3 place) {
    lt_dvec3 mean = {0, 0, 0}, columns[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double size = 0;
    for (uint32_t i = 0; i < LT_PART_COUNT; i++)
        mean = lt_d3_mad(mean, position_of(c, f->nodes[i]), 1.0 / LT_PART_COUNT);
    for (uint32_t i = 0; i < LT_PART_COUNT; i++) {
        lt_dvec3 x = lt_d3_sub(position_of(c, f->nodes[i]), mean);
        columns[0] = lt_d3_mad(columns[0], x, f->rest[i].x);
        columns[1] = lt_d3_mad(columns[1], x, f->rest[i].y);
        columns[2] = lt_d3_mad(columns[2], x, f->rest[i].z);
    }
    for (int k = 0; k < 3; k++)
        size = lt_max_d(size, lt_d3_length(columns[k]));
    lt_dvec3 from = lt_d3_sub(place, mean);
    double volume = lt_d3_dot(columns[0], lt_d3_cross(columns[1], columns[2]));
    if (!(fabs(volume) > 1e-6 * size * size * size)) return false;
    *u = (lt_dvec3){lt_d3_dot(from, lt_d3_cross(columns[1], columns[2])) / volume,
                    lt_d3_dot(columns[0], lt_d3_cross(from, columns[2])) / volume,
                    lt_d3_dot(columns[0], lt_d3_cross(columns[1], from)) / volume};
    return true;
}

static lt_anchor anchor_in_frame(const frame *f, lt_dvec3 u) {
    lt_anchor out = {.count = LT_PART_COUNT};
    for (uint32_t i = 0; i < LT_PART_COUNT; i++) {
        out.ids[i] = f->nodes[i];
        out.weights[i] = (lt_real)(1.0 / LT_PART_COUNT + lt_d3_dot(f->rest[i], u));
    }
    return out;
}

/* ---- places ---- */

static bool is_frame(uint32_t holder) {
    return holder >= LT_FRAME && holder < LT_FRAME + LT_FRAME_COUNT;
}

static bool is_part(uint32_t holder) {
    return holder >= LT_PART && holder < LT_PART + LT_PART_COUNT;
}

bool lt_holder_exists(const lt_collider *collider, uint32_t holder) {
    if (is_frame(holder) || is_part(holder)) return collider->parts || collider->spheres.tree;
    return holder < lt_max_u32(collider->soft->carrier.tet_count, collider->soft->carrier.cell_count);
}

/* The four nodes of a tet, or of a part as if it were one. */
static const uint32_t *corners_of(const lt_collider *c, uint32_t holder) {
    if (is_part(holder)) return parts_of(c) + LT_PART_NODES * (size_t)(holder - LT_PART);
    return c->soft->carrier.tets + 4 * (size_t)holder;
}

static bool weigh_in_tet(double weights[4], const lt_collider *c, uint32_t tet, lt_dvec3 place) {
    lt_dvec3 corners[4];
    for (int k = 0; k < 4; k++)
        corners[k] = position_of(c, corners_of(c, tet)[k]);
    return lt_barycentric_weights(weights, corners, place);
}

static lt_anchor anchor_in_tet(const lt_collider *c, uint32_t tet) {
    lt_anchor out = {.count = 4};
    for (uint32_t k = 0; k < 4; k++)
        out.ids[k] = corners_of(c, tet)[k];
    return out;
}

/* ---- cells ---- */

static bool is_cell(const lt_collider *c, uint32_t holder) {
    return holder < c->soft->carrier.cell_count;
}

/* In place: what is copied here is copied for every contact. */
static void hold_in_cell(lt_anchor *out, const uint32_t nodes[8], const lt_real place[3]) {
    out->count = LT_CELL_CORNERS;
    memcpy(out->ids, nodes, LT_CELL_CORNERS * sizeof *nodes);
    lt_trilinear_weights(out->weights, place);
}

static const uint32_t *nodes_of(const lt_collider *c, uint32_t cell) {
    return c->soft->carrier.cells + LT_CELL_CORNERS * (size_t)cell;
}

static lt_real cell_size_of(const lt_collider *c) {
    return (lt_real)c->soft->carrier.cell_size * c->soft->scale;
}

/* ---- any ---- */

bool lt_anchor_at(lt_anchor *out, const lt_collider *collider, uint32_t holder, lt_dvec3 place) {
    if (is_frame(holder)) {
        frame f = frame_of(collider, holder - LT_FRAME);
        lt_dvec3 u = {0, 0, 0};
        bool found = find_in_frame(&u, &f, collider, place);
        *out = anchor_in_frame(&f, u);
        return found;
    }
    if (is_cell(collider, holder)) {
        lt_real in_cell[3] = {(lt_real)0.5, (lt_real)0.5, (lt_real)0.5};
        lt_rvec3 point = {(lt_real)place.x, (lt_real)place.y, (lt_real)place.z};
        const uint32_t *nodes = nodes_of(collider, holder);
        bool found = lt_cell_locate(in_cell, collider->soft->x, nodes, point, cell_size_of(collider));
        hold_in_cell(out, nodes, in_cell);
        return found;
    }
    double weights[4] = {0, 0, 0, 0};
    *out = anchor_in_tet(collider, holder);
    bool found = weigh_in_tet(weights, collider, holder, place);
    for (int k = 0; k < 4; k++)
        out->weights[k] = (lt_real)weights[k];
    return found;
}

bool lt_anchor_follow(lt_anchor *out, lt_rvec3 *moved, const lt_collider *collider, const lt_attachment *hold,
                      lt_rvec3 point, lt_rvec3 normal, lt_real depth) {
    const lt_soft *soft = collider->soft;
    if (is_cell(collider, hold->tet)) {
        const uint32_t *nodes = nodes_of(collider, hold->tet);
        lt_real place[3] = {hold->weights[0], hold->weights[1], hold->weights[2]};
        bool found =
            lt_cell_follow(place, moved, soft->x, nodes, point, normal, depth, cell_size_of(collider));
        hold_in_cell(out, nodes, place);
        return found;
    }
    lt_anchor before = lt_attachment_anchor(hold, collider);
    *moved = lt_r3_sub(point, lt_anchor_gather(&before, soft->x));
    lt_real ahead = lt_min_r(0, depth - lt_r3_dot(normal, *moved));
    lt_rvec3 meeting = lt_r3_mad(point, normal, ahead);
    return lt_anchor_at(out, collider, hold->tet, (lt_dvec3){meeting.x, meeting.y, meeting.z});
}

bool lt_attach_at(lt_attachment *hold, const lt_collider *collider, uint32_t holder, lt_vec3 place) {
    *hold = (lt_attachment){.tet = holder};
    double numbers[4] = {0, 0, 0, 0};
    if (is_frame(holder)) {
        frame f = frame_of(collider, holder - LT_FRAME);
        lt_dvec3 u;
        if (!find_in_frame(&u, &f, collider, lt_d3_from_v3(place))) return false;
        numbers[0] = u.x, numbers[1] = u.y, numbers[2] = u.z;
    } else if (!weigh_in_tet(numbers, collider, holder, lt_d3_from_v3(place))) {
        return false;
    }
    for (int k = 0; k < 4; k++) {
        hold->weights[k] = (float)numbers[k];
        if (!(fabsf(hold->weights[k]) <= LT_ATTACHMENT_WEIGHT_MAX)) return false;
    }
    return true;
}

lt_vec3 lt_attach_part(lt_attachment *hold, const lt_collider *collider, uint32_t part) {
    *hold = (lt_attachment){LT_PART + part, {0.25f, 0.25f, 0.25f, 0.25f}};
    lt_anchor anchor = lt_attachment_anchor(hold, collider);
    return lt_v3_from_r3(lt_anchor_gather(&anchor, collider->soft->x));
}

void lt_anchor_attachment(lt_anchor *out, const lt_attachment *hold, const lt_collider *collider) {
    if (is_frame(hold->tet)) {
        frame f = frame_of(collider, hold->tet - LT_FRAME);
        *out = anchor_in_frame(
            &f, (lt_dvec3){(double)hold->weights[0], (double)hold->weights[1], (double)hold->weights[2]});
        return;
    }
    if (is_cell(collider, hold->tet)) {
        const lt_real place[3] = {hold->weights[0], hold->weights[1], hold->weights[2]};
        hold_in_cell(out, nodes_of(collider, hold->tet), place);
        return;
    }
    *out = anchor_in_tet(collider, hold->tet);
    for (uint32_t k = 0; k < 4; k++)
        out->weights[k] = hold->weights[k];
}
