/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent.h - what every JVM TI agent of this project needs and none should write again.
 *
 * Options. An agent describes its options as rows (AgentOption) over its own configuration struct:
 *
 *     static const AgentOption rows[] = {
 *         AGENT_OPT(Config, STRING, file, "file", "NAME", "where the data goes"),
 *         AGENT_OPT(Config, WORD, form, "format", "text|csv", "form of the table"),
 *         AGENT_OPT(Config, BOOL, jdk, "jdk", "on|off", "also JDK classes"),
 *         {0}};
 *     Config c = {.file = "x.dat"};                       // defaults
 *     int rc = agent_options(&agent, options, rows, &c);  // 0, AGENT_HELP or AGENT_BAD
 *
 * The option string of -agentpath is `name=value,name=value`. A value may hold a comma as `\,` and
 * a backslash as `\\`. Lists (values of the forms PATTERNS, PATHS, PROBES) that are given again add up, of other
 * options the last one counts. `help` prints the rows and makes agent_options return AGENT_HELP.
 * An unknown name or a bad value prints one clear line to stderr and returns AGENT_BAD; the agent's
 * Agent_OnLoad then returns JNI_ERR, which ends the VM. Strings stay valid for the whole process.
 *
 * Errors. AGENT_CHECK(agent, jvmti_call) logs the name of a failing call with the JVM TI error
 * name and yields the error code, so that it reads as `if (AGENT_CHECK(a, (*ti)->F(ti))) ...`.
 *
 * Log. agent_log prints "[name] text" to stderr as one write. Levels: error always, info unless
 * `quiet`, debug only with `verbose`.
 *
 * Lists. agent_list_* split `a:b:c` values; agent_match tests a name against one pattern where
 * `*` stands for any characters and `?` for one.
 */
#ifndef GRAFT_AGENT_H
#define GRAFT_AGENT_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "agent_option.h"
#include "cf_bytes.h"

typedef enum AgentLevel { AGENT_ERROR, AGENT_INFO, AGENT_DEBUG } AgentLevel;

typedef struct Agent {
    const char *name;  /* "coverage": prefix of messages */
    const char *title; /* one line for help */
    AgentLevel level;  /* messages above it are dropped; default AGENT_INFO */
    jint oldest;       /* which JVM TI is enough: JVMTI_VERSION_1_2 is JDK 8's; 0: JVMTI_VERSION_11 */
    JavaVM *vm;
    jvmtiEnv *ti;
    jint version; /* JVM TI of the VM, micro version left out: comparable with JVMTI_VERSION_9 */
} Agent;

enum { AGENT_OK = 0, AGENT_HELP = 1, AGENT_BAD = 2 };

/* What the options `quiet` and `verbose` of every agent mean. */
static inline void agent_set_level(Agent *a, bool quiet, bool verbose) {
    a->level = quiet ? AGENT_ERROR : verbose ? AGENT_DEBUG : AGENT_INFO;
}

int agent_options(Agent *a, const char *text, const AgentOption *rows, void *config);
/* The first option given that is none of `names` (a|b|c), malloc'ed; NULL: there is none. */
char *agent_option_but(const char *text, const char *names);
/* For an agent that is there already: refuses (logged) such an option with `why`. */
bool agent_options_only(const Agent *a, const char *text, const char *names, const char *why);

void agent_log(const Agent *a, AgentLevel level, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* An error for who gives up thereby: `return agent_refuse(a, ...)`. */
#define agent_refuse(a, ...) (agent_log((a), AGENT_ERROR, __VA_ARGS__), false)

/* At the start: was this library loaded before in this VM? Then that is logged, and its first options stay. */
bool agent_is_loaded(const Agent *a);
/* Gets a JVM TI environment of version a->oldest or later into a->ti. 0 or JNI_ERR (logged). */
jint agent_attach(Agent *a, JavaVM *vm);
/* Adds the given capabilities; logs which the VM has not, and returns the error. */
jvmtiError agent_capabilities(Agent *a, const jvmtiCapabilities *caps);
/* Those of the given capabilities that the VM has. */
jvmtiCapabilities agent_potential(const Agent *a, const jvmtiCapabilities *caps);
/* Installs callbacks and enables the listed events (ended by 0) for all threads. */
jvmtiError agent_events(Agent *a, const jvmtiEventCallbacks *cb, const jvmtiEvent *events);

/* Memory of JVM TI, as replaced class bytes must be; `agent` is an Agent *. NULL when there is none. A BciAlloc. */
void *agent_memory(void *agent, size_t size);

/* Is this VM ours? */
bool agent_is_graft(const Agent *a);

jvmtiError agent_check(const Agent *a, jvmtiError err, const char *what);
#define AGENT_CHECK(a, call) agent_check((a), (call), #call)

/* JNI of this thread; NULL if it is no Java thread. */
JNIEnv *agent_env(const Agent *a);
/* "a/b/C" of a class, modified UTF-8 as in class files; malloc'ed, NULL for arrays, primitives and without memory. */
char *agent_class_name(const Agent *a, jclass c);

/* Retransforms those loaded classes that `wanted` chooses by their name "a/b/C", all at once; if the VM refuses that one by
 * one, so that only the bad ones are left out (their number is logged). */
typedef bool (*AgentWanted)(void *ctx, JNIEnv *env, jclass c, const char *name);
void agent_retransform(const Agent *a, JNIEnv *env, AgentWanted wanted, void *ctx);
/* The same in two steps: the number of such classes; `out` is to be given to Deallocate, and its local references are the caller's. */
jint agent_find_classes(const Agent *a, JNIEnv *env, AgentWanted wanted, void *ctx, jclass **out);
void agent_retransform_these(const Agent *a, JNIEnv *env, jint n, const jclass *these);

/* Runs `body` in a new daemon thread of that name. False if that failed (logged). */
bool agent_start_thread(Agent *a, JNIEnv *env, const char *name, jvmtiStartFunction body);

/* True and a log line if a Java exception is pending; it is cleared. */
bool agent_exception(const Agent *a, JNIEnv *env, const char *what);

/* Has `write` fill the file (agent_file_name); false with errno if that failed (logged). NULL or "": no file, true. */
bool agent_write_file(const Agent *a, const char *name, bool (*write)(const void *ctx, FILE *out), const void *ctx);

/* The answer of Agent_OnAttach (agent_answer_of) after `file`, a value of an option in `config`, could not be written, by errno. */
jint agent_unwritten(const AgentOption *rows, const void *config, const char *file);

/* The bytes of a plain file of at most `most` bytes, and a NUL behind them; in the arena, or malloc'ed if that is NULL. What
 * cannot be read any more is left out. NULL with errno. */
struct CfArena;
void *agent_read_file(const char *path, int64_t most, struct CfArena *arena, size_t *len);

/* A file to be written, made anew (`append`: gone on with) with rights 0666 as the umask has it. A link that none of this user, root and the
 * folder's owner made is not followed. "-" is standard output. NULL with errno. */
FILE *agent_open_output(const char *path, bool append);
/* Removes a plain file that could not be written to its end, which would look like one that was; errno stays. */
void agent_discard_output(const char *path);
/* May `path` be opened, as far as it is a link? Sets errno if not. */
bool agent_is_own_link(const char *path);

/* A file name as given, in which "%p" becomes the process id; malloc'ed. NULL for NULL or want of memory. */
char *agent_file_name(const char *pattern);

/* "a.b.C" of "a/b/C", cut if it does not fit; the buffers may be the same. For people and patterns: agent_plain_name (utf8.h). */
void agent_dotted(const char *name, char *buf, size_t n);
/* A JSON string, UTF-8 whatever the text is; characters of `also` are written by their number, too. */
void agent_put_json(FILE *out, const char *text, const char *also);
/* A field of CSV (RFC 4180), always in quotes. */
void agent_put_csv(FILE *out, const char *text);

/* What the clock says. */
static inline int64_t agent_nanos(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * (int64_t)1000000000 + t.tv_nsec;
}

/* LEB128: 7 bits a byte, the lowest first. */
void agent_put_leb(CfWriter *w, uint64_t v);

/* `name` against one pattern (`*`, `?`). */
bool agent_match(const char *pattern, const char *name);
/* `name` against a list `p:p:p`; an empty or NULL list matches nothing. */
bool agent_match_list(const char *list, const char *name);
/* Next element of a list `a:b:c`: *pos starts at the list and moves on; the length goes to *len.
 * Empty elements are skipped. NULL at the end. */
const char *agent_list_next(const char **pos, size_t *len);

#endif
