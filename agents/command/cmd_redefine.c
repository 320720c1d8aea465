/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_redefine.c - `graft redefine`: class files into a running JVM by the hotswap agent's command channel.
 *
 * The agent listens on /tmp/graft-USER/PID.hotswap of the process; the folder must belong to the process's user alone. If
 * nobody answers there the agent is loaded, with nothing to watch: it acts when asked.
 */
#include "cmd_attach.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINE = 60000 };

/* ---- the channel ------------------------------------------------------------------------------- */

static void make_folder(const Process *p, const char *path) {
    struct stat st;
    attach_as(p);
    bool ok = (mkdir(path, 0700) == 0 || errno == EEXIST) && lstat(path, &st) == 0;
    attach_as_self();
    if (!ok) graft_die("%s: %m", path);
    if (!S_ISDIR(st.st_mode) || st.st_uid != p->uid || (st.st_mode & 077))
        graft_die("%s is not a folder of user %u alone: it is not trusted; remove it", path, (unsigned)p->uid);
}

static int connect_to(const Process *p, const char *path) {
    attach_as(p);
    int fd = attach_connect(p, path), error = errno;
    attach_as_self();
    return errno = error, fd;
}

static int open_channel(const Process *p) {
    char *folder = text_of("/tmp/graft-%u", (unsigned)p->uid), *name = text_of("%s/%d.hotswap", folder, (int)p->inner);
    char *path = process_path(p, name), *folder_path = process_path(p, folder);
    make_folder(p, folder_path);
    int fd = connect_to(p, path);
    if (fd < 0) {
        char *options = text_of("watch=,quiet,socket=%s", name);
        attach_load(p, "hotswap", options);
        free(options);
        fd = connect_to(p, path);
    }
    if (fd < 0) graft_die("the hotswap agent in process %d does not answer on %s: %m", (int)p->pid, path);
    free(folder);
    free(folder_path);
    free(name);
    free(path);
    return fd;
}

/* One line, one line of JSON. */
static char *ask(const Process *p, const char *line) {
    int fd = open_channel(p);
    char *answer = NULL;
    size_t room = 0;
    FILE *in = fdopen(fd, "r");
    bool ok = in && send(fd, line, strlen(line), MSG_NOSIGNAL) == (ssize_t)strlen(line) && getline(&answer, &room, in) > 0;
    if (!ok) graft_die("process %d has closed the connection: it ended, or is about to", (int)p->pid);
    fclose(in);
    char *copy = text_of("%s", answer);
    free(answer);
    return copy;
}

/* ---- answers ----------------------------------------------------------------------------------- */

/* JSON as the agent writes it: a string at *p is copied to `out`, *p moves behind it. */
static bool json_string(const char **p, char *out, size_t size) {
    size_t n = 0;
    if (**p != '"') return false;
    for (++*p; **p && **p != '"'; ++*p) {
        char c = **p;
        if (c == '\\' && (*p)[1]) c = *++*p;
        if (c == 'u' && (*p)[-1] == '\\') {
            unsigned u = 0;
            if (sscanf(*p + 1, "%4x", &u) == 1) *p += 4;
            c = u >= ' ' && u < 127 ? (char)u : ' ';
        }
        if (n + 1 < size && (unsigned char)c >= ' ' && c != 127) out[n++] = c;
    }
    out[n] = 0;
    if (**p == '"') ++*p;
    return true;
}

static const char *behind(const char *json, const char *key) {
    char *text = text_of("\"%s\":", key);
    const char *at = strstr(json, text);
    if (at) at += strlen(text);
    free(text);
    return at;
}

static const struct List {
    const char *key;
    Ink ink;
    const char *what, *more;
} lists[] = {{"swapped", INK_GOOD, "redefined", ""},
             {"possible", INK_GOOD, "possible", ""},
             {"undone", INK_GOOD, "taken back", ""},
             {"added", INK_GOOD, "defined", ""},
             {"migrated", INK_PLAIN, "migrated", ""},
             {"plugins", INK_PLAIN, "cleared by", ": caches of the framework"},
             {"notLoaded", INK_DIM, "not loaded", ": its loader will read the file"},
             {"waiting", INK_DIM, "unchanged", ": fine, goes along with the next redefinition"}};

/* Each name on a line. */
static void put_names(const char *json, const struct List *l) {
    const char *p = behind(json, l->key);
    char name[1024];
    for (p = p && *p == '[' ? p + 1 : ""; json_string(&p, name, sizeof name); p += *p == ',')
        printf("%s%-12s%s %s%s\n", ink(stdout, l->ink), l->what, ink(stdout, INK_PLAIN), name, l->more);
}

static void put_refused(const char *json) {
    char name[1024], why[4096];
    const char *p = behind(json, "refused");
    for (p = p && *p == '[' ? p + 1 : ""; *p == '{'; p += *p == ',') {
        const char *c = behind(p, "class"), *r = behind(p, "reason");
        if (!c || !r || !json_string(&c, name, sizeof name)) break;
        if (!json_string(&r, why, sizeof why)) snprintf(why, sizeof why, "no reason given");
        printf("%s%-12s%s %s: %s\n", ink(stdout, INK_BAD), "refused", ink(stdout, INK_PLAIN), name, why);
        p = strchr(r, '}') ? strchr(r, '}') + 1 : "";
    }
}

/* What a compiler said: lines stay lines. */
static void put_text(const char *p) {
    for (p += *p == '"'; *p && *p != '"'; p++) {
        unsigned u = (unsigned char)*p;
        if (*p == '\\' && p[1] == 'u' && sscanf(p + 2, "%4x", &u) == 1) p += 5;
        else if (*p == '\\' && p[1]) u = (unsigned char)*++p;
        putchar(u == '\n' || (u >= ' ' && u != 127) ? (int)u : ' ');
    }
}

static int put_answer(const char *json) {
    const char *error = behind(json, "error"), *ok = behind(json, "ok"), *unchanged = behind(json, "unchanged");
    char text[1024];
    if (error && json_string(&error, text, sizeof text)) graft_say("%s", text);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) put_names(json, &lists[i]);
    put_refused(json);
    const char *said = behind(json, "text"), *hint = behind(json, "hint");
    if (error && said && *said == '"') put_text(said);
    if (hint && json_string(&hint, text, sizeof text)) printf("%-12s %s\n", "hint", text);
    if (unchanged && atoi(unchanged)) printf("%-12s %d of the files are what runs already\n", "unchanged", atoi(unchanged));
    if (ok && !strncmp(ok, "true", 4)) return 0;
    return GRAFT_FAILED;
}

static int put_list(const char *json) {
    char name[1024], why[4096];
    for (const char *p = json; (p = behind(p, "class"));) {
        if (!json_string(&p, name, sizeof name)) break;
        const char *swaps = behind(p, "swaps"), *waiting = behind(p, "waiting"), *refused = behind(p, "refused");
        bool reason = refused && json_string(&refused, why, sizeof why);
        printf("%-40s redefined %d times%s%s%s\n", name, swaps ? atoi(swaps) : 0, waiting && *waiting == 't' ? ", waits" : "",
               reason ? ", refused: " : "", reason ? why : "");
    }
    return 0;
}

/* ---- files ------------------------------------------------------------------------------------- */

static FILE *request;
static const Process *target;
static int files;

static void add_file(const char *path) {
    char real[PATH_MAX];
    if (!realpath(path, real)) graft_die("%s: %m", path);
    char *seen = process_path(target, real);
    if (access(seen, R_OK) && target->foreign)
        graft_die("process %d sees other files (a container); it has no %s", (int)target->pid, real);
    if (strpbrk(real, "\t\r\n")) graft_die("a file name with control characters cannot be sent: %s", real);
    fprintf(request, "\t%s", real);
    files++;
    free(seen);
}

static int visit(const char *path, const struct stat *st, int kind, struct FTW *at) {
    size_t n = strlen(path);
    if (kind == FTW_F && n > 6 && !strcmp(path + n - 6, ".class")) add_file(path);
    return 0;
}

static void add_path(const char *path) {
    struct stat st;
    int before = files;
    if (stat(path, &st)) graft_die("%s: %m", path);
    if (!S_ISDIR(st.st_mode)) return add_file(path);
    if (nftw(path, visit, 32, FTW_PHYS)) graft_die("%s: %m", path);
    if (files == before) graft_die("there is no class file in %s", path);
}

static char *swap_request(const Process *p, const Given *g) {
    char *line = NULL;
    size_t len;
    if (!(request = open_memstream(&line, &len))) graft_die("out of memory");
    target = p;
    fputs(option_on(g, "dry-run") ? "try" : "swap", request);
    for (int i = 1; i < g->nrest; i++) add_path(g->rest[i]);
    fputc('\n', request);
    if (fclose(request)) graft_die("out of memory");
    if (len > MAX_LINE) graft_die("too many files for one step (%d); name fewer, or run the program with graft hotswap", files);
    return line;
}

int redefine_run(const Command *c, Given *g) {
    const char *undo = option_value(g, "undo");
    bool other = undo || option_on(g, "list");
    if (!g->nrest) graft_die("redefine: which process? graft redefine PID|NAME FILE...");
    if (!other && g->nrest < 2) graft_die("redefine: no class files are given (or --undo, --list)");
    if (other && g->nrest > 1) graft_die("redefine: --undo and --list take no files");
    option_number(g, "undo", 1, 1);
    Process p = process_find(g->rest[0]);
    char *line = undo ? text_of("undo %s\n", undo) : other ? text_of("list\n") : swap_request(&p, g);
    char *answer = ask(&p, line);
    int rc = option_on(g, "list") ? put_list(answer) : put_answer(answer);
    free(line);
    free(answer);
    return rc;
}
