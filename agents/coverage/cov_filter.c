/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_filter.c - whole-method filters, the matcher, and shapes made for finally, synchronized,
 * switch on strings, assert. Try-with-resources has its own file.
 *
 * Order: merges (copies of a finally block share their status), then replaced branches, then the
 * marks "ignore". Shapes only look at instructions, never at status, so filters do not influence each other.
 */
#include "cov_filter.h"

/* ---- classes and methods ---------------------------------------------------------------- */

/* The simple name of one of the annotations has "Generated" in it. */
static bool has_generated(const CfClass *c, const CfAttr *a) {
    CfAnnotations all;
    CfAnnotation one;
    if (!a || cf_annotations(a, &all, NULL) != CF_OK) return false;
    while (cf_annotation_next(&all, &one)) {
        CfStr type = cf_utf8(c, one.type);
        uint32_t at = type.len;
        while (at > 0 && type.p[at - 1] != '/' && type.p[at - 1] != '$') at--;
        for (uint32_t k = at; k + 9 <= type.len; k++)
            if (!memcmp(type.p + k, "Generated", 9)) return true;
    }
    return false;
}

static bool generated(const CfClass *c, const CfAttrs *as) {
    return has_generated(c, cf_attr(as, CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS)) ||
           has_generated(c, cf_attr(as, CF_ATTR_RUNTIME_INVISIBLE_ANNOTATIONS));
}

static bool scala_class(const CfClass *c) {
    for (unsigned i = 0; i < c->attrs.count; i++) {
        CfStr n = cf_utf8(c, c->attrs.v[i].name);
        if (cf_str_is(n, "ScalaSig") || cf_str_is(n, "Scala")) return true;
    }
    return false;
}

bool cov_filter_class(const CfClass *c) {
    return (c->access & (CF_ACC_SYNTHETIC | CF_ACC_MODULE)) != 0 || generated(c, &c->attrs);
}

/* "()[Lname;" and the like: prefix, class name, ";" */
static bool desc_with_class(CfStr desc, const char *prefix, CfStr name) {
    size_t n = strlen(prefix);
    return desc.len == n + name.len + 1 && !memcmp(desc.p, prefix, n) && !memcmp(desc.p + n, name.p, name.len) &&
           desc.p[desc.len - 1] == ';';
}

static bool enum_method(const CfClass *c, CfStr name, CfStr desc) {
    return (cf_str_is(name, "values") && desc_with_class(desc, "()[L", c->name)) ||
           (cf_str_is(name, "valueOf") && desc_with_class(desc, "(Ljava/lang/String;)L", c->name));
}

static bool is_filtered(const CfClass *c, const CfMember *m) {
    CfStr name = cf_utf8(c, m->name), desc = cf_utf8(c, m->desc);
    if (m->access & CF_ACC_BRIDGE) return true;
    if ((m->access & CF_ACC_SYNTHETIC) && !cf_str_starts(name, "lambda$") &&
        !(cf_str_starts(name, "$anonfun$") && scala_class(c)) && !(cov_kotlin_written(name, desc) && cov_kotlin_class(c)))
        return true;
    if (cf_str_is(cf_class_name(c, c->super_class), "java/lang/Enum") && enum_method(c, name, desc)) return true;
    return generated(c, &m->attrs);
}

bool cov_methods_next(CovMethods *it) {
    while (it->next < it->cls->method_count) {
        const CfMember *m = &it->cls->methods[it->next++];
        if (is_filtered(it->cls, m)) continue;
        CovCodeResult rc = cov_code(&it->code, it->cls, m, it->arena);
        it->skipped += rc == COV_CODE_JSR || rc == COV_CODE_BAD;
        if (rc != COV_CODE_OK) continue;
        it->method = m;
        it->first = it->total;
        it->total += it->code.nprobes;
        return true;
    }
    return false;
}

/* ---- the matcher -------------------------------------------------------------------------- */

void cov_m_begin(CovMatch *m, const CovCode *code, uint32_t pos) {
    m->code = code;
    m->pos = pos;
    m->level = 0;
    m->owner = (CfStr){NULL, 0};
    memset(m->vars, 0xff, sizeof m->vars);
    memset(m->labels, 0xff, sizeof m->labels);
}

#define INTRINSICS "kotlin/jvm/internal/Intrinsics"
static const struct Call {
    const char *word, *owner, *name, *desc; /* owner NULL: any */
    uint8_t op;
} calls[] = {
    {"hashCode", "java/lang/String", "hashCode", "()I", CF_OP_INVOKEVIRTUAL},
    {"equals", "java/lang/String", "equals", "(Ljava/lang/Object;)Z", CF_OP_INVOKEVIRTUAL},
    {"addSuppressed", "java/lang/Throwable", "addSuppressed", "(Ljava/lang/Throwable;)V", CF_OP_INVOKEVIRTUAL},
    {"uninitialised", INTRINSICS, "throwUninitializedPropertyAccessException", "(Ljava/lang/String;)V", CF_OP_INVOKESTATIC},
    {"suspended", "kotlin/coroutines/intrinsics/IntrinsicsKt", "getCOROUTINE_SUSPENDED", "()Ljava/lang/Object;",
     CF_OP_INVOKESTATIC},
    {"throwOnFailure", "kotlin/ResultKt", "throwOnFailure", "(Ljava/lang/Object;)V", CF_OP_INVOKESTATIC},
    {"throwNpe", INTRINSICS, "throwNpe", "()V", CF_OP_INVOKESTATIC},
    {"closeResource", NULL, "$closeResource", "(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V", CF_OP_INVOKESTATIC}};

static bool is_word(const char *word, size_t n, const char *text) { return strlen(text) == n && !memcmp(word, text, n); }

static bool is_call(const CovMatch *m, const CovInsn *i, const char *word, size_t n) {
    CfStr owner, name, desc;
    const struct Call *c = calls, *end = calls + sizeof calls / sizeof *calls;
    while (c < end && !is_word(word, n, c->word)) c++;
    return c < end && i->op == c->op && cf_member_ref(m->code->cls, i->index, &owner, &name, &desc) && cf_str_is(name, c->name) &&
           cf_str_is(desc, c->desc) && (!c->owner || cf_str_is(owner, c->owner));
}

static bool is_close(CovMatch *m, bool same_owner) {
    const CovInsn *i = m->pos < m->code->ninsns ? &m->code->insns[m->pos++] : NULL;
    CfStr owner, name, desc;
    if (!i || (i->op != CF_OP_INVOKEINTERFACE && i->op != CF_OP_INVOKEVIRTUAL) ||
        !cf_member_ref(m->code->cls, i->index, &owner, &name, &desc) || !cf_str_is(name, "close") || !cf_str_is(desc, "()V") ||
        (same_owner && m->owner.p && !cf_str_eq(m->owner, owner)))
        return false;
    m->owner = owner;
    return true;
}

/* `word` without what stands behind the colon. */
static bool is_op(const CovMatch *m, const CovInsn *i, const char *word, size_t n) {
    if (is_word(word, n, "any")) return true;
    if (is_word(word, n, "switch")) return cf_op_info[i->op].flags & CF_OF_SWITCH;
    return is_word(word, n, cf_op_info[i->op].name) || is_call(m, i, word, n);
}

static bool bind(CovMatch *m, const CovInsn *i, unsigned name) {
    if (cf_op_info[i->op].flags & CF_OF_BRANCH) {
        if (m->labels[name] == COV_NONE) m->labels[name] = i->target;
        return m->labels[name] == i->target;
    }
    if (m->vars[name] < 0) m->vars[name] = i->index;
    return m->vars[name] == i->index;
}

static bool match_word(CovMatch *m, const char *word, size_t len) {
    const char *colon = memchr(word, ':', len);
    size_t n = colon ? (size_t)(colon - word) : len;
    unsigned name = colon ? cov_m_name(colon[1], n + 2 < len ? m->level : 0) : 0;
    bool same_owner = is_word(word, n, "close"), close = same_owner || is_word(word, n, "close_any");
    if (colon == word) return m->labels[name] == m->pos;
    if (m->pos >= m->code->ninsns) return false;
    const CovInsn *i = &m->code->insns[m->pos++];
    if (close ? i->op != CF_OP_ALOAD : !is_op(m, i, word, n)) return false;
    return (!colon || bind(m, i, name)) && (!close || is_close(m, same_owner));
}

bool cov_match(CovMatch *m, const char *pattern) {
    for (size_t n; *pattern; pattern += n + (pattern[n] == ' ')) {
        n = strcspn(pattern, " ");
        if (!match_word(m, pattern, n)) return false;
    }
    return true;
}

/* ---- what filters say ------------------------------------------------------------------------ */

void cov_f_ignore(CovFilterOut *o, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i <= to && i < o->code->ninsns; i++) o->status[i].ignore = true;
}

static uint32_t find_group(CovFilterOut *o, uint32_t i) {
    while (o->group[i] != i) i = o->group[i] = o->group[o->group[i]];
    return i;
}

static void merge(CovFilterOut *o, uint32_t a, uint32_t b) {
    a = find_group(o, a);
    b = find_group(o, b);
    if (a != b) o->group[b] = a;
}

static void apply_merges(CovFilterOut *o) {
    CovCode *c = o->code;
    for (uint32_t i = 0; i < c->ninsns; i++) {
        uint32_t g = find_group(o, i);
        const CovInsn *from = &c->insns[i], *to = &c->insns[g];
        for (uint32_t b = 0; g != i && b < from->room && b < to->room; b++) c->taken[to->bits + b] |= c->taken[from->bits + b];
    }
    for (uint32_t i = 0; i < c->ninsns; i++) {
        const CovInsn *g = &c->insns[find_group(o, i)];
        o->status[i].ignore |= g != &c->insns[i]; /* one copy stands for all */
        o->status[i].branches = g->branches;
        o->status[i].taken = cov_insn_taken(c, g);
    }
}

/* ---- finally ------------------------------------------------------------------------------------
 * javac and ecj copy the body of finally to each exit of the try block and to a catch-any handler
 * `astore t; BODY; aload t; athrow`. The copies are found at the exits by comparing opcodes and merged. */

static uint32_t finally_size(const CovCode *c, uint32_t h) {
    if (c->insns[h].op != CF_OP_ASTORE) return 0;
    uint32_t i = h + 1;
    while (i < c->ninsns && !(c->insns[i].op == CF_OP_ALOAD && c->insns[i].index == c->insns[h].index)) i++;
    if (i + 1 >= c->ninsns || c->insns[i + 1].op != CF_OP_ATHROW) return 0;
    return i - h - 1;
}

static void merge_copy(CovFilterOut *o, uint32_t size, uint32_t handler, uint32_t copy) {
    const CovCode *c = o->code;
    if (copy + size > c->ninsns) return;
    for (uint32_t k = 0; k < size; k++)
        if (c->insns[handler + 1 + k].op != c->insns[copy + k].op) return;
    cov_f_ignore(o, handler, handler);
    for (uint32_t k = 0; k < size; k++) merge(o, handler + 1 + k, copy + k);
    cov_f_ignore(o, handler + 1 + size, handler + 2 + size);
    if (copy + size < c->ninsns && c->insns[copy + size].op == CF_OP_GOTO) cov_f_ignore(o, copy + size, copy + size);
}

/* Exits of one protected range: jumps out of it, and its end if control runs on there. */
static void merge_exits(CovFilterOut *o, const CovTry *t, uint32_t size, const uint8_t *inside) {
    const CovCode *c = o->code;
    bool runs_on = false;
    for (uint32_t i = t->start; i < t->end; i++) {
        const CovInsn *in = &c->insns[i];
        uint32_t flags = cf_op_info[in->op].flags;
        if (flags & CF_OF_BRANCH) {
            if (!inside[in->target]) merge_copy(o, size, t->handler, in->target);
            runs_on = in->op != CF_OP_GOTO;
        } else {
            runs_on = !(flags & (CF_OF_RETURN | CF_OF_THROW));
        }
    }
    if (runs_on && t->end < c->ninsns && !inside[t->end]) merge_copy(o, size, t->handler, t->end);
}

static void filter_finally(CovFilterOut *o) {
    const CovCode *c = o->code;
    uint8_t *inside = c->ntries ? CF_NEW_ARRAY(o->arena, uint8_t, c->ninsns + 1) : NULL;
    for (uint32_t k = 0; inside && k < c->ntries; k++) {
        const CovTry *any = &c->tries[k];
        uint32_t size = any->type ? 0 : finally_size(c, any->handler);
        if (!size) continue;
        memset(inside, 0, c->ninsns + 1);
        for (uint32_t j = 0; j < c->ntries; j++)
            if (c->tries[j].handler == any->handler && c->tries[j].start < c->tries[j].end)
                memset(inside + c->tries[j].start, 1, c->tries[j].end - c->tries[j].start);
        for (uint32_t j = 0; j < c->ntries; j++) {
            const CovTry *t = &c->tries[j];
            if (t->handler == any->handler) merge_exits(o, t, size, inside);
            /* an empty catch clause: only its astore stands before the copy */
            if (t != any && t->start == any->start && t->end == any->end && t->handler + 1 < c->ninsns && !inside[t->handler + 1])
                merge_copy(o, size, any->handler, t->handler + 1);
        }
    }
}

/* ---- synchronized: the handler that unlocks and throws on -------------------------------------- */

static void filter_synchronized(CovFilterOut *o) {
    CovMatch m;
    for (uint32_t k = 0; k < o->code->ntries; k++) {
        const CovTry *t = &o->code->tries[k];
        if (t->type || t->start == t->handler) continue;
        cov_m_begin(&m, o->code, t->handler);
        bool found = cov_match(&m, "aload monitorexit athrow"); /* ecj */
        if (!found) {
            m.pos = t->handler; /* javac; the first store belongs to the handler's head */
            found = cov_match(&m, "astore:e aload monitorexit aload:e athrow");
        }
        if (found) cov_f_ignore(o, t->handler, m.pos - 1);
    }
}

/* ---- switch on String ------------------------------------------------------------------------------ */

/* javac: `c = -1; switch (s.hashCode()) { ... if (s.equals("..")) c = n; } switch (c)`: the first
 * switch is no switch of the source. */
static bool javac_string_switch(const CovCode *c, uint32_t n) {
    CovMatch m;
    uint32_t second = c->insns[n].target;
    if (n < 4 || c->insns[n - 4].op != CF_OP_ICONST_M1) return false;
    cov_m_begin(&m, c, n - 3);
    m.labels[cov_m_name('n', 0)] = second;
    bool found = cov_match(&m, "istore:c aload:s hashCode any");
    while (found) {
        found = cov_match(&m, "aload:s ldc equals ifeq any istore:c");
        if (m.pos == second) break;
        found = found && cov_match(&m, "goto:n");
    }
    return found && cov_match(&m, "iload:c switch");
}

void cov_f_replace(CovFilterOut *o, uint32_t n, const uint32_t *to, uint32_t count) {
    CovStatus *s = &o->status[n];
    s->branches = s->taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = 0;
        while (to[j] != to[i]) j++;
        if (j < i) continue;
        s->branches++;
        s->taken += o->status[to[i]].taken != 0;
    }
}

/* ecj: `switch (tmp = s).hashCode()` whose cases compare and jump to the bodies: the branches of
 * the source are the bodies. */
static void ecj_string_switch(CovFilterOut *o, uint32_t start) {
    const CovCode *c = o->code;
    CovMatch m;
    cov_m_begin(&m, c, start);
    if (!cov_match(&m, "astore:s hashCode switch")) return;
    const CovInsn *sw = &c->insns[m.pos - 1];
    uint32_t first = m.pos, deflt = sw->target, nto = 0;
    uint32_t *to = CF_NEW_ARRAY(o->arena, uint32_t, c->ninsns + 1);
    if (!to) return;
    to[nto++] = deflt;
    uint32_t hashes = sw->ntargets ? sw->ntargets - 1 : 0;
    for (uint32_t h = 0; h < hashes; h++)
        for (;;) {
            if (!cov_match(&m, "aload:s ldc equals ifne") || nto >= c->ninsns) return;
            to[nto++] = c->insns[m.pos - 1].target;
            if (m.pos < c->ninsns && c->insns[m.pos].op == CF_OP_GOTO) {
                m.pos++;
                break;
            }
            if (m.pos == deflt) break;
        }
    if (!hashes) return;
    cov_f_ignore(o, first, m.pos - 1);
    cov_f_replace(o, first - 1, to, nto);
}

static void filter_string_switch(CovFilterOut *o) {
    const CovCode *c = o->code;
    for (uint32_t n = 0; n < c->ninsns; n++) {
        if ((cf_op_info[c->insns[n].op].flags & CF_OF_SWITCH) && javac_string_switch(c, n))
            cov_f_ignore(o, n, c->insns[n].target - 1);
        if (c->insns[n].op == CF_OP_ASTORE) ecj_string_switch(o, n);
    }
}

/* ---- assert ---------------------------------------------------------------------------------------- */

static bool disabled_flag(const CovCode *c, const CovInsn *i, unsigned op) {
    CfStr owner, name, desc;
    return i->op == op && cf_member_ref(c->cls, i->index, &owner, &name, &desc) && cf_str_is(name, "$assertionsDisabled") &&
           cf_str_is(desc, "Z");
}

static void filter_assert(CovFilterOut *o) {
    const CovCode *c = o->code;
    for (uint32_t n = 0; n + 1 < c->ninsns; n++)
        if (disabled_flag(c, &c->insns[n], CF_OP_GETSTATIC) && c->insns[n + 1].op == CF_OP_IFNE) cov_f_ignore(o, n + 1, n + 1);
        else if (n >= 6 && disabled_flag(c, &c->insns[n], CF_OP_PUTSTATIC) && c->insns[n - 4].op == CF_OP_IFNE)
            cov_f_ignore(o, n - 6, n);
}

/* ---- what is there for values that cannot come ---------------------------------------------------- */

/* `default: throw new MatchException(null, null)` (before 21 IncompatibleClassChangeError) of a switch that has a case for all. */
static void filter_exhaustive(CovFilterOut *o) {
    const CovCode *c = o->code;
    for (uint32_t n = 0; n < c->ninsns; n++) {
        const CovInsn *sw = &c->insns[n];
        CovMatch m;
        if (!(cf_op_info[sw->op].flags & CF_OF_SWITCH) || sw->ntargets < 2 || c->insns[sw->target].line != sw->line) continue;
        CfStr made = cf_class_name(c->cls, c->insns[sw->target].index);
        bool match = cf_str_is(made, "java/lang/MatchException");
        cov_m_begin(&m, c, sw->target);
        if (!match && !cf_str_is(made, "java/lang/IncompatibleClassChangeError")) continue;
        if (!cov_match(&m, match ? "new dup aconst_null aconst_null invokespecial athrow" : "new dup invokespecial athrow"))
            continue;
        cov_f_ignore(o, sw->target, m.pos - 1);
        cov_f_replace(o, n, c->targets + sw->targets + 1, sw->ntargets - 1);
    }
}

/* An accessor that throws inside of a record pattern: catch (Throwable t) { throw new MatchException(t.toString(), t); } */
static void filter_record_pattern(CovFilterOut *o) {
    const CovCode *c = o->code;
    CovMatch m;
    for (uint32_t k = 0; k < c->ntries; k++) {
        const CovTry *t = &c->tries[k];
        if (!t->type || !cf_str_is(cf_class_name(c->cls, t->type), "java/lang/Throwable")) continue;
        cov_m_begin(&m, c, t->handler);
        if (cov_match(&m, "astore:c new dup aload:c invokevirtual aload:c invokespecial athrow") &&
            cf_str_is(cf_class_name(c->cls, c->insns[t->handler + 1].index), "java/lang/MatchException"))
            cov_f_ignore(o, t->handler, m.pos - 1);
    }
}

/* ---- whole bodies that are empty or generated -------------------------------------------------------- */

static bool record_method(const CovCode *c, CfStr name, CfStr desc) {
    static const struct {
        const char *name, *desc, *body;
    } rows[] = {{"toString", "()Ljava/lang/String;", "aload invokedynamic areturn"},
                {"hashCode", "()I", "aload invokedynamic ireturn"},
                {"equals", "(Ljava/lang/Object;)Z", "aload aload invokedynamic ireturn"}};
    if (!cf_str_is(cf_class_name(c->cls, c->cls->super_class), "java/lang/Record")) return false;
    for (unsigned r = 0; r < 3; r++) {
        if (!cf_str_is(name, rows[r].name) || !cf_str_is(desc, rows[r].desc)) continue;
        CovMatch m;
        CfStr n, d;
        cov_m_begin(&m, c, 0);
        return cov_match(&m, rows[r].body) && cf_name_and_type(c->cls, c->insns[m.pos - 2].index, &n, &d) && cf_str_eq(n, name);
    }
    return false;
}

/* int x() { return x; } of a record */
static bool record_accessor(const CovCode *c, CfStr name, CfStr desc) {
    CfStr owner, n, d;
    if (!cf_str_is(cf_class_name(c->cls, c->cls->super_class), "java/lang/Record") || !cf_str_starts(desc, "()")) return false;
    return c->ninsns == 3 && c->insns[0].op == CF_OP_ALOAD && c->insns[1].op == CF_OP_GETFIELD &&
           (cf_op_info[c->insns[2].op].flags & CF_OF_RETURN) && cf_member_ref(c->cls, c->insns[1].index, &owner, &n, &d) &&
           cf_str_eq(n, name);
}

static bool empty_constructor(const CovCode *c, CfStr name, CfStr desc) {
    CfStr super = cf_class_name(c->cls, c->cls->super_class), o, n, d;
    bool is_enum = cf_str_is(super, "java/lang/Enum") && cf_str_is(desc, "(Ljava/lang/String;I)V");
    if (!cf_str_is(name, "<init>") || !(is_enum || ((c->method->access & CF_ACC_PRIVATE) && cf_str_is(desc, "()V"))))
        return false;
    CovMatch m;
    cov_m_begin(&m, c, 0);
    return cov_match(&m, is_enum ? "aload aload iload invokespecial return" : "aload invokespecial return") &&
           cf_member_ref(c->cls, c->insns[m.pos - 2].index, &o, &n, &d) && cf_str_eq(o, super) && cf_str_eq(d, desc);
}

static void filter_bodies(CovFilterOut *o, bool old) {
    const CfClass *c = o->code->cls;
    CfStr name = cf_utf8(c, o->code->method->name), desc = cf_utf8(c, o->code->method->desc);
    if (record_method(o->code, name, desc) || empty_constructor(o->code, name, desc) ||
        (!old && record_accessor(o->code, name, desc)))
        cov_f_ignore(o, 0, o->code->ninsns - 1);
}

CovStatus *cov_filter_code(CovCode *code, const CovFilters *f, CfArena *arena) {
    CovFilterOut o = {.code = code, .arena = arena};
    o.status = CF_NEW_ARRAY(arena, CovStatus, code->ninsns + 1);
    o.group = CF_NEW_ARRAY(arena, uint32_t, code->ninsns + 1);
    if (!o.status || !o.group || !code->taken) return NULL;
    for (uint32_t i = 0; i < code->ninsns; i++) o.group[i] = i;
    if (!f->off && code->ninsns) {
        filter_synchronized(&o);
        cov_filter_resources(&o);
        filter_finally(&o);
        filter_bodies(&o, f->old);
        if (f->assertions) filter_assert(&o);
    }
    apply_merges(&o);
    if (f->off || !code->ninsns) return o.status;
    filter_string_switch(&o);
    cov_filter_kotlin(&o, f->old);
    if (!f->old) {
        filter_exhaustive(&o);
        filter_record_pattern(&o);
    }
    return o.status;
}
