/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "tree_notes.h"

#include "bake/rest_tree.h"
#include "bake/sphere_file.h"
#include "json_output.h"
#include "lithe/bake.h"

#include <string.h>

const char *const lt_sphere_method_names[] = {[LT_SPHERES_MEDIAL] = "medial", [LT_SPHERES_OCTREE] = "octree"};

/* ---- reading ---- */

static double longest_side_of(const lt_skin *skin) {
    lt_box box = lt_box_empty();
    for (uint32_t i = 0; i < skin->point_count; i++)
        box = lt_box_add_point(box, skin->rest[i]);
    lt_vec3 sides = lt_v3_sub(box.hi, box.lo);
    return (double)lt_max_f(sides.x, lt_max_f(sides.y, sides.z));
}

static uint32_t count_spheres(const lt_sphere_tree *tree) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < LT_LANES * tree->block_count; node++)
        count += lt_ball(tree, LT_BALL_RADIUS, node) >= 0.0f;
    return count;
}

static lt_status read_tree(lt_sphere_tree *out, lt_skin *skin, const lt_shape *shape, lt_error *error) {
    lt_carrier carrier;
    lt_status status = lt_carrier_read_finest(&carrier, shape, error);
    if (status == LT_OK) status = lt_skin_read(skin, shape, &carrier, error);
    if (status == LT_OK) status = lt_sphere_tree_read(out, shape, &carrier, skin, error);
    return status;
}

lt_status lt_tree_notes_read(lt_tree_notes *out, const lt_shape *shape, lt_error *error) {
    lt_skin skin;
    lt_sphere_tree tree;
    *out = (lt_tree_notes){0};
    if (!lt_sphere_tree_exists(shape)) return LT_OK;
    lt_status status = read_tree(&tree, &skin, shape, error);
    if (status != LT_OK) return status;
    *out = (lt_tree_notes){.level_count = tree.level_count,
                           .sphere_count = count_spheres(&tree),
                           .leaf_count = tree.leaf_count,
                           .branching = tree.branching,
                           .layered = tree.layered,
                           .self_collision = tree.mask_words > 0,
                           .longest_side = longest_side_of(&skin)};
    memcpy(out->levels, tree.level_figures, tree.level_count * sizeof out->levels[0]);
    return LT_OK;
}

/* ---- as a file ---- */

static lt_rest_sphere sphere_of(const lt_sphere_tree *tree, uint32_t node, uint32_t parent) {
    return (lt_rest_sphere){.center = {(double)lt_ball(tree, LT_BALL_X, node),
                                       (double)lt_ball(tree, LT_BALL_Y, node),
                                       (double)lt_ball(tree, LT_BALL_Z, node)},
                            .radius = (double)lt_ball(tree, LT_BALL_RADIUS, node),
                            .parent = parent,
                            .level = tree->levels[lt_block_of(node)]};
}

/* Breadth first from the root: nodes[i] is where sphere i comes from. */
static void unbind(lt_rest_tree *out, uint32_t *nodes, const lt_sphere_tree *tree) {
    uint32_t count = 1;
    nodes[0] = 0;
    out->spheres[0] = sphere_of(tree, 0, LT_NONE);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t block = tree->children[nodes[i]];
        out->spheres[i].first_child = count;
        for (uint32_t lane = 0; block != LT_NONE && lane < LT_LANES; lane++) {
            uint32_t child = LT_LANES * block + lane;
            if (lt_ball(tree, LT_BALL_RADIUS, child) < 0.0f) continue;
            nodes[count] = child;
            out->spheres[count++] = sphere_of(tree, child, i);
            out->spheres[i].child_count++;
        }
    }
}

lt_status lt_tree_export(const lt_shape *shape, const char *path, lt_error *error) {
    lt_skin skin;
    lt_sphere_tree tree;
    if (!lt_sphere_tree_exists(shape))
        return lt_fail(error, LT_STATUS_INVALID, "there is no sphere tree to be written to %s", path);
    lt_status status = read_tree(&tree, &skin, shape, error);
    if (status != LT_OK) return status;
    lt_rest_tree rest = {.sphere_count = count_spheres(&tree),
                         .level_count = tree.level_count,
                         .branching = tree.branching,
                         .layered = tree.layered,
                         .allocator = lt_allocator_default()};
    uint32_t *nodes = LT_NEW(&rest.allocator, rest.sphere_count, uint32_t);
    rest.spheres = LT_NEW(&rest.allocator, rest.sphere_count, lt_rest_sphere);
    if (nodes && rest.spheres) {
        unbind(&rest, nodes, &tree);
        status = lt_sphere_file_write(path, &rest, error);
    } else {
        status = lt_fail(error, LT_STATUS_MEMORY, "%s: out of memory", path);
    }
    LT_DELETE(&rest.allocator, nodes, rest.sphere_count, uint32_t);
    lt_rest_tree_free(&rest);
    return status;
}

/* ---- telling ---- */

static double percent(const lt_tree_notes *notes, double length) {
    return notes->longest_side > 0.0 ? 100.0 * length / notes->longest_side : 0.0;
}

static void print_error(const lt_tree_notes *notes, float length) {
    char text[48];
    snprintf(text, sizeof text, "%.3g m (%.2f %%)", (double)length, percent(notes, (double)length));
    printf("  %-19s", text);
}

void lt_tree_notes_print(const lt_tree_notes *notes) {
    static const int columns[] = {LT_LEVEL_MEAN_ERROR, LT_LEVEL_WORST_ERROR, LT_LEVEL_MEAN_OWN_ERROR,
                                  LT_LEVEL_WORST_OWN_ERROR};
    if (notes->level_count == 0) return;
    printf("  %-36s%u spheres, %u leaves, up to %u children each, %s\n", "sphere tree", notes->sphere_count,
           notes->leaf_count, notes->branching, notes->layered ? "layered" : "wrapped");
    if (!notes->self_collision)
        printf("  %-36snone by the method sphere-tree: it takes %d leaves at most\n", "self-collision",
               LT_MASKED_LEAVES_MAX);
    printf("    level  spheres  %-21s%-21s%-21s%s\n", "mean error", "worst error", "mean own error",
           "worst own error");
    for (uint32_t i = 0; i < notes->level_count; i++) {
        printf("    %-7u%-7.0f", i, (double)notes->levels[i][LT_LEVEL_SPHERES]);
        for (size_t c = 0; c < LT_COUNT_OF(columns); c++)
            print_error(notes, notes->levels[i][columns[c]]);
        printf("\n");
    }
}

/* In metres, and in per cent of the longest side of the surface. */
static void write_length(lt_json *json, const lt_tree_notes *notes, const char *key, const char *percent_key,
                         double length) {
    lt_json_put_double(json, key, length);
    lt_json_put_double(json, percent_key, percent(notes, length));
}

static void write_level(lt_json *json, const lt_tree_notes *notes, const float *level) {
    lt_json_begin_object(json);
    lt_json_put_u64(json, "spheres", (uint64_t)level[LT_LEVEL_SPHERES]);
    write_length(json, notes, "mean_error", "mean_error_percent", (double)level[LT_LEVEL_MEAN_ERROR]);
    write_length(json, notes, "worst_error", "worst_error_percent", (double)level[LT_LEVEL_WORST_ERROR]);
    write_length(json, notes, "mean_own_error", "mean_own_error_percent",
                 (double)level[LT_LEVEL_MEAN_OWN_ERROR]);
    write_length(json, notes, "worst_own_error", "worst_own_error_percent",
                 (double)level[LT_LEVEL_WORST_OWN_ERROR]);
    lt_json_put_double(json, "mean_radius", (double)level[LT_LEVEL_MEAN_RADIUS]);
    lt_json_end_object(json);
}

void lt_tree_notes_write(lt_json *json, const lt_tree_notes *notes) {
    lt_json_key(json, "sphere_tree");
    if (notes->level_count == 0) {
        lt_json_null(json);
        return;
    }
    lt_json_begin_object(json);
    lt_json_put_u64(json, "spheres", notes->sphere_count);
    lt_json_put_u64(json, "leaves", notes->leaf_count);
    lt_json_put_u64(json, "branching", notes->branching);
    lt_json_put_bool(json, "layered", notes->layered);
    lt_json_put_bool(json, "self_collision", notes->self_collision);
    lt_json_put_double(json, "longest_side", notes->longest_side);
    lt_json_key(json, "levels");
    lt_json_begin_array(json);
    for (uint32_t i = 0; i < notes->level_count; i++)
        write_level(json, notes, notes->levels[i]);
    lt_json_end_array(json);
    lt_json_end_object(json);
}
