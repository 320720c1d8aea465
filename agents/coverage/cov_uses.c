/* SPDX-License-Identifier: Apache-2.0 */
/* cov_uses.c - uses of a class that no probe of it tells. */
#include "cov_uses.h"

#include "cov_filter.h"

/* The class in a name or the descriptor of an array; empty for arrays of numbers. */
static CfStr element(CfStr name) {
    if (!name.len || *name.p != '[') return name;
    while (name.len && *name.p == '[') name.p++, name.len--;
    return name.len > 2 && *name.p == 'L' ? CF_LIT(CfStr){name.p + 1, name.len - 2} : CF_LIT(CfStr){NULL, 0};
}

static CfStr used_by(const CfClass *c, const CovInsn *i) {
    CfStr owner, name, desc;
    switch (i->op) {
    case CF_OP_LDC: return element(cf_class_name(c, i->index));
    case CF_OP_GETSTATIC:
    case CF_OP_PUTSTATIC:
    case CF_OP_INVOKESTATIC: return cf_member_ref(c, i->index, &owner, &name, &desc) ? owner : CF_LIT(CfStr){NULL, 0};
    default: return CF_LIT(CfStr){NULL, 0};
    }
}

bool cov_uses(const CfClass *c, CfArena *arena, CovUse *use, void *ctx) {
    CovMethods it = {.cls = c, .arena = arena};
    while (cov_methods_next(&it)) {
        CfStr last = {NULL, 0};
        for (uint32_t i = 0; i < it.code.ninsns; i++) {
            CfStr name = used_by(c, &it.code.insns[i]);
            bool writes = it.code.insns[i].op == CF_OP_PUTSTATIC;
            if (!name.len || (!writes && (cf_str_eq(name, last) || cf_str_eq(name, c->name)))) continue;
            if (!use(ctx, name, it.first, it.total, writes)) return false;
            last = name;
        }
    }
    return true;
}
