/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What changes in qcode while the world is stopped: breakpoints, watched fields, calls that redefinition turns,
 * instructions of classes that change shape.
 *
 * A breakpoint patches one opcode; the real one is in a table.  A watched field is used by Q_FIELD_GENERIC, which looks at
 * the flags.  Each change first makes the method an ordinary one (leaf_forget), takes away its compiled code (jit_forget), and
 * takes superinstructions from in front of what it patches.
 */
#include "quick/quick_int.h"
#include "jit/jit.h"
#include <stdlib.h>
#include <string.h>

/* --- breakpoints: the real opcode of a patched instruction --- */

typedef struct Breakpoint {
    struct Breakpoint *next;
    Method *method;
    u4 bci;
    u1 opcode;
    const void *owner; /* see quick.h; NULL: whoever sends the event looks for those who set it */
} Breakpoint;
static Breakpoint *breakpoints; /* changed at safepoints only */

static Breakpoint *breakpoint_find(const Method *m, u4 bci) {
    for (Breakpoint *b = breakpoints; b; b = b->next)
        if (b->method == m && b->bci == bci) return b;
    return NULL;
}

u1 quick_current_opcode(const Method *m, const u1 *pc) {
    u1 op = LOAD_ACQUIRE(*pc);
    if (LIKELY(op != Q_BREAKPOINT)) return op;
    Breakpoint *b = breakpoint_find(m, (u4)(pc - m->qcode));
    return b ? LOAD_ACQUIRE(b->opcode) : m->code[pc - m->qcode];
}

void quick_set_opcode(Method *m, u4 bci, u1 op) {
    u1 *at = m->qcode + bci;
    if (UNLIKELY(*at == Q_BREAKPOINT)) {
        Breakpoint *b = breakpoint_find(m, bci);
        if (b) __atomic_store_n(&b->opcode, op, __ATOMIC_RELEASE);
        return;
    }
    __atomic_store_n(at, op, __ATOMIC_RELEASE);
}

const void *quick_breakpoint_owner(const Method *m, u4 bci) {
    const Breakpoint *b = breakpoint_find(m, bci);
    return b ? b->owner : NULL;
}

/* In a pause: false without memory, and no exception. */
bool quick_set_breakpoint(Method *m, u4 bci, const void *owner) {
    if (!m->qcode && !quick_make_code(m)) return false;
    exec_use_bytecode(m);
    if (breakpoint_find(m, bci)) return true;
    jit_forget(m);
    Breakpoint *b = malloc(sizeof *b);
    if (!b) return false;
    leaf_forget(m);
    quick_unfuse(m, bci);
    *b = (Breakpoint){breakpoints, m, bci, m->qcode[bci], owner};
    breakpoints = b;
    FLAGS_SET(m->flags, MF_HAS_BREAKPOINT);
    m->qcode[bci] = Q_BREAKPOINT;
    return true;
}

/* Compiled code has the owner as a constant. */
bool quick_disown_breakpoint(Method *m, u4 bci, const void *owner) {
    Breakpoint *b = breakpoint_find(m, bci);
    if (b && b->owner == owner) {
        jit_forget(m);
        b->owner = NULL;
    }
    return b != NULL;
}

static void take_off(Breakpoint **at) {
    Breakpoint *b = *at;
    b->method->qcode[b->bci] = b->opcode;
    *at = b->next;
    free(b);
}

bool quick_clear_breakpoint(Method *m, u4 bci, const void *owner) {
    (void)owner; /* whoever it is */
    for (Breakpoint **p = &breakpoints; *p; p = &(*p)->next) {
        if ((*p)->method != m || (*p)->bci != bci) continue;
        jit_forget(m);
        take_off(p);
        return true;
    }
    return false;
}

/* --- redefinition --- */

/* A cell of a call holds a Method or, for calls that need more, the ResolvedMethod of the pool. */
void quick_turn_call_cell(ClassVersion *v, u2 idx) {
    Method *m = v->qcells[idx];
    if (!m || v->qcells[idx] == (void *)v->pool[idx].method || method_current(m) == m) return;
    v->qcells[idx] = method_current(m);
    if (m->kind == MK_VM_NATIVE) leaf_forget_all(v); /* one may have been made of that native */
}

static bool is_resolved_method(const ClassVersion *v, const void *p) {
    for (u4 i = 0; i < v->method_cells.len; i++)
        if ((const void *)v->pool[v->method_cells.data[i]].method == p) return true;
    return false;
}

void quick_turn_extra_cells(ClassVersion *v) {
    for (u4 i = v->pool_count + 1u; i < v->pool_count + 1u + v->n_extra_cells && v->qcells[i]; i++)
        if (!is_resolved_method(v, v->qcells[i])) v->qcells[i] = method_current(v->qcells[i]);
}

/* v was replaced, and its code with it, or nobody runs it: there may be many, so no code is looked for. */
void quick_forget_breakpoints(ClassVersion *v) {
    for (Breakpoint **p = &breakpoints, *b; (b = *p);) {
        if (b->method->version != v) {
            p = &b->next;
            continue;
        }
        FLAGS_CLEAR(b->method->flags, MF_HAS_BREAKPOINT);
        take_off(p);
    }
}

/* --- classes that change shape --- */

static bool uses_extra_cell(const Method *m, u4 at, u1 op, u1 quick) {
    u2 idx;
    if (op < CF_OP_INVOKEVIRTUAL || op > CF_OP_INVOKEINTERFACE || quick == Q_INVOKEVIRTUAL_Q) return false;
    memcpy(&idx, m->qcode + at + 1, 2);
    return idx > m->version->pool_count;
}

static void reset_method(Method *m, const u1 *stale) {
    leaf_forget(m);
    for (u4 at = 0, len; at < m->code_len; at += len) {
        len = cf_insn_length(m->code, m->code_len, at);
        if (!len) return;
        u1 op = m->code[at], quick;
        if (op != CF_OP_NEW && (op < CF_OP_GETSTATIC || op > CF_OP_INVOKEINTERFACE)) continue;
        quick = quick_current_opcode(m, m->qcode + at);
        if (quick == op) continue; /* was not executed yet */
        if (!stale[cf_get_u2(m->code + at + 1)] && !uses_extra_cell(m, at, op, quick)) continue;
        quick_unfuse(m, at);
        quick_set_opcode(m, at, op);
    }
}

void quick_reset_sites(ClassVersion *v, const u1 *stale) {
    if (!v->qcells) return;
    for (u4 i = 0; i < v->n_methods_all; i++)
        if (v->methods[i].qcode) reset_method(&v->methods[i], stale);
    for (u4 i = 0; i < v->pool_count; i++)
        if (stale[i] == 1) v->qcells[i] = NULL;
    memset(v->qcells + v->pool_count + 1, 0, v->n_extra_cells * sizeof *v->qcells);
}

/* --- field watches: a watched field is used by Q_FIELD_GENERIC, which looks at the flags --- */

static bool names_field(const ClassVersion *v, u2 idx, const Field *fd) {
    return v->pool_state[idx] == POOL_RESOLVED && cf_tag(v->cf, idx) == CF_CONST_FIELDREF && v->pool[idx].field == fd;
}

static void watch_in_method(Method *m, const Field *fd) {
    jit_forget(m);
    leaf_forget(m);
    for (u4 at = 0, len; at < m->code_len; at += len) {
        len = cf_insn_length(m->code, m->code_len, at);
        if (!len) return;
        u1 op = m->code[at];
        if (op < CF_OP_GETSTATIC || op > CF_OP_PUTFIELD) continue;
        if (!names_field(m->version, cf_get_u2(m->code + at + 1), fd)) continue;
        if (quick_current_opcode(m, m->qcode + at) == op) continue; /* was not executed yet */
        quick_unfuse(m, at);
        quick_set_opcode(m, at, quick_watched(fd, quick_is_get(op)) ? Q_FIELD_GENERIC : op);
    }
}

/* C functions that are tried before Java bodies touch fields of their own package only. */
static void forget_quick_of_package(ClassVersion *v, Class *holder) {
    for (u4 i = 0; i < v->n_methods_all; i++)
        if (v->methods[i].kind == MK_LEAF_QUICK && access_same_package(v->klass, holder)) leaf_forget(&v->methods[i]);
}

void quick_watch_changed(ClassVersion *v, const Field *fd) {
    bool used = false;
    for (u4 i = 1; i < v->pool_count && !used && v->qcells; i++) used = names_field(v, (u2)i, fd);
    for (u4 i = 0; used && i < v->n_methods_all; i++)
        if (v->methods[i].qcode) watch_in_method(&v->methods[i], fd);
    for (u4 i = 0; v->klass == fd->holder && i < v->n_methods_all; i++) exec_use_bytecode(&v->methods[i]);
    forget_quick_of_package(v, fd->holder);
}
