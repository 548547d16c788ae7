/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Fingers that stand a part of a cell apart are not glued: above the crotch, no chain of tets leads from one to
 * the other. */

#include "bake/enclose.h"
#include "bench/fingers.h"
#include "check.h"

enum { NODES_MOST = 4096 };

static uint32_t root_of(uint32_t *roots, uint32_t i) {
    while (roots[i] != i)
        i = roots[i] = roots[roots[i]];
    return i;
}

/* Joins the corners of every tet that are higher than `height`. */
static void join_above(const lt_tet_mesh *mesh, double height, uint32_t *roots) {
    for (uint32_t i = 0; i < mesh->node_count; i++)
        roots[i] = i;
    for (uint32_t t = 0; t < mesh->tet_count; t++) {
        const uint32_t *tet = lt_tet_at(mesh, t);
        for (int a = 0; a < 4; a++)
            for (int b = a + 1; b < 4; b++)
                if (mesh->positions[tet[a]].y > height && mesh->positions[tet[b]].y > height)
                    roots[root_of(roots, tet[a])] = root_of(roots, tet[b]);
    }
}

/* The part of the carrier that the highest vertex on a side hangs on. */
static uint32_t part_of(const lt_surface *surface, const lt_enclosure *e, uint32_t *roots, float side) {
    uint32_t highest = LT_NONE;
    for (uint32_t v = 0; v < surface->vertex_count; v++)
        if (side * surface->positions[v].x > 0 &&
            (highest == LT_NONE || surface->positions[v].y > surface->positions[highest].y))
            highest = v;
    return root_of(roots, lt_tet_at(&e->mesh, e->vertex_tets[highest])[0]);
}

static void check_apart(uint32_t target, double gap) {
    static fingers f;
    static uint32_t roots[NODES_MOST];
    lt_surface surface = fingers_make(&f, gap);
    lt_enclose_def def = lt_enclose_def_default();
    lt_enclosure e;
    lt_error error = {0};
    def.target_tets = target;
    def.rounds = 4;
    def.resolution = 24;
    CHECK_FATAL(lt_enclose(&surface, &def, &e, &error) == LT_OK);
    CHECK_FATAL(e.mesh.node_count <= NODES_MOST);
    join_above(&e.mesh, FINGERS_FOOT_HEIGHT + e.cell_size, roots);
    if (part_of(&surface, &e, roots, -1) == part_of(&surface, &e, roots, 1))
        CHECK_FAIL_MESSAGE("glued at a target of %u and a gap of %g cells", target, gap / e.cell_size);
    CHECK(lt_enclosure_verify(&surface, &e, NULL, &error) == LT_OK);
    lt_enclosure_free(&e);
}

/* The surface is what the comment says: 2 x 4 + 2 + gap m³. */
static void the_fingers_are_closed(void) {
    static fingers f;
    lt_surface surface = fingers_make(&f, 0.25);
    CHECK_NEAR(lt_surface_volume(&surface), 10.25, 1e-5);
    CHECK(surface.vertex_count == surface.triangle_count / 2 + 2); /* Euler, genus 0 */
}

static void fingers_are_not_glued(void) {
    check_apart(300, 0.12);
}

/* The check itself: without any gap to speak of they are one. */
static void what_touches_is_glued(void) {
    static fingers f;
    static uint32_t roots[NODES_MOST];
    lt_surface surface = fingers_make(&f, 1e-4);
    lt_enclose_def def = lt_enclose_def_default();
    lt_enclosure e;
    def.target_tets = 100;
    def.rounds = 0;
    CHECK_FATAL(lt_enclose(&surface, &def, &e, NULL) == LT_OK);
    join_above(&e.mesh, FINGERS_FOOT_HEIGHT + e.cell_size, roots);
    CHECK(part_of(&surface, &e, roots, -1) == part_of(&surface, &e, roots, 1));
    lt_enclosure_free(&e);
}

int main(void) {
    RUN(the_fingers_are_closed);
    RUN(fingers_are_not_glued);
    RUN(what_touches_is_glued);
    return check_finish();
}
