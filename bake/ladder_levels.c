/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* The meshes of a ladder and how full their tets are.
 *
 * All levels must weigh the same, so that a body weighs the same whatever mixture of levels carries it: shares of solid are
 * floored (with much less, multigrid diverges) and then scaled to one volume, where those that reach 1 stay there. */

#include "bake/ladder.h"

#include "bake/fill.h"
#include "embed/embed.h"

#include <math.h>

/* Voxels to tell the inside by: the surface is asked itself where it is near, so that they only have to be quick. */
#define SOLID_VOXELS       1e6
#define SOLID_VOXELS_A_TET 300
/* A vertex of the surface may be outside of a given level by that share of a tet: positions of surfaces are floats. */
#define OUTSIDE 1e-6
/* Levels whose volume is the solid's but for that share are full. */
#define FULL 1e-6

static lt_status no_memory(const lt_ladder_build *b, lt_error *error) {
    return lt_fail(error, LT_STATUS_MEMORY, "%s: no memory for a ladder of %u levels", b->name,
                   b->level_count);
}

/* ---- what is solid ---- */

static lt_status find_solid(lt_ladder_build *b, uint32_t finest_tets, lt_error *error) {
    double voxels = lt_min_d(SOLID_VOXELS, 2e4 + (double)SOLID_VOXELS_A_TET * finest_tets);
    lt_status status = lt_solid_find(&b->solid, &b->voxels, b->surface, voxels, &b->allocator, error);
    if (status != LT_OK) return status;
    b->is_sheet = b->voxels.inside_region_count == 0;
    return LT_OK;
}

bool lt_ladder_is_solid(const lt_ladder_build *b, lt_dvec3 p) {
    if (b->is_sheet) return true;
    uint8_t voxel_class = b->voxels.classes[lt_voxel_of(&b->voxels, p)];
    if (voxel_class == LT_VOXEL_TOUCHED) return lt_winding_number_fast(&b->solid.winding, p, 2) > 0.5;
    return voxel_class == LT_VOXEL_INSIDE;
}

void lt_ladder_sample_tet(lt_dvec3 points[LT_LADDER_SAMPLES], const lt_tet_mesh *mesh, uint32_t t) {
    const uint32_t *tet = lt_tet_at(mesh, t);
    const lt_dvec3 *x = mesh->positions;
    const double unit = 1.0 / (LT_LADDER_SAMPLE_ORDER + 1.0);
    uint32_t count = 0;
    for (int i = 0; i <= LT_LADDER_SAMPLE_ORDER; i++)
        for (int j = 0; i + j <= LT_LADDER_SAMPLE_ORDER; j++)
            for (int k = 0; i + j + k <= LT_LADDER_SAMPLE_ORDER; k++) {
                int last = LT_LADDER_SAMPLE_ORDER - i - j - k;
                lt_dvec3 p = lt_d3_scale(x[tet[0]], (i + 0.25) * unit);
                p = lt_d3_mad(p, x[tet[1]], (j + 0.25) * unit);
                p = lt_d3_mad(p, x[tet[2]], (k + 0.25) * unit);
                points[count++] = lt_d3_mad(p, x[tet[3]], (last + 0.25) * unit);
            }
    LT_ASSERT(count == LT_LADDER_SAMPLES);
}

/* ---- fill ---- */

static double weigh(const lt_ladder_level *level, double scale) {
    double sum = 0;
    for (uint32_t t = 0; t < level->mesh.tet_count; t++)
        sum += lt_min_d(1, scale * (double)level->fill[t]) * lt_ladder_tet_volume(&level->mesh, t);
    return sum;
}

/* The scale at which min(1, scale × fill) weighs what is wanted, by halving: the sum rises with it. */
static void scale_fill(lt_ladder_level *level, double wanted) {
    double lo = 0, hi = 1;
    bool is_full = wanted >= (1 - FULL) * lt_tet_mesh_volume(&level->mesh);
    while (!is_full && weigh(level, hi) < wanted)
        hi *= 2;
    for (int round = 0; round < 60 && !is_full; round++) {
        double middle = 0.5 * (lo + hi);
        *(weigh(level, middle) < wanted ? &lo : &hi) = middle;
    }
    for (uint32_t t = 0; t < level->mesh.tet_count; t++)
        level->fill[t] = is_full ? 1 : (float)lt_min_d(1, hi * (double)level->fill[t]);
}

/* The solid's volume; what the smallest level has where that is less, or where nothing is inside. */
static void weigh_levels_alike(lt_ladder_build *b, double solid_volume) {
    b->solid_volume = b->is_sheet ? INFINITY : solid_volume;
    for (uint32_t level = 0; level < b->level_count; level++)
        b->solid_volume = lt_min_d(b->solid_volume, lt_tet_mesh_volume(&b->levels[level].mesh));
    for (uint32_t level = 0; level < b->level_count; level++)
        scale_fill(&b->levels[level], b->solid_volume);
}

/* ---- order ---- */

static lt_status check_count(const lt_ladder_build *b, uint32_t count, lt_error *error) {
    if (count >= 2 && count <= LT_LADDER_MOST) return LT_OK;
    if (count == 1)
        return lt_fail(error, LT_STATUS_INVALID,
                       "%s: a ladder of one level is a plain carrier of tets: bake that, or give more levels",
                       b->name);
    return lt_fail(error, LT_STATUS_INVALID, "%s: a ladder has 2 to %d levels, not %u", b->name,
                   LT_LADDER_MOST, count);
}

static lt_status check_order(const lt_ladder_build *b, lt_error *error) {
    for (uint32_t level = 1; level < b->level_count; level++) {
        uint32_t finer = b->levels[level - 1].mesh.tet_count, count = b->levels[level].mesh.tet_count;
        if (count >= finer)
            return lt_fail(error, LT_STATUS_INVALID,
                           "%s: level %u has %u tets, and level %u, which must be finer, has %u: give levels "
                           "from fine to coarse, or fewer of them",
                           b->name, level, count, level - 1, finer);
    }
    return LT_OK;
}

/* ---- enclosures ---- */

/* What was made for an enclosure is the level's from here on. */
static void take_enclosure(lt_ladder_level *level, lt_enclosure *e) {
    *level = (lt_ladder_level){
        .mesh = e->mesh, .fill = e->fill, .vertex_tets = e->vertex_tets, .overlaps = e->copy_count > 0};
    *e = (lt_enclosure){0};
}

/* Every enclosure goes through the same stages: what counts is which of them it is. */
typedef struct level_progress {
    const lt_enclose_def *def;
    float share;
} level_progress;

static bool report_level(void *context, const char *stage, float share) {
    const level_progress *p = context;
    (void)stage;
    (void)share;
    return p->def->progress(p->def->progress_context, "enclosing levels", p->share);
}

static lt_status enclose_level(lt_ladder_build *b, const lt_enclose_def *def, uint32_t target, uint32_t count,
                               double *solid_volume, lt_error *error) {
    lt_enclosure enclosure;
    lt_enclose_def of_level = *def;
    level_progress progress = {def, (float)b->level_count / (float)count};
    if (def->progress) of_level.progress = report_level;
    of_level.progress_context = &progress;
    of_level.target_tets = target;
    of_level.allocator = &b->allocator;
    lt_status status = lt_enclose(b->surface, &of_level, &enclosure, error);
    if (status == LT_OK) status = lt_enclosure_verify(b->surface, &enclosure, &b->allocator, error);
    if (status == LT_OK) {
        if (b->level_count == 0) {
            *solid_volume = enclosure.solid_volume;
            b->copy_count = enclosure.copy_count;
            b->cell_size = enclosure.cell_size;
        }
        b->is_glued |= enclosure.is_glued;
        take_enclosure(&b->levels[b->level_count++], &enclosure);
        return LT_OK;
    }
    lt_enclosure_free(&enclosure);
    lt_error plain = error ? *error : (lt_error){0};
    return lt_fail(error, status, "level %u: %.250s", b->level_count, plain.message);
}

lt_status lt_ladder_enclose(lt_ladder_build *b, const lt_enclose_def *def, const uint32_t *target_tets,
                            uint32_t count, lt_error *error) {
    double solid_volume = 0;
    lt_status status = check_count(b, count, error);
    if (status == LT_OK) status = find_solid(b, target_tets[0], error);
    for (uint32_t i = 0; i < count && status == LT_OK; i++)
        status = enclose_level(b, def, target_tets[i], count, &solid_volume, error);
    if (status == LT_OK) status = check_order(b, error);
    if (status == LT_OK) weigh_levels_alike(b, solid_volume);
    return status;
}

/* ---- given meshes ---- */

/* The tet of a vertex, which must be there. */
static lt_status hold_vertex(lt_ladder_build *b, uint32_t index, lt_tet_finder *finder, uint32_t vertex,
                             lt_error *error) {
    lt_ladder_level *level = &b->levels[index];
    lt_dvec3 p = lt_d3_from_v3(b->surface->positions[vertex]);
    level->vertex_tets[vertex] = lt_tet_finder_hold(finder, p, OUTSIDE).tet;
    level->overlaps |= lt_tet_finder_hold(finder, p, -OUTSIDE).count > 1;
    if (level->vertex_tets[vertex] != LT_NONE) return LT_OK;
    return lt_fail(error, LT_STATUS_INVALID,
                   "%s: level %u does not hold vertex %u of the surface, at %g %g %g: all levels must "
                   "contain all of it",
                   b->name, index, vertex, p.x, p.y, p.z);
}

static lt_status hold_surface(lt_ladder_build *b, uint32_t index, lt_error *error) {
    enum { IS_USED };
    lt_ladder_level *level = &b->levels[index];
    lt_tet_finder finder;
    lt_status status = lt_tet_finder_build(&finder, &level->mesh, &b->allocator, error);
    if (status != LT_OK) return status;
    for (uint32_t v = 0; v < b->surface->vertex_count; v++)
        level->vertex_tets[v] = LT_NONE;
    for (size_t i = 0; i < 3 * (size_t)b->surface->triangle_count; i++)
        level->vertex_tets[b->surface->triangles[i]] = IS_USED;
    for (uint32_t v = 0; v < b->surface->vertex_count && status == LT_OK; v++)
        if (level->vertex_tets[v] == IS_USED) status = hold_vertex(b, index, &finder, v, error);
    lt_tet_finder_free(&finder);
    return status;
}

static void sample_fill(const lt_ladder_build *b, lt_ladder_level *level) {
    for (uint32_t t = 0; t < level->mesh.tet_count; t++) {
        lt_dvec3 points[LT_LADDER_SAMPLES];
        uint32_t count = 0;
        lt_ladder_sample_tet(points, &level->mesh, t);
        for (uint32_t i = 0; i < LT_LADDER_SAMPLES; i++)
            count += lt_ladder_is_solid(b, points[i]);
        level->fill[t] = (float)lt_max_d(LT_FILL_LEAST, (double)count / LT_LADDER_SAMPLES);
    }
}

static lt_status take_mesh(lt_ladder_build *b, uint32_t index, lt_error *error) {
    lt_ladder_level *level = &b->levels[index];
    level->fill = LT_NEW(&b->allocator, level->mesh.tet_count, float);
    level->vertex_tets = LT_NEW(&b->allocator, b->surface->vertex_count, uint32_t);
    if (!level->fill || !level->vertex_tets) return no_memory(b, error);
    lt_status status = hold_surface(b, index, error);
    if (status == LT_OK) sample_fill(b, level);
    return status;
}

lt_status lt_ladder_take_meshes(lt_ladder_build *b, lt_tet_mesh *meshes, uint32_t count, lt_error *error) {
    LT_ASSERT(count <= LT_LADDER_MOST);
    for (uint32_t i = 0; i < count; i++) {
        b->levels[i].mesh = meshes[i];
        meshes[i] = (lt_tet_mesh){0};
    }
    b->level_count = count;
    lt_status status = check_count(b, count, error);
    if (status == LT_OK) status = check_order(b, error);
    if (status == LT_OK) status = find_solid(b, b->levels[0].mesh.tet_count, error);
    for (uint32_t i = 0; i < count && status == LT_OK; i++)
        status = take_mesh(b, i, error);
    if (status == LT_OK) weigh_levels_alike(b, b->is_sheet ? 0 : lt_solid_volume(&b->solid, &b->voxels));
    return status;
}
