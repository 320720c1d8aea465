/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_agent.c - life of the hotswap agent.
 *
 *   OnLoad     options, capability
 *   VMInit     the directories are watched and read (what is there now is what the program will load), the command
 *              channel is opened, the agent's thread is started; main has not begun
 *   OnAttach   the same at once; files that changed since their class was loaded are not noticed
 *   thread     sleeps in poll: directories, commands, the end. A swap begins when nothing was written for `wait` ms,
 *              since a compiler writes many files. It alone touches the records, so there is no lock.
 *   VMDeath    wakes the thread, which ends; it calls nothing of the VM any more
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
#include "swap_current.h"
#include "swap_watch.h"

enum { LOOK_FOR_ROOTS_MS = 500 };

typedef struct Config {
    const char *watch, *hook, *socket;
    int wait, tries, port;
    bool automatic, partial, anywhere, structural, quiet, verbose;
} Config;

static const AgentOption rows[] = {
    AGENT_OPT(Config, STRING, watch, "watch", "PATHS", "directories of class files and jars (directories of java.class.path)"),
    AGENT_OPT(Config, INT, wait, "wait", "MS", "swap when nothing was written for so long"),
    AGENT_OPT(Config, INT, tries, "tries", "N", "so often a half-written file is read again, each after `wait`"),
    AGENT_OPT(Config, BOOL, automatic, "auto", "on|off", "swap by itself; off: only by command"),
    AGENT_OPT(Config, BOOL, partial, "partial", "on|off", "swap what is accepted although another class is refused"),
    AGENT_OPT(Config, BOOL, anywhere, "anywhere", "on|off", "also classes of these names loaded from elsewhere (a jar)"),
    AGENT_OPT(Config, BOOL, structural, "structural", "on|off", "where the VM can: members and super types may change, too"),
    AGENT_OPT(Config, STRING, hook, "hook", "CLASS.METHOD", "static void METHOD(String[]) called after a swap; a:b for several"),
    AGENT_OPT(Config, INT, port, "port", "N", "commands on 127.0.0.1:N; 0: any free port (-1: none)"),
    AGENT_OPT(Config, STRING, socket, "socket", "PATH", "commands on a Unix socket"),
    AGENT_OPT(Config, BOOL, verbose, "verbose", "on|off", "also what was not swapped and why not"),
    AGENT_OPT(Config, BOOL, quiet, "quiet", "on|off", "only refusals and errors"),
    {0}};
AGENT_SHOWS(rows);

static Config config = {.wait = 150, .tries = 20, .port = -1, .automatic = true, .structural = true};
static Agent agent = {
    .name = "hotswap", .title = "Swaps classes in the running program when their files change", .level = AGENT_INFO};
static SwapWatch watch;
static Swapper swapper = {.agent = &agent, .watch = &watch};
static int wake = -1;
static bool dead, loaded;

/* ---- commands ---------------------------------------------------------------------------------- */

static const char commands[] = "swap [FILE...], try FILE..., undo [N], status, list, help";

static void error_answer(FILE *out, const char *what, const char *arg) {
    char text[512];
    snprintf(text, sizeof text, what, arg);
    swap_json(out, "{\"ok\":false,\"error\":", text, false);
    fputs("}\n", out);
}

/* Files are separated as the first one is from the command: by blanks or, if names have blanks, by tabs. */
static void do_swap(JNIEnv *env, char *args, const char *separator, bool dry, FILE *out) {
    char *rest = NULL;
    for (char *p = strtok_r(args, separator, &rest); p; p = strtok_r(NULL, separator, &rest)) {
        char *real = realpath(p, NULL);
        SwapFile *f = real ? swap_watch_file(&watch, real, -1) : NULL;
        free(real);
        if (!f) return error_answer(out, "%s: no such file", p);
        swap_watch_dirty(&watch, f);
    }
    swap_watch_read(&watch);
    if (dry) swap_try(&swapper, env, out);
    else swap_apply(&swapper, env, true, out);
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
        swapper.swaps, swapper.classes, swapper.refusals, swapper.steps.len, watch.files.count, watch.dirty, swapper.last_ms,
        config.automatic ? "true" : "false");
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

static int how_long(int64_t written) {
    int64_t left = watch.dirty && config.automatic ? written + config.wait - now_ms() : -1;
    if (watch.dirty && config.automatic && left < 0) left = 0;
    if (watch.missing && (left < 0 || left > LOOK_FOR_ROOTS_MS)) left = LOOK_FOR_ROOTS_MS;
    return (int)left;
}

static void JNICALL run(jvmtiEnv *ti, JNIEnv *env, void *arg) {
    int64_t written = now_ms();
    uint64_t woken;
    while (!__atomic_load_n(&dead, __ATOMIC_ACQUIRE)) {
        struct pollfd fds[SWAP_FDS + 2] = {{.fd = wake, .events = POLLIN}, {.fd = watch.fd, .events = POLLIN}};
        int n = swap_channel_fds(fds + 2);
        if (poll(fds, (nfds_t)n + 2, how_long(written)) < 0 && errno != EINTR) break;
        if (__atomic_load_n(&dead, __ATOMIC_ACQUIRE)) break;
        if (fds[0].revents) (void)!read(wake, &woken, sizeof woken);
        bool news = swap_watch_read(&watch);
        if (swap_watch_missing(&watch) || news) written = now_ms();
        swap_channel_serve(fds + 2, n, command, env);
        if (watch.dirty && config.automatic && now_ms() - written >= config.wait && !swap_apply(&swapper, env, false, NULL))
            written = now_ms(); /* half-written: after `wait` again */
    }
}

/* ---- life -------------------------------------------------------------------------------------- */

static const char *places(void) {
    uint32_t jars = 0;
    for (uint32_t i = 0; i < watch.roots.len; i++) jars += watch.roots.data[i].jar;
    if (jars) return watch.roots.len == 1 ? "jar" : jars == watch.roots.len ? "jars" : "directories and jars";
    return watch.roots.len == 1 ? "directory" : "directories";
}

static bool start(JNIEnv *env) {
    char *path = NULL;
    int64_t begin = now_ms();
    if (!config.watch) AGENT_CHECK(&agent, (*agent.ti)->GetSystemProperty(agent.ti, "java.class.path", &path));
    const char *list = config.watch ? config.watch : path ? path : "";
    wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    bool ok = wake >= 0 && swap_watch_open(&watch, &agent, list, config.watch != NULL);
    if (path) (*agent.ti)->Deallocate(agent.ti, (unsigned char *)path);
    if (ok)
        agent_log(&agent, AGENT_INFO, "watching %u class files in %u %s (%lld ms)", watch.files.count, watch.roots.len, places(),
                  (long long)(now_ms() - begin));
    return ok && swap_channel_open(&agent, config.port, config.socket) && agent_start_thread(&agent, env, "hotswap", run);
}

static void JNICALL on_vm_init(jvmtiEnv *ti, JNIEnv *env, jthread thread) {
    if (!start(env)) agent_log(&agent, AGENT_ERROR, "nothing will be swapped");
}

static void JNICALL on_vm_death(jvmtiEnv *ti, JNIEnv *env) {
    uint64_t one = 1;
    __atomic_store_n(&dead, true, __ATOMIC_RELEASE);
    if (wake >= 0) (void)!write(wake, &one, sizeof one);
    swap_channel_close();
}

static int configure(JavaVM *vm, char *options) {
    int rc = agent_options(&agent, options, rows, &config);
    if (rc != AGENT_OK) return rc;
    if (config.wait < 0 || config.tries < 1)
        return agent_log(&agent, AGENT_ERROR, "wait cannot be negative, tries not below 1"), AGENT_BAD;
    agent_set_level(&agent, config.quiet, config.verbose);
    swapper.hooks = config.hook;
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
    if (!c.socket) return agent_log(&agent, AGENT_INFO, "already at work; the new options are ignored"), JNI_OK;
    bool ok = swap_channel_add(&agent, c.socket);
    if (wake >= 0) (void)!write(wake, &one, sizeof one);
    return ok ? JNI_OK : JNI_ERR;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    JNIEnv *env = NULL;
    if (loaded) return again(options);
    int rc = configure(vm, options);
    if (rc != AGENT_OK) return rc == AGENT_HELP ? JNI_OK : JNI_ERR;
    loaded = true;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) return JNI_ERR;
    return start(env) ? JNI_OK : JNI_ERR;
}
