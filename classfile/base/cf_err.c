/* SPDX-License-Identifier: Apache-2.0 */
/* cf_err.c - filling error records, and texts. */
#include "cf_err.h"

CfErrCode cf_vfail(CfError *e, CfErrCode code, int64_t offset, const char *fmt, va_list ap) {
    if (e && e->code == CF_OK) {
        e->code = code;
        e->offset = offset;
        vsnprintf(e->text, sizeof e->text, fmt, ap);
    }
    return code;
}

CfErrCode cf_fail(CfError *e, CfErrCode code, int64_t offset, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    cf_vfail(e, code, offset, fmt, ap);
    va_end(ap);
    return code;
}

CfErrCode cf_fail_where(CfError *e, const char *fmt, ...) {
    if (!e) return CF_OK;
    if (e->where[0] == 0) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(e->where, sizeof e->where, fmt, ap);
        va_end(ap);
    }
    return e->code;
}

void cf_put(CfText *t, const char *fmt, ...) {
    va_list ap;
    if (t->len + 1 >= t->cap) return;
    va_start(ap, fmt);
    int n = vsnprintf(t->p + t->len, t->cap - t->len, fmt, ap);
    va_end(ap);
    if (n > 0) t->len += (size_t)n < t->cap - t->len ? (size_t)n : t->cap - t->len - 1;
}

const char *cf_err_class(CfErrCode code) {
    switch (code) {
    case CF_ERR_FORMAT: return "java/lang/ClassFormatError";
    case CF_ERR_VERSION: return "java/lang/UnsupportedClassVersionError";
    case CF_ERR_NO_CLASS: return "java/lang/NoClassDefFoundError";
    case CF_ERR_VERIFY: return "java/lang/VerifyError";
    case CF_ERR_NOMEM: return "java/lang/OutOfMemoryError";
    default: return NULL;
    }
}
