/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Contacts that are restored are checked one value at a time: whatever no step can have left is refused, by both methods,
 * and the memory stays as it was. */

#include "method/memory.h"
#include "method/pile.h"
#include "method/sphere_world.h"
#include "respond/respond.h"
#include "world/world.h"

#include <stddef.h>

static lt_shape *cube, *ball;

typedef struct bench {
    lt_world *world;
    lt_contact_list *contacts; /* the method's */
    uint8_t *bytes, *other;    /* [size] the method's state, and with another record */
    size_t size;
} bench;

static bench make_bench(lt_method method) {
    lt_world_def def = test_world_def();
    def.method = method;
    pile p = pile_of(cube, ball);
    bench b = {.world = make_pile(def, &p)};
    run(b.world, 3);
    b.size = b.world->method->state_size(b.world->method_state);
    b.contacts = &((lt_memory *)b.world->method_state)->contacts;
    b.bytes = LT_NEW(NULL, b.size, uint8_t);
    b.other = LT_NEW(NULL, b.size, uint8_t);
    b.world->method->save(b.world->method_state, b.bytes);
    return b;
}

static void free_bench(bench *b) {
    LT_DELETE(NULL, b->bytes, b->size, uint8_t);
    LT_DELETE(NULL, b->other, b->size, uint8_t);
    lt_world_destroy(b->world);
}

static lt_contact_record record_of(const bench *b, uint32_t index) {
    return b->contacts->records[index];
}

/* Whether the state is taken with this record in the place of another, which then comes back. */
static bool takes(bench *b, uint32_t index, const lt_contact_record *record) {
    lt_report report = {0};
    lt_method_step step = lt_method_step_of(b->world, STEP_DT, &report);
    lt_contact_record kept = record_of(b, index);
    uint64_t before = lt_world_hash(b->world);
    b->contacts->records[index] = *record;
    b->world->method->save(b->world->method_state, b->other);
    b->contacts->records[index] = kept;
    bool taken = b->world->method->restore(b->world->method_state, b->other, b->size, &step);
    CHECK(taken || lt_world_hash(b->world) == before);
    if (taken) CHECK(b->world->method->restore(b->world->method_state, b->bytes, b->size, &step));
    return taken;
}

/* ---- normals ---- */

static void check_normal(bench *b, uint32_t index, size_t at) {
    const float factors[] = {0, 0.5f, 0.999f, 1.001f, 2, -2, 1e30f, NAN, INFINITY};
    lt_contact_record record = record_of(b, index);
    lt_vec3 *normal = (lt_vec3 *)((uint8_t *)&record + at), unit = *normal;
    for (uint32_t i = 0; i < LT_COUNT_OF(factors); i++) {
        *normal = lt_v3_scale(unit, factors[i]);
        CHECK(!takes(b, index, &record));
    }
    *normal = lt_v3_neg(unit); /* wrong, but sound */
    CHECK(takes(b, index, &record));
}

static void check_normals(lt_method method) {
    bench b = make_bench(method);
    uint32_t kinds[3] = {0, 0, 0};
    CHECK(b.contacts->count > 20);
    for (uint32_t i = 0; i < b.contacts->count; i += 3) {
        lt_contact_record r = record_of(&b, i);
        CHECK(takes(&b, i, &r));
        kinds[r.kind]++;
        check_normal(&b, i, offsetof(lt_contact_record, touch.normal));
        check_normal(&b, i, offsetof(lt_contact_record, normal));
    }
    CHECK(kinds[LT_PAIR_BODIES] > 0 && kinds[LT_PAIR_OBSTACLE] > 0);
    free_bench(&b);
}

static void normals_must_be_unit(void) {
    check_normals(LT_METHOD_REFERENCE);
    check_normals(LT_METHOD_SPHERE_TREE);
}

/* ---- numbers ---- */

/* Every value that is put in the place of one that was sound. */
static void check_values(bench *b, uint32_t index) {
    lt_contact_record good = record_of(b, index);
    const struct {
        size_t at;
        float value;
    } wrong[] = {{offsetof(lt_contact_record, touch.depth), NAN},
                 {offsetof(lt_contact_record, touch.depth), INFINITY},
                 {offsetof(lt_contact_record, touch.area), NAN},
                 {offsetof(lt_contact_record, touch.area), -1},
                 {offsetof(lt_contact_record, touch.apart), -1},
                 {offsetof(lt_contact_record, touch.apart), NAN},
                 {offsetof(lt_contact_record, touch.apart), INFINITY},
                 {offsetof(lt_contact_record, credit), NAN},
                 {offsetof(lt_contact_record, depth), -INFINITY},
                 {offsetof(lt_contact_record, stick.y), NAN},
                 {offsetof(lt_contact_record, position.z), INFINITY},
                 {offsetof(lt_contact_record, force.x), NAN}};
    for (uint32_t i = 0; i < LT_COUNT_OF(wrong); i++) {
        lt_contact_record bad = good;
        memcpy((uint8_t *)&bad + wrong[i].at, &wrong[i].value, sizeof wrong[i].value);
        if (takes(b, index, &bad)) CHECK_FAIL_MESSAGE("value %u of a contact is taken", i);
    }
}

static void check_indices(bench *b, uint32_t index) {
    lt_contact_record good = record_of(b, index);
    const size_t places[] = {offsetof(lt_contact_record, a), offsetof(lt_contact_record, b),
                             offsetof(lt_contact_record, touch.body),
                             offsetof(lt_contact_record, touch.approximate)};
    const uint32_t wrong = 1000;
    for (uint32_t i = 0; i < LT_COUNT_OF(places); i++) {
        lt_contact_record bad = good;
        memcpy((uint8_t *)&bad + places[i], &wrong, sizeof wrong);
        if (takes(b, index, &bad)) CHECK_FAIL_MESSAGE("index %u of a contact is taken", i);
    }
    lt_contact_record bad = good;
    if (good.touch.point == LT_NONE)
        bad.touch.own.tet = 1000000;
    else
        bad.touch.point = 1000000;
    CHECK(!takes(b, index, &bad));
    bad = good;
    bad.touch.other.tet = 1000000;
    CHECK(takes(b, index, &bad) == (good.kind == LT_PAIR_OBSTACLE));
}

/* A contact between bodies whose other side is held by this holder with this weight. */
static bool takes_hold(bench *b, uint32_t index, uint32_t holder, float weight) {
    lt_contact_record record = record_of(b, index);
    record.touch.other = (lt_attachment){holder, {weight, 0, 0, 0}};
    return takes(b, index, &record);
}

/* Parts and frames are of bodies whose tree is in use; there are eight and four of them. */
static void check_holders(lt_method method) {
    bench b = make_bench(method);
    bool with_trees = method == LT_METHOD_SPHERE_TREE;
    uint32_t tried = 0;
    for (uint32_t i = 0; i < b.contacts->count; i++) {
        if (record_of(&b, i).kind == LT_PAIR_OBSTACLE) continue;
        CHECK(takes_hold(&b, i, 0, 1) && !takes_hold(&b, i, LT_NONE, 1) &&
              !takes_hold(&b, i, LT_PART - 1, 1));
        CHECK(takes_hold(&b, i, LT_PART, 1) == with_trees);
        CHECK(takes_hold(&b, i, LT_PART + LT_PART_COUNT - 1, 1) == with_trees);
        CHECK(takes_hold(&b, i, LT_FRAME, 1) == with_trees);
        CHECK(takes_hold(&b, i, LT_FRAME + LT_FRAME_COUNT - 1, 1) == with_trees);
        CHECK(!takes_hold(&b, i, 0, 1.1e6f) && !takes_hold(&b, i, 0, -3e38f) && !takes_hold(&b, i, 0, NAN));
        tried++;
    }
    CHECK(tried > 0);
    free_bench(&b);
}

static void holders_must_exist(void) {
    check_holders(LT_METHOD_REFERENCE);
    check_holders(LT_METHOD_SPHERE_TREE);
}

static void values_must_make_sense(void) {
    const lt_method methods[] = {LT_METHOD_REFERENCE, LT_METHOD_SPHERE_TREE};
    for (uint32_t m = 0; m < LT_COUNT_OF(methods); m++) {
        bench b = make_bench(methods[m]);
        for (uint32_t i = 0; i < b.contacts->count; i += 5) {
            check_values(&b, i);
            check_indices(&b, i);
        }
        free_bench(&b);
    }
}

int main(void) {
    cube = cube_with_tree(0.2, 2, 2);
    ball = ball_with_tree(0.12, 1, 2);
    RUN(normals_must_be_unit);
    RUN(values_must_make_sense);
    RUN(holders_must_exist);
    lt_shape_release(cube);
    lt_shape_release(ball);
    return check_finish();
}
