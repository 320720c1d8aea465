/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sampling profilers look for in a VM.  They are written for HotSpot and find its threads by what its C++ objects
 * look like from outside; what they use of that holds here too, so that they run unchanged:
 *
 *   Thread.eetop of java.lang.Thread       the Thread
 *   the first word of a Thread             a readable table that all Java threads share (there: virtual functions)
 *   a pthread key                          has the Thread as its value on its own thread; set when the thread begins and set
 *                                          to NULL when it ends, by a call that can be intercepted (through the GOT)
 *   gHotSpotVMStructs                      rows that lead from a Thread to the number of its thread in the OS
 *
 * The rows have the form of HotSpot's serviceability agent (vmStructs): names, offset, address; whoever reads them finds
 * the symbols in .symtab.  Rows that are not there are found missing, and the reader does without.
 */
#include "thread/thread_int.h"

static void no_function(void) {}
static const void *const shape[] = {no_function, no_function, no_function, no_function,
                                    no_function, no_function, no_function, no_function};
static pthread_key_t key;
static bool has_key; /* else profilers find no threads: all else goes on */

void thread_profiled_init(void) { has_key = !pthread_key_create(&key, NULL); }

void thread_profiled_begin(Thread *t) {
    t->shape = shape;
    t->os_thread = &t->os_tid;
    if (has_key) pthread_setspecific(key, t);
}

void thread_profiled_end(void) {
    if (has_key) pthread_setspecific(key, NULL);
}

typedef struct StructRow {
    const char *type, *field, *type_of_field;
    int32_t is_static;
    uint64_t offset;
    void *address;
} StructRow;

static const StructRow rows[] = {
    {"JavaThread", "_osthread", "OSThread*", 0, offsetof(Thread, os_thread), NULL},
    {"OSThread", "_thread_id", "OSThread::thread_id_t", 0, 0, NULL},
    {NULL, NULL, NULL, 0, 0, NULL},
};
#define KEPT __attribute__((used))
KEPT const StructRow *gHotSpotVMStructs = rows;
KEPT uint64_t gHotSpotVMStructEntryTypeNameOffset = offsetof(StructRow, type);
KEPT uint64_t gHotSpotVMStructEntryFieldNameOffset = offsetof(StructRow, field);
KEPT uint64_t gHotSpotVMStructEntryTypeStringOffset = offsetof(StructRow, type_of_field);
KEPT uint64_t gHotSpotVMStructEntryIsStaticOffset = offsetof(StructRow, is_static);
KEPT uint64_t gHotSpotVMStructEntryOffsetOffset = offsetof(StructRow, offset);
KEPT uint64_t gHotSpotVMStructEntryAddressOffset = offsetof(StructRow, address);
KEPT uint64_t gHotSpotVMStructEntryArrayStride = sizeof(StructRow);
