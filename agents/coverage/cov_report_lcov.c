/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_report_lcov.c - LCOV trace file (geninfo(1)): one section per source file.
 * Without counts in the data, numbers are 0 or 1. Branches of a line are numbered; which of a line's branches were taken
 * is not told apart beyond their number (as in the other formats).
 */
#include "cov_report.h"

static void functions(const CovPackage *p, const CovSource *s, FILE *out) {
    unsigned found = 0, hit = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < p->nclasses; i++) {
            const CovClass *c = &p->classes[i];
            if (!c->source || strcmp(c->source, s->name) != 0) continue;
            for (uint32_t k = 0; k < c->nmethods; k++) {
                const CovMethod *m = &c->methods[k];
                if (m->line == COV_NO_LINE) continue;
                if (pass == 0) {
                    fprintf(out, "FN:%d,%s::%s%s\n", m->line, c->name, m->name, m->desc);
                    found++;
                    hit += m->c[COV_METHOD].covered != 0;
                } else {
                    fprintf(out, "FNDA:%llu,%s::%s%s\n", (unsigned long long)m->calls, c->name, m->name, m->desc);
                }
            }
        }
    fprintf(out, "FNF:%u\nFNH:%u\n", found, hit);
}

static void branches(const CovSource *s, FILE *out) {
    unsigned found = 0, hit = 0;
    for (uint32_t i = 0; i < s->lines.n; i++) {
        const CovLine *l = &s->lines.v[i];
        for (uint32_t b = 0; b < l->cb + l->mb; b++)
            fprintf(out, "BRDA:%d,0,%u,%s\n", s->lines.first + (int)i, b, !l->ci ? "-" : b < l->cb ? "1" : "0");
        found += l->cb + l->mb;
        hit += l->cb;
    }
    fprintf(out, "BRF:%u\nBRH:%u\n", found, hit);
}

static void source(const CovPackage *p, const CovSource *s, CovSources *src, FILE *out) {
    char path[4096];
    fprintf(out, "SF:%s\n", cov_sources_path(src, p->name, s->name, path, sizeof path));
    functions(p, s, out);
    branches(s, out);
    for (uint32_t i = 0; i < s->lines.n; i++)
        if (s->lines.v[i].mi + s->lines.v[i].ci)
            fprintf(out, "DA:%d,%llu\n", s->lines.first + (int)i, (unsigned long long)s->lines.v[i].runs);
    fprintf(out, "LF:%u\nLH:%u\nend_of_record\n", cov_total(s->c[COV_LINE]), s->c[COV_LINE].covered);
}

void cov_report_lcov(const CovModel *m, const CovReports *want, CovSources *src, FILE *out) {
    fputs("TN:\n", out);
    for (uint32_t i = 0; i < m->npackages; i++)
        for (uint32_t k = 0; k < m->packages[i].nsources; k++) source(&m->packages[i], &m->packages[i].sources[k], src, out);
}
