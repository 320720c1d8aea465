/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cf_check_attr.c - FORMAT checks of attributes (JVMS 4.7, 4.7.3 incl. 4.9.1's exception table,
 * 4.7.x).
 *
 * Annotations, type annotations, what is in MethodParameters (its length is), Module attributes and
 * StackMapTable contents are NOT checked here: the first four never make a class fail, the last belongs to the
 * verifier. An attribute counts only at its place and from its version on (attributes.def); else
 * it is unknown and free of rules.
 */
#include "cf_int.h"

#include <stdlib.h>

/* Kinds that may repeat have one = 0 in attributes.def. `in` names the place in the message; the
 * reference leaves it out for some kinds. `ignore`: a kind that does not count here. */
static CfErrCode check_once(CfChecker *ck, const CfAttrs *as, const char *in, CfAttrKind ignore) {
    uint64_t seen = 0;
    _Static_assert(CF_ATTR_KINDS <= 64, "one bit per kind");
    for (unsigned i = 0; i < as->count; i++) {
        unsigned k = as->v[i].kind;
        if (k == CF_ATTR_UNKNOWN || k == ignore || !cf_attr_info[k].one) continue;
        if (k == CF_ATTR_EXCEPTIONS || k == CF_ATTR_METHOD_PARAMETERS) in = "";
        if (seen >> k & 1) return CF_BAD(ck, as->v[i].data, "Multiple %s attributes%s", cf_attr_info[k].name, in);
        seen |= (uint64_t)1 << k;
    }
    return CF_OK;
}

/* The length an attribute claims: more than it has when the file breaks off inside. */
static uint32_t claimed_len(const CfChecker *ck, const CfAttr *a) {
    return ck->partial && cf_offset_of(ck->c, a->data) >= 4 ? cf_get_u4(a->data - 4) : a->len;
}

/* A table of rows behind a u2 count: the reference looks at its length only when it has read it,
 * so what reaches beyond the end of the file is told first. */
static CfErrCode check_room(CfChecker *ck, const CfAttr *a, size_t row) {
    int64_t at = cf_offset_of(ck->c, a->data); /* negative: not part of a file */
    if (at < 0) return CF_OK;
    size_t left = ck->c->size - (size_t)at;
    if (left >= 2 && left - 2 >= row * cf_get_u2(a->data)) return CF_OK;
    return CF_REFUSE(ck, a->data, "Truncated class file");
}

/* Synthetic and Deprecated are empty (4.7.8, 4.7.15). */
static CfErrCode check_empty(CfChecker *ck, const CfAttr *a, const char *sort) {
    if (claimed_len(ck, a) == 0) return CF_OK;
    return CF_BAD(ck, a->data, "Invalid %s %s attribute length %u", cf_attr_info[a->kind].name, sort, claimed_len(ck, a));
}

static bool is_utf8(const CfChecker *ck, unsigned i) { return cf_tag(ck->c, i) == CF_CONST_UTF8; }
static bool is_class(const CfChecker *ck, unsigned i) { return cf_tag(ck->c, i) == CF_CONST_CLASS; }

/* Signature (4.7.9): form of the string is nobody's business at definition. */
static CfErrCode check_signature(CfChecker *ck, const CfAttr *a, const char *len_fmt) {
    if (claimed_len(ck, a) != 2) return CF_BAD(ck, a->data, "%s Signature attribute length %u", len_fmt, claimed_len(ck, a));
    if (a->len < 2) return CF_OK; /* cut off: the reader's error counts */
    if (!is_utf8(ck, cf_attr_index(a)))
        return CF_BAD(ck, a->data, "Invalid Signature attribute at constant pool index %u", cf_attr_index(a));
    return CF_OK;
}

/* ------------------------------------------------------------------------ fields */

static CfErrCode check_constant_value(CfChecker *ck, const CfMember *f, const CfAttr *a) {
    const CfClass *c = ck->c;
    if (claimed_len(ck, a) != 2)
        return CF_BAD(ck, a->data, "Invalid ConstantValue field attribute length %u", claimed_len(ck, a));
    if (a->len < 2) return CF_OK;
    unsigned index = cf_attr_index(a), tag = cf_tag(c, index), want;
    if (index == 0 || index >= c->const_count)
        return CF_BAD(ck, a->data, "Bad initial value index %u in ConstantValue attribute", index);
    CfStr desc = cf_utf8(c, f->desc);
    switch (cf_kind_letter(desc.p[0])) {
    case 'I': want = CF_CONST_INTEGER; break;
    case 'J': want = CF_CONST_LONG; break;
    case 'F': want = CF_CONST_FLOAT; break;
    case 'D': want = CF_CONST_DOUBLE; break;
    default:
        if (desc.p[0] != 'L') return CF_BAD(ck, a->data, "Unable to set initial value %u", index);
        return tag == CF_CONST_STRING && cf_str_is(desc, "Ljava/lang/String;") ? CF_OK
                                                                               : CF_BAD(ck, a->data, "Bad string initial value");
    }
    return tag == want ? CF_OK : CF_BAD(ck, a->data, "Inconsistent constant value type");
}

CfErrCode cf_check_field_attrs(CfChecker *ck, const CfMember *f) {
    bool constant_seen = false;
    if (f->attrs.count == 0) return CF_OK;
    for (unsigned i = 0; i < f->attrs.count; i++) {
        const CfAttr *a = &f->attrs.v[i];
        switch (a->kind) {
        case CF_ATTR_CONSTANT_VALUE: /* ignored on instance fields (4.7.2) */
            if (!(f->access & CF_ACC_STATIC)) break;
            if (constant_seen) return CF_BAD(ck, a->data, "Duplicate ConstantValue attribute");
            constant_seen = true;
            CF_TRY(check_constant_value(ck, f, a));
            break;
        case CF_ATTR_SYNTHETIC:
        case CF_ATTR_DEPRECATED: CF_TRY(check_empty(ck, a, "field")); break;
        case CF_ATTR_SIGNATURE:
            if (claimed_len(ck, a) != 2)
                return CF_BAD(ck, a->data, "Wrong size %u for field's Signature attribute", claimed_len(ck, a));
            CF_TRY(check_signature(ck, a, ""));
            break;
        }
    }
    return check_once(ck, &f->attrs, " for field", CF_ATTR_CONSTANT_VALUE);
}

/* ------------------------------------------------------------------------ Code */

static CfErrCode check_handlers(CfChecker *ck, const CfCode *code) {
    for (unsigned i = 0; i < code->handlers.count; i++) {
        CfHandler h = cf_handler(&code->handlers, i);
        const uint8_t *at = code->handlers.p + 8 * i;
        if (h.start >= h.end || h.end > code->code_len) return CF_BAD(ck, at, "Illegal exception table range");
        if (h.handler >= code->code_len) return CF_BAD(ck, at, "Illegal exception table handler");
        if (h.type && !is_class(ck, h.type)) return CF_BAD(ck, at, "Catch type in exception table has bad constant type");
    }
    return CF_OK;
}

static CfErrCode check_lines(CfChecker *ck, const CfCode *code, const CfAttr *a) {
    CfRows t;
    if (cf_lines(a, &t, NULL) != CF_OK) return CF_BAD(ck, a->data, "LineNumberTable attribute has wrong length");
    for (unsigned i = 0; i < t.count; i++) {
        uint16_t pc, line;
        cf_line(&t, i, &pc, &line);
        if (pc >= code->code_len) return CF_BAD(ck, t.p + 4 * i, "Invalid pc in LineNumberTable");
    }
    return CF_OK;
}

static CfErrCode check_local_var(CfChecker *ck, const CfCode *code, const CfAttr *a, const CfLocalVar *v) {
    const char *table = cf_attr_info[a->kind].name;
    bool types = a->kind == CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE;
    if (v->start >= code->code_len) return CF_BAD(ck, a->data, "Invalid start_pc %u in %s", v->start, table);
    if ((uint32_t)v->start + v->length > code->code_len) return CF_BAD(ck, a->data, "Invalid length %u in %s", v->length, table);
    if (!is_utf8(ck, v->name)) return CF_BAD(ck, a->data, "Name index %u in %s has bad constant type", v->name, table);
    if (!is_utf8(ck, v->desc)) return CF_BAD(ck, a->data, "Signature index %u in %s has bad constant type", v->desc, table);
    CF_TRY(cf_check_field_name(ck, v->name));
    unsigned slots = 1;
    if (!types) {
        CF_TRY(cf_check_field_sig(ck, v->name, v->desc));
        slots = cf_desc_slots(cf_utf8(ck->c, v->desc));
    }
    if ((uint32_t)v->slot + slots > code->max_locals) return CF_BAD(ck, a->data, "Invalid index %u in %s", v->slot, table);
    return CF_OK;
}

static int order_vars(const void *x, const void *y) {
    const CfLocalVar *a = x, *b = y;
    int d = (int)a->start - b->start;
    d = d ? d : (int)a->length - b->length;
    d = d ? d : (int)a->name - b->name;
    return d ? d : (int)a->slot - b->slot;
}

/* Rows of all tables of one kind, to find repeated rows and type rows without a variable row
 * (4.7.13, 4.7.14). */
static CfErrCode collect_vars(CfChecker *ck, const CfCode *code, CfAttrKind kind) {
    bool types = kind == CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE;
    for (unsigned i = 0; i < code->attrs.count; i++) {
        const CfAttr *a = &code->attrs.v[i];
        CfRows t;
        if (a->kind != kind) continue;
        if (cf_local_vars(a, &t, NULL) != CF_OK) return CF_BAD(ck, a->data, "%s has wrong length", cf_attr_info[kind].name);
        for (unsigned k = 0; k < t.count; k++) {
            CfLocalVar v = cf_local_var(&t, k);
            CF_TRY(check_local_var(ck, code, a, &v));
            if (!(types ? cf_vec_push(&ck->var_types, v) : cf_vec_push(&ck->vars, v)))
                return cf_fail(ck->err, CF_ERR_NOMEM, -1, "local variables");
        }
    }
    return CF_OK;
}

static bool few_and_different(const CfLocalVar *v, unsigned n) {
    if (n > 8) return false;
    for (unsigned i = 1; i < n; i++)
        for (unsigned k = 0; k < i; k++)
            if (order_vars(&v[i], &v[k]) == 0) return false;
    return true;
}

/* Sorts, and refuses equal rows. */
static CfErrCode check_repeated_vars(CfChecker *ck, CfAttrKind kind, CfLocalVar *v, unsigned n) {
    if (n > 1) qsort(v, n, sizeof *v, order_vars);
    for (unsigned k = 1; k < n; k++)
        if (order_vars(&v[k - 1], &v[k]) == 0)
            return CF_BAD(ck, NULL, "Duplicated %s attribute entry for '%.*s'", cf_attr_info[kind].name,
                          CF_STR_ARGS(cf_utf8(ck->c, v[k].name)));
    return CF_OK;
}

static CfErrCode check_local_vars(CfChecker *ck, const CfCode *code) {
    ck->vars.len = ck->var_types.len = 0;
    CF_TRY(collect_vars(ck, code, CF_ATTR_LOCAL_VARIABLE_TABLE));
    CF_TRY(collect_vars(ck, code, CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE));
    CfLocalVar *vars = ck->vars.data, *types = ck->var_types.data;
    unsigned n = ck->vars.len, n_types = n ? ck->var_types.len : 0; /* types alone are not compared */
    if (n_types == 0 && few_and_different(vars, n)) return CF_OK;
    CF_TRY(check_repeated_vars(ck, CF_ATTR_LOCAL_VARIABLE_TABLE, vars, n));
    CF_TRY(check_repeated_vars(ck, CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE, types, n_types));
    for (unsigned i = 0; i < n_types; i++)
        if (!bsearch(&types[i], vars, n, sizeof *vars, order_vars))
            return CF_REFUSE(ck, NULL, "LVTT entry for '%.*s' in class file %s does not match any LVT entry",
                             CF_STR_ARGS(cf_utf8(ck->c, types[i].name)), ck->name);
    return CF_OK;
}

static CfErrCode check_code_attrs(CfChecker *ck, const CfCode *code) {
    bool variables = false;
    for (unsigned i = 0; i < code->attrs.count; i++) {
        const CfAttr *a = &code->attrs.v[i];
        if (a->kind == CF_ATTR_LINE_NUMBER_TABLE) CF_TRY(check_lines(ck, code, a));
        else if (a->kind == CF_ATTR_LOCAL_VARIABLE_TABLE || a->kind == CF_ATTR_LOCAL_VARIABLE_TYPE_TABLE) variables = true;
    }
    if (variables) CF_TRY(check_local_vars(ck, code));
    return check_once(ck, &code->attrs, "", CF_ATTR_UNKNOWN);
}

static CfErrCode check_args_fit(CfChecker *ck, const CfCode *code) {
    if (ck->arg_slots > code->max_locals) return CF_BAD(ck, code->code, "Arguments can't fit into locals");
    return CF_OK;
}

/* As in the reader, the first error in file order is reported: when the attribute breaks off, what
 * stands before may be wrong already. */
static CfErrCode check_code(CfChecker *ck, const CfAttr *a) {
    CfCode code;
    CfError broken;
    cf_err_clear(&broken);
    CfAttr rest = *a; /* as far as the file goes */
    int64_t at = cf_offset_of(ck->c, a->data);
    if (at >= 0) rest.len = (uint32_t)((int64_t)ck->c->size - at);
    CfErrCode read = cf_read_code_of(ck->c, &rest, claimed_len(ck, a), &ck->scratch, &code, &broken);
    CfErrCode rc = rest.len >= 8 ? check_args_fit(ck, &code) : CF_OK;
    if (rc == CF_OK && code.code) rc = check_handlers(ck, &code);
    if (rc == CF_OK && code.code) rc = check_code_attrs(ck, &code);
    if (rc == CF_OK && read != CF_OK) {
        rc = read;
        if (ck->err && ck->err->code == CF_OK) *ck->err = broken;
    }
    cf_arena_reset(&ck->scratch);
    return rc;
}

/* ------------------------------------------------------------------------ methods */

static CfErrCode check_exceptions(CfChecker *ck, const CfAttr *a) {
    CfRows t;
    CF_TRY(check_room(ck, a, 2));
    if (cf_index_list(a, &t, NULL) != CF_OK) return CF_BAD(ck, a->data, "Exceptions attribute has wrong length");
    for (unsigned i = 0; i < t.count; i++)
        if (!is_class(ck, cf_index_at(&t, i)))
            return CF_BAD(ck, t.p + 2 * i, "Exception name has bad type at constant pool %u", cf_index_at(&t, i));
    return CF_OK;
}

CfErrCode cf_check_method_attrs(CfChecker *ck, const CfMember *m) {
    bool has_code = false;
    bool no_code = (m->access & (CF_ACC_NATIVE | CF_ACC_ABSTRACT)) != 0 && !(cf_str_is(cf_utf8(ck->c, m->name), "<clinit>"));
    for (unsigned i = 0; i < m->attrs.count; i++) {
        const CfAttr *a = &m->attrs.v[i];
        switch (a->kind) {
        case CF_ATTR_CODE:
            if (no_code) return CF_BAD(ck, a->data, "Code attribute in native or abstract methods");
            if (has_code) return CF_BAD(ck, a->data, "Multiple Code attributes");
            has_code = true;
            CF_TRY(check_code(ck, a));
            break;
        case CF_ATTR_EXCEPTIONS: CF_TRY(check_exceptions(ck, a)); break;
        case CF_ATTR_METHOD_PARAMETERS: {
            CfRows t;
            if (cf_method_parameters(a, &t, NULL) != CF_OK)
                return CF_REFUSE(ck, a->data, "Invalid MethodParameters method attribute length %u in class file", a->len);
            break;
        }
        case CF_ATTR_SYNTHETIC:
        case CF_ATTR_DEPRECATED: CF_TRY(check_empty(ck, a, "method")); break;
        case CF_ATTR_SIGNATURE: CF_TRY(check_signature(ck, a, "Invalid")); break;
        }
    }
    if (!has_code && !no_code && !ck->partial)
        return CF_BAD(ck, NULL, "Absent Code attribute in method that is not native or abstract");
    return check_once(ck, &m->attrs, " for method", CF_ATTR_CODE);
}

/* ------------------------------------------------------------------------ class */

static CfErrCode check_inner(CfChecker *ck, const CfInner *in, const uint8_t *at) {
    const CfClass *c = ck->c;
    enum {
        INNER_FLAGS = CF_ACC_PUBLIC | CF_ACC_FINAL | CF_ACC_SUPER | CF_ACC_INTERFACE | CF_ACC_ABSTRACT | CF_ACC_SYNTHETIC |
                      CF_ACC_ANNOTATION | CF_ACC_ENUM | CF_ACC_PRIVATE | CF_ACC_PROTECTED | CF_ACC_STATIC | CF_ACC_MODULE
    };
    if (!is_class(ck, in->inner)) return CF_BAD(ck, at, "inner_class_info_index %u has bad constant type", in->inner);
    if (in->outer) {
        if (!is_class(ck, in->outer)) return CF_BAD(ck, at, "outer_class_info_index %u has bad constant type", in->outer);
        if (cf_class_name(c, in->outer).p[0] == '[') return CF_BAD(ck, at, "Outer class is an array class");
    }
    if (in->name && !is_utf8(ck, in->name)) return CF_BAD(ck, at, "inner_name_index %u has bad constant type", in->name);
    if (in->inner == in->outer) return CF_BAD(ck, at, "Class is both outer and inner class");
    return cf_check_class_flags(ck, in->access & INNER_FLAGS);
}

static int order_inner(const void *x, const void *y) { return memcmp(x, y, sizeof(CfInner)); }

static CfErrCode check_inner_classes(CfChecker *ck, const CfAttr *a) {
    CfRows t;
    CF_TRY(check_room(ck, a, 8));
    if (cf_inner_classes(a, &t, NULL) != CF_OK) return CF_BAD(ck, a->data, "Wrong InnerClasses attribute length");
    for (unsigned i = 0; i < t.count; i++) {
        CfInner in = cf_inner(&t, i);
        CF_TRY(check_inner(ck, &in, t.p + 8 * i));
    }
    if (ck->major < 49 || t.count < 2) return CF_OK;
    uint8_t *copy = malloc(8 * (size_t)t.count);
    if (!copy) return cf_fail(ck->err, CF_ERR_NOMEM, -1, "InnerClasses");
    memcpy(copy, t.p, 8 * (size_t)t.count);
    qsort(copy, t.count, 8, order_inner);
    bool twice = false;
    for (unsigned i = 1; i < t.count; i++) twice = twice || memcmp(copy + 8 * (i - 1), copy + 8 * i, 8) == 0;
    free(copy);
    return twice ? CF_BAD(ck, a->data, "Duplicate entry in InnerClasses attribute") : CF_OK;
}

/* NestMembers, PermittedSubclasses: a list of Class entries. */
static CfErrCode check_class_list(CfChecker *ck, const CfAttr *a, const char *what) {
    CfRows t;
    CF_TRY(check_room(ck, a, 2));
    if (cf_index_list(a, &t, NULL) != CF_OK) return CF_BAD(ck, a->data, "Wrong %s attribute length", cf_attr_info[a->kind].name);
    for (unsigned i = 0; i < t.count; i++)
        if (!is_class(ck, cf_index_at(&t, i)))
            return CF_BAD(ck, a->data, "%s class_info_index %u has bad constant type", what, cf_index_at(&t, i));
    return CF_OK;
}

static CfErrCode check_enclosing_method(CfChecker *ck, const CfAttr *a) {
    uint16_t cls, nat;
    if (cf_enclosing_method(a, &cls, &nat, NULL) != CF_OK)
        return CF_BAD(ck, a->data, "Wrong EnclosingMethod attribute length %u", a->len);
    if (cls == 0) return CF_BAD(ck, a->data, "Invalid class index in EnclosingMethod attribute");
    if (!is_class(ck, cls)) return CF_BAD(ck, a->data, "Invalid or out-of-bounds class index in EnclosingMethod attribute");
    if (nat && cf_tag(ck->c, nat) != CF_CONST_NAMEANDTYPE)
        return CF_BAD(ck, a->data, "Invalid or out-of-bounds method index in EnclosingMethod attribute");
    return CF_OK;
}

/* What a bootstrap argument may be: any loadable constant (4.7.23). */
static bool is_loadable(const CfChecker *ck, unsigned i) { return cf_const_info[cf_tag(ck->c, i)].loadable != 0; }

static CfErrCode check_bootstraps(CfChecker *ck, const CfAttr *a) {
    CfBootstraps t;
    CfBootstrap b;
    if (a->len < 2) return CF_BAD(ck, a->data, "Invalid BootstrapMethods attribute length %u", a->len);
    if (cf_get_u2(a->data) <= ck->max_bootstrap) return CF_BAD(ck, a->data, "Short length on BootstrapMethods");
    CF_TRY(check_room(ck, a, 4));
    if (cf_bootstraps(a, &t, NULL) != CF_OK) return CF_BAD(ck, a->data, "Bad length on BootstrapMethods");
    while (cf_bootstrap_next(&t, &b)) {
        if (cf_tag(ck->c, b.method) != CF_CONST_METHODHANDLE)
            return CF_BAD(ck, a->data, "bootstrap_method_index %u has bad constant type", b.method);
        for (unsigned i = 0; i < b.args.count; i++)
            if (!is_loadable(ck, cf_index_at(&b.args, i)))
                return CF_BAD(ck, a->data, "argument_index %u has bad constant type", cf_index_at(&b.args, i));
    }
    return CF_OK;
}

static CfErrCode check_record(CfChecker *ck, const CfAttr *a) {
    CfComponents t;
    CfErrCode rc = CF_OK;
    CF_TRY(check_room(ck, a, 6));
    if (cf_record(a, &t, NULL) != CF_OK) return CF_BAD(ck, a->data, "Record attribute has wrong length");
    for (unsigned n = t.count; n && rc == CF_OK; n--) {
        CfReader r = cf_reader(t.p, (size_t)(t.end - t.p));
        unsigned name = cf_r_u2(&r), desc = cf_r_u2(&r);
        CfAttrs as;
        if (!is_utf8(ck, name) || !is_utf8(ck, desc)) {
            rc = CF_BAD(ck, t.p, "Invalid constant pool index %u for %s in Record attribute", is_utf8(ck, name) ? desc : name,
                        is_utf8(ck, name) ? "descriptor" : "name");
            break;
        }
        rc = cf_check_field_name(ck, name);
        if (rc == CF_OK) rc = cf_check_field_sig(ck, name, desc);
        if (rc == CF_OK) rc = cf_read_attrs(ck->c, &r, CF_IN_RECORD, &ck->scratch, &as, ck->err);
        if (rc != CF_OK) break;
        const CfAttr *sig = cf_attr(&as, CF_ATTR_SIGNATURE);
        if (sig && sig->len != 2)
            rc = CF_BAD(ck, sig->data, "Invalid Signature attribute length %u in Record component", sig->len);
        else if (sig) rc = check_signature(ck, sig, "Invalid");
        if (rc == CF_OK) rc = check_once(ck, &as, " for Record component", CF_ATTR_UNKNOWN);
        t.p = r.p;
        cf_arena_reset(&ck->scratch);
    }
    return rc;
}

static CfErrCode check_single_index(CfChecker *ck, const CfAttr *a) {
    unsigned i = cf_attr_index(a);
    if (a->kind == CF_ATTR_SOURCE_FILE) {
        if (a->len != 2) return CF_BAD(ck, a->data, "Wrong SourceFile attribute length");
        if (!is_utf8(ck, i)) return CF_BAD(ck, a->data, "Invalid SourceFile attribute at constant pool index %u", i);
        return CF_OK;
    }
    if (a->len != 2) return CF_BAD(ck, a->data, "Wrong NestHost attribute length");
    if (!is_class(ck, i)) return CF_BAD(ck, a->data, "Nest-host class_info_index %u has bad constant type", i);
    return CF_OK;
}

static CfErrCode check_class_attr(CfChecker *ck, const CfAttr *a) {
    switch (a->kind) {
    case CF_ATTR_SOURCE_FILE:
    case CF_ATTR_NEST_HOST: return check_single_index(ck, a);
    case CF_ATTR_INNER_CLASSES: return check_inner_classes(ck, a);
    case CF_ATTR_SYNTHETIC:
    case CF_ATTR_DEPRECATED: return check_empty(ck, a, "classfile");
    case CF_ATTR_SIGNATURE:
        if (a->len == 2 && !is_utf8(ck, cf_attr_index(a)))
            return CF_BAD(ck, a->data, "Invalid constant pool index %u in Signature attribute", cf_attr_index(a));
        return check_signature(ck, a, "Wrong");
    case CF_ATTR_ENCLOSING_METHOD: return check_enclosing_method(ck, a);
    case CF_ATTR_BOOTSTRAP_METHODS: return check_bootstraps(ck, a);
    case CF_ATTR_NEST_MEMBERS: return check_class_list(ck, a, "Nest member");
    case CF_ATTR_PERMITTED_SUBCLASSES:
        if (ck->c->access & CF_ACC_FINAL)
            return CF_REFUSE(ck, a->data, "PermittedSubclasses attribute in final class file %s", ck->name);
        return check_class_list(ck, a, "Permitted subclass");
    case CF_ATTR_RECORD: return check_record(ck, a);
    default: return CF_OK;
    }
}

/* `complete`: all attributes could be read, so what is absent is missing. */
CfErrCode cf_check_class_attrs(CfChecker *ck, bool complete) {
    const CfAttrs *as = &ck->c->attrs;
    CF_TRY(check_once(ck, as, "", CF_ATTR_UNKNOWN));
    for (unsigned i = 0; i < as->count; i++) {
        CfErrCode rc = check_class_attr(ck, &as->v[i]);
        if (rc != CF_OK) return cf_fail_where(ck->err, "attribute %s", cf_attr_info[as->v[i].kind].name), rc;
    }
    const CfAttr *host = cf_attr(as, CF_ATTR_NEST_HOST), *members = cf_attr(as, CF_ATTR_NEST_MEMBERS);
    if (host && members)
        return CF_BAD(ck, host->data, "Conflicting %s and %s attributes", host < members ? "NestHost" : "NestMembers",
                      host < members ? "NestMembers" : "NestHost");
    if (complete && ck->max_bootstrap >= 0 && !cf_attr(as, CF_ATTR_BOOTSTRAP_METHODS))
        return CF_BAD(ck, NULL, "Missing BootstrapMethods attribute");
    return CF_OK;
}
