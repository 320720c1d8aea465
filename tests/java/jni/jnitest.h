/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the native halves of tests/java/jni share.  A test prints facts; both VMs must print
 * the same.  say: one line on standard output.  outcome: class and message of the pending
 * exception, which it clears; "ok" without one.
 */
#ifndef TESTS_JNITEST_H
#define TESTS_JNITEST_H

#include <jni.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define E (*env)

static inline void say(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
    putchar('\n');
    fflush(stdout);
}

/* A string's text, in one of a few turning buffers. */
static inline const char *text_of(JNIEnv *env, jstring s) {
    static char bufs[8][512];
    static int turn;
    char *buf = bufs[turn++ % 8];
    if (!s) return "null";
    const char *u = E->GetStringUTFChars(env, s, NULL);
    snprintf(buf, sizeof bufs[0], "%s", u);
    E->ReleaseStringUTFChars(env, s, u);
    return buf;
}

static inline const char *class_name(JNIEnv *env, jobject o) {
    if (!o) return "null";
    jclass c = E->GetObjectClass(env, o), cc = E->FindClass(env, "java/lang/Class");
    jmethodID m = E->GetMethodID(env, cc, "getName", "()Ljava/lang/String;");
    return text_of(env, (jstring)E->CallObjectMethod(env, c, m));
}

static inline const char *outcome(JNIEnv *env) {
    static char buf[1024];
    jthrowable x = E->ExceptionOccurred(env);
    if (!x) return "ok";
    E->ExceptionClear(env);
    jclass t = E->FindClass(env, "java/lang/Throwable");
    jmethodID m = E->GetMethodID(env, t, "getMessage", "()Ljava/lang/String;");
    jstring msg = (jstring)E->CallObjectMethod(env, x, m);
    snprintf(buf, sizeof buf, "%s: %s", class_name(env, x), text_of(env, msg));
    return buf;
}

/* "what: outcome", then the value when there was no exception. */
#define TRY(what, expr) \
    do { \
        (void)(expr); \
        say("%s: %s", what, outcome(env)); \
    } while (0)

#endif
