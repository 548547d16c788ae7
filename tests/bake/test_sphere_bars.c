/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Sphere trees of scans against the figures that were set for them: longest side 2000, errors over 642 directions,
 * every sample covered on every level. From $LITHE_MESHES (../shared/meshes); skipped where a scan is absent.
 * labels: slow data */

#include "bake/rest_tree.h"
#include "bake/sphere_tree.h"
#include "check.h"
#include "io/read.h"

typedef struct bar {
    const char *path;
    double means[3], worsts[3]; /* of levels 1 to 3 */
} bar;

static const bar bars[] = {
    {"bunny_closed_35000.ply", {240, 70, 14}, {325, 180, 95}},
    /* No worst was set for the second. */
    {"armadillo_52000.ply", {260, 70, 14}, {400, 180, 95}},
};

static bool read_scaled(lt_mesh_content *file, const char *name) {
    const char *folder = getenv("LITHE_MESHES");
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder && folder[0] ? folder : "../shared/meshes", name);
    if (lt_read_mesh(file, path, NULL, NULL) != LT_OK) return false;
    lt_box box = lt_surface_box(&file->surface);
    lt_vec3 size = lt_v3_sub(box.hi, box.lo);
    float scale = 2000.0f / lt_max_f(size.x, lt_max_f(size.y, size.z));
    for (uint32_t i = 0; i < file->surface.vertex_count; i++)
        file->surface.positions[i] = lt_v3_scale(lt_v3_sub(file->surface.positions[i], box.lo), scale);
    return true;
}

static void check_bar(const bar *b) {
    lt_mesh_content file;
    if (!read_scaled(&file, b->path)) {
        check_skip(b->path);
        return;
    }
    lt_sphere_options options = lt_sphere_options_default();
    lt_rest_tree tree;
    lt_sphere_measure measures[LT_SPHERE_LEVELS_MAX];
    CHECK_FATAL(lt_sphere_tree_make(&tree, &file.surface, &options, NULL) == LT_OK);
    CHECK_FATAL(lt_sphere_tree_measure(measures, &tree, &file.surface, 100000, 1, NULL) == LT_OK);
    for (int level = 0; level < 4; level++)
        CHECK_COUNT(measures[level].uncovered_count, 0);
    for (int level = 1; level < 4; level++) {
        printf("%s level %d: %u spheres, mean %.2f, worst %.2f\n", b->path, level,
               measures[level].sphere_count, measures[level].mean_error, measures[level].worst_error);
        CHECK(measures[level].mean_error <= b->means[level - 1]);
        CHECK(measures[level].worst_error <= b->worsts[level - 1]);
    }
    lt_rest_tree_free(&tree);
    lt_mesh_content_free(&file);
}

static void scans_meet_their_bars(void) {
    for (size_t i = 0; i < sizeof bars / sizeof bars[0]; i++)
        check_bar(&bars[i]);
}

int main(void) {
    RUN(scans_meet_their_bars);
    return check_finish();
}
