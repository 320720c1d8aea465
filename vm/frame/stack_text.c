/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as text, with the locks of each frame, in the form java users know from thread dumps. */
#include "frame/stack_text.h"
#include "exec/throw.h"
#include "frame/frame_view.h"
#include "lang/javaclasses.h"
#include "load/loader.h"
#include "object/class.h"
#include "object/version.h"

ModuleText class_module_text(const Class *c) {
    ModuleText text = {""};
    const Class *e = class_element(c);
    const Module *m = class_is_primitive(e) ? java_base_module : e->module;
    if (m && m->name)
        snprintf(text.s, sizeof text.s, "%s%s%s", m->name->bytes, m->version ? "@" : "", m->version ? m->version->bytes : "");
    return text;
}

static void stack_print_lock(FILE *out, const char *what, Object *o) {
    fprintf(out, "\t- %s <0x%016lx> (a %s", what, (unsigned long)(uintptr_t)o, class_text(obj_class(o)).s);
    if (obj_class(o) == JC(Class)) {
        Class *c = mirror_class(o);
        fprintf(out, " for %s", c ? class_text(c).s : "?");
    }
    fprintf(out, ")\n");
}

static void print_position(FILE *out, FrameView v) {
    const Method *m = view_method(v);
    ModuleText module = class_module_text(m->holder);
    CfStr file = method_source_file(m);
    int line = method_line_number(m, view_bci(v));
    fprintf(out, "\tat %s.%s(%s%s", class_text(m->holder).s, m->name->bytes, module.s, *module.s ? "/" : "");
    if (method_is_native(m)) fprintf(out, "Native Method)\n");
    else if (!file.p) fprintf(out, "Unknown Source)\n");
    else if (line >= 0) fprintf(out, "%.*s:%d)\n", CF_STR_ARGS(file), line);
    else fprintf(out, "%.*s)\n", CF_STR_ARGS(file));
}

static void print_waited_for(FILE *out, const Thread *k, int status) {
    if (k->waiting_on) stack_print_lock(out, status == JT_BLOCKED ? "waiting to re-lock in wait()" : "waiting on", k->waiting_on);
    else if (k->blocked_on) stack_print_lock(out, "waiting to lock", k->blocked_on);
    else if (k->java_thread && (status == JT_PARKED || status == JT_PARKED_TIMED)) {
        Object *b = JGET_REF(k->java_thread, Thread, parkBlocker);
        if (b) stack_print_lock(out, "parking to wait for ", b);
    }
}

void stack_print(FILE *out, const Thread *k) {
    int status = k->java_thread ? JGET_INT(k->java_thread, Thread, threadStatus) : JT_RUNNABLE;
    FOR_EACH_FRAME(v, k) {
        print_position(out, v);
        if (view_same(v, view_youngest(k))) print_waited_for(out, k, status);
        for (const LockRecord *l = view_locks(v); l; l = l->next)
            if (l->object != k->blocked_on) stack_print_lock(out, "locked", l->object);
        Object *o = view_sync_object(v);
        if (o && o != k->blocked_on) stack_print_lock(out, "locked", o);
    }
}
