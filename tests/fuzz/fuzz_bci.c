/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_bci - any bytes as a class file: decode every method, insert in all the ways there are, write.
 * Nothing may crash, leak or hang; what is written must parse again and be written again unchanged.
 * The first byte of the size picks the options, so that a corpus exercises all modes.
 */
#include <stdlib.h>

#include "bci.h"

static void count(BciPos at, BciInsn *site, void *arg) {
    const char *self = bci_class_name(bci_code_class(at.code));
    if (!self) return;
    bci_field(at, CF_OP_GETSTATIC, self, "$n", "J");
    bci_op(at, CF_OP_LCONST_1);
    bci_op(at, CF_OP_LADD);
    bci_field(at, CF_OP_PUTSTATIC, self, "$n", "J");
}

static void edges(BciCode *code) {
    uint32_t slot = bci_new_local(code, 'I');
    bci_int(bci_entry(code), 70000);
    bci_store(bci_entry(code), 'I', slot);
    for (BciInsn *i = bci_first_insn(code), *next; i; i = next) {
        next = bci_next(i);
        if (i->flags & BCI_F_NEW) continue;
        if (bci_is_cond(i)) {
            bci_iinc(bci_on_edge(code, i, i->target), slot, 300);
            bci_iinc(bci_on_edge(code, i, NULL), slot, 1);
        } else if (i->op == CF_OP_TABLESWITCH || i->op == CF_OP_LOOKUPSWITCH) {
            bci_iinc(bci_on_case(code, i, i->sw->n), slot, 2);
        }
    }
}

static void edit(BciClass *c, unsigned how) {
    for (int k = 0; k < bci_method_count(c); k++) {
        BciCode *code = bci_code(bci_method(c, k));
        if (!code) continue;
        bci_cfg(code, how & 3);
        if (how & 4) {
            bci_mark_changed(code);
            continue;
        }
        count(bci_entry_initialised(code), NULL, NULL);
        if (how & 8) edges(code);
        bci_each_return(code, count, NULL);
        bci_on_throw(code, count, NULL);
        if (how & 16) bci_delete(code, bci_insn_at(code, how));
    }
    if (how & 32) bci_op(bci_clinit_entry(c), CF_OP_NOP);
}

static void write_again(const uint8_t *p, size_t n) {
    CfError err;
    cf_err_clear(&err);
    BciClass *c = bci_open(p, n, NULL, &err);
    uint8_t *out = NULL;
    size_t m = 0;
    if (!c || bci_write(c, NULL, NULL, &out, &m, &err) != CF_OK || m != n || memcmp(p, out, n) != 0) abort();
    free(out);
    bci_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    CfError err;
    cf_err_clear(&err);
    unsigned how = size ? data[size / 2] ^ (unsigned)size : 0;
    BciOptions opt = {.frames = how & 64 ? BCI_FRAMES_REBUILD : BCI_FRAMES_KEEP, .flags = BCI_SKIP_FAILED};
    BciClass *c = bci_open(data, size, &opt, &err);
    if (!c) return 0;
    edit(c, how);
    uint8_t *out = NULL;
    size_t n = 0;
    if (bci_write(c, NULL, NULL, &out, &n, &err) == CF_OK) write_again(out, n);
    free(out);
    bci_close(c);
    return 0;
}
