/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_code.h - one method as coverage sees it: instructions, probe places, what a set of fired
 * probes means. Shared by the agent (where to put probes) and the reports (what ran); both must
 * come to the same numbering, so this is the one place.
 *
 * THEORY
 *   Probes are one-way flags. A probe tells that control passed its place; going back from there
 *   along instructions with a single way in, everything must have run. So a probe is needed only
 *   where that walk back would stop being certain, or where nothing comes after:
 *     EXIT    before each return and athrow;
 *     JUMP    on a taken branch whose target can be reached in another way too;
 *     CASE    the same for one distinct target of a switch;
 *     FALL    on the way from one instruction into the next, if the next can be reached by a jump
 *             too, or starts a line that calls something (the call may throw and then the walk back
 *             from later probes never comes: so the lines before it are kept right).
 *   The start of a try range and each handler count as jump targets.
 *
 *   "Ways in" are counted in the order of the code: a label that is target of one jump and falls
 *   through from above has two. This is the placement that JaCoCo made popular; using the same
 *   one is what makes line and branch results equal to JaCoCo's. We differ in where the code stands
 *   (taken edges run a probe outside of the main line) and in what a probe does.
 *
 *   Exceptions: a call that throws leaves its line without a probe. The instructions of that line
 *   then count as not run, as in JaCoCo. That is a choice of comparability.
 *
 *   jsr/ret (class files before version 50): not analysed; such methods carry no probes and are reported
 *   as not covered by a `skipped` mark.
 *
 * An instruction's status is the set of its branches that were taken; no branch taken = not run.
 * Straight-line instructions have one branch; a conditional jump has two (0 = fell through,
 * 1 = jumped); a switch one per distinct target, default first.
 */
#ifndef GRAFT_COV_CODE_H
#define GRAFT_COV_CODE_H

#include "classfile.h"

enum { COV_NO_LINE = -1 };

typedef enum CovProbeKind { COV_PROBE_EXIT, COV_PROBE_FALL, COV_PROBE_JUMP, COV_PROBE_CASE } CovProbeKind;

typedef struct CovProbe {
    CovProbeKind kind;
    uint32_t insn;   /* EXIT, JUMP, CASE: the instruction; FALL: the one that is left */
    uint32_t target; /* JUMP, CASE: instruction that is entered; FALL: insn + 1 */
    uint32_t branch; /* branch number of `insn` that this probe proves */
} CovProbe;

enum { /* CovInsn.mark */
       COV_M_TARGET = 1,
       COV_M_MULTI = 2,
       COV_M_SUCC = 4,
       COV_M_CALL_LINE = 8,
       COV_M_LABEL = 16,
       COV_M_IGNORE = 32 /* set by filters: not part of the report */
};

typedef struct CovInsn {
    uint32_t pc;
    uint8_t op; /* CfOp; short forms folded: aload_1 -> aload, goto_w -> goto, ldc2_w -> ldc */
    uint8_t mark;
    uint16_t index; /* pool index or local variable */
    int32_t line;
    int32_t imm;                /* CfInsn.imm */
    uint32_t target;            /* jump target or switch default: instruction number */
    uint32_t targets, ntargets; /* switch: distinct targets in CovCode.targets, default first */
    uint32_t branches;          /* number of branches */
    uint32_t bits;              /* first of its bits in CovCode.taken */
    uint32_t room;              /* number of its bits */
    uint32_t pred, pred_branch; /* single way in, COV_NONE if unknown */
    uint64_t runs;              /* after apply: how often it ran, if the numbers are counts */
} CovInsn;
#define COV_NONE UINT32_MAX

typedef struct CovTry {
    uint32_t start, end, handler; /* instruction numbers, end exclusive */
    uint16_t type;                /* pool index, 0 = any */
} CovTry;

typedef struct CovCode {
    const CfClass *cls;
    const CfMember *method;
    CovInsn *insns;
    uint32_t ninsns;
    uint32_t *targets;
    CovTry *tries;
    uint32_t ntries;
    CovProbe *probes;
    uint32_t nprobes;
    uint8_t *taken; /* one byte per possible branch; filled by cov_code_apply */
    uint32_t ntaken;
} CovCode;

typedef enum CovCodeResult { COV_CODE_OK, COV_CODE_NONE, COV_CODE_JSR, COV_CODE_BAD } CovCodeResult;

/* Decodes the body of `m` and places its probes; everything is allocated in `arena`.
 * NONE: abstract or native; JSR: uses subroutines; BAD: cannot be decoded or no memory. */
CovCodeResult cov_code(CovCode *out, const CfClass *c, const CfMember *m, CfArena *arena);

/* Spreads fired probes (how often each, 0 = never) over the instructions. */
void cov_code_apply(CovCode *code, const uint64_t *fired, CfArena *arena);
/* After apply: how often the method was entered. */
uint64_t cov_code_calls(const CovCode *code, const uint64_t *fired);

/* After apply: number of taken branches of an instruction. */
uint32_t cov_insn_taken(const CovCode *code, const CovInsn *i);

#endif
