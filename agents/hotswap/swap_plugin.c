/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_plugin.c - see swap_plugin.h.
 *
 * Text. Words, `#` begins a comment. A word at the begin of a line is the class of a plug-in; the words after it, on this line and on indented ones,
 * are what it wants: a class of the framework, `a.b.C*` the objects of that class and of those below it, `file:PATTERN` names of files.
 *
 * Who makes plug-ins known is the option, not META-INF/services on the class path: looking there would open all jars at the start, does
 * not see web applications, and would run code because a dependency of the program has such a file. What a program has for itself is a hook.
 */
#include "swap_plugin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "agent_zip.h"
#include "cf_table.h"

#define LIST "META-INF/hotswap-plugins"

enum { LIST_MAX = 1 << 20 };

/* ---- what there is ------------------------------------------------------------------------------ */

/* agents/hotswap/java, put in by the Makefile: name, its NUL, up to a multiple of 4, size in 4 bytes, bytes; the last name is empty. */
extern const char agent_java[] __attribute__((visibility("hidden")));

const char *swap_plugin_embedded(const char *name, uint32_t *len) {
    for (const char *p = agent_java; *p; p += *len) {
        const char *here = p;
        p += strlen(p) + 1;
        p += -(uintptr_t)p & 3;
        memcpy(len, p, sizeof *len);
        p += sizeof *len;
        if (!strcmp(here, name)) return p;
    }
    return NULL;
}

static bool add_pattern(char **list, const char *word, size_t n) {
    char *longer = NULL;
    if (asprintf(&longer, "%s%s%.*s", *list ? *list : "", *list ? ":" : "", (int)n, word) < 0) return false;
    free(*list);
    *list = longer;
    return true;
}

static bool add_want(SwapPlugins *all, SwapPlugin *p, const char *word, size_t n) {
    if (n > 5 && !strncmp(word, "file:", 5))
        return add_pattern(&p->files, word + 5, n - 5) && add_pattern(&all->files, word + 5, n - 5);
    struct SwapWant want = {.objects = word[n - 1] == '*'};
    want.name = strndup(word, n - want.objects);
    for (char *c = want.name; c && *c; c++)
        if (*c == '.') *c = '/';
    if (want.name) want.hash = cf_hash_bytes(want.name, strlen(want.name));
    return want.name && cf_vec_push(&p->wants, want);
}

/* False: it is not as it should be. */
static bool read_list(SwapPlugins *p, const char *text, const char *end, const char *path) {
    for (const char *line = text, *next; line < end; line = next) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        next = stop ? stop + 1 : end;
        for (const char *word = line; word < next;) {
            size_t blank = strspn(word, " \t\r"), n = strcspn(word + blank, " \t\r\n");
            if (!n || word + blank + n > next || word[blank] == '#') break;
            word += blank;
            SwapPlugin new = {.name = strndup(word, n), .path = path ? strdup(path) : NULL};
            bool ok = word == line ? cf_vec_push(&p->all, new) : p->all.len && add_want(p, &p->all.data[p->all.len - 1], word, n);
            if (word != line) free(new.name), free(new.path);
            if (!ok) return false;
            word += n;
        }
    }
    return true;
}

static char *list_of(const char *path, size_t *len) {
    struct stat st;
    char *file = NULL, *text = NULL;
    if (stat(path, &st)) return NULL;
    if (!S_ISDIR(st.st_mode)) {
        AgentZip *z = agent_zip_open(path);
        int64_t k = agent_zip_find(z, LIST);
        if (k >= 0) text = agent_zip_read(z, (uint32_t)k, LIST_MAX, len);
        agent_zip_close(z);
    } else if (asprintf(&file, "%s/" LIST, path) >= 0) {
        text = (char *)agent_read_file(file, LIST_MAX, NULL, len);
        free(file);
    }
    return text;
}

static bool open_path(SwapPlugins *p, const char *given) {
    char *path = realpath(given, NULL);
    size_t len = 0;
    if (!path) return agent_refuse(p->agent, "plugins %s: %m", given);
    char *text = list_of(path, &len);
    bool ok = text && read_list(p, text, text + len, path);
    if (!text) agent_log(p->agent, AGENT_ERROR, "plugins %s: there is no " LIST " in it", given);
    else if (!ok) agent_log(p->agent, AGENT_ERROR, "plugins %s: " LIST " does not begin with the class of a plug-in", given);
    free(text);
    free(path);
    return ok;
}

bool swap_plugins_open(SwapPlugins *p, const Agent *a, bool own, const char *paths) {
    uint32_t len;
    const char *text = swap_plugin_embedded("hotswap-plugins", &len);
    size_t n;
    p->agent = a;
    bool ok = !own || (text && read_list(p, text, text + len, NULL));
    for (const char *path; ok && paths && (path = agent_list_next(&paths, &n));) {
        char *one = strndup(path, n);
        ok = one && open_path(p, one);
        free(one);
    }
    return ok;
}

void swap_plugins_close(SwapPlugins *p) {
    for (uint32_t i = 0; i < p->all.len; i++) {
        SwapPlugin *one = &p->all.data[i];
        for (uint32_t k = 0; k < one->wants.len; k++) free(one->wants.data[k].name);
        cf_vec_free(&one->wants);
        free(one->name);
        free(one->path);
        free(one->files);
    }
    cf_vec_free(&p->all);
    free(p->files);
    *p = (SwapPlugins){0};
}
