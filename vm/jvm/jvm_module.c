/* SPDX-License-Identifier: Apache-2.0 */
/* Module system entry points; the graph itself is load/module.c. */
#include "jvm/jvm_int.h"

#include <stdlib.h>

/* String[] of dotted package names -> malloc'ed internal names; NULL + exception. */
static Symbol **package_names(Thread *t, Object *array, int32_t n) {
    Symbol **names = calloc((size_t)n + 1, sizeof *names);
    if (!names) throw_no_memory(t);
    for (int32_t i = 0; names && i < n; i++) {
        Object *s = array_ref(array, i);
        if (!s) return free(names), throw_new(t, EX_IllegalArgumentException, "Bad package name"), NULL;
        names[i] = string_to_symbol_slashes(s);
    }
    return names;
}

JVM_EXPORT void JVM_DefineModule(JNIEnv *env, jobject module, jboolean open, jstring version, jstring location,
                                 jobjectArray packages) {
    IN_JAVA Thread *t = native_enter(env);
    Object *list = handle_get(packages);
    int32_t n = list ? array_len(list) : 0;
    if (!module) return throw_new(t, EX_NullPointerException, "Null module object");
    Symbol *v = version ? string_to_symbol(handle_get(version)) : NULL;
    Symbol *l = location ? string_to_symbol(handle_get(location)) : NULL, **names = package_names(t, list, n);
    if (names) module_define(t, handle_get(module), open, v, l, names, n);
    free(names);
}

JVM_EXPORT void JVM_SetBootLoaderUnnamedModule(JNIEnv *env, jobject module) {
    IN_JAVA Thread *t = native_enter(env);
    if (!module) throw_new(t, EX_NullPointerException, "Null module object");
    else module_set_boot_unnamed(t, handle_get(module));
}

JVM_EXPORT void JVM_AddReadsModule(JNIEnv *env, jobject from, jobject source) {
    IN_JAVA Thread *t = native_enter(env);
    if (!from) throw_new(t, EX_NullPointerException, "from_module is null");
    else module_add_reads(t, handle_get(from), handle_get(source));
}

static void add_exports(JNIEnv *env, jobject from, jstring package, ExportTo who, jobject to) {
    IN_JAVA Thread *t = native_enter(env);
    if (!from) return throw_new(t, EX_NullPointerException, "from_module is null");
    if (!package) return throw_new(t, EX_NullPointerException, "package is null");
    Symbol *p = string_to_symbol_slashes(handle_get(package));
    if (p && who == EXPORT_TO_ONE && !to) throw_new(t, EX_NullPointerException, "to_module is null");
    else if (p) module_add_exports(t, handle_get(from), p, who, handle_get(to));
}
JVM_EXPORT void JVM_AddModuleExports(JNIEnv *env, jobject from, jstring package, jobject to) {
    add_exports(env, from, package, EXPORT_TO_ONE, to);
}
JVM_EXPORT void JVM_AddModuleExportsToAll(JNIEnv *env, jobject from, jstring package) {
    add_exports(env, from, package, EXPORT_TO_ALL, NULL);
}
JVM_EXPORT void JVM_AddModuleExportsToAllUnnamed(JNIEnv *env, jobject from, jstring package) {
    add_exports(env, from, package, EXPORT_TO_UNNAMED, NULL);
}
