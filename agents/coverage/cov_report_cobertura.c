/* SPDX-License-Identifier: Apache-2.0 */
/* cov_report_cobertura.c - Cobertura's coverage-04.dtd, as GitLab and Jenkins read it. */
#include <time.h>

#include "agent.h"
#include "cov_report.h"

static void rates(FILE *out, const CovCount *c) {
    fprintf(out, " line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"%.1f\"", cov_percent(c[COV_LINE]) / 100,
            cov_percent(c[COV_BRANCH]) / 100,
            cov_total(c[COV_METHOD]) ? (double)cov_total(c[COV_COMPLEXITY]) / cov_total(c[COV_METHOD]) : 0.0);
}

static void lines(FILE *out, const CovLines *l, const char *indent) {
    fprintf(out, "%s<lines>\n", indent);
    for (uint32_t i = 0; i < l->n; i++) {
        const CovLine *p = &l->v[i];
        uint32_t b = p->mb + p->cb;
        if (!(p->mi + p->ci)) continue;
        fprintf(out, "%s  <line number=\"%d\" hits=\"%llu\"", indent, l->first + (int)i, (unsigned long long)p->runs);
        if (b) fprintf(out, " branch=\"true\" condition-coverage=\"%u%% (%u/%u)\"/>\n", 100 * p->cb / b, p->cb, b);
        else fputs(" branch=\"false\"/>\n", out);
    }
    fprintf(out, "%s</lines>\n", indent);
}

static void class_element(FILE *out, const CovClass *c) {
    char name[2048];
    cov_dotted(c->name, name, sizeof name);
    fputs("        <class name=\"", out);
    cov_escape(out, name);
    fputs("\" filename=\"", out);
    if (*c->package && c->source) {
        cov_escape(out, c->package);
        fputc('/', out);
    }
    cov_escape(out, c->source ? c->source : c->name);
    fputc('"', out);
    rates(out, c->c);
    fputs(">\n          <methods>\n", out);
    for (uint32_t i = 0; i < c->nmethods; i++) {
        fputs("            <method name=\"", out);
        cov_escape(out, c->methods[i].name);
        fputs("\" signature=\"", out);
        cov_escape(out, c->methods[i].desc);
        fputc('"', out);
        rates(out, c->methods[i].c);
        fputs(">\n", out);
        lines(out, &c->methods[i].lines, "              ");
        fputs("            </method>\n", out);
    }
    fputs("          </methods>\n", out);
    lines(out, &c->lines, "          ");
    fputs("        </class>\n", out);
}

bool cov_report_cobertura(const CovModel *m, const char *source_list, FILE *out) {
    char name[2048];
    int64_t stamp = m->nruns ? m->runs[0].head.start_ms : 0;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM "
          "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage",
          out);
    fprintf(out,
            " line-rate=\"%.4f\" branch-rate=\"%.4f\" lines-covered=\"%u\" lines-valid=\"%u\""
            " branches-covered=\"%u\" branches-valid=\"%u\" complexity=\"%.1f\" version=\"graft\""
            " timestamp=\"%lld\">\n  <sources>\n",
            cov_percent(m->c[COV_LINE]) / 100, cov_percent(m->c[COV_BRANCH]) / 100, m->c[COV_LINE].covered,
            cov_total(m->c[COV_LINE]), m->c[COV_BRANCH].covered, cov_total(m->c[COV_BRANCH]),
            cov_total(m->c[COV_METHOD]) ? (double)cov_total(m->c[COV_COMPLEXITY]) / cov_total(m->c[COV_METHOD]) : 0.0,
            (long long)stamp);
    size_t len;
    for (const char *p; (p = agent_list_next(&source_list, &len));) {
        fputs("    <source>", out);
        cov_escape_n(out, p, len);
        fputs("</source>\n", out);
    }
    fputs("  </sources>\n  <packages>\n", out);
    for (uint32_t i = 0; i < m->npackages; i++) {
        const CovPackage *p = &m->packages[i];
        cov_dotted(p->name, name, sizeof name);
        fputs("    <package name=\"", out);
        cov_escape(out, name);
        fputc('"', out);
        rates(out, p->c);
        fputs(">\n      <classes>\n", out);
        for (uint32_t k = 0; k < p->nclasses; k++) class_element(out, &p->classes[k]);
        fputs("      </classes>\n    </package>\n", out);
    }
    fputs("  </packages>\n</coverage>\n", out);
    return fflush(out) == 0 && !ferror(out);
}
