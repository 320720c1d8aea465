/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: monitors.  Thin locks are taken and given back inline, as thread/monitor.h does it; all else, contention
 * first, is for helpers.
 *
 * Nothing polls between the change of the lock word and that of the frame (FRAME_SYNC, or the list of lock records of
 * frame_monitor.c), so nobody sees one without the other; which of them is first does not matter here.
 */
#include "jit/base_inline.h"
#include "jit/base_int.h"
#include "jit/base_slow.h"
#include "jit/base_monitor.h"
#include "object/class.h"
#include "object/method.h"

/* From the lock word in rax and that of this thread, xor: goes to slow unless it is thin, this thread's, and entered less than `most` times more. */
static void is_mine(Compiler *c, Reg word, u4 most, Label *slow) {
    asm_cmp(&c->a, W32, word, op_imm((int32_t)(most << LOCK_REC_SHIFT)));
    asm_branch(&c->a, COND_ABOVE_EQ, slow);
    asm_test(&c->a, W32, R_AX, op_imm(LOCK_INFLATED));
    asm_branch(&c->a, COND_NE, slow);
}

/* Takes the lock of o if it is thin, and free or this thread's.  rax and t are free. */
static void take_lock(Compiler *c, Reg o, Reg t, Label *slow) {
    Label cas = LABEL_INIT;
    u4 first = c->a.n_fixups;
    Mem lock = mem_at(o, offsetof(Object, lock));
    asm_load(&c->a, MEM_32, R_AX, lock);
    asm_load(&c->a, MEM_32, t, thread_mem(offsetof(Thread, tid)));
    asm_shift(&c->a, SHIFT_LEFT, W32, t, t, op_imm(LOCK_OWNER_SHIFT));
    asm_alu(&c->a, ALU_XOR, W32, t, t, op_reg(R_AX)); /* the owner added, or taken away */
    asm_test(&c->a, W32, R_AX, op_imm((int32_t) ~(LOCK_FLAGS_MASK & ~LOCK_INFLATED)));
    asm_branch(&c->a, COND_EQ, &cas);
    is_mine(c, t, LOCK_REC_MASK >> LOCK_REC_SHIFT, slow);
    asm_address(&c->a, t, mem_at(R_AX, LOCK_REC_ONE));
    asm_bind(&c->a, &cas);
    asm_settle(&c->a, first);
    asm_cas(&c->a, MEM_32, lock, t);
    asm_branch(&c->a, COND_NE, slow);
}

/* Gives the lock of o back if it is thin and this thread's. */
static void give_lock(Compiler *c, Reg o, Reg t, Label *slow) {
    Label cas = LABEL_INIT;
    u4 first = c->a.n_fixups;
    Mem lock = mem_at(o, offsetof(Object, lock));
    asm_load(&c->a, MEM_32, t, thread_mem(offsetof(Thread, tid)));
    asm_shift(&c->a, SHIFT_LEFT, W32, t, t, op_imm(LOCK_OWNER_SHIFT));
    asm_load(&c->a, MEM_32, R_AX, lock);
    asm_alu(&c->a, ALU_XOR, W32, t, t, op_reg(R_AX)); /* what it will be: the flags alone */
    asm_test(&c->a, W32, t, op_imm((int32_t) ~(LOCK_FLAGS_MASK & ~LOCK_INFLATED)));
    asm_branch(&c->a, COND_EQ, &cas);
    is_mine(c, t, (LOCK_REC_MASK >> LOCK_REC_SHIFT) + 1, slow);
    asm_address(&c->a, t, mem_at(R_AX, -(int32_t)LOCK_REC_ONE));
    asm_bind(&c->a, &cas);
    asm_settle(&c->a, first);
    asm_cas(&c->a, MEM_32, lock, t);
    asm_branch(&c->a, COND_NE, slow);
}

/* --- synchronized methods --- */

static void load_sync_object(Compiler *c, Reg o) {
    if (c->m->access & ACC_STATIC) asm_const(&c->a, o, (int64_t)(uintptr_t)c->m->holder->mirror);
    else asm_load(&c->a, MEM_64, o, local_mem(c, 0));
}

/* At entry, no value in any register. */
void enter_sync(Compiler *c) {
    Later *slow = slow_call(c, jit_h_lock, NO_ARG, NO_ARG, 0, NO_REG);
    slow->info = exit_info(EXIT_ENTERING, 0, 0, 0);
    load_sync_object(c, R_DX);
    take_lock(c, R_DX, R_CX, &slow->at);
    asm_store(&c->a, MEM_64, frame_mem(offsetof(Frame, sync_object)), R_DX);
    asm_store_const(&c->a, MEM_32, frame_mem(offsetof(Frame, flags)), FRAME_COMPILED | FRAME_SYNC);
    asm_bind(&c->a, &slow->back);
}

/* At a return; what is thrown is thrown there. */
void leave_sync(Compiler *c) {
    take_register(c, R_AX);
    Reg o = temp(c), t = temp(c);
    Later *slow = slow_call(c, jit_h_unlock, NO_ARG, NO_ARG, 0, NO_REG);
    slow->info = exit_redo(c, EXIT_REDO, 0);
    asm_load(&c->a, MEM_64, o, frame_mem(offsetof(Frame, sync_object)));
    give_lock(c, o, t, &slow->at);
    asm_alu_mem(&c->a, ALU_AND, W32, frame_mem(offsetof(Frame, flags)), op_imm(~FRAME_SYNC));
    asm_bind(&c->a, &slow->back);
}

/* Of bodies: frames that are written have FRAME_SYNC between the two (base_inline.c). */
static Reg body_sync_object(Compiler *c, u4 receiver) {
    if (!(c->m->access & ACC_STATIC)) return use(c, receiver);
    Reg o = temp(c);
    asm_const(&c->a, o, (int64_t)(uintptr_t)c->m->holder->mirror);
    return o;
}

void enter_body_sync(Compiler *c, u4 receiver) {
    c->locked = c->flocked = 0;
    take_register(c, R_AX);
    Reg o = body_sync_object(c, receiver), t = temp(c);
    Later *slow = slow_call(c, jit_h_lock, NO_ARG, NO_ARG, 0, NO_REG);
    slow->info = exit_info(EXIT_ENTERING, 0, 0, 0);
    take_lock(c, o, t, &slow->at);
    asm_bind(&c->a, &slow->back);
}

/* The result is the topmost operand. */
void leave_body_sync(Compiler *c, u4 receiver) {
    take_register(c, R_AX);
    Reg o = body_sync_object(c, receiver), t = temp(c);
    Later *slow = slow_call(c, jit_h_unlock, NO_ARG, NO_ARG, 0, NO_REG);
    slow->info = exit_redo(c, EXIT_REDO, 0);
    give_lock(c, o, t, &slow->at);
    asm_bind(&c->a, &slow->back);
}

/* --- monitorenter and monitorexit --- */

#define LOCKS frame_mem(offsetof(Frame, locks))
#define FLAGS frame_mem(offsetof(Frame, flags))
#define FREE_RECORDS thread_mem(offsetof(Thread, free_records))
static Mem record_next(Reg r) { return mem_at(r, offsetof(LockRecord, next)); }
static Mem record_object(Reg r) { return mem_at(r, offsetof(LockRecord, object)); }

/* A record from the thread's free ones becomes the newest of the frame. */
static void enter(Compiler *c, Later *slow, Reg o, Reg r, Reg t) {
    Label first = LABEL_INIT;
    asm_load(&c->a, MEM_64, r, FREE_RECORDS);
    asm_cmp(&c->a, W64, r, op_imm(0));
    asm_branch(&c->a, COND_EQ, &slow->at);
    take_lock(c, o, t, &slow->at);
    asm_load(&c->a, MEM_64, t, record_next(r));
    asm_store(&c->a, MEM_64, FREE_RECORDS, t);
    asm_store(&c->a, MEM_64, record_object(r), o);
    u4 fixups = c->a.n_fixups;
    asm_const(&c->a, t, 0);
    asm_test_mem(&c->a, MEM_32, FLAGS, FRAME_LOCKS);
    asm_branch(&c->a, COND_EQ, &first);
    asm_load(&c->a, MEM_64, t, LOCKS);
    asm_bind(&c->a, &first);
    asm_settle(&c->a, fixups);
    asm_store(&c->a, MEM_64, record_next(r), t);
    asm_store(&c->a, MEM_64, LOCKS, r);
    asm_alu_mem(&c->a, ALU_OR, W32, FLAGS, op_imm(FRAME_LOCKS));
}

/* Of the newest record, which becomes free. */
static void leave(Compiler *c, Later *slow, Reg o, Reg r, Reg t) {
    Label more = LABEL_INIT;
    asm_test_mem(&c->a, MEM_32, FLAGS, FRAME_LOCKS);
    asm_branch(&c->a, COND_EQ, &slow->at);
    asm_load(&c->a, MEM_64, r, LOCKS);
    asm_cmp_mem(&c->a, MEM_64, record_object(r), op_reg(o));
    asm_branch(&c->a, COND_NE, &slow->at);
    give_lock(c, o, t, &slow->at);
    u4 fixups = c->a.n_fixups;
    asm_load(&c->a, MEM_64, t, record_next(r));
    asm_store(&c->a, MEM_64, LOCKS, t);
    asm_cmp(&c->a, W64, t, op_imm(0));
    asm_branch(&c->a, COND_NE, &more);
    asm_alu_mem(&c->a, ALU_AND, W32, FLAGS, op_imm(~FRAME_LOCKS));
    asm_bind(&c->a, &more);
    asm_settle(&c->a, fixups);
    asm_load(&c->a, MEM_64, t, FREE_RECORDS);
    asm_store(&c->a, MEM_64, record_next(r), t);
    asm_store(&c->a, MEM_64, FREE_RECORDS, r);
}

void base_monitor(Compiler *c, bool entering) {
    u4 at = c->depth - 1;
    take_register(c, R_AX);
    Reg o = use(c, at);
    check_null(c, at, o);
    Reg r = temp(c), t = temp(c);
    Later *slow = slow_call(c, entering ? jit_h_monitorenter : jit_h_monitorexit, arg_cell(at), NO_ARG, 1, NO_REG);
    if (entering) enter(c, slow, o, r, t);
    else leave(c, slow, o, r, t);
    asm_bind(&c->a, &slow->back);
    pop(c, 1);
}

/* --- identity hash: the bit that says there is one is in the lock word --- */

/* 0 stands for another number; it, and an object that was never asked, are for the call. */
void base_hash(Compiler *c, Reg o, Reg d, Reg t, Label *call) {
    asm_test_mem(&c->a, MEM_32, mem_at(o, offsetof(Object, lock)), LOCK_HASHED);
    asm_branch(&c->a, COND_EQ, call);
    asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, d, o, op_imm(3));
    asm_const(&c->a, t, (int64_t)OBJECT_HASH_FACTOR);
    asm_alu(&c->a, ALU_MUL, W64, d, d, op_reg(t));
    asm_shift(&c->a, SHIFT_RIGHT_UNSIGNED, W64, d, d, op_imm(OBJECT_HASH_SHIFT));
    asm_cmp(&c->a, W32, d, op_imm(0));
    asm_branch(&c->a, COND_EQ, call);
}
