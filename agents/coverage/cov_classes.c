/* SPDX-License-Identifier: Apache-2.0 */
/* cov_classes.c - classes get and lose their probes; see cov_classes.h. */
#include "cov_classes.h"

#include <stdlib.h>
#include <errno.h>
#include <string.h>

#include "cov_model.h"
#include "cov_probes.h"

/* ---- helpers ------------------------------------------------------------------------------------- */

static bool window_ready(CovClasses *c, JNIEnv *env, uint32_t window) {
    CfError err;
    cf_err_clear(&err);
    pthread_mutex_lock(&c->lock);
    bool ok = window == 0 || __atomic_load_n(&c->live, __ATOMIC_ACQUIRE), room = true;
    while (ok && c->windows <= window) {
        uint8_t *base = cov_writer_window(c->writer, c->windows);
        room = base != NULL;
        ok = room && cov_helper_define(env, c->helper + c->windows, base, c->counts, &err);
        c->windows += ok;
    }
    pthread_mutex_unlock(&c->lock);
    if (!ok) {
        agent_exception(c->agent, env, "definition of the probe class");
        agent_log(c->agent, AGENT_ERROR, "cannot define the probe class: %s",
                  err.code ? err.text
                  : room   ? "refused by the VM"
                           : strerror(cov_writer_error(c->writer)));
    }
    return ok;
}

bool cov_classes_begin(CovClasses *c, JNIEnv *env) {
    if (!window_ready(c, env, 0)) return false;
    __atomic_store_n(&c->live, 1, __ATOMIC_RELEASE);
    return true;
}

void cov_classes_end(CovClasses *c) {
    __atomic_store_n(&c->live, 0, __ATOMIC_RELEASE);
    pthread_mutex_lock(&c->lock);
    __atomic_store_n(&c->helper, c->helper + c->windows, __ATOMIC_RELEASE);
    c->windows = 0;
    pthread_mutex_unlock(&c->lock);
}

/* ---- one class ------------------------------------------------------------------------------------ */

/* Names that never count: our helper, and classes that the JDK generates without a source. */
static bool name_wanted(const CovClasses *c, const char *name) {
    char dotted[1024];
    if (cov_is_helper(name) || !strncmp(name, "jdk/internal/reflect/Generated", 30)) return false;
    cov_dotted(name, dotted, sizeof dotted);
    return agent_match_list(c->include, dotted) && !agent_match_list(c->exclude, dotted);
}

static bool wanted(CovClasses *c, JNIEnv *env, jobject loader, const char *name, jobject domain, CovLoaderInfo *info) {
    if (!name || (!loader && !c->jdk) || !name_wanted(c, name) || !cov_loader_info(c->loaders, env, loader, info)) return false;
    if (info->excluded || (info->jdk && !c->jdk)) return false;
    return c->nolocation || info->jdk || cov_has_location(c->loaders, env, domain);
}

typedef struct Loading { /* one class on its way */
    CovClasses *session;
    JNIEnv *env;
    const char *name;
    const uint8_t *bytes;
    size_t len;
    uint32_t loader, helper;
    uint8_t *out;
    size_t out_len;
} Loading;

static void class_failed(const Loading *l, const CfError *err) {
    __atomic_fetch_add(&l->session->failed, 1, __ATOMIC_RELAXED);
    agent_log(l->session->agent, AGENT_DEBUG, "%s: not covered: %s", l->name, err->code ? err->text : "no room for data");
}

/* Rewrites with probes from `first`. */
static bool rewrite(Loading *l, uint32_t first, CfArena *scratch, CfError *err) {
    CovClasses *c = l->session;
    uint32_t skipped = 0;
    if (!window_ready(c, l->env, first / COV_WINDOW)) return false;
    cf_arena_reset(scratch);
    CovPlacing placing = {.first = first, .helper = l->helper};
    if (c->prune) placing.passed = cov_writer_window(c->writer, first / COV_WINDOW) + first % COV_WINDOW;
    CovInstrument done =
        cov_instrument(l->bytes, l->len, &placing, agent_memory, c->agent, scratch, &l->out, &l->out_len, &skipped, err);
    if (skipped) agent_log(c->agent, AGENT_DEBUG, "%s: %u methods without probes (too large)", l->name, skipped);
    __atomic_fetch_add(&c->failed_methods, skipped, __ATOMIC_RELAXED);
    return done == COV_INSTR_DONE || (done == COV_INSTR_NOTHING && c->prune);
}

/* The same class of the same loader again (redefinition, or two threads racing) keeps its probes. */
static void cover_class(Loading *l, CfArena *scratch) {
    CovClasses *c = l->session;
    CfError err;
    uint32_t n;
    uint64_t crc = cov_crc64(l->bytes, l->len);
    cf_err_clear(&err);
    uint32_t first = cov_writer_find(c->writer, l->name, l->loader, crc);
    if (first != COV_BAD) {
        __atomic_fetch_add(&c->rewritten, c->prune, __ATOMIC_RELAXED); /* it may lose probes here, too */
        if (!rewrite(l, first, scratch, &err)) class_failed(l, &err);
        return;
    }
    if (!cov_count_probes(l->bytes, l->len, scratch, &n, &err)) {
        class_failed(l, &err);
        return;
    }
    if (!n) return;
    first = cov_writer_reserve(c->writer, n);
    if (first == COV_BAD || !rewrite(l, first, scratch, &err)) {
        class_failed(l, &err);
        return;
    }
    CovClassRecord rec = {.crc = crc, .first_probe = first, .nprobes = n, .loader = l->loader, .bytes_len = l->len};
    if (cov_writer_class(c->writer, &rec, l->name, l->bytes)) {
        __atomic_fetch_add(&c->covered, 1, __ATOMIC_RELAXED);
        agent_log(c->agent, AGENT_DEBUG, "%s: %u probes", l->name, n);
        return;
    }
    (*c->agent->ti)->Deallocate(c->agent->ti, l->out);
    l->out = NULL;
    first = cov_writer_find(c->writer, l->name, l->loader, crc);
    if (first == COV_BAD || !rewrite(l, first, scratch, &err)) class_failed(l, &err);
}

/* Once, and at once: what was covered so far stays in the file, later classes may be missing. */
static void tell_of_full_disk(CovClasses *c) {
    int error = cov_writer_error(c->writer);
    if (error && !__atomic_exchange_n(&c->told_full, true, __ATOMIC_RELAXED))
        agent_log(c->agent, AGENT_ERROR, "%s: %s: classes loaded from now on may not be covered", cov_writer_path(c->writer),
                  strerror(error));
}

bool cov_classes_hook(CovClasses *c, JNIEnv *env, jobject loader, const char *name, jobject domain, const uint8_t *bytes,
                      size_t len, uint8_t **out, size_t *out_len) {
    CovLoaderInfo info;
    uint32_t helper = __atomic_load_n(&c->helper, __ATOMIC_ACQUIRE); /* before `live`: else it may be the next session's */
    if (!__atomic_load_n(&c->live, __ATOMIC_ACQUIRE)) return false;
    if (!wanted(c, env, loader, name, domain, &info)) {
        tell_of_full_disk(c);
        return false;
    }
    Loading l = {c, env, name, bytes, len, info.id, helper, NULL, 0};
    CfArena scratch;
    cf_arena_init(&scratch, "coverage", 1 << 15);
    cover_class(&l, &scratch);
    cf_arena_free(&scratch);
    tell_of_full_disk(c);
    *out = l.out;
    *out_len = l.out_len;
    return l.out != NULL;
}

/* ---- classes that are loaded ---------------------------------------------------------------------- */

/* One call, one safepoint; if a class is refused, one by one, so that only that one is left out. */
static void retransform(CovClasses *c, jint n, jclass *classes) {
    jvmtiEnv *ti = c->agent->ti;
    uint32_t failed = 0;
    if (!n || !(*ti)->RetransformClasses(ti, n, classes)) return;
    for (jint i = 0; i < n; i++) failed += (*ti)->RetransformClasses(ti, 1, &classes[i]) != JVMTI_ERROR_NONE;
    if (failed) agent_log(c->agent, AGENT_INFO, "%u loaded classes could not be retransformed", failed);
}

typedef bool (*Chooser)(CovClasses *c, const char *name, const void *arg);

static bool loader_wanted(CovClasses *c, JNIEnv *env, jclass cls) {
    jobject loader = NULL;
    CovLoaderInfo info;
    if (c->jdk) return true;
    return !(*c->agent->ti)->GetClassLoader(c->agent->ti, cls, &loader) && loader &&
           cov_loader_info(c->loaders, env, loader, &info) && !info.jdk && !info.excluded;
}

static bool chosen(CovClasses *c, JNIEnv *env, jclass cls, Chooser choose, const void *arg) {
    jvmtiEnv *ti = c->agent->ti;
    char *signature = NULL;
    jboolean modifiable = JNI_FALSE;
    if ((*ti)->GetClassSignature(ti, cls, &signature, NULL)) return false;
    bool yes = false;
    if (*signature == 'L') {
        signature[strlen(signature) - 1] = 0;
        yes = choose(c, signature + 1, arg) && !(*ti)->IsModifiableClass(ti, cls, &modifiable) && modifiable &&
              loader_wanted(c, env, cls);
    }
    (*ti)->Deallocate(ti, (unsigned char *)signature);
    return yes;
}

static void retransform_chosen(CovClasses *c, JNIEnv *env, Chooser choose, const void *arg) {
    jvmtiEnv *ti = c->agent->ti;
    jint n = 0, kept = 0;
    jclass *all = NULL;
    if (AGENT_CHECK(c->agent, (*ti)->GetLoadedClasses(ti, &n, &all))) return;
    for (jint i = 0; i < n; i++) {
        if ((*env)->PushLocalFrame(env, 8)) break;
        bool yes = chosen(c, env, all[i], choose, arg);
        (*env)->PopLocalFrame(env, NULL);
        if (yes) all[kept++] = all[i];
        else (*env)->DeleteLocalRef(env, all[i]);
    }
    retransform(c, kept, all);
    for (jint i = 0; i < kept; i++) (*env)->DeleteLocalRef(env, all[i]);
    (*ti)->Deallocate(ti, (unsigned char *)all);
}

static bool choose_wanted(CovClasses *c, const char *name, const void *arg) { return name_wanted(c, name); }

void cov_classes_loaded(CovClasses *c, JNIEnv *env) { retransform_chosen(c, env, choose_wanted, NULL); }

/* Sorted. */
typedef struct Names {
    const char **v;
    size_t n;
} Names;

static int compare(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

static bool choose_named(CovClasses *c, const char *name, const void *arg) {
    const Names *names = arg;
    return bsearch(&name, names->v, names->n, sizeof *names->v, compare) != NULL;
}

static void note_busy(CovClasses *c, JNIEnv *env, jmethodID method) {
    jvmtiEnv *ti = c->agent->ti;
    jclass cls;
    char *signature = NULL;
    if ((*ti)->GetMethodDeclaringClass(ti, method, &cls)) return;
    if (!(*ti)->GetClassSignature(ti, cls, &signature, NULL) && *signature == 'L') {
        signature[strlen(signature) - 1] = 0;
        cov_writer_busy(c->writer, signature + 1);
    }
    (*ti)->Deallocate(ti, (unsigned char *)signature);
    (*env)->DeleteLocalRef(env, cls);
}

/* Not only the top: a probe's class may be the one that calls what runs. */
enum { FRAMES_LOOKED_AT = 4 };

void cov_classes_sample(CovClasses *c, JNIEnv *env) {
    jvmtiEnv *ti = c->agent->ti;
    jvmtiStackInfo *threads;
    jint n;
    if ((*ti)->GetAllStackTraces(ti, FRAMES_LOOKED_AT, &threads, &n)) return;
    for (jint i = 0; i < n; i++) {
        jint state = threads[i].state & (JVMTI_THREAD_STATE_RUNNABLE | JVMTI_THREAD_STATE_IN_NATIVE);
        for (jint k = 0; state == JVMTI_THREAD_STATE_RUNNABLE && k < threads[i].frame_count; k++)
            note_busy(c, env, threads[i].frame_buffer[k].method);
        (*env)->DeleteLocalRef(env, threads[i].thread);
    }
    (*ti)->Deallocate(ti, (unsigned char *)threads);
}

bool cov_classes_prune(CovClasses *c, JNIEnv *env) {
    char *text = cov_writer_due(c->writer, !c->sampled);
    Names names = {NULL, 0};
    if (!text) return false;
    for (const char *p = text; *p; p += strlen(p) + 1) names.n++;
    names.v = malloc((names.n + 1) * sizeof *names.v);
    if (names.v) {
        size_t i = 0;
        for (const char *p = text; *p; p += strlen(p) + 1) names.v[i++] = p;
        qsort(names.v, names.n, sizeof *names.v, compare);
        retransform_chosen(c, env, choose_named, &names);
        agent_log(c->agent, AGENT_DEBUG, "%zu classes lost probes that have passed", names.n);
    }
    free(names.v);
    free(text);
    return true;
}
