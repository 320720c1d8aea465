/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_classes - everything that can be asked about classes, methods and fields, for all classes of
 * the application loader and for the boot classes named in the options, sorted by name.
 */
#include "agent_test.h"

static char *wanted;
static jvmtiEnv *ti;
static JNIEnv *jni;

typedef struct Named {
    char *key;
    void *value;
} Named;
static int by_key(const void *a, const void *b) { return strcmp(((const Named *)a)->key, ((const Named *)b)->key); }

static void give_back(void *p) { (*ti)->Deallocate(ti, p); }

static unsigned sum_of(const unsigned char *p, jint n) {
    unsigned s = 17;
    for (jint i = 0; i < n; i++) s = s * 31 + p[i];
    return s;
}
static void print_class_list(const char *what, jint n, jclass *list) {
    for (jint i = 0; i < n; i++) {
        char *s = NULL;
        MUST((*ti)->GetClassSignature(ti, list[i], &s, NULL));
        say("  %s %s", what, s);
        give_back(s);
    }
    give_back(list);
}

static void dump_lines(jmethodID m) {
    jint n = 0;
    jvmtiLineNumberEntry *v = NULL;
    jvmtiError e = (*ti)->GetLineNumberTable(ti, m, &n, &v);
    char text[3000];
    int at = snprintf(text, sizeof text, "    lines %s", error_name(e));
    for (jint i = 0; !e && i < n && at < 2900; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, " %lld:%d", (long long)v[i].start_location, v[i].line_number);
    say("%s", text);
    give_back(v);
}
static void dump_locals(jmethodID m) {
    jint n = 0;
    jvmtiLocalVariableEntry *v = NULL;
    jvmtiError e = (*ti)->GetLocalVariableTable(ti, m, &n, &v);
    say("    locals %s %d", error_name(e), e ? 0 : n);
    for (jint i = 0; !e && i < n; i++) {
        say("      %lld+%d slot %d %s %s %s", (long long)v[i].start_location, v[i].length, v[i].slot, v[i].name, v[i].signature,
            v[i].generic_signature ? v[i].generic_signature : "-");
        give_back(v[i].name);
        give_back(v[i].signature);
        give_back(v[i].generic_signature);
    }
    give_back(v);
}
static void dump_method(jmethodID m) {
    char *name = NULL, *sig = NULL, *gen = NULL;
    jint mods = 0, locals = 0, args = 0, n = 0;
    jlocation from = 0, to = 0;
    jboolean native = 0, synthetic = 0, obsolete = 0;
    unsigned char *code = NULL;
    MUST((*ti)->GetMethodName(ti, m, &name, &sig, &gen));
    MUST((*ti)->GetMethodModifiers(ti, m, &mods));
    MUST((*ti)->IsMethodNative(ti, m, &native));
    MUST((*ti)->IsMethodSynthetic(ti, m, &synthetic));
    MUST((*ti)->IsMethodObsolete(ti, m, &obsolete));
    say("  method %s%s %s modifiers %x native %d synthetic %d obsolete %d", name, sig, gen ? gen : "-", mods, native, synthetic,
        obsolete);
    jvmtiError e1 = (*ti)->GetMaxLocals(ti, m, &locals), e2 = (*ti)->GetArgumentsSize(ti, m, &args);
    jvmtiError e3 = (*ti)->GetMethodLocation(ti, m, &from, &to);
    say("    max locals %s %d arguments %s %d location %s %lld %lld", error_name(e1), locals, error_name(e2), args,
        error_name(e3), (long long)from, (long long)to);
    jvmtiError e = (*ti)->GetBytecodes(ti, m, &n, &code);
    say("    bytecodes %s %d sum %x", error_name(e), n, sum_of(code, e ? 0 : n));
    dump_lines(m);
    dump_locals(m);
    give_back(code);
    give_back(name);
    give_back(sig);
    give_back(gen);
}
static void dump_methods(jclass c) {
    jint n = 0;
    jmethodID *v = NULL;
    jvmtiError e = (*ti)->GetClassMethods(ti, c, &n, &v);
    say("  methods %s %d %s", error_name(e), n, v ? "list" : "null");
    for (jint i = 0; !e && i < n; i++) dump_method(v[i]);
    give_back(v);
}
static void dump_fields(jclass c) {
    jint n = 0;
    jfieldID *v = NULL;
    jvmtiError e = (*ti)->GetClassFields(ti, c, &n, &v);
    say("  fields %s %d %s", error_name(e), n, v ? "list" : "null");
    for (jint i = 0; !e && i < n; i++) {
        char *name = NULL, *sig = NULL, *gen = NULL;
        jint mods = 0;
        jboolean synthetic = 0;
        jclass holder = NULL;
        MUST((*ti)->GetFieldName(ti, c, v[i], &name, &sig, &gen));
        MUST((*ti)->GetFieldModifiers(ti, c, v[i], &mods));
        MUST((*ti)->IsFieldSynthetic(ti, c, v[i], &synthetic));
        MUST((*ti)->GetFieldDeclaringClass(ti, c, v[i], &holder));
        say("  field %s %s %s modifiers %x synthetic %d own %d", name, sig, gen ? gen : "-", mods & 0x50df,
            synthetic, /* the reference shows a private bit for generic fields */
            (*jni)->IsSameObject(jni, holder, c));
        give_back(name);
        give_back(sig);
        give_back(gen);
    }
    give_back(v);
}
static void dump_class(jclass c, bool pool) {
    char *sig = NULL, *gen = NULL, *source = NULL, *debug = NULL;
    jint status = 0, mods = 0, minor = 0, major = 0, n = 0, bytes = 0;
    jboolean interface = 0, array = 0;
    jclass *list = NULL;
    unsigned char *p = NULL;
    jobject loader = NULL;
    MUST((*ti)->GetClassSignature(ti, c, &sig, &gen));
    MUST((*ti)->GetClassStatus(ti, c, &status));
    MUST((*ti)->GetClassModifiers(ti, c, &mods));
    MUST((*ti)->IsInterface(ti, c, &interface));
    MUST((*ti)->IsArrayClass(ti, c, &array));
    MUST((*ti)->GetClassLoader(ti, c, &loader));
    say("class %s %s status %x modifiers %x interface %d array %d loader %d", sig, gen ? gen : "-", status, mods, interface,
        array, loader != NULL);
    jvmtiError e = (*ti)->GetSourceFileName(ti, c, &source);
    say("  source %s %s", error_name(e), e ? "" : source);
    e = (*ti)->GetSourceDebugExtension(ti, c, &debug);
    say("  debug %s %s", error_name(e), e ? "" : debug);
    e = (*ti)->GetClassVersionNumbers(ti, c, &minor, &major);
    say("  version %s %d.%d", error_name(e), major, minor);
    e = (*ti)->GetConstantPool(ti, c, &n, &bytes, &p);
    if (pool || e) say("  pool %s %d entries %d bytes sum %x", error_name(e), n, bytes, sum_of(p, e ? 0 : bytes));
    give_back(p);
    n = 0;
    e = (*ti)->GetImplementedInterfaces(ti, c, &n, &list);
    say("  interfaces %s %d %s", error_name(e), n, list ? "list" : "null");
    print_class_list("interface", e ? 0 : n, list);
    dump_fields(c);
    dump_methods(c);
    give_back(sig);
    give_back(gen);
    give_back(source);
    give_back(debug);
}

static bool application(jclass c, const char *sig) {
    jobject loader = NULL;
    const char *element = sig + strspn(sig, "[");
    MUST((*ti)->GetClassLoader(ti, c, &loader));
    if (loader && *sig == '[') return false; /* the reference makes arrays of supertypes along with an array */
    if (loader) return strncmp(element, "LClasses", 8) == 0 && !strstr(sig, "$$Lambda");
    char key[600];
    snprintf(key, sizeof key, "%s", *sig == '[' ? sig : sig + 1);
    if (*sig != '[') key[strcspn(key, ";")] = 0;
    for (char *k = key; *k; k++)
        if (*k == '/') *k = '.';
    return has_word(wanted, key);
}

static void dump_all(const char *title) {
    jint n = 0, kept = 0;
    jclass *v = NULL;
    say("=== %s", title);
    if (!MUST((*ti)->GetLoadedClasses(ti, &n, &v))) return;
    Named *named = calloc((size_t)n, sizeof *named);
    for (jint i = 0; i < n; i++) {
        char *sig = NULL;
        MUST((*ti)->GetClassSignature(ti, v[i], &sig, NULL));
        if (application(v[i], sig)) named[kept++] = (Named){sig, v[i]};
        else give_back(sig);
    }
    qsort(named, (size_t)kept, sizeof *named, by_key);
    for (jint i = 0; i < kept; i++) /* The reference appends entries of its own to pools of classes with default methods. */
        dump_class(named[i].value, strstr(named[i].key, "Classes") && !strstr(named[i].key, "Defaults"));
    say("classes %d many %d", kept, n > 300);
    free(named);
    give_back(v);
}

static jboolean initiated(jobject loader, const char *name) {
    jint n = 0;
    jclass *v = NULL;
    jboolean found = JNI_FALSE;
    MUST((*ti)->GetClassLoaderClasses(ti, loader, &n, &v));
    for (jint i = 0; i < n; i++) {
        char *sig = NULL;
        MUST((*ti)->GetClassSignature(ti, v[i], &sig, NULL));
        found |= !strcmp(sig, name);
        give_back(sig);
    }
    give_back(v);
    return found;
}

JNIEXPORT void JNICALL Java_Classes_dump(JNIEnv *env, jclass self, jobjectArray extra) {
    jni = env;
    dump_all("dump");
    jobject loader = NULL;
    MUST((*ti)->GetClassLoader(ti, self, &loader));
    static const char *const names[] = {"LClasses;",          "LClasses$Inner;", "Ljava/lang/String;",
                                        "Ljava/util/BitSet;", "[LClasses;",      "LClasses$NeverLoaded;"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        say("initiating %s: app %d boot %d", names[i], initiated(loader, names[i]), initiated(NULL, names[i]));
    say("=== handed over");
    for (jsize i = 0; i < (*env)->GetArrayLength(env, extra); i++)
        dump_class((*env)->GetObjectArrayElement(env, extra, i), false);
}

static void JNICALL vm_death(jvmtiEnv *env, JNIEnv *j) {
    jni = j;
    dump_all("VMDeath");
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_get_bytecodes = 1,
                              .can_get_synthetic_attribute = 1,
                              .can_get_source_file_name = 1,
                              .can_get_line_numbers = 1,
                              .can_get_source_debug_extension = 1,
                              .can_access_local_variables = 1,
                              .can_maintain_original_method_order = 1,
                              .can_get_constant_pool = 1};
    jvmtiEventCallbacks calls = {.VMDeath = vm_death};
    ti = new_env(vm);
    wanted = strdup(options ? options : "");
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls));
    enable(ti, JVMTI_EVENT_VM_DEATH);
    return 0;
}
