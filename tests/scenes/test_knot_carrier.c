/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The carrier of the scene `knot`: 558 sound tets that hold the tube by proof and leave its holes open; the tree on it. */

#include "bake/adjacency.h"
#include "bake/enclose.h"
#include "bound/multiscale.h"
#include "check.h"
#include "embed/embed.h"
#include "scenes/scene.h"
#include "scenes/shape_cache.h"

typedef struct knot {
    lt_shape *shape;
    lt_carrier carrier;
    lt_skin skin;
    lt_tet_mesh mesh;
    lt_surface surface;
} knot;

/* The recipe is the scene's own. */
static bool bake_knot(knot *k) {
    lt_scene scene;
    lt_error error = {0};
    *k = (knot){0};
    if (lt_scene_make(&scene, "knot", NULL, &error) != LT_OK) return false;
    const lt_scene_shape *recipe = scene.shapes.items;
    lt_status status = lt_recipe_shape(&k->shape, recipe, NULL, &error);
    lt_scene_free(&scene);
    if (status == LT_OK) status = lt_carrier_read(&k->carrier, k->shape, &error);
    if (status == LT_OK) status = lt_skin_read(&k->skin, k->shape, &k->carrier, &error);
    if (status != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        lt_shape_release(k->shape);
        return false;
    }
    k->mesh = lt_carrier_mesh(&k->carrier);
    k->surface = lt_skin_surface(&k->skin);
    return true;
}

static void tets_are_sound(const knot *k) {
    lt_tet_adjacency adjacency;
    CHECK_COUNT(k->mesh.tet_count, 558);
    CHECK_COUNT(k->mesh.node_count, 7 * 31);
    CHECK(lt_tet_mesh_check(&k->mesh, "knot", NULL) == LT_OK); /* positive volumes */
    CHECK_FATAL(lt_tet_adjacency_build(&adjacency, &k->mesh, NULL, NULL) == LT_OK);
    CHECK_COUNT(adjacency.nonmanifold_face_count, 0);
    CHECK_COUNT(adjacency.component_count, 1);
    CHECK_COUNT(adjacency.boundary_face_count, 12 * 31); /* the sides, and nothing between segments */
    lt_tet_measures sizes = lt_tet_mesh_measure(&k->mesh, &adjacency);
    CHECK(sizes.smallest_dihedral > 0.3); /* 17 degrees */
    CHECK(sizes.smallest_altitude > 0.35 * sizes.mean_edge_length);
    lt_tet_adjacency_free(&adjacency);
}

static void tube_is_inside(const knot *k) {
    lt_error error = {0};
    lt_enclosure enclosure = {
        .mesh = k->mesh, .vertex_tets = (uint32_t *)k->skin.tets, .vertex_count = k->skin.point_count};
    CHECK_COUNT(k->surface.triangle_count, 42254);
    if (lt_enclosure_verify(&k->surface, &enclosure, NULL, &error) != LT_OK)
        CHECK_FAIL_MESSAGE("%s", error.message);
    CHECK(k->skin.overhang <= 1e-6f); /* nothing is extrapolated */
    CHECK(lt_tet_mesh_volume(&k->mesh) < 2.0 * lt_surface_volume(&k->surface));
}

/* Seen along the axis of the knot: the three-cornered hole in the middle, and the three lobes between the strands. */
static void holes_are_open(const knot *k) {
    lt_dvec3 middle = {0, 0, 0};
    double least = -1e300;
    for (uint32_t i = 0; i < k->mesh.node_count; i++)
        middle = lt_d3_mad(middle, k->mesh.positions[i], 1.0 / k->mesh.node_count);
    for (uint32_t t = 0; t < k->mesh.tet_count; t++) {
        lt_dvec3 corners[4];
        double weights[4];
        for (int c = 0; c < 4; c++)
            corners[c] = k->mesh.positions[lt_tet_at(&k->mesh, t)[c]];
        CHECK_FATAL(lt_barycentric_weights(weights, corners, middle));
        least = lt_max_d(least, lt_least_weight(weights));
    }
    CHECK(least < -0.1);
}

static void no_triangle_spans(const knot *k) {
    lt_bake_tree_def def = lt_bake_tree_def_default();
    lt_shape *with;
    lt_multiscale_tree tree;
    CHECK_FATAL(lt_bake_tree(k->shape, &def, &with, NULL) == LT_OK);
    CHECK_FATAL(lt_multiscale_tree_read(&tree, with, &k->carrier, &k->skin, NULL) == LT_OK);
    CHECK_COUNT(tree.spanning_count, 0);
    lt_shape_release(with);
}

static void knot_is_carried_as_said(void) {
    knot k;
    CHECK_FATAL(bake_knot(&k));
    tets_are_sound(&k);
    tube_is_inside(&k);
    holes_are_open(&k);
    no_triangle_spans(&k);
    lt_shape_release(k.shape);
}

static void trees_are_kept(void) {
    lt_scene_shape recipe = {
        .surface = {.kind = LT_SURFACE_RECIPE_KNOT, .triangles = 600},
        .carrier = {.kind = LT_CARRIER_RECIPE_KNOT, .size = {1.7f, 0, 0}, .cells = {31}}};
    lt_bake_tree_def def = lt_bake_tree_def_default();
    lt_shape *shape, *first, *again, *other;
    CHECK_FATAL(lt_recipe_shape(&shape, &recipe, NULL, NULL) == LT_OK);
    CHECK_FATAL(lt_shape_cache_tree(&first, shape, &def, NULL) == LT_OK);
    CHECK_FATAL(lt_shape_cache_tree(&again, shape, &def, NULL) == LT_OK);
    CHECK(first != shape && first == again);
    def.max_governors = 4;
    CHECK_FATAL(lt_shape_cache_tree(&other, shape, &def, NULL) == LT_OK);
    CHECK(other != first);
    lt_shape *shapes[] = {shape, first, again, other};
    for (int i = 0; i < 4; i++)
        lt_shape_release(shapes[i]);
    lt_shape_cache_clear();
}

static void other_surfaces_are_refused(void) {
    lt_scene_shape recipe = {
        .surface = {.kind = LT_SURFACE_RECIPE_SPHERE, .size = {0.1f, 0, 0}},
        .carrier = {.kind = LT_CARRIER_RECIPE_KNOT, .size = {1.5f, 0, 0}, .cells = {31}}};
    lt_shape *shape;
    lt_error error;
    CHECK(lt_recipe_shape(&shape, &recipe, NULL, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "needs a knot");
    CHECK(shape == NULL);
}

int main(void) {
    RUN(knot_is_carried_as_said);
    RUN(trees_are_kept);
    RUN(other_surfaces_are_refused);
    return check_finish();
}
