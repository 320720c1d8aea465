/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exhaust_run - a program again and again, while its first, second, third ... request fails (tests/exhaust/exhaust.c).
 *
 *   exhaust_run [OPTION...] NAME COMMAND WORD...
 *     -n RUNS      as many N as this, evenly over those of a run without failures (default: every one)
 *     -f N         only this N
 *     -a           all requests from N on fail
 *     -k KINDS     m memory, p mappings, t threads, f descriptors (default mpt)
 *     -l LIBS      whose requests count (exhaust.c)
 *     -p LIBRARY   the preloaded library      -d FOLDER  for output and working folders
 *     -t FOLDER    what a run that succeeds must have left there, below its working folder, is what the first run left
 *     -j JOBS      at a time (default 2)      -s SECONDS  a run that takes longer hangs (default 30)
 *     -m N         give up after so many forbidden results (default 20)
 *
 * Allowed: the output of a run without failures; an OutOfMemoryError, also one in the initialiser of a class that is then
 * unusable; a refusal to start that says what is missing.
 * Forbidden: a signal, no end, anything else.  Prints what was forbidden and counts; exits 0 if nothing was.
 */
#include "../exhaust/exhaust.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef enum { WORKS, OOM, LOST, START, SIGNAL, HANG, OTHER, N_KINDS } Kind;
static const char *const kind_names[] = {"works", "OutOfMemoryError", "initialiser failed", "refused to start", "signal", "hang",
                                         "other"};

typedef struct Slot {
    pid_t pid;
    long n;
    time_t begun;
    char dir[400];
    Log *log;
} Slot;

static const char *name, *preload, *dir = ".", *tree, *kinds = "mpt", *libs;
static char **command, expected[1 << 16];
static long runs, only, jobs = 2, seconds = 30, max_bad = 20, bad, tally[N_KINDS];
static bool and_all;

static void die(const char *what) {
    perror(what);
    exit(2);
}

static char *contents(const char *in, const char *file, char *buf, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", in, file);
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? 0 : read(fd, buf, size - 1);
    if (fd >= 0) close(fd);
    buf[n < 0 ? 0 : n] = 0;
    return buf;
}

static void redirect(const char *path, int to, int flags) {
    int fd = open(path, flags, 0666);
    if (fd < 0 || dup2(fd, to) < 0) die(path);
    close(fd);
}

static void child(Slot *s) {
    struct rlimit none = {0, 0};
    char words[400];
    setrlimit(RLIMIT_CORE, &none);
    setpgid(0, 0);
    if (chdir(s->dir)) die(s->dir);
    redirect("/dev/null", 0, O_RDONLY);
    redirect("out", 1, O_WRONLY | O_CREAT | O_TRUNC);
    redirect("err", 2, O_WRONLY | O_CREAT | O_TRUNC);
    snprintf(words, sizeof words, "on=%s,nth=%ld%s%s%s", kinds, s->n, and_all ? ",all" : "", libs ? ",libs=" : "",
             libs ? libs : "");
    setenv("EXHAUST", words, 1);
    setenv("EXHAUST_LOG", "log", 1);
    setenv("LD_PRELOAD", preload, 1);
    execvp(command[0], command);
    die(command[0]);
}

static void start(Slot *s, long n) {
    char log[512];
    snprintf(log, sizeof log, "%s/log", s->dir);
    mkdir(s->dir, 0777);
    int fd = open(log, O_RDWR | O_CREAT, 0666);
    if (fd < 0 || ftruncate(fd, sizeof(Log))) die(log);
    if (!s->log && (s->log = mmap(NULL, sizeof(Log), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED) die("mmap");
    close(fd);
    memset(s->log, 0, sizeof(Log));
    s->n = n;
    s->begun = time(NULL);
    s->pid = fork();
    if (s->pid == 0) child(s);
}

static bool same_tree(const Slot *s) {
    char line[1200];
    if (!tree) return true;
    snprintf(line, sizeof line, "diff -rq %s/w0/%s %s/%s >/dev/null", dir, tree, s->dir, tree);
    return system(line) == 0;
}

static Kind judge(const Slot *s, int status, bool hung) {
    static char out[1 << 16], err[1 << 16];
    contents(s->dir, "out", out, sizeof out);
    contents(s->dir, "err", err, sizeof err);
    if (hung) return HANG;
    if (WIFSIGNALED(status)) return SIGNAL;
    if (WEXITSTATUS(status) == 0 && strcmp(out, expected) == 0) return same_tree(s) ? WORKS : OTHER;
    if (strstr(out, "Error occurred during initialization of VM") || strstr(err, "Could not create the Java Virtual Machine"))
        return strstr(out, "memory") || strstr(err, "memory") || strstr(out, "OutOfMemory") || strstr(out, "thread") ||
                       strstr(out, "Could not")
                   ? START
                   : OTHER;
    if (strstr(err, "java.lang.OutOfMemoryError") || strstr(out, "java.lang.OutOfMemoryError")) return OOM;
    /* Where the launcher asks LauncherHelper for the application's class it looks at the result alone and leaves the exception untold. */
    if (WEXITSTATUS(status) == 255 && strstr(err, "Error: A JNI error has occurred")) return OOM;
    return strstr(err, "NoClassDefFoundError") || strstr(err, "ExceptionInInitializerError") ? LOST : OTHER;
}

static void report(const Slot *s, Kind k, int status) {
    char line[1200], first[2000];
    contents(s->dir, "err", first, sizeof first);
    if (!*first) contents(s->dir, "out", first, sizeof first);
    first[strcspn(first, "\n")] = 0;
    snprintf(line, sizeof line, "mkdir -p %s/bad-%ld && cp -rT %s %s/bad-%ld", dir, s->n, s->dir, dir, s->n);
    if (system(line)) die("cp");
    printf("%s: N=%ld %s+0x%lx: %s %d: %.100s\n", name, s->n, s->log->site[0].lib, (long)s->log->site[0].offset, kind_names[k],
           k == SIGNAL ? WTERMSIG(status) : WEXITSTATUS(status), first);
    fflush(stdout);
}

static void finish(Slot *s, int status, bool hung) {
    Kind k = judge(s, status, hung);
    tally[k]++;
    if (k >= SIGNAL) {
        bad++;
        report(s, k, status);
    }
    s->pid = 0;
}

/* Waits until one slot is free; stops those that take too long. */
static Slot *free_slot(Slot *slots, bool all) {
    for (;;) {
        int status;
        pid_t pid;
        while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
            for (long i = 1; i <= jobs; i++)
                if (slots[i].pid == pid) finish(&slots[i], status, false);
        long busy = 0;
        Slot *found = NULL;
        for (long i = 1; i <= jobs; i++) {
            if (slots[i].pid && time(NULL) - slots[i].begun > seconds) {
                kill(-slots[i].pid, SIGKILL);
                waitpid(slots[i].pid, &status, 0);
                finish(&slots[i], status, true);
            }
            if (slots[i].pid) busy++;
            else found = &slots[i];
        }
        if (all ? !busy : found != NULL) return found;
        usleep(2000);
    }
}

static long count_all(Slot *s) {
    int status;
    bool all = and_all;
    and_all = false;
    start(s, 0);
    waitpid(s->pid, &status, 0);
    and_all = all;
    contents(s->dir, "out", expected, sizeof expected);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        char err[2000];
        printf("%s: fails without failures: status %x\n%s\n", name, status, contents(s->dir, "err", err, sizeof err));
        exit(2);
    }
    return (long)s->log->counted;
}

static void options(int argc, char **argv) {
    int c;
    while ((c = getopt(argc, argv, "+n:f:ak:l:p:d:t:j:s:m:")) != -1) switch (c) {
        case 'n': runs = atol(optarg); break;
        case 'f': only = atol(optarg); break;
        case 'a': and_all = true; break;
        case 'k': kinds = optarg; break;
        case 'l': libs = optarg; break;
        case 'p': preload = optarg; break;
        case 'd': dir = optarg; break;
        case 't': tree = optarg; break;
        case 'j': jobs = atol(optarg); break;
        case 's': seconds = atol(optarg); break;
        case 'm': max_bad = atol(optarg); break;
        default: exit(2);
        }
    if (argc - optind < 2 || !preload) {
        fprintf(stderr, "usage: exhaust_run -p LIBRARY [OPTION...] NAME COMMAND WORD...\n");
        exit(2);
    }
    name = argv[optind];
    command = argv + optind + 1;
}

int main(int argc, char **argv) {
    options(argc, argv);
    mkdir(dir, 0777);
    Slot *slots = calloc((size_t)jobs + 1, sizeof *slots);
    for (long i = 0; i <= jobs; i++) snprintf(slots[i].dir, sizeof slots[i].dir, "%s/w%ld", dir, i);
    long total = count_all(&slots[0]), done = 0;
    if (!total) return printf("%s: nothing is requested\n", name), 2;
    long want = only ? 1 : !runs || runs > total ? total : runs;
    for (long i = 0; i < want && bad < max_bad; i++, done++) {
        Slot *s = free_slot(slots, false);
        start(s, only ? only : 1 + (long)((double)i * (double)total / (double)want));
    }
    free_slot(slots, true);
    printf("%s%s: %ld of %ld requests failed, one a run:", name, and_all ? ", all from there on" : "", done, total);
    for (int k = 0; k < N_KINDS; k++) printf(" %s %ld%s", kind_names[k], tally[k], k + 1 < N_KINDS ? "," : "\n");
    return bad ? 1 : 0;
}
