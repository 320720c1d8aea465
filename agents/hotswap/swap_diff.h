/* SPDX-License-Identifier: Apache-2.0 */
/* swap_diff.h - what the programmer changed between two versions of a class, in the words of Java source. */
#ifndef SWAP_DIFF_H
#define SWAP_DIFF_H

#include "classfile.h"

typedef struct SwapDiff {
    char *shape;  /* members, super types, flags, nest: "method added: int f(int); field removed: x"; "" if same */
    char *bodies; /* methods with other code: "next(), answer(String)"; "" if none */
} SwapDiff;

/* False if memory is exhausted; both texts are malloc'ed. */
bool swap_diff(const CfClass *old, const CfClass *new, SwapDiff *out);
void swap_diff_free(SwapDiff *d);

#endif
