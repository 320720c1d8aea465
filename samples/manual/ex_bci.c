/* SPDX-License-Identifier: Apache-2.0 */
/* ex_bci.c - examples of bci.h, one for each group of functions; see manual.c. */
#include <stdlib.h>

#include "manual.h"

/* EXAMPLE bci.h: open, write, close */
/* Rewrites a class; returns the new bytes (to be freed), or NULL if the old ones are to be kept. */
static uint8_t *rewrite(const uint8_t *bytes, size_t len, size_t *new_len) {
    BciOptions options = {.frames = BCI_FRAMES_KEEP, .flags = BCI_SKIP_FAILED};
    uint8_t *out = NULL;
    CfError err;
    cf_err_clear(&err);
    BciClass *c = bci_open(bytes, len, &options, &err);
    if (c) {
        BciCode *code = bci_code(bci_find_method(c, "sum", NULL));
        bci_op(bci_entry(code), CF_OP_NOP);
        if (bci_changed(c)) bci_write(c, NULL, NULL, &out, new_len, &err);
    }
    if (err.code != CF_OK) fprintf(stderr, "left as it is: %s: %s\n", err.where, err.text);
    bci_close(c);
    return out;
}
/* END */

/* EXAMPLE bci.h: open, write, close */
/* As above, for edits that may make methods too long. Prints which ones were cut. */
static uint8_t *rewrite_long(const uint8_t *bytes, size_t len, int times, size_t *new_len) {
    BciOptions options = {.flags = BCI_SKIP_FAILED | BCI_OUTLINE};
    uint8_t *out = NULL;
    CfError err;
    cf_err_clear(&err);
    BciClass *c = bci_open(bytes, len, &options, &err);
    BciMethod *m = c ? bci_find_method(c, "sum", NULL) : NULL;
    if (!m) {
        fprintf(stderr, "left as it is: %s\n", c ? "it has no method sum" : err.text);
        bci_close(c);
        return NULL;
    }
    for (BciPos at = bci_entry(bci_code(m)); times > 0; times--) bci_invoke(at, CF_OP_INVOKESTATIC, "my/Probe", "hit", "()V");
    if (bci_write(c, NULL, NULL, &out, new_len, &err) != CF_OK) fprintf(stderr, "left as it is: %s: %s\n", err.where, err.text);
    if (bci_outlined(m)) printf("%s was cut: %u part\n", bci_method_name(m), bci_outlined(m));
    bci_close(c);
    return out;
}
/* END */

/* EXAMPLE bci.h: the class */
static void add_counter(BciClass *c) {
    printf("%s extends %s, version %u\n", bci_class_name(c), bci_super_name(c), bci_major(c));
    if (!bci_has_field(c, "$count", "J")) bci_add_field(c, CF_ACC_PRIVATE | CF_ACC_STATIC | CF_ACC_SYNTHETIC, "$count", "J");
    uint8_t value[2]; /* static final int $LIMIT = 100 */
    cf_put_u2(value, bci_cp_int(c, 100));
    bci_add_field(c, CF_ACC_STATIC | CF_ACC_FINAL, "$LIMIT", "I");
    bci_field_attribute(c, "$LIMIT", "I", "ConstantValue", value, sizeof value);
    bci_add_interface(c, "java/io/Serializable");
}
/* END */

/* EXAMPLE bci.h: methods */
/* Adds: static int twice(int n) { return n + n; } and renames `kind`. */
static void add_method(BciClass *c) {
    BciMethod *m = bci_add_method(c, CF_ACC_PUBLIC | CF_ACC_STATIC, "twice", "(I)I");
    BciPos at = bci_end(bci_code(m));
    bci_load(at, 'I', 0);
    bci_op(at, CF_OP_DUP);
    bci_op(at, CF_OP_IADD);
    bci_return(at);
    BciMethod *kind = bci_find_method(c, "kind", "(I)I"), *native = bci_find_method(c, "length", NULL);
    if (kind) bci_rename_method(kind, "kindOf");
    if (native) bci_wrap_native(native, "$$wrapped$$_");
}
/* END */

/* EXAMPLE bci.h: the instruction list */
/* Prints the calls of a method. */
static void list_calls(BciCode *code) {
    const char *owner, *name, *desc;
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
        if (bci_is_invoke(i) && bci_cp_member_at(bci_code_class(code), i->index, &owner, &name, &desc))
            printf("line %u, pc %u: %s %s.%s%s\n", i->line, i->pc, bci_op_name(i->op), owner, name, desc);
}
/* END */

/* EXAMPLE bci.h: renaming */
/* Class Demo becomes my/Example, its method sum becomes total; everything that names them follows. */
static void relocate(BciClass *c) {
    static const BciRenaming names[] = {{"Demo", NULL, NULL, "my/Example"}, {"Demo", "sum", "([I)I", "total"}};
    CfError err;
    cf_err_clear(&err);
    if (bci_rename_list(c, names, 2, BCI_NAMES_STRINGS, &err) != CF_OK) fprintf(stderr, "%s: %s\n", err.where, err.text);
    printf("%s has%s a method total\n", bci_class_name(c), bci_find_method(c, "total", "([I)I") ? "" : " not");
}
/* END */

static void hit(BciPos at) { bci_invoke(at, CF_OP_INVOKESTATIC, "my/Probe", "hit", "()V"); }

/* EXAMPLE bci.h: positions */
/* A probe at the entry, in front of each line, and where a condition turns out true. */
static void probe_places(BciCode *code) {
    hit(bci_entry_initialised(code));
    for (unsigned k = 0; k < bci_line_count(code); k++) {
        BciPos at[8];
        unsigned n = bci_line_starts(code, bci_line_entry(code, k)->line, at, 8);
        for (unsigned j = 0; j < n && j < 8; j++) hit(at[j]);
    }
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
        if (bci_is_cond(i) && !(i->flags & BCI_F_NEW)) hit(bci_on_edge(code, i, i->target));
}
/* END */

/* EXAMPLE bci.h: changing the list */
/* if (total == 0) total = 42; at the entry; and each ++local becomes local += 2. */
static void change(BciCode *code) {
    const char *self = bci_class_name(bci_code_class(code));
    BciPos at = bci_entry(code);
    BciLabel *skip = bci_new_label(code);
    bci_field(at, CF_OP_GETSTATIC, self, "total", "I");
    bci_jump(at, CF_OP_IFNE, skip);
    bci_int(at, 42);
    bci_field(at, CF_OP_PUTSTATIC, self, "total", "I");
    bci_place(at, skip);
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next) {
        next = bci_next(i);
        if (i->op == CF_OP_IINC && i->value == 1) {
            uint32_t local = i->index;
            bci_iinc(bci_replace(code, i), local, 2);
        }
    }
}
/* END */

/* EXAMPLE bci.h: whole-method insertions */
static void leave(BciPos at, BciInsn *site, void *arg) {
    bci_string(at, site ? "returns" : "throws");
    bci_invoke(at, CF_OP_INVOKESTATIC, "my/Probe", "leave", "(Ljava/lang/String;)V");
}
/* try { ... } finally { Probe.leave(how); } around a method. */
static void on_each_exit(BciCode *code) {
    bci_each_return(code, leave, NULL);
    bci_on_throw(code, leave, NULL);
}
/* END */

/* EXAMPLE bci.h: tables */
/* Handles ArithmeticException in the whole method by calling a probe and throwing it on. */
static void add_handler(BciCode *code) {
    BciLabel *start = bci_label_of(code, bci_first_insn(code)), *end = bci_label_here(bci_end(code));
    BciLabel *handler = bci_label_here(bci_end(code));
    hit(bci_end(code));
    bci_op(bci_end(code), CF_OP_ATHROW);
    bci_add_try(code, start, end, handler, "java/lang/ArithmeticException", false);
    for (unsigned k = 0; k < bci_var_count(code); k++)
        printf("variable %s in slot %u\n", bci_var(code, k)->name, bci_var(code, k)->slot);
}
/* END */

/* EXAMPLE bci.h: control-flow graph */
static void print_graph(BciCode *code) {
    const BciCfg *g = bci_cfg(code, 0);
    for (uint32_t b = 0; g && b < g->nblocks; b++) {
        printf("block %u at pc %u:", b, g->blocks[b].first->pc);
        for (uint32_t k = 0; k < g->blocks[b].nsucc; k++) printf(" -> %u", g->edges[g->blocks[b].succ + k].to);
        printf("\n");
    }
}
/* END */

/* EXAMPLE bci.h: types */
/* What lies on the stack at each return. */
static void print_results(BciCode *code) {
    BciState s;
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
        if (bci_is_return(i) && bci_state(code, i, &s) && s.depth)
            printf("line %u returns kind %c %s\n", i->line, s.stack[s.depth - 1].kind,
                   s.stack[s.depth - 1].name ? s.stack[s.depth - 1].name : "");
}
/* END */

/* EXAMPLE bci.h: patterns */
/* Counts x + constant and the like, and the calls of Object.toString. */
static void find_patterns(BciCode *code) {
    static const uint16_t ops[] = {BCI_ANY_LOAD, BCI_ANY_LOAD, CF_OP_IADD};
    BciInsn *found[3];
    int sums = 0, calls = 0;
    for (BciInsn *i = bci_first(code); (i = bci_find_pattern(i, ops, 3, found)); i = found[2]) sums++;
    for (BciInsn *i = bci_first_insn(code); i; i = bci_next(i))
        calls += bci_refers_to(code, i, "java/lang/Object", "toString", NULL);
    printf("%d sums, %d calls\n", sums, calls);
}
/* END */

static BciClass *open_demo(const uint8_t *bytes, size_t len, const char *method, BciCode **code) {
    CfError err;
    cf_err_clear(&err);
    BciClass *c = bci_open(bytes, len, NULL, &err);
    *code = c && method ? bci_code(bci_find_method(c, method, NULL)) : NULL;
    return c;
}

void examples_of_the_editor(const uint8_t *bytes, size_t len) {
    static const struct {
        const char *what, *method;
        void (*edit)(BciCode *code);
    } edits[] = {
        {"list_calls", "name", list_calls},       {"probe_places", "sum", probe_places},   {"change", "sum", change},
        {"on_each_exit", "name", on_each_exit},   {"add_handler", "sum", add_handler},     {"print_graph", "kind", print_graph},
        {"print_results", "name", print_results}, {"find_patterns", "sum", find_patterns},
    };
    size_t n = 0;
    uint8_t *out = rewrite(bytes, len, &n);
    printf("rewrite: %s\n", out && verifies(out, n) ? "ok" : "wrong");
    free(out);
    out = rewrite_long(bytes, len, 22000, &n);
    printf("rewrite_long: %s\n", out && verifies(out, n) ? "ok" : "wrong");
    free(out);
    BciCode *code;
    BciClass *c = open_demo(bytes, len, "sum", &code);
    if (!c) return;
    add_counter(c);
    add_method(c);
    finish("add_method", c);
    c = open_demo(bytes, len, NULL, &code);
    relocate(c);
    finish("relocate", c);
    for (unsigned k = 0; k < sizeof edits / sizeof *edits; k++) {
        c = open_demo(bytes, len, edits[k].method, &code);
        if (code) edits[k].edit(code);
        finish(edits[k].what, c);
    }
}
