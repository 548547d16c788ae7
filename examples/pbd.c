/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Collision only, in a solver of the caller's own: position-based dynamics. Three soft cubes fall on the ground and on each
 * other, and stay there. Lithe is asked for contacts alone; what is done about them is all in this file. The budget is in work
 * units: the same lines on every machine. */

#include "lithe/bake.h"
#include "lithe/lithe.h"
#include <math.h>
#include <stdio.h>

enum { CUBES = 3, NODES = 8, ALL = CUBES * NODES, STEPS = 240, ROUNDS = 3, SWEEPS = 8, BUDGET = 50000 };
static const float DT = 1 / 60.0f, SEPARATION = 0.002f, STIFFNESS = 0.5f;
static const double rest[NODES][3] = {{0, 0, 0},  {.2, 0, 0},  {0, .2, 0},  {.2, .2, 0},
                                      {0, 0, .2}, {.2, 0, .2}, {0, .2, .2}, {.2, .2, .2}};
static const uint32_t tets[5][4] = {{0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}};
/* Nodes of equal mass, cube by cube: now, and at the end of the step. */
static lt_vec3 x[ALL], v[ALL], next[ALL];
static lt_body_id ids[CUBES];
static lt_collision *collision;
static const lt_collision_contact *contacts; /* of the last find */
static uint32_t contact_count;

static lt_vec3 add(lt_vec3 a, float s, lt_vec3 b) {
    return (lt_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static float dot(lt_vec3 a, lt_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Every two nodes of a cube want to be as far apart as they were made. */
static void keep_shape(lt_vec3 *nodes) {
    for (int a = 0; a < NODES; a++)
        for (int b = a + 1; b < NODES; b++) {
            lt_vec3 d = add(nodes[a], -1, nodes[b]);
            lt_vec3 r = {(float)(rest[a][0] - rest[b][0]), (float)(rest[a][1] - rest[b][1]),
                         (float)(rest[a][2] - rest[b][2])};
            float length = sqrtf(dot(d, d)), missing = sqrtf(dot(r, r)) - length;
            if (length == 0) continue;
            nodes[a] = add(nodes[a], STIFFNESS * missing / (2 * length), d);
            nodes[b] = add(nodes[b], -STIFFNESS * missing / (2 * length), d);
        }
}

/* ---- contacts: each has two points, and a point is Σ weight × node; one of the ground has no nodes ---- */

static lt_vec3 *nodes_of(lt_body_id body) {
    return body.index_plus_one ? next + (body.index_plus_one - 1) * NODES : NULL;
}

static lt_vec3 point(const lt_vec3 *nodes, const lt_collision_point *p) {
    lt_vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < p->node_count; i++)
        sum = add(sum, p->weights[i], nodes[p->nodes[i]]);
    return sum;
}

static void push(lt_vec3 *nodes, const lt_collision_point *p, float size, lt_vec3 direction) {
    for (uint32_t i = 0; i < p->node_count; i++)
        nodes[p->nodes[i]] = add(nodes[p->nodes[i]], size * p->weights[i], direction);
}

/* How far apart the two points are at the end of the step, along the normal. */
static float gap(const lt_collision_contact *c) {
    lt_vec3 apart = add(point(nodes_of(c->body_a), &c->a), -1, point(nodes_of(c->body_b), &c->b));
    if (c->kind == LT_COLLISION_OBSTACLE) apart = add(apart, -1, add(c->position, -c->distance, c->normal));
    return dot(apart, c->normal);
}

static void move_apart(const lt_collision_contact *c) {
    float missing = SEPARATION - gap(c), yields = 0;
    if (missing <= 0) return;
    for (int i = 0; i < LT_COLLISION_NODES; i++) /* weights beyond node_count are 0 */
        yields += c->a.weights[i] * c->a.weights[i] + c->b.weights[i] * c->b.weights[i];
    push(nodes_of(c->body_a), &c->a, missing / yields, c->normal);
    push(nodes_of(c->body_b), &c->b, -missing / yields, c->normal);
}

/* From x to next: the contacts of that way. */
static lt_report find(void) {
    for (int i = 0; i < CUBES; i++) {
        lt_collision_nodes motion = {&x[i * NODES].x, &next[i * NODES].x, NODES, 0};
        lt_collision_set_nodes(collision, ids[i], &motion, NULL);
    }
    lt_report report = lt_collision_find(collision, lt_budget_collision_units(BUDGET));
    contacts = lt_collision_contacts(collision, &contact_count);
    return report;
}

/* Predicts; finds contacts and corrects, in turns; goes as far as it is safe: nowhere where contacts may be missing. */
static lt_report step(void) {
    for (int i = 0; i < ALL; i++)
        next[i] = add(add(x[i], DT, v[i]), -9.81f * DT * DT, (lt_vec3){0, 1, 0});
    for (int round = 0; round < ROUNDS; round++) {
        find();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 0; i < ALL; i += NODES)
                keep_shape(next + i);
            for (uint32_t i = 0; i < contact_count; i++)
                move_apart(&contacts[i]);
        }
    }
    lt_report report = find();
    float share = report.interrupted ? 0 : 1;
    for (uint32_t i = 0; i < contact_count; i++) { /* no two lose more than half of what is between them */
        const lt_collision_contact *c = &contacts[i];
        float lost = c->distance - gap(c), most = 0.5f * c->distance;
        if (c->distance > 0 && lost > most) share = fminf(share, c->time + (1 - c->time) * most / lost);
    }
    for (int i = 0; i < ALL; i++) {
        v[i] = add((lt_vec3){0, 0, 0}, share / DT, add(next[i], -1, x[i]));
        x[i] = next[i] = add(x[i], DT, v[i]);
    }
    return report;
}

int main(void) {
    lt_bake_tets_def mesh = lt_bake_tets_def_default();
    mesh.node_positions = rest[0], mesh.node_count = NODES, mesh.tets = tets[0], mesh.tet_count = 5;
    lt_bake_tree_def tree = lt_bake_tree_def_default();
    lt_collision_def def = lt_collision_def_default();
    def.separation = SEPARATION, def.self_collision = false;
    lt_collision_body_def body = lt_collision_body_def_default();
    lt_obstacle_def ground = lt_obstacle_def_default(); /* the plane y = 0 */
    lt_shape *plain = NULL;
    lt_error error;
    if (lt_bake_tets(&mesh, &plain, NULL, &error) != LT_OK ||
        lt_bake_tree(plain, &tree, &body.shape, &error) != LT_OK ||
        lt_collision_create(&def, &collision, &error) != LT_OK)
        return puts(error.message), 1;
    lt_collision_add_obstacle(collision, &ground, &error);
    for (int i = 0; i < ALL; i++) { /* one above the other, each a little aside */
        const double *r = rest[i % NODES];
        float n = (float)(i / NODES);
        x[i] = (lt_vec3){(float)r[0] + 0.03f * n, (float)r[1] + 0.1f + 0.3f * n, (float)r[2] + 0.02f * n};
        if (i % NODES == 0) ids[i / NODES] = lt_collision_add_body(collision, &body, &error);
    }
    for (int n = 1; n <= STEPS; n++) {
        lt_report r = step();
        if (n % 30 == 0)
            printf("step %3d: cubes at %.3f, %.3f and %.3f m, %llu contacts, %llu of %d units\n", n,
                   (double)x[0].y, (double)x[NODES].y, (double)x[2 * NODES].y, r.contacts, r.units, BUDGET);
    }
    lt_collision_destroy(collision);
    lt_shape_release(body.shape);
    lt_shape_release(plain);
    return 0;
}
