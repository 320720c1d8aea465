/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quickening of one instruction at its first execution.
 *
 * It resolves through link/, fills the qcell of the pool index, writes operands,
 * then publishes the opcode.  Two threads may do that for one instruction: the one that
 * comes second finds the opcode there and runs it (publish_with).  An instruction whose class is still being initialised by
 * this thread is executed here and stays as it is (JVMS 5.5 asks others to wait).
 *
 * A qcell is shared by all instructions with the same pool index.  It can only mean
 * different things for a Methodref used by invokespecial and something else; the second
 * user then gets a cell behind those of the pool (extra_cell).
 *
 * Volatile accesses: on x86-64 a plain load is sequentially consistent next to locked
 * stores, so volatile reads use the plain opcodes there.
 */
#include "quick/quick_int.h"
#include "core/hooks.h"
#include "heap/heap.h"
#include "heap/records.h"
#include "thread/guard.h"
#include <string.h>

/* --- quickening --- */

/* What an instruction being quickened is about. */
typedef struct Site {
    Thread *t;
    Frame *f;
    Method *m;
    ClassVersion *v;
    u4 bci;
    u1 op;    /* original opcode */
    u2 idx;   /* its pool index */
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
    HOLDING(&quick_lock);
    u1 now = quick_current_opcode(s->m, q);
    if (now == s->op) {
        memcpy(q + 1, o->bytes, o->n);
        quick_set_opcode(s->m, s->bci, now = op);
    }
    if (leaf_possible(s->m)) leaf_consider(s->m);
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
    HOLDING(&quick_lock);
    if (!*at) *at = cell;
    return *at == cell;
}
static Operands index_operand(const Site *s, u2 idx) {
    Operands o = {.n = cf_op_info[s->op].format == CF_FMT_CP1 ? 1 : 2, .bytes = {(u1)idx}};
    if (o.n == 2) memcpy(o.bytes, &idx, 2);
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
static int throw_null(const Site *s) { return throw_plain(s->t, EX_NullPointerException), SLOW_THROW; }

/* --- fields --- */

static void field_load(Field *fd, const Object *holder, Slot *to) {
    bool vol = fd->access & ACC_VOLATILE;
    u4 at;
    const Object *o = field_home(holder, fd->offset, &at);
    if (vol) atomic_thread_fence(memory_order_seq_cst);
    if (fd->type >= T_OBJECT) to->ref = ref_load_volatile(o, at);
    else *to = prim_load(obj_at(o, at), fd->type == T_BOOLEAN ? T_BYTE : (BasicType)fd->type);
}

static bool field_store(Thread *t, Field *fd, Object *o, Slot v) {
    bool vol = fd->access & ACC_VOLATILE;
    u4 at = fd->offset;
    if (offset_is_outside(at)) {
        if (!(o = record_to_write(t, o, at))) return false;
        at = record_offset(at);
    }
    if (fd->type >= T_OBJECT) ref_store_release(o, at, v.ref);
    else prim_store(obj_at(o, at), (BasicType)fd->type, v);
    if (vol) atomic_thread_fence(memory_order_seq_cst);
    return true;
}

static bool is_static_op(u1 op) { return op == CF_OP_GETSTATIC || op == CF_OP_PUTSTATIC; }

/* Before the access, operands still on the stack. */
static bool report_access(const Site *s, Field *fd, Object *o, Slot v) {
    Thread *t = s->t;
    if (is_static_op(s->op)) o = NULL;
    if (quick_is_get(s->op)) HOOK_CALL(FIELD_ACCESS, field_access, t, s->m, s->bci, fd, o);
    else HOOK_CALL(FIELD_MODIFICATION, field_modification, t, s->m, s->bci, fd, o, v);
    return t->exception == NULL && !exec_forced(t, s->f);
}

/* Execute the field instruction at f->pc with everything resolved. */
static int field_execute(const Site *s, Field *fd) {
    Frame *f = s->f;
    int n = type_slots(fd->type);
    bool get = quick_is_get(s->op), stat = is_static_op(s->op);
    Slot v = get ? (Slot){.raw = 0} : f->sp[-n];
    Object *o = stat ? fd->holder->mirror : f->sp[get ? -1 : -n - 1].ref;
    if (!o) return throw_null(s);
    if (UNLIKELY(quick_watched(fd, get)) && !report_access(s, fd, o, v)) return SLOW_THROW;
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

int quick_field_generic(Thread *t, Frame *f) {
    Site s = site_at(t, f);
    return field_execute(&s, s.v->pool[s.idx].field);
}

typedef struct FieldOps {
    u1 get, put; /* 0: the generic form */
} FieldOps;
static const FieldOps instance_ops[] = {[T_BOOLEAN] = {Q_GETFIELD_B, Q_PUTFIELD_Z}, [T_BYTE] = {Q_GETFIELD_B, Q_PUTFIELD_B},
                                        [T_CHAR] = {Q_GETFIELD_C, Q_PUTFIELD_C},    [T_SHORT] = {Q_GETFIELD_S, Q_PUTFIELD_C},
                                        [T_INT] = {Q_GETFIELD_I, Q_PUTFIELD_I},     [T_FLOAT] = {Q_GETFIELD_I, Q_PUTFIELD_I},
                                        [T_LONG] = {Q_GETFIELD_J, Q_PUTFIELD_J},    [T_DOUBLE] = {Q_GETFIELD_J, Q_PUTFIELD_J},
                                        [T_OBJECT] = {Q_GETFIELD_A, Q_PUTFIELD_A},  [T_ARRAY] = {Q_GETFIELD_A, Q_PUTFIELD_A}};
static const FieldOps static_ops[T_ARRAY + 1] = {[T_BOOLEAN] = {Q_GETSTATIC_B, 0},
                                                 [T_BYTE] = {Q_GETSTATIC_B, 0},
                                                 [T_INT] = {Q_GETSTATIC_I, Q_PUTSTATIC_I},
                                                 [T_FLOAT] = {Q_GETSTATIC_I, Q_PUTSTATIC_I},
                                                 [T_LONG] = {Q_GETSTATIC_J, Q_PUTSTATIC_J},
                                                 [T_DOUBLE] = {Q_GETSTATIC_J, Q_PUTSTATIC_J},
                                                 [T_OBJECT] = {Q_GETSTATIC_A, Q_PUTSTATIC_A},
                                                 [T_ARRAY] = {Q_GETSTATIC_A, Q_PUTSTATIC_A}};

/* Before the first put that class files before version 53 may have: code may have the value for good.  (While a class is being initialised, nobody takes
 * its fields for constants, and nothing is published.) */
static void note_late_put(const Site *s, Field *fd, bool is_static) {
    bool lasted = fd->flags & FIELD_TRUSTED_FINAL && !(fd->flags & FIELD_PUT_LATE);
    if (lasted && !(s->m->flags & (is_static ? MF_CLINIT : MF_INIT))) exec_final_is_put(fd);
}

static int quicken_field(const Site *s) {
    bool get = quick_is_get(s->op), stat = is_static_op(s->op);
    Field *fd = resolve_field(s->t, s->v, s->idx, stat, !get, s->m);
    if (!fd) return SLOW_THROW;
    if (stat) {
        if (!class_init(s->t, fd->holder)) return SLOW_THROW;
        if (!class_is_initialized(fd->holder)) return field_execute(s, fd);
    }
    if (!get) note_late_put(s, fd, stat);
    bool vol = (fd->access & ACC_VOLATILE) && !(get && CPU_LOADS_ACQUIRE);
    const FieldOps *ops = stat ? &static_ops[fd->type] : &instance_ops[fd->type];
    u1 op = vol || quick_watched(fd, get) ? 0 : get ? ops->get : ops->put;
    if (!op) op = Q_FIELD_GENERIC;
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

/* --- calls made again (JVM TI PopFrame) --- */

static bool is_link_kind(const Method *m) { return m->kind >= MK_LINK_STATIC && m->kind <= MK_LINK_NATIVE; }

/* linkTo* drops its last argument before the target's frame covers it. */
bool quick_call_repeatable(const Frame *caller) {
    const Method *m = caller->method;
    const u1 *pc = m->qcode + frame_bci(caller);
    if (quick_current_opcode(m, pc) != Q_INVOKEINTRIN_Q) return true;
    u2 idx;
    memcpy(&idx, pc + 1, 2);
    return !is_link_kind(((ResolvedMethod *)m->qcells[idx])->method);
}

u4 quick_appended(const Frame *caller) {
    const Method *m = caller->method;
    int32_t site;
    u2 idx;
    const u1 *pc = m->qcode + frame_bci(caller);
    switch (quick_current_opcode(m, pc)) {
    case Q_INVOKEDYNAMIC_Q: memcpy(&site, pc + 1, 4); return m->version->call_sites[site]->appendix != NULL;
    case Q_INVOKEHANDLE_Q: memcpy(&idx, pc + 1, 2); return ((ResolvedMethod *)m->qcells[idx])->appendix != NULL;
    default: return 0;
    }
}

/* --- calls --- */

/* A cell behind those of the pool, for an instruction whose own cell means something else. */
static u4 extra_cell(ClassVersion *v, void *what) {
    HOLDING(&quick_lock);
    for (u4 i = v->pool_count + 1u; i < v->pool_count + 1u + v->n_extra_cells && i <= 0xffff; i++) {
        if (v->qcells[i] && v->qcells[i] != what) continue;
        __atomic_store_n(&v->qcells[i], what, __ATOMIC_RELEASE);
        return i;
    }
    return 0;
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
    return throw_new(s->t, EX_InternalError, "class has too many ambiguous method references"), SLOW_THROW;
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

static bool is_intrinsic_kind(const Method *m) { return m->kind >= MK_INVOKE_BASIC && m->kind <= MK_LINK_NATIVE; }

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
    memcpy(&n, s->m->qcode + s->bci + 1, 4); /* numbered by quick_prepare */
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
    if ((c->access & (ACC_INTERFACE | ACC_ABSTRACT)) || class_is_array(c))
        return throw_new(s->t, EX_InstantiationError, "%s", class_text(c).s), SLOW_THROW;
    if (!class_init(s->t, c)) return SLOW_THROW;
    if (class_is_initialized(c)) return publish_cell(s, c->flags & CF_NEVER_ALLOC_FAST ? Q_NEW_SLOW : Q_NEW_Q, c);
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

int quick_resolve(Thread *t, Frame *f) {
    Site s = site_at(t, f);
    switch (s.op) {
    case CF_OP_GETSTATIC:
    case CF_OP_PUTSTATIC:
    case CF_OP_GETFIELD:
    case CF_OP_PUTFIELD: return quicken_field(&s);
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
