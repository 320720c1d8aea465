/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of Tables.java: expands the closed sets of the VM and looks at each member. */
#include "jnitest.h"

#include <dlfcn.h>

JNIEXPORT void JNICALL Java_Tables_jni(JNIEnv *env, jclass cls) {
    const void *const *table = (const void *const *)*env;
    int n = 0;
    for (int i = 0; i < 4; i++) say("reserved %d %s", i, table[i] ? "set" : "null");
#define JNI(slot, name) \
    if (!table[slot] || table[slot] != (const void *)(*env)->name) say("bad slot " #name); \
    n++;
#include "../../../vm/native/jni/jni.def"
#undef JNI
    /* no function stands in two slots */
    int twice = 0;
    for (int i = 4; i < 234; i++)
        for (int j = i + 1; j < 234; j++) twice += table[i] == table[j];
    say("%d functions, %d of %zu slots, %d shared", n, 234, sizeof **env / sizeof(void *), twice);

    JavaVM *vm;
    E->GetJavaVM(env, &vm);
    table = (const void *const *)*vm;
    for (int i = 0; i < 8; i++) say("invoke %d %s", i, table[i] ? "set" : "null");
}

JNIEXPORT void JNICALL Java_Tables_exports(JNIEnv *env, jclass cls) {
    void *jvm = dlopen("libjvm.so", RTLD_NOW | RTLD_NOLOAD);
    if (!jvm) say("libjvm.so is not found by its name: %s", dlerror());
    int n = 0;
#define EXPORT(name) \
    { \
        void *p = jvm ? dlvsym(jvm, #name, "SUNWprivate_1.1") : NULL; \
        if (!p) say("no " #name " with the version node"); \
        else if (p != dlsym(jvm, #name)) say(#name " differs without version"); \
        else if (p != dlsym(RTLD_DEFAULT, #name)) say(#name " is not global"); \
        n++; \
    }
    /* one of each source; tests/checks/exports.sh compares the whole list */
    EXPORT(JVM_GetManagement)
    EXPORT(JVM_IHashCode)
    EXPORT(JNI_CreateJavaVM)
    EXPORT(jio_snprintf)
    EXPORT(AsyncGetCallTrace)
#undef EXPORT
    say("%d exports", n);
}

/* names of jmm.def's parameter types that are only passed through */
#define JMM(slot, result, name, params) {slot, #name},
static const struct {
    int slot;
    const char *name;
} jmm_rows[] = {
#include "../../../vm/serve/jmm.def"
};
#undef JMM

JNIEXPORT void JNICALL Java_Tables_management(JNIEnv *env, jclass cls) {
    void *(*get)(jint) = (void *(*)(jint))dlsym(RTLD_DEFAULT, "JVM_GetManagement");
    const void *const *table = get(0x20030000);
    static const int versions[] = {0, 0x10000000, 0x20010000, 0x20020000, 0x20040000, 0x30000000, -1};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        say("management %x %s", versions[i], get(versions[i]) ? "there" : "refused");
    say("reserved %d %d", table[0] != NULL, table[1] != NULL);
    int n = 0;
    for (size_t i = 0; i < sizeof jmm_rows / sizeof *jmm_rows; i++, n++)
        if (!table[jmm_rows[i].slot]) say("no %s", jmm_rows[i].name);
    jint (*version)(JNIEnv *) = (jint(*)(JNIEnv *))table[2];
    say("%d functions, version %x", n, version(env));
}
