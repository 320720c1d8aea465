/* SPDX-License-Identifier: Apache-2.0 */
/* ex_classfile.c - examples of classfile.h and cf_types.h, one for each group of functions; see manual.c. */
#include "manual.h"

/* EXAMPLE classfile.h: strings */
static void say(CfStr s) {
    if (!cf_str_is(s, "<clinit>") && !cf_str_eq(s, CF_STR("<init>"))) printf("%.*s\n", CF_STR_ARGS(s));
}
/* END */

/* EXAMPLE classfile.h: numbers */
/* Which attributes may stand in a method? */
static unsigned attributes_of_methods(void) {
    unsigned n = 0;
    for (int k = 1; k < CF_ATTR_KINDS; k++) n += (cf_attr_info[k].where & CF_IN_METHOD) != 0;
    return n;
}
/* END */

/* EXAMPLE classfile.h: the model */
static void list_members(const CfClass *c) {
    for (unsigned i = 0; i < c->field_count; i++) say(cf_utf8(c, c->fields[i].name));
    for (unsigned i = 0; i < c->method_count; i++)
        if (c->methods[i].access & CF_ACC_STATIC) say(cf_utf8(c, c->methods[i].name));
}
/* END */

/* EXAMPLE classfile.h: parsing */
/* The model lives in the arena and points into the bytes. */
static CfClass *parse(const uint8_t *bytes, size_t len, CfArena *arena) {
    CfParseOptions options = {.check = CF_CHECK_FORMAT, .name = "Demo", .name_is_law = true};
    CfError err;
    CfClass *c;
    cf_err_clear(&err);
    if (cf_parse(&c, bytes, len, arena, &options, &err) != CF_OK) fprintf(stderr, "%s: %s\n", cf_err_class(err.code), err.text);
    return c;
}
/* END */

/* EXAMPLE classfile.h: pool access */
static void list_references(const CfClass *c) {
    CfStr owner, name, desc;
    for (unsigned i = 1; i < c->const_count; i++)
        if (cf_member_ref(c, i, &owner, &name, &desc))
            printf("#%s %.*s.%.*s %.*s\n", cf_const_info[cf_tag(c, i)].name, CF_STR_ARGS(owner), CF_STR_ARGS(name),
                   CF_STR_ARGS(desc));
}
/* END */

/* EXAMPLE classfile.h: attributes */
/* Lines and handlers of a method. */
static void list_lines(const CfClass *c, const CfMember *m, CfArena *scratch) {
    CfCode code;
    CfRows lines;
    uint16_t pc, line;
    if (cf_code(c, m, scratch, &code, NULL) != CF_OK || !code.code) return;
    const CfAttr *a = cf_attr(&code.attrs, CF_ATTR_LINE_NUMBER_TABLE);
    if (a && cf_lines(a, &lines, NULL) == CF_OK)
        for (uint32_t i = 0; i < lines.count; i++) {
            cf_line(&lines, i, &pc, &line);
            printf("line %u at pc %u\n", line, pc);
        }
    for (uint32_t i = 0; i < code.handlers.count; i++) {
        CfHandler h = cf_handler(&code.handlers, i);
        printf("handler at pc %u for %.*s\n", h.handler, CF_STR_ARGS(cf_class_name(c, h.type)));
    }
}
/* END */

/* EXAMPLE classfile.h: annotations */
/* Is a method deprecated, since when, and is it for removal? The rest of its annotations by name. */
static void list_annotations(const CfClass *c, const CfMember *m) {
    CfAnnotations all;
    CfAnnotation a;
    CfElement e;
    if (cf_find_annotation(c, &m->attrs, "Ljava/lang/Deprecated;", &a)) {
        if (cf_find_element(c, &a, "since", &e) && e.tag == 's') printf("deprecated since %.*s\n", CF_STR_ARGS(cf_utf8(c, e.a)));
        if (cf_find_element(c, &a, "forRemoval", &e) && e.tag == 'Z' && cf_const(c, e.a)->i) printf("for removal\n");
    }
    const CfAttr *attr = cf_attr(&m->attrs, CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
    if (!attr || cf_annotations(attr, &all, NULL) != CF_OK) return;
    while (cf_annotation_next(&all, &a)) {
        printf("annotation %.*s", CF_STR_ARGS(cf_utf8(c, a.type)));
        while (cf_element_next(&a.elements, &e)) printf(" %.*s:%c", CF_STR_ARGS(cf_utf8(c, e.name)), e.tag);
        printf("\n");
    }
}
/* END */

/* EXAMPLE classfile.h: instructions */
static unsigned count_calls(const CfCode *code) {
    unsigned n = 0;
    CfInsn i;
    for (uint32_t pc = 0; pc < code->code_len && cf_insn(code->code, code->code_len, pc, &i); pc += i.len)
        n += (cf_op_info[i.op].flags & CF_OF_INVOKE) != 0;
    return n;
}
/* END */

/* EXAMPLE classfile.h: walking */
/* Allocations in a class file, counted without a model; of native methods only the names. */
typedef struct Totals {
    unsigned allocations;
} Totals;
static CfWalkOn native_name(void *ctx, const CfClass *c, const CfMember *m) {
    if (m->access & CF_ACC_NATIVE) say(cf_utf8(c, m->name));
    return m->access & CF_ACC_NATIVE ? CF_WALK_SKIP : CF_WALK_ON;
}
static CfWalkOn count_allocation(void *ctx, const CfClass *c, const CfMember *m, const CfInsn *i) {
    ((Totals *)ctx)->allocations += (cf_op_info[i->op].flags & CF_OF_ALLOC) != 0;
    return CF_WALK_ON;
}
static unsigned count_allocations(const uint8_t *bytes, size_t len) {
    static const CfVisitor visitor = {.method = native_name, .insn = count_allocation};
    Totals t = {0};
    return cf_walk(bytes, len, &visitor, &t, NULL, NULL) == CF_OK ? t.allocations : 0;
}
/* END */

/* EXAMPLE classfile.h: names and descriptors */
static void list_parameters(CfStr desc) {
    CfStr type;
    if (!cf_method_desc_valid(desc)) return;
    CfDescIter it = cf_desc_start(desc);
    while (cf_desc_next(&it, &type)) printf("parameter %.*s\n", CF_STR_ARGS(type));
    printf("%d slots, result %.*s\n", cf_desc_arg_slots(desc, NULL), CF_STR_ARGS(it.ret));
}
/* END */

/* EXAMPLE classfile.h: generic signatures */
/* Parameters of a generic method, and every class that its signature names. */
static bool list_generic(CfStr signature) {
    CfSigIter it = cf_sig_start(CF_SIG_OF_METHOD, signature);
    CfSigEvent e;
    while ((e = cf_sig_next(&it)) > CF_SIG_END)
        if (e == CF_SIG_TYPE_PARAMETER) {
            printf("type parameter %.*s\n", CF_STR_ARGS(it.text));
        } else if (e == CF_SIG_PARAMETER) {
            CfSigIter ahead = it;
            CfStr whole = cf_sig_type(&ahead);
            printf("generic parameter %.*s\n", CF_STR_ARGS(whole));
        } else if (e == CF_SIG_CLASS_TYPE) {
            printf("class %.*s\n", CF_STR_ARGS(it.text));
        }
    return e == CF_SIG_END;
}
/* END */

/* EXAMPLE classfile.h: indices in attributes */
static bool say_descriptor(void *c, const CfSite *s) {
    if (s->role == CF_SITE_DESC) printf("descriptor %.*s\n", CF_STR_ARGS(cf_utf8((const CfClass *)c, s->index)));
    return true;
}
/* Every descriptor that the attributes of a method name: of variables, annotations, ... */
static void list_descriptors(CfClass *c, const CfMember *m) {
    for (unsigned k = 0; k < m->attrs.count; k++) cf_attr_sites(c, &m->attrs.v[k], CF_IN_METHOD, say_descriptor, c, NULL);
}
/* END */

/* EXAMPLE classfile.h: editing */
/* A class made from nothing: public interface t/Made { } with a marker attribute. */
static CfClass *make(CfArena *arena) {
    CfClass *c =
        cf_class_new(arena, 52, CF_ACC_PUBLIC | CF_ACC_INTERFACE | CF_ACC_ABSTRACT, CF_STR("t/Made"), CF_STR("java/lang/Object"));
    if (!c || cf_add_interface(c, CF_STR("java/lang/Runnable")) != CF_OK) return NULL;
    CfMember *m = cf_add_method(c, CF_ACC_PUBLIC | CF_ACC_ABSTRACT, CF_STR("run"), CF_STR("()V"));
    return m && cf_attr_set(c, &m->attrs, "Deprecated", NULL, 0) == CF_OK ? c : NULL;
}
/* END */

/* EXAMPLE classfile.h: writing */
static bool write_to(const CfClass *c, FILE *out) {
    CfWriter w;
    CfError err;
    cf_w_init(&w);
    cf_err_clear(&err);
    bool ok = cf_write(c, &w, &err) == CF_OK && fwrite(w.data, 1, w.len, out) == w.len;
    cf_w_free(&w);
    return ok;
}
/* END */

/* EXAMPLE classfile.h: verification */
/* An oracle without classes: it trusts the code where only a class loader could tell. */
static CfAnswer is_assignable(void *ctx, CfStr from, CfStr to) { return CF_YES; }
static CfAnswer is_interface(void *ctx, CfStr name) { return CF_NO; }
static CfAnswer is_superclass_of_this(void *ctx, CfStr owner) { return CF_NO; }
static const CfHierarchy oracle = {
    .is_assignable = is_assignable, .is_interface = is_interface, .is_superclass_of_this = is_superclass_of_this};

static bool verify(const CfClass *c) {
    CfError err;
    cf_err_clear(&err);
    if (cf_verify(c, &oracle, NULL, &err) == CF_OK) return true;
    fprintf(stderr, "%s: %s\n", err.where, err.text);
    return false;
}
/* END */

/* EXAMPLE classfile.h: dump */
static void dump(const CfClass *c) { cf_dump(c, CF_DUMP_CODE, stdout); }
/* END */

/* EXAMPLE cf_types.h: types of a class */
/* Is the first class type assignable to the second? */
static bool fits(const CfClass *c, CfArena *arena, CfStr from, CfStr to) {
    CfTypes t;
    bool ok = cf_types_init(&t, c, arena, &oracle) && cf_type_assignable(&t, cf_type_object(&t, from), cf_type_object(&t, to));
    cf_types_free(&t);
    return ok;
}
/* END */

/* EXAMPLE cf_types.h: frames */
/* The deepest operand stack on the straight line through a method. */
static unsigned deepest(const CfClass *c, const CfMember *m, const CfCode *code, CfArena *arena) {
    CfTypes t;
    CfFlow f;
    CfFrame fr;
    CfInsn i;
    unsigned most = 0;
    if (cf_types_init(&t, c, arena, &oracle) && cf_flow_init(&f, &t, m, code, false) && cf_frame_init(&f, &fr) &&
        cf_frame_entry(&f, &fr))
        for (uint32_t pc = 0; cf_insn(code->code, code->code_len, pc, &i) && cf_step(&f, &i, &fr); pc += i.len)
            most = fr.depth > most ? fr.depth : most;
    cf_types_free(&t);
    return most;
}
/* END */

void examples_of_classfile(const uint8_t *bytes, size_t len) {
    CfArena arena;
    CfCode code;
    cf_arena_init(&arena, "manual", 0);
    CfClass *c = parse(bytes, len, &arena), *made = make(&arena);
    const CfMember *name = c ? cf_find_method(c, CF_STR("name"), CF_STR("")) : NULL;
    if (!name || !made) {
        cf_arena_free(&arena);
        return;
    }
    printf("%d attributes in methods: %s\n", attributes_of_methods(), attributes_of_methods() > 5 ? "ok" : "too few");
    list_members(c);
    list_references(c);
    list_lines(c, name, &arena);
    list_descriptors(c, name);
    list_parameters(cf_utf8(c, name->desc));
    const CfMember *first = cf_find_method(c, CF_STR("first"), CF_STR(""));
    list_annotations(c, first);
    printf("signature: %d\n", list_generic(cf_signature(c, &first->attrs)));
    printf("%u allocations\n", count_allocations(bytes, len));
    if (cf_code(c, name, &arena, &code, NULL) == CF_OK)
        printf("%u call, %u deep\n", count_calls(&code), deepest(c, name, &code, &arena));
    printf("verify: %d %d, fits: %d\n", verify(c), verify(made), fits(c, &arena, CF_STR("Demo"), CF_STR("[I")));
    FILE *null = fopen("/dev/null", "w");
    printf("write: %d\n", null && write_to(made, null) && fclose(null) == 0);
    dump(made);
    cf_arena_free(&arena);
}
