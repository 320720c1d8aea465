/* SPDX-License-Identifier: Apache-2.0 */
/* Events about allocations and collections, driven by Allocs.java. */
#include "agent_test.h"
#include <jni.h>

static jvmtiEnv *ti;
static jrawMonitorID monitor;
static jthread watched; /* global reference; NULL: every thread */
static volatile bool on;

/* ---- what was seen: counts by class, in order of first sight ---- */

typedef struct Seen {
    char name[120];
    long n, bytes;
} Seen;
static Seen seen[512];
static int n_seen;
static long total, wrong_size, no_stack, in_handler, starts, finishes, unpaired, freed;

static void count(const char *name, jlong size) {
    for (int i = 0; i < n_seen; i++)
        if (strcmp(seen[i].name, name) == 0) {
            seen[i].n++;
            seen[i].bytes += size;
            return;
        }
    if (n_seen < 512) {
        snprintf(seen[n_seen].name, sizeof seen[0].name, "%s", name);
        seen[n_seen].n = 1;
        seen[n_seen++].bytes = size;
    }
}
static void note(JNIEnv *jni, jthread t, jobject o, jclass k, jlong size) {
    char *name = NULL, *method = NULL, key[120];
    jlong real = 0;
    jmethodID m;
    jlocation at;
    if (!on || (watched && !(*jni)->IsSameObject(jni, t, watched))) return;
    (*ti)->RawMonitorEnter(ti, monitor);
    total++;
    if ((*ti)->GetObjectSize(ti, o, &real) || real != size || !(*jni)->IsInstanceOf(jni, o, k)) wrong_size++;
    if ((*ti)->GetFrameLocation(ti, NULL, 0, &m, &at) || (*ti)->GetMethodName(ti, m, &method, NULL, NULL)) no_stack++;
    if (MUST((*ti)->GetClassSignature(ti, k, &name, NULL))) {
        snprintf(key, sizeof key, "%.80s in %.30s", name, method ? method : "?");
        count(key, size);
        (*ti)->Deallocate(ti, (unsigned char *)name);
    }
    (*ti)->Deallocate(ti, (unsigned char *)method);
    (*ti)->RawMonitorExit(ti, monitor);
    (*jni)->AllocObject(jni, (*jni)->FindClass(jni, "java/lang/Object")); /* not reported, not for ever */
    in_handler++;
}
static void JNICALL on_sample(jvmtiEnv *e, JNIEnv *jni, jthread t, jobject o, jclass k, jlong size) { note(jni, t, o, k, size); }
static _Thread_local int depth;
static bool quiet;  /* it makes nothing */
static long nested; /* events for what the callback itself makes */
static void JNICALL on_vm_alloc(jvmtiEnv *e, JNIEnv *jni, jthread t, jobject o, jclass k, jlong size) {
    jclass array = (*jni)->FindClass(jni, "java/lang/reflect/Array");
    jmethodID make = (*jni)->GetStaticMethodID(jni, array, "newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;");
    note(jni, t, o, k, size);
    if (!on || quiet) return;
    if (depth) nested++;
    if (++depth < 4) (*jni)->CallStaticObjectMethod(jni, array, make, k, 1);
    depth--;
}

static void *storage_value(void) {
    void *v = NULL;
    (*ti)->GetEnvironmentLocalStorage(ti, &v);
    return v;
}
static void JNICALL on_gc_start(jvmtiEnv *e) {
    unsigned char *memory = NULL;
    (*ti)->RawMonitorEnter(ti, monitor);
    if (starts++ != finishes || storage_value() != &total) unpaired++;
    if ((*ti)->Allocate(ti, 100, &memory) || (*ti)->Deallocate(ti, memory)) unpaired++;
    (*ti)->RawMonitorExit(ti, monitor);
}
static void JNICALL on_gc_finish(jvmtiEnv *e) {
    (*ti)->RawMonitorEnter(ti, monitor);
    if (++finishes != starts) unpaired++;
    (*ti)->RawMonitorNotifyAll(ti, monitor);
    (*ti)->RawMonitorExit(ti, monitor);
}
static void JNICALL on_free(jvmtiEnv *e, jlong tag) {
    (*ti)->RawMonitorEnter(ti, monitor);
    freed += tag;
    (*ti)->RawMonitorExit(ti, monitor);
}

/* ---- natives ---- */

JNIEXPORT void JNICALL Java_Allocs_mode(JNIEnv *jni, jclass c, jint event, jboolean enable, jthread t) {
    MUST((*ti)->SetEventNotificationMode(ti, enable ? JVMTI_ENABLE : JVMTI_DISABLE, (jvmtiEvent)event, t));
}
JNIEXPORT jint JNICALL Java_Allocs_interval(JNIEnv *jni, jclass c, jint n) { return (jint)(*ti)->SetHeapSamplingInterval(ti, n); }
JNIEXPORT void JNICALL Java_Allocs_watch(JNIEnv *jni, jclass c, jthread t, jboolean begin) {
    if (begin) {
        n_seen = 0;
        total = 0;
        watched = t ? (*jni)->NewGlobalRef(jni, t) : NULL;
    }
    on = begin;
}
JNIEXPORT jlong JNICALL Java_Allocs_figure(JNIEnv *jni, jclass c, jint which) {
    long all[] = {total, wrong_size, no_stack, in_handler > 0, starts, finishes, unpaired, freed, nested};
    return all[which];
}
JNIEXPORT jstring JNICALL Java_Allocs_seen(JNIEnv *jni, jclass c, jint least) {
    static char text[100000];
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < n_seen && used < sizeof text - 200; i++)
        if (seen[i].n >= least) used += (size_t)sprintf(text + used, "%s: %ld\n", seen[i].name, seen[i].n);
    return (*jni)->NewStringUTF(jni, text);
}
JNIEXPORT void JNICALL Java_Allocs_jni(JNIEnv *jni, jclass c, jclass k, jint n) {
    for (jint i = 0; i < n; i++) {
        (*jni)->DeleteLocalRef(jni, (*jni)->AllocObject(jni, k));
        (*jni)->DeleteLocalRef(jni, (*jni)->NewIntArray(jni, 10));
    }
}
JNIEXPORT void JNICALL Java_Allocs_quiet(JNIEnv *jni, jclass c, jboolean b) { quiet = b; }
JNIEXPORT void JNICALL Java_Allocs_tag(JNIEnv *jni, jclass c, jobject o, jlong tag) { MUST((*ti)->SetTag(ti, o, tag)); }
JNIEXPORT void JNICALL Java_Allocs_gc(JNIEnv *jni, jclass c) { MUST((*ti)->ForceGarbageCollection(ti)); }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps;
    jvmtiEventCallbacks cb;
    if (!(ti = new_env(vm))) return JNI_ERR;
    memset(&caps, 0, sizeof caps);
    memset(&cb, 0, sizeof cb);
    caps.can_tag_objects = caps.can_generate_vm_object_alloc_events = caps.can_generate_sampled_object_alloc_events = 1;
    caps.can_generate_garbage_collection_events = caps.can_generate_object_free_events = 1;
    MUST((*ti)->AddCapabilities(ti, &caps));
    cb.SampledObjectAlloc = on_sample;
    cb.VMObjectAlloc = on_vm_alloc;
    cb.GarbageCollectionStart = on_gc_start;
    cb.GarbageCollectionFinish = on_gc_finish;
    cb.ObjectFree = on_free;
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    MUST((*ti)->CreateRawMonitor(ti, "alloc", &monitor));
    MUST((*ti)->SetEnvironmentLocalStorage(ti, &total));
    say("onload interval %s %s", error_name((*ti)->SetHeapSamplingInterval(ti, -1)),
        error_name((*ti)->SetHeapSamplingInterval(ti, 1000)));
    return JNI_OK;
}
