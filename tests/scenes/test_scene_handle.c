/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* lithe/scene.h as a user of the library has it: by name, by file, by text, back to text, and to a world. Files are written
 * beside this program. */

#include "lithe/scene.h"

#include "check.h"
#include "core/os.h"
#include "failing_allocator.h"

static const char *program;

static const char least[] =
    "{\"lithe_scene\": 1, \"steps\": 7, \"dt\": 0.01,\n"
    " \"shapes\": {\"ball\": {\"carrier\": {\"kind\": \"ball\", \"radius\": 0.2, \"layers\": 2}}},\n"
    " \"bodies\": [{\"shape\": \"ball\", \"position\": [0, 1, 0]}],\n"
    " \"obstacles\": [{\"kind\": \"plane\"}]}";

static void every_built_in_scene_can_be_had_by_name(void) {
    uint32_t count = lt_scene_builtin_count();
    CHECK(count > 30);
    for (uint32_t i = 0; i < count; i++) {
        lt_error error = {0};
        lt_scene *scene;
        CHECK(strlen(lt_scene_builtin_about(i)) > 10);
        CHECK_FATAL(lt_scene_create(lt_scene_builtin_name(i), NULL, &scene, &error) == LT_OK);
        lt_scene_info info = lt_scene_describe(scene);
        CHECK(strcmp(info.name, lt_scene_builtin_name(i)) == 0);
        CHECK(info.body_count > 0 && info.steps > 0 && info.dt > 0);
        lt_scene_destroy(scene);
    }
    CHECK(strcmp(lt_scene_builtin_name(count), "") == 0 && strcmp(lt_scene_builtin_about(count), "") == 0);
}

static void what_is_wrong_is_named(void) {
    lt_error error = {0};
    lt_scene *scene = (lt_scene *)(uintptr_t)1;
    CHECK(lt_scene_create("dorp", NULL, &scene, &error) == LT_STATUS_NOT_FOUND);
    CHECK(scene == NULL);
    CHECK_CONTAINS(error.message, "did you mean drop");
    CHECK(lt_scene_create("no-such.json", NULL, &scene, &error) == LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "no-such.json");
    const char bad[] = "{\"lithe_scene\": 1,\n \"bodys\": []}";
    CHECK(lt_scene_create_from_json("mine.json", bad, sizeof bad - 1, NULL, &scene, &error) != LT_OK);
    CHECK(scene == NULL);
    CHECK_CONTAINS(error.message, "mine.json:2: bodys");
    lt_scene_destroy(NULL);
}

static uint64_t hash_after(const lt_scene *scene, uint64_t steps) {
    lt_error error = {0};
    lt_scene_world run;
    if (lt_scene_build(&run, scene, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    for (uint64_t step = 0; run.world && step < steps; step++) {
        lt_scene_advance(&run, step);
        lt_world_step(run.world, lt_scene_describe(scene).dt, lt_budget_collision_units(200000));
    }
    uint64_t hash = run.world ? lt_world_hash(run.world) : 0;
    lt_scene_world_free(&run);
    lt_scene_world_free(&run); /* freed already */
    return hash;
}

/* By name and through text to the same bits; a handle and a moving obstacle are among them. */
static void a_scene_that_went_through_text_runs_to_the_same_bits(void) {
    static const char *const names[] = {"handle", "moving-obstacle", "pins"};
    for (size_t i = 0; i < 3; i++) {
        lt_error error = {0};
        lt_scene *scene, *again;
        CHECK_FATAL(lt_scene_create(names[i], NULL, &scene, &error) == LT_OK);
        size_t length = lt_scene_to_json(scene, NULL, 0);
        char *text = malloc(length + 1);
        CHECK_FATAL(length > 100 && text);
        text[0] = 'x';
        CHECK_COUNT(lt_scene_to_json(scene, text, length), length); /* no room for the 0 */
        CHECK(text[0] == 'x');
        CHECK_COUNT(lt_scene_to_json(scene, text, length + 1), length);
        CHECK_COUNT(strlen(text), length);
        CHECK_FATAL(lt_scene_create_from_json("again.json", text, length, NULL, &again, &error) == LT_OK);
        CHECK(hash_after(scene, 3) == hash_after(again, 3));
        free(text);
        lt_scene_destroy(scene);
        lt_scene_destroy(again);
    }
}

static void a_file_is_a_scene_and_is_called_so(void) {
    char path[600];
    lt_error error = {0};
    lt_scene *scene, *same;
    snprintf(path, sizeof path, "%s-least.json", program);
    CHECK_FATAL(lt_os_write_file(path, least, sizeof least - 1, &error) == LT_OK);
    CHECK_FATAL(lt_scene_create(path, NULL, &scene, &error) == LT_OK);
    CHECK_FATAL(lt_scene_create_from_json("least", least, sizeof least - 1, NULL, &same, &error) == LT_OK);
    lt_scene_info info = lt_scene_describe(scene);
    CHECK_CONTAINS(info.name, "least");
    CHECK_COUNT(info.steps, 7);
    CHECK_COUNT(info.body_count, 1);
    CHECK_COUNT(info.obstacle_count, 1);
    CHECK_COUNT(info.handle_count, 0);
    CHECK(info.dt == 0.01f && info.method == lt_world_def_default().method);
    CHECK(hash_after(scene, 2) == hash_after(same, 2));
    lt_scene_destroy(scene);
    lt_scene_destroy(same);
    remove(path);
}

/* Of the memory that a scene asks for, every request fails once; nothing is left behind. */
static void memory_that_is_refused_is_said(void) {
    lt_status status = LT_STATUS_MEMORY;
    int allowed = 0;
    for (; status == LT_STATUS_MEMORY && allowed < 200; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_error error = {0};
        lt_scene *scene;
        status = lt_scene_create_from_json("least", least, sizeof least - 1, &allocator, &scene, &error);
        CHECK((status == LT_OK) == (scene != NULL));
        f.allowed = 0;
        if (scene) CHECK_COUNT(lt_scene_to_json(scene, NULL, 0), 0);
        lt_scene_destroy(scene);
        CHECK_COUNT(f.blocks_out, 0);
        CHECK_COUNT(f.bytes_out, 0);
    }
    CHECK(status == LT_OK && allowed > 4);
}

int main(int argument_count, char **arguments) {
    program = argument_count > 0 ? arguments[0] : "scene_handle";
    RUN(every_built_in_scene_can_be_had_by_name);
    RUN(what_is_wrong_is_named);
    RUN(a_scene_that_went_through_text_runs_to_the_same_bits);
    RUN(a_file_is_a_scene_and_is_called_so);
    RUN(memory_that_is_refused_is_said);
    return check_finish();
}
