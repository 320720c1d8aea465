/* SPDX-License-Identifier: Apache-2.0 */
/* The JMM functions, expanded from jmm.def; bodies in jvm_manage.c, jmm_memory.c, jmm_thread.c. */
#ifndef GRAFT_JVM_JMM_INT_H
#define GRAFT_JVM_JMM_INT_H

#include "jvm/jvm_int.h"

#define JMM(slot, type, name, params) type jmm_##name params;
#include "jvm/jmm.def"
#undef JMM

/* Call a static factory or constructor by name; NULL + exception. */
Object *jmm_call_static(Thread *t, const char *cls, const char *name, const char *desc, const Slot *args);
Object *jmm_construct(Thread *t, const char *cls, const char *desc, const Slot *args); /* args[0] is set */

#endif
