/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the intrinsic_*.c files: prototypes of all rows and parts used by jvm/. */
#ifndef GRAFT_INTRINSIC_INTRINSIC_INT_H
#define GRAFT_INTRINSIC_INTRINSIC_INT_H

#include "heap/heap.h"
#include "lang/javaclasses.h"
#include "link/link.h"
#include "native/native.h"

#define INTRINSIC(cls, name, desc, fn) void fn(Thread *t, Slot *args, Slot *ret);
#define LEAF(cls, name, desc, fn) void fn(Thread *t, Slot *args, Slot *ret);
#define QUICK(cls, name, desc, fn) bool fn(Thread *t, Slot *args, Slot *ret);
#include "native/intrinsic/intrinsic.def"

/* The same for natives that need a frame for what they may throw: compiled code tries these first. */
bool quick_arraycopy(Thread *t, Slot *args, Slot *ret);
bool quick_is_assignable_from(Thread *t, Slot *args, Slot *ret);
bool quick_caller_class(Thread *t, Slot *args, Slot *ret); /* the youngest frame is the one that asks */
bool quick_array_length(Thread *t, Slot *args, Slot *ret);

/* Whoever wants all threads to stop waits for these functions, so more than this, in bytes, is left to the Java code, where threads may stop in each turn. */
enum { MOST_AT_ONCE = 64 << 20 };
static inline bool takes_long(size_t bytes) { return UNLIKELY(bytes > MOST_AT_ONCE); }

/* What characters of ASCII are; machine code reads the tables, too. */
enum { ASCII_CHARS = 128, LEAST_RADIX = 2, MOST_RADIX = 36 };
enum { IS_UPPER = 1, IS_LOWER = 2, IS_DIGIT = 4, IS_WHITESPACE = 8, IS_NAME_MARK = 16, IS_IGNORED_IN_NAMES = 32 };
enum { IS_LETTER = IS_UPPER | IS_LOWER, STARTS_NAME = IS_LETTER | IS_NAME_MARK };
enum { IS_IN_NAMES = STARTS_NAME | IS_DIGIT | IS_IGNORED_IN_NAMES };
typedef struct AsciiTable {
    u1 is[ASCII_CHARS];
    u1 digit[ASCII_CHARS]; /* 255: none */
} AsciiTable;
const AsciiTable *ascii_table(void);

void JNICALL unsafe_park_entry(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time);
void unsafe_faults_init(void); /* SIGBUS in an access of Unsafe becomes InternalError */

#endif
