/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "ladder_notes.h"

#include "json_output.h"

#include <stdio.h>

static lt_level_notes notes_of_level(const lt_carrier *carrier, uint32_t level) {
    const lt_ladder *l = &carrier->ladder;
    const lt_tet_mesh mesh = lt_carrier_mesh(carrier);
    lt_level_notes notes = {.node_count = l->node_begin[level + 1] - l->node_begin[level],
                            .tet_count = l->tet_begin[level + 1] - l->tet_begin[level],
                            .fill_min = 1};
    for (uint32_t t = l->tet_begin[level]; t < l->tet_begin[level + 1]; t++) {
        const uint32_t *c = lt_tet_at(&mesh, t);
        double volume = lt_tet_volume(mesh.positions[c[0]], mesh.positions[c[1]], mesh.positions[c[2]],
                                      mesh.positions[c[3]]);
        notes.volume += volume;
        notes.solid_volume += volume * (double)carrier->fill[t];
        notes.fill_min = lt_min_d(notes.fill_min, (double)carrier->fill[t]);
    }
    return notes;
}

lt_status lt_ladder_notes_read(lt_ladder_notes *out, const lt_shape *shape, lt_error *error) {
    lt_carrier carrier;
    *out = (lt_ladder_notes){0};
    if (!lt_shape_has(shape, LT_CHUNK_LADDER_LEVELS)) return LT_OK;
    lt_status status = lt_carrier_read(&carrier, shape, error);
    if (status != LT_OK) return status;
    out->level_count = carrier.ladder.level_count;
    out->piece_count = carrier.ladder.piece_count;
    for (uint32_t level = 0; level < out->level_count; level++)
        out->levels[level] = notes_of_level(&carrier, level);
    return LT_OK;
}

/* By volume. */
static double mean_fill(const lt_level_notes *level) {
    return level->solid_volume / level->volume;
}

void lt_ladder_notes_print(const lt_ladder_notes *notes) {
    for (uint32_t i = 0; i < notes->level_count; i++) {
        const lt_level_notes *level = &notes->levels[i];
        char title[40];
        snprintf(title, sizeof title, "level %u%s", i,
                 i == 0                        ? ", the finest"
                 : i + 1 == notes->level_count ? ", the coarsest"
                                               : "");
        printf("  %-36s%u nodes, %u tets, %.4g m^3, fill at least %.2f, %.3f in the mean\n", title,
               level->node_count, level->tet_count, level->volume, level->fill_min, mean_fill(level));
    }
    if (notes->level_count)
        printf("  %-36s%u, each in one tet of every level\n", "pieces of the solid", notes->piece_count);
}

void lt_ladder_notes_write(lt_json *json, const lt_ladder_notes *notes) {
    lt_json_key(json, "ladder");
    if (notes->level_count == 0) {
        lt_json_null(json);
        return;
    }
    lt_json_begin_object(json);
    lt_json_put_u64(json, "pieces", notes->piece_count);
    lt_json_key(json, "levels");
    lt_json_begin_array(json);
    for (uint32_t i = 0; i < notes->level_count; i++) {
        const lt_level_notes *level = &notes->levels[i];
        lt_json_begin_object(json);
        lt_json_put_u64(json, "nodes", level->node_count);
        lt_json_put_u64(json, "tets", level->tet_count);
        lt_json_put_double(json, "volume", level->volume);
        lt_json_put_double(json, "solid_volume", level->solid_volume);
        lt_json_put_double(json, "fill_min", level->fill_min);
        lt_json_put_double(json, "fill_mean", mean_fill(level));
        lt_json_end_object(json);
    }
    lt_json_end_array(json);
    lt_json_end_object(json);
}
