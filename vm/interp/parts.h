/* SPDX-License-Identifier: Apache-2.0 */
/* The out-of-line parts of instructions that compiled code shares with the loop. */
#ifndef GRAFT_INTERP_PARTS_H
#define GRAFT_INTERP_PARTS_H

#include "thread/thread.h"

bool interp_multianewarray(Thread *t, Frame *f);                  /* pops and pushes on f->sp */
Method *interp_select_interface(Thread *t, Class *c, Method *im); /* NULL = exception */
Object *interp_newarray(Thread *t, int atype, int32_t n);
Object *interp_anewarray(Thread *t, Class *component, int32_t n);
void interp_throw_index(Thread *t, int32_t index, int32_t length);

enum { METHOD_CACHE_CLASS_SHIFT = 6 }; /* jit_select_stub and look_into_cache (opt_emit_call.c) compute the same */
static inline uintptr_t interp_cache_hash(const Class *c, const Method *im) {
    return ((uintptr_t)c >> METHOD_CACHE_CLASS_SHIFT) ^ ((uintptr_t)im >> 4) ^ ((uintptr_t)im >> 12);
}
static inline MethodCacheEntry *interp_cache(Thread *t, const Class *c, const Method *im) {
    return &t->method_cache[interp_cache_hash(c, im) & (METHOD_CACHE_SIZE - 1)];
}

#endif
