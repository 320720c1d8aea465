/* SPDX-License-Identifier: Apache-2.0 */
/* printable.c - control characters replaced, in a text and in the standard streams. */
#include "printable.h"

#include <unistd.h>

typedef struct Stream {
    int fd;
    unsigned char last;
} Stream;

/* ESC [ 31 m and the like. */
static bool is_colour(const char *p, size_t n) {
    size_t i = 2;
    if (n < 3 || p[0] != 27 || p[1] != '[') return false;
    while (i < n && ((p[i] >= '0' && p[i] <= '9') || p[i] == ';')) i++;
    return i < n && p[i] == 'm';
}

/* U+0080 to U+009F are control characters, too: their second byte behind 0xc2 becomes that of a blank. */
unsigned char agent_printable(char *text, size_t n, unsigned char before) {
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        bool control = (c < ' ' && c != '\t' && c != '\n') || c == 127;
        if (control && !is_colour(text + i, n - i)) text[i] = '?';
        else if (before == 0xc2 && c >= 0x80 && c < 0xa0) text[i] = (char)0xa0;
        before = c;
    }
    return before;
}

static bool write_all(int fd, const char *p, size_t n) {
    for (ssize_t k; n; p += k, n -= (size_t)k)
        if ((k = write(fd, p, n)) < 0) return false;
    return true;
}

/* 0 is an error, with its errno. */
static ssize_t put(void *stream, const char *text, size_t n) {
    Stream *s = stream;
    char part[4096];
    for (size_t done = 0, k; done < n; done += k) {
        k = n - done < sizeof part ? n - done : sizeof part;
        for (size_t i = 0; i < k; i++) part[i] = text[done + i];
        s->last = agent_printable(part, k, s->last);
        if (!write_all(s->fd, part, k)) return 0;
    }
    return (ssize_t)n;
}

bool agent_is_terminal(FILE *out) { return isatty(out == stdout ? STDOUT_FILENO : out == stderr ? STDERR_FILENO : fileno(out)); }

void agent_printable_output(void) {
    static Stream streams[] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}};
    const cookie_io_functions_t functions = {.write = put};
    FILE *out = fopencookie(&streams[0], "w", functions), *err = fopencookie(&streams[1], "w", functions);
    if (out && isatty(STDOUT_FILENO)) setvbuf(out, NULL, _IOLBF, BUFSIZ);
    if (err) setvbuf(err, NULL, _IONBF, 0);
    if (out) stdout = out;
    if (err) stderr = err;
}
