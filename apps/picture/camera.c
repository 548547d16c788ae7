/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/camera.h"

#define PI 3.14159265358979323846

double lt_camera_tangent(float fov_degrees) {
    double x = fov_degrees * (PI / 360.0), sine = 0.0, cosine = 0.0, term = 1.0;
    for (int power = 0; power < 24; power++) { /* x <= 1.31: x^24/24! < 1e-21 */
        double signed_term = (power / 2) % 2 ? -term : term;
        if (power % 2)
            sine += signed_term;
        else
            cosine += signed_term;
        term *= x / (power + 1);
    }
    return sine / cosine;
}

void lt_perpendicular_pair(lt_vec3 axis, lt_vec3 *first, lt_vec3 *second) {
    lt_vec3 helper = fabsf(axis.x) < 0.6f ? (lt_vec3){1, 0, 0} : (lt_vec3){0, 0, 1};
    *first = lt_v3_normalize_or(lt_v3_cross(helper, axis), (lt_vec3){0, 1, 0});
    *second = lt_v3_cross(axis, *first);
}

lt_status lt_view_make(lt_view *out, const lt_camera *camera, uint32_t width, uint32_t height,
                       lt_error *error) {
    *out = (lt_view){0};
    lt_vec3 zero = {0, 0, 0};
    lt_vec3 look = lt_v3_sub(camera->target, camera->eye);
    lt_vec3 forward = lt_v3_normalize_or(look, zero);
    lt_vec3 upright = lt_v3_normalize_or(camera->up, zero);
    lt_vec3 right = lt_v3_cross(forward, upright);
    if (!(lt_v3_length(right) > 1e-4f))
        return lt_fail(error, LT_STATUS_INVALID,
                       "camera: eye and target must differ, and up must not be along the view");
    if (!(camera->fov_degrees >= 1.0f && camera->fov_degrees <= 150.0f))
        return lt_fail(error, LT_STATUS_INVALID, "camera: a field of view of %g degrees: use 1 to 150",
                       (double)camera->fov_degrees);
    out->eye = camera->eye;
    out->forward = forward;
    out->right = lt_v3_normalize_or(right, zero);
    out->up = lt_v3_cross(out->right, forward);
    double tangent = lt_camera_tangent(camera->fov_degrees);
    out->tangent_y = (float)tangent;
    out->tangent_x = (float)(tangent * width / height);
    out->near_depth = 1e-3f * lt_v3_length(look);
    return LT_OK;
}

lt_camera lt_camera_frame(lt_box box, lt_vec3 up, uint32_t width, uint32_t height) {
    const float fov = 32.0f, margin = 1.02f;
    lt_vec3 center = lt_v3_scale(lt_v3_add(box.lo, box.hi), 0.5f);
    lt_vec3 side, front;
    lt_vec3 upright = lt_v3_normalize_or(up, (lt_vec3){0, 1, 0});
    lt_perpendicular_pair(upright, &side, &front);
    /* From the front right, about 25 degrees above the floor. */
    lt_vec3 back = lt_v3_mad(lt_v3_mad(lt_v3_scale(side, 0.85f), front, 0.5f), upright, 0.48f);
    back = lt_v3_normalize_or(back, (lt_vec3){0, 0, 1});
    lt_vec3 right = lt_v3_normalize_or(lt_v3_cross(upright, back), side);
    lt_vec3 top = lt_v3_cross(back, right);
    float tangent_y = (float)lt_camera_tangent(fov);
    float tangent_x = tangent_y * (float)width / (float)height;
    float distance = 0.0f;
    for (int corner = 0; corner < 8; corner++) {
        lt_vec3 p = {corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y,
                     corner & 4 ? box.hi.z : box.lo.z};
        lt_vec3 d = lt_v3_sub(p, center);
        float toward = lt_v3_dot(d, back);
        distance = lt_max_f(distance, toward + margin * fabsf(lt_v3_dot(d, right)) / tangent_x);
        distance = lt_max_f(distance, toward + margin * fabsf(lt_v3_dot(d, top)) / tangent_y);
    }
    if (!(distance > 1e-6f)) distance = 1.0f; /* a box without extent: any distance shows it */
    return (lt_camera){lt_v3_mad(center, back, distance), center, upright, fov};
}
