/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The alphabet, written with a round pen: a letter is a set of strokes, straight or elliptic; the solid is
 * all that is within the pen's radius of them, with small fillets where strokes meet.
 *
 * Strokes are drawn in letter units: y from 0 (base line) to 1 (top) along the pen's centre, x from 0. */

#include "bake/put_elements.h"
#include "scenes/generate.h"
#include "scenes/implicit.h"
#include "scenes/trigonometry.h"

#define PEN_RADIUS   0.075
#define FILLET       0.04
#define MAX_STROKES  8
#define MAX_CHORDS   64
#define CHORD_DEGREE 15.0

typedef struct line {
    char letter;
    double x0, y0, x1, y1;
} line;

/* Around (x, y), from one angle to the other, in degrees, counter-clockwise from +x. */
typedef struct arc {
    char letter;
    double x, y, radius_x, radius_y, from, to;
} arc;

static const line lines[] = {
    {'A', 0, 0, .38, 1},      {'A', .38, 1, .76, 0},   {'A', .1064, .28, .6536, .28},
    {'B', 0, 0, 0, 1},        {'B', 0, 1, .3, 1},      {'B', 0, .53, .32, .53},
    {'B', 0, 0, .32, 0},      {'D', 0, 0, 0, 1},       {'D', 0, 1, .2, 1},
    {'D', 0, 0, .2, 0},       {'E', 0, 0, 0, 1},       {'E', 0, 1, .55, 1},
    {'E', 0, .52, .45, .52},  {'E', 0, 0, .55, 0},     {'F', 0, 0, 0, 1},
    {'F', 0, 1, .55, 1},      {'F', 0, .52, .45, .52}, {'G', .76, .5, .45, .5},
    {'H', 0, 0, 0, 1},        {'H', .62, 0, .62, 1},   {'H', 0, .51, .62, .51},
    {'I', .2, 0, .2, 1},      {'I', 0, 0, .4, 0},      {'I', 0, 1, .4, 1},
    {'J', .45, 1, .45, .25},  {'K', 0, 0, 0, 1},       {'K', 0, .38, .6, 1},
    {'K', .19, .576, .64, 0}, {'L', 0, 0, 0, 1},       {'L', 0, 0, .52, 0},
    {'M', 0, 0, 0, 1},        {'M', 0, 1, .4, .3},     {'M', .4, .3, .8, 1},
    {'M', .8, 1, .8, 0},      {'N', 0, 0, 0, 1},       {'N', 0, 1, .64, 0},
    {'N', .64, 0, .64, 1},    {'P', 0, 0, 0, 1},       {'P', 0, 1, .3, 1},
    {'P', 0, .46, .3, .46},   {'Q', .5, .24, .8, 0},   {'R', 0, 0, 0, 1},
    {'R', 0, 1, .3, 1},       {'R', 0, .46, .3, .46},  {'R', .25, .46, .58, 0},
    {'T', .35, 0, .35, 1},    {'T', 0, 1, .7, 1},      {'U', 0, 1, 0, .32},
    {'U', .62, .32, .62, 1},  {'V', 0, 1, .36, 0},     {'V', .36, 0, .72, 1},
    {'W', 0, 1, .27, 0},      {'W', .27, 0, .53, .75}, {'W', .53, .75, .79, 0},
    {'W', .79, 0, 1.06, 1},   {'X', 0, 0, .66, 1},     {'X', 0, 1, .66, 0},
    {'Y', 0, 1, .34, .47},    {'Y', .68, 1, .34, .47}, {'Y', .34, .47, .34, 0},
    {'Z', 0, 1, .62, 1},      {'Z', .62, 1, 0, 0},     {'Z', 0, 0, .62, 0},
};

static const arc arcs[] = {
    {'B', .3, .765, .23, .235, -90, 90}, {'B', .32, .265, .27, .265, -90, 90},
    {'C', .38, .5, .38, .5, 48, 312},    {'D', .2, .5, .44, .5, -90, 90},
    {'G', .38, .5, .38, .5, 48, 360},    {'J', .225, .25, .225, .25, 180, 360},
    {'O', .4, .5, .4, .5, 0, 360},       {'P', .3, .73, .27, .27, -90, 90},
    {'Q', .4, .5, .4, .5, 0, 360},       {'R', .3, .73, .27, .27, -90, 90},
    {'S', .31, .76, .28, .24, 30, 270},  {'S', .31, .26, .31, .26, 90, -150},
    {'U', .31, .32, .31, .32, 180, 360},
};

/* Strokes that share an end are one path of the pen and simply joined: a fillet would swell the corner. Where
 * a path meets another in its course, there is a fillet. */
typedef struct pen_path {
    lt_dvec3 from[MAX_CHORDS], to[MAX_CHORDS];
    uint8_t path_of[MAX_CHORDS];
    uint32_t chord_count;
    lt_dvec3 ends[MAX_STROKES][2];
    uint8_t path_of_stroke[MAX_STROKES];
    uint32_t stroke_count;
} pen_path;

static double letter_field(const void *context, lt_dvec3 p) {
    const pen_path *path = context;
    double nearest[MAX_STROKES], value = 1e9;
    for (uint32_t s = 0; s < path->stroke_count; s++)
        nearest[s] = 1e9;
    for (uint32_t c = 0; c < path->chord_count; c++) {
        double distance = lt_distance_to_cone(p, path->from[c], path->to[c], PEN_RADIUS, PEN_RADIUS);
        nearest[path->path_of[c]] = lt_min_d(nearest[path->path_of[c]], distance);
    }
    for (uint32_t s = 0; s < path->stroke_count; s++)
        value = lt_smooth_min(value, nearest[s], FILLET);
    return value;
}

static lt_dvec3 pen_point(double x, double y) {
    double scale = 1.0 - 2.0 * PEN_RADIUS;
    return (lt_dvec3){x * scale, PEN_RADIUS + y * scale, 0.0};
}

static void add_chord(pen_path *path, lt_dvec3 from, lt_dvec3 to) {
    LT_ASSERT(path->chord_count < MAX_CHORDS);
    path->from[path->chord_count] = from;
    path->to[path->chord_count++] = to;
}

static bool share_an_end(const lt_dvec3 a[2], const lt_dvec3 b[2]) {
    for (int i = 0; i < 4; i++)
        if (lt_d3_distance(a[i & 1], b[i >> 1]) < 1e-6) return true;
    return false;
}

/* Joins the chords since `first` to the paths of the strokes they share an end with. */
static void end_stroke(pen_path *path, uint32_t first) {
    LT_ASSERT(path->stroke_count < MAX_STROKES);
    uint32_t s = path->stroke_count++;
    path->ends[s][0] = path->from[first], path->ends[s][1] = path->to[path->chord_count - 1];
    path->path_of_stroke[s] = (uint8_t)s;
    for (uint32_t c = first; c < path->chord_count; c++)
        path->path_of[c] = (uint8_t)s;
    for (uint32_t other = 0; other < s; other++) {
        if (!share_an_end(path->ends[s], path->ends[other])) continue;
        uint8_t old = path->path_of_stroke[other];
        for (uint32_t c = 0; c < path->chord_count; c++)
            if (path->path_of[c] == old) path->path_of[c] = (uint8_t)s;
        for (uint32_t i = 0; i < s; i++)
            if (path->path_of_stroke[i] == old) path->path_of_stroke[i] = (uint8_t)s;
    }
}

static lt_dvec3 arc_point(const arc *a, double degrees) {
    double sine, cosine;
    lt_sin_cos(degrees * (LT_PI / 180.0), &sine, &cosine);
    return pen_point(a->x + a->radius_x * cosine, a->y + a->radius_y * sine);
}

static void add_arc(pen_path *path, const arc *a) {
    uint32_t count = (uint32_t)(fabs(a->to - a->from) / CHORD_DEGREE + 0.5);
    lt_dvec3 before = arc_point(a, a->from);
    for (uint32_t c = 1; c <= count; c++) {
        lt_dvec3 at = arc_point(a, a->from + (a->to - a->from) * c / count);
        add_chord(path, before, at);
        before = at;
    }
}

static void write_letter(pen_path *path, char letter) {
    for (size_t i = 0; i < LT_COUNT_OF(lines); i++) {
        if (lines[i].letter != letter) continue;
        uint32_t first = path->chord_count;
        add_chord(path, pen_point(lines[i].x0, lines[i].y0), pen_point(lines[i].x1, lines[i].y1));
        end_stroke(path, first);
    }
    for (size_t i = 0; i < LT_COUNT_OF(arcs); i++) {
        if (arcs[i].letter != letter) continue;
        uint32_t first = path->chord_count;
        add_arc(path, arcs + i);
        end_stroke(path, first);
    }
}

/* Moves the path to the middle in x and gives the box around its solid. */
static void centre_path(pen_path *path, lt_dvec3 *lo, lt_dvec3 *hi) {
    lt_dvec3 room = {1.5 * PEN_RADIUS, 1.5 * PEN_RADIUS, 1.5 * PEN_RADIUS};
    *lo = *hi = path->from[0];
    for (uint32_t c = 0; c < path->chord_count; c++) {
        *lo = lt_d3_min(*lo, lt_d3_min(path->from[c], path->to[c]));
        *hi = lt_d3_max(*hi, lt_d3_max(path->from[c], path->to[c]));
    }
    lt_dvec3 shift = {-0.5 * (lo->x + hi->x), 0.0, 0.0};
    for (uint32_t c = 0; c < path->chord_count; c++) {
        path->from[c] = lt_d3_add(path->from[c], shift);
        path->to[c] = lt_d3_add(path->to[c], shift);
    }
    *lo = lt_d3_sub(lt_d3_add(*lo, shift), room);
    *hi = lt_d3_add(lt_d3_add(*hi, shift), room);
}

lt_status lt_generate_letter(lt_surface *out, char letter, uint32_t triangle_count,
                             const lt_allocator *allocator, lt_error *error) {
    *out = (lt_surface){0};
    if (letter < 'A' || letter > 'Z')
        return lt_fail(error, LT_STATUS_INVALID, "letter: only A to Z can be written, not character %d",
                       (int)letter);
    pen_path path = {.chord_count = 0};
    write_letter(&path, letter);
    lt_implicit solid = {.field = letter_field, .context = &path, .name = "letter", .least = 400};
    centre_path(&path, &solid.lo, &solid.hi);
    return lt_implicit_polygonise(out, &solid, triangle_count, allocator, error);
}
