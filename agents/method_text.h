/* SPDX-License-Identifier: Apache-2.0 */
/* method_text.h - types and methods as people write them. */
#ifndef GRAFT_METHOD_TEXT_H
#define GRAFT_METHOD_TEXT_H

#include <stdio.h>

#include "agent.h"
#include "classfile.h"

/* What is put here is UTF-8, of modified UTF-8 as of UTF-8 (utf8.h).
 * One type of a descriptor: "int", "java.lang.String[]"; `simple`: "String[]". What is no type shows as "?". */
void agent_put_type(FILE *out, CfStr type, bool simple);
/* "(int, String[])" of a method descriptor. */
void agent_put_parameters(FILE *out, CfStr desc, bool simple);
/* The name that a class file gives itself, malloc'ed; NULL: it is none. */
char *agent_name_in_file(const uint8_t *bytes, size_t len);
/* The same where ClassFileLoadHook has no name, since the loader gave none; NULL also for what JDKs before 15 make of lambdas in that way. */
char *agent_name_not_given(const uint8_t *bytes, size_t len);
/* "java.lang.String", "int[]" of a class; malloc'ed, NULL without memory. */
char *agent_class_text(const Agent *a, jclass c);
/* "java.lang.String.indexOf(int, int)" of internal names; malloc'ed, NULL if memory runs out. */
char *agent_method_text(const char *class_name, const char *name, const char *desc);
/* Where the "(" of the parameters is in such a text, or its end: a name may have a "(", too. */
size_t agent_parameters_at(const char *method);
/* Does one of the patterns (a list, agent_match_list) fit the class "a.B", the method "a.B.m", or the method with its parameters
 * "a.B.m(int,java.lang.String[])"? Blanks in these do not count. Internal names; `name` NULL: only the class. */
bool agent_names_method(const char *patterns, const char *class_name, const char *name, const char *desc);

#endif
