/* SPDX-License-Identifier: Apache-2.0 */
/* edited_class.h - a handle of a class that a test has made, and the round from one handle to the next. */
#ifndef EDITED_CLASS_H
#define EDITED_CLASS_H

#include <stdlib.h>

#include "bci.h"
#include "cf_test.h"

typedef struct Edit { /* its bytes are freed by `drop` */
    uint8_t *bytes;
    BciClass *c;
    BciCode *code; /* of the first method */
} Edit;

/* Takes the bytes. */
static inline Edit open_made(uint8_t *bytes, size_t n) {
    CfError err;
    cf_err_clear(&err);
    BciOptions opt = {.flags = BCI_VERIFY_RESULT};
    Edit e = {bytes, bci_open(bytes, n, &opt, &err), NULL};
    CHECK(e.c);
    e.code = bci_code(bci_method(e.c, 0));
    return e;
}

/* public class t/T, with nothing in it. The caller frees its bytes. */
static inline CfWriter empty_class(unsigned major) {
    CfArena a;
    CfWriter w;
    cf_arena_init(&a, "test", 0);
    cf_w_init(&w);
    CfClass *c = cf_class_new(&a, major, CF_ACC_PUBLIC | CF_ACC_SUPER, CF_STR("t/T"), CF_STR("java/lang/Object"));
    CHECK(c && cf_write(c, &w, NULL) == CF_OK);
    cf_arena_free(&a);
    return w;
}

static inline Edit fresh(unsigned major) {
    CfWriter w = empty_class(major);
    return open_made(w.data, w.len);
}

static inline void drop(Edit e) {
    bci_close(e.c);
    free(e.bytes);
}

/* Writes, and opens the result. */
static inline Edit again(Edit e) {
    CfError err;
    uint8_t *out;
    size_t n;
    cf_err_clear(&err);
    CHECK(bci_write(e.c, NULL, NULL, &out, &n, &err) == CF_OK);
    CHECK_TEXT(err.text, "");
    drop(e);
    return open_made(out, n);
}

#endif
