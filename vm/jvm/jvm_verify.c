/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libverify (the type-inferring verifier, class files before version 50) asks
 * about a class.  Everything is read from the class-file model, so the bytes are
 * the original ones.  These functions are called with classes that are being
 * linked; they touch metadata only.
 */
#include "core/reserve.h"
#include "jvm/jvm_int.h"
#include "link/link_int.h"

#include <stdlib.h>

typedef struct JVM_ExceptionTableEntryType {
    jint start_pc, end_pc, handler_pc, catchType;
} JVM_ExceptionTableEntryType;

static ClassVersion *version_of(jclass cb) { return version_under_verification(native_class(cb)); }
static CfClass *model_of(jclass cb) { return version_of(cb)->cf; }
static Method *method_at(jclass cb, jint i) { return &version_of(cb)->methods[i]; }

/* Strings handed out are copies: freed by JVM_ReleaseUTF. */
static const char *copy(CfStr s) {
    char *p = reserve_alloc((size_t)s.len + 1, "the verifier"); /* libverify does not look for NULL */
    if (s.len) memcpy(p, s.p, s.len);
    p[s.len] = 0;
    return p;
}
static const char *copy_symbol(const Symbol *s) { return copy(symbol_str(s)); }
JVM_EXPORT void JVM_ReleaseUTF(const char *utf) { free((void *)utf); }

/* ---- class ---- */

JVM_EXPORT const char *JVM_GetClassNameUTF(JNIEnv *env, jclass cb) { return copy_symbol(native_class(cb)->name); }
JVM_EXPORT jint JVM_GetClassCPEntriesCount(JNIEnv *env, jclass cb) {
    return jvm_is_instance_class(native_class(cb)) ? (jint)model_of(cb)->const_count : 0;
}
JVM_EXPORT void JVM_GetClassCPTypes(JNIEnv *env, jclass cb, unsigned char *types) {
    if (!jvm_is_instance_class(native_class(cb))) return;
    CfClass *c = model_of(cb);
    for (unsigned i = 0; i < c->const_count; i++) types[i] = (unsigned char)cf_tag(c, i);
}
JVM_EXPORT jint JVM_GetClassFieldsCount(JNIEnv *env, jclass cb) {
    return jvm_is_instance_class(native_class(cb)) ? model_of(cb)->field_count : 0;
}
JVM_EXPORT jint JVM_GetClassMethodsCount(JNIEnv *env, jclass cb) {
    return jvm_is_instance_class(native_class(cb)) ? version_of(cb)->n_methods : 0;
}
JVM_EXPORT jboolean JVM_IsSameClassPackage(JNIEnv *env, jclass a, jclass b) {
    return access_same_package(native_class(a), native_class(b));
}
JVM_EXPORT jint JVM_GetFieldIxModifiers(JNIEnv *env, jclass cb, int i) { return model_of(cb)->fields[i].access; }

/* ---- methods ---- */

JVM_EXPORT jint JVM_GetMethodIxModifiers(JNIEnv *env, jclass cb, int i) { return method_at(cb, i)->access; }
JVM_EXPORT const char *JVM_GetMethodIxNameUTF(JNIEnv *env, jclass cb, jint i) { return copy_symbol(method_at(cb, i)->name); }
JVM_EXPORT const char *JVM_GetMethodIxSignatureUTF(JNIEnv *env, jclass cb, jint i) { return copy_symbol(method_at(cb, i)->desc); }
JVM_EXPORT jboolean JVM_IsConstructorIx(JNIEnv *env, jclass cb, int i) { return symbol_eq(method_at(cb, i)->name, "<init>"); }
JVM_EXPORT jboolean JVM_IsVMGeneratedMethodIx(JNIEnv *env, jclass cb, int i) {
    return (method_at(cb, i)->flags & MF_OVERPASS) != 0;
}
JVM_EXPORT jint JVM_GetMethodIxArgsSize(JNIEnv *env, jclass cb, int i) {
    Method *m = method_at(cb, i);
    int n = cf_desc_arg_slots(symbol_str(m->desc), NULL);
    return n + !method_is_static(m);
}

static CfCode code_of(jclass cb, jint i) {
    CfCode code = {0};
    Method *m = method_at(cb, i);
    if (m->cf) cf_code(model_of(cb), m->cf, NULL, &code, NULL);
    return code;
}

JVM_EXPORT jint JVM_GetMethodIxByteCodeLength(JNIEnv *env, jclass cb, jint i) { return (jint)code_of(cb, i).code_len; }
JVM_EXPORT void JVM_GetMethodIxByteCode(JNIEnv *env, jclass cb, jint i, unsigned char *code) {
    CfCode c = code_of(cb, i);
    if (c.code) memcpy(code, c.code, c.code_len);
}
JVM_EXPORT jint JVM_GetMethodIxLocalsCount(JNIEnv *env, jclass cb, int i) { return code_of(cb, i).max_locals; }
JVM_EXPORT jint JVM_GetMethodIxMaxStack(JNIEnv *env, jclass cb, int i) { return code_of(cb, i).max_stack; }
JVM_EXPORT jint JVM_GetMethodIxExceptionTableLength(JNIEnv *env, jclass cb, int i) { return (jint)code_of(cb, i).handlers.count; }
JVM_EXPORT void JVM_GetMethodIxExceptionTableEntry(JNIEnv *env, jclass cb, jint i, jint row, JVM_ExceptionTableEntryType *out) {
    CfCode c = code_of(cb, i);
    CfHandler h = cf_handler(&c.handlers, (uint32_t)row);
    *out = (JVM_ExceptionTableEntryType){h.start, h.end, h.handler, h.type};
}

static CfRows declared_exceptions(jclass cb, jint i) {
    Method *m = method_at(cb, i);
    return m->cf ? class_indices(&m->cf->attrs, CF_ATTR_EXCEPTIONS) : (CfRows){0};
}
JVM_EXPORT jint JVM_GetMethodIxExceptionsCount(JNIEnv *env, jclass cb, jint i) { return (jint)declared_exceptions(cb, i).count; }
JVM_EXPORT void JVM_GetMethodIxExceptionIndexes(JNIEnv *env, jclass cb, jint i, unsigned short *out) {
    CfRows rows = declared_exceptions(cb, i);
    for (uint32_t k = 0; k < rows.count; k++) out[k] = cf_index_at(&rows, k);
}

/* ---- pool ---- */

JVM_EXPORT const char *JVM_GetCPClassNameUTF(JNIEnv *env, jclass cb, jint i) {
    return copy(cf_class_name(model_of(cb), (unsigned)i));
}

typedef struct MemberRef {
    CfStr owner, name, desc;
} MemberRef;
static MemberRef member(jclass cb, jint i) {
    MemberRef r = {0};
    if (!cf_member_ref(model_of(cb), (unsigned)i, &r.owner, &r.name, &r.desc)) {
        cf_name_and_type(model_of(cb), (unsigned)i, &r.name, &r.desc); /* invokedynamic */
    }
    return r;
}

JVM_EXPORT const char *JVM_GetCPFieldNameUTF(JNIEnv *env, jclass cb, jint i) { return copy(member(cb, i).name); }
JVM_EXPORT const char *JVM_GetCPMethodNameUTF(JNIEnv *env, jclass cb, jint i) { return copy(member(cb, i).name); }
JVM_EXPORT const char *JVM_GetCPFieldSignatureUTF(JNIEnv *env, jclass cb, jint i) { return copy(member(cb, i).desc); }
JVM_EXPORT const char *JVM_GetCPMethodSignatureUTF(JNIEnv *env, jclass cb, jint i) { return copy(member(cb, i).desc); }
JVM_EXPORT const char *JVM_GetCPFieldClassNameUTF(JNIEnv *env, jclass cb, jint i) { return copy(member(cb, i).owner); }
JVM_EXPORT const char *JVM_GetCPMethodClassNameUTF(JNIEnv *env, jclass cb, jint i) { return copy(member(cb, i).owner); }

static Symbol *known(CfStr s) { return symbol_lookup(s.p, s.len); }

JVM_EXPORT jint JVM_GetCPFieldModifiers(JNIEnv *env, jclass cb, int i, jclass called) {
    MemberRef r = member(cb, i);
    Symbol *n = known(r.name), *d = known(r.desc);
    Class *c = native_class(called);
    Field *f = n && d && jvm_is_instance_class(c) ? class_find_declared_field(c, n, d) : NULL;
    return f ? f->access : -1;
}
JVM_EXPORT jint JVM_GetCPMethodModifiers(JNIEnv *env, jclass cb, int i, jclass called) {
    MemberRef r = member(cb, i);
    Symbol *n = known(r.name), *d = known(r.desc);
    Class *c = native_class(called);
    Method *m = n && d && jvm_is_instance_class(c) ? class_find_declared_method(c, n, d) : NULL;
    return m ? m->access : -1;
}
