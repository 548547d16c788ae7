/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Adjacency by sorting: every element lists its sides (edges or faces) with sorted corners, a counting sort per
 * corner brings equal sides together, and a run of equal sides is one side with its elements. Counting sorts
 * are stable, so elements stay in ascending order within a run. All scratch and results are counted before
 * they are allocated; on failure everything is released in one place. */

#include "bake/adjacency.h"
#include "core/union_find.h"

/* Triangles or tets, as far as rows and components care. */
typedef struct element_list {
    const uint32_t *corners; /* [count][width] */
    uint32_t count;
    uint32_t width;
    uint32_t vertex_count;
} element_list;

/* ---- rows and components ---- */

static bool rows_allocate(lt_rows *rows, const lt_allocator *allocator, uint32_t row_count,
                          uint32_t item_count) {
    rows->row_count = row_count;
    rows->item_count = item_count;
    rows->offsets = LT_NEW(allocator, (size_t)row_count + 1, uint32_t);
    rows->items = LT_NEW(allocator, item_count, uint32_t);
    return rows->offsets && rows->items;
}

static void rows_free(lt_rows *rows, const lt_allocator *allocator) {
    LT_DELETE(allocator, rows->offsets, (size_t)rows->row_count + 1, uint32_t);
    LT_DELETE(allocator, rows->items, rows->item_count, uint32_t);
}

/* Row v gets the elements that have corner v. Offsets serve as write positions, then are shifted back. */
static void fill_corner_rows(lt_rows *rows, const element_list *elements) {
    const uint32_t *corners = elements->corners;
    uint32_t *offsets = rows->offsets;
    for (uint32_t i = 0; i < rows->item_count; i++) {
        LT_ASSERT(corners[i] < rows->row_count);
        offsets[corners[i] + 1]++;
    }
    for (uint32_t v = 0; v < rows->row_count; v++)
        offsets[v + 1] += offsets[v];
    for (uint32_t i = 0; i < rows->item_count; i++)
        rows->items[offsets[corners[i]]++] = i / elements->width;
    for (uint32_t v = rows->row_count; v > 0; v--)
        offsets[v] = offsets[v - 1];
    offsets[0] = 0;
}

static bool build_corner_rows(lt_rows *rows, const element_list *elements, const lt_allocator *allocator) {
    if (!rows_allocate(rows, allocator, elements->vertex_count, elements->count * elements->width))
        return false;
    fill_corner_rows(rows, elements);
    return true;
}

static void join_corners(const element_list *elements, uint32_t *parents) {
    for (uint32_t v = 0; v < elements->vertex_count; v++)
        parents[v] = v;
    for (uint32_t i = 0; i < elements->count; i++) {
        const uint32_t *c = elements->corners + (size_t)i * elements->width;
        LT_ASSERT(c[0] < elements->vertex_count);
        for (uint32_t k = 1; k < elements->width; k++)
            lt_sets_join(parents, c[0], c[k]);
    }
}

/* Numbers the roots as elements meet them; returns how many. */
static uint32_t label_components(const element_list *elements, uint32_t *parents, uint32_t *labels,
                                 uint32_t *components) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < elements->vertex_count; v++)
        labels[v] = LT_NONE;
    for (uint32_t i = 0; i < elements->count; i++) {
        uint32_t root = lt_sets_find(parents, elements->corners[(size_t)i * elements->width]);
        if (labels[root] == LT_NONE) labels[root] = count++;
        components[i] = labels[root];
    }
    return count;
}

/* The component of every element [count], or NULL without memory. */
static uint32_t *build_components(const element_list *elements, uint32_t *component_count,
                                  const lt_allocator *allocator) {
    size_t scratch_count = 2 * (size_t)elements->vertex_count;
    uint32_t *parents = LT_NEW(allocator, scratch_count, uint32_t);
    uint32_t *components = LT_NEW(allocator, elements->count, uint32_t);
    if (parents && components) {
        join_corners(elements, parents);
        *component_count = label_components(elements, parents, parents + elements->vertex_count, components);
    } else {
        LT_DELETE(allocator, components, elements->count, uint32_t);
        components = NULL;
    }
    LT_DELETE(allocator, parents, scratch_count, uint32_t);
    return components;
}

/* ---- sorting sides ---- */

/* The sides of all elements: side s has the sorted corners keys[s * width …]; `order` lists them so that equal
 * ones follow each other. */
typedef struct side_list {
    uint32_t *keys;    /* [count][width] */
    uint32_t *order;   /* [count] */
    uint32_t *scratch; /* [count] */
    uint32_t *buckets; /* [vertex_count + 1] */
    uint32_t count;
    uint32_t width; /* corners of a side: 2 edges, 3 faces */
    uint32_t vertex_count;
} side_list;

static bool sides_allocate(side_list *sides, const lt_allocator *allocator) {
    sides->keys = LT_NEW(allocator, (size_t)sides->count * sides->width, uint32_t);
    sides->order = LT_NEW(allocator, sides->count, uint32_t);
    sides->scratch = LT_NEW(allocator, sides->count, uint32_t);
    sides->buckets = LT_NEW(allocator, (size_t)sides->vertex_count + 1, uint32_t);
    return sides->keys && sides->order && sides->scratch && sides->buckets;
}

static void sides_free(side_list *sides, const lt_allocator *allocator) {
    LT_DELETE(allocator, sides->keys, (size_t)sides->count * sides->width, uint32_t);
    LT_DELETE(allocator, sides->order, sides->count, uint32_t);
    LT_DELETE(allocator, sides->scratch, sides->count, uint32_t);
    LT_DELETE(allocator, sides->buckets, (size_t)sides->vertex_count + 1, uint32_t);
}

static uint32_t *side_at(const side_list *sides, uint32_t side) {
    return sides->keys + (size_t)side * sides->width;
}

static void sort_two(uint32_t *a, uint32_t *b) {
    uint32_t low = lt_min_u32(*a, *b), high = lt_max_u32(*a, *b);
    *a = low;
    *b = high;
}

/* One stable pass by corner k of the sorted corners: from `order` through `scratch` back into `order`. */
static void sort_pass(side_list *sides, uint32_t k) {
    LT_ASSERT(k < sides->width);
    uint32_t *buckets = sides->buckets, *swap = sides->order;
    for (uint32_t v = 0; v <= sides->vertex_count; v++)
        buckets[v] = 0;
    for (uint32_t i = 0; i < sides->count; i++)
        buckets[side_at(sides, i)[k] + 1]++;
    for (uint32_t v = 0; v < sides->vertex_count; v++)
        buckets[v + 1] += buckets[v];
    for (uint32_t i = 0; i < sides->count; i++) {
        uint32_t side = sides->order[i];
        sides->scratch[buckets[side_at(sides, side)[k]]++] = side;
    }
    sides->order = sides->scratch;
    sides->scratch = swap;
}

/* Sorts the corners of each side, then the sides, last corner first. */
static void sort_sides(side_list *sides) {
    for (uint32_t i = 0; i < sides->count; i++) {
        uint32_t *key = side_at(sides, i);
        sort_two(&key[0], &key[1]);
        if (sides->width == 3) {
            sort_two(&key[1], &key[2]);
            sort_two(&key[0], &key[1]);
        }
        sides->order[i] = i;
    }
    for (uint32_t k = sides->width; k-- > 0;)
        sort_pass(sides, k);
}

/* The end of the run of equal sides that begins at `begin` of the order. */
static uint32_t run_end(const side_list *sides, uint32_t begin) {
    const uint32_t *key = side_at(sides, sides->order[begin]);
    uint32_t end = begin + 1;
    for (; end < sides->count; end++) {
        const uint32_t *other = side_at(sides, sides->order[end]);
        if (other[0] != key[0] || other[1] != key[1] || other[sides->width - 1] != key[sides->width - 1])
            break;
    }
    return end;
}

static uint32_t count_runs(const side_list *sides) {
    uint32_t count = 0;
    for (uint32_t begin = 0; begin < sides->count; begin = run_end(sides, begin))
        count++;
    return count;
}

/* ---- surfaces ---- */

static void fill_surface_sides(side_list *sides, const lt_surface *surface) {
    for (uint32_t i = 0; i < sides->count; i++) {
        const uint32_t *t = lt_triangle_at(surface, i / 3);
        side_at(sides, i)[0] = t[i % 3];
        side_at(sides, i)[1] = t[(i % 3 + 1) % 3];
    }
    sort_sides(sides);
}

/* How many more sides of the run go from the lower to the higher vertex than back. */
static int64_t run_balance(const side_list *sides, const lt_surface *surface, uint32_t begin, uint32_t end) {
    int64_t balance = 0;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t side = sides->order[i];
        balance += lt_triangle_at(surface, side / 3)[side % 3] == side_at(sides, side)[0] ? 1 : -1;
    }
    return balance;
}

/* One edge with its triangles, from the run [begin, end) of sides. */
static void add_edge(lt_surface_adjacency *out, const side_list *sides, uint32_t edge, uint32_t begin,
                     uint32_t end) {
    const uint32_t *key = side_at(sides, sides->order[begin]);
    out->edges[2 * (size_t)edge] = key[0];
    out->edges[2 * (size_t)edge + 1] = key[1];
    out->edge_triangles.offsets[edge + 1] = end;
    for (uint32_t i = begin; i < end; i++) {
        out->triangle_edges[sides->order[i]] = edge;
        out->triangle_neighbours[sides->order[i]] = LT_NONE;
        out->edge_triangles.items[i] = sides->order[i] / 3;
    }
    if (end - begin != 2) return;
    out->triangle_neighbours[sides->order[begin]] = sides->order[begin + 1] / 3;
    out->triangle_neighbours[sides->order[begin + 1]] = sides->order[begin] / 3;
}

static void fill_edges(lt_surface_adjacency *out, const side_list *sides, const lt_surface *surface) {
    out->is_closed = out->is_oriented = true;
    for (uint32_t edge = 0, begin = 0; begin < sides->count; edge++) {
        uint32_t end = run_end(sides, begin);
        const uint32_t *key = side_at(sides, sides->order[begin]);
        add_edge(out, sides, edge, begin, end);
        int64_t balance = run_balance(sides, surface, begin, end);
        out->boundary_edge_count += end - begin == 1;
        out->nonmanifold_edge_count += end - begin > 2;
        if ((end - begin) % 2 == 1 || key[0] == key[1]) out->is_closed = false;
        if ((balance > 1 || balance < -1) && key[0] != key[1]) out->is_oriented = false;
        begin = end;
    }
}

static bool allocate_edges(lt_surface_adjacency *out, uint32_t side_count) {
    const lt_allocator *a = &out->allocator;
    out->edges = LT_NEW(a, 2 * (size_t)out->edge_count, uint32_t);
    out->triangle_edges = LT_NEW(a, side_count, uint32_t);
    out->triangle_neighbours = LT_NEW(a, side_count, uint32_t);
    return rows_allocate(&out->edge_triangles, a, out->edge_count, side_count) && out->edges &&
           out->triangle_edges && out->triangle_neighbours;
}

static bool build_surface_edges(lt_surface_adjacency *out, const lt_surface *surface) {
    side_list sides = {
        .count = 3 * surface->triangle_count, .width = 2, .vertex_count = surface->vertex_count};
    bool complete = sides_allocate(&sides, &out->allocator);
    if (complete) {
        fill_surface_sides(&sides, surface);
        out->edge_count = count_runs(&sides);
        complete = allocate_edges(out, sides.count);
    }
    if (complete) fill_edges(out, &sides, surface);
    sides_free(&sides, &out->allocator);
    return complete;
}

lt_status lt_surface_adjacency_build(lt_surface_adjacency *out, const lt_surface *surface,
                                     const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface_adjacency){.triangle_count = surface->triangle_count,
                                  .allocator = allocator ? *allocator : lt_allocator_default()};
    if (surface->triangle_count > UINT32_MAX / 3) {
        *out = (lt_surface_adjacency){0};
        return lt_fail(error, LT_STATUS_INVALID, "a surface of %u triangles has too many corners to index",
                       surface->triangle_count);
    }
    element_list elements = {surface->triangles, surface->triangle_count, 3, surface->vertex_count};
    out->triangle_components = build_components(&elements, &out->component_count, &out->allocator);
    if (out->triangle_components && build_surface_edges(out, surface) &&
        build_corner_rows(&out->vertex_triangles, &elements, &out->allocator))
        return LT_OK;
    lt_surface_adjacency_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the adjacency of %u triangles",
                   surface->triangle_count);
}

void lt_surface_adjacency_free(lt_surface_adjacency *adjacency) {
    const lt_allocator *a = &adjacency->allocator;
    LT_DELETE(a, adjacency->edges, 2 * (size_t)adjacency->edge_count, uint32_t);
    LT_DELETE(a, adjacency->triangle_edges, 3 * (size_t)adjacency->triangle_count, uint32_t);
    LT_DELETE(a, adjacency->triangle_neighbours, 3 * (size_t)adjacency->triangle_count, uint32_t);
    LT_DELETE(a, adjacency->triangle_components, adjacency->triangle_count, uint32_t);
    rows_free(&adjacency->edge_triangles, a);
    rows_free(&adjacency->vertex_triangles, a);
    *adjacency = (lt_surface_adjacency){0};
}

/* ---- tet meshes ---- */

static void fill_tet_faces(side_list *sides, const lt_tet_mesh *mesh) {
    for (uint32_t i = 0; i < sides->count; i++)
        for (int k = 0; k < 3; k++)
            side_at(sides, i)[k] = lt_tet_at(mesh, i / 4)[lt_tet_face_corners[i % 4][k]];
    sort_sides(sides);
}

/* The sort's scratch is free by now: it gets the number of tets at each side's face. */
static void fill_neighbours(lt_tet_adjacency *out, const side_list *sides) {
    for (uint32_t begin = 0; begin < sides->count;) {
        uint32_t end = run_end(sides, begin);
        for (uint32_t i = begin; i < end; i++) {
            out->neighbours[sides->order[i]] = LT_NONE;
            sides->scratch[sides->order[i]] = end - begin;
        }
        if (end - begin == 2) {
            out->neighbours[sides->order[begin]] = sides->order[begin + 1] / 4;
            out->neighbours[sides->order[begin + 1]] = sides->order[begin] / 4;
        }
        out->boundary_face_count += end - begin == 1;
        out->nonmanifold_face_count += end - begin > 2;
        begin = end;
    }
}

static bool build_boundary_faces(lt_tet_adjacency *out, const side_list *sides) {
    out->boundary_faces = LT_NEW(&out->allocator, out->boundary_face_count, uint32_t);
    if (!out->boundary_faces) return false;
    for (uint32_t side = 0, count = 0; side < sides->count; side++)
        if (sides->scratch[side] == 1) out->boundary_faces[count++] = side;
    return true;
}

static bool build_tet_faces(lt_tet_adjacency *out, const lt_tet_mesh *mesh) {
    side_list sides = {.count = 4 * mesh->tet_count, .width = 3, .vertex_count = mesh->node_count};
    out->neighbours = LT_NEW(&out->allocator, sides.count, uint32_t);
    bool complete = sides_allocate(&sides, &out->allocator) && out->neighbours;
    if (complete) {
        fill_tet_faces(&sides, mesh);
        fill_neighbours(out, &sides);
        complete = build_boundary_faces(out, &sides);
    }
    sides_free(&sides, &out->allocator);
    return complete;
}

static void fill_tet_edges(side_list *sides, const lt_tet_mesh *mesh) {
    for (uint32_t i = 0; i < sides->count; i++)
        for (int k = 0; k < 2; k++)
            side_at(sides, i)[k] = lt_tet_at(mesh, i / 6)[lt_tet_edge_corners[i % 6][k]];
    sort_sides(sides);
}

static bool build_tet_edges(lt_tet_adjacency *out, const lt_tet_mesh *mesh) {
    side_list sides = {.count = 6 * mesh->tet_count, .width = 2, .vertex_count = mesh->node_count};
    bool complete = sides_allocate(&sides, &out->allocator);
    if (complete) {
        fill_tet_edges(&sides, mesh);
        out->edge_count = count_runs(&sides);
        out->edges = LT_NEW(&out->allocator, 2 * (size_t)out->edge_count, uint32_t);
        complete = out->edges != NULL;
    }
    for (uint32_t edge = 0, begin = 0; complete && begin < sides.count; edge++) {
        const uint32_t *key = side_at(&sides, sides.order[begin]);
        out->edges[2 * (size_t)edge] = key[0];
        out->edges[2 * (size_t)edge + 1] = key[1];
        begin = run_end(&sides, begin);
    }
    sides_free(&sides, &out->allocator);
    return complete;
}

lt_status lt_tet_adjacency_build(lt_tet_adjacency *out, const lt_tet_mesh *mesh,
                                 const lt_allocator *allocator, lt_error *error) {
    *out = (lt_tet_adjacency){.tet_count = mesh->tet_count,
                              .allocator = allocator ? *allocator : lt_allocator_default()};
    if (mesh->tet_count > UINT32_MAX / 6) {
        *out = (lt_tet_adjacency){0};
        return lt_fail(error, LT_STATUS_INVALID, "a mesh of %u tets has too many edges to index",
                       mesh->tet_count);
    }
    element_list elements = {mesh->tets, mesh->tet_count, 4, mesh->node_count};
    out->tet_components = build_components(&elements, &out->component_count, &out->allocator);
    if (out->tet_components && build_tet_faces(out, mesh) && build_tet_edges(out, mesh) &&
        build_corner_rows(&out->node_tets, &elements, &out->allocator))
        return LT_OK;
    lt_tet_adjacency_free(out);
    return lt_fail(error, LT_STATUS_MEMORY, "no memory for the adjacency of %u tets", mesh->tet_count);
}

void lt_tet_adjacency_free(lt_tet_adjacency *adjacency) {
    const lt_allocator *a = &adjacency->allocator;
    LT_DELETE(a, adjacency->neighbours, 4 * (size_t)adjacency->tet_count, uint32_t);
    LT_DELETE(a, adjacency->boundary_faces, adjacency->boundary_face_count, uint32_t);
    LT_DELETE(a, adjacency->edges, 2 * (size_t)adjacency->edge_count, uint32_t);
    LT_DELETE(a, adjacency->tet_components, adjacency->tet_count, uint32_t);
    rows_free(&adjacency->node_tets, a);
    *adjacency = (lt_tet_adjacency){0};
}
