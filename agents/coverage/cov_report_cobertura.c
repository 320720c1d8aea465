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
    agent_dotted(c->name, name, sizeof name);
    cov_put(out, "        <class name=\"", name, "\" filename=\"");
    if (*c->package && c->source) cov_put(out, "", c->package, "/");
    cov_put(out, "", c->source ? c->source : c->name, "\"");
    rates(out, c->c);
    fputs(">\n          <methods>\n", out);
    for (uint32_t i = 0; i < c->nmethods; i++) {
        cov_put(out, "            <method name=\"", c->methods[i].name, "\"");
        cov_put(out, " signature=\"", c->methods[i].desc, "\"");
        rates(out, c->methods[i].c);
        fputs(">\n", out);
        lines(out, &c->methods[i].lines, "              ");
        fputs("            </method>\n", out);
    }
    fputs("          </methods>\n", out);
    lines(out, &c->lines, "          ");
    fputs("        </class>\n", out);
}

void cov_report_cobertura(const CovModel *m, const CovReports *want, CovSources *src, FILE *out) {
    char name[2048];
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM "
          "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage",
          out);
    rates(out, m->c);
    fprintf(out,
            " lines-covered=\"%u\" lines-valid=\"%u\" branches-covered=\"%u\" branches-valid=\"%u\" version=\"graft\""
            " timestamp=\"%lld\">\n  <sources>\n",
            m->c[COV_LINE].covered, cov_total(m->c[COV_LINE]), m->c[COV_BRANCH].covered, cov_total(m->c[COV_BRANCH]),
            (long long)(m->nruns ? m->runs[0].start_ms : 0));
    size_t len;
    for (const char *p, *list = want->source; (p = agent_list_next(&list, &len));) {
        fputs("    <source>", out);
        agent_put_markup(out, p, len);
        fputs("</source>\n", out);
    }
    fputs("  </sources>\n  <packages>\n", out);
    for (uint32_t i = 0; i < m->npackages; i++) {
        const CovPackage *p = &m->packages[i];
        agent_dotted(p->name, name, sizeof name);
        cov_put(out, "    <package name=\"", name, "\"");
        rates(out, p->c);
        fputs(">\n      <classes>\n", out);
        for (uint32_t k = 0; k < p->nclasses; k++) class_element(out, &p->classes[k]);
        fputs("      </classes>\n    </package>\n", out);
    }
    fputs("  </packages>\n</coverage>\n", out);
}
