/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_meddle - natives of tests/stress/Meddled.java: what tools do to a program that runs, many at once. Each thread that calls step()
 * does one operation; two environments share them. What an operation answers is judged where it must hold whatever the others do.
 */
#include "agent_test.h"

#include <stdatomic.h>

enum { ENVIRONMENTS = 2, WANTED = 6, BROKEN = 3 };

static jvmtiEnv *ti[ENVIRONMENTS];
static jclass work; /* Meddled.Work */
static jmethodID methods[WANTED];
static jint n_methods;
static jfieldID watched;
static atomic_long seen[JVMTI_MAX_EVENT_TYPE_VAL + 1 - JVMTI_MIN_EVENT_TYPE_VAL], freed;
static atomic_int next_tag = 1;

static void count(jvmtiEvent e) { atomic_fetch_add_explicit(&seen[e - JVMTI_MIN_EVENT_TYPE_VAL], 1, memory_order_relaxed); }
/* Said once a kind: a wrong answer comes a thousand times. */
static void wrong(const char *what, jvmtiError e) {
    static atomic_int said;
    if (atomic_fetch_add(&said, 1) < 20) say("! %s: %s", what, error_name(e));
}
static void allow(const char *what, jvmtiError e, jvmtiError also, jvmtiError or_also) {
    if (e && e != also && e != or_also) wrong(what, e);
}

/* ---- events ---- */

static void name_of(jvmtiEnv *e, jmethodID m, const char *where) {
    char *name = NULL;
    jvmtiError r = (*e)->GetMethodName(e, m, &name, NULL, NULL);
    if (r || !name[0]) wrong(where, r);
    (*e)->Deallocate(e, (unsigned char *)name);
}
static void JNICALL on_entry(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m) {
    count(JVMTI_EVENT_METHOD_ENTRY);
    name_of(e, m, "name at entry");
    if (atomic_load(&seen[0]) % 7 == 0)
        allow("NotifyFramePop", (*e)->NotifyFramePop(e, NULL, 0), JVMTI_ERROR_OPAQUE_FRAME, JVMTI_ERROR_DUPLICATE);
}
static void JNICALL on_exit_of(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean thrown, jvalue v) {
    count(JVMTI_EVENT_METHOD_EXIT);
    name_of(e, m, "name at exit");
}
static void JNICALL on_pop(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jboolean thrown) {
    count(JVMTI_EVENT_FRAME_POP);
    name_of(e, m, "name at pop");
}
static void JNICALL on_breakpoint(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at) {
    jmethodID here;
    jlocation where;
    count(JVMTI_EVENT_BREAKPOINT);
    jvmtiError r = (*e)->GetFrameLocation(e, NULL, 0, &here, &where);
    if (r || where != at) wrong("place of a breakpoint", r);
}
static void JNICALL on_exception(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jobject x, jmethodID by,
                                 jlocation to) {
    count(JVMTI_EVENT_EXCEPTION);
    name_of(e, m, "name at exception");
}
static void JNICALL on_modified(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass k, jobject o, jfieldID f,
                                char sig, jvalue v) {
    jlong tag;
    count(JVMTI_EVENT_FIELD_MODIFICATION);
    if (f != watched) wrong("field of a modification", JVMTI_ERROR_NONE);
    allow("GetTag", (*e)->GetTag(e, o, &tag), 0, 0);
}
static void JNICALL on_prepare(jvmtiEnv *e, JNIEnv *env, jthread t, jclass k) {
    char *name = NULL;
    count(JVMTI_EVENT_CLASS_PREPARE);
    allow("GetClassSignature", (*e)->GetClassSignature(e, k, &name, NULL), 0, 0);
    (*e)->Deallocate(e, (unsigned char *)name);
}
static void JNICALL on_alloc(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o, jclass k, jlong size) {
    count(JVMTI_EVENT_VM_OBJECT_ALLOC);
    allow("SetTag", (*e)->SetTag(e, o, atomic_fetch_add(&next_tag, 1)), 0, 0);
}
static void JNICALL on_free(jvmtiEnv *e, jlong tag) {
    count(JVMTI_EVENT_OBJECT_FREE);
    if (tag <= 0 || tag >= atomic_load(&next_tag)) wrong("tag of a freed object", JVMTI_ERROR_NONE);
    atomic_fetch_add(&freed, 1);
}
static void JNICALL on_contended(jvmtiEnv *e, JNIEnv *env, jthread t, jobject o) { count(JVMTI_EVENT_MONITOR_CONTENDED_ENTER); }
static void JNICALL on_thread(jvmtiEnv *e, JNIEnv *env, jthread t) { count(JVMTI_EVENT_THREAD_START); }
static void JNICALL on_collection(jvmtiEnv *e) { count(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH); }
static void JNICALL on_file(jvmtiEnv *e, JNIEnv *env, jclass old, jobject loader, const char *name, jobject domain, jint n,
                            const unsigned char *bytes, jint *new_n, unsigned char **new_bytes) {
    count(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    if (n < 4 || bytes[0] != 0xca) wrong("bytes of a class", JVMTI_ERROR_NONE);
}
static const jvmtiEvent switched[] = {
    JVMTI_EVENT_METHOD_ENTRY,
    JVMTI_EVENT_METHOD_EXIT,
    JVMTI_EVENT_FRAME_POP,
    JVMTI_EVENT_EXCEPTION,
    JVMTI_EVENT_FIELD_MODIFICATION,
    JVMTI_EVENT_CLASS_PREPARE,
    JVMTI_EVENT_VM_OBJECT_ALLOC,
    JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
    JVMTI_EVENT_THREAD_START,
    JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
    JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
};
enum { SWITCHED = sizeof switched / sizeof *switched };

/* ---- operations ---- */

typedef struct Walk {
    jvmtiEnv *e;
    long objects, tagged;
} Walk;
static jint JNICALL visit(jlong class_tag, jlong size, jlong *tag, jint length, void *data) {
    Walk *w = data;
    if (size < 8 || size % 8) wrong("size of an object", JVMTI_ERROR_NONE);
    if (*tag) w->tagged++;
    else if (w->objects % 16 == 0) *tag = atomic_fetch_add(&next_tag, 1);
    w->objects++;
    return JVMTI_VISIT_OBJECTS;
}
static jint JNICALL follow(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag, jlong from_class_tag,
                           jlong size, jlong *tag, jlong *from_tag, jint length, void *data) {
    ((Walk *)data)->objects++;
    return *tag % 5 == 4 ? 0 : JVMTI_VISIT_OBJECTS;
}
static void walk_heap(jvmtiEnv *e, bool references) {
    jvmtiHeapCallbacks cb = {.heap_iteration_callback = visit, .heap_reference_callback = follow};
    Walk w = {e, 0, 0};
    allow("heap walk",
          references ? (*e)->FollowReferences(e, 0, NULL, NULL, &cb, &w) : (*e)->IterateThroughHeap(e, 0, NULL, &cb, &w), 0, 0);
    if (!w.objects) wrong("objects of a heap walk", JVMTI_ERROR_NONE);
}
static void tagged_objects(jvmtiEnv *e, JNIEnv *env) {
    jlong tags[64];
    jint n = 0;
    jobject *found = NULL;
    jlong last = atomic_load(&next_tag), *theirs = NULL;
    for (int i = 0; i < 64; i++) tags[i] = last > 64 ? last - 64 + i : i + 1;
    allow("GetObjectsWithTags", (*e)->GetObjectsWithTags(e, 64, tags, &n, &found, &theirs), 0, 0);
    for (jint i = 0; i < n; i++) {
        jlong tag;
        if (i % 3 == 0) allow("SetTag", (*e)->SetTag(e, found[i], 0), 0, 0);
        else if ((*e)->GetTag(e, found[i], &tag) || !(*env)->GetObjectClass(env, found[i]))
            wrong("a tagged object", JVMTI_ERROR_NONE);
    }
    (*e)->Deallocate(e, (unsigned char *)found);
    (*e)->Deallocate(e, (unsigned char *)theirs);
}
static void breakpoint(jvmtiEnv *e, unsigned pick) {
    jmethodID m = methods[pick % BROKEN % (unsigned)n_methods];
    if (pick & 8) allow("SetBreakpoint", (*e)->SetBreakpoint(e, m, 0), JVMTI_ERROR_DUPLICATE, 0);
    else allow("ClearBreakpoint", (*e)->ClearBreakpoint(e, m, 0), JVMTI_ERROR_NOT_FOUND, 0);
}
static void watch(jvmtiEnv *e, unsigned pick) {
    if (pick & 8) allow("SetFieldModificationWatch", (*e)->SetFieldModificationWatch(e, work, watched), JVMTI_ERROR_DUPLICATE, 0);
    else allow("ClearFieldModificationWatch", (*e)->ClearFieldModificationWatch(e, work, watched), JVMTI_ERROR_NOT_FOUND, 0);
}
static void all_stacks(jvmtiEnv *e) {
    jvmtiStackInfo *stacks = NULL;
    jint n = 0;
    allow("GetAllStackTraces", (*e)->GetAllStackTraces(e, 20, &stacks, &n), 0, 0);
    for (jint i = 0; i < n; i++)
        for (jint k = 0; k < stacks[i].frame_count; k++) {
            char *name = NULL; /* its class may be gone by now */
            allow("GetMethodName", (*e)->GetMethodName(e, stacks[i].frame_buffer[k].method, &name, NULL, NULL),
                  JVMTI_ERROR_INVALID_METHODID, 0);
            (*e)->Deallocate(e, (unsigned char *)name);
        }
    (*e)->Deallocate(e, (unsigned char *)stacks);
}
static void all_classes(jvmtiEnv *e, JNIEnv *env) {
    jclass *k = NULL;
    jint n = 0;
    allow("GetLoadedClasses", (*e)->GetLoadedClasses(e, &n, &k), 0, 0);
    for (jint i = n - 1; i >= 0 && i > n - 40; i--) {
        char *name = NULL;
        jint m = 0;
        jmethodID *ids = NULL;
        allow("GetClassSignature", (*e)->GetClassSignature(e, k[i], &name, NULL), 0, 0);
        allow("GetClassMethods", (*e)->GetClassMethods(e, k[i], &m, &ids), JVMTI_ERROR_CLASS_NOT_PREPARED, 0);
        (*e)->Deallocate(e, (unsigned char *)name);
        (*e)->Deallocate(e, (unsigned char *)ids);
    }
    for (jint i = 0; i < n; i++) (*env)->DeleteLocalRef(env, k[i]);
    (*e)->Deallocate(e, (unsigned char *)k);
}
/* One of the threads that work, never one of those that call step(): two of them would stop each other for good. */
static void suspend(jvmtiEnv *e, JNIEnv *env, jthread victim) {
    jvmtiError r = (*e)->SuspendThread(e, victim);
    jint n = 0;
    allow("SuspendThread", r, JVMTI_ERROR_THREAD_SUSPENDED, JVMTI_ERROR_THREAD_NOT_ALIVE);
    if (r) return;
    allow("GetFrameCount", (*e)->GetFrameCount(e, victim, &n), 0, 0);
    allow("ResumeThread", (*e)->ResumeThread(e, victim), 0, 0);
}
static void set_callbacks(jvmtiEnv *e, bool most);
static void JNICALL on_entry_of_passing(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m) {
    char *name = NULL;
    allow("GetMethodName", (*e)->GetMethodName(e, m, &name, NULL, NULL), JVMTI_ERROR_INVALID_ENVIRONMENT, 0);
    (*ti[0])->Deallocate(ti[0], (unsigned char *)name);
}
/* One that comes and goes while the others are asked. */
static void passing(JNIEnv *env) {
    JavaVM *vm;
    jvmtiEnv *e;
    jvmtiCapabilities caps = {.can_generate_method_entry_events = 1, .can_tag_objects = 1};
    if ((*env)->GetJavaVM(env, &vm)) return;
    e = new_env(vm);
    allow("AddCapabilities", (*e)->AddCapabilities(e, &caps), 0, 0);
    jvmtiEventCallbacks cb = {.MethodEntry = on_entry_of_passing}; /* it may be running when its environment is gone */
    allow("SetEventCallbacks", (*e)->SetEventCallbacks(e, &cb, sizeof cb), 0, 0);
    allow("enable", (*e)->SetEventNotificationMode(e, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL), 0, 0);
    walk_heap(e, false);
    allow("DisposeEnvironment", (*e)->DisposeEnvironment(e), 0, 0);
}
static void locals(jvmtiEnv *e, JNIEnv *env, jthread victim) {
    jvmtiError r = (*e)->SuspendThread(e, victim);
    allow("SuspendThread", r, JVMTI_ERROR_THREAD_SUSPENDED, JVMTI_ERROR_THREAD_NOT_ALIVE);
    if (r) return;
    for (jint depth = 0; depth < 4; depth++) {
        jobject self = NULL;
        jint n;
        (*e)->GetLocalInt(e, victim, depth, 1, &n); /* whatever is there */
        if ((*e)->GetLocalObject(e, victim, depth, 0, &self) == JVMTI_ERROR_NONE && self && !(*env)->GetObjectClass(env, self))
            wrong("an object of a frame", JVMTI_ERROR_NONE);
    }
    allow("ResumeThread", (*e)->ResumeThread(e, victim), 0, 0);
}
static void owned(jvmtiEnv *e, JNIEnv *env, jthread victim) {
    jint n = 0;
    jvmtiMonitorStackDepthInfo *info = NULL;
    allow("GetOwnedMonitorStackDepthInfo", (*e)->GetOwnedMonitorStackDepthInfo(e, victim, &n, &info),
          JVMTI_ERROR_THREAD_NOT_ALIVE, 0);
    for (jint i = 0; i < n; i++) (*env)->DeleteLocalRef(env, info[i].monitor);
    (*e)->Deallocate(e, (unsigned char *)info);
}

/* One operation, chosen by the number. */
JNIEXPORT void JNICALL Java_Meddled_step(JNIEnv *env, jclass me, jint number, jthread victim) {
    unsigned pick = (unsigned)number * 2654435761u >> 8;
    jvmtiEnv *e = ti[pick >> 4 & 1];
    switch (pick % 16) {
    case 0: walk_heap(e, pick >> 6 & 1); break;
    case 1: tagged_objects(e, env); break;
    case 2:
    case 3: breakpoint(e, pick >> 5); break;
    case 4: watch(e, pick >> 5); break;
    case 5: all_stacks(e); break;
    case 6: all_classes(e, env); break;
    case 7: suspend(e, env, victim); break;
    case 8: owned(e, env, victim); break;
    case 9: allow("RetransformClasses", (*e)->RetransformClasses(e, 1, &work), 0, 0); break;
    case 10:
        if (pick >> 6 & 1) allow("ForceGarbageCollection", (*e)->ForceGarbageCollection(e), 0, 0);
        else set_callbacks(e, pick >> 7 & 3);
        break;
    case 11:
        if (pick >> 6 & 1) locals(e, env, victim);
        else if ((pick >> 7 & 7) == 0) passing(env);
        break;
    default: {
        jvmtiEvent which = switched[(pick >> 6) % SWITCHED];
        jthread who = pick >> 12 & 1 ? victim : NULL;
        if (which == JVMTI_EVENT_THREAD_START || which == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK ||
            which == JVMTI_EVENT_VM_OBJECT_ALLOC || which == JVMTI_EVENT_GARBAGE_COLLECTION_FINISH)
            who = NULL;
        /* most of the time off: entries of everything are slow */
        allow("SetEventNotificationMode",
              (*e)->SetEventNotificationMode(e, pick >> 16 & 3 ? JVMTI_DISABLE : JVMTI_ENABLE, which, who),
              JVMTI_ERROR_THREAD_NOT_ALIVE, 0);
    }
    }
}
JNIEXPORT void JNICALL Java_Meddled_begin(JNIEnv *env, jclass me, jclass k) {
    jint n = 0;
    jmethodID *ids = NULL;
    work = (*env)->NewGlobalRef(env, k);
    watched = (*env)->GetFieldID(env, k, "sum", "I");
    MUST((*ti[0])->GetClassMethods(ti[0], k, &n, &ids));
    for (jint i = 0; i < n && n_methods < WANTED; i++) {
        char *name = NULL;
        MUST((*ti[0])->GetMethodName(ti[0], ids[i], &name, NULL, NULL));
        if (name[0] != '<') methods[n_methods++] = ids[i];
        (*ti[0])->Deallocate(ti[0], (unsigned char *)name);
    }
    (*ti[0])->Deallocate(ti[0], (unsigned char *)ids);
}
/* Everything off; whether enough was seen for the run to say something. */
JNIEXPORT jboolean JNICALL Java_Meddled_end(JNIEnv *env, jclass me, jboolean verbose) {
    static const jvmtiEvent needed[] = {JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_BREAKPOINT, JVMTI_EVENT_EXCEPTION,
                                        JVMTI_EVENT_OBJECT_FREE, JVMTI_EVENT_FIELD_MODIFICATION};
    bool enough = true;
    for (int i = 0; i < ENVIRONMENTS; i++)
        for (int k = 0; k < SWITCHED; k++) MUST((*ti[i])->SetEventNotificationMode(ti[i], JVMTI_DISABLE, switched[k], NULL));
    for (unsigned k = 0; k < sizeof needed / sizeof *needed; k++)
        enough &= atomic_load(&seen[needed[k] - JVMTI_MIN_EVENT_TYPE_VAL]) > 0;
    for (unsigned k = 0; verbose && k < sizeof seen / sizeof *seen; k++)
        if (atomic_load(&seen[k])) fprintf(stderr, "event %u: %ld\n", JVMTI_MIN_EVENT_TYPE_VAL + k, atomic_load(&seen[k]));
    return enough;
}

static void set_callbacks(jvmtiEnv *e, bool most) {
    jvmtiEventCallbacks cb = {
        .MethodEntry = most ? on_entry : NULL,
        .MethodExit = most ? on_exit_of : NULL,
        .FramePop = on_pop,
        .Breakpoint = on_breakpoint,
        .Exception = on_exception,
        .FieldModification = on_modified,
        .ClassPrepare = on_prepare,
        .VMObjectAlloc = on_alloc,
        .ObjectFree = on_free,
        .MonitorContendedEnter = on_contended,
        .ThreadStart = on_thread,
        .GarbageCollectionFinish = on_collection,
        .ClassFileLoadHook = on_file,
    };
    allow("SetEventCallbacks", (*e)->SetEventCallbacks(e, &cb, sizeof cb), 0, 0);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    for (int i = 0; i < ENVIRONMENTS; i++) {
        jvmtiCapabilities caps;
        ti[i] = new_env(vm);
        MUST((*ti[i])->GetPotentialCapabilities(ti[i], &caps));
        MUST((*ti[i])->AddCapabilities(ti[i], &caps));
        set_callbacks(ti[i], true);
        enable(ti[i], JVMTI_EVENT_BREAKPOINT);
        enable(ti[i], JVMTI_EVENT_OBJECT_FREE);
    }
    return JNI_OK;
}
