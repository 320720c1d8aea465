/* SPDX-License-Identifier: Apache-2.0 */
/* agent_hostile - natives of Hostile.java: a heap walk from a frame, its locals, and how long they take. */
#include "agent_test.h"
#include <time.h>

static jvmtiEnv *ti;
static jlong kept_tag = 77;

static jint JNICALL reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                              jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *found) {
    (void)class_tag, (void)referrer_class_tag, (void)size, (void)referrer_tag, (void)length, (void)info;
    if (kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL && *tag == kept_tag) *(int *)found = 1;
    return 0;
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}
/* Is `kept` found in a local of this stack?  Milliseconds of the walk in times[0], of a local in times[1]. */
JNIEXPORT jboolean JNICALL Java_Hostile_walk(JNIEnv *jni, jclass self, jobject kept, jint depth, jdoubleArray times) {
    (void)self;
    jvmtiHeapCallbacks calls = {.heap_reference_callback = reference};
    int found = 0;
    jobject value = NULL;
    jint number = 0;
    MUST((*ti)->SetTag(ti, kept, kept_tag));
    double start = now();
    MUST((*ti)->FollowReferences(ti, 0, NULL, NULL, &calls, &found));
    double walked = now();
    jvmtiError a = (*ti)->GetLocalObject(ti, NULL, depth, 0, &value);
    double got = now();
    jvmtiError b = (*ti)->GetLocalInt(ti, NULL, depth, 1, &number);
    jdouble ms[] = {walked - start, got - walked};
    (*jni)->SetDoubleArrayRegion(jni, times, 0, 2, ms);
    MUST((*ti)->SetTag(ti, kept, 0));
    bool right = !a && (*jni)->IsSameObject(jni, value, kept) && !b && number == 1;
    bool refused = (a == JVMTI_ERROR_TYPE_MISMATCH || a == JVMTI_ERROR_INVALID_SLOT) &&
                   (b == JVMTI_ERROR_TYPE_MISMATCH || b == JVMTI_ERROR_INVALID_SLOT);
    if (!right && !refused) say("! local 0 %s, local 1 %s %d", error_name(a), error_name(b), number);
    return found != 0;
}
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    jvmtiCapabilities c = {.can_tag_objects = 1, .can_access_local_variables = 1};
    ti = new_env(vm);
    MUST((*ti)->AddCapabilities(ti, &c));
    return 0;
}
