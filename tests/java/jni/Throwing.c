/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of Throwing.java. */
#include "jnitest.h"

#define FN(ret, name) JNIEXPORT ret JNICALL Java_Throwing_##name

FN(void, exceptions)(JNIEnv *env, jclass cls, jthrowable t, jclass bad_init) {
    say("none: %d %d", E->ExceptionCheck(env), E->ExceptionOccurred(env) == NULL);
    E->ExceptionClear(env);
    E->ExceptionDescribe(env);
    say("throw %d", E->Throw(env, t));
    say("check %d same %d", E->ExceptionCheck(env), E->IsSameObject(env, t, E->ExceptionOccurred(env)));
    /* what may be called with an exception pending */
    jobject l = E->NewLocalRef(env, t), g = E->NewGlobalRef(env, t);
    E->DeleteLocalRef(env, l);
    E->DeleteGlobalRef(env, g);
    say("frame %d %d", E->PushLocalFrame(env, 3), E->PopLocalFrame(env, NULL) == NULL);
    say("pending: %s", outcome(env));
    say("ThrowNew %d", E->ThrowNew(env, E->FindClass(env, "java/io/IOException"), "text"));
    say("%s", outcome(env));
    say("ThrowNew null text %d", E->ThrowNew(env, E->FindClass(env, "java/io/IOException"), NULL));
    say("%s", outcome(env));
    say("ThrowNew wide text %d", E->ThrowNew(env, E->FindClass(env, "java/io/IOException"), "\xc3\xa9\xe2\x82\xac"));
    say("%s", outcome(env));
    say("ThrowNew no such constructor %d", E->ThrowNew(env, E->FindClass(env, "Throwing$NoString"), "x"));
    say("%s", outcome(env));
    say("ThrowNew no default constructor %d", E->ThrowNew(env, E->FindClass(env, "Throwing$NoString"), NULL));
    say("%s", outcome(env));
    say("ThrowNew bad init %d", E->ThrowNew(env, bad_init, "x"));
    say("%s", outcome(env));
    say("ThrowNew failing constructor %d", E->ThrowNew(env, E->FindClass(env, "Throwing$FailingCtor"), "x"));
    say("%s", outcome(env));
    /* the second one replaces the first */
    E->Throw(env, t);
    E->ExceptionClear(env);
    say("cleared %d", E->ExceptionCheck(env));
}

FN(void, throwing)(JNIEnv *env, jclass cls, jint kind) {
    jclass x = E->FindClass(env, "java/lang/IllegalStateException");
    switch (kind) {
    case 0: E->ThrowNew(env, x, "by the native"); break;
    case 1: E->FindClass(env, "not/There"); break;
    case 2: E->NewIntArray(env, -3); break;
    case 3: {
        E->ThrowNew(env, x, "first");
        jthrowable t = E->ExceptionOccurred(env);
        E->ExceptionClear(env);
        E->Throw(env, t);
        break;
    }
    case 4: E->GetStaticMethodID(env, cls, "none", "()V"); break;
    case 5: E->MonitorExit(env, cls); break;
    }
}

FN(void, describe)(JNIEnv *env, jclass cls) {
    fflush(stdout);
    E->ThrowNew(env, E->FindClass(env, "java/lang/IllegalStateException"), "described");
    E->ExceptionDescribe(env);
    say("after describe %d", E->ExceptionCheck(env));
    E->ExceptionDescribe(env);
}

FN(void, monitors)(JNIEnv *env, jclass cls, jobject o) {
    jclass thread = E->FindClass(env, "java/lang/Thread");
    jmethodID holds = E->GetStaticMethodID(env, thread, "holdsLock", "(Ljava/lang/Object;)Z");
    say("enter %d %d", E->MonitorEnter(env, o), E->MonitorEnter(env, o));
    say("holds %d", E->CallStaticBooleanMethod(env, thread, holds, o));
    say("exit %d", E->MonitorExit(env, o));
    say("holds %d", E->CallStaticBooleanMethod(env, thread, holds, o));
    E->ThrowNew(env, E->FindClass(env, "java/lang/RuntimeException"), "pending");
    say("exit %d", E->MonitorExit(env, o));
    say("%s", outcome(env));
    say("holds %d", E->CallStaticBooleanMethod(env, thread, holds, o));
    say("exit again %d", E->MonitorExit(env, o));
    say("%s", outcome(env));
}

FN(jboolean, tryExit)(JNIEnv *env, jclass cls, jobject o) { return E->MonitorExit(env, o) == 0; }

/* The monitor stays locked when the method returns; a later call gives it back. */
FN(void, leaveLocked)(JNIEnv *env, jclass cls, jobject o) {
    E->MonitorEnter(env, o);
    say("left locked");
}

FN(void, classes)(JNIEnv *env, jclass cls, jobjectArray samples, jobjectArray kinds) {
    jsize n = E->GetArrayLength(env, kinds), m = E->GetArrayLength(env, samples);
    char line[200];
    for (jsize i = 0; i < n; i++) {
        jclass c = E->GetObjectArrayElement(env, kinds, i), s = E->GetSuperclass(env, c);
        jobject name =
            E->CallObjectMethod(env, c, E->GetMethodID(env, E->GetObjectClass(env, c), "getName", "()Ljava/lang/String;"));
        int at = snprintf(line, sizeof line, "super %s:", s ? "there" : "none");
        for (jsize k = 0; k < n; k++)
            at +=
                snprintf(line + at, sizeof line - at, "%d", E->IsAssignableFrom(env, c, E->GetObjectArrayElement(env, kinds, k)));
        at += snprintf(line + at, sizeof line - at, " ");
        for (jsize k = 0; k < m; k++)
            at += snprintf(line + at, sizeof line - at, "%d", E->IsInstanceOf(env, E->GetObjectArrayElement(env, samples, k), c));
        snprintf(line + at, sizeof line - at, " null %d", E->IsInstanceOf(env, NULL, c));
        say("%s %s", text_of(env, name), line);
        if (s)
            say("  super is %s",
                text_of(env, E->CallObjectMethod(
                                 env, s, E->GetMethodID(env, E->GetObjectClass(env, c), "getName", "()Ljava/lang/String;"))));
    }
}

FN(void, modules)(JNIEnv *env, jclass cls) {
    jclass cc = E->FindClass(env, "java/lang/Class");
    jmethodID get = E->GetMethodID(env, cc, "getModule", "()Ljava/lang/Module;");
    static const char *const names[] = {"java/lang/String", "Throwing", "[I", "[LThrowing;", "java/util/logging/Logger"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jclass c = E->FindClass(env, names[i]);
        jobject m = E->GetModule(env, c);
        jstring s =
            E->CallObjectMethod(env, m, E->GetMethodID(env, E->GetObjectClass(env, m), "getName", "()Ljava/lang/String;"));
        say("%s: %s %d", names[i], text_of(env, s), E->IsSameObject(env, m, E->CallObjectMethod(env, c, get)));
    }
    TRY("module of null", E->GetModule(env, NULL));
    TRY("module of an object", E->GetModule(env, E->NewStringUTF(env, "x")));
}

static jint later1(JNIEnv *env, jobject self, jint a) { return a + 100; }
static jint later2(JNIEnv *env, jobject self, jint a) { return a + 200; }
static jstring later3(JNIEnv *env, jclass c, jstring s) { return s; }

FN(void, registration)(JNIEnv *env, jclass cls) {
    JNINativeMethod two[] = {{"later", "(I)I", (void *)later1},
                             {"laterStatic", "(Ljava/lang/String;)Ljava/lang/String;", (void *)later3}};
    jobject o = E->AllocObject(env, cls);
    jmethodID later = E->GetMethodID(env, cls, "later", "(I)I");
    jmethodID st = E->GetStaticMethodID(env, cls, "laterStatic", "(Ljava/lang/String;)Ljava/lang/String;");
    jmethodID sync = E->GetStaticMethodID(env, cls, "laterSync", "(I)I");
    say("register %d", E->RegisterNatives(env, cls, two, 2));
    say("%d %s", E->CallIntMethod(env, o, later, 1),
        text_of(env, E->CallStaticObjectMethod(env, cls, st, E->NewStringUTF(env, "echo"))));
    two[0].fnPtr = (void *)later2;
    say("again %d: %d", E->RegisterNatives(env, cls, two, 1), E->CallIntMethod(env, o, later, 1));
    JNINativeMethod bad[] = {{"laterSync", "(I)I", (void *)later1}, {"none", "()V", (void *)later1}};
    say("one bad: %d", E->RegisterNatives(env, cls, bad, 2));
    say("%s", outcome(env));
    say("the first was taken: %d", E->CallStaticIntMethod(env, cls, sync, 5));
    JNINativeMethod not_native = {"notNative", "(I)I", (void *)later1};
    say("not native: %d", E->RegisterNatives(env, cls, &not_native, 1));
    say("%s", outcome(env));
    JNINativeMethod wrong = {"later", "(J)I", (void *)later1};
    say("wrong signature: %d", E->RegisterNatives(env, cls, &wrong, 1));
    say("%s", outcome(env));
    say("none: %d", E->RegisterNatives(env, cls, two, 0));
    say("unregister %d", E->UnregisterNatives(env, cls));
    E->CallIntMethod(env, o, later, 1);
    say("unregistered: %s", outcome(env));
    say("unregister nothing %d", E->UnregisterNatives(env, E->FindClass(env, "java/lang/Runnable")));
    two[1].fnPtr = NULL;
    say("null function %d", E->RegisterNatives(env, cls, two + 1, 1));
    say("%s", outcome(env));
}

FN(void, reflection)(JNIEnv *env, jclass cls, jobject method, jobject ctor, jobject field, jobject sfield, jobject smethod) {
    jmethodID m = E->FromReflectedMethod(env, method), k = E->FromReflectedMethod(env, ctor),
              s = E->FromReflectedMethod(env, smethod);
    jfieldID f = E->FromReflectedField(env, field), sf = E->FromReflectedField(env, sfield);
    jobject o = E->NewObject(env, cls, k);
    say("%d %d %d %d", E->CallIntMethod(env, o, m, 10), E->CallStaticIntMethod(env, cls, s, 10), E->GetIntField(env, o, f),
        E->GetStaticIntField(env, cls, sf));
    say("same ids %d %d %d", m == E->GetMethodID(env, cls, "method", "(I)I"), f == E->GetFieldID(env, cls, "field", "I"),
        k == E->GetMethodID(env, cls, "<init>", "()V"));
    jobject back[] = {E->ToReflectedMethod(env, cls, m, JNI_FALSE), E->ToReflectedMethod(env, cls, k, JNI_FALSE),
                      E->ToReflectedMethod(env, cls, s, JNI_TRUE), E->ToReflectedField(env, cls, f, JNI_FALSE),
                      E->ToReflectedField(env, cls, sf, JNI_TRUE)};
    jobject from[] = {method, ctor, smethod, field, sfield};
    jmethodID equals = E->GetMethodID(env, E->FindClass(env, "java/lang/Object"), "equals", "(Ljava/lang/Object;)Z");
    for (int i = 0; i < 5; i++) say("%s %d", class_name(env, back[i]), E->CallBooleanMethod(env, back[i], equals, from[i]));
}

FN(void, buffers)(JNIEnv *env, jclass cls, jobject d, jobject h, jobject other, jobject slice, jobject view, jobject ro) {
    char *p = E->GetDirectBufferAddress(env, d);
    jobject all[] = {d, h, slice, view, ro};
    for (int i = 0; i < 5; i++) {
        char *a = E->GetDirectBufferAddress(env, all[i]);
        say("%ld %lld", a ? (long)(a - p) : -1L, (long long)E->GetDirectBufferCapacity(env, all[i]));
    }
    static char mem[64];
    jobject b = E->NewDirectByteBuffer(env, mem, sizeof mem);
    say("%s %d %lld", class_name(env, b), E->GetDirectBufferAddress(env, b) == mem,
        (long long)E->GetDirectBufferCapacity(env, b));
    b = E->NewDirectByteBuffer(env, mem, 0);
    say("empty %d %lld", E->GetDirectBufferAddress(env, b) == mem, (long long)E->GetDirectBufferCapacity(env, b));
    TRY("negative", E->NewDirectByteBuffer(env, mem, -1));
    TRY("too large", E->NewDirectByteBuffer(env, mem, 0x80000000LL));
    b = E->NewDirectByteBuffer(env, NULL, 0);
    say("null: %s %s", b ? "buffer" : "null", outcome(env));
}

FN(jclass, define)(JNIEnv *env, jclass cls, jstring name, jobject loader, jbyteArray bytes) {
    jsize n = E->GetArrayLength(env, bytes);
    jbyte *b = E->GetByteArrayElements(env, bytes, NULL);
    const char *s = name ? E->GetStringUTFChars(env, name, NULL) : NULL;
    jclass c = E->DefineClass(env, s, loader, b, n);
    if (s) E->ReleaseStringUTFChars(env, name, s);
    E->ReleaseByteArrayElements(env, bytes, b, JNI_ABORT);
    return c;
}

FN(jclass, find)(JNIEnv *env, jclass cls, jstring name) {
    const char *s = name ? E->GetStringUTFChars(env, name, NULL) : NULL;
    jclass c = E->FindClass(env, s);
    if (s) E->ReleaseStringUTFChars(env, name, s);
    return c;
}
