/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_javac.c - the Java compiler; see swap_javac.h.
 *
 * A JDK has its compiler in it (javax.tools), so nothing has to be started and its code is warm from the second time on. A run-time
 * image has none: then `javac` is run as a process, the one named by the option, or that beside the VM, of JAVA_HOME, of PATH.
 */
#include "swap_javac.h"
#include "swap_java.h"
#include "utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { TEXT_MAX = 1 << 20 };

void swap_javac_put(FILE *out, const char *arg) {
    fputc('"', out);
    for (; *arg; arg++) {
        if (*arg == '"' || *arg == '\\') fputc('\\', out);
        fputc(*arg, out);
    }
    fputs("\"\n", out);
}

/* ---- in this VM -------------------------------------------------------------------------------- */

static jobject find_tool(SwapJavac *j, JNIEnv *env) {
    if (j->looked || j->command) return j->tool;
    j->looked = true;
    jclass provider = (*env)->FindClass(env, "javax/tools/ToolProvider");
    jmethodID get =
        provider ? (*env)->GetStaticMethodID(env, provider, "getSystemJavaCompiler", "()Ljavax/tools/JavaCompiler;") : NULL;
    jobject tool = get ? (*env)->CallStaticObjectMethod(env, provider, get) : NULL;
    char *why = swap_take_exception(env);
    if (why) agent_log(j->agent, AGENT_DEBUG, "this VM has no compiler: %s", why);
    free(why);
    return j->tool = tool ? (*env)->NewGlobalRef(env, tool) : NULL;
}

static char *text_of_stream(JNIEnv *env, jobject stream) {
    jclass c = (*env)->GetObjectClass(env, stream);
    jmethodID get = (*env)->GetMethodID(env, c, "toByteArray", "()[B");
    jbyteArray bytes = get ? (*env)->CallObjectMethod(env, stream, get) : NULL;
    if ((*env)->ExceptionCheck(env) || !bytes) return NULL;
    jsize n = (*env)->GetArrayLength(env, bytes);
    char *text = malloc((size_t)n + 1);
    if (text) (*env)->GetByteArrayRegion(env, bytes, 0, n, (jbyte *)text);
    if (text) text[n] = 0;
    return text;
}

/* tool.run(null, stream, stream, {"@args"}) */
static int run_here(SwapJavac *j, JNIEnv *env, const char *args, char **text) {
    char *word = NULL;
    int code = -1;
    if ((*env)->PushLocalFrame(env, 16)) return -1;
    jclass stream_class = (*env)->FindClass(env, "java/io/ByteArrayOutputStream");
    jclass string = stream_class ? (*env)->FindClass(env, "java/lang/String") : NULL;
    jmethodID init = string ? (*env)->GetMethodID(env, stream_class, "<init>", "()V") : NULL;
    jobject stream = init ? (*env)->NewObject(env, stream_class, init) : NULL;
    jstring arg = stream && asprintf(&word, "@%s", args) > 0 ? agent_new_string(env, word) : NULL;
    jobjectArray list = arg ? (*env)->NewObjectArray(env, 1, string, arg) : NULL;
    jclass tool = list ? (*env)->FindClass(env, "javax/tools/Tool") : NULL;
    jmethodID run =
        tool ? (*env)->GetMethodID(env, tool, "run",
                                   "(Ljava/io/InputStream;Ljava/io/OutputStream;Ljava/io/OutputStream;[Ljava/lang/String;)I")
             : NULL;
    if (run) code = (*env)->CallIntMethod(env, j->tool, run, NULL, stream, stream, list);
    char *why = swap_take_exception(env);
    *text = why ? why : stream ? text_of_stream(env, stream) : NULL;
    if (why && !code) code = 1;
    free(word);
    agent_exception(j->agent, env, "the compiler's text");
    (*env)->PopLocalFrame(env, NULL);
    return code;
}

/* ---- beside it --------------------------------------------------------------------------------- */

static char *in_home(const char *home, const char *below) {
    char *path = NULL;
    if (!home || asprintf(&path, "%s/%s", home, below) < 0) return NULL;
    if (access(path, X_OK) == 0) return path;
    free(path);
    return NULL;
}

static char *in_path(const char *list) {
    size_t len;
    for (const char *p; (p = agent_list_next(&list, &len));) {
        char *dir = strndup(p, len), *path = in_home(dir, "javac");
        free(dir);
        if (path) return path;
    }
    return NULL;
}

/* *own: it is this VM's. */
static char *find_command(SwapJavac *j, bool *own) {
    char *home = NULL, *path;
    *own = false;
    if (j->command) return strdup(j->command);
    if ((*j->agent->ti)->GetSystemProperty(j->agent->ti, "java.home", &home)) home = NULL;
    path = in_home(home, "bin/javac");
    if (!path) path = in_home(home, "../bin/javac"); /* JDK 8: java.home is its jre */
    *own = path != NULL;
    if (home) (*j->agent->ti)->Deallocate(j->agent->ti, (unsigned char *)home);
    const char *list = getenv("PATH");
    if (!path) path = in_home(getenv("JAVA_HOME"), "bin/javac");
    if (!path && list) path = in_path(list);
    return path;
}

char *swap_javac_release(SwapJavac *j, JNIEnv *env) {
    bool own;
    char *version = NULL, *out = NULL, *path;
    if (find_tool(j, env)) return NULL;
    path = find_command(j, &own);
    if (path && !own && !(*j->agent->ti)->GetSystemProperty(j->agent->ti, "java.specification.version", &version)) {
        out = strdup(!strncmp(version, "1.", 2) ? version + 2 : version);
        (*j->agent->ti)->Deallocate(j->agent->ti, (unsigned char *)version);
    }
    free(path);
    return out;
}

static pid_t beside; /* the process that runs, or 0. It is not reaped before this is 0 again, so that its number is no other's */

static int wait_for(pid_t pid) {
    siginfo_t ended;
    int status;
    __atomic_store_n(&beside, pid, __ATOMIC_RELEASE);
    while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
    __atomic_store_n(&beside, 0, __ATOMIC_RELEASE);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void swap_javac_stop(void) {
    pid_t pid = __atomic_load_n(&beside, __ATOMIC_ACQUIRE);
    if (pid > 0) kill(pid, SIGKILL);
}

/* An agent of JAVA_TOOL_OPTIONS would go into the compiler's JVM, too. */
static char **child_environment(void) {
    size_t n = 0, k = 0;
    while (environ[n]) n++;
    char **out = calloc(n + 1, sizeof *out);
    for (size_t i = 0; out && i < n; i++)
        if (strncmp(environ[i], "JAVA_TOOL_OPTIONS=", 18) != 0) out[k++] = environ[i];
    return out;
}

static int run_beside(SwapJavac *j, const char *args, char **text) {
    bool own;
    char *path = find_command(j, &own), *word = NULL, *said = NULL, **env = child_environment();
    int code = -1;
    if (!path) *text = strdup("no compiler: this VM has none, and there is no javac in JAVA_HOME or PATH (option javac=)");
    else if (env && asprintf(&word, "@%s", args) > 0 && asprintf(&said, "%s.said", args) > 0) {
        char *argv[] = {path, word, NULL};
        pid_t pid;
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files, 1, said, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
        posix_spawn_file_actions_adddup2(&files, 1, 2);
        int error = posix_spawn(&pid, path, &files, NULL, argv, env);
        posix_spawn_file_actions_destroy(&files);
        if (error && asprintf(text, "%s: %s", path, strerror(error)) < 0) *text = NULL;
        if (!error) code = wait_for(pid);
        if (!error) *text = (char *)agent_read_file(said, TEXT_MAX, NULL, &(size_t){0});
        unlink(said);
    }
    free(env);
    free(said);
    free(word);
    free(path);
    return code;
}

int swap_javac_run(SwapJavac *j, JNIEnv *env, const char *args, char **text) {
    *text = NULL;
    return find_tool(j, env) ? run_here(j, env, args, text) : run_beside(j, args, text);
}
