/* SPDX-License-Identifier: Apache-2.0 */
/* cf_edit.c - changing members and attributes of a model. Memory: the class's arena. */
#include "cf_int.h"

CfClass *cf_class_new(CfArena *arena, unsigned major, unsigned access, CfStr name, CfStr super) {
    CfClass *c = CF_NEW(arena, CfClass);
    if (!c) return NULL;
    c->arena = arena;
    c->major = (uint16_t)major;
    c->access = (uint16_t)access;
    c->consts = CF_NEW_ARRAY(arena, CfConst, 32);
    if (!c->consts) return NULL;
    c->const_count = 1;
    c->const_cap = 32;
    c->this_class = cf_add_class(c, name);
    c->super_class = super.len ? cf_add_class(c, super) : 0;
    c->name = cf_class_name(c, c->this_class);
    return c->this_class && (c->super_class || !super.len) ? c : NULL;
}

/* ------------------------------------------------------------------------ attributes */

static CfErrCode attr_fill(CfClass *c, CfAttr *a, const void *data, size_t len) {
    const uint8_t *copy = cf_arena_copy(c->arena, data, len);
    if (!copy) return CF_ERR_NOMEM;
    a->data = copy;
    a->len = (uint32_t)len;
    return CF_OK;
}

/* Which sort of table is `as`? What is not part of the model is taken for the table of a Code
 * attribute. */
static unsigned place_of(const CfClass *c, const CfAttrs *as) {
    const char *p = (const char *)as;
    if (as == &c->attrs) return CF_IN_CLASS;
    if (p >= (const char *)c->fields && p < (const char *)(c->fields + c->field_count)) return CF_IN_FIELD;
    if (p >= (const char *)c->methods && p < (const char *)(c->methods + c->method_count)) return CF_IN_METHOD;
    return CF_IN_CODE;
}

CfErrCode cf_attr_append(CfClass *c, CfAttrs *as, const char *name, const void *data, size_t len) {
    uint16_t n = cf_add_utf8(c, cf_str(name));
    if (as->count == 65535 || len > INT32_MAX) return CF_ERR_LIMIT;
    if (!n) return cf_no_room(c);
    uint32_t cap = as->cap;
    if (!cf_grow_array(c->arena, &as->v, as->count, &cap, as->count + 1u, sizeof *as->v)) return CF_ERR_NOMEM;
    as->cap = (uint16_t)(cap > 65535 ? 65535 : cap);
    CfAttr *a = &as->v[as->count];
    *a = (CfAttr){.name = n, .kind = (uint16_t)cf_kind_at(c, n, place_of(c, as))};
    CF_TRY(attr_fill(c, a, data, len));
    as->count++;
    return CF_OK;
}

CfErrCode cf_attr_set(CfClass *c, CfAttrs *as, const char *name, const void *data, size_t len) {
    if (len > INT32_MAX) return CF_ERR_LIMIT;
    for (unsigned i = 0; i < as->count; i++)
        if (cf_str_is(cf_utf8(c, as->v[i].name), name)) return attr_fill(c, &as->v[i], data, len);
    return cf_attr_append(c, as, name, data, len);
}

unsigned cf_attr_remove(CfAttrs *as, CfAttrKind kind) {
    unsigned kept = 0, n = as->count;
    for (unsigned i = 0; i < n; i++)
        if (as->v[i].kind != kind) as->v[kept++] = as->v[i];
    as->count = (uint16_t)kept;
    return n - kept;
}

CfErrCode cf_code_set(CfClass *c, CfMember *m, const CfCode *code, CfError *err) {
    if (code->code_len == 0 || code->code_len > 65535) return cf_fail(err, CF_ERR_LIMIT, -1, "code of %u bytes", code->code_len);
    CfWriter w = {0};
    cf_code_write(c, code, &w);
    CfErrCode rc = w.bad ? CF_ERR_NOMEM : cf_attr_set(c, &m->attrs, "Code", w.data, w.len);
    cf_w_free(&w);
    return rc == CF_OK ? CF_OK : cf_fail(err, rc, -1, "Code attribute");
}

/* ------------------------------------------------------------------------ members */

static CfMember *add_member(CfClass *c, CfMember **v, uint16_t *count, uint32_t *cap, unsigned access, CfStr name, CfStr desc) {
    uint16_t n = cf_add_utf8(c, name), d = cf_add_utf8(c, desc);
    if (!n || !d || *count == 65535) return NULL;
    if (!cf_grow_array(c->arena, v, *count, cap, *count + 1u, sizeof **v)) return NULL;
    CfMember *m = &(*v)[*count];
    *m = (CfMember){.access = (uint16_t)access, .name = n, .desc = d, .index = *count};
    (*count)++;
    return m;
}

CfMember *cf_add_field(CfClass *c, unsigned access, CfStr name, CfStr desc) {
    return add_member(c, &c->fields, &c->field_count, &c->field_cap, access, name, desc);
}
CfMember *cf_add_method(CfClass *c, unsigned access, CfStr name, CfStr desc) {
    return add_member(c, &c->methods, &c->method_count, &c->method_cap, access, name, desc);
}

static void remove_member(CfMember *v, uint16_t *count, CfMember *m) {
    size_t at = (size_t)(m - v);
    memmove(m, m + 1, (*count - at - 1) * sizeof *m);
    (*count)--;
}

void cf_remove_field(CfClass *c, CfMember *f) { remove_member(c->fields, &c->field_count, f); }
void cf_remove_method(CfClass *c, CfMember *m) { remove_member(c->methods, &c->method_count, m); }

CfErrCode cf_add_interface(CfClass *c, CfStr name) {
    uint16_t k = cf_add_class(c, name);
    if (c->interface_count == 65535) return CF_ERR_LIMIT;
    if (!k) return cf_no_room(c);
    if (!cf_grow_array(c->arena, &c->interfaces, c->interface_count, &c->interface_cap, c->interface_count + 1u, sizeof k))
        return CF_ERR_NOMEM;
    c->interfaces[c->interface_count++] = k;
    return CF_OK;
}
