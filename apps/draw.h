/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* From a running scene to a picture: bodies in their colours, obstacles in stone, the level plane as the
 * floor; when asked for, contacts as markers, in the colour of their status or of their age, and the spheres
 * that the response used in red, or boxes as bars, or colours that tell what a body may meet of itself or
 * which mesh moves it. The camera is the scene's, or frames what is there at the beginning, or bodies alone. */

#ifndef LITHE_APPS_DRAW_H
#define LITHE_APPS_DRAW_H

#include "draw_boxes.h"
#include "picture/image.h"
#include "picture/picture.h"
#include "scenes/scene.h"

/* The lt_world_def.sphere_tree.used_sphere_capacity of worlds whose spheres are drawn. */
#define LT_DRAWER_SPHERES 65536

/* X(NAME, text): what --show draws over the bodies. From boxes on they are of methods that `lithe demo` does not show. */
#define LT_SHOW_LIST(X)                                                                                      \
    X(SPHERES, "spheres")                                                                                    \
    X(CONTACTS, "contacts")                                                                                  \
    X(BOXES, "boxes") X(OPENED, "opened") X(MARKS, "marks") X(RESOLUTION, "resolution")
typedef enum lt_show {
#define LT_SHOW_ENUM(NAME, text) LT_SHOW_##NAME,
    LT_SHOW_LIST(LT_SHOW_ENUM)
#undef LT_SHOW_ENUM
        LT_SHOW_COUNT
} lt_show;
#define LT_SHOW_ABOUT "draw spheres used, contacts by age, boxes, those opened, marks, or resolution"

typedef struct lt_drawer lt_drawer;

typedef struct lt_drawer_def {
    const lt_scene_world *scene_world;
    uint32_t width, height;
    bool contacts; /* with their forces */
    bool ages;     /* contacts in lt_marker_age_color; without `contacts` there are no forces to see */
    bool boxes;    /* of cells or trees, around what is there now */
    lt_tree_choice tree_choice;
    bool marks;      /* of the last step, see draw_tree.h */
    bool resolution; /* not with `marks`; see draw_resolution.h */
    bool close;      /* the camera frames the bodies as they are, in every picture anew */
    bool spheres;    /* those of lt_world_used_spheres, as one skin; where they were as the last step began */
} lt_drawer_def;

lt_status lt_drawer_create(lt_drawer **out, const lt_drawer_def *def, const lt_allocator *allocator,
                           lt_error *error);
void lt_drawer_destroy(lt_drawer *drawer);

/* From the next picture on: spheres over the scene, of which `layers` along a ray count (lt_picture), and a
 * caption instead of the scene's, NULL for none. Both stay the caller's and are read by every
 * lt_drawer_draw. Not with lt_drawer_def.spheres, which sets them itself. */
void lt_drawer_set_spheres(lt_drawer *drawer, const lt_picture_sphere *spheres, uint32_t count,
                           uint32_t layers);
void lt_drawer_set_caption(lt_drawer *drawer, const char *caption);

/* Draws the world as it is now. The image belongs to the drawer and is overwritten by the next call; NULL on
 * failure. */
const lt_image *lt_drawer_draw(lt_drawer *drawer, lt_error *error);

#endif
