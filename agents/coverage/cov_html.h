/* SPDX-License-Identifier: Apache-2.0 */
/* cov_html.h - between the two HTML files: pages (cov_report_html.c) and source listing (cov_html_source.c). */
#ifndef GRAFT_COV_HTML_H
#define GRAFT_COV_HTML_H

#include "cov_report.h"

/* The coloured listing of a source text; `counts`: with a column of how often each line ran. */
void cov_html_listing(FILE *out, const CovSource *s, const char *text, size_t len, bool counts);

#endif
