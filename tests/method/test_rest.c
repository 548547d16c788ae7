/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How slow a body is, by its velocities and by the ways of its nodes, against what follows by hand. */

#include "body/soft_fixture.h"
#include "method/rest.h"

static stage s;
static lt_soft *body;

static void make_block(void) {
    lt_soft_def def = plain_def(LT_MODEL_COROTATIONAL);
    s = stage_make((lt_rvec3){0, 0, 0}, 0.01);
    body = &s.bodies[stage_add_cube(&s, 0.25, 1, &def)];
}

static void set_velocities(lt_rvec3 v) {
    for (uint32_t node = 0; node < body->carrier.node_count; node++)
        lt_node_set(body->v, node, v);
    lt_soft_publish(body);
}

static void slow_speed_grows_with_the_root_of_size(void) {
    double size = (double)body->size;
    CHECK_NEAR(lt_rest_slow_speed(&lt_rest_by_velocities, body), 0.02 * sqrt(size), 1e-6);
    CHECK_NEAR(lt_rest_slow_speed(&lt_rest_by_ways, body), 0.05 * sqrt(size), 1e-6);
}

/* One node alone: the fastest one counts; of its way, its share of the mean square. */
static void one_node_moves(void) {
    double count = body->carrier.node_count;
    lt_rvec3 place = lt_node_get(body->x_before, 0);
    set_velocities((lt_rvec3){0, 0, 0});
    memcpy(body->x, body->x_before, 4 * sizeof *body->x * body->carrier.node_count);
    lt_node_set(body->v, 0, (lt_rvec3){0, (lt_real)0.3, (lt_real)-0.4});
    lt_node_set(body->x, 0, lt_r3_add(place, (lt_rvec3){(lt_real)0.003, 0, (lt_real)0.004}));
    lt_soft_publish(body);
    CHECK_NEAR(lt_rest_by_velocities.speed(body, 0.01f), 0.5, 1e-6);
    CHECK_NEAR(lt_rest_by_velocities.speed_ahead(body, 0.3f), 0.5, 1e-6);
    CHECK_NEAR(lt_rest_by_ways.speed(body, 0.01f), 0.5 / sqrt(count), 1e-4);
}

/* Nodes that tremble against each other carry no momentum; a body that has been slow does not count as fast. */
static void the_whole_moves(void) {
    set_velocities((lt_rvec3){(lt_real)0.6, 0, (lt_real)0.8});
    CHECK_NEAR(lt_rest_by_ways.speed_ahead(body, 0), 1, 1e-5);
    CHECK_NEAR(lt_rest_by_ways.speed_ahead(body, 0.01f), 0, 0);
    for (uint32_t node = 0; node < body->carrier.node_count; node++)
        lt_node_set(body->v, node,
                    (lt_rvec3){(lt_real)(1 / (double)body->mass[node] * (node % 2 ? 1 : -1)), 0, 0});
    lt_soft_publish(body);
    CHECK(body->carrier.node_count % 2 == 0);
    CHECK_NEAR(lt_rest_by_ways.speed_ahead(body, 0), 0, 1e-5);
    CHECK(lt_rest_by_velocities.speed_ahead(body, 0) > 0.1f);
}

int main(void) {
    make_block();
    RUN(slow_speed_grows_with_the_root_of_size);
    RUN(one_node_moves);
    RUN(the_whole_moves);
    stage_free(&s);
    return check_finish();
}
