/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Baked shapes in files: taken by whoever bakes the same, the same bytes; baked anew when damaged or when anything is another;
 * where the folder is; several threads at once.
 * labels: threaded */

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "check.h"
#include "core/memory.h"
#include "scenes/scene.h"
#include "scenes/shape_cache.h"
#include "scenes/shape_store.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/lithe-store-XXXXXX";
static char inner[sizeof folder + 16]; /* in there: made by whoever writes first */

/* ---- files ---- */

typedef struct listing {
    char paths[8][400];
    uint32_t count;
} listing;

static listing list_files(void) {
    listing l = {.count = 0};
    DIR *dir = opendir(inner);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && l.count < LT_COUNT_OF(l.paths))
            snprintf(l.paths[l.count++], sizeof l.paths[0], "%s/%s", inner, entry->d_name);
    if (dir) closedir(dir);
    return l;
}

static void remove_files(void) {
    listing l = list_files();
    for (uint32_t i = 0; i < l.count; i++)
        unlink(l.paths[i]);
    rmdir(inner);
}

static long size_of_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

static void turn_byte(const char *path, long at) {
    FILE *file = fopen(path, "r+b");
    CHECK_FATAL(file != NULL);
    fseek(file, at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 16, file);
    fclose(file);
}

/* ---- baking ---- */

static uint32_t words; /* of progress: 0 when nothing was baked */

static bool count_words(void *context, const char *stage, float share) {
    (void)context;
    words += stage != NULL && share >= 0;
    return true;
}

static lt_scene_shape recipe_of(uint32_t tets) {
    return (lt_scene_shape){
        .surface = {.kind = LT_SURFACE_RECIPE_SPHERE, .size = {0.1f, 0, 0}, .cells = 1},
        .carrier = {.kind = LT_CARRIER_RECIPE_ENCLOSED, .cells = {tets, 0, 0}, .distance_resolution = 8}};
}

/* As in a new process; its hash. */
static uint64_t bake_new(uint32_t tets) {
    lt_scene_shape recipe = recipe_of(tets);
    lt_shape *shape = NULL;
    lt_error error = {0};
    lt_shape_cache_clear();
    words = 0;
    if (lt_recipe_shape_watched(&shape, &recipe, (lt_bake_watch){count_words, NULL}, NULL, &error) != LT_OK)
        CHECK_FAIL_MESSAGE("%s", error.message);
    uint64_t hash = shape ? lt_shape_hash(shape) : 0;
    lt_shape_release(shape);
    return hash;
}

static void shapes_are_found_again(void) {
    uint64_t hash = bake_new(60);
    CHECK(words > 0);
    CHECK_COUNT(list_files().count, 1);
    CHECK(bake_new(60) == hash);
    CHECK_COUNT(words, 0);
    uint64_t other = bake_new(90);
    CHECK(words > 0 && other != hash);
    CHECK_COUNT(list_files().count, 2);
    CHECK(bake_new(60) == hash && words == 0);
    CHECK(bake_new(90) == other && words == 0);
    remove_files();
}

/* Trees of spheres and boxes are files of their own; a shape keeps its name, which is in messages. */
static void trees_are_found_again(void) {
    lt_scene_shape recipe = recipe_of(60);
    lt_shape *shape = NULL, *spheres[2] = {NULL, NULL}, *trees[2] = {NULL, NULL};
    lt_bake_spheres_def sphere_def = lt_bake_spheres_def_default();
    lt_bake_tree_def tree_def = lt_bake_tree_def_default();
    sphere_def.method = LT_SPHERES_OCTREE;
    sphere_def.depth = 1;
    sphere_def.progress = tree_def.progress = count_words;
    lt_shape_cache_clear();
    CHECK_FATAL(lt_recipe_shape(&shape, &recipe, NULL, NULL) == LT_OK);
    for (int i = 0; i < 2; i++) {
        words = 0;
        CHECK(lt_shape_cache_spheres(&spheres[i], shape, &sphere_def, NULL) == LT_OK);
        CHECK((words > 0) == (i == 0));
        words = 0;
        CHECK(lt_shape_cache_tree(&trees[i], shape, &tree_def, NULL) == LT_OK);
        CHECK((words > 0) == (i == 0));
        lt_shape_cache_clear();
    }
    CHECK_COUNT(list_files().count, 3);
    CHECK(lt_shape_hash(spheres[0]) == lt_shape_hash(spheres[1]) &&
          lt_shape_hash(trees[0]) == lt_shape_hash(trees[1]));
    tree_def.max_governors = 4;
    words = 0;
    lt_shape_release(trees[1]);
    CHECK(lt_shape_cache_tree(&trees[1], shape, &tree_def, NULL) == LT_OK && words > 0);
    for (int i = 0; i < 2; i++) {
        lt_shape_release(spheres[i]);
        lt_shape_release(trees[i]);
    }
    lt_shape_release(shape);
    remove_files();
}

static void damaged_files_are_baked_anew(void) {
    uint64_t hash = bake_new(60);
    listing l = list_files();
    CHECK_FATAL(l.count == 1);
    long size = size_of_file(l.paths[0]);
    const long places[] = {0, 8, 40, size / 2, size - 1};
    for (size_t i = 0; i < LT_COUNT_OF(places); i++) {
        turn_byte(l.paths[0], places[i]);
        CHECK(bake_new(60) == hash && words > 0);
        CHECK(bake_new(60) == hash && words == 0); /* whole again */
    }
    const long ends[] = {0, 1, size / 2, size - 1};
    for (size_t i = 0; i < LT_COUNT_OF(ends); i++) {
        CHECK(truncate(l.paths[0], ends[i]) == 0);
        CHECK(bake_new(60) == hash && words > 0);
        CHECK_COUNT(size_of_file(l.paths[0]), size);
    }
    CHECK_COUNT(list_files().count, 1); /* nothing half-written is left */
    remove_files();
}

/* ---- where ---- */

static void set(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void check_folder(const char *choice, const char *xdg, const char *home, const char *expected) {
    char got[LT_OS_PATH] = "";
    set("LITHE_CACHE", choice);
    set("XDG_CACHE_HOME", xdg);
    set("HOME", home);
    bool is = lt_shape_store_folder(got);
    CHECK(is == (expected != NULL));
    if (expected && strcmp(got, expected) != 0) CHECK_FAIL_MESSAGE("%s, not %s", got, expected);
}

static void the_folder_is_the_users(void) {
    char *home = getenv("HOME"), *xdg = getenv("XDG_CACHE_HOME"), *local = getenv("LOCALAPPDATA");
    char kept[3][512] = {"", "", ""};
    if (home) snprintf(kept[0], sizeof kept[0], "%s", home);
    if (xdg) snprintf(kept[1], sizeof kept[1], "%s", xdg);
    if (local) snprintf(kept[2], sizeof kept[2], "%s", local);
    set("LOCALAPPDATA", NULL);
    check_folder("/somewhere", "/x", "/h", "/somewhere");
    check_folder("off", "/x", "/h", NULL);
    check_folder("none", "/x", "/h", NULL);
    check_folder("0", "/x", "/h", NULL);
    check_folder(NULL, "/x", "/h", "/x/lithe");
    check_folder("", "/x", "/h", "/x/lithe");
    check_folder(NULL, "relative", "/h", "/h/.cache/lithe");
    check_folder(NULL, "", "/h", "/h/.cache/lithe");
    check_folder(NULL, NULL, "/h", "/h/.cache/lithe");
    check_folder(NULL, NULL, NULL, NULL);
    check_folder(NULL, NULL, "", NULL);
    set("LOCALAPPDATA", "/l");
    check_folder(NULL, NULL, NULL, "/l/lithe");
    set("HOME", home ? kept[0] : NULL);
    set("XDG_CACHE_HOME", xdg ? kept[1] : NULL);
    set("LOCALAPPDATA", local ? kept[2] : NULL);
    set("LITHE_CACHE", inner);
}

/* Switched off, or where nothing can be written: baked each time, and nothing is left. */
static void without_a_cache_shapes_are_baked(void) {
    const char *const choices[] = {"off", "/dev/null/there"};
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        set("LITHE_CACHE", choices[i]);
        hashes[i] = bake_new(60);
        CHECK(words > 0);
        CHECK(bake_new(60) == hashes[i] && words > 0);
    }
    CHECK(hashes[0] == hashes[1]);
    set("LITHE_CACHE", inner);
    CHECK_COUNT(list_files().count, 0);
}

/* ---- several at once ---- */

enum { THREADS = 4, ROUNDS = 50 };

typedef struct writer {
    const lt_shape *shape;
    uint32_t found, wrong;
} writer;

/* Whatever is found is whole. */
static void write_and_read(void *context) {
    writer *w = context;
    const lt_shape_key key = {1, 2};
    for (int i = 0; i < ROUNDS; i++) {
        lt_shape *found = lt_shape_store_find(key, "found");
        w->found += found != NULL;
        w->wrong += found && lt_shape_hash(found) != lt_shape_hash(w->shape);
        lt_shape_release(found);
        lt_shape_store_keep(key, w->shape);
    }
}

static void several_may_write_at_once(void) {
    const lt_allocator allocator = lt_allocator_default();
    lt_scene_shape recipe = recipe_of(60);
    lt_shape *shape = NULL;
    writer writers[THREADS];
    lt_os_thread *threads[THREADS];
    lt_shape_cache_clear(); /* what is in memory is in no file */
    CHECK_FATAL(lt_recipe_shape(&shape, &recipe, NULL, NULL) == LT_OK);
    for (int i = 0; i < THREADS; i++) {
        writers[i] = (writer){.shape = shape};
        threads[i] = lt_os_thread_start(&allocator, write_and_read, &writers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        if (threads[i]) lt_os_thread_join(&allocator, threads[i]);
        CHECK(threads[i] && writers[i].found > 0 && writers[i].wrong == 0);
    }
    CHECK_COUNT(list_files().count, 2); /* that of the recipe, and this one; no drafts */
    lt_shape_release(shape);
    lt_shape_cache_clear();
    remove_files();
}

int main(void) {
    if (!mkdtemp(folder)) return check_skip("no folder below /tmp can be made"), check_finish();
    snprintf(inner, sizeof inner, "%s/a/shapes", folder);
    set("LITHE_CACHE", inner);
    RUN(shapes_are_found_again);
    RUN(trees_are_found_again);
    RUN(damaged_files_are_baked_anew);
    RUN(the_folder_is_the_users);
    RUN(without_a_cache_shapes_are_baked);
    RUN(several_may_write_at_once);
    remove_files();
    lt_shape_cache_clear();
    char outer[sizeof inner];
    snprintf(outer, sizeof outer, "%s/a", folder);
    rmdir(outer);
    rmdir(folder);
    return check_finish();
}
