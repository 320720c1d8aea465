/* SPDX-License-Identifier: Apache-2.0 */
/* heap_saved.c - writes and reads snapshots. Files may come from anywhere: numbers and depths are checked. */
#include "heap_saved.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"

static const char magic[] = "graft-heap 1";
enum { MAX_FILE = 1 << 30 };
static const uint64_t MAX_NUMBER = (uint64_t)1 << 46;

/* ---- writing ----------------------------------------------------------------------------------- */

/* One line of it. */
static void put_line(FILE *out, const char *text) {
    for (; *text; text++) fputc((unsigned char)*text < ' ' ? '?' : *text, out);
    fputc('\n', out);
}

static void put_below(FILE *out, const HeapTypes *t, uint32_t parent) {
    for (uint32_t i = t->types.data[parent].first; i; i = t->types.data[i].next) {
        const HeapType *x = &t->types.data[i];
        if (!x->now.retained) continue; /* only in the one before */
        fprintf(out, "%u %" PRIu64 " %" PRIu64 " ", x->depth, x->now.objects, x->now.bytes);
        put_line(out, heap_type_name(t, i));
        put_below(out, t, i);
    }
}

bool heap_save(FILE *out, const char *title, const char *note, const HeapTypes *t) {
    fprintf(out, "%s\ntitle ", magic);
    put_line(out, title);
    fputs("note ", out);
    put_line(out, note);
    fprintf(out, "classes %u\nreferences %" PRIu64 "\ntypes\n", t->classes, t->references);
    put_below(out, t, HEAP_TYPE_ROOTS);
    fputs("end\n", out);
    return !ferror(out);
}

/* ---- reading ----------------------------------------------------------------------------------- */

typedef struct Reader {
    char *at, *end;
    unsigned line;
} Reader;

/* The next line without its end; NULL if there is none. */
static char *next_line(Reader *r) {
    char *line = r->at, *stop = line < r->end ? memchr(line, '\n', (size_t)(r->end - line)) : NULL;
    if (!stop || memchr(line, 0, (size_t)(stop - line))) return NULL;
    *stop = 0;
    r->at = stop + 1;
    r->line++;
    return line;
}

/* What follows a word at the beginning of the next line; NULL: it begins otherwise. */
static char *value_of(Reader *r, const char *word) {
    char *line = next_line(r);
    size_t n = strlen(word);
    return line && !strncmp(line, word, n) && line[n] == ' ' ? line + n + 1 : NULL;
}

/* A number and the blank or end behind it. */
static bool number(char **at, uint64_t *n) {
    char *stop;
    if (**at < '0' || **at > '9') return false;
    errno = 0;
    *n = strtoull(*at, &stop, 10);
    if (errno || (*stop && *stop != ' ') || *n > MAX_NUMBER) return false;
    *at = *stop ? stop + 1 : stop;
    return true;
}

static bool read_head(Reader *r, HeapSaved *s) {
    uint64_t classes, references;
    char *line = next_line(r), *title, *note, *text;
    if (!line || strcmp(line, magic) || !(title = value_of(r, "title")) || !(note = value_of(r, "note"))) return false;
    s->title = strdup(title);
    s->note = strdup(note);
    if (!(text = value_of(r, "classes")) || !number(&text, &classes) || classes > UINT32_MAX) return false;
    if (!(text = value_of(r, "references")) || !number(&text, &references)) return false;
    s->types.classes = (uint32_t)classes;
    s->types.references = references;
    line = next_line(r);
    return s->title && s->note && line && !strcmp(line, "types");
}

/* `way`: the types from the roots to the last one. */
static bool read_type(char *line, HeapTypes *t, uint32_t *way, uint64_t *depth) {
    uint64_t d, objects, bytes;
    if (!number(&line, &d) || !number(&line, &objects) || !number(&line, &bytes) || !*line) return false;
    if (d < 1 || d > *depth + 1 || d > HEAP_TYPE_DEPTH || !(way[d] = heap_type_add(t, way[d - 1], line))) return false;
    *depth = d;
    t->types.data[way[d]].now.objects += objects;
    t->types.data[way[d]].now.bytes += bytes;
    return true;
}

static bool read_types(Reader *r, HeapTypes *t) {
    uint32_t way[HEAP_TYPE_DEPTH + 1] = {HEAP_TYPE_ROOTS};
    uint64_t depth = 0;
    char *line;
    while ((line = next_line(r)) && strcmp(line, "end") != 0)
        if (!read_type(line, t, way, &depth)) return false;
    heap_types_sum(t);
    return line && r->at == r->end;
}

bool heap_load(HeapSaved *s, const char *path, char *err, size_t n) {
    size_t len;
    char *text = agent_read_file(path, MAX_FILE, NULL, &len);
    *s = (HeapSaved){0};
    if (!text) return snprintf(err, n, "%s: %s", path, strerror(errno)), false;
    Reader r = {text, text + len, 0};
    bool ok = heap_types_new(&s->types) && read_head(&r, s) && read_types(&r, &s->types);
    /* all but the number, and a number that is another one */
    bool newer = !strncmp(text, magic, sizeof magic - 2) && text[sizeof magic - 2] != magic[sizeof magic - 2];
    free(text);
    if (ok) return true;
    if (newer) snprintf(err, n, "%s: a snapshot of another version than this program reads", path);
    else if (r.line < 2) snprintf(err, n, "%s: not a saved snapshot of the heap", path);
    else snprintf(err, n, "%s:%u: damaged, or cut off", path, r.line);
    heap_saved_free(s);
    return false;
}

void heap_saved_free(HeapSaved *s) {
    free(s->title);
    free(s->note);
    heap_types_free(&s->types);
    *s = (HeapSaved){0};
}
