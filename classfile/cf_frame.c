/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_frame.c - frames: making, expansion of declared ones, merging, matching (JVMS 4.7.4, 4.10.1.3-4.10.1.6). How a
 * StackMapTable is read and written: cf_stackmap.c.
 *
 * INVARIANTS of a frame: entries at or above nlocals are TOP; LONG2 stands only right behind LONG
 * (DOUBLE2 behind DOUBLE); entries of the stack at or above depth are meaningless. cf_step.c keeps
 * them.
 */
#include "cf_int.h"
#include "cf_map_form.h"

/* The first reason counts. */
static bool fails(CfFlow *f, CfWhy why, const char *msg) {
    if (f->error.why != CF_WHY_NONE) return false;
    f->error.why = why;
    snprintf(f->error.message, sizeof f->error.message, "%s", msg);
    return false;
}

static bool no_memory(CfFlow *f) { return fails(f, CF_WHY_NOMEM, ""); }
static bool bad_map(CfFlow *f, const char *msg) { return fails(f, CF_WHY_BAD_MAP, msg); }

static bool is_wide(CfType t) { return t == CF_T_LONG || t == CF_T_DOUBLE; }

bool cf_flow_init(CfFlow *f, CfTypes *t, const CfMember *m, const CfCode *code, bool strict) {
    memset(f, 0, offsetof(CfFlow, error.message) + 1);
    f->types = t;
    f->method = m;
    f->code = code;
    f->strict = strict;
    f->arena = t->arena;
    f->method_name = cf_types_utf8(t, m->name);
    f->method_desc = cf_types_utf8(t, m->desc);
    f->is_init = cf_str_is(f->method_name, "<init>");
    CfStr ret;
    int slots = cf_desc_takes(f->method_desc, &ret);
    if (slots < 0) return false;
    f->returns_void = ret.p[0] == 'V';
    f->ret = f->returns_void || !strict ? CF_T_TOP : cf_type_desc(t, ret);
    return slots + !(m->access & CF_ACC_STATIC) <= code->max_locals && !t->nomem;
}

bool cf_frame_init(CfFlow *f, CfFrame *fr) {
    unsigned nl = f->code->max_locals, ns = f->code->max_stack;
    CfType *p = cf_arena_alloc(f->arena, (nl + (size_t)ns + 2) * sizeof *p); /* spare: cf_plain_run */
    *fr = (CfFrame){.locals = p, .stack = p ? p + nl : NULL};
    if (!p) return no_memory(f);
    memset(p, 0, nl * sizeof *p);
    return true;
}

void cf_frame_copy(const CfFlow *f, CfFrame *to, const CfFrame *from) {
    memcpy(to->locals, from->locals, from->nlocals * sizeof *to->locals);
    if (to->nlocals > from->nlocals) memset(to->locals + from->nlocals, 0, (to->nlocals - from->nlocals) * sizeof *to->locals);
    memcpy(to->stack, from->stack, from->depth * sizeof *to->stack);
    to->nlocals = from->nlocals;
    to->depth = from->depth;
    to->this_uninit = from->this_uninit;
}

/* Puts a value at `at` of an array with room `cap`; returns the slots taken, 0 if none fit. */
static unsigned put(CfType *v, unsigned at, unsigned cap, CfType t) {
    unsigned n = is_wide(t) ? 2 : 1;
    if (at + n > cap) return 0;
    v[at] = t;
    if (n == 2) v[at + 1] = t + 1; /* LONG -> LONG2, DOUBLE -> DOUBLE2 */
    return n;
}

_Static_assert(CF_T_LONG2 == CF_T_LONG + 1 && CF_T_DOUBLE2 == CF_T_DOUBLE + 1, "put() relies on it");

bool cf_frame_entry(CfFlow *f, CfFrame *fr) {
    CfTypes *t = f->types;
    unsigned n = 0, cap = f->code->max_locals;
    memset(fr->locals, 0, fr->nlocals * sizeof *fr->locals);
    fr->depth = 0;
    fr->this_uninit = false;
    if (!(f->method->access & CF_ACC_STATIC) && cap) {
        fr->this_uninit = f->is_init && t->this_type != t->object;
        fr->locals[n++] = fr->this_uninit ? (CfType)CF_T_UNINIT_THIS : t->this_type;
    }
    CfDescIter it = cf_desc_start(f->method_desc);
    CfStr arg;
    while (cf_desc_next(&it, &arg)) {
        unsigned k = put(fr->locals, n, cap, cf_type_desc(t, arg));
        if (!k) return bad_map(f, "Arguments can't fit into locals");
        n += k;
    }
    fr->nlocals = (uint16_t)n;
    return t->nomem ? no_memory(f) : true;
}

/* ------------------------------------------------------------------------ from a stack map */

static bool map_type(CfFlow *f, unsigned tag, unsigned data, CfType *out) {
    static const CfType plain[] = {CF_T_TOP, CF_T_INT, CF_T_FLOAT, CF_T_DOUBLE, CF_T_LONG, CF_T_NULL, CF_T_UNINIT_THIS};
    if (tag < CF_VTAG_OBJECT) {
        *out = plain[tag];
        return true;
    }
    if (tag == CF_VTAG_OBJECT) {
        *out = cf_type_const(f->types, data);
        return cf_type_kind(*out) == CF_T_OBJECT ? true : bad_map(f, "bad class index");
    }
    if (data >= f->code->code_len || f->code->code[data] != CF_OP_NEW) return bad_map(f, "bad offset for Uninitialized");
    *out = cf_type_make(CF_T_UNINIT, data);
    return true;
}

static bool put_map_types(CfFlow *f, CfMapTypes types, CfType *v, unsigned cap, uint16_t *count) {
    unsigned n = *count;
    uint8_t tag;
    uint16_t data;
    while (cf_map_type_take(&types, &tag, &data)) {
        CfType t = CF_T_TOP;
        if (!map_type(f, tag, data, &t)) return false;
        unsigned k = put(v, n, cap, t);
        if (!k) return bad_map(f, "bad type array size");
        n += k;
    }
    *count = (uint16_t)n;
    return true;
}

static bool has_uninit_this(const CfFrame *fr) {
    for (unsigned i = 0; i < fr->nlocals; i++)
        if (fr->locals[i] == CF_T_UNINIT_THIS) return true;
    for (unsigned i = 0; i < fr->depth; i++)
        if (fr->stack[i] == CF_T_UNINIT_THIS) return true;
    return false;
}

bool cf_frame_from_map(CfFlow *f, CfFrame *fr, const CfMapFrame *map) {
    unsigned drop = 0;
    if (map->chop_append == 4) drop = fr->nlocals;
    for (int i = map->chop_append; i < 0; i++) {
        unsigned left = fr->nlocals - drop;
        if (left == 0) return bad_map(f, "bad type array size");
        CfType last = fr->locals[left - 1];
        drop += last == CF_T_LONG2 || last == CF_T_DOUBLE2 ? 2 : 1;
    }
    memset(fr->locals + (fr->nlocals - drop), 0, drop * sizeof *fr->locals);
    fr->nlocals = (uint16_t)(fr->nlocals - drop);
    fr->depth = 0;
    if (!put_map_types(f, map->locals, fr->locals, f->code->max_locals, &fr->nlocals) ||
        !put_map_types(f, map->stack, fr->stack, f->code->max_stack, &fr->depth))
        return false;
    fr->this_uninit = has_uninit_this(fr);
    return f->types->nomem ? no_memory(f) : true;
}

/* ------------------------------------------------------------------------ joins */

static bool mismatch(CfFlow *f, CfTypeAt found, CfTypeAt expected) {
    if (f->error.why != CF_WHY_NONE) return false;
    f->error.why = f->types->load_failed ? CF_WHY_LOAD : f->types->nomem ? CF_WHY_NOMEM : CF_WHY_TYPE;
    f->error.found = found;
    f->error.expected = expected;
    return false;
}

bool cf_frame_matches(CfFlow *f, const CfFrame *from, const CfFrame *to) {
    CfTypes *t = f->types;
    if (from->depth != to->depth) return fails(f, CF_WHY_STACK_SIZE, "");
    for (unsigned i = 0; i < to->nlocals; i++)
        if (from->locals[i] != to->locals[i] && !cf_type_assignable(t, from->locals[i], to->locals[i]))
            return mismatch(f, (CfTypeAt){from->locals[i], CF_FROM_LOCALS, i}, (CfTypeAt){to->locals[i], CF_FROM_MAP_LOCALS, i});
    for (unsigned i = 0; i < to->depth; i++)
        if (from->stack[i] != to->stack[i] && !cf_type_assignable(t, from->stack[i], to->stack[i]))
            return mismatch(f, (CfTypeAt){from->stack[i], CF_FROM_STACK, i}, (CfTypeAt){to->stack[i], CF_FROM_MAP_STACK, i});
    return !from->this_uninit || to->this_uninit || fails(f, CF_WHY_FLAGS, "");
}

bool cf_frame_handler(CfFlow *f, CfFrame *to, const CfFrame *from, unsigned catch_type) {
    CfFrame empty_stack = *from;
    empty_stack.depth = 0;
    cf_frame_copy(f, to, &empty_stack);
    if (f->code->max_stack == 0) return fails(f, CF_WHY_OVERFLOW, "");
    to->stack[0] = catch_type ? cf_type_const(f->types, catch_type) : cf_type_fixed(f->types, CF_FIXED_THROWABLE);
    to->depth = 1;
    return f->types->nomem ? no_memory(f) : true;
}
