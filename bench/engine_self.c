/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "engine_self.h"

#include <math.h>

/* By area: longer where triangles are larger. */
static void fill_normals(lt_engine_self *self) {
    const lt_skin *skin = &self->skin;
    for (uint32_t t = 0; t < skin->triangle_count; t++) {
        const uint32_t *c = skin->triangles + 3 * (size_t)t;
        lt_vec3 n = lt_v3_cross(lt_v3_sub(skin->rest[c[1]], skin->rest[c[0]]),
                                lt_v3_sub(skin->rest[c[2]], skin->rest[c[0]]));
        for (int k = 0; k < 3; k++)
            self->normals[c[k]] = lt_v3_add(self->normals[c[k]], n);
    }
    for (uint32_t v = 0; v < skin->point_count; v++)
        self->normals[v] = lt_v3_normalize_or(self->normals[v], (lt_vec3){0, 0, 0});
}

lt_status lt_engine_self_create(lt_engine_self *self, const lt_engine_rig *rig, uint32_t body,
                                lt_error *error) {
    lt_body_def def = lt_scene_body_def(&rig->built, body);
    *self = (lt_engine_self){
        .body = rig->built.bodies[body], .scale = (double)def.scale, .allocator = rig->allocator};
    lt_status status = lt_carrier_read_finest(&self->carrier, def.shape, error);
    if (status == LT_OK) status = lt_skin_read(&self->skin, def.shape, &self->carrier, error);
    if (status != LT_OK) return status;
    if (self->carrier.tet_count == 0)
        return lt_fail(error, LT_STATUS_UNSUPPORTED, "depth in itself is for bodies of tets");
    self->normals = LT_NEW(&self->allocator, self->skin.point_count, lt_vec3);
    self->nodes = LT_NEW(&self->allocator, self->carrier.node_count, lt_vec3);
    if (!self->normals || !self->nodes)
        return lt_fail(error, LT_STATUS_MEMORY, "bench engine: out of memory");
    fill_normals(self);
    return LT_OK;
}

void lt_engine_self_free(lt_engine_self *self) {
    LT_DELETE(&self->allocator, self->normals, self->skin.point_count, lt_vec3);
    LT_DELETE(&self->allocator, self->nodes, self->carrier.node_count, lt_vec3);
    *self = (lt_engine_self){0};
}

static bool shares_node(const uint32_t *a, const uint32_t *b) {
    for (int i = 0; i < 16; i++)
        if (a[i / 4] == b[i % 4]) return true;
    return false;
}

/* Weights of a point in a tet; false where it is outside. */
static bool weigh(const lt_engine_self *self, const uint32_t *tet, lt_vec3 point, double weights[4]) {
    lt_dvec3 a = lt_d3_from_v3(self->nodes[tet[0]]), e[3];
    lt_dvec3 p = lt_d3_sub(lt_d3_from_v3(point), a);
    for (int k = 0; k < 3; k++)
        e[k] = lt_d3_sub(lt_d3_from_v3(self->nodes[tet[k + 1]]), a);
    double volume = lt_d3_dot(e[0], lt_d3_cross(e[1], e[2]));
    if (volume <= 0) return false; /* inside out: it has no inside */
    weights[1] = lt_d3_dot(p, lt_d3_cross(e[1], e[2])) / volume;
    weights[2] = lt_d3_dot(e[0], lt_d3_cross(p, e[2])) / volume;
    weights[3] = lt_d3_dot(e[0], lt_d3_cross(e[1], p)) / volume;
    weights[0] = 1 - weights[1] - weights[2] - weights[3];
    return weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0 && weights[3] >= 0;
}

/* Below the plane of the nearest vertex; of a point outside it is 0. */
static double depth_at_rest(const lt_engine_self *self, const uint32_t *tet, const double weights[4]) {
    lt_dvec3 at = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const double *rest = self->carrier.rest + 3 * (size_t)tet[k];
        at = lt_d3_mad(at, (lt_dvec3){rest[0], rest[1], rest[2]}, weights[k]);
    }
    lt_vec3 point = lt_v3_from_d3(at);
    uint32_t nearest = 0;
    float least = INFINITY;
    for (uint32_t v = 0; v < self->skin.point_count; v++) {
        float distance = lt_v3_distance(point, self->skin.rest[v]);
        if (distance < least) least = distance, nearest = v;
    }
    float above = lt_v3_dot(lt_v3_sub(point, self->skin.rest[nearest]), self->normals[nearest]);
    return lt_max_d(0, (double)-above) * self->scale;
}

static lt_box box_of(const lt_engine_self *self, const uint32_t *tet) {
    lt_box box = lt_box_empty();
    for (int k = 0; k < 4; k++)
        box = lt_box_add_point(box, self->nodes[tet[k]]);
    return box;
}

double lt_engine_self_depth(const lt_engine_self *self, lt_world *world) {
    lt_surface_view view = lt_body_surface(world, self->body);
    double deepest = 0, weights[4];
    lt_body_get_nodes(world, self->body, self->nodes, NULL);
    for (uint32_t t = 0; t < self->carrier.tet_count; t++) {
        const uint32_t *tet = self->carrier.tets + 4 * (size_t)t;
        lt_box box = box_of(self, tet);
        for (uint32_t v = 0; v < view.vertex_count; v++) {
            lt_vec3 p = view.positions[v];
            if (p.x < box.lo.x || p.x > box.hi.x || p.y < box.lo.y || p.y > box.hi.y || p.z < box.lo.z ||
                p.z > box.hi.z)
                continue;
            if (shares_node(tet, self->carrier.tets + 4 * (size_t)self->skin.tets[v])) continue;
            if (weigh(self, tet, p, weights)) deepest = lt_max_d(deepest, depth_at_rest(self, tet, weights));
        }
    }
    return deepest;
}
