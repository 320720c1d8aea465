/* SPDX-License-Identifier: Apache-2.0 */
/* Chapter Class. */
#include "ti.h"
#include "object/field.h"
#include "object/version.h"
#include "redefine/redefine.h"
#include "invoke/invoke.h"
#include "heap/heap_upcall.h"
#include <stdlib.h>
#include <string.h>

static void add_class(Class *c, void *arg) {
    if (c->mirror && !class_is_primitive(c) && atomic_load(&c->state) >= CLASS_LOADED) ti_refs_add(arg, c->mirror);
}
static void add_with_arrays(Class *c, void *arg) {
    for (; c; c = atomic_load(&c->array_class)) add_class(c, arg);
}
static void collect_loaded(void *arg) { loader_visit_all_classes(add_class, arg); }

jvmtiError ti_GetLoadedClasses(Ti *x, jint *class_count_ptr, jclass **classes_ptr) {
    TiRefs r = {0};
    safepoint_run("JVM TI GetLoadedClasses", collect_loaded, &r);
    return ti_refs_give(x, &r, class_count_ptr, classes_ptr);
}

typedef struct Initiated {
    Loader *loader;
    TiRefs refs;
} Initiated;
static void collect_initiated(void *arg) {
    Initiated *i = arg;
    loader_visit_initiated(i->loader, add_with_arrays, &i->refs);
    for (BasicType b = T_BOOLEAN; b <= T_LONG; b++) add_with_arrays(primitive_classes[b], &i->refs);
}
jvmtiError ti_GetClassLoaderClasses(Ti *x, jobject initiating_loader, jint *class_count_ptr, jclass **classes_ptr) {
    Initiated i = {.loader = loader_of(handle_get(initiating_loader))};
    safepoint_run("JVM TI GetClassLoaderClasses", collect_initiated, &i);
    return ti_refs_give(x, &i.refs, class_count_ptr, classes_ptr);
}

/* The '+' before the suffix of a hidden class's name is a '.' in signatures. */
static char *dot_before_suffix(char *s) {
    char *plus = strrchr(s, '+');
    if (plus) *plus = '.';
    return s;
}
/* "Ljava/lang/String;", "[I", "I"; hidden classes: "LFoo.0x1;", arrays of them: "[LFoo.0x1;". */
static char *signature_of(Class *c) {
    char *s = malloc(c->name->len + 3u);
    if (!s) return NULL;
    s[class_descriptor(c, s)] = 0;
    return class_element(c)->flags & CF_HIDDEN ? dot_before_suffix(s) : s;
}
static jvmtiError copy_text(CfStr s, char **out) {
    *out = strndup(s.p, s.len);
    return *out ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}
static bool has_file(Class *c) { return c->version && c->version->cf; }

static jvmtiError generic_signature(Class *c, char **out) {
    if (!out) return JVMTI_ERROR_NONE;
    *out = NULL;
    CfStr s = has_file(c) ? cf_signature(c->version->cf, &c->version->cf->attrs) : (CfStr){0};
    return s.p ? copy_text(s, out) : JVMTI_ERROR_NONE;
}
jvmtiError ti_GetClassSignature(Ti *x, jclass klass, char **signature_ptr, char **generic_ptr) {
    Class *c = ti_class(klass);
    char *s = signature_ptr ? signature_of(c) : NULL;
    if (signature_ptr && !s) return JVMTI_ERROR_OUT_OF_MEMORY;
    jvmtiError e = generic_signature(c, generic_ptr);
    if (e) free(s);
    else if (signature_ptr) *signature_ptr = s;
    return e;
}

jvmtiError ti_GetClassStatus(Ti *x, jclass klass, jint *status_ptr) {
    Class *c = ti_class(klass);
    if (class_is_primitive(c)) return TI_ANSWER(status_ptr, JVMTI_CLASS_STATUS_PRIMITIVE);
    if (class_is_array(c)) return TI_ANSWER(status_ptr, JVMTI_CLASS_STATUS_ARRAY);
    int s = atomic_load(&c->state);
    jint v = 0;
    if (s >= CLASS_LINKED) v |= JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED;
    if (s == CLASS_ERRONEOUS) v |= JVMTI_CLASS_STATUS_ERROR; /* linked before it failed */
    if (s == CLASS_INITIALIZED) v |= JVMTI_CLASS_STATUS_INITIALIZED;
    return TI_ANSWER(status_ptr, v);
}

jvmtiError ti_GetSourceFileName(Ti *x, jclass klass, char **source_name_ptr) {
    Class *c = ti_class(klass);
    if (!has_file(c)) return JVMTI_ERROR_ABSENT_INFORMATION;
    u2 idx = cf_attr_index(cf_attr(&c->version->cf->attrs, CF_ATTR_SOURCE_FILE));
    CfStr s = cf_utf8(c->version->cf, idx);
    return s.p ? copy_text(s, source_name_ptr) : JVMTI_ERROR_ABSENT_INFORMATION;
}
jvmtiError ti_GetSourceDebugExtension(Ti *x, jclass klass, char **source_debug_extension_ptr) {
    Class *c = ti_class(klass);
    const CfAttr *a = has_file(c) ? cf_attr(&c->version->cf->attrs, CF_ATTR_SOURCE_DEBUG_EXTENSION) : NULL;
    return a ? copy_text((CfStr){(const char *)a->data, a->len}, source_debug_extension_ptr) : JVMTI_ERROR_ABSENT_INFORMATION;
}

/* As java.lang.Class.getModifiers, with ACC_SUPER of the class itself. */
jvmtiError ti_GetClassModifiers(Ti *x, jclass klass, jint *modifiers_ptr) {
    Class *c = ti_class(klass);
    return TI_ANSWER(modifiers_ptr, (jint)(class_modifiers(c) | (c->access & ACC_SUPER)));
}

static bool prepared(Class *c) { return atomic_load(&c->state) >= CLASS_LINKED; }
/* Initialisation failed: the reference does not answer every question then. */
static bool failed(Class *c) { return atomic_load(&c->state) == CLASS_ERRONEOUS; }
static bool plain(Class *c) { return !class_is_array(c) && !class_is_primitive(c); }

/* Begins an answer that is empty for arrays and primitives: true if it is the whole answer. */
static bool no_members(Class *c, jint *count, void *list, jvmtiError *e) {
    *count = 0;
    *(void **)list = NULL;
    *e = plain(c) && !prepared(c) ? JVMTI_ERROR_CLASS_NOT_PREPARED : JVMTI_ERROR_NONE;
    return !plain(c) || *e;
}

jvmtiError ti_GetClassMethods(Ti *x, jclass klass, jint *method_count_ptr, jmethodID **methods_ptr) {
    Class *c = ti_class(klass);
    jvmtiError e;
    if (no_members(c, method_count_ptr, methods_ptr, &e)) return e;
    int n = c->version->n_methods;
    jmethodID *v = ti_alloc((size_t)n * sizeof *v);
    if (n && !v) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < n; i++) {
        Method *m = &c->version->methods[i]; /* in the order of the first version; asked for is this file's */
        v[m->cf->index] = (jmethodID)method_id(m);
    }
    *method_count_ptr = n;
    *methods_ptr = v;
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetClassFields(Ti *x, jclass klass, jint *field_count_ptr, jfieldID **fields_ptr) {
    Class *c = ti_class(klass);
    jvmtiError e;
    if (no_members(c, field_count_ptr, fields_ptr, &e)) return e;
    jfieldID *v = ti_alloc((size_t)c->n_fields * sizeof *v);
    if (c->n_fields && !v) return JVMTI_ERROR_OUT_OF_MEMORY;
    jint n = 0;
    for (int i = 0; i < c->n_fields; i++)
        if (!(c->fields[i].flags & FIELD_INJECTED)) FIELD_FLAG_SET(&c->fields[i], FIELD_NAMED), v[n++] = (jfieldID)&c->fields[i];
    *field_count_ptr = n;
    *fields_ptr = v;
    return JVMTI_ERROR_NONE;
}
jvmtiError ti_GetImplementedInterfaces(Ti *x, jclass klass, jint *interface_count_ptr, jclass **interfaces_ptr) {
    Class *c = ti_class(klass);
    jvmtiError e;
    if (no_members(c, interface_count_ptr, interfaces_ptr, &e)) return e;
    TiRefs r = {0};
    for (int i = 0; i < c->n_interfaces; i++) ti_refs_add(&r, c->interfaces[i]->mirror);
    return ti_refs_give(x, &r, interface_count_ptr, interfaces_ptr);
}
jvmtiError ti_GetClassVersionNumbers(Ti *x, jclass klass, jint *minor_version_ptr, jint *major_version_ptr) {
    Class *c = ti_class(klass);
    if (!has_file(c)) return JVMTI_ERROR_ABSENT_INFORMATION;
    if (failed(c)) return JVMTI_ERROR_INVALID_CLASS;
    *minor_version_ptr = c->version->minor;
    *major_version_ptr = c->version->major;
    return JVMTI_ERROR_NONE;
}
/* The pool as it stands in the class file: indices agree with GetBytecodes. */
jvmtiError ti_GetConstantPool(Ti *x, jclass klass, jint *constant_pool_count_ptr, jint *constant_pool_byte_count_ptr,
                              unsigned char **constant_pool_bytes_ptr) {
    Class *c = ti_class(klass);
    if (!has_file(c)) return JVMTI_ERROR_ABSENT_INFORMATION;
    if (failed(c)) return JVMTI_ERROR_INVALID_CLASS;
    const CfClass *cf = c->version->cf;
    u4 start = 10, n = cf->pool_end - start; /* magic, versions, count */
    *constant_pool_count_ptr = (jint)cf->const_count;
    *constant_pool_byte_count_ptr = (jint)n;
    return ti_bytes(cf->bytes + start, n, constant_pool_bytes_ptr);
}
jvmtiError ti_IsInterface(Ti *x, jclass klass, jboolean *is_interface_ptr) {
    Class *c = ti_class(klass);
    return TI_ANSWER(is_interface_ptr, plain(c) && class_is_interface(c));
}
jvmtiError ti_IsArrayClass(Ti *x, jclass klass, jboolean *is_array_class_ptr) {
    return TI_ANSWER(is_array_class_ptr, class_is_array(ti_class(klass)));
}
jvmtiError ti_IsModifiableClass(Ti *x, jclass klass, jboolean *is_modifiable_class_ptr) {
    return TI_ANSWER(is_modifiable_class_ptr, class_is_modifiable(ti_class(klass)));
}
jvmtiError ti_GetClassLoader(Ti *x, jclass klass, jobject *classloader_ptr) {
    Class *c = ti_class(klass);
    return TI_ANSWER(classloader_ptr, c->loader ? handle_local(x->thread, loader_object(c->loader)) : NULL);
}
