/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_check.c - FORMAT checks: pool, class header, members (JVMS 4.1-4.6, 4.8). Attributes:
 * cf_check_attr.c.
 *
 * Works on a model that passed the STRUCT checks of cf_reader.c and repeats none of them.
 * README.md maps sections of chapter 4 to functions. Where the reference is laxer than the JVMS,
 * so are we (real class files depend on it); where it is stricter, so are we.
 */
#include "cf_int.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------ names and descriptors */

static CfErrCode bad_signature(CfChecker *ck, const char *sort, CfStr name, CfStr desc) {
    const char *problem = cf_desc_problem(desc);
    if (problem) return CF_BAD(ck, desc.p, "%s", problem);
    return CF_REFUSE(ck, desc.p, "%s \"%.*s\" in class %s has illegal signature \"%.*s\"", sort, CF_STR_ARGS(name), ck->name,
                     CF_STR_ARGS(desc));
}

/* The same few names and descriptors come again and again: in the pool, in members, in tables of
 * local variables. */
enum { FINE_FIELD_NAME = 1, FINE_METHOD_NAME = 2, FINE_FIELD_DESC = 4, FINE_METHOD_DESC = 8 };

static bool is_fine(const CfChecker *ck, unsigned index, unsigned as) {
    return ck->fine && index < ck->c->const_count && (ck->fine[index] & as);
}
static bool note_fine(CfChecker *ck, unsigned index, unsigned as, bool yes) {
    if (yes && ck->fine && index < ck->c->const_count) ck->fine[index] |= (uint8_t)as;
    return yes;
}

CfErrCode cf_check_field_sig(CfChecker *ck, unsigned name, unsigned desc) {
    if (is_fine(ck, desc, FINE_FIELD_DESC)) return CF_OK;
    if (note_fine(ck, desc, FINE_FIELD_DESC, cf_field_desc_valid(cf_utf8(ck->c, desc)))) return CF_OK;
    return bad_signature(ck, "Field", cf_utf8(ck->c, name), cf_utf8(ck->c, desc));
}

/* Names that begin with < are special methods: they return void, and since 51 <clinit> takes
 * nothing. */
static CfErrCode check_method_sig(CfChecker *ck, CfStr name, unsigned index) {
    CfStr desc = cf_utf8(ck->c, index);
    bool special = name.len && name.p[0] == '<';
    /* The limit of 255 slots is no matter of form: check_method has it, with its own message. */
    bool form = is_fine(ck, index, FINE_METHOD_DESC) || note_fine(ck, index, FINE_METHOD_DESC, cf_method_desc_form(desc));
    if (!form || (special && desc.p[desc.len - 1] != 'V') || (ck->major >= 51 && cf_str_is(name, "<clinit>") && desc.p[1] != ')'))
        return bad_signature(ck, "Method", name, desc);
    return CF_OK;
}

CfErrCode cf_check_field_name(CfChecker *ck, unsigned index) {
    CfStr name = cf_utf8(ck->c, index);
    if (is_fine(ck, index, FINE_FIELD_NAME)) return CF_OK;
    if (note_fine(ck, index, FINE_FIELD_NAME, cf_member_name_valid(name, false, ck->major))) return CF_OK;
    return CF_REFUSE(ck, name.p, "Illegal field name \"%.*s\" in class %s", CF_STR_ARGS(name), ck->name);
}

static CfErrCode check_method_name(CfChecker *ck, unsigned index) {
    CfStr name = cf_utf8(ck->c, index);
    if (is_fine(ck, index, FINE_METHOD_NAME)) return CF_OK;
    if (note_fine(ck, index, FINE_METHOD_NAME, cf_member_name_valid(name, true, ck->major))) return CF_OK;
    return CF_REFUSE(ck, name.p, "Illegal method name \"%.*s\" in class %s", CF_STR_ARGS(name), ck->name);
}

/* ------------------------------------------------------------------------ pool (4.4, 4.9.1) */

static bool is_method_desc(CfStr d) { return d.len && d.p[0] == '('; }

static CfErrCode check_name_and_type(CfChecker *ck, const CfConst *k) {
    CfStr name = cf_utf8(ck->c, k->a), desc = cf_utf8(ck->c, k->b);
    if (desc.len == 0 || name.len == 0)
        return CF_REFUSE(ck, ck->c->bytes + k->offset, "Illegal zero length constant pool entry at %d in class %s",
                         desc.len == 0 ? k->b : k->a, ck->name);
    if (is_method_desc(desc)) {
        CF_TRY(check_method_name(ck, k->a));
        return check_method_sig(ck, name, k->b);
    }
    CF_TRY(cf_check_field_name(ck, k->a));
    return cf_check_field_sig(ck, k->a, k->b);
}

/* What sort of descriptor a reference must have; 4.4.2: <init> is the only name with < in a
 * Methodref. */
static CfErrCode check_reference(CfChecker *ck, unsigned index, const CfConst *k) {
    const CfClass *c = ck->c;
    CfStr name, desc;
    cf_name_and_type(c, index, &name, &desc);
    bool field = k->tag == CF_CONST_FIELDREF || k->tag == CF_CONST_DYNAMIC;
    if (field == is_method_desc(desc))
        return bad_signature(ck, k->tag == CF_CONST_DYNAMIC ? "CONSTANT_Dynamic" : field ? "Field" : "Method", name, desc);
    if (k->tag == CF_CONST_METHODREF && name.len && name.p[0] == '<' && !cf_str_is(name, "<init>"))
        return CF_BAD(ck, ck->c->bytes + k->offset, "Bad method name at constant pool index %u", cf_const(c, k->b)->a);
    if ((k->tag == CF_CONST_DYNAMIC || k->tag == CF_CONST_INVOKEDYNAMIC) && k->a > ck->max_bootstrap) ck->max_bootstrap = k->a;
    return CF_OK;
}

static CfErrCode check_method_handle(CfChecker *ck, const CfConst *k) {
    CfStr owner, name, desc;
    if (k->kind < CF_REF_INVOKEVIRTUAL || k->kind == CF_REF_INVOKEINTERFACE) return CF_OK; /* the latter as the reference */
    cf_member_ref(ck->c, k->a, &owner, &name, &desc);
    bool is_init = cf_str_is(name, "<init>");
    if (k->kind == CF_REF_NEWINVOKESPECIAL ? is_init : !is_init) return CF_OK;
    const uint8_t *at = ck->c->bytes + k->offset;
    unsigned index = cf_const(ck->c, cf_const(ck->c, k->a)->b)->a;
    return is_init ? CF_BAD(ck, at, "Bad method name at constant pool index %u", index)
                   : CF_BAD(ck, at, "Bad constructor name at constant pool index %u", index);
}

static CfErrCode check_const(CfChecker *ck, unsigned i, const CfConst *k) {
    const CfClass *c = ck->c;
    CfStr s;
    switch (k->tag) {
    case CF_CONST_CLASS:
        s = cf_utf8(c, k->a);
        if (s.len && s.p[0] == '[' && !cf_field_desc_valid(s) && cf_desc_problem(s))
            return CF_BAD(ck, ck->c->bytes + k->offset, "%s", cf_desc_problem(s));
        if (!cf_class_name_valid(s, ck->major))
            return CF_BAD(ck, ck->c->bytes + k->offset, "Illegal class name \"%.*s\"", CF_STR_ARGS(s));
        return CF_OK;
    case CF_CONST_NAMEANDTYPE: return check_name_and_type(ck, k);
    case CF_CONST_FIELDREF:
    case CF_CONST_METHODREF:
    case CF_CONST_INTERFACEMETHODREF:
    case CF_CONST_DYNAMIC:
    case CF_CONST_INVOKEDYNAMIC: return check_reference(ck, i, k);
    case CF_CONST_METHODHANDLE: return check_method_handle(ck, k);
    case CF_CONST_METHODTYPE:
        s = cf_utf8(c, k->a);
        return is_method_desc(s) ? check_method_sig(ck, CF_STR("type"), k->a) : bad_signature(ck, "Method", CF_STR("type"), s);
    default: return CF_OK;
    }
}

/* Strings first: the other checks look into them. */
static CfErrCode check_strings(CfChecker *ck) {
    const CfClass *c = ck->c;
    for (uint32_t i = 1; i < c->const_count; i++)
        if (c->consts[i].tag == CF_CONST_UTF8 && !cf_mutf8_valid(c->consts[i].utf8, c->consts[i].len))
            return CF_BAD(ck, c->bytes + c->consts[i].offset, "Illegal UTF8 string in constant pool");
    return CF_OK;
}

static CfErrCode check_pool(CfChecker *ck) {
    const CfClass *c = ck->c;
    for (uint32_t i = 1; i < c->const_count; i++) {
        CfErrCode rc = check_const(ck, i, &c->consts[i]);
        if (rc != CF_OK) return cf_fail_where(ck->err, "constant pool entry %u", i), rc;
    }
    return CF_OK;
}

/* ------------------------------------------------------------------------ class header (4.1) */

enum {
    CLASS_FLAGS = CF_ACC_PUBLIC | CF_ACC_FINAL | CF_ACC_SUPER | CF_ACC_INTERFACE | CF_ACC_ABSTRACT | CF_ACC_SYNTHETIC |
                  CF_ACC_ANNOTATION | CF_ACC_ENUM
};

CfErrCode cf_check_class_flags(CfChecker *ck, unsigned f) {
    bool since_5 = ck->major >= 49;
    if ((f & CF_ACC_MODULE) && ck->major >= 53)
        return cf_fail(ck->err, CF_ERR_NO_CLASS, ck->c->pool_end, "%s is not a class because access_flag ACC_MODULE is set",
                       ck->name);
    f &= ~(unsigned)CF_ACC_MODULE;
    bool interface = f & CF_ACC_INTERFACE;
    if (interface && ck->major < 50) f |= CF_ACC_ABSTRACT; /* old compilers left it out */
    bool bad = ((f & CF_ACC_ABSTRACT) && (f & CF_ACC_FINAL)) || (interface && !(f & CF_ACC_ABSTRACT)) ||
               (interface && since_5 && (f & (CF_ACC_SUPER | CF_ACC_ENUM))) || (!interface && since_5 && (f & CF_ACC_ANNOTATION));
    if (bad) return CF_REFUSE(ck, ck->c->bytes + ck->c->pool_end, "Illegal class modifiers in class %s: 0x%X", ck->name, f);
    return CF_OK;
}

/* Indices of items already seen, by hash of their text; linear probing in a table of twice the
 * size. */
typedef struct SeenSet {
    uint16_t *slots;
    uint32_t mask;
    uint16_t small[64];
} SeenSet;

static bool seen_init(SeenSet *s, unsigned n) {
    uint32_t cap = 64;
    while (cap < 2 * n) cap *= 2;
    s->mask = cap - 1;
    s->slots = cap == 64 ? memset(s->small, 0, sizeof s->small) : calloc(cap, sizeof *s->slots);
    return s->slots != NULL;
}
static void seen_free(SeenSet *s) {
    if (s->slots != s->small) free(s->slots);
}

static CfErrCode check_interfaces(CfChecker *ck) {
    const CfClass *c = ck->c;
    SeenSet s;
    CfErrCode rc = CF_OK;
    if (!seen_init(&s, c->interface_count)) return cf_fail(ck->err, CF_ERR_NOMEM, -1, "interfaces");
    for (unsigned i = 0; i < c->interface_count && rc == CF_OK; i++) {
        CfStr n = cf_class_name(c, c->interfaces[i]);
        if (n.p[0] == '[') {
            rc = CF_BAD(ck, c->bytes + c->pool_end, "Bad interface name");
            break;
        }
        uint32_t h = cf_hash_bytes(n.p, n.len) & s.mask;
        for (; s.slots[h]; h = (h + 1) & s.mask)
            if (cf_str_eq(cf_class_name(c, c->interfaces[s.slots[h] - 1]), n)) {
                rc = CF_BAD(ck, c->bytes + c->pool_end, "Duplicate interface name \"%.*s\"", CF_STR_ARGS(n));
                break;
            }
        s.slots[h] = (uint16_t)(i + 1);
    }
    seen_free(&s);
    return rc;
}

static CfErrCode check_class_name(CfChecker *ck) {
    const CfClass *c = ck->c;
    CF_TRY(cf_check_class_flags(ck, c->access & (CLASS_FLAGS | CF_ACC_MODULE)));
    if (c->name.p[0] == '[') return CF_BAD(ck, c->bytes + c->pool_end + 2, "Bad class name");
    return CF_OK;
}

static CfErrCode check_header(CfChecker *ck) {
    const CfClass *c = ck->c;
    CfStr super = cf_class_name(c, c->super_class);
    if (super.len && super.p[0] == '[') return CF_BAD(ck, c->bytes + c->pool_end + 4, "Bad superclass name");
    if (!super.p && c->interface_count)
        return CF_BAD(ck, c->bytes + c->pool_end + 6, "java.lang.Object cannot implement an interface");
    if ((c->access & CF_ACC_INTERFACE) && !cf_str_is(super, "java/lang/Object"))
        return CF_BAD(ck, c->bytes + c->pool_end + 4, "Interfaces must have java.lang.Object as superclass");
    return check_interfaces(ck);
}

/* ------------------------------------------------------------------------ members (4.5, 4.6) */

static bool several_visibilities(unsigned f) {
    unsigned v = f & (CF_ACC_PUBLIC | CF_ACC_PRIVATE | CF_ACC_PROTECTED);
    return (v & (v - 1)) != 0;
}

enum {
    FIELD_FLAGS = CF_ACC_PUBLIC | CF_ACC_PRIVATE | CF_ACC_PROTECTED | CF_ACC_STATIC | CF_ACC_FINAL | CF_ACC_VOLATILE |
                  CF_ACC_TRANSIENT | CF_ACC_ENUM | CF_ACC_SYNTHETIC,
    METHOD_FLAGS = CF_ACC_PUBLIC | CF_ACC_PRIVATE | CF_ACC_PROTECTED | CF_ACC_STATIC | CF_ACC_FINAL | CF_ACC_SYNCHRONIZED |
                   CF_ACC_BRIDGE | CF_ACC_VARARGS | CF_ACC_NATIVE | CF_ACC_ABSTRACT | CF_ACC_STRICT | CF_ACC_SYNTHETIC
};

static CfErrCode check_field_flags(CfChecker *ck, unsigned access) {
    unsigned f = access & FIELD_FLAGS;
    bool bad;
    if (ck->c->access & CF_ACC_INTERFACE) {
        unsigned need = CF_ACC_PUBLIC | CF_ACC_STATIC | CF_ACC_FINAL;
        unsigned deny = CF_ACC_PRIVATE | CF_ACC_PROTECTED | CF_ACC_VOLATILE | CF_ACC_TRANSIENT;
        bad = (f & need) != need || (f & deny) || (ck->major >= 49 && (f & CF_ACC_ENUM));
    } else {
        bad = several_visibilities(f) || ((f & CF_ACC_FINAL) && (f & CF_ACC_VOLATILE));
    }
    return bad ? CF_REFUSE(ck, NULL, "Illegal field modifiers in class %s: 0x%X", ck->name, f) : CF_OK;
}

static bool interface_method_flags_bad(unsigned f, unsigned major) {
    bool abstract = f & CF_ACC_ABSTRACT;
    if (major >= 52)
        return !(f & CF_ACC_PUBLIC) == !(f & CF_ACC_PRIVATE) ||
               (f & (CF_ACC_NATIVE | CF_ACC_PROTECTED | CF_ACC_FINAL | CF_ACC_SYNCHRONIZED)) ||
               (abstract && ((f & (CF_ACC_PRIVATE | CF_ACC_STATIC)) || (major < 61 && (f & CF_ACC_STRICT))));
    unsigned deny = CF_ACC_STATIC | CF_ACC_FINAL | CF_ACC_NATIVE;
    if (major >= 49) deny |= CF_ACC_PRIVATE | CF_ACC_PROTECTED | CF_ACC_SYNCHRONIZED | CF_ACC_STRICT;
    return !(f & CF_ACC_PUBLIC) || !abstract || (f & deny);
}

static bool class_method_flags_bad(unsigned f, unsigned major, bool is_init) {
    if (several_visibilities(f)) return true;
    if (is_init)
        return (f & (CF_ACC_STATIC | CF_ACC_FINAL | CF_ACC_SYNCHRONIZED | CF_ACC_NATIVE | CF_ACC_ABSTRACT)) ||
               (major >= 49 && (f & CF_ACC_BRIDGE));
    if (!(f & CF_ACC_ABSTRACT)) return false;
    return (f & (CF_ACC_FINAL | CF_ACC_NATIVE | CF_ACC_PRIVATE | CF_ACC_STATIC)) ||
           (major >= 49 && ((f & CF_ACC_SYNCHRONIZED) || (major < 61 && (f & CF_ACC_STRICT))));
}

static CfErrCode check_method_flags(CfChecker *ck, const CfMember *m, CfStr name) {
    unsigned f = m->access & METHOD_FLAGS;
    bool interface = ck->c->access & CF_ACC_INTERFACE, is_init = cf_str_is(name, "<init>");
    if (cf_str_is(name, "<clinit>")) { /* other flags are ignored; before 51 all are */
        if (ck->major >= 51 && !(f & CF_ACC_STATIC)) return CF_BAD(ck, NULL, "Method <clinit> is not static");
        return CF_OK;
    }
    if (interface ? interface_method_flags_bad(f, ck->major) : class_method_flags_bad(f, ck->major, is_init))
        return CF_REFUSE(ck, NULL, "Method %.*s in class %s has illegal modifiers: 0x%X", CF_STR_ARGS(name), ck->name, m->access);
    if (interface && is_init) return CF_REFUSE(ck, NULL, "Interface cannot have a method named <init>, class file %s", ck->name);
    return CF_OK;
}

static CfErrCode check_field(CfChecker *ck, const CfMember *m) {
    CF_TRY(check_field_flags(ck, m->access));
    CF_TRY(cf_check_field_name(ck, m->name));
    CF_TRY(cf_check_field_sig(ck, m->name, m->desc));
    return cf_check_field_attrs(ck, m);
}

static CfErrCode check_method(CfChecker *ck, const CfMember *m) {
    CfStr name = cf_utf8(ck->c, m->name), desc = cf_utf8(ck->c, m->desc);
    CF_TRY(check_method_name(ck, m->name));
    if (!is_method_desc(desc)) return bad_signature(ck, "Method", name, desc);
    CF_TRY(check_method_sig(ck, name, m->desc));
    CF_TRY(check_method_flags(ck, m, name));
    /* <clinit> of old files counts as static whatever its flags. */
    bool is_static = (m->access & CF_ACC_STATIC) || cf_str_is(name, "<clinit>");
    ck->arg_slots = cf_desc_arg_slots(desc, NULL) + !is_static;
    if (ck->arg_slots > 255) return CF_BAD(ck, NULL, "Too many arguments in method signature");
    return cf_check_method_attrs(ck, m);
}

static uint32_t member_hash(const CfClass *c, const CfMember *m) {
    const CfConst *n = cf_const(c, m->name), *d = cf_const(c, m->desc);
    return cf_hash_bytes(n->utf8, n->len) * 31 + cf_hash_bytes(d->utf8, d->len);
}

static CfErrCode check_unique(CfChecker *ck, const char *sort, const CfMember *v, unsigned n) {
    const CfClass *c = ck->c;
    SeenSet s;
    CfErrCode rc = CF_OK;
    if (n < 2) return CF_OK;
    if (!seen_init(&s, n)) return cf_fail(ck->err, CF_ERR_NOMEM, -1, "%ss", sort);
    for (unsigned i = 0; i < n && rc == CF_OK; i++) {
        uint32_t h = member_hash(c, &v[i]) & s.mask;
        for (; s.slots[h]; h = (h + 1) & s.mask) {
            const CfMember *o = &v[s.slots[h] - 1];
            if (cf_str_eq(cf_utf8(c, o->name), cf_utf8(c, v[i].name)) && cf_str_eq(cf_utf8(c, o->desc), cf_utf8(c, v[i].desc))) {
                rc = CF_BAD(ck, NULL, "Duplicate %s name \"%.*s\" with signature \"%.*s\"", sort,
                            CF_STR_ARGS(cf_utf8(c, o->name)), CF_STR_ARGS(cf_utf8(c, o->desc)));
                break;
            }
        }
        s.slots[h] = (uint16_t)(i + 1);
    }
    seen_free(&s);
    return rc;
}

static CfErrCode check_members(CfChecker *ck, const CfProgress *done) {
    const CfClass *c = ck->c;
    for (unsigned i = 0; i < c->field_count; i++) {
        ck->partial = !done->fields && done->partial && i + 1 == c->field_count;
        CfErrCode rc = check_field(ck, &c->fields[i]);
        if (rc != CF_OK) return cf_fail_where(ck->err, "field %.*s", CF_STR_ARGS(cf_utf8(c, c->fields[i].name))), rc;
    }
    if (!done->fields) { /* the next one may have been read in part */
        if (done->next_flags) CF_TRY(check_field_flags(ck, done->access));
        return done->next_name ? cf_check_field_name(ck, done->name_index) : CF_OK;
    }
    CF_TRY(check_unique(ck, "field", c->fields, c->field_count));
    for (unsigned i = 0; i < c->method_count; i++) {
        ck->partial = !done->methods && done->partial && i + 1 == c->method_count;
        CfErrCode rc = check_method(ck, &c->methods[i]);
        if (rc != CF_OK)
            return cf_fail_where(ck->err, "method %.*s%.*s", CF_STR_ARGS(cf_utf8(c, c->methods[i].name)),
                                 CF_STR_ARGS(cf_utf8(c, c->methods[i].desc))),
                   rc;
    }
    if (done->methods) return check_unique(ck, "method", c->methods, c->method_count);
    return done->next_name ? check_method_name(ck, done->name_index) : CF_OK;
}

static CfErrCode check_in_order(CfChecker *ck, const CfParseOptions *opt, const CfProgress *done) {
    CF_TRY(check_pool(ck));
    ck->name = cf_msg_name(&ck->buf, ck->c, opt);
    if (!done->name) return CF_OK;
    CF_TRY(check_class_name(ck));
    if (!done->header) return CF_OK;
    CF_TRY(check_header(ck));
    CF_TRY(check_members(ck, done));
    return done->methods ? cf_check_class_attrs(ck, done->attrs) : CF_OK;
}

CfErrCode cf_check_partial(const CfClass *c, const CfParseOptions *opt, const CfProgress *done, CfError *err) {
    CfChecker ck = {.c = c, .err = err, .major = c->major, .max_bootstrap = -1};
    ck.name = opt && opt->name ? opt->name : "<Unknown>"; /* the name is not known before the header is read */
    ck.fine = calloc(c->const_count, 1);
    cf_arena_init(&ck.scratch, "check", 2048);
    CfErrCode rc = check_in_order(&ck, opt, done);
    cf_arena_free(&ck.scratch);
    cf_vec_free(&ck.vars);
    cf_vec_free(&ck.var_types);
    free(ck.fine);
    return rc;
}

CfErrCode cf_check(const CfClass *c, const CfParseOptions *opt, CfError *err) {
    static const CfProgress whole = {.pool = true, .name = true, .header = true, .fields = true, .methods = true, .attrs = true};
    CfChecker ck = {.c = c, .err = err};
    ck.name = cf_msg_name(&ck.buf, c, opt);
    CF_TRY(check_strings(&ck));
    return cf_check_partial(c, opt, &whole, err);
}
