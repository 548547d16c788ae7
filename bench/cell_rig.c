/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "cell_internal.h"

#include "world/world.h"

lt_sample lt_cell_step(const lt_scene_rig *rig, uint64_t step, lt_budget budget, lt_report *report) {
    lt_scene_advance(&rig->built, step);
    lt_stopwatch watch = lt_stopwatch_start();
    *report = lt_scene_rig_step(rig, budget);
    lt_sample sample = lt_stopwatch_stop(watch);
    sample.us -= report->model_us;
    return sample;
}

bool lt_cell_in_contact(const lt_scene_rig *rig) {
    uint32_t count;
    const lt_contact *contacts = lt_world_contacts(rig->built.world, &count);
    for (uint32_t i = 0; i < count; i++)
        if (contacts[i].body_b.index_plus_one != 0) return true;
    return false;
}

lt_cell_sizes lt_cell_sizes_of(const lt_scene_rig *rig) {
    const lt_world *world = rig->built.world;
    lt_cell_sizes sizes = {.bodies = lt_world_body_count(world)};
    for (uint32_t i = 0; i < sizes.bodies; i++) {
        const lt_skin *skin = &lt_body_record(world, i)->skin;
        sizes.cells += lt_soft_at(world, i)->carrier.cell_count;
        if (skin->triangle_count > 0 && skin->triangle_parents) /* ascending */
            sizes.triangles += skin->triangle_parents[skin->triangle_count - 1] + 1;
    }
    return sizes;
}

/* ---- runs ---- */

lt_status lt_cell_run_create(lt_cell_run *run, lt_bench *bench, const lt_scene *scene,
                             const lt_world_def *def, uint32_t step_count, lt_error *error) {
    *run = (lt_cell_run){.step_count = step_count};
    lt_status status = lt_scene_rig_build(&run->rig, bench, scene, LT_METHOD_CELL_BOX, def, error);
    if (status != LT_OK) return status;
    run->steps = LT_NEW(&bench->allocator, step_count, double);
    run->ms = LT_NEW(&bench->allocator, step_count, double);
    run->in_contact = LT_NEW(&bench->allocator, step_count, bool);
    if (run->steps && run->ms && run->in_contact) return lt_scene_rig_keep(&run->rig, error);
    return lt_fail(error, LT_STATUS_MEMORY, "out of memory for %u steps", step_count);
}

void lt_cell_run_free(lt_cell_run *run) {
    if (!run->rig.built.world) return;
    LT_DELETE(&run->rig.allocator, run->steps, run->step_count, double);
    LT_DELETE(&run->rig.allocator, run->ms, run->step_count, double);
    LT_DELETE(&run->rig.allocator, run->in_contact, run->step_count, bool);
    lt_scene_rig_free(&run->rig);
}

lt_status lt_cell_run_repeat(lt_cell_run *run, bool is_first, lt_error *error) {
    lt_status status = is_first ? LT_OK : lt_scene_rig_return(&run->rig, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; i < run->step_count; i++) {
        lt_report report;
        double ms = 1e-3 * lt_cell_step(&run->rig, i, lt_budget_unlimited(), &report).us;
        run->steps[i] = i + 1;
        run->ms[i] = is_first ? ms : lt_min_d(ms, run->ms[i]);
        if (is_first) run->in_contact[i] = lt_cell_in_contact(&run->rig);
    }
    return LT_OK;
}

lt_distribution lt_cell_run_distribution(const lt_cell_run *run, bool only_contact) {
    lt_samples samples = lt_samples_begin(&run->rig.allocator);
    bool has_room = true;
    for (uint32_t i = 0; i < run->step_count && has_room; i++)
        if (!only_contact || run->in_contact[i])
            has_room = lt_samples_add(&samples, (lt_sample){.us = 1e3 * run->ms[i]});
    lt_distribution d = has_room ? lt_samples_distribution(&samples, true) : (lt_distribution){0};
    lt_samples_free(&samples);
    return d;
}
