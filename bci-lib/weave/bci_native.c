/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_native.c - wrapping native methods (JVM TI SetNativeMethodPrefix).
 *
 * The native method gets the prefixed name; a Java method with the old name calls it, and can then
 * be instrumented like any other. The wrapper takes over what callers and reflection see: access
 * flags but native, and the method's attributes (exceptions, signature, annotations, parameters).
 * The native becomes private, final and synthetic; synchronized moves to the wrapper.
 */
#include "bci_weave.h"

BciMethod *bci_wrap_native(BciMethod *m, const char *prefix) {
    if (!m) return NULL;
    BciClass *c = m->cls;
    unsigned access = bci_method_access(m);
    m->call_file = NULL; /* checked mode: its last call has nothing to do with this */
    if (!(access & CF_ACC_NATIVE) || bci_method_name(m)[0] == '<')
        return bci_refuse(m, CF_ERR_USAGE, BCI_NO_PC, "method %s is not native", bci_method_name(m));
    const char *name = bci_method_name(m), *desc = bci_method_desc(m), *owner = bci_class_name(c);
    size_t np = strlen(prefix), nn = strlen(name);
    char *hidden = cf_arena_alloc(&c->arena, np + nn + 1);
    if (!hidden) return bci_refuse_class(c, CF_ERR_NOMEM, "out of memory");
    memcpy(hidden, prefix, np);
    memcpy(hidden + np, name, nn + 1);
    bci_rename_method(m, hidden);
    if (m->err || c->err) return NULL;
    unsigned visible = CF_ACC_PUBLIC | CF_ACC_PROTECTED | CF_ACC_PRIVATE;
    unsigned native = (access & ~(visible | CF_ACC_SYNCHRONIZED)) | CF_ACC_PRIVATE | CF_ACC_FINAL | CF_ACC_SYNTHETIC;
    bci_set_method_access(m, native);
    BciMethod *w = bci_add_method(c, access & ~(unsigned)CF_ACC_NATIVE, name, desc);
    if (!w) return NULL;
    /* Attributes follow the old name; the model's attribute contents are shared, not copied. */
    CfMember *from = bci_member(m), *to = bci_member(w);
    for (unsigned k = 0; k < from->attrs.count; k++) {
        CfStr an = cf_utf8(c->cf, from->attrs.v[k].name);
        const char *z = bci_zstr(c, an);
        if (!z || cf_attr_append(c->cf, &to->attrs, z, from->attrs.v[k].data, from->attrs.v[k].len) != CF_OK)
            bci_fail_class(c, CF_ERR_NOMEM, "attributes of %s cannot be copied", name);
    }
    BciPos at = bci_end(bci_code(w));
    bool is_static = access & CF_ACC_STATIC;
    if (!is_static) bci_load(at, 'A', 0);
    bci_load_args(at);
    bci_invoke(at, is_static ? CF_OP_INVOKESTATIC : CF_OP_INVOKESPECIAL, owner, hidden, desc);
    bci_return(at);
    return w;
}
