/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The ways that a long turn is about (multiscale_long.c): from where bodies are when it begins, as they move then, for as many steps as
 * this turn and the next one will take, but not far.
 *
 *   a body with itself    without its drift; no farther than a few hundredths of its size
 *   two bodies            without the drift that they have in common; likewise, but at least what they go in this step: in stages, if
 *                         that is farther, of which the first in which anything meets is the last
 *   with an obstacle      as it is; likewise, and the obstacle goes on as it goes now */

#include "method/multiscale_work.h"

#include <string.h>

/* Of the size of the body: farther than that it is not looked ahead. What goes far meets a great deal of what it would not meet if it
 * had been stopped. */
static const float FARTHEST = 0.015f;
/* Likewise of two bodies, of a stage, if they are dense: what is pressed on another meets all that it sweeps over. Shorter than an edge
 * of the surface a stage would be no cheaper. */
static const float STAGE = 0.004f;
/* Separations: as much nearer things may come to each other until the next one ends, whatever way they go. */
static const float ROOMY = 4;

/* Steps that the first one is taken to need. */
enum { FIRST_STEPS = 3 };

/* ---- life ---- */

static float mean_edge_of(const lt_collider *collider) {
    const lt_skin *skin = collider->skin;
    double sum = 0;
    for (size_t i = 0; i < 3 * (size_t)skin->triangle_count; i++) {
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        sum += (double)lt_v3_distance(skin->rest[skin->triangles[i]], skin->rest[skin->triangles[next]]);
    }
    return (float)(sum / (3 * (double)lt_max_u32(1, skin->triangle_count))) * skin->scale;
}

bool lt_multi_way_create(lt_multi_way *way, const lt_collider *collider, bool with_itself,
                         const lt_allocator *allocator) {
    const lt_moving_surface *like = collider->surface;
    const lt_carrier *carrier = &collider->soft->carrier;
    lt_moving_surface_def def = {.with_itself = with_itself};
    if (with_itself) def.marks = like->self.def;
    *way =
        (lt_multi_way){.node_count = carrier->node_count, .lent_to = LT_NONE, .edge = mean_edge_of(collider)};
    for (int i = 0; i < 2; i++) {
        way->ends[i] = LT_NEW(allocator, 4 * (size_t)way->node_count, float);
        if (!way->ends[i]) return false;
    }
    lt_carrier finest = lt_carrier_finest(carrier); /* ways of fronts that are gone: no front is followed */
    if (lt_moving_surface_create(&way->surface, like->parts, &finest, &def, allocator, NULL) != LT_OK)
        return false;
    way->surface.boxes.kernels = like->boxes.kernels;
    return true;
}

void lt_multi_way_free(lt_multi_way *way, const lt_allocator *allocator) {
    if (way->surface.boxes.tree) lt_moving_surface_free(&way->surface);
    for (int i = 0; i < 2; i++)
        LT_DELETE(allocator, way->ends[i], 4 * (size_t)way->node_count, float);
}

/* ---- how far it looks ---- */

/* Of the denser one of two bodies. */
static float edge_of(const lt_multi_long *own) {
    return own->second ? lt_min_f(own->way.edge, own->second->edge) : own->way.edge;
}

/* Dense surfaces of two bodies that lie on each other have as many features within four separations as would be eight times the work,
 * and what it finds is old by then: they are looked at within a quarter of an edge. */
float lt_multi_way_room(const lt_multi_long *own, float separation) {
    if (own->pair.kind != LT_PAIR_BODIES) return ROOMY * separation;
    return lt_max_f(separation, lt_min_f(ROOMY * separation, 0.25f * edge_of(own)));
}

static float farthest_way(const lt_multi_long *own, float size) {
    if (own->pair.kind != LT_PAIR_BODIES) return FARTHEST * size;
    return lt_min_f(FARTHEST * size, lt_max_f(STAGE * size, edge_of(own)));
}

/* ---- this step ---- */

/* A body of the turn. */
typedef struct mover {
    lt_multi_way *way;
    const float *from, *to; /* [way->node_count][4] */
} mover;

static lt_vec3 node_at(const float *nodes, uint32_t node) {
    return (lt_vec3){nodes[4 * (size_t)node], nodes[4 * (size_t)node + 1], nodes[4 * (size_t)node + 2]};
}

static mover mover_of(const lt_multi_work *w, uint32_t body, lt_multi_way *way) {
    const float *from = w->motions[body].from, *to = w->step->softs[body].nodes;
    return (mover){way, from ? from : to, to};
}

static lt_vec3 mean_way(const mover *m) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < m->way->node_count; i++)
        sum = lt_d3_add(sum, lt_d3_from_v3(lt_v3_sub(node_at(m->to, i), node_at(m->from, i))));
    return lt_v3_from_d3(lt_d3_scale(sum, 1 / (double)m->way->node_count));
}

static lt_vec3 drift_of(const mover movers[2], lt_pair_kind kind) {
    if (kind == LT_PAIR_OBSTACLE) return (lt_vec3){0, 0, 0};
    lt_vec3 first = mean_way(&movers[0]);
    return kind == LT_PAIR_SELF ? first : lt_v3_scale(lt_v3_add(first, mean_way(&movers[1])), 0.5f);
}

static float farthest_of(const mover *m, lt_vec3 drift) {
    float farthest = 0;
    for (uint32_t i = 0; i < m->way->node_count; i++) {
        lt_vec3 way = lt_v3_sub(lt_v3_sub(node_at(m->to, i), node_at(m->from, i)), drift);
        farthest = lt_max_f(farthest, lt_v3_length(way));
    }
    return farthest;
}

/* How many stages what two bodies go in this step has. */
static uint32_t stages_of(const lt_multi_long *own, float farthest, float size) {
    enum { MOST_STAGES = 16 };
    float stages = -floorf(-farthest / farthest_way(own, size));
    if (own->pair.kind != LT_PAIR_BODIES || !(stages > 1)) return 1;
    return (uint32_t)lt_min_f(stages, MOST_STAGES);
}

/* How much of the way of a step it is about. With others the whole of it in any case: what is fast would not be found. */
static float horizon_of(const lt_multi_long *own, float farthest, float size) {
    uint32_t steps = own->last_steps ? own->last_age + 1 : FIRST_STEPS;
    float horizon = 2 * (float)steps + 1, most = farthest_way(own, size);
    if (farthest * horizon > most) horizon = most / farthest;
    return own->pair.kind == LT_PAIR_SELF ? horizon : lt_max_f(1, horizon);
}

static void take_down(const mover *m, lt_vec3 drift, float horizon) {
    size_t count = 4 * (size_t)m->way->node_count;
    memcpy(m->way->ends[0], m->from, count * sizeof *m->from);
    for (size_t i = 0; i < count; i++)
        m->way->ends[1][i] =
            m->from[i] + horizon * (m->to[i] - m->from[i] - (i % 4 < 3 ? lt_v3_get(drift, i % 4) : 0));
}

/* As far beyond the target as the turn looks beyond this step. */
static lt_quat turned_on(lt_quat from, lt_quat to, float horizon) {
    float sign = from.x * to.x + from.y * to.y + from.z * to.z + from.w * to.w < 0 ? -1.0f : 1.0f;
    lt_quat q = {from.x + horizon * (sign * to.x - from.x), from.y + horizon * (sign * to.y - from.y),
                 from.z + horizon * (sign * to.z - from.z), from.w + horizon * (sign * to.w - from.w)};
    float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 0)) return to;
    return (lt_quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

static lt_obstacle obstacle_of(const lt_obstacle *now, float horizon) {
    lt_obstacle o = *now;
    if (!o.moving) return o;
    o.target_position = lt_v3_mad(o.position, lt_v3_sub(o.target_position, o.position), horizon);
    o.target_rotation = turned_on(o.rotation, o.target_rotation, horizon);
    return o;
}

void lt_multi_take_ways(lt_multi_long *own, const lt_multi_work *w) {
    const lt_pair *pair = &own->pair;
    bool bodies = pair->kind == LT_PAIR_BODIES;
    const lt_method_step *step = w->step;
    mover movers[2] = {mover_of(w, pair->a, &own->way)};
    if (bodies) movers[1] = mover_of(w, pair->b, own->second);
    lt_vec3 drift = drift_of(movers, pair->kind);
    float size = (float)step->softs[pair->a].size, farthest = farthest_of(&movers[0], drift);
    if (bodies) {
        farthest = lt_max_f(farthest, farthest_of(&movers[1], drift));
        size = lt_min_f(size, (float)step->softs[pair->b].size);
    } else if (pair->kind == LT_PAIR_OBSTACLE)
        farthest += lt_obstacle_sweep(lt_step_obstacle(step, pair), step->colliders[pair->a].box, step->dt);
    float horizon = horizon_of(own, farthest, size);
    own->stages = stages_of(own, farthest, size);
    own->stages_left = own->stages - 1;
    for (int i = 0; i < 1 + bodies; i++)
        take_down(&movers[i], drift, horizon / (float)own->stages);
    if (pair->kind == LT_PAIR_OBSTACLE) own->obstacle = obstacle_of(lt_step_obstacle(step, pair), horizon);
}

/* As far again. */
static void advance(lt_multi_way *way) {
    for (size_t i = 0; i < 4 * (size_t)way->node_count; i++) {
        float from = way->ends[0][i], to = way->ends[1][i];
        way->ends[0][i] = to;
        way->ends[1][i] = to + (to - from);
    }
}

void lt_multi_advance_ways(lt_multi_long *own) {
    advance(&own->way);
    if (own->second) advance(own->second);
    own->stages_left--;
}

void lt_multi_way_begin(lt_multi_way *way) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < way->node_count; i++)
        for (int end = 0; end < 2; end++)
            box = lt_box_add_point(box, node_at(way->ends[end], i));
    lt_moving_surface_begin(&way->surface, way->ends[0], way->ends[1], box);
}
