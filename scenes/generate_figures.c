/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The gummy bear, the lizard and the shoe: blended ellipsoids and cones, all mirrored in a plane. Each is modelled in
 * rough units and fitted to size afterwards, so that its table may be changed without care for the sum. */

#include "scenes/generate.h"
#include "scenes/implicit.h"

typedef struct ellipsoid {
    lt_dvec3 centre, radii;
    double sine, cosine; /* of its turn about z; both 0 means none */
    double blend;
} ellipsoid;

typedef struct cone {
    lt_dvec3 a, b;
    double radius_a, radius_b, blend;
} cone;

/* With k = |p / r| and l = |p / r^2|: k (k - 1) / l, exact on the axes, close to the distance elsewhere. */
static double distance_to_ellipsoid(lt_dvec3 p, const ellipsoid *e) {
    lt_dvec3 d = lt_d3_sub(p, e->centre), r = e->radii;
    if (e->cosine != 0.0 || e->sine != 0.0)
        d = (lt_dvec3){e->cosine * d.x + e->sine * d.y, e->cosine * d.y - e->sine * d.x, d.z};
    d = (lt_dvec3){d.x / r.x, d.y / r.y, d.z / r.z};
    double k = lt_d3_length(d), l = lt_d3_length((lt_dvec3){d.x / r.x, d.y / r.y, d.z / r.z});
    return l > 1e-12 ? k * (k - 1.0) / l : -lt_min_d(r.x, lt_min_d(r.y, r.z));
}

static double blend_ellipsoids(double value, lt_dvec3 p, const ellipsoid *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        value = lt_smooth_min(value, distance_to_ellipsoid(p, parts + i), parts[i].blend);
    return value;
}

static double blend_cones(double value, lt_dvec3 p, const cone *parts, size_t count) {
    for (size_t i = 0; i < count; i++)
        value = lt_smooth_min(
            value, lt_distance_to_cone(p, parts[i].a, parts[i].b, parts[i].radius_a, parts[i].radius_b),
            parts[i].blend);
    return value;
}

/* ---- bear: y up, facing +z, mirrored in x ---- */

static const ellipsoid bear_trunk[] = {
    {{0, .41, 0}, {.225, .27, .18}, 0, 0, .01},        /* body */
    {{0, .36, .07}, {.17, .18, .15}, 0, 0, .06},       /* belly */
    {{0, .76, .02}, {.19, .165, .165}, 0, 0, .07},     /* head */
    {{.14, .905, .0}, {.08, .085, .055}, 0, 0, .04},   /* ear */
    {{0, .715, .165}, {.088, .066, .07}, 0, 0, .04},   /* snout */
    {{0, .745, .232}, {.03, .022, .02}, 0, 0, .012},   /* nose */
    {{.072, .80, .168}, {.02, .024, .018}, 0, 0, .01}, /* eye */
};
static const cone bear_limbs[] = {
    {{.2, .53, .03}, {.235, .44, .14}, .08, .07, .05},     /* upper arm */
    {{.235, .44, .14}, {.15, .44, .225}, .07, .062, .04},  /* paw on the belly */
    {{.13, .2, .01}, {.145, .09, .04}, .115, .1, .05},     /* leg */
    {{.145, .085, .05}, {.155, .085, .17}, .1, .085, .04}, /* foot */
};

static double bear_field(const void *context, lt_dvec3 p) {
    (void)context;
    p.x = fabs(p.x);
    double value = blend_ellipsoids(1e9, p, bear_trunk, LT_COUNT_OF(bear_trunk));
    /* the dish of the ear, scooped out of its front */
    ellipsoid dish = {{.145, .91, .062}, {.045, .05, .03}, 0, 0, .02};
    value = -lt_smooth_min(-value, distance_to_ellipsoid(p, &dish), dish.blend);
    value = blend_cones(value, p, bear_limbs, LT_COUNT_OF(bear_limbs));
    return -lt_smooth_min(-value, p.y - 0.012, 0.02); /* flat soles */
}

/* ---- lizard: on its hind legs, y up, facing +z, mirrored in x; slender where it is to bend ---- */

static const ellipsoid lizard_trunk[] = {
    {{0, .30, -.01}, {.13, .12, .12}, 0, 0, .01},      /* hips */
    {{0, .53, 0}, {.12, .2, .1}, 0, 0, .06},           /* chest */
    {{0, .84, .05}, {.09, .08, .11}, 0, 0, .03},       /* head */
    {{0, .815, .15}, {.055, .05, .1}, 0, 0, .03},      /* snout */
    {{.062, .9, .07}, {.026, .028, .026}, 0, 0, .015}, /* eye */
};
static const cone lizard_limbs[] = {
    {{0, .64, 0}, {0, .82, .02}, .065, .06, .04},          /* neck */
    {{.11, .63, .01}, {.26, .55, .07}, .055, .045, .03},   /* upper arm */
    {{.26, .55, .07}, {.31, .63, .2}, .045, .036, .01},    /* forearm */
    {{.31, .63, .2}, {.3, .68, .25}, .045, .03, .02},      /* hand */
    {{.1, .29, 0}, {.17, .16, .09}, .085, .065, .03},      /* thigh */
    {{.17, .16, .09}, {.16, .05, .0}, .062, .05, .02},     /* shin */
    {{.16, .045, .0}, {.19, .04, .14}, .05, .035, .02},    /* foot */
    {{0, .29, -.08}, {0, .15, -.24}, .085, .058, .04},     /* tail */
    {{0, .15, -.24}, {0, .07, -.41}, .058, .036, .01},     /* on */
    {{0, .07, -.41}, {0, .05, -.56}, .036, .018, .01},     /* to its tip */
    {{.055, .9, -.01}, {.1, .985, -.05}, .03, .014, .015}, /* horn */
    {{0, .66, -.085}, {0, .72, -.11}, .03, .012, .02},     /* spines down the back */
    {{0, .53, -.09}, {0, .57, -.13}, .03, .012, .02},      /* */
    {{0, .40, -.10}, {0, .43, -.155}, .03, .012, .02},     /* */
};

static double lizard_field(const void *context, lt_dvec3 p) {
    (void)context;
    p.x = fabs(p.x);
    double value = blend_ellipsoids(1e9, p, lizard_trunk, LT_COUNT_OF(lizard_trunk));
    value = blend_cones(value, p, lizard_limbs, LT_COUNT_OF(lizard_limbs));
    return -lt_smooth_min(-value, p.y - 0.012, 0.02); /* flat soles */
}

/* ---- shoe: x towards the toe, y up, mirrored in z ---- */

static const ellipsoid shoe_upper[] = {
    {{-.31, .2, 0}, {.165, .22, .112}, 0, 0, .01},           /* heel counter */
    {{-.06, .165, 0}, {.27, .19, .118}, -.259, .966, .08},   /* instep, sloping down to the toe */
    {{.25, .10, 0}, {.225, .115, .135}, 0, 0, .08},          /* toe box */
    {{-.245, .385, 0}, {.175, .055, .108}, .139, .990, .05}, /* collar */
    {{-.085, .43, 0}, {.034, .105, .07}, .423, .906, .025},  /* tongue */
};
static const ellipsoid shoe_toe_cap = {{.38, .085, 0}, {.115, .085, .12}, 0, 0, .02};
static const ellipsoid shoe_opening = {{-.262, .45, 0}, {.125, .2, .07}, .139, .990, .03};
/* The outline of the sole from above, as discs joined by their tangents: heel, waist, ball, toe. */
static double sole_outline(double x, double z) {
    static const cone runs[] = {{{-.35, 0, 0}, {-.08, 0, 0}, .125, .112, .03},
                                {{-.08, 0, 0}, {.2, 0, 0}, .112, .15, .03},
                                {{.2, 0, 0}, {.38, 0, 0}, .15, .115, .03}};
    return blend_cones(1e9, lt_d3_make(x, 0.0, z), runs, LT_COUNT_OF(runs));
}

/* A slab with that outline, .09 high, its edges rounded. */
static double sole_distance(lt_dvec3 p) {
    const double rounding = 0.02, half_height = 0.045;
    double lift = p.x > 0.2 ? 0.35 * (p.x - 0.2) * (p.x - 0.2) : 0.0; /* the toe curls up */
    double side = sole_outline(p.x, p.z) + rounding;
    double top = fabs(p.y - lift - half_height) - half_height + rounding;
    double out_side = lt_max_d(side, 0.0), out_top = lt_max_d(top, 0.0);
    return sqrt(out_side * out_side + out_top * out_top) + lt_min_d(lt_max_d(side, top), 0.0) - rounding;
}

/* Four laces: cords along the upper's own surface, where planes that lean back with the instep cut it. */
static double lace_distance(double upper, lt_dvec3 p) {
    double nearest = 1e9;
    for (int i = 0; i < 4; i++) {
        double plane = 0.87 * (p.x - 0.17 + 0.058 * i) - 0.5 * (p.y - 0.22 - 0.034 * i);
        double beyond = lt_max_d(p.z - 0.075, 0.0), below = lt_max_d(0.15 - p.y, 0.0);
        nearest = lt_min_d(nearest, upper * upper + plane * plane + beyond * beyond + below * below);
    }
    return sqrt(nearest) - 0.014;
}

static double shoe_field(const void *context, lt_dvec3 p) {
    (void)context;
    p.z = fabs(p.z);
    double value = blend_ellipsoids(1e9, p, shoe_upper, LT_COUNT_OF(shoe_upper) - 1);
    value = -lt_smooth_min(-value, distance_to_ellipsoid(p, &shoe_opening), shoe_opening.blend);
    value = blend_ellipsoids(value, p, shoe_upper + LT_COUNT_OF(shoe_upper) - 1, 1);
    value = blend_ellipsoids(value, p, &shoe_toe_cap, 1);
    value = lt_smooth_min(value, lace_distance(value, p), 0.008);
    value = -lt_smooth_min(-value, p.y - 0.03, 0.01); /* the upper ends within the sole */
    return lt_smooth_min(value, sole_distance(p), 0.02);
}

/* ---- all ---- */

/* Scales so that the box has size 1 along `axis`, with the bottom at y = 0 and the middle of x and z at 0. */
static void fit_to_unit(lt_surface *s, int axis) {
    lt_box box = lt_surface_box(s);
    lt_vec3 size = lt_v3_sub(box.hi, box.lo), middle = lt_v3_scale(lt_v3_add(box.lo, box.hi), 0.5f);
    middle.y = box.lo.y;
    float scale = 1.0f / lt_v3_get(size, axis);
    for (uint32_t v = 0; v < s->vertex_count; v++)
        s->positions[v] = lt_v3_scale(lt_v3_sub(s->positions[v], middle), scale);
}

lt_status lt_generate_bear(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                           lt_error *error) {
    lt_implicit solid = {bear_field, NULL, {-.36, -.01, -.24}, {.36, 1.02, .34}, "bear", 600};
    lt_status status = lt_implicit_polygonise(out, &solid, triangle_count, allocator, error);
    if (status == LT_OK) fit_to_unit(out, 1);
    return status;
}

lt_status lt_generate_lizard(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                             lt_error *error) {
    lt_implicit solid = {lizard_field, NULL, {-.38, -.01, -.6}, {.38, 1.02, .32}, "lizard", 2000};
    lt_status status = lt_implicit_polygonise(out, &solid, triangle_count, allocator, error);
    if (status == LT_OK) fit_to_unit(out, 1);
    return status;
}

lt_status lt_generate_shoe(lt_surface *out, uint32_t triangle_count, const lt_allocator *allocator,
                           lt_error *error) {
    lt_implicit solid = {shoe_field, NULL, {-.53, -.02, -.19}, {.55, .6, .19}, "shoe", 2000};
    lt_status status = lt_implicit_polygonise(out, &solid, triangle_count, allocator, error);
    if (status == LT_OK) fit_to_unit(out, 0);
    return status;
}
