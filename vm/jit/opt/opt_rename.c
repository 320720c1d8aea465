/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Optimiser: uses of values that have other names in some blocks, for those who copy blocks, or make values equal to others.
 *
 * NAME     Who calls says which uses may mean another name, and what a value is called in a block; or that the block does not say.  Then it is what arrives
 *          there: of one predecessor what it is there, of several a phi, once for each value and block; but where names cannot differ (`meets`) what the
 *          dominator has.  Each way to such a block passes one that says.
 * USE      Of a phi it is where the predecessor ends, of others in the node's block.  States are shared: one that changes is copied.
 *
 * Phis that all ways agree on go with the next opt_number.
 */
#include "jit/opt/opt_rename.h"

bool opt_names_begin(OptNames *n, Opt *o, OptHasNames has, OptNameIn name, const void *who) {
    *n = (OptNames){.o = o, .has = has, .name = name, .who = who, .n_values = o->n_nodes};
    return (n->arrived = opt_alloc(o, (o->n_nodes + 1) * sizeof *n->arrived));
}

Ref opt_new_phi_like(Opt *o, Ref v, BlockRef b) {
    Ref phi = opt_new(o, OPT_PHI, (OptType)opt_node(o, v)->type);
    Ref *args = opt_alloc(o, opt_block(o, b)->n_preds * sizeof *args);
    if (!phi || !args) return 0;
    Node *n = opt_node(o, phi);
    const Node *like = opt_node(o, v);
    n->not_null = like->not_null;
    n->klass = like->klass;
    n->k = like->op == OPT_PHI ? like->k : 0;
    n->args = args;
    opt_insert_phi(o, b, phi);
    return phi;
}

static Ref name_at(OptNames *n, Ref v, BlockRef b) {
    Opt *o = n->o;
    Ref said = n->name(n->who, v, b);
    if (said) return said;
    if (!n->arrived[v] && !(n->arrived[v] = opt_alloc(o, (o->n_blocks + 1) * sizeof(Ref)))) return v;
    Ref *there = &n->arrived[v][b];
    if (*there) return *there;
    u4 n_preds = opt_block(o, b)->n_preds;
    if (n_preds == 1) return *there = name_at(n, v, opt_block(o, b)->preds[0]);
    if (n->meets && !n->meets[b]) return *there = name_at(n, v, opt_block(o, b)->idom);
    Ref phi = opt_new_phi_like(o, v, b);
    if (!phi) return v;
    *there = phi;
    for (u4 p = 0; p < n_preds; p++) {
        Ref arg = name_at(n, v, opt_block(o, b)->preds[p]);
        opt_node(o, phi)->args[p] = arg;
    }
    return phi;
}

static bool has_names(const OptNames *n, Ref v, BlockRef b) { return v && v <= n->n_values && n->has(n->who, v, b); }

static void rename_cell(Opt *o, Ref user, Ref *use, void *arg) {
    OptNames *n = arg;
    (void)o, (void)user;
    if (has_names(n, *use, n->block)) *use = name_at(n, *use, n->block);
}

static void find_cell(Opt *o, Ref user, Ref *use, void *arg) {
    OptNames *n = arg;
    (void)o, (void)user;
    n->any |= has_names(n, *use, n->block);
}

State *opt_renamed_state(OptNames *n, State *s, BlockRef b) {
    n->any = false;
    n->block = b;
    opt_visit_state(n->o, s, find_cell, n);
    if (!n->any || !(s = opt_copy_state(n->o, s))) return s;
    opt_visit_state(n->o, s, rename_cell, n);
    return s;
}

/* Making a phi may move all nodes. */
void opt_rename_uses(OptNames *n, Ref user) {
    Opt *o = n->o;
    BlockRef b = opt_node(o, user)->block;
    bool is_phi = opt_node(o, user)->op == OPT_PHI;
    u4 inputs = is_phi ? opt_block(o, b)->n_preds : opt_ops[opt_node(o, user)->op].inputs;
    for (u4 i = 0; i < inputs; i++) {
        Ref v = is_phi ? opt_node(o, user)->args[i] : opt_node(o, user)->in[i];
        BlockRef where = is_phi ? opt_block(o, b)->preds[i] : b;
        if (!has_names(n, v, where)) continue;
        v = name_at(n, v, where);
        *(is_phi ? &opt_node(o, user)->args[i] : &opt_node(o, user)->in[i]) = v;
    }
    State *s = opt_node(o, user)->state;
    if (!s) return;
    s = opt_renamed_state(n, s, b);
    opt_node(o, user)->state = s;
}
