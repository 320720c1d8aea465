/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_text.c - messages, colours, numbers as people read them, and the name that was perhaps meant. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* %m in `fmt` is about what was done before. */
static void say(const char *fmt, va_list ap) {
    int error = errno;
    fprintf(stderr, "%sgraft:%s ", ink(stderr, INK_BOLD), ink(stderr, INK_PLAIN));
    errno = error;
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
}

void graft_say(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
}

void graft_die(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
    exit(GRAFT_ERROR);
}

char *text_of(const char *fmt, ...) {
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) < 0) graft_die("out of memory");
    va_end(ap);
    return text;
}

/* U+0080 to U+009F are orders to terminals, too. */
char *text_printable(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < ' ' || *c == 127) *c = ' ';
        else if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) c[0] = c[1] = ' ';
    return text;
}

const char *ink(FILE *out, Ink i) {
    static const char *const codes[] = {
        [INK_PLAIN] = "\033[0m", [INK_BOLD] = "\033[1m", [INK_GOOD] = "\033[32m", [INK_BAD] = "\033[31m", [INK_DIM] = "\033[2m"};
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    bool plain = (no && *no) || !isatty(fileno(out)) || (term && !strcmp(term, "dumb"));
    return plain ? "" : codes[i];
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* How many letters must be put in, taken out or changed. */
static size_t distance(const char *a, const char *b) {
    enum { MOST = 40 };
    size_t row[MOST + 1], n = strlen(b);
    if (n > MOST || strlen(a) > MOST) return SIZE_MAX;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t before = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j];
            row[j] = least(least(row[j], row[j - 1]) + 1, before + (a[i - 1] != b[j - 1]));
            before = above;
        }
    }
    return row[n];
}

void nearest_look(Nearest *n, const char *name) {
    size_t len = strlen(n->word), d = distance(n->word, name);
    if (len >= 3 && !strncmp(n->word, name, len)) d = 1; /* the beginning of it */
    if (d > 1 + len / 4 || (n->name && d >= n->distance)) return;
    n->name = name;
    n->distance = d;
}

const char *nearest_text(const Nearest *n, char *buf, size_t size) {
    *buf = 0;
    if (n->name) snprintf(buf, size, " (did you mean '%s'?)", n->name);
    return buf;
}

static char *buffer(size_t *size) {
    static char ring[8][32];
    static unsigned next;
    *size = sizeof *ring;
    return ring[next++ % 8];
}

const char *text_bytes(double n) {
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    size_t size, u = 0;
    char *buf = buffer(&size);
    for (; n >= 1024 && u < 4; u++) n /= 1024;
    snprintf(buf, size, u && n < 10 ? "%.1f %s" : "%.0f %s", n, units[u]);
    return buf;
}

const char *text_seconds(double s) {
    size_t size;
    char *buf = buffer(&size);
    long n = (long)s;
    if (n < 60) snprintf(buf, size, "%ld s", n);
    else if (n < 3600) snprintf(buf, size, "%ld min %ld s", n / 60, n % 60);
    else if (n < 86400) snprintf(buf, size, "%ld h %ld min", n / 3600, n / 60 % 60);
    else snprintf(buf, size, "%ld d %ld h", n / 86400, n / 3600 % 24);
    return buf;
}

char *path_absolute(const char *path) {
    char cwd[PATH_MAX];
    if (*path == '/') return text_of("%s", path);
    if (!getcwd(cwd, sizeof cwd)) graft_die("the current directory: %m");
    return text_of("%s/%s", cwd, path);
}
