/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The icosphere and the tet ball, which are one construction: the icosahedron's 20 faces, each cut into a
 * triangular lattice of frequency n, pushed out to the sphere. The ball stacks the spheres of frequency
 * 1, 2, … n on a centre, so that each sector (face + centre) is a tetrahedron cut at frequency n: tets and
 * octahedra whose faces are all lattice triangles. Octahedra can therefore be split along any of their
 * diagonals and the mesh still conforms; the shortest gives the best tets.
 *
 * A lattice point is i*A + j*B + k*C with i+j+k = n over a face's corners A, B, C. Its index, 0 to
 * 10n^2+1, follows from which of i, j, k vanish, so that no table of shared points is needed:
 *     12 corners | 30 edges of n-1 points | 20 faces of (n-1)(n-2)/2 points */

#include "bake/icosahedral.h"

#include "bake/put_elements.h"

typedef struct icosahedron {
    lt_dvec3 corners[12];
    uint8_t faces[20][3]; /* counter-clockwise seen from outside */
    uint8_t edge_of[12][12];
} icosahedron;

/* Corners are (0, ±1, ±golden) and its cyclic shifts; corners are neighbours when 2 apart. */
static icosahedron build_icosahedron(void) {
    icosahedron ico = {0};
    const double golden = 0.5 * (1.0 + sqrt(5.0));
    for (int i = 0; i < 12; i++) {
        double a = i & 1 ? -1.0 : 1.0, b = i & 2 ? -golden : golden;
        ico.corners[i] = i < 4 ? lt_d3_make(0, a, b) : i < 8 ? lt_d3_make(a, b, 0) : lt_d3_make(b, 0, a);
    }
    bool near[12][12] = {{false}};
    uint8_t edge_count = 0, face_count = 0;
    for (int i = 0; i < 12; i++)
        for (int j = i + 1; j < 12; j++)
            if (lt_d3_distance(ico.corners[i], ico.corners[j]) < 2.5) {
                near[i][j] = true;
                ico.edge_of[i][j] = ico.edge_of[j][i] = edge_count++;
            }
    for (uint8_t i = 0; i < 12; i++)
        for (uint8_t j = i + 1; j < 12; j++)
            for (uint8_t k = j + 1; k < 12; k++) {
                if (!near[i][j] || !near[j][k] || !near[i][k]) continue;
                lt_dvec3 a = ico.corners[i], b = ico.corners[j], c = ico.corners[k];
                bool outward = lt_d3_dot(a, lt_d3_cross(b, c)) > 0.0;
                uint8_t *face = ico.faces[face_count++];
                face[0] = i, face[1] = outward ? j : k, face[2] = outward ? k : j;
            }
    LT_ASSERT(edge_count == 30 && face_count == 20);
    return ico;
}

static uint32_t shell_point_count(uint32_t n) {
    return 10 * n * n + 2;
}

/* Index of w[0]*A + w[1]*B + w[2]*C of face `f` within the sphere of frequency n = w[0]+w[1]+w[2]. */
static uint32_t shell_point_index(const icosahedron *ico, uint32_t f, const uint32_t w[3]) {
    const uint8_t *face = ico->faces[f];
    uint32_t n = w[0] + w[1] + w[2];
    for (int c = 0; c < 3; c++)
        if (w[c] == n) return face[c];
    for (int c = 0; c < 3; c++) {
        if (w[c] != 0) continue;
        int a = (c + 1) % 3, b = (c + 2) % 3;
        uint32_t from_lower = face[a] < face[b] ? w[b] : w[a];
        return 12 + ico->edge_of[face[a]][face[b]] * (n - 1) + from_lower - 1;
    }
    uint32_t row = w[0] - 1, rows = n - 2; /* row r has rows - r points */
    uint32_t within = row * rows - row * (row - 1) / 2 + w[1] - 1;
    return 12 + 30 * (n - 1) + f * ((n - 1) * (n - 2) / 2) + within;
}

static lt_dvec3 shell_point_direction(const icosahedron *ico, uint32_t f, const uint32_t w[3]) {
    const uint8_t *face = ico->faces[f];
    lt_dvec3 sum = lt_d3_scale(ico->corners[face[0]], w[0]);
    sum = lt_d3_mad(sum, ico->corners[face[1]], w[1]);
    sum = lt_d3_mad(sum, ico->corners[face[2]], w[2]);
    return lt_d3_scale(sum, 1.0 / lt_d3_length(sum));
}

/* The lattice of one face: its points, then its triangles. */
static uint32_t *fill_sphere_face(lt_surface *out, const icosahedron *ico, uint32_t f, uint32_t n,
                                  double radius, uint32_t *corner) {
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= n - i; j++) {
            uint32_t w[3] = {i, j, n - i - j};
            out->positions[shell_point_index(ico, f, w)] =
                lt_v3_from_d3(lt_d3_scale(shell_point_direction(ico, f, w), radius));
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n - i; j++) {
            uint32_t k = n - 1 - i - j;
            *corner++ = shell_point_index(ico, f, (uint32_t[3]){i + 1, j, k});
            *corner++ = shell_point_index(ico, f, (uint32_t[3]){i, j + 1, k});
            *corner++ = shell_point_index(ico, f, (uint32_t[3]){i, j, k + 1});
            if (k == 0) continue;
            *corner++ = shell_point_index(ico, f, (uint32_t[3]){i + 1, j + 1, k - 1});
            *corner++ = shell_point_index(ico, f, (uint32_t[3]){i, j + 1, k});
            *corner++ = shell_point_index(ico, f, (uint32_t[3]){i + 1, j, k});
        }
    return corner;
}

/* The centre and the shells below frequency m: 1 + sum over 0 < t < m of 10 t^2 + 2. */
static uint32_t ball_nodes_before(uint32_t m) {
    return 1 + 10 * ((m - 1) * m * (2 * m - 1) / 6) + 2 * (m - 1);
}

static uint32_t ball_node_index(const icosahedron *ico, uint32_t f, uint32_t i, uint32_t j, uint32_t k) {
    uint32_t w[3] = {i, j, k}, m = i + j + k;
    return m == 0 ? 0 : ball_nodes_before(m) + shell_point_index(ico, f, w);
}

static void fill_ball_nodes(lt_tet_mesh *out, const icosahedron *ico, double radius, uint32_t layers) {
    for (uint32_t f = 0; f < 20; f++)
        for (uint32_t m = 1; m <= layers; m++)
            for (uint32_t i = 0; i <= m; i++)
                for (uint32_t j = 0; j <= m - i; j++) {
                    uint32_t w[3] = {i, j, m - i - j};
                    out->positions[ball_node_index(ico, f, i, j, m - i - j)] =
                        lt_d3_scale(shell_point_direction(ico, f, w), radius * m / layers);
                }
}

/* Corners come as three opposite pairs (0,3), (1,4), (2,5). */
static uint32_t *put_octahedron(const lt_tet_mesh *mesh, uint32_t *tet, const uint32_t corners[6]) {
    int best = 0;
    double best_length = 1e300;
    for (int pair = 0; pair < 3; pair++) {
        double length = lt_d3_distance(mesh->positions[corners[pair]], mesh->positions[corners[pair + 3]]);
        if (length < best_length * (1.0 - 1e-9)) best = pair, best_length = length;
    }
    uint32_t lo = corners[best], hi = corners[best + 3];
    int u = (best + 1) % 3, v = (best + 2) % 3;
    const uint32_t around[4] = {corners[u], corners[v], corners[u + 3], corners[v + 3]};
    for (int s = 0; s < 4; s++)
        tet = lt_put_tet(tet, lo, hi, around[s], around[(s + 1) & 3]);
    return tet;
}

static uint32_t *fill_ball_sector(lt_tet_mesh *out, const icosahedron *ico, uint32_t f, uint32_t n,
                                  uint32_t *tet) {
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; i + j < n; j++)
            for (uint32_t k = 0; i + j + k < n; k++) {
                uint32_t a = ball_node_index(ico, f, i + 1, j, k);
                uint32_t b = ball_node_index(ico, f, i, j + 1, k);
                uint32_t c = ball_node_index(ico, f, i, j, k + 1);
                tet = lt_put_tet(tet, ball_node_index(ico, f, i, j, k), a, b, c);
                if (i + j + k + 2 > n) continue;
                uint32_t ab = ball_node_index(ico, f, i + 1, j + 1, k);
                uint32_t bc = ball_node_index(ico, f, i, j + 1, k + 1);
                uint32_t ca = ball_node_index(ico, f, i + 1, j, k + 1);
                tet = put_octahedron(out, tet, (uint32_t[6]){a, b, c, bc, ca, ab});
                if (i + j + k + 3 > n) continue;
                tet = lt_put_tet(tet, ab, bc, ca, ball_node_index(ico, f, i + 1, j + 1, k + 1));
            }
    return tet;
}

lt_status lt_generate_icosphere(lt_surface *out, double radius, uint32_t subdivisions,
                                const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){0};
    lt_status status = lt_check_length("icosphere", "radius", radius, error);
    if (status == LT_OK) status = lt_check_count("icosphere", "subdivisions", subdivisions, 0, 10, error);
    if (status != LT_OK) return status;
    icosahedron ico = build_icosahedron();
    uint32_t n = 1u << subdivisions;
    status = lt_surface_allocate(out, shell_point_count(n), 20 * n * n, allocator, error);
    if (status != LT_OK) return status;
    uint32_t *corner = out->triangles;
    for (uint32_t f = 0; f < 20; f++)
        corner = fill_sphere_face(out, &ico, f, n, radius, corner);
    LT_ASSERT(corner == out->triangles + 3 * (size_t)out->triangle_count);
    return LT_OK;
}

lt_status lt_generate_tet_ball(lt_tet_mesh *out, double radius, uint32_t layers,
                               const lt_allocator *allocator, lt_error *error) {
    *out = (lt_tet_mesh){0};
    lt_status status = lt_check_length("tet ball", "radius", radius, error);
    if (status == LT_OK) status = lt_check_count("tet ball", "layers", layers, 1, 100, error);
    if (status != LT_OK) return status;
    icosahedron ico = build_icosahedron();
    status = lt_tet_mesh_allocate(out, ball_nodes_before(layers + 1), 20 * layers * layers * layers,
                                  allocator, error);
    if (status != LT_OK) return status;
    fill_ball_nodes(out, &ico, radius, layers);
    uint32_t *tet = out->tets;
    for (uint32_t f = 0; f < 20; f++)
        tet = fill_ball_sector(out, &ico, f, layers, tet);
    LT_ASSERT(tet == out->tets + 4 * (size_t)out->tet_count);
    lt_tet_mesh_orient(out);
    return LT_OK;
}
