/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_project.c - see swap_project.h.
 *
 * The builds themselves are not asked, which would take seconds: both tools have conventions that nearly all keep.
 *
 *   module     a folder with pom.xml (Maven) or build.gradle[.kts] (Gradle), or one with src below a project's folder, which is built as that
 *   classes    Maven: target/classes; Gradle: build/classes/LANGUAGE/main for each folder src/main/LANGUAGE
 *   sources    src/main/java
 *
 * Folders of modules are watched (not what is in src and target): what comes there later is a reason to look again, some times, since a
 * module is not made in one step. Hidden folders, those of
 * output, src and node_modules are not entered, links not followed.
 */
#include "swap_project.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEP = 12, LOOKS = 4 };
typedef enum Build { NONE, MAVEN, GRADLE } Build;

static const char *const languages[] = {"java", "kotlin", "groovy", "scala"};

static bool has(const char *dir, const char *name) {
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", dir, name) < (int)sizeof path && access(path, F_OK) == 0;
}

static Build build_of(const char *dir) {
    static const char *const gradle[] = {"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"};
    if (has(dir, "pom.xml")) return MAVEN;
    for (size_t i = 0; i < sizeof gradle / sizeof *gradle; i++)
        if (has(dir, gradle[i])) return GRADLE;
    return NONE;
}

bool swap_project_is(const char *path) { return build_of(path) != NONE; }

static bool add(SwapWatch *w, const char *dir, const char *what, const char *language, bool news) {
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s%s%s", dir, what, language, *language ? "/main" : "") < (int)sizeof path &&
           swap_watch_add(w, path, news);
}

static bool add_module(SwapProject *p, const char *dir, Build build, bool news) {
    bool added = build == MAVEN && add(p->classes, dir, "target/classes", "", news);
    for (size_t i = 0; build == GRADLE && i < sizeof languages / sizeof *languages; i++) {
        char sources[32];
        snprintf(sources, sizeof sources, "src/main/%s", languages[i]);
        if (has(dir, sources)) added |= add(p->classes, dir, "build/classes/", languages[i], news);
    }
    if (p->sources && has(dir, "src/main/java")) added |= add(p->sources, dir, "src/main/java", "", news);
    p->modules += added;
    return added;
}

static bool is_left_out(const char *name) {
    static const char *const names[] = {"target", "build", "out", "bin", "src", "node_modules"};
    if (*name == '.') return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

static bool is_folder(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool scan(SwapProject *p, const char *dir, Build above, int deep, bool news) {
    Build own = build_of(dir), build = own ? own : above;
    inotify_add_watch(p->fd, dir, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW);
    bool added = build && has(dir, "src/main") && add_module(p, dir, build, news);
    DIR *d = deep ? opendir(dir) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[PATH_MAX];
        if (is_left_out(e->d_name) || snprintf(path, sizeof path, "%s/%s", dir, e->d_name) >= (int)sizeof path) continue;
        if (is_folder(path)) added |= scan(p, path, build, deep - 1, news);
    }
    if (d) closedir(d);
    return added;
}

bool swap_project_open(SwapProject *p, const Agent *agent, const char *path) {
    p->agent = agent;
    p->path = realpath(path, NULL);
    p->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (!p->path || !is_folder(p->path) || p->fd < 0) return agent_refuse(agent, "project %s: %m", path);
    scan(p, p->path, NONE, DEEP, false);
    if (p->modules) agent_log(agent, AGENT_INFO, "project %s: %u module%s", p->path, p->modules, p->modules == 1 ? "" : "s");
    else agent_log(agent, AGENT_INFO, "project %s: no module of Maven or Gradle yet; waiting for one", p->path);
    return true;
}

void swap_project_close(SwapProject *p) {
    if (p->fd >= 0) close(p->fd);
    free(p->path);
    *p = (SwapProject){.classes = p->classes, .fd = -1};
}

bool swap_project_read(SwapProject *p) {
    _Alignas(struct inotify_event) char buf[4096];
    bool any = false;
    unsigned before = p->modules;
    if (p->fd < 0) return false;
    while (read(p->fd, buf, sizeof buf) > 0) any = true;
    if (any) p->looks = LOOKS;
    if (!p->looks || !scan(p, p->path, NONE, DEEP, true)) return p->looks -= p->looks > 0, false;
    agent_log(p->agent, AGENT_INFO, "project %s: %u more module%s", p->path, p->modules - before,
              p->modules - before == 1 ? "" : "s");
    return true;
}
