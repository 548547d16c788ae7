/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* What worlds that use one shape share of its factors: the plan, and numbers. A cache of the shape (shape/shape.h): made when the first body
 * that wants a factor is added, in whatever world, and freed with the shape.
 *
 *   world ── a factor of it ──► entry: values of one key                           nobody uses it: free, its numbers stay until
 *   world ── a factor of it ──┘   pins, step of Poisson's ratio, step of β          the next who holds a free one
 *
 * A factor reserves an entry (two where work is limited) and holds no more than it reserved: there is always a free one, so that a step
 * needs no memory. Values are written by the one who holds a free entry, alone, and published when they are whole; from then on they
 * are only read. A world that finds them pays for them as if it made them: what others do is not to be seen in it.
 *
 * Under a lock are lists and counts, some hundred nanoseconds when numbers change hands; the plan once. Memory is of the
 * shape's allocator. */

#ifndef LITHE_BODY_REST_STORE_H
#define LITHE_BODY_REST_STORE_H

#include "body/rest_columns.h"

typedef struct lt_rest_key {
    uint64_t pins; /* hash of the pinned nodes; 0: none */
    int poisson, beta;
} lt_rest_key;

typedef struct lt_rest_entry {
    lt_rest_key key;
    lt_real *values; /* [lt_factor_value_count], then [lt_rest_columns_reals] */
    uint32_t user_count;
    bool ready; /* published */
} lt_rest_entry;

typedef struct lt_rest_store lt_rest_store;

/* That of the carrier's shape; NULL: no memory. */
lt_rest_store *lt_rest_store_of(const lt_carrier *carrier);
/* Of the carrier, which is that of one mesh or of a ladder's finest. */
lt_status lt_rest_store_plan(lt_rest_store *store, const lt_carrier *carrier, const lt_factor_plan **out,
                             const lt_rest_columns **columns, lt_error *error);
bool lt_rest_store_reserve(lt_rest_store *store, uint32_t count);
/* So many that nobody holds. */
void lt_rest_store_withdraw(lt_rest_store *store, uint32_t count);
/* One whose values are ready, or else a free one, to be filled by the caller. */
lt_rest_entry *lt_rest_store_hold(lt_rest_store *store, const lt_rest_key *key);
void lt_rest_store_publish(lt_rest_store *store, lt_rest_entry *entry);
void lt_rest_store_let_go(lt_rest_store *store, lt_rest_entry *entry);

#endif
