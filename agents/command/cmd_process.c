/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_process.c - see cmd_process.h. */
#include "cmd_process.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- /proc ------------------------------------------------------------------------------------- */

static FILE *open_proc(pid_t pid, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return fopen(path, "re");
}

/* Owner, number inside and caught signals. */
static bool read_status(Process *p) {
    char line[512];
    unsigned a, b;
    FILE *in = open_proc(p->pid, "status");
    if (!in) return false;
    p->inner = p->pid;
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, "Uid: %u %u", &a, &b) == 2) p->uid = b; /* effective */
        if (sscanf(line, "Gid: %u %u", &a, &b) == 2) p->gid = b;
        if (!strncmp(line, "NSpid:", 6)) p->inner = (pid_t)atoi(strrchr(line, '\t') + 1);
        if (!strncmp(line, "SigCgt:", 7)) p->listens = strtoull(line + 7, NULL, 16) >> (SIGQUIT - 1) & 1;
    }
    fclose(in);
    return true;
}

static void read_uptime(Process *p) {
    char line[1024];
    unsigned long long begun = 0;
    double now = 0;
    FILE *stat = open_proc(p->pid, "stat"), *up = fopen("/proc/uptime", "re");
    char *end = stat && fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL; /* the name may have blanks */
    for (int field = 2; end && field < 22; field++) end = strchr(end + 1, ' ');
    if (end) begun = strtoull(end, NULL, 10);
    if (up && fscanf(up, "%lf", &now) == 1 && begun) p->uptime = now - (double)begun / (double)sysconf(_SC_CLK_TCK);
    if (stat) fclose(stat);
    if (up) fclose(up);
}

/* Of /proc/PID/NAME and our own. */
static bool differs(const Process *p, const char *name) {
    struct stat ours, theirs;
    char path[64], own[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)p->pid, name);
    snprintf(own, sizeof own, "/proc/self/%s", name);
    return stat(own, &ours) == 0 && stat(path, &theirs) == 0 && (ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino);
}

char *process_path(const Process *p, const char *path) {
    return p->foreign ? text_of("/proc/%d/root%s", (int)p->pid, path) : text_of("%s", path);
}

/* ---- what is mapped ---------------------------------------------------------------------------- */

static void add_agent(Process *p, const char *name, size_t len) {
    size_t used = strlen(p->agents);
    for (const char *w = p->agents; *w; w += strcspn(w, " "), w += *w == ' ')
        if (strcspn(w, " ") == len && !memcmp(w, name, len)) return;
    if (used + len + 2 < sizeof p->agents)
        snprintf(p->agents + used, sizeof p->agents - used, "%s%.*s", used ? " " : "", (int)len, name);
}

/* Agents by the names of their libraries. */
static void note_library(Process *p, const char *path) {
    static const char *const known[] = {"jdwp", "instrument", "asyncProfiler", "hprof", "jmvmti"};
    const char *name = strrchr(path, '/') + 1;
    size_t len = strcspn(name, ".\n");
    if (!strncmp(name, "libjvm.so", 9) || !strncmp(name, "libj9vm", 7))
        snprintf(p->libjvm, sizeof p->libjvm, "%.*s", (int)strcspn(path, "\n"), path);
    if (!strncmp(name, "libgraft-", 9)) add_agent(p, name + 9, len - 9);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(name, "lib", 3) && len == strlen(known[i]) + 3 && !strncmp(name + 3, known[i], len - 3))
            add_agent(p, known[i], len - 3);
}

static bool read_maps(Process *p) {
    char line[PATH_MAX + 128];
    FILE *in = open_proc(p->pid, "maps");
    if (!in) return false;
    while (fgets(line, sizeof line, in)) {
        const char *path = strchr(line, '/');
        if (path && strstr(path, ".so")) note_library(p, path);
    }
    bool ok = !ferror(in);
    fclose(in);
    return ok;
}

/* ---- names ------------------------------------------------------------------------------------- */

/* Main class or jar and arguments: the words behind the launcher's options. */
static void command_of_words(Process *p) {
    static const char *const with_value[] = {"-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules"};
    char words[8192];
    FILE *in = open_proc(p->pid, "cmdline");
    size_t n = in ? fread(words, 1, sizeof words - 1, in) : 0, used = 0;
    bool options = true;
    if (in) fclose(in);
    words[n] = 0;
    for (char *w = words + strlen(words) + 1; w < words + n; w += strlen(w) + 1) {
        bool skip = false;
        for (size_t i = 0; options && i < sizeof with_value / sizeof *with_value; i++) skip |= !strcmp(w, with_value[i]);
        if (skip) w += strlen(w) + 1; /* its value goes as well */
        if (skip || (options && *w == '-')) continue;
        options = false;
        used += (size_t)snprintf(p->command + used, sizeof p->command - used, "%s%s", used ? " " : "", w);
        if (used >= sizeof p->command) break;
    }
}

static void copy(char *to, size_t size, const char *text) {
    snprintf(to, size, "%s", text ? text : "");
    text_printable(to);
}

static void read_names(Process *p) {
    PerfData d;
    const char *name = NULL;
    if (perf_read(p, &d)) {
        name = perf_text(&d, "java.property.java.vm.name");
        bool graft = name && !strncmp(name, "Graft", 5);
        copy(p->version, sizeof p->version,
             perf_text(&d, graft ? "java.property.java.vm.version" : "java.property.java.version"));
        copy(p->command, sizeof p->command, perf_text(&d, "sun.rt.javaCommand"));
        copy(p->vm, sizeof p->vm, graft ? "Graft" : name && strstr(name, "J9") ? "OpenJ9" : name ? "HotSpot" : "");
        perf_free(&d);
    }
    if (!*p->vm) copy(p->vm, sizeof p->vm, strstr(p->libjvm, "j9vm") ? "OpenJ9" : "JVM");
    if (!*p->command) command_of_words(p);
    text_printable(p->command);
}

/* ---- processes --------------------------------------------------------------------------------- */

bool process_read(pid_t pid, Process *p) {
    *p = (Process){.pid = pid};
    if (!read_status(p)) return errno = ESRCH, false;
    p->foreign = differs(p, "root/") || differs(p, "ns/mnt");
    if (!read_maps(p)) return errno = EACCES, false;
    if (!*p->libjvm) return errno = ENOEXEC, false;
    read_uptime(p);
    read_names(p);
    return true;
}

static int by_number(const void *a, const void *b) { return ((const Process *)a)->pid - ((const Process *)b)->pid; }

Process *process_list(size_t *n) {
    DIR *proc = opendir("/proc");
    Process *list = NULL, p;
    *n = 0;
    if (!proc) graft_die("/proc: %m");
    for (struct dirent *e; (e = readdir(proc));) {
        if (*e->d_name < '1' || *e->d_name > '9' || !process_read((pid_t)atoi(e->d_name), &p)) continue;
        list = realloc(list, (*n + 1) * sizeof *list);
        if (!list) graft_die("out of memory");
        list[(*n)++] = p;
    }
    closedir(proc);
    if (list) qsort(list, *n, sizeof *list, by_number);
    return list;
}

static char *without_end(char *text, const char *end) {
    size_t n = strlen(text), k = strlen(end);
    if (n <= k || strcmp(text + n - k, end) != 0) return NULL;
    text[n - k] = 0;
    return text;
}

/* "Main" for "com.acme.Main", "app.jar" and "app" for "/opt/app.jar", "Main.java" and "Main" for "src/Main.java". */
static bool is_main(const char *text, size_t len, const char *name) {
    char main[1024], *last;
    snprintf(main, sizeof main, "%.*s", (int)len, text);
    if (!strcmp(main, name)) return true;
    if ((last = strrchr(main, '/')) && !strcmp(last + 1, name)) return true;
    char *end = last ? last + 1 : main;
    if (!without_end(end, ".jar") && !without_end(end, ".java") && (last = strrchr(end, '.'))) end = last + 1;
    return !strcmp(end, name);
}

/* The command is the main class or jar, which may have blanks, and arguments, or the launcher of a source file and that. */
static bool is_called(const Process *p, const char *name) {
    static const char launcher[] = "jdk.compiler/com.sun.tools.javac.launcher.";
    const char *c = p->command, *jar = strstr(c, ".jar"), *argument = strstr(c, " /");
    size_t word = strcspn(c, " ");
    if (is_main(c, word, name)) return true;
    if (jar && (!jar[4] || jar[4] == ' ') && (!argument || argument > jar) && is_main(c, (size_t)(jar + 4 - c), name))
        return true;
    if (strncmp(c, launcher, sizeof launcher - 1) != 0 || !c[word]) return false;
    return is_main(c + word + 1, strcspn(c + word + 1, " "), name);
}

static Process by_name(const char *name) {
    size_t n, hits = 0, last = 0;
    Process *list = process_list(&n), found;
    for (size_t i = 0; i < n; i++)
        if (is_called(&list[i], name)) hits++, last = i;
    if (!hits) graft_die("no Java process of this user is called '%s'; 'graft ps' lists them", name);
    for (size_t i = 0; hits > 1 && i < n; i++)
        if (is_called(&list[i], name)) fprintf(stderr, "%8d  %.100s\n", (int)list[i].pid, list[i].command);
    if (hits > 1) graft_die("%zu processes are called '%s': say which one by its number", hits, name);
    found = list[last];
    free(list);
    return found;
}

Process process_find(const char *text) {
    Process p;
    char *end;
    long pid = strtol(text, &end, 10);
    if (end == text || *end) return by_name(text);
    if (pid > 0 && pid <= INT_MAX && process_read((pid_t)pid, &p)) return p;
    if (pid <= 0 || pid > INT_MAX || errno == ESRCH)
        graft_die("there is no process %s; 'graft ps' lists the Java processes", text);
    if (errno == EACCES)
        graft_die("process %s belongs to user %u and does not let you look at it: be that user, or root (sudo)", text,
                  (unsigned)p.uid);
    graft_die("process %s is no Java VM, or does not run Java yet; 'graft ps' lists the Java processes", text);
}
