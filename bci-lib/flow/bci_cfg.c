/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_cfg.c - basic blocks and edges of the instruction list as it stands.
 *
 * Two passes over the list: the first numbers the blocks (BciInsn.offset holds the number until
 * layout overwrites it), the second makes edges. THROW edges go from each block that is covered by
 * a row to the row's handler, whether or not an instruction in it can throw; the order is that of
 * the table.
 */
#include "bci_flow.h"

typedef struct Maker {
    BciCode *code;
    BciCfg *g;
    uint32_t cap_blocks, cap_edges;
    unsigned flags;
} Maker;

static bool is_line_start(const BciInsn *i) {
    const BciInsn *p = bci_prev(i);
    return !(i->flags & BCI_F_NEW) && (!p || p->line != i->line);
}

/* Labels in front of `i` that begin a block. */
static bool begins(const Maker *m, const BciInsn *i) {
    for (const BciInsn *p = i->prev; p && bci_is_label(p); p = p->prev) {
        const BciLabel *l = (const BciLabel *)p;
        if (l->is_target || l->is_handler || ((m->flags & BCI_CFG_SPLIT_THROW) && l->node.site == 1)) return true;
    }
    return (m->flags & BCI_CFG_SPLIT_LINES) && is_line_start(i);
}

static bool make_blocks(Maker *m) {
    BciCode *code = m->code;
    BciClass *c = code->m->cls;
    for (BciInsn *i = code->first; i; i = i->next)
        if (bci_is_label(i)) i->site = 0;
    for (uint32_t k = 0; k < code->ntries; k++) code->tries[k].pub.start->node.site = code->tries[k].pub.end->node.site = 1;
    bool open = false;
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i)) {
        if (!open || begins(m, i)) {
            if (!BCI_PUSH(c, m->g->blocks, m->g->nblocks, m->cap_blocks, (BciBlock){.first = i})) return false;
            open = true;
        }
        i->offset = m->g->nblocks - 1;
        m->g->blocks[i->offset].last = i;
        uint32_t fl = bci_flags(i);
        if (fl & (CF_OF_END | CF_OF_COND)) open = false;
    }
    return m->g->nblocks > 0;
}

static bool edge(Maker *m, uint32_t from, const BciLabel *to, BciEdgeKind kind, uint32_t arg) {
    BciInsn *i = to->placed ? bci_next(&to->node) : NULL;
    if (!i) return true; /* a label at the end of the code: nothing to run there */
    return BCI_PUSH(m->code->m->cls, m->g->edges, m->g->nedges, m->cap_edges, (BciEdge){from, i->offset, kind, arg});
}

static bool fall_edge(Maker *m, uint32_t from) {
    if (from + 1 == m->g->nblocks) return true;
    return BCI_PUSH(m->code->m->cls, m->g->edges, m->g->nedges, m->cap_edges, (BciEdge){from, from + 1, BCI_EDGE_FALL, 0});
}

/* A row counts if it covers any instruction of the block (blocks need not be split at borders). */
static bool throw_edges(Maker *m, uint32_t b, uint8_t *covered) {
    for (uint32_t k = 0; k < m->code->ntries; k++)
        if (covered[k] && !edge(m, b, m->code->tries[k].pub.handler, BCI_EDGE_THROW, k)) return false;
    return true;
}

static bool normal_edges(Maker *m, uint32_t b) {
    BciBlock *blk = &m->g->blocks[b];
    const BciInsn *l = blk->last;
    uint32_t fl = bci_flags(l);
    blk->succ = m->g->nedges;
    bool falls = !(fl & CF_OF_END) || (fl & CF_OF_JSR);
    if (falls && !fall_edge(m, b)) return false;
    if (fl & CF_OF_BRANCH) return edge(m, b, l->target, BCI_EDGE_JUMP, 0);
    if (fl & CF_OF_SWITCH) {
        for (uint32_t k = 0; k < l->sw->n; k++)
            if (!edge(m, b, l->sw->targets[k], BCI_EDGE_CASE, k)) return false;
        return edge(m, b, l->sw->deflt, BCI_EDGE_CASE, l->sw->n);
    }
    return true;
}

/* Walks the list once more with the set of live rows. */
static bool make_edges(Maker *m) {
    BciCode *code = m->code;
    CfArena *a = &code->m->cls->arena;
    uint32_t n = code->ntries;
    uint8_t *live = CF_NEW_ARRAY(a, uint8_t, n + 1), *covered = CF_NEW_ARRAY(a, uint8_t, n + 1);
    if (!live || !covered) return false;
    bool moved = false;
    for (BciInsn *i = code->first; i; i = i->next) {
        if (bci_is_label(i)) {
            moved |= i->site == 1;
            if (i->site == 1)
                for (uint32_t k = 0; k < n; k++) {
                    if (&code->tries[k].pub.end->node == i) live[k] = 0;
                    else if (&code->tries[k].pub.start->node == i) live[k] = 1;
                }
            continue;
        }
        BciBlock *b = &m->g->blocks[i->offset];
        if (i == b->first) memcpy(covered, live, n);
        for (uint32_t k = 0; moved && k < n; k++) covered[k] |= live[k];
        moved = false;
        if (i != b->last) continue;
        uint32_t num = i->offset;
        if (!normal_edges(m, num) || !throw_edges(m, num, covered)) return false;
        m->g->blocks[num].nsucc = m->g->nedges - m->g->blocks[num].succ;
    }
    return true;
}

static bool make_preds(Maker *m) {
    BciCfg *g = m->g;
    g->preds = CF_NEW_ARRAY(&m->code->m->cls->arena, uint32_t, g->nedges + 1);
    if (!g->preds) return false;
    for (uint32_t e = 0; e < g->nedges; e++) g->blocks[g->edges[e].to].npred++;
    uint32_t at = 0;
    for (uint32_t b = 0; b < g->nblocks; b++) {
        g->blocks[b].pred = at;
        at += g->blocks[b].npred;
        g->blocks[b].npred = 0;
    }
    for (uint32_t e = 0; e < g->nedges; e++) {
        BciBlock *b = &g->blocks[g->edges[e].to];
        g->preds[b->pred + b->npred++] = e;
        b->is_handler |= g->edges[e].kind == BCI_EDGE_THROW;
    }
    return true;
}

static bool mark_reachable(Maker *m) {
    BciCfg *g = m->g;
    uint32_t *todo = CF_NEW_ARRAY(&m->code->m->cls->arena, uint32_t, g->nblocks), n = 1;
    if (!todo) return false;
    g->blocks[0].reachable = true;
    while (n) {
        const BciBlock *b = &g->blocks[todo[--n]];
        for (uint32_t e = b->succ; e < b->succ + b->nsucc; e++) {
            BciBlock *to = &g->blocks[g->edges[e].to];
            if (!to->reachable) {
                to->reachable = true;
                todo[n++] = g->edges[e].to;
            }
        }
    }
    return true;
}

const BciCfg *bci_cfg(BciCode *code, unsigned flags) {
    if (!bci_ok(code)) return NULL;
    Maker m = {.code = code, .g = CF_NEW(&code->m->cls->arena, BciCfg), .flags = flags};
    if (m.g && make_blocks(&m) && make_edges(&m) && make_preds(&m) && mark_reachable(&m)) return m.g;
    if (bci_ok(code)) bci_fail(code->m, CF_ERR_NOMEM, BCI_NO_PC, "no graph: code is empty or memory exhausted");
    return NULL;
}

int bci_cfg_block(const BciCfg *g, const BciInsn *i) {
    if (!i || bci_is_label(i) || i->offset >= g->nblocks) return -1;
    return (int)i->offset;
}
