/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Frames of bodies, decided as a step begins (the numbers are in body/soft_frame.c).
 *
 *   bodies ── boxes grown by their extent and what they go in the step ──► clusters ── one origin each ──► obstacles as that sees them
 *
 * Bodies of a cluster have one origin, so that everything that looks at a pair works with offsets as it would near the world's origin:
 * two cubes of 1 mm stand on each other 1 km away. A cluster keeps an origin that one of its bodies has while it is in reach, that of a
 * body asleep first: what rests keeps its bits. Reach is that of the smallest body, or the extent of the cluster where that is more.
 *
 * As long as all bodies have one origin and are in reach of it this is a look at one node of each; worlds of a few metres stay at the
 * world's origin. A cluster beyond MOST_FRAMES origins gets the world's, where it is as coarse as floats are there. */

#include "world/world.h"

#include "core/union_find.h"

#include <string.h>

enum { MOST_FRAMES = 64 }; /* other than the world's */

typedef struct cluster {
    lt_dvec3 lo, hi;   /* of its bodies, in the world */
    double least_size; /* of a body */
    double reach;      /* how far its middle may be from its origin */
    double origin[3];
    uint32_t rank; /* 0: no origin of its bodies will do; of an awake, of a sleeping body */
} cluster;

typedef struct body_box {
    lt_dvec3 lo, hi; /* in the world, grown */
    uint32_t body;
} body_box;

static bool is_same(const double a[3], const double b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool is_home(const double origin[3]) {
    return origin[0] == 0 && origin[1] == 0 && origin[2] == 0;
}

static bool in_use(const lt_world *world, uint32_t index) {
    return lt_collider_at(world, index)->in_use;
}

/* One node stands for the body. */
static bool all_are_well(const lt_world *world) {
    const double *origin = NULL;
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!in_use(world, i)) continue;
        const lt_soft *soft = lt_soft_at(world, i);
        double reach = LT_FRAME_CELLS * lt_frame_cell((double)soft->size);
        if (origin && !is_same(origin, soft->origin)) return false;
        origin = soft->origin;
        if (!lt_frame_serves(origin, lt_soft_to_world(soft, lt_node_get(soft->x, 0)), reach)) return false;
    }
    return true;
}

/* ---- clusters ---- */

static body_box box_of(const lt_world *world, uint32_t index, float dt, cluster *own) {
    const lt_soft *soft = lt_soft_at(world, index);
    lt_node_measure measure;
    lt_bound_kernels_for(world->level)
        ->measure_nodes(&measure, soft->nodes, soft->node_velocities, soft->carrier.node_count);
    lt_box box = lt_body_box(&lt_body_record(world, index)->skin, measure.box);
    double grown =
        lt_d3_distance(lt_d3_from_v3(box.lo), lt_d3_from_v3(box.hi)) + 2 * (double)(dt * measure.fastest);
    lt_dvec3 by = {grown, grown, grown};
    lt_dvec3 lo = lt_soft_to_world(soft, lt_r3_from_v3(box.lo)),
             hi = lt_soft_to_world(soft, lt_r3_from_v3(box.hi));
    *own = (cluster){.lo = lo, .hi = hi, .least_size = (double)soft->size};
    return (body_box){lt_d3_sub(lo, by), lt_d3_add(hi, by), index};
}

static bool is_before(const body_box *a, const body_box *b) {
    return a->lo.x != b->lo.x ? a->lo.x < b->lo.x : a->body < b->body;
}

/* Shell's: in place, and nobody is equal. */
static void sort_boxes(body_box *boxes, uint32_t count) {
    uint32_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < count; i++) {
            body_box box = boxes[i];
            uint32_t at = i;
            for (; at >= gap && is_before(&box, &boxes[at - gap]); at -= gap)
                boxes[at] = boxes[at - gap];
            boxes[at] = box;
        }
}

static void join_near(uint32_t *root, const body_box *boxes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count && boxes[j].lo.x <= boxes[i].hi.x; j++) {
            const body_box *a = &boxes[i], *b = &boxes[j];
            if (a->lo.y <= b->hi.y && b->lo.y <= a->hi.y && a->lo.z <= b->hi.z && b->lo.z <= a->hi.z)
                lt_sets_join(root, a->body, b->body);
        }
}

static lt_dvec3 middle_of(const cluster *c) {
    return lt_d3_scale(lt_d3_add(c->lo, c->hi), 0.5);
}

/* Every cluster is where its first body is; those of the others are only read here. */
static void sum_clusters(const lt_world *world, cluster *clusters, uint32_t *root) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        uint32_t r = lt_sets_find(root, i);
        if (!in_use(world, i) || r == i) continue;
        clusters[r].lo = lt_d3_min(clusters[r].lo, clusters[i].lo);
        clusters[r].hi = lt_d3_max(clusters[r].hi, clusters[i].hi);
        clusters[r].least_size = lt_min_d(clusters[r].least_size, clusters[i].least_size);
    }
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!in_use(world, i) || root[i] != i) continue;
        lt_dvec3 extent = lt_d3_sub(clusters[i].hi, clusters[i].lo);
        double longest = lt_max_d(extent.x, lt_max_d(extent.y, extent.z));
        clusters[i].reach = lt_max_d(LT_FRAME_CELLS * lt_frame_cell(clusters[i].least_size), longest);
    }
}

/* Origins that its bodies have and that will do. */
static void keep_origins(const lt_world *world, cluster *clusters, uint32_t *root) {
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!in_use(world, i)) continue;
        cluster *c = &clusters[lt_sets_find(root, i)];
        const double *origin = lt_soft_at(world, i)->origin;
        uint32_t rank = lt_collider_at(world, i)->asleep ? 2 : 1;
        if (rank <= c->rank || !lt_frame_serves(origin, middle_of(c), c->reach)) continue;
        memcpy(c->origin, origin, sizeof c->origin);
        c->rank = rank;
    }
}

static void choose_origin(cluster *c) {
    const double home[3] = {0, 0, 0};
    if (c->rank > 0) return;
    if (lt_frame_serves(home, middle_of(c), c->reach))
        memcpy(c->origin, home, sizeof home);
    else
        lt_frame_nearest(c->origin, middle_of(c), c->reach / LT_FRAME_CELLS);
}

static void give_origin(lt_world *world, uint32_t index, const double origin[3]) {
    lt_soft *soft = lt_soft_at(world, index);
    lt_collider *collider = lt_collider_at(world, index);
    if (is_same(soft->origin, origin)) return;
    lt_vec3 by = {(float)(soft->origin[0] - origin[0]), (float)(soft->origin[1] - origin[1]),
                  (float)(soft->origin[2] - origin[2])};
    lt_soft_rebase(soft, origin);
    lt_collider_refresh(collider, lt_embed_kernels_for(world->level));
    if (!collider->asleep) lt_collider_outdate(collider);
    world->method->displace_body(world->method_state, index);
    world->method->shift_body(world->method_state, index, by);
}

void lt_world_rebase_body(lt_world *world, uint32_t index, lt_dvec3 place) {
    const lt_soft *soft = lt_soft_at(world, index);
    double cell = lt_frame_cell((double)soft->size), origin[3];
    if (lt_frame_serves(soft->origin, place, LT_FRAME_CELLS * cell)) return;
    lt_frame_nearest(origin, place, cell);
    give_origin(world, index, origin);
}

/* ---- which there are ---- */

typedef struct frame_list {
    double origins[MOST_FRAMES + 1][3]; /* the first is the world's */
    uint32_t count;
} frame_list;

/* Its place in the list; the world's where that is full. */
static uint32_t place_in_list(frame_list *list, const double origin[3]) {
    for (uint32_t i = 0; i < list->count; i++)
        if (is_same(list->origins[i], origin)) return i;
    if (list->count > MOST_FRAMES) return 0;
    memcpy(list->origins[list->count], origin, sizeof list->origins[0]);
    return list->count++;
}

size_t lt_frames_scratch(uint32_t body_count) {
    return body_count * (sizeof(uint32_t) + sizeof(cluster) + sizeof(body_box)) + 4 * 64;
}

size_t lt_frames_views(uint32_t body_count, uint32_t obstacle_count) {
    return (size_t)(1 + lt_min_u32(body_count, MOST_FRAMES)) * obstacle_count;
}

/* Frames that are kept come first, so that it is the new ones that the list has no place for. */
static void settle_origins(lt_world *world, const cluster *clusters, uint32_t *root) {
    frame_list list = {.count = 1};
    for (int kept = 1; kept >= 0; kept--)
        for (uint32_t i = 0; i < lt_body_slots(world); i++) {
            if (!in_use(world, i)) continue;
            const cluster *c = &clusters[lt_sets_find(root, i)];
            if ((c->rank > 0) != (kept != 0)) continue;
            give_origin(world, i, list.origins[place_in_list(&list, c->origin)]);
        }
}

static bool settle(lt_world *world, float dt) {
    uint32_t slots = lt_body_slots(world), count = 0;
    size_t mark = lt_arena_mark(&world->arena);
    uint32_t *root = LT_TAKE(&world->arena, slots, uint32_t);
    cluster *clusters = LT_TAKE(&world->arena, slots, cluster);
    body_box *boxes = LT_TAKE(&world->arena, slots, body_box);
    bool fits = root && clusters && boxes;
    if (fits) {
        lt_sets_begin(root, slots);
        for (uint32_t i = 0; i < slots; i++)
            if (in_use(world, i)) boxes[count++] = box_of(world, i, dt, &clusters[i]);
        sort_boxes(boxes, count);
        join_near(root, boxes, count);
        sum_clusters(world, clusters, root);
        keep_origins(world, clusters, root);
        for (uint32_t i = 0; i < slots; i++)
            if (in_use(world, i) && root[i] == i) choose_origin(&clusters[i]);
        settle_origins(world, clusters, root);
    }
    lt_arena_rewind(&world->arena, mark);
    const double home[3] = {0, 0, 0};
    for (uint32_t i = 0; i < slots && !fits; i++)
        if (in_use(world, i)) give_origin(world, i, home);
    return fits;
}

/* ---- obstacles as frames see them ---- */

static bool obstacles_are_home(const lt_world *world) {
    for (uint32_t i = 0; i < lt_obstacle_slots(world); i++)
        if (lt_obstacle_record(world, i)->in_use && !is_home(lt_obstacle_record(world, i)->origin))
            return false;
    return true;
}

static void look_at_obstacles(lt_world *world) {
    frame_list list = {.count = 1};
    const uint32_t obstacles = lt_obstacle_slots(world);
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        if (!in_use(world, i)) continue;
        uint32_t frame = place_in_list(&list, lt_soft_at(world, i)->origin);
        lt_collider_at(world, i)->obstacles = world->seen_obstacles + (size_t)frame * obstacles;
    }
    world->frame_count = list.count;
    LT_ASSERT((size_t)list.count * obstacles <= world->seen_capacity);
    for (uint32_t frame = 0; frame < list.count; frame++)
        for (uint32_t i = 0; i < obstacles; i++)
            world->seen_obstacles[(size_t)frame * obstacles + i] =
                lt_obstacle_from(lt_obstacle_record(world, i), list.origins[frame]);
}

bool lt_frames_begin(lt_world *world, float dt) {
    LT_ASSERT(dt >= 0);
    bool home = obstacles_are_home(world), fits = all_are_well(world) || settle(world, dt);
    for (uint32_t i = 0; i < lt_body_slots(world); i++) {
        lt_collider_at(world, i)->obstacles = NULL;
        home = home && (!in_use(world, i) || is_home(lt_soft_at(world, i)->origin));
    }
    world->frame_count = 0;
    if (!home && lt_obstacle_slots(world) > 0) look_at_obstacles(world);
    return fits;
}

void lt_frames_end(lt_world *world) {
    const uint32_t obstacles = lt_obstacle_slots(world);
    for (uint32_t frame = 0; frame < world->frame_count; frame++)
        for (uint32_t i = 0; i < obstacles; i++)
            if (lt_obstacle_record(world, i)->in_use)
                lt_obstacle_add_load(lt_obstacle_record(world, i),
                                     &world->seen_obstacles[(size_t)frame * obstacles + i]);
    for (uint32_t i = 0; i < lt_body_slots(world); i++)
        lt_collider_at(world, i)->obstacles = NULL;
    world->frame_count = 0;
}
