/* SPDX-License-Identifier: Apache-2.0 */
/* cov_model.c - from class files and probes to counters; definitions in cov_model.h. */
#include "cov_model.h"

#include "method_text.h"
#include "utf8.h"

#include <stdlib.h>

const char *const cov_counter_names[COV_COUNTERS] = {
    [COV_INSTRUCTION] = "INSTRUCTION", [COV_BRANCH] = "BRANCH", [COV_LINE] = "LINE",
    [COV_COMPLEXITY] = "COMPLEXITY",   [COV_METHOD] = "METHOD", [COV_CLASS] = "CLASS"};

static CovCount one(bool covered) { return (CovCount){!covered, covered}; }

static char *text(CovModel *m, CfStr s) {
    char *name = agent_name_text(s.p, s.len);
    char *p = name ? cf_arena_copy(&m->arena, name, strlen(name)) : NULL;
    free(name);
    return p;
}

const CovLine *cov_line_at(const CovLines *l, int32_t line) {
    if (line < l->first || line - l->first >= (int64_t)l->n) return NULL;
    const CovLine *p = &l->v[line - l->first];
    return p->mi + p->ci ? p : NULL;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool widen(CovModel *m, CovLines *l, int32_t first, int32_t last) {
    if (l->n) {
        int32_t end = l->first + (int32_t)l->n - 1;
        if (first >= l->first && last <= end) return true;
        first = first < l->first ? first : l->first;
        last = last > end ? last : end;
    }
    CovLine *v = CF_NEW_ARRAY(&m->arena, CovLine, (size_t)(last - first) + 1);
    if (!v) return false;
    if (l->n) memcpy(v + (l->first - first), l->v, l->n * sizeof *v);
    *l = (CovLines){first, (uint32_t)(last - first) + 1, v};
    return true;
}

static void add_lines(CovModel *m, CovLines *to, const CovLines *from) {
    if (!from->n || !widen(m, to, from->first, from->first + (int32_t)from->n - 1)) return;
    for (uint32_t i = 0; i < from->n; i++) {
        CovLine *t = &to->v[from->first - to->first + (int32_t)i];
        const CovLine *f = &from->v[i];
        t->mi += f->mi, t->ci += f->ci, t->mb += f->mb, t->cb += f->cb;
        t->runs = f->runs > t->runs ? f->runs : t->runs;
    }
}

static CovCount count_lines(const CovLines *l) {
    CovCount c = {0, 0};
    for (uint32_t i = 0; i < l->n; i++)
        if (l->v[i].mi + l->v[i].ci) cov_add(&c, one(l->v[i].ci != 0));
    return c;
}

/* ---- methods and classes ---------------------------------------------------------------------- */

static void count_insn(CovMethod *out, CovLines *lines, const CovInsn *i, const CovStatus *s, bool counts) {
    CovCount insn = one(s->taken != 0), branch = {0, 0};
    if (s->branches > 1) {
        branch = (CovCount){s->branches - s->taken, s->taken};
        uint32_t done = s->taken > 1 ? s->taken - 1 : 0;
        cov_add(&out->c[COV_COMPLEXITY], (CovCount){s->branches - 1 - done, done});
    }
    cov_add(&out->c[COV_INSTRUCTION], insn);
    cov_add(&out->c[COV_BRANCH], branch);
    if (i->line == COV_NO_LINE) return;
    CovLine *l = &lines->v[i->line - lines->first];
    l->mi += insn.missed, l->ci += insn.covered, l->mb += branch.missed, l->cb += branch.covered;
    uint64_t runs = counts ? i->runs : insn.covered;
    l->runs = runs > l->runs ? runs : l->runs;
}

/* Counts one method; false if all of it is filtered. */
static bool count_method(CovModel *m, CovMethod *out, const CovCode *code, const CovStatus *status) {
    CovLines *lines = &out->lines;
    int32_t first = INT32_MAX, last = -1;
    for (uint32_t n = 0; n < code->ninsns; n++) {
        int32_t line = code->insns[n].line;
        if (status[n].ignore || line == COV_NO_LINE) continue;
        first = line < first ? line : first;
        last = line > last ? line : last;
    }
    if (last >= 0) {
        lines->v = CF_NEW_ARRAY(&m->arena, CovLine, (size_t)(last - first) + 1);
        lines->first = first;
        lines->n = (uint32_t)(last - first) + 1;
        if (!lines->v) return false;
    }
    for (uint32_t n = 0; n < code->ninsns; n++)
        if (!status[n].ignore) count_insn(out, lines, &code->insns[n], &status[n], m->counts);
    if (!cov_total(out->c[COV_INSTRUCTION])) return false;
    CovCount base = one(out->c[COV_INSTRUCTION].covered != 0);
    cov_add(&out->c[COV_METHOD], base);
    cov_add(&out->c[COV_COMPLEXITY], base);
    out->c[COV_LINE] = count_lines(lines);
    out->line = last >= 0 ? first : COV_NO_LINE;
    return true;
}

/* ---- arms ------------------------------------------------------------------------------------------ */

typedef struct Arms {
    CF_VEC(CovArm) v;
    uint32_t insns; /* instructions with arms so far */
} Arms;

static bool put_arm(Arms *a, const CovCode *code, uint32_t from, uint32_t to, CovArmKind kind, bool taken) {
    CovArm arm = {.line = code->insns[from].line, .to = COV_NO_LINE, .insn = a->insns, .kind = (uint8_t)kind, .taken = taken};
    if (to < code->ninsns) arm.to = code->insns[to].line;
    return cf_vec_push(&a->v, arm);
}

/* Those of one instruction, if no filter has replaced its branches. */
static bool insn_arms(Arms *a, const CovCode *code, uint32_t n, const CovStatus *s) {
    const CovInsn *i = &code->insns[n];
    const uint8_t *taken = code->taken + i->bits;
    uint32_t flags = cf_op_info[i->op].flags;
    bool ok = true;
    if (s->ignore || s->branches < 2 || s->branches != i->branches || i->line == COV_NO_LINE) return true;
    a->insns++;
    if (flags & CF_OF_SWITCH)
        for (uint32_t k = 0; k < i->ntargets; k++)
            ok &= put_arm(a, code, n, code->targets[i->targets + k], k ? COV_ARM_CASE : COV_ARM_DEFAULT, taken[k]);
    else if (flags & CF_OF_BRANCH)
        ok = put_arm(a, code, n, n + 1, COV_ARM_ON, taken[0]) && put_arm(a, code, n, i->target, COV_ARM_JUMP, taken[1]);
    return ok;
}

static bool catch_arms(CovModel *m, Arms *a, const CovCode *code, const CovStatus *status) {
    bool ok = true;
    for (uint32_t k = 0; k < code->ntries; k++) {
        const CovTry *t = &code->tries[k];
        uint32_t seen = 0;
        while (code->tries[seen].handler != t->handler || code->tries[seen].type != t->type) seen++;
        if (seen < k || !t->type || status[t->handler].ignore || code->insns[t->handler].line == COV_NO_LINE) continue;
        a->insns++;
        ok &= put_arm(a, code, t->handler, t->handler, COV_ARM_CATCH, status[t->handler].taken != 0);
        if (ok) a->v.data[a->v.len - 1].caught = text(m, cf_class_name(code->cls, t->type));
    }
    return ok;
}

/* Without memory some are missing. */
static void method_arms(CovModel *m, Arms *a, const CovCode *code, const CovStatus *status) {
    for (uint32_t n = 0; n < code->ninsns; n++) insn_arms(a, code, n, &status[n]);
    catch_arms(m, a, code, status);
}

static void keep_arms(CovModel *m, CovClass *out, Arms *a) {
    out->arms = CF_NEW_ARRAY(&m->arena, CovArm, a->v.len + 1u);
    if (out->arms && a->v.len) memcpy(out->arms, a->v.data, (out->narms = a->v.len) * sizeof *out->arms);
    cf_vec_free(&a->v);
}

static void name_class(CovModel *m, CovClass *out, const CovDataClass *d, const CfClass *c) {
    out->name = text(m, c->name);
    const char *slash = out->name ? strrchr(out->name, '/') : NULL;
    out->package = slash ? cf_arena_copy(&m->arena, out->name, (size_t)(slash - out->name)) : "";
    CfStr src = cf_utf8(c, cf_attr_index(cf_attr(&c->attrs, CF_ATTR_SOURCE_FILE)));
    out->source = src.p ? text(m, src) : NULL;
    out->loader = d->loader;
    out->loaded = !d->extra;
    out->crc = d->crc;
}

static void leave_out(CovModel *m, const CovClass *c) {
    CovLeftOut *l = c->package && c->source ? cf_arena_alloc(&m->arena, sizeof *l) : NULL;
    if (!l) return;
    *l = (CovLeftOut){c->package, c->source, m->left_out};
    m->left_out = l;
}

/* 1 = counted, 0 = nothing in it, -1 = skipped. */
static int build_class(CovModel *m, CovClass *out, const CovDataClass *d, const CovFilters *f, CfArena *scratch) {
    CfClass *c;
    CfParseOptions any = {.any_version = true};
    bool left_out = d->of_tests && !f->tests;
    if (cf_parse(&c, d->bytes, d->bytes_len, scratch, &any, NULL) != CF_OK) return left_out ? 0 : -1;
    if (cov_filter_class(c)) return 0;
    *out = (CovClass){0};
    name_class(m, out, d, c);
    if (left_out) return leave_out(m, out), 0;
    out->methods = CF_NEW_ARRAY(&m->arena, CovMethod, c->method_count + 1u);
    if (!out->methods || !out->name || !out->package) return -1;
    CovMethods it = {.cls = c, .arena = scratch};
    Arms arms = {.insns = 0};
    while (cov_methods_next(&it)) {
        if (it.total > d->nprobes) return cf_vec_free(&arms.v), -1;
        cov_code_apply(&it.code, d->probes + it.first, scratch);
        const CovStatus *status = cov_filter_code(&it.code, f, scratch);
        CovMethod *mo = &out->methods[out->nmethods];
        *mo = (CovMethod){.name = NULL};
        if (!status || !count_method(m, mo, &it.code, status)) continue;
        method_arms(m, &arms, &it.code, status);
        mo->calls = m->counts ? cov_code_calls(&it.code, d->probes + it.first) : mo->c[COV_METHOD].covered;
        mo->name = text(m, cf_utf8(c, it.method->name));
        mo->desc = text(m, cf_utf8(c, it.method->desc));
        add_lines(m, &out->lines, &mo->lines);
        for (int k = 0; k < COV_COUNTERS; k++)
            if (k != COV_LINE) cov_add(&out->c[k], mo->c[k]);
        out->nmethods++;
    }
    keep_arms(m, out, &arms);
    m->skipped_methods += it.skipped;
    out->c[COV_LINE] = count_lines(&out->lines);
    out->c[COV_CLASS] = one(out->c[COV_METHOD].covered != 0);
    return out->nmethods ? 1 : 0;
}

/* ---- packages and sources ----------------------------------------------------------------------- */

static int by_package(const void *x, const void *y) {
    const CovClass *a = x, *b = y;
    int c = strcmp(a->package, b->package);
    if (!c) c = strcmp(a->name, b->name);
    return c ? c : a->crc < b->crc ? -1 : a->crc > b->crc;
}

static int by_source(const void *x, const void *y) {
    const CovSource *a = x, *b = y;
    return strcmp(a->name, b->name);
}

static CovSource *source_of(CovPackage *p, const char *name) {
    for (uint32_t i = 0; i < p->nsources; i++)
        if (!strcmp(p->sources[i].name, name)) return &p->sources[i];
    CovSource *s = &p->sources[p->nsources++];
    *s = (CovSource){.package = p->name, .name = name};
    return s;
}

static void build_package(CovModel *m, CovPackage *p) {
    for (uint32_t i = 0; i < p->nclasses; i++) {
        CovClass *c = &p->classes[i];
        for (int k = 0; k < COV_COUNTERS; k++)
            if (k != COV_LINE || !c->source) cov_add(&p->c[k], c->c[k]);
        if (!c->source) continue;
        CovSource *s = source_of(p, c->source);
        add_lines(m, &s->lines, &c->lines);
        for (int k = 0; k < COV_COUNTERS; k++)
            if (k != COV_LINE) cov_add(&s->c[k], c->c[k]);
    }
    for (uint32_t i = 0; i < p->nsources; i++) {
        p->sources[i].c[COV_LINE] = count_lines(&p->sources[i].lines);
        cov_add(&p->c[COV_LINE], p->sources[i].c[COV_LINE]);
    }
    if (p->nsources) qsort(p->sources, p->nsources, sizeof *p->sources, by_source);
    for (int k = 0; k < COV_COUNTERS; k++) cov_add(&m->c[k], p->c[k]);
}

static bool build_packages(CovModel *m) {
    if (m->nclasses) qsort(m->classes, m->nclasses, sizeof *m->classes, by_package);
    m->packages = CF_NEW_ARRAY(&m->arena, CovPackage, m->nclasses + 1);
    m->sources = CF_NEW_ARRAY(&m->arena, CovSource, m->nclasses + 1);
    if (!m->packages || !m->sources) return false;
    for (uint32_t i = 0; i < m->nclasses; i++) {
        CovPackage *p = m->npackages ? &m->packages[m->npackages - 1] : NULL;
        if (!p || strcmp(p->name, m->classes[i].package) != 0) {
            p = &m->packages[m->npackages++];
            *p = (CovPackage){.name = m->classes[i].package, .classes = &m->classes[i]};
        }
        p->nclasses++;
    }
    for (uint32_t i = 0; i < m->npackages; i++) {
        m->packages[i].sources = m->sources + m->nsources;
        build_package(m, &m->packages[i]);
        m->nsources += m->packages[i].nsources;
    }
    for (uint32_t i = 0; i < m->nsources; i++) m->sources[i].index = i;
    return true;
}

bool cov_model_build(CovModel *m, const CovData *d, const CovFilters *f, const char *title) {
    CfArena scratch;
    *m = (CovModel){.title = title, .counts = !d->flags_only, .runs = d->runs, .nruns = d->nruns};
    cf_arena_init(&m->arena, "coverage model", 1 << 16);
    cf_arena_init(&scratch, "coverage scratch", 1 << 16);
    m->classes = CF_NEW_ARRAY(&m->arena, CovClass, d->nclasses + 1);
    for (uint32_t i = 0; m->classes && i < d->nclasses; i++) {
        int rc = build_class(m, &m->classes[m->nclasses], &d->classes[i], f, &scratch);
        m->nclasses += rc > 0;
        m->skipped_classes += rc < 0;
        cf_arena_reset(&scratch);
    }
    cf_arena_free(&scratch);
    return m->classes && build_packages(m);
}

void cov_model_free(CovModel *m) {
    cf_arena_free(&m->arena);
    *m = (CovModel){0};
}

/* ---- names ------------------------------------------------------------------------------------------ */

void cov_signature(const CovClass *c, const CovMethod *m, char *buf, size_t n) {
    bool clinit = !strcmp(m->name, "<clinit>"), init = !strcmp(m->name, "<init>");
    const char *simple = strrchr(c->name, '/') ? strrchr(c->name, '/') + 1 : c->name;
    if (init && strrchr(simple, '$') && strrchr(simple, '$')[1]) simple = strrchr(simple, '$') + 1;
    FILE *out = clinit ? NULL : fmemopen(buf, n, "w");
    if (!out) return (void)snprintf(buf, n, "%s", clinit ? "static {...}" : m->name);
    setvbuf(out, NULL, _IONBF, 0); /* what does not fit is cut at the end, not lost as a whole */
    fputs(init ? simple : m->name, out);
    agent_put_parameters(out, cf_str(m->desc), true);
    fclose(out);
    buf[n - 1] = 0;
}
