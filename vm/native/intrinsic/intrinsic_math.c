/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Math, Integer, Long, Float, Double.  Exact functions (sqrt, rounding, fma, bit
 * operations) are the C ones.  sin ... pow of Math may differ from StrictMath within
 * one ulp by specification; special cases that C99 treats otherwise than Java are
 * handled here.  StrictMath transcendentals stay with the class library.
 */
#include "native/intrinsic/intrinsic_int.h"

#include <math.h>

#define UNARY(name, expr) \
    void math_##name(Thread *t, Slot *args, Slot *ret) { \
        double x = args[0].d; \
        ret->d = expr; \
    }
UNARY(sin, sin(x))
UNARY(cos, cos(x))
UNARY(tan, tan(x))
UNARY(exp, exp(x))
UNARY(log, log(x))
/* One rounding from the 80-bit result: glibc's log10 is off by an ulp in one case of seven, the
 * reference's in one of thousands. */
UNARY(log10, (double)log10l(x))
UNARY(sqrt, sqrt(x))
UNARY(floor, floor(x))
UNARY(ceil, ceil(x))
UNARY(rint, nearbyint(x))

/* Java: NaN exponent, and |x| == 1 with an infinite exponent, give NaN. */
void math_pow(Thread *t, Slot *args, Slot *ret) {
    double x = args[0].d, y = args[2].d;
    if (y == 0.0) ret->d = 1.0;
    else if (isnan(x) || isnan(y) || (isinf(y) && fabs(x) == 1.0)) ret->d = NAN;
    else if (y == 2.0) ret->d = x * x;
    else ret->d = pow(x, y);
}
void math_fma(Thread *t, Slot *args, Slot *ret) { ret->d = fma(args[0].d, args[2].d, args[4].d); }
void math_fmaf(Thread *t, Slot *args, Slot *ret) { ret->f = fmaf(args[0].f, args[1].f, args[2].f); }
void math_multiply_high(Thread *t, Slot *args, Slot *ret) { ret->j = (int64_t)((__int128)args[0].j * args[2].j >> 64); }

void math_abs_int(Thread *t, Slot *args, Slot *ret) { ret->i = args[0].i < 0 ? (int32_t) - (u4)args[0].i : args[0].i; }
void math_abs_long(Thread *t, Slot *args, Slot *ret) { ret->j = args[0].j < 0 ? (int64_t) - (u8)args[0].j : args[0].j; }
void math_abs_float(Thread *t, Slot *args, Slot *ret) { ret->i = args[0].i & 0x7fffffff; }
void math_abs_double(Thread *t, Slot *args, Slot *ret) { ret->j = args[0].j & INT64_MAX; }
void math_max_int(Thread *t, Slot *args, Slot *ret) { ret->i = args[0].i >= args[1].i ? args[0].i : args[1].i; }
void math_min_int(Thread *t, Slot *args, Slot *ret) { ret->i = args[0].i <= args[1].i ? args[0].i : args[1].i; }
void math_max_long(Thread *t, Slot *args, Slot *ret) { ret->j = args[0].j >= args[2].j ? args[0].j : args[2].j; }
void math_min_long(Thread *t, Slot *args, Slot *ret) { ret->j = args[0].j <= args[2].j ? args[0].j : args[2].j; }
/* NaN wins; -0.0 is less than 0.0 */
#define MINMAX(Type, member, second) \
    void math_max_##Type(Thread *t, Slot *args, Slot *ret) { \
        Type a = args[0].member, b = args[second].member; \
        if (a != a) ret->member = a; \
        else if (a == 0 && b == 0) ret->member = signbit(a) ? b : a; \
        else ret->member = a >= b ? a : b; \
    } \
    void math_min_##Type(Thread *t, Slot *args, Slot *ret) { \
        Type a = args[0].member, b = args[second].member; \
        if (a != a) ret->member = a; \
        else if (a == 0 && b == 0) ret->member = signbit(b) ? b : a; \
        else ret->member = a <= b ? a : b; \
    }
MINMAX(float, f, 1)
MINMAX(double, d, 2)

/* ---- Integer, Long ---- */

static u4 reverse_bits32(u4 v) {
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}
void int_reverse(Thread *t, Slot *args, Slot *ret) { ret->i = (int32_t)reverse_bits32((u4)args[0].i); }
void long_reverse(Thread *t, Slot *args, Slot *ret) {
    u8 v = (u8)args[0].j;
    ret->j = (int64_t)((u8)reverse_bits32((u4)v) << 32 | reverse_bits32((u4)(v >> 32)));
}

/* Of both; the second argument lies `second` cells on, and the compiler's functions for Long end in ll. */
#define WHOLE_NUMBERS(name, type, unsigned_type, member, bits, second, ll) \
    void name##_bit_count(Thread *t, Slot *args, Slot *ret) { ret->i = __builtin_popcount##ll((unsigned_type)args[0].member); } \
    void name##_nlz(Thread *t, Slot *args, Slot *ret) { \
        ret->i = args[0].member ? __builtin_clz##ll((unsigned_type)args[0].member) : bits; \
    } \
    void name##_ntz(Thread *t, Slot *args, Slot *ret) { \
        ret->i = args[0].member ? __builtin_ctz##ll((unsigned_type)args[0].member) : bits; \
    } \
    void name##_reverse_bytes(Thread *t, Slot *args, Slot *ret) { \
        ret->member = (type)__builtin_bswap##bits((unsigned_type)args[0].member); \
    } \
    void name##_highest_one(Thread *t, Slot *args, Slot *ret) { \
        unsigned_type v = (unsigned_type)args[0].member; \
        ret->member = v ? (type)((unsigned_type)1 << (bits - 1) >> __builtin_clz##ll(v)) : 0; \
    } \
    void name##_rotate_left(Thread *t, Slot *args, Slot *ret) { \
        unsigned_type v = (unsigned_type)args[0].member, n = (u4)args[second].i & (bits - 1); \
        ret->member = (type)(v << n | v >> (-n & (bits - 1))); \
    } \
    void name##_rotate_right(Thread *t, Slot *args, Slot *ret) { \
        unsigned_type v = (unsigned_type)args[0].member, n = (u4)args[second].i & (bits - 1); \
        ret->member = (type)(v >> n | v << (-n & (bits - 1))); \
    } \
    void name##_compare_unsigned(Thread *t, Slot *args, Slot *ret) { \
        unsigned_type a = (unsigned_type)args[0].member, b = (unsigned_type)args[second].member; \
        ret->i = a < b ? -1 : a > b; \
    }
WHOLE_NUMBERS(int, int32_t, u4, i, 32, 1, )
WHOLE_NUMBERS(long, int64_t, u8, j, 64, 2, ll)

/* ---- raw bits: moves of the cell, so NaN payloads survive ---- */

void float_to_raw_bits(Thread *t, Slot *args, Slot *ret) { ret->i = args[0].i; }
void float_from_bits(Thread *t, Slot *args, Slot *ret) { ret->i = args[0].i; }
void double_to_raw_bits(Thread *t, Slot *args, Slot *ret) { ret->j = args[0].j; }
void double_from_bits(Thread *t, Slot *args, Slot *ret) { ret->j = args[0].j; }
void float_to_bits(Thread *t, Slot *args, Slot *ret) {
    float f = args[0].f;
    ret->i = f != f ? 0x7fc00000 : args[0].i;
}
void double_to_bits(Thread *t, Slot *args, Slot *ret) {
    double d = args[0].d;
    ret->j = d != d ? 0x7ff8000000000000ll : args[0].j;
}
