/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_main.c - the command `graft`: its tables, and which row is meant. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

const char *const graft_version = GRAFT_VERSION;

const Command graft_commands[] = {
#define COMMAND(name, run, args, summary, about, examples) {#name, run, args, summary, about, examples},
#include "commands.def"
    {0}};

const Option graft_options[] = {
#define COMMAND_OPTION(command, kind, name, value, help) {command, AGENT_OPT_##kind, name, value, help},
#include "commands.def"
    {0}};

const AgentKind graft_agents[] = {{"coverage", "coverage.dat", NULL},
                                  {"trace", "trace.txt", NULL},
                                  {"heap", "heap.txt", NULL},
                                  {"natives", "natives.txt", "native methods are wrapped as their classes are loaded"},
                                  {"hotswap", NULL, NULL},
                                  {0}};

const Command *command_find(const char *name) {
    for (const Command *c = graft_commands; c->name; c++)
        if (!strcmp(c->name, name)) return c;
    return NULL;
}

const AgentKind *agent_find(const char *name) {
    for (const AgentKind *a = graft_agents; a->name; a++)
        if (!strcmp(a->name, name)) return a;
    return NULL;
}

static int unknown(const char *word) {
    char hint[64];
    Nearest n = {.word = word};
    for (const Command *c = graft_commands; c->name; c++) nearest_look(&n, c->name);
    graft_say("there is no command '%s'%s; 'graft help' lists them", word, nearest_text(&n, hint, sizeof hint));
    return GRAFT_ERROR;
}

int main(int argc, char **argv) {
    if (argc < 2) return help_overview(stderr), GRAFT_ERROR;
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return help_overview(stdout);
    if (!strcmp(argv[1], "--version")) return printf("graft %s\n", graft_version) < 0;
    const Command *c = command_find(argv[1]);
    if (!c) return unknown(argv[1]);
    Given g = {.rest = argv + 2, .nrest = argc - 2};
    if (c->run != tool_run) options_parse(c, argc - 2, argv + 2, &g);
    return c->run(c, &g);
}
