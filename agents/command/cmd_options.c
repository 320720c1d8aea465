/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_options.c - the command line. Options stand before "--", and where other words are another command's, before the first of these:
 *
 *   --name=VALUE   --name VALUE   --name (of on|off: on)   --no-name (off)   -o FILE (--output)   --help
 *
 * A subcommand has the rows of commands.def under its name; one that loads an agent also those of "agent" and the agent's own.
 */
#include "cmd_home.h"
#include "command.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Rows {
    const Option *list[2];
    const char *name; /* whose, of the first list; of the second one all */
    bool agent;       /* and those of all agents ... */
    bool no_output;   /* ... but --output */
} Rows;

const Option *agent_rows(const AgentKind *a) {
    static const AgentKind *known;
    static Option *rows;
    if (known == a) return rows;
    char *file = home_agent(a->name);
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    const AgentOption *const *told = library ? dlsym(library, "graft_agent_options") : NULL;
    if (!told) graft_die("%s: not an agent of this version: %s", file, library ? "it shows no options" : dlerror());
    size_t n = 0;
    while ((*told)[n].name) n++;
    free(rows);
    if (!(rows = calloc(n + 1, sizeof *rows))) graft_die("out of memory");
    for (size_t i = 0; i < n; i++) {
        const AgentOption *o = &(*told)[i];
        rows[i] = (Option){NULL, o->kind, o->name, o->value, o->help};
    }
    known = a;
    free(file);
    return rows;
}

static Rows rows_of(const Command *c) {
    const AgentKind *a = agent_find(c->name);
    return (Rows){{graft_options, a ? agent_rows(a) : NULL}, c->name, a, a && !a->output};
}

/* The next row of `r`, beginning with NULL; NULL at the end. */
static const Option *next_row(const Rows *r, const Option *last) {
    bool own = r->list[1] && last && !last->command;
    const Option *o = last ? last + 1 : r->list[0];
    for (; !own && o->name; o++)
        if (!strcmp(o->command, r->name) ||
            (r->agent && !strcmp(o->command, "agent") && !(r->no_output && !strcmp(o->name, "output"))))
            return o;
    if (!own) o = r->list[1];
    return o && o->name ? o : NULL;
}

static const Option *find_row(const Rows *r, const char *name, size_t len) {
    for (const Option *o = NULL; (o = next_row(r, o));)
        if (strlen(o->name) == len && !memcmp(o->name, name, len)) return o;
    return NULL;
}

static void unknown(const Command *c, const Rows *r, const char *word, size_t len) {
    char hint[64], *name = text_of("%.*s", (int)len, word);
    Nearest n = {.word = name};
    for (const Option *o = NULL; (o = next_row(r, o));) nearest_look(&n, o->name);
    if (n.name) n.name = text_of("--%s", n.name);
    graft_die("%s: unknown option '--%s'%s; 'graft help %s' lists them", c->name, name, nearest_text(&n, hint, sizeof hint),
              c->name);
}

/* Lists add up, as the agents' do, for who reads them here. */
static void add(Given *g, const Option *o, const char *value) {
    char separator = agent_separator(o->value);
    for (int i = 0; separator && i < g->n; i++)
        if (g->v[i].row == o) {
            g->v[i].value = text_of("%s%c%s", g->v[i].value, separator, value);
            return;
        }
    if (g->n == (int)(sizeof g->v / sizeof *g->v)) graft_die("too many options");
    g->v[g->n++] = (struct GivenOption){o, value};
}

static bool is_word(const char *value, const char *words) {
    size_t n = strlen(value);
    for (; *words; words += strcspn(words, "|"), words += *words == '|')
        if (strcspn(words, "|") == n && !memcmp(words, value, n)) return true;
    return false;
}

static void check(const Command *c, const Option *o, const char *value) {
    char *end;
    bool good = true;
    errno = 0;
    if (o->kind == AGENT_OPT_INT) good = *value && (strtol(value, &end, 10), !*end && !errno);
    if (o->kind == AGENT_OPT_WORD) good = is_word(value, o->value);
    if (o->kind == AGENT_OPT_BOOL) good = is_word(value, "on|off|true|false|yes|no|1|0");
    if (!good) graft_die("%s: bad value '%s' of option '--%s' (%s)", c->name, value, o->name, o->value);
}

/* One option at argv[0]; how many words it takes. */
static int take(const Command *c, const Rows *r, char **argv, Given *g) {
    const char *word = !strncmp(argv[0], "-o", 2) ? "output" : argv[0] + 2, *value = strchr(argv[0], '=');
    bool short_form = argv[0][1] != '-';
    size_t len = short_form ? strlen(word) : strcspn(word, "=");
    if (short_form && strncmp(argv[0], "-o", 2) != 0) graft_die("%s: unknown option '%s'", c->name, argv[0]);
    if (short_form) value = argv[0][2] ? argv[0] + 1 : NULL;
    const Option *o = find_row(r, word, len);
    const Option *off = !o && !strncmp(word, "no-", 3) ? find_row(r, word + 3, len - 3) : NULL;
    if (off && off->kind == AGENT_OPT_BOOL && !value) return add(g, off, "off"), 1;
    if (!o || (short_form && len != 6)) unknown(c, r, word, len);
    bool alone = o->kind == AGENT_OPT_BOOL || (o->command && !strcmp(o->name, "undo"));
    if (!value && !alone && (!argv[1] || !strncmp(argv[1], "--", 2)))
        graft_die("%s: option '--%s' needs a value (%s)", c->name, o->name, o->value);
    const char *text = value ? value + 1 : alone ? (o->kind == AGENT_OPT_BOOL ? "on" : "1") : argv[1];
    check(c, o, text);
    add(g, o, text);
    return value || alone ? 1 : 2;
}

static bool is_option(const char *word) { return word[0] == '-' && word[1] && strcmp(word, "--") != 0; }

void options_parse(const Command *c, int argc, char **argv, Given *g) {
    Rows r = rows_of(c);
    bool own_words = c->run == redefine_run || c->run == top_run || c->run == ps_run || c->run == doctor_run;
    int i = 0, n = 0;
    *g = (Given){0};
    while (i < argc && strcmp(argv[i], "--") != 0 && (own_words || is_option(argv[i]))) {
        if (!is_option(argv[i])) {
            argv[n++] = argv[i++];
            continue;
        }
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) exit(help_of(c, stdout));
        if (c->run == help_run) break; /* graft help --man */
        i += take(c, &r, argv + i, g);
    }
    if (i < argc && !strcmp(argv[i], "--")) i++;
    while (i < argc) argv[n++] = argv[i++];
    argv[n] = NULL;
    g->rest = argv;
    g->nrest = n;
}

const char *option_value(const Given *g, const char *name) {
    for (int i = g->n; i-- > 0;)
        if (!strcmp(g->v[i].row->name, name)) return g->v[i].value;
    return NULL;
}

bool option_on(const Given *g, const char *name) {
    const char *v = option_value(g, name);
    return v && is_word(v, "on|true|yes|1");
}

long option_number(const Given *g, const char *name, long none, long least) {
    const char *v = option_value(g, name);
    long n = v ? strtol(v, NULL, 10) : none;
    if (v && n < least) graft_die("--%s=%s: must be at least %ld", name, v, least);
    return n;
}

static bool is_file(const Option *o) { return is_word(o->value, "FILE|DIR|PATH"); }

/* "x/calls-%p.txt" of "x/calls.txt"; takes the name. */
static char *numbered(char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (strstr(path, "%p")) return path;
    size_t n = dot && slash && dot > slash + 1 ? (size_t)(dot - path) : strlen(path);
    char *both = text_of("%.*s-%%p%s", (int)n, path, path + n);
    free(path);
    return both;
}

/* JVMs may run in other directories than this command. */
char *option_files(const Option *o, const char *value, bool many) {
    bool list = !strcmp(o->value, "PATHS");
    if ((!is_file(o) && !list) || !strcmp(value, "-") || !*value) return text_of("%s", value);
    if (!list) return many ? numbered(path_absolute(value)) : path_absolute(value);
    char *all = text_of("%s", ""), *copy = text_of("%s", value), *rest = copy;
    for (char *p; (p = strsep(&rest, ":"));)
        if (*p) all = text_of("%s%s%s", all, *all ? ":" : "", path_absolute(p));
    return all;
}

static bool listed(const char *const *names, const char *name) {
    for (; names && *names; names++)
        if (!strcmp(*names, name)) return true;
    return false;
}

char *option_escaped(const char *text) {
    char *out = malloc(2 * strlen(text) + 1), *p = out;
    if (!out) graft_die("out of memory");
    for (; *text; text++) {
        if (*text == ',' || *text == '\\') *p++ = '\\';
        *p++ = *text;
    }
    *p = 0;
    return out;
}

char *options_for_agent(const Given *g, const char *const *but, bool many) {
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    if (!out) graft_die("out of memory");
    for (int i = 0; i < g->n; i++) {
        const Option *o = g->v[i].row;
        bool file = o->command && !strcmp(o->name, "output");
        if ((o->command && !file) || listed(but, file ? "file" : o->name)) continue;
        char *value = option_files(o, g->v[i].value, many), *safe = option_escaped(value);
        fprintf(out, "%s%s=%s", ftell(out) ? "," : "", file ? "file" : o->name, safe);
        free(value);
        free(safe);
    }
    if (fclose(out)) graft_die("out of memory");
    return text;
}
