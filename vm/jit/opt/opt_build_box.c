/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builder: boxes.  Integer.valueOf and its like are one node, BOX (jit/boxes.h), in place of a branch, an element of the cache and a NEW: a phi of these
 * would have to be there, whoever reads nothing but the value, and would hide that it is one.
 *
 * Loads of the value are what went in (opt_fold.c, wherever the BOX is seen); a BOX that is named by States alone, or by objects that are not made, is not
 * made either (opt_escape.c), and where it is made its code asks the cache (opt_emit_object.c).
 */
#include "core/options.h"
#include "jit/boxes.h"
#include "jit/opt/opt_build.h"
#include "jit/policy.h"

bool build_is_box(const Method *m) { return vm_options.inlining && box_made_by(m); }

/* As the constructor would leave it. */
static Ref narrowed(Build *b, const Box *x, Ref v) {
    if (x->type == T_INT || x->type == T_LONG) return v;
    Ref r = opt_new(b->o, OPT_NARROW, OT_INT);
    opt_node(b->o, r)->kind = x->type == T_BYTE ? MEM_S8 : x->type == T_SHORT ? MEM_S16 : MEM_U16;
    opt_node(b->o, r)->in[0] = v;
    return build_finish(b, r);
}

/* The value must be the last operand of the State: not so in what a linker calls. */
bool build_box(Build *b, Method *m) {
    const Box *x = vm_options.inlining && !compile_command_dont_inline(m) ? box_made_by(m) : NULL;
    if (!x) return false;
    State *s = build_state(b);
    if (s->n_stack != b->depth || !class_is_initialized(x->klass)) return false;
    Ref value = narrowed(b, x, build_top(b, m->arg_slots)), r = build_add(b, OPT_BOX, OT_REF);
    Node *n = opt_node(b->o, r);
    n->in[0] = value;
    n->from = (u1)(x->type == T_LONG ? OT_LONG : OT_INT);
    n->k = x->offset;
    n->what = x->klass;
    n->klass = x->klass;
    n->not_null = true;
    n->state = s;
    n->n_args = m->arg_slots;
    build_note_method(b, m);
    build_note_method(b, x->init);
    b->depth -= m->arg_slots;
    build_push(b, r);
    return true;
}
