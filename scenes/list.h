/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The built-in scenes: one line here, one builder in a scene_*.c. Private to scenes/. */

#ifndef LITHE_SCENES_LIST_H
#define LITHE_SCENES_LIST_H

#include "scenes/scene.h"

/* X(function, name, about) */
#define LT_SCENE_LIST(X)                                                                                     \
    X(demo, "demo", "the showpiece: bears, balls, rings, letters and a teapot tumble over obstacles")        \
    X(cantilever, "cantilever", "a bar of 1 x 0.1 x 0.1 m, clamped at one end, bends under gravity")         \
    X(drop, "drop", "a soft ball falls on the floor, flattens, bounces and comes to rest")                   \
    X(rest, "rest", "one body of every carrier kind at rest on the floor: the gap is measured here")         \
    X(explicit, "explicit", "a block of the explicit-fem model falls on its corner")                         \
    X(two_balls, "two-balls", "two soft balls meet in the air and part again")                               \
    X(stack, "stack", "three blocks, one on the other")                                                      \
    X(incline, "incline", "two blocks on a tilted plane: enough friction holds one, the other slides")       \
    X(pins, "pins", "a plate held at its four corners catches a ball")                                       \
    X(handle, "handle", "a bear is dragged up, around and dropped by a handle on its head")                  \
    X(moving_obstacle, "moving-obstacle", "a ball of stone ploughs through soft blocks")                     \
    X(bunny, "bunny", "a scanned bunny (or a ball), baked around, falls on a stone")                         \
    X(armadillo, "armadillo", "a scanned armadillo (or a bear), baked around, stumbles over a step")         \
    X(bear, "bear", "a bear, baked around, falls over a bar")                                                \
    X(knot_on_stone, "knot-on-stone", "a knotted tube, baked around, falls on a stone")                      \
    X(bunnies, "bunnies", "five soft bunnies (or bears) fall on one another: what a budget is for")          \
    X(heap, "heap", "bears, teapots, rings and balls fall into a heap: make demo shows it at five budgets")  \
    X(pair, "pair", "two bunnies (or bears) meet, without gravity: what a sphere tree answers with")         \
    X(crowd, "crowd", "256 bodies are poured into a bin and heap up")                                        \
    X(crowd_packed, "crowd-packed", "the same 256 bodies, close from the start: a heap after 150 steps")     \
    X(spots, "spots", "twenty cows of one mesh (or bears) are poured on the floor")                          \
    X(tower, "tower", "three cubes, one on the other, each 5 mm further out: it stands")                     \
    X(bin, "bin", "64 balls, cubes, rings and bars are poured into a bin")                                   \
    X(lift, "lift", "two moved boxes squeeze a cube, lift it and hold it for ten seconds")                   \
    X(plates, "plates", "twenty soft plates, one on the other, a little askew; the lowest is held")          \
    X(grass, "grass", "a shoe falls on 400 blades of grass")                                                 \
    X(tori, "tori", "a ball of ten times their mass flies at 10 m/s into 25 floating tori")                  \
    X(teapots, "teapots", "a teapot stands on another one: 1,200 cells")                                     \
    X(letters, "letters", "1,014 letters, 2.3 million triangles in 11,544 cells, are poured into a bin")     \
    X(fold, "fold", "a lizard of 293,000 triangles in 1,000 cells is folded on itself")                      \
    X(five_bunnies, "five-bunnies",                                                                          \
      "five bunnies (or bears) of 69,450 triangles, soft and hard, in 6,900 cells")                          \
    X(knot, "knot", "a knot of 42,254 triangles in 558 tets falls 1 m and lies on itself")                   \
    X(bunny_on_bunny, "bunny-on-bunny",                                                                      \
      "a bunny (or bear) of 75,408 triangles in 1,082 tets falls on another one")                            \
    X(poke, "poke", "an armadillo (or a lizard) of 13,480 triangles in 2,555 tets is poked by a bear")       \
    X(gummy_bear, "gummy-bear",                                                                              \
      "a gummy bear on a ladder of six meshes falls on the floor: fine where it deforms")                    \
    X(bears, "bears", "eight gummy bears on ladders of six meshes, 85 to 6,418 tets, fall and pile up")      \
    X(gummy_knot, "gummy-knot",                                                                              \
      "a knot of 42,254 triangles on a ladder of seven meshes falls and lies on itself")                     \
    X(core_step, "core-step", "a tet armadillo (or a block of its size) swings from its top: bench core")

#define LT_SCENE_FILL(function, name, about) void lt_scene_fill_##function(lt_scene *scene);
LT_SCENE_LIST(LT_SCENE_FILL)
#undef LT_SCENE_FILL

/* ---- recipes in one line ---- */

static inline lt_surface_recipe lt_no_surface(void) {
    return (lt_surface_recipe){.kind = LT_SURFACE_RECIPE_NONE};
}
static inline lt_surface_recipe lt_sphere_surface(float radius, uint32_t subdivisions) {
    return (lt_surface_recipe){
        .kind = LT_SURFACE_RECIPE_SPHERE, .size = {radius, 0, 0}, .cells = subdivisions};
}
static inline lt_surface_recipe lt_torus_surface(float major, float minor, uint32_t segments) {
    return (lt_surface_recipe){.kind = LT_SURFACE_RECIPE_TORUS, .size = {major, minor, 0}, .cells = segments};
}
/* Bear, lizard, teapot, pot, knot, shoe: of the given height (the shoe: length). */
static inline lt_surface_recipe lt_figure_surface(lt_surface_recipe_kind kind, float height,
                                                  uint32_t triangles) {
    lt_vec3 size = {0, height, 0};
    if (kind == LT_SURFACE_RECIPE_SHOE) size = (lt_vec3){height, 0, 0};
    return (lt_surface_recipe){.kind = kind, .size = size, .triangles = triangles};
}
static inline lt_surface_recipe lt_letter_surface(char letter, float height, uint32_t triangles) {
    return (lt_surface_recipe){
        .kind = LT_SURFACE_RECIPE_LETTER, .size = {0, height, 0}, .triangles = triangles, .letter = letter};
}
static inline lt_carrier_recipe lt_block_carrier(lt_vec3 size, uint32_t x, uint32_t y, uint32_t z) {
    return (lt_carrier_recipe){.kind = LT_CARRIER_RECIPE_BLOCK, .size = size, .cells = {x, y, z}};
}
static inline lt_carrier_recipe lt_plate_carrier(lt_vec3 size, uint32_t cells) {
    return (lt_carrier_recipe){.kind = LT_CARRIER_RECIPE_PLATE, .size = size, .cells = {cells, 0, 0}};
}
static inline lt_carrier_recipe lt_ball_carrier(float radius, uint32_t layers) {
    return (lt_carrier_recipe){
        .kind = LT_CARRIER_RECIPE_BALL, .size = {radius, 0, 0}, .cells = {layers, 0, 0}};
}
static inline lt_carrier_recipe lt_torus_carrier(float major, float minor, uint32_t segments) {
    return (lt_carrier_recipe){
        .kind = LT_CARRIER_RECIPE_TORUS, .size = {major, minor, 0}, .cells = {segments, 0, 0}};
}
static inline lt_carrier_recipe lt_grass_carrier(lt_vec3 size, uint32_t blades, uint32_t segments,
                                                 uint32_t seed) {
    return (lt_carrier_recipe){
        .kind = LT_CARRIER_RECIPE_GRASS, .size = size, .cells = {blades, segments, seed}};
}
/* Of so many segments around a knot; corners `reach` radii of the tube away from its middle. */
static inline lt_carrier_recipe lt_knot_carrier(uint32_t segments, float reach) {
    return (lt_carrier_recipe){
        .kind = LT_CARRIER_RECIPE_KNOT, .size = {reach, 0, 0}, .cells = {segments, 0, 0}};
}
static inline lt_carrier_recipe lt_enclosed_carrier(uint32_t tets) {
    return (lt_carrier_recipe){.kind = LT_CARRIER_RECIPE_ENCLOSED, .cells = {tets, 0, 0}};
}
/* So many meshes around the surface, of about that many tets in the coarsest and in the finest. */
static inline lt_carrier_recipe lt_ladder_carrier(uint32_t levels, uint32_t coarsest, uint32_t finest) {
    return (lt_carrier_recipe){.kind = LT_CARRIER_RECIPE_LADDER, .cells = {finest, levels, coarsest}};
}
/* About so many cells around the surface. */
static inline lt_carrier_recipe lt_lattice_carrier(uint32_t cells) {
    return (lt_carrier_recipe){.kind = LT_CARRIER_RECIPE_LATTICE, .cells = {cells, 0, 0}};
}
/* Cells of that size. */
static inline lt_carrier_recipe lt_lattice_carrier_of(float cell_size) {
    return (lt_carrier_recipe){.kind = LT_CARRIER_RECIPE_LATTICE, .size = {cell_size, 0, 0}};
}
/* Gummy bears on ladders, `count` of them (1 or 8) of a height in metres; of bench multigrid, too. */
void lt_scene_drop_bears(lt_scene *scene, uint32_t count, float height);
/* The scan of that name if there is one, else the stand-in; both of the given height. */
lt_surface_recipe lt_scan_or(const char *name, float height, lt_surface_recipe stand_in);

#endif
