/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_doctor.c - `graft doctor`: each check is a function and a row; a problem comes with what to do. */
#include "cmd_home.h"
#include "cmd_process.h"

#include <dlfcn.h>
#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int problems;
static const char *subject;

__attribute__((format(printf, 2, 3))) static void tell(bool ok, const char *fmt, ...) {
    va_list ap;
    problems += !ok;
    printf("%s%-8s%s %-10s ", ink(stdout, ok ? INK_GOOD : INK_BAD), ok ? "ok" : "problem", ink(stdout, INK_PLAIN), subject);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
}

/* The file is there, what it needs of this system too, and (unless NULL) a name that it must have. */
static void check_loads(const char *file, const char *name, const char *missing) {
    char *so = home_file(file);
    void *library = so ? dlopen(so, RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (library && name && !dlsym(library, name)) tell(false, "%s: not of this version", so);
    else if (library) tell(true, "%s", so);
    else tell(false, "%s: %s", file, so ? dlerror() : missing);
    free(so);
}

static void check_vm(void) {
    check_loads("libjvm.so", "JNI_CreateJavaVM",
                "missing beside this command: install Graft again, or run make (agents work without)");
}

static void check_agents(void) {
    for (const AgentKind *a = graft_agents; a->name; a++) {
        char *file = text_of("agents/libgraft-%s.so", a->name);
        check_loads(file, "graft_agent_options", "missing: install Graft again, or run make");
        free(file);
    }
}

static void check_java(void) {
    char *java = path_search("java"), *jdk = jdk_of(java), *version = jdk ? jdk_version(jdk) : NULL;
    const char *home = getenv("JAVA_HOME");
    if (!java) tell(false, "no java in PATH: apt-get install openjdk-17-jdk-headless, or put JDK/bin into PATH");
    else tell(true, "%s (%s%s)", java, jdk ? jdk : "no JDK", version ? text_of(", %s", version) : "");
    if (home && *home) {
        char *inside = path_inside(home, "bin/java");
        tell(inside, "JAVA_HOME=%s%s", home, inside ? "" : ": there is no bin/java; set it to a JDK, or unset it");
        free(inside);
    }
    free(java);
    free(jdk);
    free(version);
}

static void check_image(void) {
    char *why = NULL, *made = NULL, *jdk = jdk_for_image(NULL, &why), *image = image_find(NULL, jdk, &made);
    bool can = jdk && home_file("libjvm.so") && home_tool("image") && made;
    if (image) tell(true, "%s", image);
    else if (can) tell(true, "none yet; graft run makes it in %s, of %s", made, jdk);
    else tell(false, "%s", why ? why : "there is none and none can be made: install Graft again, or run make image");
    free(jdk);
    free(image);
}

static void check_tmp(void) {
    struct stat st;
    struct statvfs fs;
    struct passwd *user = getpwuid(geteuid());
    char *perf = text_of("/tmp/hsperfdata_%s", user ? user->pw_name : "");
    bool there = stat("/tmp", &st) == 0 && S_ISDIR(st.st_mode), writable = access("/tmp", W_OK | X_OK) == 0;
    tell(there && writable, "/tmp %s",
         !there     ? "is missing: JVMs put attach sockets and performance data there"
         : writable ? "can be written"
                    : "cannot be written: chmod 1777 /tmp");
    if (there && (st.st_mode & 022) && !(st.st_mode & S_ISVTX))
        tell(false, "/tmp is not sticky, anybody can remove sockets: chmod +t /tmp");
    if (statvfs("/tmp", &fs) == 0 && fs.f_bavail * fs.f_frsize < 16 << 20)
        tell(false, "/tmp is full: attaching needs some room there");
    if (user && lstat(perf, &st) == 0 && (!S_ISDIR(st.st_mode) || st.st_uid != geteuid()))
        tell(false, "%s is not a folder of yours: JVMs do not show up there; remove it", perf);
    free(perf);
}

static void check_attach(void) {
    char line[16] = "";
    FILE *in = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (in && !fgets(line, sizeof line, in)) *line = 0;
    if (in) fclose(in);
    line[strcspn(line, "\n")] = 0;
    tell(true, "JVMs of %s can be attached to%s", geteuid() ? "your own user" : "all users",
         geteuid() ? " (those of others: sudo graft ...)" : "");
    if (*line)
        tell(true, "ptrace_scope is %s: %s", line,
             *line == '0' ? "debuggers (gdb) may attach too" : "gdb needs root; graft does not need it");
}

static void check_container(void) {
    char line[512], *tab = NULL;
    FILE *in = fopen("/proc/self/status", "re");
    int levels = 0;
    while (in && fgets(line, sizeof line, in))
        if (!strncmp(line, "NSpid:", 6))
            for (tab = line; (tab = strchr(tab, '\t')); tab++) levels++;
    if (in) fclose(in);
    bool inside = access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 || levels > 1;
    tell(true, inside ? "this is a container: only its own processes are seen"
                      : "not in a container; JVMs in containers are seen by /proc/PID/root");
}

static void check_environment(void) {
    static const char *const names[] = {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *v = getenv(names[i]);
        if (v && strstr(v, "DisableAttachMechanism"))
            tell(false, "%s=%s: JVMs cannot be attached to; take the option out", names[i], v);
        else if (v) tell(true, "%s is set for every JVM: %s", names[i], v);
    }
}

static void check_processes(void) {
    size_t n;
    Process *list = process_list(&n);
    tell(true, "%zu running that can be seen (graft ps)", n);
    for (size_t i = 0; i < n; i++)
        if (!*list[i].version)
            tell(true, "%d has no performance data (-XX:-UsePerfData): its version is not known", (int)list[i].pid);
    free(list);
}

static const struct {
    const char *name;
    void (*run)(void);
} checks[] = {{"vm", check_vm},
              {"agent", check_agents},
              {"java", check_java},
              {"image", check_image},
              {"tmp", check_tmp},
              {"attach", check_attach},
              {"container", check_container},
              {"options", check_environment},
              {"processes", check_processes}};

int doctor_run(const Command *c, Given *g) {
    if (g->nrest) graft_die("doctor: takes no arguments");
    subject = "graft";
    tell(true, "version %s", graft_version);
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        subject = checks[i].name;
        checks[i].run();
    }
    if (problems) printf("%d problem%s\n", problems, problems == 1 ? "" : "s");
    return problems ? GRAFT_FAILED : 0;
}
