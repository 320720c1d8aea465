/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_reports.c - see cmd_reports.h. All is said on standard error: standard output is CMD's. */
#include "cmd_reports.h"
#include "cmd_home.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINES_SHOWN = 6 };

/* Options of the coverage agent that graft-coverage has as well (the first is the agent's file). */
static const char *const made_later[] = {"file",  "html",        "lcov",   "xml",     "cobertura", "csv",     "json",
                                         "sarif", "annotations", "source", "classes", "title",     "summary", NULL};
static const char *const file_only[] = {"file", NULL};
/* Options of the command that are graft-coverage's. */
static bool is_judging(const char *name) { return !strcmp(name, "fail-under") || !strcmp(name, "diff"); }

static bool is_coverage(const AgentKind *a) { return !strcmp(a->name, "coverage"); }

/* ---- begin ------------------------------------------------------------------------------------- */

/* For glob(3): %p is any number. */
static char *pattern_of(const char *file) {
    char *out = malloc(2 * strlen(file) + 1), *p = out;
    if (!out) graft_die("out of memory");
    for (; *file; file++) {
        bool number = file[0] == '%' && file[1] == 'p';
        if (!number && strchr("*?[\\", *file)) *p++ = '\\';
        *p++ = number ? '*' : *file;
        file += number;
    }
    *p = 0;
    return out;
}

static const char *wanted_output(const AgentKind *a, const Given *g) {
    const char *output = option_value(g, "output"), *file = option_value(g, "file");
    return output ? output : file;
}

/* The name that the agent is given. */
static char *agent_file(Reports *r, const char *wanted) {
    static const Option file = {.value = "FILE"};
    if (!is_coverage(r->agent) || !r->many || strstr(wanted, "%p")) return option_files(&file, wanted, r->many);
    r->folder = text_of("%s.parts", r->output);
    if (mkdir(r->folder, 0777) && errno != EEXIST) graft_die("%s: %m", r->folder);
    return text_of("%s/%%p.dat", r->folder);
}

/* Adds --fail-under and --diff as they were given; was there one? */
static bool add_judging(const Given *g, char ***end) {
    char **from = *end;
    for (int i = 0; i < g->n; i++)
        if (is_judging(g->v[i].row->name)) *(*end)++ = text_of("--%s=%s", g->v[i].row->name, g->v[i].value);
    return *end != from;
}

bool reports_can_judge(const Given *g) {
    char **argv = calloc((size_t)g->n + 3, sizeof *argv), **end = argv + 2;
    if (!argv) graft_die("out of memory");
    argv[1] = "check";
    bool any = add_judging(g, &end);
    argv[0] = any ? home_tool("coverage") : NULL;
    bool ok = !any || (argv[0] && program_run(argv, STDERR_FILENO) == 0);
    free(argv);
    return ok;
}

Reports reports_begin(const AgentKind *a, const Given *g, bool many) {
    const char *wanted = wanted_output(a, g);
    Reports r = {.agent = a, .given = g, .many = many};
    clock_gettime(CLOCK_REALTIME_COARSE, &r.begun);
    if (!a->output || (wanted && !strcmp(wanted, "-"))) {
        r.agent_options = options_for_agent(g, NULL, many);
        return r;
    }
    if (!wanted) wanted = a->output;
    r.output = path_absolute(wanted);
    char *file = agent_file(&r, wanted), *text = option_escaped(file);
    char *rest = options_for_agent(g, is_coverage(a) ? made_later : file_only, many);
    r.agent_options = text_of("file=%s%s%s", text, *rest ? "," : "", rest);
    r.pattern = pattern_of(file);
    free(file);
    free(text);
    free(rest);
    return r;
}

/* ---- end --------------------------------------------------------------------------------------- */

static bool is_new(const Reports *r, const char *path) {
    struct stat st;
    if (stat(path, &st) || !st.st_size) return false;
    return st.st_mtim.tv_sec > r->begun.tv_sec ||
           (st.st_mtim.tv_sec == r->begun.tv_sec && st.st_mtim.tv_nsec >= r->begun.tv_nsec);
}

static double percent(long covered, long all) { return all ? 100.0 * (double)covered / (double)all : 100.0; }

typedef struct Sum {
    long covered, total;
} Sum;

/* Of `"line":{"covered":45,"total":47}` in the report's first line. */
static Sum read_sum(const char *line, const char *measure) {
    Sum s = {0};
    char *key = text_of("\"%s\":{\"covered\":", measure);
    const char *at = strstr(line, key), *total;
    if (at) s.covered = strtol(at + strlen(key), NULL, 10);
    if (at && (total = strstr(at, "\"total\":"))) s.total = strtol(total + 8, NULL, 10);
    free(key);
    return s;
}

static void tell_sums(const char *file, const char *line) {
    Sum classes = read_sum(line, "class"), lines = read_sum(line, "line"), branches = read_sum(line, "branch");
    if (classes.total)
        graft_say("%s: %ld classes, lines %.1f %% of %ld, branches %.1f %% of %ld", file, classes.total,
                  percent(lines.covered, lines.total), lines.total, percent(branches.covered, branches.total), branches.total);
    else
        graft_say("%s: no class that was asked for ran in a JVM with the agent (one of a daemon that ran before may be without: "
                  "gradle --stop, and once more)",
                  file);
}

static void tell_coverage(const char *file) {
    char *tool = home_tool("coverage"), *argv[] = {tool, "report", (char *)file, "--no-summary", "--title=", "--json=-", NULL};
    char *line = NULL;
    size_t room = 0;
    FILE *report = tmpfile();
    if (tool && report && program_run(argv, fileno(report)) == 0) {
        rewind(report);
        if (getline(&line, &room, report) > 0) tell_sums(file, line);
    }
    if (report) fclose(report);
    free(line);
    free(tool);
}

static void tell_text(const char *file) {
    char line[200];
    FILE *in = fopen(file, "re");
    if (!in) return;
    graft_say("%s:", file);
    for (int i = 0; i < LINES_SHOWN && fgets(line, sizeof line, in); i++)
        fprintf(stderr, "  %s%s", line, strchr(line, '\n') ? "" : "...\n");
    fclose(in);
}

void reports_tell(const AgentKind *a, const char *file) {
    if (access(file, R_OK) != 0) return;
    if (is_coverage(a)) tell_coverage(file);
    else tell_text(file);
}

/* The reports that were asked for, of the file; thresholds are judged by who makes them. */
static int make_reports(const Reports *r) {
    const Given *g = r->given;
    char **argv = calloc((size_t)g->n + 12, sizeof *argv), **end = argv;
    if (!argv) graft_die("out of memory");
    *end++ = home_tool("coverage");
    *end++ = "report";
    *end++ = r->output;
    bool any = option_on(g, "summary");
    for (const char *const *name = made_later + 1; *name; name++) {
        const char *v = option_value(g, *name);
        bool is_file = strcmp(*name, "source") != 0 && strcmp(*name, "classes") != 0 && strcmp(*name, "title") != 0;
        if (!v || !strcmp(*name, "summary")) continue;
        *end++ = text_of("--%s=%s", *name, v);
        any |= is_file;
    }
    any |= add_judging(g, &end);
    if (!option_on(g, "summary")) *end++ = "--no-summary";
    if (option_value(g, "filters") && !option_on(g, "filters")) *end++ = "--no-filters";
    if (option_on(g, "skipassert")) *end++ = "--skip-assert";
    if (option_on(g, "testclasses")) *end++ = "--test-classes";
    if (option_on(g, "oldfilters")) *end++ = "--old-filters";
    int code = !any ? 0 : argv[0] ? program_run(argv, STDERR_FILENO) : GRAFT_FAILED;
    if (code && code != GRAFT_MISSED) graft_say("not all reports could be made");
    if (!any) graft_say("reports: graft report %s --html=DIR (--lcov, --cobertura, --xml, --csv)", r->output);
    free(argv);
    return code && code != GRAFT_MISSED ? GRAFT_FAILED : code;
}

/* Is the JVM gone whose number the name has? */
static bool is_over(const char *piece) {
    const char *slash = strrchr(piece, '/');
    int pid = slash ? atoi(slash + 1) : 0;
    return pid <= 0 || (kill(pid, 0) < 0 && errno == ESRCH);
}

/* What a JVM leaves that is killed as it begins. */
static void remove_empty(const char *piece) {
    struct stat st;
    if (stat(piece, &st) == 0 && !st.st_size) unlink(piece);
}

/* Pieces of JVMs that still run (daemons) stay where they are. */
static bool unite(const Reports *r, char **files, size_t n) {
    char **argv = calloc(n + 4, sizeof *argv);
    if (!argv) graft_die("out of memory");
    argv[0] = home_tool("coverage");
    argv[1] = "merge";
    argv[2] = text_of("--out=%s", r->output);
    memcpy(argv + 3, files, n * sizeof *argv);
    FILE *nowhere = fopen("/dev/null", "we");
    bool ok = argv[0] && nowhere && program_run(argv, fileno(nowhere)) == 0;
    if (nowhere) fclose(nowhere);
    for (size_t i = 0; ok && i < n; i++)
        if (is_over(files[i])) unlink(files[i]);
    if (!ok) graft_say("the data files in %s could not be united", r->folder);
    free(argv);
    return ok;
}

/* The names of other files that the agent wrote; 1 if one is missing, which the agent could not write then (it has said so). */
static int tell_others(const Reports *r) {
    int code = 0;
    for (int i = 0; i < r->given->n; i++) {
        const Option *o = r->given->v[i].row;
        glob_t found = {0};
        char *file = option_files(o, r->given->v[i].value, r->many), *pattern = pattern_of(file);
        bool other = !strcmp(o->value, "FILE") && !o->command && strcmp(o->name, "file") != 0;
        if (other && glob(pattern, 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++)
                if (is_new(r, found.gl_pathv[k])) graft_say("%s", found.gl_pathv[k]);
        if (other && !found.gl_pathc && !strchr(r->given->v[i].value, '%') && strcmp(r->given->v[i].value, "-") != 0) {
            graft_say("%s was not written", r->given->v[i].value);
            code = 1;
        }
        if (other) globfree(&found);
        free(file);
        free(pattern);
    }
    return code;
}

static int tell_all(Reports *r, char **files, size_t n) {
    for (size_t i = 0; i < n && !r->folder; i++) reports_tell(r->agent, files[i]);
    if (!is_coverage(r->agent)) return tell_others(r);
    if (r->folder) tell_coverage(r->output);
    else if (n == 1) r->output = files[0];
    if (r->folder || n == 1) return make_reports(r);
    bool judges = option_value(r->given, "fail-under") || option_value(r->given, "diff");
    if (judges) graft_say("%zu data files: graft report FILE... --fail-under=RULES judges them together", n);
    return judges;
}

/* A heap agent that makes no snapshot at the end has a report only if somebody asked for one. */
static bool may_be_off(const Reports *r) { return option_value(r->given, "exit") && !option_on(r->given, "exit"); }

static bool has_other_files(const Reports *r) {
    static const char *const of_allocations[] = {"flame", "collapsed", "pprof"};
    bool others = false;
    for (int i = 0; i < 3; i++) others |= option_value(r->given, of_allocations[i]) != NULL;
    return others;
}

int reports_end(Reports *r, bool silent) {
    glob_t found = {0};
    size_t n = 0;
    if (r->pattern && glob(r->pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (is_new(r, found.gl_pathv[i])) found.gl_pathv[n++] = found.gl_pathv[i];
            else if (r->folder && is_over(found.gl_pathv[i])) remove_empty(found.gl_pathv[i]);
    }
    if (r->folder && n && !unite(r, found.gl_pathv, n)) return 1;
    if (r->folder) rmdir(r->folder);
    if (silent || !r->pattern) return 0;
    if (n || (may_be_off(r) && has_other_files(r))) return tell_all(r, found.gl_pathv, n);
    graft_say("no JVM has left a report in %s", r->pattern);
    if (option_value(r->given, "fail-under")) return GRAFT_MISSED;
    return wanted_output(r->agent, r->given) && !may_be_off(r);
}
