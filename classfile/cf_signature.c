/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_signature.c - generic signatures (JVMS 4.7.9.1) as a sequence of events.
 *
 * The grammar recurs in one place only: type arguments of a class type hold types again. What is open is
 * therefore always "the arguments of a class type", and a counter does for a stack: nothing recurs here,
 * and no depth is too deep.
 *
 * One thing is ambiguous in 4.7.9.1: in "<T:T:La;>" the second T may begin the bound of the first or be a
 * parameter whose predecessor has none. As in the JDK, L, T and [ behind the first colon begin a bound.
 */
#include "cf_int.h"

/* What types may come next; none: no type does. */
enum { BASE = 1, VOID = 2, CLASS = 4, VARIABLE = 8, ARRAY = 16, REFERENCE = CLASS | VARIABLE | ARRAY };

/* Inside of a class type; TOP: outside of all. */
enum { TOP, NAMED, ARGS_FIRST, ARGS, ARGS_DONE };

/* Between the types of the top level. */
enum { BEGIN, TYPE_PARAMETER, FIRST_BOUND, BOUNDS, BODY, INTERFACES, PARAMETERS, THROWS, LAST };

CfSigIter cf_sig_start(CfSigKind kind, CfStr s) {
    return (CfSigIter){.p = s.p, .end = s.p ? s.p + s.len : s.p, .kind = (uint8_t)kind};
}

static CfSigEvent bad(CfSigIter *it, const char *why) {
    it->why = why;
    it->text = (CfStr){NULL, 0};
    return CF_SIG_BAD;
}

/* The next character, 0 behind the last. */
static char at(const CfSigIter *it) { return it->p < it->end ? *it->p : 0; }

static bool take(CfSigIter *it, char c) {
    if (at(it) != c) return false;
    it->p++;
    return true;
}

/* One identifier; those of a class type may have slashes between them. */
static bool name(CfSigIter *it, bool slashes) {
    const char *from = it->p, *part = from;
    for (; it->p < it->end && !memchr(".;[<>:", *it->p, 6); it->p++) {
        if (*it->p != '/') continue;
        if (!slashes || it->p == part) return false;
        part = it->p + 1;
    }
    it->text = (CfStr){from, (uint32_t)(it->p - from)};
    return it->p > part;
}

static CfSigEvent expect(CfSigIter *it, unsigned types, CfSigEvent e) {
    it->types = (uint8_t)types;
    return e;
}

static CfSigEvent end_of_type(CfSigIter *it, CfSigEvent e) {
    it->types = 0;
    it->state = it->depth ? ARGS : TOP;
    return e;
}

/* ---- types ---- */

static CfSigEvent array(CfSigIter *it) {
    const char *from = it->p;
    while (take(it, '[')) {}
    it->text = (CfStr){from, (uint32_t)(it->p - from)};
    return expect(it, BASE | REFERENCE, CF_SIG_ARRAY);
}

static CfSigEvent class_type(CfSigIter *it) {
    it->p++;
    if (!name(it, true)) return bad(it, "a class name was expected");
    it->types = 0;
    it->state = NAMED;
    it->depth++;
    return CF_SIG_CLASS_TYPE;
}

static CfSigEvent variable(CfSigIter *it) {
    it->p++;
    if (!name(it, false) || !take(it, ';')) return bad(it, "a type variable was expected");
    return end_of_type(it, CF_SIG_VARIABLE);
}

static CfSigEvent type(CfSigIter *it) {
    char c = at(it);
    if (c == 'L' && (it->types & CLASS)) return class_type(it);
    if (c == 'T' && (it->types & VARIABLE)) return variable(it);
    if (c == '[' && (it->types & ARRAY)) return array(it);
    if (!c || !memchr("BCDFIJSZV", c, 9) || !(it->types & (c == 'V' ? VOID : BASE))) return bad(it, "a type was expected");
    it->text = (CfStr){it->p++, 1};
    return end_of_type(it, CF_SIG_BASE);
}

/* Behind the name of a class or behind its arguments. */
static CfSigEvent suffix(CfSigIter *it) {
    if (take(it, '.')) {
        it->state = NAMED;
        return name(it, false) ? CF_SIG_INNER_CLASS : bad(it, "the name of an inner class was expected");
    }
    if (!take(it, ';')) return bad(it, "the end of a class type was expected");
    it->depth--;
    return end_of_type(it, CF_SIG_CLASS_END);
}

static CfSigEvent argument(CfSigIter *it) {
    it->state = ARGS;
    if (take(it, '*')) return CF_SIG_WILDCARD;
    if (take(it, '+')) return expect(it, REFERENCE, CF_SIG_EXTENDS);
    if (take(it, '-')) return expect(it, REFERENCE, CF_SIG_SUPER);
    return expect(it, REFERENCE, CF_SIG_ARGUMENT);
}

static CfSigEvent in_class_type(CfSigIter *it) {
    if (it->state == NAMED && take(it, '<')) it->state = ARGS_FIRST;
    if (it->state == ARGS && take(it, '>')) it->state = ARGS_DONE;
    return it->state == ARGS || it->state == ARGS_FIRST ? argument(it) : suffix(it);
}

/* ---- the top level ---- */

static CfSigEvent bound(CfSigIter *it) {
    bool first = it->part == FIRST_BOUND;
    it->part = BOUNDS;
    it->p++;
    return expect(it, REFERENCE, first ? CF_SIG_CLASS_BOUND : CF_SIG_INTERFACE_BOUND);
}

static CfSigEvent body(CfSigIter *it) {
    switch (it->kind) {
    case CF_SIG_OF_CLASS: it->part = INTERFACES; return expect(it, CLASS, CF_SIG_SUPERCLASS);
    case CF_SIG_OF_FIELD: it->part = LAST; return expect(it, REFERENCE, CF_SIG_FIELD);
    default: it->part = PARAMETERS; return CF_SIG_END;
    }
}

/* What stands between the brackets < and > of type parameters; END: nothing more. */
static CfSigEvent type_parameters(CfSigIter *it) {
    if (it->part == FIRST_BOUND) {
        char next = it->p + 1 < it->end ? it->p[1] : 0;
        if (next == 'L' || next == 'T' || next == '[') return bound(it);
        it->p++; /* no class bound */
        it->part = BOUNDS;
    }
    if (it->part == BOUNDS) {
        if (at(it) == ':') return bound(it);
        if (take(it, '>')) {
            it->part = BODY;
            return CF_SIG_END;
        }
    }
    it->part = FIRST_BOUND;
    return name(it, false) && at(it) == ':' ? CF_SIG_TYPE_PARAMETER : bad(it, "a type parameter was expected");
}

static CfSigEvent parameters(CfSigIter *it) {
    if (!take(it, ')')) return expect(it, BASE | REFERENCE, CF_SIG_PARAMETER);
    it->part = THROWS;
    return expect(it, BASE | VOID | REFERENCE, CF_SIG_RESULT);
}

static CfSigEvent behind_types(CfSigIter *it) {
    if (it->p == it->end) return CF_SIG_END;
    if (it->part == INTERFACES) return expect(it, CLASS, CF_SIG_INTERFACE);
    if (it->part == THROWS && take(it, '^')) return expect(it, CLASS | VARIABLE, CF_SIG_THROWS);
    return bad(it, "the end was expected");
}

static CfSigEvent top(CfSigIter *it) {
    if (it->part == BEGIN) it->part = it->kind != CF_SIG_OF_FIELD && take(it, '<') ? TYPE_PARAMETER : BODY;
    if (it->part < BODY) {
        CfSigEvent e = type_parameters(it);
        if (e != CF_SIG_END) return e;
    }
    if (it->part == BODY) {
        CfSigEvent e = body(it);
        if (e != CF_SIG_END) return e;
        if (!take(it, '(')) return bad(it, "parameters were expected");
    }
    return it->part == PARAMETERS ? parameters(it) : behind_types(it);
}

CfSigEvent cf_sig_next(CfSigIter *it) {
    if (it->why) return CF_SIG_BAD;
    it->text = (CfStr){NULL, 0};
    return it->types ? type(it) : it->state == TOP ? top(it) : in_class_type(it);
}

CfStr cf_sig_type(CfSigIter *it) {
    const char *from = it->p;
    uint32_t depth = it->depth;
    if (!it->types) return (CfStr){NULL, 0};
    do
        if (cf_sig_next(it) <= CF_SIG_END) return (CfStr){NULL, 0};
    while (it->types || it->depth > depth);
    return it->text = (CfStr){from, (uint32_t)(it->p - from)};
}

static bool valid(CfSigKind kind, CfStr s) {
    CfSigIter it = cf_sig_start(kind, s);
    CfSigEvent e;
    while ((e = cf_sig_next(&it)) > CF_SIG_END) {}
    return e == CF_SIG_END;
}

bool cf_class_sig_valid(CfStr s) { return valid(CF_SIG_OF_CLASS, s); }
bool cf_method_sig_valid(CfStr s) { return valid(CF_SIG_OF_METHOD, s); }
bool cf_field_sig_valid(CfStr s) { return valid(CF_SIG_OF_FIELD, s); }
