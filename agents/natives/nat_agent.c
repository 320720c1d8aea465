/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nat_agent.c - life of the natives agent.
 *
 *   OnLoad     options, records, prefix, events: from now on every native method that is wanted gets a wrapper
 *              as its class is loaded. A class that cannot be rewritten stays as it was.
 *   VMStart    HotSpot: only now. It looks a prefixed name up by calling ClassLoader.findNative, Java code which
 *              during the boot cannot run; so natives of classes loaded before are not seen there (early=on
 *              ends such a VM). Graft looks names up itself and is wrapped from the first class on.
 *   VMInit     the clock may be read: calls are timed from now on, arguments told, and JNI is looked at
 *   VMDeath    the table is printed
 *   OnAttach   into a running VM: nothing is wrapped any more, but JNI can be looked at from now on; each further loading, also
 *              of an agent that was there from the start, reports at once
 *
 * Records lie in one mapping made at the start, because their addresses are constants in code; it is
 * sparse, so what is not used costs nothing. Hooks run on any thread: `lock` guards the list of names.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "agent.h"
#include "helper_class.h"
#include "method_text.h"
#include "utf8.h"
#include "names.h"
#include "nat_args.h"
#include "nat_jni.h"
#include "nat_refs.h"
#include "nat_report.h"
#include "nat_weave.h"

enum { MAX_METHODS = 1 << 16 };

typedef struct Config {
    const char *file, *include, *exclude, *args;
    int form, sort, top; /* NatForm, NatSort */
    bool jni, refs, early, registered, sizes, quiet, verbose;
} Config;

static const AgentOption rows[] = {
    AGENT_OPT(Config, STRING, file, "file", "FILE", "where the table goes at exit (standard error)"),
    AGENT_OPT(Config, WORD, form, "format", "text|csv|json", "form of the table"),
    AGENT_OPT(Config, WORD, sort, "sort", "time|calls|bytes|name", "order of the table"),
    AGENT_OPT(Config, INT, top, "top", "N", "print only the first N methods (0: all)"),
    AGENT_OPT(Config, STRING, include, "include", "PATTERNS", "methods to wrap, as java.io.*:*.Adler32.update"),
    AGENT_OPT(Config, STRING, exclude, "exclude", "PATTERNS", "methods to leave alone"),
    AGENT_OPT(Config, STRING, args, "args", "PATTERNS",
              "methods whose arguments are told, too; with jni also Java methods that natives call"),
    AGENT_OPT(Config, BOOL, jni, "jni", "on|off", "which JNI functions natives call, how often, how long"),
    AGENT_OPT(Config, BOOL, refs, "refs", "on|off", "global and weak references of JNI that nobody deletes, and who made them"),
    AGENT_OPT(Config, BOOL, registered, "registered", "on|off",
              "also classes with registerNatives (Object, Class, System, Thread: compilers no longer inline these)"),
    AGENT_OPT(Config, BOOL, early, "early", "on|off", "also classes loaded before the VM has started (default on Graft)"),
    AGENT_OPT(Config, BOOL, sizes, "sizes", "on|off", "sum up the bytes of array arguments"),
    AGENT_OPT(Config, BOOL, verbose, "verbose", "on|off", "tell which classes cannot be rewritten"),
    AGENT_OPT(Config, BOOL, quiet, "quiet", "on|off", "only errors and the table"),
    {0}};
AGENT_SHOWS(rows);

static bool on_graft;
static Config config = {.include = "*", .sizes = true};
static Agent agent = {
    .name = "natives", .title = "Counts and times native methods", .level = AGENT_INFO, .oldest = JVMTI_VERSION_1_2};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static NatRecord *records; /* MAX_METHODS of them */
static AgentNames names;   /* by the number of their record; under lock */
static uint32_t failed_classes;
static bool full, started, looking;                           /* looking: at JNI */
static pthread_mutex_t reporting = PTHREAD_MUTEX_INITIALIZER; /* also guards config after the start, and `finished` */
static bool finished;

/* ---- classes ----------------------------------------------------------------------------------- */

static bool wanted(void *ctx, const char *class_name, const char *name, const char *desc) {
    char text[1024];
    if (!__atomic_load_n(&started, __ATOMIC_ACQUIRE)) return false;
    agent_plain_name(class_name, name, text, sizeof text);
    return agent_match_list(config.include, text) && !agent_match_list(config.exclude, text);
}

static bool told(void *ctx, const char *class_name, const char *name, const char *desc) {
    char text[1024];
    agent_plain_name(class_name, name, text, sizeof text);
    return config.args && agent_match_list(config.args, text);
}

/* The class of another loader with the same name shares the record. */
static NatRecord *record_of(void *ctx, const char *class_name, const char *name, const char *desc) {
    char *text = agent_method_text(class_name, name, desc);
    if (!text) return NULL;
    pthread_mutex_lock(&lock);
    uint32_t i = agent_name(&names, text);
    full |= i >= MAX_METHODS;
    pthread_mutex_unlock(&lock);
    free(text);
    return i < MAX_METHODS ? &records[i] : NULL;
}

static void JNICALL on_class_file(jvmtiEnv *ti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain,
                                  jint len, const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    NatRequest r = {wanted,   told,        record_of, agent_memory, &agent, agent_unsafe(&agent), config.registered,
                    on_graft, config.sizes};
    size_t out_len = 0;
    CfError err;
    cf_err_clear(&err);
    if (name && !nat_may_touch(name)) return;
    switch (nat_weave(&r, bytes, (size_t)len, new_bytes, &out_len, &err)) {
    case NAT_DONE: *new_len = (jint)out_len; break;
    case NAT_FAILED:
        __atomic_fetch_add(&failed_classes, 1, __ATOMIC_RELAXED);
        agent_log(&agent, AGENT_DEBUG, "%s: not wrapped: %s", name ? name : "?", err.text);
        break;
    case NAT_UNTOUCHED: break;
    }
}

/* ---- life -------------------------------------------------------------------------------------- */

static void JNICALL on_vm_start(jvmtiEnv *ti, JNIEnv *env) { __atomic_store_n(&started, true, __ATOMIC_RELEASE); }

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *env, jthread thread) {
    jclass probe = (*env)->FindClass(env, NAT_PROBE_CLASS);
    jfieldID timing = probe ? (*env)->GetStaticFieldID(env, probe, NAT_TIMING_FIELD, "Z") : NULL;
    if (timing) (*env)->SetStaticBooleanField(env, probe, timing, JNI_TRUE);
    else if (!agent_exception(&agent, env, "the start of timing")) agent_log(&agent, AGENT_ERROR, "calls are not timed");
    looking = (config.jni || config.refs) && nat_jni_start(&agent, config.jni, config.refs);
    if (config.args) nat_args_start(&agent, env, looking ? nat_jni_of_vm() : *env, records, config.args);
}

static FILE *open_report(void) {
    if (!config.file) return stderr;
    char *path = agent_file_name(config.file);
    FILE *out = path ? agent_open_output(path, false) : NULL;
    free(path);
    if (!out) agent_log(&agent, AGENT_ERROR, "cannot write %s: %m; the table goes to standard error", config.file);
    return out;
}

/* Records and their methods as they are now: the program may still run. */
static NatRow *rows_now(uint32_t *n) {
    pthread_mutex_lock(&lock);
    *n = names.texts.len < MAX_METHODS ? names.texts.len : MAX_METHODS;
    NatRow *table = calloc(*n + 1, sizeof *table);
    for (uint32_t i = 0; table && i < *n; i++) table[i] = (NatRow){records[i], names.texts.data[i]};
    pthread_mutex_unlock(&lock);
    return table;
}

static void put_report(FILE *out, JNIEnv *env, NatRow *table, uint32_t n) {
    size_t top = config.top > 0 ? (size_t)config.top : 0;
    const char **methods = calloc(n + 1, sizeof *methods); /* in the order of records: the table gets another */
    for (uint32_t i = 0; methods && i < n; i++) methods[i] = table[i].method;
    if (records) nat_report(out, table, n, (NatSort)config.sort, (NatForm)config.form, top);
    if (records && !n && config.form == NAT_TEXT && !on_graft)
        fputs(
            "no class with natives was loaded after the VM's start: before, this VM does not let them be wrapped. On Graft all are\n"
            "(graft natives --on-graft)\n",
            out);
    if (records && config.args) nat_args_report(out, methods, methods ? n : 0, top);
    if (looking && config.jni) nat_jni_report(out, top);
    if (looking && config.refs) nat_refs_report(out, env, top);
    free(methods);
}

static jint close_report(FILE *out) {
    bool ok = !ferror(out);
    if (fclose(out)) ok = false;
    if (ok) return JNI_OK;
    jint rc = agent_unwritten(rows, &config, config.file);
    agent_log(&agent, AGENT_ERROR, "cannot write %s: %s", config.file, strerror(errno ? errno : EIO));
    char *path = agent_file_name(config.file);
    if (path) agent_discard_output(path);
    free(path);
    return rc;
}

/* `reporting` held. JNI_OK, or the answer of Agent_OnAttach. */
static jint write_report(JNIEnv *env) {
    uint32_t n;
    NatRow *table = rows_now(&n);
    if (!table) return JNI_ERR;
    errno = 0;
    FILE *out = open_report();
    jint rc = out ? JNI_OK : agent_unwritten(rows, &config, config.file);
    errno = 0;
    put_report(out ? out : stderr, env, table, n);
    if (out && out != stderr) rc = close_report(out);
    free(table);
    return rc;
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env) {
    pthread_mutex_lock(&reporting);
    if (!finished) write_report(env);
    finished = true;
    pthread_mutex_unlock(&reporting);
    if (failed_classes) agent_log(&agent, AGENT_INFO, "%u classes could not be rewritten (verbose tells which)", failed_classes);
    if (full) agent_log(&agent, AGENT_INFO, "more than %d methods: the rest was not wrapped", MAX_METHODS);
}

/* Options into *c; AGENT_... */
static int read_options(char *options, Config *c) {
    int rc = agent_options(&agent, options, rows, c);
    if (rc != AGENT_OK) return rc;
    if (c->form != NAT_TEXT && (c->args || c->jni || c->refs))
        return agent_log(&agent, AGENT_ERROR, "args, jni and refs are told in text only"), AGENT_BAD;
    agent_set_level(&agent, c->quiet, c->verbose);
    return AGENT_OK;
}

static bool start_wrapping(void) {
    records = mmap(NULL, MAX_METHODS * sizeof *records, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (records == MAP_FAILED) return agent_refuse(&agent, "no memory for the figures: %m");
    jvmtiCapabilities caps = {.can_set_native_method_prefix = 1, .can_generate_all_class_hook_events = 1};
    static const jvmtiCapabilities early = {.can_generate_early_class_hook_events =
                                                1}; /* JDK 8 tells of early classes without it */
    caps.can_generate_early_class_hook_events = agent_potential(&agent, &early).can_generate_early_class_hook_events;
    started = config.early;
    if (agent_capabilities(&agent, &caps) || AGENT_CHECK(&agent, (*agent.ti)->SetNativeMethodPrefix(agent.ti, NAT_PREFIX)))
        return false;
    jvmtiEventCallbacks cb = {
        .VMStart = on_vm_start, .VMInit = on_vm_init, .VMDeath = on_vm_death, .ClassFileLoadHook = on_class_file};
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, 0};
    return !agent_events(&agent, &cb, events);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    if (agent_is_loaded(&agent)) return JNI_OK;
    if (agent_attach(&agent, vm) != JNI_OK) return JNI_ERR;
    config.early = on_graft = agent_is_graft(&agent); /* it looks prefixed names up without running Java code */
    int rc = read_options(options, &config);
    if (rc == AGENT_HELP) exit(0);
    return rc == AGENT_OK && start_wrapping() ? JNI_OK : JNI_ERR;
}

/* ---- into a running VM ----------------------------------------------------------------------------- */

/* The first agent of its kind in this VM: events of its end. */
static bool start_late(JavaVM *vm) {
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_DEATH, 0};
    jvmtiEventCallbacks cb = {.VMDeath = on_vm_death};
    return agent_attach(&agent, vm) == JNI_OK && !agent_events(&agent, &cb, events);
}

/* `reporting` held. */
static bool look_now(JavaVM *vm, const Config *c) {
    if (!agent.ti && !c->jni && !c->refs)
        return agent_refuse(&agent,
                            "natives are wrapped as their classes are loaded: load this agent at the start, or with jni or refs");
    if (c->args && !config.args) return agent_refuse(&agent, "args is for an agent that is there from the start");
    if (!agent.ti && !start_late(vm)) return false;
    if (looking && ((c->jni && !config.jni) || (c->refs && !config.refs)))
        return agent_refuse(&agent, "this agent looks at JNI already: jni and refs are for the first loading");
    if (!looking && (c->jni || c->refs)) looking = nat_jni_start(&agent, c->jni, c->refs);
    return looking || (!c->jni && !c->refs);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    pthread_mutex_lock(&reporting);
    Config c = config;
    int rc = read_options(options, &c);
    jint answer = rc == AGENT_HELP ? JNI_OK : JNI_ERR;
    if (rc == AGENT_OK && !finished && look_now(vm, &c)) {
        const Config before = config;
        config = c;
        answer = write_report(agent_env(&agent));
        if (answer) config.file = before.file; /* no later report shall fail by the file of this one */
    }
    pthread_mutex_unlock(&reporting);
    return answer;
}
