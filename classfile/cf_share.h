/* SPDX-License-Identifier: Apache-2.0 */
/* cf_share.h - what the rewriting library shares beyond the public headers. Not installed. */
#ifndef CF_SHARE_H
#define CF_SHARE_H

#include "classfile.h"

/* What the indices of a pool entry refer to (4.4.x); 0: no such index. A method handle's is any reference. */
typedef struct CfOperands {
    uint8_t a, b;
} CfOperands;
extern const CfOperands cf_operands[CF_CONST_TAG_LIMIT];

/* The entry with the content of `like`, whose indices are of this pool; 0 if the pool or memory is full. */
uint16_t cf_add_like(CfClass *c, const CfConst *like);

/* First letter of a descriptor -> kind of value: I J F D A, or 0. */
char cf_kind_letter(char c);

#endif
