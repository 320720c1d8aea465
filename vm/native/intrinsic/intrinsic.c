/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the C function of a VM native by class, name and descriptor.  Link
 * asks for every method of every boot class, so classes without any row are
 * turned away by a flag of their name symbol.
 */
#include "native/intrinsic/intrinsic_int.h"
#include "native/intrinsic/intrinsic.h"

enum { TABLE_SIZE = 2048, SYMBOL_HAS_INTRINSICS = 0x4000 };

typedef struct Row {
    Symbol *cls, *name, *desc;
    Intrinsic body;
} Row;
static Row table[TABLE_SIZE];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct {
    const char *cls, *name, *desc;
    Intrinsic body;
} rows[] = {
#define INTRINSIC(cls, name, desc, fn) {cls, name, desc, {fn, NULL, false}},
#define LEAF(cls, name, desc, fn) {cls, name, desc, {fn, NULL, true}},
#define QUICK(cls, name, desc, fn) {cls, name, desc, {NULL, fn, false}},
#include "native/intrinsic/intrinsic.def"
};
_Static_assert(ARRAY_LEN(rows) < TABLE_SIZE * 3 / 4, "intrinsic table too full");

static u4 slot_of(Symbol *cls, Symbol *name, Symbol *desc) {
    return (cls->hash * 31u + name->hash * 7u + desc->hash) & (TABLE_SIZE - 1);
}

static void build(void) {
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        Row r = {symbol_of(rows[i].cls), symbol_of(rows[i].name), symbol_of(rows[i].desc), rows[i].body};
        r.cls->flags |= SYMBOL_HAS_INTRINSICS;
        u4 k = slot_of(r.cls, r.name, r.desc);
        while (table[k].cls) k = (k + 1) & (TABLE_SIZE - 1);
        table[k] = r;
    }
}

Intrinsic native_intrinsic(Symbol *cls, Symbol *name, Symbol *desc) {
    static const Intrinsic none = {0};
    pthread_once(&once, build);
    if (!(cls->flags & SYMBOL_HAS_INTRINSICS)) return none;
    for (u4 k = slot_of(cls, name, desc); table[k].cls; k = (k + 1) & (TABLE_SIZE - 1))
        if (table[k].cls == cls && table[k].name == name && table[k].desc == desc) return table[k].body;
    return none;
}
