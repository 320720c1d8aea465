/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_agent.c - life of the hotswap agent.
 *
 *   OnLoad     options, capability
 *   VMInit     the directories are watched and read (what is there now is what the program will load), the command
 *              channel is opened, the agent's thread is started; main has not begun
 *   OnAttach   the same at once; files that changed since their class was loaded are not noticed
 *   thread     sleeps in poll: directories, commands, the end. A swap begins when nothing was written for `wait` ms,
 *              since a compiler writes many files; so does compiling, when sources are watched. It alone touches the
 *              records, so there is no lock.
 *   VMDeath    wakes the thread, which ends; it calls nothing of the VM any more. A compiler that runs is given up
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agent.h"
#include "swap_apply.h"
#include "swap_channel.h"
#include "swap_compile.h"
#include "swap_current.h"
#include "swap_project.h"
#include "swap_watch.h"

enum { LOOK_FOR_ROOTS_MS = 500 };

typedef struct Config {
    const char *watch, *project, *sources, *classpath, *javac, *compiler, *hook, *plugins, *reload, *socket;
    int wait, tries, port;
    bool automatic, caches, compile, partial, anywhere, structural, quiet, verbose;
} Config;

static const AgentOption rows[] = {
    AGENT_OPT(Config, STRING, watch, "watch", "PATHS", "directories of class files and jars (directories of java.class.path)"),
    AGENT_OPT(Config, STRING, project, "project", "DIR",
              "all modules of this Maven or Gradle project, also those that come later"),
    AGENT_OPT(Config, BOOL, compile, "compile", "on|off",
              "compile the project's sources when they are saved, and what depends on them"),
    AGENT_OPT(Config, STRING, sources, "sources", "PATHS", "compile the sources in these directories when they are saved"),
    AGENT_OPT(Config, STRING, classpath, "classpath", "PATHS", "more to compile against than the program's class path"),
    AGENT_OPT(Config, STRING, javac, "javac", "FILE", "run this compiler, not the one in the program's JDK"),
    AGENT_OPT(Config, STRING, compiler, "compiler", "OPTIONS", "more options for the compiler, blanks between them"),
    AGENT_OPT(Config, INT, wait, "wait", "MS", "swap when nothing was written for so long"),
    AGENT_OPT(Config, INT, tries, "tries", "N", "so often a half-written file is read again, each after `wait`"),
    AGENT_OPT(Config, BOOL, automatic, "auto", "on|off", "swap by itself; off: only by command"),
    AGENT_OPT(Config, BOOL, partial, "partial", "on|off", "swap what is accepted although another class is refused"),
    AGENT_OPT(Config, BOOL, anywhere, "anywhere", "on|off", "also classes of these names loaded from elsewhere (a jar)"),
    AGENT_OPT(Config, BOOL, structural, "structural", "on|off", "where the VM can: members and super types may change, too"),
    AGENT_OPT(Config, STRING, hook, "hook", "CLASS.METHOD", "static void METHOD(String[]) called after a swap; a:b for several"),
    AGENT_OPT(Config, BOOL, caches, "caches", "on|off", "clear what frameworks remember of swapped classes"),
    AGENT_OPT(Config, STRING, plugins, "plugins", "PATHS", "jars and folders with plug-ins that do so for others"),
    AGENT_OPT(Config, STRING, reload, "reload", "NAMES",
              "files in watched directories that reload pages in browsers, too: *.html:*.css"),
    AGENT_OPT(Config, INT, port, "port", "N", "commands on 127.0.0.1:N; 0: any free port (-1: none)"),
    AGENT_OPT(Config, STRING, socket, "socket", "PATH", "commands on a Unix socket"),
    AGENT_OPT(Config, BOOL, verbose, "verbose", "on|off", "also what was not swapped and why not"),
    AGENT_OPT(Config, BOOL, quiet, "quiet", "on|off", "only refusals and errors"),
    {0}};
AGENT_SHOWS(rows);

static const Config defaults = {.wait = 150, .tries = 20, .port = -1, .automatic = true, .caches = true, .structural = true};
static Config config;
static Agent agent = {
    .name = "hotswap", .title = "Swaps classes in the running program when their files change", .level = AGENT_INFO};
static SwapWatch watch = {.fd = -1}, sources = {.sources = true, .fd = -1};
static SwapProject project = {.classes = &watch, .fd = -1};
static SwapCompiler compiler = {.agent = &agent, .classes = &watch, .sources = &sources, .javac = {.agent = &agent}};
static Swapper swapper = {.agent = &agent, .watch = &watch};
static int wake = -1;
static bool dead, loaded; /* loaded: at work, or will be once the VM has started */

/* ---- commands ---------------------------------------------------------------------------------- */

static const char commands[] = "swap [FILE...], try FILE..., undo [N], status, list, help";

static void error_answer(FILE *out, const char *what, const char *arg) {
    char text[512];
    snprintf(text, sizeof text, what, arg);
    swap_json(out, "{\"ok\":false,\"error\":", text, false);
    fputs("}\n", out);
}

static bool is_source(const char *name) {
    size_t n = strlen(name);
    return n > 5 && !strcmp(name + n - 5, ".java");
}

static bool want_class(const char *path) {
    SwapFile *f = swap_watch_file(&watch, path, -1);
    if (f) swap_watch_dirty(&watch, f);
    return f;
}

/* Sources are compiled first. For a trial, and if no watched directory is their place, class files are read from where the compiler wrote them. */
static bool compile_named(JNIEnv *env, char **names, uint32_t n, bool dry, SwapCompiled *done, FILE *out) {
    swap_compile(&compiler, env, names, n, done);
    if (!done->ok) {
        fputs("{\"ok\":false,\"error\":\"does not compile\"", out);
        swap_json(out, ",\"text\":", done->text, false);
        fputs("}\n", out);
        return false;
    }
    if (!dry) swap_compile_place(&compiler, done);
    for (uint32_t i = 0; i < done->classes.len; i++)
        if (dry || !done->classes.data[i].place) want_class(done->classes.data[i].path);
    return true;
}

/* Files are separated as the first one is from the command: by blanks or, if names have blanks, by tabs. */
static void do_swap(JNIEnv *env, char *args, const char *separator, bool dry, FILE *out) {
    CF_VEC(char *) java = {0};
    SwapCompiled done = {0};
    char *rest = NULL;
    bool ok = true;
    for (char *p = strtok_r(args, separator, &rest); ok && p; p = strtok_r(NULL, separator, &rest)) {
        char *real = realpath(p, NULL);
        bool source = real && is_source(real);
        ok = source ? cf_vec_push(&java, real) : real && want_class(real);
        if (!source) free(real);
        if (!ok) error_answer(out, "%s: no such file", p);
    }
    if (ok && java.len) ok = compile_named(env, java.data, java.len, dry, &done, out);
    swap_watch_read(&watch);
    if (ok && dry) swap_try(&swapper, env, out);
    else if (ok) swap_apply(&swapper, env, true, out);
    swap_compiled_free(&done);
    for (uint32_t i = 0; i < java.len; i++) free(java.data[i]);
    cf_vec_free(&java);
}

static void do_undo(JNIEnv *env, const char *args, FILE *out) {
    char *end = NULL;
    unsigned long n = *args ? strtoul(args, &end, 10) : 1;
    if (!n || n > SWAP_STEPS || (end && *end)) error_answer(out, "undo %s: not a number of swaps", args);
    else if (!swapper.steps.len) error_answer(out, "%s", "no swap to take back");
    else swap_undo(&swapper, env, (uint32_t)n, out);
}

static void do_status(FILE *out) {
    fprintf(
        out,
        "{\"ok\":true,\"swaps\":%u,\"classes\":%u,\"refusals\":%u,\"undoable\":%u,\"files\":%u,\"dirty\":%u,\"lastMs\":%.1f,\"auto\":%s,\"watch\":[",
        swapper.swaps, swapper.classes, swapper.refusals, swapper.steps.len, watch.files.count - watch.n_others, watch.dirty,
        swapper.last_ms, config.automatic ? "true" : "false");
    for (uint32_t i = 0; i < watch.roots.len; i++) swap_json(out, i ? "," : "", watch.roots.data[i].path, false);
    fputs("]}\n", out);
}

/* Classes that were swapped, are refused or wait. */
static void do_list(FILE *out) {
    uint32_t it = 0;
    const char *comma = "";
    fputs("{\"ok\":true,\"classes\":[", out);
    for (const SwapFile *f; (f = cf_table_next(&watch.files, &it));) {
        if (!f->swaps && !f->refusal && !f->next.p) continue;
        fputs(comma, out);
        swap_json(out, "{\"class\":", f->name, true);
        swap_json(out, ",\"file\":", f->path, false);
        fprintf(out, ",\"swaps\":%u,\"waiting\":%s", f->swaps, f->next.p ? "true" : "false");
        swap_json(out, ",\"refused\":", f->refusal, false);
        fputc('}', out);
        comma = ",";
    }
    fputs("]}\n", out);
}

static void command(void *arg, char *line, FILE *out) {
    char *rest = line + strcspn(line, " \t");
    const char *separator = *rest == '\t' ? "\t" : " ";
    if (*rest) *rest++ = 0;
    if (!strcmp(line, "swap") || !strcmp(line, "try")) do_swap(arg, rest, separator, *line == 't', out);
    else if (!strcmp(line, "undo")) do_undo(arg, rest, out);
    else if (!strcmp(line, "status")) do_status(out);
    else if (!strcmp(line, "list")) do_list(out);
    else if (!strcmp(line, "help")) fprintf(out, "{\"ok\":true,\"commands\":\"%s\"}\n", commands);
    else error_answer(out, "unknown command '%.100s'; help lists them", line);
}

/* ---- thread ------------------------------------------------------------------------------------ */

static int64_t now_ms(void) { return agent_nanos(CLOCK_MONOTONIC) / 1000000; }

typedef struct Waiting {
    int64_t written, saved; /* when the last class file and the last source were */
    bool compile;           /* sources were saved since the compiler was called */
} Waiting;

static void sooner(int64_t *left, int64_t ms) {
    if (ms < 0) ms = 0;
    if (*left < 0 || *left > ms) *left = ms;
}

static int how_long(const Waiting *w) {
    int64_t left = -1, now = now_ms();
    if (watch.dirty && config.automatic) sooner(&left, w->written + config.wait - now);
    if (w->compile) sooner(&left, w->saved + config.wait - now);
    if (watch.missing || sources.missing || project.looks) sooner(&left, LOOK_FOR_ROOTS_MS);
    return (int)left;
}

static void look(Waiting *w) {
    bool project_news = swap_project_read(&project);
    bool news = swap_watch_read(&watch), come = swap_watch_missing(&watch);
    if (news || come || (project_news && watch.dirty)) w->written = now_ms();
    if (sources.fd < 0) return;
    news = swap_watch_read(&sources);
    come = swap_watch_missing(&sources);
    if (!news && !come && !(project_news && sources.dirty)) return;
    w->saved = now_ms();
    w->compile = config.automatic;
}

static void work(Waiting *w, JNIEnv *env) {
    if (w->compile && now_ms() - w->saved >= config.wait) {
        w->compile = false;
        if (swap_compile_dirty(&compiler, env)) w->written = 0; /* all is there */
    }
    if (watch.dirty && config.automatic && now_ms() - w->written >= config.wait && !swap_apply(&swapper, env, false, NULL))
        w->written = now_ms(); /* half-written: after `wait` again */
}

static void JNICALL run(jvmtiEnv *ti, JNIEnv *env, void *arg) {
    enum { OWN = 4 };
    Waiting w = {.written = now_ms()};
    uint64_t woken;
    while (!__atomic_load_n(&dead, __ATOMIC_ACQUIRE)) {
        struct pollfd fds[SWAP_FDS + OWN] = {{.fd = wake, .events = POLLIN},
                                             {.fd = watch.fd, .events = POLLIN},
                                             {.fd = sources.fd, .events = POLLIN},
                                             {.fd = project.fd, .events = POLLIN}};
        int n = swap_channel_fds(fds + OWN);
        if (poll(fds, (nfds_t)n + OWN, how_long(&w)) < 0 && errno != EINTR) break;
        if (__atomic_load_n(&dead, __ATOMIC_ACQUIRE)) break;
        if (fds[0].revents) (void)!read(wake, &woken, sizeof woken);
        look(&w);
        swap_channel_serve(fds + OWN, n, command, env);
        work(&w, env);
    }
}

/* ---- life -------------------------------------------------------------------------------------- */

static const char *places(void) {
    uint32_t jars = 0;
    for (uint32_t i = 0; i < watch.roots.len; i++) jars += watch.roots.data[i].jar;
    if (jars) return watch.roots.len == 1 ? "jar" : jars == watch.roots.len ? "jars" : "directories and jars";
    return watch.roots.len == 1 ? "directory" : "directories";
}

static bool open_watches(void) {
    char *path = NULL;
    if (!config.watch) AGENT_CHECK(&agent, (*agent.ti)->GetSystemProperty(agent.ti, "java.class.path", &path));
    bool ok = swap_watch_open(&watch, &agent, config.watch ? config.watch : path ? path : "", config.watch != NULL);
    if (path) (*agent.ti)->Deallocate(agent.ti, (unsigned char *)path);
    /* A build tool's own class path has jars only: it is about the project that it was started in. */
    bool here = !config.project && !config.watch && (!watch.roots.len || config.compile) && swap_project_is(".");
    const char *dir = config.project ? config.project : here ? "." : NULL;
    if (ok && (config.compile || config.sources)) ok = swap_watch_open(&sources, &agent, config.sources, true);
    if (sources.fd >= 0 && config.compile) project.sources = &sources;
    return ok && (!dir || swap_project_open(&project, &agent, dir));
}

static void say_start(int64_t begin) {
    agent_log(&agent, AGENT_INFO, "watching %u class files in %u %s (%lld ms)", watch.files.count - watch.n_others,
              watch.roots.len, places(), (long long)(now_ms() - begin));
    if (sources.fd < 0) return;
    agent_log(&agent, AGENT_INFO, "compiling %u sources of %u director%s when they are saved", sources.files.count,
              sources.roots.len, sources.roots.len == 1 ? "y" : "ies");
    if (!sources.roots.len) agent_log(&agent, AGENT_ERROR, "there are no sources to compile: name them by sources= or project=");
}

/* Before anybody saves what will be refused. */
static void say_limits(void) {
    if (!config.structural || swapper.extension.dry_run) return;
    agent_log(
        &agent, AGENT_INFO,
        "this VM takes new method bodies only: it will refuse added, removed or renamed methods and fields, other super types or "
        "modifiers, and first lambdas, asserts and switches over enums; %s",
        SWAP_HINT);
}

static bool start(JNIEnv *env) {
    int64_t begin = now_ms();
    wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake < 0 || !open_watches()) return false;
    say_start(begin);
    say_limits();
    return swap_channel_open(&agent, config.port, config.socket) && agent_start_thread(&agent, env, "hotswap", run);
}

/* Of a start that failed nothing stays (but that the VM takes structural changes, for all agents): it can be loaded again, with other options. */
static void undo_start(void) {
    if (wake >= 0) close(wake);
    wake = -1;
    swap_channel_undo();
    swap_project_close(&project);
    swap_watch_close(&sources);
    swap_watch_close(&watch);
    swap_plugins_close(&swapper.plugins);
    if (agent.ti) (*agent.ti)->DisposeEnvironment(agent.ti);
    agent.ti = NULL;
    loaded = false;
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *env, jthread thread) {
    if (start(env)) return;
    agent_log(&agent, AGENT_ERROR, "nothing will be swapped");
    undo_start();
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env) {
    uint64_t one = 1;
    __atomic_store_n(&dead, true, __ATOMIC_RELEASE);
    if (wake >= 0) (void)!write(wake, &one, sizeof one);
    swap_compile_abandon();
    swap_channel_close();
}

/* A list of two. */
static const char *both(const char *a, const char *b) {
    char *list = NULL;
    if (!a || !b) return a ? a : b;
    return asprintf(&list, "%s:%s", a, b) < 0 ? a : list;
}

/* CLASS.METHOD, as many as there are; what does not look so would be told at the first swap only. */
static bool check_hooks(const char *list) {
    size_t len;
    for (const char *p; (p = agent_list_next(&list, &len));) {
        const char *dot = memrchr(p, '.', len);
        if (!dot || dot == p || dot == p + len - 1)
            return agent_refuse(&agent, "hook %.*s: not of the form CLASS.METHOD", (int)len, p);
    }
    return true;
}

static int configure(JavaVM *vm, char *options) {
    Config c = defaults;
    int rc = agent_options(&agent, options, rows, &c);
    if (rc != AGENT_OK) return rc;
    config = c;
    if (config.wait < 0 || config.tries < 1)
        return agent_log(&agent, AGENT_ERROR, "wait cannot be negative, tries not below 1"), AGENT_BAD;
    if (!check_hooks(config.hook)) return AGENT_BAD;
    agent_set_level(&agent, config.quiet, config.verbose);
    swapper.hooks = config.hook;
    if (!swap_plugins_open(&swapper.plugins, &agent, config.caches, config.plugins)) return AGENT_BAD;
    swapper.reload = config.reload;
    watch.others = both(swapper.plugins.files, config.reload);
    compiler.path = config.classpath;
    compiler.options = config.compiler;
    compiler.javac.command = config.javac;
    swapper.partial = config.partial;
    swapper.anywhere = config.anywhere;
    swapper.tries = config.tries;
    jvmtiCapabilities caps = {.can_redefine_classes = 1, .can_redefine_any_class = 1};
    if (agent_attach(&agent, vm) != JNI_OK || agent_capabilities(&agent, &caps)) return AGENT_BAD;
    swap_current_prepare(&agent);
    if (swap_extension_find(&swapper.extension, &agent, config.structural))
        agent_log(&agent, AGENT_DEBUG, "members and super types may change, too");
    jvmtiEventCallbacks cb = {.VMInit = on_vm_init, .VMDeath = on_vm_death, .ClassFileLoadHook = swap_current_hook};
    static const jvmtiEvent events[] = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, 0};
    return agent_events(&agent, &cb, events) ? AGENT_BAD : AGENT_OK;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    int rc = configure(vm, options);
    if (rc == AGENT_HELP) exit(0);
    loaded = rc == AGENT_OK;
    return loaded ? JNI_OK : JNI_ERR;
}

/* Loaded once more: one more socket, if the options name one. */
static jint again(const char *options) {
    Config c = {0};
    uint64_t one = 1;
    if (agent_options(&agent, options, rows, &c) != AGENT_OK) return JNI_ERR;
    if (!c.socket) return agent_log(&agent, AGENT_INFO, "already at work; the new options are ignored"), AGENT_ANSWER_THERE;
    bool ok = swap_channel_add(&agent, c.socket);
    if (wake >= 0) (void)!write(wake, &one, sizeof one);
    return ok ? JNI_OK : JNI_ERR;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    JNIEnv *env = NULL;
    if (loaded) return again(options);
    int rc = configure(vm, options);
    loaded = rc == AGENT_OK && (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK && start(env);
    if (loaded) return JNI_OK;
    undo_start();
    return rc == AGENT_HELP ? JNI_OK : JNI_ERR;
}
