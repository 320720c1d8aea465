/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ThreadSanitizer (make tsan) is told, all of it in one place.  In other builds everything here is empty.
 *
 * The VM's own words are checked without exception: a plain access that another thread may meet is a report.  Left out is what may
 * race by right or is ordered by something that the tool does not see:
 *
 *   JAVA_DATA     Fields and elements of Java objects.  A Java program may race, and JLS 17.4 gives its races a meaning; so their
 *                 plain accesses go through lvalues of this type qualifier.  It is `volatile`, which the tool counts apart (gcc:
 *                 tsan-distinguish-volatile); what the compiler then calls is empty (tsan.c).
 *   JAVA_COPY     { ... } around a copy of such data by the C library, whose calls the tool watches by itself.
 *   NO_TSAN       A function that reads words that others write: the conservative scan of C stacks, code that takes a crash apart.
 *   TSAN_RELEASE, TSAN_ACQUIRE   An edge that is made by assembly, or by the order in which memory is handed out again.
 */
#ifndef GRAFT_CORE_TSAN_H
#define GRAFT_CORE_TSAN_H

#ifdef GRAFT_TSAN
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
static inline void tsan_java_copy_begin(void) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
static inline void tsan_java_copy_end(void) {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
enum { TSAN_STACK = 4 << 20 }; /* its thread-local data lies in the stack, and frames are larger */
#define JAVA_DATA volatile
#define JAVA_COPY for (int _jc = (tsan_java_copy_begin(), 1); _jc; _jc = (tsan_java_copy_end(), 0))
#define NO_TSAN __attribute__((no_sanitize("thread"), noinline))
#define TSAN_RELEASE(address) __tsan_release((void *)(address))
#define TSAN_ACQUIRE(address) __tsan_acquire((void *)(address))
#else
enum { TSAN_STACK = 0 };
#define JAVA_DATA
#define JAVA_COPY
#define NO_TSAN
#define TSAN_RELEASE(address) ((void)0)
#define TSAN_ACQUIRE(address) ((void)0)
#endif

#endif
