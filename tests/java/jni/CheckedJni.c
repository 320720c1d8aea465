/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of tests/jni/CheckJni.java: misuses of JNI, each in a run of its own. */
#include "jnitest.h"

#include <pthread.h>

#define SCENARIO(name) static jint name(JNIEnv *env, jclass cls, jobject a, jobject b)

static jmethodID smethod(JNIEnv *env, jclass c) { return E->GetStaticMethodID(env, c, "smethod", "(I)I"); }

/* ---- exceptions ---- */
SCENARIO(pending) {
    E->ThrowNew(env, E->FindClass(env, "java/lang/Error"), "x");
    E->NewStringUTF(env, "with an exception pending");
    E->GetArrayLength(env, b);
    E->ExceptionClear(env);
    return 1;
}
SCENARIO(pending_allowed) {
    jobject l = E->NewLocalRef(env, a), g = E->NewGlobalRef(env, a);
    jweak w = E->NewWeakGlobalRef(env, a);
    jint *p = E->GetIntArrayElements(env, b, NULL), *q = E->GetPrimitiveArrayCritical(env, b, NULL);
    E->MonitorEnter(env, a);
    E->ReleasePrimitiveArrayCritical(env, b, q, 0);
    E->ThrowNew(env, E->FindClass(env, "java/lang/Error"), "x");
    E->ReleaseIntArrayElements(env, b, p, 0);
    E->DeleteLocalRef(env, l);
    E->DeleteGlobalRef(env, g);
    E->DeleteWeakGlobalRef(env, w);
    E->MonitorExit(env, a);
    E->PushLocalFrame(env, 3);
    E->PopLocalFrame(env, NULL);
    E->ExceptionCheck(env);
    E->ExceptionOccurred(env);
    E->ExceptionDescribe(env);
    E->ExceptionClear(env);
    return 1;
}
SCENARIO(unchecked) {
    jmethodID m = smethod(env, cls);
    E->CallStaticIntMethod(env, cls, m, 1);
    E->CallStaticIntMethod(env, cls, m, 1);
    E->ExceptionCheck(env);
    jvalue v = {.i = 3};
    E->CallStaticIntMethodA(env, cls, m, &v);
    E->GetVersion(env);
    return 1;
}
SCENARIO(unchecked_failed) {
    E->CallStaticVoidMethod(env, cls, E->GetStaticMethodID(env, cls, "fails", "()V"));
    E->NewIntArray(env, 1);
    E->FindClass(env, "java/lang/String");
    return 1;
}
SCENARIO(unchecked_elements) {
    jobjectArray o = E->NewObjectArray(env, 2, cls, NULL);
    E->GetObjectArrayElement(env, o, 0);
    E->GetVersion(env);
    E->SetObjectArrayElement(env, o, 0, NULL);
    E->GetVersion(env);
    jint buf[2];
    E->GetIntArrayRegion(env, b, 0, 1, buf);
    E->GetVersion(env);
    E->SetIntArrayRegion(env, b, 0, 1, buf);
    E->GetVersion(env);
    return 1;
}
SCENARIO(unchecked_others) {
    jmethodID k = E->GetMethodID(env, cls, "<init>", "()V");
    E->NewObject(env, cls, k);
    E->GetVersion(env);
    jchar c[3];
    char u[30];
    jstring s = E->NewStringUTF(env, "abc");
    E->GetVersion(env);
    E->GetStringRegion(env, s, 0, 1, c);
    E->GetVersion(env);
    E->GetStringUTFRegion(env, s, 0, 1, u);
    E->GetVersion(env);
    E->NewIntArray(env, 1);
    E->MonitorEnter(env, s);
    E->MonitorExit(env, s);
    E->AllocObject(env, cls);
    E->GetVersion(env);
    return 1;
}
SCENARIO(unchecked_nonvirtual) {
    jmethodID m = E->GetMethodID(env, cls, "method", "(I)I");
    E->CallIntMethod(env, a, m, 1);
    E->CallNonvirtualIntMethod(env, a, cls, m, 1);
    E->PushLocalFrame(env, 1);
    E->PopLocalFrame(env, NULL);
    E->ExceptionClear(env);
    E->CallIntMethod(env, a, m, 1);
    E->ExceptionDescribe(env);
    E->GetVersion(env);
    return 1;
}
/* ---- local references ---- */
SCENARIO(refs) {
    for (int i = 0; i < 100; i++) E->NewStringUTF(env, "local");
    return 1;
}
SCENARIO(refs_ensured) {
    E->EnsureLocalCapacity(env, 100);
    for (int i = 0; i < 150; i++) E->NewStringUTF(env, "local");
    return 1;
}
SCENARIO(refs_frame) {
    E->PushLocalFrame(env, 10);
    for (int i = 0; i < 50; i++) E->NewStringUTF(env, "local");
    E->PopLocalFrame(env, NULL);
    for (int i = 0; i < 40; i++) E->DeleteLocalRef(env, E->NewStringUTF(env, "local"));
    return 1;
}
SCENARIO(negative_capacity) { return E->EnsureLocalCapacity(env, -1); }
SCENARIO(negative_frame) { return E->PushLocalFrame(env, -1); }
/* ---- handles ---- */
SCENARIO(bad_handle) { return E->GetObjectClass(env, (jobject)0x12345678) != NULL; }
SCENARIO(null_class) { return E->GetMethodID(env, NULL, "x", "()V") != NULL; }
SCENARIO(not_a_class) { return E->GetMethodID(env, a, "x", "()V") != NULL; }
SCENARIO(primitive_class) {
    jclass i = E->FindClass(env, "java/lang/Integer");
    jclass p = E->GetStaticObjectField(env, i, E->GetStaticFieldID(env, i, "TYPE", "Ljava/lang/Class;"));
    say("%d", E->IsAssignableFrom(env, p, p));
    return E->GetMethodID(env, p, "x", "()V") != NULL;
}
SCENARIO(deleted_local) {
    jobject l = E->NewLocalRef(env, a);
    jobject k = E->NewLocalRef(env, a);
    E->DeleteLocalRef(env, l);
    (void)k;
    return E->GetObjectClass(env, l) != NULL;
}
SCENARIO(deleted_global) {
    jobject g = E->NewGlobalRef(env, a);
    E->DeleteGlobalRef(env, g);
    return E->IsSameObject(env, g, a);
}
SCENARIO(local_as_global) {
    E->DeleteGlobalRef(env, a);
    return 1;
}
SCENARIO(global_as_local) {
    E->DeleteLocalRef(env, E->NewGlobalRef(env, a));
    return 1;
}
SCENARIO(global_as_weak) {
    E->DeleteWeakGlobalRef(env, E->NewGlobalRef(env, a));
    return 1;
}
SCENARIO(null_object) { return E->IsInstanceOf(env, NULL, cls); }
/* ---- members ---- */
SCENARIO(wrong_object) { return E->CallIntMethod(env, b, E->GetMethodID(env, cls, "method", "(I)I"), 1); }
SCENARIO(wrong_class) {
    return E->CallNonvirtualIntMethod(env, a, E->FindClass(env, "java/lang/String"), E->GetMethodID(env, cls, "method", "(I)I"),
                                      1);
}
SCENARIO(null_method) { return E->CallStaticIntMethod(env, cls, NULL, 1); }
SCENARIO(null_method_virtual) { return E->CallIntMethod(env, a, NULL, 1); }
SCENARIO(static_class_of_method) {
    return E->CallStaticIntMethod(env, E->FindClass(env, "java/lang/String"), smethod(env, cls), 1);
}
SCENARIO(field_null) { return E->GetIntField(env, NULL, E->GetFieldID(env, cls, "field", "I")); }
SCENARIO(field_wrong_object) {
    return E->GetIntField(env, E->AllocObject(env, E->FindClass(env, "java/lang/Object")), E->GetFieldID(env, cls, "field", "I"));
}
SCENARIO(field_wrong_type) { return (jint)E->GetLongField(env, a, E->GetFieldID(env, cls, "field", "I")); }
SCENARIO(field_object_type) { return E->GetObjectField(env, a, E->GetFieldID(env, cls, "field", "I")) != NULL; }
SCENARIO(field_static_id) { return E->GetIntField(env, a, E->GetStaticFieldID(env, cls, "sfield", "I")); }
SCENARIO(static_instance_id) { return E->GetStaticIntField(env, cls, E->GetFieldID(env, cls, "field", "I")); }
SCENARIO(static_wrong_type) { return (jint)E->GetStaticDoubleField(env, cls, E->GetStaticFieldID(env, cls, "sfield", "I")); }
SCENARIO(static_wrong_class) {
    return E->GetStaticIntField(env, E->FindClass(env, "java/lang/String"), E->GetStaticFieldID(env, cls, "sfield", "I"));
}
SCENARIO(set_wrong_type) {
    E->SetObjectField(env, a, E->GetFieldID(env, cls, "field", "I"), a);
    return 1;
}
/* ---- strings, arrays ---- */
SCENARIO(not_string) { return E->GetStringLength(env, a); }
SCENARIO(null_string) { return E->GetStringUTFLength(env, NULL); }
SCENARIO(not_array) { return E->GetArrayLength(env, a); }
SCENARIO(null_array) { return E->GetArrayLength(env, NULL); }
SCENARIO(not_object_array) { return E->GetObjectArrayElement(env, b, 0) != NULL; }
SCENARIO(not_primitive_array) { return E->GetIntArrayElements(env, E->NewObjectArray(env, 1, cls, NULL), NULL) != NULL; }
SCENARIO(element_type) { return E->GetLongArrayElements(env, b, NULL) != NULL; }
SCENARIO(region_type) {
    jbyte x;
    E->GetByteArrayRegion(env, b, 0, 1, &x);
    return 1;
}
SCENARIO(array_elements) {
    jboolean copy = 7;
    jint *p = E->GetIntArrayElements(env, b, &copy), out[3];
    p[0] = 10;
    E->ReleaseIntArrayElements(env, b, p, JNI_COMMIT);
    p[1] = 20;
    E->ReleaseIntArrayElements(env, b, p, 0);
    p = E->GetIntArrayElements(env, b, NULL);
    p[2] = 30;
    E->ReleaseIntArrayElements(env, b, p, JNI_ABORT);
    E->GetIntArrayRegion(env, b, 0, 3, out);
    E->ExceptionCheck(env);
    say("%d: %d %d %d", copy, out[0], out[1], out[2]);
    jint *q = E->GetPrimitiveArrayCritical(env, b, &copy);
    q[2] = 40;
    E->ReleasePrimitiveArrayCritical(env, b, q, 0);
    E->GetIntArrayRegion(env, b, 0, 3, out);
    E->ExceptionCheck(env);
    say("%d: %d %d %d", copy, out[0], out[1], out[2]);
    const char *u = E->GetStringUTFChars(env, E->NewStringUTF(env, "chars"), &copy);
    say("%s %d", u, copy);
    return 1;
}
SCENARIO(array_overrun) {
    jint *p = E->GetIntArrayElements(env, b, NULL);
    p[3] = 77;
    E->ReleaseIntArrayElements(env, b, p, 0);
    return 1;
}
SCENARIO(array_underrun) {
    jint *p = E->GetIntArrayElements(env, b, NULL);
    memset(p - 16, 1, 8);
    memset((char *)p - 60, 2, 56);
    E->ReleaseIntArrayElements(env, b, p, 0);
    return 1;
}
SCENARIO(critical_overrun) {
    char *p = E->GetPrimitiveArrayCritical(env, b, NULL);
    p[12] = 1;
    E->ReleasePrimitiveArrayCritical(env, b, p, 0);
    return 1;
}
SCENARIO(chars_overrun) {
    jstring s = E->NewStringUTF(env, "text");
    char *p = (char *)E->GetStringUTFChars(env, s, NULL);
    p[5] = 'x';
    E->ReleaseStringUTFChars(env, s, p);
    return 1;
}
SCENARIO(wchars_overrun) {
    jstring s = E->NewStringUTF(env, "text");
    jchar *p = (jchar *)E->GetStringChars(env, s, NULL);
    p[5] = 'x';
    E->ReleaseStringChars(env, s, p);
    return 1;
}
SCENARIO(bad_mode) {
    jint *p = E->GetIntArrayElements(env, b, NULL);
    E->ReleaseIntArrayElements(env, b, p, 17);
    return 1;
}
SCENARIO(null_elements) {
    E->ReleaseIntArrayElements(env, b, NULL, 0);
    return 1;
}
SCENARIO(critical_as_elements) {
    jint *p = E->GetPrimitiveArrayCritical(env, b, NULL);
    E->ReleaseIntArrayElements(env, b, p, 0);
    return 1;
}
SCENARIO(elements_as_critical) {
    jint *p = E->GetIntArrayElements(env, b, NULL);
    E->ReleasePrimitiveArrayCritical(env, b, p, 0);
    return 1;
}
SCENARIO(chars_mixed) {
    jstring s = E->NewStringUTF(env, "text");
    E->ReleaseStringUTFChars(env, s, (const char *)E->GetStringChars(env, s, NULL));
    return 1;
}
/* ---- critical regions ---- */
SCENARIO(in_critical) {
    void *p = E->GetPrimitiveArrayCritical(env, b, NULL);
    E->GetVersion(env);
    E->ExceptionCheck(env);
    void *q = E->GetPrimitiveArrayCritical(env, b, NULL);
    E->ReleasePrimitiveArrayCritical(env, b, q, 0);
    E->ReleasePrimitiveArrayCritical(env, b, p, 0);
    E->GetVersion(env);
    return 1;
}
SCENARIO(in_critical_string) {
    jstring s = E->NewStringUTF(env, "abc");
    const jchar *c = E->GetStringCritical(env, s, NULL);
    E->GetStringLength(env, s);
    E->ReleaseStringCritical(env, s, c);
    return 1;
}
/* ---- classes ---- */
SCENARIO(descriptor) { return E->FindClass(env, "Ljava/lang/String;") != NULL; }
SCENARIO(throw_other) { return E->Throw(env, a); }
SCENARIO(throw_new_other) { return E->ThrowNew(env, cls, "x"); }
SCENARIO(fatal_error) {
    E->FatalError(env, "asked for");
    return 1;
}
SCENARIO(monitor_null) { return E->MonitorEnter(env, NULL); }
SCENARIO(fine) {
    jmethodID m = smethod(env, cls);
    jint r = E->CallStaticIntMethod(env, cls, m, 1);
    if (E->ExceptionCheck(env)) return -1;
    return r + E->GetStaticIntField(env, cls, E->GetStaticFieldID(env, cls, "sfield", "I"));
}
/* ---- threads ---- */
static JNIEnv *of_main;
static JavaVM *vm;
static void *elsewhere(void *attach) {
    JNIEnv *own;
    if (attach) (*vm)->AttachCurrentThread(vm, (void **)&own, NULL);
    (*of_main)->GetVersion(of_main);
    return NULL;
}
static jint from_thread(JNIEnv *env, void *attach) {
    pthread_t t;
    of_main = env;
    E->GetJavaVM(env, &vm);
    pthread_create(&t, NULL, elsewhere, attach);
    pthread_join(t, NULL);
    return 1;
}
SCENARIO(wrong_thread) { return from_thread(env, cls); }
SCENARIO(no_thread) { return from_thread(env, NULL); }

static const struct {
    const char *name;
    jint (*run)(JNIEnv *, jclass, jobject, jobject);
} scenarios[] = {
#define ROW(n) {#n, n},
    ROW(pending) ROW(pending_allowed) ROW(unchecked) ROW(unchecked_failed) ROW(unchecked_elements) ROW(unchecked_others)
        ROW(unchecked_nonvirtual) ROW(refs) ROW(refs_ensured) ROW(refs_frame) ROW(negative_capacity) ROW(negative_frame)
            ROW(bad_handle) ROW(null_class) ROW(not_a_class) ROW(primitive_class) ROW(deleted_local) ROW(deleted_global)
                ROW(local_as_global) ROW(global_as_local) ROW(global_as_weak) ROW(null_object) ROW(wrong_object) ROW(wrong_class)
                    ROW(null_method) ROW(null_method_virtual) ROW(static_class_of_method) ROW(field_null) ROW(field_wrong_object)
                        ROW(field_wrong_type) ROW(field_object_type) ROW(field_static_id) ROW(static_instance_id)
                            ROW(static_wrong_type) ROW(static_wrong_class) ROW(set_wrong_type) ROW(not_string) ROW(null_string)
                                ROW(not_array) ROW(null_array) ROW(not_object_array) ROW(not_primitive_array) ROW(element_type)
                                    ROW(region_type) ROW(array_elements) ROW(array_overrun) ROW(array_underrun)
                                        ROW(critical_overrun) ROW(chars_overrun) ROW(wchars_overrun) ROW(bad_mode)
                                            ROW(null_elements) ROW(critical_as_elements) ROW(elements_as_critical)
                                                ROW(chars_mixed) ROW(in_critical) ROW(in_critical_string) ROW(descriptor)
                                                    ROW(throw_other) ROW(throw_new_other) ROW(fatal_error) ROW(monitor_null)
                                                        ROW(fine) ROW(wrong_thread) ROW(no_thread)};

JNIEXPORT jint JNICALL Java_CheckJni_run(JNIEnv *env, jclass cls, jstring name, jobject a, jobject b) {
    char n[100] = "";
    E->GetStringUTFRegion(env, name, 0, E->GetStringLength(env, name), n);
    E->ExceptionCheck(env);
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        if (!strcmp(scenarios[i].name, n)) return scenarios[i].run(env, cls, a, b);
    return -1;
}

JNIEXPORT jstring JNICALL Java_CheckJni_list(JNIEnv *env, jclass cls) {
    static char all[4000];
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) strcat(strcat(all, scenarios[i].name), "\n");
    return E->NewStringUTF(env, all);
}
