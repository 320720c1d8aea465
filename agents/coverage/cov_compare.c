/* SPDX-License-Identifier: Apache-2.0 */
/* cov_compare.c - two models: what was gained and lost, by class and line; and the text about it. */
#include "cov_report.h"

CovMark cov_line_mark(const CovSource *s, int32_t line) {
    if (s->changed && cov_diff_has(s->changed, line)) return COV_MARK_CHANGED;
    if (!s->moved || line < s->lines.first || line - s->lines.first >= (int64_t)s->lines.n) return COV_MARK_NONE;
    return s->moved[line - s->lines.first];
}

/* ---- lines ------------------------------------------------------------------------------------------ */

static bool same_code(const CovMethod *a, const CovMethod *b) {
    if (a->lines.n != b->lines.n) return false;
    for (uint32_t i = 0; i < a->lines.n; i++) {
        const CovLine *x = &a->lines.v[i], *y = &b->lines.v[i];
        if (x->mi + x->ci != y->mi + y->ci || x->mb + x->cb != y->mb + y->cb) return false;
    }
    return true;
}

static int level(const CovLine *l) { return !l->ci ? 0 : l->mi || l->mb ? 1 : 2; }

/* Where there are branches, the number of instructions only tells which arm was taken. */
static CovMark compare_line(const CovLine *now, const CovLine *before) {
    int64_t more = level(now) - level(before);
    if (!more) more = now->mb + now->cb ? (int64_t)now->cb - before->cb : (int64_t)now->ci - before->ci;
    return more < 0 ? COV_MARK_LOST : more ? COV_MARK_GAINED : COV_MARK_NONE;
}

/* Two methods on one line (a lambda): what one of them lost counts. */
static void mark_line(CovSource *s, int32_t line, CovMark mark) {
    uint8_t *at = &s->moved[line - s->lines.first];
    if (mark > *at) *at = (uint8_t)mark;
}

static void compare_method(CovClass *c, CovSource *s, const CovMethod *now, const CovMethod *before) {
    for (uint32_t i = 0; i < now->lines.n; i++) {
        CovMark mark = compare_line(&now->lines.v[i], &before->lines.v[i]);
        c->gained += mark == COV_MARK_GAINED;
        c->lost += mark == COV_MARK_LOST;
        if (s && mark) mark_line(s, now->lines.first + (int32_t)i, mark);
    }
}

static const CovMethod *method_of(const CovClass *c, const CovMethod *like) {
    for (uint32_t i = 0; i < c->nmethods; i++)
        if (!strcmp(c->methods[i].name, like->name) && !strcmp(c->methods[i].desc, like->desc)) return &c->methods[i];
    return NULL;
}

static void compare_class(CovClass *c, CovSource *s) {
    for (uint32_t i = 0; i < c->nmethods; i++) {
        const CovMethod *before = method_of(c->before, &c->methods[i]);
        if (before && same_code(&c->methods[i], before)) compare_method(c, s, &c->methods[i], before);
        else c->changed_methods++;
    }
}

/* ---- classes ------------------------------------------------------------------------------------- */

bool cov_class_differs(const CovClass *c) {
    if (!c->before) return true;
    bool same = !c->gained && !c->lost && !c->changed_methods;
    for (int k = 0; same && k < COV_COUNTERS; k++)
        same = c->c[k].missed == c->before->c[k].missed && c->c[k].covered == c->before->c[k].covered;
    return !same;
}

static CovSource *source_of(CovModel *m, CovPackage *p, const CovClass *c) {
    for (uint32_t i = 0; c->source && i < p->nsources; i++) {
        CovSource *s = &p->sources[i];
        if (strcmp(s->name, c->source) != 0) continue;
        if (!s->moved) s->moved = CF_NEW_ARRAY(&m->arena, uint8_t, s->lines.n + 1);
        return s->moved ? s : NULL;
    }
    return NULL;
}

static int by_package_and_name(const CovClass *a, const CovClass *b) {
    int c = strcmp(a->package, b->package);
    return c ? c : strcmp(a->name, b->name);
}

bool cov_model_compare(CovModel *now, CovModel *before) {
    uint32_t old = 0;
    now->before = before;
    for (uint32_t i = 0; i < now->npackages; i++)
        for (uint32_t k = 0; k < now->packages[i].nclasses; k++) {
            CovClass *c = &now->packages[i].classes[k];
            while (old < before->nclasses && by_package_and_name(&before->classes[old], c) < 0) old++;
            if (old == before->nclasses || by_package_and_name(&before->classes[old], c)) continue;
            c->before = &before->classes[old];
            before->classes[old++].paired = true;
            CovSource *s = source_of(now, &now->packages[i], c);
            if (!s && c->source) return false;
            compare_class(c, s);
            now->gained += c->gained;
            now->lost += c->lost;
        }
    return true;
}

/* ---- text ------------------------------------------------------------------------------------------ */

static void put_share(FILE *out, CovCount c) {
    if (cov_total(c)) fprintf(out, "%6.1f%%", cov_percent(c));
    else fputs("      -", out);
}

static void put_pair(FILE *out, const char *what, CovCount before, CovCount now) {
    fprintf(out, "  %s ", what);
    put_share(out, before);
    fputs(" ->", out);
    put_share(out, now);
}

/* "  lost 3-5 9" */
static void put_lines(FILE *out, const char *word, const CovClass *c, CovMark mark) {
    bool any = false;
    for (uint32_t k = 0; k < c->nmethods; k++) {
        const CovMethod *m = &c->methods[k], *b = c->before ? method_of(c->before, m) : NULL;
        if (!b || !same_code(m, b)) continue;
        for (uint32_t i = 0, last; i < m->lines.n; i = last + 1) {
            last = i;
            if (compare_line(&m->lines.v[i], &b->lines.v[i]) != mark) continue;
            while (last + 1 < m->lines.n && compare_line(&m->lines.v[last + 1], &b->lines.v[last + 1]) == mark) last++;
            fprintf(out, "%s%s%d", any ? "" : "  ", any ? " " : word, m->lines.first + (int)i);
            if (last > i) fprintf(out, "-%d", m->lines.first + (int)last);
            any = true;
        }
    }
}

static void put_class(FILE *out, const CovClass *c) {
    char name[1024];
    agent_dotted(c->name, name, sizeof name);
    fprintf(out, "%s\n", name);
    if (!c->before) {
        fputs("  new: line", out);
        put_share(out, c->c[COV_LINE]);
    } else {
        put_pair(out, "line", c->before->c[COV_LINE], c->c[COV_LINE]);
        put_pair(out, "branch", c->before->c[COV_BRANCH], c->c[COV_BRANCH]);
        put_lines(out, "gained ", c, COV_MARK_GAINED);
        put_lines(out, "lost ", c, COV_MARK_LOST);
    }
    if (c->before && c->changed_methods) fprintf(out, "  %u methods changed", c->changed_methods);
    fputc('\n', out);
}

bool cov_report_compare(const CovModel *m, FILE *out) {
    char name[1024];
    for (uint32_t i = 0; i < m->nclasses; i++)
        if (cov_class_differs(&m->classes[i])) put_class(out, &m->classes[i]);
    for (uint32_t i = 0; i < m->before->nclasses; i++) {
        if (m->before->classes[i].paired) continue;
        agent_dotted(m->before->classes[i].name, name, sizeof name);
        fprintf(out, "%s\n  gone\n", name);
    }
    fputs("total", out);
    put_pair(out, "line", m->before->c[COV_LINE], m->c[COV_LINE]);
    put_pair(out, "branch", m->before->c[COV_BRANCH], m->c[COV_BRANCH]);
    fprintf(out, "  %u lines gained, %u lost\n", m->gained, m->lost);
    return fflush(out) == 0 && !ferror(out);
}
