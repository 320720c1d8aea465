/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Exception event: told once for each exception, where it is first seen, with the place that will catch it.
 *
 * An exception is seen in the frame that throws it: of bytecode when its frame is unwound, of a native method before its
 * frame goes.  On its way out it passes C code (a native method that called Java) and is
 * seen again in the frame below: `told_exception` keeps it from being told twice.  It is forgotten where the exception is
 * caught, by a handler or by JNI's ExceptionClear, so that one that is thrown again is told again.  What leaves a class
 * initialiser is caught there, by the procedure of initialisation, which throws it again as itself or as the cause of another.
 */
#include "core/hooks.h"
#include "exec/exec.h"
#include "frame/frame_view.h"
#include "link/link.h"
#include "object/class.h"
#include "object/method.h"
#include "object/version.h"

/* Does the handler take ex?  Looks, does not resolve: what is not resolved yet is compared by name. */
static bool takes(const Method *m, const ExHandler *h, Object *ex) {
    if (!h->catch_type) return true;
    ClassVersion *v = m->version;
    if (v->pool_state[h->catch_type] == POOL_RESOLVED) return obj_instanceof(ex, v->pool[h->catch_type].klass);
    Symbol *want = pool_class_name(v, h->catch_type);
    Class *k = obj_class(ex);
    while (k && k->name != want) k = k->super;
    return k != NULL;
}

/* Natives, the VM's own included, have no handlers and are passed. */
static Method *find_catcher(const Thread *t, Object *ex, u4 *bci) {
    FOR_EACH_FRAME(v, t) {
        if (view_is_opaque(v)) continue;
        Method *m = view_method(v);
        u4 at = view_bci(v);
        for (u4 i = 0; i < m->n_handlers; i++) {
            const ExHandler *h = &m->handlers[i];
            if (at < h->start || at >= h->end || !takes(m, h, ex)) continue;
            *bci = h->handler;
            return m;
        }
    }
    return NULL;
}

void exec_tell_exception(Thread *t) {
    if (t->exception == t->told_exception) return;
    Object *ex = exception_take(t);
    t->told_exception = ex;
    FrameView v = view_youngest(t);
    u4 catch_bci = 0;
    Method *catcher = find_catcher(t, ex, &catch_bci);
    vm_hooks.exception(t, view_method(v), view_bci(v), ex, catcher, catch_bci);
    if (!t->exception) t->exception = ex;
}
