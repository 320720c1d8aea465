/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_classfile - any bytes as a class file (and as a signature and annotations): walk, parse, check, every decoder, write,
 * verify, dump. Nothing may crash, hang or leak; what parses is written identically, and a walk tells what the model has.
 * The verifier runs even on classes that fail the FORMAT checks, which is more than its contract promises. Frames are also
 * computed without checks and encoded again (cf_types.h).
 */
#include <stdlib.h>

#include "cf_types.h"

/* An oracle without classes: answers depend on the names only. */
static CfAnswer answer(CfStr a, CfStr b) {
    unsigned h = (cf_hash_bytes(a.p, a.len) ^ cf_hash_bytes(b.p, b.len)) % 16;
    return h == 0 ? CF_FAILED : h < 4 ? CF_NO : CF_YES;
}
static CfAnswer is_assignable(void *ctx, CfStr from, CfStr to) { return answer(from, to); }
static CfAnswer is_interface(void *ctx, CfStr name) { return answer(name, CF_STR("interface")); }
static CfAnswer super_name(void *ctx, CfStr name, CfStr *super) {
    *super = name.len % 3 ? CF_STR("java/lang/Object") : CF_STR("a/Circle"); /* runs in a circle on purpose */
    return CF_YES;
}
static CfAnswer is_superclass_of_this(void *ctx, CfStr owner) { return answer(owner, CF_STR("super")); }
static CfAnswer is_protected_elsewhere(void *ctx, CfStr owner, CfStr name, CfStr desc, bool method) { return answer(name, desc); }
static const CfHierarchy oracle = {NULL, is_assignable, is_interface, super_name, is_superclass_of_this, is_protected_elsewhere};

static volatile unsigned sink;

static void walk_module(const CfAttr *a) {
    CfModule m;
    CfModuleRow row;
    if (cf_module(a, &m, NULL) != CF_OK) return;
    const uint8_t *p = m.exports;
    for (unsigned i = 0; i < m.exports_count; i++) cf_module_next(&p, true, &row);
    p = m.opens;
    for (unsigned i = 0; i < m.opens_count; i++) cf_module_next(&p, true, &row);
    p = m.provides;
    for (unsigned i = 0; i < m.provides_count; i++) {
        cf_module_next(&p, false, &row);
        for (unsigned k = 0; k < row.with.count; k++) sink += cf_index_at(&row.with, k);
    }
}

static void walk_elements(CfElements t) {
    CfElement e;
    while (cf_element_next(&t, &e)) {
        sink += e.name + e.a + e.b;
        walk_elements(e.values);
    }
    if (t.p != t.end && t.p) abort(); /* the decoder saw that they fit */
}

/* As each sort, whatever it is called. */
static void walk_annotations(const CfAttr *a) {
    CfAnnotations t, one;
    CfAnnotation x;
    CfTypeAnnotation ta;
    CfElement e;
    uint16_t start, length, slot;
    uint8_t kind, argument;
    if (cf_annotations(a, &t, NULL) == CF_OK)
        while (cf_annotation_next(&t, &x)) walk_elements(x.elements);
    if (cf_parameter_annotations(a, &t, NULL) == CF_OK)
        while (cf_parameter_annotations_next(&t, &one))
            while (cf_annotation_next(&one, &x)) walk_elements(x.elements);
    if (cf_type_annotations(a, &t, NULL) == CF_OK)
        while (cf_type_annotation_next(&t, &ta)) {
            walk_elements(ta.annotation.elements);
            for (uint32_t i = 0; i < ta.ranges.count; i++) cf_local_range(&ta.ranges, i, &start, &length, &slot);
            for (uint32_t i = 0; i < ta.path.count; i++) cf_type_path(&ta.path, i, &kind, &argument);
        }
    if (cf_annotation_default(a, &e, NULL) == CF_OK) walk_elements(e.values);
}

static void walk_signature(CfStr s) {
    for (CfSigKind kind = CF_SIG_OF_CLASS; kind <= CF_SIG_OF_FIELD; kind++) {
        CfSigIter it = cf_sig_start(kind, s);
        while (cf_sig_next(&it) > CF_SIG_END) {
            CfSigIter ahead = it;
            CfStr type = it.depth < 20 ? cf_sig_type(&ahead) : it.text; /* each level reads on to the end */
            if (type.len && (type.p < s.p || type.p + type.len > s.p + s.len)) abort();
        }
    }
}

/* ---- the walk: what it tells must be what the model has ---- */

typedef struct Told {
    unsigned members, attributes, answers;
} Told;
static CfWalkOn on_member(void *ctx, const CfClass *c, const CfMember *m) {
    Told *t = ctx;
    t->members++;
    sink += cf_utf8(c, m->desc).len;
    return t->answers & 1 ? CF_WALK_SKIP : CF_WALK_ON;
}
static CfWalkOn on_attribute(void *ctx, const CfClass *c, const CfMember *m, unsigned where, const CfAttr *a) {
    Told *t = ctx;
    t->attributes += where != CF_IN_CODE;
    sink += a->len ? a->data[a->len - 1] : cf_utf8(c, a->name).len;
    return t->answers & 2 ? CF_WALK_SKIP : CF_WALK_ON;
}
static CfWalkOn on_code(void *ctx, const CfClass *c, const CfMember *m, const CfCode *code) {
    return ((Told *)ctx)->answers & 4 ? CF_WALK_SKIP : CF_WALK_ON;
}
static CfWalkOn on_insn(void *ctx, const CfClass *c, const CfMember *m, const CfInsn *i) {
    sink += i->op;
    return ((Told *)ctx)->answers & 8 && i->pc > 20 ? CF_WALK_STOP : CF_WALK_ON;
}

static void walk(const CfClass *c, const uint8_t *data, size_t size, CfArena *scratch) {
    static const CfParseOptions any = {.any_version = true};
    static const CfVisitor all = {&any, NULL, on_member, on_member, on_attribute, on_code, on_insn},
                           tables = {&any, NULL, on_member, on_member, on_attribute, NULL, NULL},
                           members = {.options = &any, .field = on_member, .method = on_member};
    Told t = {.answers = size % 16};
    cf_walk(data, size, &all, &t, scratch, NULL);
    t = (Told){.answers = 2};
    bool ok = cf_walk(data, size, &tables, &t, scratch, NULL) == CF_OK;
    if (ok != (c != NULL)) abort();
    unsigned attributes = c ? c->attrs.count : 0;
    for (unsigned i = 0; c && i < c->field_count; i++) attributes += c->fields[i].attrs.count;
    for (unsigned i = 0; c && i < c->method_count; i++) attributes += c->methods[i].attrs.count;
    if (c && (t.attributes != attributes || t.members != (unsigned)c->field_count + c->method_count)) abort();
    if ((cf_walk(data, size, &members, &t, NULL, NULL) == CF_OK) != ok) abort();
}

static void walk_attrs(const CfClass *c, const CfAttrs *as, CfArena *scratch) {
    for (unsigned i = 0; i < as->count; i++) {
        const CfAttr *a = &as->v[i];
        CfBootstraps bs;
        CfBootstrap b;
        CfComponents cs;
        CfComponent k;
        CfRows t;
        if (a->kind == CF_ATTR_BOOTSTRAP_METHODS && cf_bootstraps(a, &bs, NULL) == CF_OK)
            while (cf_bootstrap_next(&bs, &b))
                for (unsigned j = 0; j < b.args.count; j++) sink += cf_index_at(&b.args, j);
        if (a->kind == CF_ATTR_RECORD && cf_record(a, &cs, NULL) == CF_OK)
            while (cf_component_next(c, &cs, scratch, &k)) sink += k.attrs.count;
        if (a->kind == CF_ATTR_INNER_CLASSES && cf_inner_classes(a, &t, NULL) == CF_OK)
            for (unsigned j = 0; j < t.count; j++) sink += cf_inner(&t, j).access;
        if (a->kind == CF_ATTR_MODULE) walk_module(a);
        walk_annotations(a);
    }
    CfAnnotation x;
    CfElement e;
    if (cf_find_annotation(c, as, "Ljava/lang/Deprecated;", &x)) sink += cf_find_element(c, &x, "since", &e);
    walk_signature(cf_signature(c, as));
}

/* Frames along the straight line, merged with themselves and encoded. */
static void compute_frames(CfClass *c, const CfMember *m, CfArena *scratch) {
    CfTypes t;
    CfFlow f;
    CfFrame fr, entry;
    CfCode code;
    CfInsn i;
    CfFrameAt at[8];
    unsigned n = 0;
    if (cf_code(c, m, scratch, &code, NULL) != CF_OK || !code.code) return;
    if (cf_types_init(&t, c, scratch, &oracle) && cf_flow_init(&f, &t, m, &code, false) && cf_frame_init(&f, &fr) &&
        cf_frame_entry(&f, &fr) && cf_frame_init(&f, &entry)) {
        cf_frame_copy(&f, &entry, &fr);
        for (uint32_t pc = 0; cf_insn(code.code, code.code_len, pc, &i); pc += i.len) {
            unsigned pops, pushes;
            sink += cf_insn_stack(c, &i, &pops, &pushes);
            if (n < 8 && pc % 5 == 0) {
                CfFrame *copy = cf_arena_alloc(scratch, sizeof *copy);
                if (!copy || !cf_frame_init(&f, copy)) break;
                cf_frame_copy(&f, copy, &fr);
                for (unsigned k = 0; k < copy->nlocals; k++)
                    copy->locals[k] = cf_type_merge(&t, copy->locals[k], entry.locals[k]);
                at[n++] = (CfFrameAt){pc, copy};
            }
            if (!cf_step(&f, &i, &fr)) break;
        }
        CfWriter w;
        cf_w_init(&w);
        sink += cf_map_write(&f, c, &entry, at, n, &w);
        cf_w_free(&w);
    }
    cf_types_free(&t);
}

static void must_be_identical(const CfClass *c, const uint8_t *data, size_t size) {
    CfWriter w;
    cf_w_init(&w);
    if (cf_write(c, &w, NULL) != CF_OK || w.len != size || memcmp(w.data, data, size) != 0) abort();
    cf_w_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static FILE *null;
    CfParseOptions opt = {.any_version = true};
    CfArena arena, scratch;
    CfClass *c;
    CfError err;
    if (!null) null = fopen("/dev/null", "w");
    cf_arena_init(&arena, "fuzz", 0);
    cf_arena_init(&scratch, "fuzz scratch", 0);
    scratch.limit = 64 << 20;
    cf_err_clear(&err);
    walk_signature((CfStr){(const char *)data, (uint32_t)size});
    walk_annotations(&(CfAttr){.len = (uint32_t)size, .data = data});
    cf_parse(&c, data, size, &arena, &opt, &err);
    walk(c, data, size, &scratch);
    if (c) {
        must_be_identical(c, data, size);
        cf_check(c, NULL, &err);
        for (unsigned i = 1; i < c->const_count; i++) sink += cf_name_of(c, i).len;
        walk_attrs(c, &c->attrs, &scratch);
        for (unsigned i = 0; i < c->field_count; i++) walk_attrs(c, &c->fields[i].attrs, &scratch);
        for (unsigned i = 0; i < c->method_count; i++) {
            cf_err_clear(&err);
            cf_verify_method(c, &c->methods[i], &oracle, NULL, &scratch, &err);
            cf_arena_reset(&scratch);
            walk_attrs(c, &c->methods[i].attrs, &scratch);
            compute_frames(c, &c->methods[i], &scratch);
            cf_arena_reset(&scratch);
        }
        cf_err_clear(&err);
        cf_verify(c, &oracle, NULL, &err);
        cf_dump(c, CF_DUMP_ALL, null);
    }
    cf_arena_free(&scratch);
    cf_arena_free(&arena);
    return 0;
}
