/* SPDX-License-Identifier: Apache-2.0 */
/* test_agent_utf8 - names: modified UTF-8 and UTF-8 are read alike, what is shown is UTF-8 and stays as it is; any bytes. */
#include "utf8.h"
#include "cf_test.h"
#include "classfile.h"

#include <stdlib.h>

static void shown(const char *name, size_t n, const char *expected) {
    char *text = agent_name_text(name, n), *again = text ? agent_name_text(text, strlen(text)) : NULL;
    CHECK(text && !strcmp(text, expected));
    CHECK(again && !strcmp(again, expected));
    free(text);
    free(again);
}
#define SHOWN(name, expected) shown(name, sizeof name - 1, expected)

static void names(void) {
    SHOWN("", "");
    SHOWN("abc \xd1\x8f\xe2\x82\xac", "abc \xd1\x8f\xe2\x82\xac");
    SHOWN("\xed\xa0\xbd\xed\xb8\x80", "\xf0\x9f\x98\x80"); /* a pair */
    SHOWN("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80");
    SHOWN("a\xc0\x80z", "a\\u0000z");
    SHOWN("\xed\xa0\xbdx\xed\xb8\x80", "\\ud83dx\\ude00");
    SHOWN("\xed\xa0\xbd", "\\ud83d");
    SHOWN("\x1b\n\x7f\xc2\x85\xef\xbf\xbe\xe2\x80\xa8", "\\u001b\\u000a\\u007f\\u0085\\ufffe\\u2028");
    SHOWN("\xff\xc1\x81\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void plain_names(void) {
    char buf[16];
    agent_plain_name("a/b/C", NULL, buf, sizeof buf);
    CHECK(!strcmp(buf, "a.b.C"));
    agent_plain_name("a/\xed\xa0\xbd\xed\xb8\x80", "m", buf, sizeof buf);
    CHECK(!strcmp(buf, "a.\xf0\x9f\x98\x80.m"));
    agent_plain_name("0123456789abcd\xd1\x8f", "m", buf, sizeof buf); /* no half of a character */
    CHECK(!strcmp(buf, "0123456789abcd"));
}

/* What is written of any bytes is UTF-8: turned into modified UTF-8 and back it stays as it is. */
static void any_bytes(void) {
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        char bytes[24], there[400], back[400];
        for (size_t k = 0; k < sizeof bytes; k++) {
            static const unsigned char often[] = {0xed, 0xa0, 0xbd, 0xb8, 0xc0, 0x80, 0xf0, 0xe2};
            seed = seed * 1664525u + 1013904223u;
            bytes[k] = (char)(seed >> 30 ? often[seed >> 8 & 7] : seed >> 16);
        }
        char *text = agent_name_text(bytes, sizeof bytes);
        size_t len = text ? strlen(text) : 0, n = text ? cf_utf8_to_mutf8(text, len, there, sizeof there) : 0;
        size_t m = cf_mutf8_to_utf8(there, n, back, sizeof back);
        CHECK(text && m == len && !memcmp(text, back, len));
        free(text);
    }
}

int main(void) {
    names();
    plain_names();
    any_bytes();
    return cf_test_end();
}
