/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chapter Extension Mechanism: what this VM can beyond JVM TI, for agents that ask for it by name.  Parameters follow the
 * environment, as the specification has it; text is Deallocate'd by the caller.
 *
 *   com.sun.hotspot.functions.IsClassUnloadingEnabled (jboolean *on)                   as on HotSpot
 *   com.sun.hotspot.events.ClassUnload (event: JNIEnv *, const char *internal_name)    as on HotSpot; on a thread of the VM
 *
 *   graft.redefinition.Enable     (jboolean on)                                     redefinition without limits on or off
 *   graft.redefinition.GetReason  (char **text)                                     why this thread's last one was refused
 *   graft.redefinition.GetReport  (char **text)                                     times of this thread's last one
 *   graft.redefinition.GetMigrations (char **text)                                  what its migration hooks did, a line each
 *   graft.redefinition.DryRun     (jint count, const jvmtiClassDefinition *, char **reason)  RedefineClasses without the last step
 *   graft.redefinition.Restore    (jint count, const jvmtiClassDefinition *)           RedefineClasses back to older versions
 *   graft.redefinition.Undo       (jint count, const jclass *)                      back to the version before the current one
 *   graft.redefinition.Starve     (jint nth, const volatile jint **state)           for tests of what happens without memory:
 *                                 the nth allocation on the heap in this thread's next redefinition fails, if that can still be
 *                                 refused then; 0: none.  state[0]: can it?  state[1]: how many are left until one fails
 */
#include "core/options.h"
#include "ti.h"
#include "ti_notice.h"
#include <stdarg.h>
#include <stddef.h>

/* --- functions: JVM TI calls them with the environment, not with a Ti --- */

static jvmtiError answer_text(const char *text, char **out) { return out ? ti_string(text, out) : JVMTI_ERROR_NULL_POINTER; }

#define TEXT_FUNCTION(name, text) \
    static jvmtiError JNICALL name(jvmtiEnv *env, ...) { \
        va_list ap; \
        va_start(ap, env); \
        char **out = va_arg(ap, char **); \
        va_end(ap); \
        return answer_text(text, out); \
    }
TEXT_FUNCTION(get_reason, reshape_last_reason())
TEXT_FUNCTION(get_report, reshape_last_report())
TEXT_FUNCTION(get_migrations, reshape_last_migrations())

static jvmtiError JNICALL is_class_unloading_enabled(jvmtiEnv *env, ...) {
    va_list ap;
    va_start(ap, env);
    jboolean *on = va_arg(ap, jboolean *);
    va_end(ap);
    return on ? TI_ANSWER(on, JNI_TRUE) : JVMTI_ERROR_NULL_POINTER;
}

static jvmtiError JNICALL enable(jvmtiEnv *env, ...) {
    va_list ap;
    va_start(ap, env);
    vm_options.enhanced_redefinition = va_arg(ap, int) != 0;
    va_end(ap);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL dry_run(jvmtiEnv *env, ...) {
    va_list ap;
    va_start(ap, env);
    jint n = va_arg(ap, jint);
    const jvmtiClassDefinition *d = va_arg(ap, const jvmtiClassDefinition *);
    char **out = va_arg(ap, char **);
    va_end(ap);
    ti_redefine_mode = REDEFINE_DRY;
    jvmtiError e = (*env)->RedefineClasses(env, n, d), ignored = ti_string(reshape_last_reason(), out);
    ti_redefine_mode = REDEFINE_REALLY;
    return e ? e : ignored;
}

#define LIST_FUNCTION(name, mode, Function, type) \
    static jvmtiError JNICALL name(jvmtiEnv *env, ...) { \
        va_list ap; \
        va_start(ap, env); \
        jint n = va_arg(ap, jint); \
        const type *list = va_arg(ap, const type *); \
        va_end(ap); \
        ti_redefine_mode = mode; \
        jvmtiError e = (*env)->Function(env, n, list); \
        ti_redefine_mode = REDEFINE_REALLY; \
        return e; \
    }
LIST_FUNCTION(restore, REDEFINE_RESTORE, RedefineClasses, jvmtiClassDefinition)
LIST_FUNCTION(undo, REDEFINE_UNDO, RetransformClasses, jclass)

static jvmtiError JNICALL starve(jvmtiEnv *env, ...) {
    va_list ap;
    va_start(ap, env);
    jint nth = va_arg(ap, jint);
    const volatile jint **state = va_arg(ap, const volatile jint **);
    va_end(ap);
    Starvation *s = redefine_starvation();
    if (!state) return JVMTI_ERROR_NULL_POINTER;
    s->left = nth;
    return TI_ANSWER(state, &s->preparing);
}
_Static_assert(offsetof(Starvation, left) == sizeof(jint), "an array of two");

/* --- the list --- */

typedef struct Parameter {
    const char *name;
    jvmtiParamKind kind;
    jvmtiParamTypes type;
    bool may_be_null;
} Parameter;

enum { MOST_PARAMETERS = 3 };

static const struct Extension {
    jvmtiExtensionFunction function;
    const char *id, *description;
    Parameter parameters[MOST_PARAMETERS];
} table[] = {
    {is_class_unloading_enabled,
     "com.sun.hotspot.functions.IsClassUnloadingEnabled",
     "are classes unloaded whose loader is dead",
     {{"IsClassUnloadingEnabled", JVMTI_KIND_OUT, JVMTI_TYPE_JBOOLEAN, false}}},
    {enable,
     "graft.redefinition.Enable",
     "lets classes change their shape when they are redefined, or no longer",
     {{"on", JVMTI_KIND_IN, JVMTI_TYPE_JBOOLEAN, false}}},
    {get_reason,
     "graft.redefinition.GetReason",
     "why the last redefinition of this thread was refused; empty if it was not",
     {{"text", JVMTI_KIND_ALLOC_BUF, JVMTI_TYPE_CCHAR, false}}},
    {get_report,
     "graft.redefinition.GetReport",
     "what the last redefinition of this thread did and how long it took",
     {{"text", JVMTI_KIND_ALLOC_BUF, JVMTI_TYPE_CCHAR, false}}},
    {get_migrations,
     "graft.redefinition.GetMigrations",
     "what the migration hooks of this thread's last redefinition did, a line each; empty if there were none",
     {{"text", JVMTI_KIND_ALLOC_BUF, JVMTI_TYPE_CCHAR, false}}},
    {dry_run,
     "graft.redefinition.DryRun",
     "RedefineClasses that changes nothing: its error, and the reason in words",
     {{"class_count", JVMTI_KIND_IN, JVMTI_TYPE_JINT, false},
      {"class_definitions", JVMTI_KIND_IN_BUF, JVMTI_TYPE_CVOID, false},
      {"reason", JVMTI_KIND_ALLOC_BUF, JVMTI_TYPE_CCHAR, true}}},
    {restore,
     "graft.redefinition.Restore",
     "RedefineClasses to older versions: fields come back with the values they had, no migration hook is called",
     {{"class_count", JVMTI_KIND_IN, JVMTI_TYPE_JINT, false}, {"class_definitions", JVMTI_KIND_IN_BUF, JVMTI_TYPE_CVOID, false}}},
    {undo,
     "graft.redefinition.Undo",
     "gives classes the version before their current one",
     {{"class_count", JVMTI_KIND_IN, JVMTI_TYPE_JINT, false}, {"classes", JVMTI_KIND_IN_BUF, JVMTI_TYPE_JCLASS, false}}},
    {starve,
     "graft.redefinition.Starve",
     "for tests: lets memory run out in this thread's next redefinition",
     {{"nth", JVMTI_KIND_IN, JVMTI_TYPE_JINT, false}, {"state", JVMTI_KIND_OUT, JVMTI_TYPE_CVOID, false}}},
};

static bool describe(jvmtiExtensionFunctionInfo *out, const struct Extension *x) {
    *out = (jvmtiExtensionFunctionInfo){.func = x->function, .id = strdup(x->id), .short_description = strdup(x->description)};
    out->params = ti_alloc(MOST_PARAMETERS * sizeof *out->params);
    if (!out->id || !out->short_description || !out->params) return false;
    for (; out->param_count < MOST_PARAMETERS && x->parameters[out->param_count].name; out->param_count++) {
        const Parameter *p = &x->parameters[out->param_count];
        jvmtiParamInfo *to = &out->params[out->param_count];
        *to = (jvmtiParamInfo){.name = strdup(p->name), .kind = p->kind, .base_type = p->type, .null_ok = p->may_be_null};
        if (!to->name) return false;
    }
    return true;
}

jvmtiError ti_GetExtensionFunctions(Ti *x, jint *extension_count_ptr, jvmtiExtensionFunctionInfo **extensions) {
    u4 n = ARRAY_LEN(table);
    jvmtiExtensionFunctionInfo *v = ti_alloc(n * sizeof *v);
    if (!v) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (u4 i = 0; i < n; i++)
        if (!describe(&v[i], &table[i])) return JVMTI_ERROR_OUT_OF_MEMORY;
    *extension_count_ptr = (jint)n;
    *extensions = v;
    return JVMTI_ERROR_NONE;
}
/* --- the event --- */

jvmtiError ti_GetExtensionEvents(Ti *x, jint *extension_count_ptr, jvmtiExtensionEventInfo **extensions) {
    jvmtiExtensionEventInfo *v = ti_alloc(sizeof *v);
    jvmtiParamInfo *p = ti_alloc(2 * sizeof *p);
    if (!v || !p) return JVMTI_ERROR_OUT_OF_MEMORY;
    p[0] = (jvmtiParamInfo){strdup("JNI Environment"), JVMTI_KIND_IN_PTR, JVMTI_TYPE_JNIENV, JNI_FALSE};
    p[1] = (jvmtiParamInfo){strdup("Class"), JVMTI_KIND_IN_PTR, JVMTI_TYPE_CCHAR, JNI_FALSE};
    *v = (jvmtiExtensionEventInfo){TI_CLASS_UNLOAD_EVENT, strdup("com.sun.hotspot.events.ClassUnload"),
                                   strdup("a class was unloaded"), 2, p};
    if (!p[0].name || !p[1].name || !v->id || !v->short_description) return JVMTI_ERROR_OUT_OF_MEMORY;
    *extension_count_ptr = 1;
    *extensions = v;
    return JVMTI_ERROR_NONE;
}
/* Setting it enables the event, too. */
jvmtiError ti_SetExtensionEventCallback(Ti *x, jint extension_event_index, jvmtiExtensionEvent callback) {
    if (extension_event_index != TI_CLASS_UNLOAD_EVENT) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    x->env->class_unload = callback;
    x->env->class_unload_enabled = callback != NULL;
    if (callback && ti_phase(x->env) == JVMTI_PHASE_LIVE) ti_notices_start();
    return JVMTI_ERROR_NONE;
}
