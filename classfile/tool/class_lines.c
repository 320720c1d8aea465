/* SPDX-License-Identifier: Apache-2.0 */
/* class_lines.c - text for comparing; the difference of two texts (longest common subsequence). */
#include "class_lines.h"

#include "cf_int.h"

#include <stdlib.h>

static void out_of_memory(void) {
    fputs("out of memory\n", stderr);
    exit(2);
}

/* A text under way; `end` makes lines of it. */
typedef struct Page {
    FILE *f;
    char *text;
    size_t n;
} Page;

static FILE *begin(Page *p) {
    if (!(p->f = open_memstream(&p->text, &p->n))) out_of_memory();
    return p->f;
}

static void end(Page *p, Lines *l) {
    if (fclose(p->f)) out_of_memory();
    for (char *line = p->text, *rest; line; line = rest) {
        if ((rest = strchr(line, '\n'))) *rest++ = 0;
        if (l->n == l->cap) {
            l->cap = l->cap ? 2 * l->cap : 64;
            l->v = realloc(l->v, l->cap * sizeof *l->v);
        }
        if (!l->v || !(l->v[l->n++] = strdup(line))) out_of_memory();
    }
    free(p->text);
}

__attribute__((format(printf, 2, 3))) static void add(Lines *l, const char *fmt, ...) {
    Page p;
    va_list ap;
    va_start(ap, fmt);
    vfprintf(begin(&p), fmt, ap);
    va_end(ap);
    end(&p, l);
}

static void add_name(Lines *l, const char *before, CfStr name) {
    Page p;
    fputs(before, begin(&p));
    cf_dump_str(name, p.f);
    end(&p, l);
}

void lines_free(Lines *l) {
    for (uint32_t k = 0; k < l->n; k++) free(l->v[k]);
    free(l->v);
    *l = (Lines){0};
}

/* Rows of BootstrapMethods have numbers that say nothing: what they hold is written out. */
static void put_meaning(const CfClass *c, unsigned i, int depth, FILE *f) {
    const CfConst *k = cf_const(c, i);
    CfStr name, desc;
    CfBootstrap b;
    bool dynamic = k->tag == CF_CONST_DYNAMIC || k->tag == CF_CONST_INVOKEDYNAMIC;
    if (!dynamic || depth > 8 || !cf_bootstrap(c, k->a, &b) || !cf_name_and_type(c, i, &name, &desc))
        return cf_dump_const(c, "", i, "", f);
    cf_dump_str(name, f);
    fputc(':', f);
    cf_dump_str(desc, f);
    cf_dump_const(c, " by ", b.method, "", f);
    for (uint32_t n = 0; n < b.args.count; n++) {
        fputs(n ? ", " : " of ", f);
        put_meaning(c, cf_index_at(&b.args, n), depth + 1, f);
    }
}

/* The constant, else the operands. */
static void one_insn(const CfClass *c, const CfInsn *i, const uint32_t *number, uint32_t len, FILE *f) {
    const char *name = cf_op_info[i->op].name;
    unsigned flags = cf_op_info[i->op].flags;
#define NUMBER(pc) ((uint32_t)(pc) < len ? number[pc] : UINT32_MAX)
    if (flags & CF_OF_CP) {
        fprintf(f, "%s ", i->op == CF_OP_LDC_W ? "ldc" : name);
        put_meaning(c, i->index, 0, f);
        if (i->op == CF_OP_MULTIANEWARRAY) fprintf(f, " %d", i->imm);
    } else if (flags & CF_OF_SWITCH) {
        fputs("switch ", f);
        for (uint32_t k = 0; k < i->cases; k++) fprintf(f, "%d->%u ", cf_switch_key(i, k), NUMBER(cf_switch_target(i, k)));
        fprintf(f, "else->%u", NUMBER(i->target));
    } else if (flags & CF_OF_BRANCH) {
        fprintf(f, "%s ->%u", i->op == CF_OP_GOTO_W ? "goto" : name, NUMBER(i->target));
    } else if (flags & (CF_OF_LOAD | CF_OF_STORE | CF_OF_RET)) {
        fprintf(f, "%.*s %u", (int)strcspn(name, "_"), name, i->index);
    } else if (i->op == CF_OP_IINC) {
        fprintf(f, "iinc %u %d", i->index, i->imm);
    } else {
        fputs(name, f);
        if (cf_op_info[i->op].length != 1) fprintf(f, " %d", i->imm);
    }
}

static void add_insn(const CfClass *c, const CfInsn *i, const uint32_t *number, uint32_t len, Lines *out) {
    Page p;
    fputs("    ", begin(&p));
    one_insn(c, i, number, len, p.f);
    end(&p, out);
}

bool method_lines(const CfClass *c, const CfMember *m, Lines *out) {
    CfCode code;
    CfInsn i;
    uint32_t n = 0, pc;
    if (cf_code(c, m, NULL, &code, NULL) != CF_OK) return false;
    if (!code.code) return true;
    uint32_t *number = calloc(code.code_len + 1u, sizeof *number);
    if (!number) return false;
    for (pc = 0; pc < code.code_len && cf_insn(code.code, code.code_len, pc, &i); pc += i.len) number[pc] = n++;
    number[code.code_len] = n;
    bool ok = pc == code.code_len;
    for (pc = 0; ok && pc < code.code_len && cf_insn(code.code, code.code_len, pc, &i); pc += i.len)
        add_insn(c, &i, number, code.code_len + 1, out);
    for (uint32_t k = 0; ok && k < code.handlers.count; k++) {
        CfHandler h = cf_handler(&code.handlers, k);
        Page p;
        if (h.start > code.code_len || h.end > code.code_len || h.handler >= code.code_len) continue;
        fputs("    catch ", begin(&p));
        cf_dump_str(h.type ? cf_class_name(c, h.type) : CF_STR("any"), p.f);
        fprintf(p.f, " in %u..%u ->%u", number[h.start], number[h.end], number[h.handler]);
        end(&p, out);
    }
    free(number);
    return ok;
}

static const CfClass *sorting;
static int by_name(const void *x, const void *y) {
    const CfMember *a = *(CfMember *const *)x, *b = *(CfMember *const *)y;
    CfStr s[4] = {cf_utf8(sorting, a->name), cf_utf8(sorting, b->name), cf_utf8(sorting, a->desc), cf_utf8(sorting, b->desc)};
    for (int k = 0; k < 4; k += 2) {
        uint32_t n = s[k].len < s[k + 1].len ? s[k].len : s[k + 1].len;
        int d = n ? memcmp(s[k].p, s[k + 1].p, n) : 0;
        if (d || s[k].len != s[k + 1].len) return d ? d : s[k].len < s[k + 1].len ? -1 : 1;
    }
    return 0;
}

/* Those that mean something by themselves: no debug tables, nothing that other lines tell. */
static void add_attrs(const CfClass *c, const CfAttrs *as, Lines *out) {
    for (unsigned k = 0; k < as->count; k++) {
        Page p;
        switch (as->v[k].kind) {
        case CF_ATTR_CODE:
        case CF_ATTR_SIGNATURE:
        case CF_ATTR_BOOTSTRAP_METHODS:
        case CF_ATTR_SOURCE_FILE:
        case CF_ATTR_SOURCE_DEBUG_EXTENSION: continue;
        default: cf_dump_attr(c, &as->v[k], "    ", begin(&p)); end(&p, out);
        }
    }
}

static void members(const CfClass *c, CfMember *v, unsigned n, bool methods, Lines *out) {
    CfMember **sorted = calloc(n + 1u, sizeof *sorted);
    for (unsigned k = 0; k < n && sorted; k++) sorted[k] = &v[k];
    sorting = c;
    if (sorted) qsort(sorted, n, sizeof *sorted, by_name);
    for (unsigned k = 0; k < n && sorted; k++) {
        Page p;
        fputs(methods ? "method " : "field ", begin(&p));
        cf_dump_str(cf_utf8(c, sorted[k]->name), p.f);
        fputc(' ', p.f);
        cf_dump_str(cf_utf8(c, sorted[k]->desc), p.f);
        fprintf(p.f, " access 0x%04x ", sorted[k]->access);
        cf_dump_str(cf_signature(c, &sorted[k]->attrs), p.f);
        end(&p, out);
        add_attrs(c, &sorted[k]->attrs, out);
        if (methods && !method_lines(c, sorted[k], out)) add(out, "    malformed code");
    }
    free(sorted);
}

void class_lines(const CfClass *c, Lines *out) {
    add_name(out, "class ", c->name);
    add(out, "version %u.%u", c->major, c->minor);
    add(out, "access 0x%04x", c->access);
    add_name(out, "super ", cf_class_name(c, c->super_class));
    for (unsigned k = 0; k < c->interface_count; k++) add_name(out, "implements ", cf_class_name(c, c->interfaces[k]));
    add_name(out, "signature ", cf_signature(c, &c->attrs));
    add(out, "attributes");
    add_attrs(c, &c->attrs, out);
    members(c, c->fields, c->field_count, false, out);
    members(c, c->methods, c->method_count, true, out);
}

/* ---- difference ---- */

static int shown;

static void put_plain(const char *before, const char *text, const char *after) {
    char *copy = strdup(text);
    printf("%s%s%s\n", before, copy ? plain_text(copy) : "(out of memory)", after);
    free(copy);
}

static void show(const char *heading, char sign, const char *line, bool json, bool colours) {
    if (json) {
        printf("%s{\"in\":", shown ? "," : "");
        json_text(stdout, heading, strlen(heading));
        printf(",\"%s\":", sign == '-' ? "old" : "new");
        json_text(stdout, line, strlen(line));
        printf("}");
    } else {
        static const char *last;
        const char *mark = colours && sign == '-' ? "\033[31m-" : colours ? "\033[32m+" : sign == '-' ? "-" : "+";
        if (heading != last && line != heading) put_plain(" ", heading, "");
        last = heading;
        put_plain(mark, line, colours ? "\033[0m" : "");
    }
    shown++;
}

/* One block of lines under a heading each: from a heading to the next. */
static uint32_t block_end(const Lines *l, uint32_t k) {
    for (k++; k < l->n && l->v[k][0] == ' '; k++) {}
    return k;
}

/* Lines [i, ie) and [j, je) have a common subsequence that stays; table of its lengths, from behind. */
static void blocks(const Lines *a, uint32_t i, uint32_t ie, const Lines *b, uint32_t j, uint32_t je, bool json, bool colours) {
    const char *heading = a->v[i++];
    j++;
    while (i < ie && j < je && !strcmp(a->v[i], b->v[j])) i++, j++;
    while (ie > i && je > j && !strcmp(a->v[ie - 1], b->v[je - 1])) ie--, je--;
    size_t n = ie - i, m = je - j;
    uint16_t *t = n * m <= 1u << 24 ? calloc((n + 1) * (m + 1), sizeof *t) : NULL;
#define T(x, y) t[(x) * (m + 1) + (y)]
    for (size_t x = n; t && x-- > 0;)
        for (size_t y = m; y-- > 0;)
            T(x, y) = !strcmp(a->v[i + x], b->v[j + y]) ? (uint16_t)(T(x + 1, y + 1) + 1)
                      : T(x + 1, y) > T(x, y + 1)       ? T(x + 1, y)
                                                        : T(x, y + 1);
    for (size_t x = 0, y = 0; x < n || y < m;) {
        if (t && x < n && y < m && !strcmp(a->v[i + x], b->v[j + y])) x++, y++;
        else if (x < n && (y == m || !t || T(x + 1, y) >= T(x, y + 1))) show(heading, '-', a->v[i + x++], json, colours);
        else show(heading, '+', b->v[j + y++], json, colours);
    }
    free(t);
}

int print_diff(const Lines *a, const Lines *b, bool json, bool colours) {
    shown = 0;
    printf(json ? "[" : "");
    for (uint32_t i = 0, ie; i < a->n; i = ie) {
        uint32_t j = 0, je = 0;
        ie = block_end(a, i);
        for (; j < b->n && strcmp(a->v[i], b->v[j]); j = je) je = block_end(b, j);
        if (j < b->n) blocks(a, i, ie, b, j, block_end(b, j), json, colours);
        else show(a->v[i], '-', a->v[i], json, colours);
    }
    for (uint32_t j = 0; j < b->n; j = block_end(b, j)) {
        uint32_t i = 0;
        while (i < a->n && strcmp(a->v[i], b->v[j])) i = block_end(a, i);
        if (i == a->n) show(b->v[j], '+', b->v[j], json, colours);
    }
    printf(json ? "]\n" : "");
    return shown;
}
