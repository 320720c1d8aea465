/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing code: what others look at.  States in records and in memory, exits, helpers, calls.
 *
 * CALLS    write the State: every cell that is not there already, as parallel moves (a value may lie in the cell of another), then the position.
 *          That of a body says that its frame is due, and nothing else of the bodies' frames is written (jit/body_frames.c); only code behind the rest
 *          that asks a helper for the target writes all of them.  Where values that no frame has live behind the call the arguments are written
 *          above them (opt_home.c).  Behind the call R_FRAME is known by the distance, and the flags of the caller's frame are tested, of a body's
 *          if it was written.  The exit for that is code, as in the base compiler: everything is in memory.  Arguments that lie above (opt_passed_on)
 *          are the callee's alone; whoever may make the call again, or looks for its target, gets them where the interpreter would have them
 *          (put_arguments).
 * RECORDS  say where cells are at a guard or helper (exit_record.c, "OPTIMISED code").  Nothing is stored in front of them.
 *
 * What is written behind the rest comes in the order in which it was asked for: keys of exits must ascend.
 */
#include "core/options.h"
#include "interp/parts.h"
#include "jit/opt/opt_code.h"
#include "native/intrinsic/intrinsic_int.h"
#include "os/os_ticks.h"

double jit_h_rem_d(double a, double b);
float jit_h_rem_f(float a, float b);

/* --- cells --- */

typedef void (*CellVisitor)(Emit *e, u4 place, Ref v, u4 pos, void *arg);

static void visit_cells(Emit *e, const State *s, u4 pos, CellVisitor visit, void *arg) {
    for (; s; s = s->outer)
        for (u4 i = 0; i < s->n_locals + s->n_stack; i++) {
            bool local = i < s->n_locals;
            if (s->cells[i]) visit(e, opt_cell_place(&e->b, s->scope, local, local ? i : i - s->n_locals), s->cells[i], pos, arg);
        }
}

/* A home stays true as long as its value lives, whatever register has it, too. */
static bool is_there(const Emit *e, u4 place, Ref v) { return e->b.lives[v].in_memory && e->b.lives[v].home == place; }

/* --- records --- */

typedef struct Record {
    const StateObject *objects;
    u4 n_read;
} Record;

static u4 number_of(const StateObject *all, Ref name) {
    u4 n = 0;
    for (; all && all->name != name; all = all->next) n++;
    return n;
}

/* Where the record finds v. */
static ExitSource source_of(Emit *e, Record *r, Ref v, u4 pos, int64_t *what) {
    static const u1 sources[] = {[LOC_REG] = FROM_REG, [LOC_FREG] = FROM_FREG, [LOC_CELL] = FROM_CELL, [LOC_CONST] = FROM_CONST};
    if (opt_node(e->o, v)->op == OPT_VIRTUAL) {
        *what = number_of(r->objects, v);
        return FROM_OBJECT;
    }
    Loc l = opt_where(&e->b, v, pos);
    *what = l.kind == LOC_CONST ? (int64_t)l.k : (int64_t)l.n;
    if (l.kind == LOC_CELL && ++r->n_read > EXIT_MOST_CELLS) emit_refuse(e, "too many values in memory");
    return (ExitSource)sources[l.kind];
}

static void record_cell(Emit *e, u4 place, Ref v, u4 pos, void *r) {
    int64_t what;
    if (is_there(e, place, v)) return;
    ExitSource from = source_of(e, r, v, pos, &what);
    exit_cell(&e->exits, place, from, what);
}

static bool is_zero(const Emit *e, Ref v) { return opt_is_const(e->o, v) && !opt_bits(opt_node(e->o, v)); }

static void record_object(Emit *e, const StateObject *x, u4 pos, Record *r) {
    u4 n = 0;
    for (u4 i = 0; i < x->layout->n; i++) n += !is_zero(e, x->values[i]);
    exit_object(&e->exits, x->layout->klass, x->layout->length, n);
    for (u4 i = 0; i < x->layout->n; i++) {
        int64_t what;
        if (is_zero(e, x->values[i])) continue;
        const OptSlot *s = &x->layout->slots[i];
        ExitSource from = source_of(e, r, x->values[i], pos, &what);
        exit_field(&e->exits, s->offset, (MemKind)s->kind, s->type == OT_REF, from, what);
    }
}

u4 emit_record(Emit *e, const State *s, ExitInfo info, u4 pos) {
    u4 record = exit_begin(&e->exits, info, s->scope->number, s->bci, s->depth, 0), n = 0, n_fields = 0;
    Record r = {.objects = s->objects};
    visit_cells(e, s, pos, record_cell, &r);
    exit_end(&e->exits);
    for (const StateObject *x = s->objects; x; x = x->next) n++, n_fields += x->layout->n;
    if (n > EXIT_MOST_OBJECTS || n_fields > EXIT_MOST_CELLS) emit_refuse(e, "too many objects");
    exit_objects(&e->exits, n);
    for (const StateObject *x = s->objects; x; x = x->next) record_object(e, x, pos, &r);
    return record;
}

Later *emit_later(Emit *e, int kind, const State *s) {
    static Later nowhere; /* the code is thrown away */
    Later *l = opt_alloc(e->o, sizeof *l);
    if (!l) l = &nowhere;
    *l = (Later){.kind = kind, .at = LABEL_INIT, .back = LABEL_INIT, .window = LABEL_INIT, .retry = LABEL_INIT, .state = s};
    if (l == &nowhere) return l;
    *e->later_end = l;
    e->later_end = &l->next;
    return l;
}

static Later *later_exit(Emit *e, const State *s, u4 record) {
    Later *l = emit_later(e, LATER_EXIT, s);
    l->record = record;
    return l;
}

static ExitInfo info_of(const Node *n) {
    return n->exit == EXIT_AT ? exit_info(EXIT_AT, 0, 0, 0) : exit_info((enum ExitKind)n->exit, 0, n->n_args, 0);
}

Later *emit_exit(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    return later_exit(e, n->state, emit_record(e, n->state, info_of(n), n->pos));
}

void emit_fault(Emit *e, Ref r) {
    Ref guard = e->b.faults[r];
    if (!guard) return;
    const Node *n = opt_node(e->o, guard);
    ExitInfo info = n->exit == EXIT_NULL ? exit_info(EXIT_FAULT, 0, n->n_args, 0) : info_of(n);
    exit_key(&e->exits, asm_here(&e->a) + 1, emit_record(e, n->state, info, opt_node(e->o, r)->pos));
}

static void call_by_record(Emit *e, void (*stub)(void), u4 record) {
    const void *to = cache_near(stub, NULL);
    if (!to) return emit_refuse(e, "code cache is full");
    asm_call_c(&e->a, to, false);
    exit_key(&e->exits, asm_here(&e->a), record);
}

void emit_leave(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    call_by_record(e, jit_exit_record_stub, emit_record(e, n->state, info_of(n), n->pos));
}

/* --- helpers --- */

void emit_stress(Emit *e, Label *due) {
    if (!vm_options.deopt_interval) return;
    asm_const(&e->a, ASM_SCRATCH, (int64_t)(uintptr_t)&jit_stress_left);
    asm_alu_mem(&e->a, ALU_SUB, W32, mem_at(ASM_SCRATCH, 0), op_imm(1));
    asm_branch(&e->a, COND_LE, due);
}

static void put_back(Emit *e, const Stop *s) {
    u4 end = e->b.n_locals + e->o->max_cells + e->b.n_extra, n = end - e->b.kept;
    for (u4 i = 0; i < n; i += EXIT_CELLS) {
        u4 bits = 0;
        for (u4 k = 0; k < EXIT_CELLS && i + k < n; k++) bits |= (u4)opt_is_put_back(&e->b, s, e->b.kept + i + k) << k;
        exit_put_back(&e->exits, bits);
    }
}

Later *emit_help(Emit *e, Ref r, ExitInfo info, const void *fn, HelperArg x, HelperArg y, Reg result) {
    const Node *n = opt_node(e->o, r);
    Later *l = emit_later(e, LATER_HELP, n->state);
    HelperArg args[2] = {x, y};
    l->record = emit_record(e, n->state, info, n->pos);
    const Stop *stop = opt_stop_at(&e->b, n->pos);
    if (stop->pos != n->pos) emit_refuse(e, "a helper where nothing stops");
    exit_help(&e->exits, fn, args, result, stop->registers & ~(result == NO_REG ? 0 : 1u << result));
    put_back(e, stop);
    return l;
}

void emit_poll(Emit *e, Ref r) {
    const HelperArg none = {.kind = ARG_NONE};
    Later *l = emit_help(e, r, exit_info(EXIT_AT, 0, 0, 0), jit_h_poll_optimised, none, none, NO_REG);
    if (vm_options.deopt_interval) emit_stress(e, &later_exit(e, l->state, l->record)->at);
    asm_test_mem(&e->a, MEM_32, thread_mem(offsetof(Thread, poll)), POLL_AT_LOOP & ~POLL_HOT_LOOP);
    asm_branch(&e->a, COND_NE, &l->at);
    asm_bind(&e->a, &l->back);
}

void emit_call_stub(Emit *e, void (*stub)(void), const void *fn) {
    const void *to = cache_near(stub, fn);
    if (to) asm_call_c(&e->a, to, false);
    else emit_refuse(e, "code cache is full");
}

/* By a C function; no frame is looked at. */
void emit_float_remainder(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Loc args[2] = {{.kind = LOC_FREG, .n = F_0}, {.kind = LOC_FREG, .n = F_1}};
    for (u4 i = 0; i < 2; i++) mover_add(&e->mover, args[i], opt_where(&e->b, n->in[i], n->pos), false);
    mover_run(&e->mover);
    emit_call_stub(e, jit_leaf_stub, n->type == OT_DOUBLE ? (const void *)jit_h_rem_d : (const void *)jit_h_rem_f);
    asm_fmov(&e->a, opt_width(n->type), emit_fout(e, r), F_0);
}

/* --- frames of bodies --- */

/* In the frame of a scope: the root's is R_FRAME's. */
static Mem in_frame(const OptScope *s, size_t offset) {
    Mem m = s->number ? cell_mem(s->locals + s->method->max_locals) : frame_mem(0);
    m.disp += (int32_t)offset;
    return m;
}

static void write_position(Emit *e, const OptScope *s, u4 bci, u4 depth) {
    asm_store_const(&e->a, MEM_64, in_frame(s, offsetof(Frame, position)), (int32_t)(bci | depth << FRAME_DEPTH_SHIFT));
}

/* A body's code, but for what takes its monitor, runs with it (opt_build_monitor.c). */
static void write_sync_object(Emit *e, const OptScope *s) {
    if (method_is_static(s->method)) asm_const(&e->a, ASM_SCRATCH, (int64_t)(uintptr_t)s->method->holder->mirror);
    else asm_load(&e->a, MEM_64, ASM_SCRATCH, cell_mem(s->locals));
    asm_store(&e->a, MEM_64, in_frame(s, offsetof(Frame, sync_object)), ASM_SCRATCH);
}

/* What frames of the body say of its method's monitor. */
u4 emit_holds(const OptScope *s) {
    if (!(s->method->access & ACC_SYNCHRONIZED)) return 0;
    return s->monitor == MONITOR_LEFT ? FRAME_RELOCK : FRAME_SYNC; /* opt_locks.c */
}

/* Without positions. */
static void write_frame(Emit *e, const OptScope *s) {
    Asm *a = &e->a;
    Reg prev = R_FRAME;
    if (s->outer->number) asm_address(a, prev = ASM_SCRATCH, in_frame(s->outer, 0));
    asm_store(a, MEM_64, in_frame(s, offsetof(Frame, prev)), prev);
    asm_const(a, ASM_SCRATCH, (int64_t)(uintptr_t)s->method);
    asm_store(a, MEM_64, in_frame(s, offsetof(Frame, method)), ASM_SCRATCH);
    u4 holds = emit_holds(s);
    if (holds) write_sync_object(e, s);
    asm_store_const(a, MEM_32, in_frame(s, offsetof(Frame, flags)), (int32_t)(FRAME_COMPILED | FRAME_INLINED | holds));
}

/* All of them, as records do it: for code behind the rest. */
static void write_frames(Emit *e, const State *s, u4 n_passed) {
    u4 bci = s->bci, depth = s->depth - n_passed;
    for (const OptScope *x = s->scope; x; x = x->outer) {
        if (x->number) write_frame(e, x);
        write_position(e, x, bci, depth);
        bci = x->call_bci;
        depth = x->call_depth;
    }
}

/* Of a call in a body: its frame is due. */
static void write_due(Emit *e, const State *s, u4 n_passed) {
    if (!e->due && !(e->due = due_take())) return emit_refuse(e, "too much code");
    if (!due_can_name(s->scope->number)) return emit_refuse(e, "too many bodies");
    asm_const(&e->a, ASM_SCRATCH, (int64_t)due_position(e->due, s->scope->number, s->bci, s->depth - n_passed));
    asm_store(&e->a, MEM_64, in_frame(s->scope, offsetof(Frame, position)), ASM_SCRATCH);
}

/* Where the call is. */
static void write_where(Emit *e, const State *s, const Stop *stop, u4 n_passed) {
    if (s->scope->number) write_due(e, s, n_passed);
    else if (!opt_is_known(stop, opt_position_place(&e->b))) write_position(e, s->scope, s->bci, s->depth - n_passed);
}

/* Who wants frames of this code to leave tells the youngest (frame_leave_code). */
static void test_flags(Emit *e, const OptScope *s, Label *leave) {
    asm_test_mem(&e->a, MEM_32, in_frame(s, offsetof(Frame, flags)), FRAME_LEAVE_CODE);
    asm_branch(&e->a, COND_NE, leave);
}

static Mem due_sign(const OptScope *s) { return in_frame(s, offsetof(Frame, position) + sizeof(u4)); }

/* Behind a call: as long as a body's frame is due nobody has looked. */
static void test_leave(Emit *e, const OptScope *s, Label *leave) {
    if (!s->number) return test_flags(e, s, leave);
    asm_cmp_mem(&e->a, MEM_32, due_sign(s), op_imm(0));
    asm_branch(&e->a, COND_GE, leave);
}

/* The beginning of what test_leave goes to: frames were written, perhaps for those who only look. */
static void go_on_unless_told(Emit *e, const Later *l) {
    const OptScope *s = l->state->scope;
    Label written = LABEL_INIT;
    u4 first = e->a.n_fixups;
    if (!s->number) return;
    if (!vm_options.deopt_interval) {
        asm_test_mem(&e->a, MEM_32, in_frame(s, offsetof(Frame, flags)), FRAME_LEAVE_CODE);
        asm_branch(&e->a, COND_EQ, (Label *)&l->back);
        return;
    }
    asm_cmp_mem(&e->a, MEM_32, due_sign(s), op_imm(0)); /* it leaves for no reason */
    asm_branch(&e->a, COND_GE, &written);
    write_frames(e, l->state, l->n_passed);
    asm_bind(&e->a, &written);
    asm_settle(&e->a, first);
}

static void leave_by_stub(Emit *e, const OptScope *s) {
    const void *to = cache_near(s->number ? jit_exit_inlined_stub : jit_exit_stub, NULL);
    if (!to) return emit_refuse(e, "code cache is full");
    if (s->number) asm_address(&e->a, R_DI, in_frame(s, 0));
    asm_jump_c(&e->a, to, false);
}

/* --- calls --- */

typedef struct Args {
    u4 from, n, to; /* places: canonical, and the same or above */
    u4 n_passed;
    const Stop *stop;
} Args;

/* A value that goes to memory in front of the call has its register still, unless others moved there. */
static Loc where_before(const Emit *e, Ref v, u4 pos) {
    Loc l = opt_where(&e->b, v, pos);
    return l.kind == LOC_CELL && !e->b.before[pos / STEP] ? opt_where(&e->b, v, pos - 1) : l;
}

static void write_cell(Emit *e, u4 place, Ref v, u4 pos, void *arg) {
    const Args *args = arg;
    bool narrow = opt_width(opt_node(e->o, v)->type) == W32;
    Loc from = where_before(e, v, pos);
    bool is_arg = place >= args->from && place < args->from + args->n;
    if (!(is_arg && args->n_passed) && !is_there(e, place, v) && !opt_is_known(args->stop, place))
        mover_add(&e->mover, (Loc){.kind = LOC_CELL, .n = place}, from, narrow);
    if (is_arg && args->to != args->from)
        mover_add(&e->mover, (Loc){.kind = LOC_CELL, .n = args->to + place - args->from}, from, narrow);
}

static Args write_arguments(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    const Stop *stop = opt_stop_at(&e->b, n->pos);
    Args args = {.from = stop->top, .n = n->call->n_args, .to = stop->top, .n_passed = opt_passed_on(stop, n), .stop = stop};
    if (stop->extra) args.to = e->b.n_locals + e->o->max_cells + stop->extra;
    visit_cells(e, n->state, n->pos, write_cell, &args);
    mover_run(&e->mover);
    return args;
}

/* For code behind the rest. */
static void note_arguments(Later *l, const Args *args) {
    l->args = args->to;
    l->receiver = args->from;
    l->n_passed = args->n_passed;
}

/* Where the interpreter would have them, in the frame. */
static void put_arguments(Emit *e, const Later *l) {
    if (!l->n_passed) return;
    for (u4 i = 0; i < l->n_passed; i++) {
        asm_load(&e->a, MEM_64, ASM_SCRATCH, emit_place(e, l->args + i));
        asm_store(&e->a, MEM_64, emit_place(e, l->receiver + i), ASM_SCRATCH);
    }
    write_position(e, l->state->scope, l->state->bci, l->state->depth);
}

/* In front of a helper that looks at the caller. */
static void show_caller(Emit *e, const Later *l) {
    put_arguments(e, l);
    if (l->state->scope->number) write_frames(e, l->state, 0);
}

/* The receiver, which registers still have if they had it, or else its cell: into d. */
static Reg receiver(Emit *e, const Node *n, const Args *args, Reg d) {
    Loc l = where_before(e, opt_state_has(&e->b, n->state, args->from), n->pos);
    if (l.kind == LOC_REG) return (Reg)l.n;
    asm_load(&e->a, MEM_64, d, emit_place(e, args->to));
    return d;
}

/* Of the receiver in o. */
static void count_look(Emit *e, const Node *n, const Args *args, Reg o) {
    if (!n->call->looks) return;
    Later *l = emit_later(e, LATER_LOOK, n->state);
    note_arguments(l, args);
    l->about = o;
    asm_const(&e->a, ASM_SCRATCH, (int64_t)(uintptr_t)n->call->site);
    asm_alu_mem(&e->a, ALU_SUB, W32, mem_at(ASM_SCRATCH, offsetof(SiteCache, calls_left)), op_imm(1));
    asm_branch(&e->a, COND_LE, &l->at);
    asm_bind(&e->a, &l->back);
}

static void load_from_vtable(Emit *e, const Node *n, const Args *args) {
    Reg o = receiver(e, n, args, R_CALLEE);
    count_look(e, n, args, o);
    asm_load(&e->a, MEM_32, R_CALLEE, mem_at(o, offsetof(Object, klass)));
    asm_load(&e->a, MEM_64, R_CALLEE, mem_at(R_CALLEE, offsetof(Class, vtable)));
    asm_load(&e->a, MEM_64, R_CALLEE, mem_at(R_CALLEE, (int32_t)(8 * n->call->vtable_index)));
}

/* R_CALLEE is what the thread's cache has for the class in rax (interp_cache). */
static void look_into_cache(Emit *e, const Method *im, Label *miss) {
    enum { ENTRIES = offsetof(Thread, method_cache) };
    _Static_assert(METHOD_CACHE_SIZE == 256 && sizeof(MethodCacheEntry) == 24, "a byte is the number of an entry");
    Asm *a = &e->a;
    asm_shift(a, SHIFT_RIGHT_UNSIGNED, W32, R_CX, R_AX, op_imm(METHOD_CACHE_CLASS_SHIFT));
    asm_alu(a, ALU_XOR, W32, R_CX, R_CX, op_imm((int32_t)(interp_cache_hash(NULL, im) & (METHOD_CACHE_SIZE - 1))));
    asm_alu(a, ALU_AND, W32, R_CX, R_CX, op_imm(METHOD_CACHE_SIZE - 1));
    asm_address(a, R_CX, mem_index(R_CX, R_CX, 1, 0));
    asm_address(a, R_CX, mem_index(R_THREAD, R_CX, 3, ENTRIES));
    asm_const(a, R_CALLEE, (int64_t)(uintptr_t)im);
    asm_cmp_mem(a, MEM_64, mem_at(R_CX, offsetof(MethodCacheEntry, klass)), op_reg(R_AX));
    asm_branch(a, COND_NE, miss);
    asm_cmp_mem(a, MEM_64, mem_at(R_CX, offsetof(MethodCacheEntry, imethod)), op_reg(R_CALLEE));
    asm_branch(a, COND_NE, miss);
    asm_load(a, MEM_64, R_CALLEE, mem_at(R_CX, offsetof(MethodCacheEntry, target)));
}

/* The method that this call chose first; behind the code the second, what the thread's cache has, or the helper.  Of many the cache. */
static void choose(Emit *e, const Node *n, const Args *args) {
    Asm *a = &e->a;
    Reg o = receiver(e, n, args, R_AX);
    count_look(e, n, args, o);
    Later *l = emit_later(e, n->call->many ? LATER_SELECT : LATER_CHOOSE, n->state);
    l->site = n->call->site;
    note_arguments(l, args);
    l->info = exit_info(EXIT_REDO, 0, 0, 0); /* what it throws is thrown at the call */
    asm_load(a, MEM_32, R_AX, mem_at(o, offsetof(Object, klass)));
    if (n->call->many) {
        look_into_cache(e, l->site->imethod, &l->at);
    } else {
        asm_const(a, R_DX, (int64_t)(uintptr_t)l->site);
        asm_cmp_mem(a, MEM_32, mem_at(R_DX, offsetof(SiteCache, klass)), op_reg(R_AX));
        asm_branch(a, COND_NE, &l->at);
        asm_load(a, MEM_64, R_CALLEE, mem_at(R_DX, offsetof(SiteCache, target)));
    }
    asm_bind(a, &l->back);
}

/* The arguments are in memory. */
static void find_target(Emit *e, const Node *n, const Args *args) {
    Later *l = emit_later(e, LATER_LINK, n->state);
    l->linker = n->call->method->kind;
    note_arguments(l, args);
    l->info = exit_info(EXIT_REDO, 0, 0, 0); /* what it throws is thrown at the call */
    Mem first = emit_place(e, args->from), last = emit_place(e, args->from + args->n - 1);
    if (!code_find_target(&e->a, l->linker, first, last, &l->at)) asm_jump(&e->a, &l->at);
    asm_bind(&e->a, &l->back);
}

static void load_callee(Emit *e, const Node *n, const Args *args) {
    switch (n->call->kind) {
    case CALL_KNOWN: asm_const(&e->a, R_CALLEE, (int64_t)(uintptr_t)n->call->method); return;
    case CALL_VTABLE: load_from_vtable(e, n, args); return;
    case CALL_INTERFACE: choose(e, n, args); return;
    case CALL_LINK: find_target(e, n, args); return;
    }
}

/* The method calls its own code directly: if it is thrown away, frames of it do not get here any more. */
static void call_callee(Emit *e, const Node *n, const Args *args) {
    const OptScope *s = n->state->scope;
    Mem to = emit_place(e, args->to);
    asm_address(&e->a, R_ARGS, to);
    if (s->number) asm_address(&e->a, R_FRAME, in_frame(s, 0));
    if (n->call->kind == CALL_KNOWN && n->call->method == e->o->root && !e->o->is_loop) asm_call(&e->a, &e->entry);
    else asm_call_mem(&e->a, mem_at(R_CALLEE, offsetof(Method, entry)));
    asm_address(&e->a, R_FRAME, mem_at(R_FRAME, -to.disp));
    e->calls = true;
}

static void take_result(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    if (n->type == OT_NONE) return;
    if (opt_is_fp(n->type)) asm_fmov(&e->a, opt_width(n->type), emit_fout(e, r), F_0);
    else asm_mov(&e->a, W64, emit_out(e, r), R_AX);
}

/* The arguments and all frames are in memory. */
static void call_method(Emit *e, Ref r, const Args *args) {
    const Node *n = opt_node(e->o, r);
    load_callee(e, n, args);
    call_callee(e, n, args);
    Later *l = emit_later(e, n->call->catches ? LATER_CATCH : LATER_LEAVE, n->state);
    l->info = exit_info(EXIT_AFTER, n->call->bytes, n->call->n_args, n->call->pushed);
    l->with_result = !n->call->pushed ? RESULT_NONE : n->call->fp ? RESULT_FP : RESULT_CELL;
    note_arguments(l, args);
    test_leave(e, n->state->scope, &l->at);
    emit_stress(e, &l->at);
    asm_bind(&e->a, &l->back);
    take_result(e, r);
}

void emit_caught(Emit *e, Ref r) {
    Mem from = thread_mem(offsetof(Thread, caught));
    asm_load(&e->a, MEM_64, emit_out(e, r), from);
    asm_store_const(&e->a, MEM_64, from, 0);
}

/* --- C functions that look at no frame --- */

/* The root's is what profilers see while C code runs; frames of bodies that are there find it as it was. */
static void write_root_position(Emit *e, const State *s) {
    const OptScope *x = s->scope;
    if (!x->number) return write_position(e, x, s->bci, s->depth);
    while (x->outer->number) x = x->outer;
    write_position(e, x->outer, x->call_bci, x->call_depth);
}

/* What os_ticks_nanos does while a rate holds (os/os_ticks.h).  The counter is most of it. */
static bool clock_in_code(Emit *e, const Node *n, Label *late) {
#ifdef CPU_TICKS_CLOCK
    Asm *a = &e->a;
    if (n->call->fn != (const void *)perf_counter || !vm_options.fast_stamps) return false;
    asm_const(a, R_SI, (int64_t)(uintptr_t)&os_ticks_rate);
    asm_load(a, MEM_64, R_SI, mem_at(R_SI, 0));
    asm_ticks(a, R_DI);
    asm_alu(a, ALU_SUB, W64, R_DI, R_DI, op_mem(mem_at(R_SI, offsetof(TicksRate, from))));
    asm_cmp_mem(a, MEM_64, mem_at(R_SI, offsetof(TicksRate, most)), op_reg(R_DI));
    asm_branch(a, COND_BELOW_EQ, late);
    asm_shift(a, SHIFT_LEFT, W64, R_DI, R_DI, op_imm(32));
    asm_load(a, MEM_64, R_CX, mem_at(R_SI, offsetof(TicksRate, speed)));
    asm_mul_high(a, false, R_DI, R_DI, R_CX);
    asm_alu(a, ALU_ADD, W64, R_DI, R_DI, op_mem(mem_at(R_SI, offsetof(TicksRate, nanos))));
    asm_store(a, MEM_64, thread_mem(offsetof(Thread, leaf_result)), R_DI);
    return true;
#else
    return false;
#endif
}

static void quick_call(Emit *e, Ref r);

void emit_quick(Emit *e, Ref r) {
    Label late = LABEL_INIT, done = LABEL_INIT;
    u4 first = e->a.n_fixups;
    bool in_code = clock_in_code(e, opt_node(e->o, r), &late);
    if (in_code) asm_jump(&e->a, &done);
    if (in_code) asm_bind(&e->a, &late);
    quick_call(e, r);
    if (!in_code) return;
    asm_bind(&e->a, &done);
    asm_settle(&e->a, first);
}

/* Arguments lie where those of calls would, above all that the frame has. */
static void quick_call(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    const State *s = n->state;
    u4 to = e->b.n_locals + e->o->max_cells + e->b.n_extra, n_args = n->call->n_args;
    for (u4 i = 0; i < n->call->method->arg_slots; i++) {
        Ref v = s->cells[s->n_locals + s->n_stack - n_args + i];
        if (v)
            mover_add(&e->mover, (Loc){.kind = LOC_CELL, .n = to + i}, opt_where(&e->b, v, n->pos),
                      opt_width(opt_node(e->o, v)->type) == W32);
    }
    mover_run(&e->mover);
    write_root_position(e, s);
    asm_address(&e->a, R_SI, emit_place(e, to));
    asm_address(&e->a, R_DX, thread_mem(offsetof(Thread, leaf_result)));
    asm_store(&e->a, MEM_64, thread_mem(offsetof(Thread, frame)), R_FRAME);
    asm_mov(&e->a, W64, R_DI, R_THREAD);
    emit_call_stub(e, jit_leaf_stub, n->call->fn);
    Reg d = emit_out(e, r);
    asm_mov(&e->a, W32, d, R_AX);
    asm_alu(&e->a, ALU_AND, W32, d, d, op_imm(1)); /* a bool */
}

void emit_quick_result(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Mem from = thread_mem(offsetof(Thread, leaf_result));
    if (opt_is_fp(n->type)) asm_fload(&e->a, opt_width(n->type), emit_fout(e, r), from);
    else asm_load(&e->a, n->type == OT_INT ? MEM_32 : MEM_64, emit_out(e, r), from);
}

void emit_call(Emit *e, Ref r) {
    const Node *n = opt_node(e->o, r);
    Args args = write_arguments(e, r);
    write_where(e, n->state, args.stop, args.n_passed);
    call_method(e, r, &args);
}

/* --- in front of loops --- */

static void write_early_position(Emit *e, CellContent x) {
    int32_t value = (int32_t)CONTENT_BCI(x) | (int32_t)CONTENT_DEPTH(x) << FRAME_DEPTH_SHIFT;
    asm_store_const(&e->a, MEM_64, frame_mem(offsetof(Frame, position)), value);
}

void emit_early(Emit *e, BlockRef r) {
    const EarlyWrite *all = e->b.spans[r].early;
    if (!all) return;
    u4 pos = e->b.spans[opt_block(e->o, r)->succs[0]].from;
    for (const EarlyWrite *w = all; w; w = w->next)
        if (w->content < CONTENT_POSITION)
            mover_add(&e->mover, (Loc){.kind = LOC_CELL, .n = w->place}, opt_where(&e->b, w->content, pos),
                      opt_width(opt_node(e->o, w->content)->type) == W32);
    mover_run(&e->mover);
    for (const EarlyWrite *w = all; w; w = w->next)
        if (w->content >= CONTENT_POSITION) write_early_position(e, w->content);
}

/* --- behind the rest --- */

static void write_window(Emit *e, Later *l) {
    Mem asked = thread_mem(offsetof(Thread, asked));
    asm_bind(&e->a, &l->window);
    if (l->bytes) {
        asm_store_const(&e->a, MEM_64, asked, (int32_t)l->bytes);
    } else {
        asm_alu(&e->a, ALU_SUB, W64, l->end, l->end, op_reg(l->result));
        asm_store(&e->a, MEM_64, asked, l->end);
    }
    emit_call_stub(e, jit_window_stub, NULL);
    asm_branch(&e->a, COND_NE, &l->retry);
    asm_jump(&e->a, &l->at);
}

static void write_help(Emit *e, Later *l) {
    call_by_record(e, jit_help_record_stub, l->record);
    asm_jump(&e->a, &l->back);
    if (l->has_window) write_window(e, l);
}

/* That neither stops nor throws: nothing is stored, the stub keeps all registers. */
static void write_type(Emit *e, Later *l) {
    Reg k = l->end;
    if (l->exit && l->klass && opt_compares_type(l->klass) == TYPE_INTERFACE) {
        asm_load(&e->a, MEM_32, ASM_SCRATCH, mem_at(l->about, offsetof(Object, klass)));
        emit_test_key(e, ASM_SCRATCH, l->klass);
        asm_branch(&e->a, COND_EQ, &l->exit->at);
    }
    if (l->klass) {
        asm_const(&e->a, k = ASM_SCRATCH, (int64_t)(uintptr_t)l->klass);
    } else { /* a component, of which the display was asked */
        asm_load(&e->a, MEM_32, ASM_SCRATCH, mem_at(l->about, offsetof(Object, klass)));
        asm_cmp_mem(&e->a, MEM_64, mem_at(ASM_SCRATCH, offsetof(Class, last_super_hit)), op_reg(k));
        asm_branch(&e->a, COND_EQ, &l->back);
    }
    asm_store(&e->a, MEM_64, thread_mem(offsetof(Thread, leaf_result)), l->about);
    asm_store(&e->a, MEM_64, thread_mem(offsetof(Thread, asked)), k);
    emit_call_stub(e, jit_subtype_stub, NULL);
    if (l->exit) asm_branch(&e->a, COND_EQ, &l->exit->at);
    else if (l->same) asm_branch(&e->a, COND_NE, l->same);
    else asm_set(&e->a, COND_NE, l->result);
    asm_jump(&e->a, &l->back);
}

static void leave_behind_call(Emit *e, const Later *l) {
    put_arguments(e, l);
    asm_const(&e->a, R_SI, l->info);
    if (l->with_result == RESULT_CELL) asm_mov(&e->a, W64, R_DX, R_AX);
    else if (l->with_result == RESULT_FP) asm_float_to_bits(&e->a, W64, R_DX, F_0);
    leave_by_stub(e, l->state->scope);
}

static void write_leave(Emit *e, const Later *l) {
    go_on_unless_told(e, l);
    leave_behind_call(e, l);
}

/* Nobody reads the call's result if there is an exception; else it stays where it is. */
static void write_catch(Emit *e, const Later *l) {
    Asm *a = &e->a;
    const OptScope *s = l->state->scope;
    Label leave = LABEL_INIT;
    go_on_unless_told(e, l);
    u4 first = a->n_fixups;
    asm_test_mem(a, MEM_32, in_frame(s, offsetof(Frame, flags)), FRAME_EXCEPTION);
    asm_branch(a, COND_EQ, &leave);
    if (s->number) asm_address(a, R_SI, in_frame(s, 0));
    emit_call_stub(e, s->number ? jit_help_inlined_stub : jit_help_stub, jit_h_catch);
    asm_test(a, W64, R_AX, op_reg(R_AX));
    asm_branch(a, COND_EQ, &leave);
    asm_store(a, MEM_64, thread_mem(offsetof(Thread, caught)), R_AX);
    asm_jump(a, (Label *)&l->back);
    asm_bind(a, &leave);
    leave_behind_call(e, l);
    asm_settle(a, first);
}

/* R_CALLEE is whom the helper chooses, with its arguments in rdx and rcx. */
static void ask_helper(Emit *e, Later *l, const void *helper) {
    const OptScope *s = l->state->scope;
    Label redo = LABEL_INIT;
    u4 first = e->a.n_fixups;
    if (s->number) asm_address(&e->a, R_SI, in_frame(s, 0));
    emit_call_stub(e, s->number ? jit_help_inlined_stub : jit_help_stub, helper);
    test_flags(e, s, &redo);
    asm_mov(&e->a, W64, R_CALLEE, R_AX);
    if (l->n_passed) write_position(e, s, l->state->bci, l->state->depth - l->n_passed);
    asm_jump(&e->a, &l->back);
    asm_bind(&e->a, &redo);
    asm_const(&e->a, R_SI, l->info);
    leave_by_stub(e, s);
    asm_settle(&e->a, first);
}

static void write_link(Emit *e, Later *l) {
    show_caller(e, l);
    asm_const(&e->a, R_DX, l->linker);
    asm_address(&e->a, R_CX, emit_place(e, l->receiver));
    ask_helper(e, l, jit_h_link);
}

/* The helper finds the target and fills the caches. */
static void write_select(Emit *e, Later *l) {
    show_caller(e, l);
    asm_const(&e->a, R_DX, (int64_t)(uintptr_t)l->site);
    asm_load(&e->a, MEM_64, R_CX, emit_place(e, l->receiver));
    ask_helper(e, l, jit_h_select);
}

static void write_choose(Emit *e, Later *l) {
    Asm *a = &e->a;
    Label other = LABEL_INIT, helper = LABEL_INIT;
    u4 first = a->n_fixups;
    asm_cmp_mem(a, MEM_32, mem_at(R_DX, offsetof(SiteCache, second)), op_reg(R_AX));
    asm_branch(a, COND_NE, &other);
    asm_load(a, MEM_64, R_CALLEE, mem_at(R_DX, offsetof(SiteCache, second_target)));
    asm_jump(a, &l->back);
    asm_bind(a, &other);
    asm_cmp_mem(a, MEM_32, mem_at(R_DX, offsetof(SiteCache, second)), op_imm(0));
    asm_branch(a, COND_EQ, &helper); /* which fills it */
    look_into_cache(e, l->site->imethod, &helper);
    asm_jump(a, &l->back);
    asm_bind(a, &helper);
    write_select(e, l);
    asm_settle(a, first);
}

/* If the code is to be made anew all frames leave behind the call. */
static void write_look(Emit *e, Later *l) {
    Asm *a = &e->a;
    asm_store(a, MEM_64, thread_mem(offsetof(Thread, leaf_result)), l->about);
    asm_store(a, MEM_64, thread_mem(offsetof(Thread, asked)), ASM_SCRATCH);
    emit_call_stub(e, jit_look_stub, NULL);
    asm_branch(a, COND_EQ, &l->back);
    if (l->state->scope->number) write_frames(e, l->state, l->n_passed);
    for (const OptScope *s = l->state->scope; s->number; s = s->outer)
        asm_alu_mem(a, ALU_OR, W32, in_frame(s, offsetof(Frame, flags)), op_imm(FRAME_DEOPT));
    asm_jump(a, &l->back);
}

void emit_write_later(Emit *e) {
    for (Later *l = e->later; l; l = l->next) {
        if (l->kind == LATER_TYPE && l->final) continue;
        if (l->state) emit_note_place(e, l->state);
        asm_bind(&e->a, &l->at);
        switch (l->kind) {
        case LATER_EXIT: call_by_record(e, jit_exit_record_stub, l->record); break;
        case LATER_HELP: write_help(e, l); break;
        case LATER_TYPE: write_type(e, l); break;
        case LATER_LEAVE: write_leave(e, l); break;
        case LATER_CATCH: write_catch(e, l); break;
        case LATER_CHOOSE: write_choose(e, l); break;
        case LATER_SELECT: write_select(e, l); break;
        case LATER_LINK: write_link(e, l); break;
        case LATER_LOOK: write_look(e, l); break;
        }
    }
}
