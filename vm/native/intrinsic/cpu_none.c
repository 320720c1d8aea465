/* SPDX-License-Identifier: Apache-2.0 */
/* On a CPU whose instructions nobody has used yet (the Makefile leaves out *_x64.c there): the Java code runs. */
#include "native/intrinsic/digest_cpu.h"
#include "native/intrinsic/intrinsic_int.h"

void sha256_block(u4 *state, const u1 *p) {}
void sha1_block(u4 *state, const u1 *p) {}
u4 crc32_blocks(u4 crc, const u1 *p, size_t n) { return crc; }
u4 crc32c_sum(u4 crc, const u1 *p, size_t n) { return crc; }
u4 hash_steps(const u1 *p, size_t n) { return 0; }
int32_t base64_encode_many(u1 *to, const u1 *from, int32_t n, bool for_url) { return 0; }
int32_t base64_decode_many(u1 *to, const u1 *from, int32_t n, bool for_url) { return 0; }

bool aes_encrypt(Thread *t, Slot *args, Slot *ret) { return false; }
bool aes_decrypt(Thread *t, Slot *args, Slot *ret) { return false; }
bool aes_ecb_encrypt(Thread *t, Slot *args, Slot *ret) { return false; }
bool aes_ecb_decrypt(Thread *t, Slot *args, Slot *ret) { return false; }
bool aes_cbc_encrypt(Thread *t, Slot *args, Slot *ret) { return false; }
bool aes_cbc_decrypt(Thread *t, Slot *args, Slot *ret) { return false; }
bool aes_ctr(Thread *t, Slot *args, Slot *ret) { return false; }
bool ghash_blocks(Thread *t, Slot *args, Slot *ret) { return false; }
