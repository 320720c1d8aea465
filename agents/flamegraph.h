/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flamegraph.h - weighted stacks, and what can be drawn from them.
 *
 *     Flame *f = flame_new();
 *     const char *frames[] = {"main", "a.B.run", "a.B.work"};          // outermost first
 *     flame_add(f, frames, 3, 1024, 1);                                // weight, count
 *     FlameText text = {.title = "Allocations", .unit = "bytes", .note = "..."};
 *     flame_html(f, &text, file);                                      // one page, no other file needed
 *     flame_collapsed(f, file);                                        // a;b;c 1024   per stack
 *     flame_free(f);
 *
 * Equal stacks are united when they are added, so memory grows with the number of different ones. A
 * frame is any text; names are copied. In collapsed form `;` and line ends in names become `:` and
 * blanks. Frames that end in `]` (e.g. "int[] [new]") get a colour of their own: agents mark what is not a
 * method this way.
 *
 * Not thread-safe: callers lock. Functions return false when memory runs out or writing fails.
 */
#ifndef GRAFT_FLAMEGRAPH_H
#define GRAFT_FLAMEGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Flame Flame;
typedef struct FlameText {
    const char *title;
    const char *unit; /* of weights, e.g. "bytes", "ns", "calls" */
    const char *note; /* a line under the title, or NULL */
} FlameText;

Flame *flame_new(void);
void flame_free(Flame *f);
bool flame_add(Flame *f, const char *const *frames, size_t n, uint64_t weight, uint64_t count);
/* A stack that flame_add would add to, and adding to it; NULL without memory. It stays until flame_free. */
typedef struct FlameStack FlameStack;
FlameStack *flame_stack(Flame *f, const char *const *frames, size_t n);
void flame_weigh(FlameStack *s, uint64_t weight, uint64_t count);
/* All weights and counts become 0. */
void flame_clear(Flame *f);
/* Every stack that has weight or count, until `each` says false; its frames outermost first. False also without memory. */
typedef bool (*FlameEach)(void *ctx, const char *const *frames, size_t n, uint64_t weight, uint64_t count);
bool flame_each(const Flame *f, FlameEach each, void *ctx);
bool flame_collapsed(const Flame *f, FILE *out);
bool flame_html(const Flame *f, const FlameText *text, FILE *out);

#endif
