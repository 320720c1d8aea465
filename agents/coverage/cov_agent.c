/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_agent.c - life of the coverage agent.
 *
 *   OnLoad     options, data file, events. Nothing of Java is touched.
 *   VMInit     the session begins (cov_classes.h): helper of the first probe window is defined; from now on classes are
 *              instrumented. With jdk=on JDK classes loaded before are retransformed, where the VM can do that.
 *   OnAttach   the same at once, and what is loaded already is retransformed. If a session runs, it is a command to it:
 *              `stop`, `dump`, `epoch=NAME`.
 *   stop       classes lose their probes, reports are made. The mapping stays: an old version of a method that
 *              still runs goes on writing to it. Another attach begins a new session with a new file.
 *   VMDeath    end of run is marked, reports are made from the data file by the code that the
 *              command uses too.
 * `session_lock` guards the beginning, the end and the commands of a session.
 */
#include <errno.h>
#include <pthread.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent.h"
#include "cov_classes.h"
#include "cov_probes.h"
#include "cov_prune.h"
#include "cov_report.h"
#include "cov_tests.h"
#include "utf8.h"

typedef struct Config {
    const char *file, *include, *exclude, *from, *exclude_loaders, *epoch, *prune;
    CovReports reports;
    int period; /* what `prune` means: see cov_prune_read */
    bool append, jdk, nolocation, counts, tests, summary, filters, stop, dump, verbose, quiet;
} Config;

static const AgentOption rows[] = {
    AGENT_OPT(Config, STRING, file, "file", "FILE", "data file; %p in it becomes the process id"),
    AGENT_OPT(Config, BOOL, append, "append", "on|off", "add to the file, which other VMs may write, too; no empty one is made"),
    AGENT_OPT(Config, STRING, reports.html, "html", "DIR", "at exit: HTML report in this folder"),
    AGENT_OPT(Config, BOOL, summary, "summary", "on|off", "at exit: text table on stderr"),
#define COV_FORMAT(member, what, writer, help) AGENT_OPT(Config, STRING, reports.member, #member, "FILE", "at exit: " help),
#include "cov_formats.def"
#undef COV_FORMAT
    AGENT_OPT(Config, STRING, reports.source, "source", "PATHS", "source folders and archives, ':'-separated"),
    AGENT_OPT(Config, STRING, reports.classes, "classes", "PATHS", "class folders and jars: never loaded classes count too"),
    AGENT_OPT(Config, STRING, reports.title, "title", "TEXT", "title of the reports"),
    AGENT_OPT(Config, STRING, include, "include", "PATTERNS", "class names to cover, as a.b.*:a.?.C*"),
    AGENT_OPT(Config, STRING, exclude, "exclude", "PATTERNS", "class names to leave out"),
    AGENT_OPT(Config, STRING, from, "from", "PATTERNS", "folders and archives whose classes to cover, as /work/app/*"),
    AGENT_OPT(Config, STRING, exclude_loaders, "excludeloaders", "PATTERNS", "class names of loaders whose classes are left out"),
    AGENT_OPT(Config, BOOL, jdk, "jdk", "on|off", "also classes of the boot and platform loader"),
    AGENT_OPT(Config, BOOL, nolocation, "nolocation", "on|off", "also classes without origin (made at run time)"),
    AGENT_OPT(Config, BOOL, counts, "counts", "on|off", "count how often, not only whether"),
    AGENT_OPT(Config, BOOL, tests, "tests", "on|off", "an epoch for each test of JUnit and TestNG"),
    AGENT_OPT(Config, STRING, prune, "prune", "MS|on|off", "so often, take out probes that have passed (where it pays)"),
    AGENT_OPT(Config, BOOL, filters, "filters", "on|off", "leave out code made by the compiler"),
    AGENT_OPT(Config, BOOL, reports.filters.old, "oldfilters", "on|off", "leave out no more than JaCoCo 0.8.6 did"),
    AGENT_OPT(Config, BOOL, reports.filters.tests, "testclasses", "on|off", "report classes of tests, too"),
    AGENT_OPT(Config, BOOL, reports.filters.assertions, "skipassert", "on|off", "leave out the hidden branch of assert"),
    AGENT_OPT(Config, BOOL, stop, "stop", "on|off", "when attached again: take out all probes, make the reports"),
    AGENT_OPT(Config, BOOL, dump, "dump", "on|off", "when attached again: make the reports"),
    AGENT_OPT(Config, STRING, epoch, "epoch", "NAME", "name of the first epoch; when attached again: begin one"),
    AGENT_OPT(Config, BOOL, verbose, "verbose", "on|off", "tell what happens to each class"),
    AGENT_OPT(Config, BOOL, quiet, "quiet", "on|off", "only errors"),
    {0}};
AGENT_SHOWS(rows);

static const Config defaults = {
    .file = "coverage.dat", .reports.title = "Coverage", .include = "*", .exclude = "", .exclude_loaders = "", .filters = true};
static Config config;
static Agent agent = {
    .name = "coverage", .title = "Code coverage for Java programs", .level = AGENT_INFO, .oldest = JVMTI_VERSION_1_2};
static CovClasses classes = {.agent = &agent, .lock = PTHREAD_MUTEX_INITIALIZER};
static CovWriter *writer; /* of the session that runs, or of the last one */
static pthread_mutex_t session_lock = PTHREAD_MUTEX_INITIALIZER;
static bool connected, running, api_defined, can_retransform;

static int64_t now_ms(void) { return agent_nanos(CLOCK_REALTIME) / 1000000; }

/* ---- sessions ------------------------------------------------------------------------------- */

static void JNICALL on_class_file(jvmtiEnv *ti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain,
                                  jint len, const unsigned char *bytes, jint *new_len, unsigned char **new_bytes) {
    cov_classes_hook(&classes, env, loader, name, domain, bytes, (size_t)len, new_bytes, new_len);
}

static void describe_run(jvmtiEnv *ti) {
    CovFileHead *h = cov_writer_head(writer);
    static const char *const names[] = {"java.vm.name", "java.vm.version", "sun.java.command"};
    char *value[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++)
        if ((*ti)->GetSystemProperty(ti, names[i], &value[i])) value[i] = NULL;
    snprintf(h->vm, sizeof h->vm, "%s %s", value[0] ? value[0] : "", value[1] ? value[1] : "");
    snprintf(h->command, sizeof h->command, "%s", value[2] ? value[2] : "");
    for (int i = 0; i < 3; i++) (*ti)->Deallocate(ti, (unsigned char *)value[i]);
}

static bool open_data(void) {
    char err[512] = "out of memory";
    char *path = agent_file_name(config.file);
    if (writer && path) cov_writer_give_way(writer, path, config.append);
    writer = path ? cov_writer_open(path, config.counts, config.append, err, sizeof err) : NULL;
    int why = errno;
    if (!writer) agent_log(&agent, AGENT_ERROR, "%s", err);
    else if (strcmp(cov_writer_path(writer), path) != 0)
        agent_log(&agent, AGENT_INFO, "%s is in use by another VM, data goes to %s", path, cov_writer_path(writer));
    free(path);
    if (writer) cov_writer_head(writer)->start_ms = now_ms();
    errno = why;
    return writer != NULL;
}

/* ---- epochs --------------------------------------------------------------------------------------- */

static bool begin_epoch(JNIEnv *env, const char *name) {
    if (!cov_prune_leave(&classes, env))
        return agent_refuse(&agent, "no epochs with prune: a probe that is gone cannot tell a second time");
    bool ok = cov_writer_cut(writer, name, now_ms());
    if (!ok) agent_log(&agent, AGENT_ERROR, "no room for an epoch's data: epoch %s is not begun", name);
    return ok;
}

/* NULL: no epoch. */
JNIEXPORT void JNICALL Java_java_lang_GraftCoverage_epoch(JNIEnv *env, jclass api, jstring name);
JNIEXPORT void JNICALL Java_java_lang_GraftCoverage_epoch(JNIEnv *env, jclass api, jstring name) {
    char *text = agent_string(env, name);
    pthread_mutex_lock(&session_lock);
    if (running) begin_epoch(env, text ? text : "");
    pthread_mutex_unlock(&session_lock);
    free(text);
}

JNIEXPORT void JNICALL Java_java_lang_GraftCoverage_test(JNIEnv *env, jclass api, jobject about, jint row, jint flag);
JNIEXPORT void JNICALL Java_java_lang_GraftCoverage_test(JNIEnv *env, jclass api, jobject about, jint row, jint flag) {
    CovTestEvent event;
    char epoch[COV_TEST_NAME];
    cov_tests_read(env, about, row, flag, &event);
    pthread_mutex_lock(&session_lock);
    if (cov_tests_note(&event, epoch) && running && config.tests) begin_epoch(env, epoch);
    pthread_mutex_unlock(&session_lock);
}

static bool define_api(JNIEnv *env) {
    CfError err;
    cf_err_clear(&err);
    api_defined = api_defined || cov_api_define(env, &err);
    if (!api_defined && !agent_exception(&agent, env, "definition of java.lang.GraftCoverage"))
        agent_log(&agent, AGENT_ERROR, "java.lang.GraftCoverage: %s", err.text);
    return api_defined;
}

/* ---- beginning --------------------------------------------------------------------------------- */

/* The data file is open. `late`: classes of the program are loaded already. */
static bool begin(JNIEnv *env, bool late) {
    describe_run(agent.ti);
    classes.include = config.include;
    classes.exclude = config.exclude;
    classes.from = config.from;
    classes.append = config.append;
    classes.jdk = config.jdk;
    classes.nolocation = config.nolocation;
    classes.counts = config.counts;
    classes.tests = config.tests;
    cov_prune_begin(&classes, config.prune, config.period, can_retransform && !config.counts && !config.epoch && !config.tests);
    classes.writer = writer;
    classes.told_full = false;
    classes.covered = classes.failed = classes.failed_methods = classes.rewritten = 0;
    classes.loaders = cov_loaders_new(&agent, env, writer, config.exclude_loaders);
    if (!classes.loaders || !define_api(env) || !cov_classes_begin(&classes, env))
        return agent_refuse(&agent, "no coverage in this run");
    running = true;
    char test[COV_TEST_NAME] = "";
    if (config.tests) cov_tests_now(test);
    if (config.epoch || *test) cov_writer_cut(writer, config.epoch ? config.epoch : test, now_ms());
    cov_prune_start(&classes, env);
    if (late || config.jdk) cov_classes_retransform(&classes, env);
    return true;
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *env, jthread thread) { begin(env, false); }

/* ---- end -------------------------------------------------------------------------------------- */

static void report_problem(void *ctx, const char *text) { agent_log(&agent, AGENT_ERROR, "%s", text); }

/* JNI_OK, or the answer of Agent_OnAttach. */
static jint make_reports(void) {
    char err[512];
    CovData data = {0};
    CovUnwritten unwritten = {NULL, 0};
    CovReports want = config.reports;
    jint rc = JNI_ERR;
    if (!cov_writer_begun(writer)) return agent_log(&agent, AGENT_INFO, "nothing to report yet"), JNI_OK;
    want.unwritten = &unwritten;
    want.summary = config.summary ? stderr : NULL;
    want.problem = report_problem;
    want.filters.off = !config.filters;
    if (!cov_data_load(&data, cov_writer_path(writer), err, sizeof err)) agent_log(&agent, AGENT_ERROR, "%s", err);
    else if (cov_reports(&data, &want)) rc = JNI_OK;
    if (!rc && want.html) agent_log(&agent, AGENT_INFO, "report: %s/index.html", want.html);
    errno = unwritten.error;
    if (unwritten.path) rc = agent_unwritten(rows, &config, unwritten.path);
    cov_data_free(&data);
    return rc;
}

/* The session's data is closed; classes keep their probes. JNI_OK, or the answer of Agent_OnAttach. */
static jint finish(void) {
    const CovReports *r = &config.reports;
    jint rc = JNI_OK;
    cov_prune_end();
    running = false;
    cov_writer_close(writer, now_ms());
    if (classes.failed || classes.failed_methods)
        agent_log(&agent, AGENT_INFO, "%u classes and %u methods are not covered (verbose tells which)", classes.failed,
                  classes.failed_methods);
    if (cov_writer_refused(writer))
        agent_log(&agent, AGENT_ERROR, "%s: %s, data is in %s", config.file, cov_writer_refused(writer), cov_writer_path(writer));
    if (!cov_writer_begun(writer)) agent_log(&agent, AGENT_INFO, "no class was covered: no data");
    else if (cov_reports_files(r) || config.summary) rc = make_reports();
    else agent_log(&agent, AGENT_INFO, "%u classes -> %s", classes.covered, cov_writer_path(writer));
    errno = cov_writer_error(writer);
    return errno ? agent_unwritten(rows, &config, config.file) : rc;
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env) {
    pthread_mutex_lock(&session_lock);
    if (running) finish();
    pthread_mutex_unlock(&session_lock);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Into `c`, checked: AGENT_OK, HELP, BAD. */
static int read_options(char *options, Config *c) {
    *c = defaults;
    int rc = agent_options(&agent, options, rows, c);
    if (rc != AGENT_OK) return rc;
    if (!cov_prune_read(c->prune, &c->period)) agent_log(&agent, AGENT_ERROR, "prune: not a possible value");
    else if (c->period > 0 && (c->counts || c->epoch || c->tests))
        agent_log(&agent, AGENT_ERROR,
                  "prune does not go with counts, epochs or tests: a probe that is gone cannot tell a second time");
    else return AGENT_OK;
    return AGENT_BAD;
}

static void use_options(const Config *c) {
    config = *c;
    agent_set_level(&agent, config.quiet, config.verbose);
}

/* Environment and, where the VM has it, the capability to retransform: without it there is no stop, no prune, and
 * JDK classes loaded before the start are not covered. */
static bool connect_vm(JavaVM *vm) {
    jvmtiCapabilities can, want = {.can_retransform_classes = 1};
    if (connected) return true;
    if (agent_attach(&agent, vm) != JNI_OK) return false;
    if ((*agent.ti)->GetPotentialCapabilities(agent.ti, &can) || !can.can_retransform_classes)
        agent_log(&agent, AGENT_INFO, "this VM cannot retransform: classes loaded before are not covered");
    else if (agent_capabilities(&agent, &want)) return false;
    else can_retransform = true;
    return connected = true;
}

static bool enable_events(bool with_init) {
    jvmtiEventCallbacks cb = {.VMInit = on_vm_init, .VMDeath = on_vm_death, .ClassFileLoadHook = on_class_file};
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, 0};
    return !agent_events(&agent, &cb, events + !with_init);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    if (agent_is_loaded(&agent)) return JNI_OK;
    Config c;
    int rc = read_options(options, &c);
    if (rc == AGENT_HELP) exit(0);
    if (rc != AGENT_OK) return JNI_ERR;
    if (c.stop || c.dump) return agent_log(&agent, AGENT_ERROR, "stop and dump are for a VM that runs already"), JNI_ERR;
    use_options(&c);
    return connect_vm(vm) && open_data() && enable_events(true) ? JNI_OK : JNI_ERR;
}

/* Reports that are wanted of what was covered so far, beside those of the start, and what is in them; what else may be said with a command. */
static bool take_reports(const char *options) {
    static const char words[] =
        "stop|dump|epoch|verbose|quiet|file|html|summary|source|classes|title|filters|oldfilters|testclasses|skipassert"
#define COV_FORMAT(member, what, writer, help) "|" #member
#include "cov_formats.def"
#undef COV_FORMAT
        ;
    Config c = config;
    if (!agent_options_only(&agent, options, words, "settled by the start: it does not go with stop, dump and epoch"))
        return false;
    if (agent_options(&agent, options, rows, &c) != AGENT_OK) return false;
    if (strcmp(c.file, config.file) != 0)
        return agent_refuse(&agent, "file: the data of this run goes to %s", cov_writer_path(writer));
    const char *epoch = config.epoch;
    use_options(&c);
    config.epoch = epoch;
    return true;
}

/* A command to the session that runs. */
static jint command(JNIEnv *env, const Config *c, const char *options) {
    if (!c->stop && !c->dump && !c->epoch)
        return agent_log(&agent, AGENT_ERROR, "coverage runs already; stop, dump and epoch=NAME are possible"), JNI_ERR;
    const Config before = config;
    if (!take_reports(options) || (c->epoch && !begin_epoch(env, c->epoch))) return JNI_ERR;
    if (!c->stop) {
        jint rc = c->dump ? make_reports() : JNI_OK;
        if (rc) use_options(&before); /* no later report shall fail by a file of this one */
        return rc;
    }
    cov_classes_end(&classes);
    cov_classes_retransform(&classes, env);
    (*agent.ti)->SetEventNotificationMode(agent.ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    return finish();
}

/* No data file is no session; else JNI_ERR. */
static jint begin_late(JavaVM *vm, JNIEnv *env) {
    if (!connect_vm(vm)) return JNI_ERR;
    errno = 0;
    if (!open_data()) return errno ? agent_unwritten(rows, &config, config.file) : JNI_ERR;
    return enable_events(false) && begin(env, true) ? JNI_OK : JNI_ERR;
}

static jint attach(JavaVM *vm, JNIEnv *env, const Config *c, const char *options) {
    if (running) return command(env, c, options);
    if (c->stop || c->dump) return agent_log(&agent, AGENT_ERROR, "no coverage is running"), JNI_ERR;
    use_options(c);
    return begin_late(vm, env);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    Config c;
    JNIEnv *env;
    int rc = read_options(options, &c);
    if (rc != AGENT_OK || (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK) return rc == AGENT_HELP ? JNI_OK : JNI_ERR;
    pthread_mutex_lock(&session_lock);
    rc = attach(vm, env, &c, options);
    pthread_mutex_unlock(&session_lock);
    return rc;
}
