/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From class-file bytecode to qcode: preparation of a method at its first call.
 *
 * Preparation copies the code and turns multi-byte operands of instructions that
 * never change (branches, switches, sipush, wide) into native byte order.  Switch tables
 * sit at the same aligned offsets, because qcode itself is 8-aligned.  Superinstructions are put over what follows
 * each other often.
 */
#include "quick/quick_int.h"
#include <stdlib.h>
#include <string.h>

enum { MIN_EXTRA_CELLS = 64 };

VmLock quick_lock = VM_LOCK(PREPARE);

/* --- superinstructions --- */

enum { CF_OP_LDM = 0xff }; /* any of iload_0 .. iload_3; no opcode of class files */

typedef struct Pattern {
    u1 fused, first, second, third; /* second NOP: not found by looking */
} Pattern;

static const Pattern patterns[] = {
#define FUSED(value, NAME, A, B, C) {value, CF_OP_##A, CF_OP_##B, CF_OP_##C},
#include "quick/quick.def"
};
enum { /* two rows with one number do not compile */
#define QUICK(value, NAME, BASE) NUMBER_##value,
#define FUSED(value, NAME, A, B, C) NUMBER_##value,
#include "quick/quick.def"
};
static const u1 fused_base[256] = {
/* 0: not a fused opcode */
#define FUSED(value, NAME, A, B, C) [value] = CF_OP_##A,
#include "quick/quick.def"
};
static const u1 alias_of[256] = {
/* 0: itself */
#define ALIAS(NAME, AS) [CF_OP_##NAME] = CF_OP_##AS,
#include "quick/quick.def"
};
static u1 first_pattern[256]; /* 1 + index of the first row for an opcode */

void quick_init(void) {
    for (size_t i = ARRAY_LEN(patterns); i-- > 0;) first_pattern[patterns[i].first] = (u1)(i + 1);
}

u1 quick_plain_opcode(u1 op) { return fused_base[op] ? fused_base[op] : op; }

static bool is_ldm(u1 op) { return op >= CF_OP_ILOAD_0 && op <= CF_OP_ILOAD_3; }

/* Length of an instruction of fixed length, else 0. */
static u4 fixed_length(const Method *m, u4 at) { return at < m->code_len ? cf_op_info[m->code[at]].length : 0; }

static void fuse_code(const Method *m, u1 *q) {
    for (u4 at = 0, len; at < m->code_len; at += len) {
        len = cf_insn_length(m->code, m->code_len, at);
        if (!len) return;
        u4 row = first_pattern[q[at]];
        if (!row || !fixed_length(m, at)) continue;
        u4 second = at + len, n2 = fixed_length(m, second), third = second + n2;
        if (!n2) continue;
        for (const Pattern *p = &patterns[row - 1]; p < patterns + ARRAY_LEN(patterns); p++) {
            if (p->first != q[at] || p->second == CF_OP_NOP) continue;
            if (p->second == CF_OP_LDM ? !is_ldm(q[second]) : p->second != q[second]) continue;
            if (p->third != CF_OP_NOP && (!fixed_length(m, third) || p->third != q[third])) continue;
            q[at] = p->fused;
            len += n2 + (p->third != CF_OP_NOP ? fixed_length(m, third) : 0);
            break;
        }
    }
}

/* Before an instruction is patched: no fused opcode may run over it. */
void quick_unfuse(Method *m, u4 bci) {
    for (u4 at = 0; at <= bci;) {
        if (fused_base[m->qcode[at]]) m->qcode[at] = fused_base[m->qcode[at]];
        u4 n = cf_insn_length(m->code, m->code_len, at);
        if (!n) return;
        at += n;
    }
}

/* --- preparation --- */

static inline void put_u2(u1 *p, u2 v) { memcpy(p, &v, 2); }
static inline void put_s4(u1 *p, int32_t v) { memcpy(p, &v, 4); }
static inline int32_t get_s4(const u1 *p) { return (int32_t)cf_get_u4(p); }

static void prepare_switch(const Method *m, u1 *q, u4 at, bool table) {
    u4 w = (at + 4) & ~3u;
    const u1 *src = m->code + w;
    u4 n = table ? 3 + (u4)(get_s4(src + 8) - get_s4(src + 4)) + 1 : 2 + 2 * (u4)get_s4(src + 4);
    for (u4 i = 0; i < n; i++) put_s4(q + w + 4 * i, get_s4(src + 4 * i));
}

/* Call sites of a version are numbered as its methods are prepared; the table is made once,
 * large enough for all, so that readers need no lock.  [lock: prepare] */
static bool make_call_sites(ClassVersion *v) {
    u4 n = 0;
    for (u4 i = 0; i < v->n_methods_all; i++) {
        const Method *m = &v->methods[i];
        for (u4 at = 0, len; at < m->code_len; at += len) {
            len = cf_insn_length(m->code, m->code_len, at);
            if (!len) break;
            n += m->code[at] == CF_OP_INVOKEDYNAMIC;
        }
    }
    v->call_sites = calloc(n ? n : 1, sizeof *v->call_sites);
    return v->call_sites != NULL;
}

static bool prepare_call_site(const Method *m, u1 *q, u4 at) {
    ClassVersion *v = m->version;
    if (!v->call_sites && !make_call_sites(v)) return false;
    CallSite *cs = calloc(1, sizeof *cs);
    if (!cs) return false;
    cs->pool_index = cf_get_u2(m->code + at + 1);
    v->call_sites[v->n_call_sites] = cs;
    put_s4(q + at + 1, (int32_t)v->n_call_sites);
    v->n_call_sites++;
    return true;
}

static bool prepare_code(const Method *m, u1 *q) {
    for (u4 at = 0; at < m->code_len;) {
        const u1 *c = m->code + at;
        u4 n = cf_insn_length(m->code, m->code_len, at);
        if (!n) break; /* unverified garbage behind the last instruction */
        switch (cf_op_info[*c].format) {
        case CF_FMT_S2:
        case CF_FMT_BRANCH2: put_u2(q + at + 1, cf_get_u2(c + 1)); break;
        case CF_FMT_BRANCH4: put_s4(q + at + 1, get_s4(c + 1)); break;
        case CF_FMT_TABLESWITCH: prepare_switch(m, q, at, true); break;
        case CF_FMT_LOOKUPSWITCH: prepare_switch(m, q, at, false); break;
        case CF_FMT_WIDE:
            put_u2(q + at + 2, cf_get_u2(c + 2));
            if (n == 6) put_u2(q + at + 4, cf_get_u2(c + 4));
            break;
        case CF_FMT_DYNAMIC:
            if (!prepare_call_site(m, q, at)) return false;
            break;
        default: break;
        }
        if (alias_of[*c]) q[at] = alias_of[*c];
        if (*c == CF_OP_IRETURN && m->ret_type != T_INT) q[at] = Q_IRETURN_NARROW;
        if (*c == CF_OP_RETURN && (m->flags & MF_OBJECT_INIT)) q[at] = Q_RETURN_INIT;
        at += n;
    }
    fuse_code(m, q);
    return true;
}

/* Each reference to a method may be used by two kinds of instructions, which want different cells: super.m() and o.m(). */
static void make_cells(ClassVersion *v) {
    u4 refs = 0;
    for (u4 i = 1; i < v->pool_count; i++) {
        CfConstTag tag = cf_tag(v->cf, (u2)i);
        refs += tag == CF_CONST_METHODREF || tag == CF_CONST_INTERFACEMETHODREF;
    }
    v->n_extra_cells = refs > MIN_EXTRA_CELLS ? refs : MIN_EXTRA_CELLS;
    v->qcells = calloc((size_t)v->pool_count + 1 + v->n_extra_cells, sizeof *v->qcells);
}

/* What a preparation that failed had numbered is given back: the table was counted once. */
static void drop_call_sites(ClassVersion *v, u4 first) {
    while (v->n_call_sites > first) {
        free(v->call_sites[--v->n_call_sites]);
        v->call_sites[v->n_call_sites] = NULL;
    }
}

bool quick_make_code(Method *m) {
    HOLDING(&quick_lock);
    if (m->qcode) return true;
    ClassVersion *v = m->version;
    if (!v->qcells) make_cells(v);
    u4 first_site = v->n_call_sites;
    u1 *q = malloc(ALIGN_UP((size_t)m->code_len + 8, 8));
    if (q) {
        memcpy(q, m->code, m->code_len);
        memset(q + m->code_len, 0xff, 8);
    }
    if (!q || !v->qcells || !prepare_code(m, q)) {
        drop_call_sites(v, first_site);
        free(q);
        return false;
    }
    m->qcells = v->qcells;
    __atomic_store_n(&m->qcode, q, __ATOMIC_RELEASE);
    leaf_open_entry(m);
    if (m->flags & MF_EMPTY) leaf_consider(m);
    return true;
}

bool quick_prepare(Thread *t, Method *m) {
    if (quick_make_code(m)) return true;
    return throw_oom(t, "Cannot allocate code memory"), false;
}
