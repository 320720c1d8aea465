/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes, blocks, states: how they are made, changed, shown and checked.  What they mean: opt_ir.h. */
#include "jit/opt/opt_pass.h"
#include "object/class.h"
#include "object/field.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_NODES = 256, FIRST_BLOCKS = 32 };

const OptOpInfo opt_ops[] = {
#define OP(name, inputs, does) {#name, inputs, does},
    OP(NONE, 0, 0)
#include "jit/opt/opt_ops.def"
#undef OP
};

/* --- fields --- */

const Field *opt_field_at(const Class *k, u4 offset) {
    for (; k; k = k->super)
        for (u4 i = 0; i < k->n_fields_all; i++)
            if (!(k->fields[i].access & ACC_STATIC) && k->fields[i].offset == offset) return &k->fields[i];
    return NULL;
}

/* --- memory --- */

void *opt_alloc(Opt *o, size_t bytes) {
    void *p = cf_arena_alloc(&o->arena, bytes ? bytes : 1);
    if (!p) {
        o->no_memory = true;
        return NULL;
    }
    return memset(p, 0, bytes);
}

/* A larger copy, zeroed behind what there was; the old one is left to the arena. */
static void *grown(Opt *o, const void *old, u4 n, u4 cap, size_t each) {
    void *p = opt_alloc(o, cap * each);
    if (p && n) memcpy(p, old, n * each);
    return p;
}

bool opt_init(Opt *o, Method *root) {
    *o = (Opt){.root = root};
    cf_arena_init(&o->arena, "optimiser", 64 << 10);
    o->nodes = opt_alloc(o, FIRST_NODES * sizeof *o->nodes);
    o->blocks = opt_alloc(o, FIRST_BLOCKS * sizeof *o->blocks);
    o->places = opt_alloc(o, OPT_FIELD_PLACES * sizeof *o->places);
    o->cap_nodes = FIRST_NODES;
    o->cap_blocks = FIRST_BLOCKS;
    return !o->no_memory;
}

/* --- nodes --- */

Ref opt_new(Opt *o, OptOp op, OptType type) {
    if (o->n_nodes + 1 >= o->cap_nodes) {
        u4 cap = 2 * o->cap_nodes;
        Node *more = grown(o, o->nodes, o->n_nodes + 1, cap, sizeof *more);
        if (!more) return 0;
        o->nodes = more;
        o->cap_nodes = cap;
    }
    Ref r = ++o->n_nodes;
    o->nodes[r] = (Node){.op = (u1)op, .type = (u1)type};
    return r;
}

static void link_between(Opt *o, BlockRef b, Ref before, Ref n, Ref behind) {
    Node *x = opt_node(o, n);
    x->block = b;
    x->prev = before;
    x->next = behind;
    if (before) opt_node(o, before)->next = n;
    else opt_block(o, b)->first = n;
    if (behind) opt_node(o, behind)->prev = n;
    else opt_block(o, b)->last = n;
}

Ref opt_append(Opt *o, BlockRef b, OptOp op, OptType type) {
    Ref r = opt_new(o, op, type);
    if (r) link_between(o, b, opt_block(o, b)->last, r, 0);
    return r;
}

void opt_insert_before(Opt *o, Ref at, Ref n) { link_between(o, opt_node(o, at)->block, opt_node(o, at)->prev, n, at); }

void opt_insert_end(Opt *o, BlockRef b, Ref n) {
    Ref last = opt_block(o, b)->last;
    if (last && opt_does(opt_node(o, last)) & OPT_ENDS) opt_insert_before(o, last, n);
    else link_between(o, b, last, n, 0);
}

void opt_insert_phi(Opt *o, BlockRef b, Ref n) { link_between(o, b, 0, n, opt_block(o, b)->first); }

void opt_unlink(Opt *o, Ref n) {
    Node *x = opt_node(o, n);
    if (x->dead) return;
    if (x->prev) opt_node(o, x->prev)->next = x->next;
    else if (x->block) opt_block(o, x->block)->first = x->next;
    if (x->next) opt_node(o, x->next)->prev = x->prev;
    else if (x->block) opt_block(o, x->block)->last = x->prev;
    x->dead = true;
    x->next = x->prev = 0;
}

static Ref constant_before(const Opt *o, OptType type, int64_t k, Ref *behind) {
    Ref r = opt_block(o, 1)->first;
    while (r && opt_node(o, r)->op == OPT_PARAM) r = opt_node(o, r)->next;
    for (; r && opt_node(o, r)->op == OPT_CONST; r = opt_node(o, r)->next)
        if (opt_node(o, r)->type == type && opt_node(o, r)->k == k) return r;
    *behind = r;
    return 0;
}

Ref opt_const(Opt *o, OptType type, int64_t k) {
    Ref behind = 0, r = constant_before(o, type, k, &behind);
    if (r || !(r = opt_new(o, OPT_CONST, type))) return r;
    Node *n = opt_node(o, r);
    n->k = k;
    n->not_null = type == OT_REF && k;
    link_between(o, 1, behind ? opt_node(o, behind)->prev : opt_block(o, 1)->last, r, behind);
    return r;
}

/* --- blocks --- */

BlockRef opt_new_block(Opt *o) {
    if (o->n_blocks + 1 >= o->cap_blocks) {
        u4 cap = 2 * o->cap_blocks;
        Block *more = grown(o, o->blocks, o->n_blocks + 1, cap, sizeof *more);
        if (!more) return 0;
        o->blocks = more;
        o->cap_blocks = cap;
    }
    return ++o->n_blocks;
}

static void add_to(Opt *o, BlockRef **list, u4 *n, u4 *cap, BlockRef b) {
    if (*n == *cap) {
        u4 wider = *cap ? 2 * *cap : 2;
        BlockRef *more = grown(o, *list, *n, wider, sizeof *more);
        if (!more) return;
        *list = more;
        *cap = wider;
    }
    (*list)[(*n)++] = b;
}

void opt_edge(Opt *o, BlockRef from, BlockRef to) {
    Block *f = opt_block(o, from), *t = opt_block(o, to);
    add_to(o, &f->succs, &f->n_succs, &f->cap_succs, to);
    add_to(o, &t->preds, &t->n_preds, &t->cap_preds, from);
}

/* --- uses --- */

static void visit_state(Opt *o, Ref user, State *s, OptUseVisitor visit, void *arg) {
    for (StateObject *v = s ? s->objects : NULL; v; v = v->next)
        for (u4 i = 0; i < v->layout->n; i++)
            if (v->values[i]) visit(o, user, &v->values[i], arg);
    for (; s; s = (State *)s->outer)
        for (u4 i = 0; i < s->n_locals + s->n_stack; i++)
            if (s->cells[i]) visit(o, user, &s->cells[i], arg);
}

static u4 n_inputs(const Opt *o, const Node *n) {
    return n->op == OPT_PHI ? opt_block(o, n->block)->n_preds : opt_ops[n->op].inputs;
}

void opt_visit_uses(Opt *o, Ref r, bool with_after, bool with_state, OptUseVisitor visit, void *arg) {
    Node *n = opt_node(o, r);
    Ref *in = n->op == OPT_PHI ? n->args : n->in;
    for (u4 i = 0, many = n_inputs(o, n); i < many; i++)
        if (in[i]) visit(o, r, &in[i], arg);
    if (with_after && n->after) visit(o, r, &n->after, arg);
    if (with_state) visit_state(o, r, n->state, visit, arg);
}

void opt_visit_state(Opt *o, State *s, OptUseVisitor visit, void *arg) { visit_state(o, 0, s, visit, arg); }

static Ref end_of(const Ref *to, Ref r) {
    while (to[r]) r = to[r];
    return r;
}

static void replace_use(Opt *o, Ref user, Ref *use, void *to) {
    (void)o, (void)user;
    *use = end_of(to, *use);
}

/* States may be shared: changing one twice changes nothing. */
void opt_replace(Opt *o, Ref *to) {
    for (BlockRef b = 1; b <= o->n_blocks; b++) {
        for (Ref r = opt_block(o, b)->first; r; r = opt_node(o, r)->next) opt_visit_uses(o, r, true, true, replace_use, to);
        opt_visit_state(o, opt_block(o, b)->state, replace_use, to);
    }
}

/* --- states --- */

static size_t state_size(const State *s) { return sizeof *s + (s->n_locals + s->n_stack) * sizeof(Ref); }

static StateObject *copy_objects(Opt *o, const StateObject *from) {
    StateObject *first = NULL, **to = &first;
    for (; from; from = from->next) {
        size_t bytes = sizeof *from + from->layout->n * sizeof(Ref);
        if (!(*to = opt_alloc(o, bytes))) return NULL;
        memcpy(*to, from, bytes);
        to = &(*to)->next;
    }
    *to = NULL;
    return first;
}

State *opt_copy_state(Opt *o, const State *s) {
    State *first = NULL;
    const State **to = (const State **)&first;
    for (; s; s = s->outer) {
        State *copy = opt_alloc(o, state_size(s));
        if (!copy) return NULL;
        memcpy(copy, s, state_size(s));
        copy->objects = copy_objects(o, s->objects);
        *to = copy;
        to = &copy->outer;
    }
    *to = NULL;
    return first;
}

/* --- to be read by people --- */

static const char *const type_names[] = {"", "int", "long", "float", "double", "ref"};
static const char *const cond_names[] = {
    "==", "!=", "<", ">=", ">", "<=", "below", "above-eq", "above", "below-eq", "over", "not-over"};

static bool has_cond(const Node *n) { return n->op == OPT_IF || n->op == OPT_FIF || n->op == OPT_HOLDS; }
static bool has_class(const Node *n) {
    return n->op == OPT_IS_CLASS || n->op == OPT_IS_A || n->op == OPT_INSTANCE_OF || n->op == OPT_NEW || n->op == OPT_NEW_ARRAY ||
           n->op == OPT_BOX || n->op == OPT_VIRTUAL;
}

static void dump_objects(const StateObject *v, FILE *out) {
    for (; v; v = v->next) {
        fprintf(out, " <%u %s", v->name, v->layout->klass->name->bytes);
        for (u4 i = 0; i < v->layout->n; i++) fprintf(out, " %u", v->values[i]);
        fputc('>', out);
    }
}

static void dump_state(const State *s, FILE *out) {
    if (s) dump_objects(s->objects, out);
    for (; s; s = s->outer) {
        fprintf(out, " {%s@%u", s->scope->method->name->bytes, s->bci);
        for (u4 i = 0; i < s->n_locals + s->n_stack; i++) {
            if (i == s->n_locals) fputs(" |", out);
            if (s->cells[i]) fprintf(out, " %u", s->cells[i]);
            else fputs(" -", out);
        }
        fputc('}', out);
    }
}

static void dump_node(const Opt *o, Ref r, FILE *out) {
    const Node *n = opt_node(o, r);
    fprintf(out, "  %4u %-6s %s", r, type_names[n->type], opt_ops[n->op].name);
    const Ref *in = n->op == OPT_PHI ? n->args : n->in;
    for (u4 i = 0; i < n_inputs(o, n); i++) fprintf(out, " %u", in[i]);
    if (has_cond(n)) fprintf(out, " %s", cond_names[n->kind]);
    else if (n->kind) fprintf(out, " kind %u", n->kind);
    if (n->k) fprintf(out, " k=%lld", (long long)n->k);
    if ((n->op == OPT_CALL || n->op == OPT_QUICK) && n->call->method) fprintf(out, " %s", n->call->method->name->bytes);
    if (n->op == OPT_HAS_METHOD) fprintf(out, " %s", n->method->name->bytes);
    if (has_class(n)) fprintf(out, " %s", n->what->name->bytes);
    if (n->after) fprintf(out, " after %u", n->after);
    if (n->pinned) fputs(" pinned", out);
    dump_state(n->state, out);
    fputc('\n', out);
}

void opt_dump(const Opt *o, FILE *out, const char *title) {
    fprintf(out, "=== %s::%s %s\n", o->root->holder->name->bytes, o->root->name->bytes, title);
    for (u4 i = 0; i < (o->n_order ? o->n_order : o->n_blocks); i++) {
        BlockRef b = o->n_order ? o->order[i] : i + 1;
        const Block *x = opt_block(o, b);
        fprintf(out, "block %u bci %u%s%s, dominator %u, loop %u depth %u, from", b, x->bci, x->rare ? " rare" : "",
                x->loop_head ? " head" : "", x->idom, x->loop, x->loop_depth);
        for (u4 p = 0; p < x->n_preds; p++) fprintf(out, " %u", x->preds[p]);
        fputs(", to", out);
        for (u4 s = 0; s < x->n_succs; s++) fprintf(out, " %u", x->succs[s]);
        fputc('\n', out);
        for (Ref r = x->first; r; r = opt_node(o, r)->next) dump_node(o, r, out);
    }
}

/* --- checking --- */

typedef struct Checked {
    const char *why;
    u4 *position; /* in its block, of the nodes that are in blocks with an order */
} Checked;

static bool precedes(const Opt *o, const Checked *c, Ref def, BlockRef b, u4 position) {
    const Node *d = opt_node(o, def);
    if (d->block == b) return c->position[def] < position;
    return opt_dominates(o, d->block, b);
}

static void check_use(Opt *o, Ref user, Ref *use, void *arg) {
    Checked *c = arg;
    const Node *n = opt_node(o, user), *d = opt_node(o, *use);
    if (*use > o->n_nodes) c->why = "a use of no node";
    else if (d->dead || !d->block) c->why = "a use of a node in no block";
    else if (n->op == OPT_PHI) return;
    else if (!precedes(o, c, *use, n->block, c->position[user])) c->why = "a use that its definition does not dominate";
}

static void check_phi(const Opt *o, Checked *c, Ref r) {
    const Node *n = opt_node(o, r);
    const Block *b = opt_block(o, n->block);
    for (u4 i = 0; i < b->n_preds; i++) {
        if (!n->args[i]) c->why = "a phi without an input";
        else if (!precedes(o, c, n->args[i], b->preds[i], UINT32_MAX)) c->why = "an input of a phi that is not there";
        else if (opt_node(o, n->args[i])->type != n->type) c->why = "an input of a phi of another type";
        else if (n->not_null && n->type == OT_REF && opt_is_zero(o, n->args[i]))
            c->why = "a phi that never is null, and has null";
    }
}

static void check_node(Opt *o, Checked *c, Ref r) {
    const Node *n = opt_node(o, r);
    u1 does = opt_does(n);
    if (n->dead) c->why = "a dead node in a block";
    if (n->op == OPT_CONST && n->type == OT_INT && n->k != (int32_t)n->k) c->why = "an INT that is none";
    if (n->op == OPT_CONST && n->not_null && !n->k) c->why = "a null that never is";
    if ((does & (OPT_GUARD | OPT_STOPS) || n->op == OPT_QUICK) && !n->state) c->why = "a node that may leave without a state";
    if (n->op == OPT_LEAVE && !n->state) c->why = "an exit without a state";
    if ((n->op == OPT_LOAD || n->op == OPT_STORE) && opt_node(o, n->in[0])->type == OT_REF && !n->what)
        c->why = "a field of no class";
    if (n->op == OPT_CALL && n->state && n->state->objects) c->why = "a call whose state has objects that are not made";
    if (!(does & OPT_ENDS) != (n->next != 0)) c->why = "a block that does not end where it ends";
    if (n->op == OPT_PHI && n->prev && opt_node(o, n->prev)->op != OPT_PHI) c->why = "a phi that is not at the start";
    for (u4 i = 0; n->op != OPT_PHI && i < opt_ops[n->op].inputs; i++) {
        bool optional = n->op == OPT_RETURN || n->op == OPT_UNLOCK || ((n->op == OPT_LOAD || n->op == OPT_STORE) && i == 0) ||
                        ((n->op == OPT_PEEK || n->op == OPT_POKE) && i < 2);
        if (!n->in[i] && !optional) c->why = "an input is missing";
    }
    if (c->why) return;
    if (n->op == OPT_PHI) check_phi(o, c, r);
    opt_visit_uses(o, r, true, true, check_use, c);
}

static bool has_pred(const Block *b, BlockRef p) {
    for (u4 i = 0; i < b->n_preds; i++)
        if (b->preds[i] == p) return true;
    return false;
}

static void check_edges(const Opt *o, Checked *c, BlockRef b) {
    const Block *x = opt_block(o, b);
    u1 op = x->last ? opt_node(o, x->last)->op : (u1)OPT_NONE;
    u4 want = op == OPT_JUMP ? 1 : op == OPT_IF || op == OPT_FIF ? 2 : op == OPT_SWITCH ? x->n_succs : 0;
    if (want != x->n_succs) c->why = "a block with another number of successors than its end has";
    for (u4 i = 0; i < x->n_succs; i++)
        if (!has_pred(opt_block(o, x->succs[i]), b)) c->why = "an edge that its end does not know";
    for (u4 i = 0; i < x->n_preds; i++)
        if (!opt_block(o, x->preds[i])->order) c->why = "a predecessor that cannot be reached";
}

const char *opt_check(Opt *o) {
    Checked c = {NULL, opt_alloc(o, (o->n_nodes + 1) * sizeof(u4))};
    if (!c.position) return NULL;
    for (u4 i = 0; i < o->n_order; i++) {
        u4 at = 0;
        if (!opt_block(o, o->order[i])->last) return "a block without an end";
        for (Ref r = opt_block(o, o->order[i])->first; r; r = opt_node(o, r)->next) {
            c.position[r] = ++at;
            if (opt_node(o, r)->block != o->order[i]) return "a node that names another block";
        }
    }
    for (u4 i = 0; i < o->n_order && !c.why; i++) {
        check_edges(o, &c, o->order[i]);
        for (Ref r = opt_block(o, o->order[i])->first; r && !c.why; r = opt_node(o, r)->next) check_node(o, &c, r);
    }
    return c.why;
}
