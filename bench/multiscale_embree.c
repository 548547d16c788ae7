/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Embree beside our own full refit, where the build has found it (libembree-dev, version 3 or 4): its tree over the boxes of the
 * triangles' ways, refitted, its pairs of boxes that overlap, then the same tests of triangles as all others. On one thread. */

#include "multiscale_internal.h"

#ifdef LITHE_HAVE_EMBREE

#if LITHE_HAVE_EMBREE >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

typedef struct tree {
    lt_multiscale *surface;
    RTCScene scene;
    RTCGeometry geometry;
} tree;

struct lt_fine_embree {
    lt_fine_pair *pair;
    RTCDevice device;
    tree trees[2]; /* of a body with itself one */
    lt_spatial_pair found[1024];
    uint32_t found_count;
    lt_allocator allocator;
};

bool lt_fine_embree_exists(void) {
    return true;
}

static void bound_triangle(const struct RTCBoundsFunctionArguments *arguments) {
    const lt_multiscale *m = arguments->geometryUserPtr;
    const uint32_t *corners = m->tree->triangles + 3 * (size_t)arguments->primID;
    lt_box box = lt_box_empty();
    for (uint32_t k = 0; k < 6; k++)
        box = lt_box_add_point(box, lt_multiscale_position(m, corners[k % 3], k / 3));
    *arguments->bounds_o = (struct RTCBounds){.lower_x = box.lo.x,
                                              .lower_y = box.lo.y,
                                              .lower_z = box.lo.z,
                                              .upper_x = box.hi.x,
                                              .upper_y = box.hi.y,
                                              .upper_z = box.hi.z};
}

static void make_tree(tree *t, RTCDevice device, lt_multiscale *surface) {
    *t = (tree){surface, rtcNewScene(device), rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER)};
    rtcSetSceneFlags(t->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(t->scene, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryBuildQuality(t->geometry, RTC_BUILD_QUALITY_REFIT);
    rtcSetGeometryUserPrimitiveCount(t->geometry, surface->tree->triangle_count);
    rtcSetGeometryUserData(t->geometry, surface);
    rtcSetGeometryBoundsFunction(t->geometry, bound_triangle, NULL);
    rtcAttachGeometry(t->scene, t->geometry);
}

lt_status lt_fine_embree_create(lt_fine_embree **out, lt_fine_pair *pair, lt_error *error) {
    lt_fine_embree *e = *out = LT_NEW(&pair->allocator, 1, lt_fine_embree);
    if (!e) return lt_fail(error, LT_STATUS_MEMORY, "no memory for Embree");
    e->allocator = pair->allocator;
    e->pair = pair;
    e->device = rtcNewDevice("threads=1,set_affinity=0");
    if (!e->device) {
        lt_fine_embree_free(e);
        *out = NULL;
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "Embree does not start on this processor");
    }
    make_tree(&e->trees[0], e->device, &pair->a->boxes);
    if (pair->b != pair->a) make_tree(&e->trees[1], e->device, &pair->b->boxes);
    return LT_OK;
}

void lt_fine_embree_free(lt_fine_embree *embree) {
    if (!embree) return;
    for (int i = 0; i < 2; i++) {
        if (!embree->trees[i].scene) continue;
        rtcReleaseGeometry(embree->trees[i].geometry);
        rtcReleaseScene(embree->trees[i].scene);
    }
    if (embree->device) rtcReleaseDevice(embree->device);
    lt_allocator allocator = embree->allocator;
    LT_DELETE(&allocator, embree, 1, lt_fine_embree);
}

static void refit(tree *t, const lt_fine_body *body) {
    lt_multiscale *m = t->surface;
    lt_multiscale_begin(m, body->from, body->to, body->box);
    m->kernels->take_nodes(m, 0, m->node_count);
    m->kernels->evaluate(m, 0, m->tree->point_count);
    rtcCommitGeometry(t->geometry);
    rtcCommitScene(t->scene);
}

static void test_found(lt_fine_embree *e) {
    lt_fine_test_pairs(e->pair, e->found, e->found_count);
    e->found_count = 0;
}

/* Of a scene with itself every pair is told twice, and every triangle with itself. */
static void find_pairs(void *user, struct RTCCollision *collisions, unsigned int count) {
    lt_fine_embree *e = user;
    bool self = e->pair->a == e->pair->b;
    for (unsigned int i = 0; i < count; i++) {
        if (self && collisions[i].primID0 >= collisions[i].primID1) continue;
        e->found[e->found_count++] = (lt_spatial_pair){collisions[i].primID0, collisions[i].primID1};
        if (e->found_count == LT_COUNT_OF(e->found)) test_found(e);
    }
}

lt_fine_times lt_fine_embree_step(lt_fine_embree *embree) {
    lt_fine_embree *e = embree;
    lt_fine_times t = {0};
    uint64_t watch = lt_os_now_ns();
    bool self = e->pair->a == e->pair->b;
    refit(&e->trees[0], e->pair->a);
    if (!self) refit(&e->trees[1], e->pair->b);
    t.fit_us = lt_fine_lap_us(&watch);
    e->pair->query.meeting_count = e->pair->query.dropped_count = 0;
    e->pair->query.self = NULL;
    rtcCollide(e->trees[0].scene, e->trees[self ? 0 : 1].scene, find_pairs, e);
    test_found(e);
    t.query_us = lt_fine_lap_us(&watch);
    t.whole_us = t.fit_us + t.query_us;
    return t;
}

#else

bool lt_fine_embree_exists(void) {
    return false;
}

lt_status lt_fine_embree_create(lt_fine_embree **out, lt_fine_pair *pair, lt_error *error) {
    (void)pair;
    *out = NULL;
    return lt_fail(error, LT_STATUS_UNSUPPORTED,
                   "built without Embree: install libembree-dev and build again");
}

void lt_fine_embree_free(lt_fine_embree *embree) {
    LT_ASSERT(!embree);
    (void)embree;
}

lt_fine_times lt_fine_embree_step(lt_fine_embree *embree) {
    (void)embree;
    return (lt_fine_times){0};
}

#endif
