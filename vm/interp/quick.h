/* SPDX-License-Identifier: Apache-2.0 */
/* Quickened code as the compilers read it, and the out-of-line parts of instructions that compiled code shares with the loop. */
#ifndef GRAFT_INTERP_QUICK_H
#define GRAFT_INTERP_QUICK_H

#include "exec/exec.h"

typedef enum QuickOp {
#define QUICK(value, NAME, BASE) Q_##NAME = value,
#define FUSED(value, NAME, A, B, C) Q_##NAME = value,
#define ALIAS(NAME, AS)
#include "interp/quick.def"
#undef QUICK
#undef FUSED
#undef ALIAS
    Q_LIMIT = 256
} QuickOp;

enum { /* results of interp_quicken besides an opcode to dispatch */
    SLOW_THROW = -1, /* exception pending */
    SLOW_DONE = -2   /* executed: f->pc and f->sp stand behind the instruction */
};

u1 interp_current_opcode(const Method *m, const u1 *pc); /* sees through breakpoints */
u1 interp_plain_opcode(u1 op);                   /* superinstruction -> its first instruction */

/* The instruction at f->pc, with its operands on f->sp. */
int interp_field_generic(Thread *t, Frame *f);   /* SLOW_* */
bool interp_multianewarray(Thread *t, Frame *f); /* pops and pushes on f->sp */

u4 interp_appended(const Frame *caller);         /* cells that the call it stands at added behind its arguments */
Method *interp_select_interface(Thread *t, Class *c, Method *im); /* NULL = exception */
Object *interp_newarray(Thread *t, int atype, int32_t n);
Object *interp_anewarray(Thread *t, Class *component, int32_t n);

enum { METHOD_CACHE_CLASS_SHIFT = 6 }; /* jit_select_stub computes the same */
static inline uintptr_t interp_cache_hash(const Class *c, const Method *im) {
    return ((uintptr_t)c >> METHOD_CACHE_CLASS_SHIFT) ^ ((uintptr_t)im >> 4) ^ ((uintptr_t)im >> 12);
}
static inline MethodCacheEntry *interp_cache(Thread *t, const Class *c, const Method *im) {
    return &t->method_cache[interp_cache_hash(c, im) & (METHOD_CACHE_SIZE - 1)];
}

typedef enum LeafPoke { POKE_PUT_1, POKE_PUT_4, POKE_PUT_8, POKE_ADD_4, POKE_ADD_8 } LeafPoke; /* Leaf.op */

#endif
