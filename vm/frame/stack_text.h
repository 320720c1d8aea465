/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as text. */
#ifndef GRAFT_FRAME_STACK_TEXT_H
#define GRAFT_FRAME_STACK_TEXT_H

#include "thread/thread.h"
#include <stdio.h>

/* Frames with their locks, as in thread dumps; k stopped or current. */
void stack_print(FILE *out, const Thread *k);
typedef struct ModuleText {
    char s[512];
} ModuleText;
/* "java.base@17.0.1" of a class in a named module; "" otherwise. */
ModuleText class_module_text(const Class *c);

#endif
