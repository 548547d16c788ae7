/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "picture/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool lt_close_on_exec(int file) {
    return fcntl(file, F_SETFD, FD_CLOEXEC) == 0;
}

static bool describe_files(posix_spawn_file_actions_t *actions, int input, int messages) {
    bool quiet = input >= 0;
    int problem = quiet ? posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO)
                        : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (problem != 0) return false;
    problem = quiet ? posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
                    : posix_spawn_file_actions_adddup2(actions, messages, STDOUT_FILENO);
    return problem == 0 && posix_spawn_file_actions_adddup2(actions, messages, STDERR_FILENO) == 0;
}

/* SIGPIPE as at login, whatever this process has set. */
static bool describe_signals(posix_spawnattr_t *attributes, bool own_group) {
    sigset_t none, pipe_signal;
    sigemptyset(&none);
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (own_group ? POSIX_SPAWN_SETPGROUP : 0);
    return posix_spawnattr_setsigmask(attributes, &none) == 0 &&
           posix_spawnattr_setsigdefault(attributes, &pipe_signal) == 0 &&
           posix_spawnattr_setpgroup(attributes, 0) == 0 &&
           posix_spawnattr_setflags(attributes, (short)flags) == 0;
}

static int spawn(lt_child *child, const char *const arguments[], int input) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int problem = ENOMEM;
    if (describe_files(&actions, input, fileno(child->messages)) && describe_signals(&attributes, input >= 0))
        problem =
            posix_spawnp(&child->id, arguments[0], &actions, &attributes, (char *const *)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) child->id = 0;
    return problem;
}

int lt_child_start(lt_child *child, const char *const arguments[], int input) {
    child->messages = tmpfile();
    if (!child->messages || !lt_close_on_exec(fileno(child->messages))) return errno;
    return spawn(child, arguments, input);
}

void lt_child_kill(lt_child *child) {
    if (child->id > 0) kill(child->id, SIGKILL);
}

void lt_child_wait(lt_child *child) {
    while (child->id > 0 && waitpid(child->id, &child->wait_status, 0) < 0 && errno == EINTR)
        continue;
    child->id = 0;
}

bool lt_child_succeeded(const lt_child *child) {
    return WIFEXITED(child->wait_status) && WEXITSTATUS(child->wait_status) == 0;
}

/* The last line in the message file that is not blank, without its line break. */
static void last_message(lt_child *child, char *line, size_t size) {
    char tail[1024];
    line[0] = 0;
    if (fseek(child->messages, 0, SEEK_END) != 0) return;
    long end = ftell(child->messages),
         begin = end > (long)sizeof tail - 1 ? end - (long)(sizeof tail - 1) : 0;
    if (end < 0 || fseek(child->messages, begin, SEEK_SET) != 0) return;
    size_t count = fread(tail, 1, sizeof tail - 1, child->messages);
    while (count > 0 && (tail[count - 1] == '\n' || tail[count - 1] == '\r' || tail[count - 1] == ' '))
        count--;
    tail[count] = 0;
    char *start = strrchr(tail, '\n');
    start = start ? start + 1 : tail;
    size_t length = lt_min_u64(strlen(start), size - 1);
    memcpy(line, start, length);
    line[length] = 0;
}

lt_status lt_child_fail(lt_child *child, const char *program, const char *path, lt_error *error) {
    char line[160];
    if (WIFSIGNALED(child->wait_status))
        return lt_fail(error, LT_STATUS_IO, "%.100s: %s was stopped by signal %d", path, program,
                       WTERMSIG(child->wait_status));
    last_message(child, line, sizeof line);
    if (line[0]) return lt_fail(error, LT_STATUS_IO, "%.100s: %s failed: %s", path, program, line);
    return lt_fail(error, LT_STATUS_IO, "%.100s: %s failed with code %d and said nothing", path, program,
                   WEXITSTATUS(child->wait_status));
}

void lt_child_free(lt_child *child) {
    if (child->messages) fclose(child->messages);
    *child = (lt_child){0};
}
