/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The response of the tet-hash paper as printed (papers/001, "Response forces"): forces are held over the step, exact when the
 * depth of their point becomes known, and extrapolated from the last two exact ones while it is not.
 *
 *   exact       f = (k d − c u_n) r + friction, at that time; into the history
 *   predicted   f₁ + (s − s₁) (f₁ − f₂) / max(1, s₁ − s₂), friction and damping included, as the paper has it. 0 where it
 *               would turn round, and at most twice the larger of both (erratum G6: every point has stamps of its own, since
 *               not all become known in the same step of a cycle)
 *
 * k and c are those of penalty.c for forces held as long as a cycle takes (lt_penalty.held_dt). The paper gives no reaction;
 * here the tet that holds the point takes −f, by weights of where the point is now: nothing is lost (G5).
 *
 * Holding and extrapolating make energy: a bounce at n Δt √(k/m) = 0.4 gains 27 % and 14 % of its speed, at 1.26 more than
 * twice as much. That is why mode safe does neither. */

#include "respond/respond.h"

#include <string.h>

/* ---- one history ---- */

void lt_force_history_add(lt_force_history *history, lt_vec3 force, uint32_t step) {
    history->forces[1] = history->forces[0];
    history->stamps[1] = history->stamps[0];
    history->forces[0] = force;
    history->stamps[0] = step;
    history->count = lt_min_u32(history->count + 1, 2);
}

/* In double: squares of what holds mountains are beyond float. */
lt_vec3 lt_force_history_at(const lt_force_history *history, uint32_t step) {
    if (history->count == 0) return (lt_vec3){0, 0, 0};
    if (history->count == 1 || step == history->stamps[0]) return history->forces[0];
    lt_dvec3 last = lt_d3_from_v3(history->forces[0]), before = lt_d3_from_v3(history->forces[1]);
    double span = (double)lt_max_u32(1, history->stamps[0] - history->stamps[1]);
    double ahead = (double)(step - history->stamps[0]) / span;
    lt_dvec3 estimate = lt_d3_mad(last, lt_d3_sub(last, before), ahead);
    if (!(lt_d3_dot(estimate, last) > 0)) return (lt_vec3){0, 0, 0};
    double most = 2 * lt_max_d(lt_d3_length(last), lt_d3_length(before)), size = lt_d3_length(estimate);
    return lt_v3_from_d3(size > most ? lt_d3_scale(estimate, most / size) : estimate);
}

/* ---- histories of all contacts ---- */

static lt_contact_record key_of(const lt_force_history *h) {
    return (lt_contact_record){.a = h->a, .kind = h->kind, .b = h->b, .feature = h->feature};
}

static int compare(const lt_force_history *history, const lt_contact_record *record) {
    lt_contact_record key = key_of(history);
    return lt_contact_compare(&key, record);
}

/* Those whose contact is gone go, too; returns how many are left. */
static uint32_t drop_histories(lt_force_histories *histories, const lt_contact_list *contacts) {
    uint32_t kept = 0, contact = 0;
    for (uint32_t i = 0; i < histories->count; i++) {
        const lt_force_history *h = &histories->items[i];
        while (contact < contacts->count && compare(h, &contacts->records[contact]) > 0)
            contact++;
        if (contact < contacts->count && compare(h, &contacts->records[contact]) == 0)
            histories->items[kept++] = *h;
    }
    return kept;
}

void lt_force_histories_follow(lt_force_histories *histories, const lt_contact_list *contacts) {
    LT_ASSERT(contacts->count <= histories->capacity);
    uint32_t kept = drop_histories(histories, contacts);
    /* From behind: no place is needed before what was in it has moved. */
    for (uint32_t i = contacts->count; i-- > 0;) {
        const lt_contact_record *r = &contacts->records[i];
        if (kept > 0 && compare(&histories->items[kept - 1], r) == 0)
            histories->items[i] = histories->items[--kept];
        else
            histories->items[i] =
                (lt_force_history){.a = r->a, .kind = r->kind, .b = r->b, .feature = r->feature};
    }
    histories->count = contacts->count;
}

bool lt_force_histories_are_sound(const uint8_t *bytes, uint32_t count, uint32_t step) {
    lt_force_history before = {0}, h;
    for (uint32_t i = 0; i < count; i++, bytes += sizeof h, before = h) {
        memcpy(&h, bytes, sizeof h);
        if (h.count > 2 || h.stamps[1] > h.stamps[0] || h.stamps[0] > step) return false;
        for (int k = 0; k < 2; k++) /* twice as much must be finite, too */
            if (!lt_v3_is_finite(lt_v3_scale(h.forces[k], 4))) return false;
        lt_contact_record key = key_of(&h);
        if (i > 0 && compare(&before, &key) >= 0) return false;
    }
    return true;
}

/* ---- forces ---- */

/* The spring that sticks has been drawn at the speed of now since the force was last exact; it slides where it would pull more
 * than the cone allows. Returns its force. */
static lt_rvec3 friction_force(lt_coupling *c, lt_rvec3 along, lt_real push, float elapsed) {
    lt_rvec3 drawn = lt_r3_mad(c->stick, along, (lt_real)elapsed);
    drawn = lt_r3_mad(drawn, c->normal, -lt_r3_dot(drawn, c->normal));
    lt_rvec3 pull = lt_r3_mad(lt_r3_scale(drawn, c->stiffness), along, c->damping);
    lt_real size = lt_r3_length(pull), most = c->friction * push;
    if (size > most) {
        pull = lt_r3_scale(pull, most / size);
        drawn = lt_r3_scale(lt_r3_mad(pull, along, -c->damping), 1 / c->stiffness);
    }
    c->stick = drawn;
    return lt_r3_neg(pull);
}

/* On the side that comes first in the coupling. */
static lt_rvec3 exact_force(const lt_predicted *p, lt_coupling *c, float depth, float elapsed) {
    lt_rvec3 u = lt_anchor_gather(&c->a, p->softs[c->body_a].v);
    if (c->body_b != LT_NONE) u = lt_r3_sub(u, lt_anchor_gather(&c->b, p->softs[c->body_b].v));
    lt_real along = lt_r3_dot(u, c->normal);
    lt_real push = lt_max_r(0, c->stiffness * (lt_real)depth - c->damping * along);
    lt_rvec3 friction = friction_force(c, lt_r3_mad(u, c->normal, -along), push, elapsed);
    return lt_r3_mad(friction, c->normal, push);
}

static void hand_over_contact(lt_predicted *p, lt_coupling *c, lt_contact_record *r, lt_force_history *h) {
    lt_real sign =
        c->body_a == r->touch.body ? 1 : -1; /* the point's side may sleep: then it is not the first */
    if (r->age == 0) {
        uint32_t steps = h->count ? p->step - h->stamps[0] : 0;
        lt_rvec3 exact = exact_force(p, c, r->depth, (float)steps * p->dt);
        r->stick = lt_v3_scale(lt_v3_from_r3(c->stick), (float)sign);
        lt_force_history_add(h, lt_v3_scale(lt_v3_from_r3(exact), (float)sign), p->step);
    } else if (h->count) {
        r->age = p->step - h->stamps[0];
    }
    r->force = lt_force_history_at(h, p->step);
    lt_rvec3 force = lt_r3_scale(lt_r3_from_v3(r->force), sign);
    lt_anchor_scatter(&c->a, p->softs[c->body_a].force, force);
    if (c->body_b != LT_NONE) lt_anchor_scatter(&c->b, p->softs[c->body_b].force, lt_r3_neg(force));
}

void lt_predicted_hand_over(lt_predicted *predicted) {
    lt_predicted *p = predicted;
    lt_penalty *penalty = p->penalty;
    uint32_t kept = 0;
    LT_ASSERT(p->histories->count == penalty->contacts->count);
    for (uint32_t i = 0; i < penalty->coupling_count; i++) {
        uint32_t contact = penalty->contact_of[i];
        lt_contact_record *r = &penalty->contacts->records[contact];
        if (r->kind != LT_PAIR_OBSTACLE) {
            hand_over_contact(p, &penalty->couplings[i], r, &p->histories->items[contact]);
            continue;
        }
        penalty->couplings[kept] = penalty->couplings[i];
        penalty->contact_of[kept++] = contact;
    }
    penalty->coupling_count = kept;
    /* What slept for long has no slope any more. */
    for (uint32_t i = 0; i < penalty->contacts->count; i++)
        if (lt_contact_sleeps(&penalty->contacts->records[i], penalty->colliders))
            p->histories->items[i].count = lt_min_u32(p->histories->items[i].count, 1);
}
