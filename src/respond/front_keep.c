/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Contacts that are kept where a front that was cut says nothing. */

#include "respond/front_internal.h"

void lt_keep_held(lt_front *f, const lt_sphere_tree *tree) {
    lt_front_sum *sums = f->scratch->sums;
    bool obstacle = f->pair.kind == LT_PAIR_OBSTACLE, boxes = !obstacle && lt_boxes_face(f);
    for (uint32_t i = 0; i < f->held_count; i++) {
        const lt_contact_record *r = &f->held[i];
        uint32_t node = r->feature;
        if (node < LT_LANES || node >= LT_LANES * tree->block_count || r->depth < -f->margin) continue;
        if (boxes && r->touch.approximate && tree->levels[lt_block_of(node)] == 1) continue;
        while (node != LT_NONE && !sums[node].kind)
            node = tree->parents[lt_block_of(node)];
        if (node == LT_NONE || sums[node].weight > 0) continue;
        bool decided = obstacle && (sums[node].kind & LT_FRONT_COMING);
        if (decided || !(sums[node].kind & LT_FRONT_UNDECIDED)) continue;
        sums[node].kind |= LT_FRONT_HELD;
        lt_harvest_keep(f->harvest, r);
        f->contacts++;
    }
}
