/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostic commands that act: collections, dumps, agents, flags, logging; and the short facts. */
#include "serve/diag_int.h"
#include "serve/jmm_int.h"

#include "core/hooks.h"
#include "core/launch.h"
#include "log/log.h"
#include "core/options.h"
#include "core/vm.h"
#include "os/os.h"

#include <malloc.h>
#include <stdlib.h>
#include <time.h>

/* ---- calling Java ---- */

static bool report_exception(Thread *t, FILE *out) {
    Object *ex = exception_take(t);
    if (!ex) return true;
    char *text = string_to_cstr(JGET_REF(ex, Throwable, detailMessage));
    fprintf(out, "%s%s%s\n", class_text(obj_class(ex)).s, text ? ": " : "", text ? text : "");
    free(text);
    return false;
}

bool diag_print_properties(Thread *t, const char *method, FILE *out) {
    Object *text = exec_call_static(t, "jdk/internal/vm/VMSupport", method, "()[B");
    if (text) fwrite(array_data(text), 1, (size_t)array_len(text), out);
    return report_exception(t, out);
}

/* ---- agents ---- */

/* libinstrument needs its module; it is there only if somebody required it. */
static bool require_module(Thread *t, const char *name) {
    return exec_call_static(t, "jdk/internal/module/Modules", "loadModule", "(Ljava/lang/String;)Ljava/lang/Module;",
                            string_from_cstr(t, name));
}

bool diag_load_agent(Thread *t, const char *library, bool absolute, const char *options, FILE *out) {
    char err[1024] = "";
    if (strcmp(library, "instrument") == 0 && !require_module(t, "java.instrument")) return report_exception(t, out);
    for (const VmExtension **x = vm_extensions; *x; x++) {
        if (!(*x)->attach_agent) continue;
        int rc = (*x)->attach_agent(library, absolute, options, err, sizeof err);
        if (!report_exception(t, out)) return false;
        if (*err) return fprintf(out, "%s was not loaded.\n%s\n", library, err), false;
        fprintf(out, "return code: %d\n", rc);
        return true;
    }
    fprintf(out, "This VM was built without JVM TI\n");
    return false;
}

/* What libjdwp has for this, in whichever agent library it is. */
typedef const char *(*StartDebugging)(JNIEnv *env, jobject thread, const char **transport, const char **address, jboolean *first);

bool diag_cmd_start_debugging(DiagCall *c) {
    const char *transport = NULL, *address = NULL, *error = "Could not find jdwp agent.";
    jboolean first = false;
    StartDebugging start = (StartDebugging)native_find_in_agents("debugInit_startDebuggingViaCommand");
    jobject self = handle_local(c->t, c->t->java_thread);
    if (start) THREAD_BLOCKING(c->t) error = start(&c->t->env, self, &transport, &address, &first);
    handle_delete_local(c->t, self);
    if (error) return fprintf(c->out, "Debugging has not been started: %s\n", error), true;
    fprintf(c->out, first ? "Debugging has been started.\n" : "Debugging is already active.\n");
    fprintf(c->out, "Transport : %s\nAddress : %s\n", transport ? transport : "#unknown", address ? address : "#unknown");
    return true;
}

/* ---- commands ---- */

bool diag_cmd_class_histogram(DiagCall *c) { return class_histogram(c->t, c->out, !diag_true(c->value[0])), true; }

bool diag_cmd_heap_dump(DiagCall *c) {
    int level = c->given[2] ? atoi(c->value[2]) : 0;
    if (c->given[2] && (level < 1 || level > 9))
        return fprintf(c->out, "Compression level out of range (1-9): %s\n", c->value[2]), true;
    HprofRequest r = {.path = c->value[0], .live = !diag_true(c->value[1]), .gzip = level, .overwrite = diag_true(c->value[3])};
    hprof_dump(c->t, &r, c->out); /* what failed is the dump, not the command */
    return true;
}

bool diag_cmd_heap_info(DiagCall *c) { return heap_print_info(c->out), true; }

bool diag_cmd_gc_run(DiagCall *c) {
    if (vm_options.explicit_gc_off) return fprintf(c->out, "Explicit GC is disabled, no GC has been performed.\n"), true;
    heap_gc(c->t, "Diagnostic Command");
    return diag_done(c);
}

bool diag_cmd_run_finalization(DiagCall *c) {
    exec_call_static(c->t, "java/lang/System", "runFinalization", "()V");
    return report_exception(c->t, c->out) && diag_done(c);
}

/* An agent jar is loaded by libinstrument.  What fails is the agent, not the command. */
bool diag_cmd_agent_load(DiagCall *c) {
    const char *lib = c->value[0], *opt = c->value[1];
    size_t n = strlen(lib);
    char jar[DIAG_MAX_LINE];
    if (n < 4 || strcmp(lib + n - 4, ".jar") != 0) return diag_load_agent(c->t, lib, true, opt, c->out), true;
    snprintf(jar, sizeof jar, "%s%s%s", lib, opt ? "=" : "", opt ? opt : "");
    return diag_load_agent(c->t, "instrument", false, jar, c->out), true;
}

bool diag_cmd_data_dump(DiagCall *c) {
    HOOK_CALL(DATA_DUMP, data_dump);
    return diag_done(c);
}

static bool management_agent(DiagCall *c, const char *method, const char *desc, const char *text) {
    Object *arg = text ? string_from_platform(c->t, text) : NULL;
    if (require_module(c->t, "jdk.management.agent")) exec_call_static(c->t, "jdk/internal/agent/Agent", method, desc, arg);
    return report_exception(c->t, c->out);
}
/* The options given, as properties separated by commas. */
bool diag_cmd_agent_start(DiagCall *c) {
    const DiagCommand *d = diag_find("ManagementAgent.start", c->source);
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    for (int i = 0; out && i < d->n_args; i++)
        if (c->given[i]) fprintf(out, "%scom.sun.management.%s=%s", ftell(out) ? "," : "", d->args[i].name, c->value[i]);
    if (out) fclose(out);
    bool ok = text && management_agent(c, "startRemoteManagementAgent", "(Ljava/lang/String;)V", text);
    free(text);
    return ok && diag_done(c);
}
bool diag_cmd_agent_start_local(DiagCall *c) {
    return management_agent(c, "startLocalManagementAgent", "()V", NULL) && diag_done(c);
}
bool diag_cmd_agent_stop(DiagCall *c) { return management_agent(c, "stopRemoteManagementAgent", "()V", NULL) && diag_done(c); }
bool diag_cmd_agent_status(DiagCall *c) {
    Object *status = NULL;
    if (require_module(c->t, "jdk.management.agent"))
        status = exec_call_static(c->t, "jdk/internal/agent/Agent", "getManagementAgentStatus", "()Ljava/lang/String;");
    char *s = string_to_cstr(status);
    if (!c->t->exception) fprintf(c->out, "%s\n", s ? s : "");
    free(s);
    return report_exception(c->t, c->out);
}

bool diag_cmd_thread_print(DiagCall *c) {
    return thread_dump(c->t, c->out, diag_true(c->value[0]), diag_true(c->value[1])), true;
}

bool diag_cmd_command_line(DiagCall *c) {
    const char *cp = property_get("java.class.path");
    fprintf(c->out, "VM Arguments:\n");
    if (n_vm_arguments) {
        fprintf(c->out, "jvm_args: ");
        for (int i = 0; i < n_vm_arguments; i++)
            if (!argument_of_launcher(vm_arguments[i])) fprintf(c->out, "%s ", vm_arguments[i]);
        fputc('\n', c->out);
    }
    fprintf(c->out, "java_command: %s\njava_class_path (initial): %s\nLauncher Type: %s\n",
            java_command ? java_command : "<unknown>", cp && *cp ? cp : "<not set>",
            property_get("sun.java.launcher") ? property_get("sun.java.launcher") : "generic");
    return true;
}

bool diag_cmd_flags(DiagCall *c) {
    if (diag_true(c->value[0])) vm_flags_print_all(c->out, LIST_FINAL);
    else vm_flags_print_set(c->out);
    return true;
}

bool diag_cmd_set_flag(DiagCall *c) {
    const VmFlag *f = vm_flag_find(c->value[0]);
    const char *v = c->value[1], *why = NULL;
    if (!f) return fprintf(c->out, "flag %s does not exist\n", c->value[0]), true;
    if (!f->manageable) why = "only 'writeable' flags can be set";
    else if (!v && f->type != FLAG_BOOL) why = "flag value is missing";
    else why = vm_flag_set(f, v ? v : "true", ORIGIN_MANAGEMENT);
    if (!why) return diag_done(c);
    return fprintf(c->out, "%s\n", why), true;
}

/* A logging command does one thing: list, disable, rotate, or configure an output. */
bool diag_cmd_log(DiagCall *c) {
    enum { OUTPUT, OUTPUT_OPTIONS, WHAT, DECORATORS, DISABLE, LIST, ROTATE };
    bool configure = c->given[OUTPUT] || c->given[WHAT] || c->given[DECORATORS];
    if (diag_true(c->value[DISABLE])) log_disable();
    if (configure) {
        if (!log_reconfigure(c->value[OUTPUT], c->value[WHAT], c->value[DECORATORS], c->value[OUTPUT_OPTIONS], c->out))
            return true;
    }
    if (diag_true(c->value[LIST])) return log_describe(c->out), true;
    if (diag_true(c->value[ROTATE])) log_rotate_all();
    if (configure || diag_true(c->value[DISABLE]) || diag_true(c->value[ROTATE])) return diag_done(c);
    return diag_print_help(c->out, diag_find("VM.log", c->source)), true;
}

/* Resident and swapped out memory of this process in KB. */
static size_t process_kb(void) {
    size_t sum = 0, n;
    char line[256];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmRSS: %zu", &n) == 1 || sscanf(line, "VmSwap: %zu", &n) == 1) sum += n;
    if (f) fclose(f);
    return sum;
}
bool diag_cmd_trim(DiagCall *c) {
    size_t before = process_kb();
    malloc_trim(0);
    size_t after = process_kb(), change = (after > before ? after - before : before - after) * 1024;
    fprintf(c->out, "Trim native heap: RSS+Swap: %zuK->%zuK (%c", before, after, after < before ? '-' : '+');
    if (change >= 10 << 20) fprintf(c->out, "%zuM)\n", change >> 20);
    else if (change >= 10 << 10) fprintf(c->out, "%zuK)\n", change >> 10);
    else fprintf(c->out, "%zuB)\n", change);
    return true;
}

bool diag_cmd_system_properties(DiagCall *c) { return diag_print_properties(c->t, "serializePropertiesToByteArray", c->out); }

bool diag_cmd_uptime(DiagCall *c) {
    char date[64] = "";
    struct tm tm;
    time_t now = time(NULL);
    if (diag_true(c->value[0])) strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z: ", localtime_r(&now, &tm));
    fprintf(c->out, "%s%.3f s\n", date, (double)(os_nanos() - vm.start_nanos) / 1e9);
    return true;
}

/* The class library knows; a property of the name may have been set to anything. */
char *diag_jdk_version(Thread *t) {
    Class *c = load_class_or_ncdfe(t, symbol_of("java/lang/VersionProps"), BOOT_LOADER);
    Field *f = c && class_init(t, c) ? class_find_field_str(c, "java_version", "Ljava/lang/String;") : NULL;
    char *text = f ? string_to_cstr(ref_load(c->mirror, f->offset)) : NULL;
    t->exception = NULL;
    return text;
}
bool diag_cmd_version(DiagCall *c) {
    char *jdk = diag_jdk_version(c->t);
    fprintf(c->out, "%s version %s\nJDK %.*s\n", property_get("java.vm.name"), property_get("java.vm.version"),
            (int)strcspn(jdk ? jdk : "", "-+"), jdk ? jdk : "");
    free(jdk);
    return true;
}

bool diag_cmd_help(DiagCall *c) {
    const char *name = c->value[0];
    bool all = diag_true(c->value[1]) || (name && strcmp(name, "all") == 0);
    if (name && !all) {
        const DiagCommand *d = diag_find(name, c->source);
        if (!d) return fprintf(c->out, "Help unavailable : '%s' : No such command\n", name), true;
        return diag_print_help(c->out, d), true;
    }
    if (!all) fprintf(c->out, "The following commands are available:\n");
    for (int i = 0; i < diag_command_count(); i++) {
        if (!diag_is_offered(diag_command(i), c->source)) continue;
        if (all) fprintf(c->out, "%s\n\t%s\n\n", diag_command(i)->name, diag_command(i)->description);
        else fprintf(c->out, "%s\n", diag_command(i)->name);
    }
    if (!all) fprintf(c->out, "\nFor more information about a specific command use 'help <command>'.\n");
    return true;
}
