/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "picture/overlay.h"

#include "picture/text.h"

/* A point on the picture: pixels, and 1/w to compare with the samples. */
typedef struct spot {
    float x, y, depth;
} spot;

static void blend_pixel(lt_image *image, int32_t x, int32_t y, lt_vec3 color, float alpha) {
    float *pixel = lt_image_linear_pixel(image, (uint32_t)x, (uint32_t)y);
    pixel[0] += (color.x - pixel[0]) * alpha;
    pixel[1] += (color.y - pixel[1]) * alpha;
    pixel[2] += (color.z - pixel[2]) * alpha;
}

/* The pixels within `reach` of the box around two positions, cut to the picture. */
typedef struct area {
    int32_t first_x, first_y, last_x, last_y;
} area;

static area area_around(const lt_image *image, float ax, float ay, float bx, float by, float reach) {
    float width = (float)image->width - 1.0f, height = (float)image->height - 1.0f;
    area a = {(int32_t)lt_clamp_f(lt_min_f(ax, bx) - reach, 0.0f, width),
              (int32_t)lt_clamp_f(lt_min_f(ay, by) - reach, 0.0f, height),
              (int32_t)lt_clamp_f(lt_max_f(ax, bx) + reach, 0.0f, width),
              (int32_t)lt_clamp_f(lt_max_f(ay, by) + reach, 0.0f, height)};
    return a;
}

/* A line with round ends from a to b; coverage falls over one pixel at its border. */
static void draw_line(lt_image *image, spot a, spot b, float radius, lt_vec3 color, float alpha) {
    float dx = b.x - a.x, dy = b.y - a.y, length_squared = dx * dx + dy * dy;
    area box = area_around(image, a.x, a.y, b.x, b.y, radius + 1.0f);
    for (int32_t y = box.first_y; y <= box.last_y; y++)
        for (int32_t x = box.first_x; x <= box.last_x; x++) {
            float px = (float)x + 0.5f - a.x, py = (float)y + 0.5f - a.y;
            float along =
                length_squared > 0.0f ? lt_clamp_f((px * dx + py * dy) / length_squared, 0.0f, 1.0f) : 0.0f;
            float ex = px - along * dx, ey = py - along * dy;
            float cover = lt_clamp_f(radius + 0.5f - sqrtf(ex * ex + ey * ey), 0.0f, 1.0f);
            if (cover > 0.0f) blend_pixel(image, x, y, color, cover * alpha);
        }
}

/* A shaded ball with a light border, so that it stands out on its own body's colour. */
static void draw_ball(lt_image *image, spot at, float radius, lt_vec3 color, float alpha) {
    area box = area_around(image, at.x, at.y, at.x, at.y, radius + 2.0f);
    const lt_vec3 white = {1, 1, 1};
    float border = 0.3f * radius;
    for (int32_t y = box.first_y; y <= box.last_y; y++)
        for (int32_t x = box.first_x; x <= box.last_x; x++) {
            float dx = (float)x + 0.5f - at.x, dy = (float)y + 0.5f - at.y;
            float distance = sqrtf(dx * dx + dy * dy);
            float rim = lt_clamp_f(radius + border + 0.5f - distance, 0.0f, 1.0f);
            float cover = lt_clamp_f(radius + 0.5f - distance, 0.0f, 1.0f);
            if (rim > cover) blend_pixel(image, x, y, white, 0.8f * (rim - cover) * alpha);
            float light = 1.0f - 0.25f * (dx + dy) / radius;
            if (cover > 0.0f)
                blend_pixel(image, x, y, lt_v3_scale(color, lt_clamp_f(light, 0.5f, 1.3f)), cover * alpha);
        }
}

static bool project(const lt_scene_view *scene, lt_vec3 point, spot *out) {
    lt_vec3 d = lt_v3_sub(point, scene->view.eye);
    float depth = lt_v3_dot(d, scene->view.forward);
    if (!(depth >= scene->view.near_depth)) return false;
    float x = lt_v3_dot(d, scene->view.right) / (depth * scene->view.tangent_x);
    float y = lt_v3_dot(d, scene->view.up) / (depth * scene->view.tangent_y);
    if (!(fabsf(x) < 4.0f && fabsf(y) < 4.0f)) return false; /* too far beside the picture to matter */
    *out = (spot){(0.5f + 0.5f * x) * (float)scene->width, (0.5f - 0.5f * y) * (float)scene->height,
                  1.0f / depth};
    return true;
}

/* Is something clearly in front of the spot? Within 1 % of the depth counts as at the surface. */
static bool is_hidden(const lt_scene_view *scene, const lt_floor_depth *floor, spot at) {
    if (!(at.x >= 0.0f && at.y >= 0.0f && at.x < (float)scene->width && at.y < (float)scene->height))
        return false;
    size_t pixel = (size_t)at.y * scene->width + (size_t)at.x;
    float seen = scene->target.depths[pixel * LT_FILL_SAMPLE_COUNT];
    seen = lt_max_f(seen, lt_floor_depth_at(floor, at.x, at.y));
    return seen > at.depth * 1.01f;
}

static void draw_arrow(lt_image *image, spot from, spot to, float radius, lt_vec3 color, float alpha) {
    float dx = to.x - from.x, dy = to.y - from.y, length = sqrtf(dx * dx + dy * dy);
    draw_line(image, from, to, radius, color, alpha);
    if (length < 4.0f * radius) return; /* seen end-on: no room for a head */
    float ux = dx / length, uy = dy / length, head = lt_min_f(6.0f * radius, 0.5f * length);
    spot left = {to.x - head * (ux - 0.5f * uy), to.y - head * (uy + 0.5f * ux), 0.0f};
    spot right = {to.x - head * (ux + 0.5f * uy), to.y - head * (uy - 0.5f * ux), 0.0f};
    draw_line(image, to, left, radius, color, alpha);
    draw_line(image, to, right, radius, color, alpha);
}

static void draw_markers(const lt_scene_view *scene, const lt_picture *picture, const lt_color_tables *tables,
                         lt_image *image) {
    lt_floor_depth floor = lt_floor_depth_make(scene, picture);
    float unit = (float)lt_min_u32(image->width, image->height) / 480.0f;
    float ball = lt_max_f(2.6f * unit, 1.2f), line = lt_max_f(0.9f * unit, 0.5f);
    for (uint32_t i = 0; i < picture->marker_count; i++) {
        const lt_marker *marker = &picture->markers[i];
        spot at, tip;
        if (!project(scene, marker->position, &at)) continue;
        lt_vec3 color = lt_color_linear(tables, marker->color);
        float alpha = is_hidden(scene, &floor, at) ? 0.65f : 1.0f;
        bool has_arrow = lt_v3_length_squared(marker->vector) > 0.0f;
        if (has_arrow && project(scene, lt_v3_add(marker->position, marker->vector), &tip))
            draw_arrow(image, at, tip, line, lt_v3_scale(color, 0.7f), alpha);
        draw_ball(image, at, ball, color, alpha);
    }
}

/* ---- caption ---- */

/* A pale panel under the text keeps it readable over anything. */
static void draw_panel(lt_image *image, int32_t left, int32_t top, int32_t right, int32_t bottom) {
    const lt_vec3 paper = {0.92f, 0.93f, 0.95f};
    for (int32_t y = top < 0 ? 0 : top; y < bottom && y < (int32_t)image->height; y++)
        for (int32_t x = left < 0 ? 0 : left; x < right && x < (int32_t)image->width; x++)
            blend_pixel(image, x, y, paper, 0.55f);
}

static void draw_caption(const char *text, lt_image *image) {
    const lt_vec3 ink = {0.03f, 0.035f, 0.05f};
    int32_t dot = (int32_t)lt_max_u32(1, (image->height + 120) / 300), columns, lines;
    int32_t margin = 5 * dot, line_height = (int32_t)LT_TEXT_LINE_HEIGHT * dot;
    lt_text_measure(text, &columns, &lines);
    int32_t top = (int32_t)image->height - margin - lines * line_height + 3 * dot;
    draw_panel(image, margin - 3 * dot, top - 3 * dot,
               margin + columns * (int32_t)LT_FONT_ADVANCE * dot + 2 * dot, top + lines * line_height);
    int32_t beyond = (int32_t)image->width + (int32_t)LT_FONT_ADVANCE * dot;
    lt_text_draw(image, text, (lt_text_place){margin, top, beyond, dot}, &ink);
}

void lt_overlay_draw(const lt_scene_view *scene, const lt_picture *picture, const lt_color_tables *tables,
                     lt_image *linear) {
    draw_markers(scene, picture, tables, linear);
    if (picture->caption && picture->caption[0]) draw_caption(picture->caption, linear);
}
