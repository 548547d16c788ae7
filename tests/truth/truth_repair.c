/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Repair on scans and models as they are found, clean and dirty, against the counts that SOURCES.md beside
 * them gives: overfull edges of the file as it is, duplicate faces, components, boundary edges and holes,
 * genus of closed ones. From $LITHE_MESHES (../shared/meshes); skipped where it is absent.
 *
 * labels: data */

#include "check.h"

#include "truth/repair_rows.h"

static const truth_row rows[] = {
    {"bunny_69451.ply", 34834, 0, 0, 1, 223, 5, UNKNOWN},
    {"buddha_100000_dirty.ply", 49950, 50, 24, 1, UNKNOWN, UNKNOWN, UNKNOWN},
    {"buddha_20000.ply", 9990, 0, 0, 1, 0, 0, 6},
    {"teapot_6320.obj", 3241, UNKNOWN, 0, 3, 160, 6, UNKNOWN},
    {"chinese_dragon_19994.off", 10000, 0, 0, 1, 6, 2, UNKNOWN},
    {"cheese_17786.off", 8629, 0, 0, 1, 0, 0, 133},
    {"elephant_5558.off", 2775, 0, 0, 1, 0, 0, 3},
    {"knots2_11520.off", 5760, 0, 0, 2, 0, 0, UNKNOWN},
    {"mushroom_open_4608.off", 2337, 0, 0, 1, 64, 1, UNKNOWN},
    {"fertility_9000.off", 4494, 0, 0, 1, 0, 0, 4},
    {"torus_4096.obj", 2048, 0, 0, 1, 0, 0, 1},
    {"letter_B_232.off", 114, 0, 0, 1, 0, 0, 2},
    {"grass_400blades_3600.obj", 4400, 0, 0, 400, UNKNOWN, 400, UNKNOWN},
};

static void meshes_of_record(void) {
    check_rows(rows, LT_COUNT_OF(rows));
}

int main(void) {
    RUN(meshes_of_record);
    return check_finish();
}
