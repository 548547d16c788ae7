/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The exact halves of the predicates.
 *
 * An expansion is an array of doubles, smallest first, whose exact sum is the value; no two overlap, zeros
 * are left out (a value of zero is one zero). The largest here is orient3d's: three products of a
 * two-term difference and a sixteen-term 2x2 minor, 3 * 64 terms. Coordinates that come from floats of
 * similar size have one-term differences, and then it is 24 terms. */

#include "mesh/predicates.h"

/* sum + *error is exactly a + b. */
static double two_sum(double a, double b, double *error) {
    double sum = a + b;
    double b_part = sum - a, a_part = sum - b_part;
    *error = (a - a_part) + (b - b_part);
    return sum;
}

/* Splits a into two halves of at most 26 significant bits each. */
static void split(double a, double *high, double *low) {
    double scaled = 134217729.0 * a; /* 2^27 + 1 */
    *high = scaled - (scaled - a);
    *low = a - *high;
}

/* product + *error is exactly a * b. */
static double two_product(double a, double b, double *error) {
    double product = a * b, a_high, a_low, b_high, b_low;
    split(a, &a_high, &a_low);
    split(b, &b_high, &b_low);
    *error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    return product;
}

static void push_nonzero(double *h, int *count, double term) {
    if (term != 0) h[(*count)++] = term;
}

/* h = a - b, at most 2 terms; returns their number. */
static int difference(double a, double b, double h[2]) {
    double low, high = two_sum(a, -b, &low);
    int count = 0;
    push_nonzero(h, &count, low);
    if (high != 0 || count == 0) h[count++] = high;
    return count;
}

/* h = e + f, at most m + n terms; h may not alias e or f. */
static int sum_expansions(int m, const double *e, int n, const double *f, double *h) {
    int i = 0, j = 0, count = 0;
    double total = 0, low;
    while (i < m || j < n) {
        bool take_e = j == n || (i < m && fabs(e[i]) < fabs(f[j]));
        total = two_sum(total, take_e ? e[i++] : f[j++], &low);
        push_nonzero(h, &count, low);
    }
    if (total != 0 || count == 0) h[count++] = total;
    return count;
}

/* h = e * b, at most 2m terms. */
static int scale_expansion(int m, const double *e, double b, double *h) {
    double low, carry, total = two_product(e[0], b, &low);
    int count = 0;
    push_nonzero(h, &count, low);
    for (int i = 1; i < m; i++) {
        double high = two_product(e[i], b, &carry);
        double sum = two_sum(total, carry, &low);
        push_nonzero(h, &count, low);
        total = two_sum(high, sum, &low);
        push_nonzero(h, &count, low);
    }
    if (total != 0 || count == 0) h[count++] = total;
    return count;
}

/* h = e * f for an f of one or two terms and an e of at most 16; at most 4m terms. */
static int multiply_expansions(int m, const double *e, int n, const double *f, double *h) {
    double low[32], high[32];
    if (n == 1) return scale_expansion(m, e, f[0], h);
    int low_count = scale_expansion(m, e, f[0], low);
    int high_count = scale_expansion(m, e, f[1], high);
    return sum_expansions(low_count, low, high_count, high, h);
}

/* A difference of coordinates. */
typedef struct entry {
    double terms[2];
    int count;
} entry;

static entry entry_of(double a, double b) {
    entry e;
    e.count = difference(a, b, e.terms);
    return e;
}

/* h = a * d - b * c, at most 16 terms. */
static int minor_of(const entry *a, const entry *b, const entry *c, const entry *d, double h[16]) {
    double left[8], right[8];
    int left_count = multiply_expansions(a->count, a->terms, d->count, d->terms, left);
    int right_count = multiply_expansions(b->count, b->terms, c->count, c->terms, right);
    for (int i = 0; i < right_count; i++)
        right[i] = -right[i];
    return sum_expansions(left_count, left, right_count, right, h);
}

int lt_orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy) {
    entry ab_x = entry_of(bx, ax), ab_y = entry_of(by, ay), ac_x = entry_of(cx, ax), ac_y = entry_of(cy, ay);
    double det[16];
    int count = minor_of(&ab_x, &ab_y, &ac_x, &ac_y, det);
    return lt_sign_of(det[count - 1]);
}

int lt_orient3d_exact(lt_dvec3 a, lt_dvec3 b, lt_dvec3 c, lt_dvec3 d) {
    const entry rows[3][3] = {{entry_of(b.x, a.x), entry_of(b.y, a.y), entry_of(b.z, a.z)},
                              {entry_of(c.x, a.x), entry_of(c.y, a.y), entry_of(c.z, a.z)},
                              {entry_of(d.x, a.x), entry_of(d.y, a.y), entry_of(d.z, a.z)}};
    double det[192], term[64], minor[16], before[128];
    int count = 0;
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        int minor_count = minor_of(&rows[1][u], &rows[1][v], &rows[2][u], &rows[2][v], minor);
        int term_count = multiply_expansions(minor_count, minor, rows[0][k].count, rows[0][k].terms, term);
        for (int i = 0; i < count; i++)
            before[i] = det[i];
        count = sum_expansions(count, before, term_count, term, det);
    }
    return lt_sign_of(det[count - 1]);
}

/* The sign of the minor that is left of the 4x4 matrix with rows (x, y, z, 1) after some rows and as many of
 * its first three columns were struck out. */
static int minor_sign(const lt_dvec3 points[4], const int *rows, int row_count, const int *columns) {
    if (row_count == 1) return 1;
    int u = columns[0], v = columns[1];
    const lt_dvec3 *a = &points[rows[0]], *b = &points[rows[1]];
    if (row_count == 2) return lt_sign_of(lt_d3_get(*a, u) - lt_d3_get(*b, u));
    const lt_dvec3 *c = &points[rows[2]];
    return lt_orient2d(lt_d3_get(*a, u), lt_d3_get(*a, v), lt_d3_get(*b, u), lt_d3_get(*b, v),
                       lt_d3_get(*c, u), lt_d3_get(*c, v));
}

static void strike_out(int *items, int count, int position) {
    for (int i = position; i + 1 < count; i++)
        items[i] = items[i + 1];
}

static int position_of(const int *items, int count, int item) {
    for (int i = 0; i < count; i++)
        if (items[i] == item) return i;
    return -1;
}

/* The sign of the coefficient of one product of perturbations, 0 also when the product does not occur.
 * Bit 3r + c of `mask` says that the perturbation of coordinate c of point r is a factor. */
static int coefficient_sign(const lt_dvec3 points[4], unsigned mask) {
    int rows[4] = {0, 1, 2, 3}, columns[4] = {0, 1, 2, 3}; /* column 3 is the ones */
    int count = 4, sign = 1;
    for (int bit = 0; mask >> bit; bit++) {
        if (!((mask >> bit) & 1)) continue;
        int row = position_of(rows, count, bit / 3), column = position_of(columns, count, bit % 3);
        if (row < 0 || column < 0) return 0;
        if ((row + column) & 1) sign = -sign;
        strike_out(rows, count, row);
        strike_out(columns, count, column);
        count--;
    }
    return sign * minor_sign(points, rows, count, columns);
}

/* Point i moves by e^(2^(3i + c)) in coordinate c, e infinitesimal: the determinant is then a polynomial in
 * e whose terms, most significant first, are the subsets `mask` in counting order; the sign is that of the
 * first coefficient that is not zero. Only the order of the ids matters to the order of the terms, so ids
 * are replaced by ranks. Mask 84 (z of point 0, y of 1, x of 2) has the coefficient one: the loop ends. */
int lt_orient3d_perturbed(const lt_dvec3 points[4], const uint32_t ids[4]) {
    int sign = lt_orient3d(points[0], points[1], points[2], points[3]);
    if (sign != 0) return sign;
    lt_dvec3 sorted[4];
    uint32_t keys[4];
    int parity = -1; /* lt_orient3d is minus the 4x4 determinant */
    for (int i = 0; i < 4; i++) {
        int j = i;
        for (; j > 0 && keys[j - 1] > ids[i]; j--, parity = -parity) {
            keys[j] = keys[j - 1];
            sorted[j] = sorted[j - 1];
        }
        LT_ASSERT(j == 0 || keys[j - 1] != ids[i]);
        keys[j] = ids[i];
        sorted[j] = points[i];
    }
    for (unsigned mask = 1; sign == 0; mask++)
        sign = coefficient_sign(sorted, mask);
    return sign * parity;
}
