/* SPDX-License-Identifier: Apache-2.0 */
/* agent_extension - the extension functions graft.redefinition.*, and JNI and heap walks at fields that came later. */
#include "agent_test.h"

static jvmtiEnv *ti;

static jvmtiExtensionFunction extension(const char *id) {
    jvmtiExtensionFunctionInfo *v = NULL;
    jint n = 0;
    MUST((*ti)->GetExtensionFunctions(ti, &n, &v));
    for (jint i = 0; i < n; i++)
        if (!strcmp(v[i].id, id)) return v[i].func;
    say("! no %s", id);
    return NULL;
}

JNIEXPORT void JNICALL Java_redefine_Extension_list(JNIEnv *env, jclass me) {
    jvmtiExtensionFunctionInfo *v = NULL;
    jint n = 0;
    MUST((*ti)->GetExtensionFunctions(ti, &n, &v));
    for (jint i = 0; i < n; i++) {
        say("%s: %s", v[i].id, v[i].short_description);
        for (jint k = 0; k < v[i].param_count; k++)
            say("  %s kind %d type %d%s", v[i].params[k].name, v[i].params[k].kind, v[i].params[k].base_type,
                v[i].params[k].null_ok ? " or null" : "");
    }
}

JNIEXPORT void JNICALL Java_redefine_Extension_enable(JNIEnv *env, jclass me, jboolean on) {
    MUST(extension("graft.redefinition.Enable")(ti, on));
}

static jstring text_of(JNIEnv *env, const char *id) {
    char *text = NULL;
    MUST(extension(id)(ti, &text));
    jstring s = (*env)->NewStringUTF(env, text);
    (*ti)->Deallocate(ti, (unsigned char *)text);
    return s;
}
JNIEXPORT jstring JNICALL Java_redefine_Extension_reason(JNIEnv *env, jclass me) {
    return text_of(env, "graft.redefinition.GetReason");
}
JNIEXPORT jstring JNICALL Java_redefine_Extension_report(JNIEnv *env, jclass me) {
    return text_of(env, "graft.redefinition.GetReport");
}

JNIEXPORT jstring JNICALL Java_redefine_Extension_migrations(JNIEnv *env, jclass me) {
    return text_of(env, "graft.redefinition.GetMigrations");
}

JNIEXPORT jstring JNICALL Java_redefine_Extension_restore(JNIEnv *env, jclass me, jclass c, jbyteArray bytes) {
    jvmtiClassDefinition d = {c, (*env)->GetArrayLength(env, bytes),
                              (unsigned char *)(*env)->GetByteArrayElements(env, bytes, NULL)};
    return (*env)->NewStringUTF(env, error_name(extension("graft.redefinition.Restore")(ti, (jint)1, &d)));
}

JNIEXPORT jstring JNICALL Java_redefine_Extension_redefine(JNIEnv *env, jclass me, jclass c, jbyteArray bytes, jboolean dry) {
    jvmtiClassDefinition d = {c, (*env)->GetArrayLength(env, bytes),
                              (unsigned char *)(*env)->GetByteArrayElements(env, bytes, NULL)};
    char *text = NULL, line[2000];
    jvmtiError e = dry ? extension("graft.redefinition.DryRun")(ti, (jint)1, &d, &text) : (*ti)->RedefineClasses(ti, 1, &d);
    snprintf(line, sizeof line, "%s%s%s", error_name(e), text && *text ? ", " : "", text ? text : "");
    (*ti)->Deallocate(ti, (unsigned char *)text);
    return (*env)->NewStringUTF(env, line);
}

JNIEXPORT jstring JNICALL Java_redefine_Extension_undo(JNIEnv *env, jclass me, jclass c) {
    return (*env)->NewStringUTF(env, error_name(extension("graft.redefinition.Undo")(ti, (jint)1, &c)));
}

/* JNI: reads and writes all fields of the given types. */
JNIEXPORT jstring JNICALL Java_redefine_Extension_jni(JNIEnv *env, jclass me, jobject o, jint add) {
    jclass c = (*env)->GetObjectClass(env, o);
    jfieldID i = (*env)->GetFieldID(env, c, "i", "I"), j = (*env)->GetFieldID(env, c, "j", "J"),
             s = (*env)->GetFieldID(env, c, "s", "Ljava/lang/String;"), b = (*env)->GetFieldID(env, c, "b", "B"),
             st = (*env)->GetStaticFieldID(env, c, "st", "I");
    char line[500];
    jstring text = (*env)->GetObjectField(env, o, s);
    const char *p = text ? (*env)->GetStringUTFChars(env, text, NULL) : NULL;
    snprintf(line, sizeof line, "i %d j %lld b %d s %s st %d", (*env)->GetIntField(env, o, i),
             (long long)(*env)->GetLongField(env, o, j), (*env)->GetByteField(env, o, b), p ? p : "null",
             (*env)->GetStaticIntField(env, c, st));
    (*env)->SetIntField(env, o, i, (*env)->GetIntField(env, o, i) + add);
    (*env)->SetLongField(env, o, j, (*env)->GetLongField(env, o, j) + add);
    (*env)->SetByteField(env, o, b, (jbyte)((*env)->GetByteField(env, o, b) + add));
    (*env)->SetStaticIntField(env, c, st, (*env)->GetStaticIntField(env, c, st) + add);
    (*env)->SetObjectField(env, o, s, (*env)->NewStringUTF(env, "jni"));
    return (*env)->NewStringUTF(env, line);
}

/* An ID that outlives its method. */
static jmethodID noted;
JNIEXPORT void JNICALL Java_redefine_Extension_note(JNIEnv *env, jclass me, jobject method) {
    noted = (*env)->FromReflectedMethod(env, method);
}
JNIEXPORT void JNICALL Java_redefine_Extension_useNoted(JNIEnv *env, jclass me, jobject o) {
    char *name = NULL, *desc = NULL;
    jint n = 0;
    jvmtiLineNumberEntry *lines = NULL;
    unsigned char *code = NULL;
    jboolean flag = JNI_FALSE;
    jmethodID *all = NULL;
    jclass c = (*env)->GetObjectClass(env, o), holder = NULL;
    jobject r = (*env)->ToReflectedMethod(env, c, noted, JNI_FALSE);
    say("  reflected: %s", (*env)->ExceptionCheck(env) ? "exception" : r ? "yes" : "null");
    (*env)->ExceptionClear(env);
    jvmtiError e = (*ti)->GetMethodName(ti, noted, &name, &desc, NULL);
    say("  name: %s %s %s", error_name(e), name ? name : "", desc ? desc : "");
    say("  holder: %s, lines: %s, code: %s", error_name((*ti)->GetMethodDeclaringClass(ti, noted, &holder)),
        error_name((*ti)->GetLineNumberTable(ti, noted, &n, &lines)), error_name((*ti)->GetBytecodes(ti, noted, &n, &code)));
    e = (*ti)->IsMethodObsolete(ti, noted, &flag);
    say("  obsolete: %s, breakpoint: %s", error_name(e), (*ti)->SetBreakpoint(ti, noted, 0) ? "no" : "yes");
    MUST((*ti)->GetClassMethods(ti, c, &n, &all));
    for (jint i = 0; i < n; i++)
        if (all[i] == noted) say("  is a method of the class");
    jint got = (*env)->CallIntMethod(env, o, noted);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionDescribe(env);
        (*env)->ExceptionClear(env);
        say("  call: exception");
    } else say("  call: %d", got);
}

static jint JNICALL on_primitive(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag, jlong *tag,
                                 jvalue v, jvmtiPrimitiveType type, void *user) {
    if (*tag == 1 && kind == JVMTI_HEAP_REFERENCE_FIELD)
        say("  field %d %c %lld", info->field.index, type,
            type == JVMTI_PRIMITIVE_TYPE_LONG   ? (long long)v.j
            : type == JVMTI_PRIMITIVE_TYPE_BYTE ? v.b
                                                : v.i);
    return 0;
}
static jint JNICALL on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                 jlong referrer_class_tag, jlong size, jlong *tag, jlong *referrer_tag, jint length, void *user) {
    if (referrer_tag && *referrer_tag == 1 && kind == JVMTI_HEAP_REFERENCE_FIELD)
        say("  field %d to an object", info->field.index);
    return JVMTI_VISIT_OBJECTS;
}
JNIEXPORT void JNICALL Java_redefine_Extension_walk(JNIEnv *env, jclass me, jobject o) {
    jvmtiHeapCallbacks cb = {.primitive_field_callback = on_primitive, .heap_reference_callback = on_reference};
    MUST((*ti)->SetTag(ti, o, 1));
    MUST((*ti)->FollowReferences(ti, 0, NULL, o, &cb, NULL));
    MUST((*ti)->SetTag(ti, o, 0));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    ti = new_env(vm);
    jvmtiCapabilities caps = {.can_redefine_classes = 1,
                              .can_retransform_classes = 1,
                              .can_tag_objects = 1,
                              .can_get_line_numbers = 1,
                              .can_get_bytecodes = 1,
                              .can_generate_breakpoint_events = 1};
    MUST((*ti)->AddCapabilities(ti, &caps));
    return JNI_OK;
}
