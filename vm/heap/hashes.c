/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where identity hashes are (thread/identity.c): beside the heap, since headers have no room.
 *
 * ROW    What 256 bytes of the heap have: sixteen cells of four bytes, one for each place where an object may begin (OBJECT_LEAST).  Made when the first
 *        object there is asked, so that a few thousand hashed objects all over the heap take a few hundred KB: one table of cells for all of it
 *        took a page for every 16 KB, 8 % of the memory of javac.
 * TABLE  From the address to the number of the row, a word for each; 0: there is none.
 * LIFE   Rows where nothing lives any more are taken back at the end of a collection, once there are twice as many as the last time left.  A cell is valid
 *        while the object's header says so, hence nobody clears any.
 *
 * Rows are as many as can be at most, of address space that is committed with the heap's blocks: making one cannot fail.
 * Rejected: a hash table by address: it wants growth while others read, and a look at each entry in each collection.
 */
#include "heap/heap_int.h"
#include "os/os.h"
#include "thread/identity.h"
#include "thread/thread_upcall.h"

enum {
    ROWS_PER_BLOCK = BLOCK_BYTES >> HASH_ROW_SHIFT,
    LINES_PER_ROW = (1 << HASH_ROW_SHIFT) / LINE_BYTES,
    ROW_BYTES = HASH_ROW_CELLS * sizeof(u4),
    FEW = 1 << 14 /* rows that nobody takes back */
};

static VmLock lock = VM_LOCK(HASHES);
static u4 *table;                       /* object_hash_rows, from the heap's base on */
static u1 *block_has;                   /* rows, perhaps */
static u4 n_made = 1, n_used, free_row; /* [lock]; a free row's first cell names the next one */
static size_t due = FEW, reserved,
              committed; /* bytes of cells: of all blocks, of those that are committed and as many as are kept */

static u4 *row_cells(u4 row) { return object_hash_cells + (size_t)row * HASH_ROW_CELLS; }

bool hashes_init(size_t blocks, void *(*side_table)(size_t bytes)) {
    reserved = ALIGN_UP((blocks * ROWS_PER_BLOCK + 1) * ROW_BYTES, os_page_size()); /* row 0 is none */
    table = side_table(blocks * ROWS_PER_BLOCK * sizeof *table);
    block_has = side_table(blocks);
    object_hash_cells = os_reserve(NULL, reserved);
    if (!table || !block_has || !object_hash_cells) return false;
    object_hash_rows = table - ((uintptr_t)heap.base >> HASH_ROW_SHIFT);
    return hashes_commit(0);
}

bool hashes_commit(size_t blocks) {
    size_t wanted = ALIGN_UP(((blocks + KEPT_BLOCKS) * ROWS_PER_BLOCK + 1) * ROW_BYTES, os_page_size());
    if (wanted > reserved) wanted = reserved;
    if (wanted <= committed) return true;
    if (!os_commit((u1 *)object_hash_cells + committed, wanted - committed)) return false;
    committed = wanted;
    return true;
}

/* [lock] */
static u4 take_row(void) {
    u4 row = free_row;
    if (row) free_row = *row_cells(row);
    else row = n_made++;
    n_used++;
    return row;
}

void upcall_hash_row(const Object *o) {
    u4 *place = &object_hash_rows[(uintptr_t)o >> HASH_ROW_SHIFT];
    if (__atomic_load_n(place, __ATOMIC_ACQUIRE)) return;
    HOLDING(&lock);
    if (*place) return;
    block_has[block_index(o)] = 1;
    __atomic_store_n(place, take_row(), __ATOMIC_RELEASE);
}

/* ---- taking back ---- */

static bool is_dead(size_t block, u4 row) {
    u1 state = heap.block_state[block];
    if (state <= BLOCK_FREE) return true;
    if (state >= BLOCK_LARGE) return false;
    const u1 *lines = heap.line_marks + block * LINES_PER_BLOCK + row * LINES_PER_ROW;
    for (u4 i = 0; i < LINES_PER_ROW; i++)
        if (lines[i]) return false;
    return true;
}

static void sweep_block(size_t block) {
    u4 *rows = table + block * ROWS_PER_BLOCK;
    bool any = false;
    for (u4 i = 0; i < ROWS_PER_BLOCK; i++) {
        if (!rows[i]) continue;
        if (!is_dead(block, i)) {
            any = true;
            continue;
        }
        *row_cells(rows[i]) = free_row;
        free_row = rows[i];
        rows[i] = 0;
        n_used--;
    }
    block_has[block] = any;
}

void hashes_sweep(void) {
    if (n_used < due) return;
    for (size_t i = 0; i < heap.n_blocks; i++)
        if (block_has[i]) sweep_block(i);
    due = 2 * (size_t)n_used > FEW ? 2 * (size_t)n_used : FEW;
}
