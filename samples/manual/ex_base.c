/* SPDX-License-Identifier: Apache-2.0 */
/* ex_base.c - examples of the small headers that classfile.h brings: memory, bytes, errors, tables; see manual.c. */
#include <stdlib.h>

#include "manual.h"

/* EXAMPLE cf_arena.h */
static const char *two_copies(CfArena *a, const char *text) {
    size_t n = strlen(text);
    char *p = CF_NEW_ARRAY(a, char, 2 * n + 1);
    if (p) {
        memcpy(p, text, n);
        memcpy(p + n, text, n);
    }
    return p;
}
/* END */

/* EXAMPLE cf_bytes.h: reader */
/* Version of a class file; 0 if it is none. Reads past the end are answered with 0. */
static unsigned version_of(const uint8_t *bytes, size_t len) {
    CfReader r = cf_reader(bytes, len);
    uint32_t magic = cf_r_u4(&r);
    cf_r_take(&r, 2);
    unsigned major = cf_r_u2(&r);
    return magic == 0xCAFEBABE && !r.bad ? major : 0;
}
/* END */

/* EXAMPLE cf_bytes.h: raw access */
static unsigned pool_size(const uint8_t *class_file) { return cf_get_u2(class_file + 8); }
/* END */

/* EXAMPLE cf_bytes.h: writer */
/* A length in front of what is written later. */
static void write_text(CfWriter *w, const char *text) {
    size_t at = w->len;
    cf_w_u2(w, 0);
    cf_w_bytes(w, text, strlen(text));
    cf_w_patch_u2(w, at, (unsigned)(w->len - at - 2));
}
/* END */

/* EXAMPLE cf_err.h */
static CfErrCode check_even(int n, CfError *err) { return n % 2 ? cf_fail(err, CF_ERR_FORMAT, -1, "%d is odd", n) : CF_OK; }
static CfErrCode check_both(int a, int b, CfError *err) {
    CF_TRY(check_even(a, err));
    return check_even(b, err);
}
/* END */

/* EXAMPLE cf_table.h */
static bool same_text(const void *item, const void *key) { return strcmp(item, key) == 0; }
/* True if the text was not there yet. */
static bool intern(CfTable *t, const char *text) {
    uint32_t h = cf_hash_bytes(text, strlen(text));
    return !cf_table_find(t, h, same_text, text) && cf_table_add(t, h, (void *)text);
}
/* END */

/* EXAMPLE cf_vec.h */
static int sum_of_squares(int n) {
    CF_VEC(int) v = {0};
    int sum = 0;
    for (int i = 1; i <= n; i++)
        if (!cf_vec_push(&v, i * i)) break;
    for (uint32_t i = 0; i < v.len; i++) sum += v.data[i];
    cf_vec_free(&v);
    return sum;
}
/* END */

void examples_of_base(const uint8_t *bytes, size_t len) {
    CfArena a;
    CfWriter w;
    CfTable t = {0};
    CfError err;
    cf_arena_init(&a, "manual", 0);
    cf_w_init(&w);
    cf_err_clear(&err);
    write_text(&w, "abc");
    printf("%s, version %u, %s, %zu bytes\n", two_copies(&a, "ab"), version_of(bytes, len),
           pool_size(bytes) > 10 ? "a pool" : "no pool", w.len);
    printf("%d %s\n", check_both(2, 3, &err) == CF_ERR_FORMAT, err.text);
    printf("%d%d%d, %d\n", intern(&t, "x"), intern(&t, "y"), intern(&t, "x"), sum_of_squares(3));
    cf_table_free(&t);
    cf_w_free(&w);
    cf_arena_free(&a);
}
