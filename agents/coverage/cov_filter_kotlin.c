/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_filter_kotlin.c - what Kotlin's compiler adds, as far as JaCoCo 0.8.6 leaves it out.
 *
 * Looks at classes with kotlin.Metadata. Runs behind the merges: it ignores instructions and replaces branches. Methods without
 * lines are the compiler's (data classes, delegates to default methods); lines behind those of the source are
 * inlined bodies of other files, told by the SMAP of SourceDebugExtension.
 */
#include "cov_filter.h"

#include <stdio.h>
#include <stdlib.h>

bool cov_kotlin_class(const CfClass *c) {
    CfAnnotations all;
    CfAnnotation one;
    const CfAttr *a = cf_attr(&c->attrs, CF_ATTR_RUNTIME_VISIBLE_ANNOTATIONS);
    if (!a || cf_annotations(a, &all, NULL) != CF_OK) return false;
    while (cf_annotation_next(&all, &one))
        if (cf_str_is(cf_utf8(c, one.type), "Lkotlin/Metadata;")) return true;
    return false;
}

/* ---- default arguments ------------------------------------------------------------------------------
 * f$default(a, b, mask, marker): `if ((mask & 1) != 0) a = ...;` for each parameter. */

enum { MAX_ARGUMENTS = 256, MASK_BITS = 32 };

static unsigned arguments(CfStr desc, CfStr types[MAX_ARGUMENTS]) {
    CfDescIter it = cf_desc_start(desc);
    unsigned n = 0;
    while (n < MAX_ARGUMENTS && cf_desc_next(&it, &types[n])) n++;
    return n;
}

static bool ends_with(CfStr s, const char *tail) {
    size_t n = strlen(tail);
    return s.len >= n && !memcmp(s.p + s.len - n, tail, n);
}

static bool has_defaults(CfStr name, CfStr desc) {
    CfStr types[MAX_ARGUMENTS];
    if (ends_with(name, "$default")) return true;
    unsigned n = cf_str_is(name, "<init>") ? arguments(desc, types) : 0;
    return n >= 2 && cf_str_is(types[n - 1], "Lkotlin/jvm/internal/DefaultConstructorMarker;");
}

/* Local variable of the first mask: behind the arguments, of which each mask has the bits of 32. */
static unsigned mask_variable(CfStr desc, bool constructor) {
    CfStr types[MAX_ARGUMENTS];
    unsigned n = arguments(desc, types), slot = constructor, masks = n < 2 ? 0 : (n - 2) / (MASK_BITS + 1) + 1;
    for (unsigned i = 0; i + 1 + masks < n; i++) slot += cf_desc_slots(types[i]);
    return slot;
}

static bool is_text(const CovCode *c, uint32_t at, const char *start) {
    CfStr s = cf_name_of(c->cls, c->insns[at].index);
    return c->insns[at].op == CF_OP_LDC && cf_str_starts(s, start);
}

static void default_arguments(CovFilterOut *o) {
    const CovCode *c = o->code;
    CfStr name = cf_utf8(c->cls, c->method->name), desc = cf_utf8(c->cls, c->method->desc);
    uint32_t at = 0;
    CovMatch m;
    if (!(c->method->access & CF_ACC_SYNTHETIC) || !has_defaults(name, desc)) return;
    cov_m_begin(&m, c, 0);
    if (cov_match(&m, "aload ifnull new dup ldc invokespecial athrow") && is_text(c, 4, "Super calls with default arguments"))
        cov_f_ignore(o, 0, m.pos - 1), at = m.pos;
    unsigned mask = mask_variable(desc, cf_str_is(name, "<init>"));
    while (at + 3 < c->ninsns && c->insns[at].op == CF_OP_ILOAD && c->insns[at].index >= mask &&
           c->insns[at + 2].op == CF_OP_IAND && c->insns[at + 3].op == CF_OP_IFEQ && c->insns[at + 3].target > at) {
        cov_f_ignore(o, at + 3, at + 3);
        at = c->insns[at + 3].target;
    }
}

/* ---- checks that the compiler puts in ---------------------------------------------------------------- */

/* Tries a shape at `at`; the end is in *end if it is found. */
static bool shape(CovFilterOut *o, uint32_t at, const char *pattern, uint32_t *end) {
    CovMatch m;
    cov_m_begin(&m, o->code, at);
    if (!cov_match(&m, pattern)) return false;
    *end = m.pos - 1;
    return true;
}

/* Reading a lateinit property; the shapes of 1.2, 1.6.20, 1.5. */
static void lateinit(CovFilterOut *o, uint32_t at) {
    static const char *const shapes[] = {
        "ifnonnull:t ldc uninitialised :t",         "ifnonnull:t ldc uninitialised any :t",
        "ifnonnull:t ldc uninitialised any any :t", "ifnonnull:t pop ldc uninitialised :t",
        "ifnonnull:t pop ldc uninitialised any :t", "ifnonnull:t pop ldc uninitialised any any :t"};
    uint32_t end;
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shape(o, at, shapes[i], &end)) return cov_f_ignore(o, at, end);
    const CovInsn *insn = &o->code->insns[at];
    if (insn->op != CF_OP_IFNULL) return;
    if (!shape(o, insn->target, "ldc uninitialised any any", &end) &&
        !shape(o, insn->target, "pop ldc uninitialised any any", &end))
        return;
    if (o->code->insns[end].op != CF_OP_ARETURN && o->code->insns[end].op != CF_OP_ATHROW) return;
    cov_f_ignore(o, at, at);
    cov_f_ignore(o, insn->target, end);
}

/* `s!!` before 1.4 */
static void not_null(CovFilterOut *o, uint32_t at) {
    uint32_t end;
    if (shape(o, at, "ifnonnull throwNpe", &end)) cov_f_ignore(o, at, end);
}

static bool makes(const CovCode *c, uint32_t at, const char *cls) {
    return cf_str_is(cf_class_name(c->cls, c->insns[at].index), cls);
}

/* `x as T` of a T that cannot be null */
static void cast(CovFilterOut *o, uint32_t at) {
    const CovCode *c = o->code;
    uint32_t end;
    if (!shape(o, at, "ifnonnull:t new dup ldc invokespecial athrow :t", &end) &&
        !shape(o, at, "ifnonnull:t pop new dup ldc invokespecial athrow :t", &end))
        return;
    uint32_t made = end - 4;
    if (!makes(c, made, "kotlin/TypeCastException") && !makes(c, made, "java/lang/NullPointerException")) return;
    if (is_text(c, made + 2, "null cannot be cast to non-null type")) cov_f_ignore(o, at, end);
}

/* ---- when ------------------------------------------------------------------------------------------- */

/* A `when` without else over all that there is throws where no value leads. */
static void when_else(CovFilterOut *o, uint32_t at) {
    const CovCode *c = o->code;
    uint32_t end;
    if (!shape(o, at, "new dup invokespecial athrow", &end) || !makes(c, at, "kotlin/NoWhenBranchMatchedException")) return;
    for (uint32_t i = at; i-- > 0;) {
        const CovInsn *insn = &c->insns[i];
        bool is_switch = cf_op_info[insn->op].flags & CF_OF_SWITCH;
        if (insn->target != at || (insn->op != CF_OP_IFEQ && !is_switch)) continue;
        if (is_switch) cov_f_replace(o, i, c->targets + insn->targets + 1, insn->ntargets - 1);
        else cov_f_ignore(o, i, i);
        return cov_f_ignore(o, at, end);
    }
}

/* As ecj's switch on strings, but each comparison jumps on if it fails. The branches of the source are the bodies. */
static void when_string(CovFilterOut *o, uint32_t at) {
    const CovCode *c = o->code;
    CovMatch m;
    cov_m_begin(&m, c, at);
    if (!cov_match(&m, "aload:s hashCode switch")) return;
    const CovInsn *sw = &c->insns[m.pos - 1];
    uint32_t first = m.pos, deflt = sw->target, n = 0;
    uint32_t *to = CF_NEW_ARRAY(o->arena, uint32_t, c->ninsns + 1);
    if (!to || sw->ntargets < 2) return;
    to[n++] = deflt;
    for (uint32_t hashes = sw->ntargets - 1; hashes > 0;) {
        if (!cov_match(&m, "aload:s ldc equals ifeq") || m.pos >= c->ninsns) return;
        uint32_t next = c->insns[m.pos - 1].target;
        if (c->insns[m.pos].op == CF_OP_GOTO) {
            to[n++] = c->insns[m.pos++].target;
            hashes -= next == deflt;
        } else if (hashes == 1 && next == deflt) { /* the last body stands here */
            to[n++] = m.pos;
            hashes = 0;
        } else {
            return;
        }
    }
    cov_f_ignore(o, first, m.pos - 1);
    cov_f_replace(o, first - 1, to, n);
}

/* ---- functions that suspend ---------------------------------------------------------------------------
 * The body is a state machine: `switch (label)`, a case for each place where it goes on. A call that may suspend is followed by
 * `if (result == SUSPENDED) return SUSPENDED;`, then comes the case: locals are fetched, and the result that it was resumed with takes the
 * place of the call's. None of these ways is one of the source. */

static bool suspends(CfStr desc) {
    CfStr types[MAX_ARGUMENTS];
    unsigned n = arguments(desc, types);
    return n && cf_str_is(types[n - 1], "Lkotlin/coroutines/Continuation;");
}

bool cov_kotlin_written(CfStr name, CfStr desc) {
    return has_defaults(name, desc) || (suspends(desc) && !cf_str_starts(name, "access$"));
}

/* Of case `next`: the call that leads to it, somewhere from *at on. */
static bool resumption(CovFilterOut *o, const CovMatch *machine, uint32_t next, uint32_t *at) {
    CovMatch m = *machine;
    for (uint32_t from = *at; from < o->code->ninsns; from++) {
        m.pos = from;
        m.labels[cov_m_name('g', 0)] = COV_NONE;
        if (!cov_match(&m, "dup aload:c if_acmpne:g aload:c areturn") || m.pos != next) continue;
        for (uint32_t i = next; i < o->code->ninsns; i++) {
            m.pos = i;
            if (!cov_match(&m, "aload throwOnFailure aload :g")) continue;
            cov_f_ignore(o, from, m.pos - 1);
            *at = m.pos;
            return true;
        }
    }
    return false;
}

/* A call whose result nobody wants, at the end of a function that returns nothing: later compilers than 1.3 make no machine of that. */
static void handed_on(CovFilterOut *o, uint32_t at) {
    uint32_t end;
    if (shape(o, at, "dup suspended if_acmpne:g areturn :g pop", &end)) cov_f_ignore(o, at, end);
}

/* A method has one machine, and only what finds or makes its state is in front of that. */
static void coroutine(CovFilterOut *o) {
    const CovCode *c = o->code;
    CovMatch m;
    uint32_t at = 0, end;
    for (cov_m_begin(&m, c, 0); !cov_match(&m, "suspended"); m.pos = ++at)
        if (at >= c->ninsns) return;
    if (!cov_match(&m, "astore:c aload getfield switch aload throwOnFailure")) return;
    const CovInsn *sw = &c->insns[at + 4];
    if (!shape(o, sw->target, "new dup ldc invokespecial athrow", &end) ||
        !makes(c, sw->target, "java/lang/IllegalStateException"))
        return;
    cov_f_ignore(o, sw->target, end);
    cov_f_ignore(o, 0, m.pos - 1);
    uint32_t from = m.pos;
    for (uint32_t i = 2; i < sw->ntargets; i++) /* behind the default and the beginning */
        if (!resumption(o, &m, c->targets[sw->targets + i], &from)) return;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

/* JaCoCo 0.8.6 left out whole methods only. */
static void without_lines(CovFilterOut *o, bool old) {
    const CovCode *c = o->code;
    uint32_t n = 0;
    if (!cf_attr(&c->cls->attrs, CF_ATTR_SOURCE_FILE)) return;
    while (n < c->ninsns && c->insns[n].line == COV_NO_LINE) n++;
    if (n && (!old || n == c->ninsns)) cov_f_ignore(o, 0, n - 1);
}

/* A method that only hands on to the body of an interface's default method. */
static void default_method(CovFilterOut *o) {
    CfStr owner, name, desc;
    uint32_t end;
    if (shape(o, 0, "aload invokestatic", &end) && cf_member_ref(o->code->cls, o->code->insns[1].index, &owner, &name, &desc) &&
        ends_with(owner, "$DefaultImpls"))
        cov_f_ignore(o, 0, o->code->ninsns - 1);
}

/* The number of the file that holds the class itself, of "*F": "+ 1 Shapes.kt", next line "k/ShapesKt". */
static void note_file(const char *line, const char *next, const char *cls, size_t len, long *own) {
    size_t n = strcspn(next, "\r\n");
    if (line[0] == '+' && n == len && !memcmp(next, cls, len)) *own = strtol(line + 1, NULL, 10);
}

/* "12#2,3:50,1": three lines from 12 of file 2 stand from 50 on. The smallest such line that is no line of the source itself. */
static void note_range(const char *line, long own, long *file, long *first) {
    char *p;
    long in = strtol(line, &p, 10);
    if (p == line) return;
    if (*p == '#') *file = strtol(p + 1, &p, 10);
    if (*p == ',') strtol(p + 1, &p, 10);
    if (*p != ':') return;
    long out = strtol(p + 1, &p, 10);
    if ((*file != own || in != out) && out < *first) *first = out;
}

/* First line of inlined code; LONG_MAX-like if there is none. `map` is NUL-terminated. */
static long first_inlined(const char *map, CfStr cls) {
    long own = -1, file = 0, first = INT32_MAX;
    char section = 0;
    const char *p = strstr(map, "*S Kotlin\n");
    for (p = p ? strchr(p, '\n') + 1 : NULL; p && *p;) {
        const char *next = strchr(p, '\n');
        next = next ? next + 1 : p + strlen(p);
        if (*p == '*') {
            if (p[1] == 'E' || p[1] == 'S') break;
            section = p[1];
        } else if (section == 'F') {
            note_file(p, next, cls.p, cls.len, &own);
        } else if (section == 'L') {
            note_range(p, own, &file, &first);
        }
        p = next;
    }
    return first;
}

static void inlined(CovFilterOut *o) {
    const CovCode *c = o->code;
    const CfAttr *a = cf_attr(&c->cls->attrs, CF_ATTR_SOURCE_DEBUG_EXTENSION);
    char *map = a ? cf_arena_copy(o->arena, a->data, a->len) : NULL;
    long first = map ? first_inlined(map, c->cls->name) : INT32_MAX;
    for (uint32_t i = 0; i < c->ninsns; i++)
        if (c->insns[i].line >= first) cov_f_ignore(o, i, i);
}

void cov_filter_kotlin(CovFilterOut *o, bool old) {
    if (!cov_kotlin_class(o->code->cls)) return;
    without_lines(o, old);
    default_arguments(o);
    default_method(o);
    for (uint32_t i = 0; i < o->code->ninsns; i++) {
        lateinit(o, i);
        not_null(o, i);
        cast(o, i);
        when_else(o, i);
        when_string(o, i);
        handed_on(o, i);
    }
    coroutine(o);
    inlined(o);
}
