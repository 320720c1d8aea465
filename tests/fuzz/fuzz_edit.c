/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_edit - a class and a script of calls of the editing functions (bci.h).
 *
 * Input: either a class file alone, then the script is random numbers from its bytes, or one byte N, N bytes of script, a
 * class file. Scripts are tame, light or wild (edit_script.h); the result of a tame or light one must verify if the input does, in
 * a world where all classes are assignable to each other (in the real one: roundtrip/edits). With an input of every third size,
 * methods longer than some hundred bytes are outlined. What is written must always be read and written again unchanged,
 * and nothing may crash, leak or hang.
 */
#include <stdio.h>
#include <stdlib.h>

#include "edit_script.h"

/* ------------------------------------------------------------------------ the result */

static CfAnswer yes(void *ctx, CfStr a, CfStr b) { return CF_YES; }
static CfAnswer no(void *ctx, CfStr a) { return CF_NO; }

static bool verifies(const uint8_t *p, size_t n, CfError *err) {
    static const CfParseOptions format = {.check = CF_CHECK_FORMAT, .enable_preview = true};
    CfHierarchy h = {.is_assignable = yes, .is_interface = no, .is_superclass_of_this = no};
    CfArena a;
    CfClass *c;
    cf_err_clear(err);
    cf_arena_init(&a, "fuzz", 0);
    bool ok = cf_parse(&c, p, n, &a, &format, err) == CF_OK && !(c->access & CF_ACC_MODULE) && c->major >= 51 &&
              cf_verify(c, &h, NULL, err) == CF_OK;
    cf_arena_free(&a);
    return ok;
}

static void must_write_again(const uint8_t *p, size_t n) {
    static CfError err;
    cf_err_clear(&err);
    BciClass *c = bci_open(p, n, NULL, &err);
    uint8_t *out = NULL;
    size_t m = 0;
    if (!c || bci_write(c, NULL, NULL, &out, &m, &err) != CF_OK || m != n || memcmp(p, out, n) != 0) {
        fprintf(stderr, "written, but not again: %s: %s\n", err.where, err.text);
        abort();
    }
    free(out);
    bci_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static CfError err, ignored;
    Script s = {.p = data, .end = data};
    if (size >= 4 && cf_get_u4(data) == 0xCAFEBABE) {
        s.random = cf_hash_bytes(data, size) + 1u;
    } else if (size > (data ? data[0] : 0) + 1u) {
        s = (Script){.p = data + 1, .end = data + 1 + data[0]};
    } else {
        return 0;
    }
    const uint8_t *bytes = s.end;
    size_t n = size - (size_t)(bytes - data);
    uint32_t kind = number(&s, 16);
    s.wild = kind % 4 == 0;
    s.light = !s.wild && kind / 4 % 2;
    BciOptions opt = {.frames = number(&s, 2) ? BCI_FRAMES_REBUILD : BCI_FRAMES_KEEP,
                      .flags = number(&s, 32) & ~(unsigned)BCI_VERIFY_RESULT};
    if (size % 3 == 0) opt.flags |= BCI_OUTLINE;
    cf_err_clear(&err);
    BciClass *c = bci_open(bytes, n, &opt, &err);
    if (!c) return 0;
    c->code_limit = 100 + (uint32_t)size % 500;
    run_script(c, s);
    uint8_t *out = NULL;
    size_t m = 0;
    if (bci_write(c, NULL, NULL, &out, &m, &err) == CF_OK) {
        must_write_again(out, m);
        if (!s.wild && verifies(bytes, n, &ignored) && !verifies(out, m, &err)) {
            fprintf(stderr, "the result is refused: %s: %s\n", err.where, err.text);
            abort();
        }
    }
    free(out);
    bci_close(c);
    return 0;
}
