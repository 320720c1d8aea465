/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_step.c - what one instruction does to a frame (JVMS 4.10.1.9), driven by the letters of
 * opcodes.def.
 *
 * Most opcodes are their row: pop the values of `pops` from the right, push those of `pushes` from
 * the left. What a row cannot say has a function here: stack shuffles, constants, members, object
 * creation, returns. In strict mode each pop asks whether the value found may stand for the value
 * wanted; otherwise only room is checked, and a table of the opcodes, made from the same rows, says
 * how each goes (cf_step, at the end): who computes frames steps over all code there is. What that
 * cannot do, or finds wrong, goes the long way.
 */
#include "cf_dataflow.h"
#include "cf_int.h"
#include "cf_lengths.h"

typedef struct Step {
    CfFlow *f;
    CfTypes *t;
    const CfInsn *i;
    CfFrame *fr;
} Step;

/* ------------------------------------------------------------------------ failing */

__attribute__((format(printf, 3, 4))) static bool fail(Step *s, CfWhy why, const char *fmt, ...) {
    CfFlowError *e = &s->f->error;
    if (e->why != CF_WHY_NONE) return false;
    if (s->t->load_failed) why = CF_WHY_LOAD;
    else if (s->t->nomem) why = CF_WHY_NOMEM;
    e->why = why;
    e->pc = s->i->pc;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->message, sizeof e->message, fmt, ap);
    va_end(ap);
    return false;
}

#define AT(t, origin, index) ((CfTypeAt){(t), CF_FROM_##origin, (index)})

static bool fail_type(Step *s, CfTypeAt found, CfTypeAt expected, const char *msg) {
    if (s->f->error.why == CF_WHY_NONE) {
        s->f->error.found = found;
        s->f->error.expected = expected;
    }
    return fail(s, CF_WHY_TYPE, "%s", msg);
}

/* "Bad type on operand stack in iaload" */
static bool fail_operand(Step *s, CfTypeAt found, CfTypeAt expected) {
    char msg[96];
    snprintf(msg, sizeof msg, "Bad type on operand stack in %s", cf_op_info[s->i->op].name);
    return fail_type(s, found, expected, msg);
}

static bool bad_pool_type(Step *s, unsigned index) {
    char name[128];
    CfStr n = s->t->cls->name;
    unsigned k = 0;
    for (; k < n.len && k + 1 < sizeof name; k++) name[k] = n.p[k] == '/' ? '.' : n.p[k];
    name[k] = 0;
    s->f->error.index = (int32_t)index;
    if (index == 0 || index >= s->t->cls->const_count)
        return fail(s, CF_WHY_POOL_INDEX, "Illegal constant pool index %u in class %s", index, name);
    return fail(s, CF_WHY_POOL_INDEX, "Illegal type at constant pool entry %u in class %s", index, name);
}

/* ------------------------------------------------------------------------ stack */

static bool push(Step *s, CfType t) {
    CfFrame *fr = s->fr;
    if (fr->depth >= s->f->code->max_stack) return fail(s, CF_WHY_OVERFLOW, "Operand stack overflow");
    fr->stack[fr->depth++] = t;
    return true;
}

/* A value of one or two slots. */
static bool push_value(Step *s, CfType t) {
    if (t != CF_T_LONG && t != CF_T_DOUBLE) return push(s, t);
    if (s->fr->depth + 2 > s->f->code->max_stack) return fail(s, CF_WHY_OVERFLOW, "Operand stack overflow");
    return push(s, t) && push(s, t + 1);
}

/* One slot; what was found goes to *found (may be NULL). */
static bool pop(Step *s, CfType want, CfType *found) {
    CfFrame *fr = s->fr;
    if (fr->depth == 0) return fail(s, CF_WHY_UNDERFLOW, "Operand stack underflow");
    CfType t = fr->stack[fr->depth - 1];
    if (s->f->strict && t != want && !cf_type_assignable(s->t, t, want))
        return fail_type(s, AT(t, STACK, fr->depth - 1u), AT(want, IMPLICIT, 0), "Bad type on operand stack");
    fr->depth--;
    if (found) *found = t;
    return true;
}

/* Not strict: only slots count. */
static bool take_slots(Step *s, unsigned n) {
    if (s->fr->depth < n) return fail(s, CF_WHY_UNDERFLOW, "Operand stack underflow");
    s->fr->depth = (uint16_t)(s->fr->depth - n);
    return true;
}

static bool pop_value(Step *s, CfType want) {
    CfFrame *fr = s->fr;
    if (want != CF_T_LONG && want != CF_T_DOUBLE) return pop(s, want, NULL);
    if (fr->depth < 2) return fail(s, CF_WHY_UNDERFLOW, "Operand stack underflow");
    CfType low = fr->stack[fr->depth - 2];
    if (s->f->strict && low != want) /* the reference blames the lower slot */
        return fail_type(s, AT(low, STACK, fr->depth - 2u), AT(want, IMPLICIT, 0), "Bad type on operand stack");
    return pop(s, want + 1, NULL) && pop(s, want, NULL);
}

/* Where the value popped last stood, for messages. */
static CfTypeAt popped_at(const Step *s, CfType t) { return AT(t, STACK, s->fr->depth); }

/* dup family and pop, by the letters: '1' one-slot, '2' two slots of either sort. */
static bool pop_shuffled(Step *s, char letter, CfType *out) {
    CfFrame *fr = s->fr;
    if (letter == '1') return pop(s, CF_T_WANT_ONE, out);
    if (fr->depth == 0) return fail(s, CF_WHY_UNDERFLOW, "Operand stack underflow");
    CfType top = fr->stack[fr->depth - 1];
    if (top == CF_T_LONG2 || top == CF_T_DOUBLE2) return pop(s, CF_T_WANT_TWO_2ND, out + 1) && pop(s, CF_T_WANT_TWO, out);
    return pop(s, CF_T_WANT_ONE, out + 1) && pop(s, CF_T_WANT_ONE, out);
}

static bool step_shuffle(Step *s) {
    const char *pops = cf_op_info[s->i->op].pops;
    CfType a[2] = {0}, b[2] = {0}; /* a = upper item, b = the one below */
    unsigned n = (unsigned)strlen(pops), na = (unsigned)(pops[n - 1] - '0'), nb = n > 1 ? (unsigned)(pops[0] - '0') : 0;
    if (!pop_shuffled(s, pops[n - 1], a) || (n > 1 && !pop_shuffled(s, pops[0], b))) return false;
    if (s->i->op == CF_OP_POP || s->i->op == CF_OP_POP2) return true;
    bool ok = true;
    for (unsigned k = 0; k < na && ok; k++) ok = push(s, a[k]);
    for (unsigned k = 0; k < nb && ok; k++) ok = push(s, b[k]);
    if (s->i->op != CF_OP_SWAP)
        for (unsigned k = 0; k < na && ok; k++) ok = push(s, a[k]);
    return ok;
}

/* ------------------------------------------------------------------------ locals */

static bool local_in_range(Step *s, unsigned last) {
    if (last < s->f->code->max_locals) return true;
    s->f->error.index = (int32_t)last;
    return fail(s, CF_WHY_LOCAL_INDEX, "Local variable table overflow");
}

static bool local_is(Step *s, unsigned index, CfType want) {
    CfType t = s->fr->locals[index];
    if (!s->f->strict || t == want || cf_type_assignable(s->t, t, want)) return true;
    return fail_type(s, AT(t, LOCALS, index), AT(want, IMPLICIT, 0), "Bad local variable type");
}

static CfType letter_type(char c) {
    switch (c) {
    case 'I': return CF_T_INT;
    case 'F': return CF_T_FLOAT;
    case 'J': return CF_T_LONG;
    case 'D': return CF_T_DOUBLE;
    case 'N': return CF_T_NULL;
    default: return CF_T_WANT_REF;
    }
}

static bool step_load(Step *s) {
    CfType want = letter_type(cf_op_info[s->i->op].pushes[0]);
    unsigned n = s->i->index, wide = want == CF_T_LONG || want == CF_T_DOUBLE;
    if (s->f->strict && wide && n + 1 >= s->fr->nlocals) {
        s->f->error.index = (int32_t)n;
        return fail(s, CF_WHY_LOCAL_INDEX, "get long/double overflows locals");
    }
    if (!local_in_range(s, n + wide) || !local_is(s, n, want) || (wide && !local_is(s, n + 1, want + 1))) return false;
    return want == CF_T_WANT_REF ? push(s, s->fr->locals[n]) : push_value(s, want);
}

/* Writing one slot kills the other half of a two-slot value that it hits. */
static void set_local(CfFrame *fr, unsigned n, CfType t) {
    CfType old = fr->locals[n];
    if (old == CF_T_LONG || old == CF_T_DOUBLE) fr->locals[n + 1] = CF_T_TOP;
    else if (old == CF_T_LONG2 || old == CF_T_DOUBLE2) fr->locals[n - 1] = CF_T_TOP;
    fr->locals[n] = t;
    if (n >= fr->nlocals) fr->nlocals = (uint16_t)(n + 1);
}

static bool step_store(Step *s) {
    char c = cf_op_info[s->i->op].pops[0];
    CfType want = c == 'R' ? (CfType)CF_T_WANT_REF : letter_type(c), t = want;
    unsigned n = s->i->index;
    if (want == CF_T_LONG || want == CF_T_DOUBLE) {
        if (!pop_value(s, want) || !local_in_range(s, n + 1)) return false;
        set_local(s->fr, n, want);
        set_local(s->fr, n + 1, want + 1);
        s->fr->locals[n] = want; /* the second write may have taken it for the half of an old value */
        return true;
    }
    if (!pop(s, want, &t) || !local_in_range(s, n)) return false;
    if (t >= CF_T_LONG && t <= CF_T_DOUBLE2)
        t = CF_T_TOP; /* half a value, stored by wrong code when not strict: keep the frame sound */
    set_local(s->fr, n, t);
    return true;
}

/* ------------------------------------------------------------------------ constants */

/* Of an entry that has a NameAndType; `at`: the entry of its descriptor. */
CF_FLOW_INLINE bool name_and_type(const CfTypes *t, CfConst k, CfStr *name, CfStr *desc, unsigned *at) {
    if (cf_operands[k.tag].b != CF_CONST_NAMEANDTYPE) return false;
    CfConst nat = cf_types_entry(t, k.b);
    if (nat.tag != CF_CONST_NAMEANDTYPE) return false;
    *name = cf_types_utf8(t, nat.a);
    *desc = cf_types_utf8(t, *at = nat.b);
    return name->p && desc->p;
}

/* TOP: it cannot be loaded. */
static CfType constant_type(CfTypes *t, CfConst k) {
    CfStr name, desc;
    unsigned since = cf_const_info[k.tag].loadable, at;
    if (!since || since > t->cls->major) return CF_T_TOP;
    switch (k.tag) {
    case CF_CONST_INTEGER: return CF_T_INT;
    case CF_CONST_FLOAT: return CF_T_FLOAT;
    case CF_CONST_LONG: return CF_T_LONG;
    case CF_CONST_DOUBLE: return CF_T_DOUBLE;
    case CF_CONST_STRING: return cf_type_fixed(t, CF_FIXED_STRING);
    case CF_CONST_CLASS: return cf_type_fixed(t, CF_FIXED_CLASS);
    case CF_CONST_METHODTYPE: return cf_type_fixed(t, CF_FIXED_TYPE);
    case CF_CONST_METHODHANDLE: return cf_type_fixed(t, CF_FIXED_HANDLE);
    default: return name_and_type(t, k, &name, &desc, &at) ? cf_type_desc(t, desc) : (CfType)CF_T_TOP;
    }
}

static bool step_ldc(Step *s) {
    CfType t = constant_type(s->t, cf_types_entry(s->t, s->i->index));
    bool two = t == CF_T_LONG || t == CF_T_DOUBLE;
    return t != CF_T_TOP && two == (s->i->op == CF_OP_LDC2_W) ? push_value(s, t) : bad_pool_type(s, s->i->index);
}

/* ------------------------------------------------------------------------ classes and arrays */

/* Type of a Class operand, TOP after failure. */
static CfType class_operand(Step *s) {
    CfType t = cf_type_const(s->t, s->i->index);
    if (cf_type_kind(t) != CF_T_OBJECT) {
        bad_pool_type(s, s->i->index);
        return CF_T_TOP;
    }
    return t;
}

static unsigned dims(CfStr n) {
    unsigned d = 0;
    while (d < n.len && n.p[d] == '[') d++;
    return d;
}

static void forget(CfFrame *fr, CfType old) {
    for (unsigned k = 0; k < fr->nlocals; k++)
        if (fr->locals[k] == old) fr->locals[k] = CF_T_TOP;
}

/* 4.10.1.9.new: the new object must not be confused with an older one of the same instruction. */
static bool step_new(Step *s) {
    CfType t = class_operand(s), made = cf_type_make(CF_T_UNINIT, s->i->pc);
    if (t == CF_T_TOP) return false;
    if (s->f->strict && cf_type_is_array(s->t, t))
        return fail_type(s, AT(t, POOL, s->i->index), (CfTypeAt){0}, "Illegal new instruction");
    forget(s->fr, made);
    for (unsigned k = 0; s->f->strict && k < s->fr->depth; k++)
        if (s->fr->stack[k] == made)
            return fail_type(s, AT(made, STACK, k), (CfTypeAt){0}, "Uninitialized object exists on backward branch");
    return push(s, made);
}

static bool step_newarray(Step *s) {
    static const char *const names[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
    if (s->i->imm < 4 || s->i->imm > 11) return fail(s, CF_WHY_CODE, "Illegal newarray instruction");
    return pop(s, CF_T_INT, NULL) && push(s, cf_type_object(s->t, cf_str(names[s->i->imm - 4])));
}

static bool step_anewarray(Step *s) {
    CfType t = class_operand(s);
    if (t == CF_T_TOP) return false;
    if (dims(cf_type_name(s->t, t)) >= 255)
        return fail(s, CF_WHY_CODE, "Illegal anewarray instruction, array has more than 255 dimensions");
    return pop(s, CF_T_INT, NULL) && push(s, cf_type_array_of(s->t, t, (CfStr){NULL, 0}));
}

static bool step_multianewarray(Step *s) {
    CfType t = class_operand(s);
    if (t == CF_T_TOP) return false;
    unsigned have = dims(cf_type_name(s->t, t));
    if (s->f->strict && have == 0) return fail(s, CF_WHY_CODE, "Illegal constant pool index in multianewarray instruction");
    if (s->f->strict && (s->i->imm < 1 || (unsigned)s->i->imm > have))
        return fail(s, CF_WHY_CODE, "Illegal dimension in multianewarray instruction: %d", s->i->imm);
    for (int k = 0; k < s->i->imm; k++)
        if (!pop(s, CF_T_INT, NULL)) return false;
    return push(s, t);
}

/* checkcast, instanceof */
static bool step_cast(Step *s) {
    CfType t = class_operand(s);
    return t != CF_T_TOP && pop(s, s->t->object, NULL) && push(s, s->i->op == CF_OP_CHECKCAST ? t : (CfType)CF_T_INT);
}

static bool array_matches(Step *s, CfType t, char letter) {
    if (cf_type_kind(t) == CF_T_NULL) return true;
    CfStr n = cf_type_name(s->t, t);
    if (n.len < 2 || n.p[0] != '[') return false;
    switch (letter) {
    case 'X': return true;
    case 'a': return n.p[1] == 'L' || n.p[1] == '[';
    case 'b': return n.len == 2 && (n.p[1] == 'B' || n.p[1] == 'Z');
    default: return n.len == 2 && n.p[1] == letter - 'a' + 'A';
    }
}

/* The type named in messages about a wrong array. */
static CfTypeAt wanted_array(Step *s, char letter) {
    static const char *const names[] = {"b[B", "s[S", "c[C", "i[I", "j[J", "f[F", "d[D"};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k][0] == letter) return AT(cf_type_object(s->t, cf_str(names[k] + 1)), IMPLICIT, 0);
    return letter == 'X' ? (CfTypeAt){0} : AT(CF_T_WANT_REF, IMPLICIT, 0);
}

static bool pop_array(Step *s, char letter, CfType *array) {
    if (!pop(s, CF_T_WANT_REF, array)) return false;
    if (!s->f->strict || array_matches(s, *array, letter)) return true;
    return fail_operand(s, popped_at(s, *array), wanted_array(s, letter));
}

/* ------------------------------------------------------------------------ returns, throw */

static bool step_return(Step *s) {
    CfFlow *f = s->f;
    const char *pops = cf_op_info[s->i->op].pops;
    if (*pops) {
        CfType want = letter_type(*pops), found = want;
        bool wide = want == CF_T_LONG || want == CF_T_DOUBLE;
        if ((wide && !pop(s, want + 1, NULL)) || !pop(s, want, &found)) return false;
        if (!f->strict) return true;
        if (f->returns_void) return fail_type(s, popped_at(s, found), (CfTypeAt){0}, "Method does not expect a return value");
        if (!cf_type_assignable(s->t, found, f->ret))
            return fail_type(s, popped_at(s, found), AT(f->ret, SIGNATURE, 0), "Bad return type");
        return true;
    }
    if (!f->strict) return true;
    if (!f->returns_void) return fail(s, CF_WHY_CODE, "Method expects a return value");
    if (f->is_init && s->fr->this_uninit) return fail(s, CF_WHY_CODE, "Constructor must call super() or this() before return");
    return true;
}

/* ------------------------------------------------------------------------ members */

static bool oracle(Step *s, CfAnswer a) {
    if (a == CF_FAILED) s->t->load_failed = true;
    return a == CF_YES;
}

/* 4.10.1.8 passesProtectedCheck, `found` being the type of the object used. False if the rule is
 * broken. */
static bool protected_ok(Step *s, CfStr owner, CfStr name, CfStr desc, bool method, CfType found) {
    const CfHierarchy *h = s->t->h;
    if (!s->f->strict || found == s->t->this_type || !h || !h->is_superclass_of_this || !h->is_protected_elsewhere) return true;
    if (!oracle(s, h->is_superclass_of_this(h->ctx, owner)) ||
        !oracle(s, h->is_protected_elsewhere(h->ctx, owner, name, desc, method)))
        return !s->t->load_failed;
    if (cf_type_assignable(s->t, found, s->t->this_type)) return true;
    /* Arrays act as if they had a public clone(). */
    return method && !s->t->load_failed && cf_type_is_array(s->t, found) && cf_str_is(name, "clone") &&
           cf_str_is(owner, "java/lang/Object");
}

/* The class entry of the member that the instruction refers to. */
static unsigned owner_index(const Step *s) { return cf_types_entry(s->t, s->i->index).a; }
static CfType owner_type(Step *s) { return cf_type_const(s->t, owner_index(s)); }

/* Which of getstatic ... invokedynamic may refer to an entry with this tag; behind their bits ldc, ldc_w and ldc2_w. */
#define OP_BIT(op) (1u << ((op) < CF_OP_GETSTATIC ? 9 + ((op) == CF_OP_LDC2_W) : (op)-CF_OP_GETSTATIC))
enum { FIELD_OPS = OP_BIT(CF_OP_INVOKEVIRTUAL) - 1, DIRECT_OPS = OP_BIT(CF_OP_INVOKESPECIAL) | OP_BIT(CF_OP_INVOKESTATIC) };
static unsigned tag_ops(const CfClass *c, unsigned tag) {
    switch (tag) {
    case CF_CONST_FIELDREF: return FIELD_OPS;
    case CF_CONST_METHODREF: return OP_BIT(CF_OP_INVOKEVIRTUAL) | DIRECT_OPS;
    case CF_CONST_INTERFACEMETHODREF: return OP_BIT(CF_OP_INVOKEINTERFACE) | (c->major >= 52 ? DIRECT_OPS : 0);
    case CF_CONST_INVOKEDYNAMIC: return OP_BIT(CF_OP_INVOKEDYNAMIC);
    default: return 0;
    }
}
static bool tag_ok(const CfTypes *t, unsigned op, unsigned i) { return tag_ops(t->cls, cf_types_entry(t, i).tag) & OP_BIT(op); }

/* CfMemberType.ops */
static unsigned member_ops(const CfClass *c, unsigned tag, const CfMemberType *m) {
    unsigned ops = tag_ops(c, tag);
    if (!ops && !m->method && m->type != CF_T_TOP) return OP_BIT(m->slots == 2 ? CF_OP_LDC2_W : CF_OP_LDC);
    return m->method ? ops & ~(unsigned)FIELD_OPS : ops & FIELD_OPS;
}

/* What the descriptor tells, to its own entry of the memo: many members have the same. */
static bool desc_type(CfTypes *t, CfStr d, CfMemberType *m) {
    m->method = d.len && d.p[0] == '(';
    int args = m->method ? cf_desc_takes(d, &d) : 0;
    m->args = (uint16_t)args;
    m->type = args < 0 ? (CfType)CF_T_TOP : cf_type_desc(t, d);
    m->slots = m->type == CF_T_LONG || m->type == CF_T_DOUBLE ? 2 : m->type != CF_T_TOP || !m->method;
    m->known = !t->nomem && args >= 0;
    return args >= 0;
}

/* Of the entry that the instruction refers to; `spare` is used for entries added behind the memo. NULL: it is none, or
 * its descriptor is malformed. */
static __attribute__((noinline)) const CfMemberType *member_type_anew(CfTypes *t, unsigned index, CfMemberType *m) {
    CfConst k = cf_types_entry(t, index);
    *m = (CfMemberType){.type = CF_T_TOP};
    if (cf_const_info[k.tag].loadable) {
        m->type = constant_type(t, k);
        m->slots = m->type == CF_T_LONG || m->type == CF_T_DOUBLE ? 2 : 1;
    } else {
        unsigned at;
        CfStr name, desc;
        if (!name_and_type(t, k, &name, &desc, &at)) return NULL;
        CfMemberType *d = at < t->const_count ? &t->by_member[at] : m;
        if (!d->known && !desc_type(t, desc, d)) return NULL;
        *m = *d;
        m->init = m->method && cf_str_is(name, "<init>");
        if (m->init && !m->slots) m->type = cf_type_const(t, k.a);
    }
    m->known = !t->nomem;
    if (m->known) m->ops = member_ops(t->cls, k.tag, m) & 2047;
    return m;
}

static inline const CfMemberType *member_type(CfTypes *t, unsigned index, CfMemberType *spare) {
    CfMemberType *m = index < t->const_count ? &t->by_member[index] : spare;
    return m != spare && m->known ? m : member_type_anew(t, index, m);
}

static bool pop_putfield_object(Step *s, CfStr name, CfStr desc, CfType *found) {
    CfType want = owner_type(s);
    if (s->fr->depth && s->fr->stack[s->fr->depth - 1] == CF_T_UNINIT_THIS && want == s->t->this_type &&
        cf_find_field(s->t->cls, name, desc)) { /* own fields may be set before super() */
        *found = s->t->this_type;
        return pop(s, CF_T_UNINIT_THIS, NULL);
    }
    if (s->fr->depth == 0) return fail(s, CF_WHY_UNDERFLOW, "Operand stack underflow");
    *found = s->fr->stack[s->fr->depth - 1];
    if (!cf_type_assignable(s->t, *found, want))
        return fail_type(s, AT(*found, STACK, s->fr->depth - 1u), AT(want, POOL, s->i->index),
                         "Bad type on operand stack in putfield");
    s->fr->depth--;
    return true;
}

static bool step_field(Step *s) {
    CfStr owner, name, desc;
    if (cf_tag(s->t->cls, s->i->index) != CF_CONST_FIELDREF || !cf_member_ref(s->t->cls, s->i->index, &owner, &name, &desc))
        return bad_pool_type(s, s->i->index);
    CfType type = cf_type_desc(s->t, desc), found = CF_T_TOP;
    switch (s->i->op) {
    case CF_OP_GETSTATIC: return push_value(s, type);
    case CF_OP_PUTSTATIC: return pop_value(s, type);
    case CF_OP_GETFIELD:
        if (!pop(s, owner_type(s), &found)) return false;
        break;
    default:
        if (!pop_value(s, type) || !pop_putfield_object(s, name, desc, &found)) return false;
    }
    if (!protected_ok(s, owner, name, desc, false, found)) {
        char msg[64];
        snprintf(msg, sizeof msg, "Bad access to protected data in %s", cf_op_info[s->i->op].name);
        return fail_type(s, popped_at(s, found), AT(s->t->this_type, IMPLICIT, 0), msg);
    }
    return s->i->op == CF_OP_GETFIELD ? push_value(s, type) : true;
}

/* Every copy of the uninitialised object becomes `now`. */
static void initialise(CfFrame *fr, CfType old, CfType now) {
    for (unsigned k = 0; k < fr->nlocals; k++)
        if (fr->locals[k] == old) fr->locals[k] = now;
    for (unsigned k = 0; k < fr->depth; k++)
        if (fr->stack[k] == old) fr->stack[k] = now;
    if (old == CF_T_UNINIT_THIS) fr->this_uninit = false;
}

/* Constructor call on `this`: of this class or its direct superclass. */
static bool init_this(Step *s, CfType ref) {
    const CfClass *c = s->t->cls;
    if (s->f->strict && ref != s->t->this_type && ref != cf_type_const(s->t, c->super_class))
        return fail_type(s, AT(ref, POOL, s->i->index), AT(s->t->this_type, IMPLICIT, 0), "Bad <init> method call");
    s->f->this_was_init = true;
    initialise(s->fr, CF_T_UNINIT_THIS, s->t->this_type);
    return true;
}

static bool init_new(Step *s, CfType obj, CfType ref, CfStr owner, CfStr desc) {
    const CfCode *code = s->f->code;
    if (s->f->strict) {
        uint32_t pc = cf_type_data(obj);
        if (pc + 2 >= code->code_len || code->code[pc] != CF_OP_NEW) return fail(s, CF_WHY_CODE, "Expecting new instruction");
        CfType made = cf_type_const(s->t, cf_get_u2(code->code + pc + 1));
        if (made != ref)
            return fail_type(s, AT(made, POOL, cf_get_u2(code->code + pc + 1)), AT(ref, POOL, s->i->index),
                             "Call to wrong <init> method");
        if (!protected_ok(s, owner, CF_STR("<init>"), desc, true, made))
            return fail_type(s, AT(made, POOL, cf_get_u2(code->code + pc + 1)), AT(s->t->this_type, IMPLICIT, 0),
                             "Bad access to protected <init> method");
    }
    initialise(s->fr, obj, ref);
    return true;
}

static bool step_init(Step *s, CfStr owner, CfStr desc) {
    CfFrame *fr = s->fr;
    if (fr->depth == 0) return fail(s, CF_WHY_UNDERFLOW, "Operand stack underflow");
    CfType obj = fr->stack[fr->depth - 1], ref = owner_type(s);
    if (!pop(s, CF_T_WANT_REF, NULL)) return false;
    if (obj == CF_T_UNINIT_THIS) return init_this(s, ref);
    if (cf_type_kind(obj) == CF_T_UNINIT) return init_new(s, obj, ref, owner, desc);
    if (!s->f->strict) return true;
    return fail_type(s, popped_at(s, obj), (CfTypeAt){0}, "Bad operand type when invoking <init>");
}

/* Where nothing is compared: fields, calls. */
static bool loose_member(Step *s) {
    CfMemberType spare;
    unsigned op = s->i->op;
    const CfMemberType *m = member_type(s->t, s->i->index, &spare);
    if (!m || !(m->ops & OP_BIT(op))) return bad_pool_type(s, s->i->index);
    bool put = op == CF_OP_PUTFIELD || op == CF_OP_PUTSTATIC;
    if (!take_slots(s, put ? m->slots : m->args)) return false;
    bool init = m->init && op == CF_OP_INVOKESPECIAL;
    if (init ? !step_init(s, (CfStr){0}, (CfStr){0}) : !take_slots(s, cf_op_info[op].pop_slots)) return false;
    return put || m->slots == 0 || push_value(s, m->type);
}

/* The operand bytes behind the pool index (6.5.invokeinterface, 6.5.invokedynamic). */
static bool invoke_bytes_ok(Step *s, CfStr desc) {
    const uint8_t *p = s->f->code->code + s->i->pc;
    if (s->i->op == CF_OP_INVOKEINTERFACE) {
        if (s->i->imm != cf_desc_arg_slots(desc, NULL) + 1)
            return fail(s, CF_WHY_CODE, "Inconsistent args count operand in invokeinterface");
        if (p[4] != 0) return fail(s, CF_WHY_CODE, "Fourth operand byte of invokeinterface must be zero");
    }
    if (s->i->op == CF_OP_INVOKEDYNAMIC && (p[3] || p[4]))
        return fail(s, CF_WHY_CODE, "Third and fourth operand bytes of invokedynamic must be zero");
    return true;
}

static bool is_direct_interface(const CfClass *c, CfStr name) {
    for (unsigned k = 0; k < c->interface_count; k++)
        if (cf_str_eq(cf_class_name(c, c->interfaces[k]), name)) return true;
    return false;
}

/* invokespecial of anything but a constructor: of this class, a superclass or a direct
 * superinterface. */
static bool special_ok(Step *s, CfStr owner) {
    const CfClass *c = s->t->cls;
    CfType ref = owner_type(s);
    if (ref == s->t->this_type || is_direct_interface(c, owner) || ref == cf_type_const(s->t, c->super_class)) return true;
    if (!cf_type_assignable(s->t, s->t->this_type, ref))
        return fail(s, CF_WHY_CODE, "Bad invokespecial instruction: current class isn't assignable to reference class.");
    if (cf_tag(c, s->i->index) == CF_CONST_INTERFACEMETHODREF)
        return fail(s, CF_WHY_CODE,
                    "Bad invokespecial instruction: interface method reference is in an indirect "
                    "superinterface.");
    return true;
}

static bool check_invoke(Step *s, CfStr owner, CfStr name, CfStr desc) {
    if (!invoke_bytes_ok(s, desc)) return false;
    if (name.len && name.p[0] == '<') {
        if (s->i->op != CF_OP_INVOKESPECIAL || !cf_str_is(name, "<init>"))
            return fail(s, CF_WHY_CODE, "Illegal call to internal method");
        return true;
    }
    return s->i->op != CF_OP_INVOKESPECIAL || special_ok(s, owner);
}

/* Arguments, last first. */
static bool pop_arguments(Step *s, CfStr desc, CfStr *ret) {
    CfStr args[256], t;
    unsigned n = 0;
    if (cf_str_is(desc, "()V")) {
        *ret = (CfStr){desc.p + 2, 1};
        return true;
    }
    CfDescIter it = cf_desc_start(desc);
    while (n < 256 && cf_desc_next(&it, &args[n])) n++;
    while (n == 256 && cf_desc_next(&it, &t)) {}
    *ret = it.ret;
    if (ret->len == 0) return bad_pool_type(s, s->i->index);
    while (n) {
        CfType want = cf_type_desc(s->t, args[--n]);
        bool wide = want == CF_T_LONG || want == CF_T_DOUBLE;
        if ((wide && !pop(s, want + 1, NULL)) || !pop(s, want, NULL)) return false;
    }
    return true;
}

static bool pop_receiver(Step *s, CfStr owner, CfStr name, CfStr desc) {
    CfType found;
    if (cf_str_is(name, "<init>") && s->i->op == CF_OP_INVOKESPECIAL) return step_init(s, owner, desc);
    if (s->i->op == CF_OP_INVOKESPECIAL) return pop(s, s->t->this_type, NULL);
    if (!pop(s, owner_type(s), &found)) return false;
    if (s->i->op == CF_OP_INVOKEVIRTUAL && !protected_ok(s, owner, name, desc, true, found))
        return fail_type(s, popped_at(s, found), AT(s->t->this_type, IMPLICIT, 0),
                         "Bad access to protected data in invokevirtual");
    return true;
}

static bool step_invoke(Step *s) {
    const CfClass *c = s->t->cls;
    unsigned index = s->i->index, op = s->i->op;
    CfStr owner = {NULL, 0}, name, desc, ret;
    if (!tag_ok(s->t, op, index)) return bad_pool_type(s, index);
    const CfConst *nat = cf_const(c, cf_const(c, index)->b);
    name = cf_utf8(c, nat->a);
    desc = cf_utf8(c, nat->b);
    if (!name.p || !desc.p) return bad_pool_type(s, index);
    if (op != CF_OP_INVOKEDYNAMIC) owner = cf_class_name(c, owner_index(s));
    if (!check_invoke(s, owner, name, desc)) return false;
    if (!pop_arguments(s, desc, &ret)) return false;
    if (op != CF_OP_INVOKESTATIC && op != CF_OP_INVOKEDYNAMIC && !pop_receiver(s, owner, name, desc)) return false;
    if (ret.p[0] == 'V') return true;
    if (cf_str_is(name, "<init>")) return fail(s, CF_WHY_CODE, "Return type must be void in <init> method");
    return push_value(s, cf_type_desc(s->t, ret));
}

/* ------------------------------------------------------------------------ by the row */

static bool pop_letter(Step *s, char c, CfType *array) {
    switch (c) {
    case 'I':
    case 'F':
    case 'J':
    case 'D': return pop_value(s, letter_type(c));
    case 'A': return pop(s, s->i->op == CF_OP_AASTORE ? s->t->object : (CfType)CF_T_WANT_REF, NULL);
    default: return pop_array(s, c, array);
    }
}

static bool step_row(Step *s) {
    const CfOpInfo *info = &cf_op_info[s->i->op];
    CfType array = CF_T_TOP;
    for (size_t n = strlen(info->pops); n; n--)
        if (!pop_letter(s, info->pops[n - 1], &array)) return false;
    for (const char *p = info->pushes; *p; p++)
        if (!push_value(s, *p == 'E' ? cf_type_component(s->t, array) : letter_type(*p))) return false;
    return true;
}

static bool step_special(Step *s, bool *done) {
    CfFlow *f = s->f;
    *done = true;
    switch (s->i->op) {
    case CF_OP_LDC:
    case CF_OP_LDC_W:
    case CF_OP_LDC2_W: return step_ldc(s);
    case CF_OP_IINC: return local_in_range(s, s->i->index) && local_is(s, s->i->index, CF_T_INT);
    case CF_OP_NEW: return step_new(s);
    case CF_OP_NEWARRAY: return step_newarray(s);
    case CF_OP_ANEWARRAY: return step_anewarray(s);
    case CF_OP_MULTIANEWARRAY: return step_multianewarray(s);
    case CF_OP_CHECKCAST:
    case CF_OP_INSTANCEOF: return step_cast(s);
    case CF_OP_ATHROW: return pop(s, cf_type_fixed(s->t, CF_FIXED_THROWABLE), NULL);
    case CF_OP_JSR:
    case CF_OP_JSR_W:
    case CF_OP_RET:
        if (f->strict) return fail(s, CF_WHY_CODE, "Bad instruction: %02x", s->i->op);
        return s->i->op == CF_OP_RET || push(s, cf_type_make(CF_T_RETADDR, s->i->pc + s->i->len));
    default: *done = false; return true;
    }
}

/* ------------------------------------------------------------------------ not strict */

/* Where nothing is compared most instructions need not be asked letter by letter. How each goes: LEAVE is as ROW, and then
 * elsewhere; NEW: as APART where handlers see the locals; APART: as if strict, or the opcode does not tell its length or
 * where it leads. */
enum { WAY_ROW, WAY_LOAD, WAY_LEAVE, WAY_MEMBER, WAY_ELEMENT, WAY_SHUFFLE, WAY_IINC, WAY_CLASS, WAY_STORE, WAY_NEW, WAY_APART };
#define WAY_OF(format, pushes, flags) \
    ((format) == CF_FMT_BAD || (format) == CF_FMT_WIDE || (format) == CF_FMT_BRANCH4 ? WAY_APART \
     : (flags) & (CF_OF_JSR | CF_OF_RET | CF_OF_SWITCH)                              ? WAY_APART \
     : (flags)&CF_OF_STORE                                                           ? WAY_STORE \
     : (flags)&CF_OF_STACK                                                           ? WAY_SHUFFLE \
     : (flags) & (CF_OF_FIELD | CF_OF_INVOKE) || (pushes)[0] == 'K'                  ? WAY_MEMBER \
     : (pushes)[0] == 'U'                                                            ? WAY_NEW \
     : (flags)&CF_OF_ALLOC                                                           ? WAY_APART \
     : (flags)&CF_OF_CP                                                              ? WAY_CLASS \
     : (flags) & (CF_OF_BRANCH | CF_OF_END)                                          ? WAY_LEAVE \
     : (flags)&CF_OF_LOAD                                                            ? WAY_LOAD \
     : (format) == CF_FMT_IINC                                                       ? WAY_IINC \
     : (pushes)[0] == 'E'                                                            ? WAY_ELEMENT \
                                                                                     : WAY_ROW)
#define TYPE_OF(c) \
    ((c) == 'I'   ? CF_T_INT \
     : (c) == 'F' ? CF_T_FLOAT \
     : (c) == 'J' ? CF_T_LONG \
     : (c) == 'D' ? CF_T_DOUBLE \
     : (c) == 'N' ? CF_T_NULL \
                  : CF_T_TOP)
static const struct Plain {
    uint8_t way, type, takes, gives; /* type: of what is pushed, or stored */
    uint8_t reads, any;              /* of LOAD: slots of locals; it pushes what it finds there */
} plain[256] = {
#define OPCODE(value, NAME, name, format, pops, pushes, flags) \
    [value] = {WAY_OF(CF_FMT_##format, pushes, flags), \
               TYPE_OF((flags)&CF_OF_STORE ? (pops)[0] : (pushes)[0]), \
               SLOTS(pops), \
               SLOTS(pushes), \
               (flags)&CF_OF_LOAD ? SLOTS(pushes) : 0, \
               (flags)&CF_OF_LOAD && (pushes)[0] == 'A'},
#include "opcodes.def"
#undef OPCODE
};

/* `spare`: there is room for two above the stack, where nothing means anything. Then the slots need not be guessed. */
static inline void put_value(CfType *at, CfType t, unsigned slots, bool spare) {
    if (spare || slots) at[0] = t;
    if (spare || slots == 2) at[1] = t + 1;
}

/* What is no value of that size, or half of one, is for step_store. */
static inline bool plain_store(const CfFlow *f, unsigned n, CfFrame *fr, CfType t, const struct Plain *p) {
    if (n + p->takes > f->code->max_locals || (p->takes == 2 ? t != p->type : t >= CF_T_LONG && t <= CF_T_DOUBLE2)) return false;
    set_local(fr, n, t);
    if (p->takes == 2) {
        set_local(fr, n + 1, t + 1);
        fr->locals[n] = t; /* as in step_store */
    }
    return true;
}

static inline void plain_shuffle(unsigned op, CfType *at) {
    const CfShuffle *x = &cf_shuffles[op - CF_OP_POP];
    CfType v[4];
    for (unsigned k = 0; k < x->takes; k++) v[k] = at[k];
    for (unsigned k = 0; k < x->gives; k++) at[k] = v[x->from[k]];
}

/* As plain_member, a constructor's call. */
static __attribute__((noinline)) int plain_init(CfFlow *f, CfFrame *fr, unsigned index, unsigned depth) {
    const CfTypes *t = f->types;
    const CfMemberType *m = t->by_member + index;
    if (index >= t->const_count || !m->init || !(m->ops & OP_BIT(CF_OP_INVOKESPECIAL))) return -1;
    if (m->slots || depth <= m->args) return -1;
    CfType object = fr->stack[depth - m->args - 1u];
    fr->depth = (uint16_t)(depth - m->args - 1u);
    if (cf_type_kind(object) == CF_T_UNINIT) initialise(fr, object, m->type);
    if (object == CF_T_UNINIT_THIS) f->this_was_init = true, initialise(fr, object, t->this_type);
    return fr->depth;
}

/* The new depth of the stack; -1: nothing is done, the long way can, or finds what is wrong. */
CF_FLOW_INLINE int plain_member(CfTypes *t, unsigned op, unsigned index, unsigned depth, CfType *stack, unsigned room,
                                bool spare) {
    if (index >= t->const_count) return -1;
    CfMemberType *m = &t->by_member[index];
    if (!(m->ops & OP_BIT(op)) && (m->known || !member_type_anew(t, index, m) || !(m->ops & OP_BIT(op)))) return -1;
    if (m->init) return -1;
    bool put = op == CF_OP_PUTFIELD || op == CF_OP_PUTSTATIC;
    unsigned takes = plain[op].takes + (put ? m->slots : m->args), gives = put ? 0 : m->slots, left = depth - takes;
    if (depth < takes || left + gives > room) return -1;
    put_value(stack + left, m->type, gives, spare);
    return (int)(left + gives);
}

/* Ways behind MEMBER. */
static __attribute__((noinline)) int plain_more(CfFlow *f, CfFrame *fr, uint32_t pc, unsigned op, unsigned index,
                                                unsigned depth) {
    const struct Plain *p = &plain[op];
    unsigned after = depth - p->takes + p->gives;
    CfType *at = fr->stack + depth - p->takes, t = p->type;
    if (depth < p->takes || after > f->code->max_stack) return -1;
    if (p->way == WAY_STORE) return plain_store(f, index, fr, at[0], p) ? (int)after : -1;
    if (p->way == WAY_SHUFFLE) return plain_shuffle(op, at), (int)after;
    switch (p->way) {
    case WAY_IINC: return index < f->code->max_locals ? (int)after : -1;
    case WAY_ELEMENT: t = cf_type_component(f->types, at[0]); break;
    case WAY_CLASS:
    case WAY_NEW:
        if (cf_type_kind(cf_type_const(f->types, index)) != CF_T_OBJECT) return -1;
        if (op == CF_OP_CHECKCAST) t = cf_type_const(f->types, index);
        if (op == CF_OP_NEW) forget(fr, t = cf_type_make(CF_T_UNINIT, pc));
        break;
    default: return -1;
    }
    if (f->types->nomem) return -1;
    at[0] = t;
    return (int)after;
}

/* Ways up to LEAVE. What is no LOAD has index 0, and reads nothing that matters there. */
CF_FLOW_INLINE int plain_row(const CfFrame *fr, const struct Plain *p, unsigned index, unsigned depth, CfType *stack,
                             unsigned room, unsigned nlocals, bool spare) {
    unsigned left = depth - p->takes, after = left + p->gives;
    if (depth < p->takes || after > room || index + p->reads > nlocals) return -1;
    CfType held = spare || p->any ? fr->locals[index] & -(CfType)p->any : (CfType)CF_T_TOP;
    put_value(stack + left, p->type | held, p->gives, spare);
    return (int)after;
}

static __attribute__((noinline)) bool step_any(CfFlow *f, const CfInsn *i, CfFrame *fr) {
    Step s = {f, f->types, i, fr};
    unsigned flags = cf_op_info[i->op].flags;
    bool done, ok;
    if (flags & CF_OF_LOAD) ok = step_load(&s);
    else if (flags & CF_OF_STORE) ok = step_store(&s);
    else if (flags & CF_OF_STACK) ok = step_shuffle(&s);
    else if (!f->strict && flags & (CF_OF_FIELD | CF_OF_INVOKE)) ok = loose_member(&s);
    else if (flags & CF_OF_INVOKE) ok = step_invoke(&s);
    else if (flags & CF_OF_FIELD) ok = step_field(&s);
    else if (flags & CF_OF_RETURN) ok = step_return(&s);
    else {
        ok = step_special(&s, &done);
        if (ok && !done) ok = step_row(&s);
    }
    if (ok && (s.t->nomem || s.t->load_failed)) return fail(&s, s.t->nomem ? CF_WHY_NOMEM : CF_WHY_LOAD, "class not loaded");
    return ok;
}

uint32_t cf_plain_run(CfFlow *f, CfFrame *fr, uint32_t pc, const uint8_t *marks, bool covered, uint32_t *deepest) {
    const uint8_t *code = f->code->code;
    CfType *stack = fr->stack;
    unsigned room = f->code->max_stack, nlocals = f->code->max_locals, apart = covered ? WAY_NEW : WAY_APART, last = 0;
    uint32_t end = f->code->code_len;
    int depth = fr->depth, max = (int)*deepest, now;
    do {
        unsigned op = code[pc];
        const struct Plain *p = &plain[op];
        const CfReads *o = &cf_op_reads[op];
        if (p->way >= apart || o->length - 1u >= end - pc) break; /* length 0: no opcode */
        unsigned index = (cf_get_u2(code + pc + 1) >> o->shift & o->mask) + o->index;
        if (p->way <= WAY_LEAVE) now = plain_row(fr, p, index, (unsigned)depth, stack, room, nlocals, true);
        else if (p->way == WAY_MEMBER) now = plain_member(f->types, op, index, (unsigned)depth, stack, room, true);
        else now = plain_more(f, fr, pc, op, index, (unsigned)depth);
        if (now < 0 && op == CF_OP_INVOKESPECIAL && !covered) now = plain_init(f, fr, index, (unsigned)depth);
        if (now < 0) break;
        depth = now;
        max = now > max ? now : max;
        if (p->way == WAY_LEAVE) last = CF_PLAIN_LEAVES;
        else if (pc += o->length, p->way == WAY_STORE && covered) last = CF_PLAIN_STORED;
    } while (!last && !(marks[pc] & (CF_AT_NODE | CF_AT_ROW)));
    fr->depth = (uint16_t)depth;
    *deepest = (uint32_t)max;
    return pc | last;
}

static __attribute__((noinline)) bool loose_step(CfFlow *f, const CfInsn *i, CfFrame *fr) {
    const struct Plain *p = &plain[i->op];
    unsigned room = f->code->max_stack, depth = fr->depth;
    int now = p->way <= WAY_LEAVE    ? plain_row(fr, p, i->index, depth, fr->stack, room, f->code->max_locals, false)
              : p->way == WAY_MEMBER ? plain_member(f->types, i->op, i->index, depth, fr->stack, room, false)
                                     : plain_more(f, fr, i->pc, i->op, i->index, depth);
    if (now < 0 && i->op == CF_OP_INVOKESPECIAL) now = plain_init(f, fr, i->index, depth);
    if (now < 0) return step_any(f, i, fr);
    fr->depth = (uint16_t)now;
    return true;
}

bool cf_step(CfFlow *f, const CfInsn *i, CfFrame *fr) {
    return f->strict || f->types->nomem ? step_any(f, i, fr) : loose_step(f, i, fr);
}
