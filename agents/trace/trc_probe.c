/* SPDX-License-Identifier: Apache-2.0 */
/* trc_probe.c - the probes that there are, and their uses; see trc_probe.h. `lock` guards both lists. */
#include "trc_probe.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "method_text.h"
#include "cf_vec.h"

enum { LARGEST_FILE = 1 << 20, MOST_USES = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TrcProbe *current;
static CF_VEC(TrcCells *) cells; /* by number of the probe */
static TrcUse *uses[MOST_USES];  /* by number; complete before the number is given out */
static uint32_t nuses;

bool trc_probes_prepare(const Agent *a, JNIEnv *env) {
    CfError err;
    cf_err_clear(&err);
    if (trc_link_prepare(a, env) && trc_code_prepare(env, &err)) return true;
    agent_exception(a, env, "the helper class of probes");
    return agent_refuse(a, "no probes, arguments and results: %s",
                        err.code ? err.text : "this VM's class library is not as expected");
}

/* ---- reading ------------------------------------------------------------------------------------- */

static void tell_wrong(const Agent *a, const char *where, const TrcSyntax *w) {
    agent_log(a, AGENT_ERROR, "%s: column %u: %s", where, w->column, w->text);
    agent_log(a, AGENT_ERROR, "    %s", w->probe);
    agent_log(a, AGENT_ERROR, "    %*s", (int)w->column, "^");
}

static bool number_probes(TrcProbe *p) {
    bool ok = true;
    pthread_mutex_lock(&lock);
    for (; p && ok; p = p->next) {
        TrcCells *c = calloc(1, sizeof *c);
        p->number = cells.len;
        ok = c && cf_vec_push(&cells, c);
    }
    pthread_mutex_unlock(&lock);
    return ok;
}

/* The arena is kept for good, as the probes in it are. */
static TrcProbe *read_text(const Agent *a, const char *text, const char *where, bool *ok) {
    CfArena arena;
    TrcProbe *list = NULL;
    TrcSyntax wrong = {.text = ""};
    cf_arena_init(&arena, "probes", 0);
    if (!trc_parse(&arena, text, &list, &wrong) || !number_probes(list)) {
        *ok = false;
        tell_wrong(a, where, &wrong);
        cf_arena_free(&arena);
        return NULL;
    }
    return list;
}

TrcProbe *trc_probes_read(const Agent *a, const char *text, const char *file, bool *ok) {
    TrcProbe *list = text ? read_text(a, text, "probe", ok) : NULL, **end = &list;
    size_t len;
    char *content = *ok && file && *file ? agent_read_file(file, LARGEST_FILE, NULL, &len) : NULL;
    if (file && *file && *ok && !content) *ok = agent_refuse(a, "%s: %s", file, strerror(errno));
    while (*end) end = &(*end)->next;
    if (content) *end = read_text(a, content, file, ok);
    free(content);
    return list;
}

TrcProbe *trc_probe_plain(const Agent *a, const char *methods, int64_t over) {
    char *text = NULL;
    bool ok = true;
    if (asprintf(&text, over ? "%s when time >= %lldns" : "%s", methods, (long long)over) < 0) return NULL;
    TrcProbe *p = read_text(a, text, "args", &ok);
    free(text);
    if (p) p->plain = true;
    return p;
}

/* ---- the probes that there are --------------------------------------------------------------------- */

static void drop_links(JNIEnv *env, const TrcUse *u) {
    char name[16];
    for (uint32_t i = 0; i < u->probe->nsites; i++) {
        snprintf(name, sizeof name, "L%u", i);
        jfieldID f = (*env)->GetStaticFieldID(env, u->helper, name, "[Ljava/lang/Object;");
        if (f) (*env)->SetStaticObjectField(env, u->helper, f, NULL);
    }
}

void trc_probes_set(JNIEnv *env, TrcProbe *probes) {
    pthread_mutex_lock(&lock);
    current = probes;
    uint32_t n = nuses;
    pthread_mutex_unlock(&lock);
    for (uint32_t i = 0; i < n; i++)
        if (uses[i]->ready) drop_links(env, uses[i]);
}

bool trc_probes_any(void) { return current; }

void trc_probes_each(TrcProbeVisit visit, void *ctx) {
    pthread_mutex_lock(&lock);
    for (const TrcProbe *p = current; p; p = p->next)
        if (!p->plain) visit(ctx, p, cells.data[p->number]);
    pthread_mutex_unlock(&lock);
}

/* ---- uses ------------------------------------------------------------------------------------------ */

const TrcUse *trc_use(uint32_t number) {
    pthread_mutex_lock(&lock);
    const TrcUse *u = number < nuses ? uses[number] : NULL;
    pthread_mutex_unlock(&lock);
    return u;
}

static void tell_refused(const Agent *a, const TrcTarget *t, const TrcSyntax *w) {
    char *method = agent_method_text(t->owner, t->name, t->desc), where[1200];
    snprintf(where, sizeof where, "%s has no probe", method ? method : t->name);
    tell_wrong(a, where, w);
    free(method);
}

static void tell_undefined(const Agent *a, JNIEnv *env, const TrcTarget *t, const CfError *err) {
    agent_exception(a, env, "the class of a probe");
    agent_log(a, AGENT_ERROR, "%s.%s has no probe: %s", t->owner, t->name,
              err->code ? err->text : "its class was refused by the VM");
}

/* Methods of equally named classes of different loaders share a use if they have the same key. */
static const TrcUse *find_use(const TrcProbe *p, const TrcTarget *t) {
    const TrcUse *found = NULL;
    pthread_mutex_lock(&lock);
    for (uint32_t i = nuses; i-- > 0 && !found;)
        if (uses[i]->probe == p && uses[i]->key == t->key && uses[i]->is_static == t->is_static && uses[i]->ready)
            found = uses[i];
    pthread_mutex_unlock(&lock);
    return found;
}

/* NULL: no number is left. */
static TrcUse *new_use(const TrcProbe *p, const TrcTarget *t, uint32_t *number) {
    TrcUse *u = calloc(1, sizeof *u);
    if (!u) return NULL;
    *u = (TrcUse){.probe = p, .key = t->key, .is_static = t->is_static};
    pthread_mutex_lock(&lock);
    *number = nuses;
    u->cells = cells.data[p->number];
    bool fits = nuses < MOST_USES;
    if (fits) uses[nuses++] = u;
    pthread_mutex_unlock(&lock);
    if (fits) return u;
    free(u);
    return NULL;
}

/* Defining a class calls hooks, so without the lock: two threads may make the same use, which does no harm. */
static const TrcUse *make_use(const Agent *a, JNIEnv *env, const TrcProbe *p, const TrcTarget *t) {
    CfError err;
    uint32_t number;
    cf_err_clear(&err);
    char *desc = trc_exit_desc(t);
    if (!desc) agent_log(a, AGENT_INFO, "%s.%s has no probe: it has too many parameters", t->owner, t->name);
    TrcUse *u = desc ? new_use(p, t, &number) : NULL;
    if (!u) return free(desc), NULL;
    u->exit_desc = desc;
    bool ok = trc_code_use(env, u, number, t, &err);
    if (!ok) tell_undefined(a, env, t, &err);
    pthread_mutex_lock(&lock);
    u->ready = ok;
    pthread_mutex_unlock(&lock);
    return ok ? u : NULL;
}

static TrcProbe *current_probes(void) {
    pthread_mutex_lock(&lock);
    TrcProbe *p = current;
    pthread_mutex_unlock(&lock);
    return p;
}

int trc_probes_for(const Agent *a, JNIEnv *env, const TrcTarget *t, const TrcUse **found, int most) {
    int n = 0;
    for (TrcProbe *p = current_probes(); p && n < most; p = p->next) {
        TrcSyntax wrong;
        if (!agent_names_method(p->methods, t->owner, t->name, t->desc)) continue;
        __atomic_store_n(&p->named, true, __ATOMIC_RELAXED);
        const TrcUse *u = find_use(p, t);
        if (!u && !trc_check(p, t, &wrong)) tell_refused(a, t, &wrong);
        else if (u || (u = make_use(a, env, p, t))) found[n++] = u;
    }
    return n;
}
