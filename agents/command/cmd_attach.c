/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_attach.c - see cmd_attach.h. */
#include "cmd_attach.h"
#include "cmd_home.h"
#include "cmd_reports.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_SECONDS = 60, MAX_ARGUMENT = 1024 };

/* ---- whose files ------------------------------------------------------------------------------- */

void attach_as(const Process *p) {
    if (geteuid() != 0 || p->uid == 0) return;
    if (setegid(p->gid) || seteuid(p->uid)) graft_die("cannot act as user %u: %m", (unsigned)p->uid);
}

void attach_as_self(void) {
    if (seteuid(getuid()) || setegid(getgid())) graft_die("cannot act as user %u again: %m", (unsigned)getuid());
}

/* A link for /tmp in a container would lead to files of ours. */
static void must_have_tmp(const Process *p) {
    struct stat st;
    char *tmp = process_path(p, "/tmp");
    if (p->foreign && (lstat(tmp, &st) || !S_ISDIR(st.st_mode))) graft_die("%s is no folder: it is not trusted", tmp);
    free(tmp);
}

static void must_be_ours(const Process *p) {
    if (geteuid() != 0 && geteuid() != p->uid)
        graft_die("process %d belongs to user %u: be that user, or root (sudo)", (int)p->pid, (unsigned)p->uid);
}

/* ---- the socket -------------------------------------------------------------------------------- */

int attach_connect(const Process *p, const char *path) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    struct ucred peer = {0};
    struct stat st;
    socklen_t len = sizeof peer;
    if (lstat(path, &st)) return -1;
    if (!S_ISSOCK(st.st_mode) || st.st_uid != p->uid || (st.st_mode & 077)) return errno = EPERM, -1;
    if (strlen(path) >= sizeof at.sun_path) return errno = ENAMETOOLONG, -1;
    strcpy(at.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    int error = connect(fd, (struct sockaddr *)&at, sizeof at) ? errno : 0;
    if (!error && (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) || peer.pid != p->pid)) error = EPERM;
    if (!error) return fd;
    close(fd);
    return errno = error, -1;
}

static int try_connect(const Process *p) {
    char *name = text_of("/tmp/.java_pid%d", (int)p->inner), *path = process_path(p, name);
    attach_as(p);
    int fd = attach_connect(p, path), error = errno;
    attach_as_self();
    if (fd < 0 && error == EPERM)
        graft_die("%s is not a socket of process %d alone: it is not trusted. Somebody else made it; remove it", path,
                  (int)p->pid);
    if (fd < 0 && error != ENOENT && error != ECONNREFUSED) graft_die("%s: %s", path, strerror(error));
    free(name);
    free(path);
    return fd;
}

/* The file that says we mean it; malloc'ed, NULL with errno. */
static char *knock_file(const Process *p) {
    char *cwd = text_of("/proc/%d/cwd/.attach_pid%d", (int)p->pid, (int)p->inner),
         *name = text_of("/tmp/.attach_pid%d", (int)p->inner);
    char *paths[] = {cwd, process_path(p, name)}, *made = NULL;
    attach_as(p);
    for (int i = 0; i < 2 && !made; i++) {
        struct stat st;
        int fd = open(paths[i], O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0600);
        if (fd >= 0 || (errno == EEXIST && lstat(paths[i], &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == p->uid))
            made = text_of("%s", paths[i]); /* that of another client will do */
        if (fd >= 0) close(fd);
    }
    attach_as_self();
    free(cwd);
    free(name);
    free(paths[1]);
    return made;
}

static void refuse_if_deaf(const Process *p) {
    PerfData d;
    if (!p->listens)
        graft_die("process %d does not handle SIGQUIT: it is just starting, or runs with -Xrs; it cannot be attached to",
                  (int)p->pid);
    if (!perf_read(p, &d)) return;
    const char *can = perf_text(&d, "sun.rt.jvmCapabilities");
    bool deaf = can && *can == '0';
    perf_free(&d);
    if (deaf) graft_die("process %d runs with -XX:+DisableAttachMechanism: it cannot be attached to", (int)p->pid);
}

static int wait_for_socket(const Process *p, const char *knock) {
    const struct timespec pause = {0, 20 * 1000 * 1000};
    int fd = -1;
    for (int i = 0; fd < 0 && i < WAIT_SECONDS * 50; i++) {
        nanosleep(&pause, NULL);
        if (kill(p->pid, 0) && errno == ESRCH) graft_die("process %d has ended", (int)p->pid);
        if (i == 100 && isatty(STDERR_FILENO)) graft_say("waiting for process %d to answer", (int)p->pid);
        fd = try_connect(p);
    }
    unlink(knock);
    return fd;
}

static int open_connection(const Process *p) {
    must_be_ours(p);
    must_have_tmp(p);
    int fd = try_connect(p);
    if (fd >= 0) return fd;
    refuse_if_deaf(p);
    char *knock = knock_file(p);
    if (!knock) graft_die("neither the working directory of process %d nor /tmp can be written: %m", (int)p->pid);
    if (kill(p->pid, SIGQUIT)) graft_die("process %d: %m", (int)p->pid);
    fd = wait_for_socket(p, knock);
    if (fd < 0) graft_die("process %d does not answer: it is stopped, hangs, or is no JVM that can be attached to", (int)p->pid);
    free(knock);
    return fd;
}

/* ---- requests ---------------------------------------------------------------------------------- */

static bool send_all(int fd, const char *p, size_t n) {
    for (ssize_t k; n; p += k, n -= (size_t)k)
        if ((k = send(fd, p, n, MSG_NOSIGNAL)) <= 0) return false;
    return true;
}

static char *read_answer(int fd) {
    char *text = NULL, buf[8192];
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out) graft_die("out of memory");
    for (ssize_t n; (n = read(fd, buf, sizeof buf)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0) fwrite(buf, 1, (size_t)n, out);
    if (fclose(out)) graft_die("out of memory");
    return text;
}

int attach_request(const Process *p, const char *command, const char *a, const char *b, const char *c, char **text) {
    const char *words[] = {"1", command, a, b, c};
    for (int i = 2; i < 5; i++)
        if (strlen(words[i]) > MAX_ARGUMENT)
            graft_die("too long for a running JVM (%d characters at most): %.60s...", MAX_ARGUMENT, words[i]);
    int fd = open_connection(p);
    bool ok = true;
    for (int i = 0; ok && i < 5; i++) ok = send_all(fd, words[i], strlen(words[i]) + 1);
    char *all = read_answer(fd), *line = strchr(all, '\n');
    close(fd);
    if (!ok || !line) graft_die("process %d has closed the connection: it ended, or does not want to talk", (int)p->pid);
    *text = text_of("%s", line + 1);
    int status = atoi(all);
    free(all);
    return status;
}

/* The library as the process sees it must be there. */
static void must_see(const Process *p, const char *file) {
    char *path = process_path(p, file);
    if (access(path, R_OK) != 0 && p->foreign)
        graft_die("process %d sees other files (a container) and there is no %s among them: copy it there, e.g. to %s",
                  (int)p->pid, file, path);
    free(path);
}

long attach_ask(const Process *p, const char *agent, const char *options) {
    char *text, *so = home_agent(agent);
    must_see(p, so);
    int status = attach_request(p, "load", so, "true", options, &text);
    const char *code = strstr(text, "return code: ");
    long rc = code ? atol(code + 13) : *text ? strtol(text, NULL, 10) : 0; /* JDK 8: the number alone */
    text[strcspn(text, "\n")] = 0;
    text_printable(text);
    if (status || (!code && *text && (*text < '0' || *text > '9') && *text != '-'))
        graft_die("process %d (%s %s) cannot load %s: %s", (int)p->pid, p->vm, p->version, so, *text ? text : "no reason given");
    free(text);
    free(so);
    return rc;
}

/* The value of the last such option in the text for the agent; NULL if there is none. Not freed: the program ends. */
static const char *value_in(const char *options, const char *name) {
    size_t n = strlen(name);
    const char *found = NULL;
    for (char *in = text_of("%s", options); *in;) {
        char *from = in, *out = in;
        for (; *in && *in != ','; in++) {
            if (*in == '\\' && in[1]) in++;
            *out++ = *in;
        }
        if (*in) in++;
        *out = 0;
        if (!strncmp(from, name, n) && from[n] == '=') found = from + n + 1;
    }
    return found;
}

void attach_load(const Process *p, const char *agent, const char *options) {
    int place, error;
    long answer = attach_ask(p, agent, options);
    if (!answer) return;
    const Option *o = agent_rows(agent_find(agent));
    if (answer == AGENT_ANSWER_THERE) /* hotswap alone: the others take new options or have a command to stop */
        graft_die("process %d (%s) has a %s agent, whose options are those of its start; graft redefine %d FILE... asks it",
                  (int)p->pid, p->command, agent, (int)p->pid);
    if (!agent_answer_names(answer, &place, &error))
        graft_die("the %s agent refuses; process %d says why on its standard error", agent, (int)p->pid);
    while (place-- && o->name) o++;
    const char *file = o->name ? value_in(options, o->name) : NULL;
    graft_die("process %d could not write %s (--%s): %s", (int)p->pid, file ? file : "the file of an earlier start",
              o->name ? o->name : "?", strerror(error));
}

/* ---- graft AGENT --attach ---------------------------------------------------------------------- */

/* Where the report of this process goes if nothing is said. */
static char *default_file(const AgentKind *a, const Process *p) {
    const char *dot = a->output ? strrchr(a->output, '.') : NULL;
    char *name = dot ? text_of("%.*s-%d%s", (int)(dot - a->output), a->output, (int)p->pid, dot) : NULL;
    char *path = name ? path_absolute(name) : NULL;
    free(name);
    return path;
}

/* Not a start, but for the agent that is there already? */
static bool is_command(const AgentKind *a, const Given *g, const Process *p) {
    return option_on(g, "stop") || option_on(g, "dump") ||
           (!strcmp(a->name, "coverage") && strstr(p->agents, "coverage") && option_value(g, "epoch"));
}

char *attach_options(const AgentKind *a, const Given *g, const Process *p, char **file) {
    const char *named = option_value(g, "output") ? option_value(g, "output") : option_value(g, "file");
    *file = named ? path_absolute(named) : default_file(a, p);
    char *rest = options_for_agent(g, NULL, false);
    return *file && !named && !is_command(a, g, p) ? text_of("file=%s%s%s", option_escaped(*file), *rest ? "," : "", rest) : rest;
}

/* What an agent would only refuse on the standard error of its process. */
static void refuse_senseless(const AgentKind *a, const Given *g, const Process *p) {
    if (!strstr(p->agents, a->name) && (option_on(g, "stop") || option_on(g, "dump")))
        graft_die("process %d (%s) has no %s agent: there is nothing to stop or to report", (int)p->pid, p->command, a->name);
}

int attach_agent(const AgentKind *a, const Given *g) {
    if (g->nrest) graft_die("%s: either --attach or a command (%s ...)", a->name, g->rest[0]);
    Process p = process_find(option_value(g, "attach"));
    /* of natives: these wrap nothing; an agent that is there reports */
    if (a->unloaded && !option_on(g, "jni") && !option_on(g, "refs") && !strstr(p.agents, a->name))
        graft_die("%s cannot be attached without --jni or --refs: %s. Start the program with graft %s -- CMD", a->name,
                  a->unloaded, a->name);
    refuse_senseless(a, g, &p);
    if (live_is_wanted(a, g)) return live_run(a, g, &p);
    char *file, *options = attach_options(a, g, &p, &file);
    bool again = is_command(a, g, &p);
    attach_load(&p, a->name, options);
    graft_say("process %d (%s): done", (int)p.pid, p.command);
    char *seen = file ? process_path(&p, file) : NULL;
    bool stops = !strcmp(a->name, "coverage") || !strcmp(a->name, "trace");
    if (stops && !again) graft_say("data goes to %s; graft %s --attach %d --stop ends it", file, a->name, (int)p.pid);
    else if (seen) reports_tell(a, seen);
    free(seen);
    free(file);
    return 0;
}
