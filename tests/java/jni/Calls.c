/* SPDX-License-Identifier: Apache-2.0 */
/* Native half of Calls.java. */
#include "jnitest.h"

#include <math.h>

#define FN(ret, name) JNIEXPORT ret JNICALL Java_Calls_##name

/* X(letter, Name, type, member of jvalue, format, cast for printing, descriptor) */
#define PRIMITIVES(X) \
    X(Z, Boolean, jboolean, z, "%d", int, "Z") \
    X(B, Byte, jbyte, b, "%d", int, "B") \
    X(C, Char, jchar, c, "%d", int, "C") \
    X(S, Short, jshort, s, "%d", int, "S") \
    X(I, Int, jint, i, "%d", int, "I") \
    X(J, Long, jlong, j, "%lld", long long, "J") \
    X(F, Float, jfloat, f, "%a", double, "F") \
    X(D, Double, jdouble, d, "%a", double, "D")

static const jboolean values_Z[] = {0, 1};
static const jbyte values_B[] = {0, 1, -1, 127, -128};
static const jchar values_C[] = {0, 1, 0x7fff, 0x8000, 0xffff};
static const jshort values_S[] = {0, 1, -1, 32767, -32768};
static const jint values_I[] = {0, 1, -1, 2147483647, -2147483647 - 1};
static const jlong values_J[] = {0, 1, -1, 0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1, 1LL << 32};
static const jfloat values_F[] = {0.0f, -0.0f, 1.5f, 3.4028235e38f, 1.4e-45f, -INFINITY};
static const jdouble values_D[] = {0.0, -0.0, 1.5, 1.7976931348623157e308, 4.9e-324, -INFINITY};

/* The V forms need a va_list made here. */
#define V_FORMS(L, Name, type, member, fmt, cast, desc) \
    static type virtual_v_##L(JNIEnv *env, jobject o, jmethodID m, ...) { \
        va_list ap; \
        va_start(ap, m); \
        type r = E->Call##Name##MethodV(env, o, m, ap); \
        va_end(ap); \
        return r; \
    } \
    static type nonvirtual_v_##L(JNIEnv *env, jobject o, jclass c, jmethodID m, ...) { \
        va_list ap; \
        va_start(ap, m); \
        type r = E->CallNonvirtual##Name##MethodV(env, o, c, m, ap); \
        va_end(ap); \
        return r; \
    } \
    static type static_v_##L(JNIEnv *env, jclass c, jmethodID m, ...) { \
        va_list ap; \
        va_start(ap, m); \
        type r = E->CallStatic##Name##MethodV(env, c, m, ap); \
        va_end(ap); \
        return r; \
    }
PRIMITIVES(V_FORMS)
V_FORMS(L, Object, jobject, l, , , )

static void void_v(JNIEnv *env, jobject o, jclass c, jmethodID m, int mode, ...) {
    va_list ap;
    va_start(ap, mode);
    if (mode == 0) E->CallVoidMethodV(env, o, m, ap);
    else if (mode == 1) E->CallNonvirtualVoidMethodV(env, o, c, m, ap);
    else E->CallStaticVoidMethodV(env, c, m, ap);
    va_end(ap);
}

FN(void, virtuals)(JNIEnv *env, jclass cls, jobject base, jobject derived) {
    jclass bc = E->GetObjectClass(env, base), dc = E->GetObjectClass(env, derived);
#define ONE(L, Name, type, member, fmt, cast, desc) \
    { \
        jmethodID m = E->GetMethodID(env, bc, "v" #L, "(" desc ")" desc); \
        jmethodID dm = E->GetMethodID(env, dc, "v" #L, "(" desc ")" desc); \
        for (size_t i = 0; i < sizeof values_##L / sizeof *values_##L; i++) { \
            type v = values_##L[i]; \
            jvalue a = {.member = v}; \
            say(#Name " " fmt " virtual " fmt " " fmt " " fmt " nonvirtual " fmt " " fmt " " fmt " own " fmt, (cast)v, \
                (cast)E->Call##Name##Method(env, derived, m, v), (cast)virtual_v_##L(env, derived, m, v), \
                (cast)E->Call##Name##MethodA(env, derived, m, &a), \
                (cast)E->CallNonvirtual##Name##Method(env, derived, bc, m, v), (cast)nonvirtual_v_##L(env, derived, bc, m, v), \
                (cast)E->CallNonvirtual##Name##MethodA(env, derived, bc, m, &a), \
                (cast)E->CallNonvirtual##Name##Method(env, derived, dc, dm, v)); \
        } \
    }
    PRIMITIVES(ONE)
#undef ONE
    jmethodID m = E->GetMethodID(env, bc, "vL", "(Ljava/lang/Object;)Ljava/lang/Object;");
    jstring s = E->NewStringUTF(env, "arg");
    jvalue a = {.l = s}, none = {.l = NULL};
    say("Object %s %s %s", text_of(env, E->CallObjectMethod(env, derived, m, s)), text_of(env, virtual_v_L(env, derived, m, s)),
        text_of(env, E->CallObjectMethodA(env, derived, m, &none)));
    say("Object %d %d %d %d", E->IsSameObject(env, s, E->CallNonvirtualObjectMethod(env, derived, bc, m, s)),
        E->IsSameObject(env, s, nonvirtual_v_L(env, derived, bc, m, s)),
        E->IsSameObject(env, s, E->CallNonvirtualObjectMethodA(env, derived, bc, m, &a)),
        E->CallNonvirtualObjectMethodA(env, derived, bc, m, &none) == NULL);
    m = E->GetMethodID(env, bc, "vV", "(I)V");
    a.i = -3;
    E->CallVoidMethod(env, derived, m, -1);
    void_v(env, derived, NULL, m, 0, -2);
    E->CallVoidMethodA(env, derived, m, &a);
    E->CallNonvirtualVoidMethod(env, derived, bc, m, -1);
    void_v(env, derived, bc, m, 1, -2);
    E->CallNonvirtualVoidMethodA(env, derived, bc, m, &a);
    /* private: the ID decides */
    m = E->GetMethodID(env, bc, "secret", "(I)I");
    jmethodID dm = E->GetMethodID(env, dc, "secret", "(I)I");
    say("private %d %d %d", E->CallIntMethod(env, derived, m, 10), E->CallIntMethod(env, derived, dm, 10),
        E->CallNonvirtualIntMethod(env, derived, bc, m, 20));
}

FN(void, statics)(JNIEnv *env, jclass cls) {
#define ONE(L, Name, type, member, fmt, cast, desc) \
    { \
        jmethodID m = E->GetStaticMethodID(env, cls, "s" #L, "(" desc ")" desc); \
        for (size_t i = 0; i < sizeof values_##L / sizeof *values_##L; i++) { \
            type v = values_##L[i]; \
            jvalue a = {.member = v}; \
            say(#Name " static " fmt " " fmt " " fmt, (cast)E->CallStatic##Name##Method(env, cls, m, v), \
                (cast)static_v_##L(env, cls, m, v), (cast)E->CallStatic##Name##MethodA(env, cls, m, &a)); \
        } \
    }
    PRIMITIVES(ONE)
#undef ONE
    jmethodID m = E->GetStaticMethodID(env, cls, "sL", "(Ljava/lang/Object;)Ljava/lang/Object;");
    jvalue a = {.l = cls};
    say("Object static %d %d %d %d", E->IsSameObject(env, cls, E->CallStaticObjectMethod(env, cls, m, cls)),
        E->IsSameObject(env, cls, static_v_L(env, cls, m, cls)),
        E->IsSameObject(env, cls, E->CallStaticObjectMethodA(env, cls, m, &a)),
        E->CallStaticObjectMethod(env, cls, m, NULL) == NULL);
    m = E->GetStaticMethodID(env, cls, "sV", "(I)V");
    a.i = 3;
    E->CallStaticVoidMethod(env, cls, m, 1);
    void_v(env, NULL, cls, m, 2, 2);
    E->CallStaticVoidMethodA(env, cls, m, &a);
    /* the class is initialised by GetStaticMethodID */
    jclass counter = E->FindClass(env, "Calls$Counter");
    say("found");
    m = E->GetStaticMethodID(env, counter, "next", "()I");
    say("counter %d %d", E->CallStaticIntMethod(env, counter, m), E->CallStaticIntMethodA(env, counter, m, NULL));
}

static jobject new_v(JNIEnv *env, jclass c, jmethodID m, ...) {
    va_list ap;
    va_start(ap, m);
    jobject r = E->NewObjectV(env, c, m, ap);
    va_end(ap);
    return r;
}

#define MIXED "(ZBCSIJFDLjava/lang/Object;)"
#define ARGS \
    (jboolean)1, (jbyte)-128, (jchar)0xffff, (jshort)-32768, (jint)-5, (jlong)-1LL << 40, (jfloat)-0.0f, (jdouble)1e300, \
        (jobject)name

FN(void, objects)(JNIEnv *env, jclass cls, jclass uninitialised) {
    jclass bc = E->FindClass(env, "Calls$Base"), dc = E->FindClass(env, "Calls$Derived");
    jstring name = E->NewStringUTF(env, "last");
    jvalue a[9] = {{.z = 1},          {.b = -128},  {.c = 0xffff}, {.s = -32768}, {.i = -5},
                   {.j = -1LL << 40}, {.f = -0.0f}, {.d = 1e300},  {.l = name}};
    jfieldID tag = E->GetFieldID(env, bc, "tag", "I");
    jmethodID none = E->GetMethodID(env, bc, "<init>", "()V"), full = E->GetMethodID(env, bc, "<init>", MIXED "V");
    jmethodID fail = E->GetMethodID(env, bc, "<init>", "(I)V");
    jobject o1 = E->NewObject(env, bc, full, ARGS), o2 = new_v(env, bc, full, ARGS), o3 = E->NewObjectA(env, bc, full, a);
    say("tags %d %d %d %d", E->GetIntField(env, o1, tag), E->GetIntField(env, o2, tag), E->GetIntField(env, o3, tag),
        E->GetIntField(env, E->NewObject(env, bc, none), tag));
    jmethodID m = E->GetMethodID(env, bc, "mixed", MIXED "Ljava/lang/String;");
    jmethodID s = E->GetStaticMethodID(env, cls, "sMixed", MIXED "Ljava/lang/String;");
    jobject d = E->NewObject(env, dc, E->GetMethodID(env, dc, "<init>", "()V"));
    say("%s", text_of(env, E->CallObjectMethod(env, d, m, ARGS)));
    say("%s", text_of(env, virtual_v_L(env, d, m, ARGS)));
    say("%s", text_of(env, E->CallObjectMethodA(env, d, m, a)));
    say("%s", text_of(env, E->CallNonvirtualObjectMethod(env, d, bc, m, ARGS)));
    say("%s", text_of(env, E->CallStaticObjectMethod(env, cls, s, ARGS)));
    say("%s", text_of(env, static_v_L(env, cls, s, ARGS)));
    say("%s", text_of(env, E->CallStaticObjectMethodA(env, cls, s, a)));
    jobject bad = E->NewObject(env, bc, fail, 7);
    say("failed constructor gives %s", bad ? "an object" : "null");
    say("%s", outcome(env));
    /* AllocObject: no constructor */
    jobject raw = E->AllocObject(env, bc);
    say("raw %d %s", E->GetIntField(env, raw, tag), class_name(env, raw));
    TRY("AllocObject abstract", E->AllocObject(env, E->FindClass(env, "Calls$Abstract")));
    TRY("AllocObject interface", E->AllocObject(env, E->FindClass(env, "Calls$Shape")));
    TRY("AllocObject array", E->AllocObject(env, E->FindClass(env, "[I")));
    TRY("AllocObject Class", E->AllocObject(env, E->FindClass(env, "java/lang/Class")));
    TRY("AllocObject bad init", E->AllocObject(env, uninitialised));
    TRY("NewObject abstract", E->NewObject(env, E->FindClass(env, "Calls$Abstract"),
                                           E->GetMethodID(env, E->FindClass(env, "Calls$Abstract"), "<init>", "()V")));
}

FN(void, interfaces)(JNIEnv *env, jclass cls, jobject a, jobject b) {
    jclass shape = E->FindClass(env, "Calls$Shape"), named = E->GetObjectClass(env, b);
    jmethodID name = E->GetMethodID(env, shape, "name", "()Ljava/lang/String;");
    jmethodID sides = E->GetMethodID(env, shape, "sides", "()I");
    jmethodID own = E->GetMethodID(env, named, "name", "()Ljava/lang/String;");
    jmethodID inherited = E->GetMethodID(env, E->GetObjectClass(env, a), "name", "()Ljava/lang/String;");
    say("%s %s %s", text_of(env, E->CallObjectMethod(env, a, name)), text_of(env, E->CallObjectMethod(env, b, name)),
        text_of(env, E->CallNonvirtualObjectMethod(env, b, shape, name)));
    say("%d %d", E->CallIntMethod(env, a, sides), E->CallIntMethod(env, b, sides));
    say("%s %d", text_of(env, E->CallObjectMethod(env, b, own)), inherited == name);
    say("%s", text_of(env, E->CallObjectMethod(env, b, inherited)));
    say("static of interface %d", E->CallStaticIntMethod(env, shape, E->GetStaticMethodID(env, shape, "count", "()I")));
    TRY("static of interface through class", E->GetStaticMethodID(env, named, "count", "()I"));
    jmethodID hash = E->GetMethodID(env, shape, "hashCode", "()I");
    say("Object's method from an interface: %s %s", hash ? "found" : "null", outcome(env));
    TRY("abstract, not virtual", E->CallNonvirtualIntMethod(env, a, shape, sides));
    /* arrays have Object's methods */
    jclass ints = E->FindClass(env, "[I");
    jmethodID get_class = E->GetMethodID(env, ints, "getClass", "()Ljava/lang/Class;");
    jobject array = E->NewIntArray(env, 1);
    say("%d", E->IsSameObject(env, ints, E->CallObjectMethod(env, array, get_class)));
    jmethodID clone = E->GetMethodID(env, ints, "clone", "()Ljava/lang/Object;");
    say("clone of array %s %s", clone ? class_name(env, E->CallObjectMethod(env, array, clone)) : "none", outcome(env));
}

FN(void, failures)(JNIEnv *env, jclass cls, jobject base, jclass bad) {
    jclass bc = E->GetObjectClass(env, base);
    TRY("no method", E->GetMethodID(env, bc, "nope", "()V"));
    TRY("wrong descriptor", E->GetMethodID(env, bc, "vI", "(J)I"));
    TRY("static as virtual", E->GetMethodID(env, cls, "sI", "(I)I"));
    TRY("virtual as static", E->GetStaticMethodID(env, bc, "vI", "(I)I"));
    TRY("no static", E->GetStaticMethodID(env, cls, "nope", "()V"));
    TRY("inherited constructor", E->GetMethodID(env, E->FindClass(env, "Calls$Derived"), "<init>", "(I)V"));
    TRY("class initialiser", E->GetStaticMethodID(env, cls, "<clinit>", "()V"));
    TRY("FindClass of a bad class", E->FindClass(env, "Calls$Worse"));
    TRY("FindClass of a bad class again", E->FindClass(env, "Calls$Worse"));
    TRY("class initialiser as method", E->GetMethodID(env, bad, "<clinit>", "()V"));
    TRY("bad class", E->GetStaticMethodID(env, bad, "f", "()I"));
    TRY("bad class again", E->GetStaticMethodID(env, bad, "f", "()I"));
    TRY("odd descriptor", E->GetMethodID(env, bc, "vI", "nonsense"));
    TRY("no method of an array", E->GetMethodID(env, E->FindClass(env, "[[I"), "nope", "()V"));
}

FN(void, wide)(JNIEnv *env, jclass cls, jobject base) {
    jmethodID m = E->GetMethodID(env, E->GetObjectClass(env, base), "many", "(IJFDIJFDIJFDDDDDDDD)Ljava/lang/String;");
    jvalue a[19] = {{.i = 1},  {.j = 2},  {.f = 3},  {.d = 4},  {.i = 5},  {.j = 6},  {.f = 7},  {.d = 8},  {.i = 9}, {.j = 10},
                    {.f = 11}, {.d = 12}, {.d = 13}, {.d = 14}, {.d = 15}, {.d = 16}, {.d = 17}, {.d = 18}, {.d = 19}};
    say("%s", text_of(env, E->CallObjectMethod(env, base, m, 1, 2LL, 3.0f, 4.0, 5, 6LL, 7.0f, 8.0, 9, 10LL, 11.0f, 12.0, 13.0,
                                               14.0, 15.0, 16.0, 17.0, 18.0, 19.0)));
    say("%s", text_of(env, E->CallObjectMethodA(env, base, m, a)));
}

/* Values wider than the parameter: what counts is the low part. */
FN(void, narrow)(JNIEnv *env, jclass cls) {
    jmethodID b = E->GetStaticMethodID(env, cls, "sB", "(B)B"), c = E->GetStaticMethodID(env, cls, "sC", "(C)C");
    jmethodID s = E->GetStaticMethodID(env, cls, "sS", "(S)S"), z = E->GetStaticMethodID(env, cls, "sZ", "(Z)Z");
    say("%d %d %d %d", E->CallStaticByteMethod(env, cls, b, 0x1ff), E->CallStaticCharMethod(env, cls, c, -1),
        E->CallStaticShortMethod(env, cls, s, 0x18000), E->CallStaticBooleanMethod(env, cls, z, 1));
}

FN(jint, back)(JNIEnv *env, jclass cls, jint n) {
    jmethodID m = E->GetStaticMethodID(env, cls, "deep", "(I)I");
    if (!m) return -1;
    return E->CallStaticIntMethod(env, cls, m, n);
}

/* An int handed back where a narrower type is declared: a caller may use only the low bits. */
JNIEXPORT jint JNICALL Java_Calls_nz(JNIEnv *env, jclass cls, jint v) { return v; }
JNIEXPORT jint JNICALL Java_Calls_nb(JNIEnv *env, jclass cls, jint v) { return v; }
JNIEXPORT jint JNICALL Java_Calls_nc(JNIEnv *env, jclass cls, jint v) { return v; }
JNIEXPORT jint JNICALL Java_Calls_ns(JNIEnv *env, jclass cls, jint v) { return v; }
