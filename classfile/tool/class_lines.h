/* SPDX-License-Identifier: Apache-2.0 */
/* class_lines.h - a class as lines of text that do not depend on pool order and offsets. */
#ifndef CLASS_LINES_H
#define CLASS_LINES_H

#include "classfile.h"

typedef struct Lines {
    char **v;
    uint32_t n, cap;
} Lines;

/* One line per instruction: branch targets are numbers of instructions, constants are written out. False if
 * the code is malformed. */
bool method_lines(const CfClass *c, const CfMember *m, Lines *out);
/* The whole class; members in order of name and descriptor. */
void class_lines(const CfClass *c, Lines *out);
/* Prints what differs; returns the number of lines that do. */
int print_diff(const Lines *a, const Lines *b, bool json, bool colours);
void lines_free(Lines *l);
void json_text(FILE *out, const char *s, size_t n);
/* '?' for control characters, which names may hold and terminals obey; in place. */
char *plain_text(char *s);

#endif
