/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec_library.c - calls of the class library and of Lib.java, most with arguments at the edge of what is allowed.
 */
#include "exec_gen.h"

#include <string.h>

enum { S, V };
typedef struct Row {
    uint8_t way;
    const char *owner, *name, *desc;
} Row;
static const Row rows[] = {
#define CALL(way, owner, name, desc) {way, owner, name, desc},
#include "exec_library.def"
#undef CALL
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* The type at *d, which moves behind it; TY_COUNT: no value of generated programs has it. */
static Ty next_type(const char **d) {
    for (unsigned t = 0; t < TY_COUNT; t++) {
        size_t n = strlen(ty_desc[t]);
        if (strncmp(*d, ty_desc[t], n)) continue;
        *d += n;
        return (Ty)t;
    }
    return TY_COUNT;
}

static Ty result_of(const Row *r) {
    const char *d = strchr(r->desc, ')') + 1;
    return next_type(&d);
}

static void argument(Gen *g, Ty ty, int depth) {
    if (ty == TY_I && percent(25)) push_int(g, edge_int(), 0);
    else if (depth > 0) expr(g, ty, depth);
    else leaf(g, ty);
    narrow(g, ty);
}

bool library(Gen *g, Ty ret, int depth) {
    uint32_t at = below(ROWS);
    const Row *r = NULL;
    for (uint32_t i = 0; i < ROWS && !r; i++) {
        const Row *x = &rows[(at + i) % ROWS];
        if (result_of(x) == ret || (ret == TY_I && ty_kind(result_of(x)) == 'I')) r = x;
    }
    if (!r) return false;
    int n = r->way == V;
    if (n) expr(g, strcmp(r->owner, "java/lang/Object") ? TY_STRING : TY_OBJECT, depth - 1);
    for (const char *d = r->desc + 1; *d != ')'; n++) argument(g, next_type(&d), depth - 2);
    asm_op2(&g->a, r->way == V ? CF_OP_INVOKEVIRTUAL : CF_OP_INVOKESTATIC,
            cf_add_method_ref(g->c, cf_str(r->owner), cf_str(r->name), cf_str(r->desc), false), n, result_of(r));
    return true;
}
