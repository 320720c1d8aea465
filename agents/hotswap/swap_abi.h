/* SPDX-License-Identifier: Apache-2.0 */
/* swap_abi.h - what other classes were compiled against, and which class files refer to a class. */
#ifndef SWAP_ABI_H
#define SWAP_ABI_H

#include "swap_watch.h"

/* A number made of all that the compiler of another class could see of this one: super types, modifiers, members that are not private with
 * types, generic types, thrown exceptions and constant values, member classes. 0: no class file. */
uint64_t swap_abi(const SwapBytes *b);

/* Does the class file name one of these classes ("a/b/C")? *source: the text of its SourceFile with the package in front, "a/b/C.java", malloc'ed,
 * NULL if it has none; only set if so. */
bool swap_refers(const SwapBytes *b, char *const *names, uint32_t n, char **source);

/* "a/b/C.java" of a class file; malloc'ed, or NULL. *name: its class, malloc'ed. */
char *swap_source_of(const SwapBytes *b, char **name);

#endif
