/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof.h - weighted stacks as a profile that `go tool pprof`, Speedscope, Parca, Pyroscope ... open: the message
 * Profile of pprof's profile.proto, packed by gzip.
 *
 * A frame is a name; each name becomes one Function and one Location. Nothing is known of addresses and lines.
 */
#ifndef GRAFT_PPROF_H
#define GRAFT_PPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Pprof Pprof;

enum { PPROF_VALUES = 4 };

/* What a sample's numbers are: pairs of kind and unit ("calls", "count", "time", "nanoseconds"), ended by NULL. The last is
 * the one shown first. NULL: no memory. */
Pprof *pprof_new(const char *const *types);
/* A stack, outermost frame first, and its numbers. False: no memory. */
bool pprof_add(Pprof *p, const char *const *frames, size_t nframes, const int64_t *values);
/* `duration_ns`: of the profile. False with errno. */
bool pprof_write(Pprof *p, int64_t time_ns, int64_t duration_ns, FILE *out);
void pprof_free(Pprof *p);

#endif
