/* SPDX-License-Identifier: Apache-2.0 */
/* trc_link.c - what a site of a probe means for a class: once for each class that comes along. See trc_probe.h, words in trc_code.c. */
#include "trc_probe.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

enum { MOST_LINKS = 8 }; /* of a site; then the list is begun anew */

static struct Known {
    jclass object_array;
    jobject unsafe;
    jmethodID offset_by_name, offset_by_field;
} known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* order of a site's list */

static const struct Row {
    enum { MEASURED, CONSTANT, PAIRED, VALUED } form;
    const char *call, *class_name, *field, *owner, *constant;
    int64_t n;
} rows[] = {
#define MEASURE(call, class, field) {MEASURED, call, class, field, NULL, NULL, 0},
#define MEASURE_IS(call, class, n) {CONSTANT, call, class, NULL, NULL, NULL, n},
#define MEASURE_PAIR(call, class, field, owner, constant) {PAIRED, call, class, field, owner, constant, 0},
#define VALUE(call, class, field) {VALUED, call, class, field, NULL, NULL, 0},
#include "trc_calls.def"
};

bool trc_link_prepare(const Agent *a, JNIEnv *env) {
    jclass u = (*env)->FindClass(env, "jdk/internal/misc/Unsafe"),
           array = u ? (*env)->FindClass(env, "[Ljava/lang/Object;") : NULL;
    jmethodID get = array ? (*env)->GetStaticMethodID(env, u, "getUnsafe", "()Ljdk/internal/misc/Unsafe;") : NULL;
    jobject the = get ? (*env)->CallStaticObjectMethod(env, u, get) : NULL;
    if (agent_exception(a, env, "Unsafe.getUnsafe")) return false;
    known.offset_by_name =
        the ? (*env)->GetMethodID(env, u, "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J") : NULL;
    known.offset_by_field =
        known.offset_by_name ? (*env)->GetMethodID(env, u, "objectFieldOffset", "(Ljava/lang/reflect/Field;)J") : NULL;
    known.unsafe = known.offset_by_field ? (*env)->NewGlobalRef(env, the) : NULL;
    known.object_array = known.unsafe ? (*env)->NewGlobalRef(env, array) : NULL;
    return known.object_array || agent_exception(a, env, "looking for Unsafe");
}

int64_t trc_offset(JNIEnv *env, const char *class_name, const char *field) {
    jclass c = (*env)->FindClass(env, class_name);
    jstring name = c ? (*env)->NewStringUTF(env, field) : NULL;
    int64_t offset = name ? (*env)->CallLongMethod(env, known.unsafe, known.offset_by_name, c, name) : -1;
    if (!(*env)->ExceptionCheck(env)) return offset;
    (*env)->ExceptionClear(env);
    return -1;
}

/* ---- classes and fields ---------------------------------------------------------------------------- */

/* A name without a package is that of a class in any. */
static bool is_named(const Agent *a, jclass c, const char *name) {
    char *sig = NULL;
    if ((*a->ti)->GetClassSignature(a->ti, c, &sig, NULL)) return false;
    const char *last = strchr(name, '/') ? NULL : strrchr(sig, '/'), *from = last ? last + 1 : sig + 1;
    size_t n = strlen(name);
    bool same = *sig == 'L' && strlen(from) == n + 1 && !memcmp(from, name, n);
    (*a->ti)->Deallocate(a->ti, (unsigned char *)sig);
    return same;
}

static bool implements(const Agent *a, JNIEnv *env, jclass c, const char *name) {
    jint n = 0;
    jclass *all = NULL;
    bool yes = false;
    if ((*a->ti)->GetImplementedInterfaces(a->ti, c, &n, &all)) return false;
    for (jint i = 0; i < n; i++) {
        yes = yes || is_named(a, all[i], name) || implements(a, env, all[i], name);
        (*env)->DeleteLocalRef(env, all[i]);
    }
    (*a->ti)->Deallocate(a->ti, (unsigned char *)all);
    return yes;
}

/* The superclass of a step in a walk that began at `first`; the reference to the step is given up. */
static jclass above(JNIEnv *env, jclass c, jclass first) {
    jclass super = (*env)->GetSuperclass(env, c);
    if (c != first) (*env)->DeleteLocalRef(env, c);
    return super;
}

/* Is it, or does it extend, a class of that name? */
static bool extends(const Agent *a, JNIEnv *env, jclass first, const char *name) {
    for (jclass c = first; c; c = above(env, c, first))
        if (is_named(a, c, name)) return true;
    return false;
}

static bool is_a(const Agent *a, JNIEnv *env, jclass first, const char *name) {
    for (jclass c = first; c; c = above(env, c, first))
        if (is_named(a, c, name) || implements(a, env, c, name)) return true;
    return false;
}

static char code_of(char letter) { return letter == 'L' || letter == '[' ? 'A' : letter == 'S' ? 's' : letter; }

/* The field's word if it is called so and is not static; -1. */
static int64_t word_if(const Agent *a, JNIEnv *env, jclass c, jfieldID f, const char *name) {
    char *text = NULL, *sig = NULL;
    jint flags = 0;
    int64_t word = -1;
    jvmtiEnv *ti = a->ti;
    if ((*ti)->GetFieldName(ti, c, f, &text, &sig, NULL)) return -1;
    if (!strcmp(text, name) && !(*ti)->GetFieldModifiers(ti, c, f, &flags) && !(flags & CF_ACC_STATIC)) {
        jobject field = (*env)->ToReflectedField(env, c, f, JNI_FALSE);
        int64_t at = field ? (*env)->CallLongMethod(env, known.unsafe, known.offset_by_field, field) : -1;
        if (!agent_exception(a, env, "the offset of a field") && at >= 0) word = at << 8 | code_of(*sig);
    }
    (*ti)->Deallocate(ti, (unsigned char *)text);
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    return word;
}

/* The field of that name in the class or the nearest superclass. */
static int64_t word_of_field(const Agent *a, JNIEnv *env, jclass first, const char *name) {
    for (jclass c = first; c; c = above(env, c, first)) {
        jint n = 0;
        jfieldID *fields = NULL;
        int64_t word = -1;
        if ((*a->ti)->GetClassFields(a->ti, c, &n, &fields)) return -1;
        for (jint i = 0; i < n && word < 0; i++) word = word_if(a, env, c, fields[i], name);
        (*a->ti)->Deallocate(a->ti, (unsigned char *)fields);
        if (word >= 0) return word;
    }
    return -1;
}

/* ---- sites ----------------------------------------------------------------------------------------- */

static jobject static_of(JNIEnv *env, const char *class_name, const char *field) {
    jclass c = (*env)->FindClass(env, class_name);
    jfieldID f = c ? (*env)->GetStaticFieldID(env, c, field, "Ljava/lang/Object;") : NULL;
    if (!f) (*env)->ExceptionClear(env);
    return f ? (*env)->GetStaticObjectField(env, c, f) : NULL;
}

static int64_t word_of_call(const Agent *a, JNIEnv *env, jclass c, const char *call, jobject *extra) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct Row *r = &rows[i];
        if (strcmp(r->call, call) != 0 || !extends(a, env, c, r->class_name)) continue;
        if (r->form == CONSTANT) return r->n << 8 | 'N';
        int64_t word = word_of_field(a, env, c, r->field);
        if (word < 0) continue;
        if (r->form == PAIRED) {
            *extra = static_of(env, r->owner, r->constant);
            word = (word & ~(int64_t)255) | 'P';
        }
        return is_named(a, c, "java/lang/String") ? 'S' : word;
    }
    return -1;
}

static int64_t word_of(const Agent *a, JNIEnv *env, const TrcExpr *e, jclass c, jobject *extra) {
    jboolean array = JNI_FALSE;
    if (e->op == TRC_OP_IS) return (int64_t)is_a(a, env, c, e->text) << 8 | 'T';
    (*a->ti)->IsArrayClass(a->ti, c, &array);
    if (array) return e->op == TRC_OP_CALL || !strcmp(e->text, "length") ? 'L' : -1;
    return e->op == TRC_OP_CALL ? word_of_call(a, env, c, e->text, extra) : word_of_field(a, env, c, e->text);
}

static jobjectArray add_link(JNIEnv *env, const TrcUse *u, uint32_t site, jclass c, int64_t word, jobject extra) {
    char name[16];
    jsize length = 0;
    snprintf(name, sizeof name, "L%u", site);
    jfieldID list = (*env)->GetStaticFieldID(env, u->helper, name, "[Ljava/lang/Object;");
    jclass object = list ? (*env)->FindClass(env, "java/lang/Object") : NULL;
    jobjectArray link = object ? (*env)->NewObjectArray(env, 4, object, NULL) : NULL;
    jlongArray number = link ? (*env)->NewLongArray(env, 1) : NULL;
    if (!number) return NULL;
    pthread_mutex_lock(&lock);
    jobjectArray head = (*env)->GetStaticObjectField(env, u->helper, list);
    for (jobjectArray l = head; l; l = (*env)->GetObjectArrayElement(env, l, 2)) length++;
    (*env)->SetLongArrayRegion(env, number, 0, 1, &(jlong){word});
    (*env)->SetObjectArrayElement(env, link, 0, c);
    (*env)->SetObjectArrayElement(env, link, 1, number);
    if (length < MOST_LINKS) (*env)->SetObjectArrayElement(env, link, 2, head);
    (*env)->SetObjectArrayElement(env, link, 3, extra);
    (*env)->SetStaticObjectField(env, u->helper, list, link);
    pthread_mutex_unlock(&lock);
    return link;
}

jobjectArray trc_link(const Agent *a, JNIEnv *env, const TrcUse *u, uint32_t site, jclass c) {
    const TrcExpr *e = u->probe->sites[site];
    jobject extra = NULL;
    if ((*env)->PushLocalFrame(env, 64)) return (*env)->ExceptionClear(env), NULL;
    int64_t word = word_of(a, env, e, c, &extra);
    jobjectArray link = word >= 0 ? add_link(env, u, site, c, word, extra) : NULL;
    if (word < 0) {
        char *name = agent_class_name(a, c), text[512];
        agent_plain_name(name ? name : "an array", NULL, text, sizeof text);
        free(name);
        agent_log(a, AGENT_DEBUG, "probe '%s', column %u: %s has no %s%s that is known", u->probe->text, e->column, text, e->text,
                  e->op == TRC_OP_CALL ? "()" : "");
    }
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    return (*env)->PopLocalFrame(env, link);
}
