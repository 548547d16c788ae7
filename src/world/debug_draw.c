/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bounds, contacts and waiting pairs as lines and points. Only reads: what is stale stays so. */

#include "world/world.h"

#include "lithe/debug_draw.h"

static const uint64_t DRAW_COOKIE = 0x6c697468652d6464u;

enum { GREY = 0x909090, ASLEEP = 0x606060, OLD = 20, CIRCLE_LINES = 16 };

lt_debug_draw lt_debug_draw_default(void) {
    return (lt_debug_draw){.what = LT_DRAW_BOUNDS | LT_DRAW_CONTACTS | LT_DRAW_STOPPED,
                           .cookie = DRAW_COOKIE};
}

/* ---- colours ---- */

static uint32_t mix(uint32_t from, uint32_t to, uint32_t part) {
    uint32_t color = 0;
    part = lt_min_u32(part, OLD);
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        uint32_t a = from >> shift & 255, b = to >> shift & 255;
        color |= (a * (OLD - part) + b * part + OLD / 2) / OLD << shift;
    }
    return color;
}

static uint32_t contact_color(lt_contact_status status, uint32_t age) {
    uint32_t young = status == LT_CONTACT_EXACT         ? 0x1ea855
                     : status == LT_CONTACT_APPROXIMATE ? 0xff8a00
                                                        : 0x8e44d6;
    return mix(young, GREY, age);
}

static uint32_t level_color(uint32_t level) {
    static const uint32_t colors[] = {0xe0e0e0, 0x2b7be4, 0x1ea855, 0xf4c618, 0xff8a00, 0xd6201c, 0x8e44d6};
    return colors[level % LT_COUNT_OF(colors)];
}

/* ---- parts ---- */

static void put_line(const lt_debug_draw *draw, lt_vec3 from, lt_vec3 to, uint32_t color) {
    if (draw->line) draw->line(draw->context, from, to, color);
}

static void put_point(const lt_debug_draw *draw, lt_vec3 at, uint32_t color) {
    if (draw->point) draw->point(draw->context, at, color);
}

/* Bit k of a corner's number is set where it is the upper one along axis k. */
static void put_corners(const lt_debug_draw *draw, const lt_vec3 corners[8], uint32_t color) {
    for (uint32_t c = 0; c < 8; c++)
        for (uint32_t bit = 1; bit < 8; bit <<= 1)
            if (!(c & bit)) put_line(draw, corners[c], corners[c | bit], color);
}

static void put_box(const lt_debug_draw *draw, lt_box box, uint32_t color) {
    lt_vec3 corners[8];
    lt_box_corners(corners, box);
    put_corners(draw, corners, color);
}

static void put_sphere(const lt_debug_draw *draw, lt_vec3 center, float radius, uint32_t color) {
    const lt_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const float c = 0.92387953f, s = 0.38268343f; /* of a sixteenth of a turn */
    for (int k = 0; k < 3; k++) {
        lt_vec3 u = lt_v3_scale(axes[k], radius), v = lt_v3_scale(axes[(k + 1) % 3], radius);
        float x = 1, y = 0;
        for (int i = 0; i < CIRCLE_LINES; i++) {
            float next_x = c * x - s * y, next_y = s * x + c * y;
            put_line(draw, lt_v3_mad(lt_v3_mad(center, u, x), v, y),
                     lt_v3_mad(lt_v3_mad(center, u, next_x), v, next_y), color);
            x = next_x;
            y = next_y;
        }
    }
}

/* ---- bounds ---- */

static void draw_spheres(const lt_debug_draw *draw, const lt_spheres *spheres) {
    const lt_sphere_tree *tree = spheres->tree;
    for (uint32_t block = 0; block < tree->block_count; block++) {
        if (tree->levels[block] != draw->level || !lt_spheres_fresh(spheres, block)) continue;
        for (uint32_t node = LT_LANES * block; node < LT_LANES * (block + 1); node++) {
            float radius = lt_sphere_now(spheres, LT_NOW_RADIUS, node);
            if (radius > 0)
                put_sphere(draw, lt_sphere_center(spheres, node), radius, level_color(draw->level));
        }
    }
}

static void draw_tree(const lt_debug_draw *draw, const lt_multiscale *boxes) {
    const lt_multiscale_tree *tree = boxes->tree;
    if (boxes->stamp == 0) return; /* it never had a turn */
    for (uint32_t node = 0; node < tree->node_count; node++) {
        uint32_t level = 0;
        for (uint32_t up = tree->links[node].parent; up != LT_NONE && level <= draw->level;
             up = tree->links[up].parent)
            level++;
        if (level == draw->level && lt_multiscale_box_is_fresh(boxes, node))
            put_box(draw, lt_multiscale_box(boxes, node), level_color(level));
    }
}

static void draw_cells(const lt_debug_draw *draw, const lt_world *world, const lt_collider *collider) {
    const lt_carrier *carrier = &collider->soft->carrier;
    for (uint32_t cell = 0; cell < carrier->cell_count; cell++) {
        lt_vec3 corners[8];
        if (lt_cell_box_corners(corners, collider->soft, collider->skin, cell,
                                world->def.cell_box.grid_boxes))
            put_corners(draw, corners, level_color(1));
    }
}

static void draw_bounds(const lt_debug_draw *draw, const lt_world *world, uint32_t index) {
    const lt_collider *collider = lt_collider_at(world, index);
    if (draw->level == 0)
        put_box(draw, lt_body_box_now(world, index), collider->asleep ? (uint32_t)ASLEEP : level_color(0));
    else if (collider->spheres.tree)
        draw_spheres(draw, &collider->spheres);
    else if (collider->surface)
        draw_tree(draw, &collider->surface->boxes);
    else if (draw->level == 1 && lt_collider_is_of_cells(collider))
        draw_cells(draw, world, collider);
}

/* ---- contacts and pairs ---- */

static bool is_chosen(const lt_debug_draw *draw, uint32_t index_plus_one) {
    return draw->body.index_plus_one == 0 || draw->body.index_plus_one == index_plus_one;
}

static void draw_contacts(const lt_debug_draw *draw, const lt_world *world) {
    uint32_t count;
    const lt_contact *contacts = lt_world_contacts(world, &count);
    for (uint32_t i = 0; i < count; i++) {
        const lt_contact *c = &contacts[i];
        uint32_t color = contact_color(c->status, c->age);
        if (!is_chosen(draw, c->body_a.index_plus_one) && !is_chosen(draw, c->body_b.index_plus_one))
            continue;
        put_point(draw, c->point, color);
        if (draw->force_scale > 0)
            put_line(draw, c->point, lt_v3_mad(c->point, c->force, draw->force_scale), color);
    }
}

static void draw_waiting(const lt_debug_draw *draw, const lt_world *world, const lt_pair *pair,
                         uint32_t waited) {
    uint32_t color = mix(0xf4c618, 0xd6201c, waited);
    lt_vec3 from = lt_box_center(lt_body_box_now(world, pair->a));
    if (pair->kind == LT_PAIR_SELF) {
        put_point(draw, from, color);
    } else if (pair->kind == LT_PAIR_BODIES) {
        put_line(draw, from, lt_box_center(lt_body_box_now(world, pair->b)), color);
    } else {
        lt_obstacle_hit hit = lt_obstacle_distance(lt_obstacle_record(world, pair->b), from);
        put_line(draw, from, lt_v3_mad(from, hit.normal, -hit.distance), color);
    }
}

static void draw_stopped(const lt_debug_draw *draw, const lt_world *world) {
    const lt_pair_list *pairs = world->method->pairs(world->method_state);
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_pair *pair = &pairs->pairs[i];
        uint32_t waited = world->method->waited(world->method_state, i);
        bool chosen =
            is_chosen(draw, pair->a + 1) || (pair->kind == LT_PAIR_BODIES && is_chosen(draw, pair->b + 1));
        if (waited > 0 && chosen) draw_waiting(draw, world, pair, waited);
    }
}

void lt_world_debug_draw(const lt_world *world, const lt_debug_draw *draw) {
    if (!LT_REQUIRE(world && draw && draw->cookie == DRAW_COOKIE)) return;
    if (!LT_REQUIRE(draw->body.index_plus_one == 0 || lt_body_is_valid(world, draw->body))) return;
    for (uint32_t i = 0; i < lt_body_slots(world) && (draw->what & LT_DRAW_BOUNDS); i++)
        if (lt_collider_at(world, i)->in_use && is_chosen(draw, i + 1)) draw_bounds(draw, world, i);
    if (draw->what & LT_DRAW_CONTACTS) draw_contacts(draw, world);
    if (draw->what & LT_DRAW_STOPPED) draw_stopped(draw, world);
}
