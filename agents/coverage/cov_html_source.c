/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_html_source.c - source lines with coverage and a light syntax colouring.
 *
 * The colouring knows words, strings, characters, text blocks, comments and annotations of
 * Java; Kotlin, Groovy, Scala are near enough. The state that crosses lines (block comment, text block) is in
 * Lexer, so lines can be written one by one.
 */
#include "cov_html.h"

#include <ctype.h>

typedef enum State { PLAIN, COMMENT, TEXT_BLOCK } State;

static bool keyword(const char *p, size_t n) {
    static const char *const words =
        " abstract assert boolean break byte case catch char class const continue default do double "
        "else enum extends final finally float for goto if implements import instanceof int interface long native "
        "new package private protected public return short static strictfp super switch synchronized this throw "
        "throws transient try void volatile while true false null var record sealed permits yield non-sealed "
        "def fun val object override lazy trait with match when is in as ";
    char key[24];
    if (n > 20) return false;
    snprintf(key, sizeof key, " %.*s ", (int)n, p);
    return strstr(words, key) != NULL;
}

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80); }

static void marked(FILE *out, char tag, const char *p, size_t n) {
    fprintf(out, "<%c>", tag);
    cov_escape_n(out, p, n);
    fprintf(out, "</%c>", tag);
}

/* Length up to and including `end`, or to the end of the line. */
static size_t until(const char *p, size_t n, const char *end, bool *found) {
    size_t k = strlen(end);
    for (size_t i = 0; i + k <= n; i++)
        if (!memcmp(p + i, end, k)) {
            *found = true;
            return i + k;
        }
    *found = false;
    return n;
}

static size_t quoted(const char *p, size_t n) {
    size_t i = 1;
    while (i < n && p[i] != p[0]) i += p[i] == '\\' ? 2 : 1;
    return i < n ? i + 1 : n;
}

/* What may go over several lines, in state `in` behind the first `open` characters; returns the length here. */
static size_t long_token(FILE *out, State *st, State in, size_t open, const char *p, size_t n) {
    bool found;
    size_t k = open + until(p + open, n - open, in == COMMENT ? "*/" : "\"\"\"", &found);
    marked(out, in == COMMENT ? 'i' : 's', p, k);
    *st = found ? PLAIN : in;
    return k;
}

/* Writes one token starting at p; returns its length. */
static size_t token(FILE *out, State *st, const char *p, size_t n) {
    size_t k;
    if (n > 1 && p[0] == '/' && p[1] == '/') return marked(out, 'i', p, n), n;
    if (n > 1 && p[0] == '/' && p[1] == '*') return long_token(out, st, COMMENT, 2, p, n);
    if (n > 2 && !memcmp(p, "\"\"\"", 3)) return long_token(out, st, TEXT_BLOCK, 3, p, n);
    if (*p == '"' || *p == '\'') {
        marked(out, 's', p, k = quoted(p, n));
        return k;
    }
    for (k = *p == '@'; k < n && word_char(p[k]); k++) {}
    if (*p == '@' && k > 1) marked(out, 'u', p, k);
    else if (k && keyword(p, k)) marked(out, 'b', p, k);
    else cov_escape_n(out, p, k = k ? k : 1);
    return k;
}

static void code_line(FILE *out, State *st, const char *p, size_t n) {
    while (n) {
        size_t k = *st == PLAIN ? token(out, st, p, n) : long_token(out, st, *st, 0, p, n);
        p += k;
        n -= k;
    }
}

static void branch_mark(FILE *out, const CovLine *l) {
    uint32_t all = l->mb + l->cb;
    if (!all) return;
    const char *tone = !l->mb ? "g" : !l->cb ? "r" : "y";
    if (!l->mb) fprintf(out, "<span class=%s title=\"all %u branches taken\">", tone, all);
    else fprintf(out, "<span class=%s title=\"%u of %u branches missed\">", tone, l->mb, all);
    fputs("\xe2\x97\x86</span>", out);
}

/* Classes of a row: covered, partly or missed; and whether it was changed (x), or came out better or worse. */
static void row_class(FILE *out, const CovSource *s, const CovLine *l, int32_t nr) {
    static const char *const marks[] = {[COV_MARK_CHANGED] = "x", [COV_MARK_GAINED] = "x up", [COV_MARK_LOST] = "x down"};
    const char *tone = !l ? "" : !l->ci ? "m" : l->mi || l->mb ? "p" : "c";
    CovMark mark = cov_line_mark(s, nr);
    if (mark) fprintf(out, " class=\"%s%s%s\"", tone, *tone ? " " : "", marks[mark]);
    else if (*tone) fprintf(out, " class=%s", tone);
}

void cov_html_listing(FILE *out, const CovSource *s, const char *text, size_t len, bool counts) {
    State st = PLAIN;
    fprintf(out, "<div class=%s><table>\n", s->changed || s->moved ? "\"code only\"" : "code");
    const char *end = text + len;
    for (int32_t nr = 1; text < end; nr++) {
        const char *nl = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((nl ? nl : end) - text);
        if (n && text[n - 1] == '\r') n--;
        const CovLine *l = cov_line_at(&s->lines, nr);
        fprintf(out, "<tr id=L%d", nr);
        row_class(out, s, l, nr);
        fprintf(out, "><td class=n><a href=#L%d>%d</a><td class=b>", nr, nr);
        if (l) branch_mark(out, l);
        if (counts && l) fprintf(out, "<td class=r>%llu", (unsigned long long)l->runs);
        else if (counts) fputs("<td class=r>", out);
        if (l && l->ci && l->mi) fprintf(out, "<td class=s title=\"%u of %u instructions missed\">", l->mi, l->mi + l->ci);
        else fputs("<td class=s>", out);
        code_line(out, &st, text, n);
        fputc('\n', out);
        text = nl ? nl + 1 : end;
    }
    fputs("</table></div>\n", out);
}
