/* SPDX-License-Identifier: Apache-2.0 */
/* Exits, and calls of rare helpers, as data: how they are written and carried out.  Theory: exit_record.c. */
#ifndef GRAFT_JIT_EXIT_RECORD_H
#define GRAFT_JIT_EXIT_RECORD_H

#include "jit/jit_int.h"

/* Where a cell has its contents when it is not in its own place. */
typedef enum ExitSource { FROM_REG, FROM_FREG, FROM_CONST, FROM_CELL, FROM_LOCAL, FROM_INT_LOCAL, FROM_OBJECT } ExitSource;

/* What a helper gets behind thread and frame. */
typedef struct HelperArg {
    enum { ARG_NONE, ARG_CELL, ARG_CONST } kind;
    int64_t value;
} HelperArg;

enum {
    EXIT_MOST_CELLS = 256,
    EXIT_MOST_OBJECTS = 32,
    EXIT_BOX = -2 /* in place of a length */
};                /* optimised code: of a record, from cells; extra ones; fields of objects */

/* While code is made. */
typedef struct ExitWriter {
    u1 *bytes;
    u4 len, cap, n_cells, cells_at;
    CodeExit *keys;
    u4 n_keys, cap_keys;
    bool failed; /* no memory */
} ExitWriter;

/* A record: its head, then cells in ascending order, then its end.  The result is the record's place. */
u4 exit_begin(ExitWriter *w, ExitInfo info, u4 scope, u4 bci, u4 depth, u4 dirty);
void exit_cell(ExitWriter *w, u4 cell, ExitSource from, int64_t what);
void exit_end(ExitWriter *w);
/* Optimised code, behind the end: how many objects are to be made; of each its class, the length of an array, -1 or EXIT_BOX, and how many fields or
 * elements are not 0; of each of these where it is, and where its contents are.  FROM_OBJECT: the number of an object. */
void exit_objects(ExitWriter *w, u4 n);
void exit_object(ExitWriter *w, const Class *k, int32_t length, u4 n_fields);
void exit_field(ExitWriter *w, u4 offset, MemKind kind, bool is_ref, ExitSource from, int64_t what);
/* Behind all that: the helper that is called first, its arguments, what registers become when it comes back (valid: of base code pins, of optimised code registers that have something). */
void exit_help(ExitWriter *w, const void *fn, const HelperArg args[2], Reg result, u4 valid);
/* Optimised code, behind that: which of CodeBlob.extra are put back when it comes back, EXIT_CELLS of them in a number. */
enum { EXIT_CELLS = 28 };
void exit_put_back(ExitWriter *w, u4 bits);
void exit_key(ExitWriter *w, u4 at, u4 record); /* in the order of `at` */
void exit_writer_free(ExitWriter *w);

/* What the stub saved; a helper's result is left in general[EXIT_RESULT]. */
enum { EXIT_RESULT = 2 }; /* of x86-64: rdx */
typedef struct ExitRegisters {
    u8 fp[16], general[16];
    const u1 *from; /* the address behind the call of the stub, or one behind that of an instruction that faulted */
} ExitRegisters;
StubResult jit_help_by_record(Thread *t,
                              ExitRegisters *r); /* the same with the result in place of rdx, or NULL: the code goes on */
StubResult jit_exit_by_record(Thread *t, ExitRegisters *r); /* the frame that leaves, its ExitInfo */

/* Signal-safe: has an access through null at pc an exit? */
bool exit_is_for_fault(const CodeBlob *b, const void *pc);

#endif
