/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities: 44 bits, any time, any environment (no OnLoad-only, no solo bits). */
#include "exec/exec.h"
#include "ti.h"
#include "ti_notice.h"

enum { CAP_WORDS = sizeof(jvmtiCapabilities) / sizeof(u4) };
typedef union CapBits {
    jvmtiCapabilities caps;
    u4 w[CAP_WORDS];
} CapBits;

static const CapBits available = {.caps = {
#define CAP(bit, name) .name = 1,
#include "capabilities.def"
                                  }};

bool ti_has_capability(const TiEnv *e, int bit) {
    CapBits b = {.caps = e->caps};
    return b.w[bit / 32] >> bit % 32 & 1;
}

jvmtiError ti_GetPotentialCapabilities(Ti *x, jvmtiCapabilities *capabilities_ptr) {
    CapBits b = available;
    /* Early start bits decide about events that are over once the VM runs. */
    if (ti_phase(x->env) != JVMTI_PHASE_ONLOAD) {
        b.caps.can_generate_early_vmstart = x->env->caps.can_generate_early_vmstart;
        b.caps.can_generate_early_class_hook_events = x->env->caps.can_generate_early_class_hook_events;
    }
    /* An environment that enabled ClassFileLoadHook without it stays one that cannot. */
    if (x->env->hook == HOOK_PLAIN) b.caps.can_retransform_classes = 0;
    *capabilities_ptr = b.caps;
    return JVMTI_ERROR_NONE;
}

static void set_capabilities(TiEnv *e, const CapBits *b) {
    HOLDING(&ti_mutex);
    e->caps = b->caps;
    if (b->caps.can_access_local_variables) atomic_store(&vm_locals_are_read, true);
    ti_events_changed();
}

jvmtiError ti_AddCapabilities(Ti *x, const jvmtiCapabilities *capabilities_ptr) {
    CapBits want = {.caps = *capabilities_ptr}, have = {.caps = x->env->caps}, potential;
    ti_GetPotentialCapabilities(x, &potential.caps);
    for (int i = 0; i < CAP_WORDS; i++)
        if (want.w[i] & ~(potential.w[i] | have.w[i])) return JVMTI_ERROR_NOT_AVAILABLE;
    for (int i = 0; i < CAP_WORDS; i++) have.w[i] |= want.w[i];
    bool were_read = atomic_load(&vm_locals_are_read);
    set_capabilities(x->env, &have);
    if (!were_read && atomic_load(&vm_locals_are_read) && ti_phase(x->env) != JVMTI_PHASE_ONLOAD) exec_show_locals();
    if (ti_gets_notices(x->env) && ti_phase(x->env) == JVMTI_PHASE_LIVE) ti_notices_start();
    return JVMTI_ERROR_NONE;
}

jvmtiError ti_RelinquishCapabilities(Ti *x, const jvmtiCapabilities *capabilities_ptr) {
    CapBits drop = {.caps = *capabilities_ptr}, have = {.caps = x->env->caps};
    for (int i = 0; i < CAP_WORDS; i++) have.w[i] &= ~drop.w[i];
    set_capabilities(x->env, &have);
    return JVMTI_ERROR_NONE;
}

jvmtiError ti_GetCapabilities(Ti *x, jvmtiCapabilities *capabilities_ptr) { return TI_ANSWER(capabilities_ptr, x->env->caps); }
