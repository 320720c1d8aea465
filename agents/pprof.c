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

#include "table.h"

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

typedef struct Buffer {
    uint8_t *p;
    size_t len, cap;
    bool bad;
} Buffer;

typedef struct Name {
    uint32_t number; /* in the string table; for frames also of function and location */
    char text[];
} Name;

struct Pprof {
    Buffer out, strings; /* the message without the strings; the strings */
    CfTable names;
    uint32_t nnames;
    CfTable frames; /* the same names, those that have a function */
    unsigned nvalues;
};

static void put_bytes(Buffer *b, const void *p, size_t n) {
    if (b->bad || b->cap - b->len < n) {
        size_t cap = (b->cap ? b->cap * 2 : 4096) + n;
        uint8_t *more = b->bad ? NULL : realloc(b->p, cap);
        if (!more) {
            b->bad = true;
            return;
        }
        b->p = more;
        b->cap = cap;
    }
    memcpy(b->p + b->len, p, n);
    b->len += n;
}

static void put_number(Buffer *b, uint64_t v) {
    uint8_t bytes[10];
    size_t n = 0;
    for (; v > 127; v >>= 7) bytes[n++] = (uint8_t)(v | 128);
    bytes[n++] = (uint8_t)v;
    put_bytes(b, bytes, n);
}

static void field_number(Buffer *b, unsigned field, uint64_t v) {
    put_number(b, field << 3);
    put_number(b, v);
}

static void field_bytes(Buffer *b, unsigned field, const void *p, size_t n) {
    put_number(b, field << 3 | 2);
    put_number(b, n);
    put_bytes(b, p, n);
}

/* Takes `inner` and empties it. */
static void field_message(Buffer *b, unsigned field, Buffer *inner) {
    b->bad |= inner->bad;
    field_bytes(b, field, inner->p, inner->len);
    inner->len = 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool same(const void *item, const void *key) { return !strcmp(((const Name *)item)->text, key); }

static Name *name_of(Pprof *p, const char *text) {
    size_t n = strlen(text);
    uint32_t hash = cf_hash_bytes(text, n);
    Name *name = cf_table_find(&p->names, hash, same, text);
    if (name) return name;
    name = malloc(sizeof *name + n + 1);
    if (!name) return NULL;
    memcpy(name->text, text, n + 1);
    name->number = p->nnames;
    if (!cf_table_add(&p->names, hash, name)) {
        free(name);
        return NULL;
    }
    p->nnames++;
    field_bytes(&p->strings, PROFILE_STRING, text, n);
    return name;
}

static uint64_t string_of(Pprof *p, const char *text) {
    Name *name = name_of(p, text);
    p->out.bad |= !name;
    return name ? name->number : 0;
}

/* Number of the location of a frame; 0: no memory. Its text's number serves for function and location, too; "" is
 * number 0, which neither may have. */
static uint64_t location_of(Pprof *p, const char *text) {
    Name *name = name_of(p, *text ? text : "?");
    if (!name) return 0;
    uint32_t hash = cf_hash_bytes(name->text, strlen(name->text));
    if (cf_table_find(&p->frames, hash, same, name->text)) return name->number;
    if (!cf_table_add(&p->frames, hash, name)) return 0;
    Buffer inner = {0}, line = {0};
    field_number(&inner, FUNCTION_ID, name->number);
    field_number(&inner, FUNCTION_NAME, name->number);
    field_number(&inner, FUNCTION_SYSTEM_NAME, name->number);
    field_message(&p->out, PROFILE_FUNCTION, &inner);
    field_number(&line, LINE_FUNCTION, name->number);
    field_number(&inner, LOCATION_ID, name->number);
    field_message(&inner, LOCATION_LINE, &line);
    field_message(&p->out, PROFILE_LOCATION, &inner);
    free(inner.p);
    free(line.p);
    return name->number;
}

/* ---- the profile ------------------------------------------------------------------------------ */

Pprof *pprof_new(const char *const *types) {
    Pprof *p = calloc(1, sizeof *p);
    Buffer inner = {0};
    if (!p) return NULL;
    string_of(p, ""); /* string 0 must be empty */
    for (; types[2 * p->nvalues] && p->nvalues < PPROF_VALUES; p->nvalues++) {
        field_number(&inner, TYPE_TYPE, string_of(p, types[2 * p->nvalues]));
        field_number(&inner, TYPE_UNIT, string_of(p, types[2 * p->nvalues + 1]));
        field_message(&p->out, PROFILE_TYPE, &inner);
    }
    field_number(&p->out, PROFILE_DEFAULT_TYPE, string_of(p, types[2 * p->nvalues - 2]));
    free(inner.p);
    return p;
}

bool pprof_add(Pprof *p, const char *const *frames, size_t nframes, const int64_t *values) {
    Buffer sample = {0}, numbers = {0};
    for (size_t i = nframes; i--;) { /* innermost first */
        uint64_t location = location_of(p, frames[i]);
        p->out.bad |= !location;
        put_number(&numbers, location);
    }
    field_message(&sample, SAMPLE_LOCATION, &numbers);
    for (unsigned i = 0; i < p->nvalues; i++) put_number(&numbers, (uint64_t)values[i]);
    field_message(&sample, SAMPLE_VALUE, &numbers);
    field_message(&p->out, PROFILE_SAMPLE, &sample);
    free(sample.p);
    free(numbers.p);
    return !p->out.bad;
}

/* As gzip(1) packs; false with errno. */
static bool write_packed(const Buffer *b, FILE *out) {
    z_stream z = {0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        errno = ENOMEM;
        return false;
    }
    size_t room = deflateBound(&z, b->len);
    uint8_t *packed = malloc(room);
    z.next_in = b->p;
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
    put_bytes(&p->out, p->strings.p, p->strings.len);
    p->strings.len = 0;
    if (p->out.bad || p->strings.bad) {
        errno = ENOMEM;
        return false;
    }
    return write_packed(&p->out, out);
}

void pprof_free(Pprof *p) {
    uint32_t it = 0;
    if (!p) return;
    for (void *n; (n = cf_table_next(&p->names, &it));) free(n);
    cf_table_free(&p->names);
    cf_table_free(&p->frames);
    free(p->out.p);
    free(p->strings.p);
    free(p);
}
