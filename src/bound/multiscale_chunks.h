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

/* Of ladders only. Records of coarser levels stand behind those of the finest in the chunks above; how many are of the finest is told
 * here. */
#define LT_CHUNK_MULTISCALE_FINEST         "multiscale.finest" /* groups, records, governors */
#define LT_CHUNK_MULTISCALE_LEVEL_GROUPS   "multiscale.level_groups"
#define LT_CHUNK_MULTISCALE_SAMPLE_BEGIN   "multiscale.sample_begin"
#define LT_CHUNK_MULTISCALE_SAMPLES        "multiscale.samples"
#define LT_CHUNK_MULTISCALE_SAMPLE_WEIGHTS "multiscale.sample_weights"

enum {
    LT_MULTISCALE_HEADER_CUT,
    LT_MULTISCALE_HEADER_SPANNING,
    LT_MULTISCALE_HEADER_GOVERNORS_MAX,
    LT_MULTISCALE_HEADER_SIZE
};

/* Parts of lt_multiscale_tree_read (multiscale_read_levels.c), of a shape with LT_CHUNK_MULTISCALE_FINEST. The first tells what is of the
 * finest level from the rest, which is left alone where the carrier is the finest level by itself; the second is true, too, where there
 * are no levels. */
lt_status lt_multiscale_levels_read(lt_multiscale_tree *out, const lt_shape *shape, const lt_carrier *carrier,
                                    lt_error *error);
bool lt_multiscale_levels_are_sound(lt_multiscale_tree *tree, const lt_carrier *carrier);

#endif
