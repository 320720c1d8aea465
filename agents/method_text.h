/* SPDX-License-Identifier: Apache-2.0 */
/* method_text.h - methods as people write them. */
#ifndef GRAFT_METHOD_TEXT_H
#define GRAFT_METHOD_TEXT_H

/* "java.lang.String.indexOf(int, int)" of internal names; malloc'ed, NULL if memory runs out. */
char *agent_method_text(const char *class_name, const char *name, const char *desc);

#endif
