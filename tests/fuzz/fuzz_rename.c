/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_rename - any bytes as a class file, its names changed everywhere: nothing may crash, leak or hang. If the input
 * verifies in a world where all classes are assignable to each other, the result must; the result is read again and
 * written the same, and renaming it back by the opposite map must work. A byte of the input picks map and options.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bci.h"

/* ------------------------------------------------------------------------ maps */

enum { TAIL = 3 };

/* Every class but those of java/lang gets a tail, or loses it. */
static const char *tailed(void *ctx, const char *name) {
    static char to[70000];
    size_t n = strlen(name);
    if (!strncmp(name, "java/lang/", 10) || n + TAIL + 1 > sizeof to) return NULL;
    memcpy(to, name, n + 1);
    if (!ctx) return strcat(to, "$_Z");
    if (n <= TAIL || strcmp(name + n - TAIL, "$_Z")) return NULL;
    to[n - TAIL] = 0;
    return to;
}
static const char *members(void *ctx, const char *owner, const char *name, const char *desc) {
    static char to[64];
    if (!strncmp(owner, "java/", 5) || strlen(name) > 40) return NULL;
    snprintf(to, sizeof to, "m_%s", name);
    return to;
}
static const BciRenaming list[] = {
    {"java/util/", NULL, NULL, "shaded/util/"},
    {"java/util/", "size", "()I", "count"},
    {"java/util/ArrayList", NULL, NULL, "x/List"},
    {"java/util/ArrayList", "add", NULL, "append"},
    {"org/", NULL, NULL, "o/"},
    {"java/util/concurrent/", NULL, NULL, ""},
};

static CfErrCode rename_by(BciClass *c, unsigned how, bool back, CfError *err) {
    BciNames names = {back ? (void *)"" : NULL, tailed, how & 2 ? members : NULL, how & 4 ? BCI_NAMES_STRINGS : 0};
    if (how & 1) return bci_rename_list(c, list, sizeof list / sizeof *list, how & 4 ? BCI_NAMES_STRINGS : 0, err);
    return bci_rename(c, &names, err);
}

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

/* malloc'ed result, or NULL. */
static uint8_t *renamed(const uint8_t *p, size_t n, unsigned how, bool back, bool edit, size_t *m, CfError *err) {
    BciOptions opt = {.flags = how & 8 ? BCI_COMPACT_POOL : 0};
    uint8_t *out = NULL;
    cf_err_clear(err);
    BciClass *c = bci_open(p, n, &opt, err);
    if (c && rename_by(c, how, back, err) == CF_OK) {
        for (int k = 0; edit && k < bci_method_count(c); k++)
            if (bci_code(bci_method(c, k))) bci_op(bci_entry(bci_code(bci_method(c, k))), CF_OP_NOP);
        bci_write(c, NULL, NULL, &out, m, err);
    }
    bci_close(c);
    return out;
}

static void stop(const char *what, const CfError *err) {
    fprintf(stderr, "%s: %s: %s\n", what, err->where, err->text);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static CfError err, ignored;
    unsigned how = size ? data[size / 2] ^ (unsigned)size : 0;
    size_t n, m;
    uint8_t *out = renamed(data, size, how, false, how & 16, &n, &err);
    if (!out) return 0;
    if (verifies(data, size, &ignored)) {
        if (!verifies(out, n, &err)) stop("the result is refused", &err);
        uint8_t *again = renamed(out, n, how, true, false, &m, &err);
        if (!again) stop("not to be renamed back", &err);
        if (!verifies(again, m, &err)) stop("refused when renamed back", &err);
        free(again);
    }
    free(out);
    return 0;
}
