/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swap_abi.c - see swap_abi.h.
 *
 * A class that was compiled against another one names it in its constant pool: as the owner of what it uses, in a descriptor, in a generic
 * signature, and, since javac 8, also when all it took was the value of a constant.
 */
#include "swap_abi.h"

#include <stdlib.h>
#include <string.h>

#include "classfile.h"

static const CfParseOptions lenient = {.enable_preview = true, .any_version = true};

static uint64_t mix(uint64_t h, const void *p, size_t n) { return (h ^ cf_hash_bytes(p, n)) * 0x9e3779b97f4a7c15u + n; }
static uint64_t mix_text(uint64_t h, CfStr s) { return mix(h, s.p, s.len); }
static uint64_t mix_number(uint64_t h, uint64_t v) { return mix(h, &v, sizeof v); }

/* The names in a list of pool indices. */
static uint64_t mix_list(uint64_t h, const CfClass *c, const CfAttr *a) {
    CfRows rows;
    if (!a || cf_index_list(a, &rows, NULL) != CF_OK) return h;
    for (uint32_t i = 0; i < rows.count; i++) h = mix_text(h, cf_class_name(c, cf_index_at(&rows, i)));
    return h;
}

static uint64_t mix_constant(uint64_t h, const CfClass *c, const CfAttr *a) {
    const CfConst *k = cf_const(c, cf_attr_index(a));
    switch (k->tag) {
    case CF_CONST_STRING: return mix_text(h, cf_utf8(c, k->a));
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE: return mix_number(h, (uint64_t)k->j);
    case CF_CONST_NONE: return h;
    default: return mix_number(h, (uint32_t)k->i);
    }
}

static uint64_t member(const CfClass *c, const CfMember *m) {
    uint64_t h = mix_number(1, m->access & ~(unsigned)(CF_ACC_SYNCHRONIZED | CF_ACC_NATIVE | CF_ACC_STRICT));
    const CfAttr *value = cf_attr(&m->attrs, CF_ATTR_ANNOTATION_DEFAULT);
    h = mix_text(mix_text(h, cf_utf8(c, m->name)), cf_utf8(c, m->desc));
    h = mix_text(h, cf_signature(c, &m->attrs));
    h = mix_constant(h, c, cf_attr(&m->attrs, CF_ATTR_CONSTANT_VALUE));
    h = mix_number(h, value != NULL);
    return mix_list(h, c, cf_attr(&m->attrs, CF_ATTR_EXCEPTIONS));
}

/* The sum does not depend on the order of members. Lambdas and bridges are nobody's business. */
static uint64_t members(const CfClass *c, const CfMember *v, unsigned n) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < n; i++) {
        bool hidden = v[i].access & (CF_ACC_PRIVATE | CF_ACC_SYNTHETIC);
        if (!hidden && !cf_str_is(cf_utf8(c, v[i].name), "<clinit>")) sum += member(c, &v[i]);
    }
    return sum;
}

static uint64_t member_classes(const CfClass *c) {
    const CfAttr *a = cf_attr(&c->attrs, CF_ATTR_INNER_CLASSES);
    CfRows rows;
    uint64_t sum = 0;
    if (!a || cf_inner_classes(a, &rows, NULL) != CF_OK) return 0;
    for (uint32_t i = 0; i < rows.count; i++) {
        CfInner in = cf_inner(&rows, i);
        bool own = cf_str_eq(cf_class_name(c, in.outer), c->name), this = cf_str_eq(cf_class_name(c, in.inner), c->name);
        if ((own || this) && !(in.access & CF_ACC_PRIVATE)) sum += mix_number(mix_text(2, cf_utf8(c, in.name)), in.access);
    }
    return sum;
}

static uint64_t of_class(const CfClass *c) {
    uint64_t h = mix_text(mix_number(3, c->access), cf_class_name(c, c->super_class));
    for (unsigned i = 0; i < c->interface_count; i++) h = mix_text(h, cf_class_name(c, c->interfaces[i]));
    h = mix_text(h, cf_signature(c, &c->attrs));
    h = mix_list(h, c, cf_attr(&c->attrs, CF_ATTR_PERMITTED_SUBCLASSES));
    h += members(c, c->fields, c->field_count) + 3 * members(c, c->methods, c->method_count) + 5 * member_classes(c);
    return h ? h : 1;
}

uint64_t swap_abi(const SwapBytes *b) {
    CfArena arena;
    CfClass *c;
    cf_arena_init(&arena, "hotswap", 0);
    uint64_t h = b->p && cf_parse(&c, b->p, b->len, &arena, &lenient, NULL) == CF_OK ? of_class(c) : 0;
    cf_arena_free(&arena);
    return h;
}

/* Is it the class's name, or in a descriptor or signature "...La/b/C;" or "...La/b/C<"? */
static bool names_class(CfStr text, const char *name, size_t n) {
    if (text.len == n) return !memcmp(text.p, name, n);
    for (const char *p = text.p, *end = text.p + text.len; (p = memchr(p, 'L', (size_t)(end - p))); p++)
        if ((size_t)(end - p) > n + 1 && !memcmp(p + 1, name, n) && strchr(";<.", p[n + 1]) && p[n + 1]) return true;
    return false;
}

static bool refers(const CfClass *c, char *const *names, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        size_t len = strlen(names[k]);
        for (unsigned i = 1; i < c->const_count; i++) {
            CfStr text = cf_utf8(c, i);
            if (text.len >= len && names_class(text, names[k], len)) return true;
        }
    }
    return false;
}

static char *source(const CfClass *c) {
    CfStr file = cf_utf8(c, cf_attr_index(cf_attr(&c->attrs, CF_ATTR_SOURCE_FILE)));
    uint32_t package = c->name.len;
    char *out = NULL;
    while (package && c->name.p[package - 1] != '/') package--;
    if (!file.len || memchr(file.p, '/', file.len)) return NULL;
    if (asprintf(&out, "%.*s%.*s", (int)package, c->name.p, CF_STR_ARGS(file)) < 0) return NULL;
    return out;
}

bool swap_refers(const SwapBytes *b, char *const *names, uint32_t n, char **from) {
    CfArena arena;
    CfClass *c;
    cf_arena_init(&arena, "hotswap", 0);
    bool yes = b->p && cf_parse(&c, b->p, b->len, &arena, &lenient, NULL) == CF_OK && refers(c, names, n);
    if (yes) *from = source(c);
    cf_arena_free(&arena);
    return yes;
}

char *swap_source_of(const SwapBytes *b, char **name) {
    CfArena arena;
    CfClass *c;
    cf_arena_init(&arena, "hotswap", 0);
    bool ok = b->p && cf_parse(&c, b->p, b->len, &arena, &lenient, NULL) == CF_OK;
    char *out = ok ? source(c) : NULL;
    *name = ok ? strndup(c->name.p, c->name.len) : NULL;
    cf_arena_free(&arena);
    return out;
}
