/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_build.c - makes instructions in their smallest form, with their pool entries.
 */
#include "bci_edit.h"

static BciInsn *usage(BciPos at, const char *what, unsigned op) {
    if (bci_ok(at.code)) bci_fail(at.code->m, CF_ERR_USAGE, BCI_NO_PC, "%s: %s does not fit", what, bci_op_name(op));
    return NULL;
}

/* Position of a kind in the opcode families that are ordered I J F D A. */
static int kind_number(char kind) {
    static const char kinds[] = "IJFDA";
    char letter = cf_kind_letter(kind);
    return letter ? (int)(strchr(kinds, letter) - kinds) : -1;
}

/* First class version in which `op` may name a constant of this kind (4.4, table 4.4-C; 4.9.1); 0 = in none. */
static unsigned since_version(unsigned op, unsigned tag) {
    if (op == CF_OP_LDC || op == CF_OP_LDC_W || op == CF_OP_LDC2_W) return cf_const_info[tag].loadable;
    bool of_interface = tag == CF_CONST_INTERFACEMETHODREF && op != CF_OP_INVOKEINTERFACE;
    return of_interface ? 52 : cf_const_info[tag].since;
}

bool bci_version_allows(BciMethod *m, unsigned op, unsigned tag) {
    unsigned since = since_version(op, tag), major = m->cls->cf->major;
    if (since && since <= major) return true;
    if (since)
        return bci_refuse(m, CF_ERR_USAGE, BCI_NO_PC, "%s of a constant of kind %s needs class version %u, this is %u",
                          bci_op_name(op), cf_const_info[tag].name, since, major);
    return bci_refuse(m, CF_ERR_USAGE, BCI_NO_PC, "%s cannot name a constant of kind %s", bci_op_name(op),
                      tag ? cf_const_info[tag].name : "none");
}

/* May a call have so many arguments, `this` among them (4.3.3)? */
static bool args_fit(BciPos at, unsigned op, uint16_t index) {
    CfStr owner, name, desc;
    bool on_object = op == CF_OP_INVOKEVIRTUAL || op == CF_OP_INVOKESPECIAL || op == CF_OP_INVOKEINTERFACE;
    return !on_object || !cf_member_ref(at.code->m->cls->cf, index, &owner, &name, &desc) || cf_desc_arg_slots(desc, NULL) < 255;
}

static BciInsn *emit_cp(BciPos at, unsigned op, uint16_t index) {
    if (!index || !bci_ok(at.code) || !bci_version_allows(at.code->m, op, cf_tag(at.code->m->cls->cf, index))) return NULL;
    if (!args_fit(at, op, index)) return usage(at, "a call with more than 255 argument slots", op);
    BciInsn *i = bci_emit(at, op);
    if (i) i->index = index;
    return i;
}

static BciInsn *emit_value(BciPos at, unsigned op, int value) {
    BciInsn *i = bci_emit(at, op);
    if (i) i->value = (int16_t)value;
    return i;
}

static BciClass *cls(BciPos at) { return bci_ok(at.code) && at.next ? at.code->m->cls : NULL; }

BciInsn *bci_op(BciPos at, unsigned op) {
    CfFormat f = op < 256 ? cf_op_info[op].format : CF_FMT_BAD;
    if (f >= CF_FMT_LOCAL0 && f <= CF_FMT_LOCAL3) {
        BciInsn *i = bci_emit(at, op);
        if (i) i->index = (uint16_t)(f - CF_FMT_LOCAL0);
        return i;
    }
    return f == CF_FMT_NONE ? bci_emit(at, op) : usage(at, "bci_op", op);
}

/* ---- constants ---- */

BciInsn *bci_ldc(BciPos at, uint16_t index) {
    BciClass *c = cls(at);
    if (!c || !index) return NULL;
    unsigned tag = cf_tag(c->cf, index);
    bool wide = tag == CF_CONST_LONG || tag == CF_CONST_DOUBLE;
    if (tag == CF_CONST_DYNAMIC) {
        CfStr n, d;
        wide = cf_name_and_type(c->cf, index, &n, &d) && cf_desc_slots(d) == 2;
    }
    return emit_cp(at, wide ? CF_OP_LDC2_W : index > 255 ? CF_OP_LDC_W : CF_OP_LDC, index);
}

BciInsn *bci_int(BciPos at, int32_t v) {
    if (v >= -1 && v <= 5) return bci_emit(at, (unsigned)(CF_OP_ICONST_0 + v));
    if (v == (int8_t)v) return emit_value(at, CF_OP_BIPUSH, v);
    if (v == (int16_t)v) return emit_value(at, CF_OP_SIPUSH, v);
    return cls(at) ? bci_ldc(at, bci_cp_int(cls(at), v)) : NULL;
}

BciInsn *bci_long(BciPos at, int64_t v) {
    if (v == 0 || v == 1) return bci_emit(at, (unsigned)(CF_OP_LCONST_0 + v));
    if (v == (int16_t)v) { /* at most four bytes and no pool entry of two slots */
        bci_int(at, (int32_t)v);
        return bci_emit(at, CF_OP_I2L);
    }
    return cls(at) ? bci_ldc(at, bci_cp_long(cls(at), v)) : NULL;
}

BciInsn *bci_float(BciPos at, float v) {
    int32_t bits;
    memcpy(&bits, &v, sizeof bits);
    for (int k = 0; k <= 2; k++)
        if ((float)k == v && bits != INT32_MIN) return bci_emit(at, (unsigned)(CF_OP_FCONST_0 + k));
    return cls(at) ? bci_ldc(at, bci_cp_float(cls(at), v)) : NULL;
}

BciInsn *bci_double(BciPos at, double v) {
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    if (bits == 0 || v == 1.0) return bci_emit(at, bits == 0 ? CF_OP_DCONST_0 : CF_OP_DCONST_1);
    return cls(at) ? bci_ldc(at, bci_cp_double(cls(at), v)) : NULL;
}

BciInsn *bci_string(BciPos at, const char *s) { return cls(at) ? bci_ldc(at, bci_cp_string(cls(at), s)) : NULL; }

BciInsn *bci_ldc_class(BciPos at, const char *name) { return cls(at) ? bci_ldc(at, bci_cp_class(cls(at), name)) : NULL; }

/* ---- local variables ---- */

static BciInsn *emit_local(BciPos at, unsigned op, uint32_t slot) {
    if (!cls(at)) return NULL;
    unsigned wide = cf_op_info[op].pops[0] == 'J' || cf_op_info[op].pops[0] == 'D' || cf_op_info[op].pushes[0] == 'J' ||
                    cf_op_info[op].pushes[0] == 'D';
    if (slot + 1 + wide > at.code->max_locals)
        return bci_refuse(at.code->m, CF_ERR_USAGE, BCI_NO_PC, "%s %u: no such local variable (use bci_new_local)",
                          bci_op_name(op), slot);
    BciInsn *i = bci_emit(at, op);
    if (i) {
        i->index = (uint16_t)slot;
        if (slot > 255) i->flags |= BCI_F_WIDE;
    }
    return i;
}

/* `first`: iload_0 or istore_0; `general`: the opcode with an operand. */
static BciInsn *emit_access(BciPos at, const char *what, unsigned first, unsigned general, char kind, uint32_t slot) {
    int k = kind_number(kind);
    if (k < 0) return usage(at, what, general);
    return emit_local(at, slot < 4 ? first + 4 * (unsigned)k + slot : general + (unsigned)k, slot);
}

BciInsn *bci_load(BciPos at, char kind, uint32_t slot) {
    return emit_access(at, "bci_load", CF_OP_ILOAD_0, CF_OP_ILOAD, kind, slot);
}

BciInsn *bci_store(BciPos at, char kind, uint32_t slot) {
    return emit_access(at, "bci_store", CF_OP_ISTORE_0, CF_OP_ISTORE, kind, slot);
}

BciInsn *bci_iinc(BciPos at, uint32_t slot, int by) {
    if (by != (int16_t)by) return usage(at, "bci_iinc", CF_OP_IINC);
    BciInsn *i = emit_local(at, CF_OP_IINC, slot);
    if (i) {
        i->value = (int16_t)by;
        if (by != (int8_t)by) i->flags |= BCI_F_WIDE;
    }
    return i;
}

/* ---- members and types ---- */

BciInsn *bci_field(BciPos at, unsigned op, const char *owner, const char *name, const char *desc) {
    if (op < CF_OP_GETSTATIC || op > CF_OP_PUTFIELD) return usage(at, "bci_field", op);
    return cls(at) ? emit_cp(at, op, bci_cp_field(cls(at), owner, name, desc)) : NULL;
}

BciInsn *bci_invoke(BciPos at, unsigned op, const char *owner, const char *name, const char *desc) {
    if (op < CF_OP_INVOKEVIRTUAL || op > CF_OP_INVOKEINTERFACE) return usage(at, "bci_invoke", op);
    bool itf = op == CF_OP_INVOKEINTERFACE;
    return cls(at) ? emit_cp(at, op, bci_cp_method(cls(at), owner, name, desc, itf)) : NULL;
}

BciInsn *bci_invoke_itf(BciPos at, unsigned op, const char *owner, const char *name, const char *desc) {
    if (op != CF_OP_INVOKESPECIAL && op != CF_OP_INVOKESTATIC && op != CF_OP_INVOKEINTERFACE)
        return usage(at, "bci_invoke_itf", op);
    return cls(at) ? emit_cp(at, op, bci_cp_method(cls(at), owner, name, desc, true)) : NULL;
}

BciInsn *bci_invoke_dynamic(BciPos at, uint16_t bootstrap, const char *name, const char *desc) {
    return cls(at) ? emit_cp(at, CF_OP_INVOKEDYNAMIC, bci_cp_invoke_dynamic(cls(at), bootstrap, name, desc)) : NULL;
}

BciInsn *bci_type(BciPos at, unsigned op, const char *name) {
    if (op != CF_OP_NEW && op != CF_OP_ANEWARRAY && op != CF_OP_CHECKCAST && op != CF_OP_INSTANCEOF)
        return usage(at, "bci_type", op);
    BciInsn *i = cls(at) ? emit_cp(at, op, bci_cp_class(cls(at), name)) : NULL;
    if (i && op == CF_OP_NEW) i->site = at.code->next_site++;
    return i;
}

BciInsn *bci_new_object(BciPos at, const char *name) {
    bci_type(at, CF_OP_NEW, name);
    return bci_op(at, CF_OP_DUP);
}

BciInsn *bci_new_array(BciPos at, const char *elem) {
    static const char prims[] = "ZCFDBSIJ"; /* newarray types 4..11 */
    const char *p = elem[0] && !elem[1] ? strchr(prims, elem[0]) : NULL;
    if (p) return emit_value(at, CF_OP_NEWARRAY, 4 + (int)(p - prims));
    if (elem[0] == '[') return bci_type(at, CF_OP_ANEWARRAY, elem);
    size_t n = strlen(elem);
    if (!cls(at) || elem[0] != 'L' || n < 3) return usage(at, "bci_new_array", CF_OP_ANEWARRAY);
    const char *name = bci_zstr(cls(at), (CfStr){elem + 1, (uint32_t)n - 2});
    return name ? bci_type(at, CF_OP_ANEWARRAY, name) : NULL;
}

BciInsn *bci_multi_array(BciPos at, const char *desc, unsigned dims) {
    if (dims < 1 || dims > strspn(desc, "[") || !cls(at)) return usage(at, "bci_multi_array", CF_OP_MULTIANEWARRAY);
    BciInsn *i = emit_cp(at, CF_OP_MULTIANEWARRAY, bci_cp_class(cls(at), desc));
    if (i) i->value = (int16_t)dims;
    return i;
}

/* ---- control flow ---- */

BciInsn *bci_jump(BciPos at, unsigned op, BciLabel *target) {
    if (op > 255 || !(cf_op_info[op].flags & CF_OF_BRANCH) || (cf_op_info[op].flags & CF_OF_JSR))
        return usage(at, "bci_jump", op);
    bool own = target && bci_ok(at.code) && bci_own(at.code, target);
    BciInsn *i = own ? bci_emit(at, op) : NULL;
    if (i) {
        i->target = target;
        target->is_target = true;
    }
    return i;
}

BciInsn *bci_switch(BciPos at, const int32_t *keys, BciLabel *const *targets, uint32_t n, BciLabel *deflt) {
    BciClass *c = cls(at);
    if (!c || !deflt || !bci_own(at.code, deflt)) return NULL;
    for (uint32_t k = 1; k < n; k++)
        if (keys[k] <= keys[k - 1]) return usage(at, "bci_switch (keys not ascending)", CF_OP_LOOKUPSWITCH);
    int64_t range = n ? (int64_t)keys[n - 1] - keys[0] + 1 : 0;
    bool table = n && range * 4 + 12 <= (int64_t)n * 8 + 8;
    uint32_t rows = table ? (uint32_t)range : n;
    BciSwitch *sw = CF_NEW(&c->arena, BciSwitch);
    if (sw) {
        sw->n = rows;
        sw->deflt = deflt;
        sw->keys = cf_arena_alloc(&c->arena, rows * sizeof *sw->keys);
        sw->targets = cf_arena_alloc(&c->arena, rows * sizeof *sw->targets);
    }
    if (!sw || !sw->keys || !sw->targets) return bci_refuse(at.code->m, CF_ERR_NOMEM, BCI_NO_PC, "out of memory");
    for (uint32_t k = 0, from = 0; k < rows; k++) {
        sw->keys[k] = table ? (int32_t)(keys[0] + k) : keys[k];
        sw->targets[k] = keys[from] == sw->keys[k] ? targets[from++] : deflt;
        if (!sw->targets[k] || !bci_own(at.code, sw->targets[k])) return NULL;
        sw->targets[k]->is_target = true;
    }
    deflt->is_target = true;
    BciInsn *i = bci_emit(at, table ? CF_OP_TABLESWITCH : CF_OP_LOOKUPSWITCH);
    if (i) i->sw = sw;
    return i;
}

const char *bci_return_desc(BciMethod *m) {
    const char *d = bci_method_desc(m);
    CfStr result = d ? cf_desc_result(cf_str(d)) : (CfStr){NULL, 0};
    return result.len ? result.p : "V";
}

BciInsn *bci_return(BciPos at) {
    if (!cls(at)) return NULL;
    int k = kind_number(bci_return_desc(at.code->m)[0]);
    return bci_op(at, k < 0 ? CF_OP_RETURN : CF_OP_IRETURN + (unsigned)k);
}

/* ---- values ---- */

static const struct box {
    char prim;
    const char *name, *value_of, *unbox, *unbox_desc;
} boxes[] = {
    {'Z', "java/lang/Boolean", "(Z)Ljava/lang/Boolean;", "booleanValue", "()Z"},
    {'B', "java/lang/Byte", "(B)Ljava/lang/Byte;", "byteValue", "()B"},
    {'C', "java/lang/Character", "(C)Ljava/lang/Character;", "charValue", "()C"},
    {'S', "java/lang/Short", "(S)Ljava/lang/Short;", "shortValue", "()S"},
    {'I', "java/lang/Integer", "(I)Ljava/lang/Integer;", "intValue", "()I"},
    {'J', "java/lang/Long", "(J)Ljava/lang/Long;", "longValue", "()J"},
    {'F', "java/lang/Float", "(F)Ljava/lang/Float;", "floatValue", "()F"},
    {'D', "java/lang/Double", "(D)Ljava/lang/Double;", "doubleValue", "()D"},
};

static const struct box *box_of(const char *desc) {
    for (size_t k = 0; k < sizeof boxes / sizeof *boxes; k++)
        if (boxes[k].prim == desc[0]) return &boxes[k];
    return NULL;
}

void bci_box(BciPos at, const char *desc) {
    const struct box *b = box_of(desc);
    if (b) bci_invoke(at, CF_OP_INVOKESTATIC, b->name, "valueOf", b->value_of);
}

void bci_unbox(BciPos at, const char *desc) {
    const struct box *b = box_of(desc);
    if (b) {
        bci_type(at, CF_OP_CHECKCAST, b->name);
        bci_invoke(at, CF_OP_INVOKEVIRTUAL, b->name, b->unbox, b->unbox_desc);
    } else if (desc[0] == '[') {
        bci_type(at, CF_OP_CHECKCAST, desc);
    } else if (desc[0] == 'L' && strlen(desc) > 2 && cls(at)) {
        const char *n = bci_zstr(cls(at), (CfStr){desc + 1, (uint32_t)strlen(desc) - 2});
        if (n) bci_type(at, CF_OP_CHECKCAST, n);
    }
}

void bci_load_args(BciPos at) {
    if (!cls(at)) return;
    const CfClass *cf = cls(at)->cf;
    const CfMember *m = bci_member(at.code->m);
    uint32_t slot = !(m->access & CF_ACC_STATIC);
    CfDescIter it = cf_desc_start(cf_utf8(cf, m->desc));
    CfStr t;
    while (cf_desc_next(&it, &t)) {
        bci_load(at, t.p[0], slot);
        slot += cf_desc_slots(t);
    }
}

void bci_dup_value(BciPos at, const char *desc) {
    unsigned n = cf_desc_slots(cf_str(desc));
    if (n) bci_op(at, n == 2 ? CF_OP_DUP2 : CF_OP_DUP);
}

int bci_param_slot(BciMethod *m, unsigned n, const char **desc) {
    if (!m) return -1;
    const CfMember *cm = bci_member(m);
    int slot = !(cm->access & CF_ACC_STATIC);
    CfDescIter it = cf_desc_start(cf_utf8(m->cls->cf, cm->desc));
    CfStr t;
    while (cf_desc_next(&it, &t)) {
        if (n-- == 0) {
            if (desc) *desc = bci_zstr(m->cls, t);
            return slot;
        }
        slot += (int)cf_desc_slots(t);
    }
    return -1;
}
