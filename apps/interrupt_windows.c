/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

#include "interrupt.h"

#include <signal.h>

static volatile sig_atomic_t stop_asked;

/* The C library has put back the default before it calls this: a second Ctrl-C ends the program. */
static void ask_stop(int signal_number) {
    (void)signal_number;
    stop_asked = 1;
}

void lt_interrupt_catch(void) {
    signal(SIGINT, ask_stop);
    signal(SIGTERM, ask_stop);
}

bool lt_interrupt_asked(void) {
    return stop_asked;
}
