/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_points.c - which sequences a plan wants where in one body.
 *
 * First pass over the code: framing, branches, returns. If a rule wants more than entry, returns
 * and throws, a second pass visits every instruction. Insertions come nearly in the order of their
 * keys (code behind an instruction may come before code in front of it).
 *
 * A sequence leaves the stack as it found it. Values that are on the stack (result, receiver,
 * arguments) are moved to scratch locals behind all others and pushed again.
 */
#include "bci_rules.h"
#include "cf_lengths.h"

/* What the first pass must look at. */
enum { K_BRANCH = 1, K_SWITCH = 2, K_RETURN = 4, K_OTHER = 8, K_JSR = 16 };

static const struct {
    uint8_t len[256], kind[256];
} pass = {
    .len =
        {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) [value] = LEN_##format,
#include "opcodes.def"
#undef OPCODE
        },
    .kind =
        {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) \
    [value] = ((flags)&CF_OF_BRANCH ? K_BRANCH : 0) | ((flags)&CF_OF_SWITCH ? K_SWITCH : 0) | \
              ((flags)&CF_OF_RETURN ? K_RETURN : 0) | ((flags) & (CF_OF_JSR | CF_OF_RET) ? K_JSR : 0) | \
              (LEN_##format ? 0 : K_OTHER),
#include "opcodes.def"
#undef OPCODE
        },
};

/* ---- building a sequence ---- */

static const CfStr object = {"Ljava/lang/Object;", 18}, thrown = {"Ljava/lang/Throwable;", 21};

typedef struct Seq {
    BciApply *a;
    BciWeave *w;
    int depth, max; /* slots above what was there */
    uint32_t from;  /* its first byte */
    uint32_t temp;  /* next scratch slot */
    bool this_ok;
    bool object;         /* the frame says no more of the thrown operand than that it is an Object */
    bool consumes;       /* the operand is a copy that the sequence takes off the stack */
    uint32_t pc, target; /* target: of an edge */
    const BciAct *act;
    /* the values at the point: types by descriptor, scratch slots */
    CfStr owner, name, desc, operand[257];
    uint32_t slot[257], noperands;
    bool has_receiver, receiver_ok, saved;
    BciFit fit;
} Seq;

__attribute__((format(printf, 2, 3))) static void bad_value(Seq *s, const char *fmt, ...) {
    if (s->fit != BCI_FITS) return;
    CF_PRINT_ARGS(s->a->s->why, fmt);
    s->w->why = s->a->s->why;
    s->fit = BCI_BAD_VALUE;
}

static void moves(Seq *s, int by) {
    s->depth += by;
    if (s->depth > s->max) s->max = s->depth;
}

static void op(Seq *s, unsigned code, int by) {
    cf_w_u1(&s->w->seq, code);
    moves(s, by);
}

static void op_pool(Seq *s, unsigned code, unsigned index, int by) {
    if (!index) s->fit = bci_no_index(s->a);
    cf_w_u1(&s->w->seq, code);
    cf_w_u2(&s->w->seq, index);
    moves(s, by);
}

static void push_int(Seq *s, int32_t n) {
    if (n >= -1 && n <= 5) {
        op(s, (unsigned)(CF_OP_ICONST_0 + n), 1);
    } else if (n == (int8_t)n) {
        op(s, CF_OP_BIPUSH, 1);
        cf_w_u1(&s->w->seq, (uint8_t)n);
    } else if (n == (int16_t)n) {
        op(s, CF_OP_SIPUSH, 1);
        cf_w_u2(&s->w->seq, (uint16_t)n);
    } else {
        unsigned k = bci_add_entry(s->a, CF_CONST_INTEGER, (uint32_t)n, 0, (CfStr){0});
        op_pool(s, CF_OP_LDC_W, k, 1);
    }
}

static void push_string(Seq *s, unsigned utf8) {
    op_pool(s, CF_OP_LDC_W, bci_add_entry(s->a, CF_CONST_STRING, utf8, 0, (CfStr){0}), 1);
}

static int slots(CfStr t) { return (int)cf_desc_slots(t); }

/* load (false) or store (true) of a value of descriptor t. */
static void local(Seq *s, CfStr t, uint32_t slot, bool store) {
    unsigned k = t.p[0] == 'J' ? 1 : t.p[0] == 'F' ? 2 : t.p[0] == 'D' ? 3 : t.p[0] == 'L' || t.p[0] == '[' ? 4 : 0;
    unsigned base = (store ? CF_OP_ISTORE : CF_OP_ILOAD) + k;
    if (slot > 255) {
        cf_w_u1(&s->w->seq, CF_OP_WIDE);
        cf_w_u1(&s->w->seq, base);
        cf_w_u2(&s->w->seq, slot);
    } else {
        cf_w_u1(&s->w->seq, base);
        cf_w_u1(&s->w->seq, slot);
    }
    moves(s, store ? -slots(t) : slots(t));
}

static void box(Seq *s, CfStr t) {
    const char *k = strchr(bci_box_letters, t.p[0]);
    if (!k || !t.p[0]) return;
    op_pool(s, CF_OP_INVOKESTATIC, bci_use(s->a, s->a->plan->boxes[k - bci_box_letters]), 1 - slots(t));
}

/* The parameter that a value is for, as messages call it. */
typedef struct Wanted {
    char word[24], text[140];
} Wanted;

static Wanted wanted(const Seq *s, const BciValue *v) {
    Wanted w;
    bci_value_word(v, w.word, sizeof w.word);
    snprintf(w.text, sizeof w.text, "parameter %d (%.*s) of %s", (int)(v - s->act->values), CF_STR_ARGS(v->want), s->act->text);
    return w;
}

static void does_not_fit(Seq *s, CfStr have, const BciValue *v) {
    Wanted w = wanted(s, v);
    bad_value(s, "value \"%s\" (%.*s) does not fit %s", w.word, CF_STR_ARGS(have), w.text);
}

/* A value of type `have` lies on the stack and goes to the parameter that `v` is for. */
static void convert(Seq *s, CfStr have, const BciValue *v) {
    CfStr want = v->want;
    bool ref = have.p[0] == 'L' || have.p[0] == '[';
    bool int_like = strchr("ISBCZ", have.p[0]) != NULL;
    if (cf_str_eq(have, want) || (int_like && want.p[0] == 'I')) return;
    if (!cf_str_is(want, "Ljava/lang/Object;")) does_not_fit(s, have, v);
    else if (!ref) box(s, have);
}

/* The same for operand k. */
static void convert_operand(Seq *s, uint32_t k, const BciValue *v) {
    if (s->object && cf_str_is(v->want, "Ljava/lang/Throwable;"))
        op_pool(s, CF_OP_CHECKCAST, bci_use(s->a, s->a->plan->throwable), 0);
    else convert(s, s->operand[k], v);
}

/* Moves the operands of the point to scratch locals; the last is on top. */
static void save_operands(Seq *s) {
    if (s->saved) return;
    s->saved = true;
    for (uint32_t k = s->noperands; k-- > 0;) {
        s->slot[k] = s->temp;
        s->temp += (uint32_t)slots(s->operand[k]);
        local(s, s->operand[k], s->slot[k], true);
    }
}

static void restore_operands(Seq *s) {
    if (!s->saved || s->consumes) return;
    for (uint32_t k = 0; k < s->noperands; k++) local(s, s->operand[k], s->slot[k], false);
}

/* ---- values ---- */

/* The caller's answer, which is kept in case the method has to be done again. */
static int32_t asked_number(Seq *s, bool is_method) {
    BciApply *a = s->a;
    BciScratch *sc = a->s;
    sc->tmp.len = 0;
    bci_put(&sc->tmp, a->name_text.p, a->name_text.len);
    cf_w_u1(&sc->tmp, 0);
    bci_put(&sc->tmp, a->desc_text.p, a->desc_text.len);
    cf_w_u1(&sc->tmp, 0);
    if (sc->tmp.bad) {
        s->fit = BCI_NO_MEMORY;
        return 0;
    }
    BciSite site = {.class_name = sc->class_name,
                    .name = (char *)sc->tmp.data,
                    .desc = (char *)sc->tmp.data + a->name_text.len + 1,
                    .method = a->method,
                    .access = a->access,
                    .point = s->act->where,
                    .pc = s->pc,
                    .line = sc->lines.len ? ((uint16_t *)sc->lines.data)[s->pc] : 0,
                    .target = s->target,
                    .is_method = is_method};
    int32_t n = a->req->id(a->req->ctx, &site);
    bci_put(&sc->numbers, &n, sizeof n);
    if (sc->numbers.bad) s->fit = BCI_NO_MEMORY;
    return n;
}

static int32_t number_of(Seq *s, bool is_method) {
    BciApply *a = s->a;
    int32_t n = is_method ? a->method : (int32_t)a->sites++;
    if (!a->req->id) return n;
    if (!a->numbers) return asked_number(s, is_method);
    memcpy(&n, a->numbers, sizeof n);
    a->numbers += sizeof n;
    return n;
}

static void load_this(Seq *s) {
    uint32_t slot = bci_passed_in(s->w, 0);
    if (slot) local(s, CF_STR("L"), slot, false);
    else op(s, CF_OP_ALOAD_0, 1);
}

/* A value becomes an element: boxed, or of a primitive type that it can be widened to (JLS 5.1.2). */
static void convert_element(Seq *s, CfStr have, char elem, const BciValue *v) {
    char kind = strchr("BCSZ", have.p[0]) ? 'I' : have.p[0];
    if (elem == 'L') box(s, have);
    else if (elem == 'J' && kind == 'I') op(s, CF_OP_I2L, 1);
    else if (elem == 'D' && kind == 'I') op(s, CF_OP_I2D, 1);
    else if (elem == 'D' && kind == 'F') op(s, CF_OP_F2D, 1);
    else if (kind != elem) does_not_fit(s, have, v);
}

/* An array of the values of `n` locals: Object[], or of the primitive type that `v` wants. */
static void push_array(Seq *s, const CfStr *types, const uint32_t *at, uint32_t n, const BciValue *v) {
    enum { T_DOUBLE = 7, T_INT = 10, T_LONG = 11 };
    char elem = v->want.p[0] == '[' ? v->want.p[1] : 'L';
    push_int(s, (int32_t)n);
    if (elem == 'L') {
        op_pool(s, CF_OP_ANEWARRAY, bci_use(s->a, s->a->plan->object), 0);
    } else {
        op(s, CF_OP_NEWARRAY, 0);
        cf_w_u1(&s->w->seq, elem == 'I' ? T_INT : elem == 'J' ? T_LONG : T_DOUBLE);
    }
    for (uint32_t k = 0; k < n; k++) {
        op(s, CF_OP_DUP, 1);
        push_int(s, (int32_t)k);
        local(s, types[k], at[k], false);
        convert_element(s, types[k], elem, v);
        switch (elem) {
        case 'I': op(s, CF_OP_IASTORE, -3); break;
        case 'J': op(s, CF_OP_LASTORE, -4); break;
        case 'D': op(s, CF_OP_DASTORE, -4); break;
        default: op(s, CF_OP_AASTORE, -3);
        }
    }
}

static void push_params(Seq *s, const BciValue *v) {
    CfStr types[256], t;
    uint32_t at[256], n = 0, slot = !s->a->is_static;
    CfDescIter it = cf_desc_start(s->a->desc_text);
    while (n < 255 && cf_desc_next(&it, &t)) {
        types[n] = t;
        at[n++] = bci_passed_in(s->w, slot);
        slot += (uint32_t)slots(t);
    }
    push_array(s, types, at, n, v);
}

static void no_value(Seq *s, const BciValue *v) {
    Wanted w = wanted(s, v);
    bad_value(s, "there is no value \"%s\" at this place for %s", w.word, w.text);
}

static void push_operand(Seq *s, uint32_t k, const BciValue *v) {
    if (k >= s->noperands || s->operand[k].p[0] == 'V') {
        if (v->want.p[0] != 'L' && v->want.p[0] != '[') no_value(s, v);
        op(s, CF_OP_ACONST_NULL, 1);
        return;
    }
    local(s, s->operand[k], s->slot[k], false);
    convert_operand(s, k, v);
}

static void push_elapsed(Seq *s) {
    op_pool(s, CF_OP_INVOKESTATIC, bci_use(s->a, s->a->plan->nano), 2);
    local(s, CF_STR("J"), bci_passed_in(s->w, BCI_KEPT_TIME), false);
    op(s, CF_OP_LSUB, -2);
}

static unsigned utf8_of(Seq *s, CfStr t) { return bci_add_entry(s->a, CF_CONST_UTF8, 0, 0, t); }

static void push_param(Seq *s, const BciValue *v) {
    uint32_t slot;
    CfStr t = bci_param(s->a, v->n, &slot);
    if (t.p) {
        local(s, t, bci_passed_in(s->w, slot), false);
        convert(s, t, v);
        return;
    }
    Wanted w = wanted(s, v);
    bad_value(s, "the method has no parameter %d, wanted as \"%s\" for %s", v->n, w.word, w.text);
}

static void push_value(Seq *s, const BciValue *v) {
    BciApply *a = s->a;
    uint32_t first = s->has_receiver;
    switch (v->kind) {
    case BCI_V_METHOD: push_int(s, number_of(s, true)); break;
    case BCI_V_SITE: push_int(s, number_of(s, false)); break;
    case BCI_V_LINE: push_int(s, ((uint16_t *)a->s->lines.data)[s->pc]); break;
    case BCI_V_INT: push_int(s, v->n); break;
    case BCI_V_CLASS: push_string(s, utf8_of(s, bci_view_class(&a->v, a->v.this_class))); break;
    case BCI_V_NAME: push_string(s, a->name); break;
    case BCI_V_DESC: push_string(s, a->desc); break;
    case BCI_V_STR: op_pool(s, CF_OP_LDC_W, bci_use(a, v->konst), 1); break;
    case BCI_V_THIS:
        if (a->is_static || !s->this_ok) op(s, CF_OP_ACONST_NULL, 1);
        else load_this(s);
        break;
    case BCI_V_PARAM: push_param(s, v); break;
    case BCI_V_PARAMS: push_params(s, v); break;
    case BCI_V_RESULT:
    case BCI_V_EXCEPTION: push_operand(s, 0, v); break;
    case BCI_V_RECEIVER:
        if (s->has_receiver && s->receiver_ok) push_operand(s, 0, v);
        else op(s, CF_OP_ACONST_NULL, 1);
        break;
    case BCI_V_ARG: push_operand(s, (uint32_t)v->n + first, v); break;
    case BCI_V_ARGS: push_array(s, s->operand + first, s->slot + first, s->noperands - first, v); break;
    case BCI_V_OWNER: push_string(s, utf8_of(s, s->owner)); break;
    case BCI_V_MEMBER: push_string(s, utf8_of(s, s->name)); break;
    case BCI_V_MEMBER_DESC: push_string(s, utf8_of(s, s->desc)); break;
    case BCI_V_NANOS: op_pool(s, CF_OP_INVOKESTATIC, bci_use(a, a->plan->nano), 2); break;
    case BCI_V_ELAPSED: push_elapsed(s); break;
    case BCI_V_NULL: op(s, CF_OP_ACONST_NULL, 1); break;
    case BCI_V_COUNT: break;
    }
}

/* ---- acts ---- */

/* Of a counter that is a field, or of the place's element of an array. */
static void count_in_field(Seq *s, bool wide) {
    int n = wide ? 2 : 1;
    unsigned f = bci_use(s->a, s->act->konst);
    op_pool(s, CF_OP_GETSTATIC, f, n);
    op(s, wide ? CF_OP_LCONST_1 : CF_OP_ICONST_1, n);
    op(s, wide ? CF_OP_LADD : CF_OP_IADD, -n);
    op_pool(s, CF_OP_PUTSTATIC, f, -n);
}

static void count(Seq *s) {
    bool wide = s->act->wide;
    if (!s->act->in_array) return count_in_field(s, wide);
    op_pool(s, CF_OP_GETSTATIC, bci_use(s->a, s->act->konst), 1);
    push_int(s, number_of(s, false));
    op(s, CF_OP_DUP2, 2);
    op(s, wide ? CF_OP_LALOAD : CF_OP_IALOAD, wide ? 0 : -1);
    op(s, wide ? CF_OP_LCONST_1 : CF_OP_ICONST_1, wide ? 2 : 1);
    op(s, wide ? CF_OP_LADD : CF_OP_IADD, wide ? -2 : -1);
    op(s, wide ? CF_OP_LASTORE : CF_OP_IASTORE, wide ? -4 : -3);
}

static void call(Seq *s) {
    const BciAct *act = s->act;
    bool dup = act->only_operand && s->noperands == 1 && s->operand[0].p[0] != 'V';
    int args = 0;
    if (act->operands && !dup && !(s->noperands == 1 && s->operand[0].p[0] == 'V')) save_operands(s);
    for (uint32_t k = 0; k < act->nvalues; k++) {
        const BciValue *v = &act->values[k];
        if (k == 0 && dup) {
            bool two = slots(s->operand[0]) == 2;
            if (!s->consumes) op(s, two ? CF_OP_DUP2 : CF_OP_DUP, two ? 2 : 1);
            convert_operand(s, 0, v);
        } else {
            push_value(s, v);
        }
        args += slots(v->want);
    }
    if (act->itf && s->a->v.major < 52)
        bad_value(s, "static methods of interfaces, as %s, can be called from class version 52 on, and this is %u (JVMS 4.9.1)",
                  act->text, s->a->v.major);
    op_pool(s, CF_OP_INVOKESTATIC, bci_use(s->a, act->konst), -args);
    restore_operands(s);
}

static bool note(BciWeave *w, uint32_t key, uint32_t seq, uint32_t drop) {
    if (!BCI_WANT(w->ins, w->cap_ins, w->nins + 1)) return false;
    uint32_t k = w->nins++;
    for (; k && w->ins[k - 1].key > key; k--) w->ins[k] = w->ins[k - 1];
    w->ins[k] = (BciIns){key, seq, (uint32_t)w->seq.len - seq, drop};
    return true;
}

static bool this_ok(const BciApply *a, uint32_t pc) {
    return !a->is_init || (a->uninit ? a->uninit[pc] == 0 : pc >= a->init_end);
}

/* Is the constructor call at pc that of this() or super()? */
static bool initialises_this(const BciApply *a, uint32_t pc, uint32_t len) {
    return a->is_init && (a->uninit ? a->uninit[pc] == 2 : pc + len == a->init_end);
}

static Seq start_seq(BciApply *a, const BciAct *act, uint32_t pc, bool with_this) {
    BciWeave *w = &a->s->w;
    Seq s;
    s.a = a;
    s.w = w;
    s.act = act;
    s.from = (uint32_t)w->seq.len;
    s.depth = s.max = 0;
    s.temp = w->b.max_locals + w->kept_slots;
    s.this_ok = with_this;
    s.pc = pc;
    s.noperands = 0;
    s.has_receiver = s.receiver_ok = s.saved = s.consumes = s.object = false;
    s.target = 0;
    s.fit = BCI_FITS;
    return s;
}

static void count_temps(const Seq *s) {
    BciWeave *w = s->w;
    uint32_t temps = s->temp - w->b.max_locals - w->kept_slots;
    if (temps > w->temps) w->temps = temps;
}

static BciFit end_seq(Seq *s, uint32_t key, uint32_t drop) {
    BciWeave *w = s->w;
    count_temps(s);
    if ((key & 3) == BCI_AT_ENTRY) {
        if ((uint32_t)s->max > w->entry_stack) w->entry_stack = (uint32_t)s->max;
    } else if (s->max > 0 && (uint32_t)s->max > w->extra_stack) {
        w->extra_stack = (uint32_t)s->max;
    }
    if (s->fit == BCI_FITS && (w->seq.bad || !note(w, key, s->from, drop))) return BCI_NO_MEMORY;
    return s->fit;
}

static void run_act(Seq *s) {
    if (s->act->kind == BCI_DO_COUNT) count(s);
    else call(s);
}

static BciFit act_at(Seq *s, uint32_t key) {
    run_act(s);
    return end_seq(s, key, 0);
}

static void add_operand(Seq *s, CfStr type) { s->operand[s->noperands++] = type; }

/* One act at a place without operands. */
static BciFit plain(BciApply *a, const BciAct *act, uint32_t pc, uint32_t place) {
    bool entry = place == BCI_AT_ENTRY;
    Seq s = start_seq(a, act, pc, entry ? !a->is_init : this_ok(a, pc));
    return act_at(&s, pc * 4 + place);
}

static BciFit all_plain(BciApply *a, BciWhere where, uint32_t pc, uint32_t place) {
    BciFit fit = BCI_FITS;
    BCI_EACH_ACT(a, act)
    if (act->where == where && act->kind <= BCI_DO_COUNT && fit == BCI_FITS) fit = plain(a, act, pc, place);
    return fit;
}

/* With one operand on top of the stack. */
static BciFit with_operand(BciApply *a, const BciAct *act, uint32_t pc, CfStr type) {
    Seq s = start_seq(a, act, pc, this_ok(a, pc));
    s.object = act->where == BCI_HANDLER && a->s->marks.data[pc] & BCI_HAS_OBJECT;
    add_operand(&s, type);
    return act_at(&s, pc * 4 + BCI_AT_BEFORE);
}

static BciFit returns_at(BciApply *a, uint32_t pc) {
    BciFit fit = BCI_FITS;
    BCI_EACH_ACT(a, act)
    if (act->where == BCI_RETURN && fit == BCI_FITS) fit = with_operand(a, act, pc, a->ret);
    return fit;
}

/* ---- the entry ---- */

static BciFit entry_code(BciApply *a) {
    BciWeave *w = &a->s->w;
    BciFit fit = BCI_FITS;
    for (uint32_t k = 0; k < w->nkept && fit == BCI_FITS; k++) {
        const BciKept *kept = &w->kept[k];
        Seq s = start_seq(a, NULL, 0, false);
        if (kept->of == BCI_KEPT_TIME) op_pool(&s, CF_OP_INVOKESTATIC, bci_use(a, a->plan->nano), 2);
        else local(&s, kept->desc, kept->of, false);
        local(&s, kept->desc, kept->at, true);
        fit = end_seq(&s, BCI_AT_ENTRY, 0);
    }
    if (fit == BCI_FITS) fit = all_plain(a, BCI_ENTRY, 0, BCI_AT_ENTRY);
    if (fit == BCI_FITS && !a->is_init) fit = all_plain(a, BCI_BODY, 0, BCI_AT_ENTRY);
    return fit;
}

/* Nothing but entry code: its length becomes a multiple of four, then switches keep their padding. */
static BciFit pad_entry(BciWeave *w) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->nins; k++) n += w->ins[k].len;
    if (n & 3) {
        uint32_t from = (uint32_t)w->seq.len;
        for (; n & 3; n++) cf_w_u1(&w->seq, CF_OP_NOP);
        if (w->seq.bad || !note(w, BCI_AT_ENTRY, from, 0)) return BCI_NO_MEMORY;
    }
    return BCI_FITS;
}

/* ---- first pass ---- */

static bool push_pc(uint32_t **v, uint32_t *n, uint32_t *cap, uint32_t pc) {
    if (!BCI_WANT(*v, *cap, *n + 1)) return false;
    (*v)[(*n)++] = pc;
    return true;
}

static BciFit first_pass(BciWeave *w, bool *jsr) {
    const uint8_t *code = w->b.code;
    uint32_t n = w->b.code_len, pc = 0;
    while (pc < n) {
        unsigned o = code[pc];
        uint32_t len = pass.len[o], kind = pass.kind[o];
        if (kind || !len) {
            if (kind & (K_BRANCH | K_SWITCH)) {
                w->switches |= (kind & K_SWITCH) != 0;
                if (!push_pc(&w->relocs, &w->nrelocs, &w->cap_relocs, pc)) return BCI_NO_MEMORY;
            } else if (kind & K_RETURN) {
                if (!push_pc(&w->exits, &w->nexits, &w->cap_exits, pc)) return BCI_NO_MEMORY;
            }
            *jsr |= (kind & K_JSR) != 0;
            if (!len && !(len = cf_insn_length(code, n, pc))) return BCI_MALFORMED;
            if (o == CF_OP_WIDE && code[pc + 1] == CF_OP_RET) *jsr = true;
        }
        pc += len;
    }
    w->walked = true;
    return pc == n ? BCI_FITS : BCI_MALFORMED;
}

/* ---- second pass ---- */

static bool member_at(Seq *s, unsigned index) { return bci_view_member(&s->a->v, index, &s->owner, &s->name, &s->desc); }

static bool site_matches(const BciAct *act, const Seq *s) {
    return !act->has_site || (bci_glob(act->site.cls, s->owner, false) && bci_glob(act->site.name, s->name, true) &&
                              bci_glob(act->site.desc, s->desc, true));
}

/* Receiver and arguments as operands; uninitialised objects are moved but not shown. */
static void call_operands(Seq *s, unsigned o) {
    s->has_receiver = o != CF_OP_INVOKESTATIC;
    s->receiver_ok = s->has_receiver && !cf_str_is(s->name, "<init>");
    if (s->has_receiver) add_operand(s, object);
    CfDescIter it = cf_desc_start(s->desc);
    CfStr t;
    while (s->noperands < 256 && cf_desc_next(&it, &t)) add_operand(s, t);
}

static BciFit redirect(Seq *s, unsigned o, uint32_t len) {
    BciApply *a = s->a;
    if (o == CF_OP_INVOKESPECIAL || o == CF_OP_INVOKEDYNAMIC || cf_str_is(s->name, "<init>")) return BCI_FITS;
    for (uint32_t k = s->w->nins; k && s->w->ins[k - 1].key >> 2 >= s->pc; k--)
        if (s->w->ins[k - 1].key == s->pc * 4 + BCI_AT_REPLACE) return BCI_FITS; /* the first redirection wins */
    CfWriter *t = &a->s->tmp;
    t->len = 0;
    CfStr desc = s->desc;
    if (o != CF_OP_INVOKESTATIC) {
        bool array = s->owner.p[0] == '[';
        cf_w_u1(t, '(');
        if (!array) cf_w_u1(t, 'L');
        bci_put(t, s->owner.p, s->owner.len);
        if (!array) cf_w_u1(t, ';');
        bci_put(t, s->desc.p + 1, s->desc.len - 1);
        if (t->bad || t->len > 65535) return BCI_NO_MEMORY;
        desc = (CfStr){(char *)t->data, (uint32_t)t->len};
        if (!cf_method_desc_valid(desc)) return BCI_FITS;
    }
    unsigned d = bci_add_entry(a, CF_CONST_UTF8, 0, 0, desc);
    unsigned n = bci_add_entry(a, CF_CONST_UTF8, 0, 0, cf_str(s->act->values_text));
    unsigned nat = bci_add_entry(a, CF_CONST_NAMEANDTYPE, n, d, (CfStr){0});
    unsigned m = bci_add_entry(a, CF_CONST_METHODREF, bci_use(a, s->act->konst), nat, (CfStr){0});
    op_pool(s, CF_OP_INVOKESTATIC, m, 0);
    return end_seq(s, s->pc * 4 + BCI_AT_REPLACE, len);
}

/* dynamic calls have no owner */
static bool dynamic_at(Seq *s, unsigned index) {
    unsigned x, nat, n, d;
    if (!bci_view_pair(&s->a->v, index, &x, &nat) || !bci_view_pair(&s->a->v, nat, &n, &d)) return false;
    s->owner = (CfStr){"", 0};
    s->name = bci_view_utf8(&s->a->v, n);
    s->desc = bci_view_utf8(&s->a->v, d);
    return s->name.p && s->desc.p;
}

static BciFit at_call(BciApply *a, const BciAct *act, uint32_t pc, unsigned o, uint32_t len) {
    Seq s = start_seq(a, act, pc, this_ok(a, pc));
    unsigned index = cf_get_u2(a->s->w.b.code + pc + 1);
    if (!(o == CF_OP_INVOKEDYNAMIC ? dynamic_at(&s, index) : member_at(&s, index)) || cf_desc_arg_slots(s.desc, NULL) < 0)
        return BCI_MALFORMED;
    if (!site_matches(act, &s)) return BCI_FITS;
    if (act->kind == BCI_DO_REDIRECT) return redirect(&s, o, len);
    if (act->where == BCI_CALL_BEFORE) {
        if (act->operands) call_operands(&s, o == CF_OP_INVOKEDYNAMIC ? CF_OP_INVOKESTATIC : o);
        return act_at(&s, pc * 4 + BCI_AT_BEFORE);
    }
    add_operand(&s, cf_desc_result(s.desc));
    s.this_ok = this_ok(a, pc) || initialises_this(a, pc, len);
    return act_at(&s, (pc + len) * 4 + BCI_AT_AFTER);
}

/* ---- new objects ---- */

/* In front of a constructor call: one more reference to the object under its arguments. It becomes
 * initialised with the others, wherever those are. */
static void copy_receiver(Seq *s) {
    static const uint8_t under_one[] = {CF_OP_SWAP, CF_OP_DUP_X1, CF_OP_SWAP};
    static const uint8_t under_two[] = {CF_OP_DUP2_X1, CF_OP_POP2, CF_OP_DUP_X2, CF_OP_DUP_X2, CF_OP_POP};
    int args = cf_desc_arg_slots(s->desc, NULL);
    if (args == 0) {
        op(s, CF_OP_DUP, 1);
    } else if (args == 1) {
        bci_put(&s->w->seq, under_one, sizeof under_one);
        moves(s, 1);
    } else if (args == 2) {
        bci_put(&s->w->seq, under_two, sizeof under_two);
        moves(s, 2);
        moves(s, -1);
    } else {
        call_operands(s, CF_OP_INVOKESTATIC);
        save_operands(s);
        op(s, CF_OP_DUP, 1);
        restore_operands(s);
    }
}

static BciFit at_constructor(BciApply *a, const BciAct *act, uint32_t pc, uint32_t len) {
    Seq s = start_seq(a, act, pc, this_ok(a, pc));
    if (!member_at(&s, cf_get_u2(a->s->w.b.code + pc + 1)) || cf_desc_arg_slots(s.desc, NULL) < 0) return BCI_MALFORMED;
    if (!cf_str_is(s.name, "<init>") || initialises_this(a, pc, len) || !site_matches(act, &s)) return BCI_FITS;
    BciFit fit = BCI_FITS;
    Seq behind = s;
    if (act->operands) {
        copy_receiver(&s);
        fit = end_seq(&s, pc * 4 + BCI_AT_BEFORE, 0);
        behind.from = (uint32_t)a->s->w.seq.len;
        behind.consumes = a->copies = true;
        behind.depth = behind.max = 1;
        add_operand(&behind, object);
    }
    run_act(&behind);
    return fit == BCI_FITS ? end_seq(&behind, (pc + len) * 4 + BCI_AT_AFTER, 0) : fit;
}

/* Acts may each have a copy of the object on the stack at the same call. */
static uint32_t most_copies(const BciApply *a) {
    uint32_t n = 0;
    BCI_EACH_ACT(a, act)
    n += act->where == BCI_CONSTRUCTED && act->operands;
    return a->copies ? n : 0;
}

static BciFit at_field(BciApply *a, const BciAct *act, uint32_t pc, unsigned o, uint32_t len) {
    Seq s = start_seq(a, act, pc, this_ok(a, pc));
    if (!member_at(&s, cf_get_u2(a->s->w.b.code + pc + 1)) || s.desc.len == 0) return BCI_MALFORMED;
    if (!site_matches(act, &s)) return BCI_FITS;
    if (act->where == BCI_FIELD_PUT) {
        s.has_receiver = o == CF_OP_PUTFIELD;
        s.receiver_ok = s.this_ok; /* before super() it may be the uninitialised this */
        if (s.has_receiver) add_operand(&s, object);
        add_operand(&s, s.desc);
        return act_at(&s, pc * 4 + BCI_AT_BEFORE);
    }
    add_operand(&s, s.desc);
    return act_at(&s, (pc + len) * 4 + BCI_AT_AFTER);
}

static BciFit at_alloc(BciApply *a, const BciAct *act, uint32_t pc, unsigned o, uint32_t len) {
    static const char *const primitive[] = {"Z", "C", "F", "D", "B", "S", "I", "J"};
    Seq s = start_seq(a, act, pc, this_ok(a, pc));
    const uint8_t *code = a->s->w.b.code + pc;
    s.owner = o == CF_OP_NEWARRAY ? cf_str(primitive[(code[1] - 4) & 7]) : bci_view_class(&a->v, cf_get_u2(code + 1));
    s.name = s.desc = (CfStr){"", 0};
    if (!s.owner.p) return BCI_MALFORMED;
    if (act->has_site && !bci_glob(act->site.cls, s.owner, false)) return BCI_FITS;
    if (o == CF_OP_NEW) {
        return act_at(&s, pc * 4 + BCI_AT_BEFORE);
    }
    add_operand(&s, object);
    return act_at(&s, (pc + len) * 4 + BCI_AT_AFTER);
}

/* ---- branches ---- */

static BciFit on_edge(BciApply *a, const BciAct *act, uint32_t pc, uint32_t target, bool falls) {
    BciWeave *w = &a->s->w;
    Seq s = start_seq(a, act, pc, this_ok(a, pc));
    s.target = target;
    run_act(&s);
    if (falls) return end_seq(&s, target * 4 + BCI_AT_AFTER, 0);
    if (!BCI_WANT(w->edges, w->cap_edges, w->nedges + 1)) return BCI_NO_MEMORY;
    w->edges[w->nedges++] = (BciEdgeIns){pc, target, s.from, (uint32_t)w->seq.len - s.from};
    count_temps(&s);
    return s.fit;
}

static uint32_t nth_target(const CfInsn *i, uint32_t k) { return (uint32_t)(k < i->cases ? cf_switch_target(i, k) : i->target); }

/* Falling through, then each target once (marked while the others are looked at). */
static BciFit edges_at(BciApply *a, const BciAct *act, uint32_t pc) {
    const BciBody *b = &a->s->w.b;
    uint8_t *marks = a->s->marks.data;
    BciFit fit = BCI_FITS;
    CfInsn i;
    if (!cf_insn(b->code, b->code_len, pc, &i)) return BCI_MALFORMED;
    if (cf_op_info[i.op].flags & CF_OF_COND) fit = on_edge(a, act, pc, pc + i.len, true);
    for (uint32_t k = 0; k <= i.cases && fit == BCI_FITS; k++) {
        uint32_t to = nth_target(&i, k);
        if (to >= b->code_len) return BCI_MALFORMED;
        if (!(marks[to] & BCI_SEEN_HERE)) fit = on_edge(a, act, pc, to, false);
        marks[to] |= BCI_SEEN_HERE;
    }
    for (uint32_t k = 0; k <= i.cases; k++)
        if (nth_target(&i, k) < b->code_len) marks[nth_target(&i, k)] &= (uint8_t)~BCI_SEEN_HERE;
    return fit;
}

static bool goes_back(const BciBody *b, uint32_t pc) {
    CfInsn i;
    if (!cf_insn(b->code, b->code_len, pc, &i)) return false;
    bool back = i.target <= (int32_t)pc;
    for (uint32_t k = 0; k < i.cases && !back; k++) back = cf_switch_target(&i, k) <= (int32_t)pc;
    return back;
}

static BciFit at_insn(BciApply *a, const BciAct *act, uint32_t pc, unsigned o, uint32_t len) {
    switch (act->where) {
    case BCI_CALL_BEFORE:
    case BCI_CALL_AFTER: return at_call(a, act, pc, o, len);
    case BCI_FIELD_GET:
    case BCI_FIELD_PUT: return at_field(a, act, pc, o, len);
    case BCI_CONSTRUCTED: return at_constructor(a, act, pc, len);
    case BCI_EDGE: return edges_at(a, act, pc);
    case BCI_NEW:
    case BCI_NEWARRAY: return at_alloc(a, act, pc, o, len);
    case BCI_RETURN: return with_operand(a, act, pc, a->ret);
    case BCI_ATHROW: return with_operand(a, act, pc, thrown);
    case BCI_LOOP: return goes_back(&a->s->w.b, pc) ? plain(a, act, pc, BCI_AT_BEFORE) : BCI_FITS;
    default: return plain(a, act, pc, BCI_AT_BEFORE);
    }
}

static BciFit marked(BciApply *a, uint32_t pc, unsigned marks) {
    BciFit fit = BCI_FITS;
    if (marks & BCI_HAS_HANDLER && a->points >> BCI_HANDLER & 1) {
        BCI_EACH_ACT(a, act)
        if (act->where == BCI_HANDLER && fit == BCI_FITS) fit = with_operand(a, act, pc, thrown);
    }
    if (fit == BCI_FITS && marks & BCI_HAS_LINE && a->points >> BCI_LINE & 1) fit = all_plain(a, BCI_LINE, pc, BCI_AT_BEFORE);
    if (fit == BCI_FITS && marks & BCI_HAS_BLOCK && a->points >> BCI_BLOCK & 1) fit = all_plain(a, BCI_BLOCK, pc, BCI_AT_BEFORE);
    return fit;
}

static BciFit second_pass(BciApply *a) {
    const BciWeave *w = &a->s->w;
    const uint8_t *code = w->b.code, *marks = a->s->marks.data;
    BciFit fit = BCI_FITS;
    for (uint32_t pc = 0, len; pc < w->b.code_len && fit == BCI_FITS; pc += len) {
        unsigned o = code[pc];
        uint32_t here = a->plan->op_points[o] & a->points;
        if (!(len = pass.len[o])) len = cf_insn_length(code, w->b.code_len, pc);
        if (marks[pc]) fit = marked(a, pc, marks[pc]);
        if (here) BCI_EACH_ACT(a, act)
        if (here >> act->where & 1 && act->kind != BCI_DO_NATIVES && fit == BCI_FITS) fit = at_insn(a, act, pc, o, len);
        if (a->points >> BCI_BODY & 1 && fit == BCI_FITS && initialises_this(a, pc, len)) BCI_EACH_ACT(a, act)
        if (act->where == BCI_BODY && fit == BCI_FITS) {
            Seq s = start_seq(a, act, pc, true);
            fit = act_at(&s, (pc + len) * 4 + BCI_AT_AFTER);
        }
    }
    return fit;
}

/* ---- the exceptional exit ---- */

static BciFit throw_code(BciApply *a) {
    BciWeave *w = &a->s->w;
    BciFit fit = BCI_FITS;
    uint32_t nins = w->nins, extra = w->extra_stack, deepest = 1;
    bool types = false;
    w->handler = (uint32_t)w->seq.len;
    BCI_EACH_ACT(a, act) {
        if (act->where != BCI_THROW || act->kind > BCI_DO_COUNT || fit != BCI_FITS) continue;
        types |= act->uses_this || act->uses_params;
        w->extra_stack = 0;
        Seq s = start_seq(a, act, 0, true);
        add_operand(&s, thrown);
        fit = act_at(&s, UINT32_MAX - 3 + BCI_AT_BEFORE); /* behind all others */
        if (w->extra_stack + 1 > deepest) deepest = w->extra_stack + 1;
    }
    w->nins = nins; /* they are no insertions but the handler's body */
    w->extra_stack = extra;
    w->handler_stack = deepest;
    cf_w_u1(&w->seq, CF_OP_ATHROW);
    w->handler_len = (uint32_t)w->seq.len - w->handler;
    w->catch_any = true;
    w->cover_from = a->is_init ? a->init_end : 0;
    if (fit == BCI_FITS && types) fit = bci_entry_types(a, true, &w->handler_types, &w->nhandler);
    w->throwable = (uint16_t)bci_use(a, a->plan->throwable);
    return bci_pool_fit(a, w->seq.bad ? BCI_NO_MEMORY : fit);
}

/* ---- all of a body ---- */

static void want_map(BciApply *a, bool jsr) {
    BciWeave *w = &a->s->w;
    bool had = false;
    const uint8_t *p = w->b.attrs;
    for (unsigned k = 0; k < w->b.nattrs; k++, p += 6 + cf_get_u4(p + 2))
        had |= bci_view_kind(&a->v, cf_get_u2(p)) == CF_ATTR_STACK_MAP_TABLE;
    bool old = a->v.major == 50 && !had && (w->nrelocs || w->b.nrows);
    w->want_map = had ? !jsr : a->v.major >= 50 && !jsr && !old;
    if (w->want_map && w->catch_any && !had) w->map_name = (uint16_t)bci_use(a, a->plan->map_name);
}

static BciFit prepare_ctor(BciApply *a, const BciBody *b) {
    a->init_end = 0;
    if (!a->is_init || a->uninit) return BCI_FITS;
    bool needed = a->points & (1u << BCI_BODY | 1u << BCI_THROW | 1u << BCI_FIELD_PUT | 1u << BCI_CONSTRUCTED);
    BCI_EACH_ACT(a, act)
    needed |= act->uses_this;
    return !needed || bci_find_init(a, b) ? BCI_FITS : BCI_FAR;
}

BciFit bci_gather(BciApply *a, const BciBody *b) {
    BciWeave *w = &a->s->w;
    const uint32_t simple = 1u << BCI_ENTRY | 1u << BCI_RETURN | 1u << BCI_THROW;
    bool jsr = false, lines = a->points >> BCI_LINE & 1;
    BciFit fit;
    w->b = *b;
    w->nins = w->nedges = w->nrelocs = w->nexits = w->extra_stack = w->temps = w->entry_stack = 0;
    w->nkept = w->kept_slots = w->nentry = w->nhandler = w->handler_len = 0;
    w->seq.len = 0;
    w->walked = w->switches = w->catch_any = false;
    w->want_map = true;
    a->copies = false;
    a->lost = NULL;
    w->drop_unknown = a->plan->flags & BCI_PLAN_DROP_UNKNOWN;
    w->why = NULL;
    cf_arena_reset(&a->s->arena);
    w->arena = &a->s->arena;
    BCI_EACH_ACT(a, act)
    lines |= act->uses_line || a->req->id;
    if (a->points >> BCI_RETURN & 1) a->ret = cf_desc_result(a->desc_text);
    if (!a->ret.len) a->ret = CF_STR("V");
    bool only_entry = !(a->points & ~(1u << BCI_ENTRY)) || (!a->is_init && !(a->points & ~(1u << BCI_ENTRY | 1u << BCI_BODY)));
    if ((fit = prepare_ctor(a, b)) != BCI_FITS) return fit;
    if (!only_entry && ((fit = first_pass(w, &jsr)) != BCI_FITS || (fit = bci_keep_passed(a)) != BCI_FITS)) return fit;
    if ((!only_entry && a->points & ~simple) || lines) {
        if (!bci_read_marks(a, lines)) return BCI_NO_MEMORY;
    } else {
        a->s->lines.len = 0;
    }
    if ((fit = entry_code(a)) != BCI_FITS) return fit;
    if (only_entry) return pad_entry(w);
    if (w->nkept && (fit = bci_entry_types(a, false, &w->entry_types, &w->nentry)) != BCI_FITS) return fit;
    if (a->points & ~simple) fit = second_pass(a);
    else
        for (uint32_t k = 0; k < w->nexits && fit == BCI_FITS; k++) fit = returns_at(a, w->exits[k]);
    if (fit == BCI_FITS && a->points >> BCI_THROW & 1) fit = throw_code(a);
    w->extra_stack += most_copies(a);
    want_map(a, jsr);
    return bci_pool_fit(a, w->seq.bad ? BCI_NO_MEMORY : fit);
}
