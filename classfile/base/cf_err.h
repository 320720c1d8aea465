/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_err.h - the error record of the libraries.
 *
 * Library functions that can fail return a CfErrCode (0 = CF_OK) and fill a caller-given CfError.
 * The record is a plain value: nothing to free, may be copied, `err` may be NULL everywhere.
 * `code` says what kind of Java exception the failure stands for, `text` is the finished message of
 * that exception (in the reference's wording where that is known), `where` names the place in the
 * model ("method run()V", "constant pool", "attribute Code"), `offset` the byte offset in the class
 * file (or the pc for CF_ERR_VERIFY), -1 if unknown.
 * The first error wins: a record that already holds one is not overwritten.
 */
#ifndef CF_ERR_H
#define CF_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CfErrCode {
    CF_OK = 0,
    CF_ERR_FORMAT,   /* java.lang.ClassFormatError */
    CF_ERR_VERSION,  /* java.lang.UnsupportedClassVersionError */
    CF_ERR_NO_CLASS, /* java.lang.NoClassDefFoundError */
    CF_ERR_VERIFY,   /* java.lang.VerifyError */
    CF_ERR_LOAD,     /* the hierarchy oracle could not load a class: its own failure stands */
    CF_ERR_NOMEM,    /* memory exhausted (java.lang.OutOfMemoryError) */
    CF_ERR_LIMIT,    /* a class-file limit would be exceeded (pool full, attribute too long) */
    CF_ERR_USAGE     /* the caller broke the contract of the function */
} CfErrCode;

enum { CF_ERR_TEXT = 4096, CF_ERR_WHERE = 128 };

typedef struct CfError {
    CfErrCode code;
    int64_t offset;
    char where[CF_ERR_WHERE];
    char text[CF_ERR_TEXT];
} CfError;

/* Makes the record empty. Must be done before first use (costs three stores). */
static inline void cf_err_clear(CfError *e) {
    e->code = CF_OK;
    e->offset = -1;
    e->where[0] = 0;
    e->text[0] = 0;
}

/* Fills an empty record; too long text is cut. Returns `code`, so that callers write
 * `return cf_fail(err, CF_ERR_FORMAT, off, "...", ...)`. `e` may be NULL. */
CfErrCode cf_fail(CfError *e, CfErrCode code, int64_t offset, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
CfErrCode cf_vfail(CfError *e, CfErrCode code, int64_t offset, const char *fmt, va_list ap);

/* Names the place of the error; kept if already named. Returns e->code. */
CfErrCode cf_fail_where(CfError *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Java name of the error class, slashed ("java/lang/ClassFormatError"); NULL for codes that have
 * none. */
const char *cf_err_class(CfErrCode code);

/* In a function of (..., fmt, ...): prints what it was given into an array; too long text is cut. */
#define CF_PRINT_ARGS(array, fmt) \
    do { \
        va_list cf_args_; \
        va_start(cf_args_, fmt); \
        vsnprintf(array, sizeof(array), fmt, cf_args_); \
        va_end(cf_args_); \
    } while (0)

/* A text in the making, in room for `cap` bytes; too long text is cut. */
typedef struct CfText {
    char *p;
    size_t len, cap;
} CfText;
void cf_put(CfText *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Propagation: CF_TRY(call) returns the code of a failed call to the caller's caller. */
#define CF_TRY(call) \
    do { \
        CfErrCode cf_try_rc_ = (call); \
        if (cf_try_rc_ != CF_OK) return cf_try_rc_; \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
