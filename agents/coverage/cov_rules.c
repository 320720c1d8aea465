/* SPDX-License-Identifier: Apache-2.0 */
/* cov_rules.c - thresholds; see cov_rules.h. */
#include "cov_rules.h"

#include <errno.h>
#include <stdlib.h>

enum { MAX_RULE_FILE = 1 << 20, WHOLE = 10000 };

static const struct Measure {
    const char *name;
    CovCounter counter;
    bool changed;
    const char *word;
} measures[] = {
#define COV_RULE(name, counter, changed, word) {name, counter, changed, word},
#include "cov_rules.def"
#undef COV_RULE
};
enum { NMEASURES = sizeof measures / sizeof *measures };

/* ---- reading -------------------------------------------------------------------------------------- */

/* "80", "72.5", "99.95", with or without %. */
static bool read_percent(const char *p, size_t n, uint32_t *hundredths) {
    char text[16], *end;
    if (n && p[n - 1] == '%') n--;
    if (!n || n >= sizeof text || !memchr("0123456789", *p, 10)) return false;
    snprintf(text, sizeof text, "%.*s", (int)n, p);
    double v = strtod(text, &end);
    if (*end || strspn(text, "0123456789.") != n || v > 100) return false;
    *hundredths = (uint32_t)(v * 100 + 0.5);
    return true;
}

static int find_measure(const char *p, size_t n) {
    for (int i = 0; i < NMEASURES; i++)
        if (strlen(measures[i].name) == n && !memcmp(measures[i].name, p, n)) return i;
    return -1;
}

static bool bad_rule(const char *p, size_t n, char *err, size_t errlen) {
    FILE *out = fmemopen(err, errlen, "w");
    if (!out) return false;
    fprintf(out, "threshold '%.*s': want MEASURE=PERCENT, with a measure of", (int)n, p);
    for (int i = 0; i < NMEASURES; i++) fprintf(out, " %s", measures[i].name);
    fclose(out);
    return false;
}

static bool add_one(CovRules *r, const char *pattern, size_t pattern_len, const char *p, size_t n, char *err, size_t errlen) {
    const char *eq = memchr(p, '=', n);
    int measure = eq ? find_measure(p, (size_t)(eq - p)) : -1;
    CovRule rule = {.measure = (unsigned)measure};
    if (measure < 0 || !read_percent(eq + 1, n - (size_t)(eq - p) - 1, &rule.threshold)) return bad_rule(p, n, err, errlen);
    if (pattern && !(rule.pattern = strndup(pattern, pattern_len))) return snprintf(err, errlen, "out of memory"), false;
    return cf_vec_push(&r->rows, rule) || (free(rule.pattern), snprintf(err, errlen, "out of memory"), false);
}

static bool add_list(CovRules *r, const char *p, size_t n, char *err, size_t errlen) {
    const char *end = p + n, *colon = memchr(p, ':', n), *pattern = colon ? p : NULL;
    if (colon) p = colon + 1;
    if (p == end || (colon && colon == pattern)) return bad_rule(pattern ? pattern : p, n, err, errlen);
    for (const char *comma; p <= end; p = comma + 1) {
        comma = memchr(p, ',', (size_t)(end - p));
        if (!comma) comma = end;
        if (!add_one(r, pattern, colon ? (size_t)(colon - pattern) : 0, p, (size_t)(comma - p), err, errlen)) return false;
    }
    return true;
}

static bool add_file(CovRules *r, const char *path, char *err, size_t errlen) {
    size_t len;
    char *text = agent_read_file(path, MAX_RULE_FILE, NULL, &len);
    bool ok = true;
    if (!text) return snprintf(err, errlen, "thresholds in %s: %s", path, strerror(errno)), false;
    if (strlen(text) < len) { /* what stands behind would not be held */
        free(text);
        return snprintf(err, errlen, "thresholds in %s: not a text", path), false;
    }
    for (char *p = text, *next; ok && *p; p = next) {
        next = p + strcspn(p, "\n");
        if (*next) *next++ = 0;
        p[strcspn(p, "#")] = 0;
        p += strspn(p, " \t\r");
        size_t n = strlen(p);
        while (n && strchr(" \t\r", p[n - 1])) n--;
        ok = !n || add_list(r, p, n, err, errlen);
    }
    free(text);
    return ok;
}

bool cov_rules_add(CovRules *r, const char *spec, char *err, size_t errlen) {
    return *spec == '@' ? add_file(r, spec + 1, err, errlen) : add_list(r, spec, strlen(spec), err, errlen);
}

void cov_rules_free(CovRules *r) {
    for (uint32_t i = 0; i < r->rows.len; i++) free(r->rows.data[i].pattern);
    cf_vec_free(&r->rows);
}

bool cov_rules_need_diff(const CovRules *r) {
    for (uint32_t i = 0; i < r->rows.len; i++)
        if (measures[r->rows.data[i].measure].changed) return true;
    return false;
}

/* ---- checking -------------------------------------------------------------------------------------- */

typedef struct Check {
    void (*tell)(void *ctx, const char *text);
    void *ctx;
    unsigned missed;
} Check;

/* Shares are cut, not rounded: what is below a threshold never looks like it. */
static void check_one(Check *k, const CovRule *rule, const char *where, const CovCount *all, const CovCount *changed) {
    const struct Measure *m = &measures[rule->measure];
    CovCount c = (m->changed ? changed : all)[m->counter];
    uint64_t total = cov_total(c), want = (total * rule->threshold + WHOLE - 1) / WHOLE;
    char text[1200];
    if (c.covered >= want) return;
    uint64_t have = c.covered * (uint64_t)WHOLE / total, lack = rule->threshold - have;
    snprintf(text, sizeof text,
             "%s%s%s coverage is %llu.%02llu %%, %llu.%02llu below the %u.%02u %% wanted: %u of %u %s, %llu more must be covered",
             where, *where ? ": " : "", m->name, (unsigned long long)have / 100, (unsigned long long)have % 100,
             (unsigned long long)lack / 100, (unsigned long long)lack % 100, rule->threshold / 100, rule->threshold % 100,
             c.covered, cov_total(c), m->word, (unsigned long long)(want - c.covered));
    k->tell(k->ctx, text);
    k->missed++;
}

static bool package_matches(const char *pattern, const CovPackage *p, char *name, size_t n) {
    char inside[1100];
    agent_dotted(p->name, name, n);
    snprintf(inside, sizeof inside, "%s.*", name);
    return agent_match(pattern, name) || agent_match(pattern, inside);
}

static void check_packages(Check *k, const CovRule *rule, const CovModel *m) {
    char name[1024], text[1200];
    bool any = false;
    for (uint32_t i = 0; i < m->npackages; i++) {
        const CovPackage *p = &m->packages[i];
        if (!package_matches(rule->pattern, p, name, sizeof name)) continue;
        any = true;
        check_one(k, rule, *name ? name : "(unnamed package)", p->c, p->diff);
    }
    if (any) return;
    snprintf(text, sizeof text, "%s: no package has such a name", rule->pattern);
    k->tell(k->ctx, text);
    k->missed++;
}

unsigned cov_rules_check(const CovRules *r, const CovModel *m, void (*tell)(void *ctx, const char *text), void *ctx) {
    Check k = {tell, ctx, 0};
    if (r->rows.len && !m->npackages) return tell(ctx, "no class is in the data: nothing reaches a threshold"), 1;
    for (uint32_t i = 0; i < r->rows.len; i++)
        if (r->rows.data[i].pattern) check_packages(&k, &r->rows.data[i], m);
        else check_one(&k, &r->rows.data[i], "", m->c, m->diff);
    return k.missed;
}
