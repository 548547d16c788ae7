/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "bake/sphere_polish.h"

/* Radii are computed in float; so much more holds every point. */
#define FLOAT_ROOM 1e-6
#define FIRST_STEP 0.1 /* of the radius */
#define LONGER     1.5
#define SHORTER    0.9
/* From one direction to the next; prime to their numbers, so that all get their turn and the first few lie all over. */
#define STRIDE 233u

double lt_polish_reach(lt_polish_points points, lt_dvec3 c) {
    float farthest[LT_POLISH_LANES] = {0}, cx = (float)c.x, cy = (float)c.y, cz = (float)c.z;
    for (uint32_t i = 0; i < points.count; i += LT_POLISH_LANES)
        for (uint32_t k = 0; k < LT_POLISH_LANES; k++) {
            float x = points.x[i + k] - cx, y = points.y[i + k] - cy, z = points.z[i + k] - cz;
            float d = x * x + y * y + z * z;
            farthest[k] = d > farthest[k] ? d : farthest[k];
        }
    for (int k = 1; k < LT_POLISH_LANES; k++)
        farthest[0] = lt_max_f(farthest[0], farthest[k]);
    return sqrt((double)farthest[0]) * (1 + FLOAT_ROOM);
}

double lt_polish_error(const lt_sphere_field *field, lt_dvec3 c, double radius, double limit,
                       uint32_t *worst) {
    bool has_few = field->pace->few_directions;
    const lt_dvec3 *directions = has_few ? field->few_directions : field->directions;
    uint32_t direction = *worst, count = has_few ? LT_SPHERE_FEW_DIRECTIONS : LT_SPHERE_DIRECTIONS;
    double error = 0;
    for (uint32_t i = 0; i < count && error <= limit; i++) {
        double d = lt_sphere_field_value(field, lt_d3_mad(c, directions[direction], radius));
        if (d > error) {
            error = d;
            *worst = direction;
        }
        direction = (direction + STRIDE) % count;
    }
    return error;
}

lt_dvec3 lt_polish_step(lt_random *random, double length) {
    lt_dvec3 d;
    do {
        d.x = lt_random_range(random, -1, 1);
        d.y = lt_random_range(random, -1, 1);
        d.z = lt_random_range(random, -1, 1);
    } while (lt_d3_length_squared(d) > 1);
    return lt_d3_scale(d, length);
}

void lt_polish(lt_polish_sphere *sphere, lt_polish_points points, const lt_sphere_field *field,
               int step_count, lt_random *random) {
    double step = FIRST_STEP * sphere->radius;
    for (int i = 0; i < step_count; i++) {
        lt_polish_sphere moved = *sphere;
        moved.center = lt_d3_add(sphere->center, lt_polish_step(random, step));
        moved.radius = lt_polish_reach(points, moved.center);
        moved.error =
            lt_polish_error(field, moved.center, moved.radius, sphere->error, &moved.worst_direction);
        bool is_better = moved.error < sphere->error;
        step *= is_better ? LONGER : SHORTER;
        if (is_better) *sphere = moved;
    }
}
