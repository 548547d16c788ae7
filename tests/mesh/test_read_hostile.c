/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Every sample of every format, whole and damaged: the right mesh from the whole one, and from the damaged
 * ones a valid mesh or a clean error, within the stated memory. */

#include "check.h"
#include "mesh/read_samples.h"

static void check_cube(const sample *s, const lt_mesh_file *file) {
    CHECK_COUNT(file->surface.vertex_count, 8);
    CHECK_COUNT(file->surface.triangle_count, 12);
    CHECK_COUNT(file->split_polygon_count, s->format == SAMPLE_STL ? 0 : 6);
    CHECK_NEAR(lt_surface_volume(&file->surface), 1, 0);
    CHECK_NEAR(lt_surface_area(&file->surface), 6, 0);
    CHECK_COUNT(file->tets.tet_count, 0);
    if (check_failures) fprintf(stderr, "in sample %s\n", s->name);
}

static void check_tets(const sample *s, const lt_mesh_file *file) {
    bool has_triangles = s->format != SAMPLE_TETGEN;
    bool second_order = strstr(s->name, "Gmsh 4.1") || strstr(s->name, "order 2");
    CHECK_COUNT(file->tets.node_count, 5);
    CHECK_COUNT(file->tets.tet_count, 2);
    CHECK_NEAR(lt_tet_mesh_volume(&file->tets), 0.5, 1e-15);
    CHECK_COUNT(file->turned_tet_count, 1);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++)
            CHECK(lt_d3_get(file->tets.positions[i], k) == tet_nodes[i][k]);
    CHECK_COUNT(file->surface.triangle_count, has_triangles ? 2 : 0);
    CHECK_COUNT(file->surface.vertex_count, has_triangles ? 5 : 0);
    CHECK_COUNT(file->skipped_cell_count, has_triangles ? 1 : 0);
    CHECK_COUNT(file->higher_order_count, second_order ? 1 : strstr(s->name, "10 nodes") ? 2 : 0);
    /* Triangles (0 1 3) and (1 2 4): areas 1/2 and, from (-1 1 0) x (0 1 1), sqrt(3)/2. */
    if (has_triangles) CHECK_NEAR(lt_surface_area(&file->surface), 0.5 + 0.8660254037844386, 1e-7);
    if (check_failures) fprintf(stderr, "in sample %s\n", s->name);
}

/* Samples of formats that can hold both are of tets unless their names say otherwise. */
static bool is_of_tets(const sample *s) {
    if (s->format == SAMPLE_MEDIT || s->format == SAMPLE_VTK)
        return !strstr(s->name, "quads") && !strstr(s->name, "polygons");
    return s->format == SAMPLE_MSH || s->format == SAMPLE_TETGEN;
}

static void whole_samples_give_the_mesh(void) {
    sample s;
    for (uint32_t i = 0; sample_make(&s, i); i++) {
        lt_mesh_file file;
        lt_error error = {0};
        lt_status status = sample_read(&file, s.format, s.bytes, s.size, NULL, &error);
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s: %s", s.name, error.message);
        if (status != LT_OK) continue;
        if (is_of_tets(&s))
            check_tets(&s, &file);
        else
            check_cube(&s, &file);
        lt_mesh_file_free(&file);
    }
}

static void try_and_check(const sample *s, const uint8_t *bytes, size_t size, const char *what,
                          size_t where) {
    lt_status status;
    const char *wrong = sample_try(s->format, bytes, size, &status);
    CHECK(wrong == NULL);
    if (wrong) fprintf(stderr, "%s, %s at byte %zu: %s\n", s->name, what, where, wrong);
}

static void every_truncation_is_survived(void) {
    sample s;
    for (uint32_t i = 0; sample_make(&s, i); i++)
        for (size_t size = 0; size < s.size; size++)
            try_and_check(&s, s.bytes, size, "cut", size);
}

/* A binary file that lost its last section must not pass for a whole one. */
static void truncated_binary_is_refused(void) {
    sample s;
    for (uint32_t i = 0; sample_make(&s, i); i++) {
        bool vtk = strncmp(s.name, "binary VTK", 10) == 0;
        if (strncmp(s.name, "binary STL", 10) != 0 && !vtk && (s.format != SAMPLE_PLY || i == 2)) continue;
        size_t end = s.data_end ? s.data_end : s.size;
        for (size_t size = 0; size < end; size++) {
            lt_status status;
            sample_try(s.format, s.bytes, size, &status);
            CHECK(status != LT_OK);
        }
    }
}

static void every_failing_allocation_is_survived(void) {
    sample s;
    for (uint32_t i = 0; sample_make(&s, i); i++) {
        lt_status status = LT_STATUS_MEMORY;
        uint64_t refused = 0;
        for (; status == LT_STATUS_MEMORY && refused < 100; refused++) {
            counting_allocator counting = {.refused = refused};
            lt_allocator allocator = counting_allocator_of(&counting);
            lt_mesh_file file;
            lt_error error = {0};
            status = sample_read(&file, s.format, s.bytes, s.size, &allocator, &error);
            CHECK(sample_judge(&file, status, &error) == NULL);
            lt_mesh_file_free(&file);
            CHECK_COUNT(counting.live, 0);
        }
        CHECK(status == LT_OK);
        CHECK(refused > 2);
    }
}

static void mutated_bytes_are_survived(void) {
    static const uint8_t values[] = {0, '\n', '-', '.', '0', '9', 'e', '#', 0xFF};
    enum { BITS = 8 };
    sample s;
    for (uint32_t i = 0; sample_make(&s, i); i++)
        for (size_t at = 0; at < s.size; at++) {
            uint8_t original = s.bytes[at];
            for (size_t v = 0; v < LT_COUNT_OF(values) + BITS; v++) {
                s.bytes[at] = v < BITS ? (uint8_t)(original ^ 1u << v) : values[v - BITS];
                try_and_check(&s, s.bytes, s.size, "changed", at);
            }
            s.bytes[at] = original;
        }
}

/* All 256 values at every place of a short file of each surface format. */
static void every_single_byte_mutation_is_survived(void) {
    sample obj = {.name = "short OBJ", .format = SAMPLE_OBJ};
    put_text(&obj, "v 0 0 0\nv 1 0 0\nv 0 1 1e-1\nv 1 1 0\nf 1 2/1 4//2 -2\n");
    sample ply = {.name = "short PLY", .format = SAMPLE_PLY};
    put_text(&ply,
             "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar x\nproperty uchar y\n"
             "property float z\nelement face 1\nproperty list uchar uchar vertex_index\nend_header\n");
    for (int i = 0; i < 3; i++) {
        put_whole(&ply, (uint64_t)i, 1);
        put_whole(&ply, (uint64_t)(i * i), 1);
        put_f32(&ply, 1.5f);
    }
    put_whole(&ply, 0x02010003, 4);
    sample off = {.name = "short OFF", .format = SAMPLE_OFF};
    put_text(&off, "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 1e-1\n1 1 0\n4 0 1 3 2\n");
    sample stl = {.name = "short STL", .format = SAMPLE_STL};
    put_text(&stl, "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 1e-1\n"
                   "endloop\nendfacet\nendsolid\n");
    sample medit = {.name = "short Medit", .format = SAMPLE_MEDIT};
    put_text(&medit,
             "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 1\n1 0 0 1\n0 1 1e-1 1\n1 1 2 1\n"
             "Quadrilaterals 1\n1 2 4 3 1\nTetrahedra 1\n1 2 3 4 1\nEnd\n");
    sample vtk = {.name = "short VTK", .format = SAMPLE_VTK};
    put_text(
        &vtk,
        "# vtk DataFile Version 5.0\n\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 0 1 1e-1 1 1 0\n"
        "POLYGONS 2 4\nOFFSETS int\n0 4\nCONNECTIVITY int\n0 1 3 2\nTRIANGLE_STRIPS 0 0\n");
    sample *all[] = {&obj, &ply, &off, &stl, &medit, &vtk};
    for (size_t b = 0; b < LT_COUNT_OF(all); b++)
        for (size_t at = 0; at < all[b]->size; at++) {
            uint8_t original = all[b]->bytes[at];
            for (int value = 0; value < 256; value++) {
                all[b]->bytes[at] = (uint8_t)value;
                try_and_check(all[b], all[b]->bytes, all[b]->size, "changed", at);
            }
            all[b]->bytes[at] = original;
        }
}

/* The worst case for memory: polygons of one-byte corners, far longer than the base allowance. */
static void memory_stays_below_the_stated_multiple(void) {
    enum { CORNERS = 1 << 18 };
    static uint8_t bytes[CORNERS + 400];
    sample head = {.name = "polygon", .format = SAMPLE_PLY};
    put_text(&head,
             "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar x\nproperty uchar y\n"
             "property uchar z\nelement face 1\nproperty list uint uchar vertex_index\nend_header\n");
    put_whole(&head, 0x000100000000, 6);
    put_whole(&head, 0x010000, 3);
    put_whole(&head, CORNERS, 4);
    memcpy(bytes, head.bytes, head.size);
    for (size_t i = 0; i < CORNERS; i++)
        bytes[head.size + i] = (uint8_t)(i % 3);
    lt_status status;
    const char *wrong = sample_try(SAMPLE_PLY, bytes, head.size + CORNERS, &status);
    if (wrong) CHECK_FAIL_MESSAGE("%s", wrong);
    CHECK(status == LT_OK);

    size_t size = 0;
    size += (size_t)sprintf((char *)bytes, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf");
    for (; size + 2 < sizeof bytes; size += 2) {
        bytes[size] = ' ';
        bytes[size + 1] = (uint8_t)('1' + size % 3);
    }
    wrong = sample_try(SAMPLE_OBJ, bytes, size, &status);
    if (wrong) CHECK_FAIL_MESSAGE("%s", wrong);
    CHECK(status == LT_OK);
}

int main(void) {
    RUN(whole_samples_give_the_mesh);
    RUN(every_truncation_is_survived);
    RUN(truncated_binary_is_refused);
    RUN(every_failing_allocation_is_survived);
    RUN(mutated_bytes_are_survived);
    RUN(every_single_byte_mutation_is_survived);
    RUN(memory_stays_below_the_stated_multiple);
    return check_finish();
}
