/* SPDX-License-Identifier: Apache-2.0 */
/* cov_report.c - one call that makes all wanted reports from loaded data. */
#include "cov_report.h"
#include "agent.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "printable.h"

static bool complain(const CovReports *w, const char *what, const char *path) {
    char text[4300];
    int error = errno ? errno : EIO;
    if (w->unwritten && !w->unwritten->path) *w->unwritten = (CovUnwritten){path, error};
    snprintf(text, sizeof text, "%s report %s: %s", what, path, strerror(error));
    w->problem(w->ctx, text);
    return false;
}

static bool one_file(const CovModel *m, const CovReports *w, CovSources *src, const char *what, const char *path,
                     CovReport *write) {
    if (!path) return true;
    errno = 0;
    FILE *f = strcmp(path, "-") ? agent_open_output(path, false) : stdout;
    if (!f) return complain(w, what, path);
    write(m, w, src, f);
    bool ok = fflush(f) == 0 && !ferror(f);
    if (f != stdout && fclose(f) != 0) ok = false;
    if (!ok && f != stdout) agent_discard_output(path);
    return ok || complain(w, what, path);
}

static void tell_skipped(const CovModel *m, const CovReports *w) {
    char text[200];
    if (m->skipped_classes) {
        snprintf(text, sizeof text, "%u classes are not in the report: their class files or probes cannot be read",
                 m->skipped_classes);
        w->problem(w->ctx, text);
    }
    if (m->skipped_methods) {
        snprintf(text, sizeof text, "%u methods are not in the report: they use jsr or cannot be decoded", m->skipped_methods);
        w->problem(w->ctx, text);
    }
}

/* A source that was written after the last run began: its lines may stand elsewhere than those of the classes that ran. */
static void tell_stale(const CovModel *m, const CovReports *w) {
    int64_t start = 0;
    char path[4300], text[4400];
    struct stat st;
    if (!w->diff->root || strstr(w->diff->name, "..")) return; /* not about the files as they are */
    for (uint32_t i = 0; i < m->nruns; i++) start = m->runs[i].start_ms > start ? m->runs[i].start_ms : start;
    for (uint32_t i = 0; i < w->diff->files.len; i++) {
        const CovDiffFile *f = &w->diff->files.data[i];
        snprintf(path, sizeof path, "%s/%s", w->diff->root, f->path);
        if (!f->used || f->of_tests || stat(path, &st) != 0 || st.st_mtim.tv_sec * (int64_t)1000 <= start) continue;
        snprintf(text, sizeof text, "%s was written after the run began: its lines may be others now", f->path);
        w->problem(w->ctx, text);
    }
}

bool cov_reports_files(const CovReports *w) {
#define COV_FORMAT(member, what, writer, help) || w->member
    return w->html
#include "cov_formats.def"
        ;
#undef COV_FORMAT
}

static CovSources *open_sources(const CovReports *w) { return cov_sources_open(w->source, w->problem, w->ctx); }

bool cov_reports(CovData *data, const CovReports *w) {
    CovModel m;
    bool ok = !w->classes || cov_add_classes(data, w->classes, w->problem, w->ctx);
    if (!cov_model_build(&m, data, &w->filters, w->title)) {
        w->problem(w->ctx, "out of memory");
        cov_model_free(&m);
        return false;
    }
    tell_skipped(&m, w);
    if (w->diff) cov_model_diff(&m, w->diff), tell_stale(&m, w);
    CovSources *src = open_sources(w);
#define COV_FORMAT(member, what, writer, help) ok &= one_file(&m, w, src, what, w->member, writer);
#include "cov_formats.def"
#undef COV_FORMAT
    errno = 0;
    if (w->html && !cov_report_html(&m, src, w->html)) ok = complain(w, "HTML", w->html);
    if (w->summary)
        ok &= w->diff ? cov_report_changes(&m, w->summary) : cov_report_text(&m, w->summary, 0, agent_is_terminal(w->summary));
    if (w->rules) *w->missed = cov_rules_check(w->rules, &m, w->problem, w->ctx);
    cov_sources_close(src);
    cov_model_free(&m);
    return ok;
}

static bool compare_models(CovModel *before, CovModel *now, const CovReports *w) {
    if (!cov_model_compare(now, before)) return w->problem(w->ctx, "out of memory"), false;
    CovSources *src = open_sources(w);
    errno = 0;
    bool ok = !w->html || cov_report_html(now, src, w->html) || complain(w, "HTML", w->html);
    if (w->summary && !cov_report_compare(now, w->summary)) ok = complain(w, "text", "");
    cov_sources_close(src);
    return ok;
}

bool cov_compare(CovData *before, CovData *now, const CovReports *w, uint32_t *lost) {
    CovModel m[2] = {{.title = NULL}, {.title = NULL}};
    bool ok = !w->classes ||
              (cov_add_classes(before, w->classes, w->problem, w->ctx) && cov_add_classes(now, w->classes, w->problem, w->ctx));
    bool built = cov_model_build(&m[0], before, &w->filters, w->title) && cov_model_build(&m[1], now, &w->filters, w->title);
    if (!built) w->problem(w->ctx, "out of memory");
    else tell_skipped(&m[1], w);
    ok = built && compare_models(&m[0], &m[1], w) && ok;
    *lost = m[1].lost;
    cov_model_free(&m[1]);
    cov_model_free(&m[0]);
    return ok;
}
