/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -XX options by name: the reference's flags with their types and ranges (options/known_flags.def), of
 * which those in core/options.def do something here, and flags of our own.  For the command line,
 * -XX:+PrintFlagsFinal, jinfo -flag, jcmd VM.flags and HotSpotDiagnosticMXBean.
 *
 * The table is made when the first flag is asked for: most programs give none.  Values of flags that
 * change nothing are kept in the table, so that who sets one reads it back.
 */
#include "object/object.h"
#include "options/flags.h"

#include "core/launch.h"
#include "core/options.h"
#include "heap/heap.h"
#include "log/log.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

static u8 initial_heap(void) { return vm_options.heap_min; }
static u8 maximum_heap(void) { return heap_max(); }
static u8 always(void) { return 1; }
static u8 object_alignment(void) { return OBJECT_ALIGN; }
static u8 stack_kilobytes(void) { return vm_options.stack_size >> 10; }

/* What is ours: where the value lives. */
typedef struct OwnFlag {
    const char *name;
    FlagType cell_type;
    void *cell;
    u8 (*get)(void);
    u8 standard;
} OwnFlag;
static const OwnFlag own[] = {
    {"InitialHeapSize", FLAG_SIZE, NULL, initial_heap, 0},
    {"MaxHeapSize", FLAG_SIZE, NULL, maximum_heap, UINT64_MAX},
    {"ThreadStackSize", FLAG_INT, NULL, stack_kilobytes, 0},
    /* facts that programs ask for to reckon sizes of objects */
    {"UseCompressedOops", FLAG_BOOL, NULL, always, 0},
    {"UseCompressedClassPointers", FLAG_BOOL, NULL, always, 0},
    {"ObjectAlignmentInBytes", FLAG_INT, NULL, object_alignment, OBJECT_ALIGN},
#define OPT_BOOL(id, flag, def, help) {flag, FLAG_BOOL, &vm_options.id, NULL, def},
#define OPT_SIZE(id, flag, def, help) {flag, FLAG_SIZE, &vm_options.id, NULL, def},
#define OPT_STR(id, flag, def, help) {flag, FLAG_STR, &vm_options.id, NULL, 0},
#define OPT_REAL(id, flag, def, help) {flag, FLAG_DOUBLE, &vm_options.id, NULL, 0},
#include "core/options.def"
};
static const struct KnownFlag {
    const char *type, *name, *standard, *kind, *least, *most;
} known[] = {
#define KNOWN_FLAG(type, name, standard, kind, least, most) {type, #name, standard, kind, least, most},
#include "options/known_flags.def"
};
static const struct {
    const char *name, *version;
} deprecated[] = {{"AllowRedefinitionToAddDeleteMethods", "13.0"},
                  {"AlwaysLockClassLoader", "17.0"},
                  {"BiasedLockingBulkRebiasThreshold", "15.0"},
                  {"BiasedLockingBulkRevokeThreshold", "15.0"},
                  {"BiasedLockingDecayTime", "15.0"},
                  {"BiasedLockingStartupDelay", "15.0"},
                  {"CriticalJNINatives", "16.0"},
                  {"FlightRecorder", "13.0"},
                  {"InitialRAMFraction", "10.0"},
                  {"MaxGCMinorPauseMillis", "8.0"},
                  {"MaxRAMFraction", "10.0"},
                  {"MinRAMFraction", "10.0"},
                  {"UseBiasedLocking", "15.0"}};

static VmFlag table[ARRAY_LEN(known) + ARRAY_LEN(own)];
static int n_flags;

static FlagType type_of(const char *name) {
    if (strcmp(name, "bool") == 0) return FLAG_BOOL;
    if (strcmp(name, "int") == 0 || strcmp(name, "intx") == 0) return FLAG_INT;
    if (strcmp(name, "double") == 0) return FLAG_DOUBLE;
    return strncmp(name, "ccstr", 5) == 0 ? FLAG_STR : FLAG_SIZE;
}

static FlagValue parse_standard(FlagType type, const char *text) {
    switch (type) {
    case FLAG_BOOL: return (FlagValue){.b = strcmp(text, "true") == 0};
    case FLAG_INT: return (FlagValue){.i = strtoll(text, NULL, 10)};
    case FLAG_DOUBLE: return (FlagValue){.d = strtod(text, NULL)};
    case FLAG_STR: return (FlagValue){.s = *text ? text : NULL};
    default: return (FlagValue){.u = strtoull(text, NULL, 10)};
    }
}

static const OwnFlag *own_flag(const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        if (strcmp(own[i].name, name) == 0) return &own[i];
    return NULL;
}

static void bind_own(VmFlag *f, const OwnFlag *o) {
    f->cell = o->cell;
    f->cell_type = o->cell_type;
    f->get = o->get;
    if (f->type == FLAG_DOUBLE) f->standard.d = *(const double *)o->cell;
    else if (f->type == FLAG_STR) f->standard.s = NULL;
    else f->standard.u = o->standard;
    f->value = f->standard;
}

static void fill_table(void) {
    static const char *const types[] = {[FLAG_BOOL] = "bool", [FLAG_SIZE] = "size_t", [FLAG_STR] = "ccstr"};
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        VmFlag *f = &table[n_flags++];
        *f = (VmFlag){.name = known[i].name,
                      .type_name = known[i].type,
                      .type = type_of(known[i].type),
                      .kind = known[i].kind,
                      .least = known[i].least,
                      .most = known[i].most,
                      .manageable = strcmp(known[i].kind, "manageable") == 0};
        f->value = f->standard = parse_standard(f->type, known[i].standard);
        const OwnFlag *o = own_flag(f->name);
        if (o) bind_own(f, o);
    }
    int from_reference = n_flags;
    for (size_t i = 0; i < ARRAY_LEN(own); i++) {
        bool there = false;
        for (int k = 0; k < from_reference && !there; k++) there = strcmp(table[k].name, own[i].name) == 0;
        if (there) continue;
        VmFlag *f = &table[n_flags++];
        *f = (VmFlag){.name = own[i].name,
                      .type_name = types[own[i].cell_type],
                      .type = own[i].cell_type,
                      .kind = "product",
                      .least = "",
                      .most = ""};
        bind_own(f, &own[i]);
    }
}
static void ready(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_table);
}

int vm_flag_count(void) { return ready(), n_flags; }
const VmFlag *vm_flag(int i) { return &table[i]; }

static VmFlag *find(const char *name, size_t n) {
    ready();
    for (int i = 0; i < n_flags; i++)
        if (strlen(table[i].name) == n && strncmp(table[i].name, name, n) == 0) return &table[i];
    return NULL;
}
const VmFlag *vm_flag_find(const char *name) { return find(name, strlen(name)); }

/* ---- reading ---- */

FlagValue vm_flag_value(const VmFlag *f) {
    FlagValue v = f->value;
    if (f->get) v.u = f->get();
    else if (!f->cell || f->cell_type != f->type) return v;
    else if (f->type == FLAG_BOOL) v.b = *(const bool *)f->cell;
    else if (f->type == FLAG_STR) v.s = *(const char *const *)f->cell;
    else if (f->type == FLAG_DOUBLE) v.d = *(const double *)f->cell;
    else v.u = *(const u8 *)f->cell;
    if (f->type == FLAG_BOOL && f->get) v.b = f->get() != 0;
    return v;
}

/* -X spellings of sizes count too. */
FlagOrigin vm_flag_origin(const VmFlag *f) {
    static const char *const spelled[][2] = {
        {"MaxHeapSize", "-Xmx"}, {"InitialHeapSize", "-Xms"},         {"ThreadStackSize", "-Xss"},
        {"NewSize", "-Xmn"},     {"MaxHeapSize", "-XX:MaxHeapSize="}, {"InitialHeapSize", "-XX:InitialHeapSize="}};
    if (f->origin) return f->origin;
    for (int i = 0; i < n_vm_arguments; i++)
        for (size_t k = 0; k < ARRAY_LEN(spelled); k++)
            if (strcmp(f->name, spelled[k][0]) == 0 && strncmp(vm_arguments[i], spelled[k][1], strlen(spelled[k][1])) == 0)
                return ORIGIN_COMMAND_LINE;
    FlagValue v = vm_flag_value(f);
    bool differs = f->type == FLAG_STR    ? v.s != NULL && v.s != f->standard.s
                   : f->type == FLAG_BOOL ? v.b != f->standard.b
                                          : v.u != f->standard.u;
    return differs ? ORIGIN_ERGONOMIC : ORIGIN_DEFAULT;
}

static const char *text_of_value(const VmFlag *f, FlagValue v, char *buf, size_t len) {
    switch (f->type) {
    case FLAG_BOOL: return v.b ? "true" : "false";
    case FLAG_INT: snprintf(buf, len, "%" PRId64, v.i); break;
    case FLAG_DOUBLE: snprintf(buf, len, "%f", v.d); break;
    case FLAG_STR: return v.s ? v.s : "";
    default: snprintf(buf, len, "%" PRIu64, v.u);
    }
    return buf;
}

static const char *text_of(const VmFlag *f, char *buf, size_t len) { return text_of_value(f, vm_flag_value(f), buf, len); }

void vm_flag_print(const VmFlag *f, FILE *out) {
    char buf[64];
    if (f->type == FLAG_BOOL) fprintf(out, "-XX:%c%s", vm_flag_value(f).b ? '+' : '-', f->name);
    else fprintf(out, "-XX:%s=%s", f->name, text_of(f, buf, sizeof buf));
}

void vm_flags_print_set(FILE *out) {
    for (int i = 0; i < vm_flag_count(); i++) {
        if (vm_flag_origin(vm_flag(i)) == ORIGIN_DEFAULT) continue;
        vm_flag_print(vm_flag(i), out);
        fputc(' ', out);
    }
    fputc('\n', out);
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const VmFlag *const *)a)->name, (*(const VmFlag *const *)b)->name);
}

/* Flags that must be unlocked are shown only when they are. */
static bool is_locked(const VmFlag *f, const char **how) {
    *how = strstr(f->kind, "diagnostic") ? "diagnostic" : strstr(f->kind, "experimental") ? "experimental" : NULL;
    if (!*how) return false;
    if (strncmp(f->name, "Unlock", 6) == 0) return *how = NULL, false;
    const VmFlag *key = vm_flag_find(**how == 'd' ? "UnlockDiagnosticVMOptions" : "UnlockExperimentalVMOptions");
    return !vm_flag_value(key).b;
}

void vm_flags_print_all(FILE *out, FlagListing what) {
    bool ranges = what == LIST_RANGES, initial = what == LIST_INITIAL;
    static const char *const origins[] = {[ORIGIN_DEFAULT] = "default",
                                          [ORIGIN_COMMAND_LINE] = "command line",
                                          [ORIGIN_ENVIRONMENT] = "environment",
                                          [ORIGIN_CONFIG_FILE] = "config file",
                                          [ORIGIN_MANAGEMENT] = "management",
                                          [ORIGIN_ERGONOMIC] = "ergonomic",
                                          [ORIGIN_ATTACH] = "attach"};
    const VmFlag *sorted[ARRAY_LEN(table)];
    const char *how;
    char buf[64], kind[64];
    int n = vm_flag_count();
    for (int i = 0; i < n; i++) sorted[i] = &table[i];
    qsort(sorted, (size_t)n, sizeof *sorted, by_name);
    fprintf(out, ranges ? "[Global flags ranges]\n" : "[Global flags]\n");
    for (int i = 0; i < n; i++) {
        const VmFlag *f = sorted[i];
        if ((initial ? strstr(f->kind, "diagnostic") || strstr(f->kind, "experimental") : is_locked(f, &how)) ||
            (strncmp(f->name, "Unlock", 6) == 0 && !f->value.b) || (ranges && (f->type == FLAG_BOOL || f->type == FLAG_STR)))
            continue;
        snprintf(kind, sizeof kind, "{%s}", f->kind);
        if (ranges)
            fprintf(out, "%9s %-50s [ %-25s ... %25s ] %20s {%s}\n", f->type_name, f->name, f->least, f->most, kind,
                    origins[vm_flag_origin(f)]);
        else
            fprintf(out, "%9s %-40s = %-30s %20s {%s}\n", f->type_name, f->name,
                    text_of_value(f, initial ? f->standard : vm_flag_value(f), buf, sizeof buf), kind,
                    initial ? "default" : origins[vm_flag_origin(f)]);
    }
}

/* ---- setting ---- */

static void store(VmFlag *f, FlagValue v, FlagOrigin origin) {
    f->value = v;
    f->origin = origin;
    if (!f->cell) return;
    if (f->cell_type == FLAG_BOOL) *(bool *)f->cell = v.b;
    else if (f->cell_type == FLAG_STR) *(const char **)f->cell = v.s;
    else if (f->cell_type == FLAG_DOUBLE) *(double *)f->cell = v.d;
    else *(u8 *)f->cell = f->type == FLAG_DOUBLE ? (u8)v.d : v.u;
}

/* "512m", "0x10", "-3" for signed flags. */
static bool parse_integer(const VmFlag *f, const char *s, FlagValue *v) {
    char *end;
    bool negative = f->type == FLAG_INT && *s == '-';
    if (negative) s++;
    if (!isdigit((unsigned char)*s)) return false;
    errno = 0;
    u8 n = strtoull(s, &end, *s == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10);
    static const char units[] = "kmgt";
    const char *unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (errno || end[unit != NULL] || n > UINT64_MAX >> shift) return false;
    n <<= shift;
    if (f->type == FLAG_INT) v->i = negative ? -(int64_t)n : (int64_t)n;
    else v->u = n;
    return true;
}

static bool in_range(const VmFlag *f, FlagValue v) {
    if (!*f->least || !*f->most) return true;
    switch (f->type) {
    case FLAG_INT: return v.i >= strtoll(f->least, NULL, 10) && v.i <= strtoll(f->most, NULL, 10);
    case FLAG_SIZE: return v.u >= strtoull(f->least, NULL, 10) && v.u <= strtoull(f->most, NULL, 10);
    case FLAG_DOUBLE: return v.d >= strtod(f->least, NULL) && v.d <= strtod(f->most, NULL);
    default: return true;
    }
}

static bool parse_value(const VmFlag *f, const char *text, FlagValue *v) {
    char *end;
    switch (f->type) {
    case FLAG_STR: v->s = strdup(text); return v->s != NULL; /* the former text may be in use by a reader */
    case FLAG_DOUBLE: v->d = strtod(text, &end); return end != text && !*end;
    default: return parse_integer(f, text, v);
    }
}

const char *vm_flag_set(const VmFlag *flag, const char *value, FlagOrigin origin) {
    VmFlag *f = (VmFlag *)flag;
    FlagValue v = f->value;
    static _Thread_local char text[160];
    if (!f->manageable) return "only 'writeable' flags can be set";
    if (f->type == FLAG_BOOL) {
        v.b = strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
        if (!v.b && strcmp(value, "false") != 0 && strcmp(value, "0") != 0)
            return "flag value must be a boolean (1/0 or true/false)";
    } else if (!parse_value(f, value, &v)) {
        return f->type == FLAG_INT ? "flag value must be an integer" : "flag value must be an unsigned integer";
    }
    if (!in_range(f, v)) {
        snprintf(text, sizeof text, "%s error: must have value in range [%s...%s]", f->name, f->least, f->most);
        return text;
    }
    store(f, v, origin);
    return NULL;
}

/* ---- the command line ---- */

static bool unknown(const char *s, const char *name, size_t n) {
    const VmFlag *best = NULL;
    double score = 0.7;
    for (int i = 0; i < vm_flag_count(); i++) {
        double s = log_similarity(name, n, table[i].name);
        if (s > score) best = &table[i], score = s;
    }
    fprintf(stderr, "Unrecognized VM option '%s'\n", s);
    if (best)
        fprintf(stderr, "Did you mean '%s%s%s'? ", best->type == FLAG_BOOL ? "(+/-)" : "", best->name,
                best->type == FLAG_BOOL ? "" : "=<value>");
    return false;
}

static bool complain(const char *fmt, const char *s) {
    fprintf(stderr, fmt, s);
    fputc('\n', stderr);
    return false;
}

static void print_range(const VmFlag *f, FlagValue v) {
    char value[64];
    fprintf(stderr, "%s %s=%s is outside the allowed range [ ", f->type_name, f->name, text_of_value(f, v, value, sizeof value));
    if (f->type == FLAG_DOUBLE) fprintf(stderr, "%f ... %f ]\n", strtod(f->least, NULL), strtod(f->most, NULL));
    else fprintf(stderr, "%s ... %s ]\n", f->least, f->most);
}

static void warn_if_deprecated(const VmFlag *f) {
    for (size_t i = 0; i < ARRAY_LEN(deprecated); i++)
        if (strcmp(deprecated[i].name, f->name) == 0)
            fprintf(stderr,
                    "OpenJDK 64-Bit Server VM warning: Option %s was deprecated in version %s and will likely be "
                    "removed in a future release.\n",
                    f->name, deprecated[i].version);
}

/* One that may be given several times: lines. */
static bool append_to_list(const VmFlag *f, FlagValue *v) {
    const char *before = vm_flag_value(f).s;
    char *both;
    if (!before) return true;
    if (asprintf(&both, "%s\n%s", before, v->s) < 0) return false;
    v->s = both;
    return true;
}

bool vm_flag_take(const char *s, FlagOrigin origin, bool ignore_unknown) {
    bool sign = *s == '+' || *s == '-';
    const char *name = s + sign, *eq = strchr(name, '='), *how;
    size_t n = eq ? (size_t)(eq - name) : strlen(name);
    VmFlag *f = find(name, n);
    FlagValue v = {.u = 0};
    if (f && strcmp(f->name, "StartFlightRecording") == 0)
        return complain(
            "Error: -XX:StartFlightRecording: Flight Recorder is not supported on this VM (files can be read: jfr print)%s", "");
    if (!f || is_locked(f, &how)) {
        if (!f) return ignore_unknown || unknown(name, name, n);
        fprintf(stderr, "Error: VM option '%s' is %s and must be enabled via -XX:+Unlock%sVMOptions.\n", f->name, how,
                *how == 'd' ? "Diagnostic" : "Experimental");
        return complain("Error: The unlock option must precede '%s'.", f->name);
    }
    if (f->type == FLAG_BOOL) {
        if (!sign || eq) return complain("Missing +/- setting for VM option '%s'", name);
        v.b = *s == '+';
    } else {
        if (sign) return complain("Unexpected +/- setting in VM option '%s'", name);
        if (!eq || !parse_value(f, eq + 1, &v)) return complain("Improperly specified VM option '%s'", name);
        if (!in_range(f, v)) {
            print_range(f, v);
            return complain("Improperly specified VM option '%s'", name);
        }
    }
    if (strcmp(f->type_name, "ccstrlist") == 0 && !append_to_list(f, &v)) return false;
    store(f, v, origin);
    warn_if_deprecated(f);
    return true;
}
