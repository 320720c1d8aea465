/* SPDX-License-Identifier: Apache-2.0 */
/* agent.c - options, log, error checks and start-up steps shared by the agents; see agent.h. */
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cf_arena.h"
#include "printable.h"
#include "utf8.h"

/* Names in it may be modified UTF-8. */
static void put_line(const char *line, size_t n) {
    char text[4096];
    size_t used = 0;
    for (const char *end = line + n; line < end && used < sizeof text - AGENT_CHAR_TEXT;)
        used += agent_utf8_of(agent_next_char(&line, end), text + used);
    agent_printable(text, used, 0);
    text[used++] = '\n';
    (void)!write(STDERR_FILENO, text, used);
}

void agent_log(const Agent *a, AgentLevel level, const char *fmt, ...) {
    if (level > a->level) return;
    char line[2048];
    int n = snprintf(line, sizeof line, "[%s] ", a->name);
    va_list ap;
    va_start(ap, fmt);
    int m = vsnprintf(line + n, sizeof line - n - 1, fmt, ap);
    va_end(ap);
    n = m < 0 ? n : n + m;
    if (n > (int)sizeof line - 2) n = (int)sizeof line - 2;
    put_line(line, (size_t)n);
}

/* ---- options ------------------------------------------------------------------------- */

/* Place of `word` among `a|b|c`, or -1. */
static int place_of(const char *word, const char *words) {
    size_t n = strlen(word);
    for (int i = 0;; i++) {
        size_t len = strcspn(words, "|");
        if (len == n && !memcmp(words, word, n)) return i;
        if (!words[len]) return -1;
        words += len + 1;
    }
}

static bool parse_bool(const char *v, bool *out) {
    *out = place_of(v, "|on|true|yes|1") >= 0;
    return *out || place_of(v, "off|false|no|0") >= 0;
}

/* Lists add up, of other options the last value counts. Kept, as all values are. */
static const char *added(const AgentOption *row, const char *before, const char *value) {
    char separator = agent_separator(row->value), *both = separator ? malloc(strlen(before) + strlen(value) + 2) : NULL;
    if (both) sprintf(both, "%s%c%s", before, separator, value);
    return separator ? both : value;
}

static bool store_option(Agent *a, const AgentOption *row, const char *value, bool again, void *config) {
    void *at = (char *)config + row->offset;
    char *end;
    long n;
    switch (row->kind) {
    case AGENT_OPT_STRING:
        *(const char **)at = again ? added(row, *(const char **)at, value) : value;
        if (*(const char **)at) return true;
        break;
    case AGENT_OPT_BOOL:
        if (parse_bool(value, at)) return true;
        break;
    case AGENT_OPT_INT:
        errno = 0;
        n = strtol(value, &end, 10);
        if (errno || !*value || *end || n < INT32_MIN || n > INT32_MAX) break;
        *(int *)at = (int)n;
        return true;
    case AGENT_OPT_WORD:
        if ((n = place_of(value, row->value)) < 0) break;
        *(int *)at = (int)n;
        return true;
    }
    return agent_refuse(a, "bad value '%s' of option '%s' (%s)", value, row->name, row->value);
}

static void print_help(const Agent *a, const AgentOption *rows, const void *defaults) {
    printf("%s\n\n  -agentpath:<path>/libgraft-%s.so[=option=value,...]\n\n", a->title, a->name);
    for (const AgentOption *r = rows; r->name; r++) {
        char left[64];
        const void *at = (const char *)defaults + r->offset;
        snprintf(left, sizeof left, "%s%s%s", r->name, *r->value ? "=" : "", r->value);
        printf("  %-24s %s", left, r->help);
        if (r->kind == AGENT_OPT_BOOL) printf(" [%s]", *(const bool *)at ? "on" : "off");
        else if (r->kind == AGENT_OPT_WORD) {
            const char *word = r->value;
            for (int i = *(const int *)at; i; i--) word = strchr(word, '|') + 1;
            printf(" [%.*s]", (int)strcspn(word, "|"), word);
        } else if (r->kind == AGENT_OPT_INT) printf(" [%d]", *(const int *)at);
        else if (*(const char *const *)at && **(const char *const *)at) printf(" [%s]", *(const char *const *)at);
        printf("\n");
    }
    printf("  %-24s this text\n\nA comma inside a value is written \\,\nPATTERNS, PATHS and PROBES may be given more than once\n",
           "help");
    fflush(stdout);
}

/* Cuts the next option off *text in place, undoing escapes; NULL at the end. */
static char *next_option(char **text) {
    char *start = *text, *in = start, *out = start;
    if (!*start) return NULL;
    while (*in && *in != ',') {
        if (*in == '\\' && (in[1] == ',' || in[1] == '\\')) in++;
        *out++ = *in++;
    }
    *text = *in ? in + 1 : in;
    *out = 0;
    return start;
}

static bool one_option(Agent *a, char *opt, const AgentOption *rows, bool *given, void *config) {
    char *eq = strchr(opt, '=');
    if (eq) *eq = 0;
    for (const AgentOption *r = rows; r->name; r++) {
        if (strcmp(r->name, opt) != 0) continue;
        if (!eq && r->kind != AGENT_OPT_BOOL) return agent_refuse(a, "option '%s' needs a value (%s)", r->name, r->value);
        bool again = given[r - rows];
        given[r - rows] = true;
        return store_option(a, r, eq ? eq + 1 : "", again, config);
    }
    return agent_refuse(a, "unknown option '%s'; 'help' lists the options", opt);
}

int agent_options(Agent *a, const char *text, const AgentOption *rows, void *config) {
    if (!text || !*text) return AGENT_OK;
    size_t n = 0;
    while (rows[n].name) n++;
    char *copy = strdup(text), *opt; /* kept: string values point into it */
    bool *given = calloc(n + 1, sizeof *given);
    int rc = copy && given ? AGENT_OK : AGENT_BAD;
    while (rc == AGENT_OK && (opt = next_option(&copy))) {
        if (!*opt) continue;
        if (!strcmp(opt, "help")) print_help(a, rows, config), rc = AGENT_HELP;
        else if (!one_option(a, opt, rows, given, config)) rc = AGENT_BAD;
    }
    free(given);
    return rc;
}

char *agent_option_but(const char *text, const char *names) {
    char *copy = strdup(text ? text : ""), *rest = copy, *found = NULL;
    for (char *opt; rest && !found && (opt = next_option(&rest));) {
        opt[strcspn(opt, "=")] = 0;
        if (*opt && place_of(opt, names) < 0) found = strdup(opt);
    }
    free(copy);
    return found;
}

bool agent_options_only(const Agent *a, const char *text, const char *names, const char *why) {
    char *other = agent_option_but(text, names);
    if (other) agent_log(a, AGENT_ERROR, "%s: %s", other, why);
    free(other);
    return !other;
}

/* ---- JVM TI --------------------------------------------------------------------------- */

void *agent_memory(void *agent, size_t size) {
    const Agent *a = agent;
    unsigned char *p = NULL;
    return (*a->ti)->Allocate(a->ti, (jlong)size, &p) ? NULL : p;
}

bool agent_is_graft(const Agent *a) {
    char *name = NULL;
    bool yes = !(*a->ti)->GetSystemProperty(a->ti, "java.vm.name", &name) && !strncmp(name, "Graft", 5);
    (*a->ti)->Deallocate(a->ti, (unsigned char *)name);
    return yes;
}

jvmtiError agent_check(const Agent *a, jvmtiError err, const char *what) {
    if (err == JVMTI_ERROR_NONE) return err;
    char *name = NULL;
    if (a->ti) (*a->ti)->GetErrorName(a->ti, err, &name);
    const char *paren = strchr(what, '>'); /* "(*ti)->Function(ti, ...)": show the function */
    const char *from = paren ? paren + 1 : what;
    agent_log(a, AGENT_ERROR, "%.*s: %s (%d)", (int)strcspn(from, "("), from, name ? name : "error", (int)err);
    if (name) (*a->ti)->Deallocate(a->ti, (unsigned char *)name);
    return err;
}

bool agent_is_loaded(const Agent *a) {
    if (a->ti) agent_log(a, AGENT_ERROR, "this agent is loaded twice: the second options do not count");
    return a->ti != NULL;
}

jint agent_attach(Agent *a, JavaVM *vm) {
    jint oldest = a->oldest ? a->oldest : JVMTI_VERSION_11;
    a->vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&a->ti, JVMTI_VERSION_11) != JNI_OK && (*vm)->GetEnv(vm, (void **)&a->ti, oldest) != JNI_OK)
        return agent_log(a, AGENT_ERROR, "this VM is too old: no JVM TI %s",
                         oldest >= JVMTI_VERSION_9 ? "11 (JDK 11 or later)" : "1.2"),
               JNI_ERR;
    if (AGENT_CHECK(a, (*a->ti)->GetVersionNumber(a->ti, &a->version))) return JNI_ERR;
    a->version &= ~JVMTI_VERSION_MASK_MICRO;
    return JNI_OK;
}

jvmtiCapabilities agent_potential(const Agent *a, const jvmtiCapabilities *caps) {
    jvmtiCapabilities has = {0};
    (*a->ti)->GetPotentialCapabilities(a->ti, &has);
    for (size_t i = 0; i < sizeof has; i++) ((unsigned char *)&has)[i] &= ((const unsigned char *)caps)[i];
    return has;
}

static const struct {
    jvmtiCapabilities bit;
    const char *means;
} capability_words[] = {
    {{.can_retransform_classes = 1}, "retransformation of classes"},
    {{.can_redefine_classes = 1}, "redefinition of classes"},
    {{.can_generate_all_class_hook_events = 1}, "a look at every class that is loaded"},
    {{.can_set_native_method_prefix = 1}, "prefixes of native methods"},
    {{.can_tag_objects = 1}, "tags and walks of the heap"},
    {{.can_generate_sampled_object_alloc_events = 1}, "samples of allocations (JDK 11 and later have)"},
};

jvmtiError agent_capabilities(Agent *a, const jvmtiCapabilities *caps) {
    jvmtiError err = (*a->ti)->AddCapabilities(a->ti, caps);
    bool told = false;
    for (size_t i = 0; err == JVMTI_ERROR_NOT_AVAILABLE && i < sizeof capability_words / sizeof *capability_words; i++) {
        jvmtiCapabilities bit = capability_words[i].bit, has = agent_potential(a, &bit), none = {0};
        bool asked = false;
        for (size_t k = 0; k < sizeof bit; k++) asked |= ((const unsigned char *)caps)[k] & ((unsigned char *)&bit)[k];
        if (!asked || memcmp(&has, &none, sizeof has)) continue;
        agent_log(a, AGENT_ERROR, "this VM offers no %s, or another agent has it", capability_words[i].means);
        told = true;
    }
    return told ? err : agent_check(a, err, ">AddCapabilities");
}

jvmtiError agent_events(Agent *a, const jvmtiEventCallbacks *cb, const jvmtiEvent *events) {
    jvmtiError err = AGENT_CHECK(a, (*a->ti)->SetEventCallbacks(a->ti, cb, (jint)sizeof *cb));
    for (; !err && *events; events++)
        err = AGENT_CHECK(a, (*a->ti)->SetEventNotificationMode(a->ti, JVMTI_ENABLE, *events, NULL));
    return err;
}

bool agent_start_thread(Agent *a, JNIEnv *env, const char *name, jvmtiStartFunction body) {
    jclass c = (*env)->FindClass(env, "java/lang/Thread");
    jmethodID make = c ? (*env)->GetMethodID(env, c, "<init>", "(Ljava/lang/String;)V") : NULL;
    jstring text = make ? (*env)->NewStringUTF(env, name) : NULL;
    jthread thread = text ? (*env)->NewObject(env, c, make, text) : NULL;
    if (!thread) return agent_exception(a, env, "the start of the agent's thread"), false;
    return !AGENT_CHECK(a, (*a->ti)->RunAgentThread(a->ti, thread, body, NULL, JVMTI_THREAD_NORM_PRIORITY));
}

bool agent_exception(const Agent *a, JNIEnv *env, const char *what) {
    if (!(*env)->ExceptionCheck(env)) return false;
    agent_log(a, AGENT_DEBUG, "Java exception in %s", what);
    (*env)->ExceptionClear(env);
    return true;
}

JNIEnv *agent_env(const Agent *a) {
    JNIEnv *env = NULL;
    return (*a->vm)->GetEnv(a->vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK ? env : NULL;
}

char *agent_class_name(const Agent *a, jclass c) {
    char *signature = NULL, *name = NULL;
    if ((*a->ti)->GetClassSignature(a->ti, c, &signature, NULL)) return NULL;
    if (*signature == 'L') name = strndup(signature + 1, strlen(signature) - 2);
    (*a->ti)->Deallocate(a->ti, (unsigned char *)signature);
    return name;
}

static bool is_chosen(const Agent *a, JNIEnv *env, jclass c, AgentWanted wanted, void *ctx) {
    jboolean modifiable = JNI_FALSE;
    char *name = agent_class_name(a, c);
    bool yes = name && wanted(ctx, env, c, name) && !(*a->ti)->IsModifiableClass(a->ti, c, &modifiable) && modifiable;
    free(name);
    return yes;
}

jint agent_find_classes(const Agent *a, JNIEnv *env, AgentWanted wanted, void *ctx, jclass **out) {
    jint n = 0, kept = 0;
    *out = NULL;
    if (AGENT_CHECK(a, (*a->ti)->GetLoadedClasses(a->ti, &n, out))) return 0;
    for (jint i = 0; i < n; i++)
        if (is_chosen(a, env, (*out)[i], wanted, ctx)) (*out)[kept++] = (*out)[i];
        else (*env)->DeleteLocalRef(env, (*out)[i]);
    return kept;
}

void agent_retransform_these(const Agent *a, JNIEnv *env, jint n, const jclass *these) {
    jint failed = 0;
    bool one_by_one = n && (*a->ti)->RetransformClasses(a->ti, n, these);
    for (jint i = 0; one_by_one && i < n; i++) failed += (*a->ti)->RetransformClasses(a->ti, 1, &these[i]) != 0;
    if (failed) agent_log(a, AGENT_INFO, "%d loaded classes could not be retransformed", (int)failed);
}

void agent_retransform(const Agent *a, JNIEnv *env, AgentWanted wanted, void *ctx) {
    jclass *these;
    jint n = agent_find_classes(a, env, wanted, ctx, &these);
    agent_retransform_these(a, env, n, these);
    for (jint i = 0; i < n; i++) (*env)->DeleteLocalRef(env, these[i]);
    (*a->ti)->Deallocate(a->ti, (unsigned char *)these);
}

bool agent_is_own_link(const char *path) {
    struct stat st, in;
    if (lstat(path, &st) || !S_ISLNK(st.st_mode) || st.st_uid == 0 || st.st_uid == geteuid()) return true;
    const char *slash = strrchr(path, '/');
    char *dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool own = dir && stat(dir, &in) == 0 && in.st_uid == st.st_uid; /* who has the folder can do worse than a link */
    free(dir);
    if (!own) errno = ELOOP;
    return own;
}

static bool is_standard(const char *path) { return !strcmp(path, "-"); }

FILE *agent_open_output(const char *path, bool append) {
    if (is_standard(path)) {
        int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        return fd < 0 ? NULL : fdopen(fd, "a");
    }
    return agent_is_own_link(path) ? fopen(path, append ? "ae" : "we") : NULL;
}

void agent_discard_output(const char *path) {
    struct stat st;
    int why = errno;
    if (!is_standard(path) && lstat(path, &st) == 0 && S_ISREG(st.st_mode)) unlink(path);
    errno = why;
}

bool agent_write_file(const Agent *a, const char *name, bool (*write)(const void *ctx, FILE *out), const void *ctx) {
    if (!name || !*name) return true;
    char *path = agent_file_name(name);
    errno = 0;
    FILE *out = path ? agent_open_output(path, false) : NULL;
    bool ok = out && write(ctx, out);
    if (out && fclose(out)) ok = false;
    if (out && !ok) agent_discard_output(path);
    int why = errno ? errno : EIO;
    if (!ok) agent_log(a, AGENT_ERROR, "%s: %s", name, strerror(why));
    free(path);
    errno = why;
    return ok;
}

jint agent_unwritten(const AgentOption *rows, const void *config, const char *file) {
    int why = errno ? errno : EIO;
    for (const AgentOption *r = rows; r->name; r++)
        if (r->kind == AGENT_OPT_STRING && *(const char *const *)((const char *)config + r->offset) == file)
            return agent_answer_of((int)(r - rows), why);
    return JNI_ERR;
}

void *agent_read_file(const char *path, int64_t most, CfArena *arena, size_t *len) {
    struct stat st;
    char *p = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    *len = 0;
    bool ok = fd >= 0 && fstat(fd, &st) == 0;
    if (ok && (!S_ISREG(st.st_mode) || st.st_size > most)) {
        errno = S_ISREG(st.st_mode) ? EFBIG : S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
    } else if (ok && (p = arena ? cf_arena_alloc(arena, (size_t)st.st_size + 1) : malloc((size_t)st.st_size + 1))) {
        for (ssize_t n; *len < (size_t)st.st_size && (n = read(fd, p + *len, (size_t)st.st_size - *len)) > 0;) *len += (size_t)n;
        p[*len] = 0;
    }
    if (fd >= 0) close(fd);
    return p;
}

/* ---- text ----------------------------------------------------------------------------- */

void agent_dotted(const char *name, char *buf, size_t n) {
    size_t i = 0;
    for (; name[i] && i + 1 < n; i++) buf[i] = name[i] == '/' ? '.' : name[i];
    buf[i] = 0;
}

void agent_put_json(FILE *out, const char *text, const char *also) {
    char utf8[AGENT_CHAR_TEXT];
    fputc('"', out);
    for (const char *end = text + strlen(text); text < end;) {
        uint32_t c = agent_next_char(&text, end);
        if (c == '"' || c == '\\') fprintf(out, "\\%c", (int)c);
        else if (agent_is_control(c) || (c < 0x80 && strchr(also, (int)c))) fprintf(out, "\\u%04x", (unsigned)c);
        else fwrite(utf8, 1, agent_utf8_of(c, utf8), out);
    }
    fputc('"', out);
}

void agent_put_csv(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void agent_put_leb(CfWriter *w, uint64_t v) {
    for (; v > 127; v >>= 7) cf_w_u1(w, (v | 128) & 255);
    cf_w_u1(w, (unsigned)v);
}

/* ---- patterns ------------------------------------------------------------------------- */

static bool match_n(const char *p, const char *pend, const char *s) {
    const char *star = NULL, *back = NULL;
    while (*s) {
        if (p < pend && (*p == '?' || (*p == *s && *p != '*'))) {
            p++, s++;
        } else if (p < pend && *p == '*') {
            star = p++;
            back = s;
        } else if (star) {
            p = star + 1;
            s = ++back;
        } else {
            return false;
        }
    }
    while (p < pend && *p == '*') p++;
    return p == pend;
}

char *agent_file_name(const char *pattern) {
    const char *p = pattern ? strstr(pattern, "%p") : NULL;
    char *out = NULL;
    if (!p) return pattern ? strdup(pattern) : NULL;
    return asprintf(&out, "%.*s%d%s", (int)(p - pattern), pattern, (int)getpid(), p + 2) < 0 ? NULL : out;
}

bool agent_match(const char *pattern, const char *name) { return match_n(pattern, pattern + strlen(pattern), name); }

const char *agent_list_next(const char **pos, size_t *len) {
    const char *p = *pos;
    while (p && *p == ':') p++;
    if (!p || !*p) return NULL;
    *len = strcspn(p, ":");
    *pos = p + *len;
    return p;
}

bool agent_match_list(const char *list, const char *name) {
    size_t len;
    for (const char *p; (p = agent_list_next(&list, &len));)
        if (match_n(p, p + len, name)) return true;
    return false;
}
