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
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool close_on_exec(int file) {
    return fcntl(file, F_SETFD, FD_CLOEXEC) == 0;
}

/* File actions and signals of the child: input from the pipe, all it says into the file, and
 * SIGPIPE as at login whatever this process has set. */
static bool describe_child(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int input,
                           int messages) {
    sigset_t none, pipe_signal;
    sigemptyset(&none);
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    return posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO) == 0 &&
           posix_spawn_file_actions_adddup2(actions, messages, STDOUT_FILENO) == 0 &&
           posix_spawn_file_actions_adddup2(actions, messages, STDERR_FILENO) == 0 &&
           posix_spawnattr_setsigmask(attributes, &none) == 0 &&
           posix_spawnattr_setsigdefault(attributes, &pipe_signal) == 0 &&
           posix_spawnattr_setpgroup(attributes, 0) == 0 && /* Ctrl-C is for us: the film is ended in order */
           posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                    POSIX_SPAWN_SETPGROUP) == 0;
}

/* Returns 0 or an error number. */
static int spawn(lt_child *child, int input, FILE *messages, char *const *arguments) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int problem = ENOMEM;
    pid_t process = 0;
    if (describe_child(&actions, &attributes, input, fileno(messages)))
        problem = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    child->process = problem == 0 ? process : 0;
    return problem;
}

int lt_child_start(lt_child *child, const char *const *arguments, FILE *messages) {
    int ends[2];
    *child = (lt_child){.pipe = -1};
    if (pipe(ends) != 0) return errno;
    child->pipe = ends[1];
    int problem = close_on_exec(ends[0]) && close_on_exec(ends[1]) && close_on_exec(fileno(messages))
                      ? spawn(child, ends[0], messages, (char *const *)arguments)
                      : errno;
    close(ends[0]);
    return problem;
}

/* With SIGPIPE blocked in this thread a broken pipe is an error of write; the signal it left pending is
 * taken away again, unless one was pending before. */
bool lt_child_write(lt_child *child, const void *bytes, size_t size) {
    const uint8_t *next = bytes;
    if (child->pipe < 0) return false;
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    bool ok = true;
    while (ok && size > 0) {
        ssize_t put = write((int)child->pipe, next, size);
        if (put < 0 && errno == EINTR) continue;
        ok = put > 0;
        if (ok) {
            next += put;
            size -= (size_t)put;
        }
    }
    sigpending(&pending);
    int taken;
    if (!ok && !was_pending && sigismember(&pending, SIGPIPE) == 1) sigwait(&pipe_signal, &taken);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

void lt_child_wait(lt_child *child) {
    if (child->pipe >= 0) close((int)child->pipe);
    child->pipe = -1;
    int status = 0;
    if (child->process <= 0) return;
    while (waitpid((pid_t)child->process, &status, 0) < 0 && errno == EINTR)
        continue;
    child->process = 0;
    child->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    child->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void lt_child_kill(lt_child *child) {
    if (child->process > 0) kill((pid_t)child->process, SIGKILL);
    lt_child_wait(child);
}
