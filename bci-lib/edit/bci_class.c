/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_class.c - the edit handle: open, write, members, constant pool.
 *
 * The class itself is edited in the model of classfile, which appends to the pool and never moves
 * an entry; only bodies have a form of their own here (bci_code.c). bci_write encodes each changed
 * body into a Code attribute of the model and lets classfile write the whole.
 */
#include "bci_edit.h"

#include <stdlib.h>

/* ---- errors and memory ---- */

static CfErrCode set_error(BciClass *c, CfError **slot, CfErrCode code, int64_t off, const char *where, const char *fmt,
                           va_list ap) {
    static const CfError no_memory = {CF_ERR_NOMEM, -1, "", "out of memory"};
    if (*slot) return (*slot)->code;
    /* What could not be read, added or written for want of memory says so, whatever the place that noticed it takes it for. */
    bool starved = code != CF_ERR_USAGE && (c->arena.failed || c->scratch.failed || c->types.nomem);
    CfError *e = starved ? NULL : cf_arena_alloc(&c->arena, sizeof *e);
    if (!e) {
        *slot = (CfError *)&no_memory;
        return CF_ERR_NOMEM;
    }
    cf_err_clear(e);
    cf_vfail(e, code, off, fmt, ap);
    cf_fail_where(e, "%s", where);
    *slot = e;
    return code;
}

CfErrCode bci_fail(BciMethod *m, CfErrCode code, uint32_t pc, const char *fmt, ...) {
    char where[CF_ERR_WHERE];
    CfMember *cm = bci_member(m);
    CfStr n = cf_utf8(m->cls->cf, cm->name), d = cf_utf8(m->cls->cf, cm->desc);
    snprintf(where, sizeof where, "method %.*s%.*s", n.len > 60 ? 60 : (int)n.len, n.p ? n.p : "?", d.len > 50 ? 50 : (int)d.len,
             d.p ? d.p : "");
    va_list ap;
    va_start(ap, fmt);
    bool first = !m->err;
    code = set_error(m->cls, &m->err, code, pc == BCI_NO_PC ? -1 : (int64_t)pc, where, fmt, ap);
    va_end(ap);
    size_t used = strlen(m->err->text);
    if (first && m->call_file && code != CF_ERR_NOMEM)
        snprintf(m->err->text + used, sizeof m->err->text - used, " (%s:%d)", m->call_file, m->call_line);
    return code;
}

CfErrCode bci_fail_class(BciClass *c, CfErrCode code, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    code = set_error(c, &c->err, code, -1, "class", fmt, ap);
    va_end(ap);
    return code;
}

bool bci_handle_ok(const BciClass *c, CfError *err) {
    if (c->err && err && err->code == CF_OK) *err = *c->err;
    else if (c->written && !c->err) cf_fail(err, CF_ERR_USAGE, -1, "the class has been written");
    return !c->err && !c->written;
}

void *bci_grow(BciClass *c, void *data, uint32_t len, uint32_t *cap, size_t size) {
    if (len < *cap) return data;
    uint32_t n = *cap ? *cap * 2 : 8;
    void *p = n > *cap ? cf_arena_alloc(&c->arena, n * size) : NULL;
    if (!p) return bci_refuse_class(c, CF_ERR_NOMEM, "out of memory");
    if (len) memcpy(p, data, len * size);
    *cap = n;
    return p;
}

const char *bci_zstr(BciClass *c, CfStr s) {
    const char *z = s.p ? cf_arena_copy(&c->arena, s.p, s.len) : NULL;
    if (s.p && !z) bci_fail_class(c, CF_ERR_NOMEM, "out of memory");
    return z;
}

/* For names that callers compare without a look: empty if memory is exhausted, which is noted. */
static const char *name_or_empty(BciClass *c, CfStr s) {
    const char *z = bci_zstr(c, s);
    return z ? z : "";
}

bool bci_types(BciClass *c) {
    if (!c->types_ready) {
        if (!cf_types_init(&c->types, c->cf, &c->arena, NULL)) {
            cf_types_free(&c->types);
            bci_fail_class(c, CF_ERR_NOMEM, "out of memory");
            return false;
        }
        c->types_ready = true;
    }
    return true;
}

/* ---- what callers hand in ---- */

/* Strings of a class file are modified UTF-8 (4.4.7). */
static bool text_ok(BciClass *c, const char *s) {
    size_t n = strlen(s);
    if (n > 65535) return bci_refuse_class(c, CF_ERR_LIMIT, "a string of %zu bytes is too long for the constant pool", n);
    if (cf_mutf8_valid(s, n)) return true;
    return bci_refuse_class(c, CF_ERR_USAGE, "a string is not modified UTF-8: \"%.100s\"", s);
}

/* A class's own name is what it is. */
static bool class_ok(BciClass *c, const char *name, bool array) {
    if (!text_ok(c, name)) return false;
    if ((cf_class_name_valid(cf_str(name), c->cf->major) && (array || name[0] != '[')) || cf_str_is(c->cf->name, name))
        return true;
    return bci_refuse_class(c, CF_ERR_USAGE, "\"%s\" is no class name", name);
}

bool bci_member_ok(BciClass *c, const char *name, const char *desc, bool method) {
    if (!text_ok(c, name) || !text_ok(c, desc)) return false;
    CfStr d = cf_str(desc);
    bool ok = method ? cf_method_desc_valid(d) && (name[0] != '<' || d.p[d.len - 1] == 'V') : cf_field_desc_valid(d);
    if (!ok) return bci_refuse_class(c, CF_ERR_USAGE, "%s %s: bad descriptor %s", method ? "method" : "field", name, desc);
    if (cf_member_name_valid(cf_str(name), method, c->cf->major)) return true;
    return bci_refuse_class(c, CF_ERR_USAGE, "\"%s\" is no name of a %s", name, method ? "method" : "field");
}

/* ---- open and close ---- */

static BciMethod *make_method(BciClass *c, uint32_t index, bool added) {
    BciMethod *m = CF_NEW(&c->arena, BciMethod);
    if (!m) return bci_refuse_class(c, CF_ERR_NOMEM, "out of memory");
    *m = (BciMethod){.cls = c, .index = index, .added = added};
    return BCI_PUSH(c, c->methods, c->nmethods, c->cap_methods, m) ? m : NULL;
}

const char *bci_version(void) { return GRAFT_VERSION; }

BciClass *bci_open(const uint8_t *bytes, size_t len, const BciOptions *options, CfError *err) {
    BciClass *c = calloc(1, sizeof *c);
    if (!c) return cf_fail(err, CF_ERR_NOMEM, -1, "out of memory"), NULL;
    size_t chunk = 16 * len; /* of a list some forty bytes for each byte of code */
    cf_arena_init(&c->arena, "bci", chunk < 8192 ? 8192 : chunk > 262144 ? 262144 : chunk);
    cf_arena_init(&c->scratch, "bci-scratch", 0);
    c->arena.limit = c->scratch.limit = BCI_ARENA_LIMIT;
    c->code_limit = BCI_MAX_CODE;
    if (options) c->opt = *options;
    CfParseOptions po = {.check = CF_CHECK_STRUCT, .enable_preview = true, .any_version = true};
    if (cf_parse(&c->cf, bytes, len, &c->arena, &po, err) != CF_OK) goto fail;
    for (uint32_t i = 0; i < c->cf->method_count; i++)
        if (!make_method(c, i, false)) {
            cf_fail(err, CF_ERR_NOMEM, -1, "out of memory");
            goto fail;
        }
    return c;
fail:
    bci_close(c);
    return NULL;
}

void bci_close(BciClass *c) {
    if (!c) return;
    if (c->types_ready) cf_types_free(&c->types);
    cf_arena_free(&c->scratch);
    cf_arena_free(&c->arena);
    free(c);
}

/* ---- the class ---- */

const char *bci_class_name(BciClass *c) { return c ? name_or_empty(c, c->cf->name) : NULL; }
const char *bci_super_name(BciClass *c) { return bci_zstr(c, cf_class_name(c->cf, c->cf->super_class)); }
unsigned bci_class_access(const BciClass *c) { return c->cf->access; }
unsigned bci_major(const BciClass *c) { return c->cf->major; }
const char *bci_source_file(BciClass *c) {
    return bci_zstr(c, cf_utf8(c->cf, cf_attr_index(cf_attr(&c->cf->attrs, CF_ATTR_SOURCE_FILE))));
}
uint32_t bci_interface_count(const BciClass *c) { return c->cf->interface_count; }
const char *bci_interface(BciClass *c, uint32_t i) {
    return i < c->cf->interface_count ? bci_zstr(c, cf_class_name(c->cf, c->cf->interfaces[i])) : NULL;
}
const CfClass *bci_model(const BciClass *c) { return c->cf; }
void bci_set_class_access(BciClass *c, unsigned access) {
    c->changed |= c->cf->access != access;
    c->cf->access = (uint16_t)access;
}

void bci_add_interface(BciClass *c, const char *name) {
    for (uint32_t i = 0; i < c->cf->interface_count; i++)
        if (cf_str_is(cf_class_name(c->cf, c->cf->interfaces[i]), name)) return;
    if (!class_ok(c, name, false)) return;
    CfErrCode rc = cf_add_interface(c->cf, cf_str(name));
    if (rc != CF_OK) bci_fail_class(c, rc, "interface %s cannot be added", name);
    c->changed = true;
}

bool bci_has_field(BciClass *c, const char *name, const char *desc) {
    return cf_find_field(c->cf, cf_str(name), cf_str(desc)) != NULL;
}

bool bci_add_field(BciClass *c, unsigned access, const char *name, const char *desc) {
    if (!bci_member_ok(c, name, desc, false)) return false;
    if (bci_has_field(c, name, desc)) return bci_refuse_class(c, CF_ERR_USAGE, "field %s %s exists already", name, desc);
    if (!cf_add_field(c->cf, access, cf_str(name), cf_str(desc)))
        return bci_refuse_class(c, cf_no_room(c->cf), "field %s %s cannot be added: %s", name, desc, bci_no_room(c));
    return c->changed = true;
}

void bci_field_attribute(BciClass *c, const char *name, const char *desc, const char *attribute, const void *data, size_t len) {
    CfMember *f = cf_find_field(c->cf, cf_str(name), cf_str(desc));
    CfAttrKind kind = cf_attr_kind(cf_str(attribute));
    if (!text_ok(c, attribute)) return;
    if (!f || (cf_attr_info[kind].one && cf_attr(&f->attrs, kind))) {
        bci_fail_class(c, CF_ERR_USAGE, "attribute %s of field %s %s: %s", attribute, name, desc,
                       f ? "exists already" : "there is no such field");
        return;
    }
    CfErrCode rc = cf_attr_append(c->cf, &f->attrs, attribute, data, len);
    if (rc != CF_OK) bci_fail_class(c, rc, "attribute %s of field %s %s cannot be added", attribute, name, desc);
    c->changed = true;
}

/* ---- constant pool ---- */

/* Additions alone do not make an edit: without a user of the entry they are not worth writing; they
 * are written together with any edit. */
static uint16_t pool(BciClass *c, uint16_t index) {
    if (!index) bci_fail_class(c, cf_no_room(c->cf), "%s", bci_no_room(c));
    const CfConstInfo *kind = &cf_const_info[cf_tag(c->cf, index)];
    if (index && c->cf->major < kind->since)
        bci_fail_class(c, CF_ERR_USAGE, "a %s constant needs class version %d, this is %d", kind->name, kind->since,
                       c->cf->major);
    return index;
}

uint16_t bci_cp_utf8(BciClass *c, const char *s) { return text_ok(c, s) ? pool(c, cf_add_utf8(c->cf, cf_str(s))) : 0; }
uint16_t bci_cp_int(BciClass *c, int32_t v) { return pool(c, cf_add_int(c->cf, v)); }
uint16_t bci_cp_float(BciClass *c, float v) { return pool(c, cf_add_float(c->cf, v)); }
uint16_t bci_cp_long(BciClass *c, int64_t v) { return pool(c, cf_add_long(c->cf, v)); }
uint16_t bci_cp_double(BciClass *c, double v) { return pool(c, cf_add_double(c->cf, v)); }
uint16_t bci_cp_class(BciClass *c, const char *name) {
    return class_ok(c, name, true) ? pool(c, cf_add_class(c->cf, cf_str(name))) : 0;
}
uint16_t bci_cp_string(BciClass *c, const char *s) { return text_ok(c, s) ? pool(c, cf_add_string(c->cf, cf_str(s))) : 0; }
uint16_t bci_cp_name_type(BciClass *c, const char *name, const char *desc) {
    return bci_member_ok(c, name, desc, desc[0] == '(') ? pool(c, cf_add_name_and_type(c->cf, cf_str(name), cf_str(desc))) : 0;
}
/* Names that were in the pool are right: those of a new entry are looked at, and of one that could not be made. */
static uint16_t member_ref(BciClass *c, uint32_t before, uint16_t index, const char *owner, const char *name, const char *desc,
                           bool method) {
    if ((!index || c->cf->const_count != before) && !(class_ok(c, owner, true) && bci_member_ok(c, name, desc, method))) return 0;
    return pool(c, index);
}
uint16_t bci_cp_field(BciClass *c, const char *owner, const char *name, const char *desc) {
    uint32_t n = c->cf->const_count;
    uint16_t k = cf_add_field_ref(c->cf, cf_str(owner), cf_str(name), cf_str(desc));
    return member_ref(c, n, k, owner, name, desc, false);
}
uint16_t bci_cp_method(BciClass *c, const char *owner, const char *name, const char *desc, bool itf) {
    uint32_t n = c->cf->const_count;
    uint16_t k = cf_add_method_ref(c->cf, cf_str(owner), cf_str(name), cf_str(desc), itf);
    return member_ref(c, n, k, owner, name, desc, true);
}
uint16_t bci_cp_method_handle(BciClass *c, unsigned kind, uint16_t ref) {
    return pool(c, cf_add_method_handle(c->cf, kind, ref));
}
uint16_t bci_cp_method_type(BciClass *c, const char *desc) {
    return bci_member_ok(c, "type", desc, true) ? pool(c, cf_add_method_type(c->cf, cf_str(desc))) : 0;
}
uint16_t bci_cp_dynamic(BciClass *c, uint16_t bootstrap, const char *name, const char *desc) {
    return bci_member_ok(c, name, desc, false) ? pool(c, cf_add_dynamic(c->cf, bootstrap, cf_str(name), cf_str(desc))) : 0;
}
uint16_t bci_cp_invoke_dynamic(BciClass *c, uint16_t bootstrap, const char *name, const char *desc) {
    if (!bci_member_ok(c, name, desc, true)) return 0;
    return pool(c, cf_add_invoke_dynamic(c->cf, bootstrap, cf_str(name), cf_str(desc)));
}

bool bci_add_bootstrap(BciClass *c, uint16_t method_handle, const uint16_t *args, unsigned nargs, uint16_t *index) {
    const CfAttr *a = cf_attr(&c->cf->attrs, CF_ATTR_BOOTSTRAP_METHODS);
    CfWriter w = {0};
    if (a && a->len >= 2) cf_w_bytes(&w, a->data, a->len);
    else cf_w_u2(&w, 0);
    unsigned count = w.data ? cf_get_u2(w.data) : 0;
    cf_w_u2(&w, method_handle);
    cf_w_u2(&w, nargs);
    for (unsigned i = 0; i < nargs; i++) cf_w_u2(&w, args[i]);
    cf_w_patch_u2(&w, 0, count + 1);
    CfErrCode rc = count == 65535 || nargs > 65535 ? CF_ERR_LIMIT : w.bad ? CF_ERR_NOMEM : CF_OK;
    if (rc == CF_OK) rc = cf_attr_set(c->cf, &c->cf->attrs, "BootstrapMethods", w.data, w.len);
    cf_w_free(&w);
    if (rc != CF_OK) return bci_refuse_class(c, rc, "bootstrap method cannot be added");
    *index = (uint16_t)count;
    return c->changed = true;
}

const char *bci_cp_utf8_at(BciClass *c, uint16_t index) { return bci_zstr(c, cf_utf8(c->cf, index)); }
const char *bci_cp_class_at(BciClass *c, uint16_t index) { return bci_zstr(c, cf_class_name(c->cf, index)); }
unsigned bci_cp_tag_at(const BciClass *c, uint16_t index) { return cf_tag(c->cf, index); }

bool bci_cp_member_at(BciClass *c, uint16_t index, const char **owner, const char **name, const char **desc) {
    CfStr o = {0}, n, d;
    if (!cf_member_ref(c->cf, index, &o, &n, &d)) {
        if (!cf_name_and_type(c->cf, index, &n, &d)) return false;
        o.p = NULL;
    }
    if (owner) *owner = bci_zstr(c, o);
    if (name) *name = bci_zstr(c, n);
    if (desc) *desc = bci_zstr(c, d);
    return true;
}

/* ---- methods ---- */

/* 4.7.3; <clinit> is neither native nor abstract, whatever its flags say (4.6). */
bool bci_has_body(unsigned access, CfStr name) {
    return !(access & (CF_ACC_NATIVE | CF_ACC_ABSTRACT)) || cf_str_is(name, "<clinit>");
}

int bci_method_count(const BciClass *c) { return c ? (int)c->nmethods : 0; }
BciMethod *bci_method(BciClass *c, int i) { return c && i >= 0 && (uint32_t)i < c->nmethods ? c->methods[i] : NULL; }

BciMethod *bci_find_method(BciClass *c, const char *name, const char *desc) {
    CfMember *m = c ? cf_find_method(c->cf, cf_str(name), desc ? cf_str(desc) : (CfStr){0}) : NULL;
    return m ? bci_method(c, (int)(m - c->cf->methods)) : NULL;
}

static const char *utf8_once(BciMethod *m, const char **known, unsigned index) {
    return *known ? *known : (*known = name_or_empty(m->cls, cf_utf8(m->cls->cf, index)));
}
const char *bci_method_name(BciMethod *m) { return m ? utf8_once(m, &m->name, bci_member(m)->name) : NULL; }
const char *bci_method_desc(BciMethod *m) { return m ? utf8_once(m, &m->desc, bci_member(m)->desc) : NULL; }
unsigned bci_method_access(const BciMethod *m) { return m ? bci_member(m)->access : 0; }
int bci_method_index(const BciMethod *m) { return m ? (int)m->index : -1; }
BciClass *bci_method_class(BciMethod *m) { return m ? m->cls : NULL; }

BciCode *bci_code(BciMethod *m) {
    if (!m) return NULL;
    if (!m->decoded && !m->err) {
        m->decoded = true;
        m->code = bci_decode(m);
    }
    return m->code;
}

uint32_t bci_outlined(const BciMethod *m) { return m ? m->parts : 0; }

CfErrCode bci_method_error(const BciMethod *m, CfError *err) {
    if (!m) return cf_fail(err, CF_ERR_USAGE, -1, "there is no method");
    if (!m->err) return CF_OK;
    if (err) *err = *m->err;
    return m->err->code;
}

void bci_revert(BciMethod *m) {
    m->code = NULL;
    m->err = NULL;
    m->decoded = false;
    if (!m->added || m->copied) return;
    m->decoded = true;
    if (bci_has_body(bci_method_access(m), cf_utf8(m->cls->cf, bci_member(m)->name))) m->code = bci_empty_code(m);
}

/* Slots of the arguments, `this` among them (4.3.3, 4.11). */
static bool args_fit(unsigned access, CfStr desc) { return cf_desc_arg_slots(desc, NULL) + !(access & CF_ACC_STATIC) <= 255; }

BciMethod *bci_add_method(BciClass *c, unsigned access, const char *name, const char *desc) {
    CfStr n = cf_str(name), d = cf_str(desc);
    if (!bci_member_ok(c, name, desc, true)) return NULL;
    if (!args_fit(access, d)) return bci_refuse_class(c, CF_ERR_USAGE, "method %s has more than 255 argument slots", name);
    if (cf_find_method(c->cf, n, d)) return bci_refuse_class(c, CF_ERR_USAGE, "method %s%s exists already", name, desc);
    if (!cf_add_method(c->cf, access, n, d))
        return bci_refuse_class(c, cf_no_room(c->cf), "method %s%s cannot be added: %s", name, desc, bci_no_room(c));
    c->changed = true;
    BciMethod *m = make_method(c, c->nmethods, true);
    if (m && bci_has_body(access, n)) m->code = bci_empty_code(m);
    if (m) m->decoded = true;
    return m;
}

void bci_set_method_access(BciMethod *m, unsigned access) {
    CfMember *cm = bci_member(m);
    if (cm->access & ~access & CF_ACC_STATIC && !args_fit(access, cf_utf8(m->cls->cf, cm->desc)))
        return (void)bci_fail(m, CF_ERR_USAGE, BCI_NO_PC, "with `this` it has more than 255 argument slots");
    m->cls->changed |= cm->access != access;
    cm->access = (uint16_t)access;
}

void bci_rename_method(BciMethod *m, const char *name) {
    BciClass *c = m->cls;
    CfStr n = cf_str(name), desc = cf_utf8(c->cf, bci_member(m)->desc);
    if (!text_ok(c, name)) return;
    if (!cf_member_name_valid(n, true, c->cf->major))
        return (void)bci_fail(m, CF_ERR_USAGE, BCI_NO_PC, "rename: \"%s\" is no name of a method", name);
    const CfMember *other = cf_find_method(c->cf, n, desc);
    if (other && other != bci_member(m))
        return (void)bci_fail(m, CF_ERR_USAGE, BCI_NO_PC, "rename: method %s%.*s exists already", name, CF_STR_ARGS(desc));
    uint16_t i = bci_cp_utf8(c, name);
    if (!i) return;
    bci_member(m)->name = i;
    m->name = NULL;
    c->changed = true;
}

void bci_method_attribute(BciMethod *m, const char *name, const void *data, size_t len) {
    CfAttrs *as = &bci_member(m)->attrs;
    CfAttrKind kind = cf_attr_kind(cf_str(name));
    if (!text_ok(m->cls, name)) return;
    if (kind == CF_ATTR_CODE || (cf_attr_info[kind].one && cf_attr(as, kind))) {
        bci_fail(m, CF_ERR_USAGE, BCI_NO_PC,
                 kind == CF_ATTR_CODE ? "attribute %s is what bci_code gives" : "attribute %s exists already", name);
        return;
    }
    CfErrCode rc = cf_attr_append(m->cls->cf, as, name, data, len);
    if (rc != CF_OK) bci_fail(m, rc, BCI_NO_PC, "attribute %s cannot be added", name);
    m->cls->changed = true;
}

BciMethod *bci_code_method(const BciCode *code) { return code ? code->m : NULL; }
BciClass *bci_code_class(const BciCode *code) { return code ? code->m->cls : NULL; }
