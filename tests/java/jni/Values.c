/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of Values.java. */
#include "jnitest.h"

#define FN(ret, name) JNIEXPORT ret JNICALL Java_Values_##name

/* X(letter, Name, type, a value, format, cast) */
#define PRIMITIVES(X) \
    X(Z, Boolean, jboolean, 1, "%d", int) \
    X(B, Byte, jbyte, -128, "%d", int) \
    X(C, Char, jchar, 0xfffe, "%d", int) \
    X(S, Short, jshort, -32768, "%d", int) \
    X(I, Int, jint, -2147483647 - 1, "%d", int) \
    X(J, Long, jlong, 0x123456789abcdefLL, "%llx", long long) \
    X(F, Float, jfloat, 3.5f, "%a", double) \
    X(D, Double, jdouble, -1e-300, "%a", double)

#define ONE(L, Name, type, value, fmt, cast) \
    static void arrays_##L(JNIEnv *env) { \
        type##Array a = E->New##Name##Array(env, 5); \
        type in[3] = {value, 0, value}, out[5]; \
        E->Set##Name##ArrayRegion(env, a, 1, 3, in); \
        E->Get##Name##ArrayRegion(env, a, 0, 5, out); \
        say(#Name " %s length %d: " fmt " " fmt " " fmt " " fmt " " fmt, class_name(env, a), E->GetArrayLength(env, a), \
            (cast)out[0], (cast)out[1], (cast)out[2], (cast)out[3], (cast)out[4]); \
        jboolean copy = 7; \
        type *p = E->Get##Name##ArrayElements(env, a, &copy); \
        p[4] = value; \
        E->Release##Name##ArrayElements(env, a, p, JNI_ABORT); \
        E->Get##Name##ArrayRegion(env, a, 4, 1, out); \
        say("  copy %d, aborted " fmt, copy, (cast)out[0]); \
        p = E->Get##Name##ArrayElements(env, a, NULL); \
        p[4] = value; \
        E->Release##Name##ArrayElements(env, a, p, JNI_COMMIT); \
        E->Get##Name##ArrayRegion(env, a, 4, 1, out); \
        p[3] = 0; \
        E->Release##Name##ArrayElements(env, a, p, 0); \
        E->Get##Name##ArrayRegion(env, a, 3, 1, out + 1); \
        say("  committed " fmt ", released " fmt, (cast)out[0], (cast)out[1]); \
        type##Array none = E->New##Name##Array(env, 0); \
        p = E->Get##Name##ArrayElements(env, none, &copy); \
        say("  empty: %s, copy %d", p ? "pointer" : "null", copy); \
        E->Release##Name##ArrayElements(env, none, p, 0); \
        E->Get##Name##ArrayRegion(env, none, 0, 0, NULL); \
        TRY("  empty region of nothing", (void)0); \
        TRY("  negative size", E->New##Name##Array(env, -1)); \
        TRY("  huge size", E->New##Name##Array(env, 0x7fffffff)); \
    } \
    static void bounds_##L(JNIEnv *env) { \
        static const jint cases[][2] = {{-1, 1}, \
                                        {0, 6}, \
                                        {5, 1}, \
                                        {0, -1}, \
                                        {6, 0}, \
                                        {5, 0}, \
                                        {2147483647, 2147483647}, \
                                        {-2147483647 - 1, 1}, \
                                        {3, -2147483647 - 1}, \
                                        {4, 2}}; \
        type##Array a = E->New##Name##Array(env, 5); \
        type buf[8] = {0}; \
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) { \
            E->Get##Name##ArrayRegion(env, a, cases[i][0], cases[i][1], buf); \
            say(#Name " get %d %d: %s", cases[i][0], cases[i][1], outcome(env)); \
            E->Set##Name##ArrayRegion(env, a, cases[i][0], cases[i][1], buf); \
            say(#Name " set %d %d: %s", cases[i][0], cases[i][1], outcome(env)); \
        } \
    }
PRIMITIVES(ONE)
#undef ONE

FN(void, arrays)(JNIEnv *env, jclass cls) {
#define ONE(L, Name, type, value, fmt, cast) arrays_##L(env);
    PRIMITIVES(ONE)
#undef ONE
}

FN(void, bounds)(JNIEnv *env, jclass cls) {
#define ONE(L, Name, type, value, fmt, cast) bounds_##L(env);
    PRIMITIVES(ONE)
#undef ONE
}

FN(void, objects)(JNIEnv *env, jclass cls) {
    jclass string = E->FindClass(env, "java/lang/String"), strings = E->FindClass(env, "[Ljava/lang/String;");
    jclass object = E->FindClass(env, "java/lang/Object"), runnable = E->FindClass(env, "java/lang/Runnable");
    jstring s = E->NewStringUTF(env, "init");
    jobjectArray a = E->NewObjectArray(env, 3, string, s), b = E->NewObjectArray(env, 2, strings, NULL);
    jobjectArray o = E->NewObjectArray(env, 0, object, NULL), r = E->NewObjectArray(env, 1, runnable, NULL);
    say("%s %s %s %s", class_name(env, a), class_name(env, b), class_name(env, o), class_name(env, r));
    say("%d %d", E->IsSameObject(env, s, E->GetObjectArrayElement(env, a, 2)), E->GetObjectArrayElement(env, b, 0) == NULL);
    E->SetObjectArrayElement(env, b, 1, a);
    E->SetObjectArrayElement(env, a, 0, NULL);
    say("%d %d %s", E->IsSameObject(env, a, E->GetObjectArrayElement(env, b, 1)), E->GetObjectArrayElement(env, a, 0) == NULL,
        outcome(env));
    TRY("get -1", E->GetObjectArrayElement(env, a, -1));
    TRY("get 3", E->GetObjectArrayElement(env, a, 3));
    TRY("set 3", E->SetObjectArrayElement(env, a, 3, s));
    TRY("set -1 null", E->SetObjectArrayElement(env, a, -1, NULL));
    TRY("set of a wrong type", E->SetObjectArrayElement(env, a, 0, cls));
    TRY("set of a wrong type, out of bounds", E->SetObjectArrayElement(env, a, 9, cls));
    TRY("set a string into String[][]", E->SetObjectArrayElement(env, b, 0, s));
    TRY("set an int[] into Runnable[]", E->SetObjectArrayElement(env, r, 0, E->NewIntArray(env, 1)));
    TRY("negative", E->NewObjectArray(env, -5, string, NULL));
    TRY("huge", E->NewObjectArray(env, 0x7fffffff, string, NULL));
    say("lengths %d %d", E->GetArrayLength(env, a), E->GetArrayLength(env, o));
}

static void string_facts(JNIEnv *env, jstring s) {
    char line[3000];
    jsize n = E->GetStringLength(env, s), u = E->GetStringUTFLength(env, s);
    jboolean copy = 7, copy2 = 7;
    const char *p = E->GetStringUTFChars(env, s, &copy);
    const jchar *c = E->GetStringChars(env, s, &copy2);
    int at = snprintf(line, sizeof line, "%d %d %zu copy %d %d:", n, u, strlen(p), copy, copy2);
    for (jsize i = 0; i < u && i < 20; i++) at += snprintf(line + at, sizeof line - at, " %02x", (unsigned char)p[i]);
    at += snprintf(line + at, sizeof line - at, " |");
    for (jsize i = 0; i < n && i < 20; i++) at += snprintf(line + at, sizeof line - at, " %04x", c[i]);
    jstring a = E->NewStringUTF(env, p), b = E->NewString(env, c, n);
    jclass string = E->GetObjectClass(env, s);
    jmethodID equals = E->GetMethodID(env, string, "equals", "(Ljava/lang/Object;)Z");
    jmethodID hash = E->GetMethodID(env, string, "hashCode", "()I");
    snprintf(line + at, sizeof line - at, " equal %d %d hash %d", E->CallBooleanMethod(env, s, equals, a),
             E->CallBooleanMethod(env, s, equals, b), E->CallIntMethod(env, s, hash) == E->CallIntMethod(env, a, hash));
    say("%s", line);
    E->ReleaseStringUTFChars(env, s, p);
    E->ReleaseStringChars(env, s, c);
    const jchar *k = E->GetStringCritical(env, s, NULL);
    int sum = 0;
    for (jsize i = 0; i < n; i++) sum += k[i];
    E->ReleaseStringCritical(env, s, k);
    say("  critical sum %d", sum);
    jchar cs[2000];
    char us[4000];
    static const jint cases[][2] = {{0, 0}, {0, 1}, {1, 2}, {-1, 1}, {0, -1}, {0, 2000000}, {1001, 0}, {2147483647, 2147483647}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        jint from = cases[i][0], len = cases[i][1];
        cs[0] = 0;
        us[0] = 0;
        E->GetStringRegion(env, s, from, len, cs);
        say("  region %d %d: %s %x", from, len, outcome(env), cs[0]);
        E->GetStringUTFRegion(env, s, from, len, us);
        say("  utf region %d %d: %s %x %zu", from, len, outcome(env), (unsigned char)us[0], strlen(us));
    }
    E->GetStringRegion(env, s, 0, n, cs);
    E->GetStringUTFRegion(env, s, 0, n, us);
    say("  whole: %s %zu", outcome(env), strlen(us));
}

FN(void, strings)(JNIEnv *env, jclass cls, jobjectArray all) {
    jsize n = E->GetArrayLength(env, all);
    for (jsize i = 0; i < n; i++) {
        jstring s = E->GetObjectArrayElement(env, all, i);
        string_facts(env, s);
        E->DeleteLocalRef(env, s);
    }
    say("null text: %s", E->NewStringUTF(env, NULL) ? "string" : "null");
    say("%s", outcome(env));
    say("empty: %d %d", E->GetStringLength(env, E->NewString(env, NULL, 0)), E->GetStringLength(env, E->NewStringUTF(env, "")));
    /* what is not modified UTF-8 */
    static const char *const odd[] = {"\xf0\x9f\x98\x80", "\xff", "a\x80", "\xc3", "ok\xe2\x82"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        jstring s = E->NewStringUTF(env, odd[i]);
        jchar cs[8] = {0};
        jsize n = E->GetStringLength(env, s);
        E->GetStringRegion(env, s, 0, n, cs);
        say("odd %zu: length %d, %x %x %x", i, n, cs[0], cs[1], cs[2]);
    }
}

FN(void, criticals)(JNIEnv *env, jclass cls, jintArray a, jstring latin, jstring wide) {
    jboolean copy = 7;
    jint *p = E->GetPrimitiveArrayCritical(env, a, &copy), *q = E->GetPrimitiveArrayCritical(env, a, NULL);
    p[0] = 10;
    q[1] = 20;
    E->ReleasePrimitiveArrayCritical(env, a, q, 0);
    E->ReleasePrimitiveArrayCritical(env, a, p, JNI_COMMIT);
    say("copy %d", copy);
    p = E->GetPrimitiveArrayCritical(env, a, NULL);
    E->ReleasePrimitiveArrayCritical(env, a, p, JNI_ABORT);
    jintArray none = E->NewIntArray(env, 0);
    p = E->GetPrimitiveArrayCritical(env, none, &copy);
    say("empty %s %d", p ? "pointer" : "null", copy);
    E->ReleasePrimitiveArrayCritical(env, none, p, 0);
    const jchar *l = E->GetStringCritical(env, latin, &copy), *w = E->GetStringCritical(env, wide, NULL);
    say("latin %d %c %x", copy, l[1], w[5]);
    E->ReleaseStringCritical(env, wide, w);
    E->ReleaseStringCritical(env, latin, l);
}

/* clang-format off */
#define FIELD_TYPES(X)                                                                          \
    X(Z, Boolean, jboolean, 0, "%d", int) X(B, Byte, jbyte, 100, "%d", int)                      \
    X(C, Char, jchar, 0xffff, "%d", int) X(S, Short, jshort, -1, "%d", int)                      \
    X(I, Int, jint, -5, "%d", int) X(J, Long, jlong, 1LL << 62, "%lld", long long)               \
    X(F, Float, jfloat, 0.5f, "%a", double) X(D, Double, jdouble, 1e100, "%a", double)
/* clang-format on */

FN(void, fields)(JNIEnv *env, jclass cls, jobject v, jobject sub, jclass bad) {
    jclass sc = E->GetObjectClass(env, sub);
#define ONE(L, Name, type, value, fmt, cast) \
    { \
        jfieldID f = E->GetFieldID(env, cls, "f" #L, #L), s = E->GetStaticFieldID(env, cls, "s" #L, #L); \
        say(#Name " " fmt " " fmt, (cast)E->Get##Name##Field(env, v, f), (cast)E->GetStatic##Name##Field(env, cls, s)); \
        E->Set##Name##Field(env, v, f, value); \
        E->SetStatic##Name##Field(env, cls, s, value); \
        say("  " fmt " " fmt, (cast)E->Get##Name##Field(env, v, f), (cast)E->GetStatic##Name##Field(env, cls, s)); \
    }
    FIELD_TYPES(ONE)
    jfieldID f = E->GetFieldID(env, cls, "fL", "Ljava/lang/Object;"),
             s = E->GetStaticFieldID(env, cls, "sL", "Ljava/lang/Object;");
    say("Object %s %s", text_of(env, E->GetObjectField(env, v, f)), text_of(env, E->GetStaticObjectField(env, cls, s)));
    E->SetObjectField(env, v, f, NULL);
    E->SetStaticObjectField(env, cls, s, E->NewStringUTF(env, "new static"));
    say("  %d", E->GetObjectField(env, v, f) == NULL);
    /* volatile and final ones */
    f = E->GetFieldID(env, cls, "vJ", "J");
    E->SetLongField(env, v, f, E->GetLongField(env, v, f) + 1);
    s = E->GetStaticFieldID(env, cls, "vsD", "D");
    E->SetStaticDoubleField(env, cls, s, E->GetStaticDoubleField(env, cls, s) + 1);
    f = E->GetFieldID(env, cls, "vL", "Ljava/lang/Object;");
    E->SetObjectField(env, v, f, E->NewStringUTF(env, "volatile set"));
    E->SetIntField(env, v, E->GetFieldID(env, cls, "fin", "I"), 55);
    /* hidden and inherited */
    E->SetIntField(env, sub, E->GetFieldID(env, sc, "fI", "I"), 100);
    E->SetIntField(env, sub, E->GetFieldID(env, cls, "fI", "I"), 200);
    say("inherited id is the same: %d", E->GetFieldID(env, sc, "fJ", "J") == E->GetFieldID(env, cls, "fJ", "J"));
    jclass imp = E->FindClass(env, "Values$Implementer");
    say("interface constant %d", E->GetStaticIntField(env, imp, E->GetStaticFieldID(env, imp, "NUMBER", "I")));
    TRY("absent", E->GetFieldID(env, cls, "absent", "I"));
    TRY("wrong type", E->GetFieldID(env, cls, "fI", "J"));
    TRY("static as instance", E->GetFieldID(env, cls, "sI", "I"));
    TRY("instance as static", E->GetStaticFieldID(env, cls, "fI", "I"));
    TRY("absent static", E->GetStaticFieldID(env, cls, "absent", "I"));
    TRY("subclass field in superclass", E->GetFieldID(env, cls, "own", "I"));
    TRY("class of fI spelled oddly", E->GetFieldID(env, cls, "fI", "oddly"));
    TRY("array", E->GetFieldID(env, E->FindClass(env, "[I"), "length", "I"));
    TRY("bad class", E->GetFieldID(env, bad, "m", "I"));
    TRY("bad class again", E->GetStaticFieldID(env, bad, "n", "I"));
}
