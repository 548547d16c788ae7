/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Shapes that were baked around a surface, kept for the rest of the process, and in files for the next ones (shape_store.h): a
 * scene that is set up again, or another one with the same bear, starts at once. Private to scenes/.
 *
 * Found by content: two hashes of the surface's vertices and triangles, of every option that changes the result, and of the source
 * text that bakes, so a file that was edited in between is baked anew, and so is everything by another version. Only shapes
 * of the default allocator are kept, since nobody knows how long another one lives. In memory at most LT_SHAPE_CACHE_CAPACITY; then
 * the oldest goes. May be called from several threads at once. */

#ifndef LITHE_SCENES_SHAPE_CACHE_H
#define LITHE_SCENES_SHAPE_CACHE_H

#include "lithe/bake.h"

/* The alphabet and then some. */
enum { LT_SHAPE_CACHE_CAPACITY = 64 };

/* lt_bake_surface, or what it made before. The progress function is not called for the latter. */
lt_status lt_shape_cache_bake(lt_shape **out, const lt_bake_surface_def *def, lt_error *error);
/* The same for a sphere tree added to a shape. */
lt_status lt_shape_cache_spheres(lt_shape **out, const lt_shape *shape, const lt_bake_spheres_def *def,
                                 lt_error *error);
/* And for a multiscale tree. */
lt_status lt_shape_cache_tree(lt_shape **out, const lt_shape *shape, const lt_bake_tree_def *def,
                              lt_error *error);
/* Lets go of all of them; files stay. */
void lt_shape_cache_clear(void);

#endif
