/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "multiscale_notes.h"

#include "json_output.h"

/* ---- reading ---- */

static uint32_t largest_group(const lt_multiscale_tree *tree) {
    uint32_t largest = 0;
    for (uint32_t g = 0; g < tree->cut_count; g++)
        largest = lt_max_u32(largest, tree->groups[g + 1].first - tree->groups[g].first);
    return largest;
}

/* Boxes from the root down to the lowest leaf. */
static uint32_t depth_of(const lt_multiscale_tree *tree) {
    uint32_t deepest = 0;
    for (uint32_t node = 0; node < tree->node_count; node++) {
        uint32_t depth = 1;
        if (tree->nodes[node].child != LT_NONE) continue;
        for (uint32_t at = tree->links[node].parent; at != LT_NONE; at = tree->links[at].parent)
            depth++;
        deepest = lt_max_u32(deepest, depth);
    }
    return deepest;
}

lt_status lt_multiscale_notes_read(lt_multiscale_notes *out, const lt_shape *shape, lt_error *error) {
    lt_carrier carrier;
    lt_skin skin;
    lt_multiscale_tree tree;
    *out = (lt_multiscale_notes){0};
    if (!lt_multiscale_tree_exists(shape)) return LT_OK;
    lt_status status = lt_carrier_read_finest(&carrier, shape, error);
    if (status == LT_OK) status = lt_skin_read(&skin, shape, &carrier, error);
    if (status == LT_OK) status = lt_multiscale_tree_read(&tree, shape, &carrier, &skin, error);
    if (status != LT_OK) return status;
    *out = (lt_multiscale_notes){.box_count = tree.node_count,
                                 .piece_count = tree.triangle_count,
                                 .point_count = tree.point_count,
                                 .triangle_count = skin.triangle_count,
                                 .spanning_count = tree.spanning_count,
                                 .cut_count = tree.cut_count,
                                 .cut_record_count = tree.groups[tree.cut_count].first,
                                 .largest_group = largest_group(&tree),
                                 .governor_count = tree.governor_count,
                                 .governors_max = tree.governors_max,
                                 .bunch_count = tree.bunch_count,
                                 .depth = depth_of(&tree)};
    return LT_OK;
}

/* ---- telling ---- */

void lt_multiscale_notes_print(const lt_multiscale_notes *notes) {
    if (notes->box_count == 0) return;
    printf("  %-36s%u boxes, %u deep, over %u pieces of %u triangles\n", "multiscale tree", notes->box_count,
           notes->depth, notes->piece_count, notes->triangle_count);
    printf("  %-36s%u boxes from %u records of %u tets, at most %u a box\n", "its cut", notes->cut_count,
           notes->cut_record_count, notes->governor_count, notes->largest_group);
    if (notes->spanning_count)
        printf("  %-36s%u triangles that leave the carrier or touch its boundary: not cut at tets\n",
               "pieces that span", notes->spanning_count);
}

void lt_multiscale_notes_write(lt_json *json, const lt_multiscale_notes *notes) {
    lt_json_key(json, "multiscale_tree");
    if (notes->box_count == 0) {
        lt_json_null(json);
        return;
    }
    lt_json_begin_object(json);
    lt_json_put_u64(json, "boxes", notes->box_count);
    lt_json_put_u64(json, "depth", notes->depth);
    lt_json_put_u64(json, "pieces", notes->piece_count);
    lt_json_put_u64(json, "points", notes->point_count);
    lt_json_put_u64(json, "triangles", notes->triangle_count);
    lt_json_put_u64(json, "spanning", notes->spanning_count);
    lt_json_put_u64(json, "cut", notes->cut_count);
    lt_json_put_u64(json, "cut_records", notes->cut_record_count);
    lt_json_put_u64(json, "governors", notes->governor_count);
    lt_json_put_u64(json, "governors_max", notes->governors_max);
    lt_json_put_u64(json, "governors_most", notes->largest_group);
    lt_json_put_u64(json, "bunches", notes->bunch_count);
    lt_json_end_object(json);
}
