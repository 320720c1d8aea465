/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_agent.c - life of the coverage agent.
 *
 *   OnLoad     options, data file, events. Nothing of Java is touched.
 *   VMInit     helper of the first probe window is defined; from now on classes are instrumented. With jdk=on
 *              JDK classes loaded before are retransformed, where the VM can do that.
 *   each class filter by name, loader, origin; count probes; reserve them; rewrite; record. Any
 *              failure leaves the class as it was and is counted.
 *   VMDeath    end of run is marked, reports are made from the data file by the code that the
 *              command uses too.
 * Hooks run on any thread and may nest. Locks are those of CovWriter and CovLoaders plus `windows_lock`, held while
 * a helper is defined (its own class-load hook returns at once by its name, before any lock).
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "agent.h"
#include "cov_data.h"
#include "cov_loaders.h"
#include "cov_probes.h"
#include "cov_report.h"

typedef struct Config {
    const char *file, *html, *lcov, *xml, *cobertura, *csv, *title;
    const char *include, *exclude, *exclude_loaders, *source, *classes;
    bool jdk, nolocation, summary, assertions, filters, verbose, quiet;
} Config;

static const AgentOption rows[] = {
    AGENT_OPT(Config, STRING, file, "file", "NAME", "data file; %p in it becomes the process id"),
    AGENT_OPT(Config, STRING, html, "html", "DIR", "at exit: HTML report in this folder"),
    AGENT_OPT(Config, BOOL, summary, "summary", "on|off", "at exit: text table on stderr"),
    AGENT_OPT(Config, STRING, lcov, "lcov", "FILE", "at exit: LCOV trace file"),
    AGENT_OPT(Config, STRING, xml, "xml", "FILE", "at exit: XML in JaCoCo's format"),
    AGENT_OPT(Config, STRING, cobertura, "cobertura", "FILE", "at exit: XML in Cobertura's format"),
    AGENT_OPT(Config, STRING, csv, "csv", "FILE", "at exit: one line of numbers per class"),
    AGENT_OPT(Config, STRING, source, "source", "PATHS", "source folders and archives, ':'-separated"),
    AGENT_OPT(Config, STRING, classes, "classes", "PATHS", "class folders and jars: never loaded classes count too"),
    AGENT_OPT(Config, STRING, title, "title", "TEXT", "title of the reports"),
    AGENT_OPT(Config, STRING, include, "include", "PATTERNS", "class names to cover, as a.b.*:a.?.C*"),
    AGENT_OPT(Config, STRING, exclude, "exclude", "PATTERNS", "class names to leave out"),
    AGENT_OPT(Config, STRING, exclude_loaders, "excludeloaders", "PATTERNS",
              "class names of loaders whose classes are left out"),
    AGENT_OPT(Config, BOOL, jdk, "jdk", "on|off", "also classes of the boot and platform loader"),
    AGENT_OPT(Config, BOOL, nolocation, "nolocation", "on|off", "also classes without origin (made at run time)"),
    AGENT_OPT(Config, BOOL, filters, "filters", "on|off", "leave out code made by the compiler"),
    AGENT_OPT(Config, BOOL, assertions, "skipassert", "on|off", "leave out the hidden branch of assert"),
    AGENT_OPT(Config, BOOL, verbose, "verbose", "on|off", "tell what happens to each class"),
    AGENT_OPT(Config, BOOL, quiet, "quiet", "on|off", "only errors"),
    {0}};

static Config config = {.file = "coverage.dat", .title = "Coverage", .include = "*", .exclude = "",
                        .exclude_loaders = "", .filters = true};
static Agent agent = {.name = "coverage", .title = "Code coverage for Java programs", .level = AGENT_INFO};
static CovWriter *writer;
static CovLoaders *loaders;
static pthread_mutex_t windows_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t windows_ready;              /* helpers defined so far; under windows_lock */
static int live;                            /* helpers can be defined, Java can be asked */
static int finished;
static uint32_t covered_classes, failed_classes, failed_methods;

static int64_t now_ms(void)
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return (int64_t)tv.tv_sec * 1000 + tv.tv_usec / 1000;
}

/* ---- classes ------------------------------------------------------------------------------- */

static bool window_ready(JNIEnv *env, uint32_t window)
{
    CfError err;
    cf_err_clear(&err);
    pthread_mutex_lock(&windows_lock);
    bool ok = true;
    while (ok && windows_ready <= window) {
        uint8_t *base = cov_writer_window(writer, windows_ready);
        ok = base && cov_helper_define(env, windows_ready, base, &err);
        windows_ready += ok;
    }
    pthread_mutex_unlock(&windows_lock);
    if (!ok) {
        agent_exception(&agent, env, "definition of the probe class");
        agent_log(&agent, AGENT_ERROR, "cannot define the probe class: %s", err.code ? err.text : "refused by the VM");
    }
    return ok;
}

/* Names that never count: our helper, and classes that the JDK generates without a source. */
static bool name_excluded(const char *name)
{
    char dotted[1024];
    if (cov_is_helper(name) || !strncmp(name, "jdk/internal/reflect/Generated", 30))
        return true;
    cov_dotted(name, dotted, sizeof dotted);
    return !agent_match_list(config.include, dotted) || agent_match_list(config.exclude, dotted);
}

static bool wanted(JNIEnv *env, jobject loader, const char *name, jobject domain, CovLoaderInfo *info)
{
    if (!name || (!loader && !config.jdk) || name_excluded(name) || !cov_loader_info(loaders, env, loader, info))
        return false;
    if (info->excluded || (info->jdk && !config.jdk))
        return false;
    return config.nolocation || info->jdk || cov_has_location(loaders, env, domain);
}

typedef struct Loading {        /* one class on its way */
    JNIEnv *env;
    const char *name;
    const uint8_t *bytes;
    size_t len;
    uint32_t loader;
    uint8_t *out;
    size_t out_len;
} Loading;

static void class_failed(const Loading *l, const CfError *err)
{
    __atomic_fetch_add(&failed_classes, 1, __ATOMIC_RELAXED);
    agent_log(&agent, AGENT_DEBUG, "%s: not covered: %s", l->name, err->code ? err->text : "no room for data");
}

/* Rewrites with probes from `first`. */
static bool rewrite(Loading *l, uint32_t first, CfArena *scratch, CfError *err)
{
    uint32_t skipped = 0;
    if (!window_ready(l->env, first / COV_WINDOW))
        return false;
    cf_arena_reset(scratch);
    if (cov_instrument(l->bytes, l->len, first, agent_memory, &agent, scratch, &l->out, &l->out_len, &skipped,
                       err) != COV_INSTR_DONE)
        return false;
    if (skipped)
        agent_log(&agent, AGENT_DEBUG, "%s: %u methods without probes (too large)", l->name, skipped);
    __atomic_fetch_add(&failed_methods, skipped, __ATOMIC_RELAXED);
    return true;
}

/* The same class of the same loader again (redefinition, or two threads racing) keeps its probes. */
static void cover_class(Loading *l, CfArena *scratch)
{
    CfError err;
    uint32_t n;
    uint64_t crc = cov_crc64(l->bytes, l->len);
    cf_err_clear(&err);
    uint32_t first = cov_writer_find(writer, l->name, l->loader, crc);
    if (first != COV_BAD) {
        if (!rewrite(l, first, scratch, &err))
            class_failed(l, &err);
        return;
    }
    if (!cov_count_probes(l->bytes, l->len, scratch, &n, &err)) {
        class_failed(l, &err);
        return;
    }
    if (!n)
        return;
    first = cov_writer_reserve(writer, n);
    if (first == COV_BAD || !rewrite(l, first, scratch, &err)) {
        class_failed(l, &err);
        return;
    }
    CovClassRecord rec = {.crc = crc, .first_probe = first, .nprobes = n, .loader = l->loader, .bytes_len = l->len};
    if (cov_writer_class(writer, &rec, l->name, l->bytes)) {
        __atomic_fetch_add(&covered_classes, 1, __ATOMIC_RELAXED);
        agent_log(&agent, AGENT_DEBUG, "%s: %u probes", l->name, n);
        return;
    }
    (*agent.ti)->Deallocate(agent.ti, l->out);
    l->out = NULL;
    first = cov_writer_find(writer, l->name, l->loader, crc);
    if (first == COV_BAD || !rewrite(l, first, scratch, &err))
        class_failed(l, &err);
}

static void JNICALL on_class_load(jvmtiEnv *ti, JNIEnv *env, jclass redefined, jobject loader,
                                  const char *name, jobject domain, jint len, const unsigned char *bytes,
                                  jint *new_len, unsigned char **new_bytes)
{
    CovLoaderInfo info;
    if (!__atomic_load_n(&live, __ATOMIC_ACQUIRE) || !wanted(env, loader, name, domain, &info))
        return;
    Loading l = {env, name, bytes, (size_t)len, info.id, NULL, 0};
    CfArena scratch;
    cf_arena_init(&scratch, "coverage", 1 << 15);
    cover_class(&l, &scratch);
    cf_arena_free(&scratch);
    if (l.out) {
        *new_bytes = l.out;
        *new_len = (jint)l.out_len;
    }
}

/* ---- start ---------------------------------------------------------------------------------- */

/* JDK classes that were loaded before VMInit. */
static void retransform_jdk(jvmtiEnv *ti, JNIEnv *env)
{
    jint n = 0;
    jclass *all = NULL;
    if (AGENT_CHECK(&agent, (*ti)->GetLoadedClasses(ti, &n, &all)))
        return;
    uint32_t failed = 0;
    for (jint i = 0; i < n; i++) {
        jboolean ok = JNI_FALSE;
        if (!(*ti)->IsModifiableClass(ti, all[i], &ok) && ok && (*ti)->RetransformClasses(ti, 1, &all[i]))
            failed++;
        (*env)->DeleteLocalRef(env, all[i]);
    }
    (*ti)->Deallocate(ti, (unsigned char *)all);
    if (failed)
        agent_log(&agent, AGENT_INFO, "%u loaded classes could not be retransformed", failed);
}

static void describe_run(jvmtiEnv *ti)
{
    CovFileHead *h = cov_writer_head(writer);
    static const char *const names[] = {"java.vm.name", "java.vm.version", "sun.java.command"};
    char *value[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++)
        if ((*ti)->GetSystemProperty(ti, names[i], &value[i]))
            value[i] = NULL;
    snprintf(h->vm, sizeof h->vm, "%s %s", value[0] ? value[0] : "", value[1] ? value[1] : "");
    snprintf(h->command, sizeof h->command, "%s", value[2] ? value[2] : "");
    for (int i = 0; i < 3; i++)
        (*ti)->Deallocate(ti, (unsigned char *)value[i]);
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *env, jthread thread)
{
    describe_run(ti);
    loaders = cov_loaders_new(&agent, env, writer, config.exclude_loaders);
    if (!loaders || !window_ready(env, 0)) {
        agent_log(&agent, AGENT_ERROR, "no coverage in this run");
        return;
    }
    __atomic_store_n(&live, 1, __ATOMIC_RELEASE);
    jvmtiCapabilities have;
    if (config.jdk && !(*ti)->GetCapabilities(ti, &have) && have.can_retransform_classes)
        retransform_jdk(ti, env);
}

static void request_retransform(jvmtiEnv *ti)
{
    jvmtiCapabilities can, want = {.can_retransform_classes = 1};
    if (!(*ti)->GetPotentialCapabilities(ti, &can) && can.can_retransform_classes)
        agent_capabilities(&agent, &want);
    else
        agent_log(&agent, AGENT_INFO, "this VM cannot retransform: JDK classes loaded before the start of the "
                  "program are not covered");
}

/* "%p" in the name becomes the process id. */
static char *data_path(const char *pattern)
{
    const char *p = strstr(pattern, "%p");
    char *out = NULL;
    if (!p)
        return strdup(pattern);
    return asprintf(&out, "%.*s%d%s", (int)(p - pattern), pattern, (int)getpid(), p + 2) < 0 ? NULL : out;
}

static bool open_data(void)
{
    char err[512] = "out of memory";
    char *path = data_path(config.file);
    writer = path ? cov_writer_open(path, err, sizeof err) : NULL;
    if (!writer)
        agent_log(&agent, AGENT_ERROR, "%s", err);
    else if (strcmp(cov_writer_path(writer), path) != 0)
        agent_log(&agent, AGENT_INFO, "%s is in use by another VM, data goes to %s", path, cov_writer_path(writer));
    free(path);
    if (writer)
        cov_writer_head(writer)->start_ms = now_ms();
    return writer != NULL;
}

/* ---- end -------------------------------------------------------------------------------------- */

static void report_problem(void *ctx, const char *text)
{
    agent_log(&agent, AGENT_ERROR, "%s", text);
}

static bool any_report(void)
{
    return config.html || config.lcov || config.xml || config.cobertura || config.csv || config.summary;
}

static void make_reports(void)
{
    char err[512];
    CovData data = {0};
    CovReports want = {
        .title = config.title, .html = config.html, .lcov = config.lcov, .xml = config.xml,
        .cobertura = config.cobertura, .csv = config.csv, .source = config.source, .classes = config.classes,
        .summary = config.summary ? stderr : NULL, .problem = report_problem,
        .filters = {.off = !config.filters, .assertions = config.assertions}};
    if (!cov_data_load(&data, cov_writer_path(writer), err, sizeof err))
        agent_log(&agent, AGENT_ERROR, "%s", err);
    else if (cov_reports(&data, &want) && config.html)
        agent_log(&agent, AGENT_INFO, "report: %s/index.html", config.html);
    cov_data_free(&data);
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env)
{
    if (__atomic_exchange_n(&finished, 1, __ATOMIC_ACQ_REL))
        return;
    cov_writer_close(writer, now_ms());
    if (failed_classes || failed_methods)
        agent_log(&agent, AGENT_INFO, "%u classes and %u methods are not covered (verbose tells which)", failed_classes,
                  failed_methods);
    if (any_report())
        make_reports();
    else
        agent_log(&agent, AGENT_INFO, "%u classes -> %s", covered_classes, cov_writer_path(writer));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    int rc = agent_options(&agent, options, rows, &config);
    if (rc == AGENT_HELP)
        exit(0);
    if (rc != AGENT_OK)
        return JNI_ERR;
    agent.level = config.quiet ? AGENT_ERROR : config.verbose ? AGENT_DEBUG : AGENT_INFO;
    if (agent_attach(&agent, vm) != JNI_OK || !open_data())
        return JNI_ERR;
    if (config.jdk)
        request_retransform(agent.ti);
    jvmtiEventCallbacks cb = {.VMInit = on_vm_init, .VMDeath = on_vm_death, .ClassFileLoadHook = on_class_load};
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                                        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, 0};
    return agent_events(&agent, &cb, events) ? JNI_ERR : JNI_OK;
}
