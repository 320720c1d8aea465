/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_cf_verify - small methods written as text, with what the verifier must say. Operands: numbers, @pc for branch targets,
 * #key for pool entries. Headlines are those of the reference VM.
 */
#include <stdlib.h>

#include "cf_types.h"
#include "cf_test.h"

static CfArena arena;

/* ------------------------------------------------------------------------ a class to verify methods in */

typedef struct Keys {
    CfClass *c;
    uint16_t object, string, own, list, own_init, super_init, field, hash, size, run, clone, l5, i5, s, int_init, prot_init;
} Keys;

static Keys make(void) {
    Keys k = {0};
    CfClass *c = cf_class_new(&arena, 61, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("a/B"), CF_STR("java/lang/Object"));
    k.c = c;
    cf_add_field(c, 0, CF_STR("f"), CF_STR("J"));
    k.object = cf_add_class(c, CF_STR("java/lang/Object"));
    k.string = cf_add_class(c, CF_STR("java/lang/String"));
    k.list = cf_add_class(c, CF_STR("java/util/List"));
    k.own = c->this_class;
    k.own_init = cf_add_method_ref(c, CF_STR("a/B"), CF_STR("<init>"), CF_STR("()V"), false);
    k.super_init = cf_add_method_ref(c, CF_STR("java/lang/Object"), CF_STR("<init>"), CF_STR("()V"), false);
    k.field = cf_add_field_ref(c, CF_STR("a/B"), CF_STR("f"), CF_STR("J"));
    k.hash = cf_add_method_ref(c, CF_STR("java/lang/String"), CF_STR("hashCode"), CF_STR("()I"), false);
    k.size = cf_add_method_ref(c, CF_STR("java/util/List"), CF_STR("size"), CF_STR("()I"), true);
    k.run = cf_add_method_ref(c, CF_STR("a/B"), CF_STR("run"), CF_STR("(IJLjava/lang/String;)V"), false);
    k.clone = cf_add_method_ref(c, CF_STR("java/lang/Object"), CF_STR("clone"), CF_STR("()Ljava/lang/Object;"), false);
    k.l5 = cf_add_long(c, 5);
    k.i5 = cf_add_int(c, 5);
    k.s = cf_add_string(c, CF_STR("text"));
    k.int_init = cf_add_method_ref(c, CF_STR("a/B"), CF_STR("<init>"), CF_STR("()I"), false);
    k.prot_init = cf_add_method_ref(c, CF_STR("java/lang/Object"), CF_STR("<init>"), CF_STR("(I)V"), false);
    return k;
}

static unsigned key(const Keys *k, const char *name) {
    const struct {
        const char *name;
        unsigned index;
    } all[] = {
        {"object", k->object},         {"string", k->string}, {"own", k->own},   {"list", k->list}, {"own_init", k->own_init},
        {"super_init", k->super_init}, {"field", k->field},   {"hash", k->hash}, {"size", k->size}, {"run", k->run},
        {"clone", k->clone},           {"l5", k->l5},         {"i5", k->i5},     {"s", k->s},       {"int_init", k->int_init},
        {"prot_init", k->prot_init},   {"none", 60000}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0) return all[i].index;
    CHECK(!"known key");
    return 0;
}

static long operand(const Keys *k, const char *t, uint32_t pc) {
    return *t == '#' ? (long)key(k, t + 1) : *t == '@' ? atol(t + 1) - (long)pc : atol(t);
}

/* "iload_0 ifle @6 ..." -> bytes. Switches and wide are given as raw bytes: "0xab". */
static uint32_t assemble(const Keys *k, const char *text, uint8_t *out) {
    char copy[512];
    uint32_t n = 0, pc = 0;
    int left = 0, size = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *t = strtok(copy, " "); t; t = strtok(NULL, " ")) {
        if (strncmp(t, "0x", 2) == 0) {
            out[n++] = (uint8_t)strtol(t, NULL, 16);
        } else if (left) {
            long v = operand(k, t, pc);
            for (int b = size - 1; b >= 0; b--) out[n++] = (uint8_t)(v >> 8 * b);
            left--;
            if (out[pc] == CF_OP_INVOKEINTERFACE || out[pc] == CF_OP_MULTIANEWARRAY || out[pc] == CF_OP_IINC) size = 1;
        } else {
            unsigned op = 0;
            while (op < CF_OP_COUNT && strcmp(cf_op_info[op].name, t) != 0) op++;
            CHECK(op < CF_OP_COUNT);
            pc = n;
            out[n++] = (uint8_t)op;
            unsigned f = cf_op_info[op].format;
            left = f == CF_FMT_INTERFACE ? 3 : f == CF_FMT_MULTI || f == CF_FMT_IINC ? 2 : cf_op_info[op].length > 1;
            size = f == CF_FMT_INTERFACE || f == CF_FMT_MULTI ? 2 : f == CF_FMT_IINC ? 1 : cf_op_info[op].length - 1;
        }
    }
    return n;
}

/* ------------------------------------------------------------------------ the oracle */

static CfAnswer is_interface(void *ctx, CfStr n) {
    return cf_str_is(n, "java/util/List") ? CF_YES : cf_str_is(n, "no/Where") ? CF_FAILED : CF_NO;
}
static CfAnswer is_assignable(void *ctx, CfStr from, CfStr to) {
    return is_interface(ctx, to) != CF_NO ? is_interface(ctx, to) : cf_str_eq(from, to);
}
static CfAnswer super_name(void *ctx, CfStr n, CfStr *super) {
    *super = cf_str_is(n, "java/lang/Object") ? (CfStr){NULL, 0} : CF_STR("java/lang/Object");
    return CF_YES;
}
static CfAnswer is_super(void *ctx, CfStr owner) { return cf_str_is(owner, "java/lang/Object") || cf_str_is(owner, "a/B"); }
static CfAnswer is_protected(void *ctx, CfStr owner, CfStr name, CfStr desc, bool method) {
    return cf_str_is(name, "clone") || cf_str_is(desc, "(I)V");
}
static const CfHierarchy oracle = {NULL, is_assignable, is_interface, super_name, is_super, is_protected};

/* ------------------------------------------------------------------------ cases */

typedef struct Case {
    const char *code, *map; /* map: raw StackMapTable entries in hex, first byte = number of entries */
    const char *want;       /* headline; "" = verifies */
    const char *desc;
    unsigned access, stack, locals;
    const char *name;
} Case;

static const Case cases[] = {
    {"return", "", "", "()V", 8, 0, 0, 0},
    {"iload_0 iconst_1 iadd ireturn", "", "", "(I)I", 8, 2, 1, 0},
    {"iload_0 ireturn", "", "", "(Z)S", 8, 1, 1, 0},
    {"lload_0 ldc2_w #l5 ladd lreturn", "", "", "(J)J", 8, 4, 2, 0},
    {"aload_0 ldc2_w #l5 putfield #field return", "", "", "()V", 0, 3, 1, 0},
    {"ldc #s invokevirtual #hash ireturn", "", "", "()I", 8, 1, 0, 0},
    {"aload_0 invokeinterface #size 1 0 ireturn", "", "", "(Ljava/lang/Object;)I", 8, 1, 1, 0},
    {"iconst_3 newarray 10 iconst_0 iaload ireturn", "", "", "()I", 8, 2, 0, 0},
    {"iconst_3 anewarray #string iconst_0 aaload areturn", "", "", "()Ljava/lang/String;", 8, 2, 0, 0},
    {"new #own dup invokespecial #own_init areturn", "", "", "()La/B;", 8, 2, 0, 0},
    {"aload_0 invokespecial #super_init return", "", "", "()V", 1, 1, 1, "<init>"},
    {"aload_0 ldc2_w #l5 putfield #field aload_0 invokespecial #super_init return", "", "", "()V", 1, 3, 1, "<init>"},
    {"iload_0 ifle @6 iconst_1 ireturn iconst_0 ireturn", "01 06", "", "(I)I", 8, 1, 1, 0},
    {"lload_0 dup2 ladd lreturn", "", "", "(J)J", 8, 4, 2, 0},
    {"aload_0 invokevirtual #clone areturn", "", "", "([I)Ljava/lang/Object;", 8, 1, 1, 0},

    {"iadd ireturn", "", "Operand stack underflow", "()I", 8, 2, 0, 0},
    {"iconst_0 iconst_0 ireturn", "", "Operand stack overflow", "()I", 8, 1, 0, 0},
    {"aload_0 ireturn", "", "Bad type on operand stack", "(Ljava/lang/Object;)I", 8, 1, 1, 0},
    {"iload_0 ireturn", "", "Bad local variable type", "(F)I", 8, 1, 1, 0},
    {"iload_1 ireturn", "", "Local variable table overflow", "(I)I", 8, 1, 1, 0},
    {"lload_0 lreturn", "", "get long/double overflows locals", "(I)J", 8, 2, 1, 0},
    {"iload_0 ireturn", "", "Bad return type", "(I)J", 8, 1, 1, 0},
    {"aload_0 areturn", "", "Bad return type", "(Ljava/lang/Object;)Ljava/lang/String;", 8, 1, 1, 0},
    {"return", "", "Method expects a return value", "()I", 8, 0, 0, 0},
    {"iconst_0 ireturn", "", "Method does not expect a return value", "()V", 8, 1, 0, 0},
    {"iconst_0", "", "Control flow falls through code end", "()I", 8, 1, 0, 0},
    {"return return", "", "Expecting a stack map frame", "()V", 8, 0, 0, 0},
    {"iload_0 ifle @6 iconst_1 ireturn iconst_0 ireturn", "", "Expecting a stackmap frame at branch target 6", "(I)I", 8, 1, 1,
     0},
    {"iconst_0 goto @5 nop iconst_0 ireturn", "01 05", "Inconsistent stackmap frames at branch target 5", "()I", 8, 2, 0, 0},
    {"iload_0 ifle @6 iconst_1 ireturn iconst_0 ireturn", "01 02", "StackMapTable error: bad offset", "(I)I", 8, 1, 1, 0},
    {"new #own areturn", "", "Bad return type", "()La/B;", 8, 1, 0, 0},
    {"new #own dup invokespecial #super_init areturn", "", "Call to wrong <init> method", "()La/B;", 8, 2, 0, 0},
    {"return", "", "Constructor must call super() or this() before return", "()V", 1, 0, 1, "<init>"},
    {"aload_0 invokespecial #own_init return", "", "Bad operand type when invoking <init>", "()V", 1, 1, 1, 0},
    {"iconst_0 invokevirtual #hash ireturn", "", "Bad type on operand stack", "()I", 8, 1, 0, 0},
    {"aload_0 invokevirtual #hash ireturn", "", "Bad type on operand stack", "([I)I", 8, 1, 1, 0},
    {"aload_0 invokeinterface #size 2 0 ireturn", "", "Inconsistent args count operand in invokeinterface",
     "(Ljava/lang/Object;)I", 8, 1, 1, 0},
    {"aload_0 invokeinterface #size 1 1 ireturn", "", "Fourth operand byte of invokeinterface must be zero",
     "(Ljava/lang/Object;)I", 8, 1, 1, 0},
    {"aload_0 invokeinterface #hash 1 0 ireturn", "", "Illegal type at constant pool entry N in class a.B",
     "(Ljava/lang/Object;)I", 8, 1, 1, 0},
    {"ldc_w #none ireturn", "", "Illegal constant pool index 60000 in class a.B", "()I", 8, 1, 0, 0},
    {"ldc2_w #i5 ireturn", "", "Illegal type at constant pool entry N in class a.B", "()I", 8, 2, 0, 0},
    {"aload_0 invokevirtual #own_init return", "", "Illegal call to internal method", "()V", 0, 1, 1, 0},
    {"ldc #s invokevirtual #clone areturn", "", "Bad access to protected data in invokevirtual", "()Ljava/lang/Object;", 8, 1, 0,
     0},
    {"aload_0 iconst_0 iaload ireturn", "", "Bad type on operand stack in iaload", "([J)I", 8, 2, 1, 0},
    {"aload_0 arraylength ireturn", "", "Bad type on operand stack in arraylength", "(Ljava/lang/Object;)I", 8, 1, 1, 0},
    {"iconst_1 newarray 3 areturn", "", "Illegal newarray instruction", "()[I", 8, 1, 0, 0},
    {"iconst_1 multianewarray #string 1 areturn", "", "Illegal constant pool index in multianewarray instruction", "()[I", 8, 1,
     0, 0},
    {"lload_0 swap return", "", "Bad type on operand stack", "(J)V", 8, 2, 2, 0},
    {"lload_0 pop return", "", "Bad type on operand stack", "(J)V", 8, 2, 2, 0},
    {"iload_0 lload_1 dup_x1 return", "", "Bad type on operand stack", "(IJ)V", 8, 9, 3, 0},
    {"iconst_0 istore_1 lload_0 lreturn", "", "Bad local variable type", "(I)J", 8, 2, 2, 0},
    {"lconst_0 lstore_0 iconst_0 istore_1 lload_0 lreturn", "", "Bad local variable type", "()J", 8, 2, 3, 0},
    {"aload_0 invokespecial #size ireturn", "",
     "Bad invokespecial instruction: interface method reference is in an indirect superinterface.", "()I", 0, 1, 1, 0},
    {"iconst_0 nop ireturn", "01 01", "Instruction type does not match stack map", "()I", 8, 1, 0, 0},
    {"new #own dup invokespecial #int_init areturn", "", "Return type must be void in <init> method", "()La/B;", 8, 3, 0, 0},
    {"new #object dup iconst_0 invokespecial #prot_init areturn", "", "Bad access to protected <init> method",
     "()Ljava/lang/Object;", 8, 3, 0, 0},
    {"0xfe", "", "Bad instruction", "()V", 8, 0, 0, 0},
    {"0xca return", "", "Bad instruction: ca", "()V", 8, 0, 0, 0},
    {"0xcb 0x00 0x00 return", "", "Bad instruction: cb", "()V", 8, 0, 0, 0}, /* an opcode of the reference's own */
    {"pop 0xcb 0x00 0x00", "", "Operand stack underflow", "()V", 8, 0, 0, 0},
    {"0xcb 0x00", "", "Bad instruction", "()V", 8, 0, 0, 0}, /* does not fit */
    {"goto @1", "", "Expecting a stackmap frame at branch target 1", "()V", 8, 0, 0, 0},
    {"jsr @3 return", "", "Bad instruction: a8", "()V", 8, 1, 0, 0},
};

static void add_map(CfClass *c, CfCode *code, const char *hex) {
    uint8_t b[64] = {0};
    unsigned n = 1;
    char *end;
    for (const char *p = hex; *p; p = end) {
        b[n++] = (uint8_t)strtol(p, &end, 16);
        while (*end == ' ') end++;
    }
    if (n > 1) cf_attr_append(c, &code->attrs, "StackMapTable", b, n);
}

static void run_case(const Case *t) {
    uint8_t bytes[600];
    Keys k = make();
    CfCode code = {.max_stack = (uint16_t)t->stack, .max_locals = (uint16_t)t->locals, .code = bytes};
    code.code_len = assemble(&k, t->code, bytes);
    add_map(k.c, &code, t->map);
    CfMember *m = cf_add_method(k.c, t->access, cf_str(t->name ? t->name : "m"), cf_str(t->desc));
    CHECK(cf_code_set(k.c, m, &code, NULL) == CF_OK);
    CfError err;
    cf_err_clear(&err);
    CfVerifyOptions brief = {.no_details = true};
    CfErrCode rc = cf_verify(k.c, &oracle, &brief, &err);
    char *digits = strstr(err.text, "entry "); /* pool numbers are nobody's business */
    if (digits && strstr(t->want, "entry N")) {
        char rest[256];
        snprintf(rest, sizeof rest, "%s", strchr(digits + 6, ' '));
        sprintf(digits + 6, "N%s", rest);
    }
    if (strcmp(err.text, t->want) != 0) printf("in: %s\n", t->code);
    CHECK_TEXT(err.text, t->want);
    CHECK((rc == CF_OK) == (t->want[0] == 0));
}

static void test_details(void) {
    Keys k = make();
    uint8_t bytes[16];
    CfCode code = {.max_stack = 1, .max_locals = 2, .code = bytes};
    code.code_len = assemble(&k, "aload_1 ireturn", bytes);
    CfMember *m = cf_add_method(k.c, 0, CF_STR("m"), CF_STR("(Ljava/lang/String;)I"));
    CHECK(cf_code_set(k.c, m, &code, NULL) == CF_OK);
    CfError err;
    cf_err_clear(&err);
    CHECK(cf_verify(k.c, &oracle, NULL, &err) == CF_ERR_VERIFY && err.offset == 1);
    CHECK_TEXT(err.text, "Bad type on operand stack\nException Details:\n  Location:\n    a/B.m(Ljava/lang/String;)I @1: "
                         "ireturn\n  Reason:\n    Type 'java/lang/String' (current frame, stack[0]) is not assignable to "
                         "integer\n  Current Frame:\n    bci: @1\n    flags: { }\n    locals: { 'a/B', "
                         "'java/lang/String' }\n    stack: { 'java/lang/String' }\n  Bytecode:\n    0000000: 2bac      "
                         "                             \n");
    CHECK_TEXT(err.where, "method m(Ljava/lang/String;)I");
    /* what the caller knows of a method is not looked at; its code is taken as given */
    CfCode good = {.max_stack = 1, .max_locals = 2, .code = (const uint8_t *)"\x03\xac", .code_len = 2};
    CfKnownMethod known = {.passed = true};
    CfVerifyOptions knowing = {.known = &known};
    CHECK(k.c->method_count == 1 && cf_verify(k.c, &oracle, &knowing, NULL) == CF_OK);
    known = (CfKnownMethod){.code = &good};
    CHECK(cf_verify(k.c, &oracle, &knowing, NULL) == CF_OK);
    known = (CfKnownMethod){.code = &code};
    CHECK(cf_verify(k.c, &oracle, &knowing, NULL) == CF_ERR_VERIFY);
    k.c->major = 49;
    CHECK(cf_verify(k.c, &oracle, NULL, NULL) == CF_ERR_USAGE);
}

static void test_load_failure(void) {
    Keys k = make();
    uint8_t bytes[16];
    CfCode code = {.max_stack = 1, .max_locals = 1, .code = bytes};
    code.code_len = assemble(&k, "aload_0 areturn", bytes);
    CfMember *m = cf_add_method(k.c, 8, CF_STR("m"), CF_STR("(Ljava/lang/String;)Lno/Where;"));
    CHECK(cf_code_set(k.c, m, &code, NULL) == CF_OK && cf_verify(k.c, &oracle, NULL, NULL) == CF_ERR_LOAD);
}

static void test_types(void) {
    Keys k = make();
    CfTypes t;
    CHECK(cf_types_init(&t, k.c, &arena, &oracle));
    CfType ints = cf_type_desc(&t, CF_STR("[I")), strings = cf_type_desc(&t, CF_STR("[Ljava/lang/String;"));
    CfType own = cf_type_object(&t, CF_STR("a/B")), objects = cf_type_array_of(&t, t.object, (CfStr){0});
    CfType string = cf_type_fixed(&t, CF_FIXED_STRING), cloneable = cf_type_object(&t, CF_STR("java/lang/Cloneable"));
    CHECK(own == t.this_type && cf_type_const(&t, k.string) == string && cf_type_const(&t, k.s) == CF_T_TOP);
    CHECK(cf_type_component(&t, strings) == string && cf_type_component(&t, ints) == CF_T_INT);
    CHECK(cf_type_assignable(&t, strings, objects) && !cf_type_assignable(&t, ints, objects));
    CHECK(cf_type_assignable(&t, ints, cloneable) && cf_type_assignable(&t, CF_T_NULL, strings));
    CHECK(cf_type_merge(&t, strings, objects) == objects && cf_type_merge(&t, ints, strings) == t.object);
    CHECK(cf_type_merge(&t, own, string) == t.object && cf_type_merge(&t, own, CF_T_NULL) == own);
    CHECK(cf_type_merge(&t, CF_T_INT, CF_T_FLOAT) == CF_T_TOP);
    CHECK(cf_type_array_of(&t, CF_T_INT, CF_STR("I")) == ints);
    cf_types_free(&t);
}

int main(void) {
    cf_arena_init(&arena, "test", 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) run_case(&cases[i]);
    test_details();
    test_load_failure();
    test_types();
    cf_arena_free(&arena);
    return cf_test_end();
}
