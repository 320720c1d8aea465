/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which code belongs to which instruction, of the method or of a body in it: for tools that see an address and want a line.
 *
 * Kept as differences, each as an unsigned LEB128: of the offset, and of the bci, with its sign in the lowest bit and in the next one whether
 * the number of another scope follows.  That is two bytes for most places.  A place that gets no code (the next one has the same offset) and one that goes on with the same
 * instruction are left out.
 */
#include "jit/jit_int.h"
#include "jit/leb.h"
#include <stdlib.h>

enum { MOST_BYTES = 15 }; /* of one place */

static bool make_room(Places *p) {
    if (p->cap - p->len >= MOST_BYTES) return true;
    u4 cap = p->cap ? 2 * p->cap : 64;
    u1 *more = realloc(p->bytes, cap);
    if (!more) return false;
    p->bytes = more;
    p->cap = cap;
    return true;
}

static void put(Places *p, u4 v) { p->len = (u4)(leb_put(p->bytes + p->len, v) - p->bytes); }
static u4 get(const u1 **at) { return (u4)leb_get(at); }

static void drop(Places *p) {
    free(p->bytes);
    *p = (Places){.failed = true};
}

static void write_waiting(Places *p) {
    bool moved = p->next.scope != p->last.scope;
    if (!p->waiting || (p->n && !moved && p->next.bci == p->last.bci)) return;
    if (!make_room(p)) return drop(p);
    int32_t step = (int32_t)p->next.bci - (int32_t)p->last.bci;
    put(p, p->next.offset - p->last.offset);
    put(p, (step < 0 ? (u4)-step << 2 | 1 : (u4)step << 2) | (u4)moved << 1);
    if (moved) put(p, p->next.scope);
    p->last = p->next;
    p->n++;
}

void places_add(Places *p, CodePlace next) {
    if (p->failed) return;
    if (p->waiting && next.offset > p->next.offset) write_waiting(p);
    p->next = next;
    p->waiting = !p->failed;
}

void places_end(Places *p) {
    if (!p->failed) write_waiting(p);
    p->waiting = false;
}

const u1 *places_next(const u1 *at, CodePlace *p) {
    p->offset += get(&at);
    u4 step = get(&at);
    p->bci += step & 1 ? -(step >> 2) : step >> 2;
    if (step & 2) p->scope = get(&at);
    return at;
}

u4 jit_places(const CodeBlob *b, CodePlace *to) {
    const u1 *at = b->places;
    CodePlace p = {0};
    if (!at) return 0;
    for (u4 i = 0; i < b->n_places; i++) {
        at = places_next(at, &p);
        to[i] = p;
    }
    return b->n_places;
}

u4 jit_root_bci(const CodeBlob *b, CodePlace p) {
    while (p.scope) {
        p.bci = b->scopes[p.scope - 1].bci;
        p.scope = b->scopes[p.scope - 1].outer;
    }
    return p.bci;
}
