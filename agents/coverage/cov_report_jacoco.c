/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_report_jacoco.c - XML by JaCoCo's report DTD 1.1, so that Sonar, IDEs and CI plug-ins read it.
 * Element order is the DTD's: sessioninfo*, package*, counter*; in a package class*, sourcefile*, counter*;
 * in a class method*, counter*; counters in the order of CovCounter, empty ones left out. Not "standalone": there is
 * white space between elements.
 */
#include "cov_report.h"

static void attr(FILE *out, const char *name, const char *value) {
    fprintf(out, " %s=", name);
    cov_put(out, "\"", value, "\"");
}

static void counters(FILE *out, const CovCount *c, int upto) {
    for (int k = 0; k < upto; k++)
        if (cov_total(c[k]))
            fprintf(out, "<counter type=\"%s\" missed=\"%u\" covered=\"%u\"/>", cov_counter_names[k], c[k].missed, c[k].covered);
}

static void class_element(FILE *out, const CovClass *c) {
    fputs("<class", out);
    attr(out, "name", c->name);
    if (c->source) attr(out, "sourcefilename", c->source);
    fputc('>', out);
    for (uint32_t i = 0; i < c->nmethods; i++) {
        const CovMethod *m = &c->methods[i];
        fputs("<method", out);
        attr(out, "name", m->name);
        attr(out, "desc", m->desc);
        if (m->line != COV_NO_LINE) fprintf(out, " line=\"%d\"", m->line);
        fputc('>', out);
        counters(out, m->c, COV_CLASS);
        fputs("</method>", out);
    }
    counters(out, c->c, COV_COUNTERS);
    fputs("</class>\n", out);
}

static void source_element(FILE *out, const CovSource *s) {
    fputs("<sourcefile", out);
    attr(out, "name", s->name);
    fputc('>', out);
    for (uint32_t i = 0; i < s->lines.n; i++) {
        const CovLine *l = &s->lines.v[i];
        if (l->mi + l->ci)
            fprintf(out, "<line nr=\"%d\" mi=\"%u\" ci=\"%u\" mb=\"%u\" cb=\"%u\"/>", s->lines.first + (int)i, l->mi, l->ci,
                    l->mb, l->cb);
    }
    counters(out, s->c, COV_COUNTERS);
    fputs("</sourcefile>\n", out);
}

void cov_report_jacoco(const CovModel *m, const CovReports *want, CovSources *src, FILE *out) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
          "<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">\n<report",
          out);
    attr(out, "name", m->title ? m->title : "coverage");
    fputs(">\n", out);
    for (uint32_t i = 0; i < m->nruns; i++) {
        const CovFileHead *h = &m->runs[i];
        fprintf(out, "<sessioninfo id=\"pid-%u\" start=\"%lld\" dump=\"%lld\"/>\n", h->pid, (long long)h->start_ms,
                (long long)(h->end_ms ? h->end_ms : h->start_ms));
    }
    for (uint32_t i = 0; i < m->npackages; i++) {
        const CovPackage *p = &m->packages[i];
        fputs("<package", out);
        attr(out, "name", p->name);
        fputs(">\n", out);
        for (uint32_t k = 0; k < p->nclasses; k++) class_element(out, &p->classes[k]);
        for (uint32_t k = 0; k < p->nsources; k++) source_element(out, &p->sources[k]);
        counters(out, p->c, COV_COUNTERS);
        fputs("</package>\n", out);
    }
    counters(out, m->c, COV_COUNTERS);
    fputs("</report>\n", out);
}
