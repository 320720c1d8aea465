/* SPDX-License-Identifier: Apache-2.0 */
/* cf_test.h - checks, counted; the last line of output is "N passed, M failed". */
#ifndef CF_TEST_H
#define CF_TEST_H

#include <stdio.h>
#include <string.h>

static int cf_test_passed, cf_test_failed;

#define CHECK(x) \
    do { \
        if (x) { \
            cf_test_passed++; \
        } else { \
            cf_test_failed++; \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, __func__, #x); \
        } \
    } while (0)

#define CHECK_TEXT(got, want) \
    do { \
        const char *got_ = (got), *want_ = (want); \
        if (strcmp(got_, want_) == 0) { \
            cf_test_passed++; \
        } else { \
            cf_test_failed++; \
            printf("%s:%d: %s: got \"%s\", want \"%s\"\n", __FILE__, __LINE__, __func__, got_, want_); \
        } \
    } while (0)

static inline int cf_test_end(void) {
    printf("%d passed, %d failed\n", cf_test_passed, cf_test_failed);
    return cf_test_failed != 0;
}

#endif
