/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bci_plan.c - building and sealing plans; patterns.
 *
 * Building only notes what was said. Sealing checks everything and turns it into tables, so that
 * applying a plan can go wrong only for reasons that lie in the class.
 */
#include "bci_rules.h"

#include <stdlib.h>

const char bci_box_letters[BCI_BOX_LETTERS + 1] = "ZBCSIJFD";

static const struct {
    const char *word;
    char type;
    uint32_t where;
} words[BCI_V_COUNT] = {
#define VALUE(NAME, word, type, where) [BCI_V_##NAME] = {word, type, where},
#include "bci_values.def"
#undef VALUE
};

__attribute__((format(printf, 2, 3))) static void wrong(BciPlan *p, const char *fmt, ...) {
    if (p->wrong) return;
    CF_PRINT_ARGS(p->wrong_text, fmt);
    p->wrong = p->wrong_text;
}

/* Standard UTF-8 as modified UTF-8. What is not the same when it is turned back was not UTF-8. */
static const char *convert(BciPlan *p, const char *s, size_t n) {
    size_t len = cf_utf8_to_mutf8(s, n, NULL, 0), back_len;
    char *z = cf_arena_alloc(&p->arena, len + 1), *back = cf_arena_alloc(&p->arena, n + 1);
    if (!z || !back) return NULL;
    cf_utf8_to_mutf8(s, n, z, len);
    z[len] = 0;
    back_len = cf_mutf8_to_utf8(z, len, back, n);
    if (back_len != n || memcmp(back, s, n) != 0 || !cf_mutf8_valid(z, len)) wrong(p, "\"%.*s\" is not UTF-8", (int)n, s);
    return z;
}

/* A copy, in the modified UTF-8 of class files. */
static const char *keep(BciPlan *p, const char *s, size_t n) {
    const char *z = !s ? NULL : cf_mutf8_valid(s, n) ? cf_arena_copy(&p->arena, s, n) : convert(p, s, n);
    if (!z) wrong(p, "out of memory, or a text is missing");
    return z;
}

static void *grow(BciPlan *p, void *data, uint32_t len, uint32_t *cap, size_t size) {
    if (len < *cap) return data;
    uint32_t n = *cap ? *cap * 2 : 4;
    void *q = cf_arena_calloc(&p->arena, n, size);
    if (!q) return wrong(p, "out of memory"), NULL;
    if (len) memcpy(q, data, len * size);
    *cap = n;
    return q;
}

/* ---- constants ---- */

static uint32_t konst(BciPlan *p, unsigned tag, uint32_t a, uint32_t b, const char *text) {
    for (uint32_t k = 0; k < p->consts.len; k++) {
        const BciConst *c = &p->consts.data[k];
        if (c->tag == tag && c->a == a && c->b == b && (!text || (memcmp(c->text, text, a) == 0))) return k;
    }
    if (!cf_vec_push(&p->consts, (BciConst){(uint8_t)tag, a, b, text})) wrong(p, "out of memory");
    return p->consts.len - 1;
}

static uint32_t utf8(BciPlan *p, const char *s, size_t n) {
    const char *z = keep(p, s, n);
    size_t len = z ? strlen(z) : 0;
    if (len > 65535) wrong(p, "text of %zu bytes", len), z = NULL;
    return z ? konst(p, CF_CONST_UTF8, (uint32_t)len, 0, z) : 0;
}

static uint32_t class_const(BciPlan *p, const char *s, size_t n) { return konst(p, CF_CONST_CLASS, utf8(p, s, n), 0, NULL); }

static uint32_t member_const(BciPlan *p, unsigned tag, CfStr owner, CfStr name, CfStr desc) {
    uint32_t n = utf8(p, name.p, name.len), d = utf8(p, desc.p, desc.len);
    uint32_t nat = konst(p, CF_CONST_NAMEANDTYPE, n, d, NULL);
    return konst(p, tag, class_const(p, owner.p, owner.len), nat, NULL);
}

/* ---- patterns ---- */

/* '*' stops at '/' unless `slashes`. */
static bool glob(const char *p, const char *s, const char *end, bool slashes) {
    for (; *p; p++) {
        if (*p == '*') {
            bool all = slashes || p[1] == '*';
            while (*p == '*') p++;
            if (!*p) return all || !memchr(s, '/', (size_t)(end - s));
            for (;; s++) {
                if (glob(p, s, end, slashes)) return true;
                if (s == end || (!all && *s == '/')) return false;
            }
        }
        if (s == end || (*p != '?' && *p != *s)) return false;
        s++;
    }
    return s == end;
}

bool bci_glob(const char *pattern, CfStr s, bool slashes) {
    return !pattern || (s.p && glob(pattern, s.p, s.p + s.len, slashes));
}

static const char *unless_any(BciPlan *p, const char *s, size_t n) {
    bool any = n == 2 && s[0] == '*' && s[1] == '*';
    return any ? NULL : keep(p, s, n);
}

/* Is the dot at k the one in front of a member? As "Foo.bar" is usually meant. */
static bool before_member(CfStr name, uint32_t k) {
    uint32_t from = k;
    while (from > 0 && !strchr("./", name.p[from - 1])) from--;
    bool upper = name.p[from] >= 'A' && name.p[from] <= 'Z';
    return upper && k + 1 < name.len && name.p[k + 1] >= 'a' && name.p[k + 1] <= 'z' &&
           !memchr(name.p + k + 1, '.', name.len - k - 1);
}

/* A name with dots for slashes, or with L and ; around: says how it should be written. `member`: the last dot is right. */
static void wrong_name(BciPlan *p, const char *text, CfStr name, bool member) {
    char fixed[120];
    uint32_t n = 0, last = name.len;
    while (member && last > 0 && name.p[last - 1] != '.') last--;
    for (uint32_t k = name.p[0] == 'L' && memchr(name.p, ';', name.len); k < name.len && n < sizeof fixed - 1; k++) {
        bool dot = name.p[k] == '.' && (member ? k + 1 == last : before_member(name, k));
        if (name.p[k] != ';') fixed[n++] = name.p[k] == '.' && !dot ? '/' : name.p[k];
    }
    fixed[n] = 0;
    wrong(p, "\"%.100s\": names are written with slashes: %s", text, fixed);
}

static bool has_any(CfStr s, const char *chars) {
    for (uint32_t k = 0; k < s.len; k++)
        if (strchr(chars, s.p[k])) return true;
    return false;
}

/* Up to the first star, is it the beginning of a descriptor? Behind it anything goes but a dot. */
static bool desc_pattern_fits(const char *s) {
    if (strchr(s, '.')) return false;
    for (bool array = false; *s && *s != '*'; s++) {
        if (!strchr(array ? "BCDFIJSZL[?" : "BCDFIJSZL[?()V", *s)) return false;
        array = *s == '[';
        if (*s == 'L') {
            s += strcspn(s, ";*");
            if (*s != ';') return *s == '*';
        }
        if (*s == '?') /* may be an L, and then what follows is a name */
            return true;
    }
    return true;
}

/* A pattern that no name in a class file can match is a mistake. `site`: owners may be arrays, and of dynamic calls empty. */
static void check_glob(BciPlan *p, const char *text, CfStr cls, CfStr name, const char *desc, bool site) {
    bool array = site && cls.len && cls.p[0] == '[', member = name.p != NULL;
    if ((member && !name.len) || (!cls.len && !(site && member)))
        wrong(p, "pattern \"%s\": the name of the class or of the member is empty", text);
    else if (cls.len && cls.p[0] == '@') wrong(p, "pattern \"%s\": there can be one annotation", text);
    else if ((!array && has_any(cls, ";[")) || (member && has_any(name, "./;[")))
        wrong_name(p, text, (CfStr){cls.p, member ? cls.len + 1 + name.len : cls.len}, member && !has_any(name, "./;["));
    else if (desc && !desc_pattern_fits(desc))
        wrong(p, "pattern \"%s\": a descriptor is written as in (ILjava/lang/String;)V", text);
}

static const char *parse_annotation(BciPlan *p, BciGlob *g, const char *s) {
    const char *space = strchr(s, ' ');
    CfStr name = {s + 1, (uint32_t)(space ? space - s - 1 : 0)};
    if (!name.len) wrong(p, "pattern \"%s\" is not of the form \"@ANNOTATION CLASS\"", s);
    else if (has_any(name, ".;[")) wrong_name(p, s, name, false);
    g->ann = keep(p, name.p, name.len);
    return space ? space + 1 : s;
}

/* "[@ANNOTATION ]CLASS[.NAME[DESC]]"; more than two stars in a row are one "**". */
static BciGlob parse_glob(BciPlan *p, const char *text, bool site) {
    BciGlob g = {0};
    const char *s = text;
    if (!s || !*s) return wrong(p, "empty pattern"), g;
    if (strlen(s) > 400) wrong(p, "pattern too long");
    if (*s == '@' && site) wrong(p, "site pattern \"%s\": an annotation selects methods, not places in them", s);
    if (*s == '@') s = parse_annotation(p, &g, s);
    const char *dot = strchr(s, '.'), *paren = dot ? strchr(dot, '(') : NULL, *end = s + strlen(s);
    CfStr cls = {s, (uint32_t)((dot ? dot : end) - s)}, name = {NULL, 0};
    if (dot) name = (CfStr){dot + 1, (uint32_t)((paren ? paren : end) - dot - 1)};
    check_glob(p, text, cls, name, paren, site);
    g.cls = unless_any(p, cls.p, cls.len);
    if (dot && !cf_str_is(name, "*")) g.name = unless_any(p, name.p, name.len);
    if (paren) g.desc = keep(p, paren, (size_t)(end - paren));
    return g;
}

bool bci_rule_selects_class(const BciRule *r, CfStr name) {
    for (uint32_t k = 0; k < r->nexcept; k++) {
        const BciGlob *g = &r->except[k];
        if (!g->name && !g->desc && !g->ann && bci_glob(g->cls, name, false)) return false;
    }
    for (uint32_t k = 0; k < r->nselect; k++)
        if (bci_glob(r->select[k].cls, name, false)) return true;
    return false;
}

bool bci_plan_wants(const BciPlan *plan, const char *class_name) {
    for (const BciRule *r = plan && class_name ? plan->rules : NULL; r; r = r->next)
        if (bci_rule_selects_class(r, cf_str(class_name))) return true;
    return false;
}

/* ---- building ---- */

BciPlan *bci_plan_new(unsigned flags) {
    BciPlan *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->flags = flags;
    p->code_limit = BCI_MAX_CODE;
    cf_arena_init(&p->arena, "bci-plan", 0);
    static const char *const boxes[] = {"Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"};
    char owner[40], desc[60];
    konst(p, CF_CONST_NONE, 0, 0, NULL); /* number 0 is no constant */
    for (int k = 0; k < BCI_BOX_LETTERS; k++) {
        snprintf(owner, sizeof owner, "java/lang/%s", boxes[k]);
        snprintf(desc, sizeof desc, "(%c)L%s;", bci_box_letters[k], owner);
        p->boxes[k] = member_const(p, CF_CONST_METHODREF, cf_str(owner), CF_STR("valueOf"), cf_str(desc));
    }
    p->nano = member_const(p, CF_CONST_METHODREF, CF_STR("java/lang/System"), CF_STR("nanoTime"), CF_STR("()J"));
    p->throwable = class_const(p, "java/lang/Throwable", 19);
    p->object = class_const(p, "java/lang/Object", 16);
    p->map_name = utf8(p, "StackMapTable", 13);
    return p;
}

void bci_plan_flags(BciPlan *p, unsigned flags) {
    if (p && !p->sealed) p->flags |= flags;
}

void bci_plan_free(BciPlan *p) {
    if (!p) return;
    cf_vec_free(&p->consts);
    cf_arena_free(&p->arena);
    free(p);
}

static void add_glob(BciRule *r, BciGlob **v, uint32_t *n, uint32_t *cap, const char *pattern) {
    if (!r || r->plan->sealed) return;
    BciGlob *q = grow(r->plan, *v, *n, cap, sizeof **v);
    if (!q) return;
    *v = q;
    q[(*n)++] = parse_glob(r->plan, pattern, false);
}

BciRule *bci_rule(BciPlan *p, const char *pattern) {
    if (!p || p->sealed) return NULL;
    BciRule *r = CF_NEW(&p->arena, BciRule);
    if (!r) return wrong(p, "out of memory"), NULL;
    r->plan = p;
    *(p->last ? &p->last->next : &p->rules) = r;
    p->last = r;
    bci_also(r, pattern);
    return p->wrong ? NULL : r;
}

void bci_also(BciRule *r, const char *pattern) {
    if (r) add_glob(r, &r->select, &r->nselect, &r->cap_select, pattern);
}

void bci_except(BciRule *r, const char *pattern) {
    if (r) add_glob(r, &r->except, &r->nexcept, &r->cap_except, pattern);
}

static BciAct *add_act(BciRule *r, BciActKind kind, BciWhere where, const char *site, const char *text) {
    if (!r || r->plan->sealed) return NULL;
    BciAct *v = grow(r->plan, r->acts, r->nacts, &r->cap_acts, sizeof *v);
    if (!v) return NULL;
    r->acts = v;
    BciAct *a = &v[r->nacts++];
    *a = (BciAct){.kind = kind, .where = where, .has_site = site != NULL};
    a->text = keep(r->plan, text, text ? strlen(text) : 0);
    if (site) a->site = parse_glob(r->plan, site, true);
    if ((unsigned)where >= BCI_POINTS) wrong(r->plan, "no such point: %d", (int)where);
    else r->points |= 1u << where;
    return a;
}

static void add_call(BciRule *r, BciWhere where, const char *site, const char *callee, const char *values, bool itf) {
    BciAct *a = add_act(r, BCI_DO_CALL, where, site, callee);
    if (!a) return;
    a->itf = itf;
    a->values_text = keep(r->plan, values ? values : "", values ? strlen(values) : 0);
}

void bci_call(BciRule *r, BciWhere where, const char *site, const char *callee, const char *values) {
    add_call(r, where, site, callee, values, false);
}

void bci_call_interface(BciRule *r, BciWhere where, const char *site, const char *callee, const char *values) {
    add_call(r, where, site, callee, values, true);
}

void bci_count(BciRule *r, BciWhere where, const char *site, const char *array) { add_act(r, BCI_DO_COUNT, where, site, array); }

void bci_redirect(BciRule *r, const char *callee, const char *to) { add_act(r, BCI_DO_REDIRECT, BCI_CALL_BEFORE, callee, to); }

void bci_natives(BciRule *r, const char *prefix) {
    BciAct *a = add_act(r, BCI_DO_NATIVES, BCI_ENTRY, NULL, prefix);
    if (!a) return;
    r->natives = true;
    if (!prefix || !*prefix) wrong(r->plan, "empty prefix for native methods");
}

/* ---- sealing ---- */

static bool read_number(const char *s, const char *end, int64_t *n) {
    char buf[16], *stop;
    if (s == end || end - s > 12) return false;
    memcpy(buf, s, (size_t)(end - s));
    buf[end - s] = 0;
    *n = strtoll(buf, &stop, 0);
    return *stop == 0;
}

static bool read_value(BciPlan *p, const char *s, const char *end, BciValue *v) {
    size_t len = (size_t)(end - s);
    for (unsigned k = 0; k < BCI_V_COUNT; k++) {
        const char *w = words[k].word;
        size_t n = strlen(w);
        int64_t number = 0;
        v->kind = (BciValueKind)k;
        if (w[n - 1] == ':' && len >= n && memcmp(w, s, n) == 0) {
            if (k == BCI_V_STR) {
                uint32_t text = utf8(p, s + n, len - n);
                v->konst = konst(p, CF_CONST_STRING, text, 0, NULL);
                return true;
            }
            if (!read_number(s + n, end, &number) || number != (int32_t)number) return false;
            v->n = (int32_t)number;
            return true;
        }
        if (w[n - 1] == '#' && len >= n && memcmp(w, s, n - 1) == 0 && read_number(s + n - 1, end, &number) && number >= 0 &&
            number < 256) {
            v->n = (int32_t)number;
            return true;
        }
        if (len == n && memcmp(w, s, n) == 0) return true;
    }
    return false;
}

void bci_value_word(const BciValue *v, char *buf, size_t n) {
    const char *w = words[v->kind].word;
    int len = (int)strlen(w);
    if (w[len - 1] == '#') snprintf(buf, n, "%.*s%d", len - 1, w, v->n);
    else snprintf(buf, n, "%s", w);
}

static bool value_fits(const BciValue *v) {
    CfStr w = v->want;
    bool object = cf_str_is(w, "Ljava/lang/Object;");
    switch (words[v->kind].type) {
    case 'I': return cf_str_is(w, "I");
    case 'J': return cf_str_is(w, "J");
    case 'R': return object || cf_str_is(w, "Ljava/lang/String;");
    case 'T': return object || cf_str_is(w, "Ljava/lang/Throwable;");
    case '[': return object || cf_str_is(w, "[Ljava/lang/Object;") || (w.len == 2 && w.p[0] == '[' && strchr("IJD", w.p[1]));
    case 'A': return object || (v->kind == BCI_V_NULL && (w.p[0] == 'L' || w.p[0] == '['));
    default: return true;
    }
}

static void seal_values(BciPlan *p, BciAct *a, CfStr desc) {
    CfDescIter it = cf_desc_start(desc);
    const char *s = a->values_text;
    int n = cf_desc_arg_count(desc);
    unsigned operands = 0;
    a->values = CF_NEW_ARRAY(&p->arena, BciValue, (size_t)n + 1);
    for (int k = 0; k < n && a->values && !p->wrong; k++) {
        BciValue *v = &a->values[k];
        const char *end = strchr(s, ',');
        if (!end) end = s + strlen(s);
        cf_desc_next(&it, &v->want);
        if (!*s) wrong(p, "%s: %d values for %d parameters", a->text, k, n);
        else if (!read_value(p, s, end, v)) wrong(p, "%s: unknown value \"%.*s\"", a->text, (int)(end - s), s);
        else if (words[v->kind].where && !(words[v->kind].where >> a->where & 1))
            wrong(p, "%s: no value \"%s\" at this point", a->text, words[v->kind].word);
        else if (!value_fits(v))
            wrong(p, "%s: \"%s\" does not fit parameter %d of type %.*s", a->text, words[v->kind].word, k, CF_STR_ARGS(v->want));
        bool operand = v->kind == BCI_V_RESULT || v->kind == BCI_V_EXCEPTION || v->kind == BCI_V_RECEIVER ||
                       v->kind == BCI_V_ARG || v->kind == BCI_V_ARGS;
        operands += operand;
        a->operands |= operand;
        a->only_operand |= k == 0 && (v->kind == BCI_V_RESULT || v->kind == BCI_V_EXCEPTION);
        a->elapsed |= v->kind == BCI_V_ELAPSED;
        a->uses_this |= v->kind == BCI_V_THIS;
        a->uses_params |= v->kind == BCI_V_PARAM || v->kind == BCI_V_PARAMS;
        a->uses_line |= v->kind == BCI_V_LINE;
        s = *end ? end + 1 : end;
    }
    if (*s) wrong(p, "%s: more values than parameters", a->text);
    a->only_operand &= operands == 1;
    a->nvalues = (uint32_t)n;
}

/* Takes "OWNER.NAME" apart, up to `end`. With anything that is no name in a class file it says what is `meant`. */
static bool split_member(BciPlan *p, const char *text, const char *end, const char *meant, CfStr *owner, CfStr *name) {
    CfStr whole = {text, (uint32_t)(end - text)};
    const char *dot = memchr(text, '.', whole.len);
    *owner = (CfStr){text, (uint32_t)(dot ? dot - text : 0)};
    *name = dot ? (CfStr){dot + 1, (uint32_t)(end - dot - 1)} : (CfStr){NULL, 0};
    bool array = text[0] == '[';
    if (cf_class_name_valid(*owner, CF_MAJOR_MAX) && !array && cf_member_name_valid(*name, true, CF_MAJOR_MAX) &&
        name->p[0] != '<')
        return true;
    if (name->len && !array && !has_any(whole, "[<>()") && (has_any(*owner, ";") || has_any(*name, "./;")))
        wrong_name(p, text, whole, true);
    else wrong(p, "\"%s\" is not of the form %s", text, meant);
    return false;
}

static void seal_call(BciPlan *p, BciAct *a) {
    static const char form[] = "OWNER.NAME(PARAMETERS)V";
    const char *paren = strchr(a->text, '(');
    CfStr desc = cf_str(paren), owner, name;
    if (!paren || !cf_method_desc_valid(desc)) return wrong(p, "\"%s\" is not of the form %s", a->text, form);
    if (!split_member(p, a->text, paren, form, &owner, &name)) return;
    if (paren[desc.len - 1] != 'V') return wrong(p, "%s: must be a static method that returns void", a->text);
    a->konst = member_const(p, a->itf ? CF_CONST_INTERFACEMETHODREF : CF_CONST_METHODREF, owner, name, desc);
    seal_values(p, a, desc);
}

/* "OWNER.NAME:TYPE"; in front of the bracket of an array the colon may be missing. */
static void seal_count(BciPlan *p, BciAct *a) {
    static const char form[] = "OWNER.NAME[I, OWNER.NAME[J, OWNER.NAME:I or OWNER.NAME:J";
    size_t n = strlen(a->text);
    const char *desc = a->text + n - (n > 0);
    CfStr owner, name;
    a->in_array = n > 1 && desc[-1] == '[';
    desc -= a->in_array;
    bool colon = desc > a->text && desc[-1] == ':';
    if (!n || !strchr("IJ", a->text[n - 1]) || !(colon || a->in_array))
        return wrong(p, "\"%s\" is not of the form %s", a->text, form);
    if (!split_member(p, a->text, desc - colon, form, &owner, &name)) return;
    a->wide = a->text[n - 1] == 'J';
    a->konst = member_const(p, CF_CONST_FIELDREF, owner, name, cf_str(desc));
}

static void seal_redirect(BciPlan *p, BciAct *a) {
    size_t n = strcspn(a->text, "(");
    CfStr owner, name;
    if (!a->has_site) wrong(p, "redirect to \"%s\": the callee is missing", a->text);
    else if (a->text[n])
        wrong(p, "redirect to \"%s\": the target is written without a descriptor: %.*s", a->text, (int)n, a->text);
    else if (split_member(p, a->text, a->text + n, "OWNER.NAME", &owner, &name)) {
        a->konst = class_const(p, owner.p, owner.len);
        a->values_text = name.p; /* the end of the text */
        utf8(p, name.p, name.len);
    }
}

static void seal_natives(BciPlan *p, BciAct *a) {
    if (p->flags & BCI_PLAN_NO_SCHEMA) wrong(p, "wrapping natives adds methods: not possible with BCI_PLAN_NO_SCHEMA");
    if (!cf_member_name_valid(cf_str(a->text), true, CF_MAJOR_MAX) || a->text[0] == '<')
        wrong(p, "native prefix \"%s\" cannot be part of a method name", a->text);
}

static void seal_site(BciPlan *p, const BciAct *a) {
    static const uint32_t members = 1u << BCI_CALL_BEFORE | 1u << BCI_CALL_AFTER | 1u << BCI_CONSTRUCTED,
                          fields = 1u << BCI_FIELD_GET | 1u << BCI_FIELD_PUT;
    if (!((members | fields | 1u << BCI_NEW) >> a->where & 1)) wrong(p, "%s: this point takes no site pattern", a->text);
    else if (a->where == BCI_NEW && (a->site.name || a->site.desc))
        wrong(p, "%s: the site pattern must be that of a class, with slashes, and no member", a->text);
    else if (fields >> a->where & 1 && a->site.desc)
        wrong(p, "%s: the site pattern of a field is of the form OWNER.NAME", a->text);
}

static void seal_act(BciPlan *p, BciAct *a) {
    if (a->has_site) seal_site(p, a);
    if (p->wrong) return;
    switch (a->kind) {
    case BCI_DO_CALL: seal_call(p, a); break;
    case BCI_DO_COUNT: seal_count(p, a); break;
    case BCI_DO_REDIRECT: seal_redirect(p, a); break;
    case BCI_DO_NATIVES: seal_natives(p, a); break;
    }
}

static void set_op_points(BciPlan *p) {
    for (unsigned op = 0; op < 256; op++) {
        uint32_t fl = cf_op_info[op].flags, m = 0;
        if (fl & CF_OF_INVOKE)
            m = 1u << BCI_CALL_BEFORE | 1u << BCI_CALL_AFTER | (op == CF_OP_INVOKESPECIAL ? 1u << BCI_CONSTRUCTED : 0);
        else if (op == CF_OP_GETFIELD || op == CF_OP_GETSTATIC) m = 1u << BCI_FIELD_GET;
        else if (fl & CF_OF_FIELD) m = 1u << BCI_FIELD_PUT;
        else if (op == CF_OP_NEW) m = 1u << BCI_NEW;
        else if (op == CF_OP_NEWARRAY || op == CF_OP_ANEWARRAY || op == CF_OP_MULTIANEWARRAY) m = 1u << BCI_NEWARRAY;
        else if (op >= CF_OP_IALOAD && op <= CF_OP_SALOAD) m = 1u << BCI_ARRAY_GET;
        else if (op >= CF_OP_IASTORE && op <= CF_OP_SASTORE) m = 1u << BCI_ARRAY_PUT;
        else if (op == CF_OP_MONITORENTER) m = 1u << BCI_MONITOR_ENTER;
        else if (op == CF_OP_MONITOREXIT) m = 1u << BCI_MONITOR_EXIT;
        else if (op == CF_OP_ATHROW) m = 1u << BCI_ATHROW;
        else if (fl & CF_OF_RETURN) m = 1u << BCI_RETURN;
        else if (fl & (CF_OF_BRANCH | CF_OF_SWITCH)) m = 1u << BCI_LOOP | (fl & (CF_OF_COND | CF_OF_SWITCH) ? 1u << BCI_EDGE : 0);
        p->op_points[op] = m;
    }
}

const char *bci_plan_seal(BciPlan *p) {
    if (!p) return "out of memory";
    for (BciRule *r = p->rules; r && !p->wrong; r = r->next)
        for (uint32_t k = 0; k < r->nacts && !p->wrong; k++) seal_act(p, &r->acts[k]);
    if (!p->rules) wrong(p, "the plan has no rule");
    if (p->flags >= BCI_PLAN_VERIFY << 1) wrong(p, "no such flag of a plan: 0x%x", p->flags);
    if (p->flags & BCI_PLAN_NO_SCHEMA && p->flags & BCI_PLAN_OUTLINE)
        wrong(p, "outlining adds methods: not possible with BCI_PLAN_NO_SCHEMA");
    set_op_points(p);
    p->sealed = !p->wrong;
    return p->wrong;
}
