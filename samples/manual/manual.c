/* SPDX-License-Identifier: Apache-2.0 */
/*
 * manual.c - runs the examples of the manual pages on a class file: manual Demo.class
 *
 * What stands between a line "EXAMPLE header: group" and a line "END" in these files is shown on the page of that group of
 * functions (docs/mkmanual); so an example of the manual always compiles, and check.sh has seen what it prints.
 */
#include "manual.h"

#include <stdlib.h>

static CfAnswer yes(void *ctx, CfStr a, CfStr b) { return CF_YES; }
static CfAnswer no(void *ctx, CfStr a) { return CF_NO; }

bool verifies(const uint8_t *bytes, size_t len) {
    static const CfParseOptions format = {.check = CF_CHECK_FORMAT};
    CfHierarchy h = {.is_assignable = yes, .is_interface = no, .is_superclass_of_this = no};
    CfArena a;
    CfClass *c;
    CfError err;
    cf_err_clear(&err);
    cf_arena_init(&a, "verify", 0);
    bool ok = cf_parse(&c, bytes, len, &a, &format, &err) == CF_OK && cf_verify(c, &h, NULL, &err) == CF_OK;
    if (!ok) printf("%s: %s\n", err.where, err.text);
    cf_arena_free(&a);
    return ok;
}

void finish(const char *what, BciClass *c) {
    uint8_t *out = NULL;
    size_t len = 0;
    CfError err;
    cf_err_clear(&err);
    if (bci_write(c, NULL, NULL, &out, &len, &err) != CF_OK) printf("%s: %s: %s\n", what, err.where, err.text);
    else printf("%s: %s\n", what, verifies(out, len) ? "ok" : "the result is wrong");
    free(out);
    bci_close(c);
}

int main(int argc, char **argv) {
    static uint8_t bytes[65536];
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t len = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (!len) {
        fprintf(stderr, "usage: manual Demo.class\n");
        return 2;
    }
    fclose(f);
    examples_of_the_editor(bytes, len);
    examples_of_plans(bytes, len);
    examples_of_classfile(bytes, len);
    examples_of_base(bytes, len);
    examples_of_the_checked_mode(bytes, len);
    return 0;
}
