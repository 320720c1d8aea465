/* SPDX-License-Identifier: Apache-2.0 */
/* world.c - the hierarchy oracle over a set of parsed classes. */
#include "world.h"

static bool class_is(const void *item, const void *key) { return cf_str_eq(((const CfClass *)item)->name, *(const CfStr *)key); }
static const CfClass *find(World *w, CfStr name) {
    if (w->current && w->current_wins && cf_str_eq(w->current->name, name)) return w->current;
    return cf_table_find(&w->by_name, cf_hash_bytes(name.p, name.len), class_is, &name);
}
void world_add(World *w, const CfClass *c) {
    if (!(c->access & CF_ACC_MODULE) && !find(w, c->name))
        cf_table_add(&w->by_name, cf_hash_bytes(c->name.p, c->name.len), (void *)c);
}
/* The superclass; none after `*left` steps: a mutant can make a class its own ancestor. */
static CfStr super_of(const CfClass *c, unsigned *left) {
    return *left && (*left)-- ? cf_class_name(c, c->super_class) : (CfStr){0};
}
enum { DEEPEST = 1000 };
static CfStr package_of(CfStr name) {
    while (name.len && name.p[name.len - 1] != '/') name.len--;
    return name;
}

static CfAnswer is_interface(void *ctx, CfStr name) {
    const CfClass *c = find(ctx, name);
    return !c ? CF_FAILED : c->access & CF_ACC_INTERFACE ? CF_YES : CF_NO;
}
static CfAnswer is_assignable(void *ctx, CfStr from, CfStr to) {
    CfAnswer a = is_interface(ctx, to);
    if (a != CF_NO) return a;
    unsigned left = DEEPEST;
    for (CfStr n = from; n.len;) {
        if (cf_str_eq(n, to)) return CF_YES;
        const CfClass *c = find(ctx, n);
        if (!c) return CF_FAILED;
        n = super_of(c, &left);
    }
    return CF_NO;
}
static CfAnswer super_name(void *ctx, CfStr name, CfStr *super) {
    const CfClass *c = find(ctx, name);
    if (!c) return CF_FAILED;
    *super = super_of(c, &(unsigned){1});
    return CF_YES;
}
static CfAnswer is_superclass_of_this(void *ctx, CfStr owner) {
    World *w = ctx;
    unsigned left = DEEPEST;
    for (const CfClass *c = w->current; c; c = find(w, super_of(c, &left)))
        if (cf_str_eq(c->name, owner)) return CF_YES;
    return CF_NO;
}
static CfAnswer is_protected_elsewhere(void *ctx, CfStr owner, CfStr name, CfStr desc, bool method) {
    World *w = ctx;
    unsigned left = DEEPEST;
    for (const CfClass *c = find(w, owner); c; c = find(w, super_of(c, &left))) {
        const CfMember *m = method ? cf_find_method(c, name, desc) : cf_find_field(c, name, desc);
        if (m) return (m->access & CF_ACC_PROTECTED) && !cf_str_eq(package_of(c->name), package_of(w->current->name));
    }
    return CF_NO;
}

CfHierarchy world_hierarchy(World *w) {
    return (CfHierarchy){w, is_assignable, is_interface, super_name, is_superclass_of_this, is_protected_elsewhere};
}
