/* SPDX-License-Identifier: Apache-2.0 */
/* Uses of values that have other names in some blocks.  Theory: opt_rename.c. */
#ifndef GRAFT_JIT_OPT_RENAME_H
#define GRAFT_JIT_OPT_RENAME_H

#include "jit/opt/opt_ir.h"

typedef bool (*OptHasNames)(const void *who, Ref v, BlockRef b); /* who uses v in b may mean another name */
typedef Ref (*OptNameIn)(const void *who, Ref v,
                         BlockRef b); /* its name in b, at the start and at the end alike; 0: what arrives there */

typedef struct OptNames {
    Opt *o;
    OptHasNames has;
    OptNameIn name;
    const void *who;
    const bool *meets; /* by block: whether different names may arrive there; NULL: wherever several ways do */
    Ref **arrived;     /* by value: by block */
    u4 n_values;       /* of those that were there when it began */
    BlockRef block;    /* whose state is looked at */
    bool any;
} OptNames;

bool opt_names_begin(OptNames *n, Opt *o, OptHasNames has, OptNameIn name, const void *who); /* false: no memory */
Ref opt_new_phi_like(Opt *o, Ref v, BlockRef b);             /* its inputs are the caller's to fill in.  0: no memory */
void opt_rename_uses(OptNames *n, Ref user);                 /* inputs and states */
State *opt_renamed_state(OptNames *n, State *s, BlockRef b); /* s, or a copy; s may be NULL */

#endif
