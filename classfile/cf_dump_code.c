/* SPDX-License-Identifier: Apache-2.0 */
/* cf_dump_code.c - text of pool entries, instructions and the Code attribute. Total: prints what
 * it can of broken code. */
#include "cf_int.h"

#include <inttypes.h>

enum { TEXT = 600 };

size_t cf_escape(CfStr s, char *buf, size_t cap) {
    size_t n = 0;
    for (uint32_t i = 0; i < s.len; i++) {
        unsigned char ch = (unsigned char)s.p[i];
        char one[8];
        int k;
        if (ch == '\n') k = snprintf(one, sizeof one, "\\n");
        else if (ch == '"' || ch == '\\') k = snprintf(one, sizeof one, "\\%c", ch);
        else if (ch < 0x20 || ch == 0x7f) k = snprintf(one, sizeof one, "\\x%02x", ch);
        else k = snprintf(one, sizeof one, "%c", ch);
        if (n + (size_t)k < cap) memcpy(buf + n, one, (size_t)k);
        n += (size_t)k;
    }
    if (cap) buf[n < cap ? n : cap - 1] = 0;
    return n;
}

static const char *const handle_names[] = {"?",
                                           "getfield",
                                           "getstatic",
                                           "putfield",
                                           "putstatic",
                                           "invokevirtual",
                                           "invokestatic",
                                           "invokespecial",
                                           "newinvokespecial",
                                           "invokeinterface"};

static int member_text(const CfClass *c, unsigned i, char *buf, size_t cap) {
    CfStr owner, name, desc;
    cf_member_ref(c, i, &owner, &name, &desc);
    return snprintf(buf, cap, "%.*s.%.*s:%.*s", CF_STR_ARGS(owner), CF_STR_ARGS(name), CF_STR_ARGS(desc));
}

static int number_text(const CfConst *k, char *buf, size_t cap) {
    float f;
    double d;
    switch (k->tag) {
    case CF_CONST_INTEGER: return snprintf(buf, cap, "%d", k->i);
    case CF_CONST_LONG: return snprintf(buf, cap, "%" PRId64 "l", k->j);
    case CF_CONST_FLOAT: memcpy(&f, &k->i, 4); return snprintf(buf, cap, "%.9gf", (double)f);
    default: memcpy(&d, &k->j, 8); return snprintf(buf, cap, "%.17gd", d);
    }
}

size_t cf_const_text(const CfClass *c, unsigned i, char *buf, size_t cap) {
    const CfConst *k = cf_const(c, i);
    char part[TEXT];
    CfStr name, desc;
    int n = 0;
    switch (k->tag) {
    case CF_CONST_UTF8: return cf_escape(cf_utf8(c, i), buf, cap);
    case CF_CONST_INTEGER:
    case CF_CONST_FLOAT:
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE: n = number_text(k, buf, cap); break;
    case CF_CONST_STRING:
        cf_escape(cf_name_of(c, i), part, sizeof part);
        n = snprintf(buf, cap, "\"%s\"", part);
        break;
    case CF_CONST_CLASS:
    case CF_CONST_METHODTYPE:
    case CF_CONST_MODULE:
    case CF_CONST_PACKAGE: return cf_escape(cf_name_of(c, i), buf, cap);
    case CF_CONST_FIELDREF:
    case CF_CONST_METHODREF:
    case CF_CONST_INTERFACEMETHODREF: n = member_text(c, i, buf, cap); break;
    case CF_CONST_NAMEANDTYPE:
        cf_name_and_type(c, i, &name, &desc);
        n = snprintf(buf, cap, "%.*s:%.*s", CF_STR_ARGS(name), CF_STR_ARGS(desc));
        break;
    case CF_CONST_METHODHANDLE:
        member_text(c, k->a, part, sizeof part);
        n = snprintf(buf, cap, "%s %s", handle_names[k->kind < 10 ? k->kind : 0], part);
        break;
    case CF_CONST_DYNAMIC:
    case CF_CONST_INVOKEDYNAMIC:
        cf_name_and_type(c, i, &name, &desc);
        n = snprintf(buf, cap, "bootstrap %u %.*s:%.*s", k->a, CF_STR_ARGS(name), CF_STR_ARGS(desc));
        break;
    default: n = snprintf(buf, cap, "?");
    }
    return n < 0 ? 0 : (size_t)n;
}

void cf_dump_const(const CfClass *c, const char *before, unsigned i, const char *behind, FILE *out) {
    char text[TEXT];
    cf_const_text(c, i, text, sizeof text);
    fprintf(out, "%s%s%s", before, text, behind);
}

/* ------------------------------------------------------------------------ instructions */

static int operand_text(const CfClass *c, const CfInsn *i, char *buf, size_t cap) {
    static const char *const atypes[] = {"boolean", "char", "float", "double", "byte", "short", "int", "long"};
    char k[TEXT];
    unsigned format = cf_op_info[i->op].format;
    if (cap) buf[0] = 0;
    switch (format) {
    case CF_FMT_S1:
    case CF_FMT_S2: return snprintf(buf, cap, " %d", i->imm);
    case CF_FMT_ATYPE: return snprintf(buf, cap, " %s", i->imm >= 4 && i->imm <= 11 ? atypes[i->imm - 4] : "?");
    case CF_FMT_LOCAL: return snprintf(buf, cap, " %u", i->index);
    case CF_FMT_IINC: return snprintf(buf, cap, " %u, %d", i->index, i->imm);
    case CF_FMT_BRANCH2:
    case CF_FMT_BRANCH4: return snprintf(buf, cap, " %d", i->target);
    case CF_FMT_CP1:
    case CF_FMT_CP2:
    case CF_FMT_DYNAMIC:
    case CF_FMT_INTERFACE:
    case CF_FMT_MULTI:
        cf_const_text(c, i->index, k, sizeof k);
        if (format == CF_FMT_INTERFACE || format == CF_FMT_MULTI)
            return snprintf(buf, cap, " #%u, %d // %s", i->index, i->imm, k);
        return snprintf(buf, cap, " #%u // %s", i->index, k);
    case CF_FMT_TABLESWITCH:
        return snprintf(buf, cap, " %d to %" PRId64 ", %u cases, default %d", i->low, (int64_t)i->low + i->cases - 1, i->cases,
                        i->target);
    case CF_FMT_LOOKUPSWITCH: return snprintf(buf, cap, " %u cases, default %d", i->cases, i->target);
    default: return 0;
    }
}

size_t cf_dump_insn(const CfClass *c, const CfInsn *i, char *buf, size_t cap) {
    const char *name = cf_op_info[i->op].name;
    char operands[TEXT + 64];
    operand_text(c, i, operands, sizeof operands);
    int n = snprintf(buf, cap, "%u: %s%s%s", i->pc, i->wide ? "wide " : "", name ? name : "?", operands);
    return n < 0 ? 0 : (size_t)n;
}

static void dump_instructions(const CfClass *c, const CfCode *code, FILE *out) {
    CfInsn i;
    uint32_t pc = 0;
    char line[2 * TEXT];
    for (; pc < code->code_len && cf_insn(code->code, code->code_len, pc, &i); pc += i.len) {
        cf_dump_insn(c, &i, line, sizeof line);
        fprintf(out, "      %*s%s\n", pc < 10 ? 3 : pc < 100 ? 2 : pc < 1000 ? 1 : 0, "", line);
        for (uint32_t k = 0; k < i.cases; k++)
            fprintf(out, "            case %d: %d\n", cf_switch_key(&i, k), cf_switch_target(&i, k));
    }
    if (pc < code->code_len) fprintf(out, "      %u: malformed, opcode 0x%02x\n", pc, code->code[pc]);
}

/* ------------------------------------------------------------------------ tables */

static void dump_handlers(const CfClass *c, const CfCode *code, FILE *out) {
    for (uint32_t i = 0; i < code->handlers.count; i++) {
        CfHandler h = cf_handler(&code->handlers, i);
        fprintf(out, "      handler [%u, %u) -> %u %s", h.start, h.end, h.handler, h.type ? "" : "any\n");
        if (h.type) cf_dump_const(c, "", h.type, "\n", out);
    }
}

static void dump_lines(const CfAttr *a, FILE *out) {
    CfRows t;
    if (cf_lines(a, &t, NULL) != CF_OK) return;
    fprintf(out, "      lines");
    for (uint32_t i = 0; i < t.count; i++) {
        uint16_t pc, line;
        cf_line(&t, i, &pc, &line);
        fprintf(out, " %u@%u", line, pc);
    }
    fprintf(out, "\n");
}

static void dump_vars(const CfClass *c, const CfAttr *a, FILE *out) {
    CfRows t;
    if (cf_local_vars(a, &t, NULL) != CF_OK) return;
    for (uint32_t i = 0; i < t.count; i++) {
        CfLocalVar v = cf_local_var(&t, i);
        fprintf(out, "      %s %u [%u, %u) %.*s %.*s\n", a->kind == CF_ATTR_LOCAL_VARIABLE_TABLE ? "variable" : "variable type",
                v.slot, v.start, v.start + v.length, CF_STR_ARGS(cf_utf8(c, v.name)), CF_STR_ARGS(cf_utf8(c, v.desc)));
    }
}

static void dump_types(const CfClass *c, CfMapTypes types, FILE *out) {
    static const char *const names[] = {"top", "int", "float", "double", "long", "null", "uninitializedThis"};
    uint8_t tag;
    uint16_t data;
    while (cf_map_type_next(&types, &tag, &data)) {
        if (tag < CF_VTAG_OBJECT) fprintf(out, " %s", names[tag]);
        else if (tag == CF_VTAG_UNINIT) fprintf(out, " uninitialized@%u", data);
        else cf_dump_const(c, " ", data, "", out);
    }
}

static void dump_maps(const CfClass *c, const CfAttr *a, FILE *out) {
    CfMapIter it;
    CfMapFrame f;
    int rc;
    if (cf_map_start(a, &it, NULL) != CF_OK) return;
    while ((rc = cf_map_next(&it, &f)) > 0) {
        fprintf(out, "      frame @%u ", f.pc);
        if (f.chop_append == 4) fprintf(out, "full");
        else if (f.chop_append)
            fprintf(out, "%s %d", f.chop_append < 0 ? "chop" : "append", f.chop_append < 0 ? -f.chop_append : f.chop_append);
        else fprintf(out, "same");
        if (f.locals.count) {
            fprintf(out, " locals");
            dump_types(c, f.locals, out);
        }
        if (f.stack.count) {
            fprintf(out, " stack");
            dump_types(c, f.stack, out);
        }
        fprintf(out, "\n");
    }
    if (rc < 0) fprintf(out, "      frames malformed\n");
}

void cf_dump_code(const CfClass *c, const CfMember *m, FILE *out) {
    CfArena scratch;
    CfCode code;
    CfError err;
    cf_arena_init(&scratch, "dump", 0);
    cf_err_clear(&err);
    if (cf_code(c, m, &scratch, &code, &err) != CF_OK) {
        fprintf(out, "    code malformed: %s\n", err.text);
    } else if (code.code) {
        fprintf(out, "    code stack=%u locals=%u length=%u\n", code.max_stack, code.max_locals, code.code_len);
        dump_instructions(c, &code, out);
        dump_handlers(c, &code, out);
        for (unsigned i = 0; i < code.attrs.count; i++) {
            const CfAttr *a = &code.attrs.v[i];
            switch (a->kind) {
            case CF_ATTR_LINE_NUMBER_TABLE: dump_lines(a, out); break;
            case CF_ATTR_LOCAL_VARIABLE_TABLE:
            case CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE: dump_vars(c, a, out); break;
            case CF_ATTR_STACK_MAP_TABLE: dump_maps(c, a, out); break;
            default:
                fprintf(out, "      attribute %.*s", CF_STR_ARGS(cf_utf8(c, a->name)));
                if (!cf_dump_annotations(c, a, "      ", out)) fprintf(out, ", %u bytes", a->len);
                fprintf(out, "\n");
            }
        }
    }
    cf_arena_free(&scratch);
}
