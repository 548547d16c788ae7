/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Runs the built program ($LITHE_PROGRAM; skipped without) and looks at exit codes, messages and files. */

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "check.h"
#include "lithe/report.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *program;
static char folder[] = "/tmp/lithe-program-XXXXXX";

/* ---- running ---- */

static char out_text[1 << 20], err_text[1 << 16];

static void path_in(char *path, size_t capacity, const char *name) {
    snprintf(path, capacity, "%s/%s", folder, name);
}

static size_t read_text(const char *name, char *text, size_t capacity) {
    char path[256];
    path_in(path, sizeof path, name);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, capacity - 1, file) : 0;
    text[size] = 0;
    if (file) fclose(file);
    return size;
}

/* Splits at blanks; @ at the beginning of a word stands for the test's folder. */
static int split_words(const char *line, char storage[][256], char **words) {
    int count = 0;
    words[count++] = (char *)program;
    while (*line) {
        size_t length = strcspn(line, " ");
        snprintf(storage[count], 256, "%s%s%.*s", *line == '@' ? folder : "", *line == '@' ? "/" : "",
                 (int)(length - (*line == '@')), line + (*line == '@'));
        words[count] = storage[count];
        count++;
        line += length + (line[length] == ' ');
    }
    words[count] = NULL;
    return count;
}

static pid_t start(const char *line, int out_pipe) {
    char storage[32][256], *words[33], out_path[256], err_path[256];
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    split_words(line, storage, words);
    path_in(out_path, sizeof out_path, "out.txt");
    path_in(err_path, sizeof err_path, "err.txt");
    posix_spawn_file_actions_init(&actions);
    if (out_pipe >= 0)
        posix_spawn_file_actions_adddup2(&actions, out_pipe, 1);
    else
        posix_spawn_file_actions_addopen(&actions, 1, out_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (posix_spawn(&child, program, &actions, NULL, words, environ) != 0) child = -1;
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

static int finish(pid_t child) {
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    read_text("out.txt", out_text, sizeof out_text);
    read_text("err.txt", err_text, sizeof err_text);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int run(const char *line) {
    return finish(start(line, -1));
}

static void check_run(const char *line, int code, const char *part) {
    int got = run(line);
    if (got != code) CHECK_FAIL_MESSAGE("lithe %s: exit %d, not %d: %s", line, got, code, err_text);
    CHECK_CONTAINS(code == 0 ? out_text : err_text, part);
}

/* ---- files ---- */

static bool exists(const char *name) {
    char path[256];
    struct stat info;
    path_in(path, sizeof path, name);
    return stat(path, &info) == 0;
}

static void write_text(const char *name, const char *text) {
    char path[256];
    path_in(path, sizeof path, name);
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

/* Removes everything but the captured streams; returns how many files there were. */
static int clear_folder(void) {
    DIR *dir = opendir(folder);
    int count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[400];
        if (entry->d_name[0] == '.' && (!entry->d_name[1] || entry->d_name[1] == '.')) continue;
        if (strcmp(entry->d_name, "out.txt") != 0 && strcmp(entry->d_name, "err.txt") != 0) count++;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (dir) closedir(dir);
    return count;
}

static bool ends_as_png(const char *name) {
    static char bytes[1 << 22];
    size_t size = read_text(name, bytes, sizeof bytes);
    return size > 50 && memcmp(bytes, "\x89PNG", 4) == 0 && memcmp(bytes + size - 8, "IEND", 4) == 0;
}

/* ---- tests ---- */

static void help_and_version(void) {
    check_run("--help", 0, "Usage: lithe COMMAND");
    check_run("--version", 0, LT_VERSION);
    check_run("run --help", 0, "--budget B");
    check_run("scenes --help", 0, "--json FILE");
    check_run("info --help", 0, "Usage: lithe info FILE");
    check_run("bake --help", 0, "-o, --out OUT.lithe");
    check_run("bench --help", 0, "--quick");
}

static void wrong_usage_exits_2_and_names_it(void) {
    check_run("rnu demo", 2, "did you mean run?");
    check_run("run", 2, "SCENE is missing");
    check_run("run dmeo", 2, "did you mean demo?");
    check_run("run demo demo", 2, "one argument too many: demo");
    check_run("run demo --stepz 3", 2, "no option --stepz; did you mean --steps?");
    check_run("run demo --steps", 2, "--steps needs a value");
    check_run("run demo --steps --json", 2, "--steps needs a value");
    check_run("run demo --steps 0", 2, "--steps 0: must be 1");
    check_run("run demo --steps 1.5", 2, "not a whole number");
    check_run("run demo --dt nan", 2, "--dt nan: not a number");
    check_run("run demo --dt 2", 2, "--dt 2: must be");
    check_run("run demo --budget -5us", 2, "--budget -5us: a budget cannot be negative");
    check_run("run demo --budget 5", 2, "needs a unit");
    check_run("run demo --budget 5parsecs", 2, "not a budget");
    check_run("run demo --budget 1.5units", 2, "not a budget");
    check_run("run demo --size 80", 2, "like 1280x720");
    check_run("run demo --size 8x99999", 2, "each side must be");
    check_run("run demo --model jelly", 2, "--model jelly: must be corotational or explicit-fem");
    check_run("run demo --contacts=yes", 2, "--contacts takes no value");
    check_run("bench nothing", 2, "did you mean");
    check_run("bake @a.msh", 2, "-o OUT.lithe");
    check_run("scenes more", 2, "one argument too many");
}

static void scenes_are_listed(void) {
    check_run("scenes", 0, "cantilever");
    check_run("scenes --json -", 0, "\"name\": \"demo\"");
    CHECK(out_text[0] == '[');
}

static int count_lines(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void run_writes_a_line_per_step(void) {
    check_run("run cantilever --steps 3 --json - --diagnostics", 0, "\"step\": 3");
    CHECK_COUNT(count_lines(out_text), 3);
#define CHECK_KEY(type, name) CHECK_CONTAINS(out_text, "\"" #name "\": ");
    LT_REPORT_LIST(CHECK_KEY)
    LT_DIAGNOSTICS_LIST(CHECK_KEY)
#undef CHECK_KEY
    CHECK_CONTAINS(out_text, "\"stages\": {\"embed\": ");
    CHECK_CONTAINS(err_text, "cantilever: 3 steps");
    check_run("run cantilever --steps 2 --json @steps.jsonl", 0, "hash");
    static char text[1 << 16];
    read_text("steps.jsonl", text, sizeof text);
    CHECK_COUNT(count_lines(text), 2);
    CHECK(strstr(text, "energy") == NULL);
    CHECK(clear_folder() == 1);
}

static void budgets_are_taken(void) {
    check_run("run explicit --steps 2 --json - --budget 500us", 0, "\"budget_us\": 500,");
    check_run("run explicit --steps 2 --json - --budget 2ms", 0, "\"budget_us\": 2000,");
    check_run("run explicit --steps 2 --json - --budget none", 0, "\"budget_us\": -1,");
    check_run("run explicit --steps 2 --budget 20000units", 0, "2 steps");
    check_run("run explicit --steps 2 --json - --budget 0", 0, "\"budget_us\": 0,");
}

static void pictures_are_whole(void) {
    check_run(
        "run explicit --steps 4 --size 64x48 --record @a.png --record @a.apng --record-every 2 --contacts", 0,
        "4 steps");
    CHECK(ends_as_png("a.png"));
    CHECK(ends_as_png("a.apng"));
    CHECK(clear_folder() == 2);
}

static void failures_leave_nothing(void) {
    check_run("run explicit --steps 2 --size 64x48 --record @a.apng --record @a.gif", 1, "a.gif");
    CHECK(clear_folder() == 0);
    check_run("run explicit --steps 2 --json @no/such/folder.json", 1, "folder.json");
    CHECK(clear_folder() == 0);
    check_run("info @absent.obj", 1, "absent.obj");
    check_run("bake @absent.msh -o @a.lithe", 1, "absent.msh");
    CHECK(clear_folder() == 0);
}

/* Ctrl-C after the first line of a run that would last for ever: the film ends well, the exit code says
 * it. */
static void interrupt_ends_a_run_cleanly(void) {
    int ends[2];
    char first[1];
    CHECK_FATAL(pipe(ends) == 0);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = start("run explicit --steps 100000000 --size 64x48 --record @long.apng --json -", ends[1]);
    close(ends[1]);
    CHECK(read(ends[0], first, 1) == 1);
    kill(child, SIGINT);
    char rest[4096];
    while (read(ends[0], rest, sizeof rest) > 0)
        continue;
    close(ends[0]);
    CHECK(finish(child) == 1);
    CHECK_CONTAINS(err_text, "stopped after");
    CHECK(ends_as_png("long.apng"));
    CHECK(clear_folder() == 1);
}

static const char *const cube_obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n";
static const char *const tet_msh =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
    "4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";

static void info_tells_of_meshes(void) {
    write_text("cube.obj", cube_obj);
    check_run("info @cube.obj --json -", 0, "\"closed\": true");
    CHECK_CONTAINS(out_text, "\"triangles\": 12");
    CHECK_CONTAINS(out_text, "\"volume\": 1");
    CHECK_CONTAINS(out_text, "\"area\": 6");
    CHECK_CONTAINS(out_text, "\"components\": 1");
    write_text("one.msh", tet_msh);
    check_run("info @one.msh", 0, "tet mesh");
    CHECK_CONTAINS(out_text, "0.166667");
    CHECK_CONTAINS(out_text, "54.7356"); /* the smallest dihedral of the corner tet: atan(sqrt 2) */
    write_text("bad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 9\n");
    check_run("info @bad.obj", 1, "bad.obj");
    clear_folder();
}

static void bake_makes_a_shape_that_info_reads(void) {
    write_text("one.msh", tet_msh);
    check_run("bake @one.msh -o @one.lithe", 0, "one.lithe");
    check_run("info @one.lithe --json -", 0, "\"chunks\": [");
    CHECK_CONTAINS(out_text, "\"kind\": \"shape\"");
    check_run("bake @one.msh -o @two.lithe --embedding rigid-links --json -", 0, "\"turned_tets\": 0");
    write_text("cube.obj", cube_obj);
    check_run("bake @cube.obj -o @cube.lithe", 1, "a tet mesh is needed as carrier");
    CHECK_CONTAINS(err_text, ".node");
    CHECK(!exists("cube.lithe"));
    write_text("broken.lithe",
               "not a shape at all, but long enough to be looked at, or so it seems to me, no?");
    check_run("info @broken.lithe", 1, "broken.lithe");
    clear_folder();
}

int main(void) {
    program = getenv("LITHE_PROGRAM");
    if (!program || !mkdtemp(folder)) {
        check_skip("LITHE_PROGRAM does not name the program");
        return check_finish();
    }
    RUN(help_and_version);
    RUN(wrong_usage_exits_2_and_names_it);
    RUN(scenes_are_listed);
    RUN(run_writes_a_line_per_step);
    RUN(budgets_are_taken);
    RUN(pictures_are_whole);
    RUN(failures_leave_nothing);
    RUN(interrupt_ends_a_run_cleanly);
    RUN(info_tells_of_meshes);
    RUN(bake_makes_a_shape_that_info_reads);
    clear_folder();
    rmdir(folder);
    return check_finish();
}
