/* SPDX-License-Identifier: Apache-2.0 */
/* cov_java_text.c - tokens of Java sources compared. */
#include "cov_java_text.h"

#include <string.h>

typedef struct Lexer {
    const char *at, *end;
    CovText token; /* len 0 at the end */
} Lexer;

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

static bool is_operator(char c) { return c && strchr("+-*/=<>!&|^%~?:", c) != NULL; }

static bool starts(const Lexer *l, const char *text) {
    size_t n = strlen(text);
    return (size_t)(l->end - l->at) >= n && !memcmp(l->at, text, n);
}

/* Behind `text`, or at the end. */
static void skip_past(Lexer *l, const char *text) {
    const char *found = memmem(l->at, (size_t)(l->end - l->at), text, strlen(text));
    l->at = found ? found + strlen(text) : l->end;
}

static bool skip_comment(Lexer *l) {
    bool line = starts(l, "//");
    if (!line && !starts(l, "/*")) return false;
    l->at += 2;
    skip_past(l, line ? "\n" : "*/");
    return true;
}

/* A string, character or text block: to its closing quotes; the first two end with their line at the latest. */
static void skip_literal(Lexer *l) {
    bool block = starts(l, "\"\"\"");
    char quote = *l->at;
    l->at += block ? 3 : 1;
    while (l->at < l->end && (block || *l->at != '\n')) {
        if (block ? starts(l, "\"\"\"") : *l->at == quote) return (void)(l->at += block ? 3 : 1);
        l->at += *l->at == '\\' && l->at + 1 < l->end ? 2 : 1;
    }
}

static CovText next(Lexer *l) {
    do
        while (l->at < l->end && is_blank(*l->at)) l->at++;
    while (skip_comment(l));
    const char *from = l->at;
    if (from == l->end) return l->token = (CovText){from, 0};
    if (is_word(*from)) {
        while (l->at < l->end && is_word(*l->at)) l->at++;
    } else if (*from == '"' || *from == '\'') {
        skip_literal(l);
    } else if (is_operator(*from)) {
        while (l->at < l->end && is_operator(*l->at) && !starts(l, "//") && !starts(l, "/*")) l->at++;
    } else {
        l->at++;
    }
    return l->token = (CovText){from, (size_t)(l->at - from)};
}

static bool equal(CovText a, CovText b) { return a.len == b.len && !memcmp(a.p, b.p, a.len); }

static bool is(CovText t, char c) { return t.len == 1 && *t.p == c; }

static Lexer lexer(CovText t) { return (Lexer){.at = t.p, .end = t.p + t.len}; }

bool cov_java_same(CovText before, CovText now) {
    Lexer a = lexer(before), b = lexer(now);
    while (equal(next(&a), next(&b)))
        if (!a.token.len) return true;
    return false;
}

/* Stands at the `=` behind the name; that may be one token with a sign. */
static bool find_value(Lexer *l, CovText name) {
    while (next(l).len) {
        if (!equal(l->token, name)) continue;
        Lexer ahead = *l;
        CovText t = next(&ahead);
        if (!t.len || *t.p != '=' || (t.len > 1 && t.p[1] == '=')) continue;
        *l = ahead;
        return true;
    }
    return false;
}

bool cov_java_same_value(CovText before, CovText now, CovText name) {
    Lexer a = lexer(before), b = lexer(now);
    for (;;) {
        bool found = find_value(&a, name);
        if (find_value(&b, name) != found) return false;
        if (!found) return true;
        for (int depth = 0;;) {
            if (!equal(a.token, b.token)) return false;
            if (!a.token.len || is(a.token, ';') || (is(a.token, ',') && !depth)) break;
            depth += is(a.token, '(') || is(a.token, '{') || is(a.token, '[');
            depth -= is(a.token, ')') || is(a.token, '}') || is(a.token, ']');
            next(&a), next(&b);
        }
    }
}

bool cov_java_same_values(CovText before, CovText now) {
    Lexer l = lexer(before);
    CovText type = {NULL, 0}, name = {NULL, 0};
    for (; next(&l).len; type = name, name = l.token) {
        if (!name.len || !is_word(*name.p) || *l.token.p != '=' || !type.len) continue;
        if (!is_word(*type.p) && !is(type, ']') && type.p[type.len - 1] != '>' && !is(type, ',')) continue;
        if (!cov_java_same_value(before, now, name)) return false;
    }
    return true;
}
