/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Two fingers a fraction of a cell apart: nothing of their carriers may be shared but in the palm they both
 * stand in. */

#include "enclose_checks.h"
#include "enclose_shapes.h"

static bool enclose_fingers(float gap, uint32_t rounds, uint32_t resolution, lt_surface *surface,
                            lt_enclosure *out) {
    lt_enclose_def def = lt_enclose_def_default();
    lt_error error = {0};
    def.target_tets = 110;
    def.rounds = rounds;
    def.resolution = resolution;
    if (!make_fingers(surface, gap)) return false;
    if (lt_enclose(surface, &def, out, &error) == LT_OK) return true;
    CHECK_FAIL_MESSAGE("%s", error.message);
    lt_surface_free(surface);
    return false;
}

/* Nodes that hold vertices of the left finger (bit 0) and of the right one (bit 1) above `height`. */
static uint32_t count_shared_nodes(const lt_surface *surface, const lt_enclosure *e, float height,
                                   uint32_t *alone_count) {
    uint8_t *sides = LT_NEW(NULL, e->mesh.node_count, uint8_t);
    uint32_t shared = 0;
    *alone_count = 0;
    if (!sides) return UINT32_MAX;
    for (uint32_t v = 0; v < surface->vertex_count; v++) {
        if (surface->positions[v].y < height) continue;
        for (int k = 0; k < 4; k++)
            sides[lt_tet_at(&e->mesh, e->vertex_tets[v])[k]] |= surface->positions[v].x < 0 ? 1 : 2;
    }
    for (uint32_t n = 0; n < e->mesh.node_count; n++) {
        shared += sides[n] == 3;
        *alone_count += sides[n] == 1 || sides[n] == 2;
    }
    LT_DELETE(NULL, sides, e->mesh.node_count, uint8_t);
    return shared;
}

static void check_gap(float cells, uint32_t rounds, uint32_t resolution) {
    lt_surface surface;
    lt_enclosure e;
    CHECK_FATAL(enclose_fingers(0.1f, 0, 4, &surface, &e));
    float gap = cells * (float)e.cell_size;
    lt_enclosure_free(&e);
    lt_surface_free(&surface);
    CHECK_FATAL(enclose_fingers(gap, rounds, resolution, &surface, &e));
    check_enclosure(&surface, &e, rounds ? 17.9 : 59.9);
    CHECK(gap / e.cell_size < 1.3 * cells); /* cells have not become much smaller */
    uint32_t alone;
    /* A cell and a half above the palm the solid is in two pieces, and so is whatever carries it. */
    CHECK_COUNT(count_shared_nodes(&surface, &e, 0.2f + 1.5f * (float)e.cell_size, &alone), 0);
    CHECK(alone > 8);
    CHECK(e.copy_count > 0);
    lt_enclosure_free(&e);
    lt_surface_free(&surface);
}

static void near_fingers_are_not_glued(void) {
    check_gap(0.5f, 3, 8);
    check_gap(0.3f, 3, 12);
    check_gap(0.15f, 2, 28);
}

int main(void) {
    RUN(near_fingers_are_not_glued);
    return check_finish();
}
