/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostic commands that report: tables of the VM, the process. */
#include "core/events.h"
#include "serve/diag_int.h"
#include "serve/jmm_int.h"

#include "jit/jit.h"
#include "os/crash.h"

#include <stdlib.h>

/* ---- the compiler ---- */

bool diag_cmd_codecache(DiagCall *c) { return jit_describe_cache(c->out), true; }
bool diag_cmd_codelist(DiagCall *c) { return jit_list_code(c->out), true; }
bool diag_cmd_explain(DiagCall *c) { return jit_explain(c->out, c->value[0]), true; }
bool diag_cmd_queue(DiagCall *c) {
    fprintf(c->out, "Current compiles: \n");
    if (!jit_on) return fputc('\n', c->out), true;
    fprintf(c->out, "\nC1 compile queue:\n");
    jit_print_queue(c->out);
    return fputc('\n', c->out), true;
}
bool diag_cmd_perfmap(DiagCall *c) {
    return jit_write_perf_map() ? diag_done(c) : (fprintf(c->out, "The map cannot be written.\n"), true);
}

#define NO_DIRECTIVES "There are no compiler directives on this VM; see -XX:CompileCommand."
#define NO_RECORDER "Flight Recorder is not supported on this VM."
#define ABSENT_COMMAND(id, name, text, impact, permission, line) \
    bool diag_cmd_##id(DiagCall *c) { return fprintf(c->out, "%s\n", line), true; }
#include "serve/diag_commands.def"

/* ---- the process ---- */

static void to_file(const char *text, size_t n, void *out) { fwrite(text, 1, n, out); }

bool diag_cmd_info(DiagCall *c) {
    static VmLock one = VM_LOCK(REPORT);
    THREAD_BLOCKING(c->t) lock_take(&one);
    fprintf(c->out, "#\n");
    crash_describe_process(to_file, c->out);
    lock_release(&one);
    return true;
}

bool diag_cmd_dynlibs(DiagCall *c) {
    char part[4096];
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return fprintf(c->out, "/proc/self/maps cannot be read\n"), true;
    fprintf(c->out, "Dynamic libraries:\n");
    for (size_t n; (n = fread(part, 1, sizeof part, maps)) > 0;) fwrite(part, 1, n, c->out);
    fclose(maps);
    return true;
}

/* ---- the past ---- */

static void print_events(FILE *out, EventLog l, int max) {
    char line[512];
    int n = event_count(l), shown = n < max ? n : max;
    fprintf(out, "%s (%d events):\n%s", event_log_title(l), n, n ? "" : "No events\n");
    for (int i = n - shown; i < n; i++) {
        event_line(l, i, line, sizeof line);
        fprintf(out, "%s\n", line);
    }
    fprintf(out, shown < n ? "...(skipped)\n\n" : "\n");
}

bool diag_cmd_events(DiagCall *c) {
    char *end = NULL;
    const char *name = c->value[0], *limit = c->value[1];
    long max = limit ? strtol(limit, &end, 10) : INT32_MAX;
    if (limit && (!*limit || *end || max < 0)) return fprintf(c->out, "Invalid max option: \"%s\".\n", limit), true;
    bool found = false;
    for (int l = 0; l < N_EVENT_LOGS; l++) {
        if (name && strcmp(name, event_log_name((EventLog)l)) != 0) continue;
        print_events(c->out, (EventLog)l, max > INT32_MAX ? INT32_MAX : (int)max);
        found = true;
    }
    if (found) return true;
    fprintf(c->out, "The name \"%s\" did not match any known event log. Valid event log names are:\n", name);
    for (int l = 0; l < N_EVENT_LOGS; l++)
        fprintf(c->out, "\"%s\" : %s\n", event_log_name((EventLog)l), event_log_title((EventLog)l));
    return true;
}

/* ---- finalization ---- */

bool diag_cmd_finalizer_info(DiagCall *c) {
    Object *volatile list = exec_call_static(c->t, "java/lang/ref/FinalizerHistogram", "getFinalizerHistogram",
                                             "()[Ljava/lang/ref/FinalizerHistogram$Entry;");
    c->t->exception = NULL;
    if (!list || array_len(list) == 0) return fprintf(c->out, "No instances waiting for finalization found\n"), true;
    fprintf(c->out, "Unreachable instances waiting for finalization\n#instances  class name\n-----------------------\n");
    for (int32_t i = 0; i < array_len(list); i++) {
        Object *e = array_ref(list, i);
        const Field *count = class_find_field_str(obj_class(e), "instanceCount", "I");
        const Field *name = class_find_field_str(obj_class(e), "className", "Ljava/lang/String;");
        char *text = name ? string_to_cstr(ref_load(e, name->offset)) : NULL;
        fprintf(c->out, "%10d  %s\n", count ? OBJ_FIELD(int32_t, e, count->offset) : 0, text ? text : "?");
        free(text);
    }
    return true;
}

/* ---- hash tables ---- */

typedef struct Dump {
    FILE *out;
    size_t bytes;
    bool verbose;
} Dump;

static void print_table(FILE *out, const char *title, size_t cells, size_t entries, size_t entry_bytes, size_t literals) {
    fprintf(out,
            "%s statistics:\nNumber of buckets       : %9zu = %9zu bytes, each 8\n"
            "Number of entries       : %9zu = %9zu bytes, each %zu\n",
            title, cells, cells * 8, entries, entries * entry_bytes, entry_bytes);
    if (literals)
        fprintf(out, "Number of literals      : %9zu = %9zu bytes, avg %7.3f\n", entries, literals,
                entries ? (double)literals / (double)entries : 0.0);
    fprintf(out, "Total footprint         :           = %9zu bytes\nAverage bucket size     : %9.3f\n",
            cells * 8 + entries * entry_bytes + literals, cells ? (double)entries / (double)cells : 0.0);
}

static void visit_string(Object *s, void *arg) {
    Dump *d = arg;
    d->bytes += heap_object_size(s) + heap_object_size(JGET_REF(s, String, value));
    if (!d->verbose) return;
    char *text = string_to_cstr(s);
    fprintf(d->out, "%d: %s\n", string_length(s), text ? text : "");
    free(text);
}

static void strings_stopped(void *arg) {
    Dump *d = arg;
    size_t cells, n = string_visit_interned(visit_string, d, &cells);
    if (!d->verbose) print_table(d->out, "StringTable", cells, n, 24, d->bytes);
}

static void visit_symbol(const Symbol *s, void *arg) {
    Dump *d = arg;
    d->bytes += sizeof *s + s->len;
    if (d->verbose) fprintf(d->out, "%u 1: %s\n", (unsigned)s->len, s->bytes);
}
static void symbols_stopped(void *arg) {
    Dump *d = arg;
    size_t cells, n = symbol_visit_all(visit_symbol, d, &cells);
    if (!d->verbose) print_table(d->out, "SymbolTable", cells, n, 8, d->bytes);
}

static void print_class_name(Class *k, void *arg) { fprintf(arg, "  %s\n", class_text(k).s); }
static void visit_dictionary(Loader *l, void *arg) {
    Dump *d = arg;
    char title[640];
    u4 cells, entries;
    loader_table_size(l, &cells, &entries);
    snprintf(title, sizeof title, "System Dictionary for %s class loader", loader_text(l).s);
    print_table(d->out, title, cells, entries, 8, 0);
    if (d->verbose) loader_visit_initiated(l, print_class_name, d->out);
}
static void dictionaries_stopped(void *arg) { loader_visit_all(visit_dictionary, arg); }

static bool dump(DiagCall *c, const char *what, const char *head, void (*stopped)(void *)) {
    Dump d = {.out = c->out, .verbose = diag_true(c->value[0])};
    if (d.verbose) fputs(head, c->out);
    safepoint_run(what, stopped, &d);
    return true;
}
bool diag_cmd_stringtable(DiagCall *c) { return dump(c, "string table", "VERSION: 1.1\n", strings_stopped); }
bool diag_cmd_symboltable(DiagCall *c) { return dump(c, "symbol table", "VERSION: 1.1\n", symbols_stopped); }
bool diag_cmd_systemdictionary(DiagCall *c) { return dump(c, "class tables", "", dictionaries_stopped); }
