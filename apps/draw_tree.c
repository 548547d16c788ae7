/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "draw_tree.h"

#include "bench/whole/whole.h"
#include "detect/moving_surface.h"
#include "picture/color.h"
#include "world/world.h"

/* Of a bar, in sizes of the body. */
static const float RADIUS = 0.0016f;
/* As the method has it where none is given, in sizes of the body. */
static const float SEPARATION = 1e-3f;

static const lt_color unmarked = {206, 204, 198};

static const lt_multiscale_tree *tree_of(const lt_world *world, uint32_t body) {
    const lt_moving_surface *surface = lt_collider_at(world, body)->surface;
    return surface ? &surface->parts->tree : NULL;
}

static lt_box box_of_nodes(const float *nodes, uint32_t count) {
    lt_box box = lt_box_empty();
    for (size_t i = 0; i < count; i++)
        box = lt_box_add_point(box, (lt_vec3){nodes[4 * i], nodes[4 * i + 1], nodes[4 * i + 2]});
    return box;
}

/* ---- boxes ---- */

static bool add_box(lt_box_bars *bars, lt_box box, float radius) {
    lt_vec3 corners[8];
    lt_box_corners(corners, box);
    return lt_box_bars_add(bars, corners, radius);
}

/* Parents come before their children, so that one pass tells how deep all are. */
static void find_levels(uint8_t *levels, const lt_multiscale_tree *tree) {
    for (uint32_t node = 0; node < tree->node_count; node++) {
        uint32_t parent = tree->links[node].parent;
        levels[node] = parent == LT_NONE ? 0 : (uint8_t)(levels[parent] + 1);
    }
}

static bool is_chosen(const lt_multiscale_tree *tree, const uint8_t *levels, uint32_t node, uint32_t level) {
    if (level == LT_LEVEL_CUT) return lt_multiscale_is_on_cut(tree, node);
    return levels[node] == level || (levels[node] < level && tree->nodes[node].child == LT_NONE);
}

static bool add_boxes(lt_box_bars *bars, lt_multiscale *boxes, const uint8_t *levels, uint32_t level,
                      float radius) {
    for (uint32_t node = 0; node < boxes->tree->node_count; node++) {
        if (!is_chosen(boxes->tree, levels, node, level)) continue;
        lt_multiscale_refresh(boxes, node);
        if (!add_box(bars, lt_multiscale_box(boxes, node), radius)) return false;
    }
    return true;
}

/* Of what the last step fitted below the cut the lowest (above it children are always fitted too); of bunches, which are
 * evaluated at once, the box around them. */
static bool is_opened(const lt_multiscale *boxes, uint32_t node) {
    const lt_multiscale_tree *tree = boxes->tree;
    const lt_multiscale_link *link = &tree->links[node];
    uint32_t child = tree->nodes[node].child;
    if (link->bunch != LT_NONE && lt_multiscale_bunch_is_fresh(boxes, link->bunch))
        return tree->bunches[link->bunch].node == node;
    if (!lt_multiscale_box_is_fresh(boxes, node) || lt_multiscale_is_on_cut(tree, node)) return false;
    return child == LT_NONE || !lt_multiscale_box_is_fresh(boxes, child);
}

static bool add_opened(lt_box_bars *bars, const lt_multiscale *boxes, float radius) {
    if (boxes->stamp == 0) return true; /* it never had a turn */
    for (uint32_t node = 0; node < boxes->tree->node_count; node++)
        if (is_opened(boxes, node) && !add_box(bars, lt_multiscale_box(boxes, node), radius)) return false;
    return true;
}

bool lt_tree_bars_add(lt_box_bars *bars, const lt_world *world, uint32_t body, lt_tree_choice choice) {
    const lt_multiscale_tree *tree = tree_of(world, body);
    const lt_soft *soft = lt_soft_at(world, body);
    const lt_allocator *allocator = &bars->positions.allocator;
    float radius = RADIUS * (float)soft->size;
    lt_multiscale boxes;
    if (!tree) return true;
    if (choice.opened) return add_opened(bars, &lt_collider_at(world, body)->surface->boxes, radius);
    if (lt_multiscale_create(&boxes, tree, &soft->carrier, choice.tet_boxes ? LT_BOUND_TETS : LT_BOUND_DUAL,
                             world->level, allocator, NULL) != LT_OK)
        return false;
    lt_multiscale_begin(&boxes, soft->nodes, NULL, box_of_nodes(soft->nodes, soft->carrier.node_count));
    lt_multiscale_fit(&boxes);
    uint8_t *levels = LT_NEW(allocator, tree->node_count, uint8_t);
    if (levels) find_levels(levels, tree);
    bool ok = levels && add_boxes(bars, &boxes, levels, choice.level, radius);
    LT_DELETE(allocator, levels, tree->node_count, uint8_t);
    lt_multiscale_free(&boxes);
    return ok;
}

/* ---- marks ---- */

static bool is_marked(const lt_self *self, uint32_t row) {
    const uint64_t *words = lt_self_row(self, row);
    uint64_t any = words[self->word_count] & ~(uint64_t)1; /* bit 0 of Q is in all */
    for (uint32_t i = 0; i < 2 * self->word_count; i++)
        any |= i == self->word_count ? 0 : words[i];
    return any != 0;
}

/* patches[governor]: of those that may meet, directly or over others, the lowest; LT_NONE: it is not marked. */
static void find_patches(uint32_t *patches, const lt_self *self) {
    uint32_t count = self->tets->tet_count;
    for (uint32_t i = 0; i < count; i++)
        patches[i] = is_marked(self, i) ? i : LT_NONE;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i && patches[i] != LT_NONE; j++) {
            if (patches[j] == LT_NONE || patches[j] == patches[i] || !lt_self_rows_meet(self, i, j)) continue;
            uint32_t low = lt_min_u32(patches[i], patches[j]), high = lt_max_u32(patches[i], patches[j]);
            for (uint32_t k = 0; k <= i; k++)
                if (patches[k] == high) patches[k] = low;
        }
    }
}

/* colors[tet of the carrier]. */
static void color_tets(lt_color *colors, uint32_t tet_count, const uint32_t *patches, const lt_self *self) {
    uint32_t used = 0;
    const uint32_t *governors = self->tets->tree->governors;
    for (uint32_t i = 0; i < tet_count; i++)
        colors[i] = unmarked;
    for (uint32_t i = 0; i < self->tets->tet_count; i++) {
        if (patches[i] == LT_NONE) continue;
        colors[governors[i]] = patches[i] == i ? lt_palette(++used) : colors[governors[patches[i]]];
    }
}

/* Boxes tell how much rounding may take. */
static void mark(lt_moving_surface *surface, const lt_world *world, const lt_soft *soft, float *from) {
    uint32_t node_count = soft->carrier.node_count;
    bool has_way = world->step_count > 0;
    for (size_t i = 0; i < 4 * (size_t)node_count; i++)
        from[i] = has_way ? (float)soft->x_before[i] : soft->nodes[i];
    lt_box way = lt_box_union(box_of_nodes(from, node_count), box_of_nodes(soft->nodes, node_count));
    float separation = world->def.multiscale.separation > 0 ? world->def.multiscale.separation
                                                            : SEPARATION * (float)soft->size;
    lt_multiscale_begin(&surface->boxes, from, soft->nodes, way);
    lt_self_begin(&surface->self, from, soft->nodes, separation, surface->boxes.slack);
    lt_self_mark(&surface->self);
}

static bool color_marks(lt_color *colors, lt_moving_surface *surface, const lt_world *world, uint32_t body,
                        const lt_allocator *allocator) {
    const lt_soft *soft = lt_soft_at(world, body);
    const lt_skin *skin = &lt_body_record(world, body)->skin;
    uint32_t governor_count = surface->parts->tree.governor_count, tet_count = soft->carrier.tet_count;
    float *from = LT_NEW(allocator, 4 * (size_t)soft->carrier.node_count, float);
    uint32_t *patches = LT_NEW(allocator, governor_count, uint32_t);
    lt_color *tet_colors = LT_NEW(allocator, tet_count, lt_color);
    bool ok = from && patches && tet_colors;
    if (ok) {
        mark(surface, world, soft, from);
        find_patches(patches, &surface->self);
        color_tets(tet_colors, tet_count, patches, &surface->self);
        for (uint32_t i = 0; i < skin->point_count; i++)
            colors[i] = tet_colors[skin->tets[i]];
    }
    LT_DELETE(allocator, from, 4 * (size_t)soft->carrier.node_count, float);
    LT_DELETE(allocator, patches, governor_count, uint32_t);
    LT_DELETE(allocator, tet_colors, tet_count, lt_color);
    return ok;
}

static bool color_body(lt_color *colors, const lt_world *world, uint32_t body,
                       const lt_allocator *allocator) {
    const lt_collider *collider = lt_collider_at(world, body);
    for (uint32_t i = 0; i < collider->skin->point_count; i++)
        colors[i] = unmarked;
    if (!collider->surface || !collider->surface->self.tets) return true;
    lt_moving_surface_def def = {true, lt_self_def_of_mode(world->def.mode), world->level};
    lt_moving_surface surface;
    if (lt_moving_surface_create(&surface, collider->surface->parts, &collider->soft->carrier, &def,
                                 allocator, NULL) != LT_OK)
        return false;
    bool ok = color_marks(colors, &surface, world, body, allocator);
    lt_moving_surface_free(&surface);
    return ok;
}

bool lt_mark_colors_fill(lt_array *colors, const lt_scene_world *scene_world) {
    const lt_world *world = scene_world->world;
    colors->count = 0;
    for (uint32_t i = 0; i < lt_world_body_count(world); i++) {
        lt_color *own = lt_array_grow(colors, lt_body_record(world, i)->skin.point_count);
        if (!own || !color_body(own, world, i, &colors->allocator)) return false;
    }
    return true;
}
