/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of the code of methods, and jcmd Compiler.explain, which tells it.
 *
 * A Note counts how often one thing happened to a method: its frames left code at a bci for one reason, its code was thrown away for one reason, a
 * compiler refused it.  Notes are in a hash table by method.  All this is rare beside what it counts (leaving code takes microseconds), so it is always on;
 * there are MOST_NOTES at most, later ones are lost, and the answer says so.
 *
 * Lock: story_lock, a leaf; its holders do not stop.  The answer is put together in a pause, so that no class goes meanwhile.
 */
#include "jit/code_story.h"
#include "core/lock.h"
#include "core/options.h"
#include "heap/heap_upcall.h"
#include "exec/throw.h"
#include "jit/policy.h"
#include "object/class.h"
#include "object/symbol.h"
#include "object/version.h"
#include "thread/thread.h"
#include <stdlib.h>
#include <string.h>

typedef enum NoteKind { NOTE_LEFT, NOTE_ENDED, NOTE_REFUSED, NOTE_NOT_OPTIMISED } NoteKind;

typedef struct Note {
    struct Note *next;
    const Method *m;
    const char *text;
    u4 count, bci;
    NoteKind kind;
} Note;

enum { MOST_NOTES = 8192, LISTS = 1024 };

static VmLock story_lock = VM_LOCK(CODE_STORY);
static Note *lists[LISTS];
static u4 n_notes, n_lost;

static Note **list_of(const Method *m) { return &lists[((uintptr_t)m >> 4) * 0x9e3779b97f4a7c15ull >> 54]; }

static void note(const Method *m, NoteKind kind, u4 bci, const char *text) {
    lock_take(&story_lock);
    Note **list = list_of(m), *n = *list;
    while (n && !(n->m == m && n->kind == kind && n->bci == bci && n->text == text)) n = n->next;
    if (!n && n_notes < MOST_NOTES && (n = malloc(sizeof *n))) {
        *n = (Note){.next = *list, .m = m, .kind = kind, .bci = bci, .text = text};
        *list = n;
        n_notes++;
    }
    if (n) n->count++;
    else n_lost++;
    lock_release(&story_lock);
}

static const char *exit_text(u4 kind) {
    switch (kind) {
    case EXIT_UNQUICK: return "an instruction that had never run";
    case EXIT_AFTER:
    case EXIT_AT:
    case EXIT_ENTERING: return "the frame was told to leave (redefinition, a tool, newer code)";
    case EXIT_NULL:
    case EXIT_FAULT: return "null";
    case EXIT_ZERO: return "division by zero";
    case EXIT_INDEX: return "a wrong index";
    case EXIT_CAST: return "a class that cannot be cast";
    case EXIT_ATHROW: return "throws";
    case EXIT_RETHROW: return "an exception that came out of a call";
    default: return "what the code leaves to the interpreter";
    }
}

void story_left(const Method *m, u4 bci, u4 exit_kind) { note(m, NOTE_LEFT, bci, exit_text(exit_kind)); }

void story_ended(const Method *m, CodeEnd why) {
    static const char *const texts[] = {
#define CODE_END(id, text) text,
#include "jit/code_story.def"
    };
    note(m, NOTE_ENDED, 0, texts[why]);
}

void story_refused(const Method *m, bool by_optimiser, const char *why) {
    note(m, by_optimiser ? NOTE_NOT_OPTIMISED : NOTE_REFUSED, 0, why);
}

void story_forget(const ClassVersion *v) {
    lock_take(&story_lock);
    for (u4 i = 0; i < LISTS && n_notes; i++)
        for (Note **at = &lists[i], *n; (n = *at);) {
            if (!version_has(v, n->m)) {
                at = &n->next;
                continue;
            }
            *at = n->next;
            free(n);
            n_notes--;
        }
    lock_release(&story_lock);
}

/* --- telling it, in a pause --- */

typedef struct Question {
    FILE *out;
    char holder[512], name[256]; /* "java/lang/String", "hashCode" */
    u4 found;
} Question;

static void print_name(FILE *out, const Method *m) {
    char name[512];
    fprintf(out, "%s.%s%s", class_external_name(m->holder, name, sizeof name), m->name->bytes, m->desc->bytes);
}

static void print_notes(FILE *out, const Method *m, NoteKind kind, const char *head) {
    for (const Note *n = *list_of(m); n; n = n->next) {
        if (n->m != m || n->kind != kind) continue;
        fprintf(out, "  %s%s", head, n->text);
        if (kind == NOTE_LEFT) fprintf(out, ", at bci %u", n->bci);
        fprintf(out, n->count == 1 ? "\n" : ", %u times\n", n->count);
    }
}

static void print_bodies(FILE *out, const CodeBlob *b, u4 outer, int level) {
    for (u4 i = 1; i <= b->n_scopes; i++) {
        const CodeScope *s = &b->scopes[i - 1];
        if (s->outer != outer || !s->method) continue;
        fprintf(out, "%*s@ %u  ", 4 + 2 * level, "", s->bci);
        print_name(out, s->method);
        fprintf(out, " (%u bytes)\n", s->method->code_len);
        print_bodies(out, b, i, level + 1);
    }
}

static void print_code(FILE *out, const CodeBlob *b, const char *what) {
    fprintf(out, "  %s%s: number %u, %u bytes at 0x%016lx, %u places to leave%s\n", b->optimised ? "optimised code" : "base code",
            what, b->id, b->size, (uintptr_t)b->code, b->n_exits, b->reports ? ", reports calls" : "");
    if (b->left) fprintf(out, "    left %u times\n", b->left);
    if (b->n_scopes) fprintf(out, "    inlined:\n");
    print_bodies(out, b, 0, 1);
}

static void print_loops(FILE *out, const CodeBlob *base) {
    char what[32];
    for (const CodeBlob *l = base->loops; l; l = l->next_loop) {
        snprintf(what, sizeof what, " of the loop at bci %u", l->entries[0].bci);
        print_code(out, l, what);
    }
}

static const char *tier_text(const Method *m) {
    if (!m->code_len) return "has no bytecode";
    switch (method_tier(m)) {
    case TIER_COMPILED: return "compiled";
    case TIER_INTERPRETED: return "interpreted for good";
    case TIER_QUEUED: return "interpreted, waits for the compiler";
    default: return "interpreted";
    }
}

static void print_optimiser(FILE *out, const Method *m) {
    if (!vm_options.optimizing_compiler && !vm_options.optimize_all) return;
    static const char *const states[] = {
        [OPT_NOT_YET] = "not hot enough", [OPT_WAITS] = "waits", [OPT_DONE] = "done", [OPT_REFUSED] = "refused"};
    fprintf(out, "  optimiser: %s; met %u times running base code, mistaken %u times\n", states[m->optimised], m->samples,
            m->mistaken);
    print_notes(out, m, NOTE_NOT_OPTIMISED, "optimiser refused: ");
}

static void explain(FILE *out, const Method *m) {
    print_name(out, m);
    fprintf(out, " (%u bytes)\n  %s", m->code_len, tier_text(m));
    if (m->code_len && method_tier(m) == TIER_COUNTING && jit_on) fprintf(out, ", heat %u of %u", method_heat(m), jit_hot);
    fputc('\n', out);
    if (m->blob) {
        print_code(out, m->blob, "");
        if (m->blob->below) print_code(out, m->blob->below, " below it");
        print_loops(out, m->blob->below ? m->blob->below : m->blob);
    }
    print_notes(out, m, NOTE_REFUSED, "refused: ");
    print_optimiser(out, m);
    print_notes(out, m, NOTE_ENDED, "thrown away: ");
    print_notes(out, m, NOTE_LEFT, "left: ");
}

static void explain_in(Class *k, void *arg) {
    Question *q = arg;
    if (strcmp(k->name->bytes, q->holder) || !k->version) return;
    for (u4 i = 0; i < k->version->n_methods; i++) {
        const Method *m = &k->version->methods[i];
        if (strcmp(m->name->bytes, q->name)) continue;
        explain(q->out, m);
        q->found++;
    }
}

static void explain_all(void *q) { loader_visit_all_classes(explain_in, q); }

/* "java.lang.String.hashCode", "java.lang.String::hashCode", with / for . as well. */
static bool read_question(Question *q, const char *text) {
    const char *dot = strrchr(text, '.'), *colon = strstr(text, "::"), *end = colon ? colon : dot;
    size_t n = end ? (size_t)(end - text) : 0;
    const char *name = colon ? colon + 2 : end + 1;
    if (!n || n >= sizeof q->holder || !*name || strlen(name) >= sizeof q->name) return false;
    for (size_t i = 0; i < n; i++) q->holder[i] = text[i] == '.' ? '/' : text[i];
    strcpy(q->name, name);
    return true;
}

void jit_explain(FILE *out, const char *method) {
    Question q = {.out = out};
    if (!read_question(&q, method)) {
        fprintf(out, "CLASS.METHOD is wanted, as java.lang.String.hashCode: %s\n", method);
        return;
    }
    if (!jit_on) fprintf(out, "Nothing is compiled: this VM only interprets.\n");
    safepoint_run("Compiler.explain", explain_all, &q);
    if (!q.found) fprintf(out, "No loaded class has such a method: %s\n", method);
    if (n_lost) fprintf(out, "%u events were not remembered: there had been too many.\n", n_lost);
}
