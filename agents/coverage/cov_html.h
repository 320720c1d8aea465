/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_html.h - between the HTML files: the site and its parts (cov_report_html.c), pages about a change or a comparison
 * (cov_html_change.c), source listing (cov_html_source.c).
 */
#ifndef GRAFT_COV_HTML_H
#define GRAFT_COV_HTML_H

#include "cov_report.h"

typedef struct CovSite {
    const CovModel *m;
    CovSources *src;
    const char *dir;
    bool ok;
} CovSite;

/* Is the report about what was changed or came out otherwise? Then it has pages of such sources only. */
static inline bool cov_about_change(const CovModel *m) { return m->diffed || m->before; }
/* Index page of such a report, and the pages it leads to. */
void cov_change_page(CovSite *s);

/* A page with head and totals; `p` NULL: in the root. `diff`: numbers of changed lines, or NULL. To be ended by cov_page_end. */
FILE *cov_page_begin(CovSite *s, const CovPackage *p, const char *file, const char *title, const CovCount *totals,
                     const CovCount *diff);
void cov_page_end(FILE *out, CovSite *s);
void cov_percent_cell(FILE *out, CovCount c, bool with_bar);
enum { COV_SITE_NAME = 220, COV_SITE_FILE = COV_SITE_NAME + 36 }; /* 255 bytes are possible, with what is put behind */
#define COV_UNNAMED "default"                                     /* folder of the unnamed package */
void cov_package_dir(const CovPackage *p, char buf[COV_SITE_NAME]);
/* The page of a source, in the folder of its package. */
void cov_source_file(const CovSource *src, char file[COV_SITE_FILE]);
void cov_make_package_dir(CovSite *s, const CovPackage *p);
void cov_source_page(CovSite *s, const CovPackage *p, const CovSource *src, const char *file);

/* The coloured listing of a source text; `counts`: with a column of how often each line ran. */
void cov_html_listing(FILE *out, const CovPackage *p, const CovSource *s, const char *text, size_t len, bool counts);

#endif
