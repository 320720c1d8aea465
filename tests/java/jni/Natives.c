/* SPDX-License-Identifier: Apache-2.0 */
/* Native side of Natives.java: each function uses one chapter of the JNI specification. */
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FN(ret, name, ...) JNIEXPORT ret JNICALL Java_Natives_##name(__VA_ARGS__)

static JavaVM *the_vm;

static jint registered_impl(JNIEnv *env, jclass cls, jint a) { return a * 2 + 2; }

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    JNIEnv *env;
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) return -1;
    jclass cls = (*env)->FindClass(env, "Natives");
    JNINativeMethod m = {"registered", "(I)I", (void *)registered_impl};
    if (!cls || (*env)->RegisterNatives(env, cls, &m, 1) != 0) return -1;
    return JNI_VERSION_10;
}

FN(jlong, many, JNIEnv *env, jclass cls, jbyte b, jchar c, jshort s, jint i, jlong l, jfloat f, jdouble d, jboolean z, jobject o,
   jint i2, jlong l2, jdouble d2, jfloat f2, jbyte b2, jdouble d3, jdouble d4, jdouble d5, jdouble d6, jdouble d7, jfloat f3) {
    jlong len = (*env)->GetStringLength(env, o);
    return b + c * 3 + s * 5 + i * 7L + l * 11 + (jlong)(f * 100) + (jlong)(d * 1000) + z * 13 + len * 17 + i2 * 19 + l2 * 23 +
           (jlong)(d2 * 29) + (jlong)(f2 * 31) + b2 * 37 + (jlong)(d3 * 1 + d4 * 2 + d5 * 3 + d6 * 4 + d7 * 5 + f3 * 6);
}

FN(jfloat, floats, JNIEnv *env, jclass cls, jfloat a, jdouble b, jfloat c) { return a + (float)b * c; }
FN(jboolean, bool, JNIEnv *env, jclass cls, jint i) { return i == 1 ? JNI_TRUE : JNI_FALSE; }
FN(jbyte, narrowB, JNIEnv *env, jclass cls, jint i) { return (jbyte)i; }
FN(jchar, narrowC, JNIEnv *env, jclass cls, jint i) { return (jchar)i; }
FN(jshort, narrowS, JNIEnv *env, jclass cls, jint i) { return (jshort)i; }
FN(jdouble, dbl, JNIEnv *env, jclass cls, jlong l) { return (jdouble)l + 0.5; }

FN(jstring, fields, JNIEnv *env, jobject self) {
    jclass c = (*env)->GetObjectClass(env, self);
    char out[200];
#define ID(n, s) jfieldID n = (*env)->GetFieldID(env, c, #n, s)
    ID(i, "I");
    ID(l, "J");
    ID(s, "Ljava/lang/String;");
    ID(z, "Z");
    ID(b, "B");
    ID(sh, "S");
    ID(f, "F");
    jfieldID ch = (*env)->GetFieldID(env, c, "c", "C");
    jfieldID sd = (*env)->GetStaticFieldID(env, c, "sd", "D");
    jfieldID so = (*env)->GetStaticFieldID(env, c, "so", "Ljava/lang/Object;");
    snprintf(out, sizeof out, "%d %lld %g %d %d %d %d %g|", (*env)->GetIntField(env, self, i),
             (long long)(*env)->GetLongField(env, self, l), (*env)->GetStaticDoubleField(env, c, sd),
             (*env)->GetBooleanField(env, self, z), (*env)->GetByteField(env, self, b), (*env)->GetCharField(env, self, ch),
             (*env)->GetShortField(env, self, sh), (*env)->GetFloatField(env, self, f));
    (*env)->SetIntField(env, self, i, -6);
    (*env)->SetLongField(env, self, l, -7000000000LL);
    (*env)->SetStaticDoubleField(env, c, sd, 8.5);
    (*env)->SetObjectField(env, self, s, (*env)->NewStringUTF(env, "set"));
    (*env)->SetBooleanField(env, self, z, JNI_TRUE);
    (*env)->SetByteField(env, self, b, 100);
    (*env)->SetCharField(env, self, ch, 'Z');
    (*env)->SetShortField(env, self, sh, -1);
    (*env)->SetFloatField(env, self, f, 0.25f);
    (*env)->SetStaticObjectField(env, c, so, (*env)->GetObjectField(env, self, s));
    jfieldID none = (*env)->GetFieldID(env, c, "absent", "I");
    if (!none && (*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        strcat(out, "no absent|");
    }
    return (*env)->NewStringUTF(env, out);
}

FN(jstring, calls, JNIEnv *env, jobject self, jobject other) {
    jclass c = (*env)->GetObjectClass(env, self);
    jmethodID virt = (*env)->GetMethodID(env, c, "virt", "()I");
    jmethodID priv = (*env)->GetMethodID(env, c, "priv", "(ILjava/lang/String;)Ljava/lang/String;");
    jmethodID stat = (*env)->GetStaticMethodID(env, c, "stat", "(JD)Ljava/lang/String;");
    char out[200];
    jvalue args[2];
    args[0].j = 6;
    args[1].d = 7.5;
    jstring a = (*env)->CallObjectMethod(env, self, priv, 4, (*env)->NewStringUTF(env, "x"));
    jstring b = (*env)->CallStaticObjectMethodA(env, c, stat, args);
    const char *ca = (*env)->GetStringUTFChars(env, a, NULL), *cb = (*env)->GetStringUTFChars(env, b, NULL);
    snprintf(out, sizeof out, "%d %d %d %s %s", (*env)->CallIntMethod(env, self, virt), (*env)->CallIntMethod(env, other, virt),
             (*env)->CallNonvirtualIntMethod(env, other, c, virt), ca, cb);
    (*env)->ReleaseStringUTFChars(env, a, ca);
    (*env)->ReleaseStringUTFChars(env, b, cb);
    return (*env)->NewStringUTF(env, out);
}

FN(jobject, construct, JNIEnv *env, jclass cls, jstring name, jstring arg) {
    const char *n = (*env)->GetStringUTFChars(env, name, NULL);
    jclass c = (*env)->FindClass(env, n);
    (*env)->ReleaseStringUTFChars(env, name, n);
    if (!c) return NULL;
    jmethodID k = (*env)->GetMethodID(env, c, "<init>", arg ? "(Ljava/lang/String;)V" : "()V");
    return k ? (*env)->NewObject(env, c, k, arg) : NULL;
}

FN(jintArray, arrays, JNIEnv *env, jclass cls, jintArray a, jobjectArray o) {
    jint buf[3];
    jsize n = (*env)->GetArrayLength(env, a);
    (*env)->GetIntArrayRegion(env, a, 0, 3, buf);
    if ((*env)->ExceptionCheck(env)) return NULL;
    buf[0] = 100;
    (*env)->SetIntArrayRegion(env, a, 0, 1, buf);
    jint *e = (*env)->GetIntArrayElements(env, a, NULL);
    e[1] = 200;
    (*env)->ReleaseIntArrayElements(env, a, e, 0);
    e = (*env)->GetIntArrayElements(env, a, NULL);
    (*env)->ReleaseIntArrayElements(env, a, e, JNI_ABORT);
    (*env)->SetObjectArrayElement(env, o, 1, (*env)->GetObjectArrayElement(env, o, 0));
    jintArray r = (*env)->NewIntArray(env, n + 2);
    (*env)->SetIntArrayRegion(env, r, 1, 3, buf);
    jobjectArray strs = (*env)->NewObjectArray(env, 2, (*env)->FindClass(env, "java/lang/String"), NULL);
    (*env)->SetObjectArrayElement(env, strs, 0, a);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        jint stored = -77;
        (*env)->SetIntArrayRegion(env, r, 0, 1, &stored);
    }
    return r;
}

FN(jlong, critical, JNIEnv *env, jclass cls, jlongArray a) {
    jlong sum = 0;
    jsize n = (*env)->GetArrayLength(env, a);
    jlong *p = (*env)->GetPrimitiveArrayCritical(env, a, NULL);
    for (jsize i = 0; i < n; i++) {
        sum += p[i];
        p[i] = -p[i];
    }
    (*env)->ReleasePrimitiveArrayCritical(env, a, p, 0);
    return sum;
}

FN(jstring, strings, JNIEnv *env, jclass cls, jstring s) {
    char out[300];
    int at = snprintf(out, sizeof out, "%d %d ", (*env)->GetStringLength(env, s), (*env)->GetStringUTFLength(env, s));
    const char *u = (*env)->GetStringUTFChars(env, s, NULL);
    for (const char *p = u; *p; p++) at += snprintf(out + at, sizeof out - at, "%02x", (unsigned char)*p);
    (*env)->ReleaseStringUTFChars(env, s, u);
    const jchar *c = (*env)->GetStringChars(env, s, NULL);
    jstring back = (*env)->NewString(env, c, (*env)->GetStringLength(env, s));
    (*env)->ReleaseStringChars(env, s, c);
    char region[20] = {0};
    (*env)->GetStringUTFRegion(env, back, 1, 2, region);
    at += snprintf(out + at, sizeof out - at, " %s", region);
    (*env)->GetStringUTFRegion(env, back, 5, 20, region);
    jthrowable t = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    snprintf(out + at, sizeof out - at, " %s",
             t && (*env)->IsInstanceOf(env, t, (*env)->FindClass(env, "java/lang/StringIndexOutOfBoundsException")) ? "bounds"
                                                                                                                    : "?");
    return (*env)->NewStringUTF(env, out);
}

static void run(JNIEnv *env, jobject r) {
    jclass c = (*env)->FindClass(env, "java/lang/Runnable");
    (*env)->CallVoidMethod(env, r, (*env)->GetMethodID(env, c, "run", "()V"));
}

FN(jstring, throwing, JNIEnv *env, jclass cls, jint kind, jobject r) {
    if (kind == 0) (*env)->ThrowNew(env, (*env)->FindClass(env, "java/io/IOException"), "from native");
    if (kind == 1) (*env)->FindClass(env, "does/not/Exist");
    if (kind == 2) run(env, r);
    return NULL;
}

FN(jstring, pending, JNIEnv *env, jclass cls, jobject r) {
    run(env, r);
    jthrowable t = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    jmethodID m = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, t), "getMessage", "()Ljava/lang/String;");
    return (*env)->CallObjectMethod(env, t, m);
}

FN(jobject, refs, JNIEnv *env, jclass cls, jobject o, jint n) {
    jobject *g = malloc(sizeof *g * n);
    jweak w = (*env)->NewWeakGlobalRef(env, o);
    (*env)->PushLocalFrame(env, 10);
    for (jint i = 0; i < n; i++) {
        jstring s = (*env)->NewStringUTF(env, "global");
        g[i] = (*env)->NewGlobalRef(env, s);
        (*env)->DeleteLocalRef(env, s);
    }
    jobject out = (*env)->PopLocalFrame(env, o);
    jint same = 0;
    for (jint i = 0; i < n; i++) {
        same += (*env)->GetStringUTFLength(env, g[i]) == 6 && (*env)->GetObjectRefType(env, g[i]) == JNIGlobalRefType;
        (*env)->DeleteGlobalRef(env, g[i]);
    }
    free(g);
    int ok = same == n && (*env)->IsSameObject(env, w, out) && (*env)->GetObjectRefType(env, w) == JNIWeakGlobalRefType &&
             (*env)->GetObjectRefType(env, out) == JNILocalRefType && (*env)->EnsureLocalCapacity(env, 500) == 0;
    (*env)->DeleteWeakGlobalRef(env, w);
    return ok ? out : NULL;
}

FN(jstring, classes, JNIEnv *env, jclass cls, jobject o, jclass c) {
    char out[100];
    jclass sub = (*env)->GetObjectClass(env, o), sup = (*env)->GetSuperclass(env, sub);
    jclass itf = (*env)->FindClass(env, "java/lang/Runnable"), arr = (*env)->FindClass(env, "[[Ljava/lang/String;");
    snprintf(out, sizeof out, "%d%d%d%d%d%d%d%d", (*env)->IsSameObject(env, sup, c), (*env)->IsInstanceOf(env, o, c),
             (*env)->IsInstanceOf(env, NULL, c), (*env)->IsAssignableFrom(env, sub, c), (*env)->IsAssignableFrom(env, c, sub),
             (*env)->GetSuperclass(env, itf) == NULL, arr != NULL, (*env)->IsSameObject(env, cls, c));
    return (*env)->NewStringUTF(env, out);
}

FN(jint, monitor, JNIEnv *env, jclass cls, jobject o, jint n) {
    static int count;
    if (n < 0) return (*env)->MonitorExit(env, o);
    (*env)->MonitorEnter(env, o);
    (*env)->MonitorEnter(env, o);
    count += n;
    jint v = count;
    (*env)->MonitorExit(env, o);
    (*env)->MonitorExit(env, o);
    return v;
}

FN(jobject, direct, JNIEnv *env, jclass cls, jlong n) { return (*env)->NewDirectByteBuffer(env, calloc(1, n), n); }

FN(jlong, sumDirect, JNIEnv *env, jclass cls, jobject b) {
    jlong *p = (*env)->GetDirectBufferAddress(env, b);
    return p ? p[0] + p[1] + (*env)->GetDirectBufferCapacity(env, b) : -1;
}

FN(jstring, version, JNIEnv *env, jclass cls) {
    char out[60];
    JavaVM *vm;
    (*env)->GetJavaVM(env, &vm);
    JNIEnv *e2;
    jint bad = (*vm)->GetEnv(vm, (void **)&e2, 0x7fff0000);
    snprintf(out, sizeof out, "%x %d %d %d", (*env)->GetVersion(env), vm == the_vm, bad,
             (*vm)->GetEnv(vm, (void **)&e2, JNI_VERSION_1_2) == JNI_OK && e2 == env);
    return (*env)->NewStringUTF(env, out);
}

FN(jobject, reflected, JNIEnv *env, jclass cls, jobject m) {
    jclass method = (*env)->FindClass(env, "java/lang/reflect/Method");
    if ((*env)->IsInstanceOf(env, m, method)) {
        jmethodID id = (*env)->FromReflectedMethod(env, m);
        return (*env)->ToReflectedMethod(env, cls, id, JNI_TRUE);
    }
    return (*env)->ToReflectedField(env, cls, (*env)->FromReflectedField(env, m), JNI_FALSE);
}

static void *attached(void *global) {
    JNIEnv *env;
    char name[] = "native-thread";
    JavaVMAttachArgs args = {JNI_VERSION_1_8, name, NULL};
    if ((*the_vm)->GetEnv(the_vm, (void **)&env, JNI_VERSION_1_8) != JNI_EDETACHED) return "not detached";
    if ((*the_vm)->AttachCurrentThreadAsDaemon(the_vm, (void **)&env, &args) != JNI_OK) return "no attach";
    jclass thread = (*env)->FindClass(env, "java/lang/Thread");
    jobject me = (*env)->CallStaticObjectMethod(env, thread,
                                                (*env)->GetStaticMethodID(env, thread, "currentThread", "()Ljava/lang/Thread;"));
    jboolean daemon = (*env)->CallBooleanMethod(env, me, (*env)->GetMethodID(env, thread, "isDaemon", "()Z"));
    jstring s = (*env)->CallObjectMethod(env, me, (*env)->GetMethodID(env, thread, "getName", "()Ljava/lang/String;"));
    const char *u = (*env)->GetStringUTFChars(env, s, NULL);
    int ok = daemon && !strcmp(u, "native-thread") && (*env)->GetStringLength(env, global) == 5;
    (*env)->ReleaseStringUTFChars(env, s, u);
    if ((*the_vm)->DetachCurrentThread(the_vm) != JNI_OK) return "no detach";
    return ok ? "attached" : "wrong";
}

FN(jstring, threads, JNIEnv *env, jclass cls, jobject o) {
    pthread_t t;
    void *r;
    jobject g = (*env)->NewGlobalRef(env, o);
    pthread_create(&t, NULL, attached, g);
    pthread_join(t, &r);
    (*env)->DeleteGlobalRef(env, g);
    return (*env)->NewStringUTF(env, r);
}

FN(jint, overload__I, JNIEnv *env, jclass cls, jint a) { return a; }
FN(jint, overload__ILjava_lang_String_2, JNIEnv *env, jclass cls, jint a, jstring s) { return a + 10; }
FN(jint, under_1score, JNIEnv *env, jobject self) { return 21; }
FN(jint, d_000e9j_000e0, JNIEnv *env, jclass cls) { return 22; }

FN(jstring, locals, JNIEnv *env, jclass cls) {
    jobject first = (*env)->NewStringUTF(env, "first");
    for (int i = 0; i < 5000; i++) (*env)->NewStringUTF(env, "garbage");
    jclass sys = (*env)->FindClass(env, "java/lang/System");
    (*env)->CallStaticVoidMethod(env, sys, (*env)->GetStaticMethodID(env, sys, "gc", "()V"));
    return first;
}
