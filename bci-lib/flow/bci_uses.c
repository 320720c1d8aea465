/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_uses.c - is more wanted of a value than the data flow knows of it?
 *
 * Where classes meet and neither a frame of the input nor BciTypes says what they have in common, the flow takes
 * java/lang/Object (bci_frames.c). Nobody may have wanted more; javac uses a slot again for another variable. But if
 * an instruction wants a class, the verifier would refuse the method, and that is told here, with both names.
 *
 * SURE are the receivers of instance members: a Methodref or Fieldref names a class. A parameter, a result or the value
 * of a field may be of an interface, for which the verifier takes any object (4.10.1.2); these are asked for only in code
 * that had no frames at all, which was verified with the classes at hand.
 */
#include "bci_flow.h"

static bool is_class(CfStr desc) { return desc.len > 2 && desc.p[0] == 'L'; }

/* Where what is known as Object stands, a value of class `name` is wanted? */
static bool lacks(const CfTypes *t, const CfFrame *fr, uint32_t slot, CfStr name) {
    return slot < fr->depth && fr->stack[slot] == t->object && !cf_str_is(name, "java/lang/Object");
}

static CfStr class_of(CfStr desc) { return (CfStr){desc.p + 1, desc.len - 2}; }

static bool argument_lacks(const CfTypes *t, const CfFrame *fr, CfStr desc, uint32_t slot, CfStr *wanted) {
    CfDescIter it = cf_desc_start(desc);
    CfStr arg;
    while (cf_desc_next(&it, &arg)) {
        if (is_class(arg) && lacks(t, fr, slot, *wanted = class_of(arg))) return true;
        slot += cf_desc_slots(arg);
    }
    return false;
}

static bool member_lacks(const BciCode *code, const CfTypes *t, const CfFrame *fr, const BciInsn *i, bool all, CfStr *wanted) {
    const CfClass *cf = code->m->cls->cf;
    CfStr name, desc, owner = {0};
    if (!cf_name_and_type(cf, i->index, &name, &desc)) return false;
    cf_member_ref(cf, i->index, &owner, &name, &desc);
    bool call = bci_is_invoke(i), put = i->op == CF_OP_PUTFIELD || i->op == CF_OP_PUTSTATIC;
    int args = call ? cf_desc_arg_slots(desc, NULL) : put ? (int)cf_desc_slots(desc) : 0;
    bool receiver = i->op == CF_OP_INVOKEVIRTUAL || i->op == CF_OP_GETFIELD || i->op == CF_OP_PUTFIELD;
    if (args < 0 || (uint32_t)args + receiver > fr->depth) return false;
    uint32_t first = fr->depth - (uint32_t)args;
    if (receiver && lacks(t, fr, first - 1, *wanted = owner)) return true;
    if (!all) return false;
    if (call) return argument_lacks(t, fr, desc, first, wanted);
    return put && is_class(desc) && lacks(t, fr, first, *wanted = class_of(desc));
}

bool bci_use_lacks(const BciCode *code, const CfTypes *t, const CfFrame *fr, const BciInsn *i, bool all, CfStr *wanted) {
    if (bci_flags(i) & (CF_OF_FIELD | CF_OF_INVOKE)) return member_lacks(code, t, fr, i, all, wanted);
    if (i->op == CF_OP_ATHROW && fr->depth) return lacks(t, fr, fr->depth - 1, *wanted = CF_STR("java/lang/Throwable"));
    if (!all || i->op != CF_OP_ARETURN || !fr->depth) return false;
    CfDescIter it = cf_desc_start(cf_utf8(code->m->cls->cf, bci_member(code->m)->desc));
    CfStr arg;
    while (cf_desc_next(&it, &arg)) {}
    return is_class(it.ret) && lacks(t, fr, fr->depth - 1, *wanted = class_of(it.ret));
}
