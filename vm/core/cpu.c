/* SPDX-License-Identifier: Apache-2.0 */
/* What the processor it runs on has beyond what every one of its kind has. */
#include "core/cpu.h"

#include <pthread.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

static CpuFeatures features;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void detect(void) {
#if defined(__x86_64__)
    unsigned a, b, c, d, b7 = 0, x;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return;
    if (__get_cpuid_count(7, 0, &a, &b7, &x, &d) == 0) b7 = 0;
    if (!(c & bit_SSSE3) || !(c & bit_SSE4_1)) return;
    __builtin_cpu_init(); /* asks what the system saves of registers, too */
    features =
        (CpuFeatures){.ssse3 = true, .aes = c & bit_AES, .clmul = c & bit_PCLMUL, .sha = b7 & bit_SHA, .crc32c = c & bit_SSE4_2};
    features.clmul512 = features.clmul && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
#endif
}

const CpuFeatures *cpu_has(void) {
    pthread_once(&once, detect);
    return &features;
}
