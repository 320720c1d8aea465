/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two versions of a class compared: what JVM TI forbids to change, and which methods are
 * equivalent.
 *
 * Everything is compared by what it means (names, descriptors, constants), never by pool index: a
 * compiler may number the new pool as it likes.  Shapes cannot change, so the current version
 * stands for the first one.
 */
#include "core/options.h"
#include "redefine/redefine_int.h"

#include <stdlib.h>

enum { CLASS_FLAGS = 0xf631, FIELD_FLAGS = 0x50df, METHOD_FLAGS = 0x1dff, MAX_NESTING = 16 };

/* --- constants --- */

static bool constants_equal(const CfClass *a, u2 i, const CfClass *b, u2 j, int depth);

static bool name_and_types_equal(const CfClass *a, u2 i, const CfClass *b, u2 j) {
    CfStr an, ad, bn, bd;
    return cf_name_and_type(a, i, &an, &ad) && cf_name_and_type(b, j, &bn, &bd) && cf_str_eq(an, bn) && cf_str_eq(ad, bd);
}

static bool bootstraps_equal(const CfClass *a, u2 i, const CfClass *b, u2 j, int depth) {
    CfBootstrap x, y;

    if (!cf_bootstrap(a, i, &x) || !cf_bootstrap(b, j, &y) || x.args.count != y.args.count) return false;
    if (!constants_equal(a, x.method, b, y.method, depth)) return false;
    for (u4 k = 0; k < x.args.count; k++)
        if (!constants_equal(a, cf_index_at(&x.args, k), b, cf_index_at(&y.args, k), depth)) return false;
    return true;
}

static bool constants_equal(const CfClass *a, u2 i, const CfClass *b, u2 j, int depth) {
    const CfConst *x = cf_const(a, i), *y = cf_const(b, j);

    if (x->tag != y->tag || depth > MAX_NESTING) return false;
    switch (x->tag) {
    case CF_CONST_UTF8: return x->len == y->len && memcmp(x->utf8, y->utf8, x->len) == 0;
    case CF_CONST_INTEGER:
    case CF_CONST_FLOAT: return x->i == y->i;
    case CF_CONST_LONG:
    case CF_CONST_DOUBLE: return x->j == y->j;
    case CF_CONST_CLASS:
    case CF_CONST_STRING:
    case CF_CONST_METHODTYPE:
    case CF_CONST_MODULE:
    case CF_CONST_PACKAGE: return cf_str_eq(cf_name_of(a, i), cf_name_of(b, j));
    case CF_CONST_NAMEANDTYPE: return name_and_types_equal(a, i, b, j);
    case CF_CONST_FIELDREF:
    case CF_CONST_METHODREF:
    case CF_CONST_INTERFACEMETHODREF:
        return cf_str_eq(cf_class_name(a, x->a), cf_class_name(b, y->a)) && name_and_types_equal(a, i, b, j);
    case CF_CONST_METHODHANDLE: return x->kind == y->kind && constants_equal(a, x->a, b, y->a, depth + 1);
    case CF_CONST_DYNAMIC:
    case CF_CONST_INVOKEDYNAMIC: return name_and_types_equal(a, i, b, j) && bootstraps_equal(a, x->a, b, y->a, depth + 1);
    default: return false;
    }
}

bool constants_mean_the_same(const CfClass *a, u2 i, const CfClass *b, u2 j) { return constants_equal(a, i, b, j, 0); }

/* --- constants of the same index --- */

/*
 * Who rewrites a class file keeps the old pool in front, and a compiler that sees a small change numbers nearly
 * all as before.  So one pass over two pools finds out what each operand would ask anew.
 */
typedef struct ConstantMap {
    const CfClass *a, *b;
    u1 *same; /* per index of both: they mean the same; NULL: nothing is known */
    u4 n;
    bool all; /* all of a's are */
} ConstantMap;

static bool same_at(const ConstantMap *map, u2 i) { return i < map->n && map->same[i]; }

static bool constant_same(const ConstantMap *map, u4 i) {
    const CfConst *x = &map->a->consts[i], *y = &map->b->consts[i];

    if (x->tag != y->tag) return false;
    switch (x->tag) {
    case CF_CONST_NONE: return true;
    case CF_CONST_CLASS:
    case CF_CONST_STRING:
    case CF_CONST_METHODTYPE:
        if (x->a != y->a) break;
        return same_at(map, x->a);
    case CF_CONST_NAMEANDTYPE:
    case CF_CONST_FIELDREF:
    case CF_CONST_METHODREF:
    case CF_CONST_INTERFACEMETHODREF:
        if (x->a != y->a || x->b != y->b) break;
        return same_at(map, x->a) && same_at(map, x->b);
    default: break;
    }
    return constants_equal(map->a, (u2)i, map->b, (u2)i, 0);
}

/* Entries refer to those of an earlier rank; rank 0 to none, or they are compared by themselves. */
static const u1 ranks[CF_CONST_TAG_LIMIT] = {
    [CF_CONST_CLASS] = 1,    [CF_CONST_STRING] = 1,    [CF_CONST_METHODTYPE] = 1,         [CF_CONST_NAMEANDTYPE] = 1,
    [CF_CONST_FIELDREF] = 2, [CF_CONST_METHODREF] = 2, [CF_CONST_INTERFACEMETHODREF] = 2,
};

static void map_constants(ConstantMap *map, const CfClass *a, const CfClass *b) {
    *map = (ConstantMap){.a = a, .b = b, .n = a->const_count < b->const_count ? a->const_count : b->const_count};
    if (!(map->same = malloc(map->n))) return; /* works without */
    map->all = map->n == a->const_count;
    map->same[0] = true;
    for (int rank = 0; rank <= 2; rank++)
        for (u4 i = 1; i < map->n; i++)
            if (ranks[a->consts[i].tag] == rank) map->all &= map->same[i] = constant_same(map, i);
}

static bool mapped_equal(const ConstantMap *map, u2 i, u2 j) {
    return map->same && i == j && i < map->n ? map->same[i] : constants_equal(map->a, i, map->b, j, 0);
}

/* --- methods --- */

/* Instructions at the same place. */
static bool insns_equal(const ConstantMap *map, const u1 *a, const u1 *b, u4 len) {
    u4 operand = cf_op_info[*a].format == CF_FMT_CP1 ? 2 : 3; /* bytes of opcode and index */

    if (*a != *b) return false;
    if (!(cf_op_info[*a].flags & CF_OF_CP)) return memcmp(a, b, len) == 0;
    u2 i = operand == 2 ? a[1] : cf_get_u2(a + 1);
    u2 j = operand == 2 ? b[1] : cf_get_u2(b + 1);
    return mapped_equal(map, i, j) && memcmp(a + operand, b + operand, len - operand) == 0;
}

static bool bodies_equal(const ConstantMap *map, const Method *a, const Method *b) {
    if (map->all && memcmp(a->code, b->code, a->code_len) == 0) return true;
    for (u4 pc = 0, len; pc < a->code_len; pc += len) {
        len = cf_insn_length(a->code, a->code_len, pc);
        if (!len || cf_insn_length(b->code, b->code_len, pc) != len || !insns_equal(map, a->code + pc, b->code + pc, len))
            return false;
    }
    return true;
}

static bool handlers_equal(const ConstantMap *map, const Method *a, const Method *b) {
    for (u4 i = 0; i < a->n_handlers; i++) {
        const ExHandler *x = &a->handlers[i], *y = &b->handlers[i];
        if (x->start != y->start || x->end != y->end || x->handler != y->handler || !x->catch_type != !y->catch_type)
            return false;
        if (x->catch_type && !mapped_equal(map, x->catch_type, y->catch_type)) return false;
    }
    return true;
}

static bool equivalent(const ConstantMap *map, const Method *a, const Method *b) {
    return a->code_len == b->code_len && a->max_stack == b->max_stack && a->max_locals == b->max_locals &&
           a->n_handlers == b->n_handlers && (!a->code_len || bodies_equal(map, a, b)) && handlers_equal(map, a, b);
}

bool methods_equivalent(const Method *a, const Method *b) {
    ConstantMap map = {.a = a->version->cf, .b = b->version->cf};
    return equivalent(&map, a, b);
}

/* --- what the verifier reads beside that --- */

static bool map_types_equal(const ConstantMap *map, CfMapTypes x, CfMapTypes y) {
    u1 xt, yt;
    u2 xd, yd;

    if (x.count != y.count) return false;
    while (cf_map_type_next(&x, &xt, &xd) && cf_map_type_next(&y, &yt, &yd))
        if (xt != yt || (xt == CF_VTAG_OBJECT ? !mapped_equal(map, xd, yd) : xd != yd)) return false;
    return true;
}

static bool stack_maps_equal(const ConstantMap *map, const CfAttr *a, const CfAttr *b) {
    CfMapIter x, y;
    CfMapFrame f, g;
    int more;

    if (!a || !b) return a == b;
    if (map->all && a->len == b->len && memcmp(a->data, b->data, a->len) == 0) return true;
    if (cf_map_start(a, &x, NULL) != CF_OK || cf_map_start(b, &y, NULL) != CF_OK || x.count != y.count) return false;
    while ((more = cf_map_next(&x, &f)) > 0)
        if (cf_map_next(&y, &g) <= 0 || f.pc != g.pc || f.chop_append != g.chop_append ||
            !map_types_equal(map, f.locals, g.locals) || !map_types_equal(map, f.stack, g.stack))
            return false;
    return more == 0 && cf_map_next(&y, &g) == 0;
}

/* Names may be others: only the ranges are verified. */
static bool variables_equal(const CfAttr *a, const CfAttr *b) {
    CfRows x, y;

    if (a->kind != b->kind) return false;
    if (a->kind != CF_ATTR_LOCAL_VARIABLE_TABLE) return true;
    if (cf_local_vars(a, &x, NULL) != CF_OK || cf_local_vars(b, &y, NULL) != CF_OK || x.count != y.count) return false;
    for (u4 i = 0; i < x.count; i++) {
        CfLocalVar v = cf_local_var(&x, i), w = cf_local_var(&y, i);
        if (v.start != w.start || v.length != w.length) return false;
    }
    return true;
}

/* The two are equivalent.  Did who verified a answer for b? */
static bool verified_alike(const ConstantMap *map, const Method *a, const Method *b) {
    if (!a->cf_code || !b->cf_code) return false;
    const CfAttrs *x = &a->cf_code->attrs;
    const CfAttrs *y = &b->cf_code->attrs;
    if (x->count != y->count) return false;
    for (u4 i = 0; i < x->count; i++)
        if (!variables_equal(&x->v[i], &y->v[i])) return false;
    return stack_maps_equal(map, cf_attr(x, CF_ATTR_STACK_MAP_TABLE), cf_attr(y, CF_ATTR_STACK_MAP_TABLE));
}

void change_compare_methods(Change *ch) {
    ConstantMap map;

    map_constants(&map, ch->base->cf, ch->fresh->cf);
    for (u4 i = 0; i < ch->fresh->n_methods; i++) {
        const Method *m = &ch->fresh->methods[i], *old = change_partner(ch, i);
        if (!old || !equivalent(&map, old, m)) ch->same[i] = SAME_NOT;
        else ch->same[i] = verified_alike(&map, old, m) ? SAME_VERIFIED : SAME_MEANING;
    }
    free(map.same);
}

/* Most often the method stands at the same place. */
static Method *find_like(const ClassVersion *v, const Method *like) {
    Method *m = like->index < v->n_methods ? &v->methods[like->index] : NULL;
    return m && m->name == like->name && m->desc == like->desc ? m : version_find_method(v, like->name, like->desc);
}

/* Nobody overrides or inherits these: with the old option they may come and go. */
static bool comes_and_goes(const Method *m) {
    return vm_options.add_delete_methods && m->access & ACC_PRIVATE && m->access & (ACC_STATIC | ACC_FINAL);
}

/* The reference names the first difference in an order of its own; here a missing method comes first. */
static Refusal compare_methods(const ClassVersion *a, const ClassVersion *b) {
    for (u4 i = 0; i < a->n_methods; i++)
        if (!find_like(b, &a->methods[i]) && !comes_and_goes(&a->methods[i]))
            return REFUSED_UNSUPPORTED_REDEFINITION_METHOD_DELETED;
    for (u4 i = 0; i < a->n_methods; i++) {
        const Method *m = &a->methods[i], *n = find_like(b, m);
        if (n &&
            (m->access ^ n->access) & METHOD_FLAGS & ~ACC_NATIVE) /* as in the reference, code and native may change places */
            return REFUSED_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED;
    }
    for (u4 i = 0; i < b->n_methods; i++)
        if (!find_like(a, &b->methods[i]) && !comes_and_goes(&b->methods[i]))
            return REFUSED_UNSUPPORTED_REDEFINITION_METHOD_ADDED;
    return REFUSED_NOT;
}

bool versions_have_other_methods(const ClassVersion *a, const ClassVersion *b) {
    if (a->n_methods != b->n_methods) return true;
    for (u4 i = 0; i < a->n_methods; i++)
        if (!find_like(b, &a->methods[i])) return true;
    return false;
}

static void take_places(const ClassVersion *base, ClassVersion *fresh) {
    for (u4 i = 0; i < fresh->n_methods; i++) {
        Method *m = &fresh->methods[i];
        const Method *old = &base->methods[i];
        m->index = i;
        m->slot = old->slot;
        m->vtable_index = old->vtable_index;
        m->itable_index = old->itable_index;
        m->flags |= old->flags & MF_OBJECT_INIT;
        /* the order of sorted_methods is by name: the base's serves */
        fresh->sorted_methods[i] = &fresh->methods[base->sorted_methods[i]->index];
    }
}

bool version_reorder(const ClassVersion *base, ClassVersion *fresh) {
    u4 n = fresh->n_methods;
    bool moves = false;
    Method *sorted;

    for (u4 i = 0; i < n; i++) moves |= find_like(fresh, &base->methods[i]) != &fresh->methods[i];
    if (!moves) return take_places(base, fresh), true;
    if (!(sorted = malloc((n + 1) * sizeof *sorted))) return false;
    for (u4 i = 0; i < n; i++) sorted[i] = *find_like(fresh, &base->methods[i]);
    memcpy(fresh->methods, sorted, n * sizeof *sorted);
    free(sorted);
    take_places(base, fresh);
    return true;
}

/* --- fields --- */

static Refusal compare_fields(const CfClass *a, const CfClass *b) {
    bool same = a->field_count == b->field_count;

    for (u4 i = 0; same && i < a->field_count; i++) {
        const CfMember *f = &a->fields[i], *g = &b->fields[i];
        same = cf_str_eq(cf_utf8(a, f->name), cf_utf8(b, g->name)) && cf_str_eq(cf_utf8(a, f->desc), cf_utf8(b, g->desc)) &&
               !((declared_access(f->access, &f->attrs) ^ declared_access(g->access, &g->attrs)) & FIELD_FLAGS);
    }
    return same ? REFUSED_NOT : REFUSED_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED;
}

/* --- class --- */

static Refusal compare_hierarchy(const CfClass *a, const CfClass *b) {
    bool same =
        cf_str_eq(cf_class_name(a, a->super_class), cf_class_name(b, b->super_class)) && a->interface_count == b->interface_count;

    for (u4 i = 0; same && i < a->interface_count; i++)
        same = cf_str_eq(cf_class_name(a, a->interfaces[i]), cf_class_name(b, b->interfaces[i]));
    return same ? REFUSED_NOT : REFUSED_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED;
}

/* NestMembers, PermittedSubclasses: sets of classes. */
static bool class_lists_equal(const CfClass *a, const CfClass *b, CfAttrKind kind) {
    CfRows rows = class_indices(&a->attrs, kind);
    if (rows.count != class_indices(&b->attrs, kind).count) return false;
    for (u4 i = 0; i < rows.count; i++)
        if (!class_lists(b, kind, cf_class_name(a, cf_index_at(&rows, i)))) return false;
    return true;
}

static bool components_equal(const CfClass *a, const CfClass *b, const CfComponent *x, const CfComponent *y) {
    return cf_str_eq(cf_utf8(a, x->name), cf_utf8(b, y->name)) && cf_str_eq(cf_utf8(a, x->desc), cf_utf8(b, y->desc)) &&
           cf_str_eq(cf_signature(a, &x->attrs), cf_signature(b, &y->attrs));
}

static bool records_equal(const CfClass *a, const CfClass *b) {
    const CfAttr *x = cf_attr(&a->attrs, CF_ATTR_RECORD), *y = cf_attr(&b->attrs, CF_ATTR_RECORD);
    CfComponents cx, cy;
    CfComponent p, q;
    CfArena scratch;
    bool same;

    if (!x || !y) return x == y;
    if (cf_record(x, &cx, NULL) != CF_OK || cf_record(y, &cy, NULL) != CF_OK || cx.count != cy.count) return false;
    cf_arena_init(&scratch, "record", 0);
    for (same = true; same && cf_component_next(a, &cx, &scratch, &p);)
        same = cf_component_next(b, &cy, &scratch, &q) && components_equal(a, b, &p, &q);
    cf_arena_free(&scratch);
    return same;
}

static bool hosts_equal(const CfClass *a, const CfClass *b) {
    u2 x = cf_attr_index(cf_attr(&a->attrs, CF_ATTR_NEST_HOST)), y = cf_attr_index(cf_attr(&b->attrs, CF_ATTR_NEST_HOST));
    return cf_str_eq(cf_class_name(a, x), cf_class_name(b, y));
}

Refusal versions_compare(const ClassVersion *base, const ClassVersion *fresh) {
    const CfClass *a = base->cf, *b = fresh->cf;
    Refusal r = compare_hierarchy(a, b);

    if (r) return r;
    if (atomic_load(&base->klass->state) == CLASS_ERRONEOUS) return REFUSED_INVALID_CLASS;
    if (!hosts_equal(a, b) || !class_lists_equal(a, b, CF_ATTR_NEST_MEMBERS) || !records_equal(a, b) ||
        !class_lists_equal(a, b, CF_ATTR_PERMITTED_SUBCLASSES))
        return REFUSED_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED;
    if ((declared_access(a->access, &a->attrs) ^ declared_access(b->access, &b->attrs)) & CLASS_FLAGS)
        return REFUSED_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED;
    if ((r = compare_fields(a, b))) return r;
    return compare_methods(base, fresh);
}
