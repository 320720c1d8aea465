/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_bci_shift - methods with nothing but neutral code inserted, which are written without data flow: the result must be,
 * byte for byte, what the data flow gives; and edits that only look neutral.
 */
#include <stdlib.h>

#include "edit/bci_edit.h"

static int failures;
#define CHECK(x) ((x) ? (void)0 : (failures++, printf("%s:%d: %s\n", __func__, __LINE__, #x), (void)0))

typedef struct Bytes {
    uint8_t *p;
    size_t n;
} Bytes;

static BciClass *open_bytes(Bytes b, unsigned flags) {
    CfError err;
    BciOptions opt = {.flags = flags};
    cf_err_clear(&err);
    BciClass *c = bci_open(b.p, b.n, &opt, &err);
    if (!c) printf("open: %s: %s\n", err.where, err.text);
    return c;
}

static uint32_t woven; /* methods of the last class that needed no data flow */

/* Writes and closes; *err tells why there is no result. */
static Bytes finish_err(BciClass *c, CfError *err) {
    Bytes b = {0};
    cf_err_clear(err);
    bci_write(c, NULL, NULL, &b.p, &b.n, err);
    woven = 0;
    for (int k = 0; k < bci_method_count(c); k++) woven += bci_method(c, k)->code && bci_method(c, k)->code->unplaced;
    bci_close(c);
    return b;
}

static Bytes finish(BciClass *c) {
    CfError err;
    Bytes b = finish_err(c, &err);
    if (!b.p) printf("write: %s: %s\n", err.where, err.text);
    CHECK(b.p);
    return b;
}

/* ---- the class: a loop, a handler, switches, lines, variables ---- */

/* static int f(int n, Object o) {
 *     int s = 0;
 *     while (n > 0) { try { s += n; n--; } catch (RuntimeException e) { return -1; } }
 *     switch (s) { case 1: return 5; case 2: s = 7; }
 *     return s; } */
static void make_f(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "f", "(ILjava/lang/Object;)I"));
    uint32_t s = bci_new_local(code, 'I');
    BciPos at = bci_end(code);
    BciLabel *loop = bci_new_label(code), *out = bci_new_label(code), *one = bci_new_label(code), *two = bci_new_label(code),
             *other = bci_new_label(code);
    bci_int(at, 0);
    bci_store(at, 'I', s);
    bci_place(at, loop);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFLE, out);
    BciLabel *start = bci_label_here(at);
    bci_load(at, 'I', s);
    bci_load(at, 'I', 0);
    bci_op(at, CF_OP_IADD);
    bci_store(at, 'I', s);
    BciLabel *end = bci_label_here(at);
    bci_iinc(at, 0, -1);
    bci_jump(at, CF_OP_GOTO, loop);
    BciLabel *handler = bci_label_here(at);
    bci_op(at, CF_OP_POP);
    bci_int(at, -1);
    bci_return(at);
    bci_place(at, out);
    bci_load(at, 'I', s);
    bci_switch(at, (int32_t[]){1, 2}, (BciLabel *[]){one, two}, 2, other);
    bci_place(at, one);
    bci_int(at, 5);
    bci_return(at);
    bci_place(at, two);
    bci_int(at, 7);
    bci_store(at, 'I', s);
    bci_place(at, other);
    bci_load(at, 'I', s);
    bci_return(at);
    bci_add_try(code, start, end, handler, "java/lang/RuntimeException", false);
    bci_add_line(code, loop, 10);
    bci_add_line(code, start, 11);
    bci_add_line(code, out, 12);
    bci_add_line(code, one, 13);
    bci_add_var(code, loop, out, "s", "I", s);
    bci_add_var(code, start, end, "n", "I", 0);
}

/* A() { this.v = new StringBuilder().append(n); }, with uninitialised objects on the stack. */
static void make_init(BciClass *c) {
    BciCode *code = bci_code(bci_add_method(c, CF_ACC_PUBLIC, "<init>", "(J)V"));
    BciPos at = bci_end(code);
    BciLabel *then = bci_new_label(code), *both = bci_new_label(code);
    bci_load(at, 'A', 0);
    bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/Object", "<init>", "()V");
    bci_new_object(at, "java/lang/StringBuilder");
    bci_load(at, 'J', 1);
    bci_op(at, CF_OP_L2I);
    bci_jump(at, CF_OP_IFNE, then); /* frames with an uninitialised object */
    bci_int(at, 16);
    bci_jump(at, CF_OP_GOTO, both);
    bci_place(at, then);
    bci_int(at, 32);
    bci_place(at, both);
    bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/StringBuilder", "<init>", "(I)V");
    bci_op(at, CF_OP_POP);
    bci_return(at);
}

/* With an attribute of Code that nobody knows. */
static Bytes sample(unsigned major, bool unknown) {
    CfArena a;
    CfWriter w;
    cf_arena_init(&a, "test", 0);
    CfClass *k = cf_class_new(&a, major, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/A"), CF_STR("java/lang/Object"));
    cf_w_init(&w);
    CHECK(cf_write(k, &w, NULL) == CF_OK);
    Bytes b = {w.data, w.len};
    BciClass *c = open_bytes(b, BCI_VERIFY_RESULT);
    make_f(c);
    make_init(c);
    Bytes made = finish(c);
    free(b.p);
    if (unknown) {
        CfClass *model;
        CfCode code;
        CfWriter out;
        cf_w_init(&out);
        CHECK(cf_parse(&model, made.p, made.n, &a, NULL, NULL) == CF_OK);
        CfMember *f = cf_find_method(model, CF_STR("f"), CF_STR(""));
        CHECK(cf_code(model, f, &a, &code, NULL) == CF_OK);
        CHECK(cf_attr_append(model, &code.attrs, "Nobody.Knows", "\0\1\2\3", 4) == CF_OK);
        CHECK(cf_code_set(model, f, &code, NULL) == CF_OK && cf_write(model, &out, NULL) == CF_OK);
        free(made.p);
        made = (Bytes){out.data, out.len};
    }
    cf_arena_free(&a);
    return made;
}

/* ---- the same edit in both ways ---- */

typedef void (*Edit)(BciCode *code);

static Bytes edited(Bytes in, const char *method, Edit edit, bool by_flow, unsigned flags) {
    BciClass *c = open_bytes(in, flags | BCI_VERIFY_RESULT);
    BciCode *code = bci_code(bci_find_method(c, method, NULL));
    CHECK(code);
    if (by_flow) CHECK(bci_line_count(code) < 100); /* all tables are read before the first edit */
    edit(code);
    if (by_flow) /* a deletion, if only of what was inserted */
        bci_delete(code, bci_op(bci_before(code, bci_first_insn(code)), CF_OP_NOP));
    return finish(c);
}

static const CfCode *code_of(CfArena *a, Bytes b, const char *method) {
    CfClass *k;
    CfCode *code = CF_NEW(a, CfCode);
    CHECK(b.p && cf_parse(&k, b.p, b.n, a, NULL, NULL) == CF_OK);
    CHECK(cf_code(k, cf_find_method(k, cf_str(method), CF_STR("")), a, code, NULL) == CF_OK);
    return code;
}

/* Without frames the depth of the stack is not always known: max_stack may be larger, and is made equal. */
static void forget_max_stack(Bytes a, Bytes b, const char *method) {
    CfArena arena;
    cf_arena_init(&arena, "test", 0);
    const CfCode *x = code_of(&arena, a, method), *y = code_of(&arena, b, method);
    CHECK(x->max_stack >= y->max_stack);
    memcpy((uint8_t *)x->code - 8, y->code - 8, 2);
    cf_arena_free(&arena);
}

enum { NOT_WOVEN, WOVEN };

static void same_both_ways(const char *what, const char *method, Edit edit, bool expect) {
    for (unsigned major = 52; major >= 49; major -= 3) {
        Bytes in = sample(major, true), a = edited(in, method, edit, false, 0);
        bool unknown_depth = major < 50 && expect == WOVEN;
        if (woven != expect && !unknown_depth) printf("%s of version %u: %s\n", what, major, expect ? "not woven" : "woven");
        CHECK(woven == expect || unknown_depth);
        Bytes b = edited(in, method, edit, true, 0);
        CHECK(!woven);
        if (major < 50) forget_max_stack(a, b, method);
        bool same = a.n == b.n && a.p && b.p && memcmp(a.p, b.p, a.n) == 0;
        if (!same) printf("%s of version %u: %zu and %zu bytes\n", what, major, a.n, b.n);
        CHECK(same && (a.n != in.n || memcmp(a.p, in.p, a.n) != 0));
        free(in.p);
        free(a.p);
        free(b.p);
    }
}

static BciInsn *nth(BciCode *code, unsigned op, int n) {
    BciInsn *i = bci_find_op(bci_first_insn(code), op);
    while (n-- && i) i = bci_find_op(bci_next(i), op);
    CHECK(i);
    return i;
}

static void call(BciPos at) {
    bci_int(at, 3);
    bci_string(at, "text");
    bci_invoke(at, CF_OP_INVOKESTATIC, "t/Probe", "at", "(ILjava/lang/String;)V");
}

static void at_entry(BciCode *code) {
    call(bci_entry(code));
    bci_op(bci_entry(code), CF_OP_NOP);
}

static void before_first(BciCode *code) {
    call(bci_before(code, bci_first_insn(code)));
    call(bci_entry(code));
}

static void before_each(BciCode *code, void (*put)(BciPos at)) {
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next) {
        next = bci_next(i);
        put(bci_before(code, i));
    }
}

/* But where a local has just changed: a handler may look at it there. */
static void behind_each(BciCode *code, void (*put)(BciPos at)) {
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next) {
        next = bci_next(i);
        if (!bci_is_end(i) && !(i->op >= CF_OP_ISTORE && i->op <= CF_OP_ASTORE_3)) put(bci_after(code, i));
    }
}

static void call_and_nop(BciPos at) {
    call(at);
    bci_op(at, CF_OP_NOP);
}

static void everywhere(BciCode *code) { before_each(code, call_and_nop); }
static void behind_all(BciCode *code) { behind_each(code, call); }

/* A place asked for early, another one at the same instruction later; the order of the calls counts. */
static void mixed_places(BciCode *code) {
    BciInsn *i = nth(code, CF_OP_IINC, 0), *load = nth(code, CF_OP_ILOAD_0, 1);
    BciPos behind = bci_after(code, load), front = bci_before(code, bci_next(load));
    call(front);
    bci_op(behind, CF_OP_NOP);
    call(bci_before(code, i));
    bci_op(front, CF_OP_NOP);
    call(behind);
    call(bci_after(code, i));
}

static void look_at_result(BciPos at, BciInsn *site, void *arg) {
    const char *desc = bci_return_desc(bci_code_method(at.code));
    bci_dup_value(at, desc);
    bci_int(at, 1);
    bci_op(at, CF_OP_SWAP);
    bci_invoke(at, CF_OP_INVOKESTATIC, "t/Probe", "result", "(II)V");
}

static void before_returns(BciCode *code) { bci_each_return(code, look_at_result, NULL); }

/* Values of the method go round: all is as before. */
static void go_round(BciCode *code) {
    BciPos at = bci_before(code, nth(code, CF_OP_IADD, 0));
    bci_op(at, CF_OP_SWAP);
    bci_op(at, CF_OP_DUP_X1);
    bci_op(at, CF_OP_POP);
    bci_op(at, CF_OP_SWAP);
    bci_op(at, CF_OP_SWAP);
}

static void objects(BciCode *code) {
    BciPos at = bci_before(code, nth(code, CF_OP_INVOKESPECIAL, 1));
    bci_new_object(at, "java/lang/Object");
    bci_invoke(at, CF_OP_INVOKESPECIAL, "java/lang/Object", "<init>", "()V");
    bci_type(at, CF_OP_CHECKCAST, "java/lang/String");
    bci_op(at, CF_OP_POP);
}

static void no_traces(BciCode *code) {
    bci_op(bci_before(code, nth(code, CF_OP_BIPUSH, 0)), CF_OP_NOP);
    call(bci_after(code, nth(code, CF_OP_NEW, 0)));
    call(bci_before(code, nth(code, CF_OP_NEW, 0)));
}

/* ---- branches within what is inserted ---- */

/* if (Probe.on) call */
static void guard(BciPos at) {
    BciLabel *l = bci_new_label(at.code);
    bci_field(at, CF_OP_GETSTATIC, "t/Probe", "on", "Z");
    bci_jump(at, CF_OP_IFEQ, l);
    call(at);
    bci_place(at, l);
}

static void guard_at_entry(BciCode *code) { guard(bci_entry(code)); }

static void guard_before_first(BciCode *code) {
    guard(bci_before(code, bci_first_insn(code)));
    guard(bci_entry(code));
    call(bci_entry(code));
    guard(bci_entry(code));
}

static void guards_everywhere(BciCode *code) { before_each(code, guard); }
static void guards_behind_all(BciCode *code) { behind_each(code, guard); }

static void guards_on_both_sides(BciCode *code) {
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next) {
        next = bci_next(i);
        guard(bci_before(code, i));
        if (i->op == CF_OP_IADD || i->op == CF_OP_INVOKESPECIAL || i->op == CF_OP_L2I) guard(bci_after(code, i));
    }
}

static void guard_returns(BciCode *code) {
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
        if (bci_is_return(i)) guard(bci_before(code, i));
}

static void emit_guarded_look(BciPos at, BciInsn *site, void *arg) {
    BciLabel *l = bci_new_label(at.code);
    bci_field(at, CF_OP_GETSTATIC, "t/Probe", "on", "Z");
    bci_jump(at, CF_OP_IFEQ, l);
    look_at_result(at, site, arg);
    bci_place(at, l);
}

static void look_at_returns(BciCode *code) { bci_each_return(code, emit_guarded_look, NULL); }

/* Both ways of an if, a loop, a label to which nobody goes; with a new local of its own. */
static void both_ways(BciPos at, bool local) {
    BciLabel *other = bci_new_label(at.code), *end = bci_new_label(at.code), *loop = bci_new_label(at.code);
    bci_label_here(at);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFGT, other);
    call(at);
    bci_jump(at, CF_OP_GOTO, end);
    bci_place(at, other);
    bci_place(at, loop);
    call(at);
    if (local) {
        uint32_t slot = bci_new_local(at.code, 'A');
        bci_string(at, "s");
        bci_store(at, 'A', slot);
        bci_load(at, 'A', slot);
        bci_op(at, CF_OP_POP);
    }
    bci_field(at, CF_OP_GETSTATIC, "t/Probe", "again", "I");
    bci_field(at, CF_OP_GETSTATIC, "t/Probe", "more", "I");
    bci_jump(at, CF_OP_IF_ICMPNE, loop);
    bci_place(at, end);
}

static void ways(BciPos at) { both_ways(at, false); }
static void ways_with_local(BciPos at) { both_ways(at, true); }
static void ways_everywhere(BciCode *code) { before_each(code, ways); }

/* The data flow would have the new locals in all frames. */
static void ways_with_locals(void) {
    Bytes in = sample(52, false);
    BciClass *c = open_bytes(in, BCI_VERIFY_RESULT);
    BciCode *code = bci_code(bci_find_method(c, "f", NULL));
    before_each(code, ways_with_local);
    Bytes out = finish(c);
    CHECK(woven == 1);
    free(out.p);
    free(in.p);
}

/* A path that does not come back. */
static void leaves_early(BciCode *code) {
    BciPos at[] = {bci_entry(code), bci_before(code, nth(code, CF_OP_IADD, 0)), bci_before(code, nth(code, CF_OP_POP, 0))};
    for (unsigned k = 0; k < 3; k++) {
        BciLabel *l = bci_new_label(code);
        bci_load(at[k], 'I', 0);
        bci_jump(at[k], CF_OP_IFNE, l);
        if (k < 2) {
            bci_int(at[k], 3);
            bci_return(at[k]);
        } else {
            bci_op(at[k], CF_OP_ATHROW); /* the handler's exception */
        }
        bci_place(at[k], l);
    }
}

static void label_as_place(BciCode *code) /* what is put at a label of a piece belongs to it */
{
    BciPos at = bci_entry(code);
    BciLabel *l = bci_new_label(code);
    bci_field(at, CF_OP_GETSTATIC, "t/Probe", "on", "Z");
    bci_jump(at, CF_OP_IFEQ, l);
    call(at);
    bci_place(at, l);
    call(bci_at_label(code, l));
    guard(at);
}

static void then_tables(BciCode *code) /* tables are read after labels have been put */
{
    guard(bci_entry(code));
    guard(bci_before(code, nth(code, CF_OP_IADD, 0)));
    guard(bci_after(code, nth(code, CF_OP_ILOAD_0, 0)));
    bci_add_line(code, bci_label_of(code, nth(code, CF_OP_IADD, 0)), 99);
}

/* ---- the same, not neutral ---- */

static void value_across(BciCode *code) {
    BciPos at = bci_before(code, nth(code, CF_OP_IADD, 0));
    BciLabel *a = bci_new_label(code), *b = bci_new_label(code);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, a);
    bci_int(at, 1);
    bci_jump(at, CF_OP_GOTO, b);
    bci_place(at, a);
    bci_int(at, 2);
    bci_place(at, b);
    bci_op(at, CF_OP_POP);
}

static void local_across(BciCode *code) {
    uint32_t slot = bci_new_local(code, 'I');
    BciPos at = bci_before(code, nth(code, CF_OP_IADD, 0));
    BciLabel *l = bci_new_label(code);
    bci_int(at, 1);
    bci_store(at, 'I', slot);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, l);
    call(at);
    bci_place(at, l);
    bci_load(at, 'I', slot);
    bci_op(at, CF_OP_POP);
}

static void to_old_label(BciCode *code) {
    BciLabel *l = bci_label_of(code, bci_first_insn(code));
    BciPos at = bci_entry(code);
    call(at);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, l);
    call(at);
}

static void out_of_the_piece(BciCode *code) {
    BciPos at = bci_entry(code), to = bci_before(code, nth(code, CF_OP_ICONST_0, 0));
    BciLabel *l = bci_new_label(code);
    call(to);
    bci_place(to, l);
    call(to);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, l);
}

/* ---- locals that hold a value from the entry on ---- */

static uint32_t set_at_entry(BciCode *code, char kind) {
    uint32_t slot = bci_new_local(code, kind);
    BciPos at = bci_entry(code);
    switch (kind) {
    case 'I': bci_int(at, 1); break;
    case 'J': bci_long(at, 1); break;
    case 'F': bci_float(at, 1); break;
    case 'D': bci_double(at, 1); break;
    default: bci_string(at, "s");
    }
    bci_store(at, kind, slot);
    return slot;
}

static void look(BciPos at, char kind, uint32_t slot) {
    bci_load(at, kind, slot);
    bci_op(at, kind == 'J' || kind == 'D' ? CF_OP_POP2 : CF_OP_POP);
}

/* In front of each instruction, in turn one of these. */
static void looks(BciCode *code, const char *kinds, bool guarded) {
    uint32_t slots[5], n = 0;
    for (; kinds[n]; n++) slots[n] = set_at_entry(code, kinds[n]);
    uint32_t k = 0;
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next, k++) {
        next = bci_next(i);
        if (i->flags & BCI_F_NEW) continue;
        BciPos at = bci_before(code, i);
        BciLabel *l = bci_new_label(code);
        if (guarded) {
            bci_field(at, CF_OP_GETSTATIC, "t/Probe", "on", "Z");
            bci_jump(at, CF_OP_IFEQ, l);
        }
        look(at, kinds[k % n], slots[k % n]);
        bci_place(at, l);
    }
}

static void held_int(BciCode *code) { looks(code, "I", false); }
static void held_kinds(BciCode *code) { looks(code, "JAFDI", false); }
static void held_guarded(BciCode *code) { looks(code, "IDA", true); }

static void held_time(BciCode *code) {
    uint32_t not_held = set_at_entry(code, 'A'), start = bci_new_local(code, 'J');
    BciPos at = bci_entry(code);
    guard(at);
    bci_invoke(at, CF_OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J");
    bci_store(at, 'J', start);
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i)) {
        if (!bci_is_return(i)) continue;
        at = bci_before(code, i);
        bci_invoke(at, CF_OP_INVOKESTATIC, "java/lang/System", "nanoTime", "()J");
        bci_load(at, 'J', start);
        bci_op(at, CF_OP_LSUB);
        bci_invoke(at, CF_OP_INVOKESTATIC, "t/Probe", "took", "(J)V");
    }
    (void)not_held;
}

static void held_counter(BciCode *code) {
    uint32_t n = set_at_entry(code, 'I'), l = set_at_entry(code, 'J');
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next) {
        next = bci_next(i);
        if (i->flags & BCI_F_NEW) continue;
        BciPos at = bci_before(code, i);
        bci_iinc(at, n, 1);
        bci_load(at, 'J', l);
        bci_op(at, CF_OP_LCONST_1);
        bci_op(at, CF_OP_LADD);
        bci_store(at, 'J', l);
    }
}

static void held_parameter(BciCode *code) {
    uint32_t slot = bci_new_local(code, 'A');
    BciPos at = bci_entry(code);
    bci_load(at, 'A', 1);
    bci_store(at, 'A', slot);
    look(bci_before(code, nth(code, CF_OP_IADD, 0)), 'A', slot);
}

static void held_null(BciCode *code) {
    uint32_t slot = bci_new_local(code, 'A');
    BciPos at = bci_entry(code);
    bci_op(at, CF_OP_ACONST_NULL);
    bci_store(at, 'A', slot);
    look(bci_before(code, nth(code, CF_OP_IADD, 0)), 'A', slot);
}

static void other_reference(BciCode *code) /* what is held is no String any more */
{
    uint32_t slot = set_at_entry(code, 'A');
    BciPos at = bci_before(code, nth(code, CF_OP_IADD, 0));
    bci_load(at, 'A', 1);
    bci_store(at, 'A', slot);
    look(bci_before(code, nth(code, CF_OP_ILOAD_0, 0)), 'A', slot);
}

static void set_elsewhere(BciCode *code) {
    uint32_t slot = bci_new_local(code, 'I');
    BciPos at = bci_before(code, bci_first_insn(code));
    bci_int(at, 1);
    bci_store(at, 'I', slot);
    look(bci_before(code, nth(code, CF_OP_IADD, 0)), 'I', slot);
}

static void set_on_one_path(BciCode *code) {
    uint32_t slot = set_at_entry(code, 'I');
    guard(bci_entry(code));
    look(bci_before(code, nth(code, CF_OP_IADD, 0)), 'I', slot);
}

/* The data flow writes the same frames, some in a shorter form. */
static void held(void) {
    static const struct {
        const char *name, *method;
        Edit edit;
        bool woven;
    } rows[] = {{"int", "f", held_int, WOVEN},
                {"int in <init>", "<init>", held_int, WOVEN},
                {"kinds", "f", held_kinds, WOVEN},
                {"kinds in <init>", "<init>", held_kinds, WOVEN},
                {"guarded", "f", held_guarded, WOVEN},
                {"guarded in <init>", "<init>", held_guarded, WOVEN},
                {"time", "f", held_time, WOVEN},
                {"time in <init>", "<init>", held_time, WOVEN},
                {"counter", "f", held_counter, WOVEN},
                {"counter in <init>", "<init>", held_counter, WOVEN},
                {"parameter", "f", held_parameter, WOVEN},
                {"null", "f", held_null, WOVEN},
                {"other reference", "f", other_reference, NOT_WOVEN},
                {"set elsewhere", "f", set_elsewhere, NOT_WOVEN},
                {"set on one path", "f", set_on_one_path, NOT_WOVEN}};
    for (unsigned major = 52; major >= 49; major -= 3)
        for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
            Bytes in = sample(major, false), out = edited(in, rows[k].method, rows[k].edit, false, 0);
            bool as_expected = out.p && (woven == rows[k].woven || (major < 50 && rows[k].woven));
            if (!as_expected) printf("held %s of version %u\n", rows[k].name, major);
            CHECK(as_expected);
            free(in.p);
            free(out.p);
        }
}

/* ---- edits that are not neutral, or not only insertions ---- */

static void old_local(BciCode *code) {
    BciPos at = bci_before(code, nth(code, CF_OP_IFLE, 0));
    bci_int(at, 9);
    bci_store(at, 'I', 0);
}

static void other_value(BciCode *code) {
    BciPos at = bci_before(code, nth(code, CF_OP_IFLE, 0));
    bci_op(at, CF_OP_POP);
    bci_int(at, 9);
}

static void way_around(BciCode *code) {
    BciPos at = bci_before(code, nth(code, CF_OP_IADD, 0));
    BciLabel *l = bci_new_label(code);
    bci_load(at, 'I', 0);
    bci_jump(at, CF_OP_IFEQ, l);
    call(at);
    bci_place(at, l);
}

static void table_edits(BciCode *code) {
    BciInsn *i = nth(code, CF_OP_IADD, 0);
    call(bci_before(code, i));
    call(bci_after(code, i));
    BciLabel *l = bci_label_of(code, i);
    bci_add_line(code, l, 99);
    bci_add_var(code, l, bci_label_here(bci_after(code, i)), "v", "I", 0);
    call(bci_before(code, nth(code, CF_OP_POP, 0)));
}

static void insertion_changed(BciCode *code) {
    BciInsn *i = bci_int(bci_entry(code), 7);
    bci_op(bci_entry(code), CF_OP_POP);
    CHECK(i->op == CF_OP_BIPUSH);
    bci_set_op(code, bci_next(i), CF_OP_POP);
    BciInsn *c = bci_type(bci_entry(code), CF_OP_NEW, "a/B");
    bci_op(bci_entry(code), CF_OP_POP);
    bci_set_index(code, c, bci_cp_class(bci_code_class(code), "a/C"));
}

static void at_the_end(BciCode *code) /* nobody comes here: it goes */
{
    call(bci_before(code, nth(code, CF_OP_IADD, 0)));
    call(bci_end(code));
    bci_return(bci_end(code));
}

static void behind_goto(BciCode *code) {
    call(bci_before(code, nth(code, CF_OP_IADD, 0)));
    call(bci_after(code, nth(code, CF_OP_GOTO, 0)));
    bci_jump(bci_after(code, nth(code, CF_OP_GOTO, 0)), CF_OP_GOTO, bci_label_of(code, nth(code, CF_OP_POP, 0)));
}

/* ---- others ---- */

/* At the entry and where the stack is low, no more is claimed than needed. */
static void sizes(void) {
    CfArena a;
    cf_arena_init(&a, "test", 0);
    Bytes in = sample(52, false);
    CHECK(code_of(&a, in, "f")->max_stack == 2);
    struct {
        Edit edit;
        uint32_t stack;
    } rows[] = {{at_entry, 2}, {before_returns, 3}, {everywhere, 4}, {go_round, 3}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        Bytes out = edited(in, "f", rows[k].edit, false, 0);
        if (code_of(&a, out, "f")->max_stack != rows[k].stack)
            printf("row %u: max_stack %u\n", k, code_of(&a, out, "f")->max_stack);
        CHECK(code_of(&a, out, "f")->max_stack == rows[k].stack);
        free(out.p);
    }
    free(in.p);
    cf_arena_free(&a);
}

static void offsets_are_known(void) {
    CfArena a;
    CfError err;
    Bytes in = sample(52, false), out = {0};
    cf_arena_init(&a, "test", 0);
    cf_err_clear(&err);
    BciClass *c = open_bytes(in, 0);
    BciCode *code = bci_code(bci_find_method(c, "f", NULL));
    everywhere(code);
    BciInsn *add = nth(code, CF_OP_IADD, 0), *nop = bci_prev(add);
    CHECK(bci_insn_offset(code, add) == BCI_NO_PC && nop->op == CF_OP_NOP);
    CHECK(bci_write(c, NULL, NULL, &out.p, &out.n, &err) == CF_OK);
    const CfCode *now = code_of(&a, out, "f");
    CHECK(now->code[bci_insn_offset(code, add)] == CF_OP_IADD);
    CHECK(bci_insn_offset(code, nop) + 1 == bci_insn_offset(code, add));
    bci_close(c);
    free(in.p);
    free(out.p);
    cf_arena_free(&a);
}

static size_t asked;
static void *own_alloc(void *ctx, size_t n) {
    asked = n;
    return malloc(n);
}

/* The caller's memory is asked for once, with the exact size, and gets the same bytes. */
static void own_memory(void) {
    Bytes in = sample(52, true), a = {0}, b = {0};
    for (int k = 0; k < 2; k++) {
        CfError err;
        cf_err_clear(&err);
        BciClass *c = open_bytes(in, 0);
        everywhere(bci_code(bci_find_method(c, "f", NULL)));
        bci_cp_long(c, 1234567890123);
        bci_cp_string(c, "more");
        bci_add_field(c, CF_ACC_STATIC, "x", "I");
        bci_add_interface(c, "a/I");
        Bytes *out = k ? &b : &a;
        CHECK(bci_write(c, k ? own_alloc : NULL, NULL, &out->p, &out->n, &err) == CF_OK);
        bci_close(c);
    }
    CHECK(a.n == b.n && asked == b.n && memcmp(a.p, b.p, a.n) == 0);
    free(a.p);
    free(b.p);
    free(in.p);
}

static void takes_one_off(BciCode *code) { bci_op(bci_before(code, nth(code, CF_OP_IADD, 0)), CF_OP_POP); }
static void reads_unset_local(BciCode *code) {
    bci_load(bci_entry(code), 'A', bci_new_local(code, 'A'));
    bci_op(bci_entry(code), CF_OP_POP);
}
static void calls_a_field(BciCode *code) {
    bci_set_index(code, bci_invoke(bci_entry(code), CF_OP_INVOKESTATIC, "a/B", "m", "()V"),
                  bci_cp_class(bci_code_class(code), "a/B"));
}

static void copies_of_nothing(BciCode *code) {
    BciPos at = bci_before(code, nth(code, CF_OP_IINC, 0)); /* the stack is empty there */
    bci_op(at, CF_OP_DUP);
    bci_op(at, CF_OP_POP);
}
static void copies_at_entry(BciCode *code) {
    bci_op(bci_entry(code), CF_OP_SWAP);
    bci_op(bci_entry(code), CF_OP_SWAP);
}

/* What does not balance is an error, as ever. */
static void errors(void) {
    struct {
        Edit edit;
        const char *text;
    } rows[] = {{takes_one_off, "underflow"},
                {copies_of_nothing, "underflow"},
                {copies_at_entry, "underflow"},
                {reads_unset_local, "not valid"},
                {calls_a_field, "constant-pool index"}};
    Bytes in = sample(52, false);
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        CfError err;
        BciClass *c = open_bytes(in, strcmp(rows[k].text, "not valid") ? 0 : BCI_VERIFY_RESULT);
        rows[k].edit(bci_code(bci_find_method(c, "f", NULL)));
        Bytes out = finish_err(c, &err);
        if (out.p || !strstr(err.text, rows[k].text)) printf("error %u: %s\n", k, out.p ? "none" : err.text);
        CHECK(!out.p && strstr(err.text, rows[k].text));
        free(out.p);
    }
    free(in.p);
}

static void nothing(BciCode *code) { bci_mark_changed(code); }

/* ... by each flag, by each way of writing. */
static void unknown_attributes(void) {
    Bytes in = sample(52, true);
    Edit edits[] = {at_entry, way_around, nothing};
    for (unsigned k = 0; k < 3; k++) {
        CfArena a;
        cf_arena_init(&a, "test", 0);
        unsigned had = code_of(&a, in, "f")->attrs.count;
        Bytes out = edited(in, "f", edits[k], false, 0);
        const CfCode *now = code_of(&a, out, "f");
        CHECK(now->attrs.count == had && now->attrs.v[had - 1].len == 4);
        CHECK(memcmp(now->attrs.v[had - 1].data, "\0\1\2\3", 4) == 0);
        free(out.p);
        bool edit = edits[k] != nothing;
        out = edited(in, "f", edits[k], false, BCI_DROP_UNKNOWN);
        CHECK(code_of(&a, out, "f")->attrs.count == had - edit);
        free(out.p);
        CfError err;
        BciClass *c = open_bytes(in, BCI_REFUSE_UNKNOWN);
        edits[k](bci_code(bci_find_method(c, "f", NULL)));
        out = finish_err(c, &err);
        CHECK(edit ? err.code == CF_ERR_USAGE && strstr(err.text, "Nobody.Knows") : err.code == CF_OK);
        free(out.p);
        cf_arena_free(&a);
    }
    free(in.p);
}

int main(void) {
    static const struct {
        const char *name, *method;
        Edit edit;
        bool woven;
    } rows[] = {{"entry", "f", at_entry, WOVEN},
                {"before the first", "f", before_first, WOVEN},
                {"everywhere", "f", everywhere, WOVEN},
                {"everywhere in <init>", "<init>", everywhere, WOVEN},
                {"behind all", "f", behind_all, WOVEN},
                {"mixed places", "f", mixed_places, WOVEN},
                {"before returns", "f", before_returns, WOVEN},
                {"round", "f", go_round, WOVEN},
                {"objects", "<init>", objects, WOVEN},
                {"around new", "<init>", no_traces, WOVEN},
                {"guard at entry", "f", guard_at_entry, WOVEN},
                {"guard at entry of <init>", "<init>", guard_at_entry, WOVEN},
                {"guard before the first", "f", guard_before_first, WOVEN},
                {"guards everywhere", "f", guards_everywhere, WOVEN},
                {"guards everywhere in <init>", "<init>", guards_everywhere, WOVEN},
                {"guards behind all", "f", guards_behind_all, WOVEN},
                {"guards behind all of <init>", "<init>", guards_behind_all, WOVEN},
                {"guards on both sides", "f", guards_on_both_sides, WOVEN},
                {"guards on both sides of <init>", "<init>", guards_on_both_sides, WOVEN},
                {"guard returns", "f", guard_returns, WOVEN},
                {"look at returns", "f", look_at_returns, WOVEN},
                {"ways", "f", ways_everywhere, WOVEN},
                {"leaves early", "f", leaves_early, WOVEN},
                {"label as a place", "f", label_as_place, WOVEN},
                {"then tables", "f", then_tables, NOT_WOVEN},
                {"value across", "f", value_across, NOT_WOVEN},
                {"local across", "f", local_across, NOT_WOVEN},
                {"to an old label", "f", to_old_label, NOT_WOVEN},
                {"out of the piece", "f", out_of_the_piece, NOT_WOVEN},
                {"old local", "f", old_local, NOT_WOVEN},
                {"other value", "f", other_value, NOT_WOVEN},
                {"way around", "f", way_around, WOVEN},
                {"tables", "f", table_edits, NOT_WOVEN},
                {"insertion changed", "f", insertion_changed, WOVEN},
                {"at the end", "f", at_the_end, NOT_WOVEN},
                {"behind goto", "f", behind_goto, NOT_WOVEN}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        same_both_ways(rows[k].name, rows[k].method, rows[k].edit, rows[k].woven);
    ways_with_locals();
    held();
    sizes();
    offsets_are_known();
    own_memory();
    errors();
    unknown_attributes();
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
