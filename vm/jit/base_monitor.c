/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: monitors.  What is usual is code (code_monitor.c); all else, contention first, is for helpers.
 */
#include "jit/base_inline.h"
#include "jit/base_int.h"
#include "jit/base_slow.h"
#include "jit/base_monitor.h"
#include "jit/code_monitor.h"
#include "object/class.h"
#include "object/method.h"

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
    code_take_lock(&c->a, R_DX, R_CX, &slow->at);
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
    code_give_lock(&c->a, o, t, &slow->at);
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
    code_take_lock(&c->a, o, t, &slow->at);
    asm_bind(&c->a, &slow->back);
}

/* The result is the topmost operand. */
void leave_body_sync(Compiler *c, u4 receiver) {
    take_register(c, R_AX);
    Reg o = body_sync_object(c, receiver), t = temp(c);
    Later *slow = slow_call(c, jit_h_unlock, NO_ARG, NO_ARG, 0, NO_REG);
    slow->info = exit_redo(c, EXIT_REDO, 0);
    code_give_lock(&c->a, o, t, &slow->at);
    asm_bind(&c->a, &slow->back);
}

/* --- monitorenter and monitorexit --- */

void base_monitor(Compiler *c, bool entering) {
    u4 at = c->depth - 1;
    take_register(c, R_AX);
    Reg o = use(c, at);
    check_null(c, at, o);
    Reg r = temp(c), t = temp(c);
    Later *slow = slow_call(c, entering ? jit_h_monitorenter : jit_h_monitorexit, arg_cell(at), NO_ARG, 1, NO_REG);
    if (entering) code_monitor_enter(&c->a, &slow->at, o, r, t);
    else code_monitor_leave(&c->a, &slow->at, o, r, t);
    asm_bind(&c->a, &slow->back);
    pop(c, 1);
}

void base_hash(Compiler *c, Reg o, Reg d, Reg t, Label *call) { code_identity_hash(&c->a, o, d, t, call); }
