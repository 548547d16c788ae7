/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Every sample of every format, whole and damaged: the right mesh from the whole one, and from the damaged
 * ones a valid mesh or a clean error, within the stated memory. */

#include "check.h"
#include "io/read_samples.h"

static void check_cube(const sample *s, const lt_mesh_content *file) {
    CHECK_COUNT(file->surface.vertex_count, 8);
    CHECK_COUNT(file->surface.triangle_count, 12);
    CHECK_COUNT(file->split_polygon_count, s->format == SAMPLE_STL ? 0 : 6);
    CHECK_NEAR(lt_surface_volume(&file->surface), 1, 0);
    CHECK_NEAR(lt_surface_area(&file->surface), 6, 0);
    CHECK_COUNT(file->tets.tet_count, 0);
    if (check_failures) fprintf(stderr, "in sample %s\n", s->name);
}

static void check_tets(const sample *s, const lt_mesh_content *file) {
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
        lt_mesh_content file;
        lt_error error = {0};
        lt_status status = sample_read(&file, s.format, s.bytes, s.size, NULL, &error);
        if (status != LT_OK) CHECK_FAIL_MESSAGE("%s: %s", s.name, error.message);
        if (status != LT_OK) continue;
        if (is_of_tets(&s))
            check_tets(&s, &file);
        else
            check_cube(&s, &file);
        lt_mesh_content_free(&file);
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
            lt_mesh_content file;
            lt_error error = {0};
            status = sample_read(&file, s.format, s.bytes, s.size, &allocator, &error);
            CHECK(sample_judge(&file, status, &error) == NULL);
            lt_mesh_content_free(&file);
            CHECK_COUNT(counting.live, 0);
        }
        CHECK(status == LT_OK);
        CHECK(refused > 2);
    }
}

static void mutated_bytes_are_survived(void) {
    static const uint8_t values[] = {0, '\n', '-', '.', '0', '9', 'e', '#', 0xFF};
    sample s;
    for (uint32_t i = 0; sample_make(&s, i); i++)
        for (size_t at = 0; at < s.size; at++) {
            uint8_t original = s.bytes[at];
            for (size_t v = 0; v < LT_COUNT_OF(values); v++) {
                s.bytes[at] = values[v];
                try_and_check(&s, s.bytes, s.size, "changed", at);
            }
            s.bytes[at] = original;
        }
}

static const struct {
    const char *name;
    sample_format format;
    const char *text;
} short_texts[] = {
    {"short OBJ", SAMPLE_OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 1e-1\nv 1 1 0\nf 1 2/1 4//2 -2\n"},
    {"short OFF", SAMPLE_OFF, "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 1e-1\n1 1 0\n4 0 1 3 2\n"},
    {"short STL", SAMPLE_STL,
     "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 1e-1\nendloop\nendfacet\n"
     "endsolid\n"},
    {"short Medit", SAMPLE_MEDIT,
     "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 1\n1 0 0 1\n0 1 1e-1 1\n1 1 2 1\n"
     "Quadrilaterals 1\n1 2 4 3 1\nTetrahedra 1\n1 2 3 4 1\nEnd\n"},
    {"short VTK", SAMPLE_VTK,
     "# vtk DataFile Version 5.0\n\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 0 1 1e-1 1 1 0\n"
     "POLYGONS 2 4\nOFFSETS int\n0 4\nCONNECTIVITY int\n0 1 3 2\nTRIANGLE_STRIPS 0 0\n"},
    {"short Gmsh", SAMPLE_MSH,
     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n9 0 0 1e-1\n$EndNodes\n"
     "$Elements\n1\n1 4 2 1 1 1 2 3 9\n$EndElements\n"},
    {"short TetGen", SAMPLE_TETGEN, "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1e-1\n|1 4 0\n0 0 1 2 3\n"}};

static void short_ply(sample *s) {
    put_text(s, "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar x\nproperty uchar y\n"
                "property float z\nelement face 1\nproperty list uchar uchar vertex_index\nend_header\n");
    for (int i = 0; i < 3; i++) {
        put_whole(s, (uint64_t)i, 1);
        put_whole(s, (uint64_t)(i * i), 1);
        put_f32(s, 1.5f);
    }
    put_whole(s, 0x02010003, 4);
}

static void short_stl(sample *s) {
    put_text(s, "%-80s", "");
    put_whole(s, 1, 4);
    for (int k = 0; k < 12; k++)
        put_f32(s, k == 6 || k == 10 ? 1.0f : 0.0f);
    put_whole(s, 0, 2);
}

static void short_vtk(sample *s) {
    s->big_endian = true;
    put_text(s, "# vtk DataFile Version 3.0\n\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 char\n");
    for (int k = 0; k < 12; k++)
        put_whole(s, k == 3 || k == 7 || k == 11, 1);
    put_text(s, "\nCELLS 1 5\n");
    for (uint64_t k = 0; k < 5; k++)
        put_whole(s, k == 0 ? 4 : k - 1, 4);
    put_text(s, "\nCELL_TYPES 1\n");
    put_whole(s, 10, 4);
}

static void short_msh(sample *s) {
    put_text(s, "$MeshFormat\n4.1 1 8\n");
    put_whole(s, 1, 4);
    put_text(s, "\n$EndMeshFormat\n$Nodes\n");
    const int head[4] = {1, 5, 2, 1000}, cells[4] = {1, 1, 1, 1};
    for (int k = 0; k < 4; k++)
        put_whole(s, (uint64_t)head[k], 8);
    put_msh_4_nodes(s, true, 3, 0, 0, 5);
    put_text(s, "\n$EndNodes\n$Elements\n");
    for (int k = 0; k < 4; k++)
        put_whole(s, (uint64_t)cells[k], 8);
    put_msh_4_cells(s, true, 4, tet_cells[0], 4, 4, 1);
    put_text(s, "\n$EndElements\n");
}

static void try_every_byte(sample *s) {
    lt_status status;
    sample_try(s->format, s->bytes, s->size, &status);
    CHECK_COUNT(status, LT_OK);
    for (size_t at = 0; at < s->size; at++) {
        uint8_t original = s->bytes[at];
        for (int value = 0; value < 256; value++) {
            s->bytes[at] = (uint8_t)value;
            try_and_check(s, s->bytes, s->size, "changed", at);
        }
        s->bytes[at] = original;
    }
}

/* All 256 values at every place of a short file of each format, as text and as binary. */
static void every_single_byte_mutation_is_survived(void) {
    static const struct {
        const char *name;
        sample_format format;
        void (*make)(sample *s);
    } binaries[] = {{"short binary PLY", SAMPLE_PLY, short_ply},
                    {"short binary STL", SAMPLE_STL, short_stl},
                    {"short binary VTK", SAMPLE_VTK, short_vtk},
                    {"short binary Gmsh", SAMPLE_MSH, short_msh}};
    for (size_t i = 0; i < LT_COUNT_OF(short_texts); i++) {
        sample s = {.name = short_texts[i].name, .format = short_texts[i].format};
        put_text(&s, "%s", short_texts[i].text);
        try_every_byte(&s);
    }
    for (size_t i = 0; i < LT_COUNT_OF(binaries); i++) {
        sample s = {.name = binaries[i].name, .format = binaries[i].format};
        binaries[i].make(&s);
        try_every_byte(&s);
    }
}

/* `head`, then `corner_count` corners of the points 0, 1 and 2: far longer than the base allowance. */
static void try_long_polygon(const sample *head, size_t corner_count) {
    uint8_t *bytes = malloc(head->size + corner_count);
    CHECK_FATAL(bytes != NULL);
    memcpy(bytes, head->bytes, head->size);
    for (size_t i = 0; i < corner_count; i++)
        bytes[head->size + i] = (uint8_t)(i % 3);
    lt_status status;
    const char *wrong = sample_try(head->format, bytes, head->size + corner_count, &status);
    free(bytes);
    if (wrong) CHECK_FAIL_MESSAGE("%s of %zu corners: %s", head->name, corner_count, wrong);
    CHECK_COUNT(status, LT_OK);
}

/* The worst case for memory: polygons of one-byte corners. Many lengths, since arrays grow in leaps. */
static void memory_stays_below_the_stated_multiple(void) {
    for (uint32_t corner_count = 100000; corner_count < 250000; corner_count += corner_count / 9) {
        sample ply = {.name = "PLY", .format = SAMPLE_PLY};
        put_text(&ply, "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar x\n"
                       "property uchar y\nproperty uchar z\nelement face 1\n"
                       "property list uint uchar vertex_index\nend_header\n");
        put_whole(&ply, 0x000100000000, 6);
        put_whole(&ply, 0x010000, 3);
        put_whole(&ply, corner_count, 4);
        try_long_polygon(&ply, corner_count);

        sample vtk = {.name = "VTK", .format = SAMPLE_VTK, .big_endian = true};
        put_text(&vtk, "# vtk DataFile Version 5.1\n\nBINARY\nDATASET POLYDATA\nPOINTS 3 char\n");
        put_whole(&vtk, 0x0000000100, 5);
        put_whole(&vtk, 0x00000100, 4);
        put_text(&vtk, "\n%s 2 %u\nOFFSETS int\n", corner_count % 2 ? "POLYGONS" : "TRIANGLE_STRIPS",
                 corner_count);
        put_whole(&vtk, corner_count, 8);
        put_text(&vtk, "\nCONNECTIVITY unsigned_char\n");
        try_long_polygon(&vtk, corner_count);
    }
}

/* The same as text: two bytes a corner. */
static void memory_of_text_stays_below_the_stated_multiple(void) {
    static uint8_t bytes[1 << 18];
    size_t size = (size_t)sprintf((char *)bytes, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf");
    for (; size + 2 < sizeof bytes; size += 2) {
        bytes[size] = ' ';
        bytes[size + 1] = (uint8_t)('1' + size % 3);
    }
    lt_status status;
    const char *wrong = sample_try(SAMPLE_OBJ, bytes, size, &status);
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
    RUN(memory_of_text_stays_below_the_stated_multiple);
    return check_finish();
}
