/* SPDX-License-Identifier: Apache-2.0 */
/* Times of heap walks as an agent sees them; see heapbench.sh. */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

static jvmtiEnv *ti;
static long calls;
static jlong next_tag;

static jint JNICALL count_object(jlong class_tag, jlong size, jlong *tag, jint length, void *user) {
    calls++;
    return 0;
}
static jint JNICALL tag_object(jlong class_tag, jlong size, jlong *tag, jint length, void *user) {
    calls++;
    *tag = ++next_tag;
    return 0;
}
static jint JNICALL count_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                    jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                    void *user) {
    calls++;
    return JVMTI_VISIT_OBJECTS;
}
static jint JNICALL tag_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                  jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length,
                                  void *user) {
    calls++;
    if (*tag == 0) *tag = ++next_tag;
    return JVMTI_VISIT_OBJECTS;
}
static jint JNICALL untag_object(jlong class_tag, jlong size, jlong *tag, jint length, void *user) {
    *tag = 0;
    return 0;
}

static jlong now(void) {
    jlong t = 0;
    (*ti)->GetTime(ti, &t);
    return t;
}
static void walk(const char *name, jvmtiHeapIterationCallback object, jvmtiHeapReferenceCallback reference) {
    jvmtiHeapCallbacks cb;
    memset(&cb, 0, sizeof cb);
    cb.heap_iteration_callback = object;
    cb.heap_reference_callback = reference;
    calls = 0;
    jlong from = now();
    jvmtiError e =
        object ? (*ti)->IterateThroughHeap(ti, 0, NULL, &cb, NULL) : (*ti)->FollowReferences(ti, 0, NULL, NULL, &cb, NULL);
    jlong took = now() - from;
    if (e) printf("%s failed %d\n", name, e);
    else if (name) printf("%s %lld %ld\n", name, (long long)(took / 1000), calls);
}
JNIEXPORT void JNICALL Java_HeapBench_measure(JNIEnv *jni, jclass c) {
    jlong from, tag = 1, *tags = NULL;
    jint n = 0;
    jobject *objects = NULL;
    walk("iterate", count_object, NULL);
    walk("follow", NULL, count_reference);
    walk("iterate-tag", tag_object, NULL);
    walk("iterate-tagged", count_object, NULL);
    walk("follow-tagged", NULL, count_reference);
    from = now();
    (*ti)->GetObjectsWithTags(ti, 1, &tag, &n, &objects, &tags);
    printf("find-tag %lld %d\n", (long long)((now() - from) / 1000), n);
    from = now();
    (*ti)->ForceGarbageCollection(ti);
    printf("collect-tagged %lld 0\n", (long long)((now() - from) / 1000));
    walk("untag", untag_object, NULL);
    walk("follow-tag", NULL, tag_reference);
    walk("untag-again", untag_object, NULL);
    fflush(stdout);
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps;
    memset(&caps, 0, sizeof caps);
    caps.can_tag_objects = 1;
    if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    return (jint)(*ti)->AddCapabilities(ti, &caps);
}
