/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "report_frames.h"

#include "draw.h"
#include "interrupt.h"
#include "picture/png.h"
#include "scenes/list.h"
#include "scenes/scene.h"

#include <string.h>

enum { WIDTH = 480, HEIGHT = 300, MOMENTS = 3, QUICK_MOMENTS = 1 };

typedef struct story {
    const char *experiment, *scene, *about;
    lt_method method;
    uint32_t moments[MOMENTS]; /* steps, rising; --quick has the first ones only */
    bool resolution;           /* is what colours show */
} story;

/* Generated shapes only: the pictures are the same wherever the program runs. */
static const story stories[] = {
    {"core", "drop", "a soft ball falls on the floor.", LT_METHOD_REFERENCE, {20, 28, 60}, false},
    {"sphere-tree",
     "heap",
     "bears, teapots, rings and balls fall into a heap.",
     LT_METHOD_SPHERE_TREE,
     {30, 48, 90},
     false},
    {"tet-hash", "plates", "twenty soft plates, one on the other.", LT_METHOD_TET_HASH, {10, 40, 120}, false},
    {"cell-box",
     "teapots",
     "a teapot comes to stand on another one.",
     LT_METHOD_CELL_BOX,
     {20, 80, 240},
     false},
    {"multiscale", "knot", "a knot falls and lies on itself.", LT_METHOD_MULTISCALE, {24, 40, 120}, false},
    {"multigrid",
     "gummy-bear",
     "red where the finest meshes of the ladder move the surface, yellow where the coarsest do.",
     LT_METHOD_MULTISCALE,
     {24, 36, 160},
     true},
};

static const story *find_story(const char *experiment) {
    for (size_t i = 0; i < LT_COUNT_OF(stories); i++)
        if (strcmp(stories[i].experiment, experiment) == 0) return &stories[i];
    return NULL;
}

/* What is baked in no time. */
static void make_quick(lt_scene *scene, const story *s) {
    lt_scene_shape *shapes = scene->shapes.items;
    scene->sphere_method = LT_SPHERES_OCTREE;
    if (s->resolution && scene->shapes.count == 1) {
        shapes->surface.triangles = 3000;
        shapes->carrier = lt_ladder_carrier(4, 60, 800);
    }
}

/* A frame and when it was. */
static lt_status put_frame(lt_html *html, lt_drawer *drawer, const lt_scene *scene, uint32_t step,
                           lt_error *error) {
    const lt_image *image = lt_drawer_draw(drawer, error);
    if (!image) return error->status;
    lt_array png = LT_ARRAY_OF(&html->bytes.allocator, uint8_t);
    lt_status status = lt_png_encode(image, &png, error);
    if (status == LT_OK) {
        lt_html_markup(html, "<span class=\"frame\"><img width=\"480\" height=\"300\" alt=\"");
        lt_html_format(html, "Scene %s after %u steps", scene->name, step);
        lt_html_markup(html, "\" src=\"");
        lt_html_png(html, png.items, png.count);
        lt_html_markup(html, "\"><span>");
        lt_html_format(html, "step %u, %.2f s", step, (double)scene->dt * step);
        lt_html_markup(html, "</span></span>\n");
    }
    lt_array_free(&png);
    return status;
}

static lt_status put_moments(lt_html *html, const story *s, const lt_scene_world *built, bool quick,
                             lt_error *error) {
    lt_drawer *drawer;
    lt_drawer_def def = {.scene_world = built, .width = WIDTH, .height = HEIGHT, .resolution = s->resolution};
    lt_status status = lt_drawer_create(&drawer, &def, NULL, error);
    if (status != LT_OK) return status;
    lt_drawer_set_caption(drawer, NULL);
    uint32_t step = 0;
    for (int i = 0; i < (quick ? QUICK_MOMENTS : MOMENTS) && status == LT_OK; i++) {
        for (; step < s->moments[i] && !lt_interrupt_asked(); step++) {
            lt_scene_advance(built, step);
            lt_world_step(built->world, built->scene->dt, lt_budget_unlimited());
        }
        if (step == s->moments[i]) status = put_frame(html, drawer, built->scene, step, error);
    }
    lt_drawer_destroy(drawer);
    return status;
}

static lt_status build(lt_scene_world *built, lt_scene *scene, const story *s, bool quick, lt_error *error) {
    lt_status status = lt_scene_make(scene, s->scene, NULL, error);
    if (status != LT_OK) return status;
    scene->method = s->method;
    if (quick) make_quick(scene, s);
    return lt_scene_build(built, scene, NULL, error);
}

lt_status lt_report_frames(lt_html *html, const char *experiment, bool quick, lt_error *error) {
    const story *s = find_story(experiment);
    lt_scene scene = {0};
    lt_scene_world built = {0};
    if (!s) return LT_OK;
    if (lt_interrupt_asked()) {
        lt_html_markup(html, "<p class=\"note\">No frames: the run was stopped.</p>\n");
        return LT_OK;
    }
    lt_status status = build(&built, &scene, s, quick, error);
    if (status == LT_OK) {
        lt_html_markup(html, "<figure class=\"frames\">\n");
        status = put_moments(html, s, &built, quick, error);
        lt_html_markup(html, "<figcaption>Scene <code>");
        lt_html_text(html, s->scene);
        lt_html_markup(html, "</code>, without a limit: ");
        lt_html_text(html, s->about);
        lt_html_markup(html, "</figcaption>\n</figure>\n");
    }
    lt_scene_world_free(&built);
    lt_scene_free(&scene);
    return status;
}
