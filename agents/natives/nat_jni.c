/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nat_jni.c - the functions, and the table of uses: who called which function (and method), how often, how long.
 *
 * A use is found by (native, function, method). One lock guards the table; the VM may stop the world while it is held, which is
 * harmless: threads that wait for it are in native code. Time is taken without the agent's own work.
 */
#include "nat_jni.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "nat_args.h"
#include "nat_methods.h"
#include "nat_refs.h"
#include "cf_table.h"
#include "cf_vec.h"

enum { MAX_PER_NATIVE = 12 };

typedef enum JniFn {
#define JNI_FUNCTION(type, name, params, args) FN_##name,
#define JNI_UPCALL(type, name, params, args) FN_##name,
#define JNI_DOTS(type, name, params, args) FN_##name,
#include "nat_jni.def"
} JniFn;

static const char *const fn_names[] = {
#define JNI_FUNCTION(type, name, params, args) #name,
#define JNI_UPCALL(type, name, params, args) #name,
#define JNI_DOTS(type, name, params, args) #name,
#include "nat_jni.def"
};

typedef struct Use {
    jmethodID native, method; /* NULL: no Java frame; no method */
    JniFn fn;
    uint64_t calls, nanos;
    const char *native_name, *method_name;
} Use;

static Agent *agent;
static struct JNINativeInterface_ vm;    /* the VM's functions */
static struct JNINativeInterface_ inner; /* what is called: these, or those that look after references */
static CfTable table;                    /* of Use */
static CF_VEC(Use *) uses;
static uint64_t lost;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- counting ---------------------------------------------------------------------------------- */

typedef struct Timing {
    JNIEnv *env;
    JniFn fn;
    jmethodID method;
    int64_t start;
} Timing;

static bool same(const void *item, const void *key) {
    const Use *a = item, *b = key;
    return a->native == b->native && a->method == b->method && a->fn == b->fn;
}

/* NULL without memory; lock held. */
static Use *use_of(JNIEnv *env, const Use *key) {
    uint32_t hash = cf_hash_u64((uintptr_t)key->native ^ (uintptr_t)key->method << 20 ^ (uint64_t)key->fn << 50);
    Use *u = cf_table_find(&table, hash, same, key);
    if (u || !(u = malloc(sizeof *u))) return u;
    *u = *key;
    u->native_name = key->native ? nat_method_name(agent, &vm, env, key->native) : "(no Java frame)";
    u->method_name = key->method ? nat_method_name(agent, &vm, env, key->method) : NULL;
    if (cf_vec_push(&uses, u)) {
        if (cf_table_add(&table, hash, u)) return u;
        uses.len--;
    }
    free(u);
    return NULL;
}

/* A frame that came back: the native is on top again. */
static void counted(Timing *t) {
    int64_t nanos = agent_nanos(CLOCK_MONOTONIC) - t->start;
    Use key = {.method = t->method, .fn = t->fn};
    jlocation at;
    if ((*agent->ti)->GetFrameLocation(agent->ti, NULL, 0, &key.native, &at)) key.native = NULL;
    pthread_mutex_lock(&lock);
    Use *u = use_of(t->env, &key);
    if (u) {
        u->calls++;
        u->nanos += (uint64_t)nanos;
    } else {
        lost++;
    }
    pthread_mutex_unlock(&lock);
}

#define TIMED(name, id) Timing timing __attribute__((cleanup(counted))) = {env, FN_##name, id, agent_nanos(CLOCK_MONOTONIC)}
#define JNI_FUNCTION(type, name, params, args) \
    static type JNICALL in_##name params { \
        TIMED(name, NULL); \
        return inner.name args; \
    }
#define TOLD(list) _Generic((list), const jvalue * : nat_args_upcall_a, default : nat_args_upcall_v)(env, id, list)
#define JNI_UPCALL(type, name, params, args) \
    static type JNICALL in_##name params { \
        TOLD(list); \
        TIMED(name, id); \
        return inner.name args; \
    }
static void end_list(va_list *list) { va_end(*list); }
#define JNI_DOTS(type, name, params, args) \
    static type JNICALL in_##name params { \
        va_list list __attribute__((cleanup(end_list))); \
        va_start(list, id); \
        nat_args_upcall_v(env, id, list); \
        TIMED(name, id); \
        return inner.name##V args; \
    }
#include "nat_jni.def"

/* The VM's table may be shorter than the one we know (JDK 8 has no GetModule) or longer (JDK 21 has IsVirtualThread): only what both have
 * is read and written, and the VM's own copy goes back to it. */
bool nat_jni_start(Agent *a, bool calls, bool refs) {
    size_t known = offsetof(struct JNINativeInterface_, GetModule) + (a->version < JVMTI_VERSION_9 ? 0 : sizeof vm.GetModule);
    jniNativeInterface *now;
    agent = a;
    if (AGENT_CHECK(a, (*a->ti)->GetJNIFunctionTable(a->ti, &now))) return false;
    memcpy(&vm, now, known);
    inner = vm;
    if (refs) nat_refs_into(a, &inner);
    struct JNINativeInterface_ outer = inner;
    if (calls) {
#define JNI_FUNCTION(type, name, params, args) outer.name = in_##name;
#define JNI_UPCALL(type, name, params, args) outer.name = in_##name;
#define JNI_DOTS(type, name, params, args) outer.name = in_##name;
#include "nat_jni.def"
    }
    memcpy(now, &outer, known);
    bool ok = !AGENT_CHECK(a, (*a->ti)->SetJNIFunctionTable(a->ti, now));
    (*a->ti)->Deallocate(a->ti, (unsigned char *)now);
    return ok;
}

const struct JNINativeInterface_ *nat_jni_of_vm(void) { return &vm; }

/* ---- report ------------------------------------------------------------------------------------ */

/* All uses by one native, or by natives of one name: [from, from + n) of the sorted uses. */
typedef struct Group {
    uint32_t from, n;
    uint64_t calls, nanos;
} Group;

static int by_native(const void *pa, const void *pb) {
    const Use *a = *(Use *const *)pa, *b = *(Use *const *)pb;
    int c = strcmp(a->native_name, b->native_name);
    if (c) return c;
    if (a->nanos != b->nanos) return a->nanos < b->nanos ? 1 : -1;
    return (int)a->fn - (int)b->fn;
}
static int by_time(const void *pa, const void *pb) {
    const Group *a = pa, *b = pb;
    return a->nanos != b->nanos ? (a->nanos < b->nanos ? 1 : -1) : (a->from > b->from) - (a->from < b->from);
}

static void put_line(FILE *out, uint64_t nanos, uint64_t calls) {
    fprintf(out, "%12.6f %11.3f %11" PRIu64 " ", (double)nanos / 1e9, calls ? (double)nanos / 1e3 / (double)calls : 0.0, calls);
}

static void put_group(FILE *out, const Group *g) {
    put_line(out, g->nanos, g->calls);
    fprintf(out, "%s\n", uses.data[g->from]->native_name);
    uint32_t i = 0;
    for (; i < g->n && i < MAX_PER_NATIVE; i++) {
        const Use *u = uses.data[g->from + i];
        put_line(out, u->nanos, u->calls);
        fprintf(out, "    %s%s%s\n", fn_names[u->fn], u->method_name ? " " : "", u->method_name ? u->method_name : "");
    }
    if (i < g->n) fprintf(out, "%36s     and %u more\n", "", g->n - i);
}

void nat_jni_report(FILE *out, size_t top) {
    CF_VEC(Group) groups = {0};
    Group all = {0};
    bool ok = true;
    pthread_mutex_lock(&lock);
    if (uses.len) qsort(uses.data, uses.len, sizeof *uses.data, by_native);
    for (uint32_t i = 0; ok && i < uses.len; i++) {
        const Use *u = uses.data[i];
        if (!i || strcmp(u->native_name, uses.data[i - 1]->native_name)) ok = cf_vec_push(&groups, (Group){.from = i});
        if (!ok) break;
        Group *g = &groups.data[groups.len - 1];
        g->n++;
        g->calls += u->calls;
        g->nanos += u->nanos;
        all.calls += u->calls;
    }
    if (groups.len) qsort(groups.data, groups.len, sizeof *groups.data, by_time);
    fprintf(out,
            "\nJNI functions by the native that called them: %" PRIu64 " calls\n"
            "     seconds  usecs/call       calls native, functions\n------------ ----------- ----------- ------\n",
            all.calls);
    uint32_t shown = 0;
    for (; shown < groups.len && (!top || shown < top); shown++) put_group(out, &groups.data[shown]);
    if (shown < groups.len) fprintf(out, "%36s and %u more natives\n", "", groups.len - shown);
    if (lost || !ok) fprintf(out, "%" PRIu64 " calls could not be noted: out of memory\n", lost);
    pthread_mutex_unlock(&lock);
    cf_vec_free(&groups);
}
