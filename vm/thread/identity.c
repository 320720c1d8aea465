/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identity hashes.
 *
 * Programs see them more often than they know: sets and maps of enum constants, classes and objects without a hashCode of their own are walked in
 * their order.  On the reference a program with one thread meets the same numbers in every run, so people have outputs and tests that depend
 * on them.  So they are drawn, not derived from addresses, and as the reference draws them:
 *
 *   sequence   each thread has its own, a xorshift generator of 128 bits (Marsaglia, Xorshift RNGs, 2003); the first word of its state
 *              comes from a common one (Park and Miller's: times 16807 modulo 2^31 - 1), the others are the same for all threads.
 *   program    what the main thread draws before it runs a program comes from elsewhere.  Then it begins where the reference's main thread is
 *              when its archive of classes has spared it most of start-up: PROGRAM_SKIPS numbers in.
 *   drawn for  objects that are asked; mirrors when their class is linked, unless the reference has them in the archive, with numbers
 *              (link/archived.c); protection domains when a class is defined in them.  Loaders of the VM and modules of the boot layer have theirs
 *              before the program (start/startup.c).
 *
 * With that, numbers agree through class loading, lambdas, texts joined, streams and formats (tools/identity).  They part where the class library asks
 * for a number that only one of both had before, as getMethods does for names that are texts of the archive.  Then what is printed is at least the
 * same in each run.  Threads but main have other numbers than on the reference, where they depend on how many threads the VM made for itself.
 *
 * WHERE   In cells beside the heap (heap/hashes.c); a bit of the header says that the object's is valid.  Objects that move take theirs along
 *         (heap/compact.c).
 * RACE    Who sets the bit LOCK_HASHING first writes the cell and sets the other (release) behind it; others wait for that, some instructions.  There is
 *         no poll in between, so in a pause an object has both bits or none.
 *
 * Rejected: 31 bits in the header: a monitor would have to keep them, and there is no room beside the thread and its count.  The address as
 * hash, as it was: another order in each run, and what was hashed could not move.
 */
#include "thread/identity.h"
#include "thread/thread_upcall.h"

#include <sched.h>
#include <string.h>

enum {
    SEED_FACTOR = 16807,
    SEED_MODULUS = 2147483647,
    SEED_BEGIN = 1234567,
    FIRST_OF_ALL = (int)((u8)SEED_BEGIN * SEED_FACTOR % SEED_MODULUS),
    BOOT_SEED = 88172645,
    PROGRAM_SKIPS = 3
};

u4 *object_hash_rows, *object_hash_cells;
_Static_assert(1 << HASH_CELL_SHIFT == OBJECT_LEAST, "each object has a cell");

static _Atomic u4 last_seed = SEED_BEGIN;

static u4 next_seed(void) {
    u4 was = atomic_load(&last_seed), now;
    do now = (u4)((u8)was * SEED_FACTOR % SEED_MODULUS);
    while (!atomic_compare_exchange_weak(&last_seed, &was, now));
    return now;
}

static void begin(Thread *t, u4 seed) {
    static const u4 rest[] = {842502087, 0x8767, 273326509};
    t->hashes[0] = seed;
    memcpy(&t->hashes[1], rest, sizeof rest);
}

static int32_t draw(Thread *t) {
    u4 *s = t->hashes, x = s[0] ^ s[0] << 11, w = s[3];
    memmove(s, s + 1, 3 * sizeof *s);
    s[3] = w ^ w >> 19 ^ x ^ x >> 8;
    int32_t h = (int32_t)(s[3] & INT32_MAX);
    return h ? h : 0xBAD;
}

static void make_hash(Thread *t, Object *o) {
    int32_t h = upcall_archived_hash(o);
    if (!h) h = draw(t);
    upcall_hash_row(o);
    if (obj_claim_hash(o)) {
        __atomic_store_n(object_hash_cell(o), (u4)h, __ATOMIC_RELAXED);
        obj_set_hashed(o);
    } else {
        while (!obj_is_hashed(o)) sched_yield();
    }
}

int32_t object_hash(Thread *t, Object *o) {
    if (UNLIKELY(!obj_is_hashed(o))) make_hash(t, o);
    return (int32_t)__atomic_load_n(object_hash_cell(o), __ATOMIC_RELAXED);
}

void object_hash_move(const Object *from, Object *to) {
    if (!obj_is_hashed(to)) return;
    upcall_hash_row(to);
    *object_hash_cell(to) = *object_hash_cell(from);
}

void identity_init(Thread *t) {
    u4 seed = next_seed();
    begin(t, seed == FIRST_OF_ALL ? BOOT_SEED : seed); /* the first thread has it when the program starts */
}

void identity_start_program(Thread *t) {
    begin(t, FIRST_OF_ALL);
    for (int i = 0; i < PROGRAM_SKIPS; i++) draw(t);
}
