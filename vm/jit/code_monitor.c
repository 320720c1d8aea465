/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Monitors in compiled code.  Thin locks are taken and given back inline, as thread/monitor.h does it, inflated ones by a stub that keeps all registers if
 * that needs no wait; all else, contention first, is for helpers.
 *
 * Nothing polls between the change of the lock word and that of the frame (FRAME_SYNC, or the list of lock records of
 * frame_monitor.c), so nobody sees one without the other; which of them is first does not matter here.
 */
#include "jit/code_monitor.h"
#include "jit/code_regs.h"
#include "object/object.h"
#include "thread/identity.h"
#include "thread/monitor.h"

/* The lock word in rax is not thin and free, or not thin and this thread's, entered once.  An inflated one is asked by the stub, done with if it is had;
 * else goes to slow unless `word`, from it and that of this thread by xor, says that it is this thread's, and entered less than `most` times more. */
static void rare_lock(Asm *a, void (*stub)(void), Reg o, Reg word, u4 most, Label *done, Label *slow) {
    Label thin = LABEL_INIT;
    const void *to = cache_near(stub, NULL);
    u4 first = a->n_fixups;
    asm_test(a, W32, R_AX, op_imm(LOCK_INFLATED));
    if (to) {
        asm_branch(a, COND_EQ, &thin);
        asm_store(a, MEM_64, thread_mem(offsetof(Thread, leaf_result)), o);
        asm_call_c(a, to, false);
        asm_branch(a, COND_NE, done);
        asm_jump(a, slow);
        asm_bind(a, &thin);
        asm_settle(a, first);
    } else {
        asm_branch(a, COND_NE, slow);
    }
    asm_cmp(a, W32, word, op_imm((int32_t)(most << LOCK_REC_SHIFT)));
    asm_branch(a, COND_ABOVE_EQ, slow);
}

/* Takes the lock of o if it is free or this thread's.  rax and t are free. */
void code_take_lock(Asm *a, Reg o, Reg t, Label *slow) {
    Label cas = LABEL_INIT, done = LABEL_INIT;
    u4 first = a->n_fixups;
    Mem lock = mem_at(o, offsetof(Object, lock));
    asm_load(a, MEM_32, R_AX, lock);
    asm_load(a, MEM_32, t, thread_mem(offsetof(Thread, tid)));
    asm_shift(a, SHIFT_LEFT, W32, t, t, op_imm(LOCK_OWNER_SHIFT));
    asm_alu(a, ALU_XOR, W32, t, t, op_reg(R_AX)); /* the owner added, or taken away */
    asm_test(a, W32, R_AX, op_imm((int32_t) ~(LOCK_FLAGS_MASK & ~LOCK_INFLATED)));
    asm_branch(a, COND_EQ, &cas);
    rare_lock(a, jit_take_stub, o, t, LOCK_REC_MASK >> LOCK_REC_SHIFT, &done, slow);
    asm_address(a, t, mem_at(R_AX, LOCK_REC_ONE));
    asm_bind(a, &cas);
    asm_cas(a, MEM_32, lock, t);
    asm_branch(a, COND_NE, slow);
    asm_bind(a, &done);
    asm_settle(a, first);
}

/* Gives the lock of o back if it is this thread's. */
void code_give_lock(Asm *a, Reg o, Reg t, Label *slow) {
    Label cas = LABEL_INIT, done = LABEL_INIT;
    u4 first = a->n_fixups;
    Mem lock = mem_at(o, offsetof(Object, lock));
    asm_load(a, MEM_32, t, thread_mem(offsetof(Thread, tid)));
    asm_shift(a, SHIFT_LEFT, W32, t, t, op_imm(LOCK_OWNER_SHIFT));
    asm_load(a, MEM_32, R_AX, lock);
    asm_alu(a, ALU_XOR, W32, t, t, op_reg(R_AX)); /* what it will be: the flags alone */
    asm_test(a, W32, t, op_imm((int32_t) ~(LOCK_FLAGS_MASK & ~LOCK_INFLATED)));
    asm_branch(a, COND_EQ, &cas);
    rare_lock(a, jit_give_stub, o, t, (LOCK_REC_MASK >> LOCK_REC_SHIFT) + 1, &done, slow);
    asm_address(a, t, mem_at(R_AX, -(int32_t)LOCK_REC_ONE));
    asm_bind(a, &cas);
    asm_cas(a, MEM_32, lock, t);
    asm_branch(a, COND_NE, slow);
    asm_bind(a, &done);
    asm_settle(a, first);
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

/* An object that was never asked is for the call. */
void code_identity_hash(Asm *a, Reg o, Reg d, Reg t, Label *call) {
    asm_test_mem(a, MEM_32, mem_at(o, offsetof(Object, lock)), LOCK_HASHED);
    asm_branch(a, COND_EQ, call);
    asm_shift(a, SHIFT_RIGHT_UNSIGNED, W64, t, o, op_imm(HASH_ROW_SHIFT));
    asm_const(a, d, (int64_t)(uintptr_t)object_hash_rows);
    asm_load(a, MEM_32, t, mem_index(d, t, 2, 0));
    asm_shift(a, SHIFT_LEFT, W64, t, t, op_imm(2 + HASH_ROW_SHIFT - HASH_CELL_SHIFT)); /* bytes */
    asm_alu(a, ALU_AND, W32, d, o, op_imm((HASH_ROW_CELLS - 1) << HASH_CELL_SHIFT));
    asm_shift(a, SHIFT_RIGHT_UNSIGNED, W32, d, d, op_imm(HASH_CELL_SHIFT - 2));
    asm_alu(a, ALU_ADD, W64, t, t, op_reg(d));
    asm_const(a, d, (int64_t)(uintptr_t)object_hash_cells);
    asm_load(a, MEM_32, d, mem_index(d, t, 0, 0));
}
