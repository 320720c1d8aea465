/* SPDX-License-Identifier: Apache-2.0 */
/* Native side of Binding.java. */
#include "jnitest.h"

static jint one(JNIEnv *env, jobject self) { return 1; }

static void register_one(JNIEnv *env, jclass c, const char *name, const char *sig) {
    JNINativeMethod m = {(char *)name, (char *)sig, (void *)one};
    say("register %s%s: %s", name, sig, E->RegisterNatives(env, c, &m, 1) == JNI_OK ? "done" : outcome(env));
}

/* For a class that inherits natives. */
JNIEXPORT void JNICALL Java_Binding_inherit(JNIEnv *env, jclass self, jclass derived) {
    register_one(env, derived, "inherited", "()I");
    register_one(env, derived, "shared", "()I");
    register_one(env, derived, "hidden", "()I");
    register_one(env, derived, "own", "()I");
    register_one(env, derived, "plain", "()I");
    register_one(env, derived, "toString", "()Ljava/lang/String;");
    register_one(env, derived, "own", "()J");
}
JNIEXPORT void JNICALL Java_Binding_unregister(JNIEnv *env, jclass self, jclass c) { E->UnregisterNatives(env, c); }

/* Names that no class file has are asked for without running initialisers. */
JNIEXPORT void JNICALL Java_Binding_unknown(JNIEnv *env, jclass self, jclass field, jclass shared, jclass method) {
    char name[] = "zyxwv_0";
    TRY("field of no class", E->GetFieldID(env, field, name, "I"));
    name[6]++;
    TRY("static field of no class", E->GetStaticFieldID(env, shared, name, "I"));
    name[6]++;
    TRY("method of no class", E->GetMethodID(env, method, name, "()V"));
    name[6]++;
    TRY("static method of no class", E->GetStaticMethodID(env, method, name, "()V"));
    TRY("field of another type", E->GetFieldID(env, field, "f", "J"));
    TRY("static field of another type", E->GetStaticFieldID(env, shared, "f", "J"));
    TRY("method of another type", E->GetMethodID(env, method, "f", "J"));
}

/* The class again, in the loader that has it, and under a name that is too long. */
JNIEXPORT void JNICALL Java_Binding_define(JNIEnv *env, jclass self, jobject loader, jbyteArray bytes) {
    jsize n = E->GetArrayLength(env, bytes);
    jbyte *b = E->GetByteArrayElements(env, bytes, NULL);
    for (int i = 0; i < 2; i++) {
        jclass c = E->DefineClass(env, NULL, loader, b, n);
        char *text = (char *)outcome(env), *end = strchr(text, '@');
        if (end) *end = 0;
        say("define: %d %s %s", c != NULL, text, end && strstr(end + 1, "duplicate abstract class") ? "abstract" : "");
    }
    char *name = malloc(70001);
    memset(name, 'n', 70000);
    name[70000] = 0;
    E->DefineClass(env, name, loader, b, n);
    say("define: %.120s", outcome(env));
    E->FindClass(env, name);
    say("find: %.120s", outcome(env));
    free(name);
    E->ReleaseByteArrayElements(env, bytes, b, JNI_ABORT);
}

#define NAME(mangled) JNIEXPORT jint JNICALL Java_Binding_00024_00024Names_11_##mangled(JNIEnv *env, jclass c)
NAME(a_1b_00024c) { return 10; }
NAME(a_1b_00024c___3I_3_3Ljava_lang_String_2LBinding_00024_00024Names_11_2) { return 11; }
NAME(_000e9_0d835_0dc00x) { return 12; }
NAME(f__I) { return 13; }
NAME(f__J) { return 14; }
NAME(f_11) { return 15; }
NAME(_10abc) { return 16; }
NAME(x_12y) { return 17; }
NAME(_000240) { return 18; }
NAME(over__) { return 19; }
NAME(over) { return 20; }
NAME(only___3_3D) { return 21; }
