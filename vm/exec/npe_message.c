/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpful NullPointerException messages (JEP 358), from bytecode alone.
 *
 * The operand stack of the method is simulated by the data-flow engine (cf_dataflow.h) with
 * sources instead of values: each cell holds the bci of the instruction that pushed it, or
 * NO_SOURCE where two different ones meet.  Besides, a set of the locals (below 64) that were
 * written tells a parameter that still has its first value from an ordinary local.
 *
 * The message has two parts: what could not be done (from the failing instruction),
 * and what was null (from the source of the null cell, followed backwards through
 * fields, array elements and calls, at most five steps).
 */
#include "exec/exec.h"
#include "object/method.h"
#include "object/version.h"
#include "cf_dataflow.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_SOURCE = 0xffff, MAX_DETAIL = 5, MOST_STEPS = 4000000 };

typedef struct State {
    u8 written; /* locals stored to on some path */
    u2 *cell;   /* sources, bottom first; NULL: not reached */
    u4 depth;
} State;

typedef struct Sim {
    const Method *m;
    const CfClass *cf;
    CfArena arena;
    CfGraph g;
    State cur, *at; /* the running one; by node */
    u4 room;
} Sim;

/* --- simulation --- */

static int desc_slots(char c) { return c == 'V' ? 0 : c == 'J' || c == 'D' ? 2 : 1; }

static bool shuffle(Sim *s, u1 op) {
    const CfShuffle *how = &cf_shuffles[op - CF_OP_POP];
    if (s->cur.depth < how->takes || s->cur.depth - how->takes + how->gives > s->room) return false;
    u2 was[4], *low = s->cur.cell + s->cur.depth - how->takes;
    memcpy(was, low, how->takes * sizeof *was);
    for (u4 n = 0; n < how->gives; n++) low[n] = was[how->from[n]];
    s->cur.depth += how->gives - (u4)how->takes;
    return true;
}

static bool by_row(Sim *s, const CfInsn *in) {
    unsigned pops, pushes;
    if (!cf_insn_stack(s->cf, in, &pops, &pushes) || s->cur.depth < pops) return false;
    if (in->op == CF_OP_CHECKCAST) return true; /* a cast keeps the source */
    s->cur.depth -= pops;
    if (s->cur.depth + pushes > s->room) return false;
    while (pushes-- > 0) s->cur.cell[s->cur.depth++] = (u2)in->pc;
    return true;
}

static inline int step(void *arg, const CfInsn *in) {
    Sim *s = arg;
    const CfOpInfo *info = &cf_op_info[in->op];
    u8 before = s->cur.written;
    if (!(info->flags & CF_OF_STACK ? shuffle(s, in->op) : by_row(s, in))) return -1;
    if ((info->flags & CF_OF_STORE) || in->op == CF_OP_IINC) {
        bool two = info->pops[0] == 'J' || info->pops[0] == 'D';
        if (in->index < 64) s->cur.written |= 1ull << in->index;
        if (two && in->index < 63) s->cur.written |= 2ull << in->index;
    }
    return s->cur.written != before ? CF_STEP_LOCALS : 0;
}

static inline void returned(void *arg, const CfInsn *jsr) {
    (void)jsr;
    ((Sim *)arg)->cur.depth--;
}

static inline void load(void *arg, u4 node) {
    Sim *s = arg;
    const State *from = &s->at[node];
    memcpy(s->cur.cell, from->cell, from->depth * sizeof(u2));
    s->cur.depth = from->depth;
    s->cur.written = from->written;
}

static inline int meet(void *arg, u4 node, u4 via) {
    Sim *s = arg;
    static const u2 caught = NO_SOURCE;
    const u2 *cell = cf_by_row(via) ? &caught : s->cur.cell;
    u4 depth = cf_by_row(via) ? 1 : s->cur.depth;
    State *to = &s->at[node];
    s->g.work += 1 + depth;
    if (!to->cell) {
        *to = (State){s->cur.written, cf_arena_alloc(&s->arena, depth * sizeof(u2)), depth};
        if (to->cell) memcpy(to->cell, cell, depth * sizeof(u2));
        return to->cell ? 1 : -1;
    }
    if (to->depth != depth) return -1;
    bool changed = s->cur.written & ~to->written;
    to->written |= s->cur.written;
    for (u4 i = 0; i < depth; i++)
        if (to->cell[i] != cell[i] && to->cell[i] != NO_SOURCE) {
            to->cell[i] = NO_SOURCE;
            changed = true;
        }
    return changed;
}

static const CfFlowOps sources = {.meet = meet, .load = load, .step = step, .returned = returned};

static bool simulate(Sim *s) {
    const CfCode *code = s->m->cf_code;
    if (!code || cf_graph_init(&s->g, code, CF_NODES_MEET, &s->arena) != CF_GRAPH_OK) return false;
    s->g.most = MOST_STEPS;
    s->room = code->max_stack;
    s->at = CF_NEW_ARRAY(&s->arena, State, s->g.n);
    s->cur.cell = CF_NEW_ARRAY(&s->arena, u2, s->room + 1);
    if (!s->at || !s->cur.cell || meet(s, 0, CF_BY_FALL) < 0) return false;
    s->g.flags[0] |= CF_NODE_REACHED | CF_NODE_DIRTY;
    return cf_flow_run(&s->g, &sources, s, false) == 0;
}

/* --- names --- */

static void say_class(CfText *o, CfStr name) {
    if (cf_str_is(name, "java/lang/Object") || cf_str_is(name, "java/lang/String")) {
        name.p += 10;
        name.len -= 10;
    }
    for (u4 i = 0; i < name.len; i++) cf_put(o, "%c", name.p[i] == '/' ? '.' : name.p[i]);
}

/* One type of a descriptor; returns where it ends. */
static u4 say_type(CfText *o, CfStr d, u4 i) {
    static const char *const prim[26] = {
        ['B' - 'A'] = "byte", ['C' - 'A'] = "char", ['D' - 'A'] = "double", ['F' - 'A'] = "float",
        ['I' - 'A'] = "int",  ['J' - 'A'] = "long", ['S' - 'A'] = "short",  ['Z' - 'A'] = "boolean",
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
        cf_put(o, "%s", p ? p : "?");
        i++;
    }
    while (dims-- > 0) cf_put(o, "[]");
    return i;
}

static void say_method(CfText *o, const CfClass *cf, u2 idx) {
    CfStr owner, name, desc;
    if (!cf_member_ref(cf, idx, &owner, &name, &desc)) return;
    say_class(o, owner);
    cf_put(o, ".%.*s(", CF_STR_ARGS(name));
    for (u4 i = 1; i < desc.len && desc.p[i] != ')';) {
        if (i > 1) cf_put(o, ", ");
        i = say_type(o, desc, i);
    }
    cf_put(o, ")");
}

static CfStr field_name(const CfClass *cf, u2 idx, CfStr *owner) {
    CfStr name = {NULL, 0}, desc;
    cf_member_ref(cf, idx, owner, &name, &desc);
    return name;
}

static bool say_debug_name(CfText *o, const Sim *s, u4 bci, u2 slot) {
    if (!s->m->cf_code) return false;
    for (u4 i = 0; i < s->m->cf_code->attrs.count; i++) {
        const CfAttr *a = &s->m->cf_code->attrs.v[i];
        CfRows rows;
        if (a->kind != CF_ATTR_LOCAL_VARIABLE_TABLE || cf_local_vars(a, &rows, NULL) != CF_OK) continue;
        for (u4 k = 0; k < rows.count; k++) {
            CfLocalVar v = cf_local_var(&rows, k);
            if (v.slot != slot || bci < v.start || bci >= (u4)v.start + v.length) continue;
            CfStr n = cf_utf8(s->cf, v.name);
            cf_put(o, "%.*s", CF_STR_ARGS(n));
            return true;
        }
    }
    return false;
}

static void say_local(CfText *o, const Sim *s, u4 bci, u2 slot, bool untouched) {
    if (say_debug_name(o, s, bci, slot)) return;
    bool is_static = method_is_static(s->m);
    if (!is_static && slot == 0 && untouched) return cf_put(o, "this");
    int at = is_static ? 0 : 1, number = 1;
    const char *d = s->m->desc->bytes + 1;
    for (; *d != ')' && untouched; number++, d = desc_skip(d)) {
        int n = desc_slots(*d);
        if (slot >= at && slot < at + n) return cf_put(o, "<parameter%d>", number);
        at += n;
    }
    cf_put(o, "<local%d>", slot);
}

/* --- the two parts --- */

static bool say_source(CfText *o, Sim *s, u4 bci, int from_top, int detail, bool inner, const char *prefix);

static bool say_array_element(CfText *o, Sim *s, u4 bci, int detail, bool inner) {
    if (!say_source(o, s, bci, 1, detail - 1, inner, NULL)) cf_put(o, "<array>");
    cf_put(o, "[");
    if (!say_source(o, s, bci, 0, detail, true, NULL)) cf_put(o, "...");
    cf_put(o, "]");
    return true;
}

/* Describe what pushed the cell `from_top` below the top at bci. */
static bool say_source(CfText *o, Sim *s, u4 bci, int from_top, int detail, bool inner, const char *prefix) {
    CfInsn in;
    if (detail <= 0 || !cf_flow_to(&s->g, &sources, s, bci) || (u4)from_top >= s->cur.depth) return false;
    u2 source = s->cur.cell[s->cur.depth - 1 - (u4)from_top];
    if (source == NO_SOURCE || !cf_insn(s->m->code, s->m->code_len, source, &in)) return false;
    u4 flags = cf_op_info[in.op].flags;
    bool invoke = in.op >= CF_OP_INVOKEVIRTUAL && in.op <= CF_OP_INVOKEINTERFACE;
    if (prefix && detail == MAX_DETAIL && !invoke &&
        ((flags & CF_OF_LOAD) || in.op <= CF_OP_SIPUSH || in.op == CF_OP_GETSTATIC || in.op == CF_OP_GETFIELD ||
         (in.op >= CF_OP_IALOAD && in.op <= CF_OP_SALOAD)))
        cf_put(o, "%s", prefix);
    if (flags & CF_OF_LOAD) {
        bool untouched = in.index < 64 && cf_flow_to(&s->g, &sources, s, source) && !(s->cur.written >> in.index & 1);
        say_local(o, s, source, in.index, untouched);
        return true;
    }
    if (in.op == CF_OP_ACONST_NULL) return cf_put(o, "null"), true;
    if ((in.op >= CF_OP_ICONST_M1 && in.op <= CF_OP_ICONST_5) || in.op == CF_OP_BIPUSH || in.op == CF_OP_SIPUSH)
        return cf_put(o, "%d", in.imm), true;
    if (in.op == CF_OP_GETSTATIC) {
        CfStr owner = {NULL, 0}, name = field_name(s->cf, in.index, &owner);
        say_class(o, owner);
        cf_put(o, ".%.*s", CF_STR_ARGS(name));
        return true;
    }
    if (in.op == CF_OP_GETFIELD) {
        CfStr owner, name = field_name(s->cf, in.index, &owner);
        if (say_source(o, s, source, 0, detail - 1, inner, NULL)) cf_put(o, ".");
        cf_put(o, "%.*s", CF_STR_ARGS(name));
        return true;
    }
    if (invoke) {
        if (detail == MAX_DETAIL && !inner) cf_put(o, " because the return value of \"");
        say_method(o, s->cf, in.index);
        return true;
    }
    if (in.op >= CF_OP_IALOAD && in.op <= CF_OP_SALOAD) return say_array_element(o, s, source, detail, inner);
    return false;
}

/* What failed; returns which cell from the top was null, or -1. */
static int say_action(CfText *o, const Sim *s, const CfInsn *in) {
    static const char *const kinds[] = {"int", "long", "float", "double", "object", "byte/boolean", "char", "short"};
    CfStr owner, name, desc;
    switch (in->op) {
    case CF_OP_IALOAD ... CF_OP_SALOAD: cf_put(o, "Cannot load from %s array", kinds[in->op - CF_OP_IALOAD]); return 1;
    case CF_OP_IASTORE ... CF_OP_SASTORE:
        cf_put(o, "Cannot store to %s array", kinds[in->op - CF_OP_IASTORE]);
        return in->op == CF_OP_LASTORE || in->op == CF_OP_DASTORE ? 3 : 2;
    case CF_OP_ARRAYLENGTH: cf_put(o, "Cannot read the array length"); return 0;
    case CF_OP_ATHROW: cf_put(o, "Cannot throw exception"); return 0;
    case CF_OP_MONITORENTER: cf_put(o, "Cannot enter synchronized block"); return 0;
    case CF_OP_MONITOREXIT: cf_put(o, "Cannot exit synchronized block"); return 0;
    case CF_OP_GETFIELD:
    case CF_OP_PUTFIELD:
        if (!cf_member_ref(s->cf, in->index, &owner, &name, &desc)) return -1;
        cf_put(o, "Cannot %s field \"%.*s\"", in->op == CF_OP_GETFIELD ? "read" : "assign", CF_STR_ARGS(name));
        return in->op == CF_OP_GETFIELD ? 0 : desc_slots(desc.p[0]);
    case CF_OP_INVOKEVIRTUAL:
    case CF_OP_INVOKESPECIAL:
    case CF_OP_INVOKEINTERFACE:
        if (!cf_member_ref(s->cf, in->index, &owner, &name, &desc) || cf_str_is(name, "<init>")) return -1;
        cf_put(o, "Cannot invoke \"");
        say_method(o, s->cf, in->index);
        cf_put(o, "\"");
        return cf_desc_arg_slots(desc, NULL);
    default: return -1;
    }
}

bool exec_npe_message(Method *m, u4 bci, char *buf, size_t len) {
    Sim s = {.m = m, .cf = m->version->cf};
    CfText o = {buf, 0, len};
    CfInsn in;
    if (!m->code || !len || bci >= m->code_len || !cf_insn(m->code, m->code_len, bci, &in)) return false;
    buf[0] = 0;
    int null_cell = say_action(&o, &s, &in);
    if (null_cell < 0) return false;
    cf_arena_init(&s.arena, "sources", 0);
    if (simulate(&s)) {
        size_t before = o.len;
        if (say_source(&o, &s, bci, null_cell, MAX_DETAIL, false, " because \"")) {
            cf_put(&o, "\" is null");
        } else {
            o.len = before;
            buf[before] = 0;
        }
    }
    cf_arena_free(&s.arena);
    return true;
}
