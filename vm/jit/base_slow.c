/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base compiler: slow paths, helpers that are called from behind the code and return to where it was left.
 *
 * On the fast path nothing is stored and no register is lost.  The slow path brings everything to memory first, as for any
 * call, and afterwards every register to what it was: temporaries below the operands, valid pins.  So the state where the two meet
 * is that of the fast path.  Pins that were dirty are still called so.
 *
 * Between slow_call and the place where `back` is bound nothing may ask for registers or operands, and no register of
 * a value on the stack or of a pin may change: the slow path stores them.
 *
 * Helpers that are rarely called are called by a record instead (exit_record.c), in the same state.
 *
 * DeoptimizeInterval counts slow paths as points: the one that is due is taken, and leaves compiled code behind the helper.
 */
#include "core/options.h"
#include "jit/base_inline.h"
#include "jit/base_int.h"
#include "jit/base_slow.h"
#include "object/class.h"
#include "object/method.h"
#include <string.h>

/* Flags are lost. */
Later *slow_call(Compiler *c, const void *fn, HelperArg x, HelperArg y, u4 popped, Reg result) {
    Later *l = new_later(c, LATER_SLOW, c->bci, c->depth);
    l->info = exit_info(EXIT_AFTER, c->next - c->bci, popped, result != NO_REG);
    l->redo = exit_redo(c, EXIT_REDO, 0);
    l->fn = fn;
    l->args[0] = x;
    l->args[1] = y;
    l->popped = popped;
    l->result = result;
    if (vm_options.deopt_interval) {
        asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)&jit_stress_left);
        asm_alu_mem(&c->a, ALU_SUB, W32, mem_at(ASM_SCRATCH, 0), op_imm(1));
        asm_branch(&c->a, COND_LE, &l->at);
    }
    return l;
}

Later *slow_virtual(Compiler *c, u4 index, u4 popped, Reg result) {
    Later *l = slow_call(c, NULL, NO_ARG, NO_ARG, popped, result);
    l->info = exit_info(EXIT_AFTER, c->next - c->bci, popped, c->pushes);
    l->with_result = call_gives_fp(c) ? RESULT_FP : RESULT_CELL;
    l->vtable_index = index;
    return l;
}

Later *slow_known(Compiler *c, const Method *m, Reg result) {
    Later *l = slow_virtual(c, 0, m->arg_slots, result);
    l->callee = m;
    return l;
}

static void pass(Compiler *c, Reg r, HelperArg arg) {
    if (arg.kind == ARG_CELL) asm_load(&c->a, MEM_64, r, cell_mem((u4)arg.value));
    else if (arg.kind == ARG_CONST) asm_const(&c->a, r, arg.value);
}

/* Now and then the receiver, which may be null, is looked at. */
void count_site(Compiler *c, const SiteCache *s, u4 receiver) {
    Reg o = use(c, receiver);
    Later *l = new_later(c, LATER_LOOK, c->bci, 0);
    l->about = o;
    asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)s);
    asm_alu_mem(&c->a, ALU_SUB, W32, mem_at(ASM_SCRATCH, offsetof(SiteCache, calls_left)), op_imm(1));
    asm_branch(&c->a, COND_LE, &l->at);
    asm_bind(&c->a, &l->back);
}

/* About the object in r; by whom is in ASM_SCRATCH.  That neither stops nor throws: nothing is stored, the stub keeps all other registers. */
static void ask(Compiler *c, void (*stub)(void), Reg r) {
    const void *to = cache_near(stub, NULL);
    if (!to) return refuse(c, "code cache is full");
    asm_store(&c->a, MEM_64, thread_mem(offsetof(Thread, leaf_result)), r);
    asm_store(&c->a, MEM_64, thread_mem(offsetof(Thread, asked)), ASM_SCRATCH);
    asm_call_c(&c->a, to, false);
}

void write_look(Compiler *c, Later *l) {
    ask(c, jit_look_stub, l->about);
    asm_jump(&c->a, &l->back);
}

Later *ask_type(Compiler *c, const Class *k, Reg r, Reg found) {
    Later *l = new_later(c, LATER_TYPE, c->bci, 0);
    l->fn = k;
    l->about = r;
    l->result = found;
    if (found == NO_REG) l->leave = exit_here(c, EXIT_CAST);
    return l;
}

void write_type(Compiler *c, Later *l) {
    asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)l->fn);
    ask(c, jit_subtype_stub, l->about);
    if (l->leave) asm_branch(&c->a, COND_EQ, l->leave);
    else asm_set(&c->a, COND_NE, l->result);
    asm_jump(&c->a, &l->back);
}

/* To found with R_CALLEE if the site knows the class in rax in one of its places. */
static void ask_site(Compiler *c, Reg site, size_t klass, size_t target, Label *found) {
    Label other = LABEL_INIT;
    u4 first = c->a.n_fixups;
    asm_cmp_mem(&c->a, MEM_32, mem_at(site, (int32_t)klass), op_reg(R_AX));
    asm_branch(&c->a, COND_NE, &other);
    asm_load(&c->a, MEM_64, R_CALLEE, mem_at(site, (int32_t)target));
    asm_jump(&c->a, found);
    asm_bind(&c->a, &other);
    asm_settle(&c->a, first);
}
#define FIRST_PLACE offsetof(SiteCache, klass), offsetof(SiteCache, target)
#define SECOND_PLACE offsetof(SiteCache, second), offsetof(SiteCache, second_target)

/* R_CALLEE is what the receiver's class has for an interface method, or what that throws is thrown at the call. */
static void choose_slowly(Compiler *c, const SiteCache *s, u4 receiver, Label *redo) {
    Label chosen = LABEL_INIT;
    const void *to = cache_near(jit_select_stub, NULL);
    if (!to) return refuse(c, "code cache is full");
    u4 first = c->a.n_fixups;
    asm_load(&c->a, MEM_64, R_AX, cell_mem(receiver));
    asm_load(&c->a, MEM_32, R_AX, mem_at(R_AX, offsetof(Object, klass)));
    asm_const(&c->a, R_DX, (int64_t)(uintptr_t)s);
    ask_site(c, R_DX, FIRST_PLACE, &chosen);
    ask_site(c, R_DX, SECOND_PLACE, &chosen);
    asm_const(&c->a, R_CALLEE, (int64_t)(uintptr_t)s->imethod);
    asm_call_c(&c->a, to, false);
    asm_branch(&c->a, COND_EQ, &chosen);
    pass(c, R_DX, arg_const(s));
    pass(c, R_CX, arg_cell(receiver));
    call_c(c, jit_h_select);
    test_leave(c, redo);
    asm_mov(&c->a, W64, R_CALLEE, R_AX);
    asm_bind(&c->a, &chosen);
    asm_settle(&c->a, first);
}

/* The receiver is the first of the operands. */
static void call_slowly(Compiler *c, const Later *l, Label *redo) {
    u4 args = l->cells - l->popped;
    if (l->chooses) {
        choose_slowly(c, l->chooses, args, redo);
        return call_callee(c, NULL, args);
    }
    if (!l->callee) return call_by_vtable(c, args, l->vtable_index);
    asm_const(&c->a, R_CALLEE, (int64_t)(uintptr_t)l->callee);
    call_callee(c, l->callee, args);
}

/* Memory is true; rax is the result. */
static void restore(Compiler *c, const Later *l) {
    if (l->result != NO_REG) asm_mov(&c->a, W64, ASM_SCRATCH, R_AX);
    for (u4 i = 0; i + l->popped < l->cells; i++) {
        const Value *v = &l->stack[i];
        if (v->kind == V_REG) asm_load(&c->a, MEM_64, v->reg, cell_mem(i));
        else if (v->kind == V_FREG) asm_fload(&c->a, W64, v->reg, cell_mem(i));
    }
    c->valid = 0;
    for (u4 p = 0; p < c->n_pins; p++)
        if (l->valid & 1u << p) load_pin(c, p);
    if (l->result != NO_REG) asm_mov(&c->a, W64, l->result, ASM_SCRATCH);
}

/* The site's second place and the thread's method cache are asked before the helper, which fills both. */
static void ask_cache(Compiler *c, Later *l) {
    Label helper = LABEL_INIT;
    u4 first = c->a.n_fixups;
    const void *to = cache_near(jit_select_stub, NULL);
    if (!to) return refuse(c, "code cache is full");
    ask_site(c, l->about, SECOND_PLACE, &l->back);
    asm_cmp_mem(&c->a, MEM_32, mem_at(l->about, offsetof(SiteCache, second)), op_imm(0));
    asm_branch(&c->a, COND_EQ, &helper);
    asm_load(&c->a, MEM_64, R_CALLEE, mem_at(l->about, offsetof(SiteCache, imethod)));
    asm_call_c(&c->a, to, false);
    asm_branch(&c->a, COND_EQ, &l->back);
    asm_bind(&c->a, &helper);
    asm_settle(&c->a, first);
}

static bool is_rare(const void *helper) {
    return helper == (const void *)jit_h_new || helper == (const void *)jit_h_newarray || helper == (const void *)jit_h_select ||
           helper == (const void *)jit_h_monitorenter || helper == (const void *)jit_h_monitorexit;
}

/* Windows may be small: most of the time there is another one, for which nothing needs to be in memory. */
static void write_window(Compiler *c, Later *l) {
    const void *to = cache_near(jit_window_stub, NULL);
    if (!to) return refuse(c, "code cache is full");
    Mem asked = thread_mem(offsetof(Thread, asked));
    asm_bind(&c->a, &l->window);
    if (l->bytes) {
        asm_store_const(&c->a, MEM_64, asked, (int32_t)l->bytes);
    } else {
        asm_alu(&c->a, ALU_SUB, W64, l->end, l->end, op_reg(l->result));
        asm_store(&c->a, MEM_64, asked, l->end);
    }
    asm_call_c(&c->a, to, false);
    asm_branch(&c->a, COND_NE, &l->retry);
    asm_jump(&c->a, &l->at);
}

static void write_rare(Compiler *c, Later *l) {
    u4 record = record_state(c, l->info, l->bci);
    exit_help(&c->exits, l->fn, l->args, l->result, l->valid);
    call_by_record(c, jit_help_record_stub, record);
    asm_jump(&c->a, &l->back);
    if (l->retry.at >= 0) write_window(c, l);
}

void write_slow(Compiler *c, Later *l) {
    Label leave = LABEL_INIT, redo = LABEL_INIT;
    u4 first = c->a.n_fixups;
    if (l->about != NO_REG && !vm_options.deopt_interval) ask_cache(c, l);
    c->valid = l->valid;
    c->dirty = l->dirty;
    c->depth = l->cells;
    memcpy(c->stack, l->stack, l->cells * sizeof *l->stack);
    if (is_rare(l->fn)) return write_rare(c, l);
    flush_stack(c);
    flush_pins(c);
    inline_entering(c, l->fn == (const void *)jit_h_lock);
    set_position(c, l->bci, l->depth);
    inline_entering(c, false);
    pass(c, R_DX, l->args[0]);
    pass(c, R_CX, l->args[1]);
    if (l->fn) call_c(c, l->fn);
    else call_slowly(c, l, &redo);
    if (l->with_result == RESULT_FP) asm_float_to_bits(&c->a, W64, R_AX, F_0);
    test_leave(c, &leave);
    if (vm_options.deopt_interval) {
        asm_const(&c->a, ASM_SCRATCH, (int64_t)(uintptr_t)&jit_stress_left);
        asm_cmp_mem(&c->a, MEM_32, mem_at(ASM_SCRATCH, 0), op_imm(0));
        asm_branch(&c->a, COND_LE, &leave);
    }
    restore(c, l);
    asm_jump(&c->a, &l->back);
    asm_bind(&c->a, &leave);
    asm_mov(&c->a, W64, R_DX, R_AX);
    asm_const(&c->a, R_SI, l->info);
    leave_by_stub(c);
    if (l->chooses) {
        asm_bind(&c->a, &redo);
        asm_const(&c->a, R_SI, l->redo);
        leave_by_stub(c);
    }
    asm_settle(&c->a, first);
}
