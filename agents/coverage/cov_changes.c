/* SPDX-License-Identifier: Apache-2.0 */
/* cov_changes.c - the model and a difference of sources: which changed lines are covered; and the text about it. */
#include "cov_report.h"

static CovCount line_count(const CovLine *l) { return (CovCount){!l->ci, l->ci != 0}; }

static void count_source(CovSource *s) {
    for (uint32_t i = 0; i < s->lines.n; i++) {
        const CovLine *l = &s->lines.v[i];
        if (!(l->mi + l->ci) || !cov_diff_has(s->changed, s->lines.first + (int32_t)i)) continue;
        cov_add(&s->diff[COV_LINE], line_count(l));
        cov_add(&s->diff[COV_BRANCH], (CovCount){l->mb, l->cb});
    }
}

static void add_all(CovCount *to, const CovCount *c) {
    for (int k = 0; k < COV_COUNTERS; k++) cov_add(&to[k], c[k]);
}

void cov_model_diff(CovModel *m, CovDiff *d) {
    m->diffed = d;
    for (uint32_t i = 0; i < m->npackages; i++) {
        CovPackage *p = &m->packages[i];
        for (uint32_t k = 0; k < p->nsources; k++) {
            CovSource *s = &p->sources[k];
            CovDiffFile *f = cov_diff_find(d, s->package, s->name, false);
            if (!f) continue;
            f->used = true;
            s->changed = f;
            count_source(s);
            add_all(p->diff, s->diff);
        }
        add_all(m->diff, p->diff);
    }
    for (const CovLeftOut *l = m->left_out; l; l = l->next) {
        CovDiffFile *f = cov_diff_find(d, l->package, l->name, false);
        if (f && !f->used) f->used = f->of_tests = true;
    }
}

/* ---- text ------------------------------------------------------------------------------------------ */

static bool line_missed(const CovSource *s, int32_t line) {
    const CovLine *l = cov_line_at(&s->lines, line);
    return l && !l->ci && cov_diff_has(s->changed, line);
}

static bool branch_missed(const CovSource *s, int32_t line) {
    const CovLine *l = cov_line_at(&s->lines, line);
    return l && l->ci && l->mb && cov_diff_has(s->changed, line);
}

/* "  missed 3-5 9"; nothing if there are none. Lines without code between two of a kind do not part them. */
static void put_lines(FILE *out, const CovSource *s, const char *word, bool (*wanted)(const CovSource *, int32_t)) {
    bool any = false;
    int32_t first = s->lines.first, end = first + (int32_t)s->lines.n;
    for (int32_t a = first; a < end; a++) {
        if (!wanted(s, a)) continue;
        int32_t last = a;
        for (int32_t b = a + 1; b < end && (wanted(s, b) || !cov_line_at(&s->lines, b)); b++)
            if (wanted(s, b)) last = b;
        if (!any) fprintf(out, "  %s", word);
        fprintf(out, last > a ? " %d-%d" : " %d", a, last);
        any = true;
        a = last;
    }
}

static void put_share(FILE *out, CovCount c) {
    if (!cov_total(c)) return (void)fputs("                ", out);
    fprintf(out, "%6.1f%% %4u/%-4u", cov_percent(c), c.covered, cov_total(c));
}

static void put_source(FILE *out, const CovSource *s) {
    fputs("  ", out);
    put_share(out, s->diff[COV_LINE]);
    fprintf(out, "  %s", s->changed->path);
    if (!cov_total(s->diff[COV_LINE])) fputs("  no changed line holds code", out);
    put_lines(out, s, "missed", line_missed);
    put_lines(out, s, "branches missed in", branch_missed);
    fputc('\n', out);
}

static void put_unknown(FILE *out, const CovDiff *d) {
    for (uint32_t i = 0; i < d->files.len; i++) {
        const CovDiffFile *f = &d->files.data[i];
        if (f->of_tests) fprintf(out, "                  %s  of tests: not counted\n", f->path);
        if (!f->used && f->kind != COV_DIFF_GONE && cov_diff_is_source(f->path))
            fprintf(out, "                  %s  no data: no class of it was loaded or given by --classes\n", f->path);
    }
}

bool cov_report_changes(const CovModel *m, FILE *out) {
    const CovCount *lines = &m->diff[COV_LINE], *branches = &m->diff[COV_BRANCH];
    fprintf(out, "Changes since %s\n", m->diffed->name);
    for (uint32_t i = 0; i < m->nsources; i++)
        if (m->sources[i].changed) put_source(out, &m->sources[i]);
    put_unknown(out, m->diffed);
    if (cov_total(*lines))
        fprintf(out, "%u of %u changed lines are covered (%.1f %%)", lines->covered, cov_total(*lines), cov_percent(*lines));
    else fputs("no changed line holds code", out);
    if (cov_total(*branches))
        fprintf(out, ", %u of %u of their branches (%.1f %%)", branches->covered, cov_total(*branches), cov_percent(*branches));
    fputc('\n', out);
    return fflush(out) == 0 && !ferror(out);
}
