/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of Refs.java. */
#include "jnitest.h"

#define FN(ret, name) JNIEXPORT ret JNICALL Java_Refs_##name

static void gc(JNIEnv *env) {
    jclass sys = E->FindClass(env, "java/lang/System");
    E->CallStaticVoidMethod(env, sys, E->GetStaticMethodID(env, sys, "gc", "()V"));
    E->DeleteLocalRef(env, sys);
}

FN(void, locals)(JNIEnv *env, jclass cls, jobject arg) {
    jobject l = E->NewLocalRef(env, arg);
    say("kinds: arg %d class %d local %d null %d", E->GetObjectRefType(env, arg), E->GetObjectRefType(env, cls),
        E->GetObjectRefType(env, l), E->GetObjectRefType(env, NULL));
    say("NewLocalRef of null: %d, another cell: %d", E->NewLocalRef(env, NULL) == NULL, l != arg);
    E->DeleteLocalRef(env, l);
    E->DeleteLocalRef(env, NULL);
    say("capacity %d %d %d %d", E->EnsureLocalCapacity(env, 0), E->EnsureLocalCapacity(env, 16),
        E->EnsureLocalCapacity(env, 1000), E->EnsureLocalCapacity(env, -1));
    say("limits %d %d %d", E->EnsureLocalCapacity(env, 65536), E->EnsureLocalCapacity(env, 65537), E->PushLocalFrame(env, 65537));
    say("%s", outcome(env));
    say("argument is still there: %s", text_of(env, arg));
}

FN(void, frames)(JNIEnv *env, jclass cls, jobject arg) {
    say("push %d %d", E->PushLocalFrame(env, 0), E->PushLocalFrame(env, 100));
    jobject in = E->NewStringUTF(env, "inside");
    jobject out = E->PopLocalFrame(env, in);
    say("%s", text_of(env, out));
    say("pop with null: %s", E->PopLocalFrame(env, NULL) ? "something" : "null");
    say("negative %d", E->PushLocalFrame(env, -1));
    say("%s", outcome(env));
    /* a reference from outside lives on, one from inside is gone */
    jobject outer = E->NewStringUTF(env, "outer");
    E->PushLocalFrame(env, 2);
    for (int i = 0; i < 200; i++) E->NewStringUTF(env, "more than asked for");
    jobject g = E->NewGlobalRef(env, E->NewStringUTF(env, "kept"));
    out = E->PopLocalFrame(env, g);
    say("%s %s %d %s", text_of(env, outer), text_of(env, out), E->GetObjectRefType(env, out), text_of(env, arg));
    E->DeleteGlobalRef(env, g);
    say("%s", text_of(env, out));
    /* a frame may be popped with an exception pending */
    E->PushLocalFrame(env, 5);
    E->ThrowNew(env, E->FindClass(env, "java/lang/RuntimeException"), "through the frame");
    jthrowable t = E->ExceptionOccurred(env);
    t = E->PopLocalFrame(env, t);
    say("%d %s", E->IsSameObject(env, t, E->ExceptionOccurred(env)), outcome(env));
    for (int i = 0; i < 50; i++) E->PushLocalFrame(env, 3);
    for (int i = 0; i < 50; i++) E->PopLocalFrame(env, NULL);
    say("%s", text_of(env, outer));
}

FN(void, globals)(JNIEnv *env, jclass cls, jobject arg) {
    jobject g = E->NewGlobalRef(env, arg), h = E->NewGlobalRef(env, g);
    say("%d %d differ %d same %d", E->GetObjectRefType(env, g), E->GetObjectRefType(env, h), g != h, E->IsSameObject(env, g, h));
    E->DeleteGlobalRef(env, g);
    say("%s %d", text_of(env, h), E->GetObjectRefType(env, g));
    say("of null %d %d", E->NewGlobalRef(env, NULL) == NULL, E->NewWeakGlobalRef(env, NULL) == NULL);
    E->DeleteGlobalRef(env, NULL);
    E->DeleteWeakGlobalRef(env, NULL);
    E->DeleteGlobalRef(env, h);
}

FN(void, weak)(JNIEnv *env, jclass cls) {
    E->PushLocalFrame(env, 10);
    jobject o = E->CallStaticObjectMethod(env, cls, E->GetStaticMethodID(env, cls, "make", "()Ljava/lang/Object;"));
    jweak w = E->NewWeakGlobalRef(env, o);
    say("alive: same as its object %d, as null %d, kind %d", E->IsSameObject(env, w, o), E->IsSameObject(env, w, NULL),
        E->GetObjectRefType(env, w));
    jobject l = E->NewLocalRef(env, w), g = E->NewGlobalRef(env, w);
    jweak w2 = E->NewWeakGlobalRef(env, w);
    say("%d %d", E->IsSameObject(env, l, w2), E->IsSameObject(env, g, w));
    gc(env);
    say("still %d", E->IsSameObject(env, w, o));
    say("class through the weak one: %s", class_name(env, w));
    E->DeleteGlobalRef(env, g);
    E->PopLocalFrame(env, NULL);
    for (int i = 0; i < 10 && !E->IsSameObject(env, w, NULL); i++) {
        /* let other words lie where the old ones may lie on the stack */
        E->PushLocalFrame(env, 100);
        for (int k = 0; k < 100; k++) E->NewStringUTF(env, "x");
        E->PopLocalFrame(env, NULL);
        gc(env);
    }
    say("gone: same as null %d, local %d, global %d, weak %d, kind %d", E->IsSameObject(env, w, NULL),
        E->NewLocalRef(env, w) == NULL, E->NewGlobalRef(env, w) == NULL, E->NewWeakGlobalRef(env, w) == NULL,
        E->GetObjectRefType(env, w));
    E->DeleteWeakGlobalRef(env, w);
    E->DeleteWeakGlobalRef(env, w2);
}

FN(jobject, keep)(JNIEnv *env, jclass cls, jint n) {
    jobject first = E->NewStringUTF(env, "first");
    jobject *all = malloc(sizeof *all * n);
    for (jint i = 0; i < n; i++) all[i] = E->NewStringUTF(env, "one of many");
    gc(env);
    int good = 0;
    for (jint i = 0; i < n; i++) good += E->GetStringLength(env, all[i]) == 11;
    say("%d of %d", good, n);
    /* every second one is given back, in no order of a stack; new ones take their places */
    for (jint i = 0; i < n; i += 2) E->DeleteLocalRef(env, all[i]);
    for (jint i = 0; i < n; i += 2) all[i] = E->NewStringUTF(env, "the second");
    gc(env);
    good = 0;
    for (jint i = 0; i < n; i++) good += E->GetStringLength(env, all[i]) == (i % 2 ? 11 : 10);
    say("%d of %d", good, n);
    free(all);
    return first;
}

FN(jobject, fromFrame)(JNIEnv *env, jclass cls) {
    E->PushLocalFrame(env, 4); /* never popped: the return from the method does that */
    E->PushLocalFrame(env, 4);
    return E->NewStringUTF(env, "from an open frame");
}

FN(jobject, deleted)(JNIEnv *env, jclass cls) {
    jobject a = E->NewStringUTF(env, "a"), b = E->NewStringUTF(env, "b");
    E->DeleteLocalRef(env, a);
    return b;
}

FN(void, same)(JNIEnv *env, jclass cls, jobject a, jobject b) {
    jobject g = E->NewGlobalRef(env, a);
    jweak w = E->NewWeakGlobalRef(env, b);
    say("%d %d %d", E->IsSameObject(env, a, b), E->IsSameObject(env, g, b), E->IsSameObject(env, g, w));
    E->DeleteGlobalRef(env, g);
    E->DeleteWeakGlobalRef(env, w);
}

FN(void, many)(JNIEnv *env, jclass cls, jint n) {
    jobject *g = malloc(sizeof *g * n);
    for (jint i = 0; i < n; i++) g[i] = i % 3 ? E->NewGlobalRef(env, cls) : E->NewWeakGlobalRef(env, cls);
    int good = 0;
    for (jint i = 0; i < n; i++) {
        good += E->IsSameObject(env, g[i], cls);
        if (i % 3) E->DeleteGlobalRef(env, g[i]);
        else E->DeleteWeakGlobalRef(env, g[i]);
    }
    say("%d", good);
    free(g);
}

FN(void, nested)(JNIEnv *env, jclass cls, jint depth) {
    char name[40];
    snprintf(name, sizeof name, "level %d", depth);
    jstring s = E->NewStringUTF(env, name);
    E->PushLocalFrame(env, 3);
    jstring in = E->NewStringUTF(env, "in");
    E->CallStaticVoidMethod(env, cls, E->GetStaticMethodID(env, cls, "fromNested", "(I)V"), depth);
    if (strcmp(text_of(env, in), "in")) say("lost");
    E->PopLocalFrame(env, NULL);
    if (strcmp(text_of(env, s), name)) say("%s became %s", name, text_of(env, s));
    else if (depth % 10 == 0) say("%s", name);
}

/* What a native made that Java code called goes when it returns, though the one that called that code has deleted cells. */
static jweak of_inner;

FN(void, inner)(JNIEnv *env, jclass cls, jobject o) {
    jobject l = E->NewLocalRef(env, o), l2 = E->NewLocalRef(env, o);
    say("inner: %d %d", E->IsSameObject(env, l, o), E->IsSameObject(env, l2, o));
    E->DeleteLocalRef(env, l);
    l = E->NewLocalRef(env, o);
    of_inner = E->NewWeakGlobalRef(env, l);
}

FN(void, outer)(JNIEnv *env, jclass cls) {
    enum { CELLS = 150 };
    jobject h[CELLS];
    jmethodID between = E->GetStaticMethodID(env, cls, "between", "()V");
    for (int i = 0; i < CELLS; i++) h[i] = E->NewStringUTF(env, "outer");
    for (int i = 0; i < CELLS; i += 2) E->DeleteLocalRef(env, h[i]);
    E->CallStaticVoidMethod(env, cls, between);
    for (int i = 0; i < 10 && !E->IsSameObject(env, of_inner, NULL); i++) {
        E->PushLocalFrame(env, 100);
        for (int k = 0; k < 100; k++) E->NewStringUTF(env, "x");
        E->PopLocalFrame(env, NULL);
        gc(env);
    }
    say("outer: what inner had is gone: %d", E->IsSameObject(env, of_inner, NULL));
    for (int i = 0; i < CELLS; i += 2) h[i] = E->NewStringUTF(env, "again");
    int good = 0;
    for (int i = 0; i < CELLS; i++) good += !strcmp(text_of(env, h[i]), i % 2 ? "outer" : "again");
    say("outer: %d", good);
    E->DeleteWeakGlobalRef(env, of_inner);
}

FN(jobject, nullResult)(JNIEnv *env, jclass cls) { return NULL; }
FN(jobject, returnsGlobal)(JNIEnv *env, jclass cls) {
    static jobject g;
    if (!g) g = E->NewGlobalRef(env, E->NewStringUTF(env, "global"));
    return g;
}
FN(jobject, returnsWeak)(JNIEnv *env, jclass cls) {
    jobject l = E->NewStringUTF(env, "weak");
    return E->NewWeakGlobalRef(env, l);
}
