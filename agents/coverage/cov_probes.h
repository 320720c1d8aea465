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
 * Unsafe; instrumented classes may not call jdk.internal.misc, so a helper must. It lives in
 * java.lang because that is the one package that every loader delegates, OSGi-like ones too, and every module reads. Its
 * class file is generated here, so that one .so is the whole agent.
 *   Compiled: hit is inlined always (ForceInline, honoured for boot classes) and, base and number
 *   being constants, becomes one `mov byte [address], 1`: no array load, no bounds check as with a probe array,
 *   and as a loop-invariant store it may leave the loop.
 *   Interpreted: one static call more than an array store. hit itself is compiled after some hundred calls.
 *   Rejected: a local array per method like JaCoCo's (dies with the VM; one call per method entry and a
 *   changed class shape), `if (!seen[n]) hit(n)` in place (16 bytes per probe pushes methods over inlining and
 *   8,000-byte compile limits), ldc with global numbers (5 bytes of constant pool per probe).
 */
#ifndef GRAFT_COV_PROBES_H
#define GRAFT_COV_PROBES_H

#include <jni.h>

#include "cov_filter.h"

/* Name of the helper class of a window, like "java/lang/GraftCoverage0". */
void cov_helper_name(uint32_t window, char *buf, size_t n);
bool cov_is_helper(const char *name);

/* Class file of the helper whose number n writes to middle + n. malloc'ed; NULL on failure. */
uint8_t *cov_helper_bytes(uint32_t window, const uint8_t *middle, size_t *len, CfError *err);

/* Defines and initialises the helper of a window on the boot loader. False with a Java exception pending or
 * `err` filled. */
bool cov_helper_define(JNIEnv *env, uint32_t window, uint8_t *base, CfError *err);

typedef enum CovInstrument { COV_INSTR_DONE, COV_INSTR_NOTHING, COV_INSTR_FAILED } CovInstrument;

/* Number of probes that a class needs; 0 if it has nothing to cover; false if it cannot be parsed. */
bool cov_count_probes(const uint8_t *bytes, size_t len, CfArena *scratch, uint32_t *n, CfError *err);

/* Rewrites a class with its probes numbered from `first`. *skipped: methods left without probes
 * because they would become too large. `alloc` as in bci_write. */
CovInstrument cov_instrument(const uint8_t *bytes, size_t len, uint32_t first,
                             void *(*alloc)(void *, size_t), void *ctx, CfArena *scratch,
                             uint8_t **out, size_t *out_len, uint32_t *skipped, CfError *err);

#endif
