/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned names in modified UTF-8.  Two symbols are equal iff their pointers
 * are.  Interned symbols live as long as the VM.  The table is
 * lock-free for look-ups and locked for insertion.
 */
#ifndef GRAFT_OBJECT_SYMBOL_H
#define GRAFT_OBJECT_SYMBOL_H

#include "classfile.h"
#include "core/types.h"
#include <string.h>

struct Symbol {
    u4 hash;
    u2 len;
    u2 flags;     /* free for owners of well-known symbols */
    char bytes[]; /* len bytes and a terminating NUL */
};

enum { SYMBOL_MAX = 0xffff }; /* as long as a Utf8 entry; names made longer (of arrays, of hidden classes) are cut */

void symbol_init(void);
Symbol *symbol_intern(const char *utf8, size_t len);
/* A symbol that equals no other, not even one of the same text; not in the table. */
Symbol *symbol_private(const char *utf8, size_t len);
void symbol_private_free(Symbol *s);
Symbol *symbol_lookup(const char *utf8, size_t len); /* NULL when unknown */
/* Calls fn (may be NULL) with every symbol; their number. */
size_t symbol_visit_all(void (*fn)(const Symbol *, void *), void *arg, size_t *table_size);
static inline Symbol *symbol_of(const char *s) { return symbol_intern(s, strlen(s)); }
/* "a/b/C" -> "a/b"; the empty symbol for the unnamed package. */
Symbol *symbol_package(const Symbol *class_name);
/* '.' <-> '/' variants of a name. */
Symbol *symbol_replace(const Symbol *s, char from, char to);
static inline CfStr symbol_str(const Symbol *s) { return (CfStr){s->bytes, s->len}; }
static inline bool symbol_eq(const Symbol *s, const char *text) { return strcmp(s->bytes, text) == 0; }

#endif
