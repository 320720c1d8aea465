/* SPDX-License-Identifier: Apache-2.0 */
/* cf_int.h - shared inside classfile/ only. */
#ifndef CF_INT_H
#define CF_INT_H

#include "classfile.h"

/* 4.2.1 without the array form. */
bool cf_qualified_name_valid(CfStr s);

/* Reads an attribute table (count and attribute_infos) at `r` into `out`; `where` is a CF_IN_* place. With `arena` NULL
 * the table is only stepped over. Kinds come from the name, the place and the class version. */
CfErrCode cf_read_attrs(const CfClass *c, CfReader *r, unsigned where, CfArena *arena, CfAttrs *out, CfError *err);

/* Messages: name of the class for "in class file X". */
typedef struct CfMsgName {
    char text[512];
} CfMsgName;
const char *cf_msg_name(CfMsgName *buf, const CfClass *c, const CfParseOptions *opt);

/* Offset of `p` in the class bytes, -1 if it lies elsewhere (edited data). */
static inline int64_t cf_offset_of(const CfClass *c, const void *p)
{
    const uint8_t *q = p;
    return q >= c->bytes && q <= c->bytes + c->size ? q - c->bytes : -1;
}

#endif
