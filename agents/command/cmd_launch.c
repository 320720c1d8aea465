/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_launch.c - `graft run` and `graft AGENT -- CMD`: environment, command line, child, and what is said at the end.
 *
 * `run` becomes CMD. With an agent CMD is a child: signals that end programs are passed on to it, those of the terminal
 * reach it anyhow.
 */
#include "cmd_attach.h"
#include "cmd_home.h"
#include "cmd_reports.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void need_command(const Command *c, const Given *g) {
    if (!g->nrest)
        graft_die("%s: no command is given; e.g. graft %s -- java -jar app.jar ('graft help %s')", c->name, c->name, c->name);
}

/* Does not come back. failed: -1, or where one byte tells that argv did not begin. */
static void become(char **argv, int failed) {
    execvp(argv[0], argv);
    int e = errno;
    if (failed >= 0) (void)!write(failed, "", 1);
    graft_say("%s: %s", argv[0], e == ENOENT ? "no such command" : strerror(e));
    _exit(e == ENOENT ? GRAFT_NOT_FOUND : GRAFT_CANNOT_RUN);
}

/* ---- run --------------------------------------------------------------------------------------- */

static void add_to(const char *variable, const char *separator, const char *text, bool front) {
    const char *old = getenv(variable);
    char *both = !old || !*old ? text_of("%s", text)
                 : front       ? text_of("%s%s%s", text, separator, old)
                               : text_of("%s%s%s", old, separator, text);
    setenv(variable, both, 1);
    free(both);
}

/* Scripts of build tools look at JAVACMD before JAVA_HOME, some at JRE_HOME; Gradle's properties may name another JDK. */
static void use_image(const char *image, const char *program) {
    static const char *const homes[] = {"JDK_HOME", "JRE_HOME"};
    char *bin = text_of("%s/bin", image), *java = text_of("%s/bin/java", image),
         *gradle = text_of("-Dorg.gradle.java.home=%s", image);
    setenv("JAVA_HOME", image, 1);
    setenv("GRAFT_IMAGE", image, 1);
    for (size_t i = 0; i < 2; i++)
        if (getenv(homes[i])) setenv(homes[i], image, 1);
    if (getenv("JAVACMD")) setenv("JAVACMD", java, 1);
    if (!strncmp(basename(program), "gradle", 6)) add_to("GRADLE_OPTS", " ", gradle, false);
    add_to("PATH", ":", bin, true);
    free(bin);
    free(java);
    free(gradle);
}

/* Whatever CMD is, and whatever it starts, finds the image; it is made if it is not there. */
static void go_to_image(Given *g) {
    char *why;
    char *image = image_get(option_value(g, "image"), option_value(g, "jdk"), &why);
    if (!image) graft_die("%s", why);
    char *jdk = strchr(g->rest[0], '/') ? jdk_of(g->rest[0]) : NULL;
    char *own = jdk ? text_of("%s/bin/%s", image, basename(g->rest[0])) : NULL;
    use_image(image, g->rest[0]);
    if (own && access(own, X_OK) == 0) g->rest[0] = own;
}

int run_run(const Command *c, Given *g) {
    need_command(c, g);
    go_to_image(g);
    become(g->rest, -1);
    return GRAFT_CANNOT_RUN;
}

/* ---- with an agent ----------------------------------------------------------------------------- */

static volatile sig_atomic_t child;

static void pass_on(int signal) {
    if (child > 0) kill((pid_t)child, signal);
}

/* Signals wait while they are for nobody: until we know the child, and until the child is as it was. */
static int run_child(char **argv, bool *began) {
    struct sigaction pass = {.sa_handler = pass_on}, ignore = {.sa_handler = SIG_IGN}, old[4];
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    sigset_t wait, before;
    int status = 0, failed[2];
    char byte;
    if (pipe2(failed, O_CLOEXEC) != 0) graft_die("a pipe for the command: %m");
    sigemptyset(&wait);
    for (int i = 0; i < 4; i++) sigaddset(&wait, signals[i]);
    sigprocmask(SIG_BLOCK, &wait, &before);
    for (int i = 0; i < 4; i++) sigaction(signals[i], i < 2 ? &ignore : &pass, &old[i]);
    pid_t pid = fork();
    if (pid < 0) graft_die("a process for the command: %m");
    if (pid == 0) {
        for (int i = 0; i < 4; i++) sigaction(signals[i], &old[i], NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        become(argv, failed[1]);
    }
    child = pid;
    close(failed[1]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    child = 0;
    *began = read(failed[0], &byte, 1) == 0;
    close(failed[0]);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The variable's words end at blanks; quotes keep them together, and cannot stand inside of each other. */
static void put_tool_options(const char *agent) {
    char *word = strchr(agent, '\'')       ? text_of("\"%s\"", agent)
                 : strpbrk(agent, " \t\"") ? text_of("'%s'", agent)
                                           : text_of("%s", agent);
    if (strchr(agent, '\'') && strchr(agent, '"'))
        graft_die("options for JAVA_TOOL_OPTIONS cannot have both kinds of quotes: %s", agent);
    add_to("JAVA_TOOL_OPTIONS", " ", word, false);
    free(word);
}

static char **with_option(char **words, int n, char *option) {
    char **argv = calloc((size_t)n + 2, sizeof *argv);
    if (!argv) graft_die("out of memory");
    argv[0] = words[0];
    argv[1] = option;
    memcpy(argv + 2, words + 1, (size_t)(n - 1) * sizeof *argv);
    return argv;
}

static int agent_launch(const AgentKind *a, const Given *g) {
    bool direct = !strcmp(basename(g->rest[0]), "java");
    char *program = path_search(g->rest[0]), *so = home_agent(a->name);
    if (!program) graft_say("%s: no such command", g->rest[0]);
    if (!program) return GRAFT_NOT_FOUND;
    if (!reports_can_judge(g)) return GRAFT_FAILED;
    Reports r = reports_begin(a, g, !direct);
    char *option = text_of("-agentpath:%s%s%s", so, *r.agent_options ? "=" : "", r.agent_options);
    if (!direct) put_tool_options(option);
    bool began;
    int code = run_child(direct ? with_option(g->rest, g->nrest, option) : g->rest, &began);
    int judged = reports_end(&r, !began);
    if (code == 0) code = judged;
    free(option);
    free(program);
    free(so);
    return code;
}

static void refuse_without_live(const AgentKind *a, const Given *g) {
    static const char *const names[] = {"interval", "rows", "looks"};
    for (int i = 0; i < 3; i++)
        if (option_value(g, names[i])) graft_die("%s: --%s is for --live", a->name, names[i]);
}

int agent_run(const Command *c, Given *g) {
    const AgentKind *a = agent_find(c->name);
    if (!live_is_wanted(a, g)) refuse_without_live(a, g);
    if (option_value(g, "attach") && (option_value(g, "fail-under") || option_value(g, "diff")))
        graft_die("%s: --fail-under and --diff judge what CMD did; of a running JVM, --dump or --stop and graft report", a->name);
    if (option_value(g, "attach")) return attach_agent(a, g);
    if (live_is_wanted(a, g)) graft_die("%s: --live looks at a JVM that runs already: it needs --attach", c->name);
    need_command(c, g);
    if (option_on(g, "on-graft")) go_to_image(g);
    return agent_launch(a, g);
}

/* ---- other tools ------------------------------------------------------------------------------- */

static bool is_report_command(const char *word) {
    static const char *const words[] = {"report", "compare", "affected", "merge", "epochs", "dump", "info", "help", "--help"};
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], word)) return true;
    return !word;
}

/* Commands that are those of another program. `word`: its own command, which the name of ours says. */
static const struct Tool {
    const char *command, *tool;
    char *word;
} tools[] = {
    {"class", "class", NULL}, {"heapdiff", "heap", NULL}, {"report", "coverage", "report"}, {"affected", "coverage", "affected"}};

int tool_run(const Command *c, Given *g) {
    const struct Tool *t = tools;
    while (strcmp(t->command, c->name)) t++;
    char *tool = home_tool(t->tool), *word = t->word;
    if (!tool) graft_die("graft-%s is not there: install Graft again, or build it with make", t->tool);
    if (word && !strcmp(word, "report") && is_report_command(g->rest[0])) word = NULL;
    if (word && g->rest[0] && !strcmp(g->rest[0], "--help")) return help_of(c, stdout);
    char *first[] = {tool, NULL};
    char **argv = with_option(first, 1, word);
    argv = realloc(argv, (size_t)(g->nrest + 3) * sizeof *argv);
    if (!argv) graft_die("out of memory");
    memcpy(argv + 1 + (word != NULL), g->rest, (size_t)(g->nrest + 1) * sizeof *argv);
    execv(tool, argv);
    graft_die("%s: %m", tool);
}
