/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_agent.c - life of the heap agent.
 *
 *   snapshots    at exit, when asked (SIGQUIT, data dump request, loading the agent into a running VM), and
 *                once `baseline` seconds after the start. Each is appended to the report file and compared
 *                with the one before.
 *   allocations  sampled all the time, written at every snapshot and at exit.
 *
 * One lock makes snapshots one at a time; it is held across the walk and the report. The timer thread waits without it, and takes
 * no snapshot any more once the VM ends.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "heap_alloc.h"
#include "heap_html.h"
#include "heap_saved.h"
#include "heap_snapshot.h"

typedef struct Config {
    const char *file, *html, *save, *flame, *collapsed, *pprof, *title;
    int top, baseline, sample, depth;
    bool at_exit, live, threads, verbose, quiet;
} Config;

static const AgentOption rows[] = {
    AGENT_OPT(Config, STRING, file, "file", "FILE", "report; %p in it becomes the process id, - is standard output"),
    AGENT_OPT(Config, STRING, html, "html", "FILE",
              "the newest snapshot as a page: dominator tree, paths, growth; %n is its number"),
    AGENT_OPT(Config, STRING, save, "save", "FILE", "the newest snapshot by class, for graft heapdiff; %n is its number"),
    AGENT_OPT(Config, BOOL, at_exit, "exit", "on|off", "snapshot when the VM ends"),
    AGENT_OPT(Config, INT, baseline, "baseline", "SECONDS", "first snapshot so long after the start; 0: none"),
    AGENT_OPT(Config, INT, top, "top", "N", "rows of each table"),
    AGENT_OPT(Config, INT, sample, "sample", "BYTES", "sample allocations at this mean distance; 0: all of them"),
    AGENT_OPT(Config, STRING, flame, "flame", "FILE", "allocations as a flame graph (HTML)"),
    AGENT_OPT(Config, STRING, collapsed, "collapsed", "FILE", "allocations as collapsed stacks"),
    AGENT_OPT(Config, STRING, pprof, "pprof", "FILE", "allocations for go tool pprof, Speedscope and others"),
    AGENT_OPT(Config, BOOL, live, "live", "on|off", "of allocations only those that are still alive when they are written"),
    AGENT_OPT(Config, INT, depth, "depth", "N", "frames per stack"),
    AGENT_OPT(Config, BOOL, threads, "threads", "on|off", "thread names below the stacks"),
    AGENT_OPT(Config, STRING, title, "title", "TEXT", "title of the flame graph"),
    AGENT_OPT(Config, BOOL, verbose, "verbose", "on|off", "tell what takes how long"),
    AGENT_OPT(Config, BOOL, quiet, "quiet", "on|off", "only errors"),
    {0}};
AGENT_SHOWS(rows);

static Config config = {
    .file = "heap.txt", .at_exit = true, .top = 20, .sample = 512 << 10, .depth = 200, .title = "Allocations"};
static Agent agent = {.name = "heap",
                      .title = "What is on the heap, who holds it, who allocates it",
                      .level = AGENT_INFO,
                      .oldest = JVMTI_VERSION_1_2};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static bool dead, sampling, loaded;
static int n_snapshots;
static jint answer; /* of Agent_OnAttach: what went wrong first in this snapshot; under lock */
static HeapTypes before;
static int64_t started;

static double seconds_since(int64_t from) { return (double)(agent_nanos(CLOCK_MONOTONIC) - from) / 1e9; }

/* ---- snapshots; lock held ------------------------------------------------------------------ */

/* The first report of this run in a file begins it anew, others are appended. */
static bool again(const char *path) {
    static char *last;
    if (last && !strcmp(last, path)) return true;
    free(last);
    last = strdup(path);
    return false;
}

static void failed(jint why) {
    if (!answer) answer = why;
}

static void append_report(const HeapNames *h, HeapTypes *types, HeapReport *r) {
    char *path = agent_file_name(config.file);
    bool standard = path && !strcmp(path, "-");
    errno = 0;
    r->out = !path ? NULL : standard ? stdout : agent_open_output(path, again(path));
    bool ok = r->out && heap_report(h, types, r);
    if (r->out) ok &= fflush(r->out) == 0;
    if (r->out && !standard) ok &= fclose(r->out) == 0;
    int why = errno ? errno : EIO;
    if (!r->out) agent_log(&agent, AGENT_ERROR, "%s: %s", path ? path : "file", strerror(why));
    else if (!ok) agent_log(&agent, AGENT_ERROR, "the report in %s is not complete: %s", path, strerror(why));
    else agent_log(&agent, AGENT_INFO, "snapshot %d -> %s", n_snapshots, path);
    errno = why;
    if (!ok) failed(agent_unwritten(rows, &config, config.file));
    free(path);
}

/* "%n" becomes the number of the snapshot; malloc'ed, NULL for NULL. */
static char *numbered(const char *name) {
    const char *p = name ? strstr(name, "%n") : NULL;
    char *out = NULL;
    if (!p) return name ? strdup(name) : NULL;
    return asprintf(&out, "%.*s%d%s", (int)(p - name), name, n_snapshots, p + 2) < 0 ? NULL : out;
}

typedef struct Told {
    const HeapNames *names;
    HeapTypes *types;
    HeapReport *report;
} Told;
static bool put_page(const void *ctx, FILE *out) {
    const Told *t = ctx;
    t->report->out = out;
    return heap_html(t->names, t->types, t->report);
}
static bool put_saved(const void *ctx, FILE *out) {
    const Told *t = ctx;
    return heap_save(out, t->report->heading, t->report->note, t->types);
}

static void write_numbered(const char *what, const char *name, bool (*write)(const void *ctx, FILE *out), const Told *told) {
    char *file = numbered(name);
    if (!agent_write_file(&agent, file, write, told)) failed(agent_unwritten(rows, &config, name));
    else if (file) agent_log(&agent, AGENT_INFO, "%s -> %s", what, file);
    free(file);
}

/* The VM and what it runs. */
static char *what_runs(void) {
    char *vm = NULL, *command = NULL, *out = NULL;
    (*agent.ti)->GetSystemProperty(agent.ti, "java.vm.name", &vm);
    (*agent.ti)->GetSystemProperty(agent.ti, "sun.java.command", &command);
    if (asprintf(&out, "%s on %s, process %d", command ? command : "a program", vm ? vm : "a JVM", (int)getpid()) < 0) out = NULL;
    (*agent.ti)->Deallocate(agent.ti, (unsigned char *)vm);
    (*agent.ti)->Deallocate(agent.ti, (unsigned char *)command);
    return out;
}

static void write_reports(const HeapNames *h, HeapTypes *types, const char *why) {
    char heading[200], *note = what_runs();
    n_snapshots++;
    snprintf(heading, sizeof heading, "Heap snapshot %d, %s, %.1f s after the start", n_snapshots, why, seconds_since(started));
    HeapReport r = {.top = config.top, .compared = before.types.len > 0, .heading = heading, .note = note ? note : ""};
    append_report(h, types, &r);
    Told told = {h, types, &r};
    write_numbered("page", config.html, put_page, &told);
    write_numbered("classes", config.save, put_saved, &told);
    free(note);
}

/* All that is told of a snapshot; it becomes the one before. */
static void tell(JNIEnv *env, const HeapGraph *g, const char *why) {
    HeapTypes types = {0};
    HeapNames names;
    bool known = heap_types(g, &types) && (!before.types.len || heap_types_compare(&types, &before));
    if (!known) agent_log(&agent, AGENT_ERROR, "no memory for the classes of %u objects", g->n_nodes);
    if (known && heap_names_open(&names, &agent, env, g)) {
        write_reports(&names, &types, why);
        heap_names_close(&names);
    } else {
        failed(JNI_ERR);
    }
    heap_types_free(&before);
    before = types;
}

static void take_snapshot(JNIEnv *env, const char *why) {
    HeapGraph g;
    int64_t t0 = agent_nanos(CLOCK_MONOTONIC);
    if (!heap_snapshot(&agent, env, &g)) return failed(JNI_ERR);
    agent_log(&agent, AGENT_DEBUG, "walk: %.3f s, %u objects", seconds_since(t0), g.n_nodes);
    if (heap_dominators(&g)) {
        agent_log(&agent, AGENT_DEBUG, "dominators: %.3f s", seconds_since(t0));
        tell(env, &g, why);
    } else {
        agent_log(&agent, AGENT_ERROR, "no memory for the dominator tree of %u objects", g.n_nodes);
        failed(JNI_ERR);
    }
    agent_log(&agent, AGENT_DEBUG, "report: %.3f s", seconds_since(t0));
    heap_graph_free(&g);
}

static void write_allocations(JNIEnv *env) {
    HeapAllocFiles f = {config.flame, config.collapsed, config.pprof, config.title};
    const char *unwritten = sampling ? heap_alloc_write(&agent, env, &f) : NULL;
    if (unwritten) failed(agent_unwritten(rows, &config, unwritten));
    else if (sampling && config.flame) agent_log(&agent, AGENT_INFO, "flame graph -> %s", config.flame);
}

/* JNI_OK, or the answer of Agent_OnAttach. */
static jint on_request(JNIEnv *env, const char *why) {
    pthread_mutex_lock(&lock);
    answer = JNI_OK;
    if (!dead) {
        take_snapshot(env, why);
        write_allocations(env);
    }
    jint rc = answer;
    pthread_mutex_unlock(&lock);
    return rc;
}

/* ---- events ------------------------------------------------------------------------------------ */

static void JNICALL wait_for_baseline(jvmtiEnv *ti, JNIEnv *env, void *arg) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += config.baseline;
    pthread_mutex_lock(&lock);
    while (!dead && pthread_cond_timedwait(&ended, &lock, &until) != ETIMEDOUT) {}
    if (!dead) take_snapshot(env, "baseline");
    pthread_mutex_unlock(&lock);
}

/* By JVM TI: pthread_create is in another library where glibc is older than 2.34 (old_glibc.h). */
static void start_timer(JNIEnv *env) {
    if (config.baseline > 0 && !agent_start_thread(&agent, env, "graft heap baseline", wait_for_baseline))
        agent_log(&agent, AGENT_ERROR, "no thread for the baseline");
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *env, jthread thread) {
    if (sampling) heap_alloc_begin(env);
    start_timer(env);
}

static void JNICALL on_data_dump(jvmtiEnv *ti) {
    JNIEnv *env = agent_env(&agent);
    if (env) on_request(env, "requested");
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env) {
    pthread_mutex_lock(&lock);
    if (config.at_exit) take_snapshot(env, "at exit");
    write_allocations(env);
    dead = true;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
}

/* ---- start ------------------------------------------------------------------------------------- */

static bool start_events(void) {
    jvmtiCapabilities caps = {.can_tag_objects = 1};
    HeapAllocOptions alloc = {config.sample, config.depth, config.threads, config.live};
    sampling = config.flame || config.collapsed || config.pprof;
    caps.can_generate_sampled_object_alloc_events = sampling;
    if (agent_capabilities(&agent, &caps) || (sampling && !heap_alloc_start(&agent, &alloc))) return false;
    jvmtiEventCallbacks cb = {.VMInit = on_vm_init,
                              .VMDeath = on_vm_death,
                              .DataDumpRequest = on_data_dump,
                              .SampledObjectAlloc = sampling ? heap_alloc_sample : NULL};
    static const jvmtiEvent always[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_DATA_DUMP_REQUEST, 0};
    static const jvmtiEvent samples[] = {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, 0};
    return !agent_events(&agent, &cb, always) && (!sampling || !agent_events(&agent, &cb, samples));
}

/* Options into *c. */
static int read_options(char *options, Config *c) {
    int rc = agent_options(&agent, options, rows, c);
    if (rc != AGENT_OK) return rc;
    if (c->sample < 0 || c->top < 0 || c->baseline < 0)
        return agent_log(&agent, AGENT_ERROR, "sample, top and baseline cannot be negative"), AGENT_BAD;
    agent_set_level(&agent, c->quiet, c->verbose);
    return AGENT_OK;
}

static int configure(JavaVM *vm, char *options) {
    Config c = config;
    int rc = read_options(options, &c);
    if (rc != AGENT_OK) return rc;
    config = c;
    started = agent_nanos(CLOCK_MONOTONIC);
    loaded = agent_attach(&agent, vm) == JNI_OK && start_events();
    return loaded ? AGENT_OK : AGENT_BAD;
}

/* May they come later? What is settled at the start may be said again, but not otherwise. */
static bool possible_now(const Config *c) {
    if (!sampling && (c->flame || c->collapsed || c->pprof))
        return agent_refuse(&agent, "allocations are not sampled: flame, collapsed and pprof are for the first loading");
    if (c->baseline != config.baseline || c->sample != config.sample || c->depth != config.depth ||
        c->threads != config.threads || c->live != config.live)
        return agent_refuse(&agent, "baseline, sample, depth, threads and live are for the first loading");
    return true;
}

/* Loaded once more: its options count from now on. */
static int configure_again(char *options) {
    pthread_mutex_lock(&lock);
    Config c = config;
    int rc = read_options(options, &c);
    if (rc == AGENT_OK && !possible_now(&c)) rc = AGENT_BAD;
    if (rc == AGENT_OK) config = c;
    pthread_mutex_unlock(&lock);
    return rc;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    if (agent_is_loaded(&agent)) return JNI_OK;
    int rc = configure(vm, options);
    if (rc == AGENT_HELP) exit(0);
    return rc == AGENT_OK ? JNI_OK : JNI_ERR;
}

/* Into a running VM: a snapshot now. Again: another one. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    bool first = !loaded;
    if (first) config.at_exit = false;
    const Config before = config;
    int rc = first ? configure(vm, options) : configure_again(options);
    if (rc != AGENT_OK) return rc == AGENT_HELP ? JNI_OK : JNI_ERR;
    JNIEnv *env = agent_env(&agent);
    if (first && env) start_timer(env);
    if (!env || !(rc = on_request(env, "requested"))) return env ? JNI_OK : JNI_ERR;
    pthread_mutex_lock(&lock);
    config = before; /* no later report shall fail by a file of this one */
    pthread_mutex_unlock(&lock);
    return rc;
}
