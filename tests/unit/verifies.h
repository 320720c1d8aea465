/* SPDX-License-Identifier: Apache-2.0 */
/* verifies.h - does a class pass the format checks and the verifier, when an Object is no more than that, and all else may be a Throwable? */
#ifndef VERIFIES_H
#define VERIFIES_H

#include "classfile.h"
#include "cf_test.h"

static CfAnswer no_interface(void *ctx, CfStr name) { return CF_NO; }
static CfAnswer assignable(void *ctx, CfStr from, CfStr to) {
    return cf_str_is(to, "java/lang/Throwable") && !cf_str_is(from, "java/lang/Object") ? CF_YES : CF_NO;
}
static CfAnswer is_super(void *ctx, CfStr name) { return CF_NO; }

static bool verifies(const uint8_t *p, size_t n) {
    CfArena a;
    CfError err;
    CfClass *c;
    CfParseOptions format = {.check = CF_CHECK_FORMAT, .any_version = true};
    CfHierarchy h = {.is_assignable = assignable, .is_interface = no_interface, .is_superclass_of_this = is_super};
    cf_arena_init(&a, "verify", 0);
    cf_err_clear(&err);
    bool ok = cf_parse(&c, p, n, &a, &format, &err) == CF_OK && cf_verify(c, &h, NULL, &err) == CF_OK;
    if (!ok) printf("%s: %s\n", err.where, err.text);
    cf_arena_free(&a);
    return ok;
}

#endif
