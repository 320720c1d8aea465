/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command line -> options.h and launch.h.
 *
 * Sources in order of precedence (later wins): JAVA_TOOL_OPTIONS, the
 * JavaVMInitArgs of the launcher, _JAVA_OPTIONS; a -XX:VMOptionsFile is read
 * where it stands.  Every -X option is a row of x_options below; -XX rows are
 * options/flags.c.
 */
#include "core/launch.h"
#include "log/log.h"
#include "core/options.h"
#include "core/vm.h"
#include "jit/jit.h"
#include "options/flags.h"
#include "options/vm_args.h"
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FlagOrigin option_origin = ORIGIN_COMMAND_LINE; /* of what is being parsed */

static jint bad(const char *fmt, const char *a) {
    char *text;
    if (asprintf(&text, fmt, a) < 0) vm_start_needs(NULL);
    vm_fprintf(stderr, "%s\n", text);
    free(text);
    return JNI_ERR;
}

/* "512m" -> bytes; false if malformed. */
static bool parse_size(const char *s, u8 *out) {
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)*s)) return false;
    u8 n = strtoull(s, &end, 0);
    int shift = 0;
    switch (tolower((unsigned char)*end)) {
    case 't': shift = 40; break;
    case 'g': shift = 30; break;
    case 'm': shift = 20; break;
    case 'k': shift = 10; break;
    case 0: end--; break;
    default: return false;
    }
    if (errno || end[1] || n > (UINT64_MAX >> shift)) return false;
    *out = n << shift;
    return true;
}

/* --- -X options: handler gets the text behind the name --- */

typedef jint (*XHandler)(const char *rest, const char *whole);
typedef struct XOption {
    const char *name;
    bool prefix;
    XHandler handle;
} XOption;

static jint x_ignore(const char *r, const char *w) { return JNI_OK; }

static jint x_max_heap(const char *r, const char *w) {
    if (!parse_size(r, &vm_options.heap_max) || !vm_options.heap_max) return bad("Invalid maximum heap size: %s", w);
    if (vm_options.heap_max < 2 << 20) vm_exit_during_init("Too small maximum heap");
    return JNI_OK;
}
static jint x_min_heap(const char *r, const char *w) {
    return parse_size(r, &vm_options.heap_min) ? JNI_OK : bad("Invalid initial heap size: %s", w);
}
static jint x_new_size(const char *r, const char *w) {
    return parse_size(r, &vm_options.new_size) ? JNI_OK : bad("Invalid initial young generation size: %s", w);
}
static jint x_stack(const char *r, const char *w) {
    enum { LEAST = 136 << 10 };
    u8 n;
    if (!parse_size(r, &n)) return bad("Invalid thread stack size: %s", w);
    if (n > (u8)1 << 30)
        return bad("Invalid thread stack size: %s\nThe specified size exceeds the maximum representable size.", w);
    if (n && n < LEAST) return bad("%s", "\nThe Java thread stack size specified is too small. Specify at least 136k");
    vm_options.stack_size = n;
    return JNI_OK;
}
static jint x_verbose(const char *r, const char *w) {
    static const struct {
        const char *name, *log;
    } known[] = {{"", ":class+load,class+unload"}, {":class", ":class+load,class+unload"},   {":gc", ":gc"}, {"gc", ":gc"},
                 {":jni", ":jni+resolve=debug"},   {":module", ":module+load,module+unload"}};
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (strcmp(r, known[i].name) == 0) log_configure(known[i].log);
    return JNI_OK; /* other words are nobody's */
}
static jint x_log(const char *r, const char *w) {
    switch (*r && *r != ':' ? LOG_BAD : log_configure(r)) {
    case LOG_OK: return JNI_OK;
    case LOG_HELP: fflush(stdout); exit(0);
    default: fflush(stdout); return bad("Invalid -Xlog option '%s', see error log for details.", w);
    }
}
/* -Xloggc:FILE of old */
static jint x_loggc(const char *r, const char *w) {
    char text[PATH_MAX + 16];
    log_print(LOG_GC_WARNING, "-Xloggc is deprecated. Will use -Xlog:gc:%s instead.", r);
    snprintf(text, sizeof text, ":gc:file=%s", r);
    return log_configure(text) == LOG_OK ? JNI_OK : bad("Invalid option '%s'", w);
}
static jint x_verify(const char *r, const char *w) {
    if (strcmp(r, "none") == 0)
        fprintf(stderr, "OpenJDK 64-Bit Server VM warning: Options -Xverify:none and -noverify were deprecated in JDK 13 "
                        "and will likely be removed in a future release.\n");
    if (strcmp(r, "all") == 0) vm_options.verify_local = vm_options.verify_remote = true;
    else if (strcmp(r, "none") == 0) vm_options.verify_local = vm_options.verify_remote = false;
    else if (strcmp(r, "remote") == 0) vm_options.verify_local = false, vm_options.verify_remote = true;
    else return bad("Unrecognized option: %s", w);
    return JNI_OK;
}
static jint x_boot_append(const char *r, const char *w) {
    if (!vm.boot_append) return vm.boot_append = vm_start_needs(strdup(r)), JNI_OK;
    char *joined = NULL;
    if (asprintf(&joined, "%s:%s", vm.boot_append, r) < 0) vm_start_needs(NULL);
    free(vm.boot_append);
    vm.boot_append = joined;
    return JNI_OK;
}
static jint x_boot_gone(const char *r, const char *w) {
    return bad("%s is no longer a supported option.", strncmp(r, "/p", 2) == 0 ? "-Xbootclasspath/p" : "-Xbootclasspath");
}
static jint x_check(const char *r, const char *w) { return bad("Unrecognized check option: %s", w); }
static jint x_share(const char *r, const char *w) {
    static const char *const known[] = {"auto", "on", "off", "dump"};
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (strcmp(r, known[i]) == 0) return JNI_OK;
    return JNI_EINVAL;
}
static jint x_gone(const char *r, const char *w) {
    fprintf(stderr, "OpenJDK 64-Bit Server VM warning: Ignoring option %s; support was removed in 10.0\n", w);
    return JNI_OK;
}
/* -Xmaxf, -Xminf: a fraction */
static jint x_free_ratio(const char *r, const char *w) {
    bool max = w[2] == 'm' && w[3] == 'a';
    char *end, text[64];
    double d = strtod(r, &end);
    if (end == r || *end) return bad(max ? "Bad max heap free percentage size: %s" : "Bad min heap free percentage size: %s", w);
    snprintf(text, sizeof text, "%sHeapFreeRatio=%d", max ? "Max" : "Min", (int)(d * 100));
    return vm_flag_take(text, ORIGIN_COMMAND_LINE, false) ? JNI_OK : JNI_ERR;
}
static jint x_check_jni(const char *r, const char *w) { return vm_options.check_jni = true, JNI_OK; }
static jint x_reduce_signals(const char *r, const char *w) { return vm_options.reduce_signals = true, JNI_OK; }

/* "lib=options" */
static jint x_agent(const char *r, char separator, bool is_path, bool is_run) {
    const char *end = strchrnul(r, separator);
    char *lib = vm_start_needs(strndup(r, (size_t)(end - r)));
    agent_add(lib, *end ? end + 1 : NULL, is_path, is_run);
    free(lib);
    return JNI_OK;
}
static jint x_agentlib(const char *r, const char *w) { return x_agent(r, '=', false, false); }
static jint x_agentpath(const char *r, const char *w) { return x_agent(r, '=', true, false); }
static jint x_run(const char *r, const char *w) { return x_agent(r, ':', false, true); }
static jint x_javaagent(const char *r, const char *w) {
    agent_add("instrument", r, false, false);
    property_append_numbered("jdk.module.addmods", "java.instrument");
    return JNI_OK;
}

static jint x_property(const char *r, const char *w) {
    const char *eq = strchr(r, '=');
    char *key = vm_start_needs(strndup(r, eq ? (size_t)(eq - r) : strlen(r)));
    const char *value = eq ? eq + 1 : "";
    static const char *const kept[] = {"jdk.module.main", "jdk.module.showModuleResolution", "jdk.module.validation",
                                       "jdk.module.illegalAccess.silent"};
    bool refused = strncmp(key, "jdk.module.", 11) == 0;
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        if (strcmp(key, kept[i]) == 0) refused = false;
    if (refused) {
        vm_fprintf(stderr,
                   "OpenJDK 64-Bit Server VM warning: Ignoring system property options whose names "
                   "match the '-Djdk.module.%%' prefix\n"
                   "  (these names are reserved: use the command-line option instead of -D%s)\n",
                   key);
    } else {
        property_set(key, value);
        Property *p = property_find(key);
        p->writable = true;
        if (strcmp(key, "sun.java.command") == 0) java_command = vm_start_needs(strdup(value));
    }
    free(key);
    return JNI_OK;
}

/* --add-exports=X -> jdk.module.addexports.N */
static jint numbered(const char *key, const char *r) { return property_append_numbered(key, r), JNI_OK; }
static jint x_add_modules(const char *r, const char *w) { return numbered("jdk.module.addmods", r); }
static jint x_add_exports(const char *r, const char *w) { return numbered("jdk.module.addexports", r); }
static jint x_add_opens(const char *r, const char *w) { return numbered("jdk.module.addopens", r); }
static jint x_add_reads(const char *r, const char *w) { return numbered("jdk.module.addreads", r); }
static jint x_patch_module(const char *r, const char *w) { return numbered("jdk.module.patch", r); }
static jint x_native_access(const char *r, const char *w) { return numbered("jdk.module.enable.native.access", r); }
static jint x_limit_modules(const char *r, const char *w) { return property_set("jdk.module.limitmods", r), JNI_OK; }
static jint x_module_path(const char *r, const char *w) { return property_set("jdk.module.path", r), JNI_OK; }
static jint x_upgrade_path(const char *r, const char *w) { return property_set("jdk.module.upgrade.path", r), JNI_OK; }
static jint x_preview(const char *r, const char *w) {
    vm_options.enable_preview = true;
    return property_set("jdk.internal.enablePreview", "true"), JNI_OK; /* informational only */
}
static jint x_illegal_access(const char *r, const char *w) {
    vm_fprintf(stderr, "OpenJDK 64-Bit Server VM warning: Ignoring option %s; support was removed in 17.0\n", w);
    return JNI_OK;
}

static void add_rule(const char *name, bool enable) {
    AssertRule **tail = &assert_rules;
    while (*tail) tail = &(*tail)->next;
    AssertRule *r = *tail = vm_start_needs(calloc(1, sizeof *r));
    r->enable = enable;
    if (!name) return;
    size_t n = strlen(name);
    r->is_package = n >= 3 && strcmp(name + n - 3, "...") == 0;
    r->name = vm_start_needs(strndup(name, r->is_package ? n - 3 : n));
    text_replace(r->name, '/', '.');
}
static jint x_assert(const char *r, bool enable) {
    if (*r && *r != ':') return JNI_EINVAL;
    add_rule(*r ? r + 1 : NULL, enable);
    return JNI_OK;
}
static jint x_ea(const char *r, const char *w) { return x_assert(r, true); }
static jint x_da(const char *r, const char *w) { return x_assert(r, false); }
static jint x_esa(const char *r, const char *w) { return assert_system = true, JNI_OK; }
static jint x_dsa(const char *r, const char *w) { return assert_system = false, JNI_OK; }

static jint x_int(const char *r, const char *w) { return vm_options.run_mode = RUN_INTERPRETED, JNI_OK; }
static jint x_mixed(const char *r, const char *w) { return vm_options.run_mode = RUN_MIXED, JNI_OK; }
static jint x_comp(const char *r, const char *w) { return vm_options.run_mode = RUN_COMPILED, JNI_OK; }
static jint x_batch(const char *r, const char *w) { return vm_options.background_compilation = false, JNI_OK; }

static void end_quietly(void (*print)(void)) {
    print();
    fflush(stdout);
    exit(0);
}
static void print_initial_flags(void) { vm_flags_print_all(stdout, LIST_INITIAL); }
static void print_version(void) {
    printf(GRAFT_VM_NAME " (" GRAFT_VERSION ") for linux-" CPU_NAME ", built with " __VERSION__ "\n");
}
static jint x_version(const char *r, const char *w) { return end_quietly(print_version), JNI_OK; }

static const XOption x_options[] = {
    /* first match wins; exact rows before prefixes */
    {"-Xmx", true, x_max_heap},
    {"-XX:MaxHeapSize=", true, x_max_heap},
    {"-Xms", true, x_min_heap},
    {"-XX:InitialHeapSize=", true, x_min_heap},
    {"-Xmn", true, x_new_size},
    {"-Xss", true, x_stack},
    {"-verbose", true, x_verbose},
    {"-Xloggc:", true, x_loggc},
    {"-Xlog", true, x_log},
    {"-Xverify:", true, x_verify},
    {"-Xbootclasspath/a:", true, x_boot_append},
    {"-Xbootclasspath", true, x_boot_gone},
    {"-Xcheck:jni", false, x_check_jni},
    {"-Xcheck", true, x_check},
    {"-Xrs", false, x_reduce_signals},
    {"-agentlib:", true, x_agentlib},
    {"-agentpath:", true, x_agentpath},
    {"-javaagent:", true, x_javaagent},
    {"-Xrun", true, x_run},
    {"-D", true, x_property},
    {"--add-modules=", true, x_add_modules},
    {"--add-exports=", true, x_add_exports},
    {"--add-opens=", true, x_add_opens},
    {"--add-reads=", true, x_add_reads},
    {"--patch-module=", true, x_patch_module},
    {"--enable-native-access=", true, x_native_access},
    {"--limit-modules=", true, x_limit_modules},
    {"--module-path=", true, x_module_path},
    {"--upgrade-module-path=", true, x_upgrade_path},
    {"--enable-preview", false, x_preview},
    {"--illegal-access=", true, x_illegal_access},
    {"-enablesystemassertions", false, x_esa},
    {"-disablesystemassertions", false, x_dsa},
    {"-esa", false, x_esa},
    {"-dsa", false, x_dsa},
    {"-enableassertions", true, x_ea},
    {"-disableassertions", true, x_da},
    {"-ea", true, x_ea},
    {"-da", true, x_da},
    {"-Xint", false, x_int},
    {"-Xmixed", false, x_mixed},
    {"-Xcomp", false, x_comp},
    {"-Xbatch", false, x_batch},
    {"-Xshare:", true, x_share},
    {"-Xdebug", false, x_ignore},
    {"-Xnoagent", false, x_ignore},
    {"-Xnoclassgc", false, x_ignore},
    {"-Xfuture", false, x_ignore},
    {"-Xprof", false, x_gone},
    {"-Xdiag", true, x_ignore},
    {"-Xmaxf", true, x_free_ratio},
    {"-Xminf", true, x_free_ratio},
    {"-XshowSettings", true, x_ignore},
    {"-Xinternalversion", false, x_version},
    {"-Xconcurrentio", false, x_ignore},
    {"-Xmaxjitcodesize", true, x_ignore},
};

/* --- -XX options --- */

/* Collectors are another VM's, but asking for two is a mistake worth telling. */
static void note_collector(const char *name, bool value) {
    static const char *const names[] = {"UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC", "UseShenandoahGC"};
    static u4 chosen;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(name, names[i]) == 0) chosen = value ? chosen | 1u << i : chosen & ~(1u << i);
    if (chosen & (chosen - 1)) vm_exit_during_init("Multiple garbage collectors selected");
}

static jint parse_file_options(const char *path);

static jint parse_settings(const char *path);

static void warn_of_gc_printing(const char *name) {
    static const char *const names[][2] = {{"PrintGC", "gc"}, {"PrintGCDetails", "gc*"}};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char text[32];
        if (strcmp(name, names[i][0]) != 0) continue;
        log_print(LOG_GC_WARNING, "-XX:+%s is deprecated. Will use -Xlog:%s instead.", name, names[i][1]);
        snprintf(text, sizeof text, ":%s", names[i][1]);
        log_configure(text);
    }
}

static jint parse_xx(const char *s) {
    if (strncmp(s, "VMOptionsFile=", 14) == 0) return parse_file_options(s + 14);
    if (strncmp(s, "Flags=", 6) == 0) return parse_settings(s + 6);
    if (vm_options.print_options) printf("VM option '%s'\n", s);
    if (!vm_flag_take(s, option_origin, vm_options.ignore_unrecognized)) return JNI_ERR;
    if (*s == '+' || *s == '-') note_collector(s + 1, *s == '+');
    if (*s == '+') warn_of_gc_printing(s + 1);
    if (strncmp(s, "ThreadStackSize=", 16) == 0) { /* in KiB */
        int64_t kb = vm_flag_find("ThreadStackSize")->value.i;
        if (kb) vm_options.stack_size = (u8)kb << 10;
    }
    return JNI_OK;
}

/* --- one option --- */

static jint parse_option(const char *s) {
    for (size_t i = 0; i < ARRAY_LEN(x_options); i++) {
        const XOption *x = &x_options[i];
        size_t n = strlen(x->name);
        if (x->prefix ? strncmp(s, x->name, n) == 0 : strcmp(s, x->name) == 0) {
            jint rc = x->handle(s + n, s);
            if (rc == JNI_EINVAL) break;
            return rc;
        }
    }
    if (strncmp(s, "-XX:", 4) == 0) return parse_xx(s + 4);
    return JNI_EINVAL;
}

static void record_argument(const char *s) {
    vm_arguments = vm_start_needs(realloc(vm_arguments, (size_t)(n_vm_arguments + 2) * sizeof(char *)));
    vm_arguments[n_vm_arguments++] = vm_start_needs(strdup(s));
    vm_arguments[n_vm_arguments] = NULL;
}

static jint take_option(const char *s, bool ignore_unrecognized) {
    record_argument(s);
    jint rc = parse_option(s);
    if (rc != JNI_EINVAL) return rc;
    if (ignore_unrecognized) return JNI_OK;
    bad("Unrecognized option: %s", s);
    return JNI_ERR;
}

static bool quotes_match(const char *p) {
    char quote = 0;
    for (; *p; p++)
        if (quote ? *p == quote : (*p == '"' || *p == '\'')) quote = quote ? 0 : *p;
    return !quote;
}

/* Splits at white space outside of quotes; quotes are dropped. */
static jint parse_text(const char *text) {
    char *buf = vm_start_needs(malloc(strlen(text) + 1));
    jint rc = JNI_OK;
    for (const char *p = text; rc == JNI_OK;) {
        while (isspace((unsigned char)*p)) p++;
        if (!*p) break;
        char *w = buf, quote = 0;
        for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
            if (quote ? *p == quote : (*p == '"' || *p == '\'')) quote = quote ? 0 : *p;
            else *w++ = *p;
        }
        *w = 0;
        rc = take_option(buf, false);
    }
    free(buf);
    return rc;
}

static jint parse_environment(const char *variable) {
    const char *text = getenv(variable);
    if (!text || !*text) return JNI_OK;
    vm_fprintf(stderr, "Picked up %s: %s\n", variable, text);
    if (!quotes_match(text)) return bad("Unmatched quote in %s", variable);
    option_origin = ORIGIN_ENVIRONMENT;
    jint rc = parse_text(text);
    option_origin = ORIGIN_COMMAND_LINE;
    return rc;
}

static jint parse_lines(const char *path, const char *complaint, jint (*parse)(char *line)) {
    FILE *f = fopen(path, "r");
    if (!f) return bad(complaint, path);
    char line[4096];
    jint rc = JNI_OK;
    while (rc == JNI_OK && fgets(line, sizeof line, f)) rc = parse(line);
    fclose(f);
    return rc;
}

static jint parse_options_line(char *line) { return line[0] == '#' ? JNI_OK : parse_text(line); }
static jint parse_file_options(const char *path) {
    return parse_lines(path, "Could not open options file '%s'", parse_options_line);
}

/* -XX:Flags=FILE, usually .hotspotrc: words as behind -XX:, '#' begins a comment. */
static jint parse_settings_line(char *line) {
    jint rc = JNI_OK;
    line[strcspn(line, "#")] = 0;
    for (char *save, *w = strtok_r(line, " \t\r\n", &save); rc == JNI_OK && w; w = strtok_r(NULL, " \t\r\n", &save))
        rc = parse_xx(w);
    return rc;
}
static jint parse_settings(const char *path) {
    option_origin = ORIGIN_CONFIG_FILE;
    jint rc = parse_lines(path, "Could not open settings file %s", parse_settings_line);
    option_origin = ORIGIN_COMMAND_LINE;
    return rc;
}

static void warn_of_settings_file(void) {
    for (int i = 0; i < n_vm_arguments; i++)
        if (strncmp(vm_arguments[i], "-XX:Flags=", 10) == 0) return;
    if (access(".hotspotrc", F_OK) == 0)
        fprintf(stderr, "OpenJDK 64-Bit Server VM warning: .hotspotrc file is present but has been ignored.  Run with "
                        "-XX:Flags=.hotspotrc to load the file.\n");
}

/* --- where the JDK is --- */

static bool has_libjava(const char *home) {
    char p[PATH_MAX];
    struct stat st;
    int n = snprintf(p, sizeof p, "%s/lib/libjava.so", home);
    return n < (int)sizeof p && stat(p, &st) == 0;
}
static bool strip(char *path, int levels) {
    for (char *slash; levels > 0 && (slash = strrchr(path, '/')); levels--) *slash = 0;
    return levels == 0;
}
/* Real path of `file` with `levels` components stripped, if it is a JDK home. */
static char *home_from(const char *file, int levels) {
    char p[PATH_MAX];
    return file && realpath(file, p) && strip(p, levels) && has_libjava(p) ? vm_start_needs(strdup(p)) : NULL;
}
/* dladdr gives the path as loaded: in an image of links lib/server/libjvm.so is ours. */
static char *home_from_symbol(const void *address, int levels) {
    Dl_info info;
    char p[PATH_MAX];
    if (!address || !dladdr(address, &info)) return NULL;
    if (strlen(info.dli_fname) >= sizeof p) return NULL;
    strcpy(p, info.dli_fname);
    if (!strip(p, levels)) return NULL;
    if (!has_libjava(p)) return home_from(info.dli_fname, levels);
    return vm_start_needs(realpath(p, NULL));
}
static char *find_java_home(void) {
    char *h = home_from_symbol((const void *)find_java_home, 3);        /* lib/server/libjvm.so */
    if (!h) h = home_from_symbol(dlsym(RTLD_DEFAULT, "JLI_Launch"), 2); /* lib/libjli.so */
    if (!h) h = home_from("/proc/self/exe", 2);                         /* bin/java */
    if (!h && getenv("JAVA_HOME") && has_libjava(getenv("JAVA_HOME"))) h = realpath(getenv("JAVA_HOME"), NULL);
    return h;
}

static void default_properties(void) {
    static const char *const fixed[][2] = {
        {"java.vm.specification.name", "Java Virtual Machine Specification"},
        {"java.vm.specification.vendor", "Oracle Corporation"},
        {"java.vm.specification.version", "17"},
        {"java.vm.name", GRAFT_VM_NAME},
        {"java.vm.vendor", "Graft"},
        {"java.vm.version", GRAFT_VERSION},
        {"java.vm.info", "interpreted mode"},
        {"java.vm.compressedOopsMode", "Zero based"},
        {"jdk.debug", "release"},
    };
    for (size_t i = 0; i < ARRAY_LEN(fixed); i++) property_set(fixed[i][0], fixed[i][1]);
    property_set("java.home", vm.java_home);
    property_set("sun.boot.library.path", vm.boot_library_path);
    const char *ld = getenv("LD_LIBRARY_PATH");
    char path[8192];
    snprintf(path, sizeof path,
             "%s%s/usr/java/packages/lib:/usr/lib/" CPU_LIBS "/jni:/lib/" CPU_LIBS ":"
             "/usr/lib/" CPU_LIBS ":/usr/lib/jni:/lib:/usr/lib",
             ld ? ld : "", ld && *ld ? ":" : "");
    property_set("java.library.path", path);
}
static void derived_properties(void) {
    char n[32];
    if (jit_is_wanted()) {
        property_set("java.vm.info", vm_options.run_mode == RUN_COMPILED ? "compiled mode" : "mixed mode");
        property_set("sun.management.compiler", "Graft Base Compiler");
    }
    if (!property_get("java.class.path")) property_set("java.class.path", "");
    if (vm.boot_append) property_set("jdk.boot.class.path.append", vm.boot_append);
    if (vm_options.max_direct) {
        snprintf(n, sizeof n, "%llu", (unsigned long long)vm_options.max_direct);
        property_set("sun.nio.MaxDirectMemorySize", n);
    }
    const VmFlag *boxes = vm_flag_find("AutoBoxCacheMax"); /* the class library makes the cache, compilers ask it (jit/boxes.c) */
    if (vm_flag_origin(boxes) != ORIGIN_DEFAULT) {
        snprintf(n, sizeof n, "%lld", (long long)vm_flag_value(boxes).i);
        property_set("java.lang.Integer.IntegerCache.high", n);
    }
    for (Property *p = properties; p; p = p->next)
        if (strncmp(p->key, "com.sun.management", 18) == 0) {
            property_append_numbered("jdk.module.addmods", "jdk.management.agent");
            break;
        }
    const char *cp = property_get("java.class.path");
    vm.class_path = vm_start_needs(strdup(cp ? cp : ""));
    if (vm_options.print_gc) log_configure(":gc");
}

/* Hooks of the embedder carry a function pointer in extraInfo. */
static bool take_hook(const JavaVMOption *o) {
    if (strcmp(o->optionString, "vfprintf") == 0) vm.vfprintf_hook = o->extraInfo;
    else if (strcmp(o->optionString, "exit") == 0) vm.exit_hook = o->extraInfo;
    else if (strcmp(o->optionString, "abort") == 0) vm.abort_hook = o->extraInfo;
    else return false;
    return true;
}

jint vm_args_parse(const JavaVMInitArgs *args) {
    vm.java_home = find_java_home();
    if (!vm.java_home) return bad("Error: %s", "no JDK found around this libjvm.so; set JAVA_HOME to a JDK 17 home");
    if (asprintf(&vm.boot_library_path, "%s/lib", vm.java_home) < 0) vm_start_needs(NULL);
    default_properties();
    for (int i = 0; i < args->nOptions; i++) { /* these hold for what stands before them too */
        const char *s = args->options[i].optionString;
        if (strcmp(s, "-XX:+IgnoreUnrecognizedVMOptions") == 0) vm_options.ignore_unrecognized = true;
        if (strcmp(s, "-XX:+PrintVMOptions") == 0) vm_options.print_options = true;
        if (strcmp(s, "-XX:+PrintFlagsInitial") == 0) end_quietly(print_initial_flags);
    }
    jint rc = parse_environment("JAVA_TOOL_OPTIONS");
    for (int i = 0; rc == JNI_OK && i < args->nOptions; i++)
        if (!take_hook(&args->options[i])) rc = take_option(args->options[i].optionString, args->ignoreUnrecognized);
    if (rc == JNI_OK) rc = parse_environment("_JAVA_OPTIONS");
    if (rc == JNI_OK && vm_options.heap_min && vm_options.heap_max && vm_options.heap_min > vm_options.heap_max)
        vm_exit_during_init("Initial heap size set to a larger value than the maximum heap size");
    if (rc == JNI_OK) warn_of_settings_file();
    vm_options.enhanced_redefinition |= vm_options.dcevm_redefinition;
    derived_properties();
    return rc;
}
