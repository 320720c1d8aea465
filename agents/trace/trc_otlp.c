/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_otlp.c - slow calls as spans, in the JSON form of OpenTelemetry's protocol (ExportTraceServiceRequest): what a collector's otlpjsonfile
 * receiver reads, and /v1/traces takes as application/json.
 *
 *   call of at least the threshold      span; name: class and method; kind internal; start and end in Unix time
 *   the slow call that it is part of    parentSpanId: a call is never shorter than what it calls, so the callers' spans are there,
 *                                       but for calls that were running still when the report was made
 *   outermost slow call                 begins a trace of its own
 *   an exception left it                status code 2 (error)
 *   class, method                       attributes code.namespace, code.function; with its types graft.method
 *   thread                              attributes thread.id, thread.name
 *   what probes keep of it              attributes under the names of captures, or graft.arguments, graft.result, graft.exception; numbers and truth
 *                                       values have their types
 *   process                             resource: service.name (OTEL_SERVICE_NAME, or the main class or jar), process.pid
 *
 * 64-bit numbers are strings, ids are in hexadecimal digits, as the protocol has it.
 */
#include "trc_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "method_text.h"
#include "trc_notes.h"

typedef struct Span {
    const TrcEvent *event;
    uint32_t parent, root; /* places; its own if there is none */
    unsigned depth;        /* of the call in its thread's tree */
} Span;

static unsigned depth_of(const TrcNode *n) {
    unsigned d = 0;
    for (; n->parent; n = n->parent) d++;
    return d;
}

/* By thread and time, callers in front of what they call. */
static int compare(const void *x, const void *y) {
    const Span *a = x, *b = y;
    if (a->event->tid != b->event->tid) return a->event->tid < b->event->tid ? -1 : 1;
    if (a->event->start != b->event->start) return a->event->start < b->event->start ? -1 : 1;
    return a->depth < b->depth ? -1 : a->depth > b->depth;
}

static bool is_below(const TrcNode *n, const TrcNode *above) {
    while (n && n != above) n = n->parent;
    return n;
}

/* Of a thread's calls in order each has as parent the last one before it that is open still and whose node is above it. */
static void find_parents(Span *s, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        s[i].parent = s[i].root = i;
        if (!i || s[i - 1].event->tid != s[i].event->tid) continue;
        for (uint32_t p = i - 1;; p = s[p].parent) {
            const TrcEvent *above = s[p].event, *e = s[i].event;
            if (e->start + e->nanos <= above->start + above->nanos && e->node != above->node && is_below(e->node, above->node)) {
                s[i].parent = p;
                s[i].root = s[p].root;
                break;
            }
            if (s[p].parent == p) break;
        }
    }
}

static void put_text(FILE *out, const char *key, const char *value, size_t n, const char *comma) {
    char *copy = strndup(value, n);
    fprintf(out, "%s{\"key\":", comma);
    agent_put_json(out, key, "");
    fputs(",\"value\":{\"stringValue\":", out);
    agent_put_json(out, copy ? copy : "", "");
    fputs("}}", out);
    free(copy);
}

static void put_note(void *file, const TrcNote *n) {
    FILE *out = file;
    bool finite = n->kind != TRC_NOTE_REAL || isfinite(strtod(n->text, NULL));
    if (n->kind == TRC_NOTE_TEXT || !finite) return put_text(out, n->key, n->text, strlen(n->text), ",");
    fputs(",{\"key\":", out);
    agent_put_json(out, n->key, "");
    if (n->kind == TRC_NOTE_INT) fprintf(out, ",\"value\":{\"intValue\":\"%s\"}}", n->text);
    else if (n->kind == TRC_NOTE_TRUTH) fprintf(out, ",\"value\":{\"boolValue\":%s}}", n->text);
    else fprintf(out, ",\"value\":{\"doubleValue\":%s%s}}", n->text, strpbrk(n->text, ".e") ? "" : ".0");
}

static void put_span(const TrcOtlp *o, const Span *s, uint32_t i, const uint64_t *random, const char *comma, FILE *out) {
    const TrcEvent *e = s[i].event;
    const char *method = o->report->methods[trc_method(e->node->key)], *thread = o->thread_name(e->tid);
    size_t to_types = agent_parameters_at(method), to_name = to_types;
    while (to_name && method[to_name - 1] != '.') to_name--;
    fprintf(out, "%s{\"traceId\":\"%016" PRIx64 "%016" PRIx64 "\",\"spanId\":\"%016" PRIx64 "\",", comma, random[0],
            random[1] + s[i].root, random[2] + i);
    if (s[i].parent != i) fprintf(out, "\"parentSpanId\":\"%016" PRIx64 "\",", random[2] + s[i].parent);
    fputs("\"name\":", out);
    char *name = strndup(method, to_types);
    agent_put_json(out, name ? name : "", "");
    free(name);
    fprintf(out, ",\"kind\":1,\"startTimeUnixNano\":\"%" PRId64 "\",\"endTimeUnixNano\":\"%" PRId64 "\",\"attributes\":[",
            e->start + o->epoch, e->start + e->nanos + o->epoch);
    put_text(out, "code.namespace", method, to_name ? to_name - 1 : 0, "");
    put_text(out, "code.function", method + to_name, to_types - to_name, ",");
    put_text(out, "graft.method", method, strlen(method), ",");
    fprintf(out, ",{\"key\":\"thread.id\",\"value\":{\"intValue\":\"%" PRId64 "\"}}", e->tid);
    if (thread) put_text(out, "thread.name", thread, strlen(thread), ",");
    trc_notes_of(e, put_note, out);
    fprintf(out, "],\"status\":{%s}}", e->failed ? "\"code\":2" : "");
}

static uint32_t collect(const TrcTree *t, Span *s, int64_t n) {
    uint32_t k = 0;
    for (int64_t i = 0; i < n; i++)
        if (__atomic_load_n(&t->events[i].tid, __ATOMIC_ACQUIRE)) {
            s[k].event = &t->events[i];
            s[k].depth = depth_of(t->events[i].node);
            k++;
        }
    qsort(s, k, sizeof *s, compare);
    find_parents(s, k);
    return k;
}

bool trc_write_otlp(const void *otlp, FILE *out) {
    const TrcOtlp *o = otlp;
    const TrcTree *t = o->report->tree;
    int64_t n = t->event_count < t->event_max ? t->event_count : t->event_max;
    uint64_t random[3];
    Span *spans = malloc(((size_t)n + 1) * sizeof *spans);
    if (!spans || syscall(SYS_getrandom, random, sizeof random, 0) != sizeof random) return free(spans), false;
    random[2] = random[2] >> 1 | 1; /* no id may be 0 */
    uint32_t count = collect(t, spans, n);
    fputs("{\"resourceSpans\":[{\"resource\":{\"attributes\":[", out);
    put_text(out, "service.name", o->service, strlen(o->service), "");
    fprintf(out, ",{\"key\":\"process.pid\",\"value\":{\"intValue\":\"%d\"}}", (int)getpid());
    put_text(out, "telemetry.sdk.language", "java", 4, ",");
    fputs("]},\"scopeSpans\":[{\"scope\":{\"name\":\"graft.trace\"},\"spans\":[\n", out);
    for (uint32_t i = 0; i < count; i++) put_span(o, spans, i, random, i ? ",\n" : "", out);
    fputs("\n]}]}]}\n", out);
    free(spans);
    return !ferror(out);
}
