/* SPDX-License-Identifier: Apache-2.0 */
/* nat_args.c - from values to texts, and a table of texts. */
#include "nat_args.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "method_text.h"
#include "nat_methods.h"
#include "cf_table.h"
#include "cf_vec.h"

enum { MAX_TEXT = 240, MAX_STRING = 60, MAX_BYTES = 32, MAX_TEXTS = 10000, DEFAULT_TOP = 100 };

typedef struct Told {
    uint32_t record; /* of a native; else UPCALL, with the names of method and caller */
    const char *method, *caller;
    uint64_t calls;
    char *text;
} Told;
static const uint32_t UPCALL = UINT32_MAX;

/* A Java method that was called by JNI. */
typedef struct Callee {
    jmethodID method;
    const char *name;
    char *kinds; /* a letter for each parameter; NULL: its arguments are not wanted */
} Callee;

static Agent *agent;
static const struct JNINativeInterface_ *vm;
static const NatRecord *first_record;
static CfTable table;
static CF_VEC(Told *) told_texts;
static CfTable callees;
static const char *wanted_callees; /* patterns; NULL before the start */
static uint64_t others;            /* calls with texts that had no room */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Classes that boxes have, with the field of their value. */
typedef struct Box {
    const char *name, *desc;
    jclass c;
    jfieldID value;
} Box;
static Box boxes[] = {{"java/lang/Integer", "I", NULL, NULL},   {"java/lang/Long", "J", NULL, NULL},
                      {"java/lang/Boolean", "Z", NULL, NULL},   {"java/lang/Byte", "B", NULL, NULL},
                      {"java/lang/Character", "C", NULL, NULL}, {"java/lang/Short", "S", NULL, NULL},
                      {"java/lang/Float", "F", NULL, NULL},     {"java/lang/Double", "D", NULL, NULL}};
enum { N_BOXES = sizeof boxes / sizeof *boxes };
static jclass string_class, bytes_class;

/* ---- text -------------------------------------------------------------------------------------- */

typedef struct Text {
    char s[MAX_TEXT + 8];
    size_t n;
} Text;

static void add(Text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(Text *t, const char *fmt, ...) {
    va_list args;
    if (t->n >= MAX_TEXT) return;
    va_start(args, fmt);
    int n = vsnprintf(t->s + t->n, MAX_TEXT + 1 - t->n, fmt, args);
    va_end(args);
    t->n += n < 0 ? 0 : (size_t)n;
    if (t->n > MAX_TEXT) {
        t->n = MAX_TEXT;
        strcpy(t->s + t->n, "...");
    }
}

static void add_unit(Text *t, unsigned c) {
    if (c == '\n') add(t, "\\n");
    else if (c == '"' || c == '\\') add(t, "\\%c", (int)c);
    else if (c < ' ' || c > '~') add(t, c > 255 ? "\\u%04x" : "\\x%02x", c);
    else add(t, "%c", (int)c);
}

static void add_string(Text *t, JNIEnv *env, jstring s) {
    jchar units[MAX_STRING];
    jsize len = vm->GetStringLength(env, s), n = len < MAX_STRING ? len : MAX_STRING;
    vm->GetStringRegion(env, s, 0, n, units);
    add(t, "\"");
    for (jsize i = 0; i < n; i++) add_unit(t, units[i]);
    add(t, len > n ? "\"..." : "\"");
}

static void add_bytes(Text *t, JNIEnv *env, jbyteArray a) {
    jbyte bytes[MAX_BYTES];
    jsize len = vm->GetArrayLength(env, a), n = len < MAX_BYTES ? len : MAX_BYTES, shown = n;
    vm->GetByteArrayRegion(env, a, 0, n, bytes);
    while (shown && !bytes[shown - 1]) shown--; /* a buffer that is empty, or filled in part */
    add(t, "byte[%d]", (int)len);
    if (!shown) return;
    add(t, " \"");
    for (jsize i = 0; i < shown; i++) add_unit(t, (unsigned char)bytes[i]);
    add(t, len > n ? "\"..." : "\"");
}

static void add_box(Text *t, JNIEnv *env, jobject o, const Box *b) {
    switch (*b->desc) {
    case 'I': add(t, "%d", (int)vm->GetIntField(env, o, b->value)); break;
    case 'J': add(t, "%lld", (long long)vm->GetLongField(env, o, b->value)); break;
    case 'Z': add(t, "%s", vm->GetBooleanField(env, o, b->value) ? "true" : "false"); break;
    case 'B': add(t, "%d", vm->GetByteField(env, o, b->value)); break;
    case 'S': add(t, "%d", vm->GetShortField(env, o, b->value)); break;
    case 'F': add(t, "%g", (double)vm->GetFloatField(env, o, b->value)); break;
    case 'D': add(t, "%g", vm->GetDoubleField(env, o, b->value)); break;
    default: add(t, "'"), add_unit(t, vm->GetCharField(env, o, b->value)), add(t, "'"); break;
    }
}

/* An object of another class: that, and the length of an array. */
static void add_other(Text *t, JNIEnv *env, jobject o, jclass k) {
    char *name = agent_class_text(agent, k);
    size_t n = name ? strlen(name) : 0;
    if (n > 2 && !strcmp(name + n - 2, "[]")) add(t, "%.*s[%d]", (int)n - 2, name, (int)vm->GetArrayLength(env, o));
    else add(t, "a %s", name ? name : "?");
    free(name);
}

static void add_value(Text *t, JNIEnv *env, jobject o) {
    jclass k = o ? vm->GetObjectClass(env, o) : NULL;
    if (!k) return add(t, "null");
    const Box *b = boxes;
    while (b < boxes + N_BOXES && !vm->IsSameObject(env, k, b->c)) b++;
    if (b < boxes + N_BOXES) add_box(t, env, o, b);
    else if (vm->IsSameObject(env, k, string_class)) add_string(t, env, o);
    else if (vm->IsSameObject(env, k, bytes_class)) add_bytes(t, env, o);
    else add_other(t, env, o, k);
    vm->DeleteLocalRef(env, k);
}

/* ---- counting ---------------------------------------------------------------------------------- */

static bool same(const void *item, const void *key) {
    const Told *a = item, *b = key;
    return a->record == b->record && a->method == b->method && a->caller == b->caller && !strcmp(a->text, b->text);
}

/* Lock held. */
static void count(Told key) {
    uint32_t hash = cf_hash_bytes(key.text, strlen(key.text)) ^ cf_hash_u64(key.record ^ (uintptr_t)key.method);
    Told *t = cf_table_find(&table, hash, same, &key);
    if (t) {
        t->calls++;
        return;
    }
    t = told_texts.len < MAX_TEXTS ? malloc(sizeof *t) : NULL;
    if (t) {
        *t = key;
        t->text = strdup(key.text);
    }
    if (t && t->text && cf_vec_push(&told_texts, t)) {
        if (cf_table_add(&table, hash, t)) return;
        told_texts.len--;
    }
    if (t) free(t->text);
    free(t);
    others++;
}

/* graft$told of the probe: VMs look for natives of boot classes in the libraries of agents, too. (RegisterNatives is the other
 * way; HotSpot warns of it on standard output.) */
JNIEXPORT void JNICALL Java_java_lang_Void_graft_00024told(JNIEnv *env, jclass probe, jlong record, jobjectArray values) {
    Text t = {.n = 0};
    jsize n = vm->GetArrayLength(env, values);
    for (jsize i = 0; i < n && t.n < MAX_TEXT; i++) {
        jobject o = vm->GetObjectArrayElement(env, values, i);
        if (i) add(&t, ", ");
        add_value(&t, env, o);
        if (o) vm->DeleteLocalRef(env, o);
    }
    pthread_mutex_lock(&lock);
    count((Told){(uint32_t)((const NatRecord *)(uintptr_t)record - first_record), NULL, NULL, 1, t.s});
    pthread_mutex_unlock(&lock);
}

/* ---- upcalls ----------------------------------------------------------------------------------- */

static bool same_callee(const void *item, const void *key) { return ((const Callee *)item)->method == key; }

/* Letters of the parameters, 'L' for all references. */
static char *kinds_of(const char *desc) {
    char *kinds = malloc(strlen(desc) + 1);
    size_t n = 0;
    for (const char *p = desc + 1; kinds && *p && *p != ')'; p++) {
        kinds[n++] = *p == '[' ? 'L' : *p;
        while (*p == '[') p++;
        if (*p == 'L') p += strcspn(p, ";");
    }
    if (kinds) kinds[n] = 0;
    return kinds;
}

static bool is_wanted(const char *name) {
    char *plain = strndup(name, strcspn(name, "("));
    bool yes = plain && agent_match_list(wanted_callees, plain);
    free(plain);
    return yes;
}

/* Lock held; NULL without memory. */
static Callee *callee_of(JNIEnv *env, jmethodID m) {
    uint32_t hash = cf_hash_u64((uintptr_t)m);
    Callee *c = cf_table_find(&callees, hash, same_callee, m);
    char *desc = NULL;
    if (c || !(c = malloc(sizeof *c))) return c;
    *c = (Callee){m, nat_method_name(agent, vm, env, m), NULL};
    if (is_wanted(c->name) && !(*agent->ti)->GetMethodName(agent->ti, m, NULL, &desc, NULL)) c->kinds = kinds_of(desc);
    (*agent->ti)->Deallocate(agent->ti, (unsigned char *)desc);
    if (cf_table_add(&callees, hash, c)) return c;
    free(c->kinds);
    free(c);
    return NULL;
}

static void add_argument(Text *t, JNIEnv *env, char kind, const jvalue *v) {
    switch (kind) {
    case 'Z': add(t, "%s", v->z ? "true" : "false"); break;
    case 'B': add(t, "%d", v->b); break;
    case 'S': add(t, "%d", v->s); break;
    case 'C': add(t, "'"), add_unit(t, v->c), add(t, "'"); break;
    case 'I': add(t, "%d", (int)v->i); break;
    case 'J': add(t, "%lld", (long long)v->j); break;
    case 'F': add(t, "%g", (double)v->f); break;
    case 'D': add(t, "%g", v->d); break;
    default: add_value(t, env, v->l); break;
    }
}

/* The next one of a list, as C promotes it. */
static jvalue next_argument(va_list *list, char kind) {
    switch (kind) {
    case 'Z': return (jvalue){.z = (jboolean)va_arg(*list, int)};
    case 'B': return (jvalue){.b = (jbyte)va_arg(*list, int)};
    case 'S': return (jvalue){.s = (jshort)va_arg(*list, int)};
    case 'C': return (jvalue){.c = (jchar)va_arg(*list, int)};
    case 'I': return (jvalue){.i = va_arg(*list, jint)};
    case 'J': return (jvalue){.j = va_arg(*list, jlong)};
    case 'F': return (jvalue){.f = (jfloat)va_arg(*list, double)};
    case 'D': return (jvalue){.d = va_arg(*list, double)};
    default: return (jvalue){.l = va_arg(*list, jobject)};
    }
}

/* One of list and values is given. */
static void upcall(JNIEnv *env, jmethodID method, va_list *list, const jvalue *values) {
    Text t = {.n = 0};
    jmethodID native = NULL;
    jlocation at;
    if (!__atomic_load_n(&wanted_callees, __ATOMIC_ACQUIRE)) return;
    pthread_mutex_lock(&lock);
    const Callee *c = callee_of(env, method);
    pthread_mutex_unlock(&lock);
    if (!c || !c->kinds) return;
    for (const char *kind = c->kinds; *kind; kind++) {
        jvalue v = list ? next_argument(list, *kind) : *values++;
        if (kind > c->kinds) add(&t, ", ");
        add_argument(&t, env, *kind, &v);
    }
    (*agent->ti)->GetFrameLocation(agent->ti, NULL, 0, &native, &at);
    const char *caller = nat_method_name(agent, vm, env, native);
    pthread_mutex_lock(&lock);
    count((Told){UPCALL, c->name, caller, 1, t.s});
    pthread_mutex_unlock(&lock);
}

void nat_args_upcall_v(JNIEnv *env, jmethodID method, va_list list) {
    va_list copy;
    va_copy(copy, list);
    upcall(env, method, &copy, NULL);
    va_end(copy);
}
void nat_args_upcall_a(JNIEnv *env, jmethodID method, const jvalue *values) { upcall(env, method, NULL, values); }

/* ---- start ------------------------------------------------------------------------------------- */

static jclass class_named(JNIEnv *env, const char *name) {
    jclass local = vm->FindClass(env, name), c = local ? vm->NewGlobalRef(env, local) : NULL;
    if (local) vm->DeleteLocalRef(env, local);
    return c;
}

bool nat_args_start(Agent *a, JNIEnv *env, const struct JNINativeInterface_ *functions, const NatRecord *records,
                    const char *patterns) {
    agent = a;
    vm = functions;
    first_record = records;
    bool ok = (string_class = class_named(env, "java/lang/String")) && (bytes_class = class_named(env, "[B"));
    for (Box *b = boxes; ok && b < boxes + N_BOXES; b++)
        ok = (b->c = class_named(env, b->name)) && (b->value = vm->GetFieldID(env, b->c, "value", b->desc));
    jclass probe = ok ? vm->FindClass(env, NAT_PROBE_CLASS) : NULL;
    jfieldID telling = probe ? vm->GetStaticFieldID(env, probe, NAT_TELLING_FIELD, "Z") : NULL;
    if (telling) vm->SetStaticBooleanField(env, probe, telling, JNI_TRUE);
    else ok = false;
    if (probe) vm->DeleteLocalRef(env, probe);
    if (ok) __atomic_store_n(&wanted_callees, patterns, __ATOMIC_RELEASE);
    agent_exception(a, env, "the start of arguments");
    return ok || agent_refuse(a, "arguments are not told");
}

/* ---- report ------------------------------------------------------------------------------------ */

static int by_calls(const void *pa, const void *pb) {
    const Told *a = *(Told *const *)pa, *b = *(Told *const *)pb;
    if (a->calls != b->calls) return a->calls < b->calls ? 1 : -1;
    if (a->record != b->record) return a->record > b->record ? 1 : -1;
    int c = a->method ? strcmp(a->method, b->method) : 0;
    return c ? c : strcmp(a->text, b->text);
}

void nat_args_report(FILE *out, const char *const *methods, uint32_t n, size_t top) {
    uint32_t shown = 0;
    if (!top) top = DEFAULT_TOP;
    pthread_mutex_lock(&lock);
    if (told_texts.len) qsort(told_texts.data, told_texts.len, sizeof *told_texts.data, by_calls);
    fprintf(out, "\nArguments of native methods\n      calls method and arguments\n----------- ------\n");
    for (; shown < told_texts.len && shown < top; shown++) {
        const Told *t = told_texts.data[shown];
        const char *method = t->method ? t->method : t->record < n ? methods[t->record] : "?";
        fprintf(out, "%11" PRIu64 " %.*s(%s)%s%s\n", t->calls, (int)strcspn(method, "("), method, t->text,
                t->method ? " by " : "", t->method ? t->caller : "");
    }
    if (shown < told_texts.len) fprintf(out, "%11s and %u more texts\n", "", told_texts.len - shown);
    if (others) fprintf(out, "%11" PRIu64 " calls with other arguments (%d texts are kept)\n", others, MAX_TEXTS);
    pthread_mutex_unlock(&lock);
}
