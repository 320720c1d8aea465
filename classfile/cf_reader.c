/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_reader.c - bytes -> model (JVMS 4.1, 4.4-4.6), STRUCT checks.
 *
 * One pass over the bytes with CfReader; the pool takes a second, memory-only pass that checks
 * that every entry refers to entries of the right tags (entries may point forward). After cf_parse
 * the following holds and later code relies on it: all indices inside pool entries, this_class,
 * super_class, interfaces, member names, member descriptors and attribute names have the right
 * tag; all attribute contents lie inside the bytes. Nothing is known yet about what is inside
 * attributes or strings.
 */
#include "cf_int.h"

const char *cf_msg_name(CfMsgName *buf, const CfClass *c, const CfParseOptions *opt) {
    if (opt && opt->name) return opt->name;
    if (!c || c->name.len == 0) return "<Unknown>";
    snprintf(buf->text, sizeof buf->text, "%.*s", CF_STR_ARGS(c->name));
    return buf->text;
}

typedef struct Parser {
    CfClass *c;
    CfReader r;
    const CfParseOptions *opt;
    CfError *err;
    CfMsgName name;
    bool format;         /* FORMAT checks are wanted */
    bool header_only;    /* stop behind the interfaces */
    unsigned module_tag; /* of an entry that only modules may have, 0 = none seen */
    CfProgress done;
} Parser;

#define NAME(ps) cf_msg_name(&(ps)->name, (ps)->c, (ps)->opt)
#define BAD_CLASS(ps, off, message, ...) \
    cf_fail((ps)->err, CF_ERR_FORMAT, (int64_t)(off), message " in class file %s" __VA_OPT__(, ) __VA_ARGS__, NAME(ps))

static CfErrCode truncated(Parser *ps) {
    return cf_fail(ps->err, CF_ERR_FORMAT, ps->r.end - ps->r.start, "Truncated class file");
}

/* ------------------------------------------------------------------------ version (4.1) */

static CfErrCode check_version(Parser *ps) {
    unsigned major = ps->c->major, minor = ps->c->minor;
    const CfParseOptions *o = ps->opt;
    const char *n = NAME(ps);
    if (major < CF_MAJOR_MIN)
        return cf_fail(ps->err, CF_ERR_VERSION, 6, "%s (class file version %u.%u) was compiled with an invalid major version", n,
                       major, minor);
    if (o && o->any_version) return CF_OK;
    if (major > CF_MAJOR_MAX)
        return cf_fail(ps->err, CF_ERR_VERSION, 6,
                       "%s has been compiled by a more recent version of the Java Runtime (class file version "
                       "%u.%u), "
                       "this version of the Java Runtime only recognizes class file versions up to %u.0",
                       n, major, minor, CF_MAJOR_MAX);
    if (major < 56 || minor == 0) return CF_OK;
    if (minor != CF_MINOR_PREVIEW)
        return cf_fail(ps->err, CF_ERR_VERSION, 4,
                       "%s (class file version %u.%u) was compiled with an invalid non-zero minor version", n, major, minor);
    if (major != CF_MAJOR_MAX)
        return cf_fail(ps->err, CF_ERR_VERSION, 4,
                       "%s (class file version %u.%u) was compiled with preview features that are "
                       "unsupported. This "
                       "version of the Java Runtime only recognizes preview features for class "
                       "file version %u.%u",
                       n, major, minor, CF_MAJOR_MAX, CF_MINOR_PREVIEW);
    if (!o || !o->enable_preview)
        return cf_fail(ps->err, CF_ERR_VERSION, 4,
                       "Preview features are not enabled for %s (class file version %u.%u). Try running with "
                       "'--enable-preview'",
                       n, major, minor);
    return CF_OK;
}

/* ------------------------------------------------------------------------ constant pool (4.4) */

static CfErrCode bad_tag(Parser *ps, unsigned tag, size_t at) { return BAD_CLASS(ps, at, "Unknown constant tag %u", tag); }

static CfErrCode read_constants(Parser *ps) {
    CfClass *c = ps->c;
    const uint8_t *p = ps->r.p, *end = ps->r.end, *base = c->bytes;
    uint32_t n = c->const_count;
    c->consts[0] = (CfConst){0};
    for (uint32_t i = 1; i < n; i++) {
        CfConst *k = &c->consts[i];
        if (p == end) return truncated(ps);
        unsigned tag = *p;
        unsigned bytes = tag < CF_CONST_TAG_LIMIT ? cf_const_info[tag].bytes : 0;
        if (bytes == 0) return bad_tag(ps, tag, (size_t)(p - base));
        if ((size_t)(end - p) < 1 + bytes) return truncated(ps);
        if (cf_const_info[tag].since > c->major)
            return tag >= CF_CONST_MODULE ? bad_tag(ps, tag, (size_t)(p - base))
                                          : BAD_CLASS(ps, p - base, "Class file version does not support constant tag %u", tag);
        *k = (CfConst){.tag = (uint8_t)tag, .offset = (uint32_t)(p - base)};
        p++;
        switch (tag) {
        case CF_CONST_UTF8:
            k->len = cf_get_u2(p);
            k->utf8 = (const char *)p + 2;
            if ((size_t)(end - p) < 2u + k->len) return truncated(ps);
            if (ps->format && !cf_mutf8_valid(k->utf8, k->len))
                return BAD_CLASS(ps, k->offset, "Illegal UTF8 string in constant pool");
            p += k->len;
            if (cf_maybe_attr((CfStr){k->utf8, k->len})) k->kind = (uint8_t)cf_attr_kind((CfStr){k->utf8, k->len});
            break;
        case CF_CONST_INTEGER:
        case CF_CONST_FLOAT: k->i = cf_get_s4(p); break;
        case CF_CONST_LONG:
        case CF_CONST_DOUBLE:
            k->j = (int64_t)cf_get_u8(p);
            if (++i >= n) return BAD_CLASS(ps, k->offset, "Invalid constant pool entry %u", i - 1);
            c->consts[i] = (CfConst){.offset = k->offset};
            break;
        case CF_CONST_METHODHANDLE:
            k->kind = p[0];
            k->a = cf_get_u2(p + 1);
            break;
        case CF_CONST_MODULE:
        case CF_CONST_PACKAGE:
            ps->module_tag = tag;
            /* fall through */
        default:
            k->a = cf_get_u2(p);
            if (bytes == 4) k->b = cf_get_u2(p + 2);
        }
        p += bytes;
    }
    ps->r.p = p;
    return CF_OK;
}

static bool handle_target_ok(const CfClass *c, const CfConst *k) {
    unsigned t = cf_tag(c, k->a);
    switch (k->kind) {
    case CF_REF_GETFIELD:
    case CF_REF_GETSTATIC:
    case CF_REF_PUTFIELD:
    case CF_REF_PUTSTATIC: return t == CF_CONST_FIELDREF;
    case CF_REF_INVOKEVIRTUAL:
    case CF_REF_NEWINVOKESPECIAL: return t == CF_CONST_METHODREF;
    case CF_REF_INVOKESTATIC:
    case CF_REF_INVOKESPECIAL: return t == CF_CONST_METHODREF || (t == CF_CONST_INTERFACEMETHODREF && c->major >= 52);
    case CF_REF_INVOKEINTERFACE: return t == CF_CONST_INTERFACEMETHODREF;
    default: return false;
    }
}

static bool operand_ok(const CfClass *c, unsigned index, unsigned tag) { return tag == 0 || cf_tag(c, index) == tag; }

/* Every index inside a pool entry has the tag that 4.4.x wants. */
static bool constant_ok(const CfClass *c, const CfConst *k) {
    CfOperands want = cf_operands[k->tag];
    if (k->tag == CF_CONST_METHODHANDLE) return handle_target_ok(c, k);
    return operand_ok(c, k->a, want.a) && operand_ok(c, k->b, want.b);
}

/* The index of entry `k` that the message blames. */
static unsigned blamed_index(const CfClass *c, const CfConst *k) {
    CfOperands want = cf_operands[k->tag];
    return want.b && operand_ok(c, k->a, want.a) ? k->b : k->a;
}

static CfErrCode link_constants(Parser *ps) {
    CfClass *c = ps->c;
    for (uint32_t i = 1; i < c->const_count; i++) {
        const CfConst *k = &c->consts[i];
        if (constant_ok(c, k)) continue;
        if (k->tag == CF_CONST_METHODHANDLE && (k->kind < 1 || k->kind > 9))
            return BAD_CLASS(ps, k->offset, "Bad method handle kind at constant pool index %u", i);
        bool in_pool = cf_tag(c, k->a) != CF_CONST_NONE;
        const char *what = k->tag != CF_CONST_METHODHANDLE || !in_pool ? ""
                           : k->kind <= CF_REF_PUTSTATIC               ? " (not a field)"
                           : k->kind == CF_REF_INVOKEINTERFACE         ? " (not an interface method)"
                                                                       : " (not a method)";
        return cf_fail(ps->err, CF_ERR_FORMAT, k->offset, "Invalid constant pool index %u in class file %s%s", blamed_index(c, k),
                       NAME(ps), what);
    }
    return CF_OK;
}

static CfErrCode read_pool(Parser *ps) {
    CfClass *c = ps->c;
    size_t at = cf_r_pos(&ps->r);
    c->const_count = cf_r_u2(&ps->r);
    if (ps->r.bad) return truncated(ps);
    if (c->const_count < 1) return BAD_CLASS(ps, at, "Illegal constant pool size %u", c->const_count);
    enum { SPARE = 12 }; /* an edit adds a few */
    c->const_cap = c->parsed_consts = c->const_count;
    /* A hostile count must not cost more memory than the file could fill. Three bytes make an
     * entry at least, nine make two: reading fails before the room ends. */
    size_t room = cf_r_left(&ps->r) + 2;
    if (room > c->const_count) room = c->const_cap = c->const_count + SPARE;
    c->consts = cf_arena_alloc(c->arena, room * sizeof *c->consts);
    if (!c->consts) return cf_fail(ps->err, CF_ERR_NOMEM, -1, "constant pool");
    CF_TRY(read_constants(ps));
    c->pool_end = (uint32_t)cf_r_pos(&ps->r);
    return link_constants(ps);
}

/* ------------------------------------------------------------------------ class header (4.1) */

static CfErrCode read_header(Parser *ps) {
    CfClass *c = ps->c;
    CfReader *r = &ps->r;
    const char *given = ps->opt ? ps->opt->name : NULL;
    size_t at = cf_r_pos(r);
    c->access = cf_r_u2(r);
    c->this_class = cf_r_u2(r);
    if (r->bad || cf_r_left(r) < 2) return truncated(ps);
    if (cf_tag(c, c->this_class) != CF_CONST_CLASS)
        return BAD_CLASS(ps, at + 2, "Invalid this class index %u in constant pool", c->this_class);
    c->name = cf_class_name(c, c->this_class);
    ps->done.name = true;
    if (given && ps->opt->name_is_law && !cf_str_is(c->name, given))
        return cf_fail(ps->err, CF_ERR_NO_CLASS, at + 2, "%s (wrong name: %.*s)", given, CF_STR_ARGS(c->name));
    c->super_class = cf_r_u2(r);
    c->interface_count = cf_r_u2(r);
    if (r->bad) return truncated(ps);
    if (!(c->access & CF_ACC_MODULE) && ps->module_tag) return bad_tag(ps, ps->module_tag, at);
    if (c->super_class == 0 ? !(c->access & CF_ACC_MODULE) && !cf_str_is(c->name, "java/lang/Object")
                            : cf_tag(c, c->super_class) != CF_CONST_CLASS)
        return BAD_CLASS(ps, at + 4, "Invalid superclass index %u", c->super_class);
    c->interface_cap = c->interface_count;
    c->interfaces = cf_arena_alloc(c->arena, 2u * c->interface_count);
    if (!c->interfaces) return cf_fail(ps->err, CF_ERR_NOMEM, -1, "interfaces");
    for (unsigned i = 0; i < c->interface_count; i++) {
        c->interfaces[i] = cf_r_u2(r);
        if (r->bad) return truncated(ps);
        if (cf_tag(c, c->interfaces[i]) != CF_CONST_CLASS)
            return BAD_CLASS(ps, at + 8 + 2 * i, "Interface name has bad constant pool index %u", c->interfaces[i]);
    }
    return CF_OK;
}

/* ------------------------------------------------------------ attributes and members */

CfAttrKind cf_kind_at(const CfClass *c, unsigned name, unsigned where) {
    unsigned kind = c->consts[name].kind;
    const CfAttrInfo *info = &cf_attr_info[kind];
    return (info->where & where) && c->major >= info->since ? (CfAttrKind)kind : CF_ATTR_UNKNOWN;
}

static CfErrCode bad_attr_name(const CfClass *c, unsigned index, unsigned where, const uint8_t *at, CfError *err) {
    CfMsgName b;
    return cf_fail(err, CF_ERR_FORMAT, cf_offset_of(c, at),
                   where == CF_IN_CLASS    ? "Attribute name has bad constant pool index %u in class file %s"
                   : where == CF_IN_FIELD  ? "Invalid field attribute index %u in class file %s"
                   : where == CF_IN_METHOD ? "Invalid method attribute name index %u in class file %s"
                   : where == CF_IN_CODE   ? "Invalid code attribute name index %u in class file %s"
                                           : "Invalid Record attribute name index %u in class file %s",
                   index, cf_msg_name(&b, c, NULL));
}

/* With what was read, also when it does not fit (then cut): out->data is NULL if there is nothing. */
static inline CfErrCode read_attr(const CfClass *c, CfReader *r, unsigned where, CfAttr *out, CfError *err) {
    unsigned name = cf_r_u2(r);
    uint32_t len = cf_r_u4(r);
    size_t left = cf_r_left(r);
    *out = (CfAttr){0};
    if (r->bad) return cf_fail(err, CF_ERR_FORMAT, cf_offset_of(c, r->end), "Truncated class file");
    if (cf_tag(c, name) != CF_CONST_UTF8) return bad_attr_name(c, name, where, r->p - 6, err);
    const uint8_t *data = cf_r_take(r, len);
    *out =
        (CfAttr){(uint16_t)name, (uint16_t)cf_kind_at(c, name, where), data ? len : (uint32_t)left, data ? data : r->end - left};
    return data ? CF_OK : cf_fail(err, CF_ERR_FORMAT, cf_offset_of(c, r->end), "Truncated class file");
}

CfErrCode cf_read_attr(const CfClass *c, CfReader *r, unsigned where, CfAttr *out, CfError *err) {
    return read_attr(c, r, where, out, err);
}

CfErrCode cf_read_attr_count(const CfClass *c, CfReader *r, unsigned *n, CfError *err) {
    *n = cf_r_u2(r);
    return r->bad ? cf_fail(err, CF_ERR_FORMAT, cf_offset_of(c, r->end), "Truncated class file") : CF_OK;
}

CfErrCode cf_read_attrs(const CfClass *c, CfReader *r, unsigned where, CfArena *arena, CfAttrs *out, CfError *err) {
    unsigned n;
    *out = (CfAttrs){0};
    CF_TRY(cf_read_attr_count(c, r, &n, err));
    CfAttr *v = NULL, one;
    unsigned room = n < cf_r_left(r) / 6 + 1 ? n : (unsigned)(cf_r_left(r) / 6 + 1); /* six bytes make one */
    if (arena && n) {
        v = cf_arena_alloc(arena, room * sizeof *v);
        if (!v) return cf_fail(err, CF_ERR_NOMEM, -1, "attributes");
    }
    out->v = v;
    out->cap = (uint16_t)(v ? room : 0);
    for (unsigned i = 0; i < n; i++) {
        CfErrCode rc = read_attr(c, r, where, &one, err);
        if (v && one.data) { /* an attribute that does not fit is kept cut, for cf_check_partial */
            v[i] = one;
            out->count = (uint16_t)(i + 1);
        }
        if (rc != CF_OK) return rc;
    }
    return CF_OK;
}

CfErrCode cf_read_member(const CfClass *c, const CfParseOptions *opt, CfReader *r, unsigned where, CfMember *m, CfProgress *done,
                         CfError *err) {
    CfMsgName b;
    size_t at = cf_r_pos(r);
    m->access = cf_r_u2(r);
    m->name = cf_r_u2(r);
    m->desc = cf_r_u2(r);
    m->attrs = (CfAttrs){0};
    if (r->bad) return cf_fail(err, CF_ERR_FORMAT, r->end - r->start, "Truncated class file");
    bool name_ok = cf_tag(c, m->name) == CF_CONST_UTF8;
    if (name_ok && cf_tag(c, m->desc) == CF_CONST_UTF8) return CF_OK;
    done->next_flags = true;
    done->next_name = name_ok;
    done->access = m->access;
    done->name_index = m->name;
    return cf_fail(err, CF_ERR_FORMAT, (int64_t)at + (name_ok ? 4 : 2), "%s constant pool index %u for %s %s in class file %s",
                   where == CF_IN_FIELD ? "Invalid" : "Illegal", name_ok ? m->desc : m->name,
                   where == CF_IN_FIELD ? "field" : "method", name_ok ? "signature" : "name", cf_msg_name(&b, c, opt));
}

static CfErrCode read_members(Parser *ps, unsigned where, uint16_t *count, uint32_t *cap, CfMember **out) {
    CfClass *c = ps->c;
    CfReader *r = &ps->r;
    unsigned n = cf_r_u2(r);
    const char *sort = where == CF_IN_FIELD ? "field" : "method";
    if (r->bad) return truncated(ps);
    size_t room = n < cf_r_left(r) / 8 + 1 ? n : cf_r_left(r) / 8 + 1; /* eight bytes make one */
    CfMember *v = cf_arena_alloc(c->arena, room * sizeof *v);
    if (!v) return cf_fail(ps->err, CF_ERR_NOMEM, -1, "%ss", sort);
    *out = v;
    *cap = (uint32_t)room;
    for (unsigned i = 0; i < n; i++) {
        CfMember *m = &v[i];
        m->index = (uint16_t)i;
        CF_TRY(cf_read_member(c, ps->opt, r, where, m, &ps->done, ps->err));
        *count = (uint16_t)(i + 1);
        CfErrCode rc = cf_read_attrs(c, r, where, c->arena, &m->attrs, ps->err);
        if (rc != CF_OK) {
            cf_fail_where(ps->err, "%s %.*s", sort, CF_STR_ARGS(cf_utf8(c, m->name)));
            ps->done.partial = true;
            return rc;
        }
    }
    return CF_OK;
}

CfErrCode cf_read_end(const CfClass *c, const CfParseOptions *opt, const CfReader *r, CfError *err) {
    CfMsgName b;
    if (cf_r_left(r) == 0) return CF_OK;
    return cf_fail(err, CF_ERR_FORMAT, (int64_t)cf_r_pos(r), "Extra bytes at the end of class file %s", cf_msg_name(&b, c, opt));
}

/* ------------------------------------------------------------------------ the whole */

static CfErrCode parse(Parser *ps) {
    CfClass *c = ps->c;
    CfReader *r = &ps->r;
    uint32_t magic = cf_r_u4(r);
    if (r->bad || cf_r_left(r) < 4) return truncated(ps); /* no version */
    if (magic != 0xCAFEBABE) return BAD_CLASS(ps, 0, "Incompatible magic value %u", magic);
    c->minor = cf_r_u2(r);
    c->major = cf_r_u2(r);
    CF_TRY(check_version(ps));
    CF_TRY(read_pool(ps));
    ps->done.pool = true;
    CF_TRY(read_header(ps));
    ps->done.header = true;
    if (ps->header_only) return CF_OK;
    CF_TRY(read_members(ps, CF_IN_FIELD, &c->field_count, &c->field_cap, &c->fields));
    ps->done.fields = true;
    CF_TRY(read_members(ps, CF_IN_METHOD, &c->method_count, &c->method_cap, &c->methods));
    ps->done.methods = true;
    CF_TRY(cf_read_attrs(c, r, CF_IN_CLASS, c->arena, &c->attrs, ps->err));
    CF_TRY(cf_read_end(c, ps->opt, r, ps->err));
    ps->done.attrs = true;
    return CF_OK;
}

/* The order of errors is that of the reference, which checks a part as soon as it is read: when
 * reading fails, what was read before may hold an earlier error, and that one is reported. */
static CfErrCode parse_and_check(Parser *ps) {
    CfErrCode rc = parse(ps);
    bool earlier_counts = rc == CF_ERR_FORMAT || rc == CF_ERR_NO_CLASS;
    if (!ps->format || (rc != CF_OK && (!earlier_counts || !ps->done.pool))) return rc;
    if (rc == CF_OK) return cf_check_partial(ps->c, ps->opt, &ps->done, ps->err);
    CfError first;
    cf_err_clear(&first);
    CfErrCode earlier = cf_check_partial(ps->c, ps->opt, &ps->done, &first);
    if (earlier == CF_OK) return rc;
    if (ps->err) *ps->err = first;
    return earlier;
}

static CfErrCode parse_some(CfClass **out, const uint8_t *bytes, size_t size, CfArena *arena, const CfParseOptions *opt,
                            bool header_only, CfError *err) {
    *out = NULL;
    if (size > INT32_MAX) return cf_fail(err, CF_ERR_LIMIT, -1, "class file of more than 2 GiB");
    CfClass *c = CF_NEW(arena, CfClass);
    if (!c) return cf_fail(err, CF_ERR_NOMEM, -1, "class model");
    c->bytes = bytes;
    c->size = size;
    c->arena = arena;
    Parser ps = {.c = c, .r = cf_reader(bytes, size), .opt = opt, .err = err};
    ps.format = opt && opt->check == CF_CHECK_FORMAT;
    ps.header_only = header_only;
    CF_TRY(parse_and_check(&ps));
    *out = c;
    return CF_OK;
}

CfErrCode cf_parse(CfClass **out, const uint8_t *bytes, size_t size, CfArena *arena, const CfParseOptions *opt, CfError *err) {
    return parse_some(out, bytes, size, arena, opt, false, err);
}

CfErrCode cf_parse_header(CfClass **out, const uint8_t *bytes, size_t size, CfArena *arena, const CfParseOptions *opt,
                          CfError *err) {
    return parse_some(out, bytes, size, arena, opt, true, err);
}
