/* SPDX-License-Identifier: Apache-2.0 */
/* Base compiler: where cells of the operand stack and locals have their contents.  base_int.h tells how. */
#ifndef GRAFT_JIT_BASE_VALUE_H
#define GRAFT_JIT_BASE_VALUE_H

#include "core/types.h"
#include "object/class.h"

typedef enum ValueKind {
    V_MEM,   /* in its cell */
    V_CONST, /* k, a whole cell */
    V_LOCAL, /* equal to a local */
    V_REG,   /* general register: a temporary, or for one instruction a pin's */
    V_FREG,
    V_CELL, /* equal to a lower cell, which is a local of an inlined method: base_inline.c.  Ask value_of */
    V_HOLE  /* second cell of a long or double; nothing */
} ValueKind;

/* A local is used for values of several kinds, as compilers give it to variables one after another; each kind may have a pin.  Of those of a local
 * one at most is live: a store ends the others. */
typedef enum Web { WEB_INT, WEB_CELL, WEB_FP, WEBS } Web; /* int: the upper half of the cell in memory may hold anything */

typedef struct Value {
    u1 kind, reg;
    bool safe;          /* a reference that is not null */
    bool stable;        /* V_CONST: an array whose elements stay once they are not null */
    u1 web;             /* V_LOCAL: Web */
    u1 was;             /* V_CONST, V_LOCAL, V_CELL: it is still equal to that, though it is elsewhere now; or 0 */
    u2 local;           /* V_LOCAL; V_CELL: the cell */
    u4 born;            /* Compiler.stop when `new` made it here; or 0 */
    const Class *klass; /* exactly this, made by `new` here; or NULL */
    int64_t k;
} Value;

typedef struct Pin {
    u2 local;
    u1 reg;
    u1 web;
    bool fp, written;
} Pin;

enum { MAX_LOOPS = 32 };
typedef struct Loop { /* bci of its first instruction and of the last jump back to it */
    u4 head, end;
} Loop;

typedef struct LoopTest { /* at the head of a loop: where it leads to */
    u4 stay, leave;
} LoopTest;

typedef struct PinState { /* bits of pins */
    u2 valid, dirty;
} PinState;

#endif
