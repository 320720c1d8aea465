/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Monitors in compiled code.  Thin locks are taken and given back inline, as thread/monitor.h does it; all else, contention first, is for helpers.
 *
 * Nothing polls between the change of the lock word and that of the frame (FRAME_SYNC, or the list of lock records of
 * frame_monitor.c), so nobody sees one without the other; which of them is first does not matter here.
 */
#include "jit/code_monitor.h"
#include "jit/code_regs.h"
#include "object/object.h"
#include "thread/monitor.h"

/* From the lock word in rax and that of this thread, xor: goes to slow unless it is thin, this thread's, and entered less than `most` times more. */
static void is_mine(Asm *a, Reg word, u4 most, Label *slow) {
    asm_cmp(a, W32, word, op_imm((int32_t)(most << LOCK_REC_SHIFT)));
    asm_branch(a, COND_ABOVE_EQ, slow);
    asm_test(a, W32, R_AX, op_imm(LOCK_INFLATED));
    asm_branch(a, COND_NE, slow);
}

/* Takes the lock of o if it is thin, and free or this thread's.  rax and t are free. */
void code_take_lock(Asm *a, Reg o, Reg t, Label *slow) {
    Label cas = LABEL_INIT;
    u4 first = a->n_fixups;
    Mem lock = mem_at(o, offsetof(Object, lock));
    asm_load(a, MEM_32, R_AX, lock);
    asm_load(a, MEM_32, t, thread_mem(offsetof(Thread, tid)));
    asm_shift(a, SHIFT_LEFT, W32, t, t, op_imm(LOCK_OWNER_SHIFT));
    asm_alu(a, ALU_XOR, W32, t, t, op_reg(R_AX)); /* the owner added, or taken away */
    asm_test(a, W32, R_AX, op_imm((int32_t) ~(LOCK_FLAGS_MASK & ~LOCK_INFLATED)));
    asm_branch(a, COND_EQ, &cas);
    is_mine(a, t, LOCK_REC_MASK >> LOCK_REC_SHIFT, slow);
    asm_address(a, t, mem_at(R_AX, LOCK_REC_ONE));
    asm_bind(a, &cas);
    asm_settle(a, first);
    asm_cas(a, MEM_32, lock, t);
    asm_branch(a, COND_NE, slow);
}

/* Gives the lock of o back if it is thin and this thread's. */
void code_give_lock(Asm *a, Reg o, Reg t, Label *slow) {
    Label cas = LABEL_INIT;
    u4 first = a->n_fixups;
    Mem lock = mem_at(o, offsetof(Object, lock));
    asm_load(a, MEM_32, t, thread_mem(offsetof(Thread, tid)));
    asm_shift(a, SHIFT_LEFT, W32, t, t, op_imm(LOCK_OWNER_SHIFT));
    asm_load(a, MEM_32, R_AX, lock);
    asm_alu(a, ALU_XOR, W32, t, t, op_reg(R_AX)); /* what it will be: the flags alone */
    asm_test(a, W32, t, op_imm((int32_t) ~(LOCK_FLAGS_MASK & ~LOCK_INFLATED)));
    asm_branch(a, COND_EQ, &cas);
    is_mine(a, t, (LOCK_REC_MASK >> LOCK_REC_SHIFT) + 1, slow);
    asm_address(a, t, mem_at(R_AX, -(int32_t)LOCK_REC_ONE));
    asm_bind(a, &cas);
    asm_settle(a, first);
    asm_cas(a, MEM_32, lock, t);
    asm_branch(a, COND_NE, slow);
}

/* --- monitorenter and monitorexit --- */

#define LOCKS frame_mem(offsetof(Frame, locks))
#define FLAGS frame_mem(offsetof(Frame, flags))
#define FREE_RECORDS thread_mem(offsetof(Thread, free_records))
static Mem record_next(Reg r) { return mem_at(r, offsetof(LockRecord, next)); }
static Mem record_object(Reg r) { return mem_at(r, offsetof(LockRecord, object)); }

/* A record from the thread's free ones becomes the newest of the frame. */
void code_monitor_enter(Asm *a, Label *slow, Reg o, Reg r, Reg t) {
    Label first = LABEL_INIT;
    asm_load(a, MEM_64, r, FREE_RECORDS);
    asm_cmp(a, W64, r, op_imm(0));
    asm_branch(a, COND_EQ, slow);
    code_take_lock(a, o, t, slow);
    asm_load(a, MEM_64, t, record_next(r));
    asm_store(a, MEM_64, FREE_RECORDS, t);
    asm_store(a, MEM_64, record_object(r), o);
    u4 fixups = a->n_fixups;
    asm_const(a, t, 0);
    asm_test_mem(a, MEM_32, FLAGS, FRAME_LOCKS);
    asm_branch(a, COND_EQ, &first);
    asm_load(a, MEM_64, t, LOCKS);
    asm_bind(a, &first);
    asm_settle(a, fixups);
    asm_store(a, MEM_64, record_next(r), t);
    asm_store(a, MEM_64, LOCKS, r);
    asm_alu_mem(a, ALU_OR, W32, FLAGS, op_imm(FRAME_LOCKS));
}

/* Of the newest record, which becomes free. */
void code_monitor_leave(Asm *a, Label *slow, Reg o, Reg r, Reg t) {
    Label more = LABEL_INIT;
    asm_test_mem(a, MEM_32, FLAGS, FRAME_LOCKS);
    asm_branch(a, COND_EQ, slow);
    asm_load(a, MEM_64, r, LOCKS);
    asm_cmp_mem(a, MEM_64, record_object(r), op_reg(o));
    asm_branch(a, COND_NE, slow);
    code_give_lock(a, o, t, slow);
    u4 fixups = a->n_fixups;
    asm_load(a, MEM_64, t, record_next(r));
    asm_store(a, MEM_64, LOCKS, t);
    asm_cmp(a, W64, t, op_imm(0));
    asm_branch(a, COND_NE, &more);
    asm_alu_mem(a, ALU_AND, W32, FLAGS, op_imm(~FRAME_LOCKS));
    asm_bind(a, &more);
    asm_settle(a, fixups);
    asm_load(a, MEM_64, t, FREE_RECORDS);
    asm_store(a, MEM_64, record_next(r), t);
    asm_store(a, MEM_64, FREE_RECORDS, r);
}

/* --- identity hash: the bit that says there is one is in the lock word --- */

/* 0 stands for another number; it, and an object that was never asked, are for the call. */
void code_identity_hash(Asm *a, Reg o, Reg d, Reg t, Label *call) {
    asm_test_mem(a, MEM_32, mem_at(o, offsetof(Object, lock)), LOCK_HASHED);
    asm_branch(a, COND_EQ, call);
    asm_shift(a, SHIFT_RIGHT_UNSIGNED, W64, d, o, op_imm(3));
    asm_const(a, t, (int64_t)OBJECT_HASH_FACTOR);
    asm_alu(a, ALU_MUL, W64, d, d, op_reg(t));
    asm_shift(a, SHIFT_RIGHT_UNSIGNED, W64, d, d, op_imm(OBJECT_HASH_SHIFT));
    asm_cmp(a, W32, d, op_imm(0));
    asm_branch(a, COND_EQ, call);
}
