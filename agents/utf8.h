/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utf8.h - texts of JVM TI, JNI and class files (modified UTF-8, JVMS 4.4.7) as people, patterns and files have them: UTF-8.
 *
 * The two differ in characters beyond U+FFFF, two surrogates of three bytes there and four bytes here, and in U+0000, C0 80 there. Neither of
 * those forms is UTF-8, so one reader takes both: a text that is UTF-8 already stays as it is. A name may hold what no file can, or what
 * would end a line of it: an unpaired surrogate, a control character. Such a character becomes its escape in Java, \u000a, so that
 * names that differ still do. What is no character at all becomes U+FFFD.
 */
#ifndef GRAFT_UTF8_H
#define GRAFT_UTF8_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { AGENT_NO_CHAR = 0xfffd, AGENT_CHAR_TEXT = 8 };

/* The character at *at, which moves behind it; an unpaired surrogate is given as it is. *at is in front of `end`. */
uint32_t agent_next_char(const char **at, const char *end);
/* Its UTF-8; of an unpaired surrogate that of U+FFFD. How many bytes, at most 4. */
size_t agent_utf8_of(uint32_t c, char text[AGENT_CHAR_TEXT]);
/* U+0000 to U+001F, U+007F to U+009F: orders to terminals, ends of lines. */
static inline bool agent_is_control(uint32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

/* A character of a name as it is shown. */
void agent_put_char(FILE *out, uint32_t c);
/* A name, of `n` bytes, as it is shown. */
void agent_put_name(FILE *out, const char *name, size_t n);
/* The same, malloc'ed; NULL without memory. */
char *agent_name_text(const char *name, size_t n);
/* "a.b.C" of the internal name "a/b/C", "a.b.C.m" if there is a method, as patterns have it; cut behind a whole character if it does not fit. */
void agent_plain_name(const char *class_name, const char *method, char *buf, size_t n);

/* Text of HTML and XML: markup is escaped, control characters but tab and end of line become '?'. */
void agent_put_markup(FILE *out, const char *text, size_t n);

/* The UTF-8 of a string, malloc'ed; NULL for NULL and without memory. Unlike a name it has no escapes: it may be a path. */
char *agent_string(JNIEnv *env, jstring s);
/* A string of UTF-8; NULL with an exception. */
jstring agent_new_string(JNIEnv *env, const char *utf8);
/* Modified UTF-8 of UTF-8, malloc'ed; NULL without memory. */
char *agent_modified(const char *utf8);

#endif
