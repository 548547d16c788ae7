/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two bodies of the method multiscale, or parts of them, and how deep they are in each other along a direction, by their nodes. */

#ifndef LITHE_METHOD_MULTISCALE_PLANE_H
#define LITHE_METHOD_MULTISCALE_PLANE_H

#include "method/multiscale_work.h"

/* Nodes by coordinates, [3][stride] at either end, up to eight copies of the first behind the last; `to` the same as `from`:
 * where they are. */
typedef struct lt_node_columns {
    const float *from, *to;
    size_t stride;
    float share; /* of the way */
} lt_node_columns;

/* The node that is farthest along a direction, and how far; of the first `count`, one at least. */
typedef uint32_t lt_farthest_kernel(const lt_node_columns *columns, uint32_t count, lt_vec3 direction,
                                    float *most);

lt_farthest_kernel *lt_farthest_kernel_for(lt_simd_level level);

/* Two bodies on their ways through the step, of which a share of either has passed. */
typedef struct lt_couple {
    const float *from[2], *to[2]; /* [][4] */
    const uint32_t *nodes[2];     /* [count] that count; NULL: all */
    uint32_t count[2];
    float shares[2];
    float overhang;             /* m, of both surfaces beyond their nodes */
    lt_node_columns columns[2]; /* of all nodes: in the work's scratch, until the next couple is made */
    lt_farthest_kernel *farthest;
} lt_couple;

/* Of a node of two bodies, when the plane between them is looked for. */
enum { LT_MULTI_PLANE_UNITS = 16 };

/* Parts of two bodies that come near each other in a step. */
typedef struct lt_near {
    uint8_t a, b;
    lt_plane plane; /* as the step begins */
} lt_near;

/* Floats of scratch for the columns of two bodies of so many nodes at most. */
static inline size_t lt_couple_stride(uint32_t most_nodes) {
    return ((size_t)most_nodes + 7) / 8 * 8;
}
enum { LT_COUPLE_COLUMNS = 12 }; /* two bodies, two ends, three coordinates */

/* When those shares of the step have passed. */
lt_couple lt_couple_of(const lt_multi_work *work, const lt_pair *pair, float share_a, float share_b);
/* How deep they are along a direction, and the way between the nodes that are deepest. */
float lt_couple_depth(const lt_couple *couple, lt_vec3 direction, lt_vec3 *way);
/* Of a part of each. */
void lt_couple_take_parts(lt_couple *couple, const lt_multi_parts *a, uint32_t part_a,
                          const lt_multi_parts *b, uint32_t part_b);
/* As they are: from that direction on, and from others if they overlap. */
lt_plane lt_couple_find_plane(const lt_couple *couple, lt_vec3 first, const lt_vec3 *others, uint32_t count);
/* Whether they are no deeper than that, and, if they were apart along the plane at the beginning, were so all the way. */
bool lt_couple_keeps(const lt_couple *couple, const lt_plane *begin, float allowed);
/* In which contacts of the two push. */
lt_vec3 lt_multi_push_of_contacts(const lt_multi_work *work, uint32_t index);
/* m that those without a plane between them may get deeper in a step, the less the longer they wait: all of it together is little. */
float lt_multi_tremble(const lt_multi_work *work, const lt_pair *pair);
/* How deep those that were as deep as the step began may be as it ends. */
float lt_multi_allowed_depth(const lt_multi_work *work, const lt_pair *pair, float begin);

/* The share of the step that can pass for two bodies of whose parts it is known which come near (multiscale_near.c). */
float lt_multi_near_share(const lt_multi_work *work, uint32_t index);

/* As the step begins. */
lt_plane lt_multi_find_plane(const lt_multi_work *work, uint32_t index);

#endif
