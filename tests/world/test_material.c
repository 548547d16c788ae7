/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Materials that change between steps: a body moves as one that was made of it, whatever the model; it is awake, weighs what it should
 * and slides as it should; bad ones, and those that no memory is left for, change nothing; and they are state. */

#include "failing_allocator.h"
#include "method/ladder_world.h"
#include "method/lattice_world.h"

enum { MODELS = 5, MOST = 4096 };

static lt_shape *shapes[MODELS];

static void make_shapes(void) {
    shapes[LT_MODEL_COROTATIONAL] = cube_shape(0.2, 3);
    shapes[LT_MODEL_EXPLICIT_FEM] = lt_shape_retain(shapes[LT_MODEL_COROTATIONAL]);
    shapes[LT_MODEL_LATTICE_SPRINGS] = lattice_ball(0.1f, 60); /* cells that are partly full */
    shapes[LT_MODEL_LATTICE_MATCHING] = lt_shape_retain(shapes[LT_MODEL_LATTICE_SPRINGS]);
    shapes[LT_MODEL_MULTIGRID] = small_ladder();
}

static const lt_material SOFT = {2e4f, 0.3f, 800, 0.1f, 0.002f, 0.4f},
                         FIRM = {9e4f, 0.42f, 1300, 0.5f, 0.001f, 0.1f};

static lt_world *drop(lt_model model, const lt_material *material, lt_body_id *body) {
    lt_world_def def = test_world_def();
    def.self_collision = false;
    def.method = lt_model_is_of_cells(model)   ? LT_METHOD_CELL_BOX
                 : model == LT_MODEL_MULTIGRID ? LT_METHOD_MULTISCALE
                                               : LT_METHOD_REFERENCE;
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_def bd = lt_body_def_default();
    bd.shape = shapes[model];
    bd.model = model;
    bd.position = (lt_vec3){0.01f, 0.11f, 0};
    bd.rotation = (lt_quat){0.05f, 0, 0.03f, 1};
    bd.material = *material;
    *body = add_body_def(world, &bd);
    return world;
}

static void change(lt_world *world, lt_body_id body, const lt_material *material) {
    lt_error error = {0};
    if (lt_body_set_material(world, body, material, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    lt_material now = lt_body_material(world, body);
    CHECK(memcmp(&now, material, sizeof now) == 0);
}

static bool nodes_agree(const lt_world *a, lt_body_id of_a, const lt_world *b, lt_body_id of_b) {
    static lt_vec3 positions[2][MOST];
    uint32_t count = lt_body_node_count(a, of_a);
    if (count > MOST) return false;
    lt_body_get_nodes(a, of_a, positions[0], NULL);
    lt_body_get_nodes(b, of_b, positions[1], NULL);
    return memcmp(positions[0], positions[1], count * sizeof(lt_vec3)) == 0;
}

/* ---- what follows from it ---- */

/* By way of a third, and to the last bit: what is derived keeps nothing of what was. */
static void moves_as_one_made_of_it(lt_model model) {
    lt_material third = {5e5f, 0.2f, 100, 3, 0, 1};
    lt_body_id made, changed, other;
    lt_world *a = drop(model, &FIRM, &made), *b = drop(model, &SOFT, &changed),
             *c = drop(model, &SOFT, &other);
    change(b, changed, &third);
    change(b, changed, &FIRM);
    CHECK(lt_body_mass(a, made) == lt_body_mass(b, changed));
    CHECK(lt_body_mass(a, made) > 1.5f * lt_body_mass(c, other));
    run(a, 40), run(b, 40), run(c, 40);
    CHECK(nodes_agree(a, made, b, changed));
    CHECK(!nodes_agree(a, made, c, other));
    lt_world_destroy(a), lt_world_destroy(b), lt_world_destroy(c);
}

static double height_of(lt_world *world, lt_body_id body) {
    return (double)surface_high(world, body).y - (double)surface_low(world, body).y;
}

/* Height at rest of a body of regions that was made of one material and then is of another. */
static double height_at_rest(const lt_material *made_of, const lt_material *material) {
    lt_body_id body;
    lt_world *world = drop(LT_MODEL_LATTICE_MATCHING, made_of, &body);
    run(world, 30);
    change(world, body, material);
    run(world, 250);
    double height = height_of(world, body);
    lt_world_destroy(world);
    return height;
}

/* Regions keep the masses that they were made with, and their width: where that is the right one a body gives what one made of
 * its material gives, where it is too wide somewhat less. */
static void regions_give_as_they_should(void) {
    lt_material jelly = {4e3f, 0, 1000, 2, 0.01f, 0.5f}, heavy = {5e3f, 0, 2500, 2, 0.01f, 0.5f},
                firm = {3e4f, 0, 500, 2, 0.01f, 0.5f};
    double right = height_at_rest(&jelly, &jelly), was_heavy = height_at_rest(&heavy, &jelly),
           was_firm = height_at_rest(&firm, &jelly), is_firm = height_at_rest(&firm, &firm),
           is_heavy = height_at_rest(&heavy, &heavy);
    printf("heights: %.4f m, was heavy %.4f m, was firm %.4f m; heavy %.4f m, firm %.4f m\n", right,
           was_heavy, was_firm, is_heavy, is_firm);
    CHECK(is_heavy < 0.95 * right && right < 0.95 * is_firm);
    CHECK_NEAR(was_heavy, right, 0.02 * right);
    CHECK(was_firm > 0.99 * right && was_firm < right + 0.5 * (is_firm - right));
}

static void friction_is_of_the_material(void) {
    lt_body_id body;
    lt_world *world = drop(LT_MODEL_COROTATIONAL, &FIRM, &body);
    run(world, 90);
    float before = lt_body_center(world, body).x;
    lt_material rough = FIRM;
    rough.friction = 4;
    change(world, body, &rough);
    lt_world_set_gravity(
        world, (lt_vec3){3, -9.81f, 0}); /* 0.31 of the weight: √(0.5 × 0.1) = 0.22 does not hold it */
    run(world, 60);
    float held = lt_body_center(world, body).x - before;
    change(world, body, &FIRM);
    run(world, 60);
    float slid = lt_body_center(world, body).x - before - held;
    CHECK(held < 0.02f && slid > 0.2f);
    lt_world_destroy(world);
}

static void sleepers_wake(void) {
    lt_body_id body;
    lt_world *world = drop(LT_MODEL_COROTATIONAL, &FIRM, &body);
    for (int i = 0; i < 600 && !lt_body_is_asleep(world, body); i++)
        run(world, 1);
    CHECK(lt_body_is_asleep(world, body));
    double firm = height_of(world, body);
    lt_material jelly = FIRM;
    jelly.young = 5e3f;
    change(world, body, &jelly);
    CHECK(!lt_body_is_asleep(world, body));
    run(world, 120);
    CHECK(height_of(world, body) < 0.97 * firm);
    lt_world_destroy(world);
}

/* Units of factors that a step takes after a change. */
static uint64_t units_after(lt_world *world, lt_body_id body, lt_material m, float dt) {
    change(world, body, &m);
    return lt_world_step(world, dt, lt_budget_unlimited()).factor_units;
}

/* Stiffness over density and size is rounded, and so are Poisson's ratio and dt: in the middle of all of them. */
static void a_factor_is_made_where_a_bucket_is_left(void) {
    const float dt = 1 / 64.0f;
    lt_material middle = {1048576, 0.25f, 1024, 0, 0, 0.3f}, m = middle;
    lt_body_id body;
    lt_world *world = drop(LT_MODEL_COROTATIONAL, &middle, &body);
    uint64_t all = units_after(world, body, middle, dt);
    CHECK(all > 0);
    m.young *= 1.1f;
    CHECK_COUNT(units_after(world, body, m, dt), 0);
    m.density *= 1.2f;
    CHECK_COUNT(units_after(world, body, m, dt), 0);
    m.poisson = 0.26f;
    m.friction = 1;
    CHECK_COUNT(units_after(world, body, m, 1.05f * dt), 0);
    lt_body_def bd = lt_body_def_default();
    bd.shape = shapes[LT_MODEL_COROTATIONAL];
    bd.position = (lt_vec3){2, 1, 0};
    bd.material = middle;
    bd.material.young *= 8; /* of twice the size and the density: the same factor */
    bd.material.density *= 2;
    bd.scale = 2;
    add_body_def(world, &bd);
    CHECK_COUNT(units_after(world, body, m, dt), 0);
    m.young *= 2;
    CHECK_COUNT(units_after(world, body, m, dt), all);
    m.density *= 2;
    CHECK_COUNT(units_after(world, body, m, dt), 0); /* the other body's */
    m.poisson = 0.45f;
    CHECK_COUNT(units_after(world, body, m, dt), all);
    m.stiffness_damping = 0.01f;
    CHECK_COUNT(units_after(world, body, m, dt), all);
    CHECK_COUNT(units_after(world, body, m, 2 * dt), 2 * all); /* both of the world's */
    lt_world_destroy(world);
}

/* Those that a step cannot tell from rigid are computed with less, and counted; what they are of stays what it is. */
static void too_stiff_ones_are_named(lt_model model) {
    static uint8_t bytes[1 << 20];
    lt_body_id body;
    lt_material steel = {2e12f, 0.3f, 1000, 0, 0, 0.3f};
    lt_world *world = drop(model, &steel, &body);
    bool implicit = model == LT_MODEL_COROTATIONAL || model == LT_MODEL_MULTIGRID;
    CHECK(lt_body_young(world, body) == steel.young);
    CHECK_COUNT(lt_world_step(world, 1e-3f, lt_budget_unlimited()).stiff_bodies, 0);
    CHECK(lt_body_young(world, body) == steel.young);
    CHECK_COUNT(lt_world_step(world, 1 / 60.0f, lt_budget_unlimited()).stiff_bodies, implicit);
    float young = lt_body_young(world, body);
    CHECK(implicit ? young > 1e10f && young < 1e12f : young == steel.young);
    CHECK(lt_body_material(world, body).young == steel.young);
    size_t size = lt_world_snapshot(world, bytes, sizeof bytes);
    uint64_t hash = lt_world_hash(world);
    lt_world_step(world, 1e-3f, lt_budget_unlimited());
    CHECK(lt_body_young(world, body) == steel.young);
    CHECK(lt_world_restore(world, bytes, size, NULL) == LT_OK && lt_world_hash(world) == hash);
    CHECK(lt_body_young(world, body) == young);
    change(world, body, &FIRM);
    CHECK(lt_body_young(world, body) == FIRM.young);
    lt_world_destroy(world);
}

/* ---- what changes nothing ---- */

static void bad_ones_are_refused(void) {
    static const lt_material bad[] = {{0, 0.3f, 1000, 0, 0, 0},       {1e5f, 0.5f, 1000, 0, 0, 0},
                                      {1e5f, 0.3f, NAN, 0, 0, 0},     {1e5f, 0.3f, 1000, -1, 0, 0},
                                      {1e5f, 0.3f, 1000, 0, 1e3f, 0}, {1e5f, 0.3f, 1000, 0, 0, -1}};
    lt_body_id body;
    lt_world *world = drop(LT_MODEL_COROTATIONAL, &SOFT, &body);
    run(world, 5);
    uint64_t before = lt_world_hash(world);
    for (size_t i = 0; i < LT_COUNT_OF(bad); i++) {
        lt_error error = {0};
        CHECK(lt_body_set_material(world, body, &bad[i], &error) == LT_STATUS_INVALID && error.message[0]);
    }
    change(world, body, &SOFT);
    CHECK(lt_world_hash(world) == before);
    lt_world_destroy(world);
}

static lt_shape *cube_in(const lt_allocator *allocator) {
    static const double corners[8][3] = {{-.1, -.1, -.1}, {.1, -.1, -.1}, {-.1, .1, -.1}, {.1, .1, -.1},
                                         {-.1, -.1, .1},  {.1, -.1, .1},  {-.1, .1, .1},  {.1, .1, .1}};
    static const uint32_t tets[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
    lt_bake_tets_def def = lt_bake_tets_def_default();
    lt_shape *shape = NULL;
    lt_error error = {0};
    def.node_positions = corners[0];
    def.tets = tets[0];
    def.node_count = 8;
    def.tet_count = 5;
    def.distance_resolution = 8;
    def.allocator = *allocator;
    if (lt_bake_tets(&def, &shape, NULL, &error) != LT_OK) CHECK_FAIL_MESSAGE("%s", error.message);
    return shape;
}

/* World and shape share an allocator: factors are of the shape's. */
static uint64_t run_where_memory_ends(lt_allocator allocator, failing *f, int allowed, lt_status *status) {
    lt_world_def def = test_world_def();
    def.allocator = allocator;
    lt_world *world = make_world(&def);
    add_floor(world);
    lt_body_def bd = lt_body_def_default();
    bd.shape = cube_in(&allocator);
    bd.position.y = 0.12f;
    lt_body_id body = add_body_def(world, &bd);
    run(world, 10);
    int unlimited = f->allowed;
    f->allowed = allowed;
    *status = lt_body_set_material(world, body, &FIRM, NULL);
    f->allowed = unlimited;
    CHECK(lt_world_step(world, STEP_DT, lt_budget_unlimited()).allocations == 0);
    run(world, 9);
    uint64_t hash = lt_world_hash(world);
    lt_world_destroy(world);
    lt_shape_release(bd.shape);
    return hash;
}

static void nothing_changes_without_memory(void) {
    failing f = failing_after(1000000);
    lt_status status = LT_OK;
    lt_world *plain = make_world(NULL);
    lt_world_destroy(plain);
    uint64_t changed = run_where_memory_ends(failing_allocator(&f), &f, 1000000, &status), unchanged = 0;
    CHECK(status == LT_OK);
    int refused = 0;
    for (int allowed = 0; allowed < 100; allowed++) {
        uint64_t hash = run_where_memory_ends(failing_allocator(&f), &f, allowed, &status);
        if (status == LT_OK) {
            CHECK(hash == changed);
            break;
        }
        CHECK(status == LT_STATUS_MEMORY && hash != changed);
        CHECK(refused == 0 || hash == unchanged);
        unchanged = hash;
        refused++;
    }
    CHECK(refused > 0);
    CHECK_COUNT(f.blocks_out, 0);
}

/* ---- state ---- */

enum { STEPS = 42 };

/* What happens to the body before a step is a function of its number; all models see buckets of E / ρ, of Poisson's ratio and damping
 * change, pins and steps of other lengths. */
static void happen(lt_world *world, lt_body_id body, uint32_t step) {
    lt_material m = SOFT;
    m.young = 2e4f * (1 + (float)(step / 7 % 5));
    m.density = step % 30 < 15 ? 800 : 1500;
    if (step / 20 % 2) m.poisson = 0.45f;
    if (step / 25 % 2) m.stiffness_damping = 0.004f;
    if (step % 5 == 3) change(world, body, &m);
    if (step == 18) lt_body_pin_node(world, body, 2);
    if (step == 30) lt_body_unpin_node(world, body, 2);
    lt_world_step(world, step / 12 % 2 ? STEP_DT / 2 : STEP_DT, lt_budget_unlimited());
}

static uint64_t go_on(lt_world *world, lt_body_id body, uint32_t first) {
    for (uint32_t step = first; step < STEPS; step++)
        happen(world, body, step);
    return lt_world_hash(world);
}

/* From a snapshot between any changes the future is the same, in the world that went on and in one that was only built. */
static void futures_repeat(lt_model model) {
    static uint8_t bytes[1 << 20];
    lt_body_id body, twin_body;
    lt_world *world = drop(model, &SOFT, &body), *twin = drop(model, &SOFT, &twin_body);
    uint64_t end = go_on(world, body, 0);
    lt_world_destroy(world);
    world = drop(model, &SOFT, &body);
    for (uint32_t step = 0; step < STEPS; step++) {
        happen(world, body, step);
        if (step % 16 != 11) continue;
        uint64_t now = lt_world_hash(world);
        lt_material material = lt_body_material(world, body);
        size_t size = lt_world_snapshot(world, bytes, sizeof bytes);
        CHECK(go_on(world, body, step + 1) == end);
        CHECK(lt_world_restore(world, bytes, size, NULL) == LT_OK && lt_world_hash(world) == now);
        CHECK(go_on(world, body, step + 1) == end);
        CHECK(lt_world_restore(twin, bytes, size, NULL) == LT_OK && lt_world_hash(twin) == now);
        lt_material restored = lt_body_material(twin, twin_body);
        CHECK(memcmp(&restored, &material, sizeof material) == 0);
        CHECK(go_on(twin, twin_body, step + 1) == end);
        CHECK(lt_world_restore(world, bytes, size, NULL) == LT_OK);
    }
    lt_world_destroy(world), lt_world_destroy(twin);
}

static void the_hash_sees_it(void) {
    lt_body_id body;
    lt_world *world = drop(LT_MODEL_COROTATIONAL, &SOFT, &body);
    run(world, 5);
    for (int field = 0; field < 6; field++) {
        lt_material m = lt_body_material(world, body);
        uint64_t before = lt_world_hash(world);
        ((float *)&m)[field] *= 1.01f;
        change(world, body, &m);
        CHECK(lt_world_hash(world) != before);
    }
    lt_world_destroy(world);
}

static void bodies_move_as_if_made_of_it(void) {
    for (int model = 0; model < MODELS; model++)
        if (model != LT_MODEL_LATTICE_MATCHING) moves_as_one_made_of_it((lt_model)model);
}

static void bodies_that_are_too_stiff_are_named(void) {
    for (int model = 0; model < MODELS; model++)
        too_stiff_ones_are_named((lt_model)model);
}

static void futures_repeat_between_changes(void) {
    for (int model = 0; model < MODELS; model++)
        futures_repeat((lt_model)model);
}

int main(void) {
    make_shapes();
    RUN(bodies_move_as_if_made_of_it);
    RUN(regions_give_as_they_should);
    RUN(friction_is_of_the_material);
    RUN(sleepers_wake);
    RUN(a_factor_is_made_where_a_bucket_is_left);
    RUN(bodies_that_are_too_stiff_are_named);
    RUN(bad_ones_are_refused);
    RUN(nothing_changes_without_memory);
    RUN(futures_repeat_between_changes);
    RUN(the_hash_sees_it);
    for (int i = 0; i < MODELS; i++)
        lt_shape_release(shapes[i]);
    return check_finish();
}
