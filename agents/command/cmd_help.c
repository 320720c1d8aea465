/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_help.c - all that is said about the command, from its tables: overview, a page for each subcommand, the manual graft(1)
 * (`graft help --man`), and the words that a shell completes (`graft help --words [COMMAND]`).
 */
#include "command.h"

#include <string.h>

#define CODES_OF_CMD "the exit code of CMD (128 and the number of the signal that ended it); or of graft itself:\n"
#define CODES_OF_GRAFT \
    "0    done\n" \
    "1    what was asked for was refused, or could not be written, or a check found a problem\n" \
    "125  wrong usage, no such process, not permitted, nothing found to work with\n"
static const char *const exit_codes = CODES_OF_CMD CODES_OF_GRAFT "3    coverage: a threshold of --fail-under was missed\n"
                                                                  "126  CMD cannot be run\n127  there is no CMD\n";
static const char *const own_codes = CODES_OF_GRAFT; /* where there is no CMD */

static const char *const variables = "GRAFT_IMAGE  the image for graft run\n"
                                     "JAVA_HOME    the JDK: of java if that is not in PATH; first choice for a new image\n"
                                     "NO_COLOR     no colours, also on a terminal\n";

int help_overview(FILE *out) {
    fputs("graft COMMAND [OPTION]... runs Java programs on the Graft VM, and looks into them on any.\n\n", out);
    for (const Command *c = graft_commands; c->name; c++)
        fprintf(out, "  %s%-10s%s %s\n", ink(out, INK_BOLD), c->name, ink(out, INK_PLAIN), c->summary);
    fputs("\nExamples\n", out);
    fputs("  graft run -- mvn test\n  graft coverage --html=report -- java -jar app.jar\n  graft top Main\n\n", out);
    fputs("'graft help COMMAND' or 'graft COMMAND --help' tells all about one.\n", out);
    return fflush(out) ? GRAFT_ERROR : 0;
}

static bool is_of(const Option *o, const Command *c) {
    const AgentKind *a = agent_find(c->name);
    bool of_agents = a && !strcmp(o->command, "agent") && (a->output || strcmp(o->name, "output") != 0);
    return of_agents || !strcmp(o->command, c->name);
}

/* Calls `put` for each option of the subcommand. */
static void each_option(const Command *c, FILE *out, void (*put)(FILE *out, const Option *o)) {
    const AgentKind *a = agent_find(c->name);
    for (const Option *o = graft_options; o->name; o++)
        if (is_of(o, c)) put(out, o);
    for (const Option *o = a ? agent_rows(a) : NULL; o && o->name; o++) put(out, o);
}

static void put_option(FILE *out, const Option *o) {
    char *left = o->kind == AGENT_OPT_BOOL ? text_of("--[no-]%s", o->name) : text_of("--%s=%s", o->name, o->value);
    fprintf(out, "  %-28s %s\n", left, o->help);
}

static void put_lines(FILE *out, const char *before, const char *text) {
    for (size_t n; (n = strcspn(text, "\n")); text += n + 1) fprintf(out, "%s%.*s\n", before, (int)n, text);
}

int help_of(const Command *c, FILE *out) {
    fprintf(out, "graft %s%s%s: %s\n\n%s%s", c->name, *c->args ? " " : "", c->args, c->summary, c->about, *c->about ? "\n" : "");
    if (c->run == tool_run) {
        fputs("Examples\n", out);
        put_lines(out, "  ", c->examples);
        const char *tool = !strcmp(c->name, "affected") ? "report" : c->name;
        fprintf(out, "\n'graft %s help' lists its commands and options.\n", tool);
        return fflush(out) ? GRAFT_ERROR : 0;
    }
    fputs("Options\n", out);
    each_option(c, out, put_option);
    fputs("  --help                       this text\n\nExamples\n", out);
    put_lines(out, "  ", c->examples);
    bool has_cmd = c->run == run_run || agent_find(c->name);
    fputs(has_cmd ? "\nExit code: " : "\nExit code:\n", out);
    put_lines(out, "  ", has_cmd ? exit_codes : own_codes);
    return fflush(out) ? GRAFT_ERROR : 0;
}

/* ---- the manual -------------------------------------------------------------------------------- */

static void roff(FILE *out, const char *text) {
    for (const char *p = text; *p; p++) {
        if ((p == text || p[-1] == '\n') && (*p == '.' || *p == '\'')) fputs("\\&", out);
        if (*p == '\\') fputs("\\e", out);
        else if (*p == '-') fputs("\\-", out);
        else fputc(*p, out);
    }
}

static void roff_option(FILE *out, const Option *o) {
    fputs(".TP\n.B ", out);
    roff(out, o->kind == AGENT_OPT_BOOL ? text_of("--[no-]%s", o->name) : text_of("--%s=%s", o->name, o->value));
    fputc('\n', out);
    roff(out, o->help);
    fputc('\n', out);
}

static void roff_lines(FILE *out, const char *heading, const char *text) {
    fprintf(out, "%s.nf\n", heading);
    roff(out, text);
    fputs(".fi\n", out);
}

static void roff_command(FILE *out, const Command *c) {
    fputs(".SS ", out);
    roff(out, text_of("graft %s %s", c->name, c->args));
    fputc('\n', out);
    roff(out, c->summary);
    fputs(".\n.PP\n", out);
    roff(out, c->about);
    each_option(c, out, roff_option);
    roff_lines(out, ".PP\n", c->examples);
}

static int manual(FILE *out) {
    fprintf(out, ".TH graft 1 \"\" \"graft %s\" \"Java programs\"\n.SH NAME\n", graft_version);
    fputs("graft \\- run Java programs on the Graft VM, and look into them on any\n.SH SYNOPSIS\n", out);
    fputs(".B graft\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fB\\-\\-\\fR \\fICMD\\fR...]\n.SH COMMANDS\n.ad l\n", out);
    for (const Command *c = graft_commands; c->name; c++) roff_command(out, c);
    roff_lines(out, ".SH EXIT STATUS\n", exit_codes);
    roff_lines(out, ".SH ENVIRONMENT\n", variables);
    return fflush(out) ? GRAFT_ERROR : 0;
}

/* ---- words ------------------------------------------------------------------------------------- */

static void put_word(FILE *out, const Option *o) { fprintf(out, "--%s%s\n", o->name, o->kind == AGENT_OPT_BOOL ? "" : "="); }

static int words(const char *name) {
    const Command *c = name ? command_find(name) : NULL;
    if (c) each_option(c, stdout, put_word);
    for (const Command *all = graft_commands; !name && all->name; all++) puts(all->name);
    return 0;
}

int help_run(const Command *self, Given *g) {
    if (!g->nrest) return help_overview(stdout);
    if (!strcmp(g->rest[0], "--man")) return manual(stdout);
    if (!strcmp(g->rest[0], "--words")) return words(g->rest[1]);
    const Command *c = command_find(g->rest[0]);
    if (!c) graft_die("there is no command '%s'; 'graft help' lists them", g->rest[0]);
    return help_of(c, stdout);
}
