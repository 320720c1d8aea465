/* SPDX-License-Identifier: Apache-2.0 */
/* cov_diff.c - reads unified diffs and has git make them; see cov_diff.h. */
#include "cov_diff.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent.h"

enum { MAX_DIFF = 1 << 30, WHOLE_FILE = INT32_MAX };

/* ---- files and lines ------------------------------------------------------------------------- */

static CovDiffFile *last_file(CovDiff *d) { return d->files.len ? &d->files.data[d->files.len - 1] : NULL; }

static bool add_line(CovDiffFile *f, int32_t line) {
    CovLineRange *last = f->lines.len ? &f->lines.data[f->lines.len - 1] : NULL;
    if (last && last->last + 1 == line) return last->last = line, true;
    return cf_vec_push(&f->lines, (CovLineRange){line, line});
}

bool cov_diff_has(const CovDiffFile *f, int32_t line) {
    uint32_t from = 0, to = f->lines.len;
    while (from < to) {
        uint32_t mid = (from + to) / 2;
        if (f->lines.data[mid].last < line) from = mid + 1;
        else to = mid;
    }
    return from < f->lines.len && f->lines.data[from].first <= line;
}

/* Does `path` end with `tail`, at the start of a name? */
static bool ends_with(const char *path, const char *tail) {
    size_t n = strlen(path), k = strlen(tail);
    return k <= n && !strcmp(path + n - k, tail) && (k == n || path[n - k - 1] == '/');
}

CovDiffFile *cov_diff_find(const CovDiff *d, const char *package, const char *name, bool gone) {
    char tail[4096];
    snprintf(tail, sizeof tail, "%s%s%s", package, *package ? "/" : "", name);
    for (uint32_t i = 0; i < d->files.len; i++)
        if ((gone || d->files.data[i].kind != COV_DIFF_GONE) && ends_with(d->files.data[i].path, tail)) return &d->files.data[i];
    return NULL;
}

bool cov_diff_is_source(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot && agent_match_list(".java:.kt:.groovy:.scala:.clj", dot);
}

/* ---- reading -------------------------------------------------------------------------------------- */

typedef struct Reader {
    CovDiff *d;
    const char *at, *end;
    int32_t line;              /* of the new side, of the next line of the hunk */
    int64_t old, new;          /* lines that the hunk still has of each side */
    bool hunks;                /* the last file has had some */
    bool behind;               /* the last line was the last one of a hunk */
    bool any;                  /* something was understood */
    bool ok;                   /* memory */
    uint32_t at_line, damaged; /* of the text, from 1; the first one that cannot be where it is, or 0 */
} Reader;

/* A change of which a part is missing would be taken for a smaller one. */
static void damaged(Reader *r) {
    if (!r->damaged) r->damaged = r->at_line;
}

static int octal(const char *p) {
    int v = 0;
    for (int i = 0; i < 3; i++) {
        if (p[i] < '0' || p[i] > '7') return -1;
        v = v * 8 + p[i] - '0';
    }
    return v;
}

/* A name as in C, "a/\303\244\".java": git quotes what is unusual. */
static char *unquote(CovDiff *d, const char *p, size_t n) {
    char *out = cf_arena_alloc(&d->arena, n + 1), *o = out;
    for (const char *end = p + n; out && p < end && *p != '"'; p++) {
        int v = *p == '\\' && end - p > 3 ? octal(p + 1) : -1;
        if (v >= 0) *o++ = (char)v, p += 3;
        else if (*p == '\\' && p + 1 < end) *o++ = *++p == 't' ? '\t' : *p == 'n' ? '\n' : *p;
        else *o++ = *p;
    }
    if (out) *o = 0;
    return out;
}

/* The path behind "+++ " and the like; "a/" and "b/" go. NULL for /dev/null. */
static const char *path_of(Reader *r, const char *p, size_t n) {
    char *path = n && *p == '"' ? unquote(r->d, p + 1, n - 1) : NULL;
    if (!path) {
        const char *tab = memchr(p, '\t', n);
        path = cf_arena_copy(&r->d->arena, p, tab ? (size_t)(tab - p) : n);
    }
    r->ok &= path != NULL;
    if (!path || !strcmp(path, "/dev/null")) return NULL;
    return path[0] && strchr("abciwo", path[0]) && path[1] == '/' ? path + 2 : path;
}

static void begin_file(Reader *r, const char *path) {
    r->any = true;
    r->hunks = false;
    r->ok &= cf_vec_push(&r->d->files, (CovDiffFile){.path = path ? path : ""});
}

/* "diff --git a/P b/P": the path if both are one; what else there is to know is told by later lines. */
static void git_line(Reader *r, const char *p, size_t n) {
    size_t half = n / 2;
    begin_file(r, n > 4 && n % 2 == 1 && p[half] == ' ' && !memcmp(p + 2, p + half + 3, half - 2) ? path_of(r, p, half) : NULL);
}

static const char *after(const char *p, size_t n, const char *word) {
    size_t k = strlen(word);
    return n >= k && !memcmp(p, word, k) ? p + k : NULL;
}

static void hunk_line(Reader *r, const char *line, size_t n) {
    int ol, on = 1, nl, nn = 1, used = 0;
    char p[96];
    snprintf(p, sizeof p, "%.*s", (int)(n < sizeof p ? n : sizeof p - 1), line);
    if (sscanf(p, "@@ -%d,%d +%n", &ol, &on, &used) < 2 || !used) {
        on = 1;
        if (sscanf(p, "@@ -%d +%n", &ol, &used) < 1 || !used) return damaged(r);
    }
    if (sscanf(p + used, "%d,%d", &nl, &nn) < 1 || on < 0 || nn < 0 || nl < 0 || nn > INT32_MAX - nl) return damaged(r);
    r->old = on, r->new = nn, r->line = nl;
    r->hunks = true;
}

/* What only a hunk has, right behind one that has all of its lines; "-- " is the signature below a mail. */
static bool is_stray(const char *p, size_t n) {
    return n && strchr(" +-", *p) && !after(p, n, "--- ") && !after(p, n, "+++ ") && !(n == 3 && after(p, n, "-- "));
}

static void head_line(Reader *r, const char *p, size_t n) {
    const char *v;
    CovDiffFile *f = last_file(r->d);
    if (r->behind && is_stray(p, n)) damaged(r);
    r->behind = false;
    if ((v = after(p, n, "diff --git "))) return git_line(r, v, n - (size_t)(v - p));
    if ((v = after(p, n, "--- "))) {
        const char *path = path_of(r, v, n - (size_t)(v - p));
        if (!f || r->hunks) begin_file(r, path), f = last_file(r->d); /* a diff without git's own lines */
        if (!f) return;
        if (!path) f->kind = COV_DIFF_NEW;
        else f->path = path;
    } else if (f && (v = after(p, n, "+++ "))) {
        const char *path = path_of(r, v, n - (size_t)(v - p));
        if (!path) f->kind = COV_DIFF_GONE;
        else f->path = path;
    } else if (f && ((v = after(p, n, "rename to ")) || (v = after(p, n, "copy to ")))) {
        size_t k = n - (size_t)(v - p);
        f->path = *v == '"' ? unquote(r->d, v + 1, k - 1) : cf_arena_copy(&r->d->arena, v, k);
        if (!f->path) f->path = "", r->ok = false;
    } else if (f && after(p, n, "new file mode")) {
        f->kind = COV_DIFF_NEW;
    } else if (f && after(p, n, "deleted file mode")) {
        f->kind = COV_DIFF_GONE;
    } else if (f && after(p, n, "@@ -")) {
        hunk_line(r, p, n);
    }
}

static bool has_word(const char *p, size_t n, const char *word) { return memmem(p, n, word, strlen(word)) != NULL; }

static void body_line(Reader *r, const char *p, size_t n) {
    CovDiffFile *f = last_file(r->d);
    char c = n ? *p : ' ';
    if (c == '\\') return; /* "\ No newline at end of file" */
    if (!c || !strchr(" +-", c)) damaged(r);
    if (c != ' ' && ((has_word(p, n, "static") && has_word(p, n, "final")) || has_word(p, n, "const "))) f->constants = true;
    if (c != '-') {
        if (c == '+') r->ok &= add_line(f, r->line);
        r->line++;
        r->new --;
    }
    if (c != '+') r->old--;
    r->behind = r->old <= 0 && r->new <= 0;
    if (r->old < 0 || r->new < 0) damaged(r);
}

/* False with a reason. `name`: what the text is called. */
static bool read_diff(CovDiff *d, const char *name, const char *text, size_t len, bool *any, char *err, size_t errlen) {
    Reader r = {.d = d, .at = text, .end = text + len, .ok = true};
    while (r.ok && r.at < r.end) {
        const char *nl = memchr(r.at, '\n', (size_t)(r.end - r.at));
        size_t n = (size_t)((nl ? nl : r.end) - r.at);
        size_t bare = n && r.at[n - 1] == '\r' ? n - 1 : n;
        r.at_line++;
        if (r.old > 0 || r.new > 0) body_line(&r, r.at, bare);
        else head_line(&r, r.at, bare);
        r.at += n + 1;
    }
    if (r.old > 0 || r.new > 0) damaged(&r);
    *any = r.any;
    if (!r.ok) snprintf(err, errlen, "out of memory");
    else if (r.damaged) snprintf(err, errlen, "%s:%u: the diff is damaged, or cut off", name, r.damaged);
    return r.ok && !r.damaged;
}

/* ---- git ------------------------------------------------------------------------------------------ */

extern char **environ;

/* What is in a file of memory; NUL behind it. */
static char *contents(CovDiff *d, int fd, size_t *len) {
    struct stat st;
    char *text = NULL;
    *len = 0;
    if (fd < 0 || fstat(fd, &st) != 0 || !(text = cf_arena_alloc(&d->arena, (size_t)st.st_size + 1))) return text;
    while (*len < (size_t)st.st_size) {
        ssize_t n = pread(fd, text + *len, (size_t)st.st_size - *len, (off_t)*len);
        if (n <= 0) break;
        *len += (size_t)n;
    }
    text[*len] = 0;
    return text;
}

/* Ends of lines become blanks: a message is one line. */
static void one_line(char *text) {
    size_t n = strlen(text);
    while (n && text[n - 1] == '\n') text[--n] = 0;
    for (; *text; text++)
        if (*text == '\n') *text = ' ';
}

static bool run(char *const argv[], int out, int errors, int *status) {
    posix_spawn_file_actions_t acts;
    pid_t pid;
    posix_spawn_file_actions_init(&acts);
    posix_spawn_file_actions_adddup2(&acts, out, 1);
    posix_spawn_file_actions_adddup2(&acts, errors, 2);
    int rc = out < 0 || errors < 0 ? EMFILE : posix_spawnp(&pid, argv[0], &acts, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&acts);
    if (rc) return errno = rc, false;
    while (waitpid(pid, status, 0) < 0)
        if (errno != EINTR) return false;
    return true;
}

/* Output of git, in the arena; NULL with a reason. */
static char *git(CovDiff *d, const char *repo, const char *const *words, size_t *len, char *err, size_t errlen) {
    char *argv[24] = {"git", "-C", (char *)(repo ? repo : "."), "-c", "core.quotePath=false"};
    int n = 5, status = 0, out = memfd_create("out", MFD_CLOEXEC), errors = memfd_create("errors", MFD_CLOEXEC);
    char *text = NULL;
    for (; *words && n < 23; words++) argv[n++] = (char *)*words;
    if (!run(argv, out, errors, &status)) {
        snprintf(err, errlen, "git: %s", strerror(errno));
    } else if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        char *said = contents(d, errors, len);
        if (said) one_line(said);
        snprintf(err, errlen, "git %s failed: %s", argv[5], said && *said ? said : "it gave no reason");
    } else if (!(text = contents(d, out, len))) {
        snprintf(err, errlen, "git: out of memory");
    }
    if (out >= 0) close(out);
    if (errors >= 0) close(errors);
    return text;
}

/* Source files that git does not know yet are new ones; others are left out: what a build leaves behind lies around as well. */
static bool add_untracked(CovDiff *d, const char *repo, char *err, size_t errlen) {
    static const char *const words[] = {"ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/", NULL};
    size_t len;
    const char *list = git(d, repo, words, &len, err, errlen);
    for (const char *p = list; p && p < list + len; p += strlen(p) + 1) {
        if (!cov_diff_is_source(p)) continue;
        CovDiffFile f = {.path = p, .kind = COV_DIFF_NEW};
        if (!cf_vec_push(&f.lines, (CovLineRange){1, WHOLE_FILE}) || !cf_vec_push(&d->files, f))
            return snprintf(err, errlen, "out of memory"), false;
    }
    return list != NULL;
}

static bool diff_of_git(CovDiff *d, const char *rev, const char *repo, bool branch, char *err, size_t errlen) {
    bool range = strstr(rev, "..") != NULL, any;
    const char *words[13] = {"diff",          "--no-color",      "--no-ext-diff",
                             "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/",
                             "--unified=0",   "--no-relative"}; /* whatever git's configuration says */
    int n = 8;
    words[n++] = branch ? "--find-renames" : "--no-renames";
    if (branch && !range) words[n++] = "--merge-base";
    words[n++] = rev;
    words[n++] = "--";
    static const char *const where[] = {"rev-parse", "--show-toplevel", NULL}; /* git diff would compare anything anywhere */
    size_t len;
    if (*rev == '-' || !*rev) return snprintf(err, errlen, "'%s' is no revision", rev), false;
    char *root = git(d, repo, where, &len, err, errlen);
    if (!root) return false;
    root[strcspn(root, "\n")] = 0;
    d->root = root;
    const char *text = git(d, repo, words, &len, err, errlen);
    if (!text) return false;
    if (!read_diff(d, "git diff", text, len, &any, err, errlen)) return false;
    d->repo = repo;
    if (!range && !branch) d->before = rev;
    return range || add_untracked(d, repo, err, errlen);
}

const char *cov_diff_before(CovDiff *d, const CovDiffFile *f, size_t *len) {
    char object[4300], err[300];
    const char *const words[] = {"cat-file", "blob", object, NULL};
    if (!d->before || snprintf(object, sizeof object, "%s:%s", d->before, f->path) >= (int)sizeof object) return NULL;
    return git(d, d->repo, words, len, err, sizeof err);
}

/* ---- both ----------------------------------------------------------------------------------------- */

static bool diff_of_file(CovDiff *d, const char *path, char *err, size_t errlen) {
    size_t len;
    bool any;
    const char *text = agent_read_file(path, MAX_DIFF, &d->arena, &len);
    if (!text) return snprintf(err, errlen, "%s: %s", path, strerror(errno)), false;
    if (!read_diff(d, path, text, len, &any, err, errlen)) return false;
    if (!any && len) return snprintf(err, errlen, "%s: not a unified diff", path), false;
    return true;
}

bool cov_diff_open(CovDiff *d, const char *what, const char *repo, bool branch, char *err, size_t errlen) {
    struct stat st;
    *d = (CovDiff){.name = what};
    cf_arena_init(&d->arena, "diff", 1 << 16);
    return stat(what, &st) == 0 && S_ISREG(st.st_mode) ? diff_of_file(d, what, err, errlen)
                                                       : diff_of_git(d, what, repo, branch, err, errlen);
}

void cov_diff_close(CovDiff *d) {
    for (uint32_t i = 0; i < d->files.len; i++) cf_vec_free(&d->files.data[i].lines);
    cf_vec_free(&d->files);
    cf_arena_free(&d->arena);
}
