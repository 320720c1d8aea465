/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_report_html.c - the HTML site.
 *
 *   index.html                totals, treemap, packages
 *   <package>/index.html      its source files (or classes without source) and all its classes
 *   <package>/<File>.html     coloured source with the list of its methods
 *   style.css, script.js      nothing is loaded from elsewhere
 * Folder names are package names with dots; bytes outside of [A-Za-z0-9._$-] are written as _xx, and "_" so, too, where it would look like
 * that, and the first letter of what is another page's name. Of names that are too long for a file the end is a number in place
 * of the rest. So two names never share a file.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "agent.h"
#include "cov_html.h"
#include "cov_html_assets.h"

/* ---- small parts ------------------------------------------------------------------------------- */

void cov_put(FILE *out, const char *before, const char *s, const char *after) {
    fputs(before, out);
    agent_put_markup(out, s, strlen(s));
    fputs(after, out);
}

static bool is_plain(const char *p) {
    static const char hex[] = "0123456789abcdef";
    if (*p == '_') return !p[1] || !p[2] || !strchr(hex, p[1]) || !strchr(hex, p[2]);
    return strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.$-", *p);
}

/* "index", which gets ".html", and what is beside folders of packages. */
static bool is_taken(const char *name) {
    static const char *const taken[] = {"index", "index.html", "style.css", "script.js", COV_UNNAMED};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!strcmp(name, taken[i])) return true;
    return false;
}

/* The name that stands for one of Java; file names are made of it. */
static void site_name(const char *name, bool package, char buf[COV_SITE_NAME]) {
    enum { NUMBER = 18 }; /* bytes of "~", the number and the end */
    uint64_t crc = cov_crc64((const uint8_t *)name, strlen(name));
    size_t used = 0;
    for (const char *p = name; *p; p++) {
        if (used + 3 > COV_SITE_NAME - NUMBER) {
            snprintf(buf + used, NUMBER, "~%016llx", (unsigned long long)crc);
            return;
        }
        if (*p == '/' && package) buf[used++] = '.';
        else if (is_plain(p)) buf[used++] = *p;
        else used += (size_t)snprintf(buf + used, 4, "_%02x", (unsigned char)*p);
    }
    buf[used] = 0;
    if (!is_taken(buf)) return;
    char first[4];
    snprintf(first, sizeof first, "_%02x", (unsigned char)*buf);
    memmove(buf + 3, buf + 1, used);
    memcpy(buf, first, 3);
}

const char *cov_package_title(const CovPackage *p, char *buf, size_t n) {
    agent_dotted(*p->name ? p->name : "(unnamed package)", buf, n);
    return buf;
}

void cov_package_dir(const CovPackage *p, char buf[COV_SITE_NAME]) {
    if (*p->name) site_name(p->name, true, buf);
    else strcpy(buf, COV_UNNAMED);
}

static const char *tone(CovCount c) { return !c.missed ? "g" : !c.covered ? "r" : "y"; }

/* Opens DIR/name of the site; `dir` NULL = its root. */
static FILE *open_page(CovSite *s, const char *dir, const char *name) {
    char *full = NULL;
    int n = asprintf(&full, "%s/%s%s%s", s->dir, dir ? dir : "", dir ? "/" : "", name);
    FILE *f = n < 0 ? NULL : agent_open_output(full, false);
    if (n >= 0) free(full);
    if (!f) s->ok = false;
    return f;
}

static void close_page(CovSite *s, FILE *f) {
    bool bad = ferror(f) != 0;
    if (fclose(f) != 0 || bad) s->ok = false;
}

static void bar(FILE *out, CovCount c) {
    if (!cov_total(c)) fputs("<div class=\"bar none\"></div>", out);
    else fprintf(out, "<div class=bar><i style=\"width:%.1f%%\"></i></div>", cov_percent(c));
}

/* `up` is the way back to the site's root ("" or "../"). */
static void page_head(FILE *out, CovSite *s, const char *up, const char *title, const CovPackage *p) {
    char name[1024];
    cov_put(out,
            "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta name=viewport "
            "content=\"width=device-width,initial-scale=1\">\n<title>",
            title, "");
    fprintf(out,
            " - coverage</title>\n<link rel=stylesheet href=\"%sstyle.css\"><script src=\"%sscript.js\">"
            "</script>\n<header><a class=brand href=\"%sindex.html\"><svg width=20 height=20 viewBox=\"0 0 20 20\">"
            "<rect x=1 y=11 width=4 height=8 rx=1.5 fill=\"#e5484d\"/><rect x=8 y=6 width=4 height=13 rx=1.5 "
            "fill=\"#e0a100\"/><rect x=15 y=1 width=4 height=18 rx=1.5 fill=\"#12a150\"/></svg>",
            up, up, up);
    cov_put(out, "", s->m->title, "</a><span class=crumb>");
    /* about a change there are no pages of packages */
    if (p)
        cov_put(out, cov_about_change(s->m) ? "/ <a href=../index.html>" : "/ <a href=index.html>",
                cov_package_title(p, name, sizeof name), "</a>");
    if (p && strcmp(title, name) != 0) cov_put(out, " / <b>", title, "</b>");
    fputs("</span><span class=sp></span><input id=find placeholder=\"Filter (/)\" aria-label=Filter>"
          "<button id=theme title=\"Light or dark (t)\">&#9680;</button></header>\n<main>",
          out);
}

void cov_page_end(FILE *out, CovSite *s) {
    fputs("<footer>", out);
    for (uint32_t i = 0; i < s->m->nruns && i < 3; i++) {
        const CovFileHead *h = &s->m->runs[i];
        char when[64];
        time_t t = (time_t)(h->start_ms / 1000);
        struct tm tm;
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&t, &tm));
        fprintf(out, "%sRun of %s", i ? "<br>" : "", when);
        if (*h->vm) cov_put(out, " on ", h->vm, "");
        if (*h->command) {
            fputs(": <code>", out);
            agent_put_markup(out, h->command, strnlen(h->command, 160));
            fputs("</code>", out);
        }
        if (h->state != COV_CLOSED) fputs(" (ended without a normal exit)", out);
    }
    if (s->m->nruns > 3) fprintf(out, "<br>and %u more runs", s->m->nruns - 3);
    fputs("</footer></main></html>\n", out);
    close_page(s, out);
}

static void tile(FILE *out, const char *name, CovCount v) {
    fprintf(out, "<div class=tile><div class=k>%s</div><div class=v>", name);
    if (cov_total(v)) fprintf(out, "%.1f<small>%%</small>", cov_percent(v));
    else fputs("&ndash;", out);
    fputs("</div>", out);
    bar(out, v);
    fprintf(out, "<div class=d>%u of %u, %u missed</div></div>", v.covered, cov_total(v), v.missed);
}

/* `diff`: of changed lines, or NULL. */
static void tiles(FILE *out, const CovCount *c, const CovCount *diff) {
    static const struct {
        CovCounter k;
        const char *name;
    } rows[] = {{COV_LINE, "Lines"},
                {COV_BRANCH, "Branches"},
                {COV_INSTRUCTION, "Instructions"},
                {COV_METHOD, "Methods"},
                {COV_CLASS, "Classes"}};
    fputs("<div class=tiles>", out);
    if (diff) {
        tile(out, "Changed lines", diff[COV_LINE]);
        tile(out, "Branches of changed lines", diff[COV_BRANCH]);
    }
    for (int i = 0; i < (diff ? 2 : 5); i++) tile(out, rows[i].name, c[rows[i].k]);
    fputs("</div>\n", out);
}

/* A page with head and totals; `p` NULL: in the root. To be ended by cov_page_end. */
FILE *cov_page_begin(CovSite *s, const CovPackage *p, const char *file, const char *title, const CovCount *totals,
                     const CovCount *diff) {
    char dir[COV_SITE_NAME];
    if (p) cov_package_dir(p, dir);
    FILE *out = open_page(s, p ? dir : NULL, file);
    if (!out) return NULL;
    page_head(out, s, p ? "../" : "", title, p);
    cov_put(out, "<h1>", title, "</h1>");
    tiles(out, totals, s->m->diffed ? diff : NULL);
    return out;
}

/* ---- tables --------------------------------------------------------------------------------------
 * A table of many rows is data, of which the script shows what can be seen: [link, name, tag, covered and all of
 * lines, branches, instructions, methods]. */

enum { MANY_ROWS = 500 };

typedef struct Table {
    FILE *out;
    bool data;
    uint32_t rows;
} Table;

static Table table_head(FILE *out, const char *what, uint32_t rows) {
    Table t = {out, rows > MANY_ROWS, 0};
    fprintf(out,
            "<div class=\"box%s\"%s><table class=t><thead><tr><th>%s<th>Lines<th>Branches<th>Instructions"
            "<th>Methods<th>Missed lines</thead><tbody>\n",
            t.data ? " big" : "", t.data ? " tabindex=0" : "", what);
    if (t.data)
        fprintf(
            out,
            "<tr><td colspan=6><noscript>%u rows are shown by a script</noscript></tbody></table><script type=\"application/json\">[",
            rows);
    return t;
}

void cov_percent_cell(FILE *out, CovCount c, bool with_bar) {
    if (!cov_total(c)) return (void)fputs("<td class=zero data-v=101>&ndash;", out);
    fprintf(out, "<td data-v=%.3f title=\"%u of %u\">", cov_percent(c), c.covered, cov_total(c));
    if (with_bar) bar(out, c);
    fprintf(out, "<span>%.1f%%</span>", cov_percent(c));
}

static void data_row(const Table *t, const char *href, const char *name, const char *tag, const CovCount *c) {
    static const CovCounter columns[] = {COV_LINE, COV_BRANCH, COV_INSTRUCTION, COV_METHOD};
    FILE *out = t->out;
    fputs(t->rows ? ",\n[" : "\n[", out);
    agent_put_json(out, href ? href : "", "<");
    fputc(',', out);
    agent_put_json(out, name, "<");
    fprintf(out, ",\"%s\"", tag ? tag : "");
    for (int i = 0; i < 4; i++) fprintf(out, ",%u,%u", c[columns[i]].covered, cov_total(c[columns[i]]));
    fputc(']', out);
}

static void html_row(FILE *out, const char *href, const char *name, const char *tag, const CovCount *c) {
    fprintf(out, "<tr data-n=%u data-p=%.2f><td>", cov_total(c[COV_LINE]), cov_percent(c[COV_LINE]));
    if (href) cov_put(out, "<a href=\"", href, "\">");
    cov_put(out, "", name, href ? "</a>" : "");
    if (tag) fprintf(out, "<span class=tag>%s</span>", tag);
    cov_percent_cell(out, c[COV_LINE], true);
    cov_percent_cell(out, c[COV_BRANCH], true);
    cov_percent_cell(out, c[COV_INSTRUCTION], false);
    cov_percent_cell(out, c[COV_METHOD], false);
    fprintf(out, "<td data-v=%u>%u\n", c[COV_LINE].missed, c[COV_LINE].missed);
}

static void table_row(Table *t, const char *href, const char *name, const char *tag, const CovCount *c) {
    if (t->data) data_row(t, href, name, tag, c);
    else html_row(t->out, href, name, tag, c);
    t->rows++;
}

static void table_foot(Table *t) { fputs(t->data ? "]</script></div>\n" : "</tbody></table></div>\n", t->out); }

/* ---- pages ---------------------------------------------------------------------------------------- */

static void method_list(FILE *out, const CovPackage *p, const char *source, const CovClass *only) {
    char sig[1024], name[1024];
    fputs("<aside class=box>", out);
    for (uint32_t i = 0; i < p->nclasses; i++) {
        const CovClass *c = &p->classes[i];
        if (only ? c != only : !c->source || strcmp(c->source, source) != 0) continue;
        agent_dotted(c->name + strlen(p->name) + (*p->name != 0), name, sizeof name);
        cov_put(out, "<h2>", name, "</h2>");
        for (uint32_t k = 0; k < c->nmethods; k++) {
            const CovMethod *m = &c->methods[k];
            cov_signature(c, m, sig, sizeof sig);
            if (m->line != COV_NO_LINE) fprintf(out, "<a href=\"#L%d\"", m->line);
            else fputs("<a", out);
            cov_put(out, " title=\"", sig, "\">");
            fprintf(out, "<i class=\"dot %s\"></i>", tone(m->c[COV_INSTRUCTION]));
            cov_put(out, "<span>", sig, "");
            fprintf(out, "</span><em>%.0f%%</em></a>\n", cov_percent(m->c[COV_INSTRUCTION]));
        }
    }
    fputs("</aside>", out);
}

void cov_source_file(const CovSource *src, char file[COV_SITE_FILE]) {
    char base[COV_SITE_NAME];
    site_name(src->name, false, base);
    snprintf(file, COV_SITE_FILE, "%s.html", base);
}

void cov_source_page(CovSite *s, const CovPackage *p, const CovSource *src, const char *file) {
    size_t len = 0;
    char *text = cov_sources_read(s->src, p->name, src->name, &len);
    FILE *out = cov_page_begin(s, p, file, src->name, src->c, src->diff);
    if (out) {
        fputs(
            "<div class=legend><span><b style=\"background:var(--g)\"></b>covered</span><span><b style=\"background:"
            "var(--y)\"></b>partly</span><span><b style=\"background:var(--r)\"></b>missed</span><span>&#9670; "
            "branches: point at it, or <kbd>n</kbd>, for the ways on</span><span class=sp style=\"flex:1\"></span><span><button data-go=-1>"
            "&uarr; previous <kbd>p</kbd></button> <button data-go=1>&darr; next missed <kbd>n</kbd></button></span>"
            "</div>\n<div class=src>",
            out);
        if (text) cov_html_listing(out, p, src, text, len, s->m->counts);
        else
            fputs("<div class=box style=\"padding:18px\">The source was not found. Tell where sources are "
                  "with the option <code>source=folder:archive</code> of the agent or "
                  "<code>--source</code> of graft-coverage.</div>",
                  out);
        method_list(out, p, src->name, NULL);
        fputs("</div><div id=mini></div><div id=say role=status></div>", out);
        cov_page_end(out, s);
    }
    free(text);
}

static void class_page(CovSite *s, const CovPackage *p, const CovClass *c, const char *name, const char *file) {
    FILE *out = cov_page_begin(s, p, file, name, c->c, NULL);
    char sig[1024];
    if (!out) return;
    Table t = table_head(out, "Method", c->nmethods);
    for (uint32_t k = 0; k < c->nmethods; k++) {
        cov_signature(c, &c->methods[k], sig, sizeof sig);
        table_row(&t, NULL, sig, NULL, c->methods[k].c);
    }
    table_foot(&t);
    cov_page_end(out, s);
}

static void source_table(FILE *out, CovSite *s, const CovPackage *p) {
    char file[COV_SITE_FILE];
    Table t = table_head(out, "Source file", p->nsources);
    for (uint32_t i = 0; i < p->nsources; i++) {
        const CovSource *src = &p->sources[i];
        cov_source_file(src, file);
        table_row(&t, file, src->name, NULL, src->c);
        cov_source_page(s, p, src, file);
    }
    table_foot(&t);
}

/* The page of a class: that of its source, at its first line, or one of its own, as each of several class files of one name has. */
static void class_file(const CovPackage *p, const CovClass *c, char file[COV_SITE_FILE]) {
    char base[COV_SITE_NAME];
    site_name(c->source ? c->source : c->name + strlen(p->name) + (*p->name != 0), false, base);
    if (c->source) snprintf(file, COV_SITE_FILE, "%s.html#L%d", base, c->lines.n ? c->lines.first : 1);
    else if (c == p->classes || strcmp(c[-1].name, c->name) != 0) snprintf(file, COV_SITE_FILE, "%s+class.html", base);
    else snprintf(file, COV_SITE_FILE, "%s+%016llx.html", base, (unsigned long long)c->crc);
}

static void class_table(FILE *out, CovSite *s, const CovPackage *p) {
    char file[COV_SITE_FILE];
    Table t = table_head(out, "Class", p->nclasses);
    for (uint32_t i = 0; i < p->nclasses; i++) {
        const CovClass *c = &p->classes[i];
        const char *name = c->name + strlen(p->name) + (*p->name != 0);
        class_file(p, c, file);
        if (!c->source) class_page(s, p, c, name, file);
        table_row(&t, file, name, c->loaded ? NULL : "never loaded", c->c);
    }
    table_foot(&t);
}

void cov_make_package_dir(CovSite *s, const CovPackage *p) {
    char dir[COV_SITE_NAME], *path = NULL;
    cov_package_dir(p, dir);
    if (asprintf(&path, "%s/%s", s->dir, dir) < 0 || (mkdir(path, 0777) != 0 && errno != EEXIST)) s->ok = false;
    free(path);
}

static void package_page(CovSite *s, const CovPackage *p) {
    char title[1024];
    cov_make_package_dir(s, p);
    FILE *out = cov_page_begin(s, p, "index.html", cov_package_title(p, title, sizeof title), p->c, NULL);
    if (!out) return;
    source_table(out, s, p);
    fputs("<h2>Classes</h2>", out);
    class_table(out, s, p);
    cov_page_end(out, s);
}

static void all_classes(FILE *out, const CovModel *m) {
    char dir[COV_SITE_NAME], file[COV_SITE_FILE], href[COV_SITE_NAME + COV_SITE_FILE], name[1024];
    Table t = table_head(out, "Class", m->nclasses);
    for (uint32_t i = 0; i < m->npackages; i++) {
        const CovPackage *p = &m->packages[i];
        cov_package_dir(p, dir);
        for (uint32_t k = 0; k < p->nclasses; k++) {
            class_file(p, &p->classes[k], file);
            snprintf(href, sizeof href, "%s/%s", dir, file);
            agent_dotted(p->classes[k].name, name, sizeof name);
            table_row(&t, href, name, p->classes[k].loaded ? NULL : "never loaded", p->classes[k].c);
        }
    }
    table_foot(&t);
}

static void index_page(CovSite *s) {
    char dir[COV_SITE_NAME], href[COV_SITE_FILE], title[1024];
    FILE *out = cov_page_begin(s, NULL, "index.html", s->m->title, s->m->c, s->m->diff);
    if (!out) return;
    fputs("<div id=map title=\"Packages: area = lines, colour = share covered\"></div>", out);
    Table t = table_head(out, "Package", s->m->npackages);
    for (uint32_t i = 0; i < s->m->npackages; i++) {
        const CovPackage *p = &s->m->packages[i];
        cov_package_dir(p, dir);
        snprintf(href, sizeof href, "%s/index.html", dir);
        table_row(&t, href, cov_package_title(p, title, sizeof title), NULL, p->c);
    }
    table_foot(&t);
    fputs("<h2>Classes</h2>", out);
    all_classes(out, s->m);
    cov_page_end(out, s);
}

static void asset(CovSite *s, const char *name, const char *text) {
    FILE *out = open_page(s, NULL, name);
    if (!out) return;
    fputs(text, out);
    close_page(s, out);
}

bool cov_report_html(const CovModel *m, CovSources *src, const char *dir) {
    CovSite s = {m, src, dir, true};
    if (!*dir) return errno = ENOENT, false; /* and not the root of all */
    char path[PATH_MAX];
    for (size_t i = 1; i <= strlen(dir) && i < sizeof path; i++) /* mkdir -p */
        if (dir[i] == '/' || !dir[i]) {
            snprintf(path, sizeof path, "%.*s", (int)i, dir);
            if (mkdir(path, 0777) != 0 && errno != EEXIST) return false;
        }
    asset(&s, "style.css", cov_html_style);
    asset(&s, "script.js", cov_html_script);
    if (cov_about_change(m)) return cov_change_page(&s), s.ok;
    index_page(&s);
    for (uint32_t i = 0; i < m->npackages; i++) package_page(&s, &m->packages[i]);
    return s.ok;
}
