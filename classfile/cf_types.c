/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_types.c - verification types: interning, assignability (JVMS 4.10.1.2), merging, text.
 *
 * A name number is the position of the name in t->names; equal names get equal numbers, so types
 * compare as words. Array types carry their descriptor as name ("[La/B;"), as Class entries of the
 * pool do.
 */
#include "cf_share.h"
#include "cf_types.h"

/* ------------------------------------------------------------------------ interning */

typedef struct NameKey {
    const CfTypes *t;
    CfStr name;
} NameKey;

static CfType no_memory(CfTypes *t) {
    t->nomem = true;
    return CF_T_TOP;
}

static bool name_eq(const void *item, const void *key) {
    const NameKey *k = key;
    const CfTypeName *n = &k->t->names.data[(uintptr_t)item - 1];
    return cf_str_eq((CfStr){n->p, n->len}, k->name);
}

CfType cf_type_object(CfTypes *t, CfStr name) {
    uint32_t h = cf_hash_bytes(name.p, name.len);
    NameKey key = {t, name};
    void *item = cf_table_find(&t->index, h, name_eq, &key);
    if (!item) {
        if (!cf_vec_push(&t->names, ((CfTypeName){name.p, name.len, 0}))) return no_memory(t);
        item = (void *)(uintptr_t)t->names.len;
        if (!cf_table_add(&t->index, h, item)) return no_memory(t);
    }
    return cf_type_make(CF_T_OBJECT, (uint32_t)(uintptr_t)item - 1);
}

bool cf_types_init(CfTypes *t, const CfClass *c, CfArena *arena, const CfHierarchy *h) {
    *t = (CfTypes){.cls = c, .h = h, .arena = arena, .const_count = c->const_count};
    t->by_const = CF_NEW_ARRAY(arena, CfType, c->const_count);
    t->by_member = CF_NEW_ARRAY(arena, CfMemberType, c->const_count);
    t->nomem = !cf_table_reserve(&t->index, 16 + c->const_count / 16u);
    t->object = cf_type_object(t, CF_STR("java/lang/Object"));
    t->this_type = cf_type_object(t, c->name);
    return t->by_const && t->by_member && !t->nomem;
}

void cf_types_free(CfTypes *t) {
    cf_vec_free(&t->names);
    cf_table_free(&t->index);
}

CfType cf_type_fixed(CfTypes *t, CfFixed which) {
    static const char *const names[] = {"java/lang/Throwable", "java/lang/String", "java/lang/Class",
                                        "java/lang/invoke/MethodType", "java/lang/invoke/MethodHandle"};
    if (t->fixed[which] == CF_T_TOP) t->fixed[which] = cf_type_object(t, cf_str(names[which]));
    return t->fixed[which];
}

CfType cf_type_const_anew(CfTypes *t, unsigned index) {
    CfConst k = cf_types_entry(t, index);
    if (k.tag != CF_CONST_CLASS) return CF_T_TOP;
    CfStr name = cf_types_utf8(t, k.a);
    CfType type = name.len ? cf_type_object(t, name) : CF_T_TOP;
    if (index >= t->const_count || type == CF_T_TOP) return type; /* entries added to the pool later lie beyond the memo */
    CfTypeName *n = &t->names.data[cf_type_data(type)];
    if (!n->index) n->index = (uint16_t)index;
    return t->by_const[index] = type;
}

char cf_kind_letter(char c) {
    static const char kinds[128] = {['Z'] = 'I', ['B'] = 'I', ['C'] = 'I', ['S'] = 'I', ['I'] = 'I', ['J'] = 'J',
                                    ['F'] = 'F', ['D'] = 'D', ['A'] = 'A', ['L'] = 'A', ['['] = 'A'};
    return c > 0 ? kinds[(unsigned char)c] : 0;
}

CfType cf_type_desc(CfTypes *t, CfStr d) {
    if (d.len == 0) return CF_T_TOP;
    switch (cf_kind_letter(d.p[0])) {
    case 'I': return CF_T_INT;
    case 'F': return CF_T_FLOAT;
    case 'J': return CF_T_LONG;
    case 'D': return CF_T_DOUBLE;
    case 'A':
        if (d.p[0] == 'L') d = d.len > 2 ? (CfStr){d.p + 1, d.len - 2} : (CfStr){NULL, 0};
        return d.len ? cf_type_object(t, d) : CF_T_TOP;
    default: return CF_T_TOP;
    }
}

CfStr cf_type_name(const CfTypes *t, CfType type) {
    if (cf_type_kind(type) != CF_T_OBJECT || cf_type_data(type) >= t->names.len) return (CfStr){NULL, 0};
    const CfTypeName *n = &t->names.data[cf_type_data(type)];
    return (CfStr){n->p, n->len};
}

bool cf_type_is_array(const CfTypes *t, CfType type) {
    CfStr n = cf_type_name(t, type);
    return n.len && n.p[0] == '[';
}

CfType cf_type_component(CfTypes *t, CfType array) {
    if (cf_type_kind(array) == CF_T_NULL) return CF_T_NULL;
    CfStr n = cf_type_name(t, array);
    if (n.len < 2 || n.p[0] != '[') return CF_T_TOP;
    return cf_type_desc(t, (CfStr){n.p + 1, n.len - 1});
}

CfType cf_type_array_of(CfTypes *t, CfType component, CfStr component_name) {
    CfStr n = cf_type_kind(component) == CF_T_OBJECT ? cf_type_name(t, component) : component_name;
    bool wrap = cf_type_kind(component) == CF_T_OBJECT && n.len && n.p[0] != '[';
    uint32_t len = n.len + 1 + (wrap ? 2 : 0);
    char small[128], *buf = len > sizeof small ? cf_arena_alloc(t->arena, len) : small;
    if (!buf) return no_memory(t);
    char *p = buf;
    *p++ = '[';
    if (wrap) *p++ = 'L';
    memcpy(p, n.p, n.len);
    if (wrap) p[n.len] = ';';
    NameKey key = {t, {buf, len}};
    void *item = cf_table_find(&t->index, cf_hash_bytes(buf, len), name_eq, &key);
    if (item) return cf_type_make(CF_T_OBJECT, (uint32_t)(uintptr_t)item - 1);
    if (buf == small) buf = cf_arena_copy(t->arena, small, len);
    return buf ? cf_type_object(t, (CfStr){buf, len}) : no_memory(t);
}

/* ------------------------------------------------------------------------ assignability */

static bool ask(CfTypes *t, CfAnswer a) {
    if (a == CF_FAILED) t->load_failed = true;
    return a == CF_YES;
}

/* `from` and `to` are names of classes, no arrays. */
static bool class_assignable(CfTypes *t, CfStr from, CfStr to) {
    if (cf_str_eq(from, to) || cf_str_is(to, "java/lang/Object")) return true;
    return t->h && t->h->is_assignable && ask(t, t->h->is_assignable(t->h->ctx, from, to));
}

/* An array may stand for two interfaces. What else is wanted is loaded all the same, as in the reference. */
static bool array_assignable(CfTypes *t, CfStr to) {
    if (cf_str_is(to, "java/lang/Cloneable") || cf_str_is(to, "java/io/Serializable")) return true;
    if (t->h && t->h->is_interface) ask(t, t->h->is_interface(t->h->ctx, to));
    return false;
}

/* Descriptors of array components: primitive types must be the same. */
static bool desc_assignable(CfTypes *t, CfStr from, CfStr to) {
    while (from.len > 1 && to.len > 1 && from.p[0] == '[' && to.p[0] == '[') {
        from = (CfStr){from.p + 1, from.len - 1};
        to = (CfStr){to.p + 1, to.len - 1};
    }
    if (cf_str_eq(from, to)) return true;
    if (to.len < 3 || to.p[0] != 'L') return false;
    CfStr want = {to.p + 1, to.len - 2};
    if (from.p[0] == '[') return cf_str_is(want, "java/lang/Object") || array_assignable(t, want);
    return from.len > 2 && from.p[0] == 'L' && class_assignable(t, (CfStr){from.p + 1, from.len - 2}, want);
}

static bool object_assignable(CfTypes *t, CfType from, CfType to) {
    if (to == t->object) return true;
    CfStr f = cf_type_name(t, from), w = cf_type_name(t, to);
    if (w.len && w.p[0] == '[') return f.len && f.p[0] == '[' && desc_assignable(t, f, w);
    if (f.len && f.p[0] == '[') return array_assignable(t, w);
    return class_assignable(t, f, w);
}

bool cf_type_assignable(CfTypes *t, CfType from, CfType to) {
    if (from == to) return true;
    CfTypeKind k = cf_type_kind(from);
    switch (cf_type_kind(to)) {
    case CF_T_TOP: return true;
    case CF_T_OBJECT: return k == CF_T_NULL || (k == CF_T_OBJECT && object_assignable(t, from, to));
    case CF_T_WANT_REF: return k >= CF_T_NULL && k <= CF_T_UNINIT;
    case CF_T_WANT_ONE: return k == CF_T_INT || k == CF_T_FLOAT || k >= CF_T_NULL;
    case CF_T_WANT_TWO: return k == CF_T_LONG || k == CF_T_DOUBLE;
    case CF_T_WANT_TWO_2ND: return k == CF_T_LONG2 || k == CF_T_DOUBLE2;
    default: return false;
    }
}

/* ------------------------------------------------------------------------ merging */

enum { MAX_CHAIN = 512 }; /* deeper than any sane hierarchy; guards against an oracle that runs in circles */

static bool is_class(CfTypes *t, CfStr name) { return t->h->is_interface && t->h->is_interface(t->h->ctx, name) == CF_NO; }

static bool super_of(CfTypes *t, CfStr name, CfStr *super) {
    *super = (CfStr){NULL, 0};
    return t->h->super_name && t->h->super_name(t->h->ctx, name, super) == CF_YES && super->len;
}

static CfType common_superclass(CfTypes *t, CfType a, CfType b) {
    CfStr na = cf_type_name(t, a), nb = cf_type_name(t, b);
    if (a == t->object || b == t->object || !t->h || !is_class(t, na) || !is_class(t, nb)) return t->object;
    CfStr chain[MAX_CHAIN];
    unsigned n = 0;
    chain[n++] = na;
    for (CfStr s; n < MAX_CHAIN && super_of(t, chain[n - 1], &s);) chain[n++] = s;
    for (unsigned steps = 0; steps < MAX_CHAIN; steps++) {
        for (unsigned i = 0; i < n; i++)
            if (cf_str_eq(chain[i], nb)) return cf_type_object(t, nb);
        CfStr s;
        if (!super_of(t, nb, &s)) break;
        nb = s;
    }
    return t->object;
}

static CfType merge_objects(CfTypes *t, CfType a, CfType b) {
    bool array_a = cf_type_is_array(t, a), array_b = cf_type_is_array(t, b);
    if (!array_a && !array_b) return common_superclass(t, a, b);
    if (!array_a || !array_b) return t->object;
    CfType ca = cf_type_component(t, a), cb = cf_type_component(t, b);
    if (cf_type_kind(ca) != CF_T_OBJECT || cf_type_kind(cb) != CF_T_OBJECT) return t->object;
    return cf_type_array_of(t, merge_objects(t, ca, cb), (CfStr){NULL, 0});
}

CfType cf_type_merge(CfTypes *t, CfType a, CfType b) {
    if (a == b) return a;
    CfTypeKind ka = cf_type_kind(a), kb = cf_type_kind(b);
    if (ka == CF_T_NULL && kb == CF_T_OBJECT) return b;
    if (kb == CF_T_NULL && ka == CF_T_OBJECT) return a;
    return ka == CF_T_OBJECT && kb == CF_T_OBJECT ? merge_objects(t, a, b) : CF_T_TOP;
}

/* ------------------------------------------------------------------------ text */

size_t cf_type_text(const CfTypes *t, CfType type, char *buf, size_t cap) {
    static const char *const plain[] = {
        [CF_T_TOP] = "top",
        [CF_T_INT] = "integer",
        [CF_T_FLOAT] = "float",
        [CF_T_LONG] = "long",
        [CF_T_LONG2] = "long_2nd",
        [CF_T_DOUBLE] = "double",
        [CF_T_DOUBLE2] = "double_2nd",
        [CF_T_NULL] = "null",
        [CF_T_UNINIT_THIS] = "uninitializedThis",
        [CF_T_OBJECT] = "",
        [CF_T_UNINIT] = "",
        [CF_T_RETADDR] = "returnAddress",
        [CF_T_WANT_REF] = "reference type",
        [CF_T_WANT_ONE] = "category1 type",
        [CF_T_WANT_TWO] = "category2 type",
        [CF_T_WANT_TWO_2ND] = "category2_2nd type",
    };
    int n;
    switch (cf_type_kind(type)) {
    case CF_T_OBJECT: n = snprintf(buf, cap, "'%.*s'", CF_STR_ARGS(cf_type_name(t, type))); break;
    case CF_T_UNINIT: n = snprintf(buf, cap, "uninitialized %u", cf_type_data(type)); break;
    default: n = snprintf(buf, cap, "%s", plain[cf_type_kind(type)]);
    }
    return n < 0 ? 0 : (size_t)n;
}
