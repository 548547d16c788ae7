/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Bounds, contacts and waiting pairs as lines and points. Only reads: what is stale stays so. */

#include "method/draw.h"
#include "world/world.h"

static const uint64_t DRAW_COOKIE = 0x6c697468652d6464u;

enum { GREY = 0x909090, ASLEEP = 0x606060, OLD = 20 };

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

/* ---- parts ---- */

static void put_point(const lt_debug_draw *draw, lt_vec3 at, uint32_t color) {
    if (draw->point) draw->point(draw->context, at, color);
}

/* ---- frames ---- */

/* Draws offsets of a body for a caller who measures from elsewhere. */
typedef struct shifted {
    const lt_debug_draw *draw;
    double origin[3];
} shifted;

static lt_vec3 as_asked(const shifted *s, lt_vec3 offset) {
    return lt_offset_seen(s->draw->from, s->origin, offset);
}

static void shifted_line(void *context, lt_vec3 from, lt_vec3 to, uint32_t color) {
    const shifted *s = context;
    lt_draw_line(s->draw, as_asked(s, from), as_asked(s, to), color);
}

static void shifted_point(void *context, lt_vec3 at, uint32_t color) {
    const shifted *s = context;
    put_point(s->draw, as_asked(s, at), color);
}

/* What draws in the frame of a body; `s` is kept by the caller. */
static lt_debug_draw in_frame(shifted *s, const lt_debug_draw *draw, const lt_soft *soft) {
    *s = (shifted){draw, {soft->origin[0], soft->origin[1], soft->origin[2]}};
    lt_debug_draw inner = *draw;
    inner.line = shifted_line;
    inner.point = shifted_point;
    inner.context = s;
    return inner;
}

/* ---- bounds ---- */

static void draw_bounds(const lt_debug_draw *outer, const lt_world *world, uint32_t index) {
    const lt_collider *collider = lt_collider_at(world, index);
    shifted s;
    const lt_debug_draw inner = in_frame(&s, outer, collider->soft), *draw = &inner;
    uint32_t color = collider->asleep ? (uint32_t)ASLEEP : lt_draw_level_color(0);
    if (draw->level == 0)
        lt_draw_box(draw, lt_body_box_now(world, index), color);
    else if (world->method->draw)
        world->method->draw(world->method_state, collider, draw);
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
        shifted s;
        lt_debug_draw inner = in_frame(&s, draw, lt_soft_at(world, c->body_a.index_plus_one - 1));
        put_point(&inner, c->offset, color);
        if (draw->force_scale > 0)
            lt_draw_line(&inner, c->offset, lt_v3_mad(c->offset, c->force, draw->force_scale), color);
    }
}

static void draw_waiting(const lt_debug_draw *outer, const lt_world *world, const lt_pair *pair,
                         uint32_t waited) {
    shifted s;
    const lt_debug_draw inner = in_frame(&s, outer, lt_soft_at(world, pair->a)), *draw = &inner;
    uint32_t color = mix(0xf4c618, 0xd6201c, waited);
    lt_vec3 from = lt_box_center(lt_body_box_now(world, pair->a));
    if (pair->kind == LT_PAIR_SELF) {
        put_point(draw, from, color);
    } else if (pair->kind == LT_PAIR_BODIES) {
        lt_rvec3 to = lt_r3_from_v3(lt_box_center(lt_body_box_now(world, pair->b)));
        to = lt_soft_seen_from(lt_soft_at(world, pair->a), lt_soft_at(world, pair->b), to);
        lt_draw_line(draw, from, lt_v3_from_r3(to), color);
    } else {
        lt_obstacle seen = lt_obstacle_from(lt_obstacle_record(world, pair->b), s.origin);
        lt_obstacle_hit hit = lt_obstacle_distance(&seen, from);
        lt_draw_line(draw, from, lt_v3_mad(from, hit.normal, -hit.distance), color);
    }
}

static void draw_stopped(const lt_debug_draw *draw, const lt_world *world) {
    const lt_pair_table *pairs = world->method->pairs(world->method_state);
    for (uint32_t i = 0; i < pairs->count; i++) {
        const lt_pair *pair = lt_pair_at(pairs, i);
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
