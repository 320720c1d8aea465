/* SPDX-License-Identifier: Apache-2.0 */
/* agent_watch - watched fields: which accesses are told, and what is told. */
#include "agent_test.h"

static jvmtiEnv *ti;
static bool quiet;

static void describe(JNIEnv *env, jmethodID m, jlocation at, jclass k, jobject o, jfieldID f, char *out, size_t n) {
    char *ms = NULL, *ks = NULL, *fs = NULL, *desc = NULL, *cs = NULL;
    jclass c = NULL;
    (*ti)->GetMethodName(ti, m, &ms, NULL, NULL);
    (*ti)->GetMethodDeclaringClass(ti, m, &c);
    (*ti)->GetClassSignature(ti, c, &cs, NULL);
    (*ti)->GetClassSignature(ti, k, &ks, NULL);
    (*ti)->GetFieldName(ti, k, f, &fs, &desc, NULL);
    jboolean native = JNI_FALSE;
    (*ti)->IsMethodNative(ti, m, &native);
    if (native) /* which instruction of a native method? the text does not say */
        at = 0;
    snprintf(out, n, "%s.%s %lld %s.%s %s %s", cs, ms, (long long)at, ks, fs, desc, o ? "object" : "static");
    (*ti)->Deallocate(ti, (unsigned char *)ms);
    (*ti)->Deallocate(ti, (unsigned char *)ks);
    (*ti)->Deallocate(ti, (unsigned char *)fs);
    (*ti)->Deallocate(ti, (unsigned char *)desc);
    (*ti)->Deallocate(ti, (unsigned char *)cs);
}
static void JNICALL on_access(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass k, jobject o, jfieldID f) {
    char text[1024];
    if (quiet) return;
    describe(env, m, at, k, o, f, text, sizeof text);
    say("  get %s", text);
}
static void JNICALL on_modification(jvmtiEnv *e, JNIEnv *env, jthread t, jmethodID m, jlocation at, jclass k, jobject o,
                                    jfieldID f, char type, jvalue v) {
    char text[1024], value[64];
    if (quiet) return;
    describe(env, m, at, k, o, f, text, sizeof text);
    switch (type) {
    case 'Z': snprintf(value, sizeof value, "%d", v.z); break;
    case 'B': snprintf(value, sizeof value, "%d", v.b); break;
    case 'C': snprintf(value, sizeof value, "%d", v.c); break;
    case 'S': snprintf(value, sizeof value, "%d", v.s); break;
    case 'I': snprintf(value, sizeof value, "%d", v.i); break;
    case 'J': snprintf(value, sizeof value, "%lld", (long long)v.j); break;
    case 'F': snprintf(value, sizeof value, "%g", (double)v.f); break;
    case 'D': snprintf(value, sizeof value, "%g", v.d); break;
    default: snprintf(value, sizeof value, "%s", v.l ? "object" : "null"); break;
    }
    say("  set %s: %c %s", text, type, value);
}

static jfieldID find(JNIEnv *env, jclass c, const char *name, jclass *holder) {
    *holder = c;
    for (; c; c = (*env)->GetSuperclass(env, c)) {
        jint n = 0;
        jfieldID *v = NULL, found = NULL;
        if ((*ti)->GetClassFields(ti, c, &n, &v)) return NULL;
        for (jint i = 0; i < n && !found; i++) {
            char *s = NULL;
            (*ti)->GetFieldName(ti, c, v[i], &s, NULL, NULL);
            if (strcmp(s, name) == 0) found = v[i];
            (*ti)->Deallocate(ti, (unsigned char *)s);
        }
        (*ti)->Deallocate(ti, (unsigned char *)v);
        if (found) {
            *holder = c;
            return found;
        }
    }
    return NULL;
}
/* what: set or clear, access or modification, as sa ca sm cm */
JNIEXPORT jstring JNICALL Java_Watched_watch(JNIEnv *env, jclass self, jclass c, jstring field, jstring what) {
    const char *n = (*env)->GetStringUTFChars(env, field, NULL), *w = (*env)->GetStringUTFChars(env, what, NULL);
    jclass holder;
    jfieldID f = find(env, c, n, &holder);
    jvmtiError e = *w == 's'
                       ? w[1] == 'a' ? (*ti)->SetFieldAccessWatch(ti, holder, f) : (*ti)->SetFieldModificationWatch(ti, holder, f)
                   : w[1] == 'a' ? (*ti)->ClearFieldAccessWatch(ti, holder, f)
                                 : (*ti)->ClearFieldModificationWatch(ti, holder, f);
    return (*env)->NewStringUTF(env, error_name(e));
}
JNIEXPORT void JNICALL Java_Watched_quiet(JNIEnv *env, jclass self, jboolean on) { quiet = on; }
#define FIELD(name, sig, Type, value) \
    { \
        jfieldID f = (*env)->GetFieldID(env, c, name, sig); \
        (void)(*env)->Get##Type##Field(env, o, f); \
        (*env)->Set##Type##Field(env, o, f, value); \
        f = (*env)->GetStaticFieldID(env, c, "s" name, sig); \
        (void)(*env)->GetStatic##Type##Field(env, c, f); \
        (*env)->SetStatic##Type##Field(env, c, f, value); \
    }
JNIEXPORT void JNICALL Java_Watched_byJni(JNIEnv *env, jclass c, jobject o){
    FIELD("z", "Z", Boolean, JNI_TRUE) FIELD("b", "B", Byte, -3) FIELD("c", "C", Char, 65000) FIELD("h", "S", Short, -300)
        FIELD("i", "I", Int, -70000) FIELD("j", "J", Long, 1LL << 40) FIELD("f", "F", Float, 0.5f) FIELD("d", "D", Double, 0.25)
            FIELD("o", "Ljava/lang/Object;", Object, o) FIELD("v", "I", Int, 77)}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiCapabilities caps = {.can_generate_field_access_events = 1, .can_generate_field_modification_events = 1};
    jvmtiEventCallbacks cb = {.FieldAccess = on_access, .FieldModification = on_modification};
    if (!(ti = new_env(vm)) || !MUST((*ti)->AddCapabilities(ti, &caps))) return JNI_ERR;
    MUST((*ti)->SetEventCallbacks(ti, &cb, sizeof cb));
    enable(ti, JVMTI_EVENT_FIELD_ACCESS);
    enable(ti, JVMTI_EVENT_FIELD_MODIFICATION);
    return JNI_OK;
}
