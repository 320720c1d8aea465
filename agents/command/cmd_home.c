/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_home.c - see cmd_home.h. */
#include "cmd_home.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST_JDKS "/usr/lib/jvm/java-17-openjdk-amd64:/usr/lib/jvm/java-17-openjdk-arm64:/usr/lib/jvm/java-17-openjdk"

/* ---- paths ------------------------------------------------------------------------------------- */

/* Takes the path; NULL if nothing is there. */
static char *if_there(char *path) {
    if (path && access(path, F_OK) == 0) return path;
    free(path);
    return NULL;
}

char *path_inside(const char *folder, const char *name) { return if_there(text_of("%s/%s", folder, name)); }

/* The folder of this program. */
static const char *own_folder(void) {
    static char path[PATH_MAX];
    if (*path) return path;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) graft_die("/proc/self/exe: %m");
    path[n] = 0;
    *strrchr(path, '/') = 0;
    return path;
}

char *home_file(const char *name) {
    static const char *const places[] = {"..", "../lib/graft", "."};
    char real[PATH_MAX];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = if_there(text_of("%s/%s/%s", own_folder(), places[i], name));
        if (path && realpath(path, real)) return free(path), text_of("%s", real);
        free(path);
    }
    return NULL;
}

char *home_agent(const char *name) {
    char *file = text_of("agents/libgraft-%s.so", name), *path = home_file(file);
    if (!path)
        graft_die("%s is not there, neither in %s/.. nor in %s/../lib/graft: install Graft again, or build it with make", file,
                  own_folder(), own_folder());
    free(file);
    return path;
}

char *home_tool(const char *name) {
    char *file = text_of("graft-%s", name), *path = home_file(file);
    free(file);
    return path;
}

char *path_search(const char *program) {
    const char *list = getenv("PATH");
    struct stat st;
    if (strchr(program, '/')) return if_there(text_of("%s", program));
    for (const char *p = list ? list : "/usr/bin:/bin"; p; p = *p ? p + 1 : NULL) {
        size_t n = strcspn(p, ":");
        char *path = n ? text_of("%.*s/%s", (int)n, p, program) : text_of("./%s", program);
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0) return path;
        free(path);
        p += n;
    }
    return NULL;
}

/* ---- JDKs -------------------------------------------------------------------------------------- */

char *jdk_of(const char *program) {
    char real[PATH_MAX];
    if (!program || !realpath(program, real)) return NULL;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(real, '/');
        if (!slash || slash == real) return NULL;
        *slash = 0;
    }
    static const char *const launchers[] = {"lib/libjli.so", "lib/jli/libjli.so",
                                            "lib/amd64/jli/libjli.so"}; /* since 12, since 9, before */
    bool is_jdk = false;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        char *jli = path_inside(real, launchers[i]);
        is_jdk |= jli != NULL;
        free(jli);
    }
    return is_jdk ? text_of("%s", real) : NULL;
}

char *jdk_version(const char *jdk) {
    char line[256], *path = text_of("%s/release", jdk), *found = NULL;
    FILE *in = fopen(path, "re");
    free(path);
    while (in && !found && fgets(line, sizeof line, in))
        if (!strncmp(line, "JAVA_VERSION=\"", 14)) found = text_of("%.*s", (int)strcspn(line + 14, "\""), line + 14);
    if (in) fclose(in);
    return found;
}

static bool is_17(const char *jdk) {
    char *version = jdk ? jdk_version(jdk) : NULL;
    bool yes = version && !strncmp(version, "17", 2) && (!version[2] || version[2] == '.');
    free(version);
    return yes;
}

/* The JDK behind an image counts, not the image. */
static char *original(const char *jdk) {
    char *path = text_of("%s/release", jdk), real[PATH_MAX];
    bool known = realpath(path, real) != NULL;
    free(path);
    if (known) *strrchr(real, '/') = 0;
    return text_of("%s", known ? real : jdk);
}

char *jdk_for_image(const char *wanted, char **why) {
    char *java = path_search("java"), *of_java = jdk_of(java);
    const char *home = getenv("JAVA_HOME"), *first[] = {home, of_java};
    char *list = text_of(FIRST_JDKS), *rest = list, *found = NULL;
    *why = NULL;
    if (wanted && is_17(wanted)) found = original(wanted);
    for (size_t i = 0; !wanted && !found && i < 2; i++)
        if (first[i] && is_17(first[i])) found = original(first[i]);
    for (char *p; !wanted && !found && (p = strsep(&rest, ":"));)
        if (is_17(p)) found = original(p);
    if (!found)
        *why =
            wanted
                ? text_of("%s is no JDK 17", wanted)
                : text_of(
                      "no JDK 17 is found (by JAVA_HOME, PATH and in /usr/lib/jvm): apt-get install "
                      "openjdk-17-jdk-headless, or where there is none (Debian 13) set JAVA_HOME to one, or graft run --jdk=DIR");
    free(java);
    free(of_java);
    free(list);
    return found;
}

/* ---- image ------------------------------------------------------------------------------------- */

/* A copy that was made with its time, and is still that of today's file? */
static bool is_copy(const char *dir, const char *name, const char *original) {
    char *path = text_of("%s/%s", dir, name);
    struct stat a, b;
    bool yes = original && stat(path, &a) == 0 && stat(original, &b) == 0 && a.st_size == b.st_size && a.st_mtime == b.st_mtime;
    free(path);
    return yes;
}

/* An image with this command's VM in it, of this JDK (NULL: of any) as it is now? What is copied into it tells; the rest are links. */
static bool is_image(const char *dir, const char *jdk) {
    char *own = home_file("libjvm.so"), *java = jdk ? text_of("%s/bin/java", jdk) : NULL;
    bool yes = is_copy(dir, "lib/server/libjvm.so", own) && (!java || is_copy(dir, "bin/java", java));
    free(own);
    free(java);
    return yes;
}

/* A folder that somebody named: whatever is in it. */
static bool is_named_image(const char *dir) {
    char *vm = path_inside(dir, "lib/server/libjvm.so"), *java = path_inside(dir, "bin/java");
    bool yes = vm && java;
    free(vm);
    free(java);
    return yes;
}

/* Where images are kept that this command makes: for each JDK one. */
static char *cache_path(const char *jdk) {
    const char *cache = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
    const char *name = jdk ? strrchr(jdk, '/') : NULL;
    if (cache && *cache == '/') return text_of("%s/graft/%s%s", cache, graft_version, name ? name : "/jdk");
    if (user && *user == '/') return text_of("%s/.cache/graft/%s%s", user, graft_version, name ? name : "/jdk");
    return NULL;
}

char *image_find(const char *wanted, const char *jdk, char **made) {
    char *vm = home_file("libjvm.so");
    if (!wanted && (wanted = getenv("GRAFT_IMAGE")) && !*wanted) wanted = NULL;
    *made = wanted ? path_absolute(wanted) : cache_path(jdk);
    char *places[] = {*made, vm ? text_of("%.*s/../image", (int)(strrchr(vm, '/') - vm), vm) : NULL,
                      vm ? text_of("%.*s/image", (int)(strrchr(vm, '/') - vm), vm) : NULL};
    char *found = NULL, real[PATH_MAX];
    for (int i = 0; i < (wanted ? 1 : 3) && !found; i++)
        if (places[i] && (wanted ? is_named_image(places[i]) : is_image(places[i], i ? NULL : jdk)) && realpath(places[i], real))
            found = text_of("%s", real);
    free(vm);
    free(places[1]);
    free(places[2]);
    return found;
}

static bool make_parents(const char *path) {
    char *copy = text_of("%s", path);
    for (char *p = copy + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        if (mkdir(copy, 0755) && errno != EEXIST) return free(copy), false;
        *p = '/';
    }
    free(copy);
    return true;
}

int program_run(char *const argv[], int out) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(out, STDOUT_FILENO);
        execv(argv[0], argv);
        _exit(GRAFT_NOT_FOUND);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* May an image be made there: is nothing there, an empty folder, or an image that is out of date? (Only images have a link there.) */
static bool may_become_image(const char *dir) {
    char *modules = text_of("%s/lib/modules", dir);
    struct stat st;
    bool may = access(dir, F_OK) || rmdir(dir) == 0 || (lstat(modules, &st) == 0 && S_ISLNK(st.st_mode));
    free(modules);
    return may;
}

/* Made under another name and renamed, so that nobody sees half of it; an old one of ours is brought up to date in place. */
static bool make_image(const char *jdk, const char *image, const char *vm, const char *script) {
    char *temporary = access(image, F_OK) == 0 ? NULL : text_of("%s.%d", image, (int)getpid());
    const char *to = temporary ? temporary : image;
    char *argv[] = {(char *)script, (char *)jdk, (char *)to, (char *)vm, NULL};
    bool ok = make_parents(image) && program_run(argv, STDERR_FILENO) == 0;
    if (ok && temporary && rename(temporary, image) && !is_image(image, jdk)) ok = false; /* or another command was faster */
    if (temporary && access(temporary, F_OK) == 0) {
        char *remove[] = {"/bin/rm", "-rf", temporary, NULL};
        program_run(remove, STDERR_FILENO);
    }
    free(temporary);
    return ok;
}

char *image_get(const char *wanted, const char *jdk_wanted, char **why) {
    char *no_jdk = NULL, *made = NULL, *jdk = jdk_for_image(jdk_wanted, &no_jdk);
    char *found = jdk_wanted && !jdk ? NULL : image_find(wanted, jdk, &made);
    char *vm = home_file("libjvm.so"), *script = home_tool("image");
    *why = NULL;
    if (found) return found;
    if (!jdk) *why = no_jdk;
    else if (!vm || !script)
        *why = text_of("there is no image, and none can be made: %s is missing; install Graft again, or run make",
                       vm ? "graft-image" : "libjvm.so");
    else if (!made) *why = text_of("there is no place for an image: set HOME, XDG_CACHE_HOME or GRAFT_IMAGE");
    else if (!may_become_image(made)) *why = text_of("%s is no image, and has other files: name a new or an empty folder", made);
    if (*why) return NULL;
    graft_say("making an image of %s in %s", jdk, made);
    if (make_image(jdk, made, vm, script)) return made;
    *why = text_of("the image could not be made in %s; graft run --image=DIR takes another place", made);
    return NULL;
}
