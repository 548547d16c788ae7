/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* One bake, measured: time, memory, and what the shape that came out is like. */

#include "carriers_internal.h"

#include "bake/adjacency.h"
#include "body/body.h"
#include "core/os.h"
#include "measure.h"
#include "scenes/scene.h"
#include "scenes/trigonometry.h"

/* ---- memory ---- */

static void *metered_allocate(void *context, size_t size, size_t alignment) {
    lt_memory_meter *m = context;
    void *memory = m->inner.allocate(m->inner.context, size, alignment);
    if (!memory) return NULL;
    m->out += size;
    m->peak = m->out > m->peak ? m->out : m->peak;
    return memory;
}

static void metered_release(void *context, void *memory, size_t size) {
    lt_memory_meter *m = context;
    if (memory) m->out -= size;
    m->inner.release(m->inner.context, memory, size);
}

/* ---- what came out ---- */

static lt_status measure_shape(lt_measured_bake *out, const lt_allocator *allocator, lt_error *error) {
    lt_carrier carrier;
    lt_tet_adjacency adjacency;
    lt_status status = lt_carrier_read_finest(&carrier, out->shape, error);
    if (status != LT_OK) return status;
    lt_tet_mesh mesh = {.positions = (lt_dvec3 *)carrier.rest,
                        .tets = (uint32_t *)carrier.tets,
                        .node_count = carrier.node_count,
                        .tet_count = carrier.tet_count};
    status = lt_tet_adjacency_build(&adjacency, &mesh, allocator, error);
    if (status != LT_OK) return status;
    out->least_dihedral = lt_tet_mesh_measure(&mesh, &adjacency).smallest_dihedral * (180.0 / LT_PI);
    lt_tet_adjacency_free(&adjacency);
    for (uint32_t i = 0; i < mesh.tet_count; i++) {
        const uint32_t *tet = lt_tet_at(&mesh, i);
        out->filled_volume +=
            (double)carrier.fill[i] * lt_tet_volume(mesh.positions[tet[0]], mesh.positions[tet[1]],
                                                    mesh.positions[tet[2]], mesh.positions[tet[3]]);
    }
    return LT_OK;
}

lt_status lt_measure_bake(lt_measured_bake *out, const lt_surface *surface, const char *name, uint32_t target,
                          const lt_allocator *allocator, lt_error *error) {
    *out = (lt_measured_bake){.meter = {.inner = *allocator}};
    lt_bake_surface_def def = lt_bake_surface_def_of(surface);
    def.name = name;
    def.target_tets = target;
    def.allocator = (lt_allocator){metered_allocate, metered_release, &out->meter};
    lt_stopwatch watch = lt_stopwatch_start();
    lt_status status = lt_bake_surface(&def, &out->shape, &out->notes, error);
    out->seconds = (double)(lt_os_thread_cpu_ns() - watch.cpu_ns) * 1e-9;
    out->wall_seconds = lt_stopwatch_seconds(watch);
    if (status == LT_OK) status = measure_shape(out, allocator, error);
    return status;
}

void lt_bench_bake_row(lt_bench *bench, const char *label, const lt_measured_bake *bake) {
    const lt_bake_surface_notes *notes = &bake->notes;
    lt_bench_row_begin(bench, label);
    lt_bench_number(bench, "triangles", notes->triangle_count);
    lt_bench_number(bench, "seconds", bake->seconds);
    lt_bench_number(bench, "wall_s", bake->wall_seconds);
    lt_bench_number(bench, "peak_mib", (double)bake->meter.peak / (1 << 20));
    lt_bench_number(bench, "tets", notes->tet_count);
    lt_bench_number(bench, "copies", notes->copy_count);
    lt_bench_number(bench, "ratio", notes->is_sheet ? 0.0 : notes->carrier_volume / notes->solid_volume);
    lt_bench_number(bench, "dihedral_deg", bake->least_dihedral);
    lt_bench_text(bench, "closed", notes->is_closed ? "yes" : "no");
    lt_bench_text(bench, "sheet", notes->is_sheet ? "yes" : "no");
}
