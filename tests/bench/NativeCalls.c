/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of NativeCalls.java. */
#include <jni.h>

#define FN(ret, name, ...) JNIEXPORT ret JNICALL Java_NativeCalls_##name(__VA_ARGS__)

FN(jint, ints, JNIEnv *env, jclass c, jint a, jlong b, jint d) { return a + (jint)b * d; }
FN(jdouble, doubles, JNIEnv *env, jclass c, jdouble a, jdouble b, jfloat d) { return a * 1e-9 + b * d; }
FN(jfloat, mixed, JNIEnv *env, jclass c, jint a, jfloat b, jlong l, jdouble d, jobject e) {
    return e ? (jfloat)(a * b + (jdouble)l * d) : 0;
}
FN(jdouble, many, JNIEnv *env, jclass c, jint a, jdouble b, jint d, jdouble e, jint f, jdouble g, jint h, jdouble i, jint j,
   jdouble k, jlong l, jfloat m) {
    return a + b * 1e-9 + d + e + f + g + h + i + j + k + (jdouble)l + m;
}

FN(jdouble, up, JNIEnv *env, jobject self, jint n) {
    jclass c = (*env)->GetObjectClass(env, self);
    jmethodID step = (*env)->GetMethodID(env, c, "step", "(ID)D");
    jmethodID plus = (*env)->GetStaticMethodID(env, c, "plus", "(JI)J");
    jdouble v = 0;
    jlong sum = 0;
    for (jint i = 0; i < n; i++) {
        v = (*env)->CallDoubleMethod(env, self, step, i, v);
        jvalue args[2] = {{.j = sum}, {.i = i}};
        sum = (*env)->CallStaticLongMethodA(env, c, plus, args);
    }
    return v + (jdouble)sum;
}
