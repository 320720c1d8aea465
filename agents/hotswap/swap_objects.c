/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_objects.c - see swap_objects.h. The classes are tagged, so that the walk reports their objects only; these get a tag by which they are asked
 * for. All tags are taken away again: a collector looks at tags as long as there are any. The capability is asked for when it is first needed.
 */
#include "swap_objects.h"

enum { WANTED = 1, FOUND = 2 };

static bool can_tag(const Agent *a) {
    static bool have;
    jvmtiCapabilities now, want = {.can_tag_objects = 1};
    have = have || (!(*a->ti)->GetCapabilities(a->ti, &now) && now.can_tag_objects) || !(*a->ti)->AddCapabilities(a->ti, &want);
    return have || agent_refuse(a, "this VM does not tell the objects of a class");
}

static jint JNICALL visit(jlong class_tag, jlong size, jlong *tag, jint length, void *user) {
    *tag = FOUND;
    return JVMTI_VISIT_OBJECTS;
}

static void set_tags(const Agent *a, const jobject *v, uint32_t n, jlong tag) {
    for (uint32_t i = 0; i < n; i++) (*a->ti)->SetTag(a->ti, v[i], tag);
}

bool swap_objects(const Agent *a, JNIEnv *env, const jclass *classes, uint32_t n, jobject **objects, jint *count) {
    jvmtiEnv *ti = a->ti;
    jvmtiHeapCallbacks cb = {.heap_iteration_callback = visit};
    jlong found = FOUND;
    *objects = NULL;
    *count = 0;
    if (!can_tag(a)) return false;
    set_tags(a, classes, n, WANTED);
    bool ok = !AGENT_CHECK(a, (*ti)->IterateThroughHeap(ti, JVMTI_HEAP_FILTER_CLASS_UNTAGGED, NULL, &cb, NULL)) &&
              !AGENT_CHECK(a, (*ti)->GetObjectsWithTags(ti, 1, &found, count, objects, NULL));
    set_tags(a, *objects, (uint32_t)*count, 0);
    set_tags(a, classes, n, 0);
    return ok;
}
