/* SPDX-License-Identifier: Apache-2.0 */
/*
 * java.lang.String as the VM touches it.  VM-made strings always compress
 * (coder 0 whenever every char < 256): equals() and switch rely on it.
 */
#ifndef GRAFT_LANG_STRING_H
#define GRAFT_LANG_STRING_H

#include "thread/thread.h"

Object *string_from_mutf8(Thread *t, const char *s, size_t len); /* [gc][throws] */
Object *string_from_cstr(Thread *t, const char *s);              /* modified UTF-8 */
Object *string_from_utf16(Thread *t, const u2 *s, int32_t len);
Object *string_from_platform(Thread *t, const char *s); /* OS text, UTF-8 or Latin-1 fallback */
Object *string_from_symbol(Thread *t, const Symbol *s);
Object *string_from_symbol_dots(Thread *t, const Symbol *s); /* '/' -> '.' */
int32_t string_length(const Object *s);                      /* chars */
size_t string_mutf8_length(const Object *s);
char *string_to_cstr(const Object *s); /* malloc'ed modified UTF-8; NULL for null */
Symbol *string_to_symbol(const Object *s);
Symbol *string_to_symbol_slashes(const Object *s); /* '.' -> '/' */
void string_get_utf16(const Object *s, int32_t start, int32_t len, u2 *out);
void string_get_mutf8(const Object *s, int32_t start, int32_t len, char *out); /* ended by 0 */
Object *string_intern(Thread *t, Object *s);                                   /* weak table shared with ldc */
Object *string_intern_symbol(Thread *t, const Symbol *s);
/* Calls fn (may be NULL) with every interned string; their number.  fn may not block. */
size_t string_visit_interned(void (*fn)(Object *, void *), void *arg, size_t *table_size);
void string_init(void);

#endif
