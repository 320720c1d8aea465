/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trc_check.c - types of a probe's expressions in one method, as far as its descriptor and the fields of its class tell them.
 * What is not known passes: it is looked at when it is read.
 */
#include "trc_probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Type {
    TrcKind kind;
    CfStr desc; /* REF: its descriptor; len 0: not known, or null */
    bool is_null, is_text;
} Type;

typedef struct Checker {
    const TrcProbe *probe;
    const TrcTarget *t;
    TrcSyntax *wrong;
    bool failed;
} Checker;

static const Type nothing = {.kind = TRC_K_ANY};

static Type refuse(Checker *c, const TrcExpr *e, const char *form, ...) __attribute__((format(printf, 3, 4)));
static Type refuse(Checker *c, const TrcExpr *e, const char *form, ...) {
    va_list ap;
    if (c->failed) return nothing;
    c->failed = true;
    va_start(ap, form);
    vsnprintf(c->wrong->text, sizeof c->wrong->text, form, ap);
    va_end(ap);
    c->wrong->probe = c->probe->text;
    c->wrong->column = e->column;
    return nothing;
}

static Type type_of(CfStr desc) {
    Type t = {.kind = TRC_K_REF, .desc = desc};
    if (*desc.p != 'L' && *desc.p != '[')
        t.kind = *desc.p == 'Z' ? TRC_K_TRUTH : *desc.p == 'F' || *desc.p == 'D' ? TRC_K_DOUBLE : TRC_K_LONG;
    return t;
}

static size_t type_length(const char *d) {
    size_t n = strspn(d, "[");
    return d[n] == 'L' ? strcspn(d, ";") + 1 : n + 1;
}

/* ---- what references may be ------------------------------------------------------------------------ */

static bool is_class(Type t, const char *name) {
    return t.kind == TRC_K_REF && t.desc.len == strlen(name) && !memcmp(t.desc.p, name, t.desc.len);
}
static bool is_string(Type t) { return t.is_text || is_class(t, "Ljava/lang/String;"); }
static bool is_array(Type t) { return t.kind == TRC_K_REF && t.desc.len && *t.desc.p == '['; }
static bool may_be_box(Type t) { return t.kind == TRC_K_REF && !t.is_null && !is_string(t) && !is_array(t); }
static bool may_be_array(Type t) {
    return t.kind == TRC_K_ANY || (t.kind == TRC_K_REF && (!t.desc.len || is_array(t) || is_class(t, "Ljava/lang/Object;")));
}
static bool is_value(Type t) { return t.kind != TRC_K_REF && t.kind != TRC_K_ANY; }
static const char *kind_text(Type t) {
    return t.is_null               ? "null"
           : is_string(t)          ? "a string"
           : is_array(t)           ? "an array"
           : t.kind == TRC_K_TRUTH ? "a truth value"
                                   : "a number";
}

/* ---- values ---------------------------------------------------------------------------------------- */

static Type check(Checker *c, const TrcExpr *e);

static Type check_arg(Checker *c, const TrcExpr *e) {
    const char *d = c->t->desc + 1;
    int64_t n = 0;
    for (; *d != ')'; d += type_length(d), n++)
        if (n == e->number) return type_of((CfStr){d, (uint32_t)type_length(d)});
    return refuse(c, e, "the method has %s%lld argument%s", n ? "only " : "", (long long)n, n == 1 ? "" : "s");
}

static Type check_own_field(Checker *c, const TrcExpr *e) {
    const CfClass *model = c->t->model;
    for (uint32_t i = 0; i < model->field_count; i++)
        if (cf_str_eq(cf_utf8(model, model->fields[i].name), cf_str(e->text)))
            return type_of(cf_utf8(model, model->fields[i].desc));
    CfStr super = cf_class_name(model, model->super_class);
    if (cf_str_eq(super, CF_STR("java/lang/Object"))) return refuse(c, e, "%s has no field %s", c->t->owner, e->text);
    return nothing;
}

static Type check_field(Checker *c, const TrcExpr *e) {
    Type a = check(c, e->a);
    if (is_value(a) || a.is_null) return refuse(c, e, "%s has no fields", kind_text(a));
    if (is_array(a) && strcmp(e->text, "length") != 0) return refuse(c, e, "an array has no field %s", e->text);
    if (is_array(a)) return (Type){.kind = TRC_K_LONG};
    return e->a->op == TRC_OP_THIS ? check_own_field(c, e) : nothing;
}

static Type check_call(Checker *c, const TrcExpr *e) {
    Type a = check(c, e->a);
    if (is_value(a) || a.is_null) return refuse(c, e, "%s has no %s()", kind_text(a), e->text);
    if (is_array(a)) return refuse(c, e, "an array has .length, not .%s()", e->text);
    if (is_string(a) && strcmp(e->text, "length") != 0) return refuse(c, e, "a string has .length(), not .%s()", e->text);
    return strcmp(e->text, "size") && strcmp(e->text, "length") ? nothing : (Type){.kind = TRC_K_LONG};
}

static Type check_index(Checker *c, const TrcExpr *e) {
    Type a = check(c, e->a);
    if (!c->failed && !may_be_array(a)) return refuse(c, e, "only arrays have [%lld]", (long long)e->number);
    return is_array(a) ? type_of((CfStr){a.desc.p + 1, a.desc.len - 1}) : nothing;
}

static bool is_char(Type t) { return (t.desc.len == 1 && *t.desc.p == 'C') || is_class(t, "Ljava/lang/Character;"); }

/* Characters are numbers here. */
static Type refuse_char(Checker *c, const TrcExpr *e) {
    const TrcExpr *text = e->a->op == TRC_OP_TEXT ? e->a : e->b;
    unsigned char letter = (unsigned char)*text->text;
    if (!letter || letter > 126 || text->text[1]) return refuse(c, e, "a char is compared with a string");
    return refuse(c, e, "a char is compared by its number: '%c' is %d", letter, letter);
}

static Type check_compare(Checker *c, const TrcExpr *e) {
    Type a = check(c, e->a), b = check(c, e->b);
    bool order = e->relation > 1;
    if (c->failed) return nothing;
    if ((is_char(a) && b.is_text) || (is_char(b) && a.is_text)) return refuse_char(c, e);
    Type v = is_value(a) ? a : b, o = is_value(a) ? b : a;
    if (is_value(v) && o.kind != TRC_K_ANY) {
        bool fits = is_value(o) ? (v.kind == TRC_K_TRUTH) == (o.kind == TRC_K_TRUTH) : may_be_box(o);
        if (!fits) return refuse(c, e, "%s is compared with %s", kind_text(a), kind_text(b));
    }
    if (order && (v.kind == TRC_K_TRUTH || o.kind == TRC_K_TRUTH)) return refuse(c, e, "truth values have no order");
    bool boxes = (is_value(a) || a.kind == TRC_K_ANY || may_be_box(a)) && (is_value(b) || b.kind == TRC_K_ANY || may_be_box(b));
    if (order && !boxes) return refuse(c, e, "only numbers have an order");
    return (Type){.kind = TRC_K_TRUTH};
}

static void check_truth(Checker *c, const TrcExpr *e) {
    Type t = check(c, e);
    if (!c->failed && t.kind != TRC_K_TRUTH && t.kind != TRC_K_ANY && !may_be_box(t))
        refuse(c, e, "this is %s, where a condition is wanted", kind_text(t));
}

static Type check(Checker *c, const TrcExpr *e) {
    static const char string[] = "Ljava/lang/String;";
    switch (e->op) {
    case TRC_OP_NUMBER:
    case TRC_OP_TIME: return (Type){.kind = TRC_K_LONG};
    case TRC_OP_REAL: return (Type){.kind = TRC_K_DOUBLE};
    case TRC_OP_TRUTH: return (Type){.kind = TRC_K_TRUTH};
    case TRC_OP_TEXT: return (Type){.kind = TRC_K_REF, .desc = cf_str(string), .is_text = true};
    case TRC_OP_NULL: return (Type){.kind = TRC_K_REF, .is_null = true};
    case TRC_OP_EXCEPTION: return (Type){.kind = TRC_K_REF, .desc = cf_str("Ljava/lang/Throwable;")};
    case TRC_OP_THIS:
        if (c->t->is_static) return refuse(c, e, "the method is static: there is no this");
        return (Type){.kind = TRC_K_REF};
    case TRC_OP_RETURN: {
        const char *result = strchr(c->t->desc, ')') + 1;
        return *result == 'V' ? refuse(c, e, "the method has no result") : type_of(cf_str(result));
    }
    case TRC_OP_ARG: return check_arg(c, e);
    case TRC_OP_FIELD: return check_field(c, e);
    case TRC_OP_CALL: return check_call(c, e);
    case TRC_OP_INDEX: return check_index(c, e);
    case TRC_OP_IS: {
        Type t = check(c, e->a);
        if (is_value(t)) return refuse(c, e, "%s has no class", kind_text(t));
        return (Type){.kind = TRC_K_TRUTH};
    }
    case TRC_OP_COMPARE: return check_compare(c, e);
    case TRC_OP_AND:
    case TRC_OP_OR: check_truth(c, e->b); /* fall through */
    case TRC_OP_NOT: check_truth(c, e->a); return (Type){.kind = TRC_K_TRUTH};
    }
    return nothing;
}

bool trc_check(const TrcProbe *p, const TrcTarget *t, TrcSyntax *wrong) {
    Checker c = {p, t, wrong, false};
    if (p->when) check_truth(&c, p->when);
    for (const TrcCapture *k = p->captures; k && !c.failed; k = k->next) check(&c, k->value);
    return !c.failed;
}
