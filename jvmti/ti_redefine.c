/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RedefineClasses and RetransformClasses: arguments here, the work in redefine/redefine.c.  Arguments are
 * judged one class after the other, before any byte is looked at.
 */
#include "ti.h"
#include <stdlib.h>

_Thread_local RedefineMode ti_redefine_mode;

static const jvmtiError errors[] = {
    [REFUSED_NOT] = JVMTI_ERROR_NONE,
#define REFUSAL(NAME) [REFUSED_##NAME] = JVMTI_ERROR_##NAME,
#include "redefine/redefine.def"
};

static jvmtiError check_class(jclass h) {
    if (!ti_is(h, JC(Class))) return JVMTI_ERROR_INVALID_CLASS;
    return class_is_modifiable(ti_class(h)) ? JVMTI_ERROR_NONE : JVMTI_ERROR_UNMODIFIABLE_CLASS;
}

static jvmtiError check_definition(const jvmtiClassDefinition *d) {
    if (!d->klass) return JVMTI_ERROR_INVALID_CLASS;
    if (d->class_byte_count <= 0) return JVMTI_ERROR_INVALID_CLASS_FORMAT;
    if (!d->class_bytes) return JVMTI_ERROR_NULL_POINTER;
    return check_class(d->klass);
}

static jvmtiError run(Ti *x, RedefineRequest *requests, jint n, jvmtiError e) {
    if (!e && n) e = errors[classes_redefine(x->thread, requests, (u4)n, ti_redefine_mode)];
    free(requests);
    return e;
}

jvmtiError ti_RedefineClasses(Ti *x, jint class_count, const jvmtiClassDefinition *class_definitions) {
    RedefineRequest *requests = calloc((size_t)class_count + 1, sizeof *requests);
    jvmtiError e = requests ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; i < class_count && !e; i++) {
        const jvmtiClassDefinition *d = &class_definitions[i];
        if (!(e = check_definition(d)))
            requests[i] = (RedefineRequest){ti_class(d->klass), d->class_bytes, (u4)d->class_byte_count};
    }
    return run(x, requests, class_count, e);
}

jvmtiError ti_RetransformClasses(Ti *x, jint class_count, const jclass *classes) {
    RedefineRequest *requests = calloc((size_t)class_count + 1, sizeof *requests);
    jvmtiError e = requests ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; i < class_count && !e; i++)
        if (!(e = check_class(classes[i]))) requests[i].klass = ti_class(classes[i]);
    return run(x, requests, class_count, e);
}
