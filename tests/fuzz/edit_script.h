/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit_script.h - random calls of the editing functions (bci.h), for fuzz_edit and for the round trip of the corpus.
 *
 * A TAME script makes only edits that keep code right, wherever they come (what is pushed is popped, branches join with the same
 * stack, new locals are set at the entry): if the input verifies, the result must. A LIGHT script is a tame one that mostly inserts
 * code which needs no data flow (bci_shift.c; debug builds compare its results with those of the flow). A WILD script calls anything
 * with anything. The class that inserted code names, a/B, need not be there.
 */
#ifndef EDIT_SCRIPT_H
#define EDIT_SCRIPT_H

#include "edit/bci_edit.h"

typedef struct Script {
    const uint8_t *p, *end;
    uint64_t random; /* used behind the end of the bytes if not 0 */
    bool wild, light;
    bool wrapped; /* a native has been wrapped */
} Script;

enum { OF_LOCALS = 1 }; /* BciInsn.user */

typedef struct Edit {
    Script s;
    BciClass *c;
    BciCode *code;
    uint32_t ints, refs, longs; /* new locals */
} Edit;

static uint32_t number(Script *s, uint32_t below) {
    uint32_t v = 0;
    if (s->p < s->end) {
        v = *s->p++;
        if (below > 256 && s->p < s->end) v = v << 8 | *s->p++;
    } else if (s->random) {
        s->random ^= s->random << 13;
        s->random ^= s->random >> 7;
        s->random ^= s->random << 17;
        v = (uint32_t)((s->random * 0x2545f4914f6cdd1du) >> 33);
    }
    return below ? v % below : 0;
}
static bool over(const Script *s) { return s->p == s->end && !s->random; }

/* ------------------------------------------------------------------------ where */

static BciInsn *some_insn(Edit *e) {
    BciInsn *i = bci_first_insn(e->code);
    while (i && i->user == OF_LOCALS && bci_next(i)) i = bci_next(i);
    for (uint32_t n = number(&e->s, 300); i && n; n--) {
        BciInsn *next = bci_next(i);
        if (!next) break;
        i = next;
    }
    return i;
}

static BciPos some_place(Edit *e) {
    BciInsn *i = some_insn(e);
    switch (number(&e->s, 6)) {
    case 0: return bci_entry(e->code);
    case 1: return bci_entry_initialised(e->code);
    case 2:
        if (i && (bci_is_cond(i) || i->op == CF_OP_GOTO)) return bci_on_edge(e->code, i, i->target);
        if (i && (i->op == CF_OP_TABLESWITCH || i->op == CF_OP_LOOKUPSWITCH))
            return bci_on_case(e->code, i, number(&e->s, i->sw->n + 1));
        return bci_before(e->code, i);
    case 3: return i && !bci_is_end(i) && i->op != CF_OP_JSR ? bci_after(e->code, i) : bci_before(e->code, i);
    default: return bci_before(e->code, i);
    }
}

/* ------------------------------------------------------------------------ edits that keep code right */

/* New locals, with a value from the entry on; made before anything else, since later code at the entry comes behind. */
static void make_locals(Edit *e) {
    BciPos at = bci_entry(e->code);
    bci_int(at, 40000);
    bci_store(at, 'I', e->ints = bci_new_local(e->code, 'I'));
    bci_long(at, 1);
    bci_store(at, 'J', e->longs = bci_new_local(e->code, 'J'));
    bci_string(at, "x");
    bci_store(at, 'A', e->refs = bci_new_local(e->code, 'A'));
    for (BciInsn *i = bci_first_insn(e->code); i && i->flags & BCI_F_NEW; i = bci_next(i)) i->user = OF_LOCALS;
}

/* Something on the stack and away again, in one of the first `kinds` ways; 9: without the new locals. */
static void push_and_pop(Edit *e, BciPos at, uint32_t kinds) {
    switch (number(&e->s, kinds)) {
    case 0:
        bci_int(at, (int32_t)number(&e->s, 65536) * 7 - 90000);
        bci_op(at, CF_OP_POP);
        break;
    case 1:
        bci_long(at, number(&e->s, 5));
        bci_op(at, CF_OP_POP2);
        break;
    case 2:
        bci_double(at, 1.5);
        bci_op(at, CF_OP_DUP2);
        bci_op(at, CF_OP_POP2);
        bci_op(at, CF_OP_POP2);
        break;
    case 3:
        bci_string(at, "a\"b");
        bci_op(at, CF_OP_POP);
        break;
    case 4:
        bci_float(at, 2);
        bci_box(at, "F");
        bci_unbox(at, "F");
        bci_op(at, CF_OP_POP);
        break;
    case 5:
        bci_new_object(at, "a/B");
        bci_invoke(at, CF_OP_INVOKESPECIAL, "a/B", "<init>", "()V");
        bci_op(at, CF_OP_POP);
        break;
    case 6:
        bci_int(at, 3);
        bci_new_array(at, "[Ljava/lang/String;");
        bci_op(at, CF_OP_POP);
        break;
    case 7:
        bci_int(at, 1);
        bci_int(at, 2);
        bci_multi_array(at, "[[I", 2);
        bci_op(at, CF_OP_POP);
        break;
    case 8:
        bci_field(at, CF_OP_GETSTATIC, "a/B", "f", "D");
        bci_field(at, CF_OP_PUTSTATIC, "a/B", "g", "D");
        break;
    case 9:
        bci_load(at, 'A', e->refs);
        bci_type(at, CF_OP_CHECKCAST, "a/B");
        bci_op(at, CF_OP_POP);
        break;
    case 10:
        bci_load(at, 'J', e->longs);
        bci_dup_value(at, "J");
        bci_op(at, CF_OP_LADD);
        bci_store(at, 'J', e->longs);
        break;
    default:
        bci_string(at, "s");
        bci_int(at, 1);
        bci_invoke(at, CF_OP_INVOKESTATIC, "a/B", "m", "(Ljava/lang/String;I)V");
    }
}

/* A branch or a switch whose ways meet again. */
static void diamond(Edit *e, BciPos at) {
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

static void emit_probe(BciPos at, BciInsn *site, void *arg) {
    bci_int(at, site ? 1 : 0);
    bci_invoke(at, CF_OP_INVOKESTATIC, "a/B", "probe", "(I)V");
}

static void tame(Edit *e) {
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

static void emit_look(BciPos at, BciInsn *site, void *arg) {
    const char *desc = bci_return_desc(bci_code_method(at.code));
    uint32_t slot;
    bci_dup_value(at, desc);
    if (*desc == 'V') return;
    bci_op(at, *desc == 'J' || *desc == 'D' ? CF_OP_POP2 : CF_OP_POP);
    bci_store(at, *desc, slot = bci_new_local(at.code, strchr("JFD", *desc) ? *desc : *desc == 'L' || *desc == '[' ? 'A' : 'I'));
    bci_load(at, *desc, slot);
}

/* if (on) ...; perhaps with an else, or while (on) ... */
static void guarded(Edit *e, BciPos at) {
    BciLabel *start = bci_new_label(e->code), *other = bci_new_label(e->code), *end = bci_new_label(e->code);
    uint32_t kind = number(&e->s, 3);
    bci_place(at, start);
    bci_field(at, CF_OP_GETSTATIC, "a/B", "on", "Z");
    bci_jump(at, CF_OP_IFEQ, kind == 1 ? other : end);
    push_and_pop(e, at, 9);
    if (kind == 2) bci_jump(at, CF_OP_GOTO, start);
    if (kind == 1) {
        bci_jump(at, CF_OP_GOTO, end);
        bci_place(at, other);
        push_and_pop(e, at, 9);
    }
    bci_place(at, end);
}

static void light(Edit *e) {
    BciPos at;
    uint32_t slot;
    switch (number(&e->s, 9)) {
    case 0: bci_op(some_place(e), CF_OP_NOP); break;
    case 1: bci_each_return(e->code, emit_look, NULL); break;
    case 2: bci_line_count(e->code); break; /* tables are read late */
    case 3:
        at = some_place(e);
        bci_int(at, 1);
        bci_store(at, 'I', slot = bci_new_local(e->code, 'I'));
        bci_iinc(at, slot, 5);
        bci_load(at, 'I', slot);
        bci_op(at, CF_OP_POP);
        break;
    case 4:
    case 5: guarded(e, some_place(e)); break;
    default: push_and_pop(e, some_place(e), 9);
    }
}

/* ------------------------------------------------------------------------ anything with anything */

static void wild(Edit *e) {
    BciInsn *i = some_insn(e), *k = some_insn(e);
    BciPos at = some_place(e);
    if (!i || !k) return;
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

static void copy_field(BciClass *c, Script *s, const char *as) {
    const CfClass *k = bci_model(c);
    const CfMember *f = k->field_count ? &k->fields[number(s, k->field_count)] : NULL;
    char name[100], desc[100];
    if (!f) return;
    snprintf(name, sizeof name, "%.*s", CF_STR_ARGS(cf_utf8(k, f->name)));
    snprintf(desc, sizeof desc, "%.*s", CF_STR_ARGS(cf_utf8(k, f->desc)));
    if (s->wild || (bci_has_field(c, name, desc) && !bci_has_field(c, as, desc))) bci_copy_field(c, c, name, desc, as);
}

/* Methods from `fresh` up to `end` have not been edited yet. */
static void edit_class(BciClass *c, Script *s, int fresh, int end) {
    static const char *const names[] = {"$a", "$b", "run", "x"};
    const char *name = names[number(s, 4)];
    BciMethod *m;
    BciPos at;
    switch (number(s, 8)) {
    case 0: {
        const char *desc = number(s, 2) ? "J" : "[La/B;";
        if (s->wild || !cf_find_field(bci_model(c), cf_str(name), cf_str(desc)))
            bci_add_field(c, CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_FINAL, name, desc);
        break;
    }
    case 1:
        if (bci_class_access(c) & CF_ACC_INTERFACE || bci_find_method(c, name, "(I)I")) break;
        m = bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, name, "(I)I");
        at = bci_end(bci_code(m));
        bci_load_args(at);
        bci_return(at);
        break;
    case 2: emit_probe(bci_clinit_entry(c), NULL, NULL); break;
    case 3:
        if (s->wild || bci_major(c) >= 51) bci_cp_method_type(c, "(J)V");
        bci_cp_string(c, name);
        break;
    case 4:
        m = bci_method(c, (int)number(s, 300));
        if (m && bci_method_access(m) & CF_ACC_NATIVE) s->wrapped = bci_wrap_native(m, "n$") != NULL;
        break;
    case 5: /* not of constructors: their code is right in constructors only */
        m = s->wild      ? bci_method(c, (int)number(s, 300))
            : s->wrapped ? NULL
                         : bci_method(c, fresh + (int)number(s, (uint32_t)(end - fresh)));
        if (m && bci_method_name(m)[0] != '<' && !bci_find_method(c, name, bci_method_desc(m))) bci_copy_method(c, m, name);
        break;
    case 6: copy_field(c, s, name); break;
    default: bci_cp_method(c, "a/B", name, "()V", number(s, 2));
    }
}

static void run_script(BciClass *c, Script s) {
    if (bci_class_access(c) & CF_ACC_MODULE && !s.wild) return;
    for (int k = 0, n = bci_method_count(c); k < n && !over(&s); k++) {
        if (number(&s, 3) == 0) edit_class(c, &s, k, n);
        BciMethod *m = bci_method(c, k);
        Edit e = {.c = c, .code = number(&s, 4) ? bci_code(m) : NULL};
        e.s = s;
        if (e.code && !s.wild && !s.light) make_locals(&e);
        for (uint32_t calls = e.code ? number(&e.s, 9) : 0; calls && !over(&e.s); calls--)
            e.s.wild ? wild(&e) : e.s.light ? light(&e) : tame(&e);
        s = e.s;
    }
}

#endif
