/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cov_tool.c - graft-coverage: reports, listing and merging of data files, and who covers a line.
 * Each command is a row of `commands`, each option a row of `options`; help is printed from them.
 * Ends with a code of RC_...
 */
#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent.h"
#include "cov_affected.h"
#include "cov_report.h"
#include "printable.h"

enum { RC_OK, RC_FAILED, RC_USAGE, RC_THRESHOLD, RC_ALL_TESTS };

typedef struct Args {
    CovReports reports;
    CovRules rules;
    const char *out, *epoch, *at, *diff, *repo, *since, *ignore, *form;
    bool summary_off, fail_lost;
    char **files;
    int nfiles;
} Args;

static void problem(void *ctx, const char *text) { fprintf(stderr, "graft-coverage: %s\n", text); }

/* A name that no epoch has would show as "nothing is covered". Others were not read. */
static bool epoch_is_there(const Args *a, const CovData *d) {
    if (!a->epoch || d->nepochs) return true;
    fprintf(stderr, "graft-coverage: no epoch is called %s; graft-coverage epochs lists them\n", a->epoch);
    return false;
}

static bool load(const Args *a, CovData *d, int from, int to) {
    char err[512];
    bool ok = true;
    d->only = a->epoch;
    for (int i = from; i < to; i++)
        if (!cov_data_load(d, a->files[i], err, sizeof err)) {
            problem(NULL, err);
            ok = false;
        }
    return ok && epoch_is_there(a, d);
}

static bool load_all(const Args *a, CovData *d) { return load(a, d, 0, a->nfiles); }

/* ---- commands -------------------------------------------------------------------------------- */

/* Does a report go where the text would go? */
static bool uses_stdout(const CovReports *r) {
#define COV_FORMAT(member, what, writer, help) || (r->member && !strcmp(r->member, "-"))
    return false
#include "cov_formats.def"
        ;
#undef COV_FORMAT
}

/* What the options of a report say, into a->reports. */
static void ask_for_reports(Args *a, CovDiff *diff, unsigned *missed) {
    CovReports *r = &a->reports;
    bool files = cov_reports_files(r);
    r->summary = a->summary_off || (files && (!a->diff || uses_stdout(r)) && !isatty(STDOUT_FILENO)) ? NULL : stdout;
    r->problem = problem;
    r->diff = a->diff ? diff : NULL;
    r->rules = &a->rules;
    r->missed = missed;
    if (!r->title) r->title = "Coverage";
}

/* RC_OK, or what is wrong with --fail-under and --diff, told. */
static int open_diff(const Args *a, CovDiff *diff) {
    char err[2048];
    *diff = (CovDiff){.name = a->diff};
    if (!a->diff && cov_rules_need_diff(&a->rules)) return problem(NULL, "a threshold of changed lines needs --diff"), RC_USAGE;
    if (!a->diff || cov_diff_open(diff, a->diff, a->repo, true, err, sizeof err)) return RC_OK;
    return problem(NULL, err), RC_FAILED;
}

/* `graft coverage` asks before it runs a command for an hour. */
static int do_check(Args *a) {
    CovDiff diff;
    int rc = open_diff(a, &diff);
    if (a->diff && rc != RC_USAGE) cov_diff_close(&diff);
    return rc;
}

static int do_report(Args *a) {
    CovData d = {0};
    CovDiff diff;
    unsigned missed = 0;
    int rc = open_diff(a, &diff);
    if (rc == RC_USAGE) return rc;
    bool ok = rc == RC_OK;
    ask_for_reports(a, &diff, &missed);
    ok = ok && load_all(a, &d) && cov_reports(&d, &a->reports);
    if (ok && a->reports.html) printf("%s/index.html\n", a->reports.html);
    cov_data_free(&d);
    if (a->diff) cov_diff_close(&diff);
    return !ok ? RC_FAILED : missed ? RC_THRESHOLD : RC_OK;
}

static int do_compare(Args *a) {
    CovData before = {0}, now = {0};
    CovReports *r = &a->reports;
    uint32_t lost = 0;
    if (a->nfiles != 2) return problem(NULL, "compare wants two files: before and now (merge unites several)"), RC_USAGE;
    const char *html = r->html;
    r->html = NULL;
    if (cov_reports_files(r) || a->diff || a->rules.rows.len)
        return problem(NULL, "compare makes text and HTML only, and knows --fail-lost"), RC_USAGE;
    r->html = html;
    r->summary = a->summary_off ? NULL : stdout;
    r->problem = problem;
    if (!r->title) r->title = "Coverage compared";
    bool ok = load(a, &before, 0, 1) & load(a, &now, 1, 2);
    ok = ok && cov_compare(&before, &now, r, &lost);
    if (ok && r->html) printf("%s/index.html\n", r->html);
    cov_data_free(&now);
    cov_data_free(&before);
    return !ok ? RC_FAILED : lost && a->fail_lost ? RC_THRESHOLD : RC_OK;
}

/* The canonical listing: the same for equal coverage, whatever VM, order of loading or run made it. */
static int do_dump(Args *a) {
    CovData d = {0};
    bool ok = load_all(a, &d);
    for (uint32_t i = 0; i < d.nclasses; i++) {
        const CovDataClass *c = &d.classes[i];
        printf("%s %016llx %s %u ", c->name, (unsigned long long)c->crc, c->loader, c->nprobes);
        for (uint32_t k = 0; k < c->nprobes; k++)
            if (d.flags_only) putchar(c->probes[k] ? '1' : '0');
            else printf("%s%llu", k ? "," : "", (unsigned long long)c->probes[k]);
        putchar('\n');
    }
    cov_data_free(&d);
    return ok && fflush(stdout) == 0 ? 0 : 1;
}

/* ---- epochs ---- */

/* `at`: "a.b.C" or "a.b.C:12" or "C.java:12"; its line, or COV_NO_LINE. */
static int32_t split_at(const char *at, char *name, size_t n) {
    const char *colon = strrchr(at, ':');
    snprintf(name, n, "%.*s", (int)(colon ? colon - at : (ptrdiff_t)strlen(at)), at);
    return colon ? atoi(colon + 1) : COV_NO_LINE;
}

/* Did the data (the numbers of one epoch) reach the place? */
static bool reaches(const CovData *d, const char *name, int32_t line) {
    CovModel m;
    CovFilters filters = {0};
    bool found = false;
    char dotted[1024];
    if (cov_model_build(&m, d, &filters, ""))
        for (uint32_t i = 0; i < m.nclasses; i++) {
            const CovClass *c = &m.classes[i];
            agent_dotted(c->name, dotted, sizeof dotted);
            if (!agent_match(name, dotted) && !(c->source && agent_match(name, c->source))) continue;
            const CovLine *l = line == COV_NO_LINE ? NULL : cov_line_at(&c->lines, line);
            found |= line == COV_NO_LINE ? c->c[COV_METHOD].covered != 0 : l && l->ci;
        }
    cov_model_free(&m);
    return found;
}

/* Leaves only the classes that the epoch touched, with its numbers; their order in `one` is free. */
static void only_epoch(const CovData *d, const CovEpoch *e, CovData *one) {
    for (uint32_t i = 0; i < d->nclasses; i++)
        memset(d->classes[i].probes, 0, d->classes[i].nprobes * sizeof *d->classes[i].probes);
    one->nclasses = 0;
    uint32_t last = UINT32_MAX;
    for (size_t k = 0; k < e->nhits; k++) {
        uint32_t c = cov_data_hit_class(d, &e->hits[k]);
        d->classes[c].probes[e->hits[k].probe] += e->hits[k].n;
        if (c != last && one->nclasses < d->nclasses) one->classes[one->nclasses++] = d->classes[c];
        last = c;
    }
}

static int do_epochs(Args *a) {
    CovData d = {0}, one = {.flags_only = true};
    bool ok = load_all(a, &d);
    char name[1024] = "";
    int32_t line = a->at ? split_at(a->at, name, sizeof name) : COV_NO_LINE;
    unsigned told = 0;
    one.classes = calloc(d.nclasses + 1, sizeof *one.classes);
    for (uint32_t i = 0; ok && one.classes && i < d.nepochs; i++) {
        const CovEpoch *e = &d.epochs[i];
        only_epoch(&d, e, &one);
        if (a->at && !reaches(&one, name, line)) continue;
        printf("%8zu probes %5u classes %8lld ms  %s\n", e->nhits, one.nclasses,
               (long long)(e->start_ms && e->end_ms ? e->end_ms - e->start_ms : 0), *e->name ? e->name : "(none)");
        told++;
    }
    if (ok && a->at && !told) fprintf(stderr, "graft-coverage: nothing that ran reaches %s\n", a->at);
    free(one.classes);
    cov_data_free(&d);
    return ok && fflush(stdout) == 0 ? 0 : 1;
}

/* ---- affected ---- */

/* How the names of tests are written: for people, as value of Maven's -Dtest, as arguments of Gradle. Build tools match names of
 * invocations, as JUnit 4 gives them: a parameterised test is several, `name[0]` ..., so there a star stands behind. */
static const struct Form {
    const char *name, *between, *before;
    char method;       /* in front of a test's name */
    const char *after; /* behind it */
    const char *whole; /* behind a class whose tests are not known */
} forms[] = {{"lines", "\n", "", '.', "", ".*"}, {"maven", ",", "", '#', "*", ""}, {"gradle", " ", "--tests ", '.', "*", ".*"}};
enum { NFORMS = sizeof forms / sizeof *forms };

typedef struct Naming {
    const struct Form *form;
    bool any;
} Naming;

/* Tests that are made while they run have any name: then a build tool is told the class. */
static bool is_identifier(const char *p) {
    while (*p && (*p == '_' || *p == '$' || (*p >= '0' && *p <= '9') || ((*p | 32) >= 'a' && (*p | 32) <= 'z'))) p++;
    return !*p;
}

static void put_test(void *ctx, const char *name) {
    Naming *n = ctx;
    const char *dot = strrchr(name, '.');
    bool whole = dot && (!strcmp(dot, ".*") || (*n->form->after && !is_identifier(dot + 1)));
    printf("%s%s%.*s", n->any ? n->form->between : "", n->form->before, (int)(dot ? dot - name : 0), name);
    if (whole) fputs(n->form->whole, stdout);
    else printf("%c%s%s", n->form->method, dot ? dot + 1 : name, n->form->after);
    n->any = true;
}

static const struct Form *find_form(const char *name) {
    for (int i = 0; i < NFORMS; i++)
        if (!name || !strcmp(forms[i].name, name)) return &forms[i];
    return NULL;
}

static int do_affected(Args *a) {
    CovData d = {0};
    CovDiff diff;
    char err[2048];
    Naming naming = {.form = find_form(a->form)};
    CovAffected want = {.ignore = a->ignore, .tell = problem, .test = put_test, .problem = problem, .ctx = &naming};
    if (!a->since || !naming.form) return problem(NULL, "affected wants --since, and --as=lines, maven or gradle"), RC_USAGE;
    CovAffectedResult rc = COV_AFFECTED_FAILED;
    if (!cov_diff_open(&diff, a->since, a->repo, false, err, sizeof err)) problem(NULL, err);
    else if (load_all(a, &d)) rc = cov_affected(&d, &diff, &want);
    if (naming.any) putchar('\n');
    cov_data_free(&d);
    cov_diff_close(&diff);
    if (fflush(stdout) != 0 || ferror(stdout)) return RC_FAILED;
    return rc == COV_AFFECTED_FAILED ? RC_FAILED : rc == COV_AFFECTED_ALL ? RC_ALL_TESTS : RC_OK;
}

static int do_merge(Args *a) {
    char err[512];
    CovData d = {0};
    if (!a->out) return problem(NULL, "merge needs --out FILE"), 2;
    bool ok = load_all(a, &d);
    if (ok && !cov_data_save(&d, a->out, err, sizeof err)) {
        problem(NULL, err);
        ok = false;
    }
    if (ok) printf("%u classes of %u runs -> %s\n", d.nclasses, d.nruns, a->out);
    cov_data_free(&d);
    return ok ? 0 : 1;
}

static void put_info(const CovData *d, const char *file) {
    uint64_t probes = 0, fired = 0;
    uint32_t of_tests = 0;
    for (uint32_t k = 0; k < d->nclasses; k++) {
        of_tests += d->classes[k].of_tests;
        for (uint32_t p = 0; p < d->classes[k].nprobes; p++, probes++) fired += d->classes[k].probes[p] != 0;
    }
    puts(file);
    for (uint32_t i = 0; i < d->nruns; i++) {
        const CovFileHead *h = &d->runs[i];
        printf("  command   %s\n  vm        %s, process %u\n  end       %s\n", h->command, h->vm, h->pid,
               h->state == COV_CLOSED ? "normal" : "none: still running, or killed");
    }
    printf("  classes   %u", d->nclasses);
    if (of_tests) printf(", %u of them from places of tests", of_tests);
    printf("\n  probes    %llu, passed %llu%s\n  epochs    %u\n", (unsigned long long)probes, (unsigned long long)fired,
           d->flags_only ? "" : " (with counts)", d->nepochs);
}

static int do_info(Args *a) {
    int rc = RC_OK;
    for (int i = 0; i < a->nfiles; i++) {
        CovData d = {0};
        if (!load(a, &d, i, i + 1)) rc = RC_FAILED;
        else put_info(&d, a->files[i]);
        cov_data_free(&d);
    }
    return rc;
}

static const struct Command {
    const char *name;
    int (*run)(Args *);
    const char *help;
    enum { FILES, USUAL_FILE, NO_FILES } files; /* USUAL_FILE: coverage.dat, if none is given */
} commands[] = {
    {"report", do_report, "summary table and reports of one or several data files", USUAL_FILE},
    {"check", do_check, "no FILE: can --fail-under and --diff be understood?", NO_FILES},
    {"compare", do_compare, "two files, before and now: what was gained and lost, by class and line", FILES},
    {"dump", do_dump, "canonical listing: class, CRC, loader, probes", USUAL_FILE},
    {"epochs", do_epochs, "parts of the run (tests) and what they passed; with --at those that reach a place", USUAL_FILE},
    {"affected", do_affected, "which tests to run for a change (--since), from data with tests=on", USUAL_FILE},
    {"merge", do_merge, "unite data files into one (--out)", FILES},
    {"info", do_info, "what a data file holds", USUAL_FILE}};
enum { NCOMMANDS = sizeof commands / sizeof *commands };

/* ---- options ----------------------------------------------------------------------------------- */

#define TEXT(member) offsetof(Args, member)
enum { RULES = TEXT(rules) }; /* may be given more than once */
static const struct Option {
    const char *name;
    size_t at;
    const char *value, *help;
} options[] = {{"html", TEXT(reports.html), "DIR", "HTML report"},
#define COV_FORMAT(member, what, writer, help) {#member, TEXT(reports.member), "FILE", help},
#include "cov_formats.def"
#undef COV_FORMAT
               {"source", TEXT(reports.source), "PATHS", "source folders and archives, ':'-separated"},
               {"classes", TEXT(reports.classes), "PATHS", "class folders and jars: never loaded classes count too"},
               {"title", TEXT(reports.title), "TEXT", "title of the reports"},
               {"diff", TEXT(diff), "REV|FILE", "report on the lines changed since a git revision, or in a unified diff"},
               {"repo", TEXT(repo), "DIR", "where the git repository is (the current folder)"},
               {"fail-under", RULES, "RULES", "exit code 3 below line=80,branch=70,diff=90; 'org.x.*:line=90'; @FILE"},
               {"since", TEXT(since), "REV|FILE", "affected: the change since the revision that the data is of"},
               {"ignore", TEXT(ignore), "PATTERNS", "affected: files that matter to no test, as '*.md:docs/*'"},
               {"as", TEXT(form), "FORM", "affected: lines, maven (a value of -Dtest), gradle (arguments)"},
               {"epoch", TEXT(epoch), "PATTERN", "only what ran in epochs of such names (tests), as CalcTest.*"},
               {"at", TEXT(at), "CLASS[:LINE]", "a class or a source file, and a line of it"},
               {"out", TEXT(out), "FILE", "result of merge"}};
enum { NOPTIONS = sizeof options / sizeof *options };
static const struct Flag {
    const char *name;
    size_t at;
    const char *help;
} flags[] = {{"no-summary", offsetof(Args, summary_off), "no text table"},
             {"fail-lost", offsetof(Args, fail_lost), "exit code 3 if compare finds a line that lost"},
             {"test-classes", offsetof(Args, reports.filters.tests), "report classes of tests, too"},
             {"no-filters", offsetof(Args, reports.filters.off), "report code made by the compiler too"},
             {"old-filters", offsetof(Args, reports.filters.old), "leave out no more than JaCoCo 0.8.6 did"},
             {"skip-assert", offsetof(Args, reports.filters.assertions), "leave out the hidden branch of assert"}};
enum { NFLAGS = sizeof flags / sizeof *flags };

static int usage(FILE *out, int rc) {
    fputs("graft-coverage COMMAND [options] [FILE]...      (coverage.dat)\n\n", out);
    for (int i = 0; i < NCOMMANDS; i++) fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
    fputc('\n', out);
    for (int i = 0; i < NOPTIONS; i++)
        fprintf(out, "  --%s=%-*s %s\n", options[i].name, (int)(18 - strlen(options[i].name)), options[i].value, options[i].help);
    for (int i = 0; i < NFLAGS; i++) fprintf(out, "  --%-19s %s\n", flags[i].name, flags[i].help);
    fputs(
        "\nEnds with 0; 1: something cannot be read or written; 2: wrong use; 3: a threshold was missed;\n4: affected: all tests, known or not.\n",
        out);
    return rc;
}

enum { PARSED, PARSED_NOT, PARSED_TOLD };

static int parse(Args *a, int argc, char **argv) {
    struct option longs[NOPTIONS + NFLAGS + 1] = {0};
    for (int i = 0; i < NOPTIONS; i++) longs[i] = (struct option){options[i].name, required_argument, NULL, 1};
    for (int i = 0; i < NFLAGS; i++) longs[NOPTIONS + i] = (struct option){flags[i].name, no_argument, NULL, 1};
    int which, c;
    char err[512];
    while ((c = getopt_long(argc, argv, "", longs, &which)) != -1) {
        if (c != 1) return PARSED_NOT;
        if (which >= NOPTIONS) *(bool *)((char *)a + flags[which - NOPTIONS].at) = true;
        else if (options[which].at != RULES) *(const char **)((char *)a + options[which].at) = optarg;
        else if (!cov_rules_add(&a->rules, optarg, err, sizeof err)) return problem(NULL, err), PARSED_TOLD;
    }
    a->files = argv + optind;
    a->nfiles = argc - optind;
    return PARSED;
}

static int run(const struct Command *c, int argc, char **argv) {
    Args a = {.reports.title = NULL};
    int parsed = parse(&a, argc, argv);
    static char *usual[] = {"coverage.dat", NULL};
    if (!a.nfiles && c->files == USUAL_FILE) a.files = usual, a.nfiles = 1;
    if (parsed == PARSED && (a.nfiles == 0) != (c->files == NO_FILES)) parsed = PARSED_NOT;
    int rc = parsed == PARSED ? c->run(&a) : RC_USAGE;
    cov_rules_free(&a.rules);
    return parsed == PARSED_NOT ? usage(stderr, RC_USAGE) : rc;
}

int main(int argc, char **argv) {
    agent_printable_output();
    if (argc > 1 && !strcmp(argv[1], "help")) return usage(stdout, RC_OK);
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help")) return usage(stdout, RC_OK);
    for (int i = 0; argc > 1 && i < NCOMMANDS; i++)
        if (!strcmp(argv[1], commands[i].name)) return run(&commands[i], argc - 1, argv + 1);
    return usage(stderr, RC_USAGE);
}
