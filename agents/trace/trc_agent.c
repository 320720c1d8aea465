/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_agent.c - life of the trace agent.
 *
 *   load      natives are wrapped from VMStart on (Graft: from the first class), if any of the JDK may be asked for (trc_native.h)
 *   prepare   once: memory, helper class, events. At VMInit, or when the agent is attached.
 *   start     adopts the threads, retransforms what is loaded already; from now on the hook puts probes into
 *             the wanted classes
 *   stop      retransforms the same classes: the hook leaves them as they are, so the probes are gone. Calls that run
 *             end in the helper, which stays
 *   report    at VMDeath, at a data dump request (SIGQUIT), at stop, on `dump`
 *
 * Loading the agent again (attach) is a command to the one that is there: new options and start, `stop` or `dump`.
 * `lock` guards the names of methods and threads, and the list of trees.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "method_text.h"
#include "names.h"
#include "trc_budget.h"
#include "trc_native.h"
#include "trc_report.h"
#include "trc_values.h"
#include "trc_weave.h"
#include "utf8.h"

#define JDK "java.*:javax.*:jdk.*:sun.*:com.sun.*"
#define HELPERS "java/lang/Graft" /* classes that are called by probes */
#define SWITCHERS \
    "java/lang/VirtualThread*:java/lang/BaseVirtualThread:jdk/internal/vm/Continuation*" /* where threads change carriers */
/* Hidden classes: also those that LambdaMetafactory makes? In the order of the option's words. */
enum Hidden { HIDDEN_ON, HIDDEN_OFF, HIDDEN_ALL };
enum { DEFAULT_EVENTS = 1 << 20, MOST_LEVELS = 500 };

typedef struct Config {
    const char *file, *include, *exclude, *annotation, *collapsed, *html, *graph, *calltree, *pprof, *chrome, *otlp, *threshold,
        *probe, *probes, *args, *args_file, *args_over, *budget, *snapshot;
    TrcProbe *list;
    int form, sort, weight, separate, natives, hidden; /* TrcForm, TrcSort, TrcWeight; are threads apart? TrcNatives, Hidden */
    int top, memory, events, depth, levels, minsize, args_max, args_size;
    bool times, bytes, to_string, stop, dump, verbose, quiet;
} Config;

static const AgentOption rows[] = {
    AGENT_OPT(Config, STRING, include, "include", "PATTERNS", "classes or methods to trace, as com.acme.*:*.Main.run"),
    AGENT_OPT(Config, STRING, exclude, "exclude", "PATTERNS",
              "classes or methods to leave alone (without include: java.*:javax.*:jdk.*:sun.*:com.sun.*)"),
    AGENT_OPT(Config, STRING, annotation, "annotation", "PATTERNS",
              "of these only methods that have such an annotation, or whose class has"),
    AGENT_OPT(Config, INT, minsize, "minsize", "BYTES", "leave methods with less bytecode alone"),
    AGENT_OPT(Config, WORD, natives, "natives", "on|off|all",
              "native methods, too; all: also those of the JDK that compilers replace"),
    AGENT_OPT(Config, WORD, hidden, "hidden", "on|off|all",
              "hidden classes, too; all: also those that stand in front of lambdas"),
    AGENT_OPT(Config, BOOL, times, "times", "on|off", "measure time, not only count"),
    AGENT_OPT(Config, BOOL, bytes, "alloc", "on|off",
              "count the bytes that calls allocate, for the tree and weight=bytes (dear)"),
    AGENT_OPT(Config, STRING, file, "file", "FILE", "where the table goes (standard error)"),
    AGENT_OPT(Config, WORD, form, "format", "text|csv", "form of the table"),
    AGENT_OPT(Config, WORD, sort, "sort", "self|total|calls|name", "order of the table"),
    AGENT_OPT(Config, INT, top, "top", "N", "only the first N methods (0: all)"),
    AGENT_OPT(Config, STRING, collapsed, "collapsed", "FILE", "file of collapsed stacks"),
    AGENT_OPT(Config, STRING, html, "html", "FILE", "file of the flame graph"),
    AGENT_OPT(Config, STRING, graph, "graph", "FILE", "file of the call graph: callers and callees of each method"),
    AGENT_OPT(Config, STRING, calltree, "tree", "FILE", "file of the call tree: calls and times by path"),
    AGENT_OPT(Config, INT, levels, "levels", "N", "levels of that tree"),
    AGENT_OPT(Config, STRING, pprof, "pprof", "FILE", "file for pprof (profile.proto, packed)"),
    AGENT_OPT(Config, WORD, weight, "weight", "time|calls|bytes", "what stacks and flame graph show"),
    AGENT_OPT(Config, INT, depth, "depth", "N", "frames in a stack; deeper calls count for the last one"),
    AGENT_OPT(Config, WORD, separate, "threads", "merge|separate", "threads' stacks united or apart"),
    AGENT_OPT(Config, STRING, chrome, "chrome", "FILE", "file of slow calls as Chrome trace events"),
    AGENT_OPT(Config, STRING, otlp, "otlp", "FILE", "file of slow calls as OpenTelemetry spans (OTLP/JSON)"),
    AGENT_OPT(Config, STRING, threshold, "threshold", "TIME", "what is slow: 10ms, 250us, 2s, 0"),
    AGENT_OPT(Config, INT, events, "events", "N", "slow calls that are kept, the first N"),
    AGENT_OPT(Config, STRING, probe, "probe", "PROBES",
              "METHODS when CONDITION capture VALUES limit N/s; ...: which calls are written"),
    AGENT_OPT(Config, STRING, probes, "probes", "FILE", "more of them out of a file, one a line"),
    AGENT_OPT(Config, STRING, args, "args", "PATTERNS", "traced classes or methods whose arguments and results are written"),
    AGENT_OPT(Config, STRING, args_file, "argsfile", "FILE", "where they go, a line a call (standard error)"),
    AGENT_OPT(Config, STRING, args_over, "argsover", "TIME", "only of calls that took as long"),
    AGENT_OPT(Config, INT, args_max, "argsmax", "N", "only the first N lines"),
    AGENT_OPT(Config, INT, args_size, "argssize", "N", "characters of a string that are shown, up to 1024"),
    AGENT_OPT(Config, BOOL, to_string, "tostring", "on|off", "call toString() of objects"),
    AGENT_OPT(Config, STRING, budget, "budget", "PERCENT",
              "take probes out that cost more of the processor time, all together: 2%"),
    AGENT_OPT(Config, STRING, budget, "max-overhead", "PERCENT", "the same"),
    AGENT_OPT(Config, INT, memory, "memory", "MB", "address space for call trees"),
    AGENT_OPT(Config, BOOL, stop, "stop", "on|off", "when attached again: remove all probes, write the report"),
    AGENT_OPT(Config, BOOL, dump, "dump", "on|off", "when attached again: write the report"),
    AGENT_OPT(Config, STRING, snapshot, "snapshot", "FILE", "when attached again: write the table as it is, as csv, there"),
    AGENT_OPT(Config, BOOL, verbose, "verbose", "on|off", "tell what is instrumented and what cannot be"),
    AGENT_OPT(Config, BOOL, quiet, "quiet", "on|off", "only errors and the report"),
    {0}};
AGENT_SHOWS(rows);

static const Config defaults = {.include = "",
                                .exclude = "",
                                .args_over = "0",
                                .args_max = 10000,
                                .args_size = 80,
                                .threshold = "1ms",
                                .memory = 1024,
                                .events = DEFAULT_EVENTS,
                                .depth = 500,
                                .levels = 20,
                                .times = true};
static Config config;
static Agent agent = {.name = "trace", .title = "Counts and times method calls by call path", .level = AGENT_INFO};
static TrcReport report; /* all but the moment's figures */
static TrcTree tree;
static bool wrapping, prepared, active, finished, recorder_ready, values_ready;
static const char *selected; /* patterns of what is traced: include and probes; "": all */
static const char *method_of(uint32_t key);
static int64_t current_thread(JNIEnv *env);
static bool has_timeline(void);
static TrcValues values = {.agent = &agent, .method = method_of, .thread = current_thread};
static jfieldID thread_id;
static jclass system_class, helper;
static jmethodID nano_time;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static AgentNames methods;          /* by number; under lock */
static CF_VEC(bool) has_conditions; /* by number of the method; under lock */
static AgentNames classes;          /* of methods; under lock */
static CF_VEC(uint32_t) class_of;   /* by number of the method; under lock */
static CF_VEC(struct ThreadName {
    int64_t tid;
    char *name;
}) names;

/* ---- methods --------------------------------------------------------------------------------------- */

static const char *excluded(void) { return *config.exclude ? config.exclude : *selected ? "" : JDK; }

static bool may_touch(const char *class_name) {
    char text[1024];
    if (!strncmp(class_name, HELPERS, strlen(HELPERS)) || !strcmp(class_name, TRC_RECORDER) ||
        !strcmp(class_name, TRC_ALLOCATION) || (tree.bytes && agent_match_list(TRC_ASKED, class_name)) ||
        !strcmp(class_name, "jdk/internal/misc/Unsafe") || agent_match_list(SWITCHERS, class_name))
        return false;
    agent_plain_name(class_name, NULL, text, sizeof text);
    return !agent_match_list(excluded(), text);
}

static bool wanted(void *ctx, const char *class_name, const CfClass *c, const char *name, const CfMember *m) {
    char desc[1024];
    CfStr d = cf_utf8(c, m->desc);
    if ((m->access & CF_ACC_BRIDGE) && (m->access & CF_ACC_SYNTHETIC))
        return false; /* it only calls the method that was written */
    snprintf(desc, sizeof desc, "%.*s", (int)d.len, (const char *)d.p);
    if (agent_names_method(excluded(), class_name, name, desc)) return false;
    if (!agent_names_method(*selected ? selected : "*", class_name, name, desc)) return false;
    return !config.annotation || trc_annotated(c, &m->attrs, config.annotation) || trc_annotated(c, &c->attrs, config.annotation);
}

static int uses_of(void *ctx, const TrcTarget *t, const TrcUse **uses, int most) {
    JNIEnv *env = values_ready ? agent_env(&agent) : NULL;
    int n = env ? trc_probes_for(&agent, env, t, uses, most) : 0;
    uint32_t m = trc_method(t->key);
    pthread_mutex_lock(&lock);
    while (n && has_conditions.len <= m && cf_vec_push(&has_conditions, false)) continue;
    if (n && m < has_conditions.len) has_conditions.data[m] = true;
    pthread_mutex_unlock(&lock);
    return n;
}

/* The class of another loader with the same name shares the numbers. */
static bool key_of(void *ctx, const char *class_name, const char *name, const char *desc, uint32_t *key) {
    char *text = agent_method_text(class_name, name, desc);
    if (!text) return false;
    pthread_mutex_lock(&lock);
    uint32_t number = agent_name(&methods, text);
    if (number == class_of.len) cf_vec_push(&class_of, agent_name(&classes, class_name));
    pthread_mutex_unlock(&lock);
    free(text);
    *key = trc_key(number);
    return number < TRC_METHODS - 2 && !trc_let_go(number);
}

static const char *method_of(uint32_t key) {
    pthread_mutex_lock(&lock);
    uint32_t m = trc_method(key);
    const char *text = m < methods.texts.len ? methods.texts.data[m] : "?"; /* is never freed */
    pthread_mutex_unlock(&lock);
    return text;
}

/* The event of the call that began then, if it has one: the thread's last. Former ones of that method began before. */
static const TrcEvent *event_of(JNIEnv *env, uint32_t key, int64_t start) {
    int64_t tid = current_thread(env);
    pthread_mutex_lock(&lock);
    TrcThread *th = trc_thread_of(&tree, tid);
    const TrcEvent *e = th ? th->event : NULL;
    pthread_mutex_unlock(&lock);
    return e && e->node->key == key && e->start >= start ? e : NULL;
}

/* These two are called by the classes of probes. */
static void JNICALL record(JNIEnv *env, jclass recorder, jint use, jlong start, jlong nanos, jobjectArray args, jobject result,
                           jint end) {
    const TrcUse *u = trc_use((uint32_t)use);
    if (!u) return;
    bool events = __atomic_load_n(&tree.threshold, __ATOMIC_RELAXED) != INT64_MAX; /* the options may just change */
    TrcCall call = {u, nanos, args, result, (TrcEnd)end, events ? event_of(env, u->key, start) : NULL};
    trc_values_record(&values, env, &call);
}

static jobjectArray JNICALL link_site(JNIEnv *env, jclass recorder, jint use, jint site, jclass c) {
    const TrcUse *u = trc_use((uint32_t)use);
    return u ? trc_link(&agent, env, u, (uint32_t)site, c) : NULL;
}

static TrcOccasion occasion_of(jclass redefined, jobject loader) {
    TrcOccasion o = {.boot = !loader, .redefined = redefined != NULL};
    jint hash = 0;
    if (loader && !(*agent.ti)->GetObjectHashCode(agent.ti, loader, &hash)) o.loader = hash;
    o.probes = __atomic_load_n(&active, __ATOMIC_ACQUIRE);
    return o;
}

/* New bytes, or NULL. */
static unsigned char *weave(const TrcOccasion *o, const char *name, const unsigned char *bytes, size_t len, size_t *new_len) {
    TrcRequest r = {o,      wanted,       trc_native_wrap, uses_of,
                    key_of, agent_memory, &agent,          config.minsize > 0 ? (uint32_t)config.minsize : 0};
    unsigned char *made = NULL;
    unsigned skipped = 0;
    CfError err;
    cf_err_clear(&err);
    TrcOutcome outcome = trc_weave(&r, bytes, len, &made, new_len, &skipped, &err);
    if (outcome == TRC_DONE) agent_log(&agent, AGENT_DEBUG, "%s: traced", name);
    if (outcome == TRC_FAILED) agent_log(&agent, AGENT_INFO, "%s: not traced: %s", name, err.text);
    if (skipped) agent_log(&agent, AGENT_INFO, "%s: %u methods cannot be traced", name, skipped);
    return outcome == TRC_DONE ? made : NULL;
}

static bool hands_hidden_over(const char *class_name) {
    return recorder_ready && config.hidden != HIDDEN_OFF && !strcmp(class_name, TRC_DEFINER);
}

static bool is_virtual_thread(const char *class_name) {
    return tree.virtual && (!strcmp(class_name, TRC_VIRTUAL_THREAD) || !strcmp(class_name, TRC_BOUND_THREAD));
}

static void trace_class(jclass redefined, jobject loader, const char *name, jint len, const unsigned char *bytes, jint *new_len,
                        unsigned char **new_bytes) {
    size_t out_len = 0;
    TrcOccasion o = occasion_of(redefined, loader);
    o.hidden = o.probes && hands_hidden_over(name);
    o.ends = o.probes && is_virtual_thread(name);
    bool touch = (o.probes || __atomic_load_n(&wrapping, __ATOMIC_ACQUIRE)) && may_touch(name);
    o.probes = o.probes && touch;
    if (!touch && !o.hidden && !o.ends && !trc_native_holds(&o, name)) return;
    unsigned char *made = weave(&o, name, bytes, (size_t)len, &out_len);
    if (made) *new_bytes = made;
    *new_len = (jint)out_len;
    if (o.hidden && !made)
        agent_log(&agent, AGENT_INFO, "hidden classes are not traced: this class library defines them in another way");
    if (o.ends && !made)
        agent_log(&agent, AGENT_INFO, "%s: its end cannot be told, so memory of such threads is not used again", name);
}

static void JNICALL on_class_file(jvmtiEnv *ti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain,
                                  jint len, const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    char *own = name ? NULL : agent_name_not_given(bytes, (size_t)len);
    if (name || own) trace_class(redefined, loader, name ? name : own, len, bytes, new_len, new_bytes);
    free(own);
}

/* The forms of method handles are part of calls, no classes that anybody wrote. */
static bool is_traced_hidden(const char *name) {
    return may_touch(name) && strncmp(name, "java/lang/invoke/", 17) != 0 &&
           (config.hidden == HIDDEN_ALL || !strstr(name, "$$Lambda"));
}

/* Called where a hidden class is about to be defined. */
static jbyteArray JNICALL on_hidden_class(JNIEnv *env, jclass recorder, jbyteArray given) {
    TrcOccasion o = {.redefined = true, .probes = __atomic_load_n(&active, __ATOMIC_ACQUIRE)};
    size_t new_len = 0;
    jsize len = given && o.probes ? (*env)->GetArrayLength(env, given) : 0;
    jbyte *bytes = len ? (*env)->GetByteArrayElements(env, given, NULL) : NULL;
    if (!bytes) return given;
    char *name = agent_name_in_file((uint8_t *)bytes, (size_t)len);
    unsigned char *made = name && is_traced_hidden(name) ? weave(&o, name, (unsigned char *)bytes, (size_t)len, &new_len) : NULL;
    free(name);
    (*env)->ReleaseByteArrayElements(env, given, bytes, JNI_ABORT);
    jbyteArray result = made ? (*env)->NewByteArray(env, (jsize)new_len) : NULL;
    if (result) (*env)->SetByteArrayRegion(env, result, 0, (jsize)new_len, (jbyte *)made);
    else (*env)->ExceptionClear(env);
    (*agent.ti)->Deallocate(agent.ti, made);
    return result ? result : given;
}

/* Could a class of this name hold something wanted? Asked where the methods are not known. */
static bool may_hold(void *ctx, JNIEnv *env, jclass c, const char *class_name) {
    char text[1024], pattern[1024];
    const char *pos = *selected ? selected : "*", *p;
    size_t len;
    if (hands_hidden_over(class_name) || is_virtual_thread(class_name)) return true;
    if (!may_touch(class_name)) return false;
    agent_plain_name(class_name, NULL, text, sizeof text);
    while ((p = agent_list_next(&pos, &len))) {
        snprintf(pattern, sizeof pattern, "%.*s", (int)len, p);
        if (*pattern == '*' || agent_match(pattern, text)) return true;
        pattern[strcspn(pattern, "(")] = 0;
        char *dot = strrchr(pattern, '.');
        if (dot) *dot = 0;
        if (dot && agent_match(pattern, text)) return true;
    }
    return false;
}

/* ---- threads --------------------------------------------------------------------------------------- */

static int64_t current_thread(JNIEnv *env) {
    jthread self = NULL;
    if ((*agent.ti)->GetCurrentThread(agent.ti, &self)) return 0;
    int64_t tid = (*env)->GetLongField(env, self, thread_id);
    (*env)->DeleteLocalRef(env, self);
    return tid;
}

static bool has_timeline(void) { return config.times && (config.chrome || config.otlp); }

static char *name_of(jthread thread, int64_t tid) {
    jvmtiThreadInfo info = {0};
    char *text = NULL;
    if (!tree.separate && !has_timeline()) return NULL;
    if ((*agent.ti)->GetThreadInfo(agent.ti, thread, &info)) return NULL;
    char *name = agent_name_text(info.name ? info.name : "?", info.name ? strlen(info.name) : 1);
    if (name && asprintf(&text, "%s #%lld", name, (long long)tid) < 0) text = NULL;
    free(name);
    (*agent.ti)->Deallocate(agent.ti, (unsigned char *)info.name);
    return text;
}

static const char *find_name(int64_t tid) {
    for (uint32_t i = names.len; i--;)
        if (names.data[i].tid == tid) return names.data[i].name;
    return NULL;
}

/* Valid until the next call. Nobody tells of virtual threads. */
static const char *known_name(int64_t tid) {
    static char text[40];
    const char *name = find_name(tid);
    if (name || !tree.virtual) return name;
    snprintf(text, sizeof text, TRC_VIRTUAL_NAME, (long long)tid);
    return text;
}

static void adopt(JNIEnv *env, jthread thread) {
    int64_t tid = (*env)->GetLongField(env, thread, thread_id);
    char *name = name_of(thread, tid);
    pthread_mutex_lock(&lock);
    if (has_timeline() && name && !find_name(tid)) cf_vec_push(&names, (struct ThreadName){tid, strdup(name)});
    if (!tree.separate) {
        free(name);
        name = NULL;
    }
    trc_thread_start(&tree, tid, name);
    pthread_mutex_unlock(&lock);
}

/* 0: no times are measured. */
static int64_t clock_now(JNIEnv *env) { return config.times ? (*env)->CallStaticLongMethod(env, system_class, nano_time) : 0; }

static void JNICALL on_thread_start(jvmtiEnv *ti, JNIEnv *env, jthread thread) { adopt(env, thread); }

static void JNICALL on_thread_end(jvmtiEnv *ti, JNIEnv *env, jthread thread) {
    int64_t tid = (*env)->GetLongField(env, thread, thread_id), now = clock_now(env);
    pthread_mutex_lock(&lock);
    trc_thread_end(&tree, tid, now);
    pthread_mutex_unlock(&lock);
}

static void adopt_all(JNIEnv *env) {
    jint n = 0;
    jthread *threads = NULL;
    if (AGENT_CHECK(&agent, (*agent.ti)->GetAllThreads(agent.ti, &n, &threads))) return;
    for (jint i = 0; i < n; i++) {
        adopt(env, threads[i]);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*agent.ti)->Deallocate(agent.ti, (unsigned char *)threads);
}

/* ---- budget ---------------------------------------------------------------------------------------- */

static void lock_trees(bool on) { on ? pthread_mutex_lock(&lock) : pthread_mutex_unlock(&lock); }

static bool conditional(uint32_t m) { return m < has_conditions.len && has_conditions.data[m]; }

static uint32_t class_number(uint32_t m) { return m < class_of.len ? class_of.data[m] : UINT32_MAX - 1; }

static void JNICALL left(JNIEnv *env, jclass recorder, jint key) { trc_budget_left(trc_method((uint32_t)key)); }

static uint32_t count_methods(void) {
    pthread_mutex_lock(&lock);
    uint32_t n = methods.texts.len;
    pthread_mutex_unlock(&lock);
    return n;
}

static void stand_apart(JNIEnv *env) {
    int64_t tid = current_thread(env);
    pthread_mutex_lock(&lock);
    trc_thread_end(&tree, tid, 0);
    trc_thread_apart(&tree, tid);
    pthread_mutex_unlock(&lock);
}

/* A thread that tells that a call has ended (left) has that call's frame, which only returns yet: it does not count. */
static void put_frames(JNIEnv *env, jthread thread, void (*put)(uint32_t class_number)) {
    enum { AT_ONCE = 128 };
    jvmtiFrameInfo frames[AT_ONCE];
    jmethodID last = NULL;
    bool telling = false;
    jint n = AT_ONCE;
    for (jint depth = 0; n == AT_ONCE && !(*agent.ti)->GetStackTrace(agent.ti, thread, depth, AT_ONCE, frames, &n); depth += n)
        for (jint i = 0; i < n; last = frames[i++].method) {
            jclass c;
            if (frames[i].method == last || (*agent.ti)->GetMethodDeclaringClass(agent.ti, frames[i].method, &c)) continue;
            char *name = agent_class_name(&agent, c);
            (*env)->DeleteLocalRef(env, c);
            pthread_mutex_lock(&lock);
            uint32_t number = name ? agent_names_find(&classes, name) : UINT32_MAX;
            pthread_mutex_unlock(&lock);
            telling |= name && depth + i == 0 && !strcmp(name, TRC_RECORDER);
            free(name);
            if (number == UINT32_MAX) continue;
            if (!telling) put(number);
            telling = false;
        }
}

static bool put_stacks(JNIEnv *env, void (*put)(uint32_t class_number)) {
    jthread *threads;
    jint n;
    if (AGENT_CHECK(&agent, (*agent.ti)->GetAllThreads(agent.ti, &n, &threads))) return false;
    for (jint i = 0; i < n; i++) {
        put_frames(env, threads[i], put);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*agent.ti)->Deallocate(agent.ti, (unsigned char *)threads);
    return true;
}

typedef struct Losing { /* classes with methods that are let go now, the first `n` of the names */
    AgentNames names;
    uint32_t n;
} Losing;

/* Methods of equally named classes share the fate. */
static bool loses_probes(void *ctx, JNIEnv *env, jclass c, const char *class_name) {
    Losing *l = ctx;
    char text[1024];
    agent_plain_name(class_name, NULL, text, sizeof text);
    return agent_name(&l->names, text) < l->n;
}

static void let_go(JNIEnv *env) {
    Losing l = {.n = 0};
    char text[1024];
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < methods.texts.len; i++) {
        const char *m = methods.texts.data[i];
        size_t n = agent_parameters_at(m);
        while (n && m[n] != '.') n--;
        if (!trc_let_go_now(i)) continue;
        snprintf(text, sizeof text, "%.*s", (int)n, m);
        agent_name(&l.names, text);
    }
    pthread_mutex_unlock(&lock);
    l.n = l.names.texts.len;
    agent_retransform(&agent, env, loses_probes, &l);
    agent_names_free(&l.names);
}

static void put_budget(FILE *out) {
    TrcSpent s;
    if (!trc_budget_spent(&s)) return;
    const char *rem = config.form == TRC_CSV ? "# " : "";
    fprintf(out, "%sbudget %s: the probes cost about %.2f %% of the processor time (%.0f ns a call)\n", rem, config.budget,
            s.share * 100, s.call_nanos);
    if (s.methods)
        fprintf(out,
                "%s%u methods were let go (%.1f ms; %u probes remain, closed, %.1f ns a call), their numbers are lower bounds\n",
                rem, s.methods, (double)s.retransforming / 1e6, s.closed, s.closed_nanos);
    if (s.refused) fprintf(out, "%s%lld calls were not counted anywhere\n", rem, (long long)s.refused);
    if (!s.methods && !s.refused) fprintf(out, "%sall were kept\n", rem);
}

/* ---- reports --------------------------------------------------------------------------------------- */

/* OTEL_SERVICE_NAME, or the first word of what the launcher was given. */
static const char *service_name(JNIEnv *env) {
    static char text[256];
    const char *named = getenv("OTEL_SERVICE_NAME");
    char *command = NULL;
    snprintf(text, sizeof text, "%s", named && *named ? named : "java");
    if ((!named || !*named) && !(*agent.ti)->GetSystemProperty(agent.ti, "sun.java.command", &command)) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(command, " "), command);
        (*agent.ti)->Deallocate(agent.ti, (unsigned char *)command);
    }
    return text;
}

static bool write_chrome(const void *r, FILE *out) { return trc_write_chrome(r, known_name, out); }

/* Of a counter that threads go on with. */
static long long now(const int64_t *cell) { return __atomic_load_n(cell, __ATOMIC_RELAXED); }

static void put_probe(void *out, const TrcProbe *p, const TrcCells *cells) {
#define REASON_TEXT(name, text) text,
    static const char *const reasons[] = {TRC_REASONS(REASON_TEXT)};
    const char *rem = config.form == TRC_CSV ? "# " : "", *sep = "  not evaluated: ";
    fprintf(out, "%sprobe %s\n%s    %lld written", rem, p->text, rem, now(&cells->fired));
    if (p->limit) fprintf(out, ", %lld beyond the limit", now(&cells->held_back));
    for (int i = TRC_REASON_NONE + 1; i < TRC_REASON_COUNT; i++) {
        long long failed = now(&cells->failed[i]);
        if (!failed) continue;
        fprintf(out, "%s%s %lld", sep, reasons[i], failed);
        sep = ", ";
    }
    if (!p->named) fputs("  no method of this name was loaded", out);
    fputc('\n', out);
}

static void put_late(FILE *out) {
    uint32_t n = trc_native_late();
    if (n)
        fprintf(out, "%s%u native methods are not traced: their classes were loaded before, and get no wrappers any more%s\n",
                config.form == TRC_CSV ? "# " : "", n, config.verbose ? "" : " (verbose names them)");
}

static bool write_table(const void *r, FILE *out) {
    bool ok = trc_write_table(r, out);
    put_budget(out);
    put_late(out);
    if (values_ready) trc_probes_each(put_probe, out);
    return ok && !ferror(out);
}

static void read_clock(JNIEnv *env) { report.now = clock_now(env); }

static jint write_snapshot(JNIEnv *env, const Config *c) {
    read_clock(env);
    pthread_mutex_lock(&lock);
    TrcReport r = report;
    r.methods = methods.texts.data;
    r.nmethods = methods.texts.len;
    r.form = TRC_CSV;
    r.top = 0;
    jint rc = agent_write_file(&agent, c->snapshot, trc_write_table, &r) ? JNI_OK : agent_unwritten(rows, c, c->snapshot);
    pthread_mutex_unlock(&lock);
    return rc;
}

/* *rc becomes the answer for a file that could not be written, the first one. */
static void write_one(jint *rc, const char *file, bool (*write)(const void *ctx, FILE *out), const void *ctx) {
    if (!agent_write_file(&agent, file, write, ctx) && !*rc) *rc = agent_unwritten(rows, &config, file);
}

static void flush_values(jint *rc) {
    errno = 0;
    if (trc_values_flush(&values)) return;
    int why = errno ? errno : EIO;
    agent_log(&agent, AGENT_ERROR, "%s: not all arguments could be written: %s",
              config.args_file ? config.args_file : "standard error", strerror(why));
    errno = why;
    if (!*rc) *rc = agent_unwritten(rows, &config, config.args_file);
}

/* JNI_OK, or the answer of Agent_OnAttach. */
static jint write_report(JNIEnv *env) {
    jint rc = JNI_OK;
    if (!prepared) return rc;
    read_clock(env);
    TrcOtlp otlp = {.report = &report,
                    .thread_name = known_name,
                    .service = service_name(env),
                    .epoch = agent_nanos(CLOCK_REALTIME) - report.now};
    pthread_mutex_lock(&lock);
    report.methods = methods.texts.data;
    report.nmethods = methods.texts.len;
    if (config.file) write_one(&rc, config.file, write_table, &report);
    else write_table(&report, stderr);
    write_one(&rc, config.collapsed, trc_write_collapsed, &report);
    write_one(&rc, config.html, trc_write_html, &report);
    write_one(&rc, config.graph, trc_write_graph, &report);
    write_one(&rc, config.calltree, trc_write_calltree, &report);
    write_one(&rc, config.pprof, trc_write_pprof, &report);
    if (has_timeline()) write_one(&rc, config.chrome, write_chrome, &report);
    if (has_timeline()) write_one(&rc, config.otlp, trc_write_otlp, &otlp);
    pthread_mutex_unlock(&lock);
    flush_values(&rc);
    return rc;
}

static void JNICALL on_data_dump(jvmtiEnv *ti) {
    JNIEnv *env = agent_env(&agent);
    if (env) write_report(env);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env) {
    trc_budget_end();
    if (!__atomic_exchange_n(&finished, true, __ATOMIC_ACQ_REL) && active) write_report(env);
}

/* ---- life ------------------------------------------------------------------------------------------ */

/* args= is a probe, too. Into `c`: AGENT_OK, BAD. */
static int read_probes(Config *c) {
    bool ok = true;
    c->list = trc_probes_read(&agent, c->probe, c->probes, &ok);
    if (!ok) return AGENT_BAD;
    if (!c->args) return AGENT_OK;
    TrcProbe *plain = trc_probe_plain(&agent, c->args, trc_time_of(c->args_over));
    if (plain) plain->next = c->list;
    c->list = plain;
    return plain ? AGENT_OK : AGENT_BAD;
}

/* include and the patterns of probes, or "" for all. */
static const char *selection(const Config *c) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out) return c->include;
    fputs(c->include, out);
    for (const TrcProbe *p = c->list; p; p = p->next)
        if (!p->plain) fprintf(out, ":%s", p->methods);
    return fclose(out) ? c->include : text; /* kept: methods may be woven */
}

/* The first option whose value cannot be; NULL if all can. */
static const char *impossible(const Config *c) {
    return trc_time_of(c->threshold) < 0              ? "threshold"
           : trc_time_of(c->args_over) < 0            ? "argsover"
           : c->args_max < 1                          ? "argsmax"
           : c->args_size < 1                         ? "argssize"
           : c->memory < 1                            ? "memory"
           : c->depth < 2                             ? "depth"
           : c->levels < 1                            ? "levels"
           : c->events < 1                            ? "events"
           : c->top < 0                               ? "top"
           : c->minsize < 0                           ? "minsize"
           : c->budget && trc_share_of(c->budget) < 0 ? "budget"
                                                      : NULL;
}

/* A report that would never have anything in it; `times`, `bytes`: are there such figures? */
static bool contradicts(const Config *c, bool times, bool bytes) {
    const char *why = !times && (c->chrome || c->otlp)   ? "chrome and otlp want times, which are off"
                      : !bytes && c->weight == TRC_BYTES ? "weight=bytes wants alloc"
                                                         : NULL;
    if (why) agent_log(&agent, AGENT_ERROR, "%s", why);
    return why;
}

static int refuse_option(const char *name) {
    for (const AgentOption *o = rows; o->name; o++)
        if (!strcmp(o->name, name)) agent_log(&agent, AGENT_ERROR, "%s: not a possible value (%s: %s)", name, o->value, o->help);
    return AGENT_BAD;
}

/* Options into `c` and the settings of the report: AGENT_OK, HELP, BAD. */
static int read_options(char *options, Config *c) {
    *c = defaults;
    int rc = agent_options(&agent, options, rows, c);
    if (rc != AGENT_OK) return rc;
    const char *bad = impossible(c);
    if (bad) return refuse_option(bad);
    if (!c->stop && !c->dump && contradicts(c, c->times, c->bytes)) return AGENT_BAD;
    return read_probes(c);
}

/* What reports look like, by `config`. */
static void use_forms(void) {
    report.form = (TrcForm)config.form;
    report.sort = (TrcSort)config.sort;
    report.weight = config.times || config.weight == TRC_BYTES ? (TrcWeight)config.weight : TRC_CALLS;
    report.top = config.top;
    report.depth = config.depth;
    report.levels = config.levels < MOST_LEVELS ? config.levels : MOST_LEVELS;
    agent_set_level(&agent, config.quiet, config.verbose);
}

static void use_options(const Config *c) {
    bool times = prepared ? config.times : c->times;
    selected = selection(c);
    config = *c;
    config.times = times;
    trc_native_choose((TrcNatives)c->natives);
    report.tree = &tree;
    report.kept = c->budget ? trc_kept : NULL;
    use_forms();
}

static bool not_defined(JNIEnv *env, const char *what, const CfError *err) {
    if (!agent_exception(&agent, env, what))
        agent_log(&agent, AGENT_ERROR, "%s: %s", what, err->code ? err->text : "refused by the VM");
    return false;
}

static bool define_allocation(JNIEnv *env, CfError *err) {
    if (trc_allocation_define(env, agent.ti, err)) return true;
    agent_exception(&agent, env, "asking for allocated bytes");
    return agent_refuse(&agent, "this VM does not tell what a thread has allocated: no bytes are counted");
}

static bool prepare(JNIEnv *env) {
    CfError err;
    cf_err_clear(&err);
    jint version = 0;
    (*agent.ti)->GetVersionNumber(agent.ti, &version);
    int major = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
    if (major < 15 && config.hidden == HIDDEN_ALL)
        agent_log(&agent, AGENT_INFO, "hidden classes are not traced: that needs JDK 15 or later");
    tree.virtual = major >= 21;
    tree.separate = config.separate;
    tree.limited = config.budget != NULL;
    tree.counter = agent_is_graft(&agent);
    tree.allowance = INT64_MAX;
    if (!trc_tree_init(&tree, (size_t)config.memory, config.events))
        return agent_refuse(&agent, "no memory: %s", strerror(errno));
    jclass thread = (*env)->FindClass(env, "java/lang/Thread"), sys = (*env)->FindClass(env, "java/lang/System");
    thread_id = thread ? (*env)->GetFieldID(env, thread, "tid", "J") : NULL;
    nano_time = sys ? (*env)->GetStaticMethodID(env, sys, "nanoTime", "()J") : NULL;
    system_class = sys ? (*env)->NewGlobalRef(env, sys) : NULL;
    tree.bytes = config.bytes && define_allocation(env, &err);
    if (!thread_id || !nano_time || !(helper = trc_helper_define(env, &tree, config.times, &err)))
        return not_defined(env, "the helper class", &err);
    helper = (*env)->NewGlobalRef(env, helper);
    jvmtiEventCallbacks cb = {.VMDeath = on_vm_death,
                              .ThreadStart = on_thread_start,
                              .ThreadEnd = on_thread_end,
                              .DataDumpRequest = on_data_dump,
                              .ClassFileLoadHook = on_class_file};
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_DEATH,          JVMTI_EVENT_THREAD_START,         JVMTI_EVENT_THREAD_END,
                                        JVMTI_EVENT_DATA_DUMP_REQUEST, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, 0};
    prepared = !agent_events(&agent, &cb, events);
    if (prepared) adopt_all(env);
    return prepared;
}

static bool prepare_recorder(JNIEnv *env) {
    CfError err;
    cf_err_clear(&err);
    static const TrcRecorder natives = {record, link_site, on_hidden_class, left};
    return recorder_ready || trc_recorder_define(env, agent.ti, &natives, &err) || not_defined(env, "the recorder class", &err);
}

/* JNI_OK, or the answer of Agent_OnAttach. */
static jint open_values(void) {
    FILE *out = stderr;
    char *path = config.list ? agent_file_name(config.args_file) : NULL;
    if (path && !(out = agent_open_output(path, false))) {
        int why = errno;
        agent_log(&agent, AGENT_ERROR, "%s: %s", path, strerror(why));
        errno = why;
    }
    free(path);
    if (!out) return agent_unwritten(rows, &config, config.args_file);
    TrcValues now = values;
    now.out = config.list ? out : NULL;
    now.max = config.args_max;
    now.size = config.args_size;
    now.to_string = config.to_string;
    trc_values_start(&values, &now);
    return JNI_OK;
}

/* JNI_OK, or the answer of Agent_OnAttach: then probes write nothing. */
static jint set_active(JNIEnv *env, bool on) {
    jint rc = JNI_OK;
    if (on) {
        report.begun = clock_now(env);
        recorder_ready =
            recorder_ready || ((config.list || config.hidden != HIDDEN_OFF || tree.limited) && prepare_recorder(env));
        values_ready = values_ready ||
                       (config.list && recorder_ready && trc_probes_prepare(&agent, env) && trc_values_prepare(&values, env));
        if ((rc = open_values())) config.list = NULL;
    }
    if (on && has_timeline()) adopt_all(env);
    __atomic_store_n(&tree.threshold, on && has_timeline() ? trc_time_of(config.threshold) : INT64_MAX, __ATOMIC_RELAXED);
    if (values_ready) trc_probes_set(env, on ? config.list : NULL);
    if (on && config.budget && !tree.limited)
        agent_log(&agent, AGENT_INFO, "no budget: the first start had none, so probes have no allowance");
    TrcBudget budget = {.agent = &agent,
                        .share = on && config.budget && tree.limited ? trc_share_of(config.budget) : 0,
                        .tree = &tree,
                        .helper = helper,
                        .stand_apart = stand_apart,
                        .lock = lock_trees,
                        .methods = count_methods,
                        .has_condition = conditional,
                        .class_of = class_number,
                        .stacks = put_stacks,
                        .can_be_told = recorder_ready,
                        .let_go = let_go};
    if (on) trc_budget_begin(&budget, env);
    else trc_budget_end();
    __atomic_store_n(&active, on, __ATOMIC_RELEASE);
    __atomic_store_n(&wrapping, false, __ATOMIC_RELEASE);
    agent_retransform(&agent, env, may_hold, NULL);
    return rc;
}

/* Into a running VM: all of it, or nothing. */
static jint start(JNIEnv *env) {
    jint rc = set_active(env, true);
    if (rc) set_active(env, false);
    return rc;
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *env, jthread thread) {
    if (prepare(env)) set_active(env, true);
}

static jint connect_vm(JavaVM *vm) {
    jvmtiCapabilities caps = {.can_retransform_classes = 1, .can_generate_all_class_hook_events = 1};
    if (agent_attach(&agent, vm) != JNI_OK) return JNI_ERR;
    if (agent_capabilities(&agent, &caps)) return JNI_ERR;
    trc_native_begin(&agent);
    return JNI_OK;
}

/* May a class have been asked for that is loaded before VMInit? The beginnings of patterns tell. */
static bool asks_for_jdk(void) {
    const char *patterns = *selected ? selected : "*", *p, *jdk, *name;
    size_t len, n;
    if (!strcmp(excluded(), JDK)) return false;
    while ((p = agent_list_next(&patterns, &len)))
        for (jdk = JDK; (name = agent_list_next(&jdk, &n));) {
            size_t plain = strcspn(p, "*?:");
            if (!strncmp(p, name, plain < n - 1 ? plain : n - 1)) return true;
        }
    return false;
}

/* Natives get their wrappers as classes are loaded, so the hook has to be there early. */
static bool wrap_early(void) {
    static const jvmtiEvent hook[] = {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, 0};
    jvmtiCapabilities early = {.can_generate_early_class_hook_events = 1};
    jvmtiEventCallbacks cb = {.VMInit = on_vm_init, .ClassFileLoadHook = on_class_file};
    if (config.natives == TRC_NATIVES_OFF || !asks_for_jdk()) return true;
    if (agent_is_graft(&agent) && agent_capabilities(&agent, &early)) return false;
    __atomic_store_n(&wrapping, true, __ATOMIC_RELEASE);
    return !agent_events(&agent, &cb, hook);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    Config c;
    int rc = read_options(options, &c);
    if (rc == AGENT_HELP) exit(0);
    if (rc != AGENT_OK) return JNI_ERR;
    if (c.stop || c.dump || c.snapshot)
        return agent_log(&agent, AGENT_ERROR, "stop, dump and snapshot are for a VM that runs already"), JNI_ERR;
    if (connect_vm(vm) != JNI_OK) return JNI_ERR;
    use_options(&c);
    jvmtiEventCallbacks cb = {.VMInit = on_vm_init};
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_INIT, 0};
    return !agent_events(&agent, &cb, events) && wrap_early() ? JNI_OK : JNI_ERR;
}

/* What may be said with stop and dump: which reports are wanted of what was traced so far, beside those of the start, and how they look. */
#define COMMANDS "stop|dump|verbose|quiet"
#define REPORTS "file|format|sort|top|collapsed|html|graph|tree|levels|pprof|weight|depth|chrome|otlp"

static bool take_reports(const char *options) {
    Config c = config;
    bool timeline = has_timeline();
    if (!agent_options_only(&agent, options, COMMANDS "|" REPORTS, "settled by the start: it does not go with stop and dump"))
        return false;
    if (agent_options(&agent, options, rows, &c) != AGENT_OK || contradicts(&c, true, tree.bytes)) return false;
    config = c;
    if (timeline || !has_timeline()) return use_forms(), true;
    config.chrome = config.otlp = NULL;
    return agent_refuse(&agent, "chrome, otlp: the start had none of them, so no calls were kept");
}

static jint stop_or_dump(JNIEnv *env, char *options, bool stop) {
    char *wanted = agent_option_but(options, COMMANDS);
    bool reports = wanted || !stop;
    free(wanted);
    if (!active && !reports) return agent_log(&agent, AGENT_INFO, "nothing is being traced"), JNI_OK;
    const Config before = config;
    if (!take_reports(options)) return JNI_ERR;
    jint rc = write_report(env);
    if (rc) { /* no later report shall fail by a file of this one */
        config = before;
        use_forms();
    }
    if (stop && active) set_active(env, false);
    return rc;
}

/* A command to the agent that is there already. */
static jint command(JNIEnv *env, const Config *c, char *options) {
    if (c->snapshot && !active) return JNI_ERR; /* who asks goes on by that: command/cmd_live.c */
    if (c->snapshot) return write_snapshot(env, c);
    if (c->stop || c->dump) return stop_or_dump(env, options, c->stop);
    if (contradicts(c, config.times, tree.bytes)) return JNI_ERR; /* as the first start had it */
    jint rc = active && config.file ? write_report(env) : JNI_OK; /* of what would end now */
    if (rc) return rc;
    if (active) set_active(env, false);
    pthread_mutex_lock(&lock);
    trc_tree_reset(&tree);
    trc_notes_clear();
    pthread_mutex_unlock(&lock);
    use_options(c);
    return start(env);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    Config c;
    JNIEnv *env;
    int rc = read_options(options, &c);
    if (rc != AGENT_OK || (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK) return rc == AGENT_HELP ? JNI_OK : JNI_ERR;
    if (prepared) return command(env, &c, options);
    if (c.stop || c.dump || c.snapshot) return agent_log(&agent, AGENT_ERROR, "nothing is being traced"), JNI_ERR;
    if (connect_vm(vm) != JNI_OK) return JNI_ERR;
    use_options(&c);
    return prepare(env) ? start(env) : JNI_ERR;
}
