/* SPDX-License-Identifier: Apache-2.0 */
/* cov_report.c - one call that makes all wanted reports from loaded data. */
#include "cov_report.h"

#include <errno.h>
#include <unistd.h>

static bool complain(const CovReports *w, const char *what, const char *path) {
    char text[4300];
    snprintf(text, sizeof text, "%s report %s: %s", what, path, strerror(errno ? errno : EIO));
    w->problem(w->ctx, text);
    return false;
}

typedef struct Job {
    const CovReports *want;
    const CovModel *m;
    CovSources *src;
} Job;

static bool write_lcov(const Job *j, FILE *f) { return cov_report_lcov(j->m, j->src, f); }
static bool write_xml(const Job *j, FILE *f) { return cov_report_jacoco(j->m, f); }
static bool write_csv(const Job *j, FILE *f) { return cov_report_csv(j->m, f); }
static bool write_cobertura(const Job *j, FILE *f) { return cov_report_cobertura(j->m, j->want->source, f); }

static bool one_file(const Job *j, const char *what, const char *path, bool (*write)(const Job *, FILE *)) {
    if (!path) return true;
    errno = 0;
    FILE *f = strcmp(path, "-") ? fopen(path, "w") : stdout;
    if (!f) return complain(j->want, what, path);
    bool ok = write(j, f);
    if (f != stdout && fclose(f) != 0) ok = false;
    return ok || complain(j->want, what, path);
}

static void tell_skipped(const CovModel *m, const CovReports *w) {
    char text[200];
    if (m->skipped_classes) {
        snprintf(text, sizeof text,
                 "%u classes are not in the report: their class files or probes "
                 "cannot be read",
                 m->skipped_classes);
        w->problem(w->ctx, text);
    }
    if (m->skipped_methods) {
        snprintf(text, sizeof text, "%u methods are not in the report: they use jsr or cannot be decoded", m->skipped_methods);
        w->problem(w->ctx, text);
    }
}

bool cov_reports(CovData *data, const CovReports *w) {
    CovModel m;
    bool ok = !w->classes || cov_add_classes(data, w->classes, w->problem, w->ctx);
    if (!cov_model_build(&m, data, &w->filters, w->title)) {
        w->problem(w->ctx, "out of memory");
        cov_model_free(&m);
        return false;
    }
    tell_skipped(&m, w);
    Job j = {w, &m, cov_sources_open(w->source)};
    ok &= one_file(&j, "LCOV", w->lcov, write_lcov);
    ok &= one_file(&j, "JaCoCo XML", w->xml, write_xml);
    ok &= one_file(&j, "Cobertura", w->cobertura, write_cobertura);
    ok &= one_file(&j, "CSV", w->csv, write_csv);
    errno = 0;
    if (w->html && !cov_report_html(&m, j.src, w->html)) ok = complain(w, "HTML", w->html);
    if (w->summary) ok &= cov_report_text(&m, w->summary, 0, isatty(fileno(w->summary)));
    cov_sources_close(j.src);
    cov_model_free(&m);
    return ok;
}
