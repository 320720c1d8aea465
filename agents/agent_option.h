/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent_option.h - an option of an agent as a row: agent.h reads option strings by these rows, the command `graft` finds them in the agent's
 * library and makes long options of them. Forms of values that are FILE, DIR or PATH are one file name, PATHS a list of them.
 */
#ifndef GRAFT_AGENT_OPTION_H
#define GRAFT_AGENT_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef enum AgentOptionKind {
    AGENT_OPT_STRING, /* const char *                    */
    AGENT_OPT_BOOL,   /* bool: on|off|true|false|yes|no|1|0; alone = on */
    AGENT_OPT_INT,    /* int, decimal                    */
    AGENT_OPT_WORD    /* int: place among the words of the value's form */
} AgentOptionKind;

typedef struct AgentOption {
    const char *name; /* NULL ends the rows */
    AgentOptionKind kind;
    size_t offset;     /* of the member in the configuration struct */
    const char *value; /* value's form, for help */
    const char *help;
} AgentOption;

#define AGENT_OPT(Type, kind_, member, name_, value_, help_) \
    { name_, AGENT_OPT_##kind_, offsetof(Type, member), value_, help_ }

/* What Agent_OnAttach answers if a file could not be written: which option's, by its place among the rows, and why (errno). JNI's
 * EEXIST: the agent is at work, and these options change nothing. All else that fails is answered by JNI_ERR. */
enum { AGENT_ANSWER_THERE = -5 };
static inline int agent_answer_of(int place, int error) { return (place + 1) << 8 | (error & 255); }
static inline bool agent_answer_names(long answer, int *place, int *error) {
    *place = (int)(answer >> 8) - 1;
    *error = (int)(answer & 255);
    return answer > 255;
}

/* What stands between the values of a list, which may be given in pieces, by the value's form; 0: no list, the last value counts. */
static inline char agent_separator(const char *form) {
    if (!strcmp(form, "PATTERNS") || !strcmp(form, "PATHS")) return ':';
    return strcmp(form, "PROBES") != 0 ? 0 : ';';
}

/* Behind the rows: who opens the library finds them under this name. */
#define AGENT_SHOWS(rows) __attribute__((visibility("default"))) const AgentOption *const graft_agent_options = rows

#endif
