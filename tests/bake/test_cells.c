/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Lattices around surfaces: every triangle in a cell of its own piece, nothing glued, boxes tight, masks outward. */

#include "bake/cell_bounds.h"
#include "bake/cells.h"
#include "mesh/mesh.h"
#include "scenes/generate.h"

#include "bake/icosahedral.h"
#include "check.h"
#include "core/random.h"
#include "core/union_find.h"
#include "enclose_shapes.h"

static lt_cells_def quick_def(void) {
    lt_cells_def def = lt_cells_def_default();
    def.resolution = 10;
    def.target_cells = 100; /* with a size given, how finely the inside is looked for */
    return def;
}

/* ---- what must hold of every lattice ---- */

static double along_cell(const lt_cells *c, uint32_t cell, int axis, lt_vec3 p) {
    uint32_t place = lt_cell_place_along(c->mesh.places[cell], axis);
    return ((double)lt_v3_get(p, axis) - lt_cell_grid_plane(&c->grid, axis, place)) / c->mesh.cell_size;
}

/* Corners are where places say, and a cell's nodes differ. */
static void check_mesh(const lt_cells *c) {
    const lt_cell_mesh *m = &c->mesh;
    uint32_t bad = 0;
    for (uint32_t cell = 0; cell < m->cell_count; cell++) {
        bad += !(m->fill[cell] > 0 && m->fill[cell] <= 1);
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t node = lt_cell_at(m, cell)[k];
            for (int axis = 0; axis < 3 && node < m->node_count; axis++)
                bad += lt_d3_get(m->positions[node], axis) !=
                       lt_cell_grid_plane(&c->grid, axis,
                                          lt_cell_place_along(m->places[cell], axis) + (k >> axis & 1));
            bad += node >= m->node_count;
        }
    }
    CHECK_COUNT(bad, 0);
}

/* Every triangle is in its cell and in its cell's box. */
static void check_containment(const lt_cells *c) {
    uint32_t outside = 0, out_of_box = 0;
    for (uint32_t t = 0; t < c->surface.triangle_count; t++)
        for (int i = 0; i < 9; i++) {
            uint32_t cell = c->triangle_cells[t];
            double at =
                along_cell(c, cell, i % 3, c->surface.positions[lt_triangle_at(&c->surface, t)[i / 3]]);
            outside += !(at >= 0 && at <= 1);
            const float *box = c->boxes + 6 * (size_t)cell;
            out_of_box += !(at >= (double)box[i % 3] && at <= (double)box[3 + i % 3]);
        }
    CHECK_COUNT(outside, 0);
    CHECK_COUNT(out_of_box, 0);
    for (uint32_t v = 0; v < c->surface.vertex_count; v++) {
        CHECK_FATAL(c->vertex_cells[v] < c->mesh.cell_count);
        for (int axis = 0; axis < 3; axis++) {
            double at = along_cell(c, c->vertex_cells[v], axis, c->surface.positions[v]);
            outside += !(at >= 0 && at <= 1);
        }
    }
    CHECK_COUNT(outside, 0);
}

static void check_boxes(const lt_cells *c) {
    for (size_t i = 0; i < 3 * (size_t)c->mesh.cell_count; i++) {
        float lo = c->boxes[2 * (i - i % 3) + i % 3], hi = c->boxes[2 * (i - i % 3) + i % 3 + 3];
        bool is_empty = c->masks[i / 3] == 0;
        if (is_empty)
            CHECK(lo > hi);
        else
            CHECK(lo >= 0 && hi <= 1 && hi - lo >= LT_CELL_BOX_LEAST);
    }
}

static lt_vec3 trilinear(const lt_cells *c, const lt_vec3 *nodes, uint32_t cell, lt_vec3 rest) {
    lt_vec3 sum = {0, 0, 0};
    for (uint32_t k = 0; k < 8; k++) {
        double weight = 1;
        for (int axis = 0; axis < 3; axis++) {
            double at = along_cell(c, cell, axis, rest);
            weight *= k >> axis & 1 ? at : 1 - at;
        }
        sum = lt_v3_mad(sum, nodes[lt_cell_at(&c->mesh, cell)[k]], (float)weight);
    }
    return sum;
}

/* However nodes move, all cells of a vertex put it in the same place: the surface does not tear. */
static void check_no_tearing(const lt_cells *c) {
    lt_random random = lt_random_seed(3);
    lt_vec3 *nodes = LT_NEW(NULL, c->mesh.node_count, lt_vec3);
    for (uint32_t i = 0; i < c->mesh.node_count; i++)
        nodes[i] = (lt_vec3){lt_random_range(&random, -1, 1), lt_random_range(&random, -1, 1),
                             lt_random_range(&random, -1, 1)};
    double worst = 0;
    for (uint32_t t = 0; t < c->surface.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t v = lt_triangle_at(&c->surface, t)[k];
            lt_vec3 one = trilinear(c, nodes, c->triangle_cells[t], c->surface.positions[v]);
            lt_vec3 other = trilinear(c, nodes, c->vertex_cells[v], c->surface.positions[v]);
            worst = lt_max_d(worst, (double)lt_v3_distance(one, other));
        }
    CHECK_NEAR(worst, 0, 1e-5);
    LT_DELETE(NULL, nodes, c->mesh.node_count, lt_vec3);
}

static bool build(lt_cells *c, const lt_surface *surface, uint32_t target, bool is_filled) {
    lt_cells_def def = quick_def();
    lt_error error = {0};
    def.target_cells = target;
    def.resolution = 4;
    def.is_filled = is_filled;
    lt_status status = lt_cells_build(surface, &def, c, &error);
    CHECK(status == LT_OK);
    if (status != LT_OK) {
        printf("%s\n", error.message);
        return false;
    }
    check_mesh(c);
    check_containment(c);
    check_boxes(c);
    check_no_tearing(c);
    return true;
}

static uint32_t component_count(const lt_cells *c) {
    uint32_t count = 0, *roots = LT_NEW(NULL, c->mesh.node_count, uint32_t);
    lt_sets_begin(roots, c->mesh.node_count);
    for (size_t i = 0; i < 8 * (size_t)c->mesh.cell_count; i++)
        lt_sets_join(roots, c->mesh.cells[i], c->mesh.cells[i - i % 8]);
    for (uint32_t i = 0; i < c->mesh.node_count; i++)
        count += lt_sets_find(roots, i) == i;
    LT_DELETE(NULL, roots, c->mesh.node_count, uint32_t);
    return count;
}

/* ---- shapes ---- */

static void check_shape(lt_surface *surface, uint32_t target, uint32_t components) {
    for (int is_filled = 0; is_filled < 2; is_filled++) {
        lt_cells c;
        if (!build(&c, surface, target, is_filled)) break;
        CHECK(c.mesh.cell_count >= 0.8 * target && c.mesh.cell_count <= 1.3 * target);
        CHECK_COUNT(component_count(&c), components);
        lt_cells_free(&c);
    }
    lt_surface_free(surface);
}

static void shapes_are_held(void) {
    lt_surface s;
    CHECK_FATAL(lt_generate_teapot_solid(&s, 2000, NULL, NULL) == LT_OK);
    check_shape(&s, 120, 1);
    CHECK_FATAL(lt_generate_letter(&s, 'R', 500, NULL, NULL) == LT_OK);
    check_shape(&s, 30, 1);
    lt_torus_knot_params knot = lt_torus_knot_params_default();
    knot.triangle_count = 1200;
    CHECK_FATAL(lt_generate_torus_knot(&s, &knot, NULL, NULL) == LT_OK);
    check_shape(&s, 120, 1);
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 2, NULL, NULL) == LT_OK);
    check_shape(&s, 1, 1);
}

/* Open, in four parts that pass through each other. */
static void the_teapot_as_designed_is_held(void) {
    lt_surface s;
    CHECK_FATAL(lt_generate_teapot(&s, 3, NULL, NULL) == LT_OK);
    for (int is_filled = 0; is_filled < 2; is_filled++) {
        lt_cells c;
        if (build(&c, &s, 80, is_filled)) lt_cells_free(&c);
    }
    lt_surface_free(&s);
}

/* Triangles that share vertices at random and cross each other, many corners exactly where planes may be. */
static void soups_are_held(void) {
    lt_random random = lt_random_seed(10);
    for (int round = 0; round < 6; round++) {
        lt_surface s;
        lt_cells c;
        CHECK_FATAL(lt_surface_allocate(&s, 18, 16, NULL, NULL) == LT_OK);
        for (uint32_t i = 0; i < s.vertex_count; i++) {
            float p[3];
            for (int axis = 0; axis < 3; axis++)
                p[axis] =
                    0.25f * (float)lt_random_below(&random, 9) + (round % 2 ? lt_random_unit(&random) : 0);
            s.positions[i] = (lt_vec3){p[0], p[1], p[2]};
        }
        for (uint32_t i = 0; i < 3 * s.triangle_count; i++) /* every vertex is of some triangle */
            s.triangles[i] = i < s.vertex_count ? i : i % 3 * 6 + lt_random_below(&random, 6);
        if (build(&c, &s, 60, round % 3 == 0)) lt_cells_free(&c);
        lt_surface_free(&s);
    }
}

static void a_filled_ball_weighs_what_it_is(void) {
    lt_surface s;
    lt_cells c;
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 2, NULL, NULL) == LT_OK);
    CHECK_FATAL(build(&c, &s, 100, true));
    double mass = 0, h = c.mesh.cell_size;
    for (uint32_t i = 0; i < c.mesh.cell_count; i++)
        mass += (double)c.mesh.fill[i] * h * h * h;
    CHECK_NEAR(mass, lt_surface_volume(&s), 0.02 * mass);
    CHECK_NEAR(c.solid_volume, lt_surface_volume(&s), 1e-9);
    CHECK_COUNT(c.copy_count, 0);
    lt_cells_free(&c);
    lt_surface_free(&s);
}

/* Inside there is nothing to hold: a shell has cells only where triangles are. */
static void a_shell_is_hollow(void) {
    lt_surface s;
    lt_cells shell, filled;
    lt_cells_def def = quick_def();
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 2, NULL, NULL) == LT_OK);
    def.cell_size = 0.25;
    CHECK_FATAL(lt_cells_build(&s, &def, &shell, NULL) == LT_OK);
    def.is_filled = true;
    CHECK_FATAL(lt_cells_build(&s, &def, &filled, NULL) == LT_OK);
    uint32_t empty = 0;
    for (uint32_t i = 0; i < shell.mesh.cell_count; i++)
        CHECK(shell.masks[i] != 0);
    for (uint32_t i = 0; i < filled.mesh.cell_count; i++)
        empty += filled.masks[i] == 0;
    CHECK(empty > 50);
    CHECK_COUNT(filled.mesh.cell_count, shell.mesh.cell_count + empty);
    lt_cells_free(&shell);
    lt_cells_free(&filled);
    lt_surface_free(&s);
}

/* ---- nothing is glued ---- */

/* Two balls, a gap of 0.2 between them in the middle of a cell of size 0.85. */
static void close_balls_have_cells_of_their_own(void) {
    lt_surface ball, s = {0};
    CHECK_FATAL(lt_generate_icosphere(&ball, 1, 2, NULL, NULL) == LT_OK);
    CHECK(append_surface(&s, &ball, 1, (lt_vec3){-1.1f, 0, 0}, false));
    CHECK(append_surface(&s, &ball, 1, (lt_vec3){1.1f, 0, 0}, false));
    for (int is_filled = 0; is_filled < 2; is_filled++) {
        lt_cells c;
        lt_cells_def def = quick_def();
        def.cell_size = 0.85;
        def.is_filled = is_filled;
        CHECK_FATAL(lt_cells_build(&s, &def, &c, NULL) == LT_OK);
        CHECK(c.copy_count > 0);
        CHECK_COUNT(component_count(&c), 2);
        uint8_t *balls = LT_NEW(NULL, c.mesh.cell_count, uint8_t); /* which have triangles in a cell */
        for (uint32_t t = 0; t < c.surface.triangle_count; t++)
            balls[c.triangle_cells[t]] |= c.parents[t] < ball.triangle_count ? 1 : 2;
        for (uint32_t i = 0; i < c.mesh.cell_count; i++)
            CHECK(balls[i] != 3);
        LT_DELETE(NULL, balls, c.mesh.cell_count, uint8_t);
        check_no_tearing(&c);
        check_containment(&c);
        lt_cells_free(&c);
    }
    lt_surface_free(&ball);
    lt_surface_free(&s);
}

/* Fingers share the palm, and nothing above it. */
static void fingers_share_only_the_palm(void) {
    lt_surface s;
    CHECK_FATAL(make_fingers(&s, 0.2f));
    lt_cells c;
    lt_cells_def def = quick_def();
    def.cell_size = 0.6;
    CHECK_FATAL(lt_cells_build(&s, &def, &c, NULL) == LT_OK);
    CHECK(c.copy_count > 0);
    CHECK_COUNT(component_count(&c), 1);
    uint8_t *sides = LT_NEW(NULL, c.mesh.node_count, uint8_t); /* which fingers hang on a node */
    for (uint32_t t = 0; t < c.surface.triangle_count; t++) {
        lt_vec3 p = c.surface.positions[lt_triangle_at(&c.surface, t)[0]];
        for (uint32_t k = 0; k < 8; k++)
            sides[lt_cell_at(&c.mesh, c.triangle_cells[t])[k]] |= p.x < 0 ? 1 : 2;
    }
    uint32_t apart = 0;
    for (uint32_t i = 0; i < c.mesh.node_count; i++)
        if (c.mesh.positions[i].y > 0.2 + 0.6) {
            CHECK(sides[i] != 3);
            apart++;
        }
    CHECK(apart > 8);
    check_no_tearing(&c);
    LT_DELETE(NULL, sides, c.mesh.node_count, uint8_t);
    lt_cells_free(&c);
    lt_surface_free(&s);
}

/* Two sheets 0.1 apart in cells of 0.5: no inside, so the surface itself tells its pieces apart. */
static void close_sheets_are_not_glued(void) {
    lt_surface sheet, s = {0};
    lt_cells c;
    CHECK_FATAL(make_sheet(&sheet, 8, 0.0f));
    CHECK(append_surface(&s, &sheet, 1, (lt_vec3){0, 0, 0}, false));
    CHECK(append_surface(&s, &sheet, 1, (lt_vec3){0, 0.1f, 0}, false));
    lt_cells_def def = quick_def();
    def.cell_size = 0.55;
    CHECK_FATAL(lt_cells_build(&s, &def, &c, NULL) == LT_OK);
    CHECK(c.is_sheet);
    CHECK_COUNT(component_count(&c), 2);
    CHECK_COUNT(c.mesh.cell_count, 2 * 16);
    CHECK_COUNT(c.copy_count, 16);
    CHECK_COUNT(c.mesh.node_count, 2 * 2 * 25);
    check_containment(&c);
    check_boxes(&c);
    lt_cells_free(&c);
    lt_surface_free(&sheet);
    lt_surface_free(&s);
}

/* Four sheets in every place: cells are counted with their copies. */
static void copies_count_towards_the_target(void) {
    lt_surface sheet, s = {0};
    lt_cells c;
    CHECK_FATAL(make_sheet(&sheet, 4, 0.0f));
    for (int i = 0; i < 4; i++)
        CHECK(append_surface(&s, &sheet, 1, (lt_vec3){0, 0.03f * (float)i, 0}, false));
    CHECK_FATAL(build(&c, &s, 100, false));
    CHECK_COUNT(c.mesh.cell_count, 4 * 25);
    CHECK_COUNT(c.copy_count, 3 * 25);
    lt_cells_free(&c);
    lt_surface_free(&sheet);
    lt_surface_free(&s);
}

/* Both sides of a plate thinner than a cell move together. */
static void a_thin_wall_is_one(void) {
    lt_surface s = {0};
    lt_cells c;
    CHECK_FATAL(append_box(&s, (lt_vec3){-1, -0.1f, -1}, (lt_vec3){1, 0.1f, 1}, 4));
    lt_cells_def def = quick_def();
    def.cell_size = 0.4;
    CHECK_FATAL(lt_cells_build(&s, &def, &c, NULL) == LT_OK);
    CHECK_COUNT(c.copy_count, 0);
    CHECK_COUNT(component_count(&c), 1);
    lt_cells_free(&c);
    lt_surface_free(&s);
}

/* ---- masks ---- */

static uint8_t mask_of_place(const lt_cells *c, uint32_t place) {
    uint8_t mask = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t at = lt_cell_place_along(place, axis);
        if (at == 0) mask |= (uint8_t)(1 << (2 * axis));
        if (at + 1 == c->grid.counts[axis]) mask |= (uint8_t)(2 << (2 * axis));
    }
    return mask;
}

/* A box that fills the grid but for a little: the mask of a cell is the faces at the rim of the grid. */
static void masks_of_a_box_are_its_outer_faces(void) {
    lt_surface s = {0};
    CHECK_FATAL(append_box(&s, (lt_vec3){-1, -1, -1}, (lt_vec3){1, 1, 1}, 5));
    for (int is_filled = 0; is_filled < 2; is_filled++) {
        lt_cells c;
        lt_cells_def def = quick_def();
        def.cell_size = 0.401;
        def.is_filled = is_filled;
        CHECK_FATAL(lt_cells_build(&s, &def, &c, NULL) == LT_OK);
        CHECK_COUNT(c.mesh.cell_count, is_filled ? 125 : 125 - 27);
        for (uint32_t i = 0; i < c.mesh.cell_count; i++)
            CHECK_COUNT(c.masks[i], mask_of_place(&c, c.mesh.places[i]));
        lt_cells_free(&c);
    }
    lt_surface_free(&s);
}

/* A bar that runs through its cells lengthwise: normals cancel, what is open is outward. */
static void masks_of_a_bar_are_where_no_cell_is(void) {
    lt_surface s = {0};
    lt_cells c;
    CHECK_FATAL(append_box(&s, (lt_vec3){-2, -0.2f, -0.2f}, (lt_vec3){2, 0.2f, 0.2f}, 3));
    lt_cells_def def = quick_def();
    def.cell_size = 0.801;
    CHECK_FATAL(lt_cells_build(&s, &def, &c, NULL) == LT_OK);
    CHECK_COUNT(c.mesh.cell_count, 5);
    for (uint32_t i = 0; i < c.mesh.cell_count; i++) {
        uint32_t x = lt_cell_place_along(c.mesh.places[i], 0);
        if (x > 0 && x < 4) CHECK_COUNT(c.masks[i], 4 + 8 + 16 + 32);
    }
    lt_cells_free(&c);
    lt_surface_free(&s);
}

/* ---- again ---- */

static void the_same_input_gives_the_same_bytes(void) {
    lt_surface s;
    lt_cells a, b;
    CHECK_FATAL(lt_generate_icosphere(&s, 1, 1, NULL, NULL) == LT_OK);
    CHECK_FATAL(build(&a, &s, 40, false));
    CHECK_FATAL(build(&b, &s, 40, false));
    CHECK_COUNT(a.mesh.cell_count, b.mesh.cell_count);
    CHECK(memcmp(a.mesh.cells, b.mesh.cells, 32 * (size_t)a.mesh.cell_count) == 0);
    CHECK(memcmp(a.boxes, b.boxes, 24 * (size_t)a.mesh.cell_count) == 0);
    lt_cells_free(&a);
    lt_cells_free(&b);
    lt_surface_free(&s);
}

int main(void) {
    RUN(shapes_are_held);
    RUN(the_teapot_as_designed_is_held);
    RUN(soups_are_held);
    RUN(a_filled_ball_weighs_what_it_is);
    RUN(a_shell_is_hollow);
    RUN(close_balls_have_cells_of_their_own);
    RUN(fingers_share_only_the_palm);
    RUN(close_sheets_are_not_glued);
    RUN(copies_count_towards_the_target);
    RUN(a_thin_wall_is_one);
    RUN(masks_of_a_box_are_its_outer_faces);
    RUN(masks_of_a_bar_are_where_no_cell_is);
    RUN(the_same_input_gives_the_same_bytes);
    return check_finish();
}
