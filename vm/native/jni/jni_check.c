/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -Xcheck:jni, part 1: what the checked functions ask before they go on.
 *
 * The checked table (jni_checked.c) is a layer over the plain one: each function looks at its
 * arguments and calls the plain function.  Nothing of it is in the plain functions.  A misuse that the VM survives is a warning with the stack, and the call goes on; one
 * that it does not survive ends the process as FatalError does.  Texts and the order of checks are
 * those that java users know.
 *
 * Array elements and characters handed out lie between guard bands:
 *
 *     | GuardHead: band, size, what made it, the plain pointer | elements | band |
 *
 * The plain pointer is what the plain function returned; release gives it back.  The bands are
 * compared when the elements come home.
 *
 * Exceptions: a call with an exception pending is warned of, unless its function may be so called
 * (MAY_PEND).  After the calls of Java methods the next call must be one that looks (Thread.jni_unchecked names the function; return from the native clears it).
 */
#include "native/jni/jni_check.h"

#include "core/vm.h"
#include "lang/javaclasses.h"
#include "os/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- complaints ---- */

void check_warn(Thread *t, const char *text) {
    vm_fprintf(stdout, "WARNING in native method: %s\n", text);
    jni_print_stack(t);
}

void check_fatal(Thread *t, const char *text) { jni_fatal(t, text); }

/* ---- entry and exit ---- */

static void check_exceptions(Thread *t) {
    if (t->exception) check_warn(t, "JNI call made with exception pending");
    if (!t->jni_unchecked) return;
    char text[200];
    snprintf(text, sizeof text, "JNI call made without checking exceptions when required to from %s", t->jni_unchecked);
    t->jni_unchecked = NULL; /* once */
    check_warn(t, text);
}

Thread *check_enter(JNIEnv *env, u4 flags) {
    Thread *t = thread_self();
    if (!t) {
        vm_fprintf(stdout, "FATAL ERROR in native method: Using JNIEnv in non-Java thread\n");
        vm_abort();
    }
    thread_to_java(t);
    if (env != &t->env) check_fatal(t, "Using JNIEnv in the wrong thread");
    if (t->critical && !(flags & IN_CRITICAL)) {
        vm_fprintf(stdout, "Warning: Calling other JNI functions in the scope of "
                           "Get/ReleasePrimitiveArrayCritical or Get/ReleaseStringCritical\n");
        fflush(stdout);
    }
    if (!(flags & MAY_PEND)) check_exceptions(t);
    else if (flags & LOOKS) t->jni_unchecked = NULL;
    return t;
}

/* ---- references ---- */

Object *check_handle(Thread *t, jobject h) {
    if (handle_kind(t, h) == JNIInvalidRefType) check_fatal(t, "Bad global or local ref passed to JNI");
    return handle_get(h);
}

Object *check_object(Thread *t, jobject h) {
    if (!h) return NULL;
    Object *o = check_handle(t, h);
    if (!o) check_fatal(t, "Bad global or local ref passed to JNI");
    return o;
}

Class *check_class(Thread *t, jclass h, bool primitive_too) {
    Object *m = check_handle(t, h);
    if (!m) check_fatal(t, "JNI received a null class"); /* a cleared weak reference */
    if (obj_class(m) != JC(Class)) check_fatal(t, "JNI received a class argument that is not a class");
    Class *c = mirror_class(m);
    if (!primitive_too && class_is_primitive(c)) check_fatal(t, "JNI received a class argument that is not a class");
    return c;
}

void check_throwable_class(Thread *t, Class *c) {
    if (class_is_primitive(c) || !class_is_subtype(c, JC(Throwable)))
        check_fatal(t, "JNI Throw or ThrowNew received a class argument that is not a Throwable or "
                       "Throwable subclass");
}

void check_string(Thread *t, jstring h) {
    Object *s = h ? check_handle(t, h) : NULL;
    if (!s || obj_class(s) != JC(String)) check_fatal(t, "JNI string operation received a non-string");
}

Class *check_array(Thread *t, jarray h) {
    Object *a = h ? check_handle(t, h) : NULL;
    if (!a || !class_is_array(obj_class(a))) check_fatal(t, "Non-array passed to JNI array operations");
    return obj_class(a);
}

void check_object_array(Thread *t, jarray h) {
    if (class_is_primitive(check_array(t, h)->component))
        check_fatal(t, "Object array expected but not received for JNI array operation");
}

void check_primitive_array(Thread *t, jarray h, int type) {
    Class *c = check_array(t, h);
    if (!class_is_primitive(c->component))
        check_fatal(t, "Primitive type array expected but not received for JNI array operation");
    if (type >= 0 && c->elem_type != type) check_fatal(t, "Array element type mismatch in JNI");
}

/* ---- IDs ---- */

/* Memory that may not be there. */
static bool read_word(const void *at, void **out) { return ((uintptr_t)at & 7) == 0 && os_safe_copy(out, at, sizeof *out); }

/* An ID names a method that names the ID. */
Method *check_method_id(Thread *t, jmethodID id) {
    void *m, *back;
    if (!id || !read_word(id, &m) || !m || !read_word((u1 *)m + offsetof(Method, id), &back) || back != id)
        check_fatal(t, "Wrong object class or methodID passed to JNI call");
    return m;
}

void check_call(Thread *t, jclass cls, jmethodID id, jobject obj) {
    Method *m = check_method_id(t, id);
    bool right = true;
    if (cls) {
        Class *c = check_class(t, cls, true);
        right = !class_is_primitive(c) && class_is_subtype(c, m->holder);
    }
    if (right && obj) {
        Object *o = check_handle(t, obj);
        if (!o) check_fatal(t, "Null object passed to JNI");
        right = class_is_subtype(obj_class(o), m->holder);
    }
    if (!right) check_fatal(t, "Wrong object class or methodID passed to JNI call");
}

static Field *field_of_class(Class *c, jfieldID id) { return class_has_field(c, (Field *)id) ? (Field *)id : NULL; }

static Field *readable_field(jfieldID id) {
    void *holder;
    if (!id || !read_word((u1 *)id + offsetof(Field, holder), &holder)) return NULL;
    if (!class_region_contains(holder)) return NULL;
    return field_of_class(holder, id);
}

static bool same_type(BasicType declared, BasicType asked) {
    return declared == asked || (declared == T_ARRAY && asked == T_OBJECT);
}

void check_instance_field(Thread *t, jobject obj, jfieldID id, BasicType type) {
    Field *any = readable_field(id);
    if (any && any->access & ACC_STATIC) check_fatal(t, "Static field ID passed to JNI");
    Object *o = obj ? check_handle(t, obj) : NULL;
    if (!o) check_fatal(t, "Null object passed to JNI");
    Field *f = field_of_class(obj_class(o), id);
    if (!f) check_fatal(t, "Wrong field ID passed to JNI");
    if (!same_type(f->type, type)) check_fatal(t, "Field type (instance) mismatch in JNI get/set field operations");
}

void check_static_field(Thread *t, jclass cls, jfieldID id, BasicType type) {
    Class *c = check_class(t, cls, false);
    Field *any = readable_field(id);
    if (any && !(any->access & ACC_STATIC)) check_fatal(t, "Non-static field ID passed to JNI");
    Field *f = field_of_class(c, id);
    if (!f) check_fatal(t, "Wrong static field ID passed to JNI");
    if (!same_type(f->type, type)) check_fatal(t, "Field type (static) mismatch in JNI get/set field operations");
}

/* ---- names ---- */

void check_class_name(Thread *t, const char *name) {
    size_t n = name ? strlen(name) : 0;
    if (n < 2 || name[0] != 'L' || name[n - 1] != ';') return;
    char text[600];
    snprintf(text, sizeof text,
             "JNI FindClass received a bad class descriptor \"%s\".  A correct class descriptor has no "
             "leading \"L\" or trailing \";\".  Incorrect descriptors will not be accepted in future "
             "releases.",
             name);
    check_warn(t, text);
}

/* ---- guard bands ---- */

enum { BAND = 16, BAND_BYTE = 0xAB };

typedef struct GuardHead {
    u1 band[BAND];
    size_t size;
    void *plain;
    const char *maker;
    u8 pad;
} GuardHead;
_Static_assert(sizeof(GuardHead) % 16 == 0, "elements stay aligned");

void *guard_wrap(void *plain, size_t size, const char *maker) {
    GuardHead *h = malloc(sizeof *h + size + BAND);
    if (!h) return NULL;
    *h = (GuardHead){.size = size, .plain = plain, .maker = maker};
    memset(h->band, BAND_BYTE, BAND);
    if (size) memcpy(h + 1, plain, size);
    memset((u1 *)(h + 1) + size, BAND_BYTE, BAND);
    return h + 1;
}

static bool band_whole(const u1 *b) {
    for (int i = 0; i < BAND; i++)
        if (b[i] != BAND_BYTE) return false;
    return true;
}

static bool guard_whole(const GuardHead *h) { return band_whole(h->band) && band_whole((const u1 *)(h + 1) + h->size); }

static void print_guard(const GuardHead *h) {
    vm_fprintf(stdout,
               "GuardedMemory(0x%016lx) base_addr=0x%016lx tag=0x%016lxtag2=0x%016lx user_size=%lu "
               "user_data=0x%016lx\n",
               (unsigned long)(uintptr_t)&h, (unsigned long)(uintptr_t)h, (unsigned long)(uintptr_t)h->plain,
               (unsigned long)(uintptr_t)h->maker, (unsigned long)h->size, (unsigned long)(uintptr_t)(h + 1));
    bool head = band_whole(h->band);
    vm_fprintf(stdout, "  Header guard @0x%016lx is %s\n", (unsigned long)(uintptr_t)h, head ? "OK" : "BROKEN");
    if (head)
        vm_fprintf(stdout, "  Trailer guard @0x%016lx is %s\n", (unsigned long)((uintptr_t)(h + 1) + h->size),
                   band_whole((const u1 *)(h + 1) + h->size) ? "OK" : "BROKEN");
}

static void fatal_about(Thread *t, const char *format, const char *fn, const char *other) {
    char text[300];
    snprintf(text, sizeof text, format, fn, other);
    check_fatal(t, text);
}

void *guard_array(Thread *t, const char *fn, const char *maker, jarray array, void *elements, size_t *size) {
    unsigned long a = (unsigned long)(uintptr_t)array, e = (unsigned long)(uintptr_t)elements;
    if (!elements) {
        vm_fprintf(stdout, "%s: elements vector NULL0x%016lx\n", fn, a);
        check_fatal(t, "Elements vector NULL");
    }
    GuardHead *h = (GuardHead *)elements - 1;
    if (!guard_whole(h)) {
        vm_fprintf(stdout,
                   "%s: release array failed bounds check, incorrect pointer returned ? array: "
                   "0x%016lx carray: 0x%016lx\n",
                   fn, a, e);
        print_guard(h);
        fatal_about(t, "%s: failed bounds check", fn, "");
    }
    if (!h->plain) {
        vm_fprintf(stdout, "%s: unrecognized elements. array: 0x%016lx carray: 0x%016lx\n", fn, a, e);
        print_guard(h);
        fatal_about(t, "%s: unrecognized elements", fn, "");
    }
    if (h->maker != maker && strcmp(h->maker, maker) != 0) {
        if (strcmp(maker, "GetPrimitiveArrayCritical") == 0) {
            vm_fprintf(stdout, "%s: called on something not allocated by GetPrimitiveArrayCritical\n", fn);
            fatal_about(t, "%s called on something not allocated by GetPrimitiveArrayCritical", fn, "");
        }
        vm_fprintf(stdout, "%s: called on something allocated by %s\n", fn, h->maker);
        fatal_about(t, "%s called on something allocated by %s", fn, h->maker);
    }
    *size = h->size;
    return h->plain;
}

void *guard_chars(Thread *t, const char *fn, const char *maker, jstring string, const void *chars) {
    unsigned long s = (unsigned long)(uintptr_t)string, c = (unsigned long)(uintptr_t)chars;
    GuardHead *h = (GuardHead *)(uintptr_t)chars - 1;
    if (!guard_whole(h)) {
        vm_fprintf(stdout, "%s: release chars failed bounds check. string: 0x%016lx chars: 0x%016lx\n", fn, s, c);
        print_guard(h);
        fatal_about(t, "%s: release chars failed bounds check.", fn, "");
    }
    if (strcmp(h->maker, maker) != 0) {
        vm_fprintf(stdout, "%s: called on something not allocated by %s. string: 0x%016lx chars: 0x%016lx\n", fn, maker, s, c);
        fatal_about(t, "%s called on something not allocated by %s", fn, maker);
    }
    return h->plain;
}

void guard_free(const void *elements) { free((GuardHead *)(uintptr_t)elements - 1); }

void check_mode(Thread *t, const char *fn, jarray array, const void *elements, jint mode) {
    if (mode == 0 || mode == JNI_COMMIT || mode == JNI_ABORT) return;
    vm_fprintf(stdout, "%s: Unrecognized mode %i releasing array 0x%016lx elements 0x%016lx\n", fn, mode,
               (unsigned long)(uintptr_t)array, (unsigned long)(uintptr_t)elements);
    check_fatal(t, "Unrecognized array release mode");
}
