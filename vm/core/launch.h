/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the command line asked for, apart from plain option values (options.h):
 * system properties, agents, assertion switches, the arguments as given.
 * Filled by options/vm_args.c; read by jvm/ (JVM_GetProperties, JVM_GetVmArguments,
 * JVM_DesiredAssertionStatus) and jvmti/ (agents, system properties).
 * Single-threaded until the VM is booted, read-only afterwards (except values of
 * writable properties in the OnLoad phase).
 */
#ifndef GRAFT_CORE_LAUNCH_H
#define GRAFT_CORE_LAUNCH_H

#include "core/types.h"

typedef struct Property {
    char *key, *value;
    bool writable; /* JVM TI SetSystemProperty may change it */
    bool internal; /* jdk.module.* and the like: not shown by JVM TI GetSystemProperties */
    struct Property *next;
} Property;
extern Property *properties; /* in order of first appearance */

Property *property_find(const char *key);
const char *property_get(const char *key);                            /* NULL if absent */
bool property_try_set(const char *key, const char *value);            /* adds or replaces; copies; false without memory */
void property_set(const char *key, const char *value);                /* the same at start-up, which ends without memory */
void property_append_numbered(const char *prefix, const char *value); /* prefix.0, prefix.1, ... */

typedef struct AgentSpec {
    char *library; /* name or path as given */
    char *options; /* text behind '=', or NULL */
    bool is_path;  /* -agentpath */
    bool is_xrun;  /* -Xrun: JVM_OnLoad allowed */
    struct AgentSpec *next;
} AgentSpec;
extern AgentSpec *agents; /* in command-line order */
void agent_add(const char *library, const char *options, bool is_path, bool is_xrun);

typedef struct AssertRule {
    char *name;      /* class (dots), package with is_package, or NULL = all */
    bool is_package; /* name... */
    bool enable;
    struct AssertRule *next;
} AssertRule;
extern AssertRule *assert_rules; /* in command-line order */
extern bool assert_system;       /* -esa */
/* Decision for a class given by its dotted name (java.lang.ClassLoader semantics). */
bool assert_status(const char *dotted_class, bool system_class);

extern char **vm_arguments; /* options as given, for RuntimeMXBean; NULL-terminated */
extern int n_vm_arguments;
/* One that the java launcher added by itself: not an argument of the user. */
bool argument_of_launcher(const char *argument);
/* The others in one text, malloc'ed: those wanted (NULL: all). */
char *arguments_text(bool (*wanted)(const char *argument));
extern char *java_command; /* sun.java.command */

#endif
