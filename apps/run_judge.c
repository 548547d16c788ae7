/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "run_judge.h"

lt_status lt_run_judge_begin(lt_run_judge *judged, const lt_scene_world *scene_world, uint32_t every,
                             lt_error *error) {
    judged->every = every;
    return lt_judge_scene(&judged->judge, scene_world, error);
}

lt_status lt_run_judge_step(lt_run_judge *judged, uint64_t step, uint64_t steps, lt_error *error) {
    judged->is_fresh = false;
    if (!judged->judge) return LT_OK;
    lt_judge_step(judged->judge);
    if (step % judged->every != 0 && step != steps) return LT_OK;
    lt_status status = lt_judge_check(judged->judge, &judged->last, error);
    if (status != LT_OK) return status;
    lt_judge_keep_worst(&judged->worst, &judged->last, judged->check_count++ == 0);
    judged->is_fresh = true;
    return LT_OK;
}

void lt_run_judge_put(const lt_run_judge *judged, lt_json *json) {
    if (!judged->is_fresh) return;
    char uncounted[128];
    lt_judge_name_uncounted((uint32_t)judged->last.not_counted, uncounted, sizeof uncounted);
    lt_json_key(json, "check");
    lt_json_begin_object(json);
#define put_uint              lt_json_put_u64
#define put_double            lt_json_put_double
#define PUT_FIELD(type, name) put_##type(json, #name, judged->last.name);
    LT_JUDGE_LIST(PUT_FIELD)
#undef PUT_FIELD
#undef put_uint
#undef put_double
    lt_json_put_string(json, "energy_without", uncounted);
    lt_json_end_object(json);
}

void lt_run_judge_print(const lt_run_judge *judged, FILE *out) {
    if (judged->check_count == 0) return;
    const lt_judgement *last = &judged->last, *worst = &judged->worst;
    char uncounted[128];
    lt_judge_name_uncounted((uint32_t)last->not_counted, uncounted, sizeof uncounted);
    fprintf(out, "  judged     %u times, every %u steps; at the end, and at worst:\n", judged->check_count,
            judged->every);
    fprintf(out, "    depth    %.3g m, %.3g; %.2f %% of size, %.2f\n", last->depth, worst->depth,
            100 * last->depth_share, 100 * worst->depth_share);
    fprintf(out, "    below    %.3g m, %.3g; %.2f %% of size, %.2f\n", last->below, worst->below,
            100 * last->below_share, 100 * worst->below_share);
    fprintf(out, "    crossing %llu pairs of bodies, %llu; %llu of triangles, %llu\n", last->intersecting,
            worst->intersecting, last->crossings, worst->crossings);
    fprintf(out, "    self     %llu pairs of triangles, %llu; folded %llu, %llu\n", last->self_crossings,
            worst->self_crossings, last->folded, worst->folded);
    fprintf(out, "    lost     %llu bodies, %llu\n", last->lost, worst->lost);
    fprintf(out, "    energy   %.4g J, without %s; above the start %.3g, %.3g; above the least %.3g, %.3g\n",
            last->energy, uncounted, last->energy_excess, worst->energy_excess, last->energy_rise,
            worst->energy_rise);
    fprintf(out, "    speed    %.3g m/s, %.3g; mean height %.4g m\n", last->speed_max, worst->speed_max,
            last->height_mean);
}

void lt_run_judge_free(lt_run_judge *judged) {
    lt_judge_destroy(judged->judge);
    *judged = (lt_run_judge){0};
}
