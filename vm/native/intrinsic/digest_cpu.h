/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of intrinsic_digest.c that processors have instructions for, a file for each CPU; nothing is called that cpu_has() denies. */
#ifndef GRAFT_INTRINSIC_DIGEST_CPU_H
#define GRAFT_INTRINSIC_DIGEST_CPU_H

#include "core/types.h"

void sha256_block(u4 *state, const u1 *p);
void sha1_block(u4 *state, const u1 *p);

enum { CRC_SHORTEST = 16 };
u4 crc32_blocks(u4 crc, const u1 *p, size_t n); /* n >= CRC_SHORTEST; a rest of fewer than 16 bytes is left out */
u4 crc32c_sum(u4 crc, const u1 *p, size_t n);

/* The hash code of n letters, which is a multiple of HASH_STEP. */
enum { HASH_STEP = 32 };
u4 hash_steps(const u1 *p, size_t n);

/* How many groups of three bytes and four letters were done; in decoding, up to the first with something else in it.  Nothing is
 * written behind them. */
int32_t base64_encode_many(u1 *to, const u1 *from, int32_t n, bool for_url);
int32_t base64_decode_many(u1 *to, const u1 *from, int32_t n, bool for_url);

#endif
