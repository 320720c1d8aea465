/* SPDX-License-Identifier: Apache-2.0 */
/* swap_extension.c - see swap_extension.h. A function counts only if its parameters are those that are expected. */
#include "swap_extension.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 3 };

static const struct Wanted {
    const char *id;
    size_t at;
    jint count;
    jvmtiParamKind kinds[MOST];
} wanted[] = {
    {"graft.redefinition.Enable", offsetof(SwapExtension, enable), 1, {JVMTI_KIND_IN}},
    {"graft.redefinition.DryRun", offsetof(SwapExtension, dry_run), 3, {JVMTI_KIND_IN, JVMTI_KIND_IN_BUF, JVMTI_KIND_ALLOC_BUF}},
    {"graft.redefinition.Restore", offsetof(SwapExtension, restore), 2, {JVMTI_KIND_IN, JVMTI_KIND_IN_BUF}},
    {"graft.redefinition.GetMigrations", offsetof(SwapExtension, migrations), 1, {JVMTI_KIND_ALLOC_BUF}},
    {"graft.redefinition.GetReason", offsetof(SwapExtension, reason), 1, {JVMTI_KIND_ALLOC_BUF}},
    {"graft.redefinition.GetReport", offsetof(SwapExtension, report), 1, {JVMTI_KIND_ALLOC_BUF}}};

static void take(SwapExtension *x, const jvmtiExtensionFunctionInfo *f) {
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct Wanted *w = &wanted[i];
        bool same = !strcmp(f->id, w->id) && f->param_count == w->count;
        for (jint k = 0; same && k < w->count; k++) same = f->params[k].kind == w->kinds[k];
        if (same) *(jvmtiExtensionFunction *)((char *)x + w->at) = f->func;
    }
}

static void release(jvmtiEnv *ti, void *p) { (*ti)->Deallocate(ti, p); }

static void release_info(jvmtiEnv *ti, jvmtiExtensionFunctionInfo *f) {
    release(ti, f->id);
    release(ti, f->short_description);
    for (jint i = 0; i < f->param_count; i++) release(ti, f->params[i].name);
    release(ti, f->params);
    release(ti, f->errors);
}

bool swap_extension_find(SwapExtension *x, const Agent *a, bool structural) {
    jvmtiExtensionFunctionInfo *list = NULL;
    jint n = 0;
    *x = (SwapExtension){0};
    if ((*a->ti)->GetExtensionFunctions(a->ti, &n, &list)) return false;
    for (jint i = 0; i < n; i++) {
        take(x, &list[i]);
        release_info(a->ti, &list[i]);
    }
    release(a->ti, list);
    return structural && x->enable && !x->enable(a->ti, JNI_TRUE);
}

char *swap_extension_text(jvmtiExtensionFunction f, jvmtiEnv *ti) {
    char *text = NULL, *copy = NULL;
    if (f && !f(ti, &text) && text) {
        copy = *text ? strdup(text) : NULL;
        release(ti, text);
    }
    return copy;
}
