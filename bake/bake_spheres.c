/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A shape with a sphere tree from a shape without: every chunk is copied, the tree's are added. */

#include "bake/rest_tree.h"
#include "bound/bound.h"
#include "bound/sphere_chunks.h"
#include "sphere_file.h"
#include "sphere_tree.h"

static const uint64_t COOKIE = 0x6c697468652d7370u;

lt_bake_spheres_def lt_bake_spheres_def_default(void) {
    return (lt_bake_spheres_def){.method = LT_SPHERES_MEDIAL,
                                 .branching = 8,
                                 .depth = 3,
                                 .allocator = lt_allocator_default(),
                                 .cookie = COOKIE};
}

static lt_status check_def(const lt_bake_spheres_def *def, lt_error *error) {
    if (!LT_REQUIRE(def->cookie == COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_bake_spheres_def_default");
    if (def->effort != LT_EFFORT_FULL && def->effort != LT_EFFORT_QUICK)
        return lt_fail(error, LT_STATUS_INVALID, "effort %d: there is none of that number", (int)def->effort);
    if (def->branching < 2 || def->branching > LT_SPHERE_BRANCHING_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "branching %u: give 2 to %d", def->branching,
                       LT_SPHERE_BRANCHING_MAX);
    if (def->depth >= LT_SPHERE_LEVELS_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "depth %u: give 0 to %d", def->depth,
                       LT_SPHERE_LEVELS_MAX - 1);
    return LT_OK;
}

/* A tree of the spheres in a file. */
static lt_status cover_given(lt_rest_tree *out, const lt_surface *surface, const char *path,
                             lt_sphere_options *options, lt_error *error) {
    lt_sphere_list list;
    lt_status status = lt_sphere_list_read(&list, path, &options->allocator, error);
    if (status != LT_OK) return status;
    options->branching = lt_max_u32(list.branching, 2); /* a chain of spheres is a tree, too */
    status = lt_sphere_tree_cover(out, surface, list.spheres, list.sphere_count, options, error);
    lt_sphere_list_free(&list);
    return status;
}

static lt_status add_tree(lt_shape_builder *builder, const lt_shape *shape, const lt_bake_spheres_def *def,
                          lt_error *error) {
    lt_carrier carrier;
    lt_skin skin;
    lt_rest_tree tree = {0};
    lt_status status = lt_carrier_read_finest(&carrier, shape, error);
    if (status == LT_OK && carrier.cell_count > 0)
        status =
            lt_fail(error, LT_STATUS_INVALID,
                    "shape '%s': sphere trees hang on tets, and this is a lattice; bake its surface on tets",
                    lt_shape_name(shape));
    if (status == LT_OK) status = lt_skin_read(&skin, shape, &carrier, error);
    if (status != LT_OK) return status;
    lt_surface surface = lt_skin_surface(&skin);
    lt_sphere_options options = lt_sphere_options_for(def->effort);
    options.method = def->method;
    options.branching = def->branching;
    options.depth = def->depth;
    options.layered = def->layered;
    options.seed = def->seed;
    options.progress = def->progress;
    options.progress_context = def->progress_context;
    options.allocator = def->allocator;
    status = def->sphere_file ? cover_given(&tree, &surface, def->sphere_file, &options, error)
                              : lt_sphere_tree_make(&tree, &surface, &options, error);
    if (status == LT_OK)
        status = lt_sphere_tree_write(builder, &tree, &carrier, &skin, &def->allocator, error);
    lt_rest_tree_free(&tree);
    return status;
}

lt_status lt_bake_spheres(const lt_shape *shape, const lt_bake_spheres_def *def, lt_shape **out,
                          lt_error *error) {
    lt_error local;
    if (!error) error = &local;
    *out = NULL;
    lt_status status = check_def(def, error);
    if (status != LT_OK) return status;
    lt_shape_builder builder = lt_shape_builder_begin(&def->allocator);
    lt_shape_builder_add_chunks(&builder, shape, LT_CHUNK_SPHERE_PREFIX);
    status = add_tree(&builder, shape, def, error);
    if (status == LT_OK) status = lt_shape_builder_finish(&builder, lt_shape_name(shape), out, error);
    lt_shape_builder_free(&builder);
    return status;
}
