/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Formats that the program reads by way of assimp: with assimp, where it is installed; with scripts that stand in for it
 * (said to be assimp by PATH); and without any. */

#include "program/run_program.h"

/* A tet of volume 1/6, twice as large and 10 away by its node: 4/3. Beside its triangles a line, to be left out. */
static const char gltf[] =
    "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0, \"scenes\": [{\"nodes\": [0]}],\n"
    "\"nodes\": [{\"mesh\": 0, \"scale\": [2, 2, 2], \"translation\": [10, 0, 0]}],\n"
    "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, \"mode\": 1},\n"
    "{\"attributes\": {\"POSITION\": 0}, \"indices\": 1}]}],\n"
    "\"buffers\": [{\"byteLength\": 72, \"uri\": \"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAACAAEAAAABAAMAAAADAAIAAQACAAMA\"}],\n"
    "\"bufferViews\": [{\"buffer\": 0, \"byteOffset\": 0, \"byteLength\": 48},\n"
    "{\"buffer\": 0, \"byteOffset\": 48, \"byteLength\": 24}],\n"
    "\"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 4, \"type\": \"VEC3\",\n"
    "\"min\": [0, 0, 0], \"max\": [1, 1, 1]},\n"
    "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 12, \"type\": \"SCALAR\"}]}\n";

static char old_path[4096], bin[256], script_path[256], temporary[256];

/* PATH becomes a folder with nothing in it but `script` as assimp; NULL: nothing at all. */
static void stand_in(const char *script) {
    remove(script_path);
    if (script) write_text("bin/assimp", script);
    CHECK(!script || chmod(script_path, 0755) == 0);
    setenv("PATH", bin, 1);
}

static void without_assimp_the_message_says_what_to_install(void) {
    stand_in(NULL);
    CHECK_COUNT(run("info scene.gltf"), 1);
    CHECK_CONTAINS(err_text, "scene.gltf: this format is read by the program assimp, which is not installed");
    CHECK_CONTAINS(err_text, "assimp-utils");
    CHECK_COUNT(run("bake scene.gltf -o scene.lithe"), 1);
    CHECK_CONTAINS(err_text, "assimp-utils");
    CHECK_COUNT(run("info missing.glb"), 1); /* not a matter of assimp */
    CHECK_CONTAINS(err_text, "missing.glb: cannot open");
    setenv("PATH", old_path, 1);
}

static void what_assimp_says_is_told(void) {
    static const struct {
        const char *script, *message;
    } rows[] = {{"#!/bin/sh\necho working\necho 'ERROR: no good'\nexit 10\n",
                 "scene.gltf: assimp failed: ERROR: no good"},
                {"#!/bin/sh\nexit 3\n", "assimp failed with code 3 and said nothing"},
                {"#!/bin/sh\necho working\nkill -9 $$\n", "assimp was stopped by signal 9"},
                {"#!/bin/sh\nexit 0\n", "mesh.obj: cannot open"},
                {"#!/bin/sh\necho 'v 0 0 x' > \"$3\"\n", "scene.gltf, made by assimp: mesh.obj:1: expected"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        stand_in(rows[i].script);
        CHECK_COUNT(run("info scene.gltf"), 1);
        CHECK_CONTAINS(err_text, rows[i].message);
    }
    stand_in("#!/bin/sh\n[ \"$1 $2 $4\" = \"export ./-scene.gltf -fobjnomtl\" ] || exit 4\n"
             "printf 'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n' > \"$3\"\n");
    CHECK_COUNT(run("info -- -scene.gltf"), 0);
    CHECK_CONTAINS(out_text, "surface");
    setenv("PATH", old_path, 1);
}

static void assimp_reads_a_scene(void) {
    int code = run("info scene.gltf --json -");
    if (strstr(err_text, "not installed")) {
        check_skip("the program assimp");
        return;
    }
    CHECK_COUNT(code, 0);
    CHECK_CONTAINS(out_text, "\"triangles\": 4");
    CHECK_CONTAINS(out_text, "1.33333");
    write_text("broken.glb", "glTF, but no more of it");
    CHECK_COUNT(run("info broken.glb"), 1);
    CHECK_CONTAINS(err_text, "broken.glb: assimp ");
}

static bool begin_folders(void) {
    path_in(bin, sizeof bin, "bin");
    path_in(script_path, sizeof script_path, "bin/assimp");
    path_in(temporary, sizeof temporary, "temporary");
    setenv("TMPDIR", temporary, 1);
    return chdir(folder) == 0 && mkdir(bin, 0700) == 0 && mkdir(temporary, 0700) == 0;
}

static void nothing_is_left_behind(void) {
    CHECK_COUNT(rmdir(temporary), 0);
    remove(script_path);
    CHECK_COUNT(rmdir(bin), 0);
}

int main(void) {
    snprintf(old_path, sizeof old_path, "%s", getenv("PATH") ? getenv("PATH") : "");
    if (!begin_program()) return check_finish();
    CHECK(begin_folders());
    write_text("scene.gltf", gltf);
    write_text("-scene.gltf", gltf);
    RUN(without_assimp_the_message_says_what_to_install);
    RUN(what_assimp_says_is_told);
    RUN(assimp_reads_a_scene);
    RUN(nothing_is_left_behind);
    return finish_program();
}
