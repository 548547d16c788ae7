/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bodies of collision only that are deformed by hand, and the same contacts by brute force. Include after check.h. */

#ifndef LITHE_TESTS_WORLD_COLLIDE_FIXTURE_H
#define LITHE_TESTS_WORLD_COLLIDE_FIXTURE_H

#include "bench/whole/whole.h"
#include "detect/deformed.h"
#include "detect/surface_search.h"
#include "lithe/collision.h"

enum { COLLIDE_BODIES = 4, COLLIDE_CAPACITY = 1 << 15 };

typedef struct collide_scene {
    tree_fixture f;
    lt_collision *collision;
    uint32_t body_count;
    lt_body_id bodies[COLLIDE_BODIES];
    float *from[COLLIDE_BODIES], *to[COLLIDE_BODIES]; /* [node_count][4], the fourth not a number */
} collide_scene;

static inline lt_collision *make_collision(const lt_collision_def *def) {
    lt_collision *collision = NULL;
    lt_error error = {0};
    if (lt_collision_create(def, &collision, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    return collision;
}

static inline lt_body_id add_collision_body(lt_collision *collision, lt_shape *shape) {
    lt_error error = {0};
    lt_collision_body_def def = lt_collision_body_def_default();
    def.shape = shape;
    lt_body_id body = lt_collision_add_body(collision, &def, &error);
    if (body.index_plus_one == 0) CHECK_FAIL_MESSAGE("%s", error.message);
    return body;
}

/* A ball of this radius in a block from 0 to 1 of cells³; above 0.5 it leaves the block. */
static inline bool collide_make(collide_scene *s, uint32_t body_count, double radius, uint32_t cells,
                                const lt_collision_def *def) {
    lt_surface ball;
    memset(s, 0, sizeof *s);
    if (!make_ball(&ball, 1, radius)) return false;
    bool made = tree_fixture_of(&s->f, shape_in_block(&ball, cells), 0);
    lt_surface_free(&ball);
    s->collision = made ? make_collision(def) : NULL;
    s->body_count = body_count;
    for (uint32_t i = 0; i < body_count && s->collision; i++) {
        s->bodies[i] = add_collision_body(s->collision, s->f.shape);
        s->from[i] = LT_NEW(NULL, 4 * (size_t)s->f.carrier.node_count, float);
        s->to[i] = LT_NEW(NULL, 4 * (size_t)s->f.carrier.node_count, float);
    }
    return s->collision != NULL;
}

static inline void collide_free(collide_scene *s) {
    for (uint32_t i = 0; i < s->body_count; i++) {
        LT_DELETE(NULL, s->from[i], 4 * (size_t)s->f.carrier.node_count, float);
        LT_DELETE(NULL, s->to[i], 4 * (size_t)s->f.carrier.node_count, float);
    }
    lt_collision_destroy(s->collision);
    tree_fixture_free(&s->f);
}

static inline lt_status set_body(collide_scene *s, uint32_t body, bool moves, lt_error *error) {
    lt_collision_nodes nodes = {s->from[body], moves ? s->to[body] : NULL, s->f.carrier.node_count, 4};
    return lt_collision_set_nodes(s->collision, s->bodies[body], &nodes, error);
}

static inline void set_all(collide_scene *s, bool moves) {
    lt_error error = {0};
    for (uint32_t i = 0; i < s->body_count; i++)
        if (set_body(s, i, moves, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
}

static inline void deform_all(collide_scene *s, motion_kind kind, double reach, lt_random *random) {
    for (uint32_t i = 0; i < s->body_count; i++)
        deform_nodes(s->from[i], s->to[i], &s->f.carrier, i == 0 ? kind : MOTION_NOISE, reach, random);
}

/* ---- brute force ---- */

/* What a contact is known by: nothing of it hangs on who found it. Of a body with itself the face is b. */
typedef struct meeting_key {
    uint32_t kind;
    float
        numbers[8]; /* time, distance, normal, and the three places or triangles that tell equal ones apart */
} meeting_key;

static inline int by_key(const void *x, const void *y) {
    return memcmp(x, y, sizeof(meeting_key));
}

static inline meeting_key key_of(uint32_t kind, float time, float distance, lt_vec3 n, bool self,
                                 uint32_t triangle_a, uint32_t triangle_b) {
    bool swap = self && kind == LT_COLLISION_FACE_VERTEX;
    if (swap) {
        kind = LT_COLLISION_VERTEX_FACE;
        n = lt_v3_neg(n);
    }
    return (meeting_key){kind,
                         {time + 0.0f, distance + 0.0f, n.x + 0.0f, n.y + 0.0f, n.z + 0.0f,
                          (float)(swap ? triangle_b : triangle_a), (float)(swap ? triangle_a : triangle_b)}};
}

static inline bool is_same_place(const float *from, const float *to, uint32_t node_count) {
    for (uint32_t i = 0; i < 4 * node_count; i++)
        if (i % 4 != 3 && from[i] != to[i]) return false;
    return true;
}

static inline lt_box *boxes_of_triangles(const lt_multiscale *m, float separation) {
    lt_box *boxes = LT_NEW(NULL, m->tree->triangle_count, lt_box);
    for (uint32_t i = 0; i < 3 * m->tree->triangle_count; i++) {
        if (i % 3 == 0) boxes[i / 3] = lt_box_empty();
        for (uint32_t end = 0; end < 2; end++)
            boxes[i / 3] =
                lt_box_add_point(boxes[i / 3], lt_multiscale_position(m, m->tree->triangles[i], end));
        if (i % 3 == 2) boxes[i / 3] = lt_box_inflate(boxes[i / 3], separation + 1e-5f);
    }
    return boxes;
}

/* All pairs of triangles of two bodies, or of one with itself; keys sorted. Returns how many. */
static inline uint32_t collide_by_force(meeting_key *keys, const collide_scene *s, uint32_t a, uint32_t b,
                                        bool moves, float separation) {
    lt_surface_parts parts;
    lt_surface_parts_def parts_def = {.with_itself = true};
    lt_moving_surface surfaces[2] = {{0}, {0}};
    lt_moving_surface_def def = {true, lt_self_def_default(), lt_simd_best()};
    uint32_t sides = a == b ? 1 : 2, bodies[2] = {a, b}, nodes = s->f.carrier.node_count;
    if (lt_surface_parts_create(&parts, s->f.shape, &s->f.carrier, &s->f.skin, &parts_def, NULL, NULL) !=
        LT_OK)
        return 0;
    for (uint32_t i = 0; i < sides; i++) {
        const float *from = s->from[bodies[i]], *to = moves ? s->to[bodies[i]] : from;
        bool still = is_same_place(from, to, nodes);
        lt_moving_surface_create(&surfaces[i], &parts, &s->f.carrier, &def, NULL, NULL);
        lt_moving_surface_begin(&surfaces[i], from, still ? NULL : to, box_of_motion(from, to, nodes));
        lt_multiscale_refit_whole(&surfaces[i].boxes, NULL);
    }
    lt_moving_surface *other = &surfaces[sides - 1];
    lt_query q = {.separation = separation,
                  .meetings = LT_NEW(NULL, COLLIDE_CAPACITY, lt_meeting),
                  .capacity = COLLIDE_CAPACITY};
    lt_moving_surface_query(&q, &surfaces[0], other);
    lt_box *boxes_a = boxes_of_triangles(q.a, separation), *boxes_b = boxes_of_triangles(q.b, separation);
    for (uint32_t i = 0; i < parts.tree.triangle_count; i++)
        for (uint32_t k = sides == 1 ? i + 1 : 0; k < parts.tree.triangle_count; k++)
            if (lt_box_overlap(boxes_a[i], boxes_b[k])) lt_query_test_triangles(&q, i, k);
    LT_DELETE(NULL, boxes_a, parts.tree.triangle_count, lt_box);
    LT_DELETE(NULL, boxes_b, parts.tree.triangle_count, lt_box);
    CHECK_COUNT(q.dropped_count, 0);
    for (uint32_t i = 0; i < q.meeting_count; i++) {
        const lt_meeting *m = &q.meetings[i];
        static const lt_collision_kind kinds[] = {LT_COLLISION_VERTEX_FACE, LT_COLLISION_FACE_VERTEX,
                                                  LT_COLLISION_EDGES, LT_COLLISION_CROSSING};
        keys[i] = key_of(kinds[m->kind], m->time, m->distance, m->normal, sides == 1,
                         parts.tree.parents[m->a], parts.tree.parents[m->b]);
    }
    uint32_t count = q.meeting_count;
    if (count > 1) qsort(keys, count, sizeof *keys, by_key);
    LT_DELETE(NULL, q.meetings, COLLIDE_CAPACITY, lt_meeting);
    for (uint32_t i = 0; i < sides; i++)
        lt_moving_surface_free(&surfaces[i]);
    lt_surface_parts_free(&parts);
    return count;
}

/* Of what was found those between two bodies. */
static inline uint32_t collide_found(meeting_key *keys, collide_scene *s, uint32_t a, uint32_t b) {
    uint32_t count, found = 0;
    const lt_collision_contact *contacts = lt_collision_contacts(s->collision, &count);
    for (uint32_t i = 0; i < count; i++) {
        const lt_collision_contact *c = &contacts[i];
        if (c->body_a.index_plus_one != s->bodies[a].index_plus_one ||
            c->body_b.index_plus_one != s->bodies[b].index_plus_one)
            continue;
        keys[found++] =
            key_of(c->kind, c->time, c->distance, c->normal, a == b, c->a.triangle, c->b.triangle);
    }
    if (found > 1) qsort(keys, found, sizeof *keys, by_key);
    return found;
}

#endif
