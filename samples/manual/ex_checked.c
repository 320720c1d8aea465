/* SPDX-License-Identifier: Apache-2.0 */
/* ex_checked.c - the example of bci.h's checked mode, which is chosen for a whole file; see manual.c. */
#define BCI_CHECKED
#include "manual.h"

/* EXAMPLE bci.h: checked mode */
/* With "#define BCI_CHECKED" in front of #include "bci.h", the error names the line of this file that is wrong: here the
 * label belongs to another method. */
static void misuse(BciClass *c) {
    BciCode *sum = bci_code(bci_find_method(c, "sum", NULL)), *kind = bci_code(bci_find_method(c, "kind", NULL));
    if (!sum || !kind) return;
    BciLabel *here = bci_label_here(bci_end(sum));
    CfError err;
    cf_err_clear(&err);
    bci_jump(bci_end(kind), CF_OP_GOTO, here);
    if (bci_method_error(bci_code_method(kind), &err) == CF_ERR_USAGE && strstr(err.text, "ex_checked.c:"))
        printf("checked mode: %.*s\n", (int)(strrchr(err.text, '(') - err.text - 1), err.text);
}
/* END */

void examples_of_the_checked_mode(const uint8_t *bytes, size_t len) {
    BciClass *c = bci_open(bytes, len, NULL, NULL);
    if (c) misuse(c);
    bci_close(c);
}
