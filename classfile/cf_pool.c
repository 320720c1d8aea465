/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_pool.c - constant pool: lookup through references, find-or-add.
 *
 * find-or-add keeps a hash index over the pool, built after the first few questions and owned by the
 * class's arena. It is a plain chained index (heads by hash, next by pool index), because a
 * CfTable would live outside the arena and a CfClass has no destructor. Dead space of outgrown
 * arrays stays in the arena until the class goes.
 */
#include "cf_int.h"

const CfConstInfo cf_const_info[CF_CONST_TAG_LIMIT] = {
#define CONSTANT(NAME, tag, name, layout, bytes, slots, since, loadable) [tag] = {name, bytes, slots, since, loadable},
#include "constants.def"
#undef CONSTANT
};

const CfOperands cf_operands[CF_CONST_TAG_LIMIT] = {
    [CF_CONST_CLASS] = {CF_CONST_UTF8, 0},
    [CF_CONST_STRING] = {CF_CONST_UTF8, 0},
    [CF_CONST_FIELDREF] = {CF_CONST_CLASS, CF_CONST_NAMEANDTYPE},
    [CF_CONST_METHODREF] = {CF_CONST_CLASS, CF_CONST_NAMEANDTYPE},
    [CF_CONST_INTERFACEMETHODREF] = {CF_CONST_CLASS, CF_CONST_NAMEANDTYPE},
    [CF_CONST_NAMEANDTYPE] = {CF_CONST_UTF8, CF_CONST_UTF8},
    [CF_CONST_METHODHANDLE] = {CF_CONST_METHODREF, 0},
    [CF_CONST_METHODTYPE] = {CF_CONST_UTF8, 0},
    [CF_CONST_DYNAMIC] = {0, CF_CONST_NAMEANDTYPE},
    [CF_CONST_INVOKEDYNAMIC] = {0, CF_CONST_NAMEANDTYPE},
    [CF_CONST_MODULE] = {CF_CONST_UTF8, 0},
    [CF_CONST_PACKAGE] = {CF_CONST_UTF8, 0},
};

CfStr cf_name_of(const CfClass *c, unsigned i) {
    const CfConst *k = cf_const(c, i);
    CfOperands of = cf_operands[k->tag];
    return of.a == CF_CONST_UTF8 && of.b == 0 ? cf_utf8(c, k->a) : (CfStr){NULL, 0};
}

bool cf_name_and_type(const CfClass *c, unsigned i, CfStr *name, CfStr *desc) {
    const CfConst *k = cf_const(c, i);
    if (cf_operands[k->tag].b == CF_CONST_NAMEANDTYPE) k = cf_const(c, k->b);
    *name = *desc = (CfStr){NULL, 0};
    if (k->tag != CF_CONST_NAMEANDTYPE) return false;
    *name = cf_utf8(c, k->a);
    *desc = cf_utf8(c, k->b);
    return name->p && desc->p;
}

bool cf_member_ref(const CfClass *c, unsigned i, CfStr *owner, CfStr *name, CfStr *desc) {
    const CfConst *k = cf_const(c, i);
    *owner = *name = *desc = (CfStr){NULL, 0};
    if (cf_operands[k->tag].a != CF_CONST_CLASS) return false;
    *owner = cf_class_name(c, k->a);
    return cf_name_and_type(c, k->b, name, desc) && owner->p;
}

static CfMember *find_member(const CfClass *c, CfMember *v, unsigned n, CfStr name, CfStr desc) {
    for (unsigned i = 0; i < n; i++)
        if (cf_str_eq(cf_utf8(c, v[i].name), name) && (desc.len == 0 || cf_str_eq(cf_utf8(c, v[i].desc), desc))) return &v[i];
    return NULL;
}

CfMember *cf_find_method(const CfClass *c, CfStr name, CfStr desc) {
    return find_member(c, c->methods, c->method_count, name, desc);
}
CfMember *cf_find_field(const CfClass *c, CfStr name, CfStr desc) {
    return find_member(c, c->fields, c->field_count, name, desc);
}

/* ------------------------------------------------------------------------ find-or-add */

struct CfPoolIndex {
    uint32_t heads_mask;
    uint32_t next_cap;
    uint16_t *heads;  /* pool index, 0 = none; NULL: not built yet */
    uint16_t *next;   /* by pool index */
    unsigned asked;   /* questions answered without the index */
    uint16_t refs[4]; /* the references asked for last: who inserts calls asks for the same ones */
    unsigned ref_at;
};

/* Of the length, the beginning, the middle and the end of a string: all of it up to 24 bytes. The
 * index hashes a whole pool for often a handful of questions. */
static uint32_t text_hash(const char *p, uint32_t n) {
    uint64_t a = 0, b = 0, c = 0;
    if (n >= 8) {
        memcpy(&a, p, 8);
        memcpy(&b, p + n / 2 - 4, 8);
        memcpy(&c, p + n - 8, 8);
    } else if (n >= 4) {
        memcpy(&a, p, 4);
        memcpy(&c, p + n - 4, 4);
    } else if (n) {
        a = (uint8_t)p[0], b = (uint8_t)p[n / 2], c = (uint8_t)p[n - 1];
    }
    return cf_hash_u64(n + 31 * (a + 31 * (b + 31 * c)));
}

static uint32_t const_hash(const CfConst *k) {
    if (k->tag == CF_CONST_UTF8) return text_hash(k->utf8, k->len);
    return cf_hash_u64((uint64_t)k->j * 31 + k->tag + (k->tag == CF_CONST_METHODHANDLE ? k->kind * 64u : 0));
}

static bool const_eq(const CfConst *a, const CfConst *b) {
    if (a->tag != b->tag) return false;
    if (a->tag == CF_CONST_UTF8) return a->len == b->len && memcmp(a->utf8, b->utf8, a->len) == 0;
    return a->j == b->j && (a->tag != CF_CONST_METHODHANDLE || a->kind == b->kind);
}

/* The first of equal entries must win, so that an added reference finds what the compiler used:
 * build from the end. */
static bool index_build(CfClass *c, struct CfPoolIndex *x) {
    uint32_t heads = 64;
    while (heads < c->const_count * 2) heads *= 2;
    x->heads_mask = heads - 1;
    x->heads = CF_NEW_ARRAY(c->arena, uint16_t, heads);
    x->next_cap = c->const_count + c->const_count / 2 + 64;
    x->next = CF_NEW_ARRAY(c->arena, uint16_t, x->next_cap);
    if (!x->heads || !x->next) return x->heads = NULL, false;
    for (uint32_t i = c->const_count - 1; i >= 1; i--) {
        if (c->consts[i].tag == CF_CONST_NONE) continue;
        uint32_t h = const_hash(&c->consts[i]) & x->heads_mask;
        x->next[i] = x->heads[h];
        x->heads[h] = (uint16_t)i;
    }
    return true;
}

/* The first few questions are cheaper answered by a look at all entries. What refers to an added entry
 * was itself added later, as long as no entry was changed. */
static unsigned find_plainly(const CfClass *c, const CfConst *key) {
    unsigned i = 1;
    bool refers = key->tag == CF_CONST_CLASS || (key->tag >= CF_CONST_FIELDREF && key->tag <= CF_CONST_NAMEANDTYPE);
    if (refers && !c->pool_changed && cf_const(c, key->a)->offset == 0) i = key->a + 1u;
    if (key->tag == CF_CONST_UTF8) {
        for (; i < c->const_count; i++)
            if (c->consts[i].len == key->len && const_eq(&c->consts[i], key)) return i;
        return 0;
    }
    for (; i < c->const_count; i++)
        if (const_eq(&c->consts[i], key)) return i;
    return 0;
}

/* 0 = not there; *ok: memory sufficed. */
static unsigned find_const(CfClass *c, const CfConst *key, bool *ok) {
    enum { PLAIN = 8 };
    struct CfPoolIndex *x = c->pool_index;
    if (!x) x = c->pool_index = CF_NEW(c->arena, struct CfPoolIndex);
    *ok = x != NULL;
    if (x && !x->heads && x->asked++ < PLAIN) return find_plainly(c, key);
    *ok = x && (x->heads || index_build(c, x));
    if (!*ok) return 0;
    for (unsigned i = x->heads[const_hash(key) & x->heads_mask]; i; i = x->next[i])
        if (const_eq(&c->consts[i], key)) return i;
    return 0;
}

bool cf_grow_array(CfArena *a, void *array, uint32_t have, uint32_t *cap, uint32_t need, size_t size) {
    if (need <= *cap) return true;
    uint32_t n = *cap + *cap / 2 + 4;
    if (n < need) n = need;
    void *p = cf_arena_alloc(a, n * size);
    if (!p) return false;
    void **slot = array;
    if (have) memcpy(p, *slot, have * size);
    *slot = p;
    *cap = n;
    return true;
}

static uint16_t refuse(CfClass *c) {
    c->pool_refused = true;
    return 0;
}

static uint16_t find_or_add(CfClass *c, CfConst key) {
    bool ok;
    unsigned found = find_const(c, &key, &ok);
    if (found || !ok) return (uint16_t)found;
    struct CfPoolIndex *x = c->pool_index;
    unsigned slots = cf_const_info[key.tag].slots;
    uint32_t at = c->const_count;
    if (at + slots > 65535) return refuse(c);
    if (!cf_grow_array(c->arena, &c->consts, at, &c->const_cap, at + slots, sizeof *c->consts) ||
        (x->heads && !cf_grow_array(c->arena, &x->next, at, &x->next_cap, at + slots, sizeof *x->next)))
        return 0;
    if (key.tag == CF_CONST_UTF8) {
        key.utf8 = cf_arena_copy(c->arena, key.utf8, key.len);
        if (!key.utf8) return 0;
        key.kind = (uint8_t)cf_attr_kind((CfStr){key.utf8, key.len});
    }
    c->consts[at] = key;
    if (slots == 2) c->consts[at + 1] = (CfConst){0};
    if (x->heads) {
        uint32_t h = const_hash(&key) & x->heads_mask;
        x->next[at] = x->heads[h];
        x->heads[h] = (uint16_t)at;
    }
    c->const_count = at + slots;
    c->pool_edited = true;
    return (uint16_t)at;
}

uint16_t cf_add_like(CfClass *c, const CfConst *like) {
    CfConst key = *like;
    key.offset = 0;
    return find_or_add(c, key);
}

/* An entry of one or two indices; 0 if a part could not be had. */
static uint16_t add_ab(CfClass *c, CfConstTag tag, uint16_t a, uint16_t b) {
    CfConst k = {.tag = (uint8_t)tag};
    k.a = a;
    k.b = b;
    return find_or_add(c, k);
}

static uint16_t add_named(CfClass *c, CfConstTag tag, CfStr s) {
    uint16_t u = cf_add_utf8(c, s);
    return u ? add_ab(c, tag, u, 0) : 0;
}

uint16_t cf_add_utf8(CfClass *c, CfStr s) {
    if (s.len > 65535) return refuse(c);
    CfConst k = {.tag = CF_CONST_UTF8, .len = (uint16_t)s.len};
    k.utf8 = s.p ? s.p : "";
    return find_or_add(c, k);
}
/* The bits of a number lie at the beginning of the union. */
static uint16_t add_number(CfClass *c, CfConstTag tag, const void *bits, size_t n) {
    CfConst k = {.tag = (uint8_t)tag};
    k.j = 0;
    memcpy(&k.j, bits, n);
    return find_or_add(c, k);
}
uint16_t cf_add_int(CfClass *c, int32_t v) { return add_number(c, CF_CONST_INTEGER, &v, sizeof v); }
uint16_t cf_add_float(CfClass *c, float v) { return add_number(c, CF_CONST_FLOAT, &v, sizeof v); }
uint16_t cf_add_long(CfClass *c, int64_t v) { return add_number(c, CF_CONST_LONG, &v, sizeof v); }
uint16_t cf_add_double(CfClass *c, double v) { return add_number(c, CF_CONST_DOUBLE, &v, sizeof v); }
uint16_t cf_add_class(CfClass *c, CfStr name) { return add_named(c, CF_CONST_CLASS, name); }
uint16_t cf_add_string(CfClass *c, CfStr s) { return add_named(c, CF_CONST_STRING, s); }
uint16_t cf_add_method_type(CfClass *c, CfStr desc) { return add_named(c, CF_CONST_METHODTYPE, desc); }
uint16_t cf_add_module(CfClass *c, CfStr name) { return add_named(c, CF_CONST_MODULE, name); }
uint16_t cf_add_package(CfClass *c, CfStr name) { return add_named(c, CF_CONST_PACKAGE, name); }
uint16_t cf_add_name_and_type(CfClass *c, CfStr name, CfStr desc) {
    uint16_t n = cf_add_utf8(c, name), d = cf_add_utf8(c, desc);
    return n && d ? add_ab(c, CF_CONST_NAMEANDTYPE, n, d) : 0;
}
static bool is_ref(const CfClass *c, unsigned i, CfConstTag tag, CfStr owner, CfStr name, CfStr desc) {
    CfStr o, n, d;
    return cf_tag(c, i) == tag && cf_member_ref(c, i, &o, &n, &d) && cf_str_eq(n, name) && cf_str_eq(o, owner) &&
           cf_str_eq(d, desc);
}
static uint16_t add_ref(CfClass *c, CfConstTag tag, CfStr owner, CfStr name, CfStr desc) {
    const unsigned n = sizeof c->pool_index->refs / sizeof *c->pool_index->refs;
    for (unsigned k = 0; c->pool_index && k < n; k++)
        if (is_ref(c, c->pool_index->refs[k], tag, owner, name, desc)) return c->pool_index->refs[k];
    uint16_t o = cf_add_class(c, owner), nt = cf_add_name_and_type(c, name, desc);
    uint16_t ref = o && nt ? add_ab(c, tag, o, nt) : 0;
    if (ref) c->pool_index->refs[c->pool_index->ref_at++ % n] = ref;
    return ref;
}
uint16_t cf_add_field_ref(CfClass *c, CfStr owner, CfStr name, CfStr desc) {
    return add_ref(c, CF_CONST_FIELDREF, owner, name, desc);
}
uint16_t cf_add_method_ref(CfClass *c, CfStr owner, CfStr name, CfStr desc, bool owner_is_interface) {
    return add_ref(c, owner_is_interface ? CF_CONST_INTERFACEMETHODREF : CF_CONST_METHODREF, owner, name, desc);
}
uint16_t cf_add_method_handle(CfClass *c, unsigned kind, uint16_t ref) {
    CfConst k = {.tag = CF_CONST_METHODHANDLE, .kind = (uint8_t)kind};
    k.a = ref;
    return find_or_add(c, k);
}
static uint16_t add_dynamic(CfClass *c, CfConstTag tag, uint16_t bootstrap, CfStr name, CfStr desc) {
    uint16_t nt = cf_add_name_and_type(c, name, desc);
    return nt ? add_ab(c, tag, bootstrap, nt) : 0;
}
uint16_t cf_add_dynamic(CfClass *c, uint16_t bootstrap, CfStr name, CfStr desc) {
    return add_dynamic(c, CF_CONST_DYNAMIC, bootstrap, name, desc);
}
uint16_t cf_add_invoke_dynamic(CfClass *c, uint16_t bootstrap, CfStr name, CfStr desc) {
    return add_dynamic(c, CF_CONST_INVOKEDYNAMIC, bootstrap, name, desc);
}

void cf_pool_changed(CfClass *c) {
    c->pool_index = NULL;
    c->pool_edited = c->pool_changed = true;
    c->name = cf_class_name(c, c->this_class);
}
