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

static bool has_group(const lt_multiscale_tree *tree, uint32_t row, uint32_t column) {
    return tree->level_groups[(size_t)row * tree->level_width + column] != LT_NONE;
}

/* Boxes that have a group below ones that have none. */
static void note_level(lt_multiscale_notes *out, const lt_multiscale_tree *tree, uint32_t column,
                       bool *covered) {
    for (uint32_t row = tree->above_count; row-- > 0;) { /* from the root down */
        uint32_t node = tree->above[row], parent = tree->links[node].parent;
        bool below = parent != LT_NONE && covered[parent];
        covered[node] = below || has_group(tree, row, column);
        if (below || !covered[node]) continue;
        const lt_multiscale_group *g =
            tree->groups + tree->level_groups[(size_t)row * tree->level_width + column];
        out->levels[column].boxes++;
        out->levels[column].records += g[1].first - g->first;
    }
    for (uint32_t g = 0; g < tree->cut_count; g++) {
        uint32_t parent = tree->links[tree->group_nodes[g]].parent;
        if (parent != LT_NONE && covered[parent]) continue;
        out->levels[column].boxes++;
        out->levels[column].records += tree->groups[g + 1].first - tree->groups[g].first;
    }
}

static void note_governors(lt_multiscale_notes *out, const lt_multiscale_tree *tree,
                           const lt_ladder *ladder) {
    for (uint32_t i = tree->governor_count; i < lt_multiscale_governor_total(tree); i++) {
        uint32_t level = 1;
        while (tree->governors[i] >= ladder->tet_begin[level + 1])
            level++;
        out->levels[level - 1].governors++;
    }
}

static lt_status note_levels(lt_multiscale_notes *out, const lt_multiscale_tree *tree,
                             const lt_ladder *ladder, lt_error *error) {
    lt_allocator allocator = lt_allocator_default();
    bool *covered = LT_NEW(&allocator, tree->node_count, bool);
    if (!covered) return lt_fail(error, LT_STATUS_MEMORY, "no memory for %u boxes", tree->node_count);
    out->level_count = tree->level_width;
    for (uint32_t column = 0; column < tree->level_width; column++)
        note_level(out, tree, column, covered);
    note_governors(out, tree, ladder);
    LT_DELETE(&allocator, covered, tree->node_count, bool);
    return LT_OK;
}

lt_status lt_multiscale_notes_read(lt_multiscale_notes *out, const lt_shape *shape, lt_error *error) {
    lt_carrier carrier;
    lt_skin skin;
    lt_multiscale_tree tree;
    *out = (lt_multiscale_notes){0};
    if (!lt_multiscale_tree_exists(shape)) return LT_OK;
    lt_status status = lt_carrier_read(&carrier, shape, error);
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
    return note_levels(out, &tree, &carrier.ladder, error);
}

/* ---- telling ---- */

void lt_multiscale_notes_print(const lt_multiscale_notes *notes) {
    if (notes->box_count == 0) return;
    printf("  %-36s%u boxes, %u deep, over %u pieces of %u triangles\n", "multiscale tree", notes->box_count,
           notes->depth, notes->piece_count, notes->triangle_count);
    printf("  %-36s%u boxes from %u records of %u tets, at most %u a box\n", "its cut", notes->cut_count,
           notes->cut_record_count, notes->governor_count, notes->largest_group);
    for (uint32_t i = 0; i < notes->level_count; i++)
        printf("  its cut, moved by level %-12u%u boxes from %u records of %u tets\n", i + 1,
               notes->levels[i].boxes, notes->levels[i].records, notes->levels[i].governors);
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
    lt_json_key(json, "levels");
    lt_json_begin_array(json);
    for (uint32_t i = 0; i < notes->level_count; i++) {
        lt_json_begin_object(json);
        lt_json_put_u64(json, "level", i + 1);
        lt_json_put_u64(json, "cut", notes->levels[i].boxes);
        lt_json_put_u64(json, "cut_records", notes->levels[i].records);
        lt_json_put_u64(json, "governors", notes->levels[i].governors);
        lt_json_end_object(json);
    }
    lt_json_end_array(json);
    lt_json_end_object(json);
}
