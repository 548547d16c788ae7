/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Runs are saved, and repeated to the bit wherever the clock had cut them ($LITHE_PROGRAM; skipped without). */

#include "run_program.h"

static char record[1 << 18];

static void same_again(const char *line) {
    char save[300], first[17], second[17];
    snprintf(save, sizeof save, "%s --save @r.txt", line);
    check_run(save, 0, "hash");
    summary_hash(first);
    check_run("replay @r.txt", 0, "every step the same as recorded");
    summary_hash(second);
    CHECK(strcmp(first, second) == 0);
    check_run("replay @r.txt --threads 2 --save @again.txt", 0, "every step the same as recorded");
    check_same("r.txt", "again.txt");
    clear_folder();
}

static void whatever_the_clock_does(void) {
    same_again("run moving-obstacle --steps 40");
    same_again("run two-balls --method tet-hash --fast-first --steps 40 --collision-budget=10us");
    same_again("run incline --steps 60 --collision-budget 3us");
    same_again("run explicit --steps 10 --collision-budget 500units");
}

/* What only looks at a run is not in its record, and may be asked of a replay. */
static void looking_is_not_recorded(void) {
    check_run("run incline --steps 6 --dt 0.01 --json @a.json --threads 2 --diagnostics --save @r.txt", 0,
              "hash");
    read_text("r.txt", record, sizeof record);
    CHECK_CONTAINS(record, "\nword incline\nword --dt=0.01\nstart ");
    CHECK_CONTAINS(record, "\nend 6\n");
    check_run("replay @r.txt --steps 4 --json @b.json", 0, "incline: 4 steps");
    read_text("b.json", record, sizeof record);
    CHECK_CONTAINS(record, "{\"step\": 4,");
    check_run("replay @r.txt --steps 100", 0, "incline: 6 steps");
    check_run("replay @r.txt --method tet-hash", 2, "--method: that is as recorded");
    check_run("replay @r.txt --collision-budget=2ms", 2, "--collision-budget=2ms: that is as recorded");
    check_run("replay @r.txt --nonsense", 2, "--nonsense");
    check_run("replay @r.txt more", 2, "one argument too many: more");
    clear_folder();
}

/* The record with one part changed is refused: exit code 1, and this is said. */
static void refuse_changed(const char *part, const char *by, const char *message) {
    static char changed[sizeof record + 2000];
    const char *at = strstr(record, part);
    CHECK_FATAL(at != NULL);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - record), record, by, at + strlen(part));
    write_text("changed.txt", changed);
    check_run("replay @changed.txt", 1, message);
}

static void names_what_differs(void) {
    char whole[22], *at;
    check_run("run incline --steps 8 --method tet-hash --save @r.txt", 0, "hash");
    read_text("r.txt", record, sizeof record);
    at = strstr(record, "step 5 ");
    CHECK_FATAL(at && (at = strstr(at, "hash ")));
    snprintf(whole, sizeof whole, "%.21s", at);
    refuse_changed(whole, "hash 0000000000000000",
                   "lithe replay: step 5 is the first that differs from the record");
    refuse_changed("word --method=tet-hash\n", "", "before step 1 the world is another one");
    refuse_changed("word incline", "word explicit", "before step 1 the world is another one");
    refuse_changed("word --method=tet-hash", "word --json=stolen.txt",
                   "changed.txt:4: \"--json=stolen.txt\" is not a word");
    refuse_changed("word --method=tet-hash", "word --save=stolen.txt", "changed.txt:4: ");
    refuse_changed("word incline", "word --help", "changed.txt:3: ");
    refuse_changed("end 8", "end 9", "does not count");
    CHECK(!exists("stolen.txt"));
    check_run("replay @absent.txt", 1, "absent.txt");
    check_run("replay", 2, "RECORD [options] is missing");
    check_run("replay --help", 0, "Repeats a run");
    check_run("run incline --steps 1 --save @no/folder.txt", 1, "no/folder.txt");
    clear_folder();
}

int main(void) {
    if (!begin_program()) return check_finish();
    RUN(whatever_the_clock_does);
    RUN(looking_is_not_recorded);
    RUN(names_what_differs);
    return finish_program();
}
