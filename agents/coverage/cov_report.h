/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_report.h - the report writers, and where they find source files.
 *
 * Each writer turns a CovModel into one file (or a folder) and returns false with errno set if it could not be
 * written. cov_reports makes everything that is asked for by names of files: agent and command use it.
 */
#ifndef GRAFT_COV_REPORT_H
#define GRAFT_COV_REPORT_H

#include <stdio.h>

#include "cov_model.h"
#include "cov_rules.h"
#include "utf8.h"

/* ---- sources: folders and archives (jar, zip) searched in order --------------------------- */

typedef struct CovSources CovSources;
/* `list`: paths separated by ':'; NULL = none. Paths that are missing are told and left out. */
CovSources *cov_sources_open(const char *list, void (*problem)(void *, const char *), void *ctx);
/* Text of package/name, malloc'ed and NUL-terminated, or NULL. Folders of
 * modules ("java.base/...", as in a JDK's src.zip) are looked into. */
char *cov_sources_read(CovSources *s, const char *package, const char *name, size_t *len);
/* Path for tools: the file if it lies in a folder, else package/name. In `buf`. */
const char *cov_sources_path(CovSources *s, const char *package, const char *name, char *buf, size_t n);
void cov_sources_close(CovSources *s);

/* ---- writers ------------------------------------------------------------------------------- */

typedef struct CovReports { /* NULL = not wanted */
    const char *title;
    const char *html; /* folder */
#define COV_FORMAT(member, what, writer, help) const char *member;
#include "cov_formats.def"
#undef COV_FORMAT
    const char *source;  /* where sources are, ':'-separated */
    const char *classes; /* folders, jars: classes that were never loaded count too */
    FILE *summary;       /* text table */
    CovFilters filters;
    CovDiff *diff;         /* lines that were changed: text and HTML are about these */
    const CovRules *rules; /* thresholds, told by `problem` */
    unsigned *missed;      /* how many were not reached; with `rules` */
    void (*problem)(void *ctx, const char *text);
    void *ctx;
    struct CovUnwritten *unwritten; /* gets the first report that could not be written; NULL: nobody asks */
} CovReports;

typedef struct CovUnwritten {
    const char *path; /* one of those above */
    int error;
} CovUnwritten;

/* Builds the model and writes all wanted reports; problems go to `problem`. False if any failed. */
bool cov_reports(CovData *data, const CovReports *want);

/* Compares two runs: `want` names text and HTML. *lost: lines that were covered better before. */
bool cov_compare(CovData *before, CovData *now, const CovReports *want, uint32_t *lost);
/* Adds the classes of ':'-separated folders and archives that no run loaded. */
bool cov_add_classes(CovData *data, const char *list, void (*problem)(void *, const char *), void *ctx);

bool cov_report_text(const CovModel *m, FILE *out, unsigned max_rows, bool colour);
/* What became of the changed lines: files, numbers, lines that were missed. */
bool cov_report_changes(const CovModel *m, FILE *out);
/* After cov_model_compare: classes that differ, their lines. */
bool cov_report_compare(const CovModel *m, FILE *out);
typedef void CovReport(const CovModel *m, const CovReports *want, CovSources *src, FILE *out);
#define COV_FORMAT(member, what, writer, help) CovReport writer;
#include "cov_formats.def"
#undef COV_FORMAT
/* Is some report wanted that is a file? */
bool cov_reports_files(const CovReports *want);
bool cov_report_html(const CovModel *m, CovSources *src, const char *dir);

/* Text of HTML or XML (agent_put_markup) between two pieces that stay as they are. */
void cov_put(FILE *out, const char *before, const char *s, const char *after);

#endif
