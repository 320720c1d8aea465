/* SPDX-License-Identifier: Apache-2.0 */
/* agent_edits - natives of tests/stress/edits/EditStorm.java: redefinition with reasons, dry runs, undoing, instances, bytes. */
#include "agent_test.h"

#include <malloc.h>

static jvmtiEnv *ti;

/* Where a thread that retransforms wants the bytes that the hook is given: by the tags of the classes. */
static __thread jobjectArray asked;

static jvmtiExtensionFunction extension(const char *id) {
    static jvmtiExtensionFunctionInfo *v;
    static jint n;
    if (!v) MUST((*ti)->GetExtensionFunctions(ti, &n, &v));
    for (jint i = 0; i < n; i++)
        if (!strcmp(v[i].id, id)) return v[i].func;
    say("! no %s", id);
    abort();
}

static jstring answer(JNIEnv *env, jvmtiError e, const char *get_text) {
    char *text = NULL, line[2000];
    if (!e && !get_text) return NULL;
    MUST(extension(get_text ? get_text : "graft.redefinition.GetReason")(ti, &text));
    snprintf(line, sizeof line, "%s%s%s", e ? error_name(e) : "", e ? ", " : "", text ? text : "");
    (*ti)->Deallocate(ti, (unsigned char *)text);
    return (*env)->NewStringUTF(env, line);
}

/* null, or error and reason */
JNIEXPORT jstring JNICALL Java_EditStorm_redefine(JNIEnv *env, jclass me, jobjectArray classes, jobjectArray files,
                                                  jboolean dry) {
    jsize n = (*env)->GetArrayLength(env, classes);
    jvmtiClassDefinition *d = calloc((size_t)n + 1, sizeof *d);
    for (jsize i = 0; i < n; i++) {
        jbyteArray file = (*env)->GetObjectArrayElement(env, files, i);
        jsize len = (*env)->GetArrayLength(env, file);
        unsigned char *bytes = malloc((size_t)len + 1);
        (*env)->GetByteArrayRegion(env, file, 0, len, (jbyte *)bytes);
        (*env)->DeleteLocalRef(env, file);
        d[i] = (jvmtiClassDefinition){(*env)->GetObjectArrayElement(env, classes, i), len, bytes};
    }
    char *text = NULL;
    jvmtiError e = dry ? extension("graft.redefinition.DryRun")(ti, n, d, &text) : (*ti)->RedefineClasses(ti, n, d);
    (*ti)->Deallocate(ti, (unsigned char *)text);
    for (jsize i = 0; i < n; i++) {
        (*env)->DeleteLocalRef(env, d[i].klass);
        free((void *)d[i].class_bytes);
    }
    free(d);
    return answer(env, e, NULL);
}

JNIEXPORT jstring JNICALL Java_EditStorm_undo(JNIEnv *env, jclass me, jobjectArray classes) {
    jsize n = (*env)->GetArrayLength(env, classes);
    jclass *c = calloc((size_t)n + 1, sizeof *c);
    for (jsize i = 0; i < n; i++) c[i] = (*env)->GetObjectArrayElement(env, classes, i);
    jvmtiError e = extension("graft.redefinition.Undo")(ti, n, c);
    for (jsize i = 0; i < n; i++) (*env)->DeleteLocalRef(env, c[i]);
    free(c);
    return answer(env, e, NULL);
}

JNIEXPORT jstring JNICALL Java_EditStorm_report(JNIEnv *env, jclass me) {
    return answer(env, JVMTI_ERROR_NONE, "graft.redefinition.GetReport");
}

static jobjectArray array_of(JNIEnv *env, const char *type, jint n, jobject *all) {
    jobjectArray out = (*env)->NewObjectArray(env, n, (*env)->FindClass(env, type), NULL);
    for (jint i = 0; i < n; i++) {
        if (out) (*env)->SetObjectArrayElement(env, out, i, all[i]);
        (*env)->DeleteLocalRef(env, all[i]);
    }
    (*ti)->Deallocate(ti, (unsigned char *)all);
    return out;
}

/* What malloc has handed out and not got back, in all its arenas. */
JNIEXPORT jlong JNICALL Java_EditStorm_allocatedKb(JNIEnv *env, jclass me) {
    struct mallinfo2 m = mallinfo2();
    return (jlong)((m.uordblks + m.hblkhd) >> 10);
}

JNIEXPORT jobjectArray JNICALL Java_EditStorm_loaded(JNIEnv *env, jclass me) {
    jint n = 0;
    jclass *all = NULL;
    MUST((*ti)->GetLoadedClasses(ti, &n, &all));
    return array_of(env, "java/lang/Class", n, all);
}

static jvmtiIterationControl JNICALL tag_it(jlong class_tag, jlong size, jlong *tag, void *user) {
    *tag = 1;
    return JVMTI_ITERATION_CONTINUE;
}
static jvmtiIterationControl JNICALL untag_it(jlong class_tag, jlong size, jlong *tag, void *user) {
    *tag = 0;
    return JVMTI_ITERATION_CONTINUE;
}

/* Objects of the class and its subclasses. */
JNIEXPORT jobjectArray JNICALL Java_EditStorm_instances(JNIEnv *env, jclass me, jclass c) {
    jlong tag = 1;
    jint n = 0;
    jobject *all = NULL;
    MUST((*ti)->IterateOverInstancesOfClass(ti, c, JVMTI_HEAP_OBJECT_EITHER, tag_it, NULL));
    MUST((*ti)->GetObjectsWithTags(ti, 1, &tag, &n, &all, NULL));
    MUST((*ti)->IterateOverInstancesOfClass(ti, c, JVMTI_HEAP_OBJECT_TAGGED, untag_it, NULL));
    return array_of(env, "java/lang/Object", n, all);
}

/* The class files that retransformation begins with. */
JNIEXPORT jobjectArray JNICALL Java_EditStorm_bytesOf(JNIEnv *env, jclass me, jobjectArray classes) {
    jsize n = (*env)->GetArrayLength(env, classes);
    jclass *c = calloc((size_t)n + 1, sizeof *c);
    jobjectArray out = (*env)->NewObjectArray(env, n, (*env)->FindClass(env, "[B"), NULL);
    for (jsize i = 0; i < n; i++) {
        c[i] = (*env)->GetObjectArrayElement(env, classes, i);
        MUST((*ti)->SetTag(ti, c[i], i + 1));
    }
    asked = (*env)->NewGlobalRef(env, out);
    MUST((*ti)->RetransformClasses(ti, n, c));
    (*env)->DeleteGlobalRef(env, asked);
    asked = NULL;
    for (jsize i = 0; i < n; i++) {
        MUST((*ti)->SetTag(ti, c[i], 0));
        (*env)->DeleteLocalRef(env, c[i]);
    }
    free(c);
    return out;
}

static void JNICALL hook(jvmtiEnv *env, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject pd, jint len,
                         const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    jlong tag = 0;
    if (!asked || !old || (*ti)->GetTag(ti, old, &tag) || !tag) return;
    jbyteArray kept = (*jni)->NewByteArray(jni, len);
    if (!kept) return;
    (*jni)->SetByteArrayRegion(jni, kept, 0, len, (const jbyte *)bytes);
    (*jni)->SetObjectArrayElement(jni, asked, (jsize)tag - 1, kept);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    jvmtiEventCallbacks calls = {.ClassFileLoadHook = hook};
    jvmtiCapabilities caps = {.can_retransform_classes = 1, .can_redefine_classes = 1, .can_tag_objects = 1};
    ti = new_env(vm);
    if (!ti || !MUST((*ti)->AddCapabilities(ti, &caps)) || !MUST((*ti)->SetEventCallbacks(ti, &calls, sizeof calls))) return 1;
    enable(ti, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    return 0;
}
