/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Scenes as JSON: what is written and read again is the same scene, every built-in one, and gives the same hash; what is
 * wrong is refused with file, line and key.
 *
 * labels: data */

#include "check.h"
#include "failing_allocator.h"
#include "outcome.h"
#include "scenes/scene_json.h"

#include <string.h>

/* ---- there and back ---- */

static lt_array written(const lt_scene *scene) {
    lt_array bytes = LT_ARRAY_OF(NULL, char);
    lt_json json = lt_json_to_array(&bytes, LT_JSON_INDENTED);
    lt_error error = {0};
    CHECK(lt_scene_write_json(&json, scene, &error) == LT_OK && lt_json_finish(&json, &error) == LT_OK);
    return bytes;
}

/* Shapes without names are given some in files. */
static void forget_names(lt_scene *scene) {
    lt_scene_shape *shapes = scene->shapes.items;
    for (size_t i = 0; i < scene->shapes.count; i++)
        memset(shapes[i].name, 0, sizeof shapes[i].name);
}

static void check_items(const char *scene, const char *what, const lt_array *a, const lt_array *b,
                        size_t size) {
    if (a->count != b->count || (a->count && memcmp(a->items, b->items, a->count * size) != 0))
        CHECK_FAIL_MESSAGE("scene %s: the %s differ after reading", scene, what);
}

static void check_same_scene(lt_scene *a, lt_scene *b) {
    forget_names(a);
    forget_names(b);
    check_items(a->name, "shapes", &a->shapes, &b->shapes, sizeof(lt_scene_shape));
    check_items(a->name, "bodies", &a->bodies, &b->bodies, sizeof(lt_scene_body));
    check_items(a->name, "obstacles", &a->obstacles, &b->obstacles, sizeof(lt_scene_obstacle));
    check_items(a->name, "pins", &a->pins, &b->pins, sizeof(lt_scene_pin));
    check_items(a->name, "handles", &a->handles, &b->handles, sizeof(lt_scene_handle));
    CHECK(a->dt == b->dt && a->steps == b->steps && a->method == b->method && a->mode == b->mode);
    CHECK(memcmp(&a->sphere_tree, &b->sphere_tree, sizeof a->sphere_tree) == 0);
    CHECK(a->tet_hash.fast_first == b->tet_hash.fast_first &&
          a->cell_box.grid_boxes == b->cell_box.grid_boxes);
    CHECK(memcmp(&a->multiscale, &b->multiscale, sizeof a->multiscale) == 0);
    CHECK(a->factor_units == b->factor_units && a->model_units == b->model_units);
    CHECK(a->contact_capacity == b->contact_capacity && a->pair_capacity == b->pair_capacity);
    CHECK(memcmp(a->origin, b->origin, sizeof a->origin) == 0);
    CHECK(memcmp(&a->gravity, &b->gravity, sizeof a->gravity) == 0 && strcmp(a->caption, b->caption) == 0);
}

static bool read_back(lt_scene *out, const lt_array *bytes) {
    lt_error error = {0};
    if (lt_scene_from_json(out, "back.json", bytes->items, bytes->count, NULL, &error) == LT_OK) return true;
    CHECK_FAIL_MESSAGE("%s", error.message);
    return false;
}

static void every_built_in_comes_back(void) {
    uint32_t count;
    const lt_scene_entry *entries = lt_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        lt_scene scene, back;
        CHECK_FATAL(lt_scene_make(&scene, entries[i].name, NULL, NULL) == LT_OK);
        lt_scene_body *bodies = scene.bodies.items;
        for (size_t k = 0; k < scene.bodies.count; k++)
            bodies[k].solve_interval = 1 + (uint32_t)k % 10; /* nobody has another in the scenes themselves */
        lt_array first = written(&scene);
        if (read_back(&back, &first)) {
            lt_array second = written(&back);
            CHECK(first.count == second.count && memcmp(first.items, second.items, first.count) == 0);
            check_same_scene(&scene, &back);
            lt_array_free(&second);
            lt_scene_free(&back);
        }
        lt_array_free(&first);
        lt_scene_free(&scene);
    }
}

/* ---- versions ---- */

#define SIDE_BY_SIDE                                                                                         \
    "\"order\": \"fifo\", \"error_tolerance\": 0.25, \"queue_capacity\": 77, \"front_cache_capacity\": 99, " \
    "\"fast_first\": true, \"grid_boxes\": true, \"pending\": \"ignore\", \"separation\": 0.125"
#define GROUPED                                                                                              \
    "\"sphere_tree\": {\"order\": \"fifo\", \"error_tolerance\": 0.25, \"queue_capacity\": 77, "             \
    "\"front_cache_capacity\": 99}, \"tet_hash\": {\"fast_first\": true}, \"cell_box\": {\"grid_boxes\": "   \
    "true}, \"multiscale\": {\"pending\": \"ignore\", \"separation\": 0.125}"

static void check_options(const char *text) {
    lt_scene scene;
    lt_error error = {0};
    if (lt_scene_from_json(&scene, "x.json", text, strlen(text), NULL, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return;
    }
    lt_world_def def = lt_scene_world_def(&scene);
    CHECK(def.sphere_tree.order == LT_ORDER_FIFO && def.sphere_tree.error_tolerance == 0.25f);
    CHECK(def.sphere_tree.queue_capacity == 77 && def.sphere_tree.front_cache_capacity == 99);
    CHECK(def.tet_hash.fast_first && def.cell_box.grid_boxes);
    CHECK(def.multiscale.pending == LT_PENDING_IGNORE && def.multiscale.separation == 0.125f);
    lt_array bytes = written(&scene);
    lt_scene back;
    static const char begin[] = "{\n  \"lithe_scene\": 2,";
    CHECK(strncmp(bytes.items, begin, sizeof begin - 1) == 0);
    if (read_back(&back, &bytes)) {
        check_same_scene(&scene, &back);
        lt_scene_free(&back);
    }
    lt_array_free(&bytes);
    lt_scene_free(&scene);
}

/* A file of version 1 means what it meant, and is written as one of today. */
static void old_files_keep_their_meaning(void) {
    check_options("{\"lithe_scene\": 1, \"world\": {" SIDE_BY_SIDE "}}");
    check_options("{\"lithe_scene\": 2, \"world\": {" GROUPED "}}");
}

/* More than 32 bits, to the last one; LT_UNLIMITED is not written. */
static void units_are_read_and_written(void) {
    static const struct {
        const char *text;
        uint64_t of_factors, of_models;
    } given[] = {{"{\"lithe_scene\": 2}", LT_UNLIMITED, 0},
                 {"{\"lithe_scene\": 2, \"world\": {\"factor_units\": 0, \"model_units\": 0}}", 0, 0},
                 {"{\"lithe_scene\": 2, \"world\": {\"factor_units\": 5000000001}}", 5000000001, 0},
                 {"{\"lithe_scene\": 2, \"world\": {\"model_units\": 5000000003}}", LT_UNLIMITED, 5000000003},
                 {"{\"lithe_scene\": 2, \"world\": {\"factor_units\": 999999999999999, \"model_units\": 7}}",
                  999999999999999, 7}};
    for (size_t i = 0; i < LT_COUNT_OF(given); i++) {
        lt_scene scene, back;
        lt_error error = {0};
        CHECK_FATAL(lt_scene_from_json(&scene, "x.json", given[i].text, strlen(given[i].text), NULL,
                                       &error) == LT_OK);
        lt_world_def def = lt_scene_world_def(&scene);
        CHECK(def.factor_units == given[i].of_factors && def.model_units == given[i].of_models);
        lt_array bytes = written(&scene);
        CHECK(lt_array_push(&bytes, ""));
        CHECK((strstr(bytes.items, "factor_units") != NULL) == (given[i].of_factors != LT_UNLIMITED));
        bytes.count--;
        if (read_back(&back, &bytes)) {
            check_same_scene(&scene, &back);
            lt_scene_free(&back);
        }
        lt_array_free(&bytes);
        lt_scene_free(&scene);
    }
}

static uint64_t hash_of(const lt_scene *scene, uint64_t steps) {
    lt_error error = {0};
    lt_scene_world world;
    if (lt_scene_build(&world, scene, NULL, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return 0;
    }
    for (uint64_t step = 0; step < steps; step++) {
        lt_scene_advance(&world, step);
        lt_world_step(world.world, scene->dt, lt_budget_unlimited());
    }
    uint64_t hash = lt_world_hash(world.world);
    lt_scene_world_free(&world);
    return hash;
}

/* Every kind of thing once: pins, handles, motions, explicit bodies, obstacles. */
static void hashes_are_the_same(void) {
    const char *names[] = {"cantilever", "explicit", "incline", "moving-obstacle", "handle", "two-balls"};
    for (size_t i = 0; i < LT_COUNT_OF(names); i++) {
        lt_scene scene, back;
        CHECK_FATAL(lt_scene_make(&scene, names[i], NULL, NULL) == LT_OK);
        lt_array text = written(&scene);
        if (read_back(&back, &text)) {
            CHECK(hash_of(&scene, 5) == hash_of(&back, 5));
            lt_scene_free(&back);
        }
        lt_array_free(&text);
        lt_scene_free(&scene);
    }
}

/* Cut by units that the file has, a scene ends where the same one cut by hand does, and elsewhere than uncut. */
static void units_of_files_cut(void) {
    lt_scene scene, back;
    CHECK_FATAL(lt_scene_make(&scene, "cantilever", NULL, NULL) == LT_OK);
    uint64_t uncut = hash_of(&scene, 5);
    scene.model_units = 1; /* what is done in any case */
    lt_array text = written(&scene);
    if (read_back(&back, &text)) {
        CHECK(hash_of(&back, 5) == hash_of(&scene, 5) && hash_of(&back, 5) != uncut);
        lt_scene_free(&back);
    }
    lt_array_free(&text);
    lt_scene_free(&scene);
}

/* ---- by hand ---- */

#define HEAD "{\"lithe_scene\": 2,\n"
#define SHAPES                                                                                               \
    "\"shapes\": {\"ball\": {\"carrier\": {\"kind\": \"ball\", \"radius\": 0.2, \"layers\": 4}}},\n"
#define BODY(x) HEAD SHAPES "\"bodies\": [{\"shape\": \"ball\"" x "}]}"

static void little_is_enough(void) {
    static const char text[] = BODY("");
    lt_scene scene;
    lt_error error = {0};
    if (lt_scene_from_json(&scene, "some/pile.json", text, sizeof text - 1, NULL, &error) != LT_OK) {
        CHECK_FAIL_MESSAGE("%s", error.message);
        return;
    }
    CHECK(strcmp(scene.name, "pile") == 0 && scene.bodies.count == 1 && scene.dt > 0 && scene.steps > 0);
    CHECK(hash_of(&scene, 2) != 0);
    lt_scene_free(&scene);
}

typedef struct fault {
    const char *text, *message;
} fault;

static const fault faults[] = {
    {"", "x.json:1: "},
    {"[]", "x.json:1: give an object"},
    {"{}", "\"lithe_scene\" is missing"},
    {"{\"lithe_scene\": 3}", "x.json:1: lithe_scene: this program reads versions 1 and 2 only"},
    {"{\"lithe_scene\": \"2\"}", "x.json:1: lithe_scene: this program reads versions 1 and 2 only"},
    {"{\"lithe_scene\": 1, \"world\": {" GROUPED "}}",
     "x.json:1: world.sphere_tree: there is no such key here"},
    {"{\"lithe_scene\": 2, \"world\": {" SIDE_BY_SIDE "}}",
     "x.json:1: world.order: there is no such key here"},
    {HEAD "\"stpes\": 3}", "x.json:2: stpes: "},
    {HEAD "\"steps\": 3,\n\"steps\": 4}", "x.json:3: "},
    {HEAD "\"steps\": 0}", "x.json:2: steps: 0 is out of range: give 1 to 1000000000"},
    {HEAD "\"steps\": 1.5}", "x.json:2: steps: 1.5 is not a whole number"},
    {HEAD "\"steps\": \"many\"}", "x.json:2: steps: give a whole number, not a string"},
    {HEAD "\"world\": {\"factor_units\": -1}}",
     "x.json:2: world.factor_units: -1 is out of range: give 0 to 1e+15"},
    {HEAD "\"world\": {\"model_units\": -1}}",
     "x.json:2: world.model_units: -1 is out of range: give 0 to 1e+15"},
    {HEAD "\"world\": {\"model_units\": 2.5}}", "x.json:2: world.model_units: 2.5 is not a whole number"},
    {HEAD "\"world\": {\"factor_units\": 2e16}}", "x.json:2: world.factor_units: 2e+16 is out of range"},
    {HEAD "\"world\": {\"factor_units\": 0.5}}", "x.json:2: world.factor_units: 0.5 is not a whole number"},
    {HEAD "\"dt\": 1e999}", "x.json:2: dt: no such large number"},
    {HEAD "\"dt\": nan}", "x.json:2: "},
    {HEAD "\"world\": {\"method\": \"sphere-tre\"}}", "did you mean sphere-tree"},
    {HEAD "\"world\": {\"gravity\": [0, 1]}}", "x.json:2: world.gravity: give a list of 3 numbers, not 2"},
    {HEAD "\"world\": {\"gravity\": [0, \"a\", 0]}}",
     "x.json:2: world.gravity[1]: give a number, not a string"},
    {HEAD "\"camera\": {\"eye\": [0, 0, 0], \"target\": [0, 0, 0]}}", "eye and target are the same point"},
    {HEAD "\"shapes\": {\"a\": {}}}", "carrier"},
    {HEAD "\"shapes\": {\"a\": {\"carrier\": {\"kind\": \"bal\"}}}}", "did you mean ball"},
    {HEAD "\"bodies\": [{}]}", "x.json:2: bodies[0]: the key \"shape\" is missing"},
    {HEAD "\"bodies\": [{\"shape\": \"ball\"}]}", "there are no shapes"},
    {HEAD SHAPES "\"bodies\": [{\"shape\": \"bal\"}]}",
     "x.json:3: bodies[0].shape: \"bal\" is not a shape of this file"},
    {BODY(", \"model\": \"corotationl\""),
     "bodies[0].model: \"corotationl\" is not a model; did you mean corotational?"},
    {BODY(", \"material\": {\"poisson\": 0.5}"), "bodies[0].material.poisson: 0.5 is out of range"},
    {BODY(", \"rotation\": [0, 0, 0, 0]"), "bodies[0].rotation: not a rotation"},
    {BODY(", \"rotation\": {\"axis\": [0, 0, 0], \"degrees\": 3}"), "the axis has no direction"},
    {BODY(", \"pins\": [{\"lo\": [1, 0, 0], \"hi\": [0, 0, 0]}]"),
     "bodies[0].pins[0]: lo must not be above hi"},
    {HEAD "\"obstacles\": [{\"kind\": \"plane\", \"normal\": [0, 0, 0]}]}", "the normal has no direction"},
    {HEAD "\"obstacles\": [{\"kind\": \"sphere\"}]}", "radius"},
    {HEAD "\"name\": \"a\\u001b[2J\"}", "x.json:2: name: control characters cannot be used"},
    {HEAD "\"caption\": \"a\\nb\"}", "x.json:2: caption: control characters cannot be used"},
    {HEAD "\"caption\": \"a\\u007f\"}", "x.json:2: caption: control characters cannot be used"},
    {HEAD "\"shapes\": {\n\"a\\u001bc\": {\"carrier\": {\"kind\": \"ball\", \"radius\": 1, \"layers\": 2}}}}",
     "x.json:3: shapes.a?c: control characters cannot be used in the name of a shape"},
    {HEAD "\"st\\u001bc\": 3}", "x.json:2: st?c: "},
    {HEAD "\"world\": {\"method\": \"\\u001bc\"}}", "x.json:2: world.method: \"?c\" is not"},
    {HEAD "\"\\u001bc\": 3,\n\"\\u001bc\": 4}", "x.json:3: "},
    {HEAD "\"obstacles\": {}}", "x.json:2: obstacles: give a list"},
};

static void faults_are_named(void) {
    for (size_t i = 0; i < LT_COUNT_OF(faults); i++) {
        lt_scene scene;
        lt_error error = {0};
        lt_status status =
            lt_scene_from_json(&scene, "x.json", faults[i].text, strlen(faults[i].text), NULL, &error);
        CHECK(status != LT_OK && error.status == status);
        CHECK_CONTAINS(error.message, faults[i].message);
        for (const char *c = error.message; *c; c++)
            CHECK((unsigned char)*c >= 0x20 && *c != 0x7f);
        if (status == LT_OK) lt_scene_free(&scene);
    }
}

/* Every request for memory fails once; nothing is left behind, and never more is out than is promised. */
static void memory_may_run_out(void) {
    static const char text[] = BODY(", \"pins\": [{\"lo\": [0, 0, 0], \"hi\": [1, 1, 1]}]");
    lt_status status = LT_STATUS_MEMORY;
    for (int allowed = 0; allowed < 100 && status != LT_OK; allowed++) {
        failing f = failing_after(allowed);
        lt_allocator allocator = failing_allocator(&f);
        lt_scene scene;
        status = lt_scene_from_json(&scene, "x.json", text, sizeof text - 1, &allocator, NULL);
        CHECK(status == LT_OK || status == LT_STATUS_MEMORY);
        if (status == LT_OK) lt_scene_free(&scene);
        CHECK(f.blocks_out == 0 && f.bytes_out == 0);
        CHECK(f.bytes_most <= LT_SCENE_MEMORY_FACTOR * sizeof text + LT_SCENE_MEMORY_BASE);
    }
    CHECK(status == LT_OK);
}

/* Pins and handles are written with their bodies, also when the scene has them in another order. */
static void pins_in_any_order_are_written(void) {
    static const uint32_t orders[][3] = {{0, 2, 2}, {2, 0, 2}};
    for (size_t k = 0; k < LT_COUNT_OF(orders); k++) {
        lt_scene scene = lt_scene_empty("pins", NULL), back;
        lt_scene_add_shape(
            &scene, (lt_surface_recipe){0},
            (lt_carrier_recipe){.kind = LT_CARRIER_RECIPE_BALL, .size = {1, 0, 0}, .cells = {2}});
        for (uint32_t i = 0; i < 4; i++)
            lt_scene_add_body(&scene, 0, (lt_vec3){(float)i, 0, 0});
        for (uint32_t i = 0; i < 3; i++) {
            lt_scene_add_pin(&scene, orders[k][i], (lt_vec3){0, 0, 0}, (lt_vec3){(float)i, 1, 1});
            lt_scene_add_handle(&scene, orders[k][i], (lt_vec3){(float)i, 0, 0}, 1);
        }
        lt_array bytes = written(&scene);
        if (read_back(&back, &bytes)) {
            const lt_scene_pin *pins = back.pins.items;
            const lt_scene_handle *handles = back.handles.items;
            CHECK_FATAL(back.pins.count == 3 && back.handles.count == 3);
            CHECK(pins[0].body_index == 0 && pins[1].body_index == 2 && pins[2].body_index == 2);
            CHECK(pins[0].hi.x == (float)k && pins[1].hi.x == (float)(1 - k) && pins[2].hi.x == 2);
            CHECK(handles[0].body_index == 0 && handles[1].body_index == 2 && handles[2].body_index == 2);
            CHECK(handles[0].point.x == (float)k && handles[2].point.x == 2);
            lt_scene_free(&back);
        }
        lt_array_free(&bytes);
        lt_scene_free(&scene);
    }
}

static void files_are_told_from_names(void) {
    lt_scene scene;
    lt_error error = {0};
    CHECK(lt_scene_open(&scene, "none/none.json", NULL, &error) == LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "none/none.json");
    CHECK(lt_scene_open(&scene, "dmeo", NULL, &error) == LT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(error.message, "did you mean demo?");
}

/* Doubles, bit for bit; and what is 1 mm comes to rest 1 km away as it does at home, by the judge. */
static void origins_are_doubles_and_kept_to(void) {
    static const char text[] =
        "{\"lithe_scene\": 2, \"dt\": 0.002, \"world\": {\"origin\": [%s], \"gravity\": [0, -9.81, 0]},"
        "\"camera\": {\"eye\": [0.003, 0.003, 0.004], \"target\": [0, 0, 0]},"
        "\"shapes\": {\"c\": {\"carrier\": {\"kind\": \"block\", \"size\": [0.001, 0.001, 0.001], \"cells\": "
        "[2, 2, 2]}}},"
        "\"obstacles\": [{\"kind\": \"box\", \"half_extents\": [0.05, 0.05, 0.05], \"position\": [0, -0.05, "
        "0]}],"
        "\"bodies\": [{\"shape\": \"c\", \"position\": [0, 0.0006, 0]},"
        "{\"shape\": \"c\", \"position\": [0.0001, 0.0017, 0]}]}";
    static const char *const origins[3] = {"0, 0, 0", "1000, 1000, -1000", "1000.1, -0.3, 99999.7"};
    lt_judgement worst[3];
    for (int i = 0; i < 3; i++) {
        char json[1024];
        lt_scene scene, back;
        lt_scene_world w;
        lt_error error = {0};
        snprintf(json, sizeof json, text, origins[i]);
        if (lt_scene_from_json(&scene, "far.json", json, strlen(json), NULL, &error) != LT_OK) {
            CHECK_FAIL_MESSAGE("%s", error.message);
            return;
        }
        lt_array bytes = written(&scene);
        CHECK_FATAL(read_back(&back, &bytes));
        CHECK(memcmp(scene.origin, back.origin, sizeof scene.origin) == 0);
        CHECK(i < 2 || scene.origin[2] == 99999.7);
        CHECK_FATAL(lt_scene_build(&w, &scene, NULL, &error) == LT_OK);
        outcome o = outcome_begin(&w, 10);
        for (uint64_t step = 0; step < 400; step++) {
            lt_scene_advance(&w, step);
            lt_world_step(w.world, scene.dt, lt_budget_unlimited());
            outcome_step(&o);
        }
        outcome_expect_none_lost(&o);
        outcome_expect_depth(&o, 0.05);
        CHECK_NEAR(lt_body_center_from(w.world, w.bodies[1], scene.origin).y, 0.0015, 2e-5);
        CHECK(lt_body_is_asleep(w.world, w.bodies[0]) && lt_body_is_asleep(w.world, w.bodies[1]));
        worst[i] = o.worst;
        outcome_end(&o);
        lt_scene_world_free(&w);
        lt_scene_free(&scene);
        lt_scene_free(&back);
        lt_array_free(&bytes);
    }
    CHECK(worst[1].depth_share == worst[0].depth_share && worst[1].below_share == worst[0].below_share);
    CHECK_NEAR(worst[2].below_share, worst[0].below_share, 0.01);
}

int main(void) {
    RUN(every_built_in_comes_back);
    RUN(hashes_are_the_same);
    RUN(units_of_files_cut);
    RUN(old_files_keep_their_meaning);
    RUN(units_are_read_and_written);
    RUN(little_is_enough);
    RUN(origins_are_doubles_and_kept_to);
    RUN(faults_are_named);
    RUN(memory_may_run_out);
    RUN(pins_in_any_order_are_written);
    RUN(files_are_told_from_names);
    return check_finish();
}
