/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostic commands: what jcmd sends and what the DiagnosticCommand MBean offers.
 * Commands and their arguments are rows of diag_commands.def; a line is split at blanks (quotes
 * group), checked against the rows, and handed to cmd_<id> with one value per argument row.
 */
#include "jvm/diag.h"
#include "jvm/jvm_int.h"

#include "core/hooks.h"
#include "core/launch.h"
#include "core/options.h"
#include "core/vm.h"
#include "load/loader.h"
#include "os/os.h"

#include <stdlib.h>
#include <time.h>

enum { MAX_ARGS = 8, MAX_LINE = 4096 };

typedef struct DiagCall {
    Thread *t;
    FILE *out;
    const char *value[MAX_ARGS]; /* by argument row; NULL = not given and no default */
} DiagCall;
typedef bool (*Handler)(DiagCall *c);

#define COMMAND(id, name, text, impact, permission) static bool cmd_##id(DiagCall *c);
#define ARG(cmd, name, text, type, standard, option, mandatory)
#include "jvm/diag_commands.def"
#undef COMMAND
#undef ARG

typedef enum CommandId {
#define COMMAND(id, name, text, impact, permission) CMD_##id,
#define ARG(cmd, name, text, type, standard, option, mandatory)
#include "jvm/diag_commands.def"
#undef COMMAND
#undef ARG
    N_COMMANDS
} CommandId;

static const struct {
    CommandId command;
    DiagArg arg;
} all_args[] = {
#define COMMAND(id, name, text, impact, permission)
#define ARG(cmd, name, text, type, standard, option, mandatory) \
    {CMD_##cmd, {name, text, type, standard, option, mandatory}},
#include "jvm/diag_commands.def"
#undef COMMAND
#undef ARG
};

static DiagArg arg_rows[ARRAY_LEN(all_args)];
static DiagCommand commands[N_COMMANDS] = {
#define COMMAND(id, name, text, impact, permission) {name, text, impact, permission, NULL, 0},
#define ARG(cmd, name, text, type, standard, option, mandatory)
#include "jvm/diag_commands.def"
#undef COMMAND
#undef ARG
};
static const Handler handlers[N_COMMANDS] = {
#define COMMAND(id, name, text, impact, permission) cmd_##id,
#define ARG(cmd, name, text, type, standard, option, mandatory)
#include "jvm/diag_commands.def"
#undef COMMAND
#undef ARG
};

__attribute__((constructor)) static void index_arguments(void) {
    for (size_t i = 0; i < ARRAY_LEN(all_args); i++) {
        DiagCommand *c = &commands[all_args[i].command];
        arg_rows[i] = all_args[i].arg;
        if (c->n_args++ == 0) c->args = &arg_rows[i];
    }
}

int diag_command_count(void) { return N_COMMANDS; }
const DiagCommand *diag_command(int i) { return &commands[i]; }

/* ---- calling Java ---- */

static bool report_exception(Thread *t, FILE *out) {
    Object *ex = exception_take(t);
    char name[512];
    if (!ex) return true;
    char *text = string_to_cstr(JGET_REF(ex, Throwable, detailMessage));
    fprintf(out, "%s%s%s\n", class_external_name(obj_class(ex), name, sizeof name), text ? ": " : "", text ? text : "");
    free(text);
    return false;
}

static bool call_boot_static(Thread *t, const char *cls, const char *name, const char *desc, const Slot *args,
                             Slot *ret) {
    Class *c = load_class_or_ncdfe(t, symbol_of(cls), BOOT_LOADER);
    if (!c || !class_init(t, c)) return false;
    Method *m = class_find_method_str(c, name, desc);
    if (m) return exec_call(t, m, args, ret);
    throw_new(t, EX_NoSuchMethodError, "%s.%s%s", cls, name, desc);
    return false;
}

bool diag_print_properties(Thread *t, const char *method, FILE *out) {
    Slot ret = {.raw = 0};
    if (call_boot_static(t, "jdk/internal/vm/VMSupport", method, "()[B", NULL, &ret) && ret.ref)
        fwrite(array_data(ret.ref), 1, (size_t)array_len(ret.ref), out);
    return report_exception(t, out);
}

/* ---- agents ---- */

/* libinstrument needs its module; it is there only if somebody required it. */
static bool require_module(Thread *t, const char *name) {
    Slot a = {.ref = string_from_cstr(t, name)};
    return a.ref && call_boot_static(t, "jdk/internal/module/Modules", "loadModule",
                                     "(Ljava/lang/String;)Ljava/lang/Module;", &a, &(Slot){.raw = 0});
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

/* ---- commands ---- */

static bool is_true(const char *v) { return v && strcmp(v, "true") == 0; }
static bool done(DiagCall *c) { return fprintf(c->out, "Command executed successfully\n"), true; }

static bool cmd_class_histogram(DiagCall *c) { return class_histogram(c->t, c->out, !is_true(c->value[0])), true; }

static bool cmd_heap_dump(DiagCall *c) {
    int level = c->value[2] ? atoi(c->value[2]) : 0;
    if (c->value[2] && (level < 1 || level > 9))
        return fprintf(c->out, "Compression level out of range (1-9): %s\n", c->value[2]), false;
    HprofRequest r = {.path = c->value[0], .live = !is_true(c->value[1]), .gzip = level,
                      .overwrite = is_true(c->value[3])};
    return hprof_dump(c->t, &r, c->out);
}

static bool cmd_heap_info(DiagCall *c) { return heap_print_info(c->out), true; }

static bool cmd_gc_run(DiagCall *c) {
    if (vm_options.explicit_gc_off)
        return fprintf(c->out, "Explicit GC is disabled, no GC has been performed.\n"), true;
    heap_gc(c->t, "Diagnostic Command");
    return done(c);
}

static bool cmd_run_finalization(DiagCall *c) {
    call_boot_static(c->t, "java/lang/System", "runFinalization", "()V", NULL, NULL);
    return report_exception(c->t, c->out) && done(c);
}

/* An agent jar is loaded by libinstrument. */
static bool cmd_agent_load(DiagCall *c) {
    const char *lib = c->value[0], *opt = c->value[1];
    size_t n = strlen(lib);
    char jar[MAX_LINE];
    if (n < 4 || strcmp(lib + n - 4, ".jar") != 0) return diag_load_agent(c->t, lib, true, opt, c->out);
    snprintf(jar, sizeof jar, "%s%s%s", lib, opt ? "=" : "", opt ? opt : "");
    return diag_load_agent(c->t, "instrument", false, jar, c->out);
}

static bool cmd_data_dump(DiagCall *c) {
    HOOK_CALL(DATA_DUMP, data_dump);
    return done(c);
}

static bool management_agent(DiagCall *c, const char *method, const char *desc, const char *text) {
    Slot a = {.ref = text ? string_from_platform(c->t, text) : NULL}, ret = {.raw = 0};
    if (require_module(c->t, "jdk.management.agent"))
        call_boot_static(c->t, "jdk/internal/agent/Agent", method, desc, &a, &ret);
    return report_exception(c->t, c->out);
}
static bool cmd_agent_start(DiagCall *c) {
    return management_agent(c, "startRemoteManagementAgent", "(Ljava/lang/String;)V",
                            c->value[0] ? c->value[0] : "") && done(c);
}
static bool cmd_agent_start_local(DiagCall *c) {
    return management_agent(c, "startLocalManagementAgent", "()V", NULL) && done(c);
}
static bool cmd_agent_stop(DiagCall *c) {
    return management_agent(c, "stopRemoteManagementAgent", "()V", NULL) && done(c);
}
static bool cmd_agent_status(DiagCall *c) {
    Slot ret = {.raw = 0};
    if (require_module(c->t, "jdk.management.agent") &&
        call_boot_static(c->t, "jdk/internal/agent/Agent", "getManagementAgentStatus", "()Ljava/lang/String;", NULL,
                         &ret)) {
        char *s = string_to_cstr(ret.ref);
        fprintf(c->out, "%s\n", s ? s : "");
        free(s);
    }
    return report_exception(c->t, c->out);
}

static bool cmd_thread_print(DiagCall *c) {
    return thread_dump(c->t, c->out, is_true(c->value[0]), is_true(c->value[1])), true;
}

static bool cmd_classloader_stats(DiagCall *c) { return classloader_stats(c->t, c->out), true; }

static bool cmd_command_line(DiagCall *c) {
    const char *cp = property_get("java.class.path");
    fprintf(c->out, "VM Arguments:\n");
    if (n_vm_arguments) {
        fprintf(c->out, "jvm_args: ");
        for (int i = 0; i < n_vm_arguments; i++)
            if (!argument_of_launcher(vm_arguments[i]))
                fprintf(c->out, "%s ", vm_arguments[i]);
        fputc('\n', c->out);
    }
    fprintf(c->out, "java_command: %s\njava_class_path (initial): %s\nLauncher Type: %s\n",
            java_command ? java_command : "<unknown>", cp && *cp ? cp : "<not set>",
            property_get("sun.java.launcher") ? property_get("sun.java.launcher") : "generic");
    return true;
}

static bool cmd_flags(DiagCall *c) {
    return (is_true(c->value[0]) ? vm_flags_print_all : vm_flags_print_set)(c->out), true;
}

static bool cmd_set_flag(DiagCall *c) {
    const VmFlag *f = vm_flag_find(c->value[0]);
    const char *why = f ? vm_flag_set(f, c->value[1] ? c->value[1] : f->type == FLAG_BOOL ? "true" : "") : NULL;
    if (!f) return fprintf(c->out, "no such flag '%s'\n", c->value[0]), false;
    return !why || (fprintf(c->out, "%s\n", why), false);
}

static bool cmd_system_properties(DiagCall *c) {
    return diag_print_properties(c->t, "serializePropertiesToByteArray", c->out);
}

static bool cmd_uptime(DiagCall *c) {
    char date[64] = "";
    struct tm tm;
    time_t now = time(NULL);
    if (is_true(c->value[0])) strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S%z: ", localtime_r(&now, &tm));
    fprintf(c->out, "%s%.3f s\n", date, (double)(os_nanos() - vm.start_nanos) / 1e9);
    return true;
}

static bool cmd_version(DiagCall *c) {
    fprintf(c->out, "%s version %s\nJDK %s\n", property_get("java.vm.name"), property_get("java.vm.version"),
            property_get("java.vm.specification.version"));
    return true;
}

static void print_help(FILE *out, const DiagCommand *d) {
    bool options = false, positional = false;
    for (int i = 0; i < d->n_args; i++) *(d->args[i].option ? &options : &positional) = true;
    fprintf(out, "%s\n%s\n\nImpact: %s\n\n", d->name, d->description, d->impact);
    if (d->permission) fprintf(out, "Permission: java.lang.management.ManagementPermission(%s)\n\n", d->permission);
    fprintf(out, d->n_args ? "Syntax : %s%s" : "Syntax: %s%s", d->name, options ? " [options]" : "");
    for (int i = 0; i < d->n_args; i++)
        if (!d->args[i].option) fprintf(out, d->args[i].mandatory ? " <%s>" : " [<%s>]", d->args[i].name);
    fprintf(out, "\n");
    for (int pass = 0; pass < 2; pass++) {
        if (!(pass ? options : positional)) continue;
        fprintf(out, pass ? "\nOptions: (options must be specified using the <key> or <key>=<value> syntax)\n"
                          : "\nArguments:\n");
        for (int i = 0; i < d->n_args; i++) {
            const DiagArg *a = &d->args[i];
            if (a->option != (pass == 1)) continue;
            fprintf(out, "\t%s : %s%s (%s, %s)\n", a->name, a->mandatory ? "" : "[optional] ", a->description, a->type,
                    a->standard ? a->standard : "no default value");
        }
    }
}

static const DiagCommand *find_command(const char *name) {
    for (int i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static bool cmd_help(DiagCall *c) {
    const char *name = c->value[0];
    bool all = is_true(c->value[1]) || (name && strcmp(name, "all") == 0);
    if (name && !all) {
        const DiagCommand *d = find_command(name);
        if (!d) return fprintf(c->out, "Help unavailable : '%s' : No such command\n", name), true;
        return print_help(c->out, d), true;
    }
    if (!all) fprintf(c->out, "The following commands are available:\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        if (all) print_help(c->out, &commands[i]);
        fprintf(c->out, all ? "\n" : "%s\n", commands[i].name);
    }
    if (!all) fprintf(c->out, "\nFor more information about a specific command use 'help <command>'.\n");
    return true;
}

/* ---- command lines ---- */

/* The next word of *p, written over the text; NULL at the end. */
static char *next_word(char **p) {
    char *s = *p, *w, quote = 0;
    while (*s == ' ' || *s == '\t') s++;
    if (!*s) return NULL;
    char *start = w = s;
    for (; *s && (quote || (*s != ' ' && *s != '\t')); s++) {
        if (quote ? *s == quote : *s == '"' || *s == '\'') quote = quote ? 0 : *s;
        else *w++ = *s;
    }
    *p = *s ? s + 1 : s;
    *w = 0;
    return start;
}

static bool refuse_argument(FILE *out, const char *fmt, const char *a) {
    fprintf(out, "java.lang.IllegalArgumentException: ");
    fprintf(out, fmt, a);
    fputc('\n', out);
    return false;
}

/* -name or -name=value of an option row; true = taken. */
static bool take_option(DiagCall *c, const DiagCommand *d, char *word) {
    char *eq = strchr(word, '=');
    size_t n = eq ? (size_t)(eq - word) : strlen(word);
    for (int i = 0; i < d->n_args; i++) {
        const DiagArg *a = &d->args[i];
        if (!a->option || strlen(a->name) != n || strncmp(a->name, word, n) != 0) continue;
        c->value[i] = eq ? eq + 1 : strcmp(a->type, "BOOLEAN") == 0 ? "true" : "1";
        return true;
    }
    return false;
}

static bool take_arguments(DiagCall *c, const DiagCommand *d, char *rest) {
    int position = 0;
    for (char *word; (word = next_word(&rest));) {
        if (take_option(c, d, word)) continue;
        while (position < d->n_args && d->args[position].option) position++;
        if (position == d->n_args || *word == '-')
            return refuse_argument(c->out, "Unknown argument '%s' in diagnostic command.", word);
        c->value[position++] = word;
    }
    for (int i = 0; i < d->n_args; i++) {
        if (!c->value[i]) c->value[i] = d->args[i].standard;
        if (!c->value[i] && d->args[i].mandatory)
            return refuse_argument(c->out, "The argument '%s' is mandatory.", d->args[i].name);
    }
    return true;
}

static bool execute_one(Thread *t, char *line, FILE *out) {
    DiagCall c = {.t = t, .out = out};
    char *rest = line, *name = next_word(&rest);
    const DiagCommand *d = name ? find_command(name) : NULL;
    if (!name) return true;
    if (!d) return refuse_argument(out, "%s", "Unknown diagnostic command");
    return take_arguments(&c, d, rest) && handlers[d - commands](&c);
}

/* Several commands come one per line; an empty line or '#' is a comment, "stop" ends. */
bool diag_execute(Thread *t, const char *text, FILE *out) {
    char *copy = strdup(text);
    bool ok = copy != NULL;
    for (char *line = copy, *end; ok && line; line = end) {
        end = strchr(line, '\n');
        if (end) *end++ = 0;
        if (*line == '#') continue;
        if (strcmp(line, "stop") == 0) break;
        ok = execute_one(t, line, out);
    }
    free(copy);
    return ok;
}
