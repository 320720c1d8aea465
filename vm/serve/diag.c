/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostic commands: what jcmd sends and what the DiagnosticCommand MBean offers.
 * Commands and their arguments are rows of diag_commands.def; a line is split at blanks (quotes
 * group), checked against the rows, and handed to cmd_<id> with one value per argument row.
 */
#include "serve/diag_int.h"

#include <stdarg.h>
#include <stdlib.h>

typedef bool (*Handler)(DiagCall *c);

typedef enum CommandId {
#define COMMAND(id, name, text, impact, permission) CMD_##id,
#include "serve/diag_commands.def"
    N_COMMANDS
} CommandId;
enum {
    N_LISTED = 0
#define COMMAND(id, name, text, impact, permission) +1
#define HIDDEN_COMMAND(id, name, text, impact, permission)
#include "serve/diag_commands.def"
};

static const struct {
    CommandId command;
    DiagArg arg;
} all_args[] = {
#define ARG(cmd, name, text, type, standard, option, mandatory) {CMD_##cmd, {name, text, type, standard, option, mandatory}},
#include "serve/diag_commands.def"
};

static DiagArg arg_rows[ARRAY_LEN(all_args)];
static DiagCommand commands[N_COMMANDS] = {
#define COMMAND(id, name, text, impact, permission) {name, text, impact, permission, NULL, 0, false},
#define ATTACH_COMMAND(id, name, text, impact, permission) {name, text, impact, permission, NULL, 0, true},
#include "serve/diag_commands.def"
};
static const Handler handlers[N_COMMANDS] = {
#define COMMAND(id, name, text, impact, permission) diag_cmd_##id,
#include "serve/diag_commands.def"
};

__attribute__((constructor)) static void index_arguments(void) {
    for (size_t i = 0; i < ARRAY_LEN(all_args); i++) {
        DiagCommand *c = &commands[all_args[i].command];
        arg_rows[i] = all_args[i].arg;
        if (c->n_args++ == 0) c->args = &arg_rows[i];
    }
}

int diag_command_count(void) { return N_LISTED; }
const DiagCommand *diag_command(int i) { return &commands[i]; }
bool diag_is_offered(const DiagCommand *d, DiagSource to) { return to == DIAG_ATTACH || !d->attach_only; }

void diag_print_help(FILE *out, const DiagCommand *d) {
    bool options = false, positional = false;
    for (int i = 0; i < d->n_args; i++) *(d->args[i].option ? &options : &positional) = true;
    fprintf(out, "%s\n%s\n\nImpact: %s\n\n", d->name, d->description, d->impact);
    if (d->permission)
        fprintf(out,
                strchr(d->permission, '(') ? "Permission: %s\n\n"
                                           : "Permission: java.lang.management.ManagementPermission(%s)\n\n",
                d->permission);
    fprintf(out, d->n_args ? "Syntax : %s %s" : "Syntax: %s%s", d->name, options ? "[options]" : "");
    for (int i = 0; i < d->n_args; i++)
        if (!d->args[i].option) fprintf(out, d->args[i].mandatory ? " <%s>" : " [<%s>]", d->args[i].name);
    fprintf(out, "\n");
    for (int pass = 0; pass < 2; pass++) {
        if (!(pass ? options : positional)) continue;
        fprintf(out,
                pass ? "\nOptions: (options must be specified using the <key> or <key>=<value> syntax)\n" : "\nArguments:\n");
        for (int i = 0; i < d->n_args; i++) {
            const DiagArg *a = &d->args[i];
            if (a->option != (pass == 1)) continue;
            fprintf(out, "\t%s : %s %s (%s, %s)\n", a->name, a->mandatory ? "" : "[optional]", a->description, a->type,
                    a->standard ? a->standard : "no default value");
        }
    }
}

const DiagCommand *diag_find(const char *name, DiagSource source) {
    for (int i = 0; i < N_COMMANDS; i++)
        if (diag_is_offered(&commands[i], source) && strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

/* ---- command lines ---- */

/* The next word of *p, written over the text; NULL at the end. */
static char *next_word(char **p) {
    char *s = *p, *w, quote = 0;
    while (*s == ' ' || *s == '\t') s++;
    if (!*s) return NULL;
    char *start = w = s;
    for (; *s && (quote || (*s != ' ' && *s != '\t')); s++) {
        if (quote ? *s == quote : *s == '"' || *s == '\'') quote = quote ? 0 : *s;
        else *w++ = *s;
    }
    *p = *s ? s + 1 : s;
    *w = 0;
    return start;
}

/* Prints "java.lang.IllegalArgumentException: ..."; false. */
__attribute__((format(printf, 2, 3))) static bool diag_refuse(FILE *out, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fprintf(out, "java.lang.IllegalArgumentException: ");
    vfprintf(out, fmt, ap);
    fputc('\n', out);
    va_end(ap);
    return false;
}

static bool check_type(const DiagCall *c, const DiagArg *a, const char *v) {
    char *end;
    if (strcmp(a->type, "BOOLEAN") == 0 && strcmp(v, "true") != 0 && strcmp(v, "false") != 0)
        return diag_refuse(c->out, "Boolean parsing error in command argument '%s'. Could not parse: %s.", a->name, v);
    if (strcmp(a->type, "INT") != 0) return true;
    strtol(v, &end, 10);
    return (*v && !*end) ||
           diag_refuse(c->out, "Integer parsing error in command argument '%s'. Could not parse: %s.", a->name, v);
}

/* name or name=value of an option row; true = taken. */
static bool take_option(DiagCall *c, const DiagCommand *d, char *word) {
    char *eq = strchr(word, '=');
    size_t n = eq ? (size_t)(eq - word) : strlen(word);
    for (int i = 0; i < d->n_args; i++) {
        const DiagArg *a = &d->args[i];
        if (!a->option || strlen(a->name) != n || strncmp(a->name, word, n) != 0) continue;
        c->given[i] = true;
        c->value[i] = eq ? eq + 1 : strcmp(a->type, "BOOLEAN") == 0 ? "true" : a->standard ? a->standard : "";
        return true;
    }
    return false;
}

static bool take_arguments(DiagCall *c, const DiagCommand *d, char *rest) {
    int position = 0;
    for (char *word; (word = next_word(&rest));) {
        if (d->n_args == 0) return diag_refuse(c->out, "The argument list of this diagnostic command should be empty.");
        if (take_option(c, d, word)) continue;
        while (position < d->n_args && d->args[position].option) position++;
        if (position == d->n_args) return diag_refuse(c->out, "Unknown argument '%s' in diagnostic command.", word);
        c->given[position] = true;
        c->value[position++] = word;
    }
    for (int i = 0; i < d->n_args; i++) {
        if (!c->value[i]) c->value[i] = d->args[i].standard;
        if (!c->value[i] && d->args[i].mandatory) return diag_refuse(c->out, "The argument '%s' is mandatory.", d->args[i].name);
        if (c->given[i] && !check_type(c, &d->args[i], c->value[i])) return false;
    }
    return true;
}

static bool execute_one(Thread *t, char *line, DiagSource source, FILE *out) {
    DiagCall c = {.t = t, .out = out, .source = source};
    char *rest = line, *name = next_word(&rest);
    const DiagCommand *d = name ? diag_find(name, source) : NULL;
    if (!name) return true;
    if (!d) return diag_refuse(out, "Unknown diagnostic command");
    return take_arguments(&c, d, rest) && handlers[d - commands](&c);
}

/* Several commands come one per line; an empty line or '#' is a comment, "stop" ends. */
bool diag_execute(Thread *t, const char *text, DiagSource source, FILE *out) {
    char *copy = strdup(text);
    bool ok = copy || diag_refuse(out, "There is no memory for the command");
    for (char *line = copy, *end; ok && line; line = end) {
        end = strchr(line, '\n');
        if (end) *end++ = 0;
        if (*line == '#') continue;
        if (strcmp(line, "stop") == 0) break;
        ok = execute_one(t, line, source, out);
    }
    free(copy);
    return ok;
}
