/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events about allocations: SampledObjectAlloc (chapter Heap Monitoring) and VMObjectAlloc.
 *
 * VMObjectAlloc is for what an agent could not see otherwise: objects made by methods that the VM
 * itself implements (Object.clone, Array.newInstance, ...), not those of bytecodes, of JNI functions,
 * or of the VM's own needs.  Those methods fire the hook when the object is complete.  What the callback
 * makes itself is not reported, so a callback may call anything.  (The reference has one exception, objects
 * made in the callback for an object of Constructor.newInstance.)
 *
 * SampledObjectAlloc runs in the middle of an allocation, on the thread that allocates.  Not reported
 * are allocations outside Java threads.
 */
#include "ti_post.h"
#include "object/class.h"

jvmtiError ti_SetHeapSamplingInterval(Ti *x, jint sampling_interval) {
    if (sampling_interval < 0) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    heap_set_sampling_interval((u4)sampling_interval);
    if (x->thread) heap_observe_allocations();
    return JVMTI_ERROR_NONE;
}

static void on_sampled_alloc(Thread *t, Object *o, size_t size) {
    if (!t->java_thread || !view_exists(view_youngest(t)) || !obj_class(o)->mirror) return;
    POST(t, SAMPLED_OBJECT_ALLOC, SampledObjectAlloc, jobject h = handle_local(t, o);
         jclass k = handle_local(t, obj_class(o)->mirror); CALL(SampledObjectAlloc, ti, jni, jt, h, k, (jlong)size))
}
static _Thread_local bool telling;

static void on_vm_alloc(Thread *t, Object *o) {
    if (telling) return;
    telling = true;
    POST(t, VM_OBJECT_ALLOC, VMObjectAlloc, jobject h = handle_local(t, o); jclass k = handle_local(t, obj_class(o)->mirror);
         jlong size = (jlong)heap_object_size(o); CALL(VMObjectAlloc, ti, jni, jt, h, k, size))
    telling = false;
}

void ti_heap_events_init(void) {
    vm_hooks.sampled_alloc = on_sampled_alloc;
    vm_hooks.vm_alloc = on_vm_alloc;
}
