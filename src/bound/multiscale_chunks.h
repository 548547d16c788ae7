/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Names of the chunks of a multiscale tree: written by bake/governors_write.c, read by multiscale_read.c. */

#ifndef LITHE_BOUND_MULTISCALE_CHUNKS_H
#define LITHE_BOUND_MULTISCALE_CHUNKS_H

#include "bound/multiscale.h"

/* What all of them begin with. */
#define LT_CHUNK_MULTISCALE_PREFIX "multiscale."

#define LT_CHUNK_MULTISCALE_HEADER           "multiscale.header"
#define LT_CHUNK_MULTISCALE_NODES            "multiscale.nodes"
#define LT_CHUNK_MULTISCALE_LINKS            "multiscale.links"
#define LT_CHUNK_MULTISCALE_ABOVE            "multiscale.above"
#define LT_CHUNK_MULTISCALE_GROUPS           "multiscale.groups"
#define LT_CHUNK_MULTISCALE_GROUP_NODES      "multiscale.group_nodes"
#define LT_CHUNK_MULTISCALE_RECORDS          "multiscale.records"
#define LT_CHUNK_MULTISCALE_RECORD_GOVERNORS "multiscale.record_owners"
#define LT_CHUNK_MULTISCALE_GOVERNORS        "multiscale.governors"
#define LT_CHUNK_MULTISCALE_BUNCHES          "multiscale.bunches"
#define LT_CHUNK_MULTISCALE_GUESTS           "multiscale.guests"
#define LT_CHUNK_MULTISCALE_IDS              "multiscale.ids"
#define LT_CHUNK_MULTISCALE_WEIGHTS          "multiscale.weights"
#define LT_CHUNK_MULTISCALE_VERTICES         "multiscale.vertices"
#define LT_CHUNK_MULTISCALE_TRIANGLES        "multiscale.triangles"
#define LT_CHUNK_MULTISCALE_TRIANGLE_TETS    "multiscale.triangle_tets"
#define LT_CHUNK_MULTISCALE_PARENTS          "multiscale.parents"

enum {
    LT_MULTISCALE_HEADER_CUT,
    LT_MULTISCALE_HEADER_SPANNING,
    LT_MULTISCALE_HEADER_GOVERNORS_MAX,
    LT_MULTISCALE_HEADER_SIZE
};

#endif
