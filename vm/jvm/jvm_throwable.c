/* SPDX-License-Identifier: Apache-2.0 */
/* Throwable and StackTraceElement. */
#include "jvm/jvm_int.h"

#include "core/options.h"
#include "frame/backtrace.h"
#include "frame/frame_view.h"
#include "invoke/invoke.h"
#include "object/method.h"

JVM_EXPORT void JVM_FillInStackTrace(JNIEnv *env, jobject throwable) {
    IN_JAVA Thread *t = native_enter(env);
    backtrace_fill(t, handle_get(throwable));
}

static Object *source_file(Thread *t, const Method *m) {
    CfStr s = method_source_file(m);
    return s.p ? string_intern_symbol(t, symbol_intern(s.p, s.len)) : NULL;
}

/* Lines of old code would be read in new source: "Unknown Source", unless old frames make old traces likely, as the reference. What
 * agents put into a class by retransformation is no new source (there the reference forgets the lines, too). */
static bool is_of_old_source(const Method *m) {
    return m->next_version && !m->version->running && m->version->source != m->holder->version->source;
}

static void jvm_fill_stack_element(Thread *t, Object *e, Method *m, u4 bci) {
    Class *c = m->holder;
    Object *s;
    JSET_REF(e, StackTraceElement, declaringClassObject, c->mirror);
    if (!(s = jvm_class_name(t, c))) return;
    JSET_REF(e, StackTraceElement, declaringClass, s);
    if (!(s = string_intern_symbol(t, m->name))) return;
    JSET_REF(e, StackTraceElement, methodName, s);
    if (c->loader->java) {
        s = JGET_REF(c->loader->java, ClassLoader, name);
        if (s) JSET_REF(e, StackTraceElement, classLoaderName, s);
    }
    if (c->module && c->module->name) {
        if (!(s = string_intern_symbol(t, c->module->name))) return;
        JSET_REF(e, StackTraceElement, moduleName, s);
        s = c->module->version ? string_intern_symbol(t, c->module->version) : NULL;
        if (t->exception) return;
        JSET_REF(e, StackTraceElement, moduleVersion, s);
    }
    if (is_of_old_source(m)) {
        JSET_INT(e, StackTraceElement, lineNumber, -1);
        return;
    }
    s = source_file(t, m);
    if (t->exception) return;
    JSET_REF(e, StackTraceElement, fileName, s);
    JSET_INT(e, StackTraceElement, lineNumber, method_is_native(m) ? -2 : method_line_number(m, bci));
}

Object *jvm_new_stack_element(Thread *t, Method *m, u4 bci) {
    Object *e = class_new_object(t, JC(StackTraceElement));
    if (e) jvm_fill_stack_element(t, e, m, bci);
    return t->exception ? NULL : e;
}

JVM_EXPORT void JVM_InitStackTraceElementArray(JNIEnv *env, jobjectArray elements, jobject throwable) {
    IN_JAVA Thread *t = native_enter(env);
    Object *list = handle_get(elements), *ex = handle_get(throwable);
    if (!list || !ex) return throw_plain(t, EX_NullPointerException);
    Object *trace = JGET_REF(ex, Throwable, backtrace);
    int32_t depth = backtrace_depth(trace);
    if (depth != array_len(list)) return throw_plain(t, EX_IndexOutOfBoundsException);
    for (int32_t i = 0; i < depth && !t->exception; i++) {
        Method *m;
        u4 bci;
        Object *e = array_ref(list, i);
        if (!e) throw_plain(t, EX_NullPointerException);
        else if (backtrace_frame(trace, i, &m, &bci)) jvm_fill_stack_element(t, e, m, bci);
    }
}

JVM_EXPORT void JVM_InitStackTraceElement(JNIEnv *env, jobject element, jobject info) {
    IN_JAVA Thread *t = native_enter(env);
    Object *i = handle_get(info);
    Object *mn = JGET_REF(i, StackFrameInfo, memberName);
    Method *m = mn ? mh_member_target(mn) : NULL;
    if (m) jvm_fill_stack_element(t, handle_get(element), m, (u4)JGET_INT(i, StackFrameInfo, bci));
    else throw_new(t, EX_InternalError, "no method in StackFrameInfo");
}

JVM_EXPORT jstring JVM_GetExtendedNPEMessage(JNIEnv *env, jthrowable throwable) {
    IN_JAVA Thread *t = native_enter(env);
    Object *ex = handle_get(throwable);
    Object *trace = ex ? JGET_REF(ex, Throwable, backtrace) : NULL;
    Method *m;
    u4 bci;
    char text[2048];
    bool known = vm_options.npe_messages && trace && !backtrace_hidden_top(trace) && backtrace_frame(trace, 0, &m, &bci) &&
                 !method_is_native(m) && exec_npe_message(m, bci, text, sizeof text);
    return known ? handle_local(t, string_from_cstr(t, text)) : NULL;
}
