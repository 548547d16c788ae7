/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The bodies of this bench: a bunny, and a knot and how it is moved by hand.
 *
 * Its carrier follows the tube: a wider tube of few rings of six nodes, each two joined by twelve tets (a hexagon without a
 * middle is four triangles, a prism three tets). 47 rings are 564 tets; the tube must be wide enough for its flat sides and
 * straight pieces to hold the round and bent one.
 *
 * A node keeps its place beside the middle of the tube, and the middle moves: one third of the knot against another, up and
 * down, all the time, and from the 42nd frame on towards the plane of the knot, so that the strands lie on each other where
 * they cross. That it falls as a whole is left out: it would widen all boxes, most of all those of a full refit, and whoever
 * asks a body about itself can take it off. All of it is a polynomial or a sine of time: the same bits everywhere. */

#include "multiscale_internal.h"

#include "scenes/generate.h"
#include "scenes/scene.h"
#include "scenes/trigonometry.h"

#include <stdio.h>

enum { RINGS = 47, AROUND = 6, COARSE = 256, FINE = 32 };

static const double CARRIER_RADIUS = 0.275; /* of the circle through the six nodes; the tube's is 0.2 */
static const double PRESS_BEGIN = 0.35, PRESS_END = 0.75; /* shares of the frames */
/* How much flatter it is in the end: strands are then a sixth of their width in each other. */
static const double PRESS = 0.52;

/* ---- the carrier ---- */

/* Three tets of a prism whose lower and upper triangle have the same three corners in their rings. Sides are halved from the
 * corner that comes first in the ring, below, so that neighbours agree. */
static uint32_t *put_prism(uint32_t *out, uint32_t lower, uint32_t upper, const uint32_t corners[3]) {
    uint32_t a = lower + corners[0], b = lower + corners[1], c = lower + corners[2];
    uint32_t d = upper + corners[0], e = upper + corners[1], f = upper + corners[2];
    const uint32_t tets[12] = {a, b, c, f, a, b, f, e, a, e, f, d};
    for (int i = 0; i < 12; i++)
        *out++ = tets[i];
    return out;
}

static lt_status make_carrier(lt_tet_mesh *out, const lt_allocator *allocator, lt_error *error) {
    static const uint32_t triangles[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
    lt_torus_knot_params params = lt_torus_knot_params_default();
    lt_surface tube;
    params.tube_radius = CARRIER_RADIUS;
    params.triangle_count = 2 * RINGS * AROUND;
    lt_status status = lt_generate_torus_knot(&tube, &params, allocator, error);
    if (status != LT_OK) return status;
    LT_ASSERT(tube.vertex_count == RINGS * AROUND);
    status = lt_tet_mesh_allocate(out, tube.vertex_count, 12 * RINGS, allocator, error);
    if (status == LT_OK) {
        uint32_t *tet = out->tets;
        for (uint32_t i = 0; i < tube.vertex_count; i++)
            out->positions[i] = lt_d3_from_v3(tube.positions[i]);
        for (uint32_t ring = 0; ring < RINGS; ring++)
            for (int i = 0; i < 4; i++)
                tet = put_prism(tet, AROUND * ring, AROUND * ((ring + 1) % RINGS), triangles[i]);
    }
    lt_surface_free(&tube);
    return status;
}

lt_status lt_fine_knot(lt_fine_shape *out, lt_bench *bench, lt_error *error) {
    lt_torus_knot_params params = lt_torus_knot_params_default();
    lt_tet_mesh carrier = {0};
    lt_surface surface = {0};
    *out = (lt_fine_shape){0};
    if (bench->quick) params.triangle_count /= 8;
    lt_status status = lt_generate_torus_knot(&surface, &params, &bench->allocator, error);
    if (status == LT_OK) status = make_carrier(&carrier, &bench->allocator, error);
    if (status == LT_OK) status = lt_fine_shape_of(out, bench, &carrier, &surface, error);
    lt_tet_mesh_free(&carrier);
    lt_surface_free(&surface);
    return status;
}

/* ---- the motion ---- */

static double sine(double angle) {
    double s, c;
    lt_sin_cos(angle, &s, &c);
    return s;
}

/* The middle of the tube at a share of its length. */
static lt_dvec3 middle_at(double share) {
    lt_torus_knot_params k = lt_torus_knot_params_default();
    double sine_p, cosine_p, sine_q, cosine_q;
    lt_sin_cos(2 * LT_PI * k.p * share, &sine_p, &cosine_p);
    lt_sin_cos(2 * LT_PI * k.q * share, &sine_q, &cosine_q);
    double reach = k.major_radius + k.minor_radius * cosine_q;
    return (lt_dvec3){reach * cosine_p, k.minor_radius * sine_q, reach * sine_p};
}

/* The best of `count` shares from `first` on. */
static double best_share(lt_dvec3 x, double first, double step, uint32_t count) {
    double best = first, least = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double share = first + step * i, distance = lt_d3_distance(middle_at(share), x);
        if (distance < least) least = distance, best = share;
    }
    return best;
}

static double nearest_share(lt_dvec3 x) {
    double coarse = best_share(x, 0, 1.0 / COARSE, COARSE);
    return best_share(x, coarse - 1.0 / COARSE, 2.0 / (COARSE * FINE), FINE + 1);
}

/* From 0 to 1 without a jump of speed. */
static double ease(double t) {
    return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t);
}

static lt_dvec3 sway(lt_dvec3 middle, double share, double time) {
    double press = PRESS * ease((time - PRESS_BEGIN) / (PRESS_END - PRESS_BEGIN));
    middle.y *= 1 - press;
    middle.y += 0.05 * sine(2 * LT_PI * (share + 1.5 * time));
    middle.x += 0.04 * sine(2 * LT_PI * (2 * share + 2 * time));
    middle.z += 0.04 * sine(2 * LT_PI * (3 * share - time));
    return middle;
}

void lt_fine_knot_motion(float *nodes, const lt_fine_body *body, double time) {
    double s, c;
    lt_sin_cos(0.8 * time, &s, &c);
    for (uint32_t i = 0; i < body->dense->carrier.node_count; i++) {
        lt_dvec3 x = lt_fine_rest(body, i);
        double share = nearest_share(x), swell = 1 + 0.04 * sine(2 * LT_PI * (4 * share + 2 * time));
        lt_dvec3 middle = middle_at(share), y = sway(middle, share, time);
        y = lt_d3_mad(y, lt_d3_sub(x, middle), swell);
        lt_fine_put(nodes, i, (lt_dvec3){c * y.x - s * y.z, y.y, s * y.x + c * y.z});
    }
}

/* ---- the bunny ---- */

static const char BUNNY[] = "bunny_closed_75408.ply";
enum { BUNNY_TRIANGLES = 75408, BUNNY_TETS = 1000, QUICK_TRIANGLES = 6000, QUICK_TETS = 300 };

static bool bunny_is_there(void) {
    char path[LT_SCENE_PATH];
    return lt_find_mesh(BUNNY, path);
}

const char *lt_fine_bunny_name(void) {
    return bunny_is_there() ? "the bunny's scan" : "a generated bear";
}

lt_status lt_fine_bunny(lt_fine_shape *out, lt_bench *bench, lt_error *error) {
    lt_scene_shape recipe = {.surface = {.kind = LT_SURFACE_RECIPE_BEAR, .size = {0, 1, 0}},
                             .carrier = {.kind = LT_CARRIER_RECIPE_ENCLOSED,
                                         .cells = {bench->quick ? QUICK_TETS : BUNNY_TETS, 0, 0}}};
    lt_shape *shape;
    *out = (lt_fine_shape){0};
    recipe.surface.triangles = bench->quick ? QUICK_TRIANGLES : BUNNY_TRIANGLES;
    if (bunny_is_there()) {
        recipe.surface.kind = LT_SURFACE_RECIPE_FILE;
        if (!bench->quick) recipe.surface.triangles = 0;
        snprintf(recipe.surface.path, sizeof recipe.surface.path, "%s", BUNNY);
    }
    lt_status status = lt_recipe_shape(&shape, &recipe, &bench->allocator, error);
    return status == LT_OK ? lt_fine_shape_take(out, bench, shape, error) : status;
}
