/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printable.h - text that others wrote, on its way to a terminal.
 *
 * Names in class files may hold any character, data files and diffs come from anywhere: what begins with ESC there is an order to the
 * terminal of whoever looks. So messages of agents and all that tools print have '?' in the place of control characters, but for tabs, ends of
 * lines, and what only chooses a colour.
 */
#ifndef GRAFT_PRINTABLE_H
#define GRAFT_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* In place. `before`: the byte before it, 0 for none; returns the last one. */
unsigned char agent_printable(char *text, size_t n, unsigned char before);

/* For tools: from now on all that goes to standard output and error by stdio. Without memory nothing changes. */
void agent_printable_output(void);

/* Such a stream has no descriptor to ask. */
bool agent_is_terminal(FILE *out);

#endif
