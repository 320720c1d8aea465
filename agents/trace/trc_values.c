/* SPDX-License-Identifier: Apache-2.0 */
/* trc_values.c - arguments and results as text; see trc_values.h. */
#include "trc_values.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "method_text.h"
#include "trc_report.h"
#include "utf8.h"

enum { ELEMENTS = 8, NESTING = 2 };

/* Boxes: their field `value` is read, no method is called. */
#define BOXES(X) \
    X(Integer, "I", Int, "%d", jint) \
    X(Long, "J", Long, "%lld", long long) X(Short, "S", Short, "%d", jint) X(Byte, "B", Byte, "%d", jint)

#define BOX_ENUM(name, desc, jni, form, type) BOX_##name,
enum { BOXES(BOX_ENUM) BOX_Double, BOX_Float, BOX_Boolean, BOX_Character, BOX_COUNT };
#define BOX_NAME(name, desc, jni, form, type) {"java/lang/" #name, desc},
static const char *const box_names[BOX_COUNT][2] = {
    BOXES(BOX_NAME){"java/lang/Double", "D"}, {"java/lang/Float", "F"}, {"java/lang/Boolean", "Z"}, {"java/lang/Character", "C"}};

static struct Known {
    jclass boxes[BOX_COUNT], string, enumeration, object_array, throwable;
    jfieldID value[BOX_COUNT], enum_name, message;
    jmethodID to_string;
    jobject no_value; /* in place of what a probe could not tell */
} known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t lines;        /* under lock */
static bool full;            /* set under lock: no more lines, a look at it without */
static __thread bool inside; /* a toString that is traced itself */

static jclass global(JNIEnv *env, const char *name) {
    jclass c = (*env)->FindClass(env, name);
    return c ? (*env)->NewGlobalRef(env, c) : NULL;
}

bool trc_values_prepare(TrcValues *v, JNIEnv *env) {
    bool ok = true;
    for (int i = 0; i < BOX_COUNT; i++) {
        known.boxes[i] = global(env, box_names[i][0]);
        known.value[i] = known.boxes[i] ? (*env)->GetFieldID(env, known.boxes[i], "value", box_names[i][1]) : NULL;
        ok = ok && known.value[i];
    }
    known.string = ok ? global(env, "java/lang/String") : NULL;
    known.object_array = ok ? global(env, "[Ljava/lang/Object;") : NULL;
    known.enumeration = ok ? global(env, "java/lang/Enum") : NULL;
    known.throwable = ok ? global(env, "java/lang/Throwable") : NULL;
    jclass object = ok ? (*env)->FindClass(env, "java/lang/Object") : NULL;
    ok = ok && known.string && known.object_array && object && known.enumeration && known.throwable &&
         (known.enum_name = (*env)->GetFieldID(env, known.enumeration, "name", "Ljava/lang/String;")) &&
         (known.message = (*env)->GetFieldID(env, known.throwable, "detailMessage", "Ljava/lang/String;")) &&
         (known.to_string = (*env)->GetMethodID(env, object, "toString", "()Ljava/lang/String;"));
    jclass helper = ok ? (*env)->FindClass(env, TRC_PROBE_HELPER) : NULL;
    jfieldID none = helper ? (*env)->GetStaticFieldID(env, helper, "R_NONE", "Ljava/lang/Throwable;") : NULL;
    known.no_value = none ? (*env)->NewGlobalRef(env, (*env)->GetStaticObjectField(env, helper, none)) : NULL;
    ok = ok && known.no_value;
    if (!ok) {
        agent_exception(v->agent, env, "looking for java.lang classes");
        agent_log(v->agent, AGENT_ERROR, "this VM's java.lang is not as expected: no arguments and results");
    }
    return ok;
}

/* ---- text ---------------------------------------------------------------------------------------- */

static void put_char(FILE *out, unsigned c, char quote) {
    if (c == (unsigned char)quote || c == '\\') fprintf(out, "\\%c", (int)c);
    else if (c == '\n' || c == '\t' || c == '\r') fprintf(out, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
    else agent_put_char(out, c);
}

/* Of a pair of surrogates both are taken. */
static unsigned char_at(const jchar *text, jsize n, jsize *i) {
    unsigned c = text[(*i)++];
    if (c < 0xd800 || c >= 0xdc00 || *i == n || text[*i] < 0xdc00 || text[*i] >= 0xe000) return c;
    return 0x10000 + ((c - 0xd800) << 10) + (text[(*i)++] - 0xdc00u);
}

/* `quote` 0: none. */
static void put_string(const TrcValues *v, JNIEnv *env, FILE *out, jstring s, char quote) {
    jchar text[1024];
    jsize n = (*env)->GetStringLength(env, s), most = v->size < 1024 ? v->size : 1024, shown = n < most ? n : most;
    (*env)->GetStringRegion(env, s, 0, shown, text);
    if (quote) fputc(quote, out);
    for (jsize i = 0; i < shown;) put_char(out, char_at(text, shown, &i), quote ? quote : '\\');
    if (quote) fputc(quote, out);
    if (shown < n) fprintf(out, "...(%d)", (int)n);
}

/* As Java writes it, with the fewest digits that tell the number; without an exponent up to 10^15. */
static void put_double(FILE *out, double d, bool is_float) {
    char text[40];
    if (isnan(d) || isinf(d)) {
        fputs(isnan(d) ? "NaN" : d < 0 ? "-Infinity" : "Infinity", out);
        return;
    }
    int digits = 0; /* behind the point of d.ddde+xx */
    for (; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, d);
        if (is_float ? strtof(text, NULL) == (float)d : strtod(text, NULL) == d) break;
    }
    char *e = strchr(text, 'e');
    int exponent = atoi(e + 1), decimals = digits - exponent;
    if (d == 0 || (exponent >= -3 && exponent < 15)) fprintf(out, "%.*f", decimals > 1 ? decimals : 1, d);
    else fprintf(out, "%.*s%sE%d", (int)(e - text), text, digits ? "" : ".0", exponent);
}

/* "a.b.C", "int[]" of a class; `length` >= 0: of an array, put into its first pair of brackets. */
static void put_class(const TrcValues *v, JNIEnv *env, FILE *out, jobject o, jsize length) {
    jvmtiEnv *ti = v->agent->ti;
    char *sig = NULL;
    jclass c = (*env)->GetObjectClass(env, o);
    if (!(*ti)->GetClassSignature(ti, c, &sig, NULL) && sig) {
        size_t depth = strspn(sig, "[");
        agent_put_type(out, cf_str(sig + depth), false);
        if (length >= 0) fprintf(out, "[%d]", (int)length);
        for (size_t i = length >= 0; i < depth; i++) fputs("[]", out);
        (*ti)->Deallocate(ti, (unsigned char *)sig);
    }
    (*env)->DeleteLocalRef(env, c);
}

static bool put_box(JNIEnv *env, FILE *out, jobject o, jclass c) {
    int i = 0;
    while (i < BOX_COUNT && !(*env)->IsSameObject(env, c, known.boxes[i])) i++;
    switch (i) {
#define BOX_CASE(name, desc, jni, form, type) \
    case BOX_##name: fprintf(out, form, (type)(*env)->Get##jni##Field(env, o, known.value[i])); return true;
        BOXES(BOX_CASE)
    case BOX_Double: put_double(out, (*env)->GetDoubleField(env, o, known.value[i]), false); return true;
    case BOX_Float: put_double(out, (double)(*env)->GetFloatField(env, o, known.value[i]), true); return true;
    case BOX_Boolean: fputs((*env)->GetBooleanField(env, o, known.value[i]) ? "true" : "false", out); return true;
    case BOX_Character:
        fputc('\'', out);
        put_char(out, (*env)->GetCharField(env, o, known.value[i]), '\'');
        fputc('\'', out);
        return true;
    default: return false;
    }
}

static void put_value(const TrcValues *v, JNIEnv *env, FILE *out, jobject o, int depth);

static void put_elements(const TrcValues *v, JNIEnv *env, FILE *out, jobjectArray a, jsize most, int depth) {
    jsize n = (*env)->GetArrayLength(env, a);
    for (jsize i = 0; i < n && i < most; i++) {
        jobject e = (*env)->GetObjectArrayElement(env, a, i);
        fputs(i ? ", " : "", out);
        put_value(v, env, out, e, depth);
        (*env)->DeleteLocalRef(env, e);
    }
    fputs(n > most ? ", ..." : "", out);
}

/* False if `o` is no array. */
static bool put_array(const TrcValues *v, JNIEnv *env, FILE *out, jobject o, jclass c, int depth) {
    jboolean array = JNI_FALSE;
    char *sig = NULL;
    jvmtiEnv *ti = v->agent->ti;
    if ((*ti)->IsArrayClass(ti, c, &array) || !array || (*ti)->GetClassSignature(ti, c, &sig, NULL)) return false;
    jsize n = (*env)->GetArrayLength(env, o);
    put_class(v, env, out, o, n);
    if (depth < NESTING && (*env)->IsInstanceOf(env, o, known.object_array)) {
        fputc('{', out);
        put_elements(v, env, out, o, ELEMENTS, depth + 1);
        fputc('}', out);
    } else if (depth < NESTING && !strcmp(sig, "[I")) {
        jint some[ELEMENTS];
        (*env)->GetIntArrayRegion(env, o, 0, n < ELEMENTS ? n : ELEMENTS, some);
        fputc('{', out);
        for (jsize i = 0; i < n && i < ELEMENTS; i++) fprintf(out, "%s%d", i ? ", " : "", (int)some[i]);
        fputs(n > ELEMENTS ? ", ...}" : "}", out);
    }
    (*ti)->Deallocate(ti, (unsigned char *)sig);
    return true;
}

static void put_object(const TrcValues *v, JNIEnv *env, FILE *out, jobject o) {
    jint hash = 0;
    jstring text = v->to_string ? (*env)->CallObjectMethod(env, o, known.to_string) : NULL;
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        text = NULL;
    }
    if (text) {
        put_string(v, env, out, text, 0);
        (*env)->DeleteLocalRef(env, text);
        return;
    }
    (*v->agent->ti)->GetObjectHashCode(v->agent->ti, o, &hash);
    put_class(v, env, out, o, -1);
    fprintf(out, "@%x", (unsigned)hash);
}

static void put_value(const TrcValues *v, JNIEnv *env, FILE *out, jobject o, int depth) {
    if (!o) return (void)fputs("null", out);
    jclass c = (*env)->GetObjectClass(env, o);
    if ((*env)->IsSameObject(env, c, known.string)) {
        put_string(v, env, out, o, '"');
    } else if ((*env)->IsInstanceOf(env, o, known.enumeration)) {
        jstring name = (*env)->GetObjectField(env, o, known.enum_name);
        if (name) put_string(v, env, out, name, 0);
        (*env)->DeleteLocalRef(env, name);
    } else if (!put_box(env, out, o, c) && !put_array(v, env, out, o, c, depth)) {
        put_object(v, env, out, o);
    }
    (*env)->DeleteLocalRef(env, c);
}

static void put_thrown(const TrcValues *v, JNIEnv *env, FILE *out, jobject t) {
    put_class(v, env, out, t, -1);
    jstring message = (*env)->GetObjectField(env, t, known.message);
    if (message) {
        fputs(": ", out);
        put_string(v, env, out, message, 0);
        (*env)->DeleteLocalRef(env, message);
    }
}

/* What a probe kept: what could not be told is one of its helper's objects; exceptions show as exceptions. */
static void put_captured(const TrcValues *v, JNIEnv *env, FILE *out, jobject o) {
    if (o && (*env)->IsSameObject(env, o, known.no_value)) fputc('?', out);
    else if (o && (*env)->IsInstanceOf(env, o, known.throwable)) put_thrown(v, env, out, o);
    else put_value(v, env, out, o, 0);
}

/* ---- lines --------------------------------------------------------------------------------------- */

static void put_name(const TrcValues *v, FILE *out, uint32_t key) {
    const char *method = v->method(key);
    fprintf(out, "%.*s", (int)agent_parameters_at(method), method);
}

static void put_captures(const TrcValues *v, JNIEnv *env, FILE *out, const TrcProbe *p, jobjectArray values) {
    const char *sep = " ";
    jsize i = 0;
    for (const TrcCapture *k = p->captures; k; k = k->next, sep = ", ") {
        jobject o = (*env)->GetObjectArrayElement(env, values, i++);
        fprintf(out, "%s%s=", sep, k->name);
        put_captured(v, env, out, o);
        (*env)->DeleteLocalRef(env, o);
    }
}

static void put_call(const TrcValues *v, JNIEnv *env, FILE *out, jobjectArray args, jobject result, TrcEnd end) {
    fputc('(', out);
    put_elements(v, env, out, args, INT_MAX, 0);
    fputs(end == TRC_THREW ? ") threw " : ") -> ", out);
    if (end == TRC_VOID) fputs("void", out);
    else if (end == TRC_THREW && result) put_thrown(v, env, out, result);
    else put_value(v, env, out, result, 0);
}

/* Virtual threads often have no name. */
static void put_thread(const TrcValues *v, JNIEnv *env, FILE *out) {
    jvmtiThreadInfo info = {0};
    (*v->agent->ti)->GetThreadInfo(v->agent->ti, NULL, &info);
    if (info.name && *info.name) agent_put_name(out, info.name, strlen(info.name));
    else fprintf(out, TRC_VIRTUAL_NAME, (long long)v->thread(env));
    (*v->agent->ti)->Deallocate(v->agent->ti, (unsigned char *)info.name);
}

static void put_line(const TrcValues *v, const char *line) {
    pthread_mutex_lock(&lock);
    if (v->out && lines < v->max) fputs(line, v->out);
    if (v->out && lines++ == v->max) {
        fprintf(v->out, "... no more: the limit of %lld lines is reached\n", (long long)v->max);
        __atomic_store_n(&full, true, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- notes of spans ------------------------------------------------------------------------------- */

/* A value with its type, as far as there is one for it. What could not be told is left out. */
static void note_value(const TrcValues *v, JNIEnv *env, const TrcEvent *e, const char *key, jobject o) {
    char *text = NULL;
    size_t len;
    TrcNoteKind kind = TRC_NOTE_TEXT;
    FILE *out = o && (*env)->IsSameObject(env, o, known.no_value) ? NULL : open_memstream(&text, &len);
    if (!out) return;
    jclass c = o ? (*env)->GetObjectClass(env, o) : NULL;
    if (c && (*env)->IsSameObject(env, c, known.string)) put_string(v, env, out, o, 0);
    else put_captured(v, env, out, o);
    for (int i = 0; c && i < BOX_COUNT; i++)
        if ((*env)->IsSameObject(env, c, known.boxes[i]))
            kind = i == BOX_Boolean                    ? TRC_NOTE_TRUTH
                   : i == BOX_Double || i == BOX_Float ? TRC_NOTE_REAL
                   : i == BOX_Character                ? TRC_NOTE_TEXT
                                                       : TRC_NOTE_INT;
    (*env)->DeleteLocalRef(env, c);
    if (!fclose(out)) trc_note(e, key, kind, text);
    else free(text);
}

static void note_arguments(const TrcValues *v, JNIEnv *env, const TrcCall *call) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out) return;
    put_elements(v, env, out, call->args, INT_MAX, 0);
    if (!fclose(out)) trc_note(call->event, "graft.arguments", TRC_NOTE_TEXT, text);
    else free(text);
    if (call->end == TRC_THREW) note_value(v, env, call->event, "graft.exception", call->result);
    else if (call->end == TRC_RETURNED) note_value(v, env, call->event, "graft.result", call->result);
}

static void note_captures(const TrcValues *v, JNIEnv *env, const TrcCall *call) {
    jsize i = 0;
    for (const TrcCapture *k = call->use->probe->captures; k; k = k->next) {
        jobject o = (*env)->GetObjectArrayElement(env, call->args, i++);
        note_value(v, env, call->event, k->name, o);
        (*env)->DeleteLocalRef(env, o);
    }
}

/* As it is now: another start may change it while a call of the probes before is written. */
static TrcValues settings_of(const TrcValues *v) {
    pthread_mutex_lock(&lock);
    TrcValues now = *v;
    pthread_mutex_unlock(&lock);
    return now;
}

void trc_values_record(const TrcValues *values, JNIEnv *env, const TrcCall *call) {
    char *line = NULL;
    size_t len;
    FILE *out;
    if (inside || __atomic_load_n(&full, __ATOMIC_RELAXED)) return;
    const TrcValues now = settings_of(values), *v = &now;
    if (!v->out || !(out = open_memstream(&line, &len))) return;
    inside = true;
    put_name(v, out, call->use->key);
    if (call->end == TRC_CAPTURED) put_captures(v, env, out, call->use->probe, call->args);
    else put_call(v, env, out, call->args, call->result, call->end);
    fprintf(out, "  [%.3f ms, ", (double)call->nanos / 1e6);
    put_thread(v, env, out);
    fputs("]\n", out);
    if (call->event) call->end == TRC_CAPTURED ? note_captures(v, env, call) : note_arguments(v, env, call);
    inside = false;
    if (!fclose(out) && line) put_line(values, line);
    free(line);
}

void trc_values_start(TrcValues *v, const TrcValues *now) {
    FILE *out = now->out;
    pthread_mutex_lock(&lock);
    if (v->out && v->out != stderr) fclose(v->out);
    *v = *now;
    if (out && out != stderr) setvbuf(out, NULL, _IOLBF, 0); /* for who watches */
    lines = 0;
    __atomic_store_n(&full, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

bool trc_values_flush(TrcValues *v) {
    pthread_mutex_lock(&lock);
    bool ok = !v->out || (fflush(v->out) == 0 && !ferror(v->out));
    pthread_mutex_unlock(&lock);
    return ok;
}
