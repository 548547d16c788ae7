/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* A tree of more leaves than self-collision takes: it is written and read like any other, and the program says what
 * is missing. */

#include "program/run_program.h"

#include "bake/rest_tree.h"
#include "bound/sphere_tree.h"
#include "embed/soft_fixture.h"

/* Down to level 4 all have eight children: 4,096 leaves. Below that the first `deeper` spheres have eight, too. All are the
 * same ball around the whole surface, and all pieces are with the last leaf. */
static bool make_tree(lt_rest_tree *out, const lt_skin *skin, uint32_t deeper) {
    enum { FULL = 1 + 8 + 64 + 512 + 4096 };
    lt_allocator allocator = lt_allocator_default();
    *out = (lt_rest_tree){.sphere_count = FULL + 8 * deeper,
                          .piece_count = skin->triangle_count,
                          .branching = 8,
                          .level_count = deeper ? 6 : 5,
                          .allocator = allocator};
    out->spheres = LT_NEW(&allocator, out->sphere_count, lt_rest_sphere);
    out->pieces = LT_NEW(&allocator, out->piece_count, lt_sphere_piece);
    if (!out->spheres || !out->pieces) return false;
    uint32_t next = 1;
    for (uint32_t i = 0; i < out->sphere_count; i++) {
        lt_rest_sphere *s = &out->spheres[i];
        uint32_t parent = i ? s->parent : LT_NONE, level = i ? s->level : 0;
        bool inner = level < 4 || (level == 4 && i - (FULL - 4096) < deeper);
        *s = (lt_rest_sphere){{0.5, 0.5, 0.5}, 0.9, 0.4, 0.4, 1, parent, next, inner ? 8u : 0u, level};
        for (uint32_t k = 0; inner && k < 8; k++, next++) {
            out->spheres[next].parent = i;
            out->spheres[next].level = level + 1;
        }
    }
    for (uint32_t i = 0; i < out->sphere_count; i++)
        out->level_begin[out->spheres[i].level + 1] = i + 1;
    for (uint32_t i = 0; i < out->piece_count; i++)
        out->pieces[i] = (lt_sphere_piece){i, out->sphere_count - 1, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return true;
}

/* A file of a cube with such a tree. */
static bool write_cube(const char *name, uint32_t deeper) {
    const uint32_t cells[3] = {1, 1, 1};
    lt_tet_mesh mesh;
    soft_fixture f;
    if (lt_generate_tet_block(&mesh, (lt_dvec3){1, 1, 1}, cells, LT_TET_SPLIT_FIVE, NULL, NULL) != LT_OK)
        return false;
    bool made = fixture_make(&f, &mesh, (fixture_options){.resolution = 4});
    lt_tet_mesh_free(&mesh);
    if (!made) return false;
    char path[256];
    lt_error error = {LT_OK, ""};
    lt_rest_tree tree;
    lt_shape *shape = NULL;
    lt_shape_builder builder = lt_shape_builder_begin(NULL);
    lt_shape_builder_add_chunks(&builder, f.shape, NULL);
    lt_status status = make_tree(&tree, &f.skin, deeper) ? LT_OK : LT_STATUS_MEMORY;
    if (status == LT_OK) status = lt_sphere_tree_write(&builder, &tree, &f.carrier, &f.skin, NULL, &error);
    if (status == LT_OK) status = lt_shape_builder_finish(&builder, "many leaves", &shape, &error);
    path_in(path, sizeof path, name);
    if (status == LT_OK) status = lt_shape_save(shape, path, &error);
    if (status != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_shape_builder_free(&builder);
    lt_shape_release(shape);
    lt_rest_tree_free(&tree);
    fixture_free(&f);
    return status == LT_OK;
}

static void too_many_leaves_are_told(void) {
    CHECK_FATAL(write_cube("few.lithe", 0) && write_cube("many.lithe", 1));
    check_run("info @few.lithe", 0, "4681 spheres, 4096 leaves");
    CHECK(strstr(out_text, "self-collision") == NULL);
    check_run("info @many.lithe", 0, "4689 spheres, 4103 leaves");
    CHECK_CONTAINS(out_text, "self-collision");
    CHECK_CONTAINS(out_text, "it takes 4096 leaves at most");
    check_run("info @few.lithe --json -", 0, "\"self_collision\": true");
    check_run("info @many.lithe --json -", 0, "\"self_collision\": false");
    CHECK(clear_folder() == 2);
}

/* Baking tells of the tree that it has made: here a small one in the place of a large one. */
static void baking_tells_of_the_new_tree(void) {
    CHECK_FATAL(write_cube("many.lithe", 1));
    check_run("bake @many.lithe -o @a.lithe --spheres 1 --sphere-method octree --json -", 0,
              "\"self_collision\": true");
    CHECK(clear_folder() == 2);
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(too_many_leaves_are_told);
    RUN(baking_tells_of_the_new_tree);
    return finish_program();
}
