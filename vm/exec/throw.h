/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raising exceptions from C.  All set t->exception [gc][throws] and return so
 * that callers can write `return throw_new(...), NULL;`.  A second exception
 * while one is pending replaces nothing: the first stays.
 */
#ifndef GRAFT_EXEC_THROW_H
#define GRAFT_EXEC_THROW_H

#include "thread/thread.h"
#include <stdarg.h>

/* Well-known exception classes: EX(enumerator, "internal/name"). */
typedef enum ExKind {
#define EX(id, name) EX_##id,
#include "exec/exceptions.def"
    EX_COUNT
} ExKind;
extern const char *const exception_names[EX_COUNT];

Class *throw_class(ExKind k); /* NULL: none has been thrown */
void throw_new(Thread *t, ExKind k, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void throw_plain(Thread *t, ExKind k); /* no message */
void throw_named(Thread *t, const char *class_name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void throw_with_cause(Thread *t, ExKind k, Object *cause, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));  /* initCause or (Throwable) constructor */
void throw_object(Thread *t, Object *ex);   /* NULL -> NullPointerException */
void throw_oom(Thread *t, const char *msg); /* preallocated when needed */
void throw_no_memory(Thread *t);            /* OutOfMemoryError: malloc has failed */
/* Called for the first OutOfMemoryError of heap or class data, before it is made; may stop the world. */
extern void (*oom_on_first)(Thread *t, const char *message);
void throw_stack_overflow(Thread *t);
bool check_c_stack(Thread *t);          /* for recursion in C: false + StackOverflowError when little is left */
void throw_preallocate(Thread *t);      /* boot: OOME pool etc. */
bool exception_is(Thread *t, ExKind k); /* pending instanceof k */
static inline Object *exception_take(Thread *t) {
    Object *e = t->exception;
    t->exception = NULL;
    return e;
}
/* Text for stderr: "class: message" plus trace, without running user code if it fails. */
void exception_print(Thread *t, Object *ex);
/* Message for a class cast etc. with module and loader, as java users know it. */
void throw_class_cast(Thread *t, Class *from, Class *to);
void throw_array_store(Thread *t, Class *value);
void throw_index(Thread *t, int32_t index, int32_t length);
static inline bool check_array_length(Thread *t, int32_t n) { /* false + NegativeArraySizeException */
    if (LIKELY(n >= 0)) return true;
    return throw_new(t, EX_NegativeArraySizeException, "%d", n), false;
}
/* Method m (MK_ABSTRACT, MK_CONFLICT: a default conflict, MK_REMOVED) was selected; receiver may be NULL. */
void throw_abstract_method(Thread *t, Method *m, Object *receiver);
void throw_abstract_method_on(Thread *t, Method *m, Class *receiver_class);
/* An interface call selected a method that is not public. */
void throw_illegal_selection(Thread *t, Method *selected, Method *resolved, Class *receiver_class);
/* Name as messages and Class.getName have it: java.lang.String, [Ljava.lang.String;  Returns buf. */
const char *class_external_name(const Class *c, char *buf, size_t len);
/* The same for one expression: `printf("%s", class_text(c).s)`. */
typedef struct ClassText {
    char s[1024];
} ClassText;
ClassText class_text(const Class *c);
typedef struct PlaceText {
    char s[2600];
} PlaceText;
PlaceText class_place(const Class *c); /* "java.lang.String is in module java.base of loader 'bootstrap'" */

#endif
