/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpful NullPointerException messages (JEP 358), from bytecode alone.
 *
 * The operand stack of the method is simulated with sources instead of values: each
 * cell holds the bci of the instruction that pushed it, or NO_SOURCE where two
 * different ones meet.  Passes over the code repeat until no state changes.  Besides,
 * a set of the locals (below 64) that were written tells a parameter that still has its
 * first value from an ordinary local.
 *
 * The message has two parts: what could not be done (from the failing instruction),
 * and what was null (from the source of the null cell, followed backwards through
 * fields, array elements and calls, at most five steps).
 */
#include "exec/exec.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_SOURCE = 0xffff, MAX_DETAIL = 5, MAX_PASSES = 24 };

typedef struct State {
    u8 written;   /* locals stored to on some path */
    u2 *cell;     /* sources, bottom first */
    u2 depth;
    bool known;
} State;

typedef struct Sim {
    const Method *m;
    const CfClass *cf;
    State *at;    /* per bci */
    u2 *cells;    /* backing store */
    u2 room;
    State cur;
    bool changed, failed;
} Sim;

typedef struct Text {
    char *buf;
    size_t len, cap;
} Text;

static __attribute__((format(printf, 2, 3))) void say(Text *o, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = o->len < o->cap ? vsnprintf(o->buf + o->len, o->cap - o->len, fmt, ap) : 0;
    va_end(ap);
    if (n > 0) o->len += (size_t)n;
    if (o->len >= o->cap) o->len = o->cap - 1;
}

/* --- simulation --- */

static void push(Sim *s, u2 source, int n) {
    while (n-- > 0) {
        if (s->cur.depth >= s->room) { s->failed = true; return; }
        s->cur.cell[s->cur.depth++] = source;
    }
}
static void pop(Sim *s, int n) {
    if (n > s->cur.depth) { s->failed = true; n = s->cur.depth; }
    s->cur.depth = (u2)(s->cur.depth - n);
}

static int desc_slots(char c) { return c == 'V' ? 0 : c == 'J' || c == 'D' ? 2 : 1; }

static int param_slots(CfStr desc) {
    int n = 0;
    for (u4 i = 1; i < desc.len && desc.p[i] != ')'; i++) {
        n += desc_slots(desc.p[i]);
        while (i < desc.len && desc.p[i] == '[') i++;
        if (desc.p[i] == 'L') while (i < desc.len && desc.p[i] != ';') i++;
    }
    return n;
}
static char return_char(CfStr desc) {
    CfStr result = cf_desc_result(desc);
    return result.len ? result.p[0] : 'V';
}

static int letter_slots(char c) { return c == 'J' || c == 'D' ? 2 : 1; }

static void stack_op(Sim *s, u1 op) {
    u2 *c = s->cur.cell + s->cur.depth;
    int need = op == CF_OP_DUP || op == CF_OP_POP ? 1
             : op == CF_OP_DUP_X2 || op == CF_OP_DUP2_X1 ? 3 : op == CF_OP_DUP2_X2 ? 4 : 2;
    if (s->cur.depth < need || s->cur.depth + 2 > s->room) { s->failed = true; return; }
    u2 a = c[-1], b = need > 1 ? c[-2] : 0, d = need > 2 ? c[-3] : 0, e = need > 3 ? c[-4] : 0;
    switch (op) {
    case CF_OP_POP: s->cur.depth -= 1; break;
    case CF_OP_POP2: s->cur.depth -= 2; break;
    case CF_OP_DUP: push(s, a, 1); break;
    case CF_OP_DUP_X1: c[-2] = a, c[-1] = b, push(s, a, 1); break;
    case CF_OP_DUP_X2: c[-3] = a, c[-2] = d, c[-1] = b, push(s, a, 1); break;
    case CF_OP_DUP2: push(s, b, 1), push(s, a, 1); break;
    case CF_OP_DUP2_X1: c[-3] = b, c[-2] = a, c[-1] = d, push(s, b, 1), push(s, a, 1); break;
    case CF_OP_DUP2_X2: c[-4] = b, c[-3] = a, c[-2] = e, c[-1] = d, push(s, b, 1), push(s, a, 1); break;
    default: c[-1] = b, c[-2] = a; break; /* swap */
    }
}

static void member_op(Sim *s, const CfInsn *in, u2 bci) {
    CfStr owner, name, desc;
    bool ok = in->op == CF_OP_INVOKEDYNAMIC ? cf_name_and_type(s->cf, in->index, &name, &desc)
                                            : cf_member_ref(s->cf, in->index, &owner, &name, &desc);
    if (!ok || !desc.len) { s->failed = true; return; }
    int field = desc_slots(desc.p[0]);
    switch (in->op) {
    case CF_OP_GETSTATIC: push(s, bci, field); break;
    case CF_OP_PUTSTATIC: pop(s, field); break;
    case CF_OP_GETFIELD: pop(s, 1), push(s, bci, field); break;
    case CF_OP_PUTFIELD: pop(s, 1 + field); break;
    default:
        pop(s, param_slots(desc) + (in->op != CF_OP_INVOKESTATIC && in->op != CF_OP_INVOKEDYNAMIC));
        push(s, bci, desc_slots(return_char(desc)));
        break;
    }
}

static void step(Sim *s, const CfInsn *in) {
    const CfOpInfo *info = &cf_op_info[in->op];
    u2 bci = (u2)in->pc;
    if (info->flags & CF_OF_STACK) {
        stack_op(s, in->op);
    } else if (info->flags & (CF_OF_FIELD | CF_OF_INVOKE)) {
        member_op(s, in, bci);
    } else if (in->op == CF_OP_MULTIANEWARRAY) {
        pop(s, in->imm);
        push(s, bci, 1);
    } else if (in->op == CF_OP_LDC2_W) {
        push(s, bci, 2);
    } else if (in->op != CF_OP_CHECKCAST) { /* a cast keeps the source */
        int n = 0;
        for (const char *p = info->pops; *p; p++) n += letter_slots(*p);
        pop(s, n);
        for (const char *p = info->pushes; *p; p++) push(s, bci, letter_slots(*p));
    }
    if ((info->flags & CF_OF_STORE) || in->op == CF_OP_IINC) {
        if (in->index < 64) s->cur.written |= 1ull << in->index;
        if (letter_slots(info->pops[0]) == 2 && in->index < 63) s->cur.written |= 2ull << in->index;
    }
}

static void merge(Sim *s, u4 target) {
    if (target >= s->m->code_len) return;
    State *to = &s->at[target];
    if (!to->known) {
        to->cell = s->cells + (size_t)target * s->room;
        memcpy(to->cell, s->cur.cell, s->cur.depth * sizeof(u2));
        to->depth = s->cur.depth;
        to->written = s->cur.written;
        to->known = s->changed = true;
        return;
    }
    if (to->depth != s->cur.depth) { s->failed = true; return; }
    for (int i = 0; i < to->depth; i++)
        if (to->cell[i] != s->cur.cell[i] && to->cell[i] != NO_SOURCE) {
            to->cell[i] = NO_SOURCE;
            s->changed = true;
        }
    if ((to->written | s->cur.written) != to->written) {
        to->written |= s->cur.written;
        s->changed = true;
    }
}

static void merge_handlers(Sim *s, u4 bci) {
    for (u4 i = 0; i < s->m->n_handlers; i++) {
        const ExHandler *h = &s->m->handlers[i];
        if (bci < h->start || bci >= h->end) continue;
        State saved = s->cur;
        u2 none = NO_SOURCE;
        s->cur.cell = &none;
        s->cur.depth = 1;
        merge(s, h->handler);
        s->cur.cell = saved.cell;
        s->cur.depth = saved.depth;
    }
}

static void pass(Sim *s) {
    const Method *m = s->m;
    CfInsn in;
    for (u4 bci = 0; bci < m->code_len && !s->failed; bci += in.len) {
        if (!cf_insn(m->code, m->code_len, bci, &in)) return;
        State *st = &s->at[bci];
        if (!st->known) continue;
        memcpy(s->cur.cell, st->cell, st->depth * sizeof(u2));
        s->cur.depth = st->depth;
        s->cur.written = st->written;
        merge_handlers(s, bci);
        u4 flags = cf_op_info[in.op].flags;
        step(s, &in);
        if (flags & CF_OF_BRANCH) merge(s, (u4)in.target);
        if (flags & CF_OF_SWITCH) {
            merge(s, (u4)in.target);
            for (u4 k = 0; k < in.cases; k++) merge(s, (u4)cf_switch_target(&in, k));
        }
        if (flags & CF_OF_JSR) { /* behind the subroutine, which takes its return address away */
            pop(s, 1);
            merge(s, bci + in.len);
        }
        if (!(flags & CF_OF_END)) merge(s, bci + in.len);
    }
}

static bool simulate(Sim *s) {
    s->room = (u2)(s->m->max_stack + 3);
    s->at = calloc(s->m->code_len, sizeof *s->at);
    s->cells = malloc(((size_t)s->m->code_len + 1) * s->room * sizeof(u2));
    if (!s->at || !s->cells) return false;
    s->cur.cell = s->cells + (size_t)s->m->code_len * s->room;
    s->at[0].known = true;
    s->at[0].cell = s->cells;
    s->changed = true;
    for (int i = 0; i < MAX_PASSES && s->changed && !s->failed; i++) {
        s->changed = false;
        pass(s);
    }
    return !s->failed;
}

/* --- names --- */

static void say_class(Text *o, CfStr name) {
    if (cf_str_is(name, "java/lang/Object") || cf_str_is(name, "java/lang/String")) {
        name.p += 10;
        name.len -= 10;
    }
    for (u4 i = 0; i < name.len; i++) say(o, "%c", name.p[i] == '/' ? '.' : name.p[i]);
}

/* One type of a descriptor; returns where it ends. */
static u4 say_type(Text *o, CfStr d, u4 i) {
    static const char *const prim[26] = {
        ['B' - 'A'] = "byte", ['C' - 'A'] = "char", ['D' - 'A'] = "double", ['F' - 'A'] = "float",
        ['I' - 'A'] = "int", ['J' - 'A'] = "long", ['S' - 'A'] = "short", ['Z' - 'A'] = "boolean",
    };
    int dims = 0;
    while (i < d.len && d.p[i] == '[') dims++, i++;
    if (i < d.len && d.p[i] == 'L') {
        u4 end = i + 1;
        while (end < d.len && d.p[end] != ';') end++;
        say_class(o, (CfStr){d.p + i + 1, end - i - 1});
        i = end + 1;
    } else if (i < d.len) {
        const char *p = d.p[i] >= 'A' && d.p[i] <= 'Z' ? prim[d.p[i] - 'A'] : NULL;
        say(o, "%s", p ? p : "?");
        i++;
    }
    while (dims-- > 0) say(o, "[]");
    return i;
}

static void say_method(Text *o, const CfClass *cf, u2 idx) {
    CfStr owner, name, desc;
    if (!cf_member_ref(cf, idx, &owner, &name, &desc)) return;
    say_class(o, owner);
    say(o, ".%.*s(", CF_STR_ARGS(name));
    for (u4 i = 1; i < desc.len && desc.p[i] != ')';) {
        if (i > 1) say(o, ", ");
        i = say_type(o, desc, i);
    }
    say(o, ")");
}

static CfStr field_name(const CfClass *cf, u2 idx, CfStr *owner) {
    CfStr name = {NULL, 0}, desc;
    cf_member_ref(cf, idx, owner, &name, &desc);
    return name;
}

static bool say_debug_name(Text *o, const Sim *s, u4 bci, u2 slot) {
    if (!s->m->cf_code) return false;
    for (u4 i = 0; i < s->m->cf_code->attrs.count; i++) {
        const CfAttr *a = &s->m->cf_code->attrs.v[i];
        CfRows rows;
        if (a->kind != CF_ATTR_LOCAL_VARIABLE_TABLE || cf_local_vars(a, &rows, NULL) != CF_OK) continue;
        for (u4 k = 0; k < rows.count; k++) {
            CfLocalVar v = cf_local_var(&rows, k);
            if (v.slot != slot || bci < v.start || bci >= (u4)v.start + v.length) continue;
            CfStr n = cf_utf8(s->cf, v.name);
            say(o, "%.*s", CF_STR_ARGS(n));
            return true;
        }
    }
    return false;
}

static void say_local(Text *o, const Sim *s, u4 bci, u2 slot, bool untouched) {
    if (say_debug_name(o, s, bci, slot)) return;
    bool is_static = method_is_static(s->m);
    if (!is_static && slot == 0 && untouched) {
        say(o, "this");
        return;
    }
    int at = is_static ? 0 : 1, number = 1;
    const char *d = s->m->desc->bytes + 1;
    for (; *d != ')' && untouched; number++) {
        int n = desc_slots(*d);
        if (slot >= at && slot < at + n) {
            say(o, "<parameter%d>", number);
            return;
        }
        at += n;
        while (*d == '[') d++;
        if (*d == 'L') while (*d != ';') d++;
        d++;
    }
    say(o, "<local%d>", slot);
}

/* --- the two parts --- */

static bool say_source(Text *o, Sim *s, u4 bci, int from_top, int detail, bool inner, const char *prefix);

static bool say_array_element(Text *o, Sim *s, u4 bci, int detail, bool inner) {
    if (!say_source(o, s, bci, 1, detail - 1, inner, NULL)) say(o, "<array>");
    say(o, "[");
    if (!say_source(o, s, bci, 0, detail, true, NULL)) say(o, "...");
    say(o, "]");
    return true;
}

/* Describe what pushed the cell `from_top` below the top at bci. */
static bool say_source(Text *o, Sim *s, u4 bci, int from_top, int detail, bool inner, const char *prefix) {
    State *st = &s->at[bci];
    CfInsn in;
    if (detail <= 0 || !st->known || from_top >= st->depth) return false;
    u2 source = st->cell[st->depth - 1 - from_top];
    if (source == NO_SOURCE || !cf_insn(s->m->code, s->m->code_len, source, &in)) return false;
    u4 flags = cf_op_info[in.op].flags;
    bool invoke = in.op >= CF_OP_INVOKEVIRTUAL && in.op <= CF_OP_INVOKEINTERFACE;
    if (prefix && detail == MAX_DETAIL && !invoke &&
        ((flags & CF_OF_LOAD) || in.op <= CF_OP_SIPUSH || in.op == CF_OP_GETSTATIC || in.op == CF_OP_GETFIELD ||
         (in.op >= CF_OP_IALOAD && in.op <= CF_OP_SALOAD)))
        say(o, "%s", prefix);
    if (flags & CF_OF_LOAD) {
        bool untouched = in.index < 64 && !(s->at[source].written >> in.index & 1);
        say_local(o, s, source, in.index, untouched);
        return true;
    }
    if (in.op == CF_OP_ACONST_NULL) return say(o, "null"), true;
    if ((in.op >= CF_OP_ICONST_M1 && in.op <= CF_OP_ICONST_5) || in.op == CF_OP_BIPUSH || in.op == CF_OP_SIPUSH)
        return say(o, "%d", in.imm), true;
    if (in.op == CF_OP_GETSTATIC) {
        CfStr owner = {NULL, 0}, name = field_name(s->cf, in.index, &owner);
        say_class(o, owner);
        say(o, ".%.*s", CF_STR_ARGS(name));
        return true;
    }
    if (in.op == CF_OP_GETFIELD) {
        CfStr owner, name = field_name(s->cf, in.index, &owner);
        if (say_source(o, s, source, 0, detail - 1, inner, NULL)) say(o, ".");
        say(o, "%.*s", CF_STR_ARGS(name));
        return true;
    }
    if (invoke) {
        if (detail == MAX_DETAIL && !inner) say(o, " because the return value of \"");
        say_method(o, s->cf, in.index);
        return true;
    }
    if (in.op >= CF_OP_IALOAD && in.op <= CF_OP_SALOAD) return say_array_element(o, s, source, detail, inner);
    return false;
}

/* What failed; returns which cell from the top was null, or -1. */
static int say_action(Text *o, const Sim *s, const CfInsn *in) {
    static const char *const kinds[] = {"int", "long", "float", "double", "object", "byte/boolean", "char", "short"};
    CfStr owner, name, desc;
    switch (in->op) {
    case CF_OP_IALOAD ... CF_OP_SALOAD:
        say(o, "Cannot load from %s array", kinds[in->op - CF_OP_IALOAD]);
        return 1;
    case CF_OP_IASTORE ... CF_OP_SASTORE:
        say(o, "Cannot store to %s array", kinds[in->op - CF_OP_IASTORE]);
        return in->op == CF_OP_LASTORE || in->op == CF_OP_DASTORE ? 3 : 2;
    case CF_OP_ARRAYLENGTH: say(o, "Cannot read the array length"); return 0;
    case CF_OP_ATHROW: say(o, "Cannot throw exception"); return 0;
    case CF_OP_MONITORENTER: say(o, "Cannot enter synchronized block"); return 0;
    case CF_OP_MONITOREXIT: say(o, "Cannot exit synchronized block"); return 0;
    case CF_OP_GETFIELD: case CF_OP_PUTFIELD:
        if (!cf_member_ref(s->cf, in->index, &owner, &name, &desc)) return -1;
        say(o, "Cannot %s field \"%.*s\"", in->op == CF_OP_GETFIELD ? "read" : "assign", CF_STR_ARGS(name));
        return in->op == CF_OP_GETFIELD ? 0 : desc_slots(desc.p[0]);
    case CF_OP_INVOKEVIRTUAL: case CF_OP_INVOKESPECIAL: case CF_OP_INVOKEINTERFACE:
        if (!cf_member_ref(s->cf, in->index, &owner, &name, &desc) || cf_str_is(name, "<init>")) return -1;
        say(o, "Cannot invoke \"");
        say_method(o, s->cf, in->index);
        say(o, "\"");
        return param_slots(desc);
    default: return -1;
    }
}

bool exec_npe_message(Method *m, u4 bci, char *buf, size_t len) {
    Sim s = {.m = m, .cf = m->version->cf};
    Text o = {buf, 0, len};
    CfInsn in;
    if (!m->code || !len || bci >= m->code_len || !cf_insn(m->code, m->code_len, bci, &in)) return false;
    buf[0] = 0;
    int null_cell = say_action(&o, &s, &in);
    if (null_cell < 0) return false;
    if (simulate(&s)) {
        size_t before = o.len;
        if (say_source(&o, &s, bci, null_cell, MAX_DETAIL, false, " because \"")) {
            say(&o, "\" is null");
        } else {
            o.len = before;
            buf[before] = 0;
        }
    }
    free(s.at);
    free(s.cells);
    return true;
}
