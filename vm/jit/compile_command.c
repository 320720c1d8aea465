/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -XX:CompileCommand=COMMAND,PATTERN[,VALUE] and -XX:CompileOnly=PATTERN, one or more, as `java -XX:CompileCommand=help` of the
 * reference describes them.
 *
 *     pattern   CLASS.METHOD[SIGNATURE]   CLASS::METHOD   CLASS,METHOD   CLASS METHOD
 *               dots or slashes in names of packages; * at the start or end of a name, or instead of it
 *
 * exclude, compileonly, inline, dontinline, print and quiet are obeyed.  Other commands of the reference are about its compilers: they are
 * shown as accepted and do nothing.
 */
#include "core/options.h"
#include "core/vm.h"
#include "jit/policy.h"
#include "object/class.h"
#include "object/method.h"
#include "object/symbol.h"
#include <stdlib.h>
#include <string.h>

typedef enum Command { EXCLUDE, COMPILE_ONLY, PRINT, QUIET, INLINE, DONT_INLINE, OTHER } Command;
static const struct {
    const char *name;
    Command command;
} names[] = {{"exclude", EXCLUDE},
             {"compileonly", COMPILE_ONLY},
             {"print", PRINT},
             {"quiet", QUIET},
             {"log", OTHER},
             {"inline", INLINE},
             {"dontinline", DONT_INLINE},
             {"break", OTHER},
             {"BreakAtExecute", OTHER},
             {"BreakAtCompile", OTHER},
             {"PrintAssembly", OTHER},
             {"PrintCompilation", OTHER},
             {"PrintInlining", OTHER},
             {"PrintIntrinsics", OTHER},
             {"PrintNMethods", OTHER},
             {"PrintOptoAssembly", OTHER},
             {"PrintDebugInfo", OTHER},
             {"PrintRelocations", OTHER},
             {"PrintDependencies", OTHER},
             {"BackgroundCompilation", OTHER},
             {"Vectorize", OTHER},
             {"BlockLayoutByFrequency", OTHER}};

typedef struct Rule {
    struct Rule *next;
    Command command;
    char *class, *method, *signature; /* names with *; signature NULL: any */
} Rule;
static Rule *rules;
static bool only; /* there is a compileonly */
bool compile_commands_quiet;

/* --- matching --- */

static bool name_fits(const char *pattern, const char *name) {
    size_t n = strlen(pattern), len = strlen(name);
    bool before = n && pattern[0] == '*', behind = n > 1 && pattern[n - 1] == '*';
    if (n == 1 && before) return true;
    const char *core = pattern + before;
    size_t k = n - before - behind;
    if (k > len) return false;
    if (before && behind) return memmem(name, len, core, k) != NULL;
    if (before) return memcmp(name + len - k, core, k) == 0;
    return memcmp(name, core, k) == 0 && (behind || k == len);
}

static bool fits(const Rule *r, const Method *m) {
    return name_fits(r->class, m->holder->name->bytes) && name_fits(r->method, m->name->bytes) &&
           (!r->signature || strcmp(r->signature, m->desc->bytes) == 0);
}

static bool any_fits(Command c, const Method *m) {
    for (const Rule *r = rules; r; r = r->next)
        if (r->command == c && fits(r, m)) return true;
    return false;
}

bool compile_command_excludes(const Method *m) { return rules && (any_fits(EXCLUDE, m) || (only && !any_fits(COMPILE_ONLY, m))); }
bool compile_command_inlines(const Method *m) { return rules && any_fits(INLINE, m); }
bool compile_command_dont_inline(const Method *m) { return rules && any_fits(DONT_INLINE, m); }
bool compile_command_prints(const Method *m) { return rules && any_fits(PRINT, m); }

/* --- reading --- */

static void wrong(const char *line, const char *why, const char *what) {
    printf("CompileCommand: An error occurred during parsing\nError: %s", why);
    if (what) printf(" '%s'", what);
    printf("\nLine: '%s'\n\nUsage: '-XX:CompileCommand=<option>,<method pattern>' - to set boolean option to true\n"
           "Usage: '-XX:CompileCommand=<option>,<method pattern>,<value>'\n"
           "Use:   '-XX:CompileCommand=help' for more information and to list all option.\n\n",
           line);
}

static bool separates(char ch) { return ch == ',' || ch == ' '; }

static bool stars_are_outside(const char *name) {
    for (const char *p = name + 1; *name && *p; p++)
        if (*p == '*' && p[1]) return false;
    return true;
}

/* Takes CLASS and METHOD from *at, which is moved behind the pattern. */
static bool read_pattern(Rule *r, char **at) {
    char *p = *at, *end = p, *dot = NULL;
    for (; *end && !separates(*end) && *end != '('; end++) {
        if (*end == '.') dot = end;
        if (end[0] == ':' && end[1] == ':') dot = end;
    }
    char *method;
    if (dot) {
        method = dot + (*dot == ':' ? 2 : 1);
        *dot = 0;
    } else if (separates(*end) && end[1]) { /* CLASS METHOD */
        *end = 0;
        method = ++end;
        while (*end && !separates(*end) && *end != '(') end++;
    } else {
        method = end;
    }
    if (*end == '(') {
        char *last = end;
        while (*last && !separates(*last)) last++;
        r->signature = strndup(end, (size_t)(last - end));
        *end = 0;
        end = last;
    }
    *at = *end ? end + 1 : end;
    *end = 0;
    for (char *q = p; *q; q++)
        if (*q == '.') *q = '/';
    r->class = strdup(*p ? p : "*");
    r->method = strdup(*method ? method : "*");
    return r->class && r->method && stars_are_outside(r->class) && stars_are_outside(r->method);
}

static void show(const Rule *r, const char *name) {
    char class[512];
    if (compile_commands_quiet) return;
    snprintf(class, sizeof class, "%s", r->class);
    printf("CompileCommand: %s %s.%s%s bool %s = true\n", name, class, r->method, r->signature ? r->signature : "", name);
}

static void add(Command c, const char *name, char *pattern, const char *line) {
    while (*pattern) {
        Rule *r = calloc(1, sizeof *r);
        if (!r) vm_start_needs("compile commands");
        r->command = c;
        if (!read_pattern(r, &pattern)) return wrong(line, "Embedded * not allowed", NULL);
        r->next = rules;
        rules = r;
        only |= c == COMPILE_ONLY;
        show(r, name);
        if (c != COMPILE_ONLY) return; /* what follows is a value */
    }
}

static void read_line(const char *line) {
    char *text = strdup(line), *p = text;
    if (!text) vm_start_needs("compile commands");
    while (*p && !separates(*p)) p++;
    char *pattern = *p ? p + 1 : p;
    *p = 0;
    Command c = OTHER;
    bool known = strcmp(text, "option") == 0;
    for (size_t i = 0; i < ARRAY_LEN(names) && !known; i++) {
        known = strcmp(names[i].name, text) == 0;
        if (known) c = names[i].command;
    }
    if (!known) wrong(line, "Unrecognized option", text);
    else if (c == QUIET) compile_commands_quiet = true;
    else if (!*pattern) wrong(line, "Method pattern missing from command", NULL);
    else if (strcmp(text, "option") != 0) add(c, text, pattern, line);
    free(text);
}

static void each_line(const char *lines, void (*visit)(const char *line)) {
    for (const char *end; lines && *lines; lines = *end ? end + 1 : end) {
        end = strchrnul(lines, '\n');
        char *line = strndup(lines, (size_t)(end - lines));
        if (!line) vm_start_needs("compile commands");
        visit(line);
        free(line);
    }
}

static void read_only(const char *line) {
    char *text = strdup(line);
    if (!text) vm_start_needs("compile commands");
    add(COMPILE_ONLY, "compileonly", text, line);
    free(text);
}

void compile_commands_init(void) {
    each_line(vm_options.compile_command, read_line);
    each_line(vm_options.compile_only, read_only);
    fflush(stdout);
}
