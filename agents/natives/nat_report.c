/* SPDX-License-Identifier: Apache-2.0 */
/* nat_report.c - sorting, totals and the three forms. */
#include "nat_report.h"
#include "agent.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ------------------------------------------------------------------------------------- */

static NatSort sort_by;

static int most_first(uint64_t a, uint64_t b) { return a < b ? 1 : a > b ? -1 : 0; }
static int compare(const void *pa, const void *pb) {
    const NatRow *a = pa, *b = pb;
    int c = sort_by == NAT_BY_TIME    ? most_first(a->figures.nanos, b->figures.nanos)
            : sort_by == NAT_BY_CALLS ? most_first(a->figures.calls, b->figures.calls)
            : sort_by == NAT_BY_BYTES ? most_first(a->figures.bytes, b->figures.bytes)
                                      : 0;
    return c ? c : strcmp(a->method, b->method);
}

static size_t called_first(NatRow *rows, size_t n) {
    size_t called = 0;
    for (size_t i = 0; i < n; i++)
        if (rows[i].figures.calls) {
            NatRow r = rows[called];
            rows[called++] = rows[i];
            rows[i] = r;
        }
    return called;
}

static NatRecord total_of(const NatRow *rows, size_t n) {
    NatRecord t = {0, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        t.calls += rows[i].figures.calls;
        t.failed += rows[i].figures.failed;
        t.nanos += rows[i].figures.nanos;
        t.bytes += rows[i].figures.bytes;
    }
    return t;
}

/* ---- forms ------------------------------------------------------------------------------------- */

static void text_row(FILE *out, const NatRecord *f, const NatRecord *total, const char *name) {
    char failed[24] = "";
    if (f->failed) snprintf(failed, sizeof failed, "%" PRIu64, f->failed);
    fprintf(out, "%6.2f %12.6f %11.3f %11" PRIu64 " %9s %13" PRIu64 " %s\n",
            total->nanos ? 100.0 * (double)f->nanos / (double)total->nanos : 0.0, (double)f->nanos / 1e9,
            f->calls ? (double)f->nanos / 1e3 / (double)f->calls : 0.0, f->calls, failed, f->bytes, name);
}

static void text_form(FILE *out, const NatRow *rows, size_t shown, const NatRecord *total) {
    static const char *const line = "------ ------------ ----------- ----------- --------- ------------- ------";
    fprintf(out, "%% time      seconds  usecs/call       calls    failed         bytes native method\n%s\n", line);
    for (size_t i = 0; i < shown; i++) text_row(out, &rows[i].figures, total, rows[i].method);
    fprintf(out, "%s\n", line);
    text_row(out, total, total, "total");
}

static void csv_form(FILE *out, const NatRow *rows, size_t shown) {
    fprintf(out, "method,calls,failed,nanoseconds,bytes\n");
    for (size_t i = 0; i < shown; i++) {
        const NatRecord *f = &rows[i].figures;
        agent_put_csv(out, rows[i].method);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", f->calls, f->failed, f->nanos, f->bytes);
    }
}

static void json_form(FILE *out, const NatRow *rows, size_t shown) {
    fprintf(out, "[");
    for (size_t i = 0; i < shown; i++) {
        const NatRecord *f = &rows[i].figures;
        fputs(i ? ",\n  {\"method\": " : "\n  {\"method\": ", out);
        agent_put_json(out, rows[i].method, "");
        fprintf(out, ", \"calls\": %" PRIu64 ", \"failed\": %" PRIu64 ", \"nanoseconds\": %" PRIu64 ", \"bytes\": %" PRIu64 "}",
                f->calls, f->failed, f->nanos, f->bytes);
    }
    fprintf(out, "\n]\n");
}

void nat_report(FILE *out, NatRow *rows, size_t n, NatSort by, NatForm form, size_t top) {
    size_t called = called_first(rows, n), shown = top && top < called ? top : called;
    NatRecord total = total_of(rows, called);
    sort_by = by;
    qsort(rows, called, sizeof *rows, compare);
    if (form == NAT_CSV) csv_form(out, rows, shown);
    else if (form == NAT_JSON) json_form(out, rows, shown);
    else text_form(out, rows, shown, &total);
}
