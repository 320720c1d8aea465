/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attach listener, Linux protocol of the jdk.attach module.
 *
 * A client that finds no socket /tmp/.java_pid<pid> creates the file .attach_pid<pid> in our
 * working directory or /tmp and sends SIGQUIT.  If that file is ours (same user), a daemon
 * thread "Attach Listener" binds the socket and serves one request per connection:
 *
 *     request   "1" NUL command NUL arg1 NUL arg2 NUL arg3 NUL
 *     answer    status in decimal, newline, text until the connection is closed
 *
 * Only processes of the same effective user, or root, are heard (SO_PEERCRED).  Requests are
 * read and answered in state NATIVE; commands run in state JAVA and write to a memory stream.
 */
#include "serve/attach.h"
#include "core/hooks.h"
#include "core/options.h"
#include "serve/diag.h"
#include "jvm/jvm_thread.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { N_ARGS = 3, MAX_COMMAND = 16, MAX_ARG = 1024, BAD_VERSION = 101, READ_TIMEOUT_MS = 10000 };

typedef struct Request {
    char command[MAX_COMMAND + 1];
    char arg[N_ARGS][MAX_ARG + 1];
} Request;

static char socket_path[sizeof((struct sockaddr_un *)0)->sun_path];
static int listener = -1;

/* ---- operations: 0 or an error status; the text goes to out ---- */

typedef int (*Operation)(Thread *t, const Request *r, FILE *out);

static int op_properties(Thread *t, const Request *r, FILE *out) {
    return diag_print_properties(t, "serializePropertiesToByteArray", out) ? 0 : -1;
}
static int op_agent_properties(Thread *t, const Request *r, FILE *out) {
    return diag_print_properties(t, "serializeAgentPropertiesToByteArray", out) ? 0 : -1;
}
static int op_datadump(Thread *t, const Request *r, FILE *out) {
    HOOK_CALL(DATA_DUMP, data_dump);
    return 0;
}
static int op_threaddump(Thread *t, const Request *r, FILE *out) {
    bool locks = strchr(r->arg[0], 'l') != NULL, extended = strchr(r->arg[0], 'e') != NULL;
    thread_dump(t, out, locks || vm_options.dump_locks, extended);
    return 0;
}
static int op_jcmd(Thread *t, const Request *r, FILE *out) { return diag_execute(t, r->arg[0], DIAG_ATTACH, out) ? 0 : -1; }
static int op_load(Thread *t, const Request *r, FILE *out) {
    return diag_load_agent(t, r->arg[0], strcmp(r->arg[1], "true") == 0, r->arg[2], out) ? 0 : -1;
}

/* "-live" or "-all", empty = live */
static bool wants_live(const char *arg, bool *live, FILE *out) {
    *live = strcmp(arg, "-all") != 0;
    if (!*live || !*arg || strcmp(arg, "-live") == 0) return true;
    fprintf(out, "Invalid argument to operation: %s\n", arg);
    return false;
}

static int op_dumpheap(Thread *t, const Request *r, FILE *out) {
    HprofRequest h = {.path = r->arg[0], .gzip = atoi(r->arg[2])};
    if (!*h.path) return fprintf(out, "No dump file specified\n"), 0;
    if (!wants_live(r->arg[1], &h.live, out)) return -1;
    if (h.gzip < 0 || h.gzip > 9) return fprintf(out, "Compression level out of range (1-9): %s\n", r->arg[2]), -1;
    hprof_dump(t, &h, out); /* its text tells about failure; jmap shows text only with status 0 */
    return 0;
}

/* arg2: a file for the result instead of the connection */
static int op_inspectheap(Thread *t, const Request *r, FILE *out) {
    bool live;
    if (!wants_live(r->arg[0], &live, out)) return -1;
    if (!*r->arg[1]) return class_histogram(t, out, live), 0;
    FILE *f = fopen(r->arg[1], "w");
    if (!f) return fprintf(out, "Failed to open file: %s\n", r->arg[1]), -1;
    class_histogram(t, f, live);
    bool lost = ferror(f) != 0;
    if (fclose(f) != 0 || lost) return fprintf(out, "Failed to write file: %s\n", r->arg[1]), -1;
    fprintf(out, "Heap inspection file created: %s\n", r->arg[1]);
    return 0;
}

static int op_printflag(Thread *t, const Request *r, FILE *out) {
    const VmFlag *f = vm_flag_find(r->arg[0]);
    if (!f) fprintf(out, "no such flag '%s'", r->arg[0]);
    else vm_flag_print(f, out);
    fputc('\n', out);
    return 0;
}
static int op_setflag(Thread *t, const Request *r, FILE *out) {
    const VmFlag *f = vm_flag_find(r->arg[0]);
    if (!f) return fprintf(out, "flag %s does not exist\n", r->arg[0]), -1;
    if (!f->manageable) return fprintf(out, "flag '%s' cannot be changed\n", f->name), -1;
    const char *why = vm_flag_set(f, r->arg[1], ORIGIN_ATTACH);
    return why ? fprintf(out, "%s\n", why), -1 : 0;
}

static const struct {
    const char *name;
    Operation run;
} operations[] = {
    {"agentProperties", op_agent_properties},
    {"datadump", op_datadump},
    {"dumpheap", op_dumpheap},
    {"inspectheap", op_inspectheap},
    {"jcmd", op_jcmd},
    {"load", op_load},
    {"printflag", op_printflag},
    {"properties", op_properties},
    {"setflag", op_setflag},
    {"threaddump", op_threaddump},
};

static int run_operation(Thread *t, const Request *r, FILE *out) {
    for (size_t i = 0; i < ARRAY_LEN(operations); i++)
        if (strcmp(operations[i].name, r->command) == 0) {
            int rc = operations[i].run(t, r, out);
            t->exception = NULL;
            return rc;
        }
    fprintf(out, "Operation %s not recognized!", r->command);
    return -1;
}

/* ---- connection; state NATIVE ---- */

static int read_byte(int fd) {
    unsigned char c;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    for (;;) { /* a client that stalls must not stop the listener for ever */
        int ready = poll(&p, 1, READ_TIMEOUT_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return -1;
        ssize_t n = read(fd, &c, 1);
        if (n == 1) return c;
        if (n == 0 || errno != EINTR) return -1;
    }
}

static bool read_text(int fd, char *buf, size_t max) {
    for (size_t n = 0; n <= max; n++) {
        int c = read_byte(fd);
        if (c < 0) return false;
        buf[n] = (char)c;
        if (c == 0) return true;
    }
    return false;
}

static void write_all(int fd, const char *p, size_t n) {
    while (n > 0) {
        ssize_t k = send(fd, p, n, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return;
        p += k;
        n -= (size_t)k;
    }
}

static bool peer_allowed(int fd) {
    struct ucred peer;
    socklen_t len = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0) return false;
    return peer.uid == 0 || (peer.uid == geteuid() && (peer.gid == getegid()));
}

/* 0, a protocol error for the client, or -1: drop the connection */
static int read_request(int fd, Request *r) {
    char version[MAX_ARG + 1];
    if (!read_text(fd, version, sizeof version - 1)) return -1;
    if (strcmp(version, "1") != 0) return BAD_VERSION;
    if (!read_text(fd, r->command, MAX_COMMAND) || !*r->command) return -1;
    for (int i = 0; i < N_ARGS; i++)
        if (!read_text(fd, r->arg[i], MAX_ARG)) return -1;
    return 0;
}

static void answer(int fd, int status, const char *text, size_t len) {
    char head[16];
    int n = snprintf(head, sizeof head, "%d\n", status);
    write_all(fd, head, (size_t)n);
    write_all(fd, text, len);
    shutdown(fd, SHUT_RDWR);
}

static void serve(Thread *t, int fd) {
    static const char none[] = "There is no memory for an answer";
    Request r;
    char *text = NULL;
    size_t len = 0;
    int status = -1;
    bool lost = false;
    THREAD_BLOCKING(t) status = peer_allowed(fd) ? read_request(fd, &r) : -1;
    if (status < 0) return;
    if (status == 0) {
        FILE *out = open_memstream(&text, &len);
        if (out) status = run_operation(t, &r, out);
        lost = !out || fclose(out) != 0 || !text;
    }
    THREAD_BLOCKING(t) {
        if (lost) answer(fd, 1, none, sizeof none - 1);
        else answer(fd, status, text, len);
    }
    free(text);
}

static void listen_loop(Thread *t, void *arg) {
    for (;;) {
        int fd = -1;
        THREAD_BLOCKING(t) {
            do fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
            while (fd < 0 && errno == EINTR);
        }
        if (fd < 0 && (errno == EBADF || errno == EINVAL)) return; /* the socket is gone: the VM ends */
        if (fd < 0) { /* too many open files, no memory: the client waits, perhaps it passes */
            THREAD_BLOCKING(t) usleep(20000);
            continue;
        }
        serve(t, fd);
        close(fd);
    }
}

/* ---- starting ---- */

void attach_start(void) {
    snprintf(socket_path, sizeof socket_path, "/tmp/.java_pid%d", getpid());
    if (!vm_options.disable_attach) unlink(socket_path);
}

/* Bound under a temporary name: a client that sees the final one can connect at once. */
static bool open_socket(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "/tmp/.java_pid%d.tmp", getpid());
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    unlink(a.sun_path);
    unlink(socket_path);
    if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0 || chmod(a.sun_path, 0600) != 0 || listen(fd, 5) != 0 ||
        rename(a.sun_path, socket_path) != 0) {
        unlink(a.sun_path);
        close(fd);
        return false;
    }
    listener = fd;
    return true;
}

static bool knock_file(const char *folder) {
    char path[64];
    struct stat st;
    snprintf(path, sizeof path, "%s.attach_pid%d", folder, getpid());
    return stat(path, &st) == 0 && (st.st_uid == geteuid() || st.st_uid == 0);
}

bool attach_knocked(Thread *t) {
    struct stat st;
    if (vm_options.disable_attach || (!knock_file("") && !knock_file("/tmp/"))) return false;
    if (listener >= 0 && stat(socket_path, &st) == 0) return true;
    if (listener >= 0) { /* somebody cleaned /tmp: the old thread leaves, a new one comes */
        int old = listener;
        listener = -1;
        shutdown(old, SHUT_RDWR);
        close(old);
    }
    if (open_socket()) {
        if (service_thread_start(t, "Attach Listener", 9, listen_loop)) return true;
        unlink(socket_path); /* nobody would answer; the client knocks again */
        close(listener);
        listener = -1;
        fprintf(stderr, "Graft: no thread for the attach socket\n");
    } else fprintf(stderr, "Graft: cannot make the attach socket %s: %s\n", socket_path, strerror(errno));
    return true;
}

void attach_stop(void) {
    if (listener >= 0) unlink(socket_path);
}
