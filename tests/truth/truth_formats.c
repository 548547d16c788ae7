/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Mesh files that other programs wrote, with the counts in their headers and sources: Gmsh, PolyFEM, TetGen
 * by way of PositionBasedDynamics, ipc-toolkit, and scans. From $LITHE_TRUTH (../shared/truth) and
 * $LITHE_MESHES (../shared/meshes); skipped where they are absent.
 *
 * labels: data */

#include "check.h"
#include "io/read.h"

typedef struct truth_row {
    const char *path;
    uint32_t vertex_count, triangle_count; /* of the surface */
    uint32_t node_count, tet_count;
    double volume; /* of the tets; 0: not known beforehand, only that it is positive */
    bool refused;  /* holds neither tets nor triangles */
} truth_row;

/* Volumes: the cantilever is 1 x 0.1 x 0.1; PolyFEM's cube has side 1, its bars are 10 x 1 x 0.5, the
 * corner tet is that of the unit cube; the four small files of 5 tets are one mesh written four ways. */
static const truth_row formats[] = {
    {"formats/polyfem/22_ascii.msh", 0, 0, 8, 5, 5.0 / 6, false},
    {"formats/polyfem/22_binary.msh", 0, 0, 8, 5, 5.0 / 6, false},
    {"formats/polyfem/41_ascii.msh", 0, 0, 8, 5, 5.0 / 6, false},
    {"formats/polyfem/41_binary.msh", 0, 0, 8, 5, 5.0 / 6, false},
    {"formats/polyfem/bar-6.msh", 0, 0, 8, 6, 5, false},
    {"formats/polyfem/bar-186.msh", 0, 0, 86, 186, 5, false},
    {"formats/polyfem/bar-651.msh", 0, 0, 292, 651, 5, false},
    {"formats/polyfem/cube.msh", 0, 0, 8, 6, 1, false},
    {"formats/polyfem/cube-hex.msh", 0, 0, 0, 0, 0, true},
    {"formats/polyfem/mat20x20.msh", 0, 0, 800, 2166, 0, false},
    {"formats/polyfem/plate.msh", 0, 0, 3362, 9600, 0, false},
    {"formats/polyfem/spike.msh", 0, 0, 5, 2, 0, false},
    {"formats/polyfem/tet-corner.msh", 0, 0, 4, 1, 1.0 / 6, false},
    {"formats/polyfem/tet-perp-edges.msh", 0, 0, 4, 1, 0, false},
    {"formats/polyfem/tet-pyramid.msh", 0, 0, 4, 1, 0, false},
    {"formats/polyfem/wedge.msh", 0, 0, 6, 3, 3, false}, /* base 1 x 2, height 3, halved */
    {"formats/pbd/armadillo_4k.node", 0, 0, 1180, 3717, 0, false},
    {"formats/pbd/armadillo_4k.ele", 0, 0, 1180, 3717, 0, false},
    {"fem-cantilever/bar.msh2", 18, 16, 189, 480, 0.01, false},
    {"fem-cantilever/bar_bin.msh2", 18, 16, 189, 480, 0.01, false},
    {"fem-cantilever/bar.msh4", 18, 16, 189, 480, 0.01, false},
    {"fem-cantilever/bar_bin.msh4", 18, 16, 189, 480, 0.01, false},
    {"fem-cantilever/bar.mesh", 18, 16, 189, 480, 0.01, false},
    {"fem-cantilever/bar.vtk", 18, 16, 189, 480, 0.01, false},
    {"surfaces/bunny.ply", 2503, 5002, 0, 0, 0, false},
    {"surfaces/cube.ply", 8, 12, 0, 0, 0, false},
    {"surfaces/height-field.ply", 2540, 4904, 0, 0, 0, false},
    {"surfaces/two-cubes-close.ply", 262, 480, 0, 0, 0, false},
    {"surfaces/two-cubes-far.ply", 262, 480, 0, 0, 0, false},
    {"surfaces/two-cubes-intersecting.ply", 262, 480, 0, 0, 0, false},
    {"surfaces/thick-cloth/t0.ply", 233, 404, 0, 0, 0, false},
    {"surfaces/thick-cloth/t1.ply", 233, 404, 0, 0, 0, false},
};

/* Counts as SOURCES.md of that folder gives them. */
static const truth_row meshes[] = {
    {"bunny_69451.ply", 34834, 69451, 0, 0, 0, false},
    {"bunny_closed_35000.ply", 17502, 35000, 0, 0, 0, false},
    {"armadillo_52000.ply", 26002, 52000, 0, 0, 0, false},
    {"bear_27648.ply", 13826, 27648, 0, 0, 0, false},
    {"horse_96966.ply", 48485, 96966, 0, 0, 0, false},
    {"dragon_100000.ply", 50000, 100000, 0, 0, 0, false},
    {"buddha_20000.ply", 9990, 20000, 0, 0, 0, false},
    {"teapot_6320.obj", 3644, 6320, 0, 0, 0, false},
    {"spot_5856.obj", 2930, 5856, 0, 0, 0, false},
    {"torus_4096.obj", 2048, 4096, 0, 0, 0, false},
    {"torus_knot_8000.obj", 4000, 8000, 0, 0, 0, false},
    {"grass_400blades_3600.obj", 4400, 3600, 0, 0, 0, false},
    {"camel_19536.off", 9770, 19536, 0, 0, 0, false},
    {"chinese_dragon_19994.off", 10000, 19994, 0, 0, 0, false},
    {"cheese_17786.off", 8629, 17786, 0, 0, 0, false},
    {"elephant_5558.off", 2775, 5558, 0, 0, 0, false},
    {"hand_2390.off", 1197, 2390, 0, 0, 0, false},
    {"knot_6400.off", 3200, 6400, 0, 0, 0, false},
    {"knots2_11520.off", 5760, 11520, 0, 0, 0, false},
    {"mushroom_open_4608.off", 2337, 4608, 0, 0, 0, false},
    {"cheburashka_13334.off", 6669, 13334, 0, 0, 0, false},
    {"fertility_9000.off", 4494, 9000, 0, 0, 0, false},
    {"letter_A_44.off", 22, 44, 0, 0, 0, false},
    {"letter_B_232.off", 114, 232, 0, 0, 0, false},
    {"letter_C_196.off", 100, 196, 0, 0, 0, false},
    {"letter_G_212.off", 108, 212, 0, 0, 0, false},
    {"letter_O_192.off", 96, 192, 0, 0, 0, false},
    {"letter_S_300.off", 152, 300, 0, 0, 0, false},
    {"armadillo_4k.node", 0, 0, 1180, 3717, 0, false},
    {"bunny_tets.msh", 0, 0, 4670, 19379, 0, false},
    {"dolphin_tets.msh", 0, 0, 8111, 36304, 0, false},
    {"octopus_tets.mesh", 451, 898, 452, 1140, 0, false},
};

static const char *folder_of(const char *variable, const char *fallback) {
    const char *folder = getenv(variable);
    return folder && folder[0] ? folder : fallback;
}

static bool is_there(const char *folder, const char *path) {
    char whole[1000];
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    FILE *file = fopen(whole, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static lt_status read_row(lt_mesh_content *file, const char *folder, const char *path, lt_error *error) {
    char whole[1000];
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    return lt_read_mesh(file, whole, NULL, error);
}

static bool row_is_right(const truth_row *row, const lt_mesh_content *file) {
    if (file->surface.vertex_count != row->vertex_count ||
        file->surface.triangle_count != row->triangle_count || file->tets.node_count != row->node_count ||
        file->tets.tet_count != row->tet_count)
        return false;
    double volume = lt_tet_mesh_volume(&file->tets);
    if (row->volume > 0 && !(fabs(volume - row->volume) <= 1e-6 * row->volume)) return false;
    return row->tet_count == 0 || lt_tet_mesh_check(&file->tets, row->path, NULL) == LT_OK;
}

static void check_rows(const char *folder, const truth_row *rows, size_t count) {
    uint32_t read_count = 0, wrong_count = 0;
    if (!is_there(folder, rows[0].path)) {
        check_skip(folder);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        lt_mesh_content file;
        lt_error error = {0};
        if (!is_there(folder, rows[i].path)) {
            check_skip(rows[i].path);
            continue;
        }
        lt_status status = read_row(&file, folder, rows[i].path, &error);
        bool right =
            rows[i].refused ? status == LT_STATUS_INVALID : status == LT_OK && row_is_right(&rows[i], &file);
        read_count++;
        wrong_count += !right;
        CHECK(right);
        if (!right)
            fprintf(stderr, "%s: %s (%u vertices, %u triangles, %u nodes, %u tets, volume %.9g)\n",
                    rows[i].path, status == LT_OK ? "wrong" : error.message, file.surface.vertex_count,
                    file.surface.triangle_count, file.tets.node_count, file.tets.tet_count,
                    lt_tet_mesh_volume(&file.tets));
        lt_mesh_content_free(&file);
    }
    printf("%s: %u files read, %u wrong\n", folder, read_count, wrong_count);
}

static void files_of_other_programs(void) {
    check_rows(folder_of("LITHE_TRUTH", "../shared/truth"), formats, LT_COUNT_OF(formats));
}

static void meshes_of_record(void) {
    check_rows(folder_of("LITHE_MESHES", "../shared/meshes"), meshes, LT_COUNT_OF(meshes));
}

/* One mesh from six files: the same nodes and tets, digit for digit as far as ASCII carries them. */
static void the_cantilever_is_one_mesh_in_six_files(void) {
    const char *folder = folder_of("LITHE_TRUTH", "../shared/truth");
    static const char *const paths[] = {"fem-cantilever/bar.msh2", "fem-cantilever/bar_bin.msh2",
                                        "fem-cantilever/bar.msh4", "fem-cantilever/bar_bin.msh4",
                                        "fem-cantilever/bar.mesh", "fem-cantilever/bar.vtk"};
    if (!is_there(folder, paths[0])) {
        check_skip(paths[0]);
        return;
    }
    lt_mesh_content first;
    CHECK_FATAL(read_row(&first, folder, paths[0], NULL) == LT_OK);
    for (size_t i = 1; i < LT_COUNT_OF(paths); i++) {
        lt_mesh_content file;
        CHECK(read_row(&file, folder, paths[i], NULL) == LT_OK);
        bool same_size =
            file.tets.node_count == first.tets.node_count && file.tets.tet_count == first.tets.tet_count;
        CHECK(same_size);
        for (uint32_t n = 0; same_size && n < first.tets.node_count; n++)
            CHECK(lt_d3_distance(file.tets.positions[n], first.tets.positions[n]) < 1e-15);
        CHECK(same_size &&
              memcmp(file.tets.tets, first.tets.tets, 4 * sizeof(uint32_t) * first.tets.tet_count) == 0);
        lt_mesh_content_free(&file);
    }
    lt_mesh_content_free(&first);
}

int main(void) {
    RUN(files_of_other_programs);
    RUN(the_cantilever_is_one_mesh_in_six_files);
    RUN(meshes_of_record);
    return check_finish();
}
