/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbol table: open addressing over an array of atomic pointers.
 *
 * Readers load the current table (acquire) and probe; a published cell never changes, so a hit is
 * final and a miss is retried under the lock.  Growing builds a second array and publishes it;
 * the old one stays because a reader may still be in it (all old ones together are smaller than
 * the current one).  Symbols live in chunks that are never freed.
 *
 *   word         states                     writer                                 reader
 *   table        a -> twice as large, ...   release, [lock], behind all its cells  acquire; relaxed under the lock
 *   cells[i]     NULL -> a Symbol, once     release, [lock], behind the Symbol     acquire, then hash, len, bytes
 *   Symbol.hash, len, bytes   never change  before its cell                        behind the cell
 * A reader of an old table may miss what only the new one has; it asks again under the lock.  x86-64: all plain moves.  ARM64: stlr
 * and ldar; the dependency from the cell's address would do for its bytes.  Stress: test_symbols_raced (tests/unit/test_vm_heap.c).
 */
#include "core/lock.h"
#include "core/vm.h"
#include "core/reserve.h"
#include "object/symbol.h"

#include <stdlib.h>

typedef struct SymbolTable {
    u4 mask;
    _Atomic(Symbol *) cells[];
} SymbolTable;

enum { FIRST_SIZE = 1 << 14, CHUNK = 64 * 1024 };

static _Atomic(SymbolTable *) table;
static u4 n_symbols;
static char *chunk, *chunk_end;
static VmLock lock = VM_LOCK(SYMBOLS);

static SymbolTable *table_new(u4 size) {
    SymbolTable *t = calloc(1, sizeof *t + (size_t)size * sizeof t->cells[0]);
    if (t) t->mask = size - 1;
    return t;
}

void symbol_init(void) {
    if (!atomic_load(&table)) atomic_store(&table, table_new(FIRST_SIZE));
    if (!atomic_load(&table)) vm_exit_during_init("java.lang.OutOfMemoryError: no memory for symbols");
}

/* Eight bytes a step; the tail is read bytewise, so nothing past the end is touched. */
static u4 hash_bytes(const char *s, size_t len) {
    u8 h = len * 0x9e3779b97f4a7c15u;
    for (; len >= 8; s += 8, len -= 8) {
        u8 w;
        memcpy(&w, s, 8);
        h = (h ^ w) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    u8 w = 0;
    memcpy(&w, s, len);
    h = (h ^ w) * 0xc4ceb9fe1a85ec53u;
    return (u4)(h ^ h >> 29 ^ h >> 47);
}

static Symbol *find(SymbolTable *t, u4 hash, const char *s, size_t len, u4 *free_cell) {
    for (u4 i = hash & t->mask;; i = (i + 1) & t->mask) {
        Symbol *y = atomic_load_explicit(&t->cells[i], memory_order_acquire);
        if (!y) {
            if (free_cell) *free_cell = i;
            return NULL;
        }
        if (y->hash == hash && y->len == len && memcmp(y->bytes, s, len) == 0) return y;
    }
}

/* Without memory the old one does it for a while, with longer searches. */
static SymbolTable *grow(SymbolTable *old) {
    SymbolTable *t = table_new((old->mask + 1) * 2);
    if (!t && n_symbols + 2 < old->mask) return old;
    /* A third of the table has been filled since growing failed first; whoever wanted the symbols had memory for them. */
    if (!t) FATAL("out of memory for %u symbols", n_symbols);
    for (u4 i = 0; i <= old->mask; i++) {
        Symbol *y = atomic_load_explicit(&old->cells[i], memory_order_relaxed);
        if (!y) continue;
        u4 j = y->hash & t->mask;
        while (atomic_load_explicit(&t->cells[j], memory_order_relaxed)) j = (j + 1) & t->mask;
        atomic_store_explicit(&t->cells[j], y, memory_order_relaxed);
    }
    atomic_store_explicit(&table, t, memory_order_release);
    return t;
}

static Symbol *fill(Symbol *y, const char *s, size_t len, u4 hash) {
    y->hash = hash;
    y->len = (u2)len;
    y->flags = 0;
    memcpy(y->bytes, s, len);
    y->bytes[len] = 0;
    return y;
}

static Symbol *make(const char *s, size_t len, u4 hash) {
    size_t size = ALIGN_UP(sizeof(Symbol) + len + 1, 8);
    Symbol *y;
    if (size > CHUNK / 4) {
        y = reserve_alloc(size, "a symbol");
    } else {
        if (size > (size_t)(chunk_end - chunk)) {
            chunk = reserve_alloc(CHUNK, "symbols");
            chunk_end = chunk + CHUNK;
        }
        y = (Symbol *)chunk;
        chunk += size;
    }
    return fill(y, s, len, hash);
}

Symbol *symbol_private(const char *s, size_t len) {
    if (len > SYMBOL_MAX) len = SYMBOL_MAX;
    return fill(reserve_alloc(sizeof(Symbol) + len + 1, "a symbol"), s, len, hash_bytes(s, len));
}

void symbol_private_free(Symbol *s) { free(s); }

Symbol *symbol_lookup(const char *s, size_t len) {
    if (len > SYMBOL_MAX) return NULL;
    return find(atomic_load_explicit(&table, memory_order_acquire), hash_bytes(s, len), s, len, NULL);
}

Symbol *symbol_intern(const char *s, size_t len) {
    if (len > SYMBOL_MAX) len = SYMBOL_MAX;
    u4 hash = hash_bytes(s, len), cell;
    Symbol *y = find(atomic_load_explicit(&table, memory_order_acquire), hash, s, len, NULL);
    if (y) return y;
    HOLDING(&lock);
    SymbolTable *t = atomic_load_explicit(&table, memory_order_relaxed);
    y = find(t, hash, s, len, &cell);
    if (y) return y;
    if (n_symbols + n_symbols / 2 > t->mask) {
        t = grow(t);
        find(t, hash, s, len, &cell);
    }
    y = make(s, len, hash);
    n_symbols++;
    atomic_store_explicit(&t->cells[cell], y, memory_order_release);
    return y;
}

Symbol *symbol_package(const Symbol *class_name) {
    const char *slash = memrchr(class_name->bytes, '/', class_name->len);
    return symbol_intern(class_name->bytes, slash ? (size_t)(slash - class_name->bytes) : 0);
}

Symbol *symbol_replace(const Symbol *s, char from, char to) {
    char *copy = reserve_alloc((size_t)s->len + 1, "a name");
    for (u4 i = 0; i < s->len; i++) copy[i] = s->bytes[i] == from ? to : s->bytes[i];
    Symbol *y = symbol_intern(copy, s->len);
    free(copy);
    return y;
}

size_t symbol_visit_all(void (*fn)(const Symbol *, void *), void *arg, size_t *table_size) {
    SymbolTable *t = atomic_load(&table);
    size_t n = 0;
    for (u4 i = 0; t && i <= t->mask; i++) {
        Symbol *y = atomic_load_explicit(&t->cells[i], memory_order_acquire);
        if (!y) continue;
        n++;
        if (fn) fn(y, arg);
    }
    *table_size = t ? (size_t)t->mask + 1 : 0;
    return n;
}
