/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nat_refs.c - a table of living references and one of sites.
 *
 * One lock guards both. Nothing of the VM is called while it is held, but for names of methods of new sites.
 */
#include "nat_refs.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "method_text.h"
#include "nat_methods.h"
#include "cf_table.h"
#include "cf_vec.h"

enum { MAX_FRAMES = 16, DEFAULT_TOP = 20 };

typedef struct Site {
    jmethodID frames[MAX_FRAMES];
    const char *names[MAX_FRAMES];
    jint n;
    bool weak;
    uint64_t made, deleted;
    jobject one; /* of those that are left; while a report is made */
} Site;

typedef struct Ref {
    jobject ref;
    Site *site;
} Ref;

static Agent *agent;
static struct JNINativeInterface_ vm; /* the functions that were there */
static CfTable refs, site_table;      /* of Ref, of Site */
static CF_VEC(Site *) sites;
static uint64_t older, lost; /* deleted, but made before; not noted for want of memory */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- tables; lock held ------------------------------------------------------------------------- */

static bool same_ref(const void *item, const void *key) { return ((const Ref *)item)->ref == key; }

static bool same_site(const void *item, const void *key) {
    const Site *a = item, *b = key;
    return a->n == b->n && a->weak == b->weak && !memcmp(a->frames, b->frames, (size_t)a->n * sizeof *a->frames);
}

/* NULL without memory. */
static Site *site_of(JNIEnv *env, const Site *key) {
    uint32_t hash = cf_hash_bytes(key->frames, (size_t)key->n * sizeof *key->frames);
    Site *s = cf_table_find(&site_table, hash, same_site, key);
    if (s || !(s = malloc(sizeof *s))) return s;
    *s = *key;
    for (jint i = 0; i < s->n; i++) s->names[i] = nat_method_name(agent, &vm, env, s->frames[i]);
    if (cf_vec_push(&sites, s)) {
        if (cf_table_add(&site_table, hash, s)) return s;
        sites.len--;
    }
    free(s);
    return NULL;
}

static void note(JNIEnv *env, jobject ref, const Site *key) {
    Site *s = site_of(env, key);
    Ref *r = s ? malloc(sizeof *r) : NULL;
    if (r) *r = (Ref){ref, s};
    if (r && cf_table_add(&refs, cf_hash_u64((uintptr_t)ref), r)) {
        s->made++;
    } else {
        free(r);
        lost++;
    }
}

static void forget(jobject ref) {
    Ref *r = cf_table_remove(&refs, cf_hash_u64((uintptr_t)ref), same_ref, ref);
    if (r) r->site->deleted++;
    else older++;
    free(r);
}

/* ---- the functions ----------------------------------------------------------------------------- */

static void made(JNIEnv *env, jobject ref, bool weak) {
    jvmtiFrameInfo stack[MAX_FRAMES];
    Site key = {.weak = weak};
    if (!ref) return;
    if ((*agent->ti)->GetStackTrace(agent->ti, NULL, 0, MAX_FRAMES, stack, &key.n)) key.n = 0;
    for (jint i = 0; i < key.n; i++) key.frames[i] = stack[i].method;
    pthread_mutex_lock(&lock);
    note(env, ref, &key);
    pthread_mutex_unlock(&lock);
}

/* Before it is deleted: another thread may get the same one at once. */
static void deleted(jobject ref) {
    if (!ref) return;
    pthread_mutex_lock(&lock);
    forget(ref);
    pthread_mutex_unlock(&lock);
}

static jobject JNICALL new_global(JNIEnv *env, jobject o) {
    jobject ref = vm.NewGlobalRef(env, o);
    made(env, ref, false);
    return ref;
}
static void JNICALL delete_global(JNIEnv *env, jobject ref) {
    deleted(ref);
    vm.DeleteGlobalRef(env, ref);
}
static jweak JNICALL new_weak(JNIEnv *env, jobject o) {
    jweak ref = vm.NewWeakGlobalRef(env, o);
    made(env, ref, true);
    return ref;
}
static void JNICALL delete_weak(JNIEnv *env, jweak ref) {
    deleted(ref);
    vm.DeleteWeakGlobalRef(env, ref);
}

void nat_refs_into(Agent *a, struct JNINativeInterface_ *table) {
    agent = a;
    vm = *table;
    table->NewGlobalRef = new_global;
    table->DeleteGlobalRef = delete_global;
    table->NewWeakGlobalRef = new_weak;
    table->DeleteWeakGlobalRef = delete_weak;
}

/* ---- report ------------------------------------------------------------------------------------ */

static uint64_t left(const Site *s) { return s->made - s->deleted; }
static int by_left(const void *pa, const void *pb) {
    const Site *a = *(Site *const *)pa, *b = *(Site *const *)pb;
    if (left(a) != left(b)) return left(a) < left(b) ? 1 : -1;
    return a->made != b->made ? (a->made < b->made ? 1 : -1) : 0;
}

/* The class of what a reference names; malloc'ed. */
static char *class_of(JNIEnv *env, jobject ref) {
    jobject o = vm.NewLocalRef(env, ref);
    jclass k = o ? vm.GetObjectClass(env, o) : NULL;
    char *text = k ? agent_class_text(agent, k) : NULL;
    if (k) vm.DeleteLocalRef(env, k);
    if (o) vm.DeleteLocalRef(env, o);
    return text;
}

static void put_site(FILE *out, JNIEnv *env, const Site *s) {
    char *of = class_of(env, s->one);
    fprintf(out, "%11" PRIu64 " %11" PRIu64 " %11" PRIu64 " %-6s %s", left(s), s->made, s->deleted, s->weak ? "weak" : "global",
            s->n ? s->names[0] : "(no Java frame)");
    if (of) fprintf(out, "; one is of a %s", of);
    else if (s->weak) fputs("; one is of an object that is gone", out);
    fputc('\n', out);
    for (jint i = s->n > 1 && !strcmp(s->names[0], s->names[1]) ? 2 : 1; i < s->n; i++) /* the wrapper is no caller */
        fprintf(out, "%43s   from %s\n", "", s->names[i]);
    if (s->n == MAX_FRAMES) fprintf(out, "%43s   ...\n", "");
    free(of);
}

void nat_refs_report(FILE *out, JNIEnv *env, size_t top) {
    uint64_t living[2] = {0, 0};
    uint32_t shown = 0, at = 0;
    if (!top) top = DEFAULT_TOP;
    pthread_mutex_lock(&lock);
    for (Ref *r; (r = cf_table_next(&refs, &at));) {
        r->site->one = r->ref;
        living[r->site->weak]++;
    }
    if (sites.len) qsort(sites.data, sites.len, sizeof *sites.data, by_left);
    fprintf(out,
            "\nReferences made by JNI and not deleted: %" PRIu64 " global, %" PRIu64 " weak\n"
            "       left        made     deleted kind   made in\n----------- ----------- ----------- ------ ------\n",
            living[0], living[1]);
    while (shown < sites.len && left(sites.data[shown]) && shown < top) put_site(out, env, sites.data[shown++]);
    uint32_t more = shown;
    while (more < sites.len && left(sites.data[more])) more++;
    if (more > shown) fprintf(out, "%11s and %u more places\n", "", more - shown);
    if (older) fprintf(out, "%" PRIu64 " were deleted that had been made before the agent looked\n", older);
    if (lost) fprintf(out, "%" PRIu64 " could not be noted: out of memory\n", lost);
    pthread_mutex_unlock(&lock);
}
