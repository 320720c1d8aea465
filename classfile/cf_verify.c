/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_verify.c - verification by type checking (JVMS 4.10.1).
 *
 * THEORY. A method is checked in one pass from pc 0 upwards. The current frame starts from the
 * descriptor. At an instruction with a declared frame (StackMapTable) the current frame, if
 * control can arrive from above, must be assignable to it, and the declared one becomes current.
 * Then
 *   1. for each handler covering the instruction, the incoming locals with the caught type on the
 *      stack must match the frame declared at the handler;
 *   2. cf_step (strict) checks and applies the instruction;
 *   3. the resulting frame must match the frame declared at each branch target;
 *   4. behind goto, return, athrow and switches no control arrives: there must be a declared frame.
 * Frames are never merged, nothing is iterated: time is linear in code and frames. It is the data-flow engine
 * (cf_dataflow.h) that makes the pass, with declared states.
 *
 * Step 1 is repeated only when locals may have changed since the instruction before, or a
 * handler's range begins: equal locals give equal answers. A constructor call (which rewrites
 * locals while the handler may see both states) is checked on both sides.
 *
 * Handlers make it more than linear: each change of locals is checked against each of them. So the
 * work is counted, and a method that takes more than WORK_PER_BYTE times its size is refused; no
 * method of a compiler comes near: of 265,000 methods the most seen is 49 (clojure.core__init.load).
 *
 * All declared frames are expanded first, into the scratch arena. Classes are asked about in the
 * order of execution of these steps, so a VM loads them in an order close to the reference's.
 *
 * Verification of files before version 50 by type inference is not here (see classfile.h).
 */
#include "cf_verify_int.h"

enum {
    SCRATCH_LIMIT = 256 << 20, /* real methods need a thousandth of it */
    WORK_PER_BYTE = 10000      /* 64 KB: a fraction of a second */
};

__attribute__((format(printf, 4, 5))) static CfErrCode fail_at(CfVerifier *v, uint32_t pc, CfWhy why, const char *fmt, ...) {
    CfFlowError *e = &v->flow.error;
    if (v->types->load_failed) why = CF_WHY_LOAD;
    else if (v->types->nomem) why = CF_WHY_NOMEM;
    if (why != CF_WHY_NONE) /* NONE: the comparison that failed has said why */
        e->why = why;
    CF_PRINT_ARGS(e->message, fmt);
    return cf_verify_report(v, pc);
}

/* ------------------------------------------------------------------------ the bound of time */

static uint64_t work_limit(const CfVerifier *v) {
    const CfAttr *maps = cf_attr(&v->code.attrs, CF_ATTR_STACK_MAP_TABLE);
    uint64_t handlers = v->code.handlers.count * (uint64_t)8;
    return WORK_PER_BYTE * (v->code.code_len + handlers + (maps ? maps->len : 0));
}

static CfErrCode too_much(CfVerifier *v, uint32_t pc) {
    return fail_at(v, pc, CF_WHY_CODE, "Verification takes more than %d steps per byte of the method", WORK_PER_BYTE);
}

static CfErrCode spend(CfVerifier *v, uint32_t pc, uint64_t work) {
    v->g.work += work;
    return v->g.work <= v->g.most ? CF_OK : too_much(v, pc);
}

static uint64_t size_of_frame(const CfFrame *fr) { return (uint64_t)fr->nlocals + fr->depth; }

/* What cf_step does not do in constant time: arguments, and copies of a new object. */
static uint64_t work_of_insn(const CfVerifier *v, const CfInsn *i) {
    if (i->op == CF_OP_NEW) return size_of_frame(&v->cur);
    if (i->op == CF_OP_INVOKESPECIAL) return size_of_frame(&v->cur) + v->c->interface_count;
    return cf_op_info[i->op].flags & CF_OF_INVOKE ? v->cur.depth : 0;
}

/* ------------------------------------------------------------------------ preparations */

/* The reference rewrites code into opcodes of its own. It knows them in class files too, as far as
 * their length: such an instruction is refused only when the pass arrives there, not here. Lengths
 * by opcode from 202 (breakpoint) on; 0: laid out like lookupswitch. */
static const uint8_t foreign_lengths[] = {1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, /* breakpoint, fields */
                                          1, 4, 4, 4, 2, 4, 3, 3, 0, 0, 2, 3, 1, 3, 3, 3, 1, 2, 1};

static uint32_t foreign_length(const uint8_t *code, uint32_t n, uint32_t pc) {
    enum { FIRST = 0xca };
    unsigned op = code[pc];
    if (op < FIRST || op - FIRST >= sizeof foreign_lengths) return 0;
    uint64_t len = foreign_lengths[op - FIRST], table = (pc + 4) & ~3u;
    if (len == 0 && table + 8 < n && cf_get_s4(code + table + 4) >= 0)
        len = table - pc + 8 + 8 * (uint64_t)cf_get_u4(code + table + 4);
    return pc + len <= n ? (uint32_t)len : 0;
}

static uint32_t length_at(const CfVerifier *v, uint32_t pc) {
    uint32_t len = cf_insn_length(v->code.code, v->code.code_len, pc);
    return len ? len : foreign_length(v->code.code, v->code.code_len, pc);
}

static CfErrCode find_starts(CfVerifier *v) {
    uint32_t n = v->code.code_len;
    for (uint32_t pc = 0; pc < n;) {
        uint32_t len = cf_op_info[v->code.code[pc]].length;
        if (len == 0 || len > n - pc) len = length_at(v, pc);
        if (len == 0) return fail_at(v, pc, CF_WHY_CODE, "Bad instruction");
        v->g.marks[pc] = CF_AT_INSN;
        pc += len;
    }
    return CF_OK;
}

static bool is_start(const CfVerifier *v, uint32_t pc) { return pc < v->code.code_len && v->g.marks[pc] & CF_AT_INSN; }

static CfErrCode check_handler_table(CfVerifier *v) {
    uint32_t n = v->code.code_len;
    v->g.rows_from = n;
    for (uint32_t i = 0; i < v->code.handlers.count; i++) {
        CfHandler h = cf_handler(&v->code.handlers, i);
        if (!is_start(v, h.start)) return cf_verify_format_error(v, "Illegal exception table start_pc %d", h.start);
        if (h.end != n && !is_start(v, h.end)) return cf_verify_format_error(v, "Illegal exception table end_pc %d", h.end);
        if (!is_start(v, h.handler)) return cf_verify_format_error(v, "Illegal exception table handler_pc %d", h.handler);
        v->g.marks[h.start] |= CF_AT_ROW;
        if (h.start < v->g.rows_from) v->g.rows_from = h.start;
        if (h.end > v->g.rows_to) v->g.rows_to = h.end;
        if (h.type == 0) continue;
        CfType t = cf_type_const(v->types, h.type);
        if (!cf_type_assignable(v->types, t, cf_type_fixed(v->types, CF_FIXED_THROWABLE))) {
            v->flow.error.found = (CfTypeAt){t, CF_FROM_POOL, h.type};
            v->flow.error.expected = (CfTypeAt){cf_type_fixed(v->types, CF_FIXED_THROWABLE), CF_FROM_IMPLICIT, 0};
            return fail_at(v, h.handler, CF_WHY_TYPE, "Catch type is not a subclass of Throwable in exception handler %d",
                           h.handler);
        }
    }
    return CF_OK;
}

static CfErrCode check_local_variable_tables(CfVerifier *v) {
    uint32_t n = v->code.code_len;
    for (unsigned i = 0; i < v->code.attrs.count; i++) {
        CfRows t;
        if (v->code.attrs.v[i].kind != CF_ATTR_LOCAL_VARIABLE_TABLE || cf_local_vars(&v->code.attrs.v[i], &t, NULL) != CF_OK)
            continue;
        for (uint32_t k = 0; k < t.count; k++) {
            CfLocalVar var = cf_local_var(&t, k);
            uint32_t end = (uint32_t)var.start + var.length;
            if (!is_start(v, var.start)) return cf_verify_format_error(v, "Illegal local variable table start_pc %d", var.start);
            if (end != n && !is_start(v, end))
                return cf_verify_format_error(v, "Illegal local variable table length %d", var.length);
        }
    }
    return CF_OK;
}

/* Keeps a declared frame in as little memory as it needs: locals that did not grow are shared with
 * the frame before, so that a hostile file cannot multiply max_locals by its number of frames
 * (what remains is bounded by the arena's limit). */
static bool keep_map(CfArena *a, MapEntry *e, const CfFrame *fr, const MapEntry *prev, const CfMapFrame *map) {
    bool share = prev && map->chop_append <= 0;
    size_t nl = share ? 0 : fr->nlocals;
    CfType *p = cf_arena_alloc(a, (nl + fr->depth) * sizeof *p);
    if (!p) return false;
    e->pc = map->pc;
    e->frame = *fr;
    e->frame.locals = share ? prev->frame.locals : p;
    e->frame.stack = p + nl;
    memcpy(p, fr->locals, nl * sizeof *p);
    memcpy(e->frame.stack, fr->stack, fr->depth * sizeof *p);
    return true;
}

static CfErrCode bad_map_format(CfVerifier *v, const char *why) {
    if (v->types->nomem || v->flow.error.why == CF_WHY_NOMEM) return cf_fail(v->err, CF_ERR_NOMEM, -1, "verification");
    /* The reference names the method for these two only. */
    if (strncmp(why, "bad offset", 10) == 0 || strncmp(why, "bad type array", 14) == 0)
        return cf_verify_format_error(v, "StackMapTable format error: %s", why);
    return cf_fail(v->err, CF_ERR_FORMAT, -1, "StackMapTable format error: %s", why);
}

/* Expands the declared frames, each from the one before. */
static CfErrCode expand_maps(CfVerifier *v) {
    CfArena *scratch = v->scratch;
    CfMapIter it;
    CfMapFrame map;
    int rc;
    if (cf_map_start(cf_attr(&v->code.attrs, CF_ATTR_STACK_MAP_TABLE), &it, NULL) != CF_OK)
        return bad_map_format(v, "access beyond the end of attribute");
    /* Every frame takes a byte at least: no room for more than that. */
    size_t room = it.count < (size_t)(it.end - it.p) ? it.count : (size_t)(it.end - it.p);
    v->maps = cf_arena_alloc(scratch, room * sizeof *v->maps);
    v->g.pcs = cf_arena_alloc(scratch, room * sizeof *v->g.pcs);
    if (!v->maps || !v->g.pcs) return cf_fail(v->err, CF_ERR_NOMEM, -1, "stack maps");
    cf_frame_copy(&v->flow, &v->tmp, &v->cur);
    while ((rc = cf_map_next(&it, &map)) > 0) {
        MapEntry *e = &v->maps[v->g.n];
        if (!cf_frame_from_map(&v->flow, &v->tmp, &map)) return bad_map_format(v, v->flow.error.message);
        CF_TRY(spend(v, 0, size_of_frame(&v->tmp)));
        if (!keep_map(scratch, e, &v->tmp, v->g.n ? e - 1 : NULL, &map)) return cf_fail(v->err, CF_ERR_NOMEM, -1, "stack maps");
        v->g.pcs[v->g.n++] = map.pc;
        if (!is_start(v, map.pc)) {
            v->map_frame = &e->frame;
            v->map_pc = map.pc;
            return fail_at(v, 0, CF_WHY_BAD_MAP, "StackMapTable error: bad offset");
        }
        v->g.marks[map.pc] |= CF_AT_NODE;
    }
    return rc < 0 ? bad_map_format(v, it.why) : CF_OK;
}

/* ------------------------------------------------------------------------ matching */

/* `fr` against the frame declared at `node`; on failure flow.error and map_frame tell why. */
static bool matches(CfVerifier *v, const CfFrame *fr, uint32_t node) {
    const MapEntry *e = &v->maps[node];
    v->map_frame = &e->frame;
    v->map_pc = e->pc;
    v->g.work += size_of_frame(&e->frame);
    return cf_frame_matches(&v->flow, fr, &e->frame);
}

static CfErrCode handler_fails(CfVerifier *v, uint32_t row) {
    return fail_at(v, v->g.pc, CF_WHY_NONE, "Stack map does not match the one at exception handler %d",
                   cf_handler(&v->code.handlers, row).handler);
}

/* What the handler of the row sees of the current frame, to tmp. */
static CfErrCode make_handler_frame(CfVerifier *v, uint32_t row) {
    v->g.work += v->cur.nlocals;
    if (!cf_frame_handler(&v->flow, &v->tmp, &v->cur, cf_handler(&v->code.handlers, row).type)) return handler_fails(v, row);
    v->tmp.this_uninit = v->tmp.this_uninit || (v->g.stepped && v->flow.this_was_init);
    v->shown = &v->tmp;
    return CF_OK;
}

static CfErrCode check_handler(CfVerifier *v, uint32_t node, uint32_t row) {
    CF_TRY(make_handler_frame(v, row));
    if (!matches(v, &v->tmp, node)) return handler_fails(v, row);
    v->shown = NULL;
    return CF_OK;
}

static CfErrCode check_target(CfVerifier *v, uint32_t node) {
    if (matches(v, &v->cur, node)) return CF_OK;
    v->cur.depth = v->depth_before;
    return fail_at(v, v->g.pc, CF_WHY_NONE, "Inconsistent stackmap frames at branch target %d", v->g.pcs[node]);
}

static CfErrCode no_frame(CfVerifier *v, int64_t target, uint32_t via) {
    enum { MAX_CODE = 65535 };
    int64_t offset = target - (int64_t)v->g.pc;
    if (cf_by_row(via)) CF_TRY(make_handler_frame(v, via));
    else if (offset > MAX_CODE || offset < -MAX_CODE)
        return fail_at(v, v->g.pc, CF_WHY_BAD_MAP, "Illegal target of jump or branch (bci %u + offset %d)", v->g.pc,
                       (int32_t)offset);
    return fail_at(v, v->g.pc, CF_WHY_MISSING_MAP, "Expecting a stackmap frame at branch target %d", (int32_t)target);
}

/* ------------------------------------------------------------------------ special rules */

/* 4.10.1.9.lookupswitch; padding must be zero before version 51. */
static CfErrCode check_switch(CfVerifier *v, const CfInsn *i) {
    if (v->c->major < 51)
        for (uint32_t p = i->pc + 1; p & 3; p++)
            if (v->code.code[p]) return fail_at(v, i->pc, CF_WHY_CODE, "Nonzero padding byte in lookupswitch or tableswitch");
    if (i->op == CF_OP_LOOKUPSWITCH)
        for (uint32_t k = 1; k < i->cases; k++)
            if (cf_switch_key(i, k - 1) >= cf_switch_key(i, k))
                return fail_at(v, i->pc, CF_WHY_CODE, "Bad lookupswitch instruction");
    return CF_OK;
}

/* Does every path from `pc` (exception edges aside) end in athrow? Paths that loop for ever do. */
static bool ends_in_athrow(CfVerifier *v, uint32_t pc, CfArena *scratch) {
    uint32_t n = v->code.code_len, depth = 0;
    uint8_t *seen = cf_arena_calloc(scratch, n, 1);
    uint32_t *todo = cf_arena_alloc(scratch, n * sizeof *todo);
    if (!seen || !todo) return false;
    todo[depth++] = pc;
    seen[pc] = 1;
#define VISIT(t) \
    do { \
        int64_t t_ = (t); \
        if (t_ < 0 || t_ >= n) return false; \
        if (!seen[t_]) { \
            seen[t_] = 1; \
            todo[depth++] = (uint32_t)t_; \
        } \
    } while (0)
    while (depth) {
        CfInsn i;
        if (!cf_insn(v->code.code, n, todo[--depth], &i)) return false;
        unsigned flags = cf_op_info[i.op].flags;
        if (flags & CF_OF_RETURN) return false;
        if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) VISIT(i.target);
        for (uint32_t k = 0; k < i.cases; k++) VISIT(cf_switch_target(&i, k));
        if (!(flags & CF_OF_END)) VISIT((int64_t)i.pc + i.len);
    }
#undef VISIT
    return true;
}

/* super(...) or this(...) in a range with handlers: no handler may let the constructor return
 * normally. */
static CfErrCode check_init_in_try(CfVerifier *v, uint32_t pc) {
    for (uint32_t k = 0; k < v->code.handlers.count; k++) {
        CfHandler h = cf_handler(&v->code.handlers, k);
        if (pc < h.start || pc >= h.end) continue;
        CF_TRY(spend(v, pc, v->code.code_len));
        if (!ends_in_athrow(v, h.handler, v->scratch)) return fail_at(v, pc, CF_WHY_CODE, "Bad <init> method call");
    }
    return CF_OK;
}

/* ------------------------------------------------------------------------ the pass */

static int told(CfVerifier *v, CfErrCode rc) {
    v->rc = rc;
    return rc == CF_OK ? 0 : -1;
}

static inline int meet(void *ctx, uint32_t node, uint32_t via) {
    CfVerifier *v = ctx;
    if (via == CF_BY_JUMP) return told(v, check_target(v, node));
    if (via != CF_BY_FALL) return told(v, check_handler(v, node, via));
    return matches(v, &v->cur, node)
               ? 0
               : told(v, fail_at(v, v->g.pcs[node], CF_WHY_NONE, "Instruction type does not match stack map"));
}

static inline void load(void *ctx, uint32_t node) {
    CfVerifier *v = ctx;
    cf_frame_copy(&v->flow, &v->cur, &v->maps[node].frame);
}

static inline int step(void *ctx, const CfInsn *i) {
    CfVerifier *v = ctx;
    uint32_t flags = cf_op_info[i->op].flags;
    v->g.work += work_of_insn(v, i);
    v->flow.this_was_init = false;
    v->depth_before = v->cur.depth;
    if (!cf_step(&v->flow, i, &v->cur)) {
        v->cur.depth = v->depth_before;
        return told(v, cf_verify_report(v, i->pc));
    }
    if (v->flow.this_was_init && told(v, check_init_in_try(v, i->pc)) < 0) return -1;
    if (flags & CF_OF_SWITCH) return told(v, check_switch(v, i));
    if (i->op == CF_OP_INVOKESPECIAL) return CF_STEP_LOCALS | CF_STEP_BOTH;
    return flags & CF_OF_STORE || i->op == CF_OP_NEW ? CF_STEP_LOCALS : 0;
}

static int stuck(void *ctx, CfStuck why, int64_t at, uint32_t via) {
    CfVerifier *v = ctx;
    uint32_t pc = (uint32_t)at;
    switch (why) {
    case CF_STUCK_WORK: return told(v, too_much(v, pc));
    case CF_STUCK_INSN: return told(v, fail_at(v, pc, CF_WHY_CODE, "Bad instruction: %02x", v->code.code[pc]));
    case CF_STUCK_TARGET: return told(v, no_frame(v, at, via));
    case CF_STUCK_END: return told(v, fail_at(v, pc, CF_WHY_CODE, "Control flow falls through code end"));
    case CF_STUCK_GAP: return told(v, fail_at(v, pc, CF_WHY_CODE, "Expecting a stack map frame"));
    }
    return -1;
}

static void no_subroutine(void *ctx, const CfInsn *jsr) { (void)ctx, (void)jsr; /* step has refused it */ }

static CfErrCode run(CfVerifier *v) {
    static const CfFlowOps ops = {.meet = meet, .load = load, .step = step, .returned = no_subroutine, .stuck = stuck};
    v->g.flags = cf_arena_alloc(v->scratch, v->g.n);
    if (!v->g.flags || !cf_graph_number(&v->g, v->scratch)) return cf_fail(v->err, CF_ERR_NOMEM, -1, "stack maps");
    memset(v->g.flags, CF_NODE_REACHED | CF_NODE_DIRTY, v->g.n);
    cf_flow_run(&v->g, &ops, v, true);
    return v->rc;
}

static CfErrCode verify_code(CfVerifier *v) {
    if (!cf_flow_init(&v->flow, v->types, v->m, &v->code, true))
        return cf_fail(v->err, v->types->nomem ? CF_ERR_NOMEM : CF_ERR_FORMAT, -1,
                       "Arguments can't fit into locals in class file %.*s", CF_STR_ARGS(v->c->name));
    v->flow.arena = v->scratch;
    v->g = (CfGraph){.code = &v->code, .most = work_limit(v)};
    v->g.marks = cf_arena_calloc(v->scratch, v->code.code_len, 1);
    if (!v->g.marks || !cf_frame_init(&v->flow, &v->cur) || !cf_frame_init(&v->flow, &v->tmp) ||
        !cf_frame_entry(&v->flow, &v->cur))
        return cf_fail(v->err, CF_ERR_NOMEM, -1, "verification");
    CF_TRY(find_starts(v));
    CF_TRY(check_handler_table(v));
    CF_TRY(check_local_variable_tables(v));
    CF_TRY(expand_maps(v));
    return run(v);
}

/* `code`: as it was read before, or NULL. */
static CfErrCode verify_method(CfTypes *t, const CfMember *m, const CfCode *code, const CfVerifyOptions *opt, CfArena *scratch,
                               CfError *err) {
    CfVerifier v = {.c = t->cls, .m = m, .opt = opt, .err = err, .types = t, .scratch = scratch};
    CfErrCode rc = CF_OK;
    if (code) v.code = *code;
    else rc = cf_code(t->cls, m, scratch, &v.code, err);
    if (rc == CF_OK && v.code.code) rc = verify_code(&v);
    if (rc != CF_OK)
        cf_fail_where(err, "method %.*s%.*s", CF_STR_ARGS(cf_utf8(t->cls, m->name)), CF_STR_ARGS(cf_utf8(t->cls, m->desc)));
    return rc;
}

static CfErrCode refuse_old(const CfClass *c, CfError *err) {
    return cf_fail(err, CF_ERR_USAGE, -1, "class file version %u is verified by type inference", c->major);
}

CfErrCode cf_verify_method(const CfClass *c, const CfMember *m, const CfHierarchy *h, const CfVerifyOptions *opt,
                           CfArena *scratch, CfError *err) {
    CfTypes t;
    if (c->major < 50) return refuse_old(c, err);
    cf_arena_reset(scratch);
    CfErrCode rc = cf_types_init(&t, c, scratch, h) ? verify_method(&t, m, NULL, opt, scratch, err)
                                                    : cf_fail(err, CF_ERR_NOMEM, -1, "verification");
    cf_types_free(&t);
    return rc;
}

static unsigned next_to_verify(const CfClass *c, const CfVerifyOptions *opt, unsigned i) {
    if (opt && opt->known)
        while (i < c->method_count && opt->known[i].passed) i++;
    return i;
}

CfErrCode cf_verify(const CfClass *c, const CfHierarchy *h, const CfVerifyOptions *opt, CfError *err) {
    CfArena names, scratch;
    CfTypes t;
    CfErrCode rc = CF_OK;
    unsigned i = next_to_verify(c, opt, 0);
    if (c->major < 50) return refuse_old(c, err);
    if (i == c->method_count) return CF_OK;
    cf_arena_init(&names, "verify names", 0);
    cf_arena_init(&scratch, "verify frames", 32 * 1024);
    scratch.limit = (size_t)SCRATCH_LIMIT;
    if (!cf_types_init(&t, c, &names, h)) rc = cf_fail(err, CF_ERR_NOMEM, -1, "verification");
    for (; i < c->method_count && rc == CF_OK; i = next_to_verify(c, opt, i + 1)) {
        cf_arena_reset(&scratch);
        const CfCode *code = opt && opt->known ? opt->known[i].code : NULL;
        rc = verify_method(&t, &c->methods[i], code, opt, &scratch, err);
    }
    cf_types_free(&t);
    cf_arena_free(&scratch);
    cf_arena_free(&names);
    return rc;
}
