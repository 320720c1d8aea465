/* SPDX-License-Identifier: Apache-2.0 */
/* cov_code.c - decoding, probe placement and status of instructions; theory in cov_code.h. */
#include "cov_code.h"

/* ---- decoding -------------------------------------------------------------------------- */

/* Folds the forms of one operation into one opcode, so that patterns need not know widths. */
static uint8_t fold_op(const CfInsn *i) {
    uint32_t f = cf_op_info[i->op].flags;
    if (i->op == CF_OP_GOTO_W) return CF_OP_GOTO;
    if (i->op == CF_OP_LDC_W || i->op == CF_OP_LDC2_W) return CF_OP_LDC;
    if ((f & CF_OF_LOAD) && i->op >= CF_OP_ILOAD_0 && i->op <= CF_OP_ALOAD_3)
        return (uint8_t)(CF_OP_ILOAD + (i->op - CF_OP_ILOAD_0) / 4);
    if ((f & CF_OF_STORE) && i->op >= CF_OP_ISTORE_0 && i->op <= CF_OP_ASTORE_3)
        return (uint8_t)(CF_OP_ISTORE + (i->op - CF_OP_ISTORE_0) / 4);
    return i->op;
}

typedef struct Decoder {
    CovCode *out;
    CfCode code;
    CfArena *arena;
    uint32_t *at; /* pc -> instruction number, COV_NONE inside instructions */
} Decoder;

static uint32_t insn_at(const Decoder *d, int64_t pc) { return pc >= 0 && pc <= d->code.code_len ? d->at[pc] : COV_NONE; }

static CovCodeResult number_insns(Decoder *d) {
    const CfCode *code = &d->code;
    d->at = cf_arena_alloc(d->arena, sizeof(uint32_t) * ((size_t)code->code_len + 1));
    if (!d->at) return COV_CODE_BAD;
    memset(d->at, 0xff, sizeof(uint32_t) * ((size_t)code->code_len + 1));
    uint32_t n = 0, pc = 0, len;
    for (; pc < code->code_len; pc += len) {
        len = cf_insn_length(code->code, code->code_len, pc);
        if (!len) return COV_CODE_BAD;
        d->at[pc] = n++;
    }
    d->at[code->code_len] = n;
    d->out->ninsns = n;
    d->out->insns = CF_NEW_ARRAY(d->arena, CovInsn, n ? n : 1);
    return d->out->insns ? COV_CODE_OK : COV_CODE_BAD;
}

/* Distinct targets of a switch, default first, in the order of first mention. */
static bool switch_targets(Decoder *d, const CfInsn *in, CovInsn *i, uint32_t *pool, uint32_t *used) {
    i->targets = *used;
    pool[(*used)++] = i->target;
    for (uint32_t k = 0; k < in->cases; k++) {
        uint32_t t = insn_at(d, cf_switch_target(in, k));
        if (t >= d->out->ninsns) return false;
        uint32_t j = i->targets;
        while (j < *used && pool[j] != t) j++;
        if (j == *used) pool[(*used)++] = t;
    }
    i->ntargets = *used - i->targets;
    return true;
}

static uint32_t count_switch_room(const CfCode *code) {
    uint32_t n = 0;
    CfInsn in;
    for (uint32_t pc = 0; pc < code->code_len && cf_insn(code->code, code->code_len, pc, &in); pc += in.len)
        if (cf_op_info[in.op].flags & CF_OF_SWITCH) n += in.cases + 1;
    return n;
}

static CovCodeResult decode_insns(Decoder *d) {
    CovCode *out = d->out;
    uint32_t used = 0, n = 0;
    out->targets = CF_NEW_ARRAY(d->arena, uint32_t, count_switch_room(&d->code) + 1);
    if (!out->targets) return COV_CODE_BAD;
    CfInsn in;
    for (uint32_t pc = 0; pc < d->code.code_len; pc += in.len) {
        if (!cf_insn(d->code.code, d->code.code_len, pc, &in)) return COV_CODE_BAD;
        uint32_t flags = cf_op_info[in.op].flags;
        if (flags & (CF_OF_JSR | CF_OF_RET)) return COV_CODE_JSR;
        CovInsn *i = &out->insns[n++];
        *i = (CovInsn){
            .pc = pc, .op = fold_op(&in), .index = in.index, .imm = in.imm, .line = COV_NO_LINE, .target = COV_NONE, .room = 1};
        if (flags & (CF_OF_BRANCH | CF_OF_SWITCH)) {
            i->target = insn_at(d, in.target);
            i->room = 2;
            if (i->target >= out->ninsns) return COV_CODE_BAD;
        }
        if (flags & CF_OF_SWITCH) {
            if (!switch_targets(d, &in, i, out->targets, &used)) return COV_CODE_BAD;
            i->room = i->ntargets;
        }
        i->bits = out->ntaken;
        out->ntaken += i->room;
    }
    return COV_CODE_OK;
}

static CovCodeResult decode_tries(Decoder *d) {
    CovCode *out = d->out;
    out->ntries = d->code.handlers.count;
    out->tries = CF_NEW_ARRAY(d->arena, CovTry, out->ntries + 1);
    if (!out->tries) return COV_CODE_BAD;
    for (uint32_t i = 0; i < out->ntries; i++) {
        CfHandler h = cf_handler(&d->code.handlers, i);
        CovTry t = {insn_at(d, h.start), insn_at(d, h.end), insn_at(d, h.handler), h.type};
        if (t.start >= out->ninsns || t.end > out->ninsns || t.handler >= out->ninsns) return COV_CODE_BAD;
        out->tries[i] = t;
    }
    return COV_CODE_OK;
}

/* The line of an entry holds from its instruction to the next entry's; of several entries at one
 * instruction the last one in table order wins. */
static void decode_lines(Decoder *d) {
    CovCode *out = d->out;
    for (unsigned a = 0; a < d->code.attrs.count; a++) {
        CfRows rows;
        if (d->code.attrs.v[a].kind != CF_ATTR_LINE_NUMBER_TABLE || cf_lines(&d->code.attrs.v[a], &rows, NULL) != CF_OK) continue;
        for (uint32_t r = 0; r < rows.count; r++) {
            uint16_t pc, line;
            cf_line(&rows, r, &pc, &line);
            uint32_t i = insn_at(d, pc);
            if (i < out->ninsns) {
                out->insns[i].line = line;
                out->insns[i].mark |= COV_M_LABEL;
            }
        }
    }
    int32_t line = COV_NO_LINE;
    for (uint32_t i = 0; i < out->ninsns; i++) {
        if (out->insns[i].line != COV_NO_LINE) line = out->insns[i].line;
        out->insns[i].line = line;
    }
}

/* ---- placement ------------------------------------------------------------------------- */

static bool ends_flow(const CovInsn *i) { return (cf_op_info[i->op].flags & CF_OF_END) != 0; }

static void mark_target(CovInsn *i) { i->mark |= i->mark & (COV_M_TARGET | COV_M_SUCC) ? COV_M_MULTI : COV_M_TARGET; }

static void mark_successor(CovInsn *i) { i->mark |= COV_M_SUCC | (i->mark & COV_M_TARGET ? COV_M_MULTI : 0); }

static void mark_flow(CovCode *c) {
    for (uint32_t t = 0; t < c->ntries; t++) {
        mark_target(&c->insns[c->tries[t].start]);
        mark_target(&c->insns[c->tries[t].handler]);
    }
    uint32_t line_start = COV_NONE;
    for (uint32_t n = 0; n < c->ninsns; n++) {
        CovInsn *i = &c->insns[n];
        uint32_t flags = cf_op_info[i->op].flags;
        if (n == 0) mark_target(i);
        else if (!ends_flow(i - 1)) mark_successor(i);
        if (i->mark & COV_M_LABEL) line_start = n;
        if (flags & CF_OF_SWITCH) {
            for (uint32_t k = 0; k < i->ntargets; k++) mark_target(&c->insns[c->targets[i->targets + k]]);
        } else if (flags & CF_OF_BRANCH) {
            mark_target(&c->insns[i->target]);
        } else if ((flags & CF_OF_INVOKE) && line_start != COV_NONE) {
            c->insns[line_start].mark |= COV_M_CALL_LINE;
        }
    }
}

static bool needs_fall_probe(const CovInsn *next) {
    return (next->mark & COV_M_SUCC) && (next->mark & (COV_M_MULTI | COV_M_CALL_LINE));
}

static void add_probe(CovCode *c, CovProbeKind kind, uint32_t insn, uint32_t target, uint32_t branch) {
    if (c->probes) c->probes[c->nprobes] = (CovProbe){kind, insn, target, branch};
    c->nprobes++;
}

/* Visits the probe places in code order; with c->probes NULL it only counts. */
static void place_probes(CovCode *c) {
    c->nprobes = 0;
    for (uint32_t n = 0; n < c->ninsns; n++) {
        const CovInsn *i = &c->insns[n];
        uint32_t flags = cf_op_info[i->op].flags;
        if (flags & (CF_OF_RETURN | CF_OF_THROW)) {
            add_probe(c, COV_PROBE_EXIT, n, COV_NONE, 0);
        } else if (flags & CF_OF_SWITCH) {
            for (uint32_t k = 0; k < i->ntargets; k++) {
                uint32_t t = c->targets[i->targets + k];
                if (c->insns[t].mark & COV_M_MULTI) add_probe(c, COV_PROBE_CASE, n, t, k);
            }
        } else if ((flags & CF_OF_BRANCH) && (c->insns[i->target].mark & COV_M_MULTI)) {
            add_probe(c, COV_PROBE_JUMP, n, i->target, 1);
        }
        if (!ends_flow(i) && n + 1 < c->ninsns && needs_fall_probe(i + 1)) add_probe(c, COV_PROBE_FALL, n, n + 1, 0);
    }
}

CovCodeResult cov_code(CovCode *out, const CfClass *c, const CfMember *m, CfArena *arena) {
    *out = (CovCode){.cls = c, .method = m};
    Decoder d = {.out = out, .arena = arena};
    if (cf_code(c, m, arena, &d.code, NULL) != CF_OK) return COV_CODE_BAD;
    if (!d.code.code) return COV_CODE_NONE;
    CovCodeResult rc = number_insns(&d);
    if (rc == COV_CODE_OK) rc = decode_insns(&d);
    if (rc == COV_CODE_OK) rc = decode_tries(&d);
    if (rc != COV_CODE_OK) {
        out->ninsns = out->nprobes = 0;
        return rc;
    }
    decode_lines(&d);
    mark_flow(out);
    place_probes(out);
    out->probes = CF_NEW_ARRAY(arena, CovProbe, out->nprobes + 1);
    if (!out->probes) return COV_CODE_BAD;
    place_probes(out);
    return COV_CODE_OK;
}

/* ---- status ---------------------------------------------------------------------------- */

uint32_t cov_insn_taken(const CovCode *code, const CovInsn *i) {
    uint32_t n = 0;
    for (uint32_t b = 0; b < i->room; b++) n += code->taken[i->bits + b];
    return n;
}

/* Branch `b` of `n` was taken: so was the way to `n`, and so on back to the first instruction
 * that is known already. */
static void propagate(CovCode *c, uint32_t n, uint32_t b) {
    while (n != COV_NONE) {
        CovInsn *i = &c->insns[n];
        bool known = cov_insn_taken(c, i) != 0;
        c->taken[i->bits + b] = 1;
        if (known) return;
        b = i->pred_branch;
        n = i->pred;
    }
}

/* Each passing of a probe is one of every instruction on the only way to it. (Dead code can be a ring.) */
static void add_runs(CovCode *c, uint32_t n, uint64_t times) {
    for (uint32_t steps = 0; n != COV_NONE && steps < c->ninsns; n = c->insns[n].pred, steps++) c->insns[n].runs += times;
}

/* The first instruction's runs, less the jumps back to it. */
uint64_t cov_code_calls(const CovCode *c, const uint64_t *fired) {
    uint64_t n = c->ninsns ? c->insns[0].runs : 0, back = 0;
    for (uint32_t p = 0; p < c->nprobes; p++)
        if (c->probes[p].target == 0) back += fired[p];
    return n > back ? n - back : 0;
}

static void add_flow(CovCode *c, uint32_t from, uint32_t branch, uint32_t to) {
    CovInsn *t = &c->insns[to];
    c->insns[from].branches++;
    t->pred = from;
    t->pred_branch = branch;
}

/* True if the probe list at *p has the wanted one; steps over it and gives its number. */
static bool take_probe(const CovCode *c, uint32_t *p, CovProbeKind kind, uint32_t insn, uint32_t branch) {
    const CovProbe *q = &c->probes[*p];
    if (*p >= c->nprobes || q->kind != kind || q->insn != insn || q->branch != branch) return false;
    (*p)++;
    return true;
}

void cov_code_apply(CovCode *c, const uint64_t *fired, CfArena *arena) {
    c->taken = CF_NEW_ARRAY(arena, uint8_t, c->ntaken + 1);
    if (!c->taken) return;
    for (uint32_t n = 0; n < c->ninsns; n++) {
        c->insns[n].pred = COV_NONE;
        c->insns[n].branches = 0;
        c->insns[n].runs = 0;
    }
    /* First the shape: an edge with a probe is a branch of its origin and no way into the target. */
    uint32_t p = 0;
    for (uint32_t n = 0; n < c->ninsns; n++) {
        CovInsn *i = &c->insns[n];
        uint32_t flags = cf_op_info[i->op].flags;
        if (take_probe(c, &p, COV_PROBE_EXIT, n, 0)) i->branches++;
        if (flags & CF_OF_SWITCH) {
            for (uint32_t k = 0; k < i->ntargets; k++)
                if (take_probe(c, &p, COV_PROBE_CASE, n, k)) i->branches++;
                else add_flow(c, n, k, c->targets[i->targets + k]);
        } else if (flags & CF_OF_BRANCH) {
            if (take_probe(c, &p, COV_PROBE_JUMP, n, 1)) i->branches++;
            else add_flow(c, n, 1, i->target);
        }
        if (ends_flow(i) || n + 1 >= c->ninsns) continue;
        if (take_probe(c, &p, COV_PROBE_FALL, n, 0)) i->branches++;
        else add_flow(c, n, 0, n + 1);
    }
    for (p = 0; p < c->nprobes; p++)
        if (fired[p]) {
            propagate(c, c->probes[p].insn, c->probes[p].branch);
            add_runs(c, c->probes[p].insn, fired[p]);
        }
}
