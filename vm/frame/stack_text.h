/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as text. */
#ifndef GRAFT_FRAME_STACK_TEXT_H
#define GRAFT_FRAME_STACK_TEXT_H

#include "thread/thread.h"
#include <stdio.h>

/* Frames with their locks, as in thread dumps; k stopped or current. */
void stack_print(FILE *out, const Thread *k);
/* "java.base@17.0.1" of a class in a named module into buf; "" otherwise. */
const char *class_module_text(const Class *c, char *buf, size_t len);

#endif
