/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof.c - writer of profile.proto; see pprof.h.
 *
 * A protobuf message is a row of (field number << 3 | kind, content); kind 0 is a number of 7 bits a byte, kind 2 a length
 * and so many bytes. Messages inside are built in a buffer of their own first, since the length comes in front.
 * Field numbers stand in the enum below and are those of profile.proto.
 */
#include "pprof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "agent.h"
#include "names.h"

enum {
    PROFILE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_TIME = 9,
    PROFILE_DURATION = 10,
    PROFILE_DEFAULT_TYPE = 14,
    TYPE_TYPE = 1,
    TYPE_UNIT = 2,
    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    LOCATION_ID = 1,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3
};

struct Pprof {
    CfWriter out;       /* the message without the strings */
    AgentNames strings; /* a frame's number is that of its function and location, too */
    CF_VEC(bool) known; /* strings that have these */
    unsigned nvalues;
};

static void field_number(CfWriter *b, unsigned field, uint64_t v) {
    agent_put_leb(b, field << 3);
    agent_put_leb(b, v);
}

static void field_bytes(CfWriter *b, unsigned field, const void *p, size_t n) {
    agent_put_leb(b, field << 3 | 2);
    agent_put_leb(b, n);
    cf_w_bytes(b, p, n);
}

/* Takes `inner` and empties it. */
static void field_message(CfWriter *b, unsigned field, CfWriter *inner) {
    b->bad |= inner->bad;
    field_bytes(b, field, inner->data, inner->len);
    inner->len = 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint32_t string_of(Pprof *p, const char *text) {
    uint32_t n = agent_name(&p->strings, text);
    p->out.bad |= n == UINT32_MAX;
    return n;
}

/* Number of the location of a frame. "" is string 0, a number that no location may have. */
static uint64_t location_of(Pprof *p, const char *text) {
    uint32_t n = string_of(p, *text ? text : "?");
    while (!p->out.bad && p->known.len <= n) p->out.bad = !cf_vec_push(&p->known, false);
    if (p->out.bad || p->known.data[n]) return n;
    p->known.data[n] = true;
    CfWriter inner = {0}, line = {0};
    field_number(&inner, FUNCTION_ID, n);
    field_number(&inner, FUNCTION_NAME, n);
    field_number(&inner, FUNCTION_SYSTEM_NAME, n);
    field_message(&p->out, PROFILE_FUNCTION, &inner);
    field_number(&line, LINE_FUNCTION, n);
    field_number(&inner, LOCATION_ID, n);
    field_message(&inner, LOCATION_LINE, &line);
    field_message(&p->out, PROFILE_LOCATION, &inner);
    cf_w_free(&inner);
    cf_w_free(&line);
    return n;
}

/* ---- the profile ------------------------------------------------------------------------------ */

Pprof *pprof_new(const char *const *types) {
    Pprof *p = calloc(1, sizeof *p);
    CfWriter inner = {0};
    if (!p) return NULL;
    string_of(p, ""); /* string 0 must be empty */
    for (; types[2 * p->nvalues] && p->nvalues < PPROF_VALUES; p->nvalues++) {
        field_number(&inner, TYPE_TYPE, string_of(p, types[2 * p->nvalues]));
        field_number(&inner, TYPE_UNIT, string_of(p, types[2 * p->nvalues + 1]));
        field_message(&p->out, PROFILE_TYPE, &inner);
    }
    field_number(&p->out, PROFILE_DEFAULT_TYPE, string_of(p, types[2 * p->nvalues - 2]));
    cf_w_free(&inner);
    return p;
}

bool pprof_add(Pprof *p, const char *const *frames, size_t nframes, const int64_t *values) {
    CfWriter sample = {0}, numbers = {0};
    for (size_t i = nframes; i--;) agent_put_leb(&numbers, location_of(p, frames[i])); /* innermost first */
    field_message(&sample, SAMPLE_LOCATION, &numbers);
    for (unsigned i = 0; i < p->nvalues; i++) agent_put_leb(&numbers, (uint64_t)values[i]);
    field_message(&sample, SAMPLE_VALUE, &numbers);
    field_message(&p->out, PROFILE_SAMPLE, &sample);
    cf_w_free(&sample);
    cf_w_free(&numbers);
    return !p->out.bad;
}

/* As gzip(1) packs; false with errno. */
static bool write_packed(const CfWriter *b, FILE *out) {
    z_stream z = {0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return errno = ENOMEM, false;
    size_t room = deflateBound(&z, b->len);
    uint8_t *packed = malloc(room);
    z.next_in = b->data;
    z.avail_in = (uInt)b->len;
    z.next_out = packed;
    z.avail_out = (uInt)room;
    bool ok = packed && b->len < UINT32_MAX && room < UINT32_MAX && deflate(&z, Z_FINISH) == Z_STREAM_END;
    if (!ok) errno = ENOMEM;
    else ok = fwrite(packed, 1, z.total_out, out) == z.total_out;
    deflateEnd(&z);
    free(packed);
    return ok;
}

bool pprof_write(Pprof *p, int64_t time_ns, int64_t duration_ns, FILE *out) {
    field_number(&p->out, PROFILE_TIME, (uint64_t)time_ns);
    field_number(&p->out, PROFILE_DURATION, (uint64_t)duration_ns);
    for (uint32_t i = 0; i < p->strings.texts.len; i++)
        field_bytes(&p->out, PROFILE_STRING, p->strings.texts.data[i], strlen(p->strings.texts.data[i]));
    if (p->out.bad) return errno = ENOMEM, false;
    return write_packed(&p->out, out);
}

void pprof_free(Pprof *p) {
    if (!p) return;
    agent_names_free(&p->strings);
    cf_vec_free(&p->known);
    cf_w_free(&p->out);
    free(p);
}
