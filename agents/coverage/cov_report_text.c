/* SPDX-License-Identifier: Apache-2.0 */
/* cov_report_text.c - the summary table of the terminal, and CSV with one row per class. */
#include "cov_report.h"

static const CovCounter columns[] = {COV_INSTRUCTION, COV_BRANCH, COV_LINE, COV_METHOD, COV_CLASS};
enum { NCOLUMNS = 5, NAME_WIDTH = 36 };

static const char *colour_of(double percent) { return percent >= 75 ? "\033[32m" : percent >= 40 ? "\033[33m" : "\033[31m"; }

static void cell(FILE *out, CovCount c, bool colour) {
    if (!cov_total(c)) return (void)fprintf(out, "       - ");
    double p = cov_percent(c);
    fprintf(out, "%s%7.1f%%%s ", colour ? colour_of(p) : "", p, colour ? "\033[0m" : "");
}

static void bar(FILE *out, CovCount c, bool colour) {
    enum { WIDTH = 16 };
    unsigned full = cov_total(c) ? (unsigned)((uint64_t)WIDTH * c.covered / cov_total(c)) : 0;
    if (colour) fputs(colour_of(cov_percent(c)), out);
    for (unsigned i = 0; i < WIDTH; i++) fputs(i < full ? "\xe2\x96\x88" : "\xe2\x96\x91", out);
    if (colour) fputs("\033[0m", out);
}

static bool is_first_byte(char c) { return (c & 0xc0) != 0x80; }

static void row(FILE *out, const char *name, const CovCount *c, bool colour) {
    int width = 0; /* in characters */
    for (const char *p = name; *p; p++) width += is_first_byte(*p);
    if (width > NAME_WIDTH) { /* long names keep their end */
        for (width -= NAME_WIDTH - 1; width >= 0; name++) width -= is_first_byte(*name);
        fprintf(out, "\xe2\x80\xa6%s", name - 1);
    } else {
        fprintf(out, "%s%*s", name, NAME_WIDTH - width, "");
    }
    for (int i = 0; i < NCOLUMNS; i++) cell(out, c[columns[i]], colour);
    fprintf(out, "%8u  ", c[COV_LINE].missed);
    bar(out, c[COV_LINE], colour);
    fputc('\n', out);
}

static void rule(FILE *out) {
    for (int i = 0; i < NAME_WIDTH + NCOLUMNS * 9 + 26; i++) fputs("\xe2\x94\x80", out);
    fputc('\n', out);
}

bool cov_report_text(const CovModel *m, FILE *out, unsigned max_rows, bool colour) {
    char name[1024];
    fprintf(out, "%-*s   instr   branch     line   method    class   missed\n", NAME_WIDTH, m->title ? m->title : "Coverage");
    rule(out);
    for (uint32_t i = 0; i < m->npackages; i++) {
        if (max_rows && i == max_rows && m->npackages > max_rows + 1) {
            fprintf(out, "... and %u more packages\n", m->npackages - i);
            break;
        }
        agent_dotted(*m->packages[i].name ? m->packages[i].name : "(unnamed)", name, sizeof name);
        row(out, name, m->packages[i].c, colour);
    }
    rule(out);
    snprintf(name, sizeof name, "total: %u classes, %u lines", cov_total(m->c[COV_CLASS]), cov_total(m->c[COV_LINE]));
    row(out, name, m->c, colour);
    return fflush(out) == 0 && !ferror(out);
}

static void csv_text(FILE *out, const char *s) {
    if (!strpbrk(s, ",\"\n")) return (void)fputs(s, out);
    agent_put_csv(out, s);
}

void cov_report_csv(const CovModel *m, const CovReports *want, CovSources *src, FILE *out) {
    char name[1024];
    fputs("GROUP,PACKAGE,CLASS", out);
    for (int k = 0; k < COV_CLASS; k++) fprintf(out, ",%s_MISSED,%s_COVERED", cov_counter_names[k], cov_counter_names[k]);
    fputc('\n', out);
    for (uint32_t i = 0; i < m->nclasses; i++) {
        const CovClass *c = &m->classes[i];
        csv_text(out, m->title ? m->title : "");
        fputc(',', out);
        agent_dotted(c->package, name, sizeof name);
        csv_text(out, name);
        fputc(',', out);
        csv_text(out, c->name + strlen(c->package) + (*c->package != 0));
        for (int k = 0; k < COV_CLASS; k++) fprintf(out, ",%u,%u", c->c[k].missed, c->c[k].covered);
        fputc('\n', out);
    }
}
