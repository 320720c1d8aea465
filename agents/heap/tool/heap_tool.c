/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_tool.c - graft-heap: what grew between two saved snapshots, of one run or of two.
 *
 * Ends with 0, 1 if a file cannot be read or written, 2 for a wrong use.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "heap_page.h"
#include "heap_saved.h"
#include "heap_text.h"
#include "printable.h"

enum { RC_OK, RC_FAILED, RC_USAGE };

typedef struct Difference {
    HeapSaved before, now;
    HeapRow *rows; /* classes of both */
    uint32_t n;
    int top;
} Difference;

static const char help[] =
    "graft heapdiff [OPTION]... BEFORE AFTER\n\n"
    "Tells what grew between two snapshots that the heap agent saved (graft heap --save=FILE), by class and by who holds it.\n\n"
    "  --html=FILE   the same as a page\n"
    "  --top=N       rows of each table (20)\n"
    "  --help        this text\n\n"
    "Exit code: 0; 1 if a file cannot be read or written; 2 for a wrong use.\n";

static HeapFigures sum(const Difference *d, bool before) {
    HeapFigures all = {0};
    for (uint32_t i = 0; i < d->n; i++) {
        const HeapFigures *f = before ? &d->rows[i].before : &d->rows[i].now;
        all.objects += f->objects;
        all.bytes += f->bytes;
    }
    return all;
}

static void put_side(const char *word, const HeapSaved *s, HeapFigures all) {
    printf("%s%s (%s): %" PRIu64 " objects, %" PRIu64 " bytes; %" PRIu64 " references; %u classes\n", word, s->title, s->note,
           all.objects, all.bytes, s->types.references, s->types.classes);
}

static bool put_text(Difference *d) {
    put_side("before  ", &d->before, sum(d, true));
    put_side("after   ", &d->now, sum(d, false));
    fputs("\nGrowth\n", stdout);
    bool ok = heap_growth_text(stdout, &d->now.types, d->rows, d->n, d->top);
    return fflush(stdout) == 0 && ok;
}

static void put_note(FILE *out, const char *word, const HeapSaved *s) {
    fprintf(out, "<p class=\"dim\">%s: ", word);
    heap_put_html(out, s->title);
    fputs(" (", out);
    heap_put_html(out, s->note);
    fputs(")</p>\n", out);
}

static bool put_page(const void *ctx, FILE *out) {
    const Difference *d = ctx;
    HeapFigures before = sum(d, true), now = sum(d, false);
    heap_page_begin(out, "What grew between two snapshots", d->now.note);
    put_note(out, "Before", &d->before);
    put_note(out, "After", &d->now);
    heap_tiles_begin(out);
    heap_tile(out, "Objects before", before.objects, false);
    heap_tile(out, "Objects after", now.objects, false);
    heap_tile(out, "Bytes before", before.bytes, true);
    heap_tile(out, "Bytes after", now.bytes, true);
    heap_tiles_end(out);
    bool ok = heap_growth_part(out, &d->now.types, d->rows, d->n, (uint32_t)d->top);
    fputs("<section><h2 id=\"classes\">Classes by what they retain, after</h2>\n", out);
    heap_class_table(out, d->rows, d->n, 10 * (uint32_t)d->top);
    fputs("</section>\n", out);
    heap_page_end(out);
    return ok && !ferror(out);
}

static int compare(char **files, const char *html, int top) {
    static const Agent tool = {.name = "graft-heap", .level = AGENT_INFO};
    char err[512];
    Difference d = {.top = top};
    if (!heap_load(&d.before, files[0], err, sizeof err)) return fprintf(stderr, "graft-heap: %s\n", err), RC_FAILED;
    bool ok = heap_load(&d.now, files[1], err, sizeof err);
    if (!ok) fprintf(stderr, "graft-heap: %s\n", err);
    if (ok) {
        ok = heap_types_compare(&d.now.types, &d.before.types) && (d.rows = heap_rows(&d.now.types, &d.n));
        if (!ok) fputs("graft-heap: out of memory\n", stderr);
    }
    if (ok && !put_text(&d)) ok = (fprintf(stderr, "graft-heap: standard output: %s\n", strerror(errno)), false);
    ok = ok && agent_write_file(&tool, html, put_page, &d);
    free(d.rows);
    heap_saved_free(&d.before);
    heap_saved_free(&d.now);
    return ok ? RC_OK : RC_FAILED;
}

int main(int argc, char **argv) {
    static const struct option longs[] = {
        {"html", required_argument, NULL, 'o'}, {"top", required_argument, NULL, 't'}, {"help", no_argument, NULL, 'h'}, {0}};
    const char *html = NULL;
    int top = 20;
    char *end;
    agent_printable_output();
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) switch (c) {
        case 'o': html = optarg; break;
        case 't':
            errno = 0;
            top = (int)strtol(optarg, &end, 10);
            if (!errno && *optarg && !*end && top > 0 && top <= 100000) break;
            return fprintf(stderr, "graft-heap: bad value '%s' of --top\n", optarg), RC_USAGE;
        case 'h': return fputs(help, stdout), fflush(stdout) ? RC_FAILED : RC_OK;
        default: return fputs(help, stderr), RC_USAGE;
        }
    if (argc - optind == 1 && !strcmp(argv[optind], "help")) return fputs(help, stdout), fflush(stdout) ? RC_FAILED : RC_OK;
    if (argc - optind != 2) return fputs(help, stderr), RC_USAGE;
    return compare(argv + optind, html, top);
}
