/* SPDX-License-Identifier: Apache-2.0 */
/* What tools outside want to know of code: its lines, its name, and how a stack is unwound through it. */
#include "exec/throw.h"
#include "frame/frame_view.h"
#include "jit/code_tools.h"
#include "object/class.h"
#include "object/symbol.h"
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 512 };

CodeLine *code_lines(const CodeBlob *b, u4 *n) {
    CodePlace *places = malloc((b->n_places + 1u) * sizeof *places);
    CodeLine *all = malloc((b->n_places + 1u) * sizeof *all);
    u4 n_places = places && all ? jit_places(b, places) : 0;
    *n = 0;
    for (u4 i = 0; i < n_places; i++) {
        const Method *m = places[i].scope ? b->scopes[places[i].scope - 1].method : b->method;
        int line = method_line_number(m, places[i].bci);
        if (line <= 0 || (*n && all[*n - 1].line == (u4)line && all[*n - 1].m == m)) continue;
        all[(*n)++] = (CodeLine){places[i].offset, (u4)line, m};
    }
    free(places);
    if (*n) return all;
    return free(all), NULL;
}

void code_print_file(FILE *out, const Method *m) {
    const char *name = m->holder->name->bytes, *slash = strrchr(name, '/');
    CfStr file = method_source_file(m);
    if (file.p) fprintf(out, "%.*s%.*s", slash ? (int)(slash + 1 - name) : 0, name, CF_STR_ARGS(file));
    else fprintf(out, "%.*s.java", (int)strcspn(name, "$"), name);
}

/* java.lang.String[] of "[Ljava/lang/String;"; behind it. */
static const char *print_type(FILE *out, const char *d) {
    static const char *const primitive[] = {['Z'] = "boolean", ['B'] = "byte",  ['C'] = "char",   ['S'] = "short", ['I'] = "int",
                                            ['J'] = "long",    ['F'] = "float", ['D'] = "double", ['V'] = "void"};
    u4 dimensions = 0;
    for (; *d == '['; d++) dimensions++;
    if (*d == 'L') {
        while (*++d != ';') fputc(*d == '/' ? '.' : *d, out);
    } else {
        fputs(primitive[(u1)*d], out);
    }
    while (dimensions--) fputs("[]", out);
    return d + 1;
}

void code_print_name(FILE *out, const Method *m, bool with_result) {
    char name[NAME_ROOM];
    if (with_result) {
        print_type(out, strchr(m->desc->bytes, ')') + 1);
        fputc(' ', out);
    }
    fprintf(out, "%s.%s(", class_external_name(m->holder, name, sizeof name), m->name->bytes);
    for (const char *d = m->desc->bytes + 1; *d != ')';) {
        d = print_type(out, d);
        if (*d != ')') fputs(", ", out);
    }
    fputc(')', out);
}

/* DWARF 6.4.1, with the extensions of .eh_frame (LSB 10.6.1). */
enum { DW_CFA_def_cfa = 0x0c, DW_CFA_offset = 0x80, DW_EH_PE_pcrel_sdata4 = 0x1b, RSP = 7, RETURN_ADDRESS = 16 };
enum { CIE_BYTES = 24, FDE_BYTES_RELATIVE = 20, FDE_BYTES = 28 }; /* with their lengths */

static void put_common(FILE *out, bool relative) {
    static const u1 rules[] = {DW_CFA_def_cfa, RSP, 8, DW_CFA_offset | RETURN_ADDRESS, 1};
    put_u4(out, CIE_BYTES - 4);
    put_u4(out, 0); /* it is one */
    put_u1(out, 1); /* version */
    put_bytes(out, relative ? "zR" : "", relative ? 3 : 1);
    put_u1(out, 1);    /* unit of code */
    put_u1(out, 0x78); /* unit of data: -8 */
    put_u1(out, RETURN_ADDRESS);
    if (relative) {
        put_u1(out, 1);
        put_u1(out, DW_EH_PE_pcrel_sdata4);
    }
    put_bytes(out, rules, sizeof rules);
    for (u4 i = relative ? 18 : 14; i < CIE_BYTES - 4u; i++) put_u1(out, 0);
}

void code_write_unwinding(FILE *out, const u1 *code, u4 size, bool relative) {
    put_common(out, relative);
    put_u4(out, (relative ? FDE_BYTES_RELATIVE : FDE_BYTES) - 4);
    put_u4(out, CIE_BYTES + 4); /* back to it */
    if (relative) {
        put_u4(out, 0u - (size + CIE_BYTES + 8));
        put_u4(out, size);
        put_u4(out, 0);
    } else {
        put_u8(out, (uintptr_t)code);
        put_u8(out, size);
        put_u4(out, 0);
        put_u4(out, 0); /* the end */
    }
}
