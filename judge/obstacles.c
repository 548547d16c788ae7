/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Points below obstacles, from their own shapes; of mesh obstacles from the triangles, not from the grid that the library
 * makes of them.
 *
 * Thin obstacles can be passed without anybody being inside at a check. So some vertices of each body are followed in the
 * frame of every obstacle that is not a plane: one has passed when it was outside, went through the solid and is
 * outside again where the surface faces the other way. Round an obstacle there is no solid to go through, and back again
 * undoes it. */

#include "core/polar.h"
#include "judge/judge_internal.h"

/* ---- distance ---- */

typedef struct place {
    double distance; /* signed: below 0 inside */
    lt_dvec3 normal; /* outwards at the nearest point of the surface */
} place;

static place outside_of(lt_dvec3 offset, double less) {
    double length = lt_d3_length(offset);
    return (place){length - less, lt_d3_normalize_or(offset, (lt_dvec3){0, 1, 0})};
}

static place place_at_box(lt_vec3 half, lt_dvec3 p) {
    lt_dvec3 beyond = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
    double most = lt_max_d(beyond.x, lt_max_d(beyond.y, beyond.z));
    lt_dvec3 sign = {p.x < 0 ? -1 : 1, p.y < 0 ? -1 : 1, p.z < 0 ? -1 : 1};
    if (most <= 0) {
        lt_dvec3 normal = most == beyond.x   ? (lt_dvec3){sign.x, 0, 0}
                          : most == beyond.y ? (lt_dvec3){0, sign.y, 0}
                                             : (lt_dvec3){0, 0, sign.z};
        return (place){most, normal};
    }
    lt_dvec3 out = {sign.x * lt_max_d(beyond.x, 0), sign.y * lt_max_d(beyond.y, 0),
                    sign.z * lt_max_d(beyond.z, 0)};
    return outside_of(out, 0);
}

static place place_at_mesh(const lt_judge_surface *mesh, lt_dvec3 p) {
    uint32_t triangle;
    lt_closest_point closest;
    if (!lt_triangle_tree_closest(&mesh->tree, p, INFINITY, &triangle, &closest))
        return (place){INFINITY, {0, 1, 0}};
    double distance = sqrt(closest.distance_squared);
    lt_dvec3 out = lt_d3_normalize_or(lt_d3_sub(p, closest.point), (lt_dvec3){0, 1, 0});
    if (!lt_judge_is_inside(mesh, p)) return (place){distance, out};
    return (place){-distance, lt_d3_scale(out, -1)};
}

/* In the obstacle's frame. */
static place place_of(const lt_judge_obstacle *obstacle, lt_dvec3 p) {
    const lt_obstacle_state *s = &obstacle->state;
    switch (s->kind) {
    case LT_OBSTACLE_PLANE: {
        lt_dvec3 normal = lt_d3_normalize_or(lt_d3_from_v3(s->normal), (lt_dvec3){0, 1, 0});
        return (place){lt_d3_dot(normal, p), normal};
    }
    case LT_OBSTACLE_SPHERE: return outside_of(p, s->radius);
    case LT_OBSTACLE_CAPSULE: {
        double half = s->half_length, along = p.y < -half ? -half : p.y > half ? half : p.y;
        return outside_of((lt_dvec3){p.x, p.y - along, p.z}, s->radius);
    }
    case LT_OBSTACLE_BOX: return place_at_box(s->half_extents, p);
    default: return place_at_mesh(&obstacle->local, p);
    }
}

/* World to the obstacle's frame and back. */
typedef struct frame {
    lt_dmat3 turn;
    lt_dvec3 origin;
} frame;

static frame frame_of(const lt_judge_obstacle *obstacle) {
    return (frame){lt_matrix_from_quat(obstacle->state.rotation), lt_d3_from_v3(obstacle->state.position)};
}
static lt_dvec3 into(const frame *f, lt_vec3 p) {
    return lt_dm3_mul_vec_transposed(f->turn, lt_d3_sub(lt_d3_from_v3(p), f->origin));
}
static lt_dvec3 out_of(const frame *f, lt_dvec3 p) {
    return lt_d3_add(lt_dm3_mul_vec(f->turn, p), f->origin);
}

/* In its own frame; of a plane empty. */
static lt_box local_box(const lt_judge_obstacle *obstacle) {
    const lt_obstacle_state *s = &obstacle->state;
    lt_vec3 half = s->half_extents;
    if (s->kind == LT_OBSTACLE_PLANE) return lt_box_empty();
    if (s->kind == LT_OBSTACLE_MESH) return obstacle->local.box;
    if (s->kind != LT_OBSTACLE_BOX) half = (lt_vec3){s->radius, s->radius, s->radius};
    if (s->kind == LT_OBSTACLE_CAPSULE) half.y += s->half_length;
    return (lt_box){lt_v3_scale(half, -1), half};
}

lt_box lt_judge_obstacle_box(const lt_judge_obstacle *obstacle) {
    lt_box local = local_box(obstacle), box = lt_box_empty();
    frame f = frame_of(obstacle);
    lt_vec3 corners[8];
    if (local.lo.x > local.hi.x) return box;
    lt_box_corners(corners, local);
    for (int i = 0; i < 8; i++)
        box = lt_box_add_point(box, lt_v3_from_d3(out_of(&f, lt_d3_from_v3(corners[i]))));
    return box;
}

void lt_judge_obstacle_update(lt_judge_obstacle *obstacle, const lt_world *world, const double from[3]) {
    lt_obstacle_state *state = &obstacle->state;
    *state = lt_obstacle_get(world, obstacle->id);
    state->position = lt_offset_seen(from, state->origin, state->position);
}

/* ---- below ---- */

typedef struct below {
    double depth;
    uint32_t inside, vertices;
} below;

static void look_at_vertices(below *out, const lt_judge_body *body, const lt_judge_obstacle *obstacle) {
    const lt_surface *mesh = &body->surface.mesh;
    frame f = frame_of(obstacle);
    bool is_mesh = obstacle->state.kind == LT_OBSTACLE_MESH;
    out->vertices = mesh->vertex_count;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        lt_dvec3 p = into(&f, mesh->positions[v]);
        if (is_mesh && !lt_judge_is_inside(&obstacle->local, p)) continue;
        double depth = is_mesh ? lt_judge_distance(&obstacle->local, p) : -place_of(obstacle, p).distance;
        if (!is_mesh && !(depth > 0)) continue;
        out->inside++;
        out->depth = lt_max_d(out->depth, depth);
    }
}

static void look_at_corner(below *out, const lt_judge_body *body, lt_dvec3 p) {
    if (lt_judge_is_inside(&body->surface, p))
        out->depth = lt_max_d(out->depth, lt_judge_distance(&body->surface, p));
}

/* Points of the obstacle in the body: what is sharp goes in between vertices. */
static void look_at_corners(below *out, const lt_judge_body *body, const lt_judge_obstacle *obstacle) {
    frame f = frame_of(obstacle);
    lt_vec3 corners[8];
    const lt_surface *mesh = &obstacle->local.mesh;
    if (obstacle->state.kind == LT_OBSTACLE_BOX) {
        lt_box_corners(corners, local_box(obstacle));
        for (int i = 0; i < 8; i++)
            look_at_corner(out, body, out_of(&f, lt_d3_from_v3(corners[i])));
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        look_at_corner(out, body, out_of(&f, lt_d3_from_v3(mesh->positions[v])));
}

static below look(const lt_judge_body *body, const lt_judge_obstacle *obstacle) {
    below out = {0};
    bool is_plane = obstacle->state.kind == LT_OBSTACLE_PLANE;
    if (!is_plane && !lt_box_overlap(body->surface.box, lt_judge_obstacle_box(obstacle))) return out;
    look_at_vertices(&out, body, obstacle);
    look_at_corners(&out, body, obstacle);
    return out;
}

/* ---- through ---- */

static bool note_hit(void *context, uint32_t triangle, double parameter) {
    (void)triangle;
    (void)parameter;
    *(bool *)context = true;
    return false; /* one is enough */
}

/* Distance along a line is convex where the solid is: the least by thirds. Of a mesh a hit is looked for. */
static bool goes_through(const lt_judge_obstacle *obstacle, lt_dvec3 from, lt_dvec3 to) {
    lt_dvec3 way = lt_d3_sub(to, from);
    if (obstacle->state.kind == LT_OBSTACLE_MESH) {
        const lt_dvec3 segment[2] = {from, to};
        bool hits = false;
        if (lt_d3_length(way) > 0) lt_triangle_tree_each_hit(&obstacle->local.tree, segment, note_hit, &hits);
        return hits;
    }
    double lo = 0, hi = 1;
    for (int round = 0; round < 40; round++) {
        double a = lo + (hi - lo) / 3, b = hi - (hi - lo) / 3;
        double at_a = place_of(obstacle, lt_d3_mad(from, way, a)).distance;
        double at_b = place_of(obstacle, lt_d3_mad(from, way, b)).distance;
        if (at_a < 0 || at_b < 0) return true;
        *(at_a < at_b ? &hi : &lo) = at_a < at_b ? b : a;
    }
    return false;
}

static void follow(lt_judge_trail *trail, const lt_judge_obstacle *obstacle, lt_dvec3 p, bool is_first) {
    place now = place_of(obstacle, p);
    if (now.distance < 0) {
        trail->was_inside = !is_first; /* who begins inside has come from nowhere */
        return;
    }
    lt_dvec3 from = lt_d3_from_v3(trail->position), normal = lt_d3_from_v3(trail->normal);
    bool turned = !is_first && lt_d3_dot(normal, now.normal) < 0;
    if (turned && (trail->was_inside || goes_through(obstacle, from, p))) trail->passed = !trail->passed;
    trail->position = lt_v3_from_d3(p);
    trail->normal = lt_v3_from_d3(now.normal);
    trail->was_inside = false;
}

static uint32_t sample_count(const lt_judge_body *body) {
    return lt_min_u32(LT_JUDGE_SAMPLES, body->surface.mesh.vertex_count);
}

static bool follow_samples(lt_judge_body *body, const lt_judge_obstacle *obstacle, lt_judge_trail *trails,
                           bool is_first) {
    frame f = frame_of(obstacle);
    uint32_t count = sample_count(body), passed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertex = (uint32_t)((uint64_t)i * body->surface.mesh.vertex_count / count);
        follow(&trails[i], obstacle, into(&f, body->surface.mesh.positions[vertex]), is_first);
        passed += trails[i].passed;
    }
    return 2 * passed > count;
}

/* Has it passed any? */
static bool follow_body(lt_judge *judge, lt_judge_body *body) {
    bool is_first = body->trails.count == 0, passed = false;
    size_t count = judge->obstacles.count;
    if (is_first && !lt_array_grow(&body->trails, count * LT_JUDGE_SAMPLES)) return false;
    for (size_t i = 0; i < count; i++) {
        const lt_judge_obstacle *obstacle = (lt_judge_obstacle *)judge->obstacles.items + i;
        if (obstacle->state.kind == LT_OBSTACLE_PLANE ||
            !lt_judge_may_meet(body->group, body->mask, obstacle->group, obstacle->mask))
            continue;
        lt_judge_trail *trails = (lt_judge_trail *)body->trails.items + i * LT_JUDGE_SAMPLES;
        if (follow_samples(body, obstacle, trails, is_first)) passed = true;
    }
    return passed;
}

/* ---- all of them ---- */

static bool is_away(const lt_judge *judge, const lt_judge_body *body) {
    lt_vec3 size = lt_v3_sub(judge->start.hi, judge->start.lo);
    float far = 10 * lt_max_f(size.x, lt_max_f(size.y, size.z));
    return !lt_box_contains(lt_box_inflate(judge->start, far), lt_box_center(body->surface.box));
}

static bool look_at_body(lt_judge *judge, lt_judge_body *body, lt_judgement *out) {
    bool sunken = false;
    for (size_t i = 0; i < judge->obstacles.count; i++) {
        const lt_judge_obstacle *obstacle = (lt_judge_obstacle *)judge->obstacles.items + i;
        if (!lt_judge_may_meet(body->group, body->mask, obstacle->group, obstacle->mask)) continue;
        below found = look(body, obstacle);
        out->below = lt_max_d(out->below, found.depth);
        out->below_share = lt_max_d(out->below_share, found.depth / body->size);
        sunken = sunken || 2 * found.inside > found.vertices;
    }
    bool passed = follow_body(judge, body), away = is_away(judge, body);
    out->sunken += sunken;
    out->passed += passed;
    out->away += away;
    return sunken || passed || away;
}

bool lt_judge_look_below(lt_judge *judge, lt_judgement *out) {
    for (size_t i = 0; i < judge->bodies.count; i++) {
        lt_judge_body *body = lt_judge_body_at(judge, i);
        out->not_finite += !body->is_finite;
        out->lost += !body->is_finite || look_at_body(judge, body, out);
        if (body->is_finite && judge->obstacles.count > 0 && body->trails.count == 0) return false;
    }
    return true;
}
