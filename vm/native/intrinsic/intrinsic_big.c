/* SPDX-License-Identifier: Apache-2.0 */
/*
 * BigInteger: products and Montgomery's reduction.  Numbers are arrays of words of 32 bits, the highest first; here they are taken apart
 * into words of 64 bits, the lowest first, on the stack.  What does not fit there is multiplied as it is, row by row.
 */
#include "native/intrinsic/intrinsic_int.h"

#include <string.h>

enum { MOST_WORDS = 256, MOST_INTS = 2 * MOST_WORDS };

typedef unsigned __int128 u16b;

static u4 words_of(int32_t ints) { return ((u4)ints + 1) / 2; }

static void load_words(u8 *w, const u4 *p, int32_t n) {
    for (; n > 1; n -= 2) *w++ = p[n - 1] | (u8)p[n - 2] << 32;
    if (n) *w = p[0];
}
static void store_words(u4 *p, int32_t n, const u8 *w) {
    for (; n > 1; n -= 2, w++) {
        p[n - 1] = (u4)*w;
        p[n - 2] = (u4)(*w >> 32);
    }
    if (n) p[0] = (u4)*w;
}

/* r[0..n) += x * k: the carry */
static inline u8 add_multiple(u8 *r, const u8 *x, u4 n, u8 k) {
    u8 carry = 0;
    for (u4 i = 0; i < n; i++) {
        u16b v = (u16b)x[i] * k + r[i] + carry;
        r[i] = (u8)v;
        carry = (u8)(v >> 64);
    }
    return carry;
}
static void multiply_words(u8 *r, const u8 *x, u4 nx, const u8 *y, u4 ny) {
    memset(r, 0, nx * sizeof *r);
    for (u4 i = 0; i < ny; i++) r[nx + i] = add_multiple(r + i, x, nx, y[i]);
}

/* Products of two different words count twice; those of a word and itself are added behind the doubling. */
static void square_words(u8 *r, const u8 *x, u4 n) {
    memset(r, 0, n * sizeof *r);
    for (u4 i = 0; i < n; i++) r[n + i] = add_multiple(r + 2 * i + 1, x + i + 1, n - 1 - i, x[i]);
    u8 carry = 0, from_below = 0;
    for (u4 i = 0; i < n; i++) {
        u8 low = r[2 * i], high = r[2 * i + 1];
        u16b square = (u16b)x[i] * x[i], v = (u16b)(low << 1 | from_below) + (u8)square + carry;
        r[2 * i] = (u8)v;
        v = (u16b)(high << 1 | low >> 63) + (u8)(square >> 64) + (u8)(v >> 64);
        r[2 * i + 1] = (u8)v;
        carry = (u8)(v >> 64);
        from_below = high >> 63;
    }
}

/* n <= MOST_INTS */
static void multiply(u4 *z, const u4 *x, int32_t nx, const u4 *y, int32_t ny) {
    u8 a[MOST_WORDS], b[MOST_WORDS], r[2 * MOST_WORDS];
    load_words(a, x, nx);
    if (x == y && nx == ny) {
        square_words(r, a, words_of(nx));
    } else {
        load_words(b, y, ny);
        multiply_words(r, a, words_of(nx), b, words_of(ny));
    }
    store_words(z, nx + ny, r);
}

/* z[0..n] += x * k, where z[0] is not there yet */
static void add_row(u4 *z, const u4 *x, int32_t n, u4 k) {
    u8 carry = 0;
    for (int32_t i = n - 1; i >= 0; i--) {
        u8 v = (u8)x[i] * k + z[i + 1] + carry;
        z[i + 1] = (u4)v;
        carry = v >> 32;
    }
    z[0] = (u4)carry;
}
/* Of big_multiply's arguments: what takes seconds lets others stop it between rows, which may move the arrays. */
static void multiply_rows(Thread *t, Slot *args) {
    int32_t nx = args[1].i, ny = args[3].i;
    memset(array_data(args[4].ref), 0, (size_t)(nx + ny) * sizeof(u4));
    for (int32_t i = ny - 1; i >= 0 && !t->exception; i--) {
        add_row((u4 *)array_data(args[4].ref) + i, array_data(args[0].ref), nx, ARRAY_ELEMS(u4, args[2].ref)[i]);
        thread_poll(t);
    }
}

/* implMultiplyToLen(x, length, y, length, z): z, or another one if there is not enough room */
void big_multiply(Thread *t, Slot *args, Slot *ret) {
    int32_t nx = args[1].i, ny = args[3].i;
    if (nx < 1 || ny < 1) { /* those that call it made sure of the rest */
        throw_new(t, EX_ArrayIndexOutOfBoundsException, "Index %d out of bounds for length %d", -1, 0);
        return;
    }
    Object *z = args[4].ref;
    if (!z || array_len(z) < nx + ny) args[4].ref = z = heap_alloc_array(t, primitive_array_classes[T_INT], nx + ny);
    if (!z) return;
    if (nx > MOST_INTS || ny > MOST_INTS) multiply_rows(t, args);
    else multiply(array_data(z), array_data(args[0].ref), nx, array_data(args[2].ref), ny);
    ret->ref = args[4].ref;
}

/* implSquareToLen(x, length, z, its length) */
bool big_square(Thread *t, Slot *args, Slot *ret) {
    int32_t n = args[1].i;
    if (!args[0].ref || !args[2].ref || n < 1 || n > MOST_INTS || n > array_len(args[0].ref) || args[3].i != 2 * n ||
        array_len(args[2].ref) < 2 * n)
        return false;
    multiply(array_data(args[2].ref), array_data(args[0].ref), n, array_data(args[0].ref), n);
    ret->ref = args[2].ref;
    return true;
}

/* r -= x: the borrow */
static u8 subtract(u8 *r, const u8 *x, u4 n) {
    u8 borrow = 0;
    for (u4 i = 0; i < n; i++) {
        u16b v = (u16b)r[i] - x[i] - borrow;
        r[i] = (u8)v;
        borrow = (u8)(v >> 64) & 1;
    }
    return borrow;
}
static bool is_less(const u8 *x, const u8 *y, u4 n) {
    while (n--)
        if (x[n] != y[n]) return x[n] < y[n];
    return false;
}

/* The product's lower half becomes 0 by adding multiples of n; inv * n is -1 modulo 2^64. */
static void montgomery(u8 *result, const u8 *a, const u8 *b, const u8 *n, u4 words, u8 inv) {
    u8 r[2 * MOST_WORDS], over = 0;
    if (a == b) square_words(r, a, words);
    else multiply_words(r, a, words, b, words);
    for (u4 i = 0; i < words; i++) {
        u8 carry = add_multiple(r + i, n, words, r[i] * inv);
        u4 k = i + words;
        for (; carry && k < 2 * words; k++) carry = __builtin_add_overflow(r[k], carry, &r[k]);
        over += carry;
    }
    u8 *high = r + words;
    while (over) over -= subtract(high, n, words);
    while (!is_less(high, n, words)) subtract(high, n, words);
    memcpy(result, high, words * sizeof *high);
}

static bool is_number(const Object *o, int32_t len) { return o && array_len(o) >= len; }

static bool multiply_reduced(const Object *a, const Object *b, const Object *n, int32_t len, int64_t inv, Object *to, Slot *ret) {
    u8 x[MOST_WORDS], y[MOST_WORDS], by[MOST_WORDS], result[MOST_WORDS];
    if (len < 2 || len > MOST_INTS || len % 2) return false;
    if (!is_number(a, len) || !is_number(b, len) || !is_number(n, len) || !is_number(to, len)) return false;
    u4 words = words_of(len);
    load_words(x, array_data(a), len);
    if (a != b) load_words(y, array_data(b), len);
    load_words(by, array_data(n), len);
    if (!by[words - 1] || by[0] * (u8)inv != UINT64_MAX) return false; /* the Java code goes on by the lower half of inv alone */
    montgomery(result, x, a == b ? x : y, by, words, (u8)inv);
    store_words(array_data(to), len, result);
    ret->ref = to;
    return true;
}
/* implMontgomeryMultiply(a, b, n, length, inv, product), implMontgomerySquare(a, n, ...): the first words of `product` count */
bool big_montgomery_multiply(Thread *t, Slot *args, Slot *ret) {
    return multiply_reduced(args[0].ref, args[1].ref, args[2].ref, args[3].i, args[4].j, args[6].ref, ret);
}
bool big_montgomery_square(Thread *t, Slot *args, Slot *ret) {
    return multiply_reduced(args[0].ref, args[0].ref, args[1].ref, args[2].i, args[3].j, args[5].ref, ret);
}
