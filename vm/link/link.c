/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linking (JVMS 5.4): supers first, then methods (kind, code, handlers),
 * verification, dispatch tables.  Preparation of static fields (5.4.2) happened
 * when the mirror was made (shape/mirror.c).
 *
 * Protocol: LOADED -> LINKING (by link_thread) -> LINKED, or back to LOADED
 * with an exception.  Other threads wait; the same thread may come back (a
 * user's loader runs Java code during verification and may touch the class):
 * it then links in a nested fashion and the outer call finds the work done.
 * State changes under class_state_lock, which is never held while working.
 */
#include "core/hooks.h"
#include "core/schedule.h"
#include "link/archived.h"
#include "link/link_int.h"
#include "redefine/redefine.h"
#include "shape/shape.h"
#include "exec/exec.h"
#include "invoke/invoke.h"
#include "native/intrinsic/intrinsic.h"

/* --- methods --- */

static MethodKind polymorphic_kind(const Method *m) {
    typedef struct Row {
        const char *name;
        MethodKind kind;
    } Row;
    static const Row rows[] = {
        {"invokeBasic", MK_INVOKE_BASIC},   {"linkToStatic", MK_LINK_STATIC},       {"linkToSpecial", MK_LINK_SPECIAL},
        {"linkToVirtual", MK_LINK_VIRTUAL}, {"linkToInterface", MK_LINK_INTERFACE}, {"linkToNative", MK_LINK_NATIVE},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (symbol_eq(m->name, rows[i].name)) return rows[i].kind;
    return MK_MH_GENERIC;
}

static void set_kind(Class *c, Method *m) {
    if (c->flags & CF_IS_MH_HOLDER && method_is_native(m) && m->access & ACC_VARARGS && mh_is_polymorphic(c, m->name)) {
        m->kind = (u1)polymorphic_kind(m);
        return;
    }
    if (c->loader != BOOT_LOADER || c->flags & CF_HIDDEN || method_is_abstract(m)) return;
    Intrinsic in = native_intrinsic(c->name, m->name, m->desc);
    if (in.quick && !m->version->agent_bytes && !method_is_native(m)) {
        m->kind = MK_LEAF_QUICK;
        m->quick = in.quick;
    }
    if (!in.fn || (m->version->agent_bytes && !method_is_native(m))) return;
    if (method_is_native(m) && hook_on(HOOK_NATIVE_BIND)) return; /* agents are asked first: native_bind */
    m->kind = MK_VM_NATIVE;
    m->vm_native = in.fn;
    if (in.leaf) m->flags |= MF_LEAF;
    if (!method_is_native(m)) m->flags |= MF_INTRINSIC;
}

static bool uses_jsr(const CfCode *code) {
    CfInsn i;
    for (u4 pc = 0; pc < code->code_len && cf_insn(code->code, code->code_len, pc, &i); pc += i.len)
        if (cf_op_info[i.op].flags & (CF_OF_JSR | CF_OF_RET)) return true;
    return false;
}

static bool decode_handlers(ClassVersion *v, Method *m, const CfCode *code) {
    m->n_handlers = (u2)code->handlers.count;
    if (!m->n_handlers) return true;
    m->handlers = cf_arena_alloc(v->arena, m->n_handlers * sizeof *m->handlers);
    if (!m->handlers) return false;
    for (u4 i = 0; i < m->n_handlers; i++) {
        CfHandler h = cf_handler(&code->handlers, i);
        m->handlers[i] = (ExHandler){h.start, h.end, h.handler, h.type};
    }
    return true;
}

static bool decode_code(Thread *t, ClassVersion *v, Method *m) {
    CfCode *code = cf_arena_alloc(v->arena, sizeof *code);
    CfError err;

    if (!code) return throw_oom(t, "class metadata"), false;
    cf_err_clear(&err);
    if (cf_code(v->cf, m->cf, v->arena, code, &err) != CF_OK) {
        if (err.code == CF_ERR_NOMEM) throw_oom(t, "class metadata");
        else throw_new(t, EX_ClassFormatError, "%s", err.text);
        return false;
    }
    if (!code->code) {
        if (!method_is_interpreted(m)) return true;
        throw_new(t, EX_ClassFormatError, "Absent Code attribute in method that is not native or abstract in class file %s",
                  v->klass->name->bytes);
        return false;
    }
    if (code->max_locals < m->arg_slots)
        return throw_new(t, EX_ClassFormatError, "Arguments can't fit into locals in class file %s", v->klass->name->bytes),
               false;
    m->cf_code = code;
    m->code = code->code;
    m->code_len = code->code_len;
    m->max_stack = code->max_stack;
    m->max_locals = code->max_locals;
    if (code->code_len == 1 && code->code[0] == CF_OP_RETURN) m->flags |= MF_EMPTY;
    if (v->major < 51 && uses_jsr(code)) m->flags |= MF_JSR;
    return decode_handlers(v, m, code) || (throw_oom(t, "class metadata"), false);
}

bool version_prepare_methods(Thread *t, ClassVersion *v) {
    for (u4 i = 0; i < v->n_methods; i++) {
        Method *m = &v->methods[i];
        set_kind(v->klass, m);
        if (!(m->access & (ACC_NATIVE | ACC_ABSTRACT))) {
            if (!decode_code(t, v, m)) return false;
        } else {
            m->max_locals = m->arg_slots;
        }
    }
    return true;
}

/* --- the protocol --- */

/* Code that relied on the superclasses alone is thrown away in a pause. */
static void begin_to_dispatch(Class *c) {
    if (!class_dispatches(c)) return;
    SCHEDULE_POINT(link_before_pause);
    exec_class_dispatches(c);
}

/* Verification and tables hold for the hierarchy that was found: once more if it changed meanwhile, or before that pause.  Behind the last look
 * nothing stops until the class is LINKED; from then on its tables change with its superclasses. */
static bool verify_and_build(Thread *t, Class *c) {
    for (;;) {
        u4 epoch = atomic_load(&reshape_epoch);
        if (!version_verify(t, c->version, NULL) || !class_build_tables(t, c)) return false;
        begin_to_dispatch(c);
        if (epoch == atomic_load(&reshape_epoch)) return true;
        class_dispatches_no_more(c);
        if (class_is_interface(c)) continue;
        DispatchTables made = class_exchange_tables(c, (DispatchTables){0});
        class_free_tables(c, &made, false);
    }
}

static bool do_link(Thread *t, Class *c) {
    archived_hash_mirror(t, c);
    versions_hold(); /* tables under construction name methods */
    /* methods first: libverify asks for their code */
    bool ok = version_prepare_methods(t, c->version) && verify_and_build(t, c);
    versions_release();
    return ok;
}

typedef enum Turn { TURN_DONE, TURN_MINE, TURN_NESTED, TURN_WAIT } Turn;

static Turn take_turn(Thread *t, Class *c) {
    HOLDING(class_state_lock(c));
    if (c->state >= CLASS_LINKED) return TURN_DONE;
    if (c->state == CLASS_LINKING) return c->link_thread == t ? TURN_NESTED : TURN_WAIT;
    atomic_store(&c->state, CLASS_LINKING);
    atomic_store(&c->link_thread, t);
    return TURN_MINE;
}

static void wait_for_linker(Thread *t, Class *c) {
    THREAD_BLOCKING(t) {
        lock_take(class_state_lock(c));
        while (c->state == CLASS_LINKING) lock_wait(class_state_cond(c), class_state_lock(c));
        lock_release(class_state_lock(c));
    }
}

/* True when this call moved the class to LINKED. */
static bool finish(Class *c, bool ok, Turn turn) {
    HOLDING(class_state_lock(c));
    if (c->state != CLASS_LINKING || (!ok && turn != TURN_MINE)) return false;
    TSAN_RELEASE(c); /* for obj_class */
    atomic_store_explicit(&c->state, ok ? CLASS_LINKED : CLASS_LOADED, memory_order_release);
    atomic_store(&c->link_thread, NULL);
    pthread_cond_broadcast(class_state_cond(c));
    return ok;
}

static bool is_linked(Class *c) { return atomic_load_explicit(&c->state, memory_order_acquire) >= CLASS_LINKED; }

/* The supers of c are linked. */
static bool link_one(Thread *t, Class *c) {
    Turn turn;

    while ((turn = take_turn(t, c)) == TURN_WAIT) wait_for_linker(t, c);
    if (turn == TURN_DONE) return true;
    bool ok = do_link(t, c);
    if (finish(c, ok, turn)) {
        HOOK_CALL(CLASS_PREPARE, class_prepare, t, c);
        return !t->exception; /* a handler's: whoever needed the class gets it, the class is linked all the same */
    }
    return ok || c->state >= CLASS_LINKED;
}

/* all_interfaces has each behind those it extends. */
static bool link_interfaces(Thread *t, Class *c) {
    for (u4 i = 0; i < c->n_all_interfaces; i++)
        if (!is_linked(c->all_interfaces[i]) && !link_one(t, c->all_interfaces[i])) return false;
    return true;
}

/* The highest superclass that is not linked comes first. No recursion: chains of superclasses are as long as programs make them. */
bool class_link(Thread *t, Class *c) {
    while (!is_linked(c)) {
        Class *k = c;
        while (k->super && !is_linked(k->super)) k = k->super;
        if (!link_interfaces(t, k) || !link_one(t, k)) return false;
    }
    return true;
}
