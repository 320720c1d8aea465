/* SPDX-License-Identifier: Apache-2.0 */
/* nat_report.h - the table of native methods: text, CSV, JSON. */
#ifndef GRAFT_NAT_REPORT_H
#define GRAFT_NAT_REPORT_H

#include <stdio.h>

#include "nat_weave.h"

typedef struct NatRow {
    NatRecord figures;  /* a copy: the program may still run */
    const char *method; /* "java.io.FileInputStream.readBytes(byte[], int, int)" */
} NatRow;

/* In the order of the agent's options. */
typedef enum NatSort { NAT_BY_TIME, NAT_BY_CALLS, NAT_BY_BYTES, NAT_BY_NAME } NatSort;
typedef enum NatForm { NAT_TEXT, NAT_CSV, NAT_JSON } NatForm;

/* Sorts the rows in place and prints those that were called; at most `top` (0 = all), with a total over all. */
void nat_report(FILE *out, NatRow *rows, size_t n, NatSort by, NatForm form, size_t top);

#endif
