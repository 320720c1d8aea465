/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JNI strings.  Characters handed out are copies, except GetStringCritical of a
 * UTF-16 string, which is the array itself (the heap never moves what a handle
 * names); its release tells the two apart by the address.
 */
#include "native/jni/jni_int.h"

#include "lang/javaclasses.h"
#include "lang/string.h"

#include <stdlib.h>

jstring jni_NewString(JNIEnv *env, const jchar *chars, jsize len) {
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, string_from_utf16(t, chars, len));
}

jsize jni_GetStringLength(JNIEnv *env, jstring s) {
    IN_JAVA Thread *t = native_enter(env);
    return string_length(handle_get(s));
}

static jchar *copy_chars(Thread *t, Object *s) {
    int32_t n = string_length(s);
    jchar *out = malloc(((size_t)n + 1) * sizeof *out);
    if (!out) return throw_oom(t, "GetStringChars"), NULL;
    string_get_utf16(s, 0, n, out);
    out[n] = 0;
    return out;
}

const jchar *jni_GetStringChars(JNIEnv *env, jstring s, jboolean *is_copy) {
    IN_JAVA Thread *t = native_enter(env);
    jchar *r = copy_chars(t, handle_get(s));
    if (r && is_copy) *is_copy = JNI_TRUE;
    return r;
}

void jni_ReleaseStringChars(JNIEnv *env, jstring s, const jchar *chars) { free((void *)chars); }

jstring jni_NewStringUTF(JNIEnv *env, const char *bytes) {
    if (!bytes) return NULL;
    IN_JAVA Thread *t = native_enter(env);
    return handle_local(t, string_from_cstr(t, bytes));
}

jsize jni_GetStringUTFLength(JNIEnv *env, jstring s) {
    IN_JAVA Thread *t = native_enter(env);
    return (jsize)string_mutf8_length(handle_get(s));
}

const char *jni_GetStringUTFChars(JNIEnv *env, jstring s, jboolean *is_copy) {
    IN_JAVA Thread *t = native_enter(env);
    char *r = string_to_cstr(handle_get(s));
    if (!r) throw_oom(t, "GetStringUTFChars");
    else if (is_copy) *is_copy = JNI_TRUE;
    return r;
}

void jni_ReleaseStringUTFChars(JNIEnv *env, jstring s, const char *chars) { free((void *)chars); }

static bool region_ok(Thread *t, Object *s, jsize start, jsize len) {
    if (start >= 0 && len >= 0 && start <= string_length(s) - len) return true;
    return throw_plain(t, EX_StringIndexOutOfBoundsException), false;
}

void jni_GetStringRegion(JNIEnv *env, jstring str, jsize start, jsize len, jchar *buf) {
    IN_JAVA Thread *t = native_enter(env);
    Object *s = handle_get(str);
    if (region_ok(t, s, start, len)) string_get_utf16(s, start, len, buf);
}

void jni_GetStringUTFRegion(JNIEnv *env, jstring str, jsize start, jsize len, char *buf) {
    IN_JAVA Thread *t = native_enter(env);
    Object *s = handle_get(str);
    if (region_ok(t, s, start, len) && buf) string_get_mutf8(s, start, len, buf);
}

const jchar *jni_GetStringCritical(JNIEnv *env, jstring str, jboolean *is_copy) {
    IN_JAVA Thread *t = native_enter(env);
    Object *s = handle_get(str);
    bool direct = OBJ_FIELD(u1, s, jc_off.String_coder) != 0;
    jchar *r = direct ? array_data(JGET_REF(s, String, value)) : copy_chars(t, s);
    if (r) {
        t->critical += direct; /* a copy needs no care */
        if (is_copy) *is_copy = !direct;
    }
    return r;
}

void jni_ReleaseStringCritical(JNIEnv *env, jstring str, const jchar *chars) {
    IN_JAVA Thread *t = native_enter(env);
    Object *s = handle_get(str);
    if ((const void *)chars == array_data(JGET_REF(s, String, value))) t->critical--;
    else free((void *)chars);
}
