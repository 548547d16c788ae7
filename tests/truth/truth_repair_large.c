/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Repair of the large files of truth_repair.c.
 * labels: slow data */

#include "check.h"

#include "truth/repair_rows.h"

static const truth_row rows[] = {
    {"bunny_closed_35000.ply", 17502, 0, 0, 1, 0, 0, 0},
    {"bear_27648.ply", 13826, 0, 0, 1, 0, 0, 0},
    {"dragon_202520_dirty.ply", 100207, 2534, 1489, 7, UNKNOWN, UNKNOWN, UNKNOWN},
    {"dragon_293228_dirty.ply", 146523, 152, 120, 2, UNKNOWN, UNKNOWN, UNKNOWN},
};

static void meshes_of_record(void) {
    check_rows(rows, LT_COUNT_OF(rows));
}

int main(void) {
    RUN(meshes_of_record);
    return check_finish();
}
