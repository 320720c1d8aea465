/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heap walks, driven by HeapGraph.java: each native runs one function of the heap chapters with
 * callbacks that write lines to a buffer, which the program fetches, sorts and prints.
 */
#include "agent_test.h"
#include <jni.h>
#include <pthread.h>

static jvmtiEnv *ti, *other;
static JavaVM *vm;
static jrawMonitorID monitor;

/* ---- the log ---- */

static char *text;
static size_t used, size;
static long calls;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...) {
    va_list args;
    if (size - used < 512) text = realloc(text, size = size * 2 + 4096);
    va_start(args, format);
    used += (size_t)vsnprintf(text + used, size - used, format, args);
    va_end(args);
}
JNIEXPORT jstring JNICALL Java_HeapGraph_log(JNIEnv *jni, jclass c) {
    put("%s", "");
    jstring s = (*jni)->NewStringUTF(jni, text);
    used = 0;
    return s;
}
JNIEXPORT jlong JNICALL Java_HeapGraph_calls(JNIEnv *jni, jclass c) { return calls; }

/* ---- callbacks of chapter Heap ---- */

enum {
    REFS = 1,
    FIELDS = 2,
    ARRAYS = 4,
    STRINGS = 8,
    ABORT = 16,
    NO_VISIT = 32,
    TAG_ALL = 64,
    TAG_REFERRER = 128,
    TAGGED_ONLY = 256,
    QUIET = 512,
    FENCE = 1024 /* do not go through objects with tags from 1000 */,
    BY_CLASS = 2048 /* count by class tag */,
    MONITOR = 4096
};
typedef struct Run {
    int options;
    long limit, by_class[16];
} Run;

static const char *kind_name(int k) {
    static const char *const names[] = {
        [1] = "CLASS",     [2] = "FIELD",  [3] = "ELEMENT",   [4] = "LOADER",  [5] = "SIGNERS", [6] = "DOMAIN",
        [7] = "INTERFACE", [8] = "STATIC", [9] = "POOL",      [10] = "SUPER",  [21] = "GLOBAL", [22] = "SYSTEM",
        [23] = "MONITOR",  [24] = "LOCAL", [25] = "JNILOCAL", [26] = "THREAD", [27] = "OTHER"};
    return k > 0 && k < 28 && names[k] ? names[k] : "?";
}
static const char *method_name(jmethodID m) {
    static char name[2][64];
    static int at;
    char *s = NULL;
    if (!m) return "-";
    if ((*ti)->GetMethodName(ti, m, &s, NULL, NULL)) return "?";
    snprintf(name[at ^= 1], sizeof name[0], "%s", s);
    (*ti)->Deallocate(ti, (unsigned char *)s);
    return name[at];
}

/* Methods are named after the walk: GetMethodName is no function for callbacks. */
static struct Stack {
    jmethodID m;
    jlong tag, thread_tag, id, location;
    jint depth, slot;
    int kind;
} stack[4096];
static int n_stack;

static void log_stack(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong tag) {
    if (n_stack == 4096) return;
    if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL) {
        const jvmtiHeapReferenceInfoStackLocal *s = &info->stack_local;
        stack[n_stack++] = (struct Stack){s->method, tag, s->thread_tag, s->thread_id, s->location, s->depth, s->slot, kind};
    } else {
        const jvmtiHeapReferenceInfoJniLocal *s = &info->jni_local;
        stack[n_stack++] = (struct Stack){s->method, tag, s->thread_tag, s->thread_id, -1, s->depth, -1, kind};
    }
}
static void name_stack(void) {
    for (int i = 0; i < n_stack; i++) {
        const struct Stack *s = &stack[i];
        put("%s %lld thread %lld id %s depth %d %s @%lld slot %d\n", kind_name(s->kind), (long long)s->tag,
            (long long)s->thread_tag, s->id > 0 ? "positive" : "?", s->depth, method_name(s->m), (long long)s->location, s->slot);
    }
    n_stack = 0;
}

static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong bytes, jlong *tag, jlong *referrer_tag, jint length,
                                 void *user) {
    Run *r = user;
    calls++;
    if (bytes <= 0 || bytes % 8) put("! size %lld\n", (long long)bytes);
    if (r->options & MONITOR) {
        (*ti)->RawMonitorEnter(ti, monitor);
        (*ti)->RawMonitorExit(ti, monitor);
    }
    if (r->options & BY_CLASS && class_tag > 0 && class_tag < 16) r->by_class[class_tag]++;
    bool index = kind == JVMTI_HEAP_REFERENCE_FIELD || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD ||
                 kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT || kind == JVMTI_HEAP_REFERENCE_CONSTANT_POOL;
    bool on_stack = kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL || kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL;
    if (!info != !(index || on_stack)) put("! info of %s\n", kind_name(kind));
    if (!referrer_tag != (kind > 20)) put("! referrer of %s\n", kind_name(kind));
    bool told = !(r->options & QUIET) && (!(r->options & TAGGED_ONLY) || *tag || (referrer_tag && *referrer_tag));
    if (told && on_stack) log_stack(kind, info, *tag);
    else if (told)
        put("%s %lld->%lld #%d class %lld/%lld length %d%s\n", kind_name(kind), (long long)(referrer_tag ? *referrer_tag : -1),
            (long long)*tag, index ? info->field.index : -1, (long long)class_tag, (long long)referrer_class_tag, length,
            referrer_tag == tag ? " self" : "");
    bool fence = r->options & FENCE && *tag >= 1000;
    if (r->options & TAG_ALL && !*tag) *tag = 7;
    if (r->options & TAG_REFERRER && referrer_tag) *referrer_tag += 100;
    if (r->options & ABORT && --r->limit <= 0) return JVMTI_VISIT_ABORT | JVMTI_VISIT_OBJECTS;
    return r->options & NO_VISIT || fence ? 0 : JVMTI_VISIT_OBJECTS;
}
static jint JNICALL on_object(jlong class_tag, jlong bytes, jlong *tag, jint length, void *user) {
    Run *r = user;
    calls++;
    if (bytes <= 0) put("! size %lld\n", (long long)bytes);
    if (r->options & MONITOR) {
        (*ti)->RawMonitorEnter(ti, monitor);
        (*ti)->RawMonitorExit(ti, monitor);
    }
    if (r->options & BY_CLASS && class_tag > 0 && class_tag < 16) r->by_class[class_tag]++;
    if (!(r->options & QUIET)) put("OBJECT %lld class %lld length %d\n", (long long)*tag, (long long)class_tag, length);
    if (r->options & TAG_ALL && !*tag) *tag = 7;
    return r->options & ABORT && --r->limit <= 0 ? JVMTI_VISIT_ABORT : JVMTI_VISIT_OBJECTS;
}
static jint value_answer(Run *r) { return r->options & ABORT && --r->limit <= 0 ? JVMTI_VISIT_ABORT : 0; }

static jint JNICALL on_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag, jlong *tag,
                             jvalue v, jvmtiPrimitiveType type, void *user) {
    Run *r = user;
    calls++;
    if (r->options & TAGGED_ONLY && !*tag) return 0;
    long long n = type == 'Z'   ? v.z
                  : type == 'B' ? v.b
                  : type == 'C' ? v.c
                  : type == 'S' ? v.s
                  : type == 'I' ? v.i
                  : type == 'J' ? v.j
                                : (long long)(100 * (type == 'F' ? (double)v.f : v.d));
    put("VALUE %s %lld class %lld #%d %c %lld\n", kind_name(kind), (long long)*tag, (long long)class_tag, info->field.index, type,
        n);
    if (r->options & TAG_REFERRER) *tag += 1;
    return value_answer(r);
}
static jint JNICALL on_array(jlong class_tag, jlong bytes, jlong *tag, jint n, jvmtiPrimitiveType type, const void *elements,
                             void *user) {
    Run *r = user;
    calls++;
    if (r->options & TAGGED_ONLY && !*tag) return 0;
    unsigned hash = 0;
    int shift = type == 'Z' || type == 'B' ? 0 : type == 'C' || type == 'S' ? 1 : type == 'J' || type == 'D' ? 3 : 2;
    for (long i = 0; i < (long)n << shift; i++) hash = hash * 31 + ((const unsigned char *)elements)[i];
    put("ARRAY %lld class %lld %c x %d %u\n", (long long)*tag, (long long)class_tag, type, n, hash);
    return value_answer(r);
}
static jint JNICALL on_string(jlong class_tag, jlong bytes, jlong *tag, const jchar *s, jint n, void *user) {
    Run *r = user;
    calls++;
    if (r->options & TAGGED_ONLY && !*tag) return 0;
    put("STRING %lld class %lld x %d", (long long)*tag, (long long)class_tag, n);
    for (int i = 0; i < n && i < 40; i++) put(" %x", s[i]);
    put("\n");
    return value_answer(r);
}
static jvmtiHeapCallbacks callbacks(int options, bool iterate) {
    jvmtiHeapCallbacks cb;
    memset(&cb, 0, sizeof cb);
    if (options & REFS && iterate) cb.heap_iteration_callback = on_object;
    if (options & REFS && !iterate) cb.heap_reference_callback = on_reference;
    if (options & FIELDS) cb.primitive_field_callback = on_field;
    if (options & ARRAYS) cb.array_primitive_value_callback = on_array;
    if (options & STRINGS) cb.string_primitive_value_callback = on_string;
    return cb;
}
static void finish(const Run *r, jvmtiError e) {
    name_stack();
    for (int i = 0; r->options & BY_CLASS && i < 16; i++)
        if (r->by_class[i]) put("class %d: %ld\n", i, r->by_class[i]);
    if (e) put("%s\n", error_name(e));
}

JNIEXPORT void JNICALL Java_HeapGraph_follow(JNIEnv *jni, jclass c, jobject initial, jint filter, jclass klass, jint options) {
    Run r = {options, 3, {0}};
    jvmtiHeapCallbacks cb = callbacks(options, false);
    calls = 0;
    finish(&r, (*ti)->FollowReferences(ti, filter, klass, initial, &cb, &r));
}
JNIEXPORT void JNICALL Java_HeapGraph_iterate(JNIEnv *jni, jclass c, jint filter, jclass klass, jint options) {
    Run r = {options, 3, {0}};
    jvmtiHeapCallbacks cb = callbacks(options, true);
    calls = 0;
    finish(&r, (*ti)->IterateThroughHeap(ti, filter, klass, &cb, &r));
}

/* ---- Heap (1.0) ---- */

static jvmtiIterationControl answer(Run *r, jlong tag) {
    if (r->options & ABORT && --r->limit <= 0) return JVMTI_ITERATION_ABORT;
    return r->options & NO_VISIT || (r->options & FENCE && tag >= 1000) ? JVMTI_ITERATION_IGNORE : JVMTI_ITERATION_CONTINUE;
}
static jvmtiIterationControl JNICALL on_root_10(jvmtiHeapRootKind kind, jlong class_tag, jlong bytes, jlong *tag, void *user) {
    Run *r = user;
    calls++;
    if (*tag) put("root %d %lld class %lld\n", kind, (long long)*tag, (long long)class_tag);
    return answer(r, *tag);
}
static jvmtiIterationControl JNICALL on_stack_10(jvmtiHeapRootKind kind, jlong class_tag, jlong bytes, jlong *tag,
                                                 jlong thread_tag, jint depth, jmethodID method, jint slot, void *user) {
    Run *r = user;
    calls++;
    if (*tag && n_stack < 4096)
        stack[n_stack++] =
            (struct Stack){method, *tag, thread_tag, 1, -1, depth, slot, kind == JVMTI_HEAP_ROOT_STACK_LOCAL ? 24 : 25};
    return answer(r, *tag);
}
static jvmtiIterationControl JNICALL on_reference_10(jvmtiObjectReferenceKind kind, jlong class_tag, jlong bytes, jlong *tag,
                                                     jlong referrer_tag, jint index, void *user) {
    Run *r = user;
    calls++;
    if (!(r->options & QUIET) && (*tag || referrer_tag))
        put("%s %lld->%lld #%d class %lld\n", kind_name((int)kind), (long long)referrer_tag, (long long)*tag, index,
            (long long)class_tag);
    if (r->options & TAG_ALL && !*tag) *tag = 7;
    return answer(r, *tag);
}
static jvmtiIterationControl JNICALL on_object_10(jlong class_tag, jlong bytes, jlong *tag, void *user) {
    Run *r = user;
    calls++;
    if (class_tag > 0 && class_tag < 16) r->by_class[class_tag]++;
    if (r->options & TAG_ALL && !*tag) *tag = 7;
    return r->options & ABORT && --r->limit <= 0 ? JVMTI_ITERATION_ABORT : JVMTI_ITERATION_CONTINUE;
}
JNIEXPORT void JNICALL Java_HeapGraph_old(JNIEnv *jni, jclass c, jobject object, jclass klass, jint filter, jint options) {
    Run r = {options, 3, {0}};
    calls = 0;
    jvmtiError e;
    if (object) e = (*ti)->IterateOverObjectsReachableFromObject(ti, object, on_reference_10, &r);
    else if (klass) e = (*ti)->IterateOverInstancesOfClass(ti, klass, (jvmtiHeapObjectFilter)filter, on_object_10, &r);
    else if (filter) e = (*ti)->IterateOverHeap(ti, (jvmtiHeapObjectFilter)filter, on_object_10, &r);
    else e = (*ti)->IterateOverReachableObjects(ti, on_root_10, on_stack_10, options & REFS ? on_reference_10 : NULL, &r);
    finish(&r, e);
}

/* ---- tags ---- */

JNIEXPORT void JNICALL Java_HeapGraph_tag(JNIEnv *jni, jclass c, jobject o, jlong tag) { MUST((*ti)->SetTag(ti, o, tag)); }
JNIEXPORT jlong JNICALL Java_HeapGraph_tagOf(JNIEnv *jni, jclass c, jobject o) {
    jlong tag = -1;
    MUST((*ti)->GetTag(ti, o, &tag));
    return tag;
}
JNIEXPORT jlong JNICALL Java_HeapGraph_otherTag(JNIEnv *jni, jclass c, jobject o, jlong tag) {
    jlong old = -1;
    MUST((*other)->GetTag(other, o, &old));
    MUST((*other)->SetTag(other, o, tag));
    return old;
}
JNIEXPORT jlong JNICALL Java_HeapGraph_size(JNIEnv *jni, jclass c, jobject o) {
    jlong n = -1;
    MUST((*ti)->GetObjectSize(ti, o, &n));
    return n;
}
JNIEXPORT jint JNICALL Java_HeapGraph_hash(JNIEnv *jni, jclass c, jobject o) {
    jint n = 0;
    MUST((*ti)->GetObjectHashCode(ti, o, &n));
    return n;
}
JNIEXPORT jobjectArray JNICALL Java_HeapGraph_tagged(JNIEnv *jni, jclass c, jlongArray want) {
    jint n = (*jni)->GetArrayLength(jni, want), count = -1;
    jlong *tags = (*jni)->GetLongArrayElements(jni, want, NULL), *got = NULL;
    jobject *objects = NULL;
    jvmtiError e = (*ti)->GetObjectsWithTags(ti, n, tags, &count, &objects, &got);
    (*jni)->ReleaseLongArrayElements(jni, want, tags, JNI_ABORT);
    if (e) {
        put("%s\n", error_name(e));
        return NULL;
    }
    jobjectArray a = (*jni)->NewObjectArray(jni, count, (*jni)->FindClass(jni, "java/lang/Object"), NULL);
    for (jint i = 0; i < count; i++) {
        jlong tag = 0;
        (*jni)->SetObjectArrayElement(jni, a, i, objects[i]);
        (*ti)->GetTag(ti, objects[i], &tag);
        if (tag != got[i]) put("! tag %lld is not %lld\n", (long long)got[i], (long long)tag);
        (*jni)->DeleteLocalRef(jni, objects[i]);
    }
    (*ti)->Deallocate(ti, (unsigned char *)objects);
    (*ti)->Deallocate(ti, (unsigned char *)got);
    return a;
}
JNIEXPORT void JNICALL Java_HeapGraph_gc(JNIEnv *jni, jclass c) { MUST((*ti)->ForceGarbageCollection(ti)); }

/* ---- roots of native code ---- */

static jobject kept;
JNIEXPORT void JNICALL Java_HeapGraph_keep(JNIEnv *jni, jclass c, jobject o) {
    if (kept) (*jni)->DeleteGlobalRef(jni, kept);
    kept = o ? (*jni)->NewGlobalRef(jni, o) : NULL;
}
/* A local reference that only native code has, during a walk that Java code below it makes. */
JNIEXPORT void JNICALL Java_HeapGraph_fromNative(JNIEnv *jni, jclass c, jlong tag, jlong gone_tag) {
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    jobject mine = (*jni)->AllocObject(jni, object), gone = (*jni)->AllocObject(jni, object);
    MUST((*ti)->SetTag(ti, mine, tag));
    MUST((*ti)->SetTag(ti, gone, gone_tag));
    (*jni)->DeleteLocalRef(jni, gone);
    (*jni)->CallStaticVoidMethod(jni, c, (*jni)->GetStaticMethodID(jni, c, "calledBack", "()V"));
    (*jni)->DeleteLocalRef(jni, mine);
}

JNIEXPORT void JNICALL Java_HeapGraph_argument(JNIEnv *jni, jclass c, jobject a, jlong n, jobject b) {
    (*jni)->CallStaticVoidMethod(jni, c, (*jni)->GetStaticMethodID(jni, c, "fromArgument", "()V"));
}

/* ---- a thread that fights for the raw monitor while the world stands ---- */

static volatile bool fighting;
static pthread_t fighter;
static void *fight(void *arg) {
    JNIEnv *jni = NULL;
    if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&jni, NULL)) put("! not attached\n");
    while (fighting) {
        (*ti)->RawMonitorEnter(ti, monitor);
        (*ti)->RawMonitorExit(ti, monitor);
    }
    (*vm)->DetachCurrentThread(vm);
    return NULL;
}
JNIEXPORT void JNICALL Java_HeapGraph_fight(JNIEnv *jni, jclass c, jboolean on) {
    fighting = on;
    if (on) pthread_create(&fighter, NULL, fight, NULL);
    else pthread_join(fighter, NULL);
}

/* ---- errors ---- */

#define SHOW(call) put("%s: %s\n", #call, error_name(call))
JNIEXPORT void JNICALL Java_HeapGraph_errors(JNIEnv *jni, jclass c, jobject o) {
    jvmtiHeapCallbacks none;
    Run run = {0, 3, {0}};
    jvmtiEnv *poor = new_env(vm);
    jint n = 0;
    jlong tag, zero[1] = {5};
    jclass integer = (*jni)->FindClass(jni, "java/lang/Integer");
    jobject type =
        (*jni)->GetStaticObjectField(jni, integer, (*jni)->GetStaticFieldID(jni, integer, "TYPE", "Ljava/lang/Class;"));
    memset(&none, 0, sizeof none);
    SHOW((*ti)->FollowReferences(ti, 0, NULL, NULL, NULL, NULL));
    SHOW((*ti)->FollowReferences(ti, 0, o, NULL, NULL, NULL));
    SHOW((*ti)->FollowReferences(ti, 0, type, NULL, &none, NULL));
    SHOW((*ti)->FollowReferences(ti, 0xffff, NULL, o, &none, NULL));
    SHOW((*ti)->IterateThroughHeap(ti, 0, NULL, NULL, NULL));
    SHOW((*ti)->IterateThroughHeap(ti, 0, type, &none, NULL));
    SHOW((*ti)->IterateThroughHeap(ti, 0, NULL, &none, NULL));
    SHOW((*ti)->GetTag(ti, NULL, &tag));
    SHOW((*ti)->GetTag(ti, NULL, NULL));
    SHOW((*ti)->GetTag(ti, o, NULL));
    SHOW((*ti)->SetTag(ti, NULL, 1));
    SHOW((*ti)->GetObjectsWithTags(ti, -1, zero, &n, NULL, NULL));
    SHOW((*ti)->GetObjectsWithTags(ti, 1, NULL, &n, NULL, NULL));
    SHOW((*ti)->GetObjectsWithTags(ti, 1, zero, NULL, NULL, NULL));
    SHOW((*ti)->GetObjectsWithTags(ti, 1, zero, &n, NULL, NULL));
    SHOW((*ti)->IterateOverReachableObjects(ti, NULL, NULL, NULL, NULL));
    SHOW((*ti)->IterateOverObjectsReachableFromObject(ti, NULL, on_reference_10, &run));
    SHOW((*ti)->IterateOverObjectsReachableFromObject(ti, o, NULL, NULL));
    SHOW((*ti)->IterateOverHeap(ti, JVMTI_HEAP_OBJECT_EITHER, NULL, NULL));
    SHOW((*ti)->IterateOverInstancesOfClass(ti, NULL, JVMTI_HEAP_OBJECT_EITHER, on_object_10, &run));
    SHOW((*ti)->IterateOverInstancesOfClass(ti, o, JVMTI_HEAP_OBJECT_EITHER, on_object_10, &run));
    SHOW((*ti)->IterateOverInstancesOfClass(ti, integer, JVMTI_HEAP_OBJECT_EITHER, NULL, NULL));
    SHOW((*ti)->IterateOverInstancesOfClass(ti, type, JVMTI_HEAP_OBJECT_EITHER, on_object_10, &run));
    SHOW((*ti)->GetObjectSize(ti, NULL, &tag));
    SHOW((*ti)->GetObjectSize(ti, o, NULL));
    SHOW((*ti)->GetObjectHashCode(ti, NULL, &n));
    SHOW((*ti)->GetObjectHashCode(ti, o, NULL));
    SHOW((*poor)->FollowReferences(poor, 0, NULL, NULL, NULL, NULL));
    SHOW((*poor)->IterateThroughHeap(poor, 0, NULL, NULL, NULL));
    SHOW((*poor)->GetTag(poor, o, &tag));
    SHOW((*poor)->SetTag(poor, o, 1));
    SHOW((*poor)->GetObjectsWithTags(poor, 1, zero, &n, NULL, NULL));
    SHOW((*poor)->IterateOverReachableObjects(poor, NULL, NULL, NULL, NULL));
    SHOW((*poor)->IterateOverHeap(poor, 0, NULL, NULL));
    SHOW((*poor)->SetHeapSamplingInterval(poor, 1));
    SHOW((*poor)->ForceGarbageCollection(poor));
    SHOW((*poor)->DisposeEnvironment(poor));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *java, char *options, void *reserved) {
    jvmtiCapabilities caps;
    memset(&caps, 0, sizeof caps);
    vm = java;
    if (!(ti = new_env(vm)) || !(other = new_env(vm))) return JNI_ERR;
    caps.can_tag_objects = 1;
    MUST((*ti)->AddCapabilities(ti, &caps));
    MUST((*other)->AddCapabilities(other, &caps));
    MUST((*ti)->CreateRawMonitor(ti, "heap", &monitor));
    jvmtiHeapCallbacks none;
    memset(&none, 0, sizeof none);
    say("onload %s %s", error_name((*ti)->FollowReferences(ti, 0, NULL, NULL, &none, NULL)),
        error_name((*ti)->IterateThroughHeap(ti, 0, NULL, &none, NULL)));
    return JNI_OK;
}
