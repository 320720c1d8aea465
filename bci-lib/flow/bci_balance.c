/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_balance.c - is a piece of inserted code neutral, that is, can nobody behind it tell that it ran?
 *
 * TERMS
 *   piece    inserted instructions in a row, without a place in between that a branch, a table or a
 *            frame of the input names. Its own branches may go to labels in it.
 *   base     the stack depth in front of the piece.
 *   old      local variables below the max_locals of the input.
 *
 * NEUTRAL means for the verifier (JVMS 4.10.1): whatever types locals and stack have in front of the
 * piece, they have the same behind it, and at each instruction of it the old locals are those of
 * the place. It is decided without types, by following where values come from. Each slot holds one of
 *
 *   OLD(k)   what stood k slots below the base, unchanged
 *   FRESH(n) the object made by the n-th `new` of the piece, not initialised
 *   MADE     anything else that the piece has made
 *
 * and the piece is neutral if
 *   1. there is one way in, at its start, and no way to other code but its end: branches go to labels of the piece,
 *      and a return or throw may end a path. It has no switch, goto_w, jsr or ret;
 *   2. at its end, and wherever control meets at a label in it, the slots from the base down, as far as it has
 *      touched them, hold OLD(1), OLD(2), ... again, and nothing stands above;
 *   3. it stores into no old local (iinc is none: an int stays an int);
 *   4. it reads a new local only where it has stored into it before, since the last such label: then no frame
 *      need know of it. Or the local is HELD: the piece at the entry has stored into it, so it has a value
 *      everywhere, of the same type, since others store only what is of its kind into it, no references;
 *   5. it calls <init> only on a FRESH value, so that no value from outside of it becomes initialised.
 *
 * So at its labels the frame is that of the place: old locals by 3, the stack by 2.
 *
 * Copying a value keeps its type: dup, swap and so on move slots, a store into a new local and a
 * load of it give it back. So OLD(k) at the end has the type it had. Whether the operands have the
 * types that an instruction wants is no question here: it is the caller's concern in both ways of
 * writing a method. That they are there is: whoever asks gets told how far below the base the piece reaches.
 */
#include "bci_flow.h"

typedef uint32_t Value;
enum {
    MADE = 0,
    OLD = 1 << 16,
    FRESH = 1 << 17,
    MAX_DEPTH = 600, /* an invocation takes up to 255 slots */
    MAX_NEW_LOCALS = BCI_MAX_HELD
};

typedef struct Balance {
    const BciCode *code;
    Value stack[MAX_DEPTH];
    uint32_t depth, nold; /* values; of the slots under the base that were touched */
    uint32_t nfresh, growth;
    BciHeld *held;
    bool entry;
    struct {
        uint32_t slot;
        Value v;
        char kind;
    } locals[MAX_NEW_LOCALS];
    uint32_t nlocals;
    bool dead; /* control does not come here */
} Balance;

/* ---- slots of an instruction ---- */

bool bci_slots(const BciCode *code, const BciInsn *i, uint32_t *pops, uint32_t *pushes) {
    CfInsn in = {.op = (uint8_t)i->op, .index = i->index, .imm = i->value & 0xff};
    if (cf_op_info[i->op].flags & (CF_OF_END | CF_OF_JSR | CF_OF_RET)) return false;
    return cf_insn_stack(code->m->cls->cf, &in, pops, pushes) && *pops <= 256;
}

/* ---- values ---- */

static bool push(Balance *b, Value v) {
    if (b->depth == MAX_DEPTH) return false;
    b->stack[b->depth++] = v;
    if (b->depth > b->nold && b->depth - b->nold > b->growth) b->growth = b->depth - b->nold;
    return true;
}

/* Makes `n` values poppable: those under the base come in at the bottom. */
static bool reach(Balance *b, uint32_t n) {
    if (n <= b->depth) return true;
    uint32_t more = n - b->depth;
    if (n > MAX_DEPTH) return false;
    memmove(b->stack + more, b->stack, b->depth * sizeof *b->stack);
    for (uint32_t k = 0; k < more; k++) b->stack[k] = OLD | (b->nold + more - k);
    b->depth = n;
    b->nold += more;
    return true;
}

static Value *local(Balance *b, uint32_t slot) {
    for (uint32_t k = 0; k < b->nlocals; k++)
        if (b->locals[k].slot == slot) return &b->locals[k].v;
    return NULL;
}

static bool set_local(Balance *b, uint32_t slot, Value v, char kind) {
    uint32_t k = 0;
    while (k < b->nlocals && b->locals[k].slot != slot) k++;
    if (k == MAX_NEW_LOCALS) return false;
    b->nlocals += k == b->nlocals;
    b->locals[k].slot = slot;
    b->locals[k].v = v;
    b->locals[k].kind = kind;
    return true;
}

/* ---- held locals ---- */

static uint32_t held_at(const Balance *b, uint32_t slot) {
    uint32_t k = 0;
    while (k < b->held->n && b->held->v[k].slot != slot) k++;
    return k;
}

/* Reads a new local that the piece has not set. */
static bool want(Balance *b, uint32_t slot, char kind) {
    uint32_t k = b->entry ? b->held->n : held_at(b, slot);
    if (k == b->held->n || b->held->v[k].kind != kind) return false;
    return b->held->v[k].wanted = true;
}

/* May the piece store a value of that kind there? */
static bool keeps(const Balance *b, uint32_t slot, char kind) {
    uint32_t k = b->entry ? b->held->n : held_at(b, slot);
    return k == b->held->n || (b->held->v[k].kind == kind && kind != 'A');
}

static void hold(Balance *b) {
    b->held->n = b->nlocals;
    for (uint32_t k = 0; k < b->nlocals; k++) {
        b->held->v[k].slot = b->locals[k].slot;
        b->held->v[k].kind = b->locals[k].kind;
        b->held->v[k].wanted = false;
    }
}

/* ---- instructions that move values ---- */

/* Of an access to a local. */
static char kind_of(char letter, uint32_t k) { return k ? '2' : letter == 'R' ? 'A' : letter; }

static bool load(Balance *b, const BciInsn *i, uint32_t slots) {
    for (uint32_t k = 0; k < slots; k++) {
        uint32_t slot = i->index + k;
        const Value *v = local(b, slot);
        if (slot >= b->code->orig_locals && !v && !want(b, slot, kind_of(*cf_op_info[i->op].pushes, k))) return false;
        if (!push(b, v ? *v : MADE)) return false;
    }
    return true;
}

static bool store(Balance *b, const BciInsn *i, uint32_t slots) {
    if (i->index < b->code->orig_locals || i->index + slots > b->code->max_locals || !reach(b, slots)) return false;
    b->depth -= slots;
    for (uint32_t k = 0; k < slots; k++) {
        char kind = kind_of(*cf_op_info[i->op].pops, k);
        if (!keeps(b, i->index + k, kind) || !set_local(b, i->index + k, b->stack[b->depth + k], kind)) return false;
    }
    return true;
}

/* dup forms: the top `n` slots are put again, under the `under` slots below them. */
static bool dup(Balance *b, uint32_t n, uint32_t under) {
    Value moved[4];
    if (!reach(b, n + under)) return false;
    memcpy(moved, b->stack + b->depth - n - under, (n + under) * sizeof *moved);
    b->depth -= n + under;
    for (uint32_t k = 0; k < n; k++)
        if (!push(b, moved[under + k])) return false;
    for (uint32_t k = 0; k < n + under; k++)
        if (!push(b, moved[k])) return false;
    return true;
}

static bool shuffle(Balance *b, unsigned op) {
    switch (op) {
    case CF_OP_POP: return reach(b, 1) && (b->depth -= 1, true);
    case CF_OP_POP2: return reach(b, 2) && (b->depth -= 2, true);
    case CF_OP_DUP: return dup(b, 1, 0);
    case CF_OP_DUP_X1: return dup(b, 1, 1);
    case CF_OP_DUP_X2: return dup(b, 1, 2);
    case CF_OP_DUP2: return dup(b, 2, 0);
    case CF_OP_DUP2_X1: return dup(b, 2, 1);
    case CF_OP_DUP2_X2: return dup(b, 2, 2);
    default: break;
    }
    if (!reach(b, 2)) /* swap */
        return false;
    Value v = b->stack[b->depth - 1];
    b->stack[b->depth - 1] = b->stack[b->depth - 2];
    b->stack[b->depth - 2] = v;
    return true;
}

/* ---- objects ---- */

/* Does the constant have a kind that the instruction may name? */
static bool constant_fits(const BciCode *code, const BciInsn *i) {
    const CfClass *cf = code->m->cls->cf;
    unsigned tag = cf_tag(cf, i->index);
    bool method = tag == CF_CONST_METHODREF, either = method || tag == CF_CONST_INTERFACEMETHODREF;
    switch (i->op) {
    case CF_OP_LDC:
    case CF_OP_LDC_W:
    case CF_OP_LDC2_W: {
        CfStr n, d = {0};
        uint32_t slots = tag < CF_CONST_TAG_LIMIT ? cf_const_info[tag].slots : 0;
        if (tag == CF_CONST_DYNAMIC) slots = cf_name_and_type(cf, i->index, &n, &d) ? cf_desc_slots(d) : 0;
        return slots && cf_const_info[tag].loadable && (slots == 2) == (i->op == CF_OP_LDC2_W);
    }
    case CF_OP_GETSTATIC:
    case CF_OP_PUTSTATIC:
    case CF_OP_GETFIELD:
    case CF_OP_PUTFIELD: return tag == CF_CONST_FIELDREF;
    case CF_OP_INVOKEVIRTUAL: return method;
    case CF_OP_INVOKESPECIAL:
    case CF_OP_INVOKESTATIC: return either;
    case CF_OP_INVOKEINTERFACE: return either && !method;
    case CF_OP_INVOKEDYNAMIC: return tag == CF_CONST_INVOKEDYNAMIC;
    default: return tag == CF_CONST_CLASS;
    }
}

static bool is_init(const Balance *b, const BciInsn *i) {
    CfStr n, d;
    return i->op == CF_OP_INVOKESPECIAL && cf_name_and_type(b->code->m->cls->cf, i->index, &n, &d) && cf_str_is(n, "<init>");
}

/* <init> of the value under `args` slots: all copies of it are initialised now. */
static bool initialise(Balance *b, uint32_t pops) {
    if (!reach(b, pops)) return false;
    Value v = b->stack[b->depth - pops];
    if (!(v & FRESH)) return false;
    b->depth -= pops;
    for (uint32_t k = 0; k < b->depth; k++)
        if (b->stack[k] == v) b->stack[k] = MADE;
    for (uint32_t k = 0; k < b->nlocals; k++)
        if (b->locals[k].v == v) b->locals[k].v = MADE;
    return true;
}

static bool step(Balance *b, const BciInsn *i) {
    uint32_t flags = bci_flags(i), pops, pushes;
    if (!bci_slots(b->code, i, &pops, &pushes)) return false;
    if (flags & CF_OF_CP && !constant_fits(b->code, i)) return false;
    if (flags & CF_OF_LOAD) return load(b, i, pushes);
    if (flags & CF_OF_STORE) return store(b, i, pops);
    if (flags & CF_OF_STACK) return shuffle(b, i->op);
    if (i->op == CF_OP_IINC) return i->index < b->code->orig_locals || local(b, i->index) || want(b, i->index, 'I');
    if (i->op == CF_OP_NEW) return b->nfresh < FRESH - 1 && push(b, FRESH | b->nfresh++);
    if (is_init(b, i)) return initialise(b, pops);
    if (!reach(b, pops)) return false;
    b->depth -= pops;
    for (; pushes; pushes--)
        if (!push(b, MADE)) return false;
    return true;
}

/* ---- control ---- */

static bool at_base(const Balance *b) {
    if (b->depth != b->nold) return false;
    for (uint32_t k = 0; k < b->depth; k++)
        if (b->stack[k] != (OLD | (b->nold - k))) return false;
    return true;
}

static bool join(Balance *b) {
    if (b->dead ? b->nold > MAX_DEPTH : !at_base(b)) return false;
    if (b->dead) /* what stood there on the path that ended is gone */
        for (uint32_t k = 0; k < b->nold; k++) b->stack[k] = OLD | (b->nold - k);
    b->depth = b->nold;
    b->nlocals = 0;
    b->dead = false;
    return true;
}

/* A branch to a label of the piece, or the end of a path. */
static bool leave(Balance *b, const BciInsn *i) {
    uint32_t flags = bci_flags(i), pops = cf_op_info[i->op].pop_slots;
    if (flags & (CF_OF_SWITCH | CF_OF_JSR | CF_OF_RET) || !reach(b, pops)) return false;
    b->depth -= pops;
    b->dead = flags & CF_OF_END;
    if (!(flags & CF_OF_BRANCH)) return true;
    return cf_op_info[i->op].format == CF_FMT_BRANCH2 && i->target->node.mark & BCI_M_HERE && at_base(b);
}

bool bci_neutral(const BciCode *code, const BciInsn *from, const BciInsn *to, BciHeld *held, bool entry, uint32_t *growth,
                 uint32_t *below) {
    Balance b;
    b.code = code;
    b.held = held;
    b.entry = entry;
    b.depth = b.nold = b.nfresh = b.growth = b.nlocals = 0;
    b.dead = false;
    for (const BciInsn *i = from; i != to; i = i->next) {
        bool ok;
        if (bci_is_label(i)) ok = !bci_is_join(i) || join(&b);
        else if (bci_flags(i) & (CF_OF_BRANCH | CF_OF_SWITCH | CF_OF_END)) ok = !b.dead && leave(&b, i);
        else ok = !b.dead && step(&b, i);
        if (!ok) return false;
    }
    if (b.dead || !at_base(&b)) return false;
    if (entry) hold(&b);
    *growth = b.growth;
    *below = b.nold;
    return true;
}
