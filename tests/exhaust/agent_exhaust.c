/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_exhaust - operations of JVM TI and JNI for exhaust/Exhaust.java: each answers "NONE", "OUT_OF_MEMORY" or what is wrong.
 *
 * A row is a function that makes everything anew and gives everything back, so it can be repeated as often as there are requests
 * in it.  What it changed before it met the lack of memory it looks at afterwards, with memory: a tag that was set is there, one
 * that was refused is not.
 */
#include "../jvmti/agent_test.h"
#include <time.h>

typedef struct Op {
    const char *name;
    jvmtiError (*run)(JNIEnv *env);
} Op;

enum { N_OBJECTS = 200 };
static jvmtiEnv *ti;
static jclass string_class, thread_class, object_class, me_class;
static jobject objects[N_OBJECTS]; /* global references */
static const char *wrong;          /* what else is wrong */

static void give(void *p) {
    if (p) (*ti)->Deallocate(ti, p);
}
static void expect(bool ok, const char *what) {
    if (!ok && !wrong) wrong = what;
}

/* --- memory, capabilities, environments --- */

static jvmtiError op_allocate(JNIEnv *env) {
    unsigned char *p = NULL;
    jvmtiError e = (*ti)->Allocate(ti, 1000, &p);
    give(p);
    return e;
}
static jvmtiError op_environment(JNIEnv *env) {
    JavaVM *vm;
    jvmtiEnv *other = NULL;
    (*env)->GetJavaVM(env, &vm);
    if ((*vm)->GetEnv(vm, (void **)&other, JVMTI_VERSION_11) != JNI_OK) return JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiCapabilities c = {.can_tag_objects = 1};
    jvmtiError e = (*other)->AddCapabilities(other, &c);
    if (!e) e = (*other)->SetTag(other, objects[0], 5);
    jvmtiError d = (*other)->DisposeEnvironment(other);
    return e ? e : d;
}

/* --- tags and heap walks --- */

static jvmtiError op_tags(JNIEnv *env) {
    jvmtiError first = JVMTI_ERROR_NONE;
    bool set[N_OBJECTS];
    for (int i = 0; i < N_OBJECTS; i++) {
        jvmtiError e = (*ti)->SetTag(ti, objects[i], i + 1);
        set[i] = !e;
        if (e && !first) first = e;
    }
    jlong wanted[3] = {1, 100, N_OBJECTS}, *tags = NULL;
    jobject *found = NULL;
    jint n = -1;
    jvmtiError e = (*ti)->GetObjectsWithTags(ti, 3, wanted, &n, &found, &tags);
    if (!e) expect(n == set[0] + set[99] + set[N_OBJECTS - 1], "GetObjectsWithTags misses some");
    for (jint i = 0; !e && i < n; i++) (*env)->DeleteLocalRef(env, found[i]);
    if (!e) give(found), give(tags);
    for (int i = 0; i < N_OBJECTS; i++) {
        jlong tag = -1;
        (*ti)->GetTag(ti, objects[i], &tag);
        expect(tag == (set[i] ? i + 1 : 0), "a tag is lost or made up");
        expect((*ti)->SetTag(ti, objects[i], 0) == JVMTI_ERROR_NONE, "a tag cannot be removed");
    }
    return first ? first : e;
}

static jint JNICALL count_object(jlong class_tag, jlong size, jlong *tag, jint length, void *n) {
    if (++*(jint *)n % 50 == 0) *tag = 7;
    return 0;
}
static jint JNICALL string_value(jlong class_tag, jlong size, jlong *tag, const jchar *v, jint n, void *x) { return 0; }
static jint JNICALL primitive_field(jvmtiHeapReferenceKind k, const jvmtiHeapReferenceInfo *i, jlong c, jlong *t, jvalue v,
                                    jvmtiPrimitiveType y, void *x) {
    return 0;
}
static jint JNICALL reference(jvmtiHeapReferenceKind k, const jvmtiHeapReferenceInfo *i, jlong c, jlong rc, jlong size,
                              jlong *tag, jlong *rt, jint n, void *x) {
    ++*(jint *)x;
    return JVMTI_VISIT_OBJECTS;
}
static jvmtiIterationControl JNICALL object_10(jlong class_tag, jlong size, jlong *tag, void *n) {
    *tag = ++*(jint *)n % 60 == 0 ? 7 : 0;
    return JVMTI_ITERATION_CONTINUE;
}
static void untag(JNIEnv *env) {
    jint n = 0;
    jobject *v = NULL;
    jlong seven = 7;
    for (int tries = 0; tries < 20 && (*ti)->GetObjectsWithTags(ti, 1, &seven, &n, &v, NULL); tries++) n = 0;
    for (jint i = 0; i < n; i++) {
        (*ti)->SetTag(ti, v[i], 0);
        (*env)->DeleteLocalRef(env, v[i]);
    }
    give(v);
}
static jvmtiError op_iterate(JNIEnv *env) {
    jvmtiHeapCallbacks cb = {.heap_iteration_callback = count_object,
                             .string_primitive_value_callback = string_value,
                             .primitive_field_callback = primitive_field};
    jint n = 0;
    jvmtiError e = (*ti)->IterateThroughHeap(ti, 0, NULL, &cb, &n);
    expect(e || n > 5000, "a walk ends early without an error");
    untag(env);
    return e;
}
static jvmtiError op_follow(JNIEnv *env) {
    jvmtiHeapCallbacks cb = {.heap_reference_callback = reference, .primitive_field_callback = primitive_field};
    jint n = 0;
    jvmtiError e = (*ti)->FollowReferences(ti, 0, NULL, NULL, &cb, &n);
    expect(e || n > 5000, "a walk ends early without an error");
    return e;
}
static jvmtiError op_iterate_10(JNIEnv *env) {
    jint n = 0;
    jvmtiError e = (*ti)->IterateOverHeap(ti, JVMTI_HEAP_OBJECT_EITHER, object_10, &n);
    expect(e || n > 5000, "a walk ends early without an error");
    untag(env);
    return e;
}

/* --- threads and frames --- */

static jvmtiError op_threads(JNIEnv *env) {
    jint n = 0;
    jthread *v = NULL;
    jvmtiError e = (*ti)->GetAllThreads(ti, &n, &v);
    if (!e) expect(n >= 3, "threads are missing");
    for (jint i = 0; !e && i < n; i++) {
        jvmtiThreadInfo info = {0};
        e = (*ti)->GetThreadInfo(ti, v[i], &info);
        if (!e) expect(info.name && *info.name, "a thread without a name"), give(info.name);
    }
    give(v);
    return e;
}
static jvmtiError op_groups(JNIEnv *env) {
    jint n = 0, nt = 0, ng = 0;
    jthreadGroup *v = NULL, *groups = NULL;
    jthread *threads = NULL;
    jvmtiThreadGroupInfo info = {0};
    jvmtiError e = (*ti)->GetTopThreadGroups(ti, &n, &v);
    if (!e && !(e = (*ti)->GetThreadGroupInfo(ti, v[0], &info)))
        expect(info.name && !strcmp(info.name, "system"), "name of the top group"), give(info.name);
    if (!e && !(e = (*ti)->GetThreadGroupChildren(ti, v[0], &nt, &threads, &ng, &groups)))
        expect(ng >= 1, "children are missing"), give(threads), give(groups);
    give(v);
    return e;
}
static jvmtiError op_stacks(JNIEnv *env) {
    jint n = 0;
    jvmtiStackInfo *v = NULL;
    jvmtiError e = (*ti)->GetAllStackTraces(ti, 50, &v, &n);
    if (!e) expect(n >= 3, "stacks are missing");
    give(v);
    jvmtiFrameInfo frames[10];
    jint count = 0;
    if (!e) e = (*ti)->GetStackTrace(ti, NULL, 0, 10, frames, &count);
    if (!e) expect(count > 2, "frames are missing");
    return e;
}
static jvmtiError op_monitors(JNIEnv *env) {
    jint n = 0, m = 0;
    jobject *v = NULL;
    jvmtiMonitorStackDepthInfo *d = NULL;
    jvmtiMonitorUsage u = {0};
    if ((*env)->MonitorEnter(env, objects[1])) return (*env)->ExceptionClear(env), JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiError e = (*ti)->GetOwnedMonitorInfo(ti, NULL, &n, &v);
    if (!e) e = (*ti)->GetOwnedMonitorStackDepthInfo(ti, NULL, &m, &d);
    if (!e) expect(n >= 1 && m >= 1, "an owned monitor is missing");
    if (!e && !(e = (*ti)->GetObjectMonitorUsage(ti, objects[1], &u)))
        expect(u.entry_count == 1, "entry count"), give(u.waiters), give(u.notify_waiters);
    expect((*env)->MonitorExit(env, objects[1]) == 0, "the monitor cannot be left");
    give(v), give(d);
    return e;
}
static jvmtiError op_raw_monitors(JNIEnv *env) {
    jrawMonitorID m[8] = {0};
    jvmtiError e = JVMTI_ERROR_NONE;
    for (int i = 0; i < 8 && !e; i++)
        if (!(e = (*ti)->CreateRawMonitor(ti, "exhaust", &m[i]))) e = (*ti)->RawMonitorEnter(ti, m[i]);
    for (int i = 0; i < 8 && m[i]; i++) {
        (*ti)->RawMonitorExit(ti, m[i]);
        expect((*ti)->DestroyRawMonitor(ti, m[i]) == JVMTI_ERROR_NONE, "DestroyRawMonitor");
    }
    return e;
}
static jvmtiError op_storage(JNIEnv *env) {
    void *p = NULL;
    jvmtiError e = (*ti)->SetThreadLocalStorage(ti, NULL, "x");
    (*ti)->GetThreadLocalStorage(ti, NULL, &p);
    expect((p != NULL) == !e, "thread-local storage is lost");
    (*ti)->SetThreadLocalStorage(ti, NULL, NULL);
    return e;
}
static void JNICALL agent_thread(jvmtiEnv *x, JNIEnv *env, void *done) { *(volatile bool *)done = true; }
static jvmtiError op_agent_thread(JNIEnv *env) {
    static volatile bool done;
    jmethodID init = (*env)->GetMethodID(env, thread_class, "<init>", "()V");
    jobject t = init ? (*env)->NewObject(env, thread_class, init) : NULL;
    if (!t) return (*env)->ExceptionClear(env), JVMTI_ERROR_OUT_OF_MEMORY;
    done = false;
    jvmtiError e = (*ti)->RunAgentThread(ti, t, agent_thread, (void *)&done, JVMTI_THREAD_NORM_PRIORITY);
    for (int i = 0; !e && !done && i < 20000; i++) {
        struct timespec ts = {0, 1000000};
        nanosleep(&ts, NULL);
    }
    expect(e || done, "an agent thread did not run");
    return e;
}

/* --- classes, methods, fields --- */

static jvmtiError op_classes(JNIEnv *env) {
    jint n = 0, m = 0;
    jclass *v = NULL, *w = NULL;
    jobject loader = NULL;
    (*ti)->GetClassLoader(ti, me_class, &loader);
    jvmtiError e = (*ti)->GetLoadedClasses(ti, &n, &v);
    if (!e) e = (*ti)->GetClassLoaderClasses(ti, loader, &m, &w);
    if (!e) expect(n > 300 && m > 1, "classes are missing");
    for (jint i = 0; i < n && v; i++) (*env)->DeleteLocalRef(env, v[i]);
    give(v), give(w);
    return e;
}
static jvmtiError op_class(JNIEnv *env) {
    char *signature = NULL, *generic = NULL, *file = NULL, *debug = NULL;
    jint n = 0, count = 0, bytes = 0;
    jmethodID *methods = NULL;
    jfieldID *fields = NULL;
    jclass *interfaces = NULL;
    unsigned char *pool = NULL;
    jvmtiError e = (*ti)->GetClassSignature(ti, string_class, &signature, &generic);
    if (!e) expect(!strcmp(signature, "Ljava/lang/String;"), "signature"), give(signature), give(generic);
    if (!e && !(e = (*ti)->GetSourceFileName(ti, string_class, &file)))
        expect(!strcmp(file, "String.java"), "source file"), give(file);
    if (!e && !(e = (*ti)->GetClassMethods(ti, string_class, &n, &methods))) expect(n > 50, "methods are missing"), give(methods);
    if (!e && !(e = (*ti)->GetClassFields(ti, string_class, &n, &fields))) expect(n > 3, "fields are missing"), give(fields);
    if (!e && !(e = (*ti)->GetImplementedInterfaces(ti, string_class, &n, &interfaces)))
        expect(n > 2, "interfaces are missing"), give(interfaces);
    if (!e && !(e = (*ti)->GetConstantPool(ti, string_class, &count, &bytes, &pool)))
        expect(count > 300, "constant pool"), give(pool);
    if (!e && (e = (*ti)->GetSourceDebugExtension(ti, string_class, &debug)) == JVMTI_ERROR_ABSENT_INFORMATION)
        e = JVMTI_ERROR_NONE;
    return e;
}
static jvmtiError op_method(JNIEnv *env) {
    char *name = NULL, *signature = NULL, *generic = NULL;
    jint n = 0;
    unsigned char *code = NULL;
    jvmtiLineNumberEntry *lines = NULL;
    jvmtiLocalVariableEntry *locals = NULL;
    jmethodID m = (*env)->GetStaticMethodID(env, me_class, "main", "([Ljava/lang/String;)V");
    if (!m) return (*env)->ExceptionClear(env), JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiError e = (*ti)->GetMethodName(ti, m, &name, &signature, &generic);
    if (!e) expect(!strcmp(name, "main"), "name"), give(name), give(signature), give(generic);
    if (!e && !(e = (*ti)->GetBytecodes(ti, m, &n, &code))) expect(n > 50, "bytecodes"), give(code);
    if (!e && !(e = (*ti)->GetLineNumberTable(ti, m, &n, &lines))) expect(n > 10, "lines"), give(lines);
    if (!e && !(e = (*ti)->GetLocalVariableTable(ti, m, &n, &locals))) {
        expect(n > 3, "locals");
        for (jint i = 0; i < n; i++)
            expect(locals[i].name && locals[i].signature, "a local without name or signature"), give(locals[i].name),
                give(locals[i].signature), give(locals[i].generic_signature);
        give(locals);
    }
    return e;
}
static int hits;
static void JNICALL on_breakpoint(jvmtiEnv *x, JNIEnv *env, jthread t, jmethodID m, jlocation at) { hits++; }
static jvmtiError op_breakpoint(JNIEnv *env) {
    jmethodID m = (*env)->GetStaticMethodID(env, me_class, "isOom", "(Ljava/lang/Throwable;)Z");
    if (!m) return (*env)->ExceptionClear(env), JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiError e = (*ti)->SetBreakpoint(ti, m, 0);
    hits = 0;
    (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL);
    (*env)->CallStaticBooleanMethod(env, me_class, m, NULL);
    (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_BREAKPOINT, NULL);
    if (!(*env)->ExceptionCheck(env)) expect(hits == !e, "a breakpoint does not stop, or one that was refused does");
    (*env)->ExceptionClear(env);
    jvmtiError c = (*ti)->ClearBreakpoint(ti, m, 0);
    expect(c == (e ? JVMTI_ERROR_NOT_FOUND : JVMTI_ERROR_NONE), "a breakpoint is lost");
    return e;
}
static jvmtiError op_watch(JNIEnv *env) {
    jfieldID f = (*env)->GetStaticFieldID(env, me_class, "attempts", "I");
    if (!f) return (*env)->ExceptionClear(env), JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiError e = (*ti)->SetFieldAccessWatch(ti, me_class, f), c = (*ti)->ClearFieldAccessWatch(ti, me_class, f);
    expect(c == (e ? JVMTI_ERROR_NOT_FOUND : JVMTI_ERROR_NONE), "a watch is lost");
    return e;
}
static jvmtiError op_events(JNIEnv *env) {
    jthread self = NULL;
    (*ti)->GetCurrentThread(ti, &self);
    jvmtiError e = (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_EXCEPTION, self);
    jvmtiError d = (*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_EXCEPTION, self);
    return e ? e : d;
}
static jvmtiError op_system(JNIEnv *env) {
    jint n = 0;
    char **v = NULL, *s = NULL;
    jvmtiError e = (*ti)->GetSystemProperties(ti, &n, &v);
    for (jint i = 0; !e && i < n; i++) give(v[i]);
    give(v);
    if (!e && !(e = (*ti)->GetSystemProperty(ti, "java.vm.name", &s))) give(s);
    if (!e && !(e = (*ti)->GetErrorName(ti, JVMTI_ERROR_OUT_OF_MEMORY, &s))) give(s);
    jniNativeInterface *table = NULL;
    if (!e && !(e = (*ti)->GetJNIFunctionTable(ti, &table))) give(table);
    jvmtiExtensionFunctionInfo *x = NULL;
    if (!e && !(e = (*ti)->GetExtensionFunctions(ti, &n, &x))) {
        for (jint i = 0; i < n; i++) {
            give(x[i].id), give(x[i].short_description), give(x[i].errors);
            for (jint k = 0; k < x[i].param_count; k++) give(x[i].params[k].name);
            give(x[i].params);
        }
        give(x);
    }
    return e;
}
static jvmtiError op_modules(JNIEnv *env) {
    jint n = 0;
    jobject *v = NULL;
    jvmtiError e = (*ti)->GetAllModules(ti, &n, &v);
    if (!e) expect(n > 5, "modules are missing"), give(v);
    return e;
}
static jvmtiError op_prefix(JNIEnv *env) {
    jvmtiError e = (*ti)->SetNativeMethodPrefix(ti, "exhaust_"), d = (*ti)->SetNativeMethodPrefix(ti, NULL);
    return e ? e : d;
}

/* --- JNI --- */

static jvmtiError op_references(JNIEnv *env) {
    jobject g[600] = {0};
    jvmtiError e = JVMTI_ERROR_NONE;
    for (int i = 0; i < 300; i++) {
        g[i] = (*env)->NewGlobalRef(env, objects[i % N_OBJECTS]);
        g[300 + i] = (*env)->NewWeakGlobalRef(env, objects[i % N_OBJECTS]);
        if (!g[i] || !g[300 + i]) e = JVMTI_ERROR_OUT_OF_MEMORY;
    }
    for (int i = 0; i < 300; i++) {
        expect(!g[i] || (*env)->IsSameObject(env, g[i], objects[i % N_OBJECTS]), "a global reference is wrong");
        (*env)->DeleteGlobalRef(env, g[i]);
        (*env)->DeleteWeakGlobalRef(env, g[300 + i]);
    }
    (*env)->ExceptionClear(env);
    return e;
}
static jvmtiError op_locals(JNIEnv *env) {
    if ((*env)->PushLocalFrame(env, 400)) return (*env)->ExceptionClear(env), JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiError e = JVMTI_ERROR_NONE;
    for (int i = 0; i < 2000 && !e; i++)
        if (!(*env)->NewLocalRef(env, objects[i % N_OBJECTS])) e = JVMTI_ERROR_OUT_OF_MEMORY;
    (*env)->ExceptionClear(env);
    (*env)->PopLocalFrame(env, NULL);
    return e;
}
static jvmtiError op_strings(JNIEnv *env) {
    jstring s = (*env)->NewStringUTF(env, "gr\xc3\xbc\xc3\x9f dich, a rather long text that is not all of one byte \xe4\xb8\xad");
    const char *c = s ? (*env)->GetStringUTFChars(env, s, NULL) : NULL;
    const jchar *w = c ? (*env)->GetStringChars(env, s, NULL) : NULL;
    const jchar *k = w ? (*env)->GetStringCritical(env, s, NULL) : NULL;
    if (k) (*env)->ReleaseStringCritical(env, s, k);
    if (w) (*env)->ReleaseStringChars(env, s, w);
    if (c) (*env)->ReleaseStringUTFChars(env, s, c);
    jintArray a = k ? (*env)->NewIntArray(env, 100) : NULL;
    jint *v = a ? (*env)->GetIntArrayElements(env, a, NULL) : NULL;
    if (v) (*env)->ReleaseIntArrayElements(env, a, v, 0);
    expect(v || (*env)->ExceptionCheck(env), "NULL without an exception");
    (*env)->ExceptionClear(env);
    return v ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}
static jvmtiError op_lookup(JNIEnv *env) {
    jclass c = (*env)->FindClass(env, "[[[Ljava/util/BitSet;");
    jclass d = c ? (*env)->FindClass(env, "java/util/BitSet") : NULL;
    jmethodID m = d ? (*env)->GetMethodID(env, d, "cardinality", "()I") : NULL;
    jobject r = m ? (*env)->ToReflectedMethod(env, d, m, JNI_FALSE) : NULL;
    expect(r || (*env)->ExceptionCheck(env), "NULL without an exception");
    (*env)->ExceptionClear(env);
    jvmtiError e = r ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
    jclass x = r ? (*env)->FindClass(env, "no/such/Class") : NULL;
    expect(!x, "no/such/Class");
    (*env)->ExceptionClear(env);
    return e;
}

static const Op ops[] = {
#define OP(name) \
    { #name, op_##name }
    OP(allocate), OP(environment), OP(tags),       OP(iterate),      OP(follow),  OP(iterate_10),   OP(threads),
    OP(groups),   OP(stacks),      OP(monitors),   OP(raw_monitors), OP(storage), OP(agent_thread), OP(classes),
    OP(class),    OP(method),      OP(breakpoint), OP(watch),        OP(events),  OP(system),       OP(modules),
    OP(prefix),   OP(references),  OP(locals),     OP(strings),      OP(lookup),
};
enum { N_OPS = sizeof ops / sizeof *ops };

JNIEXPORT jstring JNICALL Java_exhaust_Exhaust_tiName(JNIEnv *env, jclass me, jint i) {
    return i < N_OPS ? (*env)->NewStringUTF(env, ops[i].name) : NULL;
}

/* The answers are made beforehand: here there may be no memory. */
static jstring none, no_memory;
JNIEXPORT jstring JNICALL Java_exhaust_Exhaust_ti(JNIEnv *env, jclass me, jint i) {
    wrong = NULL;
    jvmtiError e = ops[i].run(env);
    if (!wrong && (*env)->ExceptionCheck(env)) wrong = "an exception is pending", (*env)->ExceptionClear(env);
    if (wrong) return (*env)->NewStringUTF(env, wrong);
    return !e ? none : e == JVMTI_ERROR_OUT_OF_MEMORY ? no_memory : (*env)->NewStringUTF(env, error_name(e));
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    JNIEnv *env = NULL;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
    none = (*env)->NewGlobalRef(env, (*env)->NewStringUTF(env, "NONE"));
    no_memory = (*env)->NewGlobalRef(env, (*env)->NewStringUTF(env, "OUT_OF_MEMORY"));
    string_class = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/String"));
    thread_class = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/Thread"));
    object_class = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "java/lang/Object"));
    me_class = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "exhaust/Exhaust"));
    for (int i = 0; i < N_OBJECTS; i++) objects[i] = (*env)->NewGlobalRef(env, (*env)->AllocObject(env, object_class));
    return JNI_VERSION_10;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    ti = new_env(vm);
    jvmtiCapabilities all = our_capabilities();
    jvmtiEventCallbacks cb = {.Breakpoint = on_breakpoint};
    return MUST((*ti)->AddCapabilities(ti, &all)) && MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb)) ? JNI_OK : JNI_ERR;
}
