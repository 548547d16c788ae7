/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The law of a coupling: impulses over a step at relative velocity u, the partner's own motion taken out, g = Δt(Δt k + c):
 *
 *   contact, along the normal   max(0, Δt k d − g u_n)
 *   contact, across             −clip(w, b), w = Δt k τ + g u_t; b = μ × the normal impulse
 *   tether                      −(Δt k o + g u)
 *
 * Along the normal that is the slope of a convex function of u, and so it is across it for a given bound b: sums over couplings
 * can be lowered along any direction, and have one least place.
 *
 * Stages look at couplings eight at a time: a heap has thousands, and they are gone through four times an iteration. A group is eight
 * couplings as they are listed, whichever bodies they are between, so that memory is that of couplings alone; the rigid stage visits
 * a group once for each pair in it (a run). Places of nodes are in slots, one for the first node of all eight, and so on; a coupling
 * with fewer nodes has weights of zero there. Lanes behind the last coupling are zero, and answer with nothing. */

#ifndef LITHE_BODY_COUPLING_LAW_H
#define LITHE_BODY_COUPLING_LAW_H

#include "body/models.h"
#include "body/rigid_block.h"

enum { LT_LANES_OF_GROUP = 8 };
typedef lt_real lt_lanes[LT_LANES_OF_GROUP];
typedef lt_real lt_lanes3[3][LT_LANES_OF_GROUP];

/* One node of every coupling, as rows of the island's vectors; weights of side b are negative. */
typedef struct lt_coupling_slot {
    uint32_t rows[LT_LANES_OF_GROUP];
    lt_lanes weights;
} lt_coupling_slot;

typedef struct lt_coupling_group {
    /* Input */
    lt_lanes3 normal;  /* zero of tethers */
    lt_lanes3 hold;    /* Δt k τ, Δt k o */
    lt_lanes3 partner; /* velocity of the thing of infinite mass */
    lt_lanes3 arm;     /* m, from the centre of a to where both sides get their moment */
    lt_lanes gain;     /* g */
    lt_lanes push;     /* Δt k d; nothing of tethers */
    lt_lanes friction; /* LT_NO_LIMIT: a tether */
    /* State of the solve */
    lt_lanes3 u;       /* at present */
    lt_lanes3 change;  /* of u along the direction that is searched */
    lt_lanes3 impulse; /* on a, as it was looked at last */
    lt_lanes bound;    /* of friction, N s, likewise */
    /* Whose they are */
    uint32_t couplings[LT_LANES_OF_GROUP];
    uint32_t count;      /* of couplings */
    uint32_t slot_begin; /* of the island's slots: those of sides a, then those of sides b */
    uint32_t a_slots, slot_count;
} lt_coupling_group;

/* Couplings [begin, end) of a group, all of one pair. */
typedef struct lt_coupling_run {
    uint32_t group, pair;
    uint32_t begin, end;
} lt_coupling_run;

typedef struct lt_rigid_pair {
    uint32_t a, b;           /* members; b LT_NONE: of infinite mass */
    double shift[3];         /* centre of a − centre of b */
    double motion[LT_RIGID]; /* of a as b sees it, about the centre of a: input of a look; */
    double step[LT_RIGID];   /* a change of it: of a closing step */
    lt_block6 moments;       /* Σ Jᵀ G J about the centre of a */
    double wrench[LT_RIGID]; /* Σ Jᵀ λ likewise, on a */
} lt_rigid_pair;

/* All couplings of an island between implicit members and things of infinite mass. */
typedef struct lt_coupling_set {
    lt_coupling_group *groups; /* [group_count] as couplings are listed */
    lt_coupling_slot *slots;   /* [slot_capacity] */
    lt_coupling_run *runs;     /* [run_count] ascending */
    uint32_t count, group_count, slot_capacity, run_count;
} lt_coupling_set;

/* What the rigid stage wants of a look. */
typedef enum lt_look {
    LT_LOOK_WRENCH, /* Σ Jᵀ λ alone */
    LT_LOOK_MOMENTS, /* and Σ Jᵀ G J, G = across·(I − s sᵀ) + (normal − across) n nᵀ, s: where friction slides to */
    LT_LOOK_SECANT, /* and that without s sᵀ: friction that slides ends where its way does */
    LT_LOOK_HELD    /* as MOMENTS, and contacts that do not push answer along their normal as if they did */
} lt_look;

typedef struct lt_coupling_kernels {
    /* u = J v − partner */
    void (*look)(const lt_coupling_set *set, const lt_real *v);
    /* Bounds and impulses at u; r += Jᵀ λ */
    void (*answer)(const lt_coupling_set *set, lt_real *r);
    /* change = J p; slope and curvature of φ's couplings along it, where they are */
    void (*begin_line)(const lt_coupling_set *set, const lt_real *p, double *slope, double *curvature);
    /* The slope at u + t change, with bounds as they are; */
    double (*slope)(const lt_coupling_set *set, lt_real t);
    /* and goes there. */
    void (*advance)(const lt_coupling_set *set, lt_real t);
    /* Of one group: J v by side a alone, and by both. */
    void (*gather)(const lt_coupling_set *set, uint32_t group, const lt_real *v, lt_lanes3 a, lt_lanes3 both);
    /* Of one group: how much impulse answers a change of u, along the normal and across it; see LT_LOOK_MOMENTS. */
    void (*gains)(const lt_coupling_set *set, uint32_t group, lt_lanes normal, lt_lanes across);
    /* Impulses at u + the pairs' motions, and what they add up to on every pair. */
    void (*look_rigid)(const lt_coupling_set *set, lt_rigid_pair *pairs, uint32_t pair_count, lt_look look);
    /* Closing steps: what contacts change by in the pairs' steps, and whether that brings any near that is not yet: those add to moments as
     * if they pushed; `again`: beside what the last such look found; */
    bool (*look_near)(const lt_coupling_set *set, lt_rigid_pair *pairs, bool again);
    /* and impulses that are linear in the pairs' steps, λ − G J step, with those as if they pushed. */
    void (*close_rigid)(const lt_coupling_set *set, lt_rigid_pair *pairs);
    /* u = the pairs' motions − partner, or more by them. */
    void (*set_rigid)(const lt_coupling_set *set, const lt_rigid_pair *pairs);
    void (*add_rigid)(const lt_coupling_set *set, const lt_rigid_pair *pairs);
} lt_coupling_kernels;

const lt_coupling_kernels *lt_coupling_kernels_for(lt_simd_level level);

static inline lt_rvec3 lt_lanes_get(const lt_lanes3 values, uint32_t lane) {
    return (lt_rvec3){values[0][lane], values[1][lane], values[2][lane]};
}
static inline void lt_lanes_set(lt_lanes3 values, uint32_t lane, lt_rvec3 value) {
    values[0][lane] = value.x;
    values[1][lane] = value.y;
    values[2][lane] = value.z;
}

static inline lt_rvec3 lt_across_normal(lt_rvec3 normal, lt_rvec3 v) {
    return lt_r3_mad(v, normal, -lt_r3_dot(normal, v));
}

#endif
