/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A body of which nothing but its box is known is a box: coarse contacts (respond/coarse.h) answer for the roots of two trees, or of one tree
 * and an obstacle, when there was no budget to look further. */

#include "respond/coarse.h"
#include "respond/front_internal.h"

void lt_answer_with_boxes(lt_front *f) {
    const lt_collider *a = &f->colliders[f->pair.a];
    bool obstacle = f->pair.kind == LT_PAIR_OBSTACLE;
    lt_coarse coarse = {.pair = f->pair,
                        .colliders = f->colliders,
                        .boxes = {a->box},
                        .fast = INFINITY,
                        .margin = f->margin,
                        .area = lt_sphere_area(&a->spheres, 0),
                        .count = lt_box_contacts(&f->pair, f->detail),
                        .held = f->held,
                        .held_count = f->held_count,
                        .harvest = f->harvest};
    if (obstacle) {
        coarse.obstacle = lt_obstacle_seen(a, f->obstacles, f->pair.b);
        coarse.gap = lt_box_gap(f);
    } else {
        const lt_collider *b = &f->colliders[f->pair.b];
        coarse.boxes[1] = b->box;
        coarse.area = lt_min_f(coarse.area, lt_sphere_area(&b->spheres, 0));
    }
    lt_coarse_answer(&coarse);
    f->contacts += coarse.contacts;
}

bool lt_only_roots(const lt_front *f) {
    const lt_traverse *t = f->traverse;
    if (f->pair.kind == LT_PAIR_SELF || t->queued_count != 1 || t->found_count != 0) return false;
    uint32_t bucket;
    const lt_front_pair *p = &t->pool[lt_front_next(t, LT_NONE, &bucket)];
    return p->a == 0 && p->b == 0;
}

uint32_t lt_respond_with_boxes(lt_front *f) {
    const lt_sphere_tree *tree = f->colliders[f->pair.a].spheres.tree;
    lt_front_sum *sum = &f->scratch->sums[0];
    uint32_t bucket;
    if (lt_box_gap(f) == 0) {
        f->overlapping = f->undecided = 1;
        f->gap_error = f->traverse->pool[lt_front_next(f->traverse, LT_NONE, &bucket)].bound;
    }
    sum->kind = LT_FRONT_SEEN | LT_FRONT_CUT | LT_FRONT_UNDECIDED;
    lt_keep_held(f, tree); /* what is held of finer spheres does not speak for the rest of the body */
    *sum = (lt_front_sum){0};
    lt_answer_with_boxes(f);
    lt_log_sphere(f->log, f->pair.a, 0);
    if (f->pair.kind == LT_PAIR_BODIES) lt_log_sphere(f->log, f->pair.b, 0);
    return LT_FRONT_UNITS + LT_FRONT_CONTACT_UNITS * f->contacts;
}
