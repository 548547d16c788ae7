/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Layouts of cell boxes and multiscale trees are constants of a shape: a thousand letters have twenty-six. */

#include "world/world.h"

static lt_shared_layout *find_layout(const lt_world *world, const lt_shape *shape) {
    for (size_t i = 0; i < world->layouts.count; i++) {
        lt_shared_layout *shared = ((lt_shared_layout **)world->layouts.items)[i];
        if (shared->shape == shape) return shared;
    }
    return NULL;
}

/* Whole cells, where there is surface in them. */
static void widen_boxes(float *out, const lt_carrier *carrier, const lt_skin *skin) {
    for (size_t i = 0; i < 6 * (size_t)carrier->cell_count; i += 6)
        for (size_t side = 0; side < 6; side++) {
            bool empty = skin->cell_boxes[i] > skin->cell_boxes[i + 3];
            out[i + side] = (side < 3) == empty ? 1.0f : 0.0f;
        }
}

/* As the paper has it, boxes push out of all of their faces. */
static lt_cell_layout_def layout_def(const lt_world *world, const lt_carrier *carrier, const lt_skin *skin) {
    return (lt_cell_layout_def){.cells = carrier->cells,
                                .places = carrier->places,
                                .tight = skin->cell_boxes,
                                .masks = world->def.mode == LT_MODE_PAPER ? NULL : skin->cell_masks,
                                .cell_count = carrier->cell_count,
                                .node_count = carrier->node_count};
}

static void free_layout(lt_world *world, lt_shared_layout *shared) {
    lt_cell_layout_free(&shared->layout);
    lt_surface_parts_free(&shared->surface);
    LT_DELETE(&world->allocator, shared, 1, lt_shared_layout);
}

static lt_status make_layout(lt_world *world, lt_cell_layout *out, const lt_carrier *carrier,
                             const lt_skin *skin, lt_error *error) {
    lt_cell_layout_def def = layout_def(world, carrier, skin);
    size_t sides = 6 * (size_t)carrier->cell_count;
    float *widened = world->def.cell_box.grid_boxes ? LT_NEW(&world->allocator, sides, float) : NULL;
    if (world->def.cell_box.grid_boxes && !widened)
        return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u boxes", carrier->cell_count);
    if (widened) {
        widen_boxes(widened, carrier, skin);
        def.tight = widened;
    }
    lt_status status = lt_cell_layout_create(out, &def, &world->allocator, error);
    LT_DELETE(&world->allocator, widened, sides, float);
    return status;
}

lt_status lt_world_take_layout(lt_world *world, lt_shared_layout **out, const lt_shape *shape,
                               const lt_carrier *carrier, const lt_skin *skin, lt_error *error) {
    *out = find_layout(world, shape);
    if (*out) {
        (*out)->body_count++;
        return LT_OK;
    }
    lt_shared_layout *shared = NULL;
    if (lt_array_make_room(&world->layouts, 1)) shared = LT_NEW(&world->allocator, 1, lt_shared_layout);
    if (!shared) return lt_fail(error, LT_STATUS_MEMORY, "no memory for the boxes of another shape");
    lt_surface_parts_def def = {.with_itself = world->def.self_collision, .holds = true};
    lt_status status =
        world->method->bounds == LT_BOUNDS_SURFACE
            ? lt_surface_parts_create(&shared->surface, shape, carrier, skin, &def, &world->allocator, error)
            : make_layout(world, &shared->layout, carrier, skin, error);
    if (status != LT_OK) {
        free_layout(world, shared);
        return status;
    }
    shared->shape = shape;
    shared->body_count = 1;
    *(lt_shared_layout **)lt_array_grow(&world->layouts, 1) = shared;
    *out = shared;
    return LT_OK;
}

void lt_world_give_back_layout(lt_world *world, lt_shared_layout *layout) {
    if (--layout->body_count > 0) return;
    lt_shared_layout **layouts = world->layouts.items;
    for (size_t i = 0; i < world->layouts.count; i++)
        if (layouts[i] == layout) layouts[i] = layouts[--world->layouts.count];
    free_layout(world, layout);
}
