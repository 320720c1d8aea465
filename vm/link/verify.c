/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verification (JVMS 4.10) of a class at link time: who is verified, by which
 * verifier, and the oracle that answers the verifier's questions about other
 * classes from the loaders.
 *
 *   version >= 51  type checking (classfile library)
 *   version 50     type checking; on failure again by inference
 *   version < 50   inference: the JDK's libverify (verify_old.c)
 *
 * Not verified: classes of the boot loader (unless -Xverify:all), any class
 * under -Xverify:none, and subclasses of MagicAccessorImpl, whose code is
 * unverifiable by design.
 *
 * A class loaded for the oracle's sake is loaded by the verified class's
 * loader; if that fails, the loader's own error is the result of linking.
 */
#include "object/class.h"
#include "object/field.h"
#include "object/method.h"
#include "redefine/redefine_int.h"

#include <stdlib.h>

bool verify_local, verify_remote = true;

typedef struct Oracle {
    Thread *t;
    Class *c;
    CfStr file_name; /* as the class file calls itself: differs for hidden classes, and is no symbol then */
} Oracle;

static Class *oracle_class(Oracle *o, CfStr name) {
    if (cf_str_eq(name, o->file_name)) return o->c;
    return load_class_or_ncdfe(o->t, symbol_intern(name.p, name.len), o->c->loader);
}

static CfAnswer is_assignable(void *ctx, CfStr from, CfStr to) {
    Oracle *o = ctx;
    Class *t = oracle_class(o, to), *f;

    if (!t) return CF_FAILED;
    if (class_is_interface(t)) return CF_YES;
    if (!(f = oracle_class(o, from))) return CF_FAILED;
    return reshape_is_subtype(f, t) ? CF_YES : CF_NO;
}

static CfAnswer is_interface(void *ctx, CfStr name) {
    Class *c = oracle_class(ctx, name);
    return !c ? CF_FAILED : class_is_interface(c) ? CF_YES : CF_NO;
}

static CfAnswer super_name(void *ctx, CfStr name, CfStr *super) {
    Class *c = oracle_class(ctx, name);

    *super = (CfStr){NULL, 0};
    if (!c) return CF_FAILED;
    if ((c = reshape_super(c))) *super = symbol_str(c->name);
    return CF_YES;
}

static CfAnswer is_superclass_of_this(void *ctx, CfStr owner) {
    Oracle *o = ctx;

    if (cf_str_eq(owner, o->file_name)) return CF_YES;
    Symbol *s = symbol_intern(owner.p, owner.len);
    for (Class *c = reshape_super(o->c); c; c = reshape_super(c))
        if (c->name == s) return CF_YES;
    return CF_NO;
}

static CfAnswer is_protected_elsewhere(void *ctx, CfStr owner, CfStr name, CfStr desc, bool method) {
    Oracle *o = ctx;
    Class *c = oracle_class(o, owner), *holder;
    Symbol *n = symbol_intern(name.p, name.len), *d = symbol_intern(desc.p, desc.len);
    u2 access;

    if (!c) return CF_FAILED;
    if (method) {
        Method *m = NULL;
        for (Class *k = c; k && !m; k = k->super) m = class_find_declared_method(k, n, d);
        if (!m) return CF_NO;
        holder = m->holder;
        access = m->access;
    } else {
        Field *f = class_find_field(c, n, d);
        if (!f) return CF_NO;
        holder = f->holder;
        access = f->access;
    }
    return access & ACC_PROTECTED && !access_same_package(holder, o->c) ? CF_YES : CF_NO;
}

static bool throw_verify_error(Thread *t, const CfError *err) {
    const char *cls = cf_err_class(err->code);
    if (t->exception) return false;
    if (err->code == CF_ERR_NOMEM) throw_oom(t, "class metadata");
    else throw_named(t, cls ? cls : "java/lang/VerifyError", "%s", err->text);
    return false;
}

/* Per method of the class file; NULL without memory, then all are read and verified. */
static CfKnownMethod *what_is_known(const ClassVersion *v, const u1 *sameness) {
    CfKnownMethod *known = calloc(v->cf->method_count + 1u, sizeof *known);

    for (u4 i = 0; known && i < v->n_methods; i++) {
        const Method *m = &v->methods[i];
        if (m->cf) known[m->cf - v->cf->methods] = (CfKnownMethod){sameness && sameness[i] == SAME_VERIFIED, m->cf_code};
    }
    return known;
}

static bool verify_by_checking(Thread *t, ClassVersion *v, const CfKnownMethod *known) {
    Class *c = v->klass;
    CfClass *cf = v->cf;
    Oracle o = {t, c, cf->name};
    CfHierarchy h = {&o, is_assignable, is_interface, super_name, is_superclass_of_this, is_protected_elsewhere};
    CfVerifyOptions vo = {.name = c->name->bytes, .known = known};
    CfError err;

    cf_err_clear(&err);
    if (cf_verify(cf, &h, &vo, &err) == CF_OK) return true;
    if (err.code != CF_ERR_LOAD && err.code != CF_ERR_NOMEM && cf_verify_may_fail_over(cf, &err)) {
        t->exception = NULL;
        if (verify_by_inference(t, v)) return true;
        if (!exception_is(t, EX_VerifyError) && !exception_is(t, EX_ClassFormatError)) return false;
        t->exception = NULL; /* both refuse it: the better message counts */
    }
    return throw_verify_error(t, &err);
}

static bool is_exempt(const Class *c) { return c->flags & CF_MAGIC || !verify_loader(c->loader); }

bool version_verify(Thread *t, ClassVersion *v, const u1 *sameness) {
    if (is_exempt(v->klass)) return true;
    if (v->major < 50) return verify_by_inference(t, v);
    CfKnownMethod *known = what_is_known(v, v->major > 50 ? sameness : NULL); /* 50: the older one may have passed by inference */
    bool ok = verify_by_checking(t, v, known);
    free(known);
    return ok;
}
