/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "judge/judge_internal.h"

#include <stdio.h>
#include <string.h>

/* ---- making one ---- */

lt_status lt_judge_create(lt_judge **out, lt_world *world, lt_vec3 gravity, const lt_allocator *allocator,
                          lt_error *error) {
    lt_judge *judge = *out = LT_NEW(allocator, 1, lt_judge);
    if (!judge) return lt_fail(error, LT_STATUS_MEMORY, "judge: out of memory");
    *judge = (lt_judge){.world = world,
                        .gravity = gravity,
                        .allocator = allocator ? *allocator : lt_allocator_default(),
                        .bodies = LT_ARRAY_OF(allocator, lt_judge_body *),
                        .obstacles = LT_ARRAY_OF(allocator, lt_judge_obstacle),
                        .hits = LT_ARRAY_OF(allocator, uint32_t[2]),
                        .start = lt_box_empty()};
    return LT_OK;
}

void lt_judge_destroy(lt_judge *judge) {
    if (!judge) return;
    lt_judge_obstacle *obstacles = judge->obstacles.items;
    for (size_t i = 0; i < judge->bodies.count; i++)
        lt_judge_body_free(lt_judge_body_at(judge, i), &judge->allocator);
    for (size_t i = 0; i < judge->obstacles.count; i++)
        lt_judge_surface_free(&obstacles[i].local);
    lt_array_free(&judge->bodies);
    lt_array_free(&judge->obstacles);
    lt_array_free(&judge->hits);
    lt_allocator allocator = judge->allocator;
    LT_DELETE(&allocator, judge, 1, lt_judge);
}

/* What stands far from the world's origin has one near by. */
static void measure_from(lt_judge *judge, const double origin[3]) {
    if (judge->bodies.count + judge->obstacles.count == 0) memcpy(judge->from, origin, sizeof judge->from);
}

lt_status lt_judge_add_body(lt_judge *judge, lt_body_id id, const lt_body_def *def, lt_error *error) {
    LT_ASSERT(!judge->has_begun && def->shape);
    measure_from(judge, def->origin);
    lt_judge_body *body;
    lt_status status = lt_judge_body_create(&body, judge->world, id, def, &judge->allocator, error);
    if (status != LT_OK) return status;
    if (lt_array_push(&judge->bodies, &body)) return LT_OK;
    lt_judge_body_free(body, &judge->allocator);
    return lt_fail(error, LT_STATUS_MEMORY, "judge: no memory for one more body");
}

/* Trees point to their surfaces: where the list moves, so do they. */
static lt_judge_obstacle *grow_obstacles(lt_judge *judge) {
    lt_judge_obstacle *added = lt_array_grow(&judge->obstacles, 1), *all = judge->obstacles.items;
    for (size_t i = 0; added && i < judge->obstacles.count; i++)
        if (all[i].local.tree.surface) all[i].local.tree.surface = &all[i].local.mesh;
    return added;
}

lt_status lt_judge_add_obstacle(lt_judge *judge, lt_obstacle_id id, const lt_obstacle_def *def,
                                lt_error *error) {
    LT_ASSERT(!judge->has_begun);
    measure_from(judge, def->origin);
    lt_judge_obstacle *obstacle = grow_obstacles(judge);
    if (!obstacle) return lt_fail(error, LT_STATUS_MEMORY, "judge: no memory for one more obstacle");
    *obstacle = (lt_judge_obstacle){.id = id, .group = def->collision_group, .mask = def->collision_mask};
    lt_judge_obstacle_update(obstacle, judge->world, judge->from);
    obstacle->before = obstacle->state;
    if (def->kind != LT_OBSTACLE_MESH) return LT_OK;
    lt_surface mesh = {.positions = (lt_vec3 *)def->mesh_positions,
                       .triangles = (uint32_t *)def->mesh_triangles,
                       .vertex_count = def->mesh_vertex_count,
                       .triangle_count = def->mesh_triangle_count};
    return lt_judge_surface_create(&obstacle->local, &mesh, &judge->allocator, error);
}

void lt_judge_exclude(lt_judge *judge, uint32_t uncounted) {
    judge->excluded |= uncounted;
}

void lt_judge_name_uncounted(uint32_t uncounted, char *text, size_t capacity) {
    static const char *const names[] = {
#define UNCOUNTED_NAME(NAME, text) text,
        LT_JUDGE_UNCOUNTED_LIST(UNCOUNTED_NAME)
#undef UNCOUNTED_NAME
    };
    size_t used = 0;
    snprintf(text, capacity, "nothing");
    for (uint32_t i = 0; i < LT_JUDGE_UNCOUNTED_COUNT && used < capacity; i++)
        if (uncounted >> i & 1)
            used += (size_t)snprintf(text + used, capacity - used, "%s%s", used ? ", " : "", names[i]);
}

static double larger(double a, double b) {
    return b > a || a != a ? b : a;
}

void lt_judge_keep_worst(lt_judgement *worst, const lt_judgement *now, bool is_first) {
    if (is_first) *worst = *now;
#define KEEP_WORST(type, name) worst->name = (lt_judge_##type)larger((double)worst->name, (double)now->name);
    LT_JUDGE_LIST(KEEP_WORST)
#undef KEEP_WORST
}

/* ---- a check ---- */

void lt_judge_read(lt_judge *judge) {
    lt_judge_obstacle *obstacles = judge->obstacles.items;
    for (size_t i = 0; i < judge->bodies.count; i++)
        lt_judge_body_update(lt_judge_body_at(judge, i), judge->world, judge->from);
    for (size_t i = 0; i < judge->obstacles.count; i++)
        lt_judge_obstacle_update(&obstacles[i], judge->world, judge->from);
}

/* Marks what lt_judge_cross found: column 0 is a, 1 is b. */
static void mark_met(const lt_judge *judge, lt_judge_body *body, int column) {
    const uint32_t(*hits)[2] = judge->hits.items;
    memset(body->met, 0, body->surface.mesh.triangle_count);
    for (size_t i = 0; i < judge->hits.count; i++)
        body->met[hits[i][column]] = 1;
}

static bool look_at_pair(lt_judge *judge, size_t index_a, size_t index_b, lt_judgement *out) {
    lt_judge_body *a = lt_judge_body_at(judge, index_a), *b = lt_judge_body_at(judge, index_b);
    if (!lt_judge_cross(judge, &a->surface, &b->surface)) return false;
    bool meets = judge->hits.count > 0;
    out->intersecting += meets;
    out->crossings += judge->hits.count;
    if (meets) mark_met(judge, a, 0);
    if (meets) mark_met(judge, b, 1);
    double depth = lt_max_d(lt_judge_depth_in(a, b, meets), lt_judge_depth_in(b, a, meets));
    double share = depth / lt_min_d(a->size, b->size);
    out->overlapping += depth > 0;
    out->depth = lt_max_d(out->depth, depth);
    if (share <= out->depth_share) return true;
    out->depth_share = share;
    out->depth_a = index_a;
    out->depth_b = index_b;
    return true;
}

static bool look_at_pairs(lt_judge *judge, lt_judgement *out) {
    for (size_t i = 0; i < judge->bodies.count; i++) {
        const lt_judge_body *a = lt_judge_body_at(judge, i);
        for (size_t k = i + 1; k < judge->bodies.count && a->is_finite; k++) {
            const lt_judge_body *b = lt_judge_body_at(judge, k);
            if (!b->is_finite || !lt_box_overlap(a->surface.box, b->surface.box)) continue;
            if (!lt_judge_may_meet(a->group, a->mask, b->group, b->mask)) continue;
            if (!look_at_pair(judge, i, k, out)) return false;
        }
    }
    return true;
}

static bool look_at_selves(lt_judge *judge, lt_judgement *out) {
    for (size_t i = 0; i < judge->bodies.count; i++) {
        const lt_judge_body *body = lt_judge_body_at(judge, i);
        if (!body->is_finite) continue;
        if (!lt_judge_cross_itself(judge, &body->surface)) return false;
        const uint32_t(*hits)[2] = judge->hits.items;
        for (size_t k = 0; k < judge->hits.count; k++) {
            bool folded = lt_judge_share_node(body, hits[k][0], hits[k][1]);
            out->folded += folded;
            out->self_crossings += !folded;
        }
    }
    return true;
}

static void compare_energy(lt_judge *judge, lt_judgement *out) {
    judge->energy_least = lt_min_d(judge->energy_least, out->energy);
    out->energy_excess = out->energy - judge->energy_at_start;
    out->energy_rise = out->energy - judge->energy_least;
    out->energy_share = judge->energy_scale > 0 ? out->energy_rise / judge->energy_scale : (double)NAN;
}

lt_status lt_judge_look(lt_judge *judge, lt_judgement *out, lt_error *error) {
    *out = (lt_judgement){0};
    bool ok = look_at_pairs(judge, out) && look_at_selves(judge, out) && lt_judge_look_below(judge, out);
    if (!ok) return lt_fail(error, LT_STATUS_MEMORY, "judge: out of memory");
    lt_judge_sum_energy(judge, out);
    compare_energy(judge, out);
    return LT_OK;
}

lt_status lt_judge_check(lt_judge *judge, lt_judgement *out, lt_error *error) {
    LT_ASSERT(judge->has_begun);
    lt_judge_read(judge);
    return lt_judge_look(judge, out, error);
}

void lt_judge_energies(lt_judge *judge, lt_judgement *out) {
    LT_ASSERT(judge->has_begun);
    *out = (lt_judgement){0};
    lt_judge_read(judge);
    for (size_t i = 0; i < judge->bodies.count; i++)
        out->not_finite += !lt_judge_body_at(judge, i)->is_finite;
    lt_judge_sum_energy(judge, out);
    compare_energy(judge, out);
}

/* ---- over steps ---- */

static double weight_times_size(const lt_judge *judge, const lt_judge_body *body) {
    double mass = 0;
    for (uint32_t node = 0; node < body->carrier.node_count; node++)
        mass += body->masses[node];
    return mass * body->size * (double)lt_v3_length(judge->gravity);
}

lt_status lt_judge_begin(lt_judge *judge, lt_error *error) {
    lt_judge_obstacle *obstacles = judge->obstacles.items;
    lt_judgement first;
    judge->has_begun = true;
    lt_judge_read(judge);
    for (size_t i = 0; i < judge->bodies.count; i++) {
        lt_judge_body *body = lt_judge_body_at(judge, i);
        lt_vec3 sides = lt_v3_sub(body->surface.box.hi, body->surface.box.lo);
        body->size = (double)lt_max_f(sides.x, lt_max_f(sides.y, sides.z));
        judge->start = lt_box_union(judge->start, body->surface.box);
        judge->energy_scale += weight_times_size(judge, body);
    }
    for (size_t i = 0; i < judge->obstacles.count; i++) {
        judge->start = lt_box_union(judge->start, lt_judge_obstacle_box(&obstacles[i]));
        obstacles[i].before = obstacles[i].state;
    }
    judge->energy_least = INFINITY;
    lt_status status = lt_judge_check(judge, &first, error);
    judge->energy_at_start = judge->energy_least = first.energy;
    judge->energy_scale += first.kinetic;
    return status;
}

void lt_judge_step(lt_judge *judge) {
    lt_judge_obstacle *obstacles = judge->obstacles.items;
    for (size_t i = 0; i < judge->obstacles.count; i++) {
        lt_judge_obstacle_update(&obstacles[i], judge->world, judge->from);
        judge->work += lt_judge_work_of(&obstacles[i], judge->world);
        obstacles[i].before = obstacles[i].state;
    }
}
