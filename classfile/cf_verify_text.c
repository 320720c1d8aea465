/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_verify_text.c - the message of a VerifyError, laid out as the reference does, so that people
 * (and tests) find what they know: headline, location, reason, the frames compared, bytecode,
 * handlers, stack map table.
 */
#include "cf_int.h"
#include "cf_verify_int.h"

/* ------------------------------------------------------------------------ text buffer */

static void put_type(CfText *t, const CfTypes *types, CfType type) {
    char buf[512];
    cf_type_text(types, type, buf, sizeof buf);
    cf_put(t, "%s", buf);
}

/* ------------------------------------------------------------------------ parts */

static const char *class_name(const CfVerifier *v, char *buf, size_t cap) {
    if (v->opt && v->opt->name) return v->opt->name;
    snprintf(buf, cap, "%.*s", CF_STR_ARGS(v->c->name));
    return buf;
}

static void put_location(CfText *t, const CfVerifier *v, uint32_t pc) {
    char name[512];
    const char *op = "<invalid>";
    if (pc < v->code.code_len) {
        const char *known = cf_op_info[v->code.code[pc]].name;
        op = known ? known : "<illegal>";
    }
    cf_put(t, "  Location:\n    %s.%.*s%.*s @%u: %s\n", class_name(v, name, sizeof name), CF_STR_ARGS(v->flow.method_name),
           CF_STR_ARGS(v->flow.method_desc), pc, op);
}

static void put_origin(CfText *t, const CfTypeAt *at) {
    switch (at->origin) {
    case CF_FROM_LOCALS: cf_put(t, " (current frame, locals[%u])", at->index); break;
    case CF_FROM_STACK: cf_put(t, " (current frame, stack[%u])", at->index); break;
    case CF_FROM_MAP_LOCALS: cf_put(t, " (stack map, locals[%u])", at->index); break;
    case CF_FROM_MAP_STACK: cf_put(t, " (stack map, stack[%u])", at->index); break;
    case CF_FROM_POOL: cf_put(t, " (constant pool %u)", at->index); break;
    case CF_FROM_SIGNATURE: cf_put(t, " (from method signature)"); break;
    default: break;
    }
}

static void put_type_reason(CfText *t, const CfVerifier *v, const CfFlowError *e) {
    if (e->expected.origin == CF_FROM_NOWHERE) {
        cf_put(t, "Invalid type: ");
        put_type(t, v->types, e->found.type);
        put_origin(t, &e->found);
        return;
    }
    cf_put(t, "Type ");
    put_type(t, v->types, e->found.type);
    put_origin(t, &e->found);
    cf_put(t, " is not assignable to ");
    put_type(t, v->types, e->expected.type);
    put_origin(t, &e->expected);
}

static void put_reason(CfText *t, const CfVerifier *v, const CfFlowError *e) {
    cf_put(t, "  Reason:\n    ");
    switch (e->why) {
    case CF_WHY_TYPE: put_type_reason(t, v, e); break;
    case CF_WHY_FLAGS: cf_put(t, "Current frame's flags are not assignable to stack map frame's."); break;
    case CF_WHY_POOL_INDEX: cf_put(t, "Constant pool index %d is invalid", e->index); break;
    case CF_WHY_LOCAL_INDEX: cf_put(t, "Local index %d is invalid", e->index); break;
    case CF_WHY_LOCALS_SIZE: cf_put(t, "Current frame's local size doesn't match stackmap."); break;
    case CF_WHY_STACK_SIZE: cf_put(t, "Current frame's stack size doesn't match stackmap."); break;
    case CF_WHY_OVERFLOW: cf_put(t, "Exceeded max stack size."); break;
    case CF_WHY_UNDERFLOW: cf_put(t, "Attempt to pop empty stack."); break;
    case CF_WHY_MISSING_MAP: cf_put(t, "Expected stackmap frame at this location."); break;
    case CF_WHY_BAD_MAP: cf_put(t, "Invalid stackmap specification."); break;
    default: cf_put(t, "Error exists in the bytecode");
    }
    cf_put(t, "\n");
}

static void put_types(CfText *t, const CfTypes *types, const char *name, const CfType *v, unsigned n) {
    cf_put(t, "    %s: { ", name);
    for (unsigned i = 0; i < n; i++) {
        put_type(t, types, v[i]);
        cf_put(t, "%s", i + 1 < n ? ", " : " ");
    }
    cf_put(t, "}\n");
}

static void put_frame(CfText *t, const CfVerifier *v, const char *title, const CfFrame *fr, uint32_t pc) {
    cf_put(t, "  %s:\n    bci: @%u\n    flags: {%s }\n", title, pc, fr->this_uninit ? " flagThisUninit" : "");
    put_types(t, v->types, "locals", fr->locals, fr->nlocals);
    put_types(t, v->types, "stack", fr->stack, fr->depth);
}

static bool is_map(CfOrigin o) { return o == CF_FROM_MAP_LOCALS || o == CF_FROM_MAP_STACK; }

/* The frames that the reason speaks of. */
static void put_frames(CfText *t, const CfVerifier *v, const CfFlowError *e, uint32_t pc) {
    bool current = false, map = false;
    switch (e->why) {
    case CF_WHY_TYPE:
        current = true;
        map = is_map(e->expected.origin);
        break;
    case CF_WHY_OVERFLOW:
    case CF_WHY_UNDERFLOW: current = true; break;
    case CF_WHY_FLAGS:
    case CF_WHY_LOCALS_SIZE:
    case CF_WHY_STACK_SIZE: current = map = true; break;
    case CF_WHY_BAD_MAP: /* the reference calls it so */
        if (v->map_frame) put_frame(t, v, "Current Frame", v->map_frame, v->map_pc);
        return;
    default: break;
    }
    if (current) put_frame(t, v, "Current Frame", v->shown ? v->shown : &v->cur, pc);
    if (map && v->map_frame) put_frame(t, v, "Stackmap Frame", v->map_frame, v->map_pc);
}

/* Rows of 16; a full last row is followed by an empty one, as in the reference. */
static void put_bytecode(CfText *t, const CfVerifier *v) {
    const uint8_t *p = v->code.code;
    cf_put(t, "  Bytecode:\n");
    for (uint32_t i = 0; i <= v->code.code_len && t->len + 1 < t->cap; i += 16) {
        cf_put(t, "    %07x:", i);
        for (uint32_t k = 0; k < 16; k++) {
            if (k % 2 == 0) cf_put(t, " ");
            if (i + k < v->code.code_len) cf_put(t, "%02x", p[i + k]);
            else cf_put(t, "  ");
        }
        cf_put(t, "\n");
    }
}

static void put_handlers(CfText *t, const CfVerifier *v) {
    if (v->code.handlers.count == 0) return;
    cf_put(t, "  Exception Handler Table:\n");
    for (uint32_t i = 0; i < v->code.handlers.count; i++) {
        CfHandler h = cf_handler(&v->code.handlers, i);
        cf_put(t, "    bci [%u, %u] => handler: %u\n", h.start, h.end, h.handler);
    }
}

static void put_map_types(CfText *t, CfMapTypes types) {
    static const char *const names[] = {"Top", "Integer", "Float", "Double", "Long", "Null", "UninitializedThis"};
    uint8_t tag;
    uint16_t data;
    while (cf_map_type_next(&types, &tag, &data)) {
        if (tag < CF_VTAG_OBJECT) cf_put(t, "%s", names[tag]);
        else cf_put(t, "%s[#%u]", tag == CF_VTAG_OBJECT ? "Object" : "Uninitialized", data);
        if (types.count) cf_put(t, ",");
    }
}

static void put_map_frame(CfText *t, const CfMapFrame *f) {
    cf_put(t, "    ");
    if (f->chop_append == 4) {
        cf_put(t, "full_frame(@%u,{", f->pc);
        put_map_types(t, f->locals);
        cf_put(t, "},{");
        put_map_types(t, f->stack);
        cf_put(t, "})\n");
    } else if (f->chop_append < 0) {
        cf_put(t, "chop_frame(@%u,%d)\n", f->pc, -f->chop_append);
    } else if (f->chop_append > 0) {
        cf_put(t, "append_frame(@%u,", f->pc);
        put_map_types(t, f->locals);
        cf_put(t, ")\n");
    } else if (f->stack.count) {
        cf_put(t, "same_locals_1_stack_item_%s(@%u,", f->type == 247 ? "extended" : "frame", f->pc);
        put_map_types(t, f->stack);
        cf_put(t, ")\n");
    } else {
        cf_put(t, "same_frame%s(@%u)\n", f->type == 251 ? "_extended" : "", f->pc);
    }
}

static void put_stack_maps(CfText *t, const CfVerifier *v) {
    CfMapIter it;
    CfMapFrame f;
    const CfAttr *a = cf_attr(&v->code.attrs, CF_ATTR_STACK_MAP_TABLE);
    if (!a || cf_map_start(a, &it, NULL) != CF_OK) return;
    cf_put(t, "  Stackmap Table:\n");
    while (cf_map_next(&it, &f) > 0) put_map_frame(t, &f);
}

/* ------------------------------------------------------------------------ entry points */

CfErrCode cf_verify_report(CfVerifier *v, uint32_t pc) {
    const CfFlowError *e = &v->flow.error;
    if (e->why == CF_WHY_LOAD) return cf_fail(v->err, CF_ERR_LOAD, pc, "a class could not be loaded");
    if (e->why == CF_WHY_NOMEM) return cf_fail(v->err, CF_ERR_NOMEM, pc, "verification");
    if (!v->err || v->err->code != CF_OK) return CF_ERR_VERIFY;
    v->err->code = CF_ERR_VERIFY;
    v->err->offset = pc;
    CfText t = {v->err->text, 0, sizeof v->err->text};
    cf_put(&t, "%s", e->message[0] ? e->message : "Bad instruction");
    if (v->opt && v->opt->no_details) return CF_ERR_VERIFY;
    cf_put(&t, "\nException Details:\n");
    /* types that differ from a map's: at the map, also if something jumps there */
    put_location(&t, v, e->why == CF_WHY_TYPE && is_map(e->expected.origin) ? v->map_pc : pc);
    put_reason(&t, v, e);
    put_frames(&t, v, e, pc);
    put_bytecode(&t, v);
    put_handlers(&t, v);
    put_stack_maps(&t, v);
    return CF_ERR_VERIFY;
}

/* Source form of a field type: int, java.lang.String[][]. */
static void put_external_type(CfText *t, CfStr d) {
    unsigned dims = 0;
    while (dims < d.len && d.p[dims] == '[') dims++;
    if (dims < d.len && d.p[dims] == 'L') {
        for (uint32_t i = dims + 1; i + 1 < d.len; i++) cf_put(t, "%c", d.p[i] == '/' ? '.' : d.p[i]);
    } else if (dims < d.len) {
        static const char *const names[] = {"Bbyte", "Cchar",  "Ddouble",  "Ffloat", "Iint",
                                            "Jlong", "Sshort", "Zboolean", "Vvoid"};
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (names[k][0] == d.p[dims]) cf_put(t, "%s", names[k] + 1);
    }
    while (dims--) cf_put(t, "[]");
}

CfErrCode cf_verify_format_error(CfVerifier *v, const char *fmt, ...) {
    if (v->types->load_failed) return cf_fail(v->err, CF_ERR_LOAD, -1, "a class could not be loaded");
    if (v->types->nomem || v->flow.error.why == CF_WHY_NOMEM) return cf_fail(v->err, CF_ERR_NOMEM, -1, "verification");
    if (!v->err || v->err->code != CF_OK) return CF_ERR_FORMAT;
    v->err->code = CF_ERR_FORMAT;
    v->err->offset = cf_offset_of(v->c, v->code.code); /* also tells that it lies in a method */
    CfText t = {v->err->text, 0, sizeof v->err->text};
    char msg[256], name[512];
    CF_PRINT_ARGS(msg, fmt);
    cf_put(&t, "%s in method '", msg);
    CfDescIter it = cf_desc_start(v->flow.method_desc);
    CfStr arg;
    while (cf_desc_next(&it, &arg)) {}
    put_external_type(&t, it.ret);
    cf_put(&t, " ");
    for (const char *p = class_name(v, name, sizeof name); *p; p++) cf_put(&t, "%c", *p == '/' ? '.' : *p);
    cf_put(&t, ".%.*s(", CF_STR_ARGS(v->flow.method_name));
    it = cf_desc_start(v->flow.method_desc);
    for (bool first = true; cf_desc_next(&it, &arg); first = false) {
        cf_put(&t, "%s", first ? "" : ", ");
        put_external_type(&t, arg);
    }
    cf_put(&t, ")'");
    return CF_ERR_FORMAT;
}
