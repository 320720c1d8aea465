/* SPDX-License-Identifier: Apache-2.0 */
/* trc_expr.c - reads probes; the language is told in trc_expr.h. */
#include "trc_expr.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classfile.h"

enum { MOST_NESTED = 100 }; /* parentheses and nots in each other */

const char *const trc_relations[] = {"==", "!=", "<", "<=", ">", ">=", NULL};

typedef struct Reader {
    CfArena *arena;
    const char *start, *p; /* of the probe; the next character */
    const char *end;
    TrcProbe *probe;
    TrcSyntax *wrong;
    int nested;
    bool failed;
} Reader;

/* ---- words --------------------------------------------------------------------------------------- */

static void *fail_at(Reader *r, const char *at, const char *form, ...) __attribute__((format(printf, 3, 4)));
static void *fail_at(Reader *r, const char *at, const char *form, ...) {
    va_list ap;
    if (r->failed) return NULL;
    r->failed = true;
    va_start(ap, form);
    vsnprintf(r->wrong->text, sizeof r->wrong->text, form, ap);
    va_end(ap);
    r->wrong->probe = r->probe ? r->probe->text : r->start;
    r->wrong->column = (unsigned)(at - r->start) + 1;
    return NULL;
}

static void *no_memory(Reader *r) {
    if (!r->failed) *r->wrong = (TrcSyntax){.text = "no memory", .probe = ""};
    r->failed = true;
    return NULL;
}

static char *copy(Reader *r, const char *from, size_t n) {
    char *s = cf_arena_alloc(r->arena, n + 1);
    if (!s) return no_memory(r);
    memcpy(s, from, n);
    s[n] = 0;
    return s;
}

/* The same as class files and the VM have it. */
static char *modified(Reader *r, const char *from, size_t n) {
    size_t len = cf_utf8_to_mutf8(from, n, NULL, 0);
    char *s = cf_arena_alloc(r->arena, len + 1);
    if (!s) return no_memory(r);
    s[cf_utf8_to_mutf8(from, n, s, len)] = 0;
    return s;
}

static void skip_blanks(Reader *r) {
    while (r->p < r->end && isspace((unsigned char)*r->p)) r->p++;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128; }

static size_t name_length(const Reader *r) {
    size_t n = 0;
    if (r->p < r->end && isdigit((unsigned char)*r->p)) return 0;
    while (r->p + n < r->end && in_name(r->p[n])) n++;
    return n;
}

/* Takes a word or a sign if it is the next thing. */
static bool take(Reader *r, const char *word) {
    size_t n = strlen(word);
    skip_blanks(r);
    if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n)) return false;
    if (in_name(*word) && r->p + n < r->end && in_name(r->p[n])) return false;
    r->p += n;
    return true;
}

static bool must(Reader *r, const char *word, const char *where) {
    if (take(r, word)) return true;
    fail_at(r, r->p, "'%s' is missing %s", word, where);
    return false;
}

static TrcExpr *node(Reader *r, TrcOp op, const char *at, TrcExpr *a, TrcExpr *b) {
    TrcExpr *e = r->failed ? NULL : CF_NEW(r->arena, TrcExpr);
    if (!e) return r->failed ? NULL : no_memory(r);
    *e = (TrcExpr){.op = op, .column = (unsigned)(at - r->start) + 1, .a = a, .b = b};
    return e;
}

/* A node whose meaning depends on the class of what it looks at. */
static TrcExpr *site(Reader *r, TrcOp op, const char *at, TrcExpr *a, const char *text) {
    TrcExpr *e = text ? node(r, op, at, a, NULL) : NULL;
    TrcProbe *p = r->probe;
    if (!e) return NULL;
    TrcExpr **more = cf_arena_alloc(r->arena, (p->nsites + 1) * sizeof *more);
    if (!more) return no_memory(r);
    if (p->nsites) memcpy(more, p->sites, p->nsites * sizeof *more);
    e->text = text;
    e->site = p->nsites;
    more[p->nsites++] = e;
    p->sites = more;
    return e;
}

/* ---- values -------------------------------------------------------------------------------------- */

static TrcExpr *read_or(Reader *r);

static TrcExpr *read_string(Reader *r) {
    const char *at = r->p;
    char quote = *r->p++, *out = copy(r, r->p, (size_t)(r->end - r->p)), *q = out;
    if (!out) return NULL;
    for (; r->p < r->end && *r->p != quote; r->p++) {
        if (*r->p == '\\' && r->p + 1 < r->end) r->p++;
        *q++ = *r->p;
    }
    *q = 0;
    if (r->p == r->end) return fail_at(r, at, "this string does not end");
    r->p++;
    TrcExpr *e = node(r, TRC_OP_TEXT, at, NULL, NULL);
    if (e) e->text = modified(r, out, (size_t)(q - out));
    return e;
}

static const struct {
    const char *name;
    int64_t nanos;
} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};

static TrcExpr *read_number(Reader *r, const char *at, bool negative) {
    char digits[64], *end, *end_real;
    size_t n = (size_t)(r->end - r->p) < sizeof digits - 1 ? (size_t)(r->end - r->p) : sizeof digits - 1;
    memcpy(digits, r->p, n);
    digits[n] = 0;
    digits[strspn(digits, "0123456789abcdefABCDEFxX.eE+-")] = 0;
    bool hex = digits[0] == '0' && (digits[1] | 32) == 'x';
    if (!hex) digits[strspn(digits, "0123456789.eE+-")] = 0; /* 5ms, 3and: the unit is no part */
    errno = 0;
    double real = hex ? 0 : strtod(digits, &end_real);
    long long whole = strtoll(digits, &end, hex ? 16 : 10);
    if (hex || end >= end_real) {
        if (errno == ERANGE) return fail_at(r, at, "this number is too big");
        end_real = end;
    }
    r->p += end_real - digits;
    TrcExpr *e = node(r, end_real > end ? TRC_OP_REAL : TRC_OP_NUMBER, at, NULL, NULL);
    if (!e) return NULL;
    e->number = negative ? -whole : whole;
    e->real = negative ? -real : real;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t k = strlen(units[i].name);
        if (hex || name_length(r) != k || memcmp(r->p, units[i].name, k)) continue;
        if (real * (double)units[i].nanos > 9e18) return fail_at(r, at, "this time is too long");
        e->number = e->op == TRC_OP_REAL ? (int64_t)(e->real * (double)units[i].nanos) : e->number * units[i].nanos;
        e->op = TRC_OP_NUMBER;
        r->p += k;
    }
    if (r->p < r->end && in_name(*r->p)) return fail_at(r, r->p, "neither a number nor a time (ns, us, ms, s)");
    return e;
}

static TrcExpr *read_nested(Reader *r) {
    if (++r->nested > MOST_NESTED) return fail_at(r, r->p, "nested too deeply");
    TrcExpr *e = read_or(r);
    if (e && !must(r, ")", "here")) e = NULL;
    r->nested--;
    return e;
}

static TrcExpr *read_word(Reader *r, const char *at) {
    static const struct {
        const char *word;
        TrcOp op;
        int64_t number;
    } words[] = {{"this", TRC_OP_THIS, 0},  {"return", TRC_OP_RETURN, 0}, {"exception", TRC_OP_EXCEPTION, 0},
                 {"time", TRC_OP_TIME, 0},  {"null", TRC_OP_NULL, 0},     {"true", TRC_OP_TRUTH, 1},
                 {"false", TRC_OP_TRUTH, 0}};
    size_t n = name_length(r);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!take(r, words[i].word)) continue;
        TrcExpr *e = node(r, words[i].op, at, NULL, NULL);
        if (e) e->number = words[i].number;
        return e;
    }
    if (n > 3 && n < 7 && !memcmp(r->p, "arg", 3) && strspn(r->p + 3, "0123456789") >= n - 3) {
        TrcExpr *e = node(r, TRC_OP_ARG, at, NULL, NULL);
        if (e) e->number = strtol(r->p + 3, NULL, 10);
        r->p += n;
        return e;
    }
    if (n) return fail_at(r, at, "'%.*s' is not known: this, arg0, arg1 ..., return, exception, time, or a literal", (int)n, at);
    return fail_at(r, at, "a value is missing");
}

static TrcExpr *read_primary(Reader *r) {
    skip_blanks(r);
    const char *at = r->p;
    if (at == r->end) return fail_at(r, at, "a value is missing at the end");
    if (*at == '"' || *at == '\'') return read_string(r);
    if (isdigit((unsigned char)*at)) return read_number(r, at, false);
    if (*at == '-' && at + 1 < r->end && isdigit((unsigned char)at[1])) return r->p++, read_number(r, at, true);
    if (take(r, "(")) return read_nested(r);
    return read_word(r, at);
}

static bool is_call(const char *name, size_t n) {
#define KNOWN(call) \
    if (sizeof call == n + 1 && !memcmp(call, name, n)) return true;
#define MEASURE(call, class, field) KNOWN(call)
#define VALUE(call, class, field) KNOWN(call)
#include "trc_calls.def"
    return false;
}

static TrcExpr *read_member(Reader *r, TrcExpr *e) {
    skip_blanks(r);
    const char *at = r->p;
    size_t n = name_length(r);
    if (!n) return fail_at(r, at, "a name is missing");
    r->p += n;
    if (!take(r, "(")) return site(r, TRC_OP_FIELD, at, e, modified(r, at, n));
    if (!is_call(at, n))
        return fail_at(r, at, "'%.*s()' cannot be asked: size(), length(), getMessage(), name(), ordinal(), get() ...", (int)n,
                       at);
    if (!must(r, ")", "here: calls have no arguments")) return NULL;
    return site(r, TRC_OP_CALL, at, e, copy(r, at, n));
}

static TrcExpr *read_value(Reader *r) {
    TrcExpr *e = read_primary(r);
    while (e) {
        const char *at = r->p;
        if (take(r, ".")) {
            e = read_member(r, e);
        } else if (take(r, "[")) {
            skip_blanks(r);
            TrcExpr *index = r->p < r->end && isdigit((unsigned char)*r->p) ? read_number(r, r->p, false) : NULL;
            if (!index || index->op != TRC_OP_NUMBER) return fail_at(r, r->p, "a number is missing: [0]");
            if (!must(r, "]", "here")) return NULL;
            e = node(r, TRC_OP_INDEX, at, e, NULL);
            if (e) e->number = index->number;
        } else {
            return e;
        }
    }
    return NULL;
}

static const char *read_class(Reader *r) {
    skip_blanks(r);
    const char *at = r->p;
    while (r->p < r->end && (in_name(*r->p) || *r->p == '.')) r->p++;
    if (at == r->p) return fail_at(r, at, "the name of a class is missing");
    char *name = modified(r, at, (size_t)(r->p - at));
    for (char *p = name; p && *p; p++)
        if (*p == '.') *p = '/';
    return name;
}

static TrcExpr *read_relation(Reader *r) {
    static const unsigned order[] = {0, 1, 3, 2, 5, 4}; /* <= in front of < */
    TrcExpr *e = read_value(r);
    if (!e) return NULL;
    skip_blanks(r);
    const char *at = r->p;
    if (take(r, "is")) return site(r, TRC_OP_IS, at, e, read_class(r));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!take(r, trc_relations[order[i]])) continue;
        TrcExpr *b = read_value(r), *c = b ? node(r, TRC_OP_COMPARE, at, e, b) : NULL;
        if (c) c->relation = order[i];
        return c;
    }
    if (r->p < r->end && *r->p == '=') return fail_at(r, r->p, "equal is written ==");
    return e;
}

static TrcExpr *read_not(Reader *r) {
    skip_blanks(r);
    const char *at = r->p;
    bool bang = r->p + 1 < r->end && *r->p == '!' && r->p[1] != '=';
    if (!take(r, "not") && !(bang && take(r, "!"))) return read_relation(r);
    if (++r->nested > MOST_NESTED) return fail_at(r, at, "nested too deeply");
    TrcExpr *a = read_not(r);
    r->nested--;
    return a ? node(r, TRC_OP_NOT, at, a, NULL) : NULL;
}

static TrcExpr *read_and(Reader *r) {
    TrcExpr *e = read_not(r);
    for (const char *at; e && (skip_blanks(r), at = r->p, take(r, "and") || take(r, "&&"));) {
        TrcExpr *b = read_not(r);
        e = b ? node(r, TRC_OP_AND, at, e, b) : NULL;
    }
    return e;
}

static TrcExpr *read_or(Reader *r) {
    TrcExpr *e = read_and(r);
    for (const char *at; e && (skip_blanks(r), at = r->p, take(r, "or") || take(r, "||"));) {
        TrcExpr *b = read_and(r);
        e = b ? node(r, TRC_OP_OR, at, e, b) : NULL;
    }
    return e;
}

/* ---- probes -------------------------------------------------------------------------------------- */

static bool read_capture(Reader *r, TrcCapture **at) {
    TrcCapture *c = CF_NEW(r->arena, TrcCapture);
    if (!c) return no_memory(r), false;
    skip_blanks(r);
    const char *from = r->p;
    size_t n = name_length(r);
    r->p += n;
    bool named = n && take(r, "=") && (r->p == r->end || *r->p != '=');
    if (!named) r->p = from;
    c->value = read_value(r);
    if (!named) n = (size_t)(r->p - from);
    while (n && isspace((unsigned char)from[n - 1])) n--;
    c->name = copy(r, from, n);
    c->next = NULL;
    *at = c;
    return c->value && c->name;
}

static bool read_limit(Reader *r) {
    skip_blanks(r);
    const char *at = r->p;
    TrcExpr *e = at < r->end && isdigit((unsigned char)*at) ? read_number(r, at, false) : NULL;
    if (!e || e->op != TRC_OP_NUMBER || e->number < 1) return fail_at(r, at, "a number from 1 is missing: limit 10/s"), false;
    r->probe->limit = e->number;
    return must(r, "/s", "here: limit 10/s");
}

static bool read_probe(Reader *r) {
    TrcCapture **last = &r->probe->captures;
    skip_blanks(r);
    const char *at = r->p;
    for (int within = 0; r->p < r->end && (within || !isspace((unsigned char)*r->p)); r->p++) /* parameters may have blanks */
        within += *r->p == '(' ? 1 : *r->p == ')' ? -1 : 0;
    if (!(r->probe->methods = copy(r, at, (size_t)(r->p - at)))) return false;
    if (take(r, "when") && !(r->probe->when = read_or(r))) return false;
    if (take(r, "capture")) do {
            if (!read_capture(r, last)) return false;
            last = &(*last)->next;
        } while (take(r, ","));
    if (take(r, "limit") && !read_limit(r)) return false;
    skip_blanks(r);
    if (r->p < r->end) return fail_at(r, r->p, "this is not understood here"), false;
    return true;
}

/* End of the probe at `p`: the first separator that is in no string. */
static const char *end_of(const char *p) {
    for (char quote = 0; *p && (quote || (*p != ';' && *p != '\n' && *p != '#')); p++)
        if (quote && *p == '\\' && p[1]) p++;
        else if (quote ? *p == quote : *p == '"' || *p == '\'') quote = quote ? 0 : *p;
    return p;
}

bool trc_parse(CfArena *arena, const char *text, TrcProbe **probes, TrcSyntax *wrong) {
    *probes = NULL;
    while (*text) {
        Reader r = {.arena = arena, .p = text, .end = end_of(text), .wrong = wrong};
        const char *next = r.end + (*r.end == '#' ? strcspn(r.end, "\n") : 0);
        text = next + (*next != 0);
        skip_blanks(&r);
        const char *end = r.end;
        while (end > r.p && isspace((unsigned char)end[-1])) end--;
        if (r.p == end) continue;
        TrcProbe *p = CF_NEW(arena, TrcProbe);
        if (!p) return no_memory(&r), false;
        *p = (TrcProbe){.text = copy(&r, r.p, (size_t)(end - r.p))};
        if (!p->text) return false;
        r.start = r.p = p->text;
        r.end = p->text + strlen(p->text);
        r.probe = p;
        if (!read_probe(&r)) return false;
        *probes = p;
        probes = &p->next;
    }
    return true;
}

int64_t trc_time_of(const char *text) {
    char *end;
    double v = strtod(text, &end);
    if (end == text || !(v >= 0 && v < 1e6)) return -1;
    if (!*end) return (int64_t)(v * 1e6);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].name)) return (int64_t)(v * (double)units[i].nanos);
    return -1;
}
