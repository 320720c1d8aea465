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
#include <math.h>
#include <stdlib.h>

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
    agent_put_markup(out, p, n);
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
    else agent_put_markup(out, p, k = k ? k : 1);
    return k;
}

static void code_line(FILE *out, State *st, const char *p, size_t n) {
    while (n) {
        size_t k = *st == PLAIN ? token(out, st, p, n) : long_token(out, st, *st, 0, p, n);
        p += k;
        n -= k;
    }
}

/* ---- branches --------------------------------------------------------------------------------------- */

typedef struct Arms { /* of a source, by line */
    CovArm *v;
    uint32_t n, at; /* the first of the line that is written, or of a later one */
} Arms;

static int by_line(const void *x, const void *y) {
    const CovArm *a = x, *b = y;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return a->insn != b->insn ? (a->insn < b->insn ? -1 : 1) : a->kind - b->kind;
}

static Arms arms_of(const CovPackage *p, const CovSource *s) {
    Arms a = {NULL, 0, 0};
    uint32_t n = 0, insns = 0;
    for (uint32_t i = 0; i < p->nclasses; i++)
        if (p->classes[i].source && !strcmp(p->classes[i].source, s->name)) n += p->classes[i].narms;
    a.v = n ? malloc(n * sizeof *a.v) : NULL;
    for (uint32_t i = 0; a.v && i < p->nclasses; i++) {
        const CovClass *c = &p->classes[i];
        if (!c->source || strcmp(c->source, s->name) != 0) continue;
        for (uint32_t k = 0; k < c->narms; k++) {
            a.v[a.n] = c->arms[k];
            a.v[a.n++].insn += insns;
        }
        insns += c->narms + 1;
    }
    if (a.n) qsort(a.v, a.n, sizeof *a.v, by_line);
    return a;
}

static void put_arm(FILE *out, const CovArm *a) {
    static const char *const words[] = {
        [COV_ARM_ON] = "straight on", [COV_ARM_JUMP] = "jump", [COV_ARM_CASE] = "case", [COV_ARM_DEFAULT] = "default"};
    fputs(words[a->kind], out);
    if (a->to == a->line) fputs(" (this line)", out);
    else if (a->to != COV_NO_LINE) fprintf(out, " to line %d", a->to);
}

/* One line of text for each condition or switch of the line, each catch clause. */
static void put_arms(FILE *out, const CovArm *a, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        bool first = !i || a[i - 1].insn != a[i].insn;
        fputs(first ? "&#10;" : "; ", out);
        if (a[i].kind == COV_ARM_CATCH) {
            cov_put(out, "catch of ", a[i].caught ? a[i].caught : "?", a[i].taken ? ": entered" : ": never entered");
        } else {
            put_arm(out, &a[i]);
            fputs(a[i].taken ? ": taken" : ": never", out);
        }
    }
}

static void branch_mark(FILE *out, const CovLine *l, const CovArm *a, uint32_t n) {
    uint32_t all = l->mb + l->cb;
    if (!all && !n) return;
    const char *tone = !l->ci ? "r" : l->mb ? (l->cb ? "y" : "r") : "g";
    fprintf(out, "<span class=%s title=\"", tone);
    if (all && !l->mb) fprintf(out, "all %u branches taken", all);
    else if (all) fprintf(out, "%u of %u branches missed", l->mb, all);
    else fputs("exceptions", out);
    put_arms(out, a, n);
    fputs(all ? "\">\xe2\x97\x86</span>" : "\">\xe2\x9a\xa1</span>", out);
}

/* What a line that ran never did, to be read without a pointing device. */
static void never(FILE *out, const CovLine *l, const CovArm *a, uint32_t n) {
    bool any = false;
    if (!l || !l->ci || !l->mb) return;
    for (uint32_t i = 0; i < n; i++) {
        if (a[i].taken || a[i].kind == COV_ARM_CATCH) continue;
        fputs(any ? ", " : "<em>never ", out);
        put_arm(out, &a[i]);
        any = true;
    }
    if (any) fputs("</em>", out);
}

/* How often, the more the darker: by the logarithm, against the line of the source that ran most. */
static void count_cell(FILE *out, const CovLine *l, double most) {
    if (!l) return (void)fputs("<td class=r>", out);
    fputs("<td class=r", out);
    if (l->runs && most > 0) fprintf(out, " style=\"--h:%.2f\"", log1p((double)l->runs) / most);
    fprintf(out, ">%llu", (unsigned long long)l->runs);
}

static double most_runs(const CovSource *s) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < s->lines.n; i++) most = s->lines.v[i].runs > most ? s->lines.v[i].runs : most;
    return log1p((double)most);
}

/* ---- lines --------------------------------------------------------------------------------------------- */

/* Classes of a row: covered, partly or missed; and whether it was changed (x), or came out better or worse. */
static void row_class(FILE *out, const CovSource *s, const CovLine *l, int32_t nr) {
    static const char *const marks[] = {[COV_MARK_CHANGED] = "x", [COV_MARK_GAINED] = "x up", [COV_MARK_LOST] = "x down"};
    const char *tone = !l ? "" : !l->ci ? "m" : l->mi || l->mb ? "p" : "c";
    CovMark mark = cov_line_mark(s, nr);
    if (mark) fprintf(out, " class=\"%s%s%s\"", tone, *tone ? " " : "", marks[mark]);
    else if (*tone) fprintf(out, " class=%s", tone);
}

/* Cells of a line: number, branches, count, text. */
static void put_line(FILE *out, State *st, const CovSource *s, int32_t nr, const char *text, size_t n, Arms *arms,
                     const double *most) {
    const CovLine *l = cov_line_at(&s->lines, nr);
    while (arms->at < arms->n && arms->v[arms->at].line < nr) arms->at++;
    const CovArm *a = arms->v + arms->at;
    uint32_t na = 0;
    while (arms->at + na < arms->n && a[na].line == nr) na++;
    fprintf(out, "<tr id=L%d", nr);
    row_class(out, s, l, nr);
    fprintf(out, "><td class=n><a href=#L%d>%d</a><td class=b>", nr, nr);
    if (l) branch_mark(out, l, a, na);
    if (most) count_cell(out, l, *most);
    if (l && l->ci && l->mi) fprintf(out, "<td class=s title=\"%u of %u instructions missed\">", l->mi, l->mi + l->ci);
    else fputs("<td class=s>", out);
    code_line(out, st, text, n);
    never(out, l, a, na);
    fputc('\n', out);
}

void cov_html_listing(FILE *out, const CovPackage *p, const CovSource *s, const char *text, size_t len, bool counts) {
    State st = PLAIN;
    Arms arms = arms_of(p, s);
    double most = most_runs(s);
    fprintf(out, "<div class=%s><table>\n", s->changed || s->moved ? "\"code only\"" : "code");
    const char *end = text + len;
    for (int32_t nr = 1; text < end; nr++) {
        const char *nl = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((nl ? nl : end) - text);
        put_line(out, &st, s, nr, text, n && text[n - 1] == '\r' ? n - 1 : n, &arms, counts ? &most : NULL);
        text = nl ? nl + 1 : end;
    }
    fputs("</table></div>\n", out);
    free(arms.v);
}
