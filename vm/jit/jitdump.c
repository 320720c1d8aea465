/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -XX:+DumpJitCode: jit-PID.dump, from which `perf inject --jit` makes an image of each compiled method, so that `perf report` names
 * methods, `perf annotate` shows instructions and lines, and stacks recorded by --call-graph dwarf go through them.
 *
 *     perf record -k mono java -XX:+DumpJitCode ...; perf inject --jit -i perf.data -o perf.jit; perf report -i perf.jit
 *
 * The format is that of the kernel's tools/perf/Documentation/jitdump-specification.txt, version 1.  A page of the file is mapped executable,
 * which is what perf sees of it.  Records are written one by one, with what code was made; code that is freed is not told.
 * A file that cannot be written ends it, with one line.
 */
#include "core/vm.h"
#include "jit/code_tools.h"
#include "os/os.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MAGIC = 0x4a695444, VERSION = 1, HEADER_BYTES = 40, EM_X86_64 = 62 };
enum { CODE_LOAD = 0, DEBUG_INFO = 2, UNWINDING_INFO = 4, PREFIX_BYTES = 16 };

static FILE *dump;
static bool over;
static u8 serial;

static void give_up(const char *what) {
    fprintf(stderr, "OpenJDK 64-Bit Server VM warning: jit-%d.dump: %s: %s; compiled code is not dumped any more\n", getpid(),
            what, strerror(errno));
    if (dump) fclose(dump);
    dump = NULL;
    over = true;
}

/* As perf counts with -k mono. */
static u8 now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u8)t.tv_sec * 1000000000u + (u8)t.tv_nsec;
}

static bool start(void) {
    char path[64];
    snprintf(path, sizeof path, "jit-%d.dump", getpid());
    unlink(path);
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    dump = fd < 0 ? NULL : fdopen(fd, "w+e");
    if (!dump) return give_up("cannot be made"), false;
    put_u4(dump, MAGIC);
    put_u4(dump, VERSION);
    put_u4(dump, HEADER_BYTES);
    put_u4(dump, EM_X86_64);
    put_u4(dump, 0);
    put_u4(dump, (u4)getpid());
    put_u8(dump, now());
    put_u8(dump, 0);
    /* It stays as long as the process. */
    if (fflush(dump) || mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
        return give_up("cannot be mapped for perf to see it"), false;
    return true;
}

static void put_prefix(u4 id, size_t bytes) {
    put_u4(dump, id);
    put_u4(dump, (u4)(PREFIX_BYTES + bytes));
    put_u8(dump, now());
}

static void put_lines(const CodeBlob *b) {
    char *text = NULL;
    size_t len = 0;
    u4 n;
    CodeLine *lines = code_lines(b, &n);
    FILE *out = lines ? open_memstream(&text, &len) : NULL;
    if (out) {
        put_u8(out, (uintptr_t)b->code);
        put_u8(out, n);
        for (u4 i = 0; i < n; i++) {
            put_u8(out, (uintptr_t)b->code + lines[i].offset);
            put_u4(out, lines[i].line);
            put_u4(out, 0);
            code_print_file(out, lines[i].m);
            put_u1(out, 0);
        }
        if (fclose(out) == 0) {
            put_prefix(DEBUG_INFO, len);
            put_bytes(dump, text, len);
        }
    }
    free(text);
    free(lines);
}

/* The unwinding table and its index, of one entry.  perf looks for them behind the code, where nothing need be written, but where no other
 * code may be. */
static void put_unwinding(const CodeBlob *b) {
    enum { TABLE = 44, END = 4, INDEX = 20, FREE = 4, CIE = 24 };
    _Static_assert(TABLE + END + INDEX + FREE == JITDUMP_TAIL, "room");
    static const u1 how[] = {1, 0x1b, 0x03,
                             0x3b}; /* version; relative to here, 4 bytes; counts of 4 bytes; relative to the index */
    u4 size = b->size - JITDUMP_TAIL;
    put_prefix(UNWINDING_INFO, 3 * 8 + JITDUMP_TAIL);
    put_u8(dump, JITDUMP_TAIL);
    put_u8(dump, INDEX + FREE);
    put_u8(dump, JITDUMP_TAIL);
    code_write_unwinding(dump, b->code, size, true);
    put_u4(dump, 0); /* the end of the table */
    put_bytes(dump, how, sizeof how);
    put_u4(dump, 0u - (TABLE + END + 4)); /* from here to the table */
    put_u4(dump, 1);
    put_u4(dump, 0u - (size + TABLE + END)); /* the code */
    put_u4(dump, 0u - (TABLE + END - CIE));  /* its entry */
    put_u4(dump, 0);
}

static void put_code(const CodeBlob *b) {
    char *name = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&name, &len);
    u4 size = b->size - JITDUMP_TAIL;
    if (!out) return;
    code_print_name(out, b->method, true);
    if (fclose(out) == 0) {
        put_prefix(CODE_LOAD, 2 * 4 + 4 * 8 + len + 1 + size);
        put_u4(dump, (u4)getpid());
        put_u4(dump, (u4)syscall(SYS_gettid));
        put_u8(dump, (uintptr_t)b->code);
        put_u8(dump, (uintptr_t)b->code);
        put_u8(dump, size);
        put_u8(dump, ++serial);
        put_bytes(dump, name, len + 1);
        put_bytes(dump, b->code, size);
    }
    free(name);
}

void jitdump_add(const CodeBlob *b) {
    if (over || (!dump && !start())) return;
    put_lines(b);
    put_unwinding(b);
    put_code(b);
    if (fflush(dump)) give_up("cannot be written");
}
