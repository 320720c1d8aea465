/* SPDX-License-Identifier: Apache-2.0 */
/* cov_classes.c - classes get and lose their probes; see cov_classes.h. */
#include "cov_classes.h"

#include <stdlib.h>
#include <errno.h>
#include <string.h>

#include "cov_model.h"
#include "cov_probes.h"
#include "cov_tests.h"
#include "method_text.h"
#include "utf8.h"

/* ---- helpers ------------------------------------------------------------------------------------- */

static bool window_ready(CovClasses *c, JNIEnv *env, uint32_t window) {
    CfError err;
    cf_err_clear(&err);
    pthread_mutex_lock(&c->lock);
    bool ok = window == 0 || __atomic_load_n(&c->live, __ATOMIC_ACQUIRE), room = true;
    while (ok && c->windows <= window) {
        uint8_t *base = cov_writer_window(c->writer, c->windows);
        room = base != NULL;
        ok = room && cov_helper_define(c->agent, env, c->helper + c->windows, base, c->counts, &err);
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
    if (!c->append && !window_ready(c, env, 0)) return false;
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
    agent_plain_name(name, NULL, dotted, sizeof dotted);
    return agent_match_list(c->include, dotted) && !agent_match_list(c->exclude, dotted);
}

enum { PLACE = 4096 };

/* The application's loader has modules of the JDK, too: the compiler, which runs where a source file is launched. */
static bool is_jdk_module(const char *place) { return !strncmp(place, "jrt:/jdk.", 9) || !strncmp(place, "jrt:/java.", 10); }

/* `place` gets where it comes from, if that is asked for. */
static bool place_wanted(CovClasses *c, JNIEnv *env, jobject domain, const CovLoaderInfo *info, char place[PLACE]) {
    bool known = cov_location(c->loaders, env, domain, place, PLACE);
    if (!c->jdk && !c->from && !strcmp(c->include, "*") && is_jdk_module(place)) return false;
    return c->from ? known && agent_match_list(c->from, place) : known || c->nolocation || info->jdk || info->launcher;
}

static bool wanted(CovClasses *c, JNIEnv *env, jobject loader, const char *name, jobject domain, CovLoaderInfo *info,
                   char place[PLACE]) {
    if ((!loader && !c->jdk) || !name_wanted(c, name) || !cov_loader_info(c->loaders, env, loader, info)) return false;
    if (info->excluded || (info->jdk && !c->jdk)) return false;
    return place_wanted(c, env, domain, info, place);
}

typedef struct Loading { /* one class on its way */
    CovClasses *session;
    JNIEnv *env;
    const char *name;
    const uint8_t *bytes;
    size_t len;
    uint32_t loader, helper;
    bool of_tests, loops;
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
    if (!cov_count_probes(l->bytes, l->len, scratch, &n, &l->loops, &err)) return class_failed(l, &err);
    if (!n) return;
    first = cov_writer_reserve(c->writer, n);
    if (first == COV_BAD || !rewrite(l, first, scratch, &err)) return class_failed(l, &err);
    CovClassRecord rec = {.crc = crc, .first_probe = first, .nprobes = n, .loader = l->loader, .bytes_len = l->len};
    rec.head.kind = l->of_tests ? COV_REC_TEST_CLASS : COV_REC_CLASS;
    if (cov_writer_class(c->writer, &rec, l->name, l->bytes, l->loops)) {
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

/* A class of a test framework gets its calls, and no probes. */
static void weave_tests(CovClasses *c, const char *name, const uint8_t *bytes, size_t len, uint8_t **out, jint *out_len) {
    CfError err;
    size_t n = 0;
    cf_err_clear(&err);
    if (cov_tests_weave(name, bytes, len, agent_memory, c->agent, out, &n, &err)) *out_len = (jint)n;
    else agent_log(c->agent, AGENT_INFO, "%s tells nothing about tests: %s", name, err.code ? err.text : "it has other methods");
}

static void cover_named(CovClasses *c, JNIEnv *env, jobject loader, const char *name, jobject domain, const uint8_t *bytes,
                        size_t len, uint8_t **out, jint *out_len) {
    CovLoaderInfo info;
    char place[PLACE];
    uint32_t helper = __atomic_load_n(&c->helper, __ATOMIC_ACQUIRE); /* before `live`: else it may be the next session's */
    if (!__atomic_load_n(&c->live, __ATOMIC_ACQUIRE)) return;
    if (c->tests && cov_tests_known(name)) return weave_tests(c, name, bytes, len, out, out_len);
    if (!wanted(c, env, loader, name, domain, &info, place)) return tell_of_full_disk(c);
    Loading l = {c, env, name, bytes, len, info.id, helper, cov_is_test_place(place), false, NULL, 0};
    CfArena scratch;
    cf_arena_init(&scratch, "coverage", 1 << 15);
    cover_class(&l, &scratch);
    cf_arena_free(&scratch);
    tell_of_full_disk(c);
    *out = l.out;
    *out_len = (jint)l.out_len;
}

void cov_classes_hook(CovClasses *c, JNIEnv *env, jobject loader, const char *name, jobject domain, const uint8_t *bytes,
                      size_t len, uint8_t **out, jint *out_len) {
    char *own = name ? NULL : agent_name_not_given(bytes, len);
    if (name || own) cover_named(c, env, loader, name ? name : own, domain, bytes, len, out, out_len);
    free(own);
}

/* ---- classes that are loaded ---------------------------------------------------------------------- */

static bool loader_wanted(CovClasses *c, JNIEnv *env, jclass cls) {
    jobject loader = NULL;
    CovLoaderInfo info;
    if (c->jdk) return true;
    bool yes = !(*c->agent->ti)->GetClassLoader(c->agent->ti, cls, &loader) && loader &&
               cov_loader_info(c->loaders, env, loader, &info) && !info.jdk && !info.excluded;
    (*env)->DeleteLocalRef(env, loader);
    return yes;
}

static bool is_wanted(void *session, JNIEnv *env, jclass cls, const char *name) {
    const CovClasses *c = session;
    return (c->tests && cov_tests_known(name)) || (name_wanted(session, name) && loader_wanted(session, env, cls));
}

void cov_classes_retransform(CovClasses *c, JNIEnv *env) { agent_retransform(c->agent, env, is_wanted, c); }
