/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "io/read_refusals.h"

#define NODES "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"

static void broken_files_are_refused(void) {
    static const refusal rows[] = {
        {"|", LT_STATUS_FORMAT,
         "sample.node:1: expected the numbers of points and dimensions, found the end of the file"},
        {"0 3 0 0\n|", LT_STATUS_INVALID, "sample.node:1: the file announces no rows"},
        {"-1 3 0 0\n|", LT_STATUS_INVALID, "sample.node:1: the file announces no rows"},
        {"1 2 0 0\n1 0 0 0\n|", LT_STATUS_INVALID, "points of dimension 2: 3 is needed"},
        {"999999999 3 0 0\n1 0 0 0|", LT_STATUS_FORMAT, "sample.node:1: announces 999999999 rows, more than"},
        {"2 3 0 0\n1 0 0 0\n\n3 1 0 0 \n|", LT_STATUS_FORMAT, "sample.node:4: row number 3 where 2 is due"},
        {"1 3 0 0\n5 0 0 0\n|", LT_STATUS_FORMAT, "sample.node:2: row number 5 where 1 is due"},
        {"1 3 0 0\n1 0 0 \n  |", LT_STATUS_FORMAT, "sample.node:2: expected three coordinates of a node"},
        {"1 3 0 0\n1 0 0 -inf\n|", LT_STATUS_INVALID, "sample.node:2: a coordinate is not a finite number"},
        {NODES "|", LT_STATUS_FORMAT, "sample.ele:1: expected the numbers of tets"},
        {NODES "|1 5 0\n1 1 2 3 4", LT_STATUS_INVALID, "sample.ele:2: tets of 5 nodes"},
        {NODES "|999999999 4 0\n1 1 2 3 4", LT_STATUS_FORMAT, "sample.ele:1: announces 999999999 rows"},
        {NODES "|1 4 0\n0 1 2 3 4", LT_STATUS_FORMAT, "sample.ele:2: row number 0 where 1 is due"},
        {NODES "|1 4 0\n1 1 2 3 5", LT_STATUS_INVALID,
         "sample.ele:2: tet 0: node 5, but the nodes are 1 to 4"},
        {NODES "|1 4 0\n1 1 2 3 0", LT_STATUS_INVALID,
         "sample.ele:2: tet 0: node 0, but the nodes are 1 to 4"},
        {NODES "|1 4 0\n1 1 2 3    ", LT_STATUS_FORMAT, "sample.ele:2: expected four nodes of a tet"},
        {NODES "|1 4 0\n1 1 2 3 3\n", LT_STATUS_INVALID, "sample: tet 0: volume 0 is not positive"}};
    check_refusals(SAMPLE_TETGEN, rows, LT_COUNT_OF(rows));
}

static void smallest_file_is_read(void) {
    const char *text = NODES "|1 4 0\n1 1 2 3 4";
    lt_mesh_content file;
    CHECK_FATAL(sample_read_text(&file, SAMPLE_TETGEN, text, NULL) == LT_OK);
    CHECK_COUNT(file.turned_tet_count, 0);
    CHECK_NEAR(lt_tet_mesh_volume(&file.tets), 1.0 / 6, 1e-15);
    lt_mesh_content_free(&file);
}

int main(void) {
    RUN(broken_files_are_refused);
    RUN(smallest_file_is_read);
    return check_finish();
}
