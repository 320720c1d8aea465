/* SPDX-License-Identifier: Apache-2.0 */
/* cf_lengths.h - how long instructions are, and what they take and give, for tables made from opcodes.def. Not installed. */
#ifndef CF_LENGTHS_H
#define CF_LENGTHS_H

/* Bytes of each operand format, opcode included; 0 = depends on the operands. */
enum {
    LEN_NONE = 1,
    LEN_LOCAL0 = 1,
    LEN_LOCAL1 = 1,
    LEN_LOCAL2 = 1,
    LEN_LOCAL3 = 1,
    LEN_S1 = 2,
    LEN_S2 = 3,
    LEN_CP1 = 2,
    LEN_CP2 = 3,
    LEN_LOCAL = 2,
    LEN_IINC = 3,
    LEN_BRANCH2 = 3,
    LEN_BRANCH4 = 5,
    LEN_TABLESWITCH = 0,
    LEN_LOOKUPSWITCH = 0,
    LEN_INTERFACE = 5,
    LEN_DYNAMIC = 5,
    LEN_ATYPE = 2,
    LEN_MULTI = 4,
    LEN_WIDE = 0
};

/* Slots of a string of at most three letters. */
#define LETTER(s, k) ((s)[(k) < sizeof(s) ? (k) : sizeof(s) - 1])
#define SLOTS_AT(s, k) \
    (LETTER(s, k) == 0 || LETTER(s, k) == 'V' ? 0 : LETTER(s, k) == 'J' || LETTER(s, k) == 'D' || LETTER(s, k) == '2' ? 2 : 1)
#define SLOTS(s) (SLOTS_AT(s, 0) + SLOTS_AT(s, 1) + SLOTS_AT(s, 2))

#endif
