/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Spheres against closed forms: outline, depth against triangles and floor, order and amount of blending. */

#define _POSIX_C_SOURCE 200809L

#include "core/hash.h"
#include "core/random.h"
#include "front_view.h"
#include "picture/fill.h"

enum { SIDE = 64, WIDE = 96 };

static const lt_color red = {255, 0, 0}, blue = {0, 0, 255}, green = {0, 255, 0};

static bool is_reddish(const lt_image *image, uint32_t x, uint32_t y) {
    const uint8_t *p = lt_image_pixel(image, x, y);
    return p[0] > p[1] + 30 && p[0] > p[2] + 30;
}
static bool is_bluish(const lt_image *image, uint32_t x, uint32_t y) {
    const uint8_t *p = lt_image_pixel(image, x, y);
    return p[2] > p[0] + 60 && p[2] > p[1] + 60;
}
static bool same_pixel(const lt_image *a, const lt_image *b, uint32_t x, uint32_t y) {
    return memcmp(lt_image_pixel(a, x, y), lt_image_pixel(b, x, y), 3) == 0;
}
static bool same_image(const lt_image *a, const lt_image *b) {
    return memcmp(a->bytes, b->bytes, lt_image_value_count(a)) == 0;
}

static lt_image draw_spheres(lt_picture picture, const lt_picture_sphere *spheres, uint32_t count) {
    picture.spheres = spheres;
    picture.sphere_count = count;
    return draw(&picture, SIDE, SIDE);
}

/* The ray of a pixel's sample in the front view, `width` by SIDE pixels; forward part 1. */
static lt_dvec3 sample_ray(uint32_t width, uint32_t x, uint32_t y, int k) {
    double px = x + lt_fill_sample_offsets[k][0] / 256.0, py = y + lt_fill_sample_offsets[k][1] / 256.0;
    return (lt_dvec3){(2.0 * px - width) / SIDE, 1.0 - 2.0 * py / SIDE, -1.0};
}

/* A ray meets a sphere when it is inside the cone that touches it: (d.c)^2 > (c.c - r^2) d.d. Relative
 * margin. */
static double cone_margin(lt_dvec3 d, lt_dvec3 c, double r) {
    double along = lt_d3_dot(d, c), edge = (lt_d3_dot(c, c) - r * r) * lt_d3_dot(d, d);
    return along > 0.0 ? along * along / edge - 1.0 : -1.0;
}

static void check_outline(lt_picture_sphere sphere, uint32_t width) {
    lt_picture picture = front_view();
    lt_image plain = draw(&picture, width, SIDE);
    picture.spheres = &sphere;
    picture.sphere_count = 1;
    lt_image image = draw(&picture, width, SIDE);
    lt_dvec3 c = lt_d3_from_v3(sphere.center);
    int full = 0, wrong = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < width; x++) {
            int inside = 0, unclear = 0;
            for (int k = 0; k < 4; k++) {
                double margin = cone_margin(sample_ray(width, x, y, k), c, (double)sphere.radius);
                inside += margin > 0.0;
                unclear += fabs(margin) < 1e-5;
            }
            if (unclear) continue;
            full += inside == 4;
            if (inside == 4) wrong += !is_reddish(&image, x, y);
            if (inside == 0) wrong += !same_pixel(&image, &plain, x, y);
            if (inside > 0) wrong += same_pixel(&image, &plain, x, y);
        }
    CHECK_COUNT(wrong, 0);
    CHECK(full > 0);
    lt_image_free(&plain);
    lt_image_free(&image);
}

/* In the middle a circle, beside it a longer and longer ellipse; small, large, partly outside, a speck. */
static void outline_is_the_projected_sphere(void) {
    const lt_picture_sphere spheres[] = {
        {{0, 0, -2}, 1.0f, red, 1.0f},
        {{1.2f, -0.9f, -2}, 0.5f, red, 1.0f},
        {{-2.1f, 1.5f, -2}, 0.6f, red, 1.0f},
        {{0.3f, 0.2f, -40}, 2.0f, red, 1.0f},
        {{30.0f, 20.0f, -1000}, 60.0f, red, 1.0f},
        {{0.5f, 3.0f, -0.5f}, 2.9f, red, 1.0f}, /* from beside the eye */
    };
    for (size_t i = 0; i < LT_COUNT_OF(spheres); i++) {
        check_outline(spheres[i], SIDE);
        check_outline(spheres[i], WIDE);
    }
}

/* Radius 1 at depth 2 touches rays of slope tan(asin(1/2)) = 0.577: 18.47 of 32 pixels from the middle. */
static void circle_has_its_radius_in_pixels(void) {
    const lt_picture_sphere sphere = {{0, 0, -2}, 1.0f, red, 1.0f};
    lt_image plain = draw_spheres(front_view(), NULL, 0), image = draw_spheres(front_view(), &sphere, 1);
    uint32_t covered = 0;
    for (uint32_t x = 0; x < SIDE; x++)
        covered += !same_pixel(&image, &plain, x, 32);
    CHECK_COUNT(covered, 2 * 19); /* 18 whole pixels and a part of the 19th on each side */
    CHECK(is_reddish(&image, 32 - 18, 32) && is_reddish(&image, 31 + 18, 32));
    CHECK(same_pixel(&image, &plain, 31 - 19, 32) && same_pixel(&image, &plain, 32 + 19, 32));
    lt_image_free(&plain);
    lt_image_free(&image);
}

/* A wall through a sphere of radius 1 at depth 3. At depth 2.5 the sphere has a circle of radius sqrt(3)/2,
 * seen under the slope 0.3464: inside it the sphere is in front, outside the wall. */
static void wall_cuts_the_sphere_where_it_stands(void) {
    const lt_picture_sphere sphere = {{0, 0, -3}, 1.0f, red, 1.0f};
    const struct {
        float wall;
        double radius; /* pixels in which the sphere is seen */
    } cases[] = {{1.99f, 0.0}, {2.5f, 32 * 0.346410}, {2.1f, 32 * 0.207570}, {4.01f, 32 * 0.353553}};
    for (size_t i = 0; i < LT_COUNT_OF(cases); i++) {
        lt_vec3 positions[4];
        lt_picture_mesh mesh = square_mesh(positions, 8.0f, cases[i].wall, blue);
        lt_picture picture = front_view();
        picture.meshes = &mesh;
        picture.mesh_count = 1;
        lt_image image = draw_spheres(picture, &sphere, 1);
        int wrong = 0;
        for (uint32_t y = 0; y < SIDE; y++)
            for (uint32_t x = 0; x < SIDE; x++) {
                double dx = x + 0.5 - 32, dy = y + 0.5 - 32, distance = sqrt(dx * dx + dy * dy);
                if (distance < cases[i].radius - 0.75) wrong += !is_reddish(&image, x, y);
                if (distance > cases[i].radius + 0.75) wrong += !is_bluish(&image, x, y);
            }
        CHECK_COUNT(wrong, 0);
        lt_image_free(&image);
    }
}

/* A ball half sunk into the floor: seen where the ray enters it above the floor, and nowhere else. */
static void floor_hides_what_is_below_it(void) {
    const lt_picture_sphere sphere = {{0, -1.5f, -4}, 1.0f, red, 1.0f};
    lt_picture picture = front_view();
    picture.floor_hidden = false;
    picture.floor_height = -1.5f;
    lt_image plain = draw_spheres(picture, NULL, 0), image = draw_spheres(picture, &sphere, 1);
    lt_dvec3 c = lt_d3_from_v3(sphere.center);
    int seen = 0, sunk = 0, wrong = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            int above = 0, below = 0;
            for (int k = 0; k < 4; k++) {
                lt_dvec3 d = sample_ray(SIDE, x, y, k);
                double dd = lt_d3_dot(d, d), dc = lt_d3_dot(d, c),
                       room = dc * dc - dd * (lt_d3_dot(c, c) - 1.0);
                if (room < 1e-4) continue;
                double height = (dc - sqrt(room)) / dd * d.y + 1.5;
                above += height > 1e-3;
                below += height < -1e-3;
            }
            seen += above == 4;
            sunk += below == 4;
            if (above == 4) wrong += !is_reddish(&image, x, y);
            if (below == 4) wrong += !same_pixel(&image, &plain, x, y);
        }
    CHECK_COUNT(wrong, 0);
    CHECK(seen > 50 && sunk > 10);
    lt_image_free(&plain);
    lt_image_free(&image);
}

static void linear_middle(const lt_image *image, double out[3]) {
    lt_color_tables tables;
    lt_color_tables_fill(&tables);
    for (int i = 0; i < 3; i++)
        out[i] = (double)tables.linear_of[lt_image_pixel(image, SIDE / 2, SIDE / 2)[i]];
}

/* In the middle, where it is seen straight on: half of the near, a quarter of the far, a quarter of the
 * ground, in linear light; whichever comes first in the list. */
static void near_is_blended_over_far(void) {
    lt_picture_sphere near_sphere = {{0, 0, -3}, 1.0f, red, 1.0f},
                      far_sphere = {{0, 0, -6}, 2.0f, blue, 1.0f};
    double near_light[3], far_light[3], ground[3], seen[3];
    lt_image near_image = draw_spheres(front_view(), &near_sphere, 1);
    lt_image far_image = draw_spheres(front_view(), &far_sphere, 1);
    lt_image plain = draw_spheres(front_view(), NULL, 0);
    linear_middle(&near_image, near_light);
    linear_middle(&far_image, far_light);
    linear_middle(&plain, ground);
    near_sphere.opacity = far_sphere.opacity = 0.5f;
    const lt_picture_sphere orders[2][2] = {{near_sphere, far_sphere}, {far_sphere, near_sphere}};
    lt_image first = draw_spheres(front_view(), orders[0], 2),
             second = draw_spheres(front_view(), orders[1], 2);
    CHECK(same_image(&first, &second));
    linear_middle(&first, seen);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(seen[i], 0.5 * near_light[i] + 0.25 * far_light[i] + 0.25 * ground[i], 0.006);
    CHECK(near_light[0] > 0.5 && far_light[2] > 0.5); /* or the line above would say little */
    lt_image_free(&near_image);
    lt_image_free(&far_image);
    lt_image_free(&plain);
    lt_image_free(&first);
    lt_image_free(&second);
}

/* Two equal spheres that overlap side by side meet in the middle plane. */
static void crossing_spheres_part_where_they_cross(void) {
    const lt_picture_sphere left = {{-0.4f, 0, -3}, 1.0f, red, 1.0f},
                            right = {{0.4f, 0, -3}, 1.0f, blue, 1.0f};
    const lt_picture_sphere orders[2][2] = {{left, right}, {right, left}};
    for (int order = 0; order < 2; order++) {
        lt_image image = draw_spheres(front_view(), orders[order], 2);
        for (uint32_t x = 22; x < 42; x++)
            CHECK(x < 32 ? is_reddish(&image, x, 32) : is_bluish(&image, x, 32));
        lt_image_free(&image);
    }
}

/* In the same place the first of the list is in front. */
static void tie_goes_to_the_first(void) {
    const lt_picture_sphere spheres[3] = {{{0.2f, 0.1f, -3}, 1.0f, red, 0.9f},
                                          {{0.2f, 0.1f, -3}, 1.0f, blue, 0.9f},
                                          {{0.2f, 0.1f, -3}, 1.0f, red, 0.9f}};
    lt_image red_first = draw_spheres(front_view(), spheres, 2);
    lt_image blue_first = draw_spheres(front_view(), spheres + 1, 2);
    CHECK(is_reddish(&red_first, 34, 31) && is_bluish(&blue_first, 34, 31));
    lt_image_free(&red_first);
    lt_image_free(&blue_first);
}

/* With one layer the spheres behind the first are as if they were not there, with two all are. */
static void layers_limit_what_shows_through(void) {
    const lt_picture_sphere spheres[2] = {{{0, 0, -3}, 1.0f, red, 0.3f}, {{0, 0, -6}, 1.0f, blue, 0.8f}};
    lt_picture one_layer = front_view(), two_layers = front_view();
    one_layer.sphere_layers = 1;
    two_layers.sphere_layers = 2;
    lt_image alone = draw_spheres(front_view(), spheres, 1), limited = draw_spheres(one_layer, spheres, 2);
    lt_image two = draw_spheres(two_layers, spheres, 2), all = draw_spheres(front_view(), spheres, 2);
    CHECK(same_image(&alone, &limited) && same_image(&two, &all) && !same_image(&alone, &all));
    lt_image_free(&alone);
    lt_image_free(&limited);
    lt_image_free(&two);
    lt_image_free(&all);
}

static void what_is_no_sphere_is_left_out(void) {
    const lt_picture_sphere spheres[] = {
        {{0, 0, -3}, 0.0f, red, 1.0f},        {{0, 0, -3}, -1.0f, red, 1.0f},  {{0, 0, -3}, 1.0f, red, 0.0f},
        {{0, 0, -3}, NAN, red, 1.0f},         {{NAN, 0, -3}, 1.0f, red, 1.0f}, {{0, 0, -3}, 1.0f, red, NAN},
        {{0, INFINITY, -3}, 1.0f, red, 1.0f}, {{0, 0, 3}, 1.0f, red, 1.0f}, /* behind the eye */
        {{0.1f, 0, 0.2f}, 1.0f, red, 1.0f},                                 /* around the eye */
        {{0, 0, -3e38f}, 3e38f, red, 1.0f},
    };
    lt_image plain = draw_spheres(front_view(), NULL, 0);
    lt_image image = draw_spheres(front_view(), spheres, LT_COUNT_OF(spheres));
    CHECK(same_image(&plain, &image));
    lt_image_free(&plain);
    lt_image_free(&image);
}

enum { CROWD = 300 };

/* A wall, the floor, and spheres of all sizes around and behind them; reversed on request. */
static lt_image draw_crowd(float scale, bool reversed, uint32_t layers) {
    static lt_picture_sphere spheres[CROWD];
    lt_vec3 positions[4];
    lt_picture_mesh mesh = square_mesh(positions, 1.0f * scale, 4.0f * scale, green);
    lt_random random = lt_random_seed(5);
    for (int i = 0; i < CROWD; i++) {
        lt_vec3 center = {lt_random_range(&random, -4, 4), lt_random_range(&random, -2, 3),
                          lt_random_range(&random, -8, -1)};
        float radius = lt_random_range(&random, 0.05f, 0.9f), opacity = lt_random_range(&random, 0.05f, 0.7f);
        spheres[reversed ? CROWD - 1 - i : i] =
            (lt_picture_sphere){lt_v3_scale(center, scale), radius * scale, lt_palette((uint32_t)i), opacity};
    }
    lt_picture picture = front_view();
    picture.camera.target.z *= scale;
    picture.focus = (lt_box){{-2 * scale, -2 * scale, -6 * scale}, {2 * scale, 2 * scale, -2 * scale}};
    picture.floor_hidden = false;
    picture.floor_height = -1.5f * scale;
    picture.floor_cell = 0.5f * scale;
    picture.meshes = &mesh;
    picture.mesh_count = 1;
    picture.spheres = spheres;
    picture.sphere_count = CROWD;
    picture.sphere_layers = layers;
    return draw(&picture, 101, 67); /* no multiple of a tile */
}

/* Neither the order of the list nor the unit of length shows; the bits are the same on every machine. When
 * the look is changed on purpose, look at the picture, then put the new number here. */
static void crowd_is_the_same_in_any_order_and_everywhere(void) {
    for (uint32_t layers = 0; layers < 2; layers++) {
        lt_image one = draw_crowd(1.0f, false, layers), again = draw_crowd(1.0f, false, layers);
        lt_image reversed = draw_crowd(1.0f, true, layers), small = draw_crowd(1.0f / 128.0f, false, layers);
        CHECK(same_image(&one, &again) && same_image(&one, &reversed) && same_image(&one, &small));
        CHECK_COUNT(lt_hash_bytes(LT_HASH_SEED, one.bytes, lt_image_value_count(&one)),
                    layers ? 12205536676526296419u : 15718374867234252521u);
        lt_image_free(&one);
        lt_image_free(&again);
        lt_image_free(&reversed);
        lt_image_free(&small);
    }
}

static void out_of_memory_leaks_nothing(void) {
    const lt_picture_sphere sphere = {{0, 0, -3}, 1.0f, red, 0.5f};
    lt_picture picture = front_view();
    picture.spheres = &sphere;
    picture.sphere_count = 1;
    lt_image image = test_image(20, 10, 0), before = test_image(20, 10, 0);
    failing_allocator failing = {0, 1};
    lt_allocator allocator = failing_as_allocator(&failing);
    lt_raster *raster;
    lt_error error;
    CHECK_FATAL(lt_raster_create(&raster, &allocator, &error) == LT_OK);
    CHECK(lt_raster_draw(raster, &picture, &image, &error) == LT_STATUS_MEMORY);
    CHECK(same_image(&image, &before));
    failing.until_failure = -1;
    CHECK(lt_raster_draw(raster, &picture, &image, &error) == LT_OK);
    lt_raster_destroy(raster);
    CHECK_COUNT(failing.live_bytes, 0);
    lt_image_free(&image);
    lt_image_free(&before);
}

int main(void) {
    RUN(outline_is_the_projected_sphere);
    RUN(circle_has_its_radius_in_pixels);
    RUN(wall_cuts_the_sphere_where_it_stands);
    RUN(floor_hides_what_is_below_it);
    RUN(near_is_blended_over_far);
    RUN(crossing_spheres_part_where_they_cross);
    RUN(tie_goes_to_the_first);
    RUN(layers_limit_what_shows_through);
    RUN(what_is_no_sphere_is_left_out);
    RUN(crowd_is_the_same_in_any_order_and_everywhere);
    RUN(out_of_memory_leaks_nothing);
    return check_finish();
}
