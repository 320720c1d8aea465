/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rt_flow.c - kinds of cells against declared frames, and asked for in three ways.
 *
 * A declared frame says less than the flow knows (a local that nobody reads may be missing), never something else: where it
 * names a type, that and nothing else must be what the flow has found.
 */
#include "rt_flow.h"

#include <stdlib.h>
#include <time.h>

#include "cf_kinds.h"
#include "cf_types.h"

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool wrong(const CorpusEntry *e, const CfMember *m, uint32_t pc, const char *what) {
    CfStr name = cf_utf8(e->cls, m->name), desc = cf_utf8(e->cls, m->desc);
    printf("%s: %.*s%.*s at %u: %s\n", e->path, CF_STR_ARGS(name), CF_STR_ARGS(desc), pc, what);
    return false;
}

/* ---- kinds ---- */

static bool says(CfType t, uint8_t kind) {
    switch (cf_type_kind(t)) {
    case CF_T_TOP: return true;
    case CF_T_INT: return kind == CF_K_INT;
    case CF_T_FLOAT: return kind == CF_K_FLOAT;
    case CF_T_LONG: return kind == CF_K_LONG;
    case CF_T_DOUBLE: return kind == CF_K_DOUBLE;
    case CF_T_LONG2:
    case CF_T_DOUBLE2: return kind == CF_K_HALF;
    default: return kind == CF_K_REF;
    }
}

static bool frame_agrees(const CorpusEntry *e, const CfMember *m, CfKinds *k, const CfFrame *fr, uint32_t pc) {
    if (!cf_kinds_go(k, pc)) return true; /* dead code */
    if (k->cur.depth != fr->depth) return wrong(e, m, pc, "another stack depth than declared");
    for (uint32_t i = 0; i < fr->nlocals; i++)
        if (!says(fr->locals[i], k->cur.cells[i])) return wrong(e, m, pc, "another kind of local than declared");
    for (uint32_t i = 0; i < fr->depth; i++)
        if (!says(fr->stack[i], k->cur.cells[k->nlocals + i])) return wrong(e, m, pc, "another kind on the stack than declared");
    return true;
}

static bool frames_agree(const CorpusEntry *e, const CfMember *m, const CfCode *code, CfKinds *k, CfArena *a, FlowCount *n) {
    CfTypes types;
    CfFlow f;
    CfFrame fr;
    CfMapIter it;
    CfMapFrame mf;
    bool ok = cf_types_init(&types, e->cls, a, NULL) && cf_flow_init(&f, &types, m, code, false) && cf_frame_init(&f, &fr) &&
              cf_frame_entry(&f, &fr) && frame_agrees(e, m, k, &fr, 0) &&
              cf_map_start(cf_attr(&code->attrs, CF_ATTR_STACK_MAP_TABLE), &it, NULL) == CF_OK;
    for (; ok && cf_map_next(&it, &mf) > 0 && cf_frame_from_map(&f, &fr, &mf); n->frames++)
        ok = frame_agrees(e, m, k, &fr, mf.pc);
    cf_types_free(&types);
    return ok;
}

static bool has_jsr(const CfCode *code) {
    CfInsn i;
    for (uint32_t pc = 0; pc < code->code_len && cf_insn(code->code, code->code_len, pc, &i); pc += i.len)
        if (cf_op_info[i.op].flags & (CF_OF_JSR | CF_OF_RET)) return true;
    return false;
}

/* Locals alone give the same locals, unless return addresses are stored; each leader of a block is a place that can be asked for. */
static bool ways_agree(const CorpusEntry *e, const CfMember *m, const CfCode *code, CfKinds *k, CfArena *a) {
    CfKinds locals, blocks;
    if (cf_kinds_init(&locals, e->cls, m, code, CF_KINDS_LOCALS, 0, a) != CF_KINDS_OK ||
        cf_kinds_init(&blocks, e->cls, m, code, CF_KINDS_ALL | CF_KINDS_BLOCKS, 0, a) != CF_KINDS_OK)
        return wrong(e, m, 0, "known, and unknown in another way");
    for (uint32_t b = 0; b < blocks.g.n; b++) {
        uint32_t pc = blocks.g.pcs[b];
        bool here = blocks.at[b].cells != NULL;
        if (cf_kinds_go(k, pc) != here || cf_kinds_go(&locals, pc) != here) return wrong(e, m, pc, "reached in one way only");
        if (!here) continue;
        if (k->cur.depth != blocks.at[b].depth || memcmp(k->cur.cells, blocks.at[b].cells, k->nlocals + k->cur.depth) != 0)
            return wrong(e, m, pc, "another state at the leader of a block");
        if (!has_jsr(code) && memcmp(k->cur.cells, locals.cur.cells, k->nlocals) != 0)
            return wrong(e, m, pc, "other locals if the stack is not looked at");
    }
    return true;
}

static bool method(const CorpusEntry *e, const CfMember *m, CfArena *a, FlowCount *n) {
    CfCode code;
    CfKinds k;
    cf_arena_reset(a);
    if (cf_code(e->cls, m, a, &code, NULL) != CF_OK || !code.code) return true;
    n->methods++;
    double t = seconds();
    bool known = cf_kinds_init(&k, e->cls, m, &code, CF_KINDS_ALL, 0, a) == CF_KINDS_OK;
    n->kinds += seconds() - t;
    if (!known) return wrong(e, m, 0, "no kinds");
    return frames_agree(e, m, &code, &k, a, n) && ways_agree(e, m, &code, &k, a);
}

void check_flow(const CorpusEntry *e, CfArena *scratch, FlowCount *n) {
    bool ok = true;
    for (uint32_t i = 0; i < e->cls->method_count && ok; i++) ok = method(e, &e->cls->methods[i], scratch, n);
    n->bad += !ok;
}
