/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_descriptor.c - names (JVMS 4.2) and descriptors (4.3).
 *
 * Names of class files before major 49 had to be Java identifiers. Of that older rule the ASCII
 * part is applied, as it needs no tables; the reference asks java.lang.Character about the rest.
 */
#include "cf_int.h"

/* Characters that may not stand everywhere in a name. */
enum { NO_NAME = 1, BETWEEN_NAMES = 2, NO_METHOD = 4 };
static const uint8_t marks[256] = {
    ['.'] = NO_NAME, [';'] = NO_NAME, ['['] = NO_NAME, ['/'] = BETWEEN_NAMES, ['<'] = NO_METHOD, ['>'] = NO_METHOD,
};

/* 4.2.2: at least one character, none of . ; [ / (and < > in method names). */
static bool unqualified(const char *p, uint32_t n, bool method) {
    unsigned found = 0;
    for (uint32_t i = 0; i < n; i++) found |= marks[(uint8_t)p[i]];
    return n && !(found & (NO_NAME | BETWEEN_NAMES | (method ? NO_METHOD : 0u)));
}

/* 4.2.1 without the array form: unqualified names joined by single slashes. */
static bool qualified(CfStr s) {
    uint32_t part = 0; /* where the current one begins */
    for (uint32_t i = 0; i < s.len; i++) {
        unsigned mark = marks[(uint8_t)s.p[i]];
        if (mark & NO_NAME) return false;
        if (!(mark & BETWEEN_NAMES)) continue;
        if (i == part) return false;
        part = i + 1;
    }
    return part < s.len;
}

/* End of the field type at `p`, or NULL. Void is accepted where the caller says so. */
static const char *skip_type(const char *p, const char *end, bool allow_void) {
    unsigned dims = 0;
    while (p < end && *p == '[') {
        p++;
        if (++dims > 255) return NULL;
    }
    if (p == end) return NULL;
    char c = *p++;
    if (cf_is_primitive(c)) return p;
    if (c == 'V') return allow_void && dims == 0 ? p : NULL;
    const char *semi = c == 'L' ? memchr(p, ';', (size_t)(end - p)) : NULL;
    return semi && qualified((CfStr){p, (uint32_t)(semi - p)}) ? semi + 1 : NULL;
}

const char *cf_desc_problem(CfStr d) {
    const char *p = d.p, *end = d.p + d.len;
    if (p < end && *p == '(') p++;
    while (p < end && *p != ')') {
        unsigned dims = 0;
        for (; p < end && *p == '['; p++)
            if (++dims > 255) return "Array type descriptor has more than 255 dimensions";
        if (p < end && *p == 'L') {
            const char *semi = memchr(p, ';', (size_t)(end - p));
            if (!semi) return NULL;
            if (!qualified((CfStr){p + 1, (uint32_t)(semi - p - 1)}))
                return "Class name is empty or contains illegal character in descriptor";
            p = semi;
        } else if (p < end && !strchr("BCDFIJSZ", *p)) {
            return NULL;
        }
        p += p < end;
        if (p < end && *p == ')' && d.p[0] == '(') p++;
    }
    return NULL;
}

bool cf_field_desc_valid(CfStr d) { return d.p && skip_type(d.p, d.p + d.len, false) == d.p + d.len; }

bool cf_method_desc_form(CfStr d) {
    if (d.len < 3 || d.p[0] != '(') return false;
    const char *p = d.p + 1, *end = d.p + d.len;
    while (p < end && *p != ')') {
        p = skip_type(p, end, false);
        if (!p) return false;
    }
    return p < end && skip_type(p + 1, end, true) == end;
}

bool cf_method_desc_valid(CfStr d) { return cf_method_desc_form(d) && cf_desc_arg_slots(d, NULL) <= 255; }

/* Java identifiers joined by slashes; anything outside ASCII may be a letter. Only the first one is
 * asked how it begins, as in the reference. */
static bool identifiers(CfStr s) {
    for (uint32_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.p[i], lower = c | 0x20;
        bool letter = (lower >= 'a' && lower <= 'z') || c == '_' || c == '$' || c >= 0x80;
        if (!letter && c != '/' && (i == 0 || c < '0' || c > '9')) return false;
    }
    return true;
}

bool cf_class_name_valid(CfStr s, unsigned major) {
    if (!s.p || s.len == 0) return false;
    if (s.p[0] == '[') return cf_field_desc_valid(s);
    return qualified(s) && (major >= 49 || identifiers(s));
}

bool cf_member_name_valid(CfStr s, bool method, unsigned major) {
    if (method && (cf_str_is(s, "<init>") || cf_str_is(s, "<clinit>"))) return true;
    return s.p && unqualified(s.p, s.len, method) && (major >= 49 || identifiers(s));
}

CfDescIter cf_desc_start(CfStr d) {
    CfDescIter it = {NULL, NULL, {NULL, 0}};
    if (d.len >= 3 && d.p[0] == '(') {
        it.p = d.p + 1;
        it.end = d.p + d.len;
    }
    return it;
}

/* Unchecked length of the type at p: what skip_type finds in valid input, never past the end. */
static const char *type_end(const char *p, const char *end) {
    while (p < end && *p == '[') p++;
    if (p < end && *p == 'L') {
        const char *semi = memchr(p, ';', (size_t)(end - p));
        return semi ? semi + 1 : end;
    }
    return p < end ? p + 1 : end;
}

bool cf_desc_next(CfDescIter *it, CfStr *type) {
    if (it->p >= it->end) return false;
    if (*it->p == ')') {
        it->ret = (CfStr){it->p + 1, (uint32_t)(it->end - it->p - 1)};
        it->p = it->end;
        return false;
    }
    const char *e = type_end(it->p, it->end);
    *type = (CfStr){it->p, (uint32_t)(e - it->p)};
    it->p = e;
    return true;
}

int cf_desc_takes(CfStr d, CfStr *result) {
    CfDescIter it = cf_desc_start(d);
    const char *p = it.p;
    int n = 0;
    for (; p < it.end && *p != ')'; p = type_end(p, it.end)) n += cf_desc_slots((CfStr){p, (uint32_t)(it.end - p)});
    *result = p < it.end ? (CfStr){p + 1, (uint32_t)(it.end - p - 1)} : (CfStr){NULL, 0};
    return result->len ? n : -1;
}

int cf_desc_arg_slots(CfStr d, unsigned *ret_slots) {
    CfStr result;
    int n = cf_desc_takes(d, &result);
    if (ret_slots) *ret_slots = cf_desc_slots(result);
    return n;
}

CfStr cf_desc_result(CfStr d) {
    CfStr result;
    cf_desc_takes(d, &result);
    return result;
}

int cf_desc_arg_count(CfStr d) {
    CfDescIter it = cf_desc_start(d);
    CfStr t;
    int n = 0;
    while (cf_desc_next(&it, &t)) n++;
    return it.ret.len ? n : -1;
}
