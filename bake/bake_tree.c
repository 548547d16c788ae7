/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A shape with a multiscale tree from a shape without: every chunk is copied, the tree's are added. */

#include "lithe/bake.h"

#include "bake/governors.h"
#include "bound/multiscale_chunks.h"

static const uint64_t COOKIE = 0x6c697468652d7472u;
enum { GOVERNORS_LIMIT = 64 };

lt_bake_tree_def lt_bake_tree_def_default(void) {
    return (lt_bake_tree_def){
        .max_governors = LT_GOVERNORS_MAX, .allocator = lt_allocator_default(), .cookie = COOKIE};
}

static bool go_on(const lt_bake_tree_def *def, const char *stage, float share) {
    return !def->progress || def->progress(def->progress_context, stage, share);
}

static lt_status cancelled(const lt_shape *shape, lt_error *error) {
    return lt_fail(error, LT_STATUS_CANCELLED, "shape '%s': cancelled", lt_shape_name(shape));
}

/* Pieces that span several tets go with the tet of their first corner. */
static lt_status halve_pieces(lt_halving_tree *out, const lt_cut_surface *split, const lt_carrier *carrier,
                              const lt_skin *skin, const lt_allocator *allocator, lt_error *error) {
    uint32_t count = split->piece_count;
    lt_dvec3 *centres = LT_NEW(allocator, count, lt_dvec3);
    uint32_t *owners = LT_NEW(allocator, count, uint32_t);
    lt_status status = LT_OK;
    for (uint32_t i = 0; i < count && centres && owners; i++) {
        const lt_cut_piece *piece = &split->pieces[i];
        owners[i] = piece->tet != LT_NONE ? piece->tet : skin->tets[piece->corners[0]];
        for (int k = 0; k < 3; k++)
            centres[i] =
                lt_d3_mad(centres[i], lt_cut_position(carrier, &split->points[piece->corners[k]]), 1.0 / 3);
    }
    if (centres && owners)
        status = lt_halving_tree_build(out,
                                       &(lt_halving_def){.places = centres,
                                                         .owners = owners,
                                                         .place_count = count,
                                                         .owner_count = carrier->tet_count,
                                                         .leaf_size = LT_LEAF_TRIANGLES},
                                       allocator, error);
    else
        status = lt_fail(error, LT_STATUS_MEMORY, "out of memory for a tree over %u triangles", count);
    LT_DELETE(allocator, centres, count, lt_dvec3);
    LT_DELETE(allocator, owners, count, uint32_t);
    return status;
}

static lt_status read_parts(lt_carrier *carrier, lt_skin *skin, const lt_shape *shape, lt_error *error) {
    lt_status status = lt_carrier_read_finest(carrier, shape, error);
    if (status != LT_OK) return status;
    if (carrier->cell_count > 0)
        return lt_fail(
            error, LT_STATUS_INVALID,
            "shape '%s': multiscale trees hang on tets, and this is a lattice; bake its surface on "
            "tets",
            lt_shape_name(shape));
    status = lt_skin_read(skin, shape, carrier, error);
    if (status == LT_OK && skin->offsets)
        status =
            lt_fail(error, LT_STATUS_INVALID,
                    "shape '%s': multiscale trees need a barycentric embedding, and this has rigid links",
                    lt_shape_name(shape));
    return status;
}

/* Records of coarser levels, where the shape is a ladder. */
static lt_status add_levels(lt_governed *governed, const lt_shape *shape, const lt_allocator *allocator,
                            lt_error *error) {
    lt_carrier whole;
    lt_status status = lt_carrier_read(&whole, shape, error);
    return status == LT_OK ? lt_governed_add_levels(governed, &whole, allocator, error) : status;
}

static lt_status add_tree(lt_shape_builder *builder, const lt_shape *shape, const lt_bake_tree_def *def,
                          lt_error *error) {
    lt_carrier carrier;
    lt_skin skin;
    lt_cut_surface split = {0};
    lt_halving_tree tree = {0};
    lt_governed governed = {0};
    lt_status status = read_parts(&carrier, &skin, shape, error);
    if (status != LT_OK) return status;
    if (!go_on(def, "cutting at tets", 0)) return cancelled(shape, error);
    status = lt_cut_surface_build(&split, &carrier, &skin, &def->allocator, error);
    if (status == LT_OK && !go_on(def, "halving", 0)) status = cancelled(shape, error);
    if (status == LT_OK) status = halve_pieces(&tree, &split, &carrier, &skin, &def->allocator, error);
    if (status == LT_OK && !go_on(def, "finding governors", 0)) status = cancelled(shape, error);
    if (status == LT_OK)
        status = lt_governed_build(&governed, &split, &tree, &carrier, &skin, def->max_governors,
                                   &def->allocator, error);
    if (status == LT_OK) status = add_levels(&governed, shape, &def->allocator, error);
    if (status == LT_OK) lt_governed_write(builder, &governed);
    lt_governed_free(&governed);
    lt_halving_tree_free(&tree);
    lt_cut_surface_free(&split);
    return status;
}

lt_status lt_bake_tree(const lt_shape *shape, const lt_bake_tree_def *def, lt_shape **out, lt_error *error) {
    lt_error local;
    if (!error) error = &local;
    *out = NULL;
    if (!LT_REQUIRE(def->cookie == COOKIE))
        return lt_fail(error, LT_STATUS_INVALID, "the def is not from lt_bake_tree_def_default");
    if (def->max_governors < 1 || def->max_governors > GOVERNORS_LIMIT)
        return lt_fail(error, LT_STATUS_INVALID, "at most %u governors: give 1 to %d", def->max_governors,
                       GOVERNORS_LIMIT);
    lt_shape_builder builder = lt_shape_builder_begin(&def->allocator);
    lt_shape_builder_add_chunks(&builder, shape, LT_CHUNK_MULTISCALE_PREFIX);
    lt_status status = add_tree(&builder, shape, def, error);
    if (status == LT_OK) status = lt_shape_builder_finish(&builder, lt_shape_name(shape), out, error);
    lt_shape_builder_free(&builder);
    return status;
}
