/* SPDX-License-Identifier: Apache-2.0 */
/* cf_verify_int.h - between cf_verify.c (checking) and cf_verify_text.c (messages). */
#ifndef CF_VERIFY_INT_H
#define CF_VERIFY_INT_H

#include "cf_dataflow.h"
#include "cf_types.h"

typedef struct MapEntry {
    uint32_t pc;
    CfFrame frame;
} MapEntry;

typedef struct CfVerifier {
    const CfClass *c;
    const CfMember *m;
    const CfVerifyOptions *opt;
    CfError *err;
    CfTypes *types;
    CfFlow flow;
    CfCode code;
    CfGraph g;      /* its nodes: the declared frames */
    MapEntry *maps; /* by node, ascending pc */
    CfArena *scratch;
    CfErrCode rc;             /* of the pass */
    CfFrame cur, tmp;         /* current frame; scratch for handlers */
    uint16_t depth_before;    /* stack depth before the current instruction: messages show that */
    const CfFrame *map_frame; /* the declared frame in the failed comparison, for the message */
    uint32_t map_pc;
    const CfFrame *shown; /* the "current frame" of the message if it is not `cur` */
} CfVerifier;

/* Report v->flow.error (header: its message) at `pc`. Returns the code. */
CfErrCode cf_verify_report(CfVerifier *v, uint32_t pc);
/* ClassFormatError found while verifying: message plus " in method '...'". */
CfErrCode cf_verify_format_error(CfVerifier *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
