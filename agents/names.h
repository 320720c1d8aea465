/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - texts and their numbers, 0, 1, 2 ... in the order in which they came. Not thread-safe: callers lock. */
#ifndef GRAFT_NAMES_H
#define GRAFT_NAMES_H

#include "cf_table.h"
#include "cf_vec.h"

/* Zeroed it is empty. Texts stay where they are until agent_names_free. */
typedef struct AgentNames {
    CfTable table;
    CF_VEC(const char *) texts; /* by number */
} AgentNames;

/* The number of a text, which is copied if it is new; UINT32_MAX without memory. */
uint32_t agent_name(AgentNames *n, const char *text);
/* ... of one that is there; UINT32_MAX: it is not. */
uint32_t agent_names_find(const AgentNames *n, const char *text);
static inline bool agent_names_have(const AgentNames *n, const char *text) { return agent_names_find(n, text) != UINT32_MAX; }
void agent_names_free(AgentNames *n);

#endif
