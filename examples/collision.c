/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Collision only: a cube falls on another, moved by a solver that is not Lithe's (here: ten lines). Nodes at the start and at the
 * end of a step go in, contacts with weights on nodes come out, and the solver makes impulses of them. */

#include "lithe/bake.h"
#include "lithe/lithe.h"
#include <stdio.h>

enum { NODES = 8, STEPS = 60 };
static const float DT = 1 / 60.0f;

typedef struct cube {
    float x[NODES][3], v[NODES][3], next[NODES][3]; /* nodes of equal mass */
} cube;

/* The caller's solver: gravity, and cubes that keep their shape and do not turn. */
static void move(cube *c) {
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < 3; k++) {
            if (k == 1) c->v[i][k] -= 9.81f * DT;
            c->next[i][k] = c->x[i][k] + c->v[i][k] * DT;
        }
}

/* The velocity of a point along the normal, and an impulse there: Σ w v, and Δv = w j n / m. */
static float speed_along(const cube *c, const lt_collision_point *p, lt_vec3 n) {
    float speed = 0;
    for (uint32_t i = 0; i < p->node_count; i++) {
        const float *v = c->v[p->nodes[i]];
        speed += p->weights[i] * (v[0] * n.x + v[1] * n.y + v[2] * n.z);
    }
    return speed;
}

static void push(cube *c, const lt_collision_point *p, lt_vec3 n, float impulse) {
    for (uint32_t i = 0; i < p->node_count; i++) {
        float *v = c->v[p->nodes[i]], dv = p->weights[i] * impulse;
        v[0] += dv * n.x;
        v[1] += dv * n.y;
        v[2] += dv * n.z;
    }
}

static void keep_shape(cube *c) {
    for (int k = 0; k < 3; k++) {
        float mean = 0;
        for (int i = 0; i < NODES; i++)
            mean += c->v[i][k] / NODES;
        for (int i = 0; i < NODES; i++)
            c->v[i][k] = mean;
    }
}

static float mobility(const lt_collision_point *p) { /* Σ w² / m of nodes of 1 kg */
    float sum = 0;
    for (uint32_t i = 0; i < p->node_count; i++)
        sum += p->weights[i] * p->weights[i];
    return sum;
}

/* What approaches is stopped. Cube 0 is held: only cube 1 is moved. */
static void respond(cube *falling, const lt_collision_contact *contacts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const lt_collision_contact *c = &contacts[i];
        if (c->body_a.index_plus_one == c->body_b.index_plus_one) continue;
        lt_vec3 out = {-c->normal.x, -c->normal.y,
                       -c->normal.z}; /* body_a is cube 0: the normal points at it */
        float speed = speed_along(falling, &c->b, out);
        if (speed < 0) push(falling, &c->b, out, -speed / mobility(&c->b));
        keep_shape(falling);
    }
}

int main(void) {
    const double nodes[NODES][3] = {{0, 0, 0},  {.2, 0, 0},  {0, .2, 0},  {.2, .2, 0}, /* 20 cm, five tets */
                                    {0, 0, .2}, {.2, 0, .2}, {0, .2, .2}, {.2, .2, .2}};
    const uint32_t tets[5][4] = {{0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}};
    lt_bake_tets_def mesh = lt_bake_tets_def_default();
    mesh.node_positions = nodes[0];
    mesh.node_count = NODES;
    mesh.tets = tets[0];
    mesh.tet_count = 5;
    lt_bake_tree_def tree = lt_bake_tree_def_default();
    lt_collision_def def = lt_collision_def_default();
    def.separation = 0.001f; /* a millimetre: contacts are there before surfaces touch */
    lt_collision_body_def body = lt_collision_body_def_default();
    lt_shape *plain = NULL;
    lt_collision *collision = NULL;
    lt_error error;
    if (lt_bake_tets(&mesh, &plain, NULL, &error) != LT_OK ||
        lt_bake_tree(plain, &tree, &body.shape, &error) != LT_OK || /* or: lithe bake --tree */
        lt_collision_create(&def, &collision, &error) != LT_OK)
        return puts(error.message), 1;
    cube cubes[2] = {{.v = {{0}}}, {.v = {{0}}}};
    lt_body_id ids[2];
    for (int c = 0; c < 2; c++) {
        ids[c] = lt_collision_add_body(collision, &body, &error);
        for (int i = 0; i < NODES; i++)
            for (int k = 0; k < 3; k++)
                cubes[c].x[i][k] = cubes[c].next[i][k] =
                    (float)nodes[i][k] + (c == 1) * (k == 1 ? 0.5f : 0.05f);
    }
    for (int step = 1; step <= STEPS; step++) {
        move(&cubes[1]);
        for (int c = 0; c < 2; c++) {
            lt_collision_nodes motion = {cubes[c].x[0], cubes[c].next[0], NODES, 0};
            if (lt_collision_set_nodes(collision, ids[c], &motion, &error) != LT_OK)
                return puts(error.message), 1;
        }
        lt_report r = lt_collision_find(collision, lt_budget_collision_us(500));
        uint32_t count;
        const lt_collision_contact *contacts = lt_collision_contacts(collision, &count);
        float share = r.interrupted ? 0 : 1; /* of the step: to the first contact, if all were found */
        for (uint32_t i = 0; i < count; i++)
            if (contacts[i].time < share) share = contacts[i].time;
        for (int sweep = 0; sweep < 20; sweep++)
            respond(&cubes[1], contacts, count);
        for (int i = 0; i < NODES; i++)
            for (int k = 0; k < 3; k++)
                cubes[1].x[i][k] += 0.99f * share * (cubes[1].next[i][k] - cubes[1].x[i][k]);
        if (step % 10 == 0)
            printf("step %d: height %.4f m, %llu contacts, %llu pairs left, %.1f of %.0f us\n", step,
                   (double)cubes[1].x[0][1], r.contacts, r.pending, r.used_us, r.budget_us);
    }
    lt_collision_destroy(collision);
    lt_shape_release(body.shape);
    lt_shape_release(plain);
    return 0;
}
