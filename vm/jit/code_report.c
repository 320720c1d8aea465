/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is told about compiled code in words: -XX:+PrintCompilation, jcmd Compiler.*, the map for perf, figures for jstat and
 * CompilationMXBean, lines of crash reports.  Forms are those that users of the reference and tools that read them know.
 *
 * Base code is level 1, optimised code 4.  Only the optimiser makes code for an entry at a loop alone: its line has a % and says where the loop is.
 */
#include "core/options.h"
#include "core/vm.h"
#include "exec/throw.h"
#include "jit/code_tools.h"
#include "jit/policy.h"
#include "object/class.h"
#include "object/method.h"
#include "object/symbol.h"
#include "os/os.h"
#include <stdlib.h>
#include <unistd.h>

enum { NAME_ROOM = 512 };

/* --- -XX:+PrintCompilation, -XX:+PrintInlining --- */

static FILE *bodies; /* lines about the method that is being compiled [lock: jit] */
static char *body_lines;
static size_t body_bytes;

void report_body(u4 level, u4 bci, const Method *m, const char *what) {
    char name[NAME_ROOM];
    if (!bodies) bodies = open_memstream(&body_lines, &body_bytes);
    if (bodies)
        fprintf(bodies, "%*s@ %u   %s::%s (%u bytes)   %s\n", 30 + 2 * (int)level, "", bci,
                class_external_name(m->holder, name, sizeof name), m->name->bytes, m->code_len, what);
}

void report_no_bodies(void) {
    if (!bodies) return;
    fclose(bodies);
    free(body_lines);
    bodies = NULL;
    body_lines = NULL;
}

static void print_bodies(void) {
    if (bodies && fflush(bodies) == 0) fputs(body_lines, stdout);
    report_no_bodies();
}

/* loop: the head's bci, or WHOLE_METHOD. */
static void report_line(const Method *m, u4 id, int level, int loop, const char *note) {
    char name[NAME_ROOM], place[16] = "";
    if (!vm_options.print_compilation && !vm_options.print_inlining) return;
    if (loop != WHOLE_METHOD) snprintf(place, sizeof place, " @ %d", loop);
    printf("%7ld %4u %c%c%c%c  %d       %s::%s%s (%u bytes)", (long)((os_nanos() - vm.start_nanos) / 1000000), id,
           *place ? '%' : ' ', m->access & ACC_SYNCHRONIZED ? 's' : ' ', m->n_handlers ? '!' : ' ', jit_in_background ? ' ' : 'b',
           level, class_external_name(m->holder, name, sizeof name), m->name->bytes, place, m->code_len);
    if (note) printf("   %s", note);
    putchar('\n');
    if (!note) print_bodies();
    fflush(stdout);
}

void report_compilation(const CodeBlob *b, const char *note) {
    report_line(b->method, b->id, code_level(b), b->loop_of ? (int)b->entries[0].bci : WHOLE_METHOD, note);
}

void report_no_code(const Method *m, u4 id, int level, const char *note) { report_line(m, id, level, WHOLE_METHOD, note); }

void report_made(const CodeBlob *b) {
    if (vm_options.dump_jit_code) jitdump_add(b);
    if (vm_options.describe_jit_code) code_image_add(b);
}
void report_freed(const CodeBlob *b) {
    if (vm_options.describe_jit_code) code_image_remove(b);
}

/* --- jcmd --- */

static void list_code(CodeBlob *b, void *out) {
    char name[NAME_ROOM];
    const Method *m = b->method;
    fprintf(out, "%u %d %d %s.%s%s [0x%016lx, 0x%016lx - 0x%016lx]\n", b->id, code_level(b), 0,
            class_external_name(m->holder, name, sizeof name), m->name->bytes, m->desc->bytes, (uintptr_t)b->code,
            (uintptr_t)b->code, (uintptr_t)b->code + b->size);
}
void jit_list_code(FILE *out) { jit_visit_code(list_code, out); }

void jit_describe_cache(FILE *out) {
    JitFigures f = jit_figures();
    CacheFigures c = cache_figures();
    fprintf(out, "CodeCache: size=%luKb used=%luKb max_used=%luKb free=%luKb\n", (unsigned long)c.total >> 10,
            (unsigned long)c.used >> 10, (unsigned long)c.most_used >> 10, (unsigned long)(c.total - c.used) >> 10);
    fprintf(out, " bounds [0x%016lx, 0x%016lx, 0x%016lx]\n", c.start, c.start + c.total, c.start + c.total);
    fprintf(out, " total_blobs=%u nmethods=%u adapters=0\n", f.live + f.retired, f.live + f.retired);
    fprintf(out, " compilation: %s\n              stopped_count=0, restarted_count=0\n full_count=%u\n",
            jit_on ? "enabled" : "disabled", c.full);
}

/* --- -XX:+CITime --- */

/* The lines of the reference that mean something here. */
void jit_print_times(FILE *out) {
    JitFigures f = jit_figures();
    double seconds = (double)f.nanos / 1e9;
    fprintf(out, "\nAccumulated compiler times\n----------------------------------------------------------\n");
    fprintf(out, "  Total compilation time   : %7.3f s\n\n", seconds);
    fprintf(out, "  Total compiled methods    : %8u methods\n", f.compiled);
    fprintf(out, "  Total compiled bytecodes  : %8lu bytes\n", (unsigned long)f.bytecode_bytes);
    fprintf(out, "  Average compilation speed : %8.0f bytes/s\n\n", seconds > 0 ? (double)f.bytecode_bytes / seconds : 0);
    fprintf(out, "  nmethod code size         : %8lu bytes\n", (unsigned long)f.code_bytes);
}

/* --- perf --- */

static void map_code(CodeBlob *b, void *out) {
    fprintf(out, "0x%016lx 0x%016lx ", (uintptr_t)b->code, (uintptr_t)b->size);
    code_print_name(out, b->method, true);
    fputc('\n', out);
}

bool jit_write_perf_map(void) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
    unlink(path); /* what another user may have put there is not written to */
    FILE *out = fopen(path, "wxe");
    if (!out) return false;
    jit_visit_code(map_code, out);
    return fclose(out) == 0;
}

/* --- signal-safe --- */

const CodeBlob *jit_blob_at(uintptr_t pc) {
    const CodeBlob *b = cache_owner(pc);
    TSAN_ACQUIRE(b); /* its maker published the code, which led here */
    return b && pc - (uintptr_t)b->code < b->size ? b : NULL;
}

CodePlace jit_place_at(const CodeBlob *b, uintptr_t pc) {
    CodePlace p = {0}, found = {0};
    const u1 *at = b->places;
    for (u4 i = 0; at && i < b->n_places; i++) {
        at = places_next(at, &p);
        if (p.offset > pc - (uintptr_t)b->code) break;
        found = p;
    }
    return found;
}

int jit_bci_at(const CodeBlob *b, uintptr_t pc) { return (int)jit_root_bci(b, jit_place_at(b, pc)); }
