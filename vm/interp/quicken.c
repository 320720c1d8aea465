/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From class-file bytecode to qcode: preparation of a method at its first call,
 * and quickening of one instruction at its first execution.
 *
 * Preparation copies the code and turns multi-byte operands of instructions that
 * never change (branches, switches, sipush, wide) into native byte order.  Switch tables
 * sit at the same aligned offsets, because qcode itself is 8-aligned.
 *
 * Quickening resolves through link/, fills the qcell of the pool index, writes operands,
 * then publishes the opcode.  It may run twice in two threads for one instruction: both
 * write the same bytes.  An instruction whose class is still being initialised by
 * this thread is executed here and stays as it is (JVMS 5.5 asks others to wait).
 *
 * A qcell is shared by all instructions with the same pool index.  It can only mean
 * different things for a Methodref used by invokespecial and something else; the second
 * user then stays unquickened and is served by the slow path.
 *
 * Volatile accesses: on x86-64 a plain load is sequentially consistent next to locked
 * stores, so volatile reads use the plain opcodes there.
 */
#include "interp/interp_int.h"
#include "core/hooks.h"
#include "core/lock.h"
#include "heap/heap.h"
#include "heap/records.h"
#include "jit/jit.h"
#include "lang/javaclasses.h"
#include "object/class.h"
#include "object/field.h"
#include "object/method.h"
#include "object/version.h"
#include "thread/guard.h"
#include "thread/monitor.h"
#include <stdlib.h>
#include <string.h>

enum { MIN_EXTRA_CELLS = 64 };

static VmLock prepare_lock = VM_LOCK(PREPARE);

/* --- breakpoints: the real opcode of a patched instruction --- */

typedef struct Breakpoint {
    struct Breakpoint *next;
    Method *method;
    u4 bci;
    u1 opcode;
} Breakpoint;
static Breakpoint *breakpoints; /* changed at safepoints only */

static Breakpoint *breakpoint_find(const Method *m, u4 bci) {
    for (Breakpoint *b = breakpoints; b; b = b->next)
        if (b->method == m && b->bci == bci) return b;
    return NULL;
}

u1 interp_current_opcode(const Method *m, const u1 *pc) {
    u1 op = LOAD_ACQUIRE(*pc);
    if (LIKELY(op != Q_BREAKPOINT)) return op;
    Breakpoint *b = breakpoint_find(m, (u4)(pc - m->qcode));
    return b ? LOAD_ACQUIRE(b->opcode) : m->code[pc - m->qcode];
}

void interp_set_opcode(Method *m, u4 bci, u1 op) {
    u1 *at = m->qcode + bci;
    if (UNLIKELY(*at == Q_BREAKPOINT)) {
        Breakpoint *b = breakpoint_find(m, bci);
        if (b) __atomic_store_n(&b->opcode, op, __ATOMIC_RELEASE);
        return;
    }
    __atomic_store_n(at, op, __ATOMIC_RELEASE);
}

static bool prepare(Method *m);

/* In a pause: false without memory, and no exception. */
bool interp_set_breakpoint(Method *m, u4 bci) {
    if (!m->qcode && !prepare(m)) return false;
    exec_use_bytecode(m);
    if (breakpoint_find(m, bci)) return true;
    jit_forget(m);
    Breakpoint *b = malloc(sizeof *b);
    if (!b) return false;
    leaf_forget(m);
    interp_unfuse(m, bci);
    *b = (Breakpoint){breakpoints, m, bci, m->qcode[bci]};
    breakpoints = b;
    FLAGS_SET(m->flags, MF_HAS_BREAKPOINT);
    m->qcode[bci] = Q_BREAKPOINT;
    return true;
}

bool interp_clear_breakpoint(Method *m, u4 bci) {
    for (Breakpoint **p = &breakpoints; *p; p = &(*p)->next) {
        Breakpoint *b = *p;
        if (b->method != m || b->bci != bci) continue;
        m->qcode[bci] = b->opcode;
        *p = b->next;
        free(b);
        return true;
    }
    return false;
}

u1 interp_original_opcode(const Method *m, u4 bci) {
    return m->code[bci];
}

/* --- superinstructions --- */

enum { CF_OP_LDM = 0xff }; /* any of iload_0 .. iload_3; no opcode of class files */

typedef struct Pattern {
    u1 fused, first, second, third; /* second NOP: not found by looking */
} Pattern;

static const Pattern patterns[] = {
#define QUICK(value, NAME, BASE)
#define FUSED(value, NAME, A, B, C) {value, CF_OP_##A, CF_OP_##B, CF_OP_##C},
#define ALIAS(NAME, AS)
#include "interp/quick.def"
#undef FUSED
#undef ALIAS
};
static const u1 fused_base[256] = { /* 0: not a fused opcode */
#define FUSED(value, NAME, A, B, C) [value] = CF_OP_##A,
#define ALIAS(NAME, AS)
#include "interp/quick.def"
#undef FUSED
#undef ALIAS
};
static const u1 alias_of[256] = { /* 0: itself */
#define FUSED(value, NAME, A, B, C)
#define ALIAS(NAME, AS) [CF_OP_##NAME] = CF_OP_##AS,
#include "interp/quick.def"
#undef QUICK
#undef FUSED
#undef ALIAS
};
static u1 first_pattern[256]; /* 1 + index of the first row for an opcode */

void quicken_init(void) {
    for (size_t i = ARRAY_LEN(patterns); i-- > 0;) first_pattern[patterns[i].first] = (u1)(i + 1);
}

u1 interp_plain_opcode(u1 op) {
    return fused_base[op] ? fused_base[op] : op;
}

static bool is_ldm(u1 op) { return op >= CF_OP_ILOAD_0 && op <= CF_OP_ILOAD_3; }

/* Length of an instruction of fixed length, else 0. */
static u4 fixed_length(const Method *m, u4 at) {
    return at < m->code_len ? cf_op_info[m->code[at]].length : 0;
}

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
void interp_unfuse(Method *m, u4 bci) {
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
    if (n > 0xffff) return false;
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
    put_s4(q + at + 1, v->n_call_sites);
    v->n_call_sites++;
    return true;
}

static bool prepare_code(const Method *m, u1 *q) {
    for (u4 at = 0; at < m->code_len;) {
        const u1 *c = m->code + at;
        u4 n = cf_insn_length(m->code, m->code_len, at);
        if (!n) break; /* unverified garbage behind the last instruction */
        switch (cf_op_info[*c].format) {
        case CF_FMT_S2: case CF_FMT_BRANCH2:
            put_u2(q + at + 1, cf_get_u2(c + 1));
            break;
        case CF_FMT_BRANCH4:
            put_s4(q + at + 1, get_s4(c + 1));
            break;
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

static bool prepare(Method *m) {
    bool ok = true;
    lock_take(&prepare_lock);
    if (!m->qcode) {
        ClassVersion *v = m->version;
        if (!v->qcells) make_cells(v);
        u4 first_site = v->n_call_sites;
        u1 *q = malloc(ALIGN_UP((size_t)m->code_len + 8, 8));
        if (q) {
            memcpy(q, m->code, m->code_len);
            memset(q + m->code_len, 0xff, 8);
        }
        if (q && v->qcells && prepare_code(m, q)) {
            m->qcells = v->qcells;
            __atomic_store_n(&m->qcode, q, __ATOMIC_RELEASE);
            if (!(m->access & ACC_SYNCHRONIZED) && !jit_on && !method_is_leaf(m)) __atomic_store_n(&m->qentry, q, __ATOMIC_RELEASE);
            if (m->flags & MF_EMPTY) leaf_consider(m);
        } else {
            drop_call_sites(v, first_site);
            free(q);
            ok = false;
        }
    }
    lock_release(&prepare_lock);
    return ok;
}

bool interp_prepare(Thread *t, Method *m) {
    if (prepare(m)) return true;
    throw_oom(t, "Cannot allocate code memory");
    return false;
}

/* --- quickening --- */

/* What an instruction being quickened is about. */
typedef struct Site {
    Thread *t;
    Frame *f;
    Method *m;
    ClassVersion *v;
    u4 bci;
    u1 op;   /* original opcode */
    u2 idx;  /* its pool index */
    u1 count; /* invokeinterface: cells of arguments, the third operand byte */
    u4 epoch; /* reshape_epoch when quickening began */
} Site;

/* Something changed its shape meanwhile: what was found may be stale.  The instruction runs again. */
static bool is_stale(const Site *s) { return UNLIKELY(s->epoch != atomic_load(&reshape_epoch)); }

/* The bytes behind an opcode that is to be published with them. */
typedef struct Operands {
    u1 n, bytes[3];
} Operands;

/* Two threads may quicken one instruction at a time.  They are serialised, and the second one finds an opcode there and
 * runs that: operands never change under a quick opcode. */
static int publish_with(const Site *s, u1 op, const Operands *o) {
    u1 *q = s->m->qcode + s->bci;
    lock_take(&prepare_lock);
    u1 now = interp_current_opcode(s->m, q);
    if (now == s->op) {
        memcpy(q + 1, o->bytes, o->n);
        interp_set_opcode(s->m, s->bci, now = op);
    }
    if (leaf_possible(s->m)) leaf_consider(s->m);
    lock_release(&prepare_lock);
    return now;
}
static int publish_if_valid(const Site *s, u1 op, const Operands *o) {
    int r = SLOW_DONE;
    NO_SAFEPOINT {
        if (!is_stale(s)) r = publish_with(s, op, o);
    }
    return r;
}
static int publish(const Site *s, u1 op) { return publish_if_valid(s, op, &(Operands){.n = 0}); }

/* The cell of a pool entry belongs to who comes first: calls of two kinds may name one entry and want different things in it. */
static bool take_cell(const Site *s, void *cell) {
    void **at = &s->v->qcells[s->idx];
    lock_take(&prepare_lock);
    if (!*at) *at = cell;
    bool mine = *at == cell;
    lock_release(&prepare_lock);
    return mine;
}
static Operands index_operand(const Site *s, u2 idx) {
    Operands o = {.n = cf_op_info[s->op].format == CF_FMT_CP1 ? 1 : 2, .bytes = {(u1)idx}};
    if (o.n == 2) put_u2(o.bytes, idx);
    if (s->op == CF_OP_INVOKEINTERFACE) o.bytes[o.n++] = s->count;
    return o;
}
static int publish_cell(const Site *s, u1 op, void *cell) {
    if (is_stale(s)) return SLOW_DONE;
    if (!take_cell(s, cell)) return 0;
    Operands o = index_operand(s, s->idx);
    return publish_with(s, op, &o);
}
static int done(const Site *s, u4 length) {
    s->f->pc += length;
    return SLOW_DONE;
}
static int throw_null(const Site *s) {
    throw_plain(s->t, EX_NullPointerException);
    return SLOW_THROW;
}

/* --- redefinition --- */

/* A cell of a call holds a Method or, for calls that need more, the ResolvedMethod of the pool. */
void interp_turn_call_cell(ClassVersion *v, u2 idx) {
    Method *m = v->qcells[idx];
    if (!m || v->qcells[idx] == (void *)v->pool[idx].method || method_current(m) == m) return;
    v->qcells[idx] = method_current(m);
    if (m->kind == MK_VM_NATIVE) leaf_forget_all(v); /* one may have been made of that native */
}

static bool is_resolved_method(const ClassVersion *v, const void *p) {
    for (u4 i = 0; i < v->n_method_cells; i++)
        if ((const void *)v->pool[v->method_cells[i]].method == p) return true;
    return false;
}

void interp_turn_extra_cells(ClassVersion *v) {
    for (u4 i = v->pool_count + 1u; i < v->pool_count + 1u + v->n_extra_cells && v->qcells[i]; i++)
        if (!is_resolved_method(v, v->qcells[i])) v->qcells[i] = method_current(v->qcells[i]);
}

void interp_forget_breakpoints(ClassVersion *v) {
    for (u4 i = 0; i < v->n_methods; i++) {
        Method *m = &v->methods[i];
        for (Breakpoint *b = breakpoints, *next; b && m->flags & MF_HAS_BREAKPOINT; b = next) {
            next = b->next;
            if (b->method == m) interp_clear_breakpoint(m, b->bci);
        }
        FLAGS_CLEAR(m->flags, MF_HAS_BREAKPOINT);
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
        quick = interp_current_opcode(m, m->qcode + at);
        if (quick == op) continue; /* was not executed yet */
        if (!stale[cf_get_u2(m->code + at + 1)] && !uses_extra_cell(m, at, op, quick)) continue;
        interp_unfuse(m, at);
        interp_set_opcode(m, at, op);
    }
}

void interp_reset_sites(ClassVersion *v, const u1 *stale) {
    if (!v->qcells) return;
    for (u4 i = 0; i < v->n_methods_all; i++)
        if (v->methods[i].qcode) reset_method(&v->methods[i], stale);
    for (u4 i = 0; i < v->pool_count; i++)
        if (stale[i] == 1) v->qcells[i] = NULL;
    memset(v->qcells + v->pool_count + 1, 0, v->n_extra_cells * sizeof *v->qcells);
}

/* --- fields --- */

static void field_load(Field *fd, const Object *holder, Slot *to) {
    bool vol = fd->access & ACC_VOLATILE;
    u4 at;
    const Object *o = field_home(holder, fd->offset, &at);
    u1 *p = (u1 *)o + at;
    if (vol) atomic_thread_fence(memory_order_seq_cst);
    to->raw = 0;
    switch (fd->type) {
    case T_BOOLEAN: case T_BYTE: to->raw = (u4)(int32_t)__atomic_load_n((int8_t *)p, __ATOMIC_ACQUIRE); break;
    case T_CHAR: to->raw = __atomic_load_n((u2 *)p, __ATOMIC_ACQUIRE); break;
    case T_SHORT: to->raw = (u4)(int32_t)__atomic_load_n((int16_t *)p, __ATOMIC_ACQUIRE); break;
    case T_INT: case T_FLOAT: to->raw = __atomic_load_n((u4 *)p, __ATOMIC_ACQUIRE); break;
    case T_LONG: case T_DOUBLE: to->raw = __atomic_load_n((u8 *)p, __ATOMIC_ACQUIRE); break;
    default: to->ref = ref_load_volatile(o, at); break;
    }
}

static bool field_store(Thread *t, Field *fd, Object *o, Slot v) {
    bool vol = fd->access & ACC_VOLATILE;
    u4 at = fd->offset;
    if (offset_is_outside(at)) {
        if (!(o = record_to_write(t, o, at))) return false;
        at = record_offset(at);
    }
    u1 *p = (u1 *)o + at;
    switch (fd->type) {
    case T_BOOLEAN: __atomic_store_n(p, (u1)(v.i & 1), __ATOMIC_RELEASE); break;
    case T_BYTE: __atomic_store_n(p, (u1)v.i, __ATOMIC_RELEASE); break;
    case T_CHAR: case T_SHORT: __atomic_store_n((u2 *)p, (u2)v.i, __ATOMIC_RELEASE); break;
    case T_INT: case T_FLOAT: __atomic_store_n((u4 *)p, (u4)v.i, __ATOMIC_RELEASE); break;
    case T_LONG: case T_DOUBLE: __atomic_store_n((u8 *)p, v.raw, __ATOMIC_RELEASE); break;
    default: ref_store_release(o, at, v.ref); break;
    }
    if (vol) atomic_thread_fence(memory_order_seq_cst);
    return true;
}

static bool is_get(u1 op) { return op == CF_OP_GETFIELD || op == CF_OP_GETSTATIC; }
static bool is_static_op(u1 op) { return op == CF_OP_GETSTATIC || op == CF_OP_PUTSTATIC; }

static bool is_watched(const Field *fd, bool get) {
    return fd->flags & (get ? FIELD_ACCESS_WATCH : FIELD_MODIFY_WATCH);
}

/* Before the access, operands still on the stack. */
static bool report_access(const Site *s, Field *fd, Object *o, Slot v) {
    Thread *t = s->t;
    if (is_static_op(s->op)) o = NULL;
    if (is_get(s->op)) HOOK_CALL(FIELD_ACCESS, field_access, t, s->m, s->bci, fd, o);
    else HOOK_CALL(FIELD_MODIFICATION, field_modification, t, s->m, s->bci, fd, o, v);
    return t->exception == NULL && !exec_forced(t, s->f);
}

/* Execute the field instruction at f->pc with everything resolved. */
static int field_execute(const Site *s, Field *fd) {
    Frame *f = s->f;
    int n = type_slots(fd->type);
    bool get = is_get(s->op), stat = is_static_op(s->op);
    Slot v = get ? (Slot){.raw = 0} : f->sp[-n];
    Object *o = stat ? fd->holder->mirror : f->sp[get ? -1 : -n - 1].ref;
    if (!o) return throw_null(s);
    if (UNLIKELY(is_watched(fd, get)) && !report_access(s, fd, o, v)) return SLOW_THROW;
    if (get) {
        field_load(fd, o, &v);
        f->sp -= !stat;
        *f->sp = v;
        f->sp += n;
    } else {
        if (!field_store(s->t, fd, o, v)) return SLOW_THROW;
        f->sp -= n + !is_static_op(s->op);
    }
    return done(s, 3);
}

static Site site_at(Thread *t, Frame *f) {
    Method *m = f->method;
    Site s = {t, f, m, m->version, (u4)(f->pc - m->qcode), 0, 0, 0, atomic_load(&reshape_epoch)};
    s.op = m->code[s.bci];
    switch (cf_op_info[s.op].format) {
    case CF_FMT_CP1: s.idx = m->code[s.bci + 1]; break;
    case CF_FMT_NONE: break;
    default: s.idx = cf_get_u2(m->code + s.bci + 1); break;
    }
    return s;
}

int interp_field_generic(Thread *t, Frame *f) {
    Site s = site_at(t, f);
    return field_execute(&s, s.v->pool[s.idx].field);
}

static u1 instance_opcode(const Field *fd, bool get) {
    switch (fd->type) {
    case T_BOOLEAN: return get ? Q_GETFIELD_B : Q_PUTFIELD_Z;
    case T_BYTE: return get ? Q_GETFIELD_B : Q_PUTFIELD_B;
    case T_CHAR: return get ? Q_GETFIELD_C : Q_PUTFIELD_C;
    case T_SHORT: return get ? Q_GETFIELD_S : Q_PUTFIELD_C;
    case T_INT: case T_FLOAT: return get ? Q_GETFIELD_I : Q_PUTFIELD_I;
    case T_LONG: case T_DOUBLE: return get ? Q_GETFIELD_J : Q_PUTFIELD_J;
    default: return get ? Q_GETFIELD_A : Q_PUTFIELD_A;
    }
}
static u1 static_opcode(const Field *fd, bool get) {
    switch (fd->type) {
    case T_INT: case T_FLOAT: return get ? Q_GETSTATIC_I : Q_PUTSTATIC_I;
    case T_LONG: case T_DOUBLE: return get ? Q_GETSTATIC_J : Q_PUTSTATIC_J;
    case T_OBJECT: case T_ARRAY: return get ? Q_GETSTATIC_A : Q_PUTSTATIC_A;
    case T_BOOLEAN: case T_BYTE: return get ? Q_GETSTATIC_B : Q_FIELD_GENERIC;
    default: return Q_FIELD_GENERIC;
    }
}

static int quicken_field(const Site *s) {
    bool get = is_get(s->op), stat = is_static_op(s->op);
    Field *fd = resolve_field(s->t, s->v, s->idx, stat, !get, s->m);
    if (!fd) return SLOW_THROW;
    if (stat) {
        if (!class_init(s->t, fd->holder)) return SLOW_THROW;
        if (!class_is_initialized(fd->holder)) return field_execute(s, fd);
    }
    bool vol = (fd->access & ACC_VOLATILE) && !(get && CPU_LOADS_ACQUIRE);
    u1 op = vol || is_watched(fd, get) ? Q_FIELD_GENERIC : stat ? static_opcode(fd, get) : instance_opcode(fd, get);
    if (offset_is_outside(fd->offset) && (!stat || op == Q_PUTSTATIC_A)) op = Q_FIELD_GENERIC;
    if (op == Q_FIELD_GENERIC) return publish(s, op);
    if (stat) {
        Object *home = fd->holder->mirror;
        u4 at = fd->offset;
        if (offset_is_outside(at)) {
            if (!(home = record_to_write(s->t, home, at))) return SLOW_THROW;
            at = record_offset(at);
        }
        int r = publish_cell(s, op, (u1 *)home + at);
        return r ? r : field_execute(s, fd);
    }
    if (fd->offset > 0xffff) return publish(s, Q_FIELD_GENERIC);
    Operands o = index_operand(s, (u2)fd->offset);
    return publish_if_valid(s, op, &o);
}

/* --- field watches: a watched field is used by Q_FIELD_GENERIC, which looks at the flags --- */

static bool names_field(const ClassVersion *v, u2 idx, const Field *fd) {
    return v->pool_state[idx] == POOL_RESOLVED && cf_tag(v->cf, idx) == CF_CONST_FIELDREF &&
           v->pool[idx].field == fd;
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
        if (interp_current_opcode(m, m->qcode + at) == op) continue; /* was not executed yet */
        interp_unfuse(m, at);
        interp_set_opcode(m, at, is_watched(fd, is_get(op)) ? Q_FIELD_GENERIC : op);
    }
}

/* C functions that are tried before Java bodies touch fields of their own package only. */
static void forget_quick_of_package(ClassVersion *v, Class *holder) {
    for (u4 i = 0; i < v->n_methods_all; i++)
        if (v->methods[i].kind == MK_LEAF_QUICK && access_same_package(v->klass, holder)) leaf_forget(&v->methods[i]);
}

void interp_watch_changed(ClassVersion *v, const Field *fd) {
    bool used = false;
    for (u4 i = 1; i < v->pool_count && !used && v->qcells; i++) used = names_field(v, (u2)i, fd);
    for (u4 i = 0; used && i < v->n_methods_all; i++)
        if (v->methods[i].qcode) watch_in_method(&v->methods[i], fd);
    for (u4 i = 0; v->klass == fd->holder && i < v->n_methods_all; i++) exec_use_bytecode(&v->methods[i]);
    if (!fd->holder->loader || fd->holder->loader == BOOT_LOADER) forget_quick_of_package(v, fd->holder);
}

/* --- calls made again (JVM TI PopFrame) --- */

static bool is_link_kind(const Method *m) {
    return m->kind >= MK_LINK_STATIC && m->kind <= MK_LINK_NATIVE;
}

/* linkTo* drops its last argument before the target's frame covers it. */
bool interp_call_repeatable(const Frame *caller) {
    const Method *m = caller->method;
    const u1 *pc = m->qcode + frame_bci(caller);
    if (interp_current_opcode(m, pc) != Q_INVOKEINTRIN_Q) return true;
    u2 idx;
    memcpy(&idx, pc + 1, 2);
    return !is_link_kind(((ResolvedMethod *)m->qcells[idx])->method);
}

u4 interp_appended(const Frame *caller) {
    const Method *m = caller->method;
    int32_t site;
    u2 idx;
    const u1 *pc = m->qcode + frame_bci(caller);
    switch (interp_current_opcode(m, pc)) {
    case Q_INVOKEDYNAMIC_Q:
        memcpy(&site, pc + 1, 4);
        return m->version->call_sites[site]->appendix != NULL;
    case Q_INVOKEHANDLE_Q:
        memcpy(&idx, pc + 1, 2);
        return ((ResolvedMethod *)m->qcells[idx])->appendix != NULL;
    default: return 0;
    }
}

/* --- calls --- */

/* A cell behind those of the pool, for an instruction whose own cell means something else. */
static u4 extra_cell(ClassVersion *v, void *what) {
    u4 found = 0;
    lock_take(&prepare_lock);
    for (u4 i = v->pool_count + 1u; i < v->pool_count + 1u + v->n_extra_cells && i <= 0xffff; i++) {
        if (v->qcells[i] && v->qcells[i] != what) continue;
        __atomic_store_n(&v->qcells[i], what, __ATOMIC_RELEASE);
        found = i;
        break;
    }
    lock_release(&prepare_lock);
    return found;
}

/* [no-safepoint] SLOW_THROW: there is no cell for it, and nothing was thrown yet. */
static int call_published(const Site *s, u1 op, void *what) {
    int r = publish_cell(s, op, what);
    if (r) return r;
    if (is_stale(s)) return SLOW_DONE;
    u4 extra = extra_cell(s->v, what);
    if (!extra) return SLOW_THROW;
    Operands o = index_operand(s, (u2)extra);
    return publish_with(s, op, &o);
}
static int no_cell_left(const Site *s) {
    throw_new(s->t, EX_InternalError, "class has too many ambiguous method references");
    return SLOW_THROW;
}
/* Resolving and initialising may have let a redefinition pass: only the current method is published. */
static int publish_method(const Site *s, u1 op, Method *m) {
    int r;
    class_note_use(s->v->klass, m->holder);
    NO_SAFEPOINT r = call_published(s, op, method_current(m));
    return r == SLOW_THROW ? no_cell_left(s) : r;
}

static int publish_call(const Site *s, u1 op, ResolvedMethod *what) {
    int r;
    NO_SAFEPOINT r = call_published(s, op, what);
    return r == SLOW_THROW ? no_cell_left(s) : r;
}

static bool is_intrinsic_kind(const Method *m) {
    return m->kind >= MK_INVOKE_BASIC && m->kind <= MK_LINK_NATIVE;
}

static int quicken_virtual(const Site *s) {
    ResolvedMethod *rm = resolve_method(s->t, s->v, s->idx, INVOKE_VIRTUAL, s->m);
    if (!rm) return SLOW_THROW;
    Method *m = rm->method;
    if (is_intrinsic_kind(m)) return publish_call(s, Q_INVOKEINTRIN_Q, rm);
    if (method_is_static(m)) { /* adapter of a polymorphic call */
        if (!class_init(s->t, m->holder)) return SLOW_THROW;
        return publish_call(s, Q_INVOKEHANDLE_Q, rm);
    }
    if (rm->vtable_index == 0xffff) /* a default method's slot belongs to the class named, not to m */
        return publish_method(s, Q_INVOKEFINAL_Q, m);
    if (rm->vtable_index < 256 && rm->arg_slots < 256)
        return publish_if_valid(s, Q_INVOKEVIRTUAL_Q, &(Operands){.n = 2, .bytes = {(u1)rm->arg_slots, (u1)rm->vtable_index}});
    return publish_call(s, Q_INVOKEVIRTUAL_W, rm);
}

static int quicken_special(const Site *s) {
    ResolvedMethod *rm = resolve_method(s->t, s->v, s->idx, INVOKE_SPECIAL, s->m);
    if (!rm) return SLOW_THROW;
    Method *m = select_special(s->t, s->v->klass, s->idx, rm);
    return m ? publish_method(s, Q_INVOKESPECIAL_Q, m) : SLOW_THROW;
}

static int quicken_static(const Site *s) {
    ResolvedMethod *rm = resolve_method(s->t, s->v, s->idx, INVOKE_STATIC, s->m);
    if (!rm) return SLOW_THROW;
    Method *m = rm->method;
    if (is_intrinsic_kind(m)) return publish_call(s, Q_INVOKEINTRIN_Q, rm);
    if (!class_init(s->t, m->holder)) return SLOW_THROW;
    return publish_method(s, class_is_initialized(m->holder) ? Q_INVOKESTATIC_Q : Q_INVOKESTATIC_B, m);
}

static int quicken_interface(const Site *s) {
    ResolvedMethod *rm = resolve_method(s->t, s->v, s->idx, INVOKE_INTERFACE, s->m);
    if (!rm) return SLOW_THROW;
    Site counted = *s;
    counted.count = (u1)rm->arg_slots;
    return publish_method(&counted, Q_INVOKEINTERFACE_Q, rm->method);
}

static int quicken_dynamic(const Site *s) {
    int32_t n;
    memcpy(&n, s->m->qcode + s->bci + 1, 4); /* numbered by interp_prepare */
    CallSite *cs = resolve_call_site(s->t, s->v, s->idx, (u4)n);
    if (!cs) return SLOW_THROW;
    Method *adapter = atomic_load_explicit(&cs->adapter, memory_order_acquire);
    if (!class_init(s->t, adapter->holder)) return SLOW_THROW;
    return publish(s, Q_INVOKEDYNAMIC_Q);
}

/* --- classes and constants --- */

static int quicken_new(const Site *s) {
    Class *c = resolve_class(s->t, s->v, s->idx);
    if (!c) return SLOW_THROW;
    if ((c->access & (ACC_INTERFACE | ACC_ABSTRACT)) || class_is_array(c)) {
        char name[512];
        throw_new(s->t, EX_InstantiationError, "%s", class_external_name(c, name, sizeof name));
        return SLOW_THROW;
    }
    if (!class_init(s->t, c)) return SLOW_THROW;
    if (class_is_initialized(c))
        return publish_cell(s, c->flags & CF_NEVER_ALLOC_FAST ? Q_NEW_SLOW : Q_NEW_Q, c);
    Object *o = heap_alloc_object(s->t, c);
    if (!o) return SLOW_THROW;
    (s->f->sp++)->ref = o;
    return done(s, 3);
}

static int quicken_class_op(const Site *s, u1 quick) {
    /* null passes checkcast and instanceof without resolution */
    if (quick != Q_ANEWARRAY_Q && !s->f->sp[-1].ref) {
        if (quick == Q_INSTANCEOF_Q) s->f->sp[-1].raw = 0;
        return done(s, 3);
    }
    Class *c = resolve_class(s->t, s->v, s->idx);
    return c ? publish_cell(s, quick, c) : SLOW_THROW;
}

static int quicken_ldc(const Site *s) {
    Slot v;
    BasicType type;
    v.raw = 0;
    if (!resolve_constant(s->t, s->v, s->idx, &v, &type)) return SLOW_THROW;
    bool two = s->op == CF_OP_LDC2_W, wide = s->op == CF_OP_LDC_W;
    unsigned tag = cf_tag(s->v->cf, s->idx);
    bool ref = type == T_OBJECT || type == T_ARRAY;
    /* The qcell of a Class entry is the Class; 0 stands for an empty cell. */
    bool keep = tag != CF_CONST_CLASS && v.raw != 0;
    if (keep && two) return publish_cell(s, Q_LDC2_Q, (void *)(uintptr_t)v.raw);
    if (keep && ref) return publish_cell(s, wide ? Q_LDC_W_A : Q_LDC_A, v.ref);
    if (keep) return publish_cell(s, wide ? Q_LDC_W_I : Q_LDC_I, (void *)(uintptr_t)(u4)v.i);
    if (!two && !ref) v.raw = (u4)v.i;
    *s->f->sp = v;
    s->f->sp += two ? 2 : 1;
    return done(s, s->op == CF_OP_LDC ? 2 : 3);
}

int interp_quicken(Thread *t, Frame *f) {
    Site s = site_at(t, f);
    switch (s.op) {
    case CF_OP_GETSTATIC: case CF_OP_PUTSTATIC: case CF_OP_GETFIELD: case CF_OP_PUTFIELD:
        return quicken_field(&s);
    case CF_OP_INVOKEVIRTUAL: return quicken_virtual(&s);
    case CF_OP_INVOKESPECIAL: return quicken_special(&s);
    case CF_OP_INVOKESTATIC: return quicken_static(&s);
    case CF_OP_INVOKEINTERFACE: return quicken_interface(&s);
    case CF_OP_INVOKEDYNAMIC: return quicken_dynamic(&s);
    case CF_OP_NEW: return quicken_new(&s);
    case CF_OP_ANEWARRAY: return quicken_class_op(&s, Q_ANEWARRAY_Q);
    case CF_OP_CHECKCAST: return quicken_class_op(&s, Q_CHECKCAST_Q);
    case CF_OP_INSTANCEOF: return quicken_class_op(&s, Q_INSTANCEOF_Q);
    default: return quicken_ldc(&s);
    }
}
