/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Work units of the pieces of an implicit step: from counts of nodes, tets, couplings and pairs alone, so that they are the same on
 * every machine and known before a piece begins. A unit is 0.6 to 2 ns, as it is of all other work (core/budget.h). */

#ifndef LITHE_BODY_IMPLICIT_UNITS_H
#define LITHE_BODY_IMPLICIT_UNITS_H

#include "body/implicit.h"

/* Of a look at couplings: by a motion of their bodies as wholes, or through nodes. */
uint64_t lt_units_of_rigid_looks(const lt_implicit *s, uint64_t looks);
uint64_t lt_units_of_node_looks(const lt_implicit *s, uint64_t looks);
/* A round of Newton with so many looks, `gradients` iterations in the place of a factor. */
uint64_t lt_units_of_round(const lt_implicit *s, lt_newton_cost cost);
lt_newton_cost lt_most_of_round(const lt_implicit *s);
lt_newton_cost lt_most_of_close(const lt_implicit *s);

/* Of a member: its place in a step before and after the stages; stage 1; a product; a look at its energy at the end; its inverse diagonal
 * blocks; the preconditioner. */
uint64_t lt_units_of_place(const lt_member *member);
uint64_t lt_units_of_deform(const lt_member *member);
uint64_t lt_units_of_product(const lt_member *member);
uint64_t lt_units_of_check(const lt_member *member);
uint64_t lt_units_of_blocks(const lt_member *member);
/* … alone; of members [begin, end) of the island's order, one piece: no more than of each alone. */
uint64_t lt_units_of_precondition(const lt_implicit *s, const lt_member *member);
uint64_t lt_units_of_preconditions(const lt_implicit *s, uint32_t begin, uint32_t end);

/* Of an island: what stages 0 and 3 need beside their rounds; a search with so many looks; the vectors of an iteration. */
uint64_t lt_units_of_begin(const lt_implicit *s);
uint64_t lt_units_of_momentum(const lt_implicit *s);
uint64_t lt_units_of_search(const lt_implicit *s, uint64_t looks);
uint64_t lt_units_of_residual(const lt_implicit *s);
uint64_t lt_units_of_vectors(const lt_implicit *s);
/* Of patches: making them, by how many nodes and couplings there may be; and a correction. 0 where the island can have none. */
uint64_t lt_units_of_patches(const lt_implicit *s);
uint64_t lt_units_of_correction(const lt_implicit *s);
/* Mode paper of ladders. */
uint64_t lt_units_of_fas_begin(const lt_implicit *s);
uint64_t lt_units_of_fas_cycle(const lt_implicit *s);

#endif
