/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of link/ share; redefinition uses the first two groups as well. */
#ifndef GRAFT_LINK_LINK_INT_H
#define GRAFT_LINK_LINK_INT_H

#include "link/link.h"
#include "load/load_int.h"
#include "object/version.h"

/* --- link.c --- */
/* Kinds, code, handlers of a version's methods [throws]. */
bool version_prepare_methods(Thread *t, ClassVersion *v);

/* --- init.c: one of a few locks that guard the state words of classes --- */
VmLock *class_state_lock(const Class *c);
pthread_cond_t *class_state_cond(const Class *c);

/* --- verify.c, verify_old.c --- */
bool verify_by_inference(Thread *t, ClassVersion *v); /* libverify; VerifyError and others [throws] */
/* The version that libverify means when this thread asks it about c. */
ClassVersion *version_under_verification(Class *c);

/* --- resolve.c --- */
void call_sites_forget(const ClassVersion *v); /* of a version that goes away */

/* --- pool.c: sticky errors of pool entries --- */
/* This thread failed.  Its exception, if a LinkageError, is the outcome of entry idx, unless another thread had one before:
 * that one's failure is thrown instead, its success takes the exception away (true: the cell can be read). */
bool pool_failed(Thread *t, ClassVersion *v, u2 idx);
/* After publishing: the cell can be read.  False: another thread's failure was first and is thrown. */
bool pool_stands(Thread *t, ClassVersion *v, u2 idx);
/* Throws it again. */
void pool_rethrow(Thread *t, ClassVersion *v, u2 idx);
/* The same for what is no pool entry: a malloc'ed record of the pending LinkageError, or NULL. */
void *link_error_take(Thread *t);
void link_error_throw(Thread *t, const void *record);
void link_error_free(void *record);
/* Publishes a cell; the first writer wins and its value is answered by pool_state afterwards. */
void pool_publish(ClassVersion *v, u2 idx, PoolCell cell, bool holds_reference);
/* So many more cells of these kinds can be published without memory.  False: no memory. */
bool pool_reserve(ClassVersion *v, u4 methods, u4 refs);
static inline u1 pool_state(const ClassVersion *v, u2 idx) {
    return atomic_load_explicit(&v->pool_state[idx], memory_order_acquire);
}

/* --- loader_check.c: loading constraints of a reference or an override [throws LinkageError] --- */
bool check_method_reference(Thread *t, Class *caller, const Method *m, bool interface_ref);
bool check_field_reference(Thread *t, Class *caller, const Field *f);
bool check_override(Thread *t, Class *c, const Method *m, const Method *old);
bool check_itable_entry(Thread *t, Class *c, const Method *m, const Method *im);
/* In a pause: could all types of the descriptor mean the same to both?  Then: they must from now on, or already do not. */
bool loaders_may_agree(const Symbol *desc, Loader *a, Loader *b);
bool loaders_must_agree(const Symbol *desc, Loader *a, Loader *b);

/* --- access.c --- */
void throw_member_access(Thread *t, Class *from, Class *holder, Symbol *name, Symbol *desc, u2 access, bool is_method);

#endif
