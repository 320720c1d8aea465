/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_edit - a class and a script of calls of the editing functions (bci.h).
 *
 * Input: either a class file alone, then the script is random numbers from its bytes, or one byte N, N bytes of script, a
 * class file. A TAME script makes only edits that keep code right, wherever they come (what is pushed is popped, branches
 * join with the same stack, new locals are set at the entry). Then, if the input verifies in a world where all classes
 * are assignable to each other, the result must. A LIGHT script is a tame one that mostly inserts code which needs no data
 * flow (bci_shift.c; debug builds compare its results with those of the flow). A WILD script calls anything with anything. With
 * an input of every third size, methods longer than some hundred bytes are outlined. What is written must always
 * be read and written again unchanged, and nothing may crash, leak or hang.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bci_int.h"

typedef struct Script {
    const uint8_t *p, *end;
    uint64_t random;            /* used behind the end of the bytes if not 0 */
    bool wild, light;
} Script;

enum { OF_LOCALS = 1 }; /* BciInsn.user */

typedef struct Edit {
    Script s;
    BciClass *c;
    BciCode *code;
    uint32_t ints, refs, longs; /* new locals */
} Edit;

static uint32_t number(Script *s, uint32_t below)
{
    uint32_t v = 0;
    if (s->p < s->end) {
        v = *s->p++;
        if (below > 256 && s->p < s->end)
            v = v << 8 | *s->p++;
    } else if (s->random) {
        s->random ^= s->random << 13;
        s->random ^= s->random >> 7;
        s->random ^= s->random << 17;
        v = (uint32_t)((s->random * 0x2545f4914f6cdd1du) >> 33);
    }
    return below ? v % below : 0;
}
static bool over(const Script *s)
{
    return s->p == s->end && !s->random;
}

/* ------------------------------------------------------------------------ where */

static BciInsn *some_insn(Edit *e)
{
    BciInsn *i = bci_first_insn(e->code);
    while (i && i->user == OF_LOCALS && bci_next(i))
        i = bci_next(i);
    for (uint32_t n = number(&e->s, 300); i && n; n--) {
        BciInsn *next = bci_next(i);
        if (!next)
            break;
        i = next;
    }
    return i;
}

static BciPos some_place(Edit *e)
{
    BciInsn *i = some_insn(e);
    switch (number(&e->s, 6)) {
    case 0:
        return bci_entry(e->code);
    case 1:
        return bci_entry_initialised(e->code);
    case 2:
        if (i && (bci_is_cond(i) || i->op == CF_OP_GOTO))
            return bci_on_edge(e->code, i, i->target);
        if (i && (i->op == CF_OP_TABLESWITCH || i->op == CF_OP_LOOKUPSWITCH))
            return bci_on_case(e->code, i, number(&e->s, i->sw->n + 1));
        return bci_before(e->code, i);
    case 3:
        return i && !bci_is_end(i) && i->op != CF_OP_JSR ? bci_after(e->code, i) : bci_before(e->code, i);
    default:
        return bci_before(e->code, i);
    }
}

/* ------------------------------------------------------------------------ edits that keep code right */

/* New locals, with a value from the entry on; made before anything else, since later code at the entry comes behind. */
static void make_locals(Edit *e)
{
    BciPos at = bci_entry(e->code);
    bci_int(at, 40000);
    bci_store(at, 'I', e->ints = bci_new_local(e->code, 'I'));
    bci_long(at, 1);
    bci_store(at, 'J', e->longs = bci_new_local(e->code, 'J'));
    bci_string(at, "x");
    bci_store(at, 'A', e->refs = bci_new_local(e->code, 'A'));
    for (BciInsn *i = bci_first_insn(e->code); i && i->flags & BCI_F_NEW; i = bci_next(i))
        i->user = OF_LOCALS;
}

/* Something on the stack and away again, in one of the first `kinds` ways; 9: without the new locals. */
static void push_and_pop(Edit *e, BciPos at, uint32_t kinds)
{
    switch (number(&e->s, kinds)) {
    case 0: bci_int(at, (int32_t)number(&e->s, 65536) * 7 - 90000); bci_op(at, CF_OP_POP); break;
    case 1: bci_long(at, number(&e->s, 5)); bci_op(at, CF_OP_POP2); break;
    case 2: bci_double(at, 1.5); bci_op(at, CF_OP_DUP2); bci_op(at, CF_OP_POP2); bci_op(at, CF_OP_POP2); break;
    case 3: bci_string(at, "a\"b"); bci_op(at, CF_OP_POP); break;
    case 4: bci_float(at, 2); bci_box(at, "F"); bci_unbox(at, "F"); bci_op(at, CF_OP_POP); break;
    case 5: bci_new_object(at, "a/B");
        bci_invoke(at, CF_OP_INVOKESPECIAL, "a/B", "<init>", "()V");
        bci_op(at, CF_OP_POP);
        break;
    case 6: bci_int(at, 3); bci_new_array(at, "[Ljava/lang/String;"); bci_op(at, CF_OP_POP); break;
    case 7: bci_int(at, 1); bci_int(at, 2); bci_multi_array(at, "[[I", 2); bci_op(at, CF_OP_POP); break;
    case 8: bci_field(at, CF_OP_GETSTATIC, "a/B", "f", "D"); bci_field(at, CF_OP_PUTSTATIC, "a/B", "g", "D"); break;
    case 9: bci_load(at, 'A', e->refs); bci_type(at, CF_OP_CHECKCAST, "a/B"); bci_op(at, CF_OP_POP); break;
    case 10: bci_load(at, 'J', e->longs); bci_dup_value(at, "J"); bci_op(at, CF_OP_LADD);
        bci_store(at, 'J', e->longs);
        break;
    default: bci_string(at, "s"); bci_int(at, 1); bci_invoke(at, CF_OP_INVOKESTATIC, "a/B", "m", "(Ljava/lang/String;I)V");
    }
}

/* A branch or a switch whose ways meet again. */
static void diamond(Edit *e, BciPos at)
{
    BciLabel *a = bci_new_label(e->code), *b = bci_new_label(e->code);
    bci_load(at, 'I', e->ints);
    if (number(&e->s, 2)) {
        bci_jump(at, CF_OP_IFNE, a);
        push_and_pop(e, at, 12);
        bci_jump(at, CF_OP_GOTO, b);
        bci_place(at, a);
        push_and_pop(e, at, 12);
        bci_place(at, b);
    } else {
        int32_t keys[] = {-5, 1, 2, 90000};
        BciLabel *to[] = {a, b, b, a};
        bci_switch(at, keys, to, number(&e->s, 5), b);
        bci_place(at, a);
        push_and_pop(e, at, 12);
        bci_place(at, b);
        bci_add_line(e->code, b, 77);
    }
    bci_iinc(at, e->ints, (int)number(&e->s, 1000) - 500);
}

static void emit_probe(BciPos at, BciInsn *site, void *arg)
{
    bci_int(at, site ? 1 : 0);
    bci_invoke(at, CF_OP_INVOKESTATIC, "a/B", "probe", "(I)V");
}

static void tame(Edit *e)
{
    BciInsn *i;
    switch (number(&e->s, 9)) {
    case 0: bci_op(some_place(e), CF_OP_NOP); break;
    case 1: bci_each_return(e->code, emit_probe, NULL); break;
    case 2: bci_on_throw(e->code, emit_probe, NULL); break;
    case 3: diamond(e, some_place(e)); break;
    case 4: bci_mark_changed(e->code); break;
    case 5: /* an instruction again, in its place */
        i = some_insn(e);
        if (i && i->op >= CF_OP_ICONST_M1 && i->op <= CF_OP_ICONST_5) {
            int32_t v = (int32_t)i->op - CF_OP_ICONST_0;
            bci_int(bci_replace(e->code, i), v);
        } else if (i && i->op == CF_OP_NOP) {
            bci_delete(e->code, i);
        }
        break;
    case 6: bci_cfg(e->code, number(&e->s, 4)); break;
    case 7: bci_box(some_place(e), "V"); break;
    default: push_and_pop(e, some_place(e), 12);
    }
}

static void emit_look(BciPos at, BciInsn *site, void *arg)
{
    const char *desc = bci_return_desc(bci_code_method(at.code));
    uint32_t slot;
    bci_dup_value(at, desc);
    if (*desc == 'V')
        return;
    bci_op(at, *desc == 'J' || *desc == 'D' ? CF_OP_POP2 : CF_OP_POP);
    bci_store(at, *desc, slot = bci_new_local(at.code, strchr("JFD", *desc) ? *desc : *desc == 'L' || *desc == '[' ? 'A' : 'I'));
    bci_load(at, *desc, slot);
}

static void light(Edit *e)
{
    BciPos at;
    uint32_t slot;
    switch (number(&e->s, 7)) {
    case 0: bci_op(some_place(e), CF_OP_NOP); break;
    case 1: bci_each_return(e->code, emit_look, NULL); break;
    case 2: bci_line_count(e->code); break;     /* tables are read late */
    case 3:
        at = some_place(e);
        bci_int(at, 1);
        bci_store(at, 'I', slot = bci_new_local(e->code, 'I'));
        bci_iinc(at, slot, 5);
        bci_load(at, 'I', slot);
        bci_op(at, CF_OP_POP);
        break;
    default: push_and_pop(e, some_place(e), 9);
    }
}

/* ------------------------------------------------------------------------ anything with anything */

static void wild(Edit *e)
{
    BciInsn *i = some_insn(e), *k = some_insn(e);
    BciPos at = some_place(e);
    if (!i || !k)
        return;
    switch (number(&e->s, 14)) {
    case 0: bci_delete(e->code, i); break;
    case 1: bci_delete_range(e->code, i, k); break;
    case 2: bci_op(bci_replace(e->code, i), CF_OP_ICONST_0); break;
    case 3: bci_set_target(e->code, i, bci_label_of(e->code, k)); break;
    case 4: bci_set_op(e->code, i, number(&e->s, 256)); break;
    case 5: bci_set_index(e->code, i, (uint16_t)number(&e->s, 65536)); break;
    case 6: bci_op(at, number(&e->s, 256)); break;
    case 7: bci_load(at, "IJFDA"[number(&e->s, 5)], number(&e->s, 70000)); break;
    case 8: bci_jump(at, CF_OP_GOTO, bci_label_of(e->code, i)); break;
    case 9:
        bci_add_try(e->code, bci_label_of(e->code, i), bci_label_of(e->code, k), bci_label_here(at), NULL, number(&e->s, 2));
        break;
    case 10: bci_return(at); break;
    case 11: bci_ldc(at, (uint16_t)number(&e->s, 65536)); break;
    case 12: bci_store(at, "IJFDA"[number(&e->s, 5)], number(&e->s, 300)); break;
    default: bci_add_var(e->code, bci_label_of(e->code, i), bci_label_of(e->code, k), "v", "I", number(&e->s, 300));
    }
}

static void edit_class(BciClass *c, Script *s)
{
    static const char *const names[] = {"$a", "$b", "run", "x"};
    const char *name = names[number(s, 4)];
    BciMethod *m;
    BciPos at;
    switch (number(s, 7)) {
    case 0: bci_add_field(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_FINAL, name, number(s, 2) ? "J" : "[La/B;"); break;
    case 1:
        if (bci_class_access(c) & CF_ACC_INTERFACE || bci_find_method(c, name, "(I)I"))
            break;
        m = bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, name, "(I)I");
        at = bci_end(bci_code(m));
        bci_load_args(at);
        bci_return(at);
        break;
    case 2: emit_probe(bci_clinit_entry(c), NULL, NULL); break;
    case 3: bci_cp_method_type(c, "(J)V"); bci_cp_string(c, name); break;
    case 4:
        m = bci_method(c, (int)number(s, 300));
        if (m && bci_method_access(m) & CF_ACC_NATIVE)
            bci_wrap_native(m, "n$");
        break;
    case 5: /* not of constructors: their code is right in constructors only */
        m = bci_method(c, (int)number(s, 300));
        if (m && bci_method_name(m)[0] != '<' && !bci_find_method(c, name, bci_method_desc(m)))
            bci_copy_method(c, m, name);
        break;
    default: bci_cp_method(c, "a/B", name, "()V", number(s, 2));
    }
}

static void edit(BciClass *c, Script s)
{
    for (int k = 0, n = bci_method_count(c); k < n && !over(&s); k++) {
        if (number(&s, 3) == 0)
            edit_class(c, &s);
        BciMethod *m = bci_method(c, k);
        Edit e = {.c = c, .code = number(&s, 4) ? bci_code(m) : NULL};
        e.s = s;
        if (e.code && !s.wild && !s.light)
            make_locals(&e);
        for (uint32_t calls = e.code ? number(&e.s, 9) : 0; calls && !over(&e.s); calls--)
            e.s.wild ? wild(&e) : e.s.light ? light(&e) : tame(&e);
        s = e.s;
    }
}

/* ------------------------------------------------------------------------ the result */

static CfAnswer yes(void *ctx, CfStr a, CfStr b) { return CF_YES; }
static CfAnswer no(void *ctx, CfStr a) { return CF_NO; }

static bool verifies(const uint8_t *p, size_t n, CfError *err)
{
    static const CfParseOptions format = {.check = CF_CHECK_FORMAT, .enable_preview = true};
    CfHierarchy h = {.is_assignable = yes, .is_interface = no, .is_superclass_of_this = no};
    CfArena a;
    CfClass *c;
    cf_err_clear(err);
    cf_arena_init(&a, "fuzz", 0);
    bool ok = cf_parse(&c, p, n, &a, &format, err) == CF_OK && !(c->access & CF_ACC_MODULE) && c->major >= 51 &&
              cf_verify(c, &h, NULL, err) == CF_OK;
    cf_arena_free(&a);
    return ok;
}

static void must_write_again(const uint8_t *p, size_t n)
{
    static CfError err;
    cf_err_clear(&err);
    BciClass *c = bci_open(p, n, NULL, &err);
    uint8_t *out = NULL;
    size_t m = 0;
    if (!c || bci_write(c, NULL, NULL, &out, &m, &err) != CF_OK || m != n || memcmp(p, out, n) != 0) {
        fprintf(stderr, "written, but not again: %s: %s\n", err.where, err.text);
        abort();
    }
    free(out);
    bci_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static CfError err, ignored;
    Script s = {data, data, 0, false, false};
    if (size >= 4 && cf_get_u4(data) == 0xCAFEBABE) {
        s.random = cf_hash_bytes(data, size) + 1u;
    } else if (size > (data ? data[0] : 0) + 1u) {
        s = (Script){data + 1, data + 1 + data[0], 0, false, false};
    } else {
        return 0;
    }
    const uint8_t *bytes = s.end;
    size_t n = size - (size_t)(bytes - data);
    uint32_t kind = number(&s, 16);
    s.wild = kind % 4 == 0;
    s.light = !s.wild && kind / 4 % 2;
    BciOptions opt = {.frames = number(&s, 2) ? BCI_FRAMES_REBUILD : BCI_FRAMES_KEEP,
                      .flags = number(&s, 32) & ~(unsigned)BCI_VERIFY_RESULT};
    if (size % 3 == 0)
        opt.flags |= BCI_OUTLINE;
    cf_err_clear(&err);
    BciClass *c = bci_open(bytes, n, &opt, &err);
    if (!c)
        return 0;
    c->code_limit = 100 + (uint32_t)size % 500;
    edit(c, s);
    uint8_t *out = NULL;
    size_t m = 0;
    if (bci_write(c, NULL, NULL, &out, &m, &err) == CF_OK) {
        must_write_again(out, m);
        if (!s.wild && verifies(bytes, n, &ignored) && !verifies(out, m, &err)) {
            fprintf(stderr, "the result is refused: %s: %s\n", err.where, err.text);
            abort();
        }
    }
    free(out);
    bci_close(c);
    return 0;
}
