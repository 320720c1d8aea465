/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What code takes for sure of classes: that all objects of a class, and of the classes below it, have one method at an index of their vtables.
 *
 * TRUST    Optimised code calls that method, or has its body, and asks nothing. The blob keeps what it trusts (CodeBlob.trusts).
 * COUNTS   A class counts from the moment when its tables are there (Class.dispatches), before it may have objects.
 * HOLDS    Under the lock of the hierarchy: when code is done, all that it trusts is asked for once more, and kept with the classes at the top
 *          (Class.only_targets); when a class begins to count, it compares its tables with what is kept above itself. So one of both sees the other, and
 *          a class that breaks nothing stops nobody. If it is the class, the code that is broken goes in a pause, and the frames that run it leave at
 *          their next instruction where anyone may look; only then has the class objects. Code that was asked for and is not published yet is no
 *          exception: who makes it lets no pause pass until then. If it is the code, it is not published.
 * BROKEN   A class whose trust was broken once is not trusted again (CF_TARGETS_BROKEN): calls ask the vtable of the receiver. So what is thrown
 *          away for this is bounded by the number of classes.
 *
 * Methods are constants of such code: Method.inlined has them, so redefining or unloading them, or what is a leaf becoming an ordinary method, throws it away. What
 * changes hierarchies otherwise (redefinition with new shapes) throws away all code.
 *
 * Of interfaces nothing is trusted: the verifier does not check them (JVMS 4.10.1.2).
 */
#include "jit/policy.h"
#include "load/loader.h"
#include "object/class.h"
#include <stdlib.h>

bool hierarchy_trust(CodeTrust **trusts, u4 *n, CodeTrust one) {
    for (u4 i = 0; i < *n; i++)
        if ((*trusts)[i].klass == one.klass && (*trusts)[i].index == one.index) return true;
    CodeTrust *more = realloc(*trusts, (*n + 1) * sizeof *more); /* the blob takes it */
    if (!more) return false;
    *trusts = more;
    more[(*n)++] = one;
    return true;
}

bool hierarchy_holds(const CodeTrust *trusts, u4 n) {
    for (u4 i = 0; i < n; i++)
        if (!class_trust_target(trusts[i].klass, trusts[i].index, trusts[i].method)) return false;
    return true;
}

static bool breaks(const CodeTrust *x, const Class *c) {
    const Class *k = c;
    while (k && k != x->klass) k = k->super;
    return k && x->index < c->vtable_len && c->vtable[x->index] != x->method;
}

bool hierarchy_breaks(const CodeBlob *b, const Class *c) {
    for (u4 i = 0; i < b->n_trusts; i++)
        if (breaks(&b->trusts[i], c)) return true;
    return false;
}
