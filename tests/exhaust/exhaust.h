/* SPDX-License-Identifier: Apache-2.0 */
/* What exhaust.c leaves in the file that EXHAUST_LOG names. */
#ifndef TEST_EXHAUST_H
#define TEST_EXHAUST_H

#include <stdatomic.h>
#include <stdint.h>

enum { LOGGED_SITES = 16 };

typedef struct Log {
    _Atomic uint64_t counted, failed;
    struct {
        char lib[24];
        uint64_t offset;  /* of the return address, in the library */
    } site[LOGGED_SITES]; /* the first that failed */
} Log;

#endif
