/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Repair of a mesh file against what is known about it. Include after check.h. */

#ifndef LITHE_TESTS_TRUTH_REPAIR_ROWS_H
#define LITHE_TESTS_TRUTH_REPAIR_ROWS_H

#include "bake/adjacency.h"
#include "bake/repair_checks.h"
#include "io/read.h"

enum { UNKNOWN = -1 };

typedef struct truth_row {
    const char *path;
    uint32_t vertex_count; /* after welding */
    int overfull_of_file, duplicates, components, boundary_edges, holes, genus;
} truth_row;

static inline void check_found(const truth_row *row, const char *what, int64_t found, int expected) {
    if (expected == UNKNOWN) return;
    CHECK_COUNT(found, expected);
    if (found != expected) fprintf(stderr, "%s: %s\n", row->path, what);
}

/* V - E + F = 2 - 2 genus, for a closed surface in one piece. */
static inline void check_topology(const truth_row *row, const lt_surface *before, const lt_surface *after) {
    lt_surface_adjacency adjacency;
    CHECK_FATAL(lt_surface_adjacency_build(&adjacency, before, NULL, NULL) == LT_OK);
    check_found(row, "overfull edges of the file", adjacency.nonmanifold_edge_count, row->overfull_of_file);
    lt_surface_adjacency_free(&adjacency);
    CHECK_FATAL(lt_surface_adjacency_build(&adjacency, after, NULL, NULL) == LT_OK);
    int64_t euler = (int64_t)after->vertex_count - adjacency.edge_count + after->triangle_count;
    check_found(row, "genus", (2 - euler) / 2, row->genus);
    lt_surface_adjacency_free(&adjacency);
}

static inline void print_row(const truth_row *row, const lt_surface *after, const lt_repair_report *report) {
    printf("%s: %u triangles", row->path, after->triangle_count);
    for (lt_repair_kind kind = 0; kind < LT_REPAIR_KIND_COUNT; kind++)
        if (report->findings[kind].count > 0)
            printf(", %u %s", report->findings[kind].count, lt_repair_kind_text(kind));
    printf("\n");
}

static inline void check_row(const truth_row *row, const lt_surface *before) {
    lt_surface after;
    lt_repair_report report;
    lt_error error = {0};
    lt_status status = lt_repair(before, &after, &report, NULL, &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s: %s", row->path, error.message);
    if (status != LT_OK) return;
    print_row(row, &after, &report);
    check_found(row, "vertices", after.vertex_count, (int)row->vertex_count);
    check_found(row, "duplicates", count_found(&report, LT_REPAIR_DUPLICATE), row->duplicates);
    check_found(row, "components", count_found(&report, LT_REPAIR_COMPONENT), row->components);
    check_found(row, "boundary edges", count_found(&report, LT_REPAIR_BOUNDARY), row->boundary_edges);
    check_found(row, "holes", count_found(&report, LT_REPAIR_HOLE), row->holes);
    CHECK(!report.crossings_cut_short);
    if (row->boundary_edges == 0) CHECK(report.is_closed && lt_surface_volume(&after) > 0);
    check_topology(row, before, &after);
    lt_surface_free(&after);
    lt_repair_report_free(&report);
}

/* Skips what is absent. */
static inline void check_rows(const truth_row *rows, size_t count) {
    const char *folder = getenv("LITHE_MESHES");
    for (size_t i = 0; i < count; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%s", folder && folder[0] ? folder : "../shared/meshes", rows[i].path);
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = lt_read_mesh(&file, path, NULL, &error);
        if (status == LT_STATUS_NOT_FOUND) {
            check_skip(rows[i].path);
            continue;
        }
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
        if (status == LT_OK) check_row(&rows[i], &file.surface);
        lt_mesh_content_free(&file);
    }
}

#endif
