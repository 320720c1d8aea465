/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_kinds.h - what the cells of a frame hold: int, float, long, double, reference.
 *
 * For those who run or compile code that was verified: a VM's collector, debuggers, compilers. Classes are not asked for
 * and not told apart (cf_types.h does that).
 *
 *     CfKinds k;
 *     if (cf_kinds_init(&k, c, m, &code, CF_KINDS_ALL | CF_KINDS_BLOCKS, 0, &arena) == CF_KINDS_OK)
 *         for (uint32_t b = 0; b < k.g.n; b++)                 // each leader of a block, by pc
 *             if (k.at[b].cells) use(k.g.pcs[b], cf_kinds_locals(&k, b), cf_kinds_stack(&k, b), k.at[b].depth);
 */
#ifndef CF_KINDS_H
#define CF_KINDS_H

#include "cf_dataflow.h"

/* A set of kinds that a cell may hold, by the path that led here. One bit: that is known. */
typedef enum CfKind {
    CF_K_INT = 1,
    CF_K_FLOAT = 2,
    CF_K_LONG = 4,
    CF_K_DOUBLE = 8,
    CF_K_HALF = 16,   /* second cell of a long or double */
    CF_K_REF = 32,    /* null and objects that are not initialised too */
    CF_K_RETURN = 64, /* return address of jsr */
    CF_K_NONE = 128   /* not assigned */
} CfKind;

enum {
    CF_KINDS_LOCALS = 0, /* the stack is not looked at: quicker */
    CF_KINDS_ALL = 1,
    CF_KINDS_BLOCKS = 2 /* a node at each leader of a block, not only where paths meet */
};
/* UNKNOWN: not code that verifies, or it takes more work or memory than is allowed. */
typedef enum CfKindsResult { CF_KINDS_OK, CF_KINDS_UNKNOWN, CF_KINDS_NO_MEMORY } CfKindsResult;

typedef struct CfKindsAt {
    uint8_t *cells; /* locals, then the stack from the bottom; NULL: nothing leads here */
    uint32_t depth;
} CfKindsAt;

typedef struct CfKinds {
    CfGraph g;
    const CfClass *cls;
    CfArena *arena;
    CfKindsAt cur, *at;     /* the running state; by node */
    uint32_t nlocals, room; /* room: for the stack */
    bool no_memory;
} CfKinds;

/* Computes the states at all nodes. `most`: bound of the work (cf_dataflow.h), 0 = none; memory is bounded by the arena's
 * limit. What `k` points to is in the arena. */
CfKindsResult cf_kinds_init(CfKinds *k, const CfClass *c, const CfMember *m, const CfCode *code, unsigned flags, uint64_t most,
                            CfArena *arena);
/* k->cur becomes the state in front of the instruction at `pc`. False if nothing leads there. */
bool cf_kinds_go(CfKinds *k, uint32_t pc);

#endif
