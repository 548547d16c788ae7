/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* How the grid is built. Everything below is in grid units: node (i, j, k) is the point (i, j, k).
 *
 *   band     every triangle gives its exact distance to the nodes within 1.5 cells
 *   sweeps   8 passes hand the id of the closest triangle on to neighbours, which measure to it
 *   cap      open edges are joined to one point, so that surface and cap together are closed
 *   cuts     every grid edge that a triangle (of surface or cap) crosses or nearly touches is marked
 *   regions  nodes connected by unmarked edges see the same winding number W of the closed whole: it is
 *            summed once per region (Van Oosterom & Strackee 1983); the winding number of the surface
 *            alone is W minus that of the cap, which has few triangles
 *
 * A missed cut would turn the sign of a whole region, a superfluous one costs one sum more: hence TOUCH.
 * Nodes nearer than ON_SURFACE have no sign to speak of and belong to no region. */

#include "mesh/distance_grid.h"

#include "core/hash.h"
#include "mesh/closest.h"

#include <string.h>

#define BAND       1.5
#define TOUCH      1e-6 /* tolerance of a cut */
#define THIN       1e-5 /* a triangle seen so edge-on that where it is crossed cannot be computed */
#define ON_SURFACE 1e-4f
#define PI         3.14159265358979323846

enum { CELLS_DEFAULT = 64, CELLS_MAX = 1024, PADDING_DEFAULT = 2, PADDING_MAX = 256, MARK_VISITED = 8 };

/* Nodes × open edges, about 20 ns each: ten seconds. */
static const uint64_t OPEN_WORK_MAX = (uint64_t)1 << 29;

typedef struct build {
    /* Input. */
    const lt_surface *surface;
    lt_allocator allocator;
    lt_distance_grid_header header;
    size_t node_count;
    lt_dvec3 *vertices; /* [vertex_count + 1]; the last is the apex of the cap */
    /* State. */
    float *distances;  /* [node_count], unsigned; becomes the values */
    uint32_t *closest; /* [node_count] triangle, or LT_NONE */
    uint8_t *marks;    /* [node_count], bit a: the edge to the next node along axis a is cut */
    uint32_t *queue;   /* [node_count], nodes of one region */
    uint32_t *welded;  /* [vertex_count], the first vertex at the same place */
    uint32_t *cap;     /* [header.open_edge_count][3] */
    uint32_t cap_used;
} build;

static size_t node_at(const build *b, uint32_t i, uint32_t j, uint32_t k) {
    return ((size_t)k * b->header.size[1] + j) * b->header.size[0] + i;
}

/* ---- distances ---- */

static double segment_distance_squared(lt_dvec3 p, lt_dvec3 a, lt_dvec3 b) {
    lt_dvec3 ab = lt_d3_sub(b, a), ap = lt_d3_sub(p, a);
    double length_squared = lt_d3_dot(ab, ab), t = lt_d3_dot(ap, ab);
    t = t <= 0 ? 0 : t >= length_squared ? 1 : t / length_squared;
    return lt_d3_length_squared(lt_d3_sub(ap, lt_d3_scale(ab, t)));
}

/* Above the triangle: the height over its plane. Elsewhere: the nearest edge. Degenerate ones have only
 * edges. */
static double triangle_distance_squared(lt_dvec3 p, lt_dvec3 a, lt_dvec3 b, lt_dvec3 c) {
    lt_dvec3 ab = lt_d3_sub(b, a), ac = lt_d3_sub(c, a), ap = lt_d3_sub(p, a);
    lt_dvec3 normal = lt_d3_cross(ab, ac);
    double normal_squared = lt_d3_dot(normal, normal);
    if (normal_squared > 1e-20 * lt_d3_dot(ab, ab) * lt_d3_dot(ac, ac)) {
        double to_c = lt_d3_dot(lt_d3_cross(ab, ap), normal);
        double to_b = lt_d3_dot(lt_d3_cross(ap, ac), normal);
        if (to_c >= 0 && to_b >= 0 && to_b + to_c <= normal_squared) {
            double height = lt_d3_dot(ap, normal);
            return height * height / normal_squared;
        }
    }
    double d = lt_min_d(segment_distance_squared(p, a, b), segment_distance_squared(p, a, c));
    return lt_min_d(d, segment_distance_squared(p, b, c));
}

static void offer_triangle(build *b, size_t node, lt_dvec3 p, uint32_t triangle) {
    LT_ASSERT(node < b->node_count);
    const uint32_t *t = lt_triangle_at(b->surface, triangle);
    double squared = triangle_distance_squared(p, b->vertices[t[0]], b->vertices[t[1]], b->vertices[t[2]]);
    float distance = (float)sqrt(squared);
    if (distance < b->distances[node]) {
        b->distances[node] = distance;
        b->closest[node] = triangle;
    }
}

/* Nodes i with lo - margin <= i <= hi + margin, as [begin, end). */
typedef struct span {
    uint32_t begin, end;
} span;

static span span_of(double lo, double hi, double margin, uint32_t size) {
    double first = ceil(lo - margin), last = floor(hi + margin);
    if (last < 0 || first >= (double)size) return (span){0, 0};
    return (span){first > 0 ? (uint32_t)first : 0, last < (double)size - 1 ? (uint32_t)last + 1 : size};
}

static void triangle_box(const build *b, const uint32_t *t, lt_dvec3 *lo, lt_dvec3 *hi) {
    lt_dvec3 p = b->vertices[t[0]], q = b->vertices[t[1]], r = b->vertices[t[2]];
    *lo = lt_d3_min(p, lt_d3_min(q, r));
    *hi = lt_d3_max(p, lt_d3_max(q, r));
}

static void fill_band_of_triangle(build *b, uint32_t triangle) {
    const uint32_t *t = lt_triangle_at(b->surface, triangle), *size = b->header.size;
    lt_dvec3 a = b->vertices[t[0]], lo, hi;
    lt_dvec3 normal = lt_d3_cross(lt_d3_sub(b->vertices[t[1]], a), lt_d3_sub(b->vertices[t[2]], a));
    normal = lt_d3_normalize_or(normal, (lt_dvec3){0, 0, 0});
    triangle_box(b, t, &lo, &hi);
    span x = span_of(lo.x, hi.x, BAND, size[0]), y = span_of(lo.y, hi.y, BAND, size[1]);
    span z = span_of(lo.z, hi.z, BAND, size[2]);
    for (uint32_t k = z.begin; k < z.end; k++)
        for (uint32_t j = y.begin; j < y.end; j++)
            for (uint32_t i = x.begin; i < x.end; i++) {
                lt_dvec3 p = {i, j, k};
                /* The box of a large slanted triangle is mostly empty. */
                if (fabs(lt_d3_dot(normal, lt_d3_sub(p, a))) <= BAND)
                    offer_triangle(b, node_at(b, i, j, k), p, triangle);
            }
}

/* The seven neighbours that a sweep has passed before a node, and how far they are. */
typedef struct sweep {
    int step[3]; /* +1 or -1 along each axis */
    ptrdiff_t offset[8];
    float length[8];
} sweep;

static sweep make_sweep(const build *b, int direction) {
    static const float lengths[] = {0, 1, 1.4142136f, 1.7320509f};
    sweep s;
    ptrdiff_t strides[3] = {1, b->header.size[0], (ptrdiff_t)b->header.size[0] * b->header.size[1]};
    for (int axis = 0; axis < 3; axis++)
        s.step[axis] = direction >> axis & 1 ? -1 : 1;
    for (int corner = 0; corner < 8; corner++) {
        int moved = 0;
        s.offset[corner] = 0;
        for (int axis = 0; axis < 3; axis++) {
            if (!(corner >> axis & 1)) continue;
            s.offset[corner] -= s.step[axis] * strides[axis];
            moved++;
        }
        s.length[corner] = lengths[moved];
    }
    return s;
}

/* Takes over the triangle of each neighbour in `corners` (bits of the axes along which there is one),
 * unless it cannot be nearer: a distance changes by at most the way walked. */
static void sweep_node(build *b, const sweep *s, size_t node, lt_dvec3 p, int corners) {
    LT_ASSERT(node < b->node_count);
    for (int corner = 1; corner < 8; corner++) {
        if (corner & ~corners) continue;
        size_t neighbour = (size_t)((ptrdiff_t)node + s->offset[corner]);
        uint32_t triangle = b->closest[neighbour];
        if (triangle == LT_NONE || triangle == b->closest[node]) continue;
        if (b->distances[neighbour] - s->length[corner] < b->distances[node])
            offer_triangle(b, node, p, triangle);
    }
}

static void run_sweep(build *b, int direction) {
    const uint32_t *size = b->header.size;
    sweep s = make_sweep(b, direction);
    for (uint32_t kk = 0; kk < size[2]; kk++) {
        uint32_t k = s.step[2] > 0 ? kk : size[2] - 1 - kk;
        for (uint32_t jj = 0; jj < size[1]; jj++) {
            uint32_t j = s.step[1] > 0 ? jj : size[1] - 1 - jj;
            for (uint32_t ii = 0; ii < size[0]; ii++) {
                uint32_t i = s.step[0] > 0 ? ii : size[0] - 1 - ii;
                size_t node = node_at(b, i, j, k);
                if (b->distances[node] <= (float)BAND) continue; /* exact already */
                sweep_node(b, &s, node, (lt_dvec3){i, j, k}, (ii > 0) | (jj > 0) << 1 | (kk > 0) << 2);
            }
        }
    }
}

static void compute_distances(build *b) {
    for (size_t node = 0; node < b->node_count; node++) {
        b->distances[node] = 3e38f;
        b->closest[node] = LT_NONE;
    }
    for (uint32_t triangle = 0; triangle < b->surface->triangle_count; triangle++)
        fill_band_of_triangle(b, triangle);
    for (int direction = 0; direction < 8; direction++)
        run_sweep(b, direction);
}

/* ---- the cap ---- */

static size_t table_size(size_t count) {
    size_t size = 16;
    while (size < 2 * count)
        size *= 2;
    return size;
}

static uint64_t place_hash(lt_vec3 p) {
    lt_vec3 without_minus_zero = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
    return lt_hash_bytes(LT_HASH_SEED, &without_minus_zero, sizeof without_minus_zero);
}

/* Vertices at the same place count as one: files without shared vertices are not full of holes. */
static lt_status weld_vertices(build *b, lt_error *error) {
    const lt_surface *s = b->surface;
    size_t size = table_size(s->vertex_count);
    uint32_t *table = LT_NEW(&b->allocator, size, uint32_t); /* vertex + 1 */
    if (!table) return lt_fail(error, LT_STATUS_MEMORY, "distance grid: no memory to weld vertices");
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        lt_vec3 p = s->positions[v];
        size_t slot = place_hash(p) & (size - 1);
        for (; table[slot]; slot = (slot + 1) & (size - 1)) {
            lt_vec3 q = s->positions[table[slot] - 1];
            if (p.x == q.x && p.y == q.y && p.z == q.z) break;
        }
        if (!table[slot]) table[slot] = v + 1;
        b->welded[v] = table[slot] - 1;
    }
    LT_DELETE(&b->allocator, table, size, uint32_t);
    return LT_OK;
}

/* How often an edge is passed from its lower to its higher end, less the other way; 0 where the surface is
 * closed. */
typedef struct edge_balance {
    uint32_t lower, higher; /* both 0: a free slot */
    int32_t balance;
} edge_balance;

static edge_balance *find_edge(edge_balance *table, size_t size, uint32_t p, uint32_t q) {
    uint32_t lower = lt_min_u32(p, q), higher = lt_max_u32(p, q);
    size_t slot = lt_hash_u64(LT_HASH_SEED, (uint64_t)higher << 32 | lower) & (size - 1);
    while (table[slot].higher && (table[slot].lower != lower || table[slot].higher != higher))
        slot = (slot + 1) & (size - 1);
    table[slot].lower = lower;
    table[slot].higher = higher;
    return &table[slot];
}

typedef void edge_visit(build *b, edge_balance *edge, uint32_t from, uint32_t to);

static void visit_edges(build *b, edge_balance *table, size_t size, edge_visit *visit) {
    for (uint32_t i = 0; i < b->surface->triangle_count; i++) {
        const uint32_t *t = lt_triangle_at(b->surface, i);
        for (int c = 0; c < 3; c++) {
            uint32_t from = b->welded[t[c]], to = b->welded[t[(c + 1) % 3]];
            if (from != to) visit(b, find_edge(table, size, from, to), from, to);
        }
    }
}

static void count_edge(build *b, edge_balance *edge, uint32_t from, uint32_t to) {
    (void)b;
    edge->balance += from < to ? 1 : -1;
}

/* Triangles that pass the edge the other way, as often as it takes to balance it. */
static void cap_edge(build *b, edge_balance *edge, uint32_t from, uint32_t to) {
    (void)from, (void)to;
    for (; edge->balance != 0; edge->balance -= edge->balance > 0 ? 1 : -1) {
        uint32_t *triangle = b->cap + 3 * (size_t)b->cap_used++;
        triangle[0] = edge->balance > 0 ? edge->higher : edge->lower;
        triangle[1] = edge->balance > 0 ? edge->lower : edge->higher;
        triangle[2] = b->surface->vertex_count;
    }
}

/* Somewhere amid the open edges, but off the planes that both edges and nodes like to lie in: nodes in
 * the cap would be regions of their own. */
static lt_dvec3 cap_apex(const build *b) {
    lt_dvec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < b->header.open_edge_count; i++)
        sum = lt_d3_add(sum, b->vertices[b->cap[3 * (size_t)i]]);
    sum = lt_d3_scale(sum, 1.0 / b->header.open_edge_count);
    return lt_d3_add(sum, (lt_dvec3){0.1371, 0.0713, 0.1913});
}

static lt_status allocate_cap(build *b, uint64_t open_edge_count, lt_error *error) {
    if (open_edge_count * b->node_count > OPEN_WORK_MAX)
        return lt_fail(
            error, LT_STATUS_INVALID,
            "distance grid: %llu open edges are too many for %zu nodes; close the surface, or ask for "
            "fewer cells",
            (unsigned long long)open_edge_count, b->node_count);
    b->header.open_edge_count = (uint32_t)open_edge_count;
    b->cap = LT_NEW(&b->allocator, 3 * open_edge_count, uint32_t);
    return b->cap ? LT_OK : lt_fail(error, LT_STATUS_MEMORY, "distance grid: no memory for its cap");
}

static lt_status build_cap(build *b, lt_error *error) {
    lt_status status = weld_vertices(b, error);
    if (status != LT_OK) return status;
    size_t size = table_size(3 * (size_t)b->surface->triangle_count);
    edge_balance *table = LT_NEW(&b->allocator, size, edge_balance);
    if (!table) return lt_fail(error, LT_STATUS_MEMORY, "distance grid: no memory for edges");
    visit_edges(b, table, size, count_edge);
    uint64_t open_edge_count = 0;
    for (size_t i = 0; i < size; i++)
        open_edge_count += (uint64_t)(table[i].balance < 0 ? -table[i].balance : table[i].balance);
    status = allocate_cap(b, open_edge_count, error);
    if (status == LT_OK && open_edge_count) {
        visit_edges(b, table, size, cap_edge);
        LT_ASSERT(b->cap_used == b->header.open_edge_count);
        b->vertices[b->surface->vertex_count] = cap_apex(b);
    }
    LT_DELETE(&b->allocator, table, size, edge_balance);
    return status;
}

/* ---- cuts ---- */

typedef struct point2 {
    double u, v;
} point2;

static double cross2(point2 o, point2 p, point2 q) {
    return (p.u - o.u) * (q.v - o.v) - (p.v - o.v) * (q.u - o.u);
}

static double distance2(point2 p, point2 q) {
    return sqrt((p.u - q.u) * (p.u - q.u) + (p.v - q.v) * (p.v - q.v));
}

/* A triangle seen along an axis. */
typedef struct projection {
    point2 corner[3];
    double along[3];   /* third coordinate of the corners */
    double length[3];  /* of the edge from each corner to the next */
    double twice_area; /* signed */
    int longest;       /* edge */
    bool thin;
} projection;

static projection project_triangle(const build *b, const uint32_t *t, int axis) {
    LT_ASSERT(axis >= 0 && axis < 3);
    projection p;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int c = 0; c < 3; c++) {
        lt_dvec3 x = b->vertices[t[c]];
        p.corner[c] = (point2){lt_d3_get(x, u), lt_d3_get(x, v)};
        p.along[c] = lt_d3_get(x, axis);
    }
    p.longest = 0;
    for (int c = 0; c < 3; c++) {
        p.length[c] = distance2(p.corner[c], p.corner[(c + 1) % 3]);
        if (p.length[c] > p.length[p.longest]) p.longest = c;
    }
    p.twice_area = cross2(p.corner[0], p.corner[1], p.corner[2]);
    p.thin = fabs(p.twice_area) <= THIN * p.length[p.longest];
    return p;
}

/* Whether the grid line through q meets the triangle, nearly meeting it included; where, as [*lo, *hi]. */
static bool line_meets(const projection *p, point2 q, double *lo, double *hi) {
    double least = lt_min_d(p->along[0], lt_min_d(p->along[1], p->along[2]));
    double most = lt_max_d(p->along[0], lt_max_d(p->along[1], p->along[2]));
    double turn = p->twice_area < 0 ? -1 : 1;
    double sides[3];
    for (int c = 0; c < 3; c++)
        sides[c] = turn * cross2(p->corner[c], p->corner[(c + 1) % 3], q);
    if (p->thin) {
        *lo = least - TOUCH;
        *hi = most + TOUCH;
        return fabs(sides[p->longest]) <= (THIN + TOUCH) * p->length[p->longest];
    }
    for (int c = 0; c < 3; c++)
        if (sides[c] < -TOUCH * p->length[c]) return false;
    /* sides[c] / area is the barycentric weight of the corner opposite to edge c. */
    double w =
        (sides[1] * p->along[0] + sides[2] * p->along[1] + sides[0] * p->along[2]) / fabs(p->twice_area);
    w = lt_min_d(lt_max_d(w, least), most);
    *lo = w - TOUCH;
    *hi = w + TOUCH;
    return true;
}

static void mark_cuts(build *b, size_t line, size_t stride, int axis, double lo, double hi) {
    LT_ASSERT(axis >= 0 && axis < 3);
    uint32_t last_edge = b->header.size[axis] - 2;
    if (hi < 0 || lo > (double)last_edge + 1) return;
    uint32_t begin = lo > 0 ? (uint32_t)lo : 0, end = lt_min_u32((uint32_t)hi, last_edge);
    for (uint32_t i = begin; i <= end; i++)
        b->marks[line + i * stride] |= (uint8_t)(1 << axis);
}

static void cut_along_axis(build *b, const uint32_t *t, int axis) {
    LT_ASSERT(axis >= 0 && axis < 3);
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const uint32_t *size = b->header.size;
    size_t strides[3] = {1, size[0], (size_t)size[0] * size[1]};
    lt_dvec3 lo, hi;
    triangle_box(b, t, &lo, &hi);
    span across_u = span_of(lt_d3_get(lo, u), lt_d3_get(hi, u), TOUCH, size[u]);
    span across_v = span_of(lt_d3_get(lo, v), lt_d3_get(hi, v), TOUCH, size[v]);
    projection p = project_triangle(b, t, axis);
    for (uint32_t j = across_v.begin; j < across_v.end; j++)
        for (uint32_t i = across_u.begin; i < across_u.end; i++) {
            double first, last;
            if (line_meets(&p, (point2){i, j}, &first, &last))
                mark_cuts(b, i * strides[u] + j * strides[v], strides[axis], axis, first, last);
        }
}

static void compute_cuts(build *b) {
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < b->surface->triangle_count; i++)
            cut_along_axis(b, lt_triangle_at(b->surface, i), axis);
        for (uint32_t i = 0; i < b->header.open_edge_count; i++)
            cut_along_axis(b, b->cap + 3 * (size_t)i, axis);
    }
}

/* ---- signs ---- */

/* Winding number of `count` triangles around p. */
static double winding_number(const build *b, const uint32_t *triangles, uint32_t count, lt_dvec3 p) {
    double angles = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *t = triangles + 3 * (size_t)i;
        const lt_dvec3 corners[3] = {b->vertices[t[0]], b->vertices[t[1]], b->vertices[t[2]]};
        angles += lt_solid_angle(corners, p);
    }
    return angles / (4 * PI);
}

static lt_dvec3 node_point(const build *b, size_t node) {
    const uint32_t *size = b->header.size;
    return (lt_dvec3){(double)(node % size[0]), (double)(node / size[0] % size[1]),
                      (double)(node / size[0] / size[1])};
}

static double cap_winding_number(const build *b, size_t node) {
    if (b->header.open_edge_count == 0) return 0;
    return winding_number(b, b->cap, b->header.open_edge_count, node_point(b, node));
}

static void visit_node(build *b, size_t node, uint32_t *count) {
    LT_ASSERT(node < b->node_count);
    if (b->marks[node] & MARK_VISITED) return;
    b->marks[node] |= MARK_VISITED;
    if (b->distances[node] >= ON_SURFACE) b->queue[(*count)++] = (uint32_t)node;
}

/* Gathers in b->queue all nodes that can be reached from `seed` without crossing a cut. */
static uint32_t collect_region(build *b, size_t seed) {
    const uint32_t *size = b->header.size;
    const size_t strides[3] = {1, size[0], (size_t)size[0] * size[1]};
    uint32_t count = 0;
    visit_node(b, seed, &count);
    for (uint32_t next = 0; next < count; next++) {
        size_t node = b->queue[next];
        for (int axis = 0; axis < 3; axis++) {
            uint32_t i = (uint32_t)(node / strides[axis] % size[axis]);
            int cut = 1 << axis;
            if (i + 1 < size[axis] && !(b->marks[node] & cut)) visit_node(b, node + strides[axis], &count);
            if (i > 0 && !(b->marks[node - strides[axis]] & cut)) visit_node(b, node - strides[axis], &count);
        }
    }
    return count;
}

static void sign_region(build *b, uint32_t count) {
    size_t deepest = b->queue[0];
    for (uint32_t i = 1; i < count; i++)
        if (b->distances[b->queue[i]] > b->distances[deepest]) deepest = b->queue[i];
    const lt_surface *s = b->surface;
    double closed = winding_number(b, s->triangles, s->triangle_count, node_point(b, deepest)) +
                    cap_winding_number(b, deepest);
    for (uint32_t i = 0; i < count; i++) {
        size_t node = b->queue[i];
        if (closed - cap_winding_number(b, node) > 0.5) b->distances[node] = -b->distances[node];
    }
}

static void compute_signs(build *b) {
    for (size_t node = 0; node < b->node_count; node++) {
        if (b->marks[node] & MARK_VISITED) continue;
        uint32_t count = collect_region(b, node);
        if (count) sign_region(b, count);
    }
}

/* ---- building ---- */

static lt_status lay_out(build *b, const lt_distance_grid_options *options, lt_error *error) {
    lt_box box = lt_surface_box(b->surface);
    double lo[3] = {box.lo.x, box.lo.y, box.lo.z}, hi[3] = {box.hi.x, box.hi.y, box.hi.z};
    uint32_t cells = options && options->cells ? options->cells : CELLS_DEFAULT;
    uint32_t padding = options && options->padding ? options->padding : PADDING_DEFAULT;
    if (cells > CELLS_MAX || padding > PADDING_MAX)
        return lt_fail(error, LT_STATUS_INVALID, "distance grid: %u cells and padding %u, at most %d and %d",
                       cells, padding, CELLS_MAX, PADDING_MAX);
    double longest = 0, farthest = 0;
    for (int axis = 0; axis < 3; axis++) {
        longest = lt_max_d(longest, hi[axis] - lo[axis]);
        farthest = lt_max_d(farthest, lt_max_d(fabs(lo[axis]), fabs(hi[axis])));
    }
    float h = (float)(longest / cells);
    /* Nodes must be told apart in float, and squares of distances must fit. */
    if (!(h > 1e-15f && h > 1e-6 * farthest && longest < 1e15))
        return lt_fail(error, LT_STATUS_INVALID,
                       "distance grid: a surface of size %g, up to %g from the origin, cannot be sampled",
                       longest, farthest);
    b->header.cell_size = h;
    for (int axis = 0; axis < 3; axis++) {
        b->header.origin[axis] = (float)(lo[axis] - (double)padding * h);
        b->header.size[axis] = (uint32_t)ceil((hi[axis] - lo[axis]) / h) + 1 + 2 * padding;
    }
    b->node_count = (size_t)lt_distance_grid_value_count(&b->header);
    return LT_OK;
}

static lt_status allocate_build(build *b, lt_error *error) {
    const lt_surface *s = b->surface;
    if (b->node_count < UINT32_MAX) {
        b->vertices = LT_NEW(&b->allocator, (size_t)s->vertex_count + 1, lt_dvec3);
        b->welded = LT_NEW(&b->allocator, s->vertex_count, uint32_t);
        b->distances = LT_NEW(&b->allocator, b->node_count, float);
        b->closest = LT_NEW(&b->allocator, b->node_count, uint32_t);
        b->marks = LT_NEW(&b->allocator, b->node_count, uint8_t);
        b->queue = LT_NEW(&b->allocator, b->node_count, uint32_t);
    }
    if (!b->vertices || !b->welded || !b->distances || !b->closest || !b->marks || !b->queue)
        return lt_fail(error, LT_STATUS_MEMORY, "distance grid: no memory for %zu nodes", b->node_count);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        const float *o = b->header.origin;
        lt_dvec3 from_origin = lt_d3_sub(lt_d3_from_v3(s->positions[v]), (lt_dvec3){o[0], o[1], o[2]});
        b->vertices[v] = lt_d3_scale(from_origin, 1.0 / b->header.cell_size);
    }
    return LT_OK;
}

/* Everything but the distances, which the grid keeps. */
static void free_build(build *b) {
    LT_DELETE(&b->allocator, b->vertices, (size_t)b->surface->vertex_count + 1, lt_dvec3);
    LT_DELETE(&b->allocator, b->welded, b->surface->vertex_count, uint32_t);
    LT_DELETE(&b->allocator, b->closest, b->node_count, uint32_t);
    LT_DELETE(&b->allocator, b->marks, b->node_count, uint8_t);
    LT_DELETE(&b->allocator, b->queue, b->node_count, uint32_t);
    LT_DELETE(&b->allocator, b->cap, 3 * (size_t)b->header.open_edge_count, uint32_t);
}

static void scale_values(build *b) {
    for (size_t node = 0; node < b->node_count; node++)
        b->distances[node] *= b->header.cell_size;
}

lt_status lt_distance_grid_build(const lt_surface *surface, const lt_distance_grid_options *options,
                                 const lt_allocator *allocator, lt_distance_grid *out, lt_error *error) {
    *out = (lt_distance_grid){0};
    build b = {.surface = surface, .allocator = allocator ? *allocator : lt_allocator_default()};
    lt_status status = lt_surface_check(surface, "distance grid", error);
    if (status == LT_OK) status = lay_out(&b, options, error);
    if (status != LT_OK) return status;
    status = allocate_build(&b, error);
    if (status == LT_OK) status = build_cap(&b, error);
    if (status == LT_OK) {
        compute_distances(&b);
        compute_cuts(&b);
        compute_signs(&b);
        scale_values(&b);
        *out = (lt_distance_grid){b.header, b.distances, b.distances, b.allocator};
    } else {
        LT_DELETE(&b.allocator, b.distances, b.node_count, float);
    }
    free_build(&b);
    return status;
}

void lt_distance_grid_free(lt_distance_grid *grid) {
    LT_DELETE(&grid->allocator, grid->owned, (size_t)lt_distance_grid_value_count(&grid->header), float);
    *grid = (lt_distance_grid){0};
}

/* ---- views and samples ---- */

static bool header_is_good(const lt_distance_grid_header *header) {
    for (int axis = 0; axis < 3; axis++) {
        uint32_t size = header->size[axis];
        if (!(fabsf(header->origin[axis]) < 1e18f) || size < 2 || size > CELLS_MAX + 2 * PADDING_MAX + 2)
            return false;
    }
    return header->cell_size > 0 && header->cell_size < 1e15f;
}

lt_status lt_distance_grid_view(const lt_distance_grid_header *header, const float *values,
                                uint64_t value_count, const char *name, lt_distance_grid *out,
                                lt_error *error) {
    *out = (lt_distance_grid){0};
    if (!header_is_good(header))
        return lt_fail(error, LT_STATUS_INVALID, "%s: the header of the distance grid is not usable", name);
    uint64_t expected = lt_distance_grid_value_count(header);
    if (value_count != expected)
        return lt_fail(error, LT_STATUS_INVALID,
                       "%s: a distance grid of %llu values, but its sizes make %llu", name,
                       (unsigned long long)value_count, (unsigned long long)expected);
    for (uint64_t i = 0; i < value_count; i++)
        if (!(fabsf(values[i]) < 1e18f))
            return lt_fail(error, LT_STATUS_INVALID,
                           "%s: value %llu of the distance grid is not a usable number", name,
                           (unsigned long long)i);
    *out = (lt_distance_grid){.header = *header, .values = values};
    return LT_OK;
}

/* Where along an axis: the cell, the place in it, and how far outside the grid (signed, metres). */
typedef struct axis_place {
    uint32_t cell;
    float fraction;
    float outside;
} axis_place;

static axis_place place_on_axis(const lt_distance_grid_header *header, int axis, float x) {
    LT_ASSERT(axis >= 0 && axis < 3);
    x = x > -1e18f ? (x < 1e18f ? x : 1e18f) : -1e18f; /* NaN becomes -1e18 */
    float h = header->cell_size, last = (float)(header->size[axis] - 1);
    float g = (x - header->origin[axis]) / h;
    if (g < 0) return (axis_place){0, 0, x - header->origin[axis]};
    if (g > last) return (axis_place){header->size[axis] - 2, 1, x - (header->origin[axis] + last * h)};
    uint32_t cell = lt_min_u32((uint32_t)g, header->size[axis] - 2);
    return (axis_place){cell, g - (float)cell, 0};
}

static float mix(float a, float b, float t) {
    return a + (b - a) * t;
}

/* Value and derivative (in cells) of the trilinear interpolation. */
static float interpolate(const lt_distance_grid *grid, const axis_place *at, lt_vec3 *derivative) {
    size_t row = grid->header.size[0], layer = row * grid->header.size[1];
    const float *v = grid->values + at[2].cell * layer + at[1].cell * row + at[0].cell;
    float tx = at[0].fraction, ty = at[1].fraction, tz = at[2].fraction;
    float v00 = mix(v[0], v[1], tx), v10 = mix(v[row], v[row + 1], tx);
    float v01 = mix(v[layer], v[layer + 1], tx), v11 = mix(v[layer + row], v[layer + row + 1], tx);
    float below = mix(v00, v10, ty), above = mix(v01, v11, ty);
    derivative->x = mix(mix(v[1] - v[0], v[row + 1] - v[row], ty),
                        mix(v[layer + 1] - v[layer], v[layer + row + 1] - v[layer + row], ty), tz);
    derivative->y = mix(v10 - v00, v11 - v01, tz);
    derivative->z = above - below;
    return mix(below, above, tz);
}

void lt_distance_grid_sample(const lt_distance_grid *grid, lt_vec3 point, float *distance,
                             lt_vec3 *gradient) {
    const lt_distance_grid_header *header = &grid->header;
    axis_place at[3] = {place_on_axis(header, 0, point.x), place_on_axis(header, 1, point.y),
                        place_on_axis(header, 2, point.z)};
    lt_vec3 slope, outside = {at[0].outside, at[1].outside, at[2].outside};
    float value = interpolate(grid, at, &slope), e = lt_v3_length(outside);
    slope = lt_v3_scale(slope, 1.0f / header->cell_size);
    if (e > 0) {
        /* The closest point of the box does not move with the coordinates that are clamped. */
        slope = (lt_vec3){outside.x != 0 ? 0 : slope.x, outside.y != 0 ? 0 : slope.y,
                          outside.z != 0 ? 0 : slope.z};
        /* d = sqrt(e² + D²); where D is not positive (an open surface reaching out), d = e + D. */
        float inner = lt_max_f(value, 0), d = sqrtf(e * e + inner * inner);
        slope = value > 0 ? lt_v3_scale(lt_v3_mad(outside, slope, value), 1.0f / d)
                          : lt_v3_mad(slope, outside, 1.0f / e);
        value = value > 0 ? d : e + value;
    }
    *distance = value;
    if (gradient) *gradient = slope;
}
