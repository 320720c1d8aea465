/* SPDX-License-Identifier: Apache-2.0 */
/* cf_dump_code.c - text of pool entries, instructions and the Code attribute. Total: prints what
 * it can of broken code. */
#include "cf_int.h"

#include <inttypes.h>

#include <stdarg.h>
#include <stdlib.h>

enum { TEXT = 600 };

/* ------------------------------------------------------------------------ text in a buffer */

typedef struct Text {
    char *p;
    size_t cap, kept, need; /* once something did not fit, nothing more is kept: a text is cut between characters */
} Text;

static void put_bytes(Text *t, const char *s, size_t n) {
    if (t->kept == t->need && t->need + n < t->cap) {
        memcpy(t->p + t->kept, s, n);
        t->kept += n;
    }
    t->need += n;
}

__attribute__((format(printf, 2, 3))) static void put(Text *t, const char *fmt, ...) {
    char part[64];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(part, sizeof part, fmt, ap);
    va_end(ap);
    put_bytes(t, part, n < 0 ? 0 : (size_t)n < sizeof part ? (size_t)n : sizeof part - 1);
}

/* Names may hold nearly any character (4.2.2), strings all of them. */
static void put_str(Text *t, CfStr s) {
    for (uint32_t i = 0, n; i < s.len; i += n) {
        uint16_t units[3], unit;
        unsigned char ch = (unsigned char)s.p[i];
        n = ch < 0x80 ? 1 : ch < 0xe0 ? 2 : 3;
        bool one = n <= s.len - i && cf_mutf8_to_utf16(s.p + i, n, units) == 1;
        unit = one ? units[0] : ch;
        n = one ? n : 1;
        if (unit == '\n') put(t, "\\n");
        else if (unit == '"' || unit == '\\') put(t, "\\%c", unit);
        else if (unit < 0x20 || unit == 0x7f) put(t, "\\x%02x", unit);
        else if (unit < 0x7f) put(t, "%c", unit);
        else put(t, "\\u%04x", unit);
    }
}

static size_t end_text(Text *t) {
    if (t->cap) t->p[t->kept] = 0;
    return t->need;
}

size_t cf_escape(CfStr s, char *buf, size_t cap) {
    Text t = {buf, cap, 0, 0};
    put_str(&t, s);
    return end_text(&t);
}

void cf_dump_str(CfStr s, FILE *out) {
    char text[TEXT], *longer = NULL;
    size_t need = cf_escape(s, text, sizeof text);
    if (need >= sizeof text && (longer = malloc(need + 1))) cf_escape(s, longer, need + 1);
    fputs(longer ? longer : text, out);
    free(longer);
}

/* ------------------------------------------------------------------------ constants */

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

static void put_pair(Text *t, CfStr name, CfStr desc) {
    put_str(t, name);
    put(t, ":");
    put_str(t, desc);
}

static void put_member(Text *t, const CfClass *c, unsigned i) {
    CfStr owner, name, desc;
    cf_member_ref(c, i, &owner, &name, &desc);
    put_str(t, owner);
    put(t, ".");
    put_pair(t, name, desc);
}

static void put_number(Text *t, const CfConst *k) {
    float f;
    double d;
    switch (k->tag) {
    case CF_CONST_INTEGER: put(t, "%d", k->i); break;
    case CF_CONST_LONG: put(t, "%" PRId64 "l", k->j); break;
    case CF_CONST_FLOAT:
        memcpy(&f, &k->i, 4);
        put(t, "%.9gf", (double)f);
        break;
    default: memcpy(&d, &k->j, 8); put(t, "%.17gd", d);
    }
}

static void put_const(Text *t, const CfClass *c, unsigned i) {
    const CfConst *k = cf_const(c, i);
    CfStr name, desc;
    switch (k->tag) {
    case CF_CONST_UTF8: put_str(t, cf_utf8(c, i)); break;
    case CF_CONST_INTEGER:
    case CF_CONST_FLOAT:
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE: put_number(t, k); break;
    case CF_CONST_STRING:
        put(t, "\"");
        put_str(t, cf_name_of(c, i));
        put(t, "\"");
        break;
    case CF_CONST_CLASS:
    case CF_CONST_METHODTYPE:
    case CF_CONST_MODULE:
    case CF_CONST_PACKAGE: put_str(t, cf_name_of(c, i)); break;
    case CF_CONST_FIELDREF:
    case CF_CONST_METHODREF:
    case CF_CONST_INTERFACEMETHODREF: put_member(t, c, i); break;
    case CF_CONST_NAMEANDTYPE:
        cf_name_and_type(c, i, &name, &desc);
        put_pair(t, name, desc);
        break;
    case CF_CONST_METHODHANDLE:
        put(t, "%s ", handle_names[k->kind < 10 ? k->kind : 0]);
        put_member(t, c, k->a);
        break;
    case CF_CONST_DYNAMIC:
    case CF_CONST_INVOKEDYNAMIC:
        cf_name_and_type(c, i, &name, &desc);
        put(t, "bootstrap %u ", k->a);
        put_pair(t, name, desc);
        break;
    default: put(t, "?");
    }
}

size_t cf_const_text(const CfClass *c, unsigned i, char *buf, size_t cap) {
    Text t = {buf, cap, 0, 0};
    put_const(&t, c, i);
    return end_text(&t);
}

void cf_dump_const(const CfClass *c, const char *before, unsigned i, const char *behind, FILE *out) {
    char text[TEXT], *longer = NULL;
    size_t need = cf_const_text(c, i, text, sizeof text);
    if (need >= sizeof text && (longer = malloc(need + 1))) cf_const_text(c, i, longer, need + 1);
    fprintf(out, "%s%s%s", before, longer ? longer : text, behind);
    free(longer);
}

/* ------------------------------------------------------------------------ instructions */

static void put_operands(Text *t, const CfClass *c, const CfInsn *i) {
    static const char *const atypes[] = {"boolean", "char", "float", "double", "byte", "short", "int", "long"};
    unsigned format = cf_op_info[i->op].format;
    switch (format) {
    case CF_FMT_S1:
    case CF_FMT_S2: put(t, " %d", i->imm); break;
    case CF_FMT_ATYPE: put(t, " %s", i->imm >= 4 && i->imm <= 11 ? atypes[i->imm - 4] : "?"); break;
    case CF_FMT_LOCAL: put(t, " %u", i->index); break;
    case CF_FMT_IINC: put(t, " %u, %d", i->index, i->imm); break;
    case CF_FMT_BRANCH2:
    case CF_FMT_BRANCH4: put(t, " %d", i->target); break;
    case CF_FMT_CP1:
    case CF_FMT_CP2:
    case CF_FMT_DYNAMIC:
    case CF_FMT_INTERFACE:
    case CF_FMT_MULTI:
        put(t, " #%u", i->index);
        if (format == CF_FMT_INTERFACE || format == CF_FMT_MULTI) put(t, ", %d", i->imm);
        put(t, " // ");
        put_const(t, c, i->index);
        break;
    case CF_FMT_TABLESWITCH:
        put(t, " %d to %" PRId64 ", %u cases, default %d", i->low, (int64_t)i->low + i->cases - 1, i->cases, i->target);
        break;
    case CF_FMT_LOOKUPSWITCH: put(t, " %u cases, default %d", i->cases, i->target); break;
    default: break;
    }
}

size_t cf_dump_insn(const CfClass *c, const CfInsn *i, char *buf, size_t cap) {
    const char *name = cf_op_info[i->op].name;
    Text t = {buf, cap, 0, 0};
    put(&t, "%u: %s%s", i->pc, i->wide ? "wide " : "", name ? name : "?");
    put_operands(&t, c, i);
    return end_text(&t);
}

static void dump_insn(const CfClass *c, const CfInsn *i, FILE *out) {
    char line[2 * TEXT], *longer = NULL;
    size_t need = cf_dump_insn(c, i, line, sizeof line);
    if (need >= sizeof line && (longer = malloc(need + 1))) cf_dump_insn(c, i, longer, need + 1);
    fprintf(out, "      %*s%s\n", i->pc < 10 ? 3 : i->pc < 100 ? 2 : i->pc < 1000 ? 1 : 0, "", longer ? longer : line);
    free(longer);
}

static void dump_instructions(const CfClass *c, const CfCode *code, FILE *out) {
    CfInsn i;
    uint32_t pc = 0;
    for (; pc < code->code_len && cf_insn(code->code, code->code_len, pc, &i); pc += i.len) {
        dump_insn(c, &i, out);
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
        fprintf(out, "      %s %u [%u, %u) ", a->kind == CF_ATTR_LOCAL_VARIABLE_TABLE ? "variable" : "variable type", v.slot,
                v.start, v.start + v.length);
        cf_dump_str(cf_utf8(c, v.name), out);
        fputc(' ', out);
        cf_dump_str(cf_utf8(c, v.desc), out);
        fputc('\n', out);
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
                fputs("      attribute ", out);
                cf_dump_str(cf_utf8(c, a->name), out);
                if (!cf_dump_annotations(c, a, "      ", out)) fprintf(out, ", %u bytes", a->len);
                fprintf(out, "\n");
            }
        }
    }
    cf_arena_free(&scratch);
}
