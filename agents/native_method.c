/* SPDX-License-Identifier: Apache-2.0 */
/* native_method.c - native methods that are left alone. */
#include "native_method.h"

#include <string.h>

static const struct Left {
    const char *class_name, *method;
} left_alone[] = {
    {"java/lang/invoke/MethodHandle", NULL},
    {"java/lang/invoke/VarHandle", NULL},
    {"jdk/internal/misc/Unsafe", NULL},
    {"sun/misc/Unsafe", NULL},
    {"java/lang/System", "nanoTime"},
    {"jdk/internal/perf/Perf", "highResCounter"},
    /* one more frame is another answer */
    {"jdk/internal/reflect/Reflection", "getCallerClass"},
    {"java/lang/Throwable", "fillInStackTrace"},
    {"sun/reflect/Reflection", "getCallerClass"},
    {"java/io/ObjectInputStream", "latestUserDefinedLoader"},
    {"java/lang/SecurityManager", NULL},
    {"java/lang/StackStreamFactory$AbstractStackWalker", NULL},
    {"java/security/AccessController", NULL},
    {"java/util/ResourceBundle", "getClassContext"},
    {"jdk/internal/misc/VM", "latestUserDefinedLoader0"},
    /* HotSpot calls them when it looks for a wrapped native: to JDK 14, since 18, in between */
    {"java/lang/ClassLoader$NativeLibrary", NULL},
    {"jdk/internal/loader/NativeLibrary", NULL},
    {"jdk/internal/loader/NativeLibraries", "findEntry0"},
    /* the thread is another one when they return */
    {"java/lang/VirtualThread", NULL},
    {"jdk/internal/vm/Continuation", NULL},
};

bool agent_native_left_alone(const char *class_name, const char *method) {
    if (method && (*method == '<' || !strcmp(method, "registerNatives") || !strcmp(method, "initIDs"))) return true;
    for (size_t i = 0; i < sizeof left_alone / sizeof *left_alone; i++) {
        const struct Left *l = &left_alone[i];
        if (!strcmp(l->class_name, class_name) && (!l->method || (method && !strcmp(l->method, method)))) return true;
    }
    return false;
}

bool agent_registers_natives(const CfClass *c) {
    for (unsigned i = 0; i < c->method_count; i++)
        if ((c->methods[i].access & CF_ACC_NATIVE) && cf_str_eq(cf_utf8(c, c->methods[i].name), cf_str("registerNatives")))
            return true;
    return false;
}

bool agent_is_intrinsic(const CfClass *c, const CfMember *m) {
    CfAnnotation found;
    return cf_find_annotation(c, &m->attrs, "Ljdk/internal/vm/annotation/IntrinsicCandidate;", &found) ||
           cf_find_annotation(c, &m->attrs, "Ljdk/internal/HotSpotIntrinsicCandidate;", &found);
}
