/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Constrained response over many steps: free motion, contacts, answer. Contacts are known beforehand: points that cannot leave
 * each other by much. */

#include "respond/lcp_fixture.h"

static const double DT = 1 / 60.0;

/* The gap at the beginning of the step, from where the points were. */
static lt_real gap_of(const rig *r, const lt_lcp_contact *c) {
    const lt_soft *bodies = r->stage.bodies;
    lt_rvec3 a = lt_anchor_gather(&c->a, bodies[c->body_a].x_before), b = {0, 0, 0};
    if (c->body_b != LT_NONE) b = lt_anchor_gather(&c->b, bodies[c->body_b].x_before);
    return lt_r3_dot(lt_r3_sub(a, b), c->normal);
}

static void step(rig *r, uint32_t sweeps) {
    rig_move(r);
    for (uint32_t i = 0; i < r->contact_count; i++)
        r->contacts[i].gap = gap_of(r, &r->contacts[i]);
    rig_solve(r, sweeps);
}

/* Points of the lower side of a body against the plane z = 0, or against what is below. */
static void add_points(rig *r, uint32_t body, uint32_t below, double side, double height, uint32_t points,
                       double friction) {
    for (uint32_t i = 0; i < points * points; i++) {
        double at = 0.9 / (points - 1) * side, from = 0.05 * side;
        lt_dvec3 p = {from + at * (i % points), from + at * (i / points), height};
        lt_lcp_contact c = {
            .body_a = body, .body_b = below, .normal = {0, 0, 1}, .friction = (lt_real)friction};
        c.a = anchor_at(&r->stage.bodies[body], r->stage.bodies[body].x, p);
        if (below != LT_NONE) c.b = anchor_at(&r->stage.bodies[below], r->stage.bodies[below].x, p);
        rig_add(r, &c);
    }
}

/* ---- an incline ---- */

/* A block on a plane under gravity that is tilted by `angle` towards `azimuth`: how fast it slides after half a second. */
static double slide(double angle, double azimuth, double friction, lt_model model) {
    double g = 9.81, along = g * sin(angle);
    lt_rvec3 gravity = {(lt_real)(along * cos(azimuth)), (lt_real)(along * sin(azimuth)),
                        (lt_real)(-g * cos(angle))};
    rig *r = rig_make(gravity, DT);
    lt_soft_def def = plain_def(model);
    def.material.young = 1e6f;
    def.material.stiffness_damping = 0.01f;
    stage_add_block(&r->stage, (lt_dvec3){0.3, 0.3, 0.1}, (const uint32_t[3]){2, 2, 1}, &def);
    add_points(r, 0, LT_NONE, 0.3, 0, 3, friction);
    static lt_real warm[4 * 64];
    memset(warm, 0, sizeof warm);
    r->lcp.params.tolerance = (lt_real)1e-5;
    for (int i = 0; i < 30; i++) {
        r->bodies[0].warm = warm;
        step(r, 400);
        CHECK(r->lcp.unresolved == 0);
    }
    lt_rvec3 v = lt_r3_scale(lt_soft_momentum(&r->stage.bodies[0]), 1 / r->stage.bodies[0].total_mass);
    double across = (double)v.y * cos(azimuth) - (double)v.x * sin(azimuth);
    double down = (double)v.x * cos(azimuth) + (double)v.y * sin(azimuth);
    CHECK_NEAR(across, 0, 2e-3);
    rig_free(r);
    return down;
}

/* It slips at atan μ, whichever way the incline falls: a hundredth less and it stays, a hundredth more and it goes as Coulomb
 * says. */
static void a_block_slips_at_its_angle(void) {
    const double friction = 0.5, limit = atan(0.5);
    const double azimuths[] = {0, 30, 45};
    for (int i = 0; i < 3; i++) {
        double azimuth = azimuths[i] * 3.14159265358979 / 180;
        double stays = slide(0.99 * limit, azimuth, friction, LT_MODEL_COROTATIONAL);
        double slips = slide(1.01 * limit, azimuth, friction, LT_MODEL_COROTATIONAL);
        double slides = slide(1.5 * limit, azimuth, friction, LT_MODEL_COROTATIONAL);
        double slow = 9.81 * 0.5 * (sin(1.01 * limit) - friction * cos(1.01 * limit));
        double fast = 9.81 * 0.5 * (sin(1.5 * limit) - friction * cos(1.5 * limit));
        printf("%.0f degrees: %.5f m/s below, %.4f above (%.4f expected), %.3f beyond (%.3f)\n", azimuths[i],
               stays, slips, slow, slides, fast);
        CHECK(fabs(stays) < 0.1 * slow);
        CHECK(slips > 0.5 * slow && slips < 1.5 * slow);
        CHECK_NEAR(slides, fast, 0.02 * fast);
    }
}

/* ---- a stack ---- */

typedef struct rest {
    double speed;  /* largest of a node, in the last steps */
    double height; /* of the top body's centre, m below where it began */
    double overlap;
    double energy;
} rest;

/* Three cubes on each other on a plane, dropped by a little, for two seconds. */
static rest stack(uint32_t sweeps, bool warm, float young) {
    rig *r = rig_make((lt_rvec3){0, 0, (lt_real)-9.81}, DT);
    static lt_real kept[3][4 * 64];
    memset(kept, 0, sizeof kept);
    for (uint32_t i = 0; i < 3; i++) {
        lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
        def.material.young = young;
        def.material.stiffness_damping = 0.005f;
        def.position.z = 0.3 * i;
        stage_add_cube(&r->stage, 0.3, 2, &def);
        add_points(r, i, i ? i - 1 : LT_NONE, 0.3, 0.3 * i, 3, 0.5);
    }
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t node = 0; node < 27; node++)
            r->stage.bodies[i].x[4 * node + 2] += (lt_real)(0.01 * (i + 1));
    double before = (double)lt_soft_center(&r->stage.bodies[2]).z;
    rest result = {0};
    for (int i = 0; i < 120; i++) {
        for (uint32_t b = 0; b < 3; b++)
            r->bodies[b].warm = warm ? kept[b] : NULL;
        for (uint32_t k = 0; !warm && k < r->contact_count; k++)
            r->contacts[k].impulse = (lt_rvec3){0, 0, 0};
        step(r, sweeps);
        for (uint32_t b = 0; i >= 110 && b < 3; b++)
            result.speed = lt_max_d(result.speed, (double)lt_soft_speed(&r->stage.bodies[b]));
        for (uint32_t k = 0; k < r->contact_count; k++) {
            const lt_lcp_contact *c = &r->contacts[k];
            lt_rvec3 a = lt_anchor_gather(&c->a, r->stage.bodies[c->body_a].x), b = {0, 0, 0};
            if (c->body_b != LT_NONE) b = lt_anchor_gather(&c->b, r->stage.bodies[c->body_b].x);
            result.overlap = lt_max_d(result.overlap, -(double)lt_r3_dot(lt_r3_sub(a, b), c->normal));
        }
    }
    CHECK(rig_is_finite(r));
    result.height = before - (double)lt_soft_center(&r->stage.bodies[2]).z;
    rig_free(r);
    return result;
}

/* Three cubes come to rest, none inside another: with as many sweeps as they want, with a few warm ones, with none at all. */
static void a_stack_of_three_rests(void) {
    const struct {
        uint32_t sweeps;
        bool warm;
        double speed;
    } cases[] = {{400, true, 5e-3}, {400, false, 5e-3}, {10, true, 1e-2},
                 {10, false, 0.1},  {2, true, 0.1},     {0, true, 0.1}};
    double whole = 0;
    for (uint32_t i = 0; i < LT_COUNT_OF(cases); i++) {
        rest result = stack(cases[i].sweeps, cases[i].warm, 1e5f);
        if (i == 0) whole = result.height;
        printf("stack, %u sweeps, %s: top sinks %.4f m, %.1e m/s, overlap %.1e m\n", cases[i].sweeps,
               cases[i].warm ? "warm" : "cold", result.height, result.speed, result.overlap);
        CHECK(result.overlap < 1e-5);
        CHECK(result.speed < cases[i].speed);
        CHECK_NEAR(result.height, whole, i < 3 ? 2e-3 : 4e-2);
    }
}

int main(void) {
    RUN(a_block_slips_at_its_angle);
    RUN(a_stack_of_three_rests);
    return check_finish();
}
