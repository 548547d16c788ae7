/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What a search has found as contacts.
 *
 * A contact is found anew, or ends because the leaf that has it was tested without finding it, or stands. One that stands is followed by
 * its anchors: it was not looked at because nothing has moved enough to matter.
 *
 * What was found is answered: where there is not room for all, by some that stand for the others. A contact that was left out made a hole, since no
 * coarse contact is where the search has looked. */

#include "method/engine.h"

#include "core/heap.h"

enum { PAIR_CONTACTS = 192 /* most of a pair */ };

/* ---- contacts that were there ---- */

/* Features are samples by their points: those of a, then those of b. */
static uint32_t direction_of(const lt_engine_turn *t, const lt_contact_record *r) {
    return lt_is_between_bodies(t->pair) && r->touch.body == t->pair->b ? 1 : 0;
}
static uint32_t feature_of(const lt_engine_turn *t, uint32_t direction, uint32_t point) {
    return direction ? t->search.sides[0].collider->skin->point_count + point : point;
}

/* A contact in a tet whose leaf was not tested stays, unless a leaf that was holds its sample better. */
static bool is_superseded(lt_engine_turn *t, const lt_contact_record *r, uint32_t direction, uint32_t lane) {
    lt_search_memory *m = &t->engine->search;
    if (m->tets[direction][lane] == LT_NONE) return false;
    if (lt_front_weight(&t->search, direction, lane, r->touch.other.tet) < m->least[direction][lane])
        return true;
    m->tets[direction][lane] = LT_NONE; /* what it has is better */
    return false;
}

static bool has_ended(lt_engine_turn *t, const lt_contact_record *r) {
    if (r->touch.point == LT_NONE) return true; /* coarse: answered anew while the pair is cut */
    if (r->depth < -2 * t->search.reach - t->search.quantum) return true;
    uint32_t direction = direction_of(t, r);
    const lt_shape_tree *tree = t->search.sides[direction].boxes->tree;
    uint32_t place = tree->point_places[r->touch.point], leaf = lt_shape_skin_leaf(tree, place);
    if (!lt_front_was_tested(&t->search, direction, leaf)) return false;
    if (t->search.obstacle) return true;
    const lt_shape_tree *other = lt_solid_side(&t->search, direction)->boxes->tree;
    uint32_t solid = lt_shape_solid_leaf(other, r->touch.other.tet);
    if (lt_front_was_tested_with(&t->search, direction, leaf, solid)) return true;
    return is_superseded(t, r, direction, lt_shape_lane(lt_shape_node_at(tree, leaf), place));
}

/* Those whose leaf was tested end, unless they are found again. */
static void end_contacts(lt_engine_turn *t) {
    lt_contact_list *list = &t->engine->memory.contacts;
    const lt_pair_slot *slot = lt_pair_slot_at(&t->engine->memory.pairs, t->place);
    for (uint32_t i = slot->contact_begin; i < slot->contact_end; i++)
        list->records[i].ended = list->records[i].ended || has_ended(t, &list->records[i]);
}

/* ---- contacts that are found ---- */

static bool is_held(const lt_engine_turn *t, uint32_t feature) {
    return lt_contacts_hold(&t->engine->memory.contacts, &t->engine->memory.pairs, t->pair, feature);
}

static uint32_t find_in_leaf(lt_engine_turn *t, const lt_tested_leaf *leaf, uint32_t count) {
    const lt_shape_tree *tree = t->search.sides[leaf->direction].boxes->tree;
    const lt_shape_node *n = lt_shape_node_at(tree, leaf->skin);
    for (uint32_t i = n->point_begin; i < n->point_end && count < t->engine->found_capacity; i++) {
        lt_found_touch *f = &t->engine->found[count];
        if (!lt_front_touch(&t->search, leaf->direction, leaf->skin, i, &f->touch)) continue;
        f->feature = feature_of(t, leaf->direction, f->touch.point);
        f->order = (leaf->direction ? t->search.sides[0].boxes->tree->point_count : 0) + i;
        f->is_held = is_held(t, f->feature);
        count++;
    }
    return count;
}

/* Each skin leaf once, however many leaves it was tested in. */
static uint32_t find_touches(lt_engine_turn *t) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->search.leaf_count; i++) {
        const lt_tested_leaf *leaf = &t->engine->search.leaves[i];
        if (t->engine->search.skins[leaf->direction][leaf->skin].first == i + 1)
            count = find_in_leaf(t, leaf, count);
    }
    return count;
}

static void add_contact(lt_engine_turn *t, const lt_found_touch *f) {
    if (!f->is_held) lt_reserve_contacts(t->step->meter, 1);
    lt_reserve_work(t->step->meter, LT_WORK_KEEP, LT_LISTING_UNITS);
    lt_harvest_add(&t->listing->harvest, t->pair, f->feature, &f->touch);
}

static bool comes_later(const lt_found_touch *x, const lt_found_touch *y) {
    return x->order > y->order;
}
LT_HEAP(found, lt_found_touch, comes_later)

/* Of more than can be answered: runs in the order of the trees, of each the deepest, one that is held rather than another. It stands
 * for the area of its run. */
static uint32_t add_some(lt_engine_turn *t, uint32_t count, uint32_t most) {
    lt_found_touch *found = t->engine->found;
    uint32_t fresh = 0;
    found_sort(found, count);
    for (uint32_t run = 0; run < most; run++) {
        uint32_t begin = (uint32_t)((uint64_t)count * run / most);
        uint32_t end = (uint32_t)((uint64_t)count * (run + 1) / most), best = begin;
        float depth = -3e38f, area = 0;
        for (uint32_t i = begin; i < end; i++) {
            float own = found[i].touch.depth + (found[i].is_held ? 2 * t->search.quantum : 0);
            if (own > depth) best = i;
            depth = lt_max_f(depth, own);
            area += found[i].touch.area;
        }
        found[best].touch.area = area;
        fresh += !found[best].is_held;
        add_contact(t, &found[best]);
    }
    return fresh;
}

/* How many of those that were found can be answered: those that are held, others while there is room, and of a pair that is decided as many
 * as it would have had if it were not. */
static uint32_t answerable(const lt_engine_turn *t, uint32_t count, bool is_cut) {
    uint32_t held = 0, spare = is_cut ? 0 : lt_engine_coarse_contacts(t->pair);
    if (*t->room == UINT32_MAX) return lt_min_u32(count, PAIR_CONTACTS);
    for (uint32_t i = 0; i < count; i++)
        held += t->engine->found[i].is_held;
    return lt_min_u32(lt_min_u32(count, PAIR_CONTACTS), held + *t->room + spare);
}

bool lt_engine_harvest(lt_engine_turn *turn, bool is_cut) {
    lt_engine_turn *t = turn;
    end_contacts(t);
    uint32_t count = find_touches(t), most = answerable(t, count, is_cut), fresh = 0;
    if (most == count) {
        for (uint32_t i = 0; i < count; i++) {
            fresh += !t->engine->found[i].is_held;
            add_contact(t, &t->engine->found[i]);
        }
    } else {
        fresh = add_some(t, count, most);
    }
    if (*t->room != UINT32_MAX) *t->room -= lt_min_u32(fresh, *t->room);
    return count == 0 || most > 0;
}
