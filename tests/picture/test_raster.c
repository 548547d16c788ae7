/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Whole pictures: what is where, light and shadow, scale, determinism, failures. Scenes are a few boxes and
 * a ball made of latitude rings, so that no other part of the project is needed. */

#define _POSIX_C_SOURCE 200809L

#include "core/hash.h"
#include "core/random.h"
#include "front_view.h"
#include "picture/light_map.h"

enum { RINGS = 12, SPOKES = 24, BALL_VERTICES = (RINGS + 1) * SPOKES, BALL_TRIANGLES = 2 * RINGS * SPOKES };

/* Corners of a box, bit 0 for x, 1 for y, 2 for z, and its twelve triangles. */
static const uint32_t box_triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                           2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static void make_box(lt_vec3 positions[8], lt_vec3 lo, lt_vec3 hi) {
    for (int i = 0; i < 8; i++)
        positions[i] = (lt_vec3){i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z};
}

static lt_picture_mesh box_mesh(const lt_vec3 positions[8], uint32_t color) {
    return (lt_picture_mesh){.positions = positions,
                             .triangles = box_triangles,
                             .vertex_count = 8,
                             .triangle_count = 12,
                             .color = lt_palette(color),
                             .flat = true};
}

/* cos and sin by turning a vector: no libm, so that the golden hash holds everywhere. */
static void make_ball(lt_vec3 *positions, uint32_t *triangles, lt_vec3 center, float radius) {
    const float ring_cos = 0.9659258f, ring_sin = 0.2588190f; /* 15 degrees, for both angles */
    lt_vec3 spoke[SPOKES];
    float c = 1.0f, s = 0.0f;
    for (int j = 0; j < SPOKES; j++) {
        spoke[j] = (lt_vec3){c, 0.0f, s};
        float next = c * ring_cos - s * ring_sin;
        s = s * ring_cos + c * ring_sin;
        c = next;
    }
    float up = 1.0f, out = 0.0f;
    for (int i = 0; i <= RINGS; i++) {
        for (int j = 0; j < SPOKES; j++)
            positions[i * SPOKES + j] =
                lt_v3_mad(center, (lt_vec3){out * spoke[j].x, up, out * spoke[j].z}, radius);
        float next = up * ring_cos - out * ring_sin;
        out = out * ring_cos + up * ring_sin;
        up = next;
    }
    for (uint32_t i = 0, k = 0; i < RINGS; i++)
        for (uint32_t j = 0; j < SPOKES; j++, k += 6) {
            uint32_t a = i * SPOKES + j, b = i * SPOKES + (j + 1) % SPOKES;
            const uint32_t pair[6] = {a, b, a + SPOKES, b, b + SPOKES, a + SPOKES};
            memcpy(triangles + k, pair, sizeof pair);
        }
}

static lt_picture_mesh ball_mesh(const lt_vec3 *positions, const uint32_t *triangles, uint32_t color) {
    return (lt_picture_mesh){.positions = positions,
                             .triangles = triangles,
                             .vertex_count = BALL_VERTICES,
                             .triangle_count = BALL_TRIANGLES,
                             .color = lt_palette(color)};
}

static int brightness(const lt_image *image, uint32_t x, uint32_t y) {
    const uint8_t *pixel = lt_image_pixel(image, x, y);
    return pixel[0] + pixel[1] + pixel[2];
}
/* Half side 1 at depth 2 under 90 degrees fills the middle half of the picture: pixels 8 to 23 of 32. */
static void square_covers_its_pixels_exactly(void) {
    lt_vec3 positions[4];
    lt_picture_mesh mesh = square_mesh(positions, 1.0f, 2.0f, (lt_color){255, 0, 0});
    lt_picture picture = front_view();
    picture.meshes = &mesh;
    picture.mesh_count = 1;
    lt_image image = draw(&picture, 32, 32);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++)
            CHECK(is_red(&image, x, y) == (x >= 8 && x < 24 && y >= 8 && y < 24));
    lt_image_free(&image);
    mesh.triangles = (const uint32_t[6]){0, 2, 1, 0, 3, 2}; /* turned away: not drawn, unless two-sided */
    image = draw(&picture, 32, 32);
    CHECK(!is_red(&image, 16, 16));
    lt_image_free(&image);
    mesh.two_sided = true;
    image = draw(&picture, 32, 32);
    CHECK(is_red(&image, 16, 16));
    lt_image_free(&image);
}

static void nearer_square_hides_the_other_in_any_order(void) {
    lt_vec3 near_positions[4], far_positions[4];
    for (int order = 0; order < 2; order++) {
        lt_picture_mesh meshes[2];
        meshes[order] = square_mesh(near_positions, 0.5f, 1.0f, (lt_color){255, 0, 0});
        meshes[1 - order] = square_mesh(far_positions, 2.0f, 2.001f, (lt_color){0, 0, 255});
        lt_picture picture = front_view();
        picture.meshes = meshes;
        picture.mesh_count = 2;
        lt_image image = draw(&picture, 32, 32);
        CHECK(is_red(&image, 16, 16) && is_red(&image, 9, 22) && is_blue(&image, 4, 4) &&
              is_blue(&image, 28, 16));
        lt_image_free(&image);
    }
}

/* A strip that runs from far ahead to far behind the eye, two units below it: everything below the horizon
 * in its width, nothing above, and no hole where it passes under the eye. */
static void surface_through_the_near_plane_is_clipped(void) {
    const lt_vec3 positions[4] = {{-1e4f, -2, 500}, {1e4f, -2, 500}, {1e4f, -2, -1e4f}, {-1e4f, -2, -1e4f}};
    lt_picture_mesh mesh = {.positions = positions,
                            .triangles = square_triangles,
                            .vertex_count = 4,
                            .triangle_count = 2,
                            .color = {255, 0, 0},
                            .shadowless = true};
    lt_picture picture = front_view();
    picture.sun_direction = (lt_vec3){0, 1, 0};
    picture.meshes = &mesh;
    picture.mesh_count = 1;
    lt_image image = draw(&picture, 64, 64);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            CHECK(is_red(&image, x, y) == (y >= 32));
    lt_image_free(&image);
    lt_vec3 close[4]; /* nearer than a thousandth of the distance to the target: not drawn */
    mesh = square_mesh(close, 0.1f, 0.0005f, (lt_color){255, 0, 0});
    image = draw(&picture, 64, 64);
    CHECK(!is_red(&image, 32, 32));
    lt_image_free(&image);
}

/* Straight down on a floor with a slab above: the shadow lies under the sun's slant, one unit aside. */
static void floor_under_an_occluder_is_darker(void) {
    lt_vec3 positions[8];
    make_box(positions, (lt_vec3){-0.5f, 1.0f, -0.5f}, (lt_vec3){0.5f, 1.1f, 0.5f});
    lt_picture_mesh mesh = box_mesh(positions, 0);
    lt_picture picture = lt_picture_default();
    picture.meshes = &mesh;
    picture.mesh_count = 1;
    picture.focus = (lt_box){{-3, 0, -3}, {3, 1, 3}};
    picture.sun_direction = (lt_vec3){-1.5f, 1, 0};
    picture.floor_cell = 100.0f;
    picture.camera = (lt_camera){{0, 8, 0}, {0, 0, 0}, {0, 0, -1}, 53.13f}; /* 8 units wide on the floor */
    lt_image with = draw(&picture, 64, 64);
    mesh.shadowless = true;
    lt_image without = draw(&picture, 64, 64);
    uint32_t shadow_x = 32 + 12; /* 1.5 units right of the slab */
    CHECK(brightness(&with, shadow_x, 32) < brightness(&without, shadow_x, 32) * 3 / 4);
    CHECK(brightness(&with, 4, 32) == brightness(&without, 4, 32)); /* the sun's side is as it was */
    lt_image_free(&with);
    lt_image_free(&without);
}

/* Against acne: lit points of a ball and of a box's top are lit fully. Against light leaking in under
 * things: the floor behind a box is dark right up to it. */
static void shadow_has_neither_acne_nor_gaps(void) {
    static lt_vec3 ball[BALL_VERTICES];
    static uint32_t triangles[BALL_TRIANGLES * 3];
    lt_vec3 box[8], sheet[8];
    make_ball(ball, triangles, (lt_vec3){-1.5f, 0.5f, 0}, 0.5f);
    make_box(sheet, (lt_vec3){-0.5f, 0, 0.8f}, (lt_vec3){-0.3f, 0.04f, 1.2f}); /* nine texels high */
    make_box(box, (lt_vec3){0.5f, 0, -0.5f}, (lt_vec3){1.5f, 1, 0.5f});
    lt_picture_mesh meshes[3] = {ball_mesh(ball, triangles, 0), box_mesh(box, 1), box_mesh(sheet, 2)};
    lt_picture picture = lt_picture_default();
    picture.meshes = meshes;
    picture.mesh_count = 3;
    picture.sun_direction = (lt_vec3){-1, 1, 0};
    lt_arena arena = {0};
    lt_shadow shadow;
    CHECK_FATAL(lt_arena_reserve(&arena, NULL, lt_light_map_memory() + sizeof ball));
    CHECK_FATAL(lt_shadow_fill(&shadow, &picture, (lt_vec3){0, 0.5f, 0}, 2.2f, &arena));
    float texel = shadow.map.texel;
    for (uint32_t i = 0; i < BALL_VERTICES; i++) {
        lt_vec3 normal = lt_v3_normalize_or(lt_v3_sub(ball[i], (lt_vec3){-1.5f, 0.5f, 0}), picture.up);
        if (lt_v3_dot(normal, shadow.map.toward) > 0.25f)
            CHECK(lt_shadow_light(&shadow, ball[i], normal) > 0.99f);
    }
    for (int i = 0; i <= 20; i++) {
        float z = -0.4f + 0.04f * (float)i;
        CHECK(lt_shadow_light(&shadow, (lt_vec3){0.55f + 0.045f * (float)i, 1, z}, picture.up) > 0.99f);
        CHECK(lt_shadow_light(&shadow, (lt_vec3){0.5f, 0.5f + 0.02f * (float)i, z}, (lt_vec3){-1, 0, 0}) >
              0.99f);
        CHECK(lt_shadow_light(&shadow, (lt_vec3){1.5f + 2.0f * texel, 0, z}, picture.up) < 0.01f);
        CHECK(lt_shadow_light(&shadow, (lt_vec3){-0.3f + 4.0f * texel, 0, 1.0f + 0.4f * z}, picture.up) <
              0.1f);
    }
    CHECK(lt_shadow_light(&shadow, (lt_vec3){3.2f, 0, 0}, picture.up) == 1.0f); /* beyond the shadow */
    lt_arena_free(&arena);
}

static void set_small_scene(lt_picture *picture, lt_picture_mesh meshes[3], float scale) {
    static lt_vec3 ball[BALL_VERTICES], box[8], ground[8];
    static uint32_t triangles[BALL_TRIANGLES * 3];
    make_ball(ball, triangles, (lt_vec3){-0.6f * scale, 0.5f * scale, 0}, 0.5f * scale);
    make_box(box, (lt_vec3){0.1f * scale, 0, -0.4f * scale},
             (lt_vec3){0.9f * scale, 0.8f * scale, 0.4f * scale});
    make_box(ground, (lt_vec3){-0.2f * scale, 0, 0.6f * scale},
             (lt_vec3){0.5f * scale, 0.1f * scale, 1.2f * scale});
    meshes[0] = ball_mesh(ball, triangles, 0);
    meshes[1] = box_mesh(box, 1);
    meshes[2] = box_mesh(ground, 2);
    *picture = lt_picture_default();
    picture->meshes = meshes;
    picture->mesh_count = 3;
    picture->floor_cell = 0.5f * scale;
    picture->focus = lt_picture_box(picture, false);
    picture->camera = lt_camera_frame(picture->focus, picture->up, 96, 72);
}

/* Powers of two change no mantissa: a scene of a centimetre and one of 100 m give the same bytes. */
static void picture_does_not_depend_on_the_unit(void) {
    lt_picture picture;
    lt_picture_mesh meshes[3];
    set_small_scene(&picture, meshes, 1.0f);
    lt_image one = draw(&picture, 96, 72);
    const float scales[2] = {1.0f / 128.0f, 64.0f};
    for (int i = 0; i < 2; i++) {
        set_small_scene(&picture, meshes, scales[i]);
        lt_image other = draw(&picture, 96, 72);
        CHECK(memcmp(one.bytes, other.bytes, lt_image_value_count(&one)) == 0);
        lt_image_free(&other);
    }
    lt_image_free(&one);
}

/* The same bits on every machine and compiler. When the look is changed on purpose, look at the picture,
 * then put the new number here. */
static void picture_is_the_same_everywhere(void) {
    lt_picture picture;
    lt_picture_mesh meshes[3];
    set_small_scene(&picture, meshes, 1.0f);
    const lt_marker marker = {{-0.1f, 0.5f, 0}, {0.3f, 0.2f, 0}, lt_marker_color(LT_MARKER_APPROXIMATE)};
    picture.markers = &marker;
    picture.marker_count = 1;
    picture.caption = "step 7\n500 \xc2\xb5s";
    lt_image image = draw(&picture, 96, 72);
    CHECK_COUNT(lt_hash_bytes(LT_HASH_SEED, image.bytes, lt_image_value_count(&image)),
                16682252260369915547u);
    lt_image_free(&image);
}

/* Exactly the lower left corner changes, and dots of the letters are dark. */
static void caption_and_markers_are_drawn_on_top(void) {
    lt_picture picture;
    lt_picture_mesh meshes[3];
    set_small_scene(&picture, meshes, 1.0f);
    lt_image plain = draw(&picture, 96, 72);
    picture.caption = "III";
    lt_image captioned = draw(&picture, 96, 72);
    uint32_t dark = 0, outside = 0;
    for (uint32_t y = 0; y < 72; y++)
        for (uint32_t x = 0; x < 96; x++) {
            bool changed = memcmp(lt_image_pixel(&plain, x, y), lt_image_pixel(&captioned, x, y), 3) != 0;
            outside += changed && (x >= 30 || y < 55);
            dark += changed && brightness(&captioned, x, y) < 260;
        }
    CHECK_COUNT(outside, 0);
    CHECK_COUNT(dark, 3 * 11); /* a capital I is 3 + 5 + 3 dots */
    lt_marker marker = {picture.camera.target, {0, 0, 0}, lt_marker_color(LT_MARKER_EXACT)};
    picture.markers = &marker;
    picture.marker_count = 1;
    lt_image marked = draw(&picture, 96, 72);
    CHECK(memcmp(lt_image_pixel(&marked, 48, 36), lt_image_pixel(&captioned, 48, 36), 3) != 0);
    lt_image_free(&plain);
    lt_image_free(&captioned);
    lt_image_free(&marked);
}

/* Redder with every step up to the last one that counts, and greener up to the middle; what is approximate is
 * blue at any age. */
static void contacts_age_from_green_over_yellow_to_red(void) {
    lt_color before = lt_marker_age_color(LT_MARKER_EXACT, 0), fresh = before;
    CHECK(fresh.g > 2 * fresh.r && fresh.g > fresh.b);
    for (uint32_t age = 1; age <= LT_MARKER_AGE_MAX; age++) {
        lt_color now = lt_marker_age_color(LT_MARKER_PREDICTED, age);
        double was = (double)before.r / before.g, is = (double)now.r / now.g;
        CHECK(is > was + 0.05);
        before = now;
    }
    CHECK(before.r > 4 * before.g && before.r > 4 * before.b);
    lt_color yellow = lt_marker_age_color(LT_MARKER_PREDICTED, LT_MARKER_AGE_MAX / 2);
    CHECK(yellow.r > 200 && yellow.g > 180 && yellow.b < 64);
    lt_color old = lt_marker_age_color(LT_MARKER_PREDICTED, UINT32_MAX);
    CHECK(memcmp(&old, &before, sizeof old) == 0);
    for (uint32_t age = 0; age < 20; age += 4) {
        lt_color coarse = lt_marker_age_color(LT_MARKER_APPROXIMATE, age);
        CHECK(coarse.b > coarse.r && coarse.b > coarse.g);
    }
}

/* A ball in the middle of the picture, new and then old: the pixel there has its colour. */
static void marker_has_its_colour(void) {
    lt_picture picture;
    lt_picture_mesh meshes[3];
    set_small_scene(&picture, meshes, 1.0f);
    for (int old = 0; old < 2; old++) {
        lt_marker marker = {.position = picture.camera.target,
                            .color = lt_marker_age_color(LT_MARKER_EXACT, old ? 20 : 0)};
        picture.markers = &marker;
        picture.marker_count = 1;
        lt_image image = draw(&picture, 96, 72);
        const uint8_t *pixel = lt_image_pixel(&image, 48, 36);
        CHECK(old ? pixel[0] > pixel[1] + 30 : pixel[1] > pixel[0] + 30);
        lt_image_free(&image);
    }
}

static void framed_box_is_inside_the_picture(void) {
    lt_random random = lt_random_seed(11);
    for (int round = 0; round < 200; round++) {
        float scale = round % 3 == 0 ? 0.01f : round % 3 == 1 ? 1.0f : 100.0f;
        lt_vec3 lo = {lt_random_range(&random, -1, 1) * scale, lt_random_range(&random, -1, 1) * scale,
                      lt_random_range(&random, -1, 1) * scale};
        lt_vec3 size = {lt_random_unit(&random) * scale, lt_random_unit(&random) * scale,
                        lt_random_unit(&random) * scale};
        lt_vec3 corners[8];
        make_box(corners, lo, lt_v3_add(lo, size));
        lt_camera camera = lt_camera_frame((lt_box){lo, lt_v3_add(lo, size)}, (lt_vec3){0, 1, 0}, 640, 360);
        lt_view view;
        CHECK(lt_view_make(&view, &camera, 640, 360, NULL) == LT_OK);
        float widest = 0.0f;
        for (int i = 0; i < 8; i++) {
            lt_vec3 d = lt_v3_sub(corners[i], view.eye);
            float depth = lt_v3_dot(d, view.forward);
            CHECK(depth > view.near_depth);
            widest = lt_max_f(widest, fabsf(lt_v3_dot(d, view.right)) / (depth * view.tangent_x));
            widest = lt_max_f(widest, fabsf(lt_v3_dot(d, view.up)) / (depth * view.tangent_y));
        }
        CHECK(widest < 1.0f && widest > 0.9f); /* inside, and not lost in the middle */
    }
}

static void color_tables_follow_the_curve(void) {
    lt_color_tables tables;
    lt_color_tables_fill(&tables);
    CHECK(tables.linear_of[0] == 0.0f && tables.linear_of[255] == 1.0f);
    CHECK_NEAR(tables.linear_of[10], 10 / 255.0 / 12.92, 1e-7); /* the straight part */
    CHECK_NEAR(tables.linear_of[188], pow((188 / 255.0 + 0.055) / 1.055, 2.4), 1e-6);
    for (int code = 0; code < 256; code++)
        CHECK_COUNT(lt_color_code(&tables, tables.linear_of[code]), code);
    CHECK_COUNT(lt_color_code(&tables, -1.0f), 0);
    CHECK_COUNT(lt_color_code(&tables, NAN), 0);
    CHECK_COUNT(lt_color_code(&tables, 7.0f), 255);
    for (uint32_t i = 0; i < LT_PALETTE_COUNT; i++)
        for (uint32_t j = 0; j < i; j++) {
            lt_color a = lt_palette(i), b = lt_palette(j + LT_PALETTE_COUNT);
            CHECK(abs(a.r - b.r) + abs(a.g - b.g) + abs(a.b - b.b) > 60);
        }
    CHECK_NEAR(lt_camera_tangent(90.0f), 1.0, 1e-14);
    CHECK_NEAR(lt_camera_tangent(150.0f), 3.7320508075688772, 1e-12);
}

/* A body that blew up must not take the recording with it. */
static void wild_vertices_are_survived(void) {
    lt_vec3 positions[8];
    make_box(positions, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1});
    positions[0] = (lt_vec3){NAN, 0, 0};
    positions[3] = (lt_vec3){INFINITY, -INFINITY, 0};
    positions[5] = (lt_vec3){3e38f, -3e38f, 3e38f};
    positions[6] = (lt_vec3){1e20f, 1e20f, 1e20f};
    lt_picture_mesh mesh = box_mesh(positions, 0);
    mesh.two_sided = true;
    lt_picture picture = lt_picture_default();
    picture.meshes = &mesh;
    picture.mesh_count = 1;
    for (int flat = 0; flat < 2; flat++) {
        mesh.flat = flat;
        lt_image image = draw(&picture, 40, 30);
        CHECK(image.bytes != NULL);
        lt_image_free(&image);
        picture.focus = (lt_box){{0, 0, 0}, {1, 1, 1}};
    }
}

static void faults_of_the_caller_are_named(void) {
    lt_vec3 positions[8];
    make_box(positions, (lt_vec3){0, 0, 0}, (lt_vec3){1, 1, 1});
    lt_picture_mesh meshes[2] = {box_mesh(positions, 0), box_mesh(positions, 1)};
    lt_picture picture = lt_picture_default();
    picture.meshes = meshes;
    picture.mesh_count = 2;
    meshes[1].vertex_count = 7;
    lt_raster *raster;
    lt_error error;
    lt_image image = test_image(20, 10, 0), before = test_image(20, 10, 0);
    CHECK_FATAL(lt_raster_create(&raster, NULL, &error) == LT_OK);
    CHECK(lt_raster_draw(raster, &picture, &image, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "mesh 1: triangle 3: vertex 7");
    meshes[1].vertex_count = 8;
    picture.camera.up = lt_v3_sub(picture.camera.target, picture.camera.eye);
    CHECK(lt_raster_draw(raster, &picture, &image, &error) == LT_STATUS_INVALID);
    CHECK_CONTAINS(error.message, "camera");
    picture.camera.up = (lt_vec3){0, 1, 0};
    picture.camera.fov_degrees = NAN;
    CHECK(lt_raster_draw(raster, &picture, &image, &error) == LT_STATUS_INVALID);
    CHECK(memcmp(image.bytes, before.bytes, lt_image_value_count(&image)) == 0);
    lt_raster_destroy(raster);
    lt_raster_destroy(NULL);
    lt_image_free(&image);
    lt_image_free(&before);
}

static void out_of_memory_leaks_nothing(void) {
    lt_picture picture;
    lt_picture_mesh meshes[3];
    set_small_scene(&picture, meshes, 1.0f);
    lt_image image = test_image(20, 10, 0);
    int failures = 0;
    for (int successes = 0; successes < 4; successes++) {
        failing_allocator failing = {0, successes};
        lt_allocator allocator = failing_as_allocator(&failing);
        lt_raster *raster;
        lt_error error;
        lt_status status = lt_raster_create(&raster, &allocator, &error);
        if (status == LT_OK) status = lt_raster_draw(raster, &picture, &image, &error);
        CHECK(status == LT_OK || status == LT_STATUS_MEMORY);
        failures += status != LT_OK;
        lt_raster_destroy(raster);
        CHECK_COUNT(failing.live_bytes, 0);
    }
    CHECK_COUNT(failures, 2);
    lt_image_free(&image);
}

int main(void) {
    RUN(square_covers_its_pixels_exactly);
    RUN(nearer_square_hides_the_other_in_any_order);
    RUN(surface_through_the_near_plane_is_clipped);
    RUN(floor_under_an_occluder_is_darker);
    RUN(shadow_has_neither_acne_nor_gaps);
    RUN(picture_does_not_depend_on_the_unit);
    RUN(picture_is_the_same_everywhere);
    RUN(caption_and_markers_are_drawn_on_top);
    RUN(contacts_age_from_green_over_yellow_to_red);
    RUN(marker_has_its_colour);
    RUN(framed_box_is_inside_the_picture);
    RUN(color_tables_follow_the_curve);
    RUN(wild_vertices_are_survived);
    RUN(faults_of_the_caller_are_named);
    RUN(out_of_memory_leaks_nothing);
    return check_finish();
}
