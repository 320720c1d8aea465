/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_report_ci.c - what was missed, for the services that show it beside a change: JSON, SARIF 2.1.0, GitHub's workflow commands.
 *
 * A gap is a row of lines of which nothing ran, or a line some of whose branches did not. Lines without code do not part a
 * gap. With a difference only changed lines count, and paths are those of the difference.
 */
#include "agent.h"
#include "cov_report.h"

typedef enum GapKind { GAP_LINES, GAP_BRANCHES } GapKind;

typedef struct Gap {
    const CovSource *source;
    const char *path;
    int32_t first, last;
    GapKind kind;
    uint32_t missed, all; /* lines or branches */
} Gap;

typedef struct Writer {
    FILE *out;
    bool any; /* something has been written that a comma parts from the next */
} Writer;
typedef void PutGap(Writer *w, const Gap *g);

/* ---- gaps ----------------------------------------------------------------------------------------- */

static bool counts(const CovModel *m, const CovSource *s, int32_t line) {
    return !m->diffed || (s->changed && cov_diff_has(s->changed, line));
}

/* Missed lines from `first` on. */
static Gap line_gap(const CovModel *m, const CovSource *s, int32_t first, const char *path) {
    Gap g = {s, path, first, first, GAP_LINES, 1, 1};
    int32_t end = s->lines.first + (int32_t)s->lines.n;
    for (int32_t i = first + 1; i < end; i++) {
        const CovLine *l = cov_line_at(&s->lines, i);
        if (!l) continue;
        if (l->ci || !counts(m, s, i)) break;
        g.last = i;
        g.missed++;
    }
    g.all = g.missed;
    return g;
}

static void each_gap(const CovModel *m, const CovSource *s, const char *path, PutGap *put, Writer *w) {
    int32_t end = s->lines.first + (int32_t)s->lines.n;
    for (int32_t i = s->lines.first; i < end; i++) {
        const CovLine *l = cov_line_at(&s->lines, i);
        if (!l || !counts(m, s, i) || (l->ci && !l->mb)) continue;
        Gap g = l->ci ? (Gap){s, path, i, i, GAP_BRANCHES, l->mb, l->mb + l->cb} : line_gap(m, s, i, path);
        put(w, &g);
        i = g.last;
    }
}

static const char *path_of(const CovSource *s, CovSources *src, char *buf, size_t n) {
    return s->changed ? s->changed->path : cov_sources_path(src, s->package, s->name, buf, n);
}

static void all_gaps(const CovModel *m, CovSources *src, PutGap *put, Writer *w) {
    char path[4096];
    for (uint32_t i = 0; i < m->nsources; i++)
        if (!m->diffed || m->sources[i].changed)
            each_gap(m, &m->sources[i], path_of(&m->sources[i], src, path, sizeof path), put, w);
}

static void gap_text(const Gap *g, char *buf, size_t n) {
    if (g->kind == GAP_LINES && g->first == g->last) snprintf(buf, n, "Not covered by a test");
    else if (g->kind == GAP_LINES) snprintf(buf, n, "%u lines not covered by a test", g->missed);
    else snprintf(buf, n, "%u of %u branches not covered", g->missed, g->all);
}

static void comma(Writer *w) {
    if (w->any) fputc(',', w->out);
    w->any = true;
}

/* ---- GitHub ----------------------------------------------------------------------------------------- */

static void put_property(FILE *out, const char *s) {
    for (; *s; s++)
        if (strchr("%,:\r\n", *s)) fprintf(out, "%%%02X", (unsigned char)*s);
        else fputc(*s, out);
}

static void put_annotation(Writer *w, const Gap *g) {
    char text[100];
    gap_text(g, text, sizeof text);
    fputs("::warning file=", w->out);
    put_property(w->out, g->path);
    fprintf(w->out, ",line=%d,endLine=%d,title=%s::%s\n", g->first, g->last,
            g->kind == GAP_LINES ? "Missed lines" : "Missed branches", text);
}

void cov_report_annotations(const CovModel *m, const CovReports *want, CovSources *src, FILE *out) {
    Writer w = {out, false};
    all_gaps(m, src, put_annotation, &w);
}

/* ---- SARIF ------------------------------------------------------------------------------------------ */

/* A relative reference: what else than letters, digits and -._~/ stands in a path is percent-encoded. */
static void put_uri(FILE *out, const char *path) {
    if (*path == '/') fputs("file://", out);
    for (; *path; path++)
        if (strchr("-._~/", *path) || (*path >= '0' && *path <= '9') || ((*path | 32) >= 'a' && (*path | 32) <= 'z'))
            fputc(*path, out);
        else fprintf(out, "%%%02X", (unsigned char)*path);
}

static void put_result(Writer *w, const Gap *g) {
    char text[100];
    gap_text(g, text, sizeof text);
    comma(w);
    fprintf(w->out,
            "\n{\"ruleId\":\"%s\",\"level\":\"warning\",\"message\":{\"text\":\"%s\"},\"locations\":[{\"physicalLocation\":"
            "{\"artifactLocation\":{\"uri\":\"",
            g->kind == GAP_LINES ? "missed-line" : "missed-branch", text);
    put_uri(w->out, g->path);
    fprintf(w->out, "\"},\"region\":{\"startLine\":%d,\"endLine\":%d}}}]}", g->first, g->last);
}

void cov_report_sarif(const CovModel *m, const CovReports *want, CovSources *src, FILE *out) {
    Writer w = {out, false};
    fputs(
        "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":"
        "\"graft-coverage\",\"rules\":[{\"id\":\"missed-line\",\"shortDescription\":{\"text\":\"Lines that no test runs\"}},"
        "{\"id\":\"missed-branch\",\"shortDescription\":{\"text\":\"Branches that no test takes\"}}]}},\"results\":[",
        out);
    all_gaps(m, src, put_result, &w);
    fputs("]}]}\n", out);
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

static void put_counters(FILE *out, const CovCount *c) {
    static const char *const names[] = {"instruction", "branch", "line", "complexity", "method", "class"};
    bool any = false;
    fputc('{', out);
    for (int k = 0; k < COV_COUNTERS; k++) {
        if (!cov_total(c[k])) continue;
        fprintf(out, "%s\"%s\":{\"covered\":%u,\"total\":%u}", any ? "," : "", names[k], c[k].covered, cov_total(c[k]));
        any = true;
    }
    fputc('}', out);
}

static void put_range(Writer *w, const Gap *g) {
    if (g->kind != GAP_LINES) return;
    comma(w);
    fprintf(w->out, "[%d,%d]", g->first, g->last);
}

static void put_branch_line(Writer *w, const Gap *g) {
    if (g->kind != GAP_BRANCHES) return;
    comma(w);
    fprintf(w->out, "[%d,%u,%u]", g->first, g->missed, g->all);
}

static void put_file(const CovModel *m, const CovSource *s, CovSources *src, FILE *out) {
    char path[4096];
    Writer lines = {out, false}, branches = {out, false};
    fputs("\n{\"path\":", out);
    agent_put_json(out, path_of(s, src, path, sizeof path), "");
    fputs(",\"package\":", out);
    agent_put_json(out, s->package, "");
    fputs(",\"counters\":", out);
    put_counters(out, s->c);
    if (m->diffed) fputs(",\"changed\":", out), put_counters(out, s->diff);
    fputs(",\"missedLines\":[", out);
    each_gap(m, s, "", put_range, &lines);
    fputs("],\"missedBranches\":[", out);
    each_gap(m, s, "", put_branch_line, &branches);
    fputs("]}", out);
}

void cov_report_json(const CovModel *m, const CovReports *want, CovSources *src, FILE *out) {
    Writer files = {out, false};
    fputs("{\"title\":", out);
    agent_put_json(out, m->title ? m->title : "", "");
    fputs(",\"counters\":", out);
    put_counters(out, m->c);
    if (m->diffed) {
        fputs(",\"since\":", out);
        agent_put_json(out, m->diffed->name, "");
        fputs(",\"changed\":", out);
        put_counters(out, m->diff);
    }
    fputs(",\"files\":[", out);
    for (uint32_t i = 0; i < m->nsources; i++) {
        if (m->diffed && !m->sources[i].changed) continue;
        comma(&files);
        put_file(m, &m->sources[i], src, out);
    }
    fputs("]}\n", out);
}
