/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_compile.c - see swap_compile.h.
 *
 *   compile   the sources, in one run for all directories, against the class files that are there; sources newer than their class files are
 *             found by the compiler itself (-sourcepath)
 *   compare   each class that came out with its class file: would another class have to be compiled anew (swap_abi.h)?
 *   follow    if so the sources of all class files that name it are compiled along; until nothing new comes
 *   place     each class goes to the directory of classes that is nearest to its source: that with the longest common path
 *
 * The VM may end meanwhile, and its threads just stop where they are: whoever ends it removes the folder.  A compiler in the VM may go on a little behind the
 * event and would make the folder anew, so a file takes its place until the process unloads this library.
 *
 * So a member that is gone shows as an error where it is used, and nothing is swapped. A source whose compilation failed is compiled again
 * together with whatever is saved next.
 */
#include "swap_compile.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "swap_abi.h"
#include "swap_channel.h"

enum { CLASS_FILE_MAX = 64 << 20, MAX_ROUNDS = 20 };

typedef struct Job {
    SwapCompiler *c;
    JNIEnv *env;
    SwapCompiled *out;
    CF_VEC(char *) changed; /* names of classes that others may have to follow */
} Job;

/* ---- places ------------------------------------------------------------------------------------ */

/* How many characters of two paths agree, whole names only. */
static size_t common(const char *a, const char *b) {
    size_t n = 0, whole = 0;
    for (; a[n] && a[n] == b[n]; n++)
        if (a[n] == '/') whole = n;
    return (!a[n] || a[n] == '/') && (!b[n] || b[n] == '/') ? n : whole;
}

/* The directory for classes whose source is in `source`; the first of equals. */
static int nearest(const SwapWatch *w, const char *source) {
    int best = -1;
    size_t most = 0;
    for (uint32_t i = 0; i < w->roots.len; i++) {
        size_t n = w->roots.data[i].jar ? 0 : common(w->roots.data[i].path, source) + 1;
        if (n > most) best = (int)i, most = n;
    }
    return best;
}

/* The file "a/b/C.java" in one of the source directories, malloc'ed. */
static char *find_source(const SwapCompiler *c, const char *below) {
    for (uint32_t i = 0; below && i < c->sources->roots.len; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%s", c->sources->roots.data[i].path, below) < 0) return NULL;
        if (access(path, R_OK) == 0) return path;
        free(path);
    }
    return NULL;
}

/* ---- the command ------------------------------------------------------------------------------- */

static void put_path(FILE *out, const SwapWatch *w) {
    for (uint32_t i = 0; i < w->roots.len; i++) fprintf(out, "%s%s", i ? ":" : "", w->roots.data[i].path);
}

static char *class_path(const SwapCompiler *c) {
    static const char *const properties[] = {"java.class.path", "jdk.module.path"};
    jvmtiEnv *ti = c->agent->ti;
    char *text = NULL, *value;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out) return NULL;
    put_path(out, c->classes);
    if (c->path) fprintf(out, ":%s", c->path);
    for (int i = 0; i < 2; i++)
        if ((*ti)->GetSystemProperty(ti, properties[i], &value) == JVMTI_ERROR_NONE) {
            if (*value) fprintf(out, ":%s", value);
            (*ti)->Deallocate(ti, (unsigned char *)value);
        }
    if (fclose(out)) return NULL;
    return text;
}

static char *source_path(const SwapCompiler *c) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out) return NULL;
    put_path(out, c->sources);
    if (fclose(out)) return NULL;
    return text;
}

/* With its declaration on the path the compiler would look for all else on a module path. */
static bool has_module(const SwapWatch *w) {
    bool found = false;
    for (uint32_t i = 0; i < w->roots.len && !found; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s/module-info.java", w->roots.data[i].path) < 0) return false;
        found = access(path, F_OK) == 0;
        free(path);
    }
    return found;
}

static void put_pair(FILE *out, const char *option, const char *value) {
    swap_javac_put(out, option);
    swap_javac_put(out, value ? value : "");
}

static bool write_args(Job *j, const char *args) {
    int fd = open(args, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!out) return false;
    char *classes = class_path(j->c), *sources = source_path(j->c), *release = swap_javac_release(&j->c->javac, j->env);
    put_pair(out, "-d", j->out->dir);
    put_pair(out, "-cp", classes);
    if (sources && *sources && !has_module(j->c->sources)) put_pair(out, "-sourcepath", sources);
    swap_javac_put(out, "-g");
    swap_javac_put(out, "-implicit:class");
    if (release) put_pair(out, "--release", release);
    if (j->c->options) fprintf(out, "%s\n", j->c->options);
    for (uint32_t i = 0; i < j->out->sources.len; i++) swap_javac_put(out, j->out->sources.data[i]);
    free(classes);
    free(sources);
    free(release);
    return fclose(out) == 0;
}

static bool run(Job *j) {
    char *args = NULL;
    if (asprintf(&args, "%s.args", j->out->dir) < 0) return false;
    free(j->out->text);
    j->out->text = NULL;
    int code = write_args(j, args) ? swap_javac_run(&j->c->javac, j->env, args, &j->out->text) : -1;
    if (code < 0 && !j->out->text && asprintf(&j->out->text, "%s: %s", args, strerror(errno)) < 0) j->out->text = NULL;
    unlink(args);
    free(args);
    return code == 0;
}

/* ---- the compiler's folder --------------------------------------------------------------------- */

static char staging[PATH_MAX]; /* where the compiler writes while `staged` */
static bool staged, abandoned;

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at) { return remove(path), 0; }

static bool is_kept_away(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0 || errno != EEXIST;
}

/* Again, while a compiler that has not noticed the end yet puts files into it.  A file instead: it cannot be made anew. */
static void remove_folder(const char *dir, bool file_instead) {
    enum { TRIES = 100, PAUSE_US = 1000 };
    for (int i = 0; i < TRIES; i++) {
        nftw(dir, remove_one, 32, FTW_PHYS | FTW_DEPTH);
        if (file_instead ? is_kept_away(dir) : access(dir, F_OK) != 0) return;
        usleep(PAUSE_US);
    }
}

/* NULL with errno. */
static char *make_folder(void) {
    const char *tmp = getenv("TMPDIR");
    char *dir = NULL;
    if (asprintf(&dir, "%s/graft-compile-XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0) return NULL;
    if (strlen(dir) < sizeof staging && mkdtemp(dir)) {
        strcpy(staging, dir);
        __atomic_store_n(&staged, true, __ATOMIC_RELEASE);
        return dir;
    }
    free(dir);
    return NULL;
}

static void abandon(bool file_instead) {
    static const char *const beside[] = {"", ".args", ".args.said"};
    static bool replaced; /* whatever the thread that compiles says: the file is ours */
    __atomic_store_n(&abandoned, true, __ATOMIC_RELEASE);
    swap_javac_stop();
    if (!__atomic_load_n(&staged, __ATOMIC_ACQUIRE) && !replaced) return;
    replaced = file_instead;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        char path[PATH_MAX + 16];
        snprintf(path, sizeof path, "%s%s", staging, beside[i]);
        remove_folder(path, file_instead && i == 0);
    }
}

void swap_compile_abandon(void) { abandon(true); }
__attribute__((destructor)) static void unload(void) { abandon(false); }

/* ---- what came out ----------------------------------------------------------------------------- */

static Job *walking; /* nftw has no argument; one thread compiles */

static bool is_known_output(const SwapCompiled *out, const char *name) {
    for (uint32_t i = 0; i < out->classes.len; i++)
        if (!strcmp(out->classes.data[i].name, name)) return true;
    return false;
}

static bool names_changed(const Job *j, const char *name) {
    for (uint32_t i = 0; i < j->changed.len; i++)
        if (!strcmp(j->changed.data[i], name)) return true;
    return false;
}

static void compare(Job *j, const struct SwapOutput *o, const SwapBytes *now) {
    SwapBytes was = {0};
    if (o->place) was.p = agent_read_file(o->place, CLASS_FILE_MAX, NULL, &was.len);
    char *name = was.p && swap_abi(&was) != swap_abi(now) && !names_changed(j, o->name) ? strdup(o->name) : NULL;
    if (name) cf_vec_push(&j->changed, name);
    free(was.p);
}

static void take_class(Job *j, const char *path) {
    SwapBytes b;
    struct SwapOutput o = {.root = -1};
    b.p = agent_read_file(path, CLASS_FILE_MAX, NULL, &b.len);
    char *below_root = b.p ? swap_source_of(&b, &o.name) : NULL, *source = find_source(j->c, below_root);
    o.root = nearest(j->c->classes, source ? source : path);
    if (o.name && o.root >= 0 && asprintf(&o.place, "%s/%s.class", j->c->classes->roots.data[o.root].path, o.name) < 0)
        o.place = NULL;
    if (o.name) compare(j, &o, &b);
    bool keep = o.name && !is_known_output(j->out, o.name) && (o.path = strdup(path)) && cf_vec_push(&j->out->classes, o);
    if (!keep) {
        free(o.path);
        free(o.name);
        free(o.place);
    }
    free(b.p);
    free(source);
    free(below_root);
}

static int visit(const char *path, const struct stat *st, int kind, struct FTW *at) {
    if (kind == FTW_F && swap_is_class_file(path)) take_class(walking, path);
    return 0;
}

static bool add_source(SwapCompiled *out, char *path) {
    bool known = !path;
    for (uint32_t i = 0; !known && i < out->sources.len; i++) known = !strcmp(out->sources.data[i], path);
    if (!known && cf_vec_push(&out->sources, path)) return true;
    free(path);
    return false;
}

/* Sources of class files that name what changed for others. True if there are any that were not compiled. */
static bool follow(Job *j) {
    bool more = false;
    uint32_t it = 0;
    for (SwapFile *f; j->changed.len && (f = cf_table_next(&j->c->classes->files, &it));) {
        SwapBytes b;
        char *from = NULL;
        if (f->root < 0 || f->entry || f->other || (f->name && is_known_output(j->out, f->name))) continue;
        if (swap_watch_load(f, &b) && swap_refers(&b, j->changed.data, j->changed.len, &from))
            more |= add_source(j->out, find_source(j->c, from));
        free(from);
        free(b.p);
    }
    return more;
}

void swap_compile(SwapCompiler *c, JNIEnv *env, char *const *files, uint32_t n, SwapCompiled *out) {
    Job j = {.c = c, .env = env, .out = out};
    *out = (SwapCompiled){.dir = make_folder()};
    for (uint32_t i = 0; i < n; i++) add_source(out, strdup(files[i]));
    if (!out->dir && asprintf(&out->text, "no folder for temporary files (TMPDIR): %s", strerror(errno)) < 0) out->text = NULL;
    c->runs++;
    bool more = out->dir;
    for (int round = 0; more && round < MAX_ROUNDS && (out->ok = run(&j)); round++) {
        walking = &j;
        nftw(out->dir, visit, 32, FTW_PHYS);
        more = follow(&j);
    }
    for (uint32_t i = 0; i < j.changed.len; i++) free(j.changed.data[i]);
    cf_vec_free(&j.changed);
    if (!out->text) out->text = strdup("");
}

/* ---- place ------------------------------------------------------------------------------------- */

static bool make_folders(char *path) {
    for (char *p = path + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        bool ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        *p = '/';
        if (!ok) return false;
    }
    return true;
}

/* A new file under the name, so that nobody sees half of it. */
static bool put_file(const SwapBytes *b, char *place) {
    char *temporary = NULL;
    if (!make_folders(place) || asprintf(&temporary, "%s.%d.new", place, (int)getpid()) < 0) return false;
    unlink(temporary); /* of a process that was killed */
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && write(fd, b->p, b->len) == (ssize_t)b->len;
    if (fd >= 0) ok &= close(fd) == 0;
    ok = ok && rename(temporary, place) == 0;
    if (fd >= 0 && !ok) unlink(temporary);
    free(temporary);
    return ok;
}

void swap_compile_place(SwapCompiler *c, SwapCompiled *done) {
    for (uint32_t i = 0; i < done->classes.len; i++) {
        struct SwapOutput *o = &done->classes.data[i];
        SwapBytes b;
        if (!o->place) continue;
        b.p = agent_read_file(o->path, CLASS_FILE_MAX, NULL, &b.len);
        if (!b.p || !put_file(&b, o->place)) agent_log(c->agent, AGENT_ERROR, "%s cannot be written: %m", o->place);
        free(b.p);
        SwapFile *f = swap_watch_file(c->classes, o->place, o->root);
        if (f) swap_watch_dirty(c->classes, f);
    }
    swap_watch_missing(c->classes);
}

void swap_compiled_free(SwapCompiled *done) {
    if (done->dir) remove_folder(done->dir, false);
    if (done->dir) __atomic_store_n(&staged, false, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < done->sources.len; i++) free(done->sources.data[i]);
    for (uint32_t i = 0; i < done->classes.len; i++) {
        free(done->classes.data[i].path);
        free(done->classes.data[i].name);
        free(done->classes.data[i].place);
    }
    cf_vec_free(&done->sources);
    cf_vec_free(&done->classes);
    free(done->text);
    free(done->dir);
    *done = (SwapCompiled){0};
}

/* ---- what was saved ---------------------------------------------------------------------------- */

/* To browsers that listen. */
static void tell_failure(const char *text) {
    char *json = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&json, &len);
    if (!out) return;
    fputs("{\"text\":", out);
    agent_put_json(out, text, "");
    fputc('}', out);
    if (fclose(out) == 0) swap_channel_tell("failure", json);
    free(json);
}

static void say_failure(SwapCompiler *c, const char *text) {
    if (__atomic_load_n(&abandoned, __ATOMIC_ACQUIRE)) return; /* it was ended by us */
    tell_failure(text);
    if (c->failure && !strcmp(c->failure, text)) return agent_log(c->agent, AGENT_ERROR, "does not compile yet, as before");
    agent_log(c->agent, AGENT_ERROR, "does not compile; nothing was changed:");
    fputs(text, stderr);
    fflush(stderr);
    free(c->failure);
    c->failure = strdup(text);
}

static void clean(SwapCompiler *c, SwapFile *f) {
    f->dirty = false;
    c->sources->dirty--;
}

static void say_success(SwapCompiler *c, const SwapCompiled *done, uint32_t saved, int64_t start) {
    double ms = (double)(agent_nanos(CLOCK_MONOTONIC) - start) / 1e6;
    agent_log(c->agent, AGENT_INFO, "compiled %u source%s in %.0f ms%s", done->sources.len, done->sources.len == 1 ? "" : "s", ms,
              done->sources.len > saved ? ", with what depends on it" : "");
    if (*done->text) agent_log(c->agent, AGENT_DEBUG, "%s", done->text);
    free(c->failure);
    c->failure = NULL;
}

bool swap_compile_dirty(SwapCompiler *c, JNIEnv *env) {
    CF_VEC(char *) files = {0};
    SwapCompiled done;
    uint32_t it = 0;
    int64_t start = agent_nanos(CLOCK_MONOTONIC);
    for (SwapFile *f; (f = cf_table_next(&c->sources->files, &it));)
        if (f->dirty && access(f->path, R_OK) != 0) clean(c, f); /* deleted */
        else if (f->dirty) cf_vec_push(&files, f->path);
    if (!files.len) return false;
    swap_compile(c, env, files.data, files.len, &done);
    if (done.ok) {
        it = 0;
        for (SwapFile *f; (f = cf_table_next(&c->sources->files, &it));)
            if (f->dirty) clean(c, f);
        say_success(c, &done, files.len, start);
        swap_compile_place(c, &done);
    } else {
        say_failure(c, done.text);
    }
    bool ok = done.ok;
    swap_compiled_free(&done);
    cf_vec_free(&files);
    return ok;
}
