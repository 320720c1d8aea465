/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_probes.h - probes as bytecode.
 *
 * A PROBE is  `sipush n; invokestatic java/lang/GraftCoverageN.hit(I)V`  (6 bytes, n in -32768..32767).
 * Class GraftCoverageN serves one window of 65,536 probes; its whole body is
 *      static void hit(int n) { U.putByte(null, BASE + n, (byte) 1); }
 * where BASE is the address of the window's middle in the mapped data file, a constant in its class file.
 *
 * Why so. The flag must be a store into mapped memory (cov_data.h), which Java can only do through
 * Unsafe; instrumented classes may not call jdk.internal.misc (JDK 8: sun.misc), so a helper must. It lives in
 * java.lang because that is the one package that every loader delegates, OSGi-like ones too, and every module reads. Its
 * class file is generated here, so that one .so is the whole agent.
 *   Compiled: hit is inlined always (ForceInline, honoured for boot classes) and, base and number
 *   being constants, becomes one `mov byte [address], 1`: no array load, no bounds check as with a probe array,
 *   and as a loop-invariant store it may leave the loop.
 *   Interpreted: one static call more than an array store (none on Graft, vm/quick/leaf.c). hit itself is compiled after some
 *   hundred calls.
 *   Counting (counts=on): hit adds 1 to an 8-byte number by U.getAndAddLong, exact with any number of threads.
 *   Pruning: probes whose flags are set already are left out when a class is rewritten. What is left of the numbering stays, so
 *   reports do not notice.
 *   Rejected: a local array per method like JaCoCo's (dies with the VM; one call per method entry and a
 *   changed class shape), `if (!seen[n]) hit(n)` in place (16 bytes per probe pushes methods over inlining and
 *   8,000-byte compile limits), ldc with global numbers (5 bytes of constant pool per probe).
 */
#ifndef GRAFT_COV_PROBES_H
#define GRAFT_COV_PROBES_H

#include <jni.h>

#include "agent.h"
#include "cov_filter.h"

bool cov_is_helper(const char *name);

/* Defines and initialises a helper, like java/lang/GraftCoverage0, on the boot loader; `base` is the address of its window. Each session (data
 * file) has helpers of its own. False with a Java
 * exception pending or `err` filled. */
bool cov_helper_define(const Agent *a, JNIEnv *env, uint32_t helper, uint8_t *base, bool counts, CfError *err);

/* Defines java.lang.GraftCoverage with `public static native void epoch(String name)`, and `test`, for cov_tests.c. The VM finds it in the agent's
 * library by its name (registering natives of a class in java.lang makes the reference warn). */
bool cov_api_define(JNIEnv *env, CfError *err);

typedef enum CovInstrument { COV_INSTR_DONE, COV_INSTR_NOTHING, COV_INSTR_FAILED } CovInstrument;

/* Number of probes that a class needs; 0 if it has nothing to cover; false if it cannot be parsed. `loops`: does any method jump back? */
bool cov_count_probes(const uint8_t *bytes, size_t len, CfArena *scratch, uint32_t *n, bool *loops, CfError *err);

typedef struct CovPlacing {
    uint32_t first;        /* number of the class's first probe */
    uint32_t helper;       /* number of the helper of window 0 */
    const uint8_t *passed; /* one byte per probe of the class: nonzero = leave it out; NULL: all are placed */
} CovPlacing;

/* Rewrites a class with its probes; NOTHING if no probe is left. *skipped: methods left without probes
 * because they would become too large. `alloc` as in bci_write. */
CovInstrument cov_instrument(const uint8_t *bytes, size_t len, const CovPlacing *placing, void *(*alloc)(void *, size_t),
                             void *ctx, CfArena *scratch, uint8_t **out, size_t *out_len, uint32_t *skipped, CfError *err);

#endif
