/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_reframe.c - StackMapTable and max_stack of a spliced Code attribute made anew, by the data-flow engine over its bytes.
 *
 * For methods that were spliced and whose frames a plan wants computed (BCI_PLAN_REBUILD_FRAMES): no list of instructions is
 * made, and the class is not parsed. What cf_step asks of a class is its constant pool: entries are decoded where they lie, as
 * they are asked for, and what they mean is remembered for all methods of the class (BciTypesMemo).
 *
 * NODES are where the attribute had a frame: in valid code each branch target, each handler and each start of dead code has
 * one. A branch elsewhere is found when it is taken, and the method is refused.
 *
 * HINTS. Where two classes meet, the class that the frame of the input says (the hint) is taken: by induction each type is
 * the hint's or one that verified against it. Where the hint has nothing usable nobody can use the value, and it becomes
 * TOP. So no class is ever asked for. Hints are decoded only in methods where classes meet, or that have dead code, which
 * keeps the frame it had.
 *
 * The editor's flow (bci_frames.c) must also cope with edits that made hints wrong, with new locals in old frames, and with
 * dead code that has none; methods that need that, and those with jsr, are answered with BCI_FAR.
 */
#include "bci_rules.h"
#include "cf_dataflow.h"

#include <stdlib.h>

typedef struct State {
    CfFrame in;
    const CfFrame *hint; /* NULL = not decoded */
} State;

typedef struct Reframe {
    BciApply *a;
    BciTypesMemo *memo;
    CfTypes *t;
    CfArena *arena;
    BciBody b;
    CfAttr old; /* the table as it was */
    CfCode code;
    CfMember m;
    CfFlow *f;
    CfGraph g;
    State *at; /* by node */
    CfFrame cur, entry;
    uint32_t max_depth;
    bool hints_read;
    BciFit fit;
} Reframe;

static int stop(Reframe *r, BciFit fit) {
    if (r->fit == BCI_FITS) /* a type that there was no memory for looks like one that does not fit */
        r->fit = r->t->nomem || r->f->error.why == CF_WHY_NOMEM ? BCI_NO_MEMORY : fit;
    return -1;
}

static int no_memory(Reframe *r) { return stop(r, BCI_NO_MEMORY); }

/* ---- the class: a constant pool ---- */

/* Bytes of an entry: five are always there, since the pool is not the end of a class, and put_entry makes room. */
static inline const uint8_t *raw(const BciApply *a, unsigned i) {
    static const uint8_t none[5];
    const BciView *v = &a->v;
    if (i < v->npool) return v->at[i] ? v->p + v->at[i] : none;
    return i < a->npool ? a->s->pool.data + a->s->added[i - v->npool] : none;
}

/* Texts that were added stand in a buffer that moves, the names of types must not. */
static __attribute__((noinline)) CfConst added_text(BciTypesMemo *m, const uint8_t *p) {
    CfConst k = {.tag = CF_CONST_UTF8, .len = cf_get_u2(p + 1)};
    k.utf8 = cf_arena_copy(&m->arena, p + 3, k.len);
    if (!k.utf8) k.tag = CF_CONST_NONE, m->types.nomem = true;
    return k;
}

/* CfTypes.entry: of numbers and method handles only the tag is asked. */
static CfConst entry(void *ctx, unsigned i) {
    BciApply *a = ctx;
    const uint8_t *p = raw(a, i);
    if (p[0] != CF_CONST_UTF8) return (CfConst){.tag = p[0], .a = cf_get_u2(p + 1), .b = cf_get_u2(p + 3)};
    if (i >= a->v.npool) return added_text(&a->s->types, p);
    return (CfConst){.tag = CF_CONST_UTF8, .len = cf_get_u2(p + 1), .utf8 = (const char *)p + 3};
}

static bool begin_pool(BciApply *a, BciTypesMemo *m) {
    const BciView *v = &a->v;
    cf_arena_reset(&m->arena);
    cf_types_free(&m->types);
    m->nclasses = m->nscanned = 0;
    m->cap = a->npool + a->s->nadded + 64;
    m->cls = (CfClass){.major = (uint16_t)v->major,
                       .const_count = m->cap,
                       .arena = &m->arena,
                       .consts = &m->none,
                       .name = bci_view_class(v, v->this_class)};
    m->classes = cf_arena_alloc(&m->arena, m->cap * sizeof *m->classes);
    if (!m->classes || !cf_types_init(&m->types, &m->cls, &m->arena, NULL)) return false;
    m->cls.const_count = 0;
    m->types.entry = entry;
    m->types.entry_ctx = a;
    return true;
}

void bci_types_init(BciTypesMemo *m) {
    cf_arena_init(&m->arena, "bci-types", 0);
    cf_arena_init(&m->flow, "bci-flow", 0);
}

void bci_types_free(BciTypesMemo *m) {
    cf_types_free(&m->types);
    cf_arena_free(&m->arena);
    cf_arena_free(&m->flow);
    cf_w_free(&m->map);
}

/* The first Class entry with that name; 0: none. No type is made of those that have another. */
static unsigned find_class(const BciApply *a, BciTypesMemo *m, CfStr name) {
    uint32_t n = a->npool < m->cap ? a->npool : m->cap;
    for (; m->nscanned < n; m->nscanned++) {
        const uint8_t *p = raw(a, m->nscanned);
        if (p[0] != CF_CONST_CLASS) continue;
        m->classes[m->nclasses++] = (BciClassEntry){(uint16_t)m->nscanned, cf_get_u2(raw(a, cf_get_u2(p + 1)) + 1)};
    }
    for (const BciClassEntry *k = m->classes; k < m->classes + m->nclasses; k++) {
        if (k->len != name.len) continue;
        const uint8_t *p = raw(a, cf_get_u2(raw(a, k->index) + 1));
        if (p[0] == CF_CONST_UTF8 && memcmp(p + 3, name.p, name.len) == 0) return k->index;
    }
    return 0;
}

static __attribute__((noinline)) unsigned class_index_anew(Reframe *r, CfStr name) {
    unsigned k = find_class(r->a, r->memo, name);
    if (!k) k = bci_add_entry(r->a, CF_CONST_CLASS, bci_add_entry(r->a, CF_CONST_UTF8, 0, 0, name), 0, (CfStr){0});
    if (!k) stop(r, bci_no_index(r->a));
    return k;
}

/* Class index of the type: that of the pool, or a new one. */
static unsigned class_index(void *ctx, CfType t) {
    Reframe *r = ctx;
    CfTypeName *n = &r->t->names.data[cf_type_data(t)];
    if (!n->index) n->index = (uint16_t)class_index_anew(r, (CfStr){n->p, n->len});
    return n->index;
}

/* ---- nodes and hints ---- */

static bool find_nodes(Reframe *r) {
    CfGraph *g = &r->g;
    const BciWeave *w = &r->a->s->w; /* which wrote the table, and knows where its frames are */
    if (cf_get_u2(r->old.data) != w->npcs) return stop(r, BCI_MALFORMED) >= 0;
    *g = (CfGraph){.code = &r->code, .most = UINT64_MAX, .rows_from = r->code.code_len, .pcs = w->pcs, .n = w->npcs};
    g->marks = cf_arena_calloc(r->arena, r->code.code_len + 1u, 1);
    g->flags = cf_arena_calloc(r->arena, g->n + 1u, 1);
    r->at = cf_arena_alloc(r->arena, (g->n + 1u) * sizeof *r->at);
    if (!g->marks || !g->flags || !r->at) return no_memory(r) >= 0;
    g->marks[r->code.code_len] = CF_AT_NODE; /* for cf_plain_run */
    for (uint32_t k = 0; k < g->n; k++) {
        if (g->pcs[k] >= r->code.code_len || (k && g->pcs[k] <= g->pcs[k - 1])) return stop(r, BCI_MALFORMED) >= 0;
        g->marks[g->pcs[k]] |= CF_AT_NODE;
        r->at[k].hint = NULL;
    }
    if (!cf_graph_number(g, r->arena)) return no_memory(r) >= 0;
    for (uint32_t k = 0; k < r->code.handlers.count; k++) {
        CfHandler h = cf_handler(&r->code.handlers, k);
        if (h.start >= h.end || h.end > r->code.code_len || cf_graph_node(g, h.handler) == CF_NO_NODE)
            return stop(r, BCI_MALFORMED) >= 0;
        g->marks[h.start] |= CF_AT_ROW;
        g->rows_from = h.start < g->rows_from ? h.start : g->rows_from;
        g->rows_to = h.end > g->rows_to ? h.end : g->rows_to;
    }
    return true;
}

/* A copy in as little memory as it needs; `caught`: the stack is that alone. Here stacks always stand behind their locals. */
static bool keep(Reframe *r, CfFrame *to, const CfFrame *from, const CfType *caught) {
    uint32_t n = r->code.max_locals, depth = caught ? 1 : from->depth;
    CfType *p = cf_arena_alloc(r->arena, (n + (size_t)depth) * sizeof *p);
    if (!p) return no_memory(r) >= 0;
    *to = *from;
    to->locals = p;
    to->stack = p + n;
    to->depth = (uint16_t)depth;
    memcpy(p, from->locals, (n + (caught ? 0 : depth)) * sizeof *p);
    if (caught) p[n] = *caught;
    return true;
}

/* All frames of the table as it was. */
static bool read_hints(Reframe *r) {
    CfMapIter it;
    CfMapFrame f;
    CfFrame fr;
    uint32_t k = 0;
    r->hints_read = true;
    cf_map_start(&r->old, &it, NULL);
    if (!cf_frame_init(r->f, &fr)) return no_memory(r) >= 0;
    cf_frame_copy(r->f, &fr, &r->entry);
    while (cf_map_next(&it, &f) > 0) {
        CfFrame *h = CF_NEW(r->arena, CfFrame);
        if (!cf_frame_from_map(r->f, &fr, &f)) return stop(r, BCI_MALFORMED) >= 0;
        if (!h || !keep(r, h, &fr, NULL)) return no_memory(r) >= 0;
        r->at[k++].hint = h;
    }
    return true;
}

/* ---- the analysis ---- */

/* Two types that differ, in local or stack slot i. */
static CfType merge(Reframe *r, const State *s, CfType a, CfType b, bool local, uint32_t i) {
    CfTypeKind ka = cf_type_kind(a), kb = cf_type_kind(b);
    if (ka == CF_T_NULL && kb == CF_T_OBJECT) return b;
    if (kb == CF_T_NULL && ka == CF_T_OBJECT) return a;
    if (ka != CF_T_OBJECT || kb != CF_T_OBJECT || (!r->hints_read && !read_hints(r))) return CF_T_TOP;
    const CfFrame *h = s->hint;
    CfType t = !h ? CF_T_TOP : local ? h->locals[i] : i < h->depth ? h->stack[i] : CF_T_TOP;
    return cf_type_kind(t) == CF_T_OBJECT ? t : CF_T_TOP;
}

static inline bool unite(Reframe *r, State *s, CfType *to, const CfType *from, uint32_t n, bool locals) {
    bool changed = false;
    for (uint32_t i = 0; i < n; i++) {
        if (to[i] == from[i]) continue;
        CfType t = merge(r, s, to[i], from[i], locals, i);
        changed |= t != to[i];
        to[i] = t;
    }
    return changed;
}

static inline int meet(void *ctx, uint32_t node, uint32_t via) {
    Reframe *r = ctx;
    State *s = &r->at[node];
    CfType caught;
    const CfType *stack = r->cur.stack;
    uint32_t depth = r->cur.depth;
    if (cf_by_row(via)) {
        unsigned type = cf_handler(&r->code.handlers, via).type;
        caught = type ? cf_type_const(r->t, type) : cf_type_fixed(r->t, CF_FIXED_THROWABLE);
        if (caught == CF_T_TOP) return stop(r, BCI_MALFORMED);
        stack = &caught;
        depth = 1;
    }
    if (!(r->g.flags[node] & CF_NODE_REACHED)) return keep(r, &s->in, &r->cur, cf_by_row(via) ? &caught : NULL) ? 1 : -1;
    if (s->in.depth != depth) return stop(r, BCI_MALFORMED);
    bool changed = unite(r, s, s->in.locals, r->cur.locals, r->code.max_locals, true);
    changed |= unite(r, s, s->in.stack, stack, depth, false);
    if (r->cur.nlocals > s->in.nlocals) s->in.nlocals = r->cur.nlocals;
    s->in.this_uninit |= r->cur.this_uninit;
    return r->fit == BCI_FITS ? changed : -1;
}

static inline void load(void *ctx, uint32_t node) {
    Reframe *r = ctx;
    const CfFrame *s = &r->at[node].in;
    memcpy(r->cur.locals, s->locals, (r->code.max_locals + (size_t)s->depth) * sizeof(CfType));
    r->cur.nlocals = s->nlocals;
    r->cur.depth = s->depth;
    r->cur.this_uninit = s->this_uninit;
    if (s->depth > r->max_depth) r->max_depth = s->depth;
}

/* A store of half a long or double: cf_step lets it pass, since the editor is told of code as it is. */
static bool stores_half(const Reframe *r, const CfInsn *i) {
    CfType t = r->cur.depth ? r->cur.stack[r->cur.depth - 1] : CF_T_TOP;
    return (t == CF_T_LONG2 || t == CF_T_DOUBLE2) && cf_op_info[i->op].pops[0] != 'J' && cf_op_info[i->op].pops[0] != 'D';
}

static inline int step(void *ctx, const CfInsn *i) {
    Reframe *r = ctx;
    uint32_t flags = cf_op_info[i->op].flags & (CF_OF_JSR | CF_OF_RET | CF_OF_STORE | CF_OF_INVOKE | CF_OF_ALLOC);
    if (flags & (CF_OF_JSR | CF_OF_RET)) return stop(r, BCI_FAR);
    if (flags & CF_OF_STORE && stores_half(r, i)) return stop(r, BCI_MALFORMED);
    if (!cf_step(r->f, i, &r->cur)) return stop(r, BCI_MALFORMED);
    if (r->cur.depth > r->max_depth) r->max_depth = r->cur.depth;
    if (!flags) return 0;
    if (i->op == CF_OP_INVOKESPECIAL) return CF_STEP_LOCALS | CF_STEP_BOTH;
    return flags & CF_OF_STORE || i->op == CF_OP_NEW ? CF_STEP_LOCALS : 0;
}

static inline uint32_t plain(void *ctx, uint32_t pc, bool covered) {
    Reframe *r = ctx;
    return cf_plain_run(r->f, &r->cur, pc, r->g.marks, covered, &r->max_depth);
}

static void no_subroutine(void *ctx, const CfInsn *jsr) { (void)ctx, (void)jsr; /* step has refused it */ }

static const CfFlowOps reframe_ops = {.meet = meet, .load = load, .step = step, .returned = no_subroutine, .plain = plain};

static bool run(Reframe *r, bool entry) { return cf_flow_run(&r->g, &reframe_ops, r, entry) == 0 || stop(r, BCI_MALFORMED) >= 0; }

/* Dead code keeps the frame it had. */
static bool seed_dead(Reframe *r) {
    for (uint32_t k = 0; k < r->g.n; k++) {
        if (r->g.flags[k] & CF_NODE_REACHED) continue;
        if (!r->hints_read && !read_hints(r)) return false;
        const CfFrame *h = r->at[k].hint;
        if (!h) return stop(r, BCI_FAR) >= 0;
        if (!keep(r, &r->at[k].in, h, NULL)) return false;
        r->g.flags[k] |= CF_NODE_REACHED | CF_NODE_DIRTY;
        if (!run(r, false)) return false;
    }
    return true;
}

/* ---- writing ---- */

static bool write_map(Reframe *r) {
    CfFrameAt *v = cf_arena_alloc(r->arena, (r->g.n + 1u) * sizeof *v);
    if (!v) return no_memory(r) >= 0;
    for (uint32_t k = 0; k < r->g.n; k++) v[k] = (CfFrameAt){r->g.pcs[k], &r->at[k].in};
    r->memo->map.len = 0;
    r->memo->map.bad = false;
    if (!cf_map_write_as(r->f, class_index, r, &r->entry, v, r->g.n, &r->memo->map))
        return stop(r, r->memo->map.bad ? BCI_NO_MEMORY : BCI_MALFORMED) >= 0;
    return true;
}

/* Puts the new table in the place of the old one in out[at..]. */
static bool replace_map(Reframe *r, CfWriter *out, size_t at) {
    const CfWriter *w = &r->memo->map;
    size_t old_at = r->a->s->w.map_at, old_len = 6 + r->old.len, new_len = r->g.n ? 6 + w->len : 0;
    size_t count_at = (size_t)(r->b.attrs - 2 - out->data);
    if (new_len > old_len && !bci_room(out, new_len - old_len)) return no_memory(r) >= 0;
    uint8_t *p = out->data + old_at;
    memmove(p + new_len, p + old_len, out->len - old_at - old_len);
    if (new_len) {
        cf_put_u4(p + 2, (uint32_t)w->len);
        memcpy(p + 6, w->data, w->len);
    }
    out->len = out->len + new_len - old_len;
    cf_put_u2(out->data + count_at, r->b.nattrs - (new_len == 0));
    cf_put_u4(out->data + at + 2, (uint32_t)(out->len - at - 6));
    cf_put_u2(out->data + at + 6, r->max_depth);
    return true;
}

/* ---- all ---- */

static bool begin_method(Reframe *r) {
    const BciApply *a = r->a;
    BciTypesMemo *m = r->memo;
    uint32_t room = r->b.max_stack + 2;
    r->m = (CfMember){.access = (uint16_t)a->access, .name = (uint16_t)a->name, .desc = (uint16_t)a->desc};
    r->code = (CfCode){.max_stack = (uint16_t)(room > 65535 ? 65535 : room),
                       .max_locals = (uint16_t)r->b.max_locals,
                       .code = r->b.code,
                       .code_len = r->b.code_len,
                       .handlers = {r->b.rows, r->b.nrows}};
    if ((!m->ready || a->npool > m->cap) && !(m->ready = begin_pool(r->a, m))) return no_memory(r) >= 0;
    if (!cf_flow_init(r->f, r->t, &r->m, &r->code, false)) return stop(r, BCI_MALFORMED) >= 0;
    r->f->arena = r->arena;
    if (!cf_frame_init(r->f, &r->cur) || !cf_frame_init(r->f, &r->entry)) return no_memory(r) >= 0;
    if (!cf_frame_entry(r->f, &r->entry)) return stop(r, BCI_MALFORMED) >= 0;
    cf_frame_copy(r->f, &r->cur, &r->entry);
    return find_nodes(r);
}

static __attribute__((noinline)) BciFit reframe(Reframe *r, CfWriter *out, size_t at) {
    cf_arena_reset(r->arena);
    if (begin_method(r) && run(r, true) && seed_dead(r) && write_map(r)) replace_map(r, out, at);
    if (r->fit == BCI_NO_MEMORY) r->memo->ready = false;
    return r->fit;
}

BciFit bci_reframe(BciApply *a, CfWriter *out, size_t at) {
    BciTypesMemo *m = &a->s->types;
    BciBody b;
    if (a->v.major < 50 || !a->s->w.map_at)
        return BCI_FITS; /* no place for frames, and max_stack stays; or version 50 for the old verifier */
    if (!bci_view_body(out->data + at, out->data + out->len, &b)) return BCI_MALFORMED;
    const uint8_t *map = out->data + a->s->w.map_at + 6;
    Reframe r = {.a = a, .memo = m, .t = &m->types, .arena = &m->flow, .f = &m->method, .b = b, .fit = BCI_FITS};
    r.old = (CfAttr){.data = map, .len = cf_get_u4(map - 4)};
    return reframe(&r, out, at);
}
