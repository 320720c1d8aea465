/* SPDX-License-Identifier: Apache-2.0 */
/* The InnerClasses attribute (JVMS 4.7.6), and the modifiers that a class was declared with. */
#include "object/version.h"
#include <stdlib.h>
#include <string.h>

CfRows class_inner_rows(const Class *c) {
    CfRows rows = {0};
    const CfAttr *a = cf_attr(&c->version->cf->attrs, CF_ATTR_INNER_CLASSES);
    if (!a || c->version->circular_inner || cf_inner_classes(a, &rows, NULL) != CF_OK) rows.count = 0;
    return rows;
}

/* outer_of: per pool index the outer class of that class, 0 if it has none.  seen: the row from which it was reached first. */
static bool rows_circular(const CfRows *rows, const u2 *outer_of, u2 *seen) {
    for (u4 i = 0; i < rows->count; i++)
        for (u2 k = cf_inner(rows, i).inner; k && !seen[k]; k = outer_of[k]) {
            seen[k] = (u2)(i + 1);
            if (outer_of[k] && seen[outer_of[k]] == i + 1) return true;
        }
    return false;
}

bool inner_classes_circular(const CfClass *cf, bool *circular) {
    CfRows rows;
    const CfAttr *a = cf_attr(&cf->attrs, CF_ATTR_INNER_CLASSES);

    *circular = false;
    if (!a || cf_inner_classes(a, &rows, NULL) != CF_OK || rows.count < 2) return true;
    u2 *outer_of = calloc(2u * cf->const_count, sizeof *outer_of);
    if (!outer_of) return false;
    for (u4 i = rows.count; i-- > 0;) {
        CfInner in = cf_inner(&rows, i);
        outer_of[in.inner] = in.outer;
    }
    *circular = rows_circular(&rows, outer_of, outer_of + cf->const_count);
    free(outer_of);
    return true;
}

CfRows class_indices(const CfAttrs *attrs, CfAttrKind kind) {
    CfRows rows = {0};
    const CfAttr *a = cf_attr(attrs, kind);
    if (!a || cf_index_list(a, &rows, NULL) != CF_OK) rows.count = 0;
    return rows;
}

bool class_lists(const CfClass *cf, CfAttrKind kind, CfStr name) {
    CfRows rows = class_indices(&cf->attrs, kind);
    for (u4 i = 0; i < rows.count; i++)
        if (cf_str_eq(cf_class_name(cf, cf_index_at(&rows, i)), name)) return true;
    return false;
}

bool class_entry_names(const Class *c, u4 index, const Class *named) {
    return cf_str_eq(cf_class_name(c->version->cf, index), symbol_str(named->name));
}

bool class_own_row(const Class *c, CfInner *out) {
    CfRows rows = class_inner_rows(c);
    for (u4 i = 0; i < rows.count; i++) {
        CfInner in = cf_inner(&rows, i);
        if (in.inner && (in.inner == c->version->cf->this_class || class_entry_names(c, in.inner, c))) {
            *out = in;
            return true;
        }
    }
    return false;
}

static u4 find_modifiers(const Class *c) {
    CfInner in;
    return (class_own_row(c, &in) ? in.access : c->access) & ~(u4)ACC_SUPER & ACC_WRITTEN;
}

u4 class_modifiers(const Class *c) {
    enum { ACCESS = ACC_PUBLIC | ACC_PRIVATE | ACC_PROTECTED, KNOWN = 1u << 31 };
    if (class_is_primitive(c)) return ACC_PUBLIC | ACC_FINAL | ACC_ABSTRACT;
    if (class_is_array(c)) return (class_modifiers(class_element(c)) & ACCESS) | ACC_FINAL | ACC_ABSTRACT;
    u4 m = atomic_load_explicit(&c->version->modifiers, memory_order_relaxed);
    if (!m) {
        m = find_modifiers(c) | KNOWN;
        atomic_store_explicit(&c->version->modifiers, m, memory_order_relaxed);
    }
    return m & ~(u4)KNOWN;
}
