/* SPDX-License-Identifier: Apache-2.0 */
/* cov_html_change.c - the site about a change or about two runs: one table of what is touched, and pages of these sources. */
#include "cov_html.h"

/* The page of a source, and a cell with a link to it. */
static void source_cell(CovSite *s, FILE *out, const CovPackage *p, const CovSource *src, const char *text) {
    char dir[COV_SITE_NAME], file[COV_SITE_FILE], href[COV_SITE_NAME + COV_SITE_FILE];
    cov_package_dir(p, dir);
    cov_source_file(src, file);
    snprintf(href, sizeof href, "%s/%s", dir, file);
    cov_put(out, "<tr><td><a href=\"", href, "\">");
    cov_put(out, "", text, "</a>");
    cov_make_package_dir(s, p);
    cov_source_page(s, p, src, file);
}

static void number_cell(FILE *out, uint32_t n) { fprintf(out, "<td data-v=%u>%u", n, n); }

static void table_begin(FILE *out, const char *heads) {
    fprintf(out, "<div class=box><table class=t><thead><tr>%s</thead><tbody>\n", heads);
}

static void table_end(FILE *out) { fputs("</tbody></table></div>\n", out); }

/* ---- about a change: a change of sources ----------------------------------- */

static void unknown_files(FILE *out, const CovDiff *d) {
    bool any = false;
    for (uint32_t i = 0; i < d->files.len; i++) {
        const CovDiffFile *f = &d->files.data[i];
        if (f->used || f->kind == COV_DIFF_GONE || !cov_diff_is_source(f->path)) continue;
        if (!any)
            fputs("<h2>Changed, but without data</h2><p>No class of them was loaded, or given by <code>--classes</code>.</p><ul>",
                  out);
        cov_put(out, "<li>", f->path, "\n");
        any = true;
    }
    if (any) fputs("</ul>", out);
}

static void changed_file(CovSite *s, FILE *out, const CovPackage *p, const CovSource *src) {
    source_cell(s, out, p, src, src->changed->path);
    cov_percent_cell(out, src->diff[COV_LINE], true);
    cov_percent_cell(out, src->diff[COV_BRANCH], true);
    number_cell(out, src->diff[COV_LINE].missed);
    cov_percent_cell(out, src->c[COV_LINE], false);
    fputc('\n', out);
}

static void diff_page(CovSite *s, FILE *out) {
    cov_put(out, "<p>Lines that were changed since <b>", s->m->diffed->name, "</b></p>");
    table_begin(out, "<th>Changed file<th>Changed lines<th>Their branches<th>Missed changed lines<th>All lines");
    for (uint32_t i = 0; i < s->m->npackages; i++)
        for (uint32_t k = 0; k < s->m->packages[i].nsources; k++)
            if (s->m->packages[i].sources[k].changed) changed_file(s, out, &s->m->packages[i], &s->m->packages[i].sources[k]);
    table_end(out);
    unknown_files(out, s->m->diffed);
}

/* ---- two runs -------------------------------------------------------------------------------------- */

static const CovSource *source_of(const CovPackage *p, const CovClass *c) {
    for (uint32_t i = 0; c->source && i < p->nsources; i++)
        if (!strcmp(p->sources[i].name, c->source)) return &p->sources[i];
    return NULL;
}

static void compared_class(CovSite *s, FILE *out, const CovPackage *p, const CovClass *c) {
    static const CovCount nothing[COV_COUNTERS];
    const CovSource *src = source_of(p, c);
    const CovCount *before = c->before ? c->before->c : nothing;
    char name[1024];
    agent_dotted(c->name, name, sizeof name);
    if (src) source_cell(s, out, p, src, name);
    else cov_put(out, "<tr><td>", name, "");
    if (!c->before) fputs("<span class=tag>new</span>", out);
    else if (c->changed_methods) fprintf(out, "<span class=tag>%u methods changed</span>", c->changed_methods);
    cov_percent_cell(out, before[COV_LINE], true);
    cov_percent_cell(out, c->c[COV_LINE], true);
    cov_percent_cell(out, before[COV_BRANCH], false);
    cov_percent_cell(out, c->c[COV_BRANCH], false);
    number_cell(out, c->gained);
    number_cell(out, c->lost);
    fputc('\n', out);
}

static void gone_classes(FILE *out, const CovModel *before) {
    char name[1024];
    bool any = false;
    for (uint32_t i = 0; i < before->nclasses; i++) {
        if (before->classes[i].paired) continue;
        if (!any) fputs("<h2>Only in the first</h2><ul>", out);
        agent_dotted(before->classes[i].name, name, sizeof name);
        cov_put(out, "<li>", name, "\n");
        any = true;
    }
    if (any) fputs("</ul>", out);
}

static void compare_page(CovSite *s, FILE *out) {
    const CovModel *m = s->m;
    fprintf(out, "<p><b>%u</b> lines gained, <b>%u</b> lost. Before: %.1f %% of %u lines, %.1f %% of %u branches.</p>", m->gained,
            m->lost, cov_percent(m->before->c[COV_LINE]), cov_total(m->before->c[COV_LINE]),
            cov_percent(m->before->c[COV_BRANCH]), cov_total(m->before->c[COV_BRANCH]));
    table_begin(out, "<th>Class<th>Lines before<th>Lines now<th>Branches before<th>Branches now<th>Lines gained<th>Lines lost");
    for (uint32_t i = 0; i < m->npackages; i++)
        for (uint32_t k = 0; k < m->packages[i].nclasses; k++)
            if (cov_class_differs(&m->packages[i].classes[k]))
                compared_class(s, out, &m->packages[i], &m->packages[i].classes[k]);
    table_end(out);
    gone_classes(out, m->before);
}

void cov_change_page(CovSite *s) {
    FILE *out = cov_page_begin(s, NULL, "index.html", s->m->title, s->m->c, s->m->diff);
    if (!out) return;
    if (s->m->diffed) diff_page(s, out);
    else compare_page(s, out);
    cov_page_end(out, s);
}
