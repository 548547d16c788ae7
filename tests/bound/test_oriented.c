/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Boxes that turn with bodies: they hold all nodes whatever frame they are given, and never say that two are farther apart than
 * some of their points are. */

#include "check.h"

#include "bound/oriented.h"
#include "core/random.h"

enum { NODES = 24 };

typedef struct cloud {
    float nodes[4 * NODES];
    lt_oriented box;
} cloud;

static lt_vec3 random_vector(lt_random *random, float size) {
    return (lt_vec3){lt_random_range(random, -size, size), lt_random_range(random, -size, size),
                     lt_random_range(random, -size, size)};
}

static lt_vec3 node_of(const cloud *c, uint32_t node) {
    return (lt_vec3){c->nodes[4 * node], c->nodes[4 * node + 1], c->nodes[4 * node + 2]};
}

/* Long and thin, somewhere, in a box along it or across. */
static cloud make_cloud(lt_random *random, float away) {
    cloud c = {0};
    lt_vec3 center = random_vector(random, away), along = random_vector(random, 1);
    for (uint32_t i = 0; i < NODES; i++) {
        lt_vec3 p = lt_v3_mad(center, along, lt_random_range(random, -1, 1));
        p = lt_v3_add(p, random_vector(random, 0.1f));
        c.nodes[4 * i] = p.x;
        c.nodes[4 * i + 1] = p.y;
        c.nodes[4 * i + 2] = p.z;
    }
    bool helpful = lt_random_u32(random) % 2;
    c.box = lt_oriented_around(c.nodes, NODES, helpful ? along : random_vector(random, 1),
                               random_vector(random, 1));
    return c;
}

static lt_vec3 axis_of(const lt_oriented *box, uint32_t k) {
    return (lt_vec3){box->rows[0][k], box->rows[1][k], box->rows[2][k]};
}

static uint32_t count_outside(const cloud *c) {
    uint32_t outside = 0;
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t k = 0; k < 3; k++) {
            float along = lt_v3_dot(lt_v3_sub(node_of(c, i), c->box.center), axis_of(&c->box, k));
            outside += !(fabsf(along) <= c->box.half[k] + 2e-6f * (1 + lt_v3_length(c->box.center)));
        }
    return outside;
}

static void all_nodes_are_held(void) {
    lt_random random = lt_random_seed(1);
    uint32_t outside = 0;
    for (int round = 0; round < 2000; round++) {
        cloud c = make_cloud(&random, 10);
        outside += count_outside(&c);
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t j = 0; j < 3; j++)
                CHECK_NEAR(lt_v3_dot(axis_of(&c.box, k), axis_of(&c.box, j)), k == j, 1e-5);
    }
    CHECK_COUNT(outside, 0);
}

static void strange_directions_give_a_frame(void) {
    lt_random random = lt_random_seed(2);
    const lt_vec3 strange[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {1e-30f, 0, 0}};
    for (uint32_t i = 0; i < LT_COUNT_OF(strange); i++)
        for (uint32_t j = 0; j < LT_COUNT_OF(strange); j++) {
            cloud c = make_cloud(&random, 1);
            c.box = lt_oriented_around(c.nodes, NODES, strange[i], strange[j]);
            CHECK_COUNT(count_outside(&c), 0);
        }
}

/* Along the axis that it names every node of a is at least the gap before every node of b. */
static void a_gap_is_one(void) {
    lt_random random = lt_random_seed(3);
    uint32_t apart = 0, wrong = 0, aligned = 0;
    for (int round = 0; round < 20000; round++) {
        cloud a = make_cloud(&random, 1.5f), b = make_cloud(&random, 1.5f);
        lt_vec3 axis, back;
        float gap = lt_oriented_gap(&a.box, &b.box, &axis);
        float least = INFINITY, most = -INFINITY;
        for (uint32_t i = 0; i < NODES; i++) {
            least = lt_min_f(least, lt_v3_dot(node_of(&a, i), axis));
            most = lt_max_f(most, lt_v3_dot(node_of(&b, i), axis));
        }
        apart += gap > 0;
        wrong += !(gap <= least - most) && gap > 0;
        CHECK_NEAR(lt_oriented_gap(&b.box, &a.box, &back), gap, 1e-5);
        aligned += fabsf(lt_v3_dot(axis, back) + 1) < 1e-4f;
    }
    CHECK_COUNT(wrong, 0);
    CHECK(apart > 5000 && apart < 19000); /* both happen */
    CHECK(aligned > 19900);               /* but where two axes are equally good */
}

/* Two cubes of side 2, one turned by 45° about z: 1 + √2 between their centres they touch. */
static void known_gaps_are_found(void) {
    float cube[32];
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = 0; k < 3; k++)
            cube[4 * i + k] = i >> k & 1 ? 1.0f : -1.0f;
    lt_oriented a = lt_oriented_around(cube, 8, (lt_vec3){1, 0, 0}, (lt_vec3){0, 1, 0}), b = a;
    lt_vec3 axis;
    b.center = (lt_vec3){3, 0.5f, 0};
    CHECK_NEAR(lt_oriented_gap(&a, &b, &axis), 1, 1e-4);
    CHECK_NEAR(axis.x, -1, 1e-6);
    b.center = (lt_vec3){1.5f, 0.5f, 0};
    CHECK_NEAR(lt_oriented_gap(&a, &b, &axis), -0.5, 1e-4);
    for (uint32_t i = 0; i < 8; i++) {
        float x = cube[4 * i], y = cube[4 * i + 1], half = sqrtf(0.5f);
        cube[4 * i] = half * (x - y);
        cube[4 * i + 1] = half * (x + y);
    }
    b = lt_oriented_around(cube, 8, (lt_vec3){1, 1, 0}, (lt_vec3){-1, 1, 0});
    b.center = (lt_vec3){0, 3, 0};
    CHECK_NEAR(lt_oriented_gap(&a, &b, &axis), 3 - 1 - sqrt(2), 1e-4);
    CHECK_NEAR(axis.y, -1, 1e-5);
}

int main(void) {
    RUN(all_nodes_are_held);
    RUN(strange_directions_give_a_frame);
    RUN(a_gap_is_one);
    RUN(known_gaps_are_found);
    return check_finish();
}
