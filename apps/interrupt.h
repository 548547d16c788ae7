/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Ctrl-C as a wish to stop, for commands that end their work in an orderly way. */

#ifndef LITHE_APPS_INTERRUPT_H
#define LITHE_APPS_INTERRUPT_H

#include <stdbool.h>

/* From here on the first Ctrl-C (or SIGTERM) is only noted; a second one ends the program at once. A closed
 * pipe is an error to be reported, not a death that leaves temporary files. */
void lt_interrupt_catch(void);
bool lt_interrupt_asked(void);

#endif
