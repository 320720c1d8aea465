/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled code for tools outside: perf's dump of code, gdb's interface for code that is made at run time. */
#ifndef GRAFT_JIT_CODE_TOOLS_H
#define GRAFT_JIT_CODE_TOOLS_H

#include "jit/jit.h"

/* --- code_lines.c --- */
/* From `offset` on the code is that of a line of m's source: the method itself, or a body in it. */
typedef struct CodeLine {
    u4 offset, line;
    const Method *m;
} CodeLine;
/* In order of offset, places without a line left out.  NULL: none, or no memory; else to be freed. */
CodeLine *code_lines(const CodeBlob *b, u4 *n);
/* "java/lang/String.java"; of a class that names no file, as javac would call it. */
void code_print_file(FILE *out, const Method *m);
/* "int java.lang.String.indexOf(int)", or without the result. */
void code_print_name(FILE *out, const Method *m, bool with_result);
/* How to unwind from `size` bytes of code: the return address is on top of the C stack, wherever one is.  The code's address is stored in 8 bytes, or
 * `relative` to a table that lies behind it, in 4: then 44 bytes are written, and else 52, with an end. */
void code_write_unwinding(FILE *out, const u1 *code, u4 size, bool relative);

static inline void put_bytes(FILE *out, const void *p, size_t n) { fwrite(p, 1, n, out); }
static inline void put_u1(FILE *out, u1 v) { fputc(v, out); }
static inline void put_u2(FILE *out, u2 v) { put_bytes(out, &v, 2); }
static inline void put_u4(FILE *out, u4 v) { put_bytes(out, &v, 4); }
static inline void put_u8(FILE *out, u8 v) { put_bytes(out, &v, 8); }

/* --- jitdump.c, code_image.c.  [lock: jit] or at a safepoint --- */
enum {
    JITDUMP_TAIL = 72
}; /* bytes behind the code proper, from a multiple of 8 on, where the dump says that its unwinding table is */
void jitdump_add(const CodeBlob *b);    /* -XX:+DumpJitCode: to jit-PID.dump, which is made at the first call */
void code_image_add(const CodeBlob *b); /* -XX:+DescribeJitCode */
void code_image_remove(const CodeBlob *b);

#endif
