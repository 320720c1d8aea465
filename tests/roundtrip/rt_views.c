/* SPDX-License-Identifier: Apache-2.0 */
/* rt_views.c - see rt_views.h. */
#include "rt_views.h"

#include <time.h>

/* ---- the walk: what it tells, in order, goes into a sum; so does what the model has ---- */

typedef struct Sum {
    unsigned members, attributes, instructions;
    uint64_t hash;
} Sum;

static void add(Sum *s, uint64_t a, uint64_t b) {
    s->hash = (s->hash ^ a) * 0x9E3779B97F4A7C15u + b;
    s->hash ^= s->hash >> 29;
}

static void add_member(Sum *s, const CfMember *m) {
    s->members++;
    add(s, (uint64_t)m->access << 48 | (uint64_t)m->name << 32 | (uint64_t)m->desc << 16 | m->index, 1);
}

static void add_attr(Sum *s, unsigned where, const CfAttr *a) {
    s->attributes++;
    add(s, (uint64_t)where << 32 | (uint64_t)a->name << 16 | a->kind, (uintptr_t)a->data + a->len);
}

static void add_code(Sum *s, const CfCode *k) {
    add(s, (uint64_t)k->max_stack << 48 | (uint64_t)k->max_locals << 32 | k->code_len, k->handlers.count);
}

static void add_insn(Sum *s, const CfInsn *i) {
    s->instructions++;
    add(s, (uint64_t)i->pc << 32 | (uint64_t)i->op << 16 | i->index, i->len);
}

static CfWalkOn on_header(void *ctx, const CfClass *c) {
    add(ctx, (uint64_t)c->access << 16 | c->this_class, c->const_count);
    return CF_WALK_ON;
}
static CfWalkOn on_member(void *ctx, const CfClass *c, const CfMember *m) {
    add_member(ctx, m);
    return CF_WALK_ON;
}
static CfWalkOn on_attribute(void *ctx, const CfClass *c, const CfMember *m, unsigned where, const CfAttr *a) {
    add_attr(ctx, where, a);
    return CF_WALK_ON;
}
static CfWalkOn on_code(void *ctx, const CfClass *c, const CfMember *m, const CfCode *k) {
    add_code(ctx, k);
    return CF_WALK_ON;
}
static CfWalkOn on_insn(void *ctx, const CfClass *c, const CfMember *m, const CfInsn *i) {
    add_insn(ctx, i);
    return CF_WALK_ON;
}

static void sum_attrs(const CfClass *c, const CfMember *m, unsigned where, const CfAttrs *as, CfArena *scratch, Sum *s) {
    for (unsigned k = 0; k < as->count; k++) {
        CfCode code;
        CfInsn i;
        add_attr(s, where, &as->v[k]);
        if (as->v[k].kind != CF_ATTR_CODE || cf_code(c, m, scratch, &code, NULL) != CF_OK) continue;
        add_code(s, &code);
        for (uint32_t pc = 0; pc < code.code_len && cf_insn(code.code, code.code_len, pc, &i); pc += i.len) add_insn(s, &i);
        sum_attrs(c, m, CF_IN_CODE, &code.attrs, scratch, s);
    }
}

static Sum sum_model(const CfClass *c, CfArena *scratch) {
    Sum s = {0};
    on_header(&s, c);
    for (unsigned k = 0; k < c->field_count; k++) {
        add_member(&s, &c->fields[k]);
        sum_attrs(c, NULL, CF_IN_FIELD, &c->fields[k].attrs, scratch, &s);
    }
    for (unsigned k = 0; k < c->method_count; k++) {
        add_member(&s, &c->methods[k]);
        sum_attrs(c, &c->methods[k], CF_IN_METHOD, &c->methods[k].attrs, scratch, &s);
    }
    sum_attrs(c, NULL, CF_IN_CLASS, &c->attrs, scratch, &s);
    return s;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void compare_walk(const CorpusEntry *e, CfArena *scratch, ViewCount *n) {
    static const CfVisitor all = {NULL, on_header, on_member, on_member, on_attribute, on_code, on_insn},
                           members = {.field = on_member, .method = on_member};
    Sum walked = {0}, some = {0}, model = sum_model(e->cls, scratch);
    CfError err;
    cf_err_clear(&err);
    CfErrCode rc = cf_walk(e->bytes, e->size, &all, &walked, scratch, &err);
    double t = seconds();
    CfErrCode again = cf_walk(e->bytes, e->size, &members, &some, scratch, &err);
    n->walk += seconds() - t;
    n->members += walked.members;
    n->attributes += walked.attributes;
    n->instructions += walked.instructions;
    if (rc == CF_OK && again == CF_OK && !memcmp(&walked, &model, sizeof model) && some.members == model.members) return;
    n->bad_walk++;
    printf("%s: walk differs from the model: %u %u members, %u %u attributes, %u %u instructions %s\n", e->path, walked.members,
           model.members, walked.attributes, model.attributes, walked.instructions, model.instructions, err.text);
}

/* ---- signatures and annotations ---- */

typedef struct Sites {
    const CorpusEntry *e;
    ViewCount *n;
    CfSigKind kind;
    unsigned elements;
} Sites;

static bool on_site(void *ctx, const CfSite *site) {
    Sites *s = ctx;
    s->elements += site->role == CF_SITE_ELEMENT;
    if (site->role != CF_SITE_SIGNATURE) return true;
    CfStr text = cf_utf8(s->e->cls, site->index);
    s->n->signatures++;
    bool ok = s->kind == CF_SIG_OF_CLASS    ? cf_class_sig_valid(text)
              : s->kind == CF_SIG_OF_METHOD ? cf_method_sig_valid(text)
                                            : cf_field_sig_valid(text);
    if (!ok) {
        s->n->bad_signature++;
        printf("%s: signature %.*s\n", s->e->path, CF_STR_ARGS(text));
    }
    return true;
}

static unsigned elements(CfElements t) {
    CfElement e;
    unsigned sum = 0;
    while (cf_element_next(&t, &e)) sum += t.named + elements(e.values);
    return t.p == t.end ? sum : 1000000;
}

/* Elements with names in an attribute with annotations, -1 if it does not decode or a walk ends elsewhere; -2: other kind. */
static long decode(const CfAttr *a) {
    CfAnnotations t, one;
    CfAnnotation x;
    CfTypeAnnotation ta;
    CfElement e;
    long sum = 0;
    switch (a->kind) {
    case CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS:
        if (cf_annotations(a, &t, NULL) != CF_OK) return -1;
        while (cf_annotation_next(&t, &x)) sum += elements(x.elements);
        break;
    case CF_ATTR_RUNTIME_VISIBLE_PARAMETER_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_PARAMETER_ANNOTATIONS:
        if (cf_parameter_annotations(a, &t, NULL) != CF_OK) return -1;
        while (cf_parameter_annotations_next(&t, &one))
            while (cf_annotation_next(&one, &x)) sum += elements(x.elements);
        break;
    case CF_ATTR_RUNTIME_VISIBLE_TYPE_ANNOTATIONS:
    case CF_ATTR_RUNTIME_INVISIBLE_TYPE_ANNOTATIONS:
        if (cf_type_annotations(a, &t, NULL) != CF_OK) return -1;
        while (cf_type_annotation_next(&t, &ta)) sum += elements(ta.annotation.elements);
        break;
    case CF_ATTR_ANNOTATION_DEFAULT: return cf_annotation_default(a, &e, NULL) == CF_OK ? (long)elements(e.values) : -1;
    default: return -2;
    }
    return t.p == a->data + a->len ? sum : -1;
}

static void check_attrs(const CorpusEntry *e, const CfMember *m, unsigned where, const CfAttrs *as, CfArena *scratch,
                        ViewCount *n) {
    for (unsigned k = 0; k < as->count; k++) {
        const CfAttr *a = &as->v[k];
        CfCode code;
        CfComponents cs;
        CfComponent one;
        Sites s = {e, n, where == CF_IN_CLASS ? CF_SIG_OF_CLASS : where == CF_IN_METHOD ? CF_SIG_OF_METHOD : CF_SIG_OF_FIELD, 0};
        if (a->kind == CF_ATTR_CODE) {
            if (cf_code(e->cls, m, scratch, &code, NULL) == CF_OK) check_attrs(e, m, CF_IN_CODE, &code.attrs, scratch, n);
            continue;
        }
        if (a->kind == CF_ATTR_RECORD && cf_record(a, &cs, NULL) == CF_OK) {
            while (cf_component_next(e->cls, &cs, scratch, &one)) check_attrs(e, NULL, CF_IN_RECORD, &one.attrs, scratch, n);
            continue;
        }
        long found = decode(a);
        CfErrCode rc = cf_attr_sites(e->cls, a, where, on_site, &s, NULL);
        if (found == -2) continue;
        n->annotations++;
        if (rc == CF_OK && found == (long)s.elements) continue;
        n->bad_annotation++;
        printf("%s: %s: %ld elements, %u sites\n", e->path, cf_attr_info[a->kind].name, found, s.elements);
    }
}

void check_views(const CorpusEntry *e, CfArena *scratch, ViewCount *n) {
    const CfClass *c = e->cls;
    compare_walk(e, scratch, n);
    cf_arena_reset(scratch);
    for (unsigned k = 0; k < c->field_count; k++) check_attrs(e, NULL, CF_IN_FIELD, &c->fields[k].attrs, scratch, n);
    for (unsigned k = 0; k < c->method_count; k++) check_attrs(e, &c->methods[k], CF_IN_METHOD, &c->methods[k].attrs, scratch, n);
    check_attrs(e, NULL, CF_IN_CLASS, &c->attrs, scratch, n);
    cf_arena_reset(scratch);
}
