/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* `lithe run --check`, `--solve-every` and `--seed` ($LITHE_PROGRAM; skipped without): what is judged changes nothing, what is moved does,
 * and a record has it. */

#include "run_program.h"

#include <stdint.h>

static void hash_of(const char *line, char hash[17]) {
    check_run(line, 0, "  hash       ");
    summary_hash(hash);
}

static uint32_t count_of(const char *text, const char *part) {
    uint32_t count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static void what_is_judged_changes_nothing(void) {
    char alone[17], judged[17];
    hash_of("run two-balls --steps 40 --collision-budget 3000units", alone);
    hash_of("run two-balls --steps 40 --collision-budget 3000units --check 3", judged);
    CHECK(strcmp(alone, judged) == 0);
    CHECK_CONTAINS(out_text, "judged     14 times, every 3 steps");
    CHECK_CONTAINS(out_text, "energy");
    check_run("run two-balls --steps 10 --check 4 --json -", 0, "\"energy_without\": \"nothing\"");
    CHECK_COUNT(count_of(out_text, "\"check\": {\"depth\": "), 3); /* 4, 8 and the last */
    check_run("run two-balls --steps 10 --check 0", 2, "--check 0: must be 1 to");
    check_run("run handle --steps 2 --check 2", 0, "without handles;");
}

/* Bodies on tets are put on lattices, where there is a surface to put them around. */
static void cell_box_takes_scenes_of_tets(void) {
    check_run("run tower --method cell-box --steps 12 --check 6", 0, "without nothing;");
    check_run("run tower --method cell-box --model corotational --steps 2", 1, "the shape is a lattice");
    check_run("run grass --method cell-box --steps 2", 1, "scene grass: shape 0 has no surface");
}

static void seeds_move_bodies(void) {
    char none[17], first[17], again[17], second[17];
    hash_of("run two-balls --steps 5", none);
    hash_of("run two-balls --steps 5 --seed 1 --save @r", first);
    hash_of("run two-balls --steps 5 --seed 1", again);
    hash_of("run two-balls --steps 5 --seed 2", second);
    CHECK(strcmp(first, again) == 0);
    CHECK(strcmp(none, first) != 0 && strcmp(first, second) != 0);
    check_run("replay @r", 0, "every step the same as recorded");
    clear_folder();
}

static void bodies_may_be_solved_in_some_steps_only(void) {
    char all[17], one[17], some[17], replayed[17];
    hash_of("run two-balls --steps 20", all);
    hash_of("run two-balls --steps 20 --solve-every 1", one);
    hash_of("run two-balls --steps 20 --solve-every 4 --save @r", some);
    hash_of("run two-balls --steps 20 --solve-every 4", replayed);
    CHECK(strcmp(all, one) == 0 && strcmp(some, replayed) == 0 && strcmp(all, some) != 0);
    check_run("replay @r", 0, "every step the same as recorded");
    check_run("run two-balls --steps 1 --solve-every 0", 2, "--solve-every 0: must be 1 to");
    clear_folder();
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(what_is_judged_changes_nothing);
    RUN(cell_box_takes_scenes_of_tets);
    RUN(seeds_move_bodies);
    RUN(bodies_may_be_solved_in_some_steps_only);
    return finish_program();
}
